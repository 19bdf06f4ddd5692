"""Read a table whose pieces carry marker stickers.

A piece is claimed only where its own marker was read, at its known height, clearly on one allowed place. A piece that was
not found is *absent* only when every place it could lie on is in sight and looks bare; otherwise it is unknown.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import dist

import numpy as np

from companion.boards import PAIR, Board, Group, PieceSet, Point
from companion.boards.surface import HEXES
from companion.vision.camera import Array, Lens, Registration
from companion.vision.faults import frame_fault
from companion.vision.frame import Frame, Image, Mask
from companion.vision.marked.background import BackgroundModel, Foreground, background_model, foreground_of
from companion.vision.marked.claims import Claimant, Draft
from companion.vision.marked.crowded import beside_found
from companion.vision.marked.duplicate_markers import frame_finds, have_duplicates, nearest
from companion.vision.marked.evidence import Evidence
from companion.vision.marked.glance import Glances
from companion.vision.marked.markers import Marker, MarkerDetector, cells_across, refined
from companion.vision.marked.missing import hidden_spots, judge_missing
from companion.vision.marked.occlusion_posterior import OcclusionPosterior
from companion.vision.marked.print_visibility import looks_bare
from companion.vision.marked.rectify import SQUARE, in_picture
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.registration import (
    agrees,
    fit_focal_length,
    holds,
    register,
    sticker_corners,
)
from companion.vision.marked.search import search
from companion.vision.marked.settings import MarkedSettings
from companion.vision.marked.tile_sides import SideColours
from companion.vision.observation import Observation
from companion.vision.place_fit import fit_places
from companion.vision.reader import Budget, Reader, Region, Traits
from companion.vision.reading import Reading, Sighting, about_place, covers, named_by_piece, ranked, subject

_ROUGH_MM = 20.0
"""10..30 mm: a registration with a larger standard error at the far corner does not even tell where to look for the board's own
stickers, which are some 20 mm wide on every table."""
_MOST_STILL_MM = 2.5
"""2..4 mm: a frame marker that lies further off than this has moved, however roughly it was laid."""
_FRAME_REACH_MM = 10.0
"""6..14 mm around where a frame sticker is expected that are searched: by how far it may have been laid, whatever the board."""


class MarkedReader(Reader):
    """Reads marked tables. Remembers the last registration (for moments when the frame markers are covered) and what the
    bare board looks like."""

    def __init__(
        self,
        board: Board,
        pieces: PieceSet,
        lens: Lens | None = None,
        settings: MarkedSettings | None = None,
    ) -> None:
        self.board, self.pieces = board, pieces
        self.settings = settings or MarkedSettings()
        self.bare: BackgroundModel | None = None
        self._lens = lens
        self._guessed = lens is None
        self._fitted = False
        self._last: Registration | None = None
        self._near: tuple[Image, Registration, list[Marker]] | None = None
        self._spares = False
        self._looks = SideColours()
        self._below = OcclusionPosterior(board, pieces, self.settings.below)
        smallest = min(group.marker_mm for group in pieces.groups.values()) / max(board.size_mm)
        self._detector = MarkerDetector(pieces.dictionary, pieces.marker_ids, self.settings.markers, smallest)
        self._tallest_mm = pieces.tallest_mm
        self._widest_mm = max(group.marker_mm + 2 * group.quiet_mm for group in pieces.groups.values())
        self._still_mm = max(
            self.settings.still * board.spacing_mm, min(_MOST_STILL_MM, self.settings.hand * pieces.frame_tolerance_mm)
        )
        self._claimant = Claimant(board, pieces, self.settings.claims, self.settings.placing)

    traits = Traits(partial=True, learns=True)

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        """Read a whole picture, or a region. One that cannot be used gives a Look without claims whose problem says why."""
        return self._whole(frame, prior) if region is None else self._reread(frame, region.last, region.spots)

    def _whole(self, frame: Frame, prior: Reading | None, *, told_empty: bool = False) -> Observation:
        """Read a whole picture. ``told_empty``: no piece lies on the board as long as none shows."""
        fault = frame_fault(frame.image, self.settings.frame)
        if fault is not None:
            return self._nothing(frame, fault)
        markers = self._detector.detect(frame.image)
        self._spares = self._spares or have_duplicates(frame_finds(markers, self.pieces))
        registration = self.register(frame, markers)
        if registration is None:
            return self._nothing(frame, self._why_no_board(markers))
        registered = RegisteredImage(frame.image, registration, self.board, self.pieces)
        return self._assemble(frame, registered, markers, prior, told_empty=told_empty)

    def _reread(self, frame: Frame, last: Observation, spots: Collection[str]) -> Observation:
        """Look again at some spots of a table whose camera and board have not moved."""
        if last.registration is None or last.registration.lens.size != frame.size or last.problems or self._in_doubt(last):
            return self.read(frame, last.reading)
        registered = RegisteredImage(frame.image, last.registration, self.board, self.pieces)
        markers = self._detect_around(registered, spots)
        kept = [sighting for sighting in last.reading.sightings if not any(covers(sighting.place, spot) for spot in spots)]
        return self._assemble(frame, registered, markers, last.reading, kept, frozenset(spots))

    def _in_doubt(self, last: Observation) -> bool:
        """Whether what is unknown may be anywhere, so that some spots are not enough. On a board of small sites there is always
        something that a pawn may hide below itself: doubts about places are judged anew with every look at some spots."""
        unknown = last.reading.unknown
        if self.board.surface == HEXES or last.occluded:
            return bool(unknown)
        return any(":" not in name for name in unknown)

    def register(self, frame: Frame, markers: Sequence[Marker]) -> Registration | None:
        """The board's place in this picture; the last one where too few frame markers show but those have not moved."""
        lens = self._lens_for(frame, markers)
        own = self.settings.registration
        found = register(markers, lens, self.board, self.pieces, own, self._last)
        # Two stickers that tell the board's place too roughly still tell where to look for the others.
        roughly = replace(own, largest_error=_ROUGH_MM / self.board.spacing_mm)
        rough = found if found is not None else register(markers, lens, self.board, self.pieces, roughly, self._last)
        seen = list(markers)
        while rough is not None:  # each sticker found tells more closely where the next one is
            more = self._missed_stickers(frame.image, seen, rough)
            better = register([*seen, *more], lens, self.board, self.pieces, own, rough) if more else None
            if better is None or (found is not None and better.error_mm >= found.error_mm):
                break
            found, rough, seen = better, better, [*seen, *more]
        if found is None and self._last is not None and self._last.lens.size == frame.size:
            still = agrees(markers, self._last, self.pieces, self._still_mm)
            if still is None or (not still and self._spares):
                # None of the board's own is in sight, or what lies elsewhere may be spare ones.
                still = self._pieces_agree(markers, self._last)
            if still is not False:
                # While nothing tells whether the board has moved its place is remembered, but nothing is claimed by it.
                return self._last if still else None
        if found is not None and self._last is not None and holds(self._last, found, seen, self.pieces, own):
            return self._last
        self._last = found
        return found

    def frame_corners(self, frame: Frame, registration: Registration) -> Mapping[int, Array]:
        """The corners (pixels) of the frame stickers in sight, sought only where a registration has them."""
        near = nearest(frame_finds(self._detect_near(frame.image, registration), self.pieces), registration, self.pieces)
        return {number: marker.corners for number, marker in near.items()}

    def _missed_stickers(self, image: Image, markers: Sequence[Marker], rough: Registration) -> list[Marker]:
        """Frame stickers that plain detection missed, found where a rough registration expects them.

        Each one more than halves the error: a far, blurred or squeezed sticker is worth a second look.
        """
        registered = RegisteredImage(image, rough, self.board, self.pieces)
        likeness = next(iter(self.pieces.groups.values()))
        found, reach = [], max(_FRAME_REACH_MM, 3 * rough.error_mm)
        # One that lies elsewhere may be a spare one.
        seen = nearest(frame_finds(markers, self.pieces), rough, self.pieces, reach if self._spares else np.inf)
        for marker, printed in self.pieces.frame_markers.items():
            if marker in seen or not in_picture(rough, printed.centre_mm, printed.side_mm / 2, printed.height_mm):
                continue
            group = replace(likeness, marker_mm=printed.side_mm, quiet_mm=printed.quiet_mm, height_mm=printed.height_mm)
            seen_at = Glances(registered, self.settings.glance).worth_a_search(group, [(printed.centre_mm, reach)])
            # What all claims rest upon is not read from cells that are mixed with one another.
            plainly = replace(self.settings.search, least_cell_px=self.settings.search.small_cell_px, large_cell_px=0.0)
            hit = search(registered, seen_at[0], group, {marker}, plainly).marker if seen_at else None
            if hit is not None:
                found.append(refined(registered.grey, hit, self.settings.markers.corner_window_px))
        return found

    def displacement_px(self, frame: Frame, registration: Registration) -> float | None:
        """How far the frame markers lie from where a registration says, in pixels; None when none is in sight."""
        finds = frame_finds(self._detect_near(frame.image, registration), self.pieces)
        seen = nearest(finds, registration, self.pieces)
        if not seen:
            seen = self._elsewhere(self._detector.detect(frame.image), registration)
        off = []
        for marker, sighting in seen.items():
            printed = self.pieces.frame_markers[marker]
            expected = registration.project(sticker_corners(printed), printed.height_mm)
            off.append(float(np.linalg.norm(sighting.corners - expected, axis=1).mean()))
        # A hand-laid sticker lies up to its tolerance off for ever: what counts is the median.
        return float(np.median(off)) if off else None

    def _elsewhere(self, markers: Sequence[Marker], registration: Registration) -> dict[int, Marker]:
        """The board's own among frame markers of which none lies where a registration has it; none where they may be spare."""
        finds = frame_finds(markers, self.pieces)
        roughly = replace(self.settings.registration, largest_error=_ROUGH_MM / self.board.spacing_mm)
        moved = register(markers, registration.lens, self.board, self.pieces, roughly)
        if moved is not None:
            return nearest(finds, moved, self.pieces, 3 * _ROUGH_MM)
        return {} if self._spares or len(finds) > 1 else nearest(finds, registration, self.pieces)

    def _detect_near(self, image: Image, registration: Registration) -> list[Marker]:
        """Detect in small windows around the frame markers' last places; asked again of one picture, the same is told."""
        if self._near is not None and self._near[0] is image and self._near[1] is registration:
            return self._near[2]
        found: list[Marker] = []
        for printed in self.pieces.frame_markers.values():
            reach = SQUARE * (printed.side_mm / 2 + printed.quiet_mm + 12)
            seen = registration.project(reach + printed.centre_mm, printed.height_mm)
            found += self._detect_in(image, seen.min(axis=0), seen.max(axis=0))
        self._near = image, registration, found
        return found

    def learn(self, frame: Frame, observation: Observation, open_: Mask | None = None) -> None:
        """Remember the bare parts of a picture that was read without doubt, for later comparisons; where something may lie that
        was not found is no bare part. ``open_``: where, of the board at a pixel a millimetre, nothing lies that another reader
        tells (None: everywhere)."""
        if observation.registration is None or observation.occluded:
            return
        self._fit_places(frame, observation, observation.registration)
        unknown = observation.reading.unknown
        if self.board.surface != HEXES and not observation.reading.sightings:
            # Where nothing is found at all, a piece that may lie on one site too small to be read makes no other one doubtful.
            unknown = {name: why for name, why in unknown.items() if ":" in name}
        doubtful = {spot for name in unknown for spot in self._spots_of(name)}
        doubtful |= {zone.id for zone in self.board.zones.values() if zone.masked}
        registered = RegisteredImage(frame.image, observation.registration, self.board, self.pieces)
        fresh = background_model(registered, observation.reading.sightings, doubtful, self.settings.bare)
        fresh = fresh if open_ is None else fresh.where(open_)
        self.bare = fresh.merged(self.bare) if self.bare is not None else fresh
        self._looks = self._looks.with_tiles(registered, observation.reading.sightings, self.bare, self.settings.sides)
        self._below.learn(registered, observation.reading.sightings, doubtful)

    def learn_empty(self, frame: Frame) -> None:
        """Remember a picture of a table that is told to be empty: pieces whose stickers are not plainly in sight need not be
        sought, unless one is. Places that look like no other of their kind (below an arm) are left out as in any picture."""
        self.learn(frame, self._whole(frame, None, told_empty=True))

    def _fit_places(self, frame: Frame, observation: Observation, registration: Registration) -> None:
        """Take the places beside the cells for where this printing has them, by the first picture that is learnt."""
        if self._fitted:
            return
        self._fitted = True
        shifts = fit_places(frame.image, registration, self.board)
        if not shifts:
            return
        board = self.board.shifted(shifts)
        self.board = board
        self._below = OcclusionPosterior(board, self.pieces, self.settings.below)
        self._claimant = Claimant(board, self.pieces, self.settings.claims, self.settings.placing)

    def _spots_of(self, unknown: str) -> Collection[str]:
        """Where something may lie that is unknown, by the name of a piece or of what may lie at a place."""
        piece, named, place = unknown.partition(":")
        return place.split(PAIR) if named else self._claimant.placer.allowed(self.pieces.group_of(piece))

    # --- steps ------------------------------------------------------------------------------------------------

    def _assemble(
        self,
        frame: Frame,
        registered: RegisteredImage,
        markers: Iterable[Marker],
        prior: Reading | None,
        kept: Sequence[Sighting] = (),
        spots: frozenset[str] | None = None,
        *,
        told_empty: bool = False,
    ) -> Observation:
        draft = Draft(spares=self._spares)
        draft.keep(kept)
        self._claimant.claim_all(draft, markers, registered.registration)
        self._spares = draft.spares
        if spots is not None and prior is not None and len(spots) == 1 and _alike(draft, prior, self.board):
            # Nothing moved and the one spot that is verified is as it was: what is missing is still where it was.
            return Observation(replace(prior, captured_at=frame.captured_at, source=frame.source), registered.registration)
        foreground = self._foreign(draft, registered, spots)
        before = len(draft.sightings)
        if draft.sightings or not told_empty:
            self._look_again(draft, registered, prior, spots, foreground)
        if foreground is not None and len(draft.sightings) != before:
            foreground = self._foreign(draft, registered, spots)
        evidence = Evidence(
            registered=registered,
            bare=self.bare,
            foreground=foreground,
            prior=prior,
            looks=self._looks,
            below=self._below,
            settings=self.settings,
            found=tuple(draft.sightings.values()),
        )
        occluded = hidden_spots(draft, evidence)
        afresh = spots if self.board.surface != HEXES and prior is not None else None
        judge_missing(draft, self._claimant, evidence, occluded, afresh)
        problems = tuple(draft.problems)
        found = ranked(draft.sightings.values(), self.board)
        lying = {piece: spot for piece, spot in draft.lying.items() if piece in draft.unknown}
        reading = Reading(found, draft.unknown, problems, True, frame.captured_at, frame.source, lying)
        return Observation(reading, registered.registration, occluded, problems)

    def _foreign(self, draft: Draft, registered: RegisteredImage, spots: frozenset[str] | None) -> Foreground | None:
        """What lies on the board that is neither board nor a claimed piece, when that is known and matters."""
        if self.bare is None or (spots is not None and not self._claimant.lost(draft)):
            return None
        return foreground_of(self.bare, registered, draft.sightings.values(), self.settings.bare)

    def _look_again(
        self,
        draft: Draft,
        registered: RegisteredImage,
        prior: Reading | None,
        spots: frozenset[str] | None,
        foreground: Foreground | None,
    ) -> None:
        """Search every place a lost piece could lie on, the place it was last on first.

        While a table is watched, places that surely look bare are left out: that is most of them, and searching is costly.
        """
        bare: set[str] = set()
        if foreground is not None and prior is not None:
            everywhere = (*self.board.cells, *self.board.places)
            mm = np.array([self.board.mm(spot) for spot in everywhere], np.float64).reshape(-1, 2)
            radii = [self.settings.around_bare * self.board.room_mm(spot) for spot in everywhere]
            seem_bare = foreground.bare_at(mm, radii, self.settings.bare)
            bare = {spot for spot, empty in zip(everywhere, seem_bare, strict=True) if empty}
        glances, cells = Glances(registered, self.settings.glance), cells_across(self.pieces.dictionary)
        for group in self.pieces.groups.values():
            lost = set(self._claimant.lost_of(draft, group))
            before = {s.place for s in prior.sightings if s.piece in lost} if prior else set()
            free = [spot for spot in self._claimant.free(draft, group) if spot not in self.board.zones]
            if spots is not None:
                free = [spot for spot in free if not spots.isdisjoint((spot, *spot.split(PAIR)))]
            closely = bool(lost) and named_by_piece(group)  # a small or pale piece may pass for print from afar
            free = [s for s in free if not bare.issuperset(s.split(PAIR)) or (closely and not self._bare(registered, s, group))]
            # Where a taller piece's own sticker is in sight nothing below it can be: its bits would only be misread.
            tops = [s.place for s in draft.sightings.values() if s.at_mm and registered.lies_over(s, group)]
            free = [spot for spot in free if not any(covers(place, cell) for place in tops for cell in spot.split(PAIR))]
            crowd = beside_found(registered, self.bare, group, draft.sightings.values(), self.settings.bare) if lost else []
            reach = self.settings.search.reach
            # Where there is little room the pose, which is off as hand-laid frame stickers are, takes more of it than hands do.
            astray = self.pieces.frame_tolerance_mm if closely and self.board.surface != HEXES else 0.0
            targets = [
                (self.board.mm(spot), reach * min(self.board.room_mm(cell) for cell in spot.split(PAIR)) + astray)
                for spot in sorted(free, key=lambda spot: spot not in before)
            ]
            targets = [*((beside, max(group.size_mm) / 2) for _, beside in crowd), *targets]
            ids, read = self._markers_of(lost), self._read_alike(draft, group)
            for glance in glances.worth_a_search(group, targets if lost else ()):
                if not ids:
                    break
                if any(dist(glance.middle, mm) <= group.marker_mm / cells for mm in read):
                    continue  # the outline is that of a sticker whose bits are known
                found = search(registered, glance, group, ids, self.settings.search)
                if found.marker is None:
                    continue
                sticker = self.pieces.stickers[found.marker.id]
                if sticker.others:
                    self._claimant.claim_shared(draft, sticker, [found.marker], registered.registration, again=True)
                else:
                    self._claimant.claim(draft, sticker.piece, [found.marker], registered.registration, again=True)
                lost -= {piece for piece in sticker.pieces if not sticker.others or piece in draft.settled}
                ids = self._markers_of(lost)
        self._claimant.refuse_shared_places(draft)

    def _read_alike(self, draft: Draft, group: Group) -> list[Point]:
        """Where (board mm) stickers of the size and height of a group's were read, in the middle of their pieces."""
        own = (group.marker_mm, group.quiet_mm, group.height_mm, (0.0, 0.0))
        found = ((self.pieces.group_of(one.piece), one.at_mm) for one in draft.sightings.values())
        return [
            mm
            for other, mm in found
            if mm is not None and (other.marker_mm, other.quiet_mm, other.height_mm, other.marker_at_mm) == own
        ]

    def _markers_of(self, lost: Collection[str]) -> frozenset[int]:
        """The stickers that some lost pieces may bear."""
        return frozenset(s.marker for s in self.pieces.stickers.values() if any(piece in lost for piece in s.pieces))

    def _bare(self, registered: RegisteredImage, spot: str, group: Group) -> bool:
        """Whether a place that looks bare from afar does so from close by."""
        radius, settings = max(group.size_mm) / 2, self.settings
        return self.bare is not None and looks_bare(registered, spot, self.bare, radius, settings.prints, settings.laid)

    def _detect_around(self, registered: RegisteredImage, spots: Collection[str]) -> list[Marker]:
        """Detect in the rectangles around spots; rectangles that touch are looked at as one."""
        boxes: list[tuple[Array, Array]] = []
        for spot in sorted(spots):  # in one order: which rectangles grow together must not hang on chance
            square = self._around_mm(spot)
            seen = np.vstack([registered.registration.project(square, height) for height in (0.0, max(10.0, self._tallest_mm))])
            low, high = seen.min(axis=0), seen.max(axis=0)
            touching = [box for box in boxes if (low <= box[1]).all() and (box[0] <= high).all()]
            boxes = [box for box in boxes if not any(box is other for other in touching)]
            boxes.append(
                (np.min([low, *(box[0] for box in touching)], axis=0), np.max([high, *(box[1] for box in touching)], axis=0))
            )
        return [marker for low, high in boxes for marker in self._detect_in(registered.image, low, high)]

    def _around_mm(self, spot: str) -> Array:
        """Corners (4×2 board mm) of the rectangle that is looked at when a spot is read again."""
        if spot in self.board.zones:
            left, top, right, bottom = self.board.zones[spot].box
            grow = self._widest_mm
            low, high = (left - grow, top - grow), (right + grow, bottom + grow)
            return np.array([low, (high[0], low[1]), high, (low[0], high[1])])
        around = self.settings.around * self.board.room_mm(spot)
        if self.board.surface != HEXES:
            around = max(around, self._widest_mm)
        return np.asarray(SQUARE * around + self.board.mm(spot), np.float64)

    def _detect_in(self, image: Image, low: Array, high: Array) -> tuple[Marker, ...]:
        """Detect in one rectangle (pixels), clipped to the picture."""
        limit = np.array([image.shape[1], image.shape[0]])
        left, top = np.clip(np.floor(low), 0, limit).astype(int)
        right, bottom = np.clip(np.ceil(high), 0, limit).astype(int)
        if min(right - left, bottom - top) < 16:
            return ()
        return self._detector.detect(image[top:bottom, left:right], (float(left), float(top)), max(image.shape))

    def _pieces_agree(self, markers: Sequence[Marker], registration: Registration) -> bool | None:
        """Whether the piece markers lie on allowed places under a registration: the board has not moved. None where too few
        are in sight to tell."""
        verdicts: dict[str, set[str]] = {}
        for marker in markers:
            sticker = self.pieces.stickers.get(marker.id)
            if sticker is not None:
                verdict = self._claimant.verdict(marker, registration)
                verdicts.setdefault(sticker.piece, set()).add(verdict)
        # Beside the board spare ones may lie, which say nothing.
        telling = [mine for mine in verdicts.values() if not (self._spares and mine == {"beside"})]
        return float(np.mean(["on" in mine for mine in telling])) > 0.8 if len(telling) >= 4 else None

    def _lens_for(self, frame: Frame, markers: Sequence[Marker]) -> Lens:
        if self._lens is None or (self._guessed and self._lens.size != frame.size):
            guess = Lens.guess(frame.size)
            self._lens = fit_focal_length(markers, guess, self.pieces, self.settings.registration)
        if self._lens.size != frame.size:
            self._lens = self._lens.scaled(frame.size)
        return self._lens

    def _why_no_board(self, markers: Sequence[Marker]) -> str:
        seen = sorted(marker.id for marker in markers if marker.id in self.pieces.frame_markers)
        wanted = ", ".join(str(marker) for marker in sorted(self.pieces.frame_markers))
        if len(seen) >= 2:
            return f"the board is not found: the frame markers seen ({', '.join(map(str, seen))}) contradict each other"
        return f"the board is not found: {len(seen)} of the frame markers {wanted} seen, at least 2 are needed"

    def _nothing(self, frame: Frame, why: str) -> Observation:
        """A look that claims nothing and names every subject as unknown."""
        unknown: dict[str, str] = {}
        for piece in self.pieces.pieces.values():
            group = self.pieces.groups[piece.group]
            if named_by_piece(group) and group.layout != "by-zone":
                unknown[subject(piece.id, group)] = why
            else:
                unknown |= dict.fromkeys([about_place(spot, group) for spot in self._claimant.placer.allowed(group)], why)
        return Observation(Reading((), unknown, (why,), True, frame.captured_at, frame.source), None, frozenset(), (why,))


def _alike(draft: Draft, prior: Reading, board: Board) -> bool:
    """Whether a draft claims just what an earlier reading did, and doubts nothing."""
    now, before = (
        {(s.piece, s.place, s.face, s.facing, s.rank) for s in sightings}
        for sightings in (ranked(draft.sightings.values(), board), prior.sightings)
    )
    return now == before and not draft.unknown and not draft.problems
