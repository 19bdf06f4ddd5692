"""Tiles with sides, which lie one at a place: what each shows, below a disc or a strip as well."""

import numpy as np

from companion.boards import PAIR, Board, Group, PieceSet
from companion.vision.plain.claims import capped, pick_alike
from companion.vision.plain.evidence import BARE, FeatureExtractor
from companion.vision.plain.nets import AROUND, HERE
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.side_classifier import SideClassifier, never
from companion.vision.plain.side_measures import ALIKE, DRAWING, NETWORK, SPARE, Taught
from companion.vision.plain.side_scores import surest
from companion.vision.plain.side_table import SideTable
from companion.vision.reading import Sighting, subject


class TileJudge:
    """Claims the tiles of one taught copy."""

    def __init__(
        self, board: Board, pieces: PieceSet, extractor: FeatureExtractor, looks: SideClassifier, settings: PlainSettings
    ) -> None:
        self._board, self._pieces, self._extractor, self._looks, self._settings = board, pieces, extractor, looks, settings
        self._own = settings.sides

    def claim(self, table: SideTable, group: Group) -> None:
        """Claim a group's tiles, and say of which places it cannot be told what lies there."""
        claims, taught = table.claims, self._looks.taught.get(group.key)
        found: dict[str, tuple[str, float]] = {}
        for cell in sorted(self._board.of_kind(*group.on)):
            if taught is None:
                claims.unknown[subject(cell, group)] = f"no {group.singular} was taught"
            elif table.unseen(cell):
                claims.unknown[subject(cell, group)] = f"{cell} is hidden"
            else:
                told = self._tile(table, cell, group, taught)
                if isinstance(told, str):
                    claims.unknown[subject(cell, group)] = told
                    continue
                table.told.add(cell)
                if told is not None:
                    found[cell] = told
                elif cell in table.masks and cell not in table.sure | table.plain:
                    table.presumed.add(cell)
        left = list(self._pieces.in_group(group.key))
        named = {piece.label for piece in left}
        for cell, (side, sure) in sorted(found.items(), key=lambda item: (item[1][0] not in named, item[0])):
            fit = [piece.id for piece in left if piece.label == side] or [p.id for p in reversed(left) if side in p.faces]
            if not fit:
                claims.unknown[subject(cell, group)] = f"there is no further {group.singular} to lie at {cell}"
                continue
            piece_id = pick_alike(fit, cell, table.prior)
            left = [piece for piece in left if piece.id != piece_id]
            claims.sightings.append(Sighting(piece_id, cell, side, None, capped(sure), self._board.mm(cell)))
        if taught is not None:
            self._strays(table, group, taught)

    def _tile(self, table: SideTable, cell: str, group: Group, taught: Taught) -> tuple[str, float] | str | None:
        """The side of the tile at a cell and how sure that is; None where the cell is bare; or why it cannot be told."""
        mask, before = table.masks.get(cell), self._looks.before(table, cell, group)
        if mask is None and self._quiet(table, cell, taught):
            table.plain.add(cell)
            return None
        why = f"a {group.singular} may lie at {cell}, but which side is up cannot be told{never(taught)}"
        if mask is None or cell not in table.sure:
            # What is only presumed hides nothing of a tile whose whole drawing is in sight.
            told = self._in_sight(table, cell, taught, before)
            if told is not None:
                return None if told[0] == BARE else told
        if mask is None:
            return why
        least = self._settings.claim if cell in table.sure else self._settings.judge.doubtless
        for at in (HERE, AROUND):
            told = surest(self._looks.posteriors(table, cell, taught, "covered", mask, True, before, at), least, least)
            if told is not None:
                return None if told[0] == BARE else told
        return f"what lies below at {cell} cannot be told"

    def _in_sight(self, table: SideTable, cell: str, taught: Taught, before: str | None) -> tuple[str, float] | None:
        """What is surely seen whole at a cell; where that says nothing, of what no disc beside it hides."""
        disc = cell in table.discs
        situation = "doubtful" if disc else "open" if cell not in table.masks and table.settled else "wary"
        for beside in (False, True) if cell in table.beside else (False,):
            found = self._looks.posteriors(table, cell, taught, situation, None, disc, before, beside=beside)
            told = surest(found, self._settings.judge.doubtless, self._settings.claim)
            if told is not None and not self._faded(table, cell, taught, told[0], disc, beside):
                table.plain |= set() if disc else {cell}
                return told
        return None

    def _faded(self, table: SideTable, cell: str, taught: Taught, name: str, disc: bool, beside: bool) -> bool:
        """Whether light takes so much away that what a cell in sight seems to bear, bare print or a side, is no proof; nor is
        a side's colour without its drawing: a coin or a chit may have it."""
        if name == BARE:
            return not disc and self._washed_out(table, cell, taught, beside)
        bare, sides = self._looks.measured(table, cell, taught, None, beside=beside)
        return bool(bare[SPARE] > self._own.faded or np.tanh(sides[:, ALIKE].max()) < self._own.foreign)

    def _washed_out(self, table: SideTable, cell: str, taught: Taught, beside: bool) -> bool:
        """Whether so little shows at a cell in sight that bare print is not plainly seen: glare may lie on a tile. Where the
        print's own drawing shows and next to nothing changed, no glare does."""
        bare, _ = self._looks.measured(table, cell, taught, None, beside=beside)
        drawing, spare = self._own.shows_print
        return bool(bare[NETWORK] < self._own.shows_bare and (bare[DRAWING] < drawing or bare[SPARE] < spare))

    def _quiet(self, table: SideTable, cell: str, taught: Taught) -> bool:
        """Whether a cell looks just as it did bare."""
        ground, extractor = table.ground, self._extractor
        return table.findings.once(cell, ("quiet", taught), lambda: extractor.quiet(ground.change(cell), taught.shape))

    def _strays(self, table: SideTable, group: Group, taught: Taught) -> None:
        """Where no tile may lie it is not read, but something there is not taken for bare board either."""
        claims = table.claims
        lying = {cell for sighting in claims.sightings for cell in sighting.place.split(PAIR)}
        doubted = {cell for name in claims.unknown for cell in name.partition(":")[2].split(PAIR)}
        sure = self._settings.judge.doubtless
        for cell in sorted(self._board.of_kind(*group.strays) - lying - doubted):
            if cell in table.masks:
                continue
            if table.ground.middle[cell] >= self._own.busy and (
                table.unseen(cell) or self._looks.posteriors(table, cell, taught, "doubtful", None, False, BARE)[BARE] < sure
            ):
                claims.unknown[subject(cell, group)] = f"something may lie at {cell}, where no {group.singular} belongs"
            else:
                table.told.add(cell)
