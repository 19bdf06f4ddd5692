"""``companion box``: the commands against a box pretended by the same command."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.cli import main

COMPANION = [sys.executable, "-c", "import sys; from companion.cli import main; sys.exit(main())", "box"]


@pytest.fixture
def pretended(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """A box pretended on a pseudo-terminal in a process of its own."""
    link = tmp_path / "box"
    command = [*COMPANION, "simulate", "--name", str(link)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    assert process.stdin and process.stdout
    assert process.stdout.readline().startswith("simulated box on ")
    yield link, process
    with suppress(BrokenPipeError):  # it may be at its end already
        process.stdin.write("quit\n")
    assert process.wait(timeout=60) == 0
    with suppress(BrokenPipeError):
        process.stdin.close()
    process.stdout.close()
    assert not link.exists()


def test_a_box_is_listed(pretended: tuple[Path, subprocess.Popen[str]], capsys: pytest.CaptureFixture[str]) -> None:
    link, _ = pretended
    assert main(["box", "list", str(link), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    entry = json.loads(line)
    assert (entry["port"], entry["state"], entry["buttons"], entry["lights"]) == (str(link), "linked", 6, 4)


def test_a_press_is_printed(pretended: tuple[Path, subprocess.Popen[str]]) -> None:
    link, process = pretended
    assert process.stdin and process.stdout
    test = subprocess.Popen([*COMPANION, "test", str(link), "--seconds", "8", "--json"], stdout=subprocess.PIPE, text=True)
    assert test.stdout
    assert json.loads(test.stdout.readline())["notice"] == "box-found"
    process.stdin.write("press clock-b\npress nothing\n")
    assert json.loads(test.stdout.readline())["button"] == "clock-b"
    rest, _ = test.communicate(timeout=60)
    assert test.returncode == 0 and rest == ""
    process.stdin.write("drop 7\nquit\n")
    out = process.stdout.read()
    assert "'nothing' is not known" in out and "between 0 and 1" in out and "lights on fast" in out


def test_a_port_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["box", "list", str(tmp_path / "none")]) == 2
    assert "no such port" in capsys.readouterr().err


def test_a_silent_port_is_no_box(capsys: pytest.CaptureFixture[str]) -> None:
    handle, other = os.openpty()
    assert main(["box", "list", os.ttyname(other)]) == 1
    assert capsys.readouterr().out.endswith(": silent\n"), "nobody asks again"
    os.close(handle)
    os.close(other)
