"""The log keeps what it was given, refuses to forget, and says plainly what is wrong with a disk or a file."""

import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import BadInput, InvalidRecord
from companion.record.log import Record, RecordTrouble
from companion.record.verify import check_chain, check_head

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
).filter(lambda value: "\ud800" not in repr(value))


def filled(path: Path, count: int = 5) -> Path:
    with Record.open(path) as record:
        for number in range(count):
            record.append("notice", {"code": f"n{number}"}, 100.0 + number)
    return path


def test_what_goes_in_comes_out_after_a_restart(tmp_path: Path) -> None:
    path = filled(tmp_path / "game.record")
    with Record.open(path) as record:
        assert [event.data["code"] for event in record.events()] == ["n0", "n1", "n2", "n3", "n4"]
        assert record.head is not None and record.head.number == 5
        assert [event.number for event in record.events(after=3)] == [4, 5]
        assert check_chain(record.events()) == []
        assert record.append("notice", {}, 1.0).number == 6


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(min_size=1), st.dictionaries(st.text(), JSON, max_size=3), st.floats(0, 2e9)), max_size=4))
def test_any_json_round_trips_with_its_digest(tmp_path: Path, entries: list) -> None:
    path = tmp_path / f"{os.urandom(6).hex()}.record"
    with Record.open(path) as record:
        written = [record.append(kind, data, at) for kind, data, at in entries]
    with Record.open(path) as record:
        assert record.events() == written


def test_events_cannot_be_changed_or_deleted_through_sqlite(tmp_path: Path) -> None:
    connection = sqlite3.connect(filled(tmp_path / "game.record"))
    for statement in (
        "UPDATE events SET kind = 'play'",
        "DELETE FROM events",
        "UPDATE meta SET value = ''",
        "DELETE FROM meta",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("tampering", "code", "named"),
    [
        ('UPDATE events SET data = \'{"code":"other"}\' WHERE number = 3', "changed", "event 3"),
        ("UPDATE events SET at = at + 1 WHERE number = 2", "changed", "event 2"),
        ("DELETE FROM events WHERE number = 4", "dropped", "event 4"),
        ("DELETE FROM events WHERE number = 1", "dropped", "event 1"),
        (
            "UPDATE events SET number = 99 WHERE number = 2; UPDATE events SET number = 2 WHERE number = 3; "
            "UPDATE events SET number = 3 WHERE number = 99",
            "changed",
            "event 2",
        ),
    ],
)
def test_tampering_is_found_and_named(tmp_path: Path, tampering: str, code: str, named: str) -> None:
    path = filled(tmp_path / "game.record")
    connection = sqlite3.connect(path)
    connection.executescript(f"DROP TRIGGER events_are_never_changed; DROP TRIGGER events_are_never_deleted; {tampering};")
    connection.close()
    with pytest.raises(InvalidRecord, match=named):
        Record.open(path)
    with Record.read(path, check=False) as record:
        findings = check_chain(record.events())
    assert findings[0].code == code and named in findings[0].text


def test_a_head_noted_elsewhere_is_found_or_missed(tmp_path: Path) -> None:
    with Record.open(filled(tmp_path / "game.record")) as record:
        third = record.events()[2].digest
        assert check_head(record.events(), third[:10].upper()) == []
        assert check_head(record.events(), "f" * 64)[0].code == "other-head"


def test_wrong_files_are_refused_in_one_line(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("a shopping list, certainly longer than one sqlite header would be" * 20)
    with pytest.raises(InvalidRecord, match="is not a game record"):
        Record.open(text)
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE birds (name TEXT)")
    connection.close()
    with pytest.raises(InvalidRecord, match="is not a game record"):
        Record.open(other)
    with pytest.raises(InvalidRecord, match="no such record"):
        Record.read(tmp_path / "nowhere.record")
    with pytest.raises(InvalidRecord, match="cannot be opened"):
        Record.open(tmp_path / "no" / "such" / "folder.record")


def test_a_newer_format_is_named(tmp_path: Path) -> None:
    path = filled(tmp_path / "game.record")
    connection = sqlite3.connect(path)
    connection.executescript("DROP TRIGGER meta_is_never_changed; UPDATE meta SET value = 'record/9';")
    connection.close()
    with pytest.raises(InvalidRecord, match="record/9"):
        Record.open(path)


def test_a_locked_record_says_so_and_works_again_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.record.log.BUSY_TIMEOUT_MS", 50)
    path = filled(tmp_path / "game.record")
    with Record.open(path) as record:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordTrouble, match="locked"):
            record.append("notice", {}, 1.0)
        other.execute("ROLLBACK")
        other.close()
        assert record.append("notice", {}, 1.0).number == 6


def test_two_writers_do_not_overwrite_each_other(tmp_path: Path) -> None:
    path = filled(tmp_path / "game.record")
    with Record.open(path) as one, Record.open(path) as two:
        one.append("notice", {"by": "one"}, 1.0)
        with pytest.raises(RecordTrouble, match="another companion"):
            two.append("notice", {"by": "two"}, 1.0)
        assert [event.data.get("by") for event in one.events(5)] == ["one"]


def test_a_full_disk_says_so_and_stores_nothing(tmp_path: Path) -> None:
    with Record.open(filled(tmp_path / "game.record")) as record:
        pages = record._connection.execute("PRAGMA page_count").fetchone()[0]
        record._connection.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(RecordTrouble, match="disk is full"):
            record.append("notice", {"long": "x" * 100_000}, 1.0)
        assert record.head is not None and record.head.number == 5
        record._connection.execute("PRAGMA max_page_count=1000000")
        assert record.append("notice", {"long": "x" * 100_000}, 1.0).number == 6


def test_what_json_cannot_say_is_refused(tmp_path: Path) -> None:
    with Record.open(tmp_path / "game.record") as record:
        for data in ({"a": float("nan")}, {"a": object()}):
            with pytest.raises(BadInput, match="JSON cannot say"):
                record.append("notice", data, 1.0)
        assert record.head is None
