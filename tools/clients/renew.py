"""`make clients`: what both clients take from openapi.yaml, made anew. Types by datamodel-code-generator and openapi-typescript, which know
every schema; the calls by the modules beside this one.

What needs Node is left as it is where there is none, and said to be.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from tools.clients import python, typescript
from tools.clients.calls import methods

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "openapi.yaml"
PYTHON = ROOT / "clients/python/cardref_client"
TYPESCRIPT = ROOT / "clients/typescript/src"
GENERATOR = ROOT / "tests/clients/node_modules/.bin/openapi-typescript"
_TYPES = (
    "--input-file-type openapi --output-model-type typing.TypedDict --target-python-version 3.11 --use-union-operator "
    "--use-standard-collections --enum-field-as-literal all --use-schema-description --use-field-description "
    "--use-single-line-docstring --use-type-alias --no-use-closed-typed-dict --disable-timestamp --formatters ruff-format"
)
# A field of a request that has a default may be null or missing: --default-non-nullable=false says so.
_OPENAPI_TYPESCRIPT = "--default-non-nullable=false --root-types --root-types-no-schema-prefix --root-types-keep-casing"
_DUNDER = "# made from openapi.yaml, not to be edited (`make clients`)\n"


def python_files() -> Iterator[tuple[Path, str]]:
    """Each generated file of the client in Python, and what is to stand in it."""
    description = yaml.load(SPEC.read_text(), yaml.CSafeLoader)
    yield (
        PYTHON / "types.py",
        _made([sys.executable, "-m", "datamodel_code_generator", "--input", SPEC, *_TYPES.split(), "--output"], ".py"),
    )
    calls = _formatted(python.calls(methods(description)))
    yield PYTHON / "_async_calls.py", calls
    yield PYTHON / "_calls.py", _formatted(python.synchronous(calls))
    client = (PYTHON / "_async_client.py").read_text()
    yield (
        PYTHON / "_client.py",
        _formatted(_DUNDER.replace("openapi.yaml", "_async_client.py") + python.synchronous(client)),
    )


def typescript_files() -> Iterator[tuple[Path, str]]:
    """The same for TypeScript. Raises FileNotFoundError where openapi-typescript is not installed."""
    description = yaml.load(SPEC.read_text(), yaml.CSafeLoader)
    yield TYPESCRIPT / "calls.ts", typescript.calls(methods(description))
    yield TYPESCRIPT / "types.ts", _made([GENERATOR, SPEC, *_OPENAPI_TYPESCRIPT.split(), "-o"], ".ts")


def _made(command: list[str | Path], suffix: str) -> str:
    """What a generator writes into the file that its command ends in."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"types{suffix}"
        subprocess.run([*command, file], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return file.read_text()


def _formatted(code: str) -> str:
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check", "--fix-only", "-q", "--select", "I,F401"], ["format", "-q"]):
        done = subprocess.run(
            [*ruff, *command, "--stdin-filename", PYTHON / "_made.py", "-"],
            input=code,
            text=True,
            check=True,
            capture_output=True,
        )
        code = done.stdout
    return code


def main() -> int:
    for path, text in python_files():
        path.write_text(text)
    if not GENERATOR.exists():
        print("NOT RENEWED: the types of the client in TypeScript: npm ci --prefix tests/clients", file=sys.stderr)
        return 1
    for path, text in typescript_files():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
