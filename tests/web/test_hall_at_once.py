"""What happens in a hall's pages while somebody else does something: two arbiters, two games at one table, a late spectator."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fake_hall import FakeHall
from fake_table import FakeTable

from companion import games
from companion.hub.wall import event_api, feed
from companion.hub.wall.app import create_pages
from companion.hub.wall.book import EventBook
from companion.hub.wall.feed import Feed
from companion.hub.wall.table_port import HallTablePort
from companion.record.events import Event
from companion.web.app import streams_of
from companion.web.broadcast import Broadcaster, EncodedSnapshot, Singles
from companion.web.delayed_table import DelayedTable
from companion.web.guard import HEADER
from companion.web.sentences import announcer
from companion.web.settings import PageSettings

SETTINGS = PageSettings(streams=12, watch_seconds=0.1, heartbeat_seconds=0.2)


@pytest.fixture
def hall() -> FakeHall:
    return FakeHall(2)


@pytest.fixture
def book() -> EventBook:
    return EventBook()


@pytest.fixture
def client(hall: FakeHall, book: EventBook) -> Iterator[Any]:
    app = create_pages(hall, book, SETTINGS)
    yield app.test_client()
    streams_of(app).close()


def told(client: Any, address: str) -> str:
    """What a stream says until it rests."""
    answer = client.get(address, buffered=False)
    found = b""
    for piece in answer.response:
        found += piece
        if b"event: beat" in piece and found.count(b"event: beat") > 1:
            break
    answer.close()
    return found.decode()


def test_the_second_game_at_a_table_is_told_in_its_own_words(hall: FakeHall, client: Any) -> None:
    fake = hall.fakes["t1"]
    fake.push("called", {})
    fake.push("note", {"said": "first game"})
    hall.touch("t1")
    assert "first game" in told(client, "/tables/t1/api/events?after=0")
    before, fake.log[:] = len(fake.log), []
    fake.change(match="match-9")
    fake.push("match-opened", {"id": "match-9", "game": "mr-jack-london"})
    while len(fake.log) < before:
        fake.push("note", {"said": "second game"})
    hall.touch("t1", match="match-9")
    said = told(client, "/tables/t1/api/events?after=0")
    assert "second game" in said and "first game" not in said


def test_names_are_those_of_the_game_that_is_on() -> None:
    table = FakeTable()
    say = announcer(table)

    def dealt(piece: str) -> str:
        found = say({"number": 3, "at": 1.0, "kind": "cards", "data": {"characters": [piece]}}, "en")
        assert found is not None
        return found.text

    assert "Holmes" in dealt("holmes")
    table.game = games.load("mr-jack-new-york")
    assert "Alfred Ely Beach" in dealt("beach")


def test_whoever_is_behind_hears_nothing_of_the_next_game_before_it_is_old_enough() -> None:
    now, table = [0.0], FakeTable()
    table.change(match="m1")
    table.push("match-opened", {"id": "m1"})
    table.push("note", {"said": "first game"})
    past = DelayedTable(table, 60.0, lambda: now[0])
    past.look()
    now[0] = 61.0
    assert [event.number for event in past.wait_events(0, 0.0)] == [1, 2]
    table.log.clear()
    table.push("match-opened", {"id": "m2"})
    first = [{"id": "m1"}, {"said": "first game"}]
    assert [event.data for event in past.wait_events(0, 0.0)] == first, "not even before the next look at the table"
    table.change(match="m2")
    table.game = games.load("mr-jack-new-york")
    past.look()
    assert [event.data for event in past.wait_events(0, 0.0)] == first and past.snapshot()["match"] == "m1"
    assert past.game.id == "mr-jack-london", "and that is told in its own words"
    now[0] = 122.0
    assert [event.data for event in past.wait_events(0, 0.0)] == [{"id": "m2"}] and past.snapshot()["match"] == "m2"
    assert past.game.id == "mr-jack-new-york"


def test_an_open_page_hears_every_event_of_the_second_game(hall: FakeHall) -> None:
    table = hall.fakes["t1"]
    for _ in range(5):
        table.push("note", {})
    hall.touch("t1")
    port = HallTablePort(hall, "t1", lambda: "Ada")
    broadcaster = Broadcaster(port, SETTINGS)
    first = broadcaster.follow(None)
    heard(first, lambda item: isinstance(item, EncodedSnapshot))
    table.log.clear()
    table.change(match="match-9")
    table.push("match-opened", {"id": "match-9", "game": "mr-jack-london"})
    hall.touch("t1", match="match-9")
    heard(first, lambda item: isinstance(item, EncodedSnapshot) and b"match-9" in item.body)
    second = broadcaster.follow(0)
    heard(second, lambda item: isinstance(item, Event) and item.number == 1)
    table.push("note", {"said": "later"})
    hall.touch("t1")
    assert heard(second, lambda item: isinstance(item, Event)).data == {"said": "later"}
    broadcaster.close()


def heard(stream: Singles, wanted: Callable[[Any], bool]) -> Any:
    """The next thing of a kind that a stream tells; a test that waits for it in vain fails after half a minute."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if wanted(item := next(stream)):
            return item
    raise AssertionError("it was never told")


def test_a_page_of_the_event_never_promises_an_entry_that_it_does_not_show(
    client: Any, book: EventBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = {"name": "Cup", "game": "mr-jack-london", "rounds": 3}
    assert client.post("/api/event", json={"kind": "event-opened", "data": plan}, headers={HEADER: "1"}).status_code == 200
    usual = event_api.standings

    def meanwhile(state: Any) -> Any:
        """Another arbiter enters something while this page is being made."""
        book.add("player-entered", {"name": f"Player {book.number}"})
        return usual(state)

    monkeypatch.setattr(event_api, "standings", meanwhile)
    shown = client.get("/api/event").get_json()
    assert shown["event"]["players"] == [] and shown["number"] == 1
    entry = {"kind": "player-entered", "data": {"name": "Ada"}, "number": shown["number"]}
    assert client.post("/api/event", json=entry, headers={HEADER: "1"}).status_code == 400
    shown = client.get("/api/event").get_json()
    assert len(shown["event"]["players"]) == shown["number"] - 1 == 1


def test_a_page_drawn_while_somebody_enters_something_is_an_old_page(
    client: Any, book: EventBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = {"name": "Cup", "game": "mr-jack-london", "rounds": 3}
    client.post("/api/event", json={"kind": "event-opened", "data": plan}, headers={HEADER: "1"})
    usual = event_api.shared

    def meanwhile() -> Any:
        book.add("player-entered", {"name": "Somebody"})
        return usual()

    monkeypatch.setattr(event_api, "shared", meanwhile)
    page = client.get("/event/players").get_data(as_text=True)
    assert "Somebody" not in page and 'data-number="1"' in page


def test_terms_settled_by_two_arbiters_at_once_are_not_lost(
    client: Any, book: EventBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = {"name": "Cup", "game": "mr-jack-london", "rounds": 3}
    client.post("/api/event", json={"kind": "event-opened", "data": plan}, headers={HEADER: "1"})
    usual = event_api.terms.checked

    def meanwhile(*given: Any) -> Any:
        """The other one sets the clocks, between reading the terms and writing them back with one more."""
        monkeypatch.setattr(event_api.terms, "checked", usual)
        book.add("event-changed", {"terms": {"clock": {"seconds": 1800}}})
        return usual(*given)

    monkeypatch.setattr(event_api.terms, "checked", meanwhile)
    entry = {"kind": "event-changed", "data": {"terms": {"rules": {}}}}
    assert client.post("/api/event", json=entry, headers={HEADER: "1"}).status_code == 400
    assert book.state is not None and book.state.plan.terms["clock"] == {"seconds": 1800}
    assert client.post("/api/event", json=entry, headers={HEADER: "1"}).status_code == 200
    assert book.state.plan.terms["clock"] == {"seconds": 1800}


def test_a_delay_that_is_given_while_a_table_changes_begins_with_the_change(
    hall: FakeHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Feed(hall, SETTINGS)
    watched._look()  # the thread's one step; here it is made by the test
    monkeypatch.setattr(watched, "start", lambda: None)
    usual = feed.Delayed.put

    def meanwhile(self: Any, cards: Any, gone: Any) -> None:
        """A table comes online while the cards of before are laid in."""
        monkeypatch.setattr(feed.Delayed, "put", usual)
        hall.touch("t1", online=False)
        look = threading.Thread(target=watched._look)
        look.start()
        look.join(0.1)  # it may have to wait until this is done
        usual(self, cards, gone)
        looking.append(look)

    looking: list[threading.Thread] = []
    monkeypatch.setattr(feed.Delayed, "put", meanwhile)
    late = watched.at(30)
    looking[0].join(30)
    late.delay, late._clock = 0, lambda: float("inf")
    late.release()
    assert {one["table"]: one["state"] for one in late.cards()}["t1"] == "offline"


def test_a_delay_says_when_it_begins_until_it_has_begun(hall: FakeHall, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Feed(hall, SETTINGS)
    watched._look()  # the thread's one step; here it is made by the test
    monkeypatch.setattr(watched, "start", lambda: None)
    late = watched.at(30)
    reader = late.join("")
    assert reader.take(0) == ({}, frozenset(), True)
    assert watched.at(0).begins() is None and 29 < (late.begins() or 0) <= 30
    late._clock = lambda: float("inf")
    late.release()
    assert late.begins() is None and len(late.cards()) == len(hall.tables())
    taken = reader.take(0)
    assert taken is not None and taken[2]
