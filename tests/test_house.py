"""The order of the house: who may import whom, how long a file may be, what must not stand in a file."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError
from pathlib import Path

import pytest
import yaml

from service.contract import floor_plan, rooms
from tests.needs import without

ROOT = Path(__file__).parent.parent
HOUSE = ("engine", "solver", "service")
THIRD_PARTY_OF_THE_SOLVER = {"ortools", "numpy", "google"}  # google: OR-Tools' model is a protocol buffer
LONGEST = 250
# Which room of service/ imports which. It may import no other, and a line that nothing needs any more is to go.
ROOMS = {
    "__main__": {"app", "commands", "config", "contract", "process", "routes", "server", "stores", "use_cases"},
    "__init__": {"app", "config", "stores"},
    "commands": {"config", "json", "schemas", "stores", "use_cases"},
    "app": {"callers", "config", "http", "play", "process", "routes", "site", "solving", "stores", "use_cases"},
    "routes": {"callers", "contract", "hosted", "http", "json", "play", "problems", "process", "schemas", "site", "stores", "use_cases"},
    "play": {"schemas", "site"},
    "site": {"config", "contract", "http"},
    "server": {"config", "http"},
    "contract": {"callers", "config", "http", "json", "problems", "schemas"},
    "http": {"callers", "config", "json", "problems", "process", "schemas", "solving", "stores"},
    "use_cases": {"callers", "hosted", "json", "problems", "schemas", "solving", "stores"},
    "hosted": {"callers", "json", "problems", "schemas", "stores"},
    "config": {"callers"},
    "callers": {"stores"},
    "schemas": {"json", "problems", "stores"},
    "solving": {"problems", "process"},
    "stores": {"process"},
    "json": {"problems"},
    "problems": set(),
    "process": set(),
}  # fmt: skip
WITH_FLASK = {"__init__", "app", "http", "play", "routes", "server", "site"}
FILES = [path for part in HOUSE for path in sorted((ROOT / part).rglob("*.py"))]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[str]:
    """The first name of each absolute import, wherever in the file it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name(path)} imports relatively: absolute imports show who depends on whom"
            yield (node.module or "").partition(".")[0]


def tracked() -> list[Path]:
    """The files under version control, or, in a copy without it, all that would be."""
    program = shutil.which("git") or without("no git here, so what it would list was NOT checked")
    listed = subprocess.run([program, "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return [path for line in listed.stdout.split("\0") if line and (path := ROOT / line).is_file()]
    skipped = {".venv", "__pycache__", "build", "var", "node_modules"}
    return [path for path in ROOT.rglob("*") if path.is_file() and not skipped & set(path.parts)]


@pytest.mark.parametrize("path", FILES, ids=name)
def test_the_dependency_rule(path: Path) -> None:
    """service -> solver -> engine -> standard library."""
    part = path.relative_to(ROOT).parts[0]
    allowed = {
        "engine": {"engine"},
        "solver": {"solver", "engine", *THIRD_PARTY_OF_THE_SOLVER},
    }
    if part in allowed:
        assert set(imports(path)) - sys.stdlib_module_names <= allowed[part]
    else:
        assert not set(imports(path)) & {"tests", "bench", "ortools"}


def test_the_rooms_of_the_service_import_what_they_may_and_nothing_else() -> None:
    assert {name: set(others) for name, others in rooms.arrows().items()} == ROOMS


def test_no_room_stands_on_itself() -> None:
    floors = rooms.floors(rooms.arrows())  # raises where there is a circle
    assert all(floors[name] > floors[other] for name, others in ROOMS.items() for other in others)


def test_an_import_counts_wherever_in_a_file_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = tmp_path / "service"
    for room, code in {
        "hall": "def late():\n    from service.cellar.wine import red\n",
        "cellar": "import service.hall\n",
    }.items():
        (house / room).mkdir(parents=True)
        (house / room / "__init__.py").write_text('"""A room."""\n')
        (house / room / "code.py").write_text(code)
    monkeypatch.setattr(rooms, "HOUSE", house)
    for read in (rooms.rooms, rooms.arrows):
        monkeypatch.setattr(rooms, read.__name__, read.__wrapped__)  # what is remembered is of the real house
    assert rooms.arrows() == {"hall": {"cellar"}, "cellar": {"hall"}}
    with pytest.raises(CycleError):
        rooms.floors(rooms.arrows())


def test_flask_stays_where_http_is() -> None:
    found = {rooms.room_of(path) for path in rooms.files() if "flask" in imports(path)}
    assert found == WITH_FLASK


def test_every_folder_says_what_it_is_and_what_it_must_not_do() -> None:
    for room, said in rooms.rooms().items():
        if (rooms.HOUSE / room).is_dir():
            what, must_not = said.split("\n\n")
            assert what.endswith("."), room
            assert "ust " in must_not, room


def test_every_file_of_the_service_says_what_stands_in_it() -> None:
    assert [name(path) for path in rooms.files() if not rooms.said(path)] == []


def test_the_picture_has_every_room_above_all_that_it_imports() -> None:
    drawn = floor_plan.picture()
    down = {found[2]: int(found[1]) for found in re.finditer(r'class="name" x="\d+" y="(\d+)">(\w+)<', drawn)}
    assert down.keys() == ROOMS.keys()
    assert all(down[one] < down[other] for one, others in ROOMS.items() for other in others)


def test_the_use_cases_know_neither_flask_nor_metrics() -> None:
    """What the service does can be had without a server: the solvers' processes load it, too."""
    folder = ROOT / "service/use_cases"
    modules = [f"service.use_cases.{path.stem}" for path in folder.glob("*.py") if path.stem != "__init__"]
    assert modules
    program = f"import sys, {', '.join(modules)}; print({{'flask', 'prometheus_client'}} & sys.modules.keys())"
    loaded = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout == "set()\n"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_no_file_is_two(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_there_are_files_to_look_at() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(HOUSE)


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    places = re.compile(r"(?<![\w.])/(?:home|Users|root|work|mnt)/\w")
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:  # a picture
            continue
        found += [f"{name(path)}: {match[0]}" for match in places.finditer(text)]
    assert not found


def test_requirements_are_pinned_one_version_each() -> None:
    pinned: list[str] = []
    for file in ("requirements.txt", "requirements-docs.txt", "requirements-build.txt", "requirements-dev.txt"):
        for line in (ROOT / file).read_text().splitlines():
            if line and not line.startswith(("#", "-r ")):
                match = re.fullmatch(r"([a-z0-9._-]+)==[^;\s]+(;.*)?", line)
                assert match, f"{file}: {line}"
                pinned.append(match[1])
    assert len(pinned) == len(set(pinned))


def test_every_import_of_the_service_is_required() -> None:
    """What the house imports stands in requirements.txt, so that an image or `make run` without the tools has it."""
    listed = (ROOT / "requirements.txt").read_text().replace("-", "_").lower()
    distributions = {"google": "protobuf", "yaml": "pyyaml"}
    wanted = {module for path in FILES for module in imports(path)} - sys.stdlib_module_names - set(HOUSE)
    assert wanted
    for module in wanted:
        assert f"\n{distributions.get(module, module)}==" in listed


class TestCompose:
    """Its shape, for machines without docker compose to ask."""

    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]

    def test_the_service_waits_for_a_healthy_redis(self) -> None:
        assert self.services["cardref"]["depends_on"]["redis"]["condition"] == "service_healthy"
        assert all("test" in service["healthcheck"] for service in self.services.values())

    def test_redis_keeps_its_log_in_a_volume_and_never_evicts(self) -> None:
        command = self.services["redis"]["command"]
        said = dict(zip(command[1::2], command[2::2], strict=True))
        assert said == {"--appendonly": "yes", "--appendfsync": "everysec", "--maxmemory-policy": "noeviction"}
        assert self.services["redis"]["volumes"] == ["redis-data:/data"]

    def test_open_mode_stays_on_this_machine(self) -> None:
        assert all(port.startswith("127.0.0.1:") for port in self.services["cardref"]["ports"])
        assert "ports" not in self.services["redis"]


def test_the_image_runs_as_a_numeric_user_that_is_not_root() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users
    assert all(re.fullmatch(r"[1-9]\d*:[1-9]\d*", user) for user in users)
    assert [line for line in lines if line.startswith("CMD ")] == ['CMD ["python", "-m", "service"]']


def test_the_image_has_every_file_that_the_service_reads() -> None:
    """What the Dockerfile copies is let through, and all parts of the product are among it."""
    let_through = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        name
        for line in (ROOT / "Dockerfile").read_text().splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for name in line.split()[1:-1]
    }
    assert copied == let_through
    assert set(HOUSE) <= copied
