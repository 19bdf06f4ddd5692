"""The shipped London boards against the facts a player can check on a printed copy."""

import pytest

from companion import boards
from companion.errors import BadInput, InvalidBoard


@pytest.mark.parametrize(("edition", "manholes"), [("first-2006", 8), ("revised-2016", 9)])
def test_counts_of_the_printed_boards(edition: str, manholes: int) -> None:
    board = boards.load("mr-jack-london", edition)
    assert len(board.cells) == 86
    assert len(board.of_kind("street", "manhole")) == 60
    assert len(board.of_kind("manhole")) == manholes
    assert len(board.of_kind("gaslight")) == 8
    assert len(board.of_kind("obstacle")) == 18
    columns = [sum(cell[0] == letter for cell in board.cells) for letter in "abcdefghijklm"]
    assert columns == [5, 7, 6, 6, 7, 8, 8, 8, 7, 6, 6, 7, 5]


def test_neighbours_are_mutual_and_rays_run_straight() -> None:
    board = boards.load("mr-jack-london")
    opposite = {"N": "S", "NE": "SW", "SE": "NW", "S": "N", "SW": "NE", "NW": "SE"}
    for cell, onward in board.links.items():
        for direction, other in onward.items():
            assert board.step(other, opposite[direction]) == cell
    assert board.ray("a3", "NE") == ("b4", "c5", "d6", "e7", "f8", "g9", "h10")


def test_portals_shorten_the_way_by_one_step_each() -> None:
    board = boards.load("mr-jack-london")
    streets = board.of_kind("street", "manhole")
    on_foot = board.distances("h3", streets)
    by_sewer = board.distances("h3", streets, portals={"h3", "f10"})
    assert by_sewer["f10"] == 1 < on_foot["f10"]
    assert by_sewer["g3"] == on_foot["g3"] == 1


def test_all_streets_are_one_network_on_the_surface() -> None:
    board = boards.load("mr-jack-london")
    streets = board.of_kind("street", "manhole")
    assert board.distances("g5", streets).keys() == streets


def test_printed_geometry_round_trips() -> None:
    board = boards.load("mr-jack-london")
    for cell in board.cells.values():
        left, top, right, bottom = board.frame_mm
        x, y = board.mm(cell.id)
        assert ((x - left) / (right - left), (y - top) / (bottom - top)) == pytest.approx(cell.xy)
        assert board.nearest(board.mm(cell.id), board.cells)[0] == cell.id


def test_unknown_names_are_refused_with_what_is_allowed() -> None:
    with pytest.raises(BadInput, match="first-2006"):
        boards.load("mr-jack-london", "third-2030")
    with pytest.raises(BadInput, match="mr-jack-london"):
        boards.load("cluedo")


def test_a_contradictory_board_file_lists_every_fault() -> None:
    data = {
        "format": "board/1", "id": "x", "name": "x", "default_edition": "one",
        "layout": {"kind": "graph", "links": [["p", "q", "walk"]]},
        "printed": {"board_mm": [100, 100], "frame_mm": [0, 0, 100, 100], "cell_mm": [10, 10]},
        "cells": {
            "p": {"kind": "street", "xy": [0, 0]},
            "q": {"kind": "street", "xy": [0, 0]},
            "r": {"kind": "street", "xy": [1, 1]},
        },
        "editions": {"one": {"kinds": {"manhole": ["z"]}}},
    }  # fmt: skip
    with pytest.raises(InvalidBoard) as caught:
        boards.board_from_json(data)
    assert len(caught.value.faults) == 3
