"""The apps that may call: their keys and limits, from a variable and from a file that may change while the service runs."""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from service.callers import limits
from service.callers.auth import Keys, by_digest
from service.callers.limits import Limits

FORM = "name:sha256hex (a name of A-Za-z0-9._-, the key's SHA-256 in 64 hex digits)"
_ENTRY = re.compile(r"([A-Za-z0-9._-]{1,64}):([0-9a-fA-F]{64})")
MOST_BYTES = 16 * 1024 * 1024  # of the file: some 150,000 keys
_log = structlog.get_logger()


class WrongKeys(ValueError):
    """Keys that cannot be read. What is wrong is told, never the text itself: it may hold a secret in the wrong place."""


@dataclass(frozen=True, slots=True)
class Apps:
    """The keys, and the limits of those names that have their own; `usual` are everyone else's (None: none in open mode)."""

    keys: Keys = ()
    own: Mapping[str, Limits] = field(default_factory=dict)
    usual: Limits | None = None
    names: Mapping[bytes, str] = field(init=False)  # by the digest of each key

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", by_digest(self.keys))

    def limits_of(self, name: str) -> Limits | None:
        """The limits of an app; None where it has none."""
        return self.own.get(name, self.usual)


def entry(text: str) -> tuple[str, bytes]:
    """One ``name:sha256hex``. Raises `WrongKeys`."""
    match = _ENTRY.fullmatch(text)
    if match is None:
        raise WrongKeys(f"must be {FORM}")
    return match[1], bytes.fromhex(match[2])


def refuse_shared(keys: Keys) -> None:
    """Raise `WrongKeys` where one key stands for two names: whose games it opened would be a matter of order."""
    known: dict[bytes, str] = {}
    for name, digest in keys:
        if known.setdefault(digest, name) != name:
            raise WrongKeys(f"has one key for two names, {known[digest]} and {name}")


def read_file(text: str, usual: Limits) -> Apps:
    """The apps of a file: on each line ``name:sha256hex``, and then limits, if the name has its own; ``#`` begins a comment.
    Raises `WrongKeys`, which names the line. A file without keys is wrong: it must not open the service to everyone."""
    keys: dict[bytes, tuple[str, int]] = {}
    own: dict[str, tuple[Limits, int]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].strip().split(maxsplit=1)
        if not words:
            continue
        try:
            name, digest = entry(words[0])
            if digest in keys:
                raise WrongKeys(f"has the same key as line {keys[digest][1]}")
            keys[digest] = name, number
            if len(words) > 1:
                given = limits.read(words[1], usual)
                if own.setdefault(name, (given, number))[0] != given:
                    raise WrongKeys(f"has other limits for this name than line {own[name][1]}")
        except ValueError as wrong:
            raise WrongKeys(f"line {number} {wrong}") from None
    if not keys:
        raise WrongKeys("holds no key")
    return Apps(
        tuple((name, digest) for digest, (name, _) in keys.items()),
        {name: given for name, (given, _) in own.items()},
        usual,
    )


class KeyRing:
    """The apps as they are now. Safe to share between threads: what is read anew takes the place of the old at once, whole."""

    def __init__(self, given: Keys, file: Path | None, usual: Limits | None) -> None:
        """Of the keys `given` and those in the file. Raises `WrongKeys`, also for a file that cannot be read. `usual`: limits that
        were chosen; None for the default ones, which there are none of in open mode."""
        self._given, self._file, self._usual = given, file, usual
        self.apps = self._read()

    def reread(self) -> None:
        """Read the file again; one that is wrong changes nothing, and the log says why."""
        if self._file is None:
            return
        try:
            found = self._read()
        except WrongKeys as wrong:
            _log.error("keys_kept", file=str(self._file), reason=str(wrong))
            return
        if found != self.apps:
            self.apps = found
            _log.info("keys_read", file=str(self._file), keys=len(found.keys))

    def _read(self) -> Apps:
        if self._file is None:
            return Apps(self._given, usual=self._usual or (Limits() if self._given else None))
        found = read_file(_text_of(self._file), self._usual or Limits())
        all_keys = (*self._given, *found.keys)
        refuse_shared(all_keys)
        return Apps(all_keys, found.own, found.usual)


def _text_of(file: Path) -> str:
    """What stands in the file. Raises `WrongKeys`; what is no file might never come to its end, or block."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise WrongKeys("cannot be read: it is no regular file")
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise WrongKeys(f"cannot be read: it is larger than {MOST_BYTES:,} bytes")
        return data.decode("utf-8-sig")  # some editors begin a file with a mark
    except OSError as wrong:
        raise WrongKeys(f"cannot be read: {wrong.strerror}") from None
    except UnicodeDecodeError:
        raise WrongKeys("cannot be read: it is not UTF-8") from None
