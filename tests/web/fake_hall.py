"""A hall without tables far away: fake tables behind the methods that the hall's pages use. It can misbehave on command."""

import threading
import time
from collections.abc import Mapping
from typing import Any

from fake_table import FLAG, FakeTable

from companion.errors import BadInput
from companion.hub.model import HallMatch, HallTable, Ruling, Trouble
from companion.hub.store.port import RuledAlready

Json = Mapping[str, Any]


class FakeHall:
    """Named tables, each a :class:`FakeTable`; ``touch`` says that one of them changed."""

    def __init__(self, count: int = 4) -> None:
        self._changed = threading.Condition()
        self._number = 1
        self.fakes: dict[str, FakeTable] = {}
        self._known: dict[str, HallTable] = {}
        self.sent: list[Ruling] = []
        self.refuse = ""
        self.more: dict[str, list[HallMatch]] = {}
        self.pictures: dict[str, bytes] = {}
        for index in range(1, count + 1):
            self.add(index)

    def add(self, index: int) -> None:
        """A table more, in play."""
        name = f"t{index}"
        self.fakes[name] = fake = FakeTable(simulated=False)
        fake.show("playing")
        fake.change(match=f"match-{index}", adjourned=False, restoring=False, take_back=[], penalties=[])
        fake.push("match-opened", {"id": f"match-{index}", "game": "mr-jack-london"})
        self._known[name] = HallTable(name, f"Table {index}", f"match-{index}", "mr-jack-london", 1, True, time.time(), "1.3.0")
        self.touch(name)

    def touch(self, table: str, **changes: Any) -> None:
        """A table said something: its snapshot and events are as its fake has them now."""
        fake = self.fakes[table]
        with self._changed:
            shown = {**fake.snapshot(), **changes.pop("snapshot", {})}
            known = {name: getattr(self._known[table], name) for name in HallTable.__slots__}
            self._known[table] = HallTable(**{**known, "snapshot": shown, "number": len(fake.log), **changes})
            self._number += 1
            self._changed.notify_all()

    def flag(self, table: str) -> int:
        """A play at a table is flagged; the number of the event."""
        self.fakes[table].show("flagged")
        match = self._known[table].match
        self.fakes[table].change(match=match, adjourned=False, restoring=False, take_back=[], penalties=[])
        number = self.fakes[table].push("flag", FLAG).number
        self.touch(table)
        return number

    def settle(self, ruling: Ruling, state: str, reason: str = "") -> None:
        """What became of a ruling at its table."""
        with self._changed:
            told = {name: getattr(ruling, name) for name in Ruling.__slots__}
            self.sent = [Ruling(**{**told, "state": state, "reason": reason}) if one == ruling else one for one in self.sent]
            self._number += 1
            self._changed.notify_all()

    # --- what the pages use -----------------------------------------------------------------------------------

    def tables(self) -> tuple[HallTable, ...]:
        return tuple(self._known.values())

    def wait(self, after: int, timeout: float) -> int:
        with self._changed:
            self._changed.wait_for(lambda: self._number > after, timeout)
            return self._number

    def events(self, table: str, match: str, after: int, most: int) -> tuple[Json, ...]:
        return tuple(event.to_json() for event in self.fakes[table].log[after : after + most])

    def picture(self, table: str, *, spectator: bool) -> tuple[bytes, float] | None:
        allowed = self._known[table].snapshot.get("picture_for")
        found = self.pictures.get(table)
        return (found, 12.0) if found and (allowed == "spectators" or (allowed and not spectator)) else None

    def matches(self) -> tuple[HallMatch, ...]:
        return tuple(match for found in self.more.values() for match in found)

    def rule(self, table: str, about: int, answer: Json, arbiter: str) -> Ruling:
        if self.refuse:
            raise BadInput(self.refuse)
        with self._changed:
            before = next((one for one in self.sent if about and (one.table, one.about) == (table, about)), None)
            if before is not None and before.state in ("sent", "taken"):
                raise RuledAlready(before)
            made = Ruling(
                f"r{len(self.sent) + 1}", table, self._known[table].match, arbiter, dict(answer), about, at=time.time()
            )
            self.sent.insert(0, made)
            self._number += 1
            self._changed.notify_all()
            return made

    def rulings(self, table: str) -> tuple[Ruling, ...]:
        return tuple(one for one in self.sent if one.table == table)


TROUBLE = Trouble("gap", "Events {first} to {last} of this table are missing.", {"first": "7", "last": "9"}, time.time())
