"""A table without threads: pictures go in one by one, and what the companion makes of them is asked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from companion import games, plugins
from companion.games.game import Game
from companion.host.secrets import Secrets
from companion.host.table import FrameWatcher, Table
from companion.record.log import Record
from companion.vision.frame import Frame
from companion.vision.reading import Reading
from companion.vision.watching.frame_analysis import FrameAnalysis

Picture = np.ndarray
"""H×W×3, blue, green and red."""


@contextmanager
def brought(game_id: str, package: str) -> Iterator[Game]:
    """A game from outside, known while the block runs."""
    games.register(game_id, package)
    try:
        yield games.load(game_id)
    finally:
        plugins.withdraw(game_id)


class StillCamera:
    """A camera that never shows anything by itself."""

    name, simulated, waits, feed = "still", True, False, None

    def frames(self) -> Iterator[Frame]:
        yield from ()

    def close(self) -> None:
        pass


class Sitting:
    """One match over a record and a file of secrets in a folder, which can be stood up from and sat down at again."""

    def __init__(
        self,
        game: Game,
        folder: Path,
        watcher: Callable[[], FrameWatcher],
        rules: dict[str, str] | None = None,
        step_s: float = 0.2,
    ) -> None:
        self.game, self.folder, self.watcher, self.rules, self.step_s = game, folder, watcher, rules, step_s
        self.at, self.count = 0.0, 0
        self.sit_down()

    def sit_down(self) -> None:
        """Begin the match, or go on with the one on record."""
        self.record = Record.open(self.folder / "game.record")
        self.secrets = Secrets.open(self.folder / "game.record.secrets")
        self.table = Table(
            self.game, self.record, StillCamera(), self.watcher(), self.secrets,
            rules=self.rules, clock=lambda: 1000.0 + self.at, monotonic=lambda: self.at, match_id="m1",
        )  # fmt: skip

    def sit_down_again(self) -> None:
        """As after a kill: nothing is closed properly, and everything is read from the disk."""
        self.record.close()
        self.sit_down()

    def look(self, picture: Picture, most: int = 40) -> list[str]:
        """Show one picture until the watcher has rested on it for some frames; the kinds of the events that came of it."""
        before, rested = self.table.snapshot()["number"], 0
        while rested < 3 and most:
            self.at, self.count, most = self.at + self.step_s, self.count + 1, most - 1
            self.table.look_at(Frame(picture, self.at, "still", self.count))
            rested = rested + 1 if self.rested else 0
        return self.since(before)

    @property
    def rested(self) -> bool:
        """Whether the last look is settled."""
        glance = self.table._analysis
        return glance is not None and glance.steady

    def wait(self, picture: Picture, seconds: float) -> list[str]:
        """Time goes by over a table on which nothing moves."""
        before, end = self.table.snapshot()["number"], self.at + seconds
        while self.at < end:
            self.at, self.count = self.at + 1.0, self.count + 1
            self.table.look_at(Frame(picture, self.at, "still", self.count))
        return self.since(before)

    def say(self, **answer: Any) -> list[str]:
        """Take an answer; the kinds of the events that came of it."""
        kinds: list[str] = self.table.answer(answer)["events"]
        return kinds

    def since(self, number: int) -> list[str]:
        """The kinds of the events after a number."""
        return [event.kind for event in self.table.wait_events(number, 0.0)]


class ToldWatcher:
    """A watcher that sees what it is told, without a picture."""

    def __init__(self) -> None:
        self.told: list[Reading] = []

    def see(self, frame: Frame) -> FrameAnalysis:
        reading = self.told.pop(0) if self.told else None
        return FrameAnalysis(False, False, None, settled=reading, steady=True)
