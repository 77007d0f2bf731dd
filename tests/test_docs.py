"""What the documents show is what happens: their examples are run, their links followed.

A page is README.md, any docs/*.md or a client's README.md. Its ``bash`` blocks that call curl run in order in one shell (so that a variable
set in one is there in the next) against a service of its own; its ``python`` blocks run each by itself, with the client at
hand; tests/clients run those in ``typescript``. Where a block
is followed by a ``json`` (or ``text``) block, that is its output. In shown JSON ``"…"`` stands for whatever is there:
as a value, as the last item of a list for all that follow, as a key for all other fields.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES
from engine.options import describe, options, resolve, to_json
from service.contract import floor_plan, generated_docs
from service.problems.codes import PROBLEMS
from tests.service.process import serving

ROOT = Path(__file__).parent.parent
CLIENTS = ROOT / "clients"
MANUAL = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md")), *sorted(CLIENTS.glob("*/README.md"))]
PAGES = [*MANUAL, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
WHATEVER = "…"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Example:
    language: str
    code: str
    output_language: str
    output: str


def examples(page: Path, *languages: str) -> list[Example]:
    """The blocks of a page that are run, each with the output shown for it (empty: none): those in these languages, or else what this
    file runs."""
    blocks = [*BLOCK.findall(page.read_text()), ("", "")]
    found = []
    for (language, code), (next_language, next_code) in pairwise(blocks):
        mine = language == "python" or (language == "bash" and "curl " in code)
        if language in languages or (mine and not languages):
            shown = next_language in ("json", "text")
            found.append(Example(language, code, next_language if shown else "", next_code if shown else ""))
    return found


def called(page: Path) -> str:
    return page.name if page.parent in (ROOT, ROOT / "docs") else f"{page.parent.name}/{page.name}"


def matches(shown: Any, real: Any) -> bool:
    """Whether a real JSON value is what the page shows, with ``"…"`` for whatever is there."""
    if shown == WHATEVER:
        return True
    if isinstance(shown, dict) and isinstance(real, dict):
        named = {key: value for key, value in shown.items() if key != WHATEVER}
        complete = WHATEVER in shown or named.keys() == real.keys()
        return complete and all(key in real and matches(value, real[key]) for key, value in named.items())
    if isinstance(shown, list) and isinstance(real, list):
        if shown and shown[-1] == WHATEVER:
            shown, real = shown[:-1], real[: len(shown) - 1]
        return len(shown) == len(real) and all(map(matches, shown, real))
    return type(shown) is type(real) and bool(shown == real)


def check(example: Example, output: str) -> None:
    if example.output_language == "json":
        shown, real = json.loads(example.output), json.loads(output)
        assert matches(shown, real), f"{example.code}\nanswers\n{json.dumps(real, ensure_ascii=False)}"
    elif example.output:
        assert output.strip() == example.output.strip(), example.code


def run_shell(blocks: list[Example], url: str, place: Path) -> list[str]:
    """The output of each block, all run in one shell in the directory `place`."""
    (place / "curl").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT / "tests/curl.py"}" "$@"\n')
    (place / "curl").chmod(0o755)
    outputs = [place / f"output-{number}" for number in range(len(blocks))]
    script = "".join(
        f"exec >{path.name}\n{local(block.code, url)}\n" for block, path in zip(blocks, outputs, strict=True)
    )
    run(
        ["bash", "-euo", "pipefail", "-c", script],
        place,
        {"PATH": f"{place}:{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )
    return [path.read_text() for path in outputs]


def run(command: list[str], place: Path, env: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=place, env={**os.environ, **env}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{command[-1]}\n{done.stdout}{done.stderr}"
    return done.stdout


def local(code: str, url: str) -> str:
    """The code with the address of `make run` replaced by that of the service under test."""
    return re.sub(r"(http://)?(localhost|127\.0\.0\.1):8000", url, code)


@pytest.mark.parametrize("page", [page for page in MANUAL if examples(page)], ids=called)
def test_a_pages_examples_do_what_it_shows(page: Path, live_url: str, tmp_path: Path) -> None:
    found = examples(page)
    shell = [example for example in found if example.language == "bash"]
    for example, output in zip(shell, run_shell(shell, live_url, tmp_path), strict=True):
        check(example, output)
    for example in found:
        if example.language == "python":
            client = {"PYTHONPATH": str(CLIENTS / "python")}
            check(example, run([sys.executable, "-c", local(example.code, live_url)], tmp_path, client))


def test_the_readmes_way_to_a_key(tmp_path: Path) -> None:
    """Two terminals in one folder: what the first tells the service lets the second in."""
    first, second = [code for language, code in BLOCK.findall((ROOT / "README.md").read_text()) if "shop.key" in code]
    told = run(["bash", "-euc", first.replace("make run", 'printf %s "$CARDREF_API_KEYS"')], tmp_path, {})
    with serving(tmp_path, CARDREF_API_KEYS=told) as served:
        for code, answer in ((second, "points"), (second.replace("Bearer $(", "Bearer x$("), "code")):
            (output,) = run_shell([Example("bash", code, "", "")], served.url, tmp_path)
            assert answer in json.loads(output)


def test_the_readme_has_examples_in_both_languages() -> None:
    shown = [example for example in examples(ROOT / "README.md") if example.output]
    assert {example.language for example in shown} == {"bash", "python"}


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "…": "…"}, {"a": 1, "b": 2}, True),
        ({"a": "…"}, {}, False),
        ({"a": "…"}, {"a": [1]}, True),
        ([1, "…"], [1, 2, 3], True),
        ([1, "…"], [], False),
        ([1], [1, 2], False),
        (1, True, False),
        ("x", "y", False),
    ],
)
def test_shown_json_matches_only_what_it_says(shown: Any, real: Any, same: bool) -> None:
    assert matches(shown, real) is same


@pytest.mark.parametrize("page", PAGES, ids=called)
def test_links_lead_somewhere(page: Path) -> None:
    prose = BLOCK.sub("", page.read_text())
    for target in LINK.findall(prose):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            file = page.parent / path if path else page
            assert file.exists(), f"{page.name} links to {target}"
            assert not anchor or anchor in anchors(file), f"{page.name} links to {target}"


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives a page's headings."""
    titles = re.findall(r"^#+ (.*)$", BLOCK.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_make_target_the_pages_name_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {name for page in PAGES for name in re.findall(r"`make ([a-z]+)", page.read_text())}
    assert named <= targets


@pytest.mark.parametrize("page", generated_docs.pages(), ids=lambda page: page.name)
def test_what_is_made_from_the_code_is_not_stale(page: Path) -> None:
    text = page.read_text()
    assert generated_docs.renewed(text) == text, f"{page.name} is stale: make docs"


def test_the_picture_of_the_rooms_is_not_stale() -> None:
    assert floor_plan.FILE.read_text() == floor_plan.picture(), "docs/architecture.svg is stale: make docs"


def test_a_stale_part_is_renewed() -> None:
    part = "<!-- made from: options rummy 1.5 -->\n{}<!-- end -->\n"
    fresh = generated_docs.renewed(part.format("old\n"))
    assert fresh == part.format(generated_docs.options("rummy", "1.5"))
    assert "`pack_first`" in fresh


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_has_every_option_once(game: str) -> None:
    page = (ROOT / "docs/rules.md").read_text()
    sections = dict.fromkeys(field["section"] for field in describe(GAMES[game].rules)["fields"])
    for section in sections:
        assert page.count(f"<!-- made from: options {game} {section} -->") == 1


def test_the_readings_name_what_house_does() -> None:
    """Each option of the table of readings exists, and stands there with the value that `house` gives it."""
    table = (ROOT / "docs/rules.md").read_text().split("## Readings we chose")[1].split("## Cards")[0]
    rows = [row.split("|") for row in table.splitlines() if "§" in row]
    for row in rows:
        house = to_json(resolve(GAMES["rummy" if "§1" in row[4] else "swoop"].rules))
        named = re.findall(r"`([a-z_]+)(?:: ([^`]+))?`", row[3])
        assert named or row[3].strip() == "none", row
        for name, value in named:
            assert name in house
            assert not value or json.loads(value) == house[name], name
    assert len(rows) == 15


def test_every_value_of_the_indian_preset_in_prose_is_its_own() -> None:
    prose = (ROOT / "docs/rules.md").read_text().split("### 1.8")[1].split("## 2.")[0].split("`house` has")[0]
    indian = to_json(resolve(GAMES["rummy"].rules, "indian"))
    fields = options(GAMES["rummy"].rules)
    named = re.findall(r"`([a-z_]+): ([^`]+)`", prose)
    assert len(named) >= 12
    for name, value in named:
        assert (value if fields[name].kind == "choice" else json.loads(value)) == indian[name], name


def test_every_code_of_the_engine_is_documented() -> None:
    """The codes that the engine can give are those of the tables of docs/errors.md, no more and no fewer."""
    page = (ROOT / "docs/errors.md").read_text()
    documented = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    given = set()
    for path in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("Violation", "Fault")
            ):
                code = node.args[0]
                assert isinstance(code, ast.Constant), f"{path}: a code must be written where it is given"
                given.add(code.value)
    assert given == documented - PROBLEMS.keys()
