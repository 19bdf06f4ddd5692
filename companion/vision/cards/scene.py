"""One picture of the mat as it is asked for cards: the view, the bare mat, and what shows where."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.vision.cards.changes import unlike
from companion.vision.cards.deck import Deck
from companion.vision.cards.mat import MatAreas
from companion.vision.cards.match import Match
from companion.vision.cards.memory import LyingCard
from companion.vision.cards.settings import CardSettings
from companion.vision.cards.view import CardPose, Floats, MatGrid, Packed, unpacked
from companion.vision.frame import Mask

SHADE_MM = 3.0
"""How far about a card that lies there it changes the picture."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A ``view`` (Lab) of the mat, and of the mat without any card (``ground``) as far as that is known, else in its usual
    colour (``plain``, 1×1×3)."""

    deck: Deck
    areas: MatAreas
    view: Floats
    ground: Packed
    plain: Floats
    settings: CardSettings

    @property
    def grid(self) -> MatGrid:
        """By which the mat is seen from above."""
        return self.areas.grid

    @property
    def bare(self) -> tuple[Packed, Floats]:
        """How the mat without any card may look: as it is known, and in its usual colour, for a white card that was laid on a
        white mat unseen is known as bare mat."""
        return self.ground, self.plain

    @property
    def nothing(self) -> Mask:
        """No pixel at all."""
        return np.zeros(self.view.shape[:2], np.bool_)

    @cached_property
    def foreground(self) -> Mask:
        """What is not the bare mat, as far as that is known, else not its usual colour."""
        return unlike(self.view, unpacked(self.ground), self.settings.landing) & self.areas.everywhere

    def area(self, pose: CardPose, grow_mm: float = 0.0) -> Mask:
        """The pixels of a card that lies so."""
        return self.grid.polygon(pose.corners_mm(self.deck.size_mm, grow_mm))

    def covered(self, cards: Iterable[LyingCard]) -> Mask:
        """The pixels of some cards and about them."""
        found = self.nothing
        for card in cards:
            found |= self.area(card.pose, SHADE_MM)
        return found

    def agreement(self, card: LyingCard, within: Mask) -> float:
        """How much a part of the view looks as if a card lay there open, 0..1."""
        return self.deck.bank.agreement(self.grid, self.view, card.pose, card.face, within)

    def match(self, poses: Sequence[CardPose], hidden: Mask | None = None, known: Iterable[LyingCard] = ()) -> Match | None:
        """What shows at one of some poses; a face of which all cards are ``known`` to lie elsewhere is less likely."""
        spent = dict.fromkeys(self.deck.spent(known), self.settings.likeness.spent)
        return self.deck.bank.match(self.grid, self.view, poses, hidden, spent, self.bare) if poses else None
