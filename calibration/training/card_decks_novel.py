"""Made-up decks to judge the reading of cards by, of kinds that nothing was tuned on: landscapes, maps, playing cards, woven
patterns, tarots with a numeral. Faces as in ``card_decks.py``."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.calibration.training.card_decks import FACES, SCALE, SIZE_MM, Deck

Image = NDArray[Any]
WIDTH, HEIGHT = (round(side * SCALE) for side in SIZE_MM)
_DOWN, _ACROSS = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII")


class _Look:
    """What the faces of a deck share: paper, inks, how broad the border is, which of the kinds' details it has."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.paper = rng.uniform((190, 210, 215), (240, 248, 255))
        self.inks = [rng.uniform(20, 200, 3) for _ in range(4)]
        self.dark = rng.uniform(10, 80, 3)
        self.border = int(rng.integers(0, 26))
        self.turned, self.fine = bool(rng.random() < 0.5), bool(rng.random() < 0.5)


def deck(seed: int) -> Deck:
    """The deck of a seed; its kind follows from it."""
    kind = list(_KINDS)[seed % len(_KINDS)]
    style = np.random.default_rng([71, seed])
    look = _Look(style)
    rngs = [np.random.default_rng([seed, 73, n]) for n in range(FACES + 3)]
    drawn = [_bordered(_KINDS[kind](rng, look, n), look) for n, rng in enumerate(rngs)]
    faces = {f"face-{n}": drawn[n] for n in range(FACES)}
    pairs = []
    if kind == "woven":
        faces["face-1"] = _marked(faces["face-0"], np.random.default_rng([seed, 79]))
        pairs.append(("face-0", "face-1"))
    faces["back"] = _bordered(_back(style, look), look)
    return Deck(f"{kind}-{seed}", faces, tuple(pairs), tuple(drawn[FACES:]))


def _colour(values: Image) -> tuple[float, float, float]:
    b, g, r = (float(v) for v in values)
    return b, g, r


def _blank(colour: Image) -> Image:
    return np.full((HEIGHT, WIDTH, 3), colour, np.float32).astype(np.uint8)


def _bordered(face: Image, look: _Look) -> Image:
    if look.border:
        cv2.rectangle(face, (0, 0), (WIDTH - 1, HEIGHT - 1), _colour(look.paper), 2 * look.border)
        cv2.rectangle(face, (look.border,) * 2, (WIDTH - 1 - look.border, HEIGHT - 1 - look.border), _colour(look.dark), 2)
    return face


def _landscape(rng: np.random.Generator, look: _Look, _number: int) -> Image:
    """A sky, ranges of hills, a sun, trees."""
    low, high = rng.uniform(60, 200, 3), rng.uniform(150, 250, 3)
    share = (_DOWN / HEIGHT)[..., None]
    image = (high * (1 - share) + low * share).astype(np.uint8)
    sun = int(rng.uniform(0.15, 0.85) * WIDTH), int(rng.uniform(0.1, 0.35) * HEIGHT)
    cv2.circle(image, sun, int(rng.integers(18, 50)), _colour(rng.uniform(150, 255, 3)), -1, cv2.LINE_AA)
    across = np.arange(WIDTH)
    for range_ in range(int(rng.integers(3, 6))):
        base, waves = HEIGHT * (0.35 + 0.13 * range_ + rng.uniform(-0.04, 0.04)), rng.uniform(0.004, 0.03, 3)
        ridge = base + sum(rng.uniform(8, 34) * np.sin(wave * across + rng.uniform(0, 6.3)) for wave in waves)
        shade = look.inks[range_ % 4] * (1.1 - 0.15 * range_) + rng.uniform(-25, 25, 3)
        outline = np.vstack([np.column_stack([across, ridge]), [(WIDTH, HEIGHT), (0, HEIGHT)]]).astype(np.int32)
        cv2.fillPoly(image, [outline], _colour(np.clip(shade, 5, 250)), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 14))):
        x, y, tall = rng.uniform(0, WIDTH), rng.uniform(0.55, 0.95) * HEIGHT, rng.uniform(18, 60)
        tree = np.array([(x - tall / 4, y), (x, y - tall), (x + tall / 4, y)], np.int32)
        cv2.fillPoly(image, [tree], _colour(look.dark * rng.uniform(0.7, 1.5)), cv2.LINE_AA)
    return image


def _map(rng: np.random.Generator, look: _Look, number: int) -> Image:
    """Coasts, contour lines, roads and dots with names."""
    noise = cv2.resize(rng.normal(0, 1, (7, 5)).astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    sea, land = _blank(look.inks[0] * 0.4 + 140), _blank(look.paper * 0.9)
    image = np.where((noise > rng.uniform(-0.6, 0.2))[..., None], land, sea).astype(np.uint8)
    for level in np.arange(-1.6, 1.7, 0.2 if look.fine else 0.4):
        lines, _ = cv2.findContours((noise > level).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        cv2.polylines(image, lines, False, _colour(look.inks[1]), 1, cv2.LINE_AA)
    for _ in range(int(rng.integers(2, 5))):
        road = np.cumsum(rng.normal(0, 40, (9, 2)), axis=0)
        road += rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT)
        cv2.polylines(image, [road.astype(np.int32)], False, _colour(look.inks[2]), 5, cv2.LINE_AA)
    for _ in range(int(rng.integers(3, 8))):
        x, y = int(rng.uniform(20, WIDTH - 80)), int(rng.uniform(30, HEIGHT - 20))
        cv2.circle(image, (x, y), 6, _colour(look.dark), -1, cv2.LINE_AA)
        name = "".join(rng.choice(list("abdeiklmnorstu"), int(rng.integers(4, 8)))).title()
        cv2.putText(image, name, (x + 9, y + 5), cv2.FONT_HERSHEY_COMPLEX, 0.6, _colour(look.dark), 1, cv2.LINE_AA)
    cv2.putText(image, str(number + 1), (12, HEIGHT - 14), cv2.FONT_HERSHEY_DUPLEX, 1.1, _colour(look.inks[3]), 2, cv2.LINE_AA)
    return image


def _pips(rng: np.random.Generator, look: _Look, number: int) -> Image:
    """A number of like signs in columns, the sign's kind and colour by the suit, a numeral in two corners."""
    image = _blank(look.paper)
    suit, count = number % 4, number // 4 * 2 + 2 + int(rng.integers(2))
    ink = _colour(look.inks[suit] * 0.8)
    columns = 1 if count < 4 else 2 if count < 9 else 3
    rows = -(-count // columns)
    for one in range(count):
        x = WIDTH * (one % columns + 1) / (columns + 1)
        y = HEIGHT * (one // columns + 0.8) / (rows + 0.6)
        _sign(image, suit, (x, y), 30.0 if count < 9 else 22.0, ink)
    for flipped in range(2):
        cv2.putText(image, str(count), (10, 40), cv2.FONT_HERSHEY_TRIPLEX, 1.2, ink, 2, cv2.LINE_AA)
        image = np.ascontiguousarray(image[::-1, ::-1]) if look.turned or flipped else image
    return image


def _sign(image: Image, suit: int, at: tuple[float, float], size: float, ink: tuple[float, float, float]) -> None:
    x, y = at
    turns = np.linspace(0, 2 * np.pi, 60)
    reach = {
        0: 1.0 + 0 * turns,
        1: 1 - 0.5 * np.sin(turns),
        2: 0.7 + 0.35 * np.cos(3 * turns),
        3: 0.75 + 0.3 * np.cos(4 * turns),
    }
    outline = np.column_stack([x + size * reach[suit] * np.cos(turns), y + size * reach[suit] * np.sin(turns)])
    cv2.fillPoly(image, [outline.astype(np.int32)], ink, cv2.LINE_AA)


def _woven(rng: np.random.Generator, look: _Look, number: int) -> Image:
    """A tartan with a medallion."""
    image = _blank(look.inks[number % 4] * 0.6 + 60).astype(np.float32)
    for _ in range(int(rng.integers(4, 9))):
        ink, wide = rng.uniform(20, 240, 3), int(rng.integers(4, 40))
        step, start = int(rng.integers(wide + 12, 150)), int(rng.integers(0, 100))
        lines = ((_ACROSS + start) % step < wide) if rng.random() < 0.5 else ((_DOWN + start) % step < wide)
        image[lines] = image[lines] * 0.55 + ink * 0.45
    image = image.astype(np.uint8)
    middle = int(WIDTH * rng.uniform(0.4, 0.6)), int(HEIGHT * rng.uniform(0.35, 0.65))
    size = int(rng.integers(50, 80)), int(rng.integers(50, 100))
    cv2.ellipse(image, middle, size, float(rng.uniform(0, 180)), 0, 360, _colour(look.paper), -1, cv2.LINE_AA)
    _sign(image, int(rng.integers(4)), middle, float(rng.uniform(20, 36)), _colour(rng.uniform(0, 180, 3)))
    return image


def _tarot(rng: np.random.Generator, look: _Look, number: int) -> Image:
    """Columns, an arch, rays, a figure of few shapes, a Roman numeral on a band."""
    image = _blank(look.inks[0] * 0.3 + 150)
    middle = np.array([WIDTH / 2, HEIGHT * rng.uniform(0.3, 0.45)])
    for turn in np.arange(0, 2 * np.pi, 2 * np.pi / int(rng.integers(9, 24))):
        ray = [
            middle,
            middle + 400 * np.array([np.cos(turn), np.sin(turn)]),
            middle + 400 * np.array([np.cos(turn + 0.1), np.sin(turn + 0.1)]),
        ]
        cv2.fillPoly(image, [np.array(ray, np.int32)], _colour(look.inks[1] * 0.5 + 110), cv2.LINE_AA)
    for x in (22, WIDTH - 22):
        cv2.line(image, (x, 60), (x, HEIGHT - 50), _colour(look.inks[2]), 18, cv2.LINE_AA)
    cv2.ellipse(image, (WIDTH // 2, 70), (WIDTH // 2 - 20, 50), 0, 180, 360, _colour(look.inks[2]), 9, cv2.LINE_AA)
    for _ in range(int(rng.integers(3, 8))):
        at = tuple(int(v) for v in middle + rng.normal(0, 45, 2) + (0, 40))
        size = int(rng.integers(12, 60)), int(rng.integers(12, 80))
        cv2.ellipse(image, at, size, float(rng.uniform(0, 180)), 0, 360, _colour(rng.uniform(20, 230, 3)), -1, cv2.LINE_AA)
        cv2.ellipse(image, at, size, float(rng.uniform(0, 180)), 0, 360, _colour(look.dark), 2, cv2.LINE_AA)
    cv2.rectangle(image, (30, HEIGHT - 62), (WIDTH - 30, HEIGHT - 22), _colour(look.paper), -1)
    cv2.putText(
        image, _ROMAN[number], (WIDTH // 2 - 12 * len(_ROMAN[number]), HEIGHT - 30), cv2.FONT_HERSHEY_TRIPLEX, 1.1,
        _colour(look.dark), 2, cv2.LINE_AA,
    )  # fmt: skip
    return image


def _marked(face: Image, rng: np.random.Generator) -> Image:
    """A face that differs from another one by a seal."""
    found = face.copy()
    at = int(rng.uniform(0.3, 0.7) * WIDTH), int(rng.uniform(0.15, 0.3) * HEIGHT)
    cv2.circle(found, at, int(rng.uniform(5, 8) * SCALE), _colour(rng.uniform(0, 255, 3)), -1, cv2.LINE_AA)
    return found


def _back(rng: np.random.Generator, look: _Look) -> Image:
    """Scales in rows."""
    image = _blank(look.inks[3] * 0.5 + 30)
    size = int(rng.integers(14, 34))
    for row, y in enumerate(range(0, HEIGHT + size, size // 2)):
        for x in range(-(size // 2) * (row % 2), WIDTH + size, size):
            cv2.ellipse(image, (x, y), (size // 2, size // 2), 0, 0, 180, _colour(look.paper), 2, cv2.LINE_AA)
    return image


_KINDS: dict[str, Callable[[np.random.Generator, _Look, int], Image]] = {
    "landscapes": _landscape, "maps": _map, "pips": _pips, "woven": _woven, "tarots": _tarot,
}  # fmt: skip
