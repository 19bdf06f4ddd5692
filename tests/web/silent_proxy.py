"""A way to the page that falls silent without closing anything, as a network does when a device is carried out of its reach."""

import selectors
import socket
import threading
from contextlib import suppress
from typing import Self
from urllib.parse import urlsplit


class SilentProxy:
    """Passes bytes between a browser and a server on this machine. While ``there`` or ``back`` is False nothing goes that way:
    connections are taken and stay open, what is sent waits, as it does for its retransmission."""

    def __init__(self, address: str) -> None:
        url = urlsplit(address)
        self._server = (url.hostname or "", url.port or 0)
        self._access_control = socket.create_server(("127.0.0.1", 0))
        self._ways = selectors.DefaultSelector()
        self._stopped = threading.Event()
        self._there: set[socket.socket] = set()
        self.there = self.back = True
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._access_control.getsockname()[1]}/"

    def mute(self) -> None:
        self.there = self.back = False

    def heal(self) -> None:
        self.there = self.back = True

    def __enter__(self) -> Self:
        self._ways.register(self._access_control, selectors.EVENT_READ, None)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopped.set()
        self._thread.join(5)
        for key in list(self._ways.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._ways.close()

    def _run(self) -> None:
        while not self._stopped.is_set():
            for key, _ in self._ways.select(0.02):
                if key.data is None:
                    self._take()
                elif key.fileobj.fileno() >= 0:  # type: ignore[union-attr]  # not closed by the other end just now
                    self._pass(key.fileobj, key.data)  # type: ignore[arg-type]

    def _take(self) -> None:
        here = self._access_control.accept()[0]
        onward = socket.create_connection(self._server)
        self._there.add(here)
        for one, other in ((here, onward), (onward, here)):
            self._ways.register(one, selectors.EVENT_READ, other)

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        if not (self.there if one in self._there else self.back):
            self._stopped.wait(0.005)
            return
        data = b""
        with suppress(OSError):
            data = one.recv(1 << 16)
            other.sendall(data)
            if data:
                return
        for end in (one, other):
            self._ways.unregister(end)
            self._there.discard(end)
            end.close()
