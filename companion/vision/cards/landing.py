"""Where a card may have been laid: rectangles of a card's size about what has changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Point
from companion.vision.cards.settings import LandingSettings
from companion.vision.cards.view import CardPose, Floats, MatGrid
from companion.vision.frame import Mask

_MOST_POSES = 12


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
        inside = float((self.mask & area).sum()) / max(1, int(area.sum()))
        return inside >= _BOXED and float((self.mask & ~about).sum()) <= (1 - _BOXED) * float(self.mask.sum())


def changed(before: Floats, now: Floats, settings: LandingSettings) -> Mask:
    """What differs between two views (Lab), noise and a common change of light apart."""
    difference = cv2.subtract(now, before)
    few = difference[::4, ::4].reshape(-1, 3)
    middle = np.median(few, axis=0)
    level = 1.05 * np.median(np.abs(few - middle), axis=0) + 0.3
    least = np.maximum(settings.changed, settings.noise_factor * level)
    mask = _beyond(difference, middle - least, middle + least)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.bool_)


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
    """The parts of a change, the largest first, without what is thin. What lies near each other, or within what surrounds it,
    may be one card of which some is as it was before: a white one on a white mat. ``hidden``: what cards that are known to
    lie upmost cover."""
    card = size_mm[0] * size_mm[1] * grid.scale**2
    least, reach = settings.least * card, max(1, round(3 * grid.scale))
    near = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    outlines, _ = cv2.findContours(near, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        hull = cv2.convexHull(outline)
        if least / 4 <= cv2.contourArea(hull) <= _CARD_SIZED * card:
            cv2.fillConvexPoly(near, hull, 1)
    count, found, sizes, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    labels, stats = np.asarray(found, np.int32), np.asarray(sizes, np.int32)
    order = sorted(range(1, count), key=lambda label: -int(stats[label, cv2.CC_STAT_AREA]))
    yield from _joined(labels, order[:_MOST_PARTS], stats, mask, grid, size_mm, settings)
    for label in order:
        if stats[label, cv2.CC_STAT_AREA] < least:
            return
        part = (labels == label) & mask
        thick = bool(part.sum() >= least and _core(part, grid).sum() >= least / 2)
        framed = _PRINTED * card <= stats[label, cv2.CC_STAT_AREA] <= _CARD_SIZED * card
        if thick or framed:
            poses = tuple(poses_about(part, grid, size_mm, settings))
            several = hidden is not None or not poses or _hull_area(part) > _ONE_CARD * card
            edges = poses_at_edges(part, grid, size_mm, hidden) if several else ()
            yield ChangedPatch(part, float(part.sum()) / grid.scale**2, poses, thick, edges)


def _joined(
    labels: NDArray[np.int32],
    order: Sequence[int],
    stats: NDArray[np.int32],
    mask: Mask,
    grid: MatGrid,
    size_mm: Point,
    settings: LandingSettings,
) -> Iterator[ChangedPatch]:
    """Small parts of a change that lie within a card of each other: of a card on a mat of its own colour nothing shows but what
    is printed here and there."""
    card = size_mm[0] * size_mm[1] * grid.scale**2
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
            part = np.isin(labels, [first, *group]) & mask
            poses = tuple(poses_about(part, grid, size_mm, settings))
            yield ChangedPatch(part, float(part.sum()) / grid.scale**2, poses, joined=True)


_SPECK, _MOST_PARTS = 0.008, 24
"""The share of a card's area that a part has at least to be joined with others; how many are looked at."""
_BOXED, _SHADE_MM = 0.85, 4.0
"""The share of a card that must have changed, and of the change that must lie on it or within its shade."""
_ONE_CARD = 1.2
"""How many times the area of a card the outline of one may have, with its shadow and sleeve."""
_PRINTED, _CARD_SIZED = 0.4, 1.5
"""What has an outline of at least and at most so many times the area of a card may be one, however thin its lines are: of text
upon text on the same paper nothing else shows."""


def poses_at_edges(mask: Mask, grid: MatGrid, size_mm: Point, hidden: Mask | None = None) -> tuple[CardPose, ...]:
    """Where cards may lie of which several make one change, upon or beside each other: a straight edge of its outline is one
    of a card, which ends where the edge does, at the one end or the other. ``hidden``: what lies upon them, or is not looked
    at. Those of which most has changed come first."""
    reach = max(1, round(_JOINED_MM * grid.scale))
    near = np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8)), np.uint8)
    outlines, _ = cv2.findContours(near, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.asarray(cv2.drawContours(np.zeros_like(near), outlines, -1, 1, cv2.FILLED), np.uint8)
    open_ = np.ones_like(near) if hidden is None else (~hidden).astype(np.uint8)
    side = max(1, round(_STEP_MM * grid.scale))
    seen = np.ascontiguousarray(open_[::side, ::side])
    few = np.ascontiguousarray(filled[::side, ::side]) & seen
    ranked: list[tuple[float, CardPose]] = []
    for pose in _at_edges(outlines, grid, size_mm):
        area = np.zeros_like(few)
        corners = grid.px(pose.corners_mm(size_mm)) / side
        cv2.fillConvexPoly(area, np.round(corners * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        whole, in_sight, now = int(area.sum()), int((area & seen).sum()), int((area & few).sum())
        if in_sight >= _EDGE_OPEN * whole and now >= _EDGE_CHANGED * max(1, in_sight):
            ranked.append((now / in_sight, pose))
    ranked.sort(key=lambda entry: -entry[0])
    found: list[CardPose] = []
    for _, pose in ranked:
        if len(found) < _MOST_AT_EDGES and not any(pose.about(other, _STEP_MM, 2.0) for other in found):
            found.append(pose)
    return tuple(found)


_JOINED_MM, _EDGE_MM, _ROUGH_MM = 4.0, 10.0, (1.2, 2.2)
"""Gaps in a change that are closed; how long an edge is at least; how far an outline strays from its edges, tried one after
the other."""
_EDGE_CHANGED, _EDGE_OPEN, _STEP_MM = 0.5, 0.3, 1.5
"""The share of what is in sight of a pose that must have changed; the share of it that must be in sight; how closely the two
are measured."""
_MOST_AT_EDGES = 64


def _at_edges(outlines: "Sequence[cv2.typing.MatLike]", grid: MatGrid, size_mm: Point) -> Iterator[CardPose]:
    """Poses of cards with an edge of an outline, the longest edges first."""
    found: list[tuple[float, NDArray[np.float64], NDArray[np.float64]]] = []
    for outline in outlines:
        for rough in _ROUGH_MM:
            mm = grid.mm(np.asarray(cv2.approxPolyDP(outline, rough * grid.scale, True), np.float64).reshape(-1, 2))
            x, y = mm.T
            if len(mm) < 3:
                continue
            if float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) < 0:
                mm = mm[::-1]  # clockwise, for y runs down: a card lies to the right of its edge
            for start, end in zip(mm, np.roll(mm, -1, axis=0), strict=True):
                length = float(np.hypot(*(end - start)))
                if length >= _EDGE_MM:
                    found.append((length, start, end))
    found.sort(key=lambda entry: -entry[0])
    for length, start, end in found:
        along = (end - start) / length
        down = np.array([-along[1], along[0]])
        turn = float(np.degrees(np.arctan2(along[1], along[0])))
        for quarter in (0.0, 90.0):
            wide, tall = size_mm if quarter == 0.0 else size_mm[::-1]
            if length > wide + _LONGER_MM:
                continue
            for middle in (start + along * wide / 2, end - along * wide / 2):
                x_mm, y_mm = middle + down * tall / 2
                yield CardPose(float(x_mm), float(y_mm), (turn + quarter + 180.0) % 360.0 - 180.0)


_LONGER_MM = 8.0
"""How much longer than a card's an edge may seem, by height, sleeve and shadow."""


def poses_about(mask: Mask, grid: MatGrid, size_mm: Point, settings: LandingSettings) -> list[CardPose]:
    """Where a card may lie of which a change shows all or a part: along the sides of the smallest rectangle about it, in its
    middle where it has the size of a card, else in each of its corners."""
    found: list[CardPose] = []
    whole, core = _extent(mask), _extent(_core(mask, grid))
    # Shadows make a change larger than the card; of a white card on a white mat only thin lines and the picture show.
    for hull in (core, whole):
        if hull is not None:
            _add_poses(found, hull, grid, size_mm, settings)
    return found[:_MOST_POSES]


def _extent(mask: Mask) -> NDArray[np.float32] | None:
    """The convex hull of a mask (pixels); None where there is next to nothing."""
    rows, columns = np.nonzero(mask)
    if len(rows) < _LEAST_PIXELS:
        return None
    return np.asarray(cv2.convexHull(np.column_stack([columns, rows]).astype(np.float32)), np.float32)


def _hull_area(mask: Mask) -> float:
    """The area (pixels) within the convex hull of a mask."""
    hull = _extent(mask)
    return 0.0 if hull is None else float(cv2.contourArea(hull))


_LEAST_PIXELS = 8


def _add_poses(
    found: list[CardPose], hull: NDArray[np.float32], grid: MatGrid, size_mm: Point, settings: LandingSettings
) -> None:
    """Add the poses that a hull of a change suggests, except those found already."""
    for turn, low, high in _rectangles(hull, grid):
        wide, tall = high - low
        for quarter in (0.0, 90.0):
            w, h = size_mm if quarter == 0.0 else size_mm[::-1]
            if wide > (1 + 2 * settings.size) * w or tall > (1 + 2 * settings.size) * h:
                continue
            xs = _anchors(low[0], high[0], w, settings.size)
            ys = _anchors(low[1], high[1], h, settings.size)
            angle = np.radians(turn)
            across, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
            for a in xs:
                for b in ys:
                    x, y = a * across + b * down
                    pose = CardPose(float(x), float(y), turn + quarter)
                    if all(pose.apart_mm(other) > 2 or abs(pose.turn - other.turn) > 3 for other in found):
                        found.append(pose)


def _core(mask: Mask, grid: MatGrid) -> Mask:
    """A change without what is thinner than 4 mm: shadows, a line of print."""
    side = max(2, round(4 * grid.scale))
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), np.bool_)


def _rectangles(hull: NDArray[np.float32], grid: MatGrid) -> Iterator[tuple[float, NDArray[np.float64], NDArray[np.float64]]]:
    """The smallest rectangles about a hull: turn (degrees, -45 to 45), and the ranges along its sides (mm)."""
    mm = grid.mm(hull.reshape(-1, 2).astype(np.float64))
    edges = np.roll(mm, -1, axis=0) - mm
    lengths = np.hypot(*edges.T)
    turns = {
        round((float(np.degrees(np.arctan2(dy, dx))) + 45) % 90 - 45, 1)
        for (dx, dy), length in zip(edges, lengths, strict=True)
        if length > 6
    }
    sized = []
    for turn in turns or {0.0}:
        angle = np.radians(turn)
        along = mm @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        low, high = along.min(axis=0), along.max(axis=0)
        sized.append((float(np.prod(high - low)), turn, low, high))
    sized.sort(key=lambda entry: entry[0])
    kept: list[float] = []
    for area, turn, low, high in sized:
        if len(kept) >= 2 or area > 1.15 * sized[0][0]:
            return
        if all(min(abs(turn - other), 90 - abs(turn - other)) > 4 for other in kept):
            kept.append(turn)
            yield turn, low, high


def _anchors(low: float, high: float, side: float, slack: float) -> list[float]:
    """Where the middle of a card may be along one direction, given the range that has changed."""
    if high - low >= (1 - slack) * side:
        return [(low + high) / 2]
    return [low + side / 2, high - side / 2]
