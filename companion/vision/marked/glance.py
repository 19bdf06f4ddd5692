"""A glance at many places at once: where among them may a marker's outline be seen at all?

The second look (``search.py``) compares two rings with a picture at many turns and offsets. Here that is done with a few pixels
to a cell, at all places together; only where they show roughly is a place worth that look, which begins from what was found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group, Point
from companion.vision.frame import Image
from companion.vision.marked.markers import cells_across
from companion.vision.marked.rectify import SQUARE
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.rings import likeness, rings

Floats = NDArray[np.float32]
_AT_ONCE = 32
"""Places whose samples are held at once: some 3 MB."""
_PARTS = 4
"""Into how many a pixel is divided each way: rings are hardly wider than one."""


@dataclass(frozen=True, slots=True)
class GlanceSettings:
    """Tunables of the glance.

    pixels_per_cell
        1.25..2 pixels a bit cell gets.
    turns
        5..9 turns tried within a quarter.
    score
        0.3..0.4 correlation with the two rings below which a place is not searched. Of 736 stickers that a search found, in
        pictures of 1.8 to 4.5 px/mm, blurred, dim and up to 40° aslant, one had 0.41 and all others 0.47 and more; of bare
        printed places 95 % have less than 0.37.
    room
        1.0..1.1 times what is asked for and half a sticker: so much around a place is looked at.
    """

    pixels_per_cell: float = 1.5
    turns: int = 6
    score: float = 0.36
    room: float = 1.02


@dataclass(frozen=True, slots=True)
class Glance:
    """What was seen of a sticker's outline: how well it shows (correlation, -1..1), where its middle is (board mm), and how
    it is turned (radians, within a quarter)."""

    score: float
    middle: Point
    angle: float


class Glances:
    """Glances at places of one picture. What was seen at a place for one size of sticker is kept: several groups share it."""

    def __init__(self, registered: RegisteredImage, settings: GlanceSettings) -> None:
        self._registered, self._settings = registered, settings
        self._cells = cells_across(registered.pieces.dictionary)
        self._seen: dict[tuple[float, float, float, Point, float], Glance] = {}

    def worth_a_search(self, group: Group, targets: Sequence[tuple[Point, float]]) -> list[Glance]:
        """What was seen at those of some places (the middle of each, and how far from it along an axis a sticker of the group
        may lie, board mm) at which it may be one; in their order."""
        sticker = (group.marker_mm, group.quiet_mm, group.height_mm)
        fresh: dict[int, list[tuple[Point, float]]] = {}
        for target in dict.fromkeys(targets):
            if (*sticker, *target) not in self._seen:
                fresh.setdefault(self._reach_px(group, target[1]), []).append(target)
        for reach, some in fresh.items():
            for first in range(0, len(some), _AT_ONCE):
                part = some[first : first + _AT_ONCE]
                found = self._look(group, [middle for middle, _ in part], reach)
                self._seen |= {(*sticker, *target): glance for target, glance in zip(part, found, strict=True)}
        every = (self._seen[(*sticker, *target)] for target in targets)
        return [glance for glance in every if glance.score >= self._settings.score]

    def _reach_px(self, group: Group, reach_mm: float) -> int:
        """How many pixels to each side of a place the rings are tried: as far as all of an outline, at any turn, stays within
        what is asked for."""
        half, cell_mm = group.marker_mm / 2 + group.quiet_mm, group.marker_mm / self._cells
        aside = max(0.0, (reach_mm + half) * self._settings.room - half * 2**0.5)
        return ceil(aside / cell_mm * self._settings.pixels_per_cell + 0.25)

    def _look(self, group: Group, middles: Sequence[Point], reach: int) -> Iterator[Glance]:
        """The best offset and turn at each of some places."""
        settings, scale = self._settings, self._settings.pixels_per_cell * self._cells / group.marker_mm
        shape = rings(round(group.marker_mm * scale, 2), round(group.quiet_mm * scale, 2), self._cells, settings.turns, _PARTS)
        found = likeness(self._windows(middles, group.height_mm, scale, shape.size + 2 * reach), shape)
        for (x, y), scores in zip(middles, found, strict=True):
            down, across, turn = (int(index) for index in np.unravel_index(int(scores.argmax()), scores.shape))
            middle = x + (across - reach) / scale, y + (down - reach) / scale
            yield Glance(float(scores[down, across, turn]), middle, turn * np.pi / 2 / settings.turns)

    def _windows(self, middles: Sequence[Point], height_mm: float, scale: float, size: int) -> Floats:
        """The squares about some places (N×size×size, grey) seen from straight above, ``scale`` pixels a millimetre."""
        corners = np.asarray(middles)[:, None] + SQUARE * (size / 2 / scale)
        seen = self._registered.registration.project(corners.reshape(-1, 2), height_mm).reshape(-1, 4, 2)
        step = max(1, int(self._pixels_per_mm / scale))
        seen = (seen + 0.5) / step - 0.5
        across, down = np.meshgrid(*2 * [(np.arange(size) + 0.5) / size])
        # Over a few centimetres perspective and lens are no more than that.
        weights = np.stack([(1 - across) * (1 - down), across * (1 - down), across * down, (1 - across) * down])
        x, y = np.einsum("nkc,kij->cnij", seen, weights).astype(np.float32).reshape(2, -1, size)
        found = cv2.remap(self._averaged(step), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(found, np.float32).reshape(-1, size, size)

    @cached_property
    def _pixels_per_mm(self) -> float:
        """Picture pixels a millimetre in the board's middle."""
        width, height = self._registered.board.size_mm
        return self._registered.registration.pixels_per_mm((width / 2, height / 2))

    def _averaged(self, step: int) -> Image:
        """The grey picture averaged down by a whole number, so that fine detail does not turn into noise."""
        grey = self._registered.grey
        if step == 1:
            return grey

        def averaged() -> Image:
            height, width = (side // step for side in grey.shape)
            part = grey[: height * step, : width * step]
            return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

        return self._registered.once(("averaged", step), averaged)
