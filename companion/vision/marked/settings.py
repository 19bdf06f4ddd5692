"""The tunables of the marked mode in one value, one field for each stage of a look."""

from dataclasses import dataclass, field

from companion.vision.faults import FrameSettings
from companion.vision.marked.bare import BareSettings
from companion.vision.marked.below import BelowSettings
from companion.vision.marked.beneath import BeneathSettings
from companion.vision.marked.claims import ClaimSettings
from companion.vision.marked.covered import RimSettings
from companion.vision.marked.laid import LaidSettings
from companion.vision.marked.likeness import LikenessSettings
from companion.vision.marked.markers import MarkerSettings
from companion.vision.marked.placing import PlacingSettings
from companion.vision.marked.registration import RegistrationSettings
from companion.vision.marked.search import SearchSettings
from companion.vision.marked.shade import ShadeSettings
from companion.vision.marked.shows_print import PrintSettings
from companion.vision.marked.tile_sides import SideSettings


@dataclass(frozen=True, slots=True)
class MarkedSettings:
    """Tunables of the marked mode; each stage's own are inside.

    still_mm
        1..5 mm a frame marker may have moved for the last registration still to hold.
    around_mm
        25..40 mm around a spot that is looked at when only that spot is read again: a hex and the discs leaning into it.
    around_bare_mm
        12..20 mm around a spot that must look bare before no marker is searched there: a tile's or a disc's reach.
    """

    still_mm: float = 2.5
    around_mm: float = 30.0
    around_bare_mm: float = 16.0
    frame: FrameSettings = field(default_factory=FrameSettings)
    markers: MarkerSettings = field(default_factory=MarkerSettings)
    registration: RegistrationSettings = field(default_factory=RegistrationSettings)
    claims: ClaimSettings = field(default_factory=ClaimSettings)
    placing: PlacingSettings = field(default_factory=PlacingSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    bare: BareSettings = field(default_factory=BareSettings)
    rim: RimSettings = field(default_factory=RimSettings)
    likeness: LikenessSettings = field(default_factory=LikenessSettings)
    sides: SideSettings = field(default_factory=SideSettings)
    laid: LaidSettings = field(default_factory=LaidSettings)
    beneath: BeneathSettings = field(default_factory=BeneathSettings)
    prints: PrintSettings = field(default_factory=PrintSettings)
    shade: ShadeSettings = field(default_factory=ShadeSettings)
    below: BelowSettings = field(default_factory=BelowSettings)
