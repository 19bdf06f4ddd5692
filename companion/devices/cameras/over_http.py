"""Pictures over HTTP: a snapshot address asked again and again, or a multipart stream of pictures (MJPEG)."""

import time
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPException, HTTPResponse
from itertools import chain
from zlib import crc32

from companion import steady
from companion.devices.cameras.connection import CameraConnection, reason
from companion.devices.cameras.decoding import decode
from companion.devices.cameras.multipart import Part, pictures
from companion.devices.cameras.port import CameraSettings, Shot, SourceNotice
from companion.devices.cameras.sniffing import sniffed
from companion.errors import BadInput, DeviceError


class ClockAlignment:
    """Puts a camera's own stamps on our clock: the quickest delivery seen so far counts as no delay.

    So the jitter of the network does not reach the capture time, while the two clocks need not agree. A jump of over
    ``tolerance`` seconds (a clock set, a camera restarted) begins afresh.
    """

    def __init__(self, tolerance: float = 2.0) -> None:
        self._tolerance = tolerance
        self._offset: float | None = None

    def aligned(self, stamp: float, arrival: float) -> float:
        """When a picture stamped ``stamp`` by the camera was taken, in seconds of the clock that gave ``arrival``."""
        offset = arrival - stamp
        if self._offset is None or offset < self._offset or offset - self._offset > self._tolerance:
            self._offset = offset
        return stamp + self._offset


class Http:
    """An ``http://`` or ``https://`` address: a multipart stream or a single picture, told apart by its content type."""

    def __init__(
        self, address: str, name: str, settings: CameraSettings | None = None, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.name, self._settings, self._sleep = name, settings or CameraSettings(), sleep
        self._connection = CameraConnection(address, name, self._settings)
        self._reply: HTTPResponse | None = None
        self._parts: Iterator[Part] | None = None
        self._alignment = ClockAlignment()
        self._reduced = False

    def open(self) -> None:
        self._reply = self._connection.ask(self._settings.open_timeout)
        headers = self._reply.headers
        kind = headers.get_content_maintype()
        if kind == "multipart":
            boundary = headers.get_param("boundary")
            if isinstance(boundary, str) and boundary.strip('"-'):
                self._parts = pictures(self._reply, boundary, self._settings.most_bytes, self._settings.open_timeout)
            else:
                self._parts = self._sniffed(f"{self.name}: sends a multipart stream without naming its boundary")
        elif kind in ("application", "video") and headers.get_content_subtype() != "json":
            self._parts = self._sniffed(f"{self.name}: the stream ended")
        elif kind != "image":
            self.close()
            found = headers.get_content_type()
            raise DeviceError(f"{self.name}: sends {found}, not a picture (image/…) or a stream of them (multipart/…)")

    def _sniffed(self, empty: str) -> Iterator[Part]:
        """The pictures of a stream that says nothing of its framing; its first one is waited for, as it may hold none. Raises
        DeviceError, with the text ``empty`` for a stream without a byte of a picture."""
        assert self._reply is not None
        found = sniffed(self._reply, self._settings.most_bytes, self._settings.open_timeout)
        try:
            first = next(found, None)
        except (OSError, HTTPException, DeviceError) as error:
            self.close()
            raise DeviceError(f"{self.name}: {error if isinstance(error, DeviceError) else reason(error)}") from error
        if first is None:
            self.close()
            raise DeviceError(empty)
        return chain((first,), found)

    def read(self) -> Shot:
        try:
            headers, data = self._next_part() if self._parts is not None else self._next_snapshot()
        except (OSError, HTTPException) as error:
            raise DeviceError(f"{self.name}: {reason(error)}") from error
        arrival = steady.stamp()
        decoded = decode(data, self.name, self._settings)
        notices: tuple[SourceNotice, ...] = () if self._reduced else decoded.notices(self.name)
        self._reduced = self._reduced or bool(notices)
        return Shot(decoded.image, self._captured_at(headers, arrival), crc32(data), notices)

    def close(self) -> None:
        self._parts = None
        if self._reply is not None:
            self._reply.close()
            self._reply = None

    def _next_part(self) -> Part:
        assert self._parts is not None
        try:
            part = next(self._parts, None)
        except DeviceError as error:
            raise DeviceError(f"{self.name}: {error}") from error
        if part is None:
            raise DeviceError(f"{self.name}: the stream ended")
        return part

    def _next_snapshot(self) -> Part:
        if self._reply is None:
            self._sleep(self._settings.snapshot_interval)
            self._reply = self._connection.ask(self._settings.read_timeout)
        try:
            data = self._reply.read(self._settings.most_bytes + 1)
            expected = self._reply.headers.get("Content-Length", "")
        finally:
            self._reply.close()
            self._reply = None
        if expected.isdigit() and len(data) < min(int(expected), self._settings.most_bytes):
            raise BadInput(f"{self.name}: torn picture: {len(data)} of {expected} bytes came")
        return {}, data

    def _captured_at(self, headers: Mapping[str, str], arrival: float) -> float:
        try:
            stamp = float(headers["x-timestamp"])
        except (KeyError, ValueError):
            return arrival
        return self._alignment.aligned(stamp, arrival) if 0 < stamp < 1e11 else arrival
