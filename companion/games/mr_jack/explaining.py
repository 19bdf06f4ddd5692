"""Why one settled position became another: judge every character that may have been played, keep the best case."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from companion.errors import BadInput
from companion.games.game import Explanation, Fault
from companion.games.mr_jack.casework import BaseCase, least_weight, marked
from companion.games.mr_jack.deduction import candidates
from companion.games.mr_jack.nearest import NearestStory
from companion.games.mr_jack.sequences import SequenceSearch, TooMuch

Rules = Mapping[str, str]
Hexes = tuple[str | None, ...]

# Discs that one slip moves; where more have moved and the search was given up, nobody can be blamed.
A_FEW = 2
TOO_MUCH = "Too much changed at once to tell what was played: put pieces back and play them one after the other."


@dataclass(frozen=True)
class Explainer:
    """The search for the best story, over what one game knows of single plays: that is what the fields hold."""

    characters: tuple[str, ...]
    difference: Callable[[Any, Any], Any]
    """(before, after): what changed, piece by piece, a :class:`~companion.games.mr_jack.changes.BaseDifference`."""
    judge: Callable[[Any, Any, Any, str, str | None, Rules], BaseCase]
    """(before, after, changes, name, role, rules): the best case for "``name`` was played"."""
    play_like: Callable[[Any], bool]
    """(changes): whether anything moved that some play moves; a piece only taken away belongs to no play."""
    no_play: Callable[[Any, Any, Any, str | None, Rules], BaseCase]
    """(before, after, changes, role, rules): the faults of a change that is nobody's play."""
    halfway: Callable[[Any, Any, int, Hexes], Any]
    """(position, after, index, hexes): the position after one character's play when the discs stand so: what is his to
    change is as in ``after``."""
    search: type[SequenceSearch]
    """The search for several legal plays."""
    others_moved: Mapping[str, int]
    """How many others each character's play can move at most; none where it is not named."""

    def explain_up_to(self, before: Any, after: Any, plays: int, role: str | None, rules: Rules) -> Explanation:
        """Up to ``plays`` plays in a row; the fewest that fit.

        An illegal change is told as legal plays and then one illegal one, whichever reading has the smallest set of faults.
        Where so much changed that the search was given up, the one fault says so and blames nobody.
        """
        single = self.explain_one(before, after, role, rules)
        if single.verdict != "illegal" or plays == 1:
            return single
        changes = self.difference(before, after)
        try:
            found = self.search(before, after, changes, role, rules, self.judged).shortest(plays)
        except TooMuch:
            if len(changes.moved) > A_FEW:
                return Explanation("illegal", (), (Fault("too-much", None, TOO_MUCH),))
            found = []
        if found:
            return Explanation("legal" if len(found) == 1 else "ambiguous", tuple(found))
        if not single.alternatives:
            return single
        earlier, case = NearestStory(self, after, rules).told(before, plays, role)
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
        cases = self.likely_cases(before, after, changes, role, rules)
        legal = [case for case in cases if not case.faults]
        if legal:
            verdict = "legal" if len(legal) == 1 else "ambiguous"
            return Explanation(verdict, tuple((case.play(),) for case in legal))
        best = min(cases, key=_badness)
        return Explanation("illegal", ((best.play(),),), tuple(best.faults))

    def begun(self, before: Any, after: Any, role: str | None, rules: Rules) -> tuple[Fault, ...]:
        """What is still to do if this is the beginning of a play that moves others too; empty where it begins none.

        Hands lay such a play piece by piece: somebody was called or sent and the rest is not done, or one of two that change
        places stands where the other one still does.
        """
        changes = self.difference(before, after)
        movers = [name for name in candidates(self.characters, before.available, before.played) if name in self.others_moved]
        found = []
        for name in movers:
            if before.hexes[self.characters.index(name)] is None:
                continue
            for done, waiting in ((after, None), *_changing_places(before, after, changes)):
                case = self.judged(before, done, name, role, rules)
                if all(fault.pending for fault in case.faults) and case.ends is None:
                    found.append(_begun(case, changes, waiting))
                    break
        return tuple(found)

    def judged(self, before: Any, after: Any, name: str, role: str | None, rules: Rules) -> BaseCase:
        """The best case for "``name`` was played" between any two positions."""
        return self.judge(before, after, self.difference(before, after), name, role, rules)

    def likely_cases(
        self, before: Any, after: Any, changes: Any, role: str | None, rules: Rules, *, below: float = inf
    ) -> list[BaseCase]:
        """The cases among which the best is, in the characters' order; all legal ones are there.

        A character whose case is bound to weigh more than another's is not heard, nor one that cannot weigh less than
        ``below``: for most characters counting the discs that moved says enough.
        """
        ranked = sorted(
            (least_weight(before, changes, self.characters, index, self.others_moved.get(name, 0)), index)
            for index, name in enumerate(self.characters)
            if before.hexes[index] is not None
        )
        heard: dict[int, BaseCase] = {}
        lightest = inf
        for least, index in ranked:
            if least > lightest or least >= below:
                break
            heard[index] = self.judge(before, after, changes, self.characters[index], role, rules)
            lightest = min(lightest, heard[index].weight)
        return [heard[index] for index in sorted(heard)]


def _changing_places(before: Any, after: Any, changes: Any) -> Iterator[tuple[Any, int]]:
    """(the position with the second disc where the first came from, the second disc), for each that was moved onto another."""
    for index in changes.moved:
        free, onto = before.hexes[index], after.hexes[index]
        under = [other for other, spot in enumerate(after.hexes) if spot == onto and other != index and onto is not None]
        if free is None or free in after.hexes or len(under) != 1:
            continue
        other = under[0]
        yield replace(after, hexes=(*after.hexes[:other], free, *after.hexes[other + 1 :])), other


def _begun(case: BaseCase, changes: Any, waiting: int | None) -> Fault:
    """The one sentence for a play that was begun; ``waiting`` is the disc that has yet to go where another one came from."""
    before, after, names = case.before, case.after, case.sayings.names
    moved = [index for index in changes.moved if index != waiting]
    cells = marked(*(after.hexes[index] for index in moved))
    back = ", ".join(f"{names[case.characters[index]]} → {before.hexes[index]}" for index in moved)
    if waiting is None:
        return case.sayings.fault("begun", case.character, cells=cells, back=back)
    to = after.hexes[waiting]
    other = names[case.characters[waiting]]
    return case.sayings.fault("begun/changing-places", case.character, cells=(*cells, to), other=other, to=to, back=back)


def _badness(case: BaseCase) -> tuple[float, int]:
    return case.badness
