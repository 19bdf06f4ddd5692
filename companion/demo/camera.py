"""A bundled table as a camera: pictures, arms and their shadows, a knock, the grain of a sensor; and what its players say."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.demo.script import HERE, Pixel, Script, ScriptAnswer, load_script
from companion.devices.cameras.addresses import CameraSettings
from companion.devices.cameras.recorded import RECORDING_OVER, Pacer, RecordedCamera
from companion.errors import BadInput, CompanionError
from companion.vision.frame import Frame, Image
from companion.vision.pictures.files import read_picture_file

Weights = NDArray[np.float32]
Answering = Callable[[Mapping[str, Any]], object]
"""Takes what a player says; raises a CompanionError while it cannot be taken."""
_TILE = (480, 270)
"""Pixels of one pattern of grain, width and height."""


@dataclass(frozen=True, slots=True)
class GrainSettings:
    """The sensor's grain. ``sigma`` in grey levels, 0..4 (a webcam in a lit room has 1 to 2); ``tiles`` how many patterns
    take turns: enough that no two pictures in a row are equal."""

    sigma: float = 1.2
    tiles: int = 5


@dataclass(frozen=True, slots=True)
class PatienceSettings:
    """``longest_step_s``: how much of the script may pass between two pictures (0.05 to 0.3 seconds of the script, times the
    pace above 1) before the script stands still for a busy machine. At 0.1 the shortest rest, 1.5 s, is fifteen pictures,
    far more than settling needs; a machine that reads ten pictures a second plays at the script's own rate.
    ``answer_s``: for how many seconds of pictures (10 to 60) the script stands still at an answer that cannot be taken, since
    what is on the table was not read yet; after that it goes on without it, so that a recording always comes to its end."""

    longest_step_s: float = 0.1
    answer_s: float = 20.0


class DemoCamera(RecordedCamera):
    """Plays a bundled table. Permanently ``simulated``. Capture times are seconds of the script and of the time it stood still
    for its players' answers, where :meth:`seat_players` said who takes them.

    ``pace`` 1 plays at the script's own rate, None as fast as pictures are taken. With ``hold`` the camera says at the end that
    the recording is over, and stays on the last picture, as a real one would; otherwise it ends. With ``waits`` nothing is
    missed on a busy machine: the script stands still until its pictures were looked at, where it skips them otherwise.
    """

    def __init__(
        self,
        script: Script | None = None,
        *,
        pace: float | None = 1.0,
        rate: float | None = None,
        hold: bool = False,
        waits: bool = False,
        grain: GrainSettings | None = None,
        patience: PatienceSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__("bundled table", CameraSettings(pace=pace), simulated=True)
        self.script = script or load_script()
        self._interval = 1 / (rate or self.script.rate)
        self._hold, self.waits, self._clock = hold, waits, clock
        self._patience = patience or PatienceSettings()
        self._answer: Answering | None = None
        self._passed_over = 0.0
        longest = self._patience.longest_step_s * max(1.0, pace or 1.0)
        self._longest_step = max(longest, self._interval) if waits else float("inf")
        self._arms = {over_top: _Arm.load(over_top, self.script) for over_top in (False, True)}
        self._grain = _Grain(grain or GrainSettings())

    def seat_players(self, answer: Answering) -> None:
        """Let the recorded players say what the script has them say, when its time has come; by the pictures' own thread."""
        self._answer = answer

    def onward(self, moment: float, step: float) -> float:
        """The next scene once its hands are gone; what comes before it is passed over at once."""
        rests = (scene.begin + scene.action for scene in self.script.scenes if not scene.interlude)
        self._passed_over = next((rest for rest in rests if rest > moment), moment + step)
        return self._passed_over

    def frames(self) -> Iterator[Frame]:
        pacer = Pacer(self._settings.pace, self._stopped, self._clock)
        players = _Players(self.script.answers, self._patience.answer_s)
        tick = number = 0
        self._passed_over = 0.0
        shown, stood_still = -self._interval, 0.0
        over = False
        while not self._stopped.is_set():
            moment = tick * self._interval
            tick += 1
            if moment < self._passed_over:
                pacer.put_off(-self._interval)  # what follows is due so much sooner
                continue
            if moment - stood_still > self.script.length and not over:
                if not self._hold:
                    return
                over = True
                self._say(RECORDING_OVER)
            late = pacer.wait_until(moment)
            if late > self._interval:
                if moment + self._interval - shown <= self._longest_step:
                    continue
                pacer.put_off(late)
            shown = moment
            image = self.picture_at(moment - stood_still)
            self._grain.sprinkle(image, number)
            yield Frame(image, moment, self.name, number)
            number += 1
            if self._answer is not None and players.wait(self._answer, moment - stood_still, moment):
                stood_still += self._interval

    def picture_at(self, moment: float) -> Image:
        """What the camera sees at a moment of the script, without grain (H×W×3 BGR, the caller's own copy)."""
        index = self.script.scene_at(moment)
        scene = self.script.scenes[index]
        now = moment - scene.begin
        if now >= scene.action:
            return _read_often(self.script.table / scene.picture).copy()
        before = next(earlier for earlier in reversed(self.script.scenes[:index]) if not earlier.interlude)
        image = _read_often(self.script.table / before.picture).copy()
        if scene.knock:
            return _shaken(image, now)
        after = _read_often(self.script.table / scene.picture)
        for change in scene.changes:
            if now >= change.time:
                _blend(image, after, change.place, self.script.radius)
        for reach in scene.reaches:
            fingers = reach.at(now)
            if fingers is not None:
                self._arms[reach.over_top].draw(image, fingers)
        return image


class _Players:
    """The recorded players: each answer in its turn, again and again until it is taken or ``patience_s`` is over."""

    def __init__(self, answers: tuple[ScriptAnswer, ...], patience_s: float) -> None:
        self._left, self._patience = list(answers), patience_s
        self._since: float | None = None

    def wait(self, answer: Answering, moment: float, now: float) -> bool:
        """Give what is due at a ``moment`` of the script; True while an answer cannot be taken yet. ``now``: capture time."""
        while self._left and self._left[0].time <= moment:
            try:
                answer(self._left[0].answer)
            except CompanionError:
                self._since = now if self._since is None else self._since
                if now - self._since < self._patience:
                    return True
            self._left.pop(0)
            self._since = None
        return False


@dataclass(frozen=True, eq=False, slots=True)
class _Arm:
    """An arm's picture with its outline (0..255) and soft shadow (0..1), and where its fingers grab in that picture."""

    colours: Image
    outline: Image
    shadow: Weights
    grab: Pixel

    @classmethod
    def load(cls, over_top: bool, script: Script) -> "_Arm":
        margin = 40  # room for the shadow beside the arm; none at the sleeve, which leaves the picture
        colours = _padded(_scaled(_read(HERE / "arm" / "arm.jpg"), script.arm_scale), margin)
        outline = _padded(_scaled(_read(HERE / "arm" / "outline.jpg"), script.arm_scale)[..., :1], margin)
        x, y = (along * script.arm_scale + margin for along in script.grab)
        if over_top:
            colours, outline = colours[::-1, ::-1].copy(), outline[::-1, ::-1].copy()
            x, y = outline.shape[1] - 1 - x, outline.shape[0] - 1 - y
        whole = outline / np.float32(255)
        moved = cv2.warpAffine(whole, np.array([[1, 0, 14], [0, 1, 10]], np.float32), outline.shape[1::-1])
        shadow = cv2.GaussianBlur(moved, (0, 0), 11)[..., None] * 0.4
        return cls(colours, outline, np.asarray(shadow, np.float32), (x, y))

    def draw(self, image: Image, fingers: Pixel) -> None:
        """Draw the arm with its fingers at a place, its shadow below it."""
        left, top = round(fingers[0] - self.grab[0]), round(fingers[1] - self.grab[1])
        height, width = self.outline.shape[:2]
        rows = slice(max(0, -top), min(height, image.shape[0] - top))
        columns = slice(max(0, -left), min(width, image.shape[1] - left))
        if rows.start >= rows.stop or columns.start >= columns.stop:
            return
        target = image[rows.start + top : rows.stop + top, columns.start + left : columns.stop + left]
        outline = self.outline[rows, columns] / np.float32(255)
        below = target * (1 - self.shadow[rows, columns])
        target[:] = (below + (self.colours[rows, columns] - below) * outline).astype(np.uint8)


class _Grain:
    """Grain in small ready-made patterns, repeated over the picture: drawing fresh noise for two million pixels would take
    longer than reading them, and what matters is that pictures differ, not that grain never repeats."""

    def __init__(self, settings: GrainSettings) -> None:
        random = np.random.default_rng(7)
        self._tiles: list[tuple[Image, Image]] = []
        for _ in range(settings.tiles if settings.sigma > 0 else 0):
            noise = np.rint(random.normal(0, settings.sigma, (_TILE[1], _TILE[0], 3))).astype(np.int8)
            self._tiles.append((np.maximum(noise, 0).astype(np.uint8), np.maximum(-noise, 0).astype(np.uint8)))

    def sprinkle(self, image: Image, number: int) -> None:
        """Add the pattern of this picture's turn, in place."""
        if not self._tiles:
            return
        more, less = self._tiles[number % len(self._tiles)]
        for top in range(0, image.shape[0], _TILE[1]):
            for left in range(0, image.shape[1], _TILE[0]):
                part = image[top : top + _TILE[1], left : left + _TILE[0]]
                height, width = part.shape[:2]
                cv2.add(part, more[:height, :width], dst=part)
                cv2.subtract(part, less[:height, :width], dst=part)


def _scaled(image: Image, scale: float) -> Image:
    return image if scale == 1 else np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC))


def _padded(image: Image, margin: int) -> Image:
    return np.pad(image, ((margin, 0), (margin, margin), (0, 0)))


@lru_cache(maxsize=2)  # the pictures before and after a scene
def _read_often(path: Path) -> Image:
    return _read(path)


def _read(path: Path) -> Image:
    try:
        return read_picture_file(path).image
    except BadInput as error:
        raise BadInput(f"bundled table: {path.name} is missing or damaged; install the companion again") from error


def _blend(image: Image, after: Image, place: Pixel, radius: float) -> None:
    """Show ``after`` in a soft disc around a place, in place."""
    x, y, reach = round(place[0]), round(place[1]), int(radius) + 8
    rows = slice(max(0, y - reach), min(image.shape[0], y + reach + 1))
    columns = slice(max(0, x - reach), min(image.shape[1], x + reach + 1))
    grid_y, grid_x = np.mgrid[rows, columns]
    weight = np.clip((radius - np.hypot(grid_x - x, grid_y - y)) / 8 + 0.5, 0, 1)[..., None]
    image[rows, columns] = (image[rows, columns] * (1 - weight) + after[rows, columns] * weight).astype(np.uint8)


def _shaken(image: Image, now: float) -> Image:
    """A knock: the picture jumps about and blurs along the way."""
    x, y = 22 * np.sin(now * 41), 15 * np.sin(now * 67 + 1)
    moved = cv2.warpAffine(
        image, np.array([[1, 0, x], [0, 1, y]], np.float32), image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cv2.blur(moved, (9, 5)), np.uint8)
