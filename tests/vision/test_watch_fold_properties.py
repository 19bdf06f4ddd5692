"""What holds of the watcher's fold whatever a camera shows: drawn sequences of frames, no pictures."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from told_frames import AT_ONCE, AWAY, COSTLY, HERE, STICKERS, WHOLE_ONLY, Scene, ToldTable

from companion.vision.camera import Registration
from companion.vision.reader import Traits
from companion.vision.reading_comparison import same_claims
from companion.vision.watching.fold import step
from companion.vision.watching.settings import WatchSettings
from companion.vision.watching.state import AtRest, Moving, Searching, Step

SPOTS = ("g5", "e6", "d4", "f5")
HANDS = (frozenset[str](), frozenset({"g5"}), frozenset({"g5", "g4", "f5", "f4"}), frozenset({"d4", "d5", "e5", "e6"}))
scenes = st.builds(
    Scene,
    holmes=st.sampled_from(SPOTS),
    hand=st.sampled_from(HANDS),
    moving=st.sampled_from((False, False, False, True)),
    shaken=st.sampled_from((False, False, False, False, True)),
    beside=st.booleans(),
    at=st.sampled_from((HERE, HERE, HERE, HERE, AWAY, None)),
    fault=st.sampled_from(("", "", "", "", "the picture is black")),
    unknown=st.sampled_from(((), (), ("cover:c2",), ("turn", "cover:c2"))),
    nudged_mm=st.sampled_from((0.0, 0.0, 1.0, 3.0)),
    size=st.sampled_from(((1280, 720),) * 9 + ((640, 360),)),
)
traits = st.sampled_from((STICKERS, COSTLY, AT_ONCE, WHOLE_ONLY))
films = st.lists(st.tuples(scenes, st.integers(1, 12), st.sampled_from((0.02, 0.05, 0.11))), min_size=1, max_size=12)
"""Scenes, each for so many frames, so many seconds apart. Only the first frame of a scene can move."""
watching = st.builds(WatchSettings, readings=st.integers(1, 4), quiet_s=st.sampled_from((0.1, 0.15, 0.3, 0.5)))
SLOW = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])


def frames(film: list[tuple[Scene, int, float]]) -> list[tuple[float, Scene]]:
    """The frames of a film with their times."""
    now, made = 0.0, []
    for scene, count, apart in film:
        for number in range(count):
            made.append((now, scene if number == 0 else replace(scene, moving=False, shaken=False)))
            now += apart
    return made


@SLOW
@given(traits, films, watching)
def test_a_settled_reading_needs_equal_looks_and_a_time_without_motion(
    trait: Traits, film: list[tuple[Scene, int, float]], least: WatchSettings
) -> None:
    table = ToldTable(trait, least)
    for at, scene in frames(film):
        done = table.show(at, scene)
        assert isinstance(done, Step)
        if done.analysis.settled is None:
            continue
        assert not done.analysis.moving
        assert not scene.moving
        assert not scene.shaken
        assert scene.at is not None
        assert table.still_since is not None
        assert at - table.still_since >= least.quiet_s - 1e-5
        alike = [reading for when, reading in table.looks if when >= table.still_since]
        assert len(alike) >= least.readings
        assert same_claims(alike[-1], done.analysis.settled, None) or trait.incremental
        assert all(same_claims(one, alike[-1], None) for one in alike[-least.readings :]) or trait.incremental


@SLOW
@given(traits, films)
def test_what_is_claimed_as_settled_lies_there(trait: Traits, film: list[tuple[Scene, int, float]]) -> None:
    table = ToldTable(trait)
    for at, scene in frames(film):
        done = table.show(at, scene)
        assert isinstance(done, Step)
        if done.analysis.settled is not None:
            assert [one.place for one in done.analysis.settled.sightings] in ([scene.holmes], [])


@SLOW
@given(traits, films, st.sampled_from(HANDS[2:]))
def test_nothing_settles_soon_while_a_hand_lies_over_the_board(
    trait: Traits, film: list[tuple[Scene, int, float]], hand: frozenset[str]
) -> None:
    table = ToldTable(trait)
    table.run(0.0, Scene("e6" if "g5" in hand else "g5"), 2.0)
    now, patience = 2.0, WatchSettings().patience_s
    came, before = now, Scene().content
    for _, scene in frames(film):
        covered = replace(scene, hand=hand, size=(1280, 720), at=HERE)
        # Nothing comes or goes without motion: a change that no look was taken of, or of doubts alone, need not count.
        covered = replace(covered, moving=covered.moving or covered.content != before)
        came = now if covered.moving or covered.shaken else came
        before = covered.content
        done = table.show(now, covered)
        assert isinstance(done, Step)
        if now - came < patience - 0.01:
            assert done.analysis.settled is None or table.state.look is None
        now += 0.05


@SLOW
@given(traits, st.lists(st.tuples(scenes, st.floats(-1e6, 1e6)), max_size=60))
def test_a_clock_that_jumps_neither_fails_nor_settles_too_soon(trait: Traits, shown: list[tuple[Scene, float]]) -> None:
    table = ToldTable(trait)
    for scene, at in shown:
        done = table.show(at, scene)
        assert isinstance(done, Step)
        if done.analysis.settled is not None:
            assert table.still_since is not None
            assert at - table.still_since >= WatchSettings().quiet_s - 1e-5


@given(traits, st.floats(0.0, 1e5))
def test_a_clock_that_is_set_back_delays_a_reading_and_loses_none(trait: Traits, back: float) -> None:
    table = ToldTable(trait)
    table.run(1e5, Scene(), 2.0)
    begin = 1e5 - back
    table.show(begin, Scene(moving=True))
    seen = table.run(begin + 0.05, Scene("e6"), 1.0)
    later = table.run(max(begin, 1e5) + 2.0, Scene("e6"), 4.0)
    told = [one.analysis.settled for one in (*seen, *later) if one.analysis.settled is not None]
    assert [one.place for one in told[-1].sightings] == ["e6"]


@SLOW
@given(traits, films)
def test_without_the_board_nothing_is_steady_and_the_last_look_is_kept(
    trait: Traits, film: list[tuple[Scene, int, float]]
) -> None:
    table = ToldTable(trait)
    table.run(0.0, Scene(), 2.0)
    table.show(2.0, Scene(moving=True))
    look, told = table.state.look, []
    for at, scene in frames(film):
        done = table.show(2.05 + at, replace(scene, at=None))
        assert isinstance(done, Step)
        told += [notice.code for notice in done.analysis.notices]
        assert done.analysis.settled is None
        assert not done.analysis.steady
        assert table.state.look is look
        assert not isinstance(table.state.phase, AtRest)
    assert set(told) <= {"board-lost", "camera-moved"}
    assert told.count("camera-moved") <= 1


@settings(SLOW, max_examples=20)
@given(traits, films)
def test_a_step_changes_nothing_and_is_the_same_again(trait: Traits, film: list[tuple[Scene, int, float]]) -> None:
    table = ToldTable(trait)
    for at, scene in frames(film):
        state = table.state
        noted = repr(state)
        view = replace(table.view(at, scene))
        first, second = (step(state, view, table.table) for _ in range(2))
        assert type(first) is type(second)
        assert repr(first) == repr(second)
        assert repr(state) == noted
        table.show(at, scene)


@SLOW
@given(traits, films)
def test_states_pass_only_where_they_may(trait: Traits, film: list[tuple[Scene, int, float]]) -> None:
    table = ToldTable(trait)
    phases = []
    for at, scene in frames(film):
        done = table.show(at, scene)
        assert isinstance(done, Step)
        phases.append(table.state.phase)
        assert isinstance(table.state.phase, Moving) == (scene.moving or scene.shaken)
        if isinstance(table.state.phase, Searching):
            assert table.state.pose.sought.lost
            assert table.state.phase.looks.pending == ()
        if done.analysis.steady:
            assert isinstance(table.state.phase, AtRest)
    for before, after in pairwise(phases):
        if isinstance(before, Moving) and isinstance(after, AtRest):
            assert table.state.look is not None, "nothing is at rest before it was read"


@pytest.mark.parametrize("count", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_many_frames_leave_a_state_as_small_as_a_few(count: int) -> None:
    table = ToldTable(STICKERS)
    turns = (Scene(), Scene(moving=True), Scene("e6"), Scene(hand=HANDS[2]), Scene(at=None), Scene(shaken=True, at=AWAY),
             Scene(at=AWAY), Scene(fault="3 % did not arrive"), Scene(unknown=("turn",)))  # fmt: skip
    most = 0
    for number in range(count):
        scene = turns[number // 7 % len(turns)]
        table.show(number / 20, scene if number % 7 == 0 else replace(scene, moving=False, shaken=False))
        if number % 1000 < len(turns) * 7:
            size = parts(table.state)
            most = max(most, size) if number < 1000 else most
            assert size <= most


def parts(value: object) -> int:
    """How many values one is made of; what a camera's pose is made of counts as one."""
    if isinstance(value, str | Registration):
        return 1
    if isinstance(value, Mapping):
        return 1 + sum(parts(one) for pair in value.items() for one in pair)
    if isinstance(value, tuple | list | set | frozenset):
        return 1 + sum(map(parts, value))
    if is_dataclass(value):
        return 1 + sum(parts(getattr(value, one.name)) for one in fields(value))
    return 1
