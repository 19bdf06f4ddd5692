"""One hypothesis of this game, "this character was played"; the shared half is in companion.games.mr_jack.casework."""

from dataclasses import dataclass
from typing import ClassVar

from companion.games.game import Play
from companion.games.mr_jack.casework import BaseCase
from companion.games.mr_jack.sayings import Sayings
from companion.games.mr_jack_london.names import BERT, CHARACTERS, INDEX, WATSON
from companion.games.mr_jack_london.plays import Change, make, walk
from companion.games.mr_jack_london.wording import SAYINGS


@dataclass(slots=True)
class Case(BaseCase):
    """Everything known about one hypothesis, and the faults found so far."""

    sayings: ClassVar[Sayings] = SAYINGS
    characters: ClassVar[tuple[str, ...]] = CHARACTERS

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
        covers: tuple[str, ...] = self.after.covers if self.character == BERT and self.one_cover_moved else self.before.covers
        return covers

    def within_reach(self) -> tuple[str, ...]:
        """Free hexes where the character could have gone."""
        cells = set(walk(self.before, self.character, self.before.covers))
        cells |= set(walk(self.before, self.character, self.covers_afterwards))
        return tuple(sorted(cells - set(self.before.hexes)))
