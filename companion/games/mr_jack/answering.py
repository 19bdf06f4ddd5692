"""What people tell the companion in a game of Mr. Jack, beyond what is said at any table: the call, the cards, who Jack is."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput, quoted
from companion.games.expectations import Context, Fact
from companion.games.game import Json
from companion.games.mr_jack.deduction import DETECTIVE, JACK
from companion.games.mr_jack.expecting import outcome, play_of
from companion.games.mr_jack.procedure import CALL, CLEAN_UP, OVER, PLAY, Procedure, Rulebook, with_cards
from companion.games.seats import AnswerKind

NO_UNDO = "there is no play in this turn to take back; a witness call or an earlier turn stays as it is"
SECRET_LOST = (
    "What Jack entrusted is not here any more. He answers each call himself, or the arbiter lets him tell anew who he is."
)
NO_ANSWER = "what Jack entrusted cannot answer this call, so somebody erred: ask the arbiter"
ANSWERS = ("call", "recall", "guide", "choose", "correct", "undo", "cards", "accept", "rule", "clock", "reveal", "seal")

ANSWER_KINDS = (
    AnswerKind("call", frozenset({"seen"}), (JACK,)),
    AnswerKind("recall", frozenset(), (JACK,)),
    AnswerKind("cards", frozenset({"characters"}), (DETECTIVE,)),
)
"""The family's own answers, and who may give them."""


def answer(game: Rulebook, state: Procedure, context: Context, said: Json) -> tuple[Fact, ...]:
    """What an answer of the family's own leads to. Raises BadInput."""
    return _ANSWERS[said["kind"]](game, state, context, said)


def _call(game: Rulebook, state: Procedure, context: Context, said: Json) -> tuple[Fact, ...]:
    """The witness call, answered. Raises BadInput when nobody would be left to suspect: then somebody erred."""
    seen = said.get("seen")
    if not isinstance(seen, bool):
        raise BadInput(f"a call says 'seen': true or false, not {quoted(seen)}")
    if state.phase != CALL or state.question is None or state.question["kind"] != "call":
        raise BadInput("nobody asked for the witness call now")
    called = game.call(state.position, seen)
    if not game.suspects(called):
        word = "seen" if seen else "unseen"
        raise BadInput(f"Jack cannot be {word}: no suspect is {word} now, so somebody erred; nothing was recorded")
    expected = game.close_turn(called)
    left = set(game.suspects(called))
    data = {
        "seen": seen,
        "turn": state.position.turn,
        "witness": game.witness(state.position).to_json(),
        "cleared": [name for name in game.suspects(state.position) if name not in left],
        "suspects": list(game.suspects(called)),
        "position": called.to_json(),
        "expected": expected.to_json(),
        "chores": [chore.to_json() for chore in game.differences(expected, game.surface(state.position), ())],
    }
    return (Fact("call", data),)


def may_recall(state: Procedure, context: Context) -> bool:
    """Whether the call that was just answered by hand may be answered anew: nobody has begun to tidy up by it."""
    untouched = context.left == state.duties
    return state.phase == CLEAN_UP and state.uncalled is not None and untouched and context.secret != "entrusted"


def _recall(game: Rulebook, state: Procedure, context: Context, said: Json) -> tuple[Fact, ...]:
    """The call was answered by a slip: it is asked anew."""
    if not may_recall(state, context):
        raise BadInput("there is no call that could be answered anew: it was not answered by hand, or tidying up has begun")
    return (Fact("correction", {"what": "call", "turn": state.position.turn}),)


# --- cards ------------------------------------------------------------------------------------------------------------


def _cards(game: Rulebook, state: Procedure, context: Context, said: Json) -> tuple[Fact, ...]:
    dealt = said.get("characters")
    if state.phase != PLAY:
        raise BadInput("cards are told while a turn is being played")
    count = len(game.movers(state.position.turn))
    if not isinstance(dealt, list) or len(set(map(str, dealt))) != count or set(map(str, dealt)) - set(game.characters):
        raise BadInput(f"a turn has {count} different cards out of {', '.join(game.characters)}; this says {quoted(dealt)}")
    missing = [name for name in state.played if name not in dealt]
    if missing:
        raise BadInput(f"{', '.join(missing)} was already played this turn, so its card is among them")
    known = state.position.available
    left = [name for name in dealt if name not in state.played]
    if known is not None and state.position.turn % 2 == 0 and set(known) != set(left):
        raise BadInput(f"this turn's cards are known: {', '.join([*state.played, *known])}")
    position = with_cards(game, state.position, available=left, played=state.played)
    return (Fact("cards", {"characters": list(dealt), "position": position.to_json()}),)


def may_deal(state: Procedure, context: Context) -> bool:
    """Whether cards may be dealt: a turn was opened, nobody was played yet, and its cards follow from nothing."""
    return state.phase == PLAY and not context.adjourned and not state.picks and state.position.available is None


def drawn(game: Rulebook, state: Procedure, context: Context, chosen: Sequence[str]) -> tuple[Fact, ...]:
    """The event of the companion dealing these cards. Raises BadInput when they are known or the turn is under way."""
    if not may_deal(state, context):
        raise BadInput("cards are dealt when a turn begins and nobody knows them yet")
    (fact,) = _cards(game, state, context, {"characters": list(chosen)})
    return (Fact(fact.kind, {**fact.data, "dealt": True}),)


def allowed(game: Rulebook, state: Procedure, position: Any, character: str) -> Any:
    """The position with the card laid of a play that an arbiter allows. Raises BadInput."""
    if character not in game.candidates(state.position):
        raise BadInput(f"{quoted(character)} cannot have been played now")
    available = state.position.available
    left = None if available is None else [name for name in available if name != character]
    return with_cards(game, position, available=left, played=(*state.played, character))


def reset(game: Rulebook, state: Procedure, position: Any) -> Any:
    """A position as set. Its cards are those of the running turn, or nobody was played in it yet. Raises BadInput."""
    played = tuple(position.played or ())
    if played and position.turn != state.position.turn:
        raise BadInput(f"characters were played in turn {state.position.turn}: the turn marker stays there")
    if played and played != state.played:
        raise BadInput("the characters played this turn stay as they are, or none was played yet")
    if not game.suspects(position):
        raise BadInput("somebody has to be left who can be Jack: not all characters are innocent")
    return with_cards(game, position, available=position.available, played=played)


def arranged(game: Rulebook, state: Procedure, position: Any) -> Any:
    """What lies there, in the turn that comes next: where its marker still lies in the one that is over, that one would be
    played a second time."""
    if state.expected is None or position.turn == state.expected.turn:
        return position
    return game.position({**position.to_json(), "turn": state.expected.turn}, tolerant=True)


# --- who Jack is ------------------------------------------------------------------------------------------------------


def may_tell(state: Procedure, context: Context) -> None:
    """Once told, a secret stays, whoever it is said to be now. The refusal is the same for the name that was told and for any
    other, or asking would tell who Jack is. Raises BadInput (heard by Jack alone)."""
    if context.secret != "asked":
        raise BadInput(_TOLD[context.secret])
    if state.phase == OVER:
        raise BadInput("the game is over")
    if state.question is not None and state.question["kind"] in _OPENS:
        raise BadInput("everybody asks who Jack is now: that is answered openly, nothing is told in secret any more")


def may_be(game: Rulebook, state: Procedure, secret: object) -> None:
    """Raises BadInput (heard by Jack alone) where he cannot be this character."""
    if secret not in game.characters:
        raise BadInput(f"{quoted(secret)} is not a character; there are: {', '.join(game.characters)}")
    if state.position is not None and secret not in game.suspects(state.position):
        raise BadInput(f"{secret} was cleared by a witness call and cannot be Jack")


def may_tell_anew(context: Context) -> None:
    """Jack is let go from what he entrusted or sealed. Raises BadInput."""
    if context.opened is not None:
        raise BadInput("Jack's identity was opened; there is no secret any more")
    if context.secret == "asked":
        raise BadInput("Jack has neither entrusted nor sealed who he is, so there is nothing to tell anew")


def may_go_back(context: Context) -> None:
    """Raises BadInput once everybody knows who Jack is."""
    if context.opened is not None:
        raise BadInput("Jack's identity was opened; the game cannot be taken back any more")


def by_secret(game: Rulebook, state: Procedure, secret: str) -> Json:
    """The answer of whoever knows that Jack is ``secret``."""
    if state.question is not None and state.question["kind"] == "call":
        return {"kind": "call", "seen": secret in game.witness(state.position).seen}
    return {"kind": "reveal", "character": secret}


def may_open(game: Rulebook, state: Procedure, context: Context, character: object) -> None:
    """Jack says who he is: to end an accusation or an escape, or after the game so that it can be verified. Raises BadInput."""
    if character not in game.characters:
        raise BadInput(f"{quoted(character)} is not a character; there are: {', '.join(game.characters)}")
    if state.phase == OVER and context.opened is not None:
        raise BadInput("Jack's identity was opened already")
    asked = state.question["kind"] if state.question else None
    if state.phase != OVER and asked not in _OPENS:
        raise BadInput("nobody asked who Jack is")
    if character not in game.suspects(state.position):
        raise BadInput(f"{character} was cleared by a witness call, so somebody erred")


def verdict(game: Rulebook, state: Procedure, jack: str) -> tuple[Fact, ...]:
    """What the answer to an accusation or an escape makes of the game. Raises BadInput."""
    play = play_of(state)
    if state.question is not None and state.question["kind"] == "escape" and jack != play.character:
        raise BadInput(f"only Jack himself may leave, and {play.character} is not Jack: take the play back")
    over = game.outcome(state.position, play, jack)
    if over is None:
        raise BadInput("the game is not over by this play")
    return (outcome(over),)


_OPENS = ("accusation", "escape")
"""The questions that Jack answers by opening who he is."""
_TOLD: Mapping[str, str] = MappingProxyType(
    {
        "entrusted": "Jack has entrusted who he is in this game; only the arbiter may let him tell it anew",
        "sealed": "Jack has sealed who he is in this game; only the arbiter may let him tell it anew",
    }
)
_ANSWERS: Mapping[str, Callable[[Rulebook, Procedure, Context, Json], tuple[Fact, ...]]] = MappingProxyType(
    {"call": _call, "recall": _recall, "cards": _cards}
)
