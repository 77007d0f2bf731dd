"""How long other calls take while the solver is flooded: ``python -m bench.flood``.

One worker with eight threads and a SQLite store. The flood: as many long batches of the slowest hands that are known as
connections send (most are 429: only so many are solved at once), and such hands one by one. Beside it one connection asks for
/healthz, and one plays rummy.
"""

from __future__ import annotations

import itertools
import json
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.figures import Figure, setting, table
from bench.http import rummy_player, serving
from bench.load import Load, Player, request, run
from tests.servers import free_port

SECONDS = 6.0
BATCHES, SINGLE = 6, 4  # connections of the flood
ROWS = json.loads((Path(__file__).parent.parent / "tests/cases/slow-hands.json").read_text(encoding="utf-8"))


def flooding_player(number: int) -> Player:
    """Long batches from the first connections, single hands from the others."""
    size, path = (500, "/v1/rummy/groupings/batch") if number < BATCHES else (1, "/v1/rummy/groupings")
    rows = itertools.cycle(ROWS)
    while True:
        first = next(rows)
        hands = [row["hand"] for row in itertools.islice(rows, size)]
        asked = {"hands": hands} if size > 1 else {"hand": hands[0]}
        yield request(
            "POST", path, json.dumps({**asked, "wild_rank": first["wild_rank"], "rules": first["rules"]}).encode()
        )


def health_player(number: int) -> Player:
    """The cheapest call."""
    del number
    while True:
        yield request("GET", "/healthz")


def figures() -> Iterator[Figure]:
    """Both calls alone, and in the flood."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        settings = {"CARDREF_PORT": str(port), "CARDREF_WORKERS": "1", "CARDREF_DATA": folder, "CARDREF_LOG": "errors"}
        with serving(["-m", "service"], port, **settings):
            for name, player in (("GET /healthz", health_player), ("POST moves (SQLite)", rummy_player)):
                alone, (beside, flood) = run(port, player, 1, SECONDS), _in_the_flood(port, player)
                yield Figure(f"{name}: p50 alone", alone.p50, "ms")
                yield Figure(f"{name}: p50 while the solver is flooded", beside.p50, "ms")
                yield Figure(f"{name}: p99 while the solver is flooded", beside.p99, "ms")
                yield Figure(f"{name}: calls of the flood answered a second", flood.rate, "/s")


def _in_the_flood(port: int, player: Callable[[int], Player]) -> tuple[Load, Load]:
    floods: list[Load] = []
    thread = threading.Thread(target=lambda: floods.append(run(port, flooding_player, BATCHES + SINGLE, SECONDS + 1)))
    thread.start()
    beside = run(port, player, 1, SECONDS, warm_up=1.0)
    thread.join()
    return beside, floods[0]


if __name__ == "__main__":
    print(f"{setting()}\n{table(figures())}")
