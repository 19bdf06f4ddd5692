"""What speaks for bare board and for each taught flat piece at one place."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.bare import NAMES as BARE_NAMES
from companion.vision.plain.bare import bare_features
from companion.vision.plain.discs import to_lab
from companion.vision.plain.marks import mark_likenesses
from companion.vision.plain.settings import BareSettings
from companion.vision.plain.surface import pick
from companion.vision.plain.tiles import (
    TURNS,
    UNIT,
    Flat,
    FlatExemplar,
    FlatShape,
    Patterns,
    correlations,
    distances,
    likely_turns,
    unroll,
    unroll_lab,
)

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

COMMON = ("visible", "change", "bare", "bare centred", "contrast", "detail", "disc", *BARE_NAMES)
"""``disc`` is 0 everywhere: where one hides a part of a place these features are not asked for."""
LessonPatterns = tuple[Patterns, Patterns, Patterns]
"""The whole, what tells the exemplars apart, the whole with its brightness."""
PAIR = ("raw", "centred", "special", "lightness", "colour", "special lead", "mark", "mark lead", "mark apart", "correlation")


@dataclass(frozen=True, eq=False)
class Poses:
    """Where in its patch a piece lies (mm from the middle), how every exemplar must be turned to lie so (P×1 radians), and how
    like the drawing that they share it is there (-1..1)."""

    offset_mm: tuple[float, float]
    turns: Array
    alike: float = 1.0


def flat_features(
    patch: Floats,
    bare: Floats,
    change: Floats,
    shape: FlatShape,
    exemplars: Sequence[FlatExemplar],
    patterns: LessonPatterns,
    scale: float,
    detail: float,
    settings: BareSettings,
) -> tuple[Array, Array, Poses]:
    """Features of one place in sight: common (see ``COMMON``), one row (see ``PAIR``) per exemplar, and how the exemplars lie
    on it; ``patterns`` are those of the exemplars (:func:`patterns_of`)."""
    middle = shape.locate(patch, change, scale)
    here = unroll(patch, None, shape, (0.0, 0.0), scale)
    empty = unroll(bare, None, shape, (0.0, 0.0), scale)
    total = max(float(here.mask.sum()), 1e-6)
    visible = total / float(shape.weight.sum())
    unlike = float((((here.lab - empty.lab) ** 2).sum(axis=2) * here.mask).sum()) / total
    pattern = float((((here.centred - empty.centred) ** 2).sum(axis=2) * here.mask).sum()) / total
    contrast = float(((here.centred**2).sum(axis=2) * here.mask).sum()) / total
    changed = _unroll_change(change, shape, scale)
    side = patch.shape[0]
    inside, around = shape.footprint(side, scale, settings.shrink), ~shape.footprint(side, scale, settings.grow)
    plain = bare_features(patch, bare, inside, around, scale, settings)
    common = np.array(
        [
            visible, float((changed * here.mask).sum()) / total, np.log1p(unlike), np.log1p(pattern), np.log1p(contrast),
            np.clip(detail, 0.5, 2.5) - 1.5, 0.0, *plain,
        ]
    )  # fmt: skip
    lab = to_lab(patch) / UNIT
    # Which offset: where the best exemplar fits best, so that every exemplar is then judged on the same ground.
    wholes, specials, raws = patterns
    tried: dict[tuple[float, float], tuple[float, Flat, Array]] = {}

    def best_of(offsets: Sequence[tuple[float, float]]) -> tuple[float, float]:
        fresh = [offset for offset in dict.fromkeys(offsets) if offset not in tried]
        if fresh:
            flats = unroll_lab(lab, None, shape, fresh, scale)
            for offset, flat, fit in zip(fresh, flats, distances(flats, True, wholes), strict=True):
                tried[offset] = float(fit.min()), flat, fit
        return min(offsets, key=lambda offset: tried[offset][0])

    best_at = best_of([middle])
    if tried[middle][0] > 0.5:  # the outline was not clear: look around
        best_at = best_of([(x, y) for x in (-2.5, 0.0, 2.5) for y in (-2.5, 0.0, 2.5)])
        best_at = best_of([best_at, middle])
    step = shape.slack_mm
    for _ in range(2):
        x, y = best_at
        best_at = best_of([(x, y), (x + step, y), (x - step, y), (x, y + step), (x, y - step)])
        step *= 0.6
    every = correlations(tried[best_at][1], wholes)
    alike = every.max(axis=1)
    rows = np.full((len(exemplars), 5), np.inf)
    poses: list[list[tuple[tuple[float, float], float]]] = [[] for _ in exemplars]
    nearest = sorted(tried.items(), key=lambda entry: entry[1][0])[:2]
    best_flats = [flat for _, (_, flat, _) in nearest]
    by_special, by_raw = distances(best_flats, True, specials), distances(best_flats, False, raws)
    for (offset, (_, flat, centred)), special, raw in zip(nearest, by_special, by_raw, strict=True):
        near = 1.6 * centred.min(axis=1, keepdims=True) + 0.05
        best = np.where(centred < near, centred + special, np.inf).argmin(axis=1)
        for row, (exemplar, turn) in enumerate(zip(exemplars, best, strict=True)):
            if centred[row, turn] + special[row, turn] < rows[row, 1] + rows[row, 2]:
                gap = flat.mean - exemplar.flat.mean
                poses[row] = [(offset, float(k) * 2 * np.pi / TURNS) for k in [turn, *likely_turns(centred[row])]]
                rows[row] = raw[row, turn], centred[row, turn], special[row, turn], gap[0], float(np.hypot(gap[1], gap[2]))
    lead = np.log1p(np.minimum(rows[:, 2], 50))
    others = np.array(
        [
            min((lead[j] for j in range(len(exemplars)) if exemplars[j].label != exemplars[i].label), default=lead[i])
            for i in range(len(exemplars))
        ]
    )
    light = np.ascontiguousarray(lab[..., 0] * UNIT[0])
    marks = np.array(
        [
            0.0
            if exemplar.mark is None or not some
            else max(mark_likenesses(light, exemplar.mark, exemplar.mark_mm, some, scale))
            for exemplar, some in zip(exemplars, poses, strict=True)
        ]
    )
    names = [exemplar.label for exemplar in exemplars]
    rivals = np.array([max((marks[j] for j in range(len(names)) if names[j] != name), default=0.0) for name in names])
    pair = np.column_stack(
        [
            np.log1p(np.minimum(rows[:, 0], 50)), np.log1p(np.minimum(rows[:, 1], 50)), lead, np.clip(rows[:, 3], -3, 3),
            np.clip(rows[:, 4], 0, 3), np.clip(others - lead, -2, 2), marks, marks - rivals,
            [_apart(index, marks, exemplars) for index in range(len(exemplars))], alike,
        ]
    )  # fmt: skip
    return common, pair, Poses(best_at, _turns(every, exemplars))


def patterns_of(exemplars: Sequence[FlatExemplar]) -> LessonPatterns:
    """All exemplars' patterns side by side. Costly, and about 6 MB: whoever keeps the exemplars keeps these beside them, and
    lets go of both together."""
    whole, special, raw = ([getattr(exemplar, name) for exemplar in exemplars] for name in ("whole", "special", "raw"))
    return Patterns.of(whole), Patterns.of(special), Patterns.of(raw)


def _turns(alike: Array, exemplars: Sequence[FlatExemplar]) -> Array:
    """The likeliest turn of every exemplar (P×1 radians) by correlation at every turn, of all together: they bear one drawing
    but for their labels, and it is known how they are turned against one another."""
    step = 2 * np.pi / TURNS
    grid = np.arange(TURNS)
    pooled = np.zeros(TURNS)
    for curve, exemplar in zip(alike, exemplars, strict=True):
        pooled += np.interp(grid - exemplar.turn / step, grid, curve, period=TURNS)
    best = int(pooled.argmax())
    left, middle, right = (float(pooled[(best + side) % TURNS]) for side in (-1, 0, 1))
    bend = left - 2 * middle + right
    peak = best + (0.5 * (left - right) / bend if bend < 0 else 0.0)
    return np.array([[peak * step - exemplar.turn] for exemplar in exemplars])


def _apart(index: int, marks: Array, exemplars: Sequence[FlatExemplar]) -> float:
    """By how much a mark fits better than every rival's, as a share of how unlike the two are: 1 if it is this one, -1 if
    it is the rival. Two numbers on equal badges correlate well; only this tells them apart. Flat marks correlate with any
    shade: an exemplar without a mark is judged by the marks that are not found."""
    mine = exemplars[index]
    drawn = [exemplar.mark is not None and exemplar.drawn for exemplar in exemplars]
    if not drawn[index]:
        found = [value for value, has, other in zip(marks, drawn, exemplars, strict=True) if has and other.label != mine.label]
        return float(np.clip(1 - 2 * max(found), -1.5, 1.5)) if found else 0.0
    leads = [
        (marks[index] - marks[j]) / max(1 - mine.kin[j], 0.04)
        for j, other in enumerate(exemplars)
        if other.label != mine.label and drawn[j]
    ]
    return float(np.clip(min(leads, default=0.0), -1.5, 1.5))


def _unroll_change(change: Floats, shape: FlatShape, scale: float) -> Floats:
    """A change map (H×W) unrolled like a place."""
    side = np.array([(change.shape[1] - 1) / 2, (change.shape[0] - 1) / 2])
    return np.asarray(pick(change, shape.polar * scale + side), np.float32)
