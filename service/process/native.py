"""Threads of the system itself, for what holds a thread until it is done: a disk, a lock on a file.

The service runs on gevent (`service.server.master`): its `threading` makes greenlets, all of which would wait for such a call. What
is taken from here is native with gevent and without, in tests as in service.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import gevent
from gevent import monkey

T = TypeVar("T")

allocate_lock: Callable[[], Any]
start_thread: Callable[..., int]
allocate_lock = monkey.get_original("_thread", "allocate_lock")
start_thread = monkey.get_original("_thread", "start_new_thread")


def patch() -> None:
    """Let waiting for a socket, a lock or the time switch to another greenlet. To be called before anything else is imported."""
    monkey.patch_all()


def call(function: Callable[..., T], *given: Any, **more: Any) -> T:
    """What the function returns or raises; where threads are greenlets, in a thread of the system, while others go on."""
    if not monkey.is_module_patched("threading"):
        return function(*given, **more)
    fault, done = gevent.get_hub().threadpool.apply(_kept, (function, given, more))
    try:
        if fault is not None:
            raise fault
        found: T = done
        return found
    finally:
        del fault  # whose traceback leads here


def _kept(function: Callable[..., Any], given: tuple[Any, ...], more: dict[str, Any]) -> tuple[Exception | None, Any]:
    """What is raised, as a value: gevent would write it to the log, also where somebody waits for it and makes an answer of it."""
    try:
        return None, function(*given, **more)
    except Exception as fault:  # noqa: BLE001  # whoever waits raises it
        return fault, None


def aside(function: Callable[..., T], *given: Any) -> T:
    """What the function returns or raises; where threads are greenlets, in one of its own, so that what it needed of a stack is
    not kept by a caller who waits afterwards (16 KB each)."""
    if not monkey.is_module_patched("threading"):
        return function(*given)
    done: T = gevent.spawn(function, *given).get()
    return done


def start(function: Callable[..., object], *given: Any) -> None:
    """Call the function aside, and do not wait for it."""
    if monkey.is_module_patched("threading"):
        gevent.spawn(function, *given)
    else:
        threading.Thread(target=function, args=given, daemon=True).start()


def give_way() -> None:
    """Where threads are greenlets: let all others go first that can, among them those who have just called."""
    if monkey.is_module_patched("threading"):
        hub = gevent.get_hub()
        turn = hub.loop.timer(0.0, priority=-2)  # after the next look at the sockets; `sleep(0)` ends before it
        try:
            hub.wait(turn)
        finally:
            turn.close()
