"""One registered picture: what every later stage of reading looks at."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, PieceSet, Point
from companion.vision.camera import Registration
from companion.vision.frame import Image, Mask
from companion.vision.reading import Sighting


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

    def stands_over(self, sighting: Sighting) -> tuple[Point, Point, float]:
        """What of the board's surface a piece hides: middle of its foot and of its top's shadow line (mm), and its radius.

        The top is pushed away from the camera by parallax; everything between the two circles is hidden too.
        """
        group = self.pieces.group_of(sighting.piece)
        foot = sighting.at_mm or self.board.mm(sighting.place)
        top = self.registration.locate(self.registration.project([foot], group.height_mm))[0]
        return foot, (float(top[0]), float(top[1])), max(group.size_mm) / 2

    def hidden_by(self, sightings: Iterable[Sighting], points_mm: NDArray[np.float64], grow_mm: float) -> Mask:
        """Which points of the board's surface (…×2 mm) pieces (grown by ``grow_mm``) hide."""
        hidden = np.zeros(points_mm.shape[:-1], np.bool_)
        for sighting in sightings:
            foot, top, radius = self.stands_over(sighting)
            for share in (0.0, 0.5, 1.0):
                middle = np.asarray(foot) * (1 - share) + np.asarray(top) * share
                hidden |= np.hypot(*np.moveaxis(points_mm - middle, -1, 0)) <= radius + grow_mm
        return hidden
