"""A closer look at single cells, where a first one left it open who stands there."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from companion.boards import Group
from companion.vision.plain.discs import common_features, pair_features
from companion.vision.plain.evidence import Clue, Examiner
from companion.vision.plain.model import hypotheses
from companion.vision.plain.scene import Scene
from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, coded, crop


@dataclass(frozen=True, eq=False)
class Closer:
    """Looks again at places of one picture; where ``spots`` are given at those only, the others count as they did."""

    examiner: Examiner
    scene: Scene
    spots: Collection[str] | None = None

    def wanted(self, spot: str) -> bool:
        """Whether a place is to be looked at again."""
        return self.spots is None or spot in self.spots

    def flats(self, group: Group, spots: Collection[str]) -> list[Clue]:
        """Clues for flat pieces of a group at places, as if no disc stood there."""
        return self.examiner.flats_at(self.scene, group, spots)

    def elsewhere(self, clue: Clue, most: int) -> list[Clue]:
        """The same cell with a disc at each of the other places in it where one might lie, ``most`` at most: in the dark its
        outline is fainter than its neighbours'."""
        if clue.disc is None or clue.rows is None:
            return []
        examiner, scene, surface = self.examiner, self.scene, self.examiner.settings.surface
        taught, finder, height = examiner.taught_faces, examiner.finder, examiner.walkers.height_mm
        centres = [examiner.board.mm(cell) for cell in examiner.cells]
        patches = scene.patches(centres, surface.patch_mm, height, [examiner.cells.index(clue.spot)])
        seen, change = patches.seen[0], patches.change[0]
        here = examiner.board.mm(clue.spot)
        x, y = scene.leans([here], height)[0]
        light = float(np.log(scene.light.at(np.array([here]))).mean() - np.median(scene.light.log.mean(axis=-1)))
        detail = float(examiner.detail(scene.view.registration, [clue.spot])[0])
        found = []
        for disc in finder.several(seen, change, most + 1, (float(x), float(y))):
            if np.hypot(*np.subtract(disc.offset_mm, clue.disc.offset_mm)) < 0.5:
                continue
            pair = pair_features(disc, taught)
            rows = hypotheses(
                common_features(disc, light, detail), np.repeat(pair, 2, axis=0), np.tile([0, 1], len(examiner.walker_ids))
            )
            face = crop(coded(seen), disc.offset_mm, 0.0, DISC_SIDE, DISC_MM, surface.scale)
            found.append(replace(clue, rows=rows, disc=disc, stack=(face, taught.turns(disc.faces[0]))))
        return found[:most]
