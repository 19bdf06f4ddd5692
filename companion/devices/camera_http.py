"""Pictures over HTTP: a snapshot address asked again and again, or a multipart stream of pictures (MJPEG).

The multipart reader is our own so that every read has a time-out and a size limit, and a bad part costs one picture only.
"""

import base64
import time
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, InvalidURL
from itertools import chain
from typing import Protocol
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit
from zlib import crc32

from companion import steady
from companion.devices.camera_decoding import decode
from companion.devices.camera_port import CameraSettings, Shot, SourceNotice
from companion.devices.camera_sniffing import sniffed
from companion.errors import BadInput, DeviceError

_LONGEST_LINE = 8192
_MOST_HEADERS = 64
_MOST_REDIRECTIONS = 4


class Readable(Protocol):
    """The two reads the multipart reader needs."""

    def readline(self, limit: int = -1, /) -> bytes: ...
    def read(self, size: int = -1, /) -> bytes: ...


def parts(stream: Readable, boundary: str, most_bytes: int) -> Iterator[tuple[Mapping[str, str], bytes]]:
    """The parts of a multipart body: (headers with lower-case names, bytes).

    Accepts what cameras really send: the boundary written with or without its two dashes, parts with or without
    Content-Length. Ends at the closing boundary. Raises DeviceError when the stream ends inside a part or a part is too large.
    """
    mark = b"--" + boundary.strip('"').removeprefix("--").encode("latin-1", "replace")
    line = _skip_to(stream, mark, most_bytes)
    while line is not None and not line.rstrip().endswith(mark + b"--"):
        headers = _headers(stream)
        length = headers.get("content-length", "")
        if length.isdigit():
            # Given out before the next boundary is waited for: that one comes with the next picture only.
            yield headers, _exactly(stream, int(length), most_bytes)
            line = _skip_to(stream, mark, most_bytes)
        else:
            body, line = _until(stream, mark, most_bytes)
            yield headers, body


def _skip_to(stream: Readable, mark: bytes, most_bytes: int) -> bytes | None:
    skipped = 0
    while line := stream.readline(_LONGEST_LINE):
        if line.rstrip() in (mark, mark + b"--"):
            return line
        skipped += len(line)
        if skipped > most_bytes:
            raise DeviceError(f"no boundary in {skipped} bytes of a multipart stream")
    return None


def _headers(stream: Readable) -> dict[str, str]:
    headers: dict[str, str] = {}
    for _ in range(_MOST_HEADERS):
        line = stream.readline(_LONGEST_LINE)
        if not line:
            raise DeviceError("the stream ended inside a part's headers")
        if not line.strip():
            return headers
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    raise DeviceError(f"a part with more than {_MOST_HEADERS} headers")


def _exactly(stream: Readable, length: int, most_bytes: int) -> bytes:
    if length > most_bytes:
        raise DeviceError(f"a part of {length} bytes, at most {most_bytes} are read")
    body = bytearray()
    while len(body) < length:
        chunk = stream.read(length - len(body))
        if not chunk:
            raise DeviceError(f"the stream ended after {len(body)} of a part's {length} bytes")
        body += chunk
    return bytes(body)


def _until(stream: Readable, mark: bytes, most_bytes: int) -> tuple[bytes, bytes]:
    body = bytearray()
    start_of_line = True
    while line := stream.readline(_LONGEST_LINE):
        if start_of_line and line.rstrip() in (mark, mark + b"--"):
            ending = 2 if body.endswith(b"\r\n") else 1
            return bytes(body[:-ending]), line
        start_of_line = line.endswith(b"\n")
        body += line
        if len(body) > most_bytes:
            raise DeviceError(f"a part of more than {most_bytes} bytes")
    raise DeviceError(f"the stream ended after {len(body)} bytes of a part")


class ClockAlignment:
    """Puts a camera's own stamps on our clock: the quickest delivery seen so far counts as no delay.

    So the jitter of the network does not reach the capture time, while the two clocks need not agree. A jump of over
    ``tolerance`` seconds (a clock set, a camera restarted) begins afresh.
    """

    def __init__(self, tolerance: float = 2.0) -> None:
        self._tolerance = tolerance
        self._offset: float | None = None

    def aligned(self, stamp: float, arrival: float) -> float:
        """When a picture stamped ``stamp`` by the camera was taken, in seconds of the clock that gave ``arrival``."""
        offset = arrival - stamp
        if self._offset is None or offset < self._offset or offset - self._offset > self._tolerance:
            self._offset = offset
        return stamp + self._offset


class Http:
    """An ``http://`` or ``https://`` address: a multipart stream or a single picture, told apart by its content type."""

    def __init__(
        self, address: str, name: str, settings: CameraSettings | None = None, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.name, self._settings, self._sleep = name, settings or CameraSettings(), sleep
        self._address, self._authorization = _without_login(address)
        self._reply: HTTPResponse | None = None
        self._parts: Iterator[tuple[Mapping[str, str], bytes]] | None = None
        self._alignment = ClockAlignment()
        self._reduced = False

    def open(self) -> None:
        self._reply = self._ask(self._settings.open_timeout)
        headers = self._reply.headers
        kind = headers.get_content_maintype()
        if kind == "multipart":
            boundary = headers.get_param("boundary")
            if isinstance(boundary, str) and boundary.strip('"-'):
                self._parts = parts(self._reply, boundary, self._settings.most_bytes)
            else:
                self._parts = self._sniffed(f"{self.name}: sends a multipart stream without naming its boundary")
        elif kind in ("application", "video") and headers.get_content_subtype() != "json":
            self._parts = self._sniffed(f"{self.name}: the stream ended")
        elif kind != "image":
            self.close()
            found = headers.get_content_type()
            raise DeviceError(f"{self.name}: sends {found}, not a picture (image/…) or a stream of them (multipart/…)")

    def _sniffed(self, empty: str) -> Iterator[tuple[Mapping[str, str], bytes]]:
        """The pictures of a stream that says nothing of its framing; its first one is waited for, as it may hold none. Raises
        DeviceError, with the text ``empty`` for a stream without a byte of a picture."""
        assert self._reply is not None
        found = sniffed(self._reply, self._settings.most_bytes, self._settings.open_timeout)
        try:
            first = next(found, None)
        except (OSError, HTTPException, DeviceError) as error:
            self.close()
            raise DeviceError(f"{self.name}: {error if isinstance(error, DeviceError) else _reason(error)}") from error
        if first is None:
            self.close()
            raise DeviceError(empty)
        return chain((first,), found)

    def read(self) -> Shot:
        try:
            headers, data = self._next_part() if self._parts is not None else self._next_snapshot()
        except (OSError, HTTPException) as error:
            raise DeviceError(f"{self.name}: {_reason(error)}") from error
        arrival = steady.stamp()
        decoded = decode(data, self.name, self._settings)
        notices: tuple[SourceNotice, ...] = () if self._reduced else decoded.notices(self.name)
        self._reduced = self._reduced or bool(notices)
        return Shot(decoded.image, self._captured_at(headers, arrival), crc32(data), notices)

    def close(self) -> None:
        self._parts = None
        if self._reply is not None:
            self._reply.close()
            self._reply = None

    def _ask(self, timeout: float) -> HTTPResponse:
        """One request, redirections followed. Spoken directly, not through a proxy: cameras are on the table's own network."""
        address = self._address
        for _ in range(_MOST_REDIRECTIONS):
            try:
                reply = self._request(address, timeout)
            except (InvalidURL, UnicodeError):  # their words would quote the address
                raise DeviceError(f"{self.name}: the address holds a sign that has to be written as %xx") from None
            except (OSError, HTTPException, ValueError) as error:
                raise DeviceError(f"{self.name}: cannot be reached within {timeout:g} s: {_reason(error)}") from error
            if reply.status == 200:
                return reply
            onward = reply.headers.get("Location")
            reply.close()
            if reply.status not in (301, 302, 303, 307, 308) or not onward:
                raise DeviceError(f"{self.name}: answers {reply.status} {reply.reason}")
            address = urljoin(address, onward)
        raise DeviceError(f"{self.name}: sends us on more than {_MOST_REDIRECTIONS} times")

    def _request(self, address: str, timeout: float) -> HTTPResponse:
        url = urlsplit(address)
        connect = {"http": HTTPConnection, "https": HTTPSConnection}.get(url.scheme)
        if connect is None or url.hostname is None:
            raise ValueError(f"{url.scheme}:// is not http:// or https://")
        connection = connect(url.hostname, url.port, timeout=timeout)
        try:
            connection.connect()
            line = connection.sock
            headers = {"User-Agent": "table-witness", "Accept": "image/*, multipart/*", "Connection": "close"}
            if self._authorization and url.netloc == urlsplit(self._address).netloc:
                headers["Authorization"] = self._authorization
            connection.request("GET", urlunsplit(("", "", url.path or "/", url.query, "")), headers=headers)
            reply: HTTPResponse = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        line.settimeout(self._settings.read_timeout)
        return reply

    def _next_part(self) -> tuple[Mapping[str, str], bytes]:
        assert self._parts is not None
        try:
            for headers, body in self._parts:
                if body and headers.get("content-type", "image/jpeg").startswith("image/"):
                    return headers, body
        except DeviceError as error:
            raise DeviceError(f"{self.name}: {error}") from error
        raise DeviceError(f"{self.name}: the stream ended")

    def _next_snapshot(self) -> tuple[Mapping[str, str], bytes]:
        if self._reply is None:
            self._sleep(self._settings.snapshot_interval)
            self._reply = self._ask(self._settings.read_timeout)
        try:
            data = self._reply.read(self._settings.most_bytes + 1)
            expected = self._reply.headers.get("Content-Length", "")
        finally:
            self._reply.close()
            self._reply = None
        if expected.isdigit() and len(data) < min(int(expected), self._settings.most_bytes):
            raise BadInput(f"{self.name}: torn picture: {len(data)} of {expected} bytes came")
        return {}, data

    def _captured_at(self, headers: Mapping[str, str], arrival: float) -> float:
        try:
            stamp = float(headers["x-timestamp"])
        except (KeyError, ValueError):
            return arrival
        return self._alignment.aligned(stamp, arrival) if 0 < stamp < 1e11 else arrival


def _without_login(address: str) -> tuple[str, str | None]:
    """The address without ``user:password@``, and the header that carries them instead."""
    url = urlsplit(address)
    if url.username is None:
        return address, None
    login = f"{unquote(url.username)}:{unquote(url.password or '')}".encode()
    bare = urlunsplit((url.scheme, url.netloc.rpartition("@")[2], url.path, url.query, url.fragment))
    return bare, "Basic " + base64.b64encode(login).decode()


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    if isinstance(reason, TimeoutError):
        return "no answer in time"
    return getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
