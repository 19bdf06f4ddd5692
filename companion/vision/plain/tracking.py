"""Following the board from the taught picture into later ones: a cheap look whether it still lies there, else features.

Features only propose. A proposal counts when the printed picture, warped along it, correlates with the taught one on
patches all over the board: other boards of the same style yield dozens of matching features, but no correlation.
"""

from dataclasses import replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.vision.camera import Lens, Registration
from companion.vision.flexure import fitted
from companion.vision.frame import Image
from companion.vision.plain.features import features
from companion.vision.plain.settings import SurfaceSettings, TrackSettings
from companion.vision.plain.surface import Grid, View, pixels_per_mm

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

FEWEST_AGREEING = 8
"""Check patches that must agree on one movement of the board."""
STILL_FITS = 0.85
"""0.75..0.95: how well the check patches must fit within a sample of where they were, as a share of how well they fit within
three. Of a board that stays both are the same."""
FOUND_FITS = 0.8
"""0.75..0.85: the same of a board that was found. In photographs of other boards it was 0.86 and more where half of the print
lay within 2 pixels of where it was found, and 0.73 where it lay 4 or 5 pixels off and its farthest corner 25 or more."""
FLEXED, FLEXED_MM = 3, 0.5
"""Rounds in which the flexure of a board is measured; 0.3..0.8 mm: where no node is shifted by more, there is none."""
NEAR, FAR, MOST_FOUND = 4, 8, 0.75
"""3..5 and 6..10 samples within which check patches are sought; the latter where fewer than such a share (0.6..0.9) are found
within the former, as where a half of the board slipped. What is sought is smaller by as much."""
ERROR_MM = 0.15, 0.3
"""0.1..0.2 mm, and 0.2..0.4 samples: the standard error of a check patch's shift, and by how much it grows with the square root
of how little it correlates by how sharp the peak of its correlation is. A margin without print has a peak that is anywhere."""
NEARER_MM, NEARER, FARTHER = 0.25, 0.15, 0.25
"""A check patch is nearer, or farther, by so many millimetres at least with a flexure than without; at least such a share
(0.1..0.2) must be nearer, and at most so many (0.1..0.4) times as many farther. Of a board whose fold settled by 4 mm two in
three are nearer and none is farther; of a flat one with marks that repeat only those are nearer that pieces hide."""


class Tracker:
    """Knows the empty board's view; answers where the board lies in another picture of the same table."""

    def __init__(
        self, view: View, board: Board, settings: TrackSettings, surface: SurfaceSettings, proven: bool = True
    ) -> None:
        """``proven``: whether the pictures are known to show the taught print, not another one like it."""
        self._view = view
        self._board = board
        self._settings = settings
        self._surface = surface
        self._mapped: Registration | None = None
        self._kept: dict[int, tuple[Floats, Floats]] = {}
        self._proven = proven
        self.unlike = False
        """Whether a board of this kind was found last whose print is not the taught one's."""

    def follow(self, image: Image, lens: Lens, last: Registration) -> Registration | None:
        """Where the board lies now: ``last`` if it still fits, the small drift added if it nearly does, else by features.

        None when the board is not in the picture, or too little of it.
        """
        self.unlike = False
        pose = self._flexed(image, last) if self._lies_still(image, last) else self.find(image, lens)
        if pose is not None and not self._proven:
            self._proven = self._fits_all_over(image, pose)
            self.unlike = not self._proven
        return None if self.unlike else pose

    def _lies_still(self, image: Image, last: Registration) -> bool:
        """Whether the board is where it was. A board that was turned about its middle moves to all sides: what counts is how
        far each patch lies off, not where they went together; and that they fit about as well where they were as farther off,
        for of a board turned about a corner half of them hardly moved."""
        shifts, anywhere = self._check(image, last, search_px=3)
        off = float(np.median(np.hypot(shifts[:, 0], shifts[:, 1])))
        if anywhere < self._settings.agreement or off > self._settings.still_px:
            return False
        return self.agreement(image, last) >= STILL_FITS * anywhere

    def find(self, image: Image, lens: Lens) -> Registration | None:
        """Where the board lies, without a guess. None when it is not found, or not well enough, or what is found is another
        board."""
        proposal = self._by_features(image, lens)
        if proposal is None:
            return None
        for _ in range(3):
            pose = self._tighten(image, proposal)
            if pose is None:
                return None
            proposal = pose
        proposal = self._flexed(image, proposal)
        _, agreement = self._check(image, proposal, search_px=2)
        self.unlike = agreement < self._settings.agreement
        if self.unlike:
            return None
        # Patches that fit better farther off say that the print lies there, not where it was found.
        _, anywhere = self._check(image, proposal, search_px=3)
        return proposal if self.agreement(image, proposal) >= FOUND_FITS * anywhere else None

    def _fits_all_over(self, image: Image, pose: Registration) -> bool:
        """Whether nearly all of the print in a picture is the taught one. Boards of one kind share frame, lines and track."""
        found = zip(self._checks[1], self._seen(image, pose), strict=True)
        agree = [_best(have, want[2:-2, 2:-2])[1] >= self._settings.agreement for want, have in found]
        return float(np.mean(agree)) >= self._settings.all_over

    def agreement(self, image: Image, registration: Registration) -> float:
        """Median local correlation of the picture with the taught print, -1..1."""
        return self._check(image, registration, search_px=1)[1]

    def displacement_px(self, image: Image, registration: Registration) -> float | None:
        """How far the printed board lies from where a registration says (median over it, pixels). None when it is hidden, dark,
        or too far away to tell at a glance."""
        if len(self._checks[1]) == 0:
            return None
        shifts, agreement = self._check(image, registration, search_px=3)
        if agreement < self._settings.agreement:
            return self._far_px(image, registration)
        off = float(np.median(np.hypot(shifts[:, 0], shifts[:, 1]))) / self._scale
        return off * pixels_per_mm(registration, self._board)

    def _far_px(self, image: Image, registration: Registration) -> float | None:
        """The same farther off: what lay in the middle of each window is sought in all of it, at half the resolution."""
        wide, taught, reach = self._glance
        scale = self._scale / 2
        seen = _flatten(wide.sample(image, self._maps(wide, registration)))
        found = [_best(have, want) for want, have in zip(taught, seen, strict=True)]
        sure = np.array([score for _, score in found]) >= self._settings.agreement
        if int(sure.sum()) < FEWEST_AGREEING:
            return None
        middles = wide.middles[sure].astype(np.float64)
        shifts = (np.array([place for place, _ in found], np.float64)[sure] - reach) / scale
        # A board moves as one. Single patches find likenesses anywhere.
        _, inliers = cv2.estimateAffinePartial2D(
            middles, middles + shifts, method=cv2.RANSAC, ransacReprojThreshold=2.0 / scale
        )
        agreeing = np.zeros(len(shifts), np.bool_) if inliers is None else inliers.reshape(-1) > 0
        if int(agreeing.sum()) < max(FEWEST_AGREEING, 0.4 * len(taught)):
            return None
        off = float(np.median(np.hypot(shifts[agreeing, 0], shifts[agreeing, 1])))
        return off * pixels_per_mm(registration, self._board)

    @cached_property
    def _glance(self) -> tuple[Grid, Floats, int]:
        """Windows about the check patches at half their resolution, the taught patches in their middles, and how many samples
        of window lie on each side of one."""
        near, _ = self._checks
        reach = self._settings.glance_px // 2
        scale = self._scale / 2
        centres = [(float(x), float(y)) for x, y in near.middles]
        count = near.mm.shape[1] // 2 + 2 * reach
        grid = Grid.around(centres, count / scale, scale, 0.0)
        windows = _flatten(grid.sample(self._view.image, grid.maps(self._view.registration)))
        return grid, np.ascontiguousarray(windows[:, reach : count - reach, reach : count - reach]), reach

    def _maps(self, grid: Grid, registration: Registration) -> tuple[Floats, Floats]:
        """Where a grid's samples lie in the picture; kept while the registration stays the same."""
        if self._mapped is not registration:
            self._mapped, self._kept = registration, {}
        if id(grid) not in self._kept:
            self._kept[id(grid)] = grid.maps(registration)
        return self._kept[id(grid)]

    # --- features ---------------------------------------------------------------------------------------------

    @cached_property
    def _taught_features(self) -> tuple[Array, NDArray[np.float32]]:
        points, descriptors = self._features(self._view.image)
        mm = self._view.registration.locate(points)
        width, height = self._board.size_mm
        on = (mm[:, 0] > 0) & (mm[:, 1] > 0) & (mm[:, 0] < width) & (mm[:, 1] < height)
        return mm[on], descriptors[on]

    def _features(self, image: Image) -> tuple[Array, NDArray[np.float32]]:
        factor = min(1.0, self._settings.width / image.shape[1])
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        grey = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        # Local contrast first: a lamp's fall-off must not decide where features are found.
        grey = cv2.createCLAHE(4.0, (8, 8)).apply(grey)
        found, descriptors = features(np.asarray(grey, np.uint8), self._settings.features)
        points = (found + 0.5) / factor - 0.5
        root = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
        return points, np.asarray(root, np.float32)

    def _by_features(self, image: Image, lens: Lens) -> Registration | None:
        mm, taught = self._taught_features
        pixels, seen = self._features(image)
        if len(taught) < 8 or len(seen) < 8:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(seen, taught, k=2)
        good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < self._settings.ratio * pair[1].distance]
        if len(good) < self._settings.fewest:
            return None
        source = mm[[match.trainIdx for match in good]]
        target = pixels[[match.queryIdx for match in good]]
        # Pixels of a picture without distortion: measured in rays, a thousandth of that, MAGSAC lets go of most matches.
        straight = lens.undistort(target) * float(lens.matrix[0, 0])
        threshold = 4.0 * image.shape[1] / self._settings.width
        matrix, inliers = cv2.findHomography(source, straight, cv2.USAC_MAGSAC, threshold, maxIters=4000, confidence=0.999)
        if matrix is None or inliers is None:
            return None
        chosen = inliers.reshape(-1) > 0
        if int(chosen.sum()) < self._settings.fewest:
            return None
        return solve_plane(source[chosen], target[chosen], lens)

    # --- photometric check ------------------------------------------------------------------------------------

    @cached_property
    def _checks(self) -> tuple[Grid, Floats]:
        """Patches of the taught print with the most texture, spread over the board."""
        settings, board = self._settings, self._board
        step = settings.patch_mm
        across, down = int(board.size_mm[0] // step), int(board.size_mm[1] // step)
        centres = [((i + 0.5) * step, (j + 0.5) * step) for j in range(down) for i in range(across)]
        # Streets are covered by pieces and are plain; print between them and the margins is not.
        open_cells = np.array([board.mm(cell) for cell in board.cells if board.kind(cell) != "obstacle"])
        free = np.hypot(*(np.array(centres)[:, None] - open_cells).transpose(2, 0, 1)).min(axis=1)
        scale = self._scale
        grid = Grid.around(centres, step, scale, 0.0)
        maps = grid.maps(self._view.registration)
        patches = _flatten(grid.sample(self._view.image, maps))
        texture = patches.std(axis=(1, 2)) * np.where(free > min(board.cell_mm) * 0.6, 1.0, 0.5)
        texture[grid.outside(maps, self._view.registration.lens.size).any(axis=(1, 2))] = 0
        # The best of each region, so that one busy corner does not outvote the rest.
        chosen: list[int] = []
        taken: dict[tuple[int, int], int] = {}
        for index in np.argsort(-texture):
            region = int(centres[index][0] / board.size_mm[0] * 4), int(centres[index][1] / board.size_mm[1] * 3)
            if taken.get(region, 0) < settings.spots // 12 and texture[index] > 0:
                taken[region] = taken.get(region, 0) + 1
                chosen.append(int(index))
        return Grid.around([centres[i] for i in chosen], step, scale, 0.0), patches[chosen]

    @cached_property
    def _scale(self) -> float:
        return float(np.clip(pixels_per_mm(self._view.registration, self._board), 0.5, self._surface.scale))

    def _check(self, image: Image, registration: Registration, search_px: int) -> tuple[Array, float]:
        """Best shift (K×2 samples) of every check patch within ``search_px`` samples, and the median correlation there."""
        _, taught = self._checks
        if len(taught) == 0:
            return np.zeros((1, 2)), -1.0
        shifts, scores = [], []
        for want, have in zip(taught, self._seen(image, registration), strict=True):
            place, score = _best(have, want[search_px:-search_px, search_px:-search_px])
            shifts.append((place[0] - search_px, place[1] - search_px))
            scores.append(score)
        keep = np.array(scores) >= np.median(scores)
        return np.array(shifts, np.float64)[keep], float(np.median(scores))

    def _tighten(self, image: Image, registration: Registration) -> Registration | None:
        """Move a pose to where the check patches correlate best, to a fraction of a sample."""
        points, shifts, _ = self._shifts(image, registration)
        if len(points) < FEWEST_AGREEING:
            return registration
        pixels = registration.project(points + shifts)
        pose = solve_plane(points, pixels, registration.lens)
        if pose is None:
            return registration
        left = np.linalg.norm(pose.project(points) - pixels, axis=1)
        keep = left <= max(3 * float(np.median(left)), 0.3)
        return solve_plane(points[keep], pixels[keep], registration.lens) if keep.sum() >= FEWEST_AGREEING else pose

    def _flexed(self, image: Image, registration: Registration) -> Registration:
        """The same pose of a board whose surface lies as the check patches show it; itself where they show nothing new."""
        pose = registration
        for _ in range(FLEXED):
            points, shifts, errors = self._shifts(image, pose)
            if len(points) < MOST_FOUND * len(self._checks[1]):
                points, shifts, errors = self._shifts(image, pose, FAR)
            if len(points) < FEWEST_AGREEING:
                break
            more = fitted(points, shifts, errors, self._board.size_mm, self._board.folds)
            if more.most_mm < FLEXED_MM or not _nearer(shifts, shifts - more.at(points)):
                break
            pose = replace(pose, flexure=more if pose.flexure is None else pose.flexure.plus(more))
        if pose is registration or self.agreement(image, pose) <= self.agreement(image, registration):
            return registration
        return pose

    def _shifts(self, image: Image, registration: Registration, reach: int = NEAR) -> tuple[Array, Array, Array]:
        """Middles (K×2 mm) of the check patches that correlate with the picture within ``reach`` samples, by how much (K×2 mm)
        beside a registration they do best, and the standard error (K mm) of that."""
        grid, taught = self._checks
        points, shifts, errors = [], [], []
        for want, have, mm in zip(taught, self._seen(image, registration), grid.mm, strict=True):
            inner = np.ascontiguousarray(want[reach:-reach, reach:-reach])
            answer = cv2.matchTemplate(have, inner, cv2.TM_CCOEFF_NORMED)
            _, score, _, (x, y) = cv2.minMaxLoc(answer)
            if score < 0.5 or not 0 < x < answer.shape[1] - 1 or not 0 < y < answer.shape[0] - 1:
                continue
            across, down = answer[y, x - 1 : x + 2], answer[y - 1 : y + 2, x]
            off = np.array([_vertex(*across) + x - reach, _vertex(*down) + y - reach])
            sharp = score - max(across[0] + across[2], down[0] + down[2]) / 2
            points.append(mm.reshape(-1, 2).mean(axis=0))
            shifts.append(off / self._scale)
            errors.append(np.hypot(ERROR_MM[0], ERROR_MM[1] * np.sqrt((1 - score) / max(2 * sharp, 1e-6)) / self._scale))
        return np.array(points).reshape(-1, 2), np.array(shifts).reshape(-1, 2), np.array(errors)

    def _seen(self, image: Image, registration: Registration) -> Floats:
        """The check patches as a picture shows them where a registration says."""
        grid, _ = self._checks
        return _flatten(grid.sample(image, self._maps(grid, registration)))


def solve_plane(mm: Array, pixels: Array, lens: Lens) -> Registration | None:
    """Pose from points on the board's surface (N×2 mm) and their pixels (N×2), N at least 4. None if it makes no sense."""
    level = np.column_stack([mm, np.zeros(len(mm))])
    try:
        guesses = _guesses(level, pixels, lens)
    except cv2.error:
        return None
    best: tuple[float, Registration] | None = None
    for guess in guesses:
        rotation, translation = cv2.solvePnPRefineLM(level, pixels, lens.matrix, lens.distortion, *guess)
        matrix = np.asarray(cv2.Rodrigues(rotation)[0], np.float64)
        if not np.isfinite(matrix).all() or matrix[2, 2] <= 0:
            continue
        pose = Registration(lens, matrix, np.asarray(translation, np.float64).reshape(3, 1))
        mm_left = np.linalg.norm(pose.locate(pixels) - mm, axis=1)
        error = float(np.sqrt(np.mean(np.minimum(mm_left, 10.0) ** 2)))
        if best is None or error < best[0]:
            best = error, Registration(lens, matrix, pose.translation, error)
    return best[1] if best else None


Guess = tuple[Array, Array]
"""A rotation vector and a translation (3×1 each)."""
PLAINLY_BETTER_PX = 1.0
"""0.1..5 px (root mean square): by so much less the guesses for a board turned round are off where the others are wrong; else
they are off alike to many digits."""


def _guesses(level: Array, pixels: Array, lens: Lens) -> list[Guess]:
    """The poses that points on the board (N×3 mm, level) and their pixels (N×2) suggest, the likelier first. Raises cv2.error
    for points that suggest none.

    About half a turn OpenCV's own rotation vectors are of any length: there those of the board turned round are right.
    """
    straight, turned = (_closed_form(points, pixels, lens) for points in (level, -level))
    half_turn = np.diag([-1.0, -1.0, 1.0])
    turned = [(np.asarray(cv2.Rodrigues(cv2.Rodrigues(turn)[0] @ half_turn)[0], np.float64), shift) for turn, shift in turned]
    off, off_turned = (
        min((_off_px(guess, level, pixels, lens) for guess in some), default=np.inf) for some in (straight, turned)
    )
    return turned if off_turned < off - PLAINLY_BETTER_PX else straight


def _closed_form(level: Array, pixels: Array, lens: Lens) -> list[Guess]:
    count, rotations, translations, _ = cv2.solvePnPGeneric(
        level, pixels, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    turns, shifts = ([np.asarray(one, np.float64).reshape(3, 1) for one in some] for some in (rotations, translations))
    return list(zip(turns, shifts, strict=True))[:count]


def _off_px(guess: Guess, level: Array, pixels: Array, lens: Lens) -> float:
    """How far (root mean square, px) a guess leaves points from their pixels."""
    found, _ = cv2.projectPoints(level, *guess, lens.matrix, lens.distortion)
    return float(np.sqrt(np.mean(np.sum((found.reshape(-1, 2) - pixels) ** 2, axis=1))))


def _nearer(before: Array, after: Array) -> bool:
    """Whether enough shifts (K×2 mm each) have become less, and few more."""
    gain = np.hypot(*before.T) - np.hypot(*after.T)
    nearer, farther = int((gain > NEARER_MM).sum()), int((gain < -NEARER_MM).sum())
    return nearer >= max(FEWEST_AGREEING / 2, NEARER * len(gain)) and farther <= FARTHER * nearer


def _flatten(patches: Image) -> Floats:
    """N×H×W×3 codes to grey levels with the light's fall-off inside each patch taken out."""
    grey = np.log(patches.astype(np.float32) @ np.array([0.114, 0.587, 0.299], np.float32) + 6.0)
    return np.stack([patch - cv2.GaussianBlur(patch, (0, 0), 9.0) for patch in grey])


def _best(window: Floats, pattern: Floats) -> tuple[tuple[int, int], float]:
    """Where (x, y of its corner) in a window a pattern fits best, and its correlation there."""
    answer = cv2.matchTemplate(window, np.ascontiguousarray(pattern), cv2.TM_CCOEFF_NORMED)
    _, score, _, place = cv2.minMaxLoc(answer)
    return (int(place[0]), int(place[1])), float(score)


def _vertex(left: float, middle: float, right: float) -> float:
    """Where a parabola through three equidistant values has its peak, -0.5..0.5."""
    bend = left - 2 * middle + right
    return 0.0 if bend >= 0 else float(np.clip((left - right) / (2 * bend), -0.5, 0.5))
