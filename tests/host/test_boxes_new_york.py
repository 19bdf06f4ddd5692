"""A round of the second game with button boxes: the call, what the lights say, and presses that mean nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from boxed_session import FIRST, BoxedSession

from companion.announce.phrases import Phrases
from companion.devices.boxes.box import PATTERNS, Button
from companion.devices.boxes.simulator import SimulatedBox
from companion.games import load

GAME = load("mr-jack-new-york")


@pytest.fixture
def session(tmp_path: Path) -> Iterator[BoxedSession]:
    made = BoxedSession(tmp_path, GAME)
    yield made
    made.close()


def play_to_the_call(session: BoxedSession, box: SimulatedBox) -> None:
    """Beach builds, Latimer builds where he may not and puts it right, Callahan and Smith play."""
    hands = session.hands
    session.look()
    hands.move("beach", "G12").shift("tiles", None, "E12", "subway")
    session.look()
    hands.move("latimer", "D5").shift("tiles", None, "C8", "lamp")
    session.look()
    assert session.table.snapshot()["flag"] is not None
    session.shows(box, "wrong")  # before it is put right: a box tells how the table stands, not how it stood
    hands.shift("tiles", "C8", "F7")
    session.look()
    hands.move("callahan", "F11").state["barricades"] = [["E4", "E6"], ["K14", "L15"]]
    session.look()
    hands.move("smith", "I10").shift("steamboats", "K16", "B13")
    session.look()
    session.until(lambda: session.table.snapshot()["question"] is not None)


@pytest.mark.parametrize("seen", [True, False])
def test_a_round_on_the_box_with_a_wrong_build_and_the_call(session: BoxedSession, seen: bool) -> None:
    line, box = session.plug()
    session.shows(box, "ready")
    line.press(Button.ANSWER_B)  # nobody was asked
    session.until(lambda: bool(session.notices("box-press-refused")))
    assert session.notices("box-press-refused")[0]["params"]["reason"] == "nothing is asked now"
    session.until(lambda: bool(box.sounds))
    session.shows(box, "ready")
    play_to_the_call(session, box)
    session.shows(box, "ask")
    line.press(Button.ANSWER_A if seen else Button.ANSWER_B)
    session.until(lambda: session.table.snapshot()["called"] is not None)
    assert session.table.snapshot()["called"]["seen"] is seen
    session.shows(box, "taken")
    tones = [PATTERNS[name].tone for name in ("wrong", "wrong", "ask")]
    assert [sound.tone for sound in box.sounds] == tones, "the refusal, the flagged build, the call"


def test_the_flagged_build_is_said_again_and_shown_until_it_is_put_right(session: BoxedSession) -> None:
    line, box = session.plug()
    session.shows(box, "ready")
    hands = session.hands
    session.look()
    hands.move("beach", "E12").shift("tiles", None, "G6", "subway")
    session.look()
    session.shows(box, "wrong")
    flagged = next(event for event in session.table.wait_events(0, 0) if event.kind == "flag")
    line.press(Button.AGAIN)
    session.until(lambda: bool(session.again))  # it is put on record before it is said
    assert [event.number for event in session.again] == [flagged.number]
    said = Phrases().announce(flagged.to_json())
    assert said is not None and "G6" in said.text and said.urgency == "assertive"
    hands.shift("tiles", "G6", "C12")
    session.look()
    session.shows(box, "ready")
    assert session.table.snapshot()["played"] == ["beach"]


def test_an_answer_counts_once_and_the_cleared_are_turned_with_the_box_waiting(session: BoxedSession) -> None:
    line, box = session.plug()
    play_to_the_call(session, box)
    seen = session.table.snapshot()["witness"]["seen"]
    session.boxes.assign(FIRST, "jack")
    session.shows(box, "ask")
    assert seen and len(seen) < len(GAME.characters), "either answer can be now"
    line.press(Button.ANSWER_A)
    session.until(lambda: session.table.snapshot()["phase"] == "clean-up")
    session.shows(box, "taken")
    line.press(Button.ANSWER_B)
    session.until(lambda: bool(session.notices("box-press-refused")))
    assert session.notices("box-press-refused")[0]["params"]["reason"] == "nothing is asked now"
    assert session.table.snapshot()["called"]["seen"] is True
    session.hands.turn(*(set(GAME.characters) - set(seen))).mark_turn(2)
    session.look()
    session.shows(box, "ready")
    assert session.table.snapshot()["turn"] == 2 and set(session.table.snapshot()["suspects"]) == set(seen)
