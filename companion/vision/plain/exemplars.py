"""The exemplars that a plain table was taught by: one patch of the user's own picture per piece and face."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Group, PieceSet, Point
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Image
from companion.vision.once import FoundOnce
from companion.vision.plain.discs import DiscFinder, rims_of
from companion.vision.plain.prepared_image import Patches, PreparedImage
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.stacks import BRIGHTEST, CLOSE_SCALE, coded
from companion.vision.plain.start import LaidPiece
from companion.vision.plain.surface import Floats
from companion.vision.plain.tiles import flat_shape

Json = Mapping[str, Any]
WHITE = 1.6
"""Reflectance that a stored patch can hold at most (street is 1)."""
TILE_PATCH_MM = 46.0


def patch_mm(group: Group, settings: PlainSettings) -> float:
    """Side of the square kept of a group's pieces: a strip over two cells needs a larger one than what lies on a cell."""
    if group.layout == "by-piece":
        return settings.surface.patch_mm
    return TILE_PATCH_MM if group.cells == 1 else max(group.size_mm) * 1.3


@dataclass(frozen=True, eq=False)
class Exemplar(FoundOnce):
    """One piece as it looked on this table: ``patch`` is a square of reflectances around its place, square-root coded;
    ``offset_mm`` is where the piece's middle lies in it. ``close`` is the same square of a labelled tile with
    ``CLOSE_SCALE`` samples per millimetre, coded as ``stacks.coded`` does: a white tile may be whiter than ``WHITE``.
    ``in_play``: it was not taught beforehand but learnt while a game was on."""

    piece: str
    place: str
    face: str | None
    facing: str | None
    patch: Image
    offset_mm: tuple[float, float] = (0.0, 0.0)
    close: Image | None = None
    in_play: bool = False

    @property
    def reflectance(self) -> Floats:
        """The patch in linear reflectance."""
        return _reflectance(self.patch)

    def close_reflectance(self, scale: float) -> Floats:
        """The close-up in linear reflectance; of a piece taught without one its patch, of ``scale`` samples per
        millimetre, drawn as large."""
        if self.close is not None:
            return np.asarray((self.close.astype(np.float32) / 255) ** 2 * BRIGHTEST, np.float32)
        side = round(self.patch.shape[0] / scale * CLOSE_SCALE)
        return np.maximum(cv2.resize(self.reflectance, (side, side), interpolation=cv2.INTER_CUBIC), 0).astype(np.float32)


def _reflectance(patch: Image) -> Floats:
    return np.asarray((patch.astype(np.float32) / 255) ** 2 * WHITE, np.float32)


def _coded(reflectance: Floats) -> Image:
    return np.asarray(np.clip(np.sqrt(np.clip(reflectance / WHITE, 0, 1)) * 255 + 0.5, 0, 255), np.uint8)


@dataclass(frozen=True, eq=False)
class Teaching:
    """Everything the plain reader needs to know of one copy on one table.

    ``empty`` is the picture of the bare board, ``registration`` where the board lies in it (with its lens),
    ``disc_mm`` the measured diameter of the round pieces, ``warnings`` what was odd about the pictures, ``white`` (0..1) how
    bright the board's brightest print is beside the brightest pieces, where these are brighter, ``shifts`` (mm, by kind) how
    far the places beside the cells lie from where the board file has them (``companion.vision.place_fit``). ``unturned``:
    movable pieces that looked as at the start where they should have shown their second sides: they were not turned over, or
    both sides look alike. ``alike``: those of them that looked less so than a first side does.
    """

    board: str
    edition: str
    empty: Image
    registration: Registration
    disc_mm: float
    exemplars: tuple[Exemplar, ...]
    warnings: tuple[str, ...] = ()
    white: float = 1.0
    shifts: Mapping[str, Point] = field(default_factory=dict)
    unturned: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()

    def fitted(self, board: Board) -> Board:
        """The board with its places where this printing has them."""
        return board.shifted(self.shifts)

    @property
    def lens(self) -> Lens:
        """The lens of the taught picture."""
        return self.registration.lens

    def of(self, piece: str) -> tuple[Exemplar, ...]:
        """The exemplars of one piece."""
        return tuple(exemplar for exemplar in self.exemplars if exemplar.piece == piece)


def labelled(group: Group, pieces: PieceSet) -> bool:
    """Whether the tiles of a group are told from one another by a label drawn on them, a number for instance; those with two
    sides are told by their sides."""
    members = pieces.in_group(group.key)
    return len({piece.label for piece in members}) > 1 and not any(piece.faces for piece in members)


def cut(
    prepared: PreparedImage,
    placements: Sequence[LaidPiece],
    group: Group,
    settings: PlainSettings,
    disc_mm: float,
    closely: bool,
) -> tuple[Exemplar, ...]:
    """Exemplars of the given pieces of one group out of a picture that shows them at known places; ``closely``: close-ups
    too."""
    if not placements:
        return ()
    walks = group.layout == "by-piece"
    centres = [place.mm for place in placements]
    patches = prepared.patches(centres, patch_mm(group, settings), group.height_mm)
    small = _coded(patches.seen)
    shape = flat_shape(group)
    if not walks:
        offsets = [
            shape.locate(seen, change, settings.surface.scale)
            for seen, change in zip(patches.seen, patches.change, strict=True)
        ]
    else:
        parallax_mm = prepared.parallax_mm(centres, group.height_mm)
        offsets = _offsets(_finder(patches, parallax_mm, disc_mm, settings), patches, parallax_mm)
    close: list[Image | None] = [None] * len(placements)
    if closely:
        every = range(len(placements))
        close = list(coded(prepared.closeups(centres, patch_mm(group, settings), group.height_mm, every, CLOSE_SCALE)))
    return tuple(
        Exemplar(place.piece, place.place, place.face, place.facing, patch, offset, closeup)
        for place, patch, offset, closeup in zip(placements, small, offsets, close, strict=True)
    )


def _offsets(finder: DiscFinder, patches: Patches, parallax_mm: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Where in their patches (mm from the middle) taught discs lie."""
    return [
        finder.locate(seen, change, parallax)
        for seen, change, parallax in zip(patches.seen, patches.change, parallax_mm, strict=True)
    ]


def _finder(patches: Patches, parallax_mm: NDArray[np.float64], disc_mm: float, settings: PlainSettings) -> DiscFinder:
    """A finder of discs which heeds the rims as far as these discs have them."""
    reach, scale, side = settings.evidence.reach_mm, settings.surface.scale, patches.seen.shape[1]
    finder = DiscFinder(disc_mm / 2, reach, scale, side)
    offsets = _offsets(finder, patches, parallax_mm)
    rims = rims_of([finder.unevenness(seen, offset) for seen, offset in zip(patches.seen, offsets, strict=True)])
    return finder if rims == 1 else DiscFinder(disc_mm / 2, reach, scale, side, rims)


def covered_discs(
    prepared: PreparedImage, placements: Sequence[LaidPiece], settings: PlainSettings, disc_mm: float
) -> list[LaidPiece]:
    """Those of the discs at known places over which something else lies: a hand, an arm."""
    if not placements:
        return []
    centres, height_mm = [place.mm for place in placements], placements[0].height_mm
    patches = prepared.patches(centres, settings.surface.patch_mm, height_mm)
    parallax_mm = prepared.parallax_mm(centres, height_mm)
    finder = _finder(patches, parallax_mm, disc_mm, settings)
    return [
        place
        for place, seen, change, parallax in zip(placements, patches.seen, patches.change, parallax_mm, strict=True)
        if not finder.look(seen, change, parallax).in_sight
    ]


def whiteness(prepared: PreparedImage, discs: Sequence[LaidPiece]) -> float:
    """How bright the board's brightest print is beside the brightest of the discs at known places: 1 where no two are
    brighter. On a dark print pieces would otherwise be burnt out, and yellow and orange look the same."""
    side, height = min(discs[0].size_mm) * 0.7, discs[0].height_mm
    middles = np.median(prepared.patches([place.mm for place in discs], side, height).seen.max(axis=-1), axis=(1, 2))
    second = float(np.sort(middles)[-2:][0])  # one alone may have glare on it
    return min(1.0, WHITE / max(second, 1e-3))


def measure_disc(prepared: PreparedImage, placements: Sequence[LaidPiece], group: Group, settings: PlainSettings) -> float:
    """Diameter (mm) of the round pieces: the circle that parts two colours most clearly and has an even rim just inside."""
    patches = prepared.patches([place.mm for place in placements], settings.surface.patch_mm, group.height_mm)
    parallax_mm = prepared.parallax_mm([place.mm for place in placements], group.height_mm)
    nominal = group.size_mm[0] / 2
    reach, scale = settings.evidence.reach_mm, settings.surface.scale
    about = DiscFinder(nominal, reach, scale, patches.seen.shape[1])
    offsets = _offsets(about, patches, parallax_mm)
    radii = np.arange(nominal - 2.5, nominal + 2.51, 0.25)
    clear = [
        sum(
            DiscFinder(radius, reach, scale, patches.seen.shape[1]).clearest(seen, change, offset, parallax)
            for seen, change, parallax, offset in zip(patches.seen, patches.change, parallax_mm, offsets, strict=True)
        )
        for radius in radii
    ]
    return float(2 * radii[int(np.argmax(clear))])
