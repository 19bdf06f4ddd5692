"""Fit how the network's ratios of a disc's taught faces become log odds of its sides: ``first_side.json``, ``which_side.json``.

    python -m companion.calibration.training.fit_sides gather FAMILY FIRST LAST    ratios on copies -> rows to add
    python -m companion.calibration.training.fit_sides fit [NAME]                  rows -> both files or one, with figures

``gather`` prints rows of ``side_ratios.csv``: of every disc that was found in four positions of a copy (two lights), the
family, the seed, whether its first side is up (1, 0), the ratio of its first side by itself, those of both as they are held
against each other, and the log odds of the first by all that is seen of the disc (the last three empty where the second was not
learnt from the third picture). FAMILY is one
of ``second_sides``, ``ordinary`` or ``wild``. Penalised logistic regressions are fitted on all families but ``photograph``,
which is left for judging; each family counts alike. ``which_side`` has no offset: which side was taught first says nothing.
Take seeds that the network was not trained on.
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
from companion.vision.plain.logistic import FIRST, WHICH
from companion.vision.plain.memory import Memory
from companion.vision.plain.reader import PlainReader
from companion.vision.plain.upper_side import log_odds, side_measures

ROWS = Path(__file__).with_name("side_ratios.csv")
HEAD = ("family", "seed", "first", "ratio_first", "both_first", "both_second", "log_odds")
DECAY = 0.002
"""Penalty of the squared weights, per row."""
POSITIONS = 4
ROUNDS = 60
DIGITS = 4


def gather(family: str, first: int, last: int) -> Iterator[list[Any]]:
    """Rows of copies with these seeds."""
    for seed in range(first, last):
        table = table_of(seed, family, STEEPEST)
        try:
            reader = taught(table, 1)
        except BadInput as error:
            print(seed, "not taught:", error, file=sys.stderr)
            continue
        for index in range(POSITIONS):
            state = table.random_state()
            picture, _ = table.shoot(state, mood=table.other_light() if index % 2 else None)
            for piece, *ratios in ratios_of(reader, Frame(picture, 0.0, "made"), state):
                shows = int(state["characters"][piece]["side"] == "suspect")
                yield [family, seed, shows, *("" if value is None else round(value, DIGITS) for value in ratios)]


def ratios_of(
    reader: PlainReader, frame: Frame, state: dict[str, Any]
) -> Iterator[tuple[str, float, float | None, float | None, float | None]]:
    """The ratio of the first side by itself, those of both, and log odds of the first, of every disc that was found where it
    lies."""
    try:
        memory = reader.read(frame).memory
    except BadInput:
        return
    extractor, estimator, upper = reader._extractor, reader._judge._estimator, reader._judge._upper
    for piece, entry in state["characters"].items():
        features = memory.movable.get(entry["hex"]) if isinstance(memory, Memory) else None
        if features is None or features.disc is None or piece in extractor.teaching.unturned:
            continue
        both: tuple[float | None, float | None] = (None, None)
        odds = None
        if extractor.knows_back(piece):
            seen = estimator.posteriors(features)
            sides = {face: seen[f"{piece}/{face}"] for face in extractor.pieces.pieces[piece].faces}
            both, odds = upper.both_shown(piece, features), log_odds(sides)
        yield piece, estimator.shows(features, piece, 0), *both, odds


def rows() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What was gathered: the ratio of the first side, those of both and log odds of the first (N×4, NaN where the second is not
    known), whether the first side is up (N), families (N)."""
    with ROWS.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    if tuple(head) != HEAD:
        raise ValueError(f"{ROWS.name} has the columns {head}, not {list(HEAD)}")
    return (
        np.array([[float(value or "nan") for value in line[3:]] for line in lines], np.float64),
        np.array([line[2] == "1" for line in lines]),
        np.array([line[0] for line in lines]),
    )


def measures(ratios: np.ndarray, name: str) -> np.ndarray:
    """What a regression goes by (N×1 or N×2); NaN where that is not known."""
    return np.column_stack(side_measures(*ratios[:, 1:].T)) if name == WHICH else ratios[:, :1]


def fitted(ratios: np.ndarray, first: np.ndarray, family: np.ndarray, name: str) -> dict[str, Any]:
    """One regression, on the rows that tell something of it."""
    values = measures(ratios, name)
    known = ~np.isnan(values).any(axis=1)
    values, first, family = values[known], first[known], family[known]
    offset = np.full(len(values), 0.0 if name == WHICH else 1.0)
    weights = _regressed(np.column_stack([offset, values]), first, _shares(family))
    return {"weights": [round(float(one), DIGITS) for one in weights[1:]], "offset": round(float(weights[0]), DIGITS)}


def _shares(family: np.ndarray) -> np.ndarray:
    """What each row counts, so that every family counts alike and all together one."""
    names, place, count = np.unique(family, return_inverse=True, return_counts=True)
    return 1 / (count[place] * len(names))


def _regressed(design: np.ndarray, true: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Penalised logistic regression by Newton's method."""
    weights, penalty = np.zeros(design.shape[1]), np.full(design.shape[1], DECAY)
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        gradient = design.T @ ((p - true) * shares) + penalty * weights
        weights -= np.linalg.solve((design * (p * (1 - p) * shares)[:, None]).T @ design + np.diag(penalty), gradient)
    return weights


def fits() -> Iterator[tuple[str, dict[str, Any]]]:
    """Both: name and fit, without the family that is kept apart."""
    ratios, first, family = rows()
    learnt = family != APART
    for name in (FIRST, WHICH):
        yield name, fitted(ratios[learnt], first[learnt], family[learnt], name)


def main() -> None:
    if sys.argv[1] == "gather":
        csv.writer(sys.stdout, lineterminator="\n").writerows(gather(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
        return
    ratios, first, family = rows()
    for name, told in fits():
        if name not in (sys.argv[2:] or (FIRST, WHICH)):
            continue
        (PLAIN / f"{name}.json").write_text(json.dumps(told) + "\n", encoding="utf-8")
        scores = measures(ratios, name) @ told["weights"] + told["offset"]
        print(name, told)
        for kind in dict.fromkeys(family):
            for side, title in ((True, "first"), (False, "second")):
                some = scores[(family == kind) & (first == side) & ~np.isnan(scores)]
                if len(some):
                    print(name, f"{kind}, {title} side up, {len(some)}:", np.round(np.percentile(some, [0, 5, 50, 95, 100]), 2))


if __name__ == "__main__":
    main()
