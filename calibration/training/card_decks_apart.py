"""Made-up decks to judge the reading of cards by; none of them was looked at while the reader was made.

Drawing code of its own: clouds of noise with a spectrum, mosaics, printed type, gradients, silhouettes. Faces as in
``card_decks.py``.
"""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.calibration.training.card_decks import FACES, SCALE, SIZE_MM, Deck

Image = NDArray[Any]
KINDS = ("clouds", "mosaic", "type", "silhouettes", "twins")


def deck(seed: int) -> Deck:
    """The deck of a seed; its kind follows from it."""
    kind = KINDS[seed % len(KINDS)]
    style = np.random.default_rng([7, seed])
    palette = style.uniform(0, 255, (5, 3))
    rim = int(style.integers(0, 14))
    paper = style.uniform(180, 255, 3)
    drawn = [_finish(_PAINT[kind](np.random.default_rng([seed, 31, n]), palette, n), rim, paper) for n in range(FACES + 3)]
    faces = {f"face-{n}": drawn[n] for n in range(FACES)}
    pairs = []
    if kind == "twins":
        for n in (0, 2, 4, 6):
            faces[f"face-{n + 1}"] = _twin(faces[f"face-{n}"], np.random.default_rng([seed, 77, n]))
            pairs.append((f"face-{n}", f"face-{n + 1}"))
    faces["back"] = _finish(_rosette(style, palette), rim, paper)
    return Deck(f"{kind}-{seed}", faces, tuple(pairs), tuple(drawn[FACES:]))


def _grid() -> tuple[Image, Image]:
    width, height = (round(side * SCALE) for side in SIZE_MM)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return x / width, y / height


def _spectrum(rng: np.random.Generator, shape: tuple[int, int], power: float) -> Image:
    """Noise whose amplitude falls with frequency, -1 to 1."""
    fy, fx = np.fft.fftfreq(shape[0])[:, None] * shape[0], np.fft.rfftfreq(shape[1])[None] * shape[1]
    size = np.hypot(fx, fy)
    size[0, 0] = 1
    waves = (rng.normal(size=size.shape) + 1j * rng.normal(size=size.shape)) / size**power
    waves[0, 0] = 0
    found = np.fft.irfft2(waves, shape)
    return (found / np.abs(found).max()).astype(np.float32)


def _clouds(rng: np.random.Generator, palette: Image, n: int) -> Image:
    x, _ = _grid()
    share = [_spectrum(rng, x.shape, rng.uniform(1.2, 1.9)) * 3 for _ in range(3)]
    weights = np.exp(np.stack([*share, np.zeros_like(x)], axis=-1) * 2)
    weights /= weights.sum(axis=-1, keepdims=True)
    colours = palette[rng.permutation(5)[:4]] + rng.normal(0, 30, (4, 3))
    return np.clip(weights @ colours, 0, 255).astype(np.uint8)


def _mosaic(rng: np.random.Generator, palette: Image, n: int) -> Image:
    x, y = _grid()
    sites = rng.uniform(0, 1, (int(rng.integers(9, 28)), 2))
    nearest = np.argmin([(x - a) ** 2 + 1.95 * (y - b) ** 2 for a, b in sites], axis=0)
    colours = palette[rng.integers(0, 5, len(sites))] + rng.normal(0, 38, (len(sites), 3))
    image = np.clip(colours[nearest], 0, 255).astype(np.uint8)
    edges = cv2.morphologyEx(nearest.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)) > 0
    image[edges] = 25
    return image


def _type(rng: np.random.Generator, palette: Image, n: int) -> Image:
    x, _ = _grid()
    image = np.full((*x.shape, 3), np.clip(225 + rng.normal(0, 12, 3), 0, 255), np.uint8)
    ink = tuple(float(v) for v in np.clip(palette[n % 5] * 0.6, 0, 170))
    letters = "".join(chr(int(v)) for v in rng.choice(np.arange(65, 91), 2))
    cv2.putText(image, letters, (24, 190), cv2.FONT_HERSHEY_TRIPLEX, 4.2, ink, 12, cv2.LINE_AA)
    for line in range(int(rng.integers(2, 6))):
        words = "".join(chr(int(v)) if v < 123 else " " for v in rng.integers(97, 128, 14))
        cv2.putText(image, words, (22, 236 + 22 * line), cv2.FONT_HERSHEY_COMPLEX_SMALL, 0.9, (40, 40, 40), 1, cv2.LINE_AA)
    band = np.clip(palette[(n * 2 + 1) % 5], 0, 255)
    image[: int(rng.uniform(20, 60))] = band
    return image


def _silhouettes(rng: np.random.Generator, palette: Image, n: int) -> Image:
    x, y = _grid()
    ground, ink = palette[int(rng.integers(5))], palette[int(rng.integers(5))]
    image = ground * (0.75 + 0.5 * y[..., None]) + (255 - ground) * 0.35
    radii = rng.uniform(0.1, 0.3) * (1 + 0.35 * _spectrum(rng, (4, 360), 0.9)[0])
    turn = (np.degrees(np.arctan2(y - 0.5, (x - 0.5) * 0.72)) % 360).astype(int)
    inside = np.hypot((x - 0.5) * 0.72, y - 0.5) < radii[turn % 360] * rng.uniform(1.1, 1.6)
    image[inside] = ink * 0.5
    for _ in range(int(rng.integers(1, 4))):
        a, b, r = rng.uniform(0.15, 0.85), rng.uniform(0.1, 0.9), rng.uniform(0.03, 0.09)
        image[np.hypot((x - a) * 0.72, y - b) < r] = palette[int(rng.integers(5))]
    return np.clip(image, 0, 255).astype(np.uint8)


def _twin(face: Image, rng: np.random.Generator) -> Image:
    """A twin of a face: a badge, a figure, or a recoloured half."""
    found, (height, width) = face.copy(), face.shape[:2]
    kind = int(rng.integers(3))
    if kind == 0:
        a, b = int(rng.uniform(0.2, 0.6) * width), int(rng.uniform(0.2, 0.7) * height)
        cv2.rectangle(
            found,
            (a, b),
            (a + int(rng.uniform(9, 15) * SCALE), b + int(rng.uniform(7, 12) * SCALE)),
            tuple(float(v) for v in rng.uniform(0, 255, 3)),
            -1,
        )
    elif kind == 1:
        figure = str(int(rng.integers(1, 10)))
        cv2.putText(
            found,
            figure,
            (int(0.35 * width), int(0.6 * height)),
            cv2.FONT_HERSHEY_DUPLEX,
            3.0,
            (245, 245, 245),
            14,
            cv2.LINE_AA,
        )
        cv2.putText(
            found, figure, (int(0.35 * width), int(0.6 * height)), cv2.FONT_HERSHEY_DUPLEX, 3.0, (10, 10, 10), 7, cv2.LINE_AA
        )
    else:
        part = found[:, : width // 2].astype(np.float32)
        part[:] = part[..., ::-1] * 0.8 + 20
        found[:, : width // 2] = np.clip(part, 0, 255).astype(np.uint8)
    return found


def _rosette(rng: np.random.Generator, palette: Image) -> Image:
    x, y = _grid()
    turn, reach = np.arctan2(y - 0.5, (x - 0.5) * 0.72), np.hypot((x - 0.5) * 0.72, y - 0.5)
    wave = np.sin(turn * int(rng.integers(4, 14)) + 30 * reach) * np.cos(reach * rng.uniform(20, 60))
    share = (wave[..., None] + 1) / 2
    return np.clip(palette[0] * share + palette[1] * (1 - share), 0, 255).astype(np.uint8)


def _finish(image: Image, rim: int, paper: Image) -> Image:
    found = image.copy()
    if rim:
        found[:rim] = found[-rim:] = paper
        found[:, :rim] = found[:, -rim:] = paper
    return found


_PAINT: dict[str, Callable[[np.random.Generator, Image, int], Image]] = {
    "clouds": _clouds, "mosaic": _mosaic, "type": _type, "silhouettes": _silhouettes,
    "twins": lambda rng, palette, n: (_clouds, _silhouettes, _mosaic, _type)[n // 2 % 4](rng, palette, n),
}  # fmt: skip
