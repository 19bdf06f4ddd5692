"""The watcher's fold, transition by transition: named cases, no pictures."""

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from told_frames import AT_ONCE, AWAY, BESIDE, COSTLY, HERE, STICKERS, WHOLE_ONLY, Scene, ToldTable

from companion.vision.camera import Registration
from companion.vision.reader import Traits
from companion.vision.watching.fold import step
from companion.vision.watching.state import (
    Aim,
    Ask,
    AtRest,
    Beginning,
    Doubtful,
    KeepPicture,
    Learn,
    Moving,
    Phase,
    Searching,
    Settling,
    Step,
    TakeLook,
    WatchState,
)  # fmt: skip

REST = Scene()
MOVED = Scene("e6")
HAND = Scene(hand=frozenset({"g5", "g4", "f5", "f4"}))
GONE = Scene(at=None)
REACHING = replace(REST, moving=True)


def settled(traits: Traits = STICKERS) -> ToldTable:
    """A table at rest for a second."""
    table = ToldTable(traits)
    assert any(one.analysis.settled for one in table.run(0.0, REST, 1.0))
    assert isinstance(table.state.phase, AtRest)
    return table


def reached(traits: Traits = STICKERS) -> ToldTable:
    """The same, and at 1 s a hand moved over it."""
    table = settled(traits)
    table.show(1.0, REACHING)
    assert isinstance(table.state.phase, Moving)
    return table


def begun(traits: Traits = STICKERS) -> ToldTable:
    return ToldTable(traits)


def put_down(traits: Traits = STICKERS) -> ToldTable:
    """A piece was moved by a hand that left at 1.05 s; one look at 1.15 s."""
    table = reached(traits)
    for at in (1.05, 1.1, 1.15):
        table.show(at, MOVED if at > 1.05 else replace(MOVED, moving=True))
    return table


def covered(traits: Traits = STICKERS) -> ToldTable:
    """A hand rests over the board; it was looked at at 1.15 s."""
    table = reached(traits)
    for at in (1.05, 1.15):
        table.show(at, HAND)
    return table


def out_of_sight(traits: Traits = STICKERS) -> ToldTable:
    """The board is gone since a second after it moved."""
    table = reached(traits)
    table.run(1.05, GONE, 1.5)
    return table


@dataclass(frozen=True)
class Case:
    """From a table, one frame: which state follows, what is asked, what is done and told."""

    name: str
    given: "object"
    at: float
    scene: Scene
    phase: type[Phase]
    asked: tuple[str, ...] = ()
    effects: tuple[type, ...] = ()
    settles: bool = False
    notices: tuple[str, ...] = ()
    traits: Traits = STICKERS


READ_CHANGE = ("CompareWithLook", "CheckPicture", "FindTouched", "region", "MeasureUnexplained")
CASES = (
    Case("the first frame is read whole", begun, 0.0, REST, Settling, ("CheckPicture", "whole"), (Aim,)),
    Case("a table that is never quiet is searched for its board", begun, 0.0, REACHING, Moving, ("whole",), (Aim,)),
    Case("an unusable picture is not read", begun, 0.0, replace(REST, fault="black"), Searching, ("CheckPicture",)),
    Case("no board in the first frame", begun, 0.0, GONE, Searching, ("CheckPicture", "whole")),
    Case("a hand reaches over a table at rest", settled, 1.0, REACHING, Moving),
    Case("the hand left and nothing differs", reached, 1.05, REST, AtRest, ("CompareWithLook",)),
    Case("something differs and it is too early to look", reached, 1.05, MOVED, Settling, ("CompareWithLook",)),
    Case("all of it differs, and the board has crept away", reached, 1.15, Scene(at=AWAY, everywhere=True), Settling,
         (*READ_CHANGE[:3], "MeasureDisplacement", "whole"), (Aim,), notices=("camera-moved", "registered-again")),
    Case("all of it differs, and the board lies where it was", reached, 1.15, Scene("e6", everywhere=True), Settling,
         (*READ_CHANGE[:3], "MeasureDisplacement", "region", "MeasureUnexplained")),
    Case("one look at the changed spots", reached, 1.10, MOVED, Settling, READ_CHANGE),
    Case("the second look waits until it can settle", put_down, 1.17, MOVED, Settling, ("CompareWithLook",)),
    Case("two looks that agree settle", put_down, 1.25, MOVED, AtRest, READ_CHANGE, (KeepPicture,), True),
    Case("a look that differs makes the other wait", put_down, 1.25, Scene("d4"), Settling, READ_CHANGE),
    Case("a piece that creeps makes it wait", put_down, 1.25, replace(MOVED, nudged_mm=3.0), Settling, READ_CHANGE),
    Case("a piece found a millimetre beside", put_down, 1.25, replace(MOVED, nudged_mm=1.0), AtRest, READ_CHANGE,
         (KeepPicture,), True),
    Case("motion forgets what waits", put_down, 1.25, replace(MOVED, moving=True), Moving),
    Case("a hand that rests is doubt", reached, 1.15, HAND, Doubtful,
         ("CompareWithLook", "CheckPicture", "FindTouched", "region", "MeasureDisplacement")),
    Case("doubts are looked at less often", covered, 1.30, HAND, Doubtful, ("CompareWithLook",)),
    Case("a spot that cannot be told is doubt", reached, 1.15, replace(MOVED, unknown=("cover:c2",)), Doubtful,
         ("CompareWithLook", "CheckPicture", "FindTouched", "region", "MeasureDisplacement")),
    Case("patience ends doubts", covered, 3.2, HAND, AtRest,
         ("CompareWithLook", "CheckPicture", "FindTouched", "region", "whole"), (KeepPicture,), True),
    Case("the hand rises", covered, 1.3, replace(HAND, moving=True), Moving),
    Case("the board is back", out_of_sight, 3.0, REST, Settling, (*READ_CHANGE[:3], "region", "MeasureUnexplained"),
         notices=("board-back",)),
    Case("the camera is knocked", settled, 2.0, replace(REST, shaken=True, at=AWAY), Moving, ("MeasureDisplacement",),
         notices=("camera-moved",)),
    Case("the table shakes and the camera holds", settled, 2.0, replace(REST, shaken=True), Moving, ("MeasureDisplacement",)),
    Case("pictures of another size", settled, 1.0, replace(REST, size=(640, 360)), Settling),
    Case("the table is learned after it settled, once", settled, 1.0, REST, AtRest, ("CompareWithLook",)),
    Case("a costly look takes more than one frame", reached, 1.15, HAND, Settling,
         ("CompareWithLook", "CheckPicture", "FindTouched", "region"), traits=COSTLY),
    Case("a reader of whole tables reads all of it", reached, 1.15, MOVED, Settling,
         ("CompareWithLook", "CheckPicture", "whole"), traits=WHOLE_ONLY),
    Case("a reader of whole tables looks again in a while", settled, 11.0, REST, Settling,
         ("CompareWithLook", "CheckPicture", "whole"), (KeepPicture,), traits=WHOLE_ONLY),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_frame(case: Case) -> None:
    table = case.given(case.traits)
    done = table.show(case.at, case.scene)
    assert isinstance(done, Step)
    assert type(table.state.phase) is case.phase
    assert tuple(table.kinds()) == case.asked
    assert tuple(type(effect) for effect in done.effects) == case.effects
    assert (done.analysis.settled is not None) == case.settles
    assert tuple(notice.code for notice in done.analysis.notices) == case.notices
    assert done.analysis.moving == (case.phase is Moving)


@pytest.mark.parametrize("at, said", [(AWAY, ["camera-moved", "registered-again"]), (BESIDE, [])])
def test_a_board_found_where_no_glance_can_tell_whether_it_moved_did_so_if_it_is_plainly_elsewhere(
    at: Registration, said: list[str]
) -> None:
    table = reached()
    steps = table.run(1.05, Scene(at=at, untold=True, everywhere=True), 2.0)
    assert [notice.code for one in steps for notice in one.analysis.notices] == said
    assert table.state.pose.registration is at


def test_nothing_is_known_before_the_first_frame() -> None:
    assert WatchState().phase == Beginning()


def test_a_board_is_searched_in_motion_only_now_and_then() -> None:
    table = ToldTable()
    looks = [at / 20 for at in range(40) if table.show(at / 20, replace(GONE, moving=True)) and table.asked]
    assert looks == [0.0, 0.8, 1.6]


def test_a_table_is_learned_on_the_frame_after_it_settled() -> None:
    table = ToldTable()
    steps = table.run(0.0, REST, 1.0)
    first = next(number for number, one in enumerate(steps) if one.analysis.settled)
    learned = [number for number, one in enumerate(steps) if any(isinstance(effect, Learn) for effect in one.effects)]
    assert learned == [first + 1]


def test_at_rest_one_spot_is_read_on_every_fourth_frame_in_turn() -> None:
    table = settled()
    read = []
    for number in range(40):
        table.show(1.0 + number / 20, REST)
        read += [next(iter(one.region.spots)) for one in table.asked if isinstance(one, TakeLook) and one.region]
    assert len(read) == 10
    assert len(set(read)) == 10
    start = table.table.spots.index(read[0])
    assert read == list(table.table.spots[start : start + 10])


def test_a_reader_to_which_one_spot_costs_what_all_do_reads_one_every_ten_seconds_at_rest() -> None:
    table = settled(AT_ONCE)
    read = [at / 10 for at in range(10, 420) if table.show(at / 10, REST) and "again" in table.kinds()]
    assert len(read) == 4
    assert all(9.9 <= after - before <= 10.2 for before, after in pairwise(read))
    table.kept = MOVED.content  # so slow a change that no picture differed from the one before
    found = [at / 10 for at in range(420, 560) if table.show(at / 10, MOVED) and "whole" in table.kinds()]
    assert found and found[0] - read[-1] <= 10.2


def test_a_spot_at_rest_that_reads_otherwise_is_looked_at_whole() -> None:
    table = settled()
    table.kept = MOVED.content  # so slow a change that no picture differed from the one before
    table.show(2.0, MOVED)
    while "again" not in table.kinds():
        table.show(2.0, MOVED)
    assert table.kinds() == ["CompareWithLook", "again", "CheckPicture", "whole"]
    assert isinstance(table.state.phase, Settling)


def test_the_picture_of_the_last_look_is_renewed_every_two_seconds() -> None:
    table = settled()
    renewed = [one.analysis for one in table.run(1.0, REST, 10.0) if KeepPicture() in one.effects]
    assert len(renewed) == 5


def test_a_lost_board_is_said_once_with_its_reason_and_so_is_its_return() -> None:
    table = reached()
    gone = table.run(1.05, GONE, 5.0)
    codes = [notice.code for one in gone for notice in one.analysis.notices]
    assert codes == ["board-lost"]
    assert gone[-1].analysis.lost == "no markers"
    assert gone[-1].analysis.observation is table.state.look, "the last look is shown on"
    back = table.run(6.1, REST, 1.0)
    assert [notice.code for one in back for notice in one.analysis.notices] == ["board-back"]
    assert back[-1].analysis.lost == ""
    assert not any(one.analysis.settled for one in back), "nothing has changed"


def test_a_knocked_board_is_found_again_and_the_gate_aimed_at_it() -> None:
    table = settled()
    table.show(2.0, Scene(shaken=True, at=AWAY))
    after = table.run(2.05, Scene(at=AWAY), 1.0)
    assert [notice.code for one in after for notice in one.analysis.notices] == ["registered-again"]
    assert [effect.registration for one in after for effect in one.effects if isinstance(effect, Aim)] == [AWAY]
    assert table.state.pose.registration is AWAY
    assert not any(one.analysis.settled for one in after)


def test_a_look_from_before_the_board_was_sought_is_not_continued() -> None:
    table = settled()
    table.show(2.0, Scene(shaken=True, at=AWAY))
    asked = []
    for number in range(1, 6):
        table.show(2.0 + number / 20, MOVED)
        asked += [kind for kind in table.kinds() if kind in ("region", "whole")]
    assert asked == ["whole", "whole"], "the camera came back to where it was, and nothing vouches for the spots at rest"
    assert isinstance(table.state.phase, AtRest)


def test_a_costly_look_is_told_once_all_of_it_was_read() -> None:
    table = reached(COSTLY)
    spots: list[int] = []
    for number in range(12):
        table.show(1.15 + number / 20, replace(HAND, holmes="e6"))
        spots += [len(one.region.spots) for one in table.asked if isinstance(one, TakeLook) and one.region]
    assert max(spots) == COSTLY.spots_a_frame
    assert spots[:3] == [2, 2, 1], "five spots"


def test_what_the_reader_refuses_holds_back_the_next_search_as_an_answer_would() -> None:
    table = ToldTable()
    asked = [at / 20 for at in range(20) if isinstance(table.show(at / 20, REACHING, refuses=True), Ask)]
    assert asked == [0.0, 0.8]
    assert table.state.look is None
    assert table.state.pose.registration is None


def test_doubts_are_waited_for_on_through_pulses_of_the_camera() -> None:
    """A coded film whose keyframes look like motion twice a second, and a spot that cannot be told."""
    doubtful = replace(MOVED, unknown=("cover:c2",))

    def run(table: ToldTable, pulse_s: float) -> list[float]:
        told = []
        for number in range(120):
            at = 1.1 + number / 20
            done = table.show(at, replace(doubtful, moving=at % 1.5 < pulse_s))
            told += [at] if isinstance(done, Step) and done.analysis.settled else []
        return told

    table = reached()
    brief = run(table, 0.3)
    assert len(brief) == 1
    assert brief[0] <= 1.1 + table.settings.patience_s + 0.8
    assert run(reached(), 0.9) == [], "a hand that comes and goes is waited for"


@pytest.mark.parametrize("pulses", [False, True])
def test_a_hand_that_moves_a_little_is_waited_for_anew_and_one_in_a_pulsing_film_is_not(pulses: bool) -> None:
    table = reached()
    told = []
    for number in range(120):
        at = 1.1 + number / 20
        stirs = at % 1.5 < 0.1
        done = table.show(at, replace(HAND, moving=stirs and not pulses, trembling=stirs and pulses))
        told += [at] if isinstance(done, Step) and done.analysis.settled else []
    assert bool(told) == pulses


def test_doubts_that_changed_while_something_moved_are_waited_for_anew() -> None:
    table = reached()
    table.run(1.05, replace(MOVED, unknown=("cover:c2",)), 1.5)
    table.run(2.55, replace(MOVED, moving=True), 0.2)
    told = [one.analysis.settled for one in table.run(2.75, replace(MOVED, unknown=("cover:k4",)), 1.5)]
    assert not any(told)


@pytest.mark.parametrize("found", [True, False])
def test_a_picture_that_never_rests_is_said_once(found: bool) -> None:
    table = settled() if found else ToldTable()
    codes = [n.code for one in table.run(1.0, Scene(trembling=True), 30.0) for n in one.analysis.notices]
    assert codes.count("never-rests") == 1
    table.run(31.0, REST, 2.0)
    codes = [n.code for one in table.run(33.0, Scene(trembling=True), 10.0) for n in one.analysis.notices]
    assert codes.count("never-rests") == 1, "it rested, and trembles again"


def test_hands_that_never_rest_are_no_fault_of_the_camera() -> None:
    table = settled()
    codes = [n.code for one in table.run(1.0, REACHING, 30.0) for n in one.analysis.notices]
    assert codes == []


def test_a_picture_that_trembles_now_and_then_is_read_in_between() -> None:
    table = settled()
    codes = []
    for number in range(600):
        done = table.show(1.0 + number / 20, replace(REST, trembling=number % 10 < 5))
        codes += [n.code for n in done.analysis.notices] if isinstance(done, Step) else []
    assert codes == []


def test_what_moves_beside_the_board_is_left_out_after_a_while_and_counts_again_after_a_rest() -> None:
    table = settled()
    table.run(1.0, Scene(beside=True, moving=True), 0.9)
    assert not table.state.beside.board_only
    table.run(1.9, Scene(beside=True, moving=True), 0.3)
    assert table.state.beside.board_only
    table.run(2.2, REST, 4.5)
    assert table.state.beside.board_only
    table.run(6.7, REST, 1.0)
    assert not table.state.beside.board_only


def test_a_step_is_asked_with_all_answers_at_once_and_says_the_same() -> None:
    table = put_down()
    before, view = table.state, table.view(1.25, MOVED)
    for question in table.asked:
        view = table._answered(view, question, 1.25, MOVED)
    at_once = step(before, view, table.table)
    assert isinstance(at_once, Step)
    by_and_by = table.show(1.25, MOVED)
    assert isinstance(by_and_by, Step)
    assert at_once.analysis.settled is not None
    assert at_once.analysis.settled == by_and_by.analysis.settled
    assert before.phase != at_once.state.phase, "and the state before is what it was"
    assert isinstance(before.phase, Settling)
    assert HERE is before.pose.registration
