"""The games there are, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.game import Game
from engine.rummy.game import GAME as RUMMY
from engine.swoop.game import GAME as SWOOP

GAMES: Final[Mapping[str, Game[Any, Any, Any]]] = {game.name: game for game in (RUMMY, SWOOP)}
