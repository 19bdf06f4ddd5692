"""Read an unmodified copy that was taught from two pictures: the bare board and the start position."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import cv2
import numpy as np

from companion.boards import Board, PieceSet
from companion.errors import BadInput
from companion.vision.camera import Registration
from companion.vision.frame import Frame, Image
from companion.vision.look import Look
from companion.vision.plain.assignment import Marginals
from companion.vision.plain.claims import Claims
from companion.vision.plain.closer import Closer
from companion.vision.plain.colourless import is_colourless, without_sides
from companion.vision.plain.evidence import ALIEN, BARE, HARDLY_SEEN, Clue, Examiner
from companion.vision.plain.hidden import BURNT_SHARE, Watchman
from companion.vision.plain.judge import Judge
from companion.vision.plain.lessons import Lesson, Teaching
from companion.vision.plain.memory import Findings, Memory
from companion.vision.plain.scene import MapCache, Scene, Sheet
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.sides import SideJudge
from companion.vision.plain.surface import View, with_lens
from companion.vision.plain.teach import check_picture, teach
from companion.vision.plain.tracking import Tracker
from companion.vision.reader import Budget, Region, Traits
from companion.vision.reading import Reading, named_by_piece, subject

__all__ = ["Lesson", "PlainReader", "PlainSettings", "Teaching", "teach"]

NOT_IN_SIGHT = "the board is not in sight"
OTHER_PRINT = "this board is not printed as the one that was taught: clear what lies on it, or teach this table again"


class PlainReader:
    """Reads plain tables. Remembers only where the board lay last, to save looking for it, and the last picture, for a closer
    look; every whole reading stands alone, and a look at some places goes on from what the look it is given was made from."""

    def __init__(self, board: Board, pieces: PieceSet, teaching: Teaching, settings: PlainSettings | None = None) -> None:
        """Raises BadInput when the teaching is of another board."""
        if (teaching.board, teaching.edition) != (board.id, board.edition):
            raise BadInput(
                f"this table was taught as {teaching.board} ({teaching.edition}), "
                f"but the game is played on {board.id} ({board.edition})"
            )
        self._settings = settings or PlainSettings()
        board = teaching.fitted(board)
        self._board, self._pieces = board, pieces
        self.teaching = teaching
        view = View(teaching.empty, teaching.registration)
        self._taught = view
        self._sheet = Sheet(view, board, self._settings.surface, teaching.white)
        self._maps = MapCache(self._sheet)
        self._tracker = Tracker(view, board, self._settings.track, self._settings.surface, proven=False)
        self._examiner = Examiner(board, pieces, teaching, self._settings)
        self._judge = Judge(board, pieces, self._examiner, self._settings)
        self._sides = SideJudge(board, pieces, self._examiner, self._settings)
        self._watchman = Watchman(board, pieces, self._sheet.ground)
        own = self._settings
        spots = own.sided_spots_a_frame if self._sides.groups else own.spots_a_frame
        self.traits = Traits(partial=True, thorough=True, spots_a_frame=spots)
        self._last = teaching.registration
        self._at_hand: tuple[Memory, Scene] | None = None

    @property
    def sides_alike(self) -> tuple[str, ...]:
        """The walking pieces that were taught so white that which side of them is up can hardly be told."""
        return tuple(piece for piece in self._examiner.walker_ids if self._examiner.passes_for_back(piece))

    @property
    def lone_alike(self) -> tuple[str, ...]:
        """The pieces alone of their kind whose two taught sides look alike: which one is up is never told."""
        return self._sides.lone_alike

    @property
    def faint(self) -> tuple[str, ...]:
        """The walking pieces of which next to nothing could be made out when they were taught, and one side alone was."""
        examiner = self._examiner
        return tuple(
            piece
            for piece, faint in examiner.faintness.items()
            if min(faint, examiner.paleness(piece)) > HARDLY_SEEN and not examiner.knows_back(piece)
        )

    def taught_in_glare(self, lesson: Lesson) -> bool:
        """Whether a lesson is of a walking piece of which next to nothing can be made out in it."""
        return self._examiner.taught_in_glare(lesson)

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Look:
        """Read the whole picture, or a region. Raises BadInput for a picture that cannot be used at all."""
        if region is not None:
            return self._reread(frame, region.last, region.spots, None if budget is None else budget.closely)
        image = self._fitted(frame)
        pose = self._tracker.follow(image, self._taught.registration.lens, self._last)
        if pose is None:
            return self._lost(frame, OTHER_PRINT if self._tracker.unlike else NOT_IN_SIGHT)
        self._last = pose
        scene = Scene(self._sheet, View(image, pose), self._maps)
        walkers = {clue.spot: clue for clue in self._examiner.walkers_at(scene)}
        return self._judged(frame, scene, walkers, prior)

    def _reread(self, frame: Frame, last: Look, spots: Collection[str], closely: Collection[str] | None = None) -> Look:
        """Examine ``spots`` (cell and place ids) afresh; what was seen at the others counts as it did in ``last``, in the
        same assignment. Doubtful ones among ``closely`` (None: among ``spots``) are looked at once more; without spots in the
        picture that ``last`` was seen in, if that was the last one. The camera has not moved."""
        memory = last.memory
        if not isinstance(memory, Memory):
            return self.read(frame, last.reading)
        if not spots and self._at_hand is not None and self._at_hand[0] is memory:
            scene = self._at_hand[1]
            return self._judged(frame, scene, memory.walkers, last.reading, memory, spots, closely, last.occluded)
        scene = Scene(self._sheet, View(self._fitted(frame), memory.pose), self._maps)
        fresh = {clue.spot: clue for clue in self._examiner.walkers_at(scene, spots)}
        if len(spots) == 1 and self._as_before(scene, next(iter(spots)), fresh, memory):
            reading = replace(last.reading, captured_at=frame.captured_at, source=frame.source)
            return replace(last, reading=reading)
        walkers = {**memory.walkers, **fresh}
        return self._judged(frame, scene, walkers, last.reading, memory, spots, spots if closely is None else closely)

    def displacement_px(self, frame: Frame, registration: Registration) -> float | None:
        """How far the printed board lies from where a registration says, in pixels; None where too little of it is in sight."""
        try:
            image = self._fitted(frame)
        except BadInput:
            return None  # black, or otherwise of no use: nothing is in sight
        size = image.shape[1], image.shape[0]
        if registration.lens.size != size:
            registration = with_lens(registration, registration.lens.scaled(size))
        off = self._tracker.displacement_px(image, registration)
        return None if off is None else off * frame.size[0] / size[0]

    def learn(self, frame: Frame, look: Look) -> None:
        """Nothing: what an unmodified copy looks like is taught beforehand."""

    # --- steps ---------------------------------------------------------------------------------------------------------

    def _fitted(self, frame: Frame) -> Image:
        """The frame in the taught picture's size. Raises BadInput when its shape is another."""
        check_picture(frame.image, "table")
        if not self._taught.registration.lens.fits(frame.size):
            raise BadInput(
                f"the picture is {frame.size[0]}x{frame.size[1]} pixels, but the table was taught in a picture "
                "of another shape: teach it again"
            )
        height, width = self._taught.image.shape[:2]
        if frame.size == (width, height):
            return frame.image
        way = cv2.INTER_AREA if frame.size[0] > width else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(frame.image, (width, height), interpolation=way), np.uint8)

    def _judged(
        self,
        frame: Frame,
        scene: Scene,
        walkers: Mapping[str, Clue],
        prior: Reading | None,
        memory: Memory | None = None,
        spots: Collection[str] = (),
        closely: Collection[str] | None = None,
        hidden: frozenset[str] | None = None,
    ) -> Look:
        """The claims that clues about all cells lead to. With ``memory`` only ``spots`` are examined for flat pieces, and
        where a disc came or went, or what else covers them; ``closely``: the doubtful cells that may be looked at once more
        (None: all); ``hidden``: what something lies over, where that is known."""
        clues = list(walkers.values())
        hidden = self._hidden(scene, clues) if hidden is None else hidden
        claims = Claims()
        chances = self._judge.walkers(clues, hidden, prior, claims, Closer(self._examiner, scene, closely))
        loose = not self._judge.placed(chances)
        discs = {clue.spot: clue.disc for clue in clues if clue.disc is not None and self._stands(clue, chances, loose)}
        flats: dict[str, Mapping[str, Clue]] = {}
        for group in self._examiner.flat_groups:
            again = memory.stale(self._examiner.spots(group), discs, spots) if memory is not None else None
            found = {clue.spot: clue for clue in self._examiner.flats_at(scene, group, again, discs)}
            flats[group.key] = found if memory is None else {**memory.flats[group.key], **found}
            self._judge.flats(group, list(flats[group.key].values()), hidden, prior, claims)
        findings = Findings() if memory is None else memory.findings.elsewhere(spots)
        least = self._settings.judge.stands
        strange = () if loose else [spot for spot in discs if sum(chances.at.get(spot, {}).values()) <= least]
        self._sides.judge(scene, discs, hidden, prior, claims, findings, strange)
        self._judge.doubt_absence(clues, claims)
        reading = Reading(
            tuple(claims.sightings), claims.unknown, tuple(claims.problems), True, frame.captured_at, frame.source, claims.lying
        )
        if is_colourless(scene.view.image, self._taught.image, self._settings.colour):
            reading = without_sides(reading, self._pieces)
        registration = self._full_size(scene.view.registration, frame)
        pose = scene.view.registration
        surface = scene.flat if memory is None else memory.renewed(scene, self._board, spots)
        remembered = Memory(pose, walkers, flats, discs, surface, findings)
        self._at_hand = remembered, scene
        return Look(reading, registration, hidden, reading.problems, remembered)

    def _as_before(self, scene: Scene, spot: str, fresh: Mapping[str, Clue], memory: Memory) -> bool:
        """Whether a spot still looks as it did, and everything there would be believed about as much as it was."""
        if not memory.looks_alike(scene, self._board, spot):
            return False
        pairs = [(clue, memory.walkers[cell]) for cell, clue in fresh.items()]
        for group in self._examiner.flat_groups:
            if spot in memory.flats[group.key]:
                found = self._examiner.flats_at(scene, group, (spot,), memory.discs)
                pairs += [(clue, memory.flats[group.key][spot]) for clue in found]
        return all(self._judge.alike(now, before) for now, before in pairs)

    def _stands(self, clue: Clue, chances: Marginals, loose: bool) -> bool:
        """Whether a disc may stand at a clue's cell, and hide what lies there. A flat piece by itself looks a little like any
        disc; that counts for nothing once all discs are found elsewhere, but it does while one of them is ``loose``."""
        belief = self._judge.beliefs(clue)
        some = sum(chances.at.get(clue.spot, {}).values())
        return (
            some > self._settings.judge.stands
            or belief[ALIEN] > self._settings.judge.strange
            or (loose and belief[BARE] < self._settings.judge.strange)
        )

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
        spots = [*self._board.cells, *self._board.places]
        strange, burnt = self._watchman.strangers(scene, recognised), self._watchman.burnt_out(scene)
        return self._watchman.covered(strange, spots, 15.0, 0.3) | self._watchman.covered(burnt, spots, 15.0, BURNT_SHARE) | out

    def _lost(self, frame: Frame, why: str) -> Look:
        """The board is not in the picture, or it is another one: nothing is claimed."""
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
