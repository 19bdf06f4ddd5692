"""Several plays seen late: what one play of this game may leave behind, and what those still to come can mend.

Builders leave their marks on the table, so a tile tells who was played. Only Eastman (one character, three hexes on foot)
and Tumblety (two characters in each other's place) can set right who stands wrong and will not be played any more.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace

from companion.errors import InvalidPosition
from companion.games.game import Play
from companion.games.mr_jack.deduction import card_laid, may_leave
from companion.games.mr_jack.sequences import Judged, SequenceSearch
from companion.games.mr_jack_new_york.actions import in_supply, park_cells, stand, swap, swappable
from companion.games.mr_jack_new_york.difference import Difference
from companion.games.mr_jack_new_york.names import (
    BUILDS,
    CALLAHAN,
    CHARACTERS,
    EASTMAN,
    GRANT,
    INDEX,
    PARK,
    SILENT,
    SMITH,
    STEPS,
    TALKATIVE,
    TUMBLETY,
)
from companion.games.mr_jack_new_york.plays import like_state, shut_in
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.streets import streets_of, ways
from companion.games.mr_jack_new_york.validation import Reader

Rules = Mapping[str, str]
Hexes = tuple[str | None, ...]
_EASTMAN, _TUMBLETY, _GRANT = INDEX[EASTMAN], INDEX[TUMBLETY], INDEX[GRANT]
_BUILDERS = {INDEX[name]: label for name, label in BUILDS.items()}


def halfway(position: Position, after: Position, index: int, hexes: Hexes) -> Position:
    """The position after one character's play: its piece of the board and whom it met already as in ``after``."""
    name = CHARACTERS[index]
    available, played = card_laid(position.available, position.played, name)
    now = replace(position, hexes=hexes, available=available, played=played)
    if index in _BUILDERS:
        laid = dict(position.tiles)
        new = [(cell, label) for cell, label in after.tiles if cell not in laid and label == _BUILDERS[index]]
        now = replace(now, tiles=tuple(sorted((*position.tiles, *new[:1]))))
    elif name == GRANT:
        now = replace(now, tiles=_parks(position, after))
    elif name == CALLAHAN:
        now = replace(now, barricades=after.barricades)
    elif name == SMITH:
        now = replace(now, steamboats=after.steamboats)
    return _met(position, now, after, *(i for i in range(len(hexes)) if hexes[i] != position.hexes[i]))


def _parks(position: Position, after: Position) -> tuple[tuple[str, str], ...]:
    shown = dict(after.tiles)
    return tuple((cell, PARK if shown.get(cell) == PARK else label) for cell, label in position.tiles)


def _met(before: Position, now: Position, after: Position, *walkers: int) -> Position:
    """The informant where ``after`` has him, if one of the walkers came to him."""
    there = before.informant is not None and any(now.hexes[index] == before.informant for index in walkers)
    if there and before.informant_side == TALKATIVE and after.informant is not None:
        return replace(now, informant=after.informant, informant_side=SILENT)
    return now


class Search(SequenceSearch):
    """One search from ``before`` to ``after``."""

    characters = CHARACTERS
    detours = (0, 2, None)
    # About 0.15 s on one slow core; nearly all four plays that nobody saw are found within a tenth of it.
    effort = 6000

    def __init__(
        self, before: Position, after: Position, changes: Difference, role: str | None, rules: Rules, judged: Judged
    ) -> None:
        super().__init__(before, after, changes, role, rules, judged)
        self.net = streets_of(before.edition)
        self.final: Hexes = after.hexes
        self.shown = dict(after.tiles)
        self.stood = {*before.hexes, *after.hexes}

    def shortest(self, most: int) -> list[tuple[Play, ...]]:
        """The shortest sequences; none when no row of legal plays leaves a table like this."""
        return [] if self._beyond_plays() else super().shortest(most)

    def _beyond_plays(self) -> bool:
        """Whether the table shows what no legal plays leave: each card is laid once, and every play leaves a legal table."""
        changes: Difference = self.changes
        before, after = self.before, self.after
        laid = [label for _, label in changes.tiles_new]
        parks = laid.count(PARK) + len(changes.shown)
        once = all(laid.count(label) <= 1 for label in BUILDS.values()) and parks <= 1
        met = not (changes.informant or changes.informant_turned) or (
            before.informant_side == TALKATIVE and changes.informant and after.informant_side in (SILENT, None)
        )
        slid = len(changes.barricades_gone) == len(changes.barricades_new) <= 1
        sailed = len(changes.boats_gone) == len(changes.boats_new) <= 1
        kept = not changes.tiles_gone and all(shown == PARK for _, _, shown in changes.shown)
        if not (once and met and slid and sailed and kept):
            return True
        gone = [i for i, spot in enumerate(after.hexes) if spot is None and before.hexes[i] is not None]
        if gone:
            return len(gone) > 1 or not may_leave(before, gone[0], None)
        standing = list(after.hexes)
        crowded = len(standing) - len(set(standing))
        if crowded > 1:
            return True
        return not crowded and not self._stands(after)

    def _stands(self, after: Position) -> bool:
        """Whether the rules let the table lie like this; what it does not say is as before."""
        sides = tuple(now or was for was, now in zip(self.before.sides, after.sides, strict=True))
        told = replace(after, sides=sides, informant_side=after.informant_side or TALKATIVE, available=None, played=None)
        try:
            Reader.position(told.to_json())
        except InvalidPosition:
            return False
        return True

    def layout(self, position: Position) -> Hashable:
        return (position.hexes, position.tiles, position.barricades, position.steamboats, position.informant)

    def can_fit(self, played: frozenset[int]) -> bool:
        changes: Difference = self.changes
        pairs = (
            (INDEX[CALLAHAN], bool(changes.barricades_gone or changes.barricades_new)),
            (INDEX[SMITH], bool(changes.boats_gone or changes.boats_new)),
            (_GRANT, any(label == PARK for _, label in changes.tiles_new) or bool(changes.shown)),
            *((i, any(shown == label for _, shown in changes.tiles_new)) for i, label in _BUILDERS.items()),
        )
        parked = sum(label == PARK for _, label in changes.tiles_new)
        for index, touched in pairs:
            hidden = index in _BUILDERS and parked  # what was built may have been turned into a park since
            if touched and index not in played:
                return False
            if not touched and index in played and not self.ended and not hidden and not self._idle(index):
                return False
        if changes.tiles_gone or len(changes.tiles_new) > sum(index in played for index in _BUILDERS):
            return False
        if played & {_EASTMAN, _TUMBLETY}:
            return len(self.moved - played) <= (_EASTMAN in played) + 2 * (_TUMBLETY in played)
        return self.moved <= played and all(i in self.moved or shut_in(self.before, CHARACTERS[i]) for i in played)

    def _idle(self, index: int) -> bool:
        """Whether the character finds nothing to build or turn."""
        if index in _BUILDERS:
            return not in_supply(self.before, _BUILDERS[index])
        return index == _GRANT and not park_cells(self.before)

    def settles(self, position: Position, remaining: tuple[int, ...]) -> bool:
        after: Position = self.after
        if position.informant_side == SILENT and position.informant != after.informant:
            return False
        for cell, label in position.tiles:
            if self.shown.get(cell) != label and not (self.shown.get(cell) == PARK and _GRANT in remaining):
                return False
        wrong = [i for i, spot in enumerate(position.hexes) if spot != self.final[i] and i not in remaining]
        if _TUMBLETY in remaining:
            return self._swap_settles(position.hexes, wrong, remaining)
        if _EASTMAN in remaining:
            return len(wrong) <= 1 and all(self._near(position.hexes[i], self.final[i]) for i in wrong)
        return not wrong

    def _swap_settles(self, hexes: Hexes, wrong: list[int], remaining: tuple[int, ...]) -> bool:
        """Two who will not walk any more must stand in each other's place; a third may be sent by Eastman."""
        if len(wrong) < 2 or (_EASTMAN in remaining and len(wrong) == 2):
            return True
        if len(wrong) == 2:
            one, other = wrong
            return hexes[one] == self.final[other] and hexes[other] == self.final[one]
        return (
            len(wrong) == 3
            and _EASTMAN in remaining
            and any(
                self._near(hexes[sent], self.final[sent])
                and self._swap_settles(hexes, [i for i in wrong if i != sent], (_TUMBLETY,))
                for sent in wrong
            )
        )

    def _near(self, spot: str | None, goal: str | None) -> bool:
        if spot is None or spot not in self.net.apart:
            return False
        return goal is None or goal not in self.net.ground or self.net.apart[spot].get(goal, STEPS + 1) <= STEPS

    def outcomes(self, position: Position, index: int, rest: tuple[int, ...]) -> Iterator[Position]:
        available, played = card_laid(position.available, position.played, CHARACTERS[index])
        laid = replace(position, available=available, played=played)
        for built in self._built(laid, index, rest):
            for now in self._walked(laid, built, index, rest):
                yield now
                if index == _TUMBLETY:
                    for one, other in swappable(now, self.rules):
                        yield swap(now, one, other).position
        if index == _TUMBLETY:
            for one, other in swappable(laid, self.rules):
                swapped = swap(laid, one, other).position
                yield from self._walked(swapped, swapped, index, rest)

    def _built(self, position: Position, index: int, rest: tuple[int, ...]) -> Iterator[Position]:
        """The position with the character's piece of the board changed as ``after`` wants it."""
        after: Position = self.after
        label = _BUILDERS.get(index)
        if label is not None:
            laid = dict(position.tiles)
            cells = [
                cell
                for cell, shown in after.tiles
                if cell not in laid and (shown == label or (shown == PARK and _GRANT in rest))
            ]
            for cell in cells:
                yield replace(position, tiles=tuple(sorted((*position.tiles, (cell, label)))))
            if cells:
                return
        if index == _GRANT:
            yield replace(position, tiles=_parks(position, after))
        elif index == INDEX[CALLAHAN]:
            yield replace(position, barricades=after.barricades)
        elif index == INDEX[SMITH]:
            yield replace(position, steamboats=after.steamboats)
        else:
            yield position

    def _walked(self, position: Position, built: Position, index: int, rest: tuple[int, ...]) -> Iterator[Position]:
        """Walks of the character, or of whom Eastman sends, to hexes that matter later."""
        name = CHARACTERS[index]
        yield from self._walks(position, built, name, rest, sent=False)
        if name == EASTMAN:
            for other in like_state(position):
                yield from self._walks(position, built, other, rest, sent=True)
        if shut_in(position, name):
            yield built

    def _walks(
        self, position: Position, built: Position, name: str, rest: tuple[int, ...], *, sent: bool
    ) -> Iterator[Position]:
        index = INDEX[name]
        cells = {*ways(position, name, on_foot=sent), *ways(built, name, on_foot=sent)}.difference(built.hexes)
        wanted = self._wanted(index, rest)
        goal = self.final[index]
        # The hex where the character was seen comes first, then those that Tumblety can do something with, so that the
        # plainest sequence is found first.
        for cell in sorted(cells, key=lambda cell: (cell != goal, cell not in self.stood, cell)):
            if wanted is None or cell in wanted:
                yield _met(position, stand(built, name, cell), self.after, index)

    def _wanted(self, index: int, rest: tuple[int, ...]) -> set[str | None] | None:
        """Hexes worth walking to, None for all: later plays can only bring the walker on from some."""
        if index in rest or (_TUMBLETY in rest and len(rest) > 1):
            return None  # Tumblety may put somebody else there who is still to play, and walks on from anywhere
        goal = self.final[index]
        wanted: set[str | None] = {goal}
        if _TUMBLETY in rest:
            wanted |= self.stood
        if _EASTMAN in rest:
            wanted |= {cell for cell in self.net.ground if self._near(cell, goal)}
        return wanted
