"""Odd ends of a command: a disk that is full, a closed input, letters that cannot be written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion import boards

FULL = Path("/dev/full")


def companion(arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    command = f"{sys.executable} -m companion {arguments}"
    return subprocess.run(["/bin/sh", "-c", command], stderr=subprocess.PIPE, timeout=60, check=False, **options)  # type: ignore[call-overload, no-any-return]


@pytest.fixture
def start(tmp_path: Path) -> Path:
    board = boards.load("mr-jack-london")
    path = tmp_path / "start.json"
    path.write_text(json.dumps({"game": board.id, "edition": board.edition, "turn": 1, **board.start}, default=dict))
    return path


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_full_disk_is_told_in_one_line(start: Path) -> None:
    done = companion(f"witness {start} --json > {FULL}")
    assert (done.returncode, done.stderr) == (2, b"companion: No space left on device\n")


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_list_that_cannot_be_written_is_told_in_one_line() -> None:
    done = companion(f"run --house-rules > {FULL}")
    assert (done.returncode, done.stderr) == (2, b"companion: No space left on device\n")


def test_a_list_whose_reader_went_away_ends_quietly() -> None:
    """It was a traceback: the list is written while options are read."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = companion("run --house-rules", stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_closed_input_is_told_in_one_line() -> None:
    done = companion("witness - <&-")
    assert (done.returncode, done.stderr) == (2, b"companion: standard input is closed: nothing can be read from it\n")


def test_a_simulated_box_without_an_input_is_refused_in_one_line() -> None:
    done = companion("box simulate <&-")
    assert (done.returncode, done.stderr) == (
        2, b"companion: standard input is closed: commands to the box are read from it\n",
    )  # fmt: skip


def test_a_letter_the_terminal_lacks_is_escaped_and_the_next_line_answered(start: Path) -> None:
    odd = json.dumps({"game": "mr-jack-london", "turn": 1, "characters": {"\ud800": {}, "\u00e9": {}}})
    done = companion(
        "witness -", input=f"{odd}\n{json.dumps(json.loads(start.read_text()))}\n".encode(), stdout=subprocess.PIPE,
        env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    first, second = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, done.stderr) == (0, b"")
    assert "error" in first and "seen" in second


def test_a_byte_order_mark_is_no_part_of_a_position(start: Path) -> None:
    text = b"\xef\xbb\xbf" + start.read_bytes()
    start.write_bytes(text)
    done = companion(f"witness {start} --json", stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert companion("witness -", input=text + b"\n", stdout=subprocess.PIPE).stdout == done.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"\xff\xfe{}", "is not text in UTF-8 (byte 1)"),
        (b'{"turn": ' + b"9" * 5000 + b"}", "a number of more than 4300 digits"),
        (b"null", "must be a JSON object, not null"),
        (b"7", "must be a JSON object, not a number"),
    ],
)
def test_what_is_no_position_is_told_in_the_words_of_json(tmp_path: Path, text: bytes, said: str) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(text)
    done = companion(f"witness {path}", stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr.decode()) == (2, f"companion: {path}: {said}\n")
