"""What a reader makes of one picture: the reading, the registration of the board, and what is occluded."""

from dataclasses import dataclass, field

from companion.vision.camera import Registration
from companion.vision.reading import Reading


@dataclass(frozen=True)
class Observation:
    """``occluded`` are the ids of cells and places something lies or hangs over. ``registration`` is None when the board
    was not found; the reading then claims nothing."""

    reading: Reading
    registration: Registration | None = None
    occluded: frozenset[str] = frozenset()
    problems: tuple[str, ...] = field(default=())
    memory: object = field(default=None, compare=False, repr=False)
    """What its reader keeps of this look for the next one; nobody else's business."""
