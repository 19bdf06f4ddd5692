"""Records made by hand: the chain holds, but no game writes such events. They are refused in one line."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion import boards
from companion.cli import main
from companion.errors import BadInput
from companion.record.events import Event
from companion.record.export import json_lines
from companion.record.log import Record

BOARD = boards.load("mr-jack-london")
POSITION = {"game": BOARD.id, "edition": BOARD.edition, "turn": 1, **BOARD.start}


def handmade(path: Path, *entries: tuple[str, Mapping[str, Any]]) -> Path:
    """A record of a match that was opened and agreed on, and then of these kinds and data."""
    position = json.loads(json.dumps(POSITION, default=dict))
    opened = {"id": "0" * 32, "game": BOARD.id, "edition": BOARD.edition, "label": "", "house_rules": {}, "position": position}
    with Record.open(path) as record:
        for at, (kind, data) in enumerate((("match-opened", opened), ("table-agreed", {"position": position}), *entries)):
            record.append(kind, data, float(at))
    return path


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("play", {}),
        ("play", {"mover": "detective", "position": {"characters": {}}}),
        ("turn-opened", {}),
        ("call", {}),
        ("correction", {}),
        ("ruling", {"action": "take-back"}),
        ("flag", {"verdict": "illegal", "faults": [None]}),
    ],
)
def test_what_no_game_writes_is_refused_in_one_line(
    kind: str, data: Mapping[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = handmade(tmp_path / "game.record", (kind, data))
    codes = [
        main(["verify", str(path)]), main(["replay", str(path)]), main(["export", str(path), "--format", "html"]),
        main(["export", str(path), "--format", "csv"]),
    ]  # fmt: skip
    told = capsys.readouterr().err
    assert set(codes) <= {0, 1, 2}
    assert 2 in codes
    assert told.count("\n") == codes.count(2), told
    assert str(path) in told or "event 3 (" in told


def changed(path: Path, change: Callable[[list[str]], None]) -> Path:
    with Record.read(path) as record:
        lines = list(json_lines(record.events()))
    change(lines)
    path = path.with_suffix(".jsonl")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("data", ["[" * 50_000, '{"a": "\\ud800"}'])
def test_lines_that_cannot_be_text_or_are_nested_too_deeply_are_refused(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = f'{{"number": 2, "at": 1.0, "kind": "play", "digest": "0", "data": {data}}}'
    path = changed(handmade(tmp_path / "game.record"), lambda lines: lines.__setitem__(2, line))
    for command in ("verify", "replay", "export"):
        assert main([command, str(path)]) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_half_a_surrogate_pair_is_not_stored(tmp_path: Path) -> None:
    with Record.open(tmp_path / "game.record") as record:
        with pytest.raises(BadInput, match="holds what JSON cannot say"):
            record.append("notice", {"text": "\ud800"}, 1.0)
        record.append("notice", {"text": "whole"}, 2.0)
        assert len(record.events()) == 1
    assert Event.following(None, "notice", {"text": "\ud800"}, 1.0).digest
