"""Disks that are full, read-only, locked or damaged: said in plain words, nothing lost, on again once they are well."""

import contextlib
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.errors import BadInput, InvalidRecord
from companion.record.log import Record, RecordTrouble
from companion.record.salvage import salvage
from companion.record.verify import check_chain

FILLER = Path(__file__).with_name("full_disk.py")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def filled(path: Path, count: int = 200) -> Path:
    with Record.open(path) as record:
        for number in range(count):
            record.append("notice", {"code": f"n{number}", "filling": "x" * 200}, float(number))
    return path


@contextmanager
def as_somebody_else() -> Iterator[None]:
    """Root may write everywhere: for a while be nobody."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_folder_that_cannot_be_written_is_named_and_its_records_can_be_read() -> None:
    folder = Path(tempfile.mkdtemp())
    path = filled(folder / "game.record", 3)
    path.chmod(0o444)
    folder.chmod(0o555)
    try:
        with as_somebody_else():
            with pytest.raises(RecordTrouble, match="disk is read-only"):
                Record.open(path)
            with pytest.raises(RecordTrouble, match="cannot be opened"):
                Record.open(folder / "new.record")
            with Record.read(path) as record:
                assert len(record.events()) == 3
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_disk_that_turns_read_only_while_playing_is_named_and_forgiven(tmp_path: Path) -> None:
    with Record.open(tmp_path / "game.record") as record:
        record.append("notice", {}, 1.0)
        record._connection.execute("PRAGMA query_only=ON")  # the same refusal of SQLite's as on a remounted disk
        with pytest.raises(RecordTrouble, match="read-only"):
            record.append("notice", {}, 2.0)
        assert len(record.events()) == 1
        record._connection.execute("PRAGMA query_only=OFF")
        assert record.append("notice", {}, 3.0).number == 2


def test_a_disk_that_takes_no_more_bytes_costs_nothing_that_was_announced(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    run = subprocess.run([sys.executable, FILLER, path, "60000"], capture_output=True, text=True, env=ENVIRONMENT, check=True)
    told = json.loads(run.stdout)
    assert 0 < told["stored"] < 2000 and "disk" in told["said"]
    assert told["held"] == told["stored"] and told["after"] == told["held"] + 1
    with Record.read(path) as record:
        assert len(record.events()) == told["after"] and check_chain(record.events()) == []


def test_a_disk_that_is_really_full_says_so(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=256k tmpfs "$1" || exit 77; exec "$2" "$3" "$1/game.record"'
    inside = ["unshare", "--mount", "sh", "-c", script, "sh", disk, sys.executable, FILLER]
    if shutil.which("unshare") is None:
        pytest.skip("no unshare here")
    run = subprocess.run(inside, capture_output=True, text=True, env=ENVIRONMENT, check=False)
    if run.returncode in (1, 77) and not run.stdout:
        pytest.skip("a small disk may not be mounted here")
    told = json.loads(run.stdout)
    assert "the disk is full; free some space" in told["said"]
    assert told["held"] == told["stored"] >= 5 and told["after"] == told["held"] + 1


def test_a_damaged_last_page_costs_only_what_was_on_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = filled(tmp_path / "game.record")
    data = bytearray(path.read_bytes())
    data[-4096:] = random.Random(5).randbytes(4096)
    path.write_bytes(bytes(data))
    with pytest.raises(InvalidRecord, match=r"damaged|changed|cannot be read|missing"):
        Record.open(path)
    saved = tmp_path / "saved.record"
    assert main(["salvage", str(path), str(saved), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert 100 < told["saved"] < 200 and told["trouble"] != "nothing is wrong"
    assert path.read_bytes() == bytes(data), "the damaged file is left as it is"
    with Record.open(saved) as record:
        assert len(record.events()) == told["saved"] and check_chain(record.events()) == []
        assert record.append("notice", {}, 1000.0).number == told["saved"] + 1


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spot=st.integers(0, 2**20), damage=st.binary(min_size=1, max_size=64))
def test_wherever_the_damage_is_only_intact_events_are_saved(tmp_path: Path, spot: int, damage: bytes) -> None:
    whole = tmp_path / "whole.record"
    if not whole.exists():
        filled(whole, 60)
    with Record.read(whole) as record:
        events = record.events()
    data = bytearray(whole.read_bytes())
    spot %= len(data)
    data[spot : spot + len(damage)] = damage
    hurt, saved = tmp_path / "hurt.record", tmp_path / "saved.record"
    hurt.write_bytes(bytes(data))
    saved.unlink(missing_ok=True)
    with contextlib.suppress(InvalidRecord), Record.read(hurt) as record:
        assert record.events() == events
    try:
        count, _ = salvage(hurt, saved)
    except InvalidRecord as error:
        assert "\n" not in str(error) and not saved.exists()
        return
    with Record.read(saved) as record:
        assert record.events() == events[:count]


def test_what_was_still_in_the_write_ahead_log_is_saved_too(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "keep.db")):  # any connection that stays open keeps the log beside its file
        record = Record.open(tmp_path / "game.record")
        for number in range(3):
            record.append("notice", {"code": f"n{number}"}, float(number))
        for part in ("", "-wal"):
            shutil.copyfile(f"{record.path}{part}", f"{tmp_path / 'cut.record'}{part}")
        record.close()
    before = {path.name: path.read_bytes() for path in tmp_path.glob("cut.record*")}
    assert salvage(tmp_path / "cut.record", tmp_path / "saved.record") == (3, "nothing is wrong")
    assert {path.name: path.read_bytes() for path in tmp_path.glob("cut.record*")} == before


def test_what_cannot_be_saved_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("hello" * 500)
    with Record.open(tmp_path / "empty"):
        pass
    for name in ("nowhere", "text", "empty"):
        assert main(["salvage", str(tmp_path / name), str(tmp_path / "out")]) == 2
        assert capsys.readouterr().err.count("\n") == 1 and not (tmp_path / "out").exists()
    with pytest.raises(BadInput, match="already there"):
        salvage(filled(tmp_path / "game.record", 2), tmp_path / "text")


@pytest.mark.parametrize("wrong", ["NULL", "7", "x'00ff'", "'{'", "1.5"])
@pytest.mark.parametrize("column", ["number", "at", "kind", "data", "digest"])
def test_a_row_that_holds_no_event_is_named_and_the_rest_is_saved(
    tmp_path: Path, column: str, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.record"
    with Record.open(path) as record:
        for number in range(4):
            record.append("notice", {"code": f"n{number}"}, float(number))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        table = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'events'").fetchone()[0]
        rows = connection.execute("SELECT * FROM events ORDER BY number").fetchall()
        connection.execute("DROP TABLE events")
        connection.execute(re.sub(r" (NOT NULL|PRIMARY KEY|INTEGER|REAL|TEXT)", "", table).replace(" STRICT", ""))
        connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", rows)
        connection.execute(f"UPDATE events SET {column} = {wrong} WHERE rowid = 3")
    with pytest.raises(InvalidRecord):
        Record.open(path)
    done = main(["salvage", str(path), str(tmp_path / "saved.record"), "--json"])
    if (column, wrong) == ("number", "NULL"):  # it comes first, and nothing before it can be saved
        assert done != 0 and "nothing in it can be saved" in capsys.readouterr().err
        return
    told = json.loads(capsys.readouterr().out)
    assert done == 0 and told["trouble"] != "nothing is wrong"
    assert told["saved"] >= 2 or column == "number", "rows are read in the order of their numbers"
