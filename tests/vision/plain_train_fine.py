# ruff: noqa: E402, E501, N812 - drawing and fitting scripts: long lists of strokes and numbers
"""Train the plain reader's two networks for fine points: the number on a tile, and the way a piece looks (needs PyTorch).

    python tests/vision/plain_train_fine.py mark GATHERED… OUT SECONDS
    python tests/vision/plain_train_fine.py facing BANK GATHERED… OUT SECONDS
    python tests/vision/plain_train_fine.py export mark|facing WEIGHTS OUT.onnx

``from=WEIGHTS`` among the arguments goes on from trained ones. Both compare what is seen with every answer there is (all labels, all directions), so they only learn what tells those apart.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from plain_net import facing_at_start
from plain_networks import Pair, planes
from plain_train import BATCH_SHARE, PATCH_SCALE, Maker, spoiled, tables

from companion import boards
from companion.vision.plain.evidence import headings
from companion.vision.plain.stacks import BRIGHTEST, DISC_MM, DISC_SIDE, MARK_SIDE, crop, mark_pair
from companion.vision.plain.tiles import flat_shape, set_apart

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")


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
        shape = flat_shape(PIECES.groups["gaslights"])
        self.items = []
        for _, entry in tables(paths):
            coded = entry["lessons"]["gaslights"]
            if len({label for label, _, _ in coded}) < 2:
                continue
            taught = [(label, (patch.astype(np.float32) / 255) ** 2 * BRIGHTEST, at) for label, patch, at in coded]
            marks = [lesson.mark_mm for lesson in set_apart(taught, shape, PATCH_SCALE)]
            lessons = [(label, patch, at, mark) for (label, patch, at), mark in zip(coded, marks, strict=True)]
            for _, seen, _, _, poses, want, *_ in entry["flats"]:
                if poses is not None and any(label == want for label, _, _ in coded):
                    self.items.append((lessons, seen, poses, want))

    def batch(self, rng: np.random.Generator, clues: int, turns: int = 2) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Pairs (clues·labels·turns), and which label is right."""
        seen_rows, taught_rows, answers = [], [], []
        while len(answers) < clues:
            lessons, seen, poses, want = self.items[int(rng.integers(len(self.items)))]
            order = rng.permutation(len(lessons))
            chosen: dict[str, int] = {}
            for i in order:
                chosen.setdefault(lessons[i][0], int(i))
            if len(chosen) != 5:
                continue
            slip = rng.normal(0, 0.4, 2)
            for i in chosen.values():
                _, patch, at, mark = lessons[i]
                for k in range(turns):
                    turn = float(poses[1][i][k]) + rng.normal(0, 0.03)
                    offset = poses[0][0] + slip[0], poses[0][1] + slip[1]
                    one, other = mark_pair(seen, offset, turn, patch, at, mark, PATCH_SCALE)
                    seen_rows.append(one)
                    taught_rows.append(other)
            answers.append(list(chosen).index(want))
        return as_planes(seen_rows), as_planes(taught_rows), torch.tensor(answers)


class Facings:
    """Gathered discs whose way of looking is known, and drawings turned by a known angle."""

    outputs, side = 2, DISC_SIDE

    def __init__(self, paths: list[str]) -> None:
        ways = headings(BOARD)
        self.turns = np.radians([angle - ways[facing_at_start()] for angle in ways.values()])
        self.items = []
        for _, entry in tables(paths):
            for picture, _, label, _, hidden, facing in entry["discs"]:
                if facing is not None and label >= 0 and not hidden:
                    self.items.append((entry["faces"][label // 2], picture, label % 2, facing))

    def batch(self, rng: np.random.Generator, clues: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        seen, taught, faces, answers = [], [], [], []
        for index in rng.integers(len(self.items), size=clues):
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
    def made(maker: Maker, clues: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """The same of drawings of the bank."""
        rng = maker.rng
        copies, who, face = (rng.integers(top, size=clues) for top in (len(maker.faces), 8, 2))
        turn = torch.rand(clues) * 6.2832
        a = planes(maker.render(maker.faces[copies, who, face], maker.radius[copies], turn, "disc", False))
        answer = rng.integers(6, size=clues)
        steps = (torch.arange(6).repeat(clues) - torch.from_numpy(np.repeat(answer, 6))) * (np.pi / 3)
        bent = turn.repeat_interleave(6) + steps + torch.randn(clues * 6) * 0.05
        again, whose = np.repeat(copies, 6), np.repeat(who, 6)
        b = planes(maker.render(maker.faces[again, whose, 0], maker.radius[again], bent, "disc", True))
        return a, b, torch.from_numpy(face), torch.from_numpy(answer)


def train(kind: str, bank: str | None, paths: list[str], out: str, seconds: float, start: str | None = None) -> None:
    torch.manual_seed(3)
    rng = np.random.default_rng(4)
    data = Marks(paths) if kind == "mark" else Facings(paths)
    maker = Maker(bank, 1) if bank else None
    net = Pair(data.outputs)
    if start is not None:
        net.load_state_dict(torch.load(start))
    print(kind, "gathered", len(data.items), "weights", sum(p.numel() for p in net.parameters()), flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    begin, step, shown = time.time(), 0, []
    while time.time() - begin < seconds:
        done = (time.time() - begin) / seconds
        net.train(done < BATCH_SHARE)
        for group in optimiser.param_groups:
            group["lr"] = 4e-3 * min(1, (step + 1) / 60) * (1 - done) ** 1.2 + 2e-5
        own = True
        if kind == "mark":
            one, other, answer = data.batch(rng, 24)
            logits = torch.logsumexp(net(torch.cat([one, other], 1)).reshape(len(answer), 5, 2), dim=2)
        else:
            own = bool(step % 2)
            if maker is not None:
                maker.hard = min(1.0, 0.1 + 2 * done)
            one, other, face, answer = data.batch(rng, 24) if own or maker is None else Facings.made(maker, 24)
            scores = net.pairs(one, other).reshape(len(answer), 6, 2)
            logits = scores[torch.arange(len(answer)), :, face]
        loss = F.cross_entropy(logits, answer)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        shown.append((float(loss.detach()), float((logits.argmax(1) == answer).float().mean()), own))
        step += 1
        if step % 100 == 0:
            for o in (False, True):
                part = [s[:2] for s in shown[-200:] if s[2] == o]
                if part:
                    print(
                        step,
                        "gathered" if o else "made",
                        np.round(np.mean(part, axis=0), 4),
                        f"{time.time() - begin:.0f} s",
                        flush=True,
                    )
            torch.save(net.state_dict(), out)
    torch.save(net.state_dict(), out)


def export(kind: str, weights: str, out: str) -> None:
    """Trained weights to ONNX, for any number of stacks at once."""
    data = Marks if kind == "mark" else Facings
    net = Pair(data.outputs)
    net.load_state_dict(torch.load(weights))
    torch.onnx.export(
        net.eval(), (torch.zeros(2, 8, data.side, data.side),), out, input_names=["stack"], output_names=["score"],
        dynamic_axes={"stack": {0: "n"}, "score": {0: "n"}}, opset_version=17, dynamo=False,
    )  # fmt: skip


def main() -> None:
    if sys.argv[1] == "export":
        export(*sys.argv[2:5])
        return
    torch.set_num_threads(1)
    kind, *rest = (a for a in sys.argv[1:] if not a.startswith("from="))
    start = next((a[5:] for a in sys.argv if a.startswith("from=")), None)
    bank = rest.pop(0) if kind == "facing" else None
    train(kind, bank, rest[:-2], rest[-2], float(rest[-1]), start)


if __name__ == "__main__":
    main()
