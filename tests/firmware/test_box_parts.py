"""The firmware's machine-independent parts, compiled here under sanitizers, against the host's as oracle."""

import random

import pytest
from emulated_box import Harness

from companion.devices.boxes.box import Button
from companion.devices.boxes.link import BoxLink, BoxMemory, Linked, Pressed
from companion.devices.boxes.wire import LONGEST_STUFFED, Decoder, crc16, encode, stuff
from companion.devices.boxes.wire_constants import (
    LIMIT_FRAME,
    LIMIT_QUEUE,
    TIME_HOLD,
    TIME_PRESS_STABLE,
    TIME_RELEASE_STABLE,
    Cause,
    Kind,
    PressFlag,
)
from companion.devices.boxes.wire_messages import Ack, Beat, Hello, HelloRequest, Name, Ping, PressMessage, Session, Show, parse

BUTTONS = tuple(Button)


def frames_of(harness: Harness, stream: bytes) -> list[bytes]:
    """What the firmware's decoder makes of a stream."""
    return [bytes.fromhex(word) for word in harness.ask(f"decode {stream.hex()}").split()[1:]]


def test_the_checksums_agree(harness: Harness) -> None:
    randomness = random.Random(1)
    for length in range(200):
        data = randomness.randbytes(length)
        assert harness.ask(f"crc {data.hex()}") == f"crc {crc16(data)}"


def test_frames_are_written_alike(harness: Harness) -> None:
    randomness = random.Random(2)
    for length in [*range(1, LIMIT_FRAME - 1)] * 10:
        frame = bytes(randomness.choice([0, 0, 1, 255, randomness.randrange(256)]) for _ in range(length))
        assert harness.ask(f"write {frame.hex()}") == f"line {encode(frame).hex()}"


def random_stretch(randomness: random.Random) -> bytes:
    """Random bytes, rightly stuffed ones, good frames, and good frames spoilt."""
    data = randomness.randbytes(randomness.randrange(0, 50))
    choice = randomness.randrange(4)
    if choice == 0:
        return data + b"\0"
    if choice == 1:
        return stuff(data) + b"\0"
    line = bytearray(encode(data[: LIMIT_FRAME - 2] or b"\x01"))
    if choice == 2:
        line[randomness.randrange(len(line))] ^= randomness.randrange(256)
    return bytes(line)


def decoders_agree(harness: Harness, seed: int, count: int) -> int:
    randomness, decoder, good = random.Random(seed), Decoder(), 0
    for _ in range(count // 50):
        stream = b"".join(random_stretch(randomness) for _ in range(50))
        found = frames_of(harness, stream)
        assert found == decoder.feed(stream)
        good += len(found)
    return good


def test_the_decoders_agree_on_random_frames(harness: Harness) -> None:
    assert LONGEST_STUFFED == LIMIT_FRAME + 1
    assert decoders_agree(harness, 3, 5_000) > 1_000


@pytest.mark.slow
def test_the_decoders_agree_on_a_hundred_thousand_random_frames(harness: Harness) -> None:
    assert decoders_agree(harness, 4, 100_000) > 20_000


def debounced(samples: str) -> str:
    """The definition of the debouncer, told another way: by runs of equal samples."""
    edges, down, real, held, run, last = [], True, False, 0, 0, ""
    for sample in samples:
        run = run + 1 if sample == last else 1
        last = sample
        held = min(held + 1, 10_000) if down else 0
        edge = "."
        if sample == "1" and not down and run == TIME_PRESS_STABLE:
            down, real, held, edge = True, True, 0, "P"
        elif sample == "0" and down and run == TIME_RELEASE_STABLE:
            down, real, held, edge = False, True, 0, "R"
        elif sample == "1" and down and real and held == TIME_HOLD:
            edge = "H"
        edges.append(edge)
    return "".join(edges)


def test_the_debouncer_follows_its_definition(harness: Harness) -> None:
    randomness = random.Random(5)
    for _ in range(200):
        samples = "".join(randomness.choice("01") * randomness.choice([1, 2, 4, 5, 6, 19, 20, 21, 40, 1600]) for _ in range(30))
        assert harness.ask(f"contact {samples}") == f"edges {debounced(samples)}"


@pytest.mark.parametrize(
    "bounce",
    ["1", "101", "1100110101", "10" * 9, "1110111011101", "1111011110111101"],
    ids=["clean", "once", "ragged", "wild", "slow", "just too short to count"],
)
def test_a_bouncing_press_and_release_are_one_press(harness: Harness, bounce: str) -> None:
    samples = "0" * 40 + bounce + "1" * 60 + bounce[::-1] + "0" * 60
    edges = harness.ask(f"contact {samples}").split()[1]
    assert edges.count("P") == 1 and edges.count("R") == 2  # the first release is the start's


def test_a_spike_shorter_than_the_time_is_no_press(harness: Harness) -> None:
    assert "P" not in harness.ask("contact " + "0" * 40 + ("1" * 4 + "0" * 3) * 50).split()[1]


class Machine:
    """The whole box in the harness, joined to the host's link, a millisecond at a time."""

    def __init__(self, harness: Harness, identity: int = 5, wipe: bool = True) -> None:
        self.harness, self.now, self.closed = harness, 10.0, 0
        self.happened: list[object] = []
        self.said: list[str] = []
        self.memories: dict[tuple[int, int], BoxMemory] = {}
        self.randomness = random.Random(9)
        if wipe:
            harness.ask("wipe 165")
        harness.ask(f"start 1 {identity}")
        self.connect()

    def connect(self) -> None:
        self.link = BoxLink(self.memories, self.randomness.getrandbits, self.now)

    def tick(self, count: int = 1) -> bytes:
        """Time passes in the box alone; returns what it sends."""
        words = self.harness.ask(f"tick {self.closed} {count}").split()
        self.now += count / 1000
        place = words.index("out")
        self.said += words[:place]
        return bytes.fromhex("".join(words[place + 1 :]))

    def take(self, data: bytes) -> None:
        if data:
            self.said += self.harness.ask(f"take {data.hex()}").split()[:-1]

    def step(self, count: int, spoil: float = 0.0) -> None:
        for _ in range(count):
            data = self.tick()
            self.happened += self.link.receive(self.spoilt(data, spoil), self.now)
            self.happened += self.link.poll(self.now)
            self.take(self.spoilt(self.link.output(), spoil))

    def spoilt(self, data: bytes, share: float) -> bytes:
        if not share:
            return data
        out = bytearray()
        for byte in data:
            chance = self.randomness.random()
            if chance >= share / 2:
                out.append(byte ^ self.randomness.randrange(1, 256) if chance < share else byte)
        return bytes(out)

    def press(self, button: Button, milliseconds: int = 8, spoil: float = 0.0) -> None:
        self.closed |= 1 << BUTTONS.index(button)
        self.step(milliseconds, spoil)
        self.closed &= ~(1 << BUTTONS.index(button))
        self.step(22, spoil)

    def presses(self) -> list[Button]:
        return [BUTTONS[each.button] for each in self.happened if isinstance(each, Pressed)]


def test_a_new_box_is_named_linked_and_heard(harness: Harness) -> None:
    machine = Machine(harness, identity=0)
    machine.step(60)
    linked = next(each for each in machine.happened if isinstance(each, Linked))
    assert f"name {linked.hello.identity}" in " ".join(machine.said)
    for button in BUTTONS:
        machine.press(button)
    assert machine.presses() == list(BUTTONS)


def test_presses_come_once_and_in_order_over_a_bad_line_and_through_restarts(harness: Harness) -> None:
    machine = Machine(harness)
    machine.step(60)
    pressed = []
    for number in range(60):
        pressed.append(machine.randomness.choice(BUTTONS))
        machine.press(pressed[-1], spoil=0.05)
        if number % 17 == 16:
            harness.ask("start 8 5")  # the watchdog bit; the memory is as it was
            machine.step(60)
        if number % 23 == 22:
            machine.connect()
    for _ in range(400):
        if len(machine.presses()) == len(pressed):
            break
        machine.step(50)
    assert machine.presses() == pressed


def test_memory_that_did_not_survive_is_not_believed(harness: Harness) -> None:
    randomness = random.Random(11)
    for _ in range(300):
        machine = Machine(harness)
        machine.press(Button.ANSWER_A)
        harness.ask(f"harm {randomness.randrange(10_000)} {1 << randomness.randrange(8)}")
        harness.ask("start 1 5")
        hello = ask_hello(machine)
        if hello.waiting:
            # The only bytes not covered by a sum are the padding and the sum of the clock with its complement.
            assert Cause.KEPT & hello.cause and hello.waiting == 1
        else:
            assert not Cause.KEPT & hello.cause and hello.session == 0


def ask_hello(machine: Machine) -> Hello:
    machine.take(HelloRequest(7, 1).line())
    answers = [parse(frame) for frame in Decoder().feed(machine.tick(5))]
    return next(each for each in answers if isinstance(each, Hello))


@pytest.mark.parametrize("filling", [0, 255, 165, 90])
def test_fresh_memory_of_any_filling_is_a_fresh_start(harness: Harness, filling: int) -> None:
    harness.ask(f"wipe {filling}")
    hello = ask_hello(Machine(harness, wipe=False))
    assert (hello.session, hello.waiting, hello.first) == (0, 0, 0) and not hello.cause & Cause.KEPT


def test_what_a_later_host_says_is_understood_as_far_as_known(harness: Harness) -> None:
    machine = Machine(harness)
    machine.tick(30)
    stream = encode(bytes([0x3F]) + b"later") + encode(bytes([Kind.HELLO_REQUEST, 7, 0, 9]) + b"more fields")
    machine.take(stream)
    hello = next(parse(frame) for frame in Decoder().feed(machine.tick(5)))
    assert isinstance(hello, Hello) and hello.nonce == 7


def test_a_full_queue_refuses_new_presses_and_says_how_many(harness: Harness) -> None:
    machine = Machine(harness)
    machine.step(60)
    box_only = []
    for number in range(LIMIT_QUEUE + 5):
        button = number % 6
        machine.closed = 1 << button
        machine.tick(8)
        machine.closed = 0
        machine.tick(22)
        box_only.append(BUTTONS[button])
    machine.step(2500)
    assert machine.presses() == box_only[:LIMIT_QUEUE]
    machine.take(Ping(3).line())
    beats = [parse(frame) for frame in Decoder().feed(machine.tick(5))]
    assert [each.refused for each in beats if isinstance(each, Beat)][-1] == 5


def test_acknowledgements_that_do_not_fit_drop_nothing(harness: Harness) -> None:
    machine = Machine(harness)
    machine.tick(30)
    machine.take(Session(9).line())
    machine.closed = 1
    machine.tick(10)
    for session, following in [(9, 2), (9, 200), (8, 1), (0, 1), (9, 0)]:
        machine.take(Ack(session, following).line())
        assert ask_hello(machine).waiting == 1
    machine.take(Ack(9, 1).line())
    assert ask_hello(machine).waiting == 0


def test_a_session_once_open_and_a_torn_name_change_nothing(harness: Harness) -> None:
    machine = Machine(harness)
    machine.take(Session(9).line() + Session(10).line() + Name(77, 78).line() + Name(0, 0xFFFFFFFF).line())
    hello = ask_hello(machine)
    assert hello.session == 9 and hello.identity == 5


def press_frames(data: bytes) -> list[PressMessage]:
    return [each for frame in Decoder().feed(data) if isinstance(each := parse(frame), PressMessage)]


def test_two_answers_at_once_are_flagged_and_two_clocks_as_well(harness: Harness) -> None:
    machine = Machine(harness)
    machine.tick(30)
    machine.take(Session(9).line())
    for mask, flags in [(0b000011, [1, 1]), (0b001100, [1, 1]), (0b000101, [0, 0])]:
        machine.closed = mask
        sent = press_frames(machine.tick(10))
        machine.closed = 0
        assert [each.flags for each in sent[:2]] == flags
        machine.take(Ack(9, sent[-1].sequence + 1).line())
        machine.tick(40)


@pytest.mark.parametrize("button", BUTTONS)
def test_a_held_button_is_one_press_and_only_two_of_them_tell_the_holding(harness: Harness, button: Button) -> None:
    machine = Machine(harness)
    machine.step(60)
    machine.press(button, 2000)
    presses = [each for each in machine.happened if isinstance(each, Pressed)]
    flags = [PressFlag(0), PressFlag.HELD] if button in (Button.AGAIN, Button.ARBITER) else [PressFlag(0)]
    assert [each.flags for each in presses] == flags


def test_a_button_held_at_the_start_is_no_press_until_let_go_and_is_stuck_in_time(harness: Harness) -> None:
    harness.ask("wipe 165")
    machine = Machine(harness)
    machine.closed = 1
    machine.step(10_050)
    beats = [each.beat for each in machine.happened if hasattr(each, "beat")]
    assert not machine.presses() and beats[0].closed & 1 and not beats[0].stuck and beats[-1].stuck == 1
    machine.press(Button.AGAIN)
    machine.closed = 0
    machine.step(300)
    machine.press(Button.ANSWER_A)
    assert machine.presses() == [Button.AGAIN, Button.ANSWER_A]
    assert [each for each in machine.happened if isinstance(each, Pressed)][-1].flags == 0


def test_lights_and_sound_follow_what_is_wanted_and_rest_when_the_host_is_gone(harness: Harness) -> None:
    machine = Machine(harness)
    machine.take(Show(1, 0b01_00_01, 1500, 80, 2, 40).line())
    machine.tick(300)
    tones = [machine.said[place + 1] for place, word in enumerate(machine.said) if word == "tone"]
    assert [tone for tone in tones if tone != "0"] == ["1500", "1500"] and tones[-1] == "0"
    lights = [int(machine.said[place + 1]) for place, word in enumerate(machine.said) if word == "light"]
    assert lights[-1] == 0b101
    machine.said.clear()
    machine.take(Show(1, 0, 1500, 80, 2, 40).line())
    machine.tick(100)
    assert not machine.said, "the same serial is shown once"
    machine.tick(4000)
    lights = [int(machine.said[place + 1]) for place, word in enumerate(machine.said) if word == "light"]
    assert set(lights) == {0, 1}, "alone, the first light breathes"


def test_both_answers_look_and_sound_the_same_to_the_millisecond(harness: Harness) -> None:
    traces = []
    for button in (Button.ANSWER_A, Button.ANSWER_B):
        machine = Machine(harness)
        machine.step(60)
        machine.said.clear()
        sent: list[int] = []
        machine.closed = 1 << BUTTONS.index(button)
        for at in range(100):
            if at == 40:
                machine.closed = 0
            sent.append(len(machine.tick()))
        base = [int(machine.said[place + 2]) for place, word in enumerate(machine.said) if word == "tone"]
        kinds = [word for word in machine.said if not word.isdigit()]
        traces.append((sent, kinds, [at - base[0] for at in base]))
    assert traces[0] == traces[1] and len(traces[0][2]) >= 2


def never_a_press_or_a_hang(harness: Harness, seed: int, count: int) -> None:
    """Random frames at the whole box: it goes on answering, presses nothing and forgets nothing."""
    randomness = random.Random(seed)
    machine = Machine(harness)
    machine.tick(30)
    machine.take(Session(9).line())
    for _ in range(count // 50):
        machine.take(b"".join(random_stretch(randomness) for _ in range(50)))
        assert not press_frames(machine.tick(3))
    machine.tick(50)
    machine.take(b"\0")
    hello = ask_hello(machine)
    assert hello.waiting == 0 and hello.session == 9 and hello.first == 0


def test_random_frames_do_nothing_to_the_box(harness: Harness) -> None:
    never_a_press_or_a_hang(harness, 12, 5_000)


@pytest.mark.slow
def test_a_hundred_thousand_random_frames_do_nothing_to_the_box(harness: Harness) -> None:
    never_a_press_or_a_hang(harness, 13, 100_000)
