"""Where taught faces may lie, at any turn, by what is drawn finely on them: of pale cards on a pale mat, and of several cards
upon each other, the outline of a change tells too little."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.cards.drawing import HALF, finely
from companion.vision.cards.sight import Sight
from companion.vision.cards.view import HEIGHT, INSET_MM, WIDTH, CardPose, Floats

_STEP_DEG, _RIM_PX = 10.0, 20
"""The turns that are tried, so far apart: the fit bridges half of it; how many pixels (of half the canonical size) a card may
reach beyond what has changed, both sides together: of a pale one only print shows."""
_BROAD = 9
"""Pixels (of half the canonical size) over which what is broad is taken out."""
_LEAST_ALIKE, _MOST_PLACES = 0.3, 6
"""The correlation from which a place may be one; how many are told."""
_ONE_PLACE_MM, _ONE_TURN_DEG = 10.0, 12.0
"""How far apart two poses are of one place."""


class ViewBox(NamedTuple):
    """A rectangle of view pixels, its far edges within it."""

    left: float
    top: float
    right: float
    bottom: float


def print_of(half: Floats) -> Floats:
    """What is drawn finely on a picture of half the canonical size (Lab, h×w×3)."""
    return finely(np.ascontiguousarray(half[..., 0]), _BROAD)


def poses_by_print(prints: Sequence[Floats], sight: Sight, box: ViewBox) -> list[tuple[int, CardPose]]:
    """The poses at which one of some ``prints`` (of :func:`print_of`) correlates best with what a part of the view shows, one
    for each place, with the number of that print, the most alike first."""
    if not prints:
        return []
    found = [entry for turn in np.arange(-180.0, 180.0, _STEP_DEG) for entry in _at_turn(prints, sight, box, float(turn))]
    found.sort(key=lambda entry: -entry[0])
    kept: list[tuple[int, CardPose]] = []
    for alike, number, pose in found:
        if len(kept) >= _MOST_PLACES or alike < _LEAST_ALIKE:
            break
        if not any(pose.about(other, _ONE_PLACE_MM, _ONE_TURN_DEG) for _, other in kept):
            kept.append((number, pose))
    return kept


def _at_turn(prints: Sequence[Floats], sight: Sight, box: ViewBox, turn: float) -> list[tuple[float, int, CardPose]]:
    """For each print the best correlation at one turn (degrees), its number, and the pose."""
    grid = sight.grid
    matrix, size = _turned(sight, box, turn)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    light = cv2.extractChannel(sight.view, 0)
    seen = cv2.warpAffine(light, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    drawn = finely(np.asarray(seen, np.float32), _BROAD)
    if sight.hidden is not None:
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        drawn[cv2.warpAffine(sight.hidden.astype(np.uint8), matrix, size, flags=flags) > 0] = 0
    found: list[tuple[float, int, CardPose]] = []
    for number, one in enumerate(prints):
        _, alike, _, at = cv2.minMaxLoc(cv2.matchTemplate(drawn, one, cv2.TM_CCOEFF_NORMED))
        rows, columns = one.shape
        middle = matrix[:, :2] @ (at[0] + (columns - 1) / 2, at[1] + (rows - 1) / 2) + matrix[:, 2]
        x, y = grid.mm(middle[None])[0].tolist()
        found.append((alike, number, CardPose(x, y, turn)))
    return found


def _turned(sight: Sight, box: ViewBox, turn: float) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """The affine map (2×3) to view pixels from those of a picture of half the canonical size in which a card turned so is
    upright, and how large that picture has to be to show the box."""
    grid = sight.grid
    angle = np.radians(turn)
    upright = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    wide, tall = (HALF * (side - 2 * INSET_MM) / many for side, many in zip(sight.size_mm, (WIDTH, HEIGHT), strict=True))
    scale = upright * np.array([wide, tall]) * grid.scale
    reach = np.abs(np.linalg.inv(scale)) @ (box.right - box.left, box.bottom - box.top)
    size = (
        max(int(np.ceil(reach[0])), WIDTH // HALF) + _RIM_PX,
        max(int(np.ceil(reach[1])), HEIGHT // HALF) + _RIM_PX,
    )
    middle = np.array([box.left + box.right, box.top + box.bottom]) / 2
    return np.column_stack([scale, middle - scale @ ((size[0] - 1) / 2, (size[1] - 1) / 2)]), size
