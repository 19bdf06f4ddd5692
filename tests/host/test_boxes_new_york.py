"""A round of the second game with button boxes: the call, what the lights say, and presses that mean nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from boxed_evening import FIRST, Evening

from companion.announce.phrases import Phrases
from companion.devices.box import PATTERNS, Button
from companion.devices.box_simulator import SimulatedBox
from companion.games import load

GAME = load("mr-jack-new-york")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path, GAME)
    yield made
    made.close()


def play_to_the_call(evening: Evening, box: SimulatedBox) -> None:
    """Beach builds, Latimer builds where he may not and puts it right, Callahan and Smith play."""
    hands = evening.hands
    evening.look()
    hands.move("beach", "G12").shift("tiles", None, "E12", "subway")
    evening.look()
    hands.move("latimer", "D5").shift("tiles", None, "C8", "lamp")
    evening.look()
    assert evening.table.snapshot()["flag"] is not None
    evening.shows(box, "wrong")  # before it is put right: a box tells how the table stands, not how it stood
    hands.shift("tiles", "C8", "F7")
    evening.look()
    hands.move("callahan", "F11").state["barricades"] = [["E4", "E6"], ["K14", "L15"]]
    evening.look()
    hands.move("smith", "I10").shift("steamboats", "K16", "B13")
    evening.look()
    evening.until(lambda: evening.table.snapshot()["question"] is not None)


@pytest.mark.parametrize("seen", [True, False])
def test_a_round_on_the_box_with_a_wrong_build_and_the_call(evening: Evening, seen: bool) -> None:
    line, box = evening.plug()
    evening.shows(box, "ready")
    line.press(Button.ANSWER_B)  # nobody was asked
    evening.until(lambda: bool(evening.notices("box-press-refused")))
    assert evening.notices("box-press-refused")[0]["params"]["reason"] == "nothing is asked now"
    evening.until(lambda: bool(box.sounds))
    evening.shows(box, "ready")
    play_to_the_call(evening, box)
    evening.shows(box, "ask")
    line.press(Button.ANSWER_A if seen else Button.ANSWER_B)
    evening.until(lambda: evening.table.snapshot()["called"] is not None)
    assert evening.table.snapshot()["called"]["seen"] is seen
    evening.shows(box, "taken")
    tones = [PATTERNS[name].tone for name in ("wrong", "wrong", "ask")]
    assert [sound.tone for sound in box.sounds] == tones, "the refusal, the flagged build, the call"


def test_the_flagged_build_is_said_again_and_shown_until_it_is_put_right(evening: Evening) -> None:
    line, box = evening.plug()
    evening.shows(box, "ready")
    hands = evening.hands
    evening.look()
    hands.move("beach", "E12").shift("tiles", None, "G6", "subway")
    evening.look()
    evening.shows(box, "wrong")
    flagged = next(event for event in evening.table.wait_events(0, 0) if event.kind == "flag")
    line.press(Button.AGAIN)
    evening.until(lambda: bool(evening.notices("again")))
    assert [event.number for event in evening.again] == [flagged.number]
    said = Phrases().announce(flagged.to_json())
    assert said is not None and "G6" in said.text and said.urgency == "assertive"
    hands.shift("tiles", "G6", "C12")
    evening.look()
    evening.shows(box, "ready")
    assert evening.table.snapshot()["played"] == ["beach"]


def test_an_answer_counts_once_and_the_cleared_are_turned_with_the_box_waiting(evening: Evening) -> None:
    line, box = evening.plug()
    play_to_the_call(evening, box)
    seen = evening.table.snapshot()["witness"]["seen"]
    evening.boxes.assign(FIRST, "jack")
    evening.shows(box, "ask")
    assert seen and len(seen) < len(GAME.characters), "either answer can be now"
    line.press(Button.ANSWER_A)
    evening.until(lambda: evening.table.snapshot()["phase"] == "clean-up")
    evening.shows(box, "taken")
    line.press(Button.ANSWER_B)
    evening.until(lambda: bool(evening.notices("box-press-refused")))
    assert evening.notices("box-press-refused")[0]["params"]["reason"] == "nothing is asked now"
    assert evening.table.snapshot()["called"]["seen"] is True
    evening.hands.turn(*(set(GAME.characters) - set(seen))).mark_turn(2)
    evening.look()
    evening.shows(box, "ready")
    assert evening.table.snapshot()["turn"] == 2 and set(evening.table.snapshot()["suspects"]) == set(seen)
