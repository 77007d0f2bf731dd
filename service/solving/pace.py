"""What is solved where it is asked for gives way to calls that need no solving."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from service.process import native

T = TypeVar("T")
SLICE_SECONDS = 0.005  # some ten ordinary hands


class Pace:
    """The time for which this process has been solving since all others had their turn. Once it is over, who comes next lets
    them go first: of many slow hands that are asked for at once, one is solved between two looks at who else has called.
    """

    def __init__(self) -> None:
        self._spent = 0.0
        self._next = threading.Lock()

    def solve(self, question: Callable[..., T], *given: object, **how: object) -> T:
        """What the question returns or raises, once it is its turn."""
        if self._spent >= SLICE_SECONDS:
            with self._next:
                if self._spent >= SLICE_SECONDS:
                    native.give_way()
                    self._spent = 0.0
        started = time.perf_counter()
        try:
            return question(*given, **how)
        finally:
            self._spent += time.perf_counter() - started
