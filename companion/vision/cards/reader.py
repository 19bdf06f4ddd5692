"""Read unmodified cards in zones: each when it lands, then followed while it lies there.

The mat is found by its frame stickers and seen from above. What differs from the last settled picture is asked for a card: a
rectangle, a pose, the likeliest taught face, accepted on its lead over all others and on its own fit. Cards that lie are kept
with their poses; one is gone when what is in sight of it has changed and nothing that was laid covers it.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from companion.boards import Board, Group, PieceSet, Zone
from companion.errors import BadInput
from companion.vision.camera import Array, Lens, Registration
from companion.vision.cards.beside import BesideTheMat
from companion.vision.cards.claims import reading_of, tops
from companion.vision.cards.deck import Deck
from companion.vision.cards.faces import CardTeaching, card_groups
from companion.vision.cards.ground import ground_light
from companion.vision.cards.look import looked
from companion.vision.cards.mat import MARGIN_MM, MatAreas
from companion.vision.cards.memory import CardMemory
from companion.vision.cards.scene import SHADE_MM
from companion.vision.cards.settings import CardSettings
from companion.vision.cards.view import MatGrid, lab
from companion.vision.faults import frame_fault
from companion.vision.frame import Frame, Mask
from companion.vision.marked.background import disc_mask
from companion.vision.marked.frame_stickers import frame_detector
from companion.vision.marked.markers import Marker
from companion.vision.marked.reader import MarkedReader
from companion.vision.observation import Observation
from companion.vision.reader import Budget, Reader, Region, Traits
from companion.vision.reading import Reading
from companion.vision.reading_comparison import same_claims

_RECHECK_S = 0.8
"""0.4..1.5 s: a card laid upon one that looks nearly the same changes too little to be noticed otherwise."""
_LEAST_STICKERS, _HELD_PX = 2, 0.7
"""Frame stickers that must be in sight, and 0.5..1 pixels by which most of them may lie otherwise, for the mat to lie as it
did; a sticker's corners waver by 0.2."""
_PLACE_MM = 30.0
"""20..40 mm about a place with stickers that are learnt as bare, beside which no card is told from the mat."""
_KEPT = 3
"""So many of the last looks are remembered, beside the one that was gone on from last: what settled is one of them, and the
next look goes on from that."""


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
        self.board, self.pieces, self.teaching, self.lens = board, pieces, teaching, lens
        self.settings = settings or CardSettings()
        self.deck = Deck(pieces, teaching, self.settings.likeness)
        self._ground = np.asarray(teaching.ground, np.float32)
        self._zones = tuple(_read_zones(board, groups))
        self._beside = BesideTheMat(board, self.deck.size_mm, self.deck.backs, self.settings)
        others = {key: one for key, one in pieces.groups.items() if one not in groups and one.marker_mm > 0}
        kept = {name: piece for name, piece in pieces.pieces.items() if piece.group in others}
        stickers = {number: one for number, one in pieces.stickers.items() if one.piece in kept}
        marked = replace(pieces, groups=others or pieces.groups, pieces=kept, stickers=stickers)
        # What carries stickers all the same (a marker on a track) is read by them; cards are nothing to that reader.
        self._stickers = bool(others)
        self._with_sticker = frozenset(board.spots) - frozenset(board.zones)
        self._marked = MarkedReader(replace(board, zones=MappingProxyType({})), marked, lens)
        self._detector = frame_detector(board, pieces, self._marked.settings.markers)
        self._base: tuple[Reading, CardMemory] | None = None
        self._past: deque[tuple[Reading, CardMemory]] = deque(maxlen=_KEPT)
        self._areas: MatAreas | None = None
        self._corners: tuple[Registration, Mapping[int, Array]] | None = None

    @property
    def traits(self) -> Traits:
        """It compares pictures, so a region costs what the whole picture does, and it always tells all of it."""
        return Traits(partial=True, at_once=True, recheck_s=_RECHECK_S, learns=self._stickers)

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        """Read a picture. What lay there in the look to go on from (``region``'s, else that of ``prior``) is followed."""
        fault = frame_fault(frame.image) if region is None else None
        if fault is not None:
            return _nothing(frame, fault)
        memory = self._memory_of(prior, region)
        held = self._held(frame, region.last) if region is not None else None
        if not self._stickers:
            registration = held or self.register(frame)
            if registration is None:
                return _nothing(frame, "the frame stickers around the mat are not in sight")
            return self.read_at(frame, registration, memory)
        marked = self._with_stickers(frame, region if held is not None else None, memory)
        if marked.registration is None:
            return marked
        cards = self._looked(frame, marked.registration, memory, marked)
        reading = replace(
            cards.reading, sightings=(*marked.reading.sightings, *cards.reading.sightings),
            unknown={**marked.reading.unknown, **cards.reading.unknown}, lying=marked.reading.lying,
            problems=(*marked.reading.problems, *cards.reading.problems),
        )  # fmt: skip
        occluded = marked.occluded | cards.occluded
        return self._remembered(replace(cards, reading=reading, occluded=occluded, problems=reading.problems))

    def _held(self, frame: Frame, last: Observation) -> Registration | None:
        """The registration of an earlier look, if the frame stickers are still where they were when it was first gone on
        from: a look at them costs little beside another search."""
        known = last.registration
        if known is None:
            return None
        now = self._marked.frame_corners(frame, known)
        if self._corners is None or self._corners[0] is not known:
            if self._marked.register(frame, [Marker(number, corners) for number, corners in now.items()]) is not known:
                return None
            self._corners = known, now
        shared = [(now[number], was) for number, was in self._corners[1].items() if number in now]
        off = [float(np.linalg.norm(one - was, axis=1).mean()) for one, was in shared]
        return known if len(off) >= _LEAST_STICKERS and float(np.median(off)) <= _HELD_PX else None

    def _with_stickers(self, frame: Frame, region: Region | None, memory: CardMemory | None) -> Observation:
        """What is read by stickers: in a region where an earlier look can be gone on from, else in the whole picture."""
        before = memory.stickers if memory is not None else None
        if region is None or before is None or before.registration is not region.last.registration:
            return self._marked.read(frame)
        if region.spots & self._with_sticker:
            # All of its places: a look at the whole picture, which may follow, must come to the same doubts.
            return self._marked.read(frame, region=Region(before, self._with_sticker))
        return replace(before, reading=replace(before.reading, captured_at=frame.captured_at, source=frame.source))

    def register(self, frame: Frame) -> Registration | None:
        """Where the mat lies in a picture, by its frame stickers."""
        return self._marked.register(frame, self._detector.detect(frame.image))

    def read_at(self, frame: Frame, registration: Registration, before: CardMemory | None = None) -> Observation:
        """Read a picture of a mat that lies where a registration says, going on from an earlier look."""
        return self._remembered(self._looked(frame, registration, before))

    def displacement_px(self, frame: Frame, registration: Registration) -> float | None:
        """How far the mat's stickers lie from where a registration has them, in pixels."""
        return self._marked.displacement_px(frame, registration)

    def learn(self, frame: Frame, observation: Observation) -> None:
        """Remember what the bare places look like that pieces with stickers lie on, but for those that a card covers."""
        memory = observation.memory
        if isinstance(memory, CardMemory) and memory.stickers is not None and not memory.strangers:
            self._marked.learn(frame, memory.stickers, self._open_places(memory))

    def _open_places(self, memory: CardMemory) -> Mask:
        """The places of pieces with stickers, at a pixel a millimetre of the mat, without the cards that lie there."""
        width, height = self.board.size_mm
        grid = replace(memory.grid, origin_mm=(0.0, 0.0), size=(round(width), round(height)), scale=1.0)
        found = np.zeros(grid.size[::-1], np.bool_)
        for spot in self._with_sticker:
            found |= disc_mask(found.shape, self.board.mm(spot), _PLACE_MM)
        for card in memory.cards:
            found &= ~grid.polygon(card.pose.corners_mm(self.deck.size_mm, SHADE_MM))
        return found

    def _memory_of(self, prior: Reading | None, region: Region | None) -> CardMemory | None:
        """What was known after the look to go on from."""
        if region is not None and isinstance(region.last.memory, CardMemory):
            self._base = region.last.reading, region.last.memory
            return region.last.memory
        if prior is not None:
            known = [*self._past, *([self._base] if self._base is not None else [])]
            for reading, memory in reversed(known):
                if reading.captured_at == prior.captured_at and reading.sightings == prior.sightings:
                    return memory
            # What is told is told once: a look that settled since, and said the same, stands for it.
            if self._base is not None and same_claims(self._base[0], prior, None):
                return self._base[1]
        return None

    def _remembered(self, observation: Observation) -> Observation:
        """An observation that may be gone on from by its reading."""
        assert isinstance(observation.memory, CardMemory)
        self._past.append((observation.reading, observation.memory))
        return observation

    def _looked(
        self, frame: Frame, registration: Registration, before: CardMemory | None, stickers: Observation | None = None
    ) -> Observation:
        """The cards of a picture, and what is known after it, with what was read of ``stickers``."""
        areas = self._areas_for(registration)
        seen = areas.grid.seen(frame.image)
        light = ground_light(seen, self._ground, areas.mat, areas.grid)
        view, plain = lab(light.taken_out(seen, areas.grid)), lab(self._ground.reshape(1, 1, 3))
        seen_beside = self._beside.look(frame.image, light, registration, before.beside if before is not None else None)
        known = looked(self.deck, areas, view, plain, self.settings, before)
        memory = replace(known, beside=seen_beside, stickers=stickers)
        reading = reading_of(frame, memory, self.deck, self._zones)
        occluded = frozenset(zone for zone, one in memory.doubtful.items() if one.hides)
        beside = frozenset(seen_beside.cards) if seen_beside is not None else frozenset[str]()
        return Observation(reading, registration, occluded, reading.problems, memory, tops(memory, self.deck), beside)

    def _areas_for(self, registration: Registration) -> MatAreas:
        """The mat as one registration has it; made anew only when that changes."""
        if self._areas is None or self._areas.grid.registration is not registration:
            grid = MatGrid.over(registration, self.board.size_mm, MARGIN_MM, self.settings.landing.scale)
            zones, stickers = tuple(zone for zone, _ in self._zones), tuple(self.pieces.frame_markers.values())
            self._areas = MatAreas.of(grid, self.board, zones, stickers)
        return self._areas


def _read_zones(board: Board, groups: Sequence[Group]) -> Iterator[tuple[Zone, Group]]:
    """The zones that are read, each with the group that is spoken of there."""
    for zone in board.zones.values():
        group = next((group for group in groups if zone.kind in (*group.on, *group.strays)), None)
        if group is not None and not zone.masked:
            yield zone, group


def _nothing(frame: Frame, why: str) -> Observation:
    """That a picture tells nothing."""
    return Observation(Reading((), {}, (why,), True, frame.captured_at, frame.source), None, frozenset(), (why,))
