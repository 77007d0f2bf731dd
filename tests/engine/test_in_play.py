"""What a deal deals, every check of cards sent by themselves lets pass (rules.md §1.1, §2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.errors import TooFewCards
from engine.game import Game
from engine.games import GAMES
from engine.options import options, resolve
from engine.rummy import hands as rummy
from engine.rummy.deal import whole_deck as rummy_deck
from engine.swoop import hands as swoop
from engine.swoop.deal import whole_deck as swoop_deck
from engine.swoop.pile import SeenStack
from engine.swoop.state import Seat

DEALING = {
    "rummy": ("decks", "one_deck_up_to", "two_decks_up_to", "printed_jokers_per_deck", "printed_jokers"),
    "swoop": ("decks", "players_per_deck", "min_decks", "printed_jokers_per_deck", "hand_size", "stacks"),
}


def chosen(game: Game[Any, Any, Any]) -> st.SearchStrategy[Mapping[str, Any]]:
    """What a caller may send as rules, as far as it says what is dealt."""
    known = options(game.rules)
    values: dict[str, st.SearchStrategy[Any]] = {"preset": st.sampled_from([*game.rules.presets()])}
    for name in DEALING[game.name]:
        number = st.integers(known[name].minimum, known[name].maximum)
        values[name] = st.none() | number if known[name].nullable else number
    return st.fixed_dictionaries({}, optional=values).filter(
        lambda given: given.get("one_deck_up_to", 3) <= given.get("two_decks_up_to", 6)
    )


def dealt(game: Game[Any, Any, Any], rules: Any, data: st.DataObject) -> Any:
    seats, seed = data.draw(st.sampled_from(game.seats)), data.draw(st.binary(min_size=32, max_size=32))
    try:
        return game.deal(seats, rules, seed.hex(), None)[0]
    except TooFewCards:
        assume(False)


@given(st.data())
def test_rummy(data: st.DataObject) -> None:
    game = GAMES["rummy"]
    sent = data.draw(chosen(game))
    rules = resolve(game.rules, sent)
    state = dealt(game, rules, data)

    seats, whole = len(state.seats), [("", card) for card in rummy_deck(rules, len(state.seats))]
    rummy.check_round([("in", seat.hand) for seat in state.seats], None, False, rules)
    rummy.check_copies(whole, rummy.limits(rules, seats))
    rummy.check_copies(whole, rummy.limits(rules, jokers_given="printed_jokers_per_deck" in sent))


@given(st.data())
def test_swoop(data: st.DataObject) -> None:
    game = GAMES["swoop"]
    rules = resolve(game.rules, data.draw(chosen(game)))
    state = dealt(game, rules, data)

    seats, whole = len(state.seats), swoop_deck(rules, len(state.seats))
    swoop.check_round(rules, state.seats)
    swoop.check_round(rules, [Seat(whole, ()), *[Seat((), ())] * (seats - 1)])
    swoop.check_round(rules, [Seat(whole, ())])
    swoop.check_table(rules, (), whole, [SeenStack(None, None)], None)
    for seat in state.seats:
        swoop.check_table(rules, (), seat.hand, [SeenStack(one.guard, one.secret) for one in seat.stacks], None)


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_of_the_deal_is_drawn(name: str) -> None:
    """A rule that has to do with the number of cards must be among those drawn here."""
    known = options(GAMES[name].rules)
    assert {each for each in known if "deck" in each or "joker" in each} - {"exposed_joker"} <= set(DEALING[name])
