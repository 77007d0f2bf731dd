"""Rules by their hash: those that views are told by it alone are kept in the store, for whoever has not seen them yet."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson

from engine.games import GAMES
from engine.options import rules_hash, to_json
from service.json.codec import write
from service.schemas.game_answers import KnownRules
from service.stores.contract import GameStore
from service.stores.errors import StoreUnavailable


def keep(store: GameStore, game: str, rules: Any) -> bool:
    """Keep the rules of a game; False where the store takes nothing now."""
    found = rules_hash(rules)
    if found in _presets():
        return True
    try:
        store.keep(found, orjson.dumps(write(KnownRules(game, found, to_json(rules)))))
    except StoreUnavailable:
        return False
    return True


def find(store: GameStore, hash: str) -> KnownRules | None:
    """The rules with this hash: those of a preset, or of a game that is or was kept here."""
    if known := _presets().get(hash):
        return known
    kept = store.kept(hash)
    return None if kept is None else KnownRules(**orjson.loads(kept))


@cache
def _presets() -> Mapping[str, KnownRules]:
    return {
        rules_hash(rules): KnownRules(game.name, rules_hash(rules), to_json(rules))
        for game in GAMES.values()
        for rules in game.rules.presets().values()
    }
