"""Serves the page: requests received without a thread, answered by a few, all open streams written by one; an orderly end."""

import ipaddress
import logging
import os
import socket
import threading
from types import TracebackType
from typing import Any, Self

from cheroot import wsgi
from flask import Flask

from companion.errors import DeviceError
from companion.web.app import access_of, reach_of, settings_of, streams_of
from companion.web.connection import VisitorConnection
from companion.web.intake import Intake
from companion.web.priority import Admit, Priority, admission
from companion.web.settings import PageSettings
from companion.web.tls import Contexts, Tls
from companion.web.workers import Workers
from companion.web.writer import Gateway, Writer

LOOPBACK = "127.0.0.1"
MOST_PORT = 65535


class _ThreadPools:
    """Where cheroot's pool of threads stands: players' requests have threads of their own."""

    def __init__(self, server: "_Server", settings: PageSettings) -> None:
        most, idle = settings.answering_threads, settings.idle_seconds
        self._players, self._others = (Workers(most, server.answered, idle, name) for name in ("players", "visitors"))

    @property
    def idle(self) -> int:
        """cheroot counts these for its statistics."""
        return 0

    def start(self) -> None:
        """Threads begin with the first request that needs them."""

    def put(self, connection: VisitorConnection) -> None:
        """Have a connection's request answered."""
        (self._players if connection.rank is Priority.PLAYER else self._others).put(connection)

    def stop(self, timeout: float) -> None:
        """End all threads."""
        for workers in (self._players, self._others):
            workers.stop(timeout)


class _Server(wsgi.Server):
    """cheroot's server, its connections taken in by :class:`Intake`, answered by a :class:`_ThreadPools`, and those of streams
    written by a :class:`Writer`."""

    def __init__(self, address: tuple[str, int], app: Flask, settings: PageSettings, admit: Admit) -> None:
        super().__init__(
            address, app, request_queue_size=128, timeout=settings.send_seconds, shutdown_timeout=2, server_name="table-witness"
        )
        self._settings, self._admit = settings, admit
        self.max_request_header_size = 0  # the intake bounds both, and the application each address's body
        self.max_request_body_size = 0
        self.requests = _ThreadPools(self, settings)
        self.gateway, self.writer = Gateway, Writer(settings)

    def clear_stats(self) -> None:
        """Begin to count anew, for this server alone: cheroot lists the figures of every server in the logging module, and with
        them the server, its application and the whole session, for as long as the process lives."""
        super().clear_stats()  # type: ignore[no-untyped-call]
        logging.statistics.pop(f"Cheroot HTTPServer {id(self)}", None)  # type: ignore[attr-defined]  # cheroot adds it

    def prepare(self) -> None:
        """Open the address."""
        super().prepare()
        usual: Any = self._connections
        usual.close()
        self._connections: Any = Intake(self, self._settings, self._admit)

    @property
    def connections(self) -> int:
        """How many are open now."""
        return int(self._connections.connections)

    def answered(self, connection: VisitorConnection, stays: bool) -> None:
        """A thread is through with a connection; one that carries a stream is the writer's from then on."""
        if not connection.lent:
            self._connections.done(connection, stays)

    def over(self, connection: VisitorConnection) -> None:
        """The stream that a connection carried has ended."""
        self._connections.done(connection, False)


class PageServer:
    """The page on one address. Bound to this machine alone unless a host is given on purpose.

    Requests are received without a thread (``intake.py``) and answered by threads that begin as they are needed
    (``workers.py``). A stream is silent nearly always, so one thread writes them all (``writer.py``), and a slow reader blocks
    nobody but itself.
    """

    def __init__(
        self,
        app: Flask,
        host: str = LOOPBACK,
        port: int = 0,
        settings: PageSettings | None = None,
        tls: Contexts | None = None,
    ) -> None:
        """``settings``: by default the application's own, which its pages were told; ``tls`` serves the page over HTTPS,
        each connection with the context it names for this end's address."""
        self._app, self._scheme = app, "https" if tls else "http"
        settings = settings or settings_of(app)
        if not (is_loopback(host) or access_of(app).closed):
            raise AssertionError("a page that asks for no pass is served to this machine only")
        if not is_loopback(host):
            reach_of(app).told(network_address(host))
        self._server = _Server((host, port), app, settings, admission(access_of(app), settings))
        if tls is not None:
            self._server.ssl_adapter = Tls(tls)
        self._thread: threading.Thread | None = None
        try:
            _probe(host, port)
            self._server.prepare()
        except (OSError, OverflowError, UnicodeError) as error:  # the last two: a port or a name that cannot be one at all
            self._server.writer.close()
            why = getattr(error, "strerror", None) or error
            raise DeviceError(f"page: {host}:{port} cannot be opened ({why}); choose another port or address") from error
        # Whoever was connected lingers for a minute after the end; the next session may take the same port meanwhile.
        _reuse(self._server.socket)
        taken = int(self._server.bind_addr[1])
        if tls is not None:
            reach_of(app).secure_port = taken
        else:
            reach_of(app).plain_port = taken

    @property
    def address(self) -> str:
        """Where the page is, with the port that was really taken."""
        host, port = self._server.bind_addr[:2]
        name = host if is_loopback(host) else network_address(host)
        name = f"[{name}]" if ":" in name and not name.startswith("[") else name
        return f"{self._scheme}://{name}:{port}/"

    @property
    def connections(self) -> int:
        """How many are open now."""
        return int(self._server.connections)

    def start(self) -> None:
        """Serve in a thread of its own."""
        self._thread = threading.Thread(target=self._server.serve, name="page-server", daemon=True)
        self._thread.start()

    def run(self) -> None:
        """Serve in this thread until :meth:`stop` is called or the user interrupts."""
        self._server.serve()

    def stop(self) -> None:
        """End every stream, then the server. May be called twice."""
        streams_of(self._app).close()
        self._server.writer.close()
        self._server.stop()
        if self._thread is not None:
            self._thread.join(10)
            self._thread = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def is_loopback(host: str) -> bool:
    """Whether an address to listen on is reached from this machine alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def network_address(host: str) -> str:
    """How others reach this machine when it listens on ``host``: itself, or, for every address, the one it goes out by."""
    if host not in ("0.0.0.0", "::", ""):
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation; a datagram socket sends nothing by connecting
            return str(probe.getsockname()[0])
        except OSError:
            return LOOPBACK  # no network at all: nobody else could come anyway


def _reuse(listening: socket.socket) -> None:
    """Let an address be taken again at once. On Windows the same option lets two programs have one port, and is not needed."""
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def _probe(host: str, port: int) -> None:
    """Raise OSError, OverflowError or UnicodeError if the address cannot be taken; the server itself would leave its socket
    open when it fails."""
    if not 0 <= port <= MOST_PORT:
        raise OverflowError(f"a port is 0 to {MOST_PORT}")
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    with socket.socket(family, kind, protocol) as trial:
        _reuse(trial)
        trial.bind(address)


def serve(app: Flask, host: str = LOOPBACK, port: int = 8000, settings: PageSettings | None = None) -> None:
    """Serve until interrupted, then close every stream. Raises DeviceError when the address cannot be opened."""
    server = PageServer(app, host, port, settings)
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()
