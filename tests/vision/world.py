"""What happens around a table while it is watched: a film of pictures, and what light, hands, cups and knocks do to them."""

from collections.abc import Iterable, Iterator
from typing import Any

import cv2
import numpy as np

from companion.boards import Board, PieceSet
from companion.calibration.training.camera_faults import warped
from companion.vision.camera import Registration
from companion.vision.frame import Frame
from companion.vision.reader import Reader
from companion.vision.reading import Reading
from companion.vision.table_sets.scoring import WRONG, compare
from companion.vision.watching.frame_analysis import FrameAnalysis
from companion.vision.watching.watcher import Watcher, WatchSettings

RATE = 15.0
Picture = np.ndarray


class Film:
    """Feeds pictures to a watcher at a steady rate, with grain; keeps what was said, and when."""

    def __init__(self, reader: Reader, board: Board, settings: WatchSettings | None = None) -> None:
        self.watcher = Watcher(reader, board, settings)
        self.now = 0.0
        self.said: list[tuple[float, str]] = []
        self.readings: list[tuple[float, Reading]] = []
        self._rng = np.random.default_rng(0)

    def show(self, picture: Picture, seconds: float) -> list[FrameAnalysis]:
        return self.run(picture for _ in range(max(1, round(seconds * RATE))))

    def run(self, pictures: Iterable[Picture], grainy: float = 1.2) -> list[FrameAnalysis]:
        analyses = []
        for picture in pictures:
            height, width = picture.shape[:2]
            grain = cv2.resize(self._rng.normal(0, grainy, (height // 8, width // 8)).astype(np.float32), (width, height))
            analysis = self.watcher.see(Frame(grained(picture, grain), self.now, "film"))
            analyses.append(analysis)
            self.said += [(self.now, notice.code) for notice in analysis.notices]
            if analysis.settled is not None:
                self.readings.append((self.now, analysis.settled))
            self.now += 1 / RATE
        return analyses

    def codes(self) -> list[str]:
        return [code for _, code in self.said]

    def since(self, at: float) -> list[Reading]:
        return [reading for when, reading in self.readings if when >= at]


def grained(picture: Picture, grain: np.ndarray) -> Picture:
    """The picture with grain of any number of grey levels, cut off to whole ones."""
    levels = grain if grain.dtype == np.int16 else np.floor(grain).astype(np.int16)
    return np.asarray(cv2.add(picture, levels if levels.ndim == 3 else cv2.merge([levels] * 3), dtype=cv2.CV_8U), np.uint8)


def false(reading: Reading, truth: dict[str, Any], board: Board, pieces: PieceSet) -> list[object]:
    """What a reading claims that is not so; what it calls unknown is no claim."""
    verdicts = compare(truth, reading.state(board, pieces), reading.unknown, pieces)
    return [verdict for verdict in verdicts if verdict.verdict == WRONG]


# --- light --------------------------------------------------------------------------------------------------------


def lit(picture: Picture, gain: float = 1.0, tint: tuple[float, float, float] = (1, 1, 1), slope: float = 0.0) -> Picture:
    """Another light: brighter or darker, of another colour (BGR factors), falling off from left to right."""
    levels: np.ndarray = np.arange(256)[None, :, None] if slope == 0 else picture
    across = 1 + slope * np.linspace(-0.5, 0.5, levels.shape[1])[None, :, None]
    made = np.clip(levels * across * gain * np.array(tint), 0, 255).astype(np.uint8)
    return made if slope else np.asarray(cv2.LUT(picture, made), np.uint8)


def shaded(picture: Picture, edge: float, dark: float = 0.45) -> Picture:
    """A shadow with a soft border from the left up to ``edge`` (share of the width), aslant."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    inside = 1 / (1 + np.exp(np.clip((x + 0.3 * y - edge * width) / (0.012 * width), -40, 40)))
    return np.clip(picture * (1 - dark * inside[..., None]), 0, 255).astype(np.uint8)


def fading(picture: Picture, to: float, seconds: float) -> Iterator[Picture]:
    """Daylight fading evenly to a share of what it was."""
    for share in np.linspace(0, 1, round(seconds * RATE)):
        yield lit(picture, 1 - (1 - to) * share, (1 - 0.1 * share, 1, 1))


def hunting(picture: Picture, seconds: float) -> Iterator[Picture]:
    """A camera whose exposure and white balance never come to rest."""
    for number in range(round(seconds * RATE)):
        t = number / RATE
        yield lit(picture, 1 + 0.12 * np.sin(1.7 * t), (1 + 0.07 * np.sin(0.9 * t), 1, 1 - 0.07 * np.sin(0.7 * t)))


# --- things -------------------------------------------------------------------------------------------------------


def mug(picture: Picture, pose: Registration, mm: tuple[float, float], radius_mm: float = 38) -> Picture:
    """A mug standing at a point of the table: rim above, its side, what is in it."""
    made = picture.copy()
    turn = np.linspace(0, 2 * np.pi, 60)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    hull = np.vstack([pose.project(np.array(mm) + radius_mm * ring, h) for h in (0.0, 45.0, 90.0)]).astype(np.float32)
    cv2.fillConvexPoly(made, cv2.convexHull(hull).astype(np.int32), (205, 210, 214), cv2.LINE_AA)
    cv2.fillPoly(made, [pose.project(np.array(mm) + 0.85 * radius_mm * ring, 80.0).astype(np.int32)], (30, 50, 80), cv2.LINE_AA)
    return made


def slab(picture: Picture, pose: Registration, box: tuple[float, float, float, float], colour: tuple[int, int, int]) -> Picture:
    """Something flat from (x0, y0) to (x1, y1) board mm: a card, a phone."""
    x0, y0, x1, y1 = box
    made = picture.copy()
    corners = pose.project([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], 3.0)
    cv2.fillPoly(made, [corners.astype(np.int32)], colour, cv2.LINE_AA)
    return made


def dice(picture: Picture, pose: Registration, mm: tuple[float, float]) -> Picture:
    made = picture
    for dx, colour in ((0.0, (235, 240, 240)), (26.0, (40, 40, 200))):
        x, y = mm[0] + dx, mm[1] + dx / 2
        made = slab(made, pose, (x, y, x + 15, y + 15), colour)
        for px, py in ((3, 3), (7, 7), (11, 11)):
            spot = pose.project([(x + px, y + py)], 3.0)[0]
            cv2.circle(made, (round(float(spot[0])), round(float(spot[1]))), 2, (20, 20, 20), -1, cv2.LINE_AA)
    return made


# --- knocks -------------------------------------------------------------------------------------------------------


def shaking(picture: Picture, frames: int = 4) -> Iterator[Picture]:
    """A few pictures while the table or the camera still trembles."""
    for number in range(frames):
        yield warped(picture, 0.8 * (-1) ** number, (9.0 * (-1) ** number, 6.0 * np.sin(number)))
