"""The procedure of the family behind the port: what the referee asks of a game of Mr. Jack."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from companion.boards import PieceSet
from companion.games.expectations import Context, Disproof, Expectation, Fact
from companion.games.game import Json, Role
from companion.games.mr_jack import answering, auditing, expecting, procedure, viewing
from companion.games.mr_jack.deduction import DETECTIVE, JACK
from companion.games.mr_jack.expecting import IDENTITY
from companion.games.mr_jack.procedure import Procedure, Rulebook
from companion.games.seats import AnswerKind, Chapter, Held, Own, Purpose, Way
from companion.games.surface import surface


class Refereed:
    """Everything of the port that follows from the procedure; a game derives it beside its rules."""

    seats: tuple[Role, ...] = (JACK, DETECTIVE)
    sides: tuple[Role, ...] = ()
    events: Mapping[str, bool] = procedure.EVENTS
    answers: tuple[str, ...] = answering.ANSWERS
    answer_kinds: tuple[AnswerKind, ...] = answering.ANSWER_KINDS
    purposes: tuple[Purpose, ...] = (Purpose(IDENTITY, JACK, key="character"),)
    notes: tuple[Role, ...] = (DETECTIVE,)
    no_undo: str = answering.NO_UNDO
    secret_lost: str = answering.SECRET_LOST
    no_answer: str = answering.NO_ANSWER
    snapshot_order: tuple[str, ...] = viewing.SNAPSHOT_ORDER

    @property
    def _rules(self) -> Rulebook:
        return cast(Rulebook, self)

    def pieces(self) -> PieceSet:
        """The physical pieces."""
        raise NotImplementedError

    def surface(self, position: Any) -> dict[str, Any]:
        """The part of a position that lies on the table."""
        return surface(self.pieces(), position)

    def deduce(self, position: Any) -> Json:
        """Who is seen and who is not, and why."""
        return self._rules.witness(position).to_json()

    def begin(self) -> Procedure:
        """Nothing is on record."""
        return Procedure()

    def apply(self, state: Procedure, fact: Fact) -> Procedure:
        """The state after one more event."""
        return procedure.apply(self._rules, state, fact)

    def expects(self, state: Procedure) -> tuple[Expectation[Any], ...]:
        """What may come next."""
        return expecting.expects(self._rules, state)

    def due(self, state: Procedure, context: Context) -> tuple[Fact, ...]:
        """What follows from the record alone."""
        return expecting.due(self._rules, state, context)

    def noted(self, state: Procedure) -> Json:
        """How the cards are known."""
        return {"cards": state.cards}

    def early(self, state: Procedure) -> Iterator[Any]:
        """Tables of hands that act on a call before it is answered."""
        return expecting.early(self._rules, state)

    def answer(self, state: Procedure, context: Context, said: Json) -> tuple[Fact, ...]:
        """The call, the call answered anew, the cards."""
        return answering.answer(self._rules, state, context, said)

    def drawn(self, state: Procedure, context: Context, chosen: Sequence[str]) -> tuple[Fact, ...]:
        """The companion deals these cards."""
        return answering.drawn(self._rules, state, context, chosen)

    def allowed(self, state: Procedure, position: Any, character: str) -> Any:
        """The position after an allowed play."""
        return answering.allowed(self._rules, state, position, character)

    def reset(self, state: Procedure, position: Any) -> Any:
        """A position set by an arbiter."""
        return answering.reset(self._rules, state, position)

    def arranged(self, state: Procedure, position: Any) -> Any:
        """After a clean-up that is taken as it is, what lies there counts."""
        return answering.arranged(self._rules, state, position)

    def view(self, state: Procedure, context: Context, seat: Role | None = None) -> Json:
        """The family's part of the snapshot; every seat may see all of it."""
        return viewing.view(self._rules, state, context)

    def copy_rows(self, table: str, rules: Json) -> tuple[str, ...]:
        """Nothing is entered from a copy."""
        return ()

    def watched(self, state: Procedure, context: Context) -> Json:
        """Spectators see what everybody sees."""
        return {}

    def check(self, state: Procedure, context: Context, fact: Fact) -> tuple[str, ...]:
        """What is wrong with an event by the rules."""
        return auditing.check(self._rules, state, context, fact)

    def seats_by(self, rules: Json) -> tuple[Role, ...]:
        """Both."""
        return self.seats

    def seats_in(self, state: Procedure) -> tuple[Role, ...]:
        """Both."""
        return self.seats

    def private(self, state: Procedure, context: Context, seat: Role, held: Held | None) -> Own | None:
        """Every seat sees what everybody sees; Jack's own page knows who he is from himself."""
        return None

    def may_tell(self, state: Procedure, context: Context, seat: Role, purpose: Purpose) -> None:
        """Raises BadInput where Jack cannot tell now who he is."""
        answering.may_tell(state, context)

    def may_be(self, state: Procedure, seat: Role, purpose: Purpose, value: object, held: Held) -> None:
        """Raises BadInput where Jack cannot be this character."""
        answering.may_be(self._rules, state, value)

    def may_tell_anew(self, context: Context) -> None:
        """Raises BadInput where Jack cannot be let go from his secret."""
        answering.may_tell_anew(context)

    def may_go_back(self, context: Context) -> None:
        """Raises BadInput once Jack was opened."""
        answering.may_go_back(context)

    def hindsight(self, past: Procedure, state: Procedure) -> Procedure:
        """Whoever goes back within a turn knows its cards all the same."""
        return procedure.hindsight(self._rules, past, state)

    def by_secret(self, state: Procedure, held: Held) -> Json:
        """What the entrusted identity answers."""
        return answering.by_secret(self._rules, state, _identity(held))

    def may_open(self, state: Procedure, context: Context, seat: Role, purpose: Purpose, values: Sequence[object]) -> None:
        """Raises BadInput where Jack cannot be this character, or nobody asked who he is."""
        answering.may_open(self._rules, state, context, values[-1])

    def verdict(self, state: Procedure, seat: Role, purpose: Purpose, values: Sequence[str]) -> tuple[Fact, ...]:
        """The end of an accusation or an escape."""
        return answering.verdict(self._rules, state, values[-1])

    def disproved(self, state: Procedure, opened: Held) -> tuple[Disproof, ...]:
        """Calls that cannot be, now that it is known who Jack is."""
        return auditing.disproved(state, _identity(opened))

    def opened_ways(self, state: Procedure, opened: Sequence[Held]) -> tuple[Way, ...]:
        """Every way is public."""
        return ()

    def chapters(self, state: Procedure, opened: Sequence[Held]) -> tuple[Chapter, ...]:
        """Who Jack was is said; there is no path to be drawn."""
        return ()

    def remarks(self, context: Context, facts: Iterable[Fact]) -> tuple[str, ...]:
        """What nobody can check."""
        return auditing.remarks(context, facts)


def _identity(held: Held) -> str:
    return held.one(IDENTITY) or ""
