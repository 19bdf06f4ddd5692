"""Reading a record leaves its folder as it was, and misses nothing of a table that was cut off."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from test_bad_disks import as_somebody_else

from companion.cli import main
from companion.record.log import Record
from companion.record.verify import check_chain

KILLED = Path(__file__).parents[1] / "host" / "killed_table.py"
ROOT = Path(__file__).parents[2]


def lying(folder: Path) -> dict[str, bytes]:
    """The files of a folder but for the log's index, which whoever reads may write in."""
    return {path.name: b"" if path.name.endswith("-shm") else path.read_bytes() for path in folder.iterdir() if path.is_file()}


def every_command(record: Path, elsewhere: Path) -> list[list[str]]:
    return [
        ["verify", str(record)],
        ["replay", str(record)],
        *(
            ["export", str(record), "--format", kind, "--output", str(elsewhere / f"out.{kind}")]
            for kind in ("jsonl", "csv", "html")
        ),
    ]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """The record of a table that was killed in the middle of a game, and how many events it had announced."""
    record = tmp_path_factory.mktemp("killed") / "game.sqlite"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    game = subprocess.Popen([sys.executable, KILLED, record, "7"], stdout=subprocess.PIPE, text=True, env=environment)
    assert game.stdout is not None
    announced = 0
    for line in game.stdout:
        first = line.split()[0]
        announced = int(first) if first.isdigit() else announced
        if announced >= 25:
            break
    game.send_signal(signal.SIGKILL)
    announced = max([announced, *(int(line.split()[0]) for line in game.stdout.read().splitlines() if line[:1].isdigit())])
    game.stdout.close()
    game.wait(20)
    return record, announced


@pytest.mark.parametrize("with_index", [True, False])
def test_a_killed_table_is_read_whole_and_its_files_stay(
    killed: tuple[Path, int], tmp_path: Path, with_index: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, elsewhere = tmp_path / "table", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    for part in ("", "-wal", "-shm")[: 3 if with_index else 2]:
        shutil.copyfile(f"{killed[0]}{part}", folder / f"game.sqlite{part}")
    record = folder / "game.sqlite"
    assert (folder / "game.sqlite-wal").stat().st_size > 0, "the log of a killed table holds what it wrote"
    alone = tmp_path / "alone.sqlite"
    shutil.copyfile(record, alone)
    before = lying(folder)
    with Record.read(record) as kept:
        assert len(kept.events()) >= killed[1] and check_chain(kept.events()) == []
    for command in every_command(record, elsewhere):
        assert main(command) == 0, capsys.readouterr()
        assert lying(folder) == before, command
    with Record.open(record) as resumed:
        assert len(resumed.events()) >= killed[1], "and the game can still go on"


def test_a_closed_record_is_read_without_a_trace(killed: tuple[Path, int], tmp_path: Path) -> None:
    record = tmp_path / "game.sqlite"
    for part in ("", "-wal"):
        shutil.copyfile(f"{killed[0]}{part}", f"{record}{part}")
    Record.open(record).close()
    assert [path.name for path in tmp_path.iterdir()] == ["game.sqlite"]
    before = lying(tmp_path)
    for command in (["verify", str(record)], ["replay", str(record), "--json"]):
        assert main(command) == 0
        assert lying(tmp_path) == before


def test_a_killed_table_in_a_folder_that_cannot_be_written_is_read_whole(killed: tuple[Path, int]) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        for part in ("", "-wal"):
            shutil.copyfile(f"{killed[0]}{part}", folder / f"game.sqlite{part}")
        for path in (*folder.iterdir(), folder):
            path.chmod(0o555 if path.is_dir() else 0o444)
        with as_somebody_else(), Record.read(folder / "game.sqlite") as kept:
            assert len(kept.events()) >= killed[1]
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_record_is_read_while_a_table_begins_ends_and_writes(tmp_path: Path) -> None:
    path = tmp_path / "game.sqlite"
    Record.open(path).close()
    over = threading.Event()
    written = [0]

    def play() -> None:
        for _ in range(25):
            with Record.open(path) as record:
                for _ in range(8):
                    written[0] = record.append("notice", {"text": "x" * 3000}, 1.0).number
        over.set()

    table = threading.Thread(target=play)
    table.start()
    looks = 0
    while not over.is_set():
        least = written[0]
        with Record.read(path) as record:
            events = record.events()
        assert len(events) >= least and check_chain(events) == []
        looks += 1
    table.join()
    assert looks > 3
