"""Tables and hall joined by each transport: what a table records arrives whole, and rulings come back once."""

import time
from pathlib import Path

import pytest
from hall_stories import StoryTable, chained
from halls import QUICK, SECRET, RunningHall, running
from servers import until

from companion.errors import BadInput, CompanionError
from companion.hub import wire
from companion.hub.hall_settings import HallSettings
from companion.hub.model import HallTable
from companion.hub.store import open_store
from companion.hub.uplink.leftovers import Leftovers
from companion.hub.uplink.uplink import Uplink
from companion.record.events import Event
from companion.record.log import Record


def table_of(hall: RunningHall, name: str) -> HallTable:
    return next(one for one in hall.hall.tables() if one.table == name)


def codes(hall: RunningHall, name: str) -> list[str]:
    return [trouble.code for trouble in table_of(hall, name).troubles]


def test_what_a_table_records_arrives_and_is_told(hall: RunningHall) -> None:
    hall.enrol("t1")
    table = StoryTable("m1", chained(30))
    uplink = hall.join("t1", table)
    until(lambda: hall.has("t1", table))
    seen = hall.hall.wait(0, 0)
    table.write("notice", {"code": "new"})
    assert hall.hall.wait(seen, 10) > seen
    until(lambda: hall.has("t1", table) and uplink.done)
    until(lambda: table_of(hall, "t1").snapshot.get("number") == 31)
    shown = table_of(hall, "t1")
    assert (shown.online, shown.match, shown.number, shown.troubles) == (True, "m1", 31, ())
    assert [event["number"] for event in hall.hall.events("t1", "m1", 29, 5)] == [30, 31]
    (match,) = hall.hall.matches()
    assert (match.table, match.match, match.number, match.head, match.whole) == ("t1", "m1", 31, table.record[-1].digest, True)


def test_a_table_that_leaves_is_offline_and_catches_up_when_it_comes_back(hall: RunningHall) -> None:
    hall.enrol("t1")
    table = StoryTable("m1", chained(3))
    hall.join("t1", table)
    until(lambda: hall.has("t1", table) and table_of(hall, "t1").online)
    hall.stack.close()
    until(lambda: not table_of(hall, "t1").online)
    for number in range(1500):
        table.write("notice", {"code": str(number), "filler": "x" * 300})
    begun = time.monotonic()
    hall.join("t1", table)
    until(lambda: hall.has("t1", table))
    assert time.monotonic() - begun < 20, "an hour of play is three messages"


def test_a_ruling_goes_to_the_table_and_comes_back_taken(hall: RunningHall) -> None:
    hall.enrol("t1")
    table = StoryTable("m1", chained(3))
    hall.join("t1", table)
    until(lambda: hall.has("t1", table) and table_of(hall, "t1").snapshot.get("number") == 3)
    ruling = hall.hall.rule("t1", 3, {"kind": "rule", "action": "adjourn", "reason": "lunch"}, " Ada  Lovelace ")
    until(lambda: hall.hall.rulings("t1")[0].state == "taken")
    until(lambda: hall.has("t1", table))
    assert table.record[3].data["by"] == {"arbiter": "Ada Lovelace", "ruling": ruling.ruling}
    with pytest.raises(CompanionError, match="Ada Lovelace has ruled on event 3 already"):
        hall.hall.rule("t1", 3, {"kind": "rule", "action": "resume", "reason": "x"}, "Ben")
    table.refuse = "there is no flag"
    hall.hall.rule("t1", 0, {"kind": "rule", "action": "allow", "reason": "x"}, "Ben")
    until(lambda: hall.hall.rulings("t1")[0].state == "refused")
    assert hall.hall.rulings("t1")[0].reason == "there is no flag"
    assert len(table.record) == 4


def test_a_ruling_waits_for_a_table_that_is_away_and_is_taken_once(hall: RunningHall) -> None:
    hall.enrol("t1")
    table = StoryTable("m1", chained(3))
    hall.join("t1", table)
    until(lambda: hall.has("t1", table) and table_of(hall, "t1").snapshot.get("number") == 3)
    hall.stack.close()
    hall.hall.rule("t1", 2, {"kind": "rule", "action": "adjourn", "reason": "lunch"}, "Ada")
    for _ in range(2):
        hall.join("t1", table)
        until(lambda: hall.hall.rulings("t1")[0].state == "taken")
        until(lambda: hall.has("t1", table))
        hall.stack.close()
    assert [event.kind for event in table.record].count("ruling") == 1


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"kind": "entrust", "character": "gull"}, "no answer of an arbiter's"),
        ({"kind": "dance"}, "no answer of an arbiter's"),
        ({"kind": "rule", "action": "allow", "reason": "x", "sudo": 1}, "no part of the answer"),
    ],
)
def test_what_no_arbiter_may_answer_is_refused_at_the_table(hall: RunningHall, answer: dict, why: str) -> None:
    hall.enrol("t1")
    table = StoryTable("m1", chained(3))
    hall.join("t1", table)
    until(lambda: table_of(hall, "t1").match == "m1" and hall.has("t1", table))
    hall.hall.rule("t1", 0, answer, "Ada")
    until(lambda: hall.hall.rulings("t1")[0].state == "refused")
    assert why in hall.hall.rulings("t1")[0].reason
    assert len(table.record) == 3


def test_what_cannot_be_ruled_is_refused_at_once(hall: RunningHall) -> None:
    hall.enrol("t1")
    for table, about, answer, arbiter, why in (
        ("t9", 0, {"kind": "rule"}, "Ada", "none of this hall's"),
        ("t1", 0, {"kind": "rule"}, "Ada", "plays nothing yet"),
        ("t1", 0, {"kind": "rule"}, "  ", "a name of 1 to"),
    ):
        with pytest.raises(BadInput, match=why):
            hall.hall.rule(table, about, answer, arbiter)
    played = StoryTable("m1", chained(3))
    hall.join("t1", played)
    until(lambda: table_of(hall, "t1").match == "m1")
    for about, answer, why in (
        (9, {"kind": "rule"}, "event 9 is none"),
        (0, {}, "with its kind"),
        (0, {"kind": "x" * 20_000}, "at most"),
    ):
        with pytest.raises(BadInput, match=why):
            hall.hall.rule("t1", about, answer, "Ada")


def test_a_wrong_credential_or_an_unknown_table_gets_nothing_in(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "hall.sqlite"))
    with running(store) as hall:
        hall.enrol("t1")
        told: list[tuple[bool, str]] = []
        for name, secret in (("t1", "guessed"), ("t2", SECRET)):
            link = hall.link(name, secret)
            link.start(lambda kind, body: None, lambda there, why: told.append((there, why)))
            until(lambda: bool(told))
            assert told.pop() == (False, "the hall refuses (this credential is not this table's)")
            assert not link.send(wire.EVENTS, wire.Batch("m1", tuple(chained(2))).encode())
            link.close()
        assert store.counts()["events"] == 0
    store.close()


def forged(events: list[Event]) -> list[Event]:
    odd = events[3]
    return [*events[:3], Event(odd.number, odd.at, odd.kind, {"code": "other"}, odd.digest), *events[4:]]


@pytest.mark.parametrize(
    ("sent", "code", "kept", "said"),
    [
        (forged, "forged", 3, "Event 4 does not follow"),
        (lambda events: [*events[:2], *events[4:]], "gap", 2, "Events 3 to 4 have not arrived"),
        (lambda events: chained(4, began=5000.0), "conflict", 2, "Event 1 came a second time"),
        (lambda events: events[1:] and chained(3, match="m2"), "conflict", 2, "Event 1 came a second time"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_chain_is_seen_and_never_lost(
    hall: RunningHall, sent: object, code: str, kept: int, said: str
) -> None:
    hall.enrol("t1")
    events = chained(6)
    first = events[:2]
    for batch in (first, sent(events)):  # type: ignore[operator]
        assert hall.hall.receive("t1", wire.EVENTS, wire.Batch("m1", tuple(batch)).encode())
    until(lambda: code in codes(hall, "t1"))
    assert [event.digest for event in hall.store.events("t1", "m1", 0, 99)] == [event.digest for event in events[:kept]]
    (trouble,) = table_of(hall, "t1").troubles
    assert trouble.message.startswith(said)
    refused = hall.store.refused("t1")
    assert len(refused) == (0 if code == "gap" else 1)
    assert hall.hall.matches()[0].whole is (code == "gap")
    hall.hall.receive("t1", wire.EVENTS, wire.Batch("m1", tuple(events)).encode())
    until(lambda: len(hall.store.events("t1", "m1", 0, 99)) == 6)
    assert codes(hall, "t1") == ([] if code == "gap" else [code]), "a gap is closed, a forgery stays said"


HALF_A_PAIR = b'{"v":1,"match":"m1","events":[{"number":1,"at":1.0,"kind":"k","data":{"id":"\\ud800"},"digest":"x"}]}'


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"v":2}', b'{"v":1,"match":"m1","events":[{}]}', b"\xff\xfe", HALF_A_PAIR]
)
def test_messages_that_are_none_are_said_and_nothing_else_happens(hall: RunningHall, body: bytes) -> None:
    hall.enrol("t1")
    hall.hall.receive("t1", wire.EVENTS, body)
    until(lambda: codes(hall, "t1") == ["unreadable"])
    table = StoryTable("m1", chained(3))
    hall.join("t1", table)
    until(lambda: hall.has("t1", table) and codes(hall, "t1") == [])


def test_another_version_and_a_clock_two_days_off_are_said(hall: RunningHall) -> None:
    hall.enrol("t1")
    hall.hall.receive("t1", wire.STATE, wire.State("m1", "g", "99.0", time.time() - 2 * 86400 - 5, 3).encode())
    until(lambda: sorted(codes(hall, "t1")) == ["clock", "version"])
    said = " ".join(trouble.message for trouble in table_of(hall, "t1").troubles)
    assert "99.0" in said and "2 d behind" in said
    table = StoryTable("m1", chained(3))
    hall.join("t1", table)
    until(lambda: codes(hall, "t1") == [] and hall.has("t1", table))


def test_the_table_is_told_what_is_wrong_with_it(hall: RunningHall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.hub.uplink.uplink.__version__", "99.0")
    for name, clock, code in (("t1", time.time, "hall-version"), ("t2", lambda: time.time() + 2 * 86400 + 9, "hall-clock")):
        hall.enrol(name)
        table = StoryTable(f"of-{name}", chained(3, match=f"of-{name}"))
        uplink = Uplink(table, hall.link(name), settings=QUICK, clock=clock)
        uplink.start()
        hall.stack.callback(uplink.close, 0.0)
        until(lambda table=table, code=code: code in table.codes())
        until(lambda name=name, table=table: hall.has(name, table))
    said = next(event.data for event in table.record if event.data.get("code") == "hall-clock")
    assert said["text"].format(**said["params"]) == "The clock of this table's computer is 2 d ahead of the hall's; set it."


def test_two_tables_on_one_record_are_said(hall: RunningHall) -> None:
    tables = [StoryTable("m1", chained(3)) for _ in range(2)]
    for name, table in zip(("t1", "t2"), tables, strict=True):
        hall.enrol(name)
        hall.join(name, table)
        until(lambda name=name: any(one.table == name and one.number >= 3 for one in hall.hall.matches()))
    until(lambda: codes(hall, "t2") == ["foreign"] and "hall-foreign" in tables[1].codes())
    assert codes(hall, "t1") == [] and tables[0].codes() == ["n1", "n2"]


def test_an_older_copy_of_a_record_is_said_on_both_sides(hall: RunningHall) -> None:
    hall.enrol("t1")
    hall.hall.receive("t1", wire.EVENTS, wire.Batch("m1", tuple(chained(6))).encode())
    until(lambda: len(hall.store.events("t1", "m1", 0, 99)) == 6)
    table = StoryTable("m1", chained(4))
    hall.join("t1", table)
    until(lambda: "conflict" in codes(hall, "t1") and "hall-conflict" in table.codes())
    assert len(hall.store.events("t1", "m1", 0, 99)) == 6


def test_a_hall_that_is_away_is_said_once_at_the_table_and_the_game_goes_on(hall: RunningHall) -> None:
    hall.enrol("t1")
    table = StoryTable("m1", chained(3))
    uplink = Uplink(table, Unreached(), settings=QUICK)
    uplink.start()
    until(lambda: table.codes()[-1] == "hall-lost")
    table.write("notice", {"code": "played on"})
    time.sleep(1.2)
    assert table.codes().count("hall-lost") == 1
    uplink.close(0.0)


class Unreached:
    """A link without a hall."""

    def start(self, heard: object, linked: object) -> None:
        linked(False, "no route to host")  # type: ignore[operator]

    def send(self, kind: str, body: bytes) -> bool:
        raise AssertionError("nothing is sent without a connection")

    def close(self) -> None:
        pass


def test_a_game_that_ended_while_the_hall_was_away_is_sent_at_the_next_start(hall: RunningHall, tmp_path: Path) -> None:
    hall.enrol("t1")
    story, left = chained(40, match="m0"), Leftovers(tmp_path / "left.json")
    with Record.open(tmp_path / "old.sqlite") as record:
        record.take_over(story)
    for path in (tmp_path / "old.sqlite", tmp_path / "gone.sqlite"):
        left.add(path)
    table = StoryTable("m1", chained(3))
    uplink = Uplink(table, hall.link("t1"), tmp_path / "new.sqlite", left, QUICK)
    uplink.start()
    hall.stack.callback(uplink.close, 5.0)
    until(lambda: hall.has("t1", table) and len(hall.store.events("t1", "m0", 0, 99)) == 40)
    until(lambda: left.paths() == [tmp_path / "new.sqlite"])
    hall.stack.close()
    assert left.paths() == []


def test_a_hub_that_starts_anew_knows_what_it_knew(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "hall.sqlite"))
    table = StoryTable("m1", chained(3))
    with running(store, settings=HallSettings(keep_seconds=0.0)) as hall:
        hall.enrol("t1")
        hall.join("t1", table)
        until(lambda: hall.has("t1", table) and table_of(hall, "t1").snapshot.get("number") == 3)
        until(lambda: bool(store.states()))
        hall.stack.close()
        ruling = hall.hall.rule("t1", 0, {"kind": "rule", "action": "adjourn", "reason": "x"}, "Ada")
    with running(store) as hall:
        shown = table_of(hall, "t1")
        assert (shown.match, shown.number, shown.online, shown.snapshot["phase"]) == ("m1", 3, False, "play")
        hall.join("t1", table)
        until(lambda: hall.hall.rulings("t1")[0].state == "taken")
        assert hall.hall.rulings("t1")[0].ruling == ruling.ruling
        hall.stack.close()
    store.close()
