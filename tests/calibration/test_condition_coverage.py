"""Which conditions of a module decide: an instrumented module does what it did, and what never decided is named."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.calibration.training.condition_coverage import Recorder, instrumented, merged, undecided

SOURCE = '''
"""A module with rules."""
EVERYWHERE = 1 | 2


class Judge:
    """Rules in a class, whose private names are mangled."""

    __limit: int | None = 3

    def far(self, value: int, near: bool = False) -> bool:
        """Two operands, of which the second never is false."""
        return value > self.__limit and value < 1000 or near


def kept(values, mask, other):
    """A filter that drops none, a mask that takes nothing away, a branch that is never taken."""
    if len(values) == 0:
        return []
    both = mask & other
    return [value if value > 0 else 0 for value, there in zip(values, both) if there or value is None]


def left_alone():
    return EVERYWHERE
'''


def load(recorder: Recorder) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "rules", **recorder.names}
    exec(instrumented(SOURCE, "rules", "rules.py", recorder.seen), names)
    return names


def test_what_never_decided_is_named_and_what_did_is_not() -> None:
    recorder = Recorder()
    rules = load(recorder)
    assert [rules["Judge"]().far(value) for value in (2, 4)] == [False, True]
    assert rules["kept"]([5, -1], np.array([True, True]), np.array([True, False])) == [5]
    assert rules["kept"]([5, -1], np.array([True, True]), np.array([True, True])) == [5, 0]
    told = {condition.partition(" ")[2]: found for condition, found in undecided(recorder.seen)}
    assert told == {
        "and in Judge.far: value < 1000": "always true",
        "or in Judge.far: near": "always false",
        "if in kept: len(values) == 0": "always false",
        "& in kept: mask & other": "nothing by its left",
        "or in kept: value is None": "always false",
        "def in left_alone: left_alone": "never called",
    }


@pytest.mark.slow
def test_a_run_is_recorded_for_the_package_that_is_watched_and_adds_to_the_last_one(tmp_path: Path) -> None:
    file = tmp_path / "seen.json"
    module = "companion.calibration.training.condition_coverage"
    command = [sys.executable, "-m", module, "record", str(file), "companion", "check-cards"]
    file.write_text(json.dumps({"companion.vision.gone:1:0 if in f: x": ["true"]}), encoding="utf-8")
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    seen = merged([file])
    assert seen.pop("companion.vision.gone:1:0 if in f: x") == {"true"}
    assert seen
    assert all(condition.startswith("companion.vision.") for condition in seen)
