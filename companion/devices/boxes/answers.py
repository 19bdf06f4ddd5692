"""What a press says to the table: an answer, a command for the page, or nothing, with the reason. Pure.

The program joins a box to a table by ``hear(press, asking=…)`` and hands ``answer`` to ``Table.answer``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.devices.boxes.box import ANSWERS, Button, Press
from companion.devices.boxes.labels import PLAIN, Labels


def numbered(places: tuple[str, ...]) -> tuple[str, ...]:
    """The spots that answers are about, each once, in the order of their numbers (from 1)."""
    return tuple(dict.fromkeys(place for place in places if place))


TABLE = "table"
"""The role of a box that lies where all can reach it. Any other role is the seat whose box it is, "" everybody's."""

NUMBERS = (Button.ANSWER_A, Button.ANSWER_B, Button.CLOCK_A, Button.CLOCK_B)
"""Buttons 1 to 4 while a question is open whose answers are about spots of the board."""

# Without a box: keys of the page (KeyboardEvent.code), numeric pads included, that do the same jobs.
KEYS: Mapping[str, Button] = {
    "Numpad1": Button.ANSWER_A,
    "Digit1": Button.ANSWER_A,
    "Numpad3": Button.ANSWER_B,
    "Digit3": Button.ANSWER_B,
    "Numpad7": Button.CLOCK_A,
    "Digit7": Button.CLOCK_A,
    "Numpad9": Button.CLOCK_B,
    "Digit9": Button.CLOCK_B,
    "Numpad5": Button.AGAIN,
    "Digit5": Button.AGAIN,
    "Numpad0": Button.ARBITER,
    "Digit0": Button.ARBITER,
}


@dataclass(frozen=True, slots=True)
class Asking:
    """The open question: the seat it is asked of, its answers in order, and when it was asked (same clock as ``Press.at``).

    ``places``: the spot of the board that each answer is about ("": none); empty where none is about one. Then four buttons are
    numbers: the first press says what is done (a kind of answers, numbered as they are listed), the second where (spots
    numbered as they are first named; a number that no spot has goes back to the first). ``step``: the kind that the first press
    said, "" before it.
    """

    seat: str
    answers: tuple[Mapping[str, Any], ...]
    at: float
    places: tuple[str, ...] = ()
    step: str = ""


@dataclass(frozen=True, slots=True)
class PressMeaning:
    """What a press comes to: exactly one of the four is set."""

    answer: Mapping[str, Any] | None = None  # for Table.answer
    command: str | None = None  # for the page: again, arbiter, clock-a, clock-b
    step: str | None = None  # the kind of answers that a first press chose; "": chosen anew
    refused: str | None = None  # why it means nothing now; never says which answer button it was


def interpret(press: Press, *, asking: Asking | None = None, labels: Labels = PLAIN) -> PressMeaning:
    """The meaning of a press.

    ``asking``: the open question, None when none is. An answer counts only if it was pressed after the question was asked: what
    waited in a box from before must not answer a question it never heard.
    """
    if asking is not None and any(asking.places) and press.button in NUMBERS and press.role != TABLE and not press.held:
        return _numbered(press, asking)
    if press.button in ANSWERS:
        return _answer(press, asking, labels)
    if press.button is Button.AGAIN and press.held:
        return PressMeaning(answer={"kind": "undo"})
    if press.held:
        return PressMeaning(refused="holding this button means nothing more than pressing it")
    if press.role not in ("", TABLE) and press.button in (Button.CLOCK_A, Button.CLOCK_B):
        return PressMeaning(refused="this box is a player's; the clocks are on the table's")
    return PressMeaning(command=str(press.button))


def _numbered(press: Press, asking: Asking) -> PressMeaning:
    """What the number of a button means to a question whose answers are about spots of the board."""
    refused = _not_asked(press, asking)
    if refused is not None:
        return PressMeaning(refused=refused)
    number, kinds = NUMBERS.index(press.button), tuple(dict.fromkeys(str(one["kind"]) for one in asking.answers))
    spots = numbered(asking.places)
    if not asking.step:
        if number >= len(kinds):
            return PressMeaning(refused="this button means nothing now; the page shows which do")
        found = [one for one in asking.answers if one["kind"] == kinds[number]]
        return PressMeaning(answer=found[0]) if len(found) == 1 else PressMeaning(step=kinds[number])
    if number >= len(spots):
        return PressMeaning(step="")
    spot = spots[number]
    pairs = zip(asking.answers, asking.places, strict=False)
    answer = next((one for one, place in pairs if place == spot and one["kind"] == asking.step), None)
    if answer is None:
        return PressMeaning(refused="this button means nothing now; the page shows which do")
    return PressMeaning(answer=answer)


def _not_asked(press: Press, asking: Asking | None) -> str | None:
    """Why a press answers nothing now, whatever it would say; None where it may answer."""
    if press.role == TABLE:
        return "this box is the table's; questions are answered on a player's"
    if asking is None:
        return "nothing is asked now"
    reasons = (
        (press.role not in ("", asking.seat), "somebody else is asked now"),
        (press.at + press.error < asking.at, "pressed before the question was asked"),
        (press.together, "both answer buttons at once; press one again"),
    )
    return next((reason for holds, reason in reasons if holds), None)


def _answer(press: Press, asking: Asking | None, labels: Labels) -> PressMeaning:
    refused = _refused(press, asking)
    if asking is None or refused is not None:
        return PressMeaning(refused=refused)
    return PressMeaning(answer=asking.answers[labels.index(press.button)])


def _refused(press: Press, asking: Asking | None) -> str | None:
    """Why an answer button means nothing now; None where it answers."""
    if press.role != TABLE and asking is not None and press.role in ("", asking.seat) and len(asking.answers) != len(ANSWERS):
        return "this question has more answers than the box; answer it on the page"
    return _not_asked(press, asking)


def answer(press: Press, *, asking: Asking | None = None, labels: Labels = PLAIN) -> Mapping[str, Any] | None:
    """The answer for ``Table.answer``, or None when the press is none."""
    return interpret(press, asking=asking, labels=labels).answer
