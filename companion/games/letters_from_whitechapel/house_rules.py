"""Points on which the sources disagree or are silent, as named switches. The first choice is the default."""

from collections.abc import Mapping

from companion.games.game import HouseRule


def _rule(name: str, choices: tuple[str, ...], text: str, because: str) -> HouseRule:
    return HouseRule(name, choices, choices[0], text, because)


HOUSE_RULES = (
    _rule(
        "arrival",
        ("may", "must"),
        "Whether Jack, when a walk ends at his hideout, may announce it or must.",
        "One passage of the rules says that he announces it, another that he can.",
    ),
    _rule(
        "double-event",
        ("police-first", "jack-first"),
        "Who moves first after the two murders of the third night.",
        "Two implementations let the second murder take the first space of the track and the police move first; the rules that "
        "we have say that the rest goes as usual.",
    ),
    _rule(
        "edge-44",
        ("open", "closed"),
        "Whether a line joins circle 44 with crossing x073 past x059.",
        "The lines meet beside the crossing, not on it; four of seven drawn graphs have the line.",
    ),
    _rule(
        "hideout",
        ("not-red", "any", "not-next-to-red"),
        "Where the hideout may be.",
        "The rules do not say; other implementations rule out red circles. Next to red: one walk away on an empty board.",
    ),
    _rule(
        "shared-crossing",
        ("no", "yes"),
        "Whether two policemen may end on one crossing.",
        "The rules do not say; other implementations forbid it.",
    ),
    _rule(
        "search-scenes",
        ("earlier", "all", "none"),
        "Which crime scenes may be searched: those of earlier nights, all, none.",
        "At tonight's a clue is certain; Jack may have walked through earlier ones.",
    ),
    _rule(
        "search-found",
        ("no", "yes"),
        "Whether a circle where a clue lies may be searched again.",
        "It would be found again without telling anything.",
    ),
    _rule(
        "trapped",
        ("any-move", "walk"),
        "When Jack is trapped: without any move, or without a walk though a coach or an alley is left.",
        "The passage stands before the special moves are explained; other implementations count them.",
    ),
    _rule(
        "police-order",
        ("clockwise", "any"),
        "In which order policemen move and act: clockwise from the head of the investigation, or as they like.",
        "The rules say clockwise; many tables do without.",
    ),
)

MAP = _rule(
    "map",
    ("shown", "hidden"),
    "Whether everybody is shown where Jack and his hideout may be, by public events alone.",
    "A help that the rules do not know of: at home it saves paper, in a tournament it would play for the police.",
)
"""What the table settles and no position knows."""

DEFAULTS: Mapping[str, str] = {rule.name: rule.default for rule in HOUSE_RULES}
CHOICES: Mapping[str, tuple[str, ...]] = {rule.name: rule.choices for rule in HOUSE_RULES}
