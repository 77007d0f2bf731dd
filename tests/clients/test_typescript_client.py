"""The client in TypeScript: whole matches over lines that break, every rule of sending again, and its page's examples."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.games import GAMES
from tests.clients.front import failing
from tests.clients.programs import HERE, KEY, MODULES, ROOT, run
from tests.service.process import Process
from tests.test_docs import check, examples, local

CLIENT = ROOT / "clients/typescript"
PACKAGE = '{"type": "module"}'
OPTIONS = {
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "exactOptionalPropertyTypes": True,
    "target": "es2022",
    "module": "nodenext",
    "types": ["node"],
}


@pytest.fixture(scope="module")
def programs(node: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client as it would be installed, and the programs that use it, all past the compiler."""
    place = tmp_path_factory.mktemp("typescript")
    installed = place / "node_modules/cardref-client"
    shutil.copytree(CLIENT, installed, ignore=shutil.ignore_patterns("node_modules", "dist"))
    assert run(node / "tsc", place=installed) == ""
    (place / "node_modules/@types").symlink_to(MODULES / "@types")
    (place / "package.json").write_text(PACKAGE)
    (place / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS, "include": ["*.ts"]}))
    shutil.copy(HERE / "told_match.ts", place)
    for number, example in enumerate(examples(CLIENT / "README.md", "typescript")):
        (place / f"example{number}.ts").write_text(example.code)
    assert run(node / "tsc", place=place) == ""
    return place


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_over_connections_that_are_cut(programs: Path, served: Process, game: str) -> None:
    with failing(served.url, cut=True) as front:
        said = json.loads(run("node", "told_match.js", front, KEY, game, place=programs))
    versions = [move["version"] for move in said["record"]["moves"]]
    assert versions == list(range(2, len(versions) + 2))
    assert said["last"] == [versions[-1]] * 3
    assert said["record"]["game"] == game
    assert said["record"]["outcome"]["winners"]
    assert list(dict.fromkeys(event["version"] for event in said["told"])) == [1, *versions]
    assert said["told"][-1]["type"] == "match_over"


def test_the_examples_of_its_page(programs: Path, live_url: str) -> None:
    shown = examples(CLIENT / "README.md", "typescript")
    assert len(shown) == 2
    for number, example in enumerate(shown):
        program = programs / f"example{number}.js"
        program.write_text(local(program.read_text(), live_url))
        check(example, run("node", program, place=programs))
