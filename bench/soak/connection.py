"""One connection to the service for asyncio, as cheap as it can be: the load shares the machine with what it measures."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import orjson

from bench.load import request

__all__ = ["Connection", "Reply", "request"]
_MARK = b'\r\netag: "v'


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: its status, its head as bytes in lower case, its body."""

    status: int
    head: bytes
    body: bytes

    @property
    def version(self) -> int:
        """The version that the `ETag` names; 0 without one."""
        at = self.head.find(_MARK)
        return 0 if at < 0 else int(self.head[at + len(_MARK) :].split(b'"', 1)[0])

    @property
    def json(self) -> dict[str, object]:
        """The body."""
        found: dict[str, object] = orjson.loads(self.body)
        return found


class Connection(asyncio.Protocol):
    """One request after the other; opened when it is needed, and again when it was closed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._answer: asyncio.Future[Reply] | None = None

    async def ask(self, sent: bytes) -> Reply:
        """The answer to a request. Raises ConnectionError if the connection ends without one."""
        loop = asyncio.get_running_loop()
        if self._transport is None:
            await loop.create_connection(lambda: self, "127.0.0.1", self._port)
        assert self._transport is not None
        self._answer = loop.create_future()
        self._transport.write(sent)
        return await self._answer

    def close(self) -> None:
        """Close it."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """asyncio calls this."""
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._received = transport, b""

    def connection_lost(self, exc: Exception | None) -> None:
        """asyncio calls this."""
        self._transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionResetError(str(exc or "closed without an answer")))

    def data_received(self, data: bytes) -> None:
        """asyncio calls this."""
        self._received += data
        head, found, body = self._received.partition(b"\r\n\r\n")
        if not found:
            return
        head = head.lower()
        at = head.find(b"\r\ncontent-length:")
        length = 0 if at < 0 else int(head[at + 17 :].split(b"\r\n", 1)[0])
        if len(body) < length:
            return
        self._received = b""
        if b"\r\nconnection: close" in head and self._transport is not None:
            self._transport.close()
            self._transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(Reply(int(head[9:12]), head, body[:length]))
