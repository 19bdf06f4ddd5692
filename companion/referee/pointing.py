"""Answers that are pointed at: which places of the open question may be, and what a finger or a marker on one of them says.

Where several answers are about the place, which of them is meant is asked, never guessed. Where one is, a marker gives it at
once, as if somebody had tapped it: it is read as every other piece is. Where a finger touches is told less surely, and an
answer given cannot be unheard: so its place is said first, and answered where the finger then stays, or where somebody says so.
Until then the place is kept beside the match (:attr:`Match.pointed`).
"""

from collections.abc import Mapping
from typing import Any

from companion.games.expectations import Question
from companion.referee.comparison import TableComparison, surface
from companion.referee.match import Draft, Match

FINGER = "finger"
"""What points where no piece does."""
STAY = "{place}? Stay there for yes."


def places(match: Match) -> tuple[str, ...]:
    """The spots that may be pointed at now, each once; none where nobody is asked, or not so."""
    question = match.asked
    if question is None or question.pointing is None or match.adjourned or match.restoring:
        return ()
    return tuple(dict.fromkeys(place for place in question.places if place))


def by_finger(match: Match, place: str, stayed: bool) -> list[Draft]:
    """What a finger on a spot leads to. ``stayed``: it was told before, and the finger has stayed there since. Nothing where
    nobody asked about the spot, or not any more."""
    question = match.asked
    if question is None or place not in places(match):
        return []
    meant = answers_at(question, place)
    if stayed and narrowed(match) == place:
        return [*match.game.answer(match.state, match.context, meant[0])] if len(meant) == 1 else []
    return [_told(question, place, FINGER, question.pointing if len(meant) > 1 else STAY)]


def _told(question: Question, place: str, by: str, text: str | None) -> Draft:
    """That something points at a spot. ``text``: what is asked about it; None where it is answered in the next breath."""
    data: dict[str, Any] = {"question": question.id, "seat": question.seat, "place": place, "by": by}
    return Draft("pointed-at", data if text is None else {**data, "text": text, "params": {"place": place}})


def answers_at(question: Question, place: str) -> list[Mapping[str, Any]]:
    """The answers of a question that are about a spot."""
    return [one for one, where in zip(question.form, question.places, strict=False) if where == place]


def narrowed(match: Match) -> str:
    """The spot that was pointed at while the open question is not answered by that yet; empty where none was."""
    question, held = match.asked, match.pointed
    if question is None or held is None or held["question"] != question.id:
        return ""
    return str(held["place"]) if held["place"] in places(match) else ""


def by_marker(comparison: TableComparison, question: Question) -> list[Draft] | None:
    """What a marker says that was laid on a spot in question; None where nothing else than on record lies there, or something
    other than one such marker. It may lie where it points until the question is answered."""
    match = comparison.match
    if not question.markers and match.pointed is None:
        return None
    laid = _one_more(comparison)
    if laid is None:
        return None
    group, place = laid
    held = match.pointed or {}
    if (held.get("by"), held.get("place")) == (group, place):
        return []
    if comparison.blind or group not in question.markers or place not in places(match):
        return None
    meant = answers_at(question, place)
    if len(meant) > 1:
        return [_told(question, place, group, question.pointing)]
    return [_told(question, place, group, None), *match.game.answer(match.state, match.context, meant[0])]


def _one_more(comparison: TableComparison) -> tuple[str, str] | None:
    """The group and the spot of the one piece that lies there beyond what is on record, where nothing else differs."""
    game, match = comparison.game, comparison.match
    was, shown = surface(game, match.position), surface(game, comparison.after)
    differing = [key for key in shown if shown[key] != was.get(key)]
    if len(differing) != 1 or comparison.pieces.groups[differing[0]].layout != "places":
        return None
    key = differing[0]
    before, now = set(was.get(key) or ()), set(shown[key] or ())
    more = now - before
    return (key, str(more.pop())) if before < now and len(more) == 1 else None
