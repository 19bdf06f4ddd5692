"""What the host needs from a watcher and a subscriber; anything of that shape will do."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

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
    ``steady``: what lies there is what was settled last; ``lost``: why the board is out of sight, empty while it is seen."""

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


class FrameWatcher(Protocol):
    """Turns frames into settled readings."""

    def see(self, frame: Frame) -> FrameAnalysisPort: ...


class Subscriber(Protocol):
    """Is told every event after it is in the record; must return at once."""

    def __call__(self, event: Event, /) -> None: ...
