"""What one picture says of a marked table beyond its markers: all that the judgement of missing pieces weighs."""

from dataclasses import dataclass, field

from companion.boards import Group
from companion.vision.marked.bare import BareBoard, BareSettings, Foreign
from companion.vision.marked.below import Below
from companion.vision.marked.covered import RimSettings
from companion.vision.marked.likeness import LikenessSettings
from companion.vision.marked.scene import Scene
from companion.vision.marked.shade import ShadeSettings
from companion.vision.marked.taught_place import TaughtSettings
from companion.vision.marked.tile_sides import SideLooks, SideSettings
from companion.vision.reading import Reading


@dataclass(frozen=True)
class Evidence:
    """What a picture says beyond its markers. ``foreign`` is None without a bare board to compare with."""

    scene: Scene
    bare: BareBoard | None
    foreign: Foreign | None
    prior: Reading | None
    smallest_cell_px: float
    bare_settings: BareSettings
    rim_settings: RimSettings
    likeness_settings: LikenessSettings
    looks: SideLooks = field(default_factory=SideLooks)
    side_settings: SideSettings = field(default_factory=SideSettings)
    taught_settings: TaughtSettings = field(default_factory=TaughtSettings)
    shade_settings: ShadeSettings = field(default_factory=ShadeSettings)
    below: Below | None = None


def two_sided(group: Group, evidence: Evidence) -> bool:
    """Whether these are tiles whose sides differ, so that one under a disc is known only together with its side."""
    return group.layout == "by-place" and any(piece.faces for piece in evidence.scene.pieces.in_group(group.key))
