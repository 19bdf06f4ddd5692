"""In which state each camera of a table is, folded from what the cameras say and from the pictures that come.

A picture that arrives ends silence and loss: it is the proof against them. It does not end a freeze, for a frozen camera goes
on sending; that ends when the camera itself says that its pictures differ again (``source-back``).
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

STARTING, RUNNING, STILL, FROZEN, SILENT, LOST, ENDED = "starting", "running", "still", "frozen", "stalled", "lost", "ended"
PLAYED = "over"
"""The state of a recording that goes on showing its last picture."""

BY_CODE = {
    "source-lost": LOST,
    "source-silent": SILENT,
    "source-frozen": FROZEN,
    "source-still": STILL,
    "source-stirs": RUNNING,
    "source-back": RUNNING,
    "source-ended": ENDED,
    "recording-over": PLAYED,
}
NOT_TOLD = frozenset({"source-still", "source-stirs"})
"""Notices that are a state and no news: nobody is told, and nothing is recorded."""

_ENDED_BY_A_PICTURE = (STARTING, SILENT, LOST)
_SEVERITY = (RUNNING, STILL, STARTING, PLAYED, ENDED, SILENT, FROZEN, LOST)


@dataclass(frozen=True, slots=True)
class CameraState:
    """``state`` as above, and since when in seconds since 1970 (a label, nothing is counted from it); None: from the start."""

    state: str
    since: float | None


class CameraStates:
    """The conditions of one camera or of two over one table. Any thread."""

    def __init__(self, name: str, names: Sequence[str], clock: Callable[[], float]) -> None:
        """``name``: the whole source, as it is shown; ``names``: its cameras, as their frames and notices carry them."""
        self._name, self._clock = name, clock
        self._lock = threading.Lock()
        self._each = {one: CameraState(STARTING, None) for one in names or (name,)}

    def heard(self, code: str, source: object = None) -> None:
        """A camera said something. Of a name that is not known it is the first one's."""
        state = BY_CODE.get(code)
        if state is not None:
            self._put(source, lambda before: state)

    def came(self, source: str) -> None:
        """A picture of a camera arrived."""
        self._put(source, lambda before: RUNNING if before in _ENDED_BY_A_PICTURE else before)

    def over(self, state: str) -> None:
        """All of it is lost, or has ended."""
        with self._lock:
            now = self._clock()
            self._each = {one: CameraState(state, now) for one in self._each}

    @property
    def played(self) -> bool:
        """Whether it was a recording of which nothing more comes."""
        return self.shown()["state"] in (ENDED, PLAYED)

    def shown(self) -> dict[str, Any]:
        """``name``, ``state`` and ``since`` as JSON. Of two cameras the state is that of the better one, and ``ailing`` lists
        those that are worse off, each with the same three."""
        with self._lock:
            ranked = sorted(self._each.items(), key=lambda item: _SEVERITY.index(item[1].state))
        best = ranked[0][1]
        ailing = [
            {"name": name, "state": one.state, "since": one.since}
            for name, one in ranked[1:]
            if one.state in (SILENT, FROZEN, LOST) and one.state != best.state
        ]
        return {"name": self._name, "state": best.state, "since": best.since, "ailing": ailing}

    def _put(self, source: object, after: Callable[[str], str]) -> None:
        with self._lock:
            name = source if isinstance(source, str) and source in self._each else next(iter(self._each))
            before = self._each[name]
            state = after(before.state)
            if state != before.state and (before.state != PLAYED or state in (LOST, ENDED)):
                self._each[name] = CameraState(state, self._clock())
