"""A picture without colour, as a camera's night mode gives it: nothing that rests on colour may be claimed of it.

Which side of a disc is up is told by paint against paper: in grey every first side looks like a second one.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.boards import PieceSet
from companion.vision.frame import Image
from companion.vision.reading import Reading, named_by_piece, subject

WHY = "the picture has no colour: is the camera's night mode on?"


@dataclass(frozen=True, slots=True)
class ColourSettings:
    """Tunables of the check.

    spread
        1..4 levels of chroma (root mean square about the mean, so that an infra-red lamp's tint is none) below which a picture
        has no colour: of 66 pictures that have some the dullest has 9.1.
    share
        0.1..0.4 of the taught picture's spread: a board printed in greys is not refused for ever.
    """

    spread: float = 2.0
    share: float = 0.25


def chroma_spread(image: Image) -> float:
    """How much the colours of a picture (H×W×3 BGR) differ, in levels of Cr and Cb (root mean square about their means)."""
    small = cv2.resize(image, (320, 180), interpolation=cv2.INTER_AREA)
    red, blue = cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb))[1:]
    return float(np.sqrt(np.var(red.astype(np.float64)) + np.var(blue.astype(np.float64))))


def is_colourless(image: Image, taught: Image, settings: ColourSettings) -> bool:
    """Whether a picture lacks the colours that the taught one of the same table has, or both have none."""
    spread, before = chroma_spread(image), chroma_spread(taught)
    return spread < settings.spread and (before < settings.spread or spread < settings.share * before)


def without_sides(reading: Reading, pieces: PieceSet) -> Reading:
    """The reading with everything taken back that has a side; where such a piece lies stays known."""
    sided = {one.piece: one.place for one in reading.sightings if one.face is not None or one.facing is not None}
    groups = {piece: pieces.group_of(piece) for piece in sided}
    names = {piece: subject(piece if named_by_piece(groups[piece]) else place, groups[piece]) for piece, place in sided.items()}
    return replace(
        reading,
        sightings=tuple(one for one in reading.sightings if one.piece not in sided),
        unknown=dict(reading.unknown) | dict.fromkeys(names.values(), WHY),
        problems=(*reading.problems, WHY),
        lying=dict(reading.lying) | {piece: place for piece, place in sided.items() if names[piece] == piece},
    )
