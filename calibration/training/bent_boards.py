"""Boards that do not lie flat: how the pictures of a copy look then, and whether it is read.

    python -m companion.calibration.training.bent_boards SHAPE EMPTY_MM TAUGHT_MM READ_MM FIRST LAST [--copies KIND] [--moved]

Copies of Mr. Jack (London) are photographed without pieces while the board stands up by ``EMPTY_MM`` millimetres at most, with
them while it does by ``TAUGHT_MM``, and read while it does by ``READ_MM``: a fold settles under pieces and hands, and a board
that was put away lies otherwise the next evening. Or its halves slip along the fold, or lie apart, by as much. SHAPE is one of
SHAPES. ``--moved``: the camera was pushed in between. Two positions a copy, the second in another light. Seeds as in ``judge``.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.calibration.training.composed import Table
from companion.calibration.training.judge import BOARD, EMPTY, PIECES, STEEPEST, WILD, table_of, told
from companion.calibration.training.second_sides import ORDINARY
from companion.errors import BadInput
from companion.vision.camera import Registration
from companion.vision.frame import Frame, Image
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.table_sets.scoring import EXACT, compare

Array = NDArray[np.float64]
Shape = Callable[[Array, Array], Array]
"""Where points of a board lie (N×3: right, down and up of where they would on a flat one, 0..1 of the most), given as shares
(N each, 0..1) of its width and of its height."""


def up(height: Array) -> Array:
    """Points that stand up so high (N)."""
    return np.column_stack([np.zeros((len(height), 2)), height])


def fold_up(x: Array, y: Array) -> Array:
    """A board folded in halves, with the fold above the table."""
    return up(1 - np.abs(2 * x - 1))


def edges_up(x: Array, y: Array) -> Array:
    """The same with the outer edges above the table."""
    return up(np.abs(2 * x - 1))


def corner_up(x: Array, y: Array) -> Array:
    """A warped board, one corner of which stands up."""
    return up(np.clip((x + y - 1.2) / 0.8, 0, 1))


def quarters_up(x: Array, y: Array) -> Array:
    """A board folded in quarters: both folds stand up, the first one more."""
    return up(0.6 * (1 - np.abs(2 * x - 1)) + 0.4 * (1 - np.abs(2 * y - 1)))


def slipped(x: Array, y: Array) -> Array:
    """A board whose right half slipped along the fold."""
    return np.outer(x > 0.5, (0.0, 1.0, 0.0))


def parted(x: Array, y: Array) -> Array:
    """A board whose lower half lies a little away from the upper one."""
    return np.outer(y > 0.5, (0.0, 1.0, 0.0))


SHAPES: Mapping[str, Shape] = {
    "fold": fold_up,
    "edges": edges_up,
    "corner": corner_up,
    "quarters": quarters_up,
    "slipped": slipped,
    "parted": parted,
}
FADED_MM = 15.0
"""Beyond its edge a board that stands up has a side, which is drawn as a slope of this width."""
STEP_PX = 8
"""Of the picture, between two points of which the shift is worked out."""


def bent(image: Image, pose: Registration, board: Board, shape: Shape, lift_mm: float) -> Image:
    """The picture (H×W×3) of a flat board, as it would be if the board stood up by ``lift_mm`` at most."""
    height, width = image.shape[:2]
    across, down = np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)
    coarse = np.meshgrid(np.arange(0, width + STEP_PX, STEP_PX), np.arange(0, height + STEP_PX, STEP_PX))
    wanted = np.stack([part.ravel() for part in coarse], axis=1).astype(np.float64)
    source = wanted
    for _ in range(4):  # what is seen at a point stood elsewhere on the flat board: found by fixed-point steps
        source = wanted - _parallax(source, pose, board, shape, lift_mm)
    off = (source - wanted).astype(np.float32).reshape(*coarse[0].shape, 2)
    fine = cv2.remap(off, *np.meshgrid(across / STEP_PX, down / STEP_PX), cv2.INTER_LINEAR)
    x, y = np.meshgrid(across, down)
    return np.asarray(
        cv2.remap(image, x + fine[..., 0], y + fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _parallax(pixels: Array, pose: Registration, board: Board, shape: Shape, lift_mm: float) -> Array:
    """By how much (N×2 px) what a flat board shows at pixels (N×2) is seen elsewhere on one that stands up."""
    mm = pose.locate(pixels)
    size = np.array(board.size_mm)
    beyond = np.maximum(-mm, mm - size).max(axis=1)
    off = lift_mm * shape(*np.clip(mm / size, 0, 1).T) * np.clip(1 - beyond / FADED_MM, 0, 1)[:, None]
    return np.where(off.any(axis=1)[:, None], pose.project(mm + off[:, :2], off[:, 2]) - pose.project(mm), 0.0)


def read(table: Table, shape: Shape, lifts_mm: tuple[float, float, float], moved: bool, positions: int = 2) -> list[Any]:
    """The verdicts on all subjects of so many pictures of a copy whose board stands up by three heights: empty, taught, read.
    Raises BadInput where it cannot be taught."""

    def picture(state: Any, lift_mm: float, mood: Any = None) -> tuple[Frame, Any]:
        seen, truth = table.shoot(state, mood=mood)
        return Frame(bent(np.asarray(seen, np.uint8), table.pose, BOARD, shape, lift_mm), 0.0, "made"), truth

    lessons = zip((EMPTY, dict(BOARD.start)), lifts_mm, strict=False)
    empty, first = (picture(state, lift)[0] for state, lift in lessons)
    reader = PlainReader(BOARD, PIECES, teach(empty, first, BOARD, PIECES, table.lens, BOARD.start))
    if moved:
        table.pose = table.nudged()
    found = []
    for index in range(positions):
        seen, truth = picture(table.random_state(), lifts_mm[2], table.other_light() if index % 2 else None)
        reading = reader.read(seen).reading
        found.append(compare(truth["state"], reading.state(BOARD, PIECES), reading.unknown, PIECES))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shape", choices=SHAPES, help="how the board bends")
    parser.add_argument("empty_mm", type=float, help="by how much it stands up when it is photographed without pieces")
    parser.add_argument("taught_mm", type=float, help="when it is with them")
    parser.add_argument("read_mm", type=float, help="and when it is read")
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("last", type=int, help="the seed after the last one")
    parser.add_argument("--copies", default=ORDINARY, choices=(ORDINARY, WILD), help="what kind (%(default)s)")
    parser.add_argument("--moved", action="store_true", help="with the camera pushed in between")
    options = parser.parse_args()
    pictures = exact = 0
    counts: Counter[str] = Counter()
    for seed in range(options.first, options.last):
        table = table_of(seed, options.copies, STEEPEST)
        try:
            lifts = options.empty_mm, options.taught_mm, options.read_mm
            every = read(table, SHAPES[options.shape], lifts, options.moved)
        except BadInput as error:
            print(seed, "not taught:", error, flush=True)
            continue
        for verdicts in every:
            pictures += 1
            exact += all(v.verdict == EXACT for v in verdicts)
            counts.update(v.verdict for v in verdicts)
            for v in verdicts:
                if v.verdict != EXACT:
                    print("  ", seed, told(v))
        print(seed, f"{exact} of {pictures} exact", dict(counts), flush=True)


if __name__ == "__main__":
    main()
