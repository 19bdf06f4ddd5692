"""A player's private notes: kept with the secrets, shown to nobody but the seat that wrote them."""

from collections.abc import Callable, Sequence

from companion.errors import BadInput, quoted
from companion.games.game import Game
from companion.host.secrets import Secrets


class Notes:
    """Characters a seat noted for itself, game by game. ``match`` gives the id of the running match."""

    def __init__(self, secrets: Secrets, game: Game, match: Callable[[], str]) -> None:
        self._secrets, self._game, self._match = secrets, game, match

    def read(self, seat: str) -> list[str]:
        """What the seat noted in this game."""
        return list(self._secrets.notes(self._match(), seat))

    def write(self, seat: str, characters: Sequence[str]) -> None:
        """Replace what the seat noted. Raises BadInput for a name that is not in the game."""
        strange = [name for name in characters if name not in self._game.characters]
        if strange:
            raise BadInput(f"{quoted(strange[0])} is not a character; there are: {', '.join(self._game.characters)}")
        self._secrets.note(self._match(), seat, tuple(dict.fromkeys(characters)))
