"""The host's end of the protocol for one port, without threads, clocks or files: bytes and times in, bytes and happenings out.

A link asks who is there, opens or adopts a session, takes each press once and in order, keeps the lights as wanted, and
notices silence. What must outlive the port (session, number of the next press, clock) is a ``BoxMemory``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.devices.boxes import wire_constants as wire
from companion.devices.boxes.box import SignalPattern
from companion.devices.boxes.clock import DeviceClock
from companion.devices.boxes.wire import Decoder
from companion.devices.boxes.wire_constants import ButtonNumber, Kind, PressFlag
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


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """Tunables of the host's end; the times both ends must share are in the protocol."""

    ask_every: float = 0.25  # s, 0.1..0.5; few bytes for a stranger, soon enough after a board's start-up second
    ask_again: float = 0.08  # s, 0.05..0.2; once something answered as a box does, a lost answer is soon replaced
    foreign_after: float = 1.6  # s, 1.4..1.7; longer than a board's start-up, and with the looking less than two seconds
    patience: float = 10.0  # s; a port that was a box is asked this long before it is closed and opened anew
    ping_every: float = wire.TIME_PING / 1000  # s
    lost_after: float = wire.TIME_HOST_LOST / 1000  # s
    show_every: float = 0.1  # s, 0.05..0.5; a picture not confirmed is sent again this often


@dataclass(slots=True)
class BoxMemory:
    """What the host knows about one session of one box; lives as long as the program."""

    session: int
    expected: int
    clock: DeviceClock = field(default_factory=DeviceClock)


@dataclass(frozen=True, slots=True)
class Linked:
    """A box answers here. ``known``: its session went on from before; ``hello`` is what it said."""

    hello: Hello
    known: bool


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press, for the first time; ``host`` seconds on the clock of the times passed in, right within ``error``."""

    button: ButtonNumber
    flags: PressFlag
    host: float
    error: float


@dataclass(frozen=True, slots=True)
class Reported:
    """The box reported on itself."""

    beat: Beat


@dataclass(frozen=True, slots=True)
class Restarted:
    """The box lost its memory and is being asked anew."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A box that was there says nothing any more; it is being asked."""


@dataclass(frozen=True, slots=True)
class ForeignDevice:
    """No box answers: ``heard`` bytes came that were none of its frames. ``version``: it needs a newer host.
    ``likely``: something looked like a box all the same, so the port is worth another try."""

    heard: int
    version: int | None = None
    likely: bool = False


# How every hello begins. A line so bad that none comes through whole still lets this through now and then.
HELLO_SIGN = bytes([Kind.HELLO]) + wire.PROTOCOL_MAGIC.to_bytes(2, "little")

Happening = Linked | Pressed | Reported | Restarted | Lost | ForeignDevice


class BoxLink:
    """One port's conversation. Call ``receive`` with whatever arrived and ``poll`` at least every 20 ms; after either,
    send what ``output`` returns. All times are seconds on one monotonic clock."""

    def __init__(
        self,
        memories: dict[tuple[int, int], BoxMemory],
        draw: Callable[[int], int],
        now: float,
        settings: LinkSettings | None = None,
    ) -> None:
        """``memories`` is shared by all links, by identity and session; ``draw(bits)`` gives a random number."""
        self.linked = False
        self.hello: Hello | None = None
        self.decoder = Decoder()
        self.last_heard = now
        self._memories = memories
        self._memory: BoxMemory | None = None
        self._draw = draw
        self._settings = settings or LinkSettings()
        self._out = bytearray()
        self._bytes = 0
        self._tail = b""
        self._was_box = False
        self._asking_since = now
        self._ask_at = now
        self._asked: dict[int, float] = {}
        self._candidate: Hello | None = None
        self._ping_at = now
        self._pinged: dict[int, float] = {}
        self._wanted = SignalPattern()
        self._serial = 0
        self._shown = False
        self._show_at = now
        self._ack_due = False

    # --- what the host wants ---

    def show(self, pattern: SignalPattern) -> None:
        """Show this until something else is wanted; a tone sounds once."""
        self._wanted = pattern
        self._serial = self._serial % 255 + 1
        self._shown = False
        self._show_at = 0.0

    def rename(self, now: float) -> None:
        """Give the box a new identity, because another one has the same."""
        self._send_name()
        self._ask(now)

    def output(self) -> bytes:
        """What to send now."""
        if self._ack_due and self._memory is not None:
            self._send(Ack(self._memory.session, self._memory.expected))
        self._ack_due = False
        out = bytes(self._out)
        self._out.clear()
        return out

    # --- time ---

    def poll(self, now: float) -> list[Happening]:
        """What follows from time alone."""
        if not self.linked:
            return self._poll_asking(now)
        if now - self.last_heard > self._settings.lost_after:
            self._ask(now)
            return [Lost()]
        if now >= self._ping_at:
            self._ping_at = now + self._settings.ping_every
            nonce = self._new_nonce(self._pinged, now)
            self._send(Ping(nonce))
        if not self._shown and now >= self._show_at:
            self._show_at = now + self._settings.show_every
            wanted = self._wanted
            self._send(Show(self._serial, wanted.packed, wanted.tone, wanted.duration, wanted.repeats, wanted.gap))
        return []

    def _poll_asking(self, now: float) -> list[Happening]:
        waited = now - self._asking_since
        if waited > (self._settings.patience if self._was_box else self._settings.foreign_after):
            return [ForeignDevice(self._bytes, likely=self._was_box)]
        if now >= self._ask_at:
            self._send_request(now)
        return []

    # --- bytes ---

    def receive(self, data: bytes, now: float) -> list[Happening]:
        """What follows from bytes that arrived."""
        if not data:
            return []
        self._bytes += len(data)
        if not self.linked:
            self._was_box = self._was_box or HELLO_SIGN in self._tail + data
            self._tail = (self._tail + data)[-2:]
        damaged = self.decoder.damaged
        happenings: list[Happening] = []
        for frame in self.decoder.feed(data):
            message = parse(frame)
            if message is not None:
                happenings += self._take(message, now)
        if self.linked and self.decoder.damaged > damaged:
            self._ack_due = True  # perhaps it was a press: asking at once is quicker than the box's own patience
        return happenings

    def _take(self, message: Message, now: float) -> list[Happening]:
        if isinstance(message, Hello):
            return self._take_hello(message, now)
        if not self.linked or self._memory is None:
            return []
        if isinstance(message, PressMessage):
            return self._take_press(message, self._memory, now)
        if isinstance(message, Beat):
            return self._take_beat(message, self._memory, now)
        return []

    def _take_hello(self, hello: Hello, now: float) -> list[Happening]:
        asked = self._asked.pop(hello.nonce, None)
        if asked is None or self.linked:
            return []
        self._was_box = True
        if hello.compatible > wire.PROTOCOL_VERSION:
            return [ForeignDevice(self._bytes, hello.compatible)]
        self._asked.clear()
        previous, self._candidate = self._candidate, hello
        if hello.identity in (0, 0xFFFFFFFF):
            self._send_name()
        if hello.session == 0:
            self._send(Session(1 + self._draw(16) % 0xFFFF))
        # Two answers that agree: what is adopted here (the number of the next press above all) must not be an accident.
        if previous is None or hello.session == 0 or not _agree(previous, hello):
            self._send_request(now)
            return []
        return [self._link(hello, asked, now)]

    def _link(self, hello: Hello, asked: float, now: float) -> Linked:
        key = hello.identity, hello.session
        memory = self._memories.get(key)
        if memory is None and self._memory is not None and self._memory.session == hello.session:
            memory = self._memories[key] = self._memory  # the same session under the name it was given just now
        known = memory is not None and (memory.expected - hello.first) % 256 <= hello.waiting
        if memory is None or not known:
            memory = BoxMemory(hello.session, hello.first)
            for old in [each for each in self._memories if each[0] == hello.identity]:
                del self._memories[old]
            self._memories[key] = memory
        memory.clock.add(hello.time, asked, now)
        self._memory = memory
        self.hello = hello
        self.linked = True
        self.last_heard = now
        self._ping_at = now
        self._pinged.clear()
        # The lights come back as they were; a tone that sounded before does not sound again.
        self.show(self._wanted.quiet() if self._shown or self._serial == 0 else self._wanted)
        self._ack_due = True
        return Linked(hello, known)

    def _take_press(self, press: PressMessage, memory: BoxMemory, now: float) -> list[Happening]:
        if press.session != memory.session or not press.sound:
            return []
        self.last_heard = now
        self._ack_due = True
        number = press.number
        if press.sequence != memory.expected:
            return []  # had it before, or one before it is missing: the acknowledgement says which is wanted
        memory.expected = (memory.expected + 1) % 256
        if number is None:
            return []  # a button this host has never heard of, from a newer box
        host, error = memory.clock.host(press.time) or (now, 1.0)
        return [Pressed(number, PressFlag(press.flags & 3), min(host, now), error)]

    def _take_beat(self, beat: Beat, memory: BoxMemory, now: float) -> list[Happening]:
        if beat.session != memory.session:
            self._ask(now)
            return [Restarted()]
        self.last_heard = now
        sent = self._pinged.pop(beat.nonce, None)
        if sent is not None:
            memory.clock.add(beat.time, sent, now)
        if beat.shown == self._serial:
            self._shown = True
        elif self._shown:
            self.show(self._wanted.quiet())  # the box forgot (a reset that kept its presses)
        if beat.waiting and not self._ack_due:
            # Something waits that has not come through: say where we are.
            self._ack_due = True
        return [Reported(beat)]

    # --- parts ---

    def _ask(self, now: float) -> None:
        self.linked = False
        self._candidate = None
        self._asking_since = now
        self._send_request(now)

    def _send_request(self, now: float) -> None:
        pause = self._settings.ask_every if self._candidate is None and not self._was_box else self._settings.ask_again
        self._ask_at = now + pause
        self._send(HelloRequest(self._new_nonce(self._asked, now), wire.PROTOCOL_VERSION))

    def _send_name(self) -> None:
        identity = 1 + self._draw(32) % 0xFFFFFFFE
        self._send(Name(identity, identity ^ 0xFFFFFFFF))

    def _new_nonce(self, table: dict[int, float], now: float) -> int:
        """A nonce for a question asked now; answers later than a second are worth nothing and forgotten."""
        for old in [nonce for nonce, at in table.items() if now - at > 1]:
            del table[old]
        nonce = 1 + self._draw(16) % 0xFFFF
        table[nonce] = now
        return nonce

    def _send(self, message: Message) -> None:
        self._out += message.line()


def _agree(one: Hello, other: Hello) -> bool:
    """Whether two answers describe the same box in the same state (presses may be added meanwhile)."""
    return (one.identity, one.session, one.first) == (other.identity, other.session, other.first) and other.identity != 0
