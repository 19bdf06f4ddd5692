"""A refereed table of hide and seek without a camera: hands say what lies there, and the table rules on it.

No thread runs: ``show`` lays pieces and lets the table look, so a walk is the same on a busy machine.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from companion import games, plugins
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.commitment import Link, commit
from companion.record.events import Event
from companion.record.log import Record
from companion.vision.frame import Frame, Image
from companion.vision.reading import Reading, Sighting
from companion.vision.watching.frame_analysis import FrameAnalysis
from testkit.shown import Shown

ID, PACKAGE = "hide-and-seek", "testkit.paths"


@contextmanager
def known() -> Iterator[Any]:
    """The game, known by its id for as long as it is needed: no other test must find it among those that ship."""
    games.register(ID, PACKAGE)
    try:
        yield games.load(ID)
    finally:
        plugins.withdraw(ID)


with known() as loaded:
    GAME: Any = loaded
    BOARD, PIECES = GAME.board("one"), GAME.pieces()
NOTHING: Mapping[str, str] = MappingProxyType({})
HOME = {"red": "a", "blue": "b"}
"""Where the pawns start."""


@dataclass
class Told:
    """A watcher that is told what lies there, and where a finger is held."""

    reading: Reading = field(default_factory=lambda: Reading(()))
    asked: tuple[str, ...] = ()
    pointed: str = ""
    stayed: bool = False

    def ask(self, places: Sequence[str]) -> None:
        self.asked = tuple(places)

    def see(self, frame: Frame) -> FrameAnalysis:
        held, stayed, self.pointed, self.stayed = self.pointed, self.stayed, "", False
        return FrameAnalysis(
            False, False, None, replace(self.reading, captured_at=frame.captured_at), pointed=held, stayed=stayed
        )


class Pictures:
    """A camera whose frames are handed to the table one by one."""

    name, names, simulated, waits, feed = "pictures", (), True, True, None

    def frames(self) -> Iterator[Frame]:
        return iter(())

    def listen(self, listener: Any) -> None:
        """It never has anything to say."""

    def close(self) -> None:
        """Nothing is open."""


class PathTable(Shown):
    """A table of hide and seek, kept in a folder: opened again there it goes on."""

    def __init__(self, folder: Path, match_id: str = "g1", eyes: Any = None) -> None:
        games.register(ID, PACKAGE)
        self.record = Record.open(folder / "game.record")
        self.heard: list[Event] = []
        self.eyes = eyes or Told()
        self.table = Table(
            GAME, self.record, Pictures(), self.eyes, Secrets.open(folder / "game.secret"), self.heard.append,
            clock=lambda: 1000.0, steady=lambda: 0.0, match_id=match_id, settings=TableSettings(tick_s=0.01),
        )  # fmt: skip
        self.shown = 0

    def show(self, red: Any, blue: Any, clues: Mapping[str, str] = NOTHING, hidden: Mapping[str, str] = NOTHING) -> list[str]:
        """Put pawns (None: in a hand) and clues (by number) on sites and look until it has settled; the kinds of the events.

        ``hidden``: what cannot be told, with the reason.
        """
        before = self.number
        lying = {**{f"clue-{n}": site for n, site in clues.items()}, "pawn-red": red, "pawn-blue": blue}
        self.look({piece: site for piece, site in lying.items() if site is not None}, hidden)
        assert self.public["trouble"] is None, self.public["trouble"]
        return [event.kind for event in self.record.events(before)]

    def look(self, lying: Mapping[str, Any], hidden: Mapping[str, str]) -> None:
        """Let the table look at these pieces on these sites."""
        self.eyes.reading = Reading(tuple(Sighting(piece, site) for piece, site in lying.items()), dict(hidden))
        self.pass_frame(np.zeros((9, 9, 3), np.uint8))

    def pass_frame(self, image: Image) -> bool:
        """Hand the table one picture, half a second after the one before; whether what it shows has settled by it."""
        self.shown += 1
        self.table.look_at(Frame(image, self.shown * 0.5, "made", self.shown))
        glance = self.table._analysis
        return glance is not None and glance.settled is not None

    def say(self, kind: str, **answer: Any) -> list[str]:
        """What somebody answers; the kinds of the events that follow."""
        return list(self.table.answer({"kind": kind, **answer})["events"])

    def entrust(self, purpose: str, value: str) -> list[str]:
        return self.say("entrust", seat="hider", purpose=purpose, value=value)

    def close(self) -> None:
        self.table.stop()
        self.record.close()
        plugins.withdraw(ID)

    @property
    def number(self) -> int:
        return int(self.public["number"])

    def own(self, seat: str = "hider") -> Any:
        """What a seat alone is shown."""
        return self.table.private(seat)


class Sealer:
    """A hider who tells the companion nothing but commitments, and opens them later: in truth, or otherwise."""

    def __init__(self, table: PathTable) -> None:
        self._table, self._kept, self._last = table, dict[str, list[tuple[str, bytes]]](), ""

    def seal(self, purpose: str, value: str) -> list[str]:
        row = self._kept.setdefault(purpose, [])
        nonce = bytes([len(row) + 1, len(purpose)] * 16)
        link = Link("hider", purpose, len(row) + 1, self._last if row else "")
        made = commit(self._table.public["match"], value, nonce, link)
        row.append((value, nonce))
        self._last = made if purpose == "move" else self._last
        return self._table.say("seal", seat="hider", purpose=purpose, commitment=made)

    def taken_back(self, places: int) -> None:
        """The last places of the path were taken back: the row goes on from the link before them."""
        row = self._kept["move"]
        del row[len(row) - places :]
        links = [one["commitment"] for one in self._table.public["secrets"] if one["purpose"] == "move"]
        self._last = links[-1] if links else ""

    def reveal(self, purpose: str, **other: str) -> list[str]:
        opened = [
            {"value": other.get(f"n{n}", value), "nonce": nonce.hex()}
            for n, (value, nonce) in enumerate(self._kept[purpose], 1)
        ]
        return self._table.say("reveal", seat="hider", purpose=purpose, opened=opened)
