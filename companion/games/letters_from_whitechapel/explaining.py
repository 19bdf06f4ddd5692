"""Which public act turned one position into another, or which rules were broken.

From ``before`` acts are tried that lead towards ``after``: first those that nothing speaks against, then all. Acts in a row are
told when they belong to one step (several policemen move; a woman's wait with what follows at once): one player's or one side's
hands on the board between two looks. Where every such row breaks a rule, a few acts in a row are tried across steps: somebody
may have looked away for longer. What the board does not tell (a search in vain once its policeman is done) is not made up.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from companion.bounded import json_kind
from companion.errors import BadInput
from companion.games.game import Fault
from companion.games.letters_from_whitechapel import acts, towards
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.folding import fold
from companion.games.letters_from_whitechapel.judging import faults
from companion.games.letters_from_whitechapel.names import (
    BEFORE_THE_HUNT,
    HUNT,
    KILL,
    OVER,
    PATROLS,
    REVEAL,
    WOMEN,
    WRETCHED,
)
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.validation import position_of

Acts = tuple[Act, ...]

_STEPS = {
    **dict.fromkeys((acts.LAY_WOMEN, acts.DRAW_HEAD, acts.LAY_PATROLS, acts.VICTIMS), 1),
    **dict.fromkeys((acts.WAIT, acts.SCATTER, acts.TURN_UP), 2),
    **dict.fromkeys((acts.MURDER, acts.UNMASK), 3),
    acts.MOVE: 4,
    **dict.fromkeys((acts.SEARCH, acts.STOP, acts.FINISH, acts.ARREST), 5),
}
"""Acts of one number may follow one another between two looks."""
_PHASES_OF = {
    "women": (WOMEN, PATROLS),
    "wretched": (KILL, WRETCHED, REVEAL),
    "patrols": tuple(phase for phase in BEFORE_THE_HUNT if phase != WOMEN),
    "clues": (*HUNT, OVER),
    "track": (*HUNT, OVER),
}
"""When each kind of pieces lies on the board."""
_BOOKS = ("night", "phase", "time", "head", "moved", "acted", "missed")
"""What no camera sees: where ``after`` leaves it out it is as the act makes it. Pieces left out are as before."""
_DEPTH, _MOST_TRIED, _MOST_TOLD = 30, 1500, 40
"""Acts in a row; acts tried for one answer; rows told where it is ambiguous. A step of the police has 5 moves, or some 25
questions."""
_FAR = 4
"""Acts in a row across steps, 1..5: with more, all five policemen could be done unseen, and a step skipped would be excused."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The position after, and which of its fields were not told."""

    position: Position
    untold: frozenset[str]

    def met_by(self, position: Position) -> bool:
        """Whether a position is the one after, as far as it was told."""
        return not self.differing(position)

    def differing(self, position: Position) -> tuple[str, ...]:
        """The told fields in which a position differs."""
        names = (entry.name for entry in fields(Position))
        return tuple(
            name for name in names if name not in self.untold and _value(position, name) != _value(self.position, name)
        )


def _value(position: Position, name: str) -> Any:
    """A field as it is compared: of who has had his turn, only who they are."""
    value = getattr(position, name)
    return sorted(value) if name in ("moved", "acted") else value


@dataclass(frozen=True, slots=True)
class Verdict:
    """``legal`` (one row of acts), ``ambiguous`` (several), ``illegal`` (faults, and the acts that would break least) or
    ``unchanged``."""

    verdict: str
    alternatives: tuple[Acts, ...] = ()
    faults: tuple[Fault, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """``plays``: the acts told; where it is ambiguous which single one it was, all that it may have been."""
        several = self.verdict == "ambiguous"
        fits = self.alternatives if self.verdict != "illegal" else ()
        single = several and all(len(row) == 1 for row in fits)
        told = [row[0] for row in fits] if single else list(fits[0]) if fits else []
        data: dict[str, Any] = {
            "verdict": self.verdict,
            "plays": [_json(act) for act in told],
            "faults": [fault.to_json() for fault in self.faults],
        }
        if several:
            data["alternatives"] = [[_json(act) for act in row] for row in fits]
        return data


def _json(act: Act) -> dict[str, Any]:
    return {**act.to_json(), "text": act.text}


def goal_of(before: Position, data: Any) -> Goal:
    """Read the position after, which may leave out what is as before. Raises BadInput, InvalidPosition."""
    if not isinstance(data, dict):
        raise BadInput(f"must be a JSON object, not {json_kind(data)}")
    kept = before.to_json()
    phase = data.get("phase", before.phase)
    for name, phases in _PHASES_OF.items():
        if phase not in phases:
            kept[name] = {} if name == "patrols" else []
    after = position_of({**kept, **data}, tolerant=True)
    untold = {name for name in _BOOKS if name not in data}
    untold |= {"head"} if after.phase == WOMEN else set()
    untold |= {"moved", "acted", "missed"} if after.phase == OVER else set()
    return Goal(after, frozenset(untold))


def explain(before: Position, goal: Goal, *, far: bool = False) -> Verdict:
    """The verdict on a change; ``far`` where a few acts of several steps may lie between."""
    if goal.met_by(before):
        return Verdict("unchanged")
    for name in ("house_rules", "seats"):
        if getattr(before, name) != getattr(goal.position, name):
            raise BadInput(f"{name}: not the same in both positions; they hold for a whole game")
    legal = _alternatives(before, goal) or (_alternatives(before, goal, far=True) if far else ())
    if legal:
        return Verdict("legal" if len(legal) == 1 else "ambiguous", legal)
    return _least_broken(before, goal, far=far)


def _alternatives(before: Position, goal: Goal, *, far: bool = False) -> tuple[Acts, ...]:
    """Every row of acts that fits, told once."""
    found: dict[Acts, None] = {}
    for row, _ in _Search(goal, lawful=True, far=far).rows(before):
        found.setdefault(_told(row))
        if len(found) >= _MOST_TOLD:
            break
    return tuple(found)


def _told(row: Acts) -> Acts:
    """The row in one order where any order leaves the same board: searches in vain of one policeman, moves of several."""
    kinds = {(act.kind, act.yes) for act in row}
    if kinds in ({(acts.SEARCH, False)}, {(acts.MOVE, None)}):
        return tuple(sorted(row, key=lambda act: (act.by or "", act.circles)))
    return row


@dataclass(slots=True)
class _Search:
    """Depth first over rows of acts towards a goal; ``lawful`` leaves out acts that break a rule, ``far`` allows short rows
    across steps."""

    goal: Goal
    lawful: bool
    far: bool = False
    tried: int = 0
    nearest: list[tuple[int, Acts, tuple[Fault, ...], Position]] = field(default_factory=list)

    def rows(
        self, position: Position, row: Acts = (), broken: tuple[Fault, ...] = ()
    ) -> Iterator[tuple[Acts, tuple[Fault, ...]]]:
        """(acts, rules broken) of every row that meets the goal."""
        if len(row) >= (_FAR if self.far else _DEPTH):
            return
        for act in towards.acts_towards(position, self.goal.position, self.goal.untold):
            if row and not self.far and _STEPS.get(row[-1].kind) != _STEPS.get(act.kind, 0):
                continue
            self.tried += 1
            found = faults(position, act)
            if self.tried > _MOST_TRIED or (found and self.lawful):
                continue
            after, acted, wrong = fold(position, act), (*row, act), broken + found
            if self.goal.met_by(after):
                yield acted, wrong
                continue
            self.nearest.append((len(self.goal.differing(after)), acted, wrong, after))
            yield from self.rows(after, acted, wrong)


def _least_broken(before: Position, goal: Goal, *, far: bool) -> Verdict:
    """The row of acts that meets the goal with the fewest faults; where none does, the one that comes nearest."""
    searches = [_Search(goal, lawful=False, far=across) for across in ((False, True) if far else (False,))]
    meeting = [pair for search in searches for pair in search.rows(before)]
    if meeting:
        row, broken = min(meeting, key=lambda pair: (len(pair[1]), len(pair[0])))
        return Verdict("illegal", (row,), broken)
    start = (len(goal.differing(before)), (), (), before)
    reached = [start, *(near for search in searches for near in search.nearest)]
    _, row, broken, position = min(reached, key=lambda near: (near[0] + len(near[2]), len(near[1])))
    left = towards.left_over(before, position, goal.position, goal.differing(position))
    return Verdict("illegal", (row,) if row else (), (*broken, *left))
