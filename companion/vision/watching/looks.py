"""Which look the watcher takes of a quiet frame that differs from the last one: at the changed spots, or at everything."""

from dataclasses import dataclass, replace
from math import isnan

from companion.boards import PAIR
from companion.vision.camera import Registration
from companion.vision.observation import Observation
from companion.vision.reader import Budget, Region
from companion.vision.reading import Reading
from companion.vision.reading_comparison import changed_spots, doubts_more
from companion.vision.watching.pose import is_at, is_far
from companion.vision.watching.state import (
    Change,
    CheckPicture,
    FindTouched,
    FrameView,
    Looking,
    MeasureDisplacement,
    MeasureUnexplained,
    TakeLook,
    WatchedTable,
    WatchState,
    answer,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Looked:
    """The state after a look; ``observation`` is None while spots are left for the next frame."""

    state: WatchState
    phase: Looking
    observation: Observation | None


def has_moved(state: WatchState, view: FrameView, table: WatchedTable) -> bool:
    """Whether the board is no longer where it was found; False where that cannot be told."""
    known = state.pose.registration
    if known is None or not table.traits.partial:
        return False
    return answer(view.displacement_px, MeasureDisplacement(known), state) > table.settings.moved_px


def has_moved_to(state: WatchState, view: FrameView, table: WatchedTable, found: Registration) -> bool:
    """Whether the board is no longer where it was, now that it was ``found``: where a glance cannot tell, because the board is
    hidden or lies too far away, it moved if it was found plainly elsewhere."""
    moved = has_moved(state, view, table)
    untold = view.displacement_px is not None and isnan(view.displacement_px)
    return moved or (untold and is_far(state.pose, found, table.board))


def take_look(state: WatchState, phase: Looking, view: FrameView, table: WatchedTable, change: Change | None) -> Looked:
    """Read the changed spots, or everything when the ``change`` is more than pieces moving."""
    fault = answer(view.fault, CheckPicture(), state)
    if fault:
        reading = Reading((), {}, (fault,), True, view.at, view.source)
        return Looked(state, phase, Observation(reading, None, frozenset(), (fault,)))
    settings, traits, looks, prior = table.settings, table.traits, phase.looks, state.look
    agreed = len(looks.pending) >= settings.readings or (traits.incremental and looks.agreed and bool(looks.pending))
    if prior is None and agreed and traits.partial:
        # Only doubts are waited for, and nothing has moved: what two whole readings agreed on needs no third.
        last = looks.pending[-1]
        if traits.incremental or view.at - state.whole_at < settings.whole_s:
            return _look_at_spots(state, phase, view, table, last, _in_doubt(last, table))
    # A look from before the board moved in the picture cannot be continued.
    if (
        traits.partial
        and change is not None
        and change.share < settings.shaken_share
        and not state.pose.moved_said
        and prior is not None
        and not state.aimed_anew
        and prior.registration is not None
        and is_at(state.pose, prior.registration, table.board, settings)
    ):
        return _look_at_change(state, phase, view, table, prior)
    return _look_at_everything(state, phase, view)


def _look_at_change(state: WatchState, phase: Looking, view: FrameView, table: WatchedTable, prior: Observation) -> Looked:
    """Continue the look ``prior`` where something changed; look at everything if that does not explain the change."""
    settings, incremental = table.settings, table.traits.incremental
    reach_mm = settings.reach * table.board.spacing_mm if incremental else None
    spots = answer(view.touched, FindTouched(reach_mm), state)
    if len(spots) > settings.many_share * len(table.spots) and has_moved(state, view, table):
        return _look_at_everything(state, phase, view)  # nothing lies any more where the earlier look had it
    start, again = _going_on_from(state, phase, table, prior, spots)
    looked = _look_at_spots(state, phase, view, table, start, again)
    if looked.observation is None or (start is not prior and state.read_all):
        return looked
    looked, enough = _explains(looked, looked.observation, view, table, prior, spots)
    return looked if enough else _look_at_everything(looked.state, looked.phase, view)


def _explains(
    looked: Looked,
    observation: Observation,
    view: FrameView,
    table: WatchedTable,
    prior: Observation,
    spots: frozenset[str],
) -> tuple[Looked, bool]:
    """Whether a look at the changed ``spots`` tells all that the change is about."""
    if observation.registration is None:
        return looked, False
    state, settings = looked.state, table.settings
    # What was doubtful before and is still is no reason to read everything again.
    fresh = observation.reading.unknown.keys() - prior.reading.unknown.keys()
    if fresh and spots:
        if not looked.phase.doubtful:
            state = replace(state, whole_at=view.at)
        # Something lies over the board: what hides there does not show by looking elsewhere.
        enough = view.at - state.whole_at < settings.whole_s and not has_moved(state, view, table)
        return replace(looked, state=state), enough
    if fresh or observation.problems:
        return looked, False
    changed = frozenset(changed_spots(prior.reading, observation.reading))
    besides = spots if table.traits.incremental else frozenset[str]()
    rest_mm2 = answer(view.unexplained_mm2, MeasureUnexplained(changed, besides), state)
    # A change that is not at any spot may come from the board having moved in the picture.
    return looked, rest_mm2 < 3 * table.least_mm2 and bool(spots or not has_moved(state, view, table))


def _going_on_from(
    state: WatchState, phase: Looking, table: WatchedTable, prior: Observation, spots: frozenset[str]
) -> tuple[Observation, frozenset[str]]:
    """The look to continue, and where to look: once a costly reader has read the changed ``spots``, or everything, it is
    asked again only about what it told otherwise than ``prior``, or could not tell; if there is nothing of either, about
    all."""
    if not (phase.looks.pending and table.traits.incremental):
        return prior, spots
    last = phase.looks.pending[-1]
    differ = {spot for place in changed_spots(prior.reading, last.reading) for spot in place.split(PAIR)}
    doubtful = _in_doubt(last, table) if state.read_all else _in_doubt(last, table) - _in_doubt(prior, table)
    return last, (doubtful | differ) or spots


def _look_at_spots(
    state: WatchState, phase: Looking, view: FrameView, table: WatchedTable, prior: Observation, spots: frozenset[str]
) -> Looked:
    """Look at spots again, at those of a reader to which they are costly only so many a frame. Nothing moves meanwhile, else it
    begins anew."""
    most, looks = table.traits.spots_a_frame, phase.looks
    if most is None:
        return Looked(state, phase, answer(view.region, TakeLook("region", region=Region(prior, spots)), state))
    so_far, done = looks.part or (prior, frozenset())
    share = frozenset(sorted(spots - done)[:most])
    done |= share
    afresh = bool(share) or looks.part is None
    # Once all are read, what is doubtful still is looked at once more, in a frame of its own.
    asked = TakeLook("region", region=Region(so_far, share), budget=Budget(frozenset() if afresh else done))
    observation = answer(view.region, asked, state)
    more = afresh and (bool(spots - done) or doubts_more(prior.reading, observation.reading))
    looks = replace(looks, part=(observation, done) if more else None)
    state = replace(state, read_all=state.read_all and more)
    return Looked(state, replace(phase, looks=looks), None if more else observation)


def _look_at_everything(state: WatchState, phase: Looking, view: FrameView) -> Looked:
    phase = replace(phase, looks=replace(phase.looks, part=None))
    state = replace(state, phase=phase, read_all=True, whole_at=view.at)
    return Looked(state, phase, answer(view.whole, TakeLook("whole", prior=state.settled), state))


def _in_doubt(observation: Observation, table: WatchedTable) -> frozenset[str]:
    """The spots that a look could not see or not tell."""
    named = {spot for name in observation.reading.unknown for spot in name.partition(":")[2].split(PAIR)}
    return observation.occluded | named.intersection(table.spots)
