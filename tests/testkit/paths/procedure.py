"""How a game goes on: every round the hider walks in secret, both pawns move, each seeker looks at a circle or passes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from testkit.paths.judging import PAWN_OF, SEEKERS
from testkit.paths.streets import CIRCLE, Position, board, position

from companion.games.expectations import Fact, Pick
from companion.games.values import Json, Role

HIDER, LAIR, MOVE = "hider", "lair", "move"
ROUNDS = 4
"""Places of the hider's path, the first among them; afterwards he shows it, and must be in his lair."""
EVENTS: Mapping[str, bool] = MappingProxyType(
    {"turn-opened": True, "asked": False, "passed": False, "answered": True, "clue-laid": True, "walked": True}
)


@dataclass(frozen=True)
class Step:
    """One secret place of the path: the event that binds the hider to it, and where the pawns stood then."""

    number: int
    pawns: tuple[str | None, ...]


@dataclass(frozen=True)
class Answer:
    """What the hider answered, and how many places his path had by then."""

    number: int
    site: str
    catch: bool
    yes: bool
    places: int


@dataclass(frozen=True)
class Chase:
    """``phase``: unopened, set-up, agreed, hiding, moving, looking, asked, clue, walked, over. ``looked``: the seekers who have
    looked in this round. ``opened``: the path, once it is shown."""

    phase: str = "unopened"
    position: Any = None
    picks: tuple[Pick[Any], ...] = ()
    lair: bool = False
    steps: tuple[Step, ...] = ()
    looked: tuple[Role, ...] = ()
    question: Json | None = None
    target: Position | None = None
    answers: tuple[Answer, ...] = ()
    opened: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outcome: Json | None = None

    @property
    def seeker(self) -> Role | None:
        """Who looks next."""
        return next((seat for seat in SEEKERS if seat not in self.looked), None) if self.phase == "looking" else None

    @property
    def caught(self) -> bool:
        """Whether the last answer ends the game."""
        return bool(self.answers) and self.answers[-1].catch and self.answers[-1].yes

    def sites(self, seat: Role) -> tuple[str, ...]:
        """The circles beside a seeker's pawn."""
        return tuple(sorted((one for one in board().beside[self.position.pawns[PAWN_OF[seat]]]), key=int))


def apply(state: Chase, fact: Fact) -> Chase:
    """The state after one more event; one that does not concern the game leaves it as it is."""
    change = _FOLD.get(fact.kind)
    return state if change is None else change(state, fact, fact.data)


def _at(data: Json) -> Position:
    return position(data["position"], tolerant=True)


def _played(state: Chase, fact: Fact, data: Json) -> Chase:
    pick = Pick(fact.number, data["character"], data["mover"], state.position, data)
    return _moving(replace(state, position=_at(data), picks=(*state.picks, pick)))


def _moving(state: Chase) -> Chase:
    return replace(state, phase="moving" if len(state.picks) < len(SEEKERS) else "looking", looked=(), question=None)


def _correction(state: Chase, fact: Fact, data: Json) -> Chase:
    if data["what"] != "play":
        return state
    last = state.picks[-1]
    pick = Pick(fact.number, data["character"], last.mover, last.before, data)
    return _moving(replace(state, position=_at(data), picks=(*state.picks[:-1], pick)))


def _undo(state: Chase, fact: Fact, data: Json) -> Chase:
    return _moving(replace(state, position=state.picks[-1].before, picks=state.picks[:-1]))


def _ruling(state: Chase, fact: Fact, data: Json) -> Chase:
    if "position" not in data or data["action"] == "take-back":
        return state
    if data.get("character") is not None:
        return _played(state, fact, data)
    return replace(state, position=_at(data))


def _secret(state: Chase, fact: Fact, data: Json) -> Chase:
    if data["purpose"] == LAIR:
        state = replace(state, lair=True)
    else:
        state = replace(state, steps=(*state.steps, Step(fact.number, tuple(state.position.pawns.values()))))
    told = state.lair and state.phase == "hiding" and len(state.steps) == state.position.turn
    return _moving(state) if told else state


def _answered(state: Chase, fact: Fact, data: Json) -> Chase:
    told = Answer(fact.number, data["site"], data["catch"], data["yes"], len(state.steps))
    laid = data["yes"] and not data["catch"]
    looked, target = (*state.looked, data["by"]), _at({"position": data["expected"]}) if laid else None
    phase = "clue" if laid else "looking"
    return replace(state, phase=phase, looked=looked, target=target, question=None, picks=(), answers=(*state.answers, told))


def _opening(state: Chase, fact: Fact, data: Json) -> Chase:
    return replace(state, opened={**state.opened, data["purpose"]: tuple(one["value"] for one in data["opened"])})


_FOLD: Mapping[str, Callable[[Chase, Fact, Json], Chase]] = MappingProxyType(
    {
        "match-opened": lambda state, fact, data: replace(state, phase="set-up", position=_at(data)),
        "table-agreed": lambda state, fact, data: replace(state, phase="agreed", position=_at(data)),
        "turn-opened": lambda state, fact, data: replace(state, phase="hiding", position=_at(data), picks=(), looked=()),
        "secret": _secret,
        "play": _played,
        "correction": _correction,
        "undo": _undo,
        "ruling": _ruling,
        "asked": lambda state, fact, data: replace(state, phase="asked", question=data),
        "passed": lambda state, fact, data: replace(state, looked=(*state.looked, data["by"]), picks=()),
        "answered": _answered,
        "clue-laid": lambda state, fact, data: replace(state, phase="looking", position=_at(data), target=None),
        "walked": lambda state, fact, data: replace(state, phase="walked"),
        "opening": _opening,
        "outcome": lambda state, fact, data: replace(state, phase="over", outcome=data),
    }
)
CIRCLES = tuple(sorted(board().of_kind(CIRCLE), key=int))
