"""A picture of the board seen from above, in the light of the taught one, and how likely each of its pixels is bare print."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.camera import Registration
from companion.vision.cards.view import Floats, MatGrid, lab
from companion.vision.frame import Image, Mask
from companion.vision.pawns.settings import PawnSettings

NOWHERE = np.float32(-np.log(90.0 * 60.0 * 60.0))
"""Density of a colour about which nothing is known."""
MARGIN_MM = 24.0
"""How far beside the board is seen: pawns at its edge lean over it."""


@dataclass(frozen=True, eq=False)
class BareBoard:
    """The taught picture of the empty board seen from above by a grid: as it is (BGR), in Lab, how far (variance) print seen
    again lies from it beyond the grain of a picture, and which pixels it has."""

    seen: Image
    lab: Floats
    edges: Floats
    inside: Mask

    @classmethod
    def of(cls, empty: Image, registration: Registration, grid: MatGrid, settings: PawnSettings) -> "BareBoard":
        """The empty board by a grid of whichever registration."""
        own = MatGrid(registration, grid.origin_mm, grid.size, grid.scale)
        seen = own.seen(empty)
        flat, edges = (np.empty(seen.shape, np.float32) for _ in range(2))
        for rows, _, _ in _bands(len(seen)):
            flat[rows] = lab(seen[rows])
        for rows, around, own_rows in _bands(len(seen), 1):
            steps = sum(np.square(cv2.Scharr(flat[around], cv2.CV_32F, *way) / 32) for way in ((1, 0), (0, 1)))
            edges[rows] = np.asarray(steps, np.float32)[own_rows] * np.float32((settings.astray_mm * grid.scale) ** 2)
            edges[rows] += _burnt(seen[rows])
        return cls(seen, flat, edges, _inside(own, empty) & _inside(grid, empty))


@dataclass(frozen=True, eq=False)
class BoardView:
    """A picture from above: ``now`` in Lab, in the light of ``bare``. ``print_nats``: log density (H×W nats) of each pixel if
    bare print lies there, lit or in a piece's shadow, hidden or not; ``foreground``: what does not look like bare print."""

    grid: MatGrid
    now: Floats
    bare: BareBoard
    print_nats: Floats
    foreground: Mask

    @classmethod
    def of(cls, image: Image, grid: MatGrid, bare: BareBoard, settings: PawnSettings) -> "BoardView":
        """The view of a picture in which the board lies as the grid's registration says."""
        seen = grid.seen(image)
        now = _relit(seen, bare.seen, bare.inside, round(settings.light_mm * grid.scale))
        some = bare.inside[::4, ::4]
        grain = 1.5 * np.median(np.abs(now[::4, ::4][some] - bare.lab[::4, ::4][some]), axis=0)
        level = np.maximum(grain, [settings.noise_light, settings.noise_colour, settings.noise_colour]).astype(np.float32)
        nats, odd = np.empty(now.shape[:2], np.float32), np.empty(now.shape[:2], np.bool_)
        for rows, around, own in _bands(len(now), _SHADE_PX // 2):
            variance = level**2 + bare.edges[rows]
            variance += _burnt(seen[rows])
            nats[rows] = _print_nats(now[around], bare.lab[around], own, variance, settings)
            spread = 0.5 * np.log(variance[..., 0] * variance[..., 1] * variance[..., 2])
            odd[rows] = nats[rows] + spread < -2.757 - 0.5 * settings.odd_sigma**2
        lone = cv2.morphologyEx((odd & bare.inside).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        return cls(grid, now, bare, nats, np.asarray(lone, np.bool_))

    @property
    def inside(self) -> Mask:
        """Which pixels the pictures have."""
        return self.bare.inside


_BAND = 48
"""Rows that are worked on at once, so that what is in between stays in the processor's cache and takes no memory."""
_SHADE_PX = 5
"""Pixels each way over which it is measured how dark a picture is."""


def _bands(rows: int, halo: int = 0) -> Iterator[tuple[slice, slice, slice]]:
    """Parts of a picture's rows: each as it lies in the picture, with ``halo`` rows more on both sides, and where it lies in
    that."""
    for first in range(0, rows, _BAND):
        last = min(rows, first + _BAND)
        above = max(0, first - halo)
        yield slice(first, last), slice(above, min(rows, last + halo)), slice(first - above, last - above)


def _print_nats(now: Floats, bare: Floats, own: slice, variance: Floats, settings: PawnSettings) -> Floats:
    """Log density of the ``own`` rows of a part of a view (Lab) if bare print lies there."""
    flat_now, flat_bare = now[own].reshape(-1, 3), bare[own].reshape(-1, 3)
    noise = np.sqrt(variance.reshape(-1, 3))
    best = log_density(flat_now - flat_bare, noise)
    ill = np.flatnonzero(best < np.float32(np.log(settings.hidden)) + NOWHERE + 6.0)
    dark, light = (cv2.blur(one[..., 0], (_SHADE_PX, _SHADE_PX))[own].reshape(-1)[ill] + 2 for one in (now, bare))
    darker = np.clip(dark / light, settings.darkest, 1.0)[:, None]
    shaded = log_density(flat_now[ill] - flat_bare[ill] * darker, noise[ill]) - settings.shadow
    best[ill] = np.maximum(best[ill], shaded)
    return with_hidden(best, settings.hidden).reshape(variance.shape[:2])


BURNT, BURNT_NOISE = 250, 12.0
"""The level of a channel at which a picture is washed out, and how far (standard deviation) such a pixel lies from anything."""


def _burnt(seen: Image) -> Floats:
    """What a part of a view that is washed out adds to the variance (H×W×1)."""
    return np.asarray((seen.max(axis=2) >= BURNT)[..., None] * np.float32(BURNT_NOISE**2), np.float32)


def _inside(grid: MatGrid, image: Image) -> Mask:
    """Which pixels of a view a picture has."""
    return np.asarray(grid.seen(np.full(image.shape[:2], 255, np.uint8)) > 250, np.bool_)


def log_density(rest: Floats, noise: Floats) -> Floats:
    """Log density (nats) of what is left over (…×3) with a standard deviation of each channel."""
    scaled = rest / noise
    spread = np.log(noise[..., 0] * noise[..., 1] * noise[..., 2])
    return np.asarray(-0.5 * np.einsum("...c,...c->...", scaled, scaled) - spread - 2.757, np.float32)


def with_hidden(density: Floats, hidden: float) -> Floats:
    """The same where a share of all pixels may be hidden by anything (the larger of both, which is nearly their sum)."""
    return np.asarray(np.maximum(np.float32(np.log(1 - hidden)) + density, np.float32(np.log(hidden)) + NOWHERE), np.float32)


def _relit(seen: Image, bare: Image, inside: Mask, block: int) -> Floats:
    """A view (BGR) in Lab, in the light of the bare one: block by block the median of their ratio is taken out, for most of
    each block is bare print."""
    thin, taught = (part[1::3, 1::3].astype(np.float32) + 4 for part in (seen, bare))
    # Medians do not mind what pieces cover; what the pictures do not have, or have washed out, is left out.
    thin = np.log(thin / taught)
    thin[~inside[1::3, 1::3] | (seen[1::3, 1::3].max(axis=2) >= BURNT)] = np.nan
    side = max(4, block // 3)
    rows, columns = (max(1, round(length / side)) for length in thin.shape[:2])
    light = np.zeros((rows, columns, 3), np.float32)
    everywhere = np.nanmedian(thin.reshape(-1, 3), axis=0)
    for row, part in enumerate(np.array_split(thin, rows, axis=0)):
        for column, one in enumerate(np.array_split(part, columns, axis=1)):
            known = one[~np.isnan(one[..., 0])]
            light[row, column] = np.median(known, axis=0) if len(known) > one.shape[0] * one.shape[1] / 4 else everywhere
    smooth = _smooth(light)
    local = light - smooth
    local[np.abs(local).max(axis=2) > _NO_LIGHT] = 0.0
    light = smooth + cv2.GaussianBlur(np.asarray(local, np.float32), (3, 3), 0.7, borderType=cv2.BORDER_REPLICATE)
    # Enlarged to the view's size, first along the rows, then band by band along the columns.
    across = cv2.resize(np.exp(-light), (seen.shape[1], rows), interpolation=cv2.INTER_CUBIC).reshape(rows, -1)
    down = cv2.resize(np.eye(rows, dtype=np.float32), (rows, len(seen)), interpolation=cv2.INTER_CUBIC)
    found = np.empty(seen.shape, np.float32)
    for band, _, _ in _bands(len(seen)):
        lit = seen[band].astype(np.float32) + np.float32(4.0)
        lit *= (down[band] @ across).reshape(lit.shape)
        lit -= np.float32(4.0)
        found[band] = lab(np.clip(lit, 0, 255, out=lit))
    return found


_ROUNDS = (0.5, 0.3, 0.2, 0.12)
"""Natural logarithms by which blocks may differ from the fit of the light, round by round."""
_NO_LIGHT = 0.2
"""What differs more from the smooth light than so is no light: something that covers the block."""


def _smooth(light: Floats) -> Floats:
    """The light (rows×columns×3 logarithms) as a quadratic over the board, what does not go with most of it left out."""
    rows, columns = light.shape[:2]
    down, across = (part.ravel() for part in np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij"))
    terms = np.stack([np.ones_like(across), across, down, across**2, down**2, across * down], axis=1)
    flat = light.reshape(-1, 3).astype(np.float64)
    fit = np.zeros((6, 3))
    fit[0] = np.median(flat, axis=0)
    for tolerance in _ROUNDS:
        near = np.abs(flat - terms @ fit).max(axis=1) < tolerance
        if near.sum() < 2 * terms.shape[1]:
            break
        own = terms[near]
        fit = np.linalg.solve(own.T @ own + np.diag([1e-3, 0.1, 0.1, 0.5, 0.5, 0.5]), own.T @ flat[near])
    return np.asarray((terms @ fit).reshape(light.shape), np.float32)
