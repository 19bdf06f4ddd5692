"""Files that commands write: whole or not at all, and never over a file that the same command reads."""

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import BadInput

_IN_PLACE = frozenset({errno.EACCES, errno.EPERM, errno.EBUSY, errno.EXDEV})
"""Why no file may be put beside an old one or in its place, where the old one may be written all the same: its folder belongs
to somebody else, or it is mounted by itself (a container's)."""


def keep_apart(output: Path | None, *inputs: Path | None) -> None:
    """Raises BadInput where a file that is to be written is one that is read, by whatever name."""
    if output is None:
        return
    for path in inputs:
        with contextlib.suppress(OSError):
            if path is not None and path.samefile(output):
                raise BadInput(f"{output}: is what this command reads, and would be written over; name another file")


def write_file(path: Path, content: str | bytes, what: str = "") -> None:
    """Write a file, and say ``what`` it is where that cannot be. What was there before stays until the new one is whole.
    Raises BadInput."""
    with written(path, content, what=what):
        pass


@contextmanager
def written(path: Path, content: str | bytes, mode: int = 0o666, what: str = "") -> Iterator[None]:
    """Write a file that counts once what is done meanwhile has succeeded; else what was there stays. ``mode``: that of a new
    file, before the umask. Raises BadInput."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    with _said(path, what):
        if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
            place, part = path, None  # a terminal, a pipe, or what another program has opened
        else:
            place = path.resolve() if path.is_symlink() else path
            part = _beside(place, data, mode)
    try:
        yield
        with _said(path, what):
            if part is None:
                place.write_bytes(data)
            else:
                _put(part, place, data)
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def _beside(place: Path, data: bytes, mode: int) -> Path | None:
    """The new file beside the place that it is for; None where none may be made there, and the old one may be written."""
    part = place.with_name(f".{secrets.token_hex(6)}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except OSError as error:
        if error.errno in _IN_PLACE and place.is_file() and os.access(place, os.W_OK):
            return None
        raise
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if place.is_file():
            part.chmod(place.stat().st_mode & 0o7777 if mode == 0o666 else mode)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


def _put(part: Path, place: Path, data: bytes) -> None:
    try:
        part.replace(place)
    except OSError as error:
        if error.errno not in _IN_PLACE:
            raise
        place.write_bytes(data)


@contextmanager
def _said(path: Path, what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(f"{path}: {what}{' ' * bool(what)}cannot be written ({error.strerror})") from error
