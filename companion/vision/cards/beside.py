"""Cards that come into view beside the mat, where each seat has its own: that some lie open there is said, never which.

Nothing is read there. Asked is only whether something new has the outline of one card, or of a few in a stack, and does not
show a taught back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import cv2
import numpy as np

from companion.boards import Board, Point, Zone
from companion.vision.camera import Registration
from companion.vision.cards.changes import changed, patches_of, usual_change
from companion.vision.cards.ground import GroundLight
from companion.vision.cards.likeness import FaceBank
from companion.vision.cards.masks import count
from companion.vision.cards.settings import CardSettings
from companion.vision.cards.view import CardPose, Floats, MatGrid, Packed, lab, packed, unpacked
from companion.vision.frame import Image, Mask

_AROUND_MM = 12.0
"""How far around a masked zone is looked at: a card in it may reach beyond it."""
_ROUGHER = 4
"""How much more roughly everything is looked at, to tell by it what has changed everywhere: noise, and the light."""


@dataclass(frozen=True, eq=False)
class SeenBeside:
    """A look at what lies beside the mat: ``views`` (Lab, by masked zone) in one registration, a rough one of everything
    (``rough``), and by zone where a card lies open."""

    registration: Registration
    views: Mapping[str, Packed]
    rough: Packed
    cards: Mapping[str, CardPose] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, eq=False)
class _Beside:
    """One masked zone seen from above: which pixels lie in it and beside the mat (``area``), which out of the picture."""

    zone: Zone
    grid: MatGrid
    area: Mask
    outside: Mask


class BesideTheMat:
    """Looks at the masked zones of one board. ``backs``: the taught backs."""

    def __init__(self, board: Board, size_mm: Point, backs: FaceBank, settings: CardSettings) -> None:
        self.zones = tuple(zone for zone in board.zones.values() if zone.masked)
        self._board, self._size_mm = board, size_mm
        self._backs, self._settings = backs, settings
        self._aimed_at: tuple[Registration, MatGrid, tuple[_Beside, ...]] | None = None

    def look(
        self, image: Image, light: GroundLight, registration: Registration, before: SeenBeside | None
    ) -> SeenBeside | None:
        """What lies there now in the ``light`` over the mat, given an earlier look; None where the board has no such zones. Of
        the first look nothing is told: what lies there already cannot be told from the table."""
        if not self.zones:
            return None
        everything, parts = self._aimed(registration)
        views = {part.zone.id: _view(image, light, part.grid) for part in parts}
        rough = _view(image, light, everything)
        kept = {name: packed(view) for name, view in views.items()}
        if before is None or before.registration is not registration:
            return SeenBeside(registration, kept, packed(rough))
        usual = usual_change(cv2.subtract(rough, unpacked(before.rough)))
        cards: dict[str, CardPose] = {}
        for part in parts:
            name = part.zone.id
            change = changed(unpacked(before.views[name]), views[name], self._settings.landing, usual)
            pose = before.cards.get(name)
            if pose is None or self._differs(change, pose, part.grid):
                pose = self._card_in(change & part.area, views[name], part)
            if pose is not None:
                cards[name] = pose
        return SeenBeside(registration, kept, packed(rough), cards)

    def _aimed(self, registration: Registration) -> tuple[MatGrid, tuple[_Beside, ...]]:
        """All that is looked at, roughly, and its parts; made anew only when the registration changes."""
        if self._aimed_at is None or self._aimed_at[0] is not registration:
            (width, height), scale = self._board.size_mm, self._settings.beside.scale
            boxes = [zone.box for zone in self.zones]
            reach = max(max(-left, -top, right - width, bottom - height) for left, top, right, bottom in boxes)
            around = MatGrid.over(registration, self._board.size_mm, max(reach, 0.0), scale)
            rough = MatGrid.over(registration, self._board.size_mm, max(reach, 0.0), around.scale / _ROUGHER)
            self._aimed_at = registration, rough, tuple(self._part(zone, around) for zone in self.zones)
        return self._aimed_at[1:]

    def _part(self, zone: Zone, around: MatGrid) -> _Beside:
        grid = around.part(zone.box, _AROUND_MM)
        outside = ~grid.in_picture()
        area = grid.polygon(zone.outline_mm) & ~grid.mat(self._board.size_mm) & ~outside
        return _Beside(zone, grid, area, outside)

    def _differs(self, change: Mask, pose: CardPose, grid: MatGrid) -> bool:
        area = grid.polygon(pose.corners_mm(self._size_mm))
        return count(change & area) > self._settings.beside.taken * max(1, count(area))

    def _card_in(self, change: Mask, view: Floats, part: _Beside) -> CardPose | None:
        """Where a card has come to lie open in what has changed."""
        settings, grid = self._settings.beside, part.grid
        for patch in patches_of(change, grid, self._size_mm, self._settings.landing):
            filled = cv2.morphologyEx(patch.mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)) > 0
            for pose in patch.poses:
                area, about = (grid.polygon(pose.corners_mm(self._size_mm, grow)) for grow in (0.0, settings.rim_mm))
                inside = count(filled & area) / max(1, count(area))
                outside = count(filled & ~about) / max(1, count(filled))
                if inside >= settings.filled and outside <= settings.beyond:
                    back = self._backs.match(grid, view, [pose], part.outside) if self._backs.faces else None
                    # What is drawn finely is too small to be asked for here.
                    likeness = self._settings.likeness
                    if back is None or not back.alike(likeness, likeness.fit):
                        return pose
                    break
        return None


def _view(image: Image, light: GroundLight, grid: MatGrid) -> Floats:
    return lab(light.taken_out(grid.seen(image), grid))
