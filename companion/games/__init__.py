"""The games, each a package of pure functions over positions. Found by name: adding a package adds a game."""

import pkgutil
from importlib import import_module

from companion.errors import BadInput
from companion.games.game import Game


def available() -> tuple[str, ...]:
    """Ids of the games that can be played."""
    return tuple(sorted(entry.name.replace("_", "-") for entry in pkgutil.iter_modules(__path__) if entry.ispkg))


DEFAULT = available()[0]
"""What is played when nobody says which: the first in the alphabet, so that no code has to name one."""


def load(game_id: str = DEFAULT) -> Game:
    """The game of that id. Raises BadInput for a game we do not have."""
    if game_id not in available():
        raise BadInput(f"game {game_id!r} is not known; there are: {', '.join(available())}")
    game: Game = import_module(f"companion.games.{game_id.replace('-', '_')}").GAME
    return game
