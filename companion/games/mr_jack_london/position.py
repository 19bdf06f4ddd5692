"""A position: immutable, one line of notation, plain JSON. Reading positions from either is in :mod:`.validation`.

Notation, eight fields with one blank between them (``-`` nothing, ``?`` unknown)::

    first-2006 1 seen holmes:g5,watson:a3>NE,… b2:1,c7:3,f5:* c2,l12 NE,SW holmes,bert/-
    edition turn card characters                gaslights     covers cordons available/played

A cleared character ends with ``~``; one that left the board stands on ``-``; ``*`` is a lamp tile without a number.
"""

from dataclasses import dataclass
from typing import Any

from companion.games.mr_jack_london.names import BLANK, CHARACTERS, ID, INDEX, WATSON
from companion.games.notation import (
    cards_json,
    cards_of,
    cards_text,
    discs_json,
    discs_of,
    discs_text,
    fields_of,
    items,
    joined,
    number,
)

Label = int | str


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
        data: dict[str, Any] = {
            "game": ID,
            "edition": self.edition,
            "turn": self.turn,
            "characters": discs_json(CHARACTERS, self.hexes, self.sides, {WATSON: self.facing}),
            "gaslights": dict(self.gaslights),
            "covers": list(self.covers),
            "cordons": list(self.cordons),
            "witness_card": self.witness_card,
        }
        return data | cards_json(self.available, self.played)

    def notation(self) -> str:
        """The position on one line; see the module's words."""
        lamps = [f"{spot}:{'*' if label == BLANK else label}" for spot, label in self.gaslights]
        return " ".join(
            (
                self.edition,
                str(self.turn),
                self.witness_card,
                discs_text(CHARACTERS, self.hexes, self.sides, {WATSON: self.facing}),
                joined(lamps),
                joined(self.covers),
                joined(self.cordons),
                cards_text(self.available, self.played),
            )
        )

    def __str__(self) -> str:
        return self.notation()


def json_of(notation: str) -> dict[str, Any]:
    """The JSON a line of notation stands for, unchecked. Raises ValueError when the line has no such shape."""
    edition, turn, card, characters, lamps, covers, cordons, cards = fields_of(notation, 8)
    gaslights: dict[str, Label] = {}
    for item in items(lamps):
        spot, _, label = item.partition(":")
        if spot in gaslights:
            raise ValueError(f"gaslight {spot} is there twice")
        gaslights[spot] = BLANK if label == "*" else number(label)
    return {
        "game": ID,
        "edition": edition,
        "turn": number(turn),
        "witness_card": card,
        "characters": discs_of(characters),
        "gaslights": gaslights,
        "covers": items(covers),
        "cordons": items(cordons),
        **cards_of(cards),
    }
