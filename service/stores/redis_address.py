"""A store's address -> how to connect to it."""

# redis-py leaves many of its methods without annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import RedisError
from redis.retry import Retry
from redis.sentinel import Sentinel

CONNECT_SECONDS = 0.5
REPLY_SECONDS = 0.8
SENTINEL_SECONDS = 0.3

SCHEMES = ("redis", "rediss", "redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster")


def connector(url: str, connected: Callable[[Any], None]) -> Callable[[], Redis | RedisCluster]:
    """How to connect to `url`; `connected` is called with each new connection. Raises ValueError for one that says nothing we know."""
    parts = urlsplit(url)
    scheme, _, kind = parts.scheme.partition("+")
    if parts.scheme not in SCHEMES:
        raise ValueError(f"a store's address begins with one of {', '.join(SCHEMES)}, not with {parts.scheme!r}")
    options: dict[str, Any] = {
        "protocol": 2,  # the same replies from every server that we support
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_timeout": REPLY_SECONDS,
        "socket_keepalive": True,
    }
    never = Retry(NoBackoff(), 0)

    def greet(connection: Any) -> None:
        connection.on_connect()
        connected(connection)

    if not kind:
        host = parts.netloc.rpartition("@")[2]
        _address(host if host and not host.startswith(":") else f"localhost{host}", 6379)
        _database(parts.path.strip("/"))
        alone = partial(Redis.from_url, url, retry=never, max_connections=4096, redis_connect_func=greet, **options)
        _refuse_odd_options(alone())
        return alone
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    query = dict(parse_qsl(parts.query))
    encrypted = {"ssl": True, "ssl_ca_certs": query.get("ssl_ca_certs")} if scheme == "rediss" else {}
    options |= {"username": unquote(user) or None, "password": unquote(password) or None, **encrypted}
    if kind == "cluster":
        options["redis_connect_func"] = connected  # which greets by itself
        if parts.path.strip("/") not in ("", "0"):
            raise ValueError("a cluster has one database alone: nothing stands behind its hosts")
        nodes = [_address(host, 6379) for host in hosts.split(",")]
        return lambda: RedisCluster(startup_nodes=[ClusterNode(*node) for node in nodes], retry=never, **options)
    service, _, database = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError("a Sentinel address ends with the name of the service: redis+sentinel://host:26379/mymaster")
    sentinels = [_address(host, 26379) for host in hosts.split(",")]
    asking: dict[str, Any] = {"username": query.get("sentinel_username"), "password": query.get("sentinel_password")}
    asking |= {"socket_connect_timeout": SENTINEL_SECONDS, "socket_timeout": SENTINEL_SECONDS, "protocol": 2}
    number = _database(database)
    found = Sentinel(sentinels, sentinel_kwargs={**asking, **encrypted, "retry": never})
    options |= {"retry": never, "max_connections": 4096, "redis_connect_func": greet}
    return lambda: found.master_for(service, db=number, **options)


def _address(text: str, default: int) -> tuple[str, int]:
    """Host and port. What is wrong is told without the text: a password that is not escaped may be a part of it."""
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname or "", parts.port
        host.encode("idna")  # as the system's resolver is asked
    except ValueError:
        host, port = "", None
    if not host or port == 0:
        raise ValueError(
            "a store's address names its hosts as host or host:port, with a port from 1 to 65535; "
            "in a password / ? # @ : and % are written %2F %3F %23 %40 %3A %25"
        )
    return host, port or default


def _database(text: str) -> int:
    if not re.fullmatch("[0-9]{0,9}", text):
        raise ValueError("a database of Redis is a whole number: redis://host:6379/0")
    return int(text or 0)


def _refuse_odd_options(client: Redis) -> None:
    """Let redis-py make a connection, which connects to nothing, of what the address says behind ``?``."""
    try:
        client.connection_pool.make_connection()
    except (TypeError, RedisError) as wrong:
        raise ValueError(f"what stands behind the ? of the store's address is not known to redis-py: {wrong}") from None
