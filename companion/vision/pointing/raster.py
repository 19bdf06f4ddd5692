"""A small picture laid flat over the board in millimetres, and what lies over the board in it: not its print, nor its shade.

A shadow multiplies the light: colours keep their proportions. What lies over the board brings colours of its own, is brighter,
or far darker. What has the colours of the board and is a little darker is taken for shade: a grey glove on a grey board is not
seen, and points at nothing.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.vision.camera import Registration
from companion.vision.frame import Image, Mask

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class RasterSettings:
    """Tunables.

    step_mm
        1..2 mm of the board that one point of the raster stands for: a finger is 12 to 20 mm wide.
    margin_mm
        30..45 mm around the board that belong to it: hands come in there. At most what the motion gate watches.
    border_mm
        4..8 mm within the board's edge where a hand is said to reach in from beside it.
    grey, colour
        8..14 and 6..10 levels of grey, and of red or blue less grey, that are a change.
    darkest
        0.3..0.5 of the light that a shadow leaves at least: less is something dark.
    """

    step_mm: float = 1.5
    margin_mm: float = 40.0
    border_mm: float = 6.0
    grey: float = 11.0
    colour: float = 7.0
    darkest: float = 0.42


class BoardRaster:
    """Small pictures (as :meth:`MotionGate.fine` makes them: grey, redder, bluer) laid flat over the board.

    ``origin_mm``: board mm of the middle of the first point; points follow each other ``step_mm`` apart. ``seen``: those within
    the picture; ``inner``: those of the board among them, its
    border and the picture's apart.
    """

    def __init__(
        self, registration: Registration, board: Board, box: tuple[int, int, int, int], factor: int, settings: RasterSettings
    ) -> None:
        """``box``: the part of the picture (left, top, right, bottom) that small pictures show, ``factor`` pixels of it in one
        of theirs."""
        self.settings, self.step_mm = settings, settings.step_mm
        margin, step = settings.margin_mm, settings.step_mm
        columns, rows = (int((side + 2 * margin) / step) + 1 for side in board.size_mm)
        self.origin_mm = (-margin, -margin)
        # A few points are projected and the others between them: a lens bends little over 12 mm.
        coarse = 8
        x, y = np.meshgrid(np.arange(0, columns + coarse, coarse), np.arange(0, rows + coarse, coarse))
        mm = np.column_stack([x.ravel(), y.ravel()]) * step - margin
        pixels = registration.project(mm).reshape(*x.shape, 2)
        left, top, right, bottom = box
        thumb = ((pixels - (left, top) + 0.5) / factor - 0.5).astype(np.float32)
        down, across = np.mgrid[0:rows, 0:columns].astype(np.float32) / coarse
        self._x, self._y = (cv2.remap(thumb[..., axis], across, down, cv2.INTER_LINEAR) for axis in (0, 1))
        width, height = (right - left) / factor, (bottom - top) / factor
        self.seen: Mask = np.asarray((self._x >= 0) & (self._y >= 0) & (self._x <= width - 1) & (self._y <= height - 1))
        self.registration = registration
        within = np.zeros(self.seen.shape, np.uint8)
        edge = round((margin + settings.border_mm) / step)
        within[edge : rows - edge, edge : columns - edge] = 1
        kept = cv2.erode(self.seen.astype(np.uint8), np.ones((5, 5), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        self.inner: Mask = np.asarray((np.asarray(kept) > 0) & (within > 0))

    def flat(self, thumb: Image) -> Image:
        """A small picture over the board: rows × columns × 3."""
        laid = cv2.remap(thumb, self._x, self._y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(laid, np.uint8)

    def over_board(self, before: Image, now: Image) -> tuple[Mask, Mask]:
        """What lies over the board now and did not before, and that with its shade; pictures as :meth:`flat` makes them."""
        own, sample = self.settings, self.seen[::4, ::4]
        over, changed = np.zeros(self.seen.shape, np.bool_), np.zeros(self.seen.shape, np.bool_)
        if not sample.any():
            return over, changed
        few, many = before[::4, ::4][sample].astype(np.float32), now[::4, ::4][sample].astype(np.float32)
        gain = float(np.median((many[:, 0] + 4) / (few[:, 0] + 4)))
        tint = np.median(many[:, 1:] - few[:, 1:], axis=0).astype(np.float32)  # another white balance
        was = before.astype(np.float32)
        was[..., 0] = np.minimum(was[..., 0] * gain, 255)
        was[..., 1:] += tint
        off = np.abs(now - was)
        changed = (off[..., 0] > own.grey) | (off[..., 1:].max(axis=2) > own.colour)
        changed &= self.seen
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if len(rows):
            box = (slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1))
            over[box] = changed[box] & ~self._shaded(was[box], now[box].astype(np.float32))
        return over, changed

    def _shaded(self, was: Floats, is_now: Floats) -> Mask:
        """Where no more than light was lost: the colours in proportion, and not too dark."""
        own = self.settings
        was, is_now = (np.asarray(cv2.blur(one, (3, 3)), np.float32) for one in (was, is_now))
        ratio = (is_now[..., 0] + 4) / (was[..., 0] + 4)
        off = np.abs((is_now[..., 1:] - 128) - ratio[..., None] * (was[..., 1:] - 128)).max(axis=2)
        return np.asarray((ratio < 1) & (ratio > own.darkest) & (off <= own.colour))
