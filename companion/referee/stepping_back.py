"""Taking back: what players may undo themselves, and what needs the arbiter. The whole policy.

Players take back the last play of the running turn while the pick is still with whoever made it: by a word (the answer
``undo``) or by putting its pieces back. The same player's earlier play may follow. Never without the arbiter:

* once the pick has passed to the other player, who may have thought about what he saw;
* a play with which a card was drawn: it was looked at, and that cannot be undone;
* anything before an answered question, an opened secret or an opened turn.

After the last pick nobody else picks: until the question that follows is answered on record that play may still be taken back.
The arbiter takes the game back to any earlier moment by a ruling (``take-back``) with its reason. A play that goes on (the same
character moved further) and another way of telling what is on the table (``choose``) are corrections and take nothing back.
Whether an answer given by a slip of the finger may be given anew is the game's to say.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.referee.comparison import out_of_step
from companion.referee.match import Match

PASSED, DRAWN = "passed", "drawn"

REFUSED: Mapping[str, str] = MappingProxyType(
    {
        PASSED: "it is somebody else's turn since; only the arbiter may take the play back",
        DRAWN: "a card was drawn with that play; only the arbiter may take it back",
    }
)
FAULTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        PASSED: out_of_step(
            "The last play was put back in somebody else's turn. Lay it out again, or ask the arbiter to take it back.",
            "put-back-late",
        ),
        DRAWN: out_of_step(
            "The last play was put back, but a card was drawn with it. Lay it out again, or ask the arbiter to take it back.",
            "put-back-drawn",
        ),
    }
)


def last_play(match: Match) -> str | None:
    """The character whose play is the last of the running turn and not out of reach behind an answer; None: there is none."""
    return match.picks[-1].character if match.picks and match.change is not None else None


def needs_arbiter(match: Match) -> str | None:
    """Why players may not take the last play back themselves: ``PASSED``, ``DRAWN``, or None when they may."""
    last = match.picks[-1]
    if match.game.draws(last.before, match.position_from(last.play["position"]), last.character):
        return DRAWN
    return PASSED if match.mover not in (None, last.mover) else None
