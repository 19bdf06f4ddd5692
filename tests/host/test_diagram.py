"""The report's picture of a position: every piece of every lay-out is in it, at its place, by a shape of its own."""

import re
from math import atan2, degrees
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.games import available, load
from companion.host.diagram import _in_units, legend, marks, svg

EXAMPLE = Path(__file__).parents[2] / "docs" / "example-report.html"


def placed(picture: str) -> dict[str, tuple[str, str]]:
    """Where each piece is drawn and with what, by what it is; alike ones count once."""
    root = ElementTree.fromstring(picture)
    found = {}
    for group in root.findall("{*}g[@data-piece]"):
        drawn = "".join(ElementTree.tostring(part, encoding="unicode") for part in group)
        found[group.attrib["data-piece"]] = (group.attrib["transform"], drawn)
    return found


@pytest.mark.parametrize("game_id", available())
def test_a_start_set_up_is_drawn_whole(game_id: str) -> None:
    game = load(game_id)
    for edition in game.editions():
        position, board = game.start(edition).to_json(), game.board(edition)
        picture = svg(board, game.pieces(), position)
        words = re.findall(r'<text class="name"[^>]*>([^<]*)</text>', picture)
        bare = board.of_kind("obstacle", "building")
        assert {cell for cell in board.cells if cell not in bare} <= set(words), "every cell one can stand on has its name"
        drawn, letters = placed(picture), marks(game.pieces())
        for name, entry in position.get("characters", {}).items():
            x, y = board.mm(entry["hex"])
            where, what = drawn[name]
            assert where == f"translate({x:.1f} {y:.1f})"
            assert f">{letters[name]}</" in what


def test_a_pawn_among_sites_is_drawn_as_large_as_a_site() -> None:
    game = load("letters-from-whitechapel")
    board, pieces = _in_units(game.board(game.editions()[0]), game.pieces())
    circle = [x for x, _ in board.outline_mm("1")]
    assert pieces.groups["police"].size_mm[0] == pytest.approx(max(circle) - min(circle))


def test_covers_cordons_lamps_and_the_lantern_are_told_apart_without_colour() -> None:
    game = load("mr-jack-london")
    board, start = game.board(game.editions()[0]), game.start().to_json()
    drawn = placed(svg(board, game.pieces(), start))
    colourless = {name: re.sub(r"#[0-9a-f]{3,6}", "", what) for name, (_, what) in drawn.items()}
    assert colourless["cover"] != colourless["cordon"] != colourless["gaslight:blank"]
    holder, entry = next((name, one) for name, one in start["characters"].items() if one.get("facing"))
    (x, y), (to_x, to_y) = board.mm(entry["hex"]), board.mm(board.step(entry["hex"], entry["facing"]))
    assert f"rotate({degrees(atan2(to_y - y, to_x - x)):.1f})" in drawn[holder][1]


def test_a_lantern_that_points_off_the_board_is_drawn_all_the_same() -> None:
    game = load("mr-jack-london")
    board, start = game.board(game.editions()[0]), game.start().to_json()
    holder, entry = next((name, one) for name, one in start["characters"].items() if one.get("facing"))
    cell, facing = next((cell, way) for cell in sorted(board.cells) for way in board.directions if not board.step(cell, way))
    start["characters"][holder] = {**entry, "hex": cell, "facing": facing}
    assert "rotate(" in placed(svg(board, game.pieces(), start))[holder][1]


def test_tiles_barricades_boats_and_the_informant_are_told_apart_without_colour() -> None:
    game = load("mr-jack-new-york")
    start = {**game.start().to_json(), "informant": {"hex": "E12", "side": "silent"}}
    start["tiles"] = {**start["tiles"], "B9": "park", "F13": "building"}
    board = game.board("first-2009")
    picture = svg(board, game.pieces(), start)
    drawn = placed(picture)
    kinds = ("tile:park", "tile:building", "tile:lamp", "tile:subway", "barricade", "steamboat", "informant")
    assert len({re.sub(r"#[0-9a-f]{3,6}", "", drawn[kind][1]) for kind in kinds}) == len(kinds)
    assert picture.count('stroke-dasharray="1 5"') == len(board.one_way) == 4


@pytest.mark.parametrize("game_id", available())
def test_the_legend_names_every_character_and_every_kind_of_piece(game_id: str) -> None:
    game = load(game_id)
    entries = legend(game.board(game.editions()[0]), game.pieces())
    words = " ".join(word for _, word in entries).lower()
    for group in game.pieces().groups.values():
        names = [piece.name for piece in game.pieces().in_group(group.key)] if group.layout == "by-piece" else [group.singular]
        assert group.layout == "value" or all(name.lower().replace("-", " ") in words for name in names), group.key
    assert "-" not in words, "nothing is called by its id"
    for symbol, _ in entries:
        ElementTree.fromstring(symbol)
    assert len({symbol for symbol, _ in entries}) == len(entries)


def test_the_committed_example_is_in_step() -> None:
    """It is drawn as diagrams are drawn now; `docs/example-report.html` is an export of the bundled table."""
    game, page = load(), EXAMPLE.read_text(encoding="utf-8")
    board = game.board(game.editions()[0])
    assert svg(board, game.pieces(), game.start().to_json()) in page
    assert all(symbol in page for symbol, _ in legend(board, game.pieces()))
    assert "name='viewport'" in page and "spend-all" not in page
    assert re.search(r"<li class='wrong'>.*?<img", page), "the illegal play has its picture"
