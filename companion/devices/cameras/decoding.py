"""Bytes of a camera to a picture, by the decoder that everybody uses; what a person should know about how it was read."""

from dataclasses import dataclass

import numpy as np

from companion.devices.cameras.port import CameraSettings, SourceNotice
from companion.vision.frame import Image
from companion.vision.pictures import decoding
from companion.vision.pictures.header import header_of
from companion.vision.pictures.jpeg import Damaged


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
    picture = decoding.decode(data, source, (settings or CameraSettings()).pictures)
    return Decoded(picture.image, picture.reduction, picture.original_size)


def picture_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) from the header of a whole JPEG or PNG without decoding it; None for anything else."""
    try:
        header = header_of(data)
    except Damaged:
        return None
    return header.size if header.kind in ("JPEG", "PNG") else None


def fingerprint(image: Image) -> int:
    """A number that differs when any of every fourth row's pixels differs; under a millisecond at 1080p."""
    return hash(np.ascontiguousarray(image[::4]).tobytes())
