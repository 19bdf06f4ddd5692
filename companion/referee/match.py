"""The state of one game at one table, folded from its events and from nothing else.

Two folds run side by side: the game folds what concerns its own procedure (:attr:`Match.state`), the referee what concerns any
table: what is flagged, doubted, unfinished, hidden, corrected by hand, ruled. ``apply`` never decides: it takes over what an
event says. Deciding (which events come next) is in :mod:`.decide`. The last reading is kept beside the state (``table``),
because the camera will say it again after a restart; it takes no part in comparing two matches.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar, cast

from companion.errors import BadInput, InvalidRecord, quoted, stopped_by
from companion.games.expectations import (
    Arrangement,
    Change,
    Context,
    Disproof,
    Draw,
    Expectation,
    Fact,
    Opening,
    Over,
    Pick,
    Question,
    State,
)  # fmt: skip
from companion.games.game import Game, Position, Role
from companion.games.seats import Held, Purpose, Secret, Told, purpose_of, sole
from companion.record.events import Event
from companion.record.pictures import KEY as PICTURES
from companion.referee import clock
from companion.referee.clock import GameClock
from companion.vision.reading import Reading

Json = Mapping[str, Any]
Kind = TypeVar("Kind", Change, Question, Draw, Opening, Over)

Draft = Fact
"""An event still without number and date."""


@dataclass(frozen=True)
class Match:
    """One game as the record has it.

    ``state`` is the game's own: the head position, the plays of the running round, what it expects. ``flag``, ``doubt``,
    ``unfinished`` and ``outcome`` hold the data of the event that raised them, None when there is none, ``pointed`` that of the
    last pointing until what it was about is answered. ``told`` are the
    secrets by which seats are bound, ``openings`` the data of the events that opened some of them, ``past`` the moments an
    arbiter may take the game back to.
    """

    game: Game
    id: str = ""
    number: int = 0
    rules: Json = field(default_factory=dict)
    people: tuple[Json, ...] = ()
    """Who plays which seats, clockwise, as the event that opened the match has it."""
    state: State[Position] = None  # type: ignore[assignment]  # the game's beginning, see __post_init__
    flag: Json | None = None
    doubt: Json | None = None
    unfinished: Json | None = None
    chores: tuple[Json, ...] = ()
    blind: tuple[str, ...] = ()
    hidden: Json | None = None
    refused: tuple[Position, ...] = ()
    overrides: Mapping[str, Json] = field(default_factory=dict)
    told: tuple[Told, ...] = ()
    outcome: Json | None = None
    pointed: Json | None = None
    openings: tuple[Json, ...] = ()
    adjourned: bool = False
    restoring: bool = False
    clock: GameClock | None = None
    past: tuple["Match", ...] = field(default=(), compare=False, repr=False)
    penalties: tuple[Json, ...] = ()
    table: Reading | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.state is None:
            object.__setattr__(self, "state", self.game.begin())

    # --- what the game says ---------------------------------------------------------------------------------------

    @cached_property
    def expects(self) -> tuple[Expectation[Position], ...]:
        """What may come next."""
        return tuple(self.game.expects(self.state))

    def _expected(self, kind: type[Kind]) -> Kind | None:
        return next((one for one in self.expects if isinstance(one, kind)), None)

    @cached_property
    def change(self) -> Change | None:
        """The play that is expected, or may still be told otherwise."""
        return self._expected(Change)

    @cached_property
    def returns(self) -> tuple["Match", ...]:
        """The moments an arbiter may take the game back to, with what was told of them since: none before something secret was
        opened that all know since."""
        try:
            self.game.may_go_back(self.context)
        except BadInput:
            return ()
        return tuple(self.known_since(past) for past in self.past if past.openings == self.openings)

    def stands_at(self, past: "Match") -> bool:
        """Whether taking the game back to a moment would change nothing: what is expected now was expected there, or follows
        from there without anybody's doing."""
        state = past.state
        while state.position == self.position:
            if tuple(self.game.expects(state)) == self.expects:
                return True
            due = self.game.due(state, self.context)
            if not due:
                return False
            for fact in due:
                state = self.game.apply(state, replace(fact, number=self.number))
        return False

    def known_since(self, past: "Match") -> "Match":
        """A moment of the past with what was told of it later, in the same turn."""
        turn = past.position.turn
        later = next(one for one in (self, *reversed(self.past)) if one.position.turn == turn)
        state = self.game.hindsight(past.state, later.state)
        return past if state is past.state else replace(past, state=state)

    @cached_property
    def arrangement(self) -> Arrangement[Position] | None:
        """What the table must be brought to."""
        return next((one for one in self.expects if isinstance(one, Arrangement)), None)

    @cached_property
    def asked(self) -> Question | None:
        """The question that is open."""
        return self._expected(Question)

    @cached_property
    def draw(self) -> Draw | None:
        """What may be drawn now."""
        return self._expected(Draw)

    @cached_property
    def opening(self) -> Opening | None:
        """The secrets that have to be opened now."""
        return self._expected(Opening)

    @cached_property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._expected(Over) is not None

    @property
    def begun(self) -> bool:
        """Whether a game is on record at all."""
        return self.state.position is not None

    @property
    def playing(self) -> bool:
        """Whether plays are being made, and nobody is asked anything meanwhile."""
        return self.change is not None and self.asked is None

    @property
    def context(self) -> Context:
        """What the game is told of the record beside its own state."""
        left = tuple(chore["subject"] for chore in self.chores)
        opened = {(seat, purpose): self.opened_by(seat, purpose) for seat, purpose in map(self.concerns, self.openings)}
        values = {key: tuple(one.value for one in secrets) for key, secrets in opened.items()}
        return Context(self.secret, self.commitment is not None, self.opened, self.adjourned, left, self.told, values)

    # --- secrets --------------------------------------------------------------------------------------------------

    @property
    def sole(self) -> Purpose | None:
        """The one secret of a game that has one only."""
        return sole(self.game.purposes)

    @property
    def secret(self) -> str:
        """How the last secret was told: ``"asked"`` (none was), ``"entrusted"`` or ``"sealed"``."""
        return self.told[-1].mode if self.told else "asked"

    @property
    def commitment(self) -> str | None:
        """What binds the one secret of a game that has one only."""
        return self.told[-1].commitment if self.told and self.sole is not None else None

    @property
    def opened(self) -> Json | None:
        """What was opened of the one secret of a game that has one only; of several the last opening."""
        return self.openings[-1] if self.openings else None

    def concerns(self, data: Json) -> tuple[Role, str]:
        """The seat and the purpose that an event about secrets is about. Raises KeyError where it does not say."""
        if self.sole is not None and "purpose" not in data:
            return str(self.sole.seat), self.sole.name
        return str(data["seat"]), str(data["purpose"])

    def row(self, seat: Role, purpose: str) -> tuple[Told, ...]:
        """What a seat told of a purpose, in order."""
        return tuple(one for one in self.told if (one.seat, one.purpose) == (seat, purpose))

    def opened_by(self, seat: Role, purpose: str) -> tuple[Secret, ...]:
        """What a seat opened of a purpose."""
        data = next((one for one in reversed(self.openings) if self.concerns(one) == (seat, purpose)), None)
        return () if data is None else tuple(Secret(seat, purpose, *entry[:2]) for entry in openings_in(self, data))

    def held_open(self, seat: Role) -> Held:
        """Everything that a seat opened."""
        purposes = {purpose for _, purpose in map(self.concerns, self.openings)}
        return Held.of(seat, (secret for purpose in purposes for secret in self.opened_by(seat, purpose)))

    def disproved(self, opening: Json) -> tuple[Disproof, ...]:
        """What is proved wrong by one more opening (an event's data) and all that its seat opened before."""
        seat, _ = self.concerns(opening)
        return tuple(self.game.disproved(self.state, replace(self, openings=(*self.openings, opening)).held_open(seat)))

    # --- what is read of the game's state -------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """The stage of the game, by the game's own name for it."""
        return self.state.phase

    @property
    def position(self) -> Position:
        """The head: the last position everybody stands by; None before the match is opened."""
        return cast(Position, self.state.position)

    @property
    def expected(self) -> Position | None:
        """What the table has to be brought to once play has begun; None where nothing has to be."""
        goal = self.arrangement
        return goal.target if goal is not None and not goal.start else None

    @property
    def duties(self) -> tuple[str, ...]:
        """The subjects that hands were asked to touch."""
        return self.arrangement.touched if self.arrangement is not None else ()

    @property
    def question(self) -> Json | None:
        """The open question as screens read it."""
        if self.asked is None:
            return None
        params = {"params": dict(self.asked.params)} if self.asked.params else {}
        return {"kind": self.asked.id, "text": self.asked.text, **params}

    @property
    def picks(self) -> tuple[Pick[Position], ...]:
        """The plays of the running round."""
        return self.state.picks

    @property
    def seats(self) -> tuple[Role, ...]:
        """Who plays this match."""
        return self.game.seats_in(self.state)

    @property
    def movers(self) -> tuple[Role, ...]:
        """Who picks, in order, in the running turn or round: those seats that this match has."""
        if self.position is None:
            return ()
        order, seats = self.change.order if self.change is not None else (), self.seats
        return tuple(seat for seat in order or self.game.movers(self.position.turn) if seat in seats)

    @property
    def mover(self) -> Role | None:
        """Whose pick it is; None when nobody picks now."""
        return self.change.seat if self.change is not None else None

    @property
    def played(self) -> tuple[str, ...]:
        """Characters played in this turn, in order."""
        return tuple(pick.character for pick in self.picks)

    def position_from(self, data: Json) -> Position:
        """A position of this match's game from an event's JSON."""
        return self.game.position(data, tolerant=True)


def openings_in(match: Match, data: Json) -> list[tuple[int, str, str]]:
    """The number, value and nonce (hexadecimal digits, empty where there was no commitment) of each secret in an opening."""
    if "opened" in data:
        return [(int(one["number"]), str(one["value"]), str(one.get("nonce", ""))) for one in data["opened"]]
    key = match.sole.key if match.sole is not None else "value"
    return [(1, str(data[key]), str(data.get("nonce", "")))]


def look(match: Match, reading: Reading) -> Match:
    """The match with a newer reading beside it."""
    return replace(match, table=reading)


def apply(match: Match, event: Event) -> Match:
    """The match after one more event. Raises InvalidRecord for an event it cannot take over."""
    change = _FOLD.get(event.kind) or (_own if event.kind in match.game.events else None)
    if change is None:
        raise InvalidRecord(f"event {event.number}: its kind {quoted(event.kind)} is not known to this companion")
    told = {key: value for key, value in event.data.items() if key != clock.ELAPSED}  # or nothing said twice would be alike
    fact = Fact(event.kind, told, event.number)
    try:
        state = match.game.apply(match.state, fact)
        after = change(replace(match, state=state), match, fact)
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise InvalidRecord(f"event {event.number} ({event.kind}): cannot be taken over ({stopped_by(error)})") from error
    settles = match.game.events.get(event.kind, False)
    after = replace(after, number=event.number, clock=clock.follow(match, after, event, fresh=settles))
    return _remembered(after, event)


def check_expected(match: Match) -> None:
    """Raises InvalidRecord where the game expects something of a seat that this match does not have."""
    seats = match.seats
    for one in match.expects:
        seat = getattr(one, "seat", None)
        if seat is not None and seat not in seats:
            raise InvalidRecord(
                f"{match.game.id}: expects a {type(one).__name__.lower()} of seat {quoted(seat)}; there are: {', '.join(seats)}"
            )


def _remembered(match: Match, event: Event) -> Match:
    """The match with itself among its past when an arbiter could take the game back to here."""
    settled = event.kind in ("play", "correction", "ruling") or match.game.events.get(event.kind, False)
    if not settled or not match.playing or match.restoring:
        return match
    if match.past and match.past[-1].position == match.position and match.past[-1].picks == match.picks:
        return match
    return replace(match, past=(*match.past, replace(match, past=(), table=None)))


def fold(game: Game, events: Iterable[Event]) -> Match:
    """The match that these events make."""
    match = Match(game)
    for event in events:
        match = apply(match, event)
    return match


# --- one function per kind of event: the match with the game's state folded already, the match before, the event -----


def _calm(match: Match, **changes: Any) -> Match:
    """The match with nothing flagged, doubted or left to do, and the given changes."""
    quiet: dict[str, Any] = {
        "flag": None, "doubt": None, "unfinished": None, "chores": (), "refused": (), "pointed": None,
    }  # fmt: skip
    return replace(match, **{**quiet, **changes})


def _opened(match: Match, before: Match, fact: Fact) -> Match:
    people = tuple(fact.data.get("seating", ()))
    return replace(match, id=fact.data["id"], rules=dict(fact.data["house_rules"]), people=people)


def _settled(match: Match, before: Match, fact: Fact) -> Match:
    return _calm(match)


def _own(match: Match, before: Match, fact: Fact) -> Match:
    """An event of a kind that only this game has."""
    return _calm(match, chores=tuple(fact.data.get("chores", ()))) if match.game.events[fact.kind] else match


def _doubt(match: Match, before: Match, fact: Fact) -> Match:
    if "again" in fact.data and match.table is not None:
        match = replace(match, table=replace(match.table, again=()))  # asked once
    return replace(match, doubt=fact.data, unfinished=None)


def _flag(match: Match, before: Match, fact: Fact) -> Match:
    told = {key: value for key, value in fact.data.items() if key != PICTURES}  # or the same flag would not be known again
    return replace(match, flag=told, unfinished=None, doubt=None)


def _flag_cleared(match: Match, before: Match, fact: Fact) -> Match:
    restoring = match.restoring and fact.data["how"] != "put-back"
    return replace(match, flag=None, doubt=None, unfinished=None, refused=(), restoring=restoring)


def _unfinished(match: Match, before: Match, fact: Fact) -> Match:
    return replace(match, unfinished=fact.data if fact.data["faults"] else None)


def _chores(match: Match, before: Match, fact: Fact) -> Match:
    return replace(match, chores=tuple(fact.data["chores"]))


def _cannot_see(match: Match, before: Match, fact: Fact) -> Match:
    return replace(match, blind=tuple(fact.data["subjects"]), hidden=fact.data)


def _sight_restored(match: Match, before: Match, fact: Fact) -> Match:
    return replace(match, blind=(), hidden=None)


def _correction(match: Match, before: Match, fact: Fact) -> Match:
    data = fact.data
    if data["what"] != "sight":
        return _calm(match)
    kept = {subject: fix for subject, fix in match.overrides.items() if subject not in data.get("withdrawn", ())}
    kept |= {fix["subject"]: fix for fix in data.get("fixes", ())}
    return replace(match, overrides=kept)


def _undo(match: Match, before: Match, fact: Fact) -> Match:
    # Several steps back may be asked for before a hand has moved: none of the positions undone is taken up again.
    refused = (*match.refused, before.position) if fact.data["cause"] == "answer" else ()
    return _calm(match, refused=refused)


def _ruling(match: Match, before: Match, fact: Fact) -> Match:
    if fact.data["action"] in _RULED:
        return _RULED[fact.data["action"]](match, fact.data)
    return _calm(match, restoring=bool(fact.data.get("restore")))


def _taken_back(match: Match, data: Json) -> Match:
    """As it stood after an earlier event; what was told outside the game (corrections, penalties, clocks, the one secret of a
    game that has one only) stays. Where secrets are steps of the game, those told since then are told anew."""
    goal = next((past for past in match.past if past.number == data["to"]), None)
    if goal is None:
        raise KeyError(f"event {data['to']}")
    past = tuple(one for one in match.past if one.number <= goal.number)
    told = match.told if match.sole is not None else goal.told
    wiser = match.known_since(goal)
    if "position" not in data or wiser.position != match.position_from(data["position"]):
        wiser = goal  # a record of an older companion, which forgot what was told later
    return _calm(match, state=wiser.state, told=told, outcome=None, restoring=True, past=past)


def _without(match: Match, data: Json) -> tuple[Told, ...]:
    """What is told yet once a seat was let go from its secrets of a purpose."""
    seat, purpose = match.concerns(data)
    return tuple(one for one in match.told if (one.seat, one.purpose) != (seat, purpose))


_RULED: Mapping[str, Callable[[Match, Json], Match]] = MappingProxyType(
    {
        "adjourn": lambda match, data: replace(match, adjourned=True),
        "resume": lambda match, data: replace(match, adjourned=False),
        "penalty": lambda match, data: replace(
            match, penalties=(*match.penalties, {"against": data["against"], "reason": data["reason"]})
        ),
        "new-secret": lambda match, data: replace(match, told=_without(match, data)),
        "take-back": _taken_back,
    }
)
"""Rulings that leave the position of the head, or take one over that is on record."""


def _secret(match: Match, before: Match, fact: Fact) -> Match:
    data, (seat, purpose) = fact.data, match.concerns(fact.data)
    known = purpose_of(match.game.purposes, purpose)
    row = match.row(seat, purpose)
    number = len(row) + 1 if known is not None and known.row else 1
    if known is None or data.get("number", number) != number:
        raise KeyError(f"number {number} of {quoted(purpose)}")
    kept = match.told if known.row else tuple(one for one in match.told if one not in row)
    return replace(match, told=(*kept, Told(seat, purpose, number, data["mode"], data.get("commitment"))))


def _opening(match: Match, before: Match, fact: Fact) -> Match:
    match.concerns(fact.data), openings_in(match, fact.data)  # KeyError where something is missing
    return replace(match, openings=(*match.openings, fact.data))


def _outcome(match: Match, before: Match, fact: Fact) -> Match:
    return _calm(match, outcome=fact.data)


def _pointed(match: Match, before: Match, fact: Fact) -> Match:
    told = {key: value for key, value in fact.data.items() if key != PICTURES}
    return replace(match, pointed={key: told[key] for key in ("question", "seat", "place", "by")})


def _noted(match: Match, before: Match, fact: Fact) -> Match:
    return match


_FOLD: Mapping[str, Callable[[Match, Match, Fact], Match]] = MappingProxyType(
    {
        "match-opened": _opened,
        "table-agreed": _settled,
        "play": _settled,
        "doubt": _doubt,
        "flag": _flag,
        "flag-cleared": _flag_cleared,
        "unfinished": _unfinished,
        "chores": _chores,
        "clean-up": _settled,
        "cannot-see": _cannot_see,
        "sight-restored": _sight_restored,
        "correction": _correction,
        "undo": _undo,
        "ruling": _ruling,
        "secret": _secret,
        "opening": _opening,
        "outcome": _outcome,
        "pointed-at": _pointed,
        "clock": _noted,
        "time-over": _noted,
        "notice": _noted,
    }
)
EVENT_KINDS = tuple(_FOLD)
"""Kinds of events that any game may have; a game names its own beside them (:attr:`Rules.events`)."""
