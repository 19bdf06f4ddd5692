"""Would a tall piece show on a place that a neighbour leans over? Then its being nowhere in sight means that it is not there.

A pawn that is seen aslant hides the ground behind it, and a sticker that lay there. It does not hide another pawn of its height
that stands there: most of that rises beside it, over board that is in sight. Where that board looks bare no pawn stands.
"""

import cv2
import numpy as np

from companion.boards import Group
from companion.boards.surface import GRAPH
from companion.vision.marked.background import EDGE_MM
from companion.vision.marked.evidence import Evidence
from companion.vision.reading import Sighting, named_by_piece

_SLIVER_MM = 5
"""Narrower parts of what differs from the bare board do not count, so no narrower part of a piece can show."""
_LEAST_MM2 = 45.0
"""35..70 mm² of the piece that must be in sight: a third of a small pawn seen from above."""
_FOREIGN = 0.04
"""0.02..0.1 of what is in sight that may look otherwise than the bare board."""
_REACH_MM = 30
"""How far around a place a piece there can be seen: its size and what its height is seen aside."""


def would_show(spot: str, group: Group, evidence: Evidence) -> bool:
    """Whether a piece of a group of pawns that stood on a place would be seen beside those that are found, and none is. False
    where that cannot be told: the bare board was not shown, or too little of the piece would be in sight."""
    registered, found = evidence.registered, evidence.beside_pieces
    if found is None or group.shape != "pawn" or not named_by_piece(group) or registered.board.surface != GRAPH:
        return False
    rows, columns = found.mask.shape
    x, y = registered.board.mm(spot)
    left, top = max(0, round(x) - _REACH_MM), max(0, round(y) - _REACH_MM)
    here = (slice(top, min(rows, round(y) + _REACH_MM)), slice(left, min(columns, round(x) + _REACH_MM)))
    across, down = np.arange(columns)[here[1]] + 0.5, np.arange(rows)[here[0]] + 0.5
    standing = Sighting(registered.pieces.in_group(group.key)[0].id, spot, at_mm=(x, y))
    itself = registered.hidden_by([standing], across, down, -EDGE_MM)
    others = registered.hidden_by(evidence.found, across, down, EDGE_MM)
    free = (itself & ~others & found.compared[here]).astype(np.uint8)
    seen = cv2.morphologyEx(free, cv2.MORPH_OPEN, np.ones((_SLIVER_MM, _SLIVER_MM), np.uint8)) > 0
    return bool(seen.sum() >= _LEAST_MM2 and found.mask[here][seen].mean() <= _FOREIGN)
