"""A TCP proxy that spoils the line between a client and its server."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType


class Proxy:
    """Passes everything on to `port`, until told otherwise. `with Proxy(port) as proxy: … proxy.url`"""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.dropped = 0
        self._drop, self._to = 0, b""
        self._flowing = threading.Event()
        self._flowing.set()
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()

    def __enter__(self) -> Proxy:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
        self._flowing.set()
        self.cut()

    def drop_replies(self, count: int, to: str = "EVALSHA") -> None:
        """Let the next `count` script calls (or those with `to` in them) reach the server, swallow their replies and
        close their connections."""
        with self._lock:
            self._drop, self._to = count, to.encode()

    def hang(self, hanging: bool) -> None:
        """Pass nothing on in either direction, with all connections open."""
        self._flowing.clear() if hanging else self._flowing.set()

    def cut(self) -> None:
        """Close every connection."""
        with self._lock:
            sockets = set(self._sockets)
        for end in sockets:
            _close(end)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed
                return
            try:
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                _close(client)
                continue
            with self._lock:
                self._sockets |= {client, server}
            spoilt = threading.Event()
            threading.Thread(target=self._requests, args=(client, server, spoilt), daemon=True).start()
            threading.Thread(target=self._replies, args=(client, server, spoilt), daemon=True).start()

    def _requests(self, client: socket.socket, server: socket.socket, spoilt: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                self._flowing.wait()
                with self._lock:
                    if self._drop and self._to in data:
                        self._drop -= 1
                        self.dropped += 1
                        spoilt.set()
                server.sendall(data)
        self._end(client, server)

    def _replies(self, client: socket.socket, server: socket.socket, spoilt: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(65536):
                self._flowing.wait()
                if spoilt.is_set():
                    break
                client.sendall(data)
        self._end(client, server)

    def _end(self, *ends: socket.socket) -> None:
        with self._lock:
            self._sockets -= set(ends)
        for end in ends:
            _close(end)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
