# ruff: noqa: E501, N812, PLC0415 - drawing and fitting scripts: long lists of strokes and numbers
"""Train three of the plain reader's small networks (needs PyTorch, in an environment of its own); two more:
``train_fine``.

    python -m companion.calibration.training.train_pairs bank FILE COPIES             drawings of many made-up copies
    python -m companion.calibration.training.train_pairs disc|tile BANK GATHERED… OUT STEPS
    python -m companion.calibration.training.train_pairs place GATHERED… OUT STEPS
    python -m companion.calibration.training.train_pairs export disc|tile|place WEIGHTS OUT.onnx

``from=WEIGHTS`` among the arguments goes on from trained ones.

``disc`` and ``tile`` learn from pairs made on the fly out of the bank (another light, blur and grain on either side), mixed
with what ``gather gather`` cut out of whole pictures; ``place`` learns from the latter.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from companion.calibration.training.gathered import gathered
from companion.calibration.training.networks import Pair, Place, blurred, planes
from companion.vision.plain.stacks import (
    BRIGHTEST,
    DISC_MM,
    DISC_SIDE,
    PLACE_MM,
    PLACE_SIDE,
    TILE_MM,
    TILE_SIDE,
    crop,
    slot_colour,
)

DENSE = 2.0  # bank pixels per millimetre
PATCH_SCALE = 1.5
REPAINTED = 0.3
"""Part of the bare lamps and manholes that get a tile with the print's own drawing."""
BATCH_SHARE = 0.4
"""Part of the training that normalises by batches."""
LABELS = ("1", "2", "3", "4", "blank")


# --- a bank of drawings -----------------------------------------------------------------------------------------------------


def centred(picture: np.ndarray, width_mm: float, full: int) -> np.ndarray:
    """A drawing in the middle of a square of the bank."""
    scale = width_mm * DENSE / picture.shape[1]
    import cv2

    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    out = np.zeros((full, full, 3), np.uint8)
    h, w = min(full, small.shape[0]), min(full, small.shape[1])
    y, x = (full - h) // 2, (full - w) // 2
    sy, sx = (small.shape[0] - h) // 2, (small.shape[1] - w) // 2
    out[y : y + h, x : x + w] = small[sy : sy + h, sx : sx + w]
    return out


def bank(path: str, count: int) -> None:
    from companion import boards
    from companion.calibration.training.wild import WildCopy

    class Loose(WildCopy):
        def _board(self, rng: np.random.Generator) -> np.ndarray:
            return np.zeros((4, 4, 3), np.uint8)

    board, pieces = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
    movable = pieces.in_group("characters")
    lamps = pieces.in_group("gaslights")
    side, tside = round(DISC_MM * DENSE), round(TILE_MM * DENSE)
    faces = np.zeros((count, 8, 2, side, side, 3), np.uint8)
    tiles = np.zeros((count, 5, tside, tside, 3), np.uint8)
    radius = np.zeros(count, np.float32)

    for index in range(count):
        copy = Loose(board, pieces, 100_000 + index)
        radius[index] = copy.radius
        for k, piece in enumerate(movable):
            for f, face in enumerate(piece.faces):
                faces[index, k, f] = centred(copy.faces[piece.id, face], 2 * copy.radius, side)
        for piece in lamps:
            tiles[index, LABELS.index(str(piece.label))] = centred(
                copy.faces[piece.id, None], pieces.groups["gaslights"].size_mm[0], tside
            )
    np.savez(path, faces=faces, tiles=tiles, radius=radius)


class Maker:
    """Pairs out of the bank."""

    def __init__(self, path: str, seed: int) -> None:
        data = np.load(path)
        self.faces, self.tiles, self.radius = data["faces"], data["tiles"], data["radius"]
        self.rng = np.random.default_rng(seed)
        self.hard = 1.0  # 0..1: how bad light, blur and grain may be
        torch.manual_seed(seed)

    def mask(self, kind: str, n: int, radius: torch.Tensor) -> torch.Tensor:
        span = DISC_MM if kind == "disc" else TILE_MM
        t = (torch.arange(n) - (n - 1) / 2) * span / n
        y, x = torch.meshgrid(t, t, indexing="ij")
        if kind == "disc":
            return (torch.hypot(x, y)[None] <= radius[:, None, None]).float()[:, None]
        inside = torch.ones_like(x, dtype=torch.bool)
        for k in range(3):
            a = np.radians(90 + 60 * k)
            inside &= (x * np.cos(a) + y * np.sin(a)).abs() <= 17.75
        return inside.float()[None, None].repeat(len(radius), 1, 1, 1)

    def render(self, pictures: np.ndarray, radius: np.ndarray, turn: torch.Tensor, kind: str, exemplar: bool) -> torch.Tensor:
        """Coded pictures of drawings (N×H×W×3) turned by radians (N), in light, blur and grain of their own."""
        n, side = len(pictures), DISC_SIDE if kind == "disc" else TILE_SIDE
        span = DISC_MM if kind == "disc" else TILE_MM
        x = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
        x = x**2.2
        r = torch.rand
        ground = r(n, 3, 1, 1) * 0.2 + r(n, 1, 1, 1) * 0.6
        m = self.mask(kind, x.shape[-1], torch.from_numpy(radius))
        side_dark = (r(n, 1, 1, 1) < 0.7).float() * 0.6
        near = torch.roll(m, shifts=(3, 2), dims=(2, 3))
        ground = ground * (1 - side_dark * near)
        x = x * m + ground * (1 - m)
        c, s = torch.cos(turn), torch.sin(turn)
        grow = 1 + 0.02 * torch.randn(n)
        move = torch.randn(n, 2) * (0.45 if exemplar else 0.55) * 2 / span
        # Output point p shows the picture at R(-turn) p.
        theta = torch.stack([torch.stack([c, s, move[:, 0]], 1), torch.stack([-s, c, move[:, 1]], 1)], 1)
        theta[:, :, :2] *= grow[:, None, None]
        x = F.grid_sample(
            x, F.affine_grid(theta, (n, 3, side, side), align_corners=False), padding_mode="border", align_corners=False
        )
        return self.filmed(x, exemplar)

    def filmed(self, x: torch.Tensor, exemplar: bool, blurs: tuple[float, float] = (0.75, 1.2)) -> torch.Tensor:
        """Coded pictures of linear ones (N×3×H×W), each in light, blur (at most of these two strengths, in samples) and grain
        of its own."""
        r, n, side = torch.rand, len(x), x.shape[-1]
        # Blur of three strengths, each mixed in by chance: picture density, focus.
        hard = self.hard
        soft, softer = (blurred(x, 2 * int(3 * sigma + 1.5) + 1, sigma) for sigma in blurs)
        w = r(n, 1, 1, 1) * (0.3 + 0.7 * hard)
        x = torch.where(w < 0.6, x + (soft - x) * (w / 0.6), soft + (softer - soft) * ((w - 0.6) / 0.4) ** 2)
        t = torch.linspace(-1, 1, side)
        slope = torch.randn(n, 2, 1, 1) * 0.12
        shade = torch.exp(slope[:, :1] * t.view(1, 1, 1, -1) + slope[:, 1:] * t.view(1, 1, -1, 1))
        light = torch.exp(-r(n, 1, 1, 1) * 1.8 * hard - 0.15 + torch.randn(n, 3, 1, 1) * 0.2 * hard)
        if self.rng.uniform() < 0.2 * hard:
            edge = (
                torch.cos(r(n, 1, 1, 1) * 6.3) * t.view(1, 1, 1, -1) + torch.sin(r(n, 1, 1, 1) * 6.3) * t.view(1, 1, -1, 1)
            ) > torch.randn(n, 1, 1, 1) * 0.5
            shade = shade * torch.where(edge & (r(n, 1, 1, 1) < 0.5), 0.45, 1.0)
        veil = (r(n, 1, 1, 1) < 0.5 * hard).float() * r(n, 1, 1, 1) ** 2 * 0.5 * torch.exp(torch.randn(n, 3, 1, 1) * 0.15)
        veil = veil * torch.exp(
            torch.randn(n, 1, 1, 1) * 0.2 * t.view(1, 1, 1, -1) + torch.randn(n, 1, 1, 1) * 0.2 * t.view(1, 1, -1, 1)
        )
        v = (x * light * shade + veil).clamp(0, 1)
        grain = torch.randn_like(v) * (r(n, 1, 1, 1) ** 2 * 0.02 * hard + 0.002)
        grain = torch.where(r(n, 1, 1, 1) < 0.5, blurred(grain, 3, 0.6) * 1.5, grain)
        v = (v.clamp_min(1e-6) ** (1 / 2.2) + grain).clamp(0, 1)
        sharp = (r(n, 1, 1, 1) < 0.25).float() * r(n, 1, 1, 1) * 1.2
        v = (v + sharp * (v - blurred(v, 5, 1.0))).clamp(0, 1)
        v = ((v * 255).round() / 255) ** 2.2
        # The reader's own reckoning: part of the veil known, light known nearly.
        known = r(n, 1, 1, 1) * (r(n, 1, 1, 1) < 0.6).float()
        street = 0.55 * torch.exp(torch.randn(n, 3, 1, 1) * 0.1 + torch.randn(n, 1, 1, 1) * 0.2)
        tone = torch.where(r(n, 1, 1, 1) < 0.4, light + veil.mean((2, 3), keepdim=True), light)
        v = (v - known * veil.mean((2, 3), keepdim=True)).clamp_min(0) / (tone * street)
        if exemplar:
            v = v.clamp(0, 1.6)
        return ((v.clamp(0, BRIGHTEST) / BRIGHTEST).sqrt() * 255).round() / 255

    def discs(self, cell_features: int, choices: int) -> tuple[torch.Tensor, ...]:
        """Stacks (cell features·choices × 8×…) and for each clue its answer: 0 none, 1 + 2·choice + face."""
        rng = self.rng
        copies = rng.integers(len(self.faces), size=cell_features)
        order = np.stack([rng.permutation(8)[:choices] for _ in range(cell_features)])
        face = rng.integers(2, size=cell_features)
        none = rng.uniform(size=cell_features) < 0.12
        seen = self.faces[copies, order[:, 0], face]
        stranger = rng.integers(len(self.faces), size=cell_features)
        seen[none] = self.faces[stranger, order[:, 0], face][none]
        turn = torch.rand(cell_features) * 6.2832
        a = planes(self.render(seen, self.radius[copies], turn, "disc", False))
        flat = order.reshape(-1)
        again = np.repeat(copies, choices)
        bent = turn.repeat_interleave(choices) + torch.randn(cell_features * choices) * 0.045
        first = torch.arange(cell_features * choices) % choices == 0
        bent = torch.where(first, bent, torch.rand(cell_features * choices) * 6.2832)
        b = planes(self.render(self.faces[again, flat, 0], self.radius[again], bent, "disc", True))
        answer = torch.from_numpy(np.where(none, 0, 1 + face)).long()
        return a, b, answer

    def tiles_(self, cell_features: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The same for labelled tiles against all five labels; the answer is 0 for none, 1 + label."""
        rng = self.rng
        copies = rng.integers(len(self.tiles), size=cell_features)
        label = rng.integers(5, size=cell_features)
        none = rng.uniform(size=cell_features) < 0.06
        stranger = rng.integers(len(self.tiles), size=cell_features)
        seen = self.tiles[copies, label]
        seen[none] = self.tiles[stranger, label][none]
        turn = torch.rand(cell_features) * 6.2832
        a = planes(self.render(seen, np.zeros(cell_features, np.float32), turn, "tile", False))
        again = np.repeat(copies, 5)
        labels = np.tile(np.arange(5), cell_features)
        bent = turn.repeat_interleave(5) + torch.randn(cell_features * 5) * 0.03
        wrong = (torch.rand(cell_features * 5) < 0.1) & (torch.from_numpy(labels != np.repeat(label, 5)))
        bent = bent + torch.where(wrong, torch.randint(1, 6, (cell_features * 5,)) * 1.0472, torch.zeros(cell_features * 5))
        b = planes(self.render(self.tiles[again, labels], np.zeros(cell_features * 5, np.float32), bent, "tile", True))
        return a, b, torch.from_numpy(np.where(none, 0, 1 + label)).long()


# --- what was cut out of whole pictures --------------------------------------------------------------------------------------


def spoiled(seen: torch.Tensor) -> torch.Tensor:
    """Coded pictures once more veiled, dimmed and tinted."""
    n = len(seen)
    lin = seen**2 * BRIGHTEST
    veil = (torch.rand(n, 1, 1, 1) < 0.35).float() * torch.rand(n, 1, 1, 1) * 0.8 * torch.exp(torch.randn(n, 3, 1, 1) * 0.1)
    tint = torch.exp(torch.randn(n, 3, 1, 1) * 0.08 + torch.randn(n, 1, 1, 1) * 0.12)
    lin = lin * tint * torch.where(veil > 0, 0.6, 1.0) + veil + torch.randn_like(lin) * 0.02 * torch.rand(n, 1, 1, 1) * lin
    return (lin.clamp(0, BRIGHTEST) / BRIGHTEST).sqrt()


class Discs:
    """Gathered discs: stacks against chosen exemplars at their likeliest turns."""

    def __init__(self, paths: list[str]) -> None:
        self.items = []
        for _, entry in gathered(paths):
            self.items += [(entry["faces"], *disc[:3]) for disc in entry["discs"]]

    def stacks(self, index: int, exemplars: list[int], turns: int) -> list[np.ndarray]:
        faces, picture, angles, _ = self.items[index]
        return [picture] + [
            crop(faces[k], (0.0, 0.0), float(angles[k][t]), DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM)
            for k in exemplars
            for t in range(turns)
        ]

    def batch(
        self, rng: np.random.Generator, cell_features: int, choices: int, turns: int = 2
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        rows, answers = [], []
        for index in rng.integers(len(self.items), size=cell_features):
            faces, _, _, label = self.items[index]
            order = list(rng.permutation(len(faces)))
            if label >= 0:
                order.remove(label // 2)
                order = [label // 2, *order]
            rows.append(self.stacks(int(index), order[:choices], turns))
            answers.append(0 if label < 0 else 1 + label % 2)
        return *self.to_tensor(rows, True), torch.tensor(answers)

    @staticmethod
    def to_tensor(rows: list[list[np.ndarray]], spoil: bool) -> tuple[torch.Tensor, torch.Tensor]:
        x = torch.from_numpy(np.stack([np.stack(r) for r in rows])).permute(0, 1, 4, 2, 3).float() / 255
        n, k = x.shape[:2]
        flat = x.reshape(n * k, *x.shape[2:])
        p = planes(spoiled(flat) if spoil else flat).reshape(n, k, 4, *x.shape[3:])
        return p[:, 0], p[:, 1:].reshape(n * (k - 1), 4, *x.shape[3:])


class Tiles:
    """Gathered labelled tiles."""

    def __init__(self, paths: list[str]) -> None:
        self.items = []
        for _, entry in gathered(paths):
            exemplars = [exemplar[:3] for exemplar in entry["lessons"]["gaslights"]]
            for _, seen, _, _, poses, want, *_ in entry["flats"]:
                if poses is not None and len(exemplars) >= 5:
                    self.items.append((exemplars, seen, poses, want))

    def stacks(self, index: int, turns: int) -> tuple[list[np.ndarray], list[str]]:
        exemplars, seen, poses, _ = self.items[index]
        first: dict[str, int] = {}
        for i, (label, _, _) in enumerate(exemplars):
            first.setdefault(label, i)
        out = [crop(seen, poses[0], 0.0, TILE_SIDE, TILE_MM, PATCH_SCALE)]
        for i in first.values():
            out += [
                crop(exemplars[i][1], exemplars[i][2], float(poses[1][i][t]), TILE_SIDE, TILE_MM, PATCH_SCALE)
                for t in range(turns)
            ]
        return out, list(first)

    def batch(
        self, rng: np.random.Generator, cell_features: int, choices: int = 5, turns: int = 1
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        rows, answers = [], []
        for index in rng.integers(len(self.items), size=cell_features * 4):
            stack, labels = self.stacks(int(index), turns)
            want = self.items[index][3]
            if len(labels) != choices or want not in labels:
                continue
            rows.append(stack)
            answers.append(1 + labels.index(want))
            if len(rows) == cell_features:
                break
        return *Discs.to_tensor(rows, True), torch.tensor(answers)


# --- training ---------------------------------------------------------------------------------------------------------------


def fit(
    net: nn.Module,
    exemplars: Callable[[int, float], tuple[torch.Tensor, torch.Tensor, bool]],
    out: str,
    steps: int,
    start: str | None,
    fastest: float = 4e-3,
    decay: float = 1e-3,
) -> None:
    """Train a network, from weights to ``start`` with if there are any, and write its weights to ``out``, now and again and at the end.

    ``exemplars(step, done)`` gives what the network says, N×answers, which answer is right, N, and whether these were gathered
    from whole pictures; ``done`` is the share of the steps that are over.
    With the same seeds, data, PyTorch and kind of processor the same steps give the same weights, bit for bit.
    """
    if start is not None:
        net.load_state_dict(torch.load(start))
    print(sum(p.numel() for p in net.parameters()), "weights", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=decay)
    begin, shown = time.time(), []
    for step in range(steps):
        done = step / steps
        net.train(done < BATCH_SHARE)  # then with fixed normalisation, as the reader runs it
        for group in optimiser.param_groups:
            group["lr"] = fastest * min(1, (step + 1) / 60) * (1 - done) ** 1.2 + 2e-5
        logits, answer, gathered = exemplars(step, done)
        loss = F.cross_entropy(logits, answer)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        shown.append((float(loss.detach()), float((logits.argmax(1) == answer).float().mean()), gathered))
        if (step + 1) % 100 == 0:
            for kind, name in ((False, "made"), (True, "gathered")):
                part = [one[:2] for one in shown[-200:] if one[2] == kind]
                if part:
                    print(step + 1, name, np.round(np.mean(part, axis=0), 4), f"{time.time() - begin:.0f} s", flush=True)
            torch.save(net.state_dict(), out)
    torch.save(net.state_dict(), out)


def hardness(done: float, start: str | None) -> float:
    """How bad light, blur and grain of drawings are, 0..1: mild at first, unless trained weights go on."""
    return min(1.0, 0.1 + 2 * done) if start is None else 1.0


def to_onnx(net: nn.Module, weights: str, out: str, planes: int, side: int) -> None:
    """Trained weights to ONNX, for any number of stacks (planes × side × side) at once."""
    net.load_state_dict(torch.load(weights, map_location="cpu"))
    torch.onnx.export(
        net.eval(), (torch.zeros(2, planes, side, side),), out, input_names=["stack"], output_names=["score"],
        dynamic_axes={"stack": {0: "n"}, "score": {0: "n"}}, opset_version=17, dynamo=False,
    )  # fmt: skip


# --- discs and tiles ----------------------------------------------------------------------------------------------------------


def scores(net: Pair, seen: torch.Tensor, taught: torch.Tensor, cell_features: int, choices: int) -> torch.Tensor:
    """What speaks for none and for each choice; among the turns of one choice the best counts."""
    each = net.pairs(seen, taught)
    each = torch.logsumexp(each.reshape(cell_features, choices, -1, each.shape[1]), dim=2).reshape(cell_features, -1)
    return torch.cat([torch.zeros(cell_features, 1), each], 1)


def train_pair(kind: str, bank_path: str, paths: list[str], out: str, steps: int, start: str | None = None) -> None:
    maker, rng = Maker(bank_path, 1), np.random.default_rng(2)
    disc = kind == "disc"
    net, choices = Pair(2 if disc else 1), 4 if disc else 5
    real: Discs | Tiles = Discs(paths) if disc else Tiles(paths)
    print(kind, "gathered", len(real.items))

    def exemplars(step: int, done: float) -> tuple[torch.Tensor, torch.Tensor, bool]:
        maker.hard = hardness(done, start)
        gathered = bool(step % 2 and real.items)
        if gathered:
            seen, taught, answer = real.batch(rng, 20, choices)
        else:
            seen, taught, answer = maker.discs(28, choices) if disc else maker.tiles_(20)
        return scores(net, seen, taught, len(answer), choices), answer, gathered

    fit(net, exemplars, out, steps, start, fastest=4e-3 if start is None else 2e-3)


# --- places ---------------------------------------------------------------------------------------------------------------------


class Places:
    """Gathered places: what is seen, the bare print, what a disc hides, the taught pieces' mean colour."""

    def __init__(self, paths: list[str]) -> None:
        self.items = []
        for _, entry in gathered(paths):
            colours = {
                g: slot_colour([(patch, at) for _, patch, at, *_ in ls], PATCH_SCALE)
                for g, ls in entry["lessons"].items()
                if ls
            }
            for group, seen, bare, mask, _, want, *_ in entry["flats"]:
                if group in colours:
                    answer = {"bare": 0, "alien": 2}.get(want, 1)
                    self.items.append((crop(seen, (0.0, 0.0), 0.0, PLACE_SIDE, PLACE_MM, PATCH_SCALE), crop(bare, (0.0, 0.0), 0.0, PLACE_SIDE, PLACE_MM, PATCH_SCALE), mask, colours[group], group, answer))  # fmt: skip
        self.manholes = [i for i, item in enumerate(self.items) if item[4] == "covers"]

    def batch(self, rng: np.random.Generator, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        seen, bare, masks, colours, answers = [], [], [], [], []
        for _ in range(count):
            index = int(rng.choice(self.manholes) if rng.uniform() < 0.5 else rng.integers(len(self.items)))
            a, b, mask, colour, group, answer = self.items[index]
            m = np.zeros((PLACE_SIDE, PLACE_SIDE), np.float32) if mask is None else small_mask(mask)
            a = a.astype(np.float32)
            if mask is None and group == "covers" and rng.uniform() < 0.65:
                m, a = covered(rng, a)
            elif answer == 0 and group in ("gaslights", "covers") and rng.uniform() < REPAINTED:
                a, answer = repainted(rng, a, colour), 1
            seen.append(a)
            bare.append(b.astype(np.float32))
            masks.append(m)
            colours.append(colour)
            answers.append(answer)
        s, b = (torch.from_numpy(np.stack(v)).permute(0, 3, 1, 2) / 255 for v in (seen, bare))
        s, b = spoiled(s), spoiled_a_little(b)
        x = place_planes(s, b, torch.from_numpy(np.stack(masks))[:, None], torch.from_numpy(np.stack(colours)).float())
        if rng.uniform() < 0.5:
            x = x.flip(3)
        if rng.uniform() < 0.5:
            x = x.flip(2)
        return x, torch.tensor(answers)


def small_mask(mask: np.ndarray) -> np.ndarray:
    return (
        crop(np.repeat(mask[..., None].astype(np.uint8) * 255, 3, 2), (0.0, 0.0), 0.0, PLACE_SIDE, PLACE_MM, PATCH_SCALE)[
            ..., 0
        ]
        > 64
    ).astype(np.float32)


def covered(rng: np.random.Generator, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A disc laid on a place: what it and its wall hide, and the shadow it throws."""
    t = (np.arange(PLACE_SIDE) - (PLACE_SIDE - 1) / 2) * PLACE_MM / PLACE_SIDE
    x, y = np.meshgrid(t, t)
    c, lean = rng.uniform(-4.5, 4.5, 2), rng.uniform(0, 7)
    a, b = rng.uniform(0, 6.3, 2)
    m = np.zeros_like(x, bool)
    for k in np.linspace(0, 1, 5):
        m |= np.hypot(x - c[0] - k * lean * np.cos(a), y - c[1] - k * lean * np.sin(a)) <= 17.5
    long, dark = rng.uniform(0, 12), rng.uniform(0.3, 0.95)
    shade = np.zeros_like(x, bool)
    for k in np.linspace(0, 1, 6):
        shade |= np.hypot(x - c[0] - k * long * np.cos(b), y - c[1] - k * long * np.sin(b)) <= 17.5
    import cv2

    soft = cv2.GaussianBlur(shade.astype(np.float32), (0, 0), rng.uniform(0.5, 2.0))
    return m.astype(np.float32), picture * (1 - (1 - dark) * soft[..., None])


def repainted(rng: np.random.Generator, picture: np.ndarray, colour: np.ndarray) -> np.ndarray:
    """A tile that shows much the same drawing as the print below it: moved a little, in the taught colour."""
    t = (np.arange(PLACE_SIDE) - (PLACE_SIDE - 1) / 2) * PLACE_MM / PLACE_SIDE
    x, y = np.meshgrid(t, t)
    c = rng.uniform(-2.2, 2.2, 2)
    inside = np.ones(x.shape, bool)
    for k in range(3):
        a = np.radians(90 + 60 * k)
        inside &= np.abs((x - c[0]) * np.cos(a) + (y - c[1]) * np.sin(a)) <= 17.75
    drawing = crop(
        np.clip(picture, 0, 255).astype(np.uint8),
        tuple(-c),
        float(rng.choice([0, 1, 2, 3, 4, 5]) * np.pi / 3 + rng.normal(0, 0.05)),
        PLACE_SIDE,
        PLACE_MM,
        PLACE_SIDE / PLACE_MM,
    ).astype(np.float32)
    own = drawing[inside].mean(axis=0)
    tile = (drawing - own) * rng.uniform(0.4, 1.2) + colour * 255 * rng.uniform(0.7, 1.2)
    out = picture.copy()
    out[inside] = np.clip(tile, 0, 255)[inside]
    return out


def spoiled_a_little(x: torch.Tensor) -> torch.Tensor:
    n = len(x)
    return (x * torch.exp(torch.randn(n, 3, 1, 1) * 0.03 + torch.randn(n, 1, 1, 1) * 0.05)).clamp(0, 1)


def place_planes(seen: torch.Tensor, bare: torch.Tensor, mask: torch.Tensor, colour: torch.Tensor) -> torch.Tensor:
    """N×12×H×W: seen and bare with what is hidden set to nought, the mask, the taught colour."""
    keep = 1 - mask
    flat = colour[:, :, None, None].expand(-1, -1, *seen.shape[2:]) * 2 - 1
    return torch.cat([planes(seen) * keep, planes(bare) * keep, mask, flat], 1)


def train_place(paths: list[str], out: str, steps: int, start: str | None = None) -> None:
    data, rng = Places(paths), np.random.default_rng(3)
    torch.manual_seed(3)
    net = Place()
    print("places", len(data.items), np.bincount([i[5] for i in data.items]))

    def exemplars(step: int, done: float) -> tuple[torch.Tensor, torch.Tensor, bool]:
        stacks, answer = data.batch(rng, 64)
        return net(stacks), answer, True

    fit(net, exemplars, out, steps, start, decay=3e-3)


def export(kind: str, weights: str, out: str) -> None:
    """Trained weights to ONNX."""
    net = Place() if kind == "place" else Pair(2 if kind == "disc" else 1)
    to_onnx(net, weights, out, 12 if kind == "place" else 8, {"disc": DISC_SIDE, "tile": TILE_SIDE, "place": PLACE_SIDE}[kind])


def main() -> None:
    kind = sys.argv[1]
    if kind == "export":
        export(*sys.argv[2:5])
        return
    torch.set_num_threads(1)
    if kind == "bank":
        bank(sys.argv[2], int(sys.argv[3]))
        return
    more = [a for a in sys.argv[2:] if not a.startswith("from=")]
    start = next((a[5:] for a in sys.argv if a.startswith("from=")), None)
    if kind == "place":
        train_place(more[:-2], more[-2], int(more[-1]), start)
    else:
        train_pair(kind, more[0], more[1:-2], more[-2], int(more[-1]), start)


if __name__ == "__main__":
    main()
