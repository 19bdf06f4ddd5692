"""Reading files and streams that may never end: every reading has a bound, known before it begins.

What is wrong comes as an OSError whose ``strerror`` ends a sentence "FILE: cannot be read (…)", so that whoever reads a file
says it as he says that it is missing.
"""

import errno
import json
import os
import select
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

_CHUNK = 1 << 20
BYTE_ORDER_MARK = "\ufeff"
"""Some editors and shells write it before a text."""


@dataclass(frozen=True, slots=True)
class FileBounds:
    """How much of each kind of file is read, in bytes, and how long a pipe may keep us waiting, in seconds."""

    profile: int = 64 * 2**20
    """A taught plain copy has 2 to 6 MiB, nearly all of it pictures; 64 MiB hold those of a 50-megapixel camera."""
    lines: int = 256 * 2**20
    """An exported record: a session has some hundred kB."""
    table: int = 16 * 2**20
    """Lenses, board files, plans, table sets: a hundred kB each, a set of a thousand pictures some MB."""
    position: int = 2**20
    """A position, or a line with two of them: 3 kB."""
    record: int = 2**30
    """A record or its write-ahead log, each: a session has some MB."""
    private: int = 4 * 2**20
    """Secrets, notes, passes, keys, seals, the roles of boxes: some kB."""
    patience: float = 10.0
    """1..60: a pipe or FIFO that gives nothing for so long is given up; a program that writes at all begins sooner."""
    json_values: int = 1_000_000
    """Values in one JSON text, 10 thousand..10 million: each takes up to a hundred bytes of memory for two bytes of text."""


BOUNDS = FileBounds()


class Unreadable(OSError):
    """A file that is no file, does not end in time, or is larger than is read."""

    def __init__(self, why: str, path: Path | str) -> None:
        super().__init__(errno.EFBIG, why, str(path))


class Lines(Protocol):
    """A binary stream read line by line."""

    def readline(self, limit: int = -1, /) -> bytes: ...


def read_bytes(path: Path, most: int) -> bytes:
    """All of a file or pipe, at most ``most`` bytes. Raises OSError: missing, a folder, a device, too large, silent.

    A size that the file system tells is believed only where it is too large: files of /proc tell 0, others grow meanwhile.
    """
    _refuse_devices(path, path.stat())
    # Without blocking, or a FIFO nobody writes to would hold us for ever; a file does not care.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        state = os.fstat(handle)
        _refuse_devices(path, state)
        if state.st_size > most:
            raise Unreadable(_too_large(most), path)
        found, wait = bytearray(), BOUNDS.patience if stat.S_ISFIFO(state.st_mode) else None
        while chunk := _some(handle, wait, path):
            found += chunk
            if len(found) > most:
                raise Unreadable(_too_large(most), path)
        return bytes(found)
    finally:
        os.close(handle)


def read_text(path: Path, most: int) -> str:
    """All of a file as UTF-8 text. Raises OSError as :func:`read_bytes`, UnicodeDecodeError for what is no text."""
    return read_bytes(path, most).decode("utf-8")


def read_json(path: Path, most: int, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """The JSON in a file, a byte order mark before it or not. Raises OSError as :func:`read_bytes`, ValueError for what is no
    JSON; never RecursionError."""
    return parsed(read_text(path, most).removeprefix(BYTE_ORDER_MARK), pairs)


def parsed(text: str | bytes, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """JSON that may come from anybody; ``pairs`` as ``object_pairs_hook``. Raises ValueError, for too deep nesting and for
    more values than fit into memory as well; TypeError for what is no text."""
    if not isinstance(text, str | bytes):
        raise TypeError(f"JSON is text, not {type(text).__name__}")
    marks = sum(map(text.count, ",[{")) if isinstance(text, str) else sum(map(text.count, (b",", b"[", b"{")))
    if marks > BOUNDS.json_values:
        raise ValueError(f"more than {BOUNDS.json_values} values")
    try:
        return json.loads(text, object_pairs_hook=pairs)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError as error:
        if str(error).startswith("Exceeds the limit"):  # of digits that Python makes a number of
            raise ValueError(f"a number of more than {sys.get_int_max_str_digits()} digits") from None
        raise


def json_kind(value: Any) -> str:
    """What a JSON value is, in the words of JSON, to tell of one that should be another."""
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", type(None): "null"}
    return names.get(type(value), "an object")


def lines(stream: Lines, most: int) -> Iterator[bytes | None]:
    """The lines of a stream without their ends; None for one of more than ``most`` bytes, which is skipped, not kept."""
    while line := stream.readline(most + 2):
        if len(line.rstrip(b"\r\n")) <= most:
            yield line.rstrip(b"\r\n")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(_CHUNK)
        yield None


def copy(path: Path, to: Path, most: int) -> None:
    """Copy a file of at most ``most`` bytes. Raises OSError as :func:`read_bytes`; then nothing is left at ``to``."""
    state = path.stat()
    if not stat.S_ISREG(state.st_mode):
        raise Unreadable("it is a device, not a file", path)
    if state.st_size > most:
        raise Unreadable(_too_large(most), path)
    shutil.copyfile(path, to)


def size_words(most: int) -> str:
    """A bound as people read it."""
    return f"{most // 2**20} MiB" if most >= 2**20 else f"{most} bytes"


def _too_large(most: int) -> str:
    return f"it holds more than {size_words(most)}, which is the most that is read"


def _refuse_devices(path: Path, state: os.stat_result) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not (stat.S_ISREG(state.st_mode) or stat.S_ISFIFO(state.st_mode)):
        raise Unreadable("it is a device, not a file", path)


def _some(handle: int, wait: float | None, path: Path) -> bytes:
    """The next bytes; none at the end. A pipe is waited for so many seconds, each time."""
    if wait is not None and not _ready(handle, wait):
        raise Unreadable("nothing more comes out of it", path)
    try:
        return os.read(handle, _CHUNK)
    except BlockingIOError:
        raise Unreadable("nothing more comes out of it", path) from None


def _ready(handle: int, seconds: float) -> bool:
    """Whether a pipe has bytes, or its end, within so many seconds."""
    if not hasattr(select, "poll"):  # where there is none, pipes cannot be waited for and are read as they come
        return True
    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))
