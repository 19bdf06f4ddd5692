"""Mr. Jack (London) behind the port that every game answers."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from companion.games.game import Chore, HouseRule, Play, Role, Rules
from companion.games.mr_jack.investigation import Investigation
from companion.games.mr_jack.procedure import Procedure
from companion.games.mr_jack.witnessing import Witness
from companion.games.mr_jack_london import light
from companion.games.mr_jack_london.chores import piece_chores
from companion.games.mr_jack_london.explaining import EXPLAINER
from companion.games.mr_jack_london.house_rules import HOUSE_RULES
from companion.games.mr_jack_london.names import CHARACTERS, HOLMES, ID, LAST_LAMP_TURN, NAMES
from companion.games.mr_jack_london.plays import every_play
from companion.games.mr_jack_london.position import Position
from companion.games.mr_jack_london.validation import Reader
from companion.games.mr_jack_london.wording import SAYINGS


class MrJackLondon(Investigation):
    """The rules of Mr. Jack (London)."""

    id: str = ID
    name: str = "Mr. Jack (London)"
    characters: tuple[str, ...] = CHARACTERS
    names: Mapping[str, str] = NAMES
    house_rules: tuple[HouseRule, ...] = HOUSE_RULES
    reader = Reader
    sayings = SAYINGS
    explainer = EXPLAINER

    def witness(self, position: Position) -> Witness:
        """Who is seen and who is not."""
        return light.witness(position)

    def every_play(self, position: Position, character: str, role: Role | None, rules: Mapping[str, str]) -> Iterator[Play]:
        """Every legal play; some lead to the same position."""
        return every_play(position, character, role, rules)

    def piece_chores(self, expected: Position, claimed: Position, doubts: set[str]) -> Iterator[Chore]:
        """What hands must do about this game's own pieces."""
        return piece_chores(expected, claimed, doubts)

    def draws(self, before: Position, after: Position, character: str) -> bool:
        """Holmes draws an alibi card whenever he is played."""
        return character == HOLMES

    def tidied(self, position: Position) -> dict[str, Any]:
        """This turn's lamp is gone, wherever it lies."""
        number = position.turn if position.turn <= LAST_LAMP_TURN else None
        return {"gaslights": tuple((spot, label) for spot, label in position.gaslights if label != number)}


GAME = MrJackLondon()
if TYPE_CHECKING:
    _ANSWERS: Rules[Position, Procedure] = GAME  # all of the port, with this game's own types
