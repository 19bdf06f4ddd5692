"""Which place a piece lies on, given where its marker was seen on the board."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, radians, sin

import numpy as np

from companion.boards import PAIR, Board, Group, Point
from companion.boards.surface import inside_mm


@dataclass(frozen=True, slots=True)
class PlacingSettings:
    """Tunables of the placing. Lengths are shares of the *room* of the site in question (how far off its nearest neighbour
    lies, ``Board.rooms_mm``); what that is on hexes 40 mm apart, where they were measured, is given with each.

    reach
        0.4..0.75 (25 mm): further than this from every place a piece lies beside the board, not on a place.
    lead
        0.5..0.8: the nearest place must be this much nearer than the second. 0.66 on 40 mm hexes leaves 15.5 mm of 19.5.
    near, ahead
        0.3..0.4 (15.5 mm) and 0.1..0.2 (4.5 mm): a piece this near a place, and this much nearer to it than to the second,
        needs no such lead: London's exits are 35 mm away from a street, of which it would leave 14 mm.
    facing_margin_deg
        10..28°: a piece that faces somewhere, or one over two cells, further off its direction than this points at none;
        directions are 60° apart, hands 8° sloppy.
    single
        0.1..0.225 (7 mm): a piece meant for two cells whose middle lies this close to a cell's lies on that one alone. Half-way
        between a cell and its neighbour is 19 mm from both.
    careless, careless_mm
        0.12..0.2, and 1..2 mm: the larger one is the standard deviation of where people lay a piece, along each axis. Only for
        pieces whose height has an error, as the next three.
    strange
        5..8 nats: how much less likely a piece lies where its group may not.
    fit, sure
        5..8 and 7..10 nats: how badly the likeliest place may fit, and how far it leads. On 24 pictures at 40° from above what
        is now told led by 11 and more, the nearer of two crossings 8 mm apart by 7.
    """

    reach: float = 0.625
    lead: float = 0.66
    near: float = 0.3875
    ahead: float = 0.1125
    facing_margin_deg: float = 22.0
    single: float = 0.175
    careless: float = 0.15
    careless_mm: float = 1.4
    strange: float = 6.9
    fit: float = 6.0
    sure: float = 9.0


@dataclass(frozen=True, slots=True)
class Placing:
    """``spot`` is the nearest cell, place or pair of cells, ``rival`` the second nearest. ``verdict``: ``on`` (certain, and
    read as it lies), ``wrong-place`` (certain, but this kind of piece may not lie there), ``between`` (cannot be told),
    ``beside`` (off every place), ``masked`` (where nothing is to be read)."""

    verdict: str
    spot: str
    rival: str


class Placer:
    """Maps board millimetres to cells and places."""

    def __init__(self, board: Board, settings: PlacingSettings | None = None) -> None:
        self._settings = settings or PlacingSettings()
        self._board = board
        self._spots = [*board.cells, *board.places]
        self._kinds = [board.kind_of(spot) for spot in self._spots]
        self._mm = np.array([board.mm(spot) for spot in self._spots], np.float64).reshape(-1, 2)
        self._zone_kinds = frozenset(zone.kind for zone in board.zones.values())
        self._directions = direction_angles(board)
        self._pairs: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._allowed: dict[tuple[str, ...], tuple[str, ...]] = {}

    def allowed(self, group: Group) -> tuple[str, ...]:
        """Every spot (a pair of cells for pieces of two) where a piece of this group may lie, in the board file's order."""
        if group.cells == 2:
            return self._pairs_of(group.on)
        if group.on not in self._allowed:
            zones = (zone.id for zone in self._board.zones.values() if zone.kind in group.on)
            spots = (spot for spot, kind in zip(self._spots, self._kinds, strict=True) if kind in group.on)
            self._allowed[group.on] = (*spots, *zones)
        return self._allowed[group.on]

    def place(
        self,
        group: Group,
        mm: Point,
        bound_mm: float = 0.0,
        along_mm: Point | None = None,
        noise_mm: float = 0.0,
        shift_mm: Point = (0.0, 0.0),
    ) -> Placing:
        """Where a piece of ``group`` lies whose foot was seen at ``mm`` (board millimetres).

        ``bound_mm``: how far off the board's place may be known; ``noise_mm``: how far off the piece's own may be, by the
        grain of the picture: sites nearer to each other than twice the larger are not told apart. ``shift_mm``: how far, and
        which way, the foot moves by as much as the piece's height may be off. ``along_mm``: the way its longer side runs,
        which a piece of two cells cannot be placed without.
        """
        masked = next((zone for zone in self._board.zones.values() if zone.masked and zone.inside_mm(mm) > -bound_mm), None)
        if masked is not None:
            return Placing("masked", masked.id, masked.id)
        bound = max(bound_mm, noise_mm)
        if self._zone_kinds.intersection(group.on) or not self._spots:
            return self._place_in_zone(group, mm, max(bound_mm, noise_mm + hypot(*shift_mm)))
        if group.cells == 2 and along_mm is not None:
            return self._place_pair(group, np.asarray(mm), bound_mm, np.asarray(along_mm))
        if any(shift_mm):
            return self._place_by_odds(group, mm, bound, np.asarray(shift_mm))
        return self._place_on_site(group, mm, bound_mm, bound)

    def _place_on_site(self, group: Group, mm: Point, bound_mm: float, apart_mm: float) -> Placing:
        """Where a piece lies on a cell or place."""
        distances = np.hypot(*(self._mm - mm).T)
        if len(distances) == 1:
            distances = np.append(distances, np.inf)
        first, second = (int(index) for index in np.argsort(distances)[:2])
        nearest, rival = self._spots[first], self._spots[min(second, len(self._spots) - 1)]
        distance, next_best = float(distances[first]), float(distances[second])
        room = self._board.room_mm(nearest)
        near = distance <= self._settings.near * room and next_best - distance >= self._settings.ahead * room
        reach = self._settings.reach * room
        if distance > reach + bound_mm and (self._board.margin_is_aside or self._off_board(mm, bound_mm)):
            verdict = "beside"
        elif (
            not (near or distance <= self._settings.lead * next_best)
            or next_best - distance < 2 * apart_mm
            or distance > reach
            or self._inside_another(mm, first, apart_mm)
        ):
            verdict = "between"
        else:
            verdict = self._lying_on(nearest, group)
        return Placing(verdict, nearest, rival)

    def _place_by_odds(self, group: Group, mm: Point, bound_mm: float, shift_mm: np.ndarray) -> Placing:
        """Where a piece lies whose height is known to within an error: that moves its foot one way, and the other way as far.

        Every site is a hypothesis. The foot is normally distributed about it: by how carelessly people lay and by ``bound_mm``
        (two standard deviations) all around, by ``shift_mm`` (two, too) along that; a site where the piece may not lie is less
        likely beforehand. The likeliest is told where it fits and leads.
        """
        settings = self._settings
        offsets = np.asarray(mm) - self._mm
        first = int(np.hypot(*offsets.T).argmin())
        room = self._board.room_mm(self._spots[first])
        apart = np.hypot(*(self._mm - self._mm[first]).T)  # a place has no room of its own
        careless = max(settings.careless * min(room, float(apart[apart > 0].min(initial=np.inf))), settings.careless_mm)
        spread = (careless**2 + (bound_mm / 2) ** 2) * np.eye(2) + np.outer(shift_mm, shift_mm) / 4
        against = np.einsum("ni,ij,nj->n", offsets, np.linalg.inv(spread), offsets) / 2
        strange = np.array([kind not in group.on for kind in self._kinds])
        cost = against + settings.strange * strange
        first, *others = (int(index) for index in np.argsort(cost))
        second = others[0] if others else first
        nearest, rival = self._spots[first], self._spots[second]
        lead = float(cost[second] - cost[first]) if others else np.inf
        off = float(np.hypot(*offsets[first])) > settings.reach * room + bound_mm + float(np.hypot(*shift_mm))
        if off and (self._board.margin_is_aside or self._off_board(mm, bound_mm)):
            return Placing("beside", nearest, rival)
        if against[first] > settings.fit or lead < settings.sure:
            return Placing("between", nearest, rival)
        return Placing(self._lying_on(nearest, group), nearest, rival)

    def _lying_on(self, spot: str, group: Group) -> str:
        """The verdict on a piece of a group that surely lies on a spot."""
        kinds = {self.kind(part) for part in self._parts(spot)}
        return "on" if kinds <= {*group.on, *group.strays} else "wrong-place"

    def _off_board(self, mm: Point, bound_mm: float) -> bool:
        """Whether a point lies off the printed board, for sure."""
        (x, y), (width, height) = mm, self._board.size_mm
        return x < -bound_mm or y < -bound_mm or x > width + bound_mm or y > height + bound_mm

    def _inside_another(self, mm: Point, first: int, bound_mm: float) -> bool:
        """Whether a point may lie within the outline of another site than the nearest: a large one may reach past the middle
        of a small one's surroundings. Hexes are all of one size."""
        if not self._board.shapes:
            return False
        reach = max(max(shape.size_mm) for shape in self._board.shapes.values())
        near = np.flatnonzero(np.hypot(*(self._mm - mm).T) <= reach + bound_mm)
        cells = (self._spots[index] for index in near if index != first and self._spots[index] in self._board.cells)
        return any(inside_mm(self._board.outline_mm(cell), mm) > -bound_mm for cell in cells)

    def _place_in_zone(self, group: Group, mm: Point, bound_mm: float) -> Placing:
        """In which zone a piece lies: wholly known only where its middle is further within an outline than it may be off."""
        zones = {zone.id: zone.inside_mm(mm) for zone in self._board.zones.values()}
        order = sorted(zones, key=lambda name: -zones[name])
        nearest, rival = order[0], order[min(1, len(order) - 1)]
        overlaps = rival != nearest and zones[rival] > -bound_mm
        if zones[nearest] >= bound_mm and not overlaps:
            return Placing(self._lying_on(nearest, group), nearest, rival)
        if zones[nearest] < -bound_mm and self._off_board(mm, bound_mm):
            return Placing("beside", nearest, rival)
        return Placing("between", nearest, rival)

    def _place_pair(self, group: Group, mm: np.ndarray, bound_mm: float, along: np.ndarray) -> Placing:
        """Where a piece of two cells lies: its middle between two touching ones, its length running from one to the other."""
        room = self._board.spacing_mm
        reach, single = self._settings.reach * room, self._settings.single * room
        cells = [cell for cell in self._board.cells if self._board.beside[cell]]
        to_cells = np.hypot(*(np.array([self._board.mm(cell) for cell in cells]) - mm).T)
        order = np.argsort(to_cells)
        cell, rival = cells[order[0]], cells[order[1]]
        if to_cells[order[0]] <= single - bound_mm:
            return Placing(self._lying_on(cell, group), cell, rival)
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
        return Placing(self._lying_on(pairs[first], group), pairs[first], pairs[second])

    def _pairs_of(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Every two touching cells of some kinds; kept, because there are many."""
        if kinds not in self._pairs:
            self._pairs[kinds] = self._board.pairs(self._board.of_kind(*kinds))
        return self._pairs[kinds]

    def kind(self, spot: str) -> str:
        """The kind of a cell, place or zone; of a pair of cells, both kinds."""
        return " and ".join(dict.fromkeys(self._board.kind_of(part) for part in self._parts(spot)))

    def _parts(self, spot: str) -> list[str]:
        """A cell, place or zone; of a pair of cells both."""
        return spot.split(PAIR) if spot not in self._board.cells else [spot]

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

    Hexes are printed 44 × 40 mm, so the six directions are not exactly 60° apart; a piece is aimed at the neighbour. A board
    file may give directions of its own instead, by vectors.
    """
    if board.headings:
        return {label: atan2(y, x) for label, (x, y) in board.headings.items()}
    sums: dict[str, np.ndarray] = {}
    for cell, links in board.links.items():
        for label, neighbour in links.items():
            if label in board.directions:
                step = np.subtract(board.mm(neighbour), board.mm(cell))
                sums[label] = sums.get(label, np.zeros(2)) + step
    ordered = [label for label in board.directions if label in sums]
    return {label: atan2(float(sums[label][1]), float(sums[label][0])) for label in ordered}
