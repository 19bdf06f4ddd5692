"""The second look: find a marker that plain detection missed, at a place where one may lie.

Plain detection needs a clean closed outline. Here the place, the height and the size are known, so the neighbourhood is
straightened and compared with what a marker looks like: first a dark square ring in a light one, at any turn (which says
*where* and *that* there is a marker; ``glance.py`` says roughly where), then the bits against every id of the dictionary (which
says *which*).
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group
from companion.vision.marked.glance import Glance
from companion.vision.marked.markers import Marker, cells_across, codes
from companion.vision.marked.mixed_cells import mixed_codes, mixing
from companion.vision.marked.rectify import SQUARE, patch, samples
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.rings import likeness, rings
from companion.vision.marked.sharpness import spread_px

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
_SAMPLES = np.array([1.5, 2.5]) / 4
"""Where in a cell (shares of it, each axis) its brightness is taken, away from its neighbours."""
_SAMPLED_PX = 0.4
"""By how much (standard deviation) brightness is spread again where it is taken between pixels."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Tunables of the second look.

    pixels_per_cell
        2.5..5 pixels of the straightened patch a bit cell gets; more costs time and adds nothing to a 10 px marker.
    turns
        12..30 turns tried within a quarter; at 18 the worst turn is off by 2.5°, a third of a cell at the corner.
    offsets_px, turns_off
        2..4 pixels to each side of where a glance saw an outline, and 3..4 turns to each side of that, are tried: a pixel and
        a turn of the glance.
    outline_score
        0.3..0.7 correlation with the two rings above which a patch is taken for a marker and its bits are read.
    spread, spread_score
        0.93..0.97 and 0.15..0.3: bright paper spreads over a marker's black in the camera's eye, which looks so much smaller
        then; tried where the outline is less plain, but reaches the latter. A turn marker under a reflection rose so from 0.30
        and 0.32 to 0.5, one in plain light from 0.61 to 0.66.
    code_score
        0.55..0.85 correlation of the 36 bits with the best id.
    code_margin
        0.1..0.3 by which the best id must beat every other id of the whole dictionary (at their best of four turns).
    small_cell_px, least_cell_px, large_cell_px
        1.1..2 picture pixels a bit cell must have for its brightness to be its own; 0.8..1 that it must have at all. Between
        them cells are compared with what the camera's blur makes of each code, and so they are up to 1.5..2.5 pixels where by
        themselves they tell nothing: the picture is blurred.
    small_spreads
        1.3..1.8 times what this camera spreads a point to (``sharpness.py``) that a cell must be wide, for a sticker that was
        not found to count as looked for.
    spread_px, mixed_score, mixed_margin, mixed_whole
        0.8..1 pixels (standard deviation) by which lens and pixels spread a point at the most; less in a picture that is
        measured as sharper (in four at 40 degrees all 56 stickers were read so, 46 by the widest). 0.85..0.9 and 0.06..0.09:
        what is asked of bits so compared; 0.5..0.65 correlation of all cells, the black border among them. In pictures
        blurred by 0.6 and 1 pixels 58 stickers of 0.9 to 1.5 pixels a cell had 0.92, 0.063 (57 of them 0.09) and 0.85 at the
        least, and 23 of discs 0.83, 0.086 and 0.69; drawing on discs reached 0.9 and 0.052, but 0.1 with its border.
    reach
        0.15..0.35 of a place's room around it (each axis; 10 mm on hexes) that is glanced at; there pieces lie up to 8 mm off
        their middle.
    least_contrast
        0.05..0.15: standard deviation over brightness below which a patch holds no marker at all; bare street has 0.03.
    glaring, contrast_in_glare
        180..230 grey levels: a patch brighter than this on average lies in a lamp's reflection, which leaves a marker's black
        a light grey; there 0.02..0.05 is asked for. Outline and bits are judged as everywhere.
    """

    pixels_per_cell: float = 3.0
    turns: int = 18
    offsets_px: int = 3
    turns_off: int = 3
    outline_score: float = 0.45
    spread: float = 0.95
    spread_score: float = 0.2
    code_score: float = 0.7
    code_margin: float = 0.15
    small_cell_px: float = 1.3
    least_cell_px: float = 0.85
    large_cell_px: float = 2.0
    small_spreads: float = 1.45
    spread_px: float = 0.9
    mixed_score: float = 0.88
    mixed_margin: float = 0.075
    mixed_whole: float = 0.6
    reach: float = 0.25
    least_contrast: float = 0.1
    glaring: float = 200.0
    contrast_in_glare: float = 0.03


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What the second look saw at a spot. ``outline`` 0..1 says how much it looks like some marker; ``marker`` is set only
    when its id is certain; ``score`` is the bits' correlation."""

    outline: float
    marker: Marker | None = None
    score: float = 0.0


def search(
    registered: RegisteredImage, glance: Glance, group: Group, ids: Collection[int], settings: SearchSettings | None = None
) -> SearchResult:
    """Look where a glance saw an outline for one of ``ids``, lying on a piece of ``group``."""
    settings = settings or SearchSettings()
    sticker = (group.marker_mm, group.quiet_mm, group.height_mm)
    seen = registered.once(("searched", glance, sticker, settings), lambda: _look_closer(registered, glance, group, settings))
    found = SearchResult(seen.outline.score)
    if len(seen.bits) and seen.cell_px >= settings.small_cell_px:
        found = _told(registered, seen, group, ids, None, settings)
    if len(seen.bits) and found.marker is None and seen.mixed is not None:
        found = _told(registered, seen, group, ids, seen.mixed, settings)
    return found


def _told(
    registered: RegisteredImage,
    seen: "_CloserLook",
    group: Group,
    ids: Collection[int],
    mixed: Floats | None,
    settings: SearchSettings,
) -> SearchResult:
    """Which of ``ids`` the cells tell, each by itself or ``mixed`` with those beside it."""
    best, name = SearchResult(seen.outline.score), registered.pieces.dictionary
    least, lead = settings.code_score, settings.code_margin
    if mixed is not None:
        least, lead = settings.mixed_score, settings.mixed_margin
    decoded = _decode(seen.bits, name, frozenset(ids), least, mixed)
    for (marker, score, margin, quarter), cell_means, spot, angle in zip(
        decoded, seen.bits, seen.spots_mm, seen.angles, strict=True
    ):
        if score > max(best.score, least) and margin >= lead:
            if mixed is not None and _whole(cell_means, marker, quarter, name, mixed) < settings.mixed_whole:
                continue
            corners = registered.registration.project(_square(spot, float(angle), group.marker_mm, quarter), group.height_mm)
            best = SearchResult(seen.outline.score, Marker(marker, corners), score)
    return best


@dataclass(frozen=True, eq=False, slots=True)
class _CloserLook:
    """What shows of a sticker, whichever it is: its ``outline``, and where that is plain the brightness of its cells (``bits``,
    N×cells×cells) read at N ``spots_mm`` (N×2, board) and ``angles`` (radians) about it; ``cell_px``: how large they are;
    ``mixed``: how cells as small as these are mixed with those beside them, None for larger ones."""

    outline: Glance
    spots_mm: Array
    angles: Array
    bits: Floats
    cell_px: float = 0.0
    mixed: Floats | None = None


def _look_closer(registered: RegisteredImage, glance: Glance, group: Group, settings: SearchSettings) -> _CloserLook:
    """The outline and the cells of a sticker of a size, where a glance saw one."""
    side_mm, height_mm = group.marker_mm, group.height_mm
    cells = cells_across(registered.pieces.dictionary)
    nothing = np.empty((0, 2)), np.empty(0), np.empty((0, cells, cells), np.float32)
    cell_px = registered.registration.pixels_per_mm(glance.middle, height_mm) * side_mm / cells
    if cell_px < settings.least_cell_px:
        return _CloserLook(replace(glance, score=0.0), *nothing)
    outline = _find_outline(registered, glance, group, 1.0, cells, settings)
    if settings.spread_score <= outline.score < settings.outline_score:
        smaller = _find_outline(registered, glance, group, settings.spread, cells, settings)
        outline = max(outline, smaller, key=lambda one: one.score)
    if outline.score < settings.outline_score:
        return _CloserLook(outline, *nothing)
    # The outline is known to half a pixel and half a step of turn: try a small neighbourhood, keep the clearest bits.
    nudges = np.array(list(product((-0.5, 0.0, 0.5), repeat=3)))
    spots = np.asarray(outline.middle) + nudges[:, 1:] * side_mm / cells / settings.pixels_per_cell
    angles = outline.angle + nudges[:, 0] * np.pi / 2 / settings.turns
    bits = _cell_means(registered, spots, angles, side_mm, height_mm, cells)
    mixed = _mixed(registered, outline, group, cells, settings) if cell_px < settings.large_cell_px else None
    return _CloserLook(outline, spots, angles, bits, cell_px, mixed)


def _mixed(registered: RegisteredImage, outline: Glance, group: Group, cells: int, settings: SearchSettings) -> Floats:
    """How the cells of a sticker that lies so are mixed in the picture."""
    cos, sin = np.cos(outline.angle), np.sin(outline.angle)
    steps = np.array([(cos, sin), (-cos, -sin), (-sin, cos), (sin, -cos)]) * group.marker_mm / 2
    right, left, lower, upper = registered.registration.project(steps + outline.middle, group.height_mm)
    measured = spread_px(registered)
    spread = settings.spread_px if measured is None else min(settings.spread_px, float(np.hypot(measured, _SAMPLED_PX)))
    return mixing(np.column_stack([right - left, lower - upper]) / cells, spread, _SAMPLES - 0.5)


def _find_outline(
    registered: RegisteredImage, glance: Glance, group: Group, spread: float, cells: int, settings: SearchSettings
) -> Glance:
    """The outline with sides of ``spread`` times the printed one's that shows best about where it was seen at a glance."""
    scale, near = settings.pixels_per_cell * cells / group.marker_mm, settings.offsets_px
    outline = rings(round(spread * group.marker_mm * scale, 2), round(group.quiet_mm * scale, 2), cells, settings.turns)
    half = (outline.size / 2 + near) / scale
    window = patch(
        registered.grey, registered.registration, glance.middle, half_mm=half, scale=scale, height_mm=group.height_mm
    ).astype(np.float32)
    bright = float(window.mean())
    least = settings.least_contrast if bright < settings.glaring else settings.contrast_in_glare
    if float(window.std()) < least * (bright + 4.0):
        return replace(glance, score=0.0)
    step = np.pi / 2 / settings.turns
    off, seen = settings.turns_off, round(glance.angle / step)
    turns = [turn % settings.turns for turn in range(seen - off, seen + off + 1)]
    smooth = np.asarray(cv2.GaussianBlur(window, (0, 0), 0.8), np.float32)
    scores = likeness(smooth[None], outline, turns)[0]
    down, across, turn = (int(index) for index in np.unravel_index(int(scores.argmax()), scores.shape))
    x, y = glance.middle
    middle = x + (across - near) / scale, y + (down - near) / scale
    return Glance(max(0.0, float(scores[down, across, turn])), middle, turns[turn] * step)


def _cell_means(
    registered: RegisteredImage, spots_mm: Array, angles: Array, side_mm: float, height_mm: float, cells: int
) -> Floats:
    """Brightness of each cell's middle (N×cells×cells) of a marker that may lie at some spots (N×2 mm), each with its turn
    (N radians)."""
    steps = ((np.arange(cells)[:, None] + _SAMPLES).reshape(-1) / cells - 0.5) * side_mm
    x, y = np.meshgrid(steps, steps)
    cos, sin = np.cos(angles)[:, None, None], np.sin(angles)[:, None, None]
    mm = np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1) + spots_mm[:, None, None]
    x_mm, y_mm = spots_mm.mean(axis=0)
    away = (mm - (x_mm, y_mm)).reshape(len(mm), -1, 2)
    seen = samples(
        registered.grey, registered.registration, (float(x_mm), float(y_mm)), away,
        half_mm=side_mm, scale=4 * cells / side_mm, height_mm=height_mm,
    )  # fmt: skip
    parts = seen.astype(np.float32).reshape(-1, cells, len(_SAMPLES), cells, len(_SAMPLES))
    return np.asarray(parts.mean(axis=(2, 4)), np.float32)


@cache
def _patterns(name: str) -> Floats:
    """The bits of every marker of a dictionary (ids × 4 quarter turns × bits), less their mean, of length 1."""
    bits = codes(name)
    return _unit(bits.reshape(*bits.shape[:2], -1), 1e-6)


def _unit(signals: Floats, least: float) -> Floats:
    """Signals (… × bits) less their mean, of length 1; those shorter than ``least`` stay shorter."""
    signals = signals - signals.mean(axis=-1, keepdims=True)
    return np.asarray(signals / np.maximum(np.linalg.norm(signals, axis=-1, keepdims=True), least), np.float32)


def _off_ground(cell_means: Floats) -> Floats:
    """The bits of markers (… × cells × cells), less what their black border would be there (… × bits)."""
    inner = cell_means[..., 1:-1, 1:-1]
    # The border is known to be black: its brightness, interpolated across, takes a gradient of light out.
    top, bottom = cell_means[..., 0, 1:-1], cell_means[..., -1, 1:-1]
    left, right = cell_means[..., 1:-1, 0], cell_means[..., 1:-1, -1]
    count = inner.shape[-1]
    t = (np.arange(count, dtype=np.float32) + 1) / (count + 1)
    along = left[..., :, None] * (1 - t) + right[..., :, None] * t
    ground = (along + top[..., None, :] * (1 - t)[:, None] + bottom[..., None, :] * t[:, None]) / 2
    return np.asarray((inner - ground).reshape(*inner.shape[:-2], -1), np.float32)


def _decode(
    cell_means: Floats, name: str, ids: frozenset[int], least: float, mixed: Floats | None = None
) -> list[tuple[int, float, float, int]]:
    """For each of some markers (N×cells×cells) the best legal id, its correlation, its lead over every other id of the
    dictionary, and its quarter turn; an id of -1 for all where no legal one correlates by more than ``least``. ``mixed``: how
    their cells are mixed with those beside them (:func:`mixing`), where they are."""
    signal = _off_ground(cell_means)
    signal = signal - signal.mean(axis=1, keepdims=True)
    norm = np.linalg.norm(signal, axis=1)

    def patterns(of: NDArray[np.intp] | None) -> Floats:
        if mixed is not None:
            return _unit(_off_ground(mixed_codes(name, of, mixed)), 1e-6)
        return _patterns(name) if of is None else _patterns(name)[of]

    legal = np.array(sorted(marker for marker in ids if marker < len(_patterns(name))), np.intp)
    if not len(legal):
        return [(-1, 0.0, 0.0, 0)] * len(signal)
    signal = (signal / np.maximum(norm, 1e-3)[:, None]).T
    if float((patterns(legal).reshape(-1, len(signal)) @ signal).max()) <= least:
        return [(-1, 0.0, 0.0, 0)] * len(norm)  # as nearly everywhere: no need to compare with all of the dictionary
    every = patterns(None)
    scores = (every.reshape(-1, len(signal)) @ signal).reshape(*every.shape[:2], -1)
    per_id = scores.max(axis=1)
    best = legal[per_id[legal].argmax(axis=0)]
    each = np.arange(len(norm))
    first = per_id[best, each]
    others = per_id.copy()
    others[best, each] = -np.inf
    quarter = scores[best, :, each].argmax(axis=1)
    lead = first - others.max(axis=0)
    found = zip(best.tolist(), first.tolist(), lead.tolist(), quarter.tolist(), (norm >= 1e-3).tolist(), strict=True)
    return [(marker, score, margin, turn) if shown else (-1, 0.0, 0.0, 0) for marker, score, margin, turn, shown in found]


def _whole(cell_means: Floats, marker: int, quarter: int, name: str, mixed: Floats) -> float:
    """Correlation of all cells (cells×cells), the border's too, with those of a marker at a quarter turn, mixed as they are."""
    expected = mixed_codes(name, np.array([marker], np.intp), mixed)[0, quarter]
    return float(_unit(cell_means.reshape(-1), 1e-3) @ _unit(expected.reshape(-1), 1e-3))


def _square(spot: Array, angle: float, side_mm: float, quarter: int) -> Array:
    """Corners (4×2 board mm) of a marker at a spot, from its own top left corner clockwise."""
    # Turned counter-clockwise by quarters as printed, its top left corner lies at bottom left, then bottom right …
    square = np.roll(SQUARE, quarter, axis=0) * side_mm / 2
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(spot + square @ np.array([[cos, sin], [-sin, cos]]))
