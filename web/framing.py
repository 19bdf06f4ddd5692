"""Where one request ends and the next begins, decided once and strictly (RFC 9112) before anything is made of a request.

Bytes go in as they arrive; what comes out is one complete request with its body behind a ``Content-Length``, whatever way it
was sent. So whoever answers reads exactly this request: a body that nobody reads cannot be taken for the next request. The
parser is h11; what it lets pass and we do not is refused here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import h11

HEAD_BYTES = 16 * 1024
"""Largest request line with its headers."""

Headers = Sequence[tuple[bytes, bytes]]
"""Names in lower case, in the order in which they came."""

_OWN = frozenset({b"transfer-encoding", b"content-length", b"expect", b"connection"})


class MalformedRequest(Exception):
    """What arrived is no request we take; ``status`` is the answer."""

    def __init__(self, status: int, why: str) -> None:
        self.status = status
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class Head:
    """A request before its body. ``length`` is None where the body comes in chunks; ``waits``: the visitor sends the body only
    when told to go on."""

    method: bytes
    target: bytes
    version: bytes
    headers: Headers
    length: int | None
    closes: bool
    waits: bool


class Framing:
    """One request as it arrives. ``rest`` is what arrived behind the one before it."""

    def __init__(self, rest: bytes = b"") -> None:
        self._parser = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._body: list[bytes] = []
        self.head: Head | None = None
        self.received = 0
        self.complete = False
        self.begun = False
        if rest:
            self.receive(rest)

    def receive(self, data: bytes) -> None:
        """Take what arrived. Raises Unreadable; then nothing more can be made of this connection."""
        if not self.begun:
            data = data.removeprefix(b"\r\n")  # an empty line before a request is forgiven (RFC 9112, 2.2)
            self.begun = bool(data)
        if not data:
            return
        try:
            self._parser.receive_data(data)
            self._advance()
        except h11.RemoteProtocolError as error:
            raise MalformedRequest(error.error_status_hint, str(error)) from error

    @property
    def rest(self) -> bytes:
        """What arrived behind this request."""
        return bytes(self._parser.trailing_data[0])

    def message(self) -> bytes:
        """The request, its body behind a ``Content-Length``. Incomplete, it is the head with the length that was announced, and
        the connection ends with the answer."""
        if self.head is None:
            raise AssertionError("there is no request yet")
        head, body = self.head, b"".join(self._body) if self.complete else b""
        lines = [b" ".join((head.method, head.target, b"HTTP/" + head.version))]
        # An underscore would become the same name as a hyphen further on.
        lines += [name + b": " + value for name, value in head.headers if name not in _OWN and b"_" not in name]
        if head.closes or not self.complete:
            lines.append(b"Connection: close")
        if body or head.length or not self.complete:
            lines.append(b"Content-Length: %d" % (len(body) if self.complete else head.length or self.received))
        return b"\r\n".join(lines) + b"\r\n\r\n" + body

    def _advance(self) -> None:
        while not self.complete:
            event = self._parser.next_event()
            if isinstance(event, h11.Request):
                self.head = _head(event, waits=self._parser.they_are_waiting_for_100_continue)
            elif isinstance(event, h11.Data):
                self._body.append(bytes(event.data))
                self.received += len(event.data)
            elif isinstance(event, h11.EndOfMessage):
                self.complete = True
            else:
                return


def _head(request: h11.Request, *, waits: bool) -> Head:
    headers = list(request.headers)
    named = dict(headers)
    length, chunked = named.get(b"content-length"), b"transfer-encoding" in named
    if length is not None and chunked:
        raise MalformedRequest(400, "a request has a Content-Length or comes in chunks, not both")
    if chunked and request.http_version == b"1.0":
        raise MalformedRequest(400, "HTTP/1.0 has no chunks")
    return Head(
        method=request.method,
        target=request.target,
        version=request.http_version,
        headers=headers,
        length=None if chunked else int(length or 0),
        closes=b"close" in named.get(b"connection", b"").lower(),
        waits=waits,
    )
