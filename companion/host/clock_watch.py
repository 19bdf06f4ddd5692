"""Notices when the wall clock of this machine is set, and when the machine slept: nothing is timed by that clock, and whoever
keeps the time is told."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from companion import steady
from companion.devices.cameras.port import SourceNotice

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class ClockWatchSettings:
    """``least_s``: seconds (1 to 60) by which the wall clock must have stepped to be worth a word; a daemon that keeps it right
    bends it by less than a millisecond a second. ``pace_s``: seconds (1 to 600) between two words, for a clock that is set to
    and fro."""

    least_s: float = 2.0
    pace_s: float = 10.0


class ClockWatch:
    """Compares three clocks: the wall's, one that runs while the machine is on, one that stands still while it sleeps."""

    def __init__(
        self,
        wall: Clock = time.time,
        awake: Clock = steady.awake,
        powered: Clock = steady.powered,
        settings: ClockWatchSettings | None = None,
    ) -> None:
        self._wall, self._awake, self._powered = wall, awake, powered
        self._settings = settings or ClockWatchSettings()
        self._apart, self._slept = self._differences()
        self._told_at = float("-inf")

    def look(self) -> list[SourceNotice]:
        """What happened since the last look. Call it often: small differences are a clock being bent, and are let go."""
        now = self._awake()
        apart, slept = self._differences()
        if now - self._told_at < self._settings.pace_s:
            return []  # what is set back meanwhile need not be told
        told = []
        if slept - self._slept >= self._settings.least_s:
            told.append(SourceNotice("computer-slept", SLEPT, {"span": _span(slept - self._slept)}))
        step = apart - self._apart
        if abs(step) >= self._settings.least_s:
            told.append(SourceNotice("wall-clock-set", AHEAD if step > 0 else BACK, {"span": _span(abs(step))}))
        if told:
            self._told_at = now
        self._apart, self._slept = apart, slept
        return told

    def _differences(self) -> tuple[float, float]:
        """How far the wall clock is ahead of the machine's own, and how long the machine slept so far."""
        powered = self._powered()
        return self._wall() - powered, powered - self._awake()


def _span(seconds: float) -> str:
    """Hours, minutes and seconds as a clock shows them: "1:00:00"."""
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


AHEAD = "The clock of this computer was set {span} ahead. The players' clocks and all waits go on as before."
BACK = "The clock of this computer was set {span} back. The players' clocks and all waits go on as before."
SLEPT = "This computer slept for {span}. The players' clocks stood still meanwhile."
