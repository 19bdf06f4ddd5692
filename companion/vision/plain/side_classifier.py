"""Classifies a cell's patch among the sides of flat pieces that have several, or are alone of their kind; shared by their
judges."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from companion.boards import Group, PieceSet
from companion.vision.plain.evidence import BARE, REJECT, FeatureExtractor
from companion.vision.plain.exemplars import Exemplar
from companion.vision.plain.nets import HERE, Nets, Point
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.side_measures import VISIBLE, Array, Mask, PlacePatch, Taught, measures, settled
from companion.vision.plain.side_scores import among_others, posteriors, shipped
from companion.vision.plain.side_table import SideTable
from companion.vision.plain.stacks import Bytes, coded, slot_colour
from companion.vision.plain.surface import Floats
from companion.vision.plain.tiles import edge_colour, flat_shape, set_apart
from companion.vision.reading import subject


class SideClassifier:
    """The exemplars of one taught copy's flat pieces with sides, and what a cell's patch says by them."""

    def __init__(self, pieces: PieceSet, extractor: FeatureExtractor, settings: PlainSettings) -> None:
        self._pieces, self._teaching, self._settings = pieces, extractor.teaching, settings
        self._groups = extractor.sided_groups
        self.nets = Nets(settings.surface.scale)

    def _exemplars(self, group: Group) -> list[Exemplar]:
        return [exemplar for exemplar in self._teaching.exemplars if self._pieces.pieces[exemplar.piece].group == group.key]

    @cached_property
    def taught(self) -> Mapping[str, Taught]:
        """By group key; strips are told by their finder instead."""
        found = {}
        scale = self._settings.surface.scale
        for group in self._groups:
            mine = self._exemplars(group)
            if group.layout == "pairs" or not mine:
                continue
            places = [settled(one.reflectance, one.offset_mm, flat_shape(group), scale) for one in mine]
            shown = [(str(one.face), one.reflectance, at) for one, at in zip(mine, places, strict=True)]
            found[group.key] = taught_by(shown, group, self._pieces, scale)
        return found

    def posteriors(
        self,
        table: SideTable,
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
        bare, sides = self.measured(table, cell, taught, hidden, at, beside)
        if bare[VISIBLE] < self._settings.sides.seen:
            return {REJECT: 1.0} | dict.fromkeys((BARE, *taught.sides), 0.0)
        if situation == "lone":
            bare = among_others(bare, self._by_place(table, cell))
        names, stay = taught.sides, self._settings.stay
        return posteriors(shipped(situation), bare, sides, names, disc, before, stay, bool(taught.untaught))

    def measured(
        self,
        table: SideTable,
        cell: str,
        taught: Taught,
        hidden: Mask | None,
        at: Sequence[Point] = HERE,
        beside: bool = False,
    ) -> tuple[Array, Array]:
        """What speaks for bare print and for every taught side at a cell, ``hidden`` by what stands or lies on it."""
        ground, leaning = table.ground, table.beside.get(cell) if beside else None

        def make() -> tuple[Array, Array]:
            place = PlacePatch(ground.seen(cell), ground.bare(cell), ground.change(cell), hidden, leaning)
            return measures(place, taught, self.nets, self._settings, at)

        masks = tuple(b"" if mask is None else mask.tobytes() for mask in (hidden, leaning))
        return table.findings.once(cell, ("measures", taught, masks, at), make)

    def _by_place(self, table: SideTable, cell: str) -> Mapping[str, float]:
        """What is believed of the flat pieces by place at a cell, seen openly."""
        group = next((group for group in self._groups if group.layout == "by-place"), None)
        taught = None if group is None else self.taught.get(group.key)
        if group is None or taught is None:
            return {}
        return self.posteriors(table, cell, taught, "doubtful", None, False, self.before(table, cell, group))

    def before(self, table: SideTable, cell: str, group: Group) -> str | None:
        """What the reading before had of this group at a cell: a side, or bare print; None where it could not tell."""
        prior = table.prior
        if prior is None or subject(cell, group) in prior.unknown:
            return None
        mine = (s.face for s in prior.sightings if s.place == cell and self._pieces.pieces[s.piece].group == group.key)
        return next(mine, None) or BARE


def taught_by(shown: Sequence[tuple[str, Floats, Point]], group: Group, pieces: PieceSet, scale: float) -> Taught:
    """What is known of a group by pieces that were seen: the side of each, a reflectance patch (H×W×3, ``scale`` samples per
    mm), and where in that it lies (mm from the middle)."""
    shape = flat_shape(group)
    # Each by itself: sides of different drawings cannot be laid over one another.
    exemplars = tuple(exemplar for one in shown for exemplar in set_apart([one], shape, scale))
    crops: dict[str, list[tuple[Bytes, Point]]] = {}
    for side, patch, at in shown:
        crops.setdefault(side, []).append((coded(patch), at))
    colours = {side: slot_colour(some, scale) for side, some in crops.items()}
    edges = {side: edge_colour(some, shape, scale) for side, some in crops.items()}
    every = {face for piece in pieces.in_group(group.key) for face in piece.faces}
    faces, patches = tuple(side for side, _, _ in shown), tuple(patch for _, patch, _ in shown)
    return Taught(shape, exemplars, faces, colours, edges, tuple(sorted(every - crops.keys())), patches)


def never(taught: Taught) -> str:
    """The sides that no picture has shown, as the end of a sentence."""
    return f"; never shown: {', '.join(taught.untaught)}" if taught.untaught else ""
