"""The wheel with the oldest and with the newest releases it allows, on every Python it names that is at hand."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PICTURE = ROOT / "companion" / "demo" / "mr-jack-london" / "table" / "000.jpg"
TESTS = ("tests/web/test_event_stream.py", "tests/web/test_quiet_leaving.py", "tests/web/test_https.py")
RUNNERS = ("pytest", "pytest-timeout", "hypothesis")  # what every test needs, by its settings and conftest
# The first release with a wheel for that Python, where it is newer than the oldest one allowed.
FIRST_WHEEL = {("3.13", "numpy"): "2.1.0"}


def python(version):
    """A Python of that version: on the path, or beside this one as pyenv puts them. None if there is none that runs."""
    beside = sorted(Path(sys.base_prefix).parent.glob(f"{version}.*/bin/python"))
    for one in (shutil.which(f"python{version}"), *map(str, beside)):
        if one and subprocess.run([one, "-c", "import venv, ensurepip"], capture_output=True, check=False).returncode == 0:
            return one
    return None


def oldest(version):
    """Pins of the lowest release of each dependency."""
    pins = []
    for requirement in map(Requirement, PROJECT["dependencies"]):
        if requirement.marker is None or requirement.marker.evaluate():
            (low,) = [one.version for one in requirement.specifier if one.operator == ">="]
            low = FIRST_WHEEL.get((version, requirement.name), low)
            pins.append(f"{requirement.name}~={low}.0" if low.count(".") == 1 else f"{requirement.name}=={low}")
    return pins


@pytest.mark.slow
@pytest.mark.parametrize("age", ["oldest", "newest"])
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_wheel_works_with(version, age, wheel, tmp_path):
    base = python(version)
    if base is None:
        pytest.skip(f"Python {version} is not at hand")
    home = tmp_path / "home"
    subprocess.run([base, "-m", "venv", str(home)], check=True)
    own = str(home / "bin" / "python")
    pins = oldest(version) if age == "oldest" else []
    done = subprocess.run(
        [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--prefer-binary", str(wheel), *pins, *RUNNERS],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    clean = {"PATH": os.defpath, "HOME": str(tmp_path)}
    for words, says in (
        (["demo", "--once", "--no-browser", "--port", "0", "--speed", "100"], "SIMULATED"),
        (["read", str(PICTURE)], "settled"),
    ):
        command = [own, "-W", "error::SyntaxWarning", "-m", "companion", *words]
        told = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=clean, timeout=300, check=False)
        assert (told.returncode, told.stderr) == (0, "")
        assert says in told.stdout
    command = [own, "-m", "pytest", "-p", "no:cacheprovider", *TESTS]
    clean["PYTHONDONTWRITEBYTECODE"] = "1"
    told = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=600, check=False, env=clean)
    assert told.returncode == 0, told.stdout[-4000:] + told.stderr
