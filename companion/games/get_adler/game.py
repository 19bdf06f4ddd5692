"""Get Adler! as a refereed game: the port's answers, bound together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.errors import BadInput, InvalidPosition, quoted
from companion.games.base import GENERAL_ANSWERS, BaseGame
from companion.games.expectations import Context, Disproof, Expectation, Fact, wrong_end
from companion.games.get_adler import keeping, procedure, progress, table_answering, table_explaining, viewing
from companion.games.get_adler.acts import read_act
from companion.games.get_adler.chapters import chapters
from companion.games.get_adler.folding import fold
from companion.games.get_adler.house_rules import CHOICES, TABLE_RULES
from companion.games.get_adler.judging import judged
from companion.games.get_adler.mat import (
    PILE,
    SEATS,
    Mat,
    complete,
    laid_again,
    laid_of,
    mat_of,
    opening_table,
    role_name,
    seated,
    still_told,
)  # fmt: skip
from companion.games.get_adler.names import EDITION, ROLES, TRAITS, roles_of
from companion.games.get_adler.names import GAME as ID
from companion.games.get_adler.progress import Progress
from companion.games.get_adler.state import State
from companion.games.get_adler.table_chores import chores, still_asked, unlike
from companion.games.get_adler.telling import ALONE, COPY, TRAIT_NAMES, WHERE
from companion.games.seats import AnswerKind, Chapter, Held, Own, Purpose
from companion.games.values import Chore, CopyTable, Explanation, HouseRule, Json, Play, Role


class GetAdler(BaseGame[Mat, Progress]):
    """The rules. Every seat has a role in secret; who sits at the table hangs on how many play."""

    id, name = ID, "Get Adler!"
    characters: tuple[str, ...] = WHERE
    seats: tuple[Role, ...] = SEATS
    house_rules: tuple[HouseRule, ...] = (*TABLE_RULES, *CHOICES)
    copy_tables: tuple[CopyTable, ...] = (
        CopyTable(
            "traits",
            COPY,
            tuple((role, role_name(role)) for role in ROLES),
            tuple((trait, TRAIT_NAMES[trait]) for trait in TRAITS),
        ),
    )
    events: Mapping[str, bool] = {
        "act": True, "asked": True, "answered": True, "laid": True, "mine": True, "pointed": False, "traits": False,
        "start": True, "mission": True, "hour": True, "tidy": True, "judged": False,
    }  # fmt: skip
    answer_kinds: tuple[AnswerKind, ...] = (
        AnswerKind("start", frozenset({"who"})),
        AnswerKind("mission", frozenset({"service"})),
        AnswerKind("traits", frozenset({"traits"}), ()),
        AnswerKind("drew", frozenset(), signed=True),
        AnswerKind("mine", frozenset({"who", "last"}), signed=True),
        AnswerKind("on", frozenset({"on"}), signed=True),
        AnswerKind("ask", frozenset({"trait", "colour"}), signed=True),
        AnswerKind("say", frozenset({"answer"}), signed=True),
        AnswerKind("take", frozenset({"count"}), signed=True),
        AnswerKind("matched", frozenset({"who"})),
        AnswerKind("away", frozenset()),
        AnswerKind("arrested", frozenset(), signed=True),
        AnswerKind("stop", frozenset(), signed=True),
        AnswerKind("shots", frozenset({"shots"})),
        AnswerKind("claim", frozenset({"who"}), signed=True),
        AnswerKind("pass", frozenset(), signed=True),
        AnswerKind("keep", frozenset(), signed=True),
    )
    answers: tuple[str, ...] = (*(own.kind for own in answer_kinds), *GENERAL_ANSWERS, "entrust", "seal", "reveal")
    purposes: tuple[Purpose, ...] = keeping.PURPOSES
    secret_lost = "What was entrusted is not here any more: each seat answers for itself."
    no_answer = "what was entrusted cannot answer this, so somebody erred: ask the arbiter"
    no_undo = "there is no card to take back now"

    # --- the mat and what lies on it ------------------------------------------------------------------------------

    def start(self, edition: str | None = None) -> Mat:
        """The mat before the first card."""
        if edition not in (None, EDITION):
            raise BadInput(f"edition {quoted(edition)} is not known; there are: {EDITION}")
        return Mat.of(opening_table(4))

    def position(self, data: Json, *, tolerant: bool = False) -> Mat:
        return mat_of(data, tolerant=tolerant)

    def complete(self, before: Mat, state: Json, unknown: tuple[str, ...] = ()) -> Mat:
        return complete(before, state, unknown)

    def differences(self, expected: Mat, state: Json, unknown: tuple[str, ...] = ()) -> tuple[Chore, ...]:
        return chores(expected, complete(expected, state, unknown))

    # --- plays ----------------------------------------------------------------------------------------------------

    def movers(self, turn: int) -> tuple[Role, ...]:
        """Who plays next hangs on skips, deaths and confrontations: the expected change says it."""
        return SEATS

    def candidates(self, position: Mat) -> tuple[str, ...]:
        return WHERE

    def plays(self, position: Mat, character: str, *, mover: Role | None = None, rules: Json | None = None) -> tuple[Play, ...]:
        return tuple(one for one in table_explaining.all_plays(position, rules or {}) if one.character == character)

    def explain(
        self, before: Mat, after: Mat, *, plays: int = 1, mover: Role | None = None, rules: Json | None = None
    ) -> Explanation:
        return table_explaining.explain(before, after, plays, rules or {})

    def laid_again(self, position: Mat, zone: str) -> Mat | None:
        return laid_again(position, zone)

    # --- the procedure --------------------------------------------------------------------------------------------

    def begin(self) -> Progress:
        return Progress()

    def apply(self, state: Progress, fact: Fact) -> Progress:
        return progress.apply(state, fact)

    def expects(self, state: Progress) -> tuple[Expectation[Mat], ...]:
        return procedure.expects(state)

    def due(self, state: Progress, context: Context) -> tuple[Fact, ...]:
        return procedure.due(state)

    def answer(self, state: Progress, context: Context, said: Json) -> tuple[Fact, ...]:
        return table_answering.answer(state, said)

    def allowed(self, state: Progress, position: Mat, character: str) -> Mat:
        """A card that an arbiter lets lie is discarded by the seat on turn. Raises BadInput where it cannot have been."""
        pile, books = position.laid.zone("pile"), state.books
        if books.step not in ("draw", "play"):
            raise BadInput("a card can be let lie where somebody is to play one, and nobody is now")
        if len(pile) != (most := len(state.mat.laid.zone("pile")) + 1):
            raise BadInput(f"the discard pile has {len(pile)} cards, with the one to be let lie it would have {most}")
        if books.step == "draw":
            books = fold(books, read_act({"act": "draw", "seat": books.seat}))
        return Mat.of(fold(books, read_act({"act": "discard", "seat": books.seat, "card": pile[-1]})), last=books.seat)

    def reset(self, state: Progress, position: Mat) -> Mat:
        """What lies in the pile may be set; turn, hands and roles go on as they were. Raises BadInput with every fault."""
        faults = unlike(position, state.mat)
        if faults:
            raise InvalidPosition([*faults, *ALONE])
        here, waiting = state.mat.books, state.mat.waiting
        pile = position.laid.zone(PILE)
        if waiting is not None and laid_of(here, waiting).zone(PILE) != laid_of(here).zone(PILE):
            # It lies on the pile and is no discard yet: there it waits on, or the ruling has taken it away.
            pile, waiting = (pile[:-1], waiting) if pile[-1:] == (waiting,) else (pile, None)
        books = replace(here, discard=pile, deck=here.deck + len(here.discard) - len(pile))
        if books.deck < 0:
            raise BadInput(f"the discard pile cannot have {len(pile)} cards: deck and pile have {len(pile) + books.deck}")
        set_so = replace(state.mat, books=books, laid=laid_of(books, waiting), waiting=waiting)
        return mat_of(still_told(state.mat, set_so).to_json())

    def arranged(self, state: Progress, position: Mat) -> Mat:
        """A pile that is neither as before nor as asked for is set as it lies; all else still has to be laid."""
        return self.reset(state, Mat(position.books, still_asked(position.laid, state.position.laid, state.mat.laid)))

    def view(self, state: Progress, context: Context, seat: Role | None = None) -> Json:
        return viewing.view(state)

    def copy_rows(self, table: str, rules: Json) -> tuple[str, ...]:
        """The traits of every role that is dealt."""
        return roles_of(len(self.seats_by(rules)))

    def watched(self, state: Progress, context: Context) -> Json:
        """Who everybody may be: players are shown that only where all agreed."""
        return viewing.watched(state)

    def chapters(self, state: Progress, opened: Sequence[Held]) -> tuple[Chapter, ...]:
        """Roles and answers."""
        return chapters(state)

    def check(self, state: Progress, context: Context, fact: Fact) -> tuple[str, ...]:
        """Acts and secrets that the rules do not bear out."""
        data = fact.data
        if fact.kind in ("act", "asked", "answered"):
            act = read_act(data["act"])
            found = judged(State(state.books), act)
            if found.act is None:
                return tuple(f"{fact.kind}: {one.message}" for one in found.faults)
            if mat_of(data["position"], tolerant=True).books != fold(state.books, act):
                return (f"{fact.kind}: the position on record is not what the act leads to",)
        if fact.kind == "laid" and not data.get("accepted") and mat_of(data["position"], tolerant=True) != state.target:
            return ("laid: that was not what had to lie there",)
        if fact.kind == "secret" and (state.begun != "roles" or data["seat"] not in state.seats):
            return ("secret: that could not be told then",)
        return wrong_end(fact, self.due(state, context)) if fact.kind == "outcome" else ()

    # --- secrets --------------------------------------------------------------------------------------------------

    def seats_by(self, rules: Json) -> tuple[Role, ...]:
        return seated(int(rules.get("players", "4")))

    def seats_in(self, state: Progress) -> tuple[Role, ...]:
        return state.seats if state.rules else seated(6)

    def private(self, state: Progress, context: Context, seat: Role, held: Held | None) -> Own | None:
        return keeping.own(state, seat, held)

    def may_tell(self, state: Progress, context: Context, seat: Role, purpose: Purpose) -> None:
        keeping.check_time(state, seat)
        if context.row(seat, purpose.name):
            raise BadInput("who a seat is it tells once, before the first turn")

    def may_be(self, state: Progress, seat: Role, purpose: Purpose, value: object, held: Held) -> None:
        keeping.check_value(state, value)

    def by_secret(self, state: Progress, held: Held) -> Json:
        return keeping.by_secret(state, held)

    def may_open(self, state: Progress, context: Context, seat: Role, purpose: Purpose, values: Sequence[object]) -> None:
        keeping.check_opened(state, seat, values)

    def disproved(self, state: Progress, opened: Held) -> tuple[Disproof, ...]:
        return keeping.disproved(state, opened)


GAME = GetAdler()
"""The rules of Get Adler! at a table."""
