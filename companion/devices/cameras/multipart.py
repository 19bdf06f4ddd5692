"""Multipart streams of pictures. Every read has a time-out and a size limit, and a bad part costs one picture only."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from companion.devices.cameras.sniffing import sniffed, whole_picture
from companion.errors import DeviceError
from companion.vision.pictures.jpeg import START

_LONGEST_LINE = 8192
_MOST_HEADERS = 64

Part = tuple[Mapping[str, str], bytes]
"""A part's headers with lower-case names, and its bytes."""


class Readable(Protocol):
    """The reads the multipart reader needs."""

    def readline(self, limit: int = -1, /) -> bytes: ...
    def read1(self, size: int = -1, /) -> bytes: ...


class NoBoundary(Exception):
    """A picture stands before the first boundary, so the boundary that was declared is not the one in use; ``skipped`` is what
    was read so far."""

    def __init__(self, skipped: bytes) -> None:
        self.skipped = skipped
        super().__init__("no boundary before the first picture")


class StallGuard:
    """A stream that is given up once data comes for ``patience`` seconds without a picture among it; ``skipped`` is read again
    first."""

    def __init__(self, stream: Readable, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._patience, self._clock = stream, patience, clock
        self._again, self._seen, self._last = b"", 0, clock()

    def picture_came(self) -> None:
        """Begin to wait anew."""
        self._seen, self._last = 0, self._clock()

    def unread(self, skipped: bytes) -> None:
        """Have this read again before what follows."""
        self._again = skipped + self._again

    def readline(self, limit: int = -1, /) -> bytes:
        """As streams do. Raises DeviceError when patience is over."""
        return self._counted(self._stream.readline(limit))

    def read1(self, size: int = -1, /) -> bytes:
        """As streams do. Raises DeviceError when patience is over."""
        if self._again:
            again, self._again = self._again, b""
            return again
        return self._counted(self._stream.read1(size))

    def _counted(self, data: bytes) -> bytes:
        self._seen += len(data)
        if data and self._clock() - self._last > self._patience:
            raise DeviceError(
                f"{self._seen} bytes came in {self._patience:g} s, but no picture was found in them (looked for JPEG)"
            )
        return data


def pictures(stream: Readable, boundary: str, most_bytes: int, patience: float) -> Iterator[Part]:
    """The pictures of a multipart body, one by one, whatever its parts call themselves.

    A boundary that is declared and not used is given up at the first picture; from there on pictures are found by their own
    marks. Raises DeviceError as :func:`parts`, and when data comes but no picture for ``patience`` seconds.
    """
    patient = StallGuard(stream, patience)
    try:
        for headers, body in parts(patient, boundary, most_bytes):
            says_so = headers.get("content-type", "image/jpeg").lower().startswith("image/")
            picture = body.lstrip(b"\r\n") if says_so else whole_picture(body)
            if picture:
                patient.picture_came()
                yield headers, picture
    except NoBoundary as other:
        patient.unread(other.skipped)
        for part in sniffed(patient, most_bytes, patience):
            patient.picture_came()
            yield part


def parts(stream: Readable, boundary: str, most_bytes: int) -> Iterator[Part]:
    """The parts of a multipart body.

    Accepts what cameras really send: the boundary written with or without its two dashes, parts with or without
    Content-Length. Ends at the closing boundary. Raises DeviceError when the stream ends inside a part or a part is too large,
    NoBoundary when a picture stands before the first one.
    """
    mark = b"--" + boundary.strip('"').removeprefix("--").encode("latin-1", "replace")
    line = _first(stream, mark, most_bytes)
    while line is not None and not line.rstrip().endswith(mark + b"--"):
        headers = _headers(stream)
        length = headers.get("content-length", "")
        if length.isdecimal():
            # Given out before the next boundary is waited for: that one comes with the next picture only.
            yield headers, _exactly(stream, int(length), most_bytes)
            line = _skip_to(stream, mark, most_bytes)
        else:
            body, line = _until(stream, mark, most_bytes)
            yield headers, body


def _first(stream: Readable, mark: bytes, most_bytes: int) -> bytes | None:
    skipped = bytearray()
    while line := stream.readline(_LONGEST_LINE):
        if line.rstrip() in (mark, mark + b"--"):
            return line
        begin = max(0, len(skipped) - len(START))
        skipped += line
        if START in skipped[begin:]:
            raise NoBoundary(bytes(skipped))
        _check_skipped(len(skipped), most_bytes)
    return None


def _skip_to(stream: Readable, mark: bytes, most_bytes: int) -> bytes | None:
    skipped = 0
    while line := stream.readline(_LONGEST_LINE):
        if line.rstrip() in (mark, mark + b"--"):
            return line
        skipped += len(line)
        _check_skipped(skipped, most_bytes)
    return None


def _check_skipped(skipped: int, most_bytes: int) -> None:
    if skipped > most_bytes:
        raise DeviceError(f"no boundary in {skipped} bytes of a multipart stream")


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
        chunk = stream.read1(length - len(body))
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
