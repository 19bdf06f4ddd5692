"""How a session is shown and said: the page at its addresses, over HTTPS too if wished, events in print, the host's voice."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask

from companion.announce.languages import LANGUAGES, SOURCE
from companion.cli.session import https
from companion.cli.session.https import Greeting, HttpsChoice, first_free
from companion.errors import BadInput
from companion.web.app import views_of
from companion.web.delayed_table import Pasts
from companion.web.server import PageServer, is_loopback
from companion.web.settings import PageSettings
from companion.web.views import Views

if TYPE_CHECKING:
    from companion.host.authority import Authority

USUAL_PORT = 8000
ALONE = "127.0.0.1"  # where no other machine comes


@dataclass(frozen=True)
class OutputOptions:
    """With ``port`` None the page takes ``before``, the port it was found at when the game was played last, else the usual
    port, or any when that one is taken; ``speak`` is whether this machine's own voice says what happens, in ``language``.
    ``pasts``: what is kept for those who see a table late, from one game to the next."""

    host: str = ALONE
    port: int | None = None
    https: HttpsChoice = field(default_factory=HttpsChoice)
    browser: bool = False
    events_as_json: bool = False
    speak: bool = False
    language: str = SOURCE
    before: int | None = None
    pasts: Pasts = field(default_factory=Pasts, compare=False)

    @property
    def closed(self) -> bool:
        """Whether other machines reach the page, so that it asks for a link."""
        return not is_loopback(self.host)


def add_options(command: argparse.ArgumentParser) -> None:
    """Add all that is the same wherever a page is shown."""
    command.add_argument(
        "--host", help=f"address the page listens on; 0.0.0.0 for phones too ({ALONE}; a game that is resumed keeps its own)"
    )
    command.add_argument("--port", type=int, help="port of the page, 0 for any (8000, or any when that is taken)")
    https.add_options(command)
    command.add_argument("--no-browser", action="store_true", help="do not open the page by itself")
    command.add_argument("--speak", action="store_true", help="say announcements with this machine's own voice (espeak-ng)")
    command.add_argument("--language", choices=LANGUAGES, help=f"language of that voice; each page has its own ({SOURCE})")
    command.add_argument("--json", action="store_true", help="print every event as one JSON line")


def choose(options: argparse.Namespace, folder: Path, *, secure: bool = False) -> OutputOptions:
    """What the options mean. Without a word about HTTPS a page that others reach has it when ``secure``. The authority is kept
    in ``folder``. Raises BadInput for options that do not go together."""
    if options.language is not None and not options.speak:
        raise BadInput("--language: is that of this machine's own voice, so it goes with --speak; each page has its own")
    host, before = options.host or ALONE, getattr(options, "ports_before", {})
    usual = secure and host not in (ALONE, "localhost")
    return OutputOptions(
        host, options.port, https.choose(options, folder, usual=usual), not options.no_browser, options.json,
        options.speak, options.language or SOURCE, before.get("plain"),
    )  # fmt: skip


class PageServers:
    """The page at its addresses, not served before ``start``."""

    def __init__(self, server: PageServer, secure: PageServer | None, authority: "Authority | None", views: Views) -> None:
        self._server, self._secure, self._authority, self._views = server, secure, authority, views

    @property
    def address(self) -> str:
        """The page over plain HTTP."""
        return self._server.address

    @property
    def greeting(self) -> Greeting | None:
        """What is to be said of the page over HTTPS, if it has one."""
        return Greeting(self._authority, self._secure.address) if self._authority and self._secure else None

    def start(self) -> None:
        """Begin to serve."""
        self._server.start()
        if self._secure is not None:
            self._secure.start()

    def make_room(self) -> None:
        """Another game follows at these addresses; whoever watches is told so at the end."""
        self._views.make_room()

    @property
    def ports(self) -> dict[str, int]:
        """The ports that were taken, by ``plain`` and ``secure``."""
        served = {"plain": self._server, "secure": self._secure}
        return {way: port for way, one in served.items() if one is not None and (port := urlsplit(one.address).port)}

    def again(self, showing: OutputOptions) -> OutputOptions:
        """The same, at the very ports that were taken: the page is looked for where it was."""
        secure = replace(showing.https, port=urlsplit(self._secure.address).port) if self._secure else showing.https
        return replace(showing, port=urlsplit(self.address).port, https=secure)


@contextmanager
def opened(showing: OutputOptions, make: Callable[..., Flask]) -> Iterator[PageServers]:
    """Take the ports for what ``make`` makes of ``settings`` and ``authority``; they are given back at the end. Raises BadInput
    or DeviceError."""
    with ExitStack() as stack:
        authority = https.open_authority(showing.https)
        settings = PageSettings(hosts=https.local_names() if authority and showing.closed else ())
        app = make(settings=settings, authority=authority, pasts=showing.pasts)
        server = _server(app, showing)
        stack.callback(server.stop)
        secure = https.secure_server(app, showing.host, showing.https, authority) if authority else None
        if secure is not None:
            stack.callback(secure.stop)
        yield PageServers(server, secure, authority, views_of(app))


def _server(app: Flask, showing: OutputOptions) -> PageServer:
    """The page, not yet started: at a port that was asked for, else where it was before or at the usual one or, when these are
    taken, at any."""
    if showing.port is not None:
        return PageServer(app, showing.host, showing.port)
    return first_free(lambda port: PageServer(app, showing.host, port), (showing.before, USUAL_PORT))
