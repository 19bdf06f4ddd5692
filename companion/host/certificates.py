"""Certificates of the page over HTTPS: short-lived, for the addresses by which devices really come, renewed by themselves.

A device may come by an address nobody knew at the start: the laptop joined another network, a phone shares its own. So the
address of this end of each connection is looked at, and a new one gets a certificate before the connection goes on.
"""

import ipaddress
import ssl
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.host.authority import SERVER_DAYS, Authority, is_local, machine_name

_RENEWED_BEFORE = SERVER_DAYS * 24 * 3600 / 3
_SET_BACK = 3600.0  # seconds; certificates begin a day before they are made, so less than that hurts nobody
_MOST = 24  # addresses in one certificate; a machine has a few, and old ones are forgotten
_ALWAYS = ("127.0.0.1", "::1")


class ServerCertificates:
    """The context each connection is served with; ``external`` is a name or address by which devices come that no connection
    tells, as where a container's port is mapped. Every method may be called from any thread."""

    def __init__(self, authority: Authority, clock: Callable[[], float] = time.time, external: str = "") -> None:
        self._authority, self._clock = authority, clock
        host = machine_name()
        self.names = ("localhost", *((host, f"{host}.local") if host else ()))
        self._addresses = [ipaddress.ip_address(one) for one in _ALWAYS]
        if external:
            try:
                self._addresses.append(ipaddress.ip_address(external))
            except ValueError:
                self.names = (*self.names, external)
        self._kept = len(self._addresses)
        self._context: ssl.SSLContext | None = None
        self._ends = self._made = 0.0
        self._lock = threading.Lock()

    def context(self, address: str = "") -> ssl.SSLContext:
        """What to serve a connection with that came in by this machine's ``address``; renewed in its last third, and when the
        wall clock was set back to before it was made: certificates are dated by it, as browsers judge them by theirs."""
        with self._lock:
            new = self._is_new(address)
            now = self._clock()
            if self._context is None or new or self._ends - now < _RENEWED_BEFORE or now < self._made - _SET_BACK:
                self._renew()
                self._made = now
            assert self._context is not None
            return self._context

    def _is_new(self, address: str) -> bool:
        try:
            come = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if isinstance(come, ipaddress.IPv6Address):
            come = come.ipv4_mapped or come
        if come in self._addresses or not is_local(come):
            return False
        keep = self._kept
        self._addresses[keep:] = [*self._addresses[keep:], come][-(_MOST - keep) :]
        return True

    def _renew(self) -> None:
        certificate, key, self._ends = self._authority.issue(self.names, self._addresses)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION
        context.set_alpn_protocols(["http/1.1"])
        # The library reads files only. This folder is its owner's alone and is gone before anybody connects.
        with tempfile.TemporaryDirectory(prefix="table-witness-") as folder:
            file = Path(folder) / "server.pem"
            file.touch(mode=0o600)
            file.write_bytes(certificate + key)
            context.load_cert_chain(file)
        self._context = context
