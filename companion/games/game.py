"""What every game answers: the port between rules and everything else.

A game is a set of pure functions over frozen values: positions ``P`` and its own procedural state ``S``, folded from the events
of the record. The referee, the page and the commands speak to this protocol only; none of them asks which game is on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from companion.boards import Board, PieceSet
from companion.games.expectations import Context, Disproof, Expectation, Fact, State
from companion.games.seating import Seating
from companion.games.seats import AnswerKind, Chapter, Held, Own, Purpose, Way
from companion.games.values import Chore, CopyTable, Explanation, Fault, HouseRule, Json, Move, Outcome, Play, Position, Role

P = TypeVar("P", bound=Position)
S = TypeVar("S", bound=State[Position])


class Rules(Protocol[P, S]):
    """The rules of one game. ``rules`` everywhere is a mapping of house rule name to choice; None means the defaults."""

    id: str
    name: str
    seats: tuple[Role, ...]
    """Who plays: every seat that an expectation can name."""
    sides: tuple[Role, ...]
    """Whom the end of a game names as its winner where several seats win together, in the order in which events count them;
    empty where it names one seat."""
    seating: Seating | None
    """How people share the seats, where they may say so before a game; None: everybody has one seat."""
    deals: bool
    """Whether cards are drawn in it that the companion may draw."""
    characters: tuple[str, ...]
    """The pieces that are played, by name."""
    house_rules: tuple[HouseRule, ...]
    copy_tables: tuple[CopyTable, ...]
    """What an owner enters once from his copy; it comes with ``match-opened`` under ``copy``, by the tables' names."""
    events: Mapping[str, bool]
    """Kinds of events that only this game has. True: one of that kind settles what was flagged, doubted or left to do before
    it (and may list under ``chores`` what is to do now)."""
    answers: tuple[str, ...]
    """Kinds of answers that are taken at this game's table, the referee's general ones among them."""
    answer_kinds: tuple[AnswerKind, ...]
    """Of ``answers`` those that are this game's own: what they hold and who may give them."""
    purposes: tuple[Purpose, ...]
    """The kinds of secrets that seats have."""
    notes: tuple[Role, ...]
    """The seats that keep private notes of ``characters``."""
    no_undo: str
    """Why nothing can be taken back where there is no play of the running round."""
    secret_lost: str
    """What is said where nothing opens any more what a seat entrusted."""
    no_answer: str
    """What is said where an entrusted secret has no answer to a question that always has one."""
    snapshot_order: tuple[str, ...]
    """Keys of the snapshot in the order in which they are written; those not named here follow."""

    # --- the table and what lies on it ----------------------------------------------------------------------------

    def editions(self) -> tuple[str, ...]:
        """Editions of the board, the default one first."""

    def board(self, edition: str) -> Board:
        """The board of one edition."""

    def pieces(self) -> PieceSet:
        """The physical pieces."""

    def start(self, edition: str | None = None) -> P:
        """The start set-up of an edition (None: the default one). What is not on the table is unknown until somebody tells."""

    def position(self, data: Json, *, tolerant: bool = False) -> P:
        """A position from its JSON. Raises InvalidPosition with every fault.

        ``tolerant`` accepts what an illegal play can leave on a table (two discs on one hex, a disc on a house, a
        piece missing), so that it can be explained; it still refuses words that name nothing.
        """

    def parse(self, notation: str, *, tolerant: bool = False) -> P:
        """A position from its line of notation. Raises InvalidPosition; ``tolerant`` as for ``position``."""

    def complete(self, before: P, state: Json, unknown: tuple[str, ...] = ()) -> P:
        """The (tolerant) position a reading claims: its ``state``, with what is ``unknown`` or not on the table's
        surface taken from ``before``."""

    def differences(self, expected: P, state: Json, unknown: tuple[str, ...] = ()) -> tuple[Chore, ...]:
        """What hands must do to turn the claimed ``state`` into ``expected``; empty when they agree (unknowns agree)."""

    # --- plays ----------------------------------------------------------------------------------------------------

    def movers(self, turn: int) -> tuple[Role, ...]:
        """Who picks, in order, in this turn."""

    def candidates(self, position: P) -> tuple[str, ...]:
        """Characters that may be played next, as far as the position knows."""

    def plays(self, position: P, character: str, *, mover: Role | None = None, rules: Json | None = None) -> tuple[Play, ...]:
        """Every legal play of a character, taken as about to be played; one per distinct resulting position and end.

        ``mover`` None: as the position says, or any seat when it does not. Raises IllegalPlay when the character cannot be
        played now.
        """

    def explain(
        self, before: P, after: P, *, plays: int = 1, mover: Role | None = None, rules: Json | None = None
    ) -> Explanation:
        """Which play (or up to ``plays`` plays in a row) turns one settled position into the other, or why none does."""

    def begun(self, before: P, after: P, *, mover: Role | None = None, rules: Json | None = None) -> tuple[Fault, ...]:
        """The pending faults of a change that may begin a play laid piece by piece; empty where it begins none."""

    def laid_again(self, position: P, zone: str) -> P | None:
        """The table with one more card in a zone that shows what its upmost one shows, as nobody can see; None where that is
        not to be asked."""

    def draws(self, before: P, after: P, character: str) -> bool:
        """Whether somebody draws and looks at a card with the play of ``character`` between these two positions."""

    def deduce(self, position: P) -> Json:
        """What everybody may work out from a position alone, as JSON."""

    # --- the procedure --------------------------------------------------------------------------------------------

    def begin(self) -> S:
        """The state before anything is on record."""

    def apply(self, state: S, fact: Fact) -> S:
        """The state after one more event: a pure fold. Facts that do not concern the game leave it as it is. Raises KeyError,
        TypeError, IndexError or AttributeError where something is missing in a fact."""

    def expects(self, state: S) -> tuple[Expectation[P], ...]:
        """What may come next; empty before the game is opened."""

    def due(self, state: S, context: Context) -> tuple[Fact, ...]:
        """What follows from the record alone, without anybody doing or saying anything: the next step, as facts."""

    def noted(self, state: S) -> Json:
        """What is written beside every play on record, of what is known while it is made."""

    def early(self, state: S) -> Iterator[P]:
        """Tables that hands make who act on an answer to the open question before it is given."""

    def answer(self, state: S, context: Context, said: Json) -> tuple[Fact, ...]:
        """What an answer of a kind that only this game has leads to. Raises BadInput where it cannot be taken now."""

    def drawn(self, state: S, context: Context, chosen: Sequence[str]) -> tuple[Fact, ...]:
        """What follows from the companion drawing these. Raises BadInput when nothing is to be drawn."""

    def allowed(self, state: S, position: P, character: str) -> P:
        """The position as after a play of this character that an arbiter allows. Raises BadInput when it cannot have been."""

    def reset(self, state: S, position: P) -> P:
        """A position set by an arbiter, as it goes on from here. ``position`` is a tolerant one: what lies there was set, what
        follows from it was not; what comes back is read strictly. Raises BadInput when it does not fit what stays on record."""

    def arranged(self, state: S, position: P) -> P:
        """What is on record once an arbiter takes the table as it lies (``position``, a tolerant one), although hands have not
        brought it to what was asked for: the event of the arrangement then holds it. What of it still has to be done is as
        asked for, so that it differs from what lies there. Raises BadInput when it does not fit what stays on record."""

    def view(self, state: S, context: Context, seat: Role | None = None) -> Json:
        """The game's part of the snapshot for a seat (None: for everybody)."""

    def copy_rows(self, table: str, rules: Json) -> tuple[str, ...]:
        """The rows of a table of ``copy_tables`` that a match by these house rules needs."""

    def watched(self, state: S, context: Context) -> Json:
        """What spectators are shown beside the snapshot, and no player is; empty where they see what everybody sees."""

    def check(self, state: S, context: Context, fact: Fact) -> tuple[str, ...]:
        """What is wrong, by the rules, with an event that followed this state; one sentence each."""

    # --- secrets --------------------------------------------------------------------------------------------------

    def seats_by(self, rules: Json) -> tuple[Role, ...]:
        """The seats of a match by these house rules, before it is opened: all of ``seats``, or as many as there are players."""

    def seats_in(self, state: S) -> tuple[Role, ...]:
        """The seats of this match: all of ``seats``, or as many of them as there are players."""

    def private(self, state: S, context: Context, seat: Role, held: Held | None) -> Own | None:
        """What one seat alone is shown beside the snapshot; None where it sees what everybody sees. ``held``: what this seat
        entrusted, None where nothing of it is known here (it keeps its secrets itself)."""

    def may_tell(self, state: S, context: Context, seat: Role, purpose: Purpose) -> None:
        """Raises BadInput where this seat cannot entrust or seal such a secret now."""

    def may_be(self, state: S, seat: Role, purpose: Purpose, value: object, held: Held) -> None:
        """Raises BadInput where this cannot be the secret, by what is on record and by what this seat entrusted before."""

    def may_tell_anew(self, context: Context) -> None:
        """Raises BadInput where an arbiter cannot let a secret be told anew."""

    def may_go_back(self, context: Context) -> None:
        """Raises BadInput where the game cannot be taken back any more, because of what was opened."""

    def hindsight(self, past: S, state: S) -> S:
        """An earlier state, to which an arbiter may take the game back, with what was told since of what had happened by then;
        as it was (the same object) where nothing was."""

    def by_secret(self, state: S, held: Held) -> Json:
        """The answer that what a seat entrusted gives to the open question."""

    def may_open(self, state: S, context: Context, seat: Role, purpose: Purpose, values: Sequence[object]) -> None:
        """Raises BadInput where these cannot be a seat's secrets of a purpose, or nobody asked for them."""

    def verdict(self, state: S, seat: Role, purpose: Purpose, values: Sequence[str]) -> tuple[Fact, ...]:
        """What follows once secrets were opened while the game is on. Raises BadInput where they cannot be."""

    def disproved(self, state: S, opened: Held) -> tuple[Disproof, ...]:
        """Earlier events that what a seat opened proves wrong."""

    def opened_ways(self, state: S, opened: Sequence[Held]) -> tuple[Way, ...]:
        """Ways over the board that were secret, once the game is over and they were opened, by seats; for every screen."""

    def chapters(self, state: S, opened: Sequence[Held]) -> tuple[Chapter, ...]:
        """What was secret, told in a report once the game is over and its secrets were opened, by seats; empty where nothing is
        to be drawn."""

    def remarks(self, context: Context, facts: Iterable[Fact]) -> tuple[str, ...]:
        """What nobody can check in a record, in sentences: no faults."""


Game = Rules[Position, State[Position]]
"""Whichever game is on: its positions and states are passed back to it and read by their protocols only."""


def lacking(game: object) -> tuple[str, ...]:
    """The answers of the port that a game does not have, sorted."""
    methods = (name for name, value in vars(Rules).items() if callable(value) and not name.startswith("_"))
    return tuple(sorted(name for name in {*Rules.__annotations__, *methods} if not hasattr(game, name)))


__all__ = [
    "Chore", "Context", "Disproof", "Expectation", "Explanation", "Fact", "Fault", "Game", "HouseRule", "Json", "Move",
    "Outcome", "Play", "Position", "Role", "Rules", "State", "lacking",
]  # fmt: skip
