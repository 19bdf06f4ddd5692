"""Everything a hub keeps, in one file of lines of JSON, compressed: it can be read without us, and fits either database.

Beside the database these are the event's record and the seals of games that are over. Keys and links (the house's authority,
who was let in to the pages) are no part of it: they belong to the machine.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from companion import atomic, bounded
from companion.errors import BadInput, quoted, stopped_by
from companion.hub.store import schema
from companion.hub.store.port import Store
from companion.record.events import Event
from companion.record.log import Record

FORMAT = "hall-backup/1"
MOST_LINE = 16 * 2**20
EVENT, SEALS = "event", "seals"
COLUMNS = {**schema.ROWS, EVENT: 5, SEALS: 1}
Rows = dict[str, list[list[Any]]]


@dataclass(frozen=True)
class Beside:
    """The files that a hub keeps beside its database."""

    event: Path
    seals: Path

    def rows(self) -> Rows:
        """What is in them, of those that are there. Raises BadInput."""
        found: Rows = {EVENT: [], SEALS: []}
        if self.event.exists():
            with Record.read(self.event) as record:
                found[EVENT] = [list(astuple(one)) for one in record.events()]
        if self.seals.exists():
            found[SEALS] = [[line] for line in bounded.read_text(self.seals, bounded.BOUNDS.lines).splitlines()]
        return found

    def check(self, rows: Rows) -> list[Event]:
        """The event of a backup. Raises BadInput when it is none, and for a file that is there already."""
        for name, path in ((EVENT, self.event), (SEALS, self.seals)):
            if rows[name] and path.exists():
                raise BadInput(f"{path}: is there already; restore where no event was begun, or move it away")
        try:
            return [Event.stored(*row) for row in rows[EVENT]]
        except TypeError as error:
            raise BadInput(f"the event in the backup is damaged ({stopped_by(error)})") from error

    def fill(self, rows: Rows, event: list[Event]) -> None:
        """Write them anew. Raises BadInput."""
        if event:
            with Record.open(self.event) as record:
                record.take_over(event)
        if rows[SEALS]:
            self.seals.write_text("".join(f"{line}\n" for (line,) in rows[SEALS]), encoding="utf-8")


def backup(store: Store, file: Path, beside: Beside) -> int:
    """Write all rows of one moment; returns how many. The file is there whole or not at all. Raises BadInput."""
    try:
        rows = {**store.dump(), **beside.rows()}
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{beside.seals}: cannot be read ({getattr(error, 'strerror', None) or error})") from error
    count = sum(len(found) for found in rows.values())
    try:
        with atomic.replacing(file, 0o600) as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
            for line in _lines(rows, count):
                packed.write(line)
    except OSError as error:
        raise BadInput(f"{file}: cannot be written ({error.strerror})") from error
    return count


def restore(store: Store, file: Path, beside: Beside) -> int:
    """Fill an empty store, and make the files beside it; returns with how many rows. Raises BadInput for what is no whole
    backup, and then nothing is restored."""
    rows: Rows = {name: [] for name in COLUMNS}
    try:
        with gzip.open(file, "rb") as packed:
            lines = bounded.lines(packed, MOST_LINE)
            head = _parsed(next(lines, b""), file)
            if not isinstance(head, dict) or head.get("format") != FORMAT:
                raise BadInput(f"{file}: is no backup of the format {FORMAT!r}")
            for line in lines:
                told = _parsed(line, file)
                if not isinstance(told, list) or len(told) != 2 or told[0] not in rows:
                    raise BadInput(f"{file}: a line is of no table that this companion knows; update it")
                name, row = told
                if not isinstance(row, list) or len(row) != COLUMNS[name]:
                    raise BadInput(f"{file}: a line of {quoted(name)} does not have its {COLUMNS[name]} columns")
                rows[name].append(row)
    except gzip.BadGzipFile as error:
        raise BadInput(f"{file}: is no backup of a hall") from error
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(f"{file}: cannot be read ({getattr(error, 'strerror', None) or error})") from error
    count = sum(len(found) for found in rows.values())
    if count != head.get("rows"):
        raise BadInput(f"{file}: has {count} of {head.get('rows')} rows: its end is missing")
    event = beside.check(rows)
    store.load(rows)
    try:
        beside.fill(rows, event)
    except OSError as error:
        raise BadInput(f"{beside.event}: cannot be written ({error.strerror})") from error
    return count


def _lines(rows: Rows, count: int) -> Iterator[bytes]:
    yield _line({"format": FORMAT, "schema": schema.VERSION, "rows": count})
    for name, found in rows.items():
        for row in found:
            yield _line([name, row])


def _line(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _parsed(line: bytes | None, file: Path) -> Any:
    try:
        return bounded.parsed(line or b"")
    except (ValueError, TypeError) as error:
        raise BadInput(f"{file}: is no backup of a hall") from error
