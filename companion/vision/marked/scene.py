"""One registered picture: what every later stage of reading looks at."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import PAIR, Board, PieceSet, Point
from companion.vision.camera import Registration
from companion.vision.frame import Image, Mask
from companion.vision.reading import Sighting

_PARALLAX_MM = 20.0
"""A piece's top is never further aside from its foot than this: 8 mm high, seen 68° aslant."""


@dataclass(frozen=True, eq=False)
class Scene:
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

    def _is_long(self, sighting: Sighting) -> bool:
        """Whether a piece is a strip whose way is known: it lies over two cells, or its way was measured."""
        group = self.pieces.group_of(sighting.piece)
        return group.cells == 2 and (PAIR in sighting.place or sighting.along_mm is not None)

    def hidden_by(self, sightings: Iterable[Sighting], points_mm: NDArray[np.float64], grow_mm: float) -> Mask:
        """Which points of the board's surface (…×2 mm) pieces (grown by ``grow_mm``) hide."""
        hidden = np.zeros(points_mm.shape[:-1], np.bool_)
        flat = points_mm.reshape(-1, 2)
        low, high = flat.min(axis=0), flat.max(axis=0)
        for sighting in sightings:
            radius = self.radius(sighting) + grow_mm
            middle = np.asarray(sighting.at_mm or self.board.mm(sighting.place))
            reach = max(self.pieces.group_of(sighting.piece).size_mm) + grow_mm + _PARALLAX_MM
            if (middle < low - reach).any() or (middle > high + reach).any():
                continue
            for foot, top in self.stands_over(sighting):
                for share in (0.0, 0.5, 1.0):
                    middle = np.asarray(foot) * (1 - share) + np.asarray(top) * share
                    hidden |= np.hypot(*np.moveaxis(points_mm - middle, -1, 0)) <= radius
        return hidden
