"""How well the finder of unmodified boards finds other printed boards in photographs of them.

``python -m companion.calibration.training.photographed_boards [WIDTH …]`` reads the folder that ``PHOTOGRAPHS_ENV`` names, with
the boards so many pixels wide (as they are where none is given). It holds one folder a print:

* ``1.png``, the bare print that is taught, ``2.png`` and so on, later photographs of the same size;
* ``H_1_2`` and so on, the homography (nine numbers) from pixels of the first to pixels of each later one;
* ``corners.txt``, the print's corners in the first picture as a person would give them (top left, top right, bottom right,
  bottom left), and ``size.txt``, its width and height in millimetres;
* ``field_of_view.txt``, the lens's horizontal angle in degrees, where it is not that of an ordinary webcam.

None are shipped. Two pictures of each print, and all in a folder ``others``, are also shown to the finder of every other one,
which must not find its own there; folders whose names are the same up to a hyphen show the same print.

What is measured is the finding alone: such a print has no cells of our games, so nothing is drawn to its lattice, and no piece
is read. The cells of a board of ours, stretched over it, only say where print counts less because pieces lie there.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, load
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Image
from companion.vision.plain.locating import pose_from_corners
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.surface import View
from companion.vision.plain.tracking import Tracker

Array = NDArray[np.float64]

PHOTOGRAPHS_ENV = "TABLE_WITNESS_PHOTOGRAPHS"
WRONG_PX = 3.0
"""Half of the points may lie so far off at most, the board being ``SAID_AT`` pixels wide; beyond that the finding is wrong."""
SAID_AT = 1000.0
"""Pixels across the board that errors are told for."""
ACROSS = 10
"""Points of the print, across and down, that errors are taken at."""
OTHERS = "others"
"""The folder of pictures that show none of the prints."""


@dataclass(frozen=True, eq=False)
class Print:
    """The photographs of one print by name, the taught one first. ``ways`` (3×3 each) lead from it to the later ones."""

    name: str
    pictures: dict[str, Image]
    ways: dict[str, Array]
    corners: Array
    size_mm: tuple[float, float]
    field_of_view_deg: float | None = None

    @property
    def taught(self) -> Image:
        """The picture that is taught."""
        return next(iter(self.pictures.values()))

    @property
    def lens(self) -> Lens:
        """The lens, as far as it is known."""
        size = self.taught.shape[1], self.taught.shape[0]
        return Lens.guess(size) if self.field_of_view_deg is None else Lens.guess(size, self.field_of_view_deg)

    @property
    def width_px(self) -> float:
        """How wide the print is in the taught picture."""
        top_left, top_right, bottom_right, bottom_left = self.corners
        return float(np.linalg.norm(top_right - top_left) + np.linalg.norm(bottom_right - bottom_left)) / 2

    def scaled(self, width_px: float) -> "Print":
        """The same photographs with the print so many pixels wide in the taught one."""
        height, width = self.taught.shape[:2]
        size = round(width * width_px / self.width_px), round(height * width_px / self.width_px)
        across, down = size[0] / width, size[1] / height
        scale = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1]])
        back = np.linalg.inv(scale)
        return replace(
            self,
            pictures={name: fitted(picture, size) for name, picture in self.pictures.items()},
            ways={name: scale @ way @ back for name, way in self.ways.items()},
            corners=np.asarray(cv2.perspectiveTransform(self.corners[:, None], scale)[:, 0], np.float64),
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """What was made of one picture. ``off_px`` (median, largest): how far off the print was found, None where it was not;
    ``at_once``: whether it would also be taken for the taught print where nothing was read before; ``shown``: whether it is."""

    picture: str
    off_px: tuple[float, float] | None
    at_once: bool
    shown: bool = True

    @property
    def wrong(self) -> bool:
        """Whether something was claimed that is not so: the worst that can be."""
        return self.off_px is not None and (not self.shown or self.off_px[0] > WRONG_PX)


def folders() -> tuple[Path, ...]:
    """The folders of prints, by name. Raises FileNotFoundError where there are none."""
    root = os.environ.get(PHOTOGRAPHS_ENV, "")
    found = tuple(sorted(path for path in Path(root).iterdir() if path.is_dir() and path.name != OTHERS)) if root else ()
    if not found:
        raise FileNotFoundError(f"{PHOTOGRAPHS_ENV} names no folder with photographs of printed boards")
    return found


def photographed(folder: Path) -> Print:
    """The photographs of a folder. Raises ValueError for a file that is none, or of another size than the first one's."""
    pictures: dict[str, Image] = {}
    for path in sorted(folder.glob("*.png"), key=lambda path: int(path.stem)):
        pictures[path.stem] = read(path)
        if pictures[path.stem].shape != pictures["1"].shape:
            raise ValueError(f"{path} is not of the size of the first picture")
    ways = {name: np.loadtxt(folder / f"H_1_{name}").reshape(3, 3) for name in pictures if name != "1"}
    across, down = np.loadtxt(folder / "size.txt").reshape(2)
    angle = folder / "field_of_view.txt"
    return Print(
        folder.name, pictures, ways, np.loadtxt(folder / "corners.txt").reshape(4, 2), (float(across), float(down)),
        float(angle.read_text(encoding="utf-8")) if angle.exists() else None,
    )  # fmt: skip


def read(path: Path) -> Image:
    """A picture. Raises ValueError for a file that is none."""
    picture = cv2.imread(str(path))
    if picture is None:
        raise ValueError(f"{path} is no picture")
    return np.asarray(picture, np.uint8)


def fitted(picture: Image, size: tuple[int, int]) -> Image:
    """A picture brought to a size (width, height)."""
    way = cv2.INTER_AREA if size[0] < picture.shape[1] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)


def stretched(size_mm: tuple[float, float]) -> Board:
    """A board of ours, its cells stretched over a print of that size to its edges."""
    return replace(load("mr-jack-london"), frame_mm=(0.0, 0.0, *size_mm), size_mm=size_mm)


def findings(taught: Print, others: Sequence[Image] = ()) -> Iterator[Finding]:
    """What is made of every later picture of a print, and of ``others``, which do not show it. The print is looked for in each
    by itself, from where it lay when it was taught."""
    board, settings, lens = stretched(taught.size_mm), PlainSettings(), taught.lens
    pose = pose_from_corners(taught.corners, board, lens)
    view = View(taught.taught, pose)

    def follow(picture: Image, last: Registration, proven: bool) -> Registration | None:
        return Tracker(view, board, settings.track, settings.surface, proven).follow(picture, lens, last)

    for name, way in taught.ways.items():
        picture = taught.pictures[name]
        found = follow(picture, pose, proven=True)
        at_once = found is not None and follow(picture, found, proven=False) is not None
        yield Finding(name, None if found is None else off_px(pose, found, way, board, taught.width_px), at_once)
    for number, other in enumerate(others):
        picture = fitted(other, lens.size)
        found = follow(picture, pose, proven=True)
        at_once = found is not None and follow(picture, found, proven=False) is not None
        yield Finding(f"other {number}", None if found is None else (np.inf, np.inf), at_once, shown=False)


def off_px(taught: Registration, found: Registration, way: Array, board: Board, width_px: float) -> tuple[float, float]:
    """How far off (median, largest; pixels of a print ``SAID_AT`` wide) points of the print are where they were found."""
    across, down = ((np.arange(ACROSS) + 0.5) / ACROSS * side for side in board.size_mm)
    mm = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    true = cv2.perspectiveTransform(taught.project(mm)[:, None], way)[:, 0]
    off = np.linalg.norm(found.project(mm) - true, axis=1) * SAID_AT / width_px
    return float(np.median(off)), float(off.max())


def summary(name: str, results: Sequence[Finding]) -> str:
    """One line on a print: how many pictures it was found in, how far off, and what else was taken for it."""
    shown, others = ([one for one in results if one.shown is shows] for shows in (True, False))
    off = np.array([one.off_px for one in shown if one.off_px is not None]).reshape(-1, 2)
    said = f"{name}: found in {len(off)} of {len(shown)}, at once in {sum(one.at_once for one in shown)}"
    if len(off):
        said += f"; off by {np.median(off[:, 0]):.2f} px, at most {off[:, 0].max():.2f}, its worst point {off[:, 1].max():.2f}"
    wrong = ", ".join(one.picture for one in shown if one.wrong)
    taken = sum(one.off_px is not None for one in others), sum(one.at_once for one in others)
    return f"{said}; wrong: {wrong or 'none'}; taken for it {taken[0]} of {len(others)} others, at once {taken[1]}"


def main(widths: Sequence[str]) -> None:
    """Print a line for every print and width, each picture that was not found well before it."""
    prints = [photographed(folder) for folder in folders()]
    unlike = [read(path) for path in sorted((folders()[0].parent / OTHERS).glob("*.png"))]
    for taught in prints:
        others = unlike + [
            picture
            for other in prints
            if other.name.split("-")[0] != taught.name.split("-")[0]
            for picture in list(other.pictures.values())[:2]
        ]
        for width in widths or ("",):
            wide = taught.scaled(float(width)) if width else taught
            results = []
            for one in findings(wide, others):
                results.append(one)
                if one.shown and (one.off_px is None or one.off_px[1] > WRONG_PX or not one.at_once):
                    off = "not found" if one.off_px is None else f"off by {one.off_px[0]:.2f}, at most {one.off_px[1]:.2f} px"
                    print(f"  {wide.name} {one.picture}: {off}{'' if one.at_once else ', not at once'}", flush=True)
            print(summary(f"{wide.name}, {wide.width_px:.0f} px wide", results), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
