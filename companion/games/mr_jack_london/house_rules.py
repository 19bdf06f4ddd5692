"""Points on which the sources disagree or are silent, as named switches (numbers: docs on the rules of this game)."""

from collections.abc import Mapping

from companion.games.game import HouseRule
from companion.games.mr_jack.deduction import ACCUSE_INNOCENT

HOUSE_RULES = (
    HouseRule(
        "whistle-points",
        ("spend-all", "any", "none-needed"),
        "spend-all",
        "How many of the whistle's three points must be used.",
        "The ability is mandatory and gives three points to share; two other implementations demand all three. Where fewer "
        "can be used, as many as possible.",
    ),
    HouseRule(
        "whistle-accusation",
        ("never", "onto-suspect"),
        "never",
        "Whether the whistle may pull a character onto a suspect and so accuse.",
        "The French rules and the publisher's questions page rule it out; one translation of the first rules allows it.",
    ),
    ACCUSE_INNOCENT,
    HouseRule(
        "leaving-cost",
        ("one-step", "free"),
        "one-step",
        "What leaving the district costs beyond the gate hex.",
        "No rule book states a cost. The well-known escape of Stealthy in four steps fits one step, and others count so.",
    ),
    HouseRule(
        "lestrade-opens-and-leaves",
        ("yes", "no"),
        "yes",
        "Whether Lestrade may leave by the exit that he opened in the same play.",
        "He may use his ability before moving, and nothing says that the exit must have been open earlier.",
    ),
    HouseRule(
        "escape-in-turn-one",
        ("no", "yes"),
        "no",
        "Whether Jack may leave in the first turn.",
        "The witness card starts on the seen side; an older text did not say so.",
    ),
    HouseRule(
        "lantern-direction",
        ("free", "must-change"),
        "free",
        "Whether Watson's lantern must point elsewhere after he moved by his own play.",
        "Aiming is mandatory, but no source forbids aiming where it pointed before.",
    ),
)

Rules = Mapping[str, str]
