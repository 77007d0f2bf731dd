"""What stands before a service and now and then has no answer to give: 503 or a cut connection, with the call carried out or not."""

from __future__ import annotations

import http.client
import itertools
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

UNAVAILABLE = {
    "type": "/docs/errors#store_unavailable",
    "title": "Store unavailable",
    "status": 503,
    "detail": "The store cannot be reached.",
    "code": "store_unavailable",
    "request_id": "front-1",
}


@contextmanager
def failing(url: str, *, cut: bool = False) -> Iterator[str]:
    """The address of a front of the service at `url`. Of the POSTs it loses every fifth one's answer, and every seventh whole.
    `cut`: then the caller hears nothing, instead of 503."""
    host = urlsplit(url).netloc
    numbers = itertools.count(1)

    class Front(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._pass_on(0)

        def do_POST(self) -> None:
            self._pass_on(next(numbers))

        def _pass_on(self, number: int) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            if number and number % 7 == 0:
                self._fail()
                return
            line = http.client.HTTPConnection(host, timeout=60)
            line.request(self.command, self.path, body or None, dict(self.headers))
            answer = line.getresponse()
            content = answer.read()
            line.close()
            if number and number % 5 == 0:
                self._fail()
                return
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name not in ("Connection", "Transfer-Encoding"):
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def _fail(self) -> None:
            if cut:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            content = json.dumps(UNAVAILABLE).encode()
            self.send_response_only(503)
            self.send_header("Content-Type", "application/problem+json")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Front) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
