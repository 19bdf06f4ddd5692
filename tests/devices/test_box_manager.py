"""All boxes of a machine, on simulated lines that misbehave: found, kept, lost, told about, and heard exactly once."""

import random
import time
from collections.abc import Callable, Iterator

import pytest

from companion.devices.boxes.box import PATTERNS, BoxNotice, Button, Press
from companion.devices.boxes.link import LinkSettings
from companion.devices.boxes.manager import Boxes, BoxSettings
from companion.devices.boxes.simulator import BUTTONS, Chatter, Misbehaviour, SimulatedBox, SimulatedPorts
from companion.errors import BadInput

PATIENCE = 60.0  # s; only how long a broken test takes to fail


class Room:
    """A machine with simulated lines and the program looking after them."""

    def __init__(self, **more: object) -> None:
        self.lines = SimulatedPorts(seed=1)
        self.presses: list[Press] = []
        self.notices: list[BoxNotice] = []
        settings = BoxSettings(look_every=0.05, read_wait=0.01, first_pause=0.1, longest_pause=0.4)
        self.boxes = Boxes(
            self.presses.append, self.notices.append, time.monotonic, source=self.lines, settings=settings, **more
        )  # type: ignore[arg-type]

    def until(self, fulfilled: Callable[[], bool], seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while not fulfilled():
            assert time.monotonic() < end, (self.boxes.status(), self.notices, len(self.presses))
            time.sleep(0.005)

    def linked(self, count: int = 1) -> None:
        self.until(lambda: sum(each["state"] == "linked" for each in self.boxes.status()) == count)

    def said(self, code: str) -> list[BoxNotice]:
        return [notice for notice in self.notices if notice.code == code]

    def buttons(self) -> list[Button]:
        return [press.button for press in self.presses]


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    made.boxes.start()
    yield made
    made.boxes.stop()


def test_a_line_that_loses_doubles_delays_and_flips_delivers_every_press_once(room: Room) -> None:
    bad = Misbehaviour()
    line = room.lines.plug("line", SimulatedBox(7), bad)
    room.linked()
    bad.drop, bad.double, bad.flip, bad.delay, bad.babble = 0.015, 0.01, 0.02, 0.01, 0.02
    randomness, pressed = random.Random(3), []
    for number in range(60):
        room.until(lambda: len(line.device.queue) < 24)  # type: ignore[union-attr]
        pressed.append(randomness.choice(BUTTONS))
        line.press(pressed[-1])
        if number % 20 == 10:
            line.reboot_mid_frame(memory_stays=True)
        time.sleep(0.005)
    room.until(lambda: len(room.presses) >= 60)
    time.sleep(0.2)
    assert room.buttons() == pressed


def test_a_box_comes_back_under_another_name_with_what_was_pressed_meanwhile(room: Room) -> None:
    box = SimulatedBox(7)
    line = room.lines.plug("one", box)
    room.linked()
    line.press(Button.AGAIN)
    room.until(lambda: len(room.presses) == 1)
    room.lines.unplug("one")
    box.press(Button.CLOCK_A, time.monotonic())
    room.until(lambda: bool(room.said("box-unplugged")))
    room.lines.plug("two", box)
    room.until(lambda: len(room.presses) == 2)
    assert room.buttons() == [Button.AGAIN, Button.CLOCK_A]
    assert str(room.said("box-back")[0]) == "Button box 00000007 is back on two."


def test_a_box_that_lost_its_power_in_the_middle_of_a_frame_is_taken_up_again(room: Room) -> None:
    line = room.lines.plug("line", SimulatedBox(7))
    room.linked()
    line.press(Button.AGAIN)
    room.until(lambda: len(room.presses) == 1)
    line.reboot_mid_frame()
    room.until(lambda: bool(room.said("box-restarted")))
    room.linked()
    line.press(Button.ANSWER_A)
    room.until(lambda: len(room.presses) == 2)
    assert room.buttons() == [Button.AGAIN, Button.ANSWER_A]


@pytest.mark.parametrize("line", [b"$GPGGA,123519,4807.038,N*47\r\n", b"echo:busy: processing\n"])
def test_another_device_is_said_and_left_alone(line: bytes) -> None:
    room = Room()
    other = Chatter(line)
    room.lines.plug("gps", other)
    usual = BoxSettings()
    assert usual.look_every + usual.link.foreign_after < 2.0, "two seconds are promised; what a busy machine adds is not ours"
    room.boxes.start()
    try:
        room.until(lambda: bool(room.said("box-foreign")))
        told = other.taken
        time.sleep(0.6)
        assert other.taken == told <= 80 and room.lines.opened == ["gps"]
        assert room.boxes.status()[0]["state"] == "foreign"
        room.boxes.try_again("gps")
        room.until(lambda: room.lines.opened == ["gps", "gps"])
    finally:
        room.boxes.stop()


def test_a_silent_port_is_asked_a_few_times_and_then_left_alone_until_plugged_in_anew() -> None:
    lines = SimulatedPorts()
    notices: list[BoxNotice] = []

    def until(fulfilled: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not fulfilled():
            assert time.monotonic() < end, (lines.opened, notices)
            time.sleep(0.01)

    settings = BoxSettings(
        look_every=0.02, first_pause=0.05, longest_pause=0.1, silent_tries=3, link=LinkSettings(foreign_after=0.5)
    )
    boxes = Boxes(lambda press: None, notices.append, source=lines, settings=settings)
    lines.plug("mute", Chatter(b""))
    boxes.start()
    try:
        until(lambda: [each["text"] for each in boxes.status()] == ["left alone until it is plugged in anew"])
        time.sleep(0.5)
        assert lines.opened == ["mute"] * 3 and [notice.code for notice in notices] == ["box-silent"]
        lines.unplug("mute")
        until(lambda: boxes.status() == [])
        lines.plug("mute", SimulatedBox(3))
        until(lambda: any(notice.code == "box-found" for notice in notices))
    finally:
        boxes.stop()


@pytest.mark.parametrize("trouble", ["busy", "forbidden"])
def test_a_port_that_will_not_open_is_said_once_and_tried_less_and_less_often(room: Room, trouble: str) -> None:
    getattr(room.lines, trouble).add("line")
    began = time.monotonic()  # before the first try, so that a machine that holds this thread up can only add to it
    room.lines.plug("line", SimulatedBox(7))
    room.until(lambda: len(room.lines.opened) >= 4)
    assert time.monotonic() - began > 0.6, "pauses of 0.1, 0.2 and 0.4 s lie between four tries, whatever the machine does"
    assert len(room.said(f"box-{trouble}")) == 1 and room.boxes.status()[0]["state"] == trouble
    getattr(room.lines, trouble).clear()
    room.linked()


def test_a_box_that_needs_a_newer_program_is_said(room: Room) -> None:
    room.lines.plug("line", SimulatedBox(7, version=9, compatible=9))
    room.until(lambda: bool(room.said("box-incompatible")))


def test_two_boxes_with_the_same_identity_are_told_apart(room: Room) -> None:
    one, two = room.lines.plug("one", SimulatedBox(7)), room.lines.plug("two", SimulatedBox(7))
    room.until(lambda: len({each.get("box") for each in room.boxes.status() if each["state"] == "linked"}) == 2)
    room.linked(2)
    one.press(Button.ANSWER_A)
    two.press(Button.ANSWER_B)
    room.until(lambda: len(room.presses) == 2)
    assert len({press.box for press in room.presses}) == 2


def test_roles_go_with_the_press_and_stay_with_the_box() -> None:
    room = Room(roles={"00000007": "jack"})
    room.boxes.start()
    try:
        line = room.lines.plug("one", SimulatedBox(7))
        room.linked()
        line.press(Button.ANSWER_A)
        room.until(lambda: len(room.presses) == 1)
        room.boxes.assign("00000007", "table")
        line.press(Button.AGAIN)
        room.until(lambda: len(room.presses) == 2)
        assert [press.role for press in room.presses] == ["jack", "table"]
        assert room.boxes.status()[0]["role"] == "table" and room.boxes.roles == {"00000007": "table"}
        assert room.boxes.status()[0]["simulated"] is True
    finally:
        room.boxes.stop()


def test_a_press_the_program_cannot_take_is_said_and_the_next_one_comes() -> None:
    room = Room()
    taken: list[Press] = []

    def on_press(press: Press) -> None:
        taken.append(press)
        if len(taken) == 1:
            raise BadInput("nobody asked")

    boxes = Boxes(on_press, room.notices.append, time.monotonic, source=room.lines, settings=room.boxes.settings)
    boxes.start()
    try:
        line = room.lines.plug("one", SimulatedBox(7))
        line.press(Button.ANSWER_A)
        line.press(Button.AGAIN)
        room.until(lambda: len(taken) == 2)
        assert str(room.said("box-press-refused")[0]) == "A press of box 00000007 was not taken: nobody asked"
    finally:
        boxes.stop()


def test_times_are_on_the_clock_that_was_given() -> None:
    room = Room()
    boxes = Boxes(room.presses.append, source=room.lines, clock=lambda: time.monotonic() + 5000.0, settings=room.boxes.settings)
    boxes.start()
    try:
        line = room.lines.plug("one", SimulatedBox(7))
        room.until(lambda: any(each["state"] == "linked" for each in boxes.status()))
        before = time.monotonic() + 5000
        line.press(Button.ANSWER_A)
        room.until(lambda: len(room.presses) == 1)
        press = room.presses[0]
        assert before - press.error - 0.005 <= press.at <= time.monotonic() + 5000
    finally:
        boxes.stop()


def test_stuck_buttons_are_said_without_telling_which_answer_and_a_full_queue_is_said(room: Room) -> None:
    box = SimulatedBox(7)
    room.lines.plug("one", box)
    room.linked()
    box.closed = box.stuck = 0b000011
    room.until(lambda: bool(room.said("box-stuck")))
    box.stuck = 0
    room.until(lambda: bool(room.said("box-free")))
    assert [str(notice) for notice in room.said("box-stuck")] == [
        "A button of box 00000007 is stuck or held down: answer. The others go on."
    ]
    assert room.boxes.status()[0]["down"] == ["answer"]
    box.refused = 3
    room.until(lambda: bool(room.said("box-overflow")))
    assert room.said("box-overflow")[0].params["count"] == 3


def test_lights_reach_one_box_or_one_role_or_all(room: Room) -> None:
    one, two = SimulatedBox(7), SimulatedBox(8)
    room.lines.plug("one", one)
    room.lines.plug("two", two)
    room.linked(2)
    room.boxes.assign("00000008", "jack")
    room.boxes.show("ask", role="jack")
    room.until(lambda: two.lights == PATTERNS["ask"].packed)
    assert one.lights == PATTERNS["ready"].packed and not one.sounds
    sounds = len(two.sounds)
    room.lines.unplug("two")
    room.until(lambda: bool(room.said("box-unplugged")))
    two.lights = 0
    room.lines.plug("other", two)
    room.until(lambda: two.lights == PATTERNS["ask"].packed)
    assert len(two.sounds) == sounds, "the sound belonged to the moment it was asked"
    room.boxes.show("over")
    room.until(lambda: one.lights == two.lights == PATTERNS["over"].packed)
    room.boxes.show("dark", box="00000007")
    room.until(lambda: one.lights == 0)
    with pytest.raises(BadInput, match="not known"):
        room.boxes.show("disco")


def test_a_box_that_was_away_shows_what_its_role_is_shown_by_now(room: Room) -> None:
    box = SimulatedBox(8)
    room.lines.plug("one", box)
    room.linked()
    room.boxes.assign("00000008", "jack")
    room.boxes.show("ask", role="jack")
    room.until(lambda: box.lights == PATTERNS["ask"].packed)
    room.lines.unplug("one")
    room.until(lambda: not room.boxes.status())
    room.boxes.show("taken", role="jack")  # somebody answered on the page
    box.lights = 0
    room.lines.plug("one", box)
    room.linked()
    room.until(lambda: box.lights == PATTERNS["taken"].packed)


def test_starting_and_stopping_twice_is_harmless_and_leaves_no_thread(room: Room) -> None:
    room.boxes.start()
    room.lines.plug("one", SimulatedBox(7))
    room.linked()
    room.boxes.stop()
    room.boxes.stop()
    assert room.boxes.status() == []
    room.boxes.start()
    room.linked()
