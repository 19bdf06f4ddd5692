"""What speaks for bare print, and for each taught side of a flat piece, at one place: numbers that fitted scores weigh."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.bare import bare_features
from companion.vision.plain.discs import to_lab
from companion.vision.plain.nets import HERE, Nets, Point
from companion.vision.plain.prepared_image import change_strength
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.stacks import coded
from companion.vision.plain.surface import Floats, length3, mean3, pick
from companion.vision.plain.tiles import (
    TURNS,
    UNIT,
    Flat,
    FlatExemplar,
    FlatShape,
    Patterns,
    correlations,
    distances,
    unroll,
    unroll_lab,
)

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

BARE = (
    "one", "network", "spare", "brighter", "colour gap", "roughness", "drawing", "plain", "unlike", "change", "tint", "visible",
)  # fmt: skip
"""Of bare print: the network's log odds; by how much less it changed than any taught side would have changed this very
print; brightness, colour and roughness against the ring around; correlation of the drawing, counted as far as there is one; how
unlike the print it is in all; how much it changed; how much its tint did, which a shadow hardly changes; how much of the place
can be seen."""
NETWORK, SPARE, DRAWING, VISIBLE = (BARE.index(name) for name in ("network", "spare", "drawing", "visible"))
SIDE = ("one", "alike", "lead", "raw", "ahead", "lightness", "colour", "network", "visible")
"""Of a taught side: correlation, and its lead over every other side's; distance with its brightness, and by how much every
other side's is larger; gaps of lightness and colour against the same parts of the exemplar; the network's word for a piece of
that colour; how much of the place can be seen."""
ALIKE, LEAD, RAW, AHEAD = (SIDE.index(name) for name in ("alike", "lead", "raw", "ahead"))
AVERAGE = 1.5
"""1..2: the distance (as ``raw``) of any piece from another one, where there is no other to ask."""
MOST_TINT, DARKEST = 0.4, 0.03
"""0.3..0.6: a change of tint (natural logarithm between colours) beyond which it says no more; the reflectance below which
colours are lost in the grain. Below discs on made-up copies 98 of 100 bare places had 0.19 at most, 95 of 100 tiles 0.16 and
more."""
WHOLE = 0.97
"""0.93..1: share of a piece's size that it covers, however it lies on its place, of which a disc leaves corners in sight."""

SAME_COLOUR, SAME_DRAWING = 0.35, 0.5
"""0.25..0.4 and 0.4..0.7: two sides that were taught nearer in colour than that, and more like, may be one. Of eight made-up
informants the two sides of one were 0.15 apart, with a correlation of 0.73; of the others none were nearer than 1.17."""

NEAR_MM = 2.8
"""2..4 mm: how far off its place a taught piece may seem to lie without being sought again."""
ASKEW_STEPS = 4
"""Of three degrees: how far askew a hexagon is laid by hand, in its exemplar and now."""
SURE = 9.0
"""6..15 log odds beyond which the network is not believed."""


@dataclass(frozen=True, eq=False)
class Taught:
    """The exemplars of one group of pieces with sides: unrolled, with the side of each, and by side the mean colours of their
    middles and of their ``edges``."""

    shape: FlatShape
    exemplars: tuple[FlatExemplar, ...]
    faces: tuple[str, ...]
    colours: Mapping[str, Floats]
    edges: Mapping[str, Floats]
    untaught: tuple[str, ...]
    patches: tuple[Floats, ...]

    @cached_property
    def stack(self) -> Floats:
        """All patches (P×H×W×3)."""
        return np.stack(self.patches)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The taught sides, each once."""
        return tuple(self.colours)

    @cached_property
    def of_side(self) -> tuple[NDArray[np.intp], ...]:
        """Which exemplars show each of ``sides``."""
        return tuple(np.flatnonzero(np.array(self.faces) == side) for side in self.sides)

    @cached_property
    def whole(self) -> Patterns:
        """Every exemplar's pattern without its mean colour."""
        return Patterns.of([exemplar.whole for exemplar in self.exemplars])

    @cached_property
    def raw(self) -> Patterns:
        """The same with it."""
        return Patterns.of([exemplar.raw for exemplar in self.exemplars])

    @cached_property
    def alike(self) -> bool:
        """Whether two taught sides look as one side does in two pictures: neither can be told then."""
        return any(
            self.faces[one] != self.faces[other] and _same(self.exemplars[one].flat, self.exemplars[other])
            for one in range(len(self.exemplars))
            for other in range(one)
        )

    @cached_property
    def turns(self) -> Mask:
        """The turns (TURNS) at which a piece may lie: a hexagon lies along the board's, a round one anyhow."""
        steps = np.arange(TURNS) % (TURNS // 6)
        return np.minimum(steps, TURNS // 6 - steps) <= (ASKEW_STEPS if self.shape.hexagon else TURNS)


@dataclass(frozen=True, eq=False)
class PlacePatch:
    """One place's patch (H×W×3 reflectances), its bare print, what changed (H×W), what of it is ``hidden`` by what stands or
    lies there, and what by discs ``beside``."""

    seen: Floats
    bare: Floats
    change: Floats
    hidden: Mask | None
    beside: Mask | None = None

    @cached_property
    def unseen(self) -> Mask | None:
        """All that is hidden."""
        if self.hidden is None or self.beside is None:
            return self.beside if self.hidden is None else self.hidden
        return self.hidden | self.beside


def measures(
    place: PlacePatch, taught: Taught, nets: Nets, settings: PlainSettings, at: Sequence[Point] = HERE
) -> tuple[Array, Array]:
    """What speaks for bare print (see ``BARE``) and for each taught side (S rows, see ``SIDE``), the networks on average over
    looks ``at`` points (mm from the place's middle)."""
    scale, shape, side = settings.surface.scale, taught.shape, place.seen.shape[0]
    lab = to_lab(place.seen) / UNIT
    flat = _lies(place, lab, taught, scale)
    visible = float(_visible(place, shape, side, scale).sum() / shape.footprint(side, scale, WHOLE).sum())
    sides = np.zeros((len(taught.sides), len(SIDE)))
    alike = np.where(taught.turns, correlations(flat, taught.whole), -1.0).max(axis=1)
    raw = np.where(taught.turns, distances([flat], False, taught.raw)[0], np.inf).min(axis=1)
    seen, below = coded(place.seen), coded(place.bare)
    words = nets.places(seen, below, place.unseen, list(taught.colours.values()), at)
    if place.hidden is not None and place.unseen is not None:
        # The one knows rims alone, the other whole places as well: together they err on fewer copies than either.
        words = (words + nets.below(seen, below, place.unseen, list(taught.edges.values()), at)) / 2
    for row, mine, word in zip(sides, taught.of_side, words, strict=True):
        best = int(mine[alike[mine].argmax()])
        gap = flat.mean - _mean(taught.exemplars[best].flat, flat, shape)
        row[:] = (
            1, _spread(alike[best]), 0, np.log1p(min(float(raw[mine].min()), 50.0)), 0, min(abs(float(gap[0])), 3.0),
            min(float(np.hypot(gap[1], gap[2])), 3.0), np.clip(word[1] - word[0], -SURE, SURE), visible,
        )  # fmt: skip
    against_others(sides)
    network = min(float(np.clip(word[0] - np.logaddexp(word[1], word[2]), -SURE, SURE)) for word in words)
    return _bare(place, lab, taught, network, visible, side, settings), sides


def _same(seen: Flat, exemplar: FlatExemplar) -> bool:
    """Whether an exemplar may be of the same side as another one, as it was ``seen``."""
    gap = seen.mean - exemplar.flat.mean
    off = max(abs(float(gap[0])), float(np.hypot(gap[1], gap[2])))
    return off < SAME_COLOUR and float(correlations(seen, Patterns.of([exemplar.whole])).max()) > SAME_DRAWING


def against_others(sides: Array) -> None:
    """Fill in (S rows, see ``SIDE``) by how much each side is likelier than every other."""
    for index, row in enumerate(sides):
        others = np.delete(sides, index, axis=0)
        row[LEAD] = row[ALIKE] - max(others[:, ALIKE], default=0.0)
        row[AHEAD] = min(others[:, RAW], default=AVERAGE) - row[RAW]


def _visible(place: PlacePatch, shape: FlatShape, side: int, scale: float) -> Mask:
    """What of a piece's place (side×side) can be seen."""
    inside = shape.footprint(side, scale, WHOLE)
    return inside if place.unseen is None else inside & ~place.unseen


def _mean(exemplar: Flat, flat: Flat, shape: FlatShape) -> Floats:
    """Mean colour (3, units of distance) of an exemplar on the rings that can be seen, each as far as it can be."""
    rings = (exemplar.lab * shape.weight[..., None]).sum(axis=1) / np.maximum(shape.weight.sum(axis=1), 1e-6)[:, None]
    shown = flat.mask.sum(axis=1)
    return np.asarray((rings * shown[:, None]).sum(axis=0) / max(float(shown.sum()), 1e-6), np.float32)


def _bare(
    place: PlacePatch, lab: Floats, taught: Taught, network: float, visible: float, side: int, settings: PlainSettings
) -> Array:
    scale, shape = settings.surface.scale, taught.shape
    inside = shape.footprint(side, scale, settings.bare.shrink)
    ring = ~shape.footprint(side, scale, settings.bare.grow)
    if place.unseen is not None:  # every corner counts
        inside, ring = _visible(place, shape, side, scale), ring & ~place.unseen
    brighter, gap, rough, drawing, _, there, _ = bare_features(place.seen, place.bare, inside, ring, scale, settings.bare)
    spare = unlike = changed = tint = 0.0
    if inside.sum() >= settings.bare.fewest:
        exemplars, below = taught.stack[:, inside], place.bare[inside]
        would = float(np.quantile(change_strength(exemplars, below, settings.surface.floor), 0.25, axis=1).min())
        changed = float(place.change[inside].mean())
        tint = min(_tint(place.seen[inside], below), MOST_TINT)
        spare = would - float(np.quantile(place.change[inside], 0.25))
        before = unroll(place.bare, place.unseen, shape, (0.0, 0.0), scale)
        here = unroll_lab(lab, place.unseen, shape, [(0.0, 0.0)], scale)[0]
        weight = max(float(here.mask.sum()), 1e-6)
        unlike = float((((here.lab - before.lab) ** 2).sum(axis=2) * here.mask).sum()) / weight
    drawn = min(there, 1.0)
    return np.array(
        [
            1, network, spare, abs(brighter), gap, rough, drawing * drawn, 1 - drawn, np.log1p(min(unlike, 50.0)), changed,
            tint, visible,
        ]
    )  # fmt: skip


def _tint(seen: Floats, bare: Floats) -> float:
    """By how much the tint of a place (N×3 reflectances) changed: a quarter of it changed less."""
    ratio = np.log(np.maximum(seen, 0) + DARKEST) - np.log(np.maximum(bare, 0) + DARKEST)
    return float(np.quantile(length3(ratio - mean3(ratio)[..., None]), 0.25))


def _lies(place: PlacePatch, lab: Floats, taught: Taught, scale: float) -> Flat:
    """The place unrolled about where a piece would lie, if one does: where the best exemplar fits best."""
    shape = taught.shape
    if place.unseen is not None:
        return unroll_lab(lab, place.unseen, shape, [(0.0, 0.0)], scale)[0]
    tried: dict[tuple[float, float], tuple[float, Flat]] = {}
    at, step = (0.0, 0.0), shape.slack_mm
    steps = [(0.0, 0.0), shape.locate(place.seen, place.change, scale)]
    for _ in range(3):
        fresh = [offset for offset in dict.fromkeys(steps) if offset not in tried]
        flats = unroll_lab(lab, None, shape, fresh, scale)
        fits = np.where(taught.turns, distances(flats, True, taught.whole), np.inf).min(axis=(1, 2))
        tried |= {offset: (float(fit), flat) for offset, fit, flat in zip(fresh, fits, flats, strict=True)}
        at = min(tried, key=lambda offset: tried[offset][0])
        x, y = at
        steps, step = [(x + step, y), (x - step, y), (x, y + step), (x, y - step)], step * 0.6
    return tried[at][1]


def settled(patch: Floats, offset_mm: tuple[float, float], shape: FlatShape, scale: float) -> tuple[float, float]:
    """Where in its patch (mm from the middle) a taught piece lies. A lively drawing has edges that pass for the outline: what
    seems to lie far off is sought again near its place, where hands lay tiles."""
    points, normals = shape.outline
    if np.hypot(*offset_mm) <= NEAR_MM or not len(points):
        return offset_mm
    steps = np.arange(-3.0, 3.01, 0.75)
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    middle = (np.array([patch.shape[1], patch.shape[0]]) - 1) / 2
    light = np.cbrt(np.maximum(patch, 0) + 0.01)
    inner, outer = (
        np.asarray(pick(light, (offsets[:, None] + (points + side * normals)[None]) * scale + middle)) for side in (-1.2, 1.2)
    )
    contrast = np.minimum(np.linalg.norm(inner - outer, axis=-1), 0.2).mean(axis=1) / 0.2
    x, y = offsets[int((contrast - 0.04 * (offsets**2).sum(axis=1)).argmax())]
    return float(x), float(y)


def _spread(correlation: float) -> float:
    """A correlation, drawn apart near 1, where differences tell more."""
    return float(np.arctanh(np.clip(correlation, -0.5, 0.98)))
