"""What a wheel holds besides the sources: the compiled search (`engine/compiled.py`), where there is a C compiler."""

import sys
from pathlib import Path

from mypyc.build import mypycify
from setuptools import setup

sys.path.insert(0, str(Path(__file__).parent))

from engine.compiled import LIBRARY, MODULES

paths = [name.replace(".", "/") + ".py" for name in MODULES]
extensions = mypycify(paths, group_name=LIBRARY.removesuffix("__mypyc"), debug_level="0")
for extension in extensions:
    extension.optional = True  # without a compiler, a wheel of plain Python
setup(ext_modules=extensions)
