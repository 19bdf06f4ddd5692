"""Flat pieces (tiles, strips, small discs): how well a place looks like bare board, and how well like each taught piece.

As with faces, a place is unrolled about its middle and all turns are compared at once. A mask takes out what a disc
standing on the tile hides, so that the corners left in sight decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from companion.boards import Group
from companion.vision.plain.discs import DiscFinder, even_to_the_eye, to_lab
from companion.vision.plain.label_spot import STEPS, AlignedCloseup, CommonDrawing, TilePose, common_drawing
from companion.vision.plain.marks import MARK_MM, mark_likeness, mark_picture
from companion.vision.plain.stacks import PLACE_MM, PLACE_SIDE, Bytes, crop, slot_colour
from companion.vision.plain.surface import length3, pick

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Spectra = NDArray[np.complex128]

RINGS = 20
TURNS = 120
"""Samples around; one is 3°."""
INSIDE = 0.91
"""Share of a tile's size that it surely covers where it was found."""
SPOT_MM = 3.0
"""2..5 mm: how far around its middle a number is drawn."""
FAR_MM = 7.0
"""5..9 mm: how far beside the middle of a cell a small round piece may lie; a tile, nearly as large as the cell, less."""
STRAY_MM = 5.0
"""4..6 mm: the same of a tile or a strip."""
EDGE_MM, EDGE_SHARE = 15.0, 0.93
"""How far from a taught piece's middle its edge begins, and up to which share of its size it is surely the piece."""
UNIT = np.array([22.0, 14.0, 14.0], np.float32)
"""L*, a*, b* per unit of distance."""


@dataclass(frozen=True)
class FlatShape:
    """What a group of flat pieces covers: ``reach_mm`` of the unrolled circle, ``hexagon`` if the shape is one, and how far
    beside where its outline was found its middle may lie (``slack_mm``)."""

    reach_mm: float
    hexagon: bool
    size_mm: tuple[float, float]
    round: bool
    slack_mm: float

    @property
    def stray_mm(self) -> float:
        """How far a piece may lie beside the middle of its place."""
        return FAR_MM if self.round else STRAY_MM

    @cached_property
    def radii(self) -> Floats:
        """Ring radii in mm."""
        return np.linspace(0.05, 1.0, RINGS, dtype=np.float32) * np.float32(self.reach_mm)

    @cached_property
    def polar(self) -> Array:
        """Where the samples of an unrolled place lie (RINGS×TURNS×2 mm about its middle)."""
        angles = np.arange(TURNS) * (2 * np.pi / TURNS)
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        return np.asarray(self.radii[:, None, None] * ring[None], np.float64)

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

    def footprint(self, side: int, scale: float, factor: float) -> NDArray[np.bool_]:
        """Mask (side×side) of the piece lying on its place, grown or shrunk by a factor. Strips lie at any turn: their core."""
        steps = (np.arange(side) - (side - 1) / 2) / scale
        x, y = np.meshgrid(steps, steps)
        if not self.hexagon:
            return np.asarray(np.hypot(x, y) <= min(self.size_mm) / 2 * factor, np.bool_)
        flat = self.size_mm[1] / 2 * factor
        directions = np.radians([90, 150, 210])
        return np.asarray(np.all([np.abs(x * np.cos(d) + y * np.sin(d)) <= flat for d in directions], axis=0), np.bool_)

    @cached_property
    def outline(self) -> tuple[Array, Array]:
        """Points (K×2 mm) on a hexagon's edge about its middle, and outward normals; none for other shapes."""
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
        if self.round:
            return _round_finder(self.size_mm[0] / 2, scale, seen.shape[0]).locate(seen, change)
        points, normals = self.outline
        if not len(points):
            return 0.0, 0.0
        steps = np.arange(-5.0, 5.01, 1.0)
        offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        middle = (np.array([seen.shape[1], seen.shape[0]]) - 1) / 2
        stack = np.dstack([even_to_the_eye(seen), change])
        inner, outer = (
            pick(stack, (offsets[:, None] + (points + side * normals)[None]) * scale + middle) for side in (-1.2, 1.2)
        )
        contrast = np.minimum(length3(inner - outer), 0.2).mean(axis=1) / 0.2
        score = contrast + 0.7 * (inner[..., 3] - outer[..., 3]).mean(axis=1) - 0.01 * np.hypot(*offsets.T)
        best = int(score.argmax())
        near = np.exp((score - score[best]) * 25) * (np.linalg.norm(offsets - offsets[best], axis=1) < 2.2)
        x, y = (offsets * near[:, None]).sum(axis=0) / near.sum()
        return float(x), float(y)


@cache
def _round_finder(radius_mm: float, scale: float, side: int) -> DiscFinder:
    """Finds small round pieces on their places."""
    return DiscFinder(radius_mm, FAR_MM, scale, side)


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
        return np.asarray(_centred(self.lab[None], self.mask[None])[0], np.float32)

    @cached_property
    def moments(self) -> "Moments":
        """Transforms of what can be seen and its colours."""
        return Moments.of(self.lab[None], self.mask[None])[0]

    @cached_property
    def centred_moments(self) -> "Moments":
        """The same of the centred colours."""
        return Moments.of(self.centred[None], self.mask[None])[0]

    @cached_property
    def mean(self) -> Floats:
        """Mean colour of the visible part."""
        return np.asarray(_means(self.lab[None], self.mask[None])[0], np.float32)

    def alone(self) -> "Flat":
        """The same with arrays of its own, to be kept when the others that it was unrolled with are let go of."""
        one = Flat(self.lab.copy(), self.mask.copy())
        vars(one).update(centred=self.centred.copy(), centred_moments=self.centred_moments)
        return one

    @classmethod
    def several(cls, labs: Floats, masks: Floats) -> "list[Flat]":
        """Unrolled places from S×RINGS×TURNS×3 colours and S×RINGS×TURNS masks, what is asked of all found out together."""
        centred = _centred(labs, masks)
        flats = []
        for lab, mask, flat, moments in zip(labs, masks, centred, Moments.of(centred, masks), strict=True):
            one = cls(lab, mask)
            vars(one).update(centred=flat, centred_moments=moments)  # as if they had been asked for already
            flats.append(one)
        return flats


def _means(labs: Floats, masks: Floats) -> Floats:
    """Mean colours (S×3) of visible parts."""
    weights = np.maximum(masks, 1e-6).astype(np.float64)
    return np.asarray(np.einsum("srt,srtc->sc", weights, labs) / weights.sum(axis=(1, 2))[:, None], np.float32)


def _centred(labs: Floats, masks: Floats) -> Floats:
    return np.asarray(labs - _means(labs, masks)[:, None, None], np.float32)


def unroll(
    seen: Floats, hidden: NDArray[np.bool_] | None, shape: FlatShape, offset_mm: tuple[float, float], scale: float
) -> Flat:
    """A place of one H×W×3 reflectance patch, unrolled about an offset from its middle. ``hidden`` H×W is masked out."""
    return unroll_lab(to_lab(seen) / UNIT, hidden, shape, [offset_mm], scale)[0]


def unroll_lab(
    lab: Floats, hidden: NDArray[np.bool_] | None, shape: FlatShape, offsets_mm: Sequence[tuple[float, float]], scale: float
) -> list[Flat]:
    """The same of a patch already in units of colour distance, about several offsets."""
    side = np.array([(lab.shape[1] - 1) / 2, (lab.shape[0] - 1) / 2])
    points = (np.asarray(offsets_mm).reshape(-1, 1, 1, 2) + shape.polar) * scale + side
    visible = np.ones(lab.shape[:2], np.float32) if hidden is None else 1 - hidden.astype(np.float32)
    values = np.asarray(pick(np.dstack([lab, visible]), points), np.float32)
    return Flat.several(np.ascontiguousarray(values[..., :3]), np.asarray(values[..., 3] * shape.weight, np.float32))


@dataclass(frozen=True, eq=False)
class Moments:
    """Transforms along the angle of the weight (``weight``: F×RINGS), of weighted colours (``first``: F×RINGS×3) and of their
    weighted squares, all channels together (``second``: F×RINGS). Frequencies come first: they are compared one by one."""

    weight: Spectra
    first: Spectra
    second: Spectra

    @classmethod
    def of(cls, colours: Floats, weights: Floats) -> "list[Moments]":
        """From S×RINGS×TURNS×3 colours and S×RINGS×TURNS weights."""
        channels = np.moveaxis(colours.astype(np.float64), 3, 2)  # S×RINGS×3×TURNS: NumPy is slow over short last axes
        spread = weights.astype(np.float64)[:, :, None]
        square = (channels[:, :, 0] ** 2 + channels[:, :, 1] ** 2 + channels[:, :, 2] ** 2)[:, :, None]
        parts = np.fft.rfft(np.concatenate([spread, spread * channels, spread * square], axis=2), axis=3)
        parts = np.ascontiguousarray(np.moveaxis(parts, 3, 1))  # S×F×RINGS×5
        return [
            cls(np.ascontiguousarray(p[..., 0]), np.ascontiguousarray(p[..., 1:4]), np.ascontiguousarray(p[..., 4]))
            for p in parts
        ]


@dataclass(frozen=True, eq=False)
class Pattern:
    """A taught pattern with a weight per sample, Fourier-transformed along the angle for comparison at every turn."""

    moments: Moments

    @classmethod
    def of(cls, taught: Floats, weight: Floats) -> "Pattern":
        """From RINGS×TURNS×3 colours and RINGS×TURNS weights."""
        found = Moments.of(taught[None], weight[None])[0]
        return cls(Moments(np.conj(found.weight), np.conj(found.first), np.conj(found.second)))


@dataclass(frozen=True, eq=False)
class Patterns:
    """Several patterns side by side, so that one product compares a place with all of them. ``both``: P×F×5·RINGS, in the
    order in which a place's own moments meet them."""

    weight: Spectra
    first: Spectra
    second: Spectra
    both: Spectra

    @classmethod
    def of(cls, patterns: Sequence[Pattern]) -> "Patterns":
        """Patterns in their order."""
        weight, first, second = (
            np.stack([getattr(pattern.moments, name) for pattern in patterns]) for name in ("weight", "first", "second")
        )
        flat = first.reshape(*first.shape[:2], -1)
        return cls(weight, first, second, np.concatenate([weight, -2 * flat, second], axis=2))


def distances(seen: Sequence[Flat], centred: bool, patterns: Patterns) -> Array:
    """Mean squared distance (S×P×TURNS) of places to patterns turned clockwise by each step; inf where nothing weighted can
    be seen."""
    every = [flat.centred_moments if centred else flat.moments for flat in seen]
    mine = np.stack([np.hstack([one.second, one.first.reshape(len(one.first), -1), one.weight]) for one in every])
    total = np.einsum("sfk,pfk->spf", mine, patterns.both)
    share = np.einsum("sfr,pfr->spf", np.stack([one.weight for one in every]), patterns.weight)
    total, share = np.fft.irfft(np.stack([total, share]), n=TURNS, axis=3)
    enough = share > 1e-3 * share.max(axis=2, keepdims=True) + 1e-6
    return np.asarray(np.where(enough, np.maximum(total, 0) / np.maximum(share, 1e-6), np.inf), np.float64)


def correlations(seen: Flat, patterns: Patterns) -> Array:
    """Correlation (P×TURNS, -1..1) of what can be seen with patterns turned clockwise by each step: exposure does not count."""
    mine = seen.centred_moments
    spectra = [
        np.einsum("fr,pfr->pf", mine.weight, patterns.weight),
        np.einsum("frc,pfrc->pf", mine.first, patterns.first),
        np.einsum("fr,pfr->pf", mine.second, patterns.weight),
        np.einsum("fr,pfr->pf", mine.weight, patterns.second),
        *np.einsum("frc,pfr->cpf", mine.first, patterns.weight),
        *np.einsum("fr,pfrc->cpf", mine.weight, patterns.first),
    ]
    share, cross, own, taught, *sums = np.fft.irfft(np.stack(spectra), n=TURNS, axis=2)
    share = np.maximum(share, 1e-6)
    for one, other in zip(sums[:3], sums[3:], strict=True):
        cross = cross - one * other / share
        own = own - one**2 / share
        taught = taught - other**2 / share
    return np.asarray(cross / np.sqrt(np.maximum(own, 1e-6) * np.maximum(taught, 1e-6)), np.float64)


@dataclass(frozen=True, eq=False)
class FlatExemplar:
    """A taught flat piece: label, unrolled; its patterns for comparison, ``special`` weighs where labels differ. It lay at
    ``at_mm`` in its patch, turned clockwise by ``turn`` (radians) against the others of its group, with which it shares
    ``drawing`` if they bear labels and is ``alike`` so far (-1..1)."""

    label: str
    flat: Flat
    raw: Pattern
    whole: Pattern
    special: Pattern
    mark: Floats | None = None
    mark_mm: tuple[float, float] = (0.0, 0.0)
    kin: tuple[float, ...] = ()
    drawn: bool = False
    at_mm: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    drawing: CommonDrawing | None = None
    alike: float = 1.0

    @classmethod
    def of(
        cls,
        label: str,
        flat: Flat,
        weight: Floats,
        special: Floats,
        mark: Floats | None = None,
        mark_mm: tuple[float, float] = (0.0, 0.0),
        kin: tuple[float, ...] = (),
    ) -> "FlatExemplar":
        """From an unrolled place, the weight of the piece's area and of its special spots; ``mark`` is a small upright
        picture of the most special spot, ``mark_mm`` from the piece's middle; ``kin`` says how like it the same spot of every
        exemplar is (0..1)."""
        return cls(
            label, flat, Pattern.of(flat.lab, weight), Pattern.of(flat.centred, weight), Pattern.of(flat.centred, special),
            mark, mark_mm, kin,
        )  # fmt: skip


def set_apart(
    taught: Sequence[tuple[str, Floats, tuple[float, float]]], shape: FlatShape, scale: float, close: Sequence[Bytes] = ()
) -> tuple[FlatExemplar, ...]:
    """Exemplars of one group: label, reflectance patch (``scale`` samples per mm), where in it the piece lies; and of labelled
    ones their ``close``-ups: each then knows the spot that tells its label from others (a tile's number)."""
    if len({label for label, _, _ in taught}) < 2:
        return tuple(
            replace(FlatExemplar.of(label, unroll(patch, None, shape, offset, scale), shape.weight, shape.weight), at_mm=offset)
            for label, patch, offset in taught
        )
    # The most ordinary tile is the reference; the others are laid over it as well as they fit.
    flats = [unroll(patch, None, shape, offset, scale) for _, patch, offset in taught]
    patterns = [Pattern.of(flat.centred, shape.weight) for flat in flats]
    mutual = distances(flats, True, Patterns.of(patterns)).min(axis=2)
    ordinary = int(np.median(mutual, axis=0).argmin())
    reference = Patterns.of([patterns[ordinary]])
    shifts = np.arange(-3.6, 3.7, 1.2)
    places = [offset for _, _, offset in taught]
    for index, (_, patch, (x, y)) in enumerate(taught):
        lab = to_lab(patch) / UNIT
        trials = [(x + dx, y + dy) for dx in shifts for dy in shifts]
        laid = unroll_lab(lab, None, shape, trials, scale)
        best = int(distances(laid, True, reference).min(axis=(1, 2)).argmin())
        places[index], flats[index] = trials[best], laid[best].alone()
    whole = [
        replace(FlatExemplar.of(label, flat, shape.weight, shape.weight), at_mm=place)
        for (label, _, _), flat, place in zip(taught, flats, places, strict=True)
    ]
    if not close:
        return tuple(whole)
    fits = distances(flats, True, reference)[:, 0]
    turns = [[turn * 2 * np.pi / TURNS for turn in likely_turns(fit)] for fit in fits]
    order = [ordinary, *(index for index in range(len(taught)) if index != ordinary)]
    tiles = [AlignedCloseup(close[index], places[index], turns[index], taught[index][0]) for index in order]
    drawing, found = common_drawing(tiles, shape.footprint(2 * round(shape.reach_mm * STEPS), STEPS, INSIDE))
    lying = [one for _, one in sorted(zip(order, found, strict=True), key=lambda entry: entry[0])]
    return _labelled(whole, drawing, lying, [patch for _, patch, _ in taught], shape, scale)


def _labelled(
    whole: Sequence[FlatExemplar],
    drawing: CommonDrawing,
    lying: Sequence[TilePose],
    patches: Sequence[Floats],
    shape: FlatShape,
    scale: float,
) -> tuple[FlatExemplar, ...]:
    """The exemplars with the spot that tells their labels apart."""
    lights = [np.ascontiguousarray(to_lab(patch)[..., 0]) for patch in patches]
    exemplars = []
    for exemplar, here, light in zip(whole, lying, lights, strict=True):
        spot = here.at_mm(drawing.spot_mm)
        at = (spot[0] - here.middle_mm[0], spot[1] - here.middle_mm[1])
        # The mark upright as this tile lies: its own turn is taken as zero when it is sought.
        mark = mark_picture(light, spot, 0.0, MARK_MM, scale)
        kin = tuple(
            mark_likeness(other_light, mark, at, other.middle_mm, other.turn - here.turn, scale)
            for other_light, other in zip(lights, lying, strict=True)
        )
        near = np.exp(-((shape.polar - np.array(at)) ** 2).sum(axis=-1) / (2 * SPOT_MM**2))
        weight = np.asarray(near * shape.weight, np.float32)
        full = FlatExemplar.of(exemplar.label, exemplar.flat, shape.weight, weight, mark, at, kin)
        exemplars.append(replace(full, at_mm=here.middle_mm, turn=here.turn, drawing=drawing, alike=here.alike))
    strengths = [_drawn(exemplar.mark) for exemplar in exemplars]
    return tuple(
        replace(exemplar, drawn=strength > 0.4 * max(strengths))
        for exemplar, strength in zip(exemplars, strengths, strict=True)
    )


def edge_colour(exemplars: Sequence[tuple[Bytes, tuple[float, float]]], shape: FlatShape, scale: float) -> Floats:
    """Mean colour (3, 0..1) of what a disc standing on a taught piece leaves in sight: coded patches, and where in them the
    pieces lie. Of smaller pieces, of which a disc leaves none, the middle's."""
    steps = (np.arange(PLACE_SIDE) - (PLACE_SIDE - 1) / 2) * PLACE_MM / PLACE_SIDE
    edge = shape.footprint(PLACE_SIDE, PLACE_SIDE / PLACE_MM, EDGE_SHARE) & (np.hypot(*np.meshgrid(steps, steps)) > EDGE_MM)
    if not edge.any():
        return slot_colour(exemplars, scale)
    found = [crop(patch, at, 0.0, PLACE_SIDE, PLACE_MM, scale)[edge].mean(axis=0) / 255 for patch, at in exemplars]
    return np.asarray(np.mean(found, axis=0), np.float32)


def likely_turns(distance: Array) -> list[int]:
    """The few turns (steps, of TURNS) at which a pattern fits about as well as at its best one."""
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


def _drawn(mark: Floats | None) -> float:
    """Contrast of a mark's middle; its corners may show the piece's own drawing."""
    if mark is None:
        return 0.0
    edge = len(mark) // 5
    return float(mark[edge:-edge, edge:-edge].std())
