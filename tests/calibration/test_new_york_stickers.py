"""The second game's stickers: both sides of every tile side by side, told apart by a number, in their printed sizes."""

from companion.boards import load, load_pieces
from companion.calibration.stickers import plan, sticker_pages

BOARD, PIECES = load("mr-jack-new-york"), load_pieces("mr-jack-new-york")


def test_every_side_has_its_sticker_in_the_size_of_its_kind() -> None:
    stickers = {sticker.marker: sticker for sticker in plan(PIECES)}
    assert set(stickers) == PIECES.marker_ids
    for marker, sticker in PIECES.stickers.items():
        group = PIECES.group_of(sticker.piece)
        printed = stickers[marker]
        assert (printed.side_mm, printed.quiet_mm, printed.round) == (group.marker_mm, group.quiet_mm, group.shape == "disc")
        assert printed.side_mm + 2 * printed.quiet_mm <= min(group.size_mm)


def test_the_two_sides_of_one_tile_follow_each_other_under_one_number() -> None:
    words = [sticker.words.partition(": ")[2] for sticker in plan(PIECES)]
    assert len(set(words)) == len(words)
    first = words.index("Subway tile 3, subway")
    assert words[first + 1] == "Subway tile 3, park"
    assert {"Barricade 1", "Barricade 2", "Steamboat 1", "Informant, silent"} <= set(words)


def test_the_sheet_says_which_way_a_strip_of_two_cells_is_marked() -> None:
    assert all("its upper side along the longer side" in page for page in sticker_pages(BOARD, PIECES))
    london = load("mr-jack-london"), load_pieces("mr-jack-london")
    assert not any("longer side" in page for page in sticker_pages(*london))
