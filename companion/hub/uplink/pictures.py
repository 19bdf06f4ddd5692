"""What a table shows the hall of its camera, where it allows that: small, now and then, and no picture twice."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.host.overlay import OverlaySettings, jpeg, shrink
from companion.hub import wire

EVERY_S = 5.0
"""Between two pictures, 2 to 60 s."""
SIZES = (OverlaySettings(width=640, quality=70), OverlaySettings(width=480, quality=50), OverlaySettings(width=320, quality=40))
"""Tried in turn until a picture fits into a message."""


@dataclass
class SentPicture:
    """``newest`` gives what the table shows of its camera, cut and covered as it is for everybody but its owner; ``audience``
    is one of :data:`companion.hub.model.AUDIENCES`. Not for several threads."""

    newest: Callable[[], bytes | None]
    audience: str
    due_at: float = float("-inf")
    _last: bytes = b""

    def due(self, match: str, now: float) -> wire.Picture | None:
        """What is to be sent now; None when nothing is. ``now``: seconds of a steady clock."""
        if now < self.due_at or not match:
            return None
        self.due_at = now + EVERY_S
        found = self.newest()
        if found is None or found == self._last:
            return None
        made = small(found)
        self._last = found
        return wire.Picture(match, made) if made is not None else None


def small(picture: bytes) -> bytes | None:
    """A JPEG that fits into a message; None for what is no picture or fits in no size."""
    try:
        image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    if image is None:
        return None
    for settings in SIZES:
        made = jpeg(shrink(np.asarray(image, np.uint8), settings)[0], settings)
        if len(made) <= wire.MOST_PICTURE:
            return made
    return None
