"""The posterior of what lies below a piece, where its rim does not decide: by the networks and fitted weights of the plain
mode.

Those were trained on how a place looks around a disc or a strip, in hard shadows and under several lamps, whatever is printed
there. They are shown the place now, its bare print, and the tiles of this very table that lie in plain sight or did so;
stickers are hidden by what stands on them. What they need is the empty board, photographed once: without it nothing is said.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import PAIR, Board, Group, PieceSet
from companion.vision.frame import Image
from companion.vision.marked.rectify import patch
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.plain.evidence import BARE
from companion.vision.plain.nets import AROUND, HERE, Nets
from companion.vision.plain.prepared_image import Patches, ReferenceImage
from companion.vision.plain.prepared_image import PreparedImage as Lit
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.side_classifier import taught_by
from companion.vision.plain.side_measures import VISIBLE, PlacePatch, Taught, measures
from companion.vision.plain.side_scores import posteriors, shipped, surest
from companion.vision.plain.surface import Floats, View
from companion.vision.plain.tiles import flat_shape
from companion.vision.reading import Reading, Sighting, subject

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class OcclusionPosteriorSettings:
    """Tunables of the look below a piece; how sure it must be is the plain mode's ``claim``.

    patch_mm
        42..50 mm: side of the square around a place; its bare surroundings tell the light.
    clear_mm
        0.5..2 mm kept free around pieces: their blurred edges and the error of where they were seen.
    kept
        2..4 pictures of each side count, those of the moment first: they lie in the same light.
    in_sight
        0.85..1: share of a tile that must be in sight for it to stand for its side; a disc beside it may lean over its edge.
    bare, bare_darker
        0.85..0.95 and 0.75..0.9: how sure it must be that nothing lies there; its rim must be of the print's tint as well. The
        latter where the rim differs by being darker alone: of 43 such places with 0.6 to 0.9, on 140 made-up tables in shade,
        none bore a tile, with tiles of nearly the street's colour among them.
    side_tinted
        0.75..0.95: how sure a side must be where the rim is plainly of another tint than the print.
    same_grey, most_grey
        1..3 and 10..30 grey levels by which a place may differ on average, and anywhere, and still look as it did.
    """

    patch_mm: float = 46.0
    clear_mm: float = 1.0
    kept: int = 3
    in_sight: float = 0.9
    bare: float = 0.9
    bare_darker: float = 0.8
    side_tinted: float = 0.8
    same_grey: float = 2.0
    most_grey: int = 20


@dataclass(frozen=True, eq=False)
class TileExemplar:
    """A tile in plain sight: the side that is up (or its group, if its sides do not differ), the reflectance patch (H×W×3)
    around its place, and where in that it lies (mm from the middle)."""

    side: str
    patch: Floats
    at_mm: tuple[float, float]


@dataclass(frozen=True, eq=False)
class _Known:
    """What was found at a place, the straightened picture (H×W×3) it was found in, what had lain there ``before``, and which
    pieces lay ``near`` (piece, place)."""

    picture: Image
    before: str | None
    near: frozenset[tuple[str, str]]
    found: Mapping[str, float]


class OcclusionPosterior:
    """Holds the empty board of one table and exemplars of tiles seen on it. Not for several threads at once."""

    def __init__(self, board: Board, pieces: PieceSet, settings: OcclusionPosteriorSettings | None = None) -> None:
        self._board, self._pieces = board, pieces
        self._settings, self._plain = settings or OcclusionPosteriorSettings(), PlainSettings()
        self._tiles = any(group.shape == "hexagon" for group in pieces.groups.values())
        """Whether there are tiles of the kind that the networks know."""
        self._sheet: ReferenceImage | None = None
        self._exemplars: dict[str, tuple[TileExemplar, ...]] = {}
        self._last: tuple[RegisteredImage, Lit] | None = None
        self._known: dict[tuple[str, str], _Known] = {}

    @cached_property
    def _nets(self) -> Nets:
        return Nets(self._plain.surface.scale)

    def learn(self, registered: RegisteredImage, sightings: Sequence[Sighting], doubtful: Iterable[str] = ()) -> None:
        """Remember the board of a picture on which nothing lies, or the tiles that lie in plain sight. At ``doubtful`` places
        something may lie that was not found."""
        if not self._tiles:
            return
        lies = {cell for sighting in sightings for cell in sighting.place.split(PAIR)}
        if lies.union(doubtful).isdisjoint(self._board.cells):
            view = View.of(registered.image, registered.registration, self._board, self._plain.surface)
            self._sheet = ReferenceImage(view, self._board, self._plain.surface)
            self._exemplars, self._last, self._known = {}, None, {}
        elif self._sheet is not None:
            for group in self._pieces.groups.values():
                if group.shape == "hexagon":
                    exemplars = self._with_tiles(registered, group, sightings)
                    if {one.side for one in exemplars} != {one.side for one in self._exemplars.get(group.key, ())}:
                        self._known = {}  # what looked like nothing known may be the side that is known now
                    self._exemplars[group.key] = exemplars

    def posteriors(
        self, registered: RegisteredImage, spot: str, group: Group, sightings: Sequence[Sighting], prior: Reading | None = None
    ) -> Mapping[str, float]:
        """Probability of ``"bare"`` print, something else (``"alien"``) and every known side of a group's tiles at a place
        below a piece; empty where nothing can be said. Not found out again while the place looks just as it did.

        ``sightings`` are all pieces on the table; what ``prior`` had there is likelier to be there still.
        """
        if self._sheet is None:
            return {}
        half = self._settings.patch_mm / 2
        picture = patch(registered.image, registered.registration, self._board.mm(spot), half_mm=half, scale=1.0)
        before, near = self._before(prior, spot, group), self._near(spot, sightings)
        known = self._known.get((group.key, spot))
        if known is None or (known.before, known.near) != (before, near) or not self._same(known.picture, picture):
            known = _Known(picture, before, near, self._look(registered, spot, group, sightings, before))
            self._known[group.key, spot] = known
        return known.found

    def surest(self, found: Mapping[str, float], only_darker: bool = False, tinted: bool = False) -> tuple[str, float] | None:
        """Of such probabilities what surely lies there, and how surely; None where that cannot be told. The rim there may be
        ``only_darker`` than bare print and nothing else, or plainly of another tint."""
        own = self._settings
        return surest(found, own.bare_darker if only_darker else own.bare, own.side_tinted if tinted else self._plain.claim)

    def _look(
        self, registered: RegisteredImage, spot: str, group: Group, sightings: Sequence[Sighting], before: str | None
    ) -> Mapping[str, float]:
        taught = self._taught(registered, group, sightings)
        patches = self._patches(registered, spot, group)
        if taught is None or not patches.inside[0]:
            return {}
        above = [one for one in sightings if not self._is_tile(one, group)]
        hidden = self._hidden(registered, patches, spot, group, above)
        place = PlacePatch(patches.seen[0], patches.bare[0], patches.change[0], hidden)
        stay, found = self._plain.stay, dict[str, float]()
        for at in (HERE, AROUND):
            bare, sides = measures(place, taught, self._nets, self._plain, at)
            if bare[VISIBLE] < self._plain.sides.seen:
                return {}
            found = posteriors(shipped("covered"), bare, sides, taught.sides, True, before, stay, bool(taught.untaught))
            if max(found.values()) >= self._plain.claim:
                break
        return found

    # --- what is known ---------------------------------------------------------------------------------------------

    def _taught(self, registered: RegisteredImage, group: Group, sightings: Sequence[Sighting]) -> Taught | None:
        """The tiles known of a group, those of the moment first; None where none is."""
        exemplars = self._with_tiles(registered, group, sightings)
        if not exemplars:
            return None
        shown = [(one.side, one.patch, one.at_mm) for one in exemplars]
        taught = taught_by(shown, group, self._pieces, self._plain.surface.scale)
        # In their middle lie stickers: the colour of what shows around a piece stands for the whole.
        return replace(taught, colours=taught.edges)

    def _with_tiles(self, registered: RegisteredImage, group: Group, sightings: Sequence[Sighting]) -> tuple[TileExemplar, ...]:
        """What was learnt of a group's tiles and those in plain sight now, ``kept`` of each side, the latest first."""
        exemplars: list[TileExemplar] = []
        for one in (*self._in_sight(registered, group, sightings), *self._exemplars.get(group.key, ())):
            if sum(other.side == one.side for other in exemplars) < self._settings.kept:
                exemplars.append(one)
        return tuple(exemplars)

    def _in_sight(self, registered: RegisteredImage, group: Group, sightings: Sequence[Sighting]) -> Iterator[TileExemplar]:
        """The tiles of a group that lie in plain sight."""
        shape, scale = flat_shape(group), self._plain.surface.scale
        for sighting in sightings:
            if not self._is_tile(sighting, group) or sighting.at_mm is None:
                continue
            patches = self._patches(registered, sighting.place, group)
            above = [one for one in sightings if not self._is_tile(one, group)]
            hidden = self._hidden(registered, patches, sighting.place, group, above)
            inside = shape.footprint(len(hidden), scale, 1.0)
            if patches.inside[0] and hidden[inside].mean() <= 1 - self._settings.in_sight:
                x, y = np.subtract(sighting.at_mm, self._board.mm(sighting.place))
                yield TileExemplar(sighting.face or group.key, patches.seen[0], (float(x), float(y)))

    def _before(self, prior: Reading | None, spot: str, group: Group) -> str | None:
        """What the reading before had at a place: a side, or bare print; None where it could not tell."""
        if prior is None or subject(spot, group) in prior.unknown:
            return None
        mine = (one.face or group.key for one in prior.sightings if one.place == spot and self._is_tile(one, group))
        return next(mine, BARE)

    # --- the picture -------------------------------------------------------------------------------------------------

    def _lit(self, registered: RegisteredImage) -> Lit:
        """The picture with its light, made once."""
        assert self._sheet is not None, "asked only where the empty board is known"
        if self._last is None or self._last[0] is not registered:
            view = View.of(registered.image, registered.registration, self._board, self._plain.surface)
            self._last = registered, self._sheet.prepare(view)
        return self._last[1]

    def _patches(self, registered: RegisteredImage, spot: str, group: Group) -> Patches:
        """A place's patch (one of a stack of one), at the height of a group's tiles."""
        return self._lit(registered).patches([self._board.mm(spot)], self._settings.patch_mm, group.height_mm)

    def _hidden(
        self, registered: RegisteredImage, patches: Patches, spot: str, group: Group, above: Iterable[Sighting]
    ) -> Mask:
        """What pieces hide of a place's patch (H×W), which is taken at a tile's height: its sight lines end beside it."""
        parallax = self._lit(registered).parallax_mm([self._board.mm(spot)], group.height_mm)[0]
        mm = patches.grid.mm[0].astype(np.float64) + parallax
        return registered.hidden_by(above, mm[0, :, 0], mm[:, 0, 1], self._settings.clear_mm)

    def _near(self, spot: str, sightings: Iterable[Sighting]) -> frozenset[tuple[str, str]]:
        """The pieces that may hide some of a place's patch, and where they are."""
        x, y = self._board.mm(spot)
        seen = ((one, one.at_mm) for one in sightings if one.at_mm is not None)
        reach = self._settings.patch_mm
        return frozenset((one.piece, one.place) for one, at in seen if max(abs(at[0] - x), abs(at[1] - y)) < reach)

    def _is_tile(self, sighting: Sighting, group: Group) -> bool:
        return self._pieces.pieces[sighting.piece].group == group.key

    def _same(self, one: Image, other: Image) -> bool:
        """Whether a place looks just as it did."""
        apart = cv2.absdiff(cv2.blur(one, (3, 3)), cv2.blur(other, (3, 3)))
        return float(apart.mean()) <= self._settings.same_grey and int(apart.max()) <= self._settings.most_grey
