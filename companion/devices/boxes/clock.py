"""The box's milliseconds on the host's clock.

A pair (device time, host time) comes from every question the box answers: the device read its clock somewhere between
question and answer, so the middle is wrong by at most half the round trip. A press between two such pairs lies on the
line between them, whatever the box's resonator makes of a second; one after the last pair follows at the nominal rate.
"""

from bisect import bisect_left
from dataclasses import dataclass

WRAP = 1 << 32  # the device counts milliseconds in 32 bits: 49.7 days


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """Tunables of the mapping."""

    drift: float = 0.005  # relative, 0..0.02; a ceramic resonator is right within half a per cent
    spacing: float = 2.0  # s, > 0; of the pairs within one such stretch only the most certain is kept
    kept: int = 300  # pairs; ten minutes at the spacing above, more than any queue of presses waits


@dataclass(frozen=True, slots=True)
class Pair:
    """Device milliseconds (unwrapped), host seconds, and half the round trip in seconds."""

    device: int
    host: float
    error: float


class DeviceClock:
    """Maps device milliseconds to host seconds. Feed it in the order of host time."""

    def __init__(self, settings: ClockSettings | None = None) -> None:
        self._settings = settings or ClockSettings()
        self._pairs: list[Pair] = []

    def add(self, device: int, sent: float, received: float) -> None:
        """The box said ``device`` in answer to a question sent and answered at these host times (seconds)."""
        pair = Pair(self._unwrap(device), (sent + received) / 2, (received - sent) / 2)
        pairs = self._pairs
        if pairs and pair.device < pairs[-1].device:
            return  # an answer overtaken by a later one says nothing new
        if len(pairs) >= 2 and pair.host - pairs[-2].host < self._settings.spacing:
            # The newest pair is kept whatever it is worth: presses are young, and a young pair is a certain one.
            if self._grown(pairs[-1], pair.device) > pair.error:
                pairs[-1] = pair
            return
        pairs.append(pair)
        del pairs[: -self._settings.kept]

    def host(self, device: int) -> tuple[float, float] | None:
        """Host seconds of a device time and how far that may be off; None before the first pair."""
        pairs = self._pairs
        if not pairs:
            return None
        time = self._unwrap(device)
        at = bisect_left(pairs, time, key=lambda pair: pair.device)
        before = pairs[at - 1] if at > 0 else None
        after = pairs[at] if at < len(pairs) else None
        if before and after:
            span, length = (after.device - before.device) / 1000, after.host - before.host
            slack = self._settings.drift * span + before.error + after.error
            if span > 0 and abs(length - span) <= slack:
                share = (time - before.device) / 1000 / span
                return before.host + share * length, max(before.error, after.error)
            near = before if time - before.device <= after.device - time else after
        else:
            known = before or after
            assert known is not None
            near = known
        return near.host + (time - near.device) / 1000, self._grown(near, time)

    def _grown(self, pair: Pair, device: int) -> float:
        return pair.error + abs(device - pair.device) / 1000 * self._settings.drift

    def _unwrap(self, device: int) -> int:
        """The count without the wrap that lies nearest to the last one known."""
        if not self._pairs:
            return device
        last = self._pairs[-1].device
        difference = (device - last + WRAP // 2) % WRAP - WRAP // 2
        return last + difference
