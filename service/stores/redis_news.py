"""What is published on a channel of Redis or Valkey."""

# redis-py leaves many of its methods without annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing

from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import RedisClusterException, RedisError

PING_SECONDS = 1.0  # without a message
SILENT_SECONDS = 3.5  # after which a subscription is given up


def messages(
    connect: Callable[[], Redis | RedisCluster], channel: str, ended: threading.Event
) -> Iterator[bytes | None]:
    """What is published on a channel, until `ended`; None whenever the subscription begins, or begins anew. Ends as well where
    the line does, or falls silent."""
    try:
        with closing(connect()) as client, closing(client.pubsub()) as subscriber:
            subscriber.subscribe(channel)
            heard = time.monotonic()
            while time.monotonic() - heard < SILENT_SECONDS and not ended.is_set():
                message = subscriber.get_message(timeout=PING_SECONDS)
                if message is None:
                    subscriber.ping()  # whose answer is a message
                    continue
                heard = time.monotonic()
                if message["type"] != "pong":
                    yield message["data"] if message["type"] == "message" else None
    except (RedisError, RedisClusterException, OSError):
        return
