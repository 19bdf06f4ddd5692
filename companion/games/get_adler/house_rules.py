"""Points that the rule book leaves open, as named switches. A point with one choice is a ruling (:mod:`.rulings`)."""

from collections.abc import Mapping
from typing import Final

from companion.games.game import HouseRule
from companion.games.get_adler.rulings import RULINGS, point

CHOICES: Final = (
    # The confrontation, as players asked about it.
    point(
        "gunfight",
        "alternate villain-last sealed",
        "How a shoot-out goes (by turns until both stop, by turns until the villain stops, or all guns at once).",
        "They shoot at each other until it is decided, and the hero must be able to shoot more.",
    ),
    point(
        "same-vehicle",
        "free once",
        "Whether a villain may take the same vehicle twice in one confrontation.",
        "Several escapes are allowed, and no limit of kind is named.",
    ),
    point(
        "who-matches",
        "any-hero pursuer-only",
        "Who may match an escape.",
        "It need not be the one who played the arrest.",
    ),
    point("reveal-all", "all villains-only", "Whose roles are turned up by a right arrest.", "All role cards are turned."),
    # Turns and hours.
    point(
        "early-arrest",
        "discard forbidden",
        "Whether an arrest may be discarded in the hours 1 to 3.",
        "The ban stands with its action, and a hand of arrests would be stuck.",
    ),
    point(
        "lost-turn",
        "own-next next-round",
        "Which turn is lost: one's next own one, or the one of the next hour.",
        "The rule book has one word for round and turn.",
    ),
    point("lost-turns", "add merge", "Whether two losses cost two turns.", "Each event costs a turn."),
    # Accusing.
    point(
        "villain-arrest",
        "bluff discard-only",
        "Whether a hidden villain may play an arrest as an action.",
        "Nobody can see that the accuser is a villain.",
    ),
    point(
        "villain-accuses-villain",
        "reveal-only confront",
        "What follows when one villain accuses the other: roles up and no more, or a confrontation.",
        "The accused must own up, but only heroes arrest.",
    ),
    point(
        "accuse-either",
        "accused both",
        "Whom a right arrest confronts: the accused alone, or after him the other villain too.",
        "It counts for both, which can be read as both at once.",
    ),
    point("villains-know", "no wink", "Whether villains are told each other before the game.", "Roles are secret."),
    # Confrontation.
    point(
        "must-respond",
        "must may",
        "Whether a villain who can respond must.",
        "He must; it can be checked only when his hand lies open.",
    ),
    point("fellow-helps", "no yes", "Whether the other villain may respond too.", "He must respond."),
    point(
        "refill",
        "before-discard after-discard",
        "Whether used cards go under the pile after or before the refill.",
        "The order of the sentences; it matters when the deck runs out.",
    ),
    point("loot", "blind choose", "How one refills from a dead hand.", "To draw is what one does from a deck."),
    point(
        "dead-hand",
        "face-up removed",
        "What becomes of the rest of a dead or arrested hand: face up under the pile, or out of the game.",
        "It keeps cards in play and shows whether he could have responded.",
    ),
    # Five and six players, advanced, expert.
    point("collins-pass", "once every-draw", "How often Collins may pass a card in one turn.", "After drawing."),
    point(
        "sharpe-zero",
        "needs-gun always",
        "Whether Sharpe's additional shot counts without a gun.",
        "The total is one more, but who does not shoot is no fast shot.",
    ),
    point(
        "abilities-hidden",
        "any-time only-after",
        "Whether an ability may be used before the reveal.",
        "No time is named.",
    ),
    point(
        "expert-secret",
        "shown drawer-only",
        "Who sees the document that was drawn before the game.",
        "Villains must know what to hold.",
    ),
    # For a companion.
    point(
        "memory",
        "agreed players",
        "Played cards and answers are shown to players only when all agreed at the start.",
        "Listening carefully is part of the game.",
    ),
)
HOUSE_RULES: Final = (*CHOICES, *RULINGS)
BY_NAME: Final[Mapping[str, HouseRule]] = {rule.name: rule for rule in HOUSE_RULES}

TABLE_RULES: Final = (
    point("players", "4 5 6", "How many play.", "The cards are for four, five or six."),
    point("abilities", "no yes", "Whether the hero roles have their abilities (advanced).", "An option of the rule book."),
    point("mission", "no yes", "Whether a document of one service is needed (expert).", "An option of the rule book."),
    point(
        "draws",
        "assumed told",
        "Whether every draw is told, so that a card played without one is noticed.",
        "A deck of backs looks the same with one card less.",
    ),
)
"""What a refereed table has to know beside the points that are open: they are part of a position, not of its rules."""
