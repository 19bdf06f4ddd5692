"""Another printing, from its picture to the game: a board file is taught, then played on by the whole companion."""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "vision"))
from companion.boards import loading
from companion.calibration.training.new_york_stickers import BOARD, EMPTY, GAME, table
from companion.calibration.training.stickers_composed import Shot, compose, pose
from companion.cli import main
from companion.devices.cameras.port import CameraSettings
from companion.devices.cameras.recorded import RecordedCamera
from companion.record.log import Record
from companion.vision.frame import Frame

PATIENCE = 240.0  # s; only how long a broken test takes to fail
SHOT = Shot(tilt=12, px_per_mm=1.8, distortion=(0.0, 0.0, 0.0, 0.0, 0.0))
ELSEWHERE = {"latimer": "F11"}  # where another source starts him


class PatientCamera(RecordedCamera):
    """Shows each picture until the record holds what it is to lead to."""

    def __init__(self, pictures: list[np.ndarray], record: Path) -> None:
        super().__init__("patient", CameraSettings(), simulated=True)
        self._pictures, self._record = pictures, record

    def frames(self) -> Iterator[Frame]:
        begin, number = time.monotonic(), 0
        for index, picture in enumerate(self._pictures):
            while not self._stopped.is_set() and not self._heard(index):
                assert time.monotonic() - begin < PATIENCE, f"nothing came of picture {index}"
                yield Frame(picture, number / 10, self.name, number)
                number += 1
                time.sleep(0.1)

    def _heard(self, index: int) -> bool:
        with Record.read(self._record) as kept:
            kinds = [event.kind for event in kept.events()]
        return kinds.count("chores") > index or "turn-opened" in kinds


@pytest.fixture(autouse=True)
def _forget() -> Any:
    yield
    loading._ADOPTED.clear()
    loading.load.cache_clear()


def taught(folder: Path, empty: Path) -> Path:
    """A board file made with the command from a picture of the empty board, with one character starting elsewhere."""
    left, top, right, bottom = BOARD.frame_mm
    points = pose(BOARD, SHOT).project([(left, top), (right, top), (right, bottom), (left, bottom)])
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    plan, out = folder / "plan.json", folder / "mine.json"
    command = ["calibrate", "new-board", str(empty), str(plan)]
    assert main([*command, "--like", GAME.id, "--edition", "mine", "--corners", corners]) == 0
    told = json.loads(plan.read_text("utf-8"))
    for name, cell in ELSEWHERE.items():
        told["start"]["characters"][name]["hex"] = cell
    plan.write_text(json.dumps(told), "utf-8")
    assert main([*command, "--out", str(out)]) == 0
    return out


def test_a_taught_board_is_set_up_and_agreed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = GAME.start().to_json()
    people = {name: entry | {"hex": ELSEWHERE.get(name, entry["hex"])} for name, entry in start["characters"].items()}
    states = (EMPTY, start, start | {"characters": people})
    pictures = [compose(table(state, art=1, jitter=1, steady=True), SHOT) for state in states]
    cv2.imwrite(str(tmp_path / "empty.png"), pictures[0])
    board, record = taught(tmp_path, tmp_path / "empty.png"), tmp_path / "game.sqlite"
    camera = PatientCamera(pictures, record)
    monkeypatch.setattr("companion.cli.session.camera_trust.open_asking", lambda source, settings: camera)
    options = ["--once", "--port", "0", "--no-browser", "--record", str(record)]
    assert main(["run", "0", "--board", str(board), *options]) == 0
    with Record.read(record) as kept:
        events = kept.events()
    assert (events[0].data["game"], events[0].data["edition"]) == (GAME.id, "mine")
    empty, asked = (event for event in events if event.kind == "chores")
    assert len(empty.data["chores"]) > 15
    assert [chore["to"] for chore in asked.data["chores"]] == ["F11"], "he lies where the shipped board has him"
    agreed = next(event for event in events if event.kind == "table-agreed")
    assert agreed.number > asked.number
    assert agreed.data["position"]["edition"] == "mine"
    assert agreed.data["position"]["characters"]["latimer"]["hex"] == "F11"
    assert "turn-opened" in [event.kind for event in events]
