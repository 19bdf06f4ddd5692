"""In which state the table is, as one word for every screen.

The order is that of what somebody has to know: a record that cannot be written, a game that rests on purpose (whatever its
camera does), a camera that shows nothing new, a board out of sight, a table being set up; last that all is well.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.host.camera_state import ENDED, FROZEN, LOST, PLAYED, SILENT, STARTING, STILL

WATCHING = "watching"
STATES = (
    "disk", "over", "adjourned", "lost", "silent", "frozen", "out-of-sight", "ended", "starting", "set-up", "left-out", "still",
    "partly", WATCHING,
)  # fmt: skip
_BY_SOURCE = {LOST: "lost", SILENT: "silent", FROZEN: "frozen", ENDED: "ended", PLAYED: "ended", STARTING: "starting"}


def status(
    shown: Mapping[str, Any], source: Mapping[str, Any], troubles: Sequence[Mapping[str, str]]
) -> dict[str, str | float | None]:
    """``state`` (one of ``STATES``) and ``since``, seconds since 1970, where a camera is the reason, else None.

    ``shown``: ``phase`` and ``adjourned`` of the match's view; ``source`` as of ``CameraStates.shown``; ``troubles`` by
    ``kind``.
    """
    kinds = {one["kind"] for one in troubles}
    of_camera = _BY_SOURCE.get(source["state"], "")
    found = {
        "disk": "disk" in kinds,
        "over": shown["phase"] == "over",
        "adjourned": bool(shown.get("adjourned")),
        **{state: of_camera == state for state in ("lost", "silent", "frozen")},
        "out-of-sight": "sight" in kinds,
        "ended": of_camera == "ended",
        "starting": of_camera == "starting",
        "set-up": shown["phase"] in ("unopened", "set-up"),
        "left-out": "reading" in kinds,
        "still": source["state"] == STILL,
        "partly": bool(source.get("ailing")),
        WATCHING: True,
    }
    state = next(one for one in STATES if found[one])
    ailing: Sequence[Mapping[str, Any]] = source.get("ailing") or []
    since = ailing[0]["since"] if state == "partly" else source.get("since") if state in _TIMED else None
    return {"state": state, "since": since}


_TIMED = ("lost", "silent", "frozen", "still")
