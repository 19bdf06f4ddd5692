"""An unmodified copy of the second game: what was shown is read, what was never shown is unknown, nothing is read wrongly."""

from typing import Any

import numpy as np
import pytest
from new_york_plain_judge import START, frame, taught
from new_york_plain_tables import BOARD, PIECES, NewYorkTable

from companion import boards
from companion.errors import BadInput
from companion.vision.plain.reader import PlainReader
from companion.vision.plain.start import laid, other_sides, placements
from companion.vision.reading import Reading
from companion.vision.scoring import EXACT, UNKNOWN, WRONG, Verdict, compare

SEED = 8101


def verdicts(state: dict[str, Any], reading: Reading) -> tuple[Verdict, ...]:
    return compare(state, reading.state(BOARD, PIECES), reading.unknown, PIECES)


def test_the_start_position_labels_strips_sides_and_the_lone_piece() -> None:
    put = {(place.piece, place.place, place.face) for place in placements(BOARD, PIECES, START)}
    assert {("barricade-a", "E4+F3", None), ("subway-a", "B9", "subway"), ("informant", "LIBERTY", "talkative")} <= put
    assert len(put) == 8 + 5 + 2 + 2 + 1 + 1


def test_a_side_on_many_backs_takes_no_tile_that_is_called_by_its_own() -> None:
    state = {"tiles": {"B9": "park", "C10": "building", "D5": "building", "D7": "building", "E12": "building"}}
    faces = {place.place: place.face for place in placements(BOARD, PIECES, state)}
    assert faces == state["tiles"]
    with pytest.raises(BadInput, match="one tile 'building' more than there is"):
        placements(BOARD, PIECES, {"tiles": {**state["tiles"], "E14": "building"}})


def test_a_strip_beyond_the_board_is_refused() -> None:
    with pytest.raises(BadInput, match="not on this board"):
        placements(BOARD, PIECES, {"barricades": [["E4", "Z9"]]})


def test_the_third_picture_shows_what_the_first_did_not() -> None:
    turned = other_sides(BOARD, PIECES, START)
    assert turned is not None
    shown = {(place.group, place.face) for state in (START, turned) for place in placements(BOARD, PIECES, state)}
    sides = {(piece.group, face) for piece in PIECES.pieces.values() for face in piece.faces if piece.group != "characters"}
    assert sides <= shown
    extra = set(turned["tiles"]) - set(START["tiles"])
    assert len(extra) == 1
    assert BOARD.kind(extra.pop()) == "street"
    assert "the informant on LIBERTY, silent side up" in laid(turned, PIECES)


def test_a_game_whose_start_shows_all_needs_no_third_picture() -> None:
    board, pieces = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
    assert other_sides(board, pieces, dict(board.start)) is None


@pytest.fixture(scope="module")
def table() -> NewYorkTable:
    return NewYorkTable(SEED, tilt_most=25.0)


@pytest.fixture(scope="module")
def pictures(table: NewYorkTable) -> list[tuple[dict[str, Any], np.ndarray]]:
    states = table.states(12)
    return [(state, table.shoot(state)[0]) for state in (states[5], states[12])]


@pytest.mark.parametrize("whole", [True, False], ids=["all sides shown", "start only"])
def test_nothing_is_surely_wrong(table: NewYorkTable, pictures: list[tuple[dict[str, Any], np.ndarray]], whole: bool) -> None:
    reader = PlainReader(BOARD, PIECES, taught(table, whole))
    every: list[Verdict] = []
    for state, picture in pictures:
        read = reader.read(frame(picture)).reading
        found = verdicts(state, read)
        assert [verdict for verdict in found if verdict.verdict == WRONG] == []
        every += found
        never = {place for place, side in state["tiles"].items() if side in ("park", "building")}
        assert whole or {f"tile:{place}" for place in never} <= set(read.unknown), "a side that was never shown is never named"
    exact = [v.kind for v in every if v.verdict == EXACT]
    assert exact.count("barricades") + exact.count("steamboats") + exact.count("tiles") >= 8, "who says nothing is never wrong"
    assert sum(v.verdict == UNKNOWN for v in every) < len(every) / 2
