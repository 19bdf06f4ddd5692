"""One picture prepared for judging: where the board lies, what light falls on it, what bare board would look like."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Point
from companion.vision.camera import Registration
from companion.vision.plain.light_correction import SHOWS, LightImages, corrected_light, pale, shows
from companion.vision.plain.settings import SurfaceSettings
from companion.vision.plain.surface import (
    Grid,
    LightField,
    LightGrid,
    View,
    length3,
    light_change,
    linear,
    max3,
    mean3,
    pick,
    street_light,
)

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
WHITE_LEVEL = 1.5
"""Reflectance given to the brightest print: light grey streets are then at about 1."""
MOST_GRIDS = 64
"""Requests whose sample positions are kept: those for whole groups of places come again with every look, those for single
cells come and go."""
FEWEST_DARK = 12
"""Coarse samples of dark print near a block below which they tell nothing of its stray light."""
LIKE_PRINT = (SHOWS, 0.4, 0.0)
"""How like the empty board's the drawing about samples of dark print must be for them to tell stray light: the strictest bound
that leaves enough of them counts. A piece that lies there passes for light, but print hardly drawn is like nothing."""
MORE = 0.03
"""0.01..0.05 of the streets' reflectance: how much more stray light a block may have by such print than blocks next to it by
print that plainly shows. Of 160 discs on five made-up copies the stray light was off by more than 0.1 at 7 (19 by all samples,
13 without this bound), at none of them below what the board without pieces says (11, under glare, by plain print alone)."""


@dataclass(frozen=True, eq=False)
class Patches:
    """A stack of patches in reflectance: ``seen`` N×H×W×3 now, ``bare`` what the empty board shows on the same sight lines.

    ``grid`` are their sample points; ``inside`` (N) says which lie in the picture. ``veil`` (N×1×1×3) is the stray
    light taken out; ``floor``: see ``SurfaceSettings``.
    """

    grid: Grid
    seen: Floats
    bare: Floats
    inside: NDArray[np.bool_]
    veil: Floats
    floor: float

    @cached_property
    def change(self) -> Floats:
        """How unlike bare board every sample is (N×H×W), about 0..1; a plain shadow counts for little."""
        return change_strength(self.seen, self.bare, self.floor, self.veil)


CROSSTALK = 0.05
"""0.03..0.08: share of a colour's brightest channel by which its others may seem brighter in another picture: a telephone
renders saturated colours anew each time. Of 835 bare cells of another game's board, in five photographs of a telephone, 1 in
100 changed by more than 0.69 without it, now by more than 0.48; 125 with a tile on them change by 0.97 and more in either."""


def change_strength(seen: Floats, bare: Floats, floor: float, veil: Floats | None = None) -> Floats:
    """How unlike ``bare`` the reflectances ``seen`` (… ×3) are, 0..1; a plain shadow, darker but of one colour, counts less.
    ``floor``: see ``SurfaceSettings``."""
    # Under stray light, dark print is known less well; so are the dark channels of bright colours, where cameras mix channels.
    least = np.float32(floor) + np.float32(CROSSTALK) * max3(bare)[..., None]
    if veil is not None:
        least = least + 0.3 * np.maximum(veil, 0)
    ratio = np.log((seen + least) / (bare + least))
    brightness = mean3(ratio)
    ratio -= brightness[..., None]
    colour = length3(ratio) * np.float32(1.6)
    shadow = (brightness < 0) & (brightness > -0.9)
    bright = np.where(shadow, np.float32(0.45) * brightness, brightness)
    return np.asarray(np.clip(np.sqrt(bright * bright + colour * colour) / np.float32(0.4), 0, 1), np.float32)


class ReferenceImage:
    """The taught empty board: its view, its light, and caches of what it shows along any registration's sight lines."""

    def __init__(self, view: View, board: Board, settings: SurfaceSettings, white: float = 1.0) -> None:
        """``white`` (0..1) is the brightest print's share of white, where pieces are brighter (``Teaching.white``)."""
        self.view = view
        self.board = board
        self.settings = settings
        self.white = white
        self.ground = LightGrid(board, settings)
        streets = street_light(view, self.ground)
        self._coarse = linear(
            cv2.blur(self.ground.grid.sample(view.image, self.ground.grid.maps(view.registration))[0], (3, 3))
        )
        self.street = self._street(streets)
        self.light = LightField(streets.log - np.log(self.street), streets.block_mm)

    def _street(self, streets: LightField) -> Floats:
        """Reflectance (3) to give the streets, so that the brightest print of the board, whatever it is, counts as white.

        Streets may be printed dark or coloured. Taken for white, they would tint every piece and burn light ones out.
        """
        relative = self._coarse / streets.at(self.ground.grid.mm[0])
        white = np.percentile(relative.reshape(-1, 3), self.settings.white_percent, axis=0)
        return np.asarray(np.clip(WHITE_LEVEL / np.maximum(white, 1e-3), 0.02, 1.0) * self.white, np.float32)

    def prepare(self, view: View) -> "PreparedImage":
        """Prepare a later picture."""
        return PreparedImage(self, view)

    @property
    def coarse(self) -> Floats:
        """Coarse linear samples of the empty board, H×W×3."""
        return self._coarse

    @cached_property
    def print(self) -> Floats:
        """The same as reflectance: what is printed there."""
        return np.asarray(self._coarse / self.light.at(self.ground.grid.mm[0]), np.float32)

    @cached_property
    def pale(self) -> NDArray[np.bool_]:
        """Where the print is light enough to tell the light (H×W)."""
        return pale(self.print, self.street)

    @cached_property
    def dark(self) -> "DarkPrint":
        """Where the print is dark enough to show stray light."""
        return DarkPrint.of(self.print, self.street, self.ground)


@dataclass(frozen=True, eq=False)
class DarkPrint:
    """Dark print. ``where`` are its coarse samples (K, flat indices); ``many`` how many of them lie near every block
    (down×across, flat); ``blocks`` (B) those blocks (flat indices) that have enough, ``near`` (B×M) which of the K samples
    those are, filled up with K."""

    where: NDArray[np.intp]
    blocks: NDArray[np.intp]
    near: NDArray[np.intp]
    many: NDArray[np.intp]

    @classmethod
    def of(cls, before: Floats, street: Floats, ground: LightGrid) -> "DarkPrint":
        """From the print's reflectance (H×W×3) and that of the streets."""
        dark = ((before / street).max(axis=-1) < 0.3) & (before.max(axis=-1) > 0)
        where = np.flatnonzero(dark)
        number = np.full(dark.size, -1)
        number[where] = np.arange(len(where))
        number = number.reshape(dark.shape)
        down, across = ground.blocks
        per = dark.shape[0] // down
        many = np.zeros(down * across, np.intp)
        found = {}
        for row in range(down):
            for column in range(across):
                # A neighbourhood of three blocks, for enough dark print.
                part = number[max(0, (row - 1) * per) : (row + 2) * per, max(0, (column - 1) * per) : (column + 2) * per]
                mine = part[part >= 0]
                many[row * across + column] = len(mine)
                if len(mine) >= FEWEST_DARK:
                    found[row * across + column] = mine
        most = max((len(mine) for mine in found.values()), default=1)
        near = np.full((len(found), most), len(where))
        for index, mine in enumerate(found.values()):
            near[index, : len(mine)] = mine
        return cls(where, np.array(list(found), np.intp), near, many)

    def medians(self, values: Floats, drawing: Floats) -> tuple[Floats, NDArray[np.intp], Mask]:
        """Median per channel (B×3) of values (K×3) near each of ``blocks``, of how many (B) samples, and whether all of these
        plainly show print (B): those that look most like it by their ``drawing`` (K), if there are enough; 0 where there are
        not."""
        found, many = np.zeros((len(self.blocks), 3), np.float32), np.zeros(len(self.blocks), np.intp)
        plain = np.zeros(len(self.blocks), np.bool_)
        left = np.arange(len(self.blocks))
        for least in LIKE_PRINT:
            counts = np.append(drawing > least, False)
            count = counts[self.near[left]].sum(axis=1)
            enough = count >= FEWEST_DARK
            rows, count, left = left[enough], count[enough], left[~enough]
            filled = np.where(counts[:, None], np.vstack([values, np.zeros((1, 3), np.float32)]), np.inf).astype(np.float32)
            near = filled.T[:, self.near[rows]]  # 3×rows×M
            near.sort(axis=2)
            each = np.arange(len(rows))
            found[rows] = (near[:, each, (count - 1) // 2] + near[:, each, count // 2]).T / 2
            many[rows], plain[rows] = count, least == SHOWS
        return found, many, plain


class PreparedImage:
    """A picture with its registration and light. Patch geometry is cached per registration in ``maps``."""

    def __init__(self, reference: ReferenceImage, view: View, maps: "MapCache | None" = None) -> None:
        self.reference = reference
        self.view = view
        self._maps = maps if maps is not None else MapCache(reference)
        grid = reference.ground.grid
        self.coarse = linear(cv2.blur(grid.sample(view.image, self._maps.seen(grid, view.registration))[0], (3, 3)))
        mm = grid.mm[0]
        light = light_change(self.coarse, reference.coarse, reference.ground)
        self.light = LightField(reference.light.log + light.log, reference.light.block_mm)
        self.flat: Floats = np.asarray(self.coarse / self.light.at(mm), np.float32)
        """The coarse samples as reflectance, stray light included."""
        self.drawing: Floats = shows(self.flat, reference.print)
        """How like the empty board's the fine drawing about every coarse sample is (H×W, -1..1; 0 where none is printed)."""
        sheets = LightImages(self.coarse, reference.coarse, reference.pale)
        self.light_ratio = corrected_light(light, sheets, self.drawing)
        if self.light_ratio is not light:
            self.light = LightField(reference.light.log + self.light_ratio.log, reference.light.block_mm)
            self.flat = np.asarray(self.coarse / self.light.at(mm), np.float32)
            self.drawing = shows(self.flat, reference.print)
        self.veil = self._stray(reference.dark, self.flat, reference.print)
        self.lost: Floats | None = None
        """Stray light that lay over the board when it was taught and is gone (as ``veil``); None where light changed little."""
        if self.light_ratio is not light:
            dark = DarkPrint.of(
                np.where((self.drawing > SHOWS)[..., None], self.flat, np.float32(9)), reference.street, reference.ground
            )
            self.lost = np.maximum(self._stray(dark, reference.print, self.flat), 0)

    def _stray(self, dark: "DarkPrint", now: Floats, before: Floats) -> Floats:
        """Stray light (reflectance units, one value per block and channel) that lies over a sheet (H×W×3) and did not over one
        before. Dark print shows it: what was black and now is grey, all around, has glare on it."""
        street = self.reference.street
        now, before = (values.reshape(-1, 3)[dark.where] for values in (now, before))
        down, across = self.reference.ground.blocks
        found, many = np.zeros((down * across, 3), np.float32), dark.many.copy()
        if len(dark.blocks):
            drawing = self.drawing.reshape(-1)[dark.where]
            here, many[dark.blocks], plain = dark.medians((now - before) / (1 - before / street), drawing)
            found[dark.blocks] = here
            # Beside what is plainly seen no more is believed of what may be a piece.
            told = np.full_like(found, -np.inf)
            told[dark.blocks[plain]] = here[plain]
            most = cv2.dilate(told.reshape(down, across, 3), np.ones((3, 3), np.uint8)).reshape(-1, 3)[dark.blocks]
            bound = ~plain & np.isfinite(most[:, 0])
            found[dark.blocks[bound]] = np.minimum(here, most + MORE * street)[bound]
        rest, trust = found.reshape(down, across, 3), np.minimum(many / 60, 1).astype(np.float32).reshape(down, across, 1)
        smooth = cv2.GaussianBlur(rest * trust, (3, 3), 0.8) / (cv2.GaussianBlur(trust, (3, 3), 0.8)[..., None] + 0.1)
        return np.clip(smooth, -0.05 * street, 0.6 * street).astype(np.float32)

    def veil_at(self, mm: Floats) -> Floats:
        """Stray light at board millimetres (… ×2)."""
        return self._stray_at(self.veil, mm)

    def _stray_at(self, stray: Floats, mm: Floats) -> Floats:
        return np.asarray(pick(stray, mm / self.reference.light.block_mm - 0.5, cv2.BORDER_REPLICATE), np.float32)

    def print_at(self, bare: Floats, mm: Floats) -> Floats:
        """Reflectances of the bare board (… ×3) about board millimetres (… ×2) without stray light that is gone."""
        return bare if self.lost is None else clear(bare, self._stray_at(self.lost, mm), self.reference.street)

    def patches(
        self,
        centres: Sequence[Point],
        side_mm: float | tuple[float, float],
        height_mm: float,
        only: Sequence[int] | None = None,
        within_mm: float | None = None,
    ) -> Patches:
        """Reflectance patches around centres at a height, with the bare board below them.

        With ``only`` the patches of these centres alone; what is known of all of them needs not be found out again. With
        ``within_mm`` those count as inside of which that much about their middle is; what lies beside the picture is bare.
        """
        every = self.grid(centres, side_mm, height_mm)
        maps = self._maps.seen(every, self.view.registration)
        bare = self._maps.bare(every, self.view.registration)
        outside = self._maps.outside(every, self.view.registration)
        grid = every
        if only is not None:
            chosen = np.asarray(only, np.intp)
            grid, bare, outside = Grid(every.mm[chosen], height_mm), bare[chosen], outside[chosen]
            maps = every.part(maps, chosen)
        asked = outside if within_mm is None else outside & every.within(within_mm)
        codes = grid.sample(self.view.image, maps)
        light = patch_light(self.light, grid)
        middles = (every.middles if only is None else every.middles[chosen])[:, None, None]
        veil = self.veil_at(middles)
        seen, below = clear(linear(codes) / light, veil, self.reference.street), self.print_at(bare, middles)
        if within_mm is not None and outside.any():
            seen = np.where(outside[..., None], below, seen)
        inside = np.asarray(~asked.any(axis=(1, 2)), np.bool_)
        return Patches(grid, seen, below, inside, veil, self.reference.settings.floor)

    def grid(self, centres: Sequence[Point], side_mm: float | tuple[float, float], height_mm: float) -> Grid:
        """The sample points of such patches."""
        return self._maps.grid(tuple(centres), side_mm, height_mm)

    def closeups(self, centres: Sequence[Point], side_mm: float, height_mm: float, only: Sequence[int], scale: float) -> Floats:
        """Reflectance patches (K×H×W×3) around some of the centres alone, with ``scale`` samples per millimetre."""
        grid = self._maps.grid(tuple(centres), side_mm, height_mm, scale)
        chosen = np.asarray(only, np.intp)
        maps = [self._maps.seen_one(grid, self.view.registration, index) for index in only]
        part = Grid(grid.mm[chosen], height_mm)
        codes = part.sample(self.view.image, (np.concatenate([x for x, _ in maps]), np.concatenate([y for _, y in maps])))
        veil = self.veil_at(grid.middles[chosen])[:, None, None]
        return clear(linear(codes) / patch_light(self.light, part), veil, self.reference.street)

    def parallax_mm(self, centres: Sequence[Point], height_mm: float) -> NDArray[np.float64]:
        """How far (N×2 mm) sight lines carry points at a height away from the camera, down on the board."""
        mm = np.asarray(centres, np.float64).reshape(-1, 2)
        registration = self.view.registration
        return np.asarray(registration.locate(registration.project(mm, height_mm), 0.0) - mm, np.float64)


def clear(reflectance: Floats, veil: Floats, street: Floats) -> Floats:
    """Take stray light out. The light was measured on the streets (3 reflectances), stray light included: they stay."""
    return np.asarray(np.maximum(reflectance - veil, 0) / np.maximum(1 - veil / street, 0.3), np.float32)


def patch_light(light: LightField, grid: Grid) -> Floats:
    """Light at each patch's corners, bent smoothly between them (N×H×W×3): light is smooth, patches are small."""
    corners = grid.mm[:, :: grid.mm.shape[1] - 1, :: grid.mm.shape[2] - 1]
    values = light.at(corners)
    down = np.linspace(0, 1, grid.mm.shape[1], dtype=np.float32)[None, :, None, None]
    across = np.linspace(0, 1, grid.mm.shape[2], dtype=np.float32)[None, None, :, None]
    left = values[:, None, 0, None, 0] * (1 - down) + values[:, None, 1, None, 0] * down
    right = values[:, None, 0, None, 1] * (1 - down) + values[:, None, 1, None, 1] * down
    return np.asarray(left + (right - left) * across, np.float32)


class MapCache:
    """Sample positions and bare-board patches, kept while the registration stays the same."""

    def __init__(self, reference: ReferenceImage) -> None:
        self._reference = reference
        self._grids: dict[tuple[object, ...], Grid] = {}
        self._registration: Registration | None = None
        self._seen: dict[int, tuple[Floats, Floats]] = {}
        self._seen_ones: dict[tuple[int, int], tuple[Floats, Floats]] = {}
        self._bare: dict[int, Floats] = {}
        self._outside: dict[int, NDArray[np.bool_]] = {}

    def grid(
        self,
        centres: tuple[Point, ...],
        side_mm: float | tuple[float, float],
        height_mm: float,
        scale: float | None = None,
    ) -> Grid:
        """The sample grid of a request, made once; ``scale`` samples per millimetre, by default those of the settings."""
        scale = scale or self._reference.settings.scale
        key = (centres, side_mm, height_mm, scale)
        if key in self._grids:
            self._grids[key] = self._grids.pop(key)  # the latest asked for stands last
            return self._grids[key]
        if len(self._grids) >= MOST_GRIDS:
            self._forget(next(iter(self._grids)))
        self._grids[key] = Grid.around(centres, side_mm, scale, height_mm)
        return self._grids[key]

    def _forget(self, key: tuple[object, ...]) -> None:
        """Drop a grid and all that is known of it: a later grid may get its id."""
        old = id(self._grids.pop(key))
        for known in (self._seen, self._bare, self._outside):
            known.pop(old, None)
        for one in [one for one in self._seen_ones if one[0] == old]:
            del self._seen_ones[one]

    def seen(self, grid: Grid, registration: Registration) -> tuple[Floats, Floats]:
        """Where a grid's samples lie in the picture."""
        self._follow(registration)
        if id(grid) not in self._seen:
            self._seen[id(grid)] = grid.maps(registration)
        return self._seen[id(grid)]

    def seen_one(self, grid: Grid, registration: Registration, index: int) -> tuple[Floats, Floats]:
        """Where the samples of one of a grid's patches lie in the picture."""
        self._follow(registration)
        key = id(grid), index
        if key not in self._seen_ones:
            self._seen_ones[key] = Grid(grid.mm[index : index + 1], grid.height_mm).maps(registration)
        return self._seen_ones[key]

    def bare(self, grid: Grid, registration: Registration) -> Floats:
        """Reflectance of the bare board under a grid's samples."""
        self._follow(registration)
        if id(grid) not in self._bare:
            reference = self._reference
            below = grid.maps_below(registration, reference.view.registration)
            codes = grid.sample(reference.view.image, below)
            self._bare[id(grid)] = linear(codes) / patch_light(reference.light, grid)
        return self._bare[id(grid)]

    def outside(self, grid: Grid, registration: Registration) -> NDArray[np.bool_]:
        """Which of a grid's samples lie beside the picture."""
        maps = self.seen(grid, registration)
        if id(grid) not in self._outside:
            self._outside[id(grid)] = grid.outside(maps, registration.lens.size)
        return self._outside[id(grid)]

    def _follow(self, registration: Registration) -> None:
        if registration is not self._registration:
            self._registration = registration
            self._seen.clear()
            self._seen_ones.clear()
            self._bare.clear()
            self._outside.clear()
