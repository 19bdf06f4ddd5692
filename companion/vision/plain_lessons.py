"""What a plain table has been taught: one patch of the user's own picture per piece and face."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.boards import Board, Group, PieceSet
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Image
from companion.vision.plain_discs import DiscFinder
from companion.vision.plain_scene import Scene
from companion.vision.plain_settings import PlainSettings
from companion.vision.plain_start import Placement
from companion.vision.plain_surface import Floats

Json = Mapping[str, Any]
WHITE = 1.6
"""Reflectance that a stored patch can hold at most (street is 1)."""
TILE_PATCH_MM = 46.0


@dataclass(frozen=True, eq=False)
class Lesson:
    """One piece as it looked on this table: ``patch`` is a square of reflectances around its place, square-root coded."""

    piece: str
    place: str
    face: str | None
    facing: str | None
    patch: Image

    @property
    def reflectance(self) -> Floats:
        """The patch in linear reflectance."""
        return np.asarray((self.patch.astype(np.float32) / 255) ** 2 * WHITE, np.float32)


@dataclass(frozen=True, eq=False)
class Teaching:
    """Everything the plain reader needs to know of one copy on one table.

    ``empty`` is the picture of the bare board, ``registration`` where the board lies in it (with its lens),
    ``disc_mm`` the measured diameter of the round pieces, ``warnings`` what was odd about the pictures.
    """

    board: str
    edition: str
    empty: Image
    registration: Registration
    disc_mm: float
    lessons: tuple[Lesson, ...]
    warnings: tuple[str, ...] = ()

    @property
    def lens(self) -> Lens:
        """The lens of the taught picture."""
        return self.registration.lens

    def of(self, piece: str) -> tuple[Lesson, ...]:
        """The lessons of one piece."""
        return tuple(lesson for lesson in self.lessons if lesson.piece == piece)


def movable(board: Board, pieces: PieceSet) -> Group:
    """The group of discs that walk over the board's cells: by piece, round."""
    return next(group for group in pieces.groups.values() if group.layout == "by-piece" and group.shape == "disc")


def cut(scene: Scene, placements: Sequence[Placement], group: Group, settings: PlainSettings) -> tuple[Lesson, ...]:
    """Lessons of the given pieces out of a picture that shows them at known places."""
    if not placements:
        return ()
    side = settings.surface.patch_mm if group.layout == "by-piece" else TILE_PATCH_MM
    patches = scene.patches([place.mm for place in placements], side, group.height_mm)
    coded = np.clip(np.sqrt(np.clip(patches.seen / WHITE, 0, 1)) * 255 + 0.5, 0, 255).astype(np.uint8)
    return tuple(
        Lesson(place.piece, place.place, place.face, place.facing, patch)
        for place, patch in zip(placements, coded, strict=True)
    )


def measure_disc(scene: Scene, placements: Sequence[Placement], group: Group, settings: PlainSettings) -> float:
    """Diameter (mm) of the round pieces: at which radius their edge is clearest and the change against bare board ends."""
    side = settings.surface.patch_mm
    patches = scene.patches([place.mm for place in placements], side, group.height_mm)
    nominal = group.size_mm[0] / 2
    radii = np.arange(nominal - 2.0, nominal + 2.01, 0.25)
    clear = np.zeros((len(placements), len(radii)))
    for column, radius in enumerate(radii):
        finder = DiscFinder(float(radius), settings.evidence.reach_mm, settings.surface.scale, patches.seen.shape[1])
        for row, (seen, change) in enumerate(zip(patches.seen, patches.change, strict=True)):
            clear[row, column] = finder.locate(seen, change)[1]
    smooth = np.convolve(np.pad(np.median(clear, axis=0), 1, mode="edge"), [0.25, 0.5, 0.25], mode="valid")
    return float(2 * radii[int(smooth.argmax())])
