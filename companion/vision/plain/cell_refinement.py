"""The second stage for single cells, run where the first left it open which piece stands there."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from companion.vision.plain.evidence import CellFeatures, FeatureExtractor
from companion.vision.plain.prepared_image import PreparedImage


@dataclass(frozen=True, eq=False)
class CellRefinement:
    """Looks again at places of one picture; where ``spots`` are given at those only, the others count as they did."""

    extractor: FeatureExtractor
    prepared: PreparedImage
    spots: Collection[str] | None

    def wanted(self, spot: str) -> bool:
        """Whether a place is to be looked at again."""
        return self.spots is None or spot in self.spots

    def elsewhere(self, features: CellFeatures, most: int) -> list[CellFeatures]:
        """The same cell with a disc at each of the other places in it where one might lie, ``most`` at most: in the dark its
        outline is fainter than its neighbours'."""
        if features.disc is None or features.rows is None:
            return []
        extractor, prepared, surface = self.extractor, self.prepared, self.extractor.settings.surface
        finder, height = extractor.finder, extractor.movable.height_mm
        centres = [extractor.board.mm(cell) for cell in extractor.cells]
        patches = prepared.patches(centres, surface.patch_mm, height, [extractor.cells.index(features.spot)])
        seen, change = patches.seen[0], patches.change[0]
        here = extractor.board.mm(features.spot)
        parallax = prepared.parallax_mm([here], height)[0]
        light = float(np.log(prepared.light.at(np.array([here]))).mean() - np.median(prepared.light.log.mean(axis=-1)))
        detail = float(extractor.detail(prepared.view.registration, [features.spot])[0])
        found = []
        for disc in finder.several(seen, change, most + 1, parallax):
            if np.hypot(*np.subtract(disc.offset_mm, features.disc.offset_mm)) < 0.5:
                continue
            found.append(extractor.of_disc(features.spot, disc, seen, light, detail))
        return found[:most]
