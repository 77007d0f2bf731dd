"""Environment -> frozen `Settings`: one table, every variable documented. A wrong value is refused at the start."""

from __future__ import annotations

import dataclasses
import difflib
import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from service.callers import keys, limits
from service.callers.auth import Keys
from service.callers.keys import KeyRing
from service.callers.limits import Limits

VERSION = "0.1.0"  # of the product: a wheel takes it from here, too (pyproject.toml)
ROOT = Path(__file__).parent.parent  # of the project


class WrongSetting(ValueError):
    """A variable with a value that it cannot have, or settings that do not go together."""


def variable(name: str, default: Any, parse: Callable[[str], Any], sentence: str) -> Any:
    """A field of `Settings` that the environment sets."""
    return dataclasses.field(default=default, metadata={"name": name, "parse": parse, "sentence": sentence})


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise WrongSetting(f"must be a whole number from {low} to {high}")
        return int(text)

    return parse


def _share(text: str) -> float:
    if not re.fullmatch(r"[01]|[01]?\.[0-9]{1,9}", text) or not 0 <= float(text) <= 1:
        raise WrongSetting("must be a number from 0 to 1, such as 0.01")
    return float(text)


def _one_of(*allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in allowed:
            raise WrongSetting(f"must be one of {', '.join(allowed)}")
        return text

    return parse


def _yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise WrongSetting("must be yes or no")
    return text == "yes"


def _host(text: str) -> str:
    name = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    try:
        name.encode("idna")  # as the system's resolver is asked
    except UnicodeError:
        name = ""
    if not name or "[" in name or "]" in name:
        raise WrongSetting("must be an address or the name of a host, such as 127.0.0.1, ::1 or localhost")
    return text


def _keys(text: str) -> Keys:
    try:
        found = tuple(keys.entry(part.strip()) for part in text.split(",") if part.strip())
    except keys.WrongKeys as wrong:
        raise WrongSetting(f"{wrong}, parted by commas") from None
    if not found:  # which must not open the service to everyone
        raise WrongSetting("holds no key; leave it unset for open mode")
    try:
        keys.refuse_shared(found)
    except keys.WrongKeys as wrong:
        raise WrongSetting(str(wrong)) from None
    return found


def _limits(text: str) -> Limits:
    try:
        return limits.read(text, Limits())
    except ValueError as wrong:
        raise WrongSetting(str(wrong)) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the service runs; defaults are for one machine and one developer."""

    host: str = variable("CARDREF_HOST", "127.0.0.1", _host, "The address to listen on.")
    port: int = variable("CARDREF_PORT", 8000, _whole(1, 65535), "The port to listen on.")
    workers: int = variable("CARDREF_WORKERS", 2, _whole(1, 256), "Worker processes.")
    threads: int = variable(
        "CARDREF_THREADS", 8, _whole(1, 256), "Threads in each worker for what the disk keeps waiting: calls of the SQLite file."
    )  # fmt: skip
    waiters: int = variable(
        "CARDREF_WAITERS", 5000, _whole(0, 100_000), "Long polls that may wait in each worker; one more is answered at once."
    )  # fmt: skip
    drain_seconds: int = variable(
        "CARDREF_DRAIN_SECONDS", 5, _whole(0, 600),
        "Seconds for which calls are still taken after SIGTERM, while /readyz is 503 and each answer closes its connection.",
    )  # fmt: skip
    api_keys: Keys = variable(  # noqa: RUF009  # it makes a field
        "CARDREF_API_KEYS", (), _keys,
        "The apps that may call: name:sha256hex,…; a name may stand twice, for rotation. Unset: open mode, everyone may.",
    )  # fmt: skip
    api_keys_file: Path | None = variable(  # noqa: RUF009  # so does this
        "CARDREF_API_KEYS_FILE", None, Path,
        "A file with more of them, one a line, with their limits; read again on SIGHUP.",
    )  # fmt: skip
    limits: Limits | None = variable(  # noqa: RUF009  # and this
        "CARDREF_LIMITS", None, _limits,
        "The limits of apps that have none of their own: requests=…,solves=…,games=…,bytes=…,waiters=…; in open mode, those of all callers together.",
    )  # fmt: skip
    open: bool = variable(
        "CARDREF_OPEN", False, _yes, "yes: open mode is meant on an address that is not a loopback one."
    )
    store: str = variable(
        "CARDREF_STORE", "", str,
        "Where hosted games are kept: redis://…, rediss://…, redis+sentinel://…, redis+cluster://…; unset: a SQLite file under CARDREF_DATA.",
    )  # fmt: skip
    data: Path = variable("CARDREF_DATA", Path("var"), Path, "The folder of the SQLite file.")  # noqa: RUF009  # it makes a field
    durability: Literal["standard", "durable"] = variable(
        "CARDREF_DURABILITY", "standard", _one_of("standard", "durable"),
        "durable: a change is answered once a replica of Redis has it, too.",
    )  # fmt: skip
    accept_loss: bool = variable(
        "CARDREF_ACCEPT_LOSS", False, _yes, "yes: games are kept in a Redis that may throw them away, instead of being refused."
    )  # fmt: skip
    live_ttl: int = variable(
        "CARDREF_LIVE_TTL", 24 * 3600, _whole(1, 366 * 24 * 3600), "Seconds that a hosted game is kept after its last change."
    )  # fmt: skip
    over_ttl: int = variable(
        "CARDREF_OVER_TTL", 7 * 24 * 3600, _whole(1, 366 * 24 * 3600), "Seconds that it is kept once its match is over."
    )  # fmt: skip
    solver: Literal["auto", "cp-sat"] = variable(
        "CARDREF_SOLVER", "auto", _one_of("auto", "cp-sat"), "cp-sat: prove every grouping by CP-SAT, never by the reduction."
    )  # fmt: skip
    compiled: Literal["auto", "no"] = variable(
        "CARDREF_COMPILED", "auto", _one_of("auto", "no"), "no: group hands by plain Python, even where the search is compiled."
    )  # fmt: skip
    audit: float = variable(
        "CARDREF_AUDIT", 0.01, _share, "The share of the solver's answers that CP-SAT proves again in the background, from 0 to 1."
    )  # fmt: skip
    solvers: int = variable(
        "CARDREF_SOLVERS", 0, _whole(0, 256), "Processes in which a worker solves long batches; 0: one for each core that it may use, 1 (or one core): none of their own."
    )  # fmt: skip
    log: Literal["requests", "errors"] = variable(
        "CARDREF_LOG", "requests", _one_of("requests", "errors"), "What is logged, one JSON line each: every request, or faults only."
    )  # fmt: skip

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read every variable; an empty one counts as unset. Raises `WrongSetting` naming the first that is wrong."""
        settings, faults = cls.read(environment)
        if faults:
            raise WrongSetting(faults[0])
        return settings

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> tuple[Settings, list[str]]:
        """The settings, as far as they are right, and what is wrong with each of the others.

        A variable that begins like ours and is none is a slip, which would else leave a setting at its default unnoticed.
        """
        faults = []
        known = [field.metadata["name"] for field in dataclasses.fields(cls)]
        for name in sorted(environment):
            if name.startswith("CARDREF_") and environment[name] and name not in known:
                nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
                faults.append(f"{name} is no setting; {nearest} is the nearest one")
        found = {}
        for field in dataclasses.fields(cls):
            name = field.metadata["name"]
            if text := environment.get(name, ""):
                try:
                    found[field.name] = field.metadata["parse"](text)
                except WrongSetting as wrong:
                    faults.append(f"{name} {wrong}")
        return cls(**found), faults

    @property
    def place(self) -> str:
        """Where games are kept, without what would let others in."""
        return "Redis" if self.store else str(self.data.absolute())

    @property
    def url_host(self) -> str:
        """The host as it stands in a URL: an IPv6 address in brackets."""
        return f"[{self.host}]" if ":" in self.host and not self.host.startswith("[") else self.host

    @property
    def has_keys(self) -> bool:
        """Whether apps need keys; if not, it is open mode."""
        return bool(self.api_keys) or self.api_keys_file is not None

    def key_ring(self) -> KeyRing:
        """The apps that may call. Raises `WrongSetting` where the file of keys is wrong."""
        try:
            return KeyRing(self.api_keys, self.api_keys_file, self.limits)
        except keys.WrongKeys as wrong:
            raise WrongSetting(f"CARDREF_API_KEYS_FILE {wrong}") from None

    def refuse_open_to_the_world(self) -> None:
        """Raise `WrongSetting` where anyone on the network could call without a key and nobody said that this is meant."""
        if not self.has_keys and not self.open and not _is_loopback(self.host):
            raise WrongSetting(
                f"CARDREF_HOST is {self.host} and neither CARDREF_API_KEYS nor CARDREF_API_KEYS_FILE is set: everyone who reaches the address could call. "
                "Set keys, or CARDREF_OPEN=yes if that is meant"
            )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
