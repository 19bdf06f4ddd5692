"""Lenses, corners and JSON that commands are given, and pictures they write: one line when that cannot be."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.boards.json_file import read_object
from companion.bounded import BOUNDS
from companion.cli.writing import keep_apart, write_file
from companion.errors import BadInput, quoted
from companion.vision.camera import Lens
from companion.vision.frame import Image
from companion.vision.table_sets.table_checks import check_lens


def corners_of(text: str) -> list[tuple[float, float]]:
    """Four points from eight numbers. Raises BadInput."""
    try:
        numbers = [float(part) for part in text.replace(",", " ").split()]
    except ValueError as error:
        raise BadInput(f"--corners {quoted(text)}: only numbers, please") from error
    if len(numbers) != 8:
        raise BadInput(f"--corners needs eight numbers (four points), got {len(numbers)}")
    return [(numbers[i], numbers[i + 1]) for i in range(0, 8, 2)]


def lens_of(path: Path, data: Mapping[str, Any]) -> Lens:
    """The lens in a file's data: as ``calibrate lens`` writes it, as a table profile keeps it, or in OpenCV's letters, as a
    table set has it. Raises BadInput."""
    try:
        camera = data.get("lens") or data.get("camera") or data
        if "matrix" in camera:
            matrix, distortion, size = camera["matrix"], camera["distortion"], camera["size"]
        else:
            matrix, distortion, size = camera["K"], camera["D"], camera.get("image_size") or data["image_size"]
        lens = Lens(
            np.asarray(matrix, np.float64).reshape(3, 3),
            np.asarray(distortion, np.float64).reshape(-1),
            (int(size[0]), int(size[1])),
        )
        check_lens(lens)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise BadInput(
            f'{path}: is not a lens of "companion calibrate lens", nor one with "K", "D" and "image_size"'
        ) from error
    return lens


def read_lens(path: Path | None) -> Lens | None:
    """The lens in a file, in any form that ``lens_of`` knows; None for none. Raises BadInput."""
    return None if path is None else lens_of(path, read_object(path, "is not a lens", BOUNDS.profile))


_PICTURES = {".jpg": ".jpg", ".jpeg": ".jpg", ".png": ".png"}


def keep_picture_apart(output: Path | None, *inputs: Path | None) -> None:
    """Raises BadInput where a picture cannot be written under this name, or over what is read."""
    if output is not None and output.suffix.lower() not in _PICTURES:
        raise BadInput(f"{output}: a name that ends in {', '.join(list(_PICTURES)[:-1])} or .png is allowed")
    keep_apart(output, *inputs)


def write_picture(path: Path, image: Image) -> None:
    """Write a picture, as JPEG or PNG by the file's name. Raises BadInput."""
    done, data = cv2.imencode(_PICTURES[path.suffix.lower()], image)
    if not done:
        raise BadInput(f"{path}: cannot be written")
    write_file(path, data.tobytes())
