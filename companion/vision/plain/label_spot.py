"""The spot by which the labelled tiles of a copy differ: tiles of one drawing, aligned with each other, but for their
numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.stacks import CLOSE_SCALE, Bytes, crop

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

STEPS = 2.0
"""Samples per millimetre of the drawings that are compared."""
FINE_MM, COARSE_MM = 0.5, 3.5
"""A drawing is what is left between these two blurs: strokes, and neither grain nor shade."""
WINDOW_MM = 9.0
"""5..12 mm: a spot about as large as a number."""
SLIP = 2
"""Samples by which a window may be laid amiss before its difference counts: strokes of one drawing are no difference."""
MOST_SLIP_MM, MOST_TILT = 2.5, 0.14
"""Millimetres and radians by which a tile may be laid better than it was found."""
SIDES = 6
"""A hexagonal tile may be laid in so many ways; a drawing that looks nearly alike after some of them is tried in all."""
PLAINLY = 0.7
"""0.5..0.85: a tile less like the others' drawing may be turned otherwise than it was found."""
TURNS, ROUGH_STEPS, ROUGH_MM, MOST_WAYS = 72, 1.0, 3.0, 3
"""Turns at which such a tile is laid over the drawing, samples per millimetre, how far it is shifted then, and how many of the
likeliest ways it may lie are looked at closely."""
SEEN = 0.55
"""Share of a window that must lie on the tile."""


@dataclass(frozen=True)
class AlignedCloseup:
    """A tile's close-up, where in it the tile lies (mm from its middle), and the turns (clockwise radians) against the others
    that are worth trying, the likeliest first."""

    close: Bytes
    at_mm: tuple[float, float]
    turns: Sequence[float]
    label: str


@dataclass(frozen=True)
class TilePose:
    """Where in its close-up (mm from its middle) a tile's middle lies, how the tile is turned (clockwise radians), and how like
    the common drawing it is there (-1..1)."""

    middle_mm: tuple[float, float]
    turn: float
    alike: float = 1.0

    def at_mm(self, point_mm: tuple[float, float]) -> tuple[float, float]:
        """Where in the close-up a point of the upright tile (mm from the tile's middle) lies."""
        (x, y), c, s = point_mm, float(np.cos(self.turn)), float(np.sin(self.turn))
        return self.middle_mm[0] + c * x - s * y, self.middle_mm[1] + s * x + c * y


@dataclass(frozen=True, eq=False)
class CommonDrawing:
    """What the tiles of a copy have in common: their strokes (side×side, ``STEPS`` a millimetre) laid upright over one another,
    what of them a tile surely covers, and where the spot lies that tells labels apart (mm from the middle)."""

    strokes: Floats
    inside: Mask
    spot_mm: tuple[float, float]

    def laid(self, close: Bytes, at_mm: tuple[float, float], turn: float) -> TilePose:
        """How a tile lies exactly that was found at a point of a close-up (mm from its middle), turned by ``turn``; as it was
        found, where too little of the drawing is seen."""
        return _lying(_found(self.strokes, AlignedCloseup(close, at_mm, (turn,), ""), (turn,), self.inside), len(self.inside))


def _lying(fit: "Fit", side: int) -> TilePose:
    """Where a tile lies that was fitted."""
    middle = (side - 1) / 2
    x, y = (fit.way @ np.array([middle, middle, 1.0]) - middle) / STEPS
    tilt = float(np.arctan2(fit.way[1, 0], fit.way[0, 0]))
    return TilePose(TilePose(fit.at_mm, fit.turn).at_mm((float(x), float(y))), fit.turn + tilt, fit.alike)


def common_drawing(tiles: Sequence[AlignedCloseup], inside: Mask) -> tuple[CommonDrawing, list[TilePose]]:
    """What tiles have in common with the spot that tells those of different labels apart, and how each of them lies.

    ``inside`` (side×side, ``STEPS`` a millimetre) is what a tile surely covers. The first tile is laid down; the others are
    laid over it, in whichever of the six ways fits best, then all over their median. There, windows differ most that differ
    however they are shifted a little.
    """
    side = len(inside)
    base = _drawing(tiles[0], tiles[0].turns[0], inside)
    tried = [(*tile.turns, *(tile.turns[0] + k * 2 * np.pi / SIDES for k in range(1, SIDES))) for tile in tiles]
    first = [_found(base, tile, turns, inside) for tile, turns in zip(tiles, tried, strict=True)]
    base = np.asarray(np.median([fit.strokes for fit in first], axis=0), np.float32)
    fits = [_found(base, replace(tile, at_mm=fit.at_mm), [fit.turn], inside) for tile, fit in zip(tiles, first, strict=True)]
    laid = [fit.strokes for fit in fits]
    difference = _difference(laid, [tile.label for tile in tiles], inside)
    x, y = (_peak(difference, inside) - (side - 1) / 2) / STEPS
    lying = [_lying(fit, side) for fit in fits]
    return CommonDrawing(np.asarray(np.median(laid, axis=0), np.float32), inside, (float(x), float(y))), lying


def _drawing(tile: AlignedCloseup, turn: float, inside: Mask) -> Floats:
    """A tile's strokes (side×side), turned back upright, of mean 0 and spread 1 on the tile: glare on one of them is no
    difference."""
    side = len(inside)
    picture = crop(tile.close, tile.at_mm, -turn, side, side / STEPS, CLOSE_SCALE)
    strokes = _strokes(picture, STEPS)
    return np.asarray((strokes - strokes[inside].mean()) / max(float(strokes[inside].std()), 0.02), np.float32)


def _strokes(picture: Bytes, steps: float) -> Floats:
    """What is drawn on a picture of ``steps`` samples a millimetre, and neither its grain nor its shade."""
    light = picture.astype(np.float32) @ np.array([0.2, 0.5, 0.3], np.float32)
    return np.asarray(
        cv2.GaussianBlur(light, (0, 0), FINE_MM * steps) - cv2.GaussianBlur(light, (0, 0), COARSE_MM * steps), np.float32
    )


@dataclass(frozen=True, eq=False)
class Fit:
    """How a tile lies over others: looked at around ``at_mm`` and turned back by ``turn``, ``way`` leads from their samples to
    its own (2×3); its strokes laid so, how alike."""

    way: Array
    at_mm: tuple[float, float]
    turn: float
    strokes: Floats
    alike: float


def _best(base: Floats, tile: AlignedCloseup, turns: Sequence[float], inside: Mask) -> Fit:
    """How a tile lies over the base best, of some turns."""
    best: Fit | None = None
    for turn in turns:
        strokes = _drawing(tile, turn, inside)
        way = _aligned(base, strokes, inside)
        size = strokes.shape[1], strokes.shape[0]
        over = cv2.warpAffine(
            strokes, way, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        alike = float(np.corrcoef(base[inside], over[inside])[0, 1])
        if best is None or alike > best.alike:
            best = Fit(way, tile.at_mm, turn, np.asarray(over, np.float32), alike)
    assert best is not None
    return best


def _found(base: Floats, tile: AlignedCloseup, turns: Sequence[float], inside: Mask) -> Fit:
    """The same; where it is hardly like the base at any of the turns, looked for at all others and around."""
    best = _best(base, tile, turns, inside)
    if best.alike < PLAINLY:
        fits = [best, *(_best(base, replace(tile, at_mm=at), (turn,), inside) for at, turn in _roughly(base, tile, inside))]
        best = max(fits, key=lambda fit: fit.alike)
    return best


def _roughly(base: Floats, tile: AlignedCloseup, inside: Mask) -> list[tuple[tuple[float, float], float]]:
    """The likeliest ways a tile may lie over the base, anywhere around and at any turn: where (mm from the middle of its
    close-up) and how turned."""
    side = round(len(inside) / STEPS * ROUGH_STEPS)
    template = cv2.resize(base * inside, (side, side), interpolation=cv2.INTER_AREA)
    reach = round(ROUGH_MM * ROUGH_STEPS)
    wide = side + 2 * reach
    larger = round(wide * 1.5)  # so that a turned picture has corners
    strokes = _strokes(crop(tile.close, tile.at_mm, 0.0, larger, larger / ROUGH_STEPS, CLOSE_SCALE), ROUGH_STEPS)
    middle, out = (larger - 1) / 2, (wide - 1) / 2
    angles = np.arange(TURNS) * 2 * np.pi / TURNS
    scores = np.empty((TURNS, 2 * reach + 1, 2 * reach + 1))
    for score, angle in zip(scores, angles, strict=True):
        c, s = np.cos(angle), np.sin(angle)
        way = np.array([[c, -s, middle - c * out + s * out], [s, c, middle - s * out - c * out]])
        turned = cv2.warpAffine(strokes, way, (wide, wide), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        score[:] = cv2.matchTemplate(turned, template, cv2.TM_CCOEFF_NORMED)
    peaks = scores.max(axis=(1, 2))
    found: list[tuple[tuple[float, float], float]] = []
    for _ in range(MOST_WAYS):
        best = int(peaks.argmax())
        y, x = (int(v) for v in np.unravel_index(int(scores[best].argmax()), scores[best].shape))
        slip = (x - reach) / ROUGH_STEPS, (y - reach) / ROUGH_STEPS
        found.append((TilePose(tile.at_mm, float(angles[best])).at_mm(slip), float(angles[best])))
        peaks[(np.arange(-3, 4) + best) % TURNS] = -1
    return found


def _aligned(base: Floats, strokes: Floats, inside: Mask) -> Array:
    """From the base's samples to those of strokes that lie a little amiss (2×3); as they lie, where they cannot be told."""
    still = np.eye(2, 3, dtype=np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-3)
    try:
        _, way = cv2.findTransformECC(base, strokes, still.copy(), cv2.MOTION_EUCLIDEAN, stop, inside.astype(np.uint8) * 255, 5)
    except cv2.error:  # no likeness to climb
        return np.asarray(still, np.float64)
    middle = (np.array([strokes.shape[1], strokes.shape[0]]) - 1) / 2
    slip = np.hypot(*(way @ np.array([*middle, 1.0]) - middle)) / STEPS
    tilt = abs(float(np.arctan2(way[1, 0], way[0, 0])))
    return np.asarray(way if slip <= MOST_SLIP_MM and tilt <= MOST_TILT else still, np.float64)


def _difference(laid: Sequence[Floats], labels: Sequence[str], inside: Mask) -> Floats:
    """How much windows around every sample differ between tiles of different labels (mean square, at the best small shift)."""
    weight = inside.astype(np.float32)
    size = int(WINDOW_MM * STEPS) | 1
    total = np.zeros(inside.shape, np.float32)
    pairs = [(i, j) for i in range(len(laid)) for j in range(i + 1, len(laid)) if labels[i] != labels[j]]
    shifts = [(dy, dx) for dy in range(-SLIP, SLIP + 1) for dx in range(-SLIP, SLIP + 1)]
    for i, j in pairs:
        squares = [(laid[i] - np.roll(laid[j], shift, (0, 1))) ** 2 * weight for shift in shifts]
        total += np.min([cv2.boxFilter(square, -1, (size, size)) for square in squares], axis=0)
    return np.asarray(total / max(len(pairs), 1), np.float32)


def _peak(difference: Floats, inside: Mask) -> Array:
    """Where (x, y samples) most of the difference is gathered."""
    size = int(WINDOW_MM * STEPS) | 1
    share = cv2.boxFilter(inside.astype(np.float32), -1, (size, size))
    score = np.where(share >= SEEN, difference / np.maximum(share, SEEN), 0)
    y, x = np.unravel_index(int(score.argmax()), score.shape)
    # The windows that hold the whole number score alike: their middle.
    near = np.exp(-((score.max() - score) / (0.1 * max(float(score.max()), 1e-6)))) * (score > 0)
    ys, xs = np.mgrid[0 : len(score), 0 : len(score)]
    near = near * (np.hypot(xs - x, ys - y) <= WINDOW_MM * STEPS / 2)
    return np.asarray([(xs * near).sum() / near.sum(), (ys * near).sum() / near.sum()], np.float64)
