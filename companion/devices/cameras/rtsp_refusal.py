"""Why a camera gives no stream over RTSP: asked of it directly, since FFmpeg's own words do not reach us through OpenCV.

Only after FFmpeg failed, and only as far as a player goes before the first picture (RFC 2326: OPTIONS is left out, DESCRIBE,
SETUP over TCP, SETUP over UDP, TEARDOWN), so nothing is played twice.
"""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO
from urllib.parse import urlsplit

from companion.devices.cameras.answers import answered
from companion.devices.cameras.connection import reason
from companion.devices.cameras.login import Login, login_of
from companion.errors import DeviceError

UDP_ONLY = (
    "sends its pictures over UDP only, where lost packets tear them; allow RTSP over TCP (interleaved) in the camera's own "
    "settings, or use its HTTP or MJPEG address"
)
_PORT = 554
_LONGEST_LINE = 8192
_MOST_HEADERS = 64
_MOST_BODY = 65_536
_TCP, _UDP = "RTP/AVP/TCP;unicast;interleaved=0-1", "RTP/AVP;unicast;client_port=50000-50001"


def why_refused(address: str, timeout: float) -> str:
    """What keeps an ``rtsp://`` address from giving pictures over TCP, as the end of a sentence; empty when nothing was found.

    ``timeout``: seconds for each of at most six answers.
    """
    bare, login = login_of(address)
    url = urlsplit(bare)
    if url.scheme.lower() != "rtsp" or url.hostname is None:
        return ""
    try:
        with socket.create_connection((url.hostname, url.port or _PORT), timeout) as line, line.makefile("rb") as stream:
            return _asked(_Dialogue(line, stream, login), bare)
    except (OSError, ValueError) as error:
        return reason(error)
    except DeviceError as error:
        return str(error)


def _asked(dialogue: "_Dialogue", address: str) -> str:
    described = dialogue.ask("DESCRIBE", address, Accept="application/sdp")
    if described.status != 200:
        return answered(described.status, described.words)
    track = _track(described, address)
    over_tcp = dialogue.ask("SETUP", track, Transport=_TCP)
    if over_tcp.status == 200 and "/TCP" in over_tcp.headers.get("transport", "").upper():
        return ""
    over_udp = over_tcp if over_tcp.status == 200 else dialogue.ask("SETUP", track, Transport=_UDP)
    if over_udp.status != 200:
        return answered(over_tcp.status, over_tcp.words)
    dialogue.ask("TEARDOWN", address, Session=over_udp.headers.get("session", "").partition(";")[0])
    return UDP_ONLY


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    words: str
    headers: Mapping[str, str]
    challenges: tuple[str, ...]
    body: str


class _Dialogue:
    """Requests on one connection, each answered before the next."""

    def __init__(self, line: socket.socket, stream: BinaryIO, login: Login | None) -> None:
        self._line, self._stream, self._login = line, stream, login
        self._number = 0

    def ask(self, method: str, address: str, **headers: str) -> _Answer:
        """The answer to one request, logged in where that is asked for. Raises DeviceError, the end of a sentence."""
        for _ in range(3):
            answer = self._once(method, address, headers)
            if answer.status != 401:
                return answer
            if self._login is None:
                raise DeviceError("asks for a user and a password: write them before the host, as rtsp://USER:PASSWORD@HOST/…")
            self._login.challenged(answer.challenges)
        return answer

    def _once(self, method: str, address: str, headers: Mapping[str, str]) -> _Answer:
        self._number += 1
        login = self._login.header(method, address) if self._login is not None else None
        fields = {
            "CSeq": str(self._number),
            "User-Agent": "table-witness",
            **headers,
            **({"Authorization": login} if login else {}),
        }
        text = f"{method} {address} RTSP/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
        self._line.sendall(text.encode())
        return self._answer()

    def _answer(self) -> _Answer:
        first = self._stream.readline(_LONGEST_LINE).decode("latin-1").split(maxsplit=2)
        if len(first) < 2 or not first[0].startswith("RTSP/") or not first[1].isdecimal():
            raise DeviceError("does not speak RTSP")
        headers: dict[str, str] = {}
        challenges = []
        for _ in range(_MOST_HEADERS):
            name, _colon, value = self._stream.readline(_LONGEST_LINE).decode("latin-1").strip().partition(":")
            if not name:
                break
            headers[name.lower()] = value.strip()
            if name.lower() == "www-authenticate":
                challenges.append(value.strip())
        length = headers.get("content-length", "0")
        body = self._stream.read(min(int(length), _MOST_BODY)) if length.isascii() and length.isdecimal() else b""
        words = "".join(sign for sign in " ".join(first[2:]) if sign.isprintable())[:60].strip()
        return _Answer(int(first[1]), words, headers, tuple(challenges), body.decode("utf-8", "replace"))


def _track(described: _Answer, address: str) -> str:
    """The address of the first film in a description (SDP)."""
    base = described.headers.get("content-base") or described.headers.get("content-location") or address
    control, film = "*", False
    for line in described.body.splitlines():
        if line.startswith("m="):
            if film:
                break
            film = line.startswith("m=video")
        elif film and line.startswith("a=control:"):
            control = line.removeprefix("a=control:").strip()
    if control in ("", "*"):
        return base
    return control if "://" in control else f"{base.rstrip('/')}/{control}"
