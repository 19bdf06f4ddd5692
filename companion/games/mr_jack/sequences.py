"""Several plays seen late: which characters, in which order, turn one settled position into another?

The search goes over sets of characters, smallest first, and inside a set over orders and over the positions in between.
What one play may leave behind, and what the plays still to come can mend, is the game's to say; a good bound there cuts
nearly every branch. The last play is always put before the same judge as a single play, and so is every step of a
sequence that was found.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from companion.games.game import Play
from companion.games.mr_jack.casework import BaseCase
from companion.games.mr_jack.deduction import PICKS_A_TURN, card_laid, movers, picks_made

Rules = Mapping[str, str]
Judged = Callable[[Any, Any, str, str | None, Rules], BaseCase]


class TooMuch(Exception):
    """A search was given up: so much changed that trying every way would keep the table waiting."""


class SequenceSearch(ABC):
    """One search from ``before`` to ``after``; characters are indices into the fixed order. ``judged`` judges single plays.

    ``detours`` bounds, pass by pass, how many discs may be set down elsewhere than where they stand at last (None: any
    number): plain stories come first. ``effort`` bounds the positions looked at in all passes together (None: no bound).
    """

    characters: tuple[str, ...]
    detours: tuple[int | None, ...] = (None,)
    effort: int | None = None

    def __init__(self, before: Any, after: Any, changes: Any, role: str | None, rules: Rules, judged: Judged) -> None:
        self.before, self.after, self.changes, self.role, self.rules = before, after, changes, role, rules
        self.judged = judged
        self.made = picks_made(before.available, before.played)
        self.picks_left = PICKS_A_TURN - (self.made or 0)
        standing = [spot for spot in after.hexes if spot is not None]
        self.ended = None in after.hexes or len(set(standing)) < len(standing)
        self.moved = frozenset(changes.moved)
        self.told = self._told()
        self.dead: set[tuple[Hashable, tuple[int, ...], int | None]] = set()
        self.tried = 0

    # --- what a game says -----------------------------------------------------------------------------------------

    @abstractmethod
    def can_fit(self, played: frozenset[int]) -> bool:
        """Whether these characters can explain the change as far as counting goes."""

    @abstractmethod
    def settles(self, position: Any, remaining: tuple[int, ...]) -> bool:
        """Whether those who stand wrong and will not be played can still be brought into place."""

    @abstractmethod
    def outcomes(self, position: Any, index: int, rest: tuple[int, ...]) -> Iterator[Any]:
        """Positions that this character's play may leave, given who will be played later."""

    @abstractmethod
    def layout(self, position: Any) -> Hashable:
        """What of a position decides how it can go on, given who remains."""

    # --- the search -----------------------------------------------------------------------------------------------

    def shortest(self, most: int) -> list[tuple[Play, ...]]:
        """The shortest sequences of two to ``most`` plays, at most one for each set of characters.

        Raises TooMuch when the effort is spent and nothing was found.
        """
        if self.changes.turned or self.changes.turn or self.changes.witness_card:
            return []
        for count in range(2, min(most, self.picks_left) + 1):
            found: dict[tuple[int, ...], tuple[Play, ...]] = {}
            try:
                for detours in self.detours:
                    for played in self.sets(count):
                        if played not in found and (plays := self.explain(played, detours)) is not None:
                            found[played] = plays
            except TooMuch:
                if not found:
                    raise
            if found:
                return list(found.values())
        return []

    def sets(self, count: int) -> Iterator[tuple[int, ...]]:
        """Sets of that many characters that may explain the change, likeliest first."""
        if self.told is not None:
            if len(self.told) == count:
                yield self.told
            return
        pool = [i for i, name in enumerate(self.characters) if self.before.hexes[i] is not None and self._may_be_played(name)]
        fitting = [played for played in combinations(pool, count) if self.can_fit(frozenset(played))]
        # Plays that hide each other are possible but rare: sets that simply hold those who moved come first.
        yield from sorted(fitting, key=lambda played: len(self.moved.symmetric_difference(played)))

    def explain(self, played: tuple[int, ...], detours: int | None = None) -> tuple[Play, ...] | None:
        """The plays of one set of characters, in the first order that works (in the order told, when it was told)."""
        self.dead = set()
        return self._from(self.before, played, 0, detours)

    def _told(self) -> tuple[int, ...] | None:
        """The characters in their order when the cards of both positions tell them."""
        was, now = self.before.played, self.after.played
        if was is None or now is None or len(now) <= len(was) or now[: len(was)] != was:
            return None
        return tuple(self.characters.index(name) for name in now[len(was) :])

    def _may_be_played(self, name: str) -> bool:
        if self.before.available is not None:
            return name in self.before.available
        return self.before.played is None or name not in self.before.played

    def _from(self, position: Any, remaining: tuple[int, ...], depth: int, detours: int | None) -> tuple[Play, ...] | None:
        key = (self.layout(position), remaining, detours)
        if key in self.dead:
            return None
        for index in remaining if self.told is None else remaining[:1]:
            rest = tuple(i for i in remaining if i != index)
            role, name = self._role(depth), self.characters[index]
            if not rest:
                if self.settles(position, (index,)):
                    self._try()
                    case = self.judged(position, self._last(position, name), name, role, self.rules)
                    if not case.faults:
                        return (case.play(),)
                continue
            for following in self.outcomes(position, index, rest):
                self._try()
                left = None if detours is None else detours - self._strayed(position, following)
                if (left is not None and left < 0) or not self.settles(following, rest):
                    continue
                tail = self._from(following, rest, depth + 1, left)
                if tail is None:
                    continue
                case = self.judged(position, following, name, role, self.rules)
                if not case.faults and case.ends is None:
                    return (case.play(), *tail)
        self.dead.add(key)
        return None

    def _try(self) -> None:
        self.tried += 1
        if self.effort is not None and self.tried > self.effort:
            raise TooMuch

    def _strayed(self, position: Any, following: Any) -> int:
        """How many discs were set down elsewhere than where they stand at last."""
        final = self.after.hexes
        pairs = zip(position.hexes, following.hexes, final, strict=True)
        return sum(now not in (was, goal) for was, now, goal in pairs)

    def _role(self, depth: int) -> str | None:
        if self.made is not None:
            return movers(self.before.turn)[self.made + depth]
        return self.role if depth == 0 else None

    def _last(self, position: Any, name: str) -> Any:
        available, played = card_laid(position.available, position.played, name)
        return replace(self.after, available=available, played=played)
