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
MOST_SPREAD_PX = 3.2
"""The widest spread that is told, pixels: it leaves no sticker of a piece."""
_SPREADS = np.geomspace(0.3, MOST_SPREAD_PX, 33)
"""Standard deviations tried, pixels: an edge as sharp as pixels can be has 0.3."""
_STEP_PX, _OFF = 0.25, 10
"""Pixels of a step across an edge; and how many steps from where the registration has it an edge may lie."""
_COARSE = 4
"""Every so many spreads are tried at first, and then all so near to the likest of them; of places half as many."""
_PART = (0.2, 0.8)
"""Of an edge's length: a sticker is laid a degree or two askew."""
_BESIDE = 0.85
"""Of the black border, a cell wide, and of the white paper outside it, that are looked at."""
_CONTRAST, _MISFIT = 25.0, 0.1
"""Grey levels from black to white that an edge has at least, and the share of them that it may stray from a plain slope."""


def spread_px(registered: RegisteredImage) -> float | None:
    """By how much (standard deviation, pixels) a point is spread in this picture, along the worse of both axes and where it is
    worst; None where no edge of the board's stickers is plain enough to tell. It comes out as 1.2 to 1.3 where lens and
    pixels spread it by 1.3, as 1.5 to 1.8 by 1.9."""
    return registered.once("spread", lambda: _spread_px(registered))


def _spread_px(registered: RegisteredImage) -> float | None:
    cells = cells_across(registered.pieces.dictionary)
    found = [
        float(np.mean(across))
        for sticker in registered.pieces.frame_markers.values()
        for across in _of_sticker(registered, sticker, cells)
        if across
    ]
    return max(found, default=None)


def _of_sticker(registered: RegisteredImage, sticker: FrameMarker, cells: int) -> tuple[list[float], list[float]]:
    """The spread across the upper and the lower edge of one sticker, and across its sides."""
    corners = registered.registration.project(sticker_corners(sticker), sticker.height_mm)
    found: tuple[list[float], list[float]] = [], []
    if not np.isfinite(corners).all():
        return found
    for number in range(4):
        start, end, across = corners[number], corners[(number + 1) % 4], corners[(number + 2) % 4]
        (way_x, way_y), (off_x, off_y) = end - start, across - end
        px_per_mm = abs(way_x * off_y - way_y * off_x) / max(float(np.hypot(way_x, way_y)), 1e-6) / sticker.side_mm
        # A border of one cell is black, the paper around it white: no more is looked at than what is plainly one of them.
        inner, outer = _BESIDE * px_per_mm * sticker.side_mm / cells, _BESIDE * px_per_mm * sticker.quiet_mm
        spread = _of_edge(registered.grey, start, end, inner, outer)
        if spread is not None:
            found[number % 2].append(spread)
    return found


def _of_edge(grey: NDArray[np.uint8], start: Array, end: Array, inner: float, outer: float) -> float | None:
    """The spread across an edge from ``inner`` pixels of black, to the right of its way, to ``outer`` of white; None where it
    is not plainly one."""
    way = end - start
    length = float(np.hypot(*way))
    if length < 1.0:
        return None
    along, out = way / length, np.array([way[1], -way[0]]) / length
    ends = [start + share * way + off * out for share in _PART for off in (-inner, outer)]
    low, high = np.floor(np.min(ends, axis=0)).astype(int), np.ceil(np.max(ends, axis=0)).astype(int)
    if (low < 0).any() or (high >= grey.shape[::-1]).any():
        return None
    x, y = np.arange(low[0], high[0] + 1) - start[0], np.arange(low[1], high[1] + 1)[:, None] - start[1]
    beside, across = (x * along[0] + y * along[1]) / length, x * out[0] + y * out[1]
    inside = (beside >= _PART[0]) & (beside <= _PART[1]) & (across >= -inner) & (across <= outer)
    steps = np.round(across[inside] / _STEP_PX).astype(int)
    if len(steps) < 12:
        return None
    first = int(steps.min())
    counts = np.bincount(steps - first).astype(np.float64)
    sums = np.bincount(steps - first, grey[low[1] : high[1] + 1, low[0] : high[0] + 1][inside].astype(np.float64))
    seen = np.flatnonzero(counts)
    return _fitted(seen + first, sums[seen] / counts[seen], counts[seen] / counts.sum())


def _fitted(steps: NDArray[np.intp], values: Array, weights: Array) -> float | None:
    """The spread of the slope that is likest to brightness (``values``, ``weights``) by steps across an edge: first roughly,
    then closely."""
    spreads, offs = np.arange(0, len(_SPREADS), _COARSE), np.arange(-_OFF, _OFF + 1, _COARSE // 2)
    left, _ = _misfits(steps, values, weights, spreads, offs)
    spread, off = np.unravel_index(int(left.argmin()), left.shape)
    near = np.arange(-_COARSE, _COARSE + 1)
    spreads = np.clip(near + spreads[spread], 0, len(_SPREADS) - 1)
    left, contrasts = _misfits(steps, values, weights, spreads, near[:: _COARSE // 2] // 2 + offs[off])
    best = np.unravel_index(int(left.argmin()), left.shape)
    contrast = float(contrasts[best])
    if contrast < _CONTRAST or float(left[best]) > (_MISFIT * contrast) ** 2:
        return None
    return float(_SPREADS[spreads[best[0]]])


def _misfits(
    steps: NDArray[np.intp], values: Array, weights: Array, spreads: NDArray[np.intp], offs: NDArray[np.intp]
) -> tuple[Array, Array]:
    """What is left of brightness (mean square) beside the likest slope of each spread at each place, and how high that is from
    black to white: spreads × places both."""
    slopes = _slopes()[spreads]
    reach = slopes.shape[1] // 2
    shown = slopes[:, np.clip(steps[None] - offs[:, None], -reach, reach) + reach]
    own, shown = values - values @ weights, shown - (shown @ weights)[..., None]
    spread, shared = shown**2 @ weights + 1e-9, shown @ (own * weights)
    return own**2 @ weights - shared**2 / spread, shared / spread


@lru_cache(maxsize=1)
def _slopes() -> Array:
    """What each spread makes of an edge: brightness 0..1, spreads × steps about its middle."""
    reach = 100
    steps = (np.arange(2 * reach + 1) - reach) * _STEP_PX
    return np.array([[0.5 * (1 + erf(step / (spread * 2**0.5))) for step in steps] for spread in _SPREADS])
