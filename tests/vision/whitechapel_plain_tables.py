"""Unmodified copies of Letters from Whitechapel on tables: taught, shown in positions of legal games, and judged by family.

``python tests/vision/whitechapel_plain_tables.py judge FAMILY[,FAMILY] COPY[,COPY] WIDTHxHEIGHT TILT FIRST:LAST`` counts
pictures and pieces; ``... write FOLDER FAMILY COPY WIDTHxHEIGHT TILT FIRST:LAST`` writes a set for ``companion evaluate``. The
folder of photographs stands in ``WHITECHAPEL_TEXTURES`` (see ``calibration/training/whitechapel_copy.py``).
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from surfaces import Put
from whitechapel_table import BOARD, PIECES, SLOPPY_MM, put, shot, table, verdicts

from companion.calibration.training.stickers_composed import Shot, pose
from companion.calibration.training.whitechapel_copy import Copy
from companion.calibration.training.whitechapel_pawns import Light
from companion.calibration.training.whitechapel_pictures import shoot_copy, varied
from companion.games.letters_from_whitechapel.names import ID
from companion.games.letters_from_whitechapel.table import Laid, laid_of
from companion.vision.frame import Frame, Image
from companion.vision.marked.frame_stickers import registered
from companion.vision.pawns.looks import PawnTeaching
from companion.vision.pawns.reader import PawnReader
from companion.vision.plain.start import placements


def lesson_put(state: Mapping[str, Any], camera: Shot, rng: np.random.Generator) -> list[Put]:
    """The pieces of a lesson as hands lay them, in the order in which they are drawn."""
    there = pose(BOARD, camera)
    eye = (-there.rotation.T @ there.translation).ravel()[:2]
    found = sorted(
        placements(BOARD, PIECES, state),
        key=lambda one: (PIECES.groups[one.group].shape == "pawn", -float(np.hypot(*(np.array(one.mm) - eye)))),
    )
    offs, turns = rng.uniform(-SLOPPY_MM, SLOPPY_MM, (len(found), 2)), rng.uniform(0, 360, len(found))
    return [
        Put(one.piece, one.place, one.face, (float(x), float(y)), float(turn))
        for one, (x, y), turn in zip(found, offs, turns, strict=True)
    ]


def lamp(rng: np.random.Generator) -> Light:
    """A lamp from any side."""
    return Light(float(rng.uniform(0, 360)), float(rng.uniform(0.1, 0.4)), float(rng.uniform(4, 12)))


def lesson_pictures(copy: Copy, camera: Shot) -> tuple[Image, list[Image]]:
    """The picture of the empty board, with the frame stickers beside it, and one of each lesson."""
    rng = np.random.default_rng([copy.seed, 7])
    empty = shoot_copy(copy, (), varied(camera, rng), Light())
    return empty, [shoot_copy(copy, lesson_put(state, camera, rng), varied(camera, rng), lamp(rng)) for state in BOARD.lessons]


def taught(copy: Copy, camera: Shot) -> PawnReader:
    """A reader that was taught a copy by this camera."""
    empty, laid = lesson_pictures(copy, camera)
    found = registered(Frame(empty, 0.0, "made"), BOARD, PIECES, pose(BOARD, camera).lens)
    assert found is not None
    lessons = tuple(zip(laid, BOARD.lessons, strict=True))
    return PawnReader(BOARD, PIECES, PawnTeaching(BOARD.id, BOARD.edition, empty, found, lessons))


def picture(copy: Copy, camera: Shot, seed: int) -> tuple[Laid, Image]:
    """A position of a legal game, and a picture of it on a copy's table."""
    rng = np.random.default_rng([copy.seed, seed, int(camera.tilt)])
    laid, light = laid_of(table(seed)), lamp(rng)
    return laid, shoot_copy(copy, put(laid, camera, rng), varied(camera, rng), light)


def judge(copies: Sequence[Copy], camera: Shot, seeds: range) -> Counter[str]:
    """Counts over pictures: of pictures exact (nothing wrong, nothing unknown), of pieces and of bare places."""
    total: Counter[str] = Counter()
    for copy in copies:
        reader = taught(copy, camera)
        print(copy, "not learnt:", [look.key for look in reader.copy.missing], *reader.copy.doubts, sep="\n  ", flush=True)
        for seed in seeds:
            laid, image = picture(copy, camera, seed)
            start = time.process_time()
            found, lines = verdicts(reader.read(Frame(image, 1.0, "made", seed)).reading, laid)
            took = time.process_time() - start
            counts = Counter({end: sum(n for key, n in found.items() if key.endswith(end)) for end in _ENDS})
            pieces_unknown = counts[" unknown"] - counts[" bare unknown"]
            total += Counter(
                {
                    "pictures": 1, "pictures exact": int(not counts[" wrong"] and not counts[" unknown"]),
                    "pictures with every piece exact": int(not counts[" wrong"] and not pieces_unknown),
                    "exact": counts[" exact"], "wrong": counts[" wrong"], "unknown": pieces_unknown,
                    "bare unknown": counts[" bare unknown"], "milliseconds": round(1000 * took),
                }
            )  # fmt: skip
            print(f"  {seed}: {took:.1f} s", *lines, sep="\n    ", flush=True)
    return total


_ENDS = (" exact", " wrong", " unknown", " bare unknown")


def write_set(folder: Path, copy: Copy, camera: Shot, seeds: range) -> None:
    """Write a table set: the pictures it is taught by, and positions with their truth."""
    folder.mkdir(parents=True, exist_ok=True)
    empty, laid = lesson_pictures(copy, camera)
    frames: list[dict[str, Any]] = [{"file": "empty.png", "kind": "empty", "state": Laid().to_json()}]
    images = {"empty.png": empty}
    for file, image, state in zip(("start.png", "other-sides.png"), laid, BOARD.lessons, strict=True):
        images[file] = image
        frames.append({"file": file, "kind": file.removesuffix(".png"), "state": dict(state)})
    for seed in seeds:
        position, images[f"{seed:04}.png"] = picture(copy, camera, seed)
        frames.append({"file": f"{seed:04}.png", "kind": "position", "state": position.to_json()})
    for file, image in images.items():
        cv2.imwrite(str(folder / file), image)
    lens = pose(BOARD, camera).lens
    described = {
        "game": ID, "edition": BOARD.edition, "mode": "plain", "image_size": list(camera.size), "markers": None,
        "camera": {"K": lens.matrix.tolist(), "D": np.asarray(lens.distortion).reshape(-1).tolist()},
        "board_mm": list(BOARD.size_mm), "frames": frames,
    }  # fmt: skip
    (folder / "table.json").write_text(json.dumps(described, indent=1) + "\n", "utf-8")


def _camera(size: str, tilt: str) -> Shot:
    width, height = (int(side) for side in size.split("x"))
    return shot((width, height), float(tilt))


def _range(seeds: str) -> range:
    return range(*(int(seed) for seed in seeds.split(":")))


def main() -> None:
    match sys.argv[1:]:
        case ["judge", families, copies, size, tilt, seeds]:
            camera = _camera(size, tilt)
            chosen = [Copy(family, int(seed)) for family in families.split(",") for seed in copies.split(",")]
            middle = BOARD.size_mm[0] / 2, BOARD.size_mm[1] / 2
            found = judge(chosen, camera, _range(seeds))
            print(f"{size} {tilt}: {pose(BOARD, camera).pixels_per_mm(middle):.2f} px/mm", dict(found))
        case ["write", folder, family, copy, size, tilt, seeds]:
            write_set(Path(folder), Copy(family, int(copy)), _camera(size, tilt), _range(seeds))
        case _:
            print(__doc__)


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[1]))
    main()
