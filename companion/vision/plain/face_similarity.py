"""How like a taught face a disc's drawing is, sample by sample and at every turn.

The portrait network looks at a few likely turns, and knows little of thin lines on white: two second sides of about one colour
are told apart by their drawing alone.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, Bytes
from companion.vision.plain.surface import Floats, Points

WITHIN = 0.7
"""0.65..0.8 of a disc's radius: what lies farther out is rim."""
TURNS = 72
SHIFTS = 2
"""1..3 samples by which a disc may lie off where it was found."""
OFF = 6
"""4..7 samples (0.75 mm) by which a disc's paper may lie off the middle of its crop. One that lay 3.4 mm off was like its own
drawing 0.36 about the crop's middle and 0.96 about the paper's."""
RIMS = (0.72, 0.77, 0.82, 0.87, 0.92)
"""Shares of a disc's radius at which its paper may end."""
SPREAD = 0.5
"""0.3..1: what it counts against a circle that it is not of one contrast all around."""
FALL_OFF = 5.0
"""3..6 samples over which the light on a disc, and its paper, is taken as even."""
FAINTEST = 0.1
"""Length of a drawing (samples together) that no picture is fainter than."""
DARK = 8.0
"""4..16 grey levels, below which drawing is grain."""


class FaceSimilarity:
    """Compares discs with the taught faces of one copy."""

    def __init__(self, faces: Sequence[Bytes], radius_mm: float) -> None:
        """``faces``: crops (``stacks.DISC_SIDE`` samples wide, about the disc's middle)."""
        step = DISC_MM / DISC_SIDE
        self._places = np.array([(x, y) for x in range(-OFF, OFF + 1) for y in range(-OFF, OFF + 1)], np.float32)
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        around = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        self._inner, self._outer = (
            Points.at(
                self._places[:, None, None]
                + (DISC_SIDE - 1) / 2
                + (np.array(RIMS) * radius_mm / step + beside)[:, None, None] * around
            )
            for beside in (-1.5, 1.5)
        )
        ys, xs = np.mgrid[0:DISC_SIDE, 0:DISC_SIDE] - (DISC_SIDE - 1) / 2
        self._disc = (np.hypot(xs, ys) * step <= WITHIN * radius_mm).astype(np.float32)
        rows, columns = np.nonzero(self._disc)
        shifts = [(y, x) for y in range(-SHIFTS, SHIFTS + 1) for x in range(-SHIFTS, SHIFTS + 1)]
        self._at = np.array([(rows + y) * DISC_SIDE + columns + x for y, x in shifts])
        # What lies about a sample is round: it is enough to turn what is left.
        x, y = (one[None] - (DISC_SIDE - 1) / 2 for one in (columns, rows))
        turns = np.linspace(0, 2 * np.pi, TURNS, endpoint=False)[:, None]
        c, s = np.cos(turns), np.sin(turns)
        points = Points.at(np.stack([c * x + s * y, c * y - s * x], axis=-1) + (DISC_SIDE - 1) / 2)
        self._faces = _normed(np.concatenate([np.asarray(points.of(self._drawing(face)), np.float32) for face in faces]))

    def of(self, seen: Bytes) -> NDArray[np.float64]:
        """Correlation (F, -1..1) of a disc's crop with every taught face, at the turn and place at which that fits best."""
        here = _normed(self._drawing(seen).reshape(-1)[self._at])
        fits = (self._faces @ here.T).reshape(-1, TURNS, len(here))
        return np.asarray(fits.max(axis=(1, 2)), np.float64)

    def _drawing(self, picture: Bytes) -> Floats:
        """What is drawn on a disc, about its paper's middle: logarithms of grey levels against what lies about each sample, on
        the disc alone."""
        x, y = self._middle(picture)
        there = np.array([[1, 0, -x], [0, 1, -y]], np.float32)
        centred = cv2.warpAffine(picture, there, (DISC_SIDE, DISC_SIDE), borderMode=cv2.BORDER_REPLICATE)
        grey = np.log(cv2.cvtColor(centred, cv2.COLOR_BGR2GRAY).astype(np.float32) + DARK)
        about, share = (cv2.GaussianBlur(one, (0, 0), FALL_OFF) for one in (grey * self._disc, self._disc))
        return np.asarray((grey - about / np.maximum(share, 1e-3)) * self._disc, np.float32)

    def _middle(self, picture: Bytes) -> tuple[float, float]:
        """Where the paper lies (samples from the crop's middle): within the circle that parts two colours best all around."""
        light = np.log(picture.astype(np.float32) + DARK)
        contrast = self._inner.of(light) - self._outer.of(light)  # places, rims, angles, colours
        clear = np.linalg.norm(contrast.mean(axis=2), axis=-1) - SPREAD * np.linalg.norm(contrast.std(axis=2), axis=-1)
        x, y = self._places[int(clear.max(axis=1).argmax())]
        return float(x), float(y)


def _normed(rows: Floats) -> Floats:
    """Rows (N×S) without their means, of length 1; shorter where there is next to nothing."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), FAINTEST), np.float32)
