"""Small JSON files that only their owner may read: written whole or not at all."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion import atomic, bounded
from companion.record.lock import in_turn, lock_of

OWNER_ONLY = 0o600


@contextlib.contextmanager
def made_once(path: Path) -> Iterator[None]:
    """Meanwhile no other companion looks whether this file is there, or makes it: of two that start for the first time at once
    the second finds what the first has made."""
    with contextlib.suppress(OSError):  # making the file says what is wrong with the folder
        path.parent.mkdir(parents=True, exist_ok=True)
    with in_turn(lock_of(path)):
        yield


def read(path: Path) -> Any:
    """What is kept there; its permissions are put right on the way. Raises OSError or ValueError."""
    data = bounded.read_json(path, bounded.BOUNDS.private)
    path.chmod(OWNER_ONLY)
    return data


def write(path: Path, data: Any) -> None:
    """Keep ``data`` there. A crash half-way leaves the old file; nobody else can read it at any moment. Raises OSError."""
    atomic.write(path, json.dumps(data), OWNER_ONLY)
