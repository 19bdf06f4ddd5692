"""Checking a record's own seals: the chain of digests and the commitment. Pure; knows events, not rules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.errors import quoted
from companion.record.events import FIRST_DIGEST, Event, chain
from companion.record.words import hex_of


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with a record: a code, the number of the event concerned, and a sentence naming it."""

    code: str
    number: int
    text: str

    def to_json(self) -> dict[str, object]:
        return {"code": self.code, "number": self.number, "text": self.text}


def check_chain(events: Iterable[Event]) -> list[Finding]:
    """Every event that was changed, dropped or moved, by number.

    A changed event's digest does not fit its content. After a dropped or moved one the next event's digest does not
    follow from the event now before it. Checking goes on from the digest that is stored, so one alteration is named
    once and does not taint everything after it.
    """
    findings: list[Finding] = []
    digest, expected = FIRST_DIGEST, 1
    for event in events:
        if event.number > expected:
            missing = f"event {expected}" if event.number == expected + 1 else f"events {expected} to {event.number - 1}"
            findings.append(Finding("dropped", expected, f"{missing} missing before event {event.number}"))
        elif event.number < expected:
            findings.append(Finding("reordered", event.number, f"event {event.number} comes after event {expected - 1}"))
        elif event.digest != chain(digest, event.number, event.at, event.kind, event.data):
            findings.append(Finding("changed", event.number, f"event {event.number} ({event.kind}) was changed"))
        digest, expected = event.digest, event.number + 1
    return findings


def check_head(events: Sequence[Event], head: str) -> list[Finding]:
    """Whether a head noted elsewhere (off the screen: words or first digits) is in this record. Raises BadInput."""
    if any(event.digest.startswith(hex_of(head)) for event in events):
        return []
    return [
        Finding(
            "other-head",
            len(events),
            f"no event's digest begins with {quoted(head)}: this is another record, or it was rewritten",
        )
    ]
