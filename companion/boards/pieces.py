"""The physical pieces of a game: what lies on the board, how tall it is, where it may lie, which stickers mark it.

The pieces come from the board file, so that cameras, teaching and printing need to know no game. A *group* says how its
pieces appear in a position's JSON:

``by-piece``  ``{"anna": {"hex": "g5", "side": "front"}}``
``by-place``  ``{"b2": 1, "f5": "blank"}`` (the label; of a tile whose sides differ, the side that is up)
``places``    ``["c2", "l12"]``
``value``     ``1`` (the value of the place where the one piece lies)
``pairs``     ``[["E4", "F3"], ["K14", "L15"]]`` (pieces that cover two touching cells; as a spot, ``"E4+F3"``)
``lone``      ``{"hex": "LIBERTY", "side": "talkative"}`` (the one piece of the group, entered without its name)
``by-zone``   ``{"row": ["anna", "back", "carl"]}`` (the cards of each zone in order; a side that several share by its name)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from companion.errors import BadInput

Label = int | str
LAYERS = MappingProxyType({"card": 0, "tile": 0, "hexagon": 0, "token": 1, "strip": 1, "disc": 2, "pawn": 3})
"""Shapes, by how far up they lie: cards and tiles on the board, tokens and strips on tiles, discs and pawns on all of them."""
NAMELESS = frozenset({"by-place", "places", "by-zone"})
"""Layouts in which a piece is entered without its name, so that several may share one side."""


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that are read and reported alike. ``key`` is the position's JSON key, ``singular`` names one in a message.

    ``on`` are the kinds of place where such a piece may lie; ``strays`` those where it may not, but is read as it lies when
    a hand put it there. ``cells`` is how many touching cells one piece covers. ``height_mm`` is how high the sticker lies over
    what the piece stands on, known to ``height_error_mm``. ``marker_at_mm``: the sticker's middle, seen from the piece's (x
    along the sticker's upper edge, y towards its lower one): a card carries it in a corner. ``covered_by``: the groups that may
    lie on such a piece, None for all that can; ``barred``: those of them that the rules keep off it. ``supply``: whether such
    pieces lie beside the board for parts of the game, so that one that is nowhere in sight need not be on the board.
    ``by_face``: whether cards go by what they show alone, in claims and in positions, and never by a copy's name, however many
    copies there are.
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
    marker_at_mm: tuple[float, float] = (0.0, 0.0)
    height_error_mm: float = 0.0
    covered_by: tuple[str, ...] | None = None
    supply: bool = False
    by_face: bool = False
    barred: tuple[str, ...] = ()

    @property
    def leaves(self) -> bool:
        """Whether such a piece may be off the board while a game goes on."""
        return self.supply or self.layout in ("by-place", "by-zone")

    @property
    def layer(self) -> int:
        """How far up such pieces lie, see :data:`LAYERS`."""
        return LAYERS[self.shape]

    def may_lie_below(self, other: "Group") -> bool:
        """Whether a piece of this group may lie under one of another."""
        return other.layer > self.layer and (self.covered_by is None or other.key in self.covered_by)


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
    """What one marker id stands for: a piece and the face that carries it.

    ``others``: further pieces with the same id on that face, an unreadable back say. Then it tells no piece.
    """

    marker: int
    piece: str
    face: str | None
    others: tuple[str, ...] = ()

    @property
    def pieces(self) -> tuple[str, ...]:
        """Every piece that carries it."""
        return (self.piece, *self.others)


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

    def telling_word(self, piece: str) -> str:
        """The last word of a piece's name; where another name of its group has that word, too, the last that no other has."""
        own = self.pieces[piece]
        words = own.name.split()
        others = {word for one in self.in_group(own.group) if one.name != own.name for word in one.name.split()}
        return next((word for word in reversed(words) if word not in others), words[-1])

    def group_of(self, piece: str) -> Group:
        """The group of a piece. Raises KeyError for a piece that is not in the set."""
        return self.groups[self.pieces[piece].group]

    @cached_property
    def movable(self) -> Group:
        """The discs that walk over the board's cells. Raises BadInput where there are none: an unmodified copy of such a game
        cannot be read."""
        discs = self._walking_discs
        if discs is None:
            raise BadInput("no discs walk over this board: only a copy with stickers can be read")
        return discs

    @cached_property
    def gauge(self) -> Group:
        """The group by which it is told how large pieces are in a picture: the discs that walk, else the smallest sticker."""
        return self._walking_discs or min(self.groups.values(), key=lambda group: group.marker_mm)

    @cached_property
    def _walking_discs(self) -> Group | None:
        return next((group for group in self.groups.values() if group.layout == "by-piece" and group.shape == "disc"), None)

    @cached_property
    def tallest_mm(self) -> float:
        """The height of the tallest piece."""
        return max((group.height_mm for group in self.groups.values()), default=0.0)

    def sharing(self, piece: str, face: str | None) -> tuple[str, ...]:
        """The pieces that a sticker on a face of a piece stands for, where it names none of them: where it stands for several,
        or cards go by their faces. Empty where it names one."""
        return self._shared.get((piece, face), ())

    @cached_property
    def _shared(self) -> Mapping[tuple[str, str | None], tuple[str, ...]]:
        return {
            (piece, sticker.face): sticker.pieces
            for sticker in self.stickers.values()
            if sticker.others or self.group_of(sticker.piece).by_face
            for piece in sticker.pieces
        }

    @cached_property
    def marker_ids(self) -> frozenset[int]:
        """Every marker id with a meaning on this table."""
        return frozenset(self.stickers) | frozenset(self.frame_markers)
