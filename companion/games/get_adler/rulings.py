"""Points that the rule book leaves open and that have one answer here: rulings that are only named."""

from typing import Final

from companion.games.game import HouseRule


def point(name: str, choices: str, text: str, because: str) -> HouseRule:
    """``choices``: separated by blanks, the default first."""
    named = tuple(choices.split())
    return HouseRule(name, named, named[0], text, because)


RULINGS: Final = (
    point("who-shoots", "pursuer", "Who shoots back: the hero who is now in the confrontation.", "The one hero in it."),
    point("refill-swap", "no", "Nobody discards while refilling, hands are only drawn up to seven.", "Nothing else is named."),
    point("refill-redraw", "no", "What was drawn in a refill is kept.", "Nothing else is named."),
    point(
        "start-player-out",
        "next-living",
        "Who lays the hour marker when the start player is out: the next living seat.",
        "The round is counted from the seat.",
    ),
    point(
        "last-hour",
        "finish-round",
        "Hour 7 ends with its confrontation and its refill, then documents are shown.",
        "Refilling comes before the end.",
    ),
    point("action-optional", "yes", "An action card may be discarded without its action.", "An action or a plain discard."),
    point("again", "always", "After the reveal a question played is an extra draw and act.", "There is no reason to refuse."),
    point("reshuffle", "when-empty", "The pile is shuffled when a draw finds the deck empty.", "It says: when it is used up."),
    point("arrest-on-hero-late", "refused", "After the reveal nobody arrests a hero.", "Roles are public."),
    point("question-form", "one-colour", "A question is about one trait and one colour.", "A yes/no question."),
    point("match-free", "free", "Heroes may decline to match.", "The rule book sets no duty."),
    point("match-priority", "first-laid", "Of two matches the first one laid counts.", "So it is said of odd escapes."),
    point("guns-only", "yes", "Once there is shooting nothing else is a response.", "Until the shoot-out is decided."),
    point(
        "who-refills",
        "participants",
        "The arresting hero, every hero who matched and the villain refill.",
        "Every player who took part.",
    ),
    point("refill-order", "clockwise", "Refilling goes clockwise from the player of the arrest.", "The order of turns."),
    point("bomb-resume", "left-of-arrest", "After a bomb play goes on left of the player of the arrest.", "It says so."),
    point("pass-back", "any-card", "Adler looks and passes any card back, also the same.", "No card is named."),
    point("two-villains-end", "one-enough", "One living villain with a document is enough.", "Any villain."),
    point("townsend-spent", "spent", "A disguise that Townsend sees through stays on the pile.", "It was played."),
    point("tarasov-spent", "spent", "A bomb that Tarasov defuses stays on the pile.", "It was played."),
    point("gold-takes", "one-or-two", "Gold takes one or two; by taking two he shows who he is.", "He can take two."),
    point("five-advanced", "three-abilities", "With five players Tarasov stays out.", "He joins with six."),
    point("expert-deal", "before-deal", "That document is drawn before hands are dealt.", "All are shuffled back."),
    point("pile-look", "nobody", "Nobody looks through the pile.", "Memory is part of the game."),
)
