"""What the camera claims: :class:`Reading`, the one data class that every reader returns and everything else takes.

A reading knows pieces and places, never rules, and holds no pixels. ``unknown`` is a value: a subject named there is
not claimed at all. Subjects are a piece id where the piece is what counts (``"holmes"``, ``"turn"``) and
``"<singular>:<place>"`` where the place is (``"gaslight:f5"``, ``"cover:c2"``, ``"cordon:NE"``, ``"barricade:E4+F3"``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from companion.boards import PAIR, Board, Group, PieceSet

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sighting:
    """One piece claimed at one place. ``confidence`` is the calibrated probability that the whole claim is true.

    ``at_mm`` is its middle, ``along_mm`` the way the longer side of a piece over two cells runs, where they were measured.
    """

    piece: str
    place: str
    face: str | None = None
    facing: str | None = None
    confidence: float = 1.0
    at_mm: tuple[float, float] | None = None
    along_mm: tuple[float, float] | None = None


@dataclass(frozen=True)
class Reading:
    """What one settled look at the table claims. ``captured_at`` is in seconds of the source's clock.

    ``lying``: by piece, where an unknown one lies for all that; only its side, or the way it looks, cannot be told.
    """

    sightings: tuple[Sighting, ...] = ()
    unknown: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    settled: bool = True
    captured_at: float = 0.0
    source: str = ""
    lying: Mapping[str, str] = field(default_factory=dict)

    def of(self, piece: str) -> Sighting | None:
        """The sighting of one piece, if there is one."""
        return next((sighting for sighting in self.sightings if sighting.piece == piece), None)

    def state(self, board: Board, pieces: PieceSet) -> Json:
        """The claimed part of a position in the position's own JSON keys; what is unknown is left out."""
        state: Json = {}
        for group in pieces.groups.values():
            mine = [s for s in self.sightings if pieces.pieces[s.piece].group == group.key]
            state[group.key] = _LAYOUTS[group.layout](mine, group, board, pieces)
        return state


def named_by_piece(group: Group) -> bool:
    """Whether a claim or a doubt about this kind of piece goes by the piece's name rather than by the place."""
    return group.layout in ("by-piece", "value", "lone")


def covers(place: str, spot: str) -> bool:
    """Whether a piece lying at ``place`` (one cell, or two joined) lies on ``spot``."""
    return place == spot or spot in place.split(PAIR)


def subject(piece_or_place: str, group: Group) -> str:
    """The name by which a doubt about this piece (or this place, for groups read by place) goes into ``unknown``."""
    return piece_or_place if named_by_piece(group) else f"{group.singular}:{piece_or_place}"


def _by_piece(mine: list[Sighting], group: Group, board: Board, pieces: PieceSet) -> Json:
    order = list(pieces.pieces)
    found: Json = {}
    for sighting in sorted(mine, key=lambda s: order.index(s.piece)):
        entry = {"hex": sighting.place}
        if sighting.face is not None:
            entry["side"] = sighting.face
        if sighting.facing is not None:
            entry["facing"] = sighting.facing
        found[sighting.piece] = entry
    return found


def _by_place(mine: list[Sighting], group: Group, board: Board, pieces: PieceSet) -> Json:
    # A tile whose sides differ shows the side that is up; what is on its back is nobody's claim.
    return {
        s.place: s.face if s.face is not None else pieces.pieces[s.piece].label for s in sorted(mine, key=lambda s: s.place)
    }


def _places(mine: list[Sighting], group: Group, board: Board, pieces: PieceSet) -> list[str]:
    return sorted(sighting.place for sighting in mine)


def _pairs(mine: list[Sighting], group: Group, board: Board, pieces: PieceSet) -> list[list[str]]:
    return sorted(sorted(sighting.place.split(PAIR)) for sighting in mine)


def _lone(mine: list[Sighting], group: Group, board: Board, pieces: PieceSet) -> Json | None:
    if not mine:
        return None
    face = mine[0].face
    return {"hex": mine[0].place, **({"side": face} if face is not None else {})}


def _value(mine: list[Sighting], group: Group, board: Board, pieces: PieceSet) -> int | None:
    return board.places[mine[0].place].value if mine else None


_LAYOUTS = MappingProxyType(
    {"by-piece": _by_piece, "by-place": _by_place, "places": _places, "value": _value, "pairs": _pairs, "lone": _lone}
)
