"""The one interface behind which marked and plain copies are read."""

from dataclasses import dataclass
from typing import Protocol

from companion.vision.camera import Registration
from companion.vision.frame import Frame
from companion.vision.observation import Observation
from companion.vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Traits:
    """What a reader can do, for whoever decides what to ask of it. ``enrols``: it learns the look of a side while a game is on.

    ``partial``: it can look again at some spots only, and tell how far the board has moved. ``incremental``: at a few spots it
    sees all that it would see there in a whole look, and strange things anywhere; where such a look finds nothing new, what
    changed was light or a nudge. ``spots_a_frame``: spots are costly to it, so many are looked at in one frame and the others
    in the next ones; None where they are not. ``learns``: it gets better by seeing tables read without doubt. ``taught``:
    it knows one copy as one camera sees it, and cannot read the pictures of another. ``at_once``: even a look at one spot costs
    it much, so what looks as it was is looked at seldom, and then all of it. ``recheck_s``: how soon it looks again at what
    looks as it was, where that is not the usual time.
    """

    partial: bool = False
    incremental: bool = False
    spots_a_frame: int | None = None
    learns: bool = False
    taught: bool = False
    enrols: bool = False
    at_once: bool = False
    recheck_s: float | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """``spots`` (ids of cells, places, zones) to be read afresh; everything else stays as in the look ``last``. The camera has
    not moved since."""

    last: Observation
    spots: frozenset[str]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a look at a region may cost: doubtful spots are looked at once more where they are among ``closely`` (None: all
    of the region's)."""

    closely: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """One side of a piece as it lies on the table now. ``told``: a person said so; else it follows from what was asked for and
    what was seen before, and the picture must speak for it as well."""

    piece: str
    place: str
    face: str
    facing: str | None = None
    told: bool = False


class Reader(Protocol):
    """Turns one picture into one :class:`Observation`. Readers that can do no more inherit the answers here."""

    @property
    def traits(self) -> Traits:
        """What this reader can do."""
        return Traits()

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        """Read the whole picture, or a ``region`` of it (asked only of a ``partial`` reader) within a ``budget``.

        ``prior`` is the last settled reading, for a whole look; clear evidence overrules it. Raises BadInput, one sentence, for
        a picture that cannot be used at all.
        """
        ...

    def displacement_px(self, frame: Frame, registration: Registration) -> float | None:
        """How far the board lies from where a registration says, in pixels; None when that cannot be told."""
        return None

    def learn(self, frame: Frame, observation: Observation) -> None:
        """Remember what of the bare board a look shows that was read without doubt; asked of one that ``learns``."""
        return

    def enrol(self, frame: Frame, observation: Observation, shown: Shown) -> str:
        """Learn how a side looks from the picture of an observation; asked of one that ``enrols``. Empty when it was learnt,
        else one sentence: why not."""
        return "this reader learns no looks"

    def forget(self, piece: str, face: str) -> bool:
        """Know no more of a side that was learnt while a game was on than before; whether there was such a one."""
        return False
