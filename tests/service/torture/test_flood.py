"""A short form of `bench.flood`: what a flood does to the answers, not how long they take."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from bench.flood import BATCHES, SINGLE, flooding_player, health_player
from bench.http import rummy_player, serving
from bench.load import Player, run
from tests.servers import free_port

CALLS = 4  # beside the flood
AT_MOST = 60.0  # seconds, should the machine be busy


@pytest.mark.torture
def test_a_flood_of_slow_hands_keeps_nobody_from_cheap_calls(tmp_path: Path) -> None:
    port, ended = free_port(), Event()
    settings = {"CARDREF_PORT": str(port), "CARDREF_WORKERS": "1", "CARDREF_DATA": str(tmp_path / "data")}
    with (
        serving(["-m", "service"], port, **settings, CARDREF_DRAIN_SECONDS="0", CARDREF_LOG="errors"),
        ThreadPoolExecutor(1) as pool,
    ):
        flood = pool.submit(
            run, port, _while(flooding_player, lambda _: not ended.is_set()), BATCHES + SINGLE, AT_MOST, 0
        )
        try:
            for player, status in ((health_player, 200), (rummy_player, 201)):
                few = _while(player, lambda answered: answered < CALLS)
                assert set(run(port, few, 1, AT_MOST, warm_up=0).statuses) == {status}
        finally:
            ended.set()
        assert set(flood.result().statuses) <= {200, 429, 503}


def _while(player: Callable[[int], Player], more: Callable[[int], bool]) -> Callable[[int], Player]:
    """The same players, as long as there shall be more after so many answers."""

    def playing(number: int) -> Player:
        playing = player(number)
        asked, answered = next(playing), 0
        while more(answered):
            asked = playing.send((yield asked))
            answered += 1

    return playing
