"""The second stage for single cells, run where the first left it open which piece stands there."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from companion.boards import Group
from companion.vision.plain.discs import common_features, pair_features
from companion.vision.plain.evidence import CellFeatures, FeatureExtractor
from companion.vision.plain.model import hypotheses
from companion.vision.plain.prepared_image import PreparedImage
from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, coded, crop


@dataclass(frozen=True, eq=False)
class CellRefinement:
    """Looks again at places of one picture; where ``spots`` are given at those only, the others count as they did."""

    extractor: FeatureExtractor
    prepared: PreparedImage
    spots: Collection[str] | None = None

    def wanted(self, spot: str) -> bool:
        """Whether a place is to be looked at again."""
        return self.spots is None or spot in self.spots

    def flats(self, group: Group, spots: Collection[str]) -> list[CellFeatures]:
        """Cell features for flat pieces of a group at places, as if no disc stood there."""
        return self.extractor.flats_at(self.prepared, group, spots)

    def elsewhere(self, features: CellFeatures, most: int) -> list[CellFeatures]:
        """The same cell with a disc at each of the other places in it where one might lie, ``most`` at most: in the dark its
        outline is fainter than its neighbours'."""
        if features.disc is None or features.rows is None:
            return []
        extractor, prepared, surface = self.extractor, self.prepared, self.extractor.settings.surface
        taught, finder, height = extractor.taught_faces, extractor.finder, extractor.movable.height_mm
        centres = [extractor.board.mm(cell) for cell in extractor.cells]
        patches = prepared.patches(centres, surface.patch_mm, height, [extractor.cells.index(features.spot)])
        seen, change = patches.seen[0], patches.change[0]
        here = extractor.board.mm(features.spot)
        x, y = prepared.parallax_mm([here], height)[0]
        light = float(np.log(prepared.light.at(np.array([here]))).mean() - np.median(prepared.light.log.mean(axis=-1)))
        detail = float(extractor.detail(prepared.view.registration, [features.spot])[0])
        found = []
        for disc in finder.several(seen, change, most + 1, (float(x), float(y))):
            if np.hypot(*np.subtract(disc.offset_mm, features.disc.offset_mm)) < 0.5:
                continue
            pair = pair_features(disc, taught)
            rows = hypotheses(
                common_features(disc, light, detail), np.repeat(pair, 2, axis=0), np.tile([0, 1], len(extractor.movable_ids))
            )
            face = crop(coded(seen), disc.offset_mm, 0.0, DISC_SIDE, DISC_MM, surface.scale)
            found.append(replace(features, rows=rows, disc=disc, stack=(face, taught.turns(disc.faces[0]))))
        return found[:most]
