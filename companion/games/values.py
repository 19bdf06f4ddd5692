"""The plain values that rules and everything else exchange: positions, plays, faults, what hands must do, how a game ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

Json = Mapping[str, Any]
Role = str
"""A seat of a game, by the name that the game gives it."""


class Position(Protocol):
    """A complete game state: immutable, hashable, prints as one line of notation and as JSON; both round-trip."""

    @property
    def edition(self) -> str: ...
    @property
    def turn(self) -> int: ...
    def to_json(self) -> dict[str, Any]: ...
    def notation(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that changed place during a play. ``path`` includes both ends.

    ``to`` is None when the piece left the board. ``facing`` is the facing chosen by whoever moved a piece that has a front.
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
    """What one player did with one character. ``ends`` is None, or the game's word for how the play ends the game.

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
    ``pending`` is True when going on with the same play can still heal it (a mandatory ability not used yet, steps
    left, a disc lifted and not yet set down): the referee then waits a while before it flags.
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
    """Something hands must do to bring the table in line: turn a disc, take a tile away, move the turn marker, put back.

    ``subject`` is a piece or ``singular:place`` as in readings; ``place``/``to`` are where it is and where it belongs.
    ``anew`` says it where the piece may never have stood where it belongs now: where there is a sentence of its own for that.
    """

    code: str
    subject: str
    text: str
    params: Mapping[str, Any] = field(default_factory=dict)
    place: str | None = None
    to: str | None = None
    anew: str | None = None

    @property
    def renewed(self) -> "Chore":
        """The same, said as something new and not as a way back."""
        return self if self.anew is None else replace(self, text=self.anew, anew=None)

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
class CopyTable:
    """What the owner enters once from his copy, because the companion does not know it: a word for each row and column.
    ``rows`` and ``columns``: (id, what it is called); ``text`` says what it is for."""

    name: str
    text: str
    rows: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, str], ...]
    longest: int = 40

    def faults(self, cells: object, rows: Sequence[str]) -> tuple[str, ...]:
        """What is wrong with what was entered, or missing of these ``rows``; all of it, each in a few words."""
        if not isinstance(cells, Mapping) or not all(isinstance(row, Mapping) for row in cells.values()):
            return ("a table of words, by row and by column",)
        names, columns = dict(self.rows), dict(self.columns)
        found = [f"{row} is no row" for row in cells if row not in names]
        for row in (row for row in names if row in rows or cells.get(row)):
            given = cells.get(row, {})
            found += [f"{names[row]}: {column} is no column" for column in given if column not in columns]
            missing = [columns[column] for column in columns if not self._word(given.get(column))]
            if missing:
                found.append(f"{names[row]}: {', '.join(missing)} missing")
        return tuple(found)

    def _word(self, word: object) -> bool:
        return isinstance(word, str) and 0 < len(word.strip()) <= self.longest


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A disputed point of the rules as a named switch, fixed for a whole game."""

    name: str
    choices: tuple[str, ...]
    default: str
    text: str
    because: str
