"""The second look: find a marker that plain detection missed, at a place where one may lie.

Plain detection needs a clean closed outline. Here the place, the height and the size are known, so the neighbourhood is
straightened and compared with what a marker looks like: first a dark square ring in a light one, at any turn (which says
*where* and *that* there is a marker), then the bits against every id of the dictionary (which says *which*).
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group
from companion.vision.frame import Image
from companion.vision.marked.markers import Marker, cells_across, codes
from companion.vision.marked.rectify import patch
from companion.vision.marked.registered_image import RegisteredImage

Array = NDArray[np.float64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Tunables of the second look.

    pixels_per_cell
        2.5..5 pixels of the straightened patch a bit cell gets; more costs time and adds nothing to a 10 px marker.
    turns
        12..30 turns tried within a quarter; at 18 the worst turn is off by 2.5°, a third of a cell at the corner.
    outline_score
        0.3..0.7 correlation with the two rings above which a patch is taken for a marker and its bits are read.
    coarse_share
        0.4..0.7 of that score which one of every third turn must reach before the others are tried.
    spread, spread_score
        0.93..0.97 and 0.15..0.3: bright paper spreads over a marker's black in the camera's eye, which looks so much smaller
        then; tried where the outline is less plain, but reaches the latter. A turn marker under a reflection rose so from 0.30
        and 0.32 to 0.5, one in plain light from 0.61 to 0.66.
    code_score
        0.55..0.85 correlation of the 36 bits with the best id. Random bits reach 0.7 once in 75 000 tries.
    code_margin
        0.1..0.3 by which the best id must beat every other id of the whole dictionary (at their best of four turns).
    small_cell_px
        0.8..2 picture pixels a bit cell must have for bits to mean anything.
    reach
        0.15..0.35 of a place's room around it (each axis; 10 mm on hexes) that is searched; there pieces lie up to 8 mm off
        their middle.
    least_contrast
        0.05..0.15: standard deviation over brightness below which a patch holds no marker at all; bare street has 0.03.
    glaring, contrast_in_glare
        180..230 grey levels: a patch brighter than this on average lies in a lamp's reflection, which leaves a marker's black
        a light grey; there 0.02..0.05 is asked for. Outline and bits are judged as everywhere.
    """

    pixels_per_cell: float = 3.0
    turns: int = 18
    outline_score: float = 0.45
    coarse_share: float = 0.6
    spread: float = 0.95
    spread_score: float = 0.2
    code_score: float = 0.7
    code_margin: float = 0.15
    small_cell_px: float = 1.3
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
    registered: RegisteredImage,
    centre_mm: tuple[float, float],
    group: Group,
    ids: Collection[int],
    reach_mm: float,
    settings: SearchSettings | None = None,
) -> SearchResult:
    """Look within ``reach_mm`` (each axis) of a spot for one of ``ids``, lying on a piece of ``group``."""
    settings = settings or SearchSettings()
    image, registration = registered.grey, registered.registration
    side_mm, quiet_mm, height_mm = group.marker_mm, group.quiet_mm, group.height_mm
    all_codes = codes(registered.pieces.dictionary)
    cells = cells_across(registered.pieces.dictionary)
    scale = settings.pixels_per_cell * cells / side_mm
    if registration.pixels_per_mm(centre_mm, height_mm) * side_mm / cells < settings.small_cell_px:
        return SearchResult(0.0)
    half = reach_mm + side_mm / 2 + quiet_mm
    window = patch(image, registration, centre_mm, half_mm=half * 1.02, scale=scale, height_mm=height_mm).astype(np.float32)
    bright = float(window.mean())
    least = settings.least_contrast if bright < settings.glaring else settings.contrast_in_glare
    if float(window.std()) < least * (bright + 4.0):
        return SearchResult(0.0)
    outline, angle, offset = _find_outline(window, side_mm * scale, quiet_mm * scale, cells, settings)
    if settings.spread_score <= outline < settings.outline_score:
        smaller = _find_outline(window, settings.spread * side_mm * scale, quiet_mm * scale, cells, settings)
        outline, angle, offset = max((outline, angle, offset), smaller)
    if outline < settings.outline_score:
        return SearchResult(outline)
    spot = (
        centre_mm[0] + offset[0] / scale,
        centre_mm[1] + offset[1] / scale,
    )
    best = SearchResult(outline)
    # The coarse search is off by up to half a pixel and half a step of turn: try a small neighbourhood, keep the clearest bits.
    for turn in (-0.5, 0.0, 0.5):
        for dx in (-0.5, 0.0, 0.5):
            for dy in (-0.5, 0.0, 0.5):
                try_spot = (spot[0] + dx / scale, spot[1] + dy / scale)
                try_angle = angle + turn * np.pi / 2 / settings.turns
                straight = patch(
                    image, registration, try_spot,
                    half_mm=side_mm / 2, scale=4 * cells / side_mm, height_mm=height_mm, angle_rad=try_angle,
                )  # fmt: skip
                bits = _cell_means(straight, cells)
                marker, score, margin, quarter = _decode(bits, all_codes, frozenset(ids))
                if score > max(best.score, settings.code_score) and margin >= settings.code_margin:
                    corners = registration.project(_square(try_spot, try_angle, side_mm, quarter), height_mm)
                    best = SearchResult(outline, Marker(marker, corners), score)
    return best


def _find_outline(
    window: Floats, side: float, quiet: float, cells: int, settings: SearchSettings
) -> tuple[float, float, tuple[float, float]]:
    """Best correlation with the two rings, its turn (radians) and its offset (x, y pixels) from the window's middle."""
    best = (-1.0, 0.0, (0.0, 0.0))
    smooth = cv2.GaussianBlur(window, (0, 0), 0.8)
    # Every third turn first: most places hold no marker, and a marker shows a good part of its rings 7.5° off as well.
    coarse = range(0, settings.turns, 3)
    for index in (*coarse, *(index for index in range(settings.turns) if index not in coarse)):
        if index == 1 and best[0] < settings.coarse_share * settings.outline_score:
            break
        angle = index * np.pi / 2 / settings.turns
        template, mask = _rings(round(side, 2), round(quiet, 2), cells, angle)
        if template.shape[0] > smooth.shape[0]:
            continue
        scores = cv2.matchTemplate(smooth, template, cv2.TM_CCOEFF_NORMED, mask=mask)
        scores[~np.isfinite(scores)] = -1.0
        _, top, _, at = cv2.minMaxLoc(scores)
        if top > best[0]:
            middle = (np.array(smooth.shape) - template.shape)[::-1] / 2
            best = (float(top), angle, (float(at[0] - middle[0]), float(at[1] - middle[1])))
    return max(best[0], 0.0), best[1], best[2]


@lru_cache(maxsize=128)
def _rings(side: float, quiet: float, cells: int, angle: float) -> tuple[Floats, Floats]:
    """Template (dark ring in light ring) and mask (1 where either is) of a marker ``cells`` wide, turned by ``angle``."""
    half = side / 2 + quiet
    size = 2 * int(np.ceil(half * 1.415)) + 1
    y, x = np.mgrid[0:size, 0:size] - size // 2
    u = x * np.cos(angle) + y * np.sin(angle)
    v = -x * np.sin(angle) + y * np.cos(angle)
    reach = np.maximum(np.abs(u), np.abs(v))
    cell = side / cells
    dark = (reach <= side / 2) & (reach > side / 2 - cell)
    light = (reach > side / 2) & (reach <= half)
    template = np.where(light, 1.0, -1.0).astype(np.float32)
    return template, (dark | light).astype(np.float32)


def _cell_means(straight: Image, cells: int) -> Floats:
    """Mean brightness of each cell's middle (cells × cells) of a straightened marker, four pixels a cell."""
    inner = straight.astype(np.float32).reshape(cells, 4, cells, 4)[:, 1:3, :, 1:3]
    return np.asarray(inner.mean(axis=(1, 3)), np.float32)


def _decode(cell_means: Floats, all_codes: Floats, ids: frozenset[int]) -> tuple[int, float, float, int]:
    """Best legal id, its correlation, its lead over every other id of the dictionary, and its quarter turn."""
    inner = cell_means[1:-1, 1:-1]
    # The border is known to be black: its brightness, interpolated across, takes a gradient of light out.
    top, bottom, left, right = cell_means[0, 1:-1], cell_means[-1, 1:-1], cell_means[1:-1, 0], cell_means[1:-1, -1]
    count = inner.shape[0]
    t = (np.arange(count, dtype=np.float32) + 1) / (count + 1)
    ground = (left[:, None] * (1 - t) + right[:, None] * t + top[None, :] * (1 - t)[:, None] + bottom[None, :] * t[:, None]) / 2
    signal = (inner - ground).reshape(-1)
    signal = signal - signal.mean()
    norm = float(np.linalg.norm(signal))
    if norm < 1e-3:
        return -1, 0.0, 0.0, 0
    patterns = all_codes.reshape(*all_codes.shape[:2], -1)
    patterns = patterns - patterns.mean(axis=2, keepdims=True)
    patterns = patterns / np.maximum(np.linalg.norm(patterns, axis=2, keepdims=True), 1e-6)
    scores = patterns @ (signal / norm)
    per_id = scores.max(axis=1)
    legal = [marker for marker in ids if marker < len(per_id)]
    if not legal:
        return -1, 0.0, 0.0, 0
    best = max(legal, key=lambda marker: float(per_id[marker]))
    others = np.delete(per_id, best)
    return best, float(per_id[best]), float(per_id[best] - others.max()), int(scores[best].argmax())


def _square(spot: tuple[float, float], angle: float, side_mm: float, quarter: int) -> Array:
    """Corners (4×2 board mm) of a marker at a spot, from its own top left corner clockwise."""
    # Turned counter-clockwise by quarters as printed, its top left corner lies at bottom left, then bottom right …
    square = np.roll(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64), quarter, axis=0) * side_mm / 2
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(np.asarray(spot) + square @ np.array([[cos, sin], [-sin, cos]]))
