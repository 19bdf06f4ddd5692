"""The page over HTTPS beside plain HTTP, so that a phone's browser gives its camera: the option, the server, the greeting."""

import argparse
import ipaddress
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO
from urllib.parse import urlsplit

import segno
from flask import Flask

from companion.errors import BadInput, DeviceError
from companion.web.server import PageServer

if TYPE_CHECKING:
    from companion.host.authority import Authority

USUAL_PORT = 8443


@dataclass(frozen=True)
class HttpsChoice:
    """Whether the page is served over HTTPS as well, on which port (None: ``before``, where it was last, the usual one, or any
    when these are taken), and where the authority is kept (None: forgotten with the session)."""

    wanted: bool = False
    port: int | None = None
    authority: Path | None = None
    before: int | None = None


def add_options(command: argparse.ArgumentParser) -> None:
    """Add ``--https`` and its port."""
    command.add_argument(
        "--https", action=argparse.BooleanOptionalAction,
        help="serve the page over HTTPS as well, so that a phone gives its camera (on for lobby and 'run phone' with --host)",
    )  # fmt: skip
    command.add_argument("--https-port", type=int, metavar="PORT", help=f"its port, 0 for any ({USUAL_PORT}, or any)")


def choose(options: argparse.Namespace, folder: Path, *, usual: bool = False) -> HttpsChoice:
    """What the options mean; without them HTTPS is served when that is ``usual``. The authority is kept in ``folder``."""
    before = getattr(options, "ports_before", {}).get("secure")
    return HttpsChoice(wanted(options, usual=usual), options.https_port, folder / "certificate-authority.json", before)


def wanted(options: argparse.Namespace, *, usual: bool) -> bool:
    """Whether the options ask for HTTPS; without a word about it, whether it is ``usual``. Who names its port asks for it.
    Raises BadInput where they contradict each other."""
    if options.https_port is None:
        return usual if options.https is None else bool(options.https)
    if options.https is False:
        raise BadInput(f"--no-https and --https-port {options.https_port} contradict each other: leave one of them out")
    return True


def open_authority(choice: HttpsChoice) -> "Authority | None":
    """The authority, made when there is none yet; None when HTTPS is not wanted. Raises BadInput."""
    if not choice.wanted:
        return None
    from companion.host.authority import Authority  # noqa: PLC0415 - a page over HTTP starts without it

    return Authority.open(choice.authority)


def local_names() -> tuple[str, ...]:
    """This machine's names on the local network, by which the page may be addressed when it is open to others."""
    from companion.host.authority import machine_name  # noqa: PLC0415

    name = machine_name()
    return (name, f"{name}.local") if name else ()


def secure_server(app: Flask, host: str, choice: HttpsChoice, authority: "Authority") -> PageServer:
    """The same page over HTTPS, not yet started. Raises DeviceError when its port is taken."""
    from companion.host.certificates import ServerCertificates  # noqa: PLC0415

    contexts = ServerCertificates(authority).context
    if choice.port is not None:
        return PageServer(app, host, choice.port, tls=contexts)
    return first_free(lambda port: PageServer(app, host, port, tls=contexts), (choice.before, USUAL_PORT))


def first_free(serve: Callable[[int], PageServer], ports: Sequence[int | None]) -> PageServer:
    """A server at the first of these ports that is free, else at any. Raises DeviceError when none can be had."""
    for port in ports:
        if port is not None:
            try:
                return serve(port)
            except DeviceError:
                continue
    return serve(0)


@dataclass(frozen=True)
class Greeting:
    """What is said at the start: the page's address over HTTPS, and what a device compares before it trusts it."""

    authority: "Authority"
    address: str

    def say(self, plain: str, out: TextIO) -> None:
        """Where a device begins (at the ``plain`` page); with a code to scan where a person looks at a terminal."""
        trust = f"{plain}trust"
        print(f"https:  {self.address}", file=out)
        print(f"        a device that shall trust it begins at {trust}", file=out)
        if not _covered(self.address):
            print("        (its address is none of a local network's: devices will warn; use this machine's name)", file=out)
        print(f"        and compares: {self.authority.words}", file=out)
        print(f"        SHA-256 {self.authority.fingerprint}", file=out)
        if out is sys.stdout and out.isatty():
            segno.make(trust, error="m", micro=False).terminal(out, compact=True)


def _covered(address: str) -> bool:
    from companion.host.authority import is_local  # noqa: PLC0415

    try:
        return is_local(ipaddress.ip_address(urlsplit(address).hostname or ""))
    except ValueError:
        return True
