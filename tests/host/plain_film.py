# ruff: noqa: E402 - finds its own modules
"""A made-up unmodified copy as a camera films it, for measuring whole games; what was seen can be kept and seen again."""

import pickle
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / room) for room in ("vision", "referee"))]


from companion import boards
from companion.calibration.training.camera_faults import arm
from companion.calibration.training.composed import Table
from companion.calibration.training.judge_new_york import taught
from companion.calibration.training.new_york_composed import NewYorkTable, readable
from companion.calibration.training.second_sides import SecondSideTable
from companion.host.table import Table as Host
from companion.vision.frame import Frame
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.watching.frame_analysis import FrameAnalysis
from companion.vision.watching.watcher import Watcher

RATE = 15.0
"""Frames a second."""
MOST_S = 12.0
"""Seconds of film of one position, if it does not settle earlier."""
AFTER = 2
"""Frames of a table at rest that follow a settled one."""
GRAINS = 3
"""Pictures of one position, alike but for their grain, that are shown by turns."""
LONDON, NEW_YORK = "mr-jack-london", "mr-jack-new-york"
BLANK = np.zeros((2, 2, 3), np.uint8)


@dataclass
class Film:
    """What the two kinds share: a clock, and the frames a host is given."""

    name: str = "made"
    simulated: bool = True
    waits: bool = False
    feed: None = None
    now: float = 0.0
    shown: list[list[tuple[float, FrameAnalysis]]] = field(default_factory=list)
    last: FrameAnalysis = field(default_factory=FrameAnalysis)

    def frames(self) -> Iterator[Frame]:
        """None of its own: they are handed over one by one."""
        yield from ()

    def close(self) -> None:
        """Nothing is open."""

    def wait(self, host: Host, seconds: float) -> None:
        """Nothing moves, and the source is silent: after two seconds the host's own clock goes on in its place."""
        self.now += seconds + 2.0
        host.look_at(None)
        host.look_at(None)

    def _hand_over(self, host: Host, image: Any) -> FrameAnalysis:
        self.now += 1 / RATE
        host.look_at(Frame(image, self.now, self.name))
        self.shown[-1].append((self.now, replace(self.last, observation=None)))
        return self.last


class MadeFilm(Film):
    """Pictures of a made-up copy that was taught before. ``game`` is the game's id; ``family``: how the second sides of
    London's discs look (``second_sides.py``), which no picture has shown."""

    def __init__(self, game: str, seed: int, family: str = "ordinary") -> None:
        super().__init__()
        self.board, pieces = boards.load(game), boards.load_pieces(game)
        start = dict(self.board.start)
        if game == NEW_YORK:
            self._copy: Any = _steady(NewYorkTable)(seed)
            teaching, self._readable = taught(self._copy), readable
        else:
            size = [(1280, 720), (1600, 900), (1920, 1080)][seed % 3]
            make = _steady(Table) if family == "ordinary" else partial(_steady(SecondSideTable), family=family)
            self._copy = make(self.board, pieces, seed, size=size)
            empty, laid = (Frame(self._copy.shoot(state)[0], 0, "made") for state in ({}, start))
            teaching, self._readable = teach(empty, laid, self.board, pieces, self._copy.lens, start), dict
        self.reader = PlainReader(self.board, pieces, teaching)
        self.watcher = Watcher(self.reader, self.board)
        self._grains = np.random.default_rng(seed)
        self._picture = self._copy.shoot(start)[0]
        self._still = [self._picture]
        self._mood = None

    def another_light(self) -> None:
        """A lamp is switched on or off; the table is as it was."""
        self._mood = self._copy.other_light()

    def see(self, frame: Frame) -> FrameAnalysis:
        """Part of the host's work: the watcher's glance, remembered."""
        self.last = self.watcher.see(frame)
        return self.last

    def show(self, host: Host, state: dict[str, Any]) -> None:
        """Hands come over the table and leave it like this; it is looked at until it has settled."""
        before, self._picture = self._picture, self._copy.shoot(self._readable(state), mood=self._mood)[0]
        self.shown.append([])
        self._hand_over(host, arm(before, 0.6))
        self._hand_over(host, arm(self._picture, 0.5))
        self._still = [self._grained(self._picture) for _ in range(GRAINS)]
        rest = 0
        for number in range(round(MOST_S * RATE)):
            analysis = self._hand_over(host, self._still[number % GRAINS])
            rest = rest + 1 if analysis.steady else 0
            if rest > AFTER:
                break

    def stay(self, host: Host, seconds: float) -> None:
        """The table as it is, for a while."""
        self.shown.append([])
        for number in range(round(seconds * RATE)):
            self._hand_over(host, self._still[number % GRAINS])

    def _grained(self, picture: Any) -> Any:
        height, width = picture.shape[:2]
        grain = cv2.resize(self._grains.normal(0, 1.2, (height // 8, width // 8)).astype(np.float32), (width, height))
        return np.clip(picture + grain[..., None], 0, 255).astype(np.uint8)


class KeptFilm(Film):
    """What a watcher saw of an earlier film, for another look at what the referee makes of it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._kept: Iterator[list[tuple[float, FrameAnalysis]]] = iter(pickle.loads(path.read_bytes()))
        self._next: FrameAnalysis = FrameAnalysis()

    def another_light(self) -> None:
        """As it was."""

    def see(self, frame: Frame) -> FrameAnalysis:
        """The kept glance, at this frame's time."""
        settled = self._next.settled
        self.last = replace(self._next, settled=settled and replace(settled, captured_at=frame.captured_at))
        return self.last

    def show(self, host: Host, state: dict[str, Any]) -> None:
        """The next position of the film, which was this one."""
        self._again(host)

    def stay(self, host: Host, seconds: float) -> None:
        """The same time at rest."""
        self._again(host)

    def _again(self, host: Host) -> None:
        self.shown.append([])
        for _, analysis in next(self._kept):
            self._next = analysis
            self._hand_over(host, BLANK)


def _steady(kind: Any) -> Any:
    """The same compositor, but a piece that lies where it lay shines as it shone: pictures of one session, not of many."""

    class Steady(kind):  # type: ignore[misc]
        def _piece(self, picture: Any, pinhole: Any, place: Any, *more: Any) -> None:
            every, self.rng = self.rng, np.random.default_rng([self.seed, *f"{place.piece}@{place.place}".encode()])
            super()._piece(picture, pinhole, place, *more)
            self.rng = every

    return Steady


def keep(film: Film, path: Path) -> None:
    """Write what was seen."""
    path.write_bytes(pickle.dumps(film.shown))
