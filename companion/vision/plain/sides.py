"""Flat pieces of which a place's own looks must tell the side, that cover two cells, or of which there is one alone.

One tile has the same back as another, so no counting helps to name a side; and a side that was never shown cannot be named at
all: it is unknown then, and the sentence says so. What lies on top is told first, for it hides what lies below: discs
(told before), strips over two cells, the lone piece, then the tiles.
"""

from collections.abc import Collection, Mapping

import numpy as np

from companion.boards import Board, Group, PieceSet
from companion.vision.plain.cell_patches import CellPatches
from companion.vision.plain.claims import Claims
from companion.vision.plain.discs import Disc
from companion.vision.plain.evidence import FeatureExtractor
from companion.vision.plain.lone_judge import LoneJudge
from companion.vision.plain.memory import Findings
from companion.vision.plain.prepared_image import PreparedImage
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.side_classifier import SideClassifier
from companion.vision.plain.side_measures import Mask
from companion.vision.plain.side_table import SideTable
from companion.vision.plain.strip_judge import StripJudge
from companion.vision.plain.tile_judge import TileJudge
from companion.vision.reading import Reading


class SideJudge:
    """Claims the flat pieces with sides, over two cells, or alone of their kind, on one taught copy."""

    def __init__(self, board: Board, pieces: PieceSet, extractor: FeatureExtractor, settings: PlainSettings) -> None:
        self.board, self.pieces, self.extractor, self.settings = board, pieces, extractor, settings
        self.groups = extractor.sided_groups
        self.looks = SideClassifier(pieces, extractor, settings)
        self.strips = StripJudge(board, pieces, extractor, settings)
        self.lone = LoneJudge(board, pieces, self.looks, settings)
        self.tiles = TileJudge(board, pieces, extractor, self.looks, settings)

    @property
    def lone_alike(self) -> tuple[str, ...]:
        """The pieces alone of their kind whose taught sides look alike."""
        lone = {group.key: self.pieces.in_group(group.key)[0].id for group in self.groups if group.layout == "lone"}
        taught = self.looks.taught
        return tuple(piece for key, piece in lone.items() if key in taught and taught[key].alike)

    def judge(
        self,
        prepared: PreparedImage,
        discs: Mapping[str, Disc],
        hidden: Collection[str],
        prior: Reading | None,
        claims: Claims,
        findings: Findings | None = None,
        strange: Collection[str] = (),
    ) -> None:
        """Claim all pieces of these groups. ``discs`` are those standing on cells, recognised or not; on ``strange`` cells one
        is only presumed, for every disc was found elsewhere. ``findings`` are those of an earlier look at places that count
        as they did; what is found out now is added."""
        if not self.groups:
            return
        findings = findings if findings is not None else Findings()
        table = SideTable(prepared, self._ground(prepared, findings), discs, hidden, prior, claims, findings)
        for group in self.groups:
            if group.layout == "pairs":
                self.strips.claim(table, group)
        # What looks strange where a strip surely lies is that strip, once every disc is found elsewhere.
        standing = {cell: disc for cell, disc in discs.items() if cell not in table.sure.intersection(strange)}
        table.sure |= {sighting.place for sighting in claims.sightings}
        tiles = [group for group in self.groups if group.layout == "by-place"]
        for group in tiles[:1]:  # every group's patches are alike: what a disc hides is the same for all
            self._cover_below(table, standing, group)
        for group in self.groups:
            if group.layout == "lone":
                self.lone.claim(table, group)
        for group in tiles:
            self.tiles.claim(table, group)
        for group in self.groups:
            if group.layout == "pairs":
                self.strips.doubt(table, group)

    def _ground(self, prepared: PreparedImage, findings: Findings) -> CellPatches:
        height = max(group.height_mm for group in self.groups)
        return CellPatches(prepared, self.board, height, self.settings.sides.middle_mm * self.settings.surface.scale, findings)

    def _cover_below(self, table: SideTable, standing: Mapping[str, Disc], group: Group) -> None:
        """Remember what the discs standing on cells hide of the patches there, and of those that they lean over."""
        for cell, disc in standing.items():
            table.cover(cell, self._under(table, cell, disc, group, cell))
            for other in self._occludes(table, cell, disc, group):
                mask = self._under(table, cell, disc, group, other)
                table.beside[other] = mask | table.beside.get(other, False)

    def _under(self, table: SideTable, cell: str, disc: Disc, group: Group, below: str) -> Mask:
        """What a disc on a cell hides of the patch of the one ``below``."""

        def make() -> Mask:
            return self.extractor.hidden(table.prepared, table.ground.mm(below), cell, disc, group)

        return table.findings.once(below, ("disc", cell, disc.offset_mm), make)

    def _occludes(self, table: SideTable, cell: str, disc: Disc, group: Group) -> list[str]:
        """The other cells of which a disc hides some: a camera that looks down askew sees it lean over them."""
        foot = np.asarray(self.board.mm(cell)) + disc.offset_mm
        parallax = table.prepared.parallax_mm([(float(foot[0]), float(foot[1]))], self.extractor.movable.height_mm)[0]
        away = np.array([self.board.mm(other) for other in table.ground.cells]) - foot
        along = np.clip(away @ parallax / max(float(parallax @ parallax), 1e-9), 0, 1)
        far = np.linalg.norm(away - along[:, None] * parallax, axis=1)
        reach = self.extractor.finder.radius_mm + min(group.size_mm) / 2
        return [other for other, mm in zip(table.ground.cells, far, strict=True) if mm < reach and other != cell]
