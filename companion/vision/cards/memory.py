"""What is known after a look at the mat, from which the next one goes on."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.vision.cards.beside import SeenBeside
from companion.vision.cards.view import CardPose, MatGrid, Packed
from companion.vision.frame import Mask
from companion.vision.observation import Observation


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card that was read and is followed: its face (a number), the card it counts for, where it lies, how surely it was read,
    and whether the camera was ``moved`` since it was seen there: its pose is a little amiss then."""

    face: int
    piece: str
    zone: str
    pose: CardPose
    confidence: float
    moved: bool = False


@dataclass(frozen=True, eq=False)
class Stranger:
    """Something that lies in a zone and was not told: where (pixels of the view), why, and whether it is none of the taught
    cards, a hand perhaps, rather than one of a few. ``upon``: upon how many of the zone's cards, once others cover it."""

    mask: Mask
    zone: str
    why: str
    hides: bool
    upon: int = 0


@dataclass(frozen=True, eq=False)
class CardMemory:
    """What is known after a look: the view (Lab) of it, the bare mat as far as it was seen (elsewhere its usual colour), the
    cards from the lowest up, what lies there untold, and what does so ``below`` cards that were laid upon it, nearly out of
    sight; ``beside``: what came into view beside the mat; ``stickers``: what was read there of pieces with stickers."""

    grid: MatGrid
    view: Packed
    bare: Packed
    cards: tuple[LyingCard, ...]
    strangers: tuple[Stranger, ...] = ()
    below: tuple[Stranger, ...] = ()
    beside: SeenBeside | None = None
    stickers: Observation | None = None

    def seen_by(self, grid: MatGrid, plain: Packed) -> "CardMemory":
        """The same as another ``grid`` has it, by which a camera that was moved sees the mat; ``plain``: its view of the mat as
        it usually looks, for what was out of the picture."""
        unseen = ~grid.mask_taken_over(self.grid.in_picture(), self.grid)
        view, bare = (grid.taken_over(kept, self.grid) for kept in (self.view, self.bare))
        for kept in (view, bare):
            kept[unseen] = plain[unseen]

        def seen(one: Stranger) -> Stranger:
            return replace(one, mask=grid.mask_taken_over(one.mask, self.grid))

        strangers, below = (tuple(seen(one) for one in many) for many in (self.strangers, self.below))
        return replace(self, grid=grid, view=view, bare=bare, strangers=strangers, below=below)

    @property
    def buried(self) -> Mapping[str, int]:
        """By zone, how many of its cards lie below the upmost one that was never told."""
        found: dict[str, int] = {}
        for one in self.below:
            found[one.zone] = max(one.upon, found.get(one.zone, 0))
        return found

    @property
    def doubtful(self) -> Mapping[str, Stranger]:
        """By zone, what lies there untold; of several the first."""
        return {one.zone: one for one in reversed(self.strangers)}

    @property
    def doubts(self) -> Mapping[str, str]:
        """By zone, why what lies there was not told."""
        return {zone: one.why for zone, one in self.doubtful.items()}
