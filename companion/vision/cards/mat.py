"""Which pixels of a mat seen from above are which zone, and where a card may lie at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.boards import Board, FrameMarker, Point, Zone
from companion.vision.cards.view import CardPose, MatGrid
from companion.vision.frame import Mask

MARGIN_MM = 30.0
"""How far beside the mat is seen: cards of its outer zones hang over its edge."""
_HANGS_OVER_MM = 12.0
"""How far a card that lies in a zone may hang over its edge and still be seen whole."""


@dataclass(frozen=True, eq=False)
class MatAreas:
    """The pixels of a view: the whole ``mat``, by zone what lies within its outline (``within``), and ``everywhere`` that a
    card may lie: in ``zones`` and about them, on no sticker, in no masked zone; ``beyond``: what lies so far beside the mat
    that no card of its zones hangs over."""

    grid: MatGrid
    zones: tuple[Zone, ...]
    mat: Mask
    within: Mapping[str, Mask]
    everywhere: Mask
    beyond: Mask

    @classmethod
    def of(cls, grid: MatGrid, board: Board, zones: tuple[Zone, ...], stickers: Sequence[FrameMarker]) -> "MatAreas":
        """The areas of a board whose cards in ``zones`` are read; ``stickers``: those of its frame."""
        mat = grid.mat(board.size_mm)
        everywhere = np.zeros(mat.shape, np.bool_)
        for zone in zones:
            everywhere |= grid.polygon(_wider(zone, _HANGS_OVER_MM))
        everywhere &= mat
        masked = (zone.outline_mm for zone in board.zones.values() if zone.masked)
        for outline in (*masked, *map(_square, stickers)):
            everywhere &= ~grid.polygon(outline)
        (width, height), over = board.size_mm, _HANGS_OVER_MM
        beyond = ~grid.polygon([(-over, -over), (width + over, -over), (width + over, height + over), (-over, height + over)])
        return cls(grid, zones, mat, {zone.id: grid.polygon(zone.outline_mm) for zone in zones}, everywhere, beyond)

    def zone_at(self, pose: CardPose) -> Zone | None:
        """The zone in which a card lies, by its middle."""
        inside = [(zone.inside_mm((pose.x, pose.y)), zone.id, zone) for zone in self.zones]
        best = max(inside, default=None, key=lambda entry: entry[0])
        return best[2] if best is not None and best[0] > 0 else None


def _square(sticker: FrameMarker) -> list[Point]:
    """The outline of a frame sticker with its white border."""
    (x, y), half = sticker.centre_mm, sticker.side_mm / 2 + sticker.quiet_mm + 1.0
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _wider(zone: Zone, by_mm: float) -> list[Point]:
    """A zone's outline moved outwards from its middle."""
    x, y = zone.middle
    return [(a + by_mm * (1 if a > x else -1), b + by_mm * (1 if b > y else -1)) for a, b in zone.outline_mm]
