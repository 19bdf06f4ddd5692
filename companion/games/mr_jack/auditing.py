"""Whether the rules bear out what a record says of the calls, the turns and the secret of a game of Mr. Jack."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from companion.games.expectations import Context, Disproof, Fact
from companion.games.game import Json
from companion.games.mr_jack.answering import may_recall
from companion.games.mr_jack.expecting import play_of
from companion.games.mr_jack.procedure import OVER, Procedure, Rulebook

FALSE_CALL = "The witness call of turn {turn} was not true."
FALSE_ESCAPE = "The character who left the board was not Jack."


def check(game: Rulebook, state: Procedure, context: Context, fact: Fact) -> tuple[str, ...]:
    """What is wrong with an event that followed this state."""
    found = _CHECKS.get(fact.kind)
    return () if found is None else tuple(found(game, state, context, fact.data))


def _call_asked(game: Rulebook, state: Procedure, context: Context, data: Json) -> list[str]:
    now = game.witness(state.position).to_json()
    return [] if now == data["witness"] else ["the witnesses were judged otherwise than the rules do"]


def _call(game: Rulebook, state: Procedure, context: Context, data: Json) -> list[str]:
    called = game.call(state.position, data["seen"])
    if called != game.position(data["position"], tolerant=True):
        return ["the call cleared others than the rules do"]
    if game.close_turn(called) != game.position(data["expected"], tolerant=True):
        return ["the clean-up asked for is not the one of the rules"]
    return _call_asked(game, state, context, data)


def _clean_up(game: Rulebook, state: Procedure, context: Context, data: Json) -> list[str]:
    if data.get("accepted") or state.expected == game.position(data["position"], tolerant=True):
        return []
    return ["the table after the clean-up is not what the rules ask for"]


def _turn_opened(game: Rulebook, state: Procedure, context: Context, data: Json) -> list[str]:
    before = state.expected if state.expected is not None else state.position
    if game.surface(before) == game.surface(game.position(data["position"], tolerant=True)):
        return []
    return ["the turn opens with another table than the one left"]


def _correction(game: Rulebook, state: Procedure, context: Context, data: Json) -> list[str]:
    if data["what"] != "call" or may_recall(state, context):
        return []
    return ["a call is answered anew that stands already"]


def _secret(game: Rulebook, state: Procedure, context: Context, data: Json) -> list[str]:
    """A secret is told once; Jack tells it anew only after an arbiter's ruling, which let him go from it before."""
    told = []
    if context.secret != "asked":
        told.append("Jack's secret is told again, though it was told before and no arbiter let him go from it")
    if state.phase == OVER:
        told.append("Jack's secret is told after the end of the game")
    if data["mode"] == "sealed" and data.get("commitment") is None:
        told.append("a sealed secret without what seals it")
    return told


def _ruling(game: Rulebook, state: Procedure, context: Context, data: Json) -> list[str]:
    if data["action"] != "new-secret" or (context.secret != "asked" and context.opened is None and data.get("reason")):
        return []
    return ["Jack is let go from a secret where there is none, or without a reason"]


def _outcome(game: Rulebook, state: Procedure, context: Context, data: Json) -> list[str]:
    """The end follows from the table, or from who Jack is where that was asked: each whom he may be then has one."""
    asked = state.question is not None and state.question["kind"] in ("accusation", "escape")
    jacks = (context.opened["character"],) if context.opened is not None else game.suspects(state.position)
    ends = [game.outcome(state.position, play_of(state), jack) for jack in jacks] if asked else []
    ends = ends or [game.outcome(state.position, None, None)]
    if any(end is not None and (end.winner, end.code) == (data["winner"], data["code"]) for end in ends):
        return []
    return ["the game does not end so by the rules"]


def disproved(state: Procedure, jack: str) -> tuple[Disproof, ...]:
    """The calls, and the escape, that cannot be once it is known who Jack is."""
    found = []
    for call in state.calls:
        seen = jack in call.witnessed
        if seen != call.seen:
            words = ("seen", "not seen") if seen else ("not seen", "seen")
            text = f"event {call.number}: Jack ({jack}) was {words[0]}, the call of turn {call.turn} says {words[1]}"
            found.append(Disproof("false-call", call.number, text, FALSE_CALL, {"turn": call.turn}))
    last = state.picks[-1] if state.picks else None
    if last is not None and last.play.get("ends") == "escape" and last.character != jack:
        text = f"event {last.number}: {last.character} left the board, but Jack was {jack}"
        found.append(Disproof("false-escape", last.number, text, FALSE_ESCAPE))
    return tuple(found)


def remarks(context: Context, facts: Iterable[Fact]) -> tuple[str, ...]:
    """What nobody can check in this record, in sentences: a secret that was told anew, or is not opened yet. No faults."""
    facts = tuple(facts)
    told = [
        f"event {fact.number}: the arbiter let Jack tell anew who he is ({fact.data['reason']}); "
        "what had bound him until then was never opened"
        for fact in facts
        if fact.kind == "ruling" and fact.data.get("action") == "new-secret"
    ]
    if context.opened is None and context.committed:
        told.append("Jack's commitment is not opened yet: his calls are not checked against who he is")
    elif context.opened is None and any(fact.kind == "call" for fact in facts):
        told.append("who Jack is was not shown: his calls are not checked against it")
    return tuple(told)


_CHECKS: Mapping[str, Callable[[Rulebook, Procedure, Context, Json], list[str]]] = MappingProxyType(
    {
        "call-asked": _call_asked,
        "call": _call,
        "clean-up": _clean_up,
        "turn-opened": _turn_opened,
        "correction": _correction,
        "secret": _secret,
        "ruling": _ruling,
        "outcome": _outcome,
    }
)
