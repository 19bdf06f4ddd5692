"""What a seat does: one value with its JSON and its line of notation; both round-trip.

| act | keys beside ``seat`` | is |
| --- | --- | --- |
| ``draw`` | | the card that begins a turn |
| ``play`` | ``card``; ``target``; of a question ``trait``, ``colour`` | an action; a question after the reveal: again |
| ``discard`` | ``card`` | a plain discard |
| ``answer`` | ``answer`` yes/no; ``trait``, ``colour`` when the question was not written down | to a question |
| ``look`` | | the hand of the target was looked at |
| ``take`` | ``count`` (2: Gold's) | cards drawn blind |
| ``give`` | ``card``, or ``cards`` when two | given back face down |
| ``verdict`` | ``answer`` yes/no | the accused says whether he is a villain |
| ``reveal`` | | roles are turned up |
| ``pass``, ``return``, ``keep`` | ``card`` | Collins to Adler, back, or she keeps her cards |
| ``respond``, ``match`` | ``card`` | the villain's response; a hero's escape |
| ``unmatched``, ``arrested`` | | nobody matches (no seat); he has no response |
| ``shoot``, ``hold`` | | one more gun; a stop. Where guns are laid at once: ``shots`` with both numbers |
| ``refill`` | ``cards`` where they are chosen from a dead hand | up to seven cards |
| ``show`` | ``answer`` yes/no | the villain shows whether he holds a document |
| ``claim`` | ``answer`` yes/no | a hero still hidden turns up the role whose ability counts now; no seat: nobody |
| ``skip`` | | a turn that is lost is passed over |

``roles`` (of a reveal), ``opened`` (a hand left face up) and ``took`` (cards that chance brought) are what the table shows,
or the secret knows, once the act is done; nobody has to give them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import quote, unquote

from companion.bounded import json_kind
from companion.errors import BadInput, quoted
from companion.games.get_adler.names import KINDS, ROLES, TRAITS, UNKNOWN, kind_of

VERBS = (
    "draw", "play", "discard", "answer", "look", "take", "give", "verdict", "reveal", "pass", "return", "keep", "respond",
    "match", "unmatched", "arrested", "shoot", "hold", "refill", "show", "skip", "claim",
)  # fmt: skip
ANSWERS = ("yes", "no")
ALSO_TARGET = ("of", "to")
"""Other names of ``target`` that are understood: an answer on record says whose it is with ``of``."""
_NOBODY = "-"
_COUNTS = ("seat", "target", "count")
_LISTS = ("cards", "roles", "opened", "took")


@dataclass(frozen=True, slots=True)
class Act:
    """See the table of this module. Seats count from 0."""

    act: str
    seat: int | None = None
    card: str | None = None
    target: int | None = None
    trait: str | None = None
    colour: str | None = None
    answer: str | None = None
    count: int | None = None
    shots: tuple[int, int] | None = None
    cards: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    took: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for name in _NAMES:
            value = getattr(self, name)
            if value is not None and value != ():
                data[name] = list(value) if isinstance(value, tuple) else value
        return data

    def notation(self) -> str:
        """``play 2 card=question target=3 trait=hat colour=black``; ``-`` for no seat."""
        data = self.to_json()
        seat = data.pop("seat", _NOBODY)
        words = [f"{data.pop('act')} {seat}"]
        for name, value in data.items():
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            words.append(f"{name}={quote(text, safe=',')}")
        return " ".join(words)


_NAMES = tuple(each.name for each in fields(Act))


def parsed(line: str) -> Act:
    """An act from its notation. Raises BadInput."""
    verb, *words = line.split()
    data: dict[str, Any] = {"act": verb}
    if not words:
        raise BadInput(f"act {quoted(line)}: the seat is missing ({_NOBODY} for none)")
    if words[0] != _NOBODY:
        data["seat"] = _number(words[0])
    for word in words[1:]:
        name, _, text = word.partition("=")
        value: Any = unquote(text)
        if name in _LISTS or name == "shots":
            value = value.split(",")
        data[name] = [_number(item) for item in value] if name == "shots" else _number(value) if name in _COUNTS else value
    return read_act(data)


def _number(text: str) -> Any:
    return int(text) if text.isascii() and text.isdigit() else text


def read_act(data: Any, players: int = 6) -> Act:
    """An act from its JSON. Raises BadInput, naming all that is wrong."""
    if not isinstance(data, Mapping):
        raise BadInput(f"act: must be a JSON object, not {json_kind(data)}")
    verb = data.get("act")
    if verb not in VERBS:
        raise BadInput(f"act: {quoted(verb)} is not known; there are: {', '.join(VERBS)}")
    data = {"target" if name in ALSO_TARGET and "target" not in data else name: value for name, value in data.items()}
    faults = [f"{quoted(name)} is not part of an act; there are: {', '.join(_NAMES)}" for name in data if name not in _NAMES]
    given = {name: value for name, value in data.items() if name in _NAMES and value is not None}
    for name, value in given.items():
        faults += _faults(name, value, players)
    if faults:
        raise BadInput(f"act {verb}: {'; '.join(faults)}")
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list | tuple) else value for name, value in given.items()}
    return Act(**values)


def _faults(name: str, value: Any, players: int) -> list[str]:
    """What is wrong with one key."""
    return [f"{name} {quoted(value)} {problem}"] if (problem := _problem(name, value, players)) else []


def _problem(name: str, value: Any, players: int) -> str:
    """Why a key cannot have this value; empty when it can."""
    most = {"seat": players - 1, "target": players - 1, "count": 2}
    words: dict[str, tuple[str, ...]] = {"answer": ANSWERS, "trait": TRAITS, "roles": ROLES}
    items = value if isinstance(value, list | tuple) else None
    if name in most:
        fits, wanted = _is_count(value) and value <= most[name], f"is not a number from 0 to {most[name]}"
    elif name == "shots":
        fits = items is not None and len(items) == 2 and all(map(_is_count, items))
        wanted = "are not two numbers, the villain's and the hero's"
    elif name in _LISTS:
        fits = items is not None and all(item in words["roles"] if name == "roles" else is_card(item) for item in items)
        wanted = f"is not a list of {'roles' if name == 'roles' else 'cards'}"
    elif name in words:
        fits, wanted = isinstance(value, str) and value in words[name], f"is not one of {', '.join(words[name])}"
    elif name == "card":
        fits, wanted = is_card(value), f"is not one of {', '.join(KINDS)}"
    else:
        fits, wanted = isinstance(value, str) and bool(value.strip()), "is not a word"
    return "" if fits else wanted


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_card(value: Any) -> bool:
    """Whether a word names a card: one of the kinds, an expert document of some service, or an unknown one."""
    if not isinstance(value, str):
        return False
    kind = kind_of(value)
    return value == UNKNOWN or (kind in KINDS and (kind == value or bool(value.removeprefix(f"{kind}-").strip())))
