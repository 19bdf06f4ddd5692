"""Points that the rule book leaves open, as named switches. A point with one choice is a ruling that is only named."""

from collections.abc import Mapping
from typing import Final

from companion.games.game import HouseRule


def _point(name: str, choices: str, text: str, because: str) -> HouseRule:
    """``choices``: separated by blanks, the default first."""
    named = tuple(choices.split())
    return HouseRule(name, named, named[0], text, because)


HOUSE_RULES: Final = (
    # The confrontation, as players asked about it.
    _point(
        "gunfight",
        "alternate villain-last sealed",
        "How a shoot-out goes: by turns, the side that did not shoot last is next, who stops behind loses and two stops at a "
        "tie end it; by turns, but a stop of the villain ends it; or both lay their guns at once.",
        "They shoot at each other until it is decided, and the hero must be able to shoot more.",
    ),
    _point(
        "same-vehicle",
        "free once",
        "Whether a villain may take the same vehicle twice in one confrontation.",
        "Several escapes are allowed, and no limit of kind is named.",
    ),
    _point("who-shoots", "pursuer", "Who shoots back: the hero who is now in the confrontation.", "The one hero in it."),
    _point(
        "who-matches",
        "any-hero pursuer-only",
        "Who may match an escape.",
        "It need not be the one who played the arrest.",
    ),
    _point("reveal-all", "all villains-only", "Whose roles are turned up by a right arrest.", "All role cards are turned."),
    _point("refill-swap", "no", "Nobody discards while refilling, hands are only drawn up to seven.", "Nothing else is named."),
    _point("refill-redraw", "no", "What was drawn in a refill is kept.", "Nothing else is named."),
    # Turns and hours.
    _point(
        "early-arrest",
        "discard forbidden",
        "Whether an arrest may be discarded in the hours 1 to 3.",
        "The ban stands with its action, and a hand of arrests would be stuck.",
    ),
    _point(
        "lost-turn",
        "own-next next-round",
        "Which turn is lost: one's next own one, or the one of the next hour.",
        "The rule book has one word for round and turn.",
    ),
    _point("lost-turns", "add merge", "Whether two losses cost two turns.", "Each event costs a turn."),
    _point(
        "start-player-out",
        "next-living",
        "Who lays the hour marker when the start player is out: the next living seat.",
        "The round is counted from the seat.",
    ),
    _point(
        "last-hour",
        "finish-round",
        "Hour 7 ends with its confrontation and its refill, then documents are shown.",
        "Refilling comes before the end.",
    ),
    _point("action-optional", "yes", "An action card may be discarded without its action.", "An action or a plain discard."),
    _point("again", "always", "After the reveal a question played is an extra draw and act.", "There is no reason to refuse."),
    _point("reshuffle", "when-empty", "The pile is shuffled when a draw finds the deck empty.", "It says: when it is used up."),
    # Accusing.
    _point(
        "villain-arrest",
        "bluff discard-only",
        "Whether a hidden villain may play an arrest as an action.",
        "Nobody can see that the accuser is a villain.",
    ),
    _point(
        "villain-accuses-villain",
        "reveal-only confront",
        "What follows when one villain accuses the other: roles up and no more, or a confrontation.",
        "The accused must own up, but only heroes arrest.",
    ),
    _point(
        "accuse-either",
        "accused both",
        "Whom a right arrest confronts: the accused alone, or after him the other villain too.",
        "It counts for both, which can be read as both at once.",
    ),
    _point("arrest-on-hero-late", "refused", "After the reveal nobody arrests a hero.", "Roles are public."),
    _point("villains-know", "no wink", "Whether villains are told each other before the game.", "Roles are secret."),
    _point("question-form", "one-colour", "A question is about one trait and one colour.", "A yes/no question."),
    # Confrontation.
    _point(
        "must-respond",
        "must may",
        "Whether a villain who can respond must.",
        "He must; it can be checked only when his hand lies open.",
    ),
    _point("match-free", "free", "Heroes may decline to match.", "The rule book sets no duty."),
    _point("match-priority", "first-laid", "Of two matches the first one laid counts.", "So it is said of odd escapes."),
    _point("fellow-helps", "no yes", "Whether the other villain may respond too.", "He must respond."),
    _point("guns-only", "yes", "Once there is shooting nothing else is a response.", "Until the shoot-out is decided."),
    _point(
        "who-refills",
        "participants",
        "The arresting hero, every hero who matched and the villain refill.",
        "Every player who took part.",
    ),
    _point(
        "refill",
        "before-discard after-discard",
        "Whether used cards go under the pile after or before the refill.",
        "The order of the sentences; it matters when the deck runs out.",
    ),
    _point("refill-order", "clockwise", "Refilling goes clockwise from the player of the arrest.", "The order of turns."),
    _point("loot", "blind choose", "How one refills from a dead hand.", "To draw is what one does from a deck."),
    _point(
        "dead-hand",
        "face-up removed",
        "What becomes of the rest of a dead or arrested hand: face up under the pile, or out of the game.",
        "It keeps cards in play and shows whether he could have responded.",
    ),
    _point("bomb-resume", "left-of-arrest", "After a bomb play goes on left of the player of the arrest.", "It says so."),
    # Five and six players, advanced, expert.
    _point("collins-pass", "once every-draw", "How often Collins may pass a card in one turn.", "After drawing."),
    _point("pass-back", "any-card", "Adler looks and passes any card back, also the same.", "No card is named."),
    _point("two-villains-end", "one-enough", "One living villain with a document is enough.", "Any villain."),
    _point(
        "sharpe-zero",
        "needs-gun always",
        "Whether Sharpe's additional shot counts without a gun.",
        "The total is one more, but who does not shoot is no fast shot.",
    ),
    _point("townsend-spent", "spent", "A disguise that Townsend sees through stays on the pile.", "It was played."),
    _point("tarasov-spent", "spent", "A bomb that Tarasov defuses stays on the pile.", "It was played."),
    _point("gold-takes", "one-or-two", "Gold takes one or two; by taking two he shows who he is.", "He can take two."),
    _point(
        "abilities-hidden",
        "any-time only-after",
        "Whether an ability may be used before the reveal.",
        "No time is named.",
    ),
    _point("five-advanced", "three-abilities", "With five players Tarasov stays out.", "He joins with six."),
    _point(
        "expert-secret",
        "shown drawer-only",
        "Who sees the document that was drawn before the game.",
        "Villains must know what to hold.",
    ),
    _point("expert-deal", "before-deal", "That document is drawn before hands are dealt.", "All are shuffled back."),
    # For a companion.
    _point("pile-look", "nobody", "Nobody looks through the pile.", "Memory is part of the game."),
    _point(
        "memory",
        "agreed players",
        "Played cards and answers are shown to players only when all agreed at the start.",
        "Listening carefully is part of the game.",
    ),
)
BY_NAME: Final[Mapping[str, HouseRule]] = {rule.name: rule for rule in HOUSE_RULES}

TABLE_RULES: Final = (
    _point("players", "4 5 6", "How many play.", "The cards are for four, five or six."),
    _point("abilities", "no yes", "Whether the hero roles have their abilities (advanced).", "An option of the rule book."),
    _point("mission", "no yes", "Whether a document of one service is needed (expert).", "An option of the rule book."),
    _point(
        "draws",
        "assumed told",
        "Whether every draw is told, so that a card played without one is noticed.",
        "A deck of backs looks the same with one card less.",
    ),
)
"""What a refereed table has to know beside the points that are open: they are part of a position, not of its rules."""
