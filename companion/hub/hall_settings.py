"""What the running hub waits for, and how much it holds. Documented with the class."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HallSettings:
    """
    silent_seconds  a table that says nothing for so long is offline, 10 .. 120; it says something every 10.
    together        messages that become durable in one transaction, 1 .. 2000.
    waiting         messages that may wait to be taken in, 1,000 .. 100,000; beyond it they are dropped, and sent again.
    keep_seconds    how often what tables last said of themselves is kept for a restart, 1 .. 60.
    answer_bytes    the largest ruling, 1 .. 64 KiB.
    end_seconds     what waits is taken in for so long when the hall ends, 1 .. 10; then as long again for the last of it.
    stuck_seconds   a handful of messages that takes longer is said to whoever asks for the hub's health, 10 .. 120.
    """

    silent_seconds: float = 30.0
    together: int = 400
    waiting: int = 20_000
    keep_seconds: float = 5.0
    answer_bytes: int = 16 * 1024
    end_seconds: float = 5.0
    stuck_seconds: float = 30.0
