"""The patches of every cell at the flat pieces' height, computed lazily: reading a region needs few of them."""

from collections.abc import Mapping, Sequence

import numpy as np

from companion.boards import Board
from companion.vision.plain.exemplars import TILE_PATCH_MM
from companion.vision.plain.memory import Findings
from companion.vision.plain.prepared_image import Patches, PreparedImage
from companion.vision.plain.surface import Floats, about_middle


class CellPatches:
    """What lies at every cell: patches ``seen`` now, the ``bare`` print there (H×W×3 each), how far they differ (``change``,
    H×W), the samples' board millimetres ``mm`` (H×W×2). By cell: how much its ``middle`` changed, and whether its patch lies
    ``inside`` the picture; these are what ``findings`` say where they say anything."""

    def __init__(self, prepared: PreparedImage, board: Board, height_mm: float, middle_px: float, findings: Findings) -> None:
        self.cells = tuple(sorted(board.cells))
        self._number = {cell: number for number, cell in enumerate(self.cells)}
        self._scene, self._height_mm = prepared, height_mm
        self._centres = [board.mm(cell) for cell in self.cells]
        self._grid = prepared.grid(self._centres, TILE_PATCH_MM, height_mm)
        self._made: dict[str, tuple[Patches, int]] = {}
        fresh = [cell for cell in self.cells if not findings.knows(cell, "middle")]
        if fresh:
            patches = self._take(fresh)
            middle = about_middle(patches.change.shape[1], middle_px)
            for row, cell in enumerate(fresh):
                findings.keep(cell, "middle", float(patches.change[row][middle].mean()))
                findings.keep(cell, "inside", bool(patches.inside[row]))
        self.middle: Mapping[str, float] = {cell: findings.of(cell, "middle") for cell in self.cells}
        self.inside: Mapping[str, bool] = {cell: findings.of(cell, "inside") for cell in self.cells}

    def seen(self, cell: str) -> Floats:
        """What a cell shows now."""
        patches, row = self._row(cell)
        return np.asarray(patches.seen[row], np.float32)

    def bare(self, cell: str) -> Floats:
        """The bare print there."""
        patches, row = self._row(cell)
        return np.asarray(patches.bare[row], np.float32)

    def change(self, cell: str) -> Floats:
        """How far they differ."""
        patches, row = self._row(cell)
        return np.asarray(patches.change[row], np.float32)

    def mm(self, cell: str) -> Floats:
        """Where the samples lie."""
        return np.asarray(self._grid.mm[self._number[cell]], np.float32)

    def _take(self, cells: Sequence[str]) -> Patches:
        only = None if len(cells) == len(self.cells) else [self._number[cell] for cell in cells]
        patches = self._scene.patches(self._centres, TILE_PATCH_MM, self._height_mm, only)
        self._made |= {cell: (patches, row) for row, cell in enumerate(cells)}
        return patches

    def _row(self, cell: str) -> tuple[Patches, int]:
        if cell not in self._made:
            self._take([cell])
        return self._made[cell]
