"""Where a piece shows on the board seen from above: a pawn is discs upon each other, each seen a little farther from the camera
than the one below; all lengths in board millimetres, heights above the board."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group, Point
from companion.vision.camera import Registration

Array = NDArray[np.float64]
_LEVELS = 9
_RING = np.column_stack([f(np.linspace(0, 2 * np.pi, 20, endpoint=False)) for f in (np.cos, np.sin)])


@dataclass(frozen=True, slots=True)
class PawnForm:
    """How a copy's pawns are turned: height and width as shares of what the board file says, neck and head as shares of the
    foot."""

    height: float = 1.0
    width: float = 1.0
    neck: float = 0.6
    head: float = 0.7

    def radii(self) -> Array:
        """Radius at even steps of the height, as a share of the board file's half width."""
        shares = np.linspace(0, 1, _LEVELS)
        form = np.interp(shares, [0, 0.15, 0.55, 0.78, 0.92, 1.0], [1, 1, self.neck, self.head, self.head, 0.5 * self.head])
        return np.asarray(form * self.width, np.float64)


@dataclass(frozen=True, eq=False)
class Sightline:
    """Where the camera stands over the board: ``foot_mm`` straight below it, ``height_mm`` above it."""

    foot_mm: Array
    height_mm: float

    @classmethod
    def of(cls, registration: Registration) -> "Sightline":
        """The camera of a registration."""
        x, y, z = -registration.rotation.T @ registration.translation.reshape(3)
        return cls(np.array([x, y]), -float(z))

    def below(self, mm: Array, height_mm: "float | Array") -> Array:
        """Where on the board points (N×2) at a height (one, or N) are seen."""
        larger = self.height_mm / (self.height_mm - np.asarray(height_mm, np.float64))
        return np.asarray(self.foot_mm + (mm - self.foot_mm) * np.reshape(larger, (-1, 1)), np.float64)

    def distance_mm(self, mm: Point) -> float:
        """How far a spot lies from straight below the camera: of two pieces in a line the nearer one hides the other."""
        return float(np.hypot(*(np.asarray(mm) - self.foot_mm)))

    def pawn(self, mm: Point, group: Group, form: PawnForm) -> list[Array]:
        """The convex parts (each N×2, board mm) of a pawn's outline that stands at ``mm``."""
        heights = np.linspace(0, group.height_mm * form.height, _LEVELS)
        middles = self.below(np.broadcast_to(np.asarray(mm, np.float64), (_LEVELS, 2)), heights)
        radii = form.radii() * group.size_mm[0] / 2 * self.height_mm / (self.height_mm - heights)
        return [np.vstack([middles[n] + radii[n] * _RING, middles[n + 1] + radii[n + 1] * _RING]) for n in range(_LEVELS - 1)]

    def token(self, mm: Point, group: Group, turn_deg: float = 0.0) -> list[Array]:
        """The outline of a token's upper side, from ``mm``, where it lies, as it is seen on the board."""
        if group.size_mm[0] == group.size_mm[1]:
            outline = _RING * group.size_mm[0] / 2
        else:
            angle = np.radians(turn_deg)
            half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.asarray(group.size_mm) / 2
            outline = half @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return [self.below(np.asarray(mm, np.float64) + outline, group.height_mm)]


def pixels(parts: list[Array], scale: float, origin_mm: Point, size: tuple[int, int]) -> NDArray[np.int32]:
    """The pixels (flat numbers) of a view of ``size`` (width, height) within convex parts of an outline (board mm)."""
    drawn = [(part - origin_mm) * scale for part in parts]
    every = np.vstack(drawn)
    low = np.maximum(np.floor(every.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(every.max(axis=0)).astype(int) + 1, size)
    if (high <= low).any():
        return np.empty(0, np.int32)
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    for part in drawn:
        hull = cv2.convexHull(np.round((part - low) * 16).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 1, cv2.LINE_8, 4)
    rows, columns = np.nonzero(mask)
    return np.asarray((rows + low[1]) * size[0] + columns + low[0], np.int32)


def forms() -> Iterator[PawnForm]:
    """The forms that are tried when a copy's pawns are learnt."""
    for height in (0.85, 1.0, 1.15):
        for width in (0.9, 1.0):
            for neck in (0.45, 0.7):
                for head in (0.55, 0.7, 0.9):
                    yield PawnForm(height, width, neck, head)
