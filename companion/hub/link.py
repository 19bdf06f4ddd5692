"""A table's link into the hall: where the hub is, who the table is, its credential, and whom to trust. One line, one QR code.

``http(s)://HOST:PORT/hall#t=TABLE&k=CREDENTIAL&ca=CERTIFICATE`` reaches the hub itself, ``mqtt(s)://…`` a broker. What stands
behind the ``#`` is sent to nobody who is not asked on purpose. ``ca`` is the house's own authority (DER, base64url): with it
nobody else is trusted. Pure but for :meth:`TableAddress.context`.
"""

import base64
import binascii
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, quote, urlsplit

from companion import bounded
from companion.errors import BadInput
from companion.hub.model import table_id

PORTS = {"http": 80, "https": 443, "mqtt": 1883, "mqtts": 8883}
MOST_LINK = 16 * 1024


@dataclass(frozen=True, slots=True)
class TableAddress:
    """What a link says. ``ca``: the authority's certificate, DER; empty where the system's are trusted."""

    scheme: str
    host: str
    port: int
    table: str
    secret: str
    ca: bytes = b""

    def __repr__(self) -> str:
        return f"TableAddress({self.place}, {self.table})"  # never the credential, wherever this is printed

    @property
    def secure(self) -> bool:
        """Whether it goes over TLS."""
        return self.scheme in ("https", "mqtts")

    @property
    def broker(self) -> bool:
        """Whether it leads to a broker."""
        return self.scheme in ("mqtt", "mqtts")

    @property
    def place(self) -> str:
        """Where it leads, without what is secret."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    def link(self) -> str:
        """The link."""
        ca = f"&ca={base64.urlsafe_b64encode(self.ca).decode().rstrip('=')}" if self.ca else ""
        return f"{self.place}/hall#t={self.table}&k={quote(self.secret)}{ca}"

    def context(self) -> ssl.SSLContext | None:
        """What to connect with; None without TLS. Raises BadInput for a certificate that is none."""
        if not self.secure:
            return None
        if not self.ca:
            return ssl.create_default_context()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            context.load_verify_locations(cadata=self.ca)
        except ssl.SSLError as error:
            raise BadInput("--hub: the certificate in the link is damaged; copy the link again") from error
        return context


def parts_of(address: str) -> SplitResult | None:
    """The parts of an address; None where its host or port cannot be, or it names no host."""
    try:
        parts = urlsplit(address)
        return parts if parts.hostname and (parts.port is None or parts.port > 0) else None
    except ValueError:
        return None


def table_address(given: str) -> TableAddress:
    """A link, or a file with one. Raises BadInput; what is secret is never quoted."""
    file = ""
    if "://" not in given:
        file = f" {given[:80]}"
        try:
            given = bounded.read_text(Path(given), MOST_LINK)
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is no text"
            raise BadInput(f"--hub {given[:80]}: is no link, and as a file it cannot be read ({why})") from error
    given = given.strip()
    try:
        parts = urlsplit(given)
        port = parts.port
    except ValueError as error:
        raise BadInput(f"--hub: the address cannot be read ({error})") from error
    if parts.scheme not in PORTS or not parts.hostname:
        raise BadInput(
            f"--hub{file}: holds no link; 'companion hub enrol' gives one"
            if file and not parts.hostname
            else f"--hub {parts.scheme[:20]}://…: http, https, mqtt and mqtts with a host are allowed"
        )
    told = {name: values[-1] for name, values in parse_qs(parts.fragment).items()}
    if not {"t", "k"} <= told.keys():
        raise BadInput("--hub: the link has no table and credential behind its #; 'companion hub enrol' gives a whole one")
    try:
        ca = told.get("ca", "")
        certificate = base64.urlsafe_b64decode(ca + "=" * (-len(ca) % 4))
    except (ValueError, binascii.Error) as error:
        raise BadInput("--hub: the certificate in the link is damaged; copy the link again") from error
    return TableAddress(parts.scheme, parts.hostname, port or PORTS[parts.scheme], table_id(told["t"]), told["k"], certificate)
