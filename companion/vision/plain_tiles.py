"""Flat pieces (tiles, strips, small discs): how well a place looks like bare board, and how well like each taught piece.

As with faces, a place is unrolled about its middle and all turns are compared at once. A mask takes out what a disc
standing on the tile hides, so that the corners left in sight decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain_discs import to_lab
from companion.vision.plain_surface import pick

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

RINGS = 20
TURNS = 120
"""Samples around; one is 3°."""
UNIT = np.array([22.0, 14.0, 14.0], np.float32)
"""L*, a*, b* per unit of distance."""


@dataclass(frozen=True)
class FlatShape:
    """What a group of flat pieces covers: ``reach_mm`` of the unrolled circle, ``hexagon`` if the shape is one, and how far
    its middle may lie off (mm)."""

    reach_mm: float
    hexagon: bool
    size_mm: tuple[float, float]
    round: bool
    slack_mm: float

    @cached_property
    def radii(self) -> Floats:
        """Ring radii in mm."""
        return np.linspace(0.05, 1.0, RINGS, dtype=np.float32) * np.float32(self.reach_mm)

    @cached_property
    def weight(self) -> Floats:
        """RINGS×TURNS: ring area where the piece is, 0 beside it. Hexagons lie along the board's hexes, so turning keeps it."""
        angles = np.arange(TURNS) * (2 * np.pi / TURNS)
        x, y = self.radii[:, None] * np.cos(angles), self.radii[:, None] * np.sin(angles)
        if self.hexagon:
            flat = self.size_mm[1] / 2 * 0.95
            inside = np.ones(x.shape, bool)
            for k in range(3):
                direction = np.radians(90 + 60 * k)
                inside &= np.abs(x * np.cos(direction) + y * np.sin(direction)) <= flat
        elif self.round:
            inside = np.hypot(x, y) <= self.size_mm[0] / 2 * 0.95
        else:
            inside = np.ones(x.shape, bool)
        return (inside * self.radii[:, None] / self.reach_mm).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Flat:
    """An unrolled place: ``lab`` RINGS×TURNS×3 in units of distance, ``mask`` RINGS×TURNS 0..1 of what can be seen."""

    lab: Floats
    mask: Floats

    @cached_property
    def centred(self) -> Floats:
        """The same with the visible part's mean taken out of every channel."""
        weights = np.maximum(self.mask, 1e-6)
        return np.asarray(self.lab - np.average(self.lab, axis=(0, 1), weights=np.repeat(weights[..., None], 3, 2)), np.float32)

    @cached_property
    def moments(self) -> tuple[NDArray[np.complex128], NDArray[np.complex128], NDArray[np.complex128]]:
        """Transforms of mask, mask·colour, mask·colour²."""
        return _moments(self.mask, self.lab)

    @cached_property
    def centred_moments(self) -> tuple[NDArray[np.complex128], NDArray[np.complex128], NDArray[np.complex128]]:
        """The same of the centred colours."""
        return _moments(self.mask, self.centred)

    @cached_property
    def mean(self) -> Floats:
        """Mean colour of the visible part."""
        return np.asarray(
            np.average(self.lab, axis=(0, 1), weights=np.repeat(np.maximum(self.mask, 1e-6)[..., None], 3, 2)), np.float32
        )


def unroll(
    seen: Floats, hidden: NDArray[np.bool_] | None, shape: FlatShape, offset_mm: tuple[float, float], scale: float
) -> Flat:
    """A place of one H×W×3 reflectance patch, unrolled about an offset from its middle. ``hidden`` H×W is masked out."""
    return _unroll(to_lab(seen) / UNIT, hidden, shape, offset_mm, scale)


def _unroll(
    lab: Floats, hidden: NDArray[np.bool_] | None, shape: FlatShape, offset_mm: tuple[float, float], scale: float
) -> Flat:
    side = np.array([(lab.shape[1] - 1) / 2, (lab.shape[0] - 1) / 2])
    angles = np.arange(TURNS) * (2 * np.pi / TURNS)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    points = (np.asarray(offset_mm) + shape.radii[:, None, None] * ring[None]) * scale + side
    visible = np.ones(lab.shape[:2], np.float32) if hidden is None else 1 - hidden.astype(np.float32)
    values = pick(np.dstack([lab, visible]), points)
    return Flat(np.ascontiguousarray(values[..., :3]), np.asarray(values[..., 3] * shape.weight, np.float32))


def _moments(mask: Floats, colours: Floats) -> tuple[NDArray[np.complex128], NDArray[np.complex128], NDArray[np.complex128]]:
    spread = mask[..., None].astype(np.float64)
    return (
        np.fft.rfft(spread, axis=1), np.fft.rfft(spread * colours, axis=1),
        np.fft.rfft((spread * colours**2).sum(axis=2, keepdims=True), axis=1),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Pattern:
    """A taught pattern with a weight per sample, Fourier-transformed along the angle for comparison at every turn."""

    weight: NDArray[np.complex128]
    first: NDArray[np.complex128]
    second: NDArray[np.complex128]

    @classmethod
    def of(cls, taught: Floats, weight: Floats) -> "Pattern":
        """From RINGS×TURNS×3 colours and RINGS×TURNS weights."""
        spread = weight[..., None].astype(np.float64)
        return cls(
            np.conj(np.fft.rfft(spread, axis=1)), np.conj(np.fft.rfft(spread * taught, axis=1)),
            np.conj(np.fft.rfft((spread * taught**2).sum(axis=2, keepdims=True), axis=1)),
        )  # fmt: skip


def distances(seen: Flat, centred: bool, patterns: Sequence[Pattern]) -> Array:
    """Mean squared distance (P×TURNS) to patterns turned clockwise by each step; inf where nothing weighted can be seen."""
    mask, first, second = seen.centred_moments if centred else seen.moments
    total = (
        np.einsum("rf,prf->pf", second[..., 0], np.stack([p.weight[..., 0] for p in patterns]))
        - 2 * np.einsum("rfc,prfc->pf", first, np.stack([p.first for p in patterns]), optimize=True)
        + np.einsum("rf,prf->pf", mask[..., 0], np.stack([p.second[..., 0] for p in patterns]))
    )
    share = np.fft.irfft(np.einsum("rf,prf->pf", mask[..., 0], np.stack([p.weight[..., 0] for p in patterns])), n=TURNS, axis=1)
    value = np.maximum(np.fft.irfft(total, n=TURNS, axis=1), 0)
    enough = share > 1e-3 * share.max(axis=1, keepdims=True) + 1e-6
    return np.asarray(np.where(enough, value / np.maximum(share, 1e-6), np.inf), np.float64)


@dataclass(frozen=True, eq=False)
class FlatLesson:
    """A taught flat piece: label, unrolled; its patterns for comparison, ``special`` weighs where labels differ."""

    label: str
    flat: Flat
    raw: Pattern
    whole: Pattern
    special: Pattern

    @classmethod
    def of(cls, label: str, flat: Flat, weight: Floats, special: Floats) -> "FlatLesson":
        """From an unrolled place, the weight of the piece's area and of its special spots."""
        return cls(
            label, flat, Pattern.of(flat.lab, weight), Pattern.of(flat.centred, weight), Pattern.of(flat.centred, special)
        )


def set_apart(taught: Sequence[tuple[str, Flat]], shape: FlatShape) -> tuple[FlatLesson, ...]:
    """Lessons of one group, each with the weight of the spots that tell its labels apart (a tile's number)."""
    if len({label for label, _ in taught}) < 2:
        return tuple(FlatLesson.of(label, flat, shape.weight, shape.weight) for label, flat in taught)
    turned = []
    # All drawn to the first one's turn; blur forgives small misfits, so that only real differences remain.
    for _, flat in taught:
        steps = int(distances(flat, True, [Pattern.of(taught[0][1].centred, shape.weight)])[0].argmin())
        turned.append((steps, np.roll(flat.centred, -steps, axis=1)))
    stack = np.stack([cv2.GaussianBlur(np.hstack([t, t, t]), (0, 0), 1.2)[:, TURNS : 2 * TURNS] for _, t in turned])
    spread = np.abs(stack - np.median(stack, axis=0)).max(axis=0).sum(axis=2)
    special = np.maximum(spread - np.percentile(spread, 70), 0)
    special = cv2.GaussianBlur(np.hstack([special] * 3), (0, 0), 1.5)[:, TURNS : 2 * TURNS]
    special = special / max(float(special.max()), 1e-6)
    return tuple(
        FlatLesson.of(label, flat, shape.weight, np.asarray(np.roll(special, steps, axis=1) * shape.weight, np.float32))
        for (label, flat), (steps, _) in zip(taught, turned, strict=True)
    )


COMMON = ("visible", "change", "bare", "bare centred", "contrast", "detail", "disc")
PAIR = ("raw", "centred", "special", "lightness", "colour", "special lead")


def flat_features(
    patch: Floats,
    bare: Floats,
    change: Floats,
    hidden: NDArray[np.bool_] | None,
    shape: FlatShape,
    lessons: Sequence[FlatLesson],
    scale: float,
    detail: float,
) -> tuple[Array, Array]:
    """Features of one place: common (7), and one row (6) per lesson."""  # fmt: skip
    steps = (-shape.slack_mm, 0.0, shape.slack_mm)
    offsets = [(x, y) for x in steps for y in steps if (hidden is None and x * y == 0) or (x, y) == (0, 0)]
    here = unroll(patch, hidden, shape, (0.0, 0.0), scale)
    empty = unroll(bare, hidden, shape, (0.0, 0.0), scale)
    total = max(float(here.mask.sum()), 1e-6)
    visible = total / float(shape.weight.sum())
    unlike = float((((here.lab - empty.lab) ** 2).sum(axis=2) * here.mask).sum()) / total
    pattern = float((((here.centred - empty.centred) ** 2).sum(axis=2) * here.mask).sum()) / total
    contrast = float(((here.centred**2).sum(axis=2) * here.mask).sum()) / total
    changed = unroll_change(change, shape, scale)
    common = np.array(
        [
            visible, float((changed * here.mask).sum()) / total, np.log1p(unlike), np.log1p(pattern), np.log1p(contrast),
            np.clip(detail, 0.5, 2.5) - 1.5, float(hidden is not None),
        ]
    )  # fmt: skip
    lab = to_lab(patch) / UNIT
    flats = [_unroll(lab, hidden, shape, offset, scale) for offset in offsets]
    # Which offset: where the best lesson fits best, so that every lesson is then judged on the same ground.
    wholes = [lesson.whole for lesson in lessons]
    fits = [distances(flat, True, wholes) for flat in flats]
    order = np.argsort([fit.min() for fit in fits])[:2]
    rows = np.full((len(lessons), 5), np.inf)
    for index in order:
        flat, centred = flats[index], fits[index]
        special = distances(flat, True, [lesson.special for lesson in lessons])
        raw = distances(flat, False, [lesson.raw for lesson in lessons])
        near = 1.6 * centred.min(axis=1, keepdims=True) + 0.05
        best = np.where(centred < near, centred + special, np.inf).argmin(axis=1)
        for row, (lesson, turn) in enumerate(zip(lessons, best, strict=True)):
            if centred[row, turn] + special[row, turn] < rows[row, 1] + rows[row, 2]:
                gap = flat.mean - lesson.flat.mean
                rows[row] = raw[row, turn], centred[row, turn], special[row, turn], gap[0], float(np.hypot(gap[1], gap[2]))
    lead = np.log1p(np.minimum(rows[:, 2], 50))
    others = np.array(
        [
            min((lead[j] for j in range(len(lessons)) if lessons[j].label != lessons[i].label), default=lead[i])
            for i in range(len(lessons))
        ]
    )
    pair = np.column_stack(
        [
            np.log1p(np.minimum(rows[:, 0], 50)),
            np.log1p(np.minimum(rows[:, 1], 50)),
            lead,
            np.clip(rows[:, 3], -3, 3),
            np.clip(rows[:, 4], 0, 3),
            np.clip(others - lead, -2, 2),
        ]
    )
    return common, pair


def unroll_change(change: Floats, shape: FlatShape, scale: float) -> Floats:
    """A change map (H×W) unrolled like a place."""
    side = np.array([(change.shape[1] - 1) / 2, (change.shape[0] - 1) / 2])
    angles = np.arange(TURNS) * (2 * np.pi / TURNS)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return np.asarray(pick(change, shape.radii[:, None, None] * ring[None] * scale + side), np.float32)
