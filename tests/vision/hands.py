"""Films of hands over a board: fingers that point, and hands that do something else. Composed, with light, shade and noise.

A hand is spheres along bones, in board millimetres with heights, so a raised knuckle is seen where the camera sees it and its
shade falls where the lamp throws it. Everything is drawn from a seed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.boards import Board
from companion.vision.camera import Registration

Picture = np.ndarray
Ball = tuple[float, float, float, float]
"""Board x and y, height and radius, mm."""

SKINS = [(180, 200, 235), (150, 175, 220), (85, 115, 165), (60, 80, 120), (28, 34, 48)]
GLOVES = [(40, 40, 44), (60, 60, 160), (205, 205, 200)]
SLEEVES = [(60, 50, 45), (150, 80, 50), (60, 60, 170), (200, 205, 210), (165, 185, 190), (25, 25, 28)]
PAPERS = [(150, 185, 205), (110, 145, 170), (165, 185, 190), (80, 105, 125)]
SKINS_APART = [(165, 190, 230), (120, 150, 200), (95, 128, 178), (40, 52, 78)]
GLOVES_APART = [(150, 90, 40), (60, 120, 70), (90, 90, 95)]
SLEEVES_APART = [(80, 120, 90), (90, 150, 200), (120, 60, 110), (40, 40, 40), (220, 225, 228)]
PAPERS_APART = [(190, 205, 215), (120, 130, 120), (135, 170, 195), (100, 120, 150)]


@dataclass(frozen=True)
class Look:
    """What a hand looks like and in which light: colours (BGR) of skin and sleeve, how wide a finger is (mm), where the lamp
    throws shade (mm aside for each mm of height) and how much light it leaves, how blurred the shade is."""

    skin: tuple[int, int, int]
    sleeve: tuple[int, int, int]
    finger_mm: float
    lamp: tuple[float, float]
    shade: float
    soft: float
    cuff_mm: float

    @classmethod
    def drawn(cls, rng: np.random.Generator, *, apart: bool = False) -> "Look":
        """A look at random. ``apart``: of those that are kept for judging."""
        hands = [*SKINS_APART, *GLOVES_APART] if apart else [*SKINS, *GLOVES]
        sleeves = SLEEVES_APART if apart else SLEEVES
        skin = np.array(hands[int(rng.integers(len(hands)))]) * rng.uniform(0.88, 1.1)
        turn, low = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.9)
        red, green, blue = (int(v) for v in np.clip(skin, 5, 245))
        return cls(
            (red, green, blue), sleeves[int(rng.integers(len(sleeves)))], rng.uniform(12.5, 18.5),
            (float(np.cos(turn) * low), float(np.sin(turn) * low)), rng.uniform(0.45, 0.9), rng.uniform(1.0, 6.0),
            rng.uniform(80, 260),
        )  # fmt: skip


def _bone(one: Sequence[float], other: Sequence[float], thick: tuple[float, float], step: float = 2.5) -> list[Ball]:
    count = max(2, int(np.hypot(*(np.array(other[:2]) - one[:2])) / step) + 2, int(abs(other[2] - one[2]) / step) + 2)
    share = np.linspace(0, 1, count)[:, None]
    ends = np.array([[*one, thick[0]], [*other, thick[1]]])
    return [tuple(map(float, ball)) for ball in ends[0] * (1 - share) + ends[1] * share]  # type: ignore[misc]


@dataclass(frozen=True)
class Hand:
    """Balls of skin and of sleeve."""

    skin: tuple[Ball, ...]
    sleeve: tuple[Ball, ...]


def hand(
    tip: tuple[float, float],
    towards: float,
    look: Look,
    *,
    raised: float = 0.0,
    slope: float = 0.6,
    fingers: int = 1,
    spread: float = 0.35,
    thumb: float = 0.0,
    length: float = 78.0,
    bent: float = 0.0,
) -> Hand:
    """A hand whose forefinger ends over ``tip``, coming from the direction ``towards`` (radians), raised so many mm. ``slope``:
    how steeply the finger rises. ``fingers``: how many are stretched, ``spread`` radians apart. ``thumb``: how far it stands
    out, mm. ``bent``: how far the finger's middle is out of line, mm."""
    r = look.finger_mm / 2
    along = np.array([np.cos(towards), np.sin(towards)])
    aside = np.array([-along[1], along[0]])
    flat, rise = length * np.cos(slope), length * np.sin(slope)
    knuckle = np.array(tip) + along * flat
    top = raised + r + rise
    middle = np.array(tip) + along * flat * 0.5 + aside * bent
    skin = _bone([*tip, raised + r * 0.9], [*middle, raised + r + rise * 0.55], (r * 0.88, r))
    skin += _bone([*middle, raised + r + rise * 0.55], [*knuckle, top], (r, r * 1.2))
    for number in range(1, fingers):
        turn = towards - spread * number
        other = np.array([np.cos(turn), np.sin(turn)])
        start = knuckle + aside * 1.9 * r * number
        skin += _bone([*(start - other * flat * 0.97), raised + r], [*start, top], (r * 0.9, r * 1.15))
    # The fist: knuckles side by side, then the wrist.
    fist = [knuckle + aside * 1.9 * r * n for n in range(4)]
    for at in fist:
        skin += _bone([*at, top], [*(at + along * 60), top], (1.5 * r, 2.0 * r), 6)
        if fingers == 1:
            skin += _bone([*(at - along * 14), top - 18], [*at, top], (1.15 * r, 1.3 * r), 4)
    if thumb:
        base = knuckle - aside * 1.2 * r + along * 25
        reach = base - along * thumb * 0.9 - aside * thumb * 0.55
        skin += _bone([*reach, top - 8], [*base, top], (r * 0.95, r * 1.3), 4)
    wrist = knuckle + along * 105 + aside * 3 * r
    skin += _bone([*(knuckle + along * 60 + aside * 3 * r), top], [*wrist, top], (3.2 * r, 27), 6)
    elbow = wrist + along * 900
    cuff = wrist + along * (look.cuff_mm - 80)
    skin += _bone([*wrist, top], [*cuff, top], (26, 30), 12)
    sleeve = _bone([*cuff, top], [*elbow, top + 30], (36, 50), 14)
    return Hand(tuple(skin), tuple(sleeve))


def pinch(tip: tuple[float, float], towards: float, look: Look, *, raised: float = 12.0) -> Hand:
    """A hand that holds something small between thumb and forefinger."""
    r = look.finger_mm / 2
    aside = np.array([-np.sin(towards), np.cos(towards)])
    gap = 4.5 + r
    one = hand(tuple(np.array(tip) + aside * gap), towards, look, raised=raised, slope=0.8)  # type: ignore[arg-type]
    base = np.array(tip) + 55 * np.array([np.cos(towards), np.sin(towards)]) - aside * (gap + 14)
    thumb = _bone([*(np.array(tip) - aside * gap), raised + r], [*base, raised + 45], (r, r * 1.4))
    return Hand((*one.skin, *thumb), one.sleeve)


def flat_hand(tip: tuple[float, float], towards: float, look: Look, *, raised: float = 4.0) -> Hand:
    """A hand laid flat, fingers side by side."""
    return hand(tip, towards, look, raised=raised, slope=0.15, fingers=4, spread=0.02)


def drawn(picture: Picture, pose: Registration, shown: Hand, look: Look, seed: int) -> Picture:
    """The picture with a hand in it and its shade on the board."""
    balls = np.array([*shown.sleeve, *shown.skin])
    count = len(shown.sleeve)
    keep = (balls[:, 0] > -400) & (balls[:, 0] < 1300) & (balls[:, 1] > -400) & (balls[:, 1] < 1000)
    low = pose.project(balls[:, :2] + balls[:, 2:3] * np.array(look.lamp), 0.0)
    seen = pose.project(balls[:, :2], balls[:, 2])
    beside = pose.project(balls[:, :2] + [1.0, 0.0], balls[:, 2])
    scale = np.hypot(*(beside - seen).T)
    radius = np.maximum(1, np.round(balls[:, 3] * scale)).astype(int)
    # Only where the hand and its shade are anything changes.
    blur = look.soft * float(np.median(scale)) / 2 + 0.5
    reach = radius[keep].max() + 6 * blur + 8
    spread = np.vstack([low[keep], seen[keep]])
    left, top = (int(v) for v in np.clip(spread.min(axis=0) - reach, 0, np.array(picture.shape[1::-1]) - 2))
    right, bottom = (int(v) for v in np.clip(spread.max(axis=0) + reach, 2, picture.shape[1::-1]))
    if right - left < 2 or bottom - top < 2:
        return picture
    whole, made = picture.copy(), picture[top:bottom, left:right]
    low, seen = low - (left, top), seen - (left, top)
    height, width = made.shape[:2]
    shade = np.zeros((height // 2, width // 2), np.uint8)
    for (x, y), r, here in zip(low, radius, keep, strict=True):
        if here:
            cv2.circle(shade, (round(float(x) / 2), round(float(y) / 2)), max(1, int(r) // 2), 255, -1)
    soft = cv2.GaussianBlur(shade, (0, 0), blur)
    dark = cv2.resize(soft, (width, height)).astype(np.float32) / 255 * (1 - look.shade)
    made = (made * (1 - dark[..., None])).astype(np.uint8)
    fine, bits = 3, 8
    mask = np.zeros((height, width), np.uint8)
    skin = np.zeros((height, width), np.uint8)
    for index in range(len(balls)):
        if keep[index]:
            (x, y), r = seen[index], int(balls[index, 3] * scale[index] * bits)
            at = (round(float(x) * bits), round(float(y) * bits))
            cv2.circle(mask, at, r, 255, -1, cv2.LINE_AA, fine)
            if index >= count:
                cv2.circle(skin, at, r, 255, -1, cv2.LINE_AA, fine)
    rng = np.random.default_rng(seed)
    tone = cv2.resize(rng.normal(1, 0.06, (12, 20)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    # Rounder towards the edge of the hand: darker there.
    inner = cv2.GaussianBlur(mask, (0, 0), 4).astype(np.float32) / 255
    colour = np.where(skin[..., None] > 127, np.array(look.skin, np.float32), np.array(look.sleeve, np.float32))
    colour = colour * (tone * (0.62 + 0.4 * inner))[..., None]
    alpha = mask[..., None].astype(np.float32) / 255
    whole[top:bottom, left:right] = np.clip(made * (1 - alpha) + colour * alpha, 0, 255).astype(np.uint8)
    return whole


# --- boards ----------------------------------------------------------------------------------------------------------


def art(board: Board, seed: int, scale: int = 4, *, apart: bool = False) -> Picture:
    """A printing of a dense board: paper of some colour with streets, blocks and numbered circles, all made up."""
    rng = np.random.default_rng(seed)
    width, height = (int(side * scale) for side in board.size_mm)
    papers = PAPERS_APART if apart else PAPERS
    paper = np.array(papers[int(rng.integers(len(papers)))]) * rng.uniform(0.8, 1.1)
    blotch = cv2.resize(rng.normal(0, 1, (28, 42)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    grain = cv2.resize(rng.normal(0, 1, (height // 8, width // 8)).astype(np.float32), (width, height))
    made = paper + (blotch * rng.uniform(4, 14) + grain * rng.uniform(2, 8))[..., None]
    made = np.clip(made, 0, 255).astype(np.uint8)
    house = tuple(int(v) for v in np.clip(paper * rng.uniform(0.55, 0.85) + rng.normal(0, 10, 3), 0, 255))
    for _ in range(int(rng.integers(300, 900))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        w, h = rng.uniform(10, 90, 2)
        cv2.rectangle(made, (int(x), int(y)), (int(x + w), int(y + h)), house, int(rng.choice([-1, 2, 3])))
    for cell, links in board.links.items():
        for other in links.values():
            ends = [tuple(int(v * scale) for v in board.mm(spot)) for spot in (cell, other)]
            cv2.line(made, ends[0], ends[1], (235, 235, 230), scale, cv2.LINE_AA)
            cv2.line(made, ends[0], ends[1], (40, 40, 45), 1, cv2.LINE_AA)
    for cell in board.cells:
        at = tuple(int(v * scale) for v in board.mm(cell))
        kind = board.kind(cell)
        if "circle" in kind:
            fill = (40, 40, 180) if kind.startswith("red") else (245, 250, 250)
            cv2.circle(made, at, int(6.4 * scale), fill, -1, cv2.LINE_AA)
            cv2.circle(made, at, int(6.4 * scale), (30, 30, 30), 2, cv2.LINE_AA)
            cv2.putText(
                made, cell, (at[0] - 7 * len(cell), at[1] + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (20, 20, 20), 2, cv2.LINE_AA
            )
        elif "crossing" in kind:
            cv2.rectangle(made, (at[0] - 8, at[1] - 8), (at[0] + 8, at[1] + 8), (20, 20, 20), -1)
    return made


def grain(size: tuple[int, int], rng: np.random.Generator, amount: float) -> Iterator[Picture]:
    """Noise of a sensor, frame after frame."""
    tile = rng.normal(0, amount, (size[1] + 64, size[0] + 64)).astype(np.int16)
    while True:
        x, y = rng.integers(0, 64, 2)
        yield tile[y : y + size[1], x : x + size[0], None]


def noisy(picture: Picture, noise: Any) -> Picture:
    """A picture with the next frame's noise."""
    return np.clip(picture.astype(np.int16) + next(noise), 0, 255).astype(np.uint8)
