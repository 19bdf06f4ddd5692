"""A hundred streams in one process of their own, so that they cost the server what they would from other machines.

Reads ``{"address", "tokens", "languages", "streams", "events"}`` from its input, says ``ready`` when all are open, and in the
end one line: ``{"late": [seconds from event to this end, …], "missed": n, "doubled": n, "unordered": n, "again": n}``. Both
ends read one monotonic clock. As a browser does, a stream that is closed from the other end comes back, after the last event it
has (``again``).
"""

import json
import selectors
import socket
import sys
import time
from typing import Any
from urllib.parse import urlsplit


class Stream:
    """One open stream: what came, and how late."""

    def __init__(self, address: str, token: str, language: str) -> None:
        self.address, self.token, self.language = address, token, language
        self.numbers: list[int] = []
        self.late: list[float] = []
        self.opened, self.times = False, 0
        self.open()

    def open(self) -> None:
        """Ask for what comes after the last event that is known."""
        url, after = urlsplit(self.address), self.numbers[-1] if self.numbers else 0
        self.socket = socket.create_connection((url.hostname or "", url.port or 0), 10)
        lines = (
            f"GET /api/events?after={after}&lang={self.language} HTTP/1.1", f"Host: {url.netloc}",
            f"Authorization: Bearer {self.token}", "", "",
        )  # fmt: skip
        self.socket.sendall("\r\n".join(lines).encode())
        self.rest, self.times = b"", self.times + 1

    def read(self) -> bool:
        """Take what has come; False when the stream is over."""
        data = self.socket.recv(1 << 18)
        now = time.monotonic()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.opened = self.opened or line.startswith(b"retry")
            if line.startswith(b"id: "):
                self.numbers.append(int(line[4:]))
            elif line.startswith(b'data: {"number":') and b'"sent":' in line:
                self.late.append(now - float(json.loads(line[6:])["data"]["params"]["sent"]))
        return bool(data)


def main() -> None:
    """Open all, read until every stream has every event or half a minute has passed without one."""
    wish: dict[str, Any] = json.loads(sys.stdin.readline())
    tokens, languages, total = wish["tokens"], wish["languages"], wish["events"]
    streams = [Stream(wish["address"], tokens[n % len(tokens)], languages[n % len(languages)]) for n in range(wish["streams"])]
    waiting = selectors.DefaultSelector()
    for stream in streams:
        waiting.register(stream.socket, selectors.EVENT_READ, stream)
    said = False
    while any(len(stream.numbers) < total for stream in streams):
        ready = waiting.select(30)
        for key, _ in ready:
            if not key.data.read():
                waiting.unregister(key.data.socket)
                key.data.socket.close()
                key.data.open()
                waiting.register(key.data.socket, selectors.EVENT_READ, key.data)
        if not said and all(stream.opened for stream in streams):
            said = True
            print("ready", flush=True)
        if not ready:
            break
    wanted = list(range(1, total + 1))
    print(
        json.dumps(
            {
                "late": [late for stream in streams for late in stream.late],
                "missed": sum(len(set(wanted) - set(stream.numbers)) for stream in streams),
                "doubled": sum(len(stream.numbers) - len(set(stream.numbers)) for stream in streams),
                "unordered": sum(stream.numbers != sorted(stream.numbers) for stream in streams),
                "again": sum(stream.times - 1 for stream in streams),
            }
        ),
        flush=True,
    )
    for stream in streams:
        stream.socket.close()


if __name__ == "__main__":
    main()
