"""What hands must do about the discs of the characters; the rest of it any game has (:mod:`companion.games.layouts`)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.games.game import Chore
from companion.games.layouts import Say

OFF_TABLE = ("witness_card", "available", "played")
"""Keys that no camera claims but that somebody may tell along with a state."""


def disc_chores(
    say: Say, names: Mapping[str, str], expected: Any, claimed: Any, doubts: set[str], characters: Sequence[str]
) -> Iterator[Chore]:
    """Discs that stand elsewhere, are missing, are too many or lie on the wrong side."""
    for index, name in enumerate(characters):
        if name in doubts:
            continue
        words = {"character": names[name]}
        want, have = expected.hexes[index], claimed.hexes[index]
        if want is None:
            if have is not None:
                yield say("take-off-board", name, place=have, **words)
            continue
        if have is None:
            yield say("put-on-board", name, to=want, **words)
            continue
        if want != have:
            yield say("put-back", name, place=have, to=want, **words)
        side = expected.sides[index]
        if claimed.sides[index] not in (None, side):
            yield say("turn-disc", name, place=want, side=side, **words)
