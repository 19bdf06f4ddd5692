"""What a press says to the table: an answer, a command for the page, or nothing, with the reason. Pure.

The program joins a box to a table by ``hear(press, asking=…)`` and hands ``answer`` to ``Table.answer``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.devices.box import ANSWERS, Button, Press
from companion.devices.box_labels import PLAIN, Labels

TABLE = "table"
"""The role of a box that lies where all can reach it. Any other role is the seat whose box it is, "" everybody's."""

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
    """The open question: the seat it is asked of, its answers in order, and when it was asked (same clock as ``Press.at``)."""

    seat: str
    answers: tuple[Mapping[str, Any], ...]
    at: float


@dataclass(frozen=True, slots=True)
class PressMeaning:
    """What a press comes to: exactly one of the three is set."""

    answer: Mapping[str, Any] | None = None  # for Table.answer
    command: str | None = None  # for the page: again, arbiter, clock-a, clock-b
    refused: str | None = None  # why it means nothing now; never says which answer button it was


def interpret(press: Press, *, asking: Asking | None = None, labels: Labels = PLAIN) -> PressMeaning:
    """The meaning of a press.

    ``asking``: the open question, None when none is. An answer counts only if it was pressed after the question was asked: what
    waited in a box from before must not answer a question it never heard.
    """
    if press.button in ANSWERS:
        return _answer(press, asking, labels)
    if press.button is Button.AGAIN and press.held:
        return PressMeaning(answer={"kind": "undo"})
    if press.held:
        return PressMeaning(refused="holding this button means nothing more than pressing it")
    if press.role not in ("", TABLE) and press.button in (Button.CLOCK_A, Button.CLOCK_B):
        return PressMeaning(refused="this box is a player's; the clocks are on the table's")
    return PressMeaning(command=str(press.button))


def _answer(press: Press, asking: Asking | None, labels: Labels) -> PressMeaning:
    refused = _refused(press, asking)
    if asking is None or refused is not None:
        return PressMeaning(refused=refused)
    return PressMeaning(answer=asking.answers[labels.index(press.button)])


def _refused(press: Press, asking: Asking | None) -> str | None:
    """Why an answer button means nothing now; None where it answers."""
    if press.role == TABLE:
        return "this box is the table's; questions are answered on a player's"
    if asking is None:
        return "nothing is asked now"
    reasons = (
        (press.role not in ("", asking.seat), "somebody else is asked now"),
        (len(asking.answers) != len(ANSWERS), "this question has more answers than the box; answer it on the page"),
        (press.at + press.error < asking.at, "pressed before the question was asked"),
        (press.together, "both answer buttons at once; press one again"),
    )
    return next((reason for holds, reason in reasons if holds), None)


def answer(press: Press, *, asking: Asking | None = None, labels: Labels = PLAIN) -> Mapping[str, Any] | None:
    """The answer for ``Table.answer``, or None when the press is none."""
    return interpret(press, asking=asking, labels=labels).answer
