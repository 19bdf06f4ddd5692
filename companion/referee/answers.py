"""What people tell the companion at any table: a choice, a correction, a step back, a secret, an arbiter's word.

``on_answer`` returns the drafts an answer leads to, or raises BadInput saying in one line why it cannot be taken now.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput
from companion.record.commitment import opens, parse_commitment
from companion.referee.clock import clock_data
from companion.referee.corrections import Corrector
from companion.referee.match import Draft, Match
from companion.referee.plays import TOO_MUCH, led_back, undo_data
from companion.referee.rulings import accept, rule
from companion.referee.scene import Scene
from companion.referee.sight import perceive
from companion.referee.stepping_back import REFUSED, last_play, needs_arbiter

Json = Mapping[str, Any]


def on_answer(match: Match, answer: Json) -> list[Draft]:
    """The drafts of one answer. Raises BadInput."""
    game, kind = match.game, answer.get("kind") if isinstance(answer, Mapping) else None
    if not isinstance(kind, str) or kind not in game.answers:
        raise BadInput(f"answer {kind!r} is not known; there are: {', '.join(game.answers)}")
    if match.adjourned and kind not in ("rule", "seal", "clock"):
        raise BadInput("the game is adjourned; it has to be resumed first")
    take = _ANSWERS.get(kind)
    return take(match, answer) if take is not None else list(game.answer(match.state, match.context, answer))


def by_secret(match: Match, secret: str, nonce: str | None = None) -> list[Draft]:
    """What an entrusted secret answers to the open question. Raises BadInput."""
    said = match.game.by_secret(match.state, secret)
    if said["kind"] in _ANSWERS:
        return on_answer(match, {**said, "nonce": nonce})
    return list(match.game.answer(match.state, match.context, said))


def _guide(match: Match, answer: Json) -> list[Draft]:
    """People want to be led back, piece by piece, to what is on record."""
    flag = match.flag
    if match.table is None or flag is None or flag["faults"][0]["code"] != TOO_MUCH:
        raise BadInput("there is nothing to be led back from now: that is offered when many pieces differ from the record")
    return led_back(Scene.of(match, match.table))


def _choose(match: Match, answer: Json) -> list[Draft]:
    offered = match.doubt or (match.picks[-1].play if match.picks and match.change is not None else {})
    choices = offered.get("alternatives", ())
    index = answer.get("alternative")
    if not choices:
        raise BadInput("there is nothing to choose from now")
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(choices):
        raise BadInput(f"alternative {index!r} is not one of 0 to {len(choices) - 1}")
    chosen = choices[index]
    if match.doubt is None:
        return _retold(match, chosen)
    first = dict(chosen["plays"][0])
    if not chosen["redo"]:
        return _told_as(chosen, choices)
    correction = Draft("correction", {"what": "play", "supersedes": match.picks[-1].number, **first})
    return [correction, *(Draft("play", play) for play in chosen["plays"][1:])]


def _retold(match: Match, chosen: Json) -> list[Draft]:
    """Another explanation of what was accepted: step back over the plays it replaces, then tell them anew."""
    if chosen["redo"] or len(chosen["plays"]) > len(match.picks):
        raise BadInput("that explanation can no longer be taken; undo the play instead")
    picks = match.picks[-len(chosen["plays"]) :]
    undone = [
        Draft("undo", {"undone": p.number, "character": p.character, "cause": "retold", "position": p.before.to_json()})
        for p in reversed(picks)
    ]
    return [*undone, *_told_as(chosen, match.picks[-1].play["alternatives"])]


def _told_as(chosen: Json, choices: Sequence[Json]) -> list[Draft]:
    """The chosen plays; the last keeps the other ways to tell as many plays, so that a wrong choice can be put right."""
    others = [choice for choice in choices if not choice["redo"] and len(choice["plays"]) == len(chosen["plays"])]
    *first, last = chosen["plays"]
    if len(others) > 1:
        last = {**last, "alternatives": [{**choice, "index": index} for index, choice in enumerate(others)]}
    return [Draft("play", play) for play in (*first, last)]


def _correct(match: Match, answer: Json) -> list[Draft]:
    reading = match.table
    if reading is None or match.position is None:
        raise BadInput("nothing was seen yet that could be corrected")
    board, pieces = match.game.board(match.position.edition), match.game.pieces()
    sight = perceive(reading, match.overrides, board, pieces)
    corrector = Corrector(board, pieces, reading, sight, match.position.to_json())
    also = answer.get("also", [])
    if not isinstance(also, list) or not all(isinstance(one, Mapping) for one in also):
        raise BadInput("what is corrected as well ('also') is a list of corrections")
    # All at once: two discs taken for each other must not stand on one cell in between.
    fixes = [fix for one in (answer, *also) for fix in corrector.fixes(one)]
    return [Draft("correction", {"what": "sight", "fixes": fixes})]


def _undo(match: Match, answer: Json) -> list[Draft]:
    """Steps back over the last play where players may (:mod:`.stepping_back`)."""
    if last_play(match) is None:
        raise BadInput(match.game.no_undo)
    late = needs_arbiter(match)
    if late is not None:
        raise BadInput(REFUSED[late])
    return [Draft("undo", undo_data(match, "answer"))]


def may_deal(match: Match) -> bool:
    """Whether the companion may draw or deal now."""
    return match.draw is not None and not match.adjourned


def dealt(match: Match, chosen: Sequence[str]) -> list[Draft]:
    """The event of the companion drawing these. Raises BadInput when nothing is to be drawn."""
    return list(match.game.drawn(match.state, match.context, chosen))


def _clock(match: Match, answer: Json) -> list[Draft]:
    """The players' clocks: set before or during the game, stopped and started by an arbiter's word."""
    if match.over:
        raise BadInput("the game is over")
    return [Draft("clock", clock_data(match, answer))]


def _reveal(match: Match, answer: Json) -> list[Draft]:
    """A secret is opened by whoever has it: to answer a question, or after the game so that it can be verified."""
    secret = match.game.revealed(match.state, match.context, answer)
    opening = _opening(match, secret, answer.get("nonce"))
    return [opening] if match.over else [opening, *match.game.verdict(match.state, secret)]


def _opening(match: Match, secret: str, nonce: Any) -> Draft:
    if match.commitment is None:
        return Draft("opening", {"character": secret})
    if not isinstance(nonce, str) or not opens(match.commitment, match.id, secret, nonce):
        raise BadInput("this does not open the commitment: another character, or other random bytes")
    return Draft("opening", {"character": secret, "nonce": nonce.lower(), "commitment": match.commitment})


def _seal(match: Match, answer: Json) -> list[Draft]:
    match.game.may_tell(match.state, match.context)
    return [Draft("secret", {"mode": "sealed", "commitment": parse_commitment(str(answer.get("commitment", "")))})]


def entrusted(match: Match, secret: object, commitment: str) -> list[Draft]:
    """The event of a secret told to the companion in private; it does not say what, but binds whoever told it by a commitment
    that is opened at the end. Raises BadInput (heard by that seat alone)."""
    match.game.may_tell(match.state, match.context)
    match.game.may_be(match.state, secret)
    return [Draft("secret", {"mode": "entrusted", "commitment": commitment})]


def opened(match: Match, secret: str, nonce: str | None) -> list[Draft]:
    """After the end: the secret, as the companion was told, even if an answer or a ruling says it cannot be; that is for the
    audit to find. Raises BadInput when it does not open the commitment."""
    return [_opening(match, secret, nonce)]


_ANSWERS: Mapping[str, Callable[[Match, Json], list[Draft]]] = MappingProxyType(
    {
        "guide": _guide,
        "choose": _choose,
        "correct": _correct,
        "undo": _undo,
        "accept": accept,
        "rule": rule,
        "clock": _clock,
        "reveal": _reveal,
        "seal": _seal,
    }
)
ANSWER_KINDS = tuple(_ANSWERS)
"""Kinds of answers that any game may take; a game names those of its table (:attr:`Rules.answers`)."""
