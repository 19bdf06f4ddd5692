"""Hat parade. Each seat is a hero or a villain in a hat of a secret colour, and lays a card a turn. A black card in the row
asks the next seat whether its hat is black: a hero answers truly. Instead of laying a card a seat may accuse another one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.errors import BadInput
from companion.games.base import GENERAL_ANSWERS
from companion.games.expectations import Change, Context, Disproof, Expectation, Fact, Opening
from companion.games.laid import Laid, LaidGame
from companion.games.rounds import AGREED, ASKED, PLAYING, RESTING, RoundState, ended, said_yes, turn_opened, yes_or_no
from companion.games.seats import AnswerKind, Held, Line, Purpose
from companion.games.values import Fault, HouseRule, Json, Play, Role
from testkit.cards import parade
from testkit.cards.parade import CARDS, ID, ROW, SEATS, colour

ROLE, ACCUSED, LAST_TURN = "role", "accused", 3
ROLES = ("hero-black", "hero-red", "villain-black", "villain-red")
ASK = "{seat}: is your hat black?"
ANSWERS = {True: "{seat} says: my hat is black.", False: "{seat} says: my hat is not black."}
ACCUSATION = "{seat} accuses {of}: {role}!"
FOUND, WRONGED, UNFOUND = "{of} is found.", "{of} is somebody else.", "The parade is over, and nobody was found."


@dataclass(frozen=True)
class Parade(RoundState):
    """``seats``: who plays; ``accused``: the data of the open accusation."""

    seats: tuple[Role, ...] = SEATS
    accused: Json | None = None

    @property
    def due(self) -> Role | None:
        """The seat that lays a card now."""
        return self.seats[len(self.picks)] if self.stage == PLAYING and len(self.picks) < len(self.seats) else None

    @property
    def silent(self) -> tuple[Role, ...]:
        """The seats that have not told yet who they are."""
        return tuple(seat for seat in self.seats if not self.told(seat, ROLE))


class HatParade(LaidGame[Parade]):
    """The rules of the parade."""

    id, name, characters, seats, first, chores = ID, "Hat parade", CARDS, SEATS, Parade(), parade.CHORES
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

    # --- plays ----------------------------------------------------------------------------------------------------

    def players(self, rules: Json) -> tuple[Role, ...]:
        return SEATS[: int(rules.get("players", "4"))]

    def seat_of(self, piece: str) -> Role | None:
        return piece.partition("-")[0]

    def candidates(self, position: Laid) -> tuple[str, ...]:
        return tuple(card for card in CARDS if position.at(card) is None)

    def ways(self, here: Laid, piece: str) -> Iterable[Play]:
        return parade.ways(here, piece)

    def faults(self, before: Laid, after: Laid, mover: Role | None) -> Iterable[Fault]:
        return parade.faults(before, after, mover)

    def words(self, subject: str) -> Json:
        return {"card": "" if ":" in subject else parade.name(subject)}

    # --- the procedure --------------------------------------------------------------------------------------------

    def fold(self, state: Parade, fact: Fact) -> Parade:
        if fact.kind == "match-opened":
            return replace(state, seats=self.players(fact.data["house_rules"]))
        return replace(state, stage=ACCUSED, accused=fact.data) if fact.kind == "accused" else state

    def steps(self, state: Parade) -> tuple[Expectation[Laid], ...]:
        if state.phase == PLAYING:
            return (Change(state.due, len(state.seats) - len(state.picks)),)
        if state.phase == ASKED and state.asked is not None:
            return (yes_or_no("hat", state.asked["of"], state.asked, ROLE), RESTING)
        if state.phase == ACCUSED and state.accused is not None:
            return (Opening(state.accused["of"], ROLE), RESTING)
        return (RESTING,) if state.phase == AGREED else ()

    def due(self, state: Parade, context: Context) -> tuple[Fact, ...]:
        if state.phase == AGREED and not state.silent:
            return (turn_opened(replace(state.position, turn=1), state.seats),)
        if state.phase != PLAYING or not state.picks:
            return ()
        last, heard = state.picks[-1], state.replies[-1].number if state.replies else 0
        if colour(last.character) == "black" and state.position.zone(ROW)[-1:] == (last.character,) and heard < last.number:
            of = state.seats[len(state.picks) % len(state.seats)]
            return (Fact("asked", {"of": of, "text": ASK, "params": {"seat": of.title()}}),)
        if state.due is not None:
            return ()
        turn = state.position.turn
        over = ended("nobody", "unfound", UNFOUND)
        return (over if turn == LAST_TURN else turn_opened(replace(state.position, turn=turn + 1), state.seats),)

    def answer(self, state: Parade, context: Context, said: Json) -> tuple[Fact, ...]:
        if said["kind"] == "say":
            of = (state.asked or {}).get("of", "")
            yes = said_yes(state, said, of)
            return (Fact("answered", {"of": of, "yes": yes, "text": ANSWERS[yes], "params": {"seat": of.title()}}),)
        of, role = said.get("of"), said.get("role")
        if state.due is None or said.get("seat") not in (None, state.due):
            raise BadInput("a seat accuses in its turn, before it lays a card")
        if of not in state.seats or of == state.due or role not in ROLES:
            raise BadInput("an accusation names another seat and a role")
        params = {"seat": state.due.title(), "of": of.title(), "role": role}
        return (Fact("accused", {"by": state.due, "of": of, "role": role, "text": ACCUSATION, "params": params}),)

    def view(self, state: Parade, context: Context, seat: Role | None = None) -> Json:
        answers = [{"seat": told.data["of"], "yes": told.data["yes"]} for told in state.replies]
        return {"answers": answers, "told": [one.data["seat"] for one in state.secrets]}

    def check(self, state: Parade, context: Context, fact: Fact) -> tuple[str, ...]:
        if fact.kind == "accused" and state.due != fact.data["by"]:
            return ("accused: that could not be then",)
        return super().check(state, context, fact)

    # --- who everybody is -----------------------------------------------------------------------------------------

    def seats_in(self, state: Parade) -> tuple[Role, ...]:
        return state.seats

    def tells(self, state: Parade, seat: Role) -> Mapping[str, str]:
        return {ROLE: "Who are you?"} if state.phase == AGREED and seat in state.silent else {}

    def possible(self, state: Parade, seat: Role, purpose: str, held: Held | None) -> tuple[str, ...]:
        return ROLES

    def lines(self, state: Parade, seat: Role, held: Held) -> tuple[Line, ...]:
        role = held.one(ROLE)
        return (Line("You are {role}.", {"role": role}),) if role else ()

    def by_secret(self, state: Parade, held: Held) -> Json:
        """The companion never lies: it answers truly for villains as well."""
        return {"kind": "say", "yes": (held.one(ROLE) or "").endswith("black")}

    def may_open(self, state: Parade, context: Context, seat: Role, purpose: Purpose, values: Sequence[object]) -> None:
        if not set(values) <= set(ROLES) or not (state.phase == "over" or (state.accused or {}).get("of") == seat):
            raise BadInput("a role is opened when the seat is accused, and at the end")

    def verdict(self, state: Parade, seat: Role, purpose: Purpose, values: Sequence[str]) -> tuple[Fact, ...]:
        accused, params = state.accused or {}, {"of": seat.title()}
        found = accused.get("role") == values[-1]
        return (ended(accused["by"], "found", FOUND, params) if found else ended(seat, "wronged", WRONGED, params),)

    def disproved(self, state: Parade, opened: Held) -> tuple[Disproof, ...]:
        hero, _, hat = (opened.one(ROLE) or "").partition("-")
        lies = [one for one in state.replies if one.data["of"] == opened.seat and one.data["yes"] != (hat == "black")]
        text = "event {}: {} is a hero and did not answer truly"
        return tuple(Disproof("lie", one.number, text.format(one.number, opened.seat)) for one in lies if hero == "hero")


GAME = HatParade()
