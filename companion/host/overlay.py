"""The live picture with what is believed about it drawn in: cell marks and piece labels. Drawing only, never detecting."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.boards import Board, Group, PieceSet
from companion.vision.frame import Image
from companion.vision.observation import Observation
from companion.vision.reading import Sighting

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class OverlaySettings:
    """How the overlay looks; colours are BGR. Sizes in pixels of the picture that is sent."""

    width: int = 1280  # sent pictures are shrunk to this: half of 1080p is enough for a page and a fifth of the bytes
    quality: int = 80  # JPEG quality, 1 to 100
    label_height: float = 0.5  # of OpenCV's font scale
    surely: Colour = (90, 200, 60)
    unsure: Colour = (0, 170, 255)
    marked: Colour = (60, 60, 235)
    hidden: Colour = (150, 150, 150)
    cell_scale: float = 0.94  # outlines leave a gap, so that neighbours can be told apart


DEFAULTS = OverlaySettings()


def jpeg(image: Image, settings: OverlaySettings = DEFAULTS) -> bytes:
    """A picture (H×W×3 BGR) as JPEG bytes."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, settings.quality])
    if not done:
        raise ValueError("the picture could not be encoded")
    return bytes(data.tobytes())


def shrink(image: Image, settings: OverlaySettings = DEFAULTS) -> tuple[Image, float]:
    """The picture at the width that is sent, and the factor by which it was scaled (never above 1)."""
    factor = min(1.0, settings.width / image.shape[1])
    if factor == 1.0:
        return image.copy(), 1.0
    size = (settings.width, round(image.shape[0] * factor))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def draw(
    image: Image,
    observation: Observation,
    board: Board,
    pieces: PieceSet,
    *,
    marks: Collection[str] = (),
    overridden: Mapping[str, Any] | None = None,
    settings: OverlaySettings = DEFAULTS,
) -> Image:
    """A copy of the picture at sending width with labels on every claimed piece and outlines on ``marks`` (cells).

    Pieces whose place was corrected by hand (``overridden`` subjects) are drawn as unsure.
    """
    small, factor = shrink(image, settings)
    if observation.registration is None:
        return small
    place = observation.registration.project
    outlined = board.cells.keys() | board.zones.keys()
    for cell in sorted(observation.occluded & outlined):
        _outline(small, place(board.outline_mm(cell, settings.cell_scale)) * factor, settings.hidden, 1)
    for cell in sorted(set(marks) & outlined):
        _outline(small, place(board.outline_mm(cell, settings.cell_scale)) * factor, settings.marked, 3)
    for sighting in observation.reading.sightings:
        group = pieces.group_of(sighting.piece)
        centre = place([sighting.at_mm or board.mm(sighting.place)], group.height_mm)[0] * factor
        told = overridden is not None and sighting.piece in overridden
        label = _name(sighting, pieces, group)
        _label(small, label, centre, settings.unsure if told or sighting.confidence < 0.9 else settings.surely, settings)
    return small


def _name(sighting: Sighting, pieces: PieceSet, group: Group) -> str:
    """A piece by its name and what is up, a tile by its side and place, pieces that all look alike by their place."""
    if group.layout in ("by-piece", "lone", "by-zone") and not sighting.among:
        words = [pieces.telling_word(sighting.piece), sighting.facing or "", (sighting.face or "")[:1]]
    else:
        words = [sighting.face or "", sighting.place]
    return " ".join(word for word in words if word)


def _outline(image: Image, points: Any, colour: Colour, thickness: int) -> None:
    cv2.polylines(image, [np.round(points).astype(np.int32).reshape(-1, 1, 2)], True, colour, thickness, cv2.LINE_AA)


def _label(image: Image, text: str, centre: Any, colour: Colour, settings: OverlaySettings) -> None:
    font, scale = cv2.FONT_HERSHEY_SIMPLEX, settings.label_height
    (width, height), _ = cv2.getTextSize(text, font, scale, 1)
    x, y = round(float(centre[0]) - width / 2), round(float(centre[1]) + height / 2)
    cv2.putText(image, text, (x, y), font, scale, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(image, text, (x, y), font, scale, colour, 1, cv2.LINE_AA)
