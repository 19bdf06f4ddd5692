"""Hat parade. Each seat is a hero or a villain in a hat of a secret colour, and lays a card a turn. A black card in the row
asks the next seat whether its hat is black: a hero answers truly. Instead of laying a card a seat may accuse another one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import BadInput, IllegalPlay
from companion.games.base import GENERAL_ANSWERS, BaseGame
from companion.games.expectations import (
    Arrangement,
    Change,
    Context,
    Disproof,
    Expectation,
    Fact,
    Opening,
    Over,
    Pick,
    Question,
)
from companion.games.seats import AnswerKind, Choice, Held, Line, Own, Purpose, Tell
from companion.games.values import Chore, Explanation, HouseRule, Json, Outcome, Play, Role
from testkit.cards import parade
from testkit.cards.parade import CARDS, ID, SEATS, Position, colour

ROLE, LAST_TURN = "role", 3
ROLES = ("hero-black", "hero-red", "villain-black", "villain-red")
QUESTION, ANSWERS = (
    "{seat}: is your hat black?",
    {True: "{seat} says: my hat is black.", False: "{seat} says: my hat is not black."},
)
ACCUSED = "{seat} accuses {of}: {role}!"
FOUND, WRONGED, UNFOUND = "{of} is found.", "{of} is somebody else.", "The parade is over, and nobody was found."
RESTING = Change(None, 0)


@dataclass(frozen=True)
class Parade:
    """``told``: the seats that told who they are; ``asked`` and ``accused``: the data of the open event; ``answers``: seat,
    answer and number of its event."""

    phase: str = "unopened"
    position: Any = None
    picks: tuple[Pick[Any], ...] = ()
    seats: tuple[Role, ...] = SEATS
    told: tuple[Role, ...] = ()
    asked: Json | None = None
    accused: Json | None = None
    answers: tuple[tuple[Role, bool, int], ...] = ()
    outcome: Json | None = None

    @property
    def due(self) -> Role | None:
        """The seat that lays a card now."""
        return self.seats[len(self.picks)] if self.phase == "playing" and len(self.picks) < len(self.seats) else None


class HatParade(BaseGame[Position, Parade]):
    """The rules of the parade."""

    id, name, characters, seats = ID, "Hat parade", CARDS, SEATS
    events: Mapping[str, bool] = {"turn-opened": True, "asked": False, "answered": True, "accused": True}
    answer_kinds: tuple[AnswerKind, ...] = (
        AnswerKind("say", frozenset({"yes"}), signed=True),
        AnswerKind("accuse", frozenset({"of", "role"}), signed=True),
    )
    answers: tuple[str, ...] = ("say", "accuse", *GENERAL_ANSWERS, "entrust", "seal", "reveal")
    purposes: tuple[Purpose, ...] = (Purpose(ROLE),)
    secret_lost = "What was entrusted is not here any more: each seat answers for itself."
    no_answer = "what was entrusted has no answer to this: ask the arbiter"
    house_rules = (HouseRule("players", ("3", "4"), "4", "How many seats play.", "The cards are for three or four."),)

    def position(self, data: Json, *, tolerant: bool = False) -> Position:
        return parade.position(data, tolerant)

    def differences(self, expected: Position, state: Json, unknown: tuple[str, ...] = ()) -> tuple[Chore, ...]:
        return parade.chores(expected, state, unknown)

    def movers(self, turn: int) -> tuple[Role, ...]:
        return SEATS

    def candidates(self, position: Position) -> tuple[str, ...]:
        return tuple(card for card in CARDS if card not in (*position.row, *position.pile))

    def plays(
        self, position: Position, character: str, *, mover: Role | None = None, rules: Json | None = None
    ) -> tuple[Play, ...]:
        if character not in self.candidates(position) or (mover is not None and not character.startswith(mover)):
            raise IllegalPlay(f"{character} is not to be laid now")
        return parade.plays(position, character, mover)

    def explain(
        self, before: Position, after: Position, *, plays: int = 1, mover: Role | None = None, rules: Json | None = None
    ) -> Explanation:
        return parade.explain(before, after, plays, mover, _playing(rules or {}))

    # --- the procedure --------------------------------------------------------------------------------------------

    def begin(self) -> Parade:
        return Parade()

    def apply(self, state: Parade, fact: Fact) -> Parade:
        change = _FOLD.get(fact.kind)
        return state if change is None else change(state, fact.data, fact.number)

    def expects(self, state: Parade) -> tuple[Expectation[Position], ...]:
        asked, accused, over = state.asked or {}, state.accused or {}, state.outcome or {}
        if state.phase == "set-up":
            return (Arrangement(state.position, "table-agreed", start=True),)
        if state.phase == "playing":
            return (Change(state.due, len(state.seats) - len(state.picks)),)
        if state.phase == "asked":
            form = ({"kind": "say", "yes": True}, {"kind": "say", "yes": False})
            return (Question("hat", asked["of"], QUESTION, asked["params"], form, ("Yes", "No"), purpose=ROLE), RESTING)
        if state.phase == "accused":
            return (Opening(accused["of"], ROLE), RESTING)
        if state.phase == "over":
            return (Over(Outcome(over["winner"], over["code"], over["text"], over["params"])),)
        return (RESTING,) if state.phase == "roles" else ()

    def due(self, state: Parade, context: Context) -> tuple[Fact, ...]:
        if state.phase == "roles" and set(state.told) >= set(state.seats):
            return (_opened(state, 1),)
        if state.phase != "playing" or not state.picks:
            return ()
        last, heard = state.picks[-1], state.answers[-1][2] if state.answers else 0
        if colour(last.character) == "black" and state.position.row[-1:] == (last.character,) and heard < last.number:
            of = state.seats[len(state.picks) % len(state.seats)]
            return (Fact("asked", {"of": of, "text": QUESTION, "params": {"seat": of.title()}}),)
        if state.due is not None:
            return ()
        turn = state.position.turn
        return (_outcome("nobody", "unfound", UNFOUND, {}) if turn == LAST_TURN else _opened(state, turn + 1),)

    def answer(self, state: Parade, context: Context, said: Json) -> tuple[Fact, ...]:
        seat = said.get("seat")
        if said["kind"] == "say":
            if state.asked is None or seat not in (None, state.asked["of"]) or not isinstance(said.get("yes"), bool):
                raise BadInput("nobody asked this seat whether its hat is black")
            of, yes = state.asked["of"], said["yes"]
            return (Fact("answered", {"of": of, "yes": yes, "text": ANSWERS[yes], "params": {"seat": of.title()}}),)
        of, role = said.get("of"), said.get("role")
        if state.due is None or seat not in (None, state.due):
            raise BadInput("a seat accuses in its turn, before it lays a card")
        if of not in state.seats or of == state.due or role not in ROLES:
            raise BadInput("an accusation names another seat and a role")
        params = {"seat": state.due.title(), "of": of.title(), "role": role}
        return (Fact("accused", {"by": state.due, "of": of, "role": role, "text": ACCUSED, "params": params}),)

    def allowed(self, state: Parade, position: Position, character: str) -> Position:
        if state.due is None or character not in (*position.row, *position.pile):
            raise BadInput(f"{character} cannot have been laid now")
        return position

    def reset(self, state: Parade, position: Position) -> Position:
        return replace(position, turn=state.position.turn)

    def view(self, state: Parade, context: Context, seat: Role | None = None) -> Json:
        return {"answers": [{"seat": of, "yes": yes} for of, yes, _ in state.answers], "told": list(state.told)}

    def check(self, state: Parade, context: Context, fact: Fact) -> tuple[str, ...]:
        data = fact.data
        wrong = (
            (fact.kind == "answered" and (state.asked is None or state.asked["of"] != data["of"]))
            or (fact.kind == "accused" and state.due != data["by"])
            or (fact.kind == "secret" and (state.phase != "roles" or data["seat"] in state.told))
        )
        return (f"{fact.kind}: that could not be then",) if wrong else ()

    # --- who everybody is -----------------------------------------------------------------------------------------

    def seats_in(self, state: Parade) -> tuple[Role, ...]:
        return state.seats

    def may_tell(self, state: Parade, context: Context, seat: Role, purpose: Purpose) -> None:
        if state.phase != "roles" or seat not in state.seats or seat in state.told:
            raise BadInput("who a seat is it tells once, before the first turn")

    def may_be(self, state: Parade, seat: Role, purpose: Purpose, value: object, held: Held) -> None:
        if value not in ROLES:
            raise BadInput(f"{value!r} is none of the roles {', '.join(ROLES)}")

    def private(self, state: Parade, context: Context, seat: Role, held: Held | None) -> Own | None:
        role = held.one(ROLE) if held is not None else None
        choices = tuple(Choice(role, role) for role in ROLES)
        tells = (Tell(ROLE, "Who are you?", choices),) if state.phase == "roles" and seat not in state.told else ()
        return Own((Line("You are {role}.", {"role": role}),) if role else (), (), tells)

    def by_secret(self, state: Parade, held: Held) -> Json:
        """The companion never lies: it answers truly for villains as well."""
        return {"kind": "say", "yes": (held.one(ROLE) or "").endswith("black")}

    def may_open(self, state: Parade, context: Context, seat: Role, purpose: Purpose, values: Sequence[object]) -> None:
        if not set(values) <= set(ROLES) or not (state.phase == "over" or (state.accused or {}).get("of") == seat):
            raise BadInput("a role is opened when the seat is accused, and at the end")

    def verdict(self, state: Parade, seat: Role, purpose: Purpose, values: Sequence[str]) -> tuple[Fact, ...]:
        accused = state.accused or {}
        params = {"of": seat.title()}
        if accused.get("role") == values[-1]:
            return (_outcome(accused["by"], "found", FOUND, params),)
        return (_outcome(seat, "wronged", WRONGED, params),)

    def disproved(self, state: Parade, opened: Held) -> tuple[Disproof, ...]:
        hero, _, hat = (opened.one(ROLE) or "").partition("-")
        lies = [number for seat, yes, number in state.answers if seat == opened.seat and yes != (hat == "black")]
        text = "event {}: {} is a hero and did not answer truly"
        return tuple(Disproof("lie", number, text.format(number, opened.seat)) for number in lies if hero == "hero")


def _playing(rules: Json) -> tuple[Role, ...]:
    return SEATS[: int(rules.get("players", "4"))]


def _opened(state: Parade, turn: int) -> Fact:
    here = replace(state.position, turn=turn)
    return Fact("turn-opened", {"turn": turn, "movers": list(state.seats), "position": here.to_json()})


def _outcome(winner: Role, code: str, text: str, params: Json) -> Fact:
    return Fact("outcome", {"winner": winner, "code": code, "message": text.format(**params), "text": text, "params": params})


# --- the fold: the state after one more event --------------------------------------------------------------------


def _at(state: Parade, data: Json, **more: Any) -> Parade:
    return replace(state, position=parade.position(data["position"], True), **more)


def _played(state: Parade, data: Json, number: int) -> Parade:
    pick = Pick(number, data["character"], data["mover"], state.position, data)
    return _at(state, data, phase="playing", picks=(*state.picks, pick), asked=None)


def _correction(state: Parade, data: Json, number: int) -> Parade:
    if data["what"] != "play":
        return state
    *kept, last = state.picks
    pick = Pick(number, data["character"], last.mover, last.before, data)
    return _at(state, data, phase="playing", picks=(*kept, pick), asked=None)


def _undo(state: Parade, data: Json, number: int) -> Parade:
    *kept, last = state.picks
    return replace(state, phase="playing", position=last.before, picks=tuple(kept), asked=None)


def _ruling(state: Parade, data: Json, number: int) -> Parade:
    if data["action"] == "allow":
        return _played(state, data, number)
    return _at(state, data) if data["action"] == "set-position" else state


_FOLD: Mapping[str, Callable[[Parade, Json, int], Parade]] = {
    "match-opened": lambda state, data, number: _at(state, data, phase="set-up", seats=_playing(data["house_rules"])),
    "table-agreed": lambda state, data, number: _at(state, data, phase="roles"),
    "secret": lambda state, data, number: replace(state, told=(*state.told, data["seat"])),
    "turn-opened": lambda state, data, number: _at(state, data, phase="playing", picks=()),
    "play": _played,
    "correction": _correction,
    "undo": _undo,
    "ruling": _ruling,
    "asked": lambda state, data, number: replace(state, phase="asked", asked=data),
    "answered": lambda state, data, number: replace(
        state, phase="playing", asked=None, answers=(*state.answers, (data["of"], data["yes"], number))
    ),
    "accused": lambda state, data, number: replace(state, phase="accused", accused=data),
    "outcome": lambda state, data, number: replace(state, phase="over", outcome=data),
}
GAME = HatParade()
