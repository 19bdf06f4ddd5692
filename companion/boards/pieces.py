"""The physical pieces of a game: what lies on the board, how tall it is, where it may lie, which stickers mark it.

The pieces come from the board file, so that cameras, teaching and printing need to know no game. A *group* says how its
pieces appear in a position's JSON:

``by-piece``  ``{"holmes": {"hex": "g5", "side": "suspect"}}``
``by-place``  ``{"b2": 1, "f5": "blank"}`` (the label; of a tile whose sides differ, the side that is up)
``places``    ``["c2", "l12"]``
``value``     ``1`` (the value of the place where the one piece lies)
``pairs``     ``[["E4", "F3"], ["K14", "L15"]]`` (pieces that cover two touching cells; as a spot, ``"E4+F3"``)
``lone``      ``{"hex": "LIBERTY", "side": "talkative"}`` (the one piece of the group, entered without its name)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

Label = int | str


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that are read and reported alike. ``key`` is the position's JSON key, ``singular`` names one in a message.

    ``on`` are the kinds of place where such a piece may lie; ``strays`` those where it may not, but is read as it lies when
    a hand put it there. ``cells`` is how many touching cells one piece covers.
    """

    key: str
    singular: str
    shape: str
    layout: str
    size_mm: tuple[float, float]
    height_mm: float
    on: tuple[str, ...]
    marker_mm: float
    quiet_mm: float
    cells: int = 1
    strays: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """One physical piece. ``faces`` are its sides (empty when both look alike), ``facing`` says whether it looks some way,
    ``wedge`` that a light wedge printed on it shows which, ``label`` is what its tile shows."""

    id: str
    group: str
    name: str
    faces: tuple[str, ...] = ()
    facing: bool = False
    label: Label | None = None
    colour: str | None = None
    wedge: bool = False


@dataclass(frozen=True, slots=True)
class Sticker:
    """What one marker id stands for: a piece and the face that carries it."""

    marker: int
    piece: str
    face: str | None


@dataclass(frozen=True, slots=True)
class FrameMarker:
    """A sticker lying beside the board: centre in board millimetres, height above the board's surface."""

    marker: int
    corner: str
    centre_mm: tuple[float, float]
    height_mm: float
    side_mm: float
    quiet_mm: float


@dataclass(frozen=True)
class PieceSet:
    """Everything that may lie on the board, with its stickers."""

    groups: Mapping[str, Group]
    pieces: Mapping[str, Piece]
    dictionary: str
    stickers: Mapping[int, Sticker]
    frame_markers: Mapping[int, FrameMarker]
    frame_tolerance_mm: float

    def in_group(self, key: str) -> tuple[Piece, ...]:
        """The pieces of one group, in the board file's order."""
        return tuple(piece for piece in self.pieces.values() if piece.group == key)

    def group_of(self, piece: str) -> Group:
        """The group of a piece. Raises KeyError for a piece that is not in the set."""
        return self.groups[self.pieces[piece].group]

    @cached_property
    def walkers(self) -> Group:
        """The discs that walk over the board's cells."""
        return next(group for group in self.groups.values() if group.layout == "by-piece" and group.shape == "disc")

    @cached_property
    def marker_ids(self) -> frozenset[int]:
        """Every marker id with a meaning on this table."""
        return frozenset(self.stickers) | frozenset(self.frame_markers)
