"""Sentences that every game of this family says, and how a game says its own: English templates, keyed by code.

The templates are translation keys, so one that fits two games is written once, here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from companion.games.game import Chore, Fault

COMMON_FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "too-far": "{character} went {steps} steps, he may go {limit}: put him back on {origin} or within reach.",
        "too-far/she": "{character} went {steps} steps, she may go {limit}: put her back on {origin} or within reach.",
        "not-moved": "{character} was played but did not leave {origin}: move {character} 1 to {limit} steps.",
        "occupied/jack": "{character} stands on {to} with {other}, but only the detective may accuse: put {character} back on "
        "{origin} or on a free hex within reach.",
        "occupied/cleared": "{character} stands on {to} with {other}, who is already cleared and cannot be accused: put "
        "{character} back on {origin} or on a free hex within reach.",
        "occupied/far": "{character} stands on {to} with {other}, but cannot get there to accuse: put {character} back on "
        "{origin} or on a free hex within reach.",
        "occupied/crowd": "{character} stands on {to} with {other}, one hex holds one character: put {character} back on "
        "{origin} or on a free hex within reach.",
        "escape-not-jack": "{character} is gone from {origin}, but only Jack may leave and this is the detective's pick: put "
        "{character} back on {origin} or within reach.",
        "escape-first-turn": "{character} is gone from {origin}, but nobody may leave in the first turn: put {character} back "
        "on {origin} or within reach.",
        "escape-seen": "{character} is gone from {origin}, but Jack was seen at the last witness call and may not leave: put "
        "{character} back on {origin} or within reach.",
        "escape-cleared": "{character} is gone from {origin}, but is cleared and cannot be Jack: put {character} back on "
        "{origin} or within reach.",
        "escape-closed": "{character} is gone from {origin}, but reaches no open exit in {limit} steps: put {character} back "
        "on {origin} or within reach.",
        "vanished": "{character} is gone from {origin} and was not played: put {character} back on {origin}.",
        "other-moved": "{character} was moved from {origin} to {to} though {player} was played: put {character} back on "
        "{origin}.",
        "several-moved": "{character} was moved from {origin} to {to} as well, one character is played at a time: put "
        "{character} back on {origin}.",
        "begun": "This may be the beginning of a play of {character}: go on with it, or put back what was moved: {back}.",
        "begun/changing-places": "This may be a play of {character}: {other} still has to go to {to} then. Otherwise put back "
        "what was moved: {back}.",
        "side-turned": "{character} was turned over although there was no witness call: turn the disc back ({side}).",
        "turn-changed": "The turn marker went from {origin} to {to} in the middle of a turn: put it back on {origin}.",
        "witness-card-changed": "The witness card was turned without a call: turn it back to {origin}.",
        "not-in-cards": "{character} was played, but the cards left in this turn are: {cards}. Take the play back.",
        "no-picks-left": "{character} was played, but all four characters of this turn were played: take the play back.",
        "other-card": "{character} was moved, but the card laid is that of {other}: take the move back or lay the right card.",
    }
)

# What going on with the same play still heals: something not done yet, a piece that was lifted and not yet set down.
COMMON_PENDING = frozenset(
    (
        "not-moved", "ability-missing", "vanished", "begun",
        "escape-not-jack", "escape-first-turn", "escape-seen", "escape-cleared", "escape-closed",
    )
)  # fmt: skip

COMMON_CHORES: Mapping[str, str] = MappingProxyType(
    {
        "put-back": "Put {character} back from {place} to {to}.",
        "put-back/anew": "Move {character} from {place} to {to}.",
        "put-on-board": "Put {character} on {to}.",
        "take-off-board": "Take {character} off the board.",
        "turn-disc": "Turn {character} to the {side} side.",
        "turn-marker": "Move the turn marker to {turn}.",
    }
)


@dataclass(frozen=True)
class Sayings:
    """One game's sentences. ``names`` are the characters' names as they are spoken."""

    names: Mapping[str, str]
    faults: Mapping[str, str]
    chores: Mapping[str, str]
    pending: frozenset[str]

    def fault(
        self, code: str, character: str | None = None, *, cells: Sequence[str] = (), allowed: Sequence[str] = (), **params: Any
    ) -> Fault:
        """The fault of that code (``code/variant`` picks another sentence for the same code)."""
        if character is not None:
            params = {"character": self.names[character], **params}
        kind = code.partition("/")[0]
        return Fault(kind, character, self.faults[code], params, tuple(cells), tuple(allowed), kind in self.pending)

    def chore(self, code: str, subject: str, *, place: str | None = None, to: str | None = None, **params: Any) -> Chore:
        """The chore of that code (``code/variant`` as for faults; ``code/anew`` goes with it as its other sentence)."""
        words = {**params, **({"place": place} if place is not None else {}), **({"to": to} if to is not None else {})}
        return Chore(code.partition("/")[0], subject, self.chores[code], words, place, to, self.chores.get(f"{code}/anew"))
