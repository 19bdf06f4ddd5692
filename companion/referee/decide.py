"""The decider: what the record gets to say next. Pure; it proposes drafts and changes nothing.

What may come next is the game's to say (:meth:`Rules.expects`, :meth:`Rules.due`); here is one handler for each kind of
expectation. Ask again after its drafts were folded, until it has nothing more to say: each time it takes one step (the plays,
then the question that follows from them, then the answer of an entrusted secret …), so a record that stops anywhere goes on.
"""

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any

from companion.errors import InvalidPosition
from companion.games.expectations import Arrangement, Change, Question
from companion.games.game import Position
from companion.referee import clock
from companion.referee.comparison import TableComparison, out_of_step, surface
from companion.referee.corrected_reading import group_of, outdated
from companion.referee.hidden import asked_again, consider, patience, stuck
from companion.referee.match import Draft, Match
from companion.referee.plays import judge, laid_again
from companion.referee.pointing import by_finger, by_marker
from companion.referee.settings import DEFAULTS, RefereeSettings
from companion.vision.reading import Reading

Json = Mapping[str, Any]


def on_reading(match: Match, reading: Reading, settings: RefereeSettings = DEFAULTS) -> list[Draft]:
    """What follows from a look at the table (and, before that, what follows from the record alone)."""
    due = on_record(match)
    if match.adjourned:
        return []  # what hands do to the table meanwhile is nobody's play
    if due or not reading.settled or (match.change is None and match.arrangement is None):
        return due
    board, pieces = match.game.board(match.position.edition), match.game.pieces()
    gone = outdated(reading, match.overrides, board, pieces)
    if gone:
        return [Draft("correction", {"what": "sight", "withdrawn": list(gone)})]
    comparison = TableComparison.of(match, reading)
    if match.restoring:
        return [*comparison.sight_drafts(), *_restored(comparison)]
    drafts = [*comparison.sight_drafts(), *as_expected(comparison, settings)]
    return drafts or laid_again(comparison)


def on_time(match: Match, now: float, settings: RefereeSettings = DEFAULTS) -> list[Draft]:
    """What follows from time going by while the table rests. ``now`` is in seconds of the readings' clock."""
    if match.table is None or match.unfinished is None or now <= match.unfinished["until"]:
        return []
    return on_reading(match, replace(match.table, captured_at=now), settings)


def on_hidden(match: Match, now: float, settings: RefereeSettings = DEFAULTS) -> Generator[None, None, list[Draft]]:
    """What to say when hidden pieces have kept the game waiting: a flag that stands wherever they are, or a request.

    A generator, because many places may have to be tried: it yields in between and returns the drafts. They hold only
    for the match it was begun with.
    """
    reading, hidden = match.table, match.hidden
    if reading is None or hidden is None or match.adjourned or not reading.settled:
        return []
    if 0 <= now - hidden.get("since", now) < patience(match, settings):
        return []
    comparison = TableComparison.of(match, replace(reading, captured_at=now))
    if not stuck(comparison):
        return []
    drafts = yield from consider(comparison, as_expected, settings)
    return drafts or [asked_again(match, comparison)]


def on_pointing(match: Match, place: str, stayed: bool) -> list[Draft]:
    """What a finger that was held on a spot leads to; ``stayed``: it was told before, and the finger has stayed there since.
    Nothing where nobody is asked about it."""
    return by_finger(match, place, stayed)


def on_clock(match: Match, now: float) -> list[Draft]:
    """What follows from the players' time going by. ``now`` is in seconds since the epoch, as events are dated."""
    role = clock.ran_out(match, now)
    return [Draft("time-over", {"role": role})] if role else []


def on_return(match: Match) -> list[Draft]:
    """After the companion was away nobody pays for the time until now."""
    return [Draft("clock", {"action": clock.AWAY})] if match.clock is not None and match.clock.running else []


def on_notice(code: str, text: str, params: Json) -> list[Draft]:
    """What the camera, the box or the source has to say about itself, for the record."""
    return [Draft("notice", {"code": code, "text": text, "params": dict(params)})]


def on_record(match: Match) -> list[Draft]:
    """What follows from the record alone, as the game has it: the round that opens, the question that is due, the end."""
    if match.adjourned or match.restoring:
        return []
    return list(match.game.due(match.state, match.context))


# --- one function per kind of expectation ---------------------------------------------------------------------------


def as_expected(comparison: TableComparison, settings: RefereeSettings) -> list[Draft]:
    """What a settled look leads to: each expectation is asked in the game's order, the first that has a say has it."""
    for expected in comparison.match.expects:
        drafts: list[Draft] | None = None
        if isinstance(expected, Change):
            drafts = judge(comparison, settings)
        elif isinstance(expected, Question):
            drafts = _questioned(comparison, expected)
        elif isinstance(expected, Arrangement):
            drafts = _set_up(comparison, expected) if expected.start else _tidied(comparison, expected)
        if drafts is not None:
            return drafts
    return []


def _set_up(comparison: TableComparison, goal: Arrangement[Position]) -> list[Draft]:
    chores = comparison.chores(goal.target, anew=True)
    if comparison.blind and not chores:
        return []  # nothing that can be seen is wrong; that does not end what was asked for
    asked = [chore for chore in chores if not _doubtful(comparison, chore)]
    if not asked and (not chores or _possible(comparison)):
        return [Draft(goal.reached, {"position": comparison.after.to_json()})]
    if not comparison.blind and _begun(comparison, goal):
        return [Draft(goal.reached, {"position": goal.target.to_json()})]
    return comparison.chore_drafts(asked or chores)


def _doubtful(comparison: TableComparison, chore: Json) -> bool:
    """Whether the sources disagree about the piece and it lies where one of them has it: then the table knows better."""
    doubts: Mapping[str, Any] = comparison.board.doubts
    group = group_of(chore["subject"], comparison.pieces)
    told = doubts.get(chore["subject"], doubts.get(group.key, {}))
    return chore["place"] is not None and chore["place"] in told.get("places", ())


def _possible(comparison: TableComparison) -> bool:
    try:
        comparison.game.position(comparison.after.to_json())
    except InvalidPosition:
        return False
    return True


def _begun(comparison: TableComparison, goal: Arrangement[Position]) -> bool:
    """Whether the first plays were made before anybody looked: the first full view is what plays make of the start set-up.

    Only while nothing was asked for yet. Who lays the pieces out under the camera is guided, never followed.
    """
    match = comparison.match
    if not goal.seats or match.chores or any(chore["place"] is None for chore in comparison.chores(goal.target)):
        return False
    for plays in (1, len(goal.seats)):
        found = match.game.explain(goal.target, comparison.after, plays=plays, mover=goal.seats[0], rules=match.rules)
        if found.verdict in ("legal", "ambiguous") or (found.faults and all(fault.pending for fault in found.faults)):
            return True
    return False


def _questioned(comparison: TableComparison, question: Question) -> list[Draft] | None:
    """Hands that act on an answer before it is given are out of step; None: the question has no say in what is on the table,
    and the last play may still be corrected."""
    match = comparison.match
    marked = by_marker(comparison, question)
    if marked is not None:
        return marked
    if question.early is None or comparison.blind or comparison.shows(match.position):
        return None
    shown = repr(surface(match.game, comparison.after))
    if not any(repr(surface(match.game, position)) == shown for position in match.game.early(match.state)):
        return None
    return comparison.flag_drafts("out-of-step", [question.early.to_json()], comparison.chores(match.position))


def _restored(comparison: TableComparison) -> list[Draft]:
    """After a ruling nothing is a play until the table shows what was ruled."""
    chores = comparison.chores(comparison.match.position, anew=True)
    if chores:
        return comparison.flag_drafts("out-of-step", [_AS_RULED], chores)
    return [] if comparison.blind else [Draft("flag-cleared", {"how": "put-back"})]


_AS_RULED = out_of_step("Put the pieces where the arbiter has ruled.", "as-ruled")


def _tidied(comparison: TableComparison, goal: Arrangement[Position]) -> list[Draft]:
    """Waits until the table shows what it must. A piece that nobody was asked to touch is out of step."""
    match = comparison.match
    chores = comparison.chores(goal.target)
    if not chores and not comparison.blind:
        return [*comparison.calm_drafts("cleaned-up"), Draft(goal.reached, {"position": goal.target.to_json()})]
    strayed = [chore for chore in chores if chore["subject"] not in goal.touched or _misplaced(comparison, goal, chore)]
    if strayed and not comparison.blind and _played_on(comparison, goal):
        return [*comparison.calm_drafts("cleaned-up"), Draft(goal.reached, {"position": goal.target.to_json()})]
    drafts = _next_chores(comparison, chores) if chores else []
    if strayed and not comparison.blind:
        fault = _STRAYED if goal.reached == "clean-up" else _NOT_ASKED_FOR
        return [*drafts, *comparison.flag_drafts("out-of-step", [fault], chores)]
    return [*drafts, *(comparison.calm_drafts("put-back") if match.flag and not comparison.blind else [])]


def _misplaced(comparison: TableComparison, goal: Arrangement[Position], chore: Json) -> bool:
    """Whether a marker that was asked for left its space, but for another one than was asked for."""
    match, group = comparison.match, group_of(chore["subject"], comparison.pieces)
    if goal.reached == "clean-up" or group.layout != "value" or chore["place"] is None:
        return False
    before = match.game.differences(goal.target, surface(match.game, match.position))
    return chore["place"] not in {one.place for one in before if one.subject == chore["subject"]}


def _next_chores(comparison: TableComparison, chores: list[dict[str, Any]]) -> list[Draft]:
    """What is left to do; ``next`` where one kind of it has just been done altogether, so that the rest is worth saying. What
    cannot be told now would be left out of it without being done."""
    match = comparison.match
    before, after = ({chore["code"] for chore in some} for some in (match.chores, chores))
    untouched = match.game.differences(comparison.base, surface(match.game, match.position), comparison.sight.subjects)
    step = {"next": True} if after < before & {chore.code for chore in untouched} else {}
    return [Draft("chores", {**draft.data, **step}) for draft in comparison.chore_drafts(chores)]


_STRAYED = out_of_step("Something else changed while the table was cleaned up.", "strayed")
_NOT_ASKED_FOR = out_of_step("Something else was laid or moved than what was asked for.", "strayed")


def _played_on(comparison: TableComparison, goal: Arrangement[Position]) -> bool:
    """Whether everything was put in place and the next plays were made before anybody looked."""
    if not goal.seats:
        return False
    match, seats = comparison.match, goal.seats
    found = match.game.explain(goal.target, comparison.after, plays=len(seats), mover=seats[0], rules=match.rules)
    return found.verdict in ("legal", "ambiguous")
