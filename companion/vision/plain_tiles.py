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

from companion.boards import Group
from companion.vision.plain_discs import to_lab
from companion.vision.plain_marks import MARK_MM, mark_likeness, mark_picture
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

    @cached_property
    def outline(self) -> tuple[Array, Array]:
        """Points (K×2 mm) on the piece's edge about its middle, and outward normals; none for shapes that lie at any turn."""
        if self.round:
            angles = np.linspace(0, 2 * np.pi, 36, endpoint=False)
            circle = np.column_stack([np.cos(angles), np.sin(angles)])
            return circle * self.size_mm[0] / 2, circle
        if not self.hexagon:
            return np.zeros((0, 2)), np.zeros((0, 2))
        points: list[Array] = []
        normals: list[Array] = []
        for k in range(6):
            angle = np.radians(30 + 60 * k)
            normal = np.array([np.cos(angle), np.sin(angle)])
            along = np.array([-normal[1], normal[0]])
            for t in np.linspace(-0.8, 0.8, 7):
                points.append(normal * self.size_mm[1] / 2 + along * t * self.size_mm[0] / 4)
                normals.append(normal)
        return np.array(points), np.array(normals)

    def locate(self, seen: Floats, change: Floats, scale: float) -> tuple[float, float]:
        """Where in a patch (mm from its middle) the piece's outline stands out most."""
        points, normals = self.outline
        if not len(points):
            return 0.0, 0.0
        steps = np.arange(-5.0, 5.01, 1.0)
        offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        middle = (np.array([seen.shape[1], seen.shape[0]]) - 1) / 2
        stack = np.dstack([cv2.GaussianBlur(np.cbrt(np.maximum(seen, 0) + 0.01), (0, 0), 0.8), change])
        inner, outer = (
            pick(stack, (offsets[:, None] + (points + side * normals)[None]) * scale + middle) for side in (-1.2, 1.2)
        )
        contrast = np.minimum(np.linalg.norm(inner[..., :3] - outer[..., :3], axis=-1), 0.2).mean(axis=1) / 0.2
        score = contrast + 0.7 * (inner[..., 3] - outer[..., 3]).mean(axis=1) - 0.01 * np.hypot(*offsets.T)
        best = int(score.argmax())
        near = np.exp((score - score[best]) * 25) * (np.linalg.norm(offsets - offsets[best], axis=1) < 2.2)
        x, y = (offsets * near[:, None]).sum(axis=0) / near.sum()
        return float(x), float(y)


def flat_shape(group: Group) -> FlatShape:
    """How the pieces of a flat group are unrolled. Outlined shapes are found first; strips lie at any turn and need slack."""
    hexagon = group.shape == "hexagon"
    reach = max(group.size_mm) / 2 * (0.98 if hexagon else 1.0)
    slack = 0.8 if hexagon or group.shape == "disc" else 3.0
    return FlatShape(reach, hexagon, group.size_mm, group.shape == "disc", slack)


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
    mark: Floats | None = None
    mark_mm: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(
        cls,
        label: str,
        flat: Flat,
        weight: Floats,
        special: Floats,
        mark: Floats | None = None,
        mark_mm: tuple[float, float] = (0.0, 0.0),
    ) -> "FlatLesson":
        """From an unrolled place, the weight of the piece's area and of its special spots; ``mark`` is a small upright
        picture of the most special spot, ``mark_mm`` from the piece's middle."""
        return cls(
            label, flat, Pattern.of(flat.lab, weight), Pattern.of(flat.centred, weight), Pattern.of(flat.centred, special),
            mark, mark_mm,
        )  # fmt: skip


def set_apart(
    taught: Sequence[tuple[str, Floats, tuple[float, float]]], shape: FlatShape, scale: float
) -> tuple[FlatLesson, ...]:
    """Lessons of one group, each with the weight of the spots that tell its labels apart (a tile's number)."""
    if len({label for label, _, _ in taught}) < 2:
        return tuple(
            FlatLesson.of(label, unroll(patch, None, shape, offset, scale), shape.weight, shape.weight)
            for label, patch, offset in taught
        )
    # The most ordinary tile is the reference; the others are laid over it as well as they fit.
    flats = [unroll(patch, None, shape, offset, scale) for _, patch, offset in taught]
    patterns = [Pattern.of(flat.centred, shape.weight) for flat in flats]
    mutual = np.array([distances(flat, True, patterns).min(axis=1) for flat in flats])
    reference = patterns[int(np.median(mutual, axis=0).argmin())]
    shifts = np.arange(-3.6, 3.7, 1.2)
    places = [offset for _, _, offset in taught]
    for index, (_, patch, (x, y)) in enumerate(taught):
        lab = to_lab(patch) / UNIT
        trials = {(x + dx, y + dy): _unroll(lab, None, shape, (x + dx, y + dy), scale) for dx in shifts for dy in shifts}
        fits = {offset: float(distances(flat, True, [reference]).min()) for offset, flat in trials.items()}
        places[index] = min(fits, key=lambda offset: fits[offset])
        flats[index] = trials[places[index]]
    turned = []
    # All drawn to the first one's turn; blur forgives small misfits, so that only real differences remain.
    for flat in flats:
        steps = int(distances(flat, True, [reference])[0].argmin())
        turned.append((steps, np.roll(flat.centred, -steps, axis=1)))
    # Drawing only, each tile by its own contrast: glare on one of them is no difference.
    drawings = []
    for _, turned_flat in turned:
        light = np.hstack([turned_flat[..., 0]] * 3)
        detail = (cv2.GaussianBlur(light, (0, 0), 1.0) - cv2.GaussianBlur(light, (0, 0), 6.0))[:, TURNS : 2 * TURNS]
        drawings.append(detail / max(float(detail[shape.weight > 0].std()), 1e-3))
    stack = np.stack(drawings)
    spread = np.sort(np.abs(stack - np.median(stack, axis=0)), axis=0)[-3:].mean(axis=0)
    # The middle is too finely sampled to compare, and at the edge the table shows through.
    spread[(shape.radii < 0.3 * shape.reach_mm) | (shape.radii > 0.9 * shape.reach_mm)] = 0
    special = np.maximum(spread - np.percentile(spread, 70), 0)
    special = cv2.GaussianBlur(np.hstack([special] * 3), (0, 0), 1.5)[:, TURNS : 2 * TURNS]
    special = special / max(float(special.max()), 1e-6)
    angles = np.arange(TURNS) * (2 * np.pi / TURNS)
    # Where a mark-sized window gathers most difference.
    grid = shape.radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)[None]
    mass = (special * shape.weight).reshape(-1)
    flat_grid = grid.reshape(-1, 2)
    gathered = np.exp(-((flat_grid[:, None] - flat_grid[None, ::3]) ** 2).sum(axis=2) / (2 * 3.0**2)) @ mass[::3]
    x, y = (float(v) for v in flat_grid[int(gathered.argmax())])
    lessons = []
    for (label, patch, _), flat, (steps, _), (px, py) in zip(taught, flats, turned, places, strict=True):
        turn = steps * 2 * np.pi / TURNS
        c, s = np.cos(turn), np.sin(turn)
        at = (c * x - s * y, s * x + c * y)
        # The mark upright as this tile lies: its own turn is taken as zero when it is sought.
        mark = mark_picture(to_lab(patch)[..., 0], (px + at[0], py + at[1]), 0.0, MARK_MM, scale)
        weight = np.asarray(np.roll(special, steps, axis=1) * shape.weight, np.float32)
        lessons.append(FlatLesson.of(label, flat, shape.weight, weight, mark, at))
    return tuple(lessons)


COMMON = ("visible", "change", "bare", "bare centred", "contrast", "detail", "disc")
PAIR = ("raw", "centred", "special", "lightness", "colour", "special lead", "mark", "mark lead")


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
    middle = (0.0, 0.0) if hidden is not None else shape.locate(patch, change, scale)
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
    # Which offset: where the best lesson fits best, so that every lesson is then judged on the same ground.
    wholes = [lesson.whole for lesson in lessons]
    tried: dict[tuple[float, float], tuple[float, Flat, Array]] = {}

    def attempt(offset: tuple[float, float]) -> float:
        if offset not in tried:
            flat = _unroll(lab, hidden, shape, offset, scale)
            fit = distances(flat, True, wholes)
            tried[offset] = float(fit.min()), flat, fit
        return tried[offset][0]

    best_at = middle
    if hidden is None:
        step = shape.slack_mm
        if attempt(middle) > 0.5:  # the outline was not clear: look around
            best_at = min(((x, y) for x in (-2.5, 0.0, 2.5) for y in (-2.5, 0.0, 2.5)), key=attempt)
            best_at = min((best_at, middle), key=attempt)
        for _ in range(2):
            x, y = best_at
            best_at = min(((x, y), (x + step, y), (x - step, y), (x, y + step), (x, y - step)), key=attempt)
            step *= 0.6
    attempt(best_at)
    rows = np.full((len(lessons), 5), np.inf)
    poses: list[list[tuple[tuple[float, float], float]]] = [[] for _ in lessons]
    for offset, (_, flat, centred) in sorted(tried.items(), key=lambda entry: entry[1][0])[:2]:
        special = distances(flat, True, [lesson.special for lesson in lessons])
        raw = distances(flat, False, [lesson.raw for lesson in lessons])
        near = 1.6 * centred.min(axis=1, keepdims=True) + 0.05
        best = np.where(centred < near, centred + special, np.inf).argmin(axis=1)
        for row, (lesson, turn) in enumerate(zip(lessons, best, strict=True)):
            if centred[row, turn] + special[row, turn] < rows[row, 1] + rows[row, 2]:
                gap = flat.mean - lesson.flat.mean
                poses[row] = [(offset, float(k) * 2 * np.pi / TURNS) for k in [turn, *_likely_turns(centred[row])]]
                rows[row] = raw[row, turn], centred[row, turn], special[row, turn], gap[0], float(np.hypot(gap[1], gap[2]))
    lead = np.log1p(np.minimum(rows[:, 2], 50))
    others = np.array(
        [
            min((lead[j] for j in range(len(lessons)) if lessons[j].label != lessons[i].label), default=lead[i])
            for i in range(len(lessons))
        ]
    )
    light = np.ascontiguousarray(lab[..., 0] * UNIT[0])
    marks = np.array(
        [
            max((mark_likeness(light, lesson.mark, lesson.mark_mm, at, turn, scale) for at, turn in some), default=0.0)
            if lesson.mark is not None
            else 0.0
            for lesson, some in zip(lessons, poses, strict=True)
        ]
    )
    names = [lesson.label for lesson in lessons]
    rivals = np.array([max((marks[j] for j in range(len(names)) if names[j] != name), default=0.0) for name in names])
    pair = np.column_stack(
        [
            np.log1p(np.minimum(rows[:, 0], 50)), np.log1p(np.minimum(rows[:, 1], 50)), lead, np.clip(rows[:, 3], -3, 3),
            np.clip(rows[:, 4], 0, 3), np.clip(others - lead, -2, 2), marks, marks - rivals,
        ]
    )  # fmt: skip
    return common, pair


def _likely_turns(distance: Array) -> list[int]:
    """The few turns at which a pattern fits about as well as at its best one."""
    left = distance.copy()
    found: list[int] = []
    limit = 2.0 * float(distance.min()) + 0.3
    for _ in range(3):
        best = int(left.argmin())
        if left[best] > limit:
            break
        found.append(best)
        left[(np.arange(-6, 7) + best) % len(left)] = np.inf
    return found


def unroll_change(change: Floats, shape: FlatShape, scale: float) -> Floats:
    """A change map (H×W) unrolled like a place."""
    side = np.array([(change.shape[1] - 1) / 2, (change.shape[0] - 1) / 2])
    angles = np.arange(TURNS) * (2 * np.pi / TURNS)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return np.asarray(pick(change, shape.radii[:, None, None] * ring[None] * scale + side), np.float32)
