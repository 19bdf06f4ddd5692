"""A printed board as a graph with geometry.

A :class:`Board` is a set of named cells joined by links. A link carries a label: on a hex board the compass direction
(``"N"``, ``"NE"`` …), on a graph board whatever the board file calls it (``"walk"``, ``"alley"``). Hexes are one way to
make the links; a board file may also list them one by one. A link may run one way only (``"ferry>LIBERTY"``).
Beside cells there may be places (spots outside the network) and zones, areas in which cards lie. *Spot* means any of the
three.

Coordinate frames
    *Board millimetres*: x to the right, y **down**, origin at the top left corner of the board.
    *Frame fraction*: the same axes, 0..1 inside the printed frame line.
"""

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import hypot
from types import MappingProxyType
from typing import Any

from companion.boards.surface import GRAPH, HEXES, Point, SiteShape, Zone, rooms_mm, usual_spacing_mm

PAIR = "+"
"""Joins the cells of a spot that a piece of several cells covers."""


_WIDTH_OVER_SPACING = 1.1
"""A flat-top hexagon's corner-to-corner width over the nominal spacing of hexes: 44 mm over 40 on both shipped boards."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One place a piece can lie on: ``kind`` says what rules apply, ``decor`` how it is drawn (never a rule)."""

    id: str
    kind: str
    xy: Point
    decor: str | None = None
    axial: tuple[int, int] | None = None
    name: str = ""
    """What people call it where its id is printed nowhere; empty: its id."""


@dataclass(frozen=True, slots=True)
class Place:
    """A named spot that is not a cell of the network: an exit, a space of the turn track."""

    id: str
    kind: str
    mm: Point
    value: int | None = None
    gate: str | None = None
    name: str = ""
    """As of a cell."""


@dataclass(frozen=True)
class Board:
    """The printed board of one game and edition. Immutable; every query is pure."""

    id: str
    name: str
    edition: str
    label: str
    cells: Mapping[str, Cell]
    links: Mapping[str, Mapping[str, str]]
    directions: tuple[str, ...]
    places: Mapping[str, Place]
    size_mm: Point
    frame_mm: tuple[float, float, float, float]
    cell_mm: Point
    frame_colours: Mapping[str, str]
    start: Mapping[str, object] = field(repr=False, default_factory=lambda: MappingProxyType({}))
    doubts: Mapping[str, object] = field(repr=False, default_factory=lambda: MappingProxyType({}))
    drawing: Mapping[str, Any] = field(repr=False, compare=False, default_factory=lambda: MappingProxyType({}))
    labels: Mapping[str, str] = field(repr=False, compare=False, default_factory=lambda: MappingProxyType({}))
    page: Mapping[str, Any] = field(repr=False, compare=False, default_factory=lambda: MappingProxyType({}))
    shifts: Mapping[str, Point] = field(repr=False, default_factory=lambda: MappingProxyType({}))
    surface: str = HEXES
    shapes: Mapping[str, SiteShape] = field(repr=False, default_factory=lambda: MappingProxyType({}))
    """Outlines of cells, by the cell's id or its kind; hexagons of ``cell_mm`` where neither is named."""
    zones: Mapping[str, Zone] = field(repr=False, default_factory=lambda: MappingProxyType({}))
    headings: Mapping[str, Point] = field(repr=False, default_factory=lambda: MappingProxyType({}))
    """Ways (x, y) a piece may face, by name, where links do not tell them."""
    declared_spacing_mm: float | None = None
    lessons: tuple[Mapping[str, Any], ...] = field(repr=False, default=())
    """Positions, in the keys of a position, that show every look of pawns and tokens to learn an unmodified copy by, one a
    picture; none where the start position and its other sides do."""
    folds: tuple[tuple[float, ...], tuple[float, ...]] = ((0.5,), (0.5,))
    """Where the cardboard folds, as shares of its width and of its height: in quarters, where its file says nothing else."""
    masked_outside: bool = False
    """Whether what lies beside the board is its owner's alone: pictures are cut to the board before they are kept or sent."""

    def __contains__(self, cell: object) -> bool:
        return cell in self.cells

    def kind(self, cell: str) -> str:
        """The kind of a cell. Raises KeyError for a cell that is not on this board."""
        return self.cells[cell].kind

    def kind_of(self, spot: str) -> str:
        """The kind of a cell, a place or a zone. Raises KeyError for a spot that is not on this board."""
        if spot in self.cells:
            return self.cells[spot].kind
        return self.places[spot].kind if spot in self.places else self.zones[spot].kind

    def of_kind(self, *kinds: str) -> frozenset[str]:
        """Every cell of the given kinds."""
        return frozenset(cell.id for cell in self.cells.values() if cell.kind in kinds)

    def called(self, spot: str) -> str:
        """What people call a cell or a place: its name, or its id where it has none; a spot that is neither stays as it is."""
        known = self.cells.get(spot) or self.places.get(spot)
        return known.name or spot if known is not None else spot

    def places_of(self, kind: str) -> tuple[Place, ...]:
        """Every place of one kind, in the board file's order."""
        return tuple(place for place in self.places.values() if place.kind == kind)

    def neighbours(self, cell: str) -> Mapping[str, str]:
        """Link label to neighbouring cell."""
        return self.links[cell]

    @cached_property
    def beside(self) -> Mapping[str, tuple[str, ...]]:
        """The cells that touch each cell: links that run both ways. A one-way link is a way, not a neighbourhood."""
        return MappingProxyType(
            {
                cell: tuple(other for other in onward.values() if cell in self.links[other].values())
                for cell, onward in self.links.items()
            }
        )

    @cached_property
    def one_way(self) -> tuple[tuple[str, str], ...]:
        """Links that run one way only, as (from, to)."""
        return tuple(
            (cell, other) for cell, onward in self.links.items() for other in onward.values() if cell not in self.beside[other]
        )

    def pairs(self, cells: Collection[str]) -> tuple[str, ...]:
        """Every two touching cells of ``cells`` as one spot (``"E4+F3"``), where a piece of two cells may lie."""
        return tuple(
            sorted(
                PAIR.join((one, other)) for one in cells for other in self.beside.get(one, ()) if one < other and other in cells
            )
        )

    def step(self, cell: str, direction: str) -> str | None:
        """The neighbour in one direction, or None at the edge."""
        return self.links[cell].get(direction)

    def ray(self, cell: str, direction: str) -> tuple[str, ...]:
        """All cells in a straight line from ``cell`` (excluded) to the edge of the board."""
        line = []
        here = self.step(cell, direction)
        while here is not None:
            line.append(here)
            here = self.step(here, direction)
        return tuple(line)

    def distances(
        self,
        start: str,
        through: Collection[str],
        portals: Collection[str] = (),
        limit: int | None = None,
    ) -> dict[str, int]:
        """Steps from ``start`` to every cell reachable over the cells in ``through``.

        ``portals`` are cells joined to each other by one extra step (open sewers); ``start`` need not be in ``through``.
        The answer holds ``start`` itself at 0. Breadth first, so each value is the least number of steps.
        """
        found = {start: 0}
        queue = deque([start])
        portals_open = True
        while queue:
            here = queue.popleft()
            steps = found[here] + 1
            if limit is not None and steps > limit:
                break
            onward: Iterable[str] = self.links[here].values()
            if portals_open and here in portals:
                onward = [*onward, *portals]
                portals_open = False
            for cell in onward:
                if cell in through and cell not in found:
                    found[cell] = steps
                    queue.append(cell)
        return found

    # --- printed geometry -------------------------------------------------------------------------------------

    def mm(self, spot: str) -> Point:
        """Printed centre of a cell, place or zone in board millimetres; of a pair of cells, the middle between them. Kept: for
        one picture a reader asks thousands of times. Raises KeyError for a spot that is not on this board."""
        known = self._middles.get(spot)
        if known is None:
            known = self._middles[spot] = self._middle_of(spot)
        return known

    @cached_property
    def _middles(self) -> dict[str, Point]:
        return {}

    def _middle_of(self, spot: str) -> Point:
        if PAIR in spot and spot not in self.cells:
            centres = [self.mm(cell) for cell in spot.split(PAIR)]
            return sum(x for x, _ in centres) / len(centres), sum(y for _, y in centres) / len(centres)
        place = self.places.get(spot)
        if place is not None:
            return place.mm
        if spot in self.zones:
            return self.zones[spot].middle
        return self.from_fraction(self.cells[spot].xy)

    def shifted(self, shifts: Mapping[str, Point]) -> "Board":
        """The board with its places moved, by kind, by so many millimetres from where the board file has them (a printing may
        have them elsewhere). Shifts it has already are taken back first: doing it twice is doing it once."""
        if dict(shifts) == dict(self.shifts):
            return self

        def at(place: Place) -> Point:
            (dx, dy), (x, y) = shifts.get(place.kind, (0.0, 0.0)), self.shifts.get(place.kind, (0.0, 0.0))
            return place.mm[0] + dx - x, place.mm[1] + dy - y

        places = {name: replace(place, mm=at(place)) for name, place in self.places.items()}
        return replace(self, places=MappingProxyType(places), shifts=MappingProxyType(dict(shifts)))

    @property
    def frame_corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """Corners of the frame line in board millimetres: top left, top right, bottom right, bottom left."""
        left, top, right, bottom = self.frame_mm
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def from_fraction(self, xy: Point) -> Point:
        """Frame fraction to board millimetres."""
        left, top, right, bottom = self.frame_mm
        return left + xy[0] * (right - left), top + xy[1] * (bottom - top)

    def outline_mm(self, cell: str, scale: float = 1.0) -> tuple[Point, ...]:
        """Corners of a cell, clockwise (of a hexagon from the right-hand corner), or of a zone, in board millimetres."""
        if cell in self.zones:
            x, y = self.zones[cell].middle
            return tuple((x + (a - x) * scale, y + (b - y) * scale) for a, b in self.zones[cell].outline_mm)
        return self.shape_of(cell).outline(self.mm(cell), scale)

    def shape_of(self, cell: str) -> SiteShape:
        """The outline of a cell about its middle."""
        known = self.shapes.get(cell) or self.shapes.get(self.cells[cell].kind)
        return known or SiteShape("hexagon", self.cell_mm)

    def scaled(self, size_mm: Point) -> "Board":
        """The board printed at another size (width, height): all its geometry scales with it."""
        sx, sy = size_mm[0] / self.size_mm[0], size_mm[1] / self.size_mm[1]
        left, top, right, bottom = self.frame_mm
        places = {name: replace(place, mm=(place.mm[0] * sx, place.mm[1] * sy)) for name, place in self.places.items()}
        spacing = self.declared_spacing_mm
        return replace(
            self,
            size_mm=size_mm,
            frame_mm=(left * sx, top * sy, right * sx, bottom * sy),
            cell_mm=(self.cell_mm[0] * sx, self.cell_mm[1] * sy),
            places=MappingProxyType(places),
            shapes=MappingProxyType({name: shape.scaled(sx, sy) for name, shape in self.shapes.items()}),
            zones=MappingProxyType({name: zone.scaled(sx, sy) for name, zone in self.zones.items()}),
            declared_spacing_mm=None if spacing is None else spacing * min(sx, sy),
        )

    # --- what tolerances are measured in ----------------------------------------------------------------------

    @cached_property
    def spots(self) -> tuple[str, ...]:
        """Every cell, place and zone, in the board file's order."""
        return (*self.cells, *self.places, *self.zones)

    @cached_property
    def spacing_mm(self) -> float:
        """The usual distance between neighbouring sites, the unit of every tolerance that depends on how near sites lie.

        What the board file declares; otherwise nominal for hexes (their width over 1.1), the median distance to the nearest
        neighbour for a graph, and the shortest side of a zone's bounding rectangle where there are zones alone.
        """
        if self.declared_spacing_mm is not None:
            return self.declared_spacing_mm
        if self.surface == HEXES:
            return self.cell_mm[0] / _WIDTH_OVER_SPACING
        if self.surface == GRAPH and len(self.cells) > 1:
            return usual_spacing_mm(tuple(self.centres.values()))
        boxes = [zone.box for zone in self.zones.values()]
        return min((min(right - left, bottom - top) for left, top, right, bottom in boxes), default=min(self.size_mm))

    @cached_property
    def rooms_mm(self) -> Mapping[str, float]:
        """By cell and place, the distance within which no other site lies: the same everywhere on hexes, on a graph each one's
        own."""
        sites = {spot: self.mm(spot) for spot in (*self.cells, *self.places)}
        if self.surface == GRAPH:
            return rooms_mm(sites, self.spacing_mm)
        return MappingProxyType(dict.fromkeys(sites, self.spacing_mm))

    def room_mm(self, spot: str) -> float:
        """The room of one spot; of a pair of cells, or a zone, the usual spacing."""
        return self.rooms_mm.get(spot, self.spacing_mm)

    @property
    def margin_is_aside(self) -> bool:
        """Whether a piece that lies on the printed board, but far from every site, lies aside. Hexes fill the ground that is
        played on; between the sites of a graph, or outside zones, a piece has been put down badly."""
        return self.surface == HEXES

    def samples(self, spot: str) -> tuple[Point, ...]:
        """Points that stand for a spot: the middle of a cell or place; of a zone a grid, half a spacing apart."""
        return self.zones[spot].samples(self.spacing_mm / 2) if spot in self.zones else (self.mm(spot),)

    def nearest(self, mm: Point, among: Iterable[str]) -> tuple[str, float]:
        """The spot of ``among`` whose middle is closest to a point in board millimetres, and how far it is."""
        distance, spot = min((hypot(x - mm[0], y - mm[1]), spot) for spot in among for x, y in (self.mm(spot),))
        return spot, distance

    @cached_property
    def centres(self) -> Mapping[str, Point]:
        """Every cell's printed centre in board millimetres."""
        return MappingProxyType({cell: self.mm(cell) for cell in self.cells})
