"""A camera while a table is set up: its newest picture, and after that the same camera lent to the table."""

import threading
from collections.abc import Iterator

from companion.devices.cameras.latest_frame import FrameFeed
from companion.devices.cameras.port import Camera, Listener, SourceNotice
from companion.devices.cameras.recorded import RecordedCamera
from companion.errors import CompanionError, erred
from companion.host.camera_state import BY_CODE, ENDED, FROZEN, LOST, NOT_TOLD, RUNNING
from companion.vision.frame import Frame

_OVER = (ENDED, LOST)
_TROUBLES = ("source-lost", "source-silent", "source-frozen", "picture-torn")


class Preview:
    """Looks through one camera. A live one shows the present; a recording rests on a picture until it is asked to go on: to its
    next scene, where it knows that."""

    def __init__(self, camera: Camera, step_s: float = 2.0, *, look: bool = True) -> None:
        """``step_s``: how far a recording goes on at a time, in seconds of its own clock. Without ``look`` the pictures come
        from whoever the camera is lent to."""
        self._camera, self._step = camera, step_s
        self.recorded = camera.feed is None  # its pictures are drawn; a live camera goes on by itself
        self._changed = threading.Condition()
        self._newest: Frame | None = None
        self._until: float | None = None
        self._closed = False
        self.state = "starting"
        self.trouble: SourceNotice | None = None
        camera.listen(self._heard)
        self._thread = threading.Thread(target=self._look, name="lobby-preview", daemon=True)
        if look:
            self._thread.start()

    @property
    def name(self) -> str:
        """The camera, in words for a person."""
        return self._camera.name

    @property
    def simulated(self) -> bool:
        """Whether no real table is behind the pictures."""
        return self._camera.simulated

    @property
    def camera(self) -> Camera:
        """The camera itself, for what only its kind can do."""
        return self._camera

    @property
    def over(self) -> bool:
        """Whether no more pictures come through this, whatever becomes of the camera."""
        return self._thread.ident is not None and not self._thread.is_alive()

    def newest(self, timeout: float = 0.0) -> Frame | None:
        """The newest picture; waits up to ``timeout`` seconds for the first."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._closed, timeout)
            return self._newest

    def show(self, frame: Frame) -> None:
        """The newest picture, told by whoever looks through the camera now."""
        with self._changed:
            self._newest, self._until = frame, None
            if self.state != FROZEN:  # a frozen camera goes on sending
                self.state, self.trouble = RUNNING, None
            self._changed.notify_all()

    def advance(self, timeout: float = 0.0) -> None:
        """Let a recording go on to its next picture, and wait up to ``timeout`` seconds until it is there; a live camera goes
        on by itself."""
        with self._changed:
            before = self._newest
            if before is None or not self.recorded or not self._thread.is_alive():
                return
            now, camera = before.captured_at, self._camera
            self._until = camera.onward(now, self._step) if isinstance(camera, RecordedCamera) else now + self._step
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._newest is not before or self._closed or self.state in _OVER, timeout)

    def rest(self) -> None:
        """Stop looking, without letting go of the camera."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def close(self) -> None:
        """Stop looking and let go of the camera."""
        self.rest()
        self._camera.close()
        if self._thread.ident is not None:
            self._thread.join(3)

    def _heard(self, notice: SourceNotice) -> None:
        if notice.code in NOT_TOLD:
            return
        if notice.code != "recording-over":  # a recording rests here anyway
            self.state = BY_CODE.get(notice.code, self.state)
        self.trouble = notice if notice.code in _TROUBLES else None

    def _look(self) -> None:
        try:
            for frame in self._camera.frames():
                if self._closed:
                    return
                if self.recorded and self._until is not None and frame.captured_at < self._until:
                    continue
                self.show(frame)
                if self.recorded and not self._paused():
                    return
        except CompanionError as error:
            self._over("lost", SourceNotice("source-lost", "{reason}", {"reason": str(error)}))
            return
        except Exception as error:  # a fault of ours, or of a driver, must not leave the lobby waiting without a word
            self._over("lost", SourceNotice("source-lost", "{reason}", {"reason": erred(error)}))
            return
        self._over("ended", self.trouble)

    def _over(self, state: str, trouble: SourceNotice | None) -> None:
        with self._changed:
            self.state, self.trouble = state, trouble
            self._changed.notify_all()

    def _paused(self) -> bool:
        """Rest until somebody wants the next picture; False when nobody looks any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._until is not None or self._closed)
            return not self._closed


class SharedCamera:
    """A camera lent to a table: when the table lets go of it the camera stays open, and the lobby sees what it sees."""

    def __init__(self, camera: Camera, preview: Preview | None = None) -> None:
        self._camera, self._preview = camera, preview
        self._returned = threading.Event()
        self._listeners: list[Listener] = []
        self.name, self.simulated, self.waits = camera.name, camera.simulated, camera.waits

    @property
    def lent(self) -> Camera:
        """The camera itself, for what only its kind can do."""
        return self._camera

    @property
    def feed(self) -> "FrameFeed | None":
        """The camera's own, where it has one."""
        return _SharedFeed(self, self._camera.feed) if self._camera.feed is not None else None

    @property
    def returned(self) -> bool:
        """Whether it was given back."""
        return self._returned.is_set()

    def frames(self) -> Iterator[Frame]:
        """The camera's pictures until it is given back."""
        for frame in self._camera.frames():
            if self._returned.is_set():
                return
            self.show(frame)
            yield frame

    def show(self, frame: Frame) -> None:
        """Let the lobby see what the table sees."""
        if self._preview is not None:
            self._preview.show(frame)

    def listen(self, listener: Listener) -> None:
        """As every camera, until it is given back."""
        self._listeners.append(listener)
        if len(self._listeners) == 1:
            self._camera.listen(self._heard)

    def close(self) -> None:
        """Give the camera back. It outlives the table, and must not hold on to whoever listened through this."""
        self._returned.set()
        self._listeners.clear()

    def _heard(self, notice: SourceNotice) -> None:
        for listener in tuple(self._listeners):
            listener(notice)


class _SharedFeed:
    """The feed of a camera that is lent, until it is given back."""

    def __init__(self, lent: SharedCamera, feed: FrameFeed) -> None:
        self._lent, self._feed = lent, feed

    @property
    def over(self) -> bool:
        return self._lent.returned or self._feed.over

    @property
    def error(self) -> Exception | None:
        return self._feed.error

    def take(self, timeout: float) -> Frame | None:
        frame = None if self._lent.returned else self._feed.take(timeout)
        if frame is None or self._lent.returned:
            return None
        self._lent.show(frame)
        return frame
