"""Fit how measures of a disc's face become log odds of its sides: ``first_side.json`` and ``which_side.json``.

    python -m companion.calibration.training.fit_sides gather FAMILY FIRST LAST    measures of copies -> rows to add
    python -m companion.calibration.training.fit_sides fit [NAME]                  rows -> both files or one, with figures

``gather`` prints rows of ``side_measures.csv``: of every disc that was found in four positions of a copy (two lights), the
family, the seed, whether its first side is up (1, 0), the measures against its first side (``first_side.FEATURES``), and those
against both, where a third picture has shown the second (``which_side.FEATURES``; empty where that was not learnt). FAMILY is
one of ``second_sides``, ``ordinary`` or ``wild``. Penalised logistic regressions are fitted on all families but ``photograph``,
which is left for judging; each family counts alike. ``which_side`` has no offset and takes every row from both sides: which
side was taught first says nothing.
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
from companion.vision.plain import first_side, which_side
from companion.vision.plain.memory import Memory
from companion.vision.plain.reader import PlainReader

ROWS = Path(__file__).with_name("side_measures.csv")
HEAD = ("family", "seed", "first", *first_side.FEATURES, *(f"{name}_apart" for name in which_side.FEATURES))
DECAY = {"first_side": 0.005, "which_side": 0.002}
"""Penalty of the squared weights of standardised measures, per row."""
POSITIONS = 4
ROUNDS = 60
DIGITS = 5


def gather(family: str, first: int, last: int) -> Iterator[list[Any]]:
    """Rows of copies with these seeds."""
    for seed in range(first, last):
        table = table_of(seed, None if family == "ordinary" else family, STEEPEST)
        try:
            reader = taught(table, third=True)
        except BadInput as error:
            print(seed, "not taught:", error, file=sys.stderr)
            continue
        for index in range(POSITIONS):
            state = table.random_state()
            picture, _ = table.shoot(state, mood=table.other_light() if index % 2 else None)
            for piece, one, both in faces(reader, Frame(picture, 0, "made"), state):
                shows = int(state["characters"][piece]["side"] == "suspect")
                yield [family, seed, shows, *(round(float(v), DIGITS) for v in one), *(round(float(v), DIGITS) for v in both)]


def faces(reader: PlainReader, frame: Frame, state: dict[str, Any]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """The measures of every disc that was found where it lies, against its first side and against both (or none)."""
    try:
        memory = reader.read(frame).memory
    except BadInput:
        return
    extractor, estimator = reader._extractor, reader._judge._estimator
    found = {}  # discs as they are seen, and what else is known of their cells
    for piece, entry in state["characters"].items():
        features = memory.movable.get(entry["hex"]) if isinstance(memory, Memory) else None
        if features is not None and features.disc is not None:
            found[piece] = features.disc.faces[0], features
    light: dict[str, float] = {}
    for piece, (seen, _) in found.items():
        shown = extractor.faces[piece] if state["characters"][piece]["side"] == "suspect" else extractor.back(piece)
        if shown is not None and extractor.knows_back(piece):
            light[piece] = which_side.lighter(seen, shown)
    for piece, (seen, features) in found.items():
        portrait = float(estimator.portraits(features)[extractor.movable_ids.index(piece)][0])
        own, back = extractor.faces[piece], extractor.back(piece)
        one, both = first_side.measures(seen, own, portrait), np.empty(0)
        if back is not None and extractor.knows_back(piece):
            others = [value for name, value in light.items() if name != piece]
            common = float(np.median(others)) if len(others) >= which_side.LIT else None
            other = first_side.measures(seen, back, estimator.back_portraits(features)[piece])
            both = which_side.compared(seen, (own, back), (one, other), common)
        yield piece, one, both


def rows() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What was gathered: measures against the first side (N×F), against both (N×G, NaN where none), whether the first side is
    up (N), families (N)."""
    with ROWS.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    if tuple(head) != HEAD:
        raise ValueError(f"{ROWS.name} has the measures {head[3:]}, not {list(HEAD[3:])}")
    count, end = len(first_side.FEATURES), len(HEAD)
    none = [np.nan] * len(which_side.FEATURES)
    return (
        np.array([line[3 : 3 + count] for line in lines], np.float64),
        np.array([[float(v) for v in line[3 + count : end]] or none for line in lines], np.float64),
        np.array([line[2] == "1" for line in lines]),
        np.array([line[0] for line in lines]),
    )


def fitted_first(x: np.ndarray, first: np.ndarray, family: np.ndarray) -> dict[str, Any]:
    """The regression of one side."""
    mean, scale = x.mean(axis=0), x.std(axis=0)
    design = np.column_stack([np.ones(len(x)), (x - mean) / scale])
    weights = _regressed(design, first, DECAY["first_side"] * np.array([0.0] + [1.0] * x.shape[1]), _shares(family))
    return _told(first_side.FEATURES, mean, scale, weights[1:], weights[0])


def fitted_which(x: np.ndarray, first: np.ndarray, family: np.ndarray) -> dict[str, Any]:
    """The regression of two sides, from both sides alike."""
    scale = np.sqrt((x**2).mean(axis=0))
    design = np.clip(x / scale, -which_side.MOST, which_side.MOST)
    weights = _regressed(
        np.vstack([design, -design]),
        np.concatenate([first, ~first]),
        DECAY["which_side"] * np.ones(x.shape[1]),
        np.tile(_shares(family), 2) / 2,
    )
    return _told(which_side.FEATURES, np.zeros(x.shape[1]), scale, weights, 0.0)


def _shares(family: np.ndarray) -> np.ndarray:
    """What each row counts, so that every family counts alike and all together one."""
    names, place, count = np.unique(family, return_inverse=True, return_counts=True)
    return 1 / (count[place] * len(names))


def _regressed(design: np.ndarray, true: np.ndarray, penalty: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Penalised logistic regression by Newton's method."""
    weights = np.zeros(design.shape[1])
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        gradient = design.T @ ((p - true) * shares) + penalty * weights
        weights -= np.linalg.solve((design * (p * (1 - p) * shares)[:, None]).T @ design + np.diag(penalty), gradient)
    return weights


def _told(features: tuple[str, ...], mean: np.ndarray, scale: np.ndarray, weights: np.ndarray, offset: float) -> dict[str, Any]:
    told = {"mean": mean, "scale": scale, "weights": weights}
    return {
        "features": list(features),
        **{key: [round(float(v), DIGITS) for v in value] for key, value in told.items()},
        "offset": round(float(offset), DIGITS),
    }


def fits() -> Iterator[tuple[str, dict[str, Any], np.ndarray, np.ndarray, np.ndarray]]:
    """Both: name, fit, and the rows it is asked about (measures, whether the first side is up, families)."""
    one, both, first, family = rows()
    learnt = family != APART
    yield "first_side", fitted_first(one[learnt], first[learnt], family[learnt]), one, first, family
    known = ~np.isnan(both[:, 0])
    learnt &= known
    yield "which_side", fitted_which(both[learnt], first[learnt], family[learnt]), both[known], first[known], family[known]


def main() -> None:
    if sys.argv[1] == "gather":
        csv.writer(sys.stdout, lineterminator="\n").writerows(gather(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
        return
    for name, told, x, first, family in fits():
        if name not in (sys.argv[2:] or DECAY):
            continue
        (PLAIN / f"{name}.json").write_text(json.dumps(told) + "\n", encoding="utf-8")
        values = (x - np.array(told["mean"])) / np.array(told["scale"])
        if name == "which_side":
            values = np.clip(values, -which_side.MOST, which_side.MOST)
        scores = values @ np.array(told["weights"]) + told["offset"]
        for kind in dict.fromkeys(family):
            for side, title in ((True, "first"), (False, "second")):
                some = scores[(family == kind) & (first == side)]
                if len(some):
                    print(name, f"{kind}, {title} side up, {len(some)}:", np.round(np.percentile(some, [0, 5, 50, 95, 100]), 2))


if __name__ == "__main__":
    main()
