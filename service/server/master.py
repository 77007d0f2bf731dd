"""The server: gunicorn's master and workers, and how they end without cutting off a caller."""

from __future__ import annotations

import gc
import mmap
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

import gevent
from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.http import wsgi
from prometheus_client import multiprocess

from service.config import Settings
from service.http.protocol import SERVER
from service.server.worker import Worker

_CONNECTIONS = 10_000  # a worker
_FILES_BESIDES = 512  # for the store, the log, the counters
_FINISH_SECONDS = 30  # for what was begun
# How long a thread that waits for the file lets the others compute. It has to wait after each of some ten statements of a move:
# with Python's own 5 ms moves take a quarter of a second while hands are solved.
_SWITCH_SECONDS = 0.0005


class Ending:
    """How the service ends, as the master tells its workers: they inherit this memory. A worker that is replaced ends alone."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 1)

    def say(self, how: bytes) -> None:
        """``stop``, or ``now``: nothing shall be waited for."""
        self._memory[0:1] = how[:1]

    @property
    def of_all(self) -> bool:
        """Whether all workers end, and with them the socket they listen on."""
        return self._memory[0:1] != b"\0"

    @property
    def drains(self) -> bool:
        """Whether there is time for balancers and callers to turn elsewhere."""
        return self._memory[0:1] != b"n"


def run(app: Flask, settings: Settings, announce: Callable[[], None]) -> None:
    """Serve until told to end; `announce` is called once calls are taken. Ends by SystemExit, in the workers as well."""
    ending = Ending()

    def ready(master: Any) -> None:
        _say_how_it_ends(master, ending)
        _read_keys_on_hangup(master, app)
        announce()

    class Server(BaseApplication):
        def load_config(self) -> None:
            for name, value in {
                "bind": f"{settings.url_host}:{settings.port}",
                "workers": settings.workers,
                "worker_connections": connections,
                "worker_class": Worker,
                "graceful_timeout": settings.drain_seconds + _FINISH_SECONDS,
                "preload_app": True,  # OR-Tools is loaded once and shared: 1.2 s and 30 MB a worker less
                "control_socket_disable": True,  # it would be made in HOME, which may not be writable
                "worker_tmp_dir": "/dev/shm" if os.access("/dev/shm", os.W_OK) else None,  # noqa: S108  # a heartbeat file, unlinked at once
                "keepalive": 75,
                "forwarder_headers": "",  # else a caller on this machine could name another SCRIPT_NAME
                "loglevel": "warning",
                "when_ready": ready,
                "post_fork": _end_while_young,
                "post_worker_init": lambda worker: _begin(worker, app, settings, ending),
                "child_exit": _forget,
            }.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            gc.collect()
            gc.freeze()  # what is loaded once need not be searched for garbage again: a sixth off a request
            return app

    wsgi.SERVER = SERVER  # gunicorn has no setting for it
    connections = _room_for_connections()
    Server().run()


def _room_for_connections() -> int:
    """How many connections a worker takes: as many as it may have files, where the system does not allow enough."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _CONNECTIONS + _FILES_BESIDES
    files = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(files - _FILES_BESIDES, files // 2)


def _say_how_it_ends(master: Any, ending: Ending) -> None:
    """Let Ctrl-C do what SIGTERM does, but without draining, where gunicorn would cut callers off; it still does so at a
    second Ctrl-C."""

    def interrupted(_: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, master.signal)
        ending.say(b"now")
        master.signal(signal.SIGTERM, frame)

    def terminated(number: int, frame: Any) -> None:
        ending.say(b"stop")
        master.signal(number, frame)

    signal.signal(signal.SIGINT, interrupted)
    signal.signal(signal.SIGTERM, terminated)


def _read_keys_on_hangup(master: Any, app: Flask) -> None:
    """On SIGHUP, read the keys again, where gunicorn would start other workers: no connection notices."""

    def hung_up() -> None:
        app.config["KEYS"].reread()  # for workers that are forked later
        master.kill_workers(signal.SIGHUP)

    master.handle_hup = hung_up


def _begin(worker: Any, app: Flask, settings: Settings, ending: Ending) -> None:
    """In a new worker: what it does when it is told to end, or that there are other keys."""
    worker.on_drain = app.config["DRAINING"].set
    worker.on_last = lambda: (app.config["ENDING"].set(), app.config["WAITERS"].close())
    worker.ends_all = lambda: ending.of_all
    worker.drain_seconds = lambda: settings.drain_seconds if ending.drains else 0
    gevent.get_hub().threadpool_size = settings.threads
    sys.setswitchinterval(_SWITCH_SECONDS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all; the master tells us

    def hung_up(_: int, __: Any) -> None:
        gevent.spawn(app.config["KEYS"].reread)  # not in here: the log may just be in use

    signal.signal(signal.SIGHUP, hung_up)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
    app.config["KEYS"].reread()  # the word may have come while there was nobody to hear it


def _end_while_young(_: Any, __: Any) -> None:
    """Between its fork and its own handlers a worker has the master's, which would swallow the word to end, and then none:
    the word that there are other keys would end it, and has to wait."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})


def _forget(_: Any, worker: Any) -> None:
    multiprocess.mark_process_dead(worker.pid)
