"""Cameras by address: a number, a device, a file, a folder or a network address, all behind one port."""

from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from companion.devices.camera_capture import Rtsp, Webcam, present_text
from companion.devices.camera_http import Http
from companion.devices.camera_list import devices, named
from companion.devices.camera_live import LiveCamera
from companion.devices.camera_port import Camera, CameraSettings, Listener, Shot, Source, SourceNotice
from companion.devices.camera_push import PushCamera
from companion.devices.camera_recorded import PICTURE_ENDINGS, PictureFolder, VideoFile, pictures_in
from companion.errors import BadInput

__all__ = [
    "KINDS", "Camera", "CameraSettings", "Listener", "Shot", "Source", "SourceNotice",
    "open_camera", "without_password",
]  # fmt: skip

KINDS = (
    "a camera's number or name, /dev/videoN, a video file, a picture, a folder of pictures, "
    "rtsp://…, http://… or https://…, or phone"
)

LONGEST_NAME = 200
"""100..1000 letters; no camera's own name is longer (V4L2 has room for 32)."""


def open_camera(address: str, settings: CameraSettings | None = None) -> Camera:
    """The camera at an address (see ``KINDS``), opened: a wrong address fails here, in one line, not later.

    Raises DeviceError when a device or stream does not answer, BadInput when the address or file is none of ours.
    """
    options = settings or CameraSettings()
    text = device_of(address) or address.strip()
    if text == "phone":
        return PushCamera(settings=options)
    if text.isdigit() or text.startswith("/dev/"):
        return LiveCamera(Webcam(text, options), options)
    if "://" in text:
        return _stream(text, options)
    path = Path(text).expanduser()
    if path.is_dir():
        return PictureFolder(str(path), pictures_in(path), options)
    if not path.is_file():
        raise BadInput(f"camera {address!r}: no such file or folder; allowed are {KINDS}; {present_text()}")
    if path.suffix.lower() in PICTURE_ENDINGS:
        return PictureFolder(str(path), [path], options)
    return VideoFile(path, options)


def without_password(address: str) -> str:
    """A network address fit to be shown: user, password and query (where cameras carry keys) replaced by ``…``."""
    url = urlsplit(address)
    host = url.netloc.rpartition("@")[2]
    return urlunsplit((url.scheme, f"…@{host}" if "@" in url.netloc else host, url.path, "…" if url.query else "", ""))


def _stream(address: str, settings: CameraSettings) -> Camera:
    try:
        url = urlsplit(address)
        _ = url.port
    except ValueError as error:
        raise BadInput(f"camera address: {error}") from error
    shown = without_password(address)
    scheme = url.scheme.lower()
    if scheme not in ("http", "https", "rtsp", "rtsps"):
        raise BadInput(f"camera {shown}: {scheme}:// is not known; allowed are {KINDS}")
    if not url.hostname:
        raise BadInput(f"camera {shown}: the address names no host")
    if scheme.startswith("rtsp"):
        return LiveCamera(Rtsp(address, shown, settings), settings)
    return LiveCamera(Http(address, shown, settings), settings)


def device_of(address: str) -> str | None:
    """The number or path of the camera of this machine that an address means, by its number, its path or its name.

    None where it means something else, as a file of that name always does. Raises BadInput when several cameras are called so.
    """
    text = address.strip()
    if text.isdigit() or text.startswith("/dev/"):
        return text
    if text == "phone" or "://" in text or len(text) > LONGEST_NAME:
        return None
    try:
        there = Path(text).expanduser().exists()
    except (OSError, RuntimeError, ValueError):  # no file can be called so; a camera may
        there = False
    return None if there else named(text, devices())
