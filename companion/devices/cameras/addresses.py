"""Cameras by address: a number, a device, a file, a folder or a network address, all behind one port."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from companion.devices.cameras.capture import Rtsp, Webcam, present_text
from companion.devices.cameras.listing import devices, named
from companion.devices.cameras.live import LiveCamera
from companion.devices.cameras.over_http import Http
from companion.devices.cameras.port import Camera, CameraSettings, Listener, Shot, Source, SourceNotice
from companion.devices.cameras.push import PushCamera
from companion.devices.cameras.recorded import PictureFolder, VideoFile
from companion.errors import BadInput, quoted
from companion.vision.pictures.files import SUFFIXES, kind_of_file, left_out, picture_paths
from companion.vision.pictures.header import READ, is_read

__all__ = [
    "KINDS", "Camera", "CameraSettings", "Listener", "Shot", "Source", "SourceNotice",
    "open_camera", "without_password",
]  # fmt: skip

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
KINDS = (
    "a camera's number or name, /dev/videoN, a video file, a picture, a folder of pictures, "
    "rtsp://…, http://… or https://…, or phone"
)

LONGEST_NAME = 200
"""100..1000 letters; no camera's own name is longer (V4L2 has room for 32)."""


LONGEST_ADDRESS = 2000
MOST_DEVICE = 255
"""Linux counts its video devices so far."""


def open_camera(address: str, settings: CameraSettings | None = None) -> Camera:
    """The camera at an address (see ``KINDS``), opened: a wrong address fails here, in one line, not later.

    Raises DeviceError when a device or stream does not answer, BadInput when the address or file is none of ours.
    """
    options = settings or CameraSettings()
    text = device_of(address) or address.strip()
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
        return PictureFolder(str(path), tuple(picture_paths(path)), options, left_out=left_out(path))
    if not path.is_file():
        shown = quoted(without_password(address), LONGEST_ADDRESS)
        raise BadInput(f"camera {shown}: no such file or folder; allowed are {KINDS}; {present_text()}")
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


def path_of(text: str) -> Path:
    """The file or folder that an address names, whether it is there or not. Raises BadInput when none can have that name."""
    try:
        path = Path(text).expanduser()
        path.exists()
    except (OSError, RuntimeError, ValueError) as error:  # a name too long, a user there is not, a letter no name can have
        raise BadInput(f"camera {text[:40]!r}: this cannot be a file or folder; allowed are {KINDS}") from error
    return path


def without_password(address: str) -> str:
    """An address fit to be shown: user, password and query (where cameras carry keys) replaced by ``…``.

    By position alone, so that it holds for what no parser takes for an address: up to the last ``@`` it may be a login,
    behind the first ``?``, ``#`` or ``&`` after that it may be a key.
    """
    scheme, mark, rest = address.partition("://")
    if not mark or not _SCHEME.fullmatch(scheme):
        scheme, mark, rest = "", "", address
    _, at, place = rest.rpartition("@")
    end = min((place.index(sign) for sign in "?#&" if sign in place), default=len(place))
    return f"{scheme}{mark}{'…@' if at else ''}{place[:end]}{place[end : end + 1]}{'…' if place[end + 1 :] else ''}"


def _stream(address: str, settings: CameraSettings) -> Camera:
    shown = without_password(address)
    scheme, _, rest = address.partition("://")
    place = min((rest.index(sign) for sign in "/?#\\" if sign in rest), default=len(rest))
    if "@" in rest[place:]:
        # Whatever stands before the sign would be taken for the host, though it may be a half of a password.
        raise BadInput(
            f"camera {shown}: a sign in the user or password ends them too early; write # as %23, / as %2F, ? as %3F, % as %25 "
            "(and an @ behind the host as %40)"
        )
    try:
        url = urlsplit(address)
        named = bool(url.hostname) and (url.port is None or url.port > 0)
        if not _SCHEME.fullmatch(scheme):
            raise ValueError(scheme)
    except ValueError:  # its words would quote the address
        raise BadInput(f"camera {shown}: this is no address: the port or the host cannot be") from None
    scheme = scheme.lower()
    if scheme not in ("http", "https", "rtsp", "rtsps"):
        raise BadInput(f"camera {shown}: {scheme}:// is not known; allowed are {KINDS}")
    if not named:
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
