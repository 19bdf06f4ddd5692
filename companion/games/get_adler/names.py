"""The words of the game, who is on which side, and how many cards of each kind there are."""

from collections.abc import Mapping
from typing import Final

GAME: Final = "get-adler"
EDITION: Final = "first-2016"
HOURS: Final = 7
FULL_HAND: Final = 7
ARRESTS_FROM: Final = 4
"""The first hour in which an arrest is an action."""

ROLES: Final = ("adler", "gold", "sharpe", "townsend", "collins", "tarasov")
"""In the order in which they join: the first four always, Collins from five players on, Tarasov with six."""
VILLAINS: Final = ("adler", "collins")
TRAITS: Final = ("hat", "hair", "eyes", "coat")

UNKNOWN: Final = "unknown"
DOCUMENT: Final = "document"
QUESTION: Final = "question"
MAGNIFIER: Final = "magnifier"
BINOCULARS: Final = "binoculars"
ARREST: Final = "arrest"
BOMB: Final = "bomb"
DISGUISE: Final = "disguise"
GUN: Final = "gun"
VEHICLES: Final = ("escape-bus", "escape-bicycle", "escape-car", "escape-underground", "escape-fifth")
ACTIONS: Final = (QUESTION, MAGNIFIER, BINOCULARS, ARREST)
"""Cards that are an action of the own turn; every other card is only discarded there."""
RESPONSES: Final = (*VEHICLES, DISGUISE, BOMB, GUN)

_UNMARKED: Final = {
    DOCUMENT: 10,
    QUESTION: 8,
    MAGNIFIER: 8,
    BINOCULARS: 4,
    ARREST: 10,
    **dict.fromkeys(VEHICLES, 2),
    BOMB: 1,
    DISGUISE: 1,
    GUN: 12,
}
_MARKED_5: Final = {
    DOCUMENT: 2,
    QUESTION: 2,
    MAGNIFIER: 1,
    BINOCULARS: 1,
    ARREST: 2,
    "escape-bus": 1,
    "escape-bicycle": 1,
    BOMB: 1,
    GUN: 2,
}
_MARKED_6: Final = {
    DOCUMENT: 3,
    QUESTION: 2,
    MAGNIFIER: 1,
    BINOCULARS: 1,
    ARREST: 2,
    "escape-car": 1,
    "escape-underground": 1,
    GUN: 2,
}
_PACKS: Final = {4: (_UNMARKED,), 5: (_UNMARKED, _MARKED_5), 6: (_UNMARKED, _MARKED_5, _MARKED_6)}


def _counted(players: int) -> dict[str, int]:
    return {kind: sum(pack.get(kind, 0) for pack in _PACKS[players]) for kind in _UNMARKED}


COPIES: Final[Mapping[int, Mapping[str, int]]] = {players: _counted(players) for players in _PACKS}
"""By number of players: how many play cards of each kind. Documents count together, whatever their service."""
DECK: Final[Mapping[int, int]] = {players: sum(copies.values()) for players, copies in COPIES.items()}
"""By number of players: all play cards, 64, 77 or 90."""
KINDS: Final = tuple(_UNMARKED)


def roles_of(players: int) -> tuple[str, ...]:
    """The roles that are dealt to so many players."""
    return ROLES[:players]


def kind_of(card: str) -> str:
    """A card without the service that an expert document names."""
    return DOCUMENT if card.startswith(f"{DOCUMENT}-") else card


def same_card(one: str, other: str) -> bool:
    """Whether two names may be of one card: an unknown one is any, a plain document one of any service."""
    if one == other or UNKNOWN in (one, other):
        return True
    return DOCUMENT in (one, other) and kind_of(one) == kind_of(other)


def same_colour(one: str, other: str) -> bool:
    """Whether two words are one colour, however they are typed."""
    return one.strip().casefold() == other.strip().casefold()


def service_of(card: str) -> str | None:
    """The service of an expert document, else None."""
    return card.removeprefix(f"{DOCUMENT}-") if card.startswith(f"{DOCUMENT}-") else None
