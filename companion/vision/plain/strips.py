"""Strips that cover two touching cells: laid along the line between them, either way round.

Which two cells a strip lies on says nearly how it lies; its picture, cut out of the start picture, is moved and turned a little
over what lies there until it fits best.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import cv2
import numpy as np

from companion.boards import PAIR, Board, Group, PieceSet
from companion.vision.plain.cell_patches import CellPatches
from companion.vision.plain.discs import to_lab
from companion.vision.plain.exemplars import Teaching, patch_mm
from companion.vision.plain.memory import Findings
from companion.vision.plain.prepared_image import PreparedImage
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.stacks import BRIGHTEST, Bytes, coded
from companion.vision.plain.surface import Floats, turned
from companion.vision.plain.tiles import UNIT


@dataclass(frozen=True, eq=False)
class Strip:
    """Two cells and what may be a strip over them: its middle (mm on the board), direction (radians), how like the taught
    one it is (-1..1), how much its least changed parts changed (0..1), how far off in colour it is (units of distance) and how
    like the bare print the place still is (-1..1)."""

    spot: str
    middle: tuple[float, float]
    turn: float
    alike: float
    changed: float
    gap: float
    bare: float


class StripFinder:
    """Knows the taught strips; seeks them in a picture."""

    def __init__(self, board: Board, pieces: PieceSet, teaching: Teaching, settings: PlainSettings) -> None:
        self._board, self._pieces, self._teaching, self._settings = board, pieces, teaching, settings
        self._own = settings.sides

    @cached_property
    def _templates(self) -> Mapping[str, tuple[Floats, ...]]:
        """Upright pictures of the taught strips' cores, by group key."""
        found = {}
        for group in self._pieces.groups.values():
            if group.layout == "pairs":
                width, height = (side - 2 * self._own.strip_edge_mm for side in group.size_mm)
                found[group.key] = tuple(
                    self._upright(coded(one.reflectance), (0.0, 0.0), self._along(one.place), (width, height))
                    for one in self._teaching.exemplars
                    if self._pieces.pieces[one.piece].group == group.key
                )
        return found

    def _along(self, spot: str) -> float:
        """Direction (radians, clockwise from x) from the first cell of a pair to the second."""
        one, other = (np.asarray(self._board.mm(cell)) for cell in spot.split(PAIR))
        return float(np.arctan2(*(other - one)[::-1]))

    def _upright(self, patch: Bytes, at_mm: tuple[float, float], turn: float, size_mm: tuple[float, float]) -> Floats:
        """A rectangle of a patch about a point (mm from its middle), turned so that direction ``turn`` runs to the right."""
        scale = self._settings.surface.scale
        xs, ys = ((np.arange(round(side * scale)) - (round(side * scale) - 1) / 2) / scale for side in size_mm)
        return np.asarray(turned(patch, at_mm, turn, xs, ys, scale), np.float32)

    def find(self, prepared: PreparedImage, group: Group, ground: CellPatches, findings: Findings) -> list[Strip]:
        """The likeliest strips over two touching cells whose middles both changed, and how like the taught one each is.

        ``findings``: what was found out of some cells, and between them, already.
        """
        own, templates = self._own, self._templates[group.key]
        busy = {cell for cell in self._board.of_kind(*group.on, *group.strays) if ground.middle[cell] >= own.strip_busy}
        spots = [spot for spot in self._board.pairs(busy) if self.between(ground, spot, findings) >= own.strip_busy]
        if not templates:
            return []
        glances = {spot: self._glance(spot, group, ground, findings) for spot in spots}
        likely = [spot for spot in sorted(spots, key=lambda spot: -glances[spot]) if glances[spot] >= own.glance]
        likely = likely[: own.most_strips]
        key = "strip", group.key
        fresh = [spot for spot in likely if not findings.knows(spot, key)]
        if fresh:
            patches = prepared.patches(
                [self._board.mm(spot) for spot in fresh], patch_mm(group, self._settings), group.height_mm
            )
            change = patches.change
            for index, spot in enumerate(fresh):
                seen, below = coded(patches.seen[index]), coded(patches.bare[index])
                strip = self._strip(spot, seen, below, change[index], templates) if patches.inside[index] else None
                findings.keep(spot, key, strip)
        found: list[Strip | None] = [findings.of(spot, key) for spot in likely]
        return [strip for strip in found if strip is not None]

    def between(self, ground: CellPatches, spot: str, findings: Findings) -> float:
        """How much the board changed about the middle between two cells."""
        cell = spot.split(PAIR, maxsplit=1)[0]

        def make() -> float:
            change = ground.change(cell)
            scale = self._settings.surface.scale
            off = np.subtract(self._board.mm(spot), self._board.mm(cell)) * scale + (change.shape[0] - 1) / 2
            x, y = off.round().astype(int)
            reach = round(self._own.middle_mm / 2 * scale)
            return float(change[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].mean())

        return findings.once(cell, ("between", spot), make)

    def _glance(self, spot: str, group: Group, ground: CellPatches, findings: Findings) -> float:
        """How like the halves of a taught strip what lies on each of two cells is (-1..1), at half the detail."""
        one, other = (
            findings.once(cell, ("half a strip", group.key, spot), partial(self._fits, spot, cell, side, group, ground))
            for cell, side in zip(spot.split(PAIR), (-1, 1), strict=True)
        )
        return max(float(np.mean(both)) for both in zip(one, other, strict=True))

    def _fits(self, spot: str, cell: str, side: int, group: Group, ground: CellPatches) -> list[float]:
        """How like that half of every taught strip, either way round, what lies on one of two cells is."""
        templates, along, scale = self._templates[group.key], self._along(spot), self._settings.surface.scale
        width, height = (length / scale for length in templates[0].shape[1::-1])
        reach, middle = self._own.strip_reach_mm, np.asarray(self._board.mm(spot))
        # The half strip's middle, from the cell's; what would lie beyond the cell's patch repeats its edge.
        x, y = middle + side * width / 4 * np.array([np.cos(along), np.sin(along)]) - np.asarray(self._board.mm(cell))
        patch = coded(ground.seen(cell))
        window = _half(self._upright(patch, (float(x), float(y)), along, (width / 2 + reach, height + 2 * reach)))
        found = []
        for template in templates:
            for one in (template, template[::-1, ::-1]):
                across = one.shape[1] // 2
                half = _half(np.ascontiguousarray(one[:, :across] if side < 0 else one[:, -across:]))
                found.append(float(cv2.matchTemplate(window, half, cv2.TM_CCOEFF_NORMED).max()))
        return found

    def _around(self, templates: Sequence[Floats]) -> tuple[float, float]:
        """Sides (mm) of the window in which a strip's core is sought."""
        scale, reach = self._settings.surface.scale, 2 * self._own.strip_reach_mm
        height, width = templates[0].shape[:2]
        return width / scale + reach, height / scale + reach

    def _strip(self, spot: str, seen: Bytes, below: Bytes, change: Floats, templates: Sequence[Floats]) -> Strip:
        own, scale, along = self._own, self._settings.surface.scale, self._along(spot)
        height, width = templates[0].shape[:2]
        around = self._around(templates)
        alike, turn, shift, like = -1.0, along, np.zeros(2), templates[0]
        for way in (0.0, np.pi):
            for tilt in np.radians(own.strip_tilts):
                window = self._upright(seen, (0.0, 0.0), along + way + tilt, around)
                for template in templates:
                    fits = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
                    _, value, _, corner = cv2.minMaxLoc(fits)
                    if value > alike:
                        alike, turn, like = float(value), float(along + way + tilt), template
                        shift = (np.array(corner) - (np.array(fits.shape[::-1]) - 1) / 2) / scale
        c, s = np.cos(turn), np.sin(turn)
        x, y = float(c * shift[0] - s * shift[1]), float(s * shift[0] + c * shift[1])
        marked = self._upright(np.asarray(change * 255, np.uint8), (x, y), turn, (width / scale, height / scale))
        size = (width / scale, height / scale)
        here, before = (self._upright(patch, (x, y), turn, size) for patch in (seen, below))
        gap = float(np.linalg.norm(_colour(here) - _colour(like)))
        bare = float(cv2.matchTemplate(here, before, cv2.TM_CCOEFF_NORMED)[0, 0])
        mx, my = self._board.mm(spot)
        # The print below may look like part of the strip; where nothing changed there is none.
        return Strip(spot, (mx + x, my + y), turn, alike, float(np.percentile(marked, 15)) / 255, gap, bare)


def _half(picture: Floats) -> Floats:
    """A picture at half its detail."""
    return np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def _colour(picture: Floats) -> Floats:
    """Mean colour (3, units of distance) of a coded picture."""
    reflectance = np.square(picture / np.float32(255)) * np.float32(BRIGHTEST)
    return np.asarray((to_lab(reflectance) / UNIT).reshape(-1, 3).mean(axis=0), np.float32)
