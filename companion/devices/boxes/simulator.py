"""A button box without hardware that implements the port, and misbehaves on command.

``SimulatedBox`` is the device: the same protocol as the firmware, driven by the times it is given. ``SimulatedPort`` is a
line to it that can lose, repeat, alter and delay bytes, and ``SimulatedPorts`` is a machine with several such lines.
"""

import random
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from companion.devices.boxes import wire_constants as wire
from companion.devices.boxes.box import Button, ButtonPort, PortBusy, PortForbidden
from companion.devices.boxes.wire import Decoder
from companion.devices.boxes.wire_constants import ButtonNumber, Capability, Cause, PressFlag
from companion.devices.boxes.wire_messages import (
    Ack,
    Beat,
    Hello,
    HelloRequest,
    Message,
    Name,
    Ping,
    PressMessage,
    Session,
    Show,
    parse,
)
from companion.errors import DeviceError

BUTTONS = tuple(Button[number.name] for number in ButtonNumber)


@dataclass(slots=True)
class Misbehaviour:
    """How bad the line is, changed at any time. Chances are per byte, 0..1."""

    drop: float = 0.0
    double: float = 0.0
    flip: float = 0.0  # one bit
    delay: float = 0.0  # s, longest extra time a piece of data takes; order is kept
    babble: float = 0.0  # chance per read of a burst of random bytes


class SimulatedBox:
    """The device. ``now`` in every method is seconds on one clock; the box's own clock may drift and starts at 0."""

    def __init__(
        self, identity: int = 0, drift: float = 0.0, version: int = wire.PROTOCOL_VERSION, compatible: int = 1
    ) -> None:
        self.identity = identity
        self.version, self.compatible = version, compatible
        self.lights = 0
        self.sounds: list[Show] = []
        self.closed = self.stuck = 0
        self._drift = drift
        self.power(None)

    def power(self, now: float | None) -> None:
        """Off and on: everything but the identity is forgotten."""
        self.cause = Cause.POWER
        self.refused = 0
        self.session = self.first = 0
        self.queue: list[tuple[int, int, int]] = []
        self._started = now
        self.reset()

    def reset(self) -> None:
        """The reset pin: waiting presses and the session stay."""
        self._decoder = Decoder()
        self._out = bytearray()
        self._in_flight = 0
        self._retry_at = self._beat_at = 0.0
        self._hint_at = -1.0
        self._attempts = 0
        self._heard = -1e9
        self.shown = 0

    def milliseconds(self, now: float) -> int:
        """The device's clock."""
        if self._started is None:
            self._started = now
        return round((now - self._started) * 1000 * (1 + self._drift)) % (1 << 32)

    def press(self, button: Button, now: float, flags: PressFlag = PressFlag(0)) -> None:  # noqa: B008 - an immutable number
        """Someone presses a button (debounced already)."""
        if len(self.queue) >= wire.LIMIT_QUEUE:
            self.refused = min(self.refused + 1, 255)
            return
        self.queue.append((BUTTONS.index(button), flags, self.milliseconds(now)))

    def take(self, data: bytes, now: float) -> None:
        """Bytes from the host."""
        for frame in self._decoder.feed(data):
            message = parse(frame)
            if message is not None and message.kind < 0x80:
                self._heard = now
                self._obey(message, now)

    def give(self, now: float) -> bytes:
        """Bytes for the host that are due."""
        if now - self._heard < wire.TIME_HOST_LOST / 1000:
            self._send_presses(now)
            if now >= self._beat_at:
                self._beat(0, now)
        else:
            self.shown = self.lights = self._in_flight = 0
        out = bytes(self._out)
        self._out.clear()
        return out

    def _obey(self, message: Message, now: float) -> None:
        match message:
            case HelloRequest(nonce=nonce):
                self._send(self._hello(nonce, now))
            case Session(session=session):
                self.session = self.session or session
            case Name(identity=identity, inverse=inverse) if identity == inverse ^ 0xFFFFFFFF:
                self.identity = identity
            case Ping(nonce=nonce):
                self._beat(nonce, now)
            case Ack(session=session, next=following) if session == self.session and session:
                self._acknowledged(following, now)
            case Show(serial=serial) if serial != self.shown:
                self.shown, self.lights = serial, message.lights
                if message.tone:
                    self.sounds.append(message)

    def _hello(self, nonce: int, now: float) -> Hello:
        return Hello(
            wire.PROTOCOL_MAGIC,
            self.version,
            self.compatible,
            nonce,
            self.identity,
            self.session,
            self.first,
            len(self.queue),
            Capability.LIGHTS | Capability.BUZZER | Capability.NAME,
            len(BUTTONS),
            4,
            0x0100,
            self.cause,
            self.milliseconds(now),
        )

    def _acknowledged(self, following: int, now: float) -> None:
        count = (following - self.first) % 256
        if 0 < count <= len(self.queue):
            del self.queue[:count]
            self.first = following
            self._in_flight = max(0, self._in_flight - count)
            self._attempts = 0
            self._retry_at = now + wire.TIME_RETRY / 1000
        elif count == 0 and now >= self._hint_at:
            self._hint_at = now + wire.TIME_RETRY_HINT / 1000
            self._in_flight = 0

    def _send_presses(self, now: float) -> None:
        if not self.session:
            return
        if self._in_flight and now >= self._retry_at:
            self._attempts += 1
            self._in_flight = 0
        while self._in_flight < min(len(self.queue), wire.LIMIT_WINDOW):
            if not self._in_flight:
                slow = self._attempts >= wire.COUNT_RETRY_FAST
                self._retry_at = now + (wire.TIME_RETRY_SLOW if slow else wire.TIME_RETRY) / 1000
            number, flags, at = self.queue[self._in_flight]
            sequence = (self.first + self._in_flight) % 256
            self._send(PressMessage(self.session, sequence, number | (number ^ 15) << 4, flags, at))
            self._in_flight += 1

    def _beat(self, nonce: int, now: float) -> None:
        self._beat_at = now + wire.TIME_BEAT / 1000
        waiting = len(self.queue)
        time_now = self.milliseconds(now)
        self._send(Beat(nonce, self.session, time_now, self.closed, self.stuck, self.refused, self.shown, waiting))

    def _send(self, message: Message) -> None:
        self._out += message.line()


class SimulatedPort:
    """A line to a device, or to something that only talks. Belongs to ``SimulatedPorts``."""

    simulated = True

    def __init__(self, name: str, device: "SimulatedBox | Chatter", bad: Misbehaviour, randomness: random.Random) -> None:
        self.name = name
        self.device = device
        self.bad = bad
        self.unplugged = False
        self._random = randomness
        self._lock = threading.Lock()
        self._to_host: deque[tuple[float, bytes]] = deque()
        self._to_box: deque[tuple[float, bytes]] = deque()

    def read(self, timeout: float) -> bytes:
        """What has arrived; looks every two milliseconds."""
        end = time.monotonic() + timeout
        while True:
            now = time.monotonic()
            with self._lock:
                self._alive()
                for piece in self._due(self._to_box, now):
                    self.device.take(piece, now)
                self._pass(self._to_host, self.device.give(now), now)
                if self.bad.babble and self._random.random() < self.bad.babble:
                    self._to_host.append((now, self._random.randbytes(self._random.randrange(1, 60))))
                data = b"".join(self._due(self._to_host, now))
            if data or now >= end:
                return data
            time.sleep(0.002)

    def write(self, data: bytes) -> None:
        """Send to the device."""
        with self._lock:
            self._alive()
            self._pass(self._to_box, data, time.monotonic())

    def close(self) -> None:
        """Nothing is held."""

    def press(self, button: Button) -> None:
        """Someone presses a button of the box on this line."""
        with self._lock:
            if isinstance(self.device, SimulatedBox):
                self.device.press(button, time.monotonic())

    def reboot_mid_frame(self, memory_stays: bool = False) -> None:
        """The box restarts while a frame is on its way: only a part of what is due arrives."""
        with self._lock:
            now = time.monotonic()
            due = self.device.give(now)
            self._to_host.append((now, due[: len(due) // 2] or b"\x00\x12\x80"))
            if isinstance(self.device, SimulatedBox):
                if memory_stays:
                    self.device.reset()
                else:
                    self.device.power(now)

    def _alive(self) -> None:
        if self.unplugged:
            raise DeviceError(f"{self.name}: the port went away")

    def _pass(self, line: deque[tuple[float, bytes]], data: bytes, now: float) -> None:
        if data:
            last = line[-1][0] if line else now
            line.append((max(last, now + self._random.random() * self.bad.delay), self._spoil(data)))

    def _spoil(self, data: bytes) -> bytes:
        bad = self.bad
        if not (bad.drop or bad.double or bad.flip):
            return data
        out = bytearray()
        for byte in data:
            if self._random.random() < bad.drop:
                continue
            spoiled = byte ^ (1 << self._random.randrange(8)) if self._random.random() < bad.flip else byte
            out.append(spoiled)
            if self._random.random() < bad.double:
                out.append(spoiled)
        return bytes(out)

    @staticmethod
    def _due(line: deque[tuple[float, bytes]], now: float) -> list[bytes]:
        pieces = []
        while line and line[0][0] <= now:
            pieces.append(line.popleft()[1])
        return pieces


class Chatter:
    """A device that is no button box and says the same line again and again, or nothing. Counts what it is told."""

    def __init__(
        self, line: bytes = b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n", every: float = 0.1
    ) -> None:
        self.taken = 0
        self._line, self._every = line, every
        self._next = 0.0

    def take(self, data: bytes, now: float) -> None:
        """Bytes from the host, only counted."""
        self.taken += len(data)

    def give(self, now: float) -> bytes:
        """The line when it is due."""
        if now < self._next or not self._line:
            return b""
        self._next = now + self._every
        return self._line


class SimulatedPorts:
    """A machine with simulated lines: implements PortSource."""

    def __init__(self, seed: int = 0) -> None:
        self.lines: dict[str, SimulatedPort] = {}
        self.busy: set[str] = set()
        self.forbidden: set[str] = set()
        self.opened: list[str] = []
        self._random = random.Random(seed)

    def plug(self, name: str, device: SimulatedBox | Chatter, bad: Misbehaviour | None = None) -> SimulatedPort:
        """Put a device on a line of that name."""
        port = SimulatedPort(name, device, bad or Misbehaviour(), random.Random(self._random.random()))
        self.lines[name] = port
        return port

    def unplug(self, name: str) -> None:
        """Take the line away."""
        self.lines.pop(name).unplugged = True

    def ports(self) -> Sequence[str]:
        """Names of the lines there are now."""
        return list(self.lines)

    def open(self, name: str) -> ButtonPort:
        """Open a line, unless it is held or forbidden."""
        self.opened.append(name)
        if name in self.busy:
            raise PortBusy(f"{name}: held by another program")
        if name in self.forbidden:
            raise PortForbidden(f"{name}: no permission to open it; add yourself to the group dialout")
        if name not in self.lines:
            raise DeviceError(f"{name}: no such port now")
        return self.lines[name]
