"""Made-up unmodified copies of Letters from Whitechapel: what families of copies are made of, and the colours of one copy.

A family says what print, tokens and pawns are made of; a copy is a family with a seed. Textures are photographs (the data of
scikit-image, ``WHITECHAPEL_TEXTURES`` names their folder; ``SKIMAGE_DATA`` where it is installed), or noise where there are
none. ``KEPT`` families are judged and never looked at while a reader is tuned.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import boards
from companion.games.letters_from_whitechapel.names import ID

BOARD = boards.load(ID)
PIECES = boards.load_pieces(ID)
Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
DEVELOPED, KEPT = ("lithograph", "engraved"), ("photograph", "pastel")
FAMILIES = (*DEVELOPED, *KEPT)
POLICE = {"blue": 112, "yellow": 25, "brown": 11, "red": 178, "green": 68}
"""Hue (OpenCV, 0..179) of each policeman."""


@dataclass(frozen=True)
class Family:
    """What a family's copies are made of. Photographs by name; ``light``: mean grey level of the print; ``contrast``: of its
    texture; ``vivid``: saturation of pawns and tokens; ``form``: profile of pawns; ``glossy``: a highlight on them."""

    prints: tuple[str, ...]
    tokens: tuple[str, ...]
    light: tuple[float, float]
    contrast: float
    vivid: float
    form: str
    glossy: float


LOOKS = {
    "lithograph": Family((), (), (165, 205), 9.0, 0.75, "cone", 0.0),
    "engraved": Family(
        ("brick", "page", "text", "gravel"), ("coins", "camera", "clock_motion"), (75, 115), 26.0, 0.6, "turned", 0.35
    ),
    "photograph": Family(
        ("hubble_deep_field", "retina", "ihc", "coffee"), ("astronaut", "chelsea", "rocket", "coffee"), (105, 150), 30.0, 0.7,
        "peg", 0.2,
    ),
    "pastel": Family(
        ("grass", "moon", "cell", "motorcycle_left"), ("motorcycle_right", "horse", "moon", "ihc"), (150, 190), 16.0, 0.42,
        "turned", 0.5,
    ),
}  # fmt: skip
FORMS = {
    "cone": ((0.0, 1.0), (0.08, 1.0), (0.62, 0.42), (0.66, 0.5), (0.74, 0.62), (0.85, 0.66), (0.95, 0.45), (1.0, 0.1)),
    "turned": (
        (0.0, 1.0), (0.12, 0.95), (0.2, 0.6), (0.5, 0.45), (0.58, 0.75), (0.62, 0.5), (0.72, 0.7), (0.86, 0.68), (1.0, 0.15),
    ),
    "peg": ((0.0, 0.95), (0.1, 1.0), (0.55, 0.8), (0.6, 0.55), (0.7, 0.85), (0.85, 0.85), (0.97, 0.5), (1.0, 0.15)),
}  # fmt: skip
"""Radius (share of the foot's) by height (share of the whole)."""


@cache
def photograph(name: str) -> Floats:
    """A photograph (grey, float) by name; noise where there is none."""
    for folder in (os.environ.get("WHITECHAPEL_TEXTURES", ""), os.environ.get("SKIMAGE_DATA", "")):
        for file in Path(folder).glob(f"{name}.*") if folder else ():
            image = cv2.imread(str(file), cv2.IMREAD_COLOR)
            if image is not None:
                return image.astype(np.float32)
    noise = np.random.default_rng(crc32(name.encode())).normal(128, 60, (64, 64, 3)).astype(np.float32)
    return np.asarray(cv2.resize(noise, (512, 512), interpolation=cv2.INTER_CUBIC), np.float32)


@dataclass(frozen=True)
class Copy:
    """One copy: colours and drawings drawn from a seed."""

    family: str
    seed: int

    @property
    def look(self) -> Family:
        return LOOKS[self.family]

    def rng(self, what: str) -> np.random.Generator:
        """Chance for one thing, the same every time."""
        return np.random.default_rng([crc32(f"{self.family} {what}".encode()), self.seed])

    def height(self, group: str) -> float:
        """How tall (mm) a group's pawns are: within what the board file allows."""
        return PIECES.groups[group].height_mm + float(self.rng("height").uniform(-2.5, 2.5))

    def pawn_colour(self, piece: str) -> tuple[float, float, float]:
        """Blue, green, red of a pawn's paint."""
        group, rng = PIECES.group_of(piece).key, self.rng(f"pawn {piece}")
        if group == "police":
            name = piece.partition("-")[2]
            hue = (POLICE[name] + rng.uniform(-4, 4)) % 180
            vivid = self.look.vivid * (0.8 if name == "brown" else 1.0)
            bright = {"brown": 90, "yellow": 215, "blue": 150, "red": 170, "green": 130}[name] + rng.uniform(-18, 18)
            return hsv(hue, 255 * min(1.0, vivid * rng.uniform(0.9, 1.15)), bright)
        shared = self.rng(f"pawn {group if group == 'wretched' else 'jack'}")
        bright = shared.uniform(195, 225) if group == "wretched" else shared.uniform(28, 48)
        return hsv(shared.uniform(10, 30), shared.uniform(8, 35), bright)


def hsv(hue: float, saturation: float, value: float) -> tuple[float, float, float]:
    """Blue, green, red of a hue (OpenCV, 0..179), saturation and value (0..255)."""
    pixel = np.array([[[hue % 180, np.clip(saturation, 0, 255), np.clip(value, 0, 255)]]], np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)


def texture(rng: np.random.Generator, names: Sequence[str], size: tuple[int, int], contrast: float) -> Floats:
    """Light and colour of a photograph about nothing, spread over a sheet."""
    if names:
        picture = photograph(str(rng.choice(names)))
        how = cv2.INTER_AREA if picture.shape[0] > size[0] else cv2.INTER_CUBIC
        picture = np.asarray(cv2.resize(picture, size[::-1], interpolation=how), np.float32)
    else:
        coarse = rng.normal(0, 1, (size[0] // 60, size[1] // 60, 3)).astype(np.float32)
        picture = np.asarray(cv2.resize(coarse, size[::-1], interpolation=cv2.INTER_CUBIC), np.float32)
        grain = rng.normal(0, 1, (size[0] // 4, size[1] // 4, 1)).astype(np.float32)
        picture = picture + cv2.resize(grain, size[::-1], interpolation=cv2.INTER_CUBIC)[..., None]
    picture = picture - picture.mean(axis=(0, 1))
    return np.asarray(picture / max(1.0, float(picture.std())) * contrast, np.float32)
