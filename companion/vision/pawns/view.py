"""A picture of the board seen from above, in the light of the taught one, and how likely each of its pixels is bare print."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Registration
from companion.vision.cards.view import NORMAL, NOWHERE, Floats, MatGrid, lab
from companion.vision.frame import Image, Mask
from companion.vision.pawns.flat_field import FlatField
from companion.vision.pawns.settings import PawnSettings

MARGIN_MM = 24.0
"""How far beside the board is seen: pawns at its edge lean over it."""


class Box(NamedTuple):
    """A part of a view, in its pixels; ``right`` and ``bottom`` lie just outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top

    @property
    def area(self) -> int:
        """How many pixels it has; 0 where it has none."""
        return max(0, self.right - self.left) * max(0, self.bottom - self.top)

    @property
    def within(self) -> tuple[slice, slice]:
        """Its rows and columns of a view."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def grown(self, by: int, size: tuple[int, int]) -> "Box":
        """The same with so many pixels more on each side, as far as a view of ``size`` goes."""
        return Box(max(0, self.left - by), max(0, self.top - by), min(size[0], self.right + by), min(size[1], self.bottom + by))

    def around(self, other: "Box") -> "Box":
        """The smallest box about both."""
        return Box(*map(min, self[:2], other[:2]), *map(max, self[2:], other[2:]))

    def shared(self, other: "Box") -> int:
        """How many pixels are in both."""
        return Box(*map(max, self[:2], other[:2]), *map(min, self[2:], other[2:])).area


@dataclass(frozen=True, eq=False)
class BareBoard:
    """The taught picture of the empty board seen from above by a grid, its light made even: its colours (BGR), and which pixels
    it has."""

    seen: Image
    inside: Mask

    @classmethod
    def of(cls, empty: Image, registration: Registration, grid: MatGrid, flat_field: FlatField | None = None) -> "BareBoard":
        """The empty board by a grid of whichever registration."""
        own = MatGrid(registration, grid.origin_mm, grid.size, grid.scale)
        width, height = grid.size
        seen, inside = np.empty((height, width, 3), np.uint8), np.empty((height, width), np.bool_)
        white = np.full(empty.shape[:2], 255, np.uint8)
        for rows, _, _ in _bands(height):
            part = own.seen_part(empty, rows, slice(None))
            seen[rows] = part if flat_field is None else _flattened(part, flat_field, grid, rows)
            inside[rows] = (own.seen_part(white, rows, slice(None)) > 250) & (grid.seen_part(white, rows, slice(None)) > 250)
        return cls(seen, inside)

    def part(self, box: Box) -> "BareBoard":
        """A part of it."""
        return BareBoard(self.seen[box.within], self.inside[box.within])

    def colours(self, flat: NDArray[np.int32]) -> Floats:
        """The colours (N×3 Lab) of some pixels (flat numbers)."""
        return np.asarray(lab(self.seen.reshape(-1, 3)[flat][None])[0], np.float32)


def _flattened(seen: Image, flat_field: FlatField, grid: MatGrid, rows: slice) -> Image:
    """Some rows of the taught picture (BGR) with its light made even; what is washed out stays so."""
    across, down = np.meshgrid(np.arange(grid.size[0]), np.arange(rows.start, rows.stop))
    mm = np.column_stack([across.ravel(), down.ravel()]) / grid.scale + np.asarray(grid.origin_mm)
    lit = np.minimum(seen * flat_field.factors(mm).reshape(*seen.shape[:2], 1), 255).astype(np.uint8)
    burnt = _burnt(seen)
    lit[burnt] = np.maximum(lit, seen)[burnt]
    return np.asarray(lit, np.uint8)


@dataclass(frozen=True, eq=False)
class Light:
    """The light of a picture beside that of the taught one. ``across``: by blocks of rows, what each column is multiplied with
    (blocks×width×3); ``down``: how much each block counts in each row (height×blocks); ``level``: how far (standard
    deviation of each Lab channel) bare print seen again lies from the taught one."""

    across: Floats
    down: Floats
    level: Floats

    @classmethod
    def of(cls, image: Image, grid: MatGrid, bare: BareBoard, settings: PawnSettings, coarser: int = 1) -> "Light":
        """The light of a picture in which the board lies as the grid's registration says, by so many times fewer samples each
        way."""
        thin, few = slice(1, None, 3 * coarser), slice(None, None, 4 * coarser)
        seen, taught = grid.seen_part(image, thin, thin), bare.seen[thin, thin]
        side = max(4, round(settings.light_mm * grid.scale) // (3 * coarser))
        blocks = _block_light(seen, taught, bare.inside[thin, thin], side)
        (width, height), count = grid.size, len(blocks)
        across = cv2.resize(np.exp(-blocks), (width, count), interpolation=cv2.INTER_CUBIC)
        down = cv2.resize(np.eye(count, dtype=np.float32), (count, height), interpolation=cv2.INTER_CUBIC)
        light = cls(
            np.asarray(across, np.float32).reshape(count, width, 3), np.asarray(down, np.float32), np.zeros(3, np.float32)
        )
        some, factor = bare.inside[few, few], light.factor(few, few)
        now = taken_out(grid.seen_part(image, few, few), factor)
        grain = 1.5 * _median(np.abs(now - clipped(bare.seen[few, few], factor))[some])
        least = [settings.noise_light, settings.noise_colour, settings.noise_colour]
        return replace(light, level=np.maximum(grain, least).astype(np.float32))

    def part(self, box: Box) -> "Light":
        """The light of a part of the view."""
        rows, columns = box.within
        return Light(self.across[:, columns], self.down[rows], self.level)

    def factor(self, rows: slice, columns: slice) -> Floats:
        """What some rows and columns of the view are multiplied with (h×w×3 BGR), :data:`_BLACK` added to their levels."""
        across = self.across[:, columns]
        return np.asarray((self.down[rows] @ across.reshape(len(across), -1)).reshape(-1, *across.shape[1:]), np.float32)

    def white_level_at(self, flat: NDArray[np.int32]) -> Floats:
        """The levels (N×3 BGR, in the light of the taught picture) beyond which some pixels (flat numbers) are washed out."""
        rows, columns = np.divmod(flat, self.across.shape[1])
        return _white_level(np.einsum("nb,bnc->nc", self.down[rows], self.across[:, columns]))


def taken_out(seen: Image, factor: Floats) -> Floats:
    """A part of the view (BGR) in Lab, in the light of the taught one (:meth:`Light.factor`)."""
    lit = seen.astype(np.float32) + _BLACK
    lit *= factor
    lit -= _BLACK
    return lab(np.clip(lit, 0, 255, out=lit))


def clipped(taught: "Image | Floats", factor: Floats) -> Floats:
    """A part of the taught picture (BGR) in Lab as far as a picture in another light can show it: what would be brighter than
    its brightest level is that level."""
    return lab(np.minimum(taught, _white_level(factor)))


def _white_level(factor: Floats) -> Floats:
    """The brightest level of a picture in the light of the taught one."""
    return np.asarray(factor * (255 + _BLACK) - _BLACK, np.float32)


_BLACK = np.float32(4.0)
"""Levels that are added before two pictures are divided by each other: dark ones are mostly noise."""


@dataclass(frozen=True, eq=False)
class BoardView:
    """A picture from above, or a part of it, in the light of ``bare``. ``print_nats``: log density (H×W nats) of each pixel if
    bare print lies there, lit or in a piece's shadow, hidden or not; ``foreground``: what does not look like bare print. In
    a part these two are not to be relied on within :data:`BRIM_PX` of its edges. ``burnt``: what is washed out; ``kept``: the
    colours (Lab) of a small part; those of a large view are made where they are asked for."""

    grid: MatGrid
    image: Image
    light: Light
    bare: BareBoard
    print_nats: Floats
    foreground: Mask
    burnt: Mask
    kept: Floats | None
    astray_mm: float

    @classmethod
    def of(cls, image: Image, grid: MatGrid, bare: BareBoard, settings: PawnSettings) -> "BoardView":
        """The view of a picture in which the board lies as the grid's registration says."""
        return cls.lit(image, grid, bare, Light.of(image, grid, bare, settings), settings)

    @classmethod
    def lit(cls, image: Image, grid: MatGrid, bare: BareBoard, light: Light, settings: PawnSettings) -> "BoardView":
        """The same where its light is known; of a part where all of these are of that part."""
        width, height = grid.size
        nats, odd = np.empty((height, width), np.float32), np.empty((height, width), np.uint8)
        burnt = np.empty((height, width), np.bool_)
        kept = np.empty((height, width, 3), np.float32) if width * height <= _KEPT_PX else None
        for rows, around, own in _bands(height, _SHADE_PX // 2):
            seen = grid.seen_part(image, around, slice(None))
            factor, burnt[around] = light.factor(around, slice(None)), _burnt(seen)
            now = taken_out(seen, factor)
            taught = clipped(bare.seen[around], factor) if burnt[around].any() else lab(bare.seen[around])
            variance = _variance(taught, settings.astray_mm * grid.scale, light.level)[own]
            washed = _burnt(bare.seen[rows]).astype(np.float32) + burnt[rows]
            nats[rows] = _print_nats(now, taught, own, variance, washed, settings)
            variance += washed[..., None] * np.float32(BURNT_NOISE**2)
            spread = 0.5 * np.log(variance[..., 0] * variance[..., 1] * variance[..., 2])
            odd[rows] = (nats[rows] + spread < -NORMAL - 0.5 * settings.odd_sigma**2) & bare.inside[rows]
            if kept is not None:
                kept[rows] = now[own]
        lone = cv2.morphologyEx(odd, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        return cls(grid, image, light, bare, nats, np.asarray(lone, np.uint8).view(np.bool_), burnt, kept, settings.astray_mm)

    def print_about(self, box: Box) -> tuple[Floats, Floats]:
        """The colours (Lab) of bare print in a part, and how far (standard deviation) each seen again lies from it."""
        bare = clipped(self.bare.seen[box.within], self.light.factor(*box.within))
        return bare, np.sqrt(_variance(bare, self.astray_mm * self.grid.scale, self.light.level))

    @property
    def inside(self) -> Mask:
        """Which pixels the pictures have."""
        return self.bare.inside

    def colours(self, box: Box) -> Floats:
        """The colours (Lab) of a part."""
        rows, columns = box.within
        if self.kept is not None:
            return self.kept[rows, columns]
        return taken_out(self.grid.seen_part(self.image, rows, columns), self.light.factor(rows, columns))

    def colours_at(self, flat: NDArray[np.int32]) -> Floats:
        """The colours (N×3 Lab) of some pixels (flat numbers, row by row)."""
        width, height = self.grid.size
        found = np.empty((len(flat), 3), np.float32)
        for rows, _, _ in _bands(height):
            first, last = np.searchsorted(flat, (rows.start * width, rows.stop * width))
            if last > first:
                band = self.colours(Box(0, rows.start, width, rows.stop)).reshape(-1, 3)
                found[first:last] = band[flat[first:last] - rows.start * width]
        return found


_KEPT_PX = 400_000
"""Pixels of a view up to which all of its colours are kept."""
BRIM_PX = 4
"""How far from the edges of a part what lies beyond them would count."""
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


def _variance(bare: Floats, astray_px: float, level: Floats) -> Floats:
    """How far (variance, h×w×3) bare print (Lab) seen again lies from itself: by the noise ``level`` (3), and by how much it
    changes over so many pixels."""
    steps = sum(np.square(cv2.Scharr(bare, cv2.CV_32F, *way) / 32) for way in ((1, 0), (0, 1)))
    return np.asarray(np.asarray(steps, np.float32) * np.float32(astray_px**2) + level**2, np.float32)


def _print_nats(now: Floats, bare: Floats, own: slice, variance: Floats, washed: Floats, settings: PawnSettings) -> Floats:
    """Log density of the ``own`` rows of a part of a view (Lab) if bare print lies there. ``washed``: how many of both pictures
    are washed out in each pixel: it may lie far from the taught one, but is as likely as any other where it does not."""
    flat_now, flat_bare = now[own].reshape(-1, 3), bare[own].reshape(-1, 3)
    noise = np.sqrt(variance.reshape(-1, 3))
    best = log_density(flat_now - flat_bare, noise)
    burnt = np.flatnonzero(washed)
    if len(burnt):
        noise[burnt] = np.sqrt(noise[burnt] ** 2 + washed.reshape(-1)[burnt, None] * np.float32(BURNT_NOISE**2))
        best[burnt] = np.maximum(best[burnt], log_density(flat_now[burnt] - flat_bare[burnt], noise[burnt]))
    ill = np.flatnonzero(best < np.float32(np.log(settings.hidden)) + NOWHERE + 6.0)
    dark, light = (cv2.blur(one[..., 0], (_SHADE_PX, _SHADE_PX))[own].reshape(-1)[ill] + 2 for one in (now, bare))
    darker = np.clip(dark / light, settings.darkest, 1.0)[:, None]
    shaded = log_density(flat_now[ill] - flat_bare[ill] * darker, noise[ill]) - settings.shadow
    best[ill] = np.maximum(best[ill], shaded)
    return with_hidden(best, settings.hidden).reshape(variance.shape[:2])


BURNT, BURNT_NOISE = 250, 12.0
"""The level of a channel at which a picture is washed out, and how far (standard deviation) such a pixel lies from anything."""


def _burnt(seen: Image) -> Mask:
    """Which pixels of a part of a view are washed out (H×W)."""
    blue, green, red = cv2.split(seen)
    return np.asarray(cv2.max(cv2.max(blue, green), red) >= BURNT, np.bool_)


def spread_of(noise: Floats) -> Floats:
    """The logarithm of what standard deviations (…×3) span together."""
    return np.asarray(np.log(noise[..., 0] * noise[..., 1] * noise[..., 2]), np.float32)


def log_density(rest: Floats, noise: Floats, spread: Floats | None = None) -> Floats:
    """Log density (nats) of what is left over (…×3) with a standard deviation of each channel; ``spread``: :func:`spread_of`
    these, where it is known."""
    scaled = rest / noise
    spread = spread_of(noise) if spread is None else spread
    return np.asarray(-0.5 * np.einsum("...c,...c->...", scaled, scaled) - spread - NORMAL, np.float32)


def with_hidden(density: Floats, hidden: float) -> Floats:
    """The same where a share of all pixels may be hidden by anything (the larger of both, which is nearly their sum)."""
    return np.asarray(np.maximum(np.float32(np.log(1 - hidden)) + density, np.float32(np.log(hidden)) + NOWHERE), np.float32)


_LOGARITHMS = np.asarray(np.log(np.arange(256) + _BLACK), np.float32)


def _block_light(seen: Image, taught: Image, inside: Mask, side: int) -> Floats:
    """The light of each block (``side`` pixels; rows×columns×3 natural logarithms) of a thinned view (BGR) beside that of the
    taught one: the median of their ratio, for most of each block is bare print."""
    # Medians do not mind what pieces cover; what the pictures do not have, or have washed out, is left out.
    thin = _LOGARITHMS[seen] - _LOGARITHMS[taught]
    known = inside & ~_burnt(seen)
    everywhere = _median(thin[known])
    rows, columns = (max(1, round(length / side)) for length in thin.shape[:2])
    light = np.zeros((rows, columns, 3), np.float32)
    for row, (part, has) in enumerate(zip(np.array_split(thin, rows), np.array_split(known, rows), strict=True)):
        parts = zip(np.array_split(part, columns, axis=1), np.array_split(has, columns, axis=1), strict=True)
        for column, (one, some) in enumerate(parts):
            found = one[some]
            light[row, column] = _median(found) if len(found) > some.size / 4 else everywhere
    smooth = _smooth(light)
    local = light - smooth
    local[np.abs(local).max(axis=2) > _NO_LIGHT] = 0.0
    return np.asarray(
        smooth + cv2.GaussianBlur(np.asarray(local, np.float32), (3, 3), 0.7, borderType=cv2.BORDER_REPLICATE), np.float32
    )


def _median(values: Floats) -> Floats:
    """The medians of columns (N×3)."""
    low, high = (len(values) - 1) // 2, len(values) // 2
    part = np.partition(values, (low, high), axis=0)
    return np.asarray((part[low] + part[high]) / 2, np.float32)


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
