"""Straighten parts of a picture: seen square from above, at a known scale, at a known height over the board."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.vision.camera import Registration
from companion.vision.frame import Image, Mask

Array = NDArray[np.float64]
SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""The corners of a square with half a side of 1, from top left clockwise."""
_GRID_MM = 10.0  # the lens bends a line by well under 0.05 px over 10 mm, so maps are interpolated between such points


def patch(
    image: Image,
    registration: Registration,
    centre_mm: tuple[float, float],
    *,
    half_mm: float,
    scale: float,
    height_mm: float = 0.0,
    angle_rad: float = 0.0,
) -> Image:
    """A square piece of the board's plane (or a plane above it), ``scale`` pixels a millimetre, turned by ``angle_rad``.

    Pixel (i, j) of the answer shows the board at ``centre + R(angle) @ (((j, i) + 0.5) / scale - half_mm)``. Parts outside
    the picture repeat its edge.
    """
    size = round(2 * half_mm * scale)
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    square = SQUARE * half_mm
    corners = np.asarray(centre_mm) + square @ np.array([[cos, sin], [-sin, cos]])
    cropped = _cropped(image, registration, corners, height_mm, size)
    if cropped is None:
        return np.zeros((size, size, *image.shape[2:]), np.uint8)
    crop, seen = cropped
    straight = np.array([[-0.5, -0.5], [size - 0.5, -0.5], [size - 0.5, size - 0.5], [-0.5, size - 0.5]], np.float32)
    matrix = cv2.getPerspectiveTransform(straight, seen)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(crop, matrix, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def samples(
    image: Image,
    registration: Registration,
    centre_mm: tuple[float, float],
    away_mm: Array,
    *,
    half_mm: float,
    scale: float,
    height_mm: float = 0.0,
) -> Image:
    """What a picture shows at points (N×M×2 millimetres from ``centre_mm``, none farther than ``half_mm`` along an axis), as
    :func:`patch` with that ``scale`` would: N×M of a grey picture. All 0 where none is in the picture."""
    square = SQUARE * half_mm
    cropped = _cropped(image, registration, square + centre_mm, height_mm, round(2 * half_mm * scale))
    if cropped is None:
        return np.zeros(away_mm.shape[:2], np.uint8)
    crop, seen = cropped
    matrix = cv2.getPerspectiveTransform(square.astype(np.float32), seen)
    at = cv2.perspectiveTransform(away_mm.reshape(-1, 1, 2), matrix).astype(np.float32).reshape(away_mm.shape)
    return np.asarray(cv2.remap(crop, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _cropped(
    image: Image, registration: Registration, corners_mm: Array, height_mm: float, size: int
) -> "tuple[Image, NDArray[np.float32]] | None":
    """The part of a picture with a square of the board (4×2 mm, from its top left corner clockwise) that is to be ``size``
    pixels wide, averaged if it is much larger, and the square's corners in it (4×2 pixels); None where it is out of sight."""
    seen = registration.project(corners_mm, height_mm).astype(np.float32)
    low = np.maximum(np.floor(seen.min(axis=0)).astype(int) - 4, 0)
    high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + 5, (image.shape[1], image.shape[0]))
    if (high <= low).any():
        return None
    crop = image[low[1] : high[1], low[0] : high[0]]
    seen = seen - low.astype(np.float32)
    shrink = float(np.linalg.norm(seen[1] - seen[0])) / size
    if shrink > 2:  # average before sampling, or fine detail turns into noise
        crop = np.asarray(cv2.blur(crop, (int(shrink), int(shrink))), np.uint8)
    return crop, seen


def steps_mm(half_mm: float, scale: float) -> Array:
    """Millimetres (N) of the columns of a patch that is not turned, and of its rows, from its middle."""
    return np.asarray((np.arange(round(2 * half_mm * scale)) + 0.5) / scale - half_mm, np.float64)


def grid_mm(half_mm: float, scale: float) -> Array:
    """Millimetres (N×N×2, x and y) of a patch's pixels from its middle."""
    steps = steps_mm(half_mm, scale)
    return np.stack(np.meshgrid(steps, steps), axis=-1)


def mosaic(image: Image, registration: Registration, board: Board) -> Image:
    """The whole board's surface seen from above: H×W×3, one pixel a millimetre, origin at the board's top left corner.

    Parts outside the picture are black.
    """
    columns, rows = round(board.size_mm[0]), round(board.size_mm[1])
    map_x, map_y, shrink, (left, top, right, bottom) = _maps(registration, columns, rows)
    source = image[top:bottom, left:right]
    if shrink > 1.6 and min(source.shape[:2]) > shrink:  # one averaging step keeps a 50-megapixel picture from aliasing
        factor = 1 / shrink
        source = np.asarray(cv2.resize(source, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    elif not source.size:
        return np.zeros((rows, columns, *image.shape[2:]), np.uint8)
    return np.asarray(cv2.remap(source, map_x, map_y, cv2.INTER_LINEAR, borderValue=(0, 0, 0)), np.uint8)


@lru_cache(maxsize=4)
def _maps(
    registration: Registration, columns: int, rows: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], float, tuple[int, int, int, int]]:
    """Where each mosaic pixel lies (two rows×columns maps) in the part of the picture that is needed, averaged down; how much
    that is; and the part (left, top, right, bottom)."""
    across, down = int(np.ceil(columns / _GRID_MM)) + 1, int(np.ceil(rows / _GRID_MM)) + 1
    grid = np.stack(np.meshgrid(np.arange(across), np.arange(down)), axis=-1).reshape(-1, 2) * _GRID_MM
    seen = registration.project(grid).reshape(down, across, 2).astype(np.float32)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    x, y = (x + 0.5) / _GRID_MM, (y + 0.5) / _GRID_MM
    map_x = np.asarray(cv2.remap(seen[..., 0], x, y, cv2.INTER_LINEAR), np.float32)
    map_y = np.asarray(cv2.remap(seen[..., 1], x, y, cv2.INTER_LINEAR), np.float32)
    shrink = registration.pixels_per_mm((columns / 2, rows / 2))
    limit = np.array(registration.lens.size)
    low = np.clip(np.floor(seen.min(axis=(0, 1))) - 8, 0, limit).astype(int)
    high = np.clip(np.ceil(seen.max(axis=(0, 1))) + 9, 0, limit).astype(int)
    map_x, map_y = map_x - np.float32(low[0]), map_y - np.float32(low[1])
    if shrink > 1.6:
        map_x, map_y = ((m + np.float32(0.5)) * np.float32(1 / shrink) - np.float32(0.5) for m in (map_x, map_y))
    return map_x, map_y, shrink, (int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def in_picture(registration: Registration, centre_mm: tuple[float, float], half_mm: float, height_mm: float = 0.0) -> bool:
    """Whether a square around a spot lies wholly inside the picture."""
    return bool(are_in_picture(registration, np.array([centre_mm]), half_mm, height_mm)[0])


def are_in_picture(registration: Registration, centres_mm: Array, half_mm: float, height_mm: float = 0.0) -> Mask:
    """The same of squares around many spots (N×2 mm): N."""
    squares = centres_mm[:, None] + SQUARE * half_mm
    pixels = registration.project(squares.reshape(-1, 2), height_mm).reshape(-1, 4, 2)
    return np.asarray(((pixels >= 0) & (pixels <= np.array(registration.lens.size) - 1)).all(axis=(1, 2)), np.bool_)
