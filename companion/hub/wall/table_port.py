"""One table of the hall behind the port of a table's page: its board, log and clocks are drawn by the scripts of the page
beside the table itself; what the arbiter says there becomes a ruling that is sent."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from companion import games
from companion.errors import BadInput, quoted
from companion.games.game import Game
from companion.hub.model import FOR_SPECTATORS, PICTURE_FOR, SEAL, Hall, HallTable, Json, Ruling
from companion.hub.wall.cards import ahead_of, since_here
from companion.record.events import Event
from companion.web.problems import Problem

_PART = 500
"""Events fetched from the hub at once, 50 to 5000."""
_MOST_RULINGS = 8
_FOR_THE_HALL = frozenset({"table_time", SEAL})
"""What tables tell the hall beside what their pages show."""
_ASKS = ("flag", "doubt", "question")
_ON_ITS_OWN = frozenset({"penalty", "adjourn", "resume"})
"""Rulings that answer nothing: two arbiters who give one each both mean it."""


class HallTablePort:
    """A table port over what the hub knows. ``asker`` tells who rules: his name."""

    def __init__(self, hall: Hall, table: str, asker: Callable[[], str]) -> None:
        self._hall, self._id, self._asker = hall, table, asker
        self._lock = threading.Lock()
        self._match = ""
        self._events: list[Event] = []

    @property
    def game(self) -> Game:
        """The game that is on; before one is, any: nothing depends on which. Raises Problem for one this machine does not
        have."""
        return game_of(self.table().game or games.DEFAULT)

    def table(self) -> HallTable:
        """The table as the hub knows it now. Raises Problem when the hall has none of that name."""
        found = next((one for one in self._hall.tables() if one.table == self._id), None)
        if found is None:
            raise Problem(404, "not-found", "there is no such table in this hall", "Go back to the wall.")
        return found

    def snapshot(self) -> dict[str, Any]:
        """What spectators may see, with how the table is reached and what became of the rulings."""
        table = self.table()
        shown = self._shown(table)
        # No event is promised that the hub has not got yet.
        number = min(int(shown["number"]), table.number) if table.match == shown.get("match", table.match) else table.number
        more: dict[str, Any] = {"number": number, "rulings": [_told(one) for one in self._rulings(table)]}
        if not table.online:
            more["status"] = {"state": "table-offline", "since": table.heard or None}
        clock = shown.get("clock")
        if isinstance(clock, dict):
            more["clock"] = {**clock, "since": since_here(clock, ahead_of(table))}
        return {**{key: value for key, value in shown.items() if key not in _FOR_THE_HALL}, **more}

    def _rulings(self, table: HallTable) -> tuple[Ruling, ...]:
        return tuple(one for one in self._hall.rulings(self._id) if one.match == table.match)[:_MOST_RULINGS]

    def _shown(self, table: HallTable | None = None) -> dict[str, Any]:
        shown = dict((table or self.table()).snapshot)
        if not shown or "game" not in shown:
            raise Problem(
                503, "not-yet", "no game is on at this table yet", "Wait a moment; it is shown as soon as one begins."
            )
        return {"number": 0, **shown, "game": _whole_game(shown["game"])}

    def private(self, seat: str, /) -> None:
        """Nothing: no secret leaves a table."""

    def watched(self) -> dict[str, Any]:
        """Spectators are shown no rulings that are under way or were refused, and a picture where the table lets them."""
        allowed = self.table().snapshot.get(PICTURE_FOR)
        return {"rulings": [], PICTURE_FOR: allowed if allowed == FOR_SPECTATORS else None}

    def answer(self, answer: dict[str, Any], /, *, saw: int | None = None) -> Json:
        """Send what the arbiter said as a ruling. Raises BadInput, and CompanionError when somebody ruled already."""
        name = self._asker()
        shown = self.snapshot()
        given = self._hall.rule(self._id, self.about(answer, shown, saw), answer, name)
        return {"ruling": given.ruling}

    def about(self, answer: Json, shown: Json, saw: int | None) -> int:
        """The number of the event that an answer is about: the flag or question that stood open on the arbiter's page, or else
        the last event there; 0 for what answers nothing."""
        if answer.get("kind") == "clock" or answer.get("action") in _ON_ITS_OWN:
            return 0
        last = int(shown["number"]) if saw is None else min(saw, int(shown["number"]))
        events = [one for one in self.wait_events(0, 0) if one.number <= last]
        for event in reversed(events):
            if event.kind in _ASKS:
                return event.number
            if event.kind in ("play", "ruling", "correction", "undo", "answer", "call", "turn-opened"):
                break
        return last

    def wait_events(self, after: int, timeout: float) -> list[Event]:
        """Events numbered above ``after``, oldest first, as the hub has committed them."""
        until, change = time.monotonic() + timeout, self._hall.wait(0, 0)
        while not (found := self._fetched(after)) and (left := until - time.monotonic()) > 0:
            change = self._hall.wait(change, left)
        return found

    def _fetched(self, after: int) -> list[Event]:
        table = self.table()
        with self._lock:
            if table.match != self._match:
                self._match, self._events = table.match, []
            while self._match and len(self._events) < table.number:
                rows = self._hall.events(self._id, self._match, len(self._events), _PART)
                if not rows:
                    break
                self._events += [stored(row) for row in rows]
            return self._events[after:]

    def picture(self, overlay: bool) -> None:
        """Nothing: what a table lets the hall see is at an address of the hall's own (:mod:`companion.hub.wall.pages`)."""

    def kept_picture(self, digest: str, /) -> None:
        """Nothing: pictures of plays stay at their table."""


def stored(row: Json) -> Event:
    """An event as the hub has it. Raises BadInput."""
    try:
        return Event.stored(*(row.get(key) for key in ("number", "at", "kind", "data", "digest")))
    except TypeError as error:
        raise BadInput(f"event {quoted(row.get('number'))} of the hub cannot be read") from error


def all_events(hall: Hall, table: str, match: str) -> list[Event]:
    """Every event of one game that the hub has."""
    events: list[Event] = []
    while rows := hall.events(table, match, len(events), _PART):
        events += [stored(row) for row in rows]
    return events


def game_of(name: str) -> Game:
    """A game by its id. Raises Problem for one that this machine does not have."""
    try:
        return games.load(name)
    except BadInput as error:
        raise Problem(
            404, "not-found", f"the hub does not have the game {name[:40]!r}", "Install it beside the hub."
        ) from error


def _whole_game(told: Any) -> dict[str, Any]:
    """The game of a snapshot with everything a page asks for, where a table of another version told only its id."""
    game = dict(told) if isinstance(told, Mapping) else {}
    found = game_of(str(game.get("id", "")))
    edition = game["edition"] if game.get("edition") in found.editions() else found.editions()[0]
    usual = {"id": found.id, "name": found.name, "label": found.board(edition).label}
    return {**usual, **game, "edition": edition}


def _told(one: Ruling) -> dict[str, Any]:
    what = one.answer.get("action") or one.answer.get("kind")
    return {
        "ruling": one.ruling, "arbiter": one.arbiter, "state": one.state, "told": one.reason, "at": one.at, "what": what,
        "reason": one.answer.get("reason", ""), "about": one.about,
    }  # fmt: skip
