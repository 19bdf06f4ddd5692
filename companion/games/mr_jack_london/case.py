"""One hypothesis, "this character was played", with the faults found against it so far."""

from dataclasses import dataclass, field

from companion.games.game import Fault, Move, Play
from companion.games.mr_jack_london.difference import Difference
from companion.games.mr_jack_london.house_rules import Rules
from companion.games.mr_jack_london.names import BERT, INDEX, WATSON
from companion.games.mr_jack_london.plays import Change, make, walk
from companion.games.mr_jack_london.position import Position

# Weights: how far a fault is from what a player may have meant. Missing a duty is the commonest slip and weighs least; a
# card that was not there and a piece of somebody else weigh more; a played character that never left its hex weighs most,
# so that whoever did move is taken for the one played.
SLIP, WRONG_PLACE, NOT_IN_CARDS, FOREIGN, NEVER_LEFT = 2.0, 2.5, 3.0, 3.5, 5.0


@dataclass(slots=True)
class Case:
    """Everything known about one hypothesis, and the faults found so far."""

    before: Position
    after: Position
    changes: Difference
    character: str
    role: str | None
    rules: Rules
    faults: list[Fault] = field(default_factory=list)
    weight: float = 0.0
    moves: list[Move] = field(default_factory=list)
    ability: str | None = None
    ends: str | None = None
    accuser: str | None = None
    accused: str | None = None

    def blame(self, weight: float, found: Fault) -> None:
        self.faults.append(found)
        self.weight += weight

    @property
    def index(self) -> int:
        return INDEX[self.character]

    @property
    def origin(self) -> str:
        return self.before.hexes[self.index] or ""

    @property
    def to(self) -> str | None:
        return self.after.hexes[self.index]

    def play(self) -> Play:
        """The play this hypothesis claims."""
        after = self.after
        change = Change((), after.gaslights, after.covers, after.cordons)
        facing = after.facing if after.facing is not None or after.hexes[INDEX[WATSON]] is None else self.before.facing
        return make(
            self.before, self.character, tuple(self.moves), self.ability, after.hexes, facing, change, self.ends,
            accuser=self.accuser, accused=self.accused,
        )  # fmt: skip

    @property
    def one_cover_moved(self) -> bool:
        """Whether exactly one cover went from one place to another."""
        return len(self.changes.covers_gone) == len(self.changes.covers_new) == 1

    @property
    def one_cordon_moved(self) -> bool:
        """Whether exactly one cordon went from one exit to another."""
        return len(self.changes.cordons_gone) == len(self.changes.cordons_new) == 1

    @property
    def covers_afterwards(self) -> tuple[str, ...]:
        """The covers that count when the character walks after having used the ability."""
        return self.after.covers if self.character == BERT and self.one_cover_moved else self.before.covers

    def within_reach(self) -> tuple[str, ...]:
        """Free hexes where the character could have gone."""
        cells = set(walk(self.before, self.character, self.before.covers))
        cells |= set(walk(self.before, self.character, self.covers_afterwards))
        return tuple(sorted(cells - set(self.before.hexes)))


def marked(*cells: str | None) -> tuple[str, ...]:
    """The cells to mark, without those that are none."""
    return tuple(cell for cell in cells if cell)
