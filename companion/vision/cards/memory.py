"""What is known after a look at the mat, from which the next one goes on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.vision.cards.beside import SeenBeside
from companion.vision.cards.view import CardPose, MatGrid, Packed
from companion.vision.frame import Mask
from companion.vision.observation import Observation


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card that was read and is followed: its face (a number), the card it counts for, where it lies, and how surely it was
    read."""

    face: int
    piece: str
    zone: str
    pose: CardPose
    confidence: float


@dataclass(frozen=True, eq=False)
class Stranger:
    """Something that lies in a zone and was not told: where (pixels of the view), why, and whether it is none of the taught
    cards, a hand perhaps, rather than one of a few."""

    mask: Mask
    zone: str
    why: str
    hides: bool


@dataclass(frozen=True, eq=False)
class CardMemory:
    """What is known after a look: the view (Lab) of it, the bare mat as far as it was seen (elsewhere its usual colour), the
    cards from the lowest up, and what lies there untold. ``buried``: by zone, how many of its cards lie below one that was
    never told; ``beside``: what came into view beside the mat; ``stickers``: what was read there of pieces with stickers."""

    grid: MatGrid
    view: Packed
    bare: Packed
    cards: tuple[LyingCard, ...]
    strangers: tuple[Stranger, ...] = ()
    buried: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    beside: SeenBeside | None = None
    stickers: Observation | None = None

    @property
    def doubtful(self) -> Mapping[str, Stranger]:
        """By zone, what lies there untold; of several the first."""
        return {one.zone: one for one in reversed(self.strangers)}

    @property
    def doubts(self) -> Mapping[str, str]:
        """By zone, why what lies there was not told."""
        return {zone: one.why for zone, one in self.doubtful.items()}
