"""Boxes at a running table: presses become answers and commands, events become lights, troubles become notices."""

import json
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from boxed_session import FIRST, BoxedSession
from hypothesis import given
from hypothesis import strategies as some
from scripted_table import Hands
from test_expectations import HATS, move
from test_recorded_at_table import ASKED, ENTRUSTED, GAMES, replay

from companion.announce.phrases import Phrases
from companion.devices.boxes import TABLE, Press, interpret
from companion.devices.boxes.adapters import board_ports
from companion.devices.boxes.box import NOTICES, PATTERNS, BoxNotice, Button
from companion.devices.boxes.labels import labels_for
from companion.devices.boxes.simulator import Chatter, SimulatedBox, SimulatedPorts
from companion.errors import BadInput
from companion.games import load
from companion.host import box_store
from companion.host.box_state import fold, roles
from companion.host.boxes import TableBoxes, TableBoxesSettings, clock_presses
from companion.record.events import Event
from companion.record.log import RecordTrouble


@pytest.fixture
def session(tmp_path: Path) -> Iterator[BoxedSession]:
    made = BoxedSession(tmp_path)
    yield made
    made.close()


class DeskTable:
    """As much of a table as boxes need, without eyes or disk."""

    def __init__(self, events: Sequence[Event] = ()) -> None:
        self.events: list[Event] = list(events)
        self.answers: list[dict[str, Any]] = []
        self.notices: list[Any] = []
        self.subscribers: list[Any] = []
        self.refuse: Exception | None = None

    def answer(self, answer: Any, /, *, saw: int | None = None) -> dict[str, Any]:
        if self.refuse:
            raise self.refuse
        self.answers.append(dict(answer))
        return {}

    def tell(self, notice: Any) -> None:
        self.notices.append(notice)

    def subscribe(self, subscriber: Any) -> None:
        self.subscribers.append(subscriber)

    def wait_events(self, after: int, timeout: float) -> list[Event]:
        return self.events[after:]

    def push(self, kind: str, at: float = 0.0, **data: Any) -> Event:
        event = Event.following(self.events[-1] if self.events else None, kind, data, at)
        self.events.append(event)
        for subscriber in self.subscribers:
            subscriber(event)
        return event


def told(secret: str, until: str) -> list[Event]:
    """The events of a recorded game up to the first of a kind."""
    events = replay(GAMES / "recorded" / "stealthy-escapes-in-turn-two.json", secret).events
    return events[: next(event.number for event in events if event.kind == until)]


# --- a running table ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", [True, False])
def test_jack_answers_on_a_box_and_its_lights_say_the_same_for_both_answers(session: BoxedSession, seen: bool) -> None:
    line, box = session.plug()
    session.shows(box, "ready")
    line.press(Button.ANSWER_A)
    session.until(lambda: bool(session.notices("box-press-refused")))
    assert session.notices("box-press-refused")[0]["params"]["reason"] == "nothing is asked now"
    session.until(lambda: bool(box.sounds))
    session.play_first_turn()
    session.shows(box, "ask")
    line.press(Button.ANSWER_A if seen else Button.ANSWER_B)
    session.until(lambda: session.table.snapshot()["called"] is not None)
    assert session.table.snapshot()["called"]["seen"] is seen
    session.shows(box, "taken")
    assert [sound.tone for sound in box.sounds] == [PATTERNS["wrong"].tone, PATTERNS["ask"].tone]


def test_a_call_taken_back_by_holding_again_is_asked_no_more(session: BoxedSession) -> None:
    _, box = session.plug()
    session.play_first_turn()
    session.shows(box, "ask")
    session.boxes.press("again", held=True)
    assert session.table.wait_events(0, 0)[-1].kind in ("undo", "unfinished", "flag", "chores")
    assert "undo" in [event.kind for event in session.table.wait_events(0, 0)]
    session.until(lambda: box.lights != PATTERNS["ask"].packed)
    with pytest.raises(BadInput, match="nothing is asked now"):
        session.boxes.press("answer-a")


def test_again_repeats_the_last_announcement_and_the_arbiter_is_called(session: BoxedSession) -> None:
    line, _ = session.plug()
    session.play_first_turn()
    asked = next(event for event in session.table.wait_events(0, 0) if event.kind == "call-asked")
    line.press(Button.AGAIN)
    session.until(lambda: bool(session.again))  # it is put on record before it is said
    assert session.notices("again")[0]["params"] == {"number": asked.number}
    assert [event.number for event in session.again] == [asked.number]
    line.press(Button.ARBITER)
    session.until(lambda: bool(session.notices("arbiter")))
    line.press(Button.AGAIN)
    session.until(lambda: len(session.again) == 2)
    assert session.again[1].number == asked.number, "a notice is not what somebody wants to hear again"


def test_what_happens_to_a_box_is_recorded_with_its_words(session: BoxedSession) -> None:
    session.plug()
    session.lines.unplug("line-7")
    session.until(lambda: bool(session.notices("box-unplugged")))
    session.lines.plug("gps", Chatter())
    session.until(lambda: bool(session.notices("box-foreign")))
    session.lines.forbidden.add("locked")
    session.lines.plug("locked", SimulatedBox(9))
    session.until(lambda: bool(session.notices("box-forbidden")))
    told = {
        event.data["code"]: Phrases().announce(event.to_json())
        for event in session.table.wait_events(0, 0)
        if event.kind == "notice"
    }
    sentences = {code: said.text for code, said in told.items() if said is not None}
    assert sentences["box-found"] == "Button box 00000007 found on line-7."
    assert sentences["box-unplugged"] == "Button box 00000007 was unplugged from line-7."
    assert sentences["box-foreign"] == "Another device talks on gps, no button box; it is left alone."
    assert sentences["box-forbidden"].endswith("add yourself to the group dialout")
    assert session.table.snapshot()["phase"] == "set-up"


def test_roles_and_shuffled_labels_outlive_the_program(tmp_path: Path) -> None:
    first = BoxedSession(tmp_path)
    first.plug()
    first.plug(8)
    first.boxes.assign(FIRST, "jack")
    first.boxes.shuffle(True)
    first.play_first_turn()
    told = first.boxes.labels()
    first.close()
    kept = tmp_path / "game.boxes"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    second = BoxedSession(tmp_path)
    try:
        line, box = second.plug()
        second.shows(box, "ask")
        assert second.boxes.status()["boxes"][0]["role"] == "jack" and second.boxes.status()["shuffled"] is True
        assert second.boxes.labels() == told and sorted(told or {}) == ["left", "right"]
        line.press(Button.ANSWER_A)
        second.until(lambda: second.table.snapshot()["called"] is not None)
        assert second.table.snapshot()["called"]["seen"] is ((told or {})["left"] == 0)
        assert second.boxes.labels() is None
        everything = json.dumps([event.to_json() for event in second.table.wait_events(0, 0)]) + json.dumps(
            second.table.snapshot()
        )
        assert json.loads(kept.read_text())["key"] not in everything
        assert "left" not in json.dumps(second.boxes.status())
    finally:
        second.close()


def test_calls_are_answered_on_jacks_box_and_asked_only_there(session: BoxedSession) -> None:
    jacks, jacks_box = session.plug(7)
    others, others_box = session.plug(8)
    session.boxes.assign(FIRST, "jack")
    session.boxes.assign("00000008", "table")
    session.play_first_turn()
    session.shows(jacks_box, "ask")
    assert others_box.lights == PATTERNS["ready"].packed and not others_box.sounds
    others.press(Button.ANSWER_A)
    session.until(lambda: bool(session.notices("box-press-refused")))
    assert session.table.snapshot()["called"] is None
    jacks.press(Button.ANSWER_B)
    session.until(lambda: session.table.snapshot()["called"] is not None)
    session.shows(others_box, "taken")


def test_a_simulated_box_can_be_pressed_by_name_and_no_other(session: BoxedSession) -> None:
    session.plug()
    session.boxes.press("arbiter", box=FIRST)
    session.until(lambda: bool(session.notices("arbiter")))
    with pytest.raises(BadInput, match="only a simulated box"):
        session.boxes.press("arbiter", box="00000099")
    assert session.boxes.status()["boxes"][0]["simulated"] is True


# --- without a running table ------------------------------------------------------------------------------------------


def test_keys_do_the_same_jobs_without_any_box() -> None:
    silent = TableBoxes(DeskTable(), settings=TableBoxesSettings(again_every=0))
    with pytest.raises(BadInput, match="nothing was said"):
        silent.press("again")
    table = DeskTable(told(ASKED, "call-asked"))
    boxes = TableBoxes(table, settings=TableBoxesSettings(again_every=0))
    boxes.start()
    boxes.press("answer-b")
    boxes.press("again", held=True)
    boxes.press("arbiter")
    assert table.answers == [{"kind": "call", "seen": False}, {"kind": "undo"}]
    assert [notice.code for notice in table.notices] == ["arbiter"]
    assert boxes.status()["looking"] is False and boxes.status()["keys"]["Numpad1"] == "answer-a"
    for button, text in (("clock-a", "no clock"), ("disco", "not known")):
        with pytest.raises(BadInput, match=text):
            boxes.press(button)
    with pytest.raises(BadInput, match="no button box"):
        boxes.assign(FIRST, "jack")
    boxes.stop()


def test_clock_buttons_answer_where_there_is_a_clock() -> None:
    table = DeskTable()
    boxes = TableBoxes(table, clock_answer=lambda button: {"kind": "clock", "side": button[-1]})
    boxes.press("clock-b")
    assert table.answers == [{"kind": "clock", "side": "b"}]


def test_clock_buttons_hold_a_running_tables_clocks_and_let_them_go(session: BoxedSession) -> None:
    answer = clock_presses(session.table)
    with pytest.raises(BadInput, match="no clock"):
        answer("clock-a")
    session.table.answer({"kind": "clock", "action": "start", "seconds": 600})
    for button, held in (("clock-a", True), ("clock-b", False)):
        session.table.answer(dict(answer(button)))
        assert session.table.snapshot()["clock"]["held"] is held


@pytest.mark.parametrize("button", ["answer-a", "answer-b"])
def test_a_refused_answer_does_not_tell_which_it_was(button: str) -> None:
    table = DeskTable(told(ASKED, "call-asked"))
    boxes = TableBoxes(table)
    table.refuse = BadInput(f"Jack cannot be {button}: no suspect is {button} now")
    with pytest.raises(BadInput) as caught:
        boxes.press(button)
    assert str(caught.value) == "this answer cannot be; look at the table once more"
    table.refuse = RecordTrouble("the disk is full")
    with pytest.raises(RecordTrouble, match="disk is full"):
        boxes.press(button)


def test_impatient_hands_are_heard_once() -> None:
    table = DeskTable(told(ASKED, "call-asked"))
    said: list[Event] = []
    boxes = TableBoxes(table, settings=TableBoxesSettings(again_every=5, arbiter_every=5))
    boxes.on_again(said.append)
    for _ in range(20):
        boxes.press("again")
        boxes.press("arbiter")
    assert len(said) == 1 and [notice.code for notice in table.notices] == ["again", "arbiter"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"roles": {"x": 7}, "shuffled": false, "key": "00"}', "{}"])
def test_a_spoilt_file_costs_the_roles_and_says_so(tmp_path: Path, text: str) -> None:
    kept = tmp_path / "game.boxes"
    kept.write_text(text)
    table = DeskTable()
    boxes = TableBoxes(table, SimulatedPorts(), kept)
    boxes.start()
    boxes.stop()
    assert [notice.code for notice in table.notices] == ["box-roles"]
    boxes.shuffle(True)
    assert box_store.load(kept).shuffled is True


def test_a_role_that_cannot_be_kept_is_not_given(tmp_path: Path) -> None:
    boxes = TableBoxes(DeskTable(), SimulatedPorts(), tmp_path / "nowhere" / "game.boxes")
    with pytest.raises(BadInput, match="cannot be stored"):
        boxes.shuffle(True)
    assert boxes.status()["shuffled"] is False


def test_every_notice_is_a_sentence_with_its_words() -> None:
    words = {"box": "00000007", "port": "COM3", "button": "again", "count": 2, "reason": "Too late.", "simulated": True}
    for code, template in NOTICES.items():
        notice = BoxNotice(code, words)
        event = Event.following(None, "notice", {"code": code, "text": notice.text, "params": words}, 0.0)
        said = Phrases().announce(event.to_json())
        assert said is not None and said.text == str(notice) == template.format_map(words)


def test_lights_never_depend_on_what_was_answered() -> None:
    """From the question to what is to be tidied up they are the same whichever answer was given."""
    shown = []
    for seen in (True, False):
        hands = replay(GAMES / "recorded" / "stealthy-escapes-in-turn-two.json", ASKED, until="call-asked")
        assert fold(hands.events).pattern == "ask"
        hands.say(kind="call", seen=seen)
        shown.append(fold(hands.events))
    assert shown[0] == replace(shown[1], number=shown[0].number) and shown[0].pattern == "taken"


@pytest.mark.parametrize("secret", [ASKED, ENTRUSTED])
def test_a_whole_game_has_a_pattern_at_every_event(secret: str) -> None:
    hands = replay(GAMES / "recorded" / "stealthy-escapes-in-turn-two.json", secret)
    patterns = [fold(hands.events[:number]).pattern for number in range(len(hands.events) + 1)]
    assert set(patterns) <= set(PATTERNS) and patterns[0] == "ready"
    asked = [event.number for event in hands.events if event.kind == "call-asked"]
    assert asked and all((patterns[number] == "ask") is (secret == ASKED) for number in asked)
    answered = [event.number for event in hands.events if event.kind == "call"]
    assert answered and all(patterns[number] == "taken" for number in answered)
    opened = [event.number for event in hands.events if event.kind == "turn-opened"]
    assert opened and all(patterns[number] == "ready" for number in opened)


def test_a_game_of_another_procedure_is_asked_by_its_own_questions() -> None:
    hands = Hands.at_start(game=HATS)
    hands.see()
    move(hands, "smith")
    scene = fold(hands.events, lambda _: HATS)
    asking = scene.asking(now=hands.now)
    assert scene.pattern == "ask" and asking is not None
    assert (asking.seat, asking.answers) == ("jack", ({"kind": "hat", "black": True}, {"kind": "hat", "black": False}))
    said = interpret(Press("00000007", Button.ANSWER_B, hands.now + 1), asking=asking).answer
    assert said == {"kind": "hat", "black": False}
    hands.say(**said)
    assert fold(hands.events, lambda _: HATS).pattern == "ready", "play goes on at once"


def test_events_that_were_not_heard_are_folded_anew() -> None:
    """A game that is taken up again behind a stage: the boxes hear only what happens from then on."""
    table = DeskTable()
    boxes = TableBoxes(table, settings=TableBoxesSettings(anew_after=0.01))
    table.events = told(ASKED, "call-asked")
    table.push("notice", code="arbiter", text="", params={})
    end = time.monotonic() + 10
    while boxes._scene.asked is None:
        assert time.monotonic() < end
        time.sleep(0.005)
    boxes.press("answer-a")
    assert table.answers == [{"kind": "call", "seen": True}]
    boxes.stop()


def test_a_record_that_cannot_be_followed_asks_nothing() -> None:
    events = told(ASKED, "call-asked")
    events.append(Event.following(events[-1], "never-heard-of", {}, 0.0))
    assert fold(events).asked is None and fold(events).pattern == "ready"


@given(some.binary(min_size=32, max_size=32), some.integers(1, 10_000))
def test_labels_swap_the_two_buttons_or_do_not(key: bytes, number: int) -> None:
    labels = labels_for(key, number)
    assert {labels.index(Button.ANSWER_A), labels.index(Button.ANSWER_B)} == {0, 1}


def test_only_boards_adapters_are_asked_unnamed() -> None:
    port = lambda device, vid, pid: SimpleNamespace(device=device, vid=vid, pid=pid)  # noqa: E731 - a table of them
    found = [
        port("/dev/ttyS0", None, None), port("/dev/ttyUSB0", 0x1A86, 0x7523), port("/dev/ttyACM0", 0x1546, 0x01A7),
        port("/dev/ttyACM1", 0x2341, 0x0043), port("/dev/ttyUSB0", 0x1A86, 0x7523), SimpleNamespace(device="/dev/odd"),
    ]  # fmt: skip
    assert board_ports(found) == ["/dev/ttyUSB0", "/dev/ttyACM1"]


def test_roles_are_the_seats_that_are_asked_the_tables_and_everybodys() -> None:
    assert roles(None) == (TABLE, "")
    assert roles(load("mr-jack-london")) == ("jack", TABLE, "")


def test_clock_buttons_are_idle_while_an_arbiter_has_the_clocks(session: BoxedSession) -> None:
    session.table.answer({"kind": "clock", "action": "start", "seconds": 600})
    here = [True]
    answer = clock_presses(session.table, lambda: here[0])
    with pytest.raises(BadInput, match="the clocks are the arbiter's"):
        answer("clock-a")
    here.clear()
    here.append(False)
    assert answer("clock-a")["action"] == "hold"
