"""One picture whose flat pieces with sides are being judged: what is known of its cells so far, and what lies over them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from companion.vision.plain.cell_patches import CellPatches
from companion.vision.plain.claims import Claims
from companion.vision.plain.discs import Disc
from companion.vision.plain.memory import Findings
from companion.vision.plain.prepared_image import PreparedImage
from companion.vision.plain.side_measures import Mask
from companion.vision.reading import Reading

MARGIN_MM = 2.0
"""1.5..4 mm around a flat piece that are taken for hidden as well: its shadow, and what its outline may be off."""


@dataclass
class SideTable:
    """One picture being judged: what is looked at, and what was found out so far. Strips are told first, then the lone piece,
    then the tiles; each adds to what follows.

    discs
        Those standing on cells, recognised or not.
    hidden
        Cells out of sight.
    prior
        The reading before.
    masks
        What of a cell's patch (H×W) is hidden by what lies above the tiles there.
    beside
        What discs on other cells hide of a cell's patch (H×W).
    sure
        Cells where something surely stands or lies: a disc, a strip, the lone piece. What hides them is no guess.
    told
        Cells of which it is known what lies there by place: a tile, or nothing.
    plain
        Those of ``told`` that are seen whole, so that nothing else lies there.
    presumed
        Those of ``told`` where bare print is seen around what only may be a disc: that may be a strip as well.
    weak
        Groups of strips, and pairs of cells over which one of them may lie.
    settled
        Whether all strips were found.
    """

    prepared: PreparedImage
    ground: CellPatches
    discs: Mapping[str, Disc]
    hidden: Collection[str]
    prior: Reading | None
    claims: Claims
    findings: Findings
    masks: dict[str, Mask] = field(default_factory=dict)
    beside: dict[str, Mask] = field(default_factory=dict)
    sure: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)
    presumed: set[str] = field(default_factory=set)
    weak: set[tuple[str, str]] = field(default_factory=set)
    settled: bool = True

    def unseen(self, cell: str) -> bool:
        """Whether a cell is out of sight."""
        return cell in self.hidden or not self.ground.inside[cell]

    def cover(self, cell: str, mask: Mask) -> None:
        """Remember that a part of a cell's patch (H×W) is hidden."""
        self.masks[cell] = self.masks[cell] | mask if cell in self.masks else mask

    def below(
        self,
        cell: str,
        middle: tuple[float, float],
        turn: float,
        size_mm: tuple[float, float],
        margin_mm: float = MARGIN_MM,
    ) -> Mask:
        """What a flat piece, its ``middle`` at board millimetres and turned by ``turn`` (radians), hides of a cell's patch
        (H×W), with a margin."""

        def make() -> Mask:
            mm = self.ground.mm(cell) - np.asarray(middle, np.float32)
            c, s = np.cos(turn), np.sin(turn)
            along, across = mm[..., 0] * c + mm[..., 1] * s, mm[..., 1] * c - mm[..., 0] * s
            half_long, half_wide = size_mm[0] / 2 + margin_mm, size_mm[1] / 2 + margin_mm
            return np.asarray((np.abs(along) < half_long) & (np.abs(across) < half_wide), np.bool_)

        return self.findings.once(cell, ("below", middle, turn, size_mm, margin_mm), make)
