"""What can be wrong with a table of the hall, each as one sentence to be translated. Pure."""

from collections.abc import Iterable

from companion.hub.model import MOST_TROUBLES, Trouble

CLOCK_S = 120.0
"""How far a table's clock may be off before it is said, 30 to 600 s: an event's date is a label, but people compare them."""


def gap(first: int, last: int, now: float) -> Trouble:
    """Events did not come that are before one that did."""
    if first == last:
        return Trouble("gap", "Event {number} has not arrived; the table is asked for it again.", {"number": str(first)}, now)
    words = {"first": str(first), "last": str(last)}
    return Trouble("gap", "Events {first} to {last} have not arrived; the table is asked for them again.", words, now)


def forged(number: int, now: float) -> Trouble:
    """An event's digest does not follow from the one before it."""
    text = "Event {number} does not follow from the one before it: it was changed on its way, or its record was."
    return Trouble("forged", text, {"number": str(number)}, now)


def conflict(number: int, now: float) -> Trouble:
    """Another event of the same number was committed before."""
    text = "Event {number} came a second time and says something else than before; what came first stays."
    return Trouble("conflict", text, {"number": str(number)}, now)


def cut_short(number: int, known: int, now: float) -> Trouble:
    """The table's record ends before what the hub has of it."""
    text = "The table's record ends at event {number}, and the hall has {known} of this game: an old copy is played on."
    return Trouble("conflict", text, {"number": str(number), "known": str(known)}, now)


def not_begun(match: str, now: float) -> Trouble:
    """The first event is no opening, or another match's."""
    text = "What the table sends as game {match} does not begin with the opening of that game."
    return Trouble("unreadable", text, {"match": match}, now)


def unreadable(why: str, now: float) -> Trouble:
    """A message that is none."""
    return Trouble("unreadable", "A message of this table cannot be read ({why}).", {"why": why[:300]}, now)


def other_table(other: str, now: float) -> Trouble:
    """The same match comes from two tables."""
    text = "It sends the game of table {table} as well: two tables play on from one record."
    return Trouble("foreign", text, {"table": other}, now)


def other_version(version: str, own: str, now: float) -> Trouble:
    """The companion at the table is of another version."""
    text = "This table runs version {version}, the hall {own}; update the older one before the next round."
    return Trouble("version", text, {"version": version, "own": own}, now)


def clock_off(seconds: float, now: float) -> Trouble:
    """The table's wall clock is far from the hub's."""
    span = _span(abs(seconds))
    if seconds > 0:
        return Trouble(
            "clock", "The clock of this table's computer is {span} ahead of the hall's; set it.", {"span": span}, now
        )
    return Trouble("clock", "The clock of this table's computer is {span} behind the hall's; set it.", {"span": span}, now)


def store(said: str, now: float) -> Trouble:
    """The database refuses."""
    text = "The hall cannot keep this table's events now ({why}); the table keeps them and sends them again."
    return Trouble("store", text, {"why": said}, now)


def with_(troubles: Iterable[Trouble], new: Trouble) -> tuple[Trouble, ...]:
    """The troubles with another one, which takes the place of an older one of its kind and keeps its beginning."""
    old = tuple(troubles)
    same = next((one for one in old if one.code == new.code), None)
    if same is not None and (same.text, same.params) == (new.text, new.params):
        return old
    return (*(one for one in old if one.code != new.code), new)[-MOST_TROUBLES:]


def without(troubles: tuple[Trouble, ...], *codes: str) -> tuple[Trouble, ...]:
    """The troubles but those of these kinds."""
    return tuple(one for one in troubles if one.code not in codes)


def _span(seconds: float) -> str:
    """A length of time in figures, ``2 d 3 h``, ``5 min``: the same in every language."""
    minutes = int(seconds // 60)
    days, hours = min(minutes // 1440, 99_999), minutes % 1440 // 60
    parts = [(days, "d"), (hours, "h")] if days else [(hours, "h"), (minutes % 60, "min")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 min"
