"""How scripts reach Redis or Valkey: one server, a primary found by Sentinel, or a cluster.

redis-py's own retries are off, for they count attempts (ten, of five seconds each), where we owe an answer within three
seconds; and since a lost reply is retried too, nothing may be sent through here that must not run twice.
"""

# redis-py leaves many of its methods without annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ConnectionError,
    MovedError,
    NoScriptError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    TimeoutError,
    TryAgainError,
)
from redis.retry import Retry
from redis.sentinel import Sentinel

from service.stores.errors import NotDurable, StoreUnavailable

T = TypeVar("T")

CONNECT_SECONDS = 0.5
REPLY_SECONDS = 0.8
SENTINEL_SECONDS = 0.3
WAIT_SECONDS = 0.5  # for replicas; less than REPLY_SECONDS, or the connection would give up first
PAUSES = (0.02, 0.2)  # before the second and the third attempt
NO_NEW_ATTEMPT_AFTER = 1.0  # seconds: with the last attempt's own time, two seconds in all

# What may pass by itself, or with another connection.
PASSING = (ConnectionError, TimeoutError, ReadOnlyError, ClusterDownError, TryAgainError, MovedError, AskError, OSError)

SCHEMES = ("redis", "rediss", "redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster")


class Script:
    """A Lua script of this folder, behind the prelude that all scripts on one game share."""

    def __init__(self, name: str, *, prelude: bool = True) -> None:
        folder = Path(__file__).parent
        self.text = "".join((folder / file).read_text() for file in ("prelude.lua",) * prelude + (f"{name}.lua",))
        self.sha = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()


class RedisClient:
    """A lazy, fork-safe connection to the store at `url`; with `replicas`, each confirmed call waits for so many."""

    def __init__(self, url: str, replicas: int = 0) -> None:
        self._connect = _connector(url)
        self._replicas = replicas
        self._lock = threading.Lock()
        self._client: Redis | RedisCluster | None = None

    # redis-py types every reply as a union with an awaitable: what comes from a server is Any here, and is given its
    # type where the store reads it.

    def run(self, script: Script, keys: Sequence[str], args: Sequence[Any], binds: Callable[[Any], bool]) -> Any:
        """The script's reply. If the reply `binds`, what was written has reached enough replicas; else NotDurable."""
        if self._replicas == 0:
            return self._steadily(lambda: self._evaluate(script, keys, args))
        reply, reached = self._steadily(lambda: self._evaluate_and_wait(script, keys, args))
        if reached < self._replicas and binds(reply):
            self._steadily(self.forget_connections)  # cut off from its replicas, it may no longer be the primary
            raise NotDurable(f"{reached} of {self._replicas} replicas have confirmed")
        return reply

    def command(self, *words: Any) -> Any:
        """The reply to one command on the key `words[1]`, or without a key (on a cluster: of any primary)."""
        return self._steadily(lambda: self.client().execute_command(*words))

    def pipeline(self, commands: Sequence[Sequence[Any]]) -> list[Any]:
        """The replies to reading commands on any keys, sent together."""

        def send() -> list[Any]:
            pipe = _batch(self.client())
            for words in commands:
                pipe.execute_command(*words)
            return list(pipe.execute())

        return self._steadily(send)

    def block(self, key: str, *words: Any) -> None:
        """Send a blocking command to the server that holds `key`; what it says and whether it fails is no matter."""
        try:
            self._server(key).execute_command(*words)
        except (RedisError, RedisClusterException, OSError):
            time.sleep(PAUSES[1])

    def check(self) -> None:
        """Return if every primary answers."""
        self._steadily(lambda: self.client().ping())

    def client(self) -> Redis | RedisCluster:
        """The client, made on first use: at the start of the service the store may still be away."""
        if (client := self._client) is None:
            made = self._connect()  # a cluster is asked for its nodes here: no other thread shall wait for that
            with self._lock:
                client = self._client = self._client or made
            if client is not made:
                made.close()
        return client

    def forget_connections(self) -> None:
        """Let the next call connect anew (and ask Sentinel, or the cluster, who is the primary)."""
        client = self.client()
        if isinstance(client, RedisCluster):
            client.nodes_manager.initialize()
        else:
            client.connection_pool.disconnect(inuse_connections=False)

    def close(self) -> None:
        """Close all connections; the next call would connect anew."""
        with self._lock:
            if self._client is not None:
                self._client.close()
            self._client = None

    def _server(self, key: str) -> Redis:
        client = self.client()
        if not isinstance(client, RedisCluster):
            return client
        server: Redis = client.get_redis_connection(client.get_node_from_key(key))
        return server

    def _evaluate(self, script: Script, keys: Sequence[str], args: Sequence[Any]) -> Any:
        client = self.client()
        try:
            return client.execute_command("EVALSHA", script.sha, len(keys), *keys, *args)
        except NoScriptError:
            return client.execute_command("EVAL", script.text, len(keys), *keys, *args)

    def _evaluate_and_wait(self, script: Script, keys: Sequence[str], args: Sequence[Any]) -> tuple[Any, int]:
        """The reply and how many replicas have it: both commands on one connection, for WAIT knows only its own writes."""
        for verb, code in (("EVALSHA", script.sha), ("EVAL", script.text)):
            pipe = _batch(self._server(keys[0]))
            pipe.execute_command(verb, code, len(keys), *keys, *args)
            pipe.execute_command("WAIT", self._replicas, int(WAIT_SECONDS * 1000))
            reply, reached = pipe.execute(raise_on_error=False)
            if isinstance(reply, MovedError | AskError):
                self.forget_connections()
            if not isinstance(reply, NoScriptError):
                break
        for outcome in (reply, reached):
            if isinstance(outcome, Exception):
                raise outcome
        return reply, reached

    def _steadily(self, call: Callable[[], T]) -> T:
        """What `call` gives, tried again while that may help and time is left. Raises StoreUnavailable."""
        started = time.monotonic()
        for pause in (*PAUSES, None):
            try:
                return call()
            except PASSING as error:
                if pause is None or time.monotonic() - started > NO_NEW_ATTEMPT_AFTER:
                    raise StoreUnavailable(f"the store does not answer: {error}") from error
                time.sleep(pause)
            except (RedisError, RedisClusterException) as error:  # full, no rights, a cluster with holes
                raise StoreUnavailable(f"the store refuses: {error}") from error
        raise AssertionError("the last attempt returns or raises")


def _batch(client: Redis | RedisCluster) -> Any:
    return client.pipeline(transaction=False) if isinstance(client, Redis) else client.pipeline()


def _connector(url: str) -> Callable[[], Redis | RedisCluster]:
    """How to connect to `url`. Raises ValueError for one that says nothing we know."""
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
    if not kind:
        return lambda: Redis.from_url(url, retry=never, max_connections=4096, **options)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    query = dict(parse_qsl(parts.query))
    encrypted = {"ssl": True, "ssl_ca_certs": query.get("ssl_ca_certs")} if scheme == "rediss" else {}
    options |= {"username": unquote(user) or None, "password": unquote(password) or None, **encrypted}
    if kind == "cluster":
        nodes = [_address(host, 6379) for host in hosts.split(",")]
        return lambda: RedisCluster(startup_nodes=[ClusterNode(*node) for node in nodes], retry=never, **options)
    service, _, database = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError("a Sentinel address ends with the name of the service: redis+sentinel://host:26379/mymaster")
    sentinels = [_address(host, 26379) for host in hosts.split(",")]
    asking: dict[str, Any] = {"username": query.get("sentinel_username"), "password": query.get("sentinel_password")}
    asking |= {"socket_connect_timeout": SENTINEL_SECONDS, "socket_timeout": SENTINEL_SECONDS, "protocol": 2}
    found = Sentinel(sentinels, sentinel_kwargs={**asking, **encrypted, "retry": never})
    return lambda: found.master_for(service, db=int(database or 0), retry=never, max_connections=4096, **options)


def _address(text: str, default: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError(f"no host in {text!r}")
    return parts.hostname, parts.port or default
