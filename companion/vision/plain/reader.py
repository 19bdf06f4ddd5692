"""Read an unmodified copy that was taught from two pictures: the bare board and the start position."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import cv2
import numpy as np

from companion.boards import Board, PieceSet
from companion.errors import BadInput
from companion.vision.camera import Registration
from companion.vision.frame import Frame, Image
from companion.vision.observation import Observation
from companion.vision.plain.assignment import Marginals
from companion.vision.plain.cell_refinement import CellRefinement
from companion.vision.plain.claims import Claims
from companion.vision.plain.colourless import is_colourless, without_sides
from companion.vision.plain.evidence import BARE, HARDLY_SEEN, REJECT, CellFeatures, FeatureExtractor
from companion.vision.plain.exemplars import Exemplar, Teaching, cut, labelled
from companion.vision.plain.judge import Judge
from companion.vision.plain.memory import Findings, Memory
from companion.vision.plain.occlusion import BURNT_SHARE, OcclusionDetector
from companion.vision.plain.prepared_image import MapCache, PreparedImage, ReferenceImage
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.sides import SideJudge
from companion.vision.plain.start import LaidPiece
from companion.vision.plain.surface import View, with_lens
from companion.vision.plain.teach import check_picture, teach
from companion.vision.plain.tracking import Tracker
from companion.vision.reader import Budget, Region, Shown, Traits
from companion.vision.reading import Reading, Sighting, named_by_piece, subject

__all__ = ["Exemplar", "PlainReader", "PlainSettings", "Teaching", "teach"]

NOT_IN_SIGHT = "the board is not in sight"
NO_DISC = 0.5
"""0.1..0.7: how probably bare a place may be of which the look of a piece is learnt."""
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
        view = View(teaching.empty, teaching.registration)
        self._taught = view
        self._reference = ReferenceImage(view, board, self._settings.surface, teaching.white)
        self._maps = MapCache(self._reference)
        self._tracker = Tracker(view, board, self._settings.track, self._settings.surface, proven=False)
        self._know(teaching)
        self._occlusion = OcclusionDetector(board, pieces, self._reference.ground)
        own = self._settings
        spots = own.sided_spots_a_frame if self._sides.groups else own.spots_a_frame
        self.traits = Traits(partial=True, incremental=True, spots_a_frame=spots, taught=True, enrols=True)
        self._last = teaching.registration
        self._at_hand: tuple[Memory, PreparedImage] | None = None

    def _know(self, teaching: Teaching) -> None:
        """Read by these exemplars from now on."""
        self.teaching = teaching
        self._extractor = FeatureExtractor(self._board, self._pieces, teaching, self._settings)
        self._judge = Judge(self._board, self._pieces, self._extractor, self._settings)
        self._sides = SideJudge(self._board, self._pieces, self._extractor, self._settings)

    @property
    def sides_alike(self) -> tuple[str, ...]:
        """The movable pieces that were taught so white that which side of them is up can hardly be told."""
        return tuple(piece for piece in self._extractor.movable_ids if self._extractor.passes_for_back(piece))

    @property
    def lone_alike(self) -> tuple[str, ...]:
        """The pieces alone of their kind whose two taught sides look alike: which one is up is never told."""
        return self._sides.lone_alike

    @property
    def faint(self) -> tuple[str, ...]:
        """The movable pieces of which next to nothing could be made out when they were taught, and one side alone was."""
        extractor = self._extractor
        return tuple(
            piece
            for piece, faint in extractor.faintness.items()
            if min(faint, extractor.paleness(piece)) > HARDLY_SEEN and not extractor.knows_back(piece)
        )

    def taught_in_glare(self, exemplar: Exemplar) -> bool:
        """Whether an exemplar is of a movable piece of which next to nothing can be made out in it."""
        return self._extractor.taught_in_glare(exemplar)

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        """Read the whole picture, or a region. Raises BadInput for a picture that cannot be used at all."""
        if region is not None:
            return self._reread(frame, region.last, region.spots, None if budget is None else budget.closely)
        self._at_hand = None  # a picture of full size, with what was made of it
        image = self._fitted(frame)
        pose = self._tracker.follow(image, self._taught.registration.lens, self._last)
        if pose is None:
            return self._lost(frame, OTHER_PRINT if self._tracker.unlike else NOT_IN_SIGHT)
        self._last = pose
        prepared = PreparedImage(self._reference, View(image, pose), self._maps)
        movable = {features.spot: features for features in self._extractor.movable_at(prepared)}
        return self._judged(frame, prepared, movable, prior)

    def _reread(
        self, frame: Frame, last: Observation, spots: Collection[str], closely: Collection[str] | None = None
    ) -> Observation:
        """Examine ``spots`` (cell and place ids) afresh; what was seen at the others counts as it did in ``last``, in the
        same assignment. Doubtful ones among ``closely`` (None: among ``spots``) are looked at once more; without spots in the
        picture that ``last`` was seen in, if that was the last one. The camera has not moved."""
        memory = last.memory
        if not isinstance(memory, Memory) or memory.teaching is not self.teaching:
            return self.read(frame, last.reading)
        at_hand, self._at_hand = None if spots else self._at_hand, None
        if at_hand is not None and at_hand[0] is memory:
            return self._judged(frame, at_hand[1], memory.movable, last.reading, memory, spots, closely, last.occluded)
        prepared = PreparedImage(self._reference, View(self._fitted(frame), memory.pose), self._maps)
        fresh = {features.spot: features for features in self._extractor.movable_at(prepared, spots)}
        if len(spots) == 1 and self._as_before(prepared, next(iter(spots)), fresh, memory):
            reading = replace(last.reading, captured_at=frame.captured_at, source=frame.source)
            return replace(last, reading=reading)
        movable = {**memory.movable, **fresh}
        return self._judged(frame, prepared, movable, last.reading, memory, spots, spots if closely is None else closely)

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

    def learn(self, frame: Frame, observation: Observation) -> None:
        """Nothing: what an unmodified copy looks like is taught beforehand."""

    def first_side_shows(self, observation: Observation, piece: str, place: str) -> float:
        """Log odds that the disc at a place shows a piece's first side, whatever the second one looks like; 0 where no disc was
        looked at in that picture."""
        features = observation.memory.movable.get(place) if isinstance(observation.memory, Memory) else None
        if features is None or features.disc is None or features.stack is None:
            return 0.0
        return self._judge.first_side_shows(piece, features)

    def enrol(self, frame: Frame, observation: Observation, shown: Shown) -> str:
        """Learn a second side of a movable piece from the picture of an observation."""
        prepared, features = self._enrolled_from(frame, observation, shown.place)
        piece = self._pieces.pieces.get(shown.piece)
        if piece is None or piece.group != self._extractor.movable.key or shown.face not in piece.faces[1:]:
            return f"{shown.piece}: only second sides of movable pieces are learnt while a game is on"
        if any((one.piece, one.face) == (shown.piece, shown.face) for one in self.teaching.exemplars):
            return f"{shown.piece}: this side is known"
        if prepared is None or features is None or features.disc is None or shown.place in observation.occluded:
            return f"{shown.piece}: {shown.place} cannot be seen"
        if piece.facing and shown.facing is None:
            return f"{shown.piece}: which way it faces was not said"
        return self._enrolled(prepared, features, shown, observation.reading)

    def _enrolled(self, prepared: PreparedImage, features: CellFeatures, shown: Shown, reading: Reading) -> str:
        group, first = self._extractor.movable, self._pieces.pieces[shown.piece].faces[0]
        seen = reading.of(shown.piece)
        if seen is not None and (seen.place, seen.face) == (shown.place, first):
            return f"{shown.piece}: it lies with its first side up, as that was taught"
        if not shown.told and (seen is not None or any(one.place == shown.place for one in self._movable_in(reading))):
            return f"{shown.piece}: something else is seen at {shown.place}"
        if not shown.told and self._judge.first_side_shows(shown.piece, features) > 0:
            return f"{shown.piece}: it may still show its first side at {shown.place}"
        if self._judge.posteriors(features)[BARE] > NO_DISC:
            return f"{shown.piece}: {shown.place} looks bare"
        put = LaidPiece(
            shown.piece, group.key, shown.place, shown.face, shown.facing, self._board.mm(shown.place), group.height_mm,
            group.size_mm, round=True,
        )  # fmt: skip
        (exemplar,) = cut(prepared, [put], group, self._settings, self.teaching.disc_mm, labelled(group, self._pieces))
        if self._extractor.taught_in_glare(exemplar):
            return f"{shown.piece}: a reflection lies on it at {shown.place}"
        fresh = replace(exemplar, in_play=True)
        self._know(replace(self.teaching, exemplars=(*self.teaching.exemplars, fresh)))
        return ""

    def _enrolled_from(
        self, frame: Frame, observation: Observation, place: str
    ) -> tuple[PreparedImage | None, CellFeatures | None]:
        memory = observation.memory
        if not isinstance(memory, Memory):
            return None, None
        try:
            view = View(self._fitted(frame), memory.pose)
        except BadInput:
            return None, None
        prepared = PreparedImage(self._reference, view, self._maps)
        fresh = self._extractor.movable_at(prepared, (place,))
        return prepared, fresh[0] if fresh else None

    def _movable_in(self, reading: Reading) -> list[Sighting]:
        key = self._extractor.movable.key
        return [one for one in reading.sightings if self._pieces.pieces[one.piece].group == key]

    def forget(self, piece: str, face: str) -> bool:
        """Unlearn a side that was learnt while a game was on."""
        kept = tuple(one for one in self.teaching.exemplars if not (one.in_play and (one.piece, one.face) == (piece, face)))
        if len(kept) == len(self.teaching.exemplars):
            return False
        self._know(replace(self.teaching, exemplars=kept))
        return True

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
        prepared: PreparedImage,
        movable: Mapping[str, CellFeatures],
        prior: Reading | None,
        memory: Memory | None = None,
        spots: Collection[str] = (),
        closely: Collection[str] | None = None,
        hidden: frozenset[str] | None = None,
    ) -> Observation:
        """The claims that cell features about all cells lead to. With ``memory`` only ``spots`` are examined for flat pieces,
        and where a disc came or went, or what else covers them; ``closely``: the doubtful cells that may be looked at once more
        (None: all); ``hidden``: what something lies over, where that is known."""
        cell_features = list(movable.values())
        hidden = self._hidden(prepared, cell_features) if hidden is None else hidden
        claims = Claims()
        chances = self._judge.movable(cell_features, hidden, prior, claims, CellRefinement(self._extractor, prepared, closely))
        loose = not self._judge.placed(chances)
        discs = {
            features.spot: features.disc
            for features in cell_features
            if features.disc is not None and self._stands(features, chances, loose)
        }
        flats: dict[str, Mapping[str, CellFeatures]] = {}
        for group in self._extractor.flat_groups:
            again = memory.stale(self._extractor.spots(group), discs, spots) if memory is not None else None
            found = {features.spot: features for features in self._extractor.flats_at(prepared, group, again, discs)}
            flats[group.key] = found if memory is None else {**memory.flats[group.key], **found}
            self._judge.flats(group, list(flats[group.key].values()), hidden, prior, claims)
        findings = Findings() if memory is None else memory.findings.elsewhere(spots)
        least = 1 - self._settings.claim
        strange = () if loose else [spot for spot in discs if sum(chances.at.get(spot, {}).values()) <= least]
        self._sides.judge(prepared, discs, hidden, prior, claims, findings, strange)
        self._judge.doubt_absence(cell_features, claims)
        reading = Reading(
            tuple(claims.sightings),
            claims.unknown,
            captured_at=frame.captured_at,
            source=frame.source,
            lying=claims.lying,
            facings=claims.facings,
        )
        if is_colourless(prepared.view.image, self._taught.image, self._settings.colour):
            reading = without_sides(reading, self._pieces)
        registration = self._full_size(prepared.view.registration, frame)
        pose = prepared.view.registration
        surface = prepared.flat if memory is None else memory.renewed(prepared, self._board, spots)
        remembered = Memory(pose, movable, flats, discs, surface, findings, self.teaching)
        self._at_hand = remembered, prepared
        return Observation(reading, registration, hidden, reading.problems, remembered)

    def _as_before(self, prepared: PreparedImage, spot: str, fresh: Mapping[str, CellFeatures], memory: Memory) -> bool:
        """Whether a spot still looks as it did, and everything there would be believed about as much as it was."""
        if not memory.looks_alike(prepared, self._board, spot):
            return False
        pairs = [(features, memory.movable[cell]) for cell, features in fresh.items()]
        for group in self._extractor.flat_groups:
            if spot in memory.flats[group.key]:
                found = self._extractor.flats_at(prepared, group, (spot,), memory.discs)
                pairs += [(features, memory.flats[group.key][spot]) for features in found]
        return all(self._judge.alike(now, before) for now, before in pairs)

    def _stands(self, features: CellFeatures, chances: Marginals, loose: bool) -> bool:
        """Whether a disc may stand at a cell's cell, and hide what lies there. A flat piece by itself looks a little like any
        disc; that counts for nothing once all discs are found elsewhere, but it does while one of them is ``loose``."""
        posterior = self._judge.posteriors(features)
        some = sum(chances.at.get(features.spot, {}).values())
        return (
            some > 1 - self._settings.claim
            or posterior[REJECT] > self._settings.judge.strange
            or (loose and posterior[BARE] < self._settings.judge.strange)
        )

    def _hidden(self, prepared: PreparedImage, cell_features: list[CellFeatures]) -> frozenset[str]:
        """Cells and places that something else than a piece lies or hangs over, or that are out of the picture."""
        out = {features.spot for features in cell_features if not features.sighted}
        recognised = {}
        for features in cell_features:
            if features.disc is None:
                continue
            posterior = self._judge.posteriors(features)
            if sum(v for name, v in posterior.items() if "/" in name) > 0.9:  # some disc, whichever
                x, y = self._board.mm(features.spot)
                recognised[x + features.disc.offset_mm[0], y + features.disc.offset_mm[1]] = (
                    self._extractor.finder.radius_mm + 6.0
                )
        spots = [*self._board.cells, *self._board.places]
        strange, burnt = self._occlusion.foreign_objects(prepared, recognised), self._occlusion.burnt_out(prepared)
        return (
            self._occlusion.covered(strange, spots, 15.0, 0.3) | self._occlusion.covered(burnt, spots, 15.0, BURNT_SHARE) | out
        )

    def _lost(self, frame: Frame, why: str) -> Observation:
        """The board is not in the picture, or it is another one: nothing is claimed."""
        unknown = {}
        for group in self._pieces.groups.values():
            spots = self._extractor.spots(group)
            for name in (
                [p.id for p in self._pieces.in_group(group.key)]
                if named_by_piece(group)
                else self._board.pairs(spots)
                if group.layout == "pairs"
                else spots
            ):
                unknown[subject(name, group)] = why
        return Observation(Reading((), unknown, (why,), True, frame.captured_at, frame.source), None, frozenset(), (why,))

    def _full_size(self, registration: Registration, frame: Frame) -> Registration:
        """The registration in the frame's own pixels."""
        return (
            registration
            if registration.lens.size == frame.size
            else with_lens(registration, registration.lens.scaled(frame.size))
        )
