"""The start picture compared with the start position: which pieces are not where they should lie, and what else lies there."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.boards import PAIR, Board, PieceSet
from companion.errors import BadInput
from companion.vision.frame import Image
from companion.vision.plain.prepared_image import PreparedImage, ReferenceImage
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.start import LaidPiece
from companion.vision.plain.start_change import StartChange
from companion.vision.plain.surface import View
from companion.vision.plain.tracking import Tracker

BARE = 0.3
"""0.2..0.5: share by which a place must differ from the bare board, so that something lies there."""


def prepare_start(view: View, start: Image, board: Board, settings: PlainSettings, white: float = 1.0) -> PreparedImage:
    """The start picture (H×W×3, of the empty one's shape) prepared against the empty one; ``white``: see ``Teaching``.

    Raises BadInput when it does not show the board.
    """
    factor = view.image.shape[1] / start.shape[1]
    image = (
        start
        if factor == 1
        else np.asarray(cv2.resize(start, (view.image.shape[1], view.image.shape[0]), interpolation=cv2.INTER_AREA), np.uint8)
    )
    tracker = Tracker(view, board, settings.track, settings.surface)
    pose = tracker.follow(image, view.registration.lens, view.registration)
    if pose is None:
        raise BadInput("the start picture does not show the board of the empty picture")
    reference = ReferenceImage(view, board, settings.surface, white)
    return PreparedImage(reference, View(image, pose))


def looks_bare(prepared: PreparedImage, place: LaidPiece) -> bool:
    """Whether a place looks bare where a piece should lie."""
    return float(prepared.patches([place.mm], min(place.size_mm) * 0.7, place.height_mm).change.mean()) < BARE


@dataclass(frozen=True)
class StartCheck:
    """How a start picture differs from the start position: pieces not seen at their place, places where something else lies."""

    missing: tuple[str, ...]
    missing_places: tuple[str, ...]
    unexpected: tuple[str, ...]

    def sentences(self) -> tuple[str, ...]:
        """One plain sentence per difference."""
        gone = tuple(
            f"{piece} is not at {place}: it is missing in the start picture, or was there already in the empty one"
            for piece, place in zip(self.missing, self.missing_places, strict=True)
        )
        if not self.unexpected:
            return gone
        places = ", ".join(self.unexpected)  # together: a sleeve lies over many of them
        return (*gone, f"something lies at {places} in one of the two pictures, and nothing may lie there in either")


def check_start(
    prepared: PreparedImage,
    change: StartChange,
    board: Board,
    pieces: PieceSet,
    put: Sequence[LaidPiece],
    height_mm: float,
) -> StartCheck:
    """Compare a start picture with the start position, place by place, by what changed against the empty board.

    ``height_mm`` is how high the pieces stand: what lies where nothing should is looked at up there as well. What another
    light alone explains by ``change`` is no thing.
    """
    missing = [place for place in put if looks_bare(prepared, place)]
    used = {cell for place in put for cell in place.place.split(PAIR)}
    free = [cell for group in pieces.groups.values() for cell in sorted(board.of_kind(*group.on)) if cell not in used]
    free += [place.id for place in board.places.values() if place.id not in used]
    free = list(dict.fromkeys(free))
    centres = [board.mm(spot) for spot in free]
    unexpected = []
    if centres:
        # A shadow darkens without changing colours; a piece covers the whole middle.
        middle = prepared.patches(centres, 14.0, 2.0).change.mean(axis=(1, 2))
        whole = prepared.patches(centres, 26.0, height_mm).change.mean(axis=(1, 2))
        pose = prepared.reference.view.registration
        unexpected = [
            spot
            for spot, a, b in zip(free, middle, whole, strict=True)
            if min(a, b) > 0.75 and change.covers(pose, board.mm(spot), 2.0, 14.0)
        ]
    return StartCheck(tuple(p.piece for p in missing), tuple(p.place for p in missing), tuple(unexpected))
