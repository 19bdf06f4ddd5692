"""Whether a finished game is its table's: the chain of its events, and the seal of the table's key where it sent one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion import games
from companion.errors import BadInput, CompanionError
from companion.record.events import Event
from companion.record.seal import check_seal, known_as
from companion.record.verify import Finding, check_chain
from companion.referee.audit import audit, unproved

Json = Mapping[str, Any]


class Seals:
    """Finds the seal of a game, as ``companion sign`` makes it. This one has none."""

    def of(self, table: str, match: str) -> Json | None:
        """The seal of a table's game; None where none came."""
        return None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What ``companion verify`` would say of a game: ``findings`` is empty where everything holds; ``signer``: the words by
    which the key is known that sealed it, empty where it is not sealed; ``remarks``: what nothing proves."""

    events: int
    head: str
    findings: tuple[Finding, ...]
    signer: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        return {
            "ok": self.holds, "events": self.events, "head": self.head, "signer": self.signer,
            "findings": [one.to_json() for one in self.findings], "remarks": list(self.remarks),
        }  # fmt: skip


def verdict(events: Sequence[Event], seal: Json | None) -> Verdict:
    """Everything that can be said of a game's events: their chain, their seal, and every play and answer by the rules."""
    findings = check_chain(events)
    signer = ""
    if seal is not None:
        try:
            found = check_seal(seal, events)
            findings += found
            signer = known_as(str(seal["signer"])) if not found else ""
        except BadInput as error:
            findings.append(Finding("no-seal", len(events), str(error)))
    remarks: list[str] = []
    if not findings and events:
        try:
            match, wrong = audit(games.load(str(events[0].data.get("game"))), events)
            findings += wrong
            remarks = list(unproved(match, events))
        except (CompanionError, KeyError, TypeError, ValueError, AttributeError) as error:
            findings.append(Finding("unreadable", len(events), f"the game cannot be gone through again ({error})"))
    return Verdict(len(events), events[-1].digest if events else "", tuple(findings), signer, tuple(remarks))


def outcome_of(events: Sequence[Event]) -> Json | None:
    """The data of the game's end; None while it is on, or where a ruling took it back."""
    for event in reversed(events):
        if event.kind == "outcome":
            return event.data
        if event.kind in ("play", "undo"):
            return None
    return None
