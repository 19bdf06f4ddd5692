"""Pieces of the one-line notation that every game of this family shares: cards and discs.

An unknown pile of cards is ``?``. A disc is ``name:hex``, with ``>facing``
where it has a front, ``~`` when it is cleared and ``?`` when its side is unknown; ``-`` stands for off the board.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import quoted
from companion.games.mr_jack.deduction import INNOCENT, SUSPECT, Cards
from companion.games.notation import items, joined

_SIDE_MARKS: Mapping[str | None, str] = {SUSPECT: "", INNOCENT: "~", None: "?"}


def cards_text(available: Cards, played: Cards) -> str:
    """Both piles of cards as one field."""
    return "/".join("?" if cards is None else joined(cards) for cards in (available, played))


def cards_of(text: str) -> dict[str, list[str]]:
    """The piles that the field of cards tells, by their JSON keys. Raises ValueError when it has no such shape."""
    available, slash, played = text.partition("/")
    if not slash:
        raise ValueError(f"cards {quoted(text)} are not AVAILABLE/PLAYED")
    return {key: items(pile) for key, pile in (("available", available), ("played", played)) if pile != "?"}


def discs_text(
    names: Sequence[str],
    hexes: Sequence[str | None],
    sides: Sequence[str | None],
    facings: Mapping[str, str | None] | None = None,
) -> str:
    """All discs as one field."""
    told = []
    for name, spot, side in zip(names, hexes, sides, strict=True):
        facing = (facings or {}).get(name)
        told.append(f"{name}:{spot or '-'}{f'>{facing}' if facing else ''}{_SIDE_MARKS[side]}")
    return ",".join(told)


def discs_of(text: str) -> dict[str, dict[str, str | None]]:
    """The JSON of all discs from their field. Raises ValueError."""
    found: dict[str, dict[str, str | None]] = {}
    for item in items(text):
        name, entry = _disc(item)
        if name in found:
            raise ValueError(f"character {name} is there twice")
        found[name] = entry
    return found


def discs_json(
    names: Sequence[str],
    hexes: Sequence[str | None],
    sides: Sequence[str | None],
    facings: Mapping[str, str | None] | None = None,
) -> dict[str, dict[str, str | None]]:
    """All discs as JSON (an escaped or missing character has ``"hex": null``)."""
    told: dict[str, dict[str, str | None]] = {}
    for name, spot, side in zip(names, hexes, sides, strict=True):
        told[name] = {"hex": spot}
        if side is not None:
            told[name]["side"] = side
        if facings and facings.get(name) is not None:
            told[name]["facing"] = facings[name]
    return told


def cards_json(available: Cards, played: Cards) -> dict[str, Any]:
    """The piles of cards as JSON; an unknown one is left out."""
    return {key: list(cards) for key, cards in (("available", available), ("played", played)) if cards is not None}


def _disc(item: str) -> tuple[str, dict[str, str | None]]:
    name, colon, rest = item.partition(":")
    if not colon:
        raise ValueError(f"character {quoted(item)} is not NAME:HEX")
    entry: dict[str, str | None] = {"side": SUSPECT}
    if rest.endswith("~"):
        entry["side"], rest = INNOCENT, rest[:-1]
    elif rest.endswith("?"):
        rest = rest[:-1]
        del entry["side"]
    spot, arrow, facing = rest.partition(">")
    entry["hex"] = None if spot == "-" else spot
    if arrow:
        entry["facing"] = facing
    return name, entry
