# ruff: noqa: N812 - drawing and fitting scripts: long lists of strokes and numbers
"""Train the plain reader's two networks for fine points: the number on a tile, and the way a piece looks (needs PyTorch).

    python -m companion.calibration.training.train_fine bank FILE COPIES        spots of tiles of many made-up copies
    python -m companion.calibration.training.train_fine mark BANK GATHERED… OUT STEPS
    python -m companion.calibration.training.train_fine facing BANK GATHERED… OUT STEPS
    python -m companion.calibration.training.train_fine export mark|facing WEIGHTS OUT.onnx

``from=WEIGHTS`` among the arguments goes on from trained ones. Both compare what is seen with every answer there is (all
labels, all directions), so they only learn what tells those apart.
"""

from __future__ import annotations

import sys

import numpy as np
import torch
import torch.nn.functional as F

from companion import boards
from companion.calibration.training.art import SCALE as ART_SCALE
from companion.calibration.training.gather import closeup, enlarged, facing_at_start, marks_of
from companion.calibration.training.gathered import gathered
from companion.calibration.training.networks import Pair, planes
from companion.calibration.training.train_pairs import Maker, fit, hardness, spoiled, to_onnx
from companion.calibration.training.wild import WildCopy
from companion.vision.plain.evidence import headings
from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, MARK_MM, MARK_SIDE, crop, mark_pair
from companion.vision.plain.tiles import flat_shape

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
BANK_MM = 22.0
"""Side of the spots in the bank: the network's window, turned, and moved a little."""


def as_planes(rows: list[np.ndarray]) -> torch.Tensor:
    """Byte pictures to network planes, each once more veiled, dimmed and tinted."""
    x = torch.from_numpy(np.stack(rows)).permute(0, 3, 1, 2).float() / 255
    x = spoiled(x)
    soft = (torch.rand(len(x), 1, 1, 1) < 0.3).float()
    k = torch.tensor([[1.0, 2, 1], [2, 4, 2], [1, 2, 1]]).view(1, 1, 3, 3).repeat(3, 1, 1, 1) / 16
    return planes(x * (1 - soft) + F.conv2d(F.pad(x, (1, 1, 1, 1), mode="reflect"), k, groups=3) * soft)


class Marks:
    """Gathered labelled tiles: the spot that tells labels apart, as it is seen and as it was taught."""

    outputs, side = 1, MARK_SIDE

    def __init__(self, paths: list[str]) -> None:
        self.items = []
        for _, entry in gathered(paths):
            coded = entry["lessons"]["gaslights"]
            if len({label for label, *_ in coded}) < 2:
                continue
            marks, _ = marks_of(coded, "gaslights")
            exemplars = [(one[0], closeup(one), one[2], mark) for one, mark in zip(coded, marks, strict=True)]
            for _, seen, _, _, poses, want, _, *close in entry["flats"]:
                if poses is not None and any(label == want for label, *_ in coded):
                    self.items.append((exemplars, close[0] if close else enlarged(seen), poses, want))

    def batch(self, rng: np.random.Generator, cell_features: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Pairs (cell features·labels), and which label is right."""
        seen_rows, taught_rows = [], []
        answers: list[int] = []
        while len(answers) < cell_features:
            exemplars, seen, poses, want = self.items[int(rng.integers(len(self.items)))]
            order = rng.permutation(len(exemplars))
            chosen: dict[str, int] = {}
            for i in order:
                chosen.setdefault(exemplars[i][0], int(i))
            if len(chosen) != 5:
                continue
            slip = rng.normal(0, 0.2, 2)
            for i in chosen.values():
                _, patch, at, mark = exemplars[i]
                turn = float(poses[1][i][0]) + rng.normal(0, 0.02)
                offset = poses[0][0] + slip[0], poses[0][1] + slip[1]
                one, other = mark_pair(seen, offset, turn, patch, at, mark)
                seen_rows.append(one)
                taught_rows.append(other)
            answers.append(list(chosen).index(want))
        return as_planes(seen_rows), as_planes(taught_rows), torch.tensor(answers)


def mark_bank(path: str, count: int) -> None:
    """Draw the spots that tell tiles apart of many made-up copies: copies × labels × side × side × (blue, green, red, tile)."""

    class TilesOnly(WildCopy):
        def __post_init__(self) -> None:
            self._tiles(np.random.default_rng(self.seed))

    group = PIECES.groups["gaslights"]
    half = round(BANK_MM * ART_SCALE / 2)
    out = np.zeros((count, 5, 2 * half, 2 * half, 4), np.uint8)
    names: dict[str, str] = {}
    for piece in PIECES.in_group("gaslights"):
        names.setdefault(str(piece.label), piece.id)
    wide, high = group.size_mm
    inside = flat_shape(group)
    for index in range(count):
        copy = TilesOnly(BOARD, PIECES, 200_000 + index)
        tiles = np.stack([copy.faces[name, None] for name in names.values()])
        ys, xs = np.mgrid[0 : tiles.shape[1], 0 : tiles.shape[2]]
        apart = tiles.astype(int).max(0) - tiles.min(0)
        weight = apart.sum(axis=2) ** 2.0
        y, x = (round(float((v * weight).sum() / weight.sum())) for v in (ys, xs))
        mm = np.stack([xs / ART_SCALE - wide / 2, ys / ART_SCALE - high / 2], axis=-1)
        hexagon = np.all(
            [np.abs(mm @ [np.cos(d), np.sin(d)]) <= inside.size_mm[1] / 2 for d in np.radians([90, 150, 210])], axis=0
        )
        whole = np.concatenate([tiles, np.repeat((hexagon * 255).astype(np.uint8)[None, ..., None], 5, 0)], axis=-1)
        whole = np.pad(whole, ((0, 0), (half, half), (half, half), (0, 0)))
        out[index] = whole[:, y : y + 2 * half, x : x + 2 * half]
    np.save(path, out)


class MarkMaker(Maker):
    """Pairs out of a bank of such spots."""

    def __init__(self, path: str, seed: int) -> None:
        self.spots = np.load(path, mmap_mode="r")
        self.rng = np.random.default_rng(seed)
        self.hard = 1.0
        torch.manual_seed(seed)

    def shown(self, spots: np.ndarray, turn: torch.Tensor, slip_mm: float, exemplar: bool) -> torch.Tensor:
        """Coded pictures (N×3×side×side) of spots (N×H×W×4), turned by radians (N), on ground, in light and film of their
        own."""
        n = len(spots)
        x = torch.from_numpy(np.ascontiguousarray(spots)).permute(0, 3, 1, 2).float() / 255
        x, inside = x[:, :3] ** 2.2, x[:, 3:]
        ground = torch.rand(n, 3, 1, 1) * 0.2 + torch.rand(n, 1, 1, 1) * 0.6
        x = x * inside + ground * (1 - inside)
        c, s = torch.cos(turn), torch.sin(turn)
        move = torch.randn(n, 2) * slip_mm * 2 / BANK_MM
        theta = torch.stack([torch.stack([c, s, move[:, 0]], 1), torch.stack([-s, c, move[:, 1]], 1)], 1)
        theta[:, :, :2] *= (MARK_MM / BANK_MM * (1 + 0.025 * torch.randn(n)))[:, None, None]
        grid = F.affine_grid(theta, (n, 3, MARK_SIDE, MARK_SIDE), align_corners=False)
        return self.filmed(F.grid_sample(x, grid, padding_mode="border", align_corners=False), exemplar, (1.0, 2.2))

    def pairs(self, cell_features: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Pairs (cell features·labels), and which label is right."""
        rng = self.rng
        copies, label = rng.integers(len(self.spots), size=cell_features), rng.integers(5, size=cell_features)
        turn = torch.rand(cell_features) * 6.2832  # both turned alike: no direction is special
        a = planes(self.shown(self.spots[copies, label], turn, 0.3, False)).repeat_interleave(5, 0)
        bent = turn.repeat_interleave(5) + torch.randn(cell_features * 5) * 0.04
        # One light and film for the five of a copy: they were taught in one picture. Where the spot was sought is the same,
        # too.
        b = planes(self.shown(self.spots[copies].reshape(-1, *self.spots.shape[2:]), bent, 0.25, True))
        return a, b, torch.from_numpy(label)


class Facings:
    """Gathered discs whose way of looking is known, and drawings turned by a known angle."""

    outputs, side = 2, DISC_SIDE

    def __init__(self, paths: list[str]) -> None:
        ways = headings(BOARD)
        self.turns = np.radians([angle - ways[facing_at_start()] for angle in ways.values()])
        self.items = []
        for _, entry in gathered(paths):
            for picture, _, label, _, hidden, facing in entry["discs"]:
                if facing is not None and label >= 0 and not hidden:
                    self.items.append((entry["faces"][label // 2], picture, label % 2, facing))

    def batch(
        self, rng: np.random.Generator, cell_features: int
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        seen, taught, faces, answers = [], [], [], []
        for index in rng.integers(len(self.items), size=cell_features):
            face, picture, side, want = self.items[int(index)]
            spin = rng.uniform(0, 2 * np.pi)  # both turned alike: no direction is special
            seen.append(crop(picture, tuple(rng.normal(0, 0.3, 2)), spin, DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM))
            for way in self.turns:
                turn = way + spin + rng.normal(0, 0.04)
                taught.append(crop(face, (0.0, 0.0), float(turn), DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM))
            faces.append(side)
            answers.append(want)
        return as_planes(seen), as_planes(taught), torch.tensor(faces), torch.tensor(answers)

    @staticmethod
    def made(maker: Maker, cell_features: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """The same of drawings of the bank."""
        rng = maker.rng
        copies, who, face = (rng.integers(top, size=cell_features) for top in (len(maker.faces), 8, 2))
        turn = torch.rand(cell_features) * 6.2832
        a = planes(maker.render(maker.faces[copies, who, face], maker.radius[copies], turn, "disc", False))
        answer = rng.integers(6, size=cell_features)
        steps = (torch.arange(6).repeat(cell_features) - torch.from_numpy(np.repeat(answer, 6))) * (np.pi / 3)
        bent = turn.repeat_interleave(6) + steps + torch.randn(cell_features * 6) * 0.05
        again, whose = np.repeat(copies, 6), np.repeat(who, 6)
        b = planes(maker.render(maker.faces[again, whose, 0], maker.radius[again], bent, "disc", True))
        return a, b, torch.from_numpy(face), torch.from_numpy(answer)


def train(kind: str, bank: str, paths: list[str], out: str, steps: int, start: str | None = None) -> None:
    torch.manual_seed(3)
    rng = np.random.default_rng(4)
    maker: Maker
    if kind == "mark":
        marks, maker = Marks(paths), MarkMaker(bank, 1)
    else:
        facings, maker = Facings(paths), Maker(bank, 1)
    net = Pair(Marks.outputs if kind == "mark" else Facings.outputs)
    print(kind, "gathered", len(marks.items if kind == "mark" else facings.items))

    def exemplars(step: int, done: float) -> tuple[torch.Tensor, torch.Tensor, bool]:
        maker.hard = hardness(done, start)
        gathered = bool(step % 2)
        if isinstance(maker, MarkMaker):
            one, other, answer = marks.batch(rng, 24) if gathered else maker.pairs(40)
            logits = torch.logsumexp(net(torch.cat([one, other], 1)).reshape(len(answer), 5, -1), dim=2)
        else:
            one, other, face, answer = facings.batch(rng, 24) if gathered else Facings.made(maker, 24)
            logits = net.pairs(one, other).reshape(len(answer), 6, 2)[torch.arange(len(answer)), :, face]
        return logits, answer, gathered

    fit(net, exemplars, out, steps, start)


def export(kind: str, weights: str, out: str) -> None:
    """Trained weights to ONNX."""
    data = Marks if kind == "mark" else Facings
    to_onnx(Pair(data.outputs), weights, out, 8, data.side)


def main() -> None:
    if sys.argv[1] == "export":
        export(*sys.argv[2:5])
        return
    torch.set_num_threads(1)
    kind, *rest = (a for a in sys.argv[1:] if not a.startswith("from="))
    start = next((a[5:] for a in sys.argv if a.startswith("from=")), None)
    if kind == "bank":
        mark_bank(rest[0], int(rest[1]))
        return
    bank = rest.pop(0)
    train(kind, bank, rest[:-2], rest[-2], int(rest[-1]), start)


if __name__ == "__main__":
    main()
