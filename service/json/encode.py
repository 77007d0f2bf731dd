"""Values -> JSON: writers compiled once for each type hint (see `service.json.codec`)."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from operator import attrgetter
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from engine.cards import Card
from engine.options import to_json
from service.json.decode import SCALARS
from service.json.type_hints import Writer, members, tag_of


def _writer(hint: Any) -> Writer | None:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return writer(arguments[0])
    if hint is Any:
        return write
    if hint is Card or hint in SCALARS or origin is Literal:
        return None
    if origin in (Union, types.UnionType):
        return None if all(writer(member) is None for member in arguments) else write
    if origin is tuple:
        if arguments[-1] is not ...:
            return None if all(writer(each) is None for each in arguments) else write
        item = writer(arguments[0])
        return None if item is None else lambda values: [item(each) for each in values]
    if origin is not None and issubclass(origin, Mapping):
        value = writer(arguments[1])
        return dict if value is None else lambda found: {key: value(each) for key, each in found.items()}
    if hasattr(hint, "presets"):
        return cast(Writer, lru_cache(256)(to_json))
    if dataclasses.is_dataclass(hint):
        return _write_record(hint)
    raise TypeError(f"no codec for {hint!r}")


writer: Callable[[Any], Writer | None] = cache(_writer)


def _write_record(cls: Any) -> Writer:
    fields = members(cls)
    tag = {"type": tag_of(cls)} if tag_of(cls) else {}
    names = [field.name for field in fields]
    changed = [(field.name, write_field) for field in fields if (write_field := writer(field.hint))]
    attributes = [field.attribute for field in fields]
    omitted = [field.name for field in fields if field.omit]
    get: Callable[[Any], tuple[Any, ...]] = (
        attrgetter(*attributes)
        if len(attributes) > 1  # attrgetter gives no tuple otherwise
        else lambda value: tuple(getattr(value, name) for name in attributes)
    )

    def write_record(value: Any) -> Any:
        found: dict[str, Any] = dict(tag)
        found.update(zip(names, get(value), strict=True))
        for name, write_field in changed:
            found[name] = write_field(found[name])
        for name in omitted:
            if found[name] is None:
                del found[name]
        return found

    return write_record


def write(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [write(each) for each in value]
    write_value = _writer_of(kind)
    return value if write_value is None else write_value(value)


def _of_kind(kind: Any) -> Writer | None:
    if issubclass(kind, Mapping):
        return lambda found: {key: write(each) for key, each in found.items()}
    return writer(kind)


_writer_of: Callable[[Any], Writer | None] = cache(_of_kind)


_PLAIN = frozenset({Card, *SCALARS})
