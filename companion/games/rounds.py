"""A base for games that go by rounds of plays: the fold of the general events, and the port's answers that follow from it.

The state of such a game derives :class:`RoundState`, the game :class:`RoundGame`. What an event of a general kind (``play``,
``correction``, ``undo``, ``ruling``, ``secret``, …) means to the state is folded here, and the game's own
:meth:`RoundGame.fold` is asked after it. Who may tell which secret when, and which values it can have, the game says in
two answers (:meth:`RoundGame.tells`, :meth:`RoundGame.possible`); what the port asks about secrets follows from them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from companion.errors import BadInput, quoted
from companion.games.base import BaseGame
from companion.games.expectations import Arrangement, Change, Context, Expectation, Fact, Over, Pick, Question
from companion.games.seats import Choice, Held, Line, Own, Purpose, Tell, key_of
from companion.games.values import Json, Outcome, Play, Position, Role

UNOPENED, SET_UP, AGREED, PLAYING, ASKED, OVER = "unopened", "set-up", "agreed", "playing", "asked", "over"
RESTING = Change(None, 0)
"""Nobody moves a piece; the last play may still be told otherwise."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An event that is remembered: its number, its data, and the position that it met."""

    number: int
    data: Json
    position: Any


@dataclass(frozen=True)
class RoundState:
    """``stage`` is how far the general events have brought the game. ``target``: what hands must bring the table to, None:
    nothing. ``asked``: the data of the open question's event. ``secrets`` and ``replies``: every ``secret`` and ``answered``
    event. ``opened``: what was opened, by seat and purpose."""

    stage: str = UNOPENED
    position: Any = None
    picks: tuple[Pick[Any], ...] = ()
    target: Any = None
    asked: Json | None = None
    secrets: tuple[Mark, ...] = ()
    replies: tuple[Mark, ...] = ()
    opened: Mapping[tuple[Role, str], tuple[str, ...]] = field(default_factory=dict)
    outcome: Json | None = None

    @property
    def phase(self) -> str:
        """The stage of the game for whoever reads a snapshot; a game may tell more of them apart."""
        return self.stage

    def told(self, seat: Role, purpose: str) -> tuple[Mark, ...]:
        """The events by which a seat told its secrets of a purpose, oldest first."""
        return tuple(one for one in self.secrets if (one.data["seat"], one.data["purpose"]) == (seat, purpose))


P = TypeVar("P", bound=Position)
R = TypeVar("R", bound=RoundState)


class RoundGame(BaseGame[P, R]):
    """A game adds ``first`` (its state before anything is on record), :meth:`fold`, :meth:`steps`, ``due``, ``answer`` and,
    with secrets, :meth:`tells` and :meth:`possible`."""

    first: R

    # --- the fold -------------------------------------------------------------------------------------------------

    def begin(self) -> R:
        """Nothing is on record."""
        return self.first

    def apply(self, state: R, fact: Fact) -> R:
        """The state after one more event: what it means at any table, then what it means in this game."""
        general = _FOLD.get(fact.kind)
        return self.fold(state if general is None else general(self, state, fact), fact)

    def fold(self, state: R, fact: Fact) -> R:
        """What an event means in this game alone, once its general part was folded."""
        return state

    def after_plays(self, state: R) -> R:
        """The state once a play was made, told otherwise or taken back."""
        return replace(state, stage=PLAYING, asked=None)

    # --- what may come next ---------------------------------------------------------------------------------------

    def expects(self, state: R) -> tuple[Expectation[P], ...]:
        """The set-up first, then the game's own steps, then the end."""
        if state.phase == SET_UP:
            return (Arrangement(state.position, "table-agreed", start=True),)
        if state.phase == OVER and state.outcome is not None:
            told = state.outcome
            return (Over(Outcome(told["winner"], told["code"], told["text"], told["params"])),)
        return self.steps(state)

    def steps(self, state: R) -> tuple[Expectation[P], ...]:
        """What may come next between set-up and end."""
        raise NotImplementedError

    def check(self, state: R, context: Context, fact: Fact) -> tuple[str, ...]:
        """A secret that could not be told, an answer that nobody asked for, a table that is not what had to lie there."""
        data, asked = fact.data, state.asked or {}
        if fact.kind == "secret" and data["purpose"] not in self.tells(state, data["seat"]):
            return ("secret: that could not be told then",)
        if fact.kind == "answered":
            same = all(data[key] == asked[key] for key in asked if key in data and key not in ("text", "params"))
            return () if asked and same else ("answered: nobody asked that",)
        goal = next((one for one in self.expects(state) if isinstance(one, Arrangement)), None)
        if goal is not None and not goal.start and fact.kind == goal.reached and not data.get("accepted"):
            lies = self.position(data["position"], tolerant=True)
            return () if lies == goal.target else (f"{fact.kind}: that was not what had to lie there",)
        return ()

    # --- what a seat keeps secret ---------------------------------------------------------------------------------

    def tells(self, state: R, seat: Role) -> Mapping[str, str]:
        """The purposes of which a seat can tell a secret now, each with the sentence that asks for it."""
        return {}

    def possible(self, state: R, seat: Role, purpose: str, held: Held | None) -> tuple[str, ...]:
        """The values that a seat's next secret of a purpose can have. ``held``: what it entrusted before, None: nothing."""
        return ()

    def lines(self, state: R, seat: Role, held: Held) -> tuple[Line, ...]:
        """What a seat alone is told of what it entrusted."""
        return ()

    def may_tell(self, state: R, context: Context, seat: Role, purpose: Purpose) -> None:
        """Raises BadInput where the game does not ask this seat for it now."""
        if purpose.name not in self.tells(state, seat):
            raise BadInput(f"{seat} cannot tell this secret now: {purpose.name}")

    def may_be(self, state: R, seat: Role, purpose: Purpose, value: object, held: Held) -> None:
        """Raises BadInput for a value that is not possible."""
        possible = self.possible(state, seat, purpose.name, held)
        if value not in possible:
            raise BadInput(f"{quoted(value)} cannot be the {purpose.name}; there are: {', '.join(possible) or 'none'}")

    def private(self, state: R, context: Context, seat: Role, held: Held | None) -> Own | None:
        """A seat's own lines, its row as a trail, and what it may tell now; values that are cells are picked on the board."""
        if state.position is None or all(purpose.seat not in (None, seat) for purpose in self.purposes):
            return None
        cells = self.board(state.position.edition).cells
        tells = (
            Tell(purpose, text, tuple(_choice(value, cells) for value in self.possible(state, seat, purpose, held)))
            for purpose, text in self.tells(state, seat).items()
        )
        kept = held or Held(seat)
        trail = next((kept.row(one.name) for one in self.purposes if one.row), ())
        return Own(self.lines(state, seat, kept), trail, tuple(tells))


def _choice(value: str, cells: Mapping[str, Any]) -> Choice:
    return Choice(value, place=value) if value in cells else Choice(value, value)


# --- facts and questions that games propose alike ---------------------------------------------------------------------

YES_NO: tuple[Json, ...] = ({"kind": "say", "yes": True}, {"kind": "say", "yes": False})
"""The form of a question that is answered by yes or no."""


def yes_or_no(key: str, seat: Role, asked: Json, purpose: str | None = None, *, certain: bool = False) -> Question:
    """The open question, as its event asked it, answered by yes or no or by an entrusted secret."""
    return Question(key, seat, asked["text"], asked["params"], YES_NO, ("Yes", "No"), purpose=purpose, certain=certain)


def said_yes(state: RoundState, said: Json, seat: Role | None) -> bool:
    """The answer to an open question of yes or no. Raises BadInput where nothing is asked, or not of this seat."""
    if state.asked is None or said.get("seat") not in (None, seat):
        raise BadInput("nobody asked this seat anything now")
    if not isinstance(said.get("yes"), bool):
        raise BadInput("an answer is 'yes': true or false")
    return bool(said["yes"])


def turn_opened(position: Any, movers: Sequence[Role]) -> Fact:
    """The event that opens the turn of a position."""
    return Fact("turn-opened", {"turn": position.turn, "movers": list(movers), "position": position.to_json()})


def played(state: RoundState, play: Play, mover: Role) -> Fact:
    """The event of a play that was told instead of seen: a seat leaves everything where it lies."""
    where = {"turn": state.position.turn, "pick": len(state.picks) + 1, "mover": mover}
    return Fact("play", {**where, **play.to_json(), "text": play.text, "params": dict(play.params)})


def ended(winner: Role, code: str, text: str, params: Json | None = None) -> Fact:
    """The event that ends the game. ``text`` is a sentence template, ``params`` its words."""
    words = dict(params or {})
    return Fact("outcome", {"winner": winner, "code": code, "message": text.format(**words), "text": text, "params": words})


# --- the general fold: one function per kind of event -----------------------------------------------------------------


def _at(game: RoundGame[Any, R], state: R, fact: Fact, **more: Any) -> R:
    return replace(state, position=game.position(fact.data["position"], tolerant=True), **more)


def _with_pick(game: RoundGame[Any, R], state: R, fact: Fact) -> R:
    pick = Pick(fact.number, fact.data["character"], fact.data["mover"], state.position, fact.data)
    return game.after_plays(_at(game, state, fact, picks=(*state.picks, pick)))


def _correction(game: RoundGame[Any, R], state: R, fact: Fact) -> R:
    if fact.data["what"] != "play":
        return state
    *kept, last = state.picks
    pick = Pick(fact.number, fact.data["character"], last.mover, last.before, fact.data)
    return game.after_plays(_at(game, state, fact, picks=(*kept, pick)))


def _undo(game: RoundGame[Any, R], state: R, fact: Fact) -> R:
    *kept, last = state.picks
    return game.after_plays(replace(state, position=last.before, picks=tuple(kept)))


def _ruling(game: RoundGame[Any, R], state: R, fact: Fact) -> R:
    if fact.data["action"] == "allow":
        return _with_pick(game, state, fact)
    return _at(game, state, fact) if fact.data["action"] == "set-position" else state


def _mark(state: RoundState, fact: Fact) -> Mark:
    return Mark(fact.number, fact.data, state.position)


def _answered(game: RoundGame[Any, R], state: R, fact: Fact) -> R:
    return replace(state, stage=PLAYING, asked=None, replies=(*state.replies, _mark(state, fact)))


def _opening(game: RoundGame[Any, R], state: R, fact: Fact) -> R:
    data = fact.data
    if "opened" not in data:  # the short form of a game with one secret
        one = game.purposes[0]
        return replace(state, opened={**state.opened, (str(one.seat), one.name): (data[key_of(one, game.purposes)],)})
    values = tuple(entry["value"] for entry in data["opened"])
    return replace(state, opened={**state.opened, (data["seat"], data["purpose"]): values})


_FOLD: Mapping[str, Callable[[RoundGame[Any, Any], Any, Fact], Any]] = {
    "match-opened": lambda game, state, fact: _at(game, state, fact, stage=SET_UP),
    "table-agreed": lambda game, state, fact: _at(game, state, fact, stage=AGREED),
    "turn-opened": lambda game, state, fact: _at(game, state, fact, stage=PLAYING, picks=(), asked=None),
    "play": _with_pick,
    "correction": _correction,
    "undo": _undo,
    "ruling": _ruling,
    "secret": lambda game, state, fact: replace(state, secrets=(*state.secrets, _mark(state, fact))),
    "asked": lambda game, state, fact: replace(state, stage=ASKED, asked=fact.data),
    "answered": _answered,
    "opening": _opening,
    "outcome": lambda game, state, fact: replace(state, stage=OVER, outcome=fact.data),
}
