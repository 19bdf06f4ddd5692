"""Train the plain reader's network for the white wedge of a piece that looks somewhere (needs PyTorch).

    python -m companion.calibration.training.train_wedge bank FILE COPIES            drawings with wedges of many made-up copies
    python -m companion.calibration.training.train_wedge train BANK GATHERED… OUT STEPS
    python -m companion.calibration.training.train_wedge export WEIGHTS OUT.onnx

It sees one disc, turned so that some way lies to the right, and says how much the disc looks that way, against its having no
wedge at all (0): for pieces of which too little was made out when they were taught. ``from=WEIGHTS`` among the arguments goes
on from trained ones.
"""

from __future__ import annotations

import sys

import cv2
import numpy as np
import torch
from torch import nn

from companion import boards
from companion.calibration.training.art import SCALE, Copy, bgr, line, poly, px
from companion.calibration.training.gathered import gathered
from companion.calibration.training.networks import layer, planes
from companion.calibration.training.train_fine import as_planes
from companion.calibration.training.train_pairs import DENSE, Maker, centred, fit, hardness, to_onnx
from companion.calibration.training.wild import WildCopy
from companion.vision.plain.evidence import headings
from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, crop

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
WAYS = np.radians(list(headings(BOARD).values()))
SLACK, SLIP_MM = 0.08, 0.9
"""Radians by which a disc is turned besides, and how far beside its middle it is looked at."""


WITHOUT = 0.4
"""Part of the training on discs that look nowhere."""


class Wedge(nn.Module):
    """Does what is printed on a disc look to the right?"""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *layer(4, 12, 5, 2), *layer(12, 16, 3, 2), *layer(16, 16, 3, 1), *layer(16, 24, 3, 2), *layer(24, 24, 3, 1)
        )
        self.out = nn.Linear(24 * 36, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(self.body(x).flatten(1))


def wedged(face: np.ndarray, radius: float, rng: np.random.Generator) -> np.ndarray:
    """A face with a light wedge of some shape that points to the right."""
    image, r = face.copy(), radius
    c = np.array([r, r])
    half = np.radians(rng.uniform(16, 42))
    angles = np.linspace(-half, half, 20)
    inner, outer = rng.uniform(0.0, 0.35) * r, r * rng.choice([rng.uniform(0.82, 0.95), 1.02])
    fan = np.vstack([c + np.array([inner, 0]), c + outer * np.column_stack([np.cos(angles), np.sin(angles)])])
    paint = bgr(rng.uniform(0.08, 0.2), rng.uniform(0, 0.45 if rng.uniform() < 0.2 else 0.12), rng.uniform(0.75, 1.0))
    poly(image, fan, paint)
    ink, thick = (25, 22, 20), rng.uniform(0.3, 0.9)
    if rng.uniform() < 0.6:
        cv2.polylines(image, [px(fan)], True, ink, max(1, round(thick * SCALE)), cv2.LINE_AA, 4)
    if rng.uniform() < 0.75:
        tip = rng.uniform(0.7, 0.92)
        line(image, c + r * np.array([rng.uniform(0.35, 0.55), 0]), c + r * np.array([tip - 0.07, 0]), ink, thick)
        wide = rng.uniform(0.06, 0.14)
        poly(image, c + r * np.array([(tip, 0), (tip - 0.16, -wide), (tip - 0.16, wide)]), ink)
    return image


def bank(path: str, count: int) -> None:
    """Draw faces of many copies: copies × (with a wedge, without) × two sides, and each one's radius (mm)."""

    class Faces(WildCopy):
        def _board(self, rng: np.random.Generator) -> np.ndarray:
            return np.zeros((4, 4, 3), np.uint8)

        def _tiles(self, rng: np.random.Generator) -> None:
            pass

    class Plain(Copy):
        _board, _tiles = Faces._board, Faces._tiles

    movable = PIECES.in_group("characters")
    side = round(DISC_MM * DENSE)
    faces, radius = np.zeros((count, 2, 2, side, side, 3), np.uint8), np.zeros(count, np.float32)
    for index in range(count):
        seed = 300_000 + index
        rng = np.random.default_rng(seed)
        copy = (Plain if index % 3 == 0 else Faces)(BOARD, PIECES, seed)
        radius[index] = copy.radius
        own = rng.uniform() < 0.4  # the copy's own wedge; else another one over somebody else's face
        some = [piece for piece in movable if piece.facing == own]
        piece, without = some[rng.integers(len(some))], rng.choice([piece.id for piece in movable if not piece.facing])
        for k, face in enumerate(piece.faces):
            picture = copy.faces[piece.id, face]
            if not own:
                picture = wedged(picture, copy.radius, np.random.default_rng(seed + 1))
            faces[index, 0, k] = centred(picture, 2 * copy.radius, side)
            faces[index, 1, k] = centred(copy.faces[str(without), face], 2 * copy.radius, side)
    np.savez(path, faces=faces, radius=radius)


class Wedges(Maker):
    """Discs out of the bank, each seen from six sides."""

    def __init__(self, path: str, seed: int) -> None:
        data = np.load(path)
        self.faces, self.radius = data["faces"], data["radius"]
        self.rng = np.random.default_rng(seed)
        self.hard = 1.0
        torch.manual_seed(seed)

    def batch(self, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Planes (6·count × 4×…) and which of its six is right for each, from 1 on; 0 for none."""
        rng = self.rng
        copies, face = rng.integers(len(self.faces), size=count), rng.integers(2, size=count)
        without = (rng.uniform(size=count) < WITHOUT).astype(int)
        turn = torch.rand(count) * 6.2832
        seen = self.render(self.faces[copies, without, face], self.radius[copies], turn, "disc", False)
        pictures = (seen.permute(0, 2, 3, 1).numpy() * 255).round().astype(np.uint8)
        answer = rng.integers(6, size=count)
        rows = []
        for picture, t, a in zip(pictures, turn, answer, strict=True):
            slip = tuple(rng.normal(0, SLIP_MM, 2))
            for k in range(6):
                back = -float(t) - (k - a) * np.pi / 3 + rng.normal(0, SLACK)
                rows.append(crop(picture, slip, back, DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM))
        return planes(torch.from_numpy(np.stack(rows)).permute(0, 3, 1, 2).float() / 255), torch.from_numpy(
            np.where(without, 0, answer + 1)
        )


class Gathered:
    """Discs out of whole pictures: of which it is known which way they look, and others that look nowhere."""

    def __init__(self, paths: list[str]) -> None:
        every = [disc for _, entry in gathered(paths) for disc in entry["discs"] if not disc[4]]
        self.items = [(picture, facing + 1) for picture, _, label, *_, facing in every if facing is not None and label >= 0]
        self.others = [(picture, 0) for picture, _, label, *_, facing in every if facing is None and label >= 0]

    def batch(self, rng: np.random.Generator, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        rows, answers = [], []
        for _ in range(count):
            some = self.others if rng.uniform() < WITHOUT else self.items
            picture, want = some[int(rng.integers(len(some)))]
            slip = tuple(rng.normal(0, SLIP_MM, 2))
            for way in WAYS:
                turn = -float(way) + rng.normal(0, SLACK / 2)
                rows.append(crop(picture, slip, turn, DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM))
            answers.append(want)
        return as_planes(rows), torch.tensor(answers)


def train(bank_path: str, paths: list[str], out: str, steps: int, start: str | None) -> None:
    torch.manual_seed(3)
    rng = np.random.default_rng(4)
    maker, real = Wedges(bank_path, 1), Gathered(paths)
    net = Wedge()
    print("gathered", len(real.items))

    def exemplars(step: int, done: float) -> tuple[torch.Tensor, torch.Tensor, bool]:
        maker.hard = hardness(done, start)
        gathered = bool(step % 3 == 2 and real.items)
        x, answer = real.batch(rng, 16) if gathered else maker.batch(16)
        ways = net(x).reshape(-1, 6)
        return torch.cat([torch.zeros(len(ways), 1), ways], 1), answer, gathered

    fit(net, exemplars, out, steps, start)


def main() -> None:
    kind, *rest = (a for a in sys.argv[1:] if not a.startswith("from="))
    start = next((a[5:] for a in sys.argv if a.startswith("from=")), None)
    if kind == "export":
        to_onnx(Wedge(), rest[0], rest[1], 4, DISC_SIDE)
        return
    torch.set_num_threads(1)
    if kind == "bank":
        bank(rest[0], int(rest[1]))
    else:
        train(rest[0], rest[1:-2], rest[-2], int(rest[-1]), start)


if __name__ == "__main__":
    main()
