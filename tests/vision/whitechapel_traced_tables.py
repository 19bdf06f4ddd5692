"""Path-traced table sets of Letters from Whitechapel, in positions of legal games, as ``companion evaluate`` reads them.

    python tests/vision/whitechapel_traced_tables.py PYTHON-WITH-BPY FOLDER FAMILY SEED TILT
        [plain] [light=KIND] [wide=PIXELS] [positions=N] [without=KIND,KIND] [samples=N] [threads=N]

writes ``FOLDER/table.json`` and its pictures: the empty board (for an unmodified copy also its two lessons), positions, an arm
over the last of them, a knock to the camera, and the first in another light; ``without`` leaves out kinds of them. TILT in
degrees; ``samples`` 12 unless said; see ``calibration/training/trace_tables.py`` for the lights. The folder of photographs
stands in ``WHITECHAPEL_TEXTURES``.
"""

import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

import numpy as np
from surfaces import Put
from whitechapel_plain_tables import lesson_put
from whitechapel_table import BOARD, put, shot, table

from companion.calibration.training.trace_tables import LIGHTS, trace
from companion.calibration.training.trace_whitechapel import WhitechapelSet, WhitechapelTable
from companion.games.letters_from_whitechapel.names import ID
from companion.games.letters_from_whitechapel.table import Laid, laid_of


def shown(seed: int, positions: int, marked: bool) -> list[tuple[str, str, dict[str, Any], list[Put]]]:
    """Kind, note, state and what lies there of every picture of the set with this seed."""
    rng, camera = np.random.default_rng([seed, 11]), shot((1920, 1080), 10.0)
    found = [("empty", "the bare board", Laid().to_json(), list[Put]())]
    if not marked:
        for kind, lesson in zip(("start", "other-sides"), BOARD.lessons, strict=True):
            found.append((kind, "a lesson", dict(lesson), lesson_put(lesson, camera, rng)))
    for number in range(positions):
        laid = laid_of(table(100 * seed + number))
        found.append(("position", "a position of a legal game", laid.to_json(), put(laid, camera, rng)))
    first, last = found[-positions], found[-1]
    found += [("hand", "an arm over the board", *last[2:]), ("bumped", "the camera was knocked", *last[2:])]
    return [*found, ("light", "another light", *first[2:])]


def main() -> None:
    """Describe, trace, develop."""
    python, folder, family, seed, tilt, *more = sys.argv[1:]
    said = {"samples": "12"} | dict(word.split("=") for word in more if "=" in word)
    wide, marked = int(said.get("wide", 1920)), "plain" not in more
    kind = said.get("light", LIGHTS[int(np.random.default_rng(int(seed)).integers(len(LIGHTS)))])
    described = WhitechapelTable(family, int(seed), (wide, wide * 9 // 16), float(tilt))
    made = WhitechapelSet(described, kind, marked, Path(folder))
    without = said.get("without", "").split(",")
    pictures = [one for one in shown(int(seed), int(said.get("positions", 4)), marked) if one[0] not in without]
    listed = [
        {"file": f"{number:03d}.jpg", "kind": kind_, "note": note, "state": state}
        for number, (kind_, note, state, _) in enumerate(pictures)
    ]
    trace(made, listed, [laid for *_, laid in pictures], ID, python, said)


if __name__ == "__main__":
    main()
