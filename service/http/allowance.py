"""What a call costs its app, and the `RateLimit` headers that tell how it stands (draft-ietf-httpapi-ratelimit-headers)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock

from flask import g

from service.callers.limits import BURST_SECONDS, Rate
from service.callers.rates import Level, Room
from service.http.context import apps, current_request, places, rates, store
from service.http.long_polls import NOTE
from service.problems.refusals import Refusal
from service.process import metrics
from service.stores.room import BLOCK

_ALIKE = (401, 403, 404, 410)
_UNITS = {"requests": "calls", "solves": "hands to solve"}
_GAMES_SECONDS = 60  # games end by the minute
_PROCESSES = 64  # so many may make games at the same time, and not one too many
_ASK_SECONDS = 10  # games grow while none is made
_ENOUGH = 2**63
_lock = Lock()


def charge_request(name: str, *, told: bool) -> None:
    """Count the call for its app, once, however often it is looked at. Raises the refusal ``rate_limited``. `told`: whether the
    answer says how the app stands."""
    if NOTE in current_request().environ:  # it has waited, and is asked again
        return
    if "requests" not in _levels():
        g.told = told
        limits = apps().limits_of(name)
        if limits is None or limits.requests is None:
            return
        _take(name, "requests", limits.requests, 1)
    elif not g.levels["requests"][1].gave:  # refused as guessed, and looked at anew
        raise _refusal("requests")


def charge_solves(name: str, hands: int) -> None:
    """Count hands that are to be solved for the app. Raises the refusal ``rate_limited``."""
    limits = apps().limits_of(name)
    if limits is not None and limits.solves is not None and hands:
        _take(name, "solves", limits.solves, hands)


def charge_game(name: str) -> None:
    """Count a game that is to be made for the app, a repeat as well. The store is asked what there is, and then not for a while, nor
    before this process has made its part of the games that may be made. Raises the refusal ``rate_limited``."""
    limits = apps().limits_of(name)
    if limits is None or (most := (limits.games, limits.bytes)) == (None, None):
        return
    room, now = rates().room, time.monotonic()
    with _lock:
        known = room.get(name)
        if known is not None and known.most == most and known.games and now < known.until:
            room[name] = known._replace(games=known.games - 1)
            return
    left = min(_games_left(name, limits.games), _bytes_left(name, limits.bytes) // BLOCK)
    with _lock:
        room[name] = Room(most, left // _PROCESSES, now + _ASK_SECONDS)


def _games_left(name: str, most: int | None) -> int:
    if most is None:
        return _ENOUGH
    if (live := store().live(name)) >= most:
        raise _full("games", name, f"The app may have {most:,} live games, and has as many.")
    return most - live


def _bytes_left(name: str, most: int | None) -> int:
    if most is None:
        return _ENOUGH
    if (stored := store().stored(name)) >= most:
        raise _full(
            "bytes",
            name,
            f"The app's games may take {most:,} bytes, and take {stored:,}: delete some that are over, or wait until they go.",
        )
    return most - stored


def _full(kind: str, name: str, detail: str) -> Refusal:
    metrics.count_limited(kind, name)
    return Refusal("rate_limited", detail, {"Retry-After": str(_GAMES_SECONDS)})


def take_place(name: str) -> Callable[[], None] | None:
    """What gives the place back that another long poll of the app has now; None if as many wait as may."""
    limits, held = apps().limits_of(name), places()
    if held.take(name, None if limits is None else limits.waiters):
        return partial(held.give, name)
    metrics.count_limited("waiters", name)
    return None


def headers(status: int) -> Iterator[tuple[str, str]]:
    """The headers of an answer to an app: what the call was counted for. Refusals that tell who may know what are all alike;
    and players are not told how busy the others are."""
    levels = _levels()
    if levels and status not in _ALIKE and g.told:
        yield (
            "RateLimit-Policy",
            ", ".join(f'"{kind}";q={rate.most};w={BURST_SECONDS}' for kind, (rate, _) in levels.items()),
        )
        yield (
            "RateLimit",
            ", ".join(
                f'"{kind}";r={level.left if level.gave else 0};t={level.seconds}' for kind, (_, level) in levels.items()
            ),
        )


def _take(name: str, kind: str, a_second: int, cost: int) -> None:
    level = rates().take(name, kind, a_second, cost)
    if "levels" not in g:
        g.levels = {}
    g.levels[kind] = Rate(a_second), level
    if not level.gave:
        metrics.count_limited(kind, name)
        raise _refusal(kind)


def _levels() -> dict[str, tuple[Rate, Level]]:
    """What this call has been counted for so far."""
    found: dict[str, tuple[Rate, Level]] = g.get("levels", {})
    return found


def _refusal(kind: str) -> Refusal:
    rate, level = _levels()[kind]
    return Refusal(
        "rate_limited",
        f"The app may send {rate.a_second:,} {_UNITS[kind]} a second, {rate.most:,} at once after a pause; it has sent more.",
        {"Retry-After": str(level.seconds)},
    )
