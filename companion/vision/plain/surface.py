"""Looking at the board's surface through a registration: cutting patches, and taking the light out of them.

Light is handled in linear intensity (sRGB's curve undone). *Reflectance* here means intensity divided by the light that
the bare streets around show, so bare street is about 1 in every channel under any lamp.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.boards import Board, Point
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Image
from companion.vision.plain.settings import SurfaceSettings

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

_CODES = np.arange(256) / 255.0
#: sRGB code value to linear intensity, 0..1
LINEAR: Floats = np.where(_CODES <= 0.04045, _CODES / 12.92, ((_CODES + 0.055) / 1.055) ** 2.4).astype(np.float32)


def linear(image: Image) -> Floats:
    """8-bit sRGB to linear intensities 0..1, same shape."""
    codes = np.ascontiguousarray(image).reshape(1, -1)
    return np.asarray(cv2.LUT(codes, LINEAR.reshape(1, -1)), np.float32).reshape(image.shape)


def mean3(values: Floats) -> Floats:
    """Mean of the three channels (… ×3). NumPy's own mean over so short an axis is twenty times slower."""
    return np.asarray((values[..., 0] + values[..., 1] + values[..., 2]) / 3, np.float32)


def max3(values: Floats) -> Floats:
    """Largest of the three channels (… ×3)."""
    return np.asarray(np.maximum(np.maximum(values[..., 0], values[..., 1]), values[..., 2]), np.float32)


def length3(values: Floats) -> Floats:
    """Euclidean length over the three channels (… ×3)."""
    x, y, z = values[..., 0], values[..., 1], values[..., 2]
    return np.asarray(np.sqrt(x * x + y * y + z * z), np.float32)


def about_middle(side: int, radius: float) -> NDArray[np.bool_]:
    """Which samples of a square patch (side×side) lie within a radius (samples) of its middle."""
    ys, xs = np.mgrid[0:side, 0:side] - (side - 1) / 2
    return np.asarray(np.hypot(xs, ys) <= radius, np.bool_)


def pick(image: NDArray[Any], pixels: ArrayLike, border: int = cv2.BORDER_CONSTANT) -> NDArray[Any]:
    """Bilinear values of ``image`` at pixels (… ×2), any number of them; outside is black unless ``border`` says else."""
    return Points.at(pixels).of(image, border)


def turned(image: NDArray[Any], at_mm: Point, turn: float, xs: ArrayLike, ys: ArrayLike, scale: float) -> NDArray[Any]:
    """Values of an image of ``scale`` samples a millimetre on a grid (``xs`` across and ``ys`` down, mm) that is turned
    clockwise by ``turn`` (radians) about a point (mm from the image's middle). Beyond the image its edge is repeated."""
    x, y = np.meshgrid(xs, ys)
    c, s = np.cos(turn), np.sin(turn)
    points = np.stack([at_mm[0] + c * x - s * y, at_mm[1] + s * x + c * y], axis=-1)
    middle = (np.array([image.shape[1], image.shape[0]]) - 1) / 2
    return pick(image, points * scale + middle, cv2.BORDER_REPLICATE)


@dataclass(frozen=True, eq=False)
class Points:
    """Points of a picture, made ready once to be looked up in many pictures."""

    x: Floats
    y: Floats
    shape: tuple[int, ...]

    @classmethod
    def at(cls, pixels: ArrayLike) -> "Points":
        """From pixels (… ×2), any number of them."""
        points = np.asarray(pixels, np.float32)
        shape = points.shape[:-1]
        flat = points.reshape(-1, 2)
        across = 1024  # OpenCV's remap takes at most 32767 rows or columns
        rows = -(-len(flat) // across)
        padded = np.zeros((2, rows * across), np.float32)
        padded[:, : len(flat)] = flat.T
        return cls(padded[0].reshape(rows, across), padded[1].reshape(rows, across), shape)

    def of(self, image: NDArray[Any], border: int = cv2.BORDER_CONSTANT) -> NDArray[Any]:
        """Bilinear values of an image there; outside is black unless ``border`` says else."""
        values = np.asarray(cv2.remap(image, self.x, self.y, cv2.INTER_LINEAR, borderMode=border))
        values = values.reshape((self.x.size, *image.shape[2:]))[: math.prod(self.shape)]
        return values.reshape((*self.shape, *image.shape[2:]))


@dataclass(frozen=True, eq=False)
class View:
    """A picture together with where the board lies in it."""

    image: Image
    registration: Registration

    @classmethod
    def of(cls, image: Image, registration: Registration, board: Board, settings: SurfaceSettings) -> "View":
        """A view whose picture is no denser than sampling needs; the registration is scaled along."""
        density = pixels_per_mm(registration, board)
        while density > settings.densest * settings.scale:
            image = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            size = image.shape[1], image.shape[0]
            registration = with_lens(registration, registration.lens.scaled(size))
            density /= 2
        return cls(image, registration)


def with_lens(registration: Registration, lens: Lens) -> Registration:
    """The same pose seen through another lens (of a scaled picture)."""
    return replace(registration, lens=lens)


def pixels_per_mm(registration: Registration, board: Board) -> float:
    """Picture pixels per millimetre at the middle of the board, the larger of the two directions."""
    x, y = board.size_mm[0] / 2, board.size_mm[1] / 2
    a, b, c = registration.project([[x, y], [x + 10, y], [x, y + 10]])
    return float(max(np.linalg.norm(b - a), np.linalg.norm(c - a)) / 10)


@dataclass(frozen=True, eq=False)
class Grid:
    """Sample points for a stack of equal patches: ``mm`` is N×H×W×2 board millimetres at one ``height_mm``."""

    mm: Floats
    height_mm: float

    @classmethod
    def around(cls, centres: Sequence[Point], side_mm: ArrayLike, scale: float, height_mm: float) -> "Grid":
        """Axis-parallel patches around centres; ``side_mm`` is one side or (width, height)."""
        width, height = np.broadcast_to(np.asarray(side_mm, np.float64), 2)
        across, down = max(2, round(width * scale)), max(2, round(height * scale))
        xs = (np.arange(across) - (across - 1) / 2) / scale
        ys = (np.arange(down) - (down - 1) / 2) / scale
        offsets = np.stack(np.meshgrid(xs, ys), axis=-1)
        middle = np.asarray(centres, np.float64).reshape(-1, 1, 1, 2)
        return cls((middle + offsets).astype(np.float32), height_mm)

    @cached_property
    def middles(self) -> Floats:
        """Middle (N×2 mm) of every patch."""
        return np.asarray(self.mm.reshape(len(self.mm), -1, 2).mean(axis=1), np.float32)

    def maps(self, registration: Registration) -> tuple[Floats, Floats]:
        """Picture x and y of every sample, (N·H)×W each, for :func:`sample`."""
        shape = self.mm.shape
        pixels = registration.project(self.mm.reshape(-1, 2), self.height_mm).astype(np.float32)
        return pixels[:, 0].reshape(-1, shape[2]), pixels[:, 1].reshape(-1, shape[2])

    def maps_below(self, registration: Registration, other: Registration) -> tuple[Floats, Floats]:
        """For every sample, where ``other``'s picture shows the *bare board* that this sample's sight line ends on."""
        shape = self.mm.shape
        if self.height_mm == 0:
            return self.maps(other)
        pixels = registration.project(self.mm.reshape(-1, 2), self.height_mm)
        ground = registration.locate(pixels, 0.0)
        below = other.project(ground, 0.0).astype(np.float32)
        return below[:, 0].reshape(-1, shape[2]), below[:, 1].reshape(-1, shape[2])

    def sample(self, image: Image, maps: tuple[Floats, Floats]) -> Image:
        """N×H×W×3 patches. Samples outside the picture are black."""
        shape = self.mm.shape
        flat = cv2.remap(image, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return np.asarray(flat, np.uint8).reshape(shape[0], shape[1], shape[2], 3)

    def part(self, maps: tuple[Floats, Floats], chosen: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Of the maps of all patches those of the chosen ones."""
        count, height, width = self.mm.shape[:3]
        x, y = (np.ascontiguousarray(one.reshape(count, height, width)[chosen]).reshape(-1, width) for one in maps)
        return x, y

    def outside(self, maps: tuple[Floats, Floats], size: tuple[int, int]) -> NDArray[np.bool_]:
        """Which samples (N×H×W) lie beside a picture of that size."""
        x, y = (part.reshape(self.mm.shape[:3]) for part in maps)
        return np.asarray((x < 0) | (y < 0) | (x > size[0] - 1) | (y > size[1] - 1), np.bool_)

    def within(self, radius_mm: float) -> NDArray[np.bool_]:
        """Which samples (H×W) of every patch lie about its middle."""
        away = self.mm[0] - self.middles[0]
        return np.asarray(np.hypot(away[..., 0], away[..., 1]) <= radius_mm, np.bool_)


@dataclass(frozen=True, eq=False)
class LightField:
    """Smooth light over the board: natural logarithm per channel on a coarse grid of blocks covering the board."""

    log: Floats
    block_mm: float

    def at(self, mm: ArrayLike) -> Floats:
        """Linear light (… ×3) at board millimetres (… ×2)."""
        points = np.asarray(mm, np.float32)
        values = pick(self.log, points / self.block_mm - 0.5, cv2.BORDER_REPLICATE)
        return np.asarray(np.exp(values), np.float32)


@dataclass(frozen=True)
class LightGrid:
    """The coarse sample grid of one board for light estimates."""

    board: Board
    settings: SurfaceSettings

    @cached_property
    def blocks(self) -> tuple[int, int]:
        """(down, across): number of blocks."""
        size = self.settings.block_mm
        return int(np.ceil(self.board.size_mm[1] / size)), int(np.ceil(self.board.size_mm[0] / size))

    @cached_property
    def grid(self) -> Grid:
        """All coarse samples as one patch covering the blocks."""
        down, across = self.blocks
        per = round(self.settings.block_mm / self.settings.grid_mm)
        step = self.settings.block_mm / per
        xs = (np.arange(across * per) + 0.5) * step
        ys = (np.arange(down * per) + 0.5) * step
        mm = np.stack(np.meshgrid(xs, ys), axis=-1)[None]
        return Grid(mm.astype(np.float32), 0.0)

    def per_block(self, values: Floats) -> Floats:
        """Coarse samples H×W×C to block medians down×across×C."""
        down, across = self.blocks
        per = values.shape[0] // down
        split = values.reshape(down, per, across, per, -1).transpose(0, 2, 1, 3, 4).reshape(down, across, per * per, -1)
        return np.asarray(np.median(split, axis=2), np.float32)


def street_light(view: View, ground: LightGrid) -> LightField:
    """Light over an *empty* board from its bare streets: each block takes its neighbourhood's street cells.

    Streets are one kind of paper; averaging over several cells evens their print out, while a glare spot, wider than a
    cell, stays.
    """
    board, settings = ground.board, ground.settings
    streets = sorted(cell for cell in board.cells if board.kind(cell) == "street") or sorted(board.cells)
    centres = [board.mm(cell) for cell in streets]
    grid = Grid.around(centres, min(board.cell_mm) * 0.6, 0.75, 0.0)
    patches = linear(grid.sample(view.image, grid.maps(view.registration)))
    log = np.log(np.median(patches.reshape(len(streets), -1, 3), axis=1) + 1e-3)
    down, across = ground.blocks
    ys, xs = np.mgrid[0:down, 0:across]
    blocks = (np.stack([xs, ys], axis=-1) + 0.5) * settings.block_mm
    squared = ((blocks[:, :, None] - np.asarray(centres)[None, None]) ** 2).sum(-1)
    # The nearest cells always count, however far a margin block is from any street.
    squared -= squared.min(axis=2, keepdims=True)
    weights = np.exp(-squared / (2 * (settings.block_mm * 1.2) ** 2))
    weights /= weights.sum(axis=2, keepdims=True)
    return LightField((weights @ log).astype(np.float32), settings.block_mm)


def light_change(now: Floats, before: Floats, ground: LightGrid) -> LightField:
    """How the light changed between two coarse sheets (H×W×3 linear), shadows of pieces and pieces themselves left out.

    A smooth surface fitted robustly to the blocks' log ratios, then bent towards blocks that nearly agree with it.
    """
    ratio = ground.per_block(np.log((now + 2e-3) / (before + 2e-3)))
    down, across = ground.blocks
    ys, xs = np.mgrid[0:down, 0:across]
    x, y = xs.ravel() / across * 2 - 1, ys.ravel() / down * 2 - 1
    basis = np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], axis=1)
    values = ratio.reshape(-1, 3).astype(np.float64)
    weights = np.ones(len(values))
    smooth = np.broadcast_to(np.median(values, axis=0), values.shape)
    for scale in (0.6, 0.35, 0.2, 0.15, 0.15):
        distance = np.linalg.norm(values - smooth, axis=1) / np.sqrt(3)
        weights = 1 / (1 + (distance / scale) ** 2) ** 2
        root = np.sqrt(weights)[:, None]
        ridge = 0.3 * np.diag([float(i + j > 1) for i in range(4) for j in range(4 - i)])
        left = np.vstack([basis * root, ridge])
        right = np.vstack([values * root, np.zeros((len(ridge), 3))])
        smooth = basis @ np.linalg.lstsq(left, right, rcond=None)[0]
    distance = np.linalg.norm(values - smooth, axis=1) / np.sqrt(3)
    trust = (1 / (1 + (distance / 0.1) ** 2) ** 2).reshape(down, across, 1).astype(np.float32)
    rest = (values - smooth).reshape(down, across, 3).astype(np.float32)
    total = cv2.GaussianBlur(rest * trust, (5, 5), 1.0)
    share = cv2.GaussianBlur(trust, (5, 5), 1.0)[..., None] + 0.3
    return LightField((smooth.reshape(down, across, 3) + total / share).astype(np.float32), ground.settings.block_mm)
