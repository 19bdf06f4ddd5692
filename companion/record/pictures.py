"""Pictures beside a record: files named by their own SHA-256, which the events refer to, so that a changed one shows."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from companion import atomic, bounded
from companion.record.events import Event
from companion.record.verify import Finding

KEY = "pictures"
MOST_BYTES = 16 * 2**20
"""Kept pictures have some hundred kB."""


def folder_of(record: Path) -> Path:
    """Where the pictures of a record lie."""
    return record.with_name(f"{record.name}.pictures")


def is_digest(word: str) -> bool:
    """Whether a word can name a picture: 64 small hexadecimal digits, so that it never leads out of the folder."""
    return len(word) == 64 and not set(word) - set("0123456789abcdef")


def file_of(folder: Path, digest: str) -> Path:
    """The file of one picture."""
    return folder / f"{digest}.jpg"


def reader(folder: Path) -> Callable[[str], bytes | None]:
    """Reads the pictures of a folder by their digest; None for one that is not here, nothing at all (``b""``) of one that is
    larger than any that is kept. It raises nothing."""

    def read_by(digest: str) -> bytes | None:
        try:
            return read(file_of(folder, digest)) if is_digest(digest) else None
        except bounded.Unreadable:
            return b""
        except OSError:
            return None

    return read_by


def store(folder: Path, picture: bytes) -> str:
    """Keep a picture (once) and return its digest. Raises OSError; a crash leaves no half picture under a whole one's name."""
    digest = hashlib.sha256(picture).hexdigest()
    path = file_of(folder, digest)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        atomic.write(path, picture)
    return digest


def referred(event: Event) -> dict[str, str]:
    """The pictures an event refers to, by when: ``before`` and ``after``."""
    told = event.data.get(KEY)
    return {when: digest for when, digest in told.items() if isinstance(digest, str)} if isinstance(told, dict) else {}


def check_pictures(events: Iterable[Event], folder: Path) -> tuple[list[Finding], int, int]:
    """Pictures that are not what the record says, how many are as they were, and how many are not here."""
    findings, whole, gone = [], 0, 0
    for event, digest in _each_once(events):
        path = file_of(folder, digest)
        if not path.is_file():
            gone += 1
        elif kept(path, digest) is None:
            text = f"event {event.number} ({event.kind}): its picture {path.name} was changed"
            findings.append(Finding("picture-changed", event.number, text))
        else:
            whole += 1
    return findings, whole, gone


def read(path: Path) -> bytes:
    """One kept picture. Raises OSError, also for one larger than any that is kept."""
    return bounded.read_bytes(path, MOST_BYTES)


def kept(path: Path, digest: str) -> bytes | None:
    """One kept picture if it is still the one of that digest; None when it was changed. Raises OSError."""
    try:
        picture = read(path)
    except bounded.Unreadable:
        return None
    return picture if hashlib.sha256(picture).hexdigest() == digest else None


def _each_once(events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
    known: set[str] = set()
    for event in events:
        for digest in referred(event).values():
            if digest not in known:
                known.add(digest)
                yield event, digest
