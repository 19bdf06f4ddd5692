"""The page's server over TLS: contexts from outside for each connection, and nothing sent yet.

The server's own adapter shakes hands while it accepts, so that one silent visitor keeps all others waiting. Here the
handshake is the intake's (:mod:`companion.web.intake`), which waits for nobody.
"""

import ssl
from collections.abc import Callable
from socket import socket
from typing import Any

from cheroot.errors import FatalSSLAlert
from cheroot.makefile import MakeFile
from cheroot.ssl import Adapter

from companion.errors import CompanionError

Contexts = Callable[[str], ssl.SSLContext]
"""A connection's context by the address of this end of it; asked anew for every connection."""


class Tls(Adapter):
    """Serves every connection with the context that fits it."""

    def __init__(self, contexts: Contexts) -> None:
        super().__init__("", "")
        self._contexts = contexts

    def bind(self, sock: socket) -> socket:
        """The listening socket stays plain."""
        return sock

    def wrap(self, sock: socket) -> tuple[ssl.SSLSocket, dict[str, Any]]:
        """The connection over TLS, nothing sent yet, and what the application is told of it."""
        try:
            context = self._contexts(str(sock.getsockname()[0]))
            return context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False), self.get_environ()
        except (OSError, CompanionError) as error:  # this visitor is lost, the server goes on
            sock.close()
            raise FatalSSLAlert(str(error)) from error

    def get_environ(self) -> dict[str, Any]:
        """What the application is told."""
        return {"wsgi.url_scheme": "https", "HTTPS": "on"}

    def makefile(self, sock: socket, mode: str = "r", bufsize: int = -1) -> Any:
        """The connection as a file."""
        return MakeFile(sock, mode, bufsize)
