"""Which of several stickers with one number lies beside the board: a sheet of spare ones in view shows each of them again.

The four that were laid round the board fit each other; a spare one fits none of them. Where two sets fit equally well nothing
tells which is the board's.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from companion.boards import PieceSet
from companion.vision.camera import Registration
from companion.vision.marked.markers import Marker

Finds = dict[int, tuple[Marker, ...]]
Seen = Mapping[int, Marker]

MOST_FINDS = 3
"""So many of one number are tried; of more none is, but where the last registration expects it. It bounds the pairs to 54."""
ROUGHLY_MM = 30.0
"""20..40 mm: how far off the pose of two stickers puts a third. Most spare ones lie farther off."""
GLANCE = 0.35
"""0.25..0.5 of how far two stickers lie apart, by which the mean of what each tells of the other may be off: each by its
own sides in the picture, which perspective makes smaller the farther they are. Only pairs that pass are worth a pose."""


def frame_finds(markers: Sequence[Marker], pieces: PieceSet) -> Finds:
    """By number, every frame marker among those found; one that was found twice at one place counts once."""
    finds: dict[int, list[Marker]] = {}
    for marker in markers:
        if marker.id in pieces.frame_markers:
            mine = finds.setdefault(marker.id, [])
            if all(np.linalg.norm(marker.centre - other.centre) > marker.side_px / 2 for other in mine):
                mine.append(marker)
    return {marker: tuple(mine) for marker, mine in finds.items()}


def have_duplicates(finds: Finds) -> bool:
    """Whether some number is in sight more than once."""
    return any(len(mine) > 1 for mine in finds.values())


def only_ones(finds: Finds) -> dict[int, Marker]:
    """The frame markers of which only one is in sight."""
    return {marker: mine[0] for marker, mine in finds.items() if len(mine) == 1}


def off_mm(marker: Marker, pose: Registration, pieces: PieceSet) -> float:
    """How far (board mm) a frame marker lies from where a pose expects it."""
    printed = pieces.frame_markers[marker.id]
    return float(np.linalg.norm(pose.locate(marker.centre, printed.height_mm)[0] - printed.centre_mm))


def nearest(finds: Finds, pose: Registration, pieces: PieceSet, within_mm: float = np.inf) -> dict[int, Marker]:
    """Of each number the marker nearest to where a pose expects it, if it lies ``within_mm`` of there."""
    chosen = {marker: min(mine, key=lambda one: off_mm(one, pose, pieces)) for marker, mine in finds.items()}
    return {marker: one for marker, one in chosen.items() if off_mm(one, pose, pieces) <= within_mm}


def fitting_sets(
    finds: Finds, pieces: PieceSet, solve: Callable[[Seen], Registration | None], within_mm: float
) -> list[dict[int, Marker]]:
    """Sets of frame markers, one of each number, that may lie round one board; each begun by two that fit each other.

    ``solve`` gives the pose of a set; ``within_mm``: how far off it a marker may lie that belongs to the set.
    """
    finds = {marker: mine for marker, mine in finds.items() if len(mine) <= MOST_FINDS}
    sets: dict[frozenset[int], dict[int, Marker]] = {}
    for one, other in combinations(finds, 2):
        for pair in product(finds[one], finds[other]):
            pose = solve({one: pair[0], other: pair[1]}) if _may_belong(*pair, pieces) else None
            if pose is None or max(off_mm(marker, pose, pieces) for marker in pair) > within_mm:
                continue
            others = {marker: mine for marker, mine in finds.items() if marker not in (one, other)}
            fits = {one: pair[0], other: pair[1], **nearest(others, pose, pieces, ROUGHLY_MM)}
            sets[frozenset(id(marker) for marker in fits.values())] = fits
    return list(sets.values())


def only_pose(found: Sequence[tuple[Registration, int]], corners_mm: NDArray[np.float64]) -> Registration | None:
    """The pose (each given with how many markers it rests on) that most markers speak for; None where two poses that put the
    board's corners (N×2 mm) at different places rest on as many."""
    most = max((count for _, count in found), default=0)
    rivals = [pose for pose, count in found if count == most]
    if not rivals:
        return None
    best = min(rivals, key=lambda pose: pose.error_mm)
    for other in rivals:
        apart = np.linalg.norm(other.locate(best.project(corners_mm)) - corners_mm, axis=1)
        if float(apart.max()) > 2 * (best.error_mm + other.error_mm):
            return None
    return best


def _may_belong(one: Marker, other: Marker, pieces: PieceSet) -> bool:
    """Whether two frame markers lie apart about as they were printed, at a glance."""
    first, second = pieces.frame_markers[one.id], pieces.frame_markers[other.id]
    printed = np.subtract(second.centre_mm, first.centre_mm)
    there = _across(one, first.side_mm, other.centre)
    back = _across(other, second.side_mm, one.centre)
    off = (there - back) / 2 - printed
    return float(np.hypot(*off)) <= GLANCE * float(np.hypot(*printed))


def _across(marker: Marker, side_mm: float, at_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """The way (x, y mm) from a marker to a point of the picture, measured by its own sides as if there were no perspective."""
    a, b, c, d = marker.corners
    sides = np.column_stack([(b - a + c - d) / 2, (d - a + c - b) / 2])
    if abs(float(np.linalg.det(sides))) < 1.0:
        return np.zeros(2)
    return np.asarray(np.linalg.solve(sides, at_px - marker.centre) * side_mm, np.float64)
