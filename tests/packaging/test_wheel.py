"""The built wheel, installed where nothing else of this checkout can be reached, plays its demo."""

import os
import subprocess
import sysconfig
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from building import pip, sources
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def needed(requirement, found):
    """The distributions that a requirement brings on this system, found in this environment."""
    name = requirement.name.lower().replace("_", "-")
    if name in found or (requirement.marker is not None and not requirement.marker.evaluate({"extra": ""})):
        return
    found[name] = metadata.distribution(requirement.name)
    for text in found[name].requires or ():
        needed(Requirement(text), found)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment with the wheel and what it declares, and nothing else. What others wrote is linked, not downloaded."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=False)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip("--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)}))
    found = {}
    for text in PROJECT["dependencies"]:
        needed(Requirement(text), found)
    for distribution in found.values():
        tops = {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(distribution.locate_file(top))))
    return python


def clean(python, *words, folder):
    """Run something there as somebody does who has nothing set, in an empty folder."""
    return subprocess.run(
        [str(python), *words], capture_output=True, text=True, timeout=120, check=False, cwd=folder,
        env={"PATH": os.defpath, "HOME": str(folder)},
    )  # fmt: skip


def test_the_wheel_brings_one_import_name_and_every_file(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")}
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"companion"}
    training = "calibration/training/"  # makes what is shipped, and is not shipped itself
    inside = {
        name if name.startswith("companion/") else f"companion/{name}" for name in sources() if not name.startswith(training)
    }
    ours = {name for name in inside if not name.endswith(".md")}
    assert ours - names == set(), "left out"
    assert not any("/training/" in name for name in names)
    assert {name for name in names if ".dist-info/" not in name} - inside == set(), "nobody knows of"


def test_the_demo_plays_from_the_wheel_in_an_empty_folder(installed, tmp_path):
    program = installed.with_name("companion")
    done = clean(
        program if os.name == "nt" else installed, *([] if os.name == "nt" else [str(program)]),
        "demo", "--once", "--no-browser", "--port", "0", "--speed", "100", folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SIMULATED" in done.stdout
    assert done.stderr == ""


def test_names_of_others_stay_free(installed, tmp_path):
    """``web`` is web.py's name; ``calibration`` is anybody's."""
    code = (
        "import importlib.util as u, companion, companion.web.app, companion.calibration\n"
        "assert not u.find_spec('web') and not u.find_spec('calibration') and not u.find_spec('pytest')\n"
        "print(companion.__file__)"
    )
    done = clean(installed, "-c", code, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert str(ROOT) not in done.stdout


def test_the_metadata_names_licence_and_pythons(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        (name,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        told = file.read(name).decode()
    assert f"License-Expression: {PROJECT['license']}" in told
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    for minor in (11, 12, 13):
        assert f"Programming Language :: Python :: 3.{minor}" in told


def test_a_checkout_says_the_names_that_are_installed():
    """``from web…`` would work here by chance, as a second copy of a module that is loaded already."""
    wrong = []
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in names.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and name != "setup.py":
            lines = path.read_text(encoding="utf-8").splitlines()
            wrong += [
                f"{name}: {line}" for line in lines if line.lstrip().startswith(("from web", "from calibration", "import web."))
            ]
    assert not [line for line in wrong if "from webbrowser" not in line]
