"""One picture while it is read: what was told explains its pixels, what nothing explains makes sites doubtful."""

from collections import Counter

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.pawns.sites import Indices, Lying, Sites, Standing
from companion.vision.pawns.view import BoardView

_NEAR_MM, _ABOUT_MM, _SURROUNDED = 1.0, 3.0, 0.35
"""From how near to how far (mm) about a piece, and the share of that which may be odd before the piece is a part of it."""
_RIM_MM = 0.4
"""How far (mm) about a piece its edge may still show."""


class Canvas:
    """What of a picture is explained. ``depth`` (flat): how far in front what explains a pixel stands, 0 for what lies, -1 for
    bare print; ``value``: the log density of a pixel under what explains it (the view's own array, taken over)."""

    def __init__(self, sites: Sites, view: BoardView) -> None:
        self.sites, self.view, self.settings = sites, view, sites.settings
        self.foreground = view.foreground.reshape(-1)
        self.inside = view.inside.reshape(-1)
        self.width = view.grid.size[0]
        self.depth = np.full(self.inside.size, -1.0, np.float32)
        self.value = view.print_nats.reshape(-1)
        self.counts: Counter[str] = Counter()
        self.refused: list[tuple[Standing | Lying, str]] = []

    def refuse(self, one: Standing | Lying, why: str) -> None:
        """Tell nothing of a piece that seems to be there."""
        self.refused.append((one, why))

    def moved(self, own: Indices, dx: int, dy: int) -> Indices:
        """An outline so many pixels aside, held within the picture."""
        return np.clip(own + (dy * self.width + dx), 0, self.depth.size - 1)

    def rimmed(self, own: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """A mask (flat) and what lies so near to it that an edge may show there."""
        side = 2 * round(_RIM_MM * self.sites.grid.scale) + 1
        mask = own.reshape(self.view.grid.size[::-1]).astype(np.uint8)
        return np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)).reshape(-1), np.bool_)

    def is_part(self, own: Indices) -> bool:
        """Whether an outline is a part of something larger, of a hand say: closely about it lies what nothing explains."""
        return self._odd_about(own, self.foreground & (self.depth < 0)) >= _SURROUNDED

    def _odd_about(self, own: Indices, odd: NDArray[np.bool_]) -> float:
        """The share of what lies closely about an outline that nothing explains."""
        rows, columns = own // self.width, own % self.width
        room = round(_ABOUT_MM * self.sites.grid.scale) + 1
        low, high = max(0, int(rows.min()) - room), int(rows.max()) + room + 1
        left, right = max(0, int(columns.min()) - room), min(self.width, int(columns.max()) + room + 1)
        mask = np.zeros((high - low, right - left), np.uint8)
        mask[rows - low, columns - left] = 1
        sides = (2 * round(mm * self.sites.grid.scale) + 1 for mm in (_ABOUT_MM, _NEAR_MM))
        wide, near = (cv2.dilate(mask, np.ones((side, side), np.uint8)) for side in sides)
        part = odd.reshape(-1, self.width)[low:high, left:right]
        band = (wide - near)[: part.shape[0]].astype(np.bool_)
        return float(part[band].mean()) if band.any() else 0.0
