"""One registered picture, the input of every later stage of reading."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import ceil, dist, hypot
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import PAIR, Board, Group, PieceSet, Point
from companion.vision.camera import Registration
from companion.vision.frame import Image, Mask
from companion.vision.once import FoundOnce
from companion.vision.reading import Sighting

Floats = NDArray[np.floating[Any]]
_PARALLAX_MM, _PARALLAX = 20.0, 2.5
"""A piece's top is never further aside from its foot than this, nor than this many times its height: seen 68° aslant."""
_LEANS = 0.75
"""0.6..0.9 of the way to the nearest site, at which a piece begins to hide that site's sticker."""
_HAIR_MM = 1e-6
"""What a sum may be off."""


@dataclass(frozen=True, eq=False)
class RegisteredImage(FoundOnce):
    """``image``: H×W×3 BGR, with the registration that says where on it the board lies."""

    image: Image
    registration: Registration
    board: Board
    pieces: PieceSet

    @cached_property
    def grey(self) -> Image:
        """The picture in grey, H×W."""
        return np.asarray(cv2.cvtColor(self.image, cv2.COLOR_BGR2GRAY), np.uint8)

    def stands_over(self, sighting: Sighting) -> tuple[tuple[Point, Point], ...]:
        """What of the board's surface a piece hides: circles of :meth:`radius`, each from foot to top's shadow (mm).

        The top is pushed away from the camera by parallax; everything between the two circles is hidden too. A strip over two
        cells is a row of circles.
        """
        return self.once(("stands over", sighting), lambda: self._stands_over(sighting))

    def _stands_over(self, sighting: Sighting) -> tuple[tuple[Point, Point], ...]:
        group = self.pieces.group_of(sighting.piece)
        middle = np.asarray(sighting.at_mm or self.board.mm(sighting.place), np.float64)
        feet = [middle]
        if self._is_long(sighting):
            ends = np.array([self.board.mm(cell) for cell in sighting.place.split(PAIR)])
            step = np.asarray(sighting.along_mm if sighting.along_mm is not None else ends[1] - ends[0])
            step = step / np.linalg.norm(step)
            inner = max(group.size_mm) / 2 - 0.7 * self.radius(sighting)
            feet = [middle + step * share * inner for share in (-1.0, -0.5, 0.0, 0.5, 1.0)]
        tops = self.registration.locate(self.registration.project(feet, group.height_mm))
        return tuple(
            ((float(foot[0]), float(foot[1])), (float(top[0]), float(top[1]))) for foot, top in zip(feet, tops, strict=True)
        )

    def radius(self, sighting: Sighting) -> float:
        """Radius (mm) of the circles that cover a piece."""
        group = self.pieces.group_of(sighting.piece)
        return 0.62 * min(group.size_mm) if self._is_long(sighting) else max(group.size_mm) / 2

    def lies_over(self, sighting: Sighting, group: Group) -> bool:
        """Whether a piece lies on top of pieces of a group that are on the same cell."""
        top = self.pieces.group_of(sighting.piece)
        return top is not group and group.may_lie_below(top)

    def hides(self, sighting: Sighting, mm: Floats, reach_mm: float) -> Mask:
        """Whether a piece, or the view of its height, hides any of the board within ``reach_mm`` of some points (N×2): N."""
        group, hidden = self.pieces.group_of(sighting.piece), np.zeros(len(mm), np.bool_)
        for foot, top in self.stands_over(sighting):
            hidden |= _from_line(mm, foot, top) < self.radius(sighting) + reach_mm
        if sighting.at_mm is not None:
            hidden &= np.hypot(*(mm - sighting.at_mm).T) <= max(group.size_mm) + reach_mm + self._parallax_mm(group)
        return hidden

    def may_occlude_neighbours(self, sightings: Iterable[Sighting]) -> tuple[Sighting, ...]:
        """The pieces that are so wide, or seen so far aslant for their height, that they may hide another site than their own;
        on hexes nearly never any."""
        least = _LEANS * min(self.board.rooms_mm.values(), default=0.0)
        reach = ((one, max(dist(foot, top) for foot, top in self.stands_over(one))) for one in sightings)
        return tuple(one for one, aside in reach if self.radius(one) + aside > least)

    def _parallax_mm(self, group: Group) -> float:
        """How far aside from its foot the top of a piece may be seen."""
        return max(_PARALLAX_MM, _PARALLAX * group.height_mm)

    def _is_long(self, sighting: Sighting) -> bool:
        """Whether a piece is a strip whose way is known: it lies over two cells, or its way was measured."""
        group = self.pieces.group_of(sighting.piece)
        return group.cells == 2 and (PAIR in sighting.place or sighting.along_mm is not None)

    def hidden_by(self, sightings: Iterable[Sighting], across_mm: Floats, down_mm: Floats, grow_mm: float) -> Mask:
        """Which points of a grid on the board's surface pieces (grown by ``grow_mm``) hide: H×W.

        ``across_mm`` (W) and ``down_mm`` (H): where its columns and its rows lie, board millimetres, ascending.
        """
        hidden = np.zeros((len(down_mm), len(across_mm)), np.bool_)
        low, high = (across_mm[0], down_mm[0]), (across_mm[-1], down_mm[-1])
        for sighting in sightings:
            radius = self.radius(sighting) + grow_mm
            x, y = sighting.at_mm or self.board.mm(sighting.place)
            group = self.pieces.group_of(sighting.piece)
            reach = max(group.size_mm) + grow_mm + self._parallax_mm(group)
            if x < low[0] - reach or y < low[1] - reach or x > high[0] + reach or y > high[1] + reach:
                continue
            for foot, top in self.stands_over(sighting):
                for share in shares(foot, top, radius):
                    x, y = (a * (1 - share) + b * share for a, b in zip(foot, top, strict=True))
                    # Only what a circle can reach is measured.
                    left, right = np.searchsorted(across_mm, (x - radius - _HAIR_MM, x + radius + _HAIR_MM))
                    upper, lower = np.searchsorted(down_mm, (y - radius - _HAIR_MM, y + radius + _HAIR_MM))
                    if left < right and upper < lower:
                        squared = (across_mm[left:right] - x) ** 2 + ((down_mm[upper:lower] - y) ** 2)[:, None]
                        hidden[upper:lower, left:right] |= squared <= radius**2
        return hidden


def shares(foot: Point, top: Point, radius_mm: float) -> tuple[float, ...]:
    """How far (0..1) from foot to top the circles lie that cover all between them: three, more of a tall and slender piece."""
    count = max(2, ceil(hypot(top[0] - foot[0], top[1] - foot[1]) / max(radius_mm, 1e-6)))
    return tuple(step / count for step in range(count + 1))


def _from_line(mm: Floats, foot: Point, top: Point) -> Floats:
    """How far points (N×2) lie from the line between two others: N."""
    way = np.subtract(top, foot)
    along = np.clip((mm - foot) @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
    return np.asarray(np.hypot(*(mm - foot - along[:, None] * way).T), np.float64)
