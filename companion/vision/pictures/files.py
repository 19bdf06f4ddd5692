"""Load picture files as frames. Effects live here: everything else in this room is given pixels."""

import re
from collections.abc import Iterator
from pathlib import Path

from companion import bounded
from companion.errors import BadInput
from companion.vision.frame import Frame
from companion.vision.pictures.decoding import Picture, PictureLimits, decode
from companion.vision.pictures.header import READ, is_read, kind_of

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
WHOLE = PictureLimits(most_pixels=66_000_000, most_readable_pixels=66_000_000)
"""For pictures in which somebody points at pixels: never at a reduced size, and refused where the whole would take too much."""
_NAMED = 3
"""So many files of a kind are named when they are left out, the others are counted."""


def read_picture_file(path: Path, limits: PictureLimits | None = None) -> Picture:
    """One picture file, decoded. Raises BadInput naming the file when it is missing, empty, too large or no picture."""
    limits = limits or PictureLimits()
    try:
        data = bounded.read_bytes(path, limits.most_bytes)
    except IsADirectoryError:
        raise BadInput(f"{path}: is a folder, not a picture") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    if not data:
        raise BadInput(f"{path}: is an empty file, not a picture")
    return decode(data, str(path), limits)


def load_picture(path: Path, number: int = 0, limits: PictureLimits | None = None) -> Frame:
    """One picture file as a frame. Raises BadInput as :func:`read_picture_file` does."""
    return Frame(read_picture_file(path, limits).image, 0.0, str(path), number)


def picture_paths(folder: Path) -> Iterator[Path]:
    """The picture files of a folder in the order a person counts: ``2.jpg`` before ``10.jpg``."""
    found = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file()]
    yield from sorted(found, key=_as_counted)


def left_out(folder: Path) -> list[str]:
    """What lies in a folder and is a picture or a film by its content, but is not read as one: a sentence for each kind."""
    by_kind: dict[str, list[str]] = {}
    for path in sorted(folder.iterdir(), key=_as_counted):
        kind = None if path.suffix.lower() in SUFFIXES or path.name.startswith(".") else kind_of_file(path)
        if kind is not None:
            by_kind.setdefault(kind, []).append(path.name)
    return [f"{_some(names)}: {_why(kind)}" for kind, names in by_kind.items()]


def kind_of_file(path: Path) -> str | None:
    """What a file's first bytes say it is (see :func:`kind_of`); None for what cannot be read or is no file."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return kind_of(file.read(32))
    except OSError:
        return None


def _why(kind: str) -> str:
    if is_read(kind):
        return f"a picture of the kind {kind} whose name does not end as one; rename it"
    return f"is of the kind {kind}, which is not read as a picture; allowed are {READ}: save or send it as JPEG"


def _some(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" (+ {more})" if more > 0 else "")


def _as_counted(path: Path) -> list[tuple[bool, int, str]]:
    parts = re.split(r"(\d+)", path.name.lower())
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]
