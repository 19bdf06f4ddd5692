"""The changed area around a disc: a tile below it has its marker hidden, but parts of it stick out and replace the print.

The place is laid over what it looked like when it was taught (``patch_alignment.py``), and the light of the moment is taken
out, also a lamp's reflection over it. Nothing here knows how a board or a tile is printed.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.boards import Group
from companion.vision.frame import Mask
from companion.vision.marked.background import BackgroundModel
from companion.vision.marked.light_fit import quadratic_terms, robust_fit
from companion.vision.marked.patch_alignment import AlignmentSettings, Array, Floats, align_patch, most
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.reading import Sighting

_FIT_POINTS, _FIT_ROUNDS = 1200, 6  # seven unknowns a colour; more change the prediction by less than the noise
_LEAST_SPREAD = 0.7  # grey levels
_RIDGE = np.array([1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]) * 1e-3


@dataclass(frozen=True, slots=True)
class ChangedAreaSettings:
    """Tunables of what counts as changed around a piece, and of what that says; how the place is laid over the taught one is
    :class:`AlignmentSettings`.

    change, noise_factor, least_grey
        A pixel changed that differs by 0.06..0.2 natural logarithms and 3..6 times the noise and 2..6 grey levels from what
        the light would make of the taught one; so does one whose colours part by ``tint`` logarithms.
    inside_share, changed_mm2, unshadowed
        A tile may lie there when for some place of its middle 0.7..0.9 more of what would be tile has changed than of what
        would not, 100..160 mm² in all, and 0.35..0.5 more has changed as no shadow changes it. Path-traced bare places under
        discs have reached 0.97 and 350 mm² with 0.24 (a shadow), 0.97 and 189 mm² with 0.94 (a disc's colour).
    speaks
        0.1..0.2 of the same: with less, nothing speaks for a tile but what a shadow does as well.
    plain_mm2
        220..300 mm²: with this much changed a tile lies there even if the rim alone does not say so.
    smallest_mm2
        20..40 mm² of the tile must be in sight.
    bare_mm2
        20..60 mm²: with less changed than this, and ``seen_mm2`` (200..400) in sight, no tile lies there.
    """

    change: float = 0.1
    noise_factor: float = 4.0
    tint: float = 0.08
    least_grey: float = 4.0
    inside_share: float = 0.8
    changed_mm2: float = 110.0
    unshadowed: float = 0.4
    speaks: float = 0.15
    plain_mm2: float = 240.0
    smallest_mm2: float = 25.0
    bare_mm2: float = 40.0
    seen_mm2: float = 300.0


@dataclass(frozen=True, slots=True)
class ChangedArea:
    """What shows around a disc. ``share``: how much more of a tile's area has changed than of its surroundings, for the
    tile's likeliest middle, and ``unshadowed`` the same of changes that no shadow makes; ``changed_mm2`` of ``seen_mm2``;
    ``quiet``: whether small changes would have been noticed."""

    share: float
    unshadowed: float
    changed_mm2: float
    seen_mm2: float
    quiet: bool

    def lies_under(self, settings: ChangedAreaSettings, rim: bool | None) -> bool | None:
        """Whether a tile lies under the disc; None when that cannot be told. ``rim``: what its rim alone says.

        Shadows and a disc's colour mirrored in the varnish change a rim, too: the one darkens all colours alike, the other
        reaches only some millimetres.
        """
        looks_so = self.share >= settings.inside_share and self.changed_mm2 >= settings.changed_mm2
        if looks_so and self.unshadowed >= settings.unshadowed and (rim or self.changed_mm2 >= settings.plain_mm2):
            return True
        bare = self.quiet and self.changed_mm2 <= settings.bare_mm2 and self.seen_mm2 >= settings.seen_mm2
        return False if bare and not rim else None


def changed_area(
    registered: RegisteredImage,
    spot: str,
    tile: Group,
    pieces: Iterable[Sighting],
    bare: BackgroundModel,
    settings: ChangedAreaSettings,
    laying: AlignmentSettings,
) -> ChangedArea | None:
    """What shows of a place around the pieces that stand on it. None when it cannot be compared with what was taught."""
    laid = align_patch(registered, spot, tile, pieces, bare, laying, laying.clear_mm)
    if laid is None:
        return None
    visible, around, distance = laid.visible, laid.around, laid.distance
    outside, inner = visible & (distance > laid.outer_mm + laying.off_mm), min(tile.size_mm) / 2
    changed, unshadowed, threshold = _changed(laid.now, laid.before, outside, around, settings)
    changed, unshadowed = (_without_seams(mask & visible, ~visible) for mask in (changed, unshadowed))
    area = 1 / laying.scale**2
    near = distance <= laid.outer_mm + 0.7 * laying.off_mm
    shares = _best_shares(changed, unshadowed, visible, around, inner, settings, laying)
    if shares is None:
        return None
    quiet = threshold <= 1.2 * settings.change
    return ChangedArea(*shares, float((changed & near).sum()) * area, float((visible & near).sum()) * area, quiet)


def _changed(
    now: Floats, before: Floats, outside: Mask, around: Array, settings: ChangedAreaSettings
) -> tuple[Mask, Mask, float]:
    """Which pixels (H×W) are not what the light makes of the taught picture; which of them are no shadow, which darkens all
    colours alike; and how many logarithms had to differ.

    The light: what falls on the board multiplies its print, what the varnish mirrors is added to it and changes slowly.
    """
    x, y = around[..., 0] / 30.0, around[..., 1] / 30.0
    mirrored = quadratic_terms(x, y)
    fitted = np.flatnonzero(outside)[:: max(1, int(outside.sum()) // _FIT_POINTS)]
    expected = np.zeros_like(now)
    for channel in range(3):
        taught, here = before[..., channel] / 50.0, now[..., channel]
        basis = np.column_stack([taught.reshape(-1)[fitted], mirrored.reshape(-1, 6)[fitted]])
        values = here.reshape(-1)[fitted].astype(np.float64)
        # A little ridge: a street of one brightness does not tell how much of the light is mirrored.
        fit = robust_fit(basis, values, np.ones(len(values)), ridge=_RIDGE, least=_LEAST_SPREAD, rounds=_FIT_ROUNDS)
        expected[..., channel] = fit[0] * taught + mirrored @ fit[1:]
    change = np.asarray(cv2.log((now + 4.0) / (np.maximum(expected, 0.0) + 4.0)), np.float32)
    off = np.abs(change)
    noise = 1.4826 * max(float(np.median(off[..., channel].reshape(-1)[fitted])) for channel in range(3))
    threshold = max(settings.change, settings.noise_factor * noise)
    parted = most(change) + most(-change) > max(settings.tint, settings.noise_factor * noise)
    grey = most(np.abs(now - expected)) > settings.least_grey
    unshadowed = ((most(change) > threshold) | parted) & grey
    return np.asarray(((most(off) > threshold) & grey) | unshadowed, np.bool_), np.asarray(unshadowed, np.bool_), threshold


def _without_seams(changed: Mask, hidden: Mask) -> Mask:
    """Changes without thin lines: those are edges that lie a little off. Behind a piece a change may go on."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    opened = cv2.morphologyEx((changed | hidden).astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0
    return np.asarray(opened & changed, np.bool_)


def _best_shares(
    changed: Mask,
    unshadowed: Mask,
    visible: Mask,
    around: Array,
    inner_mm: float,
    settings: ChangedAreaSettings,
    laying: AlignmentSettings,
) -> tuple[float, float] | None:
    """For the likeliest middle of a tile: share of its area that has changed, less that of its surroundings; the same of what
    has changed otherwise than by a shadow."""
    # Every second pixel in both directions: half a patch pixel more or less of a tile says nothing.
    thin = (slice(None, None, 2), slice(None, None, 2))
    seen = visible[thin]
    where = around[thin][seen]
    masks = np.column_stack([changed[thin][seen], unshadowed[thin][seen]]).astype(np.float32)
    steps = np.arange(-laying.off_mm, laying.off_mm + 0.1, laying.off_mm / 3)
    middles = np.array([(x, y) for x in steps for y in steps if np.hypot(x, y) <= laying.off_mm + 0.1])
    squared = ((where[None] - middles[:, None]) ** 2).sum(axis=2)
    inside = squared <= inner_mm**2
    beyond = (squared > (inner_mm + 4.0) ** 2) & (squared < (inner_mm + 12.0) ** 2)
    area = 4 / laying.scale**2
    enough = (inside.sum(axis=1) * area >= settings.smallest_mm2) & (beyond.sum(axis=1) * area >= 25.0)
    if not enough.any():
        return None
    shares = [area @ masks / np.maximum(area.sum(axis=1), 1)[:, None] for area in (inside, beyond)]
    gain = shares[0] - shares[1]
    best = int(np.where(enough, gain[:, 0], -np.inf).argmax())
    return float(gain[best, 0]), float(gain[best, 1])
