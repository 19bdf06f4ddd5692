"""The one word by which a piece is known where there is room for no more."""

from testkit.path_table import PIECES

from companion import boards
from companion.games import load


def test_pieces_whose_names_end_alike_are_known_by_the_word_that_tells_them_apart() -> None:
    assert [PIECES.telling_word(pawn) for pawn in ("pawn-red", "pawn-blue")] == ["Red", "Blue"]
    assert PIECES.telling_word("clue-1") == "Clue", "all alike: nothing tells them apart"


def test_people_are_known_by_their_last_name() -> None:
    pieces = load("mr-jack-london").pieces()
    assert pieces == boards.load_pieces("mr-jack-london")
    assert [pieces.telling_word(one) for one in ("holmes", "watson", "smith")] == ["Holmes", "Watson", "Smith"]
