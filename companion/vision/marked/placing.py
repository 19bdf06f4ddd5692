"""Which place a piece lies on, given where its marker was seen on the board."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin

import numpy as np

from companion.boards import PAIR, Board, Group


@dataclass(frozen=True, slots=True)
class PlacingSettings:
    """Tunables of the placing.

    reach_mm
        15..30 mm: further than this from every place a piece lies beside the board, not on a place.
    lead
        0.5..0.8: the nearest place must be this much nearer than the second. 0.66 on 40 mm hexes leaves 15.5 mm of 19.5.
    near_mm, ahead_mm
        12..16 mm and 4..8 mm: a piece this near a place, and this much nearer to it than to the second, needs no such lead:
        London's exits are 35 mm away from a street, of which it would leave 14 mm.
    facing_margin_deg
        10..28°: a lantern, or a piece over two cells, further off its direction than this points at none; directions are
        60° apart, hands 8° sloppy.
    single_mm
        4..9 mm: a piece meant for two cells whose middle lies this close to a cell's lies on that one alone. Half-way
        between a cell and its neighbour is 19 mm from both.
    """

    reach_mm: float = 25.0
    lead: float = 0.66
    near_mm: float = 15.5
    ahead_mm: float = 4.5
    facing_margin_deg: float = 22.0
    single_mm: float = 7.0


@dataclass(frozen=True, slots=True)
class Placing:
    """``spot`` is the nearest cell, place or pair of cells, ``rival`` the second nearest. ``verdict``: ``on`` (certain, and
    read as it lies), ``wrong-place`` (certain, but this kind of piece may not lie there), ``between`` (cannot be told),
    ``beside`` (off every place)."""

    verdict: str
    spot: str
    rival: str


class Placer:
    """Maps board millimetres to cells and places."""

    def __init__(self, board: Board, settings: PlacingSettings | None = None) -> None:
        self._settings = settings or PlacingSettings()
        self._board = board
        self._spots = [*board.cells, *board.places]
        self._kinds = [board.cells[spot].kind if spot in board.cells else board.places[spot].kind for spot in self._spots]
        self._mm = np.array([board.mm(spot) for spot in self._spots])
        self._directions = direction_angles(board)
        self._pairs: dict[tuple[str, ...], tuple[str, ...]] = {}

    def allowed(self, group: Group) -> tuple[str, ...]:
        """Every spot (a pair of cells for pieces of two) where a piece of this group may lie, in the board file's order."""
        if group.cells == 2:
            return self._pairs_of(group.on)
        return tuple(spot for spot, kind in zip(self._spots, self._kinds, strict=True) if kind in group.on)

    def place(
        self, group: Group, mm: tuple[float, float], bound_mm: float = 0.0, along_mm: tuple[float, float] | None = None
    ) -> Placing:
        """Where a piece of ``group`` lies whose middle is at ``mm`` (board millimetres), known to within ``bound_mm``.

        ``along_mm``: the way its longer side runs, which a piece of two cells cannot be placed without.
        """
        if group.cells == 2 and along_mm is not None:
            return self._place_pair(group, np.asarray(mm), bound_mm, np.asarray(along_mm))
        distances = np.hypot(*(self._mm - mm).T)
        first, second = np.argsort(distances)[:2]
        nearest, distance, next_best = self._spots[first], float(distances[first]), float(distances[second])
        near = distance <= self._settings.near_mm and next_best - distance >= self._settings.ahead_mm
        if distance > self._settings.reach_mm + bound_mm:
            verdict = "beside"
        elif (
            not (near or distance <= self._settings.lead * next_best)
            or next_best - distance < 2 * bound_mm
            or distance > self._settings.reach_mm
        ):
            verdict = "between"
        elif self._kinds[first] not in group.on + group.strays:
            verdict = "wrong-place"
        else:
            verdict = "on"
        return Placing(verdict, nearest, self._spots[second])

    def _place_pair(self, group: Group, mm: np.ndarray, bound_mm: float, along: np.ndarray) -> Placing:
        """Where a piece of two cells lies: its middle between two touching ones, its length running from one to the other."""
        reach, single = self._settings.reach_mm, self._settings.single_mm
        cells = [cell for cell in self._board.cells if self._board.beside[cell]]
        to_cells = np.hypot(*(np.array([self._board.mm(cell) for cell in cells]) - mm).T)
        order = np.argsort(to_cells)
        cell, rival = cells[order[0]], cells[order[1]]
        if to_cells[order[0]] <= single - bound_mm:
            verdict = "on" if self.kind(cell) in group.on + group.strays else "wrong-place"
            return Placing(verdict, cell, rival)
        pairs = self._pairs_of(tuple(dict.fromkeys(self._kinds)))
        middles = np.array([self._board.mm(pair) for pair in pairs])
        ends = np.array([[self._board.mm(cell) for cell in pair.split(PAIR)] for pair in pairs])
        steps = ends[:, 1] - ends[:, 0]
        turned = np.abs(steps @ along) / (np.hypot(*steps.T) * max(1e-9, float(np.hypot(*along))))
        aligned = turned >= cos(radians(self._settings.facing_margin_deg))
        distances = np.hypot(*(middles - mm).T)
        nearest = int(distances.argmin())
        if distances[nearest] > reach + bound_mm:
            return Placing("beside", pairs[nearest], cell)
        first, second = np.argsort(np.where(aligned, distances, np.inf))[:2]
        distance, next_best = float(distances[first]), float(distances[second])
        clear = distance <= self._settings.lead * next_best and next_best - distance >= 2 * bound_mm
        if first != nearest or not aligned[first] or not clear or not single <= to_cells[order[0]] - bound_mm:
            return Placing("between", cell, rival)
        kinds = {self.kind(part) for part in pairs[first].split(PAIR)}
        allowed = kinds <= {*group.on, *group.strays}
        return Placing("on" if allowed else "wrong-place", pairs[first], pairs[second])

    def _pairs_of(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Every two touching cells of some kinds; kept, because there are many."""
        if kinds not in self._pairs:
            self._pairs[kinds] = self._board.pairs(self._board.of_kind(*kinds))
        return self._pairs[kinds]

    def kind(self, spot: str) -> str:
        """The kind of a cell or place; of a pair of cells, both kinds."""
        if PAIR in spot and spot not in self._board.cells:
            return " and ".join(dict.fromkeys(self.kind(cell) for cell in spot.split(PAIR)))
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
