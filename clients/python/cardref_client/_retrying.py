"""When a call is sent again, and after how long: the rules of docs/reliability.md."""

from __future__ import annotations

import random

LEAST, MOST = 0.1, 5.0  # seconds between attempts, where the service does not ask for more

# The gateways' own answers, 502 and 504, say no more than a broken connection: made, or not.
_AGAIN = {429, 502, 503, 504}
# Of these 503 the same call gets the same answer: the one takes whoever runs the service, the other would cost the same work.
_IN_VAIN = {"store_damaged", "undecided"}


def may_help(status: int, code: str) -> bool:
    """Whether the same call, sent again, may be answered otherwise."""
    return status in _AGAIN and code not in _IN_VAIN


def pause(attempts: int, retry_after: str | None, left: float) -> float | None:
    """How many seconds to wait before the next attempt, after so many; None: to give up, for there is not as much time `left`.

    Pauses double, and are never shorter than `Retry-After`; chance keeps callers that were cut off together from coming back together.
    """
    grown = min(MOST, LEAST * 2.0 ** min(attempts - 1, 10)) * random.uniform(0.5, 1)
    seconds = max(grown, float(retry_after) if retry_after and retry_after.isdecimal() else 0)
    return seconds if seconds <= left else None
