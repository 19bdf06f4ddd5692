"""The shape of a pointing finger in a mask over the board, and the place its tip lies on. Pure.

A hand reaches in from the border of the board or of the picture. What is left of it when everything wider than a finger is
taken away are its fingers; the one that points is much longer than any other. Where it touches the board nothing is shifted by
its height: only what is seen of the tip's upper side is, some millimetres high, and that is taken back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.frame import Mask

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ShapeSettings:
    """Tunables; lengths in millimetres of the board.

    hand
        26..34: what is everywhere wider is a hand.
    widest
        21..24 that a finger is, as wide as its outline is told: two small ones side by side are 26.
    narrowest
        4..7: what is narrower is an edge's remainder. A pencil is 7 mm wide.
    shortest
        18..25 that a finger must stand out of the hand, and ``slender``, 1.2..1.6, times its own width.
    front
        30..60: how much nearer to where the arm comes in another part of the hand may be, at most, than the fingertip is.
    hand_mm
        70..100: fingers whose tips are nearer to each other are of one hand.
    alone
        0.5..0.7: how long another finger may be beside the one that points. A thumb reaches half as far.
    least_mm2
        400..900 mm² of a hand over the board.
    sleeveless_mm2
        2500..5000 mm² of a hand whose arm cannot be told from the board, so that it reaches in from nowhere.
    closed
        3..5: gaps of the mask that are closed.
    raised
        4..7: how high the outline of a fingertip lies that touches the board.
    pad
        5..8: how far behind its foremost point a finger touches the board.
    beside
        0..2 beyond a place's own radius: what is seen of a fingertip is told to some 4 mm.
    clearer, slanting
        5..8: how much farther away the next place must be, and 2..5 more of it for a camera at 45 degrees, for which a
        fingertip that is some millimetres higher than thought lies as many beside. The nearest two circles of a dense board
        are 16 apart.
    lead
        6..8: how much farther away it must be from the point ``pad`` behind the tip: where a finger touches is told to some
        4 mm, so between two places 16 apart either may be nearer by twice as much.
    """

    hand: float = 30.0
    widest: float = 23.0
    narrowest: float = 5.0
    shortest: float = 20.0
    slender: float = 1.5
    front: float = 45.0
    hand_mm: float = 90.0
    alone: float = 0.6
    least_mm2: float = 450.0
    sleeveless_mm2: float = 3500.0
    closed: float = 4.5
    raised: float = 5.0
    pad: float = 6.0
    beside: float = 1.5
    clearer: float = 6.0
    slanting: float = 3.0
    lead: float = 7.0


@dataclass(frozen=True)
class Places:
    """``asked``: the places that come into question, with board mm and radius (mm). ``others``: board mm of those like them
    that nobody asked for: a finger nearer to one of these points at no asked one. ``size_mm``: the board's; what ends beside it
    is an arm that leans there."""

    asked: Mapping[str, tuple[float, float, float]]
    size_mm: tuple[float, float]
    others: Sequence[tuple[float, float]] = field(default=())


@dataclass(frozen=True, slots=True)
class PointerLook:
    """What one picture shows. ``nothing``: no hand that could point. ``unclear``: one near the asked places that points at none
    of them surely. ``elsewhere``: a finger far from all of them. ``tip_mm``: where its tip touches the board."""

    found: Literal["nothing", "unclear", "elsewhere", "place"]
    place: str = ""
    tip_mm: tuple[float, float] | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Finger:
    """``tip`` and ``axis`` (from the root to the tip, unit length) in points of the raster, sizes in mm."""

    tip: tuple[float, float]
    axis: tuple[float, float]
    length: float
    width: float
    slender: bool


def pointer(
    over: Mask,
    inner: Mask,
    step_mm: float,
    origin_mm: tuple[float, float],
    places: Places,
    lean: Points,
    settings: ShapeSettings,
) -> PointerLook:
    """What a mask ``over`` the board shows of a finger. ``inner``: the points of the board that are
    in the picture, its border apart. ``lean`` (2): how far (mm) one
    millimetre of height shifts what is seen near the asked places, in board mm."""
    back = np.array(origin_mm) - settings.raised * lean
    found = [(one, np.array(one.tip) * step_mm + back) for one in _fingers(over, inner, step_mm, settings)]
    found = [(one, tip) for one, tip in found if (tip >= 0).all() and (tip <= places.size_mm).all()]
    if not found:
        return PointerLook("nothing")
    nearest = [_nearest(tip, np.array(one.axis), places, settings) for one, tip in found]
    close = [(*one, near) for one, near in zip(found, nearest, strict=True) if near is not None]
    best, tip = max(((one, tip) for one, tip, _ in close) if close else found, key=lambda one: one[0].length)
    at = (float(tip[0]), float(tip[1]))
    if not close:
        return PointerLook("elsewhere", tip_mm=at)
    place, distance, radius, next_mm, lead = next(near for one, _, near in close if one is best)
    rivals = [one for one, other in found if one is not best and np.hypot(*(other - tip)) < settings.hand_mm]
    if any(one.length > settings.alone * best.length and one.width >= settings.narrowest for one in rivals) or len(close) > 1:
        return PointerLook("unclear", tip_mm=at, why="fingers")
    if not best.slender:
        return PointerLook("unclear", tip_mm=at, why="hand")
    clearer = settings.clearer + settings.slanting * min(1.0, float(np.hypot(*lean)))
    if distance > radius + settings.beside or next_mm - distance < clearer or lead < settings.lead:
        return PointerLook("unclear", tip_mm=at, why="between")
    return PointerLook("place", place, at)


def _nearest(tip: Points, axis: Points, places: Places, own: ShapeSettings) -> tuple[str, float, float, float, float] | None:
    """The asked place nearest to where a finger touches the board, how far it is, its radius, how far the next place of any
    kind is, and how much nearer it is than any other to the point ``pad`` behind the tip; None where the tip is far from all
    that are asked."""
    away = {
        name: (_to_segment(np.array([x, y]), tip, tip - own.pad * axis), radius)
        for name, (x, y, radius) in places.asked.items()
    }
    name = min(away, key=lambda one: away[one][0], default=None)
    if name is None or away[name][0] > 2.5 * away[name][1]:
        return None
    distance, radius = away[name]
    rest = [far for other, (far, _) in away.items() if other != name]
    rest += [_to_segment(np.array(one), tip, tip - own.pad * axis) for one in places.others]
    others = [np.array([x, y]) for other, (x, y, _) in places.asked.items() if other != name]
    others += [np.array(one) for one in places.others]
    mine = np.array(places.asked[name][:2])
    ends = (tip, tip - own.pad * axis)
    lead = min(
        (float(np.hypot(*(one - end)) - np.hypot(*(mine - end))) for end in ends for one in others), default=float("inf")
    )
    return name, distance, radius, min(rest, default=float("inf")), lead


def _to_segment(point: Points, one: Points, other: Points) -> float:
    """How far a point lies from the line between two."""
    along = other - one
    share = float(np.clip(np.dot(point - one, along) / max(float(np.dot(along, along)), 1e-9), 0.0, 1.0))
    return float(np.hypot(*(point - one - share * along)))


def _disc(diameter: float, step_mm: float) -> NDArray[np.uint8]:
    side = max(1, round(diameter / step_mm)) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _fingers(over: Mask, inner: Mask, step_mm: float, own: ShapeSettings) -> list[_Finger]:
    """Every finger, of every hand that reaches in from the border."""
    mask = cv2.morphologyEx(over.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _disc(own.closed, step_mm))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    found: list[_Finger] = []
    for label in range(1, count):
        left, top, width, height, area = stats[label]
        if area * step_mm**2 < own.least_mm2:
            continue
        # A frame of nothing around it, so that opening does not take the border for an end.
        box = (slice(top, top + height), slice(left, left + width))
        mine = (labels[box] == label).astype(np.uint8)
        edge = ~inner[box] & (mine > 0)
        if not edge.any() and area * step_mm**2 < own.sleeveless_mm2:
            continue
        found += _of_hand(_filled(mine), edge, step_mm, own, (int(left), int(top)))
    return found


def _filled(mine: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A region without its holes."""
    outlines, _ = cv2.findContours(mine, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(np.zeros_like(mine), outlines, -1, 1, cv2.FILLED), np.uint8)


def _of_hand(hand: NDArray[np.uint8], edge: Mask, step_mm: float, own: ShapeSettings, at: tuple[int, int]) -> list[_Finger]:
    """The fingers of one region that touches the border at ``edge``; ``at``: its box's corner in the raster."""
    pad = round(own.hand / step_mm) + 2
    whole = cv2.copyMakeBorder(hand, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    rim = cv2.copyMakeBorder(edge.astype(np.uint8), pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    palm = cv2.morphologyEx(whole, cv2.MORPH_OPEN, _disc(own.hand, step_mm))
    solid = cv2.dilate(palm, _disc(3.0, step_mm))
    thin = ((whole > 0) & (solid == 0)).astype(np.uint8)
    # A finger comes out of the hand, or, where that is beside the board, over the border.
    near = cv2.dilate(cv2.bitwise_or(solid, rim), np.ones((3, 3), np.uint8))
    come = np.argwhere(rim > 0)[:, ::-1].mean(axis=0) if edge.any() else None
    reach = 0.0 if come is None else np.hypot(*(np.argwhere(whole > 0)[:, ::-1] - come).T).max()
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thin, connectivity=8)
    found: list[_Finger] = []
    for label in range(1, count):
        if stats[label][4] * step_mm**2 < own.narrowest * own.shortest:
            continue
        rows, columns = np.nonzero(labels == label)
        root = near[rows, columns] > 0
        if not root.any():
            continue
        points = np.column_stack([columns, rows]).astype(np.float64)
        finger = _measured(points, points[root].mean(axis=0), step_mm, own)
        if finger is not None and (come is None or np.hypot(*(finger.tip - come)) >= reach - own.front / step_mm):
            x, y = finger.tip
            found.append(_Finger((x - pad + at[0], y - pad + at[1]), finger.axis, finger.length, finger.width, finger.slender))
    return found


def _measured(points: Points, root: Points, step_mm: float, own: ShapeSettings) -> _Finger | None:
    """The finger that some points are, from its root on; None where they are too short for one."""
    away = points - root
    far = np.hypot(away[:, 0], away[:, 1])
    end = away[far >= np.quantile(far, 0.93)].mean(axis=0)
    axis = end / max(float(np.hypot(*end)), 1e-9)
    along = away @ axis
    length = (float(along.max()) + 1) * step_mm
    if length < own.shortest:
        return None
    across = away @ np.array([-axis[1], axis[0]])
    slices = [(across[chosen].min(), across[chosen].max(), int(chosen.sum())) for chosen in _slices(along, step_mm)]
    widths = np.array([(high - low + 1) * step_mm for low, high, _ in slices])
    filled = np.array([count * step_mm**2 for *_, count in slices]) / (widths * _SLICE_MM)
    # The tip itself is round, and towards its root a finger is raised and seen wider: the width counts between them.
    middle = widths[1:_BROAD] if len(widths) > 2 else widths
    width = float(np.median(middle))
    straight = bool((widths[: max(2, len(widths) * 2 // 3)] <= own.hand).all()) and float(np.median(filled)) > 0.7
    slender = straight and own.narrowest <= width <= own.widest and length >= own.slender * width
    tip = points[along >= along.max() - 1.5 / step_mm].mean(axis=0)
    return _Finger((float(tip[0]), float(tip[1])), (float(axis[0]), float(axis[1])), length, width, slender)


_SLICE_MM, _BROAD = 3.0, 10
"""The thickness of a slice across a finger, and the number of slices from the tip in which its width is measured."""


def _slices(along: Points, step_mm: float) -> list[NDArray[np.bool_]]:
    """Slices across a finger, from its tip on."""
    part = _SLICE_MM / step_mm
    found = [(along <= along.max() - n * part) & (along > along.max() - (n + 1) * part) for n in range(60)]
    return [one for one in found if one.any()]
