"""What the frames on the button box's line mean. One frozen class a kind; unknown kinds and short frames are None.

A later version of the protocol may append fields: what is longer than known is cut, so both ends may be the newer one.
"""

import struct
from dataclasses import astuple, dataclass
from typing import ClassVar

from companion.devices.boxes.wire import encode
from companion.devices.boxes.wire_constants import LAYOUTS, PROTOCOL_MAGIC, ButtonNumber, Kind


@dataclass(frozen=True, slots=True)
class Message:
    """Base of all messages; the fields of each class are those of firmware/protocol.toml, in that order."""

    kind: ClassVar[Kind]

    def line(self) -> bytes:
        """The bytes for the line."""
        return encode(bytes([self.kind]) + struct.pack(LAYOUTS[self.kind][0], *astuple(self)))


@dataclass(frozen=True, slots=True)
class HelloRequest(Message):
    """To the box: who are you?"""

    kind: ClassVar[Kind] = Kind.HELLO_REQUEST
    nonce: int
    version: int


@dataclass(frozen=True, slots=True)
class Session(Message):
    """To the box: opens a session where none is open."""

    kind: ClassVar[Kind] = Kind.SESSION
    session: int


@dataclass(frozen=True, slots=True)
class Ack(Message):
    """To the box: every press before ``next`` is safe."""

    kind: ClassVar[Kind] = Kind.ACK
    session: int
    next: int


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """To the box: the host's heartbeat."""

    kind: ClassVar[Kind] = Kind.PING
    nonce: int


@dataclass(frozen=True, slots=True)
class Show(Message):
    """To the box: lights (two bits each), tone in Hz, duration and gap in ms."""

    kind: ClassVar[Kind] = Kind.SHOW
    serial: int
    lights: int
    tone: int
    duration: int
    repeats: int
    gap: int


@dataclass(frozen=True, slots=True)
class Name(Message):
    """To the box: its lasting identity and the complement of it."""

    kind: ClassVar[Kind] = Kind.NAME
    identity: int
    inverse: int


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """From the box: what it is and where its presses stand. ``time`` in device milliseconds."""

    kind: ClassVar[Kind] = Kind.HELLO
    magic: int
    version: int
    compatible: int
    nonce: int
    identity: int
    session: int
    first: int
    waiting: int
    capabilities: int
    buttons: int
    lights: int
    firmware: int
    cause: int
    time: int


@dataclass(frozen=True, slots=True)
class PressMessage(Message):
    """From the box: one press. ``button`` is the byte on the line, ``number`` the button; ``time`` in device ms."""

    kind: ClassVar[Kind] = Kind.PRESS
    session: int
    sequence: int
    button: int
    flags: int
    time: int

    @property
    def sound(self) -> bool:
        """Whether the two halves of the button's byte agree."""
        return self.button >> 4 == self.button & 15 ^ 15

    @property
    def number(self) -> ButtonNumber | None:
        """The button, or None for one not known here."""
        number = self.button & 15
        return ButtonNumber(number) if number in ButtonNumber._value2member_map_ else None


@dataclass(frozen=True, slots=True)
class Beat(Message):
    """From the box: its clock, contacts closed and stuck (bits), presses refused, last SHOW, presses waiting."""

    kind: ClassVar[Kind] = Kind.BEAT
    nonce: int
    session: int
    time: int
    closed: int
    stuck: int
    refused: int
    shown: int
    waiting: int


CLASSES: dict[int, type[Message]] = {
    each.kind: each for each in (HelloRequest, Session, Ack, Ping, Show, Name, Hello, PressMessage, Beat)
}


def parse(frame: bytes) -> Message | None:
    """The message in a good frame; None for kinds not known, frames too short, and hellos without the magic number."""
    known = CLASSES.get(frame[0])
    if known is None:
        return None
    layout = LAYOUTS[known.kind][0]
    if len(frame) < 1 + struct.calcsize(layout):
        return None
    message = known(*struct.unpack_from(layout, frame, 1))
    if isinstance(message, Hello) and message.magic != PROTOCOL_MAGIC:
        return None
    return message
