"""The opened path told night by night; in a report with what everybody could have worked out beside it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.games.letters_from_whitechapel import keeping
from companion.games.letters_from_whitechapel.deducing import Deduction
from companion.games.letters_from_whitechapel.names import COACH, SPACES
from companion.games.letters_from_whitechapel.progress import Progress
from companion.games.letters_from_whitechapel.sheet import HIDEOUT, Leg
from companion.games.letters_from_whitechapel.table import Table
from companion.games.letters_from_whitechapel.telling import LABELS, STORY, several
from companion.games.seats import Chapter, Held, Line, Way

Nights = tuple[tuple[tuple[object, ...], ...], ...]


_FEW = 15
"""As many circles are named one by one; of more only their number is told."""


def ways(state: Progress, opened: Held) -> tuple[Way, ...]:
    """Jack's way of each night, as everybody may see it once it was opened; none where his row was not opened as a whole."""
    return tuple(night.way() for night in _nights(state, opened))


def chapters(state: Progress, opened: Held, deduced: Callable[[Nights], Deduction]) -> tuple[Chapter, ...]:
    """One chapter a night, with ``deduced``: what public events left possible."""
    return tuple(_chapter(state, night, deduced) for night in _nights(state, opened))


@dataclass(frozen=True, slots=True)
class _Night:
    """``start``: the circles Jack fled from, the last of them the true one; ``legs`` with the circles written for each."""

    number: int
    start: tuple[int, ...]
    legs: tuple[tuple[Leg, tuple[int, ...]], ...]
    hideout: str | None

    @property
    def sheet(self) -> tuple[int, ...]:
        return (*self.start, *(circle for _, circles in self.legs for circle in circles))

    def way(self) -> Way:
        told = (
            Line(STORY["driven" if leg.kind == COACH else "walked"], _step(count, leg, to))
            for count, (leg, to) in enumerate(self.legs, start=1)
        )
        return Way(Line(STORY["way"], {"n": self.number}), _spots(self.sheet), self.marked, (self.first, *told, *self.last))

    @property
    def first(self) -> Line:
        return Line(STORY["starts"], {"circles": several(self.start)})

    @property
    def last(self) -> tuple[Line, ...]:
        return () if self.hideout is None else (Line(STORY["hideout"], {"circle": self.hideout}),)

    @property
    def marked(self) -> tuple[str, ...]:
        return () if self.hideout is None else (self.hideout,)


def _nights(state: Progress, opened: Held) -> Iterator[_Night]:
    row = keeping.row_told(state, opened)
    if len(row) != state.rows or not all(value.isdecimal() for value in row):
        return
    for number in range(1, len(state.nights) + 1):
        legs = [leg for leg in state.legs if leg.books.night == number and leg.kind in SPACES]
        ends = state.nights_from[number] if number < len(state.nights_from) else state.rows
        sheet = keeping.row_of(state, row, number, ends)
        at = len(sheet) - sum(SPACES[leg.kind] for leg in legs)
        start, steps = sheet[:at], []
        for leg in legs:
            steps.append((leg, sheet[at : at + SPACES[leg.kind]]))
            at += SPACES[leg.kind]
        yield _Night(number, start, tuple(steps), opened.one(HIDEOUT))


def _chapter(state: Progress, night: _Night, deduced: Callable[[Nights], Deduction]) -> Chapter:
    earlier, events = state.nights[: night.number - 1], state.nights[night.number - 1]
    moves = [place for place, event in enumerate(events) if event[0] in SPACES]
    lines = [night.first]
    for count, (leg, to) in enumerate(night.legs, start=1):
        found = deduced((*earlier, events[: moves[count] if count < len(moves) else len(events)]))
        few = len(found.places) <= _FEW
        key = ("by coach" if leg.kind == COACH else "goes") + (" named" if few else "")
        could = {"places": several(found.places)} if few else {"count": len(found.places)}
        lines.append(Line(STORY[key], {**_step(count, leg, to), **could}))
    lines += [Line(STORY["left"], {"count": len(deduced((*earlier, events)).hideouts)}), *night.last]
    before = night.legs[-1][0].books if night.legs else state.books
    heading = Line(STORY["night"], {"n": night.number})
    return Chapter(heading, Table.of(before).to_json(), _spots(night.sheet), night.marked, tuple(lines))


def _step(count: int, leg: Leg, to: tuple[int, ...]) -> dict[str, object]:
    return {"n": count, "how": LABELS[leg.kind], "circles": several(to)}


def _spots(circles: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(str, circles))
