"""The line's frames: what goes in comes out, garbage never does, and after any garbage the next frame is found."""

import random
import struct
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.boxes import wire_constants
from companion.devices.boxes.link import BoxLink, BoxMemory, Pressed
from companion.devices.boxes.wire import LONGEST_STUFFED, Decoder, crc16, encode, stuff, unstuff
from companion.devices.boxes.wire_constants import LAYOUTS, LIMIT_FRAME, Kind
from companion.devices.boxes.wire_messages import CLASSES, Ack, Beat, Hello, PressMessage, parse

FRAMES = st.binary(min_size=1, max_size=LIMIT_FRAME - 2)


def test_the_checksum_is_the_catalogued_one() -> None:
    assert crc16(b"123456789") == 0x29B1


@given(st.binary(max_size=1000))
def test_stuffing_leaves_no_zero_and_is_undone(data: bytes) -> None:
    stuffed = stuff(data)
    assert 0 not in stuffed and unstuff(stuffed) == data


@given(st.binary(max_size=600).filter(lambda data: 0 not in data))
def test_what_is_not_stuffed_is_refused_or_unstuffs_to_something_that_fits(data: bytes) -> None:
    found = unstuff(data)
    assert found is None or len(found) <= len(data)


@given(st.lists(FRAMES, max_size=6), st.data())
def test_frames_come_out_however_the_stream_is_cut(frames: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(encode(frame) for frame in frames)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    decoder = Decoder()
    found = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += decoder.feed(stream[start:end])
    assert found == frames and decoder.damaged == 0


@given(st.binary(max_size=400), FRAMES)
def test_the_first_frame_after_any_garbage_is_found(garbage: bytes, frame: bytes) -> None:
    assert Decoder().feed(garbage + encode(frame))[-1:] == [frame]


@given(FRAMES, st.integers(0, 8 * 80), st.integers(1, 16), st.data())
def test_a_burst_of_up_to_sixteen_wrong_bits_is_never_taken(frame: bytes, start: int, length: int, data: st.DataObject) -> None:
    line = bytearray(encode(frame))
    start %= 8 * len(line)
    pattern = data.draw(st.integers(0, (1 << length) - 1)) | 1
    number = int.from_bytes(line, "little") ^ ((pattern << start) % (1 << 8 * len(line)))
    spoiled = number.to_bytes(len(line), "little")
    # Wrong bits may make two frames of one or move the stuffing, so the CRC alone is not what is tested: whatever is
    # still found must be the frame as it was.
    assert all(found == frame for found in Decoder().feed(b"\0" + spoiled + b"\0"))


def test_an_endless_stretch_costs_no_memory() -> None:
    decoder = Decoder()
    for _ in range(1000):
        assert decoder.feed(b"\x55" * 1000) == []
    assert len(decoder._open) <= LONGEST_STUFFED + 1
    assert decoder.feed(b"\0" + encode(b"\x84\x01\x00")) == [b"\x84\x01\x00"]


def test_every_kind_has_a_class_with_the_fields_of_its_layout() -> None:
    assert set(CLASSES) == set(Kind)
    for kind, known in CLASSES.items():
        assert tuple(field.name for field in fields(known)) == LAYOUTS[Kind(kind)][1]


@given(st.sampled_from(sorted(CLASSES)), st.data(), st.binary(max_size=9))
def test_messages_round_trip_and_ignore_what_a_later_version_appends(kind: int, data: st.DataObject, more: bytes) -> None:
    layout, names = LAYOUTS[Kind(kind)]
    widths = {"B": 8, "H": 16, "I": 32}
    values = [data.draw(st.integers(0, (1 << widths[sign]) - 1)) for sign in layout[1:]]
    if kind == Kind.HELLO:
        values[0] = wire_constants.PROTOCOL_MAGIC
    message = CLASSES[kind](*values)
    (frame,) = Decoder().feed(message.line())
    assert parse(frame) == message == parse(frame + more)
    assert parse(frame[:-1]) is None
    assert len(names) == len(values)


@given(st.integers(0, 255).filter(lambda kind: kind not in CLASSES), st.binary(max_size=30))
def test_unknown_kinds_are_nothing(kind: int, rest: bytes) -> None:
    assert parse(bytes([kind]) + rest) is None


def linked() -> tuple[BoxLink, BoxMemory]:
    """A link to a box in session 0x1234 that expects press 7."""
    memories = {(99, 0x1234): BoxMemory(0x1234, 7)}
    link = BoxLink(memories, lambda bits: 5, 0.0)
    for _ in range(2):
        link.poll(0.0)
        link._send_request(0.0)
        hello = Hello(wire_constants.PROTOCOL_MAGIC, 1, 1, 6, 99, 0x1234, 7, 0, 0, 6, 4, 256, 1, 1000)
        link.receive(hello.line(), 0.001)
    assert link.linked
    link.output()
    return link, memories[99, 0x1234]


def no_press_comes_of(randomness: random.Random, count: int) -> int:
    """Feeds random frames to a linked host; half of them stuffed rightly, a tenth with the CRC right but random fields."""
    link, memory = linked()
    good = 0
    for number in range(count):
        data = randomness.randbytes(randomness.randrange(0, 48))
        choice = number % 10
        if choice < 5:
            data = stuff(data)
        elif choice == 5:
            # All but a valid press: right CRC, the kind of a press, random fields.
            data = encode(bytes([Kind.PRESS]) + randomness.randbytes(struct.calcsize(LAYOUTS[Kind.PRESS][0])))
            good += 1
        happenings = link.receive(b"\0" + data + b"\0", 0.01)
        assert not any(isinstance(each, Pressed) for each in happenings), data.hex()
        if not number % 1000:
            link.output()
    assert memory.expected == 7 and link.decoder.good >= good
    return link.decoder.damaged


def test_random_frames_are_never_taken_for_a_press() -> None:
    assert no_press_comes_of(random.Random(6), 30_000) > 20_000


@pytest.mark.slow
def test_a_million_random_frames_are_never_taken_for_a_press() -> None:
    assert no_press_comes_of(random.Random(1_000_000), 1_000_000) > 700_000


def test_the_same_link_does_take_the_true_press_once() -> None:
    link, memory = linked()
    true = PressMessage(0x1234, 7, 0 | 15 << 4, 0, 1000).line()
    taken = [each for _ in range(5) for each in link.receive(true, 0.02)]
    assert [type(each) for each in taken] == [Pressed] and memory.expected == 8
    assert Ack(0x1234, 8).line() in link.output()


@pytest.mark.parametrize(
    "wrong",
    [
        PressMessage(0x1235, 7, 0xF0, 0, 1000),
        PressMessage(0x1234, 8, 0xF0, 0, 1000),
        PressMessage(0x1234, 6, 0xF0, 0, 1000),
        PressMessage(0x1234, 7, 0xE0, 0, 1000),
    ],
    ids=["another session", "one too early", "had before", "button contradicts itself"],
)
def test_a_well_formed_press_that_does_not_fit_is_not_taken(wrong: PressMessage) -> None:
    link, memory = linked()
    assert link.receive(wrong.line(), 0.02) == [] and memory.expected == 7


def test_a_button_from_the_future_is_passed_over_and_acknowledged() -> None:
    link, memory = linked()
    assert link.receive(PressMessage(0x1234, 7, 9 | 6 << 4, 0, 1000).line(), 0.02) == []
    assert memory.expected == 8
    assert link.receive(PressMessage(0x1234, 8, 1 | 14 << 4, 0, 1000).line(), 0.03)


def test_a_report_of_another_session_makes_the_host_ask_again() -> None:
    link, _ = linked()
    link.receive(Beat(0, 0, 5, 0, 0, 0, 0, 0).line(), 0.02)
    assert not link.linked
