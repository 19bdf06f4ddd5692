"""Why one settled position became another: judge every character that may have been played, keep the best case."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from companion.errors import BadInput
from companion.games.casework import BaseCase
from companion.games.deduction import mover
from companion.games.game import Explanation, Fault, Play
from companion.games.sequences import TooMuch

Rules = Mapping[str, str]
Hexes = tuple[str | None, ...]

# Discs that one slip moves; where more have moved and the search was given up, nobody can be blamed.
A_FEW = 2
TOO_MUCH = "Too much changed at once to tell what was played: put pieces back and play them one after the other."
# Weight added to "was moved though not played" when the change may hold several plays; see the weights in casework.py.
PLAYED_RATHER_THAN_PUSHED = 2.0


class Explainer(ABC):
    """The search for the best story, over what one game knows of single plays."""

    characters: tuple[str, ...]

    @abstractmethod
    def difference(self, before: Any, after: Any) -> Any:
        """What changed, piece by piece: at least ``moved``, ``turned``, ``turn``, ``witness_card`` and ``nothing``."""

    @abstractmethod
    def judge(self, before: Any, after: Any, changes: Any, name: str, role: str | None, rules: Rules) -> BaseCase:
        """The best case for "``name`` was played"."""

    @abstractmethod
    def play_like(self, changes: Any) -> bool:
        """Whether anything moved that some play moves; a piece only taken away belongs to no play."""

    @abstractmethod
    def no_play(self, before: Any, after: Any, changes: Any, role: str | None, rules: Rules) -> BaseCase:
        """The faults of a change that is nobody's play."""

    @abstractmethod
    def halfway(self, position: Any, after: Any, index: int, hexes: Hexes) -> Any:
        """The position after one character's play when the discs stand so: what is his to change is as in ``after``."""

    @abstractmethod
    def sequences(self, before: Any, after: Any, most: int, role: str | None, rules: Rules) -> list[tuple[Play, ...]]:
        """The shortest sequences of two to ``most`` legal plays that explain the change."""

    def explain_up_to(self, before: Any, after: Any, plays: int, role: str | None, rules: Rules) -> Explanation:
        """Up to ``plays`` plays in a row; the fewest that fit.

        An illegal change is told as legal plays and then one illegal one, whichever reading has the smallest set of faults.
        Where so much changed that the search was given up, the one fault says so and blames nobody.
        """
        single = self.explain_one(before, after, role, rules)
        if single.verdict != "illegal" or plays == 1:
            return single
        try:
            found = self.sequences(before, after, plays, role, rules)
        except TooMuch:
            if len(self.difference(before, after).moved) > A_FEW:
                return Explanation("illegal", (), (Fault("too-much", None, TOO_MUCH),))
            found = []
        if found:
            return Explanation("legal" if len(found) == 1 else "ambiguous", tuple(found))
        if not single.alternatives:
            return single
        _, earlier, case = self._nearest(before, after, plays, role, rules)
        # The search may have cut a branch that this plainer way of telling finds: no fault, no blame.
        verdict = "illegal" if case.faults else "legal"
        return Explanation(verdict, ((*earlier, case.play()),), tuple(case.faults))

    def explain_one(self, before: Any, after: Any, role: str | None, rules: Rules) -> Explanation:
        """One play, or why there is none. ``role`` None: either side may have been moving."""
        if before.edition != after.edition:
            raise BadInput(f"the boards differ: {before.edition} before, {after.edition} after")
        changes = self.difference(before, after)
        if changes.nothing:
            return Explanation("unchanged")
        if not self.play_like(changes):
            return Explanation("illegal", (), tuple(self.no_play(before, after, changes, role, rules).faults))
        cases = self._cases(before, after, changes, role, rules)
        legal = [case for case in cases if not case.faults]
        if legal:
            verdict = "legal" if len(legal) == 1 else "ambiguous"
            return Explanation(verdict, tuple((case.play(),) for case in legal))
        best = min(cases, key=_badness)
        return Explanation("illegal", ((best.play(),),), tuple(best.faults))

    def _nearest(
        self, before: Any, after: Any, plays: int, role: str | None, rules: Rules
    ) -> tuple[float, tuple[Play, ...], BaseCase]:
        """(weight, legal plays first, the illegal one): the reading with the smallest set of faults."""
        changes = self.difference(before, after)
        case = min(self._cases(before, after, changes, role, rules), key=_badness)
        # Where more plays may have happened, somebody else's disc was more likely played than pushed.
        pushed = sum(fault.code in ("other-moved", "several-moved") for fault in case.faults)
        best: tuple[float, tuple[Play, ...], BaseCase] = (
            case.weight + (plays > 1) * PLAYED_RATHER_THAN_PUSHED * pushed, (), case,
        )  # fmt: skip
        if plays == 1 or len(changes.moved) < 2:
            return best
        for index in changes.moved:
            spot = after.hexes[index]
            if spot is None or spot in before.hexes:
                continue
            middle = self.halfway(before, after, index, (*before.hexes[:index], spot, *before.hexes[index + 1 :]))
            first = self.judge(before, middle, self.difference(before, middle), self.characters[index], role, rules)
            if first.faults or first.ends:
                continue
            following = mover(middle.turn, middle.available, middle.played)
            weight, later, last = self._nearest(middle, after, plays - 1, following, rules)
            if weight < best[0]:
                best = (weight, (first.play(), *later), last)
        return best

    def _cases(self, before: Any, after: Any, changes: Any, role: str | None, rules: Rules) -> list[BaseCase]:
        return [
            self.judge(before, after, changes, name, role, rules)
            for name, spot in zip(self.characters, before.hexes, strict=True)
            if spot is not None
        ]


def _badness(case: BaseCase) -> tuple[float, int]:
    return case.badness
