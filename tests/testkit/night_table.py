"""A refereed table of Letters from Whitechapel without a camera: hands say what lies there, and the table rules on it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.games.letters_from_whitechapel.game import GAME as RULES
from companion.games.letters_from_whitechapel.names import ALLEY, COACH, COLOURS
from companion.games.letters_from_whitechapel.table import Laid, Table, board, table_of
from companion.host.secrets import Secrets
from companion.host.table import Table as Host
from companion.host.table import TableSettings
from companion.record.commitment import Link, commit
from companion.record.events import Event
from companion.record.log import Record
from companion.vision.frame import Frame, Image
from companion.vision.reading import Reading, Sighting
from testkit.path_table import Pictures, Told
from testkit.shown import Shown

GAME: Any = RULES
_LABELLED = {"patrols": "patrol", "women": "woman", "specials": ""}
_PLACES = {"wretched": "wretched", "scenes": "scene", "clues": "clue"}
_VALUES = {"pawn": ("jack-moves", "track"), "time": ("crime-time", "crime time"), "night": ("night-pawn", "night")}


def sightings(laid: Laid) -> tuple[Sighting, ...]:
    """What a camera would claim of a table."""
    found = [Sighting(f"police-{colour}", spot) for colour, spot in laid.police]
    for key, name in _PLACES.items():
        found += [Sighting(f"{name}-{number}", spot) for number, spot in enumerate(getattr(laid, key), 1)]
    left = [f"woman-blank-{n}" for n in (1, 2, 3)] + [f"woman-marked-{n}" for n in (1, 2, 3, 4, 5)]
    found += [Sighting(left.pop(0), spot, side) for spot, side in laid.women]
    tokens = [*COLOURS, "fake-1", "fake-2"]
    for spot, side in laid.patrols:
        token = next(one for one in tokens if side in ("down", one.split("-")[0]))
        tokens.remove(token)
        found.append(Sighting(f"patrol-{token}", spot, side))
    used = {COACH: 0, ALLEY: 0}
    for spot, kind in laid.specials:
        used[kind] += 1
        found.append(Sighting(f"{kind}-{used[kind]}", spot))
    for key, (piece, kind) in _VALUES.items():
        value = getattr(laid, key)
        found += [Sighting(piece, place.id) for place in board().places_of(kind) if place.value == value]
    return tuple(found)


class NightTable(Shown):
    """A table kept in a folder: opened again there it goes on."""

    def __init__(
        self, folder: Path, match_id: str = "g1", rules: dict[str, Any] | None = None, eyes: Any = None, **more: Any
    ) -> None:
        """``eyes``: a watcher of pictures, in place of one that is told what lies there."""
        self.record, self.eyes, self.shown, self.now = Record.open(folder / "game.record"), eyes or Told(), 0, 0.0
        self.heard: list[Event] = []
        self.table = Host(
            GAME, self.record, Pictures(), self.eyes, Secrets.open(folder / "game.secret"), self.heard.append, rules=rules,
            clock=lambda: 1000.0, steady=lambda: 0.0, match_id=match_id, settings=TableSettings(tick_s=0.01), **more,
        )  # fmt: skip

    def close(self) -> None:
        self.table.stop()
        self.record.close()

    # --- hands ------------------------------------------------------------------------------------------------------

    def show(self, laid: Laid | None = None, hidden: Mapping[str, str] | None = None, **changes: Any) -> list[str]:
        """Lay pieces (what is on record, or its target, with these changes) and look; the kinds of the events."""
        before = int(self.public["number"])
        lies = replace(laid or self.goal.laid, **changes)
        self.eyes.reading = Reading(sightings(lies), dict(hidden or {}))
        self.shown += 1
        self.table.look_at(Frame(np.zeros((9, 9, 3), np.uint8), self.shown * 0.5, "made", self.shown))
        assert self.public["trouble"] is None, self.public["trouble"]
        return [event.kind for event in self.record.events(before)]

    def film(self, pictures: Iterable[Image], seconds: float) -> list[str]:
        """Pictures one after the other, so many seconds apart; the kinds of the events."""
        before = int(self.public["number"])
        for image in pictures:
            self.shown, self.now = self.shown + 1, self.now + seconds
            self.table.look_at(Frame(image, self.now, "made", self.shown))
        return [event.kind for event in self.record.events(before)]

    def police(self, **to: str | None) -> list[str]:
        """Put policemen on crossings (None: in a hand)."""
        stand = {**dict(self.goal.laid.police), **to}
        return self.show(police=tuple((colour, stand[colour]) for colour in COLOURS if stand.get(colour)))

    @property
    def goal(self) -> Table:
        """What should lie on the table."""
        state = self.state
        goal: Table = state.target or state.position
        return goal

    # --- what is said and seen --------------------------------------------------------------------------------------

    def say(self, kind: str, **answer: Any) -> list[str]:
        return list(self.table.answer({"kind": kind, **answer})["events"])

    def entrust(self, purpose: str, value: str, seat: str = "jack") -> list[str]:
        return self.say("entrust", seat=seat, purpose=purpose, value=value)

    @property
    def state(self) -> Any:
        return self.table._ledger.match.state

    def own(self, seat: str = "jack") -> Any:
        return self.table.private(seat)

    # --- stretches of a night ---------------------------------------------------------------------------------------

    def lay_out(self, teller: Any, marked: str = "3 21 27 65 84", hideout: str = "50") -> None:
        """Night one up to Jack's decision: women, patrols, victims; ``teller`` tells the secrets."""
        self.show()
        self.show(women=tuple((spot, "down") for spot in ("3", "21", "27", "65", "84", "147", "149", "158")))
        teller("jack", "hideout", hideout)
        teller("jack", "women-1", marked)
        self.say("head", colour="brown")
        yellow = ("x042", "x044", "x058", "x137", "x143", "x156", "x181")
        self.show(patrols=tuple((spot, "down") for spot in yellow))
        for spot in yellow[:5]:
            teller("brown", "patrols-1", spot)

    def entrusting(self, seat: str, purpose: str, value: str) -> None:
        self.entrust(purpose, value, seat)


class Sealer:
    """Seats that tell the companion nothing but commitments, and open them later: in truth, or otherwise."""

    def __init__(self, table: NightTable) -> None:
        self._table = table
        self._kept: dict[tuple[str, str], list[tuple[str, bytes]]] = {}
        self._last: dict[tuple[str, str], str] = {}

    def __call__(self, seat: str, purpose: str, value: str) -> None:
        row = self._kept.setdefault((seat, purpose), [])
        nonce = bytes([len(row) + 1, len(purpose)] * 16)
        link = Link(seat, purpose, len(row) + 1, self._last.get((seat, purpose), ""))
        made = commit(self._table.public["match"], value, nonce, link)
        row.append((value, nonce))
        self._last[seat, purpose] = made
        assert self._table.say("seal", seat=seat, purpose=purpose, commitment=made)[0] == "secret"

    def reveal(self, seat: str, purpose: str, other: Mapping[int, str] | None = None) -> list[str]:
        """Open a purpose; ``other``: values told instead, by number."""
        opened = [
            {"number": number, "value": (other or {}).get(number, value), "nonce": nonce.hex()}
            for number, (value, nonce) in enumerate(self._kept[seat, purpose], 1)
        ]
        return self._table.say("reveal", seat=seat, purpose=purpose, opened=opened)


def position(table: NightTable) -> Table:
    """The position on record."""
    return table_of(table.public["position"], tolerant=True)
