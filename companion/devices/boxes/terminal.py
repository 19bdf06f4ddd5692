"""A simulated button box on a pseudo-terminal: any program that opens serial ports can talk to it."""

import contextlib
import os
import random
import time
from pathlib import Path
from types import TracebackType

from companion.devices.boxes.box import Button
from companion.devices.boxes.simulator import Misbehaviour, SimulatedBox, SimulatedPort
from companion.errors import BadInput, quoted

CHANCES = ("drop", "double", "flip", "babble")


class TerminalBox:
    """Use it as a context; call ``turn`` often. ``path`` is the port to open, ``handle`` the file to wait for."""

    def __init__(self, link: str | None = None) -> None:
        """``link``: a name for the port besides its own. Raises BadInput for one that is another thing's or cannot be made, and
        on a system without pseudo-terminals (Windows)."""
        try:
            import pty  # noqa: PLC0415 - Windows has none of the two
            import tty  # noqa: PLC0415
        except ImportError:
            raise BadInput(
                "a simulated box needs pseudo-terminals, which this system has not; play with keys on the page"
            ) from None
        self.box = SimulatedBox()
        self.bad = Misbehaviour()
        self._line = SimulatedPort("pseudo-terminal", self.box, self.bad, random.Random())
        self.handle, self._other = pty.openpty()
        tty.setraw(self._other)
        os.set_blocking(self.handle, False)
        self.path = os.ttyname(self._other)
        self._link = Path(link) if link else None
        if self._link is not None:
            try:
                if self._link.is_symlink():  # left by one that was killed
                    self._link.unlink()
                self._link.symlink_to(self.path)
            except OSError as error:
                os.close(self.handle)
                os.close(self._other)
                raise BadInput(f"{link}: the link cannot be made there ({error.strerror}); name another") from error
            self.path = str(self._link)

    def __enter__(self) -> "TerminalBox":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self.handle)
        os.close(self._other)
        if self._link is not None and self._link.is_symlink():
            self._link.unlink()

    def turn(self) -> None:
        """Carry what is due between the box and the terminal."""
        with contextlib.suppress(BlockingIOError):
            self._line.write(os.read(self.handle, 4096))
        data = self._line.read(0.0)
        if data:
            with contextlib.suppress(BlockingIOError):
                os.write(self.handle, data)

    def command(self, words: list[str]) -> None:
        """Obey one command: press BUTTON, reset, power, drop|double|flip|babble CHANCE, delay SECONDS. Raises BadInput."""
        match words:
            case ["press", name] if name in list(Button):
                self._line.press(Button(name))
            case ["press", name]:
                raise BadInput(f"button {quoted(name)} is not known; there are: {', '.join(Button)}")
            case ["reset"]:
                self._line.reboot_mid_frame(memory_stays=True)
            case ["power"]:
                self.box.power(time.monotonic())
            case [what, value] if what in (*CHANCES, "delay"):
                setattr(self.bad, what, _number(what, value))
            case _:
                raise BadInput(
                    f"{quoted(' '.join(words))} is no command; there are: press, reset, power, {', '.join(CHANCES)}, delay"
                )


def _number(what: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise BadInput(f"{what} {quoted(value)}: between 0 and 1 is allowed")
    return number
