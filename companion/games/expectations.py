"""What may come next in a game, as typed values: the game says what it expects, the referee sees to it.

:class:`Change` and :class:`Arrangement` are met by hands on the table, :class:`Question` by a seat's answer or by a secret that
this seat entrusted, :class:`Draw` by chance, :class:`Opening` by whoever has the secret, :class:`Over` by nothing. Beside them
stand what the referee reads of a game's own state (:class:`State`, :class:`Pick`) and what it passes in (:class:`Fact`,
:class:`Context`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from companion.games.seats import Told
from companion.games.values import Fault, Json, Outcome, Position, Role

P = TypeVar("P", bound=Position)
P_co = TypeVar("P_co", bound=Position, covariant=True)


@dataclass(frozen=True, slots=True)
class Fact:
    """One event without its date and seals. ``number`` is its place in the record, 0 while it is only proposed."""

    kind: str
    data: Json
    number: int = field(default=0, compare=False)


TOLD = "told"
"""Key of a position's JSON under which a game keeps what it was only told of what lies on the table, and no look shows; of a
claimed state given to :meth:`Rules.complete`: such things are in it."""
WHOLE = "whole"
"""Key of a claimed state given to :meth:`Rules.complete`: the zones of which somebody said every card, in order."""

# --- what is expected -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """A play on the table: plays are enumerated and explained by the game, starting from the position of its state.

    ``seat`` makes it; None: nobody may begin a new one, but the last may still go on, be told otherwise or be taken back.
    ``left``: how many plays of the running round are not made yet, this one included. ``order``: who plays in this round, from
    its first play on, where that hangs on more than the turn (see :meth:`Rules.movers`); empty: it does not.
    """

    seat: Role | None
    left: int
    order: tuple[Role, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrangement(Generic[P_co]):
    """The table must be brought to ``target``; ``reached`` is the kind of the event that records that it was.

    ``start``: it is the set-up, agreed upon rather than ruled, and where the sources disagree the table knows better.
    ``seats`` play afterwards, in this order: their first plays may have been made before anybody looked. ``touched`` are the
    subjects that hands were asked to touch; any other that differs has strayed.
    """

    target: P_co
    reached: str
    start: bool = False
    seats: tuple[Role, ...] = ()
    touched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers that complete an answer: ``answer`` with ``key`` for the list of them, each from ``least`` to ``most``, one for
    each of ``labels`` (sentence templates)."""

    answer: Json
    key: str
    labels: tuple[str, ...]
    least: int = 0
    most: int = 20

    def to_json(self) -> dict[str, Any]:
        """As screens read it."""
        return {
            "answer": dict(self.answer), "key": self.key, "labels": list(self.labels), "least": self.least, "most": self.most,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """A question to one seat. ``form`` lists the answers that can be given, as answers are written; empty: a free one.

    ``labels`` are sentence templates beside them, one an answer: what buttons say; empty where nothing is said on them.
    ``places``: the spot of the board that each answer is about ("": none), where answers are given by pointing at one; empty
    where none is. Spots are numbered as they are first named, for the keys of a box. ``pointing``: a finger held on one of them
    answers, and this is asked (of its ``place``) where several answers are about it; None: nothing is read from fingers.
    ``markers``: groups of pieces of which one laid on such a spot says the same.
    ``public``: everybody hears the answer. ``purpose`` names the secret that may answer in the seat's place once it is
    entrusted, None: none may. ``certain``: that secret always has an answer, so a refusal means that somebody erred.
    ``early``: what to say when hands act on an answer that was not given yet (see :meth:`Game.early`).
    ``counts``: an answer that is made of numbers, beside those of the form.
    ``given``: the answer of the form that counts so far and may still be exchanged for another (its place there); None: none.
    """

    id: str
    seat: Role
    text: str
    params: Mapping[str, Any] = field(default_factory=dict)
    form: tuple[Json, ...] = ()
    labels: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    pointing: str | None = None
    markers: tuple[str, ...] = ()
    public: bool = True
    purpose: str | None = None
    certain: bool = False
    early: Fault | None = None
    counts: Counts | None = None
    given: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """``count`` of ``pool`` are drawn or dealt by chance, by hand or by the companion (:meth:`Game.drawn`)."""

    pool: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Opening:
    """Every secret of ``purpose`` that ``seat`` told has to be opened now: one that was entrusted opens itself."""

    seat: Role
    purpose: str


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over."""

    outcome: Outcome


Expectation = Change | Arrangement[P] | Question | Draw | Opening | Over


# --- what the referee reads of a game's state, and what it tells the game ---------------------------------------------


@dataclass(frozen=True, slots=True)
class Pick(Generic[P_co]):
    """One play of the running round: the number of its event, who made it, the position before it, the play's JSON."""

    number: int
    character: str
    mover: Role
    before: P_co
    play: Json

    @property
    def moves(self) -> tuple[Json, ...] | None:
        """What it moved; None of a play that an arbiter let stand: of that one only the position is on record."""
        moves = self.play.get("moves")
        return None if moves is None else tuple(moves)


class State(Protocol[P_co]):
    """How far a game has come, as the game itself folds it: immutable, compared by value.

    ``position`` is the head: the last position everybody stands by; None before the game is opened. ``picks`` are the plays of
    the running round, oldest first: the last of them may be told otherwise or taken back. ``phase`` names the stage of the game
    for whoever reads a snapshot.
    """

    @property
    def phase(self) -> str: ...
    @property
    def position(self) -> P_co | None: ...
    @property
    def picks(self) -> tuple[Pick[P_co], ...]: ...


@dataclass(frozen=True, slots=True)
class Context:
    """What is on record beside the game's own state. ``told``: every secret that is bound by an event; ``openings``: what was
    opened, by seat and purpose; ``left``: the subjects hands have still to touch.

    ``secret``, ``committed`` and ``opened`` are for games with one secret: how it was told (``"asked"``: not at all), whether
    by a commitment, and what was opened.
    """

    secret: str = "asked"
    committed: bool = False
    opened: Json | None = None
    adjourned: bool = False
    left: tuple[str, ...] = ()
    told: tuple[Told, ...] = ()
    openings: Mapping[tuple[Role, str], tuple[str, ...]] = field(default_factory=dict)

    def row(self, seat: Role, purpose: str) -> tuple[Told, ...]:
        """What a seat told of a purpose, in order."""
        return tuple(one for one in self.told if (one.seat, one.purpose) == (seat, purpose))

    def mode(self, seat: Role, purpose: str) -> str:
        """How a seat told its last secret of a purpose: ``"asked"`` (not at all), ``"entrusted"`` or ``"sealed"``."""
        row = self.row(seat, purpose)
        return row[-1].mode if row else "asked"


def wrong_end(fact: Fact, due: Iterable[Fact]) -> tuple[str, ...]:
    """What is wrong with an event that ends the game, by what was due: winner and code count, as the sentence may be another
    version's."""
    ends = {(one.data["winner"], one.data["code"]) for one in due if one.kind == "outcome"}
    return () if (fact.data["winner"], fact.data["code"]) in ends else ("outcome: the game does not end so by the rules",)


@dataclass(frozen=True, slots=True)
class Disproof:
    """An earlier event that what was opened proves wrong. ``text`` is for the audit; ``said`` tells the players, as a template
    with ``params``, empty where only that there is something is told."""

    code: str
    number: int
    text: str
    said: str = ""
    params: Json = field(default_factory=dict)
