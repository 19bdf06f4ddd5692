"""Files that are written whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file to write that takes the place of ``path`` once the block ends, forced to the disk; a crash half-way, or an
    exception in the block, leaves what was there. ``mode``: its permissions, before the umask. Raises OSError."""
    part = path.with_name(f".{secrets.token_hex(6)}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Have ``path`` hold ``content`` (text in UTF-8), see :func:`replacing`. Raises OSError."""
    with replacing(path, mode) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)
