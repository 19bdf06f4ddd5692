"""Strips that cover two touching cells: laid along the line between them, either way round.

Which two cells a strip lies on says nearly how it lies; its picture, cut out of the start picture, is moved and turned a little
over what lies there until it fits best.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.boards import PAIR, Board, Group, PieceSet
from companion.vision.plain.lessons import Teaching, patch_mm
from companion.vision.plain.memory import Findings
from companion.vision.plain.scene import Scene
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.stacks import Bytes, coded
from companion.vision.plain.surface import Floats, pick


@dataclass(frozen=True, eq=False)
class Strip:
    """Two cells and what may be a strip over them: its middle (mm on the board), direction (radians), how like the taught
    one it is (-1..1), and how much its least changed parts changed (0..1)."""

    spot: str
    middle: tuple[float, float]
    turn: float
    alike: float
    changed: float


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
                    for one in self._teaching.lessons
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
        x, y = np.meshgrid(xs, ys)
        c, s = np.cos(turn), np.sin(turn)
        points = np.stack([at_mm[0] + c * x - s * y, at_mm[1] + s * x + c * y], axis=-1)
        middle = (np.array([patch.shape[1], patch.shape[0]]) - 1) / 2
        return np.asarray(pick(patch, points * scale + middle, cv2.BORDER_REPLICATE), np.float32)

    def find(self, scene: Scene, group: Group, middle: Mapping[str, float], findings: Findings) -> list[Strip]:
        """Every two touching cells whose middles both changed, and how like the taught strip what lies there is.

        ``middle``: how much every cell's middle changed. ``findings``: what was found out between some cells already.
        """
        own = self._own
        cells = self._board.of_kind(*group.on, *group.strays)
        busy = {cell for cell in cells if middle[cell] >= own.busy}
        spots = self._board.pairs(busy)
        if not spots or not self._templates[group.key]:
            return []
        key = "strip", group.key
        fresh = [spot for spot in spots if not findings.knows(spot, key)]
        if fresh:
            patches = scene.patches([self._board.mm(spot) for spot in fresh], patch_mm(group, self._settings), group.height_mm)
            change = patches.change
            for index, spot in enumerate(fresh):
                strip = (
                    self._strip(spot, coded(patches.seen[index]), change[index], self._templates[group.key])
                    if patches.inside[index]
                    else None
                )
                findings.keep(spot, key, strip)
        found: list[Strip | None] = [findings.of(spot, key) for spot in spots]
        return [strip for strip in found if strip is not None]

    def _strip(self, spot: str, seen: Bytes, change: Floats, templates: Sequence[Floats]) -> Strip:
        own, scale, along = self._own, self._settings.surface.scale, self._along(spot)
        height, width = templates[0].shape[:2]
        around = ((width + 2 * own.strip_reach_mm * scale) / scale, (height + 2 * own.strip_reach_mm * scale) / scale)
        alike, turn, shift = -1.0, along, np.zeros(2)
        for way in (0.0, np.pi):
            for lean in np.radians(own.strip_leans):
                window = self._upright(seen, (0.0, 0.0), along + way + lean, around)
                for template in templates:
                    fits = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
                    _, value, _, corner = cv2.minMaxLoc(fits)
                    if value > alike:
                        alike, turn = float(value), float(along + way + lean)
                        shift = (np.array(corner) - (np.array(fits.shape[::-1]) - 1) / 2) / scale
        c, s = np.cos(turn), np.sin(turn)
        x, y = float(c * shift[0] - s * shift[1]), float(s * shift[0] + c * shift[1])
        marked = self._upright(np.asarray(change * 255, np.uint8), (x, y), turn, (width / scale, height / scale))
        mx, my = self._board.mm(spot)
        # The print below may look like part of the strip; where nothing changed there is none.
        return Strip(spot, (mx + x, my + y), turn, alike, float(np.percentile(marked, 15)) / 255)

    def sure(self, strip: Strip, found: Sequence[Strip]) -> bool:
        """Whether one of these strips is what it seems: like the taught one, and no other way to lie is nearly as like."""
        cells = set(strip.spot.split(PAIR))
        rivals = [one.alike for one in found if one is not strip and cells.intersection(one.spot.split(PAIR))]
        own = self._own
        return strip.alike >= own.alike and strip.changed >= own.changed and strip.alike - max(rivals, default=-1.0) >= own.lead
