"""What a store is found to be, besides there."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

Note = Callable[[Collection[str]], None]  # is told what a store is found to be: notices, and "unsafe"
NoticeCode = Literal["accepted_loss", "not_persistent", "unknown_policy", "unknown_persistence"]


@dataclass(frozen=True, slots=True)
class Notice:
    """What whoever runs the service should know of a store that works all the same."""

    code: NoticeCode
    sentence: str
