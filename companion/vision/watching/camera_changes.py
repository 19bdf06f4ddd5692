"""What a camera alone changes between two small pictures (H×W×3: grey, and how much redder and bluer), told apart from what
changes on the table: exposure and colour, bands of lamps that flicker with the mains, a picture that trembles, and the noise of
sensor and compression."""

from collections import deque
from dataclasses import dataclass
from math import ceil
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.frame import Image, Mask

Floats = NDArray[np.float32]

_STEP = 2
"""Every so-manieth pixel and row is used where the pose is estimated."""
_ROUNDS = 2
"""Gauss-Newton steps: after two a shift by a pixel is known to a twentieth."""
_BLOCKS = (12, 9)
"""The parts, across and down, of which it is asked how many changed."""
_COMPACT, _WIDE = 0.35, 0.5
"""0.25..0.5 and 0.4..0.7: a change that fills so much of the parts it touches, and touches no more of them, is a hand or a
piece: edges that tremble fill little, bands touch all."""
_EXACT = 4.0
"""2..6 grey levels within which two pictures agree."""
_TELLING = 0.6
"""0.4..0.75: a movement of the camera leaves less than this share of what is amiss; else it is a guess."""
_HOPEFUL = 0.25
"""0.15..0.4 of the squares of what differs that a movement of the camera has to explain, or none is sought: 0.03 to 0.1 where a
hand moves, 0.55 to 0.9 where the camera does, with a hand in sight or without."""
_ACROSS = 0.9
"""0.8..1 of a row of parts: bands run from side to side."""
_REACH = 0.75
"""0.6..0.9 of the picture's height and width."""
_KEEN = 20.0
"""10..40 grey levels beyond which a pixel counts the less for the pose (Huber): a hand, not a tremble."""
_LEAST_PX = 0.05
"""0.02..0.1: a smaller shift explains no change of a whole grey level."""
_NEIGHBOURS = np.ones((3, 3), np.uint8)
_BLURRED = np.float32(0.15)
"""0.1..0.3: the share of the contrast among neighbours by which an edge may be sharper in one of two pictures."""
_BAND_ROWS = 9
"""5..15 rows over which a band's brightness is averaged: bands are as high as the picture is or half of it."""
_MOST_GAIN = 1.3
"""1.2..1.6 times as bright as others a row may become by that; one that differs more is covered by something."""
_LEAST_GAIN = 0.01
"""0.005..0.02 by which half of the rows differ from the others: bands that are fainter change nothing by a whole grey level."""
_DARK = np.float32(8.0)
"""4..16 levels added before ratios are formed: in the dark they say nothing."""
_GREY = 128.0
"""The level of the planes of red and blue that is neither more nor less."""
_TAIL = 0.001
"""0.0005..0.002: the share of pixels that may differ more than the tail of the noise."""
_TAIL_FACTOR = 1.5
"""1.3..2 times that tail nothing is left of noise that two by two pixels share: the blocks of a compressed picture."""
_QUIETEST = 0.2
"""0.1..0.4: the share of the frames that are quieter than the one that tells this tail: most may have a hand in them."""
_EVERY, _KEPT = 3, 15
"""The tail is measured on every so-manieth frame, and so many of these are compared: three seconds at 15 a second."""


def difference(before: Image, now: Image) -> Image:
    """How far two pictures differ (H×W×3), a common change of each plane apart."""
    apart = cv2.absdiff(now, before)
    for plane, (was, is_now) in enumerate(zip(cv2.mean(before)[:3], cv2.mean(now)[:3], strict=True)):
        if abs(is_now - was) > 1.0:
            signed = now[..., plane].astype(np.int16) - before[..., plane].astype(np.int16)
            common = float(np.median(signed[::4, ::4]))
            apart[..., plane] = np.abs(signed - round(common))
    return np.asarray(apart, np.uint8)


def may_be_the_camera(mask: Mask) -> bool:
    """Whether a change (H×W) lies as one does that the camera alone makes: all over the picture, all across it, or thinly."""
    shares = cv2.resize(mask.astype(np.float32), _BLOCKS, interpolation=cv2.INTER_AREA)
    touched = shares > 0
    across = touched.mean(axis=1).max() >= _ACROSS
    return bool(across or touched.mean() > _WIDE or shares[touched].mean() < _COMPACT)


def reaches_all_over(mask: Mask) -> bool:
    """Whether a change (H×W) reaches over most of the picture both ways, as no single hand does."""
    _, _, width, height = cv2.boundingRect(mask.astype(np.uint8))
    return bool(height >= _REACH * mask.shape[0] and width >= _REACH * mask.shape[1])


def steadied_difference(before: Image, now: Image, most_px: float) -> Image | None:
    """The same once a shift, a turn and a change of scale of the whole picture that move no corner by more than ``most_px``
    pixels, and bands across it, are undone. None where there is none of these."""
    undone, moved = _undone(before, now, most_px)
    gains = _gains(undone[..., 0], now[..., 0])
    if moved < _LEAST_PX and np.ptp(gains) == 0:
        return None
    is_now = now.astype(np.float32)
    is_now[..., 0] /= gains[:, None]
    for plane in (1, 2):
        is_now[..., plane] = _GREY + (is_now[..., plane] - _GREY) / gains[:, None]
        is_now[..., plane] -= float(np.median(is_now[::4, ::4, plane] - undone[::4, ::4, plane]))
    if moved < _LEAST_PX:
        return np.asarray(np.clip(np.abs(is_now - undone), 0, 255), np.uint8)
    # Half a pixel is left of any shift, by what averaging and interpolation do to edges: only what no neighbour shows counts.
    most, least = cv2.dilate(undone, _NEIGHBOURS), cv2.erode(undone, _NEIGHBOURS)
    apart = cv2.max(is_now - most, least - is_now) - _BLURRED * (most - least)
    edge = ceil(moved) + 1  # what has come into the picture there cannot be compared
    within = np.zeros_like(apart)
    within[edge:-edge, edge:-edge] = apart[edge:-edge, edge:-edge]
    return np.asarray(np.clip(within, 0, 255), np.uint8)


def _undone(before: Image, now: Image, most_px: float) -> tuple[Floats, float]:
    """``before`` as the camera sees it in ``now``, and by how many pixels that moved a corner at most; as it is, and 0, where
    no small movement of the camera explains what differs."""
    was, is_now = before.astype(np.float32), cv2.blur(now[..., 0], (3, 3)).astype(np.float32)[::_STEP, ::_STEP]
    grey = cv2.blur(before[..., 0], (3, 3)).astype(np.float32)
    middle = np.array([(grey.shape[1] - 1) / 2, (grey.shape[0] - 1) / 2])
    corners = middle * [[-1, -1], [1, -1], [-1, 1], [1, 1]]
    matrix, moved, seen = np.eye(3), 0.0, grey
    signed, first = _signed(seen, is_now)
    left = first
    for number in range(_ROUNDS):
        step, explained = _step(seen, signed, middle)
        if number == 0 and explained < _HOPEFUL:
            return was, 0.0
        matrix = step @ matrix
        moved = float(np.linalg.norm(corners @ (matrix[:2, :2] - np.eye(2)).T + matrix[:2, 2], axis=1).max())
        if moved > most_px:
            return was, 0.0
        seen = _warped(grey, matrix, middle)
        signed, left = _signed(seen, is_now)
    tells = moved >= _LEAST_PX and left <= _TELLING * first
    return (_warped(was, matrix, middle), moved) if tells else (was, 0.0)


def _signed(seen: Floats, is_now: Floats) -> tuple[Floats, float]:
    """By how much every sampled pixel grew brighter beyond what its row did, and how much of that is amiss in all."""
    part = seen[::_STEP, ::_STEP]
    signed = is_now / _gains(part, is_now)[:, None] - part
    return signed, float(np.clip(np.abs(signed) - _EXACT, 0, _KEEN).sum())


def _step(seen: Floats, signed: Floats, middle: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """One Gauss-Newton step towards the similarity (3×3, about the middle, in pixels) that explains by how much the sampled
    pixels differ (Lucas and Kanade 1981), robust against what covers a part of them (Huber's weights); and the share of the
    squares of these differences (0..1) that it explains where pictures change evenly from pixel to pixel."""
    height, width = seen.shape
    x, y = np.meshgrid(np.arange(0, width, _STEP) - middle[0], np.arange(0, height, _STEP) - middle[1])
    across, down = (cv2.Sobel(seen, cv2.CV_32F, *order, ksize=1)[::_STEP, ::_STEP] / 2 for order in ((1, 0), (0, 1)))
    columns = np.stack([across, down, across * x + down * y, down * x - across * y]).reshape(4, -1).astype(np.float64)
    weights = (_KEEN / np.maximum(np.abs(signed), _KEEN)).ravel()
    weighted, differs = columns * weights, signed.ravel()
    normal, towards = weighted @ columns.T, -(weighted @ differs)
    ridge = 1e-3 * np.diag(np.diag(normal)) + 1e-6 * np.eye(4)
    moved = np.linalg.solve(normal + ridge, towards)
    dx, dy, grown, turned = moved
    explained = float(moved @ towards) / max(1e-6, float(weights @ differs**2))
    return np.array([[1 + grown, -turned, dx], [turned, 1 + grown, dy], [0.0, 0.0, 1.0]]), explained


def _warped(image: Floats, about: NDArray[np.float64], middle: NDArray[np.float64]) -> Floats:
    """An image moved by an affine map (3×3) about its middle."""
    matrix = about[:2].copy()
    matrix[:, 2] += middle - matrix[:, :2] @ middle
    size = image.shape[1], image.shape[0]
    return np.asarray(cv2.warpAffine(image, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _gains(before: NDArray[Any], now: NDArray[Any]) -> Floats:
    """How many times as bright every row became (H): lamps that flicker with the mains light rows that are exposed one after
    the other unequally. Bands run all over a picture; where most rows are alike the others are covered by something."""
    ratio = (now[:, ::4] + _DARK) / (before[:, ::4].astype(np.float32) + _DARK)
    rows = np.median(ratio, axis=1).astype(np.float32)
    rows = rows[np.clip(np.arange(-(_BAND_ROWS // 2), len(rows) + _BAND_ROWS // 2), 0, len(rows) - 1)]
    smooth = np.convolve(rows, np.full(_BAND_ROWS, 1 / _BAND_ROWS, np.float32), "valid")
    common = float(np.median(smooth))
    if np.median(np.abs(smooth / common - 1)) < _LEAST_GAIN:
        return np.full_like(smooth, common)
    return np.asarray(np.clip(smooth, common / _MOST_GAIN, common * _MOST_GAIN), np.float32)


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What counts as a change of one plane: ``least`` and ``most`` levels, and so many times the noise (``factor``) between."""

    least: float
    most: float
    factor: float


class NoiseLevel:
    """The noise of one plane, as two pictures that follow each other show it."""

    def __init__(self, sensitivity: Sensitivity) -> None:
        self._sensitivity = sensitivity
        self._median = 1.0
        self._tails: deque[int] = deque(maxlen=_KEPT)
        self._frames = 0

    def measure(self, apart: Image, *, camera_alone: bool) -> None:
        """Take in how far two pictures differ (H×W). ``camera_alone``: nothing moves between them, so far as is known."""
        # Median of |a - b| for normal noise is 0.95 sigma of one picture; whole levels hide anything finer.
        self._median += 0.1 * (float(np.median(apart[::4, ::4])) + 0.5 - self._median)
        self._frames += 1
        if camera_alone and self._frames % _EVERY == 0:
            counts = cv2.calcHist([apart], [0], None, [256], [0, 256]).ravel()
            self._tails.append(int(np.searchsorted(counts.cumsum(), (1 - _TAIL) * apart.size)))

    @property
    def threshold(self) -> float:
        """The smallest change (levels) that is no noise. What a block of a compressed picture changes by is told by the
        quietest of the frames in which nothing is known to move; hands would raise it, and what they leave be missed."""
        own = self._sensitivity
        quiet = sorted(self._tails)[int(_QUIETEST * len(self._tails))] if self._tails else 0
        return max(own.least, own.factor * self._median, min(own.most, _TAIL_FACTOR * quiet))
