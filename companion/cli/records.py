"""Commands on game records: fold one again, prove it, hand it on."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion import bounded, games
from companion.cli.writing import keep_apart, write_file
from companion.errors import BadInput, InvalidRecord, quoted, stopped_by
from companion.games.game import Game
from companion.record.damage import damage_of, found_in
from companion.record.events import Event
from companion.record.export import from_json_lines, json_lines
from companion.record.log import Record
from companion.record.pictures import check_pictures, folder_of, reader
from companion.record.salvage import salvage
from companion.record.seal import check_seal, known_as, seal_of
from companion.record.verify import Finding, check_chain, check_head
from companion.referee.audit import audit, unproved
from companion.referee.match import Match

DONE, NO = 0, 1


def add(commands: Any) -> None:
    """Add ``replay``, ``verify``, ``export`` and ``salvage``."""
    replay = commands.add_parser("replay", help="fold a game record again and print where it stands")
    replay.add_argument("record", type=Path, help="the record's file, or its .jsonl export")
    replay.add_argument("--until", type=int, metavar="N", help="stop after event number N")
    replay.add_argument("--json", action="store_true", help="print JSON")
    replay.set_defaults(run=_replay)
    verify = commands.add_parser("verify", help="check a record's chain, its commitment, every play and every past call")
    verify.add_argument("record", type=Path, help="the record's file, or its .jsonl export")
    verify.add_argument(
        "--head", metavar="HEAD", help="a head noted elsewhere that must be in the record: words, or first digits"
    )
    verify.add_argument(
        "--seal", type=Path, metavar="FILE", help="the seal of 'companion sign' (default: RECORD.seal if it is there)"
    )
    verify.add_argument("--signer", metavar="WORDS", help="whose seal it must be")
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.set_defaults(run=_verify)
    export = commands.add_parser("export", help="hand a record on: JSON lines, CSV for organisers, a report with diagrams")
    export.add_argument("record", type=Path, help="the record's file, or its .jsonl export")
    export.add_argument("--format", choices=tuple(FORMATS), default="jsonl", help="what to write (default: jsonl)")
    export.add_argument("--output", type=Path, metavar="FILE", help="where to write it (default: standard output)")
    export.add_argument("--pictures", action="store_true", help="put the pictures beside the record into the HTML report")
    export.set_defaults(run=_export)
    save = commands.add_parser("salvage", help="save the intact beginning of a damaged record into a new one")
    save.add_argument("record", type=Path, help="the damaged record; it is left as it is")
    save.add_argument("output", type=Path, help="the new record")
    save.add_argument("--json", action="store_true", help="print JSON")
    save.set_defaults(run=_salvage)


def _replay(options: argparse.Namespace) -> int:
    events = _load(options.record, check=True)
    if options.until is not None and events:
        if not 1 <= options.until <= len(events):
            raise BadInput(f"--until {options.until}: 1 to {len(events)} are allowed, the numbers of this record's events")
        events = events[: options.until]
    match, findings = _audited(events, options.record)
    shown = _standing(match, events)
    if options.json:
        print(json.dumps({**shown, "findings": [finding.to_json() for finding in findings]}, ensure_ascii=False))
    else:
        print("\n".join(f"{key}: {_in_words(value)}" for key, value in shown.items() if key != "position"))
        for finding in findings:
            print(finding.text, file=sys.stderr)
    return NO if findings else DONE


def _in_words(value: object) -> str:
    """A value as it is read: names one after the other, and a dash for what there is none of."""
    return (", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value) if value is not None else "") or "-"


def _verify(options: argparse.Namespace) -> int:
    events = _load(options.record, check=False)
    if options.signer is not None and not options.signer.strip():
        raise BadInput("--signer: the words by which a signer is known are missing")
    findings = _damaged(options.record, events) + check_chain(events)
    if options.head is not None:
        findings += check_head(events, options.head)
    signer, sealed = _sealed(options, events)
    findings += sealed
    pictures = check_pictures(events, folder_of(options.record))
    findings += pictures[0]
    remarks: list[str] = []
    if not findings:  # a record that was tampered with proves nothing about the game in it
        match, findings = _audited(events, options.record)
        remarks = unproved(match, events)
    head = events[-1].digest if events else None
    if options.json:
        found = [finding.to_json() for finding in findings]
        shown = {"pictures": pictures[1], "pictures_missing": pictures[2], "signer": signer, "remarks": remarks}
        print(
            json.dumps(
                {"ok": not findings, "events": len(events), "head": head, "findings": found, **shown}, ensure_ascii=False
            )
        )
    elif findings:
        print("\n".join(finding.text for finding in findings))
    else:
        print(f"{options.record}: {len(events)} events, chain whole, plays and answers as the rules have them; head {head}")
        if signer:
            print(f"signed by {signer}")
        if pictures[1] or pictures[2]:
            print(f"pictures: {pictures[1]} as they were taken, {pictures[2]} not here")
    for remark in remarks if not options.json else ():
        print(remark)
    return NO if findings else DONE


def _damaged(path: Path, events: list[Event]) -> list[Finding]:
    """What cannot be read of a record's write-ahead log, and how much of it can be saved."""
    if path.suffix == ".jsonl":
        return []
    try:
        damage = damage_of(path)
        found = len(found_in(path).events) if damage is not None else 0
    except OSError as error:
        raise InvalidRecord(f"{path}: cannot be read ({error.strerror})") from error
    if damage is None:
        return []
    more = f"; 'companion salvage' saves {found} events" if found > len(events) else ""
    return [Finding("log-damaged", len(events), f"{damage.text}, after event {len(events)}{more}")]


def _sealed(options: argparse.Namespace, events: list[Event]) -> tuple[str | None, list[Finding]]:
    """Who signed the record, in words, and what is wrong with that; (None, []) when nobody did."""
    path = options.seal or seal_of(options.record)
    if options.seal is None and not path.exists():
        unsigned = Finding("no-seal", len(events), f"{path}: there is no seal")
        return None, [unsigned] if options.signer is not None else []
    try:
        told = bounded.read_json(path, bounded.BOUNDS.private)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise BadInput(f"{path}: is no seal (not JSON: {error})") from error
    try:
        findings = check_seal(told, events, options.signer)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
    return known_as(told["signer"]), findings


def _export(options: argparse.Namespace) -> int:
    if options.pictures and options.format != "html":
        raise BadInput(f"--pictures goes with --format html; {options.format} holds none")
    keep_apart(options.output, options.record)
    events = _load(options.record, check=True)
    game = _audited(events, options.record)[0].game
    pictures = folder_of(options.record) if options.pictures else None
    with _whole(options.record):
        text = FORMATS[options.format](game, events, pictures)
    if options.output is None:
        sys.stdout.write(text)
        return DONE
    write_file(options.output, text)
    return DONE


def _salvage(options: argparse.Namespace) -> int:
    saved, trouble = salvage(options.record, options.output)
    if options.json:
        print(json.dumps({"saved": saved, "trouble": trouble, "output": str(options.output)}, ensure_ascii=False))
    else:
        print(f"{options.output}: {saved} events saved; {trouble}")
    return DONE


def _as_lines(game: Game, events: list[Event], pictures: Path | None) -> str:
    return "".join(f"{line}\n" for line in json_lines(events))


def _as_csv(game: Game, events: list[Event], pictures: Path | None) -> str:
    from companion.host.report import as_csv  # noqa: PLC0415 - checking a record needs no host

    return as_csv(game, events)


def _as_html(game: Game, events: list[Event], pictures: Path | None) -> str:
    from companion.host.report import as_html  # noqa: PLC0415 - as above

    return as_html(game, events, pictures=reader(pictures) if pictures is not None else None)


FORMATS: Mapping[str, Callable[[Game, list[Event], Path | None], str]] = MappingProxyType(
    {"jsonl": _as_lines, "csv": _as_csv, "html": _as_html}
)


def _load(path: Path, *, check: bool) -> list[Event]:
    if path.suffix == ".jsonl":
        return _lines(path, check=check)
    with Record.read(path, check=check) as record:
        if record.damage is not None:
            print(f"companion: {record.damage.text}", file=sys.stderr)
        return record.events()


def _lines(path: Path, *, check: bool) -> list[Event]:
    try:
        events = from_json_lines(bounded.read_text(path, bounded.BOUNDS.lines).splitlines(), str(path))
    except OSError as error:
        raise InvalidRecord(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InvalidRecord(f"{path}: is not a game record (no text)") from error
    findings = check_chain(events) if check else []
    if findings:
        raise InvalidRecord(f"{path}: {findings[0].text}")
    return events


def _audited(events: list[Event], path: Path) -> tuple[Match, list[Finding]]:
    if not events:
        raise InvalidRecord(f"{path}: the record is empty")
    if events[0].kind != "match-opened":
        raise InvalidRecord(f"{path}: the record begins with {quoted(events[0].kind)}, not with a match")
    named, edition = events[0].data.get("game"), events[0].data.get("edition")
    if isinstance(edition, str) and named in games.available() and edition not in games.load(named).editions():
        raise InvalidRecord(
            f"{path}: its game is played on the edition {quoted(edition)}, a board of its own; "
            "name its file before the command: companion --own-board FILE …"
        )
    reached = 0

    def counted() -> Iterator[Event]:
        nonlocal reached
        for event in events:
            reached = event.number
            yield event

    with _whole(path, lambda: f"event {reached} "):
        return audit(games.load(str(events[0].data.get("game"))), counted())


@contextmanager
def _whole(path: Path, where: Callable[[], str] = str) -> Iterator[None]:
    """Refuses a record whose chain holds, but whose events are not what a game writes: somebody made it by hand."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise InvalidRecord(f"{path}: {where()}holds what no game writes ({stopped_by(error)})") from error


def _left(match: Match) -> dict[str, Any]:
    """Who is still possible, under the key that the game's own part of the snapshot has it; nothing where it has none."""
    people = match.game.board(match.position.edition).page.get("people")
    return {} if people is None else {people["left"]: match.game.view(match.state, match.context)[people["left"]]}


def _standing(match: Match, events: list[Event]) -> dict[str, Any]:
    return {
        "number": match.number,
        "head": events[-1].digest,
        "match": match.id,
        "phase": match.phase,
        "turn": match.position.turn,
        "mover": match.mover,
        "played": list(match.played),
        **_left(match),
        "notation": match.position.notation(),
        "position": match.position.to_json(),
        "outcome": match.outcome["message"] if match.outcome else None,
    }
