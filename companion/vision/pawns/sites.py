"""The sites of a board as one registration shows them, and what may be told of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Group, PieceSet, Point
from companion.vision.cards.view import Floats, MatGrid
from companion.vision.pawns.looks import PieceLook, groups, looks
from companion.vision.pawns.settings import PawnSettings
from companion.vision.pawns.shape import PawnForm, Sightline, pixels
from companion.vision.pawns.taught import TaughtCopy
from companion.vision.pawns.view import NOWHERE, BoardView

Indices = NDArray[np.intp]
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


@dataclass(frozen=True)
class Found:
    """What one picture shows. ``unknown``: why by subject; ``hidden``: by subject the sites that something in front hides, of
    doubts that are only due to that; ``occluded``: sites something that is no piece lies or hangs over."""

    pieces: tuple[Put, ...]
    unknown: Mapping[str, str]
    hidden: Mapping[str, frozenset[str]]
    occluded: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Standing:
    """A pawn that may stand on a site: the pixels it covers, those well within its outline, and their log densities."""

    look: PieceLook
    group: Group
    spot: str
    mm: Point
    depth: float
    own: Indices
    core: Indices
    nats: Floats
    prior: float
    gain: float


@dataclass(frozen=True, eq=False)
class Lying:
    """A token that may lie on a site, with the likelihoods of its rivals there by look."""

    look: PieceLook
    group: Group
    spot: str
    mm: Point
    turn: float
    own: Indices
    gain: float
    fit: float
    visible: float


class Sites:
    """Outlines of all pieces on all sites they may lie on, in pictures in which the board lies as one registration says."""

    def __init__(
        self, board: Board, pieces: PieceSet, copy: TaughtCopy, grid: MatGrid, sight: Sightline, settings: PawnSettings
    ) -> None:
        self.board, self.pieces, self.copy, self.grid, self.sight, self.settings = board, pieces, copy, grid, sight, settings
        self.groups = groups(pieces)
        self.looks: dict[str, list[PieceLook]] = {}
        for look in looks(pieces):
            self.looks.setdefault(look.group, []).append(look)
        self.spots = {group.key: _spots(board, (*group.on, *group.strays)) for group in self.groups}
        self.at_home = {group.key: frozenset(_spots(board, group.on)) for group in self.groups}
        self.site = {spot: copy.site(board.mm(spot)) for spots in self.spots.values() for spot in spots}
        self._faint: frozenset[tuple[str, str]] | None = None
        self.per_nat = settings.alike_mm2 * grid.scale**2
        self.outlines: dict[tuple[str, str], tuple[Indices, Indices]] = {}
        self.rooms: dict[tuple[str, str], Indices] = {}
        core = PawnForm(copy.form.height * 0.97, copy.form.width * 0.8, copy.form.neck * 0.9, copy.form.head * 0.85)
        for group in self.groups:
            for spot in self.spots[group.key]:
                mm = self.site[spot]
                if group.shape == "pawn":
                    parts = [self.pixels(sight.pawn(mm, group, form)) for form in (copy.form, core)]
                    self.outlines[group.key, spot] = parts[0], parts[1]
                else:
                    self.rooms[group.key, spot] = self.pixels(sight.token(mm, group))

    def pixels(self, parts: "list[NDArray[np.float64]]") -> Indices:
        """The pixels (flat numbers) of the view within an outline."""
        return pixels(parts, self.grid.scale, self.grid.origin_mm, self.grid.size)

    def faint(self, view: BoardView) -> frozenset[tuple[str, str]]:
        """The looks of pawns with those of their sites where the bare print has the colours of their paint: a pawn there
        changes little."""
        if self._faint is None:
            homes = [(key, spot) for (key, spot), (own, _) in self.outlines.items() if spot in self.at_home[key] and len(own)]
            some = [self.outlines[home][0][::7] for home in homes]
            starts = np.cumsum([0, *map(len, some)])[:-1]
            colours = view.bare.lab.reshape(-1, 3)[np.concatenate(some)] if some else np.empty((0, 3), np.float32)
            level, found = np.float32(np.log(self.settings.hidden)) + NOWHERE, set()
            for name, paint in self.copy.paints.items():
                alike = np.add.reduceat(paint.density(colours, self.settings) > level, starts) if some else ()
                for (key, spot), count, own in zip(homes, alike, some, strict=True):
                    if any(name == look.key for look in self.looks[key]) and count > _ALIKE * len(own):
                        found.add((name, spot))
            self._faint = frozenset(found)
        return self._faint


def _spots(board: Board, kinds: Iterable[str]) -> tuple[str, ...]:
    wanted = frozenset(kinds)
    cells = [cell for cell in board.cells if board.kind(cell) in wanted]
    return (*cells, *(place.id for place in board.places.values() if place.kind in wanted))
