"""One picture of the mat as it is asked for cards: the view, the bare mat, and what shows where."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.vision.cards.changes import unlike
from companion.vision.cards.deck import Deck
from companion.vision.cards.masks import count
from companion.vision.cards.mat import MatAreas
from companion.vision.cards.match import Match
from companion.vision.cards.memory import LyingCard
from companion.vision.cards.settings import CardSettings
from companion.vision.cards.view import CardPose, Floats, MatGrid, Packed, unpacked
from companion.vision.frame import Mask

SHADE_MM = 3.0
"""How far about a card that lies there it changes the picture."""
_TINTED = 4.0
"""3..7 levels of colour (a or b) by which the middle of what is in sight of a card's place may be another than that of the mat
about it if that shows there. Of 1,146 cleared places, on 24 decks, it was 0.25 and less in nine of ten, 2.2 at most."""
_ABOUT_MM, _LEAST_ABOUT = (2.0, 8.0), 0.1
"""From where to where about a card the mat is asked for that, and how much of it, as a share of the card, must be in sight."""


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

    def bare_shows(self, pose: CardPose, face: int, hidden: Mask | None = None) -> bool:
        """Whether the bare mat shows where a card with a face lay, or may lie."""
        bank = self.deck.bank
        return bank.bare_shows(self.grid, self.view, pose, face, self.bare, hidden) and not self._tinted(pose, hidden)

    def _tinted(self, pose: CardPose, hidden: Mask | None) -> bool:
        """Whether what is in sight of a card's place has another tint than the mat about it: a page of one colour has, while
        light that has one falls on both. Of shade nothing is asked, for a hand's may end at the card."""
        open_ = self.areas.everywhere if hidden is None else self.areas.everywhere & ~hidden
        area, least, most = (self.area(pose, away) for away in (0.0, *_ABOUT_MM))
        within, about = area & open_, most & ~least & open_ & ~self.foreground
        if count(about) < _LEAST_ABOUT * count(area):
            return False
        now = np.median(self.view[within], axis=0) - np.median(self.view[about], axis=0)
        bare = np.median(unpacked(self.ground[within]), axis=0) - np.median(unpacked(self.ground[about]), axis=0)
        return bool(min(np.abs(step[1:]).max() for step in (now, now - bare)) > _TINTED)
