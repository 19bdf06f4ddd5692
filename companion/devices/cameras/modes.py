"""What a webcam can do, asked of the kernel directly: formats and sizes, without any tool being installed.

Other systems than Linux tell which cameras there are and no more.
"""

import os
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.devices.cameras import listing as camera_list
from companion.devices.cameras.listing import LINUX, LISTED_BY_LINUX, linux_entries, linux_name

# From the kernel's videodev2.h: _IOR/_IOWR('V', number, size of the structure).
_QUERY_CAPABILITY = (2 << 30) | (104 << 16) | (ord("V") << 8) | 0
_ENUMERATE_FORMAT = (3 << 30) | (64 << 16) | (ord("V") << 8) | 2
_ENUMERATE_SIZE = (3 << 30) | (44 << 16) | (ord("V") << 8) | 74
_CAPTURES_VIDEO = 0x1
_HAS_DEVICE_CAPABILITIES = 0x80000000
_DISCRETE = 1
_MOST = 64
UNNAMED = "unnamed"
"""A format in :class:`CameraModes` where the system names none."""

Control = Callable[[int, int, bytearray], object]


@dataclass(frozen=True, slots=True)
class CameraModes:
    """One video device. ``modes`` maps a format ("MJPG") to its sizes, largest first; ``problem`` says why there are none."""

    device: str
    name: str
    modes: dict[str, tuple[tuple[int, int], ...]]
    problem: str | None = None

    def to_json(self) -> dict[str, object]:
        sizes = {kind: [f"{width}x{height}" for width, height in found] for kind, found in self.modes.items()}
        return {"device": self.device, "name": self.name, "modes": sizes, "problem": self.problem}


def all_modes(root: Path = LISTED_BY_LINUX, devices: Path = Path("/dev"), system: str = sys.platform) -> list[CameraModes]:
    """Every video device that the system knows; on Linux with what it can do."""
    if system != LINUX:
        return [CameraModes(device.address, device.name, {UNNAMED: ()}) for device in camera_list.devices(system)]
    found = []
    for entry in linux_entries(root):
        name, device = linux_name(entry), str(devices / entry.name)
        try:
            handle = os.open(device, os.O_RDWR | os.O_NONBLOCK)
        except OSError as error:
            found.append(CameraModes(device, name, {}, f"cannot be opened ({error.strerror})"))
            continue
        try:
            found.append(CameraModes(device, name, modes(handle)))
        except OSError as error:
            found.append(CameraModes(device, name, {}, f"does not answer ({error.strerror})"))
        finally:
            os.close(handle)
    return found


def modes(handle: int, control: Control | None = None) -> dict[str, tuple[tuple[int, int], ...]]:
    """Formats and sizes of an open device; empty for a device that captures no video (many webcams have such a second one).
    ``control`` asks the kernel (``ioctl``)."""
    if control is None:
        import fcntl  # noqa: PLC0415 - Windows has none

        control = fcntl.ioctl
    answer = bytearray(104)
    control(handle, _QUERY_CAPABILITY, answer)
    whole, own = struct.unpack_from("=II", answer, 84)
    if not (own if whole & _HAS_DEVICE_CAPABILITIES else whole) & _CAPTURES_VIDEO:
        return {}
    found = {}
    for index in range(_MOST):
        answer = bytearray(struct.pack("=II", index, 1)) + bytearray(56)
        try:
            control(handle, _ENUMERATE_FORMAT, answer)
        except OSError:  # the end of the list
            break
        code = bytes(answer[44:48])
        found[code.decode("ascii", "replace").strip()] = _sizes(handle, code, control)
    return found


def _sizes(handle: int, code: bytes, control: Control) -> tuple[tuple[int, int], ...]:
    found = []
    for index in range(_MOST):
        answer = bytearray(struct.pack("=I4s", index, code)) + bytearray(36)
        try:
            control(handle, _ENUMERATE_SIZE, answer)
        except OSError:
            break
        kind, width, height, *stepwise = struct.unpack_from("=IIIIIII", answer, 8)
        if kind == _DISCRETE:
            found.append((width, height))
            continue
        # Stepwise: smallest width, largest width, step, smallest height, largest height, step. The ends are enough.
        _, _, smallest_height, largest_height, _ = height, *stepwise
        found += [(height, largest_height), (width, smallest_height)]
        break
    return tuple(sorted(set(found), reverse=True))
