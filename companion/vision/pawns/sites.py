"""The sites of a board as one registration shows them, and what may be told of them."""

from collections.abc import Collection, Iterable
from copy import copy as shallow
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Group, PieceSet, Point
from companion.vision.cards.view import NOWHERE, Floats, MatGrid
from companion.vision.pawns.looks import PieceLook, groups, looks
from companion.vision.pawns.settings import PawnSettings
from companion.vision.pawns.shape import PawnForm, Sightline, pixels
from companion.vision.pawns.taught import TaughtCopy
from companion.vision.pawns.view import BRIM_PX, BareBoard, Box

Indices = NDArray[np.int32]
ASTRAY_MM = 1.2
"""How far (standard deviation) pieces are laid off the middle of their sites."""
STRAY = 15.0
"""Nats by which a piece is less likely on a site where its kind does not belong."""
FAINT = -4.0
"""Nats by which nothing must be likelier than a piece for the piece to be said to be absent."""
RIVALS_MM = 30.0
"""How far apart (mm) two pawns may stand that may be taken for each other."""
_ALIKE = 0.6
"""The share of an outline that the bare print fills with the colours of a paint, above which its site is always asked about."""


class Put(NamedTuple):
    """A piece that was told: its look, where, its middle (board mm), by how many nats it leads, the share of what is in sight
    that is as taught, the share in sight."""

    look: PieceLook
    spot: str
    mm: Point
    margin: float
    fit: float
    visible: float


@dataclass(frozen=True, eq=False)
class Standing:
    """A pawn that may stand on a site: the pixels it covers, those well within its outline, and the log densities of the former
    by its paint and by bare print."""

    look: PieceLook
    group: Group
    spot: str
    mm: Point
    depth: float
    own: Indices
    core: Indices
    nats: Floats
    bare: Floats
    prior: float
    gain: float


@dataclass(frozen=True, eq=False)
class Lying:
    """A token that may lie on a site; ``anywhere``: the logarithm of the odds that it lies somewhere about that site,
    by what is seen and by the rules, where that was asked."""

    look: PieceLook
    group: Group
    spot: str
    mm: Point
    turn: float
    own: Indices
    gain: float
    fit: float
    visible: float
    anywhere: float | None = None


class Sites:
    """Outlines of all pieces on all sites they may lie on, in pictures in which the board lies as one registration says.
    ``judged``: by group, the sites of its own kind of which is told whether a piece lies there."""

    def __init__(
        self, board: Board, pieces: PieceSet, copy: TaughtCopy, grid: MatGrid, sight: Sightline, settings: PawnSettings
    ) -> None:
        self.board, self.pieces, self.copy, self.grid, self.sight, self.settings = board, pieces, copy, grid, sight, settings
        self.groups = groups(pieces)
        self.looks: dict[str, list[PieceLook]] = {}
        for look in looks(pieces):
            self.looks.setdefault(look.group, []).append(look)
        self.spots = {group.key: _spots(board, (*group.on, *group.strays)) for group in self.groups}
        self.judged = {group.key: _spots(board, group.on) for group in self.groups}
        self.at_home = {key: frozenset(spots) for key, spots in self.judged.items()}
        self.site = {spot: copy.site(board.mm(spot)) for spots in self.spots.values() for spot in spots}
        self.faint: frozenset[tuple[str, str]] = frozenset()
        self.per_nat = settings.alike_mm2 * grid.scale**2
        self.outlines: dict[tuple[str, str], tuple[Indices, Indices]] = {}
        self.rooms: dict[tuple[str, str], Indices] = {}
        core = PawnForm(copy.form.height * 0.97, copy.form.width * 0.8, copy.form.neck * 0.9, copy.form.head * 0.85)
        alike: dict[tuple[str, float, Point], Indices] = {}
        for group in self.groups:
            for spot in self.spots[group.key]:
                mm = self.site[spot]
                if group.shape == "pawn":
                    parts = [self.pixels(sight.pawn(mm, group, form)) for form in (copy.form, core)]
                    self.outlines[group.key, spot] = parts[0], parts[1]
                    continue
                one = spot, group.height_mm, group.size_mm
                if one not in alike:
                    alike[one] = self.pixels(sight.token(mm, group))
                self.rooms[group.key, spot] = alike[one]
        covered = {name: own for name, (own, _) in self.outlines.items()} | self.rooms
        self._names, self._bounds = tuple(covered), np.array([_bounds(own, grid.size[0]) for own in covered.values()])
        self._covered: dict[str, Box] = {}
        for (_, spot), (left, top, right, bottom) in zip(self._names, self._bounds.tolist(), strict=True):
            if right > left:
                box = Box(left, top, right, bottom)
                self._covered[spot] = box.around(self._covered.get(spot, box))
        self._know_rooms()

    def _know_rooms(self) -> None:
        names = [name for name, room in self.rooms.items() if len(room)]
        self._lying_on = tuple(names), np.array([self.site[spot] for _, spot in names], np.float64).reshape(-1, 2)

    def rooms_near(self, mm: Point) -> "list[tuple[tuple[str, str], Indices]]":
        """The rooms of tokens on sites within :data:`RIVALS_MM` of a spot, each with its group and site."""
        names, sites = self._lying_on
        near = np.flatnonzero(np.hypot(*(sites - mm).T) < RIVALS_MM)
        return [(names[number], self.rooms[names[number]]) for number in near]

    def pixels(self, parts: "list[NDArray[np.float64]]") -> Indices:
        """The pixels (flat numbers) of the view within an outline."""
        return pixels(parts, self.grid.scale, self.grid.origin_mm, self.grid.size)

    def know_faint(self, bare: BareBoard) -> None:
        """Learn the looks of pawns with those of their sites where the bare print has the colours of their paint: a pawn there
        changes little."""
        homes = [(key, spot) for (key, spot), (own, _) in self.outlines.items() if spot in self.at_home[key] and len(own)]
        if not homes:
            return
        some = [self.outlines[home][0][::7] for home in homes]
        starts = np.cumsum([0, *map(len, some)])[:-1]
        colours = bare.colours(np.concatenate(some))
        level, found = np.float32(np.log(self.settings.hidden)) + NOWHERE, set()
        for name, paint in self.copy.paints.items():
            alike = np.add.reduceat(paint.density(colours, self.settings) > level, starts)
            for (key, spot), count, own in zip(homes, alike, some, strict=True):
                if any(name == look.key for look in self.looks[key]) and count > _ALIKE * len(own):
                    found.add((name, spot))
        self.faint = frozenset(found)

    def box(self, spots: Collection[str]) -> Box | None:
        """The part of the view that pieces on some sites cover; None where it is none."""
        own = [self._covered[spot] for spot in spots if spot in self._covered]
        return reduce(Box.around, own) if own else None

    def part(self, box: Box, judged: Collection[str]) -> "Sites":
        """The sites of a part of the view, in which only what lies on the ``judged`` ones is told."""
        part, (width, height), columns = shallow(self), self.grid.size, self.grid.size[0]
        part.grid = self.grid.cropped(box.left, box.top, box.size)
        room = round(self.settings.off_mm * self.grid.scale) + BRIM_PX
        # Beyond the edges of the view itself there is nothing to be missed.
        least = np.array([box.left + room if box.left else 0, box.top + room if box.top else 0])
        most = np.array(
            [box.right - room if box.right < width else width, box.bottom - room if box.bottom < height else height]
        )
        low, high = self._bounds[:, :2], self._bounds[:, 2:]
        inner = ((low >= least) & (high <= most) & (high > low)).all(axis=1)
        within = {self._names[number] for number in np.flatnonzero(inner)}

        def moved(own: Indices) -> Indices:
            rows, across = np.divmod(own, columns)
            return np.asarray((rows - box.top) * box.size[0] + across - box.left, np.int32)

        part.outlines = {name: (moved(own), moved(core)) for name, (own, core) in self.outlines.items() if name in within}
        part.rooms = {name: moved(own) for name, own in self.rooms.items() if name in within}
        part.judged = {key: tuple(spot for spot in spots if spot in judged) for key, spots in self.judged.items()}
        part._know_rooms()
        return part


def _bounds(own: Indices, width: int) -> tuple[int, int, int, int]:
    """The box about some pixels (flat numbers, row by row) of a view: left, top, and right and bottom just outside."""
    if not len(own):
        return 0, 0, 0, 0
    columns = own % width
    return int(columns.min()), int(own[0]) // width, int(columns.max()) + 1, int(own[-1]) // width + 1


def _spots(board: Board, kinds: Iterable[str]) -> tuple[str, ...]:
    wanted = frozenset(kinds)
    cells = [cell for cell in board.cells if board.kind(cell) in wanted]
    return (*cells, *(place.id for place in board.places.values() if place.kind in wanted))
