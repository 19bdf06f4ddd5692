"""How far a refereed game has come, folded from its events and from nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.expectations import Fact, Pick
from companion.games.get_adler.acts import Act, read_act
from companion.games.get_adler.folding import fold
from companion.games.get_adler.house_rules import BY_NAME
from companion.games.get_adler.landing import TOLD_DRAWS
from companion.games.get_adler.mat import Mat, mat_of, opening_table, seated, still_told
from companion.games.get_adler.names import TRAITS, roles_of, same_colour
from companion.games.get_adler.state import Table, Traits
from companion.games.values import Json, Role

Record = tuple[int, Act, int]
"""Number of an event, what was said, the hour."""


@dataclass(frozen=True)
class Progress:
    """``target``: what hands must bring the mat to. ``told``: the seats that told their role; ``opened``: roles by seat, as
    opened. ``traits``: the owner's table. ``on``: the seat that the waiting card is used on, ``trait`` what it
    is asked about. ``hour``: the last hour that was
    announced. ``said``: answers and verdicts on record; ``judged``: it was told which were
    true. ``rules``: all house rules of this match."""

    begun: str = ""
    position: Any = None
    picks: tuple[Pick[Any], ...] = ()
    target: Mat | None = None
    rules: Json = field(default_factory=dict)
    told: tuple[Role, ...] = ()
    opened: Mapping[Role, str] = field(default_factory=dict)
    traits: Traits | None = None
    mission: str | None = None
    on: int | None = None
    trait: str | None = None
    hour: int = 1
    said: tuple[Record, ...] = ()
    how: str = ""
    judged: bool = False
    outcome: Json | None = None

    @property
    def mat(self) -> Mat:
        """What lies there, or has to."""
        found: Mat = self.target or self.position
        return found

    @property
    def books(self) -> Table:
        """The public table that the rules know."""
        return self.mat.books

    @property
    def seats(self) -> tuple[Role, ...]:
        """Who plays, by the rules' numbers."""
        return seated(int(self.rules.get("players", "4")))

    @property
    def phase(self) -> str:
        """The stage of the game."""
        if self.begun != "on":
            return self.begun or "unopened"
        if self.outcome is not None:
            return "over"
        if self.target is not None:
            return "laying"
        return self._stage()

    def _stage(self) -> str:
        mat, books = self.mat, self.books
        if mat.waiting is not None:
            if books.step == "confrontation":
                return "matched"
            return "acting" if self.on is None else "asking"
        if books.step == "confrontation":
            return books.fight.stage
        if books.step == "draw":
            return "drawing" if self.rules.get("draws") == TOLD_DRAWS else "play"
        if books.step == "show" and not books.revealed:
            return "reveal"
        return "ended" if books.step == "over" else books.step


def truth(state: Progress, role: str, trait: str | None, colour: str | None) -> str | None:
    """The true answer of a role; None where the traits, or the words of the question, are not known."""
    row = (state.traits or {}).get(role)
    if row is None or trait is None or colour is None:
        return None
    return "yes" if same_colour(row[trait], colour) else "no"


def role_in(value: str) -> str:
    """The role of a secret."""
    return value.partition(" as ")[0]


def cover_in(value: str) -> str:
    """The role by which the companion answers in a seat's place: a villain may have chosen a hero's."""
    role, _, cover = value.partition(" as ")
    return cover or role


def apply(state: Progress, fact: Fact) -> Progress:
    """The state after one more event; one that does not concern the game leaves it as it is."""
    change = _FOLD.get(fact.kind)
    return state if change is None else change(state, fact.data, fact.number)


def _opened(state: Progress, data: Json, number: int) -> Progress:
    rules = {name: str(choice) for name, choice in data.get("house_rules", {}).items()}
    players = int(rules.get("players", "4"))
    other = tuple((name, rules[name]) for name in sorted(rules) if name in BY_NAME and rules[name] != BY_NAME[name].default)
    books = opening_table(players, advanced=rules.get("abilities") == "yes", expert=rules.get("mission") == "yes", rules=other)
    entered = (data.get("copy") or {}).get("traits")
    traits = (
        None if entered is None else {role: {trait: entered[role][trait] for trait in TRAITS} for role in roles_of(players)}
    )
    return replace(state, begun="set-up", position=Mat.of(books), rules=rules, traits=traits)


def _agreed(state: Progress, data: Json, number: int) -> Progress:
    return replace(state, begun="roles")


def _played(state: Progress, data: Json, number: int) -> Progress:
    before = state.position
    pick = Pick(number, data["character"], data["mover"], before, data)
    return replace(state, position=mat_of(data["position"], tolerant=True), picks=(*state.picks, pick), on=None, trait=None)


def _correction(state: Progress, data: Json, number: int) -> Progress:
    if data["what"] != "play":
        return state
    *kept, last = state.picks
    pick = Pick(number, data["character"], last.mover, last.before, data)
    return replace(state, position=mat_of(data["position"], tolerant=True), picks=(*kept, pick), on=None, trait=None)


def _undo(state: Progress, data: Json, number: int) -> Progress:
    *kept, last = state.picks
    return replace(state, position=last.before, picks=tuple(kept), on=None, trait=None)


def _ruling(state: Progress, data: Json, number: int) -> Progress:
    if data["action"] == "allow":
        return _played(state, data, number)
    if data["action"] != "set-position":
        return state
    return replace(state, position=mat_of(data["position"], tolerant=True), target=None, picks=(), on=None, trait=None)


def _opening(state: Progress, data: Json, number: int) -> Progress:
    values = [str(one["value"]) for one in data["opened"]]
    return replace(state, opened={**state.opened, data["seat"]: role_in(values[-1])})


def _acted(state: Progress, data: Json, number: int) -> Progress:
    act = read_act(data["act"])
    before = state.mat
    books = fold(before.books, act)
    said = (*state.said, (number, _complete(before.books, act), before.books.hour)) if act.act in ("answer", "verdict") else ()
    last = act.seat if act.act in ("play", "discard", "match", "draw") and act.seat is not None else before.last
    if act.act == "draw":
        last = None  # whoever draws may lay a card again
    loose = _loose(before, books, act)
    reached = still_told(before, Mat.of(books, last=last, loose=loose))
    same = replace(reached.laid, hours=()) == replace(state.position.laid, hours=())  # the marker of an hour is a reminder
    how = _ending(before.books, books, act) or state.how
    return replace(
        state, position=reached if same else state.position, target=None if same else reached, picks=(), on=None, trait=None,
        said=said or state.said, how=how,
    )  # fmt: skip


def _laid(state: Progress, data: Json, number: int) -> Progress:
    """What was asked for lies there, or what an arbiter took in its place."""
    asked: Mat = state.target or state.position
    taken = mat_of(data["position"], tolerant=True) if data.get("accepted") else asked
    return replace(state, position=asked if taken.books == asked.books else taken, target=None)


def _complete(books: Table, act: Act) -> Act:
    """An answer with the words of its question, and of a verdict whose it is."""
    pending = books.pending
    if pending is None:
        return act
    return replace(act, seat=pending.target, trait=act.trait or pending.trait, colour=act.colour or pending.colour)


def _loose(before: Mat, after: Table, act: Act) -> int:
    """Cards pushed under the pile lie there in any order; a new deck takes all of them."""
    was = before.books
    if not after.discard or len(after.discard) < len(was.discard):
        return 0
    if was.confrontation is not None and after.confrontation is None:
        return before.loose + len(after.discard) - len(was.discard)
    return before.loose


def _ending(before: Table, after: Table, act: Act) -> str:
    if after.over is None:
        return ""
    if act.act == "show":
        return "document" if act.answer == "yes" else "no-document"
    return "arrested" if after.over == "heroes" else "no-heroes"


def _mine(state: Progress, data: Json, number: int) -> Progress:
    """A seat says that the card which lies there, or comes next, is its own: then it is judged as its own."""
    seat = state.seats.index(data["seat"])
    if data.get("last") and state.picks:
        return replace(state, position=replace(state.picks[-1].before, by=seat), picks=(), on=None, trait=None)
    return replace(state, position=replace(state.position, by=seat), picks=())


def _cleared(state: Progress, data: Json, number: int) -> Progress:
    """What was flagged was put back: whose card it was does not matter any more."""
    if state.position is None or data["how"] == "nothing":
        return state
    return replace(state, position=replace(state.position, by=None))


def _traits(state: Progress, data: Json, number: int) -> Progress:
    return replace(state, traits={role: {trait: row[trait] for trait in TRAITS} for role, row in data["traits"].items()})


def _start(state: Progress, data: Json, number: int) -> Progress:
    seat = state.seats.index(data["start"])
    books = replace(state.position.books, start=seat, seat=seat)
    return replace(state, position=replace(state.position, books=books), begun=_ready(state))


def _ready(state: Progress) -> str:
    asks = state.rules.get("mission") == "yes" and state.books.rule("expert-secret") == "shown" and state.mission is None
    return "mission" if asks else "on"


def _mission(state: Progress, data: Json, number: int) -> Progress:
    books = replace(state.position.books, wanted=data["service"])
    return replace(state, position=replace(state.position, books=books), mission=data["service"], begun="on")


def _secret(state: Progress, data: Json, number: int) -> Progress:
    told = tuple(dict.fromkeys((*state.told, data["seat"])))
    begun = "start" if state.begun == "roles" and set(state.seats) <= set(told) else state.begun
    return replace(state, told=told, begun=begun)


_FOLD: Mapping[str, Callable[[Progress, Json, int], Progress]] = {
    "match-opened": _opened,
    "table-agreed": _agreed,
    "play": _played,
    "correction": _correction,
    "undo": _undo,
    "ruling": _ruling,
    "secret": _secret,
    "opening": _opening,
    "act": _acted,
    "asked": _acted,
    "answered": _acted,
    "laid": _laid,
    "tidy": lambda state, data, number: replace(state, target=mat_of(data["position"], tolerant=True), picks=()),
    "mine": _mine,
    "flag-cleared": _cleared,
    "traits": _traits,
    "start": _start,
    "mission": _mission,
    "pointed": lambda state, data, number: replace(state, on=data["on"], trait=data.get("trait")),
    "hour": lambda state, data, number: replace(state, hour=data["hour"]),
    "judged": lambda state, data, number: replace(state, judged=True),
    "outcome": lambda state, data, number: replace(state, outcome=data),
}
