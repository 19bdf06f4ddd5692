"""What tests and the programs beside them import is there: programs are run by hand, and would be found broken only then."""

import ast
import sys
from contextlib import suppress
from importlib import import_module, util
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LOCAL = {path.stem for path in TESTS.rglob("*.py")} | {path.name for path in TESTS.iterdir() if path.is_dir()}
ELSEWHERE = {"bpy", "mathutils", "skimage"}
"""What only some programs need, in an environment of their own."""


def imported(source: str) -> list[tuple[str, str]]:
    """Every module that a program imports, with a name out of it, if any; programs that it holds as text, to be run by another
    Python, included."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found += [(node.module or "", alias.name) for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "import " in node.value:
            with suppress(SyntaxError):
                found += imported(node.value)
    return found


def missing(module: str, name: str) -> bool:
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top in LOCAL or top in ELSEWHERE:
        return False
    if top != "companion":
        return util.find_spec(top) is None
    try:
        held = import_module(module)
        return bool(name) and not hasattr(held, name) and util.find_spec(f"{module}.{name}") is None
    except ModuleNotFoundError:
        return True


@pytest.mark.parametrize("folder", sorted(path.name for path in TESTS.iterdir() if path.is_dir() and any(path.glob("*.py"))))
def test_every_import_is_there(folder: str) -> None:
    wrong = [
        f"{path.relative_to(TESTS)}: {module} {name}"
        for path in sorted((TESTS / folder).rglob("*.py"))
        for module, name in imported(path.read_text(encoding="utf-8"))
        if missing(module, name)
    ]
    assert not wrong


def test_a_module_that_is_gone_is_noticed() -> None:
    assert (
        missing("companion.vision.gone", "")
        and missing("companion.vision.table_sets.scoring", "gone")
        and missing("plain_compose", "Table")
    )
    assert not missing("companion.vision.table_sets.scoring", "compare") and not missing("companion.calibration", "training")


def test_what_a_program_held_as_text_imports_is_looked_at() -> None:
    assert imported("PROGRAM = 'from companion.vision import reader; print(reader)'") == [("companion.vision", "reader")]
    assert imported("SAID = 'whatever you import from here is taxed'") == []
