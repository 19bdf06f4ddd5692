"""Which serial ports may be asked whether a button box is there, without anybody having named them.

Opening a port can reset the device behind it, so what is no board's usual USB adapter is left alone: modems, GPS
receivers with chips of their own, the machine's built-in ports.
"""

from collections.abc import Iterable, Sequence

from serial.tools import list_ports

from companion.devices.boxes.box import ButtonPort
from companion.devices.boxes.serial_line import SerialPort

Identity = tuple[int, int]

# USB vendor and product of what sits on an Arduino Nano or Uno, on copies of them, and on loose adapters for 5 V boards.
BOARD_ADAPTERS: frozenset[Identity] = frozenset(
    {
        (0x2341, 0x0001), (0x2341, 0x0043), (0x2341, 0x0243), (0x2A03, 0x0043),  # Arduino Uno and Nano
        (0x1A86, 0x7523), (0x1A86, 0x5523), (0x1A86, 0x55D4),  # WCH CH340, CH341, CH9102
        (0x0403, 0x6001), (0x0403, 0x6015),  # FTDI FT232R, FT231X
        (0x10C4, 0xEA60),  # Silicon Labs CP2102
    }
)  # fmt: skip


def board_ports(found: Iterable[object]) -> list[str]:
    """The devices among pyserial's port descriptions whose adapter is a board's."""
    ports = [
        str(getattr(port, "device", ""))
        for port in found
        if (getattr(port, "vid", None), getattr(port, "pid", None)) in BOARD_ADAPTERS
    ]
    return list(dict.fromkeys(ports))


class BoardPorts:
    """The serial ports of this machine that look like a board's: implements PortSource."""

    def ports(self) -> Sequence[str]:
        """Names of the ports there are now, each once."""
        return board_ports(list_ports.comports())

    def open(self, name: str) -> ButtonPort:
        """Open the port of that name."""
        return SerialPort(name)
