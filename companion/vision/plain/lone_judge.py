"""The flat piece that is alone of its kind: where it lies, and which of its sides is up."""

from collections.abc import Collection, Mapping

from companion.boards import Board, Group, PieceSet
from companion.vision.plain.assignment import PlaceWeights as Spot
from companion.vision.plain.assignment import marginals
from companion.vision.plain.claims import capped
from companion.vision.plain.evidence import BARE, REJECT
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.side_classifier import SideClassifier, never
from companion.vision.plain.side_measures import SIDE, Mask, Taught
from companion.vision.plain.side_table import SideTable
from companion.vision.reading import Sighting, subject


class LoneJudge:
    """Claims the pieces of one taught copy that are alone of their kind."""

    def __init__(self, board: Board, pieces: PieceSet, looks: SideClassifier, settings: PlainSettings) -> None:
        self._board, self._pieces, self._looks, self._settings = board, pieces, looks, settings
        self._own = settings.sides

    def claim(self, table: SideTable, group: Group) -> None:
        """Claim the one piece of a group where it surely lies, or say why that cannot be told."""
        own, claims = self._own, table.claims
        piece, taught = self._pieces.in_group(group.key)[0].id, self._looks.taught.get(group.key)
        if taught is None:
            claims.unknown[subject(piece, group)] = "it was not taught"
            return
        seen: dict[str, Mapping[str, float]] = {}
        for cell in sorted(self._board.of_kind(*group.on, *group.strays)):
            if table.ground.middle[cell] < own.busy or cell in table.sure or table.unseen(cell):
                continue
            seen[cell] = self._looks.posteriors(table, cell, taught, "lone", None, cell in table.discs)
        spots = [
            Spot(cell, told[BARE] + told[REJECT], {piece: sum(told[side] for side in taught.sides)})
            for cell, told in seen.items()
        ]
        found = marginals(spots, {piece: 1}, {piece: own.lost})
        cell, value = max(
            ((cell, kinds.get(piece, 0.0)) for cell, kinds in found.at.items()), key=lambda one: one[1], default=("", 0.0)
        )
        if value < self._settings.claim:
            if found.missing[piece] > self._settings.claim and not self._may_hide(table, group, seen):
                return  # it is not on the board
            claims.unknown[subject(piece, group)] = f"the {group.singular} was not recognised"
            return
        faces = {side: seen[cell][side] for side in taught.sides}
        face = max(faces, key=lambda side: faces[side])
        value *= faces[face] / sum(faces.values())
        if value < self._settings.claim or taught.alike or self._other_side(table, cell, taught, face):
            claims.unknown[subject(piece, group)] = f"its side cannot be told: it lies at {cell}{never(taught)}"
            claims.lying[piece] = cell
        else:
            claims.sightings.append(Sighting(piece, cell, face, None, capped(value), self._lies_at(table, cell, taught)))
        table.sure.add(cell)
        table.cover(cell, self.below(table, cell, taught, group))

    def _lies_at(self, table: SideTable, cell: str, taught: Taught) -> tuple[float, float]:
        """Where on a cell (board mm) its outline says that a lone piece lies."""
        ground = table.ground

        def make() -> tuple[float, float]:
            x, y = taught.shape.locate(ground.seen(cell), ground.change(cell), self._settings.surface.scale)
            return self._board.mm(cell)[0] + x, self._board.mm(cell)[1] + y

        return table.findings.once(cell, ("lies", taught), make)

    def below(self, table: SideTable, cell: str, taught: Taught, group: Group) -> Mask:
        """What a lone piece hides of a cell's patch (H×W)."""
        return table.below(cell, self._lies_at(table, cell, taught), 0.0, group.size_mm)

    def _may_hide(self, table: SideTable, group: Group, seen: Collection[str]) -> bool:
        """Whether the lone piece may lie where nobody can look: out of sight, or on a cell with something on it."""
        cells = self._board.of_kind(*group.on, *group.strays)
        busy = {cell for cell in cells if table.ground.middle[cell] >= self._own.busy}
        return any(table.unseen(cell) for cell in cells) or not busy <= set(seen)

    def _other_side(self, table: SideTable, cell: str, taught: Taught, face: str) -> bool:
        """Whether a piece may show another side than it seems to: it is off in colour, and another taught side is less so, or
        one was never shown. Both may bear one drawing, and one of them may have been taught amiss."""
        _, sides = self._looks.measured(table, cell, taught, None)
        off = {
            side: float(max(row[SIDE.index("lightness")], row[SIDE.index("colour")]))
            for side, row in zip(taught.sides, sides, strict=True)
        }
        mine = off.pop(face)
        if taught.untaught:
            return mine > self._own.off_unseen
        return mine > self._own.off_colour and min(off.values(), default=mine) < mine
