"""What ``companion evaluate`` makes of the paths a shell hands it."""

import json
import shutil
from pathlib import Path

import pytest

from companion import boards
from companion.cli import main
from companion.demo import TABLE
from companion.vision.table_sets.reading_metrics import confused


def test_a_file_among_the_sets_is_passed_over_and_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("about these tables")
    assert main(["evaluate", str(readme), str(TABLE)]) == 0
    captured = capsys.readouterr()
    assert "16 of 16 pictures exact" in captured.out
    assert "README.md is a file, not a table set: passed over" in captured.err


def test_nothing_but_files_is_bad_input(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("about these tables")
    assert main(["evaluate", str(readme)]) == 2
    assert "is not a table set" in capsys.readouterr().err


def test_a_missing_folder_is_bad_input(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["evaluate", str(TABLE), str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"characters": {"holmes": {"side": "suspect"}}}, "hex"),
        ({"characters": {"holmes": {"hex": "z9", "side": "suspect"}}}, "z9"),
        ({"characters": ["holmes"]}, "001.jpg"),
        ({"gaslights": {"b2": 7}}, "7"),
    ],
)
def test_a_truth_that_cannot_be_laid_out_is_bad_input(
    change: dict[str, object], word: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = json.loads((TABLE / "table.json").read_text())
    table["frames"] = [{"file": "001.jpg", "kind": "start", "state": table["frames"][1]["state"] | change}]
    (tmp_path / "table.json").write_text(json.dumps(table))
    shutil.copy(TABLE / "001.jpg", tmp_path)
    assert main(["evaluate", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "the state of 001.jpg cannot be laid out" in error and word in error
    assert error.count("\n") == 1


def test_nobody_of_a_lone_kind_is_no_fault() -> None:
    pieces, nobody = boards.load_pieces("mr-jack-new-york"), {"informant": {}, "characters": {"beach": {"hex": None}}}
    assert not confused(nobody, {}, (), pieces)
    assert confused({"informant": {"hex": "B5", "side": "silent"}}, nobody, (), pieces).total() == 1


def test_pictures_nobody_listed_are_read_and_a_torn_one_costs_only_itself(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = json.loads((TABLE / "table.json").read_text())
    table["frames"] = [{"file": "001.jpg", "kind": "start"}]
    (tmp_path / "table.json").write_text(json.dumps(table))
    shutil.copy(TABLE / "001.jpg", tmp_path)
    shutil.copy(TABLE / "003.jpg", tmp_path)
    (tmp_path / "002.jpg").write_bytes(b"not a picture")
    assert main(["read", str(tmp_path), "--json"]) == 2
    captured = capsys.readouterr()
    lines = [json.loads(line) for line in captured.out.splitlines()]
    assert [line["file"] for line in lines] == ["001.jpg", "003.jpg"]
    assert lines[1]["state"]["characters"]["bert"]["hex"] == "g10"
    assert "002.jpg" in captured.err and "Traceback" not in captured.err
