"""Numbers of the box protocol. Written by firmware/generate.py from firmware/protocol.toml; change it there."""

from enum import IntEnum, IntFlag
from typing import Final

PROTOCOL_VERSION: Final = 1
PROTOCOL_COMPATIBLE: Final = 1
PROTOCOL_BAUD: Final = 115200
PROTOCOL_MAGIC: Final = 22356
LIMIT_FRAME: Final = 40
LIMIT_QUEUE: Final = 32
LIMIT_WINDOW: Final = 4
TIME_PRESS_STABLE: Final = 5
TIME_RELEASE_STABLE: Final = 20
TIME_HOLD: Final = 1500
TIME_STUCK: Final = 10000
TIME_RETRY: Final = 30
TIME_RETRY_SLOW: Final = 100
TIME_RETRY_HINT: Final = 10
TIME_BEAT: Final = 1000
TIME_PING: Final = 250
TIME_HOST_LOST: Final = 3000
TIME_CLICK: Final = 15
TIME_WATCHDOG: Final = 250
COUNT_RETRY_FAST: Final = 8


class ButtonNumber(IntEnum):
    """The numbers of the buttons on the wire."""

    ANSWER_A = 0
    ANSWER_B = 1
    CLOCK_A = 2
    CLOCK_B = 3
    AGAIN = 4
    ARBITER = 5


class PressFlag(IntFlag):
    """The numbers of the flags on the wire."""

    TOGETHER = 1
    HELD = 2


class Light(IntEnum):
    """The numbers of the lights on the wire."""

    OFF = 0
    ON = 1
    SLOW = 2
    FAST = 3


class Capability(IntFlag):
    """The numbers of the capabilities on the wire."""

    LIGHTS = 1
    BUZZER = 2
    HOLD = 4
    NAME = 8


class Cause(IntFlag):
    """The numbers of the causes on the wire."""

    UNKNOWN = 0
    POWER = 1
    EXTERNAL = 2
    BROWN_OUT = 4
    WATCHDOG = 8
    KEPT = 128


class Kind(IntEnum):
    """First byte of a frame."""

    HELLO_REQUEST = 0x01
    SESSION = 0x02
    ACK = 0x03
    PING = 0x04
    SHOW = 0x05
    NAME = 0x06
    HELLO = 0x81
    PRESS = 0x82
    BEAT = 0x83


LAYOUTS: Final[dict[Kind, tuple[str, tuple[str, ...]]]] = {
    Kind.HELLO_REQUEST: ("<HB", ("nonce", "version")),
    Kind.SESSION: ("<H", ("session",)),
    Kind.ACK: ("<HB", ("session", "next")),
    Kind.PING: ("<H", ("nonce",)),
    Kind.SHOW: ("<BHHHBH", ("serial", "lights", "tone", "duration", "repeats", "gap")),
    Kind.NAME: ("<II", ("identity", "inverse")),
    Kind.HELLO: (
        "<HBBHIHBBHBBHBI",
        (
            "magic",
            "version",
            "compatible",
            "nonce",
            "identity",
            "session",
            "first",
            "waiting",
            "capabilities",
            "buttons",
            "lights",
            "firmware",
            "cause",
            "time",
        ),
    ),
    Kind.PRESS: ("<HBBBI", ("session", "sequence", "button", "flags", "time")),
    Kind.BEAT: ("<HHIBBBBB", ("nonce", "session", "time", "closed", "stuck", "refused", "shown", "waiting")),
}
