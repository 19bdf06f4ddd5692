"""Positions and changes made by chance, judged by the thousand, and how long an explanation takes.

What hands do to the pieces of one game, and the method that it is held against, come from that game's test.
"""

import random
import time
from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.game import Explanation
from companion.games.mr_jack.investigation import Investigation

Timed = list[float]
Nudge = Callable[[Any, random.Random], Any]


def dealt(game: Investigation, position: Any, chance: random.Random) -> Any:
    """The position with its cards known."""
    if position.available is not None:
        return position
    return game.position({**position.to_json(), "available": chance.sample(game.characters, 4), "played": []}, tolerant=True)


def walked_on(game: Investigation, chance: random.Random, most: int) -> Any:
    """A position in the midst of a game of chance: less than ``most`` plays made, cards dealt, some of them played."""
    position = game.start(chance.choice(game.editions()) if len(game.editions()) > 1 else None)
    for _ in range(chance.randrange(most)):
        position = dealt(game, position, chance)
        plays = [play for play in game.plays(position, chance.choice(game.candidates(position))) if play.ends is None]
        if not plays:
            continue
        position = chance.choice(plays).position
        if not position.available:
            position = game.close_turn(game.call(position, chance.random() < 0.5))
    return dealt(game, position, chance)


def played_on(game: Investigation, start: Any, chance: random.Random) -> Any:
    """The position after four plays of chance, None when somebody finds none."""
    position = start
    for _ in range(4):
        fitting = [play for play in game.plays(position, chance.choice(game.candidates(position))) if play.ends is None]
        if not fitting:
            return None
        position = chance.choice(fitting).position
    return position


def as_seen(table: Any, before: Any) -> Any:
    """The table as a camera sees it: in which order the cards were laid does not show."""
    return replace(table, available=before.available, played=before.played)


def explained(game: Investigation, before: Any, after: Any, plays: int, mover: str | None, taken: Timed) -> Explanation:
    """An explanation, its time added to ``taken``."""
    begun = time.thread_time()  # what this thread computed: another program's turn on the core is not counted
    found = game.explain(before, after, plays=plays, mover=mover)
    taken.append(time.thread_time() - begun)
    return found


def percentiles(taken: Timed) -> str:
    """Times in words."""
    ordered = sorted(taken)
    half, most = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    return f"p50 {half * 1e3:.2f} ms, p99 {most * 1e3:.2f} ms, longest {ordered[-1] * 1e3:.2f} ms of {len(ordered)}"


@dataclass
class Count:
    """Legal and illegal changes of chance under judgement, and how often the judge erred."""

    game: Investigation
    key: Callable[[Any, None], object]
    """What a table shows of a position's JSON."""
    nudged: Nudge
    """What careless hands make of a position."""
    chance: random.Random
    legal: int = 0
    illegal: int = 0
    missed: int = 0
    false_alarms: int = 0
    taken: Timed = field(default_factory=list)

    def judge(self, before: Any, plays: dict[str, Any], tables: Set[object], changes: int) -> None:
        """Judge that many changes of one position. ``plays`` are the legal ones by character, ``tables`` what they leave."""
        mover, chance = self.game.mover(before), self.chance
        options = [name for name in plays if plays[name]]
        for _ in range(changes):
            if options:
                self._judge_legal(before, chance.choice(options), plays, mover)
            base = chance.choice(plays[chance.choice(options)]).position if options and chance.random() < 0.5 else before
            after = self.nudged(base, chance)
            if self.key(after.to_json(), None) in tables:
                continue
            found = explained(self.game, before, after, 1, mover, self.taken)
            self.illegal += 1
            self.missed += found.verdict != "illegal" or not found.faults

    def _judge_legal(self, before: Any, character: str, plays: dict[str, Any], mover: str | None) -> None:
        play = self.chance.choice(plays[character])
        found = explained(self.game, before, play.position, 1, mover, self.taken)
        told = {p.character for (p,) in found.alternatives} if found.verdict in ("legal", "ambiguous") else set()
        self.legal += 1
        self.false_alarms += character not in told

    def __str__(self) -> str:
        errors = f"{self.legal} legal, {self.false_alarms} false alarms; {self.illegal} illegal, {self.missed} missed"
        return f"{errors}; one play: {percentiles(self.taken)}"
