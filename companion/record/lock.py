"""One companion writes a record: a lock beside it that the system itself lets go when its holder ends, however it ends.

The file ``RECORD.lock`` means nothing by itself; what counts is the system's lock on it (``flock``, or ``LockFileEx`` on
Windows), so one that a killed companion left behind keeps nobody out. An orderly end takes the file away. SQLite's own locks
last for one transaction only and let two companions take turns, each with its own idea of the game.

Within a process the lock is shared: whoever opens the record there once more is the same companion.
"""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from companion.errors import BadInput

fcntl: ModuleType | None
msvcrt: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
try:
    import msvcrt
except ImportError:  # everywhere else
    msvcrt = None

TRIES, PAUSE_S = 5, 0.05
"""How often (1 to 20) a lock is tried before it counts as another companion's, and seconds (0.01 to 0.2) in between."""
_MUTEX = threading.Lock()
_HELD: dict[Path, list[int]] = {}
"""By lock file: the open file, and how many in this process share it."""


def lock_of(record: Path) -> Path:
    """The file on which a record's lock is taken."""
    return record.with_name(f"{record.name}.lock")


class RecordLock:
    """Held from its making until ``close``. Raises BadInput, one sentence, while another companion holds it.

    A folder that cannot be written, or a file system without locks, has none: then opening the record says what is wrong.
    """

    def __init__(self, record: Path) -> None:
        self._path: Path | None = lock_of(record.absolute())
        with _MUTEX:
            if self._path in _HELD:
                _HELD[self._path][1] += 1
                return
            try:
                handle = _taken(self._path)
            except BlockingIOError as error:
                text = "another companion has this record open; go on there, end it, or name another record"
                raise BadInput(f"{record}: {text}") from error
            except OSError:
                self._path = None
                return
            _HELD[self._path] = [handle, 1]

    def close(self) -> None:
        """Let it go; the last one in this process takes the file away."""
        with _MUTEX:
            if self._path is None or self._path not in _HELD:
                return
            held = _HELD[self._path]
            held[1] -= 1
            if held[1] == 0:
                del _HELD[self._path]
                _let_go(self._path, held[0])
            self._path = None


@contextlib.contextmanager
def in_turn(path: Path, patience_s: float = 30.0) -> Iterator[None]:
    """Hold the lock on a file of that name meanwhile, one thread of one process after the other; whoever comes waits his turn,
    0.1 to 300 s. Raises BadInput when that takes too long. Where nothing can be locked nobody waits."""
    handle, until = None, time.monotonic() + patience_s
    while handle is None:
        try:
            handle = _take(path)
        except BlockingIOError as error:
            if time.monotonic() > until:
                raise BadInput(f"{path.parent}: another companion is writing there; end it and try again") from error
            time.sleep(PAUSE_S)
        except OSError:
            break
    try:
        yield
    finally:
        if handle is not None:
            _let_go(path, handle)


def is_open(record: Path) -> bool:
    """Whether a companion has the record open for writing now; True as well where that cannot be told."""
    path = lock_of(record.absolute())
    with _MUTEX:
        if path in _HELD:
            return True
        if not path.exists():
            return False
        try:
            handle = os.open(path, os.O_RDWR)
        except OSError:
            return path.exists()
        try:
            _lock(handle)
        except OSError:
            return True
        finally:
            os.close(handle)
    return False


def _taken(path: Path) -> int:
    """As :func:`_take`, tried for a moment: somebody who only asks whether it is held holds it himself meanwhile."""
    for _ in range(TRIES - 1):
        with contextlib.suppress(BlockingIOError):
            return _take(path)
        time.sleep(PAUSE_S)
    return _take(path)


def _take(path: Path) -> int:
    """The locked file. Raises BlockingIOError while somebody else has it, OSError where it cannot be locked at all."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(handle)
            # Its holder may have taken the file away between our opening and locking it: then it locks nothing.
            if _same(handle, path):
                return handle
        except OSError:
            os.close(handle)
            raise
        os.close(handle)


def _same(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _lock(handle: int) -> None:
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    elif msvcrt is not None:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:  # what Windows says of a part that is locked
            raise BlockingIOError(*error.args) from error


def _let_go(path: Path, handle: int) -> None:
    if fcntl is not None:
        with contextlib.suppress(OSError):
            path.unlink()  # while it is still locked, so that nobody's newer file is taken away
        os.close(handle)
        return
    os.close(handle)
    with contextlib.suppress(OSError):  # Windows takes no open file away, and refuses when somebody opened it meanwhile
        path.unlink()
