"""What a look keeps for the next one, and how a dear reader's doubts are looked at again: a few spots a frame."""

from dataclasses import replace

import numpy as np

from companion.boards import load
from companion.calibration.training.stickers_composed import Shot, pose
from companion.vision.camera import Registration
from companion.vision.frame import Frame
from companion.vision.observation import Observation
from companion.vision.plain.memory import Findings
from companion.vision.reader import Budget, Region, Traits
from companion.vision.reading import Reading
from companion.vision.watching.watcher import Watcher

BOARD = load("mr-jack-london")
SHOT = Shot(tilt=10, px_per_mm=1.2, size=(1280, 720))
PICTURE = np.random.default_rng(1).integers(60, 200, (45, 80, 3)).repeat(16, 0).repeat(16, 1).astype(np.uint8)
DOUBTED = sorted(BOARD.of_kind("street"))[:23]


def test_a_thing_is_found_out_once_and_again_where_it_is_looked_at() -> None:
    made: list[str] = []

    def look(findings: Findings, place: str) -> None:
        findings.once(place, "bare", lambda: made.append(place))

    first = Findings()
    for place in ("A1", "A1", "B2", "A1+A2", "B2+B3"):
        look(first, place)
    assert made == ["A1", "B2", "A1+A2", "B2+B3"]
    later = first.elsewhere({"A2", "B2"})
    made.clear()
    for place in ("A1", "B2", "A1+A2", "B2+B3"):
        look(later, place)
    assert made == ["B2", "A1+A2", "B2+B3"], "and what covers two cells hangs on both"
    made.clear()
    look(first, "B2")
    assert made == [], "the earlier look keeps its own"


class Doubter:
    """A reader that finds the board and cannot tell what lies on some cells."""

    traits = Traits(partial=True, incremental=True, spots_a_frame=5)

    def __init__(self) -> None:
        self.registration: Registration = pose(BOARD, SHOT)
        self.asked: list[frozenset[str]] = []

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        if region is not None:
            self.asked.append(region.spots)
            return self.read(frame)
        unknown = {f"gaslight:{cell}": "it cannot be told" for cell in DOUBTED}
        return Observation(Reading((), unknown, (), True, frame.captured_at, frame.source), self.registration)

    def displacement_px(self, frame: Frame, registration: Registration) -> float | None:
        return 0.0

    def learn(self, frame: Frame, observation: Observation) -> None:
        pass


def test_doubts_before_the_first_settled_reading_are_looked_at_a_few_a_frame() -> None:
    reader = Doubter()
    watcher = Watcher(reader, BOARD)
    frames = (Frame(PICTURE, number / 30, "test") for number in range(90))
    assert any(watcher.see(frame).settled is not None for frame in frames), "patience ends it"
    assert max(len(spots) for spots in reader.asked) == reader.traits.spots_a_frame
    assert frozenset().union(*reader.asked) == frozenset(DOUBTED)


class Waverer(Doubter):
    """Of one cell it can tell now and then what lies there."""

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        observation = super().read(frame, prior, region, budget)
        told = int(frame.captured_at * 2) % 2 == 0
        unknown = {
            name: why for name, why in observation.reading.unknown.items() if not told or name != f"gaslight:{DOUBTED[0]}"
        }
        return replace(observation, reading=replace(observation.reading, unknown=unknown))


def test_what_can_now_and_then_be_told_does_not_keep_the_first_reading_for_ever() -> None:
    watcher = Watcher(Waverer(), BOARD)
    settled = (watcher.see(Frame(PICTURE, number / 30, "test")).settled for number in range(120))
    reading = next((reading for reading in settled if reading is not None), None)
    assert reading is not None
    assert len(reading.unknown) >= len(DOUBTED) - 1
    assert reading.captured_at >= 2.0, "patience is kept"
