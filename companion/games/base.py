"""A base for games: every answer of the port that a game without cards, secrets or editions of its own would give.

A game derives :class:`BaseGame` and writes what it has: its positions, its plays, its procedure. What is left as it is here
says that there is no such thing in the game. Nothing in it is about any game, or about a family of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from companion import boards
from companion.boards import Board, PieceSet
from companion.errors import BadInput
from companion.games.expectations import Context, Disproof, Fact, State
from companion.games.layouts import completed
from companion.games.seating import Seating
from companion.games.seats import AnswerKind, Chapter, Held, Own, Purpose, Way
from companion.games.values import CopyTable, Fault, HouseRule, Json, Position, Role

P = TypeVar("P", bound=Position)
S = TypeVar("S", bound=State[Any])

GENERAL_ANSWERS = ("guide", "choose", "correct", "undo", "accept", "rule", "clock")
"""Kinds of answers that any table takes; ``seal`` and ``reveal`` are added where seats have secrets."""


class BaseGame(Generic[P, S]):
    """The port's plain answers.

    A game adds at least ``name``, ``seats``, ``characters``, ``events``, ``answers``, ``position``, ``differences``,
    ``movers``, ``candidates``, ``plays``, ``explain``, ``begin``, ``apply``, ``expects``, ``due``, ``answer``, ``allowed``
    and ``reset``; with secrets, what is said of those.
    """

    id: str
    seats: tuple[Role, ...]
    sides: tuple[Role, ...] = ()
    seating: Seating | None = None
    deals: bool = False
    house_rules: tuple[HouseRule, ...] = ()
    copy_tables: tuple[CopyTable, ...] = ()
    events: Mapping[str, bool] = MappingProxyType({})
    answers: tuple[str, ...] = GENERAL_ANSWERS
    answer_kinds: tuple[AnswerKind, ...] = ()
    purposes: tuple[Purpose, ...] = ()
    notes: tuple[Role, ...] = ()
    no_undo: str = "there is no play in this round to take back"
    secret_lost: str = ""
    no_answer: str = ""
    snapshot_order: tuple[str, ...] = ()

    # --- the table and what lies on it ----------------------------------------------------------------------------

    def editions(self) -> tuple[str, ...]:
        """The editions of the game's board file."""
        return boards.editions(self.id)

    def board(self, edition: str) -> Board:
        """The board of the game's own board file."""
        return boards.load(self.id, edition)

    def pieces(self) -> PieceSet:
        """The pieces of the game's own board file."""
        return boards.load_pieces(self.id)

    def position(self, data: Json, *, tolerant: bool = False) -> P:
        """A position from its JSON."""
        raise NotImplementedError

    def start(self, edition: str | None = None) -> P:
        """The start set-up that the board file gives."""
        edition = edition or self.editions()[0]
        return self.position({"game": self.id, "edition": edition, **self.board(edition).start})

    def parse(self, notation: str, *, tolerant: bool = False) -> P:
        """Raises BadInput: such a game writes positions as JSON alone."""
        raise BadInput(f"positions of {self.id} are written as JSON")

    def complete(self, before: P, state: Json, unknown: tuple[str, ...] = ()) -> P:
        """What is claimed, by layout, over the position before."""
        zones = self.board(before.edition).zones
        return self.position(completed(before.to_json(), state, unknown, self.pieces(), zones=zones), tolerant=True)

    # --- plays ----------------------------------------------------------------------------------------------------

    def begun(self, before: P, after: P, *, mover: Role | None = None, rules: Json | None = None) -> tuple[Fault, ...]:
        """No play is laid piece by piece."""
        return ()

    def laid_again(self, position: P, zone: str) -> P | None:
        """What looks the same is never laid upon itself."""
        return None

    def draws(self, before: P, after: P, character: str) -> bool:
        """Nobody looks at anything with a play."""
        return False

    def deduce(self, position: P) -> Json:
        """Nothing follows from a position alone."""
        return {}

    # --- the procedure --------------------------------------------------------------------------------------------

    def noted(self, state: S) -> Json:
        """Nothing is written beside a play."""
        return {}

    def copy_rows(self, table: str, rules: Json) -> tuple[str, ...]:
        """Nothing is entered from a copy."""
        return ()

    def watched(self, state: S, context: Context) -> Json:
        """Spectators see what everybody sees."""
        return {}

    def arranged(self, state: S, position: P) -> P:
        """What lies there counts."""
        return position

    def early(self, state: S) -> Iterator[P]:
        """No hands act on an answer before it is given."""
        return iter(())

    def drawn(self, state: S, context: Context, chosen: Sequence[str]) -> tuple[Fact, ...]:
        """Raises BadInput: nothing is drawn."""
        raise BadInput("nothing is to be drawn")

    def view(self, state: S, context: Context, seat: Role | None = None) -> Json:
        """Nothing beside the general snapshot."""
        return {}

    def check(self, state: S, context: Context, fact: Fact) -> tuple[str, ...]:
        """No event of the game's own is checked."""
        return ()

    def opened_ways(self, state: S, opened: Sequence[Held]) -> tuple[Way, ...]:
        """Nobody goes a secret way."""
        return ()

    def chapters(self, state: S, opened: Sequence[Held]) -> tuple[Chapter, ...]:
        """Nothing that was secret is drawn."""
        return ()

    def remarks(self, context: Context, facts: Iterable[Fact]) -> tuple[str, ...]:
        """What is bound by a commitment and not opened, one sentence a seat and purpose."""
        kept = dict.fromkeys((one.seat, one.purpose) for one in context.told)
        return tuple(
            f"what {seat} committed to ({purpose}) is not opened yet: answers are not checked against it"
            for seat, purpose in kept
            if (seat, purpose) not in context.openings
        )

    # --- secrets --------------------------------------------------------------------------------------------------

    def seats_by(self, rules: Json) -> tuple[Role, ...]:
        """Every seat."""
        return self.seats

    def seats_in(self, state: S) -> tuple[Role, ...]:
        """Every seat."""
        return self.seats

    def private(self, state: S, context: Context, seat: Role, held: Held | None) -> Own | None:
        """Every seat sees what everybody sees."""
        return None

    def may_tell(self, state: S, context: Context, seat: Role, purpose: Purpose) -> None:
        """Raises BadInput: nothing is kept secret."""
        raise BadInput(f"{seat} has nothing to tell now")

    def may_be(self, state: S, seat: Role, purpose: Purpose, value: object, held: Held) -> None:
        """Anything may be a secret."""

    def may_tell_anew(self, context: Context) -> None:
        """Raises BadInput: what was told stays."""
        raise BadInput("what a seat told stays as it was told")

    def may_go_back(self, context: Context) -> None:
        """Raises BadInput once a secret was opened."""
        if context.openings:
            raise BadInput("secrets were opened; the game cannot be taken back any more")

    def hindsight(self, past: S, state: S) -> S:
        """Nothing is told later than it happens."""
        return past

    def by_secret(self, state: S, held: Held) -> Json:
        """To be written by a game that asks a question with a purpose."""
        raise NotImplementedError

    def may_open(self, state: S, context: Context, seat: Role, purpose: Purpose, values: Sequence[object]) -> None:
        """Anything may be opened."""

    def verdict(self, state: S, seat: Role, purpose: Purpose, values: Sequence[str]) -> tuple[Fact, ...]:
        """Nothing follows from an opening."""
        return ()

    def disproved(self, state: S, opened: Held) -> tuple[Disproof, ...]:
        """Nothing is proved wrong."""
        return ()
