"""Which taught face a card's picture shows, how surely, and whether it shows any of them at all.

A picture of a card is compared with each taught one cell by cell in Lab, after a fit of the light (gain, offset, slope),
where each
cell may be hidden whatever the card: log likelihoods in nats. The likeliest few are laid over the picture closely (turn, size,
shift) and compared again by finer cells. What is nearest need not be it: the cells in sight must also be as taught.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import atan2, degrees, hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Point
from companion.vision.cards.settings import LikenessSettings
from companion.vision.cards.view import CELL, HEIGHT, WIDTH, CardPose, Floats, MatGrid, cells

_COARSE, _HALF = 2 * CELL, 2
_REACH, _CLEARLY = 8, 0.05
"""Canonical pixels to each side in which a card's drawing is sought before the fit; by how much the correlation must be better
there than where it was expected."""
_BROAD, _LEAST_DETAIL, _LEAST_DRAWN = 9, 120, 2.0
"""Pixels (of half the canonical size) over which what is broad is taken out; how many must be in sight, and how much (standard
deviation of light) must be drawn there for detail to be asked about."""
_TRACED = 0.64
"""0.6..0.68: the correlation of what is drawn finely with itself one canonical pixel astray; 0.36 to 0.58 on backs of small
scales that could not be told, 0.7 and more on all faces of eight decks."""
_MOST_DRAWN = 12.0
"""How much is drawn (standard deviation of light) beyond which more of it counts no more."""
_MOST_ASTRAY_MM, _MOST_LARGER = 12.0, 0.15
"""How far a fit may move a pose, and change its size."""
_HIDDEN_DENSITY = np.float32(-np.log(90.0 * 60.0 * 60.0))
_BARE = 0.987
"""0.98..0.995: the mean probability of cells that they are as on the bare mat; 0.99 and more in 41 of 41 places from which a
card was taken, 0.98 and less in 31 where one lay, by dusk and under glare."""
_COMMON, _LEAST_FACES = -2, 5
"""The number by which what all faces have in common goes, pixel by pixel; of how many faces there is such a thing."""
_PARTLY = 0.95
"""The share in sight of a card below which every other face is asked for at its very place."""
_ONE_PLACE_MM, _ONE_TURN_DEG = 9.0, 10.0
"""How far apart two poses are of one place."""
_MOST_PLACES, _MOST_OF_PLACE, _LESS_LIKELY = 4, 2, 0.5
"""How many places, and poses of each, are worth a close look, and how likely they must be beside the likeliest: of cards upon
each other the upmost is asked first."""
_LEAST_GAIN, _MOST_GAIN = 0.5, 1.6
"""How much more or less contrast a card may show than when it was taught; dusk is taken out before."""


@dataclass(frozen=True, eq=False)
class Template:
    """One taught picture, canonical, and what is derived from it. ``face`` is the number of the face it shows; ``half`` the
    picture at half its size; ``ways`` how that changes (N×4) as the card seems larger, turned, shifted right and down, by
    canonical pixels; ``drawn`` what is drawn finely, ``traced`` whether
    a pose a little astray leaves it as it is; ``fine`` and ``coarse``: means of cells
    and their noise."""

    face: int
    patch: Floats
    fine: Floats
    fine_noise: Floats
    loose_noise: Floats
    coarse: Floats
    coarse_noise: Floats
    half: Floats
    ways: Floats
    drawn: Floats
    traced: bool

    @classmethod
    def of(cls, face: int, patch: Floats, settings: LikenessSettings) -> "Template":
        """Everything about a canonical picture (HEIGHT×WIDTH×3, Lab)."""
        fine, coarse, half = cells(patch), cells(patch, _COARSE), cells(patch, _HALF)
        return cls(
            face, patch, fine, _noise(patch, fine, CELL, settings.astray_px, settings),
            _noise(patch, fine, CELL, settings.loosely_px, settings), coarse, _noise(patch, coarse, _COARSE,
            settings.roughly_px, settings), half, _ways(half), _drawn(patch), _traced(patch, half),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Match:
    """What a card's picture shows. ``face``: the likeliest one; ``margin``: nats by which it is likelier than any other;
    ``rivals``: the faces within the margin that is asked, likeliest first (``face`` among them); ``fit``: the share of the
    cells in sight and not washed out that are as taught; ``lump``: the largest patch of cells that are not; ``washed``: the
    share that glare washes out; ``visible``: the share of the card in sight; ``detail``: the correlation of what is drawn
    finely, None where too little is drawn, or in sight, to tell; ``over_bare``: nats by which it is likelier than the bare
    mat."""

    face: int
    pose: CardPose
    margin: float
    rivals: tuple[int, ...]
    fit: float
    lump: int
    washed: float
    visible: float
    detail: float | None = None
    over_bare: float = float("inf")

    def known(self, settings: LikenessSettings) -> bool:
        """Whether it is a taught face at all, whichever."""
        return (
            self.fit >= (settings.fit if self.detail is not None else settings.fit_undrawn)
            and self.lump < settings.lump
            and self.visible >= settings.visible
            and self.washed <= settings.washed
            and (self.detail is None or self.detail >= settings.detail)
        )

    def sure(self, settings: LikenessSettings) -> bool:
        """Whether the face is told surely."""
        least = settings.margin + settings.covered * (1 - self.visible)
        return self.margin >= least and self.over_bare >= settings.margin and self.known(settings)


@dataclass(frozen=True, eq=False)
class _Laid:
    """A template over a picture: where, how likely (nats), and each cell's probability of being as taught."""

    template: Template
    pose: CardPose
    nats: float
    as_taught: Floats
    brighter: Floats


class FaceBank:
    """The taught faces of one deck. ``size_mm``: width and height of a card."""

    def __init__(
        self, pictures: Sequence[tuple[int, Floats]], size_mm: Point, settings: LikenessSettings | None = None
    ) -> None:
        self.settings = settings or LikenessSettings()
        self.size_mm = size_mm
        self._templates = tuple(Template.of(face, patch, self.settings) for face, patch in pictures)
        patches = np.stack([patch for _, patch in pictures]) if pictures else None
        self._common = (
            Template.of(_COMMON, np.asarray(np.median(patches, axis=0), np.float32), self.settings)
            if patches is not None and len(self.faces) >= _LEAST_FACES
            else None
        )
        blank = np.empty((0, HEIGHT // _COARSE, WIDTH // _COARSE, 3), np.float32)
        self._coarse: Floats = np.stack([one.coarse for one in self._templates]) if self._templates else blank
        self._coarse_noise: Floats = np.stack([one.coarse_noise for one in self._templates]) if self._templates else blank

    @property
    def faces(self) -> tuple[int, ...]:
        """The numbers of the faces that were taught."""
        return tuple(dict.fromkeys(one.face for one in self._templates))

    def leads(self) -> Floats:
        """By how many nats each taught picture (row) would be told from each other one (column), seen as it was taught."""
        every, noise = (np.stack(parts) for parts in zip(*((one.fine, one.fine_noise) for one in self._templates), strict=True))
        whole = np.ones(every.shape[1:3], np.float32)
        nats = [_likelihood(one.fine, every, noise, whole, self.settings)[0] for one in self._templates]
        return np.asarray([own[number] - own for number, own in enumerate(nats)], np.float32)

    def match(
        self, grid: MatGrid, view: Floats, poses: Sequence[CardPose], hidden: NDArray[np.bool_] | None = None,
        prior: dict[int, float] | None = None, bare: Floats | None = None,
    ) -> Match | None:  # fmt: skip
        """What the card shows that lies at one of ``poses``; ``hidden``: view pixels that something else covers. ``prior``: log
        probability of each face; ``bare``: the view of the mat without any card, which must be no likelier. None where
        nothing was taught, or nothing of it is in sight."""
        tries = [pose.turned(turn) for pose in poses for turn in (0.0, 180.0)]
        entries = [
            (float(nats) + (prior or {}).get(template.face, 0.0), template, pose)
            for nats_of, pose in zip(self._tried(grid, view, tries, hidden), tries, strict=True)
            for nats, template in zip(nats_of, self._templates, strict=True)
        ]
        if not entries:
            return None
        entries.sort(key=lambda entry: -entry[0])
        likely: list[tuple[Template, CardPose]] = []
        done: dict[int, int] = {}
        for nats, template, pose in entries:
            if len(likely) >= self.settings.shortlist or (len(likely) > 1 and nats < entries[0][0] - self.settings.ahead):
                break
            if done.get(template.face, 0) < 2:
                done[template.face] = done.get(template.face, 0) + 1
                likely.append((template, pose))
        short = self._laid(grid, view, self._fitted(grid, view, likely, hidden), hidden)
        found = self._judged(short, grid, hidden, prior or {})
        if found is None:
            return None
        if found.visible < _PARTLY:
            # At a rough look at a part another face may have seemed far less likely than it is.
            ways = (found.pose, found.pose.turned(180.0))
            others = [one for one in self._templates if one.face != found.face]
            others += [self._common] if self._common is not None else []
            short = [*short, *self._laid(grid, view, [(one, pose) for one in others for pose in ways], hidden)]
            found = self._judged(short, grid, hidden, prior or {}) or found
        laid = max((one for one in short if one.template.face == found.face), key=lambda one: one.nats)
        found = replace(found, detail=self._detail(grid, view, laid, hidden))
        if bare is not None:
            ground = Template.of(-1, grid.cut(bare, laid.pose, self.size_mm), self.settings)
            rival = self._laid(grid, view, [(ground, laid.pose)], hidden)[0]
            return replace(found, over_bare=laid.nats - rival.nats)
        return found

    def places(
        self, grid: MatGrid, view: Floats, poses: Sequence[CardPose], hidden: NDArray[np.bool_] | None = None
    ) -> list[list[CardPose]]:
        """The poses at which a taught face is likely at a rough look, by places, the likeliest place first."""
        tries = [pose.turned(turn) for pose in poses for turn in (0.0, 180.0)]
        if not tries or not self._templates:
            return []
        nats = self._tried(grid, view, tries, hidden).max(axis=1).reshape(-1, 2).max(axis=1)
        found: list[list[CardPose]] = []
        for number in np.argsort(-nats):
            pose = poses[int(number)]
            if found and nats[number] < _LESS_LIKELY * float(nats.max()):
                break
            near_by = next((group for group in found if pose.about(group[0], _ONE_PLACE_MM, _ONE_TURN_DEG)), None)
            if near_by is None:
                found.append([pose])
            elif len(near_by) < _MOST_OF_PLACE:
                near_by.append(pose)
        return found[:_MOST_PLACES]

    def _detail(self, grid: MatGrid, view: Floats, laid: _Laid, hidden: NDArray[np.bool_] | None) -> float | None:
        """How well the fine drawing of a card agrees with the taught one where it is in sight and not washed out: correlations
        of light in small windows, so that a glare between them takes nothing away; None where there is too little drawn, or
        in sight, or it is drawn too finely, to tell."""
        seen = cells(grid.cut(view, laid.pose, self.size_mm), _HALF)[..., 0]
        washed = ((laid.as_taught < 0.5) & (laid.brighter > 0.5)).repeat(CELL // _HALF, 0).repeat(CELL // _HALF, 1)
        open_ = (_in_sight(grid, laid.pose, self.size_mm, hidden, _HALF) > 0.5) & ~washed
        taught = laid.template.half[..., 0]
        if not laid.template.traced or int(open_.sum()) < _LEAST_DETAIL:
            return None
        alike, drawn = _correlation(seen, taught, open_)
        counts = drawn > _LEAST_DRAWN
        if int(counts.sum()) < _LEAST_DETAIL:
            return None
        return float(np.average(alike[counts], weights=np.minimum(drawn[counts], _MOST_DRAWN)))

    def refitted(
        self, grid: MatGrid, view: Floats, pose: CardPose, face: int, hidden: NDArray[np.bool_] | None = None
    ) -> CardPose:
        """Where a card lies closely that is known to show a face about a pose, whichever way round it lies."""
        likely = [(template, pose) for template in self._templates if template.face == face]
        if not likely:
            return pose
        return max(self._laid(grid, view, self._fitted(grid, view, likely, hidden), hidden), key=lambda one: one.nats).pose

    def agreement(self, grid: MatGrid, view: Floats, pose: CardPose, face: int, within: NDArray[np.bool_]) -> float:
        """How much a part of a card (``within``, view pixels) is as taught, 0..1; 1 where next to nothing of it lies there."""
        laid = self._laid(grid, view, [(template, pose) for template in self._templates if template.face == face], None)
        part = _in_sight(grid, pose, self.size_mm, ~within, CELL) > 0.6
        return max((float(one.as_taught[part].mean()) for one in laid), default=0.0) if part.any() else 1.0

    def bare_shows(
        self, grid: MatGrid, view: Floats, pose: CardPose, face: int, bare: Floats, hidden: NDArray[np.bool_] | None = None
    ) -> bool:
        """Whether the mat without any card (a view of it) shows where a card with a face lay: it is likelier, and nearly all of
        what is in sight is as there."""
        ground = Template.of(-1, grid.cut(bare, pose, self.size_mm), self.settings)
        own = [(template, pose) for template in self._templates if template.face == face]
        rival, *laid = self._laid(grid, view, [(ground, pose), *own], hidden)
        seen = _in_sight(grid, pose, self.size_mm, hidden, CELL) > 0.6
        likelier = all(rival.nats > one.nats for one in laid)
        return likelier and bool(seen.any()) and float(rival.as_taught[seen].mean()) >= _BARE

    def _tried(self, grid: MatGrid, view: Floats, poses: Sequence[CardPose], hidden: NDArray[np.bool_] | None) -> Floats:
        """Log likelihood of each template (column) at each pose (row) by coarse cells."""
        many = len(self._templates)
        if not poses or not many:
            return np.empty((0, many), np.float32)
        own = np.stack([cells(grid.cut(view, pose, self.size_mm), _COARSE) for pose in poses])
        seen = np.stack([_in_sight(grid, pose, self.size_mm, hidden, _COARSE) for pose in poses])
        rows = len(poses)
        nats, _, _ = _likelihood(
            own.repeat(many, axis=0), np.tile(self._coarse, (rows, 1, 1, 1)), np.tile(self._coarse_noise, (rows, 1, 1, 1)),
            seen.repeat(many, axis=0), self.settings,
        )  # fmt: skip
        return np.asarray(nats.reshape(rows, many), np.float32)

    def _fitted(
        self, grid: MatGrid, view: Floats, likely: Sequence[tuple[Template, CardPose]], hidden: NDArray[np.bool_] | None
    ) -> list[tuple[Template, CardPose]]:
        """Poses drawn to where each template lies over the picture closely: least squares over turn, size and shift, in which
        what is not as taught counts less and less."""
        found = [self._sought(grid, view, template, pose, hidden) for template, pose in likely]
        moving = list(range(len(likely)))
        hold = np.diag([1e3, 1e3, 1.0, 1.0]).astype(np.float32)
        for _ in range(self.settings.steps):
            if not moving:
                break
            patch = np.stack([cells(grid.cut(view, found[n], self.size_mm), _HALF) for n in moving])
            seen = np.stack([_in_sight(grid, found[n], self.size_mm, hidden, _HALF) for n in moving])
            rest = patch - _lit(np.stack([likely[n][0].half for n in moving]), patch, seen, 2)[0]
            still = []
            for row, number in enumerate(moving):
                (template, start), pose = likely[number], found[number]
                open_ = seen[row] > 0.5
                scale = 1.5 * _middle(np.abs(rest[row][open_]).reshape(-1)) + 2.0 if open_.any() else 1.0
                weight = seen[row][..., None] / (1 + np.square(rest[row] / (2 * scale))) ** 2
                weighted = template.ways * weight.reshape(-1, 1)
                normal = weighted.T @ template.ways + hold
                # The picture is the template changed so: the card lies where the template would have to be moved to.
                larger, turned, right, down = np.linalg.solve(normal, weighted.T @ rest[row].reshape(-1)).tolist()
                matrix = grid.to_view(pose, self.size_mm)[:, :2]
                shift = -(matrix @ (right, down)) / grid.scale
                angle = atan2(matrix[1, 0], matrix[0, 0])
                pose = CardPose(
                    pose.x + float(shift[0]), pose.y + float(shift[1]), degrees(angle - turned), pose.scale * (1 - larger)
                )
                astray = hypot(pose.x - start.x, pose.y - start.y)
                if astray > _MOST_ASTRAY_MM or abs(pose.scale / start.scale - 1) > _MOST_LARGER:
                    found[number] = start
                    continue
                found[number] = pose
                if hypot(right, down) >= 0.05 or max(abs(larger), abs(turned)) >= 0.002:
                    still.append(number)
            moving = still
        return [(template, pose) for (template, _), pose in zip(likely, found, strict=True)]

    def _sought(
        self, grid: MatGrid, view: Floats, template: Template, pose: CardPose, hidden: NDArray[np.bool_] | None
    ) -> CardPose:
        """A pose shifted to where the fine drawing agrees best: beside it lines of print may lie upon the wrong lines, and no
        small step leads from there."""
        matrix = grid.to_view(pose, self.size_mm)
        wider = matrix.copy()
        wider[:, 2] -= matrix[:, :2] @ (_REACH, _REACH)
        size, flags = (WIDTH + 2 * _REACH, HEIGHT + 2 * _REACH), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        drawn = _drawn(np.asarray(cv2.warpAffine(view, wider, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32))
        if hidden is not None:
            drawn[cv2.warpAffine(hidden.astype(np.uint8), wider, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP) > 0] = 0
        alike = cv2.matchTemplate(drawn, template.drawn, cv2.TM_CCOEFF_NORMED)
        _, most, _, at = cv2.minMaxLoc(alike)
        if most < float(alike[_REACH, _REACH]) + _CLEARLY:
            return pose
        x, y = matrix[:, :2] @ (at[0] - _REACH, at[1] - _REACH) / grid.scale
        return replace(pose, x=pose.x + float(x), y=pose.y + float(y))

    def _laid(
        self, grid: MatGrid, view: Floats, likely: Sequence[tuple[Template, CardPose]], hidden: NDArray[np.bool_] | None
    ) -> list[_Laid]:
        """Templates over the picture, each at its pose, compared by fine cells."""
        if not likely:
            return []
        own = np.stack([cells(grid.cut(view, pose, self.size_mm)) for _, pose in likely])
        seen = np.stack([_in_sight(grid, pose, self.size_mm, hidden, CELL) for _, pose in likely])
        fine, noise, loose = (
            np.stack([getattr(template, name) for template, _ in likely]) for name in ("fine", "fine_noise", "loose_noise")
        )
        nats, _, _ = _likelihood(own, fine, noise, seen, self.settings)
        _, as_taught, brighter = _likelihood(own, fine, loose, seen, self.settings)
        return [
            _Laid(template, pose, float(nats[row]), as_taught[row], brighter[row])
            for row, (template, pose) in enumerate(likely)
        ]

    def _judged(
        self, laid: Sequence[_Laid], grid: MatGrid, hidden: NDArray[np.bool_] | None, prior: dict[int, float]
    ) -> Match | None:
        best: dict[int, tuple[float, _Laid]] = {}
        for one in laid:
            nats = one.nats + prior.get(one.template.face, 0.0)
            if one.template.face not in best or nats > best[one.template.face][0]:
                best[one.template.face] = nats, one
        ranked = sorted(best.values(), key=lambda entry: -entry[0])
        if not ranked:
            return None
        # What all faces have in common is none of them, however like one it is.
        ranked.sort(key=lambda entry: entry[1].template.face == _COMMON)
        (top, first), rest = ranked[0], sorted(ranked[1:], key=lambda entry: -entry[0])
        margin = top - rest[0][0] if rest else float("inf")
        seen = _in_sight(grid, first.pose, self.size_mm, hidden, CELL) > 0.6
        washed = seen & (first.as_taught < 0.5) & (first.brighter > 0.5)
        least = self.settings.margin + self.settings.covered * (1 - float(seen.mean()))
        near = [one.template.face for nats, one in ranked if top - nats < least]
        rivals = tuple(self.faces if _COMMON in near else near)
        asked = seen & ~washed
        odd = asked & (first.as_taught < 0.5)
        fit = 1 - float(odd.sum()) / max(1, int(asked.sum()))
        return Match(
            first.template.face, first.pose, margin, rivals, fit, _largest(odd), float(washed.sum()) / max(1, int(seen.sum())),
            float(seen.mean()),
        )  # fmt: skip


def _correlation(seen: Floats, taught: Floats, open_: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """For each pixel how the light about it correlates with the taught one (a window of _BROAD pixels, of which those that are
    ``open_`` count), and how much is drawn there (standard deviation of the taught light)."""
    weight = open_.astype(np.float32)

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.boxFilter(values * weight, -1, (_BROAD, _BROAD), normalize=False), np.float32) / total

    total = np.asarray(cv2.boxFilter(weight, -1, (_BROAD, _BROAD), normalize=False), np.float32) + 1e-3
    one, other = seen - mean(seen), taught - mean(taught)
    both, own, its = mean(one * other), mean(one * one), mean(other * other)
    enough = open_ & (total > _BROAD * _BROAD / 3)
    alike = both / np.sqrt(np.maximum(own * its, 1e-6))
    return np.where(enough, alike, 0).astype(np.float32), np.where(enough, np.sqrt(its), 0).astype(np.float32)


def _drawn(patch: Floats) -> Floats:
    """What is drawn finely of a picture (Lab): its light without what is broad, a glare's edges cut."""
    light = np.ascontiguousarray(patch[..., 0])
    fine = light - cv2.blur(light, (2 * _BROAD - 1, 2 * _BROAD - 1))
    return np.asarray(np.clip(fine, -_MOST_DRAWN, _MOST_DRAWN), np.float32)


def _traced(patch: Floats, half: Floats) -> bool:
    """Whether what is drawn finely on a picture is still as it is where the card lies one canonical pixel astray: a back of
    small scales is not."""
    whole = np.ones(half.shape[:2], np.bool_)
    for x, y in ((1.0, 0.0), (0.0, 1.0)):
        moved = cv2.warpAffine(
            patch, np.array([[1, 0, x], [0, 1, y]], np.float32), (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE
        )
        alike, drawn = _correlation(cells(np.asarray(moved, np.float32), _HALF)[..., 0], half[..., 0], whole)
        counts = drawn > _LEAST_DRAWN
        weights = np.minimum(drawn[counts], _MOST_DRAWN)
        if int(counts.sum()) >= _LEAST_DETAIL and float(np.average(alike[counts], weights=weights)) < _TRACED:
            return False
    return True


def _ways(half: Floats) -> Floats:
    """How a picture at half its size changes (N×4) as the card seems larger, turned, shifted right and down."""
    gx, gy = (cv2.Scharr(half, cv2.CV_32F, *way) / (32 * _HALF) for way in ((1, 0), (0, 1)))
    down, across = np.mgrid[0 : half.shape[0], 0 : half.shape[1]].astype(np.float32)
    u = (across[..., None] - (half.shape[1] - 1) / 2) * _HALF
    v = (down[..., None] - (half.shape[0] - 1) / 2) * _HALF
    return np.stack([gx * u + gy * v, gy * u - gx * v, gx, gy], axis=-1).reshape(-1, 4).astype(np.float32)


def _in_sight(grid: MatGrid, pose: CardPose, size_mm: Point, hidden: NDArray[np.bool_] | None, side: int) -> Floats:
    """The share of each cell of a card that nothing covers."""
    if hidden is None:
        return _all_in_sight(side)
    matrix = grid.to_view(pose, size_mm)
    cut = cv2.warpAffine(
        hidden.astype(np.uint8), matrix, (WIDTH, HEIGHT), flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP, borderValue=1
    )
    return 1 - cells(np.asarray(cut, np.float32)[..., None], side)[..., 0]


@cache
def _all_in_sight(side: int) -> Floats:
    """The shares of cells of a card that lies open."""
    found = np.ones((HEIGHT // side, WIDTH // side), np.float32)
    found.setflags(write=False)
    return found


def _noise(patch: Floats, taught: Floats, side: int, astray_px: float, settings: LikenessSettings) -> Floats:
    """How far (standard deviation) a cell seen again may lie from the taught one: grain, and a pose a little astray."""
    level = np.array([settings.noise_light, settings.noise_colour, settings.noise_colour], np.float32)
    found = np.zeros_like(taught)
    for dx, dy in ((astray_px, 0.0), (0.0, astray_px)):
        moved = [
            cv2.warpAffine(
                patch,
                np.array([[1, 0, sign * dx], [0, 1, sign * dy]], np.float32),
                (WIDTH, HEIGHT),
                borderMode=cv2.BORDER_REPLICATE,
            )
            for sign in (-1, 1)
        ]
        found += ((cells(np.asarray(moved[0], np.float32), side) - cells(np.asarray(moved[1], np.float32), side)) / 2) ** 2
    return np.asarray(np.sqrt(level**2 + found), np.float32)


def _lit(taught: Floats, seen: Floats, weight: Floats, rounds: int, noise: Floats | None = None) -> tuple[Floats, Floats]:
    """Taught pictures (T×h×w×3) in the light of those that are seen (h×w×3, or one each): light has a gain, an offset and a
    slope, colour a gain and an offset; what does not fit counts less. ``weight``: h×w, or one each. And how unlikely (nats)
    that light is."""
    many, rows, columns = taught.shape[:3]
    flat = (many, rows * columns)
    y = np.broadcast_to(seen, taught.shape).reshape(*flat, 3)
    t = taught.reshape(*flat, 3)
    level = np.broadcast_to(weight.reshape(-1, rows * columns), flat)
    inverse: Floats | None = None if noise is None else np.asarray(1 / np.square(noise.reshape(*flat, 3)), np.float32)
    terms = _terms(rows, columns)
    light, cost = _lit_as(t[..., 0], y[..., 0], level, rounds, None if inverse is None else inverse[..., 0], terms, _HOLD_LIGHT)
    t, y, level = (np.concatenate(pair) for pair in ((t[..., 1], t[..., 2]), (y[..., 1], y[..., 2]), (level, level)))
    inverse = None if inverse is None else np.concatenate([inverse[..., 1], inverse[..., 2]])
    colour, more = _lit_as(t, y, level, rounds, inverse, terms[:, :1], _HOLD_COLOUR)
    found = np.stack([light, colour[:many], colour[many:]], axis=-1)
    return found.reshape(taught.shape), cost + more[:many] + more[many:]


def _lit_as(
    t: Floats, y: Floats, level: Floats, rounds: int, inverse: Floats | None, terms: Floats, hold: Floats
) -> tuple[Floats, Floats]:
    """One channel of taught pictures (T×N) in the light of what is seen, a gain and the ``terms`` (N×K, the first is 1) of an
    offset; and how unlikely (nats) that is. ``inverse``: one over the noise's variance."""
    many, extra = len(t), terms.shape[1]
    squares = (terms[:, :, None] * terms[:, None, :]).reshape(len(terms), -1)
    near = _NEAR[: 1 + extra]
    root = None if inverse is None else np.sqrt(inverse)
    w = level if inverse is None else np.asarray(level * inverse, np.float32)
    # What the light of the lesson explains counts from the first: a glare over a third of a card must not be taken for light.
    astray = np.asarray(y - t, np.float32)
    trust = _trusted(np.asarray(astray - _middles(astray), np.float32), root)
    w = np.asarray(w * trust, np.float32)
    normal = np.empty((many, 1 + extra, 1 + extra), np.float32)
    right = np.empty((many, 1 + extra), np.float32)
    for number in range(rounds):
        wt = w * t
        normal[:, 0, 0] = np.einsum("ij,ij->i", wt, t)
        normal[:, 0, 1:] = normal[:, 1:, 0] = wt @ terms
        normal[:, 1:, 1:] = (w @ squares).reshape(many, extra, extra)
        right[:, 0] = np.einsum("ij,ij->i", wt, y)
        right[:, 1:] = (w * y) @ terms
        fit = np.linalg.solve(normal + np.diag(hold), (right + hold * near)[..., None])[..., 0]
        gain = np.clip(fit[:, 0], _LEAST_GAIN, _MOST_GAIN)
        off = gain != fit[:, 0]
        if off.any():
            total = w[off].sum(axis=1) + 1e-9
            fit[off, 0] = gain[off]
            fit[off, 1] = ((y[off] - t[off] * gain[off, None]) * w[off]).sum(axis=1) / total
            fit[off, 2:] = 0
        lit = t * fit[:, :1] + fit[:, 1:] @ terms.T
        if number < rounds - 1:
            w = np.asarray(level * _trusted(np.asarray(y - lit, np.float32), root), np.float32)
            w = w if inverse is None else np.asarray(w * inverse, np.float32)
    return np.asarray(lit, np.float32), np.asarray(0.5 * (np.square(fit - near) * hold).sum(axis=1), np.float32)


def _trusted(rest: Floats, root: Floats | None) -> Floats:
    """How much each cell counts in a fit of the light by what is left of it (T×N; ``root``: one over the noise)."""
    rest = rest if root is None else np.asarray(rest * root, np.float32)
    spread = 1.5 * _middles(np.abs(rest)) + 1.0
    return np.asarray(1 / np.square(1 + np.square(rest / (2 * spread))), np.float32)


def _middle(values: Floats) -> float:
    """The median of some values, at least one."""
    return float(_middles(values[None])[0, 0])


def _middles(values: Floats) -> Floats:
    """The median of each row (T×N), as a column."""
    half, odd = divmod(values.shape[1], 2)
    parted = np.partition(values, half if odd else (half - 1, half), axis=1)
    middle = parted[:, half : half + 1] if odd else (parted[:, half - 1 : half] + parted[:, half : half + 1]) / 2
    return np.asarray(middle, np.float32)


_HOLD_LIGHT = np.array([100.0, 0.02, 0.04, 0.04], np.float32)
_HOLD_COLOUR = np.array([60.0, 0.1], np.float32)
_NEAR = np.array([1.0, 0.0, 0.0, 0.0], np.float32)
"""How the light is held near that in which a card was taught (one over variances: a gain of 1.1, an offset of 7 levels of
light and
3 of colour, a slope of 5): a face with little on it must not be made of any other one, nor of the bare mat."""


@cache
def _terms(rows: int, columns: int) -> Floats:
    """What a slope of light is made of (N×3): 1, and -1 to 1 across and down a picture."""
    down, across = np.meshgrid(
        np.linspace(-1, 1, rows, dtype=np.float32), np.linspace(-1, 1, columns, dtype=np.float32), indexing="ij"
    )
    return np.stack([np.ones(rows * columns, np.float32), across.reshape(-1), down.reshape(-1)], axis=1)


def _likelihood(
    seen: Floats, taught: Floats, noise: Floats, in_sight: Floats, settings: LikenessSettings
) -> tuple[Floats, Floats, Floats]:
    """Log likelihood (T nats, beyond that of cells which something hides) of a picture's cells (h×w×3, or one each) by taught
    ones (T×h×w×3), each cell's probability of being as taught, and whether it is only brighter and paler than that. So poses
    of which unlike parts are in sight can be compared."""
    lit, cost = _lit(taught, seen, in_sight, 3, noise)
    rest = seen - lit
    astray, spread = np.square(rest / noise), noise[..., 0] * noise[..., 1] * noise[..., 2]
    density = -0.5 * (astray[..., 0] + astray[..., 1] + astray[..., 2]) - np.log(spread) - 2.757
    shown, hidden = np.log(1 - settings.hidden) + density, np.log(settings.hidden) + _HIDDEN_DENSITY
    both = np.logaddexp(shown, hidden)
    # A glossy sleeve adds a lamp's white: lighter, or no darker and less coloured.
    paler = np.hypot(lit[..., 1], lit[..., 2]) - np.hypot(seen[..., 1], seen[..., 2])
    lighter = rest[..., 0] / noise[..., 0]
    brighter = (((lighter > 1) & (paler > -6)) | ((lighter > -0.5) & (paler > 5))).astype(np.float32)
    nats = ((both - hidden) * in_sight).sum(axis=(1, 2)) / settings.alike - cost
    return nats, np.exp(shown - both), brighter


def _largest(odd: NDArray[np.bool_]) -> int:
    """How many cells the largest patch of marked ones has."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(odd.astype(np.uint8), connectivity=4)
    return int(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0
