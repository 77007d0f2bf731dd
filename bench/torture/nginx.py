"""A real nginx in front of several instances, set up as docs/operations.md says."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.torture.client import Account, Client
from tests.servers import free_port

HOW_TO_INSTALL = "apt-get install nginx-light"
CONFIGURATION = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    keepalive_requests 1000000;
    upstream cardref {{
        {servers}
        keepalive 32;
        keepalive_timeout {idle_ms}ms;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://cardref;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }}
    }}
}}
"""


def find_nginx() -> Path | None:
    """The programme, from the PATH or where Debian puts it."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    return Path(found) if found else None


@contextmanager
def proxied(program: Path, folder: Path, ports: Sequence[int], idle_ms: int) -> Iterator[int]:
    """The port of an nginx before instances on these ports; ended at the end."""
    folder.mkdir()
    port = free_port()
    servers = "\n        ".join(f"server 127.0.0.1:{each} max_fails=0;" for each in ports)
    file = folder / "nginx.conf"
    file.write_text(CONFIGURATION.format(folder=folder, servers=servers, idle_ms=idle_ms, port=port))
    process = subprocess.Popen([str(program), "-c", str(file), "-p", str(folder)], stderr=subprocess.DEVNULL)
    try:
        client, until = Client(port, Account()), time.monotonic() + 20
        while (answer := client.call("GET", "/readyz")) is None or answer.status != 200:
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"nginx did not start:\n{(folder / 'nginx.log').read_text()}")
            time.sleep(0.05)
        client.close()
        yield port
    finally:
        process.terminate()
        process.wait(10)
