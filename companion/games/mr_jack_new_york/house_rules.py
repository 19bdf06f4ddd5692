"""Points on which the rule book is silent or can be read two ways, as named switches."""

from companion.games.game import HouseRule
from companion.games.mr_jack.deduction import ACCUSE_INNOCENT

HOUSE_RULES = (
    ACCUSE_INNOCENT,
    HouseRule(
        "leaving-cost",
        ("one-step", "free"),
        "one-step",
        "What going aboard a steamboat or out by the land exit costs beyond the last street hex.",
        "The rule book states no cost; both are hexes on the board and are entered like any other.",
    ),
    HouseRule(
        "open-and-leave",
        ("yes", "no"),
        "yes",
        "Whether Jack may leave by a way that the ability used in the same play has opened: a boat, a barricade or a tile.",
        "The ability may be used before moving, and nothing says that the way must have been open earlier.",
    ),
    HouseRule(
        "swap-and-move",
        ("both", "either"),
        "both",
        "Whether Tumblety may move and swap two others in one play.",
        "His heading says or, his text says before or after the move; a review names Eastman as the only one who must choose.",
    ),
    HouseRule(
        "swap-himself",
        ("no", "yes"),
        "no",
        "Whether Tumblety may change places with his neighbour himself.",
        "The text names the neighbour and another character on the board; nothing says that he himself is meant.",
    ),
    HouseRule(
        "build-on-informant",
        ("no", "subway"),
        "no",
        "Whether a subway may be built on the informant's hex.",
        "Tiles go on empty hexes; he is no character, but his hex is not empty either.",
    ),
    HouseRule(
        "barricades-overlap",
        ("no", "yes"),
        "no",
        "Whether one barricade may lie on a hex of the other.",
        "A covered hex is not free; the rule book only lets a barricade overlap its own old place.",
    ),
    HouseRule(
        "shut-in",
        ("when-picked", "all-along"),
        "when-picked",
        "Whether somebody who could not move when picked may stay although the own ability opened a way.",
        "The rule book excuses whoever is shut in and still asks for the ability; it does not speak of a way opened by it.",
    ),
    HouseRule(
        "eastman-shut-in",
        ("may-stay", "must-send"),
        "may-stay",
        "Whether Eastman, when he cannot move himself, may stay without sending somebody in his own state.",
        "His ability is optional, and the rule book does not say that it must be used when he cannot walk.",
    ),
)
