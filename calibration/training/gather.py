# ruff: noqa: E501, PTH123, SIM115 - drawing and fitting scripts: long lists of strokes and numbers
"""Gather what the plain reader sees on made-up copies, and weigh the networks' word by it.

    python -m companion.calibration.training.gather gather FROM TO FILE : pictures of copies with these seeds -> patches
    python -m companion.calibration.training.gather scorer GATHERED… -- HELD… : patches -> the discs' scorer, drawn towards the shipped
    one python -m companion.calibration.training.gather blend [only=NAME] GATHERED… [-- HELD…]   patches the networks were not trained on ->
    weights

Seeds from 7000 on are for these; 2000-2999 and from 900000 on are for judging only.
"""

from __future__ import annotations

import json
import pickle
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from companion import boards
from companion.calibration.training.composed import Table, flat_truths
from companion.calibration.training.fit_scorers import CAPACITY, Case, fit
from companion.calibration.training.gathered import gathered
from companion.calibration.training.shipped import WEIGHTS
from companion.calibration.training.wild import WildTable
from companion.vision.frame import Frame
from companion.vision.plain.evidence import UNDER, FeatureExtractor, headings, way_turns
from companion.vision.plain.exemplars import Teaching
from companion.vision.plain.model import (
    BLEND,
    MARK,
    NUMBER,
    Scorer,
    disc_rows,
    place_rows,
    shipped,
    softmax,
    tile_rows,
    way_rows,
)
from companion.vision.plain.nets import AROUND, HERE, Nets
from companion.vision.plain.numbers import learn_numbers
from companion.vision.plain.prepared_image import MapCache, PreparedImage, ReferenceImage
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.stacks import BRIGHTEST, CLOSE_SCALE, DISC_MM, DISC_SIDE, coded, crop, slot_colour
from companion.vision.plain.surface import View
from companion.vision.plain.teach import teach
from companion.vision.plain.tile_features import Poses
from companion.vision.plain.tiles import FlatExemplar, edge_colour, flat_shape, set_apart
from companion.vision.plain.tracking import Tracker

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
START: dict[str, Any] = dict(BOARD.start)
Entry = dict[str, Any]
"""What was cut out of one copy: its taught ``faces`` and ``lessons``, and the ``discs`` and ``flats`` of its pictures."""
Clue = tuple[int, Any, list[int]]
"""A copy's seed, the rows of all hypotheses about a place, and which of them are right."""
SETTINGS = PlainSettings()
MISLABELLED = 1 / 500
"""Part of the gathered answers that are not true."""
HEATS = (1.1, 1.2, 1.35, 1.5, 1.75, 2.0)
"""By what log-odds may be divided; a little always, for real copies are further from made-up ones than those from each
other."""
DRAWN = 1e-2
"""How strongly a scorer that is fitted again is drawn towards the one before: 40 copies are few."""
TILE = (0, 1)
"""Columns of ``BLEND`` that speak for a tile, besides its mark's."""
ONE_LABEL = 3
"""Hypotheses about a place whose pieces are all alike: bare, alien, piece."""
ASTRAY_PX = 8.0
"""A copy whose board was found this far from where it lies teaches nothing."""


def shots(table: Table, rng: np.random.Generator, count: int = 5) -> Iterator[tuple[np.ndarray, dict[str, Any]]]:
    """Positions of one copy: half as taught, half under other light, some with an arm or things strewn about."""
    for index in range(count):
        mood = table.other_light() if index % 2 and rng.uniform() < 0.7 else None
        pose = table.nudged() if index in (2, 4) and rng.uniform() < 0.5 else None
        arm, junk = index == 4 and rng.uniform() < 0.5, int(rng.integers(0, 4)) if index in (1, 3) else 0
        picture, truth = table.shoot(table.random_state(), mood=mood, pose=pose, arm=arm, junk=junk)
        yield picture, truth


def opened(seed: int, rng: np.random.Generator) -> tuple[Table, Teaching, FeatureExtractor, ReferenceImage, Tracker]:
    """A taught copy: table, examiner, sheet, tracker, teaching. Raises BadInput where the copy cannot be taught."""
    kind = Table if seed % 4 == 0 else WildTable
    table = kind(BOARD, PIECES, seed, size=[(1920, 1080), (1600, 900), (1280, 720)][seed % 3])
    empty, _ = table.shoot({})
    start, _ = table.shoot(dict(BOARD.start))
    lens = table.lens if rng.uniform() < 0.6 else None
    teaching = teach(Frame(empty, 0, "made"), Frame(start, 0, "made"), BOARD, PIECES, lens, BOARD.start, settings=SETTINGS)
    view = View(teaching.empty, teaching.registration)
    return table, teaching, FeatureExtractor(BOARD, PIECES, teaching, SETTINGS), ReferenceImage(view, BOARD, SETTINGS.surface), Tracker(view, BOARD, SETTINGS.track, SETTINGS.surface)  # fmt: skip


def gather(first: int, last: int, path: str) -> None:
    """Pictures of copies with these seeds -> one file of patches."""
    out = open(path, "ab")
    mm = np.array([BOARD.mm(cell) for cell in BOARD.cells])
    for seed in range(first, last):
        begin = time.time()
        rng = np.random.default_rng(seed + 5)
        try:
            table, teaching, extractor, reference, tracker = opened(seed, rng)
            entry = exemplars(extractor)
            scaled = teaching.empty.shape[1] / table.size[0]
            off = np.linalg.norm(teaching.registration.project(mm) / scaled - table.pose.project(mm), axis=1).max()
            if off > ASTRAY_PX:
                print(seed, f"found {off:.0f} px astray", flush=True)
                continue
        except Exception as error:  # a copy that cannot be taught teaches nothing
            print(seed, "not taught:", repr(error)[:120], flush=True)
            continue
        for picture, truth in shots(table, rng):
            if picture.shape != teaching.empty.shape:
                continue
            pose = tracker.follow(picture, teaching.lens, teaching.registration)
            if pose is not None:
                collect(entry, extractor, PreparedImage(reference, View(picture, pose), MapCache(reference)), truth, rng)
        pickle.dump((seed, entry), out)
        out.flush()
        print(seed, len(entry["discs"]), len(entry["flats"]), f"{time.time() - begin:.1f} s", flush=True)


def exemplars(extractor: FeatureExtractor) -> Entry:
    scale = SETTINGS.surface.scale
    faces = []
    for piece in extractor.movable_ids:
        exemplar = extractor.teaching.of(piece)[0]
        faces.append(crop(coded(exemplar.reflectance), exemplar.offset_mm, 0.0, DISC_SIDE, DISC_MM, scale))
    flats = {}
    for group in extractor.flat_groups:
        mine = [exemplar for exemplar in extractor.teaching.exemplars if PIECES.pieces[exemplar.piece].group == group.key]
        close: list[Any] = [patch for patch, _ in extractor.flat_closeups.get(group.key, ())] or [None] * len(mine)
        flats[group.key] = [
            (flat.label, coded(exemplar.reflectance), flat.at_mm, closeup)
            for flat, exemplar, closeup in zip(extractor.flat_exemplars[group.key], mine, close, strict=True)
        ]
    return {"faces": faces, "lessons": flats, "discs": [], "flats": []}


def collect(
    entry: Entry, extractor: FeatureExtractor, prepared: PreparedImage, truth: dict[str, Any], rng: np.random.Generator
) -> None:
    state, hidden = truth["state"], set(truth["hidden"])
    where = {e["hex"]: (piece, e) for piece, e in state["characters"].items()}
    discs, spare = {}, 6
    for features in extractor.movable_at(prepared):
        if features.quiet or features.disc is None or features.stack is None:
            continue
        label, facing = -1, None
        if features.spot in where and features.spot not in hidden:
            piece, found = where[features.spot]
            if piece not in extractor.movable_ids:
                continue
            label = extractor.movable_ids.index(piece) * 2 + PIECES.pieces[piece].faces.index(found["side"])
            discs[features.spot] = features.disc
            if PIECES.pieces[piece].facing:
                facing = list(BOARD.directions).index(found["facing"])
        elif features.spot not in hidden:
            spare -= 1
            if spare < 0:
                continue
        picture, turns = features.stack
        entry["discs"].append(
            (picture, turns.astype(np.float32), label, np.asarray(features.rows, np.float32), features.spot in hidden, facing)
        )
    truths = flat_truths(state)
    for group in extractor.flat_groups:
        for features in extractor.flats_at(prepared, group, discs=discs):
            if features.quiet or features.place is None:
                continue
            want = "alien" if features.spot in hidden else truths[group.key].get(features.spot, "bare")
            spot, poses = features.place, None
            rows = None
            if spot.hidden is None and len(set(features.names)) > ONE_LABEL and want not in ("bare", "alien"):
                rows, found = extractor.tile(group.key, spot)
                poses = found.offset_mm, found.turns
            closeup = spot.close if poses is not None else None
            entry["flats"].append((group.key, spot.seen, spot.bare, spot.hidden, poses, want, rows, closeup))


# --- how much the networks' word weighs ------------------------------------------------------------------------------------


def facing_at_start() -> str:
    """The way a piece that looks somewhere looks in the start position, in which it is taught."""
    return next(str(e["facing"]) for e in START["characters"].values() if e.get("facing"))


def marks_of(exemplars: Sequence[Any], group: str) -> tuple[list[tuple[float, float]], np.ndarray]:
    """Where on gathered taught tiles the spot lies that tells them apart (mm from their middle), and how they are turned."""
    found = laid_of(exemplars, group)
    return [exemplar.mark_mm for exemplar in found], np.array([exemplar.turn for exemplar in found])


def laid_of(exemplars: Sequence[Any], group: str) -> tuple[FlatExemplar, ...]:
    """Gathered taught tiles (label, coded patch, place, close-up) laid over one another."""
    taught = [(label, (patch.astype(np.float32) / 255) ** 2 * BRIGHTEST, at) for label, patch, at, *_ in exemplars]
    close = [closeup(exemplar) for exemplar in exemplars]
    return set_apart(taught, flat_shape(PIECES.groups[group]), SETTINGS.surface.scale, close)


def enlarged(patch: np.ndarray) -> np.ndarray:
    """A patch of a piece that was gathered without a close-up, as large as one."""
    side = round(patch.shape[0] / SETTINGS.surface.scale * CLOSE_SCALE)
    return cv2.resize(patch, (side, side), interpolation=cv2.INTER_CUBIC)


def closeup(exemplar: Sequence[Any]) -> np.ndarray:
    """A gathered exemplar's close-up."""
    return exemplar[3] if len(exemplar) > 3 and exemplar[3] is not None else enlarged(exemplar[1])


def witnessed(paths: list[str], nets: Nets, scorers: Mapping[str, Scorer]) -> dict[str, list[Clue]]:
    """Copy's seed, blend rows and the right hypotheses of every gathered clue, by scorer."""
    found: dict[str, list[Clue]] = {}
    turns_by_way = way_turns(headings(BOARD), facing_at_start())
    for seed, entry in gathered(paths):
        marks = {group: marks_of(some, group) for group, some in entry["lessons"].items() if group == "gaslights"}
        telling, numbers = {}, {}
        for group, (spots, angles) in marks.items():
            mine = entry["lessons"][group]
            every = laid_of(mine, group)
            numbers[group] = learn_numbers(nets, [(closeup(one), one[2]) for one in mine], every), every
            telling[group] = nets.telling([(closeup(one), one[2]) for one in mine], spots, angles)
        for picture, _, label, _, hidden, facing in entry["discs"]:
            if facing is not None and label >= 0 and not hidden:
                ways = nets.ways(picture, entry["faces"][label // 2], turns_by_way, label % 2)
                found.setdefault("facing", []).append((seed, way_rows(ways), [facing]))
        for picture, turns, label, rows, hidden, _ in entry["discs"]:
            if scorers["walkers"].probabilities(rows)[0] > SETTINGS.judge.doubtless:
                continue
            likeness = nets.same_face(picture, entry["faces"], turns)
            found.setdefault("walkers", []).append(
                (
                    seed,
                    disc_rows(scorers["walkers"].scores(rows), likeness),
                    [2 + label] if label >= 0 else [1] if hidden else [0],
                )
            )
        for group, seen, bare, mask, poses, want, rows, *close in entry["flats"]:
            exemplars = [(patch, at) for _, patch, at, *_ in entry["lessons"][group]]
            labels = [label for label, *_ in entry["lessons"][group]]
            name = group if mask is None else f"{group}{UNDER}"
            at = HERE if mask is None else AROUND
            place = nets.place(seen, bare, mask, slot_colour(exemplars, SETTINGS.surface.scale), at)
            below = None
            if mask is not None:
                edge = edge_colour(exemplars, flat_shape(PIECES.groups[group]), SETTINGS.surface.scale)
                below = nets.below(seen, bare, mask, [edge], at)[0]
            found.setdefault(name, []).append((seed, place_rows(place, below), [{"bare": 0, "alien": 1}.get(want, 2)]))
            if poses is not None and want in labels:
                pair = nets.same_tile(seen, poses[0], exemplars, poses[1])
                closeups = [(closeup(one), one[2]) for one in entry["lessons"][group]]
                likely = nets.same_mark(close[0] if close else enlarged(seen), poses[0], closeups, marks[group][0], poses[1])
                right = [i for i, label in enumerate(labels) if label == want]
                known, every = numbers[group]
                figures = None
                if known is not None and known.trust > 0:
                    where = Poses(poses[0], poses[1])
                    figures = known.trust * known.read(nets, close[0] if close else enlarged(seen), where, closeups, every)
                found.setdefault(f"{name} which", []).append(
                    (seed, tile_rows(scorers[group].scores(rows), pair, likely, telling[group], figures), right)
                )
    return found


def fitted(items: Sequence[Clue], decay: float = 0.3) -> np.ndarray:
    """Blend weights by penalised softmax regression, drawn towards the scorer at half its weight."""
    wide = max(len(rows) for _, rows, _ in items)
    x = np.zeros((len(items), wide, len(BLEND)))
    valid, want = np.zeros((len(items), wide), bool), np.zeros((len(items), wide))
    for i, (_, rows, right) in enumerate(items):
        x[i, : len(rows)], valid[i, : len(rows)] = rows, True
        want[i, right] = 1
    first = np.array([0.5, 0.5, 0.5, 0, 0, 0, 0.5, 0.3])

    def at(w: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        s = np.where(valid, x @ w, -1e9)
        p = np.exp(s - s.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        good = np.maximum((p * want).sum(1), 1e-12)
        t = p * want / good[:, None]
        grad = ((p - t)[..., None] * x).sum((0, 1)) + decay * (w - first)
        mean = (p[..., None] * x).sum(1)
        hess = np.einsum("nh,nhi,nhj->ij", p, x, x) - mean.T @ mean + decay * np.eye(len(w))
        return float(-np.log(good).sum() + decay / 2 * ((w - first) ** 2).sum()), grad, hess

    w, (value, grad, hess) = first.copy(), at(first)
    for _ in range(60):
        step, size = np.linalg.solve(hess, grad), 1.0
        while size > 1e-4 and (new := at(w - size * step))[0] > value:
            size /= 2
        if size <= 1e-4 or value - new[0] < 1e-6:
            break
        w, (value, grad, hess) = w - size * step, new
    return w


def told(items: Sequence[Clue], w: np.ndarray) -> dict[str, Any]:
    """How good the blended answers are."""
    loss, right, sure, sure_right = [], [], [], []
    for _, rows, want in items:
        p = softmax(rows @ w)
        loss.append(-np.log(max(p[want].sum(), 1e-12)))
        right.append(p.argmax() in want)
        sure.append(p.max() > 0.99 or p[want].sum() > 0.99)
        sure_right.append(right[-1])
    some = [r for r, s in zip(sure_right, sure, strict=True) if s]
    return {"n": len(items), "loss": round(float(np.mean(loss)), 4), "right": round(float(np.mean(right)), 4), "sure": round(float(np.mean(sure)), 4), "wrong when sure": len(some) - sum(some)}  # fmt: skip


def crossed(items: Sequence[Clue], parts: int = 5) -> list[tuple[np.ndarray, list[int]]]:
    """Log-odds of every clue by weights fitted on other copies, and the right hypotheses."""
    found = []
    for part in range(parts):
        rest = [item for item in items if item[0] % parts != part]
        w = fitted(rest)
        found += [(rows @ w, want) for seed, rows, want in items if seed % parts == part]
    return found


def tempered(items: Sequence[Clue]) -> float:
    """By what log-odds must be divided so that the probabilities of copies nobody fitted on come true.

    A few of the gathered answers are wrong themselves (a thing strewn over a place, a disc that was not found), so the loss
    of a clue is bounded by ``MISLABELLED``; and log-odds are never sharpened.
    """
    scores = crossed(items)
    found = []
    for heat in HEATS:
        told_right = [(softmax(s / heat), want) for s, want in scores]
        loss = -np.mean([np.log((1 - MISLABELLED) * p[want].sum() + MISLABELLED) for p, want in told_right])
        found.append((float(loss), heat))
        sure = [p[want].sum() >= SETTINGS.claim for p, want in told_right]
        wrong = [np.delete(p, want).max(initial=0) >= SETTINGS.claim for p, want in told_right]
        print(f"    divided by {heat}: loss {loss:.4f}, of {len(scores)} {sum(sure)} claimed rightly, {sum(wrong)} wrongly")
    return min(found)[1]


def blend(paths: list[str], held: list[str], only: str | None = None) -> None:
    target = WEIGHTS
    data = json.loads(target.read_text())
    nets, scorers = Nets(SETTINGS.surface.scale), shipped()
    train, judge = witnessed(paths, nets, scorers), witnessed(held, nets, scorers) if held else {}
    data["blends"] = data["blends"] if only else {}
    for name, items in sorted(train.items()):
        if only and name != only:
            continue
        if len(items) < 30:
            print(name, "too few:", len(items))
            continue
        w = fitted(items)
        print(name, dict(zip(BLEND, np.round(w, 3).tolist(), strict=True)))
        w = w / tempered(items)
        if name.endswith(" which"):
            mine = data["blends"][name.removesuffix(" which")]
            for column in (*TILE, MARK, NUMBER):
                mine[column] = round(float(w[column]), 4)
        else:
            data["blends"][name] = [round(float(v), 4) for v in w]
        for title, part in (("fitted", items), ("held", judge.get(name, []))):
            if part:
                print("   ", title, told(part, w), flush=True)
    target.write_text(json.dumps(data) + "\n")


def cell_features(paths: list[str]) -> list[Case]:
    """The discs' features and the right hypothesis of every gathered cell, as ``fit_scorers`` takes them."""
    return [
        (np.asarray(rows, np.float64), [2 + label] if label >= 0 else [1] if hidden else [0], False)
        for _, entry in gathered(paths)
        for _, _, label, rows, hidden, _ in entry["discs"]
    ]


def scorer(paths: list[str], held: list[str]) -> None:
    """Fit the discs' scorer again. A blend must be fitted on other copies than it was, or each half with the other's."""
    target = WEIGHTS
    data = json.loads(target.read_text())
    found, report = fit(
        cell_features(paths), cell_features(held), *CAPACITY["walkers"][:1], decay=DRAWN, start=shipped()["walkers"]
    )
    data["scorers"]["walkers"] = found.as_json()
    print(report)
    target.write_text(json.dumps(data) + "\n")


def main() -> None:
    if sys.argv[1] in ("blend", "scorer"):
        split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
        some, held = ([w for w in part if not w.startswith("only=")] for part in (sys.argv[2:split], sys.argv[split + 1 :]))
        if sys.argv[1] == "blend":
            blend(some, held, next((word[5:] for word in sys.argv if word.startswith("only=")), None))
        else:
            scorer(some, held)
        return
    if sys.argv[1] == "gather":
        gather(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])


if __name__ == "__main__":
    main()
