"""What changed between the picture of the empty board and that of the start position, whatever light either was taken in."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Point
from companion.vision.camera import Registration
from companion.vision.frame import Image
from companion.vision.plain.features import features
from companion.vision.plain.settings import FinderSettings
from companion.vision.plain.surface import linear, pick

Floats = NDArray[np.float32]

COVERED = 0.4
"""0.3..0.6: a place has changed where its change is more than this on average."""


@dataclass(frozen=True, eq=False)
class StartChange:
    """Both pictures in the search's size (H×W×3), the second brought over the first, and how much each pixel changed (H×W)."""

    empty: Image
    start: Image
    map: Floats

    @classmethod
    def between(cls, empty: Image, start: Image, settings: FinderSettings) -> "StartChange":
        """Of two pictures of one size from one place, the camera nudged between them at most."""
        factor = min(1.0, settings.width / empty.shape[1])
        one, other = (
            np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
            for picture in (empty, start)
        )
        other = _aligned(one, other)
        return cls(one, other, change_map(one, other, settings))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.empty.shape[1], self.empty.shape[0]

    def covers(self, pose: Registration, mm: Point, height_mm: float, across_mm: float) -> bool:
        """Whether something so large that lies so high about a place of the board came or went. The pose's lens may be of
        another size, with the same view."""
        angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        ring = np.column_stack([np.cos(angles), np.sin(angles)]) * across_mm / 2
        points = np.vstack([np.asarray(mm) + ring * part for part in (0.2, 0.45, 0.7)])
        return float(np.mean(pick(self.map, pose.project(points, height_mm) * (self.size[0] / pose.lens.size[0])))) > COVERED


def change_map(before: Image, after: Image, settings: FinderSettings) -> Floats:
    """How strongly each pixel changed its colour, 0..1, in pictures of one size from one place. What another light explains is
    taken out: brighter or dimmer over a large part of the picture, or stray light and reflections over the print."""
    one, other = (np.asarray(cv2.GaussianBlur(linear(image), (0, 0), 1.0), np.float32) for image in (before, after))
    now = np.log(other + LEAST)
    ratio = np.asarray(now - np.log(one + LEAST), np.float32)
    # Whatever changed evenly over a large part of the picture is light, not a piece.
    small = cv2.resize(ratio, (48, 27), interpolation=cv2.INTER_AREA)
    base = np.stack([cv2.medianBlur(np.ascontiguousarray(small[..., c]), 5) for c in range(3)], axis=-1)
    for _ in range(2):
        base = np.stack([cv2.medianBlur(np.ascontiguousarray(base[..., c]), 5) for c in range(3)], axis=-1)
    dimmed = ratio - cv2.resize(base, (ratio.shape[1], ratio.shape[0]), interpolation=cv2.INTER_LINEAR)
    veiled = np.asarray(now - np.log(_in_other_light(one, other) + LEAST), np.float32)
    return np.minimum(_strength(dimmed, settings), _strength(veiled, settings))


def _strength(ratio: Floats, settings: FinderSettings) -> Floats:
    """How strong a change of log colours (H×W×3) is, 0..1 (H×W)."""
    brightness = ratio.mean(axis=2)
    colour = np.sqrt(((ratio - brightness[..., None]) ** 2).sum(axis=2))
    # A cast shadow darkens without changing the colour: it counts for less.
    strength = np.hypot(np.where(brightness > 0, brightness, 0.5 * brightness), 2.0 * colour)
    strength = cv2.GaussianBlur(strength - settings.noise * _grain(ratio), (0, 0), 1.0)
    return np.asarray(np.clip(strength / (2 * settings.change), 0, 1), np.float32)


LEAST = 4e-3
"""Of white: added before taking logarithms, so that noise in black does not count."""
LIT_ALIKE = 1 / 9
"""1/15..1/6 of the picture's width within which a light changes evenly: several pieces wide, so that print is most of it."""
UNLIT = 0.1
"""0.05..0.2, natural logarithm: a pixel that fits its neighbourhood's light this badly weighs half in the next fit of it."""
EVEN_PRINT = 0.1
"""0.05..0.2 of its mean: where print varies by less, gain and offset of the light cannot be told apart, and all is gain."""


def _in_other_light(one: Floats, other: Floats) -> Floats:
    """The first of two linear pictures (H×W×3) as it would look in the light of the other: in each neighbourhood and channel
    a gain and an offset, fitted by weighted least squares that a changed minority does not move (a guided filter)."""
    print_, seen = (
        np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
        for picture in (one, other)
    )
    side = 2 * round(print_.shape[1] * LIT_ALIKE / 2) + 1

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.boxFilter(values, -1, (side, side), borderType=cv2.BORDER_REFLECT), np.float32)

    weight = np.ones_like(print_)
    for _ in range(4):
        total = mean(weight) + 1e-6
        mine, its = mean(weight * print_) / total, mean(weight * seen) / total
        varying = np.maximum(mean(weight * print_**2) / total - mine**2, 0)
        together = mean(weight * print_ * seen) / total - mine * its
        even = (EVEN_PRINT * mine) ** 2 + 1e-8
        gain = np.maximum((together + even * its / np.maximum(mine, 1e-4)) / (varying + even), 0)
        offset = its - gain * mine
        gain, offset = mean(gain), mean(offset)
        fitted = np.maximum(gain * print_ + offset, 0)
        off = np.abs(np.log((seen + LEAST) / (fitted + LEAST))).max(axis=2, keepdims=True)
        weight = np.repeat(1 / (1 + (off / UNLIT) ** 2), 3, axis=2).astype(np.float32)
    size = one.shape[1], one.shape[0]
    gain, offset = (cv2.resize(part, size, interpolation=cv2.INTER_LINEAR) for part in (gain, offset))
    return np.asarray(np.maximum(gain * one + offset, 0), np.float32)


def _grain(ratio: Floats) -> Floats:
    """How much the camera's noise alone changes each pixel's log colour (H×W): what varies from pixel to pixel around it.

    In the dark, noise is as large as a piece's colour; without this the whole table beside a candle would count as changed.
    """
    fine = np.abs(ratio - cv2.GaussianBlur(ratio, (0, 0), 2.5)).max(axis=2)
    # Edges of pieces vary as well; capped, and evened out over a neighbourhood wider than a piece's rim.
    return np.asarray(cv2.GaussianBlur(np.minimum(fine, 0.5), (0, 0), 12.0), np.float32)


def _aligned(reference: Image, other: Image) -> Image:
    """The other picture (both H×W×3) brought over the reference, if the camera was nudged between them."""
    points, descriptors = [], []
    for picture in (reference, other):
        grey = cv2.createCLAHE(4.0, (8, 8)).apply(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        found, described = features(np.asarray(grey, np.uint8), 800)
        if len(found) < 30:
            return other
        points.append(found.astype(np.float32))
        descriptors.append(described)
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(descriptors[1], descriptors[0], k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.75 * pair[1].distance]
    if len(good) < 20:
        return other
    source, target = points[1][[m.queryIdx for m in good]], points[0][[m.trainIdx for m in good]]
    if float(np.median(np.linalg.norm(source - target, axis=1))) < 0.7:
        return other
    matrix, inliers = cv2.findHomography(source, target, cv2.USAC_MAGSAC, 2.0)
    if matrix is None or inliers is None or int(inliers.sum()) < 20:
        return other
    size = reference.shape[1], reference.shape[0]
    return np.asarray(cv2.warpPerspective(other, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
