"""What ``companion evaluate`` makes of the paths a shell hands it."""

from pathlib import Path

import pytest

from companion.cli import main
from companion.demo import TABLE


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
