"""What a press says to the table: an answer, a wish for the page, or nothing, with the reason. Pure.

The program joins a box to a table by ``hear(press, asked_at=…)`` and hands ``answer`` to ``Table.answer``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.devices.box import ANSWERS, Button, Press
from companion.devices.box_labels import PLAIN, Labels

JACK, TABLE = "jack", "table"
ROLES = (JACK, TABLE, "")

# Without a box: keys of the page (KeyboardEvent.code), numeric pads included, that do the same jobs.
KEYS: Mapping[str, Button] = {
    "Numpad1": Button.SEEN,
    "Digit1": Button.SEEN,
    "Numpad3": Button.UNSEEN,
    "Digit3": Button.UNSEEN,
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
class Heard:
    """What a press comes to: exactly one of the three is set."""

    answer: Mapping[str, Any] | None = None  # for Table.answer
    wish: str | None = None  # for the page: again, arbiter, clock-a, clock-b
    refused: str | None = None  # why it means nothing now; never says which answer button it was


def hear(press: Press, *, asked_at: float | None = None, labels: Labels = PLAIN) -> Heard:
    """The meaning of a press.

    ``asked_at``: when the open call was asked (same clock as ``Press.at``), None when none is open. An answer counts only
    if it was pressed after that: what waited in a box from before must not answer a question it never heard.
    """
    if press.button in ANSWERS:
        return _answer(press, asked_at, labels)
    if press.button is Button.AGAIN and press.held:
        return Heard(answer={"kind": "undo"})
    if press.held:
        return Heard(refused="holding this button means nothing more than pressing it")
    if press.role == JACK and press.button in (Button.CLOCK_A, Button.CLOCK_B):
        return Heard(refused="this box is Jack's; the clocks are on the table's")
    return Heard(wish=str(press.button))


def _answer(press: Press, asked_at: float | None, labels: Labels) -> Heard:
    if press.role == TABLE:
        return Heard(refused="this box is the table's; calls are answered on Jack's")
    if asked_at is None:
        return Heard(refused="no call is asked now")
    if press.at + press.error < asked_at:
        return Heard(refused="pressed before the call was asked")
    if press.together:
        return Heard(refused="both answer buttons at once; press one again")
    return Heard(answer={"kind": "call", "seen": labels.means_seen(press.button)})


def answer(press: Press, *, asked_at: float | None = None, labels: Labels = PLAIN) -> Mapping[str, Any] | None:
    """The answer for ``Table.answer``, or None when the press is none."""
    return hear(press, asked_at=asked_at, labels=labels).answer
