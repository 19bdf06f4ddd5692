"""The players' clocks: whose time runs, when it stands still, and that the record alone gives the same seconds again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_table import GAME, Hands, settled_hands

from companion.announce.phrases import Phrases
from companion.errors import BadInput
from companion.referee.clock import GameClock
from companion.referee.decide import on_clock, on_return
from companion.referee.match import fold
from companion.referee.view import view


def timed(**more: object) -> Hands:
    hands = settled_hands()
    hands.say(kind="clock", action="start", **{"seconds": 600, **more})
    return hands


def left(hands: Hands) -> tuple[float, float]:
    clock = hands.match.clock
    assert clock is not None
    now = clock.at(hands.now).left
    return now["detective"], now["jack"]


def test_time_runs_for_whoever_picks() -> None:
    hands = timed()
    assert view(hands.match)["clock"]["running"] == "detective"
    hands.now += 59
    hands.move("holmes", "e6").see()
    assert left(hands) == (540, 600) and view(hands.match)["clock"]["running"] == "jack"
    hands.now += 29
    hands.move("stealthy", "k7").see()
    assert left(hands) == (540, 570) and view(hands.match)["clock"]["running"] == "jack", "Jack picks twice in odd turns"
    assert fold(GAME, hands.events).clock == hands.match.clock


def test_delay_is_free_and_increment_is_given_after_each_pick_and_taken_with_it() -> None:
    hands = timed(delay=5, increment=10)
    hands.now += 2
    hands.move("holmes", "e6").see()
    assert left(hands) == (610, 600), "three seconds are within the delay"
    hands.now += 9
    hands.move("stealthy", "k7").see()
    assert left(hands) == (610, 605)
    hands.say(kind="undo")
    assert left(hands) == (610, 595)


def test_where_the_arbiter_takes_the_game_back_to_the_clocks_stay() -> None:
    hands = timed(increment=10)
    hands.move("holmes", "e6").see()
    hands.move("stealthy", "k7").see()
    begun, once, _ = [past.number for past in hands.match.past][-3:]
    for to in (once, begun):
        before = left(hands)
        hands.say(kind="rule", action="take-back", to=to, reason="the wrong evening")
        assert left(hands) == before, "neither given nor taken: nobody picked"


def test_a_play_that_the_arbiter_allows_is_a_pick() -> None:
    hands = timed(increment=10)
    hands.move("bert", "g10").see()
    assert hands.match.flag is not None
    before = left(hands)
    hands.say(kind="rule", action="allow", character="bert", reason="agreed at this table")
    assert left(hands) == (before[0] + 10, before[1])


def test_it_stands_still_while_something_is_put_right_answered_or_adjourned() -> None:
    hands = timed()
    hands.move("bert", "g10").see()
    before = left(hands)
    hands.now += 300
    assert left(hands) == before and view(hands.match)["clock"]["running"] is None
    hands.move("bert", "i8").see()
    assert left(hands) == before
    hands.say(kind="rule", action="adjourn", reason="lunch")
    hands.now += 3600
    hands.say(kind="rule", action="resume", reason="back")
    assert left(hands) == before
    hands.say(kind="clock", action="hold", reason="a glass fell over")
    hands.now += 100
    assert left(hands) == before
    hands.say(kind="clock", action="go", reason="mopped up")
    hands.now += 10
    assert left(hands) == (before[0] - 10, before[1])


def test_the_end_of_the_time_is_told_once_and_the_arbiter_may_give_more() -> None:
    hands = timed(budgets={"detective": 60, "jack": 90})
    assert on_clock(hands.match, hands.now + 59) == []
    assert hands.write(on_clock(hands.match, hands.now + 60)) == ["time-over"]
    assert on_clock(hands.match, hands.now + 100) == []
    assert view(hands.match)["clock"]["fallen"] == ["detective"]
    hands.say(kind="clock", action="set", role="detective", seconds=30, reason="the lamp went out")
    assert view(hands.match)["clock"]["fallen"] == [] and left(hands)[0] == 30
    said = [Phrases().announce(event.to_json()) for event in hands.events if event.kind in ("clock", "time-over")]
    assert len(said) == 3 and all(one and one.text for one in said)


def test_nobody_pays_for_the_companion_being_away() -> None:
    hands = timed()
    hands.now += 1000
    assert hands.write(on_return(hands.match)) == ["clock"]
    assert left(hands) == (600, 600)


@pytest.mark.parametrize(
    "wrong",
    [
        {"action": "dance"},
        {"action": "start", "seconds": 0},
        {"action": "start", "seconds": True},
        {"action": "start", "budgets": {"jack": 60}},
        {"action": "start", "seconds": 60, "delay": -1},
        {"action": "hold", "reason": "x"},
    ],
)
def test_what_makes_no_clock_is_refused(wrong: dict) -> None:
    with pytest.raises(BadInput):
        settled_hands().say(kind="clock", **wrong)


def test_a_word_about_running_clocks_needs_a_reason() -> None:
    with pytest.raises(BadInput, match="reason"):
        timed().say(kind="clock", action="hold")


@settings(max_examples=60)
@given(st.lists(st.floats(0, 500), min_size=1, max_size=6), st.floats(0, 30))
def test_looking_at_a_clock_often_or_once_is_the_same(steps: list[float], delay: float) -> None:
    begun = GameClock({"a": 600.0}, 0.0, delay, 0.0, running="a", free=delay)
    often = begun
    for index in range(len(steps)):
        often = often.at(sum(steps[: index + 1]))
    once = begun.at(sum(steps))
    assert often.left["a"] == pytest.approx(once.left["a"], abs=0.02) and often.since == once.since
    assert once.at(-5.0).left == once.left, "a clock that was set back gives no time"
