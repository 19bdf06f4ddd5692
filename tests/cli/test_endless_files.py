"""Files that never end, are none, or hold more than anybody reads: one sentence, status 2, soon, and no memory."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion import bounded
from companion.cli import main
from companion.demo import TABLE
from companion.record.log import MOST_EVENTS, Record
from companion.vision.pictures.files import load_picture

pytestmark = pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero here")
GOOD = str(TABLE / "001.jpg")
QUIET = ["--port", "0", "--no-browser", "--box", "none", "--record"]

ODD: dict[str, tuple[Callable[[Path], object], str]] = {
    "endless": (lambda path: path.symlink_to("/dev/zero"), "it is a device, not a file"),
    "sparse": (lambda path: (path.touch(), os.truncate(path, 20 * 2**30)), "it holds more than"),
    "silent": (os.mkfifo, "nothing more comes out of it"),
    "folder": (lambda path: path.mkdir(), "Is a directory"),
}
COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "run --profile": lambda odd: ["run", GOOD, "--profile", odd, *QUIET, f"{odd}.sqlite"],
    "witness": lambda odd: ["witness", odd],
    "moves": lambda odd: ["moves", odd, "--character", "holmes"],
    "explain": lambda odd: ["explain", odd, odd],
    "read": lambda odd: ["read", odd],
    "read --lens": lambda odd: ["read", GOOD, "--lens", odd],
    "markers": lambda odd: ["markers", odd],
    "own-board": lambda odd: ["--own-board", odd, "witness", "x.json"],
    "new-board": lambda odd: ["calibrate", "new-board", GOOD, odd],
    "board --profile": lambda odd: ["calibrate", "board", GOOD, "--profile", odd],
    "teach --lens": lambda odd: ["calibrate", "teach", GOOD, GOOD, f"{odd}.table", "--lens", odd],
    "verify lines": lambda odd: ["verify", odd],
}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(bounded, "BOUNDS", replace(bounded.BOUNDS, patience=0.05))
    yield


@pytest.mark.parametrize("odd", list(ODD))
@pytest.mark.parametrize("command", list(COMMANDS))
def test_a_file_that_never_ends_is_refused_soon_wherever_it_is_given(
    command: str, odd: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, words = ODD[odd]
    path = tmp_path / ("odd.jsonl" if command.startswith("verify") else "odd.json")
    make(path)
    assert main(COMMANDS[command](str(path))) == 2
    told = capsys.readouterr()
    if (command, odd) not in {("read", "folder"), ("markers", "folder")}:
        assert words in told.err, told.err
    assert (told.out, told.err.count("\n")) == ("", 1)


def test_a_profile_that_never_ends_costs_no_memory(tmp_path: Path) -> None:
    import resource  # noqa: PLC0415

    done = subprocess.run(
        [sys.executable, "-m", "companion", "run", GOOD, "--profile", "/dev/zero", *QUIET, str(tmp_path / "r.sqlite")],
        capture_output=True, text=True, timeout=60, check=False, env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30,) * 2),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, "companion: /dev/zero: cannot be read (it is a device, not a file)\n")


def test_a_pipe_is_read_as_far_as_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    for sent, words in ((b"x" * 100, None), (b"x" * 3000, "it holds more than 2000 bytes")):
        writer = subprocess.Popen(["/bin/sh", "-c", f"printf %s {sent.decode()} > {path}"])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bounded, "BOUNDS", replace(bounded.BOUNDS, patience=10.0))
            if words is None:
                assert bounded.read_bytes(path, 2000) == sent
            else:
                with pytest.raises(OSError, match=words):
                    bounded.read_bytes(path, 2000)
        writer.wait(10)


@pytest.mark.parametrize(
    ("text", "words"),
    [("[" * 100_000, "nested too deeply"), ("[[]" + ",[]" * 600_000 + "]", "more than 1000000 values"), ("1" * 5000, "digits")],
)
def test_json_that_unfolds_is_refused_before_it_is_parsed(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text)
    assert main(["read", GOOD, "--lens", str(path)]) == 2
    assert words in capsys.readouterr().err


def test_a_line_that_never_ends_is_answered_and_the_next_one_read(tmp_path: Path) -> None:
    start = json.dumps({"game": "mr-jack-london", "characters": {}})
    command = (
        f"(head -c 50000000 /dev/zero | tr '\\0' 'x'; printf '\\n%s\\n' '{start}') | {sys.executable} -m companion witness -"
    )
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=60, check=False,
                          env={**os.environ, "PYTHONPATH": ":".join(sys.path)})  # fmt: skip
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == {"error": "a line of more than 1 MiB, which is the most that is read"}
    assert "missing from characters" in second["error"]


def test_a_record_that_computes_its_events_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "made.record"
    with Record.open(path) as record:
        record.append("match-opened", {"game": "mr-jack-london"}, 0.0)
    connection = sqlite3.connect(path)
    connection.executescript("""
        ALTER TABLE events RENAME TO kept;
        CREATE TABLE events (number INTEGER, at REAL, kind TEXT, digest TEXT,
            data TEXT GENERATED ALWAYS AS (hex(zeroblob(300000000))) VIRTUAL);
        INSERT INTO events (number, at, kind, digest) VALUES (1, 0, 'match-opened', '');
    """)
    connection.close()
    assert main(["verify", str(path)]) == 2
    assert "too big" in capsys.readouterr().err


def test_a_record_of_more_events_than_are_read_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_EVENTS <= 1_000_000
    monkeypatch.setattr("companion.record.log.MOST_EVENTS", 2)
    path = tmp_path / "long.record"
    with Record.open(path) as record:
        for number in range(3):
            record.append("notice", {"number": number}, 0.0)
    assert main(["verify", str(path)]) == 2
    assert "holds more than 2 events" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["verify"], ["salvage"]])
def test_a_log_beside_a_record_that_never_ends_fills_no_disk(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.record"
    with Record.open(path) as record:
        record.append("match-opened", {"game": "mr-jack-london"}, 0.0)
    Path(f"{path}-wal").symlink_to("/dev/zero")
    assert main([*command, str(path), *([str(tmp_path / "new.record")] if command == ["salvage"] else [])]) in (0, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_a_picture_that_never_ends_in_a_table_set(tmp_path: Path) -> None:
    (tmp_path / "table.jpg").symlink_to("/dev/zero")
    with pytest.raises(Exception, match="it is a device, not a file"):
        load_picture(tmp_path / "table.jpg")
