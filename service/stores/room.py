"""How much room games take, as it is counted: alike in every store, and near to what it is.

A game takes what its set-up, its state, its log and the kept answers to its requests are long, and something besides for each
of them; of that whole blocks are counted. It is counted for as long as anything of it is in the store, and what a store says of
an owner is the sum over all that is.
"""

from __future__ import annotations

import re

from service.stores.contract import NewGame

GAME = 1_000  # bytes besides: the tokens, the times, the index
ENTRY = 100  # … of an entry of the log, and of an answer
BLOCK = 16_384  # an owner's sum changes by blocks: seldom, for in a cluster it is kept elsewhere than the game
ANSWERS = 2_000  # the latest of a game that are kept, whatever their age; and that to its create


def of_new(new: NewGame, answer: bytes) -> int:
    """The bytes that a game takes when it is created with this answer."""
    return GAME + len(new.info) + len(new.blob) + ENTRY + len(new.events) + ENTRY + len(answer)


def counted(taken: int) -> int:
    """What is counted for so many bytes: whole blocks."""
    return -(-taken // BLOCK) * BLOCK


def in_numbers(text: str) -> str:
    """Text in which the names of these sizes stand, with the sizes in their place."""
    sizes = {"GAME": GAME, "ENTRY": ENTRY, "BLOCK": BLOCK, "ANSWERS": ANSWERS}
    return re.sub(r"\b(GAME|ENTRY|BLOCK|ANSWERS)\b", lambda found: str(sizes[found[0]]), text)
