"""Mr. Jack in New York behind the port that every game answers."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from companion.games.game import Chore, HouseRule, Play, Role, Rules
from companion.games.mr_jack.investigation import Investigation
from companion.games.mr_jack.procedure import Procedure
from companion.games.mr_jack.witnessing import Witness
from companion.games.mr_jack_new_york import light
from companion.games.mr_jack_new_york.chores import piece_chores
from companion.games.mr_jack_new_york.explaining import EXPLAINER
from companion.games.mr_jack_new_york.house_rules import HOUSE_RULES
from companion.games.mr_jack_new_york.names import CHARACTERS, ID, NAMES, SILENT, TALKATIVE
from companion.games.mr_jack_new_york.plays import every_play
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.validation import Reader
from companion.games.mr_jack_new_york.wording import SAYINGS


class MrJackNewYork(Investigation):
    """The rules of Mr. Jack in New York."""

    id: str = ID
    name: str = "Mr. Jack in New York"
    characters: tuple[str, ...] = CHARACTERS
    names: Mapping[str, str] = NAMES
    house_rules: tuple[HouseRule, ...] = HOUSE_RULES
    reader = Reader
    sayings = SAYINGS
    got_away: str = "{character} was Jack and has left Manhattan. Jack wins."
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
        """Whoever meets the talkative informant draws an alibi card; the informant is silent afterwards."""
        return before.informant_side == TALKATIVE and after.informant_side == SILENT

    def tidied(self, position: Position) -> dict[str, Any]:
        """The informant talks again."""
        return {"informant_side": TALKATIVE}


GAME = MrJackNewYork()
if TYPE_CHECKING:
    _ANSWERS: Rules[Position, Procedure] = GAME  # all of the port, with this game's own types
