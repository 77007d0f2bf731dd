"""The server: gunicorn's master and workers, and how they end without cutting off a caller."""

from __future__ import annotations

import gc
import os
import resource
import signal
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.http import wsgi
from prometheus_client import multiprocess

from service.config import Settings
from service.protocol import SERVER
from service.worker import Worker

_FILES = 4096


def run(app: Flask, settings: Settings, announce: Callable[[], None]) -> None:
    """Serve until told to end; `announce` is called once calls are taken. Ends by SystemExit, in the workers as well."""

    def ready(master: Any) -> None:
        _end_gently_on_interrupt(master)
        _read_keys_on_hangup(master, app)
        announce()

    class Server(BaseApplication):
        def load_config(self) -> None:
            for name, value in {
                "bind": f"{settings.url_host}:{settings.port}",
                "workers": settings.workers,
                "threads": settings.threads,
                "worker_class": Worker,
                "preload_app": True,  # OR-Tools is loaded once and shared: 1.2 s and 30 MB a worker less
                "control_socket_disable": True,  # it would be made in HOME, which may not be writable
                "worker_tmp_dir": "/dev/shm" if os.access("/dev/shm", os.W_OK) else None,  # noqa: S108  # a heartbeat file, unlinked at once
                "keepalive": 75,
                "forwarder_headers": "",  # else a caller on this machine could name another SCRIPT_NAME
                "loglevel": "warning",
                "when_ready": ready,
                "post_fork": _end_while_young,
                "post_worker_init": lambda worker: _begin(worker, app),
                "child_exit": _forget,
            }.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            gc.collect()
            gc.freeze()  # what is loaded once need not be searched for garbage again: a sixth off a request
            return app

    wsgi.SERVER = SERVER  # gunicorn has no setting for it
    _raise_limit_of_files()
    Server().run()


def _raise_limit_of_files() -> None:
    """Room for as many connections as a worker takes, where the system allows it: 1,024 files are not enough for 1,000."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _end_gently_on_interrupt(master: Any) -> None:
    """Let Ctrl-C do what SIGTERM does, where gunicorn would cut callers off; it still does so at a second Ctrl-C."""

    def interrupted(_: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, master.signal)
        master.signal(signal.SIGTERM, frame)

    signal.signal(signal.SIGINT, interrupted)


def _read_keys_on_hangup(master: Any, app: Flask) -> None:
    """On SIGHUP, read the keys again, where gunicorn would start other workers: no connection notices."""

    def hung_up() -> None:
        app.config["KEYS"].reread()  # for workers that are forked later
        master.kill_workers(signal.SIGHUP)

    master.handle_hup = hung_up


def _begin(worker: Any, app: Flask) -> None:
    """In a new worker: what it does when it is told to end, or that there are other keys."""
    _drain_when_told(worker, app)

    def hung_up(_: int, __: Any) -> None:
        threading.Thread(target=app.config["KEYS"].reread).start()  # not in here: the log may just be in use

    signal.signal(signal.SIGHUP, hung_up)
    app.config["KEYS"].reread()  # the word may have come while there was nobody to hear it


def _end_while_young(_: Any, __: Any) -> None:
    """Between its fork and its own handlers a worker has the master's, which would swallow the word to end."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _drain_when_told(worker: Any, app: Flask) -> None:
    """On SIGTERM: answer who waits, say so in /readyz as long as calls still come, finish what was begun, end."""
    end: Any = signal.getsignal(signal.SIGTERM)

    def drain(number: int, frame: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough, and an Event may not be set within its setting
        app.config["DRAINING"].set()
        app.config["STORE"].wake()
        for silent in worker.pending_conns:  # opened and never used, as browsers do: they would be waited for
            silent.timeout = 0.0
        end(number, frame)

    signal.signal(signal.SIGTERM, drain)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all; the master tells us


def _forget(_: Any, worker: Any) -> None:
    multiprocess.mark_process_dead(worker.pid)
