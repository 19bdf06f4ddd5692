"""The cameras of this machine by number and by name, on Linux, Windows and macOS.

Linux tells both itself. Elsewhere only the system's own multimedia interface does, which ``cv2-enumerate-cameras`` asks; the
numbers are those OpenCV counts by, so they hold for the interface of :func:`backend` alone.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from companion.errors import BadInput

LINUX = "linux"
LISTED_BY_LINUX = Path("/sys/class/video4linux")
_BACKENDS = {
    LINUX: (cv2.CAP_V4L2, "V4L2"),
    "win32": (cv2.CAP_DSHOW, "DirectShow"),  # Media Foundation takes up to half a minute to open some cameras
    "darwin": (cv2.CAP_AVFOUNDATION, "AVFoundation"),
}


@dataclass(frozen=True, slots=True)
class Device:
    """One camera: ``address`` opens it (``/dev/videoN`` on Linux, a number elsewhere), ``name`` is what its maker calls it."""

    address: str
    name: str


def backend(system: str = sys.platform) -> tuple[int, str]:
    """OpenCV's constant and the name of the interface that cameras are opened by."""
    return _BACKENDS.get(system, (cv2.CAP_ANY, "whatever OpenCV finds"))


def devices(system: str = sys.platform, root: Path = LISTED_BY_LINUX) -> tuple[Device, ...]:
    """Every camera that the system knows, in its order. ``root`` is where Linux lists them."""
    if system == LINUX:
        return tuple(Device(f"/dev/{entry.name}", linux_name(entry)) for entry in linux_entries(root))
    try:
        from cv2_enumerate_cameras import enumerate_cameras  # noqa: PLC0415 - there is none for Linux
    except ImportError:
        return ()
    return tuple(Device(str(found.index), str(found.name)) for found in enumerate_cameras(backend(system)[0]))


def linux_entries(root: Path) -> list[Path]:
    """What the kernel lists, by number."""
    return sorted(root.glob("video*"), key=lambda path: (len(path.name), path.name))


def linux_name(entry: Path) -> str:
    """What the kernel calls an entry."""
    try:
        return (entry / "name").read_text("utf-8", "replace").strip()
    except OSError:
        return "no name"


def named(name: str, known: Sequence[Device]) -> str | None:
    """The address of the camera of that name: the whole name first, then a part of one; capitals do not matter. None if there
    is none. Raises BadInput when the name fits several cameras that are not one and the same.

    A webcam has several entries of one name on Linux, of which the first films; two webcams of a kind have too, but there
    the name is of no use, and the numbers are.
    """
    wanted = name.strip().casefold()
    if not wanted:
        return None
    for fits in (lambda own: own == wanted, lambda own: wanted in own):
        found = [device for device in known if fits(device.name.casefold())]
        if len({device.name for device in found}) > 1:
            choice = ", ".join(f"{device.address} ({device.name})" for device in found)
            raise BadInput(f"camera {name[:40]!r}: several cameras are called so: {choice}")
        if found:
            return found[0].address
    return None
