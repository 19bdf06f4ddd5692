"""The game that a rehearsal plays: a recorded one, event by event, with the snapshots that a table shows meanwhile."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion import bounded, games
from companion.errors import BadInput, stopped_by
from companion.record.events import Event
from companion.record.export import from_json_lines
from companion.record.log import Record
from companion.referee.match import apply, fold
from companion.referee.view import view

Json = Mapping[str, Any]
BUNDLED = Path(__file__).parent / "game.jsonl"
MOST_PAUSE_S = 60.0
"""A longer pause of the recorded game (a night between two evenings) is played as this."""


@dataclass(frozen=True)
class Beat:
    """One event of the story: seconds after the one before, what it is, and what the table shows once it happened."""

    pause: float
    kind: str
    data: Json
    snapshot: Json


def load(record: Path | None = None) -> tuple[Beat, ...]:
    """The bundled game, or that of a record or its export. Raises BadInput for one that cannot be folded."""
    if record is None:
        return _told(_bundled())
    events = _recorded(record)
    if not events or events[0].kind != "match-opened":
        raise BadInput(f"{record}: a rehearsal needs the record of a game from its opening on")
    try:
        return _told(events)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadInput(f"{record}: holds what no game writes ({stopped_by(error)})") from error


def _bundled() -> list[Event]:
    events: list[Event] = []
    for line in bounded.read_bytes(BUNDLED, bounded.BOUNDS.lines).splitlines():
        told = json.loads(line)
        events.append(Event.following(events[-1] if events else None, told["kind"], told["data"], told["after"]))
    return events


def _recorded(record: Path) -> list[Event]:
    if record.suffix == ".jsonl":
        try:
            text = bounded.read_text(record, bounded.BOUNDS.lines)
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{record}: cannot be read ({getattr(error, 'strerror', None) or 'it is no text'})") from error
        return from_json_lines(text.splitlines(), str(record))
    with Record.read(record) as found:
        return found.events()


def _told(events: list[Event]) -> tuple[Beat, ...]:
    game = games.load(str(events[0].data.get("game")))
    match, beats = fold(game, []), []
    before = events[0].at
    for event in events:
        match = apply(match, event)
        shown = {**view(match), "status": {"state": "watching", "since": 0}, "simulated": True}
        beats.append(Beat(min(max(0.0, event.at - before), MOST_PAUSE_S), event.kind, event.data, shown))
        before = event.at
    return tuple(beats)
