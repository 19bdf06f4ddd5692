"""What cannot be used is refused in one line and with exit status 2, wherever it stands: the contract of every command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main

SHORT = (
    [], ["nonsense"], ["witness"], ["moves"], ["explain"], ["read"], ["run", "--port", "x"], ["box"], ["calibrate"],
    ["demo", "--once", "--loop"], ["doctor", "--nonsense"], ["export", "x", "--format", "chess"], ["witness", "a\nb", "c\nd"],
)  # fmt: skip


@pytest.mark.parametrize("words", SHORT, ids=" ".join)
def test_words_the_command_line_does_not_take(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    told = capsys.readouterr()
    assert (ended.value.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert told.err.startswith("companion") and "--help" in told.err


@pytest.mark.parametrize(
    "words",
    [
        ["witness", "no\nsuch.json"], ["verify", "."], ["replay", "."], ["export", "."], ["salvage", ".", "x"], ["sign", "."],
        ["verify", "nowhere.jsonl"], ["explain", "-", "after.json"],
        ["demo", "--once", "--no-browser", "--port", "70000"], ["demo", "--once", "--no-browser", "--port", "-1"],
        ["demo", "--once", "--no-browser", "--port", "0", "--https", "--https-port", "70000"],
        ["demo", "--once", "--no-browser", "--port", "0", "--host", "a..b"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_values_that_cannot_be(
    words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and told.err.startswith("companion: ")
    assert "Errno" not in told.err


@pytest.mark.parametrize("part", ["sheet", "stickers"])
def test_a_sheet_is_not_written_under_a_name_that_no_program_opens(
    part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", part, str(tmp_path / "sheet.docx")]) == 2
    assert "a name that ends in .pdf or .svg is allowed" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["replay"], ["calibrate", "sheet"], ["box", "list"], ["run"]], ids=" ".join)
def test_every_help_says_what_the_command_does(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    usage, does = capsys.readouterr().out.split("\n\n")[:2]
    assert ended.value.code == 0 and usage.startswith("usage: companion ")
    assert does[0].isupper() and does.endswith("."), "a sentence, before the arguments"


def test_one_bad_picture_in_a_folder_does_not_hide_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from companion.demo import TABLE  # noqa: PLC0415 - the only test here that needs pictures

    (tmp_path / "a.jpg").write_text("no picture")
    (tmp_path / "b.jpg").write_bytes((TABLE / "002.jpg").read_bytes())
    assert main(["read", str(tmp_path), "--json"]) == 2
    told = capsys.readouterr()
    assert [Path(json.loads(line)["file"]).name for line in told.out.splitlines()] == ["b.jpg"]
    assert told.err.count("\n") == 1 and "a.jpg" in told.err


def test_help_is_no_refusal() -> None:
    done = subprocess.run([sys.executable, "-m", "companion", "explain", "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Exit status" in done.stdout and done.stderr == ""
