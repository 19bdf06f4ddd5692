"""Cards that come into view beside the mat, where each seat has its own: that some lie open there is said, never which.

Nothing is read there. Asked is only whether something new has the outline of one card, or of a few in a stack, and does not
show a taught back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Point
from companion.vision.camera import Registration
from companion.vision.cards.changes import changed, patches_of
from companion.vision.cards.ground import evened
from companion.vision.cards.likeness import FaceBank
from companion.vision.cards.settings import CardSettings
from companion.vision.cards.view import CardPose, Floats, MatGrid, lab
from companion.vision.frame import Image, Mask


@dataclass(frozen=True, eq=False)
class SeenBeside:
    """A look at what lies beside the mat: the ``view`` (Lab), and by masked zone where a card lies open."""

    grid: MatGrid
    view: Floats
    cards: Mapping[str, CardPose] = field(default_factory=lambda: MappingProxyType({}))


class BesideTheMat:
    """Looks at the masked zones of one board. ``ground``: the colour (BGR) of the bare mat; ``backs``: the taught backs."""

    def __init__(
        self, board: Board, size_mm: Point, ground: NDArray[np.float32], backs: FaceBank, settings: CardSettings
    ) -> None:
        self.zones = tuple(zone for zone in board.zones.values() if zone.masked)
        self._board, self._size_mm, self._ground = board, size_mm, ground
        self._backs, self._settings = backs, settings
        self._grid: MatGrid | None = None
        self._mat: Mask = np.ones((1, 1), np.bool_)
        self._outside: Mask = np.zeros((1, 1), np.bool_)
        self._areas: dict[str, Mask] = {}

    def look(self, image: Image, registration: Registration, before: SeenBeside | None) -> SeenBeside | None:
        """What lies there now, given an earlier look; None where the board has no such zones. Of the first look nothing is
        told: what lies there already cannot be told from the table."""
        if not self.zones:
            return None
        grid = self._aimed(registration)
        view = lab(evened(grid.seen(image), self._ground, self._mat))
        if before is None or before.grid is not grid:
            return SeenBeside(grid, view)
        change = changed(before.view, view, self._settings.landing)
        cards = {
            zone: pose for zone, pose in before.cards.items() if not self._differs(change, pose, self._settings.beside.taken)
        }
        for zone in self.zones:
            pose = None if zone.id in cards else self._card_in(change & self._areas[zone.id], view, grid)
            if pose is not None:
                cards[zone.id] = pose
        return SeenBeside(grid, view, cards)

    def _aimed(self, registration: Registration) -> MatGrid:
        if self._grid is None or self._grid.registration is not registration:
            width, height = self._board.size_mm
            reach = max(
                max(-left, -top, right - width, bottom - height) for left, top, right, bottom in (z.box for z in self.zones)
            )
            grid = MatGrid.over(registration, self._board.size_mm, max(reach, 0.0), self._settings.beside.scale)
            self._mat = grid.mat(self._board.size_mm)
            self._outside = grid.seen(np.full((*registration.lens.size[::-1], 3), 255, np.uint8))[..., 0] == 0
            self._areas = {zone.id: grid.polygon(zone.outline_mm) & ~self._mat & ~self._outside for zone in self.zones}
            self._grid = grid
        return self._grid

    def _differs(self, change: Mask, pose: CardPose, most: float) -> bool:
        assert self._grid is not None
        area = self._grid.polygon(pose.corners_mm(self._size_mm))
        return float((change & area).sum()) > most * max(1, int(area.sum()))

    def _card_in(self, change: Mask, view: Floats, grid: MatGrid) -> CardPose | None:
        """Where a card has come to lie open in what has changed."""
        settings = self._settings.beside
        for patch in patches_of(change, grid, self._size_mm, self._settings.landing):
            filled = cv2.morphologyEx(patch.mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)) > 0
            for pose in patch.poses:
                area, about = (grid.polygon(pose.corners_mm(self._size_mm, grow)) for grow in (0.0, settings.rim_mm))
                inside = float((filled & area).sum()) / max(1, int(area.sum()))
                outside = float((filled & ~about).sum()) / max(1, int(filled.sum()))
                if inside >= settings.filled and outside <= settings.beyond:
                    back = self._backs.match(grid, view, [pose], self._outside) if self._backs.faces else None
                    # What is drawn finely is too small to be asked for here.
                    likeness = self._settings.likeness
                    if back is None or not back.alike(likeness, likeness.fit):
                        return pose
                    break
        return None
