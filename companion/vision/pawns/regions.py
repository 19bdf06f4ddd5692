"""The parts of a view that are searched for a region: about each group of its sites, with all that may be taken for what lies
there."""

from collections.abc import Collection

from companion.vision.pawns.sites import RIVALS_MM, Sites
from companion.vision.pawns.view import BRIM_PX, Box

_JOINED = 0.3
"""The share of the smaller one of two parts that must lie in the other one for them to be searched as one."""


def clustered(sites: Sites, spots: Collection[str]) -> tuple[tuple[Box, frozenset[str]], ...]:
    """Parts of the view that hold some sites, each with these, and with the sites of their rivals about them."""
    room = round((RIVALS_MM + sites.settings.off_mm) * sites.grid.scale) + BRIM_PX
    parts: list[tuple[Box, frozenset[str]]] = []
    for spot in sorted(spots):  # in one order: which parts grow together must not hang on chance
        box, among = sites.box((spot,)), frozenset({spot})
        if box is None:
            continue
        box = box.grown(room, sites.grid.size)
        while near := next((part for part in parts if box.shared(part[0]) > _JOINED * min(box.area, part[0].area)), None):
            parts.remove(near)
            box, among = box.around(near[0]), among | near[1]
        parts.append((box, among))
    return tuple(parts)
