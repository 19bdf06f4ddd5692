"""JPEGs out of a stream whose framing is unknown: found by their own marks, whatever stands between them.

For cameras and programs that name no boundary, or call their stream something else (FFmpeg's own ``mpjpeg`` server says
``application/octet-stream``).
"""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from companion.errors import DeviceError
from companion.vision.pictures.jpeg import START, Damaged, outline

_CHUNK = 65_536
_MOST_BEGINNINGS = 16  # looked at in one part: a picture and those put into it have a few
_END = b"\xff\xd9"


class Arriving(Protocol):
    """A stream that gives what has come, without waiting for more."""

    def read1(self, size: int = -1, /) -> bytes: ...


def sniffed(
    stream: Arriving, most_bytes: int, patience: float, clock: Callable[[], float] = time.monotonic
) -> Iterator[tuple[Mapping[str, str], bytes]]:
    """Each whole JPEG, with no headers; one that breaks off is left out.

    Raises DeviceError when one is larger than ``most_bytes``, when data comes but no picture for ``patience`` seconds, and when
    the stream ends inside one.
    """
    held, seen, last = bytearray(), 0, clock()
    while chunk := stream.read1(_CHUNK):
        seen += len(chunk)
        new = max(0, len(held) - 1)
        held += chunk
        if _END in held[new:]:
            for picture in _whole(held):
                last = clock()
                yield {}, picture
        if len(held) > most_bytes:
            raise DeviceError(f"a part of more than {most_bytes} bytes")
        if START not in held:
            del held[: -len(START)]
        if clock() - last > patience:
            raise DeviceError(f"{seen} bytes came in {patience:g} s, but no picture was found in them (looked for JPEG)")
    if START in held:
        raise DeviceError(f"the stream ended after {len(held)} bytes of a part")


def _whole(held: bytearray) -> Iterator[bytes]:
    """The whole pictures at the beginning of what is held, which are taken out of it."""
    while (begin := held.find(START)) >= 0:
        del held[:begin]
        end = _end(bytes(held))
        if end:
            picture = bytes(held[:end])
            del held[:end]
            yield picture
        elif (again := _resumed(bytes(held))) > 0:
            del held[:again]
        else:
            return


def whole_picture(data: bytes) -> bytes:
    """The first whole JPEG in these bytes; empty where there is none."""
    begin = data.find(START)
    for _ in range(_MOST_BEGINNINGS):
        if begin < 0:
            break
        if end := _end(data[begin:]):
            return data[begin : begin + end]
        begin = data.find(START, begin + 1)
    return b""


def _end(data: bytes) -> int:
    """Where the JPEG that begins here ends; 0 when it does not, or not yet."""
    try:
        found = outline(data)
    except Damaged:
        return 0
    return 0 if found.torn else found.end


def _resumed(data: bytes) -> int:
    """Where to go on when two whole pictures follow one that does not end: it broke off. One may be the small picture that
    cameras put into a large one. 0 for nowhere."""
    first, place = 0, data.find(START, 2)
    while place >= 0:
        if end := _end(data[place:]):
            if first:
                return first
            first, place = place, place + end
        place = data.find(START, place + 1)
    return 0
