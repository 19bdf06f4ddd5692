"""``companion hub`` at a prompt: letting tables in, looking after the database, and serving."""

import gzip
import json
import re
from pathlib import Path

import pytest
from hall_stories import StoryTable, accepted, chained
from halls import QUICK
from hub_process import HubProcess
from servers import until

from companion.cli import main
from companion.cli.run import data_folder
from companion.hub.link import table_address
from companion.hub.store import open_store
from companion.hub.transport.http_table import HttpTable
from companion.hub.uplink.uplink import Uplink
from companion.record.log import Record


@pytest.fixture(autouse=True)
def _data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_a_credential_is_shown_once_kept_as_a_digest_and_taken_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "hall.sqlite")
    enrol = ["hub", "enrol", "table-7", "--database", file]
    assert main([*enrol, "--name", "By the window", "--at", "https://10.0.0.2:8243"]) == 0
    link = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("https://"))
    address = table_address(link)
    assert (address.host, address.port, address.table, len(address.ca) > 300) == ("10.0.0.2", 8243, "table-7", True)
    assert address.secret.encode() not in (tmp_path / "hall.sqlite").read_bytes()
    assert main(["hub", "tables", "--database", file]) == 0
    assert capsys.readouterr().out == "table-7: By the window, 0 games, 0 events\n"
    assert main([*enrol, "--take-back"]) == 0
    capsys.readouterr()
    assert main(["hub", "tables", "--database", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"table": "table-7", "name": "By the window", "let_in": False, "matches": 0, "events": 0}
    ]


def test_a_broker_at_an_address_that_our_authority_does_not_speak_for_is_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "hub",
        "enrol",
        "t1",
        "--database",
        str(tmp_path / "hall.sqlite"),
        "--broker-files",
        str(tmp_path / "broker"),
        "--at",
    ]
    assert main([*words, "mqtts://10.0.0.2"]) == 0
    assert capsys.readouterr().err == ""
    assert main([*words, "mqtts://203.0.113.5"]) == 0
    assert "203.0.113.5 is no address of a local network" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["enrol", "Table 7"], "small letters, digits and - are allowed"),
        (["enrol", "t", "--at", "ftp://x"], "http, https, mqtt or mqtts"),
        (["enrol", "t", "--take-back"], "is not enrolled; there are: none"),
        (["restore", "nowhere"], "cannot be read"),
        (["tables", "--database", "mysql://x/y"], "a file, or postgresql://… is allowed"),
        (["--database", "/"], "/: is a folder; name a file in it"),
        (["--broker", "http://x"], "mqtt://HOST or mqtts://HOST"),
        (["--host", "0.0.0.0", "--external-host", "hall.example.org"], "a name that ends in .local, .lan or .internal"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hub", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "9000", "enrol", "t"], "--port is not for 'enrol'"),
        (["--event", "e.tw", "tables"], "--event is not for 'tables'"),
        (["--database", "mine.sqlite", "rehearse"], "--database stands after 'rehearse'"),
    ],
)
def test_an_option_that_a_command_would_not_heed_is_refused_before_it(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["hub", *words])
    error = capsys.readouterr().err
    assert end.value.code == 2 and said in error and error.count("\n") == 1


def test_an_option_before_a_command_that_takes_it_is_heeded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "hall.sqlite")
    assert main(["hub", "--database", file, "enrol", "t1"]) == 0
    capsys.readouterr()
    assert main(["hub", "tables", "--database", file]) == 0
    assert capsys.readouterr().out.startswith("t1:")


def test_a_backup_restores_everything_into_an_empty_database_alone(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store(database)
    store.write([accepted("t1", "m1", chained(30))], [], {})
    rows = store.dump()
    store.close()
    kept, other = str(tmp_path / "hall.backup"), str(tmp_path / "other.sqlite")
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hall-seals.jsonl").write_text('{"table": "t1"}\n')
    with Record.open(folder / "hall-event.tw") as record:
        record.take_over(chained(4))
    assert main(["hub", "backup", kept, "--database", database]) == 0
    assert main(["hub", "restore", kept, "--database", other]) == 2
    assert "hall-event.tw: is there already" in capsys.readouterr().err
    for one in folder.glob("hall-*"):
        one.unlink()
    assert main(["hub", "restore", kept, "--database", other]) == 0
    with Record.read(folder / "hall-event.tw") as record:
        assert record.events() == chained(4)
    assert (folder / "hall-seals.jsonl").read_text() == '{"table": "t1"}\n'
    for one in folder.glob("hall-*"):
        one.unlink()
    restored = open_store(other)
    assert restored.dump() == rows
    restored.close()
    assert main(["hub", "restore", kept, "--database", other]) == 2
    assert "is not empty" in capsys.readouterr().err
    lines = gzip.decompress(Path(kept).read_bytes()).splitlines(keepends=True)
    whole = Path(kept).read_bytes()
    torn = whole[:40] + bytes(255 - one for one in whole[40:60]) + whole[60:]
    for number, damaged in enumerate((gzip.compress(b"".join(lines[:-1])), whole[:-20], b"no backup", torn)):
        Path(kept).write_bytes(damaged)
        assert main(["hub", "restore", kept, "--database", str(tmp_path / f"new{number}.sqlite")]) == 2
        assert "hall.backup: " in capsys.readouterr().err
        empty = open_store(str(tmp_path / f"new{number}.sqlite"))
        assert empty.counts()["events"] == 0
        empty.close()


def test_a_hub_is_served_on_loopback_and_keeps_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with HubProcess(tmp_path / "data", "--database", str(tmp_path / "hall.sqlite")) as hub:
        at = f"http://127.0.0.1:{hub.port}"
        assert main(["hub", "enrol", "t1", "--database", str(tmp_path / "hall.sqlite"), "--at", at, "--json"]) == 0
        link = json.loads(capsys.readouterr().out)["link"]
        hub.start()
        hub.wait()
        table = StoryTable("m1", chained(8))
        uplink = Uplink(table, HttpTable(table_address(link)), settings=QUICK)
        uplink.start()
        until(lambda: uplink.done)
        health, figures = json.loads(hub.get("/healthz")), hub.get("/metrics")
        assert health == {"ok": True, "intake": "ok", "database": "ok", "broker": "ok"}
        assert "table_witness_hub_events_committed_total 8" in figures
        assert "table_witness_hub_tables_online 1" in figures
        assert 'table_witness_hub_commit_seconds_bucket{le="+Inf"} 1' in figures
        uplink.close()
        assert hub.stop() == 0
    log = (tmp_path / "data" / "hub.log").read_text()
    assert "Warning" not in log and "Traceback" not in log
    assert "t1: T1, 1 games, 8 events" in _tables(tmp_path, capsys)


def test_a_hub_in_a_container_names_the_machine_outside_in_its_links(tmp_path: Path) -> None:
    words = ("--host", "127.0.0.2", "--https", "--https-port", "0", "--external-host", "hall.lan")
    with HubProcess(tmp_path / "data", "--database", str(tmp_path / "hall.sqlite"), *words) as hub:
        hub.start()
        log = tmp_path / "data" / "hub.log"
        until(lambda: "Ctrl-C ends it" in log.read_text(), f"see {log}")
        hub.stop()
    assert re.search(r"^hall: +https://hall\.lan:\d+/$", log.read_text(), re.MULTILINE)


def _tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["hub", "tables", "--database", str(folder / "hall.sqlite")]) == 0
    return capsys.readouterr().out
