"""How far a refereed game has come, folded from its events and from nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.expectations import Fact
from companion.games.letters_from_whitechapel import acts
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.folding import fold
from companion.games.letters_from_whitechapel.house_rules import DEFAULTS, MAP
from companion.games.letters_from_whitechapel.names import (
    COLOURS,
    ESCAPE,
    HUNT,
    KILL,
    OVER,
    PATROL_TOKENS,
    PATROLS,
    POLICE_ACT,
    POLICE_MOVE,
    REVEAL,
    SPACES,
    WALK,
    WOMEN,
    WRETCHED,
)
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.sheet import HIDEOUT, PATROLS_OF, WOMEN_OF, Leg, Told, act_of
from companion.games.letters_from_whitechapel.table import Table, table_of
from companion.games.rounds import SET_UP, UNOPENED, RoundState
from companion.games.seating import in_order
from companion.games.values import Json


@dataclass(frozen=True)
class Progress(RoundState):
    """``map``: whether everybody is shown what is possible. ``heads``: the tiles drawn so far. ``lair``, ``marks``, ``tokens``,
    ``flees``: what was told in secret (hideout, tonight's women and patrol tokens, the circle from which Jack flees after two
    murders). ``how``: kind and announcement of the move that is being told, ``entries`` of it told so far. ``rows``: secrets of
    Jack's row that count, ``void`` the places in the row told (from 0) of those that he took back, ``nights_from`` how many
    there were when each night's murder was done. ``nights``: public events in the form of ``deduce``. ``before``: the state
    before Jack's last move, while he may take it back."""

    map: bool = True
    heads: tuple[str, ...] = ()
    lair: bool = False
    marks: bool = False
    tokens: int = 0
    flees: bool = False
    how: tuple[str, bool] | None = None
    entries: int = 0
    rows: int = 0
    void: tuple[int, ...] = ()
    nights_from: tuple[int, ...] = ()
    victims: tuple[int, ...] | None = None
    turned: Mapping[str, str] | None = None
    turning: str | None = None
    legs: tuple[Leg, ...] = ()
    answers: tuple[Told, ...] = ()
    nights: tuple[tuple[tuple[Any, ...], ...], ...] = ()
    last: Act | None = None
    before: "Progress | None" = field(default=None, repr=False)

    @property
    def books(self) -> Position:
        """The public position that the rules know."""
        found: Position = self.position.books
        return found

    @property
    def phase(self) -> str:
        """The stage of the night."""
        if self.stage in (UNOPENED, SET_UP):
            return self.stage
        if self.outcome is not None:
            return "over"
        return "laying" if self.target is not None else _STAGES[self.books.phase](self)

    @property
    def told_rows(self) -> int:
        """How many secrets of Jack's row were told, those taken back among them."""
        return self.rows + len(self.void)

    @property
    def double(self) -> bool:
        """Whether two are killed tonight, so that nobody but Jack knows which was last."""
        return self.books.tonight.victims > 1


def _patrols_stage(state: Progress) -> str:
    books = state.books
    if not (state.lair and state.marks):
        return "women-told"
    if len(state.heads) < books.night:
        return "head"
    if len(books.patrols) < PATROL_TOKENS:
        return "patrols"
    return "patrols-told" if state.tokens < len(COLOURS) else "victims"


def _reveal_stage(state: Progress) -> str:
    if not state.books.murder_done:
        return "turn-up" if state.turning is None else "turning"
    return "order" if state.double and not state.flees else "reveal"


def _escape_stage(state: Progress) -> str:
    if state.how is None:
        return "escape"
    return "telling" if state.entries < SPACES[state.how[0]] else "told"


_STAGES: Mapping[str, Callable[[Progress], str]] = {
    WOMEN: lambda state: "women",
    PATROLS: _patrols_stage,
    KILL: lambda state: "kill",
    WRETCHED: lambda state: "wretched",
    REVEAL: _reveal_stage,
    ESCAPE: _escape_stage,
    POLICE_MOVE: lambda state: "police-move",
    POLICE_ACT: lambda state: "police-act" if state.asked is None else "asked",
    OVER: lambda state: "ended",
}


def fold_own(state: Progress, fact: Fact) -> Progress:
    """The state after what an event means in this game, once its general part was folded."""
    change = _FOLD.get(fact.kind)
    return state if change is None else change(state, fact.data, fact.number)


def after_plays(state: Progress) -> Progress:
    """Plays of the policemen alone make a round; women, patrols and the Wretched are laid and moved once."""
    alone = bool(state.picks) and state.picks[-1].before.books.phase != POLICE_MOVE
    return replace(state, picks=() if alone else state.picks, before=None)


def _opened(state: Progress, data: Json, number: int) -> Progress:
    table: Table = state.position
    chosen = data.get("house_rules", {})
    rules = {name: choice for name, choice in chosen.items() if choice != DEFAULTS.get(name, choice)}
    clockwise = tuple(seat for seat in in_order(data) if seat in COLOURS) or table.books.seats
    books = replace(table.books, house_rules=tuple(sorted(rules.items())), seats=clockwise)
    return replace(state, map=chosen.get(MAP.name, MAP.default) == MAP.default, position=Table(books, table.laid))


def _ruling(state: Progress, data: Json, number: int) -> Progress:
    if data["action"] != "set-position":
        return state
    return replace(state, position=_as_set(state.position), target=None, picks=(), before=None)


def _as_set(table: Table) -> Table:
    """The policemen stand where an arbiter has them stand."""
    stand = table.laid.police
    hunted = table.books.phase in HUNT and len(stand) == len(COLOURS)
    return Table(replace(table.books, police=stand), table.laid) if hunted else table


def _secret(state: Progress, data: Json, number: int) -> Progress:
    purpose = data["purpose"]
    if purpose == HIDEOUT:
        return replace(state, lair=True)
    if purpose in WOMEN_OF:
        return replace(state, marks=True)
    if purpose in PATROLS_OF:
        return replace(state, tokens=state.tokens + 1)
    rows = state.rows + 1
    if state.phase == "order":
        return replace(state, flees=True, rows=rows)
    return replace(state, entries=state.entries + 1, rows=rows)


def _opening(state: Progress, data: Json, number: int) -> Progress:
    values = [one["value"] for one in data["opened"]]
    if state.position is None or state.outcome is not None:
        return state
    if data["purpose"] == WOMEN_OF[state.books.night - 1]:
        return replace(state, victims=tuple(map(int, values[-1].split())))
    if data["purpose"] == PATROLS_OF[state.books.night - 1]:
        return replace(state, turned=dict(zip(COLOURS, values, strict=True)))
    return state


def _acted(state: Progress, data: Json, number: int) -> Progress:
    act, before = act_of(data["act"]), state.books
    reached = Table.of(fold(before, act))
    same = reached.laid == state.position.laid
    after = replace(
        state, position=reached if same else state.position, target=None if same else reached, last=act, picks=(), asked=None
    )
    if act.kind not in acts.JACKS_MOVES or act.yes:
        after = replace(after, before=None)
    booked = _BOOKED.get(act.kind)
    return after if booked is None else booked(after, act, before, number)


def _going(state: Progress, data: Json, number: int) -> Progress:
    before = replace(state, before=None) if state.how is None else state.before
    return replace(state, how=(data["how"], data["home"]), entries=0, before=before)


def _retracted(state: Progress, data: Json, number: int) -> Progress:
    """As before Jack's last move, but what he told of it stays told; what was laid for it is taken back by hands."""
    back = state.before
    if back is None:
        return state
    void = (*back.void, *range(back.told_rows, state.told_rows))
    same = state.position.laid == back.position.laid
    kept = replace(back, void=void, secrets=state.secrets, replies=state.replies, opened=state.opened)
    return replace(kept, position=back.position if same else state.position, target=None if same else back.position)


def _laid(state: Progress, data: Json, number: int) -> Progress:
    """What was asked for lies there, or what an arbiter took in its place."""
    asked: Table = state.target or state.position
    lies = Table.of(table_of(data["position"], tolerant=True).books) if data.get("accepted") else asked
    return replace(state, position=lies, target=None, before=state.before if lies == asked else None)


def _drawn(state: Progress, act: Act, before: Position, number: int) -> Progress:
    return replace(state, heads=(*state.heads, str(act.by)))


def _murdered(state: Progress, act: Act, before: Position, number: int) -> Progress:
    crime = (("crime", tuple(sorted(act.circles))),)
    return replace(state, nights=(*state.nights, crime), nights_from=(*state.nights_from, state.rows), flees=False)


def _tonight(state: Progress, *events: tuple[Any, ...]) -> tuple[tuple[tuple[Any, ...], ...], ...]:
    return (*state.nights[:-1], (*state.nights[-1], *events))


def _fled(state: Progress, act: Act, before: Position, number: int) -> Progress:
    walk = (act.kind, tuple(crossing for _, crossing in before.police)) if act.kind == WALK else (act.kind,)
    nights = _tonight(state, walk, *((("home",),) if act.yes else ()))
    leg = Leg(number, before, act.kind, bool(act.yes), state.rows - state.entries)
    fresh = replace(state, how=None, entries=0, nights=nights, legs=(*state.legs, leg))
    if not act.yes or (fresh.target or fresh.position).books.night == before.night:
        return fresh
    return replace(fresh, marks=False, tokens=0, victims=None, turned=None)


def _answered(state: Progress, act: Act, before: Position, number: int) -> Progress:
    told = Told(number, act.kind, str(act.circle), bool(act.yes), before.night, state.rows)
    return replace(state, answers=(*state.answers, told), nights=_tonight(state, (act.kind, act.circle, bool(act.yes))))


def _turned(state: Progress, act: Act, before: Position, number: int) -> Progress:
    told = Told(number, act.kind, str(act.crossing), act.token, before.night, state.rows)
    return replace(state, answers=(*state.answers, told), turning=None)


def _trapped(state: Progress, act: Act, before: Position, number: int) -> Progress:
    return replace(state, legs=(*state.legs, Leg(number, before, act.kind, False, state.rows)))


_BOOKED: Mapping[str, Callable[[Progress, Act, Position, int], Progress]] = {
    acts.DRAW_HEAD: _drawn,
    acts.MURDER: _murdered,
    **dict.fromkeys(acts.JACKS_MOVES, _fled),
    acts.SEARCH: _answered,
    acts.ARREST: _answered,
    acts.TURN_UP: _turned,
    acts.TRAPPED: _trapped,
}
"""What an act adds to what is remembered beside the position."""

_FOLD: Mapping[str, Callable[[Progress, Json, int], Progress]] = {
    "match-opened": _opened,
    "ruling": _ruling,
    "secret": _secret,
    "opening": _opening,
    "act": _acted,
    "answered": _acted,
    "laid": _laid,
    "moving": _going,
    "retracted": _retracted,
    "turning": lambda state, data, number: replace(state, turning=data["crossing"]),
    "asked": lambda state, data, number: replace(state, picks=()),
}
