"""Sample positions that come again with every look are kept, however many single places were asked for meanwhile."""

import numpy as np

from companion import boards
from companion.vision.camera import Lens, Registration
from companion.vision.plain.prepared_image import MOST_GRIDS, MapCache, ReferenceImage
from companion.vision.plain.settings import SurfaceSettings
from companion.vision.plain.surface import View

BOARD = boards.load("mr-jack-london")


def test_what_comes_with_every_look_is_kept_and_what_came_once_is_dropped() -> None:
    lens = Lens.guess((1280, 720))
    pose = Registration(lens, np.eye(3), np.array([[-265.0], [-200.0], [700.0]]), 0.7)
    picture = np.random.default_rng(1).integers(60, 200, (720, 1280, 3)).astype(np.uint8)
    maps = MapCache(ReferenceImage(View(picture, pose), BOARD, SurfaceSettings()))
    group = tuple(BOARD.mm(cell) for cell in sorted(BOARD.cells)[:3])
    first = maps.seen(maps.grid(group, 20.0, 2.0), pose)
    singles = [((float(x), 100.0),) for x in range(60, 60 + 3 * MOST_GRIDS)]
    for centre in singles:
        maps.seen_one(maps.grid(centre, 20.0, 2.0), pose, 0)
        again = maps.grid(group, 20.0, 2.0)
        assert maps.seen(again, pose) is first
    fresh = maps.grid(singles[0], 20.0, 2.0)
    x, y = maps.seen_one(fresh, pose, 0)
    assert np.allclose(x, fresh.maps(pose)[0])
    assert np.allclose(y, fresh.maps(pose)[1])
