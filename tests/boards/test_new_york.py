"""The shipped New York board against what its sources say about the printed copy."""

import json
from collections import Counter

import pytest

from companion import boards
from companion.errors import InvalidBoard
from companion.vision.reading import Reading, Sighting, subject

BOARD, PIECES = boards.load("mr-jack-new-york"), boards.load_pieces("mr-jack-new-york")


def test_counts_of_the_printed_board() -> None:
    kinds = Counter(cell.kind for cell in BOARD.cells.values())
    assert kinds == {"street": 66, "building": 6, "subway": 1, "pier": 4, "port": 5, "exit": 1, "statue": 1}
    assert len(BOARD.cells) == 84
    counts = Counter(piece.label for piece in PIECES.in_group("tiles"))
    assert counts == {"subway": 7, "lamp": 6, "building": 4}
    assert {group.key: len(PIECES.in_group(group.key)) for group in PIECES.groups.values()} == {
        "characters": 8, "tiles": 17, "barricades": 2, "steamboats": 2, "informant": 1, "turn": 1,
    }  # fmt: skip


def test_the_ferry_runs_one_way() -> None:
    assert set(BOARD.neighbours("LIBERTY").values()) == {"G2", "E16"}
    assert "LIBERTY" in BOARD.neighbours("A8").values() and "LIBERTY" in BOARD.neighbours("C6").values()
    assert "LIBERTY" not in {*BOARD.neighbours("G2").values(), *BOARD.neighbours("E16").values()}
    assert BOARD.beside["LIBERTY"] == () and "LIBERTY" not in BOARD.beside["A8"]
    assert set(BOARD.beside["A8"]) == {"B7", "B9", "A10"}


def test_all_other_links_run_both_ways() -> None:
    one_way = {(a, b) for a, onward in BOARD.links.items() for b in onward.values() if a not in BOARD.links[b].values()}
    assert one_way == {("A8", "LIBERTY"), ("C6", "LIBERTY"), ("LIBERTY", "G2"), ("LIBERTY", "E16")}


def test_what_leads_to_the_exits() -> None:
    assert set(BOARD.beside["LANDEXIT"]) == {"M10", "M12"}
    gates = {"B13": "B11 C12 C14", "E2": "E4 F3", "G16": "F15 G14", "K16": "K14 L15", "L1": "K2 L3 M2"}
    assert {port: " ".join(sorted(BOARD.beside[port])) for port in BOARD.of_kind("port")} == gates


def test_a_pair_of_cells_is_a_spot() -> None:
    x, y = BOARD.mm("E4+F3")
    assert (x, y) == pytest.approx([(a + b) / 2 for a, b in zip(BOARD.mm("E4"), BOARD.mm("F3"), strict=True)])
    pairs = BOARD.pairs(BOARD.of_kind("street", "subway"))
    assert "E4+F3" in pairs and "K14+L15" in pairs and not any("A8" in pair for pair in pairs)
    assert len(pairs) == len(set(pairs))


def test_no_two_spots_overlap_and_every_marker_has_one_meaning() -> None:
    spots = [*BOARD.cells, *BOARD.places]
    for spot in spots:
        assert BOARD.nearest(BOARD.mm(spot), [other for other in spots if other != spot])[1] > 25
        assert 0 < BOARD.mm(spot)[0] < BOARD.size_mm[0] and 0 < BOARD.mm(spot)[1] < BOARD.size_mm[1]
    faces = sum(max(1, len(piece.faces)) for piece in PIECES.pieces.values())
    assert len(PIECES.stickers) == faces and not set(PIECES.stickers) & set(PIECES.frame_markers)
    london = boards.load_pieces("mr-jack-london")
    assert not PIECES.marker_ids & london.marker_ids and max(PIECES.marker_ids) < 250


def test_the_start_set_up_lies_on_allowed_cells_and_its_doubts_are_data() -> None:
    assert boards.start_faults(BOARD, PIECES) == []
    assert boards.start_faults(boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")) == []
    assert BOARD.doubts["latimer"]["places"] == ["E8", "F11", "F9"]


def test_a_reading_speaks_of_tiles_by_their_upper_side_and_of_pairs() -> None:
    reading = Reading((
        Sighting("subway-a", "B9", "subway"), Sighting("lamp-c", "C10", "park"), Sighting("barricade-b", "F3+E4"),
        Sighting("steamboat-a", "E2"), Sighting("informant", "LIBERTY", "silent"), Sighting("turn", "turn-3"),
    ))  # fmt: skip
    assert reading.state(BOARD, PIECES) == {
        "characters": {}, "tiles": {"B9": "subway", "C10": "park"}, "barricades": [["E4", "F3"]], "steamboats": ["E2"],
        "informant": {"hex": "LIBERTY", "side": "silent"}, "turn": 3,
    }  # fmt: skip
    assert Reading().state(BOARD, PIECES)["informant"] is None
    assert subject("informant", PIECES.groups["informant"]) == "informant"
    assert subject("E4+F3", PIECES.groups["barricades"]) == "barricade:E4+F3"


def test_a_board_file_of_ones_own_is_checked(tmp_path) -> None:
    source = boards.loading._shipped("mr-jack-new-york")
    data = json.loads(json.dumps(dict(source)))
    path = tmp_path / "own.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert boards.load_file(path)[0].cells == BOARD.cells
    start = data["editions"]["first-2009"]["start"]
    start["tiles"]["D9"] = "lamp"
    start["steamboats"] = ["E2", "E4"]
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InvalidBoard, match="lays a tile on D9, a building") as caught:
        boards.load_file(path)
    assert len(caught.value.faults) == 2
    data["layout"]["one_way"].append(["A8", "Z1"])
    data["layout"]["one_way"] = [link for link in data["layout"]["one_way"] if "LIBERTY" not in link]
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InvalidBoard, match="LIBERTY are not connected") as caught:
        boards.load_file(path)
    assert len(caught.value.faults) == 2
