"""Make C extensions of the modules that are worth it (`engine/compiled.py`), in build/compiled: ``python tools/compile.py``.

Needs a C compiler and mypy. Where they fail it says so, and what was made before is removed: the product then runs as
plain Python. With ``--required`` that is an error.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from engine.compiled import DIGEST, LIBRARY, MADE, MODULES, digest  # noqa: E402

_WORK = Path(MADE).with_name("compiling")
_GROUP = LIBRARY.removesuffix("__mypyc")
_SETUP = f"""
from mypyc.build import mypycify
from setuptools import setup
paths = {[name.replace(".", "/") + ".py" for name in MODULES]!r}
setup(name={_GROUP!r}, packages=[], ext_modules=mypycify(paths, group_name={_GROUP!r}, debug_level="0"))
"""


def made() -> bool:
    """Whether they could be made; what a compiler says goes to standard error."""
    shutil.rmtree(_WORK, ignore_errors=True)
    for package in ("engine", "solver"):  # apart from the project, whose own description is none of theirs
        shutil.copytree(ROOT / package, _WORK / package, ignore=shutil.ignore_patterns("__pycache__"))
    was = digest(str(_WORK))
    (_WORK / "setup.py").write_text(_SETUP)
    command = [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", "made"]
    done = subprocess.run(command, cwd=_WORK, capture_output=True, text=True, check=False)
    if done.returncode:
        print(*(done.stdout + done.stderr).splitlines()[-15:], sep="\n", file=sys.stderr)
    else:
        (_WORK / "made" / DIGEST).write_text(was)
        (_WORK / "made").rename(MADE)
    shutil.rmtree(_WORK, ignore_errors=True)
    return not done.returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--required", action="store_true", help="fail where it cannot be done")
    given = parser.parse_args()
    shutil.rmtree(MADE, ignore_errors=True)
    print("cardref: compiling the search (half a minute)")
    if not made():
        print("cardref: it could not be compiled, and runs as plain Python: two to four times slower")
        sys.exit(given.required)


if __name__ == "__main__":
    main()
