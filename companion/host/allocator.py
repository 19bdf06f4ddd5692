"""The C library's memory: few arenas for many threads, and what was freed given back to the system.

glibc gives every new thread an arena of its own, up to eight for each processor, and keeps what was freed in them. Pictures of
6 MB come and go here in a dozen threads: after ten minutes a session held three times the memory it used. Elsewhere (musl,
macOS, Windows) nothing of this is needed, and nothing is done.
"""

import ctypes
import gc
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3  # M_ARENA_MAX and M_MMAP_THRESHOLD of <malloc.h>


@dataclass(frozen=True, slots=True)
class AllocatorSettings:
    """``arenas`` (1 to 8): 2, one for the main thread and one that all others share: Python's own lock lets only one of them
    allocate at a time anyway. ``apart_bytes`` (4 to 16 MB): from this size on an array has pages of its own, which go back when
    it is freed; left alone, glibc raises that bound to the largest array it ever freed.
    ``every_s`` (5 to 600): how often freed memory is given back, some 25 MB while an unmodified copy
    is read and pieces move, in 30 s three times that; ``settled_s`` (0 to 10): how long
    after a table was exchanged nobody holds the one before any more."""

    arenas: int = 2
    apart_bytes: int = 8 << 20
    every_s: float = 5.0
    settled_s: float = 2.0


def few_arenas(settings: AllocatorSettings | None = None) -> bool:
    """Let all threads share a few arenas, and large arrays lie beside them. To be called before threads are started. Returns
    whether the C library knows arenas."""
    library, settings = _glibc(), settings or AllocatorSettings()
    if library is None:
        return False
    library.mallopt(_MMAP_THRESHOLD, settings.apart_bytes)
    return bool(library.mallopt(_ARENA_MAX, settings.arenas))


def give_back(*, cycles: bool = False) -> None:
    """Give what was freed back to the system. ``cycles``: free what only refers to itself first (some tenths of a second in
    which nothing else runs: after a table was exchanged, not while one is watched)."""
    if cycles:
        gc.collect()
    library = _glibc()
    if library is not None:
        library.malloc_trim(ctypes.c_size_t(0))


class Housekeeping:
    """Gives freed memory back from time to time, and soon after :meth:`exchanged`, in a thread of its own."""

    def __init__(self, settings: AllocatorSettings | None = None, give: Callable[..., None] = give_back) -> None:
        self._settings, self._give = settings or AllocatorSettings(), give
        self._exchanged, self._closing = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="housekeeping", daemon=True)
        self._thread.start()

    def exchanged(self) -> None:
        """Something large was replaced: a table, a taught copy."""
        self._exchanged.set()

    def close(self) -> None:
        """Stop; what was freed stays as it is."""
        self._closing.set()
        self._exchanged.set()
        self._thread.join(5)

    def _run(self) -> None:
        while True:
            exchanged = self._exchanged.wait(self._settings.every_s)
            if exchanged:  # else it may just have been set, and counts next time
                self._exchanged.clear()
            if self._closing.wait(self._settings.settled_s if exchanged else 0):
                return
            self._give(cycles=exchanged)


@cache
def _glibc() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(None)
        return library if all(hasattr(library, name) for name in ("mallopt", "malloc_trim")) else None
    except (OSError, TypeError):  # a system without such a library
        return None
