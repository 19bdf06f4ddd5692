"""Letters from Whitechapel as a refereed game: the port's answers, bound together."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from companion.errors import BadInput, IllegalPlay, quoted
from companion.games.base import GENERAL_ANSWERS
from companion.games.expectations import Context, Disproof, Expectation, Fact, wrong_end
from companion.games.letters_from_whitechapel import (
    acts,
    answering,
    deducing,
    history,
    judging,
    keeping,
    police,
    procedure,
    progress,
    setting,
    story,
)
from companion.games.letters_from_whitechapel.folding import fold
from companion.games.letters_from_whitechapel.house_rules import HOUSE_RULES, MAP
from companion.games.letters_from_whitechapel.names import ALLEY, COACH, COLOURS, EDITION, ID, JACK, POLICE_MOVE, WOMEN
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.progress import Progress
from companion.games.letters_from_whitechapel.sheet import HIDEOUT, MOVE, act_of
from companion.games.letters_from_whitechapel.table import COLOUR_OF, POLICE_PIECES, Table, parsed_table, table_of
from companion.games.letters_from_whitechapel.table_chores import chores
from companion.games.letters_from_whitechapel.table_explaining import explain, police_plays
from companion.games.letters_from_whitechapel.telling import LEFT
from companion.games.rounds import RoundGame
from companion.games.seating import Seating
from companion.games.seats import AnswerKind, Chapter, Held, Own, Purpose, Way
from companion.games.values import Chore, Explanation, HouseRule, Json, Play, Role


class LettersFromWhitechapel(RoundGame[Table, Progress]):
    """The rules. Seats are Jack and the five policemen by colour; with fewer players one of them has several seats."""

    id, name, first = ID, "Letters from Whitechapel", Progress()
    characters: tuple[str, ...] = tuple(POLICE_PIECES.values())
    seats: tuple[Role, ...] = (JACK, *COLOURS)
    sides: tuple[Role, ...] = (JACK, procedure.POLICE)
    seating = Seating(2, 6, (JACK,))
    deals = True
    house_rules: tuple[HouseRule, ...] = (*HOUSE_RULES, MAP)
    events: Mapping[str, bool] = {
        "act": True, "laid": True, "moving": False, "retracted": True, "turning": False, "asked": False, "answered": True,
    }  # fmt: skip
    answers: tuple[str, ...] = (
        "head", "kill", "wait", "turn-up", "token", "moving", "retract", "stay", "search", "arrest", "stop", "say",
        *GENERAL_ANSWERS, "seal", "reveal",
    )  # fmt: skip
    answer_kinds: tuple[AnswerKind, ...] = (
        AnswerKind("head", frozenset({"colour"}), COLOURS),
        AnswerKind("kill", frozenset({"circles"}), (JACK,)),
        AnswerKind("wait", frozenset(), (JACK,)),
        AnswerKind("turn-up", frozenset({"crossing"}), (JACK,)),
        AnswerKind("token", frozenset({"token"}), COLOURS, signed=True),
        AnswerKind("moving", frozenset({"how", "home"}), (JACK,)),
        AnswerKind("retract", frozenset(), (JACK,)),
        AnswerKind("stay", frozenset(), COLOURS, signed=True),
        AnswerKind("search", frozenset({"circle"}), COLOURS, signed=True),
        AnswerKind("arrest", frozenset({"circle"}), COLOURS, signed=True),
        AnswerKind("stop", frozenset(), COLOURS, signed=True),
        AnswerKind("say", frozenset({"yes"}), (JACK,)),
    )
    purposes: tuple[Purpose, ...] = keeping.PURPOSES
    secret_lost = "What was entrusted is not here any more: whoever has a secret answers each question."
    no_answer = "what was entrusted cannot answer this, so somebody erred: ask the arbiter"

    # --- the table and what lies on it ----------------------------------------------------------------------------

    def start(self, edition: str | None = None) -> Table:
        """The first night before anything is laid."""
        if edition not in (None, EDITION):
            raise BadInput(f"edition {quoted(edition)} is not known; there are: {EDITION}")
        return Table.of(Position(1, WOMEN))

    def position(self, data: Json, *, tolerant: bool = False) -> Table:
        return table_of(data, tolerant=tolerant)

    def parse(self, notation: str, *, tolerant: bool = False) -> Table:
        return parsed_table(notation)

    def differences(self, expected: Table, state: Json, unknown: tuple[str, ...] = ()) -> tuple[Chore, ...]:
        return chores(expected, self.complete(expected, state, unknown), set(unknown))

    # --- plays ----------------------------------------------------------------------------------------------------

    def movers(self, turn: int) -> tuple[Role, ...]:
        """Who moves in which order hangs on the head of the investigation: the expected change says it."""
        return COLOURS

    def candidates(self, position: Table) -> tuple[str, ...]:
        turn = police.turn(position.books) if position.books.phase == POLICE_MOVE else ()
        return tuple(POLICE_PIECES[colour] for colour in turn)

    def plays(
        self, position: Table, character: str, *, mover: Role | None = None, rules: Json | None = None
    ) -> tuple[Play, ...]:
        if character not in self.candidates(position):
            raise IllegalPlay("it is another policeman's turn")
        return police_plays(position, COLOUR_OF[character])

    def explain(
        self, before: Table, after: Table, *, plays: int = 1, mover: Role | None = None, rules: Json | None = None
    ) -> Explanation:
        return explain(before, after, plays)

    # --- the procedure --------------------------------------------------------------------------------------------

    def fold(self, state: Progress, fact: Fact) -> Progress:
        return progress.fold_own(state, fact)

    def after_plays(self, state: Progress) -> Progress:
        return progress.after_plays(state)

    def steps(self, state: Progress) -> tuple[Expectation[Table], ...]:
        return procedure.steps(state)

    def due(self, state: Progress, context: Context) -> tuple[Fact, ...]:
        return procedure.due(state)

    def answer(self, state: Progress, context: Context, said: Json) -> tuple[Fact, ...]:
        return answering.answer(state, said)

    def drawn(self, state: Progress, context: Context, chosen: Sequence[str]) -> tuple[Fact, ...]:
        return answering.drawn(state, chosen[0] if chosen else "")

    def allowed(self, state: Progress, position: Table, character: str) -> Table:
        """A policeman's move that an arbiter allows counts as his turn."""
        colour = COLOUR_OF.get(character, "")
        if state.phase != POLICE_MOVE or colour not in police.turn(state.books):
            raise BadInput("this policeman cannot have been moved now")
        to = dict(position.laid.police).get(colour)
        if to is None or to not in state.books.streets.steps:
            raise BadInput("this policeman cannot have been moved now")
        return Table.of(fold(state.books, acts.Act(acts.MOVE, by=colour, crossing=to)))

    def reset(self, state: Progress, position: Table) -> Table:
        """Where policemen stand and where clues lie may be set; night and step go on as they were. Raises InvalidPosition with
        every fault."""
        return table_of(Table.of(setting.books_as_set(state, position)).to_json())

    def arranged(self, state: Progress, position: Table) -> Table:
        """What may be set is set as it lies; all else still has to be laid."""
        return self.reset(state, position)

    def view(self, state: Progress, context: Context, seat: Role | None = None) -> Json:
        """The night, what is left of it, and where Jack and his hideout may be by public events alone, where that is shown."""
        if state.position is None:
            return {}
        found = _deduced(state) if state.map else None
        return {
            "night": state.books.night,
            "heads": list(state.heads),
            "left": state.books.left if state.books.murder_done else None,
            "counts": _counts(state),
            **({} if found is None else {"places": list(found.places), "hideouts": list(found.hideouts)}),
            "available": list(self.candidates(state.position)),
            "told": state.rows,
            "how": None if state.how is None else {"how": state.how[0], "home": state.how[1]},
        }

    def check(self, state: Progress, context: Context, fact: Fact) -> tuple[str, ...]:
        """Acts, questions and secrets that the rules do not bear out."""
        data = fact.data
        if fact.kind in ("act", "answered"):
            act = act_of(data["act"])
            broken = [fault.message for fault in judging.faults(state.books, act)]
            if not broken and table_of(data["position"], tolerant=True) != Table.of(fold(state.books, act)):
                broken.append("the position on record is not what the act leads to")
            if fact.kind == "answered" and (state.asked is None or act.circle != state.asked["circle"]):
                broken.append("nobody asked that")
            return tuple(f"{fact.kind}: {why}" for why in broken)
        if fact.kind == "asked":
            act = acts.Act(data["what"], by=data["by"], circles=(data["circle"],), yes=False)
            return tuple(f"asked: {fault.message}" for fault in judging.faults(state.books, act))
        if fact.kind == "laid" and not data.get("accepted") and self.position(data["position"], tolerant=True) != state.target:
            return ("laid: that was not what had to lie there",)
        if fact.kind == "retracted" and state.before is None:
            return ("retracted: there was no move that could be taken back",)
        if fact.kind == "secret" and data["purpose"] not in keeping.due(state, data["seat"]):
            return ("secret: that could not be told then",)
        return wrong_end(fact, self.due(state, context)) if fact.kind == "outcome" else ()

    # --- secrets --------------------------------------------------------------------------------------------------

    def private(self, state: Progress, context: Context, seat: Role, held: Held | None) -> Own | None:
        return keeping.own(state, seat, held)

    def may_tell(self, state: Progress, context: Context, seat: Role, purpose: Purpose) -> None:
        keeping.check_time(state, seat, purpose)

    def may_be(self, state: Progress, seat: Role, purpose: Purpose, value: object, held: Held) -> None:
        if value not in keeping.possible(state, seat, purpose.name, held):
            raise BadInput("that cannot be it, by the rules and by what was told before")

    def by_secret(self, state: Progress, held: Held) -> Json:
        """What is true: whether a circle is on tonight's row, whether Jack is there, what a patrol token shows."""
        if state.phase == "turning":
            return {"kind": "token", "token": keeping.token_at(held, state.books.night, str(state.turning))}
        asked, row = state.asked or {}, keeping.jack_at(state, held, state.rows).row
        return {"kind": "say", "yes": asked["circle"] in (row if asked["what"] == acts.SEARCH else row[-1:])}

    def may_go_back(self, context: Context) -> None:
        """What a night shows is opened every night; only Jack's row and his hideout end the game. Raises BadInput then."""
        if any(purpose in (MOVE, HIDEOUT) for _, purpose in context.openings):
            raise BadInput("secrets were opened; the game cannot be taken back any more")

    def may_open(self, state: Progress, context: Context, seat: Role, purpose: Purpose, values: Sequence[object]) -> None:
        keeping.check_opened(state, purpose.name, values)

    def opened_ways(self, state: Progress, opened: Sequence[Held]) -> tuple[Way, ...]:
        """Jack's path night by night."""
        told = _jacks(opened)
        return () if told is None else story.ways(state, told)

    def chapters(self, state: Progress, opened: Sequence[Held]) -> tuple[Chapter, ...]:
        """Jack's path night by night, with what everybody could have worked out."""
        rules = tuple(state.books.rule(name) for name in _BEARING) if state.position is not None else ()
        told = _jacks(opened)
        return () if told is None else story.chapters(state, told, lambda nights: _deduced_from(nights, rules))

    def disproved(self, state: Progress, opened: Held) -> tuple[Disproof, ...]:
        return keeping.disproved(state, opened)


def _jacks(opened: Sequence[Held]) -> Held | None:
    return next((held for held in opened if held.seat == JACK), None)


def _counts(state: Progress) -> list[dict[str, object]]:
    """What everybody can count on the board while Jack is on the run."""
    books = state.books
    if not books.murder_done:
        return []
    params = {"left": books.left, "coaches": books.tokens[COACH], "alleys": books.tokens[ALLEY]}
    return [{"text": LEFT, "params": params}]


def _deduced(state: Progress) -> deducing.Deduction:
    """Exactly what the public events of all nights leave possible."""
    nights = state.nights if len(state.nights) >= state.books.night else (*state.nights, ())
    return _deduced_from(nights, tuple(state.books.rule(name) for name in _BEARING))


_BEARING = ("arrival", "hideout", "edge-44")
"""House rules that bear on what is possible."""


@lru_cache(maxsize=64)
def _deduced_from(nights: tuple[tuple[tuple[Any, ...], ...], ...], rules: tuple[str, ...]) -> deducing.Deduction:
    listed = [list(map(list, night)) for night in nights]
    return deducing.deduce(history.history_of({"nights": listed, "house_rules": dict(zip(_BEARING, rules, strict=True))}))


GAME = LettersFromWhitechapel()
"""The rules of Letters from Whitechapel at a table."""
