"""A position: immutable, one line of notation, plain JSON. Reading positions from either is in :mod:`.validation`.

Notation, eight fields with one blank between them (``-`` nothing, ``?`` unknown)::

    first-2006 1 seen holmes:g5,watson:a3>NE,… b2:1,c7:3,f5:* c2,l12 NE,SW holmes,bert/-
    edition turn card characters                gaslights     covers cordons available/played

A cleared character ends with ``~``; one that left the board stands on ``-``; ``*`` is a lamp tile without a number.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.deduction import INNOCENT, SUSPECT
from companion.games.mr_jack_london.names import BLANK, CHARACTERS, ID, INDEX, WATSON

Label = int | str
_WATSON = INDEX[WATSON]
_SIDE_MARKS: Mapping[str | None, str] = {SUSPECT: "", INNOCENT: "~", None: "?"}


@dataclass(frozen=True, slots=True)
class Position:
    """The whole public state of a game. ``hexes`` and ``sides`` follow the order of ``CHARACTERS``.

    A hex is None for a character that is not on the board (escaped, or missing in a tolerant position), a side is None
    only where a tolerant position does not say. ``gaslights`` (hex, label), ``covers`` and ``cordons`` are sorted.
    ``available`` and ``played`` are the cards of this turn, None when nobody told. Who is Jack is never part of it.
    """

    edition: str
    turn: int
    witness_card: str
    hexes: tuple[str | None, ...]
    sides: tuple[str | None, ...]
    facing: str | None
    gaslights: tuple[tuple[str, Label], ...]
    covers: tuple[str, ...]
    cordons: tuple[str, ...]
    available: tuple[str, ...] | None = None
    played: tuple[str, ...] | None = None

    def hex(self, character: str) -> str | None:
        """Where a character stands."""
        return self.hexes[INDEX[character]]

    def side(self, character: str) -> str | None:
        """Which side of a character's disc is up."""
        return self.sides[INDEX[character]]

    def to_json(self) -> dict[str, Any]:
        """The position as plain JSON (an escaped or missing character has ``"hex": null``)."""
        characters: dict[str, dict[str, str | None]] = {}
        for character, spot, side in zip(CHARACTERS, self.hexes, self.sides, strict=True):
            entry: dict[str, str | None] = {"hex": spot}
            if side is not None:
                entry["side"] = side
            if character == WATSON and self.facing is not None:
                entry["facing"] = self.facing
            characters[character] = entry
        data: dict[str, Any] = {
            "game": ID,
            "edition": self.edition,
            "turn": self.turn,
            "characters": characters,
            "gaslights": dict(self.gaslights),
            "covers": list(self.covers),
            "cordons": list(self.cordons),
            "witness_card": self.witness_card,
        }
        if self.available is not None:
            data["available"] = list(self.available)
        if self.played is not None:
            data["played"] = list(self.played)
        return data

    def notation(self) -> str:
        """The position on one line; see the module's words."""
        characters = []
        for index, (character, spot, side) in enumerate(zip(CHARACTERS, self.hexes, self.sides, strict=True)):
            facing = f">{self.facing}" if index == _WATSON and self.facing else ""
            characters.append(f"{character}:{spot or '-'}{facing}{_SIDE_MARKS[side]}")
        lamps = [f"{spot}:{'*' if label == BLANK else label}" for spot, label in self.gaslights]
        return " ".join(
            (
                self.edition,
                str(self.turn),
                self.witness_card,
                ",".join(characters),
                ",".join(lamps) or "-",
                ",".join(self.covers) or "-",
                ",".join(self.cordons) or "-",
                f"{_cards(self.available)}/{_cards(self.played)}",
            )
        )

    def __str__(self) -> str:
        return self.notation()


def _cards(cards: tuple[str, ...] | None) -> str:
    return "?" if cards is None else ",".join(cards) or "-"


def json_of(notation: str) -> dict[str, Any]:
    """The JSON a line of notation stands for, unchecked. Raises ValueError when the line has no such shape."""
    fields = notation.split()
    if len(fields) != 8:
        raise ValueError(f"a position has 8 fields, this line has {len(fields)}")
    edition, turn, card, characters, lamps, covers, cordons, cards = fields
    data: dict[str, Any] = {
        "game": ID,
        "edition": edition,
        "turn": int(turn) if turn.isdigit() else turn,
        "witness_card": card,
        "characters": {},
        "gaslights": {},
        "covers": _items(covers),
        "cordons": _items(cordons),
    }
    for item in _items(characters):
        name, entry = _disc(item)
        if name in data["characters"]:
            raise ValueError(f"character {name} is there twice")
        data["characters"][name] = entry
    for item in _items(lamps):
        spot, _, label = item.partition(":")
        if spot in data["gaslights"]:
            raise ValueError(f"gaslight {spot} is there twice")
        data["gaslights"][spot] = BLANK if label == "*" else int(label) if label.isdigit() else label
    available, slash, played = cards.partition("/")
    if not slash:
        raise ValueError(f"cards {cards!r} are not AVAILABLE/PLAYED")
    for key, text in (("available", available), ("played", played)):
        if text != "?":
            data[key] = _items(text)
    return data


def _items(text: str) -> list[str]:
    return [] if text == "-" else text.split(",")


def _disc(item: str) -> tuple[str, dict[str, str | None]]:
    name, colon, rest = item.partition(":")
    if not colon:
        raise ValueError(f"character {item!r} is not NAME:HEX")
    entry: dict[str, str | None] = {"side": SUSPECT}
    if rest.endswith("~"):
        entry["side"], rest = INNOCENT, rest[:-1]
    elif rest.endswith("?"):
        rest = rest[:-1]
        del entry["side"]
    spot, arrow, facing = rest.partition(">")
    entry["hex"] = None if spot == "-" else spot
    if arrow:
        entry["facing"] = facing
    return name, entry
