"""The tunables of the marked mode in one value, one field for each stage of a look."""

from dataclasses import dataclass, field

from companion.vision.faults import FrameSettings
from companion.vision.marked.background import BackgroundSettings
from companion.vision.marked.changed_area import ChangedAreaSettings
from companion.vision.marked.claims import ClaimSettings
from companion.vision.marked.glance import GlanceSettings
from companion.vision.marked.markers import MarkerSettings
from companion.vision.marked.occlusion_posterior import OcclusionPosteriorSettings
from companion.vision.marked.patch_alignment import AlignmentSettings
from companion.vision.marked.place_similarity import SimilaritySettings
from companion.vision.marked.placing import PlacingSettings
from companion.vision.marked.print_visibility import PrintSettings
from companion.vision.marked.registration import RegistrationSettings
from companion.vision.marked.rim_comparison import RimSettings
from companion.vision.marked.search import SearchSettings
from companion.vision.marked.shade import ShadeSettings
from companion.vision.marked.tile_sides import SideColourSettings


@dataclass(frozen=True, slots=True)
class MarkedSettings:
    """Tunables of the marked mode; each stage's own are inside.

    Shares are of the spacing of sites, or of one site's room; what that is on hexes 40 mm apart is given with each.

    still, hand
        0.025..0.125 of the spacing (2.5 mm) that a frame marker may have moved for the last registration still to hold; but
        never less than 1.5..2 times the tolerance to which it was laid, by which it lies off for ever.
    around
        0.6..1 of a spot's room (30 mm) around it that is looked at when only that spot is read again: a hex and the discs
        leaning into it; on other boards no less than the widest sticker.
    around_bare
        0.3..0.5 of a spot's room (16 mm) around it that must look bare before no marker is searched there: a tile's or a disc's
        reach.
    """

    still: float = 0.0625
    hand: float = 1.5
    around: float = 0.75
    around_bare: float = 0.4
    frame: FrameSettings = field(default_factory=FrameSettings)
    markers: MarkerSettings = field(default_factory=MarkerSettings)
    registration: RegistrationSettings = field(default_factory=RegistrationSettings)
    claims: ClaimSettings = field(default_factory=ClaimSettings)
    placing: PlacingSettings = field(default_factory=PlacingSettings)
    glance: GlanceSettings = field(default_factory=GlanceSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    bare: BackgroundSettings = field(default_factory=BackgroundSettings)
    rim: RimSettings = field(default_factory=RimSettings)
    likeness: SimilaritySettings = field(default_factory=SimilaritySettings)
    sides: SideColourSettings = field(default_factory=SideColourSettings)
    laid: AlignmentSettings = field(default_factory=AlignmentSettings)
    changed_area: ChangedAreaSettings = field(default_factory=ChangedAreaSettings)
    prints: PrintSettings = field(default_factory=PrintSettings)
    shade: ShadeSettings = field(default_factory=ShadeSettings)
    below: OcclusionPosteriorSettings = field(default_factory=OcclusionPosteriorSettings)
