"""One record for where a piece lies, and the JSON of each layout as its two-way codec."""

from typing import Any

import pytest

from companion import boards
from companion.boards import Placement
from companion.boards.placement import decode, encode


@pytest.mark.parametrize("game", boards.available())
def test_the_start_of_every_game_comes_back_from_its_placements_as_it_was(game: str) -> None:
    pieces = boards.load_pieces(game)
    for edition in boards.editions(game):
        board = boards.load(game, edition)
        start: dict[str, Any] = {key: value for key, value in board.start.items() if key in pieces.groups}
        placements = decode(start, board, pieces)
        assert len({one.piece for one in placements}) == len(placements), "no piece lies twice"
        assert encode(placements, board, pieces) == {
            key: start.get(key, nothing(pieces.groups[key].layout)) for key in pieces.groups
        }


def nothing(layout: str) -> object:
    return {"by-piece": {}, "by-place": {}, "by-zone": {}, "places": [], "pairs": []}.get(layout)


def test_more_pieces_than_there_are_cannot_be_placed() -> None:
    board, pieces = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
    with pytest.raises(ValueError, match="3 covers are laid, there are 2"):
        decode({"covers": ["a5", "c2", "f7"]}, board, pieces)
    with pytest.raises(ValueError, match="no gaslight is left that shows 1"):
        decode({"gaslights": {"b2": 1, "c7": 1}}, board, pieces)


def test_a_placement_is_a_value() -> None:
    one = Placement("watson", "a3", "suspect", "NE")
    assert one == Placement("watson", "a3", "suspect", "NE") and one.any_piece == "watson"
    assert Placement(None, "x042", "down", among=("red", "blue")).any_piece == "red"


def test_tolerances_are_what_they_were_on_the_two_boards_of_hexes() -> None:
    for game in ("mr-jack-london", "mr-jack-new-york"):
        board = boards.load(game)
        assert board.spacing_mm == 40.0 and set(board.rooms_mm.values()) == {40.0}
        assert board.scaled((board.size_mm[0] * 1.1, board.size_mm[1] * 1.1)).spacing_mm == pytest.approx(44.0)
