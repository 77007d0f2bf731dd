"""Which modules run compiled where they can, and whether they do.

`tools/compile.py` makes C extensions of them, by mypyc, in build/compiled, beside a digest of the sources that they were
made from. They are loaded in the place of those sources only where the digest is that of the sources as they are now: what
was made from an older source never runs. All of them are loaded, or none, for they call each other without asking Python.
In an installed wheel they lie beside their sources, and Python finds them by itself.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from os import environ, listdir, path
from types import ModuleType
from typing import Final

ROOT: Final = path.dirname(path.dirname(path.abspath(__file__)))
MADE: Final = path.join(ROOT, "build", "compiled")
MODULES: Final = (
    "engine.rummy.declaration",
    "engine.rummy.melds",
    "solver.answer",
    "solver.candidates",
    "solver.gates",
    "solver.problem",
    "solver.reduction",
    "solver.shapes",
)
LIBRARY: Final = "cardref__mypyc"  # what they share
DIGEST: Final = "made-from"
_FOLDERS: Final = ("engine", "engine/rummy", "solver")  # what the compiled modules are, and all that they can look into


def digest(root: str = ROOT) -> str:
    """What the compiled modules depend on, as a number: the sources, and the Python that loads them."""
    found = sha256(EXTENSION_SUFFIXES[0].encode())
    for folder in _FOLDERS:
        for name in sorted(listdir(path.join(root, folder))):
            if name.endswith(".py"):
                with open(path.join(root, folder, name), "rb") as file:
                    found.update(name.encode() + b"\0" + file.read())
    return found.hexdigest()


def running() -> bool:
    """Whether the compiled modules run in this process."""
    return str(import_module(MODULES[0]).__file__).endswith(tuple(EXTENSION_SUFFIXES))


class Finder:
    """Finds the compiled modules in a folder."""

    def __init__(self, made: str) -> None:
        self._made = made

    def find_spec(
        self, fullname: str, path_of_package: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in MODULES and fullname != LIBRARY:
            return None
        file = path.join(self._made, fullname.replace(".", path.sep) + EXTENSION_SUFFIXES[0])
        spec = ModuleSpec(fullname, ExtensionFileLoader(fullname, file), origin=file)
        spec.has_location = True
        return spec


def use(made: str = MADE) -> bool:
    """Load the compiled modules from now on, if they are there and made from these very sources; whether they are."""
    if environ.get("CARDREF_COMPILED") == "no":
        return False
    try:
        with open(path.join(made, DIGEST)) as file:
            current = file.read() == digest()
    except OSError:
        return False
    if current:
        sys.meta_path.insert(0, Finder(made))
    return current
