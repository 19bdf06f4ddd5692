"""No game's own words occur outside its package, its board data, its phrases and its tests; nothing asks which game is on."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from family_words import ROOMS, lines_with_family_words

ROOT = Path(__file__).parents[2]
PACKAGE = {
    "letters_from_whitechapel": ("whitechapel", "wretched", "patrol", "hideout", "jacks_moves"),
    "mr_jack_london": ("lestrade", "stealthy", "goodley", "manhole_cover", "mr_jack_london", "mr-jack-london"),
    "mr_jack_new_york": ("tumblety", "eastman", "callahan", "latimer", "cloud_rider", "mr_jack_new_york", "mr-jack-new-york"),
    "get_adler": ("townsend", "tarasov", "collins", "binoculars", "sharpe", "get_adler", "get-adler"),
}
DEFAULT_GAME = ("companion/games/__init__.py", 'DEFAULT = "mr-jack-london"')
"""The one line that says which game is played when nobody says."""
ALLOWED = ("companion/announce/", "companion/demo/", "companion/vision/plain/weights", "companion/cli/session")
TRAINING = "calibration/training/"
"""Made-up copies of each game, what is fitted on them and what judges it: not shipped, and nothing that is shipped needs it."""
CEILING = dict.fromkeys(ROOMS, 0)
"""Lines with words of a game, or of a family of games, by room: none, in any room."""


def code_lines(path: Path) -> list[str]:
    """Lines of code with docstrings and comments left out, roughly: what is between triple quotes or behind a #."""
    text = re.sub(r'"""[\s\S]*?"""', "", path.read_text(encoding="utf-8"))
    return [line.partition("  # ")[0] for line in text.splitlines() if not line.lstrip().startswith("#")]


@pytest.mark.parametrize("game", PACKAGE)
def test_words_of_a_game_stay_in_its_package(game: str) -> None:
    found = []
    for folder in ("companion", "calibration", "web"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith((f"companion/games/{game}/", TRAINING, *ALLOWED)):
                continue
            for line in code_lines(path):
                if (name, line) == DEFAULT_GAME:
                    continue
                found += [f"{name}: {line.strip()}" for word in PACKAGE[game] if word in line.lower()]
    assert not found, found


@pytest.mark.parametrize("room", ROOMS)
def test_words_of_a_family_of_games_become_fewer_in_every_room(room: str) -> None:
    name, text = DEFAULT_GAME
    found = [line for line in lines_with_family_words(room) if not (line.startswith(f"{name}:") and line.endswith(text))]
    assert len(found) <= CEILING[room], found


def test_no_code_asks_which_game_is_on() -> None:
    asks = re.compile(r"""(==|!=|\bin\b)\s*\(?["'](?:mr-jack|get-adler)""")
    for folder in ("companion", "calibration", "web"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not path.relative_to(ROOT).as_posix().startswith(TRAINING):
                assert not [line for line in code_lines(path) if asks.search(line)], path
