"""What every Mr.-Jack-like game shares: roles, turn order, cards, the witness call's arithmetic, how such a game ends.

Two sides, eight characters, one of them secretly Jack. Each turn four characters are played; then a witness call clears
every suspect whose state (seen or unseen) differs from Jack's. Odd turns deal four of eight cards, even turns use the
other four. Nothing here knows a board.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from companion.errors import BadInput, quoted
from companion.games.game import HouseRule, Outcome

DETECTIVE = "detective"
JACK = "jack"
ROLES = (DETECTIVE, JACK)

SUSPECT = "suspect"
INNOCENT = "innocent"
SIDES = (SUSPECT, INNOCENT)

SEEN = "seen"
UNSEEN = "unseen"
WITNESS_CARD = (SEEN, UNSEEN)

PICKS_A_TURN = 4
LAST_TURN = 8

ACCUSATION = "accusation"
ESCAPE = "escape"

_ODD = (DETECTIVE, JACK, JACK, DETECTIVE)
_EVEN = (JACK, DETECTIVE, DETECTIVE, JACK)

Cards = tuple[str, ...] | None


def movers(turn: int) -> tuple[str, ...]:
    """Who picks, in order, in this turn."""
    return _ODD if turn % 2 else _EVEN


def picks_made(available: Cards, played: Cards) -> int | None:
    """How many picks of this turn are over; None when the cards do not say."""
    if played is not None:
        return len(played)
    if available is not None:
        return PICKS_A_TURN - len(available)
    return None


def mover(turn: int, available: Cards, played: Cards) -> str | None:
    """Whose pick it is; None when the cards do not say or all picks are made."""
    made = picks_made(available, played)
    return movers(turn)[made] if made is not None and made < PICKS_A_TURN else None


def candidates(everyone: Sequence[str], available: Cards, played: Cards) -> tuple[str, ...]:
    """Characters that may be played next, as far as the cards are known, in the game's order."""
    if available is not None:
        return tuple(character for character in everyone if character in available)
    if played is None:
        return tuple(everyone)
    if len(played) >= PICKS_A_TURN:
        return ()
    return tuple(character for character in everyone if character not in played)


def card_laid(available: Cards, played: Cards, character: str) -> tuple[Cards, Cards]:
    """The cards after this character was played (unknown stays unknown)."""
    return (
        None if available is None else tuple(card for card in available if card != character),
        None if played is None else (*played, character),
    )


def cards_of_next_turn(everyone: Sequence[str], turn: int, available: Cards, played: Cards) -> tuple[Cards, Cards]:
    """Cards available and played when the turn after ``turn`` begins.

    After an odd turn the other four are turned up, if it is known which four were used. After an even turn all eight are
    shuffled, so nothing is known until somebody tells.
    """
    used = {*(available or ()), *(played or ())}
    if turn % 2 and len(used) == PICKS_A_TURN:
        return tuple(character for character in everyone if character not in used), ()
    return None, None


def card_faults(everyone: Collection[str], available: object, played: object) -> list[str]:
    """What cannot be about the cards given in a position (``None`` means not given)."""
    faults: list[str] = []
    known: list[str] = []
    for key, cards in (("available", available), ("played", played)):
        if cards is None:
            continue
        if not isinstance(cards, list | tuple):
            faults.append(f"{key}: must be a list of character names, not {quoted(cards)}")
            continue
        for card in cards:
            if not isinstance(card, str) or card not in everyone:
                faults.append(f"{key}: {quoted(card)} is not a character; there are: {', '.join(everyone)}")
            elif card in known:
                faults.append(f"{key}: the card of {card} is there twice")
            else:
                known.append(card)
    if not faults and len(known) > PICKS_A_TURN:
        faults.append(f"available and played: {len(known)} cards, but a turn has {PICKS_A_TURN}")
    return faults


def cleared(suspects: Iterable[str], seen: Collection[str], jack_is_seen: bool) -> tuple[str, ...]:
    """Suspects that a witness call clears: those whose state differs from Jack's."""
    return tuple(character for character in suspects if (character in seen) != jack_is_seen)


def may_leave(position: Any, index: int, role: str | None, *, first_turn: bool = False) -> bool:
    """Whether Jack's player may take the character of this index off the board now, exits and distance apart.

    ``first_turn``: leaving in turn 1 is allowed, whatever the card says.
    """
    if role == DETECTIVE or position.sides[index] != SUSPECT:
        return False
    return first_turn if position.turn == 1 else position.witness_card == UNSEEN


def why_not_leave(position: Any, index: int, role: str | None, *, first_turn: bool = False) -> str:
    """The fault code of a character that is gone and may not be."""
    if role == DETECTIVE:
        return "escape-not-jack"
    if position.sides[index] != SUSPECT:
        return "escape-cleared"
    if position.turn == 1 and not first_turn:
        return "escape-first-turn"
    return "escape-closed" if may_leave(position, index, role, first_turn=first_turn) else "escape-seen"


def accusable(position: Any, index: int, role: str | None, *, anybody: bool = False) -> tuple[int, ...]:
    """Indices of the characters that the one of this index may be moved onto; ``anybody``: the cleared as well."""
    if role == JACK:
        return ()
    return tuple(i for i, side in enumerate(position.sides) if i != index and (anybody or side == SUSPECT))


ACCUSE_INNOCENT = HouseRule(
    "accuse-innocent",
    ("no", "yes"),
    "no",
    "Whether a character already cleared may be accused.",
    "Nobody wants to; a disc set down on a cleared character is nearly always a slip of the hand.",
)


def escape_outcome(name: str, text: str) -> Outcome:
    """Jack got away; ``text`` says from where."""
    return Outcome(JACK, "escaped", text, {"character": name})


def accusation_outcome(name: str, right: bool) -> Outcome:
    """Somebody was accused."""
    if right:
        return Outcome(DETECTIVE, "caught", "{character} is Jack. The detective wins.", {"character": name})
    return Outcome(JACK, "wrong-accusation", "{character} is not Jack. Jack slips away and wins.", {"character": name})


def dawn_outcome() -> Outcome:
    """The last turn is over."""
    return Outcome(JACK, "dawn", "Turn {turn} is over and Jack was not caught. Jack wins.", {"turn": LAST_TURN})


def choices(house_rules: Sequence[HouseRule], given: Mapping[str, object] | None) -> dict[str, str]:
    """Every house rule's choice, defaults filled in. Raises BadInput for a name or choice that does not exist."""
    chosen = {rule.name: rule.default for rule in house_rules}
    allowed = {rule.name: rule.choices for rule in house_rules}
    for name, choice in (given or {}).items():
        if name not in allowed:
            raise BadInput(f"house rule {quoted(name)} is not known; there are: {', '.join(allowed)}")
        if choice not in allowed[name]:
            raise BadInput(f"house rule {name}: {quoted(choice)} is not a choice; there are: {', '.join(allowed[name])}")
        chosen[name] = str(choice)
    return chosen
