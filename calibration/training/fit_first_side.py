"""Fit how measures of a disc's face become the log odds that it is the first side that was taught: ``first_side.json``.

    python -m companion.calibration.training.fit_first_side gather FAMILY FIRST LAST    measures of copies -> rows to add
    python -m companion.calibration.training.fit_first_side fit                         rows -> first_side.json, with figures

``gather`` prints rows of ``first_side_measures.csv``: of every disc that was found in three positions of a copy (two lights),
the family, the seed, whether its first side is up (1, 0), and the measures by ``first_side.FEATURES``. FAMILY is one of
``second_sides``, or ``wild``. A penalised logistic regression is fitted on all families but ``photograph``, which is left for
judging.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from companion.calibration.training.judge import STEEPEST, table_of, taught
from companion.calibration.training.second_sides import APART
from companion.calibration.training.shipped import PLAIN
from companion.errors import BadInput
from companion.vision.frame import Frame
from companion.vision.plain.first_side import FEATURES, measures
from companion.vision.plain.memory import Memory
from companion.vision.plain.reader import PlainReader

ROWS = Path(__file__).with_name("first_side_measures.csv")
TARGET = PLAIN / "first_side.json"
DECAY = 0.005
"""Penalty of the squared weights of standardised measures, per row."""
ROUNDS = 60
DIGITS = 5


def gather(family: str, first: int, last: int) -> Iterator[list[Any]]:
    """Rows of copies with these seeds."""
    for seed in range(first, last):
        table = table_of(seed, family, STEEPEST)
        try:
            reader = taught(table, third=False)
        except BadInput as error:
            print(seed, "not taught:", error, file=sys.stderr)
            continue
        for index in range(3):
            state = table.random_state()
            picture, _ = table.shoot(state, mood=table.other_light() if index % 2 else None)
            for piece, measured in faces(reader, Frame(picture, 0, "made"), state):
                first_side = state["characters"][piece]["side"] == "suspect"
                yield [family, seed, int(first_side), *(round(float(v), DIGITS) for v in measured)]


def faces(reader: PlainReader, frame: Frame, state: dict[str, Any]) -> Iterator[tuple[str, np.ndarray]]:
    """The measures of every disc that was found where it lies."""
    try:
        memory = reader.read(frame).memory
    except BadInput:
        return
    extractor = reader._extractor
    for piece, entry in state["characters"].items():
        features = memory.movable.get(entry["hex"]) if isinstance(memory, Memory) else None
        if features is not None and features.disc is not None:
            portrait = reader._judge._estimator.portraits(features)[extractor.movable_ids.index(piece)][0]
            yield piece, measures(features.disc.faces[0], extractor.faces[piece], float(portrait))


def rows() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What was gathered: measures (N×F), whether the first side is up (N), families (N)."""
    with ROWS.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    if tuple(head[3:]) != FEATURES:
        raise ValueError(f"{ROWS.name} has the measures {head[3:]}, not {list(FEATURES)}")
    return (
        np.array([line[3:] for line in lines], np.float64),
        np.array([line[2] == "1" for line in lines]),
        np.array([line[0] for line in lines]),
    )


def fitted(x: np.ndarray, first: np.ndarray) -> dict[str, Any]:
    """Penalised logistic regression on standardised measures, by Newton's method."""
    mean, scale = x.mean(axis=0), x.std(axis=0)
    design = np.column_stack([np.ones(len(x)), (x - mean) / scale])
    weights = np.zeros(design.shape[1])
    penalty = DECAY * len(x) * np.array([0.0] + [1.0] * x.shape[1])
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (p - first) + penalty * weights
        weights -= np.linalg.solve((design * (p * (1 - p))[:, None]).T @ design + np.diag(penalty), gradient)
    told = {"mean": mean, "scale": scale, "weights": weights[1:]}
    return {
        "features": list(FEATURES),
        **{key: [round(float(v), DIGITS) for v in value] for key, value in told.items()},
        "offset": round(float(weights[0]), DIGITS),
    }


def main() -> None:
    if sys.argv[1] == "gather":
        csv.writer(sys.stdout, lineterminator="\n").writerows(gather(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
        return
    x, first, family = rows()
    told = fitted(x[family != APART], first[family != APART])
    TARGET.write_text(json.dumps(told) + "\n", encoding="utf-8")
    scores = (x - np.array(told["mean"])) / np.array(told["scale"]) @ np.array(told["weights"]) + told["offset"]
    for name in dict.fromkeys(family):
        for side, title in ((True, "first"), (False, "second")):
            some = scores[(family == name) & (first == side)]
            print(f"{name}, {title} side up, {len(some)}: log odds", np.round(np.percentile(some, [0, 5, 50, 95, 100]), 2))


if __name__ == "__main__":
    main()
