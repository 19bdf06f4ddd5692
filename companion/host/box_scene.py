"""What the button boxes need to know of a game, folded from its events: the open call, and what the lights say. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.record.events import Event

_CALMED = frozenset({"table-agreed", "turn-opened", "play", "undo", "call", "flag-cleared", "outcome"})
_VOIDED = frozenset({"call", "turn-opened", "undo", "play", "outcome"})
_WORDS_ONLY = frozenset({"adjourn", "resume", "penalty"})
SOUNDING = frozenset({"call-asked", "flag", "outcome"})
"""Kinds of events whose pattern is shown with its sound, even when the lights stay the same."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The open call: the number of the event that asked it, and when (seconds, the record's clock)."""

    number: int
    at: float


@dataclass(frozen=True, slots=True)
class BoxScene:
    """The game as far as boxes go."""

    asked: Asked | None = None
    called: bool = False
    flagged: bool = False
    blind: bool = False
    over: bool = False

    @property
    def pattern(self) -> str:
        """The name of the pattern that the boxes show now; the same whatever was answered."""
        if self.over:
            return "over"
        if self.asked is not None:
            return "ask"
        if self.flagged:
            return "wrong"
        if self.blind:
            return "blind"
        return "taken" if self.called else "ready"

    def after(self, event: Event) -> "BoxScene":
        """The scene after one more event."""
        kind, data, changes = event.kind, event.data, dict[str, object]()
        recalled = kind == "correction" and data.get("what") == "call"
        moved = (kind == "correction" and data.get("what") in ("play", "call")) or (
            kind == "ruling" and data.get("action") not in _WORDS_ONLY
        )
        if kind in _CALMED or moved:
            changes["flagged"] = False
        if kind in _VOIDED or moved:
            changes["asked"] = None
        match kind:
            case "call-asked" if data.get("by") != "secret":  # what was entrusted answers by itself; nobody is asked
                changes["asked"] = Asked(event.number, event.at)
            case "call" | "turn-opened":
                changes["called"] = kind == "call"
            case "correction" if recalled:
                changes["called"] = False
            case "flag":
                changes["flagged"] = True
            case "cannot-see" | "sight-restored":
                changes["blind"] = kind == "cannot-see" and bool(data.get("subjects", True))
            case "outcome":
                changes["over"] = True
        return replace(self, **changes) if changes else self  # type: ignore[arg-type]


def fold(events: Iterable[Event]) -> BoxScene:
    """The scene that these events make."""
    scene = BoxScene()
    for event in events:
        scene = scene.after(event)
    return scene
