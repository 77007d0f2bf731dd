"""Many hands at once, on every core.

The solver's reduction is Python and holds the interpreter's lock, so threads do not help: lists are solved in
processes of their own, started when they are first needed and kept. They give way to the processes that answer calls. They
are started by a fork server, because a process that already runs threads cannot fork safely, and they end when the process
that asked ends, however it does.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from itertools import chain
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext
from typing import Any, Protocol, TypeVar

import structlog

from engine.cards import Card
from engine.errors import Undecided
from service.process import native
from service.solving.admission import LOOK_SECONDS, Admission, Asker
from service.solving.pace import Pace
from solver.limits import Limits, Pot
from solver.solve import Method

_LEAST = 10  # hands a process is handed at once: some milliseconds of work
_MOST = 100  # so that who comes later need not wait for long
_FEW = 8  # hands that are solved before they are handed over
_NICENESS = 10
_PLACES = 2  # for each process: one list is solved while another is read or written
_LEAST_PLACES = 4  # with less, who floods would leave none to the next caller
_log = structlog.get_logger()


def places_for(processes: int) -> int:
    """How much long work a worker takes at once: more would not be done sooner, and wait in memory."""
    return max(_LEAST_PLACES, _PLACES * processes)


class Solved(Protocol):
    """What is made of a hand."""

    @property
    def optimal(self) -> bool:
        """Whether it is proved."""


T = TypeVar("T")
R = TypeVar("R", bound=Solved)
Hand = tuple[Card, ...]
Solve = Callable[..., list[R]]  # of hands, of what else they are solved by, and of the limits
NOBODY = Asker("", lambda: False)  # who asks from within, and always waits for the answer

# What is solved where it is asked for: nearly every hand, in some milliseconds at the most. The rest is long work.
QUICK: Mapping[Method, Limits] = {
    "auto": Limits(states=400, deterministic_time=0.0),
    "cp-sat": Limits(states=0, deterministic_time=0.01),
}
# What the hands of one list together may cost: some seconds of processor time.
STATES, DETERMINISTIC_TIME = 500_000, 10.0


class Solvers:
    """Solves lists of hands in up to so many processes; with one, in the caller's own. Safe to share between threads.

    All but the shortest lists need a place and wait for their turns: see `service.solving.admission`.
    """

    def __init__(self, processes: int, places: int, ending: threading.Event | None = None) -> None:
        self._processes = processes
        self._admission = Admission(processes, places, ending)
        self._pace = Pace()
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()

    def each(self, solve: Solve[R], hands: Sequence[Hand], *how: Any, method: Method, asker: Asker = NOBODY) -> list[R]:
        """What `solve`, a function of a module, makes of the hands, in order: it is called with a part of them, `how`, the method and
        limits. Raises the refusal ``rate_limited`` where as much as may is being solved, `Gone` where the caller has gone,
        `Undecided` where the process has to end."""
        found: list[R | None] = [None] * len(hands)
        if len(hands) < _FEW:
            quick = (self._pace.solve(solve, [hand], *how, method, QUICK[method]) for hand in hands)
            found = [one if one.optimal else None for (one,) in quick]
        rest = [hand for hand, one in zip(hands, found, strict=True) if one is None]
        if rest:
            with self._admission.place(asker.flow):
                late = iter(self._long(solve, rest, (*how, method), asker))
                return [next(late) if one is None else one for one in found]
        return [one for one in found if one is not None]

    def one(
        self,
        question: Callable[..., T],
        *given: Any,
        method: Method,
        proved: Callable[[T], bool],
        asker: Callable[[], Asker],
    ) -> T:
        """The answer to a question of `solver.solve`, or the best that the limits allow. Raises what `each` does, and what the
        question does."""
        with suppress(Undecided):
            found = self._pace.solve(question, *given, method=method, limits=QUICK[method])
            if proved(found):
                return found
        return self.long(partial(question, method=method), *given, asker=asker())

    def long(self, question: Callable[..., T], *given: Any, asker: Asker = NOBODY) -> T:
        """The answer to a question that takes long. Raises what `each` does, and what the question does."""
        with self._admission.place(asker.flow):
            (found,) = self._long(_answers, ((question, given),), (), asker)
            answer: T = found
            return answer

    def _long(
        self, solve: Callable[..., list[Any]], hands: Sequence[Any], how: tuple[Any, ...], asker: Asker
    ) -> list[Any]:
        if self._pool is None and len(hands) < _FEW and self._processes > 1:
            threading.Thread(target=self._warm_up, daemon=True).start()  # it takes longer than the hands
        elif self._processes > 1:
            pool = self._started()
            try:
                return self._in_parts(pool, solve, hands, how, asker)
            except BrokenProcessPool:  # one was killed: the next list gets new ones, this one is solved here
                _log.error("solvers_broken")
                self._drop(pool)
        return list(chain.from_iterable(self._here(solve, hands, how, asker)))

    def _in_parts(
        self,
        pool: ProcessPoolExecutor,
        solve: Callable[..., list[Any]],
        hands: Sequence[Any],
        how: tuple[Any, ...],
        asker: Asker,
    ) -> list[Any]:
        begun: list[Future[list[Any]]] = []
        for part in _parts(hands, self._processes):
            self._admission.wait(asker, len(part))
            try:
                begun.append(pool.submit(solve, part, *how, _share(len(part) / len(hands))))
            except BaseException:
                self._admission.done()
                raise
            begun[-1].add_done_callback(lambda _: self._admission.done())
        return list(chain.from_iterable(self._result(each, asker) for each in begun))

    def _result(self, part: Future[list[Any]], asker: Asker) -> list[Any]:
        while True:
            try:
                return part.result(LOOK_SECONDS)
            except TimeoutError:
                self._admission.look(asker)

    def _here(
        self, solve: Callable[..., list[Any]], hands: Sequence[Any], how: tuple[Any, ...], asker: Asker
    ) -> Iterator[list[Any]]:
        for at in range(0, len(hands), _FEW):
            part = hands[at : at + _FEW]
            self._admission.wait(asker, len(part))
            try:
                yield native.call(solve, part, *how, _share(len(part) / len(hands)))
            finally:
                self._admission.done()

    def _warm_up(self) -> None:
        with suppress(RuntimeError):  # the process is about to end
            self._started().submit(os.getpid)

    def _started(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                context = multiprocessing.get_context("forkserver")
                context.set_forkserver_preload(["service.use_cases.rummy"])
                native.call(_first_of, context)  # only this: the pool's own threads have to be where its callers are
                self._pool = ProcessPoolExecutor(self._processes, context, initializer=_settle)
            return self._pool

    def _drop(self, pool: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._pool is pool:
                self._pool = None
        pool.shutdown(wait=False, cancel_futures=True)


def _first_of(context: ForkServerContext) -> None:
    """Start the fork server, and wait until it has loaded what it shall: the first process has to, for more than a second."""
    first = context.Process(target=os.getpid)
    first.start()
    first.join()


def _parts(hands: Sequence[Any], processes: int) -> Iterator[Sequence[Any]]:
    """The hands in parts that get smaller, so that few are handed over and all processes end together (guided
    self-scheduling; Polychronopoulos and Kuck 1987)."""
    rest = hands
    while rest:
        size = min(_MOST, max(_LEAST, len(rest) // (2 * processes + 1)))
        yield rest[:size]
        rest = rest[size:]


def _answers(questions: Sequence[tuple[Callable[..., Any], tuple[Any, ...]]], _: Limits) -> list[Any]:
    """In whichever process: the answer to each question, with its own limits."""
    return [question(*given) for question, given in questions]


def _share(part: float) -> Limits:
    """What a part of a list may cost."""
    return Limits(pot=Pot(int(STATES * part), DETERMINISTIC_TIME * part))


def _settle() -> None:
    """In a new process: leave Ctrl-C to the one that asks, end with it even if it is killed, and give way to it."""
    gc.collect()
    gc.freeze()  # as in `service.server.master`: what is loaded once need not be searched for garbage again
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICENESS)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)
