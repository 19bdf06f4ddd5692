"""The state of one game at one table, folded from its events and from nothing else.

``apply`` never decides: it takes over what an event says. Deciding (which events come next) is in :mod:`.decide`. The
last reading is kept beside the state (``table``), because the camera will say it again after a restart; it takes no part
in comparing two matches.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from companion.errors import InvalidRecord
from companion.games.game import Game, Role
from companion.record.events import Event
from companion.record.pictures import KEY as PICTURES
from companion.referee import clock
from companion.referee.clock import GameClock
from companion.vision.reading import Reading

Json = Mapping[str, Any]

UNOPENED, SET_UP, PLAY, CALL, CLEAN_UP, OVER = "unopened", "set-up", "play", "call", "clean-up", "over"

UNKNOWN, DEDUCED, TOLD, DEALT = "unknown", "deduced", "told", "dealt"
"""How the cards of the running turn are known: not at all, from the turn before, by hand or camera, dealt by the companion."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An event still without number and date."""

    kind: str
    data: Json


@dataclass(frozen=True)
class Pick:
    """One play of the running turn: the number of its event, who made it, the position before it, the play's JSON."""

    number: int
    character: str
    mover: Role
    before: Any
    play: Json


@dataclass(frozen=True)
class Match:
    """One game as the record has it.

    ``position`` is the head: the last position everybody stands by (every play up to it was legal or ruled so).
    ``cards`` says how the cards of the turn are known.
    ``expected`` is what the table must show at the end of the clean-up, ``uncalled`` the head before the call was answered.
    ``flag``, ``doubt``, ``unfinished``, ``question`` and ``outcome`` hold the data of the event that raised them, None when
    there is none.
    """

    game: Game
    id: str = ""
    number: int = 0
    phase: str = UNOPENED
    rules: Json = field(default_factory=dict)
    position: Any = None
    expected: Any = None
    uncalled: Any = None
    picks: tuple[Pick, ...] = ()
    flag: Json | None = None
    doubt: Json | None = None
    unfinished: Json | None = None
    chores: tuple[Json, ...] = ()
    duties: tuple[str, ...] = ()
    blind: tuple[str, ...] = ()
    hidden: Json | None = None
    question: Json | None = None
    called: Json | None = None
    refused: tuple[Any, ...] = ()
    overrides: Mapping[str, Json] = field(default_factory=dict)
    cards: str = UNKNOWN
    secret: str = "asked"
    commitment: str | None = None
    outcome: Json | None = None
    opened: Json | None = None
    adjourned: bool = False
    restoring: bool = False
    clock: GameClock | None = None
    past: tuple["Match", ...] = field(default=(), compare=False, repr=False)
    penalties: tuple[Json, ...] = ()
    table: Reading | None = field(default=None, compare=False)

    @property
    def movers(self) -> tuple[Role, ...]:
        """Who picks, in order, in the running turn."""
        return self.game.movers(self.position.turn) if self.position is not None else ()

    @property
    def mover(self) -> Role | None:
        """Whose pick it is; None when nobody picks now."""
        return self.movers[len(self.picks)] if self.phase == PLAY and len(self.picks) < len(self.movers) else None

    @property
    def played(self) -> tuple[str, ...]:
        """Characters played in this turn, in order."""
        return tuple(pick.character for pick in self.picks)

    def position_from(self, data: Json) -> Any:
        """A position of this match's game from an event's JSON."""
        return self.game.position(data, tolerant=True)


def with_cards(game: Game, position: Any, *, available: Sequence[str] | None, played: Sequence[str] | None) -> Any:
    """The same position with these cards known (None: unknown)."""
    data = position.to_json()
    for key, cards in (("available", available), ("played", played)):
        data.pop(key, None)
        if cards is not None:
            data[key] = list(cards)
    return game.position(data, tolerant=True)


def look(match: Match, reading: Reading) -> Match:
    """The match with a newer reading beside it."""
    return replace(match, table=reading)


def apply(match: Match, event: Event) -> Match:
    """The match after one more event. Raises InvalidRecord for an event it cannot take over."""
    change = _FOLD.get(event.kind)
    if change is None:
        raise InvalidRecord(f"event {event.number}: its kind {event.kind!r} is not known to this companion")
    told = {key: value for key, value in event.data.items() if key != clock.ELAPSED}  # or nothing said twice would be alike
    try:
        after = change(match, told, event.number)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise InvalidRecord(f"event {event.number} ({event.kind}): something is missing in it ({error})") from error
    after = replace(after, number=event.number, clock=clock.follow(match, after, event))
    return _remembered(after, event)


def _remembered(match: Match, event: Event) -> Match:
    """The match with itself among its past when an arbiter could take the game back to here."""
    if event.kind not in ("turn-opened", "play", "correction", "ruling") or match.phase != PLAY or match.restoring:
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


# --- one function per kind of event ---------------------------------------------------------------------------------


def _calm(match: Match, **changes: Any) -> Match:
    """The match with nothing flagged, doubted or left to do, and the given changes."""
    quiet: dict[str, Any] = {"flag": None, "doubt": None, "unfinished": None, "chores": (), "refused": ()}
    return replace(match, **{**quiet, **changes})


_NO_CALL: Mapping[str, Any] = MappingProxyType(
    {"expected": None, "uncalled": None, "duties": (), "question": None, "called": None}
)
"""Neither called nor asked: nothing is left of an earlier call."""


def _opened(match: Match, data: Json, number: int) -> Match:
    start = match.position_from(data["position"])
    return replace(match, id=data["id"], phase=SET_UP, rules=dict(data["house_rules"]), position=start)


def _agreed(match: Match, data: Json, number: int) -> Match:
    position = match.position_from(data["position"])
    return _calm(match, position=position, expected=position)


def _turn_opened(match: Match, data: Json, number: int) -> Match:
    position = match.position_from(data["position"])
    cards = UNKNOWN if position.available is None else DEDUCED
    return _calm(match, phase=PLAY, position=position, cards=cards, picks=(), **_NO_CALL)


def _played(match: Match, data: Json, number: int) -> Match:
    pick = Pick(number, data["character"], data["mover"], match.position, data)
    return _calm(match, position=match.position_from(data["position"]), picks=(*match.picks, pick))


def _doubt(match: Match, data: Json, number: int) -> Match:
    return replace(match, doubt=data, unfinished=None)


def _flag(match: Match, data: Json, number: int) -> Match:
    told = {key: value for key, value in data.items() if key != PICTURES}  # or the same flag would not be known again
    return replace(match, flag=told, unfinished=None, doubt=None)


def _flag_cleared(match: Match, data: Json, number: int) -> Match:
    restoring = match.restoring and data["how"] != "put-back"
    return replace(match, flag=None, doubt=None, unfinished=None, refused=(), restoring=restoring)


def _unfinished(match: Match, data: Json, number: int) -> Match:
    return replace(match, unfinished=data if data["faults"] else None)


def _chores(match: Match, data: Json, number: int) -> Match:
    return replace(match, chores=tuple(data["chores"]))


def _call_asked(match: Match, data: Json, number: int) -> Match:
    return replace(match, phase=CALL, question={"kind": "call", "text": data["text"]})


def _call(match: Match, data: Json, number: int) -> Match:
    position, expected = match.position_from(data["position"]), match.position_from(data["expected"])
    duties = tuple(chore["subject"] for chore in data["chores"])
    called = {"seen": data["seen"], "cleared": list(data["cleared"])}
    return _calm(
        match, phase=CLEAN_UP, position=position, expected=expected, uncalled=match.position, chores=tuple(data["chores"]),
        duties=duties, question=None, called=called,
    )  # fmt: skip


def _clean_up(match: Match, data: Json, number: int) -> Match:
    return _calm(match, position=match.position_from(data["position"]), expected=None, uncalled=None, duties=())


def _cannot_see(match: Match, data: Json, number: int) -> Match:
    return replace(match, blind=tuple(data["subjects"]), hidden=data)


def _sight_restored(match: Match, data: Json, number: int) -> Match:
    return replace(match, blind=(), hidden=None)


def _correction(match: Match, data: Json, number: int) -> Match:
    if data["what"] == "sight":
        kept = {subject: fix for subject, fix in match.overrides.items() if subject not in data.get("withdrawn", ())}
        kept |= {fix["subject"]: fix for fix in data.get("fixes", ())}
        return replace(match, overrides=kept)
    if data["what"] == "call":
        # All picks are made and nothing is called: that the call is due follows, and it is asked anew.
        return _calm(match, phase=PLAY, position=match.uncalled, **_NO_CALL)
    last = match.picks[-1]
    pick = Pick(number, data["character"], last.mover, last.before, data)
    position = match.position_from(data["position"])
    return _calm(match, phase=PLAY, question=None, position=position, picks=(*match.picks[:-1], pick))


def _undo(match: Match, data: Json, number: int) -> Match:
    # Several steps back may be asked for before a hand has moved: none of the positions undone is taken up again.
    refused = (*match.refused, match.position) if data["cause"] == "answer" else ()
    return _calm(match, phase=PLAY, question=None, position=match.picks[-1].before, picks=match.picks[:-1], refused=refused)


def _ruling(match: Match, data: Json, number: int) -> Match:
    if data["action"] in _RULED:
        return _RULED[data["action"]](match, data)
    position = match.position_from(data["position"])
    if data.get("restore"):
        picks = match.picks if position.played else ()
        return _calm(match, phase=PLAY, position=position, picks=picks, restoring=True, **_NO_CALL)
    match = replace(match, restoring=False)
    if data.get("character") is None:
        # A new position needs a new call; the one that was asked for is void.
        phase = PLAY if match.phase == CALL else match.phase
        return _calm(match, phase=phase, question=None, position=position)
    pick = Pick(number, data["character"], data["mover"], match.position, data)
    return _calm(match, position=position, picks=(*match.picks, pick))


def _taken_back(match: Match, data: Json) -> Match:
    """As it stood after an earlier event; what was told outside the game (secret, corrections, penalties, clocks) stays."""
    goal = next((past for past in match.past if past.number == data["to"]), None)
    if goal is None:
        raise KeyError(f"event {data['to']}")
    kept = ("phase", "position", "expected", "uncalled", "picks", "duties", "question", "called", "cards")
    back = {name: getattr(goal, name) for name in kept}
    past = tuple(one for one in match.past if one.number <= goal.number)
    return _calm(match, **back, outcome=None, restoring=True, past=past)


_RULED: Mapping[str, Callable[[Match, Json], Match]] = MappingProxyType(
    {
        "adjourn": lambda match, data: replace(match, adjourned=True),
        "resume": lambda match, data: replace(match, adjourned=False),
        "penalty": lambda match, data: replace(
            match, penalties=(*match.penalties, {"against": data["against"], "reason": data["reason"]})
        ),
        "new-secret": lambda match, data: replace(match, secret="asked", commitment=None),
        "take-back": _taken_back,
    }
)
"""Rulings that leave the position of the head, or take one over that is on record."""


def _cards(match: Match, data: Json, number: int) -> Match:
    told = data["characters"]
    picks = tuple(
        replace(pick, before=with_cards(match.game, pick.before, available=left, played=match.played[:index]))
        for index, pick in enumerate(match.picks)
        for left in [[name for name in told if name not in match.played[:index]]]
    )
    return replace(
        match, position=match.position_from(data["position"]), picks=picks, cards=DEALT if data.get("dealt") else TOLD
    )


def _accusation(match: Match, data: Json, number: int) -> Match:
    return replace(match, phase=CALL, question={"kind": data["question"], "text": data["text"]})


def _secret(match: Match, data: Json, number: int) -> Match:
    return replace(match, secret=data["mode"], commitment=data.get("commitment"))


def _opening(match: Match, data: Json, number: int) -> Match:
    return replace(match, opened=data)


def _outcome(match: Match, data: Json, number: int) -> Match:
    return _calm(match, phase=OVER, outcome=data, question=None)


def _noted(match: Match, data: Json, number: int) -> Match:
    return match


_FOLD: Mapping[str, Callable[[Match, Json, int], Match]] = MappingProxyType(
    {
        "match-opened": _opened,
        "table-agreed": _agreed,
        "turn-opened": _turn_opened,
        "play": _played,
        "doubt": _doubt,
        "flag": _flag,
        "flag-cleared": _flag_cleared,
        "unfinished": _unfinished,
        "chores": _chores,
        "call-asked": _call_asked,
        "call": _call,
        "clean-up": _clean_up,
        "cannot-see": _cannot_see,
        "sight-restored": _sight_restored,
        "correction": _correction,
        "undo": _undo,
        "ruling": _ruling,
        "cards": _cards,
        "accusation": _accusation,
        "secret": _secret,
        "opening": _opening,
        "outcome": _outcome,
        "clock": _noted,
        "time-over": _noted,
        "notice": _noted,
    }
)
EVENT_KINDS = tuple(_FOLD)
