"""What can be told of a deck by looking: its faces, each with the cards that show it; and what was taught of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group, PieceSet, Point
from companion.vision.cards.view import HEIGHT, WIDTH, Floats, cells, lab
from companion.vision.frame import Image

FINE = 2
"""How much finer than canonical a taught picture is kept."""


@dataclass(frozen=True, slots=True)
class DeckFace:
    """One look that a card of a deck can have. ``pieces``: the cards that show it, which nobody can tell apart by it; ``side``:
    the side of theirs that does. ``key`` names it in a profile, ``name`` in words."""

    key: str
    pieces: tuple[str, ...]
    side: str | None
    name: str

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
    """What a deck looks like on one table: pictures of its faces (several of one, where prints differ), all brought to the light in
    which the ground (the mat, the table) has the colour ``ground`` (BGR)."""

    board: str
    edition: str
    size_mm: Point
    ground: tuple[float, float, float]
    faces: tuple[TaughtFace, ...] = ()

    def with_face(self, face: TaughtFace, *, more: bool = False) -> "CardTeaching":
        """The same with a face taught anew, or with one ``more`` print of it."""
        kept = self.faces if more else tuple(one for one in self.faces if one.key != face.key)
        return replace(self, faces=(*kept, face))

    def lit(self, picture: Image, ground: NDArray[np.float32]) -> Image:
        """A picture taken where the ground had another colour, in the light of this teaching."""
        gain = np.asarray(self.ground, np.float32) / np.maximum(ground, 1.0)
        return np.asarray(np.clip(picture * gain, 0, 255), np.uint8)


def card_group(pieces: PieceSet) -> Group | None:
    """The group of cards that lie in zones; None where a game has none."""
    return next((group for group in pieces.groups.values() if group.layout == "by-zone" and group.shape == "card"), None)


def deck_faces(pieces: PieceSet, group: Group) -> tuple[DeckFace, ...]:
    """The faces of a deck, in the order of its cards."""
    found: dict[str, DeckFace] = {}
    for piece in pieces.in_group(group.key):
        for side in piece.faces or (None,):
            among = pieces.sharing(piece.id, side) or (piece.id,)
            key = f"{among[0]}:{side}" if side is not None else among[0]
            names = list(dict.fromkeys(pieces.pieces[one].name for one in among))
            name = names[0] if len(names) == 1 else str(side)
            found.setdefault(key, DeckFace(key, among, side, name))
    return tuple(found.values())


def upright(picture: Image) -> Image:
    """A picture of a card, FINE times canonical."""
    return np.asarray(cv2.resize(picture, (WIDTH * FINE, HEIGHT * FINE), interpolation=cv2.INTER_AREA), np.uint8)


def patches(teaching: CardTeaching, faces: Sequence[DeckFace]) -> tuple[tuple[int, Floats], ...]:
    """The taught pictures, each with the number of the face that it shows."""
    numbers = {face.key: number for number, face in enumerate(faces)}
    return tuple((numbers[one.key], one.patch) for one in teaching.faces if one.key in numbers)
