"""How widely a camera spreads a point in one picture: measured on the edges of the board's own stickers.

Lens, focus, a moving hand and the pixels themselves make of a sharp edge a slope. A sticker whose cells are hardly wider than
that slope cannot be read, however many pixels it has; so what may be called looked for depends on it.
"""

from functools import lru_cache
from math import erf

import numpy as np
from numpy.typing import NDArray

from companion.boards import FrameMarker
from companion.vision.marked.markers import cells_across
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.registration import sticker_corners

Array = NDArray[np.float64]
_SPREADS = np.geomspace(0.3, 3.2, 32)
"""Standard deviations tried, pixels: an edge as sharp as pixels can be has 0.3, one of 3.2 leaves no sticker of a piece."""
_STEP_PX, _OFF_PX = 0.25, 2.5
"""Pixels of a step across an edge; and how far from where the registration has it an edge may lie."""
_PARTS = ((0.2, 0.4), (0.4, 0.6), (0.6, 0.8))
"""Of an edge's length, each fitted by itself: a sticker is laid a degree or two askew."""
_CONTRAST, _MISFIT = 25.0, 0.1
"""Grey levels from black to white that an edge has at least, and the share of them that it may stray from a plain slope."""


def spread_px(registered: RegisteredImage) -> float | None:
    """By how much (standard deviation, pixels) a point is spread in this picture, along the worse of both axes and where it is
    worst; None where no edge of the board's stickers is plain enough to tell."""
    return registered.once("spread", lambda: _spread_px(registered))


def _spread_px(registered: RegisteredImage) -> float | None:
    cells = cells_across(registered.pieces.dictionary)
    found = [
        float(np.median(along))
        for sticker in registered.pieces.frame_markers.values()
        for along in _of_sticker(registered, sticker, cells)
        if len(along) >= len(_PARTS)
    ]
    return max(found, default=None)


def _of_sticker(registered: RegisteredImage, sticker: FrameMarker, cells: int) -> tuple[list[float], list[float]]:
    """The spread across the upper and lower edges of one sticker, and across its sides, each part of an edge by itself."""
    corners = registered.registration.project(sticker_corners(sticker), sticker.height_mm)
    found: tuple[list[float], list[float]] = [], []
    if not np.isfinite(corners).all():
        return found
    for number in range(4):
        start, end, across = corners[number], corners[(number + 1) % 4], corners[(number + 2) % 4]
        px_per_mm = float(np.linalg.norm(across - end)) / sticker.side_mm
        # A border of one cell is black, the paper around it white: no more is looked at than what is plainly one of them.
        inner, outer = 0.85 * px_per_mm * sticker.side_mm / cells, 0.85 * px_per_mm * sticker.quiet_mm
        for part in _PARTS:
            spread = _of_edge(registered.grey, start, end, part, inner, outer)
            if spread is not None:
                found[number % 2].append(spread)
    return found


def _of_edge(
    grey: NDArray[np.uint8], start: Array, end: Array, part: tuple[float, float], inner: float, outer: float
) -> float | None:
    """The spread across a part of an edge from black, to the right of its way, to white; None where it is not plainly one."""
    way = end - start
    length = float(np.hypot(*way))
    if length < 1.0:
        return None
    along, out = way / length, np.array([way[1], -way[0]]) / length
    ends = [start + share * way + off * out for share in part for off in (-inner, outer)]
    low, high = np.floor(np.min(ends, axis=0)).astype(int), np.ceil(np.max(ends, axis=0)).astype(int)
    if (low < 0).any() or (high >= grey.shape[::-1]).any():
        return None
    y, x = np.mgrid[low[1] : high[1] + 1, low[0] : high[0] + 1]
    away = np.stack([x - start[0], y - start[1]], axis=-1)
    beside, across = away @ along / length, away @ out
    inside = (beside >= part[0]) & (beside <= part[1]) & (across >= -inner) & (across <= outer)
    bins = np.round(across[inside] / _STEP_PX).astype(int)
    if len(bins) < 12:
        return None
    shift = int(np.floor(-inner / _STEP_PX)) - 1
    values = grey[low[1] : high[1] + 1, low[0] : high[0] + 1][inside].astype(np.float64)
    counts = np.bincount(bins - shift).astype(np.float64)
    means = np.bincount(bins - shift, values) / np.maximum(counts, 1.0)
    return _fitted((np.arange(len(counts)) + shift) * _STEP_PX, means, counts)


def _fitted(across: Array, means: Array, counts: Array) -> float | None:
    """The spread of the slope that is likest to brightness by the way across an edge."""
    seen = counts > 0
    offs, slopes = _slopes()
    at = np.clip(np.round((across[seen][None] - offs[:, None]) / _STEP_PX).astype(int) + slopes.shape[1] // 2, 0, slopes.shape[1] - 1)
    weights, values = counts[seen] / counts.sum(), means[seen]
    basis = slopes[:, at]  # spreads × offs × steps
    middle = basis @ weights
    centred = basis - middle[..., None]
    own = values - values @ weights
    variance = np.maximum(centred**2 @ weights, 1e-9)
    contrast = (centred * own) @ weights / variance
    left = own**2 @ weights - contrast**2 * variance
    best = np.unravel_index(int(left.argmin()), left.shape)
    step = float(contrast[best])
    if step < _CONTRAST or float(left[best]) > (_MISFIT * step) ** 2:
        return None
    return float(_SPREADS[best[0]])


@lru_cache(maxsize=1)
def _slopes() -> tuple[Array, Array]:
    """Where an edge may lie (pixels), and what each spread makes of one: brightness 0..1, spreads × steps about its middle."""
    reach = 80
    steps = (np.arange(2 * reach + 1) - reach) * _STEP_PX
    offs = np.arange(-_OFF_PX, _OFF_PX + _STEP_PX / 2, _STEP_PX)
    slopes = [[0.5 * (1 + erf(step / (spread * 2**0.5))) for step in steps] for spread in _SPREADS]
    return offs, np.array(slopes)
