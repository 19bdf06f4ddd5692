"""Before and after: a picture of the table for every play, flag and ruling, kept beside the record when that is wished."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.devices.cameras.port import SourceNotice
from companion.host import overlay
from companion.host.overlay import OverlaySettings
from companion.record import pictures
from companion.record.events import Event
from companion.referee.match import Draft
from companion.vision.frame import Image

KEPT = frozenset({"table-agreed", "play", "flag", "correction", "undo", "ruling", "call", "pointed-at"})
"""Kinds of events that get pictures. A call is among them: who stood where when it was made is what people ask later."""
PASSING = frozenset({"flag", "pointed-at"})
"""What is pictured there is put right again, or taken away: the next play is compared with the table before it."""


@dataclass(frozen=True, slots=True)
class PictureStoreSettings:
    """``width`` in pixels (320 to 1920) and JPEG ``quality`` (30 to 95): 960 and 72 show every disc in about 80 kB.
    ``most_bytes`` for one game: a game has fewer than a hundred pictures, so 64 MiB stop only what has gone wrong."""

    width: int = 960
    quality: int = 72
    most_bytes: int = 64 * 2**20


class PictureStore:
    """The pictures of one game. Whatever goes wrong here is told to ``tell`` once and never stops a game."""

    def __init__(self, folder: Path, settings: PictureStoreSettings | None = None, *, keeps: bool = True) -> None:
        """Without ``keeps`` no new picture is taken; those that are there already can be looked at all the same."""
        self._folder, self._settings = folder, settings or PictureStoreSettings()
        self._drawing = OverlaySettings(width=self._settings.width, quality=self._settings.quality)
        self._used = sum(path.stat().st_size for path in folder.glob("*.jpg")) if folder.is_dir() else 0
        self._before: str | None = None
        self._now: bytes | None = None
        self._stopped = not keeps

    def resume(self, events: Sequence[Event]) -> None:
        """Go on with a game: the last picture it has is the one before the next play."""
        kept = (pictures.referred(event).get("after") for event in reversed(events) if event.kind not in PASSING)
        self._before = next((digest for digest in kept if digest), None)

    def look(self, image: Image) -> None:
        """The table as it rests now."""
        if not self._stopped:
            self._now = overlay.jpeg(overlay.shrink(image, self._drawing)[0], self._drawing)

    @contextmanager
    def showing(self, image: Image) -> Iterator[None]:
        """Meanwhile events are pictured with this, a hand over the table and all."""
        before = self._now
        self.look(image)
        try:
            yield
        finally:
            self._now = before

    def kept(self, digest: str) -> bytes | None:
        """One picture by the digest an event refers to it by; None when it is not here. Raises nothing."""
        return pictures.reader(self._folder)(digest) or None

    def illustrate(self, draft: Draft, tell: Callable[[SourceNotice], None]) -> Draft:
        """The draft with references to its pictures, once they are on the disk; as it is when there are none."""
        if self._stopped or self._now is None or draft.kind not in KEPT or draft.data.get("what") == "sight":
            return draft
        if self._used + len(self._now) > self._settings.most_bytes:
            self._stop(tell, "pictures-full", _FULL, {"size": self._settings.most_bytes // 2**20})
            return draft
        try:
            after = pictures.store(self._folder, self._now)
        except OSError as error:
            self._stop(tell, "pictures-lost", _LOST, {"reason": error.strerror or type(error).__name__})
            return draft
        if after != self._before:
            self._used += len(self._now)
        told = {"before": self._before, "after": after} if self._before else {"after": after}
        if draft.kind not in PASSING:
            self._before = after
        return Draft(draft.kind, {**draft.data, pictures.KEY: told})

    def _stop(self, tell: Callable[[SourceNotice], None], code: str, text: str, params: dict[str, object]) -> None:
        self._stopped = True
        tell(SourceNotice(code, text, params))


_FULL = "No more pictures are kept: this game's have reached {size} MiB."
_LOST = "Pictures can no longer be kept ({reason}). The game is recorded all the same."
