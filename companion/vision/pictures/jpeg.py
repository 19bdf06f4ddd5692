"""The outline of a JPEG: its size, how it is coded and where it ends, found without decoding anything.

The walk from marker to marker does what libjpeg does (bytes between segments are skipped, fill bytes and markers without a
length are known), so that the size found here is the size the decoder will make room for.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

START = b"\xff\xd8\xff"
MOST_SCANS = 64
"""A progressive JPEG has about ten; each is a walk over all of the picture, and thousands fit into a small file."""
MOST_SEGMENTS = 4096
"""Pictures have a few dozen; 64 MiB of notes in the largest segments there are would be a thousand."""

_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
"""What ends coded data: no stuffed zero, no restart marker, no fill byte."""
_FILM = re.compile(rb"ftyp(?:mp4[12]|isom|iso[2-9]|qt  |avc1|M4V |3gp)")
"""How the film behind a phone's picture begins: inside one, the picture broke off before it."""
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WITH_LENGTH = _FRAME_HEADERS | {0xC4, 0xCC, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, 0xFE} | frozenset(range(0xE0, 0xF0))
_ALONE, _END, _SCAN = 0x01, 0xD9, 0xDA
_BY_LINES = (0xC0, 0xC1)
"""Baseline and extended sequential, Huffman coded: the only ones a decoder need not hold whole."""


class Damaged(ValueError):
    """What is wrong with an encoded picture, as the end of a sentence that begins with its name."""


IMPOSSIBLE = "is a damaged picture: its header says what cannot be"


@dataclass(frozen=True, slots=True)
class JpegOutline:
    """``size`` (width, height) in pixels, ``components`` of colour, ``end`` the number of bytes up to and with the end mark;
    ``by_lines``: it is decoded line by line, also at a reduced size, and never held whole; ``torn``: how it breaks off, if it
    does, as Damaged says it."""

    size: tuple[int, int]
    components: int
    by_lines: bool
    end: int
    torn: str = ""


def outline(data: bytes) -> JpegOutline:
    """The outline of a JPEG; what follows its end mark is not looked at. Raises Damaged where not even its size is known."""
    frame: tuple[int, int, int, int] | None = None
    scans = first_scan = begin = end = 0
    torn = f"torn picture: it ends after {len(data)} bytes without its end mark"
    try:
        for marker, place in _segments(data):
            if marker in _FRAME_HEADERS:
                if frame is not None or place + 8 > len(data):
                    raise Damaged(IMPOSSIBLE)
                frame = (marker, *struct.unpack(">HHB", data[place + 3 : place + 8]))
            elif marker == _SCAN:
                scans += 1
                begin = begin or place
                first_scan = first_scan or data[place + 2]
            elif marker == _END:
                end, torn = place, "" if scans else IMPOSSIBLE
    except Damaged as error:
        torn = str(error)
    if frame is None:
        raise Damaged(torn or IMPOSSIBLE)
    if not torn and (film := _FILM.search(data, begin, end)):
        torn = f"torn picture: it breaks off after {film.start() - 4} bytes and goes on with something else"
    if scans > MOST_SCANS:
        raise Damaged(f"a picture of more than {MOST_SCANS} scans is not read")
    kind, height, width, components = frame
    return JpegOutline((width, height), components, kind in _BY_LINES and first_scan == components, end, torn)


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Each marker up to the end mark, with the place behind it, where the segment's length stands. Raises Damaged."""
    place = 2
    for _ in range(MOST_SEGMENTS):
        found = _MARKER.search(data, place)
        if found is None:
            return
        marker, place = data[found.end() - 1], found.end()
        if marker == _END:
            yield marker, place
            return
        if marker == _ALONE:
            continue
        if marker not in _WITH_LENGTH:
            raise Damaged(f"torn picture: it breaks off after {found.start()} bytes and goes on with something else")
        length = int.from_bytes(data[place : place + 2], "big")
        if place + max(length, 3) > len(data):
            return
        if length < 2:
            raise Damaged(IMPOSSIBLE)
        yield marker, place
        place += length
    raise Damaged(f"a picture of more than {MOST_SEGMENTS} parts is not read")
