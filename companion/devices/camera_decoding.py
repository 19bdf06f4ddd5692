"""Bytes to a picture, carefully: size known before decoding, torn pictures told apart, large ones read reduced."""

import struct
from dataclasses import dataclass

import cv2
import numpy as np

from companion.devices.camera_port import CameraSettings, SourceNotice
from companion.errors import BadInput
from companion.vision.frame import Image

_REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
_JPEG_START, _JPEG_END, _PNG_START, _PNG_END = b"\xff\xd8\xff", b"\xff\xd9", b"\x89PNG\r\n\x1a\n", b"IEND"
_JPEG_SCAN = b"\xff\xda"
MOST_SCANS = 64
"""A progressive JPEG has about ten; each is a walk over all of the picture, and thousands fit into a small file."""
_JPEG_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True, eq=False, slots=True)
class Decoded:
    """A picture (H×W×3 BGR) and how many times smaller than the original it was read."""

    image: Image
    reduction: int = 1
    original_size: tuple[int, int] = (0, 0)

    def notices(self, source: str) -> tuple[SourceNotice, ...]:
        """What a person should know about how it was read."""
        if self.reduction == 1:
            return ()
        width, height = self.original_size
        text = "{source}: pictures of {width}×{height} are larger than needed and are read at 1/{reduction} of their size"
        words = {"source": source, "width": width, "height": height, "reduction": self.reduction}
        return (SourceNotice("picture-reduced", text, words),)


def decode(data: bytes, source: str, settings: CameraSettings | None = None) -> Decoded:
    """Decode one encoded picture. Raises BadInput with one sentence: empty, torn, too large, or no picture at all."""
    limits = settings or CameraSettings()
    if not data:
        raise BadInput(f"{source}: empty picture (0 bytes)")
    if len(data) > limits.most_bytes:
        raise BadInput(f"{source}: picture of {len(data)} bytes, at most {limits.most_bytes} are read")
    if _torn(data):
        raise BadInput(f"{source}: torn picture: it ends after {len(data)} bytes without its end mark")
    if data.startswith(_JPEG_START) and data.count(_JPEG_SCAN) > MOST_SCANS:
        raise BadInput(f"{source}: a picture of more than {MOST_SCANS} scans is not read")
    size = picture_size(data)
    reduction = _reduction(size, source, limits) if size else 1
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[reduction])
    except cv2.error:
        image = None
    if image is None:
        raise BadInput(f"{source}: cannot be decoded as a picture ({len(data)} bytes)")
    picture = np.asarray(image, np.uint8)
    return Decoded(picture, reduction, size or (picture.shape[1], picture.shape[0]))


def picture_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) from the header of a JPEG or PNG without decoding it; None for anything else."""
    if data.startswith(_PNG_START) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if not data.startswith(_JPEG_START):
        return None
    place = 2
    while place + 9 < len(data):
        if data[place] != 0xFF:
            return None
        marker = data[place + 1]
        if marker == 0xFF:  # fill byte before a marker
            place += 1
            continue
        if marker in _JPEG_FRAME_HEADERS:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return int(width), int(height)
        if marker == 0xDA:  # picture data begins: there was no frame header
            return None
        place += 2 + int(struct.unpack(">H", data[place + 2 : place + 4])[0])
    return None


def fingerprint(image: Image) -> int:
    """A number that differs when any of every fourth row's pixels differs; under a millisecond at 1080p."""
    return hash(np.ascontiguousarray(image[::4]).tobytes())


def _torn(data: bytes) -> bool:
    """Whether the end mark is missing. Some cameras pad behind it, so it is looked for in the last kilobyte."""
    if data.startswith(_JPEG_START):
        return _JPEG_END not in data[-1024:]
    return data.startswith(_PNG_START) and _PNG_END not in data[-1024:]


def _reduction(size: tuple[int, int], source: str, limits: CameraSettings) -> int:
    width, height = size
    if not width or not height:
        raise BadInput(f"{source}: picture of {width}×{height} pixels")
    if width * height > limits.most_readable_pixels:
        megapixels = limits.most_readable_pixels // 1_000_000
        raise BadInput(f"{source}: picture of {width}×{height} pixels, at most {megapixels} megapixels are read")
    return next((r for r in (1, 2, 4) if width * height / r**2 <= limits.most_pixels), 8)
