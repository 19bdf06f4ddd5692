"""The watcher as a pure fold: from a state and what is known of a frame to the next question, or to the next state.

:func:`step` is asked again with each answer (``FrameView`` grows by one field) until it has what it needs; it sees no picture,
holds nothing between two calls and changes nothing. What passes from state to state::

    Beginning ──▶ Settling ◀──────────▶ Moving          (from everywhere: something moves)
                   │  ▲  ▲                │
                   │  │  └────────────────┤ quiet again, and something differs from the last look, or there is none
                   │  └─▶ Doubtful, Searching            (what the last look said)
                   ▼                      ▼
                  AtRest ◀────────────────┘ quiet again, and nothing differs
                     └──▶ Settling                       (something differs, or a spot reads otherwise)
"""

from collections.abc import Mapping
from dataclasses import replace

from companion.boards import PAIR
from companion.vision.observation import Observation
from companion.vision.pointing import Held, Holding, held
from companion.vision.reader import Region
from companion.vision.reading import Reading
from companion.vision.reading_comparison import differ_in_doubts, same_claims, what_both_claim
from companion.vision.watching.board_shift import BoardShift
from companion.vision.watching.frame_analysis import FrameAnalysis, Notice
from companion.vision.watching.looks import has_moved, has_moved_to, take_look
from companion.vision.watching.pose import PlacedBoard, asks_whether_moved, camera_moved, found_at, lost
from companion.vision.watching.settings import WatchSettings
from companion.vision.watching.state import (
    NEVER,
    Aim,
    Ask,
    AtRest,
    Beginning,
    Beside,
    Change,
    CompareWithLook,
    Doubtful,
    Effect,
    FindCovered,
    FindPointer,
    FrameView,
    KeepBare,
    KeepPicture,
    Learn,
    Looking,
    Looks,
    Moving,
    Phase,
    Quiet,
    Searching,
    Settling,
    Step,
    TakeLook,
    Unanswered,
    Unrest,
    Waited,
    WatchedTable,
    WatchState,
    answer,
)  # fmt: skip

_TICK_S = 1e-6
"""A microsecond is less than any clock of a camera means."""


def step(state: WatchState, view: FrameView, table: WatchedTable) -> Step | Ask:
    """The state after a frame with what is to be told and done, or what has to be known of the frame first."""
    try:
        holding, told = _pointed(state, view, table)
        done = _take_in(replace(state, holding=holding), view, table)
    except Unanswered as open_question:
        return open_question.ask
    done = _bared(done, view, table)
    notices = (*done.analysis.notices, _POINT_AT_ONE) if told.hint else done.analysis.notices
    sought = done.state.pose.sought
    lost = sought.reason if sought.lost else ""
    analysis = replace(
        done.analysis, lost=lost, pointed=told.place, stayed=told.stayed, pointing=holding.place, notices=notices
    )
    return replace(done, analysis=analysis)


# --- pointing -----------------------------------------------------------------------------------------------------

_POINT_AT_ONE = Notice(
    "point-at-one", "To point, hold one finger on one place until it is named, and keep it there to say yes."
)


def _pointed(state: WatchState, view: FrameView, table: WatchedTable) -> tuple[Holding, Held]:
    """What is pointed at by now. A hand moves a little all the while, so this hangs on no phase."""
    if not view.asked or state.bare_at == NEVER or state.pose.registration is None or view.size != state.size:
        return Holding(), Held()
    look = answer(view.pointer, FindPointer(view.asked), state)
    return held(state.holding, view.asked, look, view.at, table.settings.holding)


def _bared(done: Step, view: FrameView, table: WatchedTable) -> Step:
    """Keep the picture of a table that rests with nothing over it while something may be pointed at: as soon as something else
    lies there than before, and again after a while, in which a finger would have been held for long enough."""
    state, settings = done.state, table.settings
    if any(isinstance(effect, Aim) for effect in done.effects):
        return replace(done, state=replace(state, bare_at=NEVER))
    if not view.asked:
        stale = done.analysis.settled is not None and state.bare_at != NEVER
        return replace(done, state=replace(state, bare_at=NEVER)) if stale else done
    registration = state.pose.registration
    if not isinstance(state.phase, AtRest) or state.occluded or registration is None:
        return done
    rested = view.at - state.phase.quiet_since >= settings.bare_s and view.at - state.bare_at >= settings.rebase_s
    if done.analysis.settled is None and state.bare_at != NEVER and not rested:
        return done
    return replace(done, state=replace(state, bare_at=view.at), effects=(*done.effects, KeepBare(registration)))


def _take_in(state: WatchState, view: FrameView, table: WatchedTable) -> Step:
    if view.size != state.size:
        state = _begun_anew(state, view)
    unrest = _unrest(state.unrest, view, table.settings)
    state = replace(state, beside=_beside(state.beside, view, table.settings), unrest=unrest)
    if view.motion.matters:
        return _in_motion(replace(state, phase=_moving(state, view)), view, table)
    phase = _quiet(state.phase, view, table.settings)
    state = replace(state, phase=phase)
    if state.look is None or state.pose.registration is None:
        return _examine(state, phase, view, table, None)
    change = answer(view.change, CompareWithLook(state.beside.board_only), state)
    waiting = not isinstance(phase, AtRest) and phase.looks.pending
    if waiting or state.pose.sought.lost or change.matters:
        return _examine(state, phase, view, table, change)
    return _rested(state, phase, view, table)


# --- passing from state to state ----------------------------------------------------------------------------------


def _begun_anew(state: WatchState, view: FrameView) -> WatchState:
    """Pictures of another size: nothing of before can be compared with them."""
    phase = state.phase
    if not isinstance(phase, Beginning | Moving):
        phase = _looking(phase)
        looks = replace(phase.looks, pending=(), agreed=False, part=None)
        phase = replace(phase, quiet_since=view.still_since, looks=looks)
    pose, beside = replace(state.pose, registration=None), replace(state.beside, board_only=False)
    return replace(state, size=view.size, phase=phase, pose=pose, beside=beside)


def _moving(state: WatchState, view: FrameView) -> Moving:
    """Something moves. What was looked at is not forgotten yet: a pulse of the camera's coding is over at once. Where a hand
    may have been in sight, only what changes all over the picture is such a pulse: a hand moves a little before it goes on."""
    phase = state.phase
    moving = phase if isinstance(phase, Moving) else Moving(view.at, _waited(phase, state.pose.outside))
    by_hand = moving.waited is not None and moving.waited.covered and not view.motion.everywhere
    return replace(moving, waited=None) if by_hand else moving


def _waited(phase: Phase, outside: frozenset[str]) -> Waited | None:
    """What had been seen when something began to move."""
    if not isinstance(phase, Looking):
        return None
    last = phase.looks.pending[-1] if phase.looks.pending else None
    return Waited(last.reading, phase.looks.since, bool(last.occluded - outside)) if last else phase.looks.waited


def _quiet(phase: Phase, view: FrameView, settings: WatchSettings) -> Quiet:
    """This frame equals the one before: it has been quiet since that one was taken."""
    if isinstance(phase, Moving):
        brief = view.at - phase.since <= settings.brief_s
        return Settling(view.still_since, Looks(waited=phase.waited if brief else None))
    return Settling(view.still_since) if isinstance(phase, Beginning) else phase


def _looking(phase: Quiet) -> Looking:
    """What was at rest is looked at again."""
    if not isinstance(phase, AtRest):
        return phase
    return Doubtful(phase.quiet_since) if phase.doubtful else Settling(phase.quiet_since)


def _beside(before: Beside, view: FrameView, settings: WatchSettings) -> Beside:
    """What goes on moving beside the board and never on it is left out of account, until it has been still for long."""
    if view.motion.beside:
        since = view.at if before.since is None else before.since
        return Beside(since, view.at, before.board_only or view.at - since >= settings.beside_s)
    if view.motion.matters:
        return replace(before, since=None)
    if view.at - before.at >= settings.beside_rest_s:
        return replace(before, since=None, board_only=False)
    return before


def _unrest(before: Unrest, view: FrameView, settings: WatchSettings) -> Unrest:
    """For how long the picture has not been quiet."""
    if not view.motion.matters:
        return Unrest() if view.at - view.still_since + _TICK_S >= settings.quiet_s else before
    since = view.at if before.since is None else before.since
    return replace(before, since=since, frames=before.frames + 1, everywhere=before.everywhere + view.motion.everywhere)


def _never_rests(unrest: Unrest, at: float, settings: WatchSettings) -> bool:
    """Whether it is to be said now that the picture is never quiet."""
    long = unrest.since is not None and at - unrest.since >= settings.unrest_s
    return long and not unrest.said and unrest.everywhere >= settings.unrest_share * unrest.frames


NEVER_RESTS = Notice(
    "never-rests",
    "The picture never comes to rest, so nothing can be read. Fix the camera more firmly, or give the table more light.",
)


# --- states -------------------------------------------------------------------------------------------------------


def _in_motion(state: WatchState, view: FrameView, table: WatchedTable) -> Step:
    """Something moves: read nothing. A shaken picture is checked for a camera that moved."""
    settings = table.settings
    notices: tuple[Notice, ...] = ()
    if _never_rests(state.unrest, view.at, settings):
        state, notices = replace(state, unrest=replace(state.unrest, said=True)), (NEVER_RESTS,)
    if state.pose.registration is None:
        done = _search_in_motion(state, view, table)
        return replace(done, analysis=replace(done.analysis, notices=(*notices, *done.analysis.notices)))
    state = _with_hands(state, view, table)
    shaken = view.motion.share > settings.shaken_share
    if shaken and not state.pose.moved_said and view.at - state.checked_at >= settings.check_s:
        state = replace(state, checked_at=view.at)
        if has_moved(state, view, table):
            state = replace(state, pose=replace(state.pose, moved_said=True))
            notices = (*notices, camera_moved())
    return Step(state, FrameAnalysis(True, state.occluded, state.look, None, notices))


def _with_hands(state: WatchState, view: FrameView, table: WatchedTable) -> WatchState:
    """Count over which upmost cards something is that moves."""
    if state.look is None or not state.look.tops:
        return state
    answer(view.change, CompareWithLook(state.beside.board_only), state)
    middles = {zone: top.at_mm for zone, top in state.look.tops.items()}
    covered = answer(view.covered, FindCovered(middles, table.settings.hand_mm), state)
    return replace(state, hands={zone: state.hands.get(zone, 0) + 1 for zone in covered} | _others(state.hands, covered))


def _others(hands: Mapping[str, int], covered: frozenset[str]) -> dict[str, int]:
    return {zone: count for zone, count in hands.items() if zone not in covered}


def _reached(state: WatchState, look: Observation) -> tuple[str, ...]:
    """The zone into which a hand reached since the last look, by where it was longest, if its upmost card lies open as it lay:
    a card may have been laid upon it that shows the same. An arm over other zones is on its way."""
    zone = max(state.hands, key=lambda name: state.hands[name], default=None)
    return (zone,) if zone is not None and zone in look.tops and look.tops[zone].open else ()


def _search_in_motion(state: WatchState, view: FrameView, table: WatchedTable) -> Step:
    """No board is known yet, and it is never quiet: look for the board all the same, now and then, claiming nothing."""
    if view.at - state.read_at < table.settings.lost_s:
        return Step(state, FrameAnalysis(True, state.occluded, state.look))
    state = replace(state, read_at=view.at)
    observation = answer(view.whole, TakeLook("whole", prior=state.settled), state)
    placed = _placed(state, observation, view, table)
    state, effects = _aimed(state, placed, observation)
    return Step(state, FrameAnalysis(True, state.occluded, observation, None, placed.notices), effects)


def _examine(state: WatchState, quiet: Quiet, view: FrameView, table: WatchedTable, change: Change | None) -> Step:
    """It is quiet and something differs from the last look (or there is none): read, and settle when readings agree."""
    at, settings, phase = view.at, table.settings, _looking(quiet)
    quiet_s = at - phase.quiet_since + _TICK_S
    early = quiet_s < settings.quiet_s * 0.5 and state.look is not None
    # With all readings but one, the last one is taken when it can settle.
    waiting = len(phase.looks.pending) >= settings.readings - 1 > 0 and quiet_s < settings.quiet_s
    begun = phase.looks.part is not None
    if early or waiting or (phase.doubtful and not begun and at - state.read_at < settings.retry_s):
        return Step(state, FrameAnalysis(False, state.occluded, state.look))
    looked = take_look(replace(state, phase=phase, read_at=at), phase, view, table, change)
    phase, state, observation = looked.phase, replace(looked.state, phase=looked.phase), looked.observation
    if observation is None:
        return Step(state, FrameAnalysis(False, state.occluded, state.look))
    placed = _placed(state, observation, view, table)
    state, effects = _aimed(state, placed, observation)
    if observation.registration is None:
        state = replace(state, phase=Searching(phase.quiet_since, replace(phase.looks, pending=(), agreed=False)))
        shown = observation if state.look is None else state.look
        return Step(state, FrameAnalysis(False, state.occluded, shown, None, placed.notices))
    looks, observation, flickers = _compared(phase.looks, observation, table)
    doubts, occluded = _doubts(state, observation, settings)
    since = looks.since if looks.pending or flickers else _in_doubt_since(looks.waited, observation, at)
    pending = (*looks.pending, observation)[-settings.readings :]
    enough = len(pending) >= settings.readings
    looks = replace(looks, pending=pending, since=since, agreed=looks.agreed or enough, waited=None)
    steady = enough and quiet_s >= settings.quiet_s and (not doubts or at - since >= settings.patience_s)
    shift, slid = _slid(state, observation, table, steady)
    looking = Doubtful(phase.quiet_since, looks) if doubts else Settling(phase.quiet_since, looks)
    state = replace(state, phase=looking, shift=shift, occluded=occluded)
    settled = None
    if steady:
        state, settled = _settled(replace(state, phase=AtRest(phase.quiet_since, doubts)), observation, at)
        effects = (*effects, KeepPicture())
        state, opened = _in_view(state, observation, table, at)
        slid = (*slid, *opened)
    analysis = FrameAnalysis(False, occluded, observation, settled, (*placed.notices, *slid), steady)
    return Step(state, analysis, effects)


def _rested(state: WatchState, quiet: Quiet, view: FrameView, table: WatchedTable) -> Step:
    """Nothing differs: follow slow changes of light, and see to it that nothing is overlooked."""
    renew = view.at - state.based_at >= table.settings.rebase_s
    done = _at_rest(state, AtRest(quiet.quiet_since, quiet.doubtful), view, table)
    if not renew:
        return done
    return replace(done, state=replace(done.state, based_at=view.at), effects=(KeepPicture(), *done.effects))


def _at_rest(state: WatchState, rest: AtRest, view: FrameView, table: WatchedTable) -> Step:
    """Verify one spot in a while, check the frame markers."""
    look, at, settings, traits = state.look, view.at, table.settings, table.traits
    assert look is not None, "only what was looked at can be at rest"
    state = replace(state, phase=rest, tick=(state.tick + 1) % settings.verify_every)
    effects: tuple[Effect, ...] = ()
    notices: tuple[Notice, ...] = ()
    again = False
    if state.hands and at - rest.quiet_since + _TICK_S >= settings.quiet_s:
        zones = _reached(state, look)
        state = replace(state, hands={})
        if zones:
            verified = answer(view.again, TakeLook("again", region=Region(look, frozenset(zones))), state)
            if same_claims(look.reading, verified.reading, None):
                told = state.settled if state.settled is not None else look.reading
                return Step(state, FrameAnalysis(False, state.occluded, look, replace(told, again=zones), steady=True))
            return _examine(state, rest, view, table, None)
    if state.to_learn and traits.learns:
        # Not on the frame it settled on: the announcement should not wait for it.
        state, effects = replace(state, to_learn=False), (Learn(look),)
    elif traits.partial and not state.occluded and _verifies_now(state, at, table):
        spots = table.spots if traits.at_once else (table.spots[state.turn],)
        state = replace(state, turn=(state.turn + 1) % len(table.spots), verified_at=at)
        verified = answer(view.again, TakeLook("again", region=Region(look, frozenset(spots))), state)
        again = not same_claims(look.reading, verified.reading, None)
        state, notices = _in_view(state, verified, table, at)
    elif not traits.partial and at - state.whole_at >= settings.recheck_s:
        again = True
    elif at - state.checked_at >= settings.check_s * 5:
        state = replace(state, checked_at=at)
        again = has_moved(state, view, table)
    if again:
        return _examine(state, rest, view, table, None)
    return Step(state, FrameAnalysis(False, state.occluded, look, None, notices, steady=True), effects)


def _verifies_now(state: WatchState, at: float, table: WatchedTable) -> bool:
    """Whether it is time to read a spot again that looks as it was; a reader that reads all of them with it does so seldom."""
    if table.traits.at_once:
        return at - max(state.verified_at, state.read_at) >= (table.traits.recheck_s or table.settings.recheck_s)
    return state.tick == 0


def _in_view(
    state: WatchState, observation: Observation, table: WatchedTable, at: float
) -> tuple[WatchState, tuple[Notice, ...]]:
    """Say whose cards have come into view; those that stay, or leave and come back at once, are said once."""
    if not observation.beside:
        return state, ()
    said, labels = state.beside_said, table.board.labels
    fresh = [zone for zone in sorted(observation.beside) if at - said.get(zone, NEVER) > table.settings.open_s]
    seen = dict.fromkeys(observation.beside, at)
    notices = tuple(
        Notice("cards-in-view", CARDS_IN_VIEW, {"whom": labels.get(f"owner-{zone}", zone), "zone": zone}) for zone in fresh
    )
    return replace(state, beside_said={**said, **seen}), notices


CARDS_IN_VIEW = "Cards of {whom} are in the picture. Nothing of them is kept; turn them away from the camera."


# --- looks --------------------------------------------------------------------------------------------------------


def _placed(state: WatchState, observation: Observation, view: FrameView, table: WatchedTable) -> PlacedBoard:
    """Where the board lies after a look."""
    board, settings, found = table.board, table.settings, observation.registration
    if found is None:
        return lost(state.pose, observation.problems, view.at, settings)
    measured = table.traits.partial and asks_whether_moved(state.pose, found, board, settings)
    return found_at(state.pose, found, board, settings, moved=has_moved_to(state, view, table, found) if measured else None)


def _aimed(state: WatchState, placed: PlacedBoard, observation: Observation) -> tuple[WatchState, tuple[Effect, ...]]:
    """Follow a board that was found elsewhere: pictures of before are of no use any more."""
    state = replace(state, pose=placed.pose)
    if not placed.elsewhere or observation.registration is None:
        return state, ()
    return replace(state, aimed_anew=True), (Aim(observation.registration),)


def _compared(looks: Looks, observation: Observation, table: WatchedTable) -> tuple[Looks, Observation, bool]:
    """What a look counts for beside those waiting to be confirmed, and whether it only wavers; what it does not confirm is
    forgotten. What can just be told, or just not, must not keep everything else waiting anew, nor for ever."""
    settings, incremental, still_mm = table.settings, table.traits.incremental, table.still_mm
    if not looks.pending or same_claims(looks.pending[-1].reading, observation.reading, still_mm):
        return looks, observation, False
    last, before = looks.pending[-1].reading, looks.found_before
    if incremental and same_claims(last, observation.reading, None):
        # Nothing moves, and by turns a disc's edge is found at two places of one cell.
        if before is None or not same_claims(before, observation.reading, still_mm):
            looks = replace(looks, pending=(), found_before=last)
        return looks, observation, True
    flickers = incremental and differ_in_doubts(last, observation.reading)
    common = what_both_claim(last, observation.reading) if flickers else None
    looks = replace(looks, flickers=looks.flickers + 1 if common is not None else 0, found_before=None)
    if common is not None and looks.flickers >= settings.most_flickers:
        return looks, replace(observation, reading=common), True
    return replace(looks, pending=()), observation, flickers


def _in_doubt_since(waited: Waited | None, observation: Observation, at: float) -> float:
    """Since when a look is waited for that is the first since something moved: as before, if it shows the same."""
    same = waited is not None and same_claims(waited.reading, observation.reading, None)
    return waited.since if waited is not None and same else at


def _doubts(state: WatchState, observation: Observation, settings: WatchSettings) -> tuple[bool, bool]:
    """Whether a look must wait, and whether something lies over the board. What is out of the picture lies under
    nothing; what was already hidden or doubtful in the last settled look is not worth waiting for again."""
    outside, many = state.pose.outside, settings.hand_spots
    over, unknown = observation.occluded - outside, observation.reading.unknown.keys()
    before = state.look.occluded if state.look is not None else frozenset()
    known = state.settled.unknown.keys() if state.settled is not None else frozenset[str]()
    fresh = {name for name in unknown - known if outside.isdisjoint(name.partition(":")[2].split(PAIR))}
    return len(over - before) >= many or bool(fresh), len(over) >= many or bool(unknown and over)


def _slid(
    state: WatchState, observation: Observation, table: WatchedTable, steady: bool
) -> tuple[BoardShift, tuple[Notice, ...]]:
    """How far the board lies from its stickers after a look, and what is to be said of it."""
    if state.look is None:
        return state.shift, ()
    return state.shift.after(state.look.reading, observation.reading, table.board.spacing_mm, settles=steady)


def _settled(state: WatchState, observation: Observation, at: float) -> tuple[WatchState, Reading | None]:
    """Take a look as the one that later frames are compared with. Returns its reading when it says something new."""
    reading, told, reached = observation.reading, state.settled, _reached(state, observation)
    state = replace(
        state,
        hands={},
        look=observation,
        pose=replace(state.pose, registration=observation.registration),
        aimed_anew=False,
        to_learn=not reading.unknown and not observation.occluded,
        based_at=at,
    )
    if told is not None and same_claims(told, reading, None) and (told.lying, told.facings) == (reading.lying, reading.facings):
        return state, replace(told, again=reached) if reached else None
    news = replace(reading, settled=True)
    return replace(state, settled=news), news
