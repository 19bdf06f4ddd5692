"""What the small networks look at: a piece as it lies now, and a taught one laid over it, as one stack of pictures.

Light is taken out twice: patches are reflectances, and beside the colours stands the drawing by its own local contrast,
which glare and shade leave alone.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.surface import turned

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]

DISC_SIDE, DISC_MM = 48, 36.0
TILE_SIDE, TILE_MM = 56, 42.0
PLACE_SIDE, PLACE_MM = 48, 48.0
MARK_SIDE, MARK_MM = 40, 14.0
"""Samples and millimetres across a stack: of discs, of tiles, of a whole place with what lies around it, of a tile's number."""
CLOSE_SCALE = 3.0
"""Samples per millimetre of the patches that tiles' numbers are cut out of: a figure of 5 mm is drawn with strokes of half a
millimetre, and a camera over the table shows two to three pixels of a millimetre."""
SLOT_MM = 12.0
"""Across the middle of a taught piece from which its mean colour is taken."""
BRIGHTEST = 3.0
"""Reflectance at which the coding ends; burnt-out glare lies above."""
CONTRAST_FLOOR = 0.012
"""Of the coded range: contrast weaker than this is grain, and is not drawn up."""


def coded(reflectance: Floats) -> Bytes:
    """Reflectance (… ×3) as square roots in bytes, in which stacks are kept and shown to the networks."""
    return np.asarray(np.sqrt(np.clip(reflectance, 0, BRIGHTEST) / BRIGHTEST) * 255 + 0.5, np.uint8)


def crop(patch: Bytes, at_mm: tuple[float, float], turn: float, side: int, span_mm: float, scale: float) -> Bytes:
    """A square (side×side×3) of a patch around a point (mm from its middle), such that the patch turned clockwise by
    ``turn`` radians about it is shown."""
    steps = (np.arange(side) - (side - 1) / 2) * (span_mm / side)
    return np.asarray(turned(patch, at_mm, -turn, steps, steps, scale), np.uint8)


def mark_pair(
    seen: Bytes,
    offset_mm: tuple[float, float],
    turn: float,
    taught: Bytes,
    at_mm: tuple[float, float],
    mark_mm: tuple[float, float],
    back: float = 0.0,
) -> tuple[Bytes, Bytes]:
    """The spot that tells a labelled tile from others, twice and both as it was taught to lie: on a close-up whose tile lies at
    an offset, turned clockwise by ``turn`` radians, and on the taught close-up, whose tile lies at ``at_mm`` with its mark
    ``mark_mm`` from there; then both turned ``back`` (radians, counter-clockwise). Both at ``CLOSE_SCALE``."""
    c, s = float(np.cos(turn)), float(np.sin(turn))
    x, y = mark_mm
    spot = (offset_mm[0] + c * x - s * y, offset_mm[1] + s * x + c * y)
    return (
        crop(seen, spot, -turn - back, MARK_SIDE, MARK_MM, CLOSE_SCALE),
        crop(taught, (at_mm[0] + x, at_mm[1] + y), -back, MARK_SIDE, MARK_MM, CLOSE_SCALE),
    )


def planes(pictures: Sequence[Bytes]) -> Floats:
    """Byte pictures (N of H×W×3) to network planes N×4×H×W: blue, green, red about 0, and the drawing by local contrast."""
    out = np.empty((len(pictures), 4, *pictures[0].shape[:2]), np.float32)
    for picture, into in zip(pictures, out, strict=True):
        lay_planes(into, picture, drawn(picture))
    return out


def lay_planes(into: Floats, picture: Bytes, drawing: Floats) -> None:
    """Write the planes (4×H×W) of a picture whose ``drawing`` is known."""
    into[:3] = (_shares(picture) - 0.5).transpose(2, 0, 1) * 2
    into[3] = drawing


def drawn(picture: Bytes) -> Floats:
    """The drawing (H×W) of a byte picture by local contrast."""
    light = _shares(picture) @ np.array([0.2, 0.5, 0.3], np.float32)
    rest = light - cv2.GaussianBlur(light, (13, 13), 3.0, borderType=cv2.BORDER_REFLECT_101)
    spread = cv2.GaussianBlur(rest * rest, (25, 25), 6.0, borderType=cv2.BORDER_REFLECT_101)
    return np.asarray(rest / (np.sqrt(spread) + CONTRAST_FLOOR), np.float32)


def _shares(picture: Bytes) -> Floats:
    return np.asarray(picture.astype(np.float32) / 255, np.float32)


def slot_colour(exemplars: Sequence[tuple[Bytes, tuple[float, float]]], scale: float) -> Floats:
    """Mean colour (3, 0..1) of the middles of taught pieces: coded patches, and where in them the pieces lie."""
    middles = [crop(patch, at, 0.0, 16, SLOT_MM, scale).reshape(-1, 3).mean(axis=0) / 255 for patch, at in exemplars]
    return np.asarray(np.mean(middles, axis=0), np.float32)
