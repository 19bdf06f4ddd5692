"""What the camera claims: :class:`Reading`, the one data class that every reader returns and everything else takes.

A reading knows pieces and places, never rules, and holds no pixels. ``unknown`` is a value: a subject named there is
not claimed at all. Subjects are a piece id where the piece is what counts (``"anna"``, ``"turn"``) and
``"<singular>:<place>"`` where the place is (``"tile:f5"``, ``"cover:c2"``, ``"strip:NE"``, ``"fence:E4+F3"``).

Of a zone of cards a reading claims what shows there, in order. A card that shows in no zone is claimed to show in none, and no
more than that: it may lie under another, or in a hand. Subjects are a card where it is seen and its place cannot be told, and
``"card:row"`` where something may lie in the zone that cannot be read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import hypot
from typing import Any

from companion.boards import PAIR, Board, Group, PieceSet, Placement, Point, Zone
from companion.boards.placement import encode

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sighting:
    """One piece claimed at one place. ``confidence`` is the calibrated probability that the whole claim is true.

    ``at_mm`` is its middle at its foot, ``along_mm`` the way the longer side of a piece over two cells runs, where they were
    measured. ``among``: the pieces that the face seen is shared by, an unreadable back say; ``piece`` only stands for one of
    them then, and which it is is not claimed. ``rank``: how many pieces lie before it in its zone, where that has an order.
    """

    piece: str
    place: str
    face: str | None = None
    facing: str | None = None
    confidence: float = 1.0
    at_mm: tuple[float, float] | None = None
    along_mm: tuple[float, float] | None = None
    among: tuple[str, ...] = ()
    rank: int | None = None


@dataclass(frozen=True)
class Reading:
    """What one settled look at the table claims. ``captured_at`` is in seconds of the source's clock.

    ``lying``: by piece, where an unknown one lies for all that; only its side, or the way it faces, cannot be told.
    ``facings``: of those of which it is the side alone, which way they face. ``again``: zones in which a hand was, and in which
    nothing was seen to change since: a card may have been laid upon one that shows the same, or nothing. ``burnt``: where
    something is unknown, the sites that the light has burnt out, so that nobody could tell what lies there.
    """

    sightings: tuple[Sighting, ...] = ()
    unknown: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    settled: bool = True
    captured_at: float = 0.0
    source: str = ""
    lying: Mapping[str, str] = field(default_factory=dict)
    facings: Mapping[str, str] = field(default_factory=dict)
    again: tuple[str, ...] = ()
    burnt: tuple[str, ...] = ()

    def of(self, piece: str) -> Sighting | None:
        """The sighting of one piece, if there is one."""
        return next((sighting for sighting in self.sightings if sighting.piece == piece), None)

    def placements(self, board: Board, pieces: PieceSet) -> tuple[Placement, ...]:
        """The claimed pieces, in the order of the piece set; of a zone that has an order with their ranks in it."""
        order = {piece: number for number, piece in enumerate(pieces.pieces)}

        def placed(s: Sighting) -> Placement:
            among = s.among or (pieces.sharing(s.piece, s.face) if pieces.group_of(s.piece).by_face else ())
            return Placement(None if among else s.piece, s.place, s.face, s.facing, among, s.rank)

        return tuple(placed(s) for s in sorted(ranked(self.sightings, board), key=lambda s: order[s.piece]))

    def state(self, board: Board, pieces: PieceSet) -> Json:
        """The claimed part of a position in the position's own JSON keys; what is unknown is left out."""
        return encode(self.placements(board, pieces), board, pieces)


def ranked(sightings: Iterable[Sighting], board: Board) -> tuple[Sighting, ...]:
    """The same sightings, those in a zone that has an order with their ranks along its direction; where it was not measured
    where one lies in it, the rank it has."""
    found = tuple(sightings)
    ranks: dict[str, int] = {}
    for zone in board.zones.values():
        if zone.order is not None:
            mine = sorted(
                ((along_mm(zone, s.at_mm), s.piece) for s in found if s.place == zone.id and s.at_mm is not None),
                key=lambda entry: entry[0],
            )
            ranks |= {piece: rank for rank, (_, piece) in enumerate(mine)}
    return tuple(replace(s, rank=ranks[s.piece]) if ranks.get(s.piece, s.rank) != s.rank else s for s in found)


def along_mm(zone: Zone, mm: Point) -> float:
    """How far (mm) along a zone's direction a point lies."""
    (dx, dy), (x, y) = zone.along, mm
    return (x * dx + y * dy) / hypot(dx, dy)


def named_by_piece(group: Group) -> bool:
    """Whether a claim or a doubt about this kind of piece goes by the piece's name rather than by the place."""
    return group.layout in ("by-piece", "value", "lone", "by-zone")


def covers(place: str, spot: str) -> bool:
    """Whether a piece lying at ``place`` (one cell, or two joined) lies on ``spot``."""
    return place == spot or spot in place.split(PAIR)


def subject(piece_or_place: str, group: Group) -> str:
    """The name by which a doubt about this piece (or this place, for groups read by place) goes into ``unknown``."""
    return piece_or_place if named_by_piece(group) else about_place(piece_or_place, group)


def about_place(place: str, group: Group) -> str:
    """The name of a doubt about what lies at a place, or in a zone."""
    return f"{group.singular}:{place}"
