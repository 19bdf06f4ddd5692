"""The event that a turn began with: its digest is the record's head, which the table photographs and the report repeats."""

from collections.abc import Sequence

from companion.record.events import Event


def opens_turn(event: Event) -> bool:
    """Whether an event says of itself that a turn begins with it."""
    return event.kind == "turn-opened" or bool(event.data.get("opens"))


def turn_opening(events: Sequence[Event], counted: bool) -> tuple[Event, int] | None:
    """The event that the running turn began with, and that turn's number; None before the first turn. ``counted``: the game
    counts its turns in words of its own (nights, hours) and has no event for the beginning of all of them: one begins with
    the agreed set-up, or with the first event whose position is of another turn."""
    turn: int | None = None
    opening: Event | None = None
    for event in reversed(events):
        position = event.data.get("position") or {}
        turn = position.get("turn") if turn is None else turn
        if opens_turn(event):
            return event, int(event.data.get("turn", event.data.get("hour", turn)))
        if counted and position:
            if position["turn"] != turn:
                break
            opening = event
        if event.kind == "table-agreed":
            break
    else:
        return None  # the set-up is not agreed yet
    return None if opening is None or turn is None else (opening, turn)
