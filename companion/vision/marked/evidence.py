"""What one picture says of a marked table beyond its markers: all that the judgement of missing pieces weighs."""

from dataclasses import dataclass

from companion.boards import Group
from companion.vision.marked.background import BackgroundModel, Foreground
from companion.vision.marked.occlusion_posterior import OcclusionPosterior
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.settings import MarkedSettings
from companion.vision.marked.tile_sides import SideColours
from companion.vision.reading import Reading


@dataclass(frozen=True)
class Evidence:
    """What a picture says beyond its markers, and by which ``settings`` it is weighed.

    ``bare``: the taught bare board, None where nobody showed one; ``foreground``: what differs from it, None where that was not
    compared; ``prior``: the reading before; ``looks`` and ``below``: what is known of this table's tiles.
    """

    registered: RegisteredImage
    bare: BackgroundModel | None
    foreground: Foreground | None
    prior: Reading | None
    looks: SideColours
    below: OcclusionPosterior
    settings: MarkedSettings


def two_sided(group: Group, evidence: Evidence) -> bool:
    """Whether these are tiles whose sides differ, so that one under a disc is known only together with its side."""
    return group.layout == "by-place" and any(piece.faces for piece in evidence.registered.pieces.in_group(group.key))
