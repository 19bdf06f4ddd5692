"""Two companions on one record: the second is refused in one sentence, and a killed first one keeps nobody out."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.cli import main
from companion.errors import BadInput
from companion.record import lock
from companion.record.lock import RecordLock, is_open, lock_of
from companion.record.log import Record

HOLDER = """
import sys
from companion.record.log import Record
with Record.open(sys.argv[1]) as record:
    record.append("match-opened", {"game": "mr-jack-london", "edition": "first-2006"}, 1.0)
    print("on", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_companion(path: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": str(Path(lock.__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as other:
        assert other.stdout is not None and other.stdin is not None
        assert other.stdout.readline() == "on\n"
        yield other
        other.stdin.close()


def test_a_second_companion_is_refused_and_the_first_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.record"
    with another_companion(path):
        with pytest.raises(BadInput, match="another companion has this record open"):
            Record.open(path)
        assert main(["run", "phone", "--record", str(path), "--no-browser"]) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert main(["run", "--record", str(path), "--no-browser"]) == 2, "the lobby as well, before it asks for anything"
        assert "another companion" in capsys.readouterr().err
        assert is_open(path)
        with Record.read(path) as record:
            assert len(record.events()) == 1, "any number may read"
    assert not is_open(path) and not lock_of(path).exists(), "an orderly end leaves nothing behind"
    with Record.open(path) as record:
        assert record.append("notice", {}, 2.0).number == 2


def test_a_killed_companion_keeps_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    with another_companion(path) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert not is_open(path)
    with Record.open(path) as record:
        assert record.append("notice", {}, 2.0).number == 2
    assert sorted(one.name for one in tmp_path.iterdir()) == ["game.record"]


def test_a_lock_is_shared_within_a_companion_and_let_go_by_the_last(tmp_path: Path) -> None:
    one, two = RecordLock(tmp_path / "game.record"), RecordLock(tmp_path / "game.record")
    one.close()
    one.close()
    assert is_open(tmp_path / "game.record")
    two.close()
    assert not is_open(tmp_path / "game.record")


def test_a_lock_file_that_was_taken_away_meanwhile_locks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real, seen = tmp_path / "game.record", lock._lock, []

    def late(handle: int) -> None:
        if not seen:
            lock_of(path).unlink()  # its holder ended between our opening and our locking it
        seen.append(handle)
        real(handle)

    monkeypatch.setattr(lock, "_lock", late)
    held = RecordLock(path)
    assert len(seen) == 2 and lock_of(path).exists()
    held.close()


def test_on_windows_a_lock_is_taken_without_fcntl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []

    def locking(handle: int, mode: int, count: int) -> None:
        if taken:
            raise PermissionError(13, "Permission denied")
        taken.append("held")

    monkeypatch.setattr(lock, "fcntl", None)
    monkeypatch.setattr(lock, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(lock, "PAUSE_S", 0.0)
    held = RecordLock(tmp_path / "game.record")
    monkeypatch.setattr(lock, "_HELD", {})  # as another process sees it
    with pytest.raises(BadInput, match="another companion"):
        RecordLock(tmp_path / "game.record")
    held.close()
