"""The reader of unmodified pawns and tokens: finds the taught board in a picture, asks what lies on every site, claims what is
surely so. A site that something hides keeps what was known of it before; else it is unknown."""

from dataclasses import replace

from companion.boards import Board, PieceSet
from companion.errors import BadInput
from companion.vision.camera import Registration
from companion.vision.cards.view import MatGrid
from companion.vision.faults import frame_fault
from companion.vision.frame import Frame, Image
from companion.vision.observation import Observation
from companion.vision.pawns.finds import Finds, Found
from companion.vision.pawns.looks import PawnTeaching, groups, looks
from companion.vision.pawns.regions import clustered
from companion.vision.pawns.search import search
from companion.vision.pawns.settings import PawnSettings
from companion.vision.pawns.shape import Sightline
from companion.vision.pawns.sites import Sites
from companion.vision.pawns.taught import learn
from companion.vision.pawns.view import MARGIN_MM, BareBoard, BoardView, Light
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.surface import View
from companion.vision.plain.tracking import Tracker
from companion.vision.reader import Budget, Reader, Region, Traits
from companion.vision.reading import Reading, Sighting, named_by_piece, subject

_SURE = 0.995
"""The confidence of a claim: its lead was asked for."""
_COARSER = 2
"""How many times fewer samples each way tell the light of a look at a region."""
_MOST = 0.4
"""The share of the view above which a region is not worth being searched by itself."""


class PawnReader(Reader):
    """Reads one taught copy. Raises BadInput where the game has no pawns or tokens on single sites, or nothing was taught."""

    def __init__(self, board: Board, pieces: PieceSet, teaching: PawnTeaching, settings: PawnSettings | None = None) -> None:
        if not groups(pieces):
            raise BadInput(f"{board.name} has no pawns or tokens that lie on single sites")
        if not teaching.lessons:
            raise BadInput("no piece was taught: take the pictures with the pieces laid out")
        self.board, self.pieces, self.teaching = board, pieces, teaching
        self.settings = settings or PawnSettings()
        self._looks = looks(pieces)
        self._tracker = tracker_of(teaching, board)
        self.copy = learn(teaching, board, pieces, self._tracker, self.settings)
        self._last: Registration = teaching.registration
        self._sites: Sites | None = None
        self._bare: BareBoard | None = None

    @property
    def traits(self) -> Traits:
        """Of a region only what lies about it is looked at, but the light of all of the board."""
        return Traits(partial=True, taught=True, at_once=True)

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        """Read a picture; what is hidden in it and was claimed by ``prior``, or by the look of ``region``, stays."""
        fault = frame_fault(frame.image)
        lens = self.teaching.registration.lens
        if fault is None and not lens.fits(frame.size):
            fault = "the pictures have another shape than those that this table was taught in: teach it again"
        found = None if fault is not None else self._tracker.follow(frame.image, lens.scaled(frame.size), self._last)
        if found is None:
            why = fault or "the taught board is not in sight"
            return Observation(Reading((), {}, (why,), True, frame.captured_at, frame.source), None, frozenset(), (why,))
        sites, bare = self._looking(found)
        before = region.last.reading if region is not None else prior
        finds = self._again(frame.image, found, region) if region is not None else None
        if finds is None:
            finds = search(sites, BoardView.of(frame.image, sites.grid, bare, self.settings), self._where(before))
        return self._told(frame, found, finds, before)

    def displacement_px(self, frame: Frame, registration: Registration) -> float | None:
        """How far the board lies from where a registration says, in pixels."""
        return self._tracker.displacement_px(frame.image, registration)

    def _again(self, image: Image, found: Registration, region: Region) -> Finds | None:
        """What was found in the last look, where a region was searched again; None where all of the board must be: that look
        was none at this registration, the region is most of the board, or what is found there cannot be beside the rest."""
        before, (sites, bare) = region.last.memory, self._looking(found)
        if not isinstance(before, Finds) or region.last.registration is not found:
            return None
        parts = clustered(sites, region.spots)
        if sum(box.area for box, _ in parts) > _MOST * sites.grid.size[0] * sites.grid.size[1]:
            return None
        finds, light = before.on(region.spots, others=True), Light.of(image, sites.grid, bare, self.settings, _COARSER)
        for box, spots in parts:
            part = sites.part(box, spots)
            view = BoardView.lit(image, part.grid, bare.part(box), light.part(box), self.settings)
            finds = finds.and_also(search(part, view, self._where(region.last.reading)).on(spots))
        return None if finds.too_many else finds

    def _where(self, before: Reading | None) -> frozenset[tuple[str, str]]:
        """By group and site, where pieces were told before."""
        told = before.sightings if before is not None else ()
        return frozenset((self.pieces.group_of(one.piece).key, one.place) for one in told)

    def _looking(self, found: Registration) -> tuple[Sites, BareBoard]:
        """What belongs to one registration of the board; made anew only when it moved."""
        if self._sites is None or self._bare is None or found is not self._last:
            grid = MatGrid.over(found, self.board.size_mm, MARGIN_MM, self.settings.scale)
            self._sites = Sites(self.board, self.pieces, self.copy, grid, Sightline.of(found), self.settings)
            self._bare = BareBoard.of(self.teaching.empty, self.teaching.registration, grid, self.copy.flat_field)
            self._sites.know_faint(self._bare)
            self._last = found
        return self._sites, self._bare

    def _told(self, frame: Frame, registration: Registration, finds: Finds, before: Reading | None) -> Observation:
        found = finds.meaning(self.pieces)
        sightings: list[Sighting] = []
        free = {piece.id: True for piece in self.pieces.pieces.values()}
        unknown = dict(found.unknown)
        for put in sorted(found.pieces, key=lambda put: len(put.look.pieces)):
            among = tuple(piece for piece in put.look.pieces if free.get(piece))
            group = self.pieces.groups[put.look.group]
            if not among:
                unknown[subject(put.look.pieces[0] if group.layout == "by-piece" else put.spot, group)] = (
                    "more pieces seem to lie there than the game has"
                )
                continue
            free[among[0]] = False
            alike = among if put.look.face is not None and len(put.look.pieces) > 1 else ()
            sightings.append(Sighting(among[0], put.spot, put.look.face, None, _SURE, put.mm, None, alike))
        for sighting, name in self._carried(found, before):
            piece = next((one for one in self._alike(sighting) if free.get(one)), None)
            if name in unknown and piece is not None:
                free[piece] = False
                sightings.append(replace(sighting, piece=piece))
                del unknown[name]
        known = {self._name(one) for one in before.sightings} if before is not None else set()
        for name in tuple(unknown):
            if before is not None and name in found.hidden and name not in before.unknown and name not in known:
                del unknown[name]  # nothing was known to lie there before it was hidden
        problems = tuple(dict.fromkeys(unknown.values()))
        reading = Reading(tuple(sightings), unknown, problems, True, frame.captured_at, frame.source)
        return Observation(reading, registration, found.occluded, problems, finds)

    def _carried(self, found: Found, before: Reading | None) -> "list[tuple[Sighting, str]]":
        """What was claimed before of sites that are hidden now, with the doubt that it settles. What the rules keep off what
        hides it may have been taken away before that was put there: it is not carried."""
        if before is None:
            return []
        carried, above = [], {(put.spot, put.look.group) for put in found.pieces}
        for sighting in before.sightings:
            name = self._name(sighting)
            barred = any((sighting.place, key) in above for key in self.pieces.group_of(sighting.piece).barred)
            if name in found.hidden and sighting.place in found.hidden[name] and not barred:
                carried.append((replace(sighting, confidence=min(sighting.confidence, 0.98)), name))
        return carried

    def _name(self, sighting: Sighting) -> str:
        """The subject of a doubt about what was told."""
        group = self.pieces.group_of(sighting.piece)
        return subject(sighting.piece if named_by_piece(group) else sighting.place, group)

    def _alike(self, sighting: Sighting) -> tuple[str, ...]:
        """The pieces that may be what was told, the one that was named first: pieces that look alike are given names picture
        by picture."""
        look = next((look for look in self._looks if sighting.piece in look.pieces and look.face == sighting.face), None)
        return (sighting.piece, *(look.pieces if look is not None else ()))


def tracker_of(teaching: PawnTeaching, board: Board) -> Tracker:
    """What finds the taught board in other pictures."""
    plain = PlainSettings()
    view = View.of(teaching.empty, teaching.registration, board, plain.surface)
    return Tracker(view, board, plain.track, plain.surface)
