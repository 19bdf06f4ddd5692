# ruff: noqa: PLC0415, PTH123, SIM115, PLR0915, E501 - drawing and fitting scripts: long lists of strokes and numbers
"""Fit the plain reader's scorers on made-up copies, and write ``companion/vision/plain/weights.json``.

    python -m companion.calibration.training.fit_scorers gather FROM TO FILE : pictures of copies with these seeds -> features
    python -m companion.calibration.training.fit_scorers fit NAMES TRAIN… -- HELD… : features -> weights, with figures on the held-back seeds

NAMES are the scorers to fit, joined by commas, or ``all``; the others stay as they are in the file.
Seeds below 1000 are for fitting, 1000-1999 for temperature and choosing, 2000 and up for judging only.
"""

from __future__ import annotations

import json
import pickle
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from companion import boards
from companion.calibration.training.composed import Table, flat_truths
from companion.calibration.training.shipped import WEIGHTS
from companion.vision.frame import Frame
from companion.vision.plain.evidence import FeatureExtractor
from companion.vision.plain.model import Scorer
from companion.vision.plain.prepared_image import MapCache, PreparedImage, ReferenceImage
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.surface import View
from companion.vision.plain.teach import teach
from companion.vision.plain.tile_features import COMMON, PAIR

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
SETTINGS = PlainSettings()
BEFORE = (7, 8)
"""Common and pair features of flat pieces in the first round of fitting, which a later round starts from."""
Case = tuple[Any, Any, bool]
"""Features of every hypothesis about a place (H×F; none for a quiet place), which of them are right, and whether it is quiet."""


def shots(table: Table, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, dict[str, Any], int]]:
    """Positions of one copy: most as taught, some under other light, some with an arm or things strewn about."""
    for index in range(5):
        mood = table.other_light() if index in (1, 3) and rng.uniform() < 0.7 else None
        pose = table.nudged() if index in (2, 4) and rng.uniform() < 0.5 else None
        arm, junk = index == 4 and rng.uniform() < 0.6, int(rng.integers(0, 4)) if index in (1, 3) else 0
        picture, truth = table.shoot(table.random_state(), mood=mood, pose=pose, arm=arm, junk=junk)
        yield picture, truth, junk


def gather(first: int, last: int, path: str) -> None:
    data: dict[str, list[Case]] = {"walkers": [], "gaslights": []}
    for seed in range(first, last):
        begin = time.time()
        rng = np.random.default_rng(seed + 5)
        table = Table(BOARD, PIECES, seed, size=[(1280, 720), (1600, 900), (1920, 1080)][seed % 3])
        empty, _ = table.shoot({})
        start, _ = table.shoot(dict(BOARD.start))
        lens = table.lens if rng.uniform() < 0.6 else None
        try:
            teaching = teach(
                Frame(empty, 0, "made"), Frame(start, 0, "made"), BOARD, PIECES, lens, BOARD.start, settings=SETTINGS
            )
        except Exception as error:
            print(seed, "not taught:", repr(error)[:150], flush=True)
            continue
        mm = np.array([BOARD.mm(c) for c in BOARD.cells])
        off = (
            np.linalg.norm(teaching.registration.locate(table.pose.project(mm)) - mm, axis=1).max()
            if teaching.empty.shape == empty.shape
            else -1
        )
        extractor = FeatureExtractor(BOARD, PIECES, teaching, SETTINGS)
        view = View(teaching.empty, teaching.registration)
        reference = ReferenceImage(view, BOARD, SETTINGS.surface)
        from companion.vision.plain.tracking import Tracker

        tracker = Tracker(view, BOARD, SETTINGS.track, SETTINGS.surface)
        for picture, truth, junk in shots(table, rng):
            if picture.shape != teaching.empty.shape:
                continue
            pose = tracker.follow(picture, teaching.lens, teaching.registration)
            if pose is None:
                print(seed, "board lost", flush=True)
                continue
            collect(data, extractor, PreparedImage(reference, View(picture, pose), MapCache(reference)), truth, junk)
        print(
            seed,
            f"off {off:.2f} mm, disc {teaching.disc_mm:.1f}/{2 * table.copy.radius:.1f}",
            teaching.warnings[:2],
            f"{time.time() - begin:.1f} s",
            flush=True,
        )
        pickle.dump(data, open(path, "wb"))


def collect(
    data: dict[str, list[Case]], extractor: FeatureExtractor, prepared: PreparedImage, truth: dict[str, Any], junk: int
) -> None:
    state, hidden = truth["state"], set(truth["hidden"])
    where = {entry["hex"]: (piece, entry) for piece, entry in state["characters"].items()}
    discs = {}
    for features in extractor.movable_at(prepared):
        if features.spot in hidden:
            if features.rows is not None:
                data["walkers"].append((features.rows, [1], features.quiet))
            continue
        want = "bare"
        if features.spot in where:
            piece, entry = where[features.spot]
            want = f"{piece}/{entry['side']}"
            if features.disc is not None:
                discs[features.spot] = features.disc
        if features.quiet:
            data["walkers"].append((None, want == "bare", True))
        elif features.rows is not None and want in features.names:
            data["walkers"].append((features.rows, [features.names.index(want)], False))
    truths = flat_truths(state)
    for group in extractor.flat_groups:
        for features in extractor.flats_at(prepared, group, discs=discs):
            lies = truths[group.key].get(features.spot)
            if (
                features.place is not None
                and features.place.hidden is None
                and group.key in data
                and lies
                and features.spot not in hidden
            ):
                rows, _ = extractor.tile(group.key, features.place)
                data[group.key].append((rows, [i for i, name in enumerate(features.names) if name == lies], False))


CAPACITY = {"walkers": (16, 1e-4)}
"""Hidden units and weight decay by scorer; the others, with strong features and fewer samples, are kept small."""


def widened(old: Scorer, common: tuple[int, int], pair: tuple[int, int]) -> Scorer:
    """A scorer for longer features that answers like one for shorter ones: (old, new) numbers of common and pair features.
    New features start without weight, and with scale 0 (to be taken from the data)."""
    (c, wide_c), (k, wide_k) = common, pair
    place = [0, 1, 2, 3]
    place += [4 + block * wide_c + i for block in range(4) for i in range(c)]
    place += [4 + 4 * wide_c + block * wide_k + i for block in range(2) for i in range(k)]
    width = 4 + 4 * wide_c + 2 * wide_k

    def spread(values: np.ndarray) -> np.ndarray:
        out = np.zeros((width, *values.shape[1:]))
        out[place] = values
        return out

    return Scorer(spread(old.hidden), old.bias, old.out, spread(old.skip), spread(old.mean), spread(old.scale), old.temperature)


def fit(
    train: list[Case],
    held: list[Case],
    units: int = 6,
    decay: float = 1e-3,
    rounds: int = 400,
    seed: int = 0,
    start: Scorer | None = None,
) -> tuple[Scorer, dict[str, Any]]:
    """Softmax regression over hypotheses with one hidden layer, by Adam on everything at once."""
    train = [t for t in train if not t[2] and t[1]]
    held = [t for t in held if not t[2] and t[1]]
    rng = np.random.default_rng(seed)
    count = max(len(t[0]) for t in train)
    width = train[0][0].shape[1]

    def pack(items: list[Case]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        x = np.zeros((len(items), count, width))
        want, valid = np.zeros((len(items), count)), np.zeros((len(items), count), bool)
        for i, (rows, labels, _) in enumerate(items):
            x[i, : len(rows)] = rows
            valid[i, : len(rows)] = True
            want[i, labels] = 1
        return x, want, valid

    x, want, valid = pack(train)
    flat = x[valid]
    mean, scale = np.zeros(width), np.maximum(np.sqrt((flat**2).mean(axis=0)), 1e-3)
    if start is not None:
        scale = np.where(start.scale > 0, start.scale, scale)
    x = x / scale
    p = {
        "hidden": rng.normal(0, 0.3 / np.sqrt(width) * 3, (width, units)),
        "bias": np.zeros(units),
        "out": rng.normal(0, 0.1, units),
        "skip": np.zeros(width),
    }
    if start is not None:
        p = {k: np.array(getattr(start, k)) for k in p}
    first = {k: v.copy() if start is not None else np.zeros_like(v) for k, v in p.items()}
    m = {k: np.zeros_like(v) for k, v in p.items()}
    v = {k: np.zeros_like(a) for k, a in p.items()}

    def forward(x: np.ndarray, p: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        h = np.tanh(x @ p["hidden"] + p["bias"])
        return h, h @ p["out"] + x @ p["skip"]

    batch = min(len(x), 512)
    for step in range(1, rounds * 3 + 1):
        pick = rng.integers(0, len(x), batch)
        xb, wb, vb = x[pick], want[pick], valid[pick]
        h, s = forward(xb, p)
        s = np.where(vb, s, -1e9)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        prob = e / e.sum(axis=1, keepdims=True)
        good = prob * wb
        target = good / np.maximum(good.sum(axis=1, keepdims=True), 1e-12)
        g = (prob - target) / batch * vb
        grads = {
            "skip": np.einsum("ij,ijk->k", g, xb) + decay * (p["skip"] - first["skip"]),
            "out": np.einsum("ij,ijk->k", g, h) + decay * (p["out"] - first["out"]),
        }
        gh = g[..., None] * p["out"] * (1 - h**2)
        grads["bias"] = gh.sum(axis=(0, 1))
        grads["hidden"] = np.einsum("ijk,ijl->kl", xb, gh) + decay * (p["hidden"] - first["hidden"])
        rate = (0.01 if start is None else 0.004) * min(1, step / 50) * (0.05 ** (step / (rounds * 3)))
        for k in p:
            m[k] = 0.9 * m[k] + 0.1 * grads[k]
            v[k] = 0.999 * v[k] + 0.001 * grads[k] ** 2
            p[k] -= rate * (m[k] / (1 - 0.9**step)) / (np.sqrt(v[k] / (1 - 0.999**step)) + 1e-8)
    x, want, valid = pack(held)
    _, s = forward(x / scale, p)

    def loss(t: float) -> tuple[float, np.ndarray]:
        q = np.where(valid, s / t, -1e9)
        e = np.exp(q - q.max(axis=1, keepdims=True))
        prob = e / e.sum(axis=1, keepdims=True)
        return float(-np.log(np.maximum((prob * want).sum(axis=1), 1e-12)).mean()), prob

    temperature = min(np.linspace(0.5, 3, 51).tolist(), key=lambda t: loss(t)[0])
    value, prob = loss(temperature)
    right = (prob * want).sum(axis=1)
    top = np.array([want[i, prob[i].argmax()] for i in range(len(prob))])
    sure = prob.max(axis=1) > 0.99
    report = {"train": len(train), "held": len(held), "loss": round(value, 4), "right": round(float(top.mean()), 4), "sure": round(float(sure.mean()), 4),
              "right when sure": round(float(top[sure].mean()), 5), "mean p": round(float(right.mean()), 4), "T": round(float(temperature), 2)}  # fmt: skip
    return Scorer(p["hidden"], p["bias"], p["out"], p["skip"], mean, scale, float(temperature)), report


def load(paths: list[str]) -> dict[str, list[Case]]:
    total: dict[str, list[Case]] = {}
    for path in paths:
        for name, items in pickle.load(open(path, "rb")).items():
            total.setdefault(name, []).extend(items)
    return total


def main() -> None:
    if sys.argv[1] == "gather":
        gather(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
        return
    split = sys.argv.index("--")
    train, held = load(sys.argv[3:split]), load(sys.argv[split + 1 :])
    names = list(train) if sys.argv[2] == "all" else sys.argv[2].split(",")
    target = WEIGHTS
    data = json.loads(target.read_text())
    scorers = data["scorers"]
    for name in names:
        start = Scorer.from_json(scorers[name]) if name in scorers and name not in CAPACITY else None
        if start is not None and len(start.mean) == 4 + 4 * BEFORE[0] + 2 * BEFORE[1]:
            start = widened(start, (BEFORE[0], len(COMMON)), (BEFORE[1], len(PAIR)))
        scorer, report = fit(train[name], held[name], *CAPACITY.get(name, (6, 1e-3)), start=start)
        scorers[name] = scorer.as_json()
        quiet = [t for t in train[name] if t[2] and t[0] is None]
        print(name, report, "quiet", len(quiet), "wrongly", sum(not t[1] for t in quiet), flush=True)
    data["scorers"] = scorers
    target.write_text(json.dumps(data) + "\n")


if __name__ == "__main__":
    main()
