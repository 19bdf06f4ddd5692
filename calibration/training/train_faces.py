# ruff: noqa: N812, PLC0415 - PyTorch's own abbreviation; what only one verb needs is loaded there
"""Train the network that tells whether a disc shows a face that was taught, whichever side it is (needs PyTorch).

    python -m companion.calibration.training.train_faces bank FILE COPIES [WORKERS]
    python -m companion.calibration.training.train_faces gather FIRST LAST FILE [WORKERS [KIND]]
    python -m companion.calibration.training.train_faces train BANK GATHERED OUT STEPS [DEVICE]
    python -m companion.calibration.training.train_faces judge WEIGHTS GATHERED…
    python -m companion.calibration.training.train_faces export WEIGHTS OUT.onnx

``bank`` draws the faces of many made-up copies; ``gather`` cuts discs out of pictures of whole ones, KIND of them all or
``KINDS`` by turns; ``judge`` tells how surely discs of other copies are told. A step takes 0.05 s on a graphics processor (the
shipped weights were trained on one, 8,600 steps in seven minutes) and four to eight on one core.

``disc`` (``train_pairs``) knows one second side, the first one in grey. This one knows no second sides: it is shown first sides
and second ones of many kinds (``Maker.SECOND``), and has to tell each from all other faces of its copy, its own other side
above all, and from faces that were not taught. Photographs are no part of it: they are left for judging. Seeds from 70,000 on
are for ``gather``.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from companion.calibration.training.gathered import gathered
from companion.calibration.training.networks import Pair, planes
from companion.calibration.training.train_pairs import DENSE, Maker, centred, fit, hardness, spoiled, to_onnx
from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, crop

SIDES = ("suspect", "innocent")
BANK_SEED = 150_000
"""First seed of the drawings' copies."""
KINDS = ("ordinary", "wild", "dimmed", "other-picture", "symbol")
"""Of gathered copies, by turns."""
POSITIONS = 6
"""Pictures of each gathered copy."""
BATCH, CHOICES, TURNS = 128, 6, 2
"""Discs at once; taught faces each is compared with, and turns of each that are tried."""
OMITTED, STRANGE = 0.2, 0.06
"""Part of the taught faces that are left out, and of the discs that are of another copy."""


# --- drawings -------------------------------------------------------------------------------------------------------------


def bank(path: str, count: int, workers: int) -> None:
    """Faces of copies (count × 8 pieces × first, in grey, another picture, a sign), as JPEG pictures in one file."""
    with ProcessPoolExecutor(workers) as pool:
        drawn = list(pool.map(_drawn, range(BANK_SEED, BANK_SEED + count), chunksize=4))
    with Path(path).open("wb") as file:
        pickle.dump((np.array([radius for radius, _ in drawn], np.float32), [face for _, some in drawn for face in some]), file)


def _drawn(seed: int) -> tuple[float, list[bytes]]:
    """Radius (mm) of one copy's discs, and their faces. Every third one has portraits, the others scribbles."""
    from companion import boards
    from companion.calibration.training.second_sides import SecondSides
    from companion.calibration.training.wild import WildCopy

    class Bare:
        """Only discs are drawn."""

        def _board(self, rng: np.random.Generator) -> np.ndarray:
            return np.zeros((4, 4, 3), np.uint8)

    class Scribbles(Bare, WildCopy):
        pass

    class Portraits(Bare, SecondSides):
        family = "ordinary"

    class Others(Bare, SecondSides):
        family = "other-picture"

    class Signs(Bare, SecondSides):
        family = "symbol"

    board, pieces = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
    scribbled = seed % 3 != 0
    own, signs = (Scribbles if scribbled else Portraits)(board, pieces, seed), Signs(board, pieces, seed)
    other = Scribbles(board, pieces, seed + BANK_SEED) if scribbled else Others(board, pieces, seed)
    pictures = []
    for piece in pieces.in_group("characters"):
        another = other.faces[piece.id, SIDES[0 if scribbled else 1]]
        for face in (own.faces[piece.id, SIDES[0]], own.faces[piece.id, SIDES[1]], another, signs.faces[piece.id, SIDES[1]]):
            done, jpeg = cv2.imencode(
                ".jpg", centred(face, 2 * own.radius, round(DISC_MM * DENSE)), [cv2.IMWRITE_JPEG_QUALITY, 93]
            )
            assert done
            pictures.append(jpeg.tobytes())
    return own.radius, pictures


def noise(count: int, side: int, device: torch.device) -> torch.Tensor:
    """Pictures (N×3×H×W, about 0..1) with the spectra of photographs: amplitudes that fall with frequency, random phases; and
    edges, where these are cut off."""
    frequency = torch.hypot(torch.fft.fftfreq(side)[:, None], torch.fft.rfftfreq(side)[None]).to(device) + 1 / side
    steep = torch.rand(count, 1, 1, 1, device=device) * 1.2 + 0.9
    shared = torch.randn(count, 1, side, side, device=device)
    own = torch.randn(count, 3, side, side, device=device) * torch.rand(count, 1, 1, 1, device=device) * 0.6
    drawn = torch.fft.irfft2(torch.fft.rfft2(shared + own) / frequency**steep, s=(side, side))
    drawn = drawn / drawn.std(dim=(1, 2, 3), keepdim=True)
    hard = torch.rand(count, 1, 1, 1, device=device)
    cut = torch.tanh(drawn * (1 + 6 * (hard - 0.5).clamp_min(0)))
    return (0.5 + 0.4 * cut).clamp(0, 1)


class Faces(Maker):
    """Pairs out of the bank, with second sides of many kinds."""

    SECOND = (("grey", 0.2), ("dimmed", 0.3), ("other", 0.15), ("sign", 0.1), ("noise", 0.2), ("paler", 0.05))
    """What second sides are, and how often."""

    def __init__(self, path: str, seed: int, device: torch.device) -> None:
        with Path(path).open("rb") as file:
            radius, pictures = pickle.load(file)
        side = round(DISC_MM * DENSE)
        every = [np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)) for jpeg in pictures]
        stacked = np.stack(every).reshape(len(radius), -1, 4, side, side, 3)
        self.bank = torch.from_numpy(stacked).permute(0, 1, 2, 5, 3, 4).contiguous().to(device)
        self.radii = torch.from_numpy(radius).to(device)
        self.rng = np.random.default_rng(seed)
        self.hard = 1.0
        self.device = device
        torch.manual_seed(seed)
        t = (torch.arange(side, device=device) - (side - 1) / 2) / DENSE
        self.far = torch.hypot(*torch.meshgrid(t, t, indexing="ij"))[None, None]

    def copies(self, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Faces (N×8×2×3×H×W, linear light) of copies, and the discs' radii (N, mm)."""
        rng, device = self.rng, self.device
        which = torch.from_numpy(rng.integers(len(self.bank), size=count)).to(device)
        four, radius = self.bank[which].float() / 255, self.radii[which]
        n, pieces = four.shape[:2]
        first = four[:, :, 0]
        flat = first.reshape(-1, *first.shape[2:])
        rim = (self.far > 0.86 * radius.repeat_interleave(pieces)[:, None, None, None]).float()
        ground = flat.mean(dim=(2, 3), keepdim=True)
        textured = noise(len(flat), flat.shape[-1], device)
        low, high = torch.rand(2, len(flat), 1, 1, 1, device=device)
        textured = (0.1 * low + textured * (0.3 + 0.6 * high)) * (0.35 + 0.65 * ground / ground.amax(dim=1, keepdim=True))
        drawn = torch.from_numpy(rng.uniform(size=n) < 0.25).to(device).repeat_interleave(pieces)[:, None, None, None]
        mixed = torch.from_numpy(rng.uniform(0.0, 1.0, n)).float().to(device).repeat_interleave(pieces)[:, None, None, None]
        mixed = (mixed * 1.5).clamp(0, 1) * (1 - rim)
        flat = torch.where(drawn, flat * (1 - mixed) + textured * mixed, flat)
        grey = flat.mean(dim=1, keepdim=True)

        def per_copy(low: float, high: float) -> torch.Tensor:
            values = torch.from_numpy(rng.uniform(low, high, n)).float().to(device)
            return values.repeat_interleave(pieces)[:, None, None, None]

        fade, dim, paler = per_copy(0.1, 0.9), per_copy(0.4, 0.8), per_copy(0.3, 0.8)
        faded = fade * grey + (1 - fade) * flat
        tint = torch.exp(0.08 * torch.randn(n, 3, 1, 1, device=device)).repeat_interleave(pieces, 0)
        again = noise(len(flat), flat.shape[-1], device) * (0.2 + 0.6 * per_copy(0, 1)) * (0.4 + 0.6 * ground)
        kinds = {
            "grey": torch.where(drawn, (0.35 + 0.6 * grey) * (1 - rim) + flat * rim, four[:, :, 1].reshape(flat.shape)),
            "dimmed": dim * faded * tint,
            "other": four[:, :, 2].reshape(flat.shape),
            "sign": four[:, :, 3].reshape(flat.shape),
            "noise": again * (1 - rim) + flat * rim,
            "paler": paler * faded + (1 - paler) * 0.95,
        }
        names, shares = zip(*self.SECOND, strict=True)
        second = torch.zeros_like(flat)
        chosen = rng.choice(len(names), size=n, p=shares)
        for index, name in enumerate(names):
            mine = torch.from_numpy(chosen == index).to(device).repeat_interleave(pieces)
            second[mine] = kinds[name][mine]
        faces = torch.stack([flat, second], 1).reshape(n, pieces, 2, *flat.shape[1:])
        # Other inks, alike for all discs of a copy.
        order = torch.stack([torch.randperm(3) if rng.uniform() < 0.3 else torch.arange(3) for _ in range(n)]).to(device)
        faces = torch.gather(faces, 3, order[:, None, None, :, None, None].expand_as(faces))
        gamma = torch.exp(0.2 * torch.randn(n, 1, 1, 1, 1, 1, device=device))
        return faces.clamp(0.004, 1) ** (2.2 * gamma), radius

    def shown(self, faces: torch.Tensor, radius: torch.Tensor, turn: torch.Tensor, taught: bool) -> torch.Tensor:
        """Coded pictures of faces (N×3×H×W, linear) turned by radians (N), in light, blur and grain of their own."""
        n, device = len(faces), self.device
        mask = (self.far <= radius[:, None, None, None]).float()
        ground = torch.rand(n, 3, 1, 1, device=device) * 0.2 + torch.rand(n, 1, 1, 1, device=device) * 0.6
        dark = (torch.rand(n, 1, 1, 1, device=device) < 0.7).float() * 0.6
        x = faces * mask + ground * (1 - dark * torch.roll(mask, shifts=(3, 2), dims=(2, 3))) * (1 - mask)
        c, s = torch.cos(turn), torch.sin(turn)
        move = torch.randn(n, 2, device=device) * (0.45 if taught else 0.55) * 2 / DISC_MM
        theta = torch.stack([torch.stack([c, s, move[:, 0]], 1), torch.stack([-s, c, move[:, 1]], 1)], 1)
        theta[:, :, :2] *= (1 + 0.02 * torch.randn(n, device=device))[:, None, None]
        grid = F.affine_grid(theta, [n, 3, DISC_SIDE, DISC_SIDE], align_corners=False)
        x = F.grid_sample(x, grid, padding_mode="border", align_corners=False)
        if not taught:
            x = self.glared(x)
        hard = self.hard
        self.hard = hard / 2 if taught else hard
        coded = self.filmed(x, taught)
        self.hard = hard
        return coded

    def glared(self, x: torch.Tensor) -> torch.Tensor:
        """Some of the pictures with a soft reflection on a part of them."""
        n, side, device = len(x), x.shape[-1], self.device
        t = torch.linspace(-1, 1, side, device=device)
        at, wide = torch.rand(n, 2, 1, 1, device=device) * 1.6 - 0.8, torch.rand(n, 1, 1, 1, device=device) * 0.5 + 0.1
        far = (t.view(1, 1, 1, -1) - at[:, :1]) ** 2 + (t.view(1, 1, -1, 1) - at[:, 1:]) ** 2
        much = (torch.rand(n, 1, 1, 1, device=device) < 0.15 * self.hard).float() * torch.rand(n, 1, 1, 1, device=device) * 2
        return x + much * torch.exp(-far / (2 * wide**2))

    def batch(self, count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Discs (N×4×…), taught faces at turns (N·C·T×4×…), which of these are taught (N×C), the right one (N; C for none)."""
        rng, device = self.rng, self.device
        faces, radius = self.copies(count)
        n, pieces, height = count, faces.shape[1], faces.shape[-1]
        order = np.stack([rng.permutation(pieces)[: CHOICES // 2] for _ in range(n)])
        piece = torch.from_numpy(np.repeat(order, 2, axis=1)).to(device)
        side = torch.arange(CHOICES, device=device)[None].expand(n, -1) % 2
        rows = torch.arange(n, device=device)
        right = torch.from_numpy(rng.integers(2, size=n)).to(device)
        seen = faces[rows, piece[:, 0], right]
        strange = torch.from_numpy(rng.uniform(size=n) < STRANGE).to(device)
        seen = torch.where(strange[:, None, None, None], seen.roll(1, 0), seen)
        known = torch.from_numpy(rng.uniform(size=(n, CHOICES)) > OMITTED).to(device)
        answer = torch.where(strange | ~known[rows, right], CHOICES, right)
        turn = torch.rand(n, device=device) * 6.2832
        a = planes(self.shown(seen, radius, turn, taught=False))
        laid = turn[:, None, None] + torch.randn(n, CHOICES, TURNS, device=device) * 0.045
        spun = torch.rand(n, CHOICES, TURNS, device=device) * 6.2832
        # Both sides of the disc itself lie as it does, once each, for a portrait may be on both.
        own = torch.zeros(n, CHOICES, TURNS, dtype=torch.bool, device=device)
        own[:, :2, 0] = True
        turns = torch.where(own, laid, spun).reshape(-1)
        taught = faces[rows[:, None], piece, side].reshape(-1, 3, height, height).repeat_interleave(TURNS, 0)
        b = planes(self.shown(taught, radius.repeat_interleave(CHOICES * TURNS), turns, taught=True))
        return a, b, known, answer


# --- what was cut out of whole pictures -----------------------------------------------------------------------------------


def _gathered(seed: int, kind: str = "") -> tuple[int, dict[str, Any]] | None:
    from companion.calibration.training.judge import STEEPEST, table_of, taught
    from companion.errors import BadInput
    from companion.vision.frame import Frame
    from companion.vision.plain.memory import Memory

    cv2.setNumThreads(1)
    kind = kind or KINDS[seed % len(KINDS)]
    table = table_of(seed, kind, STEEPEST)
    try:
        reader = taught(table, 1)
    except BadInput:
        return None
    extractor = reader._extractor
    backs, ids = extractor.backs, extractor.movable_ids
    faces: dict[tuple[str, int], np.ndarray] = {
        (piece, 0): crop_ for piece, crop_ in zip(ids, extractor.face_crops, strict=True)
    }
    faces |= {(piece, 1): crop_ for piece, crop_ in zip(backs.pieces, backs.crops, strict=True)} if backs is not None else {}
    names = list(faces)
    discs = []
    for index in range(POSITIONS):
        state = table.random_state()
        picture, _ = table.shoot(state, mood=table.other_light() if index % 2 else None)
        try:
            memory = reader.read(Frame(picture, 0.0, "made")).memory
        except BadInput:
            continue
        if not isinstance(memory, Memory):
            continue
        where = {entry["hex"]: (piece, SIDES.index(entry["side"])) for piece, entry in state["characters"].items()}
        for spot, features in memory.movable.items():
            if features.disc is None or features.stack is None or (spot not in where and index):
                continue
            shown, turns = features.stack
            every = {(piece, 0): turns[ids.index(piece)] for piece in ids}
            if backs is not None:
                own = backs.faces.turns(features.disc.faces[0])
                every |= {(piece, 1): own[row] for row, piece in enumerate(backs.pieces)}
            label = names.index(where[spot]) if where.get(spot) in faces else -1
            discs.append((shown, np.array([every[name] for name in names], np.float32), label, where.get(spot)))
    return seed, {
        "names": names,
        "faces": [faces[name] for name in names],
        "discs": discs,
        "kind": kind,
        "unturned": tuple(reader.teaching.unturned),
    }


def gather(first: int, last: int, path: str, workers: int, kind: str = "") -> None:
    """Discs of pictures of copies with these seeds, with every side of every disc taught -> one file."""
    begin = time.time()
    with Path(path).open("ab") as file, ProcessPoolExecutor(workers) as pool:
        for found in pool.map(_gathered, range(first, last), [kind] * (last - first)):
            if found is not None:
                pickle.dump(found, file)
                file.flush()
                print(found[0], found[1]["kind"], len(found[1]["discs"]), f"{time.time() - begin:.0f} s", flush=True)


def _crop(face: np.ndarray, turn: float) -> np.ndarray:
    return crop(face, (0.0, 0.0), turn, DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM)


class Discs:
    """Gathered discs and their copies' taught faces."""

    def __init__(self, paths: Sequence[str], device: torch.device) -> None:
        self.device = device
        self.items = [
            (entry, *disc)
            for _, entry in gathered(paths)
            for disc in entry["discs"]
            if not disc[3] or disc[3][0] not in entry["unturned"]
        ]

    def batch(
        self, rng: np.random.Generator, count: int, spoil: bool = True
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """As ``Faces.batch``."""
        seen, taught, known, answers = [], [], [], []
        for index in rng.integers(len(self.items), size=count):
            entry, shown, turns, label, where = self.items[int(index)]
            names = entry["names"]
            same = [k for k, (piece, _) in enumerate(names) if where and piece == where[0]]
            rest = [int(k) for k in rng.permutation(len(names)) if k not in same]
            some = (same + rest)[:CHOICES]
            seen.append(shown)
            taught += [_crop(entry["faces"][k], float(t)) for k in some for t in turns[k][:TURNS]]
            told = rng.uniform(size=CHOICES) > OMITTED
            known.append(told)
            answers.append(some.index(label) if label >= 0 and told[some.index(label)] else CHOICES)
        a, b = self._planes(seen, spoil), self._planes(taught, False)
        return a, b, torch.from_numpy(np.array(known)).to(self.device), torch.tensor(answers, device=self.device)

    def _planes(self, pictures: Sequence[np.ndarray], spoil: bool) -> torch.Tensor:
        x = torch.from_numpy(np.stack(pictures)).to(self.device).permute(0, 3, 1, 2).float() / 255
        return planes(spoiled(x) if spoil else x)


# --- training ---------------------------------------------------------------------------------------------------------------


def scores(net: Pair, a: torch.Tensor, b: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """What speaks for each taught face (N×C) and, last, for none; among turns the best counts."""
    each = torch.logsumexp(net.pairs(a, b).reshape(*known.shape, -1), dim=2)
    return torch.cat([each.masked_fill(~known, -1e4), torch.zeros(len(a), 1, device=a.device)], 1)


def train(bank_path: str, gathered_path: str, out: str, steps: int, device: str, batch: int = BATCH) -> None:
    torch.set_default_device(device)
    here = torch.device(device)
    maker, rng = Faces(bank_path, 1, here), np.random.default_rng(2)
    real, net = Discs([gathered_path], here), Pair(1).to(here)
    print("gathered", len(real.items), flush=True)

    def exemplars(step: int, done: float) -> tuple[torch.Tensor, torch.Tensor, bool]:
        maker.hard = hardness(done, None)
        gathered_ = bool(step % 2 and real.items)
        a, b, known, answer = real.batch(rng, batch // 4) if gathered_ else maker.batch(batch)
        return scores(net, a, b, known), answer, gathered_

    fit(net, exemplars, out, steps, None, fastest=4e-3)


def judged(weights: str, paths: Sequence[str]) -> Iterator[str]:
    """How surely trained weights tell gathered discs of copies they were not trained on, by kind of copy."""
    net = Pair(1)
    net.load_state_dict(torch.load(weights, map_location="cpu"))
    net.eval()
    discs = Discs(paths, torch.device("cpu"))
    rows: dict[str, list[tuple[float, float, float]]] = {}
    with torch.no_grad():
        for entry, shown, turns, label, where in discs.items:
            if label < 0 or not where or (where[0], 1 - where[1]) not in entry["names"]:
                continue
            taught = [_crop(face, float(t)) for face, some in zip(entry["faces"], turns, strict=True) for t in some]
            each = net.pairs(discs._planes([shown], False), discs._planes(taught, False)).reshape(len(entry["faces"]), -1)
            ratios = torch.logsumexp(each, 1).numpy()
            other = entry["names"].index((where[0], 1 - where[1]))
            rest = [float(v) for k, v in enumerate(ratios) if k not in (label, other)]
            rows.setdefault(entry["kind"], []).append((float(ratios[label]), float(ratios[other]), max(rest)))
    for kind, found in rows.items():
        own, other, best = np.array(found).T
        side, piece = own - other, np.maximum(own, other) - best
        yield (
            f"{kind}: {len(found)} discs; side wrong {np.mean(side < 0):.3f}, within 3.5 {np.mean(np.abs(side) < 3.5):.3f}; "
            f"piece wrong {np.mean(piece < 0):.3f}, within 3.5 {np.mean(np.abs(piece) < 3.5):.3f}; "
            f"own below 0 {np.mean(own < 0):.3f}, surely another {np.mean(side < -3.5):.4f}"
        )


def main() -> None:
    verb, *words = sys.argv[1:]
    if verb == "bank":
        bank(words[0], int(words[1]), int(words[2]) if words[2:] else 1)
    elif verb == "gather":
        gather(int(words[0]), int(words[1]), words[2], int(words[3]) if words[3:] else 1, words[4] if words[4:] else "")
    elif verb == "train":
        train(words[0], words[1], words[2], int(words[3]), words[4] if words[4:] else "cpu")
    elif verb == "judge":
        print(*judged(words[0], words[1:]), sep="\n")
    elif verb == "export":
        to_onnx(Pair(1), words[0], words[1], 8, DISC_SIDE)
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
