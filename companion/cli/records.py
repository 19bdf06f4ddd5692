"""Commands on game records: fold one again, and prove it."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from companion import games
from companion.errors import InvalidRecord
from companion.record.events import Event
from companion.record.log import Record
from companion.record.verify import Finding, check_chain, check_head
from companion.referee.audit import audit
from companion.referee.match import Match

DONE, NO = 0, 1


def add(commands: Any) -> None:
    """Add ``replay`` and ``verify``."""
    replay = commands.add_parser("replay", help="fold a game record again and print where it stands")
    replay.add_argument("record", type=Path, help="the record's file")
    replay.add_argument("--until", type=int, metavar="N", help="stop after event number N")
    replay.add_argument("--json", action="store_true", help="print JSON")
    replay.set_defaults(run=_replay)
    verify = commands.add_parser("verify", help="check a record's chain, its commitment, every play and every past call")
    verify.add_argument("record", type=Path, help="the record's file")
    verify.add_argument("--head", metavar="HEX", help="a head noted elsewhere (or its beginning) that must be in the record")
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.set_defaults(run=_verify)


def _replay(options: argparse.Namespace) -> int:
    events = _load(options.record, check=True)
    if options.until is not None:
        events = events[: max(0, options.until)]
    match, findings = _audited(events, options.record)
    shown = _standing(match, events)
    if options.json:
        print(json.dumps({**shown, "findings": [finding.to_json() for finding in findings]}, ensure_ascii=False))
    else:
        print("\n".join(f"{key}: {value}" for key, value in shown.items() if key != "position"))
        for finding in findings:
            print(finding.text, file=sys.stderr)
    return NO if findings else DONE


def _verify(options: argparse.Namespace) -> int:
    events = _load(options.record, check=False)
    findings = check_chain(events)
    if options.head:
        findings += check_head(events, options.head)
    if not findings:  # a record that was tampered with proves nothing about the game in it
        findings += _audited(events, options.record)[1]
    head = events[-1].digest if events else None
    if options.json:
        found = [finding.to_json() for finding in findings]
        print(json.dumps({"ok": not findings, "events": len(events), "head": head, "findings": found}, ensure_ascii=False))
    elif findings:
        print("\n".join(finding.text for finding in findings))
    else:
        print(f"{options.record}: {len(events)} events, chain whole, plays and calls as the rules have them; head {head}")
    return NO if findings else DONE


def _load(path: Path, *, check: bool) -> list[Event]:
    with Record.read(path, check=check) as record:
        return record.events()


def _audited(events: list[Event], path: Path) -> tuple[Match, list[Finding]]:
    if not events:
        raise InvalidRecord(f"{path}: the record is empty")
    if events[0].kind != "match-opened":
        raise InvalidRecord(f"{path}: the record begins with {events[0].kind!r}, not with a match")
    return audit(games.load(str(events[0].data.get("game"))), events)


def _standing(match: Match, events: list[Event]) -> dict[str, Any]:
    return {
        "number": match.number,
        "head": events[-1].digest,
        "match": match.id,
        "phase": match.phase,
        "turn": match.position.turn,
        "mover": match.mover,
        "played": list(match.played),
        "suspects": list(match.game.suspects(match.position)),
        "notation": match.position.notation(),
        "position": match.position.to_json(),
        "outcome": match.outcome["message"] if match.outcome else None,
    }
