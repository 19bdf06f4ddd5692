"""What has changed on the mat, in parts of which each may be a card that was laid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Point
from companion.vision.cards.masks import Cut, count
from companion.vision.cards.rectangles import hull_of, poses_about, poses_at_edges
from companion.vision.cards.settings import LandingSettings
from companion.vision.cards.view import CardPose, Floats, MatGrid
from companion.vision.frame import Mask

_SPECK, _MOST_PARTS = 0.008, 24
"""The share of a card's area that a part has at least to be joined with others; how many are looked at."""
_BOXED, _SHADE_MM = 0.85, 4.0
"""The share of a card that must have changed, and of the change that must lie on it or within its shade."""
_ARM_MM, _GAP_MM = 15.0, 3.0
"""How much of an arm (a square of so many mm) is in sight beside the mat; gaps in it that are closed."""
_ONE_CARD = 1.2
"""How many times the area of a card the outline of one may have, with its shadow and sleeve."""
_PRINTED, _CARD_SIZED = 0.4, 1.5
"""What has an outline of at least and at most so many times the area of a card may be one, however thin its lines are: of text
upon text on the same paper nothing else shows."""


@dataclass(frozen=True, eq=False)
class ChangedPatch:
    """A part of the mat that has changed: its pixels in the view, its area, and the poses of a card that would explain it;
    whether it is more than a thin line. ``edges``: poses of cards of which each explains a part of it. ``joined``: it is made
    of others that may be parts of one card."""

    mask: Mask
    area_mm2: float
    poses: tuple[CardPose, ...]
    thick: bool = True
    edges: tuple[CardPose, ...] = ()
    joined: bool = False

    def boxed(self, pose: CardPose, grid: MatGrid, size_mm: Point) -> bool:
        """Whether just a card that lies so has changed: light and shade have no such outline."""
        area, about = (grid.polygon(pose.corners_mm(size_mm, grow)) for grow in (0.0, _SHADE_MM))
        inside = count(self.mask & area) / max(1, count(area))
        beyond = count(self.mask & ~about)
        return inside >= _BOXED and beyond <= (1 - _BOXED) * count(self.mask)


class UsualChange(NamedTuple):
    """By how much nearly everything differs between two views (Lab): a common change of light (``middle``) and noise."""

    middle: NDArray[np.float64]
    noise: NDArray[np.float64]


def usual_change(difference: "Floats | cv2.typing.MatLike", step: int = 1) -> UsualChange:
    """What is common to a difference of views, asked of one pixel of ``step`` to each side."""
    few = np.asarray(difference)[::step, ::step].reshape(-1, 3)
    middle = np.median(few, axis=0)
    return UsualChange(middle, np.median(np.abs(few - middle), axis=0))


def changed(
    before: Floats, now: Floats, settings: LandingSettings, usual: UsualChange | None = None, astray_px: int = 0
) -> Mask:
    """What differs between two views (Lab), noise and a common change of light apart. ``usual``: these, where they are known
    from more than the two; ``astray_px``: how far what is the same may lie elsewhere."""
    difference = cv2.subtract(now, before)
    middle, noise = usual or usual_change(difference, 4)
    if astray_px:
        near = np.ones((2 * astray_px + 1, 2 * astray_px + 1), np.uint8)
        nearest = np.clip(now - middle.astype(np.float32), cv2.erode(before, near), cv2.dilate(before, near))
        difference = cv2.subtract(now, nearest)
    least = np.maximum(settings.changed, settings.noise_factor * (1.05 * noise + 0.3))
    mask = _beyond(difference, middle - least, middle + least)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.bool_)


def reaching_in(change: Mask, beyond: Mask, grid: MatGrid) -> Mask:
    """What of a change goes on as far as ``beyond``, where no card of the mat reaches: an arm."""
    found = np.zeros(change.shape, np.bool_)
    if count(change & beyond) < (_ARM_MM * grid.scale) ** 2:
        return found
    reach = max(1, round(_GAP_MM * grid.scale))
    whole = cv2.morphologyEx(change.view(np.uint8), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    many, parts = cv2.connectedComponents(whole, connectivity=4)
    sizes = np.bincount(np.asarray(parts)[beyond & change], minlength=many)
    for part in np.flatnonzero(sizes >= (_ARM_MM * grid.scale) ** 2):
        found |= np.asarray(parts) == part if part else False
    return found & change


def unlike(now: Floats, ground: Floats, settings: LandingSettings) -> Mask:
    """What has another colour (Lab) than the bare mat: a picture of it, or the one colour it has. Thin print is left out."""
    least = np.full(3, settings.changed)
    mask = _beyond(cv2.subtract(now, np.ascontiguousarray(ground)), -least, least)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.bool_)


def _beyond(values: "Floats | cv2.typing.MatLike", low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.uint8]:
    """1 where any channel lies outside its range, else 0."""
    within = np.asarray(cv2.inRange(np.asarray(values), low, high), np.uint8)
    return np.asarray(within == 0, np.uint8)


def patches_of(
    mask: Mask, grid: MatGrid, size_mm: Point, settings: LandingSettings, hidden: Mask | None = None
) -> Iterator[ChangedPatch]:
    """The parts of a change without what is thin: small ones joined first, then each alone, the largest first. What lies near
    each other, or within what surrounds it, may be one card of which some is as it was before: a white one on a white mat.
    ``hidden``: what cards that are known to lie upmost cover."""
    card = grid.card_px(size_mm)
    least, reach = settings.least * card, max(1, round(3 * grid.scale))
    if count(mask) < _SPECK * card:
        return
    cut = Cut.around(mask, 2 * reach)
    near = cv2.morphologyEx(cut.of(mask).view(np.uint8), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    outlines, _ = cv2.findContours(near, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        hull = cv2.convexHull(outline)
        if least / 4 <= cv2.contourArea(hull) <= _CARD_SIZED * card:
            cv2.fillConvexPoly(near, hull, 1)
    many, found, sizes, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    labels, stats = np.asarray(found, np.int32), np.asarray(sizes, np.int32)
    order = sorted(range(1, many), key=lambda label: -int(stats[label, cv2.CC_STAT_AREA]))
    yield from _joined(labels, order[:_MOST_PARTS], stats, mask, cut, grid, size_mm, settings)
    for label in order:
        if stats[label, cv2.CC_STAT_AREA] < least:
            return
        part = cut.whole((labels == label) & cut.of(mask))
        core, area = _core(part, grid), count(part)
        thick = bool(area >= least and count(core) >= least / 2)
        framed = _PRINTED * card <= stats[label, cv2.CC_STAT_AREA] <= _CARD_SIZED * card
        if thick or framed:
            # Shadows make a change larger than the card; of a white card on a white mat only thin lines and the picture show.
            whole = hull_of(part)
            poses = poses_about((hull_of(core), whole), grid, size_mm, settings.size)
            several = hidden is not None or not poses or (whole is not None and cv2.contourArea(whole) > _ONE_CARD * card)
            edges = poses_at_edges(part, grid, size_mm, hidden) if several else ()
            yield ChangedPatch(part, area / grid.scale**2, poses, thick, edges)


def _joined(
    labels: NDArray[np.int32],
    order: Sequence[int],
    stats: NDArray[np.int32],
    mask: Mask,
    cut: Cut,
    grid: MatGrid,
    size_mm: Point,
    settings: LandingSettings,
) -> Iterator[ChangedPatch]:
    """Small parts of a change that lie within a card of each other: of a card on a mat of its own colour nothing shows but what
    is printed here and there."""
    card = grid.card_px(size_mm)
    reach = np.hypot(*size_mm) * grid.scale
    left = [label for label in order if _SPECK * card <= stats[label, cv2.CC_STAT_AREA] <= _PRINTED * card]
    while left:
        first, group = left.pop(0), []
        box = stats[first, :4].astype(np.float64)
        for label in list(left):
            x, y, wide, tall = stats[label, :4].astype(np.float64)
            right, low = max(box[0] + box[2], x + wide), max(box[1] + box[3], y + tall)
            left_, top = min(box[0], x), min(box[1], y)
            if np.hypot(right - left_, low - top) <= reach:
                box = np.array([left_, top, right - left_, low - top])
                group.append(label)
                left.remove(label)
        if group:
            part = cut.whole(np.isin(labels, [first, *group]) & cut.of(mask))
            poses = poses_about((hull_of(_core(part, grid)), hull_of(part)), grid, size_mm, settings.size)
            yield ChangedPatch(part, count(part) / grid.scale**2, poses, joined=True)


def _core(mask: Mask, grid: MatGrid) -> Mask:
    """A change without what is thinner than 4 mm: shadows, a line of print."""
    side = max(2, round(4 * grid.scale))
    cut = Cut.around(mask, side)
    opened = cv2.morphologyEx(cut.of(mask).view(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    return cut.whole(np.asarray(opened, np.bool_))
