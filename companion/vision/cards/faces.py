"""What can be told of a deck by looking: its faces, each with the cards that show it; and what was taught of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.boards import Group, PieceSet, Point
from companion.vision.cards.view import Floats, cells, lab
from companion.vision.frame import Image

FINE = 2
"""How much finer than canonical a taught picture is kept."""


@dataclass(frozen=True, slots=True)
class DeckFace:
    """One look that a card of a deck can have. ``pieces``: the cards that show it, which nobody can tell apart by it; ``side``:
    the side of theirs that does. ``key`` names it in a profile, ``name`` in words. ``back``: most cards of its group show
    it."""

    key: str
    pieces: tuple[str, ...]
    side: str | None
    name: str
    group: str = ""
    back: bool = False

    @property
    def shared(self) -> bool:
        """Whether several cards show it."""
        return len(self.pieces) > 1


@dataclass(frozen=True, eq=False)
class TaughtFace:
    """A picture (BGR, FINE times canonical) of one face of a deck, in the light of its lesson."""

    key: str
    picture: Image

    @property
    def patch(self) -> Floats:
        """The canonical picture in Lab."""
        return cells(lab(self.picture), FINE)


@dataclass(frozen=True, eq=False)
class CardTeaching:
    """What a deck looks like on one table: pictures of its faces (several of one, where prints differ), all brought to the
    light in
    which the ground (the mat, the table) has the colour ``ground`` (BGR)."""

    board: str
    edition: str
    size_mm: Point
    ground: tuple[float, float, float]
    faces: tuple[TaughtFace, ...] = ()


def card_groups(pieces: PieceSet) -> tuple[Group, ...]:
    """The groups of cards that lie in zones."""
    return tuple(group for group in pieces.groups.values() if group.layout == "by-zone" and group.shape == "card")


def deck_faces(pieces: PieceSet) -> tuple[DeckFace, ...]:
    """What all cards of a game can show, in the order of the cards."""
    found: dict[str, DeckFace] = {}
    for group in card_groups(pieces):
        own = pieces.in_group(group.key)
        for piece in own:
            for side in piece.faces or (None,):
                among = pieces.sharing(piece.id, side) or (piece.id,)
                key = among[0] if side is None else f"{group.key}:{side}" if len(among) > 1 else f"{piece.id}:{side}"
                names = list(dict.fromkeys(pieces.pieces[one].name for one in among))
                name = names[0] if len(names) == 1 else f"{side} of the {group.key}"
                found.setdefault(key, DeckFace(key, among, side, name, group.key, len(among) > len(own) / 2 > 1))
    return tuple(found.values())


def patches(teaching: CardTeaching, faces: Sequence[DeckFace]) -> tuple[tuple[int, Floats], ...]:
    """The taught pictures, each with the number of the face that it shows."""
    numbers = {face.key: number for number, face in enumerate(faces)}
    return tuple((numbers[one.key], one.patch) for one in teaching.faces if one.key in numbers)
