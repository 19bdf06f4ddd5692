"""Flat pieces of which a place's own looks must tell the side, that cover two cells, or of which there is one alone.

One tile has the same back as another, so no counting helps to name a side; and a side that was never shown cannot be named at
all: it is unknown then, and the sentence says so. What lies on top is told first, for it hides what lies below: discs
(told before), strips over two cells, the lone piece, then the tiles.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.boards import PAIR, Board, Group, PieceSet
from companion.vision.plain.assignment import Place as Spot
from companion.vision.plain.assignment import marginals
from companion.vision.plain.claims import Claims, pick_alike
from companion.vision.plain.discs import Disc
from companion.vision.plain.evidence import ALIEN, BARE, Examiner
from companion.vision.plain.ground import Ground
from companion.vision.plain.lessons import Lesson
from companion.vision.plain.memory import Findings
from companion.vision.plain.nets import AROUND, HERE, Nets, Point
from companion.vision.plain.scene import Scene
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.side_measures import DRAWING, NETWORK, SIDE, SPARE, VISIBLE, Place, Taught, measures, settled
from companion.vision.plain.side_scores import among_others, beliefs, shipped, strip_odds, strips_at
from companion.vision.plain.stacks import coded, slot_colour
from companion.vision.plain.strips import StripFinder
from companion.vision.plain.tiles import edge_colour, flat_shape, set_apart
from companion.vision.reading import Reading, Sighting, subject

LONE_MARGIN_MM = 2.0
"""1.5..4 mm around a lone piece that are taken for hidden as well."""
Mask = NDArray[np.bool_]
Array = NDArray[np.float64]


@dataclass
class Table:
    """One picture being judged. ``masks``: what of a cell's patch is hidden by what lies above the tiles there; ``beside``:
    what discs on other cells hide of it; ``sure`` are the cells where something surely stands or lies, ``told`` those of which
    is known what lies there, if anything; of these ``plain`` are those where it is seen whole, ``presumed`` those where bare
    print is seen around what only may be a disc. ``weak``: groups of strips, and pairs of cells over which one of them may lie;
    ``settled``: whether all strips were found."""

    scene: Scene
    ground: Ground
    discs: Mapping[str, Disc]
    hidden: Collection[str]
    prior: Reading | None
    claims: Claims
    findings: Findings
    masks: dict[str, Mask] = field(default_factory=dict)
    beside: dict[str, Mask] = field(default_factory=dict)
    sure: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)
    presumed: set[str] = field(default_factory=set)
    weak: set[tuple[str, str]] = field(default_factory=set)
    settled: bool = True

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
            places = [settled(one.reflectance, one.offset_mm, shape, scale) for one in mine]
            # Each by itself: sides of different drawings cannot be laid over one another.
            lessons = tuple(
                lesson
                for face, one, at in zip(faces, mine, places, strict=True)
                for lesson in set_apart([(face, one.reflectance, at)], shape, scale)
            )
            crops = [(coded(one.reflectance), flat.at_mm) for one, flat in zip(mine, lessons, strict=True)]
            of_side = {face: [crop for crop, side in zip(crops, faces, strict=True) if side == face] for face in faces}
            colours = {face: slot_colour(some, scale) for face, some in of_side.items()}
            edges = {face: edge_colour(some, shape, scale) for face, some in of_side.items()}
            every = {face for piece in self.pieces.in_group(group.key) for face in piece.faces}
            untaught = tuple(sorted(every - colours.keys()))
            patches = tuple(one.reflectance for one in mine)
            found[group.key] = Taught(shape, lessons, faces, colours, edges, untaught, patches)
        return found

    @property
    def lone_alike(self) -> tuple[str, ...]:
        """The pieces alone of their kind whose taught sides look alike."""
        lone = {group.key: self.pieces.in_group(group.key)[0].id for group in self.groups if group.layout == "lone"}
        return tuple(piece for key, piece in lone.items() if key in self._taught and self._taught[key].alike)

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
        strange: Collection[str] = (),
    ) -> None:
        """Claim all pieces of these groups. ``discs`` are those standing on cells, recognised or not; on ``strange`` cells one
        is only presumed, for every disc was found elsewhere. ``findings`` are those of an earlier look at places that count
        as they did; what is found out now is added."""
        if not self.groups:
            return
        findings = findings if findings is not None else Findings()
        table = Table(scene, self._ground(scene, findings), discs, hidden, prior, claims, findings)
        for group in self.groups:
            if group.layout == "pairs":
                self._claim_strips(table, group)
        # What looks strange where a strip surely lies is that strip, once every disc is found elsewhere.
        standing = [(cell, disc) for cell, disc in discs.items() if cell not in table.sure.intersection(strange)]
        table.sure |= {sighting.place for sighting in claims.sightings}
        tiles = [group for group in self.groups if group.layout == "by-place"]
        for group in tiles[:1]:  # every group's patches are alike: what a disc hides is the same for all
            for cell, disc in standing:
                table.cover(cell, self._under(table, cell, disc, group, cell))
                for other in self._leans_over(table, cell, disc, group):
                    mask = self._under(table, cell, disc, group, other)
                    table.beside[other] = mask | table.beside.get(other, False)
        for group in self.groups:
            if group.layout == "lone":
                self._claim_lone(table, group)
        for group in tiles:
            self._claim_tiles(table, group)
        for group in self.groups:
            if group.layout == "pairs":
                self._doubt_strips(table, group)

    def _unseen(self, table: Table, cell: str) -> bool:
        return cell in table.hidden or not table.ground.inside[cell]

    def _under(self, table: Table, cell: str, disc: Disc, group: Group, below: str) -> Mask:
        """What a disc on a cell hides of the patch of the one ``below``."""

        def make() -> Mask:
            return self.examiner.hidden(table.scene, table.ground.mm[table.ground.cells[below]], cell, disc, group)

        return table.findings.once(below, ("disc", cell, disc.offset_mm), make)

    def _leans_over(self, table: Table, cell: str, disc: Disc, group: Group) -> list[str]:
        """The other cells of which a disc hides some: a camera that looks down askew sees it lean over them."""
        foot = np.asarray(self.board.mm(cell)) + disc.offset_mm
        lean = table.scene.leans([(float(foot[0]), float(foot[1]))], self.examiner.walkers.height_mm)[0]
        away = np.array([self.board.mm(other) for other in table.ground.cells]) - foot
        along = np.clip(away @ lean / max(float(lean @ lean), 1e-9), 0, 1)
        far = np.linalg.norm(away - along[:, None] * lean, axis=1)
        reach = self.examiner.finder.radius_mm + min(group.size_mm) / 2
        return [other for other, mm in zip(table.ground.cells, far, strict=True) if mm < reach and other != cell]

    def _claim_strips(self, table: Table, group: Group) -> None:
        claims, free = table.claims, [piece.id for piece in self.pieces.in_group(group.key)]
        found = self._strips.find(table.scene, group, table.ground, table.findings)
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
            if value >= self.settings.claim:
                piece = pick_alike(free, strip.spot, table.prior)
                way = float(np.cos(strip.turn)), float(np.sin(strip.turn))
                claims.sightings.append(Sighting(piece, strip.spot, None, None, _capped(value), strip.middle, way))
                table.sure |= cells[strip.spot]
            elif value > self._own.left_over:
                table.weak.add((group.key, strip.spot))
            else:
                continue
            for cell in cells[strip.spot]:
                table.cover(cell, self._below(table, cell, strip.middle, strip.turn, group.size_mm))
        lying = sum(value >= self.settings.claim for value in at.values())
        table.settled = table.settled and lying == len(self.pieces.in_group(group.key))

    def _doubt_strips(self, table: Table, group: Group) -> None:
        """Of strips that were not found: one that lies askew, or in glare, is like none that was taught. It may be wherever the
        board changed between two cells and it is not known of both what lies there."""
        claims, members = table.claims, {piece.id for piece in self.pieces.in_group(group.key)}
        spots = [set(sighting.place.split(PAIR)) for sighting in claims.sightings if sighting.piece in members]
        for key, spot in sorted(table.weak):
            if key == group.key and not table.plain.intersection(spot.split(PAIR)):
                claims.unknown[subject(spot, group)] = f"a {group.singular} is missing and may lie at {spot}"
        if table.settled:
            return
        taken = set().union(*spots)
        # Half of a strip may lie unseen below a piece that stands on a cell, but its other half covers the next one.
        walkers = self.examiner.walkers.key
        stands = {sighting.place for sighting in claims.sightings if self.pieces.pieces[sighting.piece].group == walkers}
        for spot in self.board.pairs(self.board.of_kind(*group.on, *group.strays)):
            cells = spot.split(PAIR)
            if taken.intersection(cells):
                continue
            if any(self._unseen(table, cell) for cell in cells):
                claims.unknown.setdefault(subject(spot, group), f"{spot} is hidden")
            elif self._hides_strip(table, cells, stands) and self._changed(table, spot):
                why = f"a {group.singular} is missing and may lie at {spot}"
                claims.unknown.setdefault(subject(spot, group), why)

    def _changed(self, table: Table, spot: str) -> bool:
        """Whether the board changed on two cells and between them."""
        ground, own = table.ground, self._own
        both = all(ground.middle[cell] >= own.strip_busy for cell in spot.split(PAIR))
        return both and self._strips.between(ground, spot, table.findings) >= own.busy

    @staticmethod
    def _hides_strip(table: Table, cells: Collection[str], stands: Collection[str]) -> bool:
        """Whether a strip may lie over two cells: neither is seen whole, and it is not known of each what lies there, nor of
        one what lies beside a piece that stands on the other; or what may be a disc on both may be the strip."""
        if table.plain.intersection(cells):
            return False
        if table.presumed.issuperset(cells):
            return True
        told = table.told.intersection(cells)
        return len(told) < len(cells) and not (told and set(cells) <= told.union(stands))

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
        seen: dict[str, Mapping[str, float]] = {}
        for cell in sorted(self.board.of_kind(*group.on, *group.strays)):
            if ground.middle[cell] < own.busy or cell in table.sure or self._unseen(table, cell):
                continue
            seen[cell] = self._beliefs(table, cell, taught, "lone", None, cell in table.discs)
        spots = [
            Spot(cell, told[BARE] + told[ALIEN], {piece: sum(told[side] for side in taught.sides)})
            for cell, told in seen.items()
        ]
        found = marginals(spots, {piece: 1}, {piece: own.lost})
        cell, value = max(
            ((cell, kinds.get(piece, 0.0)) for cell, kinds in found.at.items()), key=lambda one: one[1], default=("", 0.0)
        )
        if value < self.settings.claim:
            if found.missing[piece] > 1 - self.settings.judge.nowhere and not self._may_hide(table, group, seen):
                return  # it is not on the board
            claims.unknown[subject(piece, group)] = f"the {group.singular} was not recognised"
            return
        faces = {side: seen[cell][side] for side in taught.sides}
        face = max(faces, key=lambda side: faces[side])
        value *= faces[face] / sum(faces.values())
        if value < self.settings.claim or taught.alike or self._other_side(table, cell, taught, face):
            claims.unknown[subject(piece, group)] = f"its side cannot be told: it lies at {cell}{_never(taught)}"
            claims.lying[piece] = cell
        else:
            claims.sightings.append(Sighting(piece, cell, face, None, _capped(value), self._lies_at(table, cell, taught)))
        table.sure.add(cell)
        table.cover(cell, self._below_lone(table, cell, taught, group))

    def _lies_at(self, table: Table, cell: str, taught: Taught) -> tuple[float, float]:
        """Where on a cell (board mm) its outline says that a lone piece lies."""
        ground, index = table.ground, table.ground.cells[cell]

        def make() -> tuple[float, float]:
            x, y = taught.shape.locate(ground.seen[index], ground.change[index], self.settings.surface.scale)
            return self.board.mm(cell)[0] + x, self.board.mm(cell)[1] + y

        return table.findings.once(cell, ("lies", taught), make)

    def _below_lone(self, table: Table, cell: str, taught: Taught, group: Group) -> Mask:
        """What a lone piece hides of a cell's patch, with its shadow and what its outline may be off."""
        return self._below(table, cell, self._lies_at(table, cell, taught), 0.0, group.size_mm, LONE_MARGIN_MM)

    def _may_hide(self, table: Table, group: Group, seen: Collection[str]) -> bool:
        """Whether the lone piece may lie where nobody can look: out of sight, or on a cell with something on it."""
        cells = self.board.of_kind(*group.on, *group.strays)
        busy = {cell for cell in cells if table.ground.middle[cell] >= self._own.busy}
        return any(self._unseen(table, cell) for cell in cells) or not busy <= set(seen)

    def _beliefs(
        self,
        table: Table,
        cell: str,
        taught: Taught,
        situation: str,
        hidden: Mask | None,
        disc: bool = False,
        before: str | None = None,
        at: Sequence[Point] = HERE,
        beside: bool = False,
    ) -> Mapping[str, float]:
        """Probability of bare print, something else and every taught side at a cell; the networks look ``at`` points of it.
        ``beside``: what discs on other cells hide of it is left out."""
        bare, sides = self._measured(table, cell, taught, hidden, at, beside)
        if bare[VISIBLE] < self._own.seen:
            return {ALIEN: 1.0} | dict.fromkeys((BARE, *taught.sides), 0.0)
        if situation == "lone":
            bare = among_others(bare, self._others(table, cell))
        names, stay = taught.sides, self.settings.stay
        return beliefs(shipped(situation), bare, sides, names, disc, before, stay, bool(taught.untaught))

    def _measured(
        self,
        table: Table,
        cell: str,
        taught: Taught,
        hidden: Mask | None,
        at: Sequence[Point] = HERE,
        beside: bool = False,
    ) -> tuple[Array, Array]:
        """What speaks for bare print and for every taught side at a cell, ``hidden`` by what stands or lies on it."""
        ground, index, leaning = table.ground, table.ground.cells[cell], table.beside.get(cell) if beside else None

        def make() -> tuple[Array, Array]:
            place = Place(ground.seen[index], ground.bare[index], ground.change[index], hidden, leaning)
            return measures(place, taught, self._nets, self.settings, at)

        masks = tuple(b"" if mask is None else mask.tobytes() for mask in (hidden, leaning))
        return table.findings.once(cell, ("measures", taught, masks, at), make)

    def _other_side(self, table: Table, cell: str, taught: Taught, face: str) -> bool:
        """Whether a piece may show another side than it seems to: it is off in colour, and another taught side is less so, or
        one was never shown. Both may bear one drawing, and one of them may have been taught amiss."""
        _, sides = self._measured(table, cell, taught, None)
        off = {
            side: float(max(row[SIDE.index("lightness")], row[SIDE.index("colour")]))
            for side, row in zip(taught.sides, sides, strict=True)
        }
        mine = off.pop(face)
        if taught.untaught:
            return mine > self._own.off_unseen
        return mine > self._own.off_colour and min(off.values(), default=mine) < mine

    def _others(self, table: Table, cell: str) -> Mapping[str, float]:
        """What is believed of the flat pieces by place at a cell, seen openly."""
        group = next((group for group in self.groups if group.layout == "by-place"), None)
        taught = None if group is None else self._taught.get(group.key)
        if group is None or taught is None:
            return {}
        return self._beliefs(table, cell, taught, "doubtful", None, False, self._before(table, cell, group))

    # --- tiles -------------------------------------------------------------------------------------------------------

    def _claim_tiles(self, table: Table, group: Group) -> None:
        claims, taught = table.claims, self._taught.get(group.key)
        found: dict[str, tuple[str, float]] = {}
        for cell in sorted(self.board.of_kind(*group.on)):
            if taught is None:
                claims.unknown[subject(cell, group)] = f"no {group.singular} was taught"
            elif self._unseen(table, cell):
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
        left = list(self.pieces.in_group(group.key))
        named = {piece.label for piece in left}
        for cell, (side, sure) in sorted(found.items(), key=lambda item: (item[1][0] not in named, item[0])):
            fit = [piece.id for piece in left if piece.label == side] or [p.id for p in reversed(left) if side in p.faces]
            if not fit:
                claims.unknown[subject(cell, group)] = f"there is no further {group.singular} to lie at {cell}"
                continue
            piece_id = pick_alike(fit, cell, table.prior)
            left = [piece for piece in left if piece.id != piece_id]
            claims.sightings.append(Sighting(piece_id, cell, side, None, _capped(sure), self.board.mm(cell)))
        if taught is not None:
            self._strays(table, group, taught)

    def _tile(self, table: Table, cell: str, group: Group, taught: Taught) -> tuple[str, float] | str | None:
        """The side of the tile at a cell and how sure that is; None where the cell is bare; or why it cannot be told."""
        mask, before = table.masks.get(cell), self._before(table, cell, group)
        if mask is None and self._quiet(table, cell, taught):
            table.plain.add(cell)
            return None
        why = f"a {group.singular} may lie at {cell}, but which side is up cannot be told{_never(taught)}"
        if mask is None or cell not in table.sure:
            # What is only presumed hides nothing of a tile whose whole drawing is in sight.
            told = self._in_sight(table, cell, taught, before)
            if told is not None:
                return None if told[0] == BARE else told
        if mask is None:
            return why
        least = self.settings.claim if cell in table.sure else self._own.presumed
        for at in (HERE, AROUND):
            told = self._surest(self._beliefs(table, cell, taught, "covered", mask, True, before, at), least, least)
            if told is not None:
                return None if told[0] == BARE else told
        return f"what lies below at {cell} cannot be told"

    def _in_sight(self, table: Table, cell: str, taught: Taught, before: str | None) -> tuple[str, float] | None:
        """What is surely seen whole at a cell; where that says nothing, of what no disc beside it hides."""
        disc = cell in table.discs
        situation = "doubtful" if disc else "open" if cell not in table.masks and table.settled else "wary"
        for beside in (False, True) if cell in table.beside else (False,):
            found = self._beliefs(table, cell, taught, situation, None, disc, before, beside=beside)
            told = self._surest(found, self._own.bare, self.settings.claim)
            if told is not None and not self._faded(table, cell, taught, told[0], disc, beside):
                table.plain |= set() if disc else {cell}
                return told
        return None

    def _faded(self, table: Table, cell: str, taught: Taught, name: str, disc: bool, beside: bool) -> bool:
        """Whether light takes so much away that what a cell in sight seems to bear, bare print or a side, is no proof."""
        if name == BARE:
            return not disc and self._washed_out(table, cell, taught, beside)
        bare, _ = self._measured(table, cell, taught, None, beside=beside)
        return bool(bare[SPARE] > self._own.faded)

    def _washed_out(self, table: Table, cell: str, taught: Taught, beside: bool) -> bool:
        """Whether so little shows at a cell in sight that bare print is not plainly seen: glare may lie on a tile. Where the
        print's own drawing shows and next to nothing changed, no glare does."""
        bare, _ = self._measured(table, cell, taught, None, beside=beside)
        drawing, spare = self._own.shows_print
        return bool(bare[NETWORK] < self._own.shows_bare and (bare[DRAWING] < drawing or bare[SPARE] < spare))

    def _quiet(self, table: Table, cell: str, taught: Taught) -> bool:
        """Whether a cell looks just as it did bare."""
        change, index = table.ground.change, table.ground.cells[cell]
        return table.findings.once(cell, ("quiet", taught), lambda: self.examiner.quiet(change[index], taught.shape))

    @staticmethod
    def _surest(told: Mapping[str, float], bare: float, side: float) -> tuple[str, float] | None:
        """What is there for sure, and how surely; None where that cannot be told: bare print less surely than ``bare``, or one
        of the sides than ``side``."""
        name, value = max(told.items(), key=lambda item: item[1])
        return (name, value) if value >= (bare if name == BARE else side) and name != ALIEN else None

    def _before(self, table: Table, cell: str, group: Group) -> str | None:
        """What the reading before had of this group at a cell: a side, or bare print; None where it could not tell."""
        prior = table.prior
        if prior is None or subject(cell, group) in prior.unknown:
            return None
        mine = (s.face for s in prior.sightings if s.place == cell and self.pieces.pieces[s.piece].group == group.key)
        return next(mine, None) or BARE

    def _strays(self, table: Table, group: Group, taught: Taught) -> None:
        """Where no tile may lie it is not read, but something there is not taken for bare board either."""
        claims = table.claims
        lying = {cell for sighting in claims.sightings for cell in sighting.place.split(PAIR)}
        doubted = {cell for name in claims.unknown for cell in name.partition(":")[2].split(PAIR)}
        for cell in sorted(self.board.of_kind(*group.strays) - lying - doubted):
            if cell in table.masks:
                continue
            if table.ground.middle[cell] >= self._own.busy and (
                self._unseen(table, cell)
                or self._beliefs(table, cell, taught, "doubtful", None, False, BARE)[BARE] < self._own.bare
            ):
                claims.unknown[subject(cell, group)] = f"something may lie at {cell}, where no {group.singular} belongs"
            else:
                table.told.add(cell)


def _capped(value: float) -> float:
    """A confidence: nothing fitted on some thousand places is surer than this."""
    return min(value, 0.999)


def _never(taught: Taught) -> str:
    """The sides that no picture has shown, as the end of a sentence."""
    return f"; never shown: {', '.join(taught.untaught)}" if taught.untaught else ""
