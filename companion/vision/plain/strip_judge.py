"""Strips that cover two cells: where they surely lie, and where one of those that were not found may lie."""

from collections.abc import Collection

import numpy as np

from companion.boards import PAIR, Board, Group, PieceSet
from companion.vision.plain.claims import capped, pick_alike
from companion.vision.plain.evidence import FeatureExtractor
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.side_scores import strip_odds, strips_at
from companion.vision.plain.side_table import SideTable
from companion.vision.plain.strips import StripFinder
from companion.vision.reading import Sighting, subject


class StripJudge:
    """Claims the strips of one taught copy."""

    def __init__(self, board: Board, pieces: PieceSet, extractor: FeatureExtractor, settings: PlainSettings) -> None:
        self._board, self._pieces, self._movable, self._settings = board, pieces, extractor.movable, settings
        self._own = settings.sides
        self.finder = StripFinder(board, pieces, extractor.teaching, settings)

    def claim(self, table: SideTable, group: Group) -> None:
        """Claim the strips that surely lie over two cells, and remember what all that may lie hide."""
        claims, free = table.claims, [piece.id for piece in self._pieces.in_group(group.key)]
        found = self.finder.find(table.prepared, group, table.ground, table.findings)
        cells = {strip.spot: frozenset(strip.spot.split(PAIR)) for strip in found}
        odds = {}
        for strip in found:
            rivals = [one.alike for one in found if one is not strip and cells[one.spot] & cells[strip.spot]]
            odds[tuple(strip.spot.split(PAIR))] = strip_odds(
                strip.alike, strip.changed, strip.gap, strip.bare, max(rivals, default=0.0)
            )
        at = {PAIR.join(spot): value for spot, value in strips_at(odds, len(free), self._own.lost).items()}
        for strip in sorted(found, key=lambda one: one.spot):
            value = at[strip.spot]
            if value >= self._settings.claim:
                piece = pick_alike(free, strip.spot, table.prior)
                way = float(np.cos(strip.turn)), float(np.sin(strip.turn))
                claims.sightings.append(Sighting(piece, strip.spot, None, None, capped(value), strip.middle, way))
                table.sure |= cells[strip.spot]
            elif value > self._own.left_over:
                table.weak.add((group.key, strip.spot))
            else:
                continue
            for cell in cells[strip.spot]:
                table.cover(cell, table.below(cell, strip.middle, strip.turn, group.size_mm))
        lying = sum(value >= self._settings.claim for value in at.values())
        table.settled = table.settled and lying == len(self._pieces.in_group(group.key))

    def doubt(self, table: SideTable, group: Group) -> None:
        """Of strips that were not found: one that lies askew, or in glare, is like none that was taught. It may be wherever the
        board changed between two cells and it is not known of both what lies there."""
        claims, members = table.claims, {piece.id for piece in self._pieces.in_group(group.key)}
        spots = [set(sighting.place.split(PAIR)) for sighting in claims.sightings if sighting.piece in members]
        for key, spot in sorted(table.weak):
            if key == group.key and not table.plain.intersection(spot.split(PAIR)):
                claims.unknown[subject(spot, group)] = f"a {group.singular} is missing and may lie at {spot}"
        if table.settled:
            return
        taken = set().union(*spots)
        # Half of a strip may lie unseen below a piece that stands on a cell, but its other half covers the next one.
        movable = self._movable.key
        stands = {sighting.place for sighting in claims.sightings if self._pieces.pieces[sighting.piece].group == movable}
        for spot in self._board.pairs(self._board.of_kind(*group.on, *group.strays)):
            cells = spot.split(PAIR)
            if taken.intersection(cells):
                continue
            if any(table.unseen(cell) for cell in cells):
                claims.unknown.setdefault(subject(spot, group), f"{spot} is hidden")
            elif self._may_lie(table, cells, stands) and self._changed(table, spot):
                why = f"a {group.singular} is missing and may lie at {spot}"
                claims.unknown.setdefault(subject(spot, group), why)

    def _changed(self, table: SideTable, spot: str) -> bool:
        """Whether the board changed on two cells and between them."""
        ground, own = table.ground, self._own
        both = all(ground.middle[cell] >= own.strip_busy for cell in spot.split(PAIR))
        return both and self.finder.between(ground, spot, table.findings) >= own.busy

    @staticmethod
    def _may_lie(table: SideTable, cells: Collection[str], stands: Collection[str]) -> bool:
        """Whether a strip may lie over two cells: neither is seen whole, and it is not known of each what lies there, nor of
        one what lies beside a piece that stands on the other; or what may be a disc on both may be the strip."""
        if table.plain.intersection(cells):
            return False
        if table.presumed.issuperset(cells):
            return True
        told = table.told.intersection(cells)
        return len(told) < len(cells) and not (told and set(cells) <= told.union(stands))
