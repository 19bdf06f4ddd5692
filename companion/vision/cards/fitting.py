"""Where a taught picture lies over a view closely: its turn, size and shift."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import atan2, degrees, hypot

import cv2
import numpy as np

from companion.vision.cards.drawing import HALF, fine_drawing
from companion.vision.cards.relight import lit, middle
from companion.vision.cards.sight import Sight
from companion.vision.cards.template import Template
from companion.vision.cards.view import HEIGHT, WIDTH, CardPose, Floats, cells

Hypotheses = list[tuple[Template, CardPose]]
_REACH, _CLEARLY = 8, 0.05
"""Canonical pixels to each side in which a card's drawing is sought before the fit; by how much the correlation must be better
there than where it was expected."""
_MOST_ASTRAY_MM, _MOST_LARGER = 12.0, 0.15
"""How far a fit may move a pose, and change its size."""
_FEW, _EVERY = 2, 3
"""Rounds after which it is asked which hypotheses are worth more; of how many pixels one is asked for the light meanwhile (no
divisor of a row, so that all columns are asked)."""
_HOLD = np.diag([1e3, 1e3, 1.0, 1.0]).astype(np.float32)
"""How size, turn and shift are held where they are."""
_STILL_PX, _STILL = 0.05, 0.002
"""Steps (canonical pixels; shares of the size, radians) below which a fit has come to rest."""


def fitted(
    sight: Sight,
    likely: Sequence[tuple[Template, CardPose]],
    rounds: int,
    worth: Callable[[Hypotheses], Sequence[bool]] | None = None,
) -> Hypotheses:
    """Poses drawn to where each template lies over the picture closely: least squares over turn, size and shift, in which
    what is not as taught counts less and less. ``worth``: which of them are worth more than a few rounds."""
    found = [_sought(sight, template, pose) for template, pose in likely]
    moving = list(range(len(likely)))
    for round_ in range(rounds):
        if round_ == _FEW and worth is not None and len(likely) > 1:
            go_on = worth([(template, pose) for (template, _), pose in zip(likely, found, strict=True)])
            moving = [number for number in moving if go_on[number]]
        if not moving:
            break
        patch = np.stack([cells(sight.cut(found[n]), HALF) for n in moving])
        seen = np.stack([sight.in_sight(found[n], HALF) for n in moving])
        rest = patch - lit(np.stack([likely[n][0].half for n in moving]), patch, seen, 2, every=_EVERY)[0]
        still = []
        for row, number in enumerate(moving):
            (template, start), pose = likely[number], found[number]
            larger, turned, right, down = _step(template, rest[row], seen[row])
            matrix = sight.grid.to_view(pose, sight.size_mm)[:, :2]
            shift = -(matrix @ (right, down)) / sight.grid.scale
            angle = atan2(matrix[1, 0], matrix[0, 0])
            pose = CardPose(
                pose.x + float(shift[0]), pose.y + float(shift[1]), degrees(angle - turned), pose.scale * (1 - larger)
            )
            astray = hypot(pose.x - start.x, pose.y - start.y)
            if astray > _MOST_ASTRAY_MM or abs(pose.scale / start.scale - 1) > _MOST_LARGER:
                found[number] = start
                continue
            found[number] = pose
            if hypot(right, down) >= _STILL_PX or max(abs(larger), abs(turned)) >= _STILL:
                still.append(number)
        moving = still
    return [(template, pose) for (template, _), pose in zip(likely, found, strict=True)]


def _step(template: Template, rest: Floats, seen: Floats) -> tuple[float, float, float, float]:
    """How the picture is the template changed, by what is left (h×w×3) of it in its light: larger, turned, shifted right and
    down. The card lies where the template would have to be moved to."""
    open_ = seen > 0.5
    scale = 1.5 * middle(np.abs(rest[open_]).reshape(-1)) + 2.0 if open_.any() else 1.0
    weight = seen[..., None] / (1 + np.square(rest / (2 * scale))) ** 2
    weighted = template.ways * weight.reshape(-1, 1)
    normal = weighted.T @ template.ways + _HOLD
    larger, turned, right, down = np.linalg.solve(normal, weighted.T @ rest.reshape(-1)).tolist()
    return larger, turned, right, down


def _sought(sight: Sight, template: Template, pose: CardPose) -> CardPose:
    """A pose shifted to where the fine drawing agrees best: beside it lines of print may lie upon the wrong lines, and no
    small step leads from there."""
    matrix = sight.grid.to_view(pose, sight.size_mm)
    wider = matrix.copy()
    wider[:, 2] -= matrix[:, :2] @ (_REACH, _REACH)
    size, flags = (WIDTH + 2 * _REACH, HEIGHT + 2 * _REACH), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(sight.view, wider, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    drawn = fine_drawing(np.asarray(seen, np.float32))
    if sight.hidden is not None:
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        drawn[cv2.warpAffine(sight.hidden.astype(np.uint8), wider, size, flags=flags) > 0] = 0
    alike = cv2.matchTemplate(drawn, template.drawn, cv2.TM_CCOEFF_NORMED)
    _, most, _, at = cv2.minMaxLoc(alike)
    if most < float(alike[_REACH, _REACH]) + _CLEARLY:
        return pose
    x, y = matrix[:, :2] @ (at[0] - _REACH, at[1] - _REACH) / sight.grid.scale
    return replace(pose, x=pose.x + float(x), y=pose.y + float(y))
