"""What a reader makes of one picture: the reading, the registration of the board, and what is occluded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.boards import Point
from companion.vision.camera import Registration
from companion.vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Top:
    """The upmost card of a zone: where its middle lies (board mm), and whether its face is up, so that another one that shows
    the same may be laid upon it unseen."""

    at_mm: Point
    open: bool


@dataclass(frozen=True)
class Observation:
    """``occluded`` are the ids of cells and places something lies or hangs over. ``registration`` is None when the board
    was not found; the reading then claims nothing. ``tops``: by zone, the cards that lie upmost; zones in doubt are left
    out. ``beside``: masked zones, their owners' alone, in which a card has come to lie open; which one is not read."""

    reading: Reading
    registration: Registration | None = None
    occluded: frozenset[str] = frozenset()
    problems: tuple[str, ...] = field(default=())
    memory: object = field(default=None, compare=False, repr=False)
    """What its reader keeps of this look for the next one; nobody else's business."""
    tops: Mapping[str, Top] = field(default_factory=lambda: MappingProxyType({}))
    beside: frozenset[str] = frozenset()
