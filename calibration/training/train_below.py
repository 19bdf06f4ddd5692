"""Train the network that tells what lies below a disc where tiles have sides: ``companion/vision/plain/below.onnx``.

    python -m companion.calibration.training.train_below gather FIRST LAST FOLDER : patches of made-up copies of New York
    python -m companion.calibration.training.train_below train FOLDER OUT STEPS [from=PT] : patches -> weights (needs torch)
    python -m companion.calibration.training.train_below export PT ONNX

Each example is what a disc leaves in sight of a place: of real discs, or of places in sight, bare print and pasted tiles with a
disc and its shadows laid over them. Of several lamps every shadow has its own colour, length and softness. The answer is bare
print, a tile whose edge has the given colour, or anything else. Seeds 8300 to 8323 were used; to judge, take others.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.calibration.training.fit_new_york import TILES, opened, rows
from companion.calibration.training.new_york_stickers import PIECES
from companion.vision.plain import side_measures
from companion.vision.plain.stacks import PLACE_MM, PLACE_SIDE, coded, crop
from companion.vision.plain.tiles import edge_colour, flat_shape

SCALE = 1.5
"""Samples per millimetre of gathered patches."""
SHAPE = flat_shape(TILES)


def gather(first: int, last: int, folder: Path) -> None:
    """Patches of the places of six positions of every copy, with what lies there; one file each."""
    for seed, reader, shown in opened(first, last):
        places: list[tuple[Any, ...]] = []
        for state, picture in shown:
            kept: list[side_measures.PlacePatch] = []
            found = [row for row in rows(reader, state, picture, kept) if row[0] != "strip"]
            places += [
                (situation, truth, small(one.seen), small(one.bare), None if one.hidden is None else small_mask(one.hidden))
                for (situation, _, truth, _, more), one in zip(found, kept, strict=True)
                if situation != "lone" and not more.get("flat") and not (more["disc"] and situation == "open")
            ]
        exemplars = reader._sides.looks.taught[TILES.key]
        tiles = [
            (face, coded(patch), flat.at_mm)
            for face, patch, flat in zip(exemplars.faces, exemplars.patches, exemplars.exemplars, strict=True)
        ]
        (folder / f"b{seed}.pkl").write_bytes(pickle.dumps({"places": places, "tiles": tiles}))
        print(seed, len(places), flush=True)


def small(patch: np.ndarray) -> np.ndarray:
    """A patch as the network sees it, in bytes."""
    return crop(coded(patch), (0.0, 0.0), 0.0, PLACE_SIDE, PLACE_MM, SCALE)


def small_mask(mask: np.ndarray) -> np.ndarray:
    """A mask at the same samples."""
    shown = np.repeat(mask[..., None].astype(np.uint8) * 255, 3, 2)
    return crop(shown, (0.0, 0.0), 0.0, PLACE_SIDE, PLACE_MM, SCALE)[..., 0] > 64


# --- examples ---------------------------------------------------------------------------------------------------------------

X, Y = np.meshgrid(*2 * [(np.arange(PLACE_SIDE) - (PLACE_SIDE - 1) / 2) * PLACE_MM / PLACE_SIDE])
RADIUS = 15.0
STRIPS_SHARE = 0.3
"""Part of the examples made of places in sight over which a strip is laid, not a disc."""


class Below:
    """Gathered copies, and examples made of them."""

    def __init__(self, folder: Path) -> None:
        self.copies = []
        for path in sorted(folder.glob("b*.pkl")):
            data = pickle.loads(path.read_bytes())
            sides = list(dict.fromkeys(face for face, *_ in data["tiles"]))
            colours = {s: edge_colour([(p, at) for face, p, at in data["tiles"] if face == s], SHAPE, SCALE) for s in sides}
            known = [one for one in data["places"] if one[1] is None or one[1] in colours]
            covered = [one for one in known if one[0] == "covered"]
            lying = [one for one in known if one[0] == "open" and one[1] is not None]
            self.copies.append((colours, data["tiles"], covered, lying, known))

    def example(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
        """What is seen, the bare print (bytes), what is hidden, the colour asked about, the answer."""
        colours, tiles, covered, lying, known = self.copies[int(rng.integers(len(self.copies)))]
        what = rng.uniform()
        if what < 0.35 and covered:
            some = [one for one in covered if (one[1] is None) == (rng.uniform() < 0.5)] or covered
            _, truth, seen, bare, mask = some[int(rng.integers(len(some)))]
            seen, mask = seen.astype(np.float32), mask.astype(np.float32)
        else:
            if what < 0.6 and lying:
                _, truth, seen, bare, _ = lying[int(rng.integers(len(lying)))]
            else:
                _, _, _, bare, _ = known[int(rng.integers(len(known)))]
                seen, truth = bare, None
                if rng.uniform() < 0.5:
                    face, patch, at = tiles[int(rng.integers(len(tiles)))]
                    seen, truth = pasted(rng, bare, patch, at), face
            seen, mask = (under_strip if rng.uniform() < STRIPS_SHARE else under_disc)(rng, seen)
        sides = list(colours)
        side = truth if truth is not None and rng.uniform() < 0.6 else sides[int(rng.integers(len(sides)))]
        return seen, bare, mask, colours[side], 0 if truth is None else 1 if side == truth else 2


def pasted(rng: np.random.Generator, bare: np.ndarray, patch: np.ndarray, at: tuple[float, float]) -> np.ndarray:
    """A taught tile laid on bare print, as hands lay it."""
    lies = rng.uniform(-2.2, 2.2, 2)
    turn = float(rng.integers(6)) * np.pi / 3 + rng.normal(0, 0.04)
    c, s = np.cos(turn), np.sin(turn)
    off = c * lies[0] + s * lies[1], -s * lies[0] + c * lies[1]
    tile = crop(patch, (at[0] - off[0], at[1] - off[1]), turn, PLACE_SIDE, PLACE_MM, SCALE)
    inside = np.ones(X.shape, bool)
    for k in range(3):
        a = np.radians(90 + 60 * k)
        inside &= np.abs((X - lies[0]) * np.cos(a) + (Y - lies[1]) * np.sin(a)) <= SHAPE.size_mm[1] / 2 * 0.97
    soft = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), float(rng.uniform(0.3, 1.0)))[..., None]
    return np.asarray(tile * soft + bare * (1 - soft), np.float32)


def under_disc(rng: np.random.Generator, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A disc, its wall and its shadows laid over a place: the picture, and what is taken for hidden, a little off."""
    light: np.ndarray = (picture.astype(np.float32) / 255) ** 2
    light = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.2, 0.9))) * np.exp(rng.normal(0, 0.03, light.shape))
    middle, lean, toward = rng.uniform(-4.5, 4.5, 2), rng.uniform(0, 7), rng.uniform(0, 6.3)
    for _ in range(int(rng.integers(1, 4))):
        long, aim = rng.uniform(0, 12), rng.uniform(0, 6.3)
        dark = np.clip(rng.uniform(0.35, 1.0) * np.exp(rng.normal(0, 0.15, 3)), 0.2, 1.05)
        shade = swept(middle, long, aim, RADIUS).astype(np.float32)
        soft = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(0.5, 5.0)))[..., None]
        light = light * (1 - soft * (1 - dark))
    body = cv2.GaussianBlur(swept(middle, lean, toward, RADIUS).astype(np.float32), (0, 0), 0.6)[..., None]
    light = light * (1 - body) + rng.uniform(0, 0.5, 3) * body
    mask = swept(middle + rng.normal(0, 0.5, 2), lean, toward, RADIUS + 1.0)
    return np.sqrt(np.clip(light, 0, 1)) * 255, mask.astype(np.float32)


def under_strip(rng: np.random.Generator, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of a strip that lies half on the place and half on one beside it."""
    light: np.ndarray = (picture.astype(np.float32) / 255) ** 2
    light = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.2, 0.9))) * np.exp(rng.normal(0, 0.03, light.shape))
    way = np.radians(30 + 60 * int(rng.integers(6)))
    middle, turn = 22.0 * np.array([np.cos(way), np.sin(way)]) + rng.uniform(-3, 3, 2), way + rng.normal(0, 0.07)
    dark = np.clip(rng.uniform(0.4, 1.0) * np.exp(rng.normal(0, 0.12, 3)), 0.2, 1.05)
    soft = cv2.GaussianBlur(oblong(middle + rng.uniform(-2.5, 2.5, 2), turn, 1.0), (0, 0), float(rng.uniform(0.4, 2.0)))
    light = light * (1 - soft[..., None] * (1 - dark))
    body = cv2.GaussianBlur(oblong(middle, turn, 0.0), (0, 0), 0.6)[..., None]
    light = light * (1 - body) + rng.uniform(0, 0.5, 3) * body
    return np.sqrt(np.clip(light, 0, 1)) * 255, oblong(middle + rng.normal(0, 0.4, 2), turn, 2.0)


def oblong(middle: np.ndarray, turn: float, margin: float) -> np.ndarray:
    """Where a strip lies (0 or 1), with a margin in mm."""
    long, wide = PIECES.groups["barricades"].size_mm
    along = (X - middle[0]) * np.cos(turn) + (Y - middle[1]) * np.sin(turn)
    across = (Y - middle[1]) * np.cos(turn) - (X - middle[0]) * np.sin(turn)
    return ((np.abs(along) <= long / 2 + margin) & (np.abs(across) <= wide / 2 + margin)).astype(np.float32)


def swept(middle: np.ndarray, length: float, aim: float, radius: float) -> np.ndarray:
    """A circle drawn along a way: where it was."""
    found = np.zeros(X.shape, bool)
    for k in np.linspace(0, 1, 6):
        found |= np.hypot(X - middle[0] - k * length * np.cos(aim), Y - middle[1] - k * length * np.sin(aim)) <= radius
    return found


# --- training -----------------------------------------------------------------------------------------------------------------


def train(folder: Path, out: str, steps: int, start: str | None) -> None:
    """Fit the network; needs torch, which the tests do not."""
    import torch  # noqa: PLC0415

    from companion.calibration.training.networks import Place  # noqa: PLC0415
    from companion.calibration.training.train_pairs import fit, place_planes, spoiled, spoiled_a_little  # noqa: PLC0415

    torch.set_num_threads(1)
    torch.manual_seed(5)
    data, rng, net = Below(folder), np.random.default_rng(5), Place()

    def exemplars(step: int, done: float) -> tuple[Any, Any, bool]:
        some = [data.example(rng) for _ in range(64)]
        seen, bare = (
            torch.from_numpy(np.stack([one[k] for one in some]).astype(np.float32)).permute(0, 3, 1, 2) / 255 for k in (0, 1)
        )
        mask = torch.from_numpy(np.stack([one[2] for one in some]).astype(np.float32))[:, None]
        colour = torch.from_numpy(np.stack([one[3] for one in some])).float()
        x = place_planes(spoiled(seen), spoiled_a_little(bare), mask, colour)
        for axis in (2, 3):
            if rng.uniform() < 0.5:
                x = x.flip(axis)
        return net(x), torch.tensor([one[4] for one in some]), True

    fit(net, exemplars, out, steps, start, decay=3e-3)


def main() -> None:
    """Gather, train or export."""
    if sys.argv[1] == "gather":
        gather(int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    elif sys.argv[1] == "train":
        start = next((a[5:] for a in sys.argv if a.startswith("from=")), None)
        train(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), start)
    else:
        from companion.calibration.training.networks import Place  # noqa: PLC0415
        from companion.calibration.training.train_pairs import to_onnx  # noqa: PLC0415

        to_onnx(Place(), sys.argv[2], sys.argv[3], 12, PLACE_SIDE)


if __name__ == "__main__":
    main()
