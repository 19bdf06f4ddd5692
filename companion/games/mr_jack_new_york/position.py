"""A position: immutable, one line of notation, plain JSON. Reading positions from either is in :mod:`.validation`,
what every game's position has in :mod:`companion.games.mr_jack.public_state`.

Notation, nine fields with one blank between them (``-`` nothing, ``?`` unknown)::

    first-2009 1 seen beach:E10,… B9:subway,C10:lamp E4+F3,K14+L15 E2,K16    LIBERTY:talkative beach,grant/-
    edition turn card characters  tiles              barricades    steamboats informant         available/played
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from companion.boards import PAIR
from companion.errors import quoted
from companion.games.mr_jack.public_state import PublicState
from companion.games.mr_jack_new_york.names import CHARACTERS, ID, INDEX, INFORMANT
from companion.games.notation import items, joined

Tile = tuple[str, str]
Barricade = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Position(PublicState):
    """The whole public state of a game. ``tiles`` (hex, side that is up), ``barricades`` (their two hexes) and
    ``steamboats`` are sorted. What is on the back of a park is not part of it: nobody needs to remember it.
    """

    tiles: tuple[Tile, ...]
    barricades: tuple[Barricade, ...]
    steamboats: tuple[str, ...]
    informant: str | None
    informant_side: str | None

    game: ClassVar[str] = ID
    characters: ClassVar[tuple[str, ...]] = CHARACTERS
    index: ClassVar[Mapping[str, int]] = INDEX
    piece_keys: ClassVar[tuple[str, ...]] = ("tiles", "barricades", "steamboats", INFORMANT)

    @property
    def covered(self) -> frozenset[str]:
        """Every hex under a barricade."""
        return _covered(self.barricades)

    def pieces_json(self) -> dict[str, Any]:
        """Tiles, barricades, steamboats and the informant as JSON."""
        informant = {"hex": self.informant}
        if self.informant_side is not None:
            informant["side"] = self.informant_side
        return {
            "tiles": dict(self.tiles),
            "barricades": [list(pair) for pair in self.barricades],
            "steamboats": list(self.steamboats),
            INFORMANT: informant,
        }

    def pieces_text(self) -> tuple[str, ...]:
        """Tiles, barricades, steamboats and the informant as fields of the line."""
        return (
            joined(f"{spot}:{label}" for spot, label in self.tiles),
            joined(PAIR.join(pair) for pair in self.barricades),
            joined(self.steamboats),
            f"{self.informant or '-'}:{self.informant_side or '?'}",
        )

    @staticmethod
    def pieces_of(fields: Sequence[str]) -> dict[str, Any]:
        """The JSON of tiles, barricades, steamboats and the informant from their fields, unchecked. Raises ValueError."""
        tiles, barricades, boats, informant = fields
        laid: dict[str, str] = {}
        for item in items(tiles):
            spot, _, label = item.partition(":")
            if spot in laid:
                raise ValueError(f"tile {spot} is there twice")
            laid[spot] = label
        spot, colon, side = informant.partition(":")
        if not colon:
            raise ValueError(f"informant {quoted(informant)} is not HEX:SIDE")
        told: dict[str, str | None] = {"hex": None if spot == "-" else spot}
        if side != "?":
            told["side"] = side
        return {
            "tiles": laid,
            "barricades": [item.split(PAIR) for item in items(barricades)],
            "steamboats": items(boats),
            INFORMANT: told,
        }


@lru_cache(maxsize=1024)
def _covered(barricades: tuple[Barricade, ...]) -> frozenset[str]:
    return frozenset(cell for pair in barricades for cell in pair)
