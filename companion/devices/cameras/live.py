"""A live source made into a camera: newest frame wins, silence and frozen pictures are said, lost ones found again."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from companion.devices.cameras.latest_frame import FrameFeed, LatestFrame
from companion.devices.cameras.liveliness import Liveliness
from companion.devices.cameras.port import CameraSettings, Listener, Shot, Source, SourceNotice
from companion.errors import BadInput, CompanionError, quoted
from companion.vision.frame import Frame

SILENT, LOST, FROZEN = "silent", "lost", "frozen"


class Health:
    """Judges a live source by the times at which things happen; holds no clock of its own."""

    def __init__(self, name: str, settings: CameraSettings, now: float) -> None:
        self._name, self._settings = name, settings
        self._last_arrival = self._last_change = now
        self._liveliness = Liveliness(settings, now)
        self._size: tuple[int, int] | None = None
        self._trouble: str | None = None
        self._still = self._torn = self._away = False
        self.standing: SourceNotice | None = None
        """What was said last and still holds: for whoever begins to listen later."""

    def arrived(self, shot: Shot, now: float) -> list[SourceNotice]:
        """A picture came."""
        away, self._last_arrival = now - self._last_arrival, now
        self._torn = False
        if self._away:
            self._away = False
            self._liveliness.interrupted(now)
        differs = self._liveliness.came(shot.fingerprint, now)
        judged = self._judged(differs, away, now)
        if judged:
            self.standing = judged[0] if judged[0].code in ("source-frozen", "source-still") else None
        notices = [*shot.notices, *judged]
        size = (shot.image.shape[1], shot.image.shape[0])
        if self._size not in (None, size):
            text = "{source} changed the size of its pictures to {width}×{height}"
            notices.append(self._notice("picture-size-changed", text, width=size[0], height=size[1]))
        self._size = size
        return notices

    def _judged(self, differs: bool, away: float, now: float) -> list[SourceNotice]:
        """What a picture says of the source: back again, frozen, at rest or stirring."""
        repeats, same_for = self._liveliness.repeats, self._liveliness.same_for(now)
        if differs or (repeats and self._trouble is not None):
            seconds = round(max(away, now - self._last_change), 1)
            trouble, still, self._trouble, self._still, self._last_change = self._trouble, self._still, None, False, now
            if trouble is not None:
                return [self._notice("source-back", "{source} is back after {seconds} s", seconds=seconds)]
            return [self._notice("source-stirs", "")] if still else []
        if repeats:
            if self._still or same_for < self._settings.still:
                return []
            self._still = True
            return [self._notice("source-still", "")]
        if self._trouble == FROZEN or same_for < self._settings.frozen:
            return []
        self._trouble = FROZEN
        text = "{source} has shown exactly the same picture for {seconds} s: it may be frozen"
        return [self._notice("source-frozen", text, seconds=round(same_for, 1))]

    def spoiled(self, why: str) -> list[SourceNotice]:
        """A picture came that cannot be used; said once until a good one comes."""
        if self._torn:
            return []
        self._torn = True
        return [self._notice("picture-torn", "a picture was left out: {why}", why=why)]

    def checked(self, now: float) -> list[SourceNotice]:
        """Somebody waited in vain until now."""
        if self._trouble in (SILENT, LOST) or now - self._last_arrival < self._settings.silence:
            return []
        self._trouble, self._away = SILENT, True
        text = "{source} has sent no picture for {seconds} s"
        self.standing = self._notice("source-silent", text, seconds=round(now - self._last_arrival, 1))
        return [self.standing]

    def lost(self, why: str) -> list[SourceNotice]:
        """The connection is gone; said once until a picture comes."""
        if self._trouble == LOST:
            return []
        self._trouble, self._away = LOST, True
        named = why.startswith(f"{self._name}: ")  # a cause that names its source already
        text = (
            "The camera is lost and will be tried again. {why}" if named else "{source} is lost and will be tried again: {why}"
        )
        self.standing = self._notice("source-lost", text, why=why)
        return [self.standing]

    def _notice(self, code: str, text: str, **words: object) -> SourceNotice:
        return SourceNotice(code, text, {"source": self._name, **words})


class LiveCamera:
    """A camera over a live :class:`Source`. Connecting the first time fails loudly; later losses are tried again for ever.

    A thread reads without pause and keeps only the newest picture, so a slow taker sees the present, never a queue.
    """

    def __init__(
        self,
        source: Source,
        settings: CameraSettings | None = None,
        *,
        simulated: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source, self._settings, self._clock = source, settings or CameraSettings(), clock
        self.name, self.simulated = source.name, simulated
        self._fresh = threading.Lock()
        self._latest = LatestFrame()
        self._closing = threading.Event()
        self._listeners: list[Listener] = []
        self._unheard: list[SourceNotice] = []
        self._number = 0
        source.open()
        self._health = Health(self.name, self._settings, clock())
        self._thread = threading.Thread(target=self._read, name=f"camera {self.name}", daemon=True)
        self._thread.start()

    waits = False
    error = None

    @property
    def feed(self) -> FrameFeed:
        """Itself: whoever takes from it notices, too, when nothing comes."""
        return self

    @property
    def over(self) -> bool:
        """Whether it was let go of; a source that is lost is tried again for ever."""
        return self._closing.is_set()

    @property
    def dropped(self) -> int:
        """How many pictures were overtaken by newer ones before anybody took them."""
        return self._latest.dropped

    def listen(self, listener: Listener) -> None:
        with self._fresh:
            self._listeners.append(listener)
            unheard, self._unheard = self._unheard, []
            standing = self._health.standing
            if standing is not None and standing not in unheard:
                unheard.append(standing)  # a table that is set up again must not take a frozen camera for a running one
        for notice in unheard:
            listener(notice)

    def frames(self) -> Iterator[Frame]:
        while not self._closing.is_set():
            frame = self.take(0.1)
            if frame is not None:
                yield frame

    def take(self, timeout: float) -> Frame | None:
        """The newest picture that was not taken yet, waiting up to ``timeout`` seconds for one. Where none came it is judged
        whether that has lasted too long, so it is to be called at least every half second."""
        frame = self._latest.take(timeout)
        if frame is None:
            with self._fresh:
                notices = self._health.checked(self._clock())
            self._say(notices)
        return frame

    def close(self) -> None:
        self._closing.set()
        self._latest.close()
        if self._thread is not threading.current_thread():
            # A driver stuck in a read is left to its daemon thread: releasing it from here would crash the process.
            self._thread.join(self._settings.read_timeout + 0.5)

    def _read(self) -> None:
        wait = self._settings.first_wait
        connected = True
        while not self._closing.is_set():
            try:
                if not connected:
                    self._source.open()
                    connected = True
                self._keep(self._source.read())
                wait = self._settings.first_wait
            except BadInput as error:
                self._judge(self._health.spoiled, str(error))
            except Exception as error:
                if self._closing.is_set():
                    break  # what ended because it was let go of is not lost
                # A driver may raise anything; whatever it was, the source is tried again rather than silently dead.
                self._judge(self._health.lost, str(error) if isinstance(error, CompanionError) else _failed(error))
                with suppress(Exception):  # a driver that has stumbled may stumble over its own end as well
                    self._source.close()
                connected = False
                self._closing.wait(wait)
                wait = min(wait * 2 or 0.1, self._settings.longest_wait)
        self._source.close()

    def _keep(self, shot: Shot) -> None:
        frame = Frame(shot.image, shot.captured_at, self.name, self._number)
        self._number += 1
        self._judge(self._health.arrived, shot, self._clock())
        self._latest.put(frame)

    def _judge(self, judgement: Callable[..., list[SourceNotice]], *facts: object) -> None:
        with self._fresh:
            notices = judgement(*facts)
        self._say(notices)

    def _say(self, notices: list[SourceNotice]) -> None:
        """Called without the lock held: a listener may take as long as it likes."""
        for notice in notices:
            with self._fresh:
                listeners = tuple(self._listeners)
                if not listeners:
                    self._unheard.append(notice)
            for listener in listeners:
                listener(notice)


def _failed(error: Exception) -> str:
    """What a driver raised, as a part of a sentence. OpenCV's faults are several lines, with paths of where it was built."""
    said = " ".join(str(error).split())
    kind = type(error).__name__
    return f"its driver failed ({kind}: {quoted(said)})" if said else f"its driver failed ({kind})"
