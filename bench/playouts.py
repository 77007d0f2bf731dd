"""Moves per second of random play through the contract that both games meet: ``python -m bench.playouts``.

`apply` is timed with the move already chosen (its check of legality included), play as a whole with `legal_moves`, the choice
and the deals in it. Fixed seeds, one process, the median of three runs in processor time.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from tqdm import tqdm

from bench.figures import Figure, table
from engine.cards import Card, Rank
from engine.game import Abort, Forfeit, Game
from engine.games import GAMES
from engine.options import resolve
from engine.rummy.arrangement import Arrangement
from engine.rummy.rules import RummyRules

RUNS = 3
MOVES = 40_000
BOUNDS = {"rummy": (30_000, 15_000), "swoop": (60_000, 15_000)}  # moves per second: apply, and play as a whole
SEATS = (2, 3, 4, 6)


class NoFolds:
    """An arranger that finds nothing: what is measured is the engine. Hands are scored as all loose, at no points."""

    def best(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        return Arrangement((), tuple(hand), 0, False)

    def declaration(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement | None:
        return None

    def folds(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Mapping[Card, Arrangement]:
        return {}


def choose(game: Game[Any, Any, Any], state: Any, rng: random.Random, arranger: Any) -> tuple[int | None, Any]:
    """A random legal move. The referee only deals on; packs are rare, for they end what is to be measured."""
    seat = game.to_move(state)
    moves = game.legal_moves(state, seat, arranger)
    if seat is None:
        return None, next(move for move in moves if not isinstance(move, Abort | Forfeit))
    move = rng.choice(moves)
    while move.type == "pack" and rng.random() < 0.95:
        move = rng.choice(moves)
    return seat, move


def matches(game: Game[Any, Any, Any], moves: int, rng: random.Random, arranger: Any) -> Iterator[Any]:
    """The states from which `choose` is asked, one after the other, over as many matches as it takes."""
    made = 0
    while made < moves:
        rules = resolve(game.rules)
        state, _ = game.deal(rng.choice(SEATS), rules, rng.randbytes(32).hex(), None)
        while made < moves and game.outcome(state) is None:
            seat, move = choose(game, state, rng, arranger)
            yield state, seat, move
            state, _ = game.apply(state, seat, move, arranger)
            made += 1


def measure(game: Game[Any, Any, Any], moves: int, seed: int) -> tuple[float, float]:
    """Moves per second of `apply` alone, and of random play as a whole."""
    arranger = NoFolds()
    positions = list(matches(game, moves, random.Random(seed), arranger))
    apply = game.apply
    start = time.process_time()
    for state, seat, move in positions:
        apply(state, seat, move, arranger)
    alone = time.process_time() - start
    del positions

    start = time.process_time()
    for _ in matches(game, moves, random.Random(seed), arranger):
        pass
    return moves / alone, moves / (time.process_time() - start)


def figures(moves: int = MOVES) -> Iterator[Figure]:
    """Two figures a game."""
    with tqdm(total=len(GAMES) * RUNS, desc="playouts", disable=not sys.stderr.isatty()) as progress:
        for name, game in GAMES.items():
            runs = []
            for run in range(RUNS):
                runs.append(measure(game, moves, run))
                progress.update()
            kinds = ("apply", "with legal_moves in the loop")
            for kind, speeds, bound in zip(kinds, zip(*runs, strict=True), BOUNDS[name], strict=True):
                yield Figure(f"playouts, {name}: {kind}", median(speeds), "/s", bound, at_least=True)


def main() -> None:
    """Moves per second of random play."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--moves", type=int, default=MOVES, help="moves in a run")
    print(table(figures(parser.parse_args().moves)))


if __name__ == "__main__":
    main()
