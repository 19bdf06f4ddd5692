"""A position: immutable, one line of notation, plain JSON. Reading positions from either is in :mod:`.validation`.

Notation, nine fields with one blank between them (``-`` nothing, ``?`` unknown)::

    first-2009 1 seen beach:E10,… B9:subway,C10:lamp E4+F3,K14+L15 E2,K16    LIBERTY:talkative beach,grant/-
    edition turn card characters  tiles              barricades    steamboats informant         available/played

A cleared character ends with ``~``; one that left the board stands on ``-``.
"""

from dataclasses import dataclass
from typing import Any

from companion.boards import PAIR
from companion.games.mr_jack_new_york.names import CHARACTERS, ID, INDEX, INFORMANT
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

Tile = tuple[str, str]
Barricade = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """The whole public state of a game. ``hexes`` and ``sides`` follow the order of ``CHARACTERS``.

    A hex is None for a character that is not on the board (escaped, or missing in a tolerant position), a side is None
    only where a tolerant position does not say. ``tiles`` (hex, side that is up), ``barricades`` (their two hexes) and
    ``steamboats`` are sorted. What is on the back of a park is not part of it: nobody needs to remember it.
    """

    edition: str
    turn: int
    witness_card: str
    hexes: tuple[str | None, ...]
    sides: tuple[str | None, ...]
    tiles: tuple[Tile, ...]
    barricades: tuple[Barricade, ...]
    steamboats: tuple[str, ...]
    informant: str | None
    informant_side: str | None
    available: tuple[str, ...] | None = None
    played: tuple[str, ...] | None = None

    def hex(self, character: str) -> str | None:
        """Where a character stands."""
        return self.hexes[INDEX[character]]

    def side(self, character: str) -> str | None:
        """Which side of a character's disc is up."""
        return self.sides[INDEX[character]]

    @property
    def covered(self) -> frozenset[str]:
        """Every hex under a barricade."""
        return frozenset(cell for pair in self.barricades for cell in pair)

    def to_json(self) -> dict[str, Any]:
        """The position as plain JSON (an escaped or missing character has ``"hex": null``)."""
        informant = {"hex": self.informant}
        if self.informant_side is not None:
            informant["side"] = self.informant_side
        return {
            "game": ID,
            "edition": self.edition,
            "turn": self.turn,
            "characters": discs_json(CHARACTERS, self.hexes, self.sides),
            "tiles": dict(self.tiles),
            "barricades": [list(pair) for pair in self.barricades],
            "steamboats": list(self.steamboats),
            INFORMANT: informant,
            "witness_card": self.witness_card,
            **cards_json(self.available, self.played),
        }

    def notation(self) -> str:
        """The position on one line; see the module's words."""
        return " ".join(
            (
                self.edition,
                str(self.turn),
                self.witness_card,
                discs_text(CHARACTERS, self.hexes, self.sides),
                joined(f"{spot}:{label}" for spot, label in self.tiles),
                joined(PAIR.join(pair) for pair in self.barricades),
                joined(self.steamboats),
                f"{self.informant or '-'}:{self.informant_side or '?'}",
                cards_text(self.available, self.played),
            )
        )

    def __str__(self) -> str:
        return self.notation()


def json_of(notation: str) -> dict[str, Any]:
    """The JSON a line of notation stands for, unchecked. Raises ValueError when the line has no such shape."""
    edition, turn, card, characters, tiles, barricades, boats, informant, cards = fields_of(notation, 9)
    laid: dict[str, str] = {}
    for item in items(tiles):
        spot, _, label = item.partition(":")
        if spot in laid:
            raise ValueError(f"tile {spot} is there twice")
        laid[spot] = label
    spot, colon, side = informant.partition(":")
    if not colon:
        raise ValueError(f"informant {informant!r} is not HEX:SIDE")
    told: dict[str, str | None] = {"hex": None if spot == "-" else spot}
    if side != "?":
        told["side"] = side
    return {
        "game": ID,
        "edition": edition,
        "turn": number(turn),
        "witness_card": card,
        "characters": discs_of(characters),
        "tiles": laid,
        "barricades": [item.split(PAIR) for item in items(barricades)],
        "steamboats": items(boats),
        INFORMANT: told,
        **cards_of(cards),
    }
