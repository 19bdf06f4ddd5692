"""Files that commands write: whole or not at all, and never over what the same command reads."""

import json
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.writing import write_file, written
from companion.demo import TABLE, table_of
from companion.errors import BadInput

RECORD = Path(__file__).parents[1] / "fixtures/kept/sealed-and-opened.record"
CORNERS = "210,150 1650,120 1780,980 120,1010"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a file of each kind, and a data folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    shutil.copy(RECORD, "game.sqlite")
    for number in range(3):
        shutil.copy(TABLE / f"00{number}.jpg", f"{number}.jpg")
    shutil.copy(table_of("get-adler") / "profile.json", "deck.json")
    Path("link.sqlite").symlink_to("game.sqlite")


@pytest.mark.parametrize(
    "words",
    [
        "export game.sqlite --output game.sqlite", "export game.sqlite --output link.sqlite",
        "export game.sqlite --output ./game.sqlite",
        "sign game.sqlite --output game.sqlite", "sign game.sqlite --key deck.json --output deck.json",
        "doctor --bundle game.sqlite --record game.sqlite",
        "calibrate lens 0.jpg 1.jpg 2.jpg --out 1.jpg",
        "calibrate board 0.jpg --overlay 0.jpg",
        f"calibrate new-board 0.jpg plan.json --corners '{CORNERS}' --out 0.jpg",
        f"calibrate new-board 0.jpg 0.jpg --corners '{CORNERS}'",
        f"calibrate new-board 0.jpg plan.json --corners '{CORNERS}' --overlay 0.jpg",
        "calibrate teach 0.jpg 1.jpg new.json --overlay 1.jpg",
        "hub backup hall.sqlite --database hall.sqlite",
    ],
)  # fmt: skip
def test_what_a_command_reads_it_does_not_write_over(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("hall.sqlite").write_bytes(b"")
    before = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    assert main(shlex.split(words)) == 2
    error = capsys.readouterr().err
    assert "is what this command reads, and would be written over; name another file" in error and error.count("\n") == 1
    assert {path: path.read_bytes() for path in Path().iterdir() if path.is_file() and path.name != "plan.json"} == before


def test_a_third_picture_in_the_place_of_the_profile_is_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    """``teach EMPTY START SIDES``, with the profile forgotten, had the picture of the sides be the profile."""
    before = Path("2.jpg").read_bytes()
    assert main(["calibrate", "teach", "0.jpg", "1.jpg", "2.jpg"]) == 2
    assert "2.jpg: is not a table profile" in capsys.readouterr().err
    assert Path("2.jpg").read_bytes() == before


FULL = """
import resource, sys
from companion.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "words",
    [
        ["export", "game.sqlite", "--output", "old"],
        ["export", "game.sqlite", "--format", "html", "--output", "old"],
        ["calibrate", "stickers", "old.pdf"],
        ["doctor", "--bundle", "old"],
    ],
    ids=" ".join,
)
def test_where_the_disk_is_full_what_was_there_stays(words: list[str]) -> None:
    Path(words[-1]).write_text("what was there")
    there = sorted(Path().iterdir())
    done = subprocess.run([sys.executable, "-c", FULL, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot be written (File too large)" in done.stderr
    assert Path(words[-1]).read_text() == "what was there"
    assert [path for path in sorted(Path().iterdir()) if path.name != "data"] == there


def test_a_link_stays_one_and_permissions_stay() -> None:
    Path("own.json").write_text("old")
    Path("own.json").chmod(0o640)
    Path("named.json").symlink_to("own.json")
    write_file(Path("named.json"), "new")
    assert Path("named.json").is_symlink() and Path("own.json").read_text() == "new"
    assert stat.S_IMODE(Path("own.json").stat().st_mode) == 0o640


def test_what_is_no_file_is_written_to_as_it_is() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "export", "game.sqlite", "--output", "/dev/stdout"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and json.loads(done.stdout.splitlines()[0]) == {"format": "record-lines/1"}
    assert Path("/dev/null").is_char_device() and main(["export", "game.sqlite", "--output", "/dev/null"]) == 0
    assert Path("/dev/null").is_char_device()


def test_what_fails_meanwhile_leaves_what_was_there() -> None:
    Path("kept").write_text("old")
    with pytest.raises(BadInput, match="the hall"), written(Path("kept"), "new"):
        assert Path("kept").read_text() == "old"
        raise BadInput("the hall is away")
    assert Path("kept").read_text() == "old" and not list(Path().glob(".*.part"))


def test_a_link_that_cannot_be_written_leaves_the_tables_credential_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    enrol = ["hub", "enrol", "table-1", "--database", "hall.sqlite", "--broker-files", "broker", "--at", "mqtts://10.0.0.2"]
    assert main([*enrol, "--write", "table-1.hall"]) == 0
    assert stat.S_IMODE(Path("table-1.hall").stat().st_mode) == 0o600
    passwords = Path("broker/passwords").read_bytes()
    capsys.readouterr()
    assert main([*enrol, "--write", "nowhere/table-1.hall"]) == 2
    assert capsys.readouterr().err == "companion: nowhere/table-1.hall: cannot be written (No such file or directory)\n"
    assert Path("broker/passwords").read_bytes() == passwords


def test_the_name_of_a_simulated_box_is_nobody_elses(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever had that name was taken away."""
    before = Path("game.sqlite").read_bytes()
    assert main(["box", "simulate", "--name", "game.sqlite"]) == 2
    assert "game.sqlite: the link cannot be made there (File exists)" in capsys.readouterr().err
    assert Path("game.sqlite").read_bytes() == before


def test_a_picture_is_not_written_under_a_name_of_another_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "board", "2.jpg", "--overlay", "look.webp"]) == 2
    assert "look.webp: a name that ends in .jpg, .jpeg or .png is allowed" in capsys.readouterr().err
