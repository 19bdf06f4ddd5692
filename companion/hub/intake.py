"""Which of a table's events the hub takes: those that follow, digest by digest, from what it has. Pure.

An event is keyed by table, match and number; its digest covers the one before it (:mod:`companion.record.events`), and what the
page tells spectators are the record's own events, so the whole chain can be checked here. One that came before is passed over;
one that says something else than before, or does not follow, is refused and kept apart; one that comes too soon is asked for
again from where the chain ends.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.hub.model import NAME_LENGTH, HallMatch, Trouble
from companion.hub.sentences import troubles
from companion.hub.store.port import Refused
from companion.hub.wire import Batch
from companion.record.events import FIRST_DIGEST, Event, chain

OPENING, OUTCOME = "match-opened", "outcome"
DigestOf = Callable[[int], str | None]
"""The digest of a committed event of this match by its number."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What becomes of one batch. ``match``: as it is afterwards, None when nothing of it was ever taken."""

    match: HallMatch | None
    accepted: tuple[Event, ...] = ()
    doubles: int = 0
    refused: tuple[Refused, ...] = ()
    trouble: Trouble | None = None


def judge(table: str, before: HallMatch | None, digest_of: DigestOf, batch: Batch, now: float) -> Judged:
    """Take what follows from the events ``before``, up to the first that does not."""
    accepted: list[Event] = []
    match, doubles = before, 0
    for event in batch.events:
        number, head = (match.number, match.head) if match is not None else (0, FIRST_DIGEST)
        if event.number <= number:
            if _digest(event.number, accepted, digest_of) != event.digest:
                found = troubles.conflict(event.number, now)
                return Judged(_spoilt(match), tuple(accepted), doubles, _kept(table, batch.match, event, found, now), found)
            doubles += 1
            continue
        if event.number > number + 1:
            return Judged(match, tuple(accepted), doubles, (), troubles.gap(number + 1, event.number - 1, now))
        if event.digest != chain(head, event.number, event.at, event.kind, event.data):
            found = troubles.forged(event.number, now)
            return Judged(_spoilt(match), tuple(accepted), doubles, _kept(table, batch.match, event, found, now), found)
        if match is None and (event.kind != OPENING or event.data.get("id") != batch.match):
            found = troubles.not_begun(batch.match, now)
            return Judged(None, (), doubles, _kept(table, batch.match, event, found, now), found)
        match = _after(table, match, event)
        accepted.append(event)
    return Judged(match, tuple(accepted), doubles)


def _digest(number: int, accepted: Sequence[Event], digest_of: DigestOf) -> str | None:
    if accepted and number >= accepted[0].number:
        return accepted[number - accepted[0].number].digest
    return digest_of(number)


def _after(table: str, match: HallMatch | None, event: Event) -> HallMatch:
    if match is None:
        data = event.data
        game, label = _name(data.get("game", "")), _name(data.get("label", ""))
        return HallMatch(table, str(data["id"]), game, label, event.at, event.at, event.number, event.digest)
    outcome = event.data if event.kind == OUTCOME else match.outcome
    return replace(match, last=event.at, number=event.number, head=event.digest, outcome=outcome)


def _name(told: Any) -> str:
    """A name out of an event, as a database keeps text."""
    return str(told)[:NAME_LENGTH].replace("\0", "")


def _spoilt(match: HallMatch | None) -> HallMatch | None:
    return None if match is None else replace(match, whole=False)


def _kept(table: str, match: str, event: Event, why: Trouble, now: float) -> tuple[Refused, ...]:
    body = json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"))
    return (Refused(table, match, event.number, event.digest, body, why.message, now),)
