"""The shipped board of Letters from Whitechapel against what can be counted on a copy, and against the graph of the rules."""

from collections import Counter

from companion import boards, games
from companion.boards import start_faults
from companion.games.letters_from_whitechapel import streets
from companion.games.letters_from_whitechapel.names import NIGHTS

BOARD, PIECES = boards.load("letters-from-whitechapel"), boards.load_pieces("letters-from-whitechapel")
STREETS = streets.load()


def test_counts_of_the_printed_board_and_of_the_box() -> None:
    kinds = Counter(cell.kind for cell in BOARD.cells.values())
    assert kinds == {"circle": 187, "red circle": 8, "crossing": 227, "yellow crossing": 7}
    assert {int(cell) for cell in BOARD.of_kind("red circle")} == {3, 21, 27, 65, 84, 147, 149, 158}
    assert BOARD.of_kind("yellow crossing") == {"x042", "x044", "x058", "x137", "x143", "x156", "x181"}
    assert len(BOARD.places_of("track")) == 20 and len(BOARD.places_of("night")) == len(NIGHTS)
    assert {group.key: len(PIECES.in_group(group.key)) for group in PIECES.groups.values()} == {
        "police": 5, "patrols": 7, "women": 8, "wretched": 5, "scenes": 5, "clues": 19, "specials": 5,
        "pawn": 1, "time": 1, "night": 1,
    }  # fmt: skip
    assert start_faults(BOARD, PIECES) == []


def test_the_lines_are_those_of_the_rules_and_join_everything() -> None:
    lines = {frozenset((a, b)) for a, onward in BOARD.links.items() for b in onward.values()}
    assert lines == {frozenset(end.removeprefix("c") for end in edge) for edge in STREETS.edges} and len(lines) == 593


def test_outlines_do_not_lie_on_each_other() -> None:
    """The nearest two crossings are 8 mm apart, a circle and a crossing nearly 10: no outline reaches another."""
    spots = [(BOARD.mm(cell), 6.4 if cell.isdecimal() else 2.8) for cell in BOARD.cells]
    near = [
        (one, other)
        for index, (one, r) in enumerate(spots)
        for other, s in spots[index + 1 :]
        if (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 < (r + s) ** 2
    ]
    assert near == []


def test_backs_betray_nothing_and_no_marker_is_of_another_game() -> None:
    for key, backs in (("patrols", 1), ("women", 1)):
        down = {number for number, sticker in PIECES.stickers.items() if sticker.face == "down" and _in(sticker.piece, key)}
        assert len(down) == backs, key
    others = {
        number
        for game in games.available()
        if game != BOARD.id and games.load(game).pieces().dictionary == PIECES.dictionary
        for number in games.load(game).pieces().marker_ids
    }
    assert not PIECES.marker_ids & others and max(PIECES.marker_ids) < 250


def _in(piece: str, group: str) -> bool:
    return PIECES.pieces[piece].group == group


def test_the_track_counts_from_the_last_hour_to_the_last_move() -> None:
    left_to_right = sorted(BOARD.places_of("track"), key=lambda place: place.mm[0])
    assert [place.value for place in left_to_right] == list(range(1, 21))
    assert left_to_right[0].id == "time-V" and left_to_right[4].id == "time-I" and left_to_right[-1].id == "space-15"


def test_every_crossing_has_a_name_of_its_own_made_of_circles_near_it() -> None:
    """Crossings have no number in print: they are told by circles beside them, the joined ones first of all."""
    crossings = BOARD.of_kind("crossing", "yellow crossing")
    names = {spot: BOARD.called(spot) for spot in crossings}
    assert len(crossings) == len(set(names.values())) == 234
    for spot, name in names.items():
        circles = name.split(" & ")
        assert 2 <= len(circles) <= 3 and set(circles) <= BOARD.cells.keys()
        joined = {other for other in BOARD.neighbours(spot).values() if other.isdecimal()}
        assert not joined or joined & set(circles), (spot, name)
    assert (BOARD.called("27"), BOARD.called("time-III"), BOARD.called("hour-2"), BOARD.called("nowhere")) == (
        "27", "III", "II", "nowhere",
    )  # fmt: skip
