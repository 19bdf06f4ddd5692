"""Read unmodified cards in zones: each when it lands, then followed while it lies there.

The mat is found by its frame stickers and seen from above. What differs from the last settled picture is asked for a card: a
rectangle, a pose, the likeliest taught face, accepted on its lead over all others and on its own fit. Cards that lie are
kept with
their poses; one is gone when what is in sight of it has changed and nothing that was laid covers it.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from types import MappingProxyType

import cv2
import numpy as np

from companion.boards import Board, FrameMarker, PieceSet, Point, Zone
from companion.errors import BadInput
from companion.vision.camera import Lens, Registration
from companion.vision.cards.beside import BesideTheMat, SeenBeside
from companion.vision.cards.faces import CardTeaching, DeckFace, card_groups, deck_faces, patches
from companion.vision.cards.landing import ChangedPatch, changed, patches_of, unlike
from companion.vision.cards.likeness import FaceBank, Match
from companion.vision.cards.settings import CardSettings
from companion.vision.cards.view import CardPose, Floats, MatGrid, evened, lab
from companion.vision.faults import frame_fault
from companion.vision.frame import Frame, Mask
from companion.vision.marked.markers import MarkerDetector
from companion.vision.marked.reader import MarkedReader
from companion.vision.observation import Observation, Top
from companion.vision.reader import Budget, Reader, Region, Traits
from companion.vision.reading import Reading, Sighting, about_place

_MARGIN_MM = 30.0
_RECHECK_S = 0.8
"""0.4..1.5 s: a card laid upon one that looks nearly the same changes too little to be noticed otherwise."""
_KEPT = 12
"""So many of the last looks are remembered, for one of them is the settled one that the next is compared with."""
_STAYS, _STIRS = 0.3, 0.04
"""0.2..0.4: the share of what is in sight of a card that may have changed while it lies still; 0.02..0.08: beyond which it is
asked whether the bare mat shows there."""


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card that was read and is followed: its face (a number), the card it counts for, where it lies, and how surely it was
    read."""

    face: int
    piece: str
    zone: str
    pose: CardPose
    confidence: float


@dataclass(frozen=True, eq=False)
class Stranger:
    """Something that lies in a zone and was not told: where (pixels of the view), and why."""

    mask: Mask
    zone: str
    why: str


@dataclass(frozen=True, eq=False)
class CardMemory:
    """What is known after a look: the view (Lab) of it, the bare mat as far as it was seen (NaN elsewhere), the cards from the
    lowest up, and what lies there untold. ``buried``: by zone, how many of its cards lie below one that was never told;
    ``beside``: what came into view beside the mat."""

    grid: MatGrid
    view: Floats
    bare: Floats
    cards: tuple[LyingCard, ...]
    strangers: tuple[Stranger, ...] = ()
    buried: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    beside: SeenBeside | None = None

    @property
    def doubts(self) -> Mapping[str, str]:
        """By zone, why what lies there was not told."""
        return {one.zone: one.why for one in reversed(self.strangers)}


class CardReader(Reader):
    """Reads one deck on one mat. Raises BadInput where the game has no cards in zones or nothing was taught."""

    def __init__(
        self, board: Board, pieces: PieceSet, teaching: CardTeaching, lens: Lens | None = None,
        settings: CardSettings | None = None,
    ) -> None:  # fmt: skip
        groups = card_groups(pieces)
        if not groups:
            raise BadInput(f"{board.name} has no cards that lie in zones")
        if not teaching.faces:
            raise BadInput("no card was taught: show each face once")
        self.board, self.pieces, self.teaching = board, pieces, teaching
        self.settings = settings or CardSettings()
        self.faces: tuple[DeckFace, ...] = deck_faces(pieces)
        self.size_mm = teaching.size_mm
        self.bank = FaceBank(patches(teaching, self.faces), self.size_mm, self.settings.likeness)
        backs = [(face, patch) for face, patch in patches(teaching, self.faces) if self.faces[face].back]
        own = FaceBank(backs, self.size_mm, self.settings.likeness)
        self._beside = BesideTheMat(board, self.size_mm, teaching.ground, own, self.settings)
        others = {key: one for key, one in pieces.groups.items() if one not in groups and one.marker_mm > 0}
        kept = {name: piece for name, piece in pieces.pieces.items() if piece.group in others}
        stickers = {number: one for number, one in pieces.stickers.items() if one.piece in kept}
        beside = replace(pieces, groups=others or pieces.groups, pieces=kept, stickers=stickers)
        # What carries stickers all the same (a marker on a track) is read by them; cards are nothing to that reader.
        self._stickers = bool(others)
        self._marked = MarkedReader(replace(board, zones=MappingProxyType({})), beside, lens)
        largest = max(board.size_mm)
        least = min(marker.side_mm for marker in pieces.frame_markers.values()) / largest if pieces.frame_markers else 0.02
        self._detector = MarkerDetector(
            pieces.dictionary, frozenset(pieces.frame_markers), self._marked.settings.markers, least
        )
        self.zones = tuple(
            zone
            for zone in board.zones.values()
            if not zone.masked and any(zone.kind in (*group.on, *group.strays) for group in groups)
        )
        self._words = {
            zone.id: next(group for group in (*groups, *groups) if zone.kind in (*group.on, *group.strays))
            for zone in self.zones
        }
        self._past: deque[tuple[Reading, CardMemory]] = deque(maxlen=_KEPT)
        self._grid: MatGrid | None = None
        self._areas: dict[str, Mask] = {}
        self.everywhere: Mask = np.ones((1, 1), np.bool_)

    @property
    def traits(self) -> Traits:
        """It compares pictures, so a region costs what the whole picture does, and it always tells all of it."""
        return Traits(partial=True, at_once=True, recheck_s=_RECHECK_S)

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        """Read a picture. What lay there in the look to go on from (``region``'s, else that of ``prior``) is followed."""
        fault = frame_fault(frame.image)
        if fault is not None:
            return self._nothing(frame, fault)
        memory = self._memory_of(prior, region)
        if not self._stickers:
            registration = self.register(frame)
            if registration is None:
                return self._nothing(frame, "the frame stickers around the mat are not in sight")
            return self.read_at(frame, registration, memory)
        beside = self._marked.read(frame)
        if beside.registration is None:
            return beside
        cards = self.read_at(frame, beside.registration, memory)
        reading = replace(
            cards.reading, sightings=(*beside.reading.sightings, *cards.reading.sightings),
            unknown={**beside.reading.unknown, **cards.reading.unknown}, lying=beside.reading.lying,
            problems=(*beside.reading.problems, *cards.reading.problems),
        )  # fmt: skip
        assert isinstance(cards.memory, CardMemory)
        self._past.append((reading, cards.memory))
        return replace(cards, reading=reading, occluded=beside.occluded | cards.occluded, problems=reading.problems)

    def register(self, frame: Frame) -> Registration | None:
        """Where the mat lies in a picture, by its frame stickers."""
        return self._marked.register(frame, self._detector.detect(frame.image))

    def read_at(self, frame: Frame, registration: Registration, before: CardMemory | None = None) -> Observation:
        """Read a picture of a mat that lies where a registration says, going on from an earlier look."""
        grid = self._grid_for(registration)
        memory = self._followed(frame, grid, before)
        reading, occluded = self._reading(frame, memory)
        self._past.append((reading, memory))
        beside = frozenset(memory.beside.cards) if memory.beside is not None else frozenset[str]()
        return Observation(reading, registration, occluded, reading.problems, memory, self._tops(memory), beside)

    def displacement_px(self, frame: Frame, registration: Registration) -> float | None:
        """How far the mat's stickers lie from where a registration has them, in pixels."""
        return self._marked.displacement_px(frame, registration)

    # --- what is known -------------------------------------------------------------------------------------------

    def _memory_of(self, prior: Reading | None, region: Region | None) -> CardMemory | None:
        if region is not None and isinstance(region.last.memory, CardMemory):
            return region.last.memory
        if prior is not None:
            for reading, memory in reversed(self._past):
                if reading.captured_at == prior.captured_at and reading.sightings == prior.sightings:
                    return memory
        return None

    def _grid_for(self, registration: Registration) -> MatGrid:
        if self._grid is None or self._grid.registration is not registration:
            self._grid = MatGrid.over(registration, self.board.size_mm, _MARGIN_MM, self.settings.landing.scale)
            self._areas = {zone.id: self._grid.polygon(zone.outline_mm) for zone in self.zones}
            masked = [self._grid.polygon(zone.outline_mm) for zone in self.board.zones.values() if zone.masked]
            self.everywhere = np.zeros(self._grid.size[::-1], np.bool_)
            for zone in self.zones:
                self.everywhere |= self._grid.polygon(_wider(zone, _HANGS_OVER_MM))
            width, height = self.board.size_mm
            self.everywhere &= self._grid.polygon([(0, 0), (width, 0), (width, height), (0, height)])
            stickers = [_square(one) for one in self.pieces.frame_markers.values()]
            for area in (*masked, *map(self._grid.polygon, stickers)):
                self.everywhere &= ~area
        return self._grid

    def area_of(self, zone: str) -> Mask:
        """The pixels of the view within a zone."""
        return self._areas[zone]

    def spent(self, lying: Sequence[LyingCard]) -> frozenset[int]:
        """The faces of which as many cards lie there as the deck has; a deck made of the pile begins anew."""
        counts = Counter(card.face for card in lying)
        return frozenset(face for face, count in counts.items() if count >= len(self.faces[face].pieces))

    def _nothing(self, frame: Frame, why: str) -> Observation:
        return Observation(Reading((), {}, (why,), True, frame.captured_at, frame.source), None, frozenset(), (why,))

    # --- following -----------------------------------------------------------------------------------------------

    def _followed(self, frame: Frame, grid: MatGrid, before: CardMemory | None) -> CardMemory:
        seen = grid.seen(frame.image)
        width, height = self.board.size_mm
        target = np.asarray(self.teaching.ground, np.float32)
        view = lab(evened(seen, target, grid.polygon([(0, 0), (width, 0), (width, height), (0, height)])))
        plain = lab(target.reshape(1, 1, 3))
        look = _Look(self, grid, view, np.broadcast_to(plain, view.shape))
        if before is not None and before.grid is grid:
            bare = before.bare
            cards, strangers = look.after(before)
        else:
            bare = np.full_like(view, np.nan)
            cards, strangers = look.afresh(before.cards if before is not None else ())
        buried = dict(before.buried) if before is not None else {}
        lying = {zone.id: sum(card.zone == zone.id for card in cards) for zone in self.zones}
        buried = {zone: min(count, lying[zone]) for zone, count in {**buried, **look.buried}.items() if lying[zone]}
        beside = self._beside.look(frame.image, grid.registration, before.beside if before is not None else None)
        return CardMemory(grid, view, look.bared(bare, cards, strangers), cards, strangers, buried, beside)

    # --- what is said ---------------------------------------------------------------------------------------------

    def _reading(self, frame: Frame, memory: CardMemory) -> tuple[Reading, frozenset[str]]:
        sightings: list[Sighting] = []
        unknown = {about_place(zone, self._words[zone]): why for zone, why in memory.doubts.items()}
        problems = list(memory.doubts.values())
        pieces = self._told_apart(memory.cards)
        for zone in self.zones:
            for rank, card in self._shown(zone, memory):
                face, piece = self.faces[card.face], pieces.get(id(card))
                if piece is None:
                    count = sum(other.face == card.face for other in memory.cards)
                    why = (
                        f"{count} cards that show {face.name} were laid, the deck has {len(face.pieces)}: one was read wrongly"
                    )
                    unknown.setdefault(about_place(zone.id, self._words[zone.id]), why)
                    problems.append(why)
                    continue
                among = face.pieces if face.shared else ()
                stack = zone.order == "stack"
                at = None if stack else (card.pose.x, card.pose.y)
                sightings.append(
                    Sighting(piece, zone.id, face.side, None, card.confidence, at, None, among, rank if stack else None)
                )
        occluded = frozenset(zone for zone, why in memory.doubts.items() if why.startswith(_HIDDEN))
        reading = Reading(tuple(sightings), unknown, tuple(dict.fromkeys(problems)), True, frame.captured_at, frame.source)
        return reading, occluded

    def _tops(self, memory: CardMemory) -> Mapping[str, Top]:
        """The upmost card of each zone of which nothing is in doubt."""
        lying = {card.zone: card for card in memory.cards if card.zone not in memory.doubts}
        return {zone: Top((card.pose.x, card.pose.y), not self.faces[card.face].back) for zone, card in sorted(lying.items())}

    def _told_apart(self, cards: Sequence[LyingCard]) -> dict[int, str]:
        """The card that each one counts for (by its identity), so that none counts twice: what few cards show first,
        backs last, each the one it counted for before where it can. One that the deck has no card for is left out."""
        free = {piece for face in self.faces for piece in face.pieces}
        found: dict[int, str] = {}
        for card in sorted(cards, key=lambda card: len(self.faces[card.face].pieces)):
            among = self.faces[card.face].pieces
            piece = card.piece if card.piece in free else next((piece for piece in among if piece in free), None)
            if piece is not None:
                free.discard(piece)
                found[id(card)] = piece
        return found

    def _shown(self, zone: Zone, memory: CardMemory) -> list[tuple[int, LyingCard]]:
        """The cards of a zone that are claimed, with their ranks: all that were followed since they landed, covered or
        not; of a stack only those above the upmost that was never told, for what lies below that is not known in full."""
        lying = [card for card in memory.cards if card.zone == zone.id]
        if zone.order == "stack":
            lying = lying[memory.buried.get(zone.id, 0) :]
        return list(enumerate(lying))


def _square(sticker: FrameMarker) -> list[Point]:
    """The outline of a frame sticker with its white border."""
    (x, y), half = sticker.centre_mm, sticker.side_mm / 2 + sticker.quiet_mm + 1.0
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _wider(zone: Zone, by_mm: float) -> list[Point]:
    """A zone's outline moved outwards from its middle."""
    x, y = zone.middle
    return [(a + by_mm * (1 if a > x else -1), b + by_mm * (1 if b > y else -1)) for a, b in zone.outline_mm]


_FADES_MM = 5.0
"""How far about what has changed, or was not told, nothing is learnt of the bare mat."""
_HANGS_OVER_MM = 12.0
"""How far a card that lies in a zone may hang over its edge and still be seen whole."""
_HIDDEN = "something"
"""How the reason begins that something lies in a zone that is none of the taught cards, a hand perhaps."""


class _Look:
    """One look at the mat while it is made."""

    def __init__(self, reader: CardReader, grid: MatGrid, view: Floats, plain: Floats) -> None:
        self.reader, self.grid, self.view, self.plain = reader, grid, view, plain
        self.size_mm, self.settings = reader.size_mm, reader.settings
        self.everywhere = reader.everywhere
        self.ground = plain
        self.buried: dict[str, int] = {}
        self.change: Mask = np.zeros(view.shape[:2], np.bool_)

    def area(self, pose: CardPose, grow_mm: float = 0.0) -> Mask:
        return self.grid.polygon(pose.corners_mm(self.size_mm, grow_mm))

    def bared(self, bare: Floats, cards: Iterable[LyingCard], strangers: Iterable[Stranger]) -> Floats:
        """The bare mat as far as it is known after this look."""
        open_ = self.everywhere.copy()
        for card in cards:
            open_ &= ~self.area(card.pose, 4.0)
        doubtful = self.change.copy()
        for one in strangers:
            open_ &= ~self.reader.area_of(one.zone)
            doubtful |= one.mask
        # What lies over a zone reaches beyond it, and fades at its edges.
        side = 2 * round(_FADES_MM * self.grid.scale) + 1
        open_ &= cv2.dilate(doubtful.astype(np.uint8), np.ones((side, side), np.uint8)) == 0
        return np.asarray(cv2.copyTo(self.view, open_.astype(np.uint8), bare.copy()), np.float32)

    def after(self, before: CardMemory) -> tuple[tuple[LyingCard, ...], tuple[Stranger, ...]]:
        """What lies there now, given an earlier look with the same camera."""
        known = (before.bare[..., 0] == before.bare[..., 0]).astype(np.uint8)  # NaN is not
        self.ground = np.asarray(cv2.copyTo(before.bare, known, self.plain.copy()), np.float32)
        change = self.change = changed(before.view, self.view, self.settings.landing) & self.everywhere
        same = [one for one in before.strangers if (one.mask & change).sum() <= _STAYS * one.mask.sum()]
        landed, left = self._landings(change, before.cards)
        stirred = np.zeros_like(change)
        for one in before.strangers:
            stirred |= one.mask & (one not in same)
        stirred &= self._foreground() & ~self._covered(landed)
        for patch, _ in left:
            stirred &= ~patch.mask
        if stirred.any():
            more, rest = self._landings(stirred, [*before.cards, *landed])
            landed, left = [*more, *landed], [*left, *rest]
        cover = self._covered(landed)
        hides = cover.copy()
        for patch, _ in left:
            hides |= patch.mask
            for pose in patch.poses[:1]:
                hides |= self.area(pose, 3.0)
        kept = self._remaining(before.cards, change, hides)
        again, untold = self._laid_again(before, kept, landed, hides)
        left = [*left, *untold]
        for one in same:
            if (one.mask & ~cover).sum() <= _BURIED * one.mask.sum():
                self.buried[one.zone] = sum(card.zone == one.zone for card in kept)
        same = [one for one in same if (one.mask & ~cover).sum() > _BURIED * one.mask.sum()]
        return (*kept, *again, *landed), (*same, *self._strangers(left))

    def afresh(self, known: Sequence[LyingCard]) -> tuple[tuple[LyingCard, ...], tuple[Stranger, ...]]:
        """What lies there, where no earlier look can be gone on from: cards that are known are looked for where they lay."""
        above = np.zeros(self.view.shape[:2], np.bool_)
        kept: list[LyingCard] = []
        likeness = self.settings.likeness
        for card in reversed(known):
            match = self._match([card.pose], above)
            hidden = match is None or match.visible < likeness.visible
            if match is None or hidden or (match.face == card.face and match.known(likeness)):
                kept.insert(0, card if match is None or hidden else replace(card, pose=match.pose))
                above |= self.area(card.pose, 3.0)
        landed, left = self._landings(self._foreground() & ~above, kept)
        return (*kept, *landed), self._strangers(left)

    def _foreground(self) -> Mask:
        """What is not the bare mat, as far as that is known, else not its usual colour."""
        return unlike(self.view, self.ground, self.settings.landing) & self.everywhere

    def _match(self, poses: Sequence[CardPose], hidden: Mask | None = None, known: Sequence[LyingCard] = ()) -> Match | None:
        """What shows at one of some poses; a face of which all cards are ``known`` to lie elsewhere is less likely."""
        spent = dict.fromkeys(self.reader.spent(known), self.settings.likeness.spent)
        return self.reader.bank.match(self.grid, self.view, poses, hidden, spent, self.ground) if poses else None

    def _matches(self, patch: ChangedPatch, hidden: Mask | None, known: Sequence[LyingCard]) -> list[Match]:
        """What a changed part may show, one for each place where a card may lie in it; those that are sure first."""
        places = self.reader.bank.places(self.grid, self.view, patch.edges, hidden)
        tried = (self._match(poses, hidden, known) for poses in (patch.poses, *places))
        found = [self._outlined(patch, match) for match in tried if match is not None]
        likeness = self.settings.likeness
        found.sort(key=lambda match: (not match.sure(likeness), not match.known(likeness), -match.fit * match.visible))
        return found

    def _outlined(self, patch: ChangedPatch, match: Match) -> Match:
        """A match as the outline of the change speaks for it: a card's own is no light. Without it, where no drawing can be
        asked for, a hand may pass for a back of its colour."""
        if patch.boxed(match.pose, self.grid, self.size_mm):
            return replace(match, over_bare=float("inf"))
        doubtful = match.detail is None and match.over_bare < _PLAINLY * self.settings.likeness.margin
        return replace(match, over_bare=float("-inf")) if doubtful else match

    def _below(self, pose: CardPose, rest: Mask, hidden: Mask, known: Sequence[LyingCard]) -> Match | None:
        """What shows at a pose that did not fit as long as nothing was known to lie upon it; None where little has changed in
        what is in sight of it, or the card lay there already."""
        area = self.area(pose)
        open_ = area & ~hidden
        if (rest & open_).sum() < _BARELY * open_.sum() or (area & hidden).sum() < _TOUCHES * area.sum():
            return None
        match = self._match([pose], hidden, known)
        lay = any(match is not None and card.face == match.face and card.pose.about(match.pose, 4.0, 4.0) for card in known)
        if match is None or match.detail is None or lay:
            return None
        return match

    def _covered(self, cards: Iterable[LyingCard]) -> Mask:
        found = np.zeros(self.view.shape[:2], np.bool_)
        for card in cards:
            found |= self.area(card.pose, 3.0)
        return found

    def _remaining(self, cards: Sequence[LyingCard], change: Mask, hides: Mask) -> list[LyingCard]:
        """Of the cards that lay there those that lie there still: what was in sight of them is as it was, or hidden now."""
        above = np.zeros(self.view.shape[:2], np.bool_)
        kept: list[LyingCard] = []
        for card in reversed(cards):
            area = self.area(card.pose)
            sight = area & ~above & ~hides
            size = int(sight.sum())
            share = float((change & sight).sum()) / max(1, size)
            in_sight = size / max(1, int(area.sum()))
            if in_sight < 0.02 or share <= _STIRS or (share <= _STAYS and in_sight < self.settings.likeness.visible):
                stays = True
            elif share <= _STAYS:
                # Of a white card on a white mat little changes when it is taken away.
                bank, hidden = self.reader.bank, above | hides
                stays = not bank.bare_shows(self.grid, self.view, card.pose, card.face, self.ground, hidden)
            else:
                match = self._match([card.pose], above | hides)
                stays = match is not None and match.face == card.face and match.sure(self.settings.likeness)
            if stays:
                kept.insert(0, card)
                above |= area
        return kept

    def _landings(
        self, change: Mask, known: Sequence[LyingCard]
    ) -> tuple[list[LyingCard], list[tuple[ChangedPatch, Match | None]]]:
        """The cards that were laid where something has changed, lowest first, and what of the change nothing explains. Cards
        that
        are told at once lie upmost; what shows of others beside them is asked next."""
        landed: list[LyingCard] = []
        hidden = np.zeros(self.view.shape[:2], np.bool_)
        foreground: Mask | None = None
        left: list[tuple[ChangedPatch, Match | None]] = []
        likely: list[CardPose] = []
        for round_ in range(_ROUNDS):
            rest = change & ~self._covered(landed)
            if round_:
                rest &= foreground if foreground is not None else self._foreground()
            cover = hidden if landed else None
            left, found = [], [match for pose in likely if (match := self._below(pose, rest, hidden, [*known, *landed]))]
            likely = []
            for patch in islice(patches_of(rest, self.grid, self.size_mm, self.settings.landing, cover), _MOST_PATCHES):
                matches = self._matches(patch, cover, [*known, *landed])
                left += [] if patch.joined else [(patch, matches[0] if matches else None)]
                found += matches
                for match in matches if patch.edges else ():
                    if len(likely) < _MOST_LIKELY and not any(match.pose.about(pose, 4.0, 6.0) for pose in likely):
                        likely.append(match.pose)
            found = [match for match in found if match.sure(self.settings.likeness)]
            found.sort(key=lambda match: -match.fit * match.visible)
            new: list[LyingCard] = []
            for match in found:
                zone, area = self._in_zone(match.pose), self.area(match.pose, _RIM_MM)
                if zone is None or (area & hidden).sum() > (1 - self.settings.likeness.visible) * area.sum():
                    continue
                piece = self._piece_for(match.face, [*known, *landed, *new])
                self._lay_among(new, LyingCard(match.face, piece, zone.id, match.pose, 0.99))
                hidden |= area
            landed[:0] = new
            if not new:
                break
        cover = self._covered(landed)
        return landed, [entry for entry in left if not self._explained(entry[0], cover, known)]

    def _lay_among(self, landed: list[LyingCard], card: LyingCard) -> None:
        """Add a card to others that were told at once, lowest first: of two upon each other the upper one shows where both
        lie."""
        bank, area = self.reader.bank, self.area(card.pose)
        for number, other in enumerate(landed):
            both = area & self.area(other.pose)
            if both.sum() > _TOUCHES * area.sum() and bank.agreement(
                self.grid, self.view, card.pose, card.face, both
            ) < bank.agreement(self.grid, self.view, other.pose, other.face, both):
                landed.insert(number, card)
                return
        landed.append(card)

    def _explained(self, patch: ChangedPatch, hidden: Mask, known: Sequence[LyingCard]) -> bool:
        """Whether a change needs no further card: it lies below one that was laid, is the bare mat, or shows a card again
        that lay
        covered there."""
        if not patch.thick:
            return True
        rest = patch.mask & ~hidden & self._foreground()
        least = self.settings.landing.least * self.size_mm[0] * self.size_mm[1] * self.grid.scale**2
        if rest.sum() < least:
            return True
        return any(
            float((rest & self.area(card.pose, 3.0)).sum()) > 0.8 * float(rest.sum())
            and (match := self._match([card.pose], hidden)) is not None
            and match.face == card.face
            and match.known(self.settings.likeness)
            for card in known
        )

    def _laid_again(
        self, before: CardMemory, kept: Sequence[LyingCard], landed: Sequence[LyingCard], hides: Mask
    ) -> tuple[list[LyingCard], list[tuple[ChangedPatch, Match | None]]]:
        """Cards laid upon others that look nearly the same, and what was not told: the picture is nearly as it was, but the
        upmost card has moved against everything else. It shows the same face still, or one that differs by little."""
        settings, moved = self.settings.landing, list[LyingCard]()
        untold: list[tuple[ChangedPatch, Match | None]] = []
        taken = {card.zone for card in landed}
        if not {card.zone for card in kept} - taken:
            return moved, untold
        light, green, blue = cv2.split(cv2.absdiff(self.view, before.view))
        difference = np.asarray(cv2.max(cv2.max(light, green), blue), np.float32)
        level = 3 * float(np.median(difference[::4, ::4])) + 2.0
        for zone in self.reader.zones:
            lying = [card for card in kept if card.zone == zone.id]
            if not lying or zone.id in taken:
                continue
            card = lying[-1]
            area = self.area(card.pose, 2.0)
            if self.reader.faces[card.face].back:
                continue  # one may have been taken from below as well as laid: nobody can tell backs
            if (area & hides).any() or float((difference > level)[area].mean()) < _STIRRED:
                continue
            pose = self.reader.bank.refitted(self.grid, self.view, card.pose, card.face)
            was = self.reader.bank.refitted(self.grid, before.view, card.pose, card.face)
            if pose.apart_mm(was) < settings.moved_mm and abs((pose.turn - was.turn + 180) % 360 - 180) < settings.turned_deg:
                continue
            match = self._match([pose, card.pose])
            if match is not None and match.sure(self.settings.likeness):
                piece = self._piece_for(match.face, [*before.cards, *landed])
                moved.append(replace(card, face=match.face, pose=match.pose, piece=piece))
            elif match is not None and match.face != card.face:
                mask = area & (difference > level)
                untold.append((ChangedPatch(mask, float(mask.sum()) / self.grid.scale**2, (match.pose,)), match))
        return moved, untold

    def _in_zone(self, pose: CardPose) -> Zone | None:
        inside = [(zone.inside_mm((pose.x, pose.y)), zone.id, zone) for zone in self.reader.zones]
        best = max(inside, default=None, key=lambda entry: entry[0])
        return best[2] if best is not None and best[0] > 0 else None

    def _piece_for(self, face: int, known: Iterable[LyingCard]) -> str:
        """A card that shows a face and is not counted yet; the last of them where the deck has no more."""
        used = {card.piece for card in known if card.face == face}
        among = self.reader.faces[face].pieces
        return next((piece for piece in among if piece not in used), among[-1])

    def _strangers(self, left: Sequence[tuple[ChangedPatch, Match | None]]) -> tuple[Stranger, ...]:
        """What is said of what lies in a zone and was not told."""
        found = []
        likeness = self.settings.likeness
        for patch, match in left:
            counts = {zone.id: int((patch.mask & self.reader.area_of(zone.id)).sum()) for zone in self.reader.zones}
            zone = max(counts, key=lambda name: counts[name])
            why = f"{_HIDDEN} lies in {zone} that is none of the cards that were taught"
            if match is not None and match.known(likeness) and len(match.rivals) > 1:
                names = " or ".join(dict.fromkeys(self.reader.faces[face].name for face in match.rivals))
                why = f"the card laid in {zone} is {names}: which of them cannot be told"
            found.append(Stranger(patch.mask & self._foreground(), zone, why))
        return tuple(found)


_MOST_PATCHES = 6
"""Parts of a change that are asked for a card, the largest ones."""
_BURIED = 0.2
"""The share in sight of what was not told, below which it lies under the cards laid upon it."""
_ROUNDS = 3
"""Cards laid at once lie upon each other in so many layers at most."""
_MOST_LIKELY, _BARELY = 5, 0.15
"""Poses that are tried again once a card was told upon them; the share of what is in sight of one that must have changed: of a
white card on a white mat frame and picture."""
_PLAINLY = 6.0
"""How many times the usual margin a face without drawing must be likelier than the bare mat, where its outline is not seen."""
_RIM_MM, _TOUCHES = 1.5, 0.02
"""How far about a card that was told a sleeve, and the light at its edge, hide what lies below; the share of a card beyond
which two lie upon each other."""
_STIRRED = 0.01
"""0.005..0.02: the share of a card and its rim that must differ somewhat before it is asked whether it has moved."""
