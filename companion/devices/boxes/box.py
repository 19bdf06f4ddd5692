"""The button box as the rest of the program sees it: buttons, presses, patterns of light and sound, and the port.

A *port* is a line to one box that carries bytes. The serial line and the simulator implement it alike; everything above
it (framing, acknowledgement, time) is the same for both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from companion.devices.boxes.wire_constants import Light
from companion.errors import DeviceError


class Button(StrEnum):
    """What a button is for. ANSWER_A and ANSWER_B are treated alike in lights, sound and timing."""

    ANSWER_A = "answer-a"
    ANSWER_B = "answer-b"
    CLOCK_A = "clock-a"
    CLOCK_B = "clock-b"
    AGAIN = "again"
    ARBITER = "arbiter"


ANSWERS = (Button.ANSWER_A, Button.ANSWER_B)
"""The buttons of a question's first and second answer."""


@dataclass(frozen=True, slots=True)
class Press:
    """A press, delivered exactly once.

    ``box`` is the box's lasting identity (eight hexadecimal digits) and ``role`` what it was assigned to. ``at`` is in
    seconds on the clock given to ``Boxes``, right within ``error`` seconds. ``together``: another button of the same
    group (the answers, or the rest) was closed too. ``held``: the button pressed last is being held.
    """

    box: str
    button: Button
    at: float
    role: str = ""
    together: bool = False
    held: bool = False
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class BoxNotice:
    """Something a person should know about a box or a port: an English sentence template and its words.

    Never says which of the answer buttons it is about.
    """

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The template."""
        return NOTICES[self.code]

    def __str__(self) -> str:
        return self.text.format_map(self.params)


NOTICES: Mapping[str, str] = {
    "box-found": "Button box {box} found on {port}.",
    "box-back": "Button box {box} is back on {port}.",
    "box-lost": "Button box {box} says nothing any more; asking on {port}.",
    "box-unplugged": "Button box {box} was unplugged from {port}.",
    "box-restarted": "Button box {box} lost its power for a moment.",
    "box-stuck": "A button of box {box} is stuck or held down: {button}. The others go on.",
    "box-free": "A button of box {box} is free again: {button}.",
    "box-overflow": "Button box {box} could not keep {count} press(es): too many while nobody listened.",
    "box-press-refused": "A press of box {box} was not taken: {reason}",
    "box-foreign": "Another device talks on {port}, no button box; it is left alone.",
    "box-silent": "Nothing answers on {port}.",
    "box-incompatible": "The button box on {port} needs a newer version of this program.",
    "box-busy": "{reason}",
    "box-forbidden": "{reason}",
    "box-gone": "{reason}",
    "arbiter": "The arbiter is called.",
    "box-roles": "The roles of the button boxes could not be read ({reason}); give them anew.",
    "box-ports": "The serial ports cannot be listed: {reason}",
}


@dataclass(frozen=True, slots=True)
class SignalPattern:
    """What the box shows: up to eight lights and a tone (Hz) of ``duration`` ms, ``repeats`` times, ``gap`` ms apart."""

    lights: tuple[Light, ...] = ()
    tone: int = 0
    duration: int = 0
    repeats: int = 0
    gap: int = 0

    @property
    def packed(self) -> int:
        """The lights as on the wire: two bits each, the first one lowest."""
        return sum(light << 2 * place for place, light in enumerate(self.lights[:8]))

    def quiet(self) -> "SignalPattern":
        """The same lights without the tone."""
        return SignalPattern(self.lights)


# The one place that says what the lights mean. After an answer the box shows TAKEN, whichever answer it was.
PATTERNS: Mapping[str, SignalPattern] = {
    "dark": SignalPattern(),
    "ready": SignalPattern((Light.ON,)),
    "ask": SignalPattern((Light.ON, Light.FAST), tone=1500, duration=80, repeats=2, gap=80),
    "taken": SignalPattern((Light.ON, Light.ON)),
    "wrong": SignalPattern((Light.ON, Light.OFF, Light.FAST), tone=400, duration=250, repeats=2, gap=120),
    "blind": SignalPattern((Light.ON, Light.OFF, Light.OFF, Light.SLOW)),
    "over": SignalPattern((Light.ON, Light.ON, Light.ON, Light.ON), tone=1000, duration=120, repeats=3, gap=60),
}


class PortBusy(DeviceError):
    """Another program holds the port."""


class PortForbidden(DeviceError):
    """This user may not open the port."""


class ButtonPort(Protocol):
    """A line to one box. Every method raises DeviceError when the line is gone."""

    name: str
    simulated: bool

    def read(self, timeout: float) -> bytes:
        """What has arrived; waits at most ``timeout`` seconds for the first byte, then returns b""."""

    def write(self, data: bytes) -> None:
        """Send all of it."""

    def close(self) -> None:
        """Let go of the line; closing twice is fine."""


class PortSource(Protocol):
    """Where ports come from."""

    def ports(self) -> Sequence[str]:
        """Names of the ports there are now."""

    def open(self, name: str) -> ButtonPort:
        """Open one. Raises PortBusy, PortForbidden or DeviceError."""
