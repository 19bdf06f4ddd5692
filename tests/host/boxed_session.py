"""A running table with scripted eyes and simulated button boxes, for any game."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripted_camera import ScriptedCamera, ScriptedGlance, ScriptedWatcher
from scripted_table import GAME, Hands, reading_of

from companion.devices.boxes.box import PATTERNS
from companion.devices.boxes.simulator import SimulatedBox, SimulatedPorts
from companion.games.game import Game
from companion.host.boxes import TableBoxes, TableBoxesSettings
from companion.host.table import Table, TableSettings
from companion.record.events import Event
from companion.record.log import Record

PATIENCE = 20.0  # s; only how long a broken test takes to fail
FIRST = "00000007"


class BoxedSession:
    """A table with scripted eyes, and simulated boxes on lines that can be plugged."""

    def __init__(self, folder: Path, game: Game = GAME, **more: Any) -> None:
        self.record = Record.open(folder / "game.record")
        self.camera, self.watcher, self.hands = ScriptedCamera(), ScriptedWatcher(), Hands.at_start(game=game)
        settings = TableSettings(tick_s=0.01, every_frame=True)
        self.table = Table(game, self.record, self.camera, self.watcher, settings=settings)
        self.lines = SimulatedPorts()
        self.again: list[Event] = []
        chosen = TableBoxesSettings(**{"again_every": 0, "arbiter_every": 0, "refusal_every": 0, **more})
        self.boxes = TableBoxes(self.table, self.lines, folder / "game.boxes", settings=chosen)
        self.boxes.on_again(self.again.append)
        self.table.start()
        self.boxes.start()

    def plug(self, identity: int = 7) -> tuple[Any, SimulatedBox]:
        box = SimulatedBox(identity)
        line = self.lines.plug(f"line-{identity}", box)
        name = f"{identity:08x}"
        self.until(lambda: any(each.get("box") == name and each["state"] == "linked" for each in self.boxes.status()["boxes"]))
        return line, box

    def look(self) -> None:
        """Show the table once, and wait until all that follows from it is written."""

        def ruled() -> int:
            return sum(event.kind != "notice" for event in self.table.wait_events(0, 0))

        before = ruled()
        self.hands.now += 1
        self.watcher.analyses.append(ScriptedGlance(settled=reading_of(self.hands.state, self.hands.now, game=self.hands.game)))
        self.camera.show()
        self.until(lambda: ruled() > before)
        with self.table._ledger.lock:  # events come one by one; the ruling thread holds this until the last of a look
            pass

    def play_first_turn(self) -> None:
        self.look()
        self.hands.move("holmes", "e6")
        self.look()
        self.hands.move("bert", "k9").shift("covers", "c2", "h6")
        self.look()
        self.hands.move("stealthy", "k7")
        self.look()
        self.hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10")
        self.look()
        self.until(lambda: self.table.snapshot()["question"] is not None)

    def until(self, fulfilled: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not fulfilled():
            assert time.monotonic() < end, (self.table.snapshot(), self.boxes.status(), self.notices())
            time.sleep(0.003)

    def notices(self, code: str = "") -> list[dict[str, Any]]:
        said = [dict(event.data) for event in self.table.wait_events(0, 0) if event.kind == "notice"]
        return [one for one in said if code in ("", one["code"])]

    def shows(self, box: SimulatedBox, pattern: str) -> None:
        self.until(lambda: box.lights == PATTERNS[pattern].packed)

    def close(self) -> None:
        self.boxes.stop()
        self.table.stop()
        self.record.close()
