"""Going through a finished or running game again with the rules in hand: was every play legal, every answer true?

Nothing is believed because the record says so. Plays are explained afresh, the game checks its own events, and once a secret
was opened, the commitment and each past answer are held against it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.errors import quoted
from companion.games.expectations import Fact
from companion.games.game import Game, Position
from companion.record.commitment import Link, opens
from companion.record.events import Event
from companion.record.verify import Finding
from companion.referee.match import Match, apply, openings_in
from companion.referee.stepping_back import needs_arbiter

Json = Mapping[str, Any]


def audit(game: Game, events: Iterable[Event]) -> tuple[Match, list[Finding]]:
    """The match that the events make, and everything in them that the rules do not bear out.

    Raises InvalidRecord when an event cannot be taken over at all.
    """
    match = Match(game)
    findings: list[Finding] = []
    for event in events:
        check, fact = _CHECKS.get(event.kind), Fact(event.kind, event.data, event.number)
        wrong = [*(check(match, event.data) if check is not None else ()), *game.check(match.state, match.context, fact)]
        findings += [Finding("wrong", event.number, f"event {event.number}: {text}") for text in wrong]
        if event.kind == "opening":
            # What one opening proves wrong the next one of that seat proves wrong as well.
            findings += [one for one in _opened(match, event) if one not in findings]
        match = apply(match, event)
    return match, findings


def _play(match: Match, data: Json) -> list[str]:
    return _legal(match, match.position, match.mover, data)


def _correction(match: Match, data: Json) -> list[str]:
    if data["what"] != "play":
        return []
    if not match.picks:
        return ["corrects a play, but there is none"]
    last = match.picks[-1]
    return _legal(match, last.before, last.mover, data)


def _legal(match: Match, before: Position, mover: str | None, data: Json) -> list[str]:
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


def _undo(match: Match, data: Json) -> list[str]:
    """Whether the players were free to take it back; telling the same table otherwise takes nothing back."""
    if not match.picks or match.picks[-1].number != data["undone"]:
        return ["takes back a play that is not the last one"]
    if data["cause"] == "retold" or needs_arbiter(match) is None:
        return []
    return ["a play was taken back that only the arbiter may take back"]


def unproved(match: Match, events: Sequence[Event]) -> list[str]:
    """What nobody can check in this record, in sentences: no faults."""
    remarks = match.game.remarks(match.context, (Fact(event.kind, event.data, event.number) for event in events))
    return [*remarks, *superseded(match, events)]


def superseded(match: Match, events: Sequence[Event]) -> list[str]:
    """The links of rows of commitments that no longer stand, one sentence a run of them: what they were made for was taken back
    or told anew, so the row goes on from the link before them, and nobody opens them. Of games with several secrets."""
    if match.sole is not None:
        return []
    standing = {(one.seat, one.purpose, one.number, one.commitment) for one in match.told}
    runs: list[list[Event]] = []
    for event in events:
        if event.kind != "secret" or _link(event) in standing:
            continue
        seat, purpose, number, _ = _link(event)
        if runs and _link(runs[-1][-1])[:3] == (seat, purpose, number - 1):
            runs[-1].append(event)
        else:
            runs.append([event])
    return [_superseded(run) for run in runs]


def _link(event: Event) -> tuple[str, str, int, str | None]:
    data = event.data
    return data["seat"], data["purpose"], data["number"], data["commitment"]


def _superseded(run: Sequence[Event]) -> str:
    (seat, purpose, first, _), last = _link(run[0]), run[-1].data["number"]
    if len(run) == 1:
        return (
            f"link {first} of what {seat} committed to ({purpose}), event {run[0].number}, was made for a step that was taken "
            "back or told anew: it is not needed and stays closed"
        )
    return (
        f"links {first} to {last} of what {seat} committed to ({purpose}), events {run[0].number} to {run[-1].number}, "
        "were made for steps that were taken back or told anew: they are not needed and stay closed"
    )


def _opened(match: Match, event: Event) -> list[Finding]:
    """What the commitments and the answers on record say against what a seat opened."""
    seat, purpose = match.concerns(event.data)
    bound = match.row(seat, purpose)
    given = openings_in(match, event.data)
    findings, previous = [], ""
    if match.sole is None and bound and [number for number, _, _ in given] != [one.number for one in bound]:
        text = f"event {event.number}: {seat} told {len(bound)} secrets of {quoted(purpose)} and opened {len(given)}"
        findings.append(Finding("commitment", event.number, text))
    for told, (number, value, nonce) in zip(bound, given, strict=False):
        link = None if match.sole is not None else Link(seat, purpose, number, previous)
        if told.commitment is not None and not opens(told.commitment, match.id, value, nonce, link):
            which = "" if match.sole is not None else f" ({seat}, {purpose} {number})"
            text = f"event {event.number}: what was opened is not what was committed to{which}"
            findings.append(Finding("commitment", event.number, text))
        previous = told.commitment or ""
    return findings + [Finding(one.code, one.number, one.text) for one in match.disproved(event.data)]


_CHECKS: Mapping[str, Callable[[Match, Json], list[str]]] = MappingProxyType(
    {"play": _play, "correction": _correction, "undo": _undo}
)
