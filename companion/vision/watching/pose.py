"""Where the board lies in the pictures of one camera: whether it moved, which spots are out of the picture, and what of that is
to be said. Pure functions over one frozen value; how far the board lies from where it was is measured by whoever asks."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.vision.camera import Registration, displayed_mm
from companion.vision.watching.frame_analysis import Notice
from companion.vision.watching.lost_board import LostBoard
from companion.vision.watching.settings import WatchSettings

Floats = NDArray[np.float64]

MOST_NAMED = 12
"""Places named in one notice; more would not be listened to."""


@dataclass(frozen=True, slots=True)
class BoardPose:
    """``registration``: the last one that holds. ``moved_said``: that the camera or the board moved was said, and the board was
    not found again yet. ``outside``: the spots out of the picture. ``sought``: whether the board is out of sight."""

    registration: Registration | None = None
    moved_said: bool = False
    outside: frozenset[str] = frozenset()
    sought: LostBoard = field(default_factory=LostBoard)


@dataclass(frozen=True, slots=True)
class PlacedBoard:
    """A pose with what is to be said of it. ``elsewhere``: pictures of before show the board at another place of the picture,
    or not at all."""

    pose: BoardPose
    notices: tuple[Notice, ...] = ()
    elsewhere: bool = False


def camera_moved() -> Notice:
    """That the board is no longer where it was in the picture."""
    return Notice("camera-moved", "The camera or the board was moved; finding the board again.")


def is_at(pose: BoardPose, registration: Registration, board: Board, settings: WatchSettings) -> bool:
    """Whether a registration puts the board where it lies now."""
    known = pose.registration
    return known is not None and _apart_px(registration, known, board) <= settings.moved_px


def is_far(pose: BoardPose, found: Registration, board: Board) -> bool:
    """Whether a registration puts half of the board's corners, or more, at least half a site's spacing from where they lie now:
    no error of a registration of which only a part of the board was in sight does that."""
    known = pose.registration
    if known is None or known.lens.size != found.lens.size:
        return False
    middle = (board.size_mm[0] / 2, board.size_mm[1] / 2)
    return float(np.median(_corners_apart_px(known, found, board))) >= board.spacing_mm / 2 * known.pixels_per_mm(middle)


def lost(pose: BoardPose, problems: tuple[str, ...], at: float, settings: WatchSettings) -> PlacedBoard:
    """The pose after a look at ``at`` seconds that did not find the board, because of ``problems``."""
    sought, notices = pose.sought.miss(problems, at, settings.lost_s)
    return PlacedBoard(replace(pose, sought=sought), notices)


def asks_whether_moved(pose: BoardPose, found: Registration, board: Board, settings: WatchSettings) -> bool:
    """Whether :func:`found_at` has to know if the board is still where the known registration says."""
    known = pose.registration
    return not pose.moved_said and known is not None and _elsewhere(known, found, board, settings)


def found_at(pose: BoardPose, found: Registration, board: Board, settings: WatchSettings, *, moved: bool | None) -> PlacedBoard:
    """Follow a registration: what is to be said when the board is back, or elsewhere. ``moved``: whether the picture shows it
    no longer where the known registration says; None where that cannot be measured."""
    sought, back = pose.sought.find()
    notices = [*back]
    known = pose.registration
    elsewhere = known is not None and _elsewhere(known, found, board, settings)
    if pose.moved_said or (elsewhere and known is not None and _is_displaced(known, found, board, settings, moved)):
        if not pose.moved_said:
            notices.append(camera_moved())
        error = displayed_mm(found.error_mm)
        notices.append(Notice("registered-again", "The board is found again, to within {error} mm.", {"error": error}))
    afresh = known is None or pose.moved_said or elsewhere
    outside = pose.outside
    if afresh:
        outside = _out_of_picture(found, board, settings)
        notices += _in_view(pose.outside, outside)
    return PlacedBoard(BoardPose(found if afresh else known, False, outside, sought), tuple(notices), afresh)


def _elsewhere(known: Registration, found: Registration, board: Board, settings: WatchSettings) -> bool:
    """Whether two registrations put the board at different places of the picture."""
    return known.lens.size == found.lens.size and _apart_px(known, found, board) > settings.moved_px


def _is_displaced(known: Registration, found: Registration, board: Board, settings: WatchSettings, moved: bool | None) -> bool:
    """Whether the board itself moved since ``known``, or it is only told otherwise where it lies: with few stickers in
    sight its far corners are known to some millimetres only, and every further one draws them nearer."""
    if moved is False:
        return False
    middle = (board.size_mm[0] / 2, board.size_mm[1] / 2)
    allowed = settings.refined_errors * known.error_mm * known.pixels_per_mm(middle)
    return found.error_mm >= known.error_mm or _apart_px(known, found, board) > allowed


def _in_view(before: frozenset[str], outside: frozenset[str]) -> list[Notice]:
    """Say which spots are out of the picture, and when all are in it again."""
    if outside == before:
        return []
    if not outside:
        return [Notice("whole-view", "The whole board is in the picture again.")]
    named = sorted(outside)
    places = ", ".join([*named[:MOST_NAMED], *(["…"] if len(named) > MOST_NAMED else [])])
    return [Notice("partial-view", "Out of the picture: {places}.", {"places": places})]


def _out_of_picture(registration: Registration, board: Board, settings: WatchSettings) -> frozenset[str]:
    turn = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    ring = settings.brim * np.column_stack([np.cos(turn), np.sin(turn)])
    spots = (*board.cells, *board.places)
    around = [np.asarray(board.mm(spot)) + ring * board.room_mm(spot) for spot in spots]
    around += [np.asarray(zone.outline_mm) for zone in board.zones.values()]
    pixels = registration.project(np.vstack(around))
    inside = ((pixels >= 0) & (pixels <= np.array(registration.lens.size) - 1)).all(axis=1)
    ends = np.cumsum([len(points) for points in around])[:-1]
    named = zip(board.spots, np.split(inside, ends), strict=True)
    unwatched = {zone.id for zone in board.zones.values() if zone.masked}
    return frozenset(spot for spot, within in named if not within.all()) - unwatched


def _apart_px(one: Registration, other: Registration, board: Board) -> float:
    return float(_corners_apart_px(one, other, board).max())


def _corners_apart_px(one: Registration, other: Registration, board: Board) -> Floats:
    width, height = board.size_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    return np.asarray(np.linalg.norm(one.project(corners) - other.project(corners), axis=1), np.float64)
