"""By which addresses other devices reach this table's page: for the links that are handed out."""

import ipaddress
from dataclasses import dataclass

from flask import request


@dataclass
class Reach:
    """``network`` is this machine's name or address for others, empty while nobody else can come; the ports are 0 while
    the page is not served there."""

    network: str = ""
    plain_port: int = 0
    secure_port: int = 0

    def told(self, address: str) -> None:
        """The name or address by which other devices reach this machine."""
        self.network = f"[{address}]" if ":" in address else address

    def host(self, asked: str) -> str:
        """The host a link names: where the page was asked for on this machine itself, others need its network address."""
        name, port = _parts(asked)
        return f"{self.network}{':' + port if port else ''}" if _alone(name) and self.network else asked

    @property
    def offline(self) -> bool:
        """Whether the page is open to others, and this machine is on no network by which they could come."""
        return bool(self.network) and _alone(self.network)

    def link(self, path: str) -> str:
        """A link to the page by the way the request came."""
        return f"{request.scheme}://{self.host(request.host)}{path}"

    def secure(self, path: str) -> str | None:
        """A link to the page over HTTPS; None where it is not served so."""
        return self._by("https", self.secure_port, path)

    def plain(self, path: str) -> str | None:
        """A link to the page over plain HTTP; None where it is not served so."""
        return self._by("http", self.plain_port, path)

    def _by(self, scheme: str, port: int, path: str) -> str | None:
        if not port:
            return None
        return f"{scheme}://{_parts(self.host(request.host))[0]}:{port}{path}"


def _parts(host: str) -> tuple[str, str]:
    name, _, port = host.rpartition(":") if ":" in host and not host.endswith("]") else (host, "", "")
    return name, port


def _alone(name: str) -> bool:
    try:
        return name == "localhost" or ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
