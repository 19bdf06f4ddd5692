"""The small mark that tells one labelled tile from another (a number): cut out, and sought again at the same spot."""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.surface import pick

Floats = NDArray[np.float32]

MARK_MM, SEEK_MM, MARK_SCALE = 10.0, 14.0, 3.0
"""Side of the mark's picture, side of the window it is sought in (mm), samples per mm."""


def mark_picture(light: Floats, at_mm: tuple[float, float], turn: float, side_mm: float, scale: float) -> Floats:
    """A square of a patch's lightness around a point (mm from the patch's middle), turned clockwise by ``turn`` radians."""
    count = round(side_mm * MARK_SCALE)
    steps = (np.arange(count) - (count - 1) / 2) / MARK_SCALE
    x, y = np.meshgrid(steps, steps)
    c, s = np.cos(turn), np.sin(turn)
    points = np.stack([at_mm[0] + c * x - s * y, at_mm[1] + s * x + c * y], axis=-1)
    middle = (np.array([light.shape[1], light.shape[0]]) - 1) / 2
    return np.asarray(pick(light, points * scale + middle, cv2.BORDER_REPLICATE), np.float32)


def mark_likeness(
    light: Floats, mark: Floats, mark_mm: tuple[float, float], at: tuple[float, float], turn: float, scale: float
) -> float:
    """Correlation (-1..1) of a taught mark with the same spot of a piece found at an offset (mm) and turn (radians)."""
    best = -1.0
    for fine in (-0.05, 0.0, 0.05):
        c, s = np.cos(turn + fine), np.sin(turn + fine)
        x, y = mark_mm
        spot = (at[0] + float(c * x - s * y), at[1] + float(s * x + c * y))
        window = mark_picture(light, spot, turn + fine, SEEK_MM, scale)
        best = max(best, float(cv2.matchTemplate(window, mark, cv2.TM_CCOEFF_NORMED).max()))
    return best
