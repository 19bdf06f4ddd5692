"""The ways by which a running hub reaches its tables: over HTTP, over a broker, or both."""

import logging
from typing import Protocol

from companion.hub import wire

_LOG = logging.getLogger(__name__)


class Push(Protocol):
    """Sends a message to a table by whatever way it is reached; one that is not reached gets it when it says hello."""

    def __call__(self, table: str, message: wire.Down, /) -> None: ...


class Part(Protocol):
    """Ends what a table has open: its credential is good no more."""

    def __call__(self, table: str, /) -> None: ...


class Ways:
    """All of them; they are named before the hub starts."""

    def __init__(self) -> None:
        self._pushes: list[Push] = []
        self._parts: list[Part] = []

    def add(self, push: Push, part: Part | None = None) -> None:
        """Name a way."""
        self._pushes.append(push)
        if part is not None:
            self._parts.append(part)

    def push(self, table: str, message: wire.Down) -> None:
        """Send a message to a table by every way."""
        for push in self._pushes:
            try:
                push(table, message)
            except Exception:
                # One way that stumbles must not keep the message from the others.
                _LOG.exception("a message to table %s could not be sent", table)

    def part(self, table: str) -> None:
        """Part with a table that is let in no more."""
        for part in self._parts:
            part(table)
