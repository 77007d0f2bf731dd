"""What limits add to a call: the same call of the app with its usual limits and without any, ``python -m bench.limits``.

Both in turn, in processor time, the median of the differences; counted in this process, and with a Redis that it is shared in
(where there is a server).
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from statistics import median

from bench.figures import Figure, setting, table
from service import create_app
from service.callers import limits
from service.callers.limits import Limits
from service.callers.rates import Rates
from service.callers.redis_counts import RedisCounts
from service.config import Settings
from tests.servers import find_server, running

CALLS, ROUNDS = 500, 40
BOUND = 40.0  # microseconds


def figures() -> Iterator[Figure]:
    """The cost of limits, of the cheapest call there is."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        yield Figure("limits: what they add to a call", added(folder, None), "µs", BOUND)
        program = find_server()
        if program is not None:
            url = stack.enter_context(running(program, folder / "redis")).url
            yield Figure("limits shared in Redis: what they add to a call", added(folder, url), "µs", BOUND)


def added(folder: Path, url: str | None) -> float:
    """Microseconds of processor time that limits add to a call."""
    limited = caller(folder, limits.read("requests=99999999", Limits()), url)
    free = caller(folder, limits.read("requests=none", Limits()), None)
    spent(limited), spent(free)
    return median(spent(limited) - spent(free) for _ in range(ROUNDS))


def caller(folder: Path, usual: Limits, url: str | None) -> Callable[[], None]:
    """What makes one call of an app."""
    keys = (("shop", hashlib.sha256(b"key").digest()),)
    app = create_app(Settings(data=folder, log="errors", api_keys=keys, limits=usual))
    app.config["RATES"] = Rates(RedisCounts(url) if url else None)
    call = {
        "REQUEST_METHOD": "GET", "PATH_INFO": "/v1/rules/swoop/house", "SERVER_NAME": "x", "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1", "HTTP_HOST": "x", "HTTP_AUTHORIZATION": "Bearer key", "wsgi.url_scheme": "http",
    }  # fmt: skip

    def begin(status: str, *_: object) -> Callable[[bytes], object]:
        assert status == "200 OK"
        return lambda body: None

    def one() -> None:
        b"".join(app.wsgi_app({**call, "wsgi.input": BytesIO()}, begin))

    return one


def spent(call: Callable[[], None]) -> float:
    """Microseconds of processor time for each call."""
    started = time.process_time()
    for _ in range(CALLS):
        call()
    return (time.process_time() - started) / CALLS * 1e6


if __name__ == "__main__":
    print(f"{setting()}\n{table(figures())}")
