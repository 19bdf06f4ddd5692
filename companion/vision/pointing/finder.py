"""Which of some spots of the board a finger is on in one small picture, compared with one that has no hand in it."""

from typing import Protocol

import numpy as np

from companion.boards import Board
from companion.vision.camera import Registration
from companion.vision.frame import Image
from companion.vision.pointing.raster import BoardRaster, RasterSettings
from companion.vision.pointing.shape import Places, PointerLook, ShapeSettings, pointer

_LEAST_RADIUS = 0.35
"""Share of the spacing of sites that a finger may be off a small site's middle: 6 mm on a dense board."""
_ALIKE = 0.6
"""Sites at least so large, beside the smallest one asked about, are told apart from it."""


class Rastering(Protocol):
    """What makes pictures small, and lays them over the board."""

    def fine(self, image: Image) -> Image: ...
    def raster(self, registration: Registration, settings: RasterSettings) -> BoardRaster: ...


class PointingSettings(Protocol):
    """The settings of the raster and of the shape of a finger."""

    @property
    def raster(self) -> RasterSettings: ...
    @property
    def shape(self) -> ShapeSettings: ...


class PointerFinder:
    """Finds fingers in pictures beside the last one that was kept without a hand."""

    def __init__(self, gate: Rastering, board: Board, settings: PointingSettings) -> None:
        self._gate, self._board, self._settings = gate, board, settings
        self._raster: BoardRaster | None = None
        self._bare: Image | None = None
        self._places: tuple[tuple[str, ...], Places] | None = None

    def keep(self, image: Image, registration: Registration) -> None:
        """This picture has no hand in it; ``registration``: where the board lies in it."""
        if self._raster is None or self._raster.registration is not registration:
            self._raster = self._gate.raster(registration, self._settings.raster)
        self._bare = self._raster.flat(self._gate.fine(image))

    def look(self, image: Image, asked: tuple[str, ...]) -> PointerLook:
        """What a picture shows of a finger over the asked places. One that with its shade would be on another place is on
        none."""
        if self._places is None or self._places[0] != asked:
            self._places = (asked, places_of(self._board, asked))
        places, raster = self._places[1], self._raster
        if not places.asked or raster is None or self._bare is None:
            return PointerLook("nothing")
        over, shaded = raster.over_board(self._bare, raster.flat(self._gate.fine(image)))
        middle = np.array([[x, y] for x, y, _ in places.asked.values()]).mean(axis=0)
        lean = (raster.registration.locate(raster.registration.project([middle], 1.0)) - middle)[0]
        found = pointer(over, raster.inner, raster.step_mm, raster.origin_mm, places, lean, self._settings.shape)
        if found.found != "place":
            return found
        with_shade = pointer(shaded, raster.inner, raster.step_mm, raster.origin_mm, places, lean, self._settings.shape)
        if with_shade.found == "place" and with_shade.place != found.place:
            return PointerLook("unclear", tip_mm=found.tip_mm, why="shade")
        return found


def places_of(board: Board, asked: tuple[str, ...]) -> Places:
    """Where asked spots lie and how large they are, with every site that a finger could be meant for instead. Zones cannot be
    pointed at."""
    known = [spot for spot in asked if spot in board.cells or spot in board.places]
    size = {spot: _radius(board, spot) for spot in known}
    least = _LEAST_RADIUS * board.spacing_mm
    named = {spot: (*board.mm(spot), max(radius, least)) for spot, radius in size.items()}
    alike = _ALIKE * min(size.values(), default=0.0)
    others = [board.mm(cell) for cell in board.cells if cell not in named and _radius(board, cell) >= alike]
    return Places(named, board.size_mm, others)


def _radius(board: Board, spot: str) -> float:
    """How far (mm) the nearest part of a site's outline is from its middle; 0 where it has none."""
    if spot not in board.cells:
        return 0.0
    outline = np.asarray(board.outline_mm(spot), np.float64)
    middle, edges = np.array(board.mm(spot)), np.roll(outline, -1, axis=0) - outline
    away = middle - outline
    share = np.clip((away * edges).sum(axis=1) / np.maximum((edges**2).sum(axis=1), 1e-9), 0, 1)
    return float(np.hypot(*(away - share[:, None] * edges).T).min())
