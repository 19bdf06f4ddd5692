"""From markers to claims about pieces: what each marker says, what contradicts what, and what is not known."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import dist, hypot

import numpy as np

from companion.boards import Board, Group, PieceSet, Point, Sticker
from companion.vision.camera import Registration
from companion.vision.marked.markers import Marker
from companion.vision.marked.placing import Placer, Placing, PlacingSettings
from companion.vision.reading import Sighting, about_place, along_mm, named_by_piece, subject


@dataclass(frozen=True, slots=True)
class ClaimSettings:
    """Tunables of the claims.

    size_tolerance
        0.1..0.3: a marker that measures this much larger or smaller than printed does not lie where we think (it is held
        above the table, or is no marker of ours). 0.2 tells 12 cm above the board at 70 cm distance.
    small_size_slack_px
        0.5..2 pixels added to that, for small markers in blurred pictures.
    same
        0.1..0.3 of the spacing of sites (6 mm where that is 40) within which two finds of one marker are one, found twice; no
        more than half a marker.
    order
        0.02..0.05 of the spacing by which one card of an ordered zone must lie before another.
    apart
        0.85..0.95 of their size by which two pieces that are named by themselves must lie apart to be on one site both: small
        pawns can crowd a site, discs that fill a hex cannot.
    centre_px
        0.2..0.5 pixels: how well the middle of a sticker is known in the picture.
    error_factor
        2..3 times the registration's standard error, within which it surely lies: 2.5 held in 450 simulated registrations.
    certain, found_again
        Confidences of a plainly detected marker and of one found by the second look.
    """

    size_tolerance: float = 0.2
    small_size_slack_px: float = 1.5
    same: float = 0.15
    order: float = 0.03
    apart: float = 0.9
    centre_px: float = 0.35
    error_factor: float = 2.5
    certain: float = 0.9995
    found_again: float = 0.998


@dataclass(slots=True)
class Draft:
    """A reading in the making. ``settled`` holds the pieces about which everything is said; ``spares``: stickers that lie on
    no piece are about, so that one beside the board does not say that its piece lies there. ``lying``: as in a reading."""

    sightings: dict[str, Sighting] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)
    lying: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    settled: set[str] = field(default_factory=set)
    spares: bool = False

    def keep(self, sightings: Iterable[Sighting]) -> None:
        """Take over claims of an earlier reading."""
        for sighting in sightings:
            self.sightings[sighting.piece] = sighting
            self.settled.add(sighting.piece)


@dataclass(frozen=True, eq=False, slots=True)
class Find:
    """A marker that lies flat, and what that would mean if it were on its piece: which side is up, and where (board mm)."""

    marker: Marker
    face: str | None
    mm: Point
    placing: Placing

    @property
    def beside(self) -> bool:
        """Whether it lies off every place of the board."""
        return self.placing.verdict == "beside"

    def is_another(self, face: str | None, mm: Point, same_mm: float) -> bool:
        """Whether it is not the marker of ``face`` that was found at ``mm``."""
        return self.face != face or hypot(self.mm[0] - mm[0], self.mm[1] - mm[1]) > same_mm


class Claimant:
    """Turns markers into claims on one table."""

    def __init__(self, board: Board, pieces: PieceSet, settings: ClaimSettings, placing: PlacingSettings) -> None:
        self._board, self._pieces = board, pieces
        self._settings = settings
        self.placer = Placer(board, placing)

    def claim_all(self, draft: Draft, markers: Iterable[Marker], registration: Registration) -> None:
        """Claim every piece whose marker is among ``markers``."""
        seen: dict[str, list[Marker]] = {}
        shared: dict[int, list[Marker]] = {}
        for marker in markers:
            sticker = self._pieces.stickers.get(marker.id)
            if sticker is not None and sticker.others:
                shared.setdefault(marker.id, []).append(marker)
            elif sticker is not None:
                seen.setdefault(sticker.piece, []).append(marker)
        found = {piece: self._finds(piece, mine, registration) for piece, mine in seen.items()}
        draft.spares = draft.spares or any(self._holds_a_spare(draft, piece, finds) for piece, finds in found.items())
        for piece, finds in found.items():
            self._claim(draft, piece, finds, registration)
        for number, mine in shared.items():  # after those that are named: what is left may lie with an unreadable side up
            self.claim_shared(draft, self._pieces.stickers[number], mine, registration)
        self.refuse_shared_places(draft)

    def claim_shared(
        self, draft: Draft, sticker: Sticker, seen: Sequence[Marker], registration: Registration, again: bool = False
    ) -> None:
        """Claim that some of the pieces that share a sticker lie where it was seen; which of them lies where is not claimed."""
        group, finds = self._pieces.group_of(sticker.piece), list[Find]()
        for find in self._finds(sticker.piece, seen, registration):
            known = [s.at_mm for s in draft.sightings.values() if s.among and s.face == sticker.face and s.at_mm is not None]
            same_mm = self._same_mm(sticker.piece)
            if not any(dist(find.mm, at) <= same_mm for at in (*known, *(other.mm for other in finds))):
                finds.append(find)
        left = [piece for piece in sticker.pieces if piece not in draft.settled]
        if len(finds) > len(left):
            text = f"{group.singular}, side {sticker.face}: {len(finds)} are seen, only {len(left)} can lie so"
            draft.settled.update(left)
            for find in finds:
                self._doubt_place(draft, group, find.placing.spot, text)
            return
        confidence = self._settings.found_again if again else self._settings.certain
        for piece, find in zip(left, sorted(finds, key=lambda find: (find.placing.spot, find.mm)), strict=False):
            placing = find.placing
            if placing.verdict == "masked":
                continue
            draft.settled.add(piece)
            if placing.verdict == "on":
                draft.sightings[piece] = Sighting(
                    piece, placing.spot, sticker.face, None, confidence, find.mm, None, tuple(left)
                )  # fmt: skip
            elif placing.verdict != "beside":
                text = f"the marker of a {group.singular} lies {self._where(placing, group)}"
                for spot in (placing.spot, placing.rival) if placing.verdict == "between" else (placing.spot,):
                    self._doubt_place(draft, group, spot, text)

    def _same_mm(self, piece: str) -> float:
        """Within how many millimetres two finds of a marker are one; two stickers are further apart than half a side."""
        return min(self._settings.same * self._board.spacing_mm, self._pieces.group_of(piece).marker_mm / 2)

    def _where(self, placing: Placing, group: Group) -> str:
        """Where a piece lies that is not on a place of its own, in words."""
        if placing.verdict == "between":
            return f"between {placing.spot} and {placing.rival}"
        return f"on {placing.spot} ({self.placer.kind(placing.spot)}); allowed: {', '.join(group.on)}"

    def _doubt_place(self, draft: Draft, group: Group, spot: str, text: str) -> None:
        """Say that what lies on a place is not known and why."""
        for piece in [s.piece for s in draft.sightings.values() if s.among and s.place == spot]:
            del draft.sightings[piece]
        draft.unknown.setdefault(about_place(spot, group), text)
        if text not in draft.problems:
            draft.problems.append(text)

    def claim(self, draft: Draft, piece: str, seen: Sequence[Marker], registration: Registration, again: bool = False) -> None:
        """Turn the markers seen of one piece into a claim, a doubt, or nothing (it lies beside the board)."""
        self._claim(draft, piece, self._finds(piece, seen, registration), registration, again)

    def _finds(self, piece: str, seen: Sequence[Marker], registration: Registration) -> list[Find]:
        """Where each marker of a piece lies that lies flat."""
        group, bound = self._pieces.group_of(piece), self._settings.error_factor * registration.error_mm
        finds = []
        for marker in seen:
            if self._lies_flat(marker, group, registration):
                along = _along(marker, group, registration)
                mm = _foot_mm(marker, group, registration, along)
                grain = self._settings.error_factor * self._settings.centre_px / registration.pixels_per_mm(mm, group.height_mm)
                placing = self.placer.place(group, mm, bound, along, grain, _shift_mm(marker, group, registration))
                finds.append(Find(marker, self._pieces.stickers[marker.id].face, mm, placing))
        return finds

    def verdict(self, marker: Marker, registration: Registration) -> str:
        """The placer's verdict on where the piece lies that carries a marker, as if all were known exactly."""
        group = self._pieces.group_of(self._pieces.stickers[marker.id].piece)
        return self.placer.place(group, _foot_mm(marker, group, registration, _along(marker, group, registration))).verdict

    def _holds_a_spare(self, draft: Draft, piece: str, finds: Sequence[Find]) -> bool:
        """Whether a piece's markers lie at several places and one of them beside the board: no piece lies at two."""
        earlier = draft.sightings.get(piece)
        beside = [find for find in finds if find.beside]
        if not beside:
            return False
        first, same_mm = beside[0], self._same_mm(piece)
        return earlier is not None or any(find.is_another(first.face, first.mm, same_mm) for find in finds)

    def _claim(self, draft: Draft, piece: str, finds: Sequence[Find], registration: Registration, again: bool = False) -> None:
        group, name = self._pieces.group_of(piece), self._pieces.pieces[piece].name
        if not finds:
            return
        # One on the board is the piece's, and one beside it a spare: of two on the board either may be.
        finds = [find for find in finds if not find.beside]
        if not finds:
            if not draft.spares:
                draft.settled.add(piece)  # it lies beside the board
            return
        finds = [find for find in finds if find.placing.verdict != "masked"]
        if not finds:
            return  # what lies there is not to be read: it is as good as lost
        find, earlier = finds[0], draft.sightings.get(piece)
        draft.settled.add(piece)
        others = {other.mm: other.placing for other in finds if other.is_another(find.face, find.mm, self._same_mm(piece))}
        at = earlier.at_mm if earlier is not None else None
        if earlier is not None and at is not None and find.is_another(earlier.face, at, self._same_mm(piece)):
            others[at] = self.placer.place(group, at)
        if others:
            where = ", ".join(sorted({placing.spot for placing in (*others.values(), find.placing)}))
            self.doubt(draft, piece, None, f"the marker of {name} is seen {len(others) + 1} times (near {where})")
            return
        marker, face, placing = find.marker, find.face, find.placing
        if placing.verdict != "on":
            self.doubt(draft, piece, placing.spot, f"the marker of {name} lies {self._where(placing, group)}")
            return
        along, facing = _along(marker, group, registration), None
        if self._pieces.pieces[piece].facing:
            facing = self.placer.facing(along)  # a piece faces where the right-hand side of its marker points
            if facing is None:
                self.doubt(draft, piece, placing.spot, f"{name} on {placing.spot} faces between two directions")
                return
        confidence = self._settings.found_again if again else self._settings.certain
        length = along if group.cells == 2 else None
        draft.sightings[piece] = Sighting(piece, placing.spot, face, facing, confidence, find.mm, length)

    def refuse_shared_places(self, draft: Draft) -> None:
        """Two pieces of one kind cannot lie on one place: neither is claimed, unless they are small enough to lie there side by
        side. In a zone several lie; whose order cannot be told are not claimed."""
        self._refuse_unordered(draft)
        at: dict[tuple[str, str], list[Sighting]] = {}
        for sighting in draft.sightings.values():
            if sighting.place in self._board.zones:
                continue
            at.setdefault((self._pieces.pieces[sighting.piece].group, sighting.place), []).append(sighting)
        for (_, spot), shared in at.items():
            if len(shared) > 1 and not self._side_by_side(shared):
                names = " and ".join(self._pieces.pieces[sighting.piece].name for sighting in shared)
                if any(sighting.among for sighting in shared):
                    group = self._pieces.group_of(shared[0].piece)
                    names = f"{len(shared)} {group.key}"
                for sighting in shared:
                    self.doubt(draft, sighting.piece, spot, f"{names} are both seen on {spot}")

    def _side_by_side(self, shared: Sequence[Sighting]) -> bool:
        """Whether pieces on one site are named by themselves and none lies where another does."""
        group = self._pieces.group_of(shared[0].piece)
        middles = [sighting.at_mm for sighting in shared if sighting.at_mm is not None and not sighting.among]
        if not named_by_piece(group) or len(middles) < len(shared):
            return False
        return all(dist(one, other) >= self._settings.apart * max(group.size_mm) for one, other in combinations(middles, 2))

    def _refuse_unordered(self, draft: Draft) -> None:
        """Cards of an ordered zone that lie so nearly side by side that it cannot be told which comes first."""
        for zone in self._board.zones.values():
            if zone.order is None:
                continue
            lying = [(along_mm(zone, s.at_mm), s) for s in draft.sightings.values() if s.place == zone.id and s.at_mm]
            lying.sort(key=lambda entry: entry[0])
            for (before, one), (after, other) in pairwise(lying):
                if after - before < self._settings.order * self._board.spacing_mm:
                    names = " and ".join(self._pieces.pieces[s.piece].name for s in (one, other))
                    for sighting in (one, other):
                        self.doubt(draft, sighting.piece, zone.id, f"which of {names} comes first in {zone.id} cannot be told")
                        if not sighting.among:
                            draft.lying[sighting.piece] = zone.id

    def doubt(self, draft: Draft, piece: str, spot: str | None, text: str) -> None:
        """Say that a piece (or its place) is not known and why, and claim it no longer."""
        group, known = self._pieces.group_of(piece), draft.sightings.get(piece)
        if known is not None and known.among:
            self._doubt_place(draft, group, known.place, text)
            return
        draft.sightings.pop(piece, None)
        draft.settled.add(piece)
        if named_by_piece(group):
            draft.unknown[subject(piece, group)] = text
        else:
            for place in [spot] if spot is not None else self.free(draft, group):
                draft.unknown.setdefault(subject(place, group), text)
        if text not in draft.problems:
            draft.problems.append(text)

    def free(self, draft: Draft, group: Group) -> list[str]:
        """Allowed spots on which no piece of the group is claimed."""
        taken = {s.place for s in draft.sightings.values() if self._pieces.pieces[s.piece].group == group.key}
        taken -= self._board.zones.keys()
        return [spot for spot in self.placer.allowed(group) if spot not in taken]

    def lost(self, draft: Draft) -> list[str]:
        """Pieces about which nothing is said yet."""
        return [piece for piece in self._pieces.pieces if piece not in draft.settled]

    def lost_of(self, draft: Draft, group: Group) -> list[str]:
        """Pieces of one group about which nothing is said yet."""
        return [piece for piece in self.lost(draft) if self._pieces.pieces[piece].group == group.key]

    def _lies_flat(self, marker: Marker, group: Group, registration: Registration) -> bool:
        """Whether a marker measures what it should if it lies at its piece's height."""
        corners = registration.locate(marker.corners, group.height_mm)
        side = float(np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1).mean())
        slack = self._settings.size_tolerance + self._settings.small_size_slack_px / marker.side_px
        return abs(side - group.marker_mm) <= slack * group.marker_mm


def _foot_mm(marker: Marker, group: Group, registration: Registration, along_mm: Point) -> Point:
    """Where (board mm) the middle of the piece lies that carries a marker, at its foot: straight below its sticker, or beside
    that where the group's stickers are not in the middle of their pieces."""
    x, y = (float(value) for value in registration.locate(marker.centre, group.height_mm)[0])
    if group.marker_at_mm == (0.0, 0.0):
        return x, y
    (dx, dy), length = along_mm, max(1e-9, hypot(*along_mm))
    right, down = group.marker_at_mm
    cos, sin = dx / length, dy / length
    return x - (right * cos - down * sin), y - (right * sin + down * cos)


def _shift_mm(marker: Marker, group: Group, registration: Registration) -> Point:
    """How far (board mm) the foot moves where the piece is ``height_error_mm`` taller than its group says."""
    if not group.height_error_mm:
        return 0.0, 0.0
    heights = (group.height_mm, group.height_mm + group.height_error_mm)
    low, high = (registration.locate(marker.centre, height)[0] for height in heights)
    return float(high[0] - low[0]), float(high[1] - low[1])


def _along(marker: Marker, group: Group, registration: Registration) -> Point:
    """The way (board mm) a marker's upper side runs: along the longer side of its piece."""
    corners = registration.locate(marker.corners, group.height_mm)
    x, y = (corners[1] - corners[0]) + (corners[2] - corners[3])
    return float(x), float(y)
