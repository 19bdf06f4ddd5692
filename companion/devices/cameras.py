"""Cameras by address: a number, a device, a file, a folder or a network address, all behind one port."""

from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from companion.devices.camera_capture import Rtsp, Webcam, present_text
from companion.devices.camera_http import Http
from companion.devices.camera_live import LiveCamera
from companion.devices.camera_port import Camera, CameraSettings, Listener, Shot, Source, SourceNotice
from companion.devices.camera_push import PushCamera
from companion.devices.camera_recorded import PICTURE_ENDINGS, PictureFolder, VideoFile, pictures_in
from companion.errors import BadInput

__all__ = [
    "KINDS", "Camera", "CameraSettings", "Listener", "Shot", "Source", "SourceNotice",
    "open_camera", "without_password",
]  # fmt: skip

KINDS = "a camera number, /dev/videoN, a video file, a picture, a folder of pictures, rtsp://…, http://… or https://…, or phone"


LONGEST_ADDRESS = 2000
MOST_DEVICE = 255
"""Linux counts its video devices so far."""


def open_camera(address: str, settings: CameraSettings | None = None) -> Camera:
    """The camera at an address (see ``KINDS``), opened: a wrong address fails here, in one line, not later.

    Raises DeviceError when a device or stream does not answer, BadInput when the address or file is none of ours.
    """
    options = settings or CameraSettings()
    text = address.strip()
    if text == "phone":
        return PushCamera(settings=options)
    if len(text) > LONGEST_ADDRESS or not text.isprintable():
        raise BadInput(f"camera {text[:40]!r}: an address is one line of at most {LONGEST_ADDRESS} letters")
    if text.isdecimal() and not (text.isascii() and len(text) <= len(str(MOST_DEVICE)) and int(text) <= MOST_DEVICE):
        raise BadInput(f"camera {text[:40]!r}: the cameras of a machine have the numbers 0 to {MOST_DEVICE}")
    if text.isdecimal() or text.startswith("/dev/"):
        return LiveCamera(Webcam(text, options), options)
    if "://" in text:
        return _stream(text, options)
    path = path_of(text)
    if path.is_dir():
        return PictureFolder(str(path), pictures_in(path), options)
    if not path.is_file():
        raise BadInput(f"camera {address!r}: no such file or folder; allowed are {KINDS}; {present_text()}")
    if path.suffix.lower() in PICTURE_ENDINGS:
        return PictureFolder(str(path), [path], options)
    return VideoFile(path, options)


def path_of(text: str) -> Path:
    """The file or folder that an address names, whether it is there or not. Raises BadInput when none can have that name."""
    try:
        path = Path(text).expanduser()
        path.exists()
    except (OSError, RuntimeError, ValueError) as error:  # a name too long, a user there is not, a letter no name can have
        raise BadInput(f"camera {text[:40]!r}: this cannot be a file or folder; allowed are {KINDS}") from error
    return path


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
