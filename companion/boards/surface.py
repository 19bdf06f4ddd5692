"""What a board's surface is made of besides hexes: sites with outlines of their own, and zones of cards.

All lengths are board millimetres: x to the right, y **down**.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, cos, hypot, inf, pi, sin
from types import MappingProxyType

Point = tuple[float, float]
HEXES, GRAPH, ZONES = "hexes", "graph", "zones"
"""Kinds of surface: hexes side by side; sites apart from each other, joined by lines; zones in which cards lie."""
ORDERS = (None, "row", "stack")
"""How cards lie in a zone: anyhow, side by side or staggered along a direction, one upon the other."""
_ROUND = 24
"""Corners by which a circle is drawn: the polygon is off by 0.9 % of the radius at most."""


@dataclass(frozen=True, slots=True)
class SiteShape:
    """The outline of a site about its middle: ``hexagon`` (flat top), ``circle``, ``square`` (any rectangle) or ``polygon``.

    ``size_mm``: width and height; ``corners_mm``: a polygon's corners, measured from the middle.
    """

    shape: str
    size_mm: Point
    corners_mm: tuple[Point, ...] = ()

    def outline(self, centre: Point, scale: float = 1.0) -> tuple[Point, ...]:
        """Its corners about a centre, clockwise, ``scale`` times as large."""
        x, y = centre
        half_width, half_height = self.size_mm[0] / 2 * scale, self.size_mm[1] / 2 * scale
        if self.shape == "hexagon":
            quarter = half_width / 2
            return (
                (x + half_width, y),
                (x + quarter, y + half_height),
                (x - quarter, y + half_height),
                (x - half_width, y),
                (x - quarter, y - half_height),
                (x + quarter, y - half_height),
            )
        if self.shape == "circle":
            turns = [2 * pi * step / _ROUND for step in range(_ROUND)]
            return tuple((x + half_width * cos(turn), y + half_height * sin(turn)) for turn in turns)
        if self.shape == "polygon":
            return tuple((x + dx * scale, y + dy * scale) for dx, dy in self.corners_mm)
        return tuple((x + dx * half_width, y + dy * half_height) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)))

    def scaled(self, sx: float, sy: float) -> "SiteShape":
        """The same on a board printed ``sx`` times as wide and ``sy`` times as high."""
        corners = tuple((x * sx, y * sy) for x, y in self.corners_mm)
        return SiteShape(self.shape, (self.size_mm[0] * sx, self.size_mm[1] * sy), corners)


@dataclass(frozen=True)
class Zone:
    """An area in which cards lie. ``order``: see :data:`ORDERS`; ``along``: the direction in which a row runs, or in which the
    cards of a stack are staggered, upwards last. ``masked``: what lies there is for its owner alone, and is not read."""

    id: str
    kind: str
    outline_mm: tuple[Point, ...]
    order: str | None = None
    along: Point = (1.0, 0.0)
    masked: bool = False

    @cached_property
    def middle(self) -> Point:
        """Its centre of area."""
        doubled = x = y = 0.0
        for (x0, y0), (x1, y1) in _sides(self.outline_mm):
            cross = x0 * y1 - x1 * y0
            doubled, x, y = doubled + cross, x + (x0 + x1) * cross, y + (y0 + y1) * cross
        return x / (3 * doubled), y / (3 * doubled)

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of its bounding rectangle."""
        xs, ys = zip(*self.outline_mm, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def inside_mm(self, point: Point) -> float:
        """How far within its outline a point lies; negative outside."""
        return inside_mm(self.outline_mm, point)

    def samples(self, step_mm: float) -> tuple[Point, ...]:
        """Points of a grid inside it, at most ``step_mm`` apart; its middle where it is smaller than that."""
        left, top, right, bottom = self.box
        columns, rows = (max(1, ceil(span / step_mm)) for span in (right - left, bottom - top))
        grid = (
            (left + (i + 0.5) / columns * (right - left), top + (j + 0.5) / rows * (bottom - top))
            for j in range(rows)
            for i in range(columns)
        )
        return tuple(point for point in grid if self.inside_mm(point) > 0) or (self.middle,)

    def scaled(self, sx: float, sy: float) -> "Zone":
        """The same on a board printed ``sx`` times as wide and ``sy`` times as high."""
        return replace(self, outline_mm=tuple((x * sx, y * sy) for x, y in self.outline_mm))


def inside_mm(outline: Sequence[Point], point: Point) -> float:
    """How far (mm) within a closed outline a point lies; negative outside it."""
    x, y = point
    within, nearest = False, float("inf")
    for (x0, y0), (x1, y1) in _sides(outline):
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            within = not within
        length = (x1 - x0) ** 2 + (y1 - y0) ** 2
        share = min(1.0, max(0.0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length)) if length else 0.0
        nearest = min(nearest, hypot(x - x0 - share * (x1 - x0), y - y0 - share * (y1 - y0)))
    return nearest if within else -nearest


def rooms_mm(centres: Mapping[str, Point], spacing_mm: float) -> Mapping[str, float]:
    """By site, how far (mm) its nearest neighbour lies; twice the usual spacing where none is nearer."""
    return MappingProxyType(dict(zip(centres, _nearest_mm(tuple(centres.values()), 2 * spacing_mm), strict=True)))


def usual_spacing_mm(centres: Sequence[Point]) -> float:
    """The median distance (mm) of a site from its nearest neighbour; of two or more sites."""
    nearest = sorted(_nearest_mm(tuple(dict.fromkeys(centres)), inf))
    return nearest[len(nearest) // 2]


def _nearest_mm(centres: Sequence[Point], most_mm: float) -> list[float]:
    """How far (mm) each point's nearest neighbour lies; ``most_mm`` where none is nearer."""
    ordered = sorted(range(len(centres)), key=lambda number: centres[number])
    found = [most_mm] * len(centres)
    for place, number in enumerate(ordered):
        x, y = centres[number]
        for beside in (range(place + 1, len(ordered)), range(place - 1, -1, -1)):
            for other in beside:
                to_x, to_y = centres[ordered[other]]
                if abs(to_x - x) >= found[number]:
                    break  # all others of this side lie further away
                found[number] = min(found[number], hypot(to_x - x, to_y - y))
    return found


def _sides(outline: Sequence[Point]) -> list[tuple[Point, Point]]:
    return [(outline[index - 1], outline[index]) for index in range(len(outline))]
