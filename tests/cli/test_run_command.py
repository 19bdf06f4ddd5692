"""The commands run and demo: what they print, how they end, and one line for everything that cannot be."""

import io
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from companion.cli import main, run
from companion.cli.session.prompt import when_over
from companion.demo import TABLE
from companion.devices.cameras.recorded import RECORDING_OVER
from companion.record.events import Event
from companion.record.log import Record


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "companion", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def address_of(process):
    for line in process.stdout:
        if line.startswith("page:"):
            return line.split()[1]
    raise AssertionError(process.stderr.read())


def test_the_demo_shows_a_simulated_page_and_ends_politely():
    with start("demo", "--port", "0", "--no-browser", "--speed", "2") as process:
        try:
            first = process.stdout.readline()
            address = address_of(process)
            with urllib.request.urlopen(f"{address}api/snapshot", timeout=20) as reply:
                snapshot = json.load(reply)
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=30)
    assert first.startswith("SIMULATED")
    assert snapshot["simulated"] is True
    assert snapshot["secret"] == "entrusted"
    assert process.returncode == 0
    assert errors == ""


def test_a_demo_that_is_over_says_so_at_the_prompt_and_to_the_page():
    with start("demo", "--port", "0", "--no-browser", "--speed", "100") as process:
        try:
            address = address_of(process)
            lines = list(itertools.islice(iter(process.stdout.readline, ""), 2))
            while "over" not in lines[-2] and lines[-1]:
                lines.append(process.stdout.readline())
            with urllib.request.urlopen(f"{address}api/snapshot", timeout=20) as reply:
                snapshot = json.load(reply)
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
    assert "the recording is over" in lines[-2]
    assert "'companion demo'" in lines[-1] and "'companion run'" in lines[-1]
    assert snapshot["source"]["state"] == "over" and snapshot["simulated"]


@pytest.mark.parametrize(
    ("game", "again"), [("get-adler", "'companion demo --game get-adler'"), ("mr-jack-london", "'companion demo'")]
)
def test_what_shows_the_recording_again_is_named_with_its_game(game, again):
    out = io.StringIO()
    data = {"code": RECORDING_OVER.code, "text": RECORDING_OVER.text, "params": {}}
    when_over(out, lambda: game)(Event(1, 0.0, "notice", data, ""))
    assert f"to see it again: {again};" in out.getvalue()


def test_a_demo_played_once_ends_by_itself(tmp_path, capsys):
    record = tmp_path / "demo.sqlite"
    assert main(["demo", "--once", "--port", "0", "--no-browser", "--speed", "60", "--json", "--record", str(record)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["kind"] == "match-opened"
    with Record.read(record) as kept:
        assert [event.to_json() for event in kept.events()] == events


def test_a_demo_in_a_loop_is_a_new_game_each_time_at_the_same_addresses(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # the authority for HTTPS is made there
    opened, number = [], 0
    with start("demo", "--loop", "--port", "0", "--https-port", "0", "--no-browser", "--speed", "100", "--json") as process:
        for line in process.stdout:
            event = json.loads(line)
            number = 1 if event["kind"] == "match-opened" else number + 1
            assert event["number"] == number
            if event["kind"] == "match-opened":
                opened.append(event["data"]["id"])
                if len(opened) == 3:
                    process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
    assert process.returncode == 0
    assert len(set(opened)) == 3, "each game has an id of its own, or its secret and its page would be the last one's"
    for access_control in ("page:", "https:"):
        shown = [line.split()[1] for line in errors.splitlines() if line.startswith(access_control)]
        assert len(shown) >= 2 and len(set(shown)) == 1, shown


def test_a_killed_game_goes_on_where_it_was(tmp_path):
    """One folder of pictures is watched, the process is killed, and another folder goes on with the same record."""
    record, first, second = tmp_path / "game.sqlite", tmp_path / "first", tmp_path / "second"
    for folder, pictures in ((first, ("001", "002")), (second, ("002", "004"))):
        folder.mkdir()
        for picture in pictures:
            shutil.copy(TABLE / f"{picture}.jpg", folder)
    common = (
        "--profile",
        TABLE / "table.json",
        "--record",
        record,
        "--port",
        "0",
        "--no-browser",
        "--json",
        "--seconds-each",
        4,
    )
    seen = []
    with start("run", first, *common) as process:
        for line in process.stdout:
            seen.append(json.loads(line))
            if seen[-1]["kind"] == "play":
                process.kill()
    assert seen[-1]["data"]["character"] == "holmes"
    with start("run", second, *common) as process:
        for line in process.stdout:
            seen.append(json.loads(line))
            if seen[-1]["kind"] == "play":
                process.terminate()
    assert process.returncode == 0
    assert [event["number"] for event in seen] == list(range(1, len(seen) + 1))
    assert [event["data"]["character"] for event in seen if event["kind"] == "play"] == ["holmes", "bert"]
    assert not [event for event in seen if event["kind"] in ("flag", "doubt")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "93"], "camera 93: cannot be opened (tried /dev/video93 with V4L2)"),
        (["run", "missing.mp4"], "no such file or folder"),
        (["run", "rtsp://127.0.0.1:9/x"], "rtsp://127.0.0.1:9/x: no stream"),
        (["run", "http://127.0.0.1:9/x"], "http://127.0.0.1:9/x: cannot be reached"),
        (["run", "0", "--size", "9x9"], "WIDTHxHEIGHT"),
        (
            ["run", "0", "--game", "go"],
            "game 'go' is not known; there are: get-adler, letters-from-whitechapel, mr-jack-london",
        ),
        (["run", "0", "--edition", "third"], "edition 'third' is not known; there are:"),
        (["run", "0", "--profile", "none.json"], "none.json: cannot be read"),
        (["run", "0", "--seconds-each", "0"], "0.2 to 3600"),
        (["demo", "--speed", "0"], "above 0"),
    ],
)
def test_what_cannot_be_is_one_line_and_two(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([*arguments, "--no-browser"]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"K": 1}', 'is not a lens of "companion calibrate lens", nor one with "K", "D" and "image_size"'),
        ("[1]", "neither a table profile nor a lens (holds no JSON object)"),
        ("lens", "neither a table profile nor a lens (not JSON: "),
        ('{"format": "table-profile/99"}', "newer companion"),
        ('{"format": "cake/1"}', "is not a table profile"),
    ],
)
def test_a_profile_that_is_none_is_refused_in_one_line(content, words, tmp_path, capsys):
    profile = tmp_path / "profile.json"
    profile.write_text(content)
    assert main(["run", "0", "--profile", str(profile)]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_taken_port_is_said_and_the_usual_one_is_given_way(tmp_path, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["demo", "--once", "--speed", "60", "--port", str(port), "--no-browser"]) == 2
        assert f"127.0.0.1:{port} cannot be opened" in capsys.readouterr().err


def test_the_demo_never_writes_over_a_game(tmp_path, capsys):
    record = tmp_path / "precious.sqlite"
    Record.open(record).close()
    before = record.read_bytes()
    assert main(["demo", "--once", "--record", str(record), "--no-browser"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert record.read_bytes() == before


def test_a_secret_needs_a_terminal(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    folder = tmp_path / "pictures"
    folder.mkdir()
    shutil.copy(TABLE / "001.jpg", folder)
    arguments = [
        "run",
        str(folder),
        "--record",
        str(tmp_path / "r.sqlite"),
        "--secret",
        "entrusted",
        "--port",
        "0",
        "--no-browser",
    ]
    assert main(arguments) == 2
    assert "can be told on the page" in capsys.readouterr().err


def test_speaking_aloud_needs_a_voice_and_uses_it(tmp_path, monkeypatch, capfd):
    """A stand-in for the synthesiser writes down what it is given to say."""
    arguments = ["demo", "--once", "--speed", "20", "--port", "0", "--no-browser", "--speak"]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(arguments) == 2
    assert "--speak: this host has no voice: install espeak-ng" in capfd.readouterr().err
    synthesiser = tmp_path / "espeak-ng"
    synthesiser.write_text(f"#!/bin/sh\n/bin/cat >> {tmp_path}/said\n")
    synthesiser.chmod(0o755)
    assert main(arguments) == 0
    assert "Jack has entrusted his identity." in (tmp_path / "said").read_text()


def test_two_companions_begun_in_the_same_second_keep_records_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(time, "strftime", lambda _: "2026-01-01-120000")
    first = run._new_record()
    monkeypatch.setattr(os, "getpid", lambda: 4)
    second = run._new_record()
    assert first != second and first.name.startswith("2026-01-01-120000")


def test_a_simulated_box_is_called_simulated(tmp_path):
    with start("demo", "--port", "0", "--no-browser", "--box", "simulated") as process:
        try:
            lines = [process.stdout.readline() for _ in range(2)]
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
    assert lines[1] == "SIMULATED: the button box is simulated; press its buttons on the page\n"


@pytest.mark.parametrize(
    ("named", "why"),
    [
        (["--edition", "revised-2016"], "these pictures show the edition first-2006, not revised-2016"),
        (["--game", "mr-jack-new-york"], "these pictures show Mr. Jack (London); play it with --game mr-jack-london"),
        (["--game", "letters-from-whitechapel"], "play it with --game mr-jack-london"),
    ],
)
def test_pictures_of_another_board_than_the_one_named_are_refused(named, why, capsys):
    assert main(["run", str(TABLE), "--once", "--port", "0", "--no-browser", *named]) == 2
    told = capsys.readouterr().err
    assert why in told and told.count("\n") == 1
