"""The newest picture of each table that allows the hall one: bounded in size and rate, in memory alone.

A table says with how it stands who may see it (:data:`~companion.hub.model.PICTURE_FOR`), so that it can take that back. No
picture goes into the database, the archive, a backup, or what a broker keeps.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import simplejpeg

from companion.errors import BadInput
from companion.hub import wire
from companion.hub.model import FOR_ARBITERS, FOR_SPECTATORS, PICTURE_FOR, HallTable

LEAST_S = 2.0
"""Of one table a picture is taken at most so often, 1 to 30 s; what comes sooner is dropped. A table sends one in five."""
KEEP_S = 600.0
"""An older picture is shown no more, 60 to 3600 s."""
MOST_SIDE = 1280
"""Pixels across or down, 320 to 1920."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG, and how many seconds ago it came."""

    jpeg: bytes
    age: float


class Pictures:
    """What tables sent last. Every method may be called from any thread."""

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, str, bytes]] = {}
        """By table: when it came, of which match, the JPEG."""

    def take(self, table: str, body: bytes) -> bool:
        """Keep what an enrolled table sent, unless it comes too soon after the last; False for what is no picture."""
        now = self._steady()
        with self._lock:
            if table in self._kept and now - self._kept[table][0] < LEAST_S:
                return True
        try:
            told = _read(body)
        except BadInput as error:
            _LOG.info("the picture of table %s is not shown: %s", table, error)
            return False
        with self._lock:
            self._kept[table] = (now, told.match, told.jpeg)
        return True

    def of(self, table: HallTable, *, spectator: bool) -> Picture | None:
        """The picture of a table's game for whoever asks; None where there is none, or not for him."""
        allowed = table.snapshot.get(PICTURE_FOR)
        if allowed != FOR_SPECTATORS and (spectator or allowed != FOR_ARBITERS):
            return None
        with self._lock:
            came, match, jpeg = self._kept.get(table.table, (float("-inf"), "", b""))
        age = self._steady() - came
        return Picture(jpeg, max(0.0, age)) if match == table.match and age <= KEEP_S else None

    def forget(self, table: str) -> None:
        """A table is none of the hall's any more."""
        with self._lock:
            self._kept.pop(table, None)


def _read(body: bytes) -> wire.Picture:
    told = wire.read_picture(body)
    try:
        height, width, _, _ = simplejpeg.decode_jpeg_header(told.jpeg)
    except ValueError as error:
        raise BadInput("picture: is no JPEG") from error
    if max(height, width) > MOST_SIDE:
        raise BadInput(f"picture: has {width}x{height} pixels, at most {MOST_SIDE} either way are shown")
    return told
