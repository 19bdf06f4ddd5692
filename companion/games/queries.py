"""Questions to the rules about positions written as JSON: what the commands ``moves``, ``explain``, ``answer`` and ``deduce``
pass on to the game that a value is about.

A game's module ``queries`` exports ``QUERIES``. House rules, seats and secrets come within the value, so that one JSON object
is a whole question.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """``data`` is printed as JSON; ``lines`` are the same in words, for a reader without ``--json``. ``yes`` False is exit
    status 1: an illegal change, a play that cannot be made, nothing to choose from."""

    data: Json
    yes: bool = True
    lines: tuple[str, ...] = ()


Query = Callable[[Any], Reply]
"""From one decoded JSON value (of ``explain``: ``[before, after]``) to its reply. Raises BadInput or InvalidPosition."""


@dataclass(frozen=True, slots=True)
class Queries:
    """What one game can be asked: ``commands`` by name of the command. ``recognises`` tells whether a value is about it."""

    recognises: Callable[[Any], bool]
    commands: Mapping[str, Query]
