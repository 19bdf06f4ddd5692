"""What people tell the companion: the call, a choice, a correction, a step back, the cards, an arbiter's word.

``on_answer`` returns the drafts an answer leads to, or raises BadInput saying in one line why it cannot be taken now.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput
from companion.games.game import Play
from companion.record.commitment import opens, parse_commitment
from companion.referee.clock import clock_data
from companion.referee.corrections import Corrector
from companion.referee.decide import outcome, play_of
from companion.referee.match import CALL, OVER, PLAY, Draft, Match
from companion.referee.plays import TOO_MUCH, led_back, undo_data
from companion.referee.rulings import accept, rule
from companion.referee.scene import Scene, surface, with_cards
from companion.referee.sight import perceive
from companion.referee.stepping_back import REFUSED, last_play, may_recall, needs_arbiter

Json = Mapping[str, Any]


def on_answer(match: Match, answer: Json) -> list[Draft]:
    """The drafts of one answer. Raises BadInput."""
    kind = answer.get("kind") if isinstance(answer, Mapping) else None
    take = _ANSWERS.get(kind) if isinstance(kind, str) else None
    if take is None:
        raise BadInput(f"answer {kind!r} is not known; there are: {', '.join(_ANSWERS)}")
    if match.adjourned and kind not in ("rule", "seal", "clock"):
        raise BadInput("the game is adjourned; it has to be resumed first")
    return take(match, answer)


def call(match: Match, seen: bool) -> list[Draft]:
    """The witness call, answered. Raises BadInput when nobody would be left to suspect: then somebody erred."""
    game = match.game
    called = game.call(match.position, seen)
    if not game.suspects(called):
        word = "seen" if seen else "unseen"
        raise BadInput(f"Jack cannot be {word}: no suspect is {word} now, so somebody erred; nothing was recorded")
    expected = game.close_turn(called)
    left = set(game.suspects(called))
    witness = game.witness(match.position).to_json()
    shown = surface(game, match.position)
    data = {
        "seen": seen,
        "turn": match.position.turn,
        "witness": witness,
        "cleared": [name for name in game.suspects(match.position) if name not in left],
        "suspects": list(game.suspects(called)),
        "position": called.to_json(),
        "expected": expected.to_json(),
        "chores": [chore.to_json() for chore in game.differences(expected, shown, ())],
    }
    return [Draft("call", data)]


def _call(match: Match, answer: Json) -> list[Draft]:
    seen = answer.get("seen")
    if not isinstance(seen, bool):
        raise BadInput(f"a call says 'seen': true or false, not {seen!r}")
    if match.phase != CALL or match.question is None or match.question["kind"] != "call":
        raise BadInput("nobody asked for the witness call now")
    return call(match, seen)


def _recall(match: Match, answer: Json) -> list[Draft]:
    """The call was answered by a slip: it is asked anew."""
    if not may_recall(match):
        raise BadInput("there is no call that could be answered anew: it was not answered by hand, or tidying up has begun")
    return [Draft("correction", {"what": "call", "turn": match.position.turn})]


def _guide(match: Match, answer: Json) -> list[Draft]:
    """People want to be led back, piece by piece, to what is on record."""
    flag = match.flag
    if match.table is None or flag is None or flag["faults"][0]["code"] != TOO_MUCH:
        raise BadInput("there is nothing to be led back from now: that is offered when many pieces differ from the record")
    return led_back(Scene.of(match, match.table))


def _choose(match: Match, answer: Json) -> list[Draft]:
    offered = match.doubt or (match.picks[-1].play if match.picks and match.phase in (PLAY, CALL) else {})
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
        raise BadInput("there is no play in this turn to take back; a witness call or an earlier turn stays as it is")
    late = needs_arbiter(match)
    if late is not None:
        raise BadInput(REFUSED[late])
    return [Draft("undo", undo_data(match, "answer"))]


def _cards(match: Match, answer: Json) -> list[Draft]:
    game, dealt = match.game, answer.get("characters")
    if match.phase != PLAY:
        raise BadInput("cards are told while a turn is being played")
    count = len(match.movers)
    if not isinstance(dealt, list) or len(set(map(str, dealt))) != count or set(map(str, dealt)) - set(game.characters):
        raise BadInput(f"a turn has {count} different cards out of {', '.join(game.characters)}; this says {dealt!r}")
    missing = [name for name in match.played if name not in dealt]
    if missing:
        raise BadInput(f"{', '.join(missing)} was already played this turn, so its card is among them")
    known = match.position.available
    left = [name for name in dealt if name not in match.played]
    if known is not None and match.position.turn % 2 == 0 and set(known) != set(left):
        raise BadInput(f"this turn's cards are known: {', '.join([*match.played, *known])}")
    position = with_cards(game, match.position, available=left, played=match.played)
    return [Draft("cards", {"characters": list(dealt), "position": position.to_json()})]


def may_deal(match: Match) -> bool:
    """Whether cards may be dealt: a turn was opened, nobody was played yet, and its cards follow from nothing."""
    return match.phase == PLAY and not match.adjourned and not match.picks and match.position.available is None


def dealt(match: Match, characters: Sequence[str]) -> list[Draft]:
    """The event of the companion dealing these cards. Raises BadInput when they are known or the turn is under way."""
    if not may_deal(match):
        raise BadInput("cards are dealt when a turn begins and nobody knows them yet")
    draft = _cards(match, {"characters": list(characters)})[0]
    return [Draft(draft.kind, {**draft.data, "dealt": True})]


def _clock(match: Match, answer: Json) -> list[Draft]:
    """The players' clocks: set before or during the game, stopped and started by an arbiter's word."""
    if match.phase == OVER:
        raise BadInput("the game is over")
    return [Draft("clock", clock_data(match, answer))]


def _reveal(match: Match, answer: Json) -> list[Draft]:
    """Jack says who he is: to end an accusation or an escape, or after the game so that it can be verified."""
    game, character = match.game, answer.get("character")
    if character not in game.characters:
        raise BadInput(f"{character!r} is not a character; there are: {', '.join(game.characters)}")
    if match.phase == OVER and match.opened is not None:
        raise BadInput("Jack's identity was opened already")
    asked = match.question["kind"] if match.question else None
    if match.phase != OVER and asked not in ("accusation", "escape"):
        raise BadInput("nobody asked who Jack is")
    if character not in game.suspects(match.position):
        raise BadInput(f"{character} was cleared by a witness call, so somebody erred")
    opening = _opening(match, str(character), answer.get("nonce"))
    if match.phase == OVER:
        return [opening]
    play = play_of(match)
    if asked == "escape" and character != play.character:
        raise BadInput(f"only Jack himself may leave, and {play.character} is not Jack: take the play back")
    return [opening, *_verdict(match, play, str(character))]


def _verdict(match: Match, play: Play, jack: str) -> list[Draft]:
    over = match.game.outcome(match.position, play, jack)
    if over is None:
        raise BadInput("the game is not over by this play")
    return [outcome(over)]


def _opening(match: Match, character: str, nonce: Any) -> Draft:
    if match.commitment is None:
        return Draft("opening", {"character": character})
    if not isinstance(nonce, str) or not opens(match.commitment, match.id, character, nonce):
        raise BadInput("this does not open the commitment: another character, or other random bytes")
    return Draft("opening", {"character": character, "nonce": nonce.lower(), "commitment": match.commitment})


def _seal(match: Match, answer: Json) -> list[Draft]:
    _still_untold(match)
    return [Draft("secret", {"mode": "sealed", "commitment": parse_commitment(str(answer.get("commitment", "")))})]


def entrusted(match: Match, character: Any, commitment: str) -> list[Draft]:
    """The event of Jack telling the companion in private; it does not say who, but binds him by a commitment that is opened
    at the end. Raises BadInput (heard by Jack alone): once told, a secret stays, whoever it is said to be now. The refusal is
    the same for the name that was told and for any other, or asking would tell who Jack is."""
    _still_untold(match)
    if character not in match.game.characters:
        raise BadInput(f"{character!r} is not a character; there are: {', '.join(match.game.characters)}")
    if match.position is not None and character not in match.game.suspects(match.position):
        raise BadInput(f"{character} was cleared by a witness call and cannot be Jack")
    return [Draft("secret", {"mode": "entrusted", "commitment": commitment})]


def opened(match: Match, character: str, nonce: str | None) -> list[Draft]:
    """After the end: who Jack is, as the companion was told, even if a call or a ruling says it cannot be; that is for the
    audit to find. Raises BadInput when it does not open the commitment."""
    return [_opening(match, character, nonce)]


def _still_untold(match: Match) -> None:
    if match.secret != "asked":
        raise BadInput(_TOLD[match.secret])
    if match.phase == OVER:
        raise BadInput("the game is over")


_TOLD: Mapping[str, str] = MappingProxyType(
    {
        "entrusted": "Jack has entrusted who he is in this game; only the arbiter may let him tell it anew",
        "sealed": "Jack has sealed who he is in this game; only the arbiter may let him tell it anew",
    }
)


_ANSWERS: Mapping[str, Callable[[Match, Json], list[Draft]]] = MappingProxyType(
    {
        "call": _call,
        "recall": _recall,
        "guide": _guide,
        "choose": _choose,
        "correct": _correct,
        "undo": _undo,
        "cards": _cards,
        "accept": accept,
        "rule": rule,
        "clock": _clock,
        "reveal": _reveal,
        "seal": _seal,
    }
)
ANSWER_KINDS = (*_ANSWERS, "entrust", "deal")
