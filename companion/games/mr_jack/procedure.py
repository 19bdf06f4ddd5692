"""How an evening of Mr. Jack goes on: set-up, four plays a turn, the witness call, tidying up; folded from its events.

``apply`` never decides: it takes over what an event says. What comes next is in :mod:`.expecting`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Protocol

from companion.games.expectations import Fact, Pick
from companion.games.game import Json, Outcome, Play, Role
from companion.games.mr_jack.witnessing import Witness

UNOPENED, SET_UP, PLAY, CALL, CLEAN_UP, OVER = "unopened", "set-up", "play", "call", "clean-up", "over"

UNKNOWN, DEDUCED, TOLD, DEALT = "unknown", "deduced", "told", "dealt"
"""How the cards of the running turn are known: not at all, from the turn before, by hand or camera, dealt by the companion."""


class Rulebook(Protocol):
    """What the procedure asks of the rules of one game of the family."""

    characters: tuple[str, ...]

    def position(self, data: Json, *, tolerant: bool = False) -> Any: ...
    def movers(self, turn: int) -> tuple[Role, ...]: ...
    def candidates(self, position: Any) -> tuple[str, ...]: ...
    def witness(self, position: Any) -> Witness: ...
    def suspects(self, position: Any) -> tuple[str, ...]: ...
    def call(self, position: Any, seen: bool) -> Any: ...
    def close_turn(self, position: Any) -> Any: ...
    def outcome(self, position: Any, play: Play | None = None, jack: str | None = None) -> Outcome | None: ...
    def surface(self, position: Any) -> dict[str, Any]: ...
    def differences(self, expected: Any, state: Json, unknown: tuple[str, ...] = ()) -> tuple[Any, ...]: ...


@dataclass(frozen=True, slots=True)
class Call:
    """One witness call that stands: the number of its event, its turn, the answer, and who was seen then."""

    number: int
    turn: int
    seen: bool
    witnessed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Procedure:
    """``position`` is the head. ``expected`` is what the table must show after the clean-up, ``uncalled`` the head before
    the call was answered, ``cards`` how those of the turn are known. ``question`` and ``outcome`` hold what the event said that
    raised them, None when there is none."""

    phase: str = UNOPENED
    position: Any = None
    expected: Any = None
    uncalled: Any = None
    picks: tuple[Pick[Any], ...] = ()
    duties: tuple[str, ...] = ()
    question: Json | None = None
    called: Json | None = None
    cards: str = UNKNOWN
    calls: tuple[Call, ...] = ()
    outcome: Json | None = None

    @property
    def played(self) -> tuple[str, ...]:
        """Characters played in this turn, in order."""
        return tuple(pick.character for pick in self.picks)


def with_cards(game: Rulebook, position: Any, *, available: Sequence[str] | None, played: Sequence[str] | None) -> Any:
    """The same position with these cards known (None: unknown)."""
    data = position.to_json()
    for key, cards in (("available", available), ("played", played)):
        data.pop(key, None)
        if cards is not None:
            data[key] = list(cards)
    return game.position(data, tolerant=True)


def apply(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    """The state after one more event; one that does not concern the game leaves it as it is."""
    change = _FOLD.get(fact.kind)
    return state if change is None else change(game, state, fact)


EVENTS: Mapping[str, bool] = MappingProxyType(
    {"turn-opened": True, "call-asked": False, "call": True, "cards": False, "accusation": False}
)
"""The family's own kinds of events, and whether one settles what was to be put right before it."""

_NO_CALL: Mapping[str, Any] = MappingProxyType(
    {"expected": None, "uncalled": None, "duties": (), "question": None, "called": None}
)
"""Neither called nor asked: nothing is left of an earlier call."""


def _on_record(game: Rulebook, data: Json) -> Any:
    return game.position(data["position"], tolerant=True)


def _opened(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    return replace(state, phase=SET_UP, position=_on_record(game, fact.data))


def _agreed(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    position = _on_record(game, fact.data)
    return replace(state, position=position, expected=position)


def _turn_opened(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    position = _on_record(game, fact.data)
    cards = UNKNOWN if position.available is None else DEDUCED
    return replace(state, phase=PLAY, position=position, cards=cards, picks=(), **_NO_CALL)


def _played(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    pick = Pick(fact.number, fact.data["character"], fact.data["mover"], state.position, fact.data)
    return replace(state, position=_on_record(game, fact.data), picks=(*state.picks, pick))


def _call_asked(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    return replace(state, phase=CALL, question={"kind": "call", "text": fact.data["text"]})


def _call(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    data = fact.data
    return replace(
        state,
        phase=CLEAN_UP,
        position=_on_record(game, data),
        expected=game.position(data["expected"], tolerant=True),
        uncalled=state.position,
        duties=tuple(chore["subject"] for chore in data["chores"]),
        question=None,
        called={"seen": data["seen"], "cleared": list(data["cleared"])},
        calls=(*state.calls, Call(fact.number, data["turn"], data["seen"], tuple(data["witness"]["seen"]))),
    )


def _clean_up(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    return replace(state, position=_on_record(game, fact.data), expected=None, uncalled=None, duties=())


def _correction(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    data = fact.data
    if data["what"] == "sight":
        return state
    if data["what"] == "call":
        # All picks are made and nothing is called: that the call is due follows, and it is asked anew.
        return replace(state, phase=PLAY, position=state.uncalled, calls=state.calls[:-1], **_NO_CALL)
    last = state.picks[-1]
    pick = Pick(fact.number, data["character"], last.mover, last.before, data)
    return replace(state, phase=PLAY, question=None, position=_on_record(game, data), picks=(*state.picks[:-1], pick))


def _undo(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    return replace(state, phase=PLAY, question=None, position=state.picks[-1].before, picks=state.picks[:-1])


def _ruling(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    data = fact.data
    if data["action"] in ("adjourn", "resume", "penalty", "new-secret", "take-back"):
        return state  # what they change is not the game's own
    position = _on_record(game, data)
    if data.get("restore"):
        return replace(state, phase=PLAY, position=position, picks=state.picks if position.played else (), **_NO_CALL)
    if data.get("character") is None:
        # A new position needs a new call; the one that was asked for is void.
        return replace(state, phase=PLAY if state.phase == CALL else state.phase, question=None, position=position)
    pick = Pick(fact.number, data["character"], data["mover"], state.position, data)
    return replace(state, position=position, picks=(*state.picks, pick))


def _cards(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    told = fact.data["characters"]
    picks = tuple(
        replace(pick, before=with_cards(game, pick.before, available=left, played=state.played[:index]))
        for index, pick in enumerate(state.picks)
        for left in [[name for name in told if name not in state.played[:index]]]
    )
    return replace(state, position=_on_record(game, fact.data), picks=picks, cards=DEALT if fact.data.get("dealt") else TOLD)


def hindsight(game: Rulebook, past: Procedure, state: Procedure) -> Procedure:
    """An earlier state with the cards of its turn, once they were told or dealt; else the state itself."""
    done = len(past.picks)
    told = state.cards in (TOLD, DEALT) and past.position.turn == state.position.turn and past.played == state.played[:done]
    if not told or past.phase != PLAY:
        return past
    then = state.picks[done].before if done < len(state.picks) else state.position
    if (past.position.available, past.position.played, past.cards) == (then.available, then.played, state.cards):
        return past
    position = with_cards(game, past.position, available=then.available, played=then.played)
    return replace(past, position=position, picks=state.picks[:done], cards=state.cards)


def _accusation(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    return replace(state, phase=CALL, question={"kind": fact.data["question"], "text": fact.data["text"]})


def _outcome(game: Rulebook, state: Procedure, fact: Fact) -> Procedure:
    return replace(state, phase=OVER, outcome=fact.data, question=None)


_FOLD: Mapping[str, Callable[[Rulebook, Procedure, Fact], Procedure]] = MappingProxyType(
    {
        "match-opened": _opened,
        "table-agreed": _agreed,
        "turn-opened": _turn_opened,
        "play": _played,
        "call-asked": _call_asked,
        "call": _call,
        "clean-up": _clean_up,
        "correction": _correction,
        "undo": _undo,
        "ruling": _ruling,
        "cards": _cards,
        "accusation": _accusation,
        "outcome": _outcome,
    }
)
