"""How many cores this process may use: what its affinity and its control groups leave of the machine's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from math import ceil
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")
_OWN = Path("/proc/self/cgroup")


def cores() -> int:
    """How many cores there are for this process, at least one."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return allowed(there, _OWN, _GROUPS)


def allowed(there: int, own: Path, groups: Path) -> int:
    """How many of so many cores the quotas leave, rounded up: those of the control groups listed in `own`, a file such as
    /proc/self/cgroup, and of the groups around them, whose files lie under `groups`. What cannot be read limits nothing."""
    return max(1, min([there, *(ceil(quota) for quota in _quotas(own, groups))]))


def _quotas(own: Path, groups: Path) -> Iterator[float]:
    lines = [line.split(":", 2) for line in _words(own, "\n") if line.count(":") >= 2]
    for _, controllers, path in lines:
        if not controllers:  # the second version: every controller in one tree; beside the first one it lies deeper
            for mount in (groups, groups / "unified"):
                for group in _inwards(mount, path):
                    yield from _quota(*_words(group / "cpu.max"))
        elif "cpu" in controllers.split(","):
            for mount in {groups / controllers, groups / "cpu"}:
                for group in _inwards(mount, path):
                    yield from _quota(*_words(group / "cpu.cfs_quota_us"), *_words(group / "cpu.cfs_period_us"))


def _inwards(mount: Path, path: str) -> list[Path]:
    """The group and those around it. In a container the path may be the machine's, and lead nowhere: the container's own group
    is then the mount itself."""
    parts = [part for part in path.split("/") if part not in ("", "..")]
    return [mount.joinpath(*parts[:depth]) for depth in range(len(parts) + 1)]


def _quota(*said: str) -> Iterator[float]:
    """Microseconds in each period of so many; ``max`` or -1: as many as there are."""
    with suppress(ValueError, ZeroDivisionError):
        quota, period = map(int, said)
        if quota > 0 and period > 0:
            yield quota / period


def _words(file: Path, separator: str | None = None) -> list[str]:
    try:
        return file.read_text().strip().split(separator)
    except (OSError, UnicodeDecodeError):
        return []
