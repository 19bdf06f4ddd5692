"""Which place a piece lies on, given where its marker was seen on the board."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin

import numpy as np

from companion.boards import Board, Group


@dataclass(frozen=True, slots=True)
class PlacingSettings:
    """Tunables of the placing.

    reach_mm
        15..30 mm: further than this from every place a piece lies beside the board, not on a place.
    lead
        0.5..0.8: the nearest place must be this much nearer than the second. 0.66 on 40 mm hexes leaves 16 mm of 20.
    facing_margin_deg
        10..28°: a lantern further off its direction than this points at none; directions are 60° apart, hands 8° sloppy.
    """

    reach_mm: float = 25.0
    lead: float = 0.66
    facing_margin_deg: float = 22.0


@dataclass(frozen=True, slots=True)
class Placing:
    """``spot`` is the nearest cell or place, ``rival`` the second nearest. ``verdict``: ``on`` (certain and allowed),
    ``wrong-place`` (certain, but this kind of piece may not lie there), ``between`` (cannot be told),
    ``beside`` (off every place)."""

    verdict: str
    spot: str
    rival: str
    distance_mm: float


class Placer:
    """Maps board millimetres to cells and places."""

    def __init__(self, board: Board, settings: PlacingSettings | None = None) -> None:
        self._settings = settings or PlacingSettings()
        self._board = board
        self._spots = [*board.cells, *board.places]
        self._kinds = [board.cells[spot].kind if spot in board.cells else board.places[spot].kind for spot in self._spots]
        self._mm = np.array([board.mm(spot) for spot in self._spots])
        self._directions = direction_angles(board)

    def allowed(self, group: Group) -> tuple[str, ...]:
        """Every spot where a piece of this group may lie, in the board file's order."""
        return tuple(spot for spot, kind in zip(self._spots, self._kinds, strict=True) if kind in group.on)

    def place(self, group: Group, mm: tuple[float, float], bound_mm: float = 0.0) -> Placing:
        """Where a piece of ``group`` lies whose middle is at ``mm`` (board millimetres), known to within ``bound_mm``."""
        distances = np.hypot(*(self._mm - mm).T)
        first, second = np.argsort(distances)[:2]
        nearest, distance, next_best = self._spots[first], float(distances[first]), float(distances[second])
        if distance > self._settings.reach_mm + bound_mm:
            verdict = "beside"
        elif (
            distance > self._settings.lead * next_best
            or next_best - distance < 2 * bound_mm
            or distance > self._settings.reach_mm
        ):
            verdict = "between"
        elif self._kinds[first] not in group.on:
            verdict = "wrong-place"
        else:
            verdict = "on"
        return Placing(verdict, nearest, self._spots[second], distance)

    def kind(self, spot: str) -> str:
        """The kind of a cell or place."""
        return self._kinds[self._spots.index(spot)]

    def facing(self, along_mm: tuple[float, float]) -> str | None:
        """The board direction a vector (board millimetres, y down) points in, or None when it points between two."""
        angle = atan2(along_mm[1], along_mm[0])
        off = {name: abs(degrees(atan2(sin(angle - a), cos(angle - a)))) for name, a in self._directions.items()}
        if not off:
            return None
        best = min(off, key=lambda name: off[name])
        return best if off[best] <= self._settings.facing_margin_deg else None


def direction_angles(board: Board) -> Mapping[str, float]:
    """Mean angle (radians, y down) of each link label, for boards whose links have directions.

    Hexes are printed 44 × 40 mm, so the six directions are not exactly 60° apart; a lantern is aimed at the neighbour.
    """
    sums: dict[str, np.ndarray] = {}
    for cell, links in board.links.items():
        for label, neighbour in links.items():
            if label in board.directions:
                step = np.subtract(board.mm(neighbour), board.mm(cell))
                sums[label] = sums.get(label, np.zeros(2)) + step
    ordered = [label for label in board.directions if label in sums]
    return {label: atan2(float(sums[label][1]), float(sums[label][0])) for label in ordered}


def unit(angle_deg: float) -> tuple[float, float]:
    """A unit vector at an angle (degrees, y down)."""
    return cos(radians(angle_deg)), sin(radians(angle_deg))
