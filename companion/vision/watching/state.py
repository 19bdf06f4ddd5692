"""The values of the watcher's fold: its state between two frames, what it is told of a frame, what it asks for, what comes out.

None of them holds a picture. The small pictures that frames are compared with lie beside the fold, in the watcher that runs it;
an observation carries what its reader keeps for the next look (``Observation.memory``), which the fold hands back and never
opens.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar, Literal, TypeVar

from companion.boards import Board, Point
from companion.vision.camera import Registration
from companion.vision.observation import Observation
from companion.vision.pointing import Holding, PointerLook
from companion.vision.reader import Budget, Region, Traits
from companion.vision.reading import Reading
from companion.vision.watching.board_shift import BoardShift
from companion.vision.watching.frame_analysis import FrameAnalysis
from companion.vision.watching.pose import BoardPose
from companion.vision.watching.settings import WatchSettings

Answer = TypeVar("Answer")
NEVER = float("-inf")
"""The time of what has not happened yet."""


@dataclass(frozen=True)
class WatchedTable:
    """What stays the same while a table is watched."""

    board: Board
    traits: Traits
    settings: WatchSettings = field(default_factory=WatchSettings)

    @cached_property
    def spots(self) -> tuple[str, ...]:
        """The ids of everything that can be looked at."""
        return tuple(self.board.spots)

    @property
    def least_mm2(self) -> float:
        """The smallest change (mm² of the board) that counts."""
        return self.settings.motion.least * self.board.spacing_mm**2

    @property
    def still_mm(self) -> float:
        """How far (mm) a piece may seem to move between two readings that agree."""
        share = self.settings.found if self.traits.incremental else self.settings.still
        return share * self.board.spacing_mm


# --- states -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Waited:
    """The last look before something moved for a moment: its ``reading``, in doubt since ``since`` (s). ``covered``: something
    lay over the board."""

    reading: Reading
    since: float
    covered: bool


@dataclass(frozen=True, slots=True)
class Looks:
    """What was seen since nothing moves any more, and waits to be confirmed.

    ``pending``: at most ``WatchSettings.readings`` looks that agree, the first of them, or of those they differ from in doubts
    only, taken at ``since``. ``flickers``: how many times in a row two looks differed in doubts only; ``found_before``: the
    reading before the pending ones where a disc's edge is found at two places by turns. ``agreed``: enough looks agreed once.
    ``part``: a look of which spots are left for the next frame, with those already read. ``waited``: before the first look,
    what had been seen before the moment in which something moved.
    """

    pending: tuple[Observation, ...] = ()
    since: float = 0.0
    flickers: int = 0
    found_before: Reading | None = None
    agreed: bool = False
    part: tuple[Observation, frozenset[str]] | None = None
    waited: Waited | None = None


@dataclass(frozen=True, slots=True)
class Beginning:
    """No frame has come yet."""


@dataclass(frozen=True, slots=True)
class Moving:
    """Something moves over the board, or the whole picture does, since ``since`` (s): nothing is read. ``waited``: what had
    been seen before."""

    since: float = NEVER
    waited: Waited | None = None


@dataclass(frozen=True, slots=True)
class Settling:
    """Nothing has moved since ``quiet_since`` (s); looks are taken until enough of them agree."""

    quiet_since: float
    looks: Looks = Looks()
    doubtful: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Doubtful:
    """As :class:`Settling`, and the last look was in doubt: something may lie over the board. Looks are taken less often."""

    quiet_since: float
    looks: Looks = Looks()
    doubtful: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Searching:
    """As :class:`Settling`, and the last look did not find the board."""

    quiet_since: float
    looks: Looks = Looks()
    doubtful: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class AtRest:
    """Nothing differs from the look that settled last, and nothing has moved since ``quiet_since`` (s). ``doubtful``: that look
    settled in spite of its doubts."""

    quiet_since: float
    doubtful: bool = False


Looking = Settling | Doubtful | Searching
Quiet = Looking | AtRest
Phase = Beginning | Moving | Quiet


@dataclass(frozen=True, slots=True)
class Beside:
    """What goes on moving beside the board and never on it: ``since`` when, last ``at``, and whether it is left out of account
    (``board_only``)."""

    since: float | None = None
    at: float = NEVER
    board_only: bool = False


@dataclass(frozen=True, slots=True)
class Unrest:
    """How long the picture has not been quiet: ``since`` when (s), how many ``frames`` changed and how many of them
    ``everywhere``, and whether that was ``said``."""

    since: float | None = None
    frames: int = 0
    everywhere: int = 0
    said: bool = False


@dataclass(frozen=True, slots=True)
class WatchState:
    """All that the watcher knows between two frames. Times in seconds of the source's clock.

    ``phase``: what goes on over the table; ``pose``: where the board lies; ``shift``: how far from its stickers; ``beside``:
    what moves beside it; ``unrest``: for how long it has not been quiet. ``look`` settled last, ``settled`` is its reading as
    it was told. ``occluded``: something lay over the board in the last look.

    ``aimed_anew``: the board was found elsewhere since ``look``. ``to_learn``: ``look`` is free of doubts and the reader was
    not shown it yet. ``read_all``: the last complete look was one at everything. ``read_at``, ``whole_at``, ``checked_at``,
    ``based_at``: when a look was taken last, one at everything, the frame markers checked, the picture of the last look
    renewed, ``verified_at`` a spot that looks as it was read again, ``bare_at`` the picture with no hand in it. ``holding``:
    what is pointed at so far. ``hands``: by zone, on how many frames since ``look`` something was over its upmost card.
    ``tick``, ``turn``: which quiet frame this is (modulo ``verify_every``) and which spot is read again next.
    ``beside_said``: by masked zone, when it was last said, or seen, that cards lie open there.
    """

    size: tuple[int, int] = (0, 0)
    phase: Phase = Beginning()
    pose: BoardPose = field(default_factory=BoardPose)
    shift: BoardShift = field(default_factory=BoardShift)
    beside: Beside = Beside()
    unrest: Unrest = Unrest()
    look: Observation | None = None
    settled: Reading | None = None
    occluded: bool = False
    aimed_anew: bool = False
    to_learn: bool = False
    read_all: bool = False
    read_at: float = NEVER
    whole_at: float = NEVER
    checked_at: float = NEVER
    verified_at: float = NEVER
    based_at: float = NEVER
    bare_at: float = NEVER
    holding: Holding = field(default_factory=Holding)
    tick: int = 0
    turn: int = 0
    hands: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    beside_said: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


# --- one frame ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """How much differs between two pictures. ``share`` of the watched region (0..1); ``matters``: enough to be a piece;
    ``beside``: enough beside the board and too little on it; ``everywhere``: enough, and all over the picture, as what
    a camera changes that trembles or has too little light."""

    share: float = 0.0
    matters: bool = False
    beside: bool = False
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class FrameView:
    """What is known of one frame. The first six are told of every frame, the others once they were asked for.

    ``asked``: the places that may be pointed at now, empty where nobody is asked.
    ``motion``: what moved since the frames before, ``still_since`` the time of the first frame that equals this one.
    ``change``: what differs from the picture of the last look; ``touched``: the spots it touches; ``unexplained_mm2``: how
    much of it lies elsewhere. ``fault``: why the picture cannot be used, empty where it can. ``displacement_px``: how far
    the board lies from where it was found, not a number where that cannot be told. ``covered``: the zones over whose upmost
    card something is. ``again``, ``region``, ``whole``: what the reader saw
    at a spot at rest, at some spots, everywhere. ``pointer``: what the frame shows of a finger.
    """

    at: float
    size: tuple[int, int]
    source: str = ""
    motion: Change = Change()
    still_since: float = 0.0
    asked: tuple[str, ...] = ()
    change: Change | None = None
    fault: str | None = None
    touched: frozenset[str] | None = None
    unexplained_mm2: float | None = None
    displacement_px: float | None = None
    covered: frozenset[str] | None = None
    again: Observation | None = None
    region: Observation | None = None
    whole: Observation | None = None
    pointer: PointerLook | None = None

    def with_look(self, asked: "TakeLook", observation: Observation) -> "FrameView":
        """The view with what the reader saw."""
        match asked.answers:
            case "again":
                return replace(self, again=observation)
            case "region":
                return replace(self, region=observation)
            case "whole":
                return replace(self, whole=observation)


@dataclass(frozen=True, slots=True)
class CompareWithLook:
    """What differs from the picture of the last look (``FrameView.change``)?"""

    board_only: bool


@dataclass(frozen=True, slots=True)
class CheckPicture:
    """Can the picture be used (``fault``)?"""


@dataclass(frozen=True, slots=True)
class FindTouched:
    """Which spots does the change touch (``touched``)? Those next to them as well, or with ``reach_mm`` those so near it."""

    reach_mm: float | None


@dataclass(frozen=True, slots=True)
class MeasureUnexplained:
    """How much of the change lies away from the places where pieces changed, those next to them, and ``besides``
    (``unexplained_mm2``)?"""

    changed: frozenset[str]
    besides: frozenset[str]


@dataclass(frozen=True, slots=True)
class MeasureDisplacement:
    """How far does the board lie from where it was found (``displacement_px``)?"""

    known: Registration


@dataclass(frozen=True, slots=True)
class FindCovered:
    """Over which of these places, by zone (board mm), is something (``covered``)?"""

    middles: Mapping[str, Point]
    within_mm: float


@dataclass(frozen=True, slots=True)
class TakeLook:
    """What does the reader see (the field that ``answers`` names)? The other fields as in :meth:`Reader.read`."""

    answers: Literal["again", "region", "whole"]
    prior: Reading | None = None
    region: Region | None = None
    budget: Budget | None = None


@dataclass(frozen=True, slots=True)
class FindPointer:
    """What does the frame show of a finger over these places (``pointer``)?"""

    asked: tuple[str, ...]


Question = (
    FindPointer
    | CompareWithLook
    | CheckPicture
    | FindTouched
    | MeasureUnexplained
    | MeasureDisplacement
    | FindCovered
    | TakeLook
)


@dataclass(frozen=True, slots=True)
class Aim:
    """Watch the picture where a registration puts the board, and keep this frame's picture to compare the next ones with."""

    registration: Registration


@dataclass(frozen=True, slots=True)
class KeepPicture:
    """Compare the next frames with this frame's picture."""


@dataclass(frozen=True, slots=True)
class KeepBare:
    """This frame's picture has no hand in it: fingers are told from it. ``registration``: where the board lies in it."""

    registration: Registration


@dataclass(frozen=True, slots=True)
class Learn:
    """Let the reader learn from a look that was read without doubt."""

    observation: Observation


Effect = Aim | KeepPicture | KeepBare | Learn


@dataclass(frozen=True, slots=True)
class Ask:
    """The next thing that has to be known of this frame. ``state`` holds if it cannot be answered: a reader may refuse a
    picture."""

    question: Question
    state: WatchState


@dataclass(frozen=True, slots=True)
class Step:
    """The state after a frame, what is to be told of it, and what is to be done, in order."""

    state: WatchState
    analysis: FrameAnalysis
    effects: tuple[Effect, ...] = ()


class Unanswered(Exception):
    """Ends the work on a frame of which something has to be known first. It never leaves the fold."""

    def __init__(self, ask: Ask) -> None:
        super().__init__(ask)
        self.ask = ask


def answer(given: Answer | None, question: Question, state: WatchState) -> Answer:
    """What is known of a frame. Raises Unanswered where that has to be asked; ``state`` holds if there is no answer."""
    if given is None:
        raise Unanswered(Ask(question, state))
    return given
