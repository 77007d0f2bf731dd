"""The Lua scripts that change games and read them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from service.stores import room


class Script:
    """A Lua script of this folder, behind the prelude that all scripts on one game share."""

    def __init__(self, name: str, *, prelude: bool = True) -> None:
        folder = Path(__file__).parent
        text = "".join((folder / file).read_text() for file in ("prelude.lua",) * prelude + (f"{name}.lua",))
        self._set(room.in_numbers(text))

    @classmethod
    def of(cls, text: str) -> Script:
        """A script with this text, whatever is in front."""
        script = cls.__new__(cls)
        script._set(text)
        return script

    def _set(self, text: str) -> None:
        self.text = text
        self.sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
