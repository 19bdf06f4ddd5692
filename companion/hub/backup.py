"""Everything a hub keeps, in one file of lines of JSON, compressed: it can be read without us, and fits either database."""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion import bounded
from companion.errors import BadInput
from companion.hub.store import schema
from companion.hub.store.port import Store

FORMAT = "hall-backup/1"
MOST_LINE = 16 * 2**20


def backup(store: Store, file: Path) -> int:
    """Write all rows of one moment; returns how many. The file is there whole or not at all. Raises BadInput."""
    rows = store.dump()
    count = sum(len(found) for found in rows.values())
    part = file.with_name(f".{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
                for line in _lines(rows, count):
                    packed.write(line)
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(file)
    except OSError as error:
        raise BadInput(f"{file}: cannot be written ({error.strerror})") from error
    return count


def restore(store: Store, file: Path) -> int:
    """Fill an empty store; returns with how many rows. Raises BadInput for what is no whole backup, and then nothing is
    restored."""
    rows: dict[str, list[list[Any]]] = {name: [] for name in schema.ROWS}
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
                if not isinstance(row, list) or len(row) != schema.ROWS[name]:
                    raise BadInput(f"{file}: a line of {name!r} does not have its {schema.ROWS[name]} columns")
                rows[name].append(row)
    except (OSError, EOFError) as error:
        raise BadInput(f"{file}: cannot be read ({getattr(error, 'strerror', None) or error})") from error
    count = sum(len(found) for found in rows.values())
    if count != head.get("rows"):
        raise BadInput(f"{file}: has {count} of {head.get('rows')} rows: its end is missing")
    store.load(rows)
    return count


def _lines(rows: dict[str, list[list[Any]]], count: int) -> Iterator[bytes]:
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
