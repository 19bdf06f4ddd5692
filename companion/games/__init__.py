"""The games, each a package of pure functions over positions. Found by name: adding a package adds a game. Packages of others
bring games as well (:mod:`companion.plugins`).

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

from companion import plugins
from companion.errors import BadInput, CompanionError, quoted
from companion.games.game import Game, Json, lacking
from companion.games.queries import Queries

DEFAULT = "mr-jack-london"
"""What is played when nobody says which."""


@cache
def _shipped_with(module: str) -> tuple[str, ...]:
    """Ids of the packages of this folder that have this module, in alphabetical order."""
    packages = [entry.name for entry in pkgutil.iter_modules(__path__) if entry.ispkg]
    having = [name for name in packages if any((Path(folder) / name / f"{module}.py").exists() for folder in __path__)]
    return tuple(sorted(name.replace("_", "-") for name in having))


def _with(module: str) -> tuple[str, ...]:
    """Ids of all games whose packages have this module: the shipped ones, then those of others, each in alphabetical order."""
    shipped = _shipped_with(module)
    return (*shipped, *(game_id for game_id in plugins.bringing(f"{module}.py") if not _ships(game_id)))


def _ships(game_id: str) -> bool:
    return game_id in _shipped_with("__init__")


def _package(game_id: str) -> str:
    """The dotted name of a game's package; a shipped game goes before one of the same id that another package brings."""
    return f"{__name__}.{game_id.replace('-', '_')}" if _ships(game_id) else plugins.packages()[game_id]


def register(game_id: str, package: str) -> None:
    """Let a game that another package brings be known from now on (:func:`companion.plugins.register`). Raises CompanionError
    where a shipped game or another package has this id, or there is no such package."""
    if _ships(game_id):
        raise CompanionError(f"the game {quoted(game_id)} comes with the companion, {package} cannot bring another")
    plugins.register(game_id, package)


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
    if game_id not in _shipped_with("game") and game_id not in available():
        raise BadInput(f"game {quoted(game_id)} is not known; there are: {', '.join(available())}")
    game = _loaded(_package(game_id))
    if game.id != game_id:
        raise CompanionError(f"{_package(game_id)}: its GAME has the id {quoted(game.id)}, not {quoted(game_id)}")
    return game


@cache
def _loaded(package: str) -> Game:
    game: Game = import_module(package).GAME
    missing = lacking(game)
    if missing:
        raise CompanionError(f"{package}: its GAME has no answer to {', '.join(missing)}")
    return game


def answering(command: str) -> tuple[str, ...]:
    """Ids of the games with queries that take this one."""
    return tuple(game_id for game_id in _with("queries") if command in _queries(game_id).commands)


def _queries(game_id: str) -> Queries:
    queries: Queries = import_module(f"{_package(game_id)}.queries").QUERIES
    return queries


def queries_of(data: Any) -> Queries | None:
    """The queries of the game that a JSON value is about: the one it names, else the one that knows it by its form; None
    where no game with queries does."""
    for game_id in _with("queries"):
        if _queries(game_id).recognises(data):
            return _queries(game_id)
    return None
