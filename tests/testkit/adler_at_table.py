"""A running table of Get Adler! with its record and its secrets on disk, shown what hands lay."""

from pathlib import Path
from typing import Any

import numpy as np

from companion.games.get_adler.mat import Laid
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.commitment import Link, commit
from companion.record.events import Event
from companion.record.log import Record
from companion.vision.frame import Frame
from testkit.adler_table import GAME, reading_of
from testkit.path_table import Pictures, Told
from testkit.shown import Shown

ROLES = {"seat-1": "gold", "seat-2": "sharpe", "seat-4": "adler", "seat-5": "townsend"}
TRAITS = {
    role: {"hat": hat, "hair": "red", "eyes": "blue", "coat": "grey"}
    for role, hat in (("adler", "red"), ("gold", "blue"), ("sharpe", "green"), ("townsend", "red"))
}


class AdlerAtTable(Shown):
    """A table kept in a folder: opened again there it goes on."""

    def __init__(self, folder: Path, rules: dict[str, str] | None = None, copy: dict[str, Any] | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.record, self.eyes, self.shown = Record.open(folder / "game.record"), Told(), 0
        self.heard: list[Event] = []
        self.table = Table(
            GAME, self.record, Pictures(), self.eyes, Secrets.open(folder / "game.secret"), self.heard.append,
            clock=lambda: 1000.0, steady=lambda: 0.0, match_id="g1", settings=TableSettings(tick_s=0.01),
            rules=rules, copy=copy,
        )  # fmt: skip

    def close(self) -> None:
        self.table.stop()
        self.record.close()

    @property
    def state(self) -> Any:
        return self.table._ledger.match.state

    def say(self, kind: str, **answer: Any) -> list[str]:
        return list(self.table.answer({"kind": kind, **answer})["events"])

    def show(self, laid: Laid | None = None) -> list[str]:
        before = int(self.public["number"])
        self.eyes.reading = reading_of(laid or self.state.mat.laid)
        self.shown += 1
        self.table.look_at(Frame(np.zeros((9, 9, 3), np.uint8), self.shown * 0.5, "made", self.shown))
        assert self.public["trouble"] is None, self.public["trouble"]
        return [event.kind for event in self.record.events(before)]

    def lay(self, zone: str, card: str) -> list[str]:
        """A card lands; then hands bring the mat to what is asked for."""
        laid = self.state.mat.laid
        cards = {**dict(laid.cards), zone: (*laid.zone(zone), card)}
        kinds = self.show(Laid(tuple(sorted(cards.items())), laid.roles, laid.hours))
        while self.state.target is not None:
            kinds += self.show()
        return kinds

    def tell(self, seat: str, sealed: bool) -> None:
        if sealed:
            bound = commit("g1", ROLES[seat], bytes(32), Link(seat, "role", 1, ""))
            self.say("seal", seat=seat, purpose="role", commitment=bound)
        else:
            self.say("entrust", seat=seat, purpose="role", value=ROLES[seat])

    def reveal(self, seat: str) -> None:
        self.say("reveal", seat=seat, purpose="role", opened=[{"number": 1, "value": ROLES[seat], "nonce": bytes(32).hex()}])

    def open_up(self, sealed: bool) -> None:
        self.show()
        self.show()
        for seat in ROLES:
            self.tell(seat, sealed)
        self.say("traits", traits=TRAITS)
        self.say("start", who="seat-1")

    def ask(self, of: str) -> None:
        self.lay("pile", "question")
        self.say("on", on=of)
        self.say("ask", trait="hat", colour="red")

    def to_hour(self, hour: int) -> None:
        while self.state.books.hour < hour:
            spare = "document" if self.state.books.discard.count("document") < 10 else "gun"
            assert "play" in self.lay("pile", spare)
