"""Several plays seen late with a slip among them: legal plays first, then the one that breaks the smallest set of rules."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from math import inf
from typing import Any, Protocol

from companion.games.game import Play
from companion.games.mr_jack.casework import BaseCase
from companion.games.mr_jack.deduction import mover

Rules = Mapping[str, str]
Hexes = tuple[str | None, ...]

# Weight added to "was moved though not played" when the change may hold several plays; see the weights in casework.py.
PLAYED_RATHER_THAN_PUSHED = 2.0


class Judge(Protocol):
    """What this search asks of a game; see the explainer, which answers it."""

    @property
    def characters(self) -> tuple[str, ...]:
        """All characters in their order."""

    def difference(self, before: Any, after: Any, /) -> Any:
        """What changed."""

    def halfway(self, position: Any, after: Any, index: int, hexes: Hexes, /) -> Any:
        """The position after one character's play."""

    def judged(self, before: Any, after: Any, name: str, role: str | None, rules: Rules) -> BaseCase:
        """The best case for "``name`` was played"."""

    def likely_cases(
        self, before: Any, after: Any, changes: Any, role: str | None, rules: Rules, *, below: float
    ) -> list[BaseCase]:
        """The cases among which the best is, if it weighs less than ``below``."""


class NearestStory:
    """One search for the story with the lightest last play; of equals the first that is met."""

    def __init__(self, judge: Judge, after: Any, rules: Rules) -> None:
        self.judge, self.after, self.rules = judge, after, rules
        self.weight = inf
        self.story: tuple[tuple[Play, ...], BaseCase] | None = None
        self.been: set[Hashable] = set()

    def told(self, before: Any, plays: int, role: str | None) -> tuple[tuple[Play, ...], BaseCase]:
        """(legal plays, the illegal one after them), ``plays`` at most in all."""
        self._look(before, plays, role, ())
        assert self.story is not None, "a change that is like a play has a case"
        return self.story

    def _look(self, before: Any, plays: int, role: str | None, earlier: tuple[Play, ...]) -> None:
        if self._known(before, plays):
            return
        changes = self.judge.difference(before, self.after)
        cases = self.judge.likely_cases(before, self.after, changes, role, self.rules, below=self.weight)
        if cases:
            self._weigh(min(cases, key=lambda case: case.badness), plays, earlier)
        if plays == 1 or len(changes.moved) < 2:
            return
        for first in self._first_plays(before, changes, role):
            middle = first.after
            following = mover(middle.turn, middle.available, middle.played)
            self._look(middle, plays - 1, following, (*earlier, first.play()))

    def _known(self, before: Any, plays: int) -> bool:
        """Whether the same table was looked at already: the order of the cards laid decides nothing that is judged."""
        laid = None if before.played is None else frozenset(before.played)
        key = (replace(before, played=None), laid, plays)
        known = key in self.been
        self.been.add(key)
        return known

    def _weigh(self, case: BaseCase, plays: int, earlier: tuple[Play, ...]) -> None:
        # Where more plays may have happened, somebody else's disc was more likely played than pushed.
        pushed = sum(fault.code in ("other-moved", "several-moved") for fault in case.faults)
        weight = case.weight + (plays > 1) * PLAYED_RATHER_THAN_PUSHED * pushed
        if weight < self.weight:
            self.weight, self.story = weight, (earlier, case)

    def _first_plays(self, before: Any, changes: Any, role: str | None) -> Iterator[BaseCase]:
        """Legal plays that take one disc to where it is seen and leave the game going."""
        for index in changes.moved:
            spot = self.after.hexes[index]
            if spot is None or spot in before.hexes:
                continue
            hexes = (*before.hexes[:index], spot, *before.hexes[index + 1 :])
            middle = self.judge.halfway(before, self.after, index, hexes)
            first = self.judge.judged(before, middle, self.judge.characters[index], role, self.rules)
            if not first.faults and not first.ends:
                yield first
