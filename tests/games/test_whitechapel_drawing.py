"""The drawn board: well-formed, complete, and the pieces of a position where they belong."""

from xml.etree import ElementTree

from whitechapel_positions import YELLOW, position

from companion.games.letters_from_whitechapel.drawing import board_svg
from companion.games.letters_from_whitechapel.validation import position_of

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*given: object) -> ElementTree.Element:
    return ElementTree.fromstring(board_svg(*given))  # type: ignore[arg-type]


def texts(root: ElementTree.Element) -> list[str | None]:
    return [text.text for text in root.iter(f"{SVG}text")]


def test_every_circle_crossing_and_block_is_drawn_once_inside_the_board() -> None:
    root = drawn()
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids)) == 195 + 234 + 148
    _, _, width, height = map(float, str(root.get("viewBox")).split())
    for circle in root.iter(f"{SVG}circle"):
        assert 0 < float(str(circle.get("cx"))) < width and 0 < float(str(circle.get("cy"))) < height
    assert texts(root)[:195] == [str(number) for number in range(1, 196)]


def test_pieces_of_a_position_are_drawn_on_it() -> None:
    bare = len(list(drawn().iter()))
    hunt = drawn(position_of(position("police-act", time=2, track=["walk", "coach"], clues=[146])))
    assert len(list(hunt.iter())) == bare + 5 + 2
    assert texts(hunt)[195:215][3:7] == ["×", "•", "C", "C"]
    patrols = drawn(position_of(position("patrols", patrols=dict.fromkeys(YELLOW, "down"))))
    assert len(list(patrols.iter())) == bare + 8 + 7
