"""How fast anybody may go: a bucket for each sender that fills steadily and is emptied by what it sends."""

import threading

_SENDERS = 1024  # more than a club has; beyond that the longest silent one is forgotten


class RateLimiter:
    """Allows ``burst`` at once and ``per_second`` in the long run for each key. ``now`` is any steady clock's seconds."""

    def __init__(self, burst: int, per_second: float) -> None:
        self._burst, self._per_second = float(burst), per_second
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def allows(self, key: str, now: float) -> bool:
        """Whether one more may pass; it is counted if so."""
        with self._lock:
            left, since = self._left.pop(key, (self._burst, now))
            left = min(self._burst, left + (now - since) * self._per_second)
            passes = left >= 1.0
            self._left[key] = (left - 1.0 if passes else left, now)
            while len(self._left) > _SENDERS:
                del self._left[next(iter(self._left))]
            return passes
