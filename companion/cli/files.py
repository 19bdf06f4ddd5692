"""Pictures, lenses and corners that commands are given, and files they write: one line when that cannot be."""

import json
from pathlib import Path

import cv2
import numpy as np

from companion.errors import BadInput
from companion.vision.camera import Lens
from companion.vision.frame import Frame, Image


def read_frame(path: Path) -> Frame:
    """A picture from a file. Raises BadInput."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if image is None:
        raise BadInput(f"{path}: is not a picture")
    return Frame(np.asarray(image, np.uint8), 0.0, str(path))


def corners_of(text: str) -> list[tuple[float, float]]:
    """Four points from eight numbers. Raises BadInput."""
    try:
        numbers = [float(part) for part in text.replace(",", " ").split()]
    except ValueError as error:
        raise BadInput(f"--corners {text!r}: only numbers, please") from error
    if len(numbers) != 8:
        raise BadInput(f"--corners needs eight numbers (four points), got {len(numbers)}")
    return [(numbers[i], numbers[i + 1]) for i in range(0, 8, 2)]


def read_lens(path: Path | None) -> Lens | None:
    """A lens as ``calibrate lens`` writes it; None for none. Raises BadInput."""
    if path is None:
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Lens(
            np.array(data["matrix"], np.float64).reshape(3, 3), np.array(data["distortion"], np.float64), tuple(data["size"])
        )
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path}: is not a lens file") from error


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file. Raises BadInput."""
    try:
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from error


def write_picture(path: Path, image: Image) -> None:
    """Write a picture, as JPEG or PNG by the file's name. Raises BadInput."""
    done, data = cv2.imencode(path.suffix if path.suffix in (".jpg", ".png") else ".png", image)
    if not done:
        raise BadInput(f"{path}: cannot be written")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from error
