"""All button boxes of this machine: finds them by asking, keeps them, and hands their presses on exactly once.

One thread looks for ports, one thread serves each port. Ports where no box answers are left alone until they are plugged
in anew or asked for; ports that are held, forbidden or silent are tried again less and less often.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.devices.boxes.box import PATTERNS, BoxNotice, PortBusy, PortForbidden, PortSource, Press, SignalPattern
from companion.devices.boxes.link import BoxMemory, LinkSettings
from companion.devices.boxes.serial_line import SerialPorts
from companion.devices.boxes.worker import Worker
from companion.errors import BadInput, DeviceError, quoted
from companion.steady import stamp


@dataclass(frozen=True, slots=True)
class BoxSettings:
    """Tunables of looking for boxes."""

    look_every: float = 0.25  # s, 0.1..2; a box plugged in is asked within this time
    read_wait: float = 0.02  # s, 0.005..0.05; how soon a change of lights goes out while nothing comes in
    first_pause: float = 0.5  # s; the pause before a port is tried again, doubled each time …
    longest_pause: float = 16.0  # s; … up to this
    silent_tries: int = 3  # a port where nothing at all was heard is asked so often before it is left alone
    link: LinkSettings = field(default_factory=LinkSettings)


@dataclass(slots=True)
class Port:
    """What is known about one port: its state for the page, and when it may be tried again."""

    name: str
    state: str = "asking"  # asking, linked, lost, busy, forbidden, gone, foreign, silent, incompatible
    text: str = ""
    pause: float = 0.0
    retry_at: float = 0.0
    tries: int = 0
    left_alone: bool = False
    was_box: bool = False
    worker: Worker | None = None


class Boxes:
    """The boxes. ``on_press`` and ``on_notice`` are called from the boxes' threads, one call at a time; what
    ``on_press`` raises is said as a notice and the press counts as taken. A press is acknowledged to the box only after
    ``on_press`` returned. None of the methods waits for them, so they may be called from there; ``stop`` may not."""

    def __init__(
        self,
        on_press: Callable[[Press], object],
        on_notice: Callable[[BoxNotice], object] = lambda notice: None,
        clock: Callable[[], float] = stamp,
        *,
        source: PortSource | None = None,
        roles: Mapping[str, str] | None = None,
        settings: BoxSettings | None = None,
    ) -> None:
        """``clock`` gives the seconds used in ``Press.at``; ``roles`` maps a box's identity to its role: a seat of the game, or
        "table"."""
        self.settings = settings or BoxSettings()
        self.memories: dict[tuple[int, int], BoxMemory] = {}
        self.lock = threading.RLock()
        self._on_press, self._on_notice, self._clock = on_press, on_notice, clock
        self._source: PortSource = source or SerialPorts()
        self._roles = dict(roles or {})
        self._ports: dict[str, Port] = {}
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._pattern = PATTERNS["ready"]
        self._box_patterns: dict[str, SignalPattern] = {}
        self._role_patterns: dict[str, SignalPattern] = {}

    # --- for the rest of the program ---

    def start(self) -> None:
        """Begin to look for boxes. Starting twice changes nothing."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._look, name="boxes", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Let go of every port; returns when all threads have ended."""
        if self._thread is None:
            return
        self._stop.set()
        self._wake.set()
        self._thread.join()
        self._thread = None
        for port in list(self._ports.values()):
            if port.worker is not None:
                port.worker.join()
        self._ports.clear()

    def status(self) -> list[dict[str, Any]]:
        """One entry a port, as plain JSON, for the page."""
        entries = []
        for port in list(self._ports.values()):
            worker = port.worker
            entry: dict[str, Any] = {"port": port.name, "state": port.state, "text": port.text, "simulated": False}
            if worker is not None:
                entry |= worker.facts
            box = entry.get("box")
            if box:
                entry["role"] = self._roles.get(box, "")
            entries.append(entry)
        return entries

    def assign(self, box: str, role: str) -> None:
        """Give a box a role (a seat of the game, "table", or "" for everything); keeps for boxes that come back."""
        self._roles[box] = role

    @property
    def roles(self) -> dict[str, str]:
        """The roles as assigned, to be kept by the caller."""
        return dict(self._roles)

    def show(self, pattern: str | SignalPattern, box: str | None = None, role: str | None = None) -> None:
        """Show a pattern (or the name of one) on one box, on all of one role, or on all."""
        if isinstance(pattern, str):
            if pattern not in PATTERNS:
                raise BadInput(f"pattern {quoted(pattern)} is not known; known are {', '.join(PATTERNS)}")
            pattern = PATTERNS[pattern]
        if box is None and role is None:
            self._pattern = pattern
            self._box_patterns.clear()
            self._role_patterns.clear()
        elif box is not None:
            self._box_patterns[box] = pattern
        elif role is not None:
            self._role_patterns[role] = pattern
            for away in [each for each in list(self._box_patterns) if self._roles.get(each, "") == role]:
                self._box_patterns[away] = pattern  # of a box that is unplugged now, for when it comes back
        for port in list(self._ports.values()):
            worker = port.worker
            identity = worker.facts.get("box") if worker else None
            if worker is None or identity is None:
                continue
            if box in (None, identity) and role in (None, self._roles.get(identity, "")):
                self._box_patterns[identity] = pattern
                worker.wanted = pattern

    def try_again(self, port: str | None = None) -> None:
        """Ask again on one port, or on all that were left alone."""
        for each in list(self._ports.values()):
            if port in (None, each.name):
                each.left_alone, each.retry_at, each.tries, each.pause = False, 0.0, 0, 0.0
        self._wake.set()

    # --- for the workers ---

    @property
    def stopping(self) -> bool:
        """Whether the workers should end."""
        return self._stop.is_set()

    def pattern_for(self, box: str) -> SignalPattern:
        """What a box that has just come should show; without the sound, which belonged to a moment that has passed."""
        by_role = self._role_patterns.get(self._roles.get(box, ""), self._pattern)
        return self._box_patterns.get(box, by_role).quiet()

    def deliver(self, press: Press, age: float) -> None:
        """Hand on a press that is ``age`` seconds old."""
        dated = Press(
            press.box,
            press.button,
            self._clock() - age,
            self._roles.get(press.box, ""),
            press.together,
            press.held,
            press.error,
        )
        try:
            self._on_press(dated)
        except Exception as error:  # whatever the program makes of a press, the box must go on
            self.notice("box-press-refused", box=press.box, reason=str(error))

    def notice(self, code: str, **params: Any) -> None:
        """Say something to the people at the table."""
        self._on_notice(BoxNotice(code, params))

    def came(self, worker: Worker, session: int) -> bool:
        """A box answered. Returns whether it must be renamed: another live box already has its identity."""
        name, identity = worker.port_name, worker.facts["box"]
        for other in list(self._ports.values()):
            rival = other.worker
            if rival is None or rival is worker or not rival.alive or rival.facts.get("box") != identity:
                continue
            if rival.session != session:
                return True
            rival.abandon()  # the same box, already known by its old port: that one is dead
        port = self._ports[name]
        port.tries, port.pause, port.state, port.text, port.was_box = 0, 0.0, "linked", "", True
        return False

    def ended(self) -> None:
        """A worker's thread is about to end: its port is looked at without delay."""
        self._wake.set()

    def state(self, worker: Worker, state: str, text: str = "") -> None:
        """The page should show this state for the worker's port."""
        port = self._ports.get(worker.port_name)
        if port is not None and port.worker is worker:
            port.state, port.text = state, text

    # --- looking for ports ---

    def _look(self) -> None:
        while not self._stop.is_set():
            try:
                names = list(self._source.ports())
            except (OSError, DeviceError) as error:
                self._say("box-ports", reason=str(error))
                names = []
            self._forget(names)
            for name in names:
                self._tend(self._ports.setdefault(name, Port(name)))
            self._wake.wait(self.settings.look_every)
            self._wake.clear()

    def _forget(self, names: list[str]) -> None:
        """Ports that went away are forgotten once their thread has ended; plugged in again they are new."""
        for name, port in list(self._ports.items()):
            if name in names:
                continue
            if port.worker is None or not port.worker.alive:
                del self._ports[name]

    def _tend(self, port: Port) -> None:
        now = time.monotonic()
        if port.worker is not None:
            if not port.worker.verdict:
                return
            port.worker.join()
            self._judge(port, port.worker, now)
            port.worker = None
        if port.left_alone or now < port.retry_at or self._stop.is_set():
            return
        try:
            line = self._source.open(port.name)
        except DeviceError as error:
            self._failed(port, error, now)
            return
        if port.state in {"busy", "forbidden", "gone"}:
            port.pause = 0.0
        if port.state != "silent":  # a port known to be silent is called so until something else is heard
            port.state, port.text = "asking", ""
        port.worker = Worker(self, line, time.monotonic())
        port.worker.start()

    def _failed(self, port: Port, error: DeviceError, now: float) -> None:
        """A port that would not open: said once per kind of trouble, tried again later."""
        state = {PortBusy: "busy", PortForbidden: "forbidden"}.get(type(error), "gone")
        if port.state != state:
            port.pause = 0.0
            if state != "gone" or port.was_box:
                self._say(f"box-{state}", port=port.name, reason=str(error))
        port.state, port.text = state, str(error)
        self._back_off(port, now)

    def _judge(self, port: Port, worker: Worker, now: float) -> None:
        """Why a port's thread ended, and what becomes of the port."""
        if worker.verdict == "incompatible":
            port.state, port.left_alone = "incompatible", True
        elif worker.verdict == "foreign" and worker.heard:
            port.state, port.left_alone = "foreign", True
        elif worker.verdict == "foreign" and not port.was_box:
            port.tries += 1
            port.state, port.left_alone = "silent", port.tries >= self.settings.silent_tries
        else:
            port.state = "gone"
        if port.state != "gone" and port.tries <= 1:
            self._say(f"box-{port.state}", port=port.name)
        port.text = "left alone until it is plugged in anew" if port.left_alone else "asked again soon"
        self._back_off(port, now)

    def _back_off(self, port: Port, now: float) -> None:
        port.pause = min(max(self.settings.first_pause, port.pause * 2), self.settings.longest_pause)
        port.retry_at = now + port.pause

    def _say(self, code: str, **params: Any) -> None:
        with self.lock:
            self.notice(code, **params)
