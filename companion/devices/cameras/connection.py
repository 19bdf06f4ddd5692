"""One request to a camera over HTTP or HTTPS: redirections followed, its login answered, its certificate judged."""

import ssl
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, InvalidURL
from typing import TypeVar
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from companion.devices.cameras.answers import answered
from companion.devices.cameras.certificates import fingerprint_of
from companion.devices.cameras.login import login_of
from companion.devices.cameras.port import CameraSettings
from companion.errors import DeviceError

_MOST_REDIRECTIONS = 4
_MOST_ANSWERS = 3
"""To the request for a login: a nonce that ran out, one that ran out on the way, and the answer to the last."""
_MOVED = (301, 302, 303, 307, 308)
_Line = TypeVar("_Line", bound=HTTPConnection)


class CameraConnection:
    """Asks one address again and again. Spoken directly, not through a proxy: cameras are on the table's own network."""

    def __init__(self, address: str, name: str, settings: CameraSettings) -> None:
        """``name`` is the address as it may be shown."""
        self._name, self._settings = name, settings
        self._address, self._login = login_of(address)

    def ask(self, timeout: float) -> HTTPResponse:
        """The reply (200) with its body still to be read, each read within the settings' time-out. Raises DeviceError."""
        address, sent_on, asked = self._address, 0, 0
        while sent_on < _MOST_REDIRECTIONS:
            reply = self._reached(address, timeout)
            if reply.status == 200:
                return reply
            reply.close()
            if reply.status == 401 and self._login is not None and self._is_ours(address) and asked < _MOST_ANSWERS:
                asked += 1
                try:
                    self._login.challenged(reply.headers.get_all("WWW-Authenticate", []))
                except DeviceError as error:
                    raise DeviceError(f"{self._name}: {error}") from None
                continue
            onward = reply.headers.get("Location")
            if reply.status not in _MOVED or not onward:
                raise DeviceError(f"{self._name}: {self._refusal(reply, address)}")
            address, sent_on = urljoin(address, onward), sent_on + 1
        raise DeviceError(f"{self._name}: sends us on more than {_MOST_REDIRECTIONS} times")

    def _reached(self, address: str, timeout: float) -> HTTPResponse:
        try:
            return self._request(address, timeout)
        except (InvalidURL, UnicodeError):  # their words would quote the address
            raise DeviceError(f"{self._name}: the address holds a sign that has to be written as %xx") from None
        except (OSError, HTTPException, ValueError) as error:
            raise DeviceError(f"{self._name}: cannot be reached within {timeout:g} s: {reason(error)}") from error

    def _request(self, address: str, timeout: float) -> HTTPResponse:
        url = urlsplit(address)
        target = urlunsplit(("", "", url.path or "/", url.query, ""))
        connection = self._connected(url, timeout)
        try:
            line = connection.sock
            headers = {"User-Agent": "table-witness", "Accept": "image/*, multipart/*", "Connection": "close"}
            login = self._login.header("GET", target) if self._login is not None and self._is_ours(address) else None
            if login is not None:
                headers["Authorization"] = login
            connection.request("GET", target, headers=headers)
            reply: HTTPResponse = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        line.settimeout(self._settings.read_timeout)
        return reply

    def _connected(self, url: SplitResult, timeout: float) -> HTTPConnection:
        if url.scheme not in ("http", "https") or url.hostname is None:
            raise ValueError(f"{url.scheme}:// is not http:// or https://")
        if url.scheme == "http":
            return _open(HTTPConnection(url.hostname, url.port, timeout=timeout))
        place = f"{url.hostname}:{url.port or 443}"
        if self._settings.certificates.pinned(place) is None:
            try:
                return _open(HTTPSConnection(url.hostname, url.port, timeout=timeout))
            except ssl.SSLCertVerificationError:
                pass  # as nearly every camera's: judged by its fingerprint
        unjudged = ssl.create_default_context()
        unjudged.check_hostname, unjudged.verify_mode = False, ssl.CERT_NONE
        connection = _open(HTTPSConnection(url.hostname, url.port, timeout=timeout, context=unjudged))
        try:
            shown = connection.sock.getpeercert(binary_form=True)
            self._settings.certificates.check(self._name, place, fingerprint_of(shown or b""))
        except BaseException:
            connection.close()
            raise
        return connection

    def _refusal(self, reply: HTTPResponse, address: str) -> str:
        if reply.status == 401 and self._login is None:
            return "asks for a user and a password: write them before the host, as http://USER:PASSWORD@HOST/…"
        if reply.status == 401 and not self._is_ours(address):
            return "sends us on to where its user and password may not go: use the address it sends to"
        return answered(reply.status, reply.reason)

    def _is_ours(self, address: str) -> bool:
        """Whether the login may go there: to the host it was written for, and not in clear where that was protected."""
        there, ours = urlsplit(address), urlsplit(self._address)
        return there.netloc == ours.netloc and (there.scheme == "https" or ours.scheme == "http")


def _open(connection: _Line) -> _Line:
    try:
        connection.connect()
    except BaseException:
        connection.close()
        raise
    return connection


def reason(error: Exception) -> str:
    """What an error of the network says, as the end of a sentence."""
    why = getattr(error, "reason", None) or error
    if isinstance(why, TimeoutError):
        return "no answer in time"
    return getattr(why, "strerror", None) or str(why) or type(why).__name__
