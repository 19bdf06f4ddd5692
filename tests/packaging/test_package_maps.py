"""The map at the head of a large package names the modules that are there, and all of them."""

import ast
import re
from pathlib import Path

import pytest

from companion.vision import plain


def named(package: Path) -> set[str]:
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    return set(re.findall(r"``([a-z_]+)``", text))


@pytest.mark.parametrize("package", [Path(plain.__file__).parent], ids=lambda path: path.name)
def test_a_package_map_names_every_module_once_there_is_one(package: Path) -> None:
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    assert named(package) == modules
