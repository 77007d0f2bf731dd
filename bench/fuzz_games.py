"""Random matches of every game against the laws: ``python -m bench.fuzz_games 5000``.

Rules, seats and moves are random; some rummy deals are near a full grouping. At one position in ten every law of
tests/engine/laws.py is tested, at all of them conservation and the check of the state, for each match the replay. What
happened is counted. Match number n of a seed is always the same: a failure names it, and ``--only n`` plays it again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tqdm import tqdm

from engine.games import GAMES
from solver.solve import SolverArranger
from tests.engine.laws import play_match
from tests.engine.registry import HABITS

MATCHES = 5_000
DEPTH = 0.1
WANTED = {
    "rummy": (
        *("declared", "reshuffled", "packed_first", "packed_later", "penalised"),
        *("eliminated", "rejoined", "withdrawn"),
    ),
    "swoop": ("cleared by ten", "cleared by four", "picked_up", "flipped", "went_out", "withdrawn"),
}
AT_LEAST = 500

Job = tuple[str, int, int]
Done = tuple[Job, Counter[str], str | None]


def one_match(job: Job) -> Done:
    """Play the match of a job; what happened, and the error of a broken law."""
    game, seed, number = job
    seen: Counter[str] = Counter()
    try:
        rng = random.Random(f"{game} {seed}/{number}")
        count(play_match(GAMES[game], HABITS[game], SolverArranger(), rng, DEPTH), seen)
    except Exception:  # noqa: BLE001 - whatever breaks is a finding, and is reported with its match
        return job, seen, traceback.format_exc()
    return job, seen, None


def count(events: Iterable[Any], seen: Counter[str]) -> None:
    """Add up event types, told apart where a type has several causes."""
    played: Any = None
    for event in events:
        kind = event.type
        if kind == "played":
            played = event
        elif kind == "cleared":
            tens = played.cards[0].is_joker or played.cards[0].rank == "T"
            kind = "cleared by ten" if tens else "cleared by four"
        elif kind == "packed":
            kind = event.status
        seen[kind] += 1


def main() -> int:
    """Play, print the counts and every broken law; the exit code says whether there was one, or too few of an event."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("number", type=int, nargs="?", default=MATCHES, help="matches of each game")
    parser.add_argument("--matches", type=int, dest="number", help="the same")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="play this match of each game again, and no other")
    parser.add_argument("--game", choices=list(GAMES), help="one game only")
    given = parser.parse_args()
    numbers = range(given.number) if given.only is None else [given.only]
    names = [given.game] if given.game else list(GAMES)
    jobs: list[Job] = [(game, given.seed, number) for number in numbers for game in names]

    start = time.perf_counter()
    seen: dict[str, Counter[str]] = {game: Counter() for game in names}
    broken = 0
    with multiprocessing.get_context("spawn").Pool(min(os.cpu_count() or 1, len(jobs))) as pool:
        results = pool.imap_unordered(one_match, jobs, chunksize=4)
        for job, events, error in tqdm(results, total=len(jobs), desc="matches", disable=not sys.stderr.isatty()):
            seen[job[0]] += events
            if error is not None:
                broken += 1
                print(f"BROKEN: {job[0]} --seed {job[1]} --only {job[2]}\n{error}")

    for game, events in seen.items():
        told = ", ".join(f"{kind} {times:,}" for kind, times in sorted(events.items()))
        print(f"{game}: {len(numbers):,} matches: {told}")
    rare = [kind for game in names for kind in WANTED[game] if seen[game][kind] < AT_LEAST and len(numbers) >= MATCHES]
    print(f"{broken} broken laws; {time.perf_counter() - start:.0f} s; seed {given.seed}")
    if rare:
        print(f"fewer than {AT_LEAST}: {', '.join(rare)}")
    return 1 if broken or rare else 0


if __name__ == "__main__":
    raise SystemExit(main())
