"""Extracts from a prepared picture the features of every hypothesis at every place."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Group, PieceSet
from companion.vision.camera import Registration
from companion.vision.once import Kept
from companion.vision.plain.discs import (
    Disc,
    DiscFinder,
    Face,
    TaughtFaces,
    common_features,
    pair_features,
    rims_of,
)
from companion.vision.plain.exemplars import TILE_PATCH_MM, Exemplar, Teaching, labelled
from companion.vision.plain.model import hypotheses
from companion.vision.plain.prepared_image import PreparedImage
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.stacks import CLOSE_SCALE, DISC_MM, DISC_SIDE, Bytes, coded, crop, slot_colour
from companion.vision.plain.surface import Floats, about_middle
from companion.vision.plain.tile_features import LessonPatterns, Poses, flat_features, patterns_of
from companion.vision.plain.tiles import FlatExemplar, FlatShape, edge_colour, flat_shape, set_apart

Array = NDArray[np.float64]
BARE, REJECT = "bare", "alien"
UNDER = " under"
"""Ends the name of the scorer for places with a disc on them."""
ASKEW = 0.12
"""0.05..0.25 radians: how far askew a piece that looks in some direction is laid by hand."""
PALE_CHROMA, PALE_LIGHT = (10.0, 16.0), (72.0, 80.0)
"""CIE chroma of a face below which it is wholly grey, above which not at all; L* of its light parts below which it is not
white, above which wholly."""
PALE = 0.5
"""How much a taught first side may look like bare paper. Of 232 on 29 copies four had more (0.83 and 1, none but one was told
from its second side later), the others 0.11 at most."""
FAINT, FAINT_LIGHT = (0.3, 0.4), (60.0, 70.0)
"""How much of a drawing, as a share of what the copy's taught faces mostly have, is left of one under a reflection in which
next to nothing can be made out, and of one that is plain enough; L* of its light parts below which no reflection lies on it,
above which one does. Of four faces under lamps the share was 0.14 to 0.28 and L* 70 to 98."""
HARDLY_SEEN = 0.25
"""From this faintness and paleness on whoever teaches a piece is told so: one that kept its colour is found all the same."""


@dataclass(frozen=True, eq=False)
class Spot:
    """A place where flat pieces lie, as the networks look at it: coded patches of what is ``seen`` and of the ``bare`` print,
    what a disc ``hidden`` of it; and for a closer look at a tile the patches themselves, what changed, pixels per mm, how
    ``clear`` the disc's place is, if one stands there (``Disc.edge``), and of labelled tiles a ``close``-up
    (``CLOSE_SCALE``)."""

    seen: Bytes
    bare: Bytes
    hidden: NDArray[np.bool_] | None
    reflectance: Floats
    print: Floats
    change: Floats
    detail: float
    clear: float = 1.0
    close: Bytes | None = None


@dataclass(frozen=True, eq=False)
class CellFeatures:
    """All hypotheses about one place. ``names`` are ``"bare"``, ``"alien"``, then ``piece/face`` or labels; ``quiet`` means
    nothing changed: surely bare. Of a cell: ``disc``, what was found of one; ``rows``, the scorer's features of every
    hypothesis; ``back_rows``, the same of every second side that was taught, as of a face that was; ``stack``, the disc's crop
    and the likeliest turns of the taught faces on it. Of a place of flat pieces: ``place``."""

    spot: str
    names: tuple[str, ...]
    rows: Array | None = None
    back_rows: Array | None = None
    quiet: bool = False
    disc: Disc | None = None
    scorer: str = ""
    stack: tuple[Bytes, Array] | None = None
    place: Spot | None = None

    @property
    def sighted(self) -> bool:
        """Whether anything can be said of the place: it lies in the picture."""
        return self.quiet or self.rows is not None or self.place is not None


def _sided(group: Group, pieces: PieceSet) -> bool:
    """Whether pieces of a group are told by their sides, cover two cells, or are alone of their kind (``plain.sides``)."""
    return group.layout in ("pairs", "lone") or any(piece.faces for piece in pieces.in_group(group.key))


def pale(face: Face) -> float:
    """How much a face looks like bare paper (0..1)."""
    grey = np.clip((PALE_CHROMA[1] - face.chroma_inside) / (PALE_CHROMA[1] - PALE_CHROMA[0]), 0, 1)
    light = np.clip((face.bright_inside - PALE_LIGHT[0]) / (PALE_LIGHT[1] - PALE_LIGHT[0]), 0, 1)
    return float(grey * light)


@dataclass(frozen=True, eq=False)
class SecondSides:
    """Second sides of movable pieces that were taught themselves; the others are told from the first ones. ``facings``: which
    way each looked then, where it looks anywhere."""

    pieces: tuple[str, ...]
    faces: TaughtFaces
    crops: tuple[Bytes, ...]
    facings: tuple[str | None, ...]


class FeatureExtractor:
    """Holds the exemplars of the taught copy; extracts the features of any places of a picture."""

    def __init__(self, board: Board, pieces: PieceSet, teaching: Teaching, settings: PlainSettings) -> None:
        self.board = board
        self.pieces = pieces
        self.teaching = teaching
        self.settings = settings
        self.movable = pieces.movable
        self.cells = tuple(sorted(board.of_kind(*self.movable.on)))
        surface = settings.surface
        side = max(2, round(surface.patch_mm * surface.scale))
        size = teaching.disc_mm / 2, settings.evidence.reach_mm, surface.scale, side
        anyhow = DiscFinder(*size)
        taught = [exemplar for exemplar in teaching.exemplars if pieces.pieces[exemplar.piece].group == self.movable.key]
        self.finder = DiscFinder(*size, rims_of([anyhow.unevenness(one.reflectance, one.offset_mm) for one in taught]))
        flat = [group for group in pieces.groups.values() if group is not self.movable]
        self.sided_groups = tuple(group for group in flat if _sided(group, pieces))
        self.flat_groups = tuple(group for group in flat if group not in self.sided_groups)

    # --- exemplars, unrolled -----------------------------------------------------------------------------------------

    @cached_property
    def faces(self) -> Mapping[str, Face]:
        """The taught first face of every movable piece, by piece id."""
        return {piece: self._face(exemplar) for piece, exemplar in self._sides_taught(0).items()}

    def _sides_taught(self, side: int) -> Mapping[str, Exemplar]:
        """What was taught of the movable pieces' first or second side, by piece id."""
        found = {}
        for exemplar in self.teaching.exemplars:
            piece = self.pieces.pieces[exemplar.piece]
            if piece.group == self.movable.key and exemplar.face in piece.faces[side : side + 1]:
                found[exemplar.piece] = exemplar
        return found

    def _face(self, exemplar: Exemplar) -> Face:
        return self.finder.unroll(exemplar.reflectance, exemplar.offset_mm)

    def _face_crop(self, exemplar: Exemplar) -> Bytes:
        scale = self.settings.surface.scale
        return crop(coded(exemplar.reflectance), exemplar.offset_mm, 0.0, DISC_SIDE, DISC_MM, scale)

    @cached_property
    def movable_ids(self) -> tuple[str, ...]:
        """The movable pieces that were taught, in the board file's order."""
        return tuple(piece.id for piece in self.pieces.in_group(self.movable.key) if piece.id in self.faces)

    @cached_property
    def movable_names(self) -> tuple[str, ...]:
        """Names of all hypotheses about a cell."""
        return (BARE, REJECT, *(f"{piece}/{face}" for piece in self.movable_ids for face in self.pieces.pieces[piece].faces))

    @cached_property
    def taught_faces(self) -> TaughtFaces:
        """Their faces, in the same order."""
        return TaughtFaces([self.faces[piece] for piece in self.movable_ids])

    def paleness(self, piece: str) -> float:
        """How much the taught first face of a piece looks like bare paper (0..1), as second faces do."""
        return pale(self.faces[piece])

    @cached_property
    def faintness(self) -> Mapping[str, float]:
        """How little can be made out of the taught first face of every movable piece (0..1): a reflection lay on it."""
        return {piece: self.washed_out(face) for piece, face in self.faces.items()}

    def washed_out(self, face: Face) -> float:
        """How little of a drawing a reflection leaves of a face, beside what the taught ones mostly have (0..1)."""
        (low, high), (dark, light) = FAINT, FAINT_LIGHT
        share = face.drawn / max(self._usually_drawn, 1e-6)
        return float(np.clip((high - share) / (high - low), 0, 1) * np.clip((face.bright_inside - dark) / (light - dark), 0, 1))

    def taught_in_glare(self, exemplar: Exemplar) -> bool:
        """Whether it is of a movable piece of which next to nothing can be made out in the picture that taught it."""
        walks = self.pieces.pieces[exemplar.piece].group == self.movable.key
        return walks and self.washed_out(self._face(exemplar)) > HARDLY_SEEN

    @cached_property
    def _usually_drawn(self) -> float:
        return float(np.median([face.drawn for face in self.faces.values()]))

    @cached_property
    def face_crops(self) -> tuple[Bytes, ...]:
        """The taught faces as the networks look at them, in the same order."""
        exemplars = self._sides_taught(0)
        return tuple(self._face_crop(exemplars[piece]) for piece in self.movable_ids)

    @cached_property
    def backs(self) -> SecondSides | None:
        """The movable pieces' second sides, of those whose own was taught and can be made out."""
        exemplars = {
            piece: exemplar
            for piece, exemplar in self._sides_taught(1).items()
            if piece in self.faces and not self.taught_in_glare(exemplar)
        }
        if not exemplars:
            return None
        faces = TaughtFaces([self._face(exemplar) for exemplar in exemplars.values()])
        crops = tuple(self._face_crop(exemplar) for exemplar in exemplars.values())
        return SecondSides(tuple(exemplars), faces, crops, tuple(exemplar.facing for exemplar in exemplars.values()))

    def back(self, piece: str) -> Face | None:
        """The taught second face of a movable piece, if it was taught and can be made out."""
        backs = self.backs
        return backs.faces.faces[backs.pieces.index(piece)] if backs is not None and piece in backs.pieces else None

    def knows_back(self, piece: str) -> bool:
        """Whether a movable piece's second side was taught itself."""
        return self.backs is not None and piece in self.backs.pieces

    def passes_for_back(self, piece: str) -> bool:
        """Whether the first side of a movable piece was taught so white that it can hardly be told from its second side, which
        was not taught: a reflection lay on it, or it is as white as that."""
        return not self.knows_back(piece) and self.paleness(piece) > PALE

    @cached_property
    def flat_crops(self) -> Mapping[str, tuple[tuple[Bytes, tuple[float, float]], ...]]:
        """Taught flat pieces for the networks, by group key: coded patches, and where in them the pieces lie."""
        found = {}
        for group in self.flat_groups:
            mine, flats = self._taught_of(group), self.flat_exemplars[group.key]
            found[group.key] = tuple((coded(one.reflectance), flat.at_mm) for one, flat in zip(mine, flats, strict=True))
        return found

    @cached_property
    def flat_closeups(self) -> Mapping[str, tuple[tuple[Bytes, tuple[float, float]], ...]]:
        """The same of taught pieces with labels, from close by."""
        found = {}
        for group in self.flat_groups:
            if labelled(group, self.pieces):
                close = self._closeups_taught(group)
                found[group.key] = tuple(
                    (patch, flat.at_mm) for patch, flat in zip(close, self.flat_exemplars[group.key], strict=True)
                )
        return found

    def _closeups_taught(self, group: Group) -> list[Bytes]:
        return [coded(exemplar.close_reflectance(self.settings.surface.scale)) for exemplar in self._taught_of(group)]

    @cached_property
    def flat_marks(self) -> Mapping[str, tuple[tuple[float, float], ...]]:
        """Where on taught flat pieces the spot lies that tells them apart (mm from their middle), by group key."""
        return {key: tuple(exemplar.mark_mm for exemplar in exemplars) for key, exemplars in self.flat_exemplars.items()}

    @cached_property
    def flat_colours(self) -> Mapping[str, Floats]:
        """Mean colour of the taught pieces' middles, by group key."""
        scale = self.settings.surface.scale
        return {key: slot_colour(exemplars, scale) for key, exemplars in self.flat_crops.items() if exemplars}

    @cached_property
    def flat_edges(self) -> Mapping[str, Floats]:
        """Mean colour of what a disc leaves in sight of the taught pieces, by group key."""
        scale, groups = self.settings.surface.scale, self.pieces.groups
        return {
            key: edge_colour(exemplars, flat_shape(groups[key]), scale)
            for key, exemplars in self.flat_crops.items()
            if exemplars
        }

    def spots(self, group: Group) -> tuple[str, ...]:
        """Every place where a piece of the group may lie."""
        cells = sorted(self.board.of_kind(*group.on))
        return (*cells, *(place.id for place in self.board.places.values() if place.kind in group.on))

    def label(self, piece: str) -> str:
        """What tells one flat piece from another of its group: its label, or nothing but the group."""
        entry = self.pieces.pieces[piece]
        return str(entry.label) if entry.label is not None else entry.group

    @cached_property
    def flat_exemplars(self) -> Mapping[str, tuple[FlatExemplar, ...]]:
        """Taught flat pieces by group key."""
        return {group.key: self.of_flats(group, "set apart", partial(self._set_apart, group)) for group in self.flat_groups}

    def of_flats(self, group: Group, what: str, make: Callable[[], Kept]) -> Kept:
        """What is found out about the taught flat pieces of a group by themselves, once for as long as these and no others are
        known: a side that is learnt while a game is on changes nothing in it."""
        mine = self._taught_of(group)
        if not mine:
            return make()
        labels = tuple(self.label(exemplar.piece) for exemplar in mine)
        return mine[0].latest((what, group), (self.settings.surface.scale, labels, tuple(mine[1:])), make)

    def _set_apart(self, group: Group) -> tuple[FlatExemplar, ...]:
        mine = self._taught_of(group)
        taught = [(self.label(exemplar.piece), exemplar.reflectance, exemplar.offset_mm) for exemplar in mine]
        return set_apart(taught, flat_shape(group), self.settings.surface.scale, self._closeups_taught(group))

    def _taught_of(self, group: Group) -> list[Exemplar]:
        return [exemplar for exemplar in self.teaching.exemplars if self.pieces.pieces[exemplar.piece].group == group.key]

    @cached_property
    def flat_patterns(self) -> Mapping[str, LessonPatterns]:
        """The same exemplars' patterns side by side, by group key, for groups of which something was taught."""
        return {key: patterns_of(exemplars) for key, exemplars in self.flat_exemplars.items() if exemplars}

    # --- gathering ---------------------------------------------------------------------------------------------------

    def detail(self, registration: Registration, spots: Sequence[str]) -> Array:
        """Picture pixels per millimetre at places, in the worse direction."""
        mm = np.array([self.board.mm(spot) for spot in spots])
        right, left, low, high = (
            registration.project(mm + step) for step in ((5.0, 0.0), (-5.0, 0.0), (0.0, 5.0), (0.0, -5.0))
        )
        across, down = np.linalg.norm(right - left, axis=1), np.linalg.norm(low - high, axis=1)
        return np.asarray(np.minimum(across, down) / 10, np.float64)

    def movable_at(self, prepared: PreparedImage, cells: Collection[str] | None = None) -> list[CellFeatures]:
        """Cell features for movable pieces on the given cells (all of them by default)."""
        chosen = [index for index, cell in enumerate(self.cells) if cells is None or cell in cells]
        if not chosen:
            return []
        wanted = [self.cells[index] for index in chosen]
        patches = prepared.patches(
            [self.board.mm(cell) for cell in self.cells], self.settings.surface.patch_mm, self.movable.height_mm, chosen
        )
        change = patches.change
        middle = about_middle(change.shape[1], self.finder.radius_mm * 0.8 * self.settings.surface.scale)
        busy = change[:, middle].mean(axis=1)
        light = np.log(prepared.light.at(np.array([self.board.mm(cell) for cell in wanted]))).mean(axis=-1)
        overall = float(np.median(prepared.light.log.mean(axis=-1)))
        detail = self.detail(prepared.view.registration, wanted)
        parallax_mm = prepared.parallax_mm([self.board.mm(cell) for cell in wanted], self.movable.height_mm)
        names = self.movable_names
        cell_features = []
        for index, cell in enumerate(wanted):
            if not patches.inside[index]:
                cell_features.append(CellFeatures(cell, names))
                continue
            if busy[index] < self.settings.evidence.busy:
                cell_features.append(CellFeatures(cell, names, quiet=True, scorer="walkers"))
                continue
            disc = self.finder.look(patches.seen[index], change[index], parallax_mm[index])
            shown = self.of_disc(cell, disc, patches.seen[index], float(light[index] - overall), float(detail[index]))
            cell_features.append(shown)
        return cell_features

    def of_disc(self, cell: str, disc: Disc, seen: Floats, light: float, detail: float) -> CellFeatures:
        """Cell features of a disc that was found on a patch, with how light it is there (logarithm, against the picture) and
        the picture's detail (pixels per millimetre)."""
        common, taught, backs = common_features(disc, light, detail), self.taught_faces, self.backs
        kinds = np.tile([0, 1], len(self.movable_ids))
        rows = hypotheses(common, np.repeat(pair_features(disc, taught), 2, axis=0), kinds)
        back_rows = (
            None if backs is None else hypotheses(common, pair_features(disc, backs.faces), np.zeros(len(backs.pieces)))[2:]
        )
        face = crop(coded(seen), disc.offset_mm, 0.0, DISC_SIDE, DISC_MM, self.settings.surface.scale)
        stack = face, taught.turns(disc.faces[0])
        return CellFeatures(cell, self.movable_names, rows, back_rows, disc=disc.settled(), scorer="walkers", stack=stack)

    def flats_at(
        self,
        prepared: PreparedImage,
        group: Group,
        spots: Collection[str] | None = None,
        discs: Mapping[str, Disc] | None = None,
    ) -> list[CellFeatures]:
        """Cell features for flat pieces of one group. ``discs`` are those standing on places, which hide part of what lies
        below."""
        every = self.spots(group)
        chosen = [index for index, spot in enumerate(every) if spots is None or spot in spots]
        exemplars = self.flat_exemplars[group.key]
        if not chosen or not exemplars:
            return []
        wanted = [every[index] for index in chosen]
        shape = flat_shape(group)
        centres, within = [self.board.mm(spot) for spot in every], shape.reach_mm + shape.stray_mm
        patches = prepared.patches(centres, TILE_PATCH_MM, group.height_mm, chosen, within)
        change = patches.change
        detail = self.detail(prepared.view.registration, wanted)
        names = (BARE, REJECT, *(exemplar.label for exemplar in exemplars))
        found: list[CellFeatures | Spot] = []
        for index, spot in enumerate(wanted):
            if not patches.inside[index]:
                found.append(CellFeatures(spot, names))
                continue
            disc = (discs or {}).get(spot)
            hidden = None if disc is None else self.hidden(prepared, patches.grid.mm[index], spot, disc, group)
            if hidden is None and self.quiet(change[index], shape):
                found.append(CellFeatures(spot, names, quiet=True, scorer=group.key))
                continue
            # Cell features outlive this look: views would keep the patches of all places.
            seen, below, changed = (stack[index].copy() for stack in (patches.seen, patches.bare, change))
            clear = 1.0 if disc is None else disc.edge
            found.append(Spot(coded(seen), coded(below), hidden, seen, below, changed, float(detail[index]), clear))
        close = self._closeups(prepared, group, every, chosen, found) if labelled(group, self.pieces) else {}
        return [
            CellFeatures(
                spot,
                names,
                scorer=group.key if one.hidden is None else f"{group.key}{UNDER}",
                place=replace(one, close=close.get(index)),
            )
            if isinstance(one, Spot)
            else one
            for index, (spot, one) in enumerate(zip(wanted, found, strict=True))
        ]

    def _closeups(
        self,
        prepared: PreparedImage,
        group: Group,
        every: Sequence[str],
        chosen: Sequence[int],
        found: Sequence["CellFeatures | Spot"],
    ) -> dict[int, Bytes]:
        """Close-ups of those of the chosen places that are in sight and changed, by their index among them."""
        busy = [index for index, one in enumerate(found) if isinstance(one, Spot) and one.hidden is None]
        if not busy:
            return {}
        centres = [self.board.mm(spot) for spot in every]
        patches = prepared.closeups(centres, TILE_PATCH_MM, group.height_mm, [chosen[index] for index in busy], CLOSE_SCALE)
        return {index: coded(patch) for index, patch in zip(busy, patches, strict=True)}

    def compared(self, group: str, place: Spot) -> tuple[Array, Array, Poses]:
        """What speaks for bare board and for each taught piece of the group at an open place (:func:`flat_features`)."""
        return flat_features(
            place.reflectance, place.print, place.change, flat_shape(self.pieces.groups[group]), self.flat_exemplars[group],
            self.flat_patterns[group], self.settings.surface.scale, place.detail, self.settings.bare,
        )  # fmt: skip

    def tile(self, group: str, place: Spot) -> tuple[Array, Poses]:
        """The scorer's features of a tile of the group at a place (rows for bare, alien, every exemplar), and how it lies."""
        exemplars = self.flat_exemplars[group]
        common, pair, poses = self.compared(group, place)
        drawing = exemplars[0].drawing
        if drawing is not None and place.close is not None:
            own = np.array([exemplar.turn for exemplar in exemplars])
            lies = drawing.laid(place.close, poses.offset_mm, float(poses.turns[0, 0] + own[0]))
            poses = Poses(lies.middle_mm, (lies.turn - own)[:, None], lies.alike)
        return hypotheses(common, pair, np.zeros(len(exemplars))), poses

    def quiet(self, change: Floats, shape: FlatShape) -> bool:
        """Whether a place of flat pieces looks just as it did bare."""
        middle = about_middle(change.shape[0], shape.reach_mm * 0.9 * self.settings.surface.scale)
        return bool(change[middle].mean() < self.settings.evidence.busy * 0.75)

    def hidden(self, prepared: PreparedImage, mm: Floats, spot: str, disc: Disc, group: Group) -> NDArray[np.bool_]:
        """What a disc on a place hides of the layer below, and its closest shadow, at samples of that layer (H×W×2 mm)."""
        registration, high = prepared.view.registration, self.movable.height_mm
        middle = np.asarray(self.board.mm(spot)) + disc.offset_mm
        # The disc's middle from its foot to its top, and on the layer, carried down along its sight lines to the layer.
        heights = np.array([*np.linspace(0, high, 4), high + group.height_mm])
        centres = registration.locate(registration.project(np.tile(middle, (len(heights), 1)), heights), group.height_mm)
        away = mm[..., None, :] - np.asarray(centres, np.float32)
        reach = self.finder.radius_mm + 1.0
        return np.asarray(((away**2).sum(axis=-1) <= reach**2).any(axis=-1), np.bool_)

    # --- facing ------------------------------------------------------------------------------------------------------

    @cached_property
    def headings(self) -> Mapping[str, float]:
        """Direction name to degrees clockwise from the board's x axis."""
        return headings(self.board)

    def way_turns(self, piece: str, side: int) -> tuple[Bytes, Array, int] | None:
        """What to compare with to see which way a piece looks that lies with its first or second side up: the crop of a taught
        face, its turns (D×3 radians) for every direction, and a little to either side, and whether it is another side than
        the one that is up (0 or 1). None if it was not taught which way it looked."""
        backs = self.backs
        if side and backs is not None and piece in backs.pieces:
            index = backs.pieces.index(piece)
            if (facing := backs.facings[index]) in self.headings:
                return backs.crops[index], way_turns(self.headings, str(facing)), 0
        facing = self._sides_taught(0)[piece].facing
        if facing not in self.headings:
            return None
        return self.face_crops[self.movable_ids.index(piece)], way_turns(self.headings, str(facing)), side

    @cached_property
    def wedge_turns(self) -> Array:
        """How far a wedge that points along the board's x axis is turned when it points in each direction (D×3 radians), and a
        little askew."""
        turns = np.radians(list(self.headings.values()))
        return np.asarray(turns[:, None] + np.array([-ASKEW, 0.0, ASKEW]), np.float64)


def headings(board: Board) -> Mapping[str, float]:
    """Direction name to degrees clockwise from the board's x axis, averaged over the printed board."""
    found = {}
    for name in board.directions:
        steps = [np.subtract(board.mm(onward[name]), board.mm(cell)) for cell, onward in board.links.items() if name in onward]
        x, y = np.mean(steps, axis=0)
        found[name] = float(np.degrees(np.arctan2(y, x)))
    return found


def way_turns(ways: Mapping[str, float], taught: str) -> Array:
    """How far a face taught looking one way is turned (D×3 radians) when it looks in each direction, and a little askew."""
    turns = np.radians([angle - ways[taught] for angle in ways.values()])
    return np.asarray(turns[:, None] + np.array([-ASKEW, 0.0, ASKEW]), np.float64)
