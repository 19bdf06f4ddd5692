"""The report's picture of a position: every piece of every lay-out is in it, at its place."""

import re
from xml.etree import ElementTree

import pytest

from companion.games import available, load
from companion.host.diagram import svg


@pytest.mark.parametrize("game_id", available())
def test_a_start_set_up_is_drawn_whole(game_id: str) -> None:
    game = load(game_id)
    for edition in game.editions():
        position, board = game.start(edition).to_json(), game.board(edition)
        picture = svg(board, game.pieces(), position)
        root = ElementTree.fromstring(picture)
        assert len(root.findall("{*}polygon")) == len(board.cells)
        for entry in position["characters"].values():
            x, y = board.mm(entry["hex"])
            assert f'<circle cx="{x:.1f}" cy="{y:.1f}" r="15"' in picture


def test_tiles_barricades_boats_and_the_informant_are_told_apart_without_colour() -> None:
    game = load("mr-jack-new-york")
    start = {**game.start().to_json(), "informant": {"hex": "E12", "side": "silent"}}
    start["tiles"] = {**start["tiles"], "B9": "park", "F13": "building"}
    board = game.board("first-2009")
    picture = svg(board, game.pieces(), start)
    words = re.findall(r"<text[^>]*>([^<]*)</text>", picture)
    assert {"Pa", "Bu", "La", "Su", "In"} <= set(words)
    assert {"pier", "port", "statue", "exit"} <= set(words)
    (x, y), (to_x, to_y) = board.mm("E4"), board.mm("F3")
    assert f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"' in picture
    assert picture.count('stroke-dasharray="1 5"') == len(board.one_way) == 4
