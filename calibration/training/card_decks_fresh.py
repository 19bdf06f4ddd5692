"""More made-up decks to judge the reading of cards by, of kinds that were drawn after the reader stood: engravings, cards full
of text, heraldry, and photographs where the environment names a folder of them (``CARD_PHOTOGRAPHS``; measured with the
pictures of scikit-image 0.26, which are no part of this project). Faces as in ``card_decks.py``.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.calibration.training.card_decks import FACES, SCALE, SIZE_MM, Deck

Image = NDArray[Any]
WIDTH, HEIGHT = (round(side * SCALE) for side in SIZE_MM)
_FONTS = (cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SIMPLEX)


def kinds() -> tuple[str, ...]:
    """The kinds of decks that can be drawn here."""
    drawn = ("engraved", "pages", "heraldry", "mixed")
    return (*drawn, "photographs") if os.environ.get("CARD_PHOTOGRAPHS") else drawn


def deck(seed: int) -> Deck:
    """The deck of a seed; its kind follows from it."""
    every = kinds()
    kind, style = every[seed % len(every)], np.random.default_rng([53, seed])
    look = _Style(style)
    rngs = [np.random.default_rng([seed, 61, n]) for n in range(FACES + 3)]
    if kind == "photographs":
        drawn = [_framed(_photograph(rng), look, rng) for rng in rngs]
    elif kind == "mixed":
        drawn = [_framed((_engraving, _page, _shield)[n % 3](rng, look), look, rng) for n, rng in enumerate(rngs)]
    else:
        drawn = [
            _framed({"engraved": _engraving, "pages": _page, "heraldry": _shield}[kind](rng, look), look, rng) for rng in rngs
        ]
    faces = {f"face-{n}": drawn[n] for n in range(FACES)}
    pairs = []
    if kind == "mixed":
        for n in (0, 3, 6):
            faces[f"face-{n + 1}"] = _variant(faces[f"face-{n}"], np.random.default_rng([seed, 83, n]))
            pairs.append((f"face-{n}", f"face-{n + 1}"))
    faces["back"] = _guilloche(style, look)
    return Deck(f"{kind}-{seed}", faces, tuple(pairs), tuple(drawn[FACES:]))


class _Style:
    """What the faces of a deck share: paper, ink, the frame, whether there is a band with a name."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.paper = rng.uniform((175, 205, 215), (235, 245, 252))
        self.ink = rng.uniform(10, 90, 3)
        self.rim = int(rng.integers(6, 18))
        self.band = rng.random() < 0.6
        self.font = _FONTS[int(rng.integers(len(_FONTS)))]


def _colour(values: Image) -> tuple[float, float, float]:
    blue, green, red = (float(value) for value in values)
    return blue, green, red


def _framed(art: Image, look: _Style, rng: np.random.Generator) -> Image:
    """A picture on its paper, with the deck's rim, and a name below where the deck has names."""
    canvas = np.full((HEIGHT, WIDTH, 3), look.paper, np.uint8)
    rim, foot = look.rim, 44 if look.band else 0
    box = (WIDTH - 2 * rim, HEIGHT - 2 * rim - foot)
    canvas[rim : rim + box[1], rim : rim + box[0]] = cv2.resize(art, box, interpolation=cv2.INTER_AREA)
    cv2.rectangle(canvas, (rim, rim), (rim + box[0], rim + box[1]), _colour(look.ink), 2)
    if look.band:
        name = _words(rng, 1, 5, 10).title()
        cv2.putText(canvas, name, (rim + 8, HEIGHT - rim - 12), look.font, 0.9, _colour(look.ink), 2, cv2.LINE_AA)
    return canvas


def _words(rng: np.random.Generator, count: int, least: int, most: int) -> str:
    lengths = rng.integers(least, most, count)
    return " ".join(
        "".join(chr(int(v)) for v in rng.choice(np.frombuffer(b"aaeeiioouurrttnnsslldmpcgbhvfykwzj", np.uint8), n))
        for n in lengths
    )


def _engraving(rng: np.random.Generator, look: _Style) -> Image:
    """Lines of one ink, the thicker the darker what they show: two hatchings over a relief of hills and a figure."""
    relief = cv2.resize(rng.normal(0, 1, (7, 5)).astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    for _ in range(int(rng.integers(2, 5))):
        a, b = rng.uniform(0.2, 0.8) * WIDTH, rng.uniform(0.2, 0.8) * HEIGHT
        reach = rng.uniform(0.12, 0.3) * WIDTH
        relief += rng.choice([-2.5, 2.5]) * np.exp(
            -((((x - a) / reach) ** 2 + ((y - b) / (reach * rng.uniform(0.6, 2))) ** 2) ** 2)
        )
    dark = 1 / (1 + np.exp(relief))
    image = np.full((HEIGHT, WIDTH, 3), look.paper, np.float32)
    for turn in rng.uniform(0, np.pi, 2):
        spacing = rng.uniform(6, 11)
        phase = (x * np.cos(turn) + y * np.sin(turn) + 3 * relief) / spacing
        line = np.clip((dark - np.abs(phase % 1 - 0.5) * 2) * spacing / 2 + 0.5, 0, 1)[..., None]
        image = image * (1 - 0.9 * line) + look.ink * 0.9 * line
    return np.clip(image, 0, 255).astype(np.uint8)


def _page(rng: np.random.Generator, look: _Style) -> Image:
    """A heading and paragraphs, here and there a rule or a dropped capital."""
    image = np.full((HEIGHT, WIDTH, 3), look.paper, np.uint8)
    ink = _colour(look.ink)
    cv2.putText(image, _words(rng, 1, 4, 8).upper(), (14, 46), look.font, rng.uniform(1.0, 1.5), ink, 3, cv2.LINE_AA)
    top = 74
    while top < HEIGHT - 30:
        size, lines = rng.uniform(0.45, 0.75), int(rng.integers(2, 6))
        left = 12 + (int(rng.integers(28, 50)) if rng.random() < 0.3 else 0)
        if left > 12:
            cv2.putText(image, chr(int(rng.integers(65, 91))), (10, top + 26), look.font, 1.6, ink, 4, cv2.LINE_AA)
        for _ in range(lines):
            room = int((WIDTH - left - 8) / (17 * size)) - int(rng.integers(0, 6))
            cv2.putText(image, _words(rng, 9, 2, 9)[: max(4, room)], (left, top), look.font, size, ink, 1, cv2.LINE_AA)
            top += int(30 * size) + 3
        if rng.random() < 0.4:
            cv2.line(image, (20, top), (WIDTH - 20, top), ink, int(rng.integers(1, 4)))
        top += int(rng.integers(12, 34))
    return image


def _shield(rng: np.random.Generator, look: _Style) -> Image:
    """A coat of arms: a divided field in few colours, with charges."""
    tinctures = np.array(
        [(35, 35, 190), (150, 70, 25), (60, 120, 30), (40, 40, 40), (60, 190, 225), (235, 235, 235), (120, 40, 110)]
    )
    one, other, charge = (_colour(tinctures[k]) for k in rng.choice(len(tinctures), 3, replace=False))
    image = np.full((HEIGHT, WIDTH, 3), look.paper, np.uint8)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    u, v = (x - WIDTH / 2) / (WIDTH * 0.42), (y - HEIGHT * 0.46) / (HEIGHT * 0.4)
    inside = (np.abs(u) < np.where(v < 0, 1, np.sqrt(np.clip(1 - v**2, 0, 1)))) & (v > -1) & (v < 1)
    parts = (u > 0, v > 0, u * v > 0, u > v, np.abs(u) < 0.33, np.abs(v) < 0.33, (np.floor(3 * u) + np.floor(3 * v)) % 2 > 0)
    image[inside] = one
    image[inside & parts[int(rng.integers(len(parts)))]] = other
    outline = cv2.morphologyEx(inside.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)) > 0
    image[outline] = look.ink
    for _ in range(int(rng.integers(1, 6))):
        at = np.array([WIDTH * rng.uniform(0.25, 0.75), HEIGHT * rng.uniform(0.2, 0.7)])
        reach, points = rng.uniform(14, 36), int(rng.integers(3, 9))
        turns = np.linspace(0, 2 * np.pi, 2 * points, endpoint=False) - np.pi / 2
        reaches = np.where(np.arange(2 * points) % 2 == 0, reach, reach * rng.uniform(0.4, 0.9))[:, None]
        star = (at + np.column_stack([np.cos(turns), np.sin(turns)]) * reaches).astype(np.int32)
        cv2.fillPoly(image, [star], charge, cv2.LINE_AA)
        cv2.polylines(image, [star], True, _colour(look.ink), 2, cv2.LINE_AA)
    return image


@cache
def _pictures(folder: str) -> tuple[Image, ...]:
    """The photographs of a folder that are large enough, by name."""
    found = (cv2.imread(str(path)) for path in sorted(Path(folder).iterdir()) if path.suffix in (".png", ".jpg"))
    return tuple(one for one in found if one is not None and min(one.shape[:2]) >= 250)


def _photograph(rng: np.random.Generator) -> Image:
    """A cutting of a photograph, somewhat brighter, darker or tinted."""
    pictures = _pictures(os.environ["CARD_PHOTOGRAPHS"])
    picture = pictures[int(rng.integers(len(pictures)))]
    height, width = picture.shape[:2]
    tall = int(rng.uniform(0.35, 0.95) * min(height, width * HEIGHT / WIDTH))
    wide = int(tall * WIDTH / HEIGHT)
    top, left = int(rng.integers(0, height - tall + 1)), int(rng.integers(0, width - wide + 1))
    cut = cv2.resize(picture[top : top + tall, left : left + wide], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.clip(cut * rng.uniform(0.75, 1.2, 3) + rng.uniform(-20, 20), 0, 255).astype(np.uint8)


def _variant(face: Image, rng: np.random.Generator) -> Image:
    """A face that differs from another one by a stamp, a bar or a number."""
    found, kind = face.copy(), int(rng.integers(3))
    at = int(rng.uniform(0.3, 0.7) * WIDTH), int(rng.uniform(0.25, 0.75) * HEIGHT)
    ink = _colour(rng.uniform(0, 200, 3))
    if kind == 0:
        cv2.circle(found, at, int(rng.uniform(5, 8) * SCALE), ink, -1, cv2.LINE_AA)
    elif kind == 1:
        cv2.rectangle(found, (0, at[1]), (WIDTH, at[1] + int(rng.uniform(6, 12) * SCALE)), ink, -1)
    else:
        cv2.putText(
            found, str(int(rng.integers(2, 10))), (at[0] - 30, at[1] + 30), cv2.FONT_HERSHEY_TRIPLEX, 3.2, ink, 12, cv2.LINE_AA
        )
    return found


def _guilloche(rng: np.random.Generator, look: _Style) -> Image:
    """A back: many fine curves about the middle."""
    image = np.full((HEIGHT, WIDTH, 3), look.paper, np.uint8)
    ink = _colour(rng.uniform(20, 170, 3))
    turns = np.linspace(0, 2 * np.pi, 720)
    lobes, waves = int(rng.integers(5, 14)), int(rng.integers(9, 24))
    for reach in np.linspace(0.1, 1.0, int(rng.integers(10, 18))):
        r = reach * (1 + 0.18 * np.cos(lobes * turns) + 0.08 * np.cos(waves * turns + 9 * reach))
        curve = np.column_stack([WIDTH / 2 + r * np.cos(turns) * WIDTH * 0.4, HEIGHT / 2 + r * np.sin(turns) * HEIGHT * 0.4])
        cv2.polylines(image, [curve.astype(np.int32)], True, ink, 2, cv2.LINE_AA)
    cv2.rectangle(image, (0, 0), (WIDTH - 1, HEIGHT - 1), ink, 2 * look.rim)
    return image
