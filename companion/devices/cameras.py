"""Cameras by address: a number, a device, a file, a folder or a network address, all behind one port."""

from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from companion.devices.camera_capture import Rtsp, Webcam, present_text
from companion.devices.camera_http import Http
from companion.devices.camera_live import LiveCamera
from companion.devices.camera_port import Camera, CameraSettings, Listener, Shot, Source, SourceNotice
from companion.devices.camera_push import PushCamera
from companion.devices.camera_recorded import PictureFolder, VideoFile
from companion.errors import BadInput
from companion.vision.picture_header import READ, is_read
from companion.vision.pictures import SUFFIXES, kind_of_file, left_out, picture_paths

__all__ = [
    "KINDS", "Camera", "CameraSettings", "Listener", "Shot", "Source", "SourceNotice",
    "open_camera", "without_password",
]  # fmt: skip

KINDS = "a camera number, /dev/videoN, a video file, a picture, a folder of pictures, rtsp://…, http://… or https://…, or phone"


def open_camera(address: str, settings: CameraSettings | None = None) -> Camera:
    """The camera at an address (see ``KINDS``), opened: a wrong address fails here, in one line, not later.

    Raises DeviceError when a device or stream does not answer, BadInput when the address or file is none of ours.
    """
    options = settings or CameraSettings()
    text = address.strip()
    if text == "phone":
        return PushCamera(settings=options)
    if text.isdigit() or text.startswith("/dev/"):
        return LiveCamera(Webcam(text, options), options)
    if "://" in text:
        return _stream(text, options)
    path = Path(text).expanduser()
    if path.is_dir():
        return PictureFolder(str(path), tuple(picture_paths(path)), options, left_out=left_out(path))
    if not path.is_file():
        raise BadInput(f"camera {address!r}: no such file or folder; allowed are {KINDS}; {present_text()}")
    return _recorded(path, options)


def _recorded(path: Path, settings: CameraSettings) -> Camera:
    """A single file, taken for what it holds: names are given by hand."""
    kind = kind_of_file(path)
    if is_read(kind) or path.suffix.lower() in SUFFIXES:
        return PictureFolder(str(path), [path], settings)
    if kind is not None and not kind.startswith("film"):
        raise BadInput(
            f"{path}: is of the kind {kind}, which is not read as a picture; allowed are {READ}: save or send it as JPEG"
        )
    return VideoFile(path, settings)


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
