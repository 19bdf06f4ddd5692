"""A position: immutable, one line of notation, plain JSON. Reading positions from either is in :mod:`.validation`,
what every game's position has in :mod:`companion.games.mr_jack.public_state`.

Notation, eight fields with one blank between them (``-`` nothing, ``?`` unknown)::

    first-2006 1 seen holmes:g5,watson:a3>NE,… b2:1,c7:3,f5:* c2,l12 NE,SW holmes,bert/-
    edition turn card characters                gaslights     covers cordons available/played

``*`` is a lamp tile without a number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.games.mr_jack.public_state import PublicState
from companion.games.mr_jack_london.names import BLANK, CHARACTERS, ID, INDEX, WATSON
from companion.games.notation import items, joined, number

Label = int | str


@dataclass(frozen=True, slots=True)
class Position(PublicState):
    """The whole public state of a game: where the lantern points, ``gaslights`` (hex, label), ``covers``, ``cordons``.

    The last three are sorted.
    """

    facing: str | None
    gaslights: tuple[tuple[str, Label], ...]
    covers: tuple[str, ...]
    cordons: tuple[str, ...]

    game: ClassVar[str] = ID
    characters: ClassVar[tuple[str, ...]] = CHARACTERS
    index: ClassVar[Mapping[str, int]] = INDEX
    piece_keys: ClassVar[tuple[str, ...]] = ("gaslights", "covers", "cordons")

    @property
    def facings(self) -> Mapping[str, str | None]:
        """Where the lantern points."""
        return {WATSON: self.facing}

    def pieces_json(self) -> dict[str, Any]:
        """Gaslights, covers and cordons as JSON."""
        return {"gaslights": dict(self.gaslights), "covers": list(self.covers), "cordons": list(self.cordons)}

    def pieces_text(self) -> tuple[str, ...]:
        """Gaslights, covers and cordons as fields of the line."""
        lamps = [f"{spot}:{'*' if label == BLANK else label}" for spot, label in self.gaslights]
        return joined(lamps), joined(self.covers), joined(self.cordons)

    @staticmethod
    def pieces_of(fields: Sequence[str]) -> dict[str, Any]:
        """The JSON of gaslights, covers and cordons from their fields, unchecked. Raises ValueError."""
        lamps, covers, cordons = fields
        gaslights: dict[str, Label] = {}
        for item in items(lamps):
            spot, _, label = item.partition(":")
            if spot in gaslights:
                raise ValueError(f"gaslight {spot} is there twice")
            gaslights[spot] = BLANK if label == "*" else number(label)
        return {"gaslights": gaslights, "covers": items(covers), "cordons": items(cordons)}
