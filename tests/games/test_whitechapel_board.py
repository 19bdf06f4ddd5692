"""The board of Letters from Whitechapel: what is printed, counted and joined."""

from companion.games.letters_from_whitechapel.names import NIGHTS
from companion.games.letters_from_whitechapel.streets import board_data, load, walks_among

BOARD = load()


def pairs(near: dict[int, tuple[int, ...]] | dict[str, tuple[str, ...]]) -> int:
    return sum(map(len, near.values())) // 2


def test_the_board_has_what_is_printed() -> None:
    assert BOARD.circles == tuple(range(1, 196))
    assert BOARD.red == {3, 21, 27, 65, 84, 147, 149, 158}
    assert BOARD.crossings == tuple(f"x{number:03}" for number in range(1, 235))
    assert BOARD.yellow == {"x042", "x044", "x058", "x137", "x143", "x156", "x181"}
    assert len(BOARD.edges) == 593 and len(BOARD.blocks) == 148
    assert sum(len(rim) > 1 for rim in BOARD.blocks) == 135


def test_pairs_one_move_apart() -> None:
    assert pairs(dict(BOARD.walks)) == 775 and pairs(dict(BOARD.alleys)) == 451 and pairs(dict(BOARD.steps)) == 453
    assert all(circle in BOARD.walks[other] for circle, near in BOARD.walks.items() for other in near)
    assert [pair for pair in BOARD.direct.items() if pair[1]] == [(26, (28,)), (28, (26,)), (45, (47,)), (47, (45,))]


def test_moves_checked_by_hand_on_the_printed_board() -> None:
    assert BOARD.walks[1] == (2, 6, 7, 8, 9, 24, 26, 28)
    assert BOARD.walks[61] == (45, 47) and BOARD.walks[147] == (111, 133, 134, 146)
    assert BOARD.walks[182] == (155, 170, 181, 183, 184, 185, 186, 192, 193)
    assert BOARD.alleys[1] == (7, 26) and BOARD.alleys[43] == ()
    assert len(BOARD.alleys[79]) == 11 and len(BOARD.alleys[56]) == len(BOARD.alleys[80]) == 12
    assert (45, 46, 47, 48, 61, 62, 79, 80) in BOARD.blocks
    assert BOARD.looks["x160"] == BOARD.looks["x198"] == ()


def test_every_circle_is_twelve_walks_and_every_crossing_21_steps_from_the_farthest() -> None:
    def reach(near: dict[int, tuple[int, ...]], start: int) -> int:
        seen, edge, rounds = {start}, {start}, 0
        while edge := {to for place in edge for to in near[place]} - seen:
            seen |= edge
            rounds += 1
        assert len(seen) == len(near)
        return rounds

    assert max(reach(dict(BOARD.walks), circle) for circle in BOARD.circles) == 12
    assert max(BOARD.distance("x001", crossing) for crossing in BOARD.crossings) <= 21


def test_floods_near_pieces_are_the_same_as_floods_everywhere() -> None:
    for start in range(0, 234, 9):
        occupied = frozenset(BOARD.crossings[start : start + 5])
        near = walks_among(True, occupied)
        assert all(near[circle] == BOARD.flood(circle, occupied) for circle in BOARD.circles)


def test_the_contested_line_matters_where_x059_is_occupied_and_for_steps_from_x073() -> None:
    closed = load(False)
    assert len(closed.edges) == 592 and closed.walks == BOARD.walks
    assert set(BOARD.flood(44, ["x059"])) - set(closed.flood(44, ["x059"])) == {43, 59}
    assert set(BOARD.steps["x073"]) - set(closed.steps["x073"]) == {"x045", "x048", "x055"}
    assert 44 in BOARD.looks["x073"] and 44 not in closed.looks["x073"]


def test_the_file_agrees_with_the_words_about_nights_and_track() -> None:
    for entry in board_data()["nights"]:
        night = NIGHTS[entry["night"]]
        told = (night.victims, night.women, night.marked, night.coaches, night.alleys)
        assert told == tuple(entry[key] for key in ("victims", "women", "marked", "coaches", "alleys"))
    assert [space["label"] for space in board_data()["move_track"]][:6] == ["V", "IV", "III", "II", "I", "1"]
    assert len(board_data()["move_track"]) == 20 and len(board_data()["night_spots"]) == 4


def test_a_coach_leads_on_from_everywhere_and_an_alley_from_everywhere_but_43() -> None:
    """What makes it public that Jack is not trapped."""
    for circle in BOARD.circles:
        assert any(end != circle for middle in BOARD.walks[circle] for end in BOARD.walks[middle])
        assert BOARD.alleys[circle] or circle == 43
