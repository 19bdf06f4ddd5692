"""Round pieces: where exactly in its cell one lies, what its face looks like, and how like each taught face that is.

A face is unrolled into polar coordinates about the found middle; turning the piece is then a circular shift, and all
turns are compared at once through the Fourier transform.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.surface import Points, length3, pick

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

Parallax = Sequence[float] | Array
"""x and y (mm)."""

RADII = np.linspace(0.08, 0.98, 15).astype(np.float32)
"""Rings of an unrolled face, as fractions of its radius."""
ANGLES = 96
"""Samples around; one is 3.75°."""
NEAR_TURN = 6
"""Turns nearer than this many samples are one."""
INNER = RADII <= 0.68
RIM = RADII >= 0.83
EDGE_MM = 1.4
"""How far to either side of a disc's edge the two colours are taken that it parts."""
RIMS_MM = ((0.7, 0.0), (2.1, 0.12))
"""How far within it the rim is looked for besides, and how much less even it counts there: rims of made-up copies are 1.2 to
3.4 mm broad, and within a thin one an even ring may run through white paper."""
NO_RIVAL = 0.15
"""By so much less likely, a place does not draw the likeliest one towards it."""
FINE_MM = 1.1
"""The same where the radius is measured: 0.8 mm finds bevelled rims too small, 1.4 too large."""
CLEAREST = 0.25
"""0.15..0.4 of the cube root of reflectance: colours that far apart are as different as can be."""
COVERED = 0.25
"""0.2..0.4: edge, as a share of what changed around it, below which a disc is not in sight. An arm over it changes all around
and has no such edge: 81 of 100 discs below an arm have less, and 5 of 660 in sight (24 made-up copies of six kinds). By
lamplight a brown disc on the reference sets had 0.30."""
RIMMED = (0.45, 0.75)
"""Unevenness of a copy's rims up to which they count wholly, and from which not at all. Of 32 made-up copies the medians
were 0.12 to 0.50; rings through their portraits had 0.35 to 0.81."""
BODY = (RADII >= 0.45) & (RADII <= 0.9)


@dataclass(frozen=True, eq=False)
class Face:
    """An unrolled face: ``lab`` 15×96×3 (CIE L*a*b* with bare street at L = 82), ``lines`` 15×96 drawing contrast.

    Angle 0 looks along the board's x axis, growing clockwise (towards y).
    """

    lab: Floats
    lines: Floats

    @cached_property
    def inner(self) -> Floats:
        """Median colour of the inside (3)."""
        return np.asarray(np.median(self.lab[INNER].reshape(-1, 3), axis=0), np.float32)

    @cached_property
    def body(self) -> Floats:
        """Median colour of the broad ring that shows the wood's colour on a coloured face (3)."""
        return np.asarray(np.median(self.lab[BODY].reshape(-1, 3), axis=0), np.float32)

    @cached_property
    def rings(self) -> Floats:
        """Median colour of every rim ring (K×3)."""
        return np.asarray(np.median(self.lab[RIM], axis=1), np.float32)

    @cached_property
    def chroma_inside(self) -> float:
        """Mean saturation of the inside."""
        return float(np.hypot(self.lab[INNER, :, 1], self.lab[INNER, :, 2]).mean())

    @cached_property
    def bright_inside(self) -> float:
        """Upper lightness of the inside: paper, where there is any."""
        return float(np.percentile(self.lab[INNER, :, 0], 80))

    @cached_property
    def drawn(self) -> float:
        """Contrast of the drawing inside."""
        return float(self.lines[INNER].std())

    @cached_property
    def colour_spectrum(self) -> NDArray[np.complex64]:
        """Fourier transform along the angle of the colour pattern, every channel's mean taken out, unit length."""
        return np.asarray(_colour_spectra(np.moveaxis(self.lab, 1, 2)[None])[0], np.complex64)

    @cached_property
    def line_spectrum(self) -> NDArray[np.complex64]:
        """The same of the drawing inside the rim."""
        return np.asarray(_line_spectra(self.lines[None])[0], np.complex64)

    @classmethod
    def several(cls, planes: Floats) -> "list[Face]":
        """Faces from S×15×96×4 unrolled L*, a*, b* and drawing contrast, their transforms taken together: that is quicker."""
        channels = np.ascontiguousarray(np.moveaxis(planes, 2, 3))  # S×15×4×96: NumPy is slow over short last axes
        colours, lines = _colour_spectra(channels[:, :, :3]), _line_spectra(channels[:, :, 3])
        faces = []
        for one, colour, line in zip(planes, colours, lines, strict=True):
            face = cls(np.ascontiguousarray(one[..., :3]), np.ascontiguousarray(one[..., 3]))
            vars(face).update(colour_spectrum=colour, line_spectrum=line)  # as if they had been asked for already
            faces.append(face)
        return faces


def _colour_spectra(lab: Floats) -> NDArray[np.complex64]:
    """Spectra (S×15×F×3) of unrolled colours (S×15×3×96)."""
    pattern = lab * np.array([1.0, 0.8, 0.8], np.float32)[:, None]
    mean = np.einsum("r,src->sc", RADII, pattern.mean(axis=3)) / RADII.sum()
    pattern -= mean[:, None, :, None]
    return _spectra(pattern)


def _line_spectra(lines: Floats) -> NDArray[np.complex64]:
    """Spectra (S×15×F×1) of unrolled drawing contrast (S×15×96)."""
    inside = lines * (RADII <= 0.8).astype(np.float32)[:, None]
    inside -= inside.mean(axis=(1, 2), keepdims=True)
    return _spectra(inside[:, :, None])


def _spectra(patterns: Floats) -> NDArray[np.complex64]:
    """Transforms (S×15×F×C) along the angle of patterns S×15×C×96, each of unit length when weighed by area."""
    weighted = patterns * np.sqrt(RADII)[:, None, None]
    norms = np.sqrt(np.einsum("srca,srca->s", weighted, weighted))
    weighted /= np.maximum(norms, 1e-6)[:, None, None, None]
    return np.asarray(np.moveaxis(np.fft.rfft(weighted, axis=-1), -1, 2), np.complex64)


def to_lab(reflectance: Floats) -> Floats:
    """Reflectance (… ×3, bare street about 1) to CIE L*a*b* with street at L* 82."""
    shape = reflectance.shape
    flat = np.clip(reflectance.reshape(-1, 1, 3) * 0.6, 0, 1.2).astype(np.float32)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_LBGR2Lab), np.float32).reshape(shape)


@dataclass(frozen=True, eq=False)
class Disc:
    """A round thing found in a patch: offset of its middle (mm), how clear its edge is, how much the inside changed."""

    offset_mm: tuple[float, float]
    edge: float
    filled: float
    around: float
    faces: tuple[Face, ...]

    @property
    def in_sight(self) -> bool:
        """Whether a disc shows here, and nothing that lies over it: its edge is clear for how much changed around it."""
        return self.edge > COVERED * self.around

    def settled(self) -> "Disc":
        """The same with its likeliest face alone, once those beside were compared (:func:`pair_features`): they are four fifths
        of some 230 kB, and a look keeps every disc it found."""
        return replace(self, faces=self.faces[:1])


def even_to_the_eye(seen: Floats) -> Floats:
    """Reflectances about as even to the eye, without grain."""
    return np.asarray(cv2.GaussianBlur(np.cbrt(np.maximum(seen, 0) + 0.01), (0, 0), 0.8), np.float32)


def _contrast(inner: NDArray[np.floating[Any]], outer: NDArray[np.floating[Any]]) -> Array:
    """How clearly colours and change (N×A×4) to either side of an edge differ (N×A, 0..1). An edge within bare board is print:
    lines that a disc's own colour does not stand out from must not draw it."""
    return np.asarray(np.minimum(length3(inner - outer), CLEAREST) * np.clip(2 * inner[..., 3], 0, 1) / CLEAREST, np.float64)


def _uneven(rims: NDArray[np.floating[Any]], trust: Array) -> Array:
    """How far each of some rings of samples (N×A×3) is from one colour, every angle weighed by ``trust`` (0..1 each)."""
    means = np.einsum("nac,a->nc", rims, trust)
    return np.asarray(np.minimum(length3(rims - means[:, None]), CLEAREST) @ trust / CLEAREST, np.float64)


def rims_of(uneven: Sequence[float]) -> float:
    """How far a copy's discs have rims of one colour each (0..1), from how uneven each was when taught: where portraits
    reach the edge, that tells nothing about where a disc lies."""
    low, high = RIMMED
    return float(np.clip((high - float(np.median(uneven))) / (high - low), 0, 1)) if len(uneven) else 1.0


class DiscFinder:
    """Finds one disc of known radius near the middle of square patches of one size."""

    def __init__(self, radius_mm: float, reach_mm: float, scale: float, side: int, rims: float = 1.0) -> None:
        """``rims``: how far the discs' rims are of one colour each (0..1, see :func:`rims_of`)."""
        self.radius_mm = radius_mm
        self._rims = rims
        self._scale = scale
        self._side = side
        self._middle = (side - 1) / 2
        steps = np.arange(-np.floor(reach_mm), np.floor(reach_mm) + 1)
        offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        self._offsets = offsets[np.hypot(*offsets.T) <= reach_mm + 0.5]
        angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        self._ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        self._edges = tuple(
            Points.at((self._offsets[:, None] + self._ring[None] * radius) * scale + self._middle)
            for radius in (radius_mm - EDGE_MM, radius_mm + EDGE_MM)
        )
        middles = self._offsets[:, None] * scale + self._middle
        self._rings = tuple(
            np.moveaxis(middles + self._ring[None] * (radius_mm - inward) * scale, -1, 0).astype(np.float32)
            for inward, _ in RIMS_MM
        )
        turns = np.arange(ANGLES) * (2 * np.pi / ANGLES)
        self._polar = RADII[:, None, None] * np.stack([np.cos(turns), np.sin(turns)], axis=-1)[None] * radius_mm

    def locate(self, seen: Floats, change: Floats, parallax: Parallax = (0.0, 0.0)) -> tuple[float, float]:
        """Offset (mm) of the likeliest disc, from one H×W×3 patch and its change map."""
        return self.candidates(seen, change, 1, parallax)[0][0]

    def candidates(
        self, seen: Floats, change: Floats, most: int, parallax: Parallax = (0.0, 0.0)
    ) -> list[tuple[tuple[float, float], float]]:
        """The likeliest offsets and how clear an edge each has, the best first, each at least 2.5 mm from the better ones.

        ``parallax`` (mm) is how far the sight lines carry the disc's top away from the camera. On the near side the disc's
        wall shows below its edge, in much the same colour: those angles count for less.
        """
        stack = np.dstack([even_to_the_eye(seen), change])
        inner, outer = (points.of(stack) for points in self._edges)
        trust = self._trust(parallax)
        contrast = _contrast(inner, outer) @ trust
        covered = (inner[..., 3] - outer[..., 3]) @ trust
        # Beside its place a circle runs over rim, portrait and what lies around: its inner side is not of one colour.
        uneven = _uneven(inner[..., :3], trust)
        clear = contrast + 0.3 * covered - 0.006 * np.hypot(*self._offsets.T)
        # A thin rim is so only near the edge, a broad one further in, where the grain of the picture counts for less. Where
        # that could not change which place is likeliest, it is not asked.
        open_ = np.flatnonzero(clear >= (clear - self._rims * uneven).max() - (NO_RIVAL if most == 1 else np.inf))
        for ring, (_, more) in zip(self._rings, RIMS_MM, strict=True):
            x, y = ring[:, open_]
            rim = np.asarray(cv2.remap(stack, x, y, cv2.INTER_LINEAR), np.float32)
            uneven[open_] = np.minimum(uneven[open_], _uneven(rim[..., :3], trust) + more)
        score = clear - self._rims * uneven
        found: list[tuple[tuple[float, float], float]] = []
        left = score.copy()
        for _ in range(most):
            best = int(left.argmax())
            if found and left[best] < found[0][1] - 0.6:
                break
            distance = np.linalg.norm(self._offsets - self._offsets[best], axis=1)
            # Between the millimetre steps: the middle of what scores nearly as well.
            near = np.exp((score - score[best]) * 25) * (distance < 2.5)
            x, y = (self._offsets * near[:, None]).sum(axis=0) / near.sum()
            found.append(((float(x), float(y)), float(score[best])))
            left[distance < 2.6] = -np.inf
        return found

    def clearest(self, seen: Floats, change: Floats, offset_mm: tuple[float, float], parallax: Parallax = (0.0, 0.0)) -> float:
        """How clearly a circle of this radius within 2 mm of an offset parts two colours, the inner one even (-1..1)."""
        steps = np.arange(-2.0, 2.01, 0.5)
        middles = np.asarray(offset_mm) + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 1, 2)
        stack = np.dstack([even_to_the_eye(seen), change])
        inner, outer = (
            np.asarray(pick(stack, (middles + self._ring * (self.radius_mm + beside)) * self._scale + self._middle))
            for beside in (-FINE_MM, FINE_MM)
        )
        trust = self._trust(parallax)
        return float((_contrast(inner, outer) @ trust - _uneven(inner[..., :3], trust)).max())

    def unevenness(self, seen: Floats, offset_mm: tuple[float, float]) -> float:
        """How far the rim of a disc at an offset is from one colour (0..1)."""
        ring = (offset_mm + self._ring * (self.radius_mm - EDGE_MM)) * self._scale + self._middle
        rim = np.asarray(pick(even_to_the_eye(seen), ring), np.float64)
        return float(_uneven(rim[None], np.full(len(rim), 1 / len(rim)))[0])

    def _trust(self, parallax: Parallax) -> Array:
        """Weight of every ring angle, summing to 1."""
        far = self._ring @ np.asarray(parallax)
        length = float(np.hypot(*parallax))
        weights = np.where(far < -0.3 * length, 1 - 0.75 * min(1.0, length / 2.5), 1.0) if length > 0 else np.ones(len(far))
        return np.asarray(weights / weights.sum(), np.float64)

    def unroll(self, seen: Floats, offset_mm: tuple[float, float]) -> Face:
        """The face of a disc at an offset."""
        return self._unroll(self._planes(seen), [offset_mm])[0]

    @staticmethod
    def _planes(seen: Floats) -> Floats:
        """L*, a*, b* and drawing contrast of a patch, H×W×4."""
        lab = to_lab(np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.6), np.float32))
        light = lab[..., 0]
        return np.dstack([lab, cv2.GaussianBlur(light, (0, 0), 0.7) - cv2.GaussianBlur(light, (0, 0), 4.0)])

    def _unroll(self, planes: Floats, offsets_mm: Sequence[tuple[float, float]]) -> list[Face]:
        middle = np.asarray(offsets_mm).reshape(-1, 1, 1, 2)
        return Face.several(np.asarray(pick(planes, (middle + self._polar) * self._scale + self._middle), np.float32))

    def look(self, seen: Floats, change: Floats, parallax: Parallax = (0.0, 0.0)) -> Disc:
        """Find and unroll: the first face is at the likeliest offset, four more a millimetre beside it."""
        return self.several(seen, change, 1, parallax)[0]

    def several(self, seen: Floats, change: Floats, most: int, parallax: Parallax = (0.0, 0.0)) -> list[Disc]:
        """A disc at each of the clearest circles, the clearest first."""
        planes = self._planes(seen)
        places = self.candidates(seen, change, most, parallax)
        faces = self._unroll(planes, [place for place, _ in places])
        return [self._disc(planes, change, *place, face) for place, face in zip(places, faces, strict=True)]

    def _disc(self, planes: Floats, change: Floats, offset: tuple[float, float], edge: float, face: Face) -> Disc:
        """A disc whose face was unrolled, with what lies a millimetre beside."""
        distance = self._distance(offset)
        filled = float(change[distance < self.radius_mm * 0.9].mean())
        around = float(change[(distance > self.radius_mm * 1.15) & (distance < self.radius_mm * 1.4)].mean())
        shifts = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
        beside = self._unroll(planes, [(offset[0] + dx, offset[1] + dy) for dx, dy in shifts])
        return Disc(offset, edge, filled, around, (face, *beside))

    def _distance(self, offset_mm: tuple[float, float]) -> Floats:
        """Distance (mm) of every sample of a patch from an offset."""
        steps = (np.arange(self._side, dtype=np.float32) - self._middle) / self._scale
        return np.asarray(np.hypot(steps[None] - offset_mm[0], steps[:, None] - offset_mm[1]), np.float32)


class TaughtFaces:
    """The taught faces side by side, so that one product compares a face with all of them at every turn."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self.faces = tuple(faces)
        self._colour = np.conj(np.stack([face.colour_spectrum for face in faces]))
        self._line = np.conj(np.stack([face.line_spectrum for face in faces]))
        self.bodies = np.array([face.body for face in faces], np.float64)
        self.rim_lights = np.array([np.median(face.rings[:, 0]) for face in faces], np.float64)
        self.chromas = np.array([face.chroma_inside for face in faces], np.float64)

    def likeness(self, seen: Sequence[Face]) -> tuple[Array, Array]:
        """Best correlation over all turns of colour pattern and of drawing: two S×T arrays."""
        answers = []
        for taught, mine in (
            (self._colour, np.stack([face.colour_spectrum for face in seen])),
            (self._line, np.stack([face.line_spectrum for face in seen])),
        ):
            # rings r and channels c are summed, frequencies f kept
            product = np.einsum("srfc,trfc->stf", mine, taught, optimize=True)
            answers.append(np.asarray(np.fft.irfft(product, n=ANGLES, axis=2).max(axis=2), np.float64))
        return answers[0], answers[1]

    def turns(self, seen: Face) -> Array:
        """The likeliest turns (T×2 radians, clockwise) of every taught face on a seen one: by its drawing, and by all of it."""
        lines, colours = (
            np.fft.irfft(np.einsum("rfc,trfc->tf", mine, taught, optimize=True), n=ANGLES, axis=1)
            for mine, taught in ((seen.line_spectrum, self._line), (seen.colour_spectrum, self._colour))
        )
        first = lines.argmax(axis=1)
        both = lines + colours
        steps = np.abs((np.arange(ANGLES)[None] - first[:, None] + ANGLES // 2) % ANGLES - ANGLES // 2)
        second = np.where(steps < NEAR_TURN, -np.inf, both).argmax(axis=1)
        return np.asarray(np.stack([first, second], axis=1) * (2 * np.pi / ANGLES), np.float64)


def colours_kept(seen: Face, taught: Face, turn: float) -> tuple[float, float]:
    """How much of the colours painted inside a taught face shows at a ``turn`` (radians, clockwise) on a seen one, and how much
    colour that is: the slope of a*b* about their medians (1 where all of it shows, 0 on a drawing in grey) and the root mean
    square of the taught ones. A cast over the whole disc changes neither."""
    steps = round(turn / (2 * np.pi / ANGLES))
    colours = [face.lab[INNER][..., 1:] for face in (taught, seen)]
    own, other = (colour - np.median(colour, axis=(0, 1)) for colour in colours)
    own = np.roll(own, steps, axis=1)
    area = RADII[INNER][:, None, None]
    power = float((area * own * own).sum())
    return float((area * own * other).sum()) / max(power, 1e-6), float(np.sqrt(power / (2 * area.sum() * ANGLES)))


def rim_otherwise(seen: Face, taught: Face) -> float:
    """By how much (L*a*b*) a face's inside and its rim differ otherwise than those of a taught one."""
    return float(np.linalg.norm((seen.inner - seen.rings[1]) - (taught.inner - taught.rings[1])))


# --- what speaks for each hypothesis --------------------------------------------------------------------------

COMMON = ("edge", "filled", "around", "chroma", "bright", "light", "spread", "detail")
PAIR = ("ray", "chroma ratio", "lightness", "pattern", "lines", "rim ray", "rim chroma", "rim lightness", "same chroma", "hue")


def common_features(disc: Disc, light: float, detail: float) -> Array:
    """Features of a found disc by itself. ``light`` is log light against the board's median, ``detail`` pixels per mm."""
    face = disc.faces[0]
    spread = float(face.lab[INNER, :, 0].std())
    return np.array(
        [
            disc.edge, disc.filled, disc.around, min(face.chroma_inside, 80) / 40, face.bright_inside / 80 - 1,
            np.clip(light, -2, 2), min(spread, 40) / 20, np.clip(detail, 0.5, 2.5) - 1.5,
        ]
    )  # fmt: skip


def pair_features(disc: Disc, taught: TaughtFaces) -> Array:
    """Features (T×10) of a found disc against each taught coloured face."""
    patterns, drawings = (values.max(axis=0) for values in taught.likeness(disc.faces))
    face = disc.faces[0]
    body, rim = face.body.astype(np.float64), face.rings.astype(np.float64)
    want = taught.bodies
    # The rim's best ring: the wood may show as a thin or a broad ring.
    gaps = _ray(rim[None], want[:, None]) / 15 + np.abs(_log_chroma(rim[None], want[:, None]))
    ring = rim[gaps.argmin(axis=1)]
    rows = np.column_stack(
        [
            _ray(body, want) / 20, _log_chroma(body, want), (body[0] - want[:, 0]) / 40, patterns, drawings,
            _ray(ring, want) / 20, _log_chroma(ring, want), (np.median(rim[:, 0]) - taught.rim_lights) / 40,
            (face.chroma_inside - taught.chromas) / 40, _hue(ring, want),
        ]
    )  # fmt: skip
    return np.asarray(np.clip(rows, -3, 3), np.float64)


def _chroma(lab: Array) -> Array:
    return np.asarray(np.hypot(lab[..., 1], lab[..., 2]), np.float64)


def _ray(seen: Array, taught: Array) -> Array:
    """Distance in a*b* from colours (… ×3) to the others' hue rays, whichever is the more saturated: glare moves along rays.

    A colour several times as saturated as the taught one is another: everything lies near the ray of a grey.
    """
    mine, theirs = np.broadcast_arrays(_chroma(seen), _chroma(taught))
    length = np.maximum(mine, theirs)
    # Along and across the ray of the more saturated one lies the other.
    along = np.maximum(seen[..., 1] * taught[..., 1] + seen[..., 2] * taught[..., 2], 0) / np.maximum(length, 1e-6)
    across = np.sqrt(np.maximum(np.minimum(mine, theirs) ** 2 - along**2, 0))
    beyond = mine - 2.5 * theirs - 8.0
    return np.asarray(np.where(length < 1e-6, 0.0, np.maximum(np.maximum(beyond, 0), across)), np.float64)


def _log_chroma(one: Array, other: Array) -> Array:
    return np.asarray(np.log((_chroma(one) + 6) / (_chroma(other) + 6)), np.float64)


def _hue(one: Array, other: Array) -> Array:
    """Hue differences in radians, faded out where either is nearly grey."""
    weight = np.minimum(np.minimum(_chroma(one), _chroma(other)), 20.0) / 20.0
    angle = np.arctan2(one[..., 2], one[..., 1]) - np.arctan2(other[..., 2], other[..., 1])
    return np.asarray(np.abs(np.arctan2(np.sin(angle), np.cos(angle))) * weight, np.float64)
