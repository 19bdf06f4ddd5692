"""What an encoded picture says of itself before anything is decoded: its kind, its size, what decoding it takes.

Kinds are told by their first bytes, never by a file's name. A kind whose size cannot be known beforehand is not read at all:
a few bytes can unfold to gigabytes.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.vision.pictures import jpeg
from companion.vision.pictures.jpeg import IMPOSSIBLE, Damaged

READ = "JPEG, PNG, WebP, BMP and TIFF"
_MOST_CHUNKS = 65_536
"""Parts of a PNG or WebP: 64 MiB in the smallest pieces that writers make, 8 KiB, are 8192."""
_TORN = "torn picture: it ends after {} bytes without its end mark"
_ANIMATION = "holds several pictures (an animation): one picture is needed"
_MOST_TAGS = 512
"""Entries in a TIFF's directory; cameras write under a hundred."""


@dataclass(frozen=True, slots=True)
class Header:
    """``size`` (width, height) in pixels as encoded, before a turn that the file may ask for; ``kind`` as in READ.

    ``held``: how many bytes a pixel the decoder holds beside the picture it makes (0 when it goes line by line).
    ``end``: how many bytes of the data are the picture; behind them a phone may have put a film. ``torn``: how it breaks off,
    if it does; its size is known all the same.
    """

    kind: str
    size: tuple[int, int]
    held: float
    end: int
    torn: str = ""

    @property
    def by_lines(self) -> bool:
        """Whether a reduced size is decoded without the whole ever being there."""
        return self.held == 0


def kind_of(data: bytes) -> str | None:
    """What the first bytes say it is (32 are enough): one of READ, another picture, or a film; None when it is neither."""
    for beginning, kind in _BEGINNINGS.items():
        if data.startswith(beginning):
            return kind
    if data[:4] == b"RIFF":
        return {b"WEBP": "WebP", b"AVI ": "film (AVI)"}.get(data[8:12])
    if data[4:8] == b"ftyp":
        return _BRANDS.get(data[8:12], "film (MP4 or QuickTime)")
    if data[:1] == b"P" and data[1:2] in b"1234567Ff" and data[2:3].isspace():
        return "PNM"
    return None


def is_read(kind: str | None) -> bool:
    """Whether pictures of this kind are read."""
    return kind in _HEADERS


def header_of(data: bytes) -> Header:
    """The header of an encoded picture. Raises Damaged: torn, of a kind that is not read, or none at all."""
    kind = kind_of(data)
    if kind is None:
        raise Damaged(f"cannot be decoded as a picture ({len(data)} bytes)")
    if kind not in _HEADERS:
        raise Damaged(f"is of the kind {kind}, which is not read as a picture; allowed are {READ}: save or send it as JPEG")
    try:
        return _HEADERS[kind](data)
    except (struct.error, IndexError) as error:
        raise Damaged(_TORN.format(len(data))) from error


def _jpeg(data: bytes) -> Header:
    found = jpeg.outline(data)
    return Header("JPEG", found.size, 0 if found.by_lines else 2 * max(3, found.components), found.end, found.torn)


def _png(data: bytes) -> Header:
    if data[12:16] != b"IHDR":
        raise Damaged(IMPOSSIBLE)
    width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
    held = _PNG_SAMPLES.get(colour, 4) * max(depth, 8) / 8 + 4
    place = 8
    for _ in range(_MOST_CHUNKS):
        length, name = struct.unpack(">I4s", (data[place : place + 8] + b"\0" * 8)[:8])
        if name == b"acTL" and int.from_bytes(data[place + 8 : place + 12], "big") > 1:
            raise Damaged(_ANIMATION)
        place += 12 + length
        if place > len(data):
            return Header("PNG", (width, height), held, 0, _TORN.format(len(data)))
        if name == b"IEND":
            return Header("PNG", (width, height), held, place)
    raise Damaged(f"a picture of more than {_MOST_CHUNKS} parts is not read")


def _webp(data: bytes) -> Header:
    end = 8 + int.from_bytes(data[4:8], "little")
    sizes, pictures = [], 0
    for name, start, length in _riff_chunks(data, min(end, len(data))):
        body = data[start : start + min(length, 10)]
        if name == b"VP8X":
            sizes.append((1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")))
        elif name == b"ANMF":
            raise Damaged(_ANIMATION)
        elif name == b"VP8 ":
            width, height = struct.unpack("<HH", body[6:10])
            sizes.append((width & 0x3FFF, height & 0x3FFF))
            pictures += 1
        elif name == b"VP8L":
            bits = int.from_bytes(body[1:5], "little")
            sizes.append((1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)))
            pictures += 1
    if not pictures:
        raise Damaged(IMPOSSIBLE)
    return Header("WebP", _largest(sizes), 8, end, _TORN.format(len(data)) if end > len(data) else "")


def _riff_chunks(data: bytes, end: int) -> Iterator[tuple[bytes, int, int]]:
    """(name, where it begins, length) of each part."""
    place = 12
    for _ in range(_MOST_CHUNKS):
        if place + 8 > end:
            return
        name, length = struct.unpack("<4sI", data[place : place + 8])
        yield name, place + 8, length
        place += 8 + length + length % 2
    raise Damaged(f"a picture of more than {_MOST_CHUNKS} parts is not read")


def _bmp(data: bytes) -> Header:
    offset, header = struct.unpack("<10xII", data[:18])
    if header == 12:
        width, height, _, bits = struct.unpack("<HHHH", data[18:26])
        packed = 0
    elif header >= 36:
        width, height, _, bits, packed = struct.unpack("<iiHHI", data[18:34])
        height = abs(height)
    else:
        raise Damaged(IMPOSSIBLE)
    if width < 0:
        raise Damaged(IMPOSSIBLE)
    short = packed in (0, 3) and offset + (width * bits + 31) // 32 * 4 * height > len(data)
    return Header("BMP", (width, height), 3, len(data), _TORN.format(len(data)) if short else "")


def _tiff(data: bytes) -> Header:
    """The first picture of the file, which is the one that is read."""
    order = "<" if data[:2] == b"II" else ">"
    big = struct.unpack(f"{order}H", data[2:4])[0] == 43
    place = struct.unpack(f"{order}Q", data[8:16])[0] if big else struct.unpack(f"{order}I", data[4:8])[0]
    count_of, entry = ("Q", "HHQQ") if big else ("H", "HHII")
    count = struct.unpack_from(f"{order}{count_of}", data, place)[0]
    if count > _MOST_TAGS:
        raise Damaged(f"a picture of more than {_MOST_TAGS} parts is not read")
    place += struct.calcsize(f"{order}{count_of}")
    tags: dict[int, tuple[int, ...]] = {}
    for number in range(count):
        at = place + number * struct.calcsize(f"{order}{entry}")
        tag, code, values, _ = struct.unpack_from(f"{order}{entry}", data, at)
        tags.setdefault(tag, _tiff_values(data, order, big, at, code, values) if tag in _TIFF_TAGS else (0,))
    if not {_WIDTH, _HEIGHT} <= set(tags):
        raise Damaged(IMPOSSIBLE)
    size = (tags[_WIDTH][0], tags[_HEIGHT][0])
    tile = (tags.get(_TILE_WIDTH, (0,))[0], tags.get(_TILE_HEIGHT, (0,))[0])
    sample = max(*tags.get(_BITS, (1,)), 8) / 8
    # A tile is made room for whole, however little of it is picture.
    return Header("TIFF", _largest([size, tile]), tags.get(_SAMPLES, (1,))[0] * sample + 4, len(data))


def _tiff_values(data: bytes, order: str, big: bool, at: int, code: int, count: int) -> tuple[int, ...]:
    """Up to eight values of one tag, which lie in its entry or where that says."""
    letter = {1: "B", 3: "H", 4: "I", 16: "Q"}.get(code)
    if letter is None or not count:
        raise Damaged(IMPOSSIBLE)
    at += 12 if big else 8
    taken = min(count, 8)
    if count * struct.calcsize(f"{order}{letter}") > (8 if big else 4):
        at = struct.unpack_from(f"{order}{'Q' if big else 'I'}", data, at)[0]
    return struct.unpack_from(f"{order}{taken}{letter}", data, at)


def _largest(sizes: list[tuple[int, int]]) -> tuple[int, int]:
    return max(sizes, key=lambda size: size[0] * size[1])


_WIDTH, _HEIGHT, _BITS, _SAMPLES, _TILE_WIDTH, _TILE_HEIGHT = _TIFF_TAGS = (256, 257, 258, 277, 322, 323)
_PNG_SAMPLES = MappingProxyType({0: 1, 2: 3, 3: 3, 4: 2, 6: 4})
_HEADERS: Mapping[str, Callable[[bytes], Header]] = MappingProxyType(
    {"JPEG": _jpeg, "PNG": _png, "WebP": _webp, "BMP": _bmp, "TIFF": _tiff}
)
_BEGINNINGS = MappingProxyType({
    jpeg.START: "JPEG", b"\x89PNG\r\n\x1a\n": "PNG", b"BM": "BMP", b"II*\0": "TIFF", b"MM\0*": "TIFF",
    b"II+\0": "TIFF", b"MM\0+": "TIFF", b"GIF8": "GIF", b"\x76\x2f\x31\x01": "OpenEXR", b"#?RADIANCE": "Radiance HDR",
    b"#?RGBE": "Radiance HDR", b"\0\0\0\x0cjP  ": "JPEG 2000", b"\xff\x4f\xff\x51": "JPEG 2000", b"\xff\x0a": "JPEG XL",
    b"\0\0\0\x0cJXL ": "JPEG XL", b"\x59\xa6\x6a\x95": "Sun raster", b"\x1aE\xdf\xa3": "film (Matroska or WebM)",
})  # fmt: skip
_BRANDS = MappingProxyType({
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"), "HEIC"),
    **dict.fromkeys((b"avif", b"avis"), "AVIF"),
})  # fmt: skip
