"""What comes next in a game of Mr. Jack: what is expected of hands and people, and what follows from the record alone."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from companion.games.expectations import Arrangement, Change, Context, Draw, Expectation, Fact, Over, Question
from companion.games.game import Fault, Json, Move, Outcome, Play
from companion.games.mr_jack.deduction import JACK
from companion.games.mr_jack.procedure import CALL, CLEAN_UP, OVER, PLAY, SET_UP, UNOPENED, Procedure, Rulebook, with_cards

QUESTIONS = MappingProxyType(
    {
        "call": "Jack: are you seen or unseen?",
        "accusation": "Jack: who are you?",
        "escape": "Jack: who are you?",
    }
)
IDENTITY = "identity"
"""The one secret of these games: who Jack is."""
BEFORE_THE_ANSWER = Fault("before-the-answer", None, "Discs were turned over before Jack answered: give the answer now.")
_CALL_LABELS = ("Seen", "Unseen")
_CALL_FORM: tuple[Json, ...] = ({"kind": "call", "seen": True}, {"kind": "call", "seen": False})


def expects(game: Rulebook, state: Procedure) -> tuple[Expectation[Any], ...]:
    """What may come next."""
    return () if state.phase == UNOPENED else _EXPECTED[state.phase](game, state)


def _set_up(game: Rulebook, state: Procedure) -> tuple[Expectation[Any], ...]:
    return (Arrangement(state.position, "table-agreed", start=True, seats=game.movers(state.position.turn)),)


def _plays(game: Rulebook, state: Procedure) -> tuple[Expectation[Any], ...]:
    movers, made = game.movers(state.position.turn), len(state.picks)
    change = Change(movers[made] if made < len(movers) else None, len(movers) - made)
    if state.picks or state.position.available is not None:
        return (change,)
    return (change, Draw(game.characters, len(movers)))


def _call(game: Rulebook, state: Procedure) -> tuple[Expectation[Any], ...]:
    assert state.question is not None
    kind, text = state.question["kind"], state.question["text"]
    if kind == "call":
        asked = Question(
            kind, JACK, text, form=_CALL_FORM, labels=_CALL_LABELS, purpose=IDENTITY, certain=True, early=BEFORE_THE_ANSWER
        )  # fmt: skip
    else:
        form = tuple({"kind": "reveal", "character": name} for name in game.suspects(state.position))
        asked = Question(kind, JACK, text, form=form, purpose=IDENTITY)
    return (asked, Change(None, len(game.movers(state.position.turn)) - len(state.picks)))


def _clean_up(game: Rulebook, state: Procedure) -> tuple[Expectation[Any], ...]:
    target = state.expected if state.expected is not None else state.position
    return (Arrangement(target, "clean-up", seats=game.movers(target.turn), touched=state.duties),)


def _over(game: Rulebook, state: Procedure) -> tuple[Expectation[Any], ...]:
    assert state.outcome is not None
    told = state.outcome
    return (Over(Outcome(told["winner"], told["code"], told["text"], told["params"])),)


_EXPECTED = MappingProxyType({SET_UP: _set_up, PLAY: _plays, CALL: _call, CLEAN_UP: _clean_up, OVER: _over})


def early(game: Rulebook, state: Procedure) -> Iterator[Any]:
    """The tables that either answer to the call would lead to: the cleared turned over, or everything tidied up."""
    for seen in (True, False):
        called = game.call(state.position, seen)
        yield called
        yield game.close_turn(called)


# --- what follows from the record alone -------------------------------------------------------------------------------


def due(game: Rulebook, state: Procedure, context: Context) -> tuple[Fact, ...]:
    """The turn that opens, the call that is due, the end."""
    if state.phase == SET_UP and state.expected is not None:
        return (turn_opened(game, state.expected),)
    if state.phase == CLEAN_UP and state.expected is None:
        over = game.outcome(state.position, None, None)
        return (outcome(over) if over else turn_opened(game, state.position),)
    return _plays_over(game, state, context) if state.phase == PLAY else ()


def _plays_over(game: Rulebook, state: Procedure, context: Context) -> tuple[Fact, ...]:
    """What follows once a play ended the game, or the turn's last pick was made."""
    if state.picks and state.picks[-1].play.get("ends"):
        last = state.picks[-1]
        ends = last.play["ends"]
        data = {"question": ends, "text": QUESTIONS[ends], "character": last.character, "by": last.mover}
        return (Fact("accusation", data),)
    if len(state.picks) < len(game.movers(state.position.turn)):
        return ()
    over = game.outcome(state.position, None, None)
    return (outcome(over) if over else _call_asked(game, state, context),)


def play_of(state: Procedure) -> Play:
    """The last play on record, as the rules want it."""
    play: Mapping[str, Any] = state.picks[-1].play
    moves = tuple(
        Move(move["piece"], move["from"], move["to"], tuple(move.get("path", ())), move.get("facing")) for move in play["moves"]
    )
    return Play(play["character"], moves, play["ability"], state.position, play["ends"])


def outcome(over: Outcome) -> Fact:
    """The end of the game."""
    data = {"winner": over.winner, "code": over.code, "message": over.message, "text": over.text, "params": dict(over.params)}
    return Fact("outcome", data)


def turn_opened(game: Rulebook, position: Any) -> Fact:
    """The next turn; nobody has been played in it yet."""
    fresh = with_cards(game, position, available=position.available, played=position.played or ())
    return Fact("turn-opened", {"turn": fresh.turn, "movers": list(game.movers(fresh.turn)), "position": fresh.to_json()})


def _call_asked(game: Rulebook, state: Procedure, context: Context) -> Fact:
    return Fact(
        "call-asked",
        {
            "turn": state.position.turn, "witness": game.witness(state.position).to_json(),
            "suspects": list(game.suspects(state.position)), "text": QUESTIONS["call"],
            "by": "secret" if context.secret == "entrusted" else "answer",
        },
    )  # fmt: skip
