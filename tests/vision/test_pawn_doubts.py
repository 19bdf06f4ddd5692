"""What a lesson of unmodified pawns and tokens does not show is told in words, in every language."""

import re

import pytest

from companion import boards
from companion.announce.translator import translator
from companion.vision.pawns.looks import laid_looks
from companion.vision.pawns.taught import not_shown

BOARD, PIECES = boards.load("letters-from-whitechapel"), boards.load_pieces("letters-from-whitechapel")
ID = re.compile(r"[a-z]-[a-z0-9]|\bx\d{3}", re.IGNORECASE)


def test_what_does_not_show_is_called_as_people_call_it() -> None:
    """It was "Coach-1 does not show at space-5"."""
    told = {
        one.piece: not_shown(look, one.place, BOARD, PIECES)
        for lesson in BOARD.lessons
        for look, one in laid_looks(BOARD, PIECES, lesson)
    }
    assert not [line for line in told.values() if ID.search(line)]
    assert told["coach-1"].startswith("Coach token does not show at track 5:")
    assert told["patrol-blue"].startswith("Patrol token (blue) does not show at 43:")


@pytest.mark.parametrize("language", ["es", "it", "ja", "zh-Hans", "zh-Hant"])
def test_it_is_told_in_the_readers_language(language: str) -> None:
    words = translator(language)
    for lesson in BOARD.lessons:
        for look, one in laid_looks(BOARD, PIECES, lesson):
            told = words.text(not_shown(look, one.place, BOARD, PIECES))
            assert not re.search(r"token|pawn|policeman|marker|track|does not|\(down|\(blue|\(blank", told), told
