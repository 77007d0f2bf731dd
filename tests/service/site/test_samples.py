"""Every sample of the reference is run as printed, in each language, against a service with keys and one without."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from jsonschema import Draft202012Validator

from service.contract import openapi
from service.http.operation import Operation
from service.routes import OPERATIONS
from service.site import recipes, samples
from tests.needs import without
from tests.service.site.conftest import KEY

ROOT = Path(__file__).parents[3]
SPEC: dict[str, Any] = openapi.document(OPERATIONS)
MARK = "-- next --"


@pytest.fixture(scope="session")
def described(served: tuple[str, bool]) -> dict[str, Any]:
    """The description as the reference shows it."""
    with urlopen(f"{served[0]}/docs/reference.json", timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def printed(described: dict[str, Any], label: str, url: str) -> list[tuple[Operation, str]]:
    """Each call's sample in a language, with the address that the page puts in."""
    found = []
    for operation in OPERATIONS:
        shown = described["paths"][operation.path][operation.method.lower()]["x-codeSamples"]
        text = next(sample["source"] for sample in shown if sample["label"] == label)
        found.append((operation, text.replace(samples.ADDRESS, url)))
    return found


def check(operation: Operation, output: str) -> None:
    """The output is what a call that succeeds answers."""
    call = SPEC["paths"][operation.path][operation.method.lower()]
    content = call["responses"][str(operation.status)].get("content", {})
    if operation.method == "DELETE":
        assert output.strip() in ("", "204")
    elif "application/json" in content:
        answer = json.loads(output)
        schema = {**content["application/json"]["schema"], "components": SPEC["components"]}
        errors = [error.message[:300] for error in Draft202012Validator(schema).iter_errors(answer)]
        assert not errors, f"{operation.method} {operation.path}: {errors} {output[:500]}"
        assert "request_id" not in answer, output
    elif operation.answer is bytes:
        assert output.strip() in ("", "200")
    else:
        assert output.strip()
        assert '"request_id"' not in output


def environment(keyed: bool) -> dict[str, str]:
    return {**os.environ, **({samples.KEY: KEY} if keyed else {})}


def test_in_the_shell(served: tuple[str, bool], described: dict[str, Any], tmp_path: Path) -> None:
    shutil.which("jq") or without("no jq here, so the samples for the shell were NOT run")
    shell = shutil.which("bash") or without("no bash here, so the samples for the shell were NOT run")
    path = os.environ["PATH"]
    if not shutil.which("curl"):
        (tmp_path / "curl").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT / "tests/curl.py"}" "$@"\n')
        (tmp_path / "curl").chmod(0o755)
        path = f"{tmp_path}:{path}"
    url, keyed = served
    shown = printed(described, "curl", url)
    script = f"\necho; echo '{MARK}'\n".join(text for _, text in shown)
    done = subprocess.run(
        [shell, "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={**environment(keyed), "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    for (operation, _), output in zip(shown, done.stdout.split(f"\n{MARK}\n"), strict=True):
        check(operation, output)
    assert (tmp_path / "groupings.png").read_bytes().startswith(b"\x89PNG")


def test_in_python(served: tuple[str, bool], described: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    url, keyed = served
    if keyed:
        monkeypatch.setenv(samples.KEY, KEY)
    for operation, text in printed(described, "Python", url):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(text, operation.path, "exec"), {})
        output = out.getvalue()
        as_json = operation.media_type == "application/json" and operation.method != "DELETE"
        check(operation, json.dumps(ast.literal_eval(output)) if as_json else output)


def test_in_typescript(served: tuple[str, bool], described: dict[str, Any], tmp_path: Path) -> None:
    """The samples say no type, so they are JavaScript as well, which any Node runs."""
    node = shutil.which("node") or without("no Node here, so the samples in TypeScript were NOT run")
    url, keyed = served
    shown = printed(described, "TypeScript", url)
    for number, (_, text) in enumerate(shown):
        (tmp_path / f"{number}.mjs").write_text(text)
    (tmp_path / "all.mjs").write_text(
        "const said = console.log;\n"
        "console.dir = (value) => said(JSON.stringify(value));\n"
        f"for (let number = 0; number < {len(shown)}; number++) {{\n"
        f"  if (number) said('{MARK}');\n"
        "  await import(`./${number}.mjs`);\n}\n"
    )
    done = subprocess.run(
        [node, "all.mjs"],
        cwd=tmp_path,
        env=environment(keyed),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    for (operation, _), output in zip(shown, done.stdout.split(f"{MARK}\n"), strict=True):
        check(operation, output)


def test_a_key_is_shown_where_one_is_asked_for(served: tuple[str, bool], described: dict[str, Any]) -> None:
    _, keyed = served
    for operation in OPERATIONS:
        call = described["paths"][operation.path][operation.method.lower()]
        names = {name for need in call["security"] for name in need}
        assert ("app" in names) == (keyed and operation.needs_caller)
        assert ({} in call["security"]) == (not keyed and bool(operation.guard)) or not operation.needs_caller
        for sample in call["x-codeSamples"]:
            assert (samples.KEY in sample["source"]) == (keyed and operation.needs_caller)


def test_every_part_of_every_path_is_known() -> None:
    """A new call whose path has other parts, or whose body has no example, needs a line in the recipes."""
    for operation in OPERATIONS:
        steps = recipes.recipe(operation)
        assert steps[-1].method == operation.method
        assert not re.search(r"[{}]", "".join(part for part in steps[-1].path if isinstance(part, str)))
