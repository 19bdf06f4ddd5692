"""Pictures of made-up cards on a mat: any turn, sleeves with glare, dusk, tilt, hands. With exact truth.

A :class:`CardTable` keeps the picture of what lies there; ``lay`` puts a card on it, ``picture`` takes one with light, blur and
noise of its own. The lens has no distortion: whatever lies flat is warped by one homography.
"""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, PieceSet
from companion.calibration.training.card_decks import SCALE, SIZE_MM
from companion.calibration.training.laid_pieces import TABLE
from companion.calibration.training.stickers_composed import Shot, marker_art, pose
from companion.vision.camera import Registration
from companion.vision.frame import Image

Array = NDArray[np.float64]
FINE = 3  # samples a pixel, each way
CARD_MM = 0.32  # thickness of a card, mm


@dataclass(frozen=True)
class Light:
    """How one picture is lit: a factor, its slope over the picture, a tint (BGR), noise (grey levels)."""

    exposure: float = 1.0
    slope: tuple[float, float] = (0.15, 0.1)
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise: float = 2.0


def light_at_random(rng: np.random.Generator, dusk: bool) -> Light:
    """Daylight, lamps, or dusk."""
    slope = (float(rng.uniform(-0.25, 0.25)), float(rng.uniform(-0.2, 0.2)))
    if dusk:
        return Light(float(rng.uniform(0.3, 0.5)), slope, (float(rng.uniform(0.7, 0.9)), 0.92, 1.05), float(rng.uniform(3, 5)))
    tint = tuple(float(v) for v in rng.uniform(0.92, 1.06, 3))
    return Light(float(rng.uniform(0.75, 1.1)), slope, tint, float(rng.uniform(1.5, 3)))  # type: ignore[arg-type]


class CardTable:
    """What lies on a mat, as the camera of one shot sees it."""

    def __init__(self, board: Board, shot: Shot, seed: int = 0, printed: bool = True, pieces: PieceSet | None = None) -> None:
        """``pieces``: whose frame stickers lie there; ``printed``: whether zones are drawn on a mat."""
        self.pieces = pieces
        self.board, self.shot = board, replace(shot, distortion=(0.0,) * 5)
        self.registration: Registration = pose(board, self.shot)
        self.rng = np.random.default_rng(seed)
        self._made, self._laid = (seed, printed), list[dict[str, Any]]()
        self._film = self._ground(printed)
        self._bare = self._film.copy()

    def seen_by(self, shot: Shot) -> "CardTable":
        """The same mat, with all that was laid since it was last cleared, before a camera that was moved."""
        seed, printed = self._made
        found = CardTable(self.board, shot, seed, printed, self.pieces)
        found.rng = self.rng
        for one in self._laid:
            found.lay(**one)
        return found

    def clear(self) -> None:
        """Take all cards away."""
        self._film = self._bare.copy()
        self._laid.clear()

    def _ground(self, printed: bool) -> Image:
        art = np.random.default_rng(int(self.rng.integers(1 << 30)))
        size = [int((side + 2 * TABLE) * SCALE) for side in self.board.size_mm[::-1]]
        wood = art.integers(40, 130, 3)
        grain = cv2.resize(art.normal(0, 9, (size[0] // 6, 40)).astype(np.float32), size[::-1], interpolation=cv2.INTER_CUBIC)
        canvas = np.clip(wood + grain[..., None], 0, 255).astype(np.uint8)

        def at(mm: Any) -> tuple[int, int]:
            return round((mm[0] + TABLE) * SCALE), round((mm[1] + TABLE) * SCALE)

        if printed:
            cv2.rectangle(canvas, at((0, 0)), at(self.board.size_mm), tuple(int(v) for v in art.integers(205, 245, 3)), -1)
            for zone in self.board.zones:
                outline = np.array([at(corner) for corner in self.board.outline_mm(zone)], np.int32)
                cv2.polylines(canvas, [outline], True, (120, 120, 120), 3, cv2.LINE_AA)
        for number, sticker in (self.pieces.frame_markers if self.pieces is not None else {}).items():
            assert self.pieces is not None
            drawn = marker_art(self.pieces.dictionary, number, sticker.side_mm, sticker.quiet_mm)
            x, y = at(sticker.centre_mm)
            top, left = y - drawn.shape[0] // 2, x - drawn.shape[1] // 2
            canvas[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn[..., None]
        picture = np.zeros((self.shot.size[1], self.shot.size[0], 3), np.uint8)
        self.warp(picture, canvas, (-TABLE, -TABLE), 0.0)
        return picture

    def warp(self, onto: Image, art: Image, origin: tuple[float, float], height: float) -> None:
        """Lay flat art (BGR or BGRA, not premultiplied), its top left corner at ``origin`` (mm), into the picture."""
        wide, tall = art.shape[1] / SCALE, art.shape[0] / SCALE
        x, y = origin
        self._quad(onto, art, np.array([(x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)]), height)

    def _quad(self, onto: Image, art: Image, corners: Array, height: float) -> None:
        pixels = self.registration.project(corners, height)
        low = np.maximum(0, np.floor(pixels.min(axis=0)).astype(int) - 1)
        high = np.minimum(onto.shape[1::-1], np.ceil(pixels.max(axis=0)).astype(int) + 2)
        if (high <= low).any():
            return
        target = ((pixels - low + 0.5) * FINE - 0.5).astype(np.float32)
        source = np.array([(0, 0), (art.shape[1], 0), (art.shape[1], art.shape[0]), (0, art.shape[0])], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(source, target)
        size = tuple(int(v) for v in (high - low) * FINE)
        fine = FINE * float(np.linalg.norm(pixels[1] - pixels[0])) / art.shape[1]
        if fine < 0.7:
            art = np.asarray(cv2.GaussianBlur(art, (0, 0), 0.4 / fine), np.uint8)
        mask = cv2.warpPerspective(art[..., 3] if art.shape[2] == 4 else np.full(art.shape[:2], 255, np.uint8), matrix, size)
        drawn = cv2.warpPerspective(np.ascontiguousarray(art[..., :3]), matrix, size, borderMode=cv2.BORDER_REPLICATE)
        half = tuple(int(v) for v in high - low)
        alpha = cv2.resize(mask, half, interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
        ink = cv2.resize(drawn, half, interpolation=cv2.INTER_AREA).astype(np.float32)
        box = onto[low[1] : high[1], low[0] : high[0]]
        box[:] = np.clip(box * (1 - alpha) + ink * alpha + 0.5, 0, 255).astype(np.uint8)

    def film(self) -> Image:
        """What lies there now, to be restored."""
        return self._film.copy()

    def restore(self, film: Image) -> None:
        """Have it lie there again as it did."""
        self._film = film.copy()

    def lay(
        self, art: Image, at: tuple[float, float], turn: float, height: float = 0.0, sleeve: str = "",
        size_mm: tuple[float, float] = SIZE_MM,
    ) -> None:  # fmt: skip
        """Lay a card (its middle at ``at``, mm, turned clockwise by degrees) upon all that lies there. ``sleeve``: none,
        "clear", or "glare"."""
        self._laid.append({"art": art, "at": at, "turn": turn, "height": height, "sleeve": sleeve, "size_mm": size_mm})
        angle = np.radians(turn)
        across, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])

        def corners(width: float, tall: float) -> Array:
            signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
            return np.array([np.array(at) + a * width / 2 * across + b * tall / 2 * down for a, b in signs])

        width, tall = size_mm
        z = height + CARD_MM
        shade = np.zeros((int((tall + 4) * SCALE), int((width + 4) * SCALE), 4), np.uint8)
        cv2.rectangle(shade, (6, 6), (shade.shape[1] - 7, shade.shape[0] - 7), (0, 0, 0, 70), -1)
        self._quad(self._film, np.asarray(cv2.GaussianBlur(shade, (0, 0), 3), np.uint8), corners(width + 4, tall + 4), z)
        if sleeve:
            border = np.zeros((int((tall + 3.5) * SCALE), int((width + 3.5) * SCALE), 4), np.uint8)
            border[...] = (235, 235, 235, 45)
            cv2.rectangle(border, (0, 0), (border.shape[1] - 1, border.shape[0] - 1), (250, 250, 250, 150), 3)
            self._quad(self._film, border, corners(width + 3.5, tall + 3.5), z)
        card = art
        if sleeve:
            card = np.clip(art * 0.93 + 255 * 0.05, 0, 255).astype(np.uint8)
        if sleeve == "glare":
            card = glare(card, self.rng)
        rounded = np.dstack([card, np.full(card.shape[:2], 255, np.uint8)])
        for y, x in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
            rounded[slice(0, 6) if y == 0 else slice(-6, None), slice(0, 6) if x == 0 else slice(-6, None), 3] = 0
        self._quad(self._film, rounded, corners(width, tall), z)

    def hand(self, rng: np.random.Generator, tip: tuple[float, float]) -> Image:
        """The picture (before light) with a hand and arm that reaches to a spot (mm) from the nearer long side."""
        film = self._film.copy()
        end = (
            tip[0] + float(rng.uniform(-80, 80)),
            -90.0 if tip[1] < self.board.size_mm[1] / 2 else self.board.size_mm[1] + 90.0,
        )
        skin = rng.uniform((70, 100, 140), (170, 195, 235))
        sleeve = rng.uniform(20, 220, 3)
        line = [np.array(tip) * (1 - t) + np.array(end) * t for t in (0.0, 0.45, 1.0)]
        px = self.registration.project(line, 40.0)
        wide = self.registration.pixels_per_mm(tip)
        for (one, other), colour, width in (((px[1], px[2]), sleeve, 80), ((px[0], px[1]), skin, 55)):
            cv2.line(
                film,
                tuple(int(v) for v in one),
                tuple(int(v) for v in other),
                tuple(float(v) for v in colour),
                int(width * wide),
                cv2.LINE_AA,
            )
        for finger in range(4):
            turn = np.radians(rng.uniform(-25, 25) + 18 * (finger - 1.5))
            way = np.array(tip) - np.array(end)
            way = way / np.linalg.norm(way) * rng.uniform(45, 75)
            tipped = np.array(tip) + np.array(
                (
                    way[0] * np.cos(turn) - way[1] * np.sin(turn),
                    way[0] * np.sin(turn) + way[1] * np.cos(turn),
                )
            )
            a, b = self.registration.project([tip, tipped], 30.0)
            cv2.line(
                film,
                tuple(int(v) for v in a),
                tuple(int(v) for v in b),
                tuple(float(v) for v in skin * rng.uniform(0.9, 1.05)),
                int(15 * wide),
                cv2.LINE_AA,
            )
        return film

    def picture(self, light: Light, seed: int, film: Image | None = None) -> Image:
        """A picture of the table as it is now."""
        film = self._film if film is None else film
        rng, shot = np.random.default_rng(seed), self.shot
        width, height = shot.size
        y, x = np.mgrid[-1:1:46j, -1:1:80j].astype(np.float32)
        lit = light.exposure * (1 + light.slope[0] * x + light.slope[1] * y) * (1 - shot.vignette * (x * x + y * y) / 2)
        lit = cv2.resize(lit, (width, height))
        image = np.asarray(cv2.GaussianBlur(film * cv2.merge([lit * np.float32(one) for one in light.tint]), (0, 0), shot.blur))
        grain = _GRAIN[light_noise(rng) :][: width * height * 3].reshape(height, width, 3)
        image += grain * np.float32(light.noise)
        image = np.clip(image, 0, 255, out=image).astype(np.uint8)
        coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, shot.quality])[1]
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR))


_GRAIN = np.random.default_rng(3).normal(0, 1, 1280 * 960 * 3 + 100_000).astype(np.float32)
"""Noise of standard deviation 1, of which each picture takes a part that begins elsewhere."""


def light_noise(rng: np.random.Generator) -> int:
    """Where the noise of one picture begins."""
    return int(rng.integers(100_000))


def glare(card: Image, rng: np.random.Generator) -> Image:
    """A card in a glossy sleeve: a streak or a patch of a lamp's light, from faint to burnt out."""
    height, width = card.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / height
    turn = rng.uniform(0, np.pi)
    a, b = rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.9)
    across = (x - a) * np.cos(turn) + (y - b) * np.sin(turn)
    along = -(x - a) * np.sin(turn) + (y - b) * np.cos(turn)
    light = rng.uniform(0.25, 1.3) * np.exp(-((across / rng.uniform(0.04, 0.12)) ** 2) - (along / rng.uniform(0.15, 0.6)) ** 2)
    light = np.minimum(1.0, light)[..., None]
    return np.clip(card * (1 - light) + 255 * light, 0, 255).astype(np.uint8)
