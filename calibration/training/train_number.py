"""Train the plain reader's network that reads numbers: which figure, if any, stands on a tile (needs PyTorch and Pillow).

    python -m companion.calibration.training.train_number bank FILE COPIES FOLDER : spots of tiles; figures of FOLDER's fonts
    python -m companion.calibration.training.train_number train BANK OUT STEPS
    python -m companion.calibration.training.train_number export WEIGHTS OUT.onnx

``from=WEIGHTS`` among the arguments goes on from trained ones. The network compares the spot as it is seen with the same spot
of a taught tile that bears none, upright, and says which figure was added: unlike the network for marks it knows what figures
look like, so a tile that was taught in glare can still be read. Copies whose numbers are no figures teach it what it cannot.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont

from companion import boards
from companion.calibration.training.art import SCALE as ART_SCALE
from companion.calibration.training.networks import Pair, planes
from companion.calibration.training.train_fine import BANK_MM, MarkMaker
from companion.calibration.training.train_pairs import fit, hardness, to_onnx
from companion.calibration.training.wild import WildCopy
from companion.vision.plain.stacks import MARK_SIDE
from companion.vision.plain.tiles import flat_shape

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
FIGURES = 5
"""Tiles of a bank's copy: without a number, then 1 to 4."""
ANSWERS = 6
"""None, 1 to 4, and something that is no figure."""
FIRST_SEED = 300_000
STRANGE_SHARE = 0.25
"""Part of the copies whose numbers are no figures: Roman ones, dots, letters."""


def fonts(folder: str) -> list[str]:
    """Fonts whose figures 1 to 4 are drawn, and all differ."""
    found = []
    for path in sorted([*Path(folder).rglob("*.ttf"), *Path(folder).rglob("*.otf")]):
        try:
            shapes = [_figure(str(path), text, 40).tobytes() for text in "1234" + chr(0xE123)]
        except (OSError, ValueError):
            continue
        if len(set(shapes)) == FIGURES:
            found.append(str(path))
    return found


def _figure(font: str, text: str, tall: int) -> np.ndarray:
    """A figure's coverage (H×W, 0..255), as high as its box."""
    drawn = ImageFont.truetype(font, tall * 2)
    box = drawn.getbbox(text)
    image = Image.new("L", (max(1, box[2] - box[0]), max(1, box[3] - box[1])))
    ImageDraw.Draw(image).text((-box[0], -box[1]), text, fill=255, font=drawn)
    size = max(2, round(image.width * tall / image.height)), tall
    return np.asarray(image.resize(size, Image.Resampling.LANCZOS))


class NumberedTiles(WildCopy):
    """The tiles of a made-up copy, with figures of any font; ``told`` says where the number stands and how it is turned."""

    types: tuple[str, ...] = ()
    strange = False
    """Whether the numbers are to be anything but figures."""

    def __post_init__(self) -> None:
        wide, _ = self.pieces.groups["gaslights"].size_mm
        self.told, self.written = (np.array([wide / 4 + 3.6, 6.0]), 0.0), False
        self._tiles(np.random.default_rng(self.seed))

    def _write(self, image, label, spot, writing, font, bold, tall, spin, colour) -> None:  # type: ignore[no-untyped-def]
        self.told, self.written = (spot, float(spin)), True
        own = np.random.default_rng(self.seed + 91)
        text = str(label)
        if self.strange:
            how = int(own.integers(3))
            if how < 2:
                super()._write(image, label, spot, how + 1, font, bold, tall, spin, colour)
                return
            text = "".join(own.permutation(list("ABCDEFGHJKLMNPRSTUVWXYZabdefghknpqrtyαβγδ&*+?#")))[label - 1]
        elif own.uniform() < 0.3:  # a plotter's figures
            super()._write(image, label, spot, 0, font, bold, tall, spin, colour)
            return
        shape = _figure(self.types[int(own.integers(len(self.types)))], text, max(6, round(tall * ART_SCALE)))
        layer = np.zeros((round(14 * ART_SCALE),) * 2, np.uint8)
        h, w = shape.shape
        y, x = (layer.shape[0] - h) // 2, (layer.shape[1] - w) // 2
        if y < 0 or x < 0:
            return
        layer[y : y + h, x : x + w] = shape
        move: np.ndarray = cv2.getRotationMatrix2D((layer.shape[1] / 2, layer.shape[0] / 2), -float(spin), 1.0)
        move[:, 2] += spot * ART_SCALE - np.array(layer.shape[::-1]) / 2
        alpha = cv2.warpAffine(layer, move, (image.shape[1], image.shape[0]))[..., None] / 255.0
        image[:] = np.clip(image * (1 - alpha) + np.array(colour) * alpha, 0, 255).astype(np.uint8)


def bank(path: str, count: int, folder: str) -> None:
    """Draw the numbers' spots of many made-up copies, upright: copies × figures × side × side × (blue, green, red, tile)."""
    NumberedTiles.types = tuple(fonts(folder))
    strange = round(count * STRANGE_SHARE)
    print(len(NumberedTiles.types), "fonts")
    group = PIECES.groups["gaslights"]
    side = 2 * round(BANK_MM * ART_SCALE / 2)
    names: dict[int, str] = {}
    for piece in PIECES.in_group("gaslights"):
        names.setdefault(piece.label if isinstance(piece.label, int) else 0, piece.id)
    wide, high = group.size_mm
    seed = FIRST_SEED - 1
    out = np.zeros((count, FIGURES, side, side, 4), np.uint8)
    for index in range(count):
        NumberedTiles.strange = index < strange
        seed = seed + 1
        while not (copy := NumberedTiles(BOARD, PIECES, seed)).written and NumberedTiles.strange:
            seed += 1  # this copy has the ordinary tiles, whose numbers are figures always
        tiles = np.stack([copy.faces[names[figure], None] for figure in range(FIGURES)])
        ys, xs = np.mgrid[0 : tiles.shape[1], 0 : tiles.shape[2]]
        mm = np.stack([xs / ART_SCALE - wide / 2, ys / ART_SCALE - high / 2], axis=-1)
        edge = flat_shape(group).size_mm[1] / 2
        hexagon = np.all([np.abs(mm @ [np.cos(d), np.sin(d)]) <= edge for d in np.radians([90, 150, 210])], axis=0)
        whole = np.concatenate([tiles, np.repeat((hexagon * 255).astype(np.uint8)[None, ..., None], FIGURES, 0)], axis=-1)
        spot, spin = copy.told
        move: np.ndarray = cv2.getRotationMatrix2D((float(spot[0] * ART_SCALE), float(spot[1] * ART_SCALE)), spin, 1.0)
        move[:, 2] += side / 2 - spot * ART_SCALE
        out[index] = [cv2.warpAffine(one, move, (side, side), flags=cv2.INTER_LINEAR) for one in whole]
    np.save(path, out)


class NumberMaker(MarkMaker):
    """What is seen and what was taught of tiles of one copy, the taught one without a number."""

    def pairs(self, cell_features: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Stacks of both (cell features × 8 × side × side in two), and which figure it is."""
        rng = self.rng
        copies, figure = rng.integers(len(self.spots), size=cell_features), rng.integers(FIGURES, size=cell_features)
        turn = torch.randn(cell_features) * 0.15  # the figures stand upright, as nearly as the search for that finds
        strange = (copies < round(len(self.spots) * STRANGE_SHARE)) & (figure > 0)
        turn = torch.where(torch.from_numpy(strange), torch.rand(cell_features) * 6.2832, turn)  # whichever way round
        a = planes(self.shown(self.spots[copies, figure], turn, 0.4, False))
        b = planes(self.shown(self.spots[copies, 0], turn + torch.randn(cell_features) * 0.04, 0.4, True))
        return a, b, torch.from_numpy(np.where(strange, ANSWERS - 1, figure))


def train(path: str, out: str, steps: int, start: str | None) -> None:
    """Train on drawings alone."""
    torch.manual_seed(5)
    maker, net = NumberMaker(path, 7), Pair(ANSWERS)

    def exemplars(step: int, done: float) -> tuple[torch.Tensor, torch.Tensor, bool]:
        maker.hard = hardness(done, start)
        one, other, answer = maker.pairs(96)
        return net(torch.cat([one, other], 1)), answer, False

    fit(net, exemplars, out, steps, start)


def main() -> None:
    """Bank, train or export."""
    torch.set_num_threads(1)
    what, *rest = (word for word in sys.argv[1:] if not word.startswith("from="))
    start = next((word[5:] for word in sys.argv if word.startswith("from=")), None)
    if what == "bank":
        bank(rest[0], int(rest[1]), rest[2])
    elif what == "train":
        train(rest[0], rest[1], int(rest[2]), start)
    else:
        to_onnx(Pair(ANSWERS), rest[0], rest[1], 8, MARK_SIDE)


if __name__ == "__main__":
    main()
