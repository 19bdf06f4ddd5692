"""The host's end against a simulated box, in virtual time: every press exactly once and in order over any line."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.boxes.box import PATTERNS, Button
from companion.devices.boxes.link import BoxLink, BoxMemory, ForeignDevice, Linked, Lost, Pressed, Restarted
from companion.devices.boxes.simulator import BUTTONS, Chatter, SimulatedBox
from companion.devices.boxes.wire import Decoder, encode
from companion.devices.boxes.wire_constants import PROTOCOL_VERSION
from companion.devices.boxes.wire_messages import HelloRequest, parse

Spoil = Callable[[bytes], bytes]


class Bench:
    """A box and a link joined by a line that spoils bytes, stepped a millisecond at a time."""

    def __init__(self, box: SimulatedBox | Chatter, spoil: Spoil = lambda data: data, seed: int = 0) -> None:
        self.box, self.spoil = box, spoil
        self.randomness = random.Random(seed)
        self.memories: dict[tuple[int, int], BoxMemory] = {}
        self.now = 100.0
        self.happened: list[object] = []
        self.sent_to_box = 0
        self.reopen = False  # whether the port is opened again when no box was found, as the program does
        self.connect()

    def connect(self) -> None:
        """The port is opened (anew)."""
        self.link = BoxLink(self.memories, self.randomness.getrandbits, self.now)

    def step(self, milliseconds: int = 1) -> None:
        for _ in range(milliseconds):
            self.now += 0.001
            self.happened += self.link.receive(self.spoil(self.box.give(self.now)), self.now)
            by_time = self.link.poll(self.now)
            self.happened += by_time
            if self.reopen and any(isinstance(each, ForeignDevice) for each in by_time):
                self.connect()
            out = self.link.output()
            self.sent_to_box += len(out)
            self.box.take(self.spoil(out), self.now)

    def presses(self) -> list[Pressed]:
        return [each for each in self.happened if isinstance(each, Pressed)]

    def until(self, fulfilled: Callable[[], bool], milliseconds: int = 20_000) -> None:
        for _ in range(milliseconds):
            if fulfilled():
                return
            self.step()
        raise AssertionError(self.happened[-5:])


def test_a_new_box_gets_a_name_and_a_session_and_is_linked_soon() -> None:
    bench = Bench(SimulatedBox())
    bench.step(20)
    linked = bench.happened[0]
    assert isinstance(linked, Linked) and not linked.known
    assert bench.box.identity == linked.hello.identity not in (0, 0xFFFFFFFF)
    assert bench.box.session == linked.hello.session != 0


def test_presses_from_before_the_host_came_are_delivered_with_their_times() -> None:
    box = SimulatedBox(77, drift=0.004)
    box.press(Button.AGAIN, 40.0)
    box.press(Button.ANSWER_A, 95.0)
    bench = Bench(box)
    bench.until(lambda: len(bench.presses()) == 2)
    assert [BUTTONS[each.button] for each in bench.presses()] == [Button.AGAIN, Button.ANSWER_A]
    for press, truth in zip(bench.presses(), (40.0, 95.0), strict=True):
        assert abs(press.host - truth) <= press.error


@pytest.mark.parametrize("seed", range(12))
def test_every_press_arrives_once_and_in_order_over_a_bad_line(seed: int) -> None:
    randomness = random.Random(seed)
    drop, flip, double = (randomness.random() * share for share in (0.03, 0.03, 0.01))
    cuts, resets = ([randomness.randrange(1500) for _ in range(randomness.randrange(4))] for _ in range(2))

    def spoil(data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            if randomness.random() < drop:
                continue
            spoiled = byte ^ randomness.randrange(1, 256) if randomness.random() < flip else byte
            out += bytes([spoiled]) * (2 if randomness.random() < double else 1)
        return bytes(out)

    bench = Bench(SimulatedBox(5), spoil, seed)
    bench.reopen = True
    pressed = []
    for at in range(1500):
        if randomness.random() < 0.02 and len(bench.box.queue) < 32:
            pressed.append(randomness.choice(BUTTONS))
            bench.box.press(pressed[-1], bench.now)
        if at in cuts:
            bench.connect()  # the host let go in the middle and opened the port again
        if at in resets:
            bench.box.reset()  # the opening pulled the reset line; presses stay in the box
        bench.step()
    bench.until(lambda: len(bench.presses()) >= len(pressed) and not bench.box.queue, 30_000)
    assert not bench.box.refused
    assert [BUTTONS[each.button] for each in bench.presses()] == pressed


@pytest.mark.parametrize("line", [b"$GPGGA,123519,4807.038,N*47\r\n", b"echo:busy processing\n", b"\x00" * 20, b"\xff" * 30])
def test_another_device_is_recognised_in_less_than_two_seconds_and_told_little(line: bytes) -> None:
    bench = Bench(Chatter(line))
    bench.until(lambda: bool(bench.happened), 2000)
    assert isinstance(bench.happened[0], ForeignDevice) and bench.happened[0].heard > 0
    assert bench.now - 100.0 < 1.75
    assert bench.sent_to_box <= 80


def test_an_echo_of_our_own_questions_is_no_box() -> None:
    class Echo(Chatter):
        heard = b""

        def take(self, data: bytes, now: float) -> None:
            self.heard += data

        def give(self, now: float) -> bytes:
            data, self.heard = self.heard, b""
            return data

    bench = Bench(Echo(b""))
    bench.until(lambda: bool(bench.happened), 2000)
    assert isinstance(bench.happened[0], ForeignDevice)


def test_a_box_that_answers_an_old_question_is_asked_anew() -> None:
    bench = Bench(SimulatedBox(5))
    other = SimulatedBox(6)
    other.take(HelloRequest(12345, 1).line(), 0.0)
    assert bench.link.receive(other.give(0.0), bench.now) == [] and bench.link._candidate is None


def test_a_newer_box_is_used_and_one_too_new_is_said() -> None:
    newer = Bench(SimulatedBox(5, version=PROTOCOL_VERSION + 3, compatible=PROTOCOL_VERSION))
    newer.step(50)
    assert isinstance(newer.happened[0], Linked)
    too_new = Bench(SimulatedBox(5, version=PROTOCOL_VERSION + 3, compatible=PROTOCOL_VERSION + 1))
    too_new.step(50)
    assert ForeignDevice(too_new.happened[0].heard, PROTOCOL_VERSION + 1) == too_new.happened[0]  # type: ignore[attr-defined]


def test_a_box_that_falls_silent_is_lost_asked_and_back_with_its_session() -> None:
    bench = Bench(SimulatedBox(5))
    bench.step(50)
    bench.spoil = lambda data: b""
    bench.until(lambda: any(isinstance(each, Lost) for each in bench.happened), 4000)
    bench.box.press(Button.ARBITER, bench.now)
    bench.step(4000)
    bench.spoil = lambda data: data
    bench.until(lambda: bool(bench.presses()), 2000)
    assert [each.known for each in bench.happened if isinstance(each, Linked)] == [False, True]


def test_a_box_that_lost_its_power_starts_a_new_session() -> None:
    bench = Bench(SimulatedBox(5))
    bench.step(50)
    session = bench.box.session
    bench.box.power(bench.now)
    bench.until(lambda: any(isinstance(each, Restarted) for each in bench.happened), 2000)
    bench.step(200)
    assert bench.link.linked and bench.box.session not in (0, session)
    bench.box.press(Button.ANSWER_A, bench.now)
    bench.step(20)
    assert len(bench.presses()) == 1 and abs(bench.presses()[0].host - bench.now) < 0.03


def test_the_lights_come_as_wanted_and_come_back_after_a_reset_without_the_sound() -> None:
    bench = Bench(SimulatedBox(5))
    bench.step(50)
    bench.link.show(PATTERNS["ask"])
    bench.step(500)
    assert bench.box.lights == PATTERNS["ask"].packed and len(bench.box.sounds) == 1
    bench.box.lights = 0
    bench.box.reset()
    bench.step(1500)
    assert bench.box.lights == PATTERNS["ask"].packed and len(bench.box.sounds) == 1


def test_a_press_in_flight_while_the_box_is_renamed_comes_once() -> None:
    bench = Bench(SimulatedBox(5))
    bench.step(50)
    bench.box.press(Button.ANSWER_B, bench.now)
    bench.happened += bench.link.receive(bench.box.give(bench.now), bench.now)
    bench.link.output()  # the acknowledgement is lost
    bench.link.rename(bench.now)
    bench.step(300)
    assert bench.link.linked and bench.box.identity != 5
    assert len(bench.presses()) == 1 and not bench.box.queue


@settings(max_examples=50)
@given(st.binary(max_size=300))
def test_no_bytes_ever_break_the_link(data: bytes) -> None:
    bench = Bench(SimulatedBox(5))
    bench.step(30)
    bench.link.receive(data, bench.now)
    bench.step(300)
    assert bench.link.linked and not bench.presses()


def test_a_longer_hello_of_a_later_version_is_understood() -> None:
    hello = SimulatedBox(5)._hello(1, 100.0)
    (frame,) = Decoder().feed(hello.line())
    (longer,) = Decoder().feed(encode(frame + b"\x01\x02\x03"))
    assert parse(longer) == hello
