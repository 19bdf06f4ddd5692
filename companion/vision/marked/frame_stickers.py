"""Where the board lies in a picture by its frame stickers alone, without a look at its pieces."""

from companion.boards import Board, PieceSet
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Frame
from companion.vision.marked.markers import MarkerDetector, MarkerSettings
from companion.vision.marked.reader import MarkedReader
from companion.vision.marked.settings import MarkedSettings


def frame_detector(board: Board, pieces: PieceSet, settings: MarkerSettings) -> MarkerDetector:
    """Who finds the frame stickers alone."""
    least = min((marker.side_mm for marker in pieces.frame_markers.values()), default=20.0) / max(board.size_mm)
    return MarkerDetector(pieces.dictionary, frozenset(pieces.frame_markers), settings, least)


def registered(frame: Frame, board: Board, pieces: PieceSet, lens: Lens | None = None) -> Registration | None:
    """The board's registration; None where too few of its frame stickers are in sight."""
    detector = frame_detector(board, pieces, MarkedSettings().markers)
    return MarkedReader(board, pieces, lens).register(frame, detector.detect(frame.image))
