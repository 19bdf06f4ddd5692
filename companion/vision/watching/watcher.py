"""Watch a table over time: act only on what has settled, look only where something changed.

One frame's way: shrink it and compare with the frames before (*motion gate*) and with the last look (*change*). While
something moves nothing is read. Once quiet, the changed spots are read; a reading counts when it came out the same several
times and nothing moved for a while (*settle rule*). A look in which something lies over the board waits (*hand gate*). When
nothing changes, single spots are read again in turn, and the frame markers are checked for a camera that crept away.

All that is decided is decided by a pure fold (:mod:`.fold`) over frozen states (:mod:`.state`). The watcher runs
it: it does the costly work that the fold asks for, and keeps the small pictures that frames are compared with.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import assert_never

from companion.boards import Board
from companion.vision.faults import frame_fault
from companion.vision.frame import Frame, Image
from companion.vision.observation import Observation
from companion.vision.pointing.finder import PointerFinder
from companion.vision.reader import Reader
from companion.vision.reflections import BurntSites
from companion.vision.watching.fold import step
from companion.vision.watching.frame_analysis import FrameAnalysis
from companion.vision.watching.motion import ImageChange, MotionGate
from companion.vision.watching.settings import WatchSettings
from companion.vision.watching.state import (
    Aim,
    Ask,
    Change,
    CheckPicture,
    CompareWithLook,
    Effect,
    FindCovered,
    FindPointer,
    FindTouched,
    FrameView,
    KeepBare,
    KeepPicture,
    Learn,
    MeasureDisplacement,
    MeasureUnexplained,
    Question,
    TakeLook,
    WatchedTable,
    WatchState,
)  # fmt: skip

__all__ = ["WatchSettings", "Watcher"]


class Watcher:
    """Turns frames into settled readings. One per camera; frames in the order they were captured."""

    def __init__(self, reader: Reader, board: Board, settings: WatchSettings | None = None) -> None:
        self._reader = reader
        self._table = WatchedTable(board, reader.traits, settings or WatchSettings())
        self._state = WatchState()
        self._gate: MotionGate | None = None
        self._burnt = BurntSites(board)
        self._asked: tuple[str, ...] = ()
        self._kept: Image | None = None  # the small picture of the last look
        self._fingers: PointerFinder | None = None

    @property
    def state(self) -> WatchState:
        """What is known after the last frame."""
        return self._state

    def ask(self, places: Sequence[str]) -> None:
        """Which spots of the board may be pointed at from now on; none where nobody is asked."""
        self._asked = tuple(dict.fromkeys(places))

    def see(self, frame: Frame) -> FrameAnalysis:
        """Take in one frame. Raises what the reader raises for a picture that cannot be used at all."""
        if self._gate is None or frame.size != self._state.size:
            self._gate = MotionGate(frame.size, self._table.board, self._table.settings.motion)
            self._fingers = PointerFinder(self._gate, self._table.board, self._table.settings)
        assert self._fingers is not None, "made with the gate"
        work = _FrameWork(self._reader, self._burnt, self._gate, self._kept, frame, self._fingers)
        view = replace(work.view(board_only=self._state.beside.board_only), asked=self._asked)
        done = step(self._state, view, self._table)
        while isinstance(done, Ask):
            try:
                view = work.answered(view, done.question)
            except Exception:
                self._state = done.state
                raise
            done = step(self._state, view, self._table)
        self._state, self._kept = done.state, work.carried_out(done.effects)
        return done.analysis


class _FrameWork:
    """The costly work on one frame: comparing pictures, reading. ``kept``: the small picture of the last look."""

    def __init__(
        self,
        reader: Reader,
        burnt: BurntSites,
        gate: MotionGate,
        kept: Image | None,
        frame: Frame,
        fingers: PointerFinder,
    ) -> None:
        self._reader, self._burnt, self._gate, self._kept = reader, burnt, gate, kept
        self._frame, self._fingers = frame, fingers
        self._thumb = gate.thumb(frame.image)
        self._change: ImageChange | None = None

    def view(self, *, board_only: bool) -> FrameView:
        """What the fold is told of every frame. ``board_only``: what moves beside the board is left out of account."""
        gate, frame = self._gate, self._frame
        motion = gate.moving(self._thumb, frame.captured_at, board_only=board_only)
        return FrameView(frame.captured_at, frame.size, frame.source, self._measured(motion), gate.still_since)

    def answered(self, view: FrameView, question: Question) -> FrameView:
        """The view with what was asked for."""
        gate, frame = self._gate, self._frame
        match question:
            case FindPointer(asked):
                view = replace(view, pointer=self._fingers.look(frame.image, asked))
            case CompareWithLook(board_only):
                assert self._kept is not None, "the last look was taken of a picture"
                self._change = gate.compare(self._kept, self._thumb, board_only=board_only)
                view = replace(view, change=self._measured(self._change))
            case CheckPicture():
                view = replace(view, fault=frame_fault(frame.image) or "")
            case FindTouched(reach_mm):
                change = self._compared()
                view = replace(view, touched=gate.spots(change) if reach_mm is None else gate.reached(change, reach_mm))
            case MeasureUnexplained(changed, besides):
                explained = gate.with_neighbours(changed) | besides
                view = replace(view, unexplained_mm2=gate.unexplained_mm2(self._compared(), explained))
            case FindCovered(middles, within_mm):
                view = replace(view, covered=gate.covered(self._compared(), middles, within_mm))
            case MeasureDisplacement(known):
                off = self._reader.displacement_px(frame, known)
                view = replace(view, displacement_px=nan if off is None else off)
            case TakeLook() as look:
                view = view.with_look(look, self._with_burnt(self._reader.read(frame, look.prior, look.region, look.budget)))
            case _:
                assert_never(question)
        return view

    def carried_out(self, effects: tuple[Effect, ...]) -> Image | None:
        """Do what is to be done; returns the small picture that the next frames are compared with."""
        for effect in effects:
            match effect:
                case Aim(registration):
                    self._gate.aim(registration)
                    self._thumb = self._kept = self._gate.thumb(self._frame.image)
                    self._gate.moving(self._thumb, self._frame.captured_at)
                case KeepPicture():
                    self._kept = self._thumb
                case KeepBare(registration):
                    self._fingers.keep(self._frame.image, registration)
                case Learn(observation):
                    self._reader.learn(self._frame, observation)
                case _:
                    assert_never(effect)
        return self._kept

    def _with_burnt(self, observation: Observation) -> Observation:
        """The same, where something is unknown with the sites that the light has burnt out."""
        reading, found = observation.reading, observation.registration
        if not reading.unknown or found is None:
            return observation
        burnt = self._burnt.of(self._frame.image, found)
        return replace(observation, reading=replace(reading, burnt=burnt)) if burnt else observation

    def _measured(self, change: ImageChange) -> Change:
        gate = self._gate
        return Change(change.share, gate.matters(change), gate.beside(change), gate.everywhere(change))

    def _compared(self) -> ImageChange:
        assert self._change is not None, "what changed is asked first"
        return self._change
