"""A refereed table of hide and seek under a camera: composed pictures of pawns and clues, read one at a time.

No thread runs: ``show`` lays pieces and lets the table look until it has settled, so that a walk is the same on a busy machine.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from compose import pose
from surfaces import SHOT, Put, shoot

from companion import games
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.events import Event
from companion.record.log import Record
from companion.vision.frame import Frame, Image
from companion.vision.marked.reader import MarkedReader
from companion.vision.watcher import Watcher

ID = "hide-and-seek"
games.register(ID, "testkit.paths")
GAME: Any = games.load(ID)
BOARD, PIECES = GAME.board("one"), GAME.pieces()
NEAR = replace(SHOT, size=(1280, 960), px_per_mm=5.2)
"""A camera that shows the stickers of 6.4 mm at 33 pixels."""
LOOKS = 8
"""Pictures that a table is shown at most until it has settled, half a second apart."""


@cache
def picture(put: tuple[Put, ...]) -> Image:
    """The table with these pieces on it."""
    return shoot(BOARD, PIECES, put, NEAR)


@cache
def grain() -> Image:
    """Two frames of a sensor's noise."""
    return np.random.default_rng(5).integers(0, 3, (2, *picture(()).shape), np.uint8)


def reader() -> MarkedReader:
    """A reader that was shown the empty board."""
    made = MarkedReader(BOARD, PIECES, pose(BOARD, NEAR).lens)
    empty = Frame(picture(()), 0.0, "made", 0)
    made.learn(empty, made.read(empty))
    return made


class Pictures:
    """A camera whose frames are handed to the table one by one."""

    name, names, simulated, waits, feed = "pictures", (), True, True, None

    def frames(self) -> Iterator[Frame]:
        return iter(())

    def close(self) -> None:
        """Nothing is open."""


class GraphTable:
    """A table of hide and seek, kept in a folder: opened again there it goes on."""

    def __init__(self, folder: Path, match_id: str = "g1", **more: Any) -> None:
        self.record = Record.open(folder / "game.record")
        self.said: list[Event] = []
        self.table = Table(
            GAME, self.record, Pictures(), Watcher(reader(), BOARD), Secrets.open(folder / "game.secret"), self.said.append,
            clock=lambda: 1000.0, steady=lambda: 0.0, match_id=match_id, settings=TableSettings(tick_s=0.01), **more,
        )  # fmt: skip
        self.shown = 0

    def show(self, pawns: Mapping[str, str | tuple[float, float]], clues: Mapping[str, str] = {}, more: int = 0) -> list[str]:
        """Lay pawns (by colour) and clues (by number) on sites and look until that has settled; the kinds of the events.

        ``more``: pictures after that, for what waits.
        """
        put = tuple(
            [Put(f"clue-{n}", site, None, (0.4, -0.5), 25.0 * int(n)) for n, site in clues.items()]
            + [Put(f"pawn-{colour}", site, None, (-0.5, 0.6), 70.0) for colour, site in pawns.items()]
        )
        before, settled, wanted = self.number, False, more
        for _ in range(LOOKS + more):
            self.shown += 1
            image = np.asarray(cv2.add(picture(put), grain()[self.shown % 2]), np.uint8)
            self.table.look_at(Frame(image, self.shown * 0.5, "made", self.shown))
            glance = self.table._glance
            settled = settled or bool(glance and glance.settled)
            if settled and not wanted:
                break
            wanted -= settled
        assert settled, "the table never came to rest"
        return [event.kind for event in self.record.events(before)]

    def say(self, kind: str, **answer: Any) -> list[str]:
        """What somebody answers; the kinds of the events that follow."""
        return list(self.table.answer({"kind": kind, **answer})["events"])

    def close(self) -> None:
        self.table.stop()
        self.record.close()

    @property
    def number(self) -> int:
        return int(self.table.snapshot()["number"])

    @property
    def public(self) -> dict[str, Any]:
        return dict(self.table.snapshot())

    def own(self, seat: str = "hider") -> Any:
        """What a seat alone is shown."""
        return self.table.private(seat)

    def events(self) -> list[Event]:
        return list(self.record.events())

    def last(self, kind: str) -> Event:
        return next(event for event in reversed(self.events()) if event.kind == kind)
