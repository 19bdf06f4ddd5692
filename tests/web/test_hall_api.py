"""The hall's addresses: who may do what, what a ruling becomes, delays, the event's entries, the archive."""

import io
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fake_hall import TROUBLE, FakeHall
from flask import Flask

from companion.announce.localised import localise
from companion.announce.translator import translator
from companion.errors import BadInput
from companion.host.passes import Passes
from companion.hub.model import SEAL, HallMatch, HallTable
from companion.hub.rehearsal import story
from companion.hub.wall import access
from companion.hub.wall.app import create_pages
from companion.hub.wall.book import EventBook
from companion.hub.wall.cards import NEEDS, card, state_of
from companion.hub.wall.feed import natural
from companion.hub.wall.signed import Seals, verdict
from companion.record.events import Event
from companion.record.seal import known_as, seal, signer_of
from companion.web.access import AccessControl
from companion.web.app import streams_of
from companion.web.guard import HEADER
from companion.web.settings import PageSettings

SETTINGS = PageSettings(streams=12, watch_seconds=0.1, heartbeat_seconds=0.5)


class Hall:
    """A hall that is closed to strangers, with an arbiter's and a spectator's pass."""

    def __init__(self) -> None:
        self.hall, self.book, self.passes = FakeHall(3), EventBook(), Passes.open(None)
        self.app = create_pages(self.hall, self.book, SETTINGS, AccessControl(self.passes, closed=True, local=access.LOCAL))

    def client(self, role: str | None, seat: str = "", delay: int = 0) -> "Visitor":
        token = self.passes.issue(role, seat, delay=delay)[1] if role else ""
        return Visitor(self.app, token)


class Visitor:
    def __init__(self, app: Flask, token: str) -> None:
        self._client = app.test_client()
        self._headers = {HEADER: "1"} | ({"Authorization": f"Bearer {token}"} if token else {})

    def get(self, path: str) -> Any:
        return self._client.get(path, headers=self._headers)

    def post(self, path: str, data: Any) -> Any:
        return self._client.post(path, json=data, headers=self._headers)


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall()
    yield made
    streams_of(made.app).close()


@pytest.fixture
def arbiter(hall: Hall) -> Visitor:
    return hall.client("arbiter", "Maria")


def test_every_address_names_who_may_use_it(hall: Hall) -> None:
    ours = {rule.endpoint for rule in hall.app.url_map.iter_rules()}
    kept_by_tables = {"seats.notes", "seats.note"}  # a hall has no seats with notes
    assert ours - kept_by_tables == set(access.ROUTES)


def test_strangers_get_nothing_and_spectators_change_nothing(hall: Hall) -> None:
    stranger, spectator = hall.client(None), hall.client("spectator")
    for rule in hall.app.url_map.iter_rules():
        if rule.endpoint in ("static", "words.texts", "hall.icon", "hall.join", "seats.session"):
            continue
        path = rule.rule.replace("<int:number>", "1").replace("<int:board>", "1").replace("<table>", "t1")
        path = path.replace("<match>", "m").replace("<name>", "players.csv")
        if "GET" in (rule.methods or ()):
            assert stranger.get(path).status_code in (302, 401), path
        else:
            assert stranger.post(path, {}).status_code == 401, path
            assert spectator.post(path, {}).status_code == 403, path
    assert stranger.get("/tables/t1/api/snapshot").status_code == 401
    assert spectator.post("/tables/t1/api/answers", {"kind": "rule", "action": "allow", "reason": "x"}).status_code == 403
    assert spectator.get("/tables/t1/api/report.html").status_code == 403
    assert hall.hall.sent == []


def test_a_ruling_is_sent_with_the_arbiters_name_and_the_event_it_answers(hall: Hall, arbiter: Visitor) -> None:
    flagged = hall.hall.flag("t2")
    answer = {"kind": "rule", "action": "allow", "reason": "A disputed rule"}
    seen = arbiter.get("/tables/t2/api/snapshot").get_json()
    told = arbiter.post(f"/tables/t2/api/answers?about={seen['number']}", answer)
    assert told.status_code == 200
    [sent] = hall.hall.sent
    assert (sent.table, sent.arbiter, sent.about, dict(sent.answer)) == ("t2", "Maria", flagged, answer)
    hall.hall.settle(sent, "refused", "nothing is flagged at the moment")
    [shown] = arbiter.get("/tables/t2/api/snapshot").get_json()["rulings"]
    assert (shown["state"], shown["told"], shown["arbiter"]) == ("refused", "nothing is flagged at the moment", "Maria")
    assert hall.client("spectator").get("/tables/t2/api/snapshot").get_json()["rulings"] == []


def test_two_arbiters_at_once_do_not_rule_twice(hall: Hall, arbiter: Visitor) -> None:
    hall.hall.flag("t1")
    other = hall.client("arbiter", "Tom")
    saw = [one.get("/tables/t1/api/snapshot").get_json()["number"] for one in (arbiter, other)]
    answer = {"kind": "rule", "action": "allow", "reason": "x"}
    assert arbiter.post(f"/tables/t1/api/answers?about={saw[0]}", answer).status_code == 200
    # Something else was told meanwhile; what they both look at is still the same flag.
    hall.hall.fakes["t1"].push("notice", {"code": "n", "text": "", "params": {}})
    hall.hall.touch("t1")
    second = other.post(f"/tables/t1/api/answers?about={saw[1]}", answer)
    assert second.status_code == 409
    assert "Maria has ruled on event" in second.get_json()["error"]["message"]
    assert len(hall.hall.sent) == 1
    # Penalties answer nothing: both mean theirs.
    for one in (arbiter, other):
        penalty = {"kind": "rule", "action": "penalty", "against": "jack", "reason": "slow"}
        assert one.post("/tables/t1/api/answers?about=2", penalty).status_code == 200
    assert [one.about for one in hall.hall.sent[:2]] == [0, 0]


def test_what_no_table_takes_is_not_sent(hall: Hall, arbiter: Visitor) -> None:
    assert arbiter.post("/tables/t1/api/answers", {"kind": "rule", "size": 1}).status_code == 400
    assert arbiter.post("/tables/t1/api/answers", {"kind": "entrust", "character": "bert"}).status_code == 403
    hall.hall.refuse = "the table does not take rulings"
    answer = arbiter.post("/tables/t1/api/answers", {"kind": "rule", "action": "allow", "reason": "x"})
    assert answer.get_json()["error"]["message"] == "the table does not take rulings"
    assert arbiter.get("/tables/t9/api/snapshot").status_code == 404
    assert arbiter.get("/tables/..%2f/api/snapshot").status_code == 404


def test_a_table_without_a_game_says_so(hall: Hall, arbiter: Visitor) -> None:
    hall.hall._known["t1"] = HallTable("t1", "Table 1", online=True, heard=time.time())
    answer = arbiter.get("/tables/t1/api/snapshot")
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (503, "not-yet")
    assert arbiter.get("/tables/t1/").status_code == 200


def test_a_table_that_tells_only_which_game_it_plays_has_its_board(hall: Hall, arbiter: Visitor) -> None:
    hall.hall.touch("t1", snapshot={"game": {"id": "mr-jack-london"}})
    assert arbiter.get("/tables/t1/api/board").get_json()["edition"] == "first-2006"
    hall.hall.touch("t1", snapshot={"game": {"id": "chess"}})
    assert arbiter.get("/tables/t1/api/board").status_code == 404


def test_a_table_that_is_offline_is_shown_as_it_was(hall: Hall, arbiter: Visitor) -> None:
    hall.hall.touch("t1", online=False)
    assert arbiter.get("/tables/t1/api/snapshot").get_json()["status"]["state"] == "table-offline"


def test_cards_follow_the_hall_and_spectators_see_no_troubles(hall: Hall, arbiter: Visitor) -> None:
    hall.hall.touch("t2", troubles=(TROUBLE,))
    for _ in range(300):
        cards = {one["table"]: one for one in arbiter.get("/api/hall?lang=es").get_json()["tables"]}
        if cards["t2"]["state"] == "trouble":
            break
        time.sleep(0.1)
    assert [one["name"] for one in cards.values()] == ["Table 1", "Table 2", "Table 3"]
    assert cards["t2"]["troubles"][0]["params"] == {"first": "7", "last": "9"}
    shown = {one["table"]: one for one in hall.client("spectator").get("/api/hall").get_json()["tables"]}
    assert (shown["t2"]["troubles"], shown["t2"]["needs"]) == ([], False)
    assert hall.client("spectator", delay=60).get("/api/hall").get_json()["tables"] == []  # nothing is that old yet


def test_states_of_a_table_by_what_an_arbiter_has_to_know_first() -> None:
    hall = FakeHall(1)

    def state(show: str, **changes: Any) -> str:
        hall.fakes["t1"].show(show)
        hall.touch("t1", **{"online": True, **changes})
        return state_of(hall.tables()[0])

    assert [state(one) for one in ("set-up", "playing", "flagged", "doubt", "call", "over", "blind")] == [
        "set-up", "play", "flag", "doubt", "question", "over", "trouble",
    ]  # fmt: skip
    assert state("flagged", online=False) == "offline"
    assert state("over", online=False) == "over"  # a table that is packed up after its game needs nobody
    assert state("flagged", snapshot={"adjourned": True}) == "adjourned"
    clock = {"left": {"jack": 0, "detective": 5}, "fallen": ["jack"], "running": None, "since": 0, "free": 0}
    assert state("playing", snapshot={"clock": clock}) == "time-up"
    shown = card(hall.tables()[0])
    assert shown["state"] in NEEDS
    assert shown["clock"]["names"]["jack"]["text"] == "Jack"
    assert state_of(HallTable("t", "T", online=True, heard=1.0)) == "empty"
    assert state_of(HallTable("t", "T", heard=1.0)) == "offline"
    assert state_of(HallTable("t", "T")) == "empty"


@pytest.mark.parametrize(
    ("game", "edition", "snapshot", "said"),
    [
        (
            "letters-from-whitechapel",
            "revised-2012",
            {"phase": "police-move", "mover": "blue"},
            ["Noche 2", "El policía azul mueve"],
        ),
        ("letters-from-whitechapel", "revised-2012", {"phase": "police-move", "mover": None}, ["Noche 2", None]),
        ("get-adler", "first-2016", {"phase": "play", "mover": "seat-2"}, ["Hora 2", "Asiento 2: te toca"]),
        ("mr-jack-london", "first-2006", {"phase": "play", "mover": "jack"}, [None, None]),
    ],
)
def test_a_card_says_the_turn_and_whose_it_is_as_its_game_does(
    game: str, edition: str, snapshot: dict[str, Any], said: list[str | None]
) -> None:
    """What a game has no words for, the page says in general ones."""
    shown = {"game": {"id": game, "edition": edition}, "turn": 2, "status": {"state": "watching"}, **snapshot}
    told = localise(card(HallTable("t", "T", online=True, heard=1.0, snapshot=shown)), translator("es"))
    assert [(told[key] or {}).get("message") for key in ("round", "plays")] == said


def test_a_card_says_what_hands_must_do_where_nobody_plays() -> None:
    """Between two steps of Letters from Whitechapel the wall said "Playing" and nothing else."""
    chore = {"text": "{piece}: take it off {place}.", "params": {"piece": "Wretched pawn", "place": "84"}}
    shown = {
        "game": {"id": "letters-from-whitechapel", "edition": "revised-2012"},
        "turn": 1, "status": {"state": "watching"}, "phase": "laying", "mover": None, "chores": [chore],
    }  # fmt: skip

    def line(**changes: Any) -> dict[str, Any]:
        told = card(HallTable("t", "T", online=True, heard=1.0, snapshot={**shown, **changes}))
        assert told["state"] == "play"
        return dict(told["line"])

    assert line() == chore
    assert line(chores=[]) == {}
    assert line(phase="police-move", mover="blue") == line(phase="women") == {}, "the card says whose play it is"


def test_tables_are_in_the_order_in_which_people_count() -> None:
    assert sorted(("Table 10", "Table 2", "table 1", "Bar"), key=natural) == ["Bar", "table 1", "Table 2", "Table 10"]


# --- the event ---------------------------------------------------------------------------------------------------------


def opened(arbiter: Visitor, players: int = 4) -> None:
    data = {"name": "Club evening", "game": "mr-jack-london", "rounds": 3, "terms": {"clock": {"seconds": 1800}}}
    assert arbiter.post("/api/event", {"kind": "event-opened", "data": data}).status_code == 200
    for index in range(players):
        data = {"name": f"Player {index + 1}"}
        assert arbiter.post("/api/event", {"kind": "player-entered", "data": data}).status_code == 200


def test_an_event_from_its_opening_to_its_standings(hall: Hall, arbiter: Visitor) -> None:
    assert arbiter.get("/event").status_code == 200
    assert arbiter.get("/event/rounds/1").status_code == 404
    opened(arbiter)
    assert hall.book.state is not None
    assert hall.book.state.plan.seats == ("jack", "detective")  # the seat with the secret first
    assert arbiter.post("/api/event/pair", {"how": "round-robin"}).status_code == 200
    one = hall.book.state.rounds[0]
    assert [pairing.table for pairing in one.pairings] == ["t1", "t2"]
    entry = {"kind": "result", "data": {"round": 1, "board": 1, "marks": ["win", "loss"]}}
    assert arbiter.post("/api/event", entry).status_code == 200
    assert hall.book.entries()[-1].data["by"] == "Maria"
    corrected = {"kind": "result", "data": {**entry["data"], "marks": ["draw", "draw"], "reason": "x"}}  # type: ignore[dict-item]
    assert arbiter.post("/api/event", corrected).status_code == 200
    page = arbiter.get("/event/rounds/1").get_data(as_text=True)
    assert "Maria" in page
    shown = arbiter.get("/api/event").get_json()
    assert shown["number"] == hall.book.number
    assert [line["points"] for line in shown["standings"]] == ["0.5", "0.5", "0", "0"]
    for name in ("players.csv", "games.csv", "standings.csv", "event.trf"):
        assert arbiter.get(f"/api/event/files/{name}").status_code == 200
    assert "102 Maria" in arbiter.get("/api/event/files/event.trf").get_data(as_text=True)
    assert arbiter.get("/api/event/files/passwd").status_code == 404
    terms = arbiter.get("/api/event/rounds/1/terms/1").get_json()
    assert terms["people"].keys() == {"jack", "detective"}
    assert "--clock" in terms["arguments"]
    assert hall.client("spectator").get("/event").status_code == 200
    assert hall.client("spectator").get("/event/rounds/1/print").status_code == 403


def test_who_decided_upon_an_old_page_is_told(hall: Hall, arbiter: Visitor) -> None:
    opened(arbiter)
    before = hall.book.number
    assert arbiter.post("/api/event/pair", {"how": "round-robin", "number": before}).status_code == 200
    entry = {"kind": "result", "data": {"round": 1, "board": 1, "marks": ["win", "loss"]}, "number": before}
    late = arbiter.post("/api/event", entry)
    assert late.status_code == 400
    assert "somebody else changed the event" in late.get_json()["error"]["message"]


@pytest.mark.parametrize(
    ("path", "data", "said"),
    [
        ("/api/event", {"kind": "event-opened", "data": {}}, "open already"),
        ("/api/event", {"kind": 3, "data": {}}, "a kind and data"),
        ("/api/event", {"data": {}}, "needs kind, data"),
        ("/api/event", {"kind": "result", "data": {"source": "table"}}, "only a table's own game"),
        ("/api/event", {"kind": "event-changed", "data": {"terms": {"rules": {"tea": "hot"}}}}, "house rule 'tea'"),
        ("/api/event/pair", {"how": "magic"}, "bbpPairings or round-robin, or by hand"),
        ("/api/event/pair", {"how": "round-robin", "tables": [1]}, "a list of their ids"),
        ("/api/event/take", {"round": 1, "board": 1}, "no board 1"),
        ("/api/event/read", {"what": "players", "text": "club\n"}, "column name is missing"),
        ("/api/event/read", {"what": "trf", "text": "x"}, "without players"),
        ("/api/event/read", {"what": "games", "text": "round,players\n"}, "nothing new"),
        ("/api/event/clocks", {"round": 9}, "not paired"),
    ],
)
def test_what_does_not_fit_the_event_is_refused(arbiter: Visitor, path: str, data: Any, said: str) -> None:
    opened(arbiter)
    answer = arbiter.post(path, data)
    assert answer.status_code == 400
    assert said in answer.get_json()["error"]["message"]


def test_files_are_taken_over_as_a_whole_or_not_at_all(hall: Hall, arbiter: Visitor) -> None:
    opened(arbiter, 0)
    assert arbiter.post("/api/event/read", {"what": "players", "text": "name,club\nAnn,North\nBen,\n"}).status_code == 200
    before = hall.book.number
    bad = arbiter.post("/api/event/read", {"what": "games", "text": "round,players,result\n1,1 2,1 0\n2,1 9,0 1\n"})
    assert "line 3, players: there is no player 9" in bad.get_json()["error"]["message"]
    assert hall.book.number == before
    good = arbiter.post("/api/event/read", {"what": "games", "text": "round,players,result\n1,2 1,1 0\n"})
    assert good.status_code == 200
    assert hall.book.state is not None
    assert hall.book.state.score(2) == 10
    trf = arbiter.get("/api/event/files/event.trf").get_data(as_text=True)
    other = Hall()
    opened(maria := other.client("arbiter", "Maria"), 0)
    assert maria.post("/api/event/read", {"what": "trf", "text": trf}).status_code == 200
    assert other.book.state is not None
    assert other.book.state.score(2) == 10
    streams_of(other.app).close()


def test_the_clocks_of_a_round_are_set_at_every_table_without_a_result(hall: Hall, arbiter: Visitor) -> None:
    opened(arbiter)
    arbiter.post("/api/event/pair", {"how": "round-robin"})
    arbiter.post("/api/event", {"kind": "result", "data": {"round": 1, "board": 1, "marks": ["win", "loss"]}})
    assert arbiter.post("/api/event/clocks", {"round": 1}).get_json() == {"sent": ["t2"], "refused": []}
    [sent] = hall.hall.sent
    assert dict(sent.answer) == {"kind": "clock", "action": "start", "seconds": 1800.0, "increment": 0.0, "delay": 0.0}


def test_printed_links_stay_good_and_lead_to_the_table(hall: Hall, arbiter: Visitor) -> None:
    opened(arbiter)
    arbiter.post("/api/event/pair", {"how": "round-robin"})
    first, again = (arbiter.get("/event/rounds/1/print").get_data(as_text=True) for _ in range(2))
    assert first == again  # the codes that hang on the wall are still the same
    assert sum(one.role == "spectator" for one in hall.passes.handed_out()) == 2


@cache
def recorded() -> tuple[story.Beat, ...]:
    return story.load()


def played(match: str = "m-1") -> list[Event]:
    """A whole recorded game, which Jack won."""
    events: list[Event] = []
    for one in recorded():
        data = {**one.data, "id": match} if one.kind == "match-opened" else one.data
        events.append(Event.following(events[-1] if events else None, one.kind, data, 100.0 + len(events)))
    return events


def until(holds: Callable[[], Any]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("it never held")


def finished(hall: Hall, table: str, events: Sequence[Event], signer: bytes = b"") -> HallMatch:
    """A game of a table that is over, with the seal that it sent if somebody signed it."""
    hall.hall.fakes[table].log[:] = events
    outcome = next(one.data for one in reversed(events) if one.kind == "outcome")
    match, head = str(events[0].data["id"]), events[-1]
    found = HallMatch(table, match, "mr-jack-london", "London", 1.0, time.time() - 5, head.number, head.digest, outcome)
    hall.hall.more[table] = [found, *hall.hall.more.get(table, [])]
    hall.hall.touch(table, match=match, snapshot={SEAL: seal(events, signer)} if signer else {})
    return found


def test_a_tables_own_result_is_taken_only_if_its_record_holds(hall: Hall, arbiter: Visitor) -> None:
    opened(arbiter)
    arbiter.post("/api/event/pair", {"how": "round-robin"})
    assert hall.book.state is not None
    taking = {"round": 1, "board": 1}
    assert "no finished game" in arbiter.post("/api/event/take", taking).get_json()["error"]["message"]
    whole = played()
    # Of the last two the chain holds, but by the rules nobody has won yet, or the other one has.
    early = [*whole[:5], Event.following(whole[4], "outcome", whole[-1].data, 200.0)]
    turned = [*whole[:-1], Event.following(whole[-2], "outcome", {**whole[-1].data, "winner": "detective"}, 200.0)]
    for wrong in (whole[:5] + whole[6:], early, turned):
        finished(hall, "t1", wrong)
        assert "Take over the table" in arbiter.get("/event/rounds/1").get_data(as_text=True)
        refused = arbiter.post("/api/event/take", taking).get_json()["error"]["message"]
        assert "does not hold" in refused, refused
    match = finished(hall, "t1", whole)
    told = arbiter.post("/api/event/take?lang=ja", {"round": 1, "board": 2}).get_json()["error"]["message"]
    assert told.startswith("ボード2：")  # the other board's table has no game
    assert arbiter.post("/api/event/take", taking).status_code == 200
    result = hall.book.state.rounds[0].results[1]
    assert (result.marks, result.source, result.match, result.head) == (("win", "loss"), "table", "m-1", match.head)
    assert (result.code, result.signer) == ("dawn", "")
    # The same game is no result of another board or round.
    assert "no finished game" in arbiter.post("/api/event/take", taking).get_json()["error"]["message"]


def test_a_signed_result_names_its_key_and_another_key_is_refused(hall: Hall, arbiter: Visitor) -> None:
    opened(arbiter, 2)
    for match, signer in (("m-1", b"1" * 32), ("m-2", b"2" * 32), ("m-3", b"1" * 32)):
        if match != "m-3":
            assert arbiter.post("/api/event/pair", {"how": "round-robin"}).status_code == 200
        finished(hall, "t1", played(match), signer)
        kept = f"/api/archive/t1/{match}"
        until(lambda at=kept: arbiter.get(at).get_json()["signer"])  # type: ignore[misc]
        answer = arbiter.post("/api/event/take", {"round": 1 if match == "m-1" else 2, "board": 1})
        if match == "m-2":
            assert "signed by another key" in answer.get_json()["error"]["message"]
        else:
            assert answer.status_code == 200, answer.get_json()
    assert hall.book.state is not None
    signers = [one.results[1].signer for one in hall.book.state.rounds]
    assert signers == [known_as(signer_of(b"1" * 32))] * 2
    assert signers[0] in arbiter.get("/event/rounds/2").get_data(as_text=True)


def test_a_record_that_was_changed_is_named(hall: Hall) -> None:
    first = Event.following(None, "match-opened", {"id": "m"}, 1.0)
    forged = Event(2, 2.0, "outcome", {"winner": "jack"}, "0" * 64)
    told = verdict([first, forged], None)
    assert not told.holds
    assert told.findings[0].number == 2
    assert not verdict([first], {"format": "record-seal/1"}).holds


def test_a_seal_that_a_table_sent_is_kept_and_says_who_signed(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("companion.hub.wall.signed.audit", lambda game, events: (None, []))
    monkeypatch.setattr("companion.hub.wall.signed.unproved", lambda match, events: [])
    first = Event.following(None, "match-opened", {"id": "m-1", "game": "mr-jack-london"}, 1.0)
    made = seal([first], b"1" * 32)
    table = HallTable("t1", "Table 1", "m-1", snapshot={SEAL: made})
    seals = Seals(tmp_path / "seals.jsonl")
    for one in (table, table, HallTable("t1", "Table 1", "other", snapshot={SEAL: made}), HallTable("t2", "T", "m-1")):
        seals.saw(one)
    assert (tmp_path / "seals.jsonl").read_text().count("\n") == 1
    with (tmp_path / "seals.jsonl").open("a") as file:
        file.write('{"table": "t9", "sea')  # the power went
    again = Seals(tmp_path / "seals.jsonl")
    assert again.of("t1", "m-1") == made
    assert again.of("t1", "other") is None
    assert verdict([first], again.of("t1", "m-1")).signer == known_as(signer_of(b"1" * 32))
    second = Event.following(first, "notice", {}, 2.0)
    late = verdict([first, second], made)
    assert (late.signer, [one.code for one in late.findings]) == ("", ["unsealed"])


def test_a_tables_clock_is_shown_by_the_hubs_own(hall: Hall, arbiter: Visitor) -> None:
    clock = {"left": {"jack": 60.0, "detective": 60.0}, "running": "jack", "since": 1000.0, "free": 0, "fallen": []}
    hall.hall.touch("t1", heard=5030.2, snapshot={"clock": clock, "table_time": 1030.0})
    shown = arbiter.get("/tables/t1/api/snapshot").get_json()
    assert shown["clock"]["since"] == 5000.0  # 30 seconds have gone, as at the table
    assert "table_time" not in shown
    assert card(hall.hall.tables()[0])["clock"]["since"] == 5000.0


def test_the_archive_is_as_late_as_its_reader(hall: Hall, arbiter: Visitor) -> None:
    finished(hall, "t1", played())
    assert "Turn 8 is over" in arbiter.get("/archive").get_data(as_text=True)
    assert arbiter.get("/archive/t1/m-1/record.jsonl").get_data(as_text=True).count("\n") == len(played()) + 1
    told = arbiter.get("/api/archive/t1/m-1").get_json()
    assert (told["ok"], told["events"], told["signer"]) == (True, len(played()), "")
    late = hall.client("spectator", delay=60)
    assert "Turn 8 is over" not in late.get("/archive").get_data(as_text=True)
    assert late.get("/archive/t1/m-1/record.jsonl").status_code == 404
    assert arbiter.get("/archive/t1/other/record.jsonl").status_code == 404


def test_a_damaged_record_among_them_makes_no_report_and_is_told_in_the_reader_s_language(hall: Hall, arbiter: Visitor) -> None:
    """Its report was made without a word; what the check found was English in every language."""
    whole = played()
    finished(hall, "t1", [*whole[:1], replace(whole[1], data={**whole[1].data, "x": 1}), *whole[2:]])
    changed = f"({whole[1].kind})"
    assert arbiter.get("/api/archive/t1/m-1").get_json()["findings"][0]["text"] == f"event 2 {changed} was changed"
    told = arbiter.get("/api/archive/t1/m-1?lang=es").get_json()
    assert not told["ok"] and told["findings"][0]["text"] == f"se ha cambiado el evento 2 {changed}"
    for language, words in (("en", "record is damaged: event 2"), ("it", "è danneggiato: l'evento 2")):
        refused = arbiter.get(f"/archive/t1/m-1/report.html?lang={language}")
        assert refused.status_code == 409 and words in refused.get_json()["error"]["message"]
    assert arbiter.get("/archive/t1/m-1/record.jsonl").status_code == 200


def test_a_report_that_the_events_do_not_make_is_refused_as_a_damaged_record(hall: Hall, arbiter: Visitor) -> None:
    first, *_, last = played()
    strange = Event.following(first, "play", {"strange": None}, 2.0)
    finished(hall, "t1", [first, strange, Event.following(strange, "outcome", last.data, 3.0)])
    refused = arbiter.get("/archive/t1/m-1/report.html")
    assert refused.status_code == 409
    error = refused.get_json()["error"]
    assert error["message"].startswith("this game's record is damaged: event 2 (play)") and "question" not in error["advice"]


@pytest.mark.parametrize("language", ["es", "it", "ja", "zh-Hans", "zh-Hant"])
def test_what_nothing_proves_of_a_game_is_told_in_the_reader_s_language(language: str) -> None:
    words = translator(language)
    for line in (
        "Jack's commitment is not opened yet: his calls are not checked against who he is",
        "what jack committed to (hideout) is not opened yet: answers are not checked against it",
        "events 3 to 5 came after the seal",
        "event 4: the play of gull is not legal: Gull went 4 steps, he may go 3.",
    ):
        assert words.text(line) != line and "checked" not in words.text(line)


def test_an_arbiter_without_a_name_is_called_so_in_the_reader_s_language(hall: Hall) -> None:
    """He was "arbiter" in every language."""
    nameless = hall.client("arbiter")
    opened(nameless, 2)
    assert nameless.post("/api/event/pair", {"how": "round-robin"}).status_code == 200
    for marks in (["win", "loss"], ["draw", "draw"]):
        data = {"round": 1, "board": 1, "marks": marks, "reason": "-"}
        assert nameless.post("/api/event", {"kind": "result", "data": data}).status_code == 200
    shown = nameless.get("/event/rounds/1?lang=es").get_data(as_text=True)
    assert "Anotado por Árbitro" in shown and " · Árbitro · " in shown


def test_the_archive_names_the_game(hall: Hall, arbiter: Visitor) -> None:
    """It told a board alone: "first edition of 2016"."""
    finished(hall, "t1", played())
    assert "Mr. Jack (Londres) · " in arbiter.get("/archive?lang=es").get_data(as_text=True)


def test_the_cards_of_whoever_is_behind_are_dated_as_late_as_they_are(hall: Hall) -> None:
    late = hall.client("spectator", delay=60)
    assert late.get("/api/hall").get_json()["now"] == pytest.approx(time.time() - 60, abs=20)


# --- its record --------------------------------------------------------------------------------------------------------


def test_an_event_is_on_record_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "event.tw"
    book = EventBook.open(path, lambda: 5.0)
    book.add("event-opened", {"name": "E", "game": "g", "seats": ["a", "b"], "rounds": 2}, "Maria")
    with pytest.raises(BadInput):
        book.add_all([("player-entered", {"name": "Ann"}), ("player-entered", {"name": "Ann"})])
    assert book.number == 1  # all of them or none
    book.add("player-entered", {"name": "Ann"})
    book.close()
    again = EventBook.open(path)
    assert again.state == book.state
    assert [one.data.get("by") for one in again.entries()] == ["Maria", None]
    again.close()
    other = tmp_path / "other.tw"
    other.write_bytes(io.BytesIO(b"no record").read())
    with pytest.raises(BadInput):
        EventBook.open(other)


def test_a_picture_is_for_those_whom_its_table_lets_see_it_and_says_how_old_it_is(hall: Hall) -> None:
    arbiter, spectator, late = hall.client("arbiter", "Ada"), hall.client("spectator"), hall.client("spectator", delay=60)
    asked = "/api/hall/pictures/t1"
    assert hall.client(None).get(asked).status_code == 401
    assert [one.get(asked).status_code for one in (arbiter, spectator)] == [204, 204]
    hall.hall.pictures["t1"] = b"\xff\xd8 a picture"
    hall.hall.touch("t1", snapshot={"picture_for": "arbiters"})
    found = arbiter.get(asked)
    assert (found.status_code, found.mimetype, found.data) == (200, "image/jpeg", b"\xff\xd8 a picture")
    assert (found.headers["X-Picture-Age"], found.headers["Cache-Control"]) == ("12.0", "no-store")
    assert spectator.get(asked).status_code == 204
    seen = [one.get("/tables/t1/api/snapshot").get_json()["picture_for"] for one in (arbiter, spectator)]
    assert seen == ["arbiters", None]
    hall.hall.touch("t1", snapshot={"picture_for": "spectators"})
    assert spectator.get(asked).status_code == 200
    assert late.get(asked).status_code == 204, "it would be too new"
    assert arbiter.get("/api/hall/pictures/nobody").status_code == 204
