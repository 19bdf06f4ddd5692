"""What an entry of an event says, as values: plan, points, result. Everything that is wrong with one is told at once."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeGuard

from companion.errors import Faults
from companion.hub.event.model import (
    DRAW,
    LOSS,
    MARKS,
    MOST_ROUNDS,
    MOST_SEATS,
    NAME_LENGTH,
    TIE_BREAKS,
    WIN,
    Json,
    Plan,
    Points,
    Result,
)

MOST_POINTS = 990
"""Tenths of a point that one round is worth at most: what TRF's BBW line can write."""
REASON_LENGTH = 200
SOURCES = ("table", "hand", "import")
_RESULT_WORDS = {"code": 64, "by": 80, "match": 64, "head": 64, "signer": 64, "reason": REASON_LENGTH}


def plan_of(data: Json) -> Plan:
    """A plan from JSON. Raises :class:`Faults` with everything that is wrong with it."""
    faults: list[str] = []
    name = text_of(data, "name", 80, faults, least=1)
    game = text_of(data, "game", 64, faults, least=1)
    seats = data.get("seats")
    if not are_texts(seats) or not 2 <= len(seats) <= MOST_SEATS or len(set(seats)) != len(seats):
        faults.append(f"seats: 2 to {MOST_SEATS} different names are needed")
        seats = ("", "")
    rounds = whole_of(data, "rounds", 1, MOST_ROUNDS, faults)
    points = points_of(data.get("points", {}), faults)
    breaks = data.get("tie_breaks", TIE_BREAKS)
    if not are_texts(breaks) or len(set(breaks)) != len(breaks) or not set(breaks) <= set(TIE_BREAKS):
        faults.append(f"tie_breaks: each of {', '.join(TIE_BREAKS)} at most once")
        breaks = ()
    terms = data.get("terms", {})
    if not isinstance(terms, Mapping):
        faults.append("terms: an object is expected")
        terms = {}
    if faults:
        raise Faults(faults)
    return Plan(name, game, tuple(seats), rounds, points, tuple(breaks), MappingProxyType(dict(terms)))


def points_of(data: Any, faults: list[str]) -> Points:
    """What rounds are worth, from JSON; what is wrong is added to ``faults``."""
    if not isinstance(data, Mapping):
        faults.append("points: an object is expected")
        return Points()
    usual = Points()
    told = {key: data.get(key, getattr(usual, key)) for key in ("win", "draw", "loss", "bye")}
    for key, value in told.items():
        if not is_whole(value, 0, MOST_POINTS):
            faults.append(f"points for {key}: 0 to {MOST_POINTS / 10:g} in tenths are allowed")
            told[key] = 0
    if not told["win"] >= told["draw"] >= told["loss"]:
        faults.append("points: a win is worth no less than a draw, and a draw no less than a loss")
    codes: dict[str, tuple[int, int]] = {}
    given = data.get("codes", {})
    for code, pair in given.items() if isinstance(given, Mapping) else ():
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(is_whole(one, 0, MOST_POINTS) for one in pair):
            faults.append(f"points for the outcome {str(code)[:40]!r}: two numbers, the winner's and the loser's")
        else:
            codes[str(code)[:64]] = (pair[0], pair[1])
    return Points(told["win"], told["draw"], told["loss"], told["bye"], MappingProxyType(codes))


def result_of(data: Json, seats: int) -> Result:
    """A result as an entry tells it. Raises :class:`Faults`."""
    faults: list[str] = []
    marks: Any = data.get("marks")
    if not are_texts(marks) or len(marks) != seats or not set(marks) <= set(MARKS):
        faults.append(f"marks: one of {', '.join(MARKS)} for each of {seats} seats")
        marks = ()
    played = data.get("played", True)
    if not isinstance(played, bool):
        faults.append("played: true or false is expected")
    source = data.get("source", "hand")
    if source not in SOURCES:
        faults.append(f"source: one of {', '.join(SOURCES)}")
    if seats == 2 and marks and played and sorted(marks) not in (sorted((WIN, LOSS)), [DRAW, DRAW]):
        faults.append("marks: of two who played one wins and one loses, or both draw")
    if seats == 2 and marks and not played and DRAW in marks:
        faults.append("marks: a game that was not played is no draw")
    if seats == 2 and marks and not played and tuple(marks) == (WIN, WIN):
        faults.append("marks: only one of two can win")
    words = {key: text_of({key: "", **data}, key, most, faults) for key, most in _RESULT_WORDS.items()}
    if faults:
        raise Faults(faults)
    return Result(
        tuple(marks), played, words["code"], source, words["by"],
        match=words["match"], head=words["head"], signer=words["signer"], reason=words["reason"],
    )  # fmt: skip


def name_of(data: Json, faults: list[str]) -> str:
    """The name in an entry; what is wrong with it is added to ``faults``, as by the others here."""
    return text_of(data, "name", NAME_LENGTH, faults, least=1)


def text_of(data: Json, key: str, most: int, faults: list[str], least: int = 0) -> str:
    """A line of text of ``least`` to ``most`` letters."""
    value = data.get(key)
    if not isinstance(value, str) or not value.isprintable() or value != " ".join(value.split()):
        faults.append(f"{key}: a line of text is expected, without blanks around it")
        return ""
    if not least <= len(value) <= most:
        faults.append(f"{key}: {least} to {most} letters are allowed, not {len(value)}")
    return value


def are_texts(value: Any) -> TypeGuard[Sequence[str]]:
    """Whether it is a list of texts."""
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def whole_of(data: Json, key: str, least: int, most: int, faults: list[str]) -> int:
    """A whole number from ``least`` to ``most``; ``least`` where there is none."""
    value = data.get(key)
    if not is_whole(value, least, most):
        faults.append(f"{key}: a whole number from {least} to {most} is expected")
        return least
    return int(value)  # type: ignore[arg-type]  # it was looked at


def is_whole(value: Any, least: int, most: int) -> bool:
    """Whether it is a whole number from ``least`` to ``most``."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
