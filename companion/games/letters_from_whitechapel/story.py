"""The opened path told night by night, with what everybody could have worked out beside it."""

from collections.abc import Callable

from companion.games.letters_from_whitechapel import keeping
from companion.games.letters_from_whitechapel.deducing import Deduction
from companion.games.letters_from_whitechapel.names import COACH, SPACES
from companion.games.letters_from_whitechapel.progress import Progress
from companion.games.letters_from_whitechapel.sheet import HIDEOUT
from companion.games.letters_from_whitechapel.table import Table
from companion.games.letters_from_whitechapel.telling import LABELS, STORY, several
from companion.games.seats import Chapter, Held, Line

Nights = tuple[tuple[tuple[object, ...], ...], ...]


_FEW = 15
"""As many circles are named one by one; of more only their number is told."""


def chapters(state: Progress, opened: Held, deduced: Callable[[Nights], Deduction]) -> tuple[Chapter, ...]:
    """One chapter a night; none where Jack's row was not opened as a whole. ``deduced``: what public events leave possible."""
    row = keeping.row_told(state, opened)
    if len(row) != state.rows or not state.nights or not all(value.isdecimal() for value in row):
        return ()
    return tuple(_night(state, opened, row, number, deduced) for number in range(1, len(state.nights) + 1))


def _night(state: Progress, opened: Held, row: tuple[str, ...], number: int, deduced: Callable[[Nights], Deduction]) -> Chapter:
    legs = [leg for leg in state.legs if leg.books.night == number and leg.kind in SPACES]
    ends = state.nights_from[number] if number < len(state.nights_from) else state.rows
    sheet = keeping.row_of(state, row, number, ends)
    lair = opened.one(HIDEOUT)
    lines = [Line(STORY["starts"], {"circles": several(sheet[: len(sheet) - sum(SPACES[leg.kind] for leg in legs)])})]
    events, at = state.nights[number - 1], len(sheet) - sum(SPACES[leg.kind] for leg in legs)
    moves = [place for place, event in enumerate(events) if event[0] in SPACES]
    for count, leg in enumerate(legs):
        to, at = sheet[at : at + SPACES[leg.kind]], at + SPACES[leg.kind]
        until = moves[count + 1] if count + 1 < len(moves) else len(events)
        found = deduced((*state.nights[: number - 1], events[:until]))
        few = len(found.places) <= _FEW
        key = ("by coach" if leg.kind == COACH else "goes") + (" named" if few else "")
        could = {"places": several(found.places)} if few else {"count": len(found.places)}
        lines.append(Line(STORY[key], {"n": count + 1, "how": LABELS[leg.kind], "circles": several(to), **could}))
    left = deduced(state.nights[:number])
    lines.append(Line(STORY["left"], {"count": len(left.hideouts)}))
    if lair is not None:
        lines.append(Line(STORY["hideout"], {"circle": lair}))
    before = legs[-1].books if legs else state.books
    way, marked = tuple(map(str, sheet)), () if lair is None else (lair,)
    return Chapter(Line(STORY["night"], {"n": number}), Table.of(before).to_json(), way, marked, tuple(lines))
