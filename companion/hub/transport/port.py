"""The two ends of a transport. It may lose, repeat and delay messages; it must not reorder those of one kind from one table."""

from collections.abc import Callable
from typing import Protocol

Heard = Callable[[str, bytes], None]
"""Takes the kind and the bytes of a message from the hub; from any thread."""
Linked = Callable[[bool, str], None]
"""Told whether the hub is reached, and if not, why, in one sentence; from any thread."""


class TableLink(Protocol):
    """A table's end. Every method may be called from any thread."""

    def start(self, heard: Heard, linked: Linked) -> None:
        """Begin to reach for the hub, and again after every loss, at growing intervals."""

    def send(self, kind: str, body: bytes) -> bool:
        """Send a message; False when there is no connection. What was lost meanwhile nobody tells: the hub's word counts."""

    def close(self) -> None:
        """Say goodbye and let go."""


class HubLink(Protocol):
    """The hub's end."""

    def start(self) -> None:
        """Begin to take messages."""

    def close(self) -> None:
        """Let go."""
