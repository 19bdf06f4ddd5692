"""Small pieces may stand side by side on one site of a graph: where a lost one may stand beside one that was found.

Everything within a shadow's reach of a found piece is left out where a picture is compared with the bare board; a second small
piece lies wholly within that. So it is compared anew there, with no more left out than the piece itself.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import cos, pi, sin

import numpy as np

from companion.boards import Group, Point
from companion.boards.surface import GRAPH
from companion.vision.marked.background import EDGE_MM, BackgroundModel, BackgroundSettings, foreground_of
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.reading import Sighting, named_by_piece

_AROUND = 8
"""Directions in which something is looked for beside a piece."""


def beside_found(
    registered: RegisteredImage,
    bare: BackgroundModel | None,
    group: Group,
    sightings: Iterable[Sighting],
    settings: BackgroundSettings,
) -> list[tuple[str, Point]]:
    """Where something that is no board stands close beside a piece of a group: the site of that piece, and the middle (board
    mm) of what may stand there. Empty where the bare board is not known, on hexes, and for pieces that are not named."""
    known = tuple(sightings)
    standing = [one for one in known if one.at_mm is not None and registered.pieces.group_of(one.piece) is group]
    if bare is None or registered.board.surface != GRAPH or not named_by_piece(group) or not standing:
        return []
    foreground = foreground_of(bare, registered, known, replace(settings, shadow_mm=EDGE_MM))
    size, turns = max(group.size_mm), [2 * pi * step / _AROUND for step in range(_AROUND)]
    around = [
        (one.place, (one.at_mm[0] + size * cos(turn), one.at_mm[1] + size * sin(turn)))
        for one in standing
        if one.at_mm is not None
        for turn in turns
    ]
    shares = foreground.shares(np.array([mm for _, mm in around]), size / 2)
    return [place for place, share in zip(around, shares, strict=True) if share > settings.hidden_share]
