"""Load picture files as frames. Effects live here: everything else in this room is given pixels."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.errors import BadInput
from companion.vision.frame import Frame

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})


def load_picture(path: Path, number: int = 0) -> Frame:
    """One picture file. Raises BadInput naming the file when it is missing, empty or no picture."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except IsADirectoryError:
        raise BadInput(f"{path}: is a folder, not a picture") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    if data.size == 0:
        raise BadInput(f"{path}: is an empty file, not a picture")
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:  # a header that promises more pixels than OpenCV accepts
        image = None
    if image is None:
        raise BadInput(f"{path}: is not a picture that can be read (JPEG, PNG, WebP, BMP or TIFF)")
    return Frame(np.asarray(image, np.uint8), 0.0, str(path), number)


def picture_paths(folder: Path) -> Iterator[Path]:
    """The picture files of a folder, in the order of their names."""
    yield from sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
