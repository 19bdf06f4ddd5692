"""Where cards may lie that would explain what has changed: rectangles of a card's size within it, or along its edges."""

from collections.abc import Iterable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Point
from companion.vision.cards.view import CardPose, MatGrid
from companion.vision.frame import Mask

Hull = NDArray[np.float32]
_MOST_POSES = 12
_ONE_POSE_MM, _ONE_POSE_DEG = 2.0, 3.0
"""How far apart two poses of one rectangle are that count as one."""
_LEAST_PIXELS = 8
_JOINED_MM, _EDGE_MM, _ROUGH_MM = 4.0, 10.0, (1.2, 2.2)
"""Gaps in a change that are closed; how long an edge is at least; how far an outline strays from its edges, tried one after
the other."""
_EDGE_CHANGED, _EDGE_OPEN, _STEP_MM = 0.5, 0.3, 1.5
"""The share of what is in sight of a pose that must have changed; the share of it that must be in sight; how closely the two
are measured."""
_MOST_AT_EDGES = 64
_LONGER_MM = 8.0
"""How much longer than a card's an edge may seem, by height, sleeve and shadow."""


def hull_of(mask: Mask) -> Hull | None:
    """The convex hull of a mask (N×1×2 view pixels); None where there is next to nothing."""
    found = cv2.findNonZero(mask.view(np.uint8))
    if found is None or len(found) < _LEAST_PIXELS:
        return None
    return np.asarray(cv2.convexHull(found.astype(np.float32)), np.float32)


def poses_about(hulls: Iterable[Hull | None], grid: MatGrid, size_mm: Point, slack: float) -> tuple[CardPose, ...]:
    """Where a card may lie of which a change shows all or a part, given hulls of it, the likeliest first: along the sides of
    the smallest rectangle about it, in its middle where it has the size of a card, else in each of its corners. ``slack``:
    the share of its size by which a card may seem larger or smaller."""
    found: list[CardPose] = []
    for hull in hulls:
        if hull is not None:
            _add_poses(found, hull, grid, size_mm, slack)
    return tuple(found[:_MOST_POSES])


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
        whole, in_sight, now = (cv2.countNonZero(part) for part in (area, area & seen, area & few))
        if in_sight >= _EDGE_OPEN * whole and now >= _EDGE_CHANGED * max(1, in_sight):
            ranked.append((now / in_sight, pose))
    ranked.sort(key=lambda entry: -entry[0])
    found: list[CardPose] = []
    for _, pose in ranked:
        if len(found) < _MOST_AT_EDGES and not any(pose.about(other, _STEP_MM, 2.0) for other in found):
            found.append(pose)
    return tuple(found)


def _add_poses(found: list[CardPose], hull: Hull, grid: MatGrid, size_mm: Point, slack: float) -> None:
    """Add the poses that a hull of a change suggests, except those found already."""
    for turn, low, high in _rectangles(hull, grid):
        wide, tall = high - low
        for quarter in (0.0, 90.0):
            w, h = size_mm if quarter == 0.0 else size_mm[::-1]
            if wide > (1 + 2 * slack) * w or tall > (1 + 2 * slack) * h:
                continue
            xs = _anchors(low[0], high[0], w, slack)
            ys = _anchors(low[1], high[1], h, slack)
            angle = np.radians(turn)
            across, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
            for a in xs:
                for b in ys:
                    x, y = a * across + b * down
                    pose = CardPose(float(x), float(y), turn + quarter)
                    if all(
                        pose.apart_mm(other) > _ONE_POSE_MM or abs(pose.turn - other.turn) > _ONE_POSE_DEG for other in found
                    ):
                        found.append(pose)


def _rectangles(hull: Hull, grid: MatGrid) -> Iterator[tuple[float, NDArray[np.float64], NDArray[np.float64]]]:
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
