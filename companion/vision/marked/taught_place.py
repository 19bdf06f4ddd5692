"""One place compared closely with what it looked like when it was taught: aligned to a fraction of a millimetre, with the
light of the moment (also a lamp's reflection over it) taken out.

Two questions are answered so. *Does a tile lie under this disc?* Its marker is hidden, but parts of it stick out, and the
print of the board is gone there. *Does the place show its own print?* Then no tile lies on it, however bright the glare is.
Nothing here knows how a board or a tile is printed.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group
from companion.vision.frame import Mask
from companion.vision.marked.bare import BareBoard
from companion.vision.marked.rectify import patch
from companion.vision.marked.scene import Scene
from companion.vision.reading import Sighting

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
_FIT_POINTS, _FIT_ROUNDS = 1200, 6  # seven unknowns a colour; more change the prediction by less than the noise
_DARK, _GRAIN = 8.0, 0.02
"""Grey levels added to brightness, and shares of it to what is printed, so that noise in the dark is no drawing."""
_EDGE, _EDGE_SPREAD = 0.1, 1.645
"""0.08..0.12: share of a place that an edge may take up, be it as sharp as can be; and how far from the mean, in standard
deviations, so much of plain grain lies. The smallest sticker that is ever read takes up 0.16 of it."""
_LIGHT = np.array([1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]) * 1e-3


@dataclass(frozen=True, slots=True)
class TaughtSettings:
    """Tunables of the comparison with the taught place.

    scale
        1.5..3 patch pixels a millimetre.
    clear_mm
        1..2.5 mm kept free around pieces: their blurred edges and the error of where they were seen.
    around_mm
        8..15 mm beyond a tile's reach that tell the light and how the picture lies over the taught one.
    off_mm
        4..6 mm a tile may lie off its place's middle.
    shift_mm
        1.5..4 mm the taught picture is moved to fit: the registration's error here.
    aligned
        0.6..0.9 correlation of the surroundings with the taught ones, below which nothing is concluded.
    error_mm
        1.5..3 mm: with a registration of a larger standard error the shift would not reach.
    change, noise_factor, least_grey
        A pixel changed that differs by 0.06..0.2 natural logarithms and 3..6 times the noise and 2..6 grey levels from what
        the light would make of the taught one; so does one whose colours part by ``tint`` logarithms.
    inside_share, changed_mm2, unshadowed
        A tile may lie there when for some place of its middle 0.7..0.9 more of what would be tile has changed than of what
        would not, 100..160 mm² in all, and 0.35..0.5 more has changed as no shadow changes it. Path-traced bare places under
        discs have reached 0.97 and 350 mm² with 0.24 (a shadow), 0.97 and 189 mm² with 0.94 (a disc's colour).
    speaks
        0.1..0.2 of the same: with less, nothing speaks for a tile but what a shadow does as well. Of seven tiles below discs in
        hard shade told by elimination six had 0.2 and more, of three bare places nearly taken for such ones none above 0.03.
    plain_mm2
        220..300 mm²: with this much changed a tile lies there even if the rim alone does not say so.
    smallest_mm2
        20..40 mm² of the tile must be in sight.
    bare_mm2
        20..60 mm²: with less changed than this, and ``seen_mm2`` (200..400) in sight, no tile lies there.
    print_mm, print_match, print_grey
        The print within 10..14 mm of the middle, which any tile would hide, shows itself by a correlation of 0.75..0.9
        (composed tiles reached 0.44 at most), and by a standard deviation of 2..6 grey levels.
    print_share
        0.7..0.95 of it must not be burnt out.
    border_mm, border_share
        10..13 and 20..24 mm: what surrounds a place; 0.4..0.7 of it must be in sight and not burnt out. At the edges of arms
        its correlation was 0.64 at most, in reflections 0.84 and more.
    drawn, more_drawn
        0.05..0.12 of the brightness, and 1.1..1.5 times what the print has there: fine structure beyond which something else
        shows than faint print.
    plain
        0.02..0.04 of the brightness: print with less is none, and there ``more_drawn`` alone counts, with half the grain. Under
        a reflection (8824) stickers of five discs showed 0.057 to 0.075; of 13,656 bare places 99 % had 0.03 and less.
    own_match, faint_match
        0.6..0.8 and 0.5..0.6: correlation with the print below which what shows is another thing, the latter where the print is
        faint. Of 90 turn markers none had more than 0.59, and six of a pale one under that reflection 0.41 at most; of 639 bare
        places of theirs none had less than 0.8.
    glared_share
        0.4..0.7 of a place must not be burnt out for what is drawn there to tell.
    burnt
        Grey levels above which a colour says nothing any more.
    """

    scale: float = 2.0
    clear_mm: float = 1.5
    around_mm: float = 12.0
    off_mm: float = 5.0
    shift_mm: float = 3.0
    aligned: float = 0.7
    error_mm: float = 2.2
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
    print_mm: float = 13.0
    print_match: float = 0.8
    print_grey: float = 3.0
    print_share: float = 0.8
    border_mm: tuple[float, float] = (12.0, 22.0)
    border_share: float = 0.5
    drawn: float = 0.08
    more_drawn: float = 1.1
    plain: float = 0.03
    own_match: float = 0.75
    faint_match: float = 0.55
    glared_share: float = 0.5
    burnt: int = 249


@dataclass(frozen=True, slots=True)
class Beneath:
    """What shows around a disc. ``share``: how much more of a tile's area has changed than of its surroundings, for the
    tile's likeliest middle, and ``unshadowed`` the same of changes that no shadow makes; ``changed_mm2`` of ``seen_mm2``;
    ``quiet``: whether small changes would have been noticed."""

    share: float
    unshadowed: float
    changed_mm2: float
    seen_mm2: float
    quiet: bool

    def lies_under(self, settings: TaughtSettings, rim: bool | None) -> bool | None:
        """Whether a tile lies under the disc; None when that cannot be told. ``rim``: what its rim alone says.

        Shadows and a disc's colour mirrored in the varnish change a rim, too: the one darkens all colours alike, the other
        reaches only some millimetres.
        """
        looks_so = self.share >= settings.inside_share and self.changed_mm2 >= settings.changed_mm2
        if looks_so and self.unshadowed >= settings.unshadowed and (rim or self.changed_mm2 >= settings.plain_mm2):
            return True
        bare = self.quiet and self.changed_mm2 <= settings.bare_mm2 and self.seen_mm2 >= settings.seen_mm2
        return False if bare and not rim else None


def beneath(
    scene: Scene,
    spot: str,
    tile: Group,
    pieces: Iterable[Sighting],
    bare: BareBoard,
    settings: TaughtSettings,
) -> Beneath | None:
    """What shows of a place around the pieces that stand on it. None when it cannot be compared with what was taught."""
    laid = laid_over(scene, spot, tile, pieces, bare, settings, settings.clear_mm)
    if laid is None:
        return None
    visible, around, distance = laid.visible, laid.around, laid.distance
    outside, inner = visible & (distance > laid.outer_mm + settings.off_mm), min(tile.size_mm) / 2
    changed, unshadowed, threshold = _changed(laid.now, laid.before, outside, around, settings)
    changed, unshadowed = (_without_seams(mask & visible, ~visible) for mask in (changed, unshadowed))
    area = 1 / settings.scale**2
    near = distance <= laid.outer_mm + 0.7 * settings.off_mm
    shares = _best_shares(changed, unshadowed, visible, around, inner, settings)
    if shares is None:
        return None
    quiet = threshold <= 1.2 * settings.change
    return Beneath(*shares, float((changed & near).sum()) * area, float((visible & near).sum()) * area, quiet)


@dataclass(frozen=True, slots=True)
class Laid:
    """A place now and as it was taught, laid over one another: pictures ``now`` and ``before`` (H×W×3), what is ``visible`` of
    both (H×W), where its pixels lie ``around`` its middle (H×W×2 mm) and at what ``distance`` (H×W mm); half a tile is
    ``outer_mm`` wide."""

    now: Floats
    before: Floats
    visible: Mask
    around: Array
    distance: Array
    outer_mm: float


def laid_over(
    scene: Scene,
    spot: str,
    tile: Group,
    pieces: Iterable[Sighting],
    bare: BareBoard,
    settings: TaughtSettings,
    clear_mm: float,
) -> Laid | None:
    """A place laid over the taught one by what shows beside where a tile lies; ``clear_mm`` are kept free around pieces. None
    where that is not known, or too little of it shows."""
    outer = max(tile.size_mm) / 2
    half = outer + settings.around_mm
    if scene.registration.error_mm > settings.error_mm or not bare.shows(scene.board.mm(spot), outer):
        return None
    now, before, known = patches(scene, spot, bare, half, settings)
    around, steps = grid(half, settings.scale), steps_mm(half, settings.scale)
    x, y = scene.board.mm(spot)
    visible = known & ~scene.hidden_by(pieces, steps + x, steps + y, clear_mm)
    visible &= most(now) < settings.burnt
    distance = np.hypot(around[..., 0], around[..., 1])
    outside = visible & (distance > outer + settings.off_mm)
    if outside.sum() < 150 * settings.scale**2 / 4:
        return None
    match, shift = alignment(now, before, outside, settings)
    if match < settings.aligned:
        return None
    move = np.array([[1.0, 0, shift[0]], [0, 1.0, shift[1]]])
    before = np.asarray(cv2.warpAffine(before, move, before.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.float32)
    return Laid(now, before, visible, around, distance, outer)


def print_shows(scene: Scene, spot: str, bare: BareBoard, settings: TaughtSettings) -> bool:
    """Whether the middle of a place shows the print that was taught there, whatever shines on it."""
    return _matches(scene, spot, (), bare, (0.0, settings.print_mm), settings.print_share, settings)


def surroundings_show(
    scene: Scene, spot: str, pieces: Iterable[Sighting], bare: BareBoard, settings: TaughtSettings | None = None
) -> bool:
    """Whether the print around a place, its outline say, shows as it was taught, beside the pieces there: then nothing broad
    lies over the place, whatever light fell on it then or falls on it now."""
    settings = settings or TaughtSettings()
    return _matches(scene, spot, pieces, bare, settings.border_mm, settings.border_share, settings)


def _matches(
    scene: Scene,
    spot: str,
    pieces: Iterable[Sighting],
    bare: BareBoard,
    ring_mm: tuple[float, float],
    share: float,
    settings: TaughtSettings,
) -> bool:
    """Whether a ring about a place shows the print that was taught there, beside some pieces: a ``share`` of it is neither
    below them nor burnt out, and that is drawn and is like it."""
    inner, outer = ring_mm
    if scene.registration.error_mm > settings.error_mm or not bare.shows(scene.board.mm(spot), outer):
        return False
    half = outer + settings.shift_mm
    now, before, known = patches(scene, spot, bare, half, settings)
    steps = steps_mm(half, settings.scale)
    distance, (x, y) = np.hypot(steps, steps[:, None]), scene.board.mm(spot)
    around = known & (distance >= inner) & (distance <= outer)
    beside = ~scene.hidden_by(pieces, steps + x, steps + y, settings.clear_mm)
    clear = around & beside & (middling(now) < settings.burnt)
    if clear.sum() < share * around.sum() or _fine(now, clear, settings)[clear].std() < settings.print_grey:
        return False
    return alignment(now, before, clear, settings)[0] >= settings.print_match


def looks_bare(scene: Scene, spot: str, bare: BareBoard, radius_mm: float, settings: TaughtSettings | None = None) -> bool:
    """Whether nothing with a sticker on it lies within a radius of a place: one too small, blurred or dark to be read still
    shows more than plain print does, and nothing like what is drawn there."""
    settings = settings or TaughtSettings()
    if not bare.shows(scene.board.mm(spot), radius_mm):
        return False
    half = radius_mm + settings.shift_mm
    now, before, known = patches(scene, spot, bare, half, settings)
    around = grid(half, settings.scale)
    inside = known & (np.hypot(around[..., 0], around[..., 1]) <= radius_mm)
    clear = inside & (middling(now) < settings.burnt)
    seen = clear.sum() / max(int(inside.sum()), 1)
    if seen < settings.glared_share:
        return False
    shown = [_fine(one, clear, settings)[clear] / (one[clear].mean() + _DARK) for one in (now, before)]
    drawn, printed = (float(one.std()) for one in shown)
    plain = printed < settings.plain
    least, grain = (0.0, _GRAIN / 2) if plain else (settings.drawn, _GRAIN)
    faint = max(least, settings.more_drawn * (printed + grain))
    if plain and drawn > faint:  # the edge of a neighbour's shadow that reaches in is no drawing: what is drawn takes up more
        drawn = float(np.quantile(np.abs(shown[0]), 1 - _EDGE)) / _EDGE_SPREAD
    if printed < settings.drawn and drawn <= faint:
        # A sticker may be as pale under a reflection, but hardly like the print; and what is burnt out shows neither.
        own = plain or alignment(now, before, clear, settings)[0] >= settings.faint_match
        return bool(own and seen >= settings.print_share)
    return alignment(now, before, clear, settings)[0] >= settings.own_match


# --- steps ----------------------------------------------------------------------------------------------------------


def grid(half: float, scale: float) -> Array:
    """Millimetres (H×W×2) from the middle of a patch."""
    steps = steps_mm(half, scale)
    return np.stack(np.meshgrid(steps, steps), axis=-1)


def steps_mm(half: float, scale: float) -> Array:
    """Millimetres of a patch's columns, and of its rows, from its middle."""
    return np.asarray((np.arange(round(2 * half * scale)) + 0.5) / scale - half, np.float64)


def patches(scene: Scene, spot: str, bare: BareBoard, half: float, settings: TaughtSettings) -> tuple[Floats, Floats, Mask]:
    """A place as it is now and as it was taught (H×W×3 each), slightly smoothed, and where it was taught at all."""
    x, y = scene.board.mm(spot)
    scale, size = settings.scale, round(2 * half * settings.scale)
    now = patch(scene.image, scene.registration, (x, y), half_mm=half, scale=scale)
    # Both grids put pixel centres on halves.
    matrix = np.array([[scale, 0, 0.5 * scale - 0.5 - (x - half) * scale], [0, scale, 0.5 * scale - 0.5 - (y - half) * scale]])
    taught = cv2.warpAffine(bare.picture, matrix, (size, size), borderMode=cv2.BORDER_REPLICATE)
    known = cv2.warpAffine(bare.valid.astype(np.uint8), matrix, (size, size), borderValue=(0,)) > 0
    smooth = [np.asarray(cv2.GaussianBlur(p.astype(np.float32), (0, 0), 0.7 * scale), np.float32) for p in (now, taught)]
    return smooth[0], smooth[1], np.asarray(known, np.bool_)


def _fine(picture: Floats, shown: Mask, settings: TaughtSettings) -> Floats:
    """The fine structure (H×W) of a picture: brightness less its mean over some millimetres of what is shown."""
    grey, weight = picture.mean(axis=2), shown.astype(np.float32)
    wide = 4.0 * settings.scale
    mean = cv2.GaussianBlur(grey * weight, (0, 0), wide) / np.maximum(cv2.GaussianBlur(weight, (0, 0), wide), 1e-3)
    return np.asarray(grey - mean, np.float32)


def alignment(now: Floats, before: Floats, shown: Mask, settings: TaughtSettings) -> tuple[float, tuple[int, int]]:
    """Best correlation of what is shown with the taught picture, and how far (x, y pixels) that must be moved for it."""
    reach = round(settings.shift_mm * settings.scale)
    inner = slice(reach, -reach)
    mask = shown[inner, inner].astype(np.float32)
    everywhere = np.ones_like(shown)
    here, taught = _fine(now, shown, settings)[inner, inner], _fine(before, everywhere, settings)
    scores = cv2.matchTemplate(taught, np.ascontiguousarray(here), cv2.TM_CCOEFF_NORMED, mask=mask)
    scores[~np.isfinite(scores)] = -1.0
    _, match, _, at = cv2.minMaxLoc(scores)
    return float(match), (reach - at[0], reach - at[1])


def _changed(now: Floats, before: Floats, outside: Mask, around: Array, settings: TaughtSettings) -> tuple[Mask, Mask, float]:
    """Which pixels (H×W) are not what the light makes of the taught picture; which of them are no shadow, which darkens all
    colours alike; and how many logarithms had to differ.

    The light: what falls on the board multiplies its print, what the varnish mirrors is added to it and changes slowly.
    """
    x, y = around[..., 0] / 30.0, around[..., 1] / 30.0
    mirrored = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    fitted = np.flatnonzero(outside)[:: max(1, int(outside.sum()) // _FIT_POINTS)]
    expected = np.zeros_like(now)
    for channel in range(3):
        taught, here = before[..., channel] / 50.0, now[..., channel]
        basis = np.column_stack([taught.reshape(-1)[fitted], mirrored.reshape(-1, 6)[fitted]])
        values = here.reshape(-1)[fitted].astype(np.float64)
        weight = np.ones(len(values))
        for _ in range(_FIT_ROUNDS):
            weighted = basis * weight[:, None]
            # A little ridge: a street of one brightness does not tell how much of the light is mirrored.
            fit = np.linalg.solve(weighted.T @ basis + np.diag(_LIGHT) * len(values), weighted.T @ values)
            left = values - basis @ fit
            spread = 4.0 * max(1.4826 * float(np.median(np.abs(left))), 0.7)
            weight = np.clip(1 - (left / spread) ** 2, 0, None) ** 2
        expected[..., channel] = fit[0] * taught + mirrored @ fit[1:]
    change = np.asarray(cv2.log((now + 4.0) / (np.maximum(expected, 0.0) + 4.0)), np.float32)
    off = np.abs(change)
    noise = 1.4826 * max(float(np.median(off[..., channel].reshape(-1)[fitted])) for channel in range(3))
    threshold = max(settings.change, settings.noise_factor * noise)
    parted = most(change) + most(-change) > max(settings.tint, settings.noise_factor * noise)
    grey = most(np.abs(now - expected)) > settings.least_grey
    unshadowed = ((most(change) > threshold) | parted) & grey
    return np.asarray(((most(off) > threshold) & grey) | unshadowed, np.bool_), np.asarray(unshadowed, np.bool_), threshold


def most(colours: Floats) -> Floats:
    """The largest of the three colours' values (H×W), faster than along a short axis."""
    return np.asarray(np.maximum(np.maximum(colours[..., 0], colours[..., 1]), colours[..., 2]), np.float32)


def middling(colours: Floats) -> Floats:
    """The middle one of the three colours' values (H×W): in a lamp's warm light red burns out long before a drawing does."""
    one, two, three = colours[..., 0], colours[..., 1], colours[..., 2]
    return np.asarray(np.maximum(np.minimum(one, two), np.minimum(np.maximum(one, two), three)), np.float32)


def _without_seams(changed: Mask, hidden: Mask) -> Mask:
    """Changes without thin lines: those are edges that lie a little off. Behind a piece a change may go on."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    opened = cv2.morphologyEx((changed | hidden).astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0
    return np.asarray(opened & changed, np.bool_)


def _best_shares(
    changed: Mask, unshadowed: Mask, visible: Mask, around: Array, inner_mm: float, settings: TaughtSettings
) -> tuple[float, float] | None:
    """For the likeliest middle of a tile: share of its area that has changed, less that of its surroundings; the same of what
    has changed otherwise than by a shadow."""
    # Every second pixel in both directions: half a patch pixel more or less of a tile says nothing.
    thin = (slice(None, None, 2), slice(None, None, 2))
    seen = visible[thin]
    where = around[thin][seen]
    masks = np.column_stack([changed[thin][seen], unshadowed[thin][seen]]).astype(np.float32)
    steps = np.arange(-settings.off_mm, settings.off_mm + 0.1, settings.off_mm / 3)
    middles = np.array([(x, y) for x in steps for y in steps if np.hypot(x, y) <= settings.off_mm + 0.1])
    squared = ((where[None] - middles[:, None]) ** 2).sum(axis=2)
    inside = squared <= inner_mm**2
    beyond = (squared > (inner_mm + 4.0) ** 2) & (squared < (inner_mm + 12.0) ** 2)
    area = 4 / settings.scale**2
    enough = (inside.sum(axis=1) * area >= settings.smallest_mm2) & (beyond.sum(axis=1) * area >= 25.0)
    if not enough.any():
        return None
    shares = [area @ masks / np.maximum(area.sum(axis=1), 1)[:, None] for area in (inside, beyond)]
    gain = shares[0] - shares[1]
    best = int(np.where(enough, gain[:, 0], -np.inf).argmax())
    return float(gain[best, 0]), float(gain[best, 1])
