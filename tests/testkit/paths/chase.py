"""How far a game has come, folded from its events."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.expectations import Fact, Pick
from companion.games.values import Json, Role
from testkit.paths.judging import SEEKERS
from testkit.paths.streets import Position, position

LAIR, MOVE = "lair", "move"


@dataclass(frozen=True)
class Chase:
    """``steps``: for each secret place of the path its event's number and where the pawns stood; ``looked``: the seekers who
    have looked in this round; ``asked``: the open question; ``answers``: its event's data, number and how long the path was."""

    phase: str = "unopened"
    position: Any = None
    picks: tuple[Pick[Any], ...] = ()
    lair: bool = False
    steps: tuple[tuple[int, tuple[str | None, ...]], ...] = ()
    looked: tuple[Role, ...] = ()
    asked: Json | None = None
    target: Position | None = None
    answers: tuple[tuple[Json, int, int], ...] = ()
    opened: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outcome: Json | None = None

    @property
    def due(self) -> Role | None:
        """The seeker who moves or looks now."""
        done = {"moving": tuple(pick.mover for pick in self.picks), "looking": self.looked}.get(self.phase, SEEKERS)
        return next((seat for seat in SEEKERS if seat not in done), None)


def apply(state: Chase, fact: Fact) -> Chase:
    """The state after one more event; one that does not concern the game leaves it as it is."""
    change = _FOLD.get(fact.kind)
    return state if change is None else change(state, fact.data, fact.number)


def _at(state: Chase, data: Json, **more: Any) -> Chase:
    return replace(state, position=position(data["position"], tolerant=True), **more)


def _moving(state: Chase, *picks: Pick[Any]) -> Chase:
    return replace(state, phase="moving" if len(picks) < len(SEEKERS) else "looking", picks=picks, asked=None)


def _played(state: Chase, data: Json, number: int) -> Chase:
    pick = Pick(number, data["character"], data["mover"], state.position, data)
    return _moving(_at(state, data), *state.picks, pick)


def _correction(state: Chase, data: Json, number: int) -> Chase:
    if data["what"] != "play":
        return state
    *kept, last = state.picks
    return _moving(_at(state, data), *kept, Pick(number, data["character"], last.mover, last.before, data))


def _undo(state: Chase, data: Json, number: int) -> Chase:
    *kept, last = state.picks
    return _moving(replace(state, position=last.before), *kept)


def _ruling(state: Chase, data: Json, number: int) -> Chase:
    if data["action"] == "allow":
        return _played(state, data, number)
    return _at(state, data) if data["action"] == "set-position" else state


def _secret(state: Chase, data: Json, number: int) -> Chase:
    steps = ((number, state.position.pawns),) if data["purpose"] == MOVE else ()
    told = replace(state, lair=state.lair or not steps, steps=(*state.steps, *steps))
    return _moving(told) if told.lair and len(told.steps) == state.position.turn else told


def _answered(state: Chase, data: Json, number: int) -> Chase:
    target = position(data["expected"], tolerant=True) if data["yes"] and not data["catch"] else None
    told = replace(state, phase="clue" if target else "looking", target=target, asked=None, picks=())
    return replace(told, looked=(*state.looked, data["by"]), answers=(*state.answers, (data, number, len(state.steps))))


def _opening(state: Chase, data: Json, number: int) -> Chase:
    return replace(state, opened={**state.opened, data["purpose"]: tuple(one["value"] for one in data["opened"])})


_FOLD: Mapping[str, Callable[[Chase, Json, int], Chase]] = {
    "match-opened": lambda state, data, number: _at(state, data, phase="set-up"),
    "table-agreed": lambda state, data, number: _at(state, data, phase="agreed"),
    "turn-opened": lambda state, data, number: _at(state, data, phase="hiding", picks=(), looked=()),
    "secret": _secret,
    "play": _played,
    "correction": _correction,
    "undo": _undo,
    "ruling": _ruling,
    "asked": lambda state, data, number: replace(state, phase="asked", asked=data),
    "passed": lambda state, data, number: replace(state, looked=(*state.looked, data["by"]), picks=()),
    "answered": _answered,
    "clue-laid": lambda state, data, number: _at(state, data, phase="looking", target=None),
    "walked": lambda state, data, number: replace(state, phase="walked"),
    "opening": _opening,
    "outcome": lambda state, data, number: replace(state, phase="over", outcome=data),
}
