"""What the page calls the things of a game: every word that the scripts ask for is in every board file, no other."""

import re
from pathlib import Path

import pytest

from companion import boards
from companion.boards.loading import shipped

SCRIPTS = Path(__file__).parents[2] / "web" / "static" / "script"
ASKED = {
    key for path in SCRIPTS.rglob("*.js") for key in re.findall(r'\bwording\(\s*"([^"]+)"', path.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("game", boards.available())
def test_every_word_that_the_page_asks_a_game_for_is_there(game: str) -> None:
    assert shipped(game)["labels"].keys() == ASKED
    for edition in boards.editions(game):
        assert dict(boards.load(game, edition).labels) == shipped(game)["labels"]
