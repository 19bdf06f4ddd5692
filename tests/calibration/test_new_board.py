"""Another printing, taught from a picture: cells are placed and named, checked like any board, and played on."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion import boards, games
from companion.boards import loading
from companion.boards.surface import HEXES
from companion.calibration.new_board import board_file, draw_plan, plan_like
from companion.cli import main
from companion.errors import BadInput, InvalidBoard

CORNERS = [(210.0, 150.0), (1650.0, 120.0), (1780.0, 980.0), (120.0, 1010.0)]
GAMES = [game for game in games.available() if boards.load(game).surface == HEXES]
"""Another printing is placed by the lattice of its hexes: a graph has none."""


@pytest.fixture(autouse=True)
def _forget() -> Any:
    yield
    loading._ADOPTED.clear()
    loading.load.cache_clear()


def plan_of(game: str) -> dict[str, Any]:
    plan = plan_like(boards.load(game), CORNERS, "fan-map", "A fan's map")
    return json.loads(json.dumps(plan))


@pytest.mark.parametrize("game", GAMES)
def test_a_board_placed_again_is_the_same_board(game: str, tmp_path: Path) -> None:
    known = boards.load(game)
    path = tmp_path / "fan.json"
    path.write_text(json.dumps(board_file(plan_of(game), boards.shipped(game))), encoding="utf-8")
    assert boards.adopt(path) == (game, ("fan-map",))
    board = boards.load(game, "fan-map")
    assert set(board.cells) == set(known.cells) and board.label == "A fan's map"
    for cell in known.cells:
        assert set(board.neighbours(cell).values()) == set(known.neighbours(cell).values())
        assert dict(board.neighbours(cell)) == dict(known.neighbours(cell)), "directions as well"
        assert board.mm(cell) == pytest.approx(known.mm(cell), abs=0.6)
        assert board.kind(cell) == known.kind(cell)
    rules = games.load(game)
    assert "fan-map" in rules.editions() and rules.editions()[0] == known.edition
    start = rules.start("fan-map")
    character = rules.candidates(start)[0]
    assert len(rules.plays(start, character)) == len(rules.plays(rules.start(), character))


def test_points_clicked_beside_are_taken_and_points_far_off_are_named() -> None:
    game = GAMES[-1]
    plan = plan_of(game)
    chance = np.random.default_rng(4)
    for cell in plan["cells"].values():
        cell["at"] = [float(x) for x in np.array(cell["at"]) + chance.uniform(-6, 6, 2)]
    data = board_file(plan, boards.shipped(game))
    board, _ = boards.check(data)
    known = boards.load(game)
    assert all(set(board.neighbours(cell).values()) == set(known.neighbours(cell).values()) for cell in known.cells)
    name = next(iter(plan["cells"]))
    plan["cells"][name]["at"][0] += 45
    with pytest.raises(InvalidBoard, match=f"cell {name} lies"):
        board_file(plan, boards.shipped(game))


def test_every_fault_is_listed_in_words() -> None:
    game = GAMES[-1]
    plan = plan_of(game)
    cells = list(plan["cells"])
    plan["cells"][cells[3]]["kind"] = "lagoon"
    plan["cells"][cells[5]]["at"] = plan["cells"][cells[6]]["at"]
    plan["cells"][cells[9]]["at"] = [5.0, 5.0]
    with pytest.raises(InvalidBoard) as refused:
        board_file(plan, boards.shipped(game))
    told = " | ".join(refused.value.faults)
    assert f"cell {cells[3]}: kind 'lagoon' is not one of" in told
    assert f"cells {cells[5]} and {cells[6]} lie on one spot" in told
    assert f"cell {cells[9]} lies outside the frame line" in told


def test_a_start_piece_on_a_forbidden_cell_and_a_torn_map_are_refused() -> None:
    game = GAMES[-1]
    plan = plan_of(game)
    group = next(key for key, one in boards.load_pieces(game).groups.items() if one.layout == "by-place")
    wrong = next(name for name, cell in plan["cells"].items() if cell["kind"] not in boards.load_pieces(game).groups[group].on)
    spot, label = next(iter(plan["start"][group].items()))
    plan["start"][group] = {wrong: label, **{k: v for k, v in plan["start"][group].items() if k != spot}}
    with pytest.raises(InvalidBoard, match="the start set-up lays a"):
        board_file(plan, boards.shipped(game))
    torn = plan_of(game)
    columns = sorted(torn["cells"], key=lambda name: torn["cells"][name]["at"][0])
    for name in columns[len(columns) // 2 - 12 : len(columns) // 2 + 8]:
        del torn["cells"][name]
    torn["start"] = {}
    with pytest.raises(InvalidBoard, match="not connected"):
        board_file(torn, boards.shipped(game))


def test_a_file_that_is_no_other_printing_is_refused(tmp_path: Path) -> None:
    game = GAMES[0]
    data = board_file(plan_of(game), boards.shipped(game))
    path = tmp_path / "own.json"

    def refused(changed: dict[str, Any], words: str) -> None:
        path.write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(BadInput, match=words):
            boards.adopt(path)

    refused({**data, "id": "ludo"}, "'ludo' is not known")
    refused({**data, "pieces": dict(list(data["pieces"].items())[1:])}, "pieces are not those")
    named = boards.load(game).edition
    refused({**data, "editions": {named: data["editions"]["fan-map"]}, "default_edition": named}, "is there already")
    refused({key: value for key, value in data.items() if key != "printed"}, "not a whole board file")
    path.write_text("[1]", encoding="utf-8")
    with pytest.raises(BadInput, match="is not a board file"):
        boards.adopt(path)


def test_the_command_writes_a_plan_shows_it_and_makes_the_file(tmp_path: Path, capsys: Any) -> None:
    picture, plan, out, overlay = (tmp_path / name for name in ("board.png", "plan.json", "own.json", "overlay.png"))
    cv2.imwrite(str(picture), np.full((1080, 1920, 3), 120, np.uint8))
    corners = " ".join(f"{x},{y}" for x, y in CORNERS)
    game = GAMES[-1]
    begin = ["calibrate", "new-board", str(picture), str(plan), "--like", game, "--edition", "mine", "--corners", corners]
    assert main(begin) == 0
    assert main(["calibrate", "new-board", str(picture), str(plan), "--overlay", str(overlay), "--out", str(out)]) == 0
    assert "edition 'mine'" in capsys.readouterr().out
    drawn = cv2.imread(str(overlay))
    told = json.loads(plan.read_text(encoding="utf-8"))
    assert (draw_plan(np.full((1080, 1920, 3), 120, np.uint8), told) == drawn).all()
    position = tmp_path / "position.json"
    start = {"game": game, "edition": "mine", **boards.load(game).start}
    position.write_text(json.dumps(start), encoding="utf-8")
    assert main(["witness", str(position), "--json"]) == 2, "nobody has said where that edition is"
    assert main(["--own-board", str(out), "witness", str(position), "--json"]) == 0
    broken = json.loads(plan.read_text(encoding="utf-8"))
    broken["cells"] = {}
    plan.write_text(json.dumps(broken), encoding="utf-8")
    assert main(["calibrate", "new-board", str(picture), str(plan)]) == 2
    assert "names no cells" in capsys.readouterr().err
