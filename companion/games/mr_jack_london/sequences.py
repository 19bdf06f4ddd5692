"""Several plays seen late: what one play of this game may leave behind, and what those still to come can mend.

Whoever stands wrong and will not be played any more must still be whistled (three points in all) or swapped (once) to
where he was seen: that bound cuts nearly every branch of the search in companion.games.mr_jack.sequences.
"""

from collections.abc import Iterator
from dataclasses import replace

from companion.games.mr_jack.deduction import card_laid
from companion.games.mr_jack.sequences import Judged, SequenceSearch
from companion.games.mr_jack_london.difference import Difference
from companion.games.mr_jack_london.house_rules import Rules
from companion.games.mr_jack_london.names import BERT, CHARACTERS, GOODLEY, GULL, INDEX, LESTRADE, SMITH, WATSON, WHISTLE_POINTS
from companion.games.mr_jack_london.plays import walk
from companion.games.mr_jack_london.position import Position
from companion.games.mr_jack_london.streets import Streets, streets_of
from companion.games.mr_jack_london.whistling import least_points, nearer

Hexes = tuple[str | None, ...]
_GOODLEY, _GULL, _WATSON = INDEX[GOODLEY], INDEX[GULL], INDEX[WATSON]
_CARRIERS = (INDEX[SMITH], INDEX[BERT], INDEX[LESTRADE])


def halfway(position: Position, after: Position, index: int, hexes: Hexes) -> Position:
    """The position after one character's play: its piece of the board and the lantern already as in ``after``."""
    available, played = card_laid(position.available, position.played, CHARACTERS[index])
    touched_watson = index == _WATSON or hexes[_WATSON] != position.hexes[_WATSON]
    return Position(
        position.edition, position.turn, position.witness_card, hexes, position.sides,
        (after.facing or position.facing) if touched_watson else position.facing,
        after.gaslights if index == _CARRIERS[0] else position.gaslights,
        after.covers if index == _CARRIERS[1] else position.covers,
        after.cordons if index == _CARRIERS[2] else position.cordons,
        available=available, played=played,
    )  # fmt: skip


class Search(SequenceSearch):
    """One search from ``before`` to ``after``; sets of characters are tuples of indices."""

    characters = CHARACTERS

    def __init__(
        self, before: Position, after: Position, changes: Difference, role: str | None, rules: Rules, judged: Judged
    ) -> None:
        super().__init__(before, after, changes, role, rules, judged)
        self.net: Streets = streets_of(before.edition)
        self.final: Hexes = after.hexes
        self.touched = {
            _CARRIERS[0]: bool(changes.lamps_gone or changes.lamps_new),
            _CARRIERS[1]: bool(changes.covers_gone or changes.covers_new),
            _CARRIERS[2]: bool(changes.cordons_gone or changes.cordons_new),
        }

    def layout(self, position: Position) -> Hexes:
        """Pieces of the board need not count: whose play it was to move them is known from who remains."""
        return position.hexes

    def settles(self, position: Position, remaining: tuple[int, ...]) -> bool:
        return self._settles(position.hexes, remaining)

    def outcomes(self, position: Position, index: int, rest: tuple[int, ...]) -> Iterator[Position]:
        for hexes in self._outcomes(position, index, rest):
            if self._settles(hexes, rest):
                yield halfway(position, self.after, index, hexes)

    def can_fit(self, played: frozenset[int]) -> bool:
        for carrier, touched in self.touched.items():
            if touched and carrier not in played:
                return False
            if not touched and carrier in played and not self.ended:
                return False
        helpers = _GOODLEY in played or _GULL in played
        if not helpers:
            return self.moved == played
        if self.changes.lantern and _WATSON not in played and _WATSON not in self.moved and _GOODLEY not in played:
            return False
        return self._settles(self.before.hexes, tuple(played))

    def _settles(self, hexes: Hexes, remaining: tuple[int, ...]) -> bool:
        """Whether those who stand wrong and will not be played can still be whistled or swapped into place."""
        final, streets, swap = self.final, self.net.streets, _GULL in remaining
        whistle = _GOODLEY in remaining
        total = wrong = largest = 0
        for index, spot in enumerate(hexes):
            goal = final[index]
            if spot == goal or index in remaining:
                continue
            wrong += 1
            if not whistle:
                if wrong > swap:
                    return False
                continue
            if spot not in streets or goal not in streets or spot is None or goal is None:
                return False
            steps = self.net.on_foot[spot][goal]
            largest = max(largest, steps)
            total += steps
            if total - (largest if swap else 0) > WHISTLE_POINTS:
                return False
        return True

    def _outcomes(self, position: Position, index: int, rest: tuple[int, ...]) -> Iterator[Hexes]:
        """Where everybody may stand after this character's play, given who will be played later."""
        if index == _GOODLEY:
            yield from self._whistles(position, rest)
            return
        if index == _GULL:
            yield from self._swaps(position.hexes)
        for to in self._targets(position, index, rest):
            yield (*position.hexes[:index], to, *position.hexes[index + 1 :])

    def _targets(self, position: Position, index: int, rest: tuple[int, ...]) -> list[str]:
        """Free hexes that a walking character may have gone to; only a later whistle or swap makes others than the last."""
        name = CHARACTERS[index]
        ways = set(walk(position, name, position.covers))
        if name == BERT:
            ways |= set(walk(position, name, self.after.covers))
        ways -= set(position.hexes)
        goal = self.final[index]
        wanted = {goal}
        if _GULL in rest:
            wanted.add(self.final[_GULL])
        if _GOODLEY in rest and index != _GOODLEY and goal in self.net.streets:
            wanted |= {cell for cell, steps in self.net.nearby[str(goal)]}
            if _GULL in rest and self.final[_GULL] in self.net.streets:
                wanted |= {cell for cell, steps in self.net.nearby[str(self.final[_GULL])]}
        # The hex where he was seen comes first, so that the plainest sequence is found first.
        return sorted((cell for cell in ways if cell in wanted), key=lambda cell: (cell != goal, cell))

    def _swaps(self, hexes: Hexes) -> Iterator[Hexes]:
        here = hexes[_GULL]
        for other, there in enumerate(hexes):
            if other != _GULL and there is not None:
                now = list(hexes)
                now[_GULL], now[other] = there, here
                yield tuple(now)

    def _whistles(self, position: Position, rest: tuple[int, ...]) -> Iterator[Hexes]:
        origin = position.hexes[_GOODLEY]
        if origin is None:
            return
        for to in self._targets(position, _GOODLEY, rest):
            arrived = (*position.hexes[:_GOODLEY], to, *position.hexes[_GOODLEY + 1 :])
            yield from self._called(arrived, to, rest)
        for called in self._called(position.hexes, origin, rest):
            moved = replace(position, hexes=called)
            for to in self._targets(moved, _GOODLEY, rest):
                yield (*called[:_GOODLEY], to, *called[_GOODLEY + 1 :])

    def _called(self, hexes: Hexes, centre: str, rest: tuple[int, ...]) -> Iterator[Hexes]:
        """Whistles around ``centre`` that leave nobody wrong who will not be played any more."""
        options = [(i, self._calls(hexes, i, centre, rest)) for i in range(len(hexes)) if i != _GOODLEY]
        needed: list[int] = []

        def share(number: int, points: int, now: Hexes) -> Iterator[Hexes]:
            if number == len(options):
                if len({*now}) < len(now):
                    return
                if points < WHISTLE_POINTS:
                    if not needed:
                        needed.append(least_points(self.net, hexes, centre, self.rules))
                    if points < needed[0]:
                        return
                yield now
                return
            index, calls = options[number]
            for to, steps in calls:
                if points + steps <= WHISTLE_POINTS:
                    yield from share(number + 1, points + steps, (*now[:index], to, *now[index + 1 :]) if steps else now)

        yield from share(0, 0, hexes)

    def _calls(self, hexes: Hexes, index: int, centre: str, rest: tuple[int, ...]) -> list[tuple[str | None, int]]:
        """(hex, points) for one character: stay or be called; forced home when nothing later can bring him there."""
        spot, goal = hexes[index], self.final[index]
        if spot is None or spot not in self.net.streets:
            return [(spot, 0)]
        if index not in rest and spot == goal and _GULL not in rest:
            return [(spot, 0)]
        calls = nearer(self.net, centre, spot)
        if index in rest:
            return [(spot, 0), *calls]
        wanted = (goal, self.final[_GULL]) if _GULL in rest else (goal,)
        return [(cell, steps) for cell, steps in ((spot, 0), *calls) if cell in wanted]
