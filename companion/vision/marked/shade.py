"""Has nothing but shade changed what a place shows around the piece on it? Then no tile lies there.

A shadow multiplies the light: it is smooth, it grows towards the piece that throws it, and the board's own print still shows
through it. A tile brings another print. So the print now is compared with the print that was taught, in logarithms, wherever a
tile could lie: what any smooth shade makes of it is taken out of both first. No way a tile may lie may be left in which
it would hide print that shows. Nothing here knows how a board or a tile is printed.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.boards import Group
from companion.vision.frame import Mask
from companion.vision.marked.background import BackgroundModel
from companion.vision.marked.patch_alignment import AlignmentSettings, align_patch
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.reading import Sighting

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
_STEPS = 3
"""Middles of a tile that are tried, this many to each side of the place's own."""
_TURNS = (0.0, 30.0)
"""Degrees: a tile lies as its cell does, mostly."""
_REACH_MM = 15.0
"""Pieces farther away than this throw no shade here that is not smooth."""
_RIDGE = 1e-4
"""Share of the pixels: keeps a shade solvable where little of the place is in sight."""


@dataclass(frozen=True, slots=True)
class ShadeSettings:
    """Tunables of the comparison; how the place is laid over the taught one is :class:`AlignmentSettings`.

    match
        0.7..0.85 correlation with the taught print that every way a tile may lie must keep.
    doubtful, slight
        0.5..0.75: with less the print may be gone, and no place is called bare of whose rim more than 0.15..0.25 changed:
        a tile nearly as light as the board, in even light, changed a quarter of it.
    fainter, stronger
        0.5..0.8 and 1.3..1.8: how many times as strong as the taught print it may be.
    fades_mm
        Two lengths over which a shade fades away from the piece, 1..3 and 4..8 mm: a disc touches the board, a lamp is wide.
    clear_mm
        1.5..2.5 mm kept free around pieces: where a piece touches the board its own blurred edge shows.
    edge_mm
        0.2..1 mm within a tile's edge: the outline printed around a cell must not stand for the tile.
    smallest_mm2, least_mm2
        30..60 mm² must be in sight of a tile to be compared; 15..30 of every one, or nothing is said.
    print_log
        0.02..0.05 natural logarithms (standard deviation): with a fainter print there is nothing to compare.
    """

    match: float = 0.75
    doubtful: float = 0.7
    slight: float = 0.2
    fainter: float = 0.7
    stronger: float = 1.6
    fades_mm: tuple[float, float] = (2.0, 5.0)
    clear_mm: float = 2.0
    edge_mm: float = 0.3
    smallest_mm2: float = 40.0
    least_mm2: float = 20.0
    print_log: float = 0.02


@dataclass(frozen=True, slots=True)
class Shade:
    """How well the taught print shows through, for the way a tile may lie where it does so least: ``match``, a correlation, and
    ``strength``, how many times as strong it is; ``print_log``: how strong the taught one is there, natural logarithms."""

    match: float
    strength: float
    print_log: float

    def print_survives(self, settings: ShadeSettings) -> bool:
        """Whether the board's own print shows wherever a tile would hide it."""
        alike = self.match >= settings.match and settings.fainter <= self.strength <= settings.stronger
        return alike and self.print_log >= settings.print_log

    def print_may_be_gone(self, settings: ShadeSettings) -> bool:
        """Whether for some way a tile may lie what shows need not be the board's print."""
        return self.match < settings.doubtful or self.print_log < settings.print_log


def shade_over(
    registered: RegisteredImage,
    spot: str,
    tile: Group,
    pieces: Iterable[Sighting],
    bare: BackgroundModel,
    settings: ShadeSettings,
    laying: AlignmentSettings,
) -> Shade | None:
    """How the taught print shows around the pieces on a place. None when that cannot be compared."""
    pieces = tuple(pieces)
    laid = align_patch(registered, spot, tile, pieces, bare, laying, settings.clear_mm)
    if laid is None:
        return None
    around = laid.around
    # Every second pixel in both directions: the patches are smoothed further than that.
    thin = (slice(None, None, 2), slice(None, None, 2))
    zone = (laid.visible & (laid.distance <= laid.outer_mm + laying.off_mm))[thin]
    shades = _shades(around[thin][zone], np.array(registered.board.mm(spot)), registered, pieces, settings)
    inside = _hidden_by_tile(around[thin][zone], tile, settings, laying.off_mm)
    seen_mm2 = inside.sum(axis=1) * 4 / laying.scale**2
    enough = seen_mm2 >= settings.smallest_mm2
    if not enough.any() or seen_mm2.min() < settings.least_mm2:
        return None
    logs = [np.log(picture[thin][zone].astype(np.float64) + 6.0) for picture in (laid.now, laid.before)]
    return _least_match(logs[0], logs[1], shades, inside[enough])


def _shades(where: Array, at: Array, registered: RegisteredImage, pieces: Iterable[Sighting], settings: ShadeSettings) -> Array:
    """What smooth shades are made of (N×12): a quadratic surface, and what fades away from the foot of each piece near by,
    with its slope around it, for a lamp shines from one side."""
    x, y = where[:, 0] / 20.0, where[:, 1] / 20.0
    surface = [np.ones_like(x), x, y, x * x, x * y, y * y]
    fading = np.zeros((len(settings.fades_mm), 3, len(where)))
    for piece in pieces:
        feet = np.array([foot for foot, _ in registered.stands_over(piece)])
        off = (where + at)[None] - feet[:, None]
        nearest = np.hypot(off[..., 0], off[..., 1]).argmin(axis=0)
        off = off[nearest, np.arange(len(where))]
        distance = np.hypot(off[:, 0], off[:, 1])
        away = np.maximum(distance - registered.radius(piece), 0.0)
        if away.min() < _REACH_MM:
            around = np.column_stack([np.ones(len(where)), off / np.maximum(distance, 1.0)[:, None]]).T
            fading += np.exp(-away / np.array(settings.fades_mm)[:, None])[:, None] * around
    return np.column_stack([*surface, *fading.reshape(-1, len(where))])


def _hidden_by_tile(where: Array, tile: Group, settings: ShadeSettings, off_mm: float) -> Mask:
    """For each way (K) a tile may lie which points (N) it would surely hide: K×N. It may lie off, and turned."""
    steps = np.linspace(-off_mm, off_mm, 2 * _STEPS + 1)
    middles = np.array([(x, y) for x in steps for y in steps if np.hypot(x, y) <= off_mm + 0.1])
    off = where[None] - middles[:, None]
    flat = min(tile.size_mm) / 2 - settings.edge_mm
    hidden = []
    for turn in np.radians(_TURNS):
        across = off[..., 0] * np.cos(turn) + off[..., 1] * np.sin(turn)
        down = off[..., 1] * np.cos(turn) - off[..., 0] * np.sin(turn)
        hidden.append((np.abs(down) <= flat) & (np.abs(across) * 3**0.5 / 2 + np.abs(down) / 2 <= flat))
    return np.asarray(np.vstack(hidden), np.bool_)


def _least_match(now: Array, before: Array, shades: Array, inside: Mask) -> Shade:
    """The way a tile may lie (a row of ``inside``) that keeps least of the print. ``now``, ``before``: N×3 logarithms.

    Least squares, for all of them at once: what the shades explain is taken out of both, what is left is correlated.
    """
    chosen = inside.astype(np.float64)
    count, terms = chosen.sum(axis=1), shades.shape[1]
    products = (shades[:, :, None] * shades[:, None, :]).reshape(len(shades), -1)
    normal = (chosen @ products).reshape(-1, terms, terms) + _RIDGE * count[:, None, None] * np.eye(terms)
    sums = np.zeros((3, len(chosen)))
    for channel in range(3):
        one, other = now[:, channel], before[:, channel]
        targets = np.stack([chosen @ (shades * one[:, None]), chosen @ (shades * other[:, None])], axis=-1)
        fits = np.linalg.solve(normal, targets)
        sums[0] += chosen @ (one * one) - (fits[..., 0] * targets[..., 0]).sum(axis=1)
        sums[1] += chosen @ (other * other) - (fits[..., 1] * targets[..., 1]).sum(axis=1)
        sums[2] += chosen @ (one * other) - (fits[..., 0] * targets[..., 1]).sum(axis=1)
    printed = np.maximum(sums[1], 1e-9)
    match = sums[2] / np.sqrt(np.maximum(sums[0], 1e-9) * printed)
    least = int(match.argmin())
    strength = float(sums[2][least] / printed[least])
    return Shade(float(match[least]), strength, float(np.sqrt(printed[least] / (3 * count[least]))))
