"""Bytes to a picture: the one place where encoded pictures are decoded, behind one gate.

Nothing is decoded whose size is not known beforehand, whose end is missing, or that would take more memory than is given to
one picture (:class:`PictureLimits`).
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.errors import BadInput
from companion.vision.frame import Image
from companion.vision.pictures import jpeg_coded
from companion.vision.pictures.header import Header, header_of
from companion.vision.pictures.jpeg import Damaged

_REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
_BGR = 3


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """What one encoded picture may be and take."""

    most_bytes: int = 64 * 2**20
    """Bytes, 1 MiB..512 MiB: the largest JPEG of a 200-megapixel phone has about 60 MiB."""
    most_pixels: int = 25_000_000
    """Pixels of the picture that comes out, 1..100 million: larger ones are read at a half, a quarter or an eighth, for they
    cost seconds and show no more of the board."""
    most_readable_pixels: int = 200_000_000
    """Pixels of the encoded picture, 1..500 million: what the largest phones take."""
    most_memory: int = 400_000_000
    """Bytes that decoding may take, 100..1000 million, where the whole picture has to be held: a PNG of 36 megapixels with
    transparency, a progressive JPEG of 44. An ordinary JPEG is decoded line by line and takes what its reduced size takes."""


@dataclass(frozen=True, eq=False, slots=True)
class Picture:
    """A picture (H×W×3 BGR), how many times smaller than the encoded one it was read, and that one's (width, height)."""

    image: Image
    reduction: int
    original_size: tuple[int, int]


def decode(data: bytes, source: str, limits: PictureLimits | None = None) -> Picture:
    """Decode one encoded picture. Raises BadInput, one sentence that begins with ``source``: empty, torn, too large, of a kind
    that is not read, or no picture at all."""
    limits = limits or PictureLimits()
    header = checked(data, source, limits)
    reduction = next((r for r in (1, 2, 4) if header.size[0] * header.size[1] / r**2 <= limits.most_pixels), 8)
    try:
        image = _decoded(data, header, reduction)
    except Damaged as error:
        raise BadInput(f"{source}: {error}") from error
    except (cv2.error, MemoryError):
        image = None
    if image is None or not _as_told(image.shape[:2], header.size, reduction):
        raise BadInput(f"{source}: cannot be decoded as a picture ({len(data)} bytes)")
    return Picture(np.asarray(image, np.uint8), reduction, header.size)


def _decoded(data: bytes, header: Header, reduction: int) -> Image | None:
    """The picture behind the gate. Raises Damaged for a JPEG that lacks bytes, which OpenCV would fill up in silence."""
    if header.kind == "JPEG":
        coded = memoryview(data)[: header.end]
        if reduction > 1:
            jpeg_coded.check(coded)
        elif (image := jpeg_coded.decoded(coded)) is not None:
            return image
    found = cv2.imdecode(np.frombuffer(data, np.uint8, header.end), _REDUCED[reduction])
    return None if found is None else np.asarray(found, np.uint8)


def checked(data: bytes, source: str, limits: PictureLimits) -> Header:
    """The header of a picture that may be decoded. Raises BadInput as :func:`decode` does; decodes nothing."""
    if not data:
        raise BadInput(f"{source}: empty picture (0 bytes)")
    if len(data) > limits.most_bytes:
        raise BadInput(f"{source}: picture of {len(data)} bytes, at most {limits.most_bytes} are read")
    try:
        header = header_of(data)
    except Damaged as error:
        raise BadInput(f"{source}: {error}") from error
    width, height = header.size
    if not width or not height:
        raise BadInput(f"{source}: picture of {width}×{height} pixels")
    most = limits.most_readable_pixels
    if not header.by_lines:
        most = min(most, int(limits.most_memory / (header.held + _BGR)))
    if width * height > most:
        raise BadInput(f"{source}: picture of {width}×{height} pixels, at most {most // 1_000_000} megapixels are read")
    if header.torn:
        raise BadInput(f"{source}: {header.torn}")
    return header


def _as_told(shape: tuple[int, ...], size: tuple[int, int], reduction: int) -> bool:
    """Whether what came out has the size its header told, turned or not; a decoder may round a reduced size either way."""
    told = size[0] / reduction, size[1] / reduction
    return any(abs(shape[0] - high) <= 1 and abs(shape[1] - wide) <= 1 for wide, high in (told, told[::-1]))
