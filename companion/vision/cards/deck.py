"""A taught deck: which faces it has, how they are told, and how many cards show each."""

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.boards import PieceSet
from companion.vision.cards.faces import CardTeaching, DeckFace, deck_faces, patches
from companion.vision.cards.likeness import FaceBank
from companion.vision.cards.memory import LyingCard
from companion.vision.cards.settings import LikenessSettings


class Deck:
    """The cards of one game as they were taught; ``backs``: a bank of the backs alone."""

    def __init__(self, pieces: PieceSet, teaching: CardTeaching, settings: LikenessSettings) -> None:
        self.faces: tuple[DeckFace, ...] = deck_faces(pieces)
        self.size_mm = teaching.size_mm
        taught = patches(teaching, self.faces)
        self.bank = FaceBank(taught, self.size_mm, settings)
        self.backs = FaceBank([(face, patch) for face, patch in taught if self.faces[face].back], self.size_mm, settings)

    def spent(self, lying: Iterable[LyingCard]) -> frozenset[int]:
        """The faces of which as many cards lie there as the deck has; a deck made of the pile begins anew."""
        counts = Counter(card.face for card in lying)
        return frozenset(face for face, count in counts.items() if count >= len(self.faces[face].pieces))

    def piece_for(self, face: int, known: Iterable[LyingCard]) -> str:
        """A card that shows a face and is not counted yet; the last of them where the deck has no more."""
        used = {card.piece for card in known if card.face == face}
        among = self.faces[face].pieces
        return next((piece for piece in among if piece not in used), among[-1])

    def told_apart(self, cards: Sequence[LyingCard]) -> dict[int, str]:
        """The card that each one counts for (by its identity), so that none counts twice: what few cards show first,
        backs last, each the one it counted for before where it can. One that the deck has no card for is left out."""
        free = {piece for face in self.faces for piece in face.pieces}
        found: dict[int, str] = {}
        for card in sorted(cards, key=lambda card: len(self.faces[card.face].pieces)):
            among = self.faces[card.face].pieces
            piece = card.piece if card.piece in free else next((piece for piece in among if piece in free), None)
            if piece is not None:
                free.discard(piece)
                found[id(card)] = piece
        return found
