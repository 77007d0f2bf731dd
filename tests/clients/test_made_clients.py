"""What both clients take from openapi.yaml is not stale, and the client in Python can be installed and is typed."""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.clients.programs import ROOT, run
from tools.clients import renew
from tools.clients.calls import methods
from tools.clients.python import synchronous

Files = Callable[[], Iterator[tuple[Path, str]]]


def check(files: Files) -> None:
    stale = [path.relative_to(ROOT).as_posix() for path, text in files() if path.read_text() != text]
    assert not stale, f"stale: {', '.join(stale)}; `make clients` renews them (npm ci --prefix tests/clients, once)"


def test_the_client_in_python_is_not_stale() -> None:
    check(renew.python_files)


@pytest.mark.usefixtures("node")
def test_the_client_in_typescript_is_not_stale() -> None:
    check(renew.typescript_files)


def test_a_stale_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "calls.py").write_text("old")
    with pytest.raises(ValueError, match="not in the subpath"):
        check(lambda: iter([(tmp_path / "calls.py", "new")]))


def test_a_module_for_asynchronous_callers_becomes_one_for_others() -> None:
    code = "async def f(x: AsyncClient) -> None:\n    async for y in x:\n        await y\n"
    assert synchronous(code) == "def f(x: Client) -> None:\n    for y in x:\n        y\n"


def test_a_body_without_a_name_is_no_call() -> None:
    answer = {"200": {"content": {"application/json": {"schema": {"type": "object"}}}}}
    said = {"operationId": "ask", "summary": "Ask", "responses": answer}
    with pytest.raises(KeyError):
        list(methods({"paths": {"/ask": {"get": said}}}))


USE = """
from cardref_client import Cardref, types

def plays(app: Cardref, id: str) -> types.Move:
    for position in app.watch(id):
        for event in position.events:
            if event["type"] == "discarded":
                reveal_type(event["card"])
            elif event["type"] == "picked_up":
                reveal_type(event["cards"])
    made = app.make_move(id, {"move": {"type": "discard", "card": "2C"}}, version=1)
    if made["game"] == "rummy":
        reveal_type(made["view"]["wild_card"])
    app.make_move(id, {"move": {"type": "discard", "crad": "2C"}}, version=1)
    return {"type": "play", "hand": ["2C"], "guards": []}
"""


def test_it_can_be_installed_and_a_type_checker_knows_every_card(tmp_path: Path) -> None:
    """Into an environment of its own, without a network: what it needs besides is borrowed from this one."""
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "-q", "--no-deps", "--no-index", "--no-build-isolation", "-w", tmp_path, ROOT / "clients/python")
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv")
    python = tmp_path / "venv/bin/python"
    (wheel,) = tmp_path.glob("cardref_client-*.whl")
    run(*pip, "--python", python, "install", "-q", "--no-deps", "--no-index", wheel)
    borrowed = {"PYTHONPATH": sysconfig.get_path("purelib")}
    where = run(python, "-c", "import cardref_client; print(cardref_client.__file__)", place=tmp_path, **borrowed)
    assert Path(where).is_relative_to(tmp_path / "venv")
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n")
    checking = ("--config-file", "mypy.ini", "--python-executable", python, "use.py")
    said = fails(sys.executable, "-m", "mypy", *checking, place=tmp_path)
    assert re.findall(r'Revealed type is (".*?")', said) == ['"str"', '"list[str]"', '"str"'], said
    errors = [line for line in said.splitlines() if "error:" in line]
    assert len(errors) == 1, said
    assert errors[0].startswith("use.py:14:")


def fails(*command: str | Path, place: Path) -> str:
    with pytest.raises(AssertionError) as failed:
        run(*command, place=place)
    return str(failed.value)
