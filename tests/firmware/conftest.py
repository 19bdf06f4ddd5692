"""Builds what these tests run, once. Without the tools the tests say so; in CI that is a failure."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from emulated_box import EmulatedBox, Harness, build_emulator, build_harness, missing

# The game over the box is played by the same scripted hands and eyes as the referee's and the host's tests.
sys.path[:0] = [str(Path(__file__).parent.parent / room) for room in ("referee", "host")]


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is built."""
    lacking = missing()
    if lacking:
        message = f"not run, as these are not installed: {', '.join(lacking)}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return tmp_path_factory.mktemp("firmware")


@pytest.fixture(scope="session")
def emulator(tools: Path) -> Path:
    return build_emulator(tools)


@pytest.fixture(scope="session")
def harness_program(tools: Path) -> Path:
    return build_harness(tools)


@pytest.fixture
def harness(harness_program: Path) -> Iterator[Harness]:
    made = Harness(harness_program)
    yield made
    made.close()


@pytest.fixture
def new_box(emulator: Path, tmp_path: Path) -> Iterator[Callable[..., EmulatedBox]]:
    """Starts emulated boxes and stops them afterwards."""
    made: list[EmulatedBox] = []

    def make(name: str = "box", speed: float = 1) -> EmulatedBox:
        made.append(EmulatedBox(emulator, tmp_path, name, speed))
        return made[-1]

    yield make
    for box in made:
        box.close()
