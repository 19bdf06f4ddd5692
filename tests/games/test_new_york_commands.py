"""The commands speak every game: the position's ``game`` key chooses the rules."""

import json
from pathlib import Path

import pytest
from new_york_positions import NAMED

from companion.cli import main
from companion.games.mr_jack_new_york import GAME

START = GAME.parse(NAMED["start"])


def written(folder: Path, name: str, data: object) -> str:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def test_witness_moves_and_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = written(tmp_path, "before.json", START.to_json())
    assert main(["witness", before, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unseen"] == ["eastman", "tumblety"]
    assert main(["moves", before, "--character", "smith", "--json"]) == 0
    plays = json.loads(capsys.readouterr().out)["plays"]
    assert len(plays) == 148
    after = written(tmp_path, "after.json", next(play for play in plays if play["ends"] is None)["position"])
    assert main(["explain", before, after, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "legal" and told["plays"][0]["ability"] == "move_steamboat"
    wrong = START.to_json()
    wrong["characters"]["smith"]["hex"] = "K8"
    assert main(["explain", before, written(tmp_path, "wrong.json", wrong), "--json"]) == 1
    assert [fault["code"] for fault in json.loads(capsys.readouterr().out)["faults"]] == ["ability-missing"]


def test_every_fault_of_a_position_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = {**START.to_json(), "steamboats": ["E4", "K16"], "barricades": [["E4"], ["K14", "L15"]]}
    assert main(["witness", written(tmp_path, "bad.json", data)]) == 2
    error = capsys.readouterr().err
    assert "covers 1 hexes" in error and "not a port" in error and error.count("\n") == 1
