"""Moves per second of random play through the contract that both games meet: ``python -m bench.playouts``.

`apply` is timed with the move already chosen (its check of legality included), `loop` with `legal_moves` and the choice in
it. Fixed seeds, one process; the best of three runs, for others share the machine.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tqdm import tqdm

from engine.cards import Card, Rank
from engine.game import Abort, Forfeit, Game
from engine.games import GAMES
from engine.options import resolve
from engine.rummy.arrangement import Arrangement
from engine.rummy.rules import RummyRules

RUNS = 3
SEATS = (2, 3, 4, 6)


class NoFolds:
    """An arranger that finds nothing: what is measured is the engine. Hands are scored as all loose, at no points."""

    def best(self, hand: Sequence[Card], wild_rank: Rank | None, rules: RummyRules) -> Arrangement:
        return Arrangement((), tuple(hand), 0, False)

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
    start = time.perf_counter()
    for state, seat, move in positions:
        apply(state, seat, move, arranger)
    alone = time.perf_counter() - start
    del positions

    start = time.perf_counter()
    for _ in matches(game, moves, random.Random(seed), arranger):
        pass
    return moves / alone, moves / (time.perf_counter() - start)


def main() -> None:
    """Print one line a game."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--moves", type=int, default=50_000, help="moves in a run")
    moves: int = parser.parse_args().moves
    progress = tqdm(total=len(GAMES) * RUNS, desc="playouts", disable=not sys.stderr.isatty())
    print(f"{'game':<8}{'apply/s':>12}{'with legal_moves/s':>22}")
    for name, game in GAMES.items():
        best = [0.0, 0.0]
        for run in range(RUNS):
            best = [max(pair) for pair in zip(best, measure(game, moves, run), strict=True)]
            progress.update()
        print(f"{name:<8}{best[0]:>12,.0f}{best[1]:>22,.0f}")
    progress.close()


if __name__ == "__main__":
    main()
