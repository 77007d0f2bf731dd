"""Cardref from Python: every call typed, sent again as long as it may help, a game followed as it is played.

`Cardref` is the client, `AsyncCardref` the same for asynchronous callers; `cardref_client.types` has a type for every request and
answer, each a dict as it stands in JSON.
"""

from cardref_client import types
from cardref_client._async_client import AsyncCardref
from cardref_client._client import Cardref
from cardref_client.errors import CardrefError, Illegal, Refused, StaleVersion, Unanswered
from cardref_client.positions import LoggedEvent, Position, View

__all__ = [
    "AsyncCardref",
    "Cardref",
    "CardrefError",
    "Illegal",
    "LoggedEvent",
    "Position",
    "Refused",
    "StaleVersion",
    "Unanswered",
    "View",
    "types",
]
