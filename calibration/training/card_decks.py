"""Made-up decks to tune the reading of cards on: painted, with flat icons, and with faces that are hard to tell apart.

Own drawing code, nothing of a real game. A deck is a list of faces (H×W×3 BGR, :data:`SCALE` pixels a millimetre), its back
last. Decks to judge by come from other code (``card_decks_apart.py``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

SCALE = 4
SIZE_MM = (63.0, 88.0)
FACES = 14
STYLES = ("painted", "icons", "alike")
Image = NDArray[Any]


@dataclass(frozen=True)
class Deck:
    """``faces``: pictures by name; ``pairs``: names of faces that are hard to tell apart; ``never``: faces of the same style
    that are never taught."""

    name: str
    faces: dict[str, Image]
    pairs: tuple[tuple[str, str], ...] = ()
    never: tuple[Image, ...] = ()


def deck(seed: int) -> Deck:
    """The deck of a seed; its style follows from it."""
    rng, style = np.random.default_rng(seed), STYLES[seed % len(STYLES)]
    look = _Look(rng)
    drawn = [_DRAW[style](np.random.default_rng([seed, number]), look, number) for number in range(FACES + 3)]
    faces = {f"face-{number}": drawn[number] for number in range(FACES)}
    pairs = []
    if style == "alike":  # one in three pairs differs by little: a mark in one corner, a tint, or the text
        for number in range(0, 6, 2):
            one, other = f"face-{number}", f"face-{number + 1}"
            faces[other] = _like(faces[one], np.random.default_rng([seed, 99, number]))
            pairs.append((one, other))
    faces["back"] = _back(rng, look)
    return Deck(f"{style}-{seed}", faces, tuple(pairs), tuple(drawn[FACES:]))


class _Look:
    """What the faces of a deck share."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.paper = tuple(int(v) for v in rng.integers(190, 250, 3))
        self.frame = tuple(int(v) for v in rng.integers(10, 120, 3))
        self.border = float(rng.uniform(0.03, 0.07))
        self.title = rng.random() < 0.7
        self.hues = rng.uniform(0, 180, 4)


def _blank(look: _Look) -> Image:
    width, height = (round(side * SCALE) for side in SIZE_MM)
    canvas = np.full((height, width, 3), look.paper, np.uint8)
    inset = int(look.border * width)
    cv2.rectangle(canvas, (inset, inset), (width - inset, height - inset), look.frame, 3)
    return canvas


def _colour(hue: float, saturation: float, value: float) -> tuple[int, int, int]:
    pixel = np.array([[[int(hue) % 180, int(saturation), int(value)]]], np.uint8)
    blue, green, red = (int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0])
    return blue, green, red


def _painted(rng: np.random.Generator, look: _Look, number: int) -> Image:
    canvas = _blank(look)
    height, width = canvas.shape[:2]
    inset = int(look.border * width) + 4
    top = inset + (int(0.1 * height) if look.title else 0)
    box = canvas[top : height - inset, inset : width - inset]
    low = rng.integers(20, 235, (4, 3, 3)).astype(np.uint8)
    field = cv2.resize(low, box.shape[1::-1], interpolation=cv2.INTER_CUBIC).astype(np.float32)
    for _ in range(60):
        middle = rng.uniform(0, 1, 2) * box.shape[1::-1]
        axes = rng.uniform(0.03, 0.28, 2) * box.shape[1]
        colour = field[int(middle[1]) % box.shape[0], int(middle[0]) % box.shape[1]] + rng.normal(0, 45, 3)
        turn = float(rng.uniform(0, 360))
        cv2.ellipse(
            field,
            tuple(int(v) for v in middle),
            tuple(int(v) for v in axes),
            turn,
            0,
            360,
            tuple(float(v) for v in colour),
            -1,
            cv2.LINE_AA,
        )
    strokes = cv2.resize(rng.normal(0, 14, (40, 30)).astype(np.float32), box.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    box[:] = np.clip(field + strokes[..., None], 0, 255).astype(np.uint8)
    if look.title:
        _letters(canvas, rng, (inset + 6, top - 8), width - 2 * inset)
    return canvas


def _letters(canvas: Image, rng: np.random.Generator, at: tuple[int, int], room: int) -> None:
    word = "".join(chr(int(v)) for v in rng.integers(65, 91, rng.integers(4, 9)))
    cv2.putText(canvas, word, at, cv2.FONT_HERSHEY_DUPLEX, room / 220, (25, 25, 25), 2, cv2.LINE_AA)


def _icons(rng: np.random.Generator, look: _Look, number: int) -> Image:
    canvas = _blank(look)
    height, width = canvas.shape[:2]
    hue = look.hues[number % len(look.hues)] + rng.uniform(-8, 8)
    ink = _colour(hue, rng.uniform(120, 240), rng.uniform(60, 200))
    if rng.random() < 0.4:
        inset = int(look.border * width) + 6
        cv2.rectangle(canvas, (inset, inset), (width - inset, height - inset), _colour(hue + 90, 60, 225), -1)
    middle = np.array([width / 2, height * rng.uniform(0.42, 0.58)])
    _icon(canvas, rng, middle, width * rng.uniform(0.22, 0.34), ink)
    if rng.random() < 0.5:
        _icon(canvas, rng, middle + np.array([rng.uniform(-20, 20), 0.0]), width * 0.13, _colour(hue + 60, 180, 120))
    for corner in ((0.14, 0.11), (0.86, 0.89)):
        cv2.putText(
            canvas,
            str(number),
            (int(corner[0] * width) - 14, int(corner[1] * height) + 10),
            cv2.FONT_HERSHEY_SIMPLEX,
            1.2,
            ink,
            3,
            cv2.LINE_AA,
        )
    if look.title:
        _letters(canvas, rng, (int(0.2 * width), int(0.87 * height)), int(0.5 * width))
    return canvas


def _icon(canvas: Image, rng: np.random.Generator, middle: Image, reach: float, ink: tuple[int, int, int]) -> None:
    kind = int(rng.integers(5))
    at = tuple(int(v) for v in middle)
    if kind == 0:
        cv2.circle(canvas, at, int(reach), ink, -1, cv2.LINE_AA)
        cv2.circle(canvas, at, int(reach * rng.uniform(0.3, 0.7)), (240, 240, 240), -1, cv2.LINE_AA)
    elif kind == 1:
        spikes = int(rng.integers(3, 8))
        turns = np.linspace(0, 2 * np.pi, 2 * spikes, endpoint=False) + rng.uniform(0, 1)
        reaches = np.where(np.arange(2 * spikes) % 2 == 0, reach, reach * rng.uniform(0.35, 0.75))
        points = middle + np.column_stack([np.cos(turns), np.sin(turns)]) * reaches[:, None]
        cv2.fillPoly(canvas, [points.astype(np.int32)], ink, cv2.LINE_AA)
    elif kind == 2:
        for step in range(int(rng.integers(2, 5))):
            offset = (step - 1) * reach * 0.55
            cv2.rectangle(
                canvas,
                (int(at[0] - reach), int(at[1] + offset)),
                (int(at[0] + reach), int(at[1] + offset + reach * 0.3)),
                ink,
                -1,
            )
    elif kind == 3:
        cv2.ellipse(canvas, at, (int(reach), int(reach * 0.5)), float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA)
        cv2.line(canvas, (int(at[0] - reach), at[1]), (int(at[0] + reach), at[1]), (30, 30, 30), 6, cv2.LINE_AA)
    else:
        hull = cv2.convexHull((middle + rng.uniform(-1, 1, (7, 2)) * reach * (1, 1.3)).astype(np.int32))
        cv2.fillPoly(canvas, [hull], ink, cv2.LINE_AA)


def _like(face: Image, rng: np.random.Generator) -> Image:
    """A face that differs from another one by little."""
    found = face.copy()
    height, width = found.shape[:2]
    kind = int(rng.integers(3))
    if kind == 0:  # a mark of 9 to 14 mm somewhere
        reach = rng.uniform(4.5, 7) * SCALE
        at = (rng.uniform(0.25, 0.75) * width, rng.uniform(0.25, 0.75) * height)
        cv2.circle(
            found, tuple(int(v) for v in at), int(reach), tuple(int(v) for v in rng.integers(0, 255, 3)), -1, cv2.LINE_AA
        )
    elif kind == 1:  # another tint in the middle third
        part = found[height // 3 : 2 * height // 3]
        hsv = cv2.cvtColor(part, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(25, 60))) % 180
        part[:] = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    else:  # a strip of another pattern
        top = int(rng.uniform(0.2, 0.7) * height)
        found[top : top + int(0.12 * height), width // 6 : -width // 6] = rng.integers(0, 255, 3)
    return found


def _back(rng: np.random.Generator, look: _Look) -> Image:
    canvas = _blank(look)
    height, width = canvas.shape[:2]
    inset = int(look.border * width) + 4
    ink = _colour(look.hues[0] + 40, 180, 110)
    cv2.rectangle(canvas, (inset, inset), (width - inset, height - inset), ink, -1)
    step = int(rng.integers(14, 34))
    for offset in range(-height, width + height, step):
        cv2.line(canvas, (offset, inset), (offset + height, height - inset), look.paper, 2, cv2.LINE_AA)
        cv2.line(canvas, (offset, height - inset), (offset + height, inset), look.paper, 2, cv2.LINE_AA)
    canvas[:inset], canvas[-inset:], canvas[:, :inset], canvas[:, -inset:] = (look.paper,) * 4
    return canvas


_DRAW: dict[str, Callable[[np.random.Generator, _Look, int], Image]] = {
    "painted": _painted,
    "icons": _icons,
    "alike": lambda rng, look, number: (_painted if number % 2 else _icons)(rng, look, number),
}
