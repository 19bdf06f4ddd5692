"""What a table file may say: numbers that a table can have, and stickers that tell every piece from every other.

A sticker that stands for two pieces, or for one that the game does not have, would be read with certainty and wrongly.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from companion.boards import FrameMarker, Group, PieceSet, Sticker
from companion.errors import quoted
from companion.vision.camera import Lens
from companion.vision.marked.markers import dictionary

Span = tuple[float, float]


@dataclass(frozen=True)
class Spans:
    """From where to where numbers of a table are possible; generous, for only nonsense is to be kept out.

    board_mm
        each side of the printed board.
    beside_mm
        a frame marker's middle, measured from the board's corner.
    height_mm
        a frame marker's height over the board; the table lies below it.
    side_mm, quiet_mm, tolerance_mm
        a sticker's black square, the white around it, how exactly the frame markers were laid.
    pixels
        each side of a picture.
    """

    board_mm: Span = (50.0, 5000.0)
    beside_mm: Span = (-5000.0, 10_000.0)
    height_mm: Span = (-100.0, 100.0)
    side_mm: Span = (1.0, 200.0)
    quiet_mm: Span = (0.0, 50.0)
    tolerance_mm: Span = (0.0, 50.0)
    pixels: Span = (16, 30_000)


SPANS = Spans()
DISTORTIONS = (4, 5, 8, 12, 14)
"""How many coefficients OpenCV's lens models have."""


def within(name: str, values: Iterable[float], span: Span) -> None:
    """Raises ValueError naming what is outside ``span`` (or is no number)."""
    for value in values:
        if not span[0] <= value <= span[1]:
            raise ValueError(f"{name} is {value}, from {span[0]:g} to {span[1]:g} is possible")


def check_lens(lens: Lens) -> None:
    """Raises ValueError for a lens that pictures nothing."""
    within("image_size", lens.size, SPANS.pixels)
    if lens.matrix.shape != (3, 3) or not np.isfinite(lens.matrix).all() or not np.isfinite(lens.distortion).all():
        raise ValueError("the lens has a number that is none")
    focal = lens.matrix[0, 0], lens.matrix[1, 1]
    within("the lens's focal length in pixels", focal, (1.0, 100.0 * max(lens.size)))
    if lens.distortion.size not in DISTORTIONS:
        raise ValueError(f"the lens has {lens.distortion.size} distortions; {', '.join(map(str, DISTORTIONS))} are known")


def check_pieces(pieces: PieceSet) -> None:
    """Raises ValueError for stickers of sizes or with meanings that no table has, BadInput for an unknown dictionary."""
    known = len(dictionary(pieces.dictionary).bytesList)
    within("a marker's number", pieces.marker_ids, (0, known - 1))
    for group in pieces.groups.values():
        _check_group(group)
    for frame in pieces.frame_markers.values():
        _check_frame(frame)
    within("frame_tolerance_mm", [pieces.frame_tolerance_mm], SPANS.tolerance_mm)
    for sticker in pieces.stickers.values():
        piece = pieces.pieces.get(sticker.piece) if isinstance(sticker.piece, str) else None
        if piece is None:
            raise ValueError(f"marker {sticker.marker} stands for {quoted(sticker.piece)}, which this game does not have")
        if sticker.face is not None and sticker.face not in piece.faces:
            raise ValueError(
                f"marker {sticker.marker} stands for {piece.id} with a side {quoted(sticker.face)}, which it does not have"
            )
    for marker in pieces.stickers.keys() & pieces.frame_markers.keys():
        raise ValueError(f"marker {marker} stands for {pieces.stickers[marker].piece} and for a corner of the frame")


def apart(stickers: Iterable[Sticker]) -> dict[int, Sticker]:
    """Stickers by their markers. Raises ValueError for a marker that stands for two pieces or sides."""
    found: dict[int, Sticker] = {}
    for sticker in stickers:
        if sticker.marker in found:
            raise ValueError(f"marker {sticker.marker} stands for {found[sticker.marker].piece} and for {sticker.piece}")
        found[sticker.marker] = sticker
    return found


def _check_group(group: Group) -> None:
    within(f"the side_mm of {group.key}", [group.marker_mm], SPANS.side_mm)
    within(f"the quiet_mm of {group.key}", [group.quiet_mm], SPANS.quiet_mm)


def _check_frame(frame: FrameMarker) -> None:
    within(f"the centre_mm of frame marker {frame.marker}", frame.centre_mm, SPANS.beside_mm)
    within(f"the height_mm of frame marker {frame.marker}", [frame.height_mm], SPANS.height_mm)
    within(f"the side_mm of frame marker {frame.marker}", [frame.side_mm], SPANS.side_mm)
    within(f"the quiet_mm of frame marker {frame.marker}", [frame.quiet_mm], SPANS.quiet_mm)
