"""What is imported is declared, and no bound admits a release with a known hole."""

import ast
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAMES = {
    "cv2": "opencv-python-headless",
    "serial": "pyserial",
    "cv2_enumerate_cameras": "cv2-enumerate-cameras",
    "PIL": "pillow",
}
"""Import names that differ from the distribution's, or that are not installed here."""
BLENDER = {"bpy", "mathutils"}
"""What Blender's own Python brings, in which path-traced tables are rendered."""
HOLES = {
    "cryptography": [
        "42.0.3",
        "44.0.0",
        "46.0.4",
        "46.0.5",
        "46.0.6",
    ],  # CVE-2024-26130, -12797; CVE-2026-26007, -34073, -39892
    "flask": ["3.1.0", "3.1.2"],  # CVE-2025-47278, CVE-2026-27205
    "opencv-python-headless": ["4.8.1.77", "4.10.0.84", "4.11.0.86"],  # CVE-2023-4863 (libwebp), CVE-2025-53644
    "werkzeug": ["3.0.5", "3.1.3", "3.1.4", "3.1.5"],  # CVE-2024-49767, CVE-2025-66221, CVE-2026-21860, CVE-2026-27199
}


def declared():
    return {Requirement(text).name.lower(): Requirement(text) for text in PROJECT["dependencies"]}


@cache
def imported():
    """Top-level names of others that the product imports, with a place."""
    found = {}
    for room in ("companion", "web", "calibration"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module or ""]
                for name in names:
                    found.setdefault(name.partition(".")[0], f"{path.relative_to(ROOT)}:{node.lineno}")
    return {
        name: where for name, where in found.items() if name not in sys.stdlib_module_names | BLENDER and name != "companion"
    }


def test_what_is_imported_is_declared():
    optional = {Requirement(text).name for texts in PROJECT["optional-dependencies"].values() for text in texts}
    known = metadata.packages_distributions()
    missing = {}
    for name, where in imported().items():
        distributions = {one.lower() for one in [NAMES.get(name, name), *known.get(name, [])]}
        if not distributions & (set(declared()) | optional):
            missing[name] = where
    assert not missing


def test_what_is_declared_is_imported():
    names = {NAMES.get(name, name).lower() for name in imported()}
    assert set(declared()) - names == set()


@pytest.mark.parametrize(("name", "version"), [(name, version) for name, versions in HOLES.items() for version in versions])
def test_a_release_with_a_known_hole_is_not_allowed(name, version):
    assert version not in declared()[name].specifier
