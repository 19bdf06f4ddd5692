"""Follows where the board lies in the pictures of one camera: whether it moved, which spots are out of the picture, and what of
that is to be said."""

import numpy as np

from companion.boards import Board
from companion.vision.camera import Registration, displayed_mm
from companion.vision.frame import Frame
from companion.vision.frame_analysis import Notice
from companion.vision.lost_board import LostBoard
from companion.vision.observation import Observation
from companion.vision.reader import Reader
from companion.vision.watch_settings import WatchSettings

MOST_NAMED = 12
"""Places named in one notice; more would not be listened to."""


class PoseWatch:
    """The last registration that holds, and what was said of it. ``outside``: the spots out of the picture; ``moved_said``:
    that the camera or the board moved was said, and the board was not found again yet."""

    def __init__(self, reader: Reader, board: Board, settings: WatchSettings) -> None:
        self._reader, self._board, self._settings = reader, board, settings
        self.registration: Registration | None = None
        self.moved_said = False
        self.outside: frozenset[str] = frozenset()
        self.sought = LostBoard(settings.lost_s)

    def says_moved(self, frame: Frame) -> tuple[Notice, ...]:
        """What is to be said of a shaken picture: that the board moved, once."""
        if not self.has_moved(frame):
            return ()
        self.moved_said = True
        return (_camera_moved(),)

    def is_at(self, registration: Registration) -> bool:
        """Whether a registration puts the board where it lies now."""
        known = self.registration
        return known is not None and self._apart_px(registration, known) <= self._settings.moved_px

    def has_moved(self, frame: Frame) -> bool:
        """Whether the board is no longer where the last registration says."""
        known = self.registration
        if known is None or not self._reader.traits.partial:
            return False
        off = self._reader.displacement_px(frame, known)
        return off is not None and off > self._settings.moved_px

    def place(self, observation: Observation, frame: Frame, *, based: bool) -> tuple[tuple[Notice, ...], bool]:
        """Follow the registration of a look; what is to be said when the board is lost, back, or elsewhere, and whether
        pictures of before show it at another place. ``based``: there is a picture to compare the next ones with."""
        if observation.registration is None:
            return self.sought.miss(observation.problems, frame.captured_at), False
        notices = [*self.sought.find()]
        known = self.registration
        elsewhere = known is not None and self._elsewhere(known, observation.registration)
        if self.moved_said or (elsewhere and known is not None and self._is_displaced(frame, known, observation.registration)):
            if not self.moved_said:
                notices.append(_camera_moved())
            error = displayed_mm(observation.registration.error_mm)
            notices.append(Notice("registered-again", "The board is registered again, to {error} mm.", {"error": error}))
        moved = self.moved_said or elsewhere
        if known is None or moved or not based:
            self.registration = observation.registration
            notices += self._in_view(observation.registration)
        self.moved_said = False
        return tuple(notices), moved

    def _elsewhere(self, known: Registration, found: Registration) -> bool:
        """Whether two registrations put the board at different places of the picture."""
        return known.lens.size == found.lens.size and self._apart_px(known, found) > self._settings.moved_px

    def _is_displaced(self, frame: Frame, known: Registration, found: Registration) -> bool:
        """Whether the board itself moved since ``known``, or it is only told otherwise where it lies: with few stickers in
        sight its far corners are known to some millimetres only, and every further one draws them nearer."""
        if self._reader.traits.partial and not self.has_moved(frame):
            return False
        middle = (self._board.size_mm[0] / 2, self._board.size_mm[1] / 2)
        allowed = self._settings.refined_errors * known.error_mm * known.pixels_per_mm(middle)
        return found.error_mm >= known.error_mm or self._apart_px(known, found) > allowed

    def _in_view(self, registration: Registration) -> list[Notice]:
        """Say which spots are out of the picture, and when all are in it again."""
        before, self.outside = self.outside, self._out_of_picture(registration)
        if self.outside == before:
            return []
        if not self.outside:
            return [Notice("whole-view", "The whole board is in the picture again.")]
        named = sorted(self.outside)
        places = ", ".join([*named[:MOST_NAMED], *(["…"] if len(named) > MOST_NAMED else [])])
        return [Notice("partial-view", "Out of the picture: {places}.", {"places": places})]

    def _out_of_picture(self, registration: Registration) -> frozenset[str]:
        turn = np.linspace(0, 2 * np.pi, 8, endpoint=False)
        ring = self._settings.brim * np.column_stack([np.cos(turn), np.sin(turn)])
        spots = (*self._board.cells, *self._board.places)
        around = [np.asarray(self._board.mm(spot)) + ring * self._board.room_mm(spot) for spot in spots]
        around += [np.asarray(zone.outline_mm) for zone in self._board.zones.values()]
        pixels = registration.project(np.vstack(around))
        inside = ((pixels >= 0) & (pixels <= np.array(registration.lens.size) - 1)).all(axis=1)
        ends = np.cumsum([len(points) for points in around])[:-1]
        named = zip(self._board.spots, np.split(inside, ends), strict=True)
        return frozenset(spot for spot, within in named if not within.all())

    def _apart_px(self, one: Registration, other: Registration) -> float:
        width, height = self._board.size_mm
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        return float(np.linalg.norm(one.project(corners) - other.project(corners), axis=1).max())


def _camera_moved() -> Notice:
    return Notice("camera-moved", "The camera or the board was moved; finding the board again.")
