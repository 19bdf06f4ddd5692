"""What every game answers: the port between rules and everything else.

A game is a set of pure functions over frozen positions. The referee, the page and the commands speak to this protocol
only; none of them asks which game is on. Roles are ``"detective"`` and ``"jack"``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.boards import Board, PieceSet

Json = Mapping[str, Any]
Role = str


class Position(Protocol):
    """A complete game state: immutable, hashable, prints as one line of notation and as JSON; both round-trip."""

    @property
    def edition(self) -> str: ...
    @property
    def turn(self) -> int: ...
    @property
    def available(self) -> tuple[str, ...] | None: ...
    @property
    def played(self) -> tuple[str, ...] | None: ...
    def to_json(self) -> dict[str, Any]: ...
    def notation(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Witness:
    """Who is seen, who is not, and why (``because`` holds the seen ones only)."""

    seen: tuple[str, ...]
    unseen: tuple[str, ...]
    because: Mapping[str, tuple[str, ...]]

    def to_json(self) -> dict[str, Any]:
        return {"seen": list(self.seen), "unseen": list(self.unseen), "because": {k: list(v) for k, v in self.because.items()}}


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that changed place during a play: a character, a lamp, a cover, a cordon. ``path`` includes both ends.

    ``to`` is None when the piece left the board. ``facing`` is the facing chosen by whoever moved a lantern bearer.
    """

    piece: str
    origin: str
    to: str | None
    path: tuple[str, ...] = ()
    facing: str | None = None

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"piece": self.piece, "from": self.origin, "to": self.to}
        if self.path:
            data["path"] = list(self.path)
        if self.facing:
            data["facing"] = self.facing
        return data


@dataclass(frozen=True, slots=True)
class Play:
    """What one player did with one character. ``ends`` is None, ``"accusation"`` or ``"escape"``.

    ``text`` and ``params`` are a sentence template and its words, to be translated where it is spoken.
    """

    character: str
    moves: tuple[Move, ...]
    ability: str | None
    position: Any
    ends: str | None = None
    text: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self, *, with_position: bool = True) -> dict[str, Any]:
        data: dict[str, Any] = {
            "character": self.character,
            "moves": [move.to_json() for move in self.moves],
            "ability": self.ability,
        }
        if with_position:
            data["position"] = self.position.to_json()
        data["ends"] = self.ends
        return data


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule. ``text`` is the English sentence template (and translation key), ``params`` its words.

    ``cells`` are the places to mark on the board, ``allowed`` the cells where the piece could have gone instead.
    ``pending`` is True when going on with the same play can still heal it (a mandatory ability not used yet, whistle
    points left, a disc lifted and not yet set down): the referee then waits a while before it flags.
    """

    code: str
    character: str | None
    text: str
    params: Mapping[str, Any] = field(default_factory=dict)
    cells: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    pending: bool = False

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.text.format(**self.params)

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code, "character": self.character, "message": self.message, "text": self.text,
            "params": dict(self.params), "cells": list(self.cells), "allowed": list(self.allowed), "pending": self.pending,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Explanation:
    """The verdict on a change: ``legal``, ``illegal``, ``ambiguous`` or ``unchanged``.

    ``alternatives`` are the sequences of plays that fit, best first (one when legal, several when ambiguous; on an
    illegal change the nearest legal reading, if any). ``faults`` is the smallest set of broken rules on an illegal one.
    """

    verdict: str
    alternatives: tuple[tuple[Play, ...], ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Chore:
    """Something hands must do to bring the table in line: turn a disc, take a lamp away, move the turn marker, put back.

    ``subject`` is a piece or ``singular:place`` as in readings; ``place``/``to`` are where it is and where it belongs.
    """

    code: str
    subject: str
    text: str
    params: Mapping[str, Any] = field(default_factory=dict)
    place: str | None = None
    to: str | None = None

    @property
    def message(self) -> str:
        """The request in English."""
        return self.text.format(**self.params)

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code, "subject": self.subject, "message": self.message, "text": self.text,
            "params": dict(self.params), "place": self.place, "to": self.to,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning role and a sentence saying why."""

    winner: Role
    code: str
    text: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.text.format(**self.params)


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A disputed point of the rules as a named switch, fixed for a whole game."""

    name: str
    choices: tuple[str, ...]
    default: str
    text: str
    because: str


class Game(Protocol):
    """The rules of one game. ``rules`` everywhere is a mapping of house rule name to choice; None means the defaults."""

    id: str
    name: str
    characters: tuple[str, ...]
    house_rules: tuple[HouseRule, ...]

    def editions(self) -> tuple[str, ...]:
        """Editions of the board, the default one first."""

    def board(self, edition: str) -> Board:
        """The board of one edition."""

    def pieces(self) -> PieceSet:
        """The physical pieces."""

    def start(self, edition: str | None = None) -> Any:
        """The start set-up of an edition (None: the default one). Cards are unknown until somebody tells."""

    def position(self, data: Json, *, tolerant: bool = False) -> Any:
        """A position from its JSON. Raises InvalidPosition with every fault.

        ``tolerant`` accepts what an illegal play can leave on a table (two discs on one hex, a disc on a house, a
        piece missing), so that it can be explained; it still refuses words that name nothing.
        """

    def parse(self, notation: str, *, tolerant: bool = False) -> Any:
        """A position from its line of notation. Raises InvalidPosition; ``tolerant`` as for ``position``."""

    def complete(self, before: Any, state: Json, unknown: tuple[str, ...] = ()) -> Any:
        """The (tolerant) position a reading claims: its ``state``, with what is ``unknown`` or not on the table's
        surface (cards, witness card) taken from ``before``."""

    def differences(self, expected: Any, state: Json, unknown: tuple[str, ...] = ()) -> tuple[Chore, ...]:
        """What hands must do to turn the claimed ``state`` into ``expected``; empty when they agree (unknowns agree)."""

    def witness(self, position: Any) -> Witness:
        """Who is seen and who is not, judged where everybody stands now."""

    def suspects(self, position: Any) -> tuple[str, ...]:
        """Characters still under suspicion."""

    def movers(self, turn: int) -> tuple[Role, ...]:
        """Who picks, in order, in this turn."""

    def mover(self, position: Any) -> Role | None:
        """Whose pick it is; None when the position does not say (cards unknown) or all picks are made."""

    def candidates(self, position: Any) -> tuple[str, ...]:
        """Characters that may be played next, as far as the position knows."""

    def plays(self, position: Any, character: str, *, mover: Role | None = None, rules: Json | None = None) -> tuple[Play, ...]:
        """Every legal play of a character, taken as about to be played; one per distinct resulting position and end.

        ``mover`` None: as the position says, or either side when it does not. Raises IllegalPlay when the character's
        card is not among those left.
        """

    def explain(
        self, before: Any, after: Any, *, plays: int = 1, mover: Role | None = None, rules: Json | None = None
    ) -> Explanation:
        """Which play (or up to ``plays`` plays in a row) turns one settled position into the other, or why none does."""

    def begun(self, before: Any, after: Any, *, mover: Role | None = None, rules: Json | None = None) -> tuple[Fault, ...]:
        """The pending faults of a change that may begin a play laid piece by piece; empty where it begins none."""

    def call(self, position: Any, seen: bool) -> Any:
        """The position after a witness call: the cleared turned over, the witness card laid."""

    def close_turn(self, position: Any) -> Any:
        """The position after the turn's end: its numbered lamp gone, the marker moved on, the cards for the new turn."""

    def draws(self, before: Any, after: Any, character: str) -> bool:
        """Whether somebody draws and looks at a card with the play of ``character`` between these two positions."""

    def outcome(self, position: Any, play: Play | None = None, jack: str | None = None) -> Outcome | None:
        """Whether the game is over. ``jack`` is needed for an accusation only; with None an accusation stays open."""
