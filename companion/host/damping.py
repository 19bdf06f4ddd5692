"""Notices that come and go: said at once while they are news, and once as what they are when they oscillate.

A condition (the board is out of sight, the camera is silent …) begins and ends by notices. The first few changes are told as
they come; one more within ``window_s`` says a single sentence with what to do, and then nothing until the condition has stayed
the same for a while (hysteresis), which doubles with every relapse (back-off). What it stayed at is told then.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from companion.host.ports import NoticePort


@dataclass(frozen=True, slots=True)
class DampingSettings:
    """Tunables of the damping.

    free
        1..4 times a condition may begin within ``window_s`` and be told each time: a camera that is set up is moved twice.
    window_s
        30..180 s.
    calm_s
        5..20 s without a change before what oscillated counts as settled and is told.
    longest_calm_s
        60..600 s to which that grows, doubling each time it oscillates again.
    """

    free: int = 2
    window_s: float = 90.0
    calm_s: float = 8.0
    longest_calm_s: float = 240.0


@dataclass(frozen=True, slots=True)
class DampedNotice:
    """What is said once of a condition that comes and goes: an English sentence template and its words."""

    text: str
    params: Mapping[str, Any]
    code: str = "oscillating"


@dataclass(slots=True)
class _Course:
    """How one condition went: when it began of late, and, while it is damped, its last notice and the time of that."""

    begun: list[float] = field(default_factory=list)
    calm_s: float = 0.0
    latest: NoticePort | None = None
    changed_at: float = 0.0


class NoticeDamper:
    """Lets notices through, or holds them back. Has no clock: times are seconds that never go back."""

    def __init__(self, settings: DampingSettings | None = None) -> None:
        self._settings = settings or DampingSettings()
        self._courses: dict[tuple[str, str], _Course] = {}

    def take(self, notice: NoticePort, at: float) -> NoticePort | None:
        """What is to be said of a notice that came at ``at`` seconds: itself, what stands for all of its kind, or nothing."""
        condition = _CONDITIONS.get(notice.code)
        if condition is None:
            return notice
        course = self._courses.setdefault((condition, _whose(notice)), _Course())
        if course.latest is not None:
            course.latest, course.changed_at = notice, at
            return None
        if notice.code in _ENDS:
            return notice
        settings = self._settings
        course.begun = [time for time in course.begun if at - time < settings.window_s] + [at]
        if len(course.begun) <= settings.free:
            if len(course.begun) == 1:
                course.calm_s = 0.0
            return notice
        course.calm_s = min(2 * course.calm_s, settings.longest_calm_s) or settings.calm_s
        course.latest, course.changed_at = notice, at
        return DampedNotice(_ADVICE[condition], dict(notice.params) | {"source": _whose(notice)})

    def due(self, at: float) -> list[NoticePort]:
        """What has stayed the same for long enough at ``at`` seconds, to be told now."""
        told = []
        for course in self._courses.values():
            if course.latest is not None and at - course.changed_at >= course.calm_s:
                told += [course.latest] if course.latest.code in _ENDS | _LASTING else []
                # It may still relapse: the next beginning within the window is held back at once, and for longer.
                course.begun, course.latest = [at] * self._settings.free, None
        return told


def _whose(notice: NoticePort) -> str:
    """Which of several cameras or boxes a notice is of."""
    return str(notice.params.get("box") or notice.params.get("source") or "")


_CONDITIONS: Mapping[str, str] = MappingProxyType(
    {
        "camera-moved": "moved",
        "registered-again": "moved",
        "board-slid": "slid",
        "board-lost": "sight",
        "board-back": "sight",
        "picture-unusable": "sight",
        "picture-torn": "torn",
        "picture-size-changed": "size",
        "partial-view": "view",
        "whole-view": "view",
        "never-rests": "rest",
        "source-lost": "source",
        "source-silent": "source",
        "source-frozen": "source",
        "source-back": "source",
        "box-lost": "box",
        "box-unplugged": "box",
        "box-restarted": "box",
        "box-back": "box",
        "box-stuck": "button",
        "box-free": "button",
        "box-overflow": "presses",
    }
)
"""The condition that a notice is about, by its code; what is not here is told as it comes."""
_ENDS = frozenset({"registered-again", "board-back", "whole-view", "source-back", "box-back", "box-free"})
_LASTING = frozenset(
    {"board-lost", "partial-view", "source-lost", "source-silent", "source-frozen", "box-lost", "box-unplugged", "box-stuck"}
)
"""What holds until one of those ends it; the others are of a moment."""
_ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "moved": "The board keeps moving in the picture: let the camera and the board stand firm, and leave stickers beside it "
        "uncovered.",
        "slid": "The board keeps sliding against its stickers: fix both to the table.",
        "sight": "The board keeps going out of sight: give it steady light, and keep the camera's view free.",
        "torn": "Pictures keep arriving damaged: look at the camera's cable or its network.",
        "size": "The camera keeps changing the size of its pictures: choose one size in its settings.",
        "view": "A part of the board keeps leaving the picture: turn the camera so that all of the board is in it.",
        "rest": "The picture never stays at rest for long: fix the camera more firmly, or give the table more light.",
        "source": "{source} keeps breaking off: look at its cable, its power and its network.",
        "box": "Button box {box} keeps breaking off: look at its cable.",
        "button": "A button of box {box} keeps sticking: look at it; the others go on.",
        "presses": "Button box {box} gets more presses than it can keep: look at its buttons.",
    }
)
"""What is said, with what to do, of a condition that comes and goes."""
