"""The patches of every cell at the flat pieces' height, computed lazily: reading a region needs few of them."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import numpy as np

from companion.boards import Board
from companion.vision.plain.exemplars import TILE_PATCH_MM
from companion.vision.plain.memory import Findings
from companion.vision.plain.prepared_image import Patches, PreparedImage
from companion.vision.plain.surface import Floats

Part = TypeVar("Part")


class LazyByCell(Generic[Part]):
    """One value of every cell, by the cell's number, computed on first access."""

    def __init__(self, make: Callable[[int], Part]) -> None:
        self._make = make

    def __getitem__(self, index: int) -> Part:
        return self._make(index)


class CellPatches:
    """What lies at every cell, by the cell's number in ``cells``: patches ``seen`` now, the ``bare`` print there (H×W×3 each),
    how far they differ (``change``, H×W), the samples' board millimetres ``mm`` (H×W×2). By cell: how much its ``middle``
    changed, and whether its patch lies ``inside`` the picture; these are what ``findings`` say where they say anything."""

    def __init__(self, prepared: PreparedImage, board: Board, height_mm: float, middle_px: float, findings: Findings) -> None:
        self.cells: Mapping[str, int] = {cell: index for index, cell in enumerate(sorted(board.cells))}
        self._scene, self._height_mm = prepared, height_mm
        self._centres = [board.mm(cell) for cell in self.cells]
        self._grid = prepared.grid(self._centres, TILE_PATCH_MM, height_mm)
        self._made: dict[int, tuple[Patches, int]] = {}
        self.seen = LazyByCell(lambda index: self._patch(index, "seen"))
        self.bare = LazyByCell(lambda index: self._patch(index, "bare"))
        self.change = LazyByCell(lambda index: self._patch(index, "change"))
        self.mm = LazyByCell(self._millimetres)
        fresh = [cell for cell in self.cells if not findings.knows(cell, "middle")]
        if fresh:
            patches = self._take([self.cells[cell] for cell in fresh])
            side = patches.change.shape[1]
            ys, xs = np.mgrid[0:side, 0:side] - (side - 1) / 2
            middle = np.hypot(xs, ys) <= middle_px
            for row, cell in enumerate(fresh):
                findings.keep(cell, "middle", float(patches.change[row][middle].mean()))
                findings.keep(cell, "inside", bool(patches.inside[row]))
        self.middle: Mapping[str, float] = {cell: findings.of(cell, "middle") for cell in self.cells}
        self.inside: Mapping[str, bool] = {cell: findings.of(cell, "inside") for cell in self.cells}

    def _take(self, indices: list[int]) -> Patches:
        only = None if len(indices) == len(self.cells) else indices
        patches = self._scene.patches(self._centres, TILE_PATCH_MM, self._height_mm, only)
        self._made |= {index: (patches, row) for row, index in enumerate(indices)}
        return patches

    def _row(self, index: int) -> tuple[Patches, int]:
        if index not in self._made:
            self._take([index])
        return self._made[index]

    def _patch(self, index: int, name: str) -> Floats:
        patches, row = self._row(index)
        values: Floats = getattr(patches, name)[row]
        return values

    def _millimetres(self, index: int) -> Floats:
        return np.asarray(self._grid.mm[index], np.float32)
