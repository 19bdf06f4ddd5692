"""Seats and what they keep secret: kinds of secrets, what a seat told or opened, its answers, and what it alone is shown."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.values import Json, Role

ENTRUSTED, SEALED = "entrusted", "sealed"
"""How a secret was told: to the companion, which answers with it, or as a commitment only."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """A kind of secret that a seat has, or every seat (``seat`` None): one value, or a numbered ``row``, such as a path.

    ``key`` is the field of answers and events that holds the value where a game has one secret only (:func:`sole`); where it
    has several it is always ``value``.

    ``told`` and ``shown`` are the sentences said when such a secret was told, and when all of a seat were opened (a template
    with ``{values}``); empty: nothing is said, None: general words are.
    """

    name: str
    seat: Role | None = None
    row: bool = False
    key: str = "value"
    told: str | None = None
    shown: str | None = None


@dataclass(frozen=True, slots=True)
class Secret:
    """One value that a seat told: ``number`` counts from 1 within seat and purpose."""

    seat: Role
    purpose: str
    number: int
    value: str


@dataclass(frozen=True, slots=True)
class Held:
    """What one seat told, or opened: by purpose, in the order of its numbers."""

    seat: Role
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def row(self, purpose: str) -> tuple[str, ...]:
        """Every value of a purpose; empty where there is none."""
        return self.values.get(purpose, ())

    def one(self, purpose: str) -> str | None:
        """The last value of a purpose; None where there is none."""
        row = self.row(purpose)
        return row[-1] if row else None

    @classmethod
    def of(cls, seat: Role, secrets: Iterable[Secret]) -> "Held":
        """What a seat told, of secrets of any seats."""
        rows: dict[str, list[str]] = {}
        for secret in sorted((one for one in secrets if one.seat == seat), key=lambda one: one.number):
            rows.setdefault(secret.purpose, []).append(secret.value)
        return cls(seat, {purpose: tuple(row) for purpose, row in rows.items()})


@dataclass(frozen=True, slots=True)
class Told:
    """What everybody knows of a secret: whose it is, which, and how it was told.

    ``commitment`` (64 hexadecimal digits) binds the seat to it; None in records of before there were commitments."""

    seat: Role
    purpose: str
    number: int
    mode: str
    commitment: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat, "purpose": self.purpose, "number": self.number, "mode": self.mode, "commitment": self.commitment,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """An answer that only this game takes: its fields beside ``kind``, and who may give it.

    ``seats`` None: every seat. ``table``: the screen that all share as well; ``arbiter``: the arbiter as well. ``signed``: the
    answer reaches the game with ``seat`` set to the seat that gave it (None from the shared screen, which may name one).
    """

    kind: str
    fields: frozenset[str] = frozenset()
    seats: tuple[Role, ...] | None = None
    table: bool = True
    arbiter: bool = True
    signed: bool = False


# --- what one seat alone is shown -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence: a template (the key of its translations) and its words."""

    text: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that a seat may tell. With a ``place`` it is picked on the board, else from a list by its ``text``."""

    value: str
    text: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    place: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"value": self.value, "text": self.text, "params": dict(self.params), "place": self.place}


@dataclass(frozen=True, slots=True)
class Tell:
    """What a seat may tell now, to the companion or as a commitment."""

    purpose: str
    text: str
    choices: tuple[Choice, ...]
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "purpose": self.purpose, "text": self.text, "params": dict(self.params),
            "choices": [choice.to_json() for choice in self.choices],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Deed:
    """An answer that a seat may give now although nobody asks: what its button says."""

    answer: Json
    text: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"answer": dict(self.answer), "text": self.text, "params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class Own:
    """What one seat alone is shown: sentences, the places of its own trail in order, what it may tell and do now. ``counting``:
    purpose and number (from 1) of its secrets that count now: of those that it sealed its own device reminds it."""

    lines: tuple[Line, ...] = ()
    trail: tuple[str, ...] = ()
    tells: tuple[Tell, ...] = ()
    deeds: tuple[Deed, ...] = ()
    counting: tuple[tuple[str, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "lines": [line.to_json() for line in self.lines], "trail": list(self.trail),
            "tells": [tell.to_json() for tell in self.tells], "deeds": [deed.to_json() for deed in self.deeds],
            "counting": [{"purpose": purpose, "number": number} for purpose, number in self.counting],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Way:
    """A way over the board that was secret, once it was opened: a heading, its spots in order, others that matter, and what was
    done on it in sentences."""

    heading: Line
    spots: tuple[str, ...]
    marked: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            **self.heading.to_json(), "way": list(self.spots), "marked": list(self.marked),
            "lines": [line.to_json() for line in self.lines],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of what was secret, told once it was opened: a heading, the position it is drawn on (its JSON), the spots of a way
    in order and others that matter, sentences beside it."""

    heading: Line
    position: Json
    way: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()


def key_of(purpose: Purpose, purposes: Iterable[Purpose]) -> str:
    """The field of answers and events that holds a secret of a game with these purposes."""
    return purpose.key if sole(purposes) is not None else "value"


def sole(purposes: Iterable[Purpose]) -> Purpose | None:
    """The one secret of a game that has one only: its answers and events are written without seat, purpose and number."""
    found = tuple(purposes)
    return found[0] if len(found) == 1 and not found[0].row and found[0].seat is not None else None


def purpose_of(purposes: Iterable[Purpose], name: object) -> Purpose | None:
    """The purpose of that name; None where there is none."""
    return next((one for one in purposes if one.name == name), None)


__all__ = [
    "ENTRUSTED", "SEALED", "AnswerKind", "Chapter", "Choice", "Deed", "Held", "Json", "Line", "Own", "Purpose", "Secret",
    "Tell", "Told", "key_of", "purpose_of", "sole",
]  # fmt: skip
