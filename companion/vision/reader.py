"""The one interface behind which marked and plain copies are read."""

from collections.abc import Collection
from typing import Protocol, runtime_checkable

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
