"""The tree of errors a user can meet. Every one is a single line naming what was seen, where, and what is allowed.

CompanionError
├── BadInput            a file, argument, address or message that cannot be used (commands exit 2)
│   ├── Faults              a file or form with several faults, all listed
│   ├── InvalidBoard        a board file that contradicts itself
│   ├── InvalidPosition     a position with one or more faults, all listed
│   ├── InvalidRecord       a game record that cannot be read
│   └── StorageTrouble      the disk refuses; nothing that was told is wrong, and it may be tried again
├── IllegalPlay         a play the rules forbid in this position
└── DeviceError         a camera or box that is missing, busy or silent
"""

import json
from collections.abc import Sequence
from typing import Any

_QUOTED = 80


class CompanionError(Exception):
    """Base of every error meant for a person's eyes."""


class BadInput(CompanionError):
    """Input that cannot be used; the message names what and where."""


class Faults(BadInput):
    """A file or form with several faults, all told at once; ``faults`` are sentences, the message is their row."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


class InvalidBoard(BadInput):
    """A board file that contradicts itself; ``faults`` lists every contradiction."""

    def __init__(self, source: str, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(f"{source}: {'; '.join(self.faults)}")


class InvalidPosition(BadInput):
    """A position that cannot be on a table; ``faults`` lists all of them, not only the first."""

    def __init__(self, faults: Sequence[str], source: str = "position") -> None:
        self.faults = tuple(faults)
        self.source = source
        super().__init__(f"{source}: {'; '.join(self.faults)}")


class InvalidRecord(BadInput):
    """A game record that cannot be read or was altered."""


class StorageTrouble(BadInput):
    """The disk refuses. ``said`` is the sentence for players; the message names the file (``where``) as well, for the host."""

    def __init__(self, said: str, where: object = "") -> None:
        self.said = said
        super().__init__(f"{where}: {said}" if where else said)


class IllegalPlay(CompanionError):
    """A play the rules forbid in this position."""


class DeviceError(CompanionError):
    """A camera or button box that is missing, busy, silent or talking nonsense."""


def erred(error: Exception) -> str:
    """A fault of ours as one line for players: what it was, for a bug report, and that nothing is lost."""
    return f"the companion erred ({type(error).__name__}: {error}); the record is unharmed"


def quoted(value: Any, most: int = _QUOTED) -> str:
    """A value from outside as a sentence shows it: a text between quotation marks, all else as JSON writes it.

    At most ``most`` characters of it, then an ellipsis, however large the value is.
    """
    if isinstance(value, str):
        return repr(value) if len(value) <= most else f"{value[:most]!r}…"
    text = ""
    try:
        for part in json.JSONEncoder(ensure_ascii=False, default=repr).iterencode(value):
            text += part
            if len(text) > most:
                return f"{text[:most]}…"
    except (TypeError, ValueError):  # what no JSON can be: keys that are no texts, a list within itself
        return quoted(repr(value), most)
    return text


def stopped_by(error: Exception) -> str:
    """What stops the reading of values from outside, as a part of a sentence; what Python says of it names our own types."""
    if isinstance(error, KeyError) and error.args:
        return f"{quoted(error.args[0])} is missing"
    return next((words for kinds, words in _STOPS if isinstance(error, kinds)), str(error))


_STOPS: tuple[tuple[tuple[type[Exception], ...], str], ...] = (
    ((IndexError,), "a list is too short"),
    ((TypeError, AttributeError), "a value is of another kind than is read there"),
    ((OverflowError,), "a number is too large"),
    ((RecursionError,), "it is nested too deeply"),
)
