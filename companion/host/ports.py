"""What the host needs from a watcher and a subscriber; anything of that shape will do."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from companion.record.events import Event
from companion.vision.frame import Frame
from companion.vision.observation import Observation
from companion.vision.reading import Reading


class NoticePort(Protocol):
    """Something a camera or a watcher says about itself: an English sentence template and its words."""

    @property
    def code(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def params(self) -> Mapping[str, Any]: ...


class FrameAnalysisPort(Protocol):
    """What a watcher makes of one frame; ``settled`` is a new settled reading or None, ``observation`` the last full look;
    ``steady``: what lies there is what was settled last; ``lost``: why the board is out of sight, empty while it is seen;
    ``pointed``: the place that a finger was held on for long enough, only on that frame; ``stayed``: that was told before, and
    the finger has stayed there for as long again."""

    @property
    def moving(self) -> bool: ...
    @property
    def occluded(self) -> bool: ...
    @property
    def observation(self) -> Observation | None: ...
    @property
    def settled(self) -> Reading | None: ...
    @property
    def notices(self) -> Sequence[NoticePort]: ...
    @property
    def steady(self) -> bool: ...
    @property
    def lost(self) -> str: ...
    @property
    def pointed(self) -> str: ...
    @property
    def stayed(self) -> bool: ...


class FrameWatcher(Protocol):
    """Turns frames into settled readings."""

    def see(self, frame: Frame) -> FrameAnalysisPort: ...


@runtime_checkable
class PointingWatcher(Protocol):
    """A watcher that also tells which of some spots a finger is held on."""

    def ask(self, places: Sequence[str]) -> None:
        """Which spots of the board may be pointed at from now on; none where nobody is asked."""


class Subscriber(Protocol):
    """Is told every event after it is in the record; must return at once."""

    def __call__(self, event: Event, /) -> None: ...
