"""A taught picture, and all that is derived from it once to find it again."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.cards.drawing import HALF, fine_drawing, traced
from companion.vision.cards.settings import LikenessSettings
from companion.vision.cards.view import CELL, HEIGHT, WIDTH, Floats, cells

COARSE = 2 * CELL
"""Canonical pixels to each side of a cell of the rough look."""
GROUND, COMMON, SEEN = -1, -2, -3
"""The numbers of what is no face: the bare mat, what all faces have in common, and what an earlier picture shows."""


@dataclass(frozen=True, eq=False)
class Template:
    """One taught picture, canonical, and what is derived from it. ``face`` is the number of the face it shows; ``half`` the
    picture at half its size; ``ways`` how that changes (N×4) as the card seems larger, turned, shifted right and down, by
    canonical pixels; ``drawn`` what is drawn finely, ``traced`` whether a pose a little astray leaves it as it is; ``fine`` and
    ``coarse``: means of cells; ``fine_noise``, ``loose_noise`` and ``coarse_noise``: how far (standard deviation) they lie from
    those seen again where the pose is nearly exact, fitted somewhat amiss, or not fitted."""

    face: int
    patch: Floats
    fine: Floats
    fine_noise: Floats
    loose_noise: Floats
    coarse: Floats
    coarse_noise: Floats
    half: Floats
    ways: Floats
    drawn: Floats
    traced: bool

    @classmethod
    def of(cls, face: int, patch: Floats, settings: LikenessSettings) -> "Template":
        """Everything about a canonical picture (HEIGHT×WIDTH×3, Lab)."""
        fine, coarse, half = cells(patch), cells(patch, COARSE), cells(patch, HALF)
        near, loosely = (_noise(patch, fine, CELL, astray, settings) for astray in (settings.astray_px, settings.loosely_px))
        roughly = _noise(patch, coarse, COARSE, settings.roughly_px, settings)
        drawn = fine_drawing(patch)
        return cls(face, patch, fine, near, loosely, coarse, roughly, half, _ways(half), drawn, traced(patch, half))


def _ways(half: Floats) -> Floats:
    """How a picture at half its size changes (N×4) as the card seems larger, turned, shifted right and down."""
    gx, gy = (cv2.Scharr(half, cv2.CV_32F, *way) / (32 * HALF) for way in ((1, 0), (0, 1)))
    down, across = np.mgrid[0 : half.shape[0], 0 : half.shape[1]].astype(np.float32)
    u = (across[..., None] - (half.shape[1] - 1) / 2) * HALF
    v = (down[..., None] - (half.shape[0] - 1) / 2) * HALF
    return np.stack([gx * u + gy * v, gy * u - gx * v, gx, gy], axis=-1).reshape(-1, 4).astype(np.float32)


def _noise(patch: Floats, taught: Floats, side: int, astray_px: float, settings: LikenessSettings) -> Floats:
    """How far (standard deviation) a cell seen again may lie from the taught one: grain, and a pose a little astray."""
    level = np.array([settings.noise_light, settings.noise_colour, settings.noise_colour], np.float32)
    found = np.zeros_like(taught)
    for dx, dy in ((astray_px, 0.0), (0.0, astray_px)):
        moved = [
            cv2.warpAffine(
                patch,
                np.array([[1, 0, sign * dx], [0, 1, sign * dy]], np.float32),
                (WIDTH, HEIGHT),
                borderMode=cv2.BORDER_REPLICATE,
            )
            for sign in (-1, 1)
        ]
        found += ((cells(np.asarray(moved[0], np.float32), side) - cells(np.asarray(moved[1], np.float32), side)) / 2) ** 2
    return np.asarray(np.sqrt(level**2 + found), np.float32)
