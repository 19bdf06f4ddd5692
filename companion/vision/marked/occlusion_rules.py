"""Decides from the visible surround of a piece whether a tile lies below it: present, absent, or undecided.

The verdict on one place is pure: it follows from a :class:`VisibleSurround` by a list of rules, read from top to bottom. The
first that holds decides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from companion.vision.marked.changed_area import ChangedArea
from companion.vision.marked.rim_comparison import Rim
from companion.vision.marked.settings import MarkedSettings
from companion.vision.marked.shade import Shade


@dataclass(frozen=True, slots=True)
class VisibleSurround:
    """What shows of a place around the piece on it; None is what could not be compared, or was not
    measured because no rule needed it.

    rim
        How the rim around the piece differs from the bare place's.
    in_place
        Whether the registration is good enough to see the rim where it is; otherwise nothing of it counts but its tint.
    shade
        How the taught print shows through, for tiles with two sides.
    changed_area
        What has changed where a tile would stick out, for tiles that look alike.
    before
        Whether a tile lay here in the reading before.
    """

    rim: Rim | None = None
    in_place: bool = False
    shade: Shade | None = None
    changed_area: ChangedArea | None = None
    before: bool = False


class TilePresence(NamedTuple):
    """Whether a tile lies there, None where that cannot be told, and the name of the rule that decided."""

    lies: bool | None
    rule: str


@dataclass(frozen=True, slots=True)
class PresenceRule:
    """One thing that decides whether a tile lies there, where it ``holds``."""

    name: str
    lies: bool
    holds: Callable[[VisibleSurround, MarkedSettings], bool]


NO_RULE = "nothing tells"


def tile_presence(around: VisibleSurround, two_sided: bool, settings: MarkedSettings) -> TilePresence:
    """What is said of one place by what shows around the piece on it, for tiles with ``two_sided`` prints or all alike."""
    for rule in TWO_SIDED if two_sided else ALIKE:
        if rule.holds(around, settings):
            return TilePresence(rule.lies, rule.name)
    return TilePresence(None, NO_RULE)


# --- what the rules ask -------------------------------------------------------------------------------------------


def _rim_says(around: VisibleSurround, settings: MarkedSettings) -> bool | None:
    return around.rim.lies_under(settings.sides.rim) if around.rim is not None and around.in_place else None


def rim_hardly_changed(around: VisibleSurround, settings: MarkedSettings) -> bool:
    """Whether the rim is bare and next to none of it has changed: then there is no shade to judge."""
    bare = _rim_says(around, settings) is False
    return bare and around.rim is not None and around.rim.changed <= settings.shade.slight


def _print_shows_through(around: VisibleSurround, settings: MarkedSettings) -> bool:
    return around.shade is not None and around.shade.print_survives(settings.shade)


def _rim_is_a_tiles(around: VisibleSurround, settings: MarkedSettings) -> bool:
    return _rim_says(around, settings) is True


def _rim_is_bare(around: VisibleSurround, settings: MarkedSettings) -> bool:
    gone = around.shade is not None and around.shade.print_may_be_gone(settings.shade)
    return _rim_says(around, settings) is False and not gone


def _sticks_out(around: VisibleSurround, settings: MarkedSettings) -> bool | None:
    """Whether a tile sticks out. A rim alone does not tell a tile from a disc's shadow: without the taught place to compare
    nothing is said."""
    if around.changed_area is None:
        return None
    rim = around.rim.lies_under(settings.rim) if around.rim is not None and around.in_place else None
    return around.changed_area.lies_under(settings.changed_area, rim)


def _tile_sticks_out(around: VisibleSurround, settings: MarkedSettings) -> bool:
    shadow = around.rim is not None and around.rim.only_darker(settings.rim)
    return _sticks_out(around, settings) is True and not shadow


def _nothing_sticks_out(around: VisibleSurround, settings: MarkedSettings) -> bool:
    return _sticks_out(around, settings) is False


def _lay_before(around: VisibleSurround, _: MarkedSettings) -> bool:
    """The tile that lay there before the piece came still does, unless it is seen to be gone."""
    return around.before


TWO_SIDED = (
    PresenceRule("the rim has hardly changed", False, rim_hardly_changed),
    PresenceRule("the print shows through", False, _print_shows_through),
    PresenceRule("the rim is a tile's", True, _rim_is_a_tiles),
    PresenceRule("the rim is bare", False, _rim_is_bare),
    PresenceRule("a tile lay there before", True, _lay_before),
)
"""For tiles whose sides differ. Nearly every piece stands where one may lie, so that light must not decide."""
ALIKE = (
    PresenceRule("a tile sticks out", True, _tile_sticks_out),
    PresenceRule("nothing sticks out", False, _nothing_sticks_out),
    PresenceRule("a tile lay there before", True, _lay_before),
)
"""For tiles that all look alike."""
