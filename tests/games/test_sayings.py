"""Every sentence of the games is given all the words it needs: the calls in the code are compared with the templates."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

from companion import games
from companion.games.mr_jack.sayings import Sayings

FOLDER = Path(games.__file__).parent
FAMILY = FOLDER / "mr_jack"
GAMES = {
    game: import_module(f"companion.games.{game.replace('-', '_')}.wording").SAYINGS
    for game in games.available()
    if (FOLDER / game.replace("-", "_") / "wording.py").exists()
}


def calls(path: Path) -> Iterator[tuple[int, str, str, set[str]]]:
    """(line, "fault" or "chore", code, words given) of every call whose code and words are written out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        code, words = node.args[0], {keyword.arg for keyword in node.keywords}
        if name in ("fault", "chore") and isinstance(code, ast.Constant) and isinstance(code.value, str) and None not in words:
            given = {word for word in words if word} | ({"character"} if name == "fault" and len(node.args) > 1 else set())
            yield node.lineno, name, code.value, given


def places(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_is_given_its_words(game: str) -> None:
    sayings: Sayings = GAMES[game]
    own = FOLDER / game.replace("-", "_")
    found, wanting = 0, []
    for path in sorted([*FAMILY.glob("*.py"), *own.glob("*.py")]):
        for line, kind, code, given in calls(path):
            templates = sayings.faults if kind == "fault" else sayings.chores
            if path.parent == FAMILY and code not in templates:
                continue  # said by another game of the family only
            found += 1
            missing = places(templates[code]) - given
            wanting += [f"{path.name}:{line}: {code} lacks {', '.join(sorted(missing))}"] if missing else []
    assert found > 15
    assert wanting == []
