"""Going through a finished or running game again with the rules in hand: was every play legal, every call true?

Nothing is believed because the record says so. Plays are explained afresh, witness lists and positions computed anew,
and once Jack's identity was opened, the commitment and each past answer are held against it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.game import Game
from companion.record.commitment import opens
from companion.record.events import Event
from companion.record.verify import Finding
from companion.referee.match import OVER, Match, apply
from companion.referee.scene import surface
from companion.referee.stepping_back import may_recall, needs_arbiter

Json = Mapping[str, Any]


def audit(game: Game, events: Iterable[Event]) -> tuple[Match, list[Finding]]:
    """The match that the events make, and everything in them that the rules do not bear out.

    Raises InvalidRecord when an event cannot be taken over at all.
    """
    match = Match(game)
    findings: list[Finding] = []
    calls: list[Event] = []
    for event in events:
        check = _CHECKS.get(event.kind)
        if check is not None:
            findings += [Finding("wrong", event.number, f"event {event.number}: {text}") for text in check(match, event.data)]
        if event.kind == "call":
            calls.append(event)
        if event.kind == "ruling" and event.data.get("action") == "take-back":
            calls = [call for call in calls if call.number <= event.data["to"]]
        if event.kind == "correction" and event.data["what"] == "call":
            calls = calls[:-1]
        if event.kind == "opening":
            findings += _opened(match, event, calls)
        match = apply(match, event)
    return match, findings


def _play(match: Match, data: Json) -> list[str]:
    return _legal(match, match.position, match.mover, data)


def _correction(match: Match, data: Json) -> list[str]:
    if data["what"] == "call":
        return [] if may_recall(match) else ["a call is answered anew that stands already"]
    if data["what"] != "play":
        return []
    if not match.picks:
        return ["corrects a play, but there is none"]
    last = match.picks[-1]
    return _legal(match, last.before, last.mover, data)


def _legal(match: Match, before: Any, mover: str | None, data: Json) -> list[str]:
    if mover is None:
        return ["a play when nobody had to pick"]
    if data["mover"] != mover:
        return [f"the pick was {mover}'s, not {data['mover']}'s"]
    after = match.position_from(data["position"])
    found = match.game.explain(before, after, plays=1, mover=mover, rules=match.rules)
    told = [plays[0] for plays in found.alternatives if found.verdict in ("legal", "ambiguous")]
    if any(play.character == data["character"] and play.position == after for play in told):
        return []
    why = " ".join(fault.message for fault in found.faults) or f"the change reads {found.verdict}"
    return [f"the play of {data['character']} is not legal: {why}"]


def _call_asked(match: Match, data: Json) -> list[str]:
    now = match.game.witness(match.position).to_json()
    return [] if now == data["witness"] else ["the witnesses were judged otherwise than the rules do"]


def _call(match: Match, data: Json) -> list[str]:
    called = match.game.call(match.position, data["seen"])
    if called != match.position_from(data["position"]):
        return ["the call cleared others than the rules do"]
    if match.game.close_turn(called) != match.position_from(data["expected"]):
        return ["the clean-up asked for is not the one of the rules"]
    return _call_asked(match, data)


def _undo(match: Match, data: Json) -> list[str]:
    """Whether the players were free to take it back; telling the same table otherwise takes nothing back."""
    if not match.picks or match.picks[-1].number != data["undone"]:
        return ["takes back a play that is not the last one"]
    if data["cause"] == "retold" or needs_arbiter(match) is None:
        return []
    return ["a play was taken back that only the arbiter may take back"]


def _clean_up(match: Match, data: Json) -> list[str]:
    if data.get("accepted") or match.expected == match.position_from(data["position"]):
        return []
    return ["the table after the clean-up is not what the rules ask for"]


def _turn_opened(match: Match, data: Json) -> list[str]:
    before = match.expected if match.expected is not None else match.position
    if surface(match.game, before) == surface(match.game, match.position_from(data["position"])):
        return []
    return ["the turn opens with another table than the one left"]


def _secret(match: Match, data: Json) -> list[str]:
    """A secret is told once; Jack tells it anew only after an arbiter's ruling, which let him go from it before."""
    told = []
    if match.secret != "asked":
        told.append("Jack's secret is told again, though it was told before and no arbiter let him go from it")
    if match.phase == OVER:
        told.append("Jack's secret is told after the end of the game")
    if data["mode"] == "sealed" and data.get("commitment") is None:
        told.append("a sealed secret without what seals it")
    return told


def _ruling(match: Match, data: Json) -> list[str]:
    if data["action"] == "new-secret" and (match.secret == "asked" or match.opened is not None or not data.get("reason")):
        return ["Jack is let go from a secret where there is none, or without a reason"]
    return []


def unproved(match: Match, events: Sequence[Event]) -> list[str]:
    """What nobody can check in this record, in sentences: a secret that was told anew, or is not opened yet. No faults."""
    told = [
        f"event {event.number}: the arbiter let Jack tell anew who he is ({event.data['reason']}); "
        "what had bound him until then was never opened"
        for event in events
        if event.kind == "ruling" and event.data.get("action") == "new-secret"
    ]
    if match.opened is None and match.commitment is not None:
        told.append("Jack's commitment is not opened yet: his calls are not checked against who he is")
    elif match.opened is None and any(event.kind == "call" for event in events):
        told.append("who Jack is was not shown: his calls are not checked against it")
    return told


def _opened(match: Match, event: Event, calls: list[Event]) -> list[Finding]:
    character = event.data["character"]
    findings = []
    if match.commitment is not None and not opens(match.commitment, match.id, character, str(event.data.get("nonce", ""))):
        text = f"event {event.number}: what was opened is not what was committed to"
        findings.append(Finding("commitment", event.number, text))
    for call in calls:
        seen = character in call.data["witness"]["seen"]
        if seen != call.data["seen"]:
            words = ("seen", "not seen") if seen else ("not seen", "seen")
            text = (
                f"event {call.number}: Jack ({character}) was {words[0]}, the call of turn {call.data['turn']} says {words[1]}"
            )
            findings.append(Finding("false-call", call.number, text))
    ends = match.picks[-1].play.get("ends") if match.picks else None
    if ends == "escape" and match.picks[-1].character != character:
        text = f"event {match.picks[-1].number}: {match.picks[-1].character} left the board, but Jack was {character}"
        findings.append(Finding("false-escape", match.picks[-1].number, text))
    return findings


_CHECKS: Mapping[str, Callable[[Match, Json], list[str]]] = MappingProxyType(
    {
        "play": _play,
        "correction": _correction,
        "undo": _undo,
        "call-asked": _call_asked,
        "call": _call,
        "clean-up": _clean_up,
        "turn-opened": _turn_opened,
        "secret": _secret,
        "ruling": _ruling,
    }
)
