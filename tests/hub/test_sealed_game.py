"""A game with a hidden role from a table's first picture to a result of the event: played by a table's own process, sealed with
its key, checked by the hall, taken over; and what a thief of the table's credential would send instead, refused."""

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sealed_table
from hall_stories import StoryTable
from halls import QUICK, SECRET
from sealed_table import GAME
from servers import until

from companion.host.sealing import seed_at
from companion.hub import credentials
from companion.hub.app import create_app, hub_settings
from companion.hub.hall import LiveHall
from companion.hub.link import TableAddress
from companion.hub.model import HallMatch
from companion.hub.store import open_store
from companion.hub.store.port import Enrolled
from companion.hub.transport.http_table import HttpTable
from companion.hub.uplink.uplink import Uplink
from companion.hub.wall.access import open_access
from companion.hub.wall.app import join
from companion.hub.wall.book import EventBook
from companion.hub.wall.signed import Seals
from companion.record.events import Event
from companion.record.seal import known_as, seal, seal_of, signer_of
from companion.web.server import PageServer

PLAYED_S = 1500.0
pytestmark = [pytest.mark.slow, pytest.mark.timeout(2400)]  # two minutes of one processor


@dataclass
class Place:
    """A running hall with its pages, and the event's record."""

    hall: LiveHall
    seals: Seals
    book: EventBook
    address: str
    port: int

    def ask(self, path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        headers = {"Content-Type": "application/json", "X-Table-Witness": "1"}
        with urllib.request.urlopen(urllib.request.Request(self.address + path, body, headers), timeout=60) as answer:
            return json.loads(answer.read())

    def refusal(self, path: str, data: Any) -> str:
        with pytest.raises(urllib.error.HTTPError) as error:
            self.ask(path, data)
        return str(json.loads(error.value.read())["error"]["message"])

    def over(self, match: str = "") -> HallMatch | None:
        found = (one for one in self.hall.matches() if one.outcome is not None and match in ("", one.match))
        return next(found, None)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with ExitStack() as stack:
        store = open_store(str(tmp_path / "hall.sqlite"))
        stack.callback(store.close)
        store.enrol(Enrolled("t1", "Table 1", credentials.digest(SECRET), 1.0))
        hall, book, seals = LiveHall(store), EventBook(), Seals(tmp_path / "seals.jsonl")
        app = create_app(
            hall, hub_settings(), open_access(),
            pages=lambda app, settings, control, reach: join(app, hall, book, settings, control, reach, seals=seals),
        )  # fmt: skip
        hall.start()
        stack.callback(hall.close)
        server = stack.enter_context(PageServer(app, settings=hub_settings()))
        yield Place(hall, seals, book, server.address, int(server.address.rstrip("/").rpartition(":")[2]))


@contextmanager
def table_process(folder: Path, link: str) -> Iterator[None]:
    """The bundled night, read picture by picture, in a process with a key of its own."""
    with (folder / "table.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("sealed_table.py")), str(folder), link],
            stdin=subprocess.PIPE, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        yield
        process.communicate(timeout=120)
        assert process.returncode == 0, (folder / "table.log").read_text()
    finally:
        process.kill()
        process.wait(60)


def chained_anew(events: Sequence[Event], match: str, outcome: dict[str, Any]) -> list[Event]:
    """The record as somebody would forge it: every digest fits, another name, another end."""
    made: list[Event] = []
    for event in events:
        more = {"id": match} if event.kind == "match-opened" else outcome if event.kind == "outcome" else {}
        made.append(Event.following(made[-1] if made else None, event.kind, {**event.data, **more}, event.at))
    return made


class OverTable(StoryTable):
    """A table that says its game is over."""

    def snapshot(self) -> dict[str, Any]:
        return {**super().snapshot(), "game": {"id": GAME}, "phase": "over"}


def send(place: Place, folder: Path, events: list[Event], seed: bytes) -> None:
    """A finished game, sent with the table's credential and sealed with a key."""
    table, record = OverTable(str(events[0].data["id"]), events), folder / f"{events[0].data['id']}.sqlite"
    seal_of(record).write_text(json.dumps(seal(events, seed)))
    uplink = Uplink(table, HttpTable(TableAddress("http", "127.0.0.1", place.port, "t1", SECRET)), record, settings=QUICK)
    uplink.start()
    try:
        until(lambda: place.over(table.match) is not None and place.seals.of("t1", table.match) is not None)
    finally:
        uplink.close(0.0)


def test_a_sealed_game_becomes_a_result_and_a_forged_one_does_not(place: Place, tmp_path: Path) -> None:
    plan = {"name": "Cup", "game": GAME, "rounds": 3}
    place.ask("api/event", {"kind": "event-opened", "data": plan})
    for name in ("Ada", "Grace"):
        place.ask("api/event", {"kind": "player-entered", "data": {"name": name}})
    place.ask("api/event/pair", {"how": "round-robin"})
    assert "no finished game" in place.refusal("api/event/take", {"round": 1, "board": 1})
    folder = tmp_path / "table"
    folder.mkdir()
    with table_process(folder, TableAddress("http", "127.0.0.1", place.port, "t1", SECRET).link()):
        until(lambda: place.over() is not None, f"see {folder}", PLAYED_S)
        match = place.over()
        assert match is not None
        until(lambda: place.seals.of("t1", match.match) is not None)
        until(lambda: place.ask(f"api/archive/t1/{match.match}")["signer"])
    told = place.ask(f"api/archive/t1/{match.match}")
    seed = seed_at(folder / sealed_table.KEY)
    assert (told["ok"], told["findings"], told["signer"]) == (True, [], known_as(signer_of(seed)))
    place.ask("api/event/take", {"round": 1, "board": 1})
    assert place.book.state is not None
    result = place.book.state.rounds[0].results[1]
    assert (result.source, result.match, result.signer) == ("table", match.match, told["signer"])
    assert sorted(result.marks) == ["loss", "win"]

    place.ask("api/event/pair", {"how": "round-robin"})
    events = [Event.stored(*(row[key] for key in ("number", "at", "kind", "data", "digest"))) for row in rows(place, match)]
    outcome = next(event.data for event in events if event.kind == "outcome")
    other = next(seat for seat in place.book.state.plan.seats if seat != outcome["winner"])
    send(place, tmp_path, chained_anew(events, "turned", {"winner": other}), seed)
    assert "does not hold" in place.refusal("api/event/take", {"round": 2, "board": 1}), "by the rules the other side won"
    send(place, tmp_path, chained_anew(events, "stolen", {}), seed)
    told = place.refusal("api/event/take", {"round": 2, "board": 1})
    assert "not what was committed to" in told, "his secrets were sealed for the other game"
    assert not place.book.state.rounds[1].results


def rows(place: Place, match: HallMatch) -> list[Any]:
    return list(place.hall.events("t1", match.match, 0, 100_000))
