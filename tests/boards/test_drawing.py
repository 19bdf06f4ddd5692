"""How a board is drawn is data of its file, and a fault in it is named before a page meets it."""

import copy
from typing import Any

import pytest

from companion import boards
from companion.boards.drawing import drawing_faults
from companion.boards.loading import board_from_json, shipped
from companion.errors import InvalidBoard

GAMES = boards.available()


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_ground_and_every_flat_piece_has_a_drawing_of_its_own(game: str) -> None:
    data = shipped(game)
    drawing = data["drawing"]
    assert drawing_faults(drawing) == []
    for edition in boards.editions(game):
        cells = boards.load(game, edition).cells.values()
        undrawn = {cell.kind for cell in cells if not {cell.kind, cell.decor} & drawing["ground"].keys()}
        assert not undrawn, edition
    for key, group in data["groups"].items():
        if group["shape"] == "disc" or (group["shape"], group["layout"]) == ("pawn", "by-piece"):
            continue  # discs, and pawns with names, have a colour and a letter
        look = drawing["pieces"][key]
        faces = {str(face) for piece in data["pieces"].values() if piece["group"] == key for face in piece.get("faces", ())}
        assert look.get("symbol") or "*" in look["faces"] or faces <= look["faces"].keys(), key


def with_fault(part: str, name: str, value: Any) -> dict[str, Any]:
    data = copy.deepcopy(dict(shipped(GAMES[0])))
    data["drawing"][part][name] = value
    return data


@pytest.mark.parametrize(
    ("part", "name", "value", "said"),
    [
        ("colours", "sky", ["#fff;} body{display:none", "#000"], "colour 'sky' is not two colours"),
        ("colours", "sky:red", ["#fff", "#000"], "colour 'sky:red' has a name"),
        ("symbols", "moon", [{"circle": [0, 0]}], "circle is not 3 numbers"),
        ("symbols", "moon", [{"circle": [0, 0, True]}], "circle is not 3 numbers"),
        ("symbols", "moon", [{"fill": "#fff"}], "is not one of path, circle, rect, ellipse"),
        ("symbols", "moon", "M0 0", "is not a list of shapes"),
        ("ground", "street", {"symbol": "sun"}, "names the symbol 'sun', which is not there"),
        ("ground", "street", {"pattern": "lava"}, "has the pattern 'lava'"),
        ("pieces", "gaslights", {"faces": {"*": {"symbol": "sun"}}}, "names the symbol 'sun'"),
    ],
)
def test_a_drawing_that_cannot_be_drawn_or_would_leave_its_place_is_refused(
    part: str, name: str, value: Any, said: str
) -> None:
    with pytest.raises(InvalidBoard, match=r"drawing: ") as refused:
        board_from_json(with_fault(part, name, value))
    assert said in str(refused.value)


def test_a_board_without_a_drawing_is_a_board() -> None:
    data = {key: value for key, value in shipped(GAMES[0]).items() if key != "drawing"}
    assert dict(board_from_json(data).drawing) == {}
    with pytest.raises(InvalidBoard, match="labels is not an object of texts"):
        board_from_json({**data, "labels": {"hand": 7}})
    with pytest.raises(InvalidBoard, match="drawing is not an object"):
        board_from_json({**data, "drawing": [1]})
