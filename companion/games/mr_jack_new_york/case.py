"""One hypothesis of this game: a character played, somebody who walked, and pieces of the board changed on the way."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

from companion.games.game import Move, Play
from companion.games.mr_jack.casework import BaseCase
from companion.games.mr_jack.deduction import card_laid
from companion.games.mr_jack.sayings import Sayings
from companion.games.mr_jack_new_york.actions import informant_cells, move_informant, stand
from companion.games.mr_jack_new_york.names import CHARACTERS, TALKATIVE
from companion.games.mr_jack_new_york.plays import can_stop
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.streets import ways
from companion.games.mr_jack_new_york.wording import SAYINGS, played


@dataclass(slots=True)
class Case(BaseCase):
    """Everything known about one hypothesis.

    ``walker`` is who walked: the played one, or whom Eastman sent; ``goal`` is where that walk ended.
    """

    walker: str = ""
    goal: str | None = None
    walk: list[Move] = field(default_factory=list)

    sayings: ClassVar[Sayings] = SAYINGS
    characters: ClassVar[tuple[str, ...]] = CHARACTERS

    @property
    def sent(self) -> bool:
        """Whether Eastman sent somebody else."""
        return self.walker != self.character

    @property
    def start(self) -> str:
        """Where the walker stood."""
        return self.before.hex(self.walker) or ""

    @property
    def met(self) -> bool:
        """Whether the walker ended on the talkative informant's hex and the game went on."""
        before: Position = self.before
        return bool(self.goal and self.goal == before.informant and before.informant_side == TALKATIVE and self.ends is None)

    def walked(self, position: Position) -> Position:
        """The position after the walk, the informant where he was moved to if he was met."""
        now = stand(position, self.walker, self.goal)
        goal = self.after.informant
        if self.met and goal != self.before.informant and goal in informant_cells(now):
            return move_informant(now, goal).position
        return now

    def within_reach(self) -> tuple[str, ...]:
        """Hexes where the walker could have stopped."""
        cells = ways(self.before, self.walker, on_foot=self.sent)
        return tuple(sorted(cell for cell in cells if can_stop(self.before, cell)))

    def play(self) -> Play:
        """The play this hypothesis claims."""
        after: Position = self.after
        available, laid = card_laid(self.before.available, self.before.played, self.character)
        result = replace(
            after,
            turn=self.before.turn,
            witness_card=self.before.witness_card,
            sides=self.before.sides,
            informant_side=after.informant_side or self.before.informant_side,
            available=available,
            played=laid,
        )
        text, params = played(self.character, self.origin, self.moves, self.ability, self.ends, self.accused)
        return Play(self.character, tuple(self.moves), self.ability, result, self.ends, text, params)
