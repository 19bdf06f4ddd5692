"""A view of the mat, what covers it, and the cards cut out of it."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.boards import Point
from companion.vision.cards.view import CELL, HEIGHT, WIDTH, CardPose, Floats, MatGrid, cells
from companion.vision.frame import Mask

_OPEN = 0.6
"""The share of a cell that must be in sight for it to be asked whether it is as taught."""


@dataclass(frozen=True, eq=False)
class Sight:
    """What cards of ``size_mm`` (width and height) are asked of: a ``view`` (Lab) by a ``grid``, and the pixels of it that
    something else covers (``hidden``)."""

    grid: MatGrid
    view: Floats
    size_mm: Point
    hidden: Mask | None = None

    def cut(self, pose: CardPose) -> Floats:
        """The canonical picture of a card."""
        return self.grid.cut(self.view, pose, self.size_mm)

    def in_sight(self, pose: CardPose, side: int) -> Floats:
        """The share of each cell (``side`` canonical pixels) of a card that nothing covers."""
        if self.hidden is None:
            return _all_in_sight(side)
        matrix = self.grid.to_view(pose, self.size_mm)
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        cut = cv2.warpAffine(self.hidden.astype(np.uint8), matrix, (WIDTH, HEIGHT), flags=flags, borderValue=1)
        return 1 - cells(np.asarray(cut, np.float32)[..., None], side)[..., 0]

    def open_cells(self, pose: CardPose) -> Mask:
        """The cells (CELL canonical pixels) of a card of which enough is in sight."""
        return np.asarray(self.in_sight(pose, CELL) > _OPEN, np.bool_)


@cache
def _all_in_sight(side: int) -> Floats:
    """The shares of cells of a card that lies open."""
    found = np.ones((HEIGHT // side, WIDTH // side), np.float32)
    found.setflags(write=False)
    return found
