"""Who may know of a game, and whose eyes it is shown to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.errors import Flaw, Invalid
from service.callers.auth import App
from service.hosted import tokens
from service.hosted.table import Setup, Table, mark_of, read_setup, read_table
from service.hosted.tokens import Claim
from service.problems.refusals import Refusal
from service.schemas.game_queries import Eyes
from service.stores.contract import Game, GameStore, Seen
from service.stores.errors import Denied, Expired, NotFound
from service.stores.readers import Holder, Owner, Reader

Caller = App | Claim


@dataclass(frozen=True)
class GameAccess:
    """A game that its caller may know of. What is stored is read when it is needed: a repeat needs none of it.

    `guessed`: it is what this process remembers. A change that succeeds on it is good, for the store compares what it was
    decided on, and so is a log that is read, for the store compares who asks; a refusal is not, for the game may have moved on.
    """

    caller: Caller
    scope: tuple[str, str]
    game: Game
    setup: Setup
    guessed: bool = False

    @cached_property
    def table(self) -> Table:
        """The game at its version."""
        return read_table(self.setup.game, self.game.blob)

    @property
    def seat(self) -> int | None:
        """The seat that calls; None for an app or a spectator."""
        return self.caller.seat if isinstance(self.caller, Claim) else None

    @property
    def seen(self) -> Seen:
        """What a change of it is decided on."""
        by = self.caller
        return Seen(
            self.game.info, self.game.blob, (by.name, self.game.tokens[by.name]) if isinstance(by, Claim) else None
        )


def caller_name(caller: Caller) -> str:
    """Who calls, as far as repeats are concerned: two seats may use the same key, two keys of one app may not."""
    return caller.name if isinstance(caller, Claim) else "app"


def open_game(
    store: GameStore, id: str, caller: Caller, scope: tuple[str, str], request_keys: tuple[str, ...]
) -> GameAccess:
    """The game, if the caller may know of it; with the known answers to the requests. `scope`: the route and who calls.

    Raises the refusals ``not_found`` (alike for what is not there and what is not the caller's), ``expired`` (for the
    owner), ``unauthenticated`` (for a token of this game that has been replaced).
    """
    try:
        game = store.load(id, request_keys, reader(caller))
    except NotFound:
        raise _unknown(caller, _NOBODYS) from None
    except Denied as denied:
        raise _unknown(caller, mark_of(denied.info)) from None
    except Expired as gone:
        raise lapsed(gone, caller) from None
    return _admit(GameAccess(caller, scope, game, read_setup(game.info)))


_NOBODYS = tokens.new_mark()  # of the game that is not there: it is compared as that of one that is


def reader(caller: Caller) -> Reader:
    """The caller, as stores compare who asks."""
    return Owner(caller.name) if isinstance(caller, App) else Holder(caller.name, tokens.fingerprint(caller.token))


def _unknown(caller: Caller, mark: str) -> Refusal:
    """The refusal of somebody who may not know of the game: only a token that has been valid here may be told so."""
    replaced = isinstance(caller, Claim) and tokens.standing(caller, {}, mark) == "replaced"
    return Refusal("unauthenticated" if replaced else "not_found")


def guess_game(game: Game, caller: Caller, scope: tuple[str, str]) -> GameAccess | None:
    """A remembered game, as `open_game` would find it. Raises what `open_game` does; nobody may be told so on this account."""
    if not _is_known(game, caller):
        return None
    return _admit(GameAccess(caller, scope, game, read_setup(game.info), guessed=True))


def _is_known(game: Game, caller: Caller) -> bool:
    """Whether the caller is the one it says: for others a game that is remembered takes no more work than one that is not."""
    if isinstance(caller, App):
        return caller.name == game.owner
    return game.tokens.get(caller.name) == tokens.fingerprint(caller.token)


def _admit(access: GameAccess) -> GameAccess:
    caller, game = access.caller, access.game
    if isinstance(caller, App):
        if caller.name != game.owner:
            raise Refusal("not_found")
    else:
        standing = tokens.standing(caller, game.tokens, access.setup.mark)
        if standing != "valid":
            raise Refusal("unauthenticated" if standing == "replaced" else "not_found")
    return access


def lapsed(gone: Expired, caller: Caller) -> Refusal:
    """The refusal of a game that has expired: only its owner may know that it was there."""
    return Refusal("expired" if isinstance(caller, App) and caller.name == gone.owner else "not_found")


def eyes(access: GameAccess, asked_for: Eyes) -> Eyes:
    """Whose eyes the game is shown to: a player's own, or those that an app asks for. Raises `Invalid`."""
    if isinstance(access.caller, Claim):
        return access.seat
    if isinstance(asked_for, int) and asked_for not in range(len(access.setup.seats)):
        raise Invalid(Flaw("?seat", f"no such seat; the seats are 0 to {len(access.setup.seats) - 1}"))
    return asked_for
