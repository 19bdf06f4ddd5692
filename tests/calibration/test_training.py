"""Where the readers' weights come from: what is shipped follows from what is kept here, bit for bit."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.calibration.training import ablate, fit_sides, rebuild
from companion.calibration.training.judge import table_of
from companion.calibration.training.second_sides import APART
from companion.calibration.training.shipped import PLAIN
from companion.vision.marked.settings import MarkedSettings
from companion.vision.plain.settings import PlainSettings

NETWORKS = {path.stem for path in PLAIN.glob("*.onnx")}


@pytest.mark.parametrize("name", ["first_side", "which_side"])
def test_the_weights_of_sides_are_rebuilt_bit_for_bit(name):
    told = dict(fit_sides.fits())[name]
    assert json.dumps(told) == (PLAIN / f"{name}.json").read_text("utf-8").strip()


def test_other_rows_give_other_weights():
    ratios, first, family = fit_sides.rows()
    assert set(family) > {APART}
    assert fit_sides.fitted(ratios, first, family, "first_side") != dict(fit_sides.fits())["first_side"]


def test_every_shipped_file_of_weights_has_a_stage_that_makes_it():
    made = {stage.output[5:] for stage in rebuild.STAGES if stage.output.startswith("ship:")}
    assert made == {path.name for path in PLAIN.iterdir() if path.suffix in (".onnx", ".json")}
    assert {stage.name for stage in rebuild.STAGES} >= NETWORKS


def test_stages_stand_after_what_they_need():
    names = [stage.name for stage in rebuild.STAGES]
    assert len(set(names)) == len(names)
    for index, stage in enumerate(rebuild.STAGES):
        assert set(stage.needs) <= set(names[:index]), stage.name


def test_a_stage_brings_what_it_needs_and_no_more():
    assert [stage.name for stage in rebuild.chosen(["below"])] == ["gathered", "below-patches", "place.pt", "below.pt", "below"]
    assert rebuild.chosen([]) == rebuild.STAGES
    with pytest.raises(SystemExit, match=r"there is no stage bellow; there are gathered, "):
        rebuild.chosen(["bellow"])


def test_a_stage_is_called_once_for_every_range_of_seeds():
    (stage,) = rebuild.chosen(["weighed"])
    out = str(Path("work") / "weighed.pkl")
    assert list(rebuild.calls(stage, Path("work"))) == [["gather", "9600", "9660", out], ["gather", "8660", "8740", out]]


def test_a_run_that_was_broken_off_goes_on_where_it_stood(tmp_path, monkeypatch):
    called = []

    def run(words, check):
        module = words[2].rpartition(".")[2]
        called.append((module, words[3]))
        if words[3] == "train":
            Path(words[-2]).write_bytes(b"half of the weights")
            raise KeyboardInterrupt
        Path(words[4] if words[3] == "bank" else words[-1]).write_bytes(b"made")

    monkeypatch.setattr(rebuild, "LOCK", tmp_path / "lock.json")
    (tmp_path / "lock.json").write_text("{}")
    monkeypatch.setattr(rebuild.subprocess, "run", run)
    stages = rebuild.chosen(["wedge.pt"])
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            rebuild.run(stages, tmp_path / "work")
    assert called == [("gather", "gather"), ("train_wedge", "bank"), ("train_wedge", "train"), ("train_wedge", "train")]
    lock = json.loads((tmp_path / "lock.json").read_text())
    assert set(lock) == {"wedged", "wedges"}
    assert lock["wedged"]["sha256"] == rebuild.digest(tmp_path / "work" / "wedged.pkl")


@pytest.mark.parametrize("kind", ["ordinary", "wild", "other-picture"])
def test_a_seed_always_gives_the_same_picture(kind):
    one, other = (table_of(61_000, kind).shoot({})[0] for _ in range(2))
    assert np.array_equal(one, other)


@pytest.mark.parametrize("kind", [PlainSettings, MarkedSettings])
def test_every_setting_can_be_put_out_of_action(kind):
    own = dict(ablate.leaves(kind()))
    assert len(own) > 50
    for path, value in own.items():
        low, high = ablate.extremes(value)
        assert low < high
        for extreme in (low, high):
            assert isinstance(extreme, type(value))
            others = dict(ablate.leaves(ablate.changed(kind(), path, extreme)))
            assert others == own | {path: extreme}


def test_what_a_setting_costs_is_told_by_copy():
    rng = np.random.default_rng(0)
    base = [np.array([10, 0, 0]), np.array([9, 1, 0]), None]
    words, apart = ablate.told(base, [np.array([8, 1, 1]), np.array([9, 1, 0]), None], rng)
    assert apart.tolist() == [-2, 1, 1]
    assert words.startswith("exact -2 (-4 to +0), unknown +1 ")
    assert not ablate.harmless(apart)
    assert ablate.harmless(np.array([1, -1, 0]))
    words, apart = ablate.told(base, ["ValueError", None, None], rng)
    assert (words, apart) == ("ValueError on 1, 1 not taught", None)
    assert not ablate.harmless(None)
