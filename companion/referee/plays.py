"""Explaining a settled change while plays are made: which play it was, whether it goes on, or why there is none.

A change is read against two positions: the head (something new was played) and the one before the last play (the last
play is still going on: a disc moved further, its front turned, a piece set back). Explanations that need more than one
play are sought only when one is not enough, up to the picks that are left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.expectations import TOLD
from companion.games.game import Explanation, Fault, Play, Position
from companion.referee.comparison import TableComparison, out_of_step, surface
from companion.referee.guiding import in_order
from companion.referee.match import Draft, Match
from companion.referee.settings import RefereeSettings
from companion.referee.stepping_back import FAULTS, needs_arbiter

Json = Mapping[str, Any]
_NONE = Explanation("illegal")


@dataclass(frozen=True)
class Story:
    """One way to tell what happened: plays in order; ``redo`` when the first replaces the last play on record."""

    plays: tuple[Play, ...]
    redo: bool = False


def judge(comparison: TableComparison, settings: RefereeSettings) -> list[Draft]:
    """The drafts that a settled look leads to while plays are made or an answer is awaited."""
    match = comparison.match
    if comparison.shows(match.position):
        # Behind what cannot be seen the trouble may go on: only a full view clears it. Whether a card was laid upon one that
        # looks the same is for people to say: the table shows the same either way.
        return [] if comparison.blind or "again" in (match.doubt or ()) else comparison.calm_drafts("put-back")
    if match.flag and match.flag.get("guiding"):
        return [] if comparison.blind else led_back(comparison)
    if comparison.displaced:
        return []  # it was asked for: what it would make of the play is not known before it can be told
    if any(comparison.shows(position) for position in match.refused):
        return comparison.flag_drafts("out-of-step", [_TAKEN_BACK], comparison.chores(match.position))
    if match.picks and comparison.shows(match.picks[-1].before) and not comparison.blind:
        return _put_back(comparison)
    drafts = _explained(comparison, settings)
    return _under_cover(comparison, drafts, settings) if comparison.shaded else drafts


def _under_cover(comparison: TableComparison, drafts: list[Draft], settings: RefereeSettings) -> list[Draft]:
    """The drafts of what is seen, or what is to be looked at first: there are tiles that cannot be seen, or not told."""
    kind = drafts[-1].kind if drafts else ""
    if kind == "flag":
        return _lift(comparison, settings) or drafts
    if kind == "unfinished":
        return [*_told_apart(comparison, settings), *drafts]
    if [draft.kind for draft in drafts if draft.kind in ("play", "correction")] == ["play"]:
        return _another_tale(comparison, drafts[-1].data["character"], drafts)
    return drafts


def _another_tale(comparison: TableComparison, character: str, drafts: list[Draft]) -> list[Draft]:
    """The play as it looks, unless a tile that cannot be seen would make it the play of somebody else: then look first."""
    asked = [
        subject
        for subject, guess in comparison.unshaded()
        if any(story.plays[0].character != character for story in _stories(_fresh(guess, 1), False))
    ]
    if not asked:
        return drafts
    return (
        []
        if set(asked) <= set(comparison.match.blind)
        else [comparison.asking(tuple(dict.fromkeys((*comparison.blind, *asked))))]
    )


def _put_back(comparison: TableComparison) -> list[Draft]:
    """Hands took the last play back: an undo where players may, otherwise out of step until the arbiter rules."""
    late = needs_arbiter(comparison.match)
    if late is None:
        return [Draft("undo", undo_data(comparison.match, "table"))]
    return comparison.flag_drafts("out-of-step", [FAULTS[late]], comparison.chores(comparison.match.position))


def _lift(comparison: TableComparison, settings: RefereeSettings) -> list[Draft]:
    """The tiles to be uncovered first: laid or turned over under a disc, one of them would make the change a play."""
    right = [subject for subject, guess in comparison.unshaded() if not _wrong(_explained(guess, settings))]
    return [*comparison.calm_drafts("hidden"), comparison.asking(tuple(dict.fromkeys(right)))] if right else []


def _told_apart(comparison: TableComparison, settings: RefereeSettings) -> list[Draft]:
    """The request to show a tile that lies in sight and cannot be told, when it may be what is still missing of the play."""
    open_ones = set(comparison.strewn) - set(comparison.match.blind)
    guesses = [(subject, guess) for subject, guess in comparison.unshaded() if subject in open_ones]
    right = [subject for subject, guess in guesses if _tells(_explained(guess, settings))]
    return [comparison.asking(tuple(dict.fromkeys((*comparison.blind, *right))))] if right else []


def _tells(drafts: Sequence[Draft]) -> bool:
    return any(draft.kind in ("play", "correction", "doubt") for draft in drafts)


def _wrong(drafts: Sequence[Draft]) -> bool:
    return bool(drafts) and drafts[-1].kind in ("flag", "unfinished")


def _explained(comparison: TableComparison, settings: RefereeSettings) -> list[Draft]:
    """One play first, then the last one going on, then several seen late: the plainest story that fits is told."""
    match = comparison.match
    last = match.picks[-1].character if match.picks else None
    fresh, redo = _fresh(comparison, 1), _redo(comparison, 0)
    going_on = [story for story in _stories(redo, True) if story.plays[0].character == last]
    stories = _stories(fresh, False) + going_on
    if stories:
        return _told(comparison, stories, settings)
    if _pending(fresh) and not _waited(comparison):
        # Several plays can explain nearly anything; a play that only needs finishing is likelier by far.
        return _open(comparison, fresh, redo, settings)
    stories = _late(comparison, last)
    if len({_result(match, story) for story in stories}) == 1:
        return _told(comparison, stories, settings)
    if _pending(redo) and not _waited(comparison):
        return [] if comparison.blind else _hold(comparison, redo.faults, settings.grace_s)
    if stories:
        return _doubted(comparison, stories) if _pending(fresh) else _told(comparison, stories, settings)
    return _instead(comparison, fresh, redo, settings)


def _open(comparison: TableComparison, fresh: Explanation, redo: Explanation, settings: RefereeSettings) -> list[Draft]:
    """A play that is to be finished, unless the last one was the first part of what lies here: then that is asked."""
    retold = _told_anew(comparison, redo)
    if retold:
        return _doubted(comparison, retold)
    return [] if comparison.blind else _hold(comparison, fresh.faults, settings.grace_s)


def _instead(comparison: TableComparison, fresh: Explanation, redo: Explanation, settings: RefereeSettings) -> list[Draft]:
    """The last play was taken back and another one made instead; if that is not it either, nothing explains the change."""
    stories = _stories(redo, True)
    if stories and needs_arbiter(comparison.match) is None:
        return _doubted(comparison, stories) if _pending(fresh) else _told(comparison, stories, settings)
    retold = _told_anew(comparison, redo)
    if retold:
        return _doubted(comparison, retold)
    if comparison.blind:
        return []
    if stories:
        return _put_back(comparison)
    # While a flag stands, whoever goes on with what was begun does so with the piece that is played.
    begun = () if _waited(comparison) or comparison.match.flag or not settings.begun_s else _begun(comparison)
    return _hold(comparison, begun, settings.begun_s) if begun else _not_explained(comparison, fresh, redo, settings)


def _told_anew(comparison: TableComparison, redo: Explanation) -> list[Story]:
    """Stories by which the last play on record was only a part of somebody else's: all that it moved is where it put it.

    Nothing is taken back by them, so the pick may have passed on; but it is for people to say whose play it was.
    """
    moves = comparison.match.picks[-1].moves if comparison.match.picks else None
    if moves is None:
        return []
    play_drafts = {move["piece"]: move["to"] for move in moves}
    stories = []
    for story in _stories(redo, True):
        now = {move.piece: move.to for move in story.plays[0].moves}
        if play_drafts.items() < now.items():
            stories.append(story)
    return stories


def _late(comparison: TableComparison, last: str | None) -> list[Story]:
    """Stories of several plays: new ones, or the last one going on and new ones after it."""
    left = _left(comparison.match)
    late = _stories(_fresh(comparison, left), False) if left > 1 else []
    if late or left < 1:
        return late
    return [story for story in _stories(_redo(comparison, left), True) if story.plays[0].character == last]


def play_drafts(match: Match, story: Story, others: Sequence[Story] = ()) -> list[Draft]:
    """The events of one story. ``others`` are other ways to tell the same, kept so that one may be chosen later."""
    drafts: list[Draft] = []
    first = len(match.picks) - (1 if story.redo else 0)
    for offset, play in enumerate(story.plays):
        data = play_data(match, play, first + offset)
        if offset == len(story.plays) - 1 and others:
            data["alternatives"] = [alternative(match, index, other) for index, other in enumerate(others)]
        if story.redo and offset == 0:
            data = {"what": "play", "supersedes": match.picks[-1].number, **data}
            drafts.append(Draft("correction", data))
        else:
            drafts.append(Draft("play", data))
    return drafts


def play_data(match: Match, play: Play, index: int) -> dict[str, Any]:
    """A play as the record keeps it; ``pick`` counts from 1."""
    return {
        "turn": match.position.turn, "pick": index + 1, "mover": _mover(match, index),
        **play.to_json(), "text": play.text, "params": dict(play.params), **match.game.noted(match.state),
    }  # fmt: skip


def _mover(match: Match, index: int) -> str:
    """Whose play of the running round it is: on record, expected now, or by the order of the round where it was seen late."""
    if index < len(match.picks):
        return match.picks[index].mover
    if index == len(match.picks) and match.mover is not None:
        return match.mover
    return match.movers[min(index, len(match.movers) - 1)]


def undo_data(match: Match, cause: str) -> dict[str, Any]:
    """Stepping back over the last play; ``cause`` is ``"answer"`` or ``"table"`` (the pieces were put back). ``still``: nothing
    was moved with it."""
    last = match.picks[-1]
    still = {"still": True} if last.moves == () else {}
    return {"undone": last.number, "character": last.character, "cause": cause, **still, "position": last.before.to_json()}


def alternative(match: Match, index: int, story: Story) -> dict[str, Any]:
    """A story as a choice on the page."""
    first = len(match.picks) - (1 if story.redo else 0)
    plays = [play_data(match, play, first + offset) for offset, play in enumerate(story.plays)]
    return {"index": index, "redo": story.redo, "plays": plays, "text": " ".join(_sentence(play) for play in story.plays)}


_TAKEN_BACK = out_of_step("The last play was taken back: put its pieces back, or play something else.", "taken-back")


def _left(match: Match) -> int:
    return match.change.left if match.change is not None else 0


def _fresh(comparison: TableComparison, plays: int) -> Explanation:
    match = comparison.match
    if not _left(match):
        return _NONE
    return comparison.game.explain(match.position, comparison.after, plays=plays, mover=match.mover, rules=match.rules)


def _redo(comparison: TableComparison, further: int) -> Explanation:
    """The change told from before the last play: that play going on (or another instead), and up to ``further`` more."""
    if not comparison.match.picks:
        return _NONE
    last, rules = comparison.match.picks[-1], comparison.match.rules
    return comparison.game.explain(
        last.before, _since(comparison, last.before), plays=1 + further, mover=last.mover, rules=rules
    )


def _since(comparison: TableComparison, before: Position) -> Position:
    """What the table shows now, as the position that followed an earlier one."""
    state = surface(comparison.game, comparison.after)
    if TOLD in before.to_json():
        state = {**state, TOLD: True}  # what no look has shown is in it already
    return comparison.game.complete(before, state, ())


def _begun(comparison: TableComparison) -> tuple[Fault, ...]:
    """What is still to do if hands are laying a play piece by piece, a new one or the last one on record."""
    match, game = comparison.match, comparison.game
    begun = game.begun(match.position, comparison.after, mover=match.mover, rules=match.rules) if _left(match) else ()
    if begun or not match.picks:
        return begun
    last = match.picks[-1]
    return game.begun(last.before, _since(comparison, last.before), mover=last.mover, rules=match.rules)


def _pending(explanation: Explanation) -> bool:
    """Whether going on with the play heals all that is wrong."""
    return bool(explanation.faults) and all(fault.pending for fault in explanation.faults)


def _stories(explanation: Explanation, redo: bool) -> list[Story]:
    if explanation.verdict not in ("legal", "ambiguous"):
        return []
    return [Story(plays, redo) for plays in explanation.alternatives if plays]


def _told(comparison: TableComparison, stories: list[Story], settings: RefereeSettings) -> list[Draft]:
    match = comparison.match
    if len({_result(match, story) for story in stories}) > 1:
        return _doubted(comparison, stories)
    if stories[0].plays[-1].ends and not _waited(comparison):
        return _hold(comparison, [_ending(stories[0])], settings.ending_s)
    return [*comparison.unflag_drafts("explained"), *play_drafts(match, stories[0], stories if len(stories) > 1 else ())]


def laid_again(comparison: TableComparison) -> list[Draft]:
    """The question whether a card was laid upon one that looks the same, where a hand was in its zone and nothing was seen to
    change, and that would be a play. It is open until it is answered or something else follows; nothing is wrong meanwhile."""
    match, reading = comparison.match, comparison.match.table
    if reading is None or not reading.again or comparison.blind or match.flag or match.doubt or not _left(match):
        return []
    for zone in reading.again:
        guess = match.game.laid_again(match.position, zone)
        if guess is None or not comparison.shows(match.position):
            continue
        found = match.game.explain(match.position, guess, plays=1, mover=match.mover, rules=match.rules)
        stories = _stories(found, False)
        if stories:
            told = [alternative(match, index, story) for index, story in enumerate(stories)]
            nothing = {"index": len(told), "redo": False, "plays": [], "text": NOTHING_LAID}
            return [Draft("doubt", {"again": zone, "text": AGAIN, "params": {}, "alternatives": [*told, nothing]})]
    return []


AGAIN = "Was the same card laid again, or nothing?"
NOTHING_LAID = "Nothing was laid."


def _doubted(comparison: TableComparison, stories: list[Story]) -> list[Draft]:
    data = {"alternatives": [alternative(comparison.match, index, story) for index, story in enumerate(stories)]}
    if comparison.match.doubt == data:
        return []
    return [*comparison.unflag_drafts("doubt"), Draft("doubt", data)]


def _ending(story: Story) -> Fault:
    """A play that ends the game counts only after a while: a disc may be off the board, or on another, by chance."""
    play = story.plays[-1]
    text = "This would end the game. Leave it so to confirm, or put the piece elsewhere."
    return Fault("ends-the-game", play.character, text, pending=True)


def _result(match: Match, story: Story) -> tuple[bool, frozenset[str], str | None]:
    """What a story leaves behind: who was played (the order among them does not matter later) and how it ends."""
    return story.redo, frozenset(play.character for play in story.plays), story.plays[-1].ends


def _not_explained(
    comparison: TableComparison, fresh: Explanation, redo: Explanation, settings: RefereeSettings
) -> list[Draft]:
    faults = next((found.faults for found in (fresh, redo) if _pending(found)), fresh.faults or redo.faults)
    chores = comparison.chores(comparison.match.position)
    if _going_back(comparison.match, chores):
        return led_back(comparison)
    if len(differing(chores)) > settings.most_differing:
        return comparison.flag_drafts("out-of-step", [_too_much(len(differing(chores)))], chores)
    if not faults:
        return comparison.flag_drafts("out-of-step", [_NO_PLAY], chores)
    left = _left_undone(comparison, faults, chores)
    if left:
        return comparison.flag_drafts("illegal", left, chores)
    named = [fault for fault in faults if fault.character is not None]
    return comparison.flag_drafts("illegal" if named else "out-of-step", [fault.to_json() for fault in faults], chores)


def _left_undone(comparison: TableComparison, faults: Sequence[Fault], chores: Sequence[Json]) -> list[Json]:
    """What was still to do when play went on: that is the trouble, not that another character was moved as well. Where hands
    have touched nothing else since, play did not go on: what is wrong now is told, not what was waited for."""
    match = comparison.match
    waiting = match.unfinished or match.flag or {}
    blamed, codes = {fault.character for fault in faults}, {fault.code for fault in faults}
    undone = [x for x in waiting.get("faults", ()) if x["pending"] and x["code"] != "begun"]
    left = [x for x in undone if x["character"] in blamed and x["code"] not in codes]
    if not left or waiting["shown"] == surface(comparison.game, comparison.after):
        return left  # what is flagged already stays so
    then = {chore.subject for chore in match.game.differences(match.position, waiting["shown"])}
    return left if differing(chores) - then else []


def differing(chores: Sequence[Json]) -> frozenset[str]:
    """The pieces, and places of tiles, that are not as the record has them."""
    return frozenset(chore["subject"] for chore in chores)


def _going_back(match: Match, chores: Sequence[Json]) -> bool:
    """Whether far too much differed and hands have put some of it back since, and touched nothing else."""
    flag = match.flag
    if flag is None or flag["faults"][0]["code"] != TOO_MUCH:
        return False
    return differing(chores) < differing(flag["chores"])


def led_back(comparison: TableComparison) -> list[Draft]:
    """The next step of the way back to what is on record; until the table shows that, nothing is taken for a play."""
    chores = comparison.chores(comparison.match.position)
    return comparison.flag_drafts("out-of-step", [_too_much(len(differing(chores)))], chores, guiding=True)


def _too_much(count: int) -> Json:
    text = "{count} pieces are not where the record has them. Let the page guide you back, or have the table taken as it is."
    return Fault(TOO_MUCH, None, text, {"count": count}).to_json()


TOO_MUCH = "too-much-changed"
_NO_PLAY = out_of_step("No play explains what changed on the table.", "no-play")


def _waited(comparison: TableComparison) -> bool:
    """Whether exactly this has been waited for long enough."""
    match, shown = comparison.match, surface(comparison.game, comparison.after)
    if match.flag is not None and match.flag.get("shown") == shown:
        return True  # it was flagged already when the time was up
    waiting = match.unfinished
    return waiting is not None and comparison.at > waiting["until"] and waiting["shown"] == shown


def _hold(comparison: TableComparison, faults: Sequence[Fault], seconds: float) -> list[Draft]:
    """Say what is still to do and wait; every change on the table starts the waiting anew."""
    match, shown = comparison.match, surface(comparison.game, comparison.after)
    listed = [fault.to_json() for fault in faults]
    waiting = match.unfinished
    # A source that was started again counts its seconds anew: then the waiting does, too.
    if waiting and waiting["faults"] == listed and waiting["shown"] == shown and waiting["since"] <= comparison.at:
        return []
    data: dict[str, Any] = {"faults": listed, "since": comparison.at, "until": comparison.at + seconds, "shown": shown}
    flagged = {(chore["subject"], chore["place"]) for chore in (match.flag or waiting or {}).get("chores", ())}
    # Who was putting back an illegal play may go on with that as well: what still lies where that play put it stays in sight.
    left = [chore for chore in comparison.chores(match.position) if (chore["subject"], chore["place"]) in flagged]
    if left:
        data["chores"] = in_order(left)
    return [*comparison.unflag_drafts("going-on"), Draft("unfinished", data)]


def _sentence(play: Play) -> str:
    return play.text.format(**play.params) if play.text else play.character
