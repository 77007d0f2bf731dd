"""Preconditions: which version of a game a change was decided on, as `ETag` and `If-Match` say it."""

from __future__ import annotations

import re

from service.problems.refusals import Refusal

_FORM = re.compile(r'"v[1-9][0-9]*"')


def check(if_match: str | None, version: int) -> None:
    """Raise the refusal of a call that does not name the version it was decided on."""
    if if_match is None or if_match.strip() == "*":
        raise Refusal("version_required")
    if not _FORM.fullmatch(if_match.strip()):
        raise stale(version, f"If-Match must be one version, in quotes and not weak: If-Match: {etag(version)}")
    if if_match.strip() != etag(version):
        raise stale(version)


def stale(version: int, why: str = "") -> Refusal:
    """The refusal that tells the current version."""
    detail = why or f"the game has moved on; what is decided on it as it is now goes with If-Match: {etag(version)}"
    return Refusal("stale_version", f"{detail} (it is at version {version})", {"ETag": etag(version)}, version=version)


def etag(version: int) -> str:
    return f'"v{version}"'
