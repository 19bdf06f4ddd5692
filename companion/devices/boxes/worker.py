"""The thread that serves one port: carries bytes between line and link, makes presses and notices of what happens."""

import secrets
import threading
import time
from typing import Any, Protocol

from companion.devices.boxes.box import ANSWERS, Button, ButtonPort, Press, SignalPattern
from companion.devices.boxes.link import (
    BoxLink,
    BoxMemory,
    ForeignDevice,
    Happening,
    Linked,
    LinkSettings,
    Lost,
    Pressed,
    Reported,
    Restarted,
)
from companion.devices.boxes.wire_constants import ButtonNumber, Capability, PressFlag
from companion.errors import DeviceError

BUTTONS = {number: Button[number.name] for number in ButtonNumber}


class WorkerSettings(Protocol):
    """The tunables a worker needs."""

    @property
    def read_wait(self) -> float: ...
    @property
    def link(self) -> LinkSettings: ...


class WorkerHost(Protocol):
    """What a worker needs from the one that started it. ``lock`` is held during every call."""

    lock: Any
    memories: dict[tuple[int, int], BoxMemory]

    @property
    def settings(self) -> WorkerSettings: ...
    @property
    def stopping(self) -> bool: ...
    def pattern_for(self, box: str) -> SignalPattern: ...
    def deliver(self, press: Press, age: float) -> None: ...
    def notice(self, code: str, **params: Any) -> None: ...
    def came(self, worker: "Worker", session: int) -> bool: ...
    def state(self, worker: "Worker", state: str, text: str = "") -> None: ...
    def ended(self) -> None: ...


class Worker:
    """Serves one open port until the line goes away, no box answers, or it is told to stop."""

    def __init__(self, host: WorkerHost, line: ButtonPort, now: float) -> None:
        self.port_name = line.name
        self.wanted: SignalPattern | None = None  # set by any thread, taken by this one
        self.facts: dict[str, Any] = {"simulated": line.simulated}
        self.verdict = ""  # why it ended: foreign, incompatible, gone, stopped
        self.heard = 0
        self.session = 0
        self._host, self._line = host, line
        self._link = BoxLink(host.memories, secrets.randbits, now, host.settings.link)
        self._abandoned = False
        self._been_linked = False
        self._stuck = 0
        self._refused = 0
        self._thread = threading.Thread(target=self._run, name=f"box {line.name}", daemon=True)

    @property
    def alive(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def join(self) -> None:
        """Wait for the end."""
        self._thread.join()

    def abandon(self) -> None:
        """End soon: the box is somewhere else now."""
        self._abandoned = True

    def _run(self) -> None:
        try:
            while not self.verdict:
                data = self._line.read(self._host.settings.read_wait)
                with self._host.lock:
                    if self._host.stopping or self._abandoned:
                        self.verdict = "stopped"
                        break
                    out = self._turn(data, time.monotonic())
                if out:
                    self._line.write(out)
        except DeviceError as error:
            self.verdict = "gone"
            with self._host.lock:
                self._gone(str(error))
        finally:
            self.verdict = self.verdict or "failed"
            self._line.close()
            self._host.ended()

    def _turn(self, data: bytes, now: float) -> bytes:
        wanted, self.wanted = self.wanted, None
        if wanted is not None:
            self._link.show(wanted)
        for happening in self._link.receive(data, now):
            self._handle(happening, now)
        for happening in self._link.poll(now):
            self._handle(happening, now)
        return self._link.output()

    def _handle(self, happening: Happening, now: float) -> None:
        match happening:
            case Pressed():
                self._press(happening)
            case Reported():
                self._report(happening)
            case Linked():
                self._linked(happening, now)
            case Lost():
                self._host.state(self, "lost")
                self._host.notice("box-lost", **self._params)
            case Restarted():
                self._host.notice("box-restarted", **self._params)
            case ForeignDevice(heard, version, likely):
                self.heard = heard
                self.verdict = "incompatible" if version is not None else "gone" if likely else "foreign"

    @property
    def _name(self) -> str:
        return str(self.facts.get("box", ""))

    @property
    def _params(self) -> dict[str, Any]:
        return {"box": self._name, "port": self.port_name, "simulated": self.facts["simulated"]}

    def _press(self, pressed: Pressed) -> None:
        button, flags = BUTTONS[pressed.button], pressed.flags
        together, held = PressFlag.TOGETHER in flags, PressFlag.HELD in flags
        press = Press(self._name, button, pressed.host, "", together, held, pressed.error)
        self._host.deliver(press, max(0.0, time.monotonic() - pressed.host))

    def _linked(self, linked: Linked, now: float) -> None:
        hello = linked.hello
        self.session = hello.session
        facts = dict(self.facts) | {
            "box": f"{hello.identity:08x}",
            "version": hello.version,
            "firmware": f"{hello.firmware >> 8}.{hello.firmware & 255}",
            "capabilities": [can.name.lower() for can in Capability if hello.capabilities & can and can.name],
            "buttons": hello.buttons,
            "lights": hello.lights,
        }
        self.facts = facts  # replaced whole, never changed: other threads read it
        if self._host.came(self, hello.session):
            self._link.rename(now)
            return
        known = linked.known or self._been_linked
        self._been_linked = True
        if not known:
            self._stuck = self._refused = 0
        self._link.show(self._host.pattern_for(self._name))
        self._host.notice("box-back" if known else "box-found", **self._params)

    def _report(self, reported: Reported) -> None:
        beat = reported.beat
        for name in _names(beat.stuck ^ self._stuck):
            code = "box-stuck" if name in _names(beat.stuck) else "box-free"
            self._host.notice(code, **self._params, button=name)
        self._stuck = beat.stuck
        lost = max(0, beat.refused - self._refused)
        self._refused = beat.refused
        if lost:
            self._host.notice("box-overflow", **self._params, count=lost)
        state = {"down": _names(beat.closed), "stuck": _names(beat.stuck)}
        if any(self.facts.get(key) != names for key, names in state.items()):
            self.facts = self.facts | state

    def _gone(self, text: str) -> None:
        self._host.state(self, "gone", text)
        if self._been_linked:
            self._host.notice("box-unplugged", **self._params)


def _names(bits: int) -> list[str]:
    """The buttons of a set of bits. Which of the answers is meant is nobody's business; the page learns only "answer"."""
    names = ["answer" if button in ANSWERS else str(button) for number, button in BUTTONS.items() if bits >> number & 1]
    return list(dict.fromkeys(names))
