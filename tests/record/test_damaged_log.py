"""A write-ahead log with one wrong bit, or cut off, never loses the end of a game in silence; what is left of it is saved."""

import random
import shutil
from pathlib import Path

import pytest

from companion.cli import main
from companion.errors import InvalidRecord
from companion.record.damage import damage_of, found_in
from companion.record.events import Event
from companion.record.log import Record
from companion.record.salvage import NOTHING, salvage
from companion.record.wal import FRAME_HEADER_BYTES, HEADER_BYTES, read_log

STEP = FRAME_HEADER_BYTES + 4096
COUNT = 60


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Event]]:
    """The files of a table that was cut off after a turn that was folded into the file and some events more."""
    folder = tmp_path_factory.mktemp("killed")
    with Record.open(folder / "open.record") as record:
        for number in range(COUNT):
            long = "x" * (9000 if number % 9 == 4 else 300)
            record.append("notice", {"code": f"n{number}", "filling": f"{number} ü {long}"}, 1000.0 + number / 2)
            if number == 20:
                record.settle()
        for part in ("", "-wal", "-shm"):
            shutil.copyfile(f"{record.path}{part}", f"{folder / 'cut.record'}{part}")
        return folder / "cut.record", record.events()


def copied(source: Path, to: Path, *, index: bool) -> Path:
    to.mkdir()
    for part in ("", "-wal", "-shm")[: 3 if index else 2]:
        shutil.copyfile(f"{source}{part}", f"{to / 'game.record'}{part}")
    return to / "game.record"


def judge(path: Path, events: list[Event]) -> int:
    """Nothing that is missing is missing in silence, for any way to read a record. Returns how many events are saved."""
    damage = damage_of(path)
    with Record.read(path, check=False) as record:
        read = record.events()
    assert read == events[: len(read)]
    assert damage is not None or read == events
    saved, trouble = salvage(path, path.with_name("saved.record"))
    with Record.read(path.with_name("saved.record")) as record:
        assert record.events() == events[:saved]
    assert saved == len(events) or trouble != NOTHING
    assert saved >= len(read)
    try:
        with Record.open(path) as record:
            assert record.lost_end is not None or record.events() == events
            assert record.lost_end is None or record.lost_end.stat().st_size > 0
    except InvalidRecord as error:
        assert damage is not None and "companion salvage" in str(error)
    return saved


def test_a_killed_tables_log_is_whole(killed: tuple[Path, list[Event]], tmp_path: Path) -> None:
    log = read_log(Path(f"{killed[0]}-wal").read_bytes())
    assert log.header and log.accepted == log.sound == len(log.frames) > 30 and not log.broken
    assert judge(copied(killed[0], tmp_path / "whole", index=True), killed[1]) == COUNT
    assert found_in(killed[0]).events == killed[1], "page by page the same is found"


@pytest.mark.parametrize("index", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_one_flipped_bit_in_the_log_is_never_met_with_silence(
    killed: tuple[Path, list[Event]], tmp_path: Path, index: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.record.damage.LOOK_AGAIN_S", 0.0)
    chance, saved = random.Random(5), []
    size = Path(f"{killed[0]}-wal").stat().st_size
    last = size - STEP
    in_salts = [last + 8, last + 13, last + 20]  # of the last frame: it then looks like one of an older log
    for at, spot in enumerate([*in_salts, 2, 9, 17, 30, *(chance.randrange(size) for _ in range(30))]):
        path = copied(killed[0], tmp_path / f"{at}", index=index)
        log = bytearray(Path(f"{path}-wal").read_bytes())
        log[spot] ^= 1 << chance.randrange(8)
        Path(f"{path}-wal").write_bytes(bytes(log))
        saved.append(judge(path, killed[1]))
    assert sum(saved) / len(saved) > 0.95 * COUNT, "pages are written again and again: nearly all is found in others"


@pytest.mark.parametrize("index", [True, False])
def test_a_log_that_was_cut_off_is_never_met_with_silence(
    killed: tuple[Path, list[Event]], tmp_path: Path, index: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.record.damage.LOOK_AGAIN_S", 0.0)
    chance, size = random.Random(6), Path(f"{killed[0]}-wal").stat().st_size
    whole = (size - HEADER_BYTES) // STEP
    ends = [chance.randrange(1, size) for _ in range(15)] + ([0, HEADER_BYTES, size - STEP] if index else [])
    for at, end in enumerate(ends):
        path = copied(killed[0], tmp_path / f"{at}", index=index)
        Path(f"{path}-wal").write_bytes(Path(f"{path}-wal").read_bytes()[:end])
        assert judge(path, killed[1]) >= 21 and whole > 30


def test_a_file_that_was_cut_off_gives_back_what_its_pages_hold(
    killed: tuple[Path, list[Event]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Record.open(copied(killed[0], tmp_path / "whole", index=False)) as record:
        path = record.path
    data, kept = path.read_bytes(), []
    for pages in range(8, len(data) // 4096):
        hurt, saved = tmp_path / f"{pages}.record", tmp_path / f"{pages}.saved"
        hurt.write_bytes(data[: pages * 4096 + 100])
        assert main(["verify", str(hurt)]) == 2 and main(["replay", str(hurt)]) == 2
        said = capsys.readouterr().err
        assert "companion salvage" in said and "disk image" not in said
        count, trouble = salvage(hurt, saved)
        with Record.read(saved) as record:
            assert record.events() == killed[1][:count]
        assert "pages are missing" in trouble or "does not follow from it" in trouble
        kept.append(count)
    assert kept == sorted(kept) and kept[-1] > 50


def test_verify_says_what_is_missing_and_what_can_be_saved(
    killed: tuple[Path, list[Event]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = copied(killed[0], tmp_path / "hurt", index=False)
    log = bytearray(Path(f"{path}-wal").read_bytes())
    log[HEADER_BYTES + 5 * STEP + 1000] ^= 4
    Path(f"{path}-wal").write_bytes(bytes(log))
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr().out
    assert "its write-ahead log is damaged" in said and "'companion salvage' saves 60 events" in said
    assert main(["replay", str(path)]) == 2 and "companion salvage" in capsys.readouterr().err


def test_a_transaction_that_was_never_finished_is_no_damage(killed: tuple[Path, list[Event]], tmp_path: Path) -> None:
    path = copied(killed[0], tmp_path / "cut", index=False)
    log = read_log(Path(f"{path}-wal").read_bytes())
    end = next(at for at in range(len(log.frames) - 1, 0, -1) if not log.frames[at - 1].commit)  # amid the last long event
    Path(f"{path}-wal").write_bytes(Path(f"{path}-wal").read_bytes()[: HEADER_BYTES + end * STEP])
    assert damage_of(path) is None
    with Record.open(path) as record:
        assert record.lost_end is None and record.events() == killed[1][: len(record.events())]
