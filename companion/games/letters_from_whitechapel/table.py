"""What lies on the table, beside the public position that the rules know: the position of a refereed game.

A camera claims pieces on spots (:class:`Laid`), the rules know circles, crossings, tracks (:class:`Position`). In a lawful
position the one follows from the other (:func:`laid_of`); what hands did and nobody explained yet is a :class:`Table` whose
pieces lie otherwise than its position says. Cells of the board are ``"27"`` for a circle and ``"x042"`` for a crossing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from companion import boards
from companion.boards import Board
from companion.errors import InvalidPosition, quoted, stopped_by
from companion.games.letters_from_whitechapel.names import (
    COLOURS,
    DOWN,
    EDITION,
    ID,
    KILL,
    PATROL_TOKENS,
    PATROLS,
    REVEAL,
    SPACES,
    WOMEN,
    WRETCHED,
)
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.validation import parsed, position_of

Spots = tuple[str, ...]
Labels = tuple[tuple[str, str], ...]

POLICE_PIECES: Mapping[str, str] = {colour: f"police-{colour}" for colour in COLOURS}
"""Colour -> the piece of the board file."""
COLOUR_OF: Mapping[str, str] = {piece: colour for colour, piece in POLICE_PIECES.items()}
PLACES, BY_PLACE, VALUES = ("wretched", "scenes", "clues"), ("patrols", "women", "specials"), ("pawn", "time", "night")
"""Groups of the board file by how they are entered, beside ``police``."""
BOOKS = "books"
"""Key of a table's JSON under which the public position stands."""
_FIRST_SPACE = 6
"""Number of the space behind the last Roman one, counted from the left: V, IV, III, II, I come first."""
_ROMAN = ("V", "IV", "III", "II", "I")


@dataclass(frozen=True, slots=True)
class Laid:
    """Pieces by group, each in one order. ``police``: (colour, spot) of those on the board; ``patrols``, ``women``,
    ``specials``: (spot, side that is up); ``pawn``: number of its space of the track from the left, 1..20; ``time``,
    ``night``: what their markers show, None where they lie nowhere."""

    police: Labels = ()
    patrols: Labels = ()
    women: Labels = ()
    specials: Labels = ()
    wretched: Spots = ()
    scenes: Spots = ()
    clues: Spots = ()
    pawn: int | None = None
    time: int | None = None
    night: int | None = None

    def to_json(self) -> dict[str, Any]:
        """By group, in the layouts of the board file."""
        police = dict(self.police)
        return {
            "police": {piece: {"hex": police.get(colour)} for colour, piece in POLICE_PIECES.items()},
            **{key: dict(getattr(self, key)) for key in BY_PLACE},
            **{key: list(getattr(self, key)) for key in PLACES},
            **{key: getattr(self, key) for key in VALUES},
        }


@dataclass(frozen=True, slots=True)
class Table:
    """A position of a refereed game: ``books`` for the rules, ``laid`` for the camera."""

    books: Position
    laid: Laid = field(default_factory=Laid)

    @classmethod
    def of(cls, books: Position) -> "Table":
        """The table on which everything lies as the position says."""
        return cls(books, laid_of(books))

    @property
    def edition(self) -> str:
        return EDITION

    @property
    def turn(self) -> int:
        """The night, 1..4."""
        return self.books.night

    def to_json(self) -> dict[str, Any]:
        return {
            "game": ID,
            "edition": EDITION,
            "turn": self.turn,
            **self.laid.to_json(),
            BOOKS: self.books.to_json(),
        }

    def notation(self) -> str:
        """The position in one line."""
        return self.books.notation()


def board() -> Board:
    """The board of the board file."""
    return boards.load(ID, EDITION)


def called(spot: str | None) -> str:
    """What people call a spot: a circle by its number, a crossing by circles beside it (``"29 & 50"``), a space of a track by
    what is printed on it; empty for None."""
    return "" if spot is None else board().called(spot)


@cache
def is_circle(spot: str) -> bool:
    """Whether a spot is a numbered circle; else a crossing, or a place beside the streets."""
    return spot in board().cells and spot.isdecimal()


def is_crossing(spot: str) -> bool:
    """Whether a spot is a crossing."""
    return spot in board().cells and not is_circle(spot)


def in_order(spots: Iterable[str]) -> Spots:
    """Circles by number, then crossings and places by name."""
    return tuple(sorted(spots, key=lambda spot: (not spot.isdecimal(), int(spot) if spot.isdecimal() else 0, spot)))


def circles(numbers: Iterable[int]) -> Spots:
    """The cells of circles, in order."""
    return tuple(map(str, sorted(numbers)))


def table_of(data: Any, *, tolerant: bool = False) -> Table:
    """A table from its JSON. Raises InvalidPosition with every fault; ``tolerant`` takes what hands can do."""
    if not isinstance(data, Mapping) or not isinstance(data.get(BOOKS), Mapping):
        raise InvalidPosition([f"a position of a refereed game has its public part under {BOOKS!r}"])
    books = position_of(data[BOOKS], tolerant=tolerant)
    try:
        laid = _laid(data)
    except (TypeError, AttributeError, ValueError, KeyError) as error:
        raise InvalidPosition([f"the pieces are not written as the board file has them: {stopped_by(error)}"]) from error
    known = board()
    spots = [spot for _, spot in laid.police]
    spots += [spot for key in BY_PLACE for spot, _ in getattr(laid, key)] + [s for key in PLACES for s in getattr(laid, key)]
    faults = [
        f"{quoted(spot)} is no spot of the board" for spot in spots if spot not in known.cells and spot not in known.places
    ]
    if not faults and not tolerant and replace(laid, police=()) != replace(laid_of(books), police=()):
        faults.append("what lies on the table does not fit what is on record")
    if faults:
        raise InvalidPosition(faults)
    return Table(books, laid)


def parsed_table(line: str) -> Table:
    """A table from the notation of its position. Raises InvalidPosition."""
    return Table.of(parsed(line))


def _laid(data: Mapping[str, Any]) -> Laid:
    police = {COLOUR_OF[piece]: entry["hex"] for piece, entry in data.get("police", {}).items() if entry.get("hex")}
    labels: dict[str, Labels] = {
        key: tuple((spot, str(dict(data.get(key, {}))[spot])) for spot in in_order(data.get(key, {}))) for key in BY_PLACE
    }
    places = {key: in_order(data.get(key, ())) for key in PLACES}
    values = {key: None if data.get(key) is None else int(data[key]) for key in VALUES}
    stand = tuple((colour, police[colour]) for colour in COLOURS if colour in police)
    parts: dict[str, Any] = {"police": stand, **labels, **places, **values}
    return Laid(**parts)


def laid_of(books: Position) -> Laid:
    """How everything lies by the public position.

    Policemen stay where they ended until all patrol tokens of the next night lie; Jack's pawn comes onto the track with the
    murder, a token of his beside the spaces that it took.
    """
    covered = books.phase in (KILL, WRETCHED, REVEAL) or (books.phase == PATROLS and len(books.patrols) >= PATROL_TOKENS)
    begins = books.phase in (WOMEN, PATROLS)
    return Laid(
        police=() if covered else books.police,
        patrols=tuple(sorted(books.patrols)),
        women=tuple((circle, DOWN) for circle in circles(books.women)),
        specials=_specials(books),
        wretched=circles(books.wretched),
        scenes=circles(books.all_scenes),
        clues=circles(books.clues),
        pawn=None if begins or not books.murder_done else _space(books, books.used),
        time=None if begins else books.time,
        night=books.night,
    )


def _space(books: Position, used: int) -> int:
    """The space, from the left, after so many spaces behind the crime; a second murder took one itself."""
    return _FIRST_SPACE - books.time + used + books.police_first


def _specials(books: Position) -> Labels:
    found, used = {}, 0
    for kind in books.track:
        if kind in books.tonight.stock:
            found[_place(_space(books, used + 1))] = kind
        used += SPACES[kind]
    return tuple((spot, found[spot]) for spot in in_order(found))


def _place(space: int) -> str:
    return f"time-{_ROMAN[space - 1]}" if space < _FIRST_SPACE else f"space-{space - _FIRST_SPACE + 1}"


__all__ = [
    "BOOKS", "BY_PLACE", "COLOUR_OF", "PLACES", "POLICE_PIECES", "VALUES", "Laid", "Table", "board", "called", "circles",
    "in_order", "is_circle", "is_crossing", "laid_of", "parsed_table", "table_of",
]  # fmt: skip
