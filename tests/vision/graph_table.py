"""A refereed table of hide and seek: composed pictures of pawns and clues, read by their stickers, or told without any camera.

No thread runs: ``show`` lays pieces and lets the table look until it has settled, so a walk is the same on a busy machine.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from compose import pose
from surfaces import SHOT, Put, shoot

from companion import games
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.commitment import Link, commit
from companion.record.events import Event
from companion.record.log import Record
from companion.vision.frame import Frame, Image
from companion.vision.glance import Glance
from companion.vision.marked.reader import MarkedReader
from companion.vision.reading import Reading, Sighting
from companion.vision.watcher import Watcher

ID = "hide-and-seek"
games.register(ID, "testkit.paths")
GAME: Any = games.load(ID)
BOARD, PIECES = GAME.board("one"), GAME.pieces()
NEAR = replace(SHOT, size=(1280, 960), px_per_mm=5.2)
"""A camera that shows the stickers of 6.4 mm at 33 pixels."""
LOOKS = 8
"""Pictures that a table is shown at most until it has settled, half a second apart."""
NOTHING: Mapping[str, str] = MappingProxyType({})
HOME = {"red": "a", "blue": "b"}
"""Where the pawns start."""


@cache
def picture(put: tuple[Put, ...]) -> Image:
    """The table with these pieces on it."""
    return shoot(BOARD, PIECES, put, NEAR)


@cache
def grain() -> Image:
    """Two frames of a sensor's noise."""
    return np.random.default_rng(5).integers(0, 3, (2, *picture(()).shape), np.uint8)


def watcher() -> Watcher:
    """Eyes that were shown the empty board."""
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, NEAR).lens)
    empty = Frame(picture(()), 0.0, "made", 0)
    reader.learn(empty, reader.read(empty))
    return Watcher(reader, BOARD)


@dataclass
class Told:
    """A watcher that is told what lies there."""

    reading: Reading = field(default_factory=lambda: Reading(()))

    def see(self, frame: Frame) -> Glance:
        return Glance(False, False, None, replace(self.reading, captured_at=frame.captured_at))


class Pictures:
    """A camera whose frames are handed to the table one by one."""

    name, names, simulated, waits, feed = "pictures", (), True, True, None

    def frames(self) -> Iterator[Frame]:
        return iter(())

    def close(self) -> None:
        """Nothing is open."""


class GraphTable:
    """A table of hide and seek, kept in a folder: opened again there it goes on. ``told``: nothing is seen, all is told."""

    def __init__(self, folder: Path, match_id: str = "g1", *, told: bool = False) -> None:
        self.record = Record.open(folder / "game.record")
        self.heard: list[Event] = []
        self.eyes: Any = Told() if told else watcher()
        self.table = Table(
            GAME, self.record, Pictures(), self.eyes, Secrets.open(folder / "game.secret"), self.heard.append,
            clock=lambda: 1000.0, steady=lambda: 0.0, match_id=match_id, settings=TableSettings(tick_s=0.01),
        )  # fmt: skip
        self.shown = 0

    def show(
        self, red: Any, blue: Any, clues: Mapping[str, str] = NOTHING, *, waits: int = 0, hidden: Mapping[str, str] = NOTHING
    ) -> list[str]:
        """Put pawns (None: in a hand) and clues (by number) on sites, or at board mm, and look until it has settled.

        Returns the kinds of the events. ``waits``: further pictures of it, for what takes its time; ``hidden``: what cannot be
        told, with the reason (only where all is told).
        """
        put = tuple(
            Put(piece, site, None, off, turn)
            for piece, site, off, turn in (
                *((f"clue-{n}", site, (0.4, -0.5), 25.0 * int(n)) for n, site in clues.items()),
                ("pawn-red", red, (-0.5, 0.6), 70.0),
                ("pawn-blue", blue, (0.3, 0.7), 160.0),
            )
            if site is not None
        )
        before, settled = self.number, False
        if isinstance(self.eyes, Told):
            lying = tuple(Sighting(one.piece, str(one.at)) for one in put)
            self.eyes.reading = Reading(lying, dict(hidden))
        for _ in range(LOOKS + waits):
            self.shown += 1
            noisy = (
                np.zeros((9, 9, 3), np.uint8) if isinstance(self.eyes, Told) else cv2.add(picture(put), grain()[self.shown % 2])
            )
            self.table.look_at(Frame(np.asarray(noisy, np.uint8), self.shown * 0.5, "made", self.shown))
            glance = self.table._glance
            settled = settled or bool(glance and glance.settled)
            waits -= settled
            if settled and waits < 0:
                break
        assert settled, "the table never came to rest"
        assert self.public["trouble"] is None, self.public["trouble"]
        return [event.kind for event in self.record.events(before)]

    def say(self, kind: str, **answer: Any) -> list[str]:
        """What somebody answers; the kinds of the events that follow."""
        return list(self.table.answer({"kind": kind, **answer})["events"])

    def entrust(self, purpose: str, value: str) -> list[str]:
        return self.say("entrust", seat="hider", purpose=purpose, value=value)

    def close(self) -> None:
        self.table.stop()
        self.record.close()

    @property
    def number(self) -> int:
        return int(self.public["number"])

    @property
    def public(self) -> dict[str, Any]:
        """What everybody may see."""
        return dict(self.table.snapshot())

    @property
    def faults(self) -> list[str]:
        """What is flagged, by code."""
        return [fault["code"] for fault in (self.public["flag"] or {"faults": ()})["faults"]]

    @property
    def way_back(self) -> list[str]:
        """What hands are asked to do about it."""
        return [chore["message"] for chore in (self.public["flag"] or {"chores": ()})["chores"]]

    def own(self, seat: str = "hider") -> Any:
        """What a seat alone is shown."""
        return self.table.private(seat)

    def events(self) -> list[Event]:
        return list(self.record.events())

    def last(self, kind: str) -> Event:
        return next(event for event in reversed(self.events()) if event.kind == kind)


class Sealer:
    """A hider who tells the companion nothing but commitments, and opens them later: in truth, or otherwise."""

    def __init__(self, table: GraphTable) -> None:
        self._table, self._kept, self._last = table, dict[str, list[tuple[str, bytes]]](), ""

    def seal(self, purpose: str, value: str) -> list[str]:
        row = self._kept.setdefault(purpose, [])
        nonce = bytes([len(row) + 1, len(purpose)] * 16)
        link = Link("hider", purpose, len(row) + 1, self._last if row else "")
        made = commit(self._table.public["match"], value, nonce, link)
        row.append((value, nonce))
        self._last = made if purpose == "move" else self._last
        return self._table.say("seal", seat="hider", purpose=purpose, commitment=made)

    def reveal(self, purpose: str, **other: str) -> list[str]:
        opened = [
            {"value": other.get(f"n{n}", value), "nonce": nonce.hex()}
            for n, (value, nonce) in enumerate(self._kept[purpose], 1)
        ]
        return self._table.say("reveal", seat="hider", purpose=purpose, opened=opened)
