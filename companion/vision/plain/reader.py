"""Read an unmodified copy that was taught from two pictures: the bare board and the start position."""

from collections.abc import Collection

import cv2
import numpy as np

from companion.boards import Board, PieceSet
from companion.errors import BadInput
from companion.vision.camera import Registration
from companion.vision.frame import Frame, Image
from companion.vision.look import Look
from companion.vision.plain.evidence import Clue, Examiner
from companion.vision.plain.hidden import Watchman
from companion.vision.plain.judge import Claims, Judge
from companion.vision.plain.lessons import Lesson, Teaching
from companion.vision.plain.scene import MapCache, Scene, Sheet
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.sides import SideJudge
from companion.vision.plain.surface import View, with_lens
from companion.vision.plain.teach import check_picture, teach
from companion.vision.plain.tracking import Tracker
from companion.vision.reading import Reading, named_by_piece, subject

__all__ = ["Lesson", "PlainReader", "PlainSettings", "Teaching", "teach"]


class PlainReader:
    """Reads plain tables. Remembers only where the board lay last, to save looking for it; every reading stands alone."""

    def __init__(self, board: Board, pieces: PieceSet, teaching: Teaching, settings: PlainSettings | None = None) -> None:
        """Raises BadInput when the teaching is of another board."""
        if (teaching.board, teaching.edition) != (board.id, board.edition):
            raise BadInput(
                f"this table was taught as {teaching.board} ({teaching.edition}), "
                f"but the game is played on {board.id} ({board.edition})"
            )
        self._settings = settings or PlainSettings()
        self._board, self._pieces = board, pieces
        view = View(teaching.empty, teaching.registration)
        self._taught = view
        self._sheet = Sheet(view, board, self._settings.surface)
        self._maps = MapCache(self._sheet)
        self._tracker = Tracker(view, board, self._settings.track, self._settings.surface)
        self._examiner = Examiner(board, pieces, teaching, self._settings)
        self._judge = Judge(board, pieces, self._examiner, self._settings)
        self._sides = SideJudge(board, pieces, self._examiner, self._settings)
        self._watchman = Watchman(board, pieces, self._sheet.ground)
        self._last = teaching.registration

    def read(self, frame: Frame, prior: Reading | None = None) -> Look:
        """Read the whole picture. Raises BadInput for a picture that cannot be used at all."""
        image = self._fitted(frame)
        pose = self._tracker.follow(image, self._taught.registration.lens, self._last)
        if pose is None:
            return self._lost(frame)
        self._last = pose
        scene = Scene(self._sheet, View(image, pose), self._maps)
        clues = self._examiner.walkers_at(scene)
        return self._judged(frame, scene, clues, prior, None)

    def reread(self, frame: Frame, last: Look, spots: Collection[str]) -> Look:
        """Read ``spots`` (cell and place ids) afresh, and every place a piece in doubt could be at; the rest stays as in
        ``last``. The camera has not moved."""
        if last.registration is None or last.reading.unknown or last.occluded:
            return self.read(frame, last.reading)
        image = self._fitted(frame)
        scene = Scene(self._sheet, View(image, self._last), self._maps)
        # Pieces already known are looked at again as well: a swap shows at both ends. Other cells were bare and still are.
        wanted = set(spots) | {s.place for s in last.reading.sightings}
        clues = self._examiner.walkers_at(scene, wanted)
        clues += [self._examiner.bare_clue(cell) for cell in self._examiner.cells if cell not in wanted]
        return self._judged(frame, scene, clues, last.reading, last, spots)

    # --- steps ---------------------------------------------------------------------------------------------------------

    def _fitted(self, frame: Frame) -> Image:
        """The frame in the taught picture's size. Raises BadInput when its shape is another."""
        check_picture(frame.image, "table")
        height, width = self._taught.image.shape[:2]
        if abs(frame.size[0] / frame.size[1] - width / height) > 0.02:
            raise BadInput(
                f"the picture is {frame.size[0]}x{frame.size[1]} pixels, but the table was taught in a picture "
                "of another shape: teach it again"
            )
        if frame.size == (width, height):
            return frame.image
        way = cv2.INTER_AREA if frame.size[0] > width else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(frame.image, (width, height), interpolation=way), np.uint8)

    def _judged(
        self,
        frame: Frame,
        scene: Scene,
        clues: list[Clue],
        prior: Reading | None,
        last: Look | None,
        spots: Collection[str] | None = None,
    ) -> Look:
        hidden = self._hidden(scene, clues)
        claims = Claims()
        self._judge.walkers(clues, hidden, prior, claims)
        found = {s.place for s in claims.sightings}
        discs = {clue.spot: clue.disc for clue in clues if clue.disc is not None and self._stands(clue, found)}
        for group in self._examiner.flat_groups:
            wanted = None if spots is None else [s for s in self._examiner.spots(group) if s in spots]
            if wanted is not None and last is not None and not wanted:
                kept = [s for s in last.reading.sightings if self._pieces.group_of(s.piece) is group]
                claims.sightings += kept
                continue
            flats = self._examiner.flats_at(scene, group, None, discs)
            self._judge.flats(group, flats, hidden, prior, claims)
        self._sides.judge(scene, discs, hidden, prior, claims)
        reading = Reading(
            tuple(claims.sightings), claims.unknown, tuple(claims.problems), True, frame.captured_at, frame.source
        )
        registration = self._full_size(scene.view.registration, frame)
        return Look(reading, registration, hidden, tuple(claims.problems))

    def _stands(self, clue: Clue, found: Collection[str]) -> bool:
        """Whether a disc stands at a clue's cell: claimed there, or at least not bare."""
        return clue.spot in found or self._judge.beliefs(clue)["bare"] < 0.5

    def _hidden(self, scene: Scene, clues: list[Clue]) -> frozenset[str]:
        """Cells and places that something else than a piece lies or hangs over, or that are out of the picture."""
        out = {clue.spot for clue in clues if not clue.sighted}
        recognised = {}
        for clue in clues:
            if clue.disc is None:
                continue
            belief = self._judge.beliefs(clue)
            if sum(v for name, v in belief.items() if "/" in name) > 0.9:  # some disc, whichever
                x, y = self._board.mm(clue.spot)
                recognised[x + clue.disc.offset_mm[0], y + clue.disc.offset_mm[1]] = self._examiner.finder.radius_mm + 6.0
        mask = self._watchman.strangers(scene, recognised)
        if not mask.any():
            return frozenset(out)
        return self._watchman.covered(mask, [*self._board.cells, *self._board.places], 15.0, 0.3) | out

    def _lost(self, frame: Frame) -> Look:
        """The board is not in the picture: nothing is claimed."""
        why = "the board is not in sight"
        unknown = {}
        for group in self._pieces.groups.values():
            spots = self._examiner.spots(group)
            for name in (
                [p.id for p in self._pieces.in_group(group.key)]
                if named_by_piece(group)
                else self._board.pairs(spots)
                if group.layout == "pairs"
                else spots
            ):
                unknown[subject(name, group)] = why
        return Look(Reading((), unknown, (why,), True, frame.captured_at, frame.source), None, frozenset(), (why,))

    def _full_size(self, registration: Registration, frame: Frame) -> Registration:
        """The registration in the frame's own pixels."""
        return (
            registration
            if registration.lens.size == frame.size
            else with_lens(registration, registration.lens.scaled(frame.size))
        )
