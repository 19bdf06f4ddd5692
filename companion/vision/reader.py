"""The one interface behind which marked and plain copies are read."""

from collections.abc import Collection
from typing import Protocol, runtime_checkable

from companion.vision.camera import Registration
from companion.vision.frame import Frame
from companion.vision.look import Look
from companion.vision.reading import Reading


class Reader(Protocol):
    """Turns one picture into one :class:`Look`. ``prior`` is the last settled reading; clear evidence overrules it."""

    def read(self, frame: Frame, prior: Reading | None = None) -> Look:
        """Read the whole picture. Raises BadInput, one sentence, for a picture that cannot be used at all."""
        ...


@runtime_checkable
class PartialReader(Reader, Protocol):
    """A reader that can look again at some places only, trusting an earlier look for the others."""

    def reread(self, frame: Frame, last: Look, spots: Collection[str]) -> Look:
        """Read ``spots`` (cell and place ids) afresh; everything else stays as in ``last``. The camera has not moved."""
        ...

    def displacement_px(self, frame: Frame, registration: Registration) -> float | None:
        """How far the frame markers lie from where a registration says, in pixels; None when none is in sight."""
        ...


@runtime_checkable
class ThoroughReader(PartialReader, Protocol):
    """A reader that sees at a few spots all that it would see there in a whole look, and strange things anywhere: where such a
    look finds nothing new, what changed was light or a nudge. Every spot is dear to it: ``spots_a_frame`` are looked at in one
    frame, the others in the next ones."""

    thorough: bool
    spots_a_frame: int

    def reread(self, frame: Frame, last: Look, spots: Collection[str], closely: Collection[str] | None = None) -> Look:
        """The same; doubtful spots are looked at once more where they are among ``closely`` (None: among ``spots``)."""
        ...


@runtime_checkable
class Learner(Protocol):
    """A reader that gets better by seeing tables it has read without doubt."""

    def learn(self, frame: Frame, look: Look) -> None:
        """Remember what of the bare board this look shows."""
        ...
