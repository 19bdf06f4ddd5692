"""Time that nobody sets. What lasts (a player's clock, a wait, a link, a picture's age) is measured here; the wall clock only
says what to call a moment.

A wall clock steps: a Raspberry Pi without a battery starts in the past until the network tells it, people and daemons set it.
Two clocks of the machine do not:

* ``stamp`` stands still while the machine sleeps (CLOCK_MONOTONIC): players are not charged for a lid that was shut;
* ``lasting`` goes on while it sleeps (CLOCK_BOOTTIME where there is one): a link that was given for twelve hours is not longer
  good because of that.

Both count seconds from about 1970, as the wall clock had it when this process began, so that they read like dates.
"""

import time

_BOOT = getattr(time, "CLOCK_BOOTTIME", None)


def awake() -> float:
    """Seconds of the monotonic clock; on Linux and macOS it stands still while the machine sleeps."""
    return time.monotonic()


def powered() -> float:
    """Seconds since the machine was started, sleep included; where no such clock is to be had, those of ``awake``."""
    return time.monotonic() if _BOOT is None else time.clock_gettime(_BOOT)


_STARTED, _AWAKE, _POWERED = time.time(), awake(), powered()


def stamp() -> float:
    """Seconds on a scale that no setting of the wall clock and no sleep moves; about seconds since 1970."""
    return _STARTED + (awake() - _AWAKE)


def lasting() -> float:
    """As ``stamp``, and sleep counts."""
    return _STARTED + (powered() - _POWERED)
