"""How long a press of a box takes to the page: simulated box, true protocol, record on disk, event stream over HTTP."""

import http.client
import json
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from scripted_camera import ScriptedCamera, ScriptedWatcher
from scripted_table import GAME

from companion.devices.boxes.box import Button
from companion.devices.boxes.simulator import SimulatedBox, SimulatedPorts
from companion.host.boxes import TableBoxes, TableBoxesSettings
from companion.host.table import Table
from companion.record.log import Record
from companion.web.app import create_app
from companion.web.server import PageServer

PATIENCE = 60.0  # s; only how long a broken test takes to fail


class Ear:
    """One page's stream of events, with the moment each of the wanted notices arrived."""

    def __init__(self, address: str) -> None:
        self.arrivals: list[float] = []
        place = urlsplit(address)
        self._line = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
        self._line.request("GET", "/api/events")
        self._reply = self._line.getresponse()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        for line in self._reply:
            if line.startswith(b"data: ") and b'"kind":"notice"' in line:
                now = time.monotonic()
                if json.loads(line[6:])["data"]["code"] == "arbiter":
                    self.arrivals.append(now)

    def close(self) -> None:
        self._thread.join(PATIENCE)
        self._reply.close()
        self._line.close()


def press_often(folder: Path, count: int) -> list[float]:
    """Milliseconds from a press on the box to the end of its event's line at the page, in the order of presses."""
    record = Record.open(folder / "game.record")
    table = Table(GAME, record, ScriptedCamera(), ScriptedWatcher())
    lines = SimulatedPorts()
    line = lines.plug("line", SimulatedBox(7))
    boxes = TableBoxes(table, lines, folder / "game.boxes", settings=TableBoxesSettings(arbiter_every=0))
    waits: list[float] = []

    def until(fulfilled: object) -> None:
        end = time.monotonic() + PATIENCE
        while not fulfilled():  # type: ignore[operator]
            assert time.monotonic() < end, (len(waits), boxes.status())
            time.sleep(0.001)

    server = PageServer(create_app(table, button_boxes=boxes))
    table.start()
    boxes.start()
    server.start()
    ear = Ear(server.address)
    try:
        until(lambda: any(each["state"] == "linked" for each in boxes.status()["boxes"]))
        for number in range(count):
            time.sleep(0.02 + 0.003 * (number % 11))
            before = time.monotonic()
            line.press(Button.ARBITER)
            until(lambda number=number: len(ear.arrivals) > number)
            waits.append(1000 * (ear.arrivals[number] - before))
    finally:
        server.stop()
        ear.close()
        boxes.stop()
        table.stop()
        record.close()
    return waits


def test_every_press_reaches_the_page_once_and_in_order(tmp_path: Path) -> None:
    waits = press_often(tmp_path, 20)
    assert len(waits) == 20 and min(waits) > 0


@pytest.mark.slow
def test_a_press_reaches_the_page_soon(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Prints what it measures; how long it takes says something of the program only on a machine that is idle."""
    waits = sorted(press_often(tmp_path, 400))
    with capsys.disabled():
        print(f"\npress to page: p50 {waits[200]:.1f} ms, p99 {waits[395]:.1f} ms, longest {waits[-1]:.1f} ms of {len(waits)}")
    assert len(waits) == 400
