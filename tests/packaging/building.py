"""Builds the wheel, and calls pip as it is set up on this machine."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def pip(*words):
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def sources():
    """What git knows of the product, and what is new, without links: as on Windows, where a checkout has none."""
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "--", "companion", "web", "calibration"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    return [name for name in names if (ROOT / name).is_file() and not (ROOT / name).is_symlink()]


def build(copy, made):
    """The wheel in the folder ``made``, from a copy of the sources alone."""
    for name in (*sources(), "pyproject.toml", "setup.py", "README.md", "LICENSE"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((ROOT / name).read_bytes())
    pip("wheel", "--quiet", "--no-deps", "--wheel-dir", made, copy)
    (file,) = made.glob("*.whl")
    return file
