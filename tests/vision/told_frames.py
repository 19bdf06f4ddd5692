"""A watched table without pictures: the fold of the watcher is told what a camera and a perfect reader would have seen."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import nan

import numpy as np

from companion.boards import load
from companion.vision.camera import Lens, Registration
from companion.vision.observation import Observation
from companion.vision.reader import Traits
from companion.vision.reading import Reading, Sighting
from companion.vision.watching.fold import step
from companion.vision.watching.settings import WatchSettings
from companion.vision.watching.state import (
    Aim,
    Ask,
    Change,
    CheckPicture,
    CompareWithLook,
    FindTouched,
    FrameView,
    KeepPicture,
    MeasureDisplacement,
    MeasureUnexplained,
    Question,
    Step,
    TakeLook,
    WatchedTable,
    WatchState,
)  # fmt: skip

BOARD = load("mr-jack-london")
SIZE = (1280, 720)
STICKERS = Traits(partial=True, learns=True)
"""As the reader of marked tables: single spots cost little."""
COSTLY = Traits(partial=True, incremental=True, spots_a_frame=2)
"""As the reader of plain tables, with fewer spots a frame."""
AT_ONCE = Traits(partial=True, at_once=True)
WHOLE_ONLY = Traits()
"""A reader that can look at everything alone."""


def registered(aside_mm: float = 0.0, lens: tuple[int, int] = SIZE) -> Registration:
    """A board seen from straight above, ``aside_mm`` beside the middle of the picture."""
    width, height = BOARD.size_mm
    return Registration(Lens.guess(lens), np.eye(3), np.array([-width / 2 + aside_mm, -height / 2, 900.0]), 0.2)


HERE, AWAY, BESIDE = registered(), registered(60.0), registered(5.0)


@dataclass(frozen=True)
class Scene:
    """What a frame shows. ``holmes``: where a piece lies; ``hand``: the spots under a hand; ``moving``, ``shaken``, ``beside``:
    what moved since the frame before, ``trembling``: all of the picture did; ``at``: where the board lies, None while it is out
    of sight; ``untold``: a glance cannot tell where; ``everywhere``: what differs from the last look does so at all spots."""

    holmes: str = "g5"
    hand: frozenset[str] = frozenset()
    moving: bool = False
    shaken: bool = False
    trembling: bool = False
    beside: bool = False
    at: Registration | None = HERE
    untold: bool = False
    fault: str = ""
    unknown: tuple[str, ...] = ()
    nudged_mm: float = 0.0
    everywhere: bool = False
    size: tuple[int, int] = SIZE

    @cached_property
    def content(self) -> tuple[object, ...]:
        """What two pictures are compared by."""
        return self.holmes, self.hand, self.at, self.fault, self.unknown, self.nudged_mm, self.size

    def observed(self, at: float) -> Observation:
        """What a reader tells of the whole picture."""
        if self.at is None:
            return Observation(Reading((), {}, ("no markers of the board",), True, at, "told"), None, problems=("no markers",))
        x, y = BOARD.mm(self.holmes)
        sightings = (Sighting("holmes", self.holmes, "suspect", at_mm=(x + self.nudged_mm, y)),)
        told = () if self.holmes in self.hand else sightings
        unknown = dict.fromkeys(self.unknown, "glare") | ({"holmes": "a hand is over it"} if not told else {})
        return Observation(Reading(told, unknown, (), True, at, "told"), self.at, self.hand)


@dataclass
class ToldTable:
    """Runs the fold over scenes and keeps the only things the fold leaves to its caller: when the picture became still, and
    which picture the next ones are compared with."""

    traits: Traits = STICKERS
    settings: WatchSettings = field(default_factory=WatchSettings)
    state: WatchState = field(default_factory=WatchState)
    asked: list[Question] = field(default_factory=list)
    looks: list[tuple[float, Reading]] = field(default_factory=list)
    """Complete looks, the newest 8, with their times."""
    still_since: float | None = None
    kept: tuple[object, ...] | None = None

    @cached_property
    def table(self) -> WatchedTable:
        return WatchedTable(BOARD, self.traits, self.settings)

    def view(self, at: float, scene: Scene) -> FrameView:
        """What is told of a frame unasked."""
        moving = scene.moving or scene.shaken or scene.trembling
        if scene.size != self.state.size or moving or self.still_since is None:
            self.still_since = at
        motion = Change(0.9 if scene.shaken else 0.05 if moving or scene.beside else 0.0, moving, scene.beside, scene.trembling)
        return FrameView(at, scene.size, "told", motion, self.still_since)

    def show(self, at: float, scene: Scene, *, refuses: bool = False) -> Step | Ask:
        """One frame. ``refuses``: the reader cannot use the picture; what it was asked is returned then."""
        view, self.asked = self.view(at, scene), []
        done = step(self.state, view, self.table)
        while isinstance(done, Ask):
            assert done.question not in self.asked, "what was answered is not asked again"
            self.asked.append(done.question)
            if refuses and isinstance(done.question, TakeLook):
                self.state = done.state
                return done
            view = self._answered(view, done.question, at, scene)
            done = step(self.state, view, self.table)
        for effect in done.effects:
            if isinstance(effect, Aim | KeepPicture):
                self.kept = scene.content
        self.state = done.state
        return done

    def run(self, begin: float, scene: Scene, seconds: float, rate: float = 20.0) -> list[Step]:
        """The same scene for so long; what moves does so in every frame of it."""
        steps = [self.show(begin + number / rate, scene) for number in range(max(1, round(seconds * rate)))]
        return [one for one in steps if isinstance(one, Step)]

    def kinds(self) -> list[str]:
        """The questions about the last frame, by name; looks by what they are at."""
        return [one.answers if isinstance(one, TakeLook) else type(one).__name__ for one in self.asked]

    def _answered(self, view: FrameView, question: Question, at: float, scene: Scene) -> FrameView:
        match question:
            case CompareWithLook():
                differs = self.kept != scene.content
                return replace(view, change=Change(0.05 if differs else 0.0, differs))
            case CheckPicture():
                return replace(view, fault=scene.fault)
            case FindTouched():
                near = frozenset({"g5", scene.holmes}) | scene.hand
                return replace(view, touched=frozenset(BOARD.spots) if scene.everywhere else near)
            case MeasureUnexplained():
                return replace(view, unexplained_mm2=0.0)
            case MeasureDisplacement(known):
                return replace(view, displacement_px=nan if scene.untold else 0.0 if scene.at is known else 30.0)
            case TakeLook():
                observation = scene.observed(at)
                self.looks = [*self.looks[-7:], (at, observation.reading)]
                return view.with_look(question, observation)
