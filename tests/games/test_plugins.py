"""Games of other packages: registered by a program, or found by the entry points of an installed distribution."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import boards, games, plugins
from companion.announce.translator import translator
from companion.errors import BadInput, CompanionError

GAME = """
from companion.games.mr_jack_london.game import {theirs}


class Ours({theirs}):
    id = {id!r}
    name = "The Other Game"

    def editions(self):
        from companion import boards
        return boards.editions({id!r})


GAME = Ours()
"""
SENTENCE = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "{text}"\nmsgstr "{told}"\n'


def write_package(folder: Path, name: str, game_id: str) -> Path:
    """A package that brings a game: the rules of a shipped one under another id, on a board of its own."""
    package = folder / name
    package.mkdir(parents=True)
    theirs = type(games.load()).__name__
    (package / "game.py").write_text(GAME.format(id=game_id, theirs=theirs))
    (package / "__init__.py").write_text("from .game import GAME\n")
    board = {**boards.shipped(games.DEFAULT), "id": game_id, "name": "The other board"}
    (package / "board.json").write_text(json.dumps(board), encoding="utf-8")
    locale = package / "locale" / "es" / "LC_MESSAGES"
    locale.mkdir(parents=True)
    (locale / "said.po").write_text(SENTENCE.format(text="The cat lies on the mat.", told="El gato."), encoding="utf-8")
    return package


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    write_package(tmp_path, "other_games_of_a_test", "other-game")
    monkeypatch.syspath_prepend(tmp_path)
    yield "other_games_of_a_test"
    plugins.withdraw("other-game")
    sys.modules.pop("other_games_of_a_test", None)
    sys.modules.pop("other_games_of_a_test.game", None)


def test_a_registered_game_is_found_with_its_board_and_its_sentences(package: str) -> None:
    assert "other-game" not in games.available()
    assert translator("es").say("The cat lies on the mat.") == "The cat lies on the mat."
    games.register("other-game", package)
    assert games.available()[-1] == "other-game"
    assert games.load("other-game").name == "The Other Game"
    assert boards.load("other-game").name == "The other board"
    assert boards.load_pieces("other-game") == boards.load_pieces(games.DEFAULT)
    assert translator("es").say("The cat lies on the mat.") == "El gato."
    assert translator("it").say("The cat lies on the mat.") == "The cat lies on the mat."
    games.register("other-game", package)  # doing it again changes nothing
    plugins.withdraw("other-game")
    assert "other-game" not in games.available()
    with pytest.raises(BadInput, match="not known"):
        games.load("other-game")
    with pytest.raises(BadInput, match="not known"):
        boards.shipped("other-game")


def test_an_id_is_taken_once(package: str) -> None:
    games.register("other-game", package)
    with pytest.raises(CompanionError, match="brought by other_games_of_a_test already"):
        games.register("other-game", "json")
    with pytest.raises(CompanionError, match="comes with the companion"):
        games.register(games.DEFAULT, package)
    with pytest.raises(CompanionError, match=r"no package 'nowhere\.at\.all'"):
        games.register("third-game", "nowhere.at.all")
    with pytest.raises(CompanionError, match="no package 'os'"):
        games.register("third-game", "os")


def test_a_game_under_another_name_than_its_own_is_refused(package: str) -> None:
    games.register("third-game", package)
    try:
        with pytest.raises(CompanionError, match="has the id 'other-game', not 'third-game'"):
            games.load("third-game")
        with pytest.raises(BadInput, match="the board has the id 'other-game', not 'third-game'"):
            boards.shipped("third-game")
    finally:
        plugins.withdraw("third-game")


def test_an_installed_distribution_brings_a_game(tmp_path: Path) -> None:
    write_package(tmp_path, "brought", "brought-game")
    installed = tmp_path / "brought-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n")
    entries = f"[{plugins.GROUP}]\nbrought-game = brought\n{games.DEFAULT} = brought\ngone = nowhere_at_all\n"
    (installed / "entry_points.txt").write_text(entries)
    asked = (
        "from companion import boards, games;"
        "print(games.available(), games.load('brought-game').name, boards.load('brought-game').name, games.load().name)"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    said = subprocess.run([sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True).stdout
    assert said.split(") ")[0] == str((*games.available(), "brought-game"))[:-1]
    assert said.strip().endswith(f"The Other Game The other board {games.load().name}")


@pytest.mark.parametrize("package", ["paths", "cards"])
def test_a_whole_game_takes_less_than_400_lines(package: str) -> None:
    """Rules, board file and sentences together: what a base could give, a stranger does not write."""
    folder = Path(__file__).parents[1] / "testkit" / package
    files = [path for path in folder.rglob("*") if path.suffix in (".py", ".json", ".po")]
    assert len(files) > 3 and sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= 400
