"""Events found in the pages of a damaged record, without SQLite: it gives up a whole table for one page that is missing.

Rows of a table lie in leaf pages, each page by itself; long ones go on in overflow pages. So every page of the file and of
its log is looked through for rows that have an event's shape (https://www.sqlite.org/fileformat2.html#b_tree_pages). Whether
a row is what was written only its digest tells, which is for the caller to check.
"""

import json
import struct
from collections.abc import Callable, Iterator, Mapping

from companion.record.events import Event

_LEAF = 0x0D
_FILE_HEADER_BYTES = 100
_LONGEST = 16 * 2**20
"""Bytes that a row may claim to have; a picture-less event has some thousand."""
_DIGEST_CHARS = 64
_COLUMNS = 5
Page = Callable[[int], bytes | None]


def rows(pages: Iterator[tuple[int, bytes]], overflow: Page) -> Iterator[Event]:
    """Whatever looks like an event in these pages (number, bytes), in the order of the pages; ``overflow`` gives a page by its
    number. Nothing of it is checked."""
    for number, body in pages:
        start = _FILE_HEADER_BYTES if number == 1 else 0
        if len(body) < start + 8 or body[start] != _LEAF:
            continue
        count = int.from_bytes(body[start + 3 : start + 5], "big")
        for at in range(start + 8, min(start + 8 + 2 * count, len(body) - 1), 2):
            event = _cell(body, int.from_bytes(body[at : at + 2], "big"), overflow)
            if event is not None:
                yield event


def numbered(file: bytes, page_bytes: int) -> Iterator[tuple[int, bytes]]:
    """The whole pages of a database file, from 1."""
    for at in range(0, len(file) - page_bytes + 1, page_bytes):
        yield at // page_bytes + 1, file[at : at + page_bytes]


def by_number(pages: Mapping[int, bytes]) -> Page:
    """How a page is found by its number."""
    return pages.get


def page_bytes_of(file: bytes, otherwise: int) -> int:
    """The size of a database's pages as its header has it, or ``otherwise`` where that says nothing possible."""
    told = int.from_bytes(file[16:18], "big")
    told = 65536 if told == 1 else told
    return told if 512 <= told <= 65536 and not told & told - 1 else otherwise


def _cell(body: bytes, at: int, overflow: Page) -> Event | None:
    try:
        size, at = _varint(body, at)
        number, at = _varint(body, at)
        if not 0 < size <= _LONGEST:
            return None
        return _event(number, _payload(body, at, size, overflow))
    except (IndexError, ValueError, TypeError, struct.error, RecursionError):
        return None


def _payload(body: bytes, at: int, size: int, overflow: Page) -> bytes:
    usable = len(body)
    if size <= usable - 35:
        return body[at : at + size]
    least = (usable - 12) * 32 // 255 - 23
    local = least + (size - least) % (usable - 4)
    local = local if local <= usable - 35 else least
    parts, held = [body[at : at + local]], local
    following = int.from_bytes(body[at + local : at + local + 4], "big")
    while held < size:
        page = overflow(following)
        if page is None:
            raise ValueError(following)
        following = int.from_bytes(page[:4], "big")
        parts.append(page[4 : 4 + size - held])
        held += len(parts[-1])
    return b"".join(parts)


def _event(number: int, payload: bytes) -> Event:
    """The event in a row: number (the row's own), date, kind, data, digest. Raises ValueError for another shape."""
    length, at = _varint(payload, 0)
    types = []
    while at < length:
        one, at = _varint(payload, at)
        types.append(one)
    if len(types) != _COLUMNS or types[0] != 0 or types[4] != 13 + 2 * _DIGEST_CHARS:
        raise ValueError(types)
    when, at = _number(payload, length, types[1])
    kind, at = _text(payload, at, types[2])
    data, at = _text(payload, at, types[3])
    digest, _ = _text(payload, at, types[4])
    return Event.stored(number, when, kind, json.loads(data), digest)


def _number(payload: bytes, at: int, kind: int) -> tuple[float, int]:
    """A column of kind REAL; SQLite keeps whole numbers in it as integers."""
    if kind == 7:
        return float(struct.unpack_from(">d", payload, at)[0]), at + 8
    if kind in (8, 9):
        return float(kind - 8), at
    size = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}[kind] if 1 <= kind <= 6 else 0
    if not size:
        raise ValueError(kind)
    return float(int.from_bytes(payload[at : at + size], "big", signed=True)), at + size


def _text(payload: bytes, at: int, kind: int) -> tuple[str, int]:
    if kind < 13 or not kind & 1:
        raise ValueError(kind)
    size = (kind - 13) // 2
    return payload[at : at + size].decode("utf-8"), at + size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """An integer of one to nine bytes, and where the next one begins."""
    value = 0
    for length in range(8):
        byte = data[at + length]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + length + 1
    return value << 8 | data[at + 8], at + 9
