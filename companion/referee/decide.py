"""The decider: what the record gets to say next. Pure; it proposes drafts and changes nothing.

Call it again after its drafts were folded, until it has nothing more to say: each call takes one step (the plays, then
the call that follows from them, then the answer of a sealed envelope …), so a record that stops anywhere goes on.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from companion.errors import InvalidPosition
from companion.games.game import Move, Outcome, Play
from companion.referee import clock
from companion.referee.hidden import asked_again, consider, patience, stuck
from companion.referee.match import CALL, CLEAN_UP, PLAY, SET_UP, Draft, Match
from companion.referee.plays import judge
from companion.referee.scene import Scene, out_of_step, surface, with_cards
from companion.referee.settings import DEFAULTS, RefereeSettings
from companion.referee.sight import group_of, outdated
from companion.vision.reading import Reading

Json = Mapping[str, Any]
QUESTIONS = MappingProxyType(
    {
        "call": "Jack: are you seen or unseen?",
        "accusation": "Jack: who are you?",
        "escape": "Jack: who are you?",
    }
)


def on_reading(match: Match, reading: Reading, settings: RefereeSettings = DEFAULTS) -> list[Draft]:
    """What follows from a look at the table (and, before that, what follows from the record alone)."""
    due = on_record(match)
    if match.adjourned:
        return []  # what hands do to the table meanwhile is nobody's play
    if due or not reading.settled or match.phase not in _PHASES:
        return due
    board, pieces = match.game.board(match.position.edition), match.game.pieces()
    gone = outdated(reading, match.overrides, board, pieces)
    if gone:
        return [Draft("correction", {"what": "sight", "withdrawn": list(gone)})]
    scene = Scene.of(match, reading)
    if match.restoring:
        return [*scene.sight_drafts(), *_restored(scene)]
    return [*scene.sight_drafts(), *_PHASES[match.phase](scene, settings)]


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
    scene = Scene.of(match, replace(reading, captured_at=now))
    if not stuck(scene):
        return []
    drafts = yield from consider(scene, _PHASES[match.phase], settings)
    return drafts or [asked_again(match, scene)]


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
    """What follows from the record alone: the turn that opens, the call that is due, the end."""
    if match.adjourned or match.restoring:
        return []
    if match.phase == SET_UP and match.expected is not None:
        return [turn_opened(match, match.expected)]
    if match.phase == CLEAN_UP and match.expected is None:
        over = match.game.outcome(match.position, None, None)
        return [outcome(over)] if over else [turn_opened(match, match.position)]
    return _plays_over(match) if match.phase == PLAY else []


def _plays_over(match: Match) -> list[Draft]:
    """What follows once a play ended the game, or the turn's last pick was made."""
    if match.picks and match.picks[-1].play.get("ends"):
        last = match.picks[-1]
        ends = last.play["ends"]
        return [Draft("accusation", {"question": ends, "text": QUESTIONS[ends], "character": last.character, "by": last.mover})]
    if len(match.picks) < len(match.movers):
        return []
    over = match.game.outcome(match.position, None, None)
    return [outcome(over) if over else _call_asked(match)]


def play_of(match: Match) -> Play:
    """The last play on record, as the game wants it."""
    play = match.picks[-1].play
    moves = tuple(
        Move(move["piece"], move["from"], move["to"], tuple(move.get("path", ())), move.get("facing")) for move in play["moves"]
    )
    return Play(play["character"], moves, play["ability"], match.position, play["ends"])


def outcome(over: Outcome) -> Draft:
    """The end of the game."""
    data = {"winner": over.winner, "code": over.code, "message": over.message, "text": over.text, "params": dict(over.params)}
    return Draft("outcome", data)


def turn_opened(match: Match, position: Any) -> Draft:
    """The next turn; nobody has been played in it yet."""
    fresh = with_cards(match.game, position, available=position.available, played=position.played or ())
    movers = list(match.game.movers(fresh.turn))
    return Draft("turn-opened", {"turn": fresh.turn, "movers": movers, "position": fresh.to_json()})


def _call_asked(match: Match) -> Draft:
    witness = match.game.witness(match.position).to_json()
    suspects = list(match.game.suspects(match.position))
    return Draft(
        "call-asked",
        {
            "turn": match.position.turn, "witness": witness, "suspects": suspects, "text": QUESTIONS["call"],
            "by": "secret" if match.secret == "entrusted" else "answer",
        },
    )  # fmt: skip


# --- one function per phase -----------------------------------------------------------------------------------------


def _set_up(scene: Scene, settings: RefereeSettings) -> list[Draft]:
    chores = scene.chores(scene.match.position)
    if scene.blind and not chores:
        return []  # nothing that can be seen is wrong; that does not end what was asked for
    asked = [chore for chore in chores if not _doubtful(scene, chore)]
    if not asked and (not chores or _possible(scene)):
        return [Draft("table-agreed", {"position": scene.after.to_json()})]
    if not scene.blind and _begun(scene):
        return [Draft("table-agreed", {"position": scene.match.position.to_json()})]
    return scene.chore_drafts(asked or chores)


def _doubtful(scene: Scene, chore: Json) -> bool:
    """Whether the sources disagree about the piece and it lies where one of them has it: then the table knows better."""
    doubts: Mapping[str, Any] = scene.board.doubts
    group = group_of(chore["subject"], scene.pieces)
    told = doubts.get(chore["subject"], doubts.get(group.key, {}))
    return chore["place"] is not None and chore["place"] in told.get("places", ())


def _possible(scene: Scene) -> bool:
    try:
        scene.game.position(scene.after.to_json())
    except InvalidPosition:
        return False
    return True


def _begun(scene: Scene) -> bool:
    """Whether the first plays were made before anybody looked: the first full view is what plays make of the start set-up.

    Only while nothing was asked for yet. Who lays the pieces out under the camera is guided, never followed.
    """
    match = scene.match
    if match.chores or any(chore["place"] is None for chore in scene.chores(match.position)):
        return False
    for plays in (1, len(match.movers)):
        found = match.game.explain(match.position, scene.after, plays=plays, mover=match.movers[0], rules=match.rules)
        if found.verdict in ("legal", "ambiguous") or (found.faults and all(fault.pending for fault in found.faults)):
            return True
    return False


def _play(scene: Scene, settings: RefereeSettings) -> list[Draft]:
    return judge(scene, settings)


def _call(scene: Scene, settings: RefereeSettings) -> list[Draft]:
    """Before the answer the last play may still be corrected; turning discs now is out of step."""
    match = scene.match
    if match.question is not None and match.question["kind"] == "call" and not scene.blind:
        for seen in (True, False):
            called = match.game.call(match.position, seen)
            done = {_frozen(surface(match.game, position)) for position in (called, match.game.close_turn(called))}
            if not scene.shows(match.position) and _frozen(surface(match.game, scene.after)) in done:
                return scene.flag_drafts("out-of-step", [_BEFORE_THE_ANSWER], scene.chores(match.position))
    return judge(scene, settings)


def _restored(scene: Scene) -> list[Draft]:
    """After a ruling nothing is a play until the table shows what was ruled."""
    chores = scene.chores(scene.match.position)
    if chores:
        return scene.flag_drafts("out-of-step", [_AS_RULED], chores)
    return [] if scene.blind else [Draft("flag-cleared", {"how": "put-back"})]


_AS_RULED = out_of_step("Put the pieces where the arbiter has ruled.", "as-ruled")
_BEFORE_THE_ANSWER = out_of_step("Discs were turned over before Jack answered: give the answer now.", "before-the-answer")


def _clean_up(scene: Scene, settings: RefereeSettings) -> list[Draft]:
    """Waits until the table shows the turn's end. A piece that nobody was asked to touch is out of step."""
    match = scene.match
    chores = scene.chores(scene.base)
    if not chores and not scene.blind:
        return [*scene.calm_drafts("cleaned-up"), Draft("clean-up", {"position": scene.base.to_json()})]
    strayed = [chore for chore in chores if chore["subject"] not in match.duties]
    if strayed and not scene.blind and _played_on(scene):
        return [*scene.calm_drafts("cleaned-up"), Draft("clean-up", {"position": scene.base.to_json()})]
    drafts = _next_chores(scene, chores) if chores else []
    if strayed and not scene.blind:
        return [*drafts, *scene.flag_drafts("out-of-step", [_STRAYED], chores)]
    return [*drafts, *(scene.calm_drafts("put-back") if match.flag and not scene.blind else [])]


def _next_chores(scene: Scene, chores: list[dict[str, Any]]) -> list[Draft]:
    """What is left to do; ``next`` where one kind of it has just been done altogether, so that the rest is worth saying."""
    before, after = ({chore["code"] for chore in some} for some in (scene.match.chores, chores))
    step = {"next": True} if after < before else {}
    return [Draft("chores", {**draft.data, **step}) for draft in scene.chore_drafts(chores)]


_STRAYED = out_of_step("Something else changed while the table was cleaned up.", "strayed")


def _played_on(scene: Scene) -> bool:
    """Whether the clean-up was done and the next turn's first plays were made before anybody looked."""
    match, movers = scene.match, scene.game.movers(scene.base.turn)
    found = match.game.explain(scene.base, scene.after, plays=len(movers), mover=movers[0], rules=match.rules)
    return found.verdict in ("legal", "ambiguous")


def _frozen(data: Any) -> str:
    return repr(data)


_PHASES: Mapping[str, Callable[[Scene, RefereeSettings], list[Draft]]] = MappingProxyType(
    {SET_UP: _set_up, PLAY: _play, CALL: _call, CLEAN_UP: _clean_up}
)
