"""Spectators of a rehearsal, as a program: ``python -m companion.hub.rehearsal.spectators`` reads from its input whom to watch,
follows the streams of tables as pages do, until its input ends, and prints how late every event came.

All of them are connections of one thread to this machine's own address; nothing else is spoken to.
"""

import json
import selectors
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion import bounded

HOST = "127.0.0.1"
MOST = 400
"""Spectators of one rehearsal: a hub has streams for 500 and keeps a tenth of them."""
AGAIN_S = 0.5
"""Between two tries to watch a table, which has nothing to show before its game begins."""
AT_ONCE = 8
"""Connections that are opened in one turn of the loop: a listener's queue holds some dozens."""
MOST_FRAME = 1 << 20


@dataclass
class Spectator:
    """One stream. ``told``: each event's number, and the seconds from its date to its arrival."""

    port: int
    table: str
    token: str
    again_at: float = 0.0
    opened: float = 0.0
    """Unix seconds when the stream was answered; what happened before it is no measure of it."""
    losses: int = 0
    told: list[tuple[int, float]] = field(default_factory=list)
    _socket: socket.socket | None = None
    _waiting: bytes = b""

    def open(self) -> socket.socket:
        """Ask for the stream. Raises OSError."""
        made = socket.create_connection((HOST, self.port), timeout=10)
        request = (
            f"GET /tables/{self.table}/api/events HTTP/1.1\r\nHost: {HOST}:{self.port}\r\n"
            f"Authorization: Bearer {self.token}\r\nAccept: text/event-stream\r\n\r\n"
        )
        made.sendall(request.encode())
        self.take_over(made)
        return made

    def take_over(self, connection: socket.socket) -> None:
        """Read from a connection on which the stream was asked for."""
        connection.setblocking(False)
        self._socket, self._waiting, self.opened = connection, b"", 0.0

    def close(self, now: float) -> None:
        """Let go, and come again after a while."""
        if self._socket is not None:
            self._socket.close()
        if self.opened:
            self.losses += 1
        self._socket, self.opened, self.again_at = None, 0.0, now + AGAIN_S

    @property
    def idle(self) -> bool:
        """Whether there is no connection."""
        return self._socket is None

    def read(self) -> bool:
        """Take what has come; False when the stream ended or is none. Raises OSError."""
        assert self._socket is not None
        piece = self._socket.recv(1 << 16)
        arrived = time.time()
        if not piece or len(self._waiting) + len(piece) > MOST_FRAME:
            return False
        self._waiting += piece
        if not self.opened:
            head, end, rest = self._waiting.partition(b"\r\n\r\n")
            if not end:
                return True
            if not head.startswith(b"HTTP/1.1 200"):
                return False
            self._waiting, self.opened = rest, arrived
        *frames, self._waiting = self._waiting.split(b"\n\n")
        for frame in frames:
            self._take(frame, arrived)
        return True

    def _take(self, frame: bytes, arrived: float) -> None:
        """Note an event: ``id: NUMBER`` and ``data: JSON``, as lines, perhaps behind the length of a chunk."""
        if b"id: " not in frame or b"data: " not in frame:
            return
        number = int(frame.partition(b"id: ")[2].partition(b"\n")[0])
        told = json.loads(frame.partition(b"data: ")[2].partition(b"\n")[0])
        if told["at"] > self.opened:
            self.told.append((number, arrived - float(told["at"])))

    @property
    def missed(self) -> int:
        """Events between those that came."""
        numbers = [number for number, _ in self.told]
        return numbers[-1] - numbers[0] + 1 - len(set(numbers)) if numbers else 0


def watch(spectators: Sequence[Spectator], ends: Any) -> None:
    """Follow every stream until ``ends``, a file, comes to its end."""
    with selectors.DefaultSelector() as selector:
        selector.register(ends, selectors.EVENT_READ)
        while True:
            for one in _due(spectators):
                try:
                    selector.register(one.open(), selectors.EVENT_READ, one)
                except OSError:
                    one.close(time.monotonic())
            for key, _ in selector.select(0.1):
                if key.data is None:
                    return
                try:
                    goes_on = key.data.read()
                except OSError:
                    goes_on = False
                if not goes_on:
                    selector.unregister(key.fileobj)
                    key.data.close(time.monotonic())


def _due(spectators: Sequence[Spectator]) -> Iterator[Spectator]:
    now, left = time.monotonic(), AT_ONCE
    for one in spectators:
        if left and one.idle and one.again_at <= now:
            left -= 1
            yield one


def main() -> int:
    """Watches what the first line of its input says: ``port``, and ``watch`` with a table and a spectator's token each."""
    told = bounded.parsed(sys.stdin.buffer.readline())
    spectators = [Spectator(told["port"], table, token) for table, token in told["watch"][:MOST]]
    watch(spectators, sys.stdin.buffer)
    json.dump(
        {
            "delays": [round(delay, 5) for one in spectators for _, delay in one.told],
            "missed": sum(one.missed for one in spectators),
            "losses": sum(one.losses for one in spectators),
            "silent": sum(not one.told for one in spectators),
        },
        sys.stdout,
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
