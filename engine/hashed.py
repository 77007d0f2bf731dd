"""Values whose hash is kept."""

from __future__ import annotations

from typing import Any, ClassVar


class HashedOnce:
    """A frozen dataclass whose hash is kept: rules of some forty fields are a key of many caches, again and again.

    A subclass says ``__hash__ = HashedOnce.__hash__``, or `dataclass` would write one that hashes every field each time.
    """

    __slots__ = ("_hash",)
    __dataclass_fields__: ClassVar[dict[str, Any]]
    _hash: int

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            values = tuple(getattr(self, name) for name in self.__dataclass_fields__)
            object.__setattr__(self, "_hash", hash(values))
            return self._hash
