"""The words of Letters from Whitechapel: colours, phases, what each night brings."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

ID = "letters-from-whitechapel"
EDITION = "revised-2012"

COLOURS = ("blue", "yellow", "brown", "red", "green")
"""The five policemen, whatever the number of players (2 to 6)."""

JACK, HEAD = "jack", "head"
"""Who acts, beside the policemen by colour: Jack, and the head of the investigation for all police players."""

DOWN, FAKE = "down", "fake"
"""A patrol token face down; one that turned out to be no policeman and left the board."""
PATROL_TOKENS = 7
FAKE_TOKENS = PATROL_TOKENS - len(COLOURS)

MARKED, BLANK = "marked", "blank"

WOMEN, PATROLS, KILL, WRETCHED, REVEAL = "women", "patrols", "kill", "wretched", "reveal"
ESCAPE, POLICE_MOVE, POLICE_ACT, OVER = "jack", "police-move", "police-act", "over"
PHASES = (WOMEN, PATROLS, KILL, WRETCHED, REVEAL, ESCAPE, POLICE_MOVE, POLICE_ACT, OVER)
"""``reveal`` without a crime scene of tonight: one patrol token is to be turned up after a wait; with one: all of them."""
BEFORE_THE_HUNT = (WOMEN, PATROLS, KILL, WRETCHED, REVEAL)
HUNT = (ESCAPE, POLICE_MOVE, POLICE_ACT)

WALK, COACH, ALLEY = "walk", "coach", "alley"
SPACES: Mapping[str, int] = MappingProxyType({WALK: 1, COACH: 2, ALLEY: 1})
"""Spaces of the move track that each kind of Jack's moves takes; as many circles are added to his row."""

LAST_NIGHT, LAST_TIME = 4, 5
MOVES_FROM_TIME_ONE = 15
"""Spaces of the track behind the crime at I; each wait adds one."""
MOST_SPACES = MOVES_FROM_TIME_ONE + LAST_TIME - 1
"""Spaces behind a crime at V, the most a row can be long; there are as many clue markers."""
STRIDE = 2
"""Crossings a policeman may move."""
CLUE_MARKERS = MOST_SPACES


@dataclass(frozen=True, slots=True)
class Night:
    """What one night brings: victims, women's tokens and how many of them are marked, special movement tokens."""

    victims: int
    women: int
    marked: int
    coaches: int
    alleys: int

    @property
    def stock(self) -> Mapping[str, int]:
        """Special movement tokens by kind."""
        return {COACH: self.coaches, ALLEY: self.alleys}


NIGHTS: Mapping[int, Night] = MappingProxyType(
    {1: Night(1, 8, 5, 3, 2), 2: Night(1, 7, 4, 2, 2), 3: Night(2, 6, 3, 2, 1), 4: Night(1, 4, 1, 1, 1)}
)
