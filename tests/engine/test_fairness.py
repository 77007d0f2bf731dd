"""docs/fairness.md is exact: docs/verify_shuffle.js, written from it, does the engine's shuffles, and its deals are ours."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engine import shuffling
from engine.cards import deck, in_order
from engine.games import GAMES
from engine.options import resolve
from engine.rummy.rules import RummyRules
from engine.swoop.rules import SwoopRules
from tests.needs import without

DOCS = Path(__file__).parents[2] / "docs"
SEED = "0" * 63 + "1"


def node_or_skip() -> str:
    """The programme; without it the document cannot be checked."""
    return shutil.which("node") or without("no Node here, so docs/verify_shuffle.js was NOT checked against the engine")


def node(*arguments: str) -> list[str]:
    """The lines that docs/verify_shuffle.js prints."""
    return subprocess.run(
        [node_or_skip(), str(DOCS / "verify_shuffle.js"), *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.splitlines()


def test_the_script_shuffles_as_the_engine_does() -> None:
    rng = random.Random(20260101)
    for size in (0, 1, 2, 3, 13, 52, 54, 106, 162, 312):
        for label in ("rummy/0", "swoop/7", "swoop/starter"):
            seed = rng.randbytes(32).hex()
            cards = deck(6, 24)[-size:] if size else ()
            commitment, order = node(seed, label, *cards)

            assert commitment == shuffling.commitment(seed)
            assert order.split() == list(shuffling.shuffle(seed, label, cards))


@pytest.mark.parametrize("seats", range(2, 9))
def test_the_starter_is_the_last_of_a_shuffle(seats: int) -> None:
    for game in ("rummy", "swoop"):
        seed = random.Random(f"{game}{seats}").randbytes(32).hex()
        _, order = node(seed, f"{game}/starter", *map(str, range(seats)))
        state, _ = GAMES[game].deal(seats, resolve(GAMES[game].rules), seed, None)

        assert state.starter == int(order.split()[-1])


@pytest.mark.parametrize(("seats", "starter", "preset"), [(2, 0, "house"), (3, 2, "house"), (5, 1, "classic")])
def test_a_swoop_deal_from_the_description(seats: int, starter: int, preset: str) -> None:
    rules = resolve(SwoopRules, preset)
    _, order = node(SEED, "swoop/0", *deck(*rules.in_play(seats)))
    state, _ = GAMES["swoop"].deal(seats, rules, SEED, starter)

    cards = order.split()
    round_of = [(starter + step) % seats for step in range(seats)]
    hands: list[list[str]] = [[] for _ in range(seats)]
    for _ in range(rules.hand_size):
        for seat in round_of:
            hands[seat].append(cards.pop())
    secrets: list[list[str]] = [[] for _ in range(seats)]
    guards: list[list[str]] = [[] for _ in range(seats)]
    for zone in (secrets, guards):
        for _ in range(rules.stacks):
            for seat in round_of:
                zone[seat].append(cards.pop())

    for number, seat in enumerate(state.seats):
        assert sorted(seat.hand) == sorted(hands[number])
        assert list(seat.hand) == list(in_order(seat.hand))
        assert [stack.secret for stack in seat.stacks] == secrets[number]
        assert [stack.guard for stack in seat.stacks] == guards[number]
    assert list(state.set_aside) == cards


@pytest.mark.parametrize(("seats", "starter"), [(2, 1), (4, 2), (7, 0)])
def test_a_rummy_deal_from_the_description(seats: int, starter: int) -> None:
    rules = resolve(RummyRules)
    _, order = node(SEED, "rummy/0", *deck(*rules.in_play(seats)))
    state, _ = GAMES["rummy"].deal(seats, rules, SEED, starter)

    cards = order.split()
    hands: list[list[str]] = [[] for _ in range(seats)]
    for _ in range(13):
        for step in range(seats):
            hands[(starter + step) % seats].append(cards.pop())
    while cards[-1] == "JK":
        cards.insert(0, cards.pop())

    assert [sorted(seat.hand) for seat in state.seats] == [sorted(hand) for hand in hands]
    assert state.wild_card == cards.pop()
    assert state.discard == (cards.pop(),)
    assert list(state.stock) == cards


def test_the_second_deal_has_the_next_label() -> None:
    game = GAMES["swoop"]
    state, _ = game.deal(2, resolve(game.rules, {"max_plies": 1}), SEED, 0)
    state, _ = game.apply(state, 0, game.legal_moves(state, 0, None)[0], None)
    state, _ = game.apply(state, None, game.legal_moves(state, None, None)[0], None)
    _, order = node(SEED, "swoop/1", *deck(1, 0))

    assert list(state.set_aside) == order.split()[: len(state.set_aside)]
    assert state.starter == 1


def test_the_example_on_the_page() -> None:
    shown = re.search(
        r"```console\n\$ node docs/verify_shuffle\.js (.+)\n((?:.+\n)+)```", (DOCS / "fairness.md").read_text()
    )
    assert shown

    assert node(*shown[1].split()) == shown[2].splitlines()


def test_the_script_refuses_what_is_no_seed() -> None:
    program = node_or_skip()
    for arguments in ([], ["00"], [SEED.upper() + "0", "x"], [SEED]):
        done = subprocess.run([program, str(DOCS / "verify_shuffle.js"), *arguments], capture_output=True, text=True)

        assert done.returncode == 2
        assert "usage" in done.stderr
