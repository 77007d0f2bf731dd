"""What one seat may know of a match (rules.md §1.6): built from what is open, never by hiding fields of the state."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.game import Hidden, Points, check_seat
from engine.match import rejoin_total
from engine.referee import is_pause
from engine.rummy.rules import RummyRules
from engine.rummy.state import Phase, RoundScore, State, Status, is_scored
from engine.standings import Share, Standing, split_shares


@dataclass(frozen=True, slots=True)
class SeenSeat:
    """A seat as the viewer sees it."""

    hand: tuple[Card, ...] | Hidden
    status: Status
    turns: int


@dataclass(frozen=True, slots=True)
class View:
    """A match as one seat, or with `viewer` None a spectator, sees it. Names are those of `State`.

    Open to all: the discard pile, the wild card, a card taken from the discard pile, and from the end of a round on the
    hands of the seats still in, with groupings and folded card in `last_round`. What left the round, the stock and the seed
    stay hidden. `to_move` is null for a spectator.

    How the match stands is open to all (§1.9): `standings`, the entries in the `pot`, who has `agreed` to split it, and between
    two rounds what a `split` would pay and the `rejoin_total` of seats that may come back (else null).
    """

    viewer: int | None
    to_move: bool | None
    rules: RummyRules
    shuffles: int
    round: int
    starter: int
    turn: int | None
    phase: Phase
    plies: int
    totals: tuple[Points, ...]
    standings: tuple[Standing, ...]
    pot: int
    agreed: tuple[int, ...]
    split: tuple[Share, ...] | None
    rejoin_total: Points | None
    last_round: RoundScore | None
    seats: tuple[SeenSeat, ...]
    stock: Hidden
    discard: tuple[Card, ...]
    wild_card: Card
    wild_rank: Rank | None
    taken: Card | None
    opening: bool
    removed: Hidden
    aborted: bool


def view(state: State, seat: int | None) -> View:
    """The match as `seat` sees it, or a spectator (None). Raises `Invalid` for a seat that does not exist."""
    check_seat(len(state.seats), seat)
    open_hands = is_scored(state)
    match, terms, pause = state.match, state.rules.terms, is_pause(state)
    return View(
        viewer=seat,
        to_move=None if seat is None else seat == state.turn,
        rules=state.rules,
        shuffles=state.shuffles,
        round=state.round,
        starter=state.starter,
        turn=state.turn,
        phase=state.phase,
        plies=state.plies,
        totals=state.totals,
        standings=state.standings,
        pot=match.pot,
        agreed=match.agreed,
        split=split_shares(match, terms) if pause else None,
        rejoin_total=rejoin_total(match, terms) if pause else None,
        last_round=state.last_round,
        seats=tuple(
            SeenSeat(
                player.hand if open_hands or number == seat else Hidden(len(player.hand)), player.status, player.turns
            )
            for number, player in enumerate(state.seats)
        ),
        stock=Hidden(len(state.stock)),
        discard=state.discard,
        wild_card=state.wild_card,
        wild_rank=state.wild_rank,
        taken=state.taken,
        opening=state.opening,
        removed=Hidden(len(state.removed)),
        aborted=state.aborted,
    )
