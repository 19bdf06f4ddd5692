"""What the table shows once corrections by hand are laid over the camera's claims. Knows layouts, no rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.boards import Board, Group, PieceSet
from companion.errors import BadInput
from companion.vision.reading import Reading

Json = Mapping[str, Any]
NOT_SEEN = "unknown"
"""What a claim is when the camera makes none."""


@dataclass(frozen=True)
class Sight:
    """The claimed part of a position in its own JSON keys, what is unknown (subject to reason), and what looks wrong."""

    state: dict[str, Any]
    unknown: dict[str, str]
    problems: tuple[str, ...]

    @property
    def subjects(self) -> tuple[str, ...]:
        """The unknown subjects, sorted."""
        return tuple(sorted(self.unknown))


def group_of(subject: str, pieces: PieceSet) -> Group:
    """The group that a subject belongs to. Raises BadInput for a subject that names nothing."""
    word, colon, _ = subject.partition(":")
    if colon:
        for group in pieces.groups.values():
            if group.singular == word and group.layout in ("by-place", "places"):
                return group
    elif subject in pieces.pieces:
        return pieces.group_of(subject)
    raise BadInput(f"{subject!r} names no piece of this table; there are: {', '.join(pieces.pieces)}")


def claim(reading: Reading, subject: str, board: Board, pieces: PieceSet) -> Any:
    """What the camera claims about one subject, as JSON: NOT_SEEN, None for nothing there, or the entry."""
    if subject in reading.unknown:
        return NOT_SEEN
    return _entry(reading.state(board, pieces), subject, pieces)


def perceive(reading: Reading, overrides: Mapping[str, Json], board: Board, pieces: PieceSet) -> Sight:
    """The reading with the corrections that still hold laid over it."""
    state, unknown = reading.state(board, pieces), dict(reading.unknown)
    for subject, fix in overrides.items():
        unknown.pop(subject, None)
        with_entry(state, subject, fix["entry"], pieces)
    return Sight(state, unknown, reading.problems)


def outdated(reading: Reading, overrides: Mapping[str, Json], board: Board, pieces: PieceSet) -> tuple[str, ...]:
    """Corrected subjects about which the camera now claims something new: seeing again beats being told earlier."""
    changed = []
    for subject, fix in overrides.items():
        now = claim(reading, subject, board, pieces)
        if now not in (NOT_SEEN, fix["against"]):
            changed.append(subject)
    return tuple(changed)


def relevant(sight: Sight, before: Json, after: Json, pieces: PieceSet) -> tuple[str, ...]:
    """Unknown subjects that could hide a change. ``after`` is the claimed position with unknowns as they were in ``before``.

    Tiles that lie where they lay are accounted for when the group is complete again with them: nothing of it can be
    elsewhere. The turn marker never stops a game.
    """
    hidden = []
    for subject in sight.subjects:
        group = group_of(subject, pieces)
        if group.layout == "value":
            continue
        if group.layout == "by-piece" or len(before.get(group.key, ())) != len(after.get(group.key, ())):
            hidden.append(subject)
    return tuple(hidden)


def _entry(state: Json, subject: str, pieces: PieceSet) -> Any:
    group = group_of(subject, pieces)
    held = state.get(group.key)
    spot = subject.partition(":")[2]
    if group.layout == "by-piece":
        return (held or {}).get(subject)
    if group.layout == "by-place":
        return (held or {}).get(spot)
    if group.layout == "places":
        return True if spot in (held or ()) else None
    return held


def with_entry(state: dict[str, Any], subject: str, entry: Any, pieces: PieceSet) -> None:
    """Put one subject's entry (None: nothing there) into a state; its groups are replaced, never changed."""
    group = group_of(subject, pieces)
    spot = subject.partition(":")[2]
    if group.layout == "value":
        state[group.key] = entry
    elif group.layout == "places":
        kept = [place for place in state.get(group.key, ()) if place != spot]
        state[group.key] = sorted([*kept, spot] if entry else kept)
    else:
        key = subject if group.layout == "by-piece" else spot
        kept_entries = {name: value for name, value in state.get(group.key, {}).items() if name != key}
        state[group.key] = kept_entries if entry is None else {**kept_entries, key: entry}
