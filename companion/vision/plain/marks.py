"""The small mark that tells one labelled tile from another (a number): cut out, and sought again at the same spot."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.surface import pick

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

MARK_MM, SEEK_MM, MARK_SCALE = 10.0, 14.0, 3.0
"""Side of the mark's picture, side of the window it is sought in (mm), samples per mm."""
LEANS = (-0.05, 0.0, 0.05)
"""Radians by which the turn a piece was found at may be off."""


def mark_picture(light: Floats, at_mm: tuple[float, float], turn: float, side_mm: float, scale: float) -> Floats:
    """A square of a patch's lightness around a point (mm from the patch's middle), turned clockwise by ``turn`` radians."""
    return np.asarray(_squares(light, np.array([at_mm]), np.array([turn]), side_mm, scale)[0], np.float32)


def _squares(light: Floats, at_mm: Array, turns: Array, side_mm: float, scale: float) -> Floats:
    """The same for N points (N×2 mm) and turns (N)."""
    count = round(side_mm * MARK_SCALE)
    steps = (np.arange(count) - (count - 1) / 2) / MARK_SCALE
    c, s = (values[:, None, None] for values in (np.cos(turns), np.sin(turns)))
    x, y = steps[None, None, :], steps[None, :, None]
    points = np.empty((len(turns), count, count, 2))
    points[..., 0] = at_mm[:, 0, None, None] + c * x - s * y
    points[..., 1] = at_mm[:, 1, None, None] + s * x + c * y
    middle = (np.array([light.shape[1], light.shape[0]]) - 1) / 2
    return np.asarray(pick(light, points * scale + middle, cv2.BORDER_REPLICATE), np.float32)


def mark_likeness(
    light: Floats, mark: Floats, mark_mm: tuple[float, float], at: tuple[float, float], turn: float, scale: float
) -> float:
    """Correlation (-1..1) of a taught mark with the same spot of a piece found at an offset (mm) and turn (radians)."""
    return mark_likenesses(light, mark, mark_mm, [(at, turn)], scale)[0]


def mark_likenesses(
    light: Floats,
    mark: Floats,
    mark_mm: tuple[float, float],
    poses: Sequence[tuple[tuple[float, float], float]],
    scale: float,
) -> list[float]:
    """The same for several offsets and turns."""
    turns = np.array([turn + fine for _, turn in poses for fine in LEANS])
    c, s = np.cos(turns), np.sin(turns)
    x, y = mark_mm
    spots = np.repeat([at for at, _ in poses], len(LEANS), axis=0) + np.column_stack([c * x - s * y, s * x + c * y])
    windows = _squares(light, spots, turns, SEEK_MM, scale)
    found = [float(cv2.matchTemplate(window, mark, cv2.TM_CCOEFF_NORMED).max()) for window in windows]
    return [max(-1.0, *found[first : first + len(LEANS)]) for first in range(0, len(found), len(LEANS))]
