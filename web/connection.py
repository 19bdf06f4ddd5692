"""One visitor's connection as cheroot serves it: its request is read already, and its answer must be taken at some pace."""

import errno
import io
import socket
import time
from collections.abc import Callable
from typing import Any

from cheroot.server import HTTPConnection

from companion.web.priority import Priority

SLOWEST_READER = 8 * 1024
"""Bytes a second that a visitor takes at least, or is dropped; the slowest mobile network gives twice that."""
_GONE_SECONDS = 30
"""A device that vanished without a word is noticed after so long, where the system can be told (Linux)."""


class Received(io.BytesIO):
    """A request that is there as a whole, read as cheroot reads from a connection."""

    bytes_read = 0

    def has_data(self) -> bool:
        """Never: what follows this request is not in here."""
        return False


class PacedWriter:
    """Writes to a connection, and gives up on whoever reads too slowly, however many small bites he takes.

    A leaky bucket: seconds spent waiting fill it, bytes taken empty it at ``SLOWEST_READER`` a second; at ``patience``
    seconds it is full. A stream that is silent for hours waits for nobody, so it fills nothing.
    """

    def __init__(self, sock: socket.socket, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._socket, self._patience, self._clock = sock, patience, clock
        self._waited = 0.0
        self.bytes_written = 0

    def write(self, data: bytes) -> int:
        """Send all of it. Raises ConnectionAbortedError when it is not taken."""
        left = memoryview(bytes(data))
        while left:
            began = self._clock()
            self._socket.settimeout(max(0.01, self._patience - self._waited))
            try:
                sent = self._socket.send(left)
            except TimeoutError as error:
                raise self._too_slow() from error
            self._waited = max(0.0, self._waited + self._clock() - began - sent / SLOWEST_READER)
            if self._waited >= self._patience:
                raise self._too_slow()
            left = left[sent:]
            self.bytes_written += sent
        return len(data)

    def _too_slow(self) -> ConnectionAbortedError:
        return ConnectionAbortedError(errno.ECONNABORTED, "the answer is taken too slowly")


class VisitorConnection(HTTPConnection):
    """``rank`` is whose it was last, ``rest`` what arrived behind its last request, ``unread`` whether a part of that request
    was never received, ``lent`` whether it carries a stream, which the writer ends."""

    def __init__(self, server: Any, sock: socket.socket, makefile: Any = None) -> None:
        super().__init__(server, sock, lambda *_: Received())
        self.wfile = PacedWriter(sock, server.timeout)
        self.rank, self.rest, self.unread, self.lent = Priority.STRANGER, b"", False, False
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE_SECONDS * 1000)

    def over(self) -> None:
        """The stream that it carried has ended: close it."""
        self.server.over(self)

    def ask(self, message: bytes) -> None:
        """Make a whole request the next one to be answered."""
        self.rfile = Received(message)
