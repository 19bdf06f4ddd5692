"""Watch a table over time: act only on what has settled, look only where something changed.

One frame's way: shrink it and compare with the frames before (*motion gate*) and with the last look (*change*). While
something moves nothing is read. Once quiet, the changed spots are read; a reading counts when it came out the same several
times and nothing moved for a while (*settle rule*). A look in which something lies over the board waits (*hand gate*). When
nothing changes, single spots are read again in turn, and the frame markers are checked for a camera that crept away.
"""

from collections.abc import Collection
from dataclasses import replace
from itertools import cycle

import numpy as np

from companion.boards import PAIR, Board
from companion.vision.board_shift import BoardShiftDetector
from companion.vision.faults import frame_fault
from companion.vision.frame import Frame, Image
from companion.vision.frame_analysis import FrameAnalysis, Notice
from companion.vision.motion import ImageChange, MotionGate
from companion.vision.observation import Observation
from companion.vision.pose_watch import PoseWatch
from companion.vision.reader import Budget, Reader, Region
from companion.vision.reading import Reading
from companion.vision.reading_comparison import changed_spots, differ_in_doubts, doubts_more, same_claims, what_both_claim
from companion.vision.watch_settings import WatchSettings

__all__ = ["WatchSettings", "Watcher"]


class Watcher:
    """Turns frames into settled readings. One per camera; frames in the order they were captured."""

    def __init__(self, reader: Reader, board: Board, settings: WatchSettings | None = None) -> None:
        self._reader, self._board = reader, board
        self._settings = settings or WatchSettings()
        self._gate: MotionGate | None = None
        self._size = (0, 0)
        self._base: Image | None = None
        self._look: Observation | None = None
        self._settled: Reading | None = None
        self._pending: list[Observation] = []
        self._pending_since = 0.0
        self._part: tuple[Observation, frozenset[str]] | None = None
        self._flickers = 0
        self._found_before: Reading | None = None
        self._read_all = False
        self._quiet_since: float | None = None
        self._pose = PoseWatch(reader, board, self._settings)
        self._aimed_anew = False
        self._slide = BoardShiftDetector(board.spacing_mm)
        self._checked_at = self._based_at = -np.inf
        self._occluded = self._doubtful = self._to_learn = self._agreed = False
        self._read_at = self._whole_at = -np.inf
        self._beside_since: float | None = None
        self._beside_at = -np.inf
        self._ticks = 0
        self._everywhere = board.spots
        self._turn = cycle(self._everywhere)

    def see(self, frame: Frame) -> FrameAnalysis:
        """Take in one frame."""
        analysis = self._take_in(frame)
        return replace(analysis, lost=self._pose.sought.reason) if self._pose.sought.lost else analysis

    def _take_in(self, frame: Frame) -> FrameAnalysis:
        if frame.size != self._size:
            self._restart(frame)
        gate = self._gate
        assert gate is not None
        at = frame.captured_at
        thumb = gate.thumb(frame.image)
        motion = gate.moving(thumb, at)
        self._heed_beside(gate, motion, at)
        if gate.matters(motion):
            return self._in_motion(frame, motion)
        if self._quiet_since is None:
            # This frame equals the one before: it has been quiet since that one was taken.
            self._quiet_since = gate.still_since if gate.still_since is not None else at
        if self._look is None or self._base is None or self._base.shape != thumb.shape or self._pose.registration is None:
            return self._examine(frame, thumb, None)
        change = gate.compare(self._base, thumb)
        if self._pending or self._pose.sought.lost or gate.matters(change):
            return self._examine(frame, thumb, change)
        return self._at_rest(frame, thumb)

    # --- states -----------------------------------------------------------------------------------------------

    def _restart(self, frame: Frame) -> None:
        self._size = frame.size
        self._gate = MotionGate(frame.size, self._board, self._settings.motion)
        self._base, self._pose.registration, self._pending, self._quiet_since, self._part = None, None, [], None, None
        self._agreed = False

    def _heed_beside(self, gate: MotionGate, motion: ImageChange, at: float) -> None:
        """What goes on moving beside the board and never on it is left out of account, until it has been still for long."""
        if gate.beside(motion):
            self._beside_at = at
            self._beside_since = at if self._beside_since is None else self._beside_since
            gate.board_only = gate.board_only or at - self._beside_since >= self._settings.beside_s
        elif gate.matters(motion):
            self._beside_since = None
        elif at - self._beside_at >= self._settings.beside_rest_s:
            self._beside_since, gate.board_only = None, False

    def _in_motion(self, frame: Frame, motion: ImageChange) -> FrameAnalysis:
        """Something moves: read nothing. A shaken picture is checked for a camera that moved."""
        self._quiet_since, self._pending, self._doubtful, self._part, self._agreed = None, [], False, None, False
        self._flickers, self._found_before = 0, None
        notices: tuple[Notice, ...] = ()
        at = frame.captured_at
        if self._pose.registration is None:
            return self._search_in_motion(frame)
        shaken = motion.share > self._settings.shaken_share
        if shaken and not self._pose.moved_said and at - self._checked_at >= self._settings.check_s:
            self._checked_at = at
            notices = self._pose.says_moved(frame)
        return FrameAnalysis(True, self._occluded, self._look, None, notices)

    def _search_in_motion(self, frame: Frame) -> FrameAnalysis:
        """No board is known yet, and it is never quiet: look for the board all the same, now and then, claiming nothing."""
        at = frame.captured_at
        if at - self._read_at < self._settings.lost_s:
            return FrameAnalysis(True, self._occluded, self._look)
        self._read_at = at
        observation = self._reader.read(frame, self._settled)
        notices = self._placed(observation, frame)
        if observation.registration is not None:
            self._aim(frame, observation)
        return FrameAnalysis(True, self._occluded, observation, None, notices)

    def _examine(self, frame: Frame, thumb: Image, change: ImageChange | None) -> FrameAnalysis:
        """It is quiet and something differs from the last look (or there is none): read, and settle when readings agree."""
        at, settings = frame.captured_at, self._settings
        # A microsecond is less than any clock of a camera means.
        quiet = at - (self._quiet_since if self._quiet_since is not None else at) + 1e-6
        early = quiet < settings.quiet_s * 0.5 and self._look is not None
        # With all readings but one, the last one is taken when it can settle.
        waiting = len(self._pending) >= settings.readings - 1 > 0 and quiet < settings.quiet_s
        begun = self._part is not None
        if early or waiting or (self._doubtful and not begun and at - self._read_at < settings.retry_s):
            return FrameAnalysis(False, self._occluded, self._look)
        self._read_at = at
        observation = self._read(frame, change)
        if observation is None:
            return FrameAnalysis(False, self._occluded, self._look)
        notices = self._placed(observation, frame)
        if observation.registration is None:
            self._pending, self._doubtful, self._agreed = [], True, False
            return FrameAnalysis(False, self._occluded, observation if self._look is None else self._look, None, notices)
        if self._base is None:
            thumb = self._aim(frame, observation)
            change = None
        observation, flickers = self._compared(observation)
        doubts, self._occluded = self._doubts(observation)
        if not self._pending and not flickers:
            self._pending_since = at
        self._pending = [*self._pending, observation][-settings.readings :]
        self._agreed = self._agreed or len(self._pending) >= settings.readings
        self._doubtful = doubts
        patient = at - self._pending_since >= settings.patience_s
        settled, steady = None, False
        if len(self._pending) >= settings.readings and quiet >= settings.quiet_s and (patient or not doubts):
            steady = True
        if self._look is not None:
            notices += self._slide.see(self._look.reading, observation.reading, steady)
        if steady:
            settled = self._settle(frame, thumb, observation)
        return FrameAnalysis(False, self._occluded, observation, settled, notices, steady)

    def _compared(self, observation: Observation) -> tuple[Observation, bool]:
        """What a look counts for beside those waiting to be confirmed, and whether it only wavers; what it does not confirm is
        forgotten. What can just be told, or just not, must not keep everything else waiting anew, nor for ever."""
        settings, incremental = self._settings, self._reader.traits.incremental
        still_mm = (settings.found if incremental else settings.still) * self._board.spacing_mm
        if not self._pending or same_claims(self._pending[-1].reading, observation.reading, still_mm):
            return observation, False
        last, before = self._pending[-1].reading, self._found_before
        if incremental and same_claims(last, observation.reading, None):
            # Nothing moves, and by turns a disc's edge is found at two places of one cell.
            if before is None or not same_claims(before, observation.reading, still_mm):
                self._pending, self._found_before = [], last
            return observation, True
        flickers = incremental and differ_in_doubts(last, observation.reading)
        common = what_both_claim(last, observation.reading) if flickers else None
        self._flickers, self._found_before = self._flickers + 1 if common is not None else 0, None
        if common is not None and self._flickers >= settings.most_flickers:
            return replace(observation, reading=common), True
        self._pending = []
        return observation, flickers

    def _doubts(self, observation: Observation) -> tuple[bool, bool]:
        """Whether a look must wait, and whether something lies over the board. What is out of the picture lies under
        nothing; what was already hidden or doubtful in the last settled look is not worth waiting for again."""
        over, unknown = observation.occluded - self._pose.outside, observation.reading.unknown.keys()
        many = self._settings.hand_spots
        before = self._look.occluded if self._look is not None else frozenset()
        known = self._settled.unknown.keys() if self._settled is not None else frozenset[str]()
        fresh = {name for name in unknown - known if self._pose.outside.isdisjoint(name.partition(":")[2].split(PAIR))}
        return len(over - before) >= many or bool(fresh), len(over) >= many or bool(unknown and over)

    def _settle(self, frame: Frame, thumb: Image, observation: Observation) -> Reading | None:
        """Take a look as the new base. Returns its reading when it says something new."""
        self._look, self._base, self._pending, self._based_at = observation, thumb, [], frame.captured_at
        self._flickers, self._found_before = 0, None
        self._pose.registration, self._aimed_anew = observation.registration, False
        self._to_learn = not observation.reading.unknown and not observation.occluded
        told = self._settled
        if told is not None and same_claims(told, observation.reading, None) and told.lying == observation.reading.lying:
            return None
        self._settled = replace(observation.reading, settled=True)
        return self._settled

    def _at_rest(self, frame: Frame, thumb: Image) -> FrameAnalysis:
        """Nothing differs: verify one spot in a while, check the frame markers, follow slow changes of light."""
        observation, at, settings = self._look, frame.captured_at, self._settings
        assert observation is not None
        self._part = None
        if at - self._based_at >= settings.rebase_s:
            self._base, self._based_at = thumb, at
        self._ticks += 1
        if self._to_learn and self._reader.traits.learns:
            # Not on the frame it settled on: the announcement should not wait for it.
            self._to_learn = False
            self._reader.learn(frame, observation)
        elif self._ticks % settings.verify_every == 0 and self._reader.traits.partial and not self._occluded:
            again = self._reader.read(frame, None, Region(observation, frozenset({next(self._turn)})))
            if not same_claims(observation.reading, again.reading, None):
                return self._examine(frame, thumb, None)
        elif not self._reader.traits.partial and at - self._whole_at >= settings.recheck_s:
            return self._examine(frame, thumb, None)
        elif at - self._checked_at >= settings.check_s * 5:
            self._checked_at = at
            if self._pose.has_moved(frame):
                return self._examine(frame, thumb, None)
        return FrameAnalysis(False, self._occluded, observation, steady=True)

    # --- reading ----------------------------------------------------------------------------------------------

    def _read(self, frame: Frame, change: ImageChange | None) -> Observation | None:
        """Read the changed spots, or everything when the change is more than pieces moving. None while spots are left for the
        next frame."""
        fault = frame_fault(frame.image)
        if fault is not None:
            return Observation(Reading((), {}, (fault,), True, frame.captured_at, frame.source), None, frozenset(), (fault,))
        prior, gate, settings = self._look, self._gate, self._settings
        incremental, partial = self._reader.traits.incremental, self._reader.traits.partial
        agreed = len(self._pending) >= settings.readings or (incremental and self._agreed and bool(self._pending))
        if self._look is None and agreed and partial:
            # Only doubts are waited for, and nothing has moved: what two whole readings agreed on needs no third.
            last = self._pending[-1]
            if incremental or frame.captured_at - self._whole_at < settings.whole_s:
                return self._read_spots(frame, last, self._in_doubt(last))
        # A look from before the board moved in the picture cannot be continued, nor one of which no picture is left to compare.
        current = (
            prior is not None
            and not self._aimed_anew
            and prior.registration is not None
            and self._pose.is_at(prior.registration)
        )
        continues = partial and current and gate is not None
        if continues and change is not None and not self._pose.moved_said and change.share < self._settings.shaken_share:
            assert prior is not None and gate is not None
            spots = gate.reached(change, settings.reach * self._board.spacing_mm) if incremental else gate.spots(change)
            many = len(spots) > settings.many_share * len(self._everywhere)
            gone = many and self._pose.has_moved(frame)  # nothing lies any more where the earlier look had it
            start, again = self._going_on_from(prior, spots)
            whole_before = start is not prior and self._read_all
            observation = self._read_whole(frame) if gone else self._read_spots(frame, start, again)
            if observation is None or gone or whole_before:
                return observation
            # What was doubtful before and is still is no reason to read everything again.
            fresh = observation.reading.unknown.keys() - prior.reading.unknown.keys()
            if observation.registration is not None and fresh and spots:
                if not self._doubtful:
                    self._whole_at = frame.captured_at
                if frame.captured_at - self._whole_at < self._settings.whole_s and not self._pose.has_moved(frame):
                    return observation  # something lies over the board: what hides there does not show by looking elsewhere
            if observation.registration is not None and not fresh and not observation.problems:
                explained = gate.with_neighbours(changed_spots(prior.reading, observation.reading))
                if incremental:
                    explained |= spots
                rest = gate.unexplained_mm2(change, explained)
                if rest < 3 * gate.least_mm2 and not self._crept(frame, spots):
                    return observation
        return self._read_whole(frame)

    def _going_on_from(self, prior: Observation, spots: frozenset[str]) -> tuple[Observation, frozenset[str]]:
        """The look to continue, and where to look: once a costly reader has read the changed ``spots``, or everything, it is
        asked again only about what it told otherwise than ``prior``, or could not tell; if there is nothing of either, about
        all."""
        if not (self._pending and self._reader.traits.incremental):
            return prior, spots
        last = self._pending[-1]
        differ = {spot for place in changed_spots(prior.reading, last.reading) for spot in place.split(PAIR)}
        doubtful = self._in_doubt(last) if self._read_all else self._in_doubt(last) - self._in_doubt(prior)
        return last, (doubtful | differ) or spots

    def _read_spots(self, frame: Frame, prior: Observation, spots: frozenset[str]) -> Observation | None:
        """Look at spots again, at those of a reader to which they are costly only so many a frame: None while some are left.
        Nothing moves meanwhile, else it begins anew."""
        reader, most = self._reader, self._reader.traits.spots_a_frame
        if most is None:
            return reader.read(frame, None, Region(prior, spots))
        so_far, done = self._part or (prior, frozenset())
        share = frozenset(sorted(spots - done)[:most])
        done |= share
        if share or self._part is None:
            observation = reader.read(frame, None, Region(so_far, share), Budget(closely=frozenset()))
            # Once all are read, what is doubtful still is looked at once more, in a frame of its own.
            more = bool(spots - done) or doubts_more(prior.reading, observation.reading)
        else:
            observation, more = reader.read(frame, None, Region(so_far, frozenset()), Budget(closely=done)), False
        self._part = (observation, done) if more else None
        self._read_all = self._read_all and more
        return None if more else observation

    def _in_doubt(self, observation: Observation) -> frozenset[str]:
        """The spots that a look could not see or not tell."""
        named = {spot for name in observation.reading.unknown for spot in name.partition(":")[2].split(PAIR)}
        return observation.occluded | named.intersection(self._everywhere)

    def _read_whole(self, frame: Frame) -> Observation:
        self._part, self._read_all = None, True
        self._whole_at = frame.captured_at
        return self._reader.read(frame, self._settled)

    def _crept(self, frame: Frame, spots: Collection[str]) -> bool:
        """Whether a change that is not at any spot comes from the board having moved in the picture."""
        return not spots and self._pose.has_moved(frame)

    def _placed(self, observation: Observation, frame: Frame) -> tuple[Notice, ...]:
        """Follow where the board lies; pictures from before it moved are of no use any more."""
        notices, moved = self._pose.place(observation, frame, based=self._base is not None)
        if moved:
            self._base = None
        return notices

    def _aim(self, frame: Frame, observation: Observation) -> Image:
        """Point the motion gate at a newly registered board."""
        assert self._gate is not None and observation.registration is not None
        self._gate.aim(observation.registration)
        thumb = self._gate.thumb(frame.image)
        self._gate.moving(thumb, frame.captured_at)
        self._base, self._aimed_anew = thumb, True
        return thumb
