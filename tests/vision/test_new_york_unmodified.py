"""An unmodified copy of the second game cannot be taught; that is said in one sentence, and nothing is read wrongly."""

import json
from pathlib import Path

import pytest

from companion.boards import load, load_pieces
from companion.cli import main
from companion.demo import table_of
from companion.errors import BadInput
from companion.vision.plain.start import placements

GAME = "mr-jack-new-york"


def test_a_start_picture_cannot_teach_the_sides_it_does_not_show() -> None:
    board = load(GAME)
    with pytest.raises(BadInput, match="stickers only"):
        placements(board, load_pieces(GAME), dict(board.start))


def test_a_set_without_stickers_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads((table_of(GAME) / "table.json").read_text("utf-8"))
    data["markers"] = None
    for file in ("000.jpg", "001.jpg"):
        (tmp_path / file).write_bytes((table_of(GAME) / file).read_bytes())
    data["frames"] = data["frames"][:2]
    (tmp_path / "table.json").write_text(json.dumps(data), "utf-8")
    assert main(["evaluate", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "stickers only" in said and said.count("\n") == 1
