"""What one picture says of a marked table beyond its markers: all that the judgement of missing pieces weighs."""

from dataclasses import dataclass, replace
from functools import cached_property

from companion.boards import Group
from companion.vision.marked.background import EDGE_MM, BackgroundModel, Foreground, foreground_of
from companion.vision.marked.occlusion_posterior import OcclusionPosterior
from companion.vision.marked.print_visibility import looks_bare
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.settings import MarkedSettings
from companion.vision.marked.tile_sides import SideColours
from companion.vision.reading import Reading, Sighting


@dataclass(frozen=True)
class Evidence:
    """What a picture says beyond its markers, and by which ``settings`` it is weighed.

    ``bare``: the taught bare board, None where nobody showed one; ``foreground``: what differs from it, None where that was not
    compared; ``prior``: the reading before; ``looks`` and ``below``: what is known of this table's tiles; ``found``: the pieces
    whose stickers were read.
    """

    registered: RegisteredImage
    bare: BackgroundModel | None
    foreground: Foreground | None
    prior: Reading | None
    looks: SideColours
    below: OcclusionPosterior
    settings: MarkedSettings
    found: tuple[Sighting, ...] = ()

    @cached_property
    def beside_pieces(self) -> Foreground | None:
        """What differs from the bare board close to pieces as well, where :attr:`foreground` leaves out what shadows reach."""
        if self.bare is None:
            return None
        return foreground_of(self.bare, self.registered, self.found, replace(self.settings.bare, shadow_mm=EDGE_MM))

    def looks_bare(self, spot: str, radius_mm: float) -> bool:
        """Whether the taught bare board shows within a radius of a place (:func:`print_visibility.looks_bare`)."""
        prints, laid = self.settings.prints, self.settings.laid
        return self.bare is not None and looks_bare(self.registered, spot, self.bare, radius_mm, prints, laid)


def two_sided(group: Group, evidence: Evidence) -> bool:
    """Whether these are tiles whose sides differ, so that one under a disc is known only together with its side."""
    return group.layout == "by-place" and any(piece.faces for piece in evidence.registered.pieces.in_group(group.key))
