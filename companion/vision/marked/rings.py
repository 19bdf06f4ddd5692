"""The outline of a marker at any turn: a dark square ring in a light one, and how well places of a picture show it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import numpy as np
from numpy.typing import NDArray

from companion.vision.frame import Mask

Floats = NDArray[np.float32]
_LEAST_VARIANCE = 0.25
"""Grey levels squared: what differs less within two rings is grain of a plain surface."""


@dataclass(frozen=True, eq=False, slots=True)
class Rings:
    """Both rings at several turns within a quarter. ``used``: the pixels (N×N) of a square that any turn has a part in;
    ``dark`` and ``light``: how much of each of these pixels (rows) each turn (columns) has in its rings, 0..1."""

    used: Mask
    dark: Floats
    light: Floats

    @property
    def size(self) -> int:
        """Pixels to a side of the square."""
        return int(self.used.shape[0])


@lru_cache(maxsize=64)
def rings(side: float, quiet: float, cells: int, turns: int, parts: int = 1) -> Rings:
    """The rings of a marker ``cells`` wide with sides of ``side`` and a border of ``quiet`` pixels. ``parts``: into how many a
    pixel is divided each way to tell how much of it is theirs; with 1 it is all or nothing."""
    half, cell = side / 2 + quiet, side / cells
    size = 2 * ceil(half * 1.415) + 1
    steps = (np.arange(size * parts) + 0.5) / parts - size / 2
    x, y = np.meshgrid(steps, steps)
    dark, light = np.empty((turns, size, size), np.float32), np.empty((turns, size, size), np.float32)
    for turn in range(turns):
        angle = turn * np.pi / 2 / turns
        aside = np.maximum(np.abs(x * np.cos(angle) + y * np.sin(angle)), np.abs(y * np.cos(angle) - x * np.sin(angle)))
        for ring, least, most in ((dark, side / 2 - cell, side / 2), (light, side / 2, half)):
            ring[turn] = ((aside > least) & (aside <= most)).reshape(size, parts, size, parts).mean(axis=(1, 3))
    used = np.asarray((dark + light).any(axis=0), np.bool_)
    return Rings(used, np.ascontiguousarray(dark[:, used].T), np.ascontiguousarray(light[:, used].T))


def likeness(windows: Floats, shape: Rings, turns: Sequence[int] | None = None) -> Floats:
    """How well grey windows (M×H×W) show the rings at every offset within them and every turn, or some (M×rows×columns×turns):
    the correlation, -1..1, of the pixels of both rings with light and dark."""
    sums = _sums(shape, None if turns is None else tuple(turns), windows.shape[1], windows.shape[2])
    flat = (windows - windows.mean(axis=(1, 2), keepdims=True)).reshape(len(windows), -1)  # or squares would lose what differs
    shown = flat.take(sums.pixels, axis=1).reshape(-1, sums.pixels.shape[1])
    apart, both = np.hsplit(shown @ sums.apart_and_both, 2)
    square = np.square(shown, out=shown) @ sums.both
    mean = both / sums.count
    spread = np.sqrt(np.maximum(square / sums.count - mean**2, _LEAST_VARIANCE) * (1 - sums.tone**2))
    found = (apart / sums.count - mean * sums.tone) / spread
    return np.asarray(found.reshape(len(windows), *sums.offsets, -1), np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class _Sums:
    """What windows of one size are summed by. ``offsets``: how many there are down and across; ``pixels``: for each
    offset (rows) the index of every used pixel (columns) in a window laid out flat; ``apart_and_both``: per used pixel, light
    less dark and light and dark of each turn; ``both``: its latter half; ``count``, ``tone``: the sum of both, and the mean of
    light less dark, of each turn."""

    offsets: tuple[int, int]
    pixels: NDArray[np.intp]
    apart_and_both: Floats
    both: Floats
    count: Floats
    tone: Floats


@lru_cache(maxsize=128)
def _sums(shape: Rings, turns: tuple[int, ...] | None, height: int, width: int) -> _Sums:
    dark, light = (shape.dark, shape.light) if turns is None else (shape.dark[:, turns], shape.light[:, turns])
    rows, columns = height - shape.size + 1, width - shape.size + 1
    down, across = np.nonzero(shape.used)
    corners = np.add.outer(np.arange(rows) * width, np.arange(columns)).reshape(-1, 1)
    both, apart = dark + light, light - dark
    count = both.sum(axis=0)
    pixels = corners + (down * width + across)
    return _Sums((rows, columns), pixels, np.hstack([apart, both]), both, count, apart.sum(axis=0) / count)
