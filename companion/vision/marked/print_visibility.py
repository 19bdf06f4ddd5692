"""Whether a place shows its own print: then no tile lies on it, however bright the glare is.

It is compared with what it looked like when it was taught (``patch_alignment.py``), with a lamp's reflection over it left out.
Nothing here knows how a board or a tile is printed.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from companion.vision.marked.background import BackgroundModel
from companion.vision.marked.patch_alignment import AlignmentSettings, Floats, alignment, fine_structure, patches
from companion.vision.marked.rectify import grid_mm, steps_mm
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.reading import Sighting

_DARK, _GRAIN = 8.0, 0.02
"""Grey levels added to brightness, and shares of it to what is printed, so that noise in the dark is no drawing."""
_EDGE, _EDGE_SPREAD = 0.1, 1.645
"""0.08..0.12: share of a place that an edge may take up, be it as sharp as can be; and how far from the mean, in standard
deviations, so much of plain grain lies. The smallest sticker that is ever read takes up 0.16 of it."""


@dataclass(frozen=True, slots=True)
class PrintSettings:
    """Tunables of whether the print shows; how the place is laid over the taught one is :class:`AlignmentSettings`.

    print_mm, print_match, print_grey
        The print within 10..14 mm of the middle, which any tile would hide, shows itself by a correlation of 0.75..0.9, and by
        a standard deviation of 2..6 grey levels.
    print_share
        0.7..0.95 of it must not be burnt out.
    border_mm, border_share
        10..13 and 20..24 mm: what surrounds a place; 0.4..0.7 of it must be in sight and not burnt out.
    drawn, more_drawn
        0.05..0.12 of the brightness, and 1.1..1.5 times what the print has there: fine structure beyond which something else
        shows than faint print.
    plain
        0.02..0.04 of the brightness: print with less is none, and there ``more_drawn`` alone counts, with half the grain. Under
        a reflection (8824) stickers of five discs showed 0.057 to 0.075; of 13,656 bare places 99 % had 0.03 and less.
    own_match, faint_match
        0.6..0.8 and 0.5..0.6: correlation with the print below which what shows is another thing, the latter where the print is
        faint: six looks at a pale marker under that reflection had 0.41 at most.
    glared_share
        0.4..0.7 of a place must not be burnt out for what is drawn there to tell.
    """

    print_mm: float = 13.0
    print_match: float = 0.8
    print_grey: float = 3.0
    print_share: float = 0.8
    border_mm: tuple[float, float] = (12.0, 22.0)
    border_share: float = 0.5
    drawn: float = 0.08
    more_drawn: float = 1.1
    plain: float = 0.03
    own_match: float = 0.75
    faint_match: float = 0.55
    glared_share: float = 0.5


def print_shows(
    registered: RegisteredImage, spot: str, bare: BackgroundModel, settings: PrintSettings, laying: AlignmentSettings
) -> bool:
    """Whether the middle of a place shows the print that was taught there, whatever shines on it."""
    return _matches(registered, spot, (), bare, (0.0, settings.print_mm), settings.print_share, settings, laying)


def surroundings_show(
    registered: RegisteredImage,
    spot: str,
    pieces: Iterable[Sighting],
    bare: BackgroundModel,
    settings: PrintSettings,
    laying: AlignmentSettings,
) -> bool:
    """Whether the print around a place, its outline say, shows as it was taught, beside the pieces there: then nothing broad
    lies over the place, whatever light fell on it then or falls on it now."""
    return _matches(registered, spot, pieces, bare, settings.border_mm, settings.border_share, settings, laying)


def _matches(
    registered: RegisteredImage,
    spot: str,
    pieces: Iterable[Sighting],
    bare: BackgroundModel,
    ring_mm: tuple[float, float],
    share: float,
    settings: PrintSettings,
    laying: AlignmentSettings,
) -> bool:
    """Whether a ring about a place shows the print that was taught there, beside some pieces: a ``share`` of it is neither
    below them nor burnt out, and that is drawn and is like it."""
    inner, outer = ring_mm
    if registered.registration.error_mm > laying.error_mm or not bare.shows(registered.board.mm(spot), outer):
        return False
    half = outer + laying.shift_mm
    now, before, known = patches(registered, spot, bare, half, laying)
    steps = steps_mm(half, laying.scale)
    distance, (x, y) = np.hypot(steps, steps[:, None]), registered.board.mm(spot)
    around = known & (distance >= inner) & (distance <= outer)
    beside = ~registered.hidden_by(pieces, steps + x, steps + y, laying.clear_mm)
    clear = around & beside & (_middling(now) < laying.burnt)
    if clear.sum() < share * around.sum() or fine_structure(now, clear, laying)[clear].std() < settings.print_grey:
        return False
    return alignment(now, before, clear, laying)[0] >= settings.print_match


def looks_bare(
    registered: RegisteredImage,
    spot: str,
    bare: BackgroundModel,
    radius_mm: float,
    settings: PrintSettings,
    laying: AlignmentSettings,
) -> bool:
    """Whether nothing with a sticker on it lies within a radius of a place: one too small, blurred or dark to be read still
    shows more than plain print does, and nothing like what is drawn there."""
    if not bare.shows(registered.board.mm(spot), radius_mm):
        return False
    half = radius_mm + laying.shift_mm
    now, before, known = patches(registered, spot, bare, half, laying)
    around = grid_mm(half, laying.scale)
    inside = known & (np.hypot(around[..., 0], around[..., 1]) <= radius_mm)
    clear = inside & (_middling(now) < laying.burnt)
    seen = clear.sum() / max(int(inside.sum()), 1)
    if seen < settings.glared_share:
        return False
    shown = [fine_structure(one, clear, laying)[clear] / (one[clear].mean() + _DARK) for one in (now, before)]
    drawn, printed = (float(one.std()) for one in shown)
    plain = printed < settings.plain
    least, grain = (0.0, _GRAIN / 2) if plain else (settings.drawn, _GRAIN)
    faint = max(least, settings.more_drawn * (printed + grain))
    if plain and drawn > faint:  # the edge of a neighbour's shadow that reaches in is no drawing: what is drawn takes up more
        drawn = float(np.quantile(np.abs(shown[0]), 1 - _EDGE)) / _EDGE_SPREAD
    if printed < settings.drawn and drawn <= faint:
        # A sticker may be as pale under a reflection, but hardly like the print; and what is burnt out shows neither.
        own = plain or alignment(now, before, clear, laying)[0] >= settings.faint_match
        return bool(own and seen >= settings.print_share)
    return alignment(now, before, clear, laying)[0] >= settings.own_match


# --- steps ----------------------------------------------------------------------------------------------------------


def _middling(colours: Floats) -> Floats:
    """The middle one of the three colours' values (H×W): in a lamp's warm light red burns out long before a drawing does."""
    one, two, three = colours[..., 0], colours[..., 1], colours[..., 2]
    return np.asarray(np.maximum(np.minimum(one, two), np.minimum(np.maximum(one, two), three)), np.float32)
