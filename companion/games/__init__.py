"""The games, each a package of pure functions over positions. Found by name: adding a package adds a game.

A package with a module ``game`` is refereed at a table (:class:`companion.games.game.Game`); one with a module ``queries``
answers questions about positions written as JSON (:mod:`companion.games.queries`).
"""

import json
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput, CompanionError
from companion.games.game import Game, Json, lacking
from companion.games.queries import Queries

DEFAULT = "mr-jack-london"
"""What is played when nobody says which."""


@cache
def _with(module: str) -> tuple[str, ...]:
    """Ids of the packages that have this module, in alphabetical order."""
    packages = [entry.name for entry in pkgutil.iter_modules(__path__) if entry.ispkg]
    having = [name for name in packages if any((Path(folder) / name / f"{module}.py").exists() for folder in __path__)]
    return tuple(sorted(name.replace("_", "-") for name in having))


def available() -> tuple[str, ...]:
    """Ids of the games that can be played at a table."""
    return _with("game")


@cache
def commands() -> Mapping[str, Json]:
    """Commands of a prompt that games add by a file ``commands.json``: by name, what each says of itself (``help``,
    ``description``) and how it writes what everybody may work out from a position (``lines`` by key, ``reasons``)."""
    files = sorted(path for folder in __path__ for path in Path(folder).glob("*/commands.json"))
    found: dict[str, Json] = {}
    for path in files:
        found |= json.loads(path.read_text(encoding="utf-8"))
    return MappingProxyType(found)


def load(game_id: str = DEFAULT) -> Game:
    """The game of that id. Raises BadInput for a game we do not have."""
    if game_id not in available():
        raise BadInput(f"game {game_id!r} is not known; there are: {', '.join(available())}")
    return _loaded(game_id)


@cache
def _loaded(game_id: str) -> Game:
    package = f"companion.games.{game_id.replace('-', '_')}"
    game: Game = import_module(package).GAME
    missing = lacking(game)
    if missing:
        raise CompanionError(f"{package}: its GAME has no answer to {', '.join(missing)}")
    return game


def queries_of(data: Any) -> Queries | None:
    """The queries of the game that a JSON value is about: the one it names, else the one that knows it by its form; None
    where no game with queries does."""
    for game_id in _with("queries"):
        queries: Queries = import_module(f"companion.games.{game_id.replace('-', '_')}.queries").QUERIES
        if queries.recognises(data):
            return queries
    return None
