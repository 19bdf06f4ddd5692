"""Made-up unmodified copies of Letters from Whitechapel: printed board, pawns and tokens in several families of looks, and
pictures of them.

A family says what print, tokens and pawns are made of; a copy is a family with a seed. Textures are photographs (the data of
scikit-image, ``WHITECHAPEL_TEXTURES`` names their folder; ``SKIMAGE_DATA`` where it is installed), or noise where there are
none. ``KEPT`` families are judged and never looked at while a reader is tuned. Decoys: every red circle and yellow crossing
has a pawn printed beside it.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from surfaces import TABLE, Put
from whitechapel_table import BOARD, PIECES

from companion.calibration.training.stickers_composed import SCALE, Shot, develop, marker_art, pose, warp
from companion.vision.camera import Registration

Array = np.ndarray
DEVELOPED, KEPT = ("lithograph", "engraved"), ("photograph", "pastel")
FAMILIES = (*DEVELOPED, *KEPT)
FINER = 2
"""How much finer than the board's print tokens are drawn."""
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


@dataclass(frozen=True)
class Light:
    """Where the light comes from (degrees on the board), how dark (share) and long (mm) the shadows of pawns are."""

    azimuth: float = 220.0
    shadow: float = 0.3
    long_mm: float = 9.0


@cache
def photograph(name: str) -> Array:
    """A photograph (grey, float) by name; noise where there is none."""
    for folder in (os.environ.get("WHITECHAPEL_TEXTURES", ""), os.environ.get("SKIMAGE_DATA", "")):
        for file in Path(folder).glob(f"{name}.*") if folder else ():
            image = cv2.imread(str(file), cv2.IMREAD_COLOR)
            if image is not None:
                return image.astype(np.float32)
    noise = np.random.default_rng(crc32(name.encode())).normal(128, 60, (64, 64, 3)).astype(np.float32)
    return cv2.resize(noise, (512, 512), interpolation=cv2.INTER_CUBIC)


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
            return _hsv(hue, 255 * min(1.0, vivid * rng.uniform(0.9, 1.15)), bright)
        shared = self.rng(f"pawn {group if group == 'wretched' else 'jack'}")
        bright = shared.uniform(195, 225) if group == "wretched" else shared.uniform(28, 48)
        return _hsv(shared.uniform(10, 30), shared.uniform(8, 35), bright)


def _hsv(hue: float, saturation: float, value: float) -> tuple[float, float, float]:
    pixel = np.array([[[hue % 180, np.clip(saturation, 0, 255), np.clip(value, 0, 255)]]], np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)


# --- print ------------------------------------------------------------------------------------------------------------


@cache
def printed(copy: Copy) -> Array:
    """The board's print, ``SCALE`` pixels a mm."""
    rng, look = copy.rng("print"), copy.look
    width, height = (round(side * SCALE) for side in BOARD.size_mm)
    light = rng.uniform(*look.light)
    paper = np.array(_hsv(rng.uniform(8, 30), rng.uniform(25, 80), light), np.float32)
    sheet = np.broadcast_to(paper, (height, width, 3)).copy()
    sheet += _texture(rng, look.prints, (height, width), look.contrast)
    image = np.clip(sheet, 0, 255).astype(np.uint8)
    dark, pale = tuple(int(v) for v in paper * 0.35), tuple(int(v) for v in np.minimum(255, paper * 1.25 + 12))

    def at(mm: Any) -> tuple[int, int]:
        return round(mm[0] * SCALE), round(mm[1] * SCALE)

    for _ in range(260):  # houses
        x, y = rng.uniform(0, BOARD.size_mm[0]), rng.uniform(0, BOARD.size_mm[1])
        w, h = rng.uniform(6, 22, 2)
        tone = np.clip(paper * rng.uniform(0.7, 1.2) + rng.normal(0, 10, 3), 0, 255)
        block = image[round(y * SCALE) : round((y + h) * SCALE), round(x * SCALE) : round((x + w) * SCALE)]
        block[:] = np.clip(block * 0.5 + tone * 0.5, 0, 255).astype(np.uint8)
    for cell, links in BOARD.links.items():
        for other in links.values():
            cv2.line(image, at(BOARD.mm(cell)), at(BOARD.mm(other)), pale, 3 * SCALE, cv2.LINE_AA)
            cv2.line(image, at(BOARD.mm(cell)), at(BOARD.mm(other)), dark, SCALE // 3, cv2.LINE_AA)
    gold, red = _hsv(26, 190, min(240, light + 60)), _hsv(178, 170, min(190, light + 25))
    for cell in BOARD.cells:
        kind, middle = BOARD.kind(cell), at(BOARD.mm(cell))
        if kind in ("circle", "red circle"):
            fill = red if kind == "red circle" else tuple(float(v) for v in np.minimum(255, paper * 1.3 + 25))
            cv2.circle(image, middle, round(6.2 * SCALE), fill, -1, cv2.LINE_AA)
            cv2.circle(image, middle, round(6.2 * SCALE), dark, SCALE // 2, cv2.LINE_AA)
            size = cv2.getTextSize(cell, cv2.FONT_HERSHEY_DUPLEX, 0.24 * SCALE / 2, SCALE // 3)[0]
            at_text = middle[0] - size[0] // 2, middle[1] + size[1] // 2
            cv2.putText(image, cell, at_text, cv2.FONT_HERSHEY_DUPLEX, 0.24 * SCALE / 2, dark, max(1, SCALE // 3), cv2.LINE_AA)
        else:
            half = round((2.8 if kind == "yellow crossing" else 2.1) * SCALE)
            fill = gold if kind == "yellow crossing" else dark
            cv2.rectangle(image, (middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half), fill, -1)
        if kind in ("red circle", "yellow crossing"):
            _decoy(image, copy, cell, middle, kind == "yellow crossing")
    for place in BOARD.places.values():
        half = (13, 9) if place.kind == "track" else (9, 9)
        box = [
            (round(middle + sign * side * SCALE)) for sign in (-1, 1) for middle, side in zip(at(place.mm), half, strict=True)
        ]
        cv2.rectangle(image, (box[0], box[1]), (box[2], box[3]), pale, -1)
        cv2.rectangle(image, (box[0], box[1]), (box[2], box[3]), dark, SCALE // 2)
        middle = at(place.mm)
        cv2.putText(
            image, str(place.value), (middle[0] - 10, middle[1] + 8), cv2.FONT_HERSHEY_DUPLEX, 0.8, dark, 2, cv2.LINE_AA
        )
    return cv2.GaussianBlur(image, (0, 0), 0.8)


def _texture(rng: np.random.Generator, names: Sequence[str], size: tuple[int, int], contrast: float) -> Array:
    """Light and colour of a photograph about nothing, spread over a sheet."""
    if names:
        picture = photograph(str(rng.choice(names)))
        picture = cv2.resize(
            picture, size[::-1], interpolation=cv2.INTER_AREA if picture.shape[0] > size[0] else cv2.INTER_CUBIC
        )
    else:
        coarse = rng.normal(0, 1, (size[0] // 60, size[1] // 60, 3)).astype(np.float32)
        picture = cv2.resize(coarse, size[::-1], interpolation=cv2.INTER_CUBIC)
        grain = rng.normal(0, 1, (size[0] // 4, size[1] // 4, 1)).astype(np.float32)
        picture = picture + cv2.resize(grain, size[::-1], interpolation=cv2.INTER_CUBIC)[..., None]
    picture = picture - picture.mean(axis=(0, 1))
    return np.asarray(picture / max(1.0, float(picture.std())) * contrast, np.float32)


def _decoy(image: Array, copy: Copy, cell: str, middle: tuple[int, int], police: bool) -> None:
    """A pawn drawn on the board beside a place, as tall as a real one lying on its side."""
    rng = copy.rng(f"decoy {cell}")
    angle = rng.uniform(0, 2 * np.pi)
    x, y = (round(v + 11.5 * SCALE * f(angle)) for v, f in zip(middle, (np.cos, np.sin), strict=True))
    piece = rng.choice([p.id for p in PIECES.in_group("police" if police else "wretched")])
    colour = tuple(float(v) * 0.8 for v in copy.pawn_colour(str(piece)))
    body = np.array(
        [(x - 4 * SCALE, y + 5 * SCALE), (x + 4 * SCALE, y + 5 * SCALE), (x + SCALE, y - 2 * SCALE), (x - SCALE, y - 2 * SCALE)]
    )
    cv2.fillPoly(image, [body.astype(np.int32)], colour, cv2.LINE_AA)
    cv2.circle(image, (x, y - 3 * SCALE), round(2.5 * SCALE), colour, -1, cv2.LINE_AA)


# --- tokens -----------------------------------------------------------------------------------------------------------


def _symbol(
    image: Array, copy: Copy, group: str, look: str, middle: tuple[int, int], unit: float, ink: tuple[int, int, int]
) -> None:
    """What is drawn on a token's face about its middle; ``unit``: a tenth of its size in pixels."""

    def at(x: float, y: float) -> tuple[int, int]:
        return middle[0] + round(x * unit), middle[1] + round(y * unit)

    def line(start: tuple[int, int], end: tuple[int, int], wide: float) -> None:
        cv2.line(image, start, end, ink, max(1, round(wide * unit)), cv2.LINE_AA)

    def ring(spot: tuple[int, int], radius: float, wide: float) -> None:
        cv2.circle(image, spot, round(radius * unit), ink, max(1, round(wide * unit)), cv2.LINE_AA)

    if group == "patrols" and look in POLICE:
        radii = np.where(np.arange(10) % 2 == 0, 3.6, 1.6)
        turn = np.arange(10) * np.pi / 5
        star = np.column_stack([np.sin(turn), -np.cos(turn)]) * radii[:, None] * unit + middle
        cv2.fillPoly(image, [star.astype(np.int32)], copy.pawn_colour(f"police-{look}"), cv2.LINE_AA)
    elif look == "marked":
        cv2.circle(image, middle, round(2.6 * unit), ink, -1, cv2.LINE_AA)
    elif look == "down" or group == "scenes":
        line(at(-2.4, -2.4), at(2.4, 2.4), 0.8)
        line(at(-2.4, 2.4), at(2.4, -2.4), 0.8)
    elif group == "clues":
        ring(at(-0.6, -0.6), 2.2, 0.7)
        line(middle, at(3, 3), 0.9)
    elif group == "time":
        ring(middle, 3, 0.6)
        line(middle, at(0, -2.4), 0.6)
    elif look == "coach":
        for x in (-4, 4):
            ring(at(x, 1.5), 2, 0.6)
    elif look == "alley":
        for x in (-4, -2, 0, 2, 4):
            line(at(x, -5), at(x, 5), 0.6)


@cache
def token(copy: Copy, group: str, look: str) -> Array:
    """The upper side (BGRA, ``SCALE * FINER`` pixels a mm) of a token, its colour premultiplied."""
    scale = SCALE * FINER
    width, height = (round(side * scale) for side in PIECES.groups[group].size_mm)
    rng = copy.rng(f"token {group} {look}")
    down, back = look == "down", float(copy.rng("backs").uniform(0, 180))
    base = {
        "patrols": _hsv(back, 90, 75) if down else _hsv(copy.rng("patrol").uniform(15, 30), 60, 190),
        "women": _hsv(copy.rng("women").uniform(150, 178), 110, 110) if down else _hsv(20, 40, 205),
        "scenes": _hsv(177, 190, 150), "clues": _hsv(27, 150, 225), "time": _hsv(100, 60, 190),
        "specials": _hsv(copy.rng("specials").uniform(12, 24), 120, 165),
    }[group]  # fmt: skip
    if look == "fake":
        base = _hsv(0, 20, 45)
    if look == "marked":
        base = _hsv(178, 170, 160)
    image = np.broadcast_to(np.array(base, np.float32), (height, width, 3)).copy()
    image += _texture(rng, copy.look.tokens, (height, width), copy.look.contrast * 0.9)
    image = np.clip(image, 0, 255).astype(np.uint8)
    middle, unit = (width // 2, height // 2), min(width, height) / 10
    ink = (235, 240, 240) if sum(base) < 330 else (35, 30, 25)
    _symbol(image, copy, group, look, middle, unit, ink)
    mask = np.zeros((height, width), np.uint8)
    if PIECES.groups[group].size_mm[0] == PIECES.groups[group].size_mm[1]:
        cv2.circle(mask, middle, min(middle) - 1, 255, -1, cv2.LINE_AA)
    else:
        cv2.rectangle(mask, (1, 1), (width - 2, height - 2), 255, -1)
    room = int(np.hypot(width, height)) // 2 + 2 * scale
    whole = np.zeros((2 * room + 1, 2 * room + 1, 4), np.uint8)
    top, left = room - height // 2, room - width // 2
    whole[top : top + height, left : left + width, :3] = (image * (mask[..., None] / 255)).astype(np.uint8)
    whole[top : top + height, left : left + width, 3] = mask
    return whole


def _lay_token(image: Array, copy: Copy, one: Put, registration: Registration) -> None:
    group, piece = PIECES.group_of(one.piece), PIECES.pieces[one.piece]
    art = token(copy, group.key, one.face or piece.label or group.key)
    size = art.shape[0]
    turned = cv2.warpAffine(art, cv2.getRotationMatrix2D((size // 2, size // 2), -one.turn, 1.0), (size, size))
    small = cv2.resize(turned, None, fx=1 / FINER, fy=1 / FINER, interpolation=cv2.INTER_AREA)
    x, y = np.array(BOARD.mm(one.at) if isinstance(one.at, str) else one.at) + one.off_mm - small.shape[0] / 2 / SCALE
    edge = small.copy()
    edge[..., :3] = (edge[..., 3:] / 255 * np.array([110, 125, 135])).astype(np.uint8)
    for level in (0.0, 0.33, 0.66):
        warp(edge, registration, x, y, level * group.height_mm, image)
    warp(small, registration, x, y, group.height_mm, image)


# --- pawns ------------------------------------------------------------------------------------------------------------


def _lay_pawn(image: Array, copy: Copy, one: Put, registration: Registration, light: Light, base_mm: float) -> None:
    """A turned piece of wood: discs upon each other, lit from one side."""
    group, form = PIECES.group_of(one.piece), FORMS[copy.look.form]
    foot = np.array(BOARD.mm(one.at) if isinstance(one.at, str) else one.at) + one.off_mm
    tall, wide = copy.height(group.key), group.size_mm[0] / 2
    levels = np.linspace(0, 1, 60)
    radii = np.interp(levels, *zip(*form, strict=True)) * wide
    turn = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    outlines = [
        registration.project(foot + ring * radius, base_mm + level * tall) for level, radius in zip(levels, radii, strict=True)
    ]
    every = np.vstack(outlines)
    low, high = np.floor(every.min(axis=0)).astype(int) - 2, np.ceil(every.max(axis=0)).astype(int) + 3
    low, high = np.maximum(low, 0), np.minimum(high, image.shape[1::-1])
    if (high <= low).any():
        return
    fine = 4
    size = (high - low) * fine
    drawn, mask = np.zeros((size[1], size[0], 3), np.float32), np.zeros((size[1], size[0]), np.uint8)
    colour = np.array(one.colour or copy.pawn_colour(one.piece), np.float32)
    sun = np.array([np.cos(np.radians(light.azimuth)), np.sin(np.radians(light.azimuth))])
    slopes = -np.gradient(radii, levels * tall)
    for outline, slope, level in zip(outlines, slopes, levels, strict=True):
        up = slope / np.hypot(1, slope)
        for part in range(len(ring)):  # a fan of the disc, each part lit by the way its rim looks
            side = float(ring[part] @ sun) / np.hypot(1, slope)
            shade = np.clip(0.5 + 0.3 * up + 0.35 * side, 0.25, 1.15)
            if level == 1.0:
                shade = 0.95
            shine = copy.look.glossy * max(0.0, 0.6 * up + 0.55 * side) ** 14
            tri = np.array([outline.mean(axis=0), outline[part], outline[(part + 1) % len(ring)]])
            cv2.fillConvexPoly(
                drawn,
                np.round((tri - low + 0.5) * fine).astype(np.int32),
                [float(v) for v in np.minimum(255, colour * shade + 255 * shine)],
            )
        cv2.fillConvexPoly(mask, np.round((outline - low + 0.5) * fine).astype(np.int32), 255)
    drawn *= (mask > 0)[..., None]
    box = tuple(int(v) for v in high - low)
    alpha = cv2.resize(mask.astype(np.float32) / 255, box, interpolation=cv2.INTER_AREA)[..., None]
    colours = cv2.resize(drawn, box, interpolation=cv2.INTER_AREA)
    target = image[low[1] : high[1], low[0] : high[0]]
    target[:] = np.clip(target * (1 - alpha) + colours, 0, 255).astype(np.uint8)


def _shadows(image: Array, copy: Copy, pawns: Sequence[Put], registration: Registration, light: Light) -> None:
    """The soft shadows of pawns on what lies below."""
    dark = np.zeros(image.shape[:2], np.float32)
    away = -np.array([np.cos(np.radians(light.azimuth)), np.sin(np.radians(light.azimuth))])
    for one in pawns:
        foot = np.array(BOARD.mm(one.at) if isinstance(one.at, str) else one.at) + one.off_mm
        wide = PIECES.group_of(one.piece).size_mm[0] / 2
        part = np.zeros_like(dark)
        for share in np.linspace(0, 1, 10):
            turn = np.linspace(0, 2 * np.pi, 20)
            ring = (
                foot + away * share * light.long_mm + np.column_stack([np.cos(turn), np.sin(turn)]) * wide * (1 - 0.35 * share)
            )
            cv2.fillConvexPoly(part, np.round(registration.project(ring) * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
        dark = np.maximum(dark, part)
    blur = registration.pixels_per_mm((BOARD.size_mm[0] / 2, BOARD.size_mm[1] / 2)) * 1.5
    dark = cv2.GaussianBlur(dark, (0, 0), blur)
    image[:] = (image * (1 - light.shadow * dark[..., None])).astype(np.uint8)


# --- pictures ---------------------------------------------------------------------------------------------------------


def shoot_copy(copy: Copy, put: Sequence[Put], shot: Shot, light: Light | None = None, stickers: bool = True) -> Array:
    """A picture (H×W×3 BGR) of a copy with these pieces: tokens first, then pawns from the farthest to the nearest.
    ``stickers``: whether the frame stickers lie beside the board."""
    registration, light = pose(BOARD, shot), light or Light()
    image = warp(_table(copy, stickers), registration, -TABLE, -TABLE, 0.0, None)
    tokens = [one for one in put if PIECES.group_of(one.piece).shape != "pawn"]
    pawns = [one for one in put if PIECES.group_of(one.piece).shape == "pawn"]
    for one in tokens:
        _lay_token(image, copy, one, registration)
    if light.shadow:
        _shadows(image, copy, pawns, registration, light)
    lying = {one.at: PIECES.group_of(one.piece).height_mm for one in tokens}
    for one in pawns:
        _lay_pawn(image, copy, one, registration, light, lying.get(one.at, 0.0))
    return develop(image, shot)


@cache
def _table(copy: Copy, stickers: bool) -> Array:
    """The bare board on its table."""
    rng = copy.rng("table")
    size = [int((side + 2 * TABLE) * SCALE) for side in BOARD.size_mm[::-1]]
    wood = np.array(_hsv(rng.uniform(5, 25), rng.uniform(40, 140), rng.uniform(60, 190)), np.float32)
    canvas = np.clip(wood + _texture(rng, ("brick",), (size[0], size[1]), 10.0), 0, 255).astype(np.uint8)
    art, start = printed(copy), round(TABLE * SCALE)
    canvas[start : start + art.shape[0], start : start + art.shape[1]] = art
    for number, sticker in PIECES.frame_markers.items() if stickers else ():
        drawn = cv2.cvtColor(marker_art(PIECES.dictionary, number, sticker.side_mm, sticker.quiet_mm), cv2.COLOR_GRAY2BGR)
        off = rng.uniform(-0.7, 0.7, 2) * PIECES.frame_tolerance_mm
        x, y = (round((v + d + TABLE) * SCALE) for v, d in zip(sticker.centre_mm, off, strict=True))
        top, left = y - drawn.shape[0] // 2, x - drawn.shape[1] // 2
        canvas[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return canvas


def varied(shot: Shot, rng: np.random.Generator) -> Shot:
    """The same camera under the light of another moment."""
    return replace(
        shot, exposure=float(rng.uniform(0.68, 0.9)), slope=(float(rng.uniform(-0.15, 0.15)), float(rng.uniform(-0.15, 0.15))),
        tint=(float(rng.uniform(0.94, 1.06)), float(rng.uniform(0.94, 1.06)), float(rng.uniform(0.94, 1.06))),
        noise=float(rng.uniform(1.5, 4.0)), blur=float(rng.uniform(0.5, 0.9)), vignette=float(rng.uniform(0.1, 0.35)),
        seed=int(rng.integers(1 << 30)),
    )  # fmt: skip
