"""The colour of the bare mat, and the light over it, which is told by it and taken out."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Point
from companion.vision.cards.view import Floats, MatGrid
from companion.vision.frame import Image, Mask

_LIGHT_ROUNDS = (0.4, 0.25, 0.15, 0.1)
"""Natural logarithms by which the ground may differ from the fit of the light, round by round."""
_LEAST_GROUND = 0.08
"""0.05..0.2: the share of the mat that must look like bare ground for the slope of the light to be told."""
_BINS = 24
"""Levels between which the colours of the ground are told apart: a lamp's slope over a mat is some 40 levels."""
_EACH = 7
"""So many view pixels to each side, of which one is asked for the light: a mat has thousands of them."""


@dataclass(frozen=True, eq=False)
class GroundLight:
    """The light over a mat beside that in which its ground was taught: natural logarithms of its strength by channel
    (``level``), and of its slope: ``fit`` (6) of 1, x, y, x², y², xy, each -1 to 1 from edge to edge of the view it was told
    by, which goes from ``low`` to ``high`` (board mm)."""

    level: NDArray[np.float32]
    fit: NDArray[np.float32]
    low: Point
    high: Point

    def taken_out(self, seen: Image, grid: MatGrid) -> Floats:
        """A view (BGR) of the mat, or of a part of it, or beside it, as it would look in the light of the lesson."""
        rows, columns = seen.shape[:2]
        (left, top), (right, bottom) = grid.mm(np.array([(0.0, 0.0), (columns - 1.0, rows - 1.0)]))
        x, y = (
            (2 * np.linspace(start, end, many, dtype=np.float32) - (first + last)) / np.float32(last - first)
            for start, end, first, last, many in zip((left, top), (right, bottom), self.low, self.high, (32, 24), strict=True)
        )
        x, y = np.meshgrid(x, y)
        fit = self.fit
        slope = np.clip(fit[1] * x + fit[2] * y + fit[3] * x * x + fit[4] * y * y + fit[5] * x * y, -0.7, 0.7)
        field = cv2.resize(np.exp(-slope - fit[0]).astype(np.float32), (columns, rows), interpolation=cv2.INTER_LINEAR)
        # As matrices, for broadcasting over three channels is slow.
        levels = cv2.merge([field * np.float32(level) for level in np.exp(-self.level)])
        return np.asarray(cv2.multiply(seen, levels, dtype=cv2.CV_32F), np.float32)


def ground_light(seen: Image, target: NDArray[np.float32], within: Mask, grid: MatGrid) -> GroundLight:
    """The light over a mat (``within`` a view, BGR) whose bare ground has the colour ``target`` in the light of the lesson: its
    strength, tint and slope (a quadratic over the view). What does not look like ground takes no part in the fit."""
    start = np.log((ground_colour(seen, within) + 2) / (target + 2))
    rows, columns = seen.shape[:2]
    inside = within[::_EACH, ::_EACH]
    ways = (np.mgrid[-1 : 1 : side * 1j].astype(np.float32)[::_EACH] for side in (rows, columns))
    down, across = (np.broadcast_to(way, inside.shape) for way in np.ix_(*ways))
    ratio = np.log((seen[::_EACH, ::_EACH][inside].astype(np.float32) + 2) / (target + 2)) - start
    x, y = across[inside], down[inside]
    terms = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)
    fit, tint = np.zeros(6, np.float32), np.zeros(3, np.float32)
    for tolerance in _LIGHT_ROUNDS:
        rest = ratio - (terms @ fit)[:, None] - tint
        astray = np.abs(rest)
        near = np.maximum(np.maximum(astray[:, 0], astray[:, 1]), astray[:, 2]) < tolerance
        if near.mean() < _LEAST_GROUND:
            break
        tint = tint + np.median(rest[near], axis=0)
        own = terms[near]
        level = (ratio[near] - tint).mean(axis=1)
        fit = np.linalg.solve(own.T @ own + np.diag([1e-3, 1, 1, 4, 4, 4]).astype(np.float32), own.T @ level)
    low, high = grid.mm(np.array([(0.0, 0.0), (columns - 1.0, rows - 1.0)])).tolist()
    return GroundLight(start + tint, fit, (low[0], low[1]), (high[0], high[1]))


def evened(seen: Image, target: NDArray[np.float32], within: Mask, grid: MatGrid) -> Floats:
    """A view (BGR) as it would look if the ground had the colour ``target`` all over the mat (``within``)."""
    return ground_light(seen, target, within, grid).taken_out(seen, grid)


def ground_colour(seen: Image, within: Mask) -> NDArray[np.float32]:
    """The colour (BGR) that most of a mat has, where it lies (``within``): what is not covered by cards is the most of it."""
    pixels = seen[::_EACH, ::_EACH][within[::_EACH, ::_EACH]].astype(np.float32)
    if not len(pixels):
        return np.full(3, 128, np.float32)
    level = 255 // _BINS + 1
    bins = (pixels // _BINS).astype(np.int32) @ np.array([1, level, level * level], np.int32)
    first = int(np.argmax(np.bincount(bins)))
    best = pixels[bins == first].mean(axis=0)
    for _ in range(3):
        astray = np.abs(pixels - best)
        near = np.maximum(np.maximum(astray[:, 0], astray[:, 1]), astray[:, 2]) < _BINS
        best = pixels[near].mean(axis=0)
    return np.asarray(best, np.float32)
