"""Whether identical pictures mean a frozen camera: only where the source has not been seen to repeat its pictures by itself.

The policy, from what was seen of a source so far:

* *living*: for ``lively`` seconds no picture equalled the one before. The noise of a sensor differs from picture to picture, so
  identical ones for ``frozen`` seconds are a freeze.
* *unknown*: the same is said, as a doubt, since silence would be worse.
* *repeating*: a stretch of identical pictures (``repeats`` seconds or more) ended by itself before it was known to live. Such
  a source has no noise (a screen, a strong compression, a slow snapshot address): a scene at rest gives the same. Nothing is
  said; after ``still`` seconds it is a state that can be shown ("the same picture since").

A living source that froze and came back is unknown again. So a source without noise is doubted wrongly once, at its first rest
of ``frozen`` seconds before any shorter one, and a camera that lives is never trusted longer than ``frozen`` seconds.
"""

from companion.devices.cameras.port import CameraSettings


class Liveliness:
    """Follows one source's fingerprints. Times in seconds of one monotonic clock, never going back."""

    def __init__(self, settings: CameraSettings, now: float) -> None:
        self._settings = settings
        self._fingerprint: int | None = None
        self._same_since = self._differing_since = now
        self._repeats: bool | None = None

    def came(self, fingerprint: int, now: float) -> bool:
        """Take in a picture; whether it differs from the one before."""
        if fingerprint == self._fingerprint:
            return False
        if self._fingerprint is not None:
            self._differed(now - self._same_since, now)
        self._fingerprint, self._same_since = fingerprint, now
        return True

    def same_for(self, now: float) -> float:
        """Seconds since the newest picture was first seen."""
        return now - self._same_since

    @property
    def repeats(self) -> bool:
        """Whether a scene at rest is known to give identical pictures."""
        return self._repeats is True

    def interrupted(self, now: float) -> None:
        """The source was silent or gone: how long it showed its last picture says nothing."""
        self._same_since = self._differing_since = now

    def _differed(self, lasted: float, now: float) -> None:
        if lasted >= self._settings.repeats:
            short, lived = lasted < self._settings.frozen, self._repeats is False
            self._repeats = None if lived and not short else True
            self._differing_since = now
        elif now - self._differing_since >= self._settings.lively:
            self._repeats = False
