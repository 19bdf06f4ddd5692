"""Which side of a tile lies under a disc or a strip? Its sticker is hidden; a ring of its print shows around what covers it.

The ring's colour is taken relative to what the bare board shows at the same spot, and the light relative to the board just
outside the tile: what is left depends on the print alone. It is compared with the rings of the tiles in plain sight, now
and in earlier pictures. Nothing here knows how a tile is printed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group
from companion.vision.marked.background import BackgroundModel
from companion.vision.marked.rectify import grid_mm, steps_mm
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.rim_comparison import RimSettings, bare_patch, rim_half_mm, rim_patch
from companion.vision.reading import Sighting

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SideColourSettings:
    """Tunables of the comparison.

    likeness
        0.15..0.4 natural logarithms (over the three colours) a ring may lie from its like: prints are not one even colour,
        and the part of the ring in sight is another each time.
    lead
        1.5..3: the second most alike side must be this many times further off.
    apart
        0.1..0.3 natural logarithms that it must be further off at least.
    shadow
        0.5..1.2 natural logarithms: so much darker what is in sight of another side may be, in the shadow of what covers it.
    rim
        How the rim of such a tile is judged. Nearly every disc stands on a place that may hold a tile, so the bounds lie in
        the wide gap between composed bare rims (at most 0.33 changed) and tiles' (at least 0.66), and less is left free.
    least_tile
        0.3..0.7 of a ring that must be tile; the rest may be board beside a tile that does not lie in the middle.
    margin_mm
        0.5..2 mm kept off the sticker's and the tile's edge.
    smallest_mm2
        15..100 mm² of ring must be in sight.
    kept
        3..20 rings are remembered of each side.
    """

    likeness: float = 0.3
    lead: float = 2.0
    apart: float = 0.2
    shadow: float = 1.0
    least_tile: float = 0.45
    margin_mm: float = 1.0
    smallest_mm2: float = 20.0
    kept: int = 8
    rim: RimSettings = field(
        default_factory=lambda: RimSettings(clear_mm=1.5, same=0.4, shaded=0.45, differs=0.5, covered=0.55, smallest_mm2=35.0)
    )


@dataclass(frozen=True)
class SideColours:
    """Rings of tiles seen in plain sight: side to colours (3 logarithms each), the latest last."""

    rings: Mapping[str, tuple[Array, ...]] = field(default_factory=dict)

    def side_of(self, ring: Array, settings: SideColourSettings, expected: str | None = None) -> str | None:
        """The side whose rings are most like this one, if it is clearly so; less clear will do for the ``expected`` one.

        A disc under one lamp throws a hard shadow, and often most of the ring lies in it: a bright side looks there like a
        darker one in the light. So a side is told only where no other would fit as well, were it darkened.
        """
        known = {side: np.median(rings, axis=0) for side, rings in self.rings.items()}
        if not known:
            return None
        off = {side: _apart(ring, one, settings) for side, one in known.items()}
        side = min(off, key=lambda one: off[one])
        sure = 2.0 if side == expected else 1.0
        if off[side] > settings.likeness * sure:
            return None
        needed = max(settings.lead / sure**0.5 * off[side], off[side] + settings.apart / sure)
        rivals = [_apart(_lit(ring, one, settings), one, settings) for name, one in known.items() if name != side]
        return side if min(rivals, default=needed) >= needed else None

    def with_tiles(
        self, registered: RegisteredImage, sightings: Iterable[Sighting], bare: BackgroundModel, settings: SideColourSettings
    ) -> "SideColours":
        """These looks and those of every tile in plain sight."""
        everything = tuple(sightings)
        rings = dict(self.rings)
        for sighting in everything:
            group = registered.pieces.group_of(sighting.piece)
            if sighting.face is None or sighting.at_mm is None or group.shape != "hexagon":
                continue
            others = [other for other in everything if other is not sighting]
            ring = ring_colour(registered, sighting.place, group, others, bare, settings, sighting.at_mm)
            if ring is not None:
                rings[sighting.face] = (*rings.get(sighting.face, ()), ring)[-settings.kept :]
        return SideColours(rings)


def _apart(ring: Array, known: Array, settings: SideColourSettings) -> float:
    """How far a ring is from a known one, or from that one mixed with bare board: a tile that lies off leaves some in sight."""
    share = np.clip(float(ring @ known) / max(1e-9, float(known @ known)), settings.least_tile, 1.0)
    return float(np.linalg.norm(ring - share * known))


def _lit(ring: Array, known: Array, settings: SideColourSettings) -> Array:
    """A ring as it would look out of the shadow, if it were of this known one: as bright, but never darker than it is."""
    return np.asarray(ring + np.clip(np.mean(known - ring), 0.0, settings.shadow), np.float64)


def ring_colour(
    registered: RegisteredImage,
    spot: str,
    tile: Group,
    hiding: Iterable[Sighting],
    bare: BackgroundModel,
    settings: SideColourSettings,
    middle_mm: tuple[float, float] | None = None,
) -> Array | None:
    """The colour (3 logarithms) of the ring between a tile's sticker and its edge, relative to the bare board there.

    ``hiding``: the other pieces, which hide parts. ``middle_mm``: the tile's own middle, where it is seen.
    None where the bare board is not known or too little is in sight.
    """
    mm, rim = registered.board.mm(spot), settings.rim
    taught = bare_patch(bare, mm, tile, rim)
    if taught is None:
        return None
    half = rim_half_mm(tile, rim)
    steps = steps_mm(half, rim.scale)
    off = grid_mm(half, rim.scale) - (np.asarray(middle_mm if middle_mm is not None else mm) - mm)
    distance = np.hypot(off[..., 0], off[..., 1])
    visible = ~registered.hidden_by(hiding, steps + mm[0], steps + mm[1], rim.clear_mm)
    sticker = (tile.marker_mm / 2 + tile.quiet_mm) * 2**0.5
    ring = visible & (distance > sticker + settings.margin_mm) & (distance < min(tile.size_mm) / 2 + 1.0)
    outside = visible & (distance > max(tile.size_mm) / 2 + 3.0) & (distance < half)
    if ring.sum() / rim.scale**2 < settings.smallest_mm2 or outside.sum() < 60:
        return None
    before, after = (
        np.log(cv2.GaussianBlur(p, (0, 0), rim.scale).astype(np.float64) + 6.0)
        for p in (taught, rim_patch(registered, spot, tile, rim))
    )
    change = after - before
    light = np.median(change[outside], axis=0)
    return np.asarray(np.median(change[ring], axis=0) - light)
