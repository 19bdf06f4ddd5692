"""Serial ports as lines to boxes, by pyserial.

Opening a port resets many boards (the line DTR is wired to their reset). The port is asked not to do that again when it
is opened next time; the box keeps its waiting presses over a reset anyway.
"""

import contextlib
import errno
import sys
from collections.abc import Sequence
from pathlib import Path

import serial
from serial.tools import list_ports

from companion.devices.boxes.box import ButtonPort, PortBusy, PortForbidden
from companion.devices.boxes.wire_constants import PROTOCOL_BAUD
from companion.errors import DeviceError

try:
    import termios
except ImportError:  # not a POSIX system
    termios = None  # type: ignore[assignment]

WRITE_PATIENCE = 0.5  # s; a line that takes nothing for so long is gone


class SerialPort:
    """One open serial port. Only one thread may use it."""

    simulated = False

    def __init__(self, name: str) -> None:
        """Raises PortBusy, PortForbidden or DeviceError, each with what to do about it."""
        self.name = name
        self._serial = serial.Serial()
        self._serial.port = name
        self._serial.baudrate = PROTOCOL_BAUD
        self._serial.timeout = 0.02
        self._serial.write_timeout = WRITE_PATIENCE
        self._serial.dtr = False
        self._serial.rts = False
        if sys.platform != "win32":
            self._serial.exclusive = True
        try:
            self._serial.open()
        except (OSError, ValueError) as error:
            raise _explained(name, error) from error
        _leave_alone(self._serial)

    def read(self, timeout: float) -> bytes:
        """What has arrived; waits at most ``timeout`` seconds for the first byte."""
        try:
            self._serial.timeout = timeout
            first: bytes = self._serial.read(1)
            waiting = self._serial.in_waiting if first else 0
            return first + self._serial.read(waiting) if waiting else first
        except (OSError, TypeError, _TERMIOS_ERROR) as error:  # TypeError: closed under our hands
            raise DeviceError(f"{self.name}: the port went away while reading") from error

    def write(self, data: bytes) -> None:
        """Send all of it."""
        try:
            self._serial.write(data)
        except (OSError, TypeError, _TERMIOS_ERROR) as error:
            raise DeviceError(f"{self.name}: the port went away while writing") from error

    def close(self) -> None:
        """Let go of the port."""
        with contextlib.suppress(OSError, _TERMIOS_ERROR):
            self._serial.close()


class SerialPorts:
    """The serial ports of this machine, and any others given by name or pattern."""

    def __init__(self, only: Sequence[str] = (), also: Sequence[str] = ()) -> None:
        """``only``: nothing but these names or patterns (like ``/dev/ttyUSB*``); ``also``: these besides what is found."""
        self._only = tuple(only)
        self._also = tuple(also)

    def ports(self) -> Sequence[str]:
        """Names of the ports there are now, each once."""
        found = [] if self._only else [port.device for port in list_ports.comports()]
        for pattern in self._only + self._also:
            found += _matching(pattern)
        return list(dict.fromkeys(found))

    def open(self, name: str) -> ButtonPort:
        """Open the port of that name."""
        return SerialPort(name)


def _matching(pattern: str) -> list[str]:
    """The ports a name or pattern stands for; signs like ``*`` only in the last part. On Windows names are no files."""
    if sys.platform == "win32":
        return [pattern]
    path = Path(pattern)
    if any(sign in path.name for sign in "*?["):
        return sorted(str(each) for each in path.parent.glob(path.name))
    return [pattern] if path.exists() else []


def _leave_alone(line: serial.Serial) -> None:
    """Ask the system not to drop DTR when the port is closed, and to hand bytes over without delay."""
    if termios is not None:
        # Pseudo-terminals and odd drivers refuse; then the box is reset by the next opening, which it survives.
        with contextlib.suppress(OSError, _TERMIOS_ERROR):
            settings = termios.tcgetattr(line.fileno())
            settings[2] &= ~termios.HUPCL
            termios.tcsetattr(line.fileno(), termios.TCSANOW, settings)
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, ValueError, NotImplementedError):
            line.set_low_latency_mode(True)


_TERMIOS_ERROR: type[Exception] = termios.error if termios is not None else OSError


def _explained(name: str, error: Exception) -> DeviceError:
    """The reason a port does not open, with the way out."""
    number = getattr(error, "errno", None)
    said = str(error).lower()
    if number == errno.EACCES or "permission" in said or "access is denied" in said:
        return PortForbidden(f"{name}: {_permission_advice(name)}")
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in said or "busy" in said:
        return PortBusy(f"{name}: held by another program (serial monitor, printer software, modem manager); close it there")
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "no such file" in said:
        return DeviceError(f"{name}: no such port now; plug the box in, or look with `companion box list`")
    return DeviceError(f"{name}: cannot be opened ({error})")


def _permission_advice(name: str) -> str:
    if sys.platform == "win32":
        return "access denied; another program holds the port, close it there"
    group = _group_of(name) or "dialout"
    return f"no permission to open it; add yourself to the group {group} (sudo usermod -a -G {group} $USER) and log in again"


def _group_of(name: str) -> str | None:
    """The group that may use the port, unless that is root's own."""
    try:
        group = Path(name).group()
    except (OSError, KeyError, NotImplementedError):
        return None
    return group if group != "root" else None
