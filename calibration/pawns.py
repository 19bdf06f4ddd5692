"""Teaching an unmodified copy of pawns and tokens: the empty board, then pictures of positions that the board file names."""

from collections.abc import Sequence
from dataclasses import replace

from numpy.typing import ArrayLike

from companion.boards import Board, PieceSet
from companion.calibration.board import draw
from companion.calibration.profile import TableProfile
from companion.calibration.teaching import TeachReport
from companion.errors import BadInput
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Frame
from companion.vision.marked.frame_stickers import registered
from companion.vision.pawns.looks import PawnTeaching, called
from companion.vision.pawns.reader import tracker_of
from companion.vision.pawns.settings import PawnSettings
from companion.vision.pawns.taught import learn
from companion.vision.plain.locating import pose_from_corners
from companion.vision.plain.start import LaidPiece, placements
from companion.vision.plain.teach import check_picture


def teach_pawns(
    empty: Frame, laid: Sequence[Frame], board: Board, pieces: PieceSet, lens: Lens | None = None,
    corners: ArrayLike | None = None,
) -> TeachReport:  # fmt: skip
    """Teach a copy by the empty board and one picture of each lesson of the board, in their order; later ones may be missing.
    The board is found by its frame stickers, or by ``corners`` (4×2 px) of its frame line.

    Raises BadInput when nothing could be learnt at all.
    """
    assert board.lessons, "asked for boards that name positions to learn their pieces by"
    check_picture(empty.image, "empty board")
    registration = _found(empty, board, pieces, lens, corners)
    teaching = PawnTeaching(board.id, board.edition, empty.image, registration)
    return _with_lessons(teaching, laid, board, pieces)


def teach_more(teaching: PawnTeaching, laid: Frame, board: Board, pieces: PieceSet, number: int) -> TeachReport:
    """Learn lesson ``number`` (from 0) of the board as well, or anew. Raises BadInput when nothing can be learnt of it."""
    before = [Frame(image, 0.0, "kept") for image, _ in teaching.lessons]
    assert 0 <= number <= len(before), "the pictures are taken in their order"
    return _with_lessons(replace(teaching, lessons=()), [*before[:number], laid, *before[number + 1 :]], board, pieces)


def lessons_of(board: Board, pieces: PieceSet, number: int) -> tuple[LaidPiece, ...]:
    """What lies where in lesson ``number`` (from 0) of a board."""
    return placements(board, pieces, board.lessons[number])


def _with_lessons(teaching: PawnTeaching, laid: Sequence[Frame], board: Board, pieces: PieceSet) -> TeachReport:
    lens = teaching.registration.lens
    for frame in laid:
        check_picture(frame.image, "laid pieces")
        if frame.size != lens.size:
            raise BadInput("the pictures must all be taken by the same camera in the same place, in one size")
    lessons = tuple((frame.image, state) for frame, state in zip(laid, board.lessons, strict=False))
    teaching = replace(teaching, lessons=lessons)
    tracker = tracker_of(teaching, board)
    if laid and all(tracker.follow(frame.image, lens, teaching.registration) is None for frame in laid):
        raise BadInput("the picture of the pieces does not show the board of the empty picture")
    copy = learn(teaching, board, pieces, tracker, PawnSettings())
    sentences = list(copy.doubts)
    if len(lessons) == len(board.lessons):
        names = (called(look, pieces) for look in copy.missing)
        sentences += [f"{name} was not learnt: it is never claimed" for name in dict.fromkeys(names)]
    profile = TableProfile(board.id, board.edition, "plain", lens, pawns=teaching)
    shown = laid[-1].image if laid else teaching.empty
    return TeachReport(profile, tuple(sentences), draw(shown, teaching.registration, board), teaching.registration.error_mm)


def _found(empty: Frame, board: Board, pieces: PieceSet, lens: Lens | None, corners: ArrayLike | None) -> Registration:
    if corners is not None:
        return pose_from_corners(corners, board, Lens.guess(empty.size) if lens is None else lens.scaled(empty.size))
    found = registered(empty, board, pieces, lens)
    if found is None:
        raise BadInput(
            "the board is not found: lay its four frame stickers beside it for the picture of the empty board, or give the "
            "corners of its frame line"
        )
    return found
