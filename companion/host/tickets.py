"""Tickets: what a browser on this machine is opened with, in place of a link that is good for the whole evening.

The address a program is started with can be read by every user of the machine (``ps``), and browsers keep in their history even
what a page takes out of its address at once. A ticket is good once and for a short time: what is left of it there is of no use.
"""

import secrets
import threading
from collections.abc import Callable

from companion.steady import lasting

LASTS = 120.0
"""Seconds, 30..600: a browser that is started anew on a small machine takes half a minute to its first page."""
_MOST = 16


class Tickets:
    """Gives out tickets for passes and takes them once. They live in memory. Every method may be called from any thread."""

    def __init__(self, clock: Callable[[], float] = lasting) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._tokens: dict[str, tuple[str, float]] = {}

    def __repr__(self) -> str:
        return "Tickets(…)"  # never what they stand for, wherever this is printed

    def issue(self, token: str) -> str:
        """A ticket for a pass's token."""
        ticket = secrets.token_urlsafe(18)
        with self._lock:
            self._tokens = dict([*self._good().items(), (ticket, (token, self._clock() + LASTS))][-_MOST:])
        return ticket

    def token(self, ticket: str) -> str | None:
        """The token it stands for; None when it was used, ran out, or is none. It stays good: a question may come first."""
        with self._lock:
            return self._good().get(ticket, (None, 0.0))[0]

    def use(self, ticket: str) -> str | None:
        """The same, and from now on it is worth nothing."""
        with self._lock:
            self._tokens = self._good()
            return self._tokens.pop(ticket, (None, 0.0))[0]

    def _good(self) -> dict[str, tuple[str, float]]:
        now = self._clock()
        return {ticket: held for ticket, held in self._tokens.items() if held[1] > now}
