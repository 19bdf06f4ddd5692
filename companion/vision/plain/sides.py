"""Flat pieces of which a place's own looks must tell the side, that cover two cells, or of which there is one alone.

One tile has the same back as another, so no counting helps to name a side; and a side that was never shown cannot be named at
all: it is unknown then, and the sentence says so. What lies on top is told first, for it hides what lies below: discs
(told before), strips over two cells, the lone piece, then the tiles.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.boards import PAIR, Board, Group, PieceSet
from companion.vision.plain.claims import Claims, pick_alike
from companion.vision.plain.discs import Disc
from companion.vision.plain.evidence import Examiner
from companion.vision.plain.ground import Ground
from companion.vision.plain.lessons import Lesson
from companion.vision.plain.memory import Findings
from companion.vision.plain.nets import Nets
from companion.vision.plain.scene import Scene, change_strength
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.stacks import coded, slot_colour
from companion.vision.plain.strips import StripFinder
from companion.vision.plain.surface import Floats
from companion.vision.plain.tile_features import PAIR as FEATURES
from companion.vision.plain.tile_features import flat_features
from companion.vision.plain.tiles import FlatLesson, FlatShape, flat_shape, set_apart
from companion.vision.reading import Reading, Sighting, subject

Mask = NDArray[np.bool_]
ALIKE = FEATURES.index("correlation")


@dataclass(frozen=True, eq=False)
class Taught:
    """The lessons of one group of pieces with sides: unrolled, with the side of each, and mean colours by side."""

    shape: FlatShape
    lessons: tuple[FlatLesson, ...]
    faces: tuple[str, ...]
    colours: Mapping[str, Floats]
    untaught: tuple[str, ...]
    patches: tuple[Floats, ...]

    def alike(self, seen: Floats, bare: Floats, change: Floats, settings: PlainSettings) -> dict[str, tuple[float, float]]:
        """Of every taught side, how like it what lies in a patch is (correlation, -1..1), and how far off in colour."""
        _, pair, _ = flat_features(
            seen, bare, change, None, self.shape, self.lessons, settings.surface.scale, 1.5, settings.bare
        )
        found: dict[str, tuple[float, float]] = {}
        for face, row in zip(self.faces, pair, strict=True):
            found[face] = max(found.get(face, (-1.0, 0.0)), (float(row[ALIKE]), float(np.hypot(row[3], row[4]))))
        return found


@dataclass
class Table:
    """One picture being judged. ``masks``: what of a cell's patch is hidden by what lies above the tiles; ``sure`` are the
    cells where that is surely there."""

    scene: Scene
    ground: Ground
    discs: Mapping[str, Disc]
    hidden: Collection[str]
    prior: Reading | None
    claims: Claims
    findings: Findings
    masks: dict[str, Mask] = field(default_factory=dict)
    sure: set[str] = field(default_factory=set)

    def cover(self, cell: str, mask: Mask) -> None:
        """Remember that a part of a cell's patch is hidden."""
        self.masks[cell] = self.masks[cell] | mask if cell in self.masks else mask


class SideJudge:
    """Claims the flat pieces with sides, over two cells, or alone of their kind, on one taught copy."""

    def __init__(self, board: Board, pieces: PieceSet, examiner: Examiner, settings: PlainSettings) -> None:
        self.board, self.pieces, self.examiner, self.settings = board, pieces, examiner, settings
        self.groups = examiner.sided_groups
        self._nets = Nets(settings.surface.scale)
        self._own = settings.sides
        self._strips = StripFinder(board, pieces, examiner.teaching, settings)

    # --- what was taught -------------------------------------------------------------------------------------------

    def _lessons(self, group: Group) -> list[Lesson]:
        return [lesson for lesson in self.examiner.teaching.lessons if self.pieces.pieces[lesson.piece].group == group.key]

    @cached_property
    def _taught(self) -> Mapping[str, Taught]:
        """By group key; strips are told by :meth:`_template` instead."""
        found = {}
        scale = self.settings.surface.scale
        for group in self.groups:
            mine = self._lessons(group)
            if group.layout == "pairs" or not mine:
                continue
            shape = flat_shape(group)
            faces = tuple(str(lesson.face) for lesson in mine)
            lessons = set_apart(
                [(face, one.reflectance, one.offset_mm) for face, one in zip(faces, mine, strict=True)], shape, scale
            )
            crops = [(coded(one.reflectance), flat.at_mm) for one, flat in zip(mine, lessons, strict=True)]
            colours = {
                face: slot_colour([crop for crop, side in zip(crops, faces, strict=True) if side == face], scale)
                for face in dict.fromkeys(faces)
            }
            every = {face for piece in self.pieces.in_group(group.key) for face in piece.faces}
            found[group.key] = Taught(
                shape,
                lessons,
                faces,
                colours,
                tuple(sorted(every - colours.keys())),
                tuple(one.reflectance for one in mine),
            )
        return found

    # --- the picture -------------------------------------------------------------------------------------------------

    def _ground(self, scene: Scene, findings: Findings) -> Ground:
        height = max(group.height_mm for group in self.groups)
        return Ground(scene, self.board, height, self._own.middle_mm * self.settings.surface.scale, findings)

    # --- claims ----------------------------------------------------------------------------------------------------

    def judge(
        self,
        scene: Scene,
        discs: Mapping[str, Disc],
        hidden: Collection[str],
        prior: Reading | None,
        claims: Claims,
        findings: Findings | None = None,
    ) -> None:
        """Claim all pieces of these groups. ``discs`` are those standing on cells, recognised or not. ``findings`` are those of
        an earlier look at places that count as they did; what is found out now is added."""
        if not self.groups:
            return
        findings = findings if findings is not None else Findings()
        table = Table(scene, self._ground(scene, findings), discs, hidden, prior, claims, findings)
        table.sure |= {sighting.place for sighting in claims.sightings}
        tiles = [group for group in self.groups if group.layout == "by-place"]
        for group in tiles[:1]:  # every group's patches are alike: what a disc hides is the same for all
            for cell, disc in discs.items():
                table.cover(cell, self._under(table, cell, disc, group))
        for group in self.groups:
            if group.layout == "pairs":
                self._claim_strips(table, group)
        for group in self.groups:
            if group.layout == "lone":
                self._claim_lone(table, group)
        for group in tiles:
            self._claim_tiles(table, group)

    def _unseen(self, table: Table, cell: str) -> bool:
        return cell in table.hidden or not table.ground.inside[cell]

    def _under(self, table: Table, cell: str, disc: Disc, group: Group) -> Mask:
        """What a disc hides of a cell's patch."""

        def make() -> Mask:
            return self.examiner.hidden(table.scene, *table.ground.stack(cell), cell, disc, group)

        return table.findings.once(cell, ("disc", disc.offset_mm), make)

    def _claim_strips(self, table: Table, group: Group) -> None:
        own, claims = self._own, table.claims
        free = [piece.id for piece in self.pieces.in_group(group.key)]
        found = self._strips.find(table.scene, group, table.ground.middle, table.findings)
        chosen = [strip for strip in found if self._strips.sure(strip, found)]
        if len(chosen) > len(free):
            claims.unknown |= {
                subject(strip.spot, group): f"there is no further {group.singular} to lie at {strip.spot}" for strip in chosen
            }
            chosen = []
        taken = {cell for strip in chosen for cell in strip.spot.split(PAIR)}
        for strip in sorted(chosen, key=lambda one: one.spot):
            piece = pick_alike(free, strip.spot, table.prior)
            way = float(np.cos(strip.turn)), float(np.sin(strip.turn))
            claims.sightings.append(Sighting(piece, strip.spot, None, None, own.sure, strip.middle, way))
            table.sure |= set(strip.spot.split(PAIR))
            for cell in strip.spot.split(PAIR):
                table.cover(cell, self._below(table, cell, strip.middle, strip.turn, group.size_mm))
        if not free:
            return
        # One that lies askew, or in glare, is like none that was taught: it may be wherever the board changed.
        for spot in self.board.pairs(self.board.of_kind(*group.on, *group.strays)):
            cells = spot.split(PAIR)
            if taken.intersection(cells):
                continue
            if any(self._unseen(table, cell) for cell in cells):
                claims.unknown.setdefault(subject(spot, group), f"{spot} is hidden")
            elif self._between(table, spot) >= own.busy:
                why = f"a {group.singular} is missing and may lie at {spot}"
                claims.unknown.setdefault(subject(spot, group), why)

    def _between(self, table: Table, spot: str) -> float:
        """How much the board changed about the middle between two cells."""
        cell = spot.split(PAIR, maxsplit=1)[0]

        def make() -> float:
            change = table.ground.change[table.ground.cells[cell]]
            scale = self.settings.surface.scale
            off = np.subtract(self.board.mm(spot), self.board.mm(cell)) * scale + (change.shape[0] - 1) / 2
            x, y = off.round().astype(int)
            reach = round(self._own.middle_mm / 2 * scale)
            return float(change[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].mean())

        return table.findings.once(spot, "between", make)

    def _below(
        self,
        table: Table,
        cell: str,
        middle: tuple[float, float],
        turn: float,
        size_mm: tuple[float, float],
        margin: float = 2.0,
    ) -> Mask:
        """What a strip hides of a cell's patch, with a margin for its shadow."""

        def make() -> Mask:
            mm = table.ground.mm[table.ground.cells[cell]] - np.asarray(middle, np.float32)
            c, s = np.cos(turn), np.sin(turn)
            along, across = mm[..., 0] * c + mm[..., 1] * s, mm[..., 1] * c - mm[..., 0] * s
            return np.asarray((np.abs(along) < size_mm[0] / 2 + margin) & (np.abs(across) < size_mm[1] / 2 + margin), np.bool_)

        return table.findings.once(cell, ("below", middle, turn, size_mm, margin), make)

    def _claim_lone(self, table: Table, group: Group) -> None:
        own, ground, claims = self._own, table.ground, table.claims
        piece, taught = self.pieces.in_group(group.key)[0].id, self._taught.get(group.key)
        if taught is None:
            claims.unknown[subject(piece, group)] = "it was not taught"
            return
        seen = []
        for cell in sorted(self.board.of_kind(*group.on, *group.strays)):
            if ground.middle[cell] < own.busy or cell in table.sure or self._unseen(table, cell):
                continue
            if self._bare(table, cell, taught, None) >= own.bare:
                continue
            sides = self._alike(table, cell, taught)
            seen.append((max(alike for alike, _ in sides.values()), cell, sides))
        seen.sort(key=lambda one: -one[0])
        if not seen or seen[0][0] < own.alike_in_colour or (len(seen) > 1 and seen[1][0] > seen[0][0] - own.lead):
            claims.unknown[subject(piece, group)] = f"the {group.singular} was not recognised"
            return
        _, cell, sides = seen[0]
        face = self._side(sides, taught)
        if face is None:
            claims.unknown[subject(piece, group)] = f"its side cannot be told: it lies at {cell}{_never(taught)}"
        else:
            claims.sightings.append(Sighting(piece, cell, face, None, own.sure, self.board.mm(cell)))
        table.sure.add(cell)
        table.cover(cell, self._below(table, cell, self.board.mm(cell), 0.0, group.size_mm, 4.0))

    def _alike(self, table: Table, cell: str, taught: Taught) -> dict[str, tuple[float, float]]:
        """How like every taught side what lies at a cell is."""
        ground, index = table.ground, table.ground.cells[cell]

        def make() -> dict[str, tuple[float, float]]:
            return taught.alike(ground.seen[index], ground.bare[index], ground.change[index], self.settings)

        return table.findings.once(cell, ("alike", taught), make)

    def _side(self, sides: Mapping[str, tuple[float, float]], taught: Taught) -> str | None:
        """Which side lies up, if that can be told: by its drawing, or among sides of one drawing by its colour."""
        own = self._own
        face, (alike, gap) = max(sides.items(), key=lambda item: (item[1][0], -item[1][1]))
        rivals = {name: values for name, values in sides.items() if values[0] > alike - own.lead}
        if len(rivals) > 1:
            face, (alike, gap) = min(rivals.items(), key=lambda item: item[1][1])
            if gap > own.same_colour or any(other < own.other_colour for name, (_, other) in rivals.items() if name != face):
                return None
        if taught.untaught and gap > own.same_colour:
            return None
        return face if alike >= (own.alike if gap > own.same_colour else own.alike_in_colour) else None

    def _bare(self, table: Table, cell: str, taught: Taught, hidden: Mask | None) -> float:
        """How probably a cell is bare, by the colour of that taught side which speaks most against it."""
        index = table.ground.cells[cell]

        def make() -> float:
            seen, below = coded(table.ground.seen[index]), coded(table.ground.bare[index])
            return min(float(np.exp(self._nets.place(seen, below, hidden, colour)[0])) for colour in taught.colours.values())

        return table.findings.once(cell, ("bare", taught, _token(hidden)), make)

    # --- tiles -------------------------------------------------------------------------------------------------------

    def _claim_tiles(self, table: Table, group: Group) -> None:
        claims, taught = table.claims, self._taught.get(group.key)
        found = {}
        for cell in sorted(self.board.of_kind(*group.on)):
            if taught is None:
                claims.unknown[subject(cell, group)] = f"no {group.singular} was taught"
            elif self._unseen(table, cell):
                claims.unknown[subject(cell, group)] = f"{cell} is hidden"
            else:
                side, why = self._tile(table, cell, group, taught)
                if side is not None:
                    found[cell] = side
                elif why:
                    claims.unknown[subject(cell, group)] = why
        left = list(self.pieces.in_group(group.key))
        named = {piece.label for piece in left}
        for cell, side in sorted(found.items(), key=lambda item: (item[1] not in named, item[0])):
            fit = [piece.id for piece in left if piece.label == side] or [p.id for p in reversed(left) if side in p.faces]
            if not fit:
                claims.unknown[subject(cell, group)] = f"there is no further {group.singular} to lie at {cell}"
                continue
            piece_id = pick_alike(fit, cell, table.prior)
            left = [piece for piece in left if piece.id != piece_id]
            claims.sightings.append(Sighting(piece_id, cell, side, None, self._own.sure, self.board.mm(cell)))
        if taught is not None:
            self._strays(table, group, taught)

    def _tile(self, table: Table, cell: str, group: Group, taught: Taught) -> tuple[str | None, str]:
        """The side of the tile at a cell, or why it cannot be told; neither where the cell is bare."""
        mask = table.masks.get(cell)
        if mask is None and self._quiet(table, cell, taught):
            return None, ""
        if mask is None or cell not in table.sure:
            # A disc that is only presumed hides nothing of a tile whose whole drawing is in sight.
            if self._is_bare(table, cell, taught, None):
                return None, ""
            sides = self._alike(table, cell, taught)
            side = self._side(sides, taught)
            if side is not None or mask is None:
                why = f"a {group.singular} may lie at {cell}, but which side is up cannot be told{_never(taught)}"
                return side, "" if side is not None else why
        if self._is_bare(table, cell, taught, mask):
            return None, ""
        return None, f"what lies below at {cell} cannot be told"

    def _quiet(self, table: Table, cell: str, taught: Taught) -> bool:
        """Whether a cell looks just as it did bare."""
        change, index = table.ground.change, table.ground.cells[cell]
        return table.findings.once(cell, ("quiet", taught), lambda: self.examiner.quiet(change[index], taught.shape))

    def _is_bare(self, table: Table, cell: str, taught: Taught, hidden: Mask | None) -> bool:
        """Whether a cell is surely bare: by the network's word, and by how little of what is in sight there has changed.

        Change speaks only as far as every taught side would have changed this very print.
        """
        key = "surely bare", taught, _token(hidden)
        return table.findings.once(cell, key, lambda: self._surely_bare(table, cell, taught, hidden))

    def _surely_bare(self, table: Table, cell: str, taught: Taught, hidden: Mask | None) -> bool:
        own, index = self._own, table.ground.cells[cell]
        change, below = table.ground.change[index], table.ground.bare[index]
        side = change.shape[1]
        visible = taught.shape.footprint(side, self.settings.surface.scale, self.settings.bare.shrink)
        if hidden is not None:
            visible = visible & ~hidden
        if visible.sum() < self.settings.bare.fewest:
            return False
        bare = np.clip(self._bare(table, cell, taught, hidden), 1e-4, 1 - 1e-4)
        would = min(float(np.quantile(change_strength(lesson, below)[visible], 0.25)) for lesson in taught.patches)
        spare = own.unchanged * would - float(np.quantile(change[visible], 0.25))
        return float(np.log(bare / (1 - bare))) + own.change_weight * spare >= own.surely_bare

    def _strays(self, table: Table, group: Group, taught: Taught) -> None:
        """Where no tile may lie it is not read, but something there is not taken for bare board either."""
        claims = table.claims
        lying = {cell for sighting in claims.sightings for cell in sighting.place.split(PAIR)}
        doubted = {cell for name in claims.unknown for cell in name.partition(":")[2].split(PAIR)}
        for cell in sorted(self.board.of_kind(*group.strays) - lying - doubted):
            if cell in table.masks or table.ground.middle[cell] < self._own.busy:
                continue
            if self._unseen(table, cell) or not self._is_bare(table, cell, taught, None):
                claims.unknown[subject(cell, group)] = f"something may lie at {cell}, where no {group.singular} belongs"


def _token(hidden: Mask | None) -> bytes:
    """What tells one mask from another."""
    return b"" if hidden is None else hidden.tobytes()


def _never(taught: Taught) -> str:
    """The sides that no picture has shown, as the end of a sentence."""
    return f"; never shown: {', '.join(taught.untaught)}" if taught.untaught else ""
