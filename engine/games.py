"""The games there are, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine import rummy, swoop
from engine.game import Game

GAMES: Final[Mapping[str, Game[Any, Any, Any]]] = {game.name: game for game in (rummy.GAME, swoop.GAME)}
