"""Whether a finished game is its table's: the chain of its events, and the seal of the table's key where it sent one."""

import contextlib
import json
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion import bounded, games
from companion.errors import BadInput, CompanionError, stopped_by
from companion.hub.model import SEAL, HallTable
from companion.record.events import Event
from companion.record.seal import check_seal, known_as
from companion.record.verify import Finding, check_chain
from companion.referee.audit import audit, unproved

Json = Mapping[str, Any]
MOST_SEAL = 4096
"""Bytes of a seal with its table; it has seven hundred."""
_LOG = logging.getLogger(__name__)


class Seals:
    """The seals that tables sent with games that are over, one a line in a file; with no path they live as long as the process.

    A seal is nobody's secret: it shows whose record a record is (:mod:`companion.record.seal`). Of each game the last is kept,
    as a table signs anew what came after the end.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock = path, threading.Lock()
        self._kept: dict[tuple[str, str], Json] = {}
        for line in self._lines():
            self._take(line)

    def of(self, table: str, match: str) -> Json | None:
        """The seal of a table's game; None where none came."""
        return self._kept.get((table, match))

    def saw(self, table: HallTable) -> None:
        """Keep the seal that a table sent with how it stands, if it did."""
        seal = table.snapshot.get(SEAL)
        if not isinstance(seal, Mapping) or seal.get("match") != table.match or self.of(table.table, table.match) == seal:
            return
        line = {"table": table.table, "seal": dict(seal)}
        text = json.dumps(line, ensure_ascii=False)
        if len(text) > MOST_SEAL or not self._take(line) or self._path is None:
            return
        with self._lock:
            try:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(f"{text}\n")
            except OSError as error:
                _LOG.warning("the seal of a game of table %s cannot be kept (%s)", table.table, error.strerror)

    def _take(self, line: Any) -> bool:
        """Whether a line is one."""
        seal = line.get("seal") if isinstance(line, Mapping) else None
        if not isinstance(seal, Mapping) or not isinstance(seal.get("match"), str) or not isinstance(line.get("table"), str):
            return False
        self._kept[line["table"], seal["match"]] = seal
        return True

    def _lines(self) -> Iterator[Any]:
        """What is in the file; a line that was cut off, as by a power cut, is none."""
        if self._path is None or not self._path.exists():
            return
        with self._path.open("rb") as file:
            for line in bounded.lines(file, MOST_SEAL):
                with contextlib.suppress(ValueError, TypeError):
                    yield bounded.parsed(line or b"")


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
            findings.append(Finding("unreadable", len(events), f"the game cannot be gone through again ({stopped_by(error)})"))
    return Verdict(len(events), events[-1].digest if events else "", tuple(findings), signer, tuple(remarks))
