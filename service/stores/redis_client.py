"""How scripts reach Redis or Valkey: one server, a primary found by Sentinel, or a cluster.

redis-py's own retries are off, for they count attempts (ten, of five seconds each), where we owe an answer within three
seconds; and since a lost reply is retried too, nothing may be sent through here that must not run twice.
"""

# redis-py leaves many of its methods without annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ConnectionError,
    MovedError,
    NoScriptError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TimeoutError,
    TryAgainError,
)

from service.stores import redis_news
from service.stores.errors import NotDurable, Refuses, StoreUnavailable
from service.stores.redis_address import connector
from service.stores.redis_health import Health, ask
from service.stores.redis_script import Script

T = TypeVar("T")

WAIT_SECONDS = 0.5  # for replicas; less than redis_address.REPLY_SECONDS, or the connection would give up first
AT_ONCE = 32  # calls of a process: more would be more connections, and none would be served sooner
PAUSES = (0.02, 0.2)  # before the second and the third attempt
_PLACES_TRIED = 10_000  # keys, to find one for each primary of a cluster
NO_NEW_ATTEMPT_AFTER = 1.0  # seconds: with the last attempt's own time, two seconds in all

# What may pass by itself, or with another connection.
PASSING = (ConnectionError, TimeoutError, ReadOnlyError, ClusterDownError, TryAgainError, MovedError, AskError, OSError)


class RedisClient:
    """A lazy, fork-safe connection to the store at `url`; with `replicas`, each confirmed call waits for so many."""

    def __init__(self, url: str, replicas: int = 0, *, health: Health | None = None) -> None:
        self.health = health or Health()
        self.connections = 0  # made so far
        self._connect = connector(url, self._connected)
        self._replicas = replicas
        self._lock = threading.Lock()
        self._answered = 0.0  # when it did last, whoever asked
        self._room = threading.Semaphore(AT_ONCE)
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

    def messages(self, channel: str, ended: threading.Event) -> Iterator[bytes | None]:
        """See `service.stores.redis_news`; on a connection of its own."""
        return redis_news.messages(self._connect, channel, ended)

    def changing(self, script: Script, keys: Sequence[str], args: Sequence[Any], binds: Callable[[Any], bool]) -> Any:
        """`run` for a script that writes what must last. Raises Unsafe; after the call too, for it may have had to connect
        anew, to a server that is no longer what it was."""
        if self.health.is_due():
            self.inspect()
        self.health.refuse_loss()
        reply = self.run(script, keys, args, binds)
        self.health.refuse_loss()
        return reply

    def inspect(self) -> None:
        """Ask every primary whether it keeps what it is given."""
        try:
            self._steadily(self._inspect)
        except StoreUnavailable:
            self.health.ask_again()
            raise

    def probe(self, script: Script, prefix: str) -> None:
        """Run a script that writes, on every primary. Raises StoreUnavailable."""
        for key in self._steadily(lambda: self._places(prefix)):
            self.run(script, [key], [], lambda reply: False)

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

    def _connected(self, connection: Any) -> None:
        self.connections += 1
        self.health.add(self._name(connection), ask(connection))

    def _name(self, connection: Any) -> str:
        """Which server of the store a connection leads to. One alone has no name: another may come in its place."""
        return f"{connection.host}:{connection.port}" if isinstance(self._client, RedisCluster) else ""

    def _inspect(self) -> None:
        client = self.client()
        servers = [client] if isinstance(client, Redis) else [*map(client.get_redis_connection, client.get_primaries())]
        found = {}
        for pool in (server.connection_pool for server in servers):
            connection = pool.get_connection()
            try:
                found[self._name(connection)] = ask(connection)
            finally:
                pool.release(connection)
        self.health.replace(found)

    def _places(self, prefix: str) -> list[str]:
        """A key for each primary that holds any: of those of a cluster, the first that lie there."""
        client = self.client()
        if isinstance(client, Redis):
            return [prefix]
        found: dict[str, str] = {}
        missing = {node.name for node in client.get_primaries()}
        for number in range(_PLACES_TRIED):
            if not missing:
                break
            node = client.get_node_from_key(key := f"{prefix}{number}").name
            found.setdefault(node, key)
            missing.discard(node)
        return list(found.values())

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
        while not self._room.acquire(timeout=PAUSES[1]):
            if time.monotonic() - max(started, self._answered) > NO_NEW_ATTEMPT_AFTER:
                raise StoreUnavailable("the store does not answer those who were first")
        try:
            found = self._tried(call, started)
            self._answered = time.monotonic()
            return found
        finally:
            self._room.release()

    def _tried(self, call: Callable[[], T], started: float) -> T:
        for pause in (*PAUSES, None):
            try:
                return call()
            except PASSING as error:
                if pause is None or time.monotonic() - started > NO_NEW_ATTEMPT_AFTER:
                    if isinstance(error, ReadOnlyError):
                        raise Refuses(f"Redis takes no changes: {error}") from error
                    raise StoreUnavailable(f"the store does not answer: {error}") from error
                time.sleep(pause)
            except ResponseError as error:  # full, no rights, too few replicas
                raise Refuses(f"Redis takes no changes: {error}") from error
            except (RedisError, RedisClusterException) as error:  # a cluster with holes
                raise StoreUnavailable(f"the store refuses: {error}") from error
        raise AssertionError("the last attempt returns or raises")


def _batch(client: Redis | RedisCluster) -> Any:
    return client.pipeline(transaction=False) if isinstance(client, Redis) else client.pipeline()
