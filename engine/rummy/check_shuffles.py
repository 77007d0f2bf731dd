"""How often the cards can have been shuffled by the time of a state: by deals, by hands put under the stock, by reshuffles of
the discard pile (rules.md §1.1, §1.4, §1.5).

Deals and packs are counted; of reshuffles only so many fit in. Before each draw, stock and discard pile hold together what
the deal left of them, the hands put under, and no more: a seat that leaves with fourteen cards takes one away. So a reshuffle
turns over all of these but the top card, and the next comes no sooner than they are drawn. Hands go under the stock in the
first lap only, which is too short for a reshuffle.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Flaw
from engine.rummy.deal import whole_deck
from engine.rummy.rules import HAND_SIZE, RummyRules
from engine.rummy.state import State, is_scored, round_turns, was_dealt


def shuffle_flaws(state: State) -> Iterator[Flaw]:
    """What is wrong with the number of shuffles of a state that is else in order."""
    rules, seats = (
        state.rules,
        len(state.seats),
    )  # fewer that are dealt to leave a larger stock, and turn it over less often
    under = _under(rules, [seat.status for seat in state.seats])
    least, most = under, under + _reshuffles_so_far(state, under)
    rounds_before = state.round - 1
    last = state.last_round
    if last is not None and not is_scored(state):  # of the round before, who packed is known
        packed = _under(rules, [result.reason for result in last.results])
        dealt = sum(result.reason != "not_dealt" for result in last.results)
        least += packed
        most += packed + (0 if last.first_turn else _most_reshuffles(rules, seats, dealt, packed))
        rounds_before -= 1
    most += rounds_before * _most_in_a_round(rules, seats)
    least, most = least + state.round, most + state.round
    if not least <= state.shuffles <= most:
        wanted = f"must be {least}" if least == most else f"must be from {least} to {most}"
        yield Flaw("/shuffles", f"{wanted}: one a deal, one a hand put under the stock, one a reshuffle")


def _under(rules: RummyRules, statuses: list[str]) -> int:
    """How many hands were put under the stock."""
    return statuses.count("packed_first") if rules.first_pack_under_stock else 0


def _stock(rules: RummyRules, seats: int, dealt: int) -> int:
    """The cards that a deal to some of the seats leaves in the stock, beside the wild card and the first discard."""
    return len(whole_deck(rules, seats)) - HAND_SIZE * dealt - 2


def _reshuffles_so_far(state: State, under: int) -> int:
    """The most reshuffles in the round of the state."""
    if state.opening:  # the card that started the discard pile has not been turned over
        return 0
    seats = [seat for seat in state.seats if was_dealt(seat)]
    out = [seat.status for seat in seats if seat.status != "in"]
    fold = state.last_round.fold if state.last_round is not None and is_scored(state) else None
    fourteenths = len(state.removed) - (fold is not None) - HAND_SIZE * (len(out) - under)  # gone with their seats
    holding = sum(len(seat.hand) > HAND_SIZE for seat in seats)
    # every turn but a pack draws; a second move follows, unless the seat left before or is still to make it
    draws = state.plies - round_turns(state) + holding + fourteenths - out.count("penalised")
    begun_with = _stock(state.rules, len(state.seats), len(seats)) + HAND_SIZE * under
    turned_over = begun_with - min(fourteenths, len(seats) - 2)  # as long as two are left to play on
    return max(0, draws + len(state.stock) - begun_with) // turned_over


def _most_reshuffles(rules: RummyRules, seats: int, dealt: int, under: int) -> int:
    """The most reshuffles in a round of which only the hands put under the stock are known."""
    in_play = dealt - under
    if in_play < 2:
        return 0
    turned_over = _stock(rules, seats, dealt) + HAND_SIZE * under - (in_play - 2)
    return (rules.max_turns - 1) // turned_over


def _most_in_a_round(rules: RummyRules, seats: int) -> int:
    """The most shuffles in a round of which nothing is known, without its deal."""
    packed = range(seats if rules.first_pack_under_stock else 1)
    return max(under + _most_reshuffles(rules, seats, seats, under) for under in packed)
