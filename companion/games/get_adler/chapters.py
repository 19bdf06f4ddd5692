"""What the report of a finished game tells of what was secret: who everybody was, which answers were true, who might lie."""

from collections.abc import Iterator

from companion.games.get_adler.mat import role_name, seat_name
from companion.games.get_adler.names import VILLAINS
from companion.games.get_adler.progress import Progress, truth
from companion.games.get_adler.state import Answered
from companion.games.get_adler.telling import REPORT, TRAIT_NAMES
from companion.games.seats import Chapter, Line


def chapters(state: Progress) -> tuple[Chapter, ...]:
    """Roles as they were opened, and every answer; nothing of a seat that did not open its role."""
    here = state.mat.to_json()
    found = [Chapter(Line(REPORT["roles"]), here, lines=tuple(_roles(state)))] if state.opened else []
    answers = tuple(_answer(state, said) for said in state.books.answers)
    return (*found, Chapter(Line(REPORT["answers"]), here, lines=answers)) if answers else tuple(found)


def _roles(state: Progress) -> Iterator[Line]:
    for number, seat in enumerate(state.seats):
        role = state.opened.get(seat)
        if role is not None:
            words = {"who": seat_name(state.books.players, number), "role": role_name(role)}
            yield Line(REPORT["villain" if role in VILLAINS else "hero"], words)


def _answer(state: Progress, said: Answered) -> Line:
    role = state.opened.get(state.seats[said.of])
    true = None if role is None else truth(state, role, said.trait, said.colour)
    key = "open" if true is None else "true" if true == said.answer else "allowed" if role in VILLAINS else "false"
    words = {
        "hour": said.hour, "by": seat_name(state.books.players, said.by), "who": seat_name(state.books.players, said.of),
        "trait": TRAIT_NAMES.get(said.trait or "", ""), "colour": said.colour or "", "answer": said.answer,
    }  # fmt: skip
    return Line(REPORT[key], {name: word for name, word in words.items() if f"{{{name}}}" in REPORT[key]})
