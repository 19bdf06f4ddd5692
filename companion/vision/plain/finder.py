"""Finding an unknown print of a known board: from what the start position added, then from the printed lattice.

No step knows the art. The pieces of the start position form a pattern of about twenty spots that fits the board in one
way only, which also settles which way round the board lies. The pose is then drawn to the printed lines between the
cells, whatever their colours are.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import PAIR, Board, Point
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Image
from companion.vision.plain.settings import FinderSettings
from companion.vision.plain.start import LaidPiece
from companion.vision.plain.start_change import StartChange
from companion.vision.plain.surface import pick

Array = NDArray[np.float64]
Floats = NDArray[np.float32]


def spots(change: Floats, settings: FinderSettings) -> Array:
    """Middles (N×2 pixels) of the changed spots, the thickest first; touching pieces are told apart by their waists."""
    closed = cv2.morphologyEx((change > 0.5).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    mask = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    distance = cv2.GaussianBlur(cv2.distanceTransform(mask, cv2.DIST_L2, 5), (0, 0), 1.5)
    peaks = (distance >= cv2.dilate(distance, np.ones((9, 9), np.uint8)) - 1e-6) & (distance > 2.5)
    count, labels = cv2.connectedComponents(peaks.astype(np.uint8))
    found = []
    for label in range(1, count):
        ys, xs = np.nonzero(labels == label)
        found.append((float(distance[ys[0], xs[0]]), float(xs.mean()), float(ys.mean())))
    found.sort(reverse=True)
    return np.array([spot[1:] for spot in found[: settings.most_spots]]).reshape(-1, 2)


def pose_from_start(
    change: StartChange, lens: Lens, board: Board, start: Sequence[LaidPiece], settings: FinderSettings
) -> tuple[Registration, float] | None:
    """Pose of the board from the change a known start position made, and the share of its pieces that fit; None if none does.

    ``lens`` is that of the change map's size. Perspective-three-point over all triples of spots for a few triples of
    well-separated pieces. Of the poses that put most pieces on spots that one wins in which most pieces and fewest free cells
    show a change: another light makes spots as well, and by chance some of them lie as pieces do.
    """
    seen = spots(change.map, settings)
    if len(seen) < 6:
        return None
    mm = np.array([place.mm for place in start])
    heights = np.array([place.height_mm for place in start])
    solid, frame = np.column_stack([mm, -heights]), np.array(board.frame_corners_mm)
    likely: dict[tuple[int, ...], tuple[int, Registration]] = {}
    for triple in _triples(start):
        for pose in _hypotheses(seen, solid[list(triple)], lens, board):
            matched, corners = len(_match(seen, pose, mm, heights, settings.near_mm)), pose.project(frame).ravel()
            if matched >= 6 and np.isfinite(corners).all():
                about = tuple((corners // ALIKE_PX).astype(int).tolist())
                if about not in likely or matched > likely[about][0]:
                    likely[about] = matched, pose
        if likely and max(matched for matched, _ in likely.values()) >= settings.enough * len(start):
            break
    taken = {cell for place in start for cell in place.place.split(PAIR)}
    free = [cell for cell in board.cells if cell not in taken]

    def share(pose: Registration) -> float:
        return float(np.mean([change.covers(pose, place.mm, place.height_mm, min(place.size_mm)) for place in start]))

    def fit(pose: Registration) -> float:
        return share(pose) - float(np.mean([change.covers(pose, board.mm(cell), 0.0, FREE_MM) for cell in free]))

    ranked = [pose for _, pose in sorted(likely.values(), key=lambda one: -one[0])[: RANKED * settings.most_poses]]
    ranked = sorted(ranked, key=fit, reverse=True)[: settings.most_poses]
    if not ranked:
        return None
    best = max((_fitted(pose, seen, solid, settings) for pose in ranked), key=fit)
    return best, share(best)


def _fitted(pose: Registration, seen: Array, solid: Array, settings: FinderSettings) -> Registration:
    """A pose drawn to the spots that lie near pieces (N×3 mm, upwards negative)."""
    for near in (settings.near_mm, settings.near_mm, settings.near_mm * 0.75):
        matched = _match(seen, pose, solid[:, :2], -solid[:, 2], near)
        if len(matched) < 6:
            break
        rows = [row for row, _ in matched]
        pose = _refine(solid[rows], seen[[spot for _, spot in matched]], pose)
    return pose


FREE_MM = 14.0
"""10..20 mm: across the middle of a free cell that is looked at."""
RANKED = 12
"""5..20: how many times as many poses are looked at as are drawn to the spots."""
ALIKE_PX = 24
"""10..40 px of the search's picture: poses that put the frame's corners into the same squares of this size count as one."""


def _triples(start: Sequence[LaidPiece]) -> list[tuple[int, int, int]]:
    """A few triples of pieces that lie apart from other pieces and from each other, the widest first; no piece is in more than
    two of them, for one whose spot cannot be told would spoil them all."""
    mm = np.array([place.mm for place in start])
    distance = np.linalg.norm(mm[:, None] - mm[None], axis=2) + np.eye(len(mm)) * 1e9
    alone = np.argsort(-distance.min(axis=1))[:12]
    scored = []
    for triple in combinations(sorted(int(a) for a in alone), 3):
        a, b, c = mm[list(triple)]
        area = abs(float((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])) / 2
        scored.append((area, triple))
    scored.sort(reverse=True)
    chosen: list[tuple[int, int, int]] = []
    used: Counter[int] = Counter()
    for _, triple in scored:
        if all(used[piece] < 2 for piece in triple):
            chosen.append(triple)
            used.update(triple)
        if len(chosen) == 6:
            break
    return chosen


def _hypotheses(seen: Array, corners: Array, lens: Lens, board: Board) -> list[Registration]:
    a, b, c = corners[:, :2]
    turn = np.sign((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])
    model_area = abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0]) / 2
    board_share = model_area / (board.size_mm[0] * board.size_mm[1])
    picture = lens.size[0] * lens.size[1]
    poses = []
    for triple in permutations(range(len(seen)), 3):
        p, q, r = seen[list(triple)]
        doubled = (q - p)[0] * (r - p)[1] - (q - p)[1] * (r - p)[0]
        # Seen from above, the order of turning is kept; and the board fills between a fifteenth and all of the picture.
        if np.sign(doubled) != turn or not 0.04 * board_share < abs(doubled) / 2 / picture < 1.4 * board_share:
            continue
        _, rotations, translations = cv2.solveP3P(
            corners, seen[list(triple)], lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_AP3P
        )
        for rotation, translation in zip(rotations, translations, strict=True):
            matrix = np.asarray(cv2.Rodrigues(rotation)[0], np.float64)
            if np.isfinite(matrix).all() and matrix[2, 2] > 0.5 and translation[2] > 0:
                poses.append(Registration(lens, matrix, np.asarray(translation, np.float64).reshape(3, 1)))
    return poses


def _match(seen: Array, pose: Registration, mm: Array, heights: Array, near_mm: float) -> list[tuple[int, int]]:
    """Pairs (piece, spot) that lie within ``near_mm`` of each other, each spot and piece once."""
    wanted = pose.project(mm, heights)
    if not np.isfinite(wanted).all():
        return []
    scale = np.linalg.norm(pose.project(mm + np.array([10.0, 0.0]), heights) - wanted, axis=1) / 10
    distance = np.linalg.norm(wanted[:, None] - seen[None], axis=2) / np.maximum(scale, 1e-6)[:, None]
    nearest = distance.argmin(axis=1)
    back = distance.argmin(axis=0)
    return [(row, int(spot)) for row, spot in enumerate(nearest) if back[spot] == row and distance[row, spot] <= near_mm]


def _refine(points: Array, pixels: Array, pose: Registration) -> Registration:
    rotation = cv2.Rodrigues(pose.rotation)[0]
    rotation, translation = cv2.solvePnPRefineLM(
        points, pixels, pose.lens.matrix, pose.lens.distortion, rotation, pose.translation.copy()
    )
    matrix = np.asarray(cv2.Rodrigues(rotation)[0], np.float64)
    return Registration(pose.lens, matrix, np.asarray(translation, np.float64).reshape(3, 1), pose.error_mm)


# --- the printed lattice --------------------------------------------------------------------------------------


def cell_sides(board: Board) -> Array:
    """Ends (N×2×2 mm) of the printed sides of all cells."""
    seen: dict[tuple[float, ...], tuple[Point, Point]] = {}
    for cell in board.cells:
        if board.kind(cell) == "obstacle":
            continue
        corners = board.outline_mm(cell)
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            middle = (round((a[0] + b[0]) / 2 / 4), round((a[1] + b[1]) / 2 / 4))
            seen.setdefault(middle, (a, b))
    return np.array([*seen.values()], np.float64)


def frame_parts(board: Board) -> Array:
    """Ends (N×2×2 mm) of pieces of the frame line."""
    corners, parts = board.frame_corners_mm, []
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        cuts = np.linspace(0, 1, 13)[:, None] * (np.array(end) - np.array(start)) + np.array(start)
        parts += [(cuts[i], cuts[i + 1]) for i in range(12)]
    return np.array(parts, np.float64)


def fit_lattice(image: Image, pose: Registration, board: Board, settings: FinderSettings, frame: bool = False) -> Registration:
    """Draw a pose (right to one or two centimetres) to the printed cells. ``error_mm`` becomes what they still disagree by.

    The frame line is left out: the board's own edge is easily taken for it, and then draws the pose away from the cells. Who
    asks where the ``frame`` itself lies has it drawn to that line as well, at last.
    """
    edges, cells = _edge_strength(image), cell_sides(board)
    mm = np.array([board.mm(cell) for cell in board.cells])
    for _ in range(settings.rounds):
        before, pose = pose, _drawn_to(edges, pose, cells, settings)
        if np.linalg.norm(before.locate(pose.project(mm)) - mm, axis=1).max() < settings.settled_mm:
            break
    return _drawn_to(edges, pose, cells, settings, frame_parts(board)) if frame else pose


FRAME_WEIGHT = 1.5
"""1..2: how much a piece of the frame line, which is broader and alone, counts beside a cell's side."""


def _drawn_to(
    edges: Floats, pose: Registration, cells: Array, settings: FinderSettings, frame: Array | None = None
) -> Registration:
    """A pose drawn to printed lines: the ends (N×2×2 mm) of cells' sides, and of pieces of the frame line if that counts.

    For every line the picture's edge strength is summed along parallels up to ``search_mm`` away; the best parallel pulls the
    pose, each pull weighted by how clearly it stands out.
    """
    ends = cells if frame is None else np.concatenate([cells, frame])
    broader = np.arange(len(ends)) >= len(cells)
    middles = ends.mean(axis=1)
    along = ends[:, 1] - ends[:, 0]
    normals = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
    # Only the middle of a side: near its ends the neighbours' sides would answer.
    samples = ends[:, :1] + np.linspace(0.12, 0.88, 9)[None, :, None] * along[:, None]
    residual = np.full(len(ends), np.inf)
    weights = np.zeros(len(ends))
    for reach in (settings.search_mm, settings.search_mm * 0.7, settings.search_mm * 0.5, settings.search_mm * 0.4):
        offsets = np.arange(-reach, reach + 0.01, 0.25)
        points = samples[:, None] + offsets[None, :, None, None] * normals[:, None, None]
        values = pick(edges, pose.project(points.reshape(-1, 2)))
        profile = values.reshape(len(ends), len(offsets), -1).mean(axis=2)
        # A line has two edges; blurred by about its width they meet in its middle. The frame line is the broader one.
        thin, broad = (cv2.GaussianBlur(profile, (0, 0), sigmaX=s / 0.25, sigmaY=1e-6) for s in (0.6, 1.6))
        profile = np.where(broader[:, None], broad, thin)
        # A mild pull to the middle decides between two equal lines.
        profile = profile * (1 - 0.3 * (offsets / reach) ** 2)
        best = profile.argmax(axis=1)
        residual = offsets[best]
        stands_out = (profile.max(axis=1) - np.median(profile, axis=1)) / (profile.max(axis=1) + 1e-3)
        weights = np.where(broader, FRAME_WEIGHT, 1.0) * stands_out * (np.abs(residual) < reach * 0.95)
        spread = 1.4826 * np.median(np.abs(residual[weights > 0])) if (weights > 0).any() else 1.0
        weights = weights / (1 + (residual / max(spread, 0.4)) ** 2)
        target = pose.project(middles + residual[:, None] * normals)
        pose = _pull(pose, middles, target, pose.project(middles + normals) - pose.project(middles), weights)
    error = float(np.sqrt(np.average(residual**2, weights=weights + 1e-9)))
    return Registration(pose.lens, pose.rotation, pose.translation, error)


def _pull(pose: Registration, middles: Array, target: Array, normal_px: Array, weights: Array) -> Registration:
    """One damped least-squares step that moves every segment's middle along its normal."""
    vector = cv2.Rodrigues(pose.rotation)[0]
    translation = pose.translation.reshape(3, 1).copy()
    solid = np.column_stack([middles, np.zeros(len(middles))])
    direction = normal_px / np.maximum(np.linalg.norm(normal_px, axis=1), 1e-9)[:, None]
    for _ in range(3):
        pixels, jacobian = cv2.projectPoints(solid, vector, translation, pose.lens.matrix, pose.lens.distortion)[:2]
        gap = ((target - pixels.reshape(-1, 2)) * direction).sum(axis=1)
        rows = (jacobian[:, :6].reshape(-1, 2, 6) * direction[:, :, None]).sum(axis=1)
        normal = rows.T @ (weights[:, None] * rows)
        step = np.linalg.solve(normal + 1e-6 * np.diag(np.diag(normal)) + 1e-12 * np.eye(6), rows.T @ (weights * gap))
        vector += step[:3, None]
        translation += step[3:, None]
    matrix = np.asarray(cv2.Rodrigues(vector)[0], np.float64)
    return Registration(pose.lens, matrix, translation, pose.error_mm)


def _edge_strength(image: Image) -> Floats:
    """Gradient strength of the picture, each place relative to its surroundings, so that dim corners count as well."""
    grey = np.log(cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.2) + 4.0)
    strength = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    strength = np.minimum(strength, 0.6)  # one bold black line must not outweigh the lattice
    return np.asarray(cv2.GaussianBlur(strength, (0, 0), 1.5), np.float32)


def lattice_contrast(image: Image, pose: Registration, board: Board) -> float:
    """How much stronger edges are on the printed lines than a quarter cell beside them; about 1 where there is no board."""
    on, beside = _line_strengths(image, pose, np.concatenate([cell_sides(board), frame_parts(board)]))
    return float(on.mean()) / max(float(beside.mean()), 1e-6)


def least_contrast(image: Image, pose: Registration, board: Board) -> float:
    """The same of the cells alone in that of PARTS times PARTS parts of the board that shows them least: a pose that fits some
    of them by chance does not fit them all."""
    sides = cell_sides(board)
    on, beside = _line_strengths(image, pose, sides, ASIDE_MM)
    across, down = np.clip(sides.mean(axis=1) / np.array(board.size_mm) * PARTS, 0, PARTS - 1).astype(int).T
    sums = np.zeros((3, PARTS * PARTS))
    for row, values in zip(sums, (on, beside, np.ones(len(on))), strict=True):
        np.add.at(row, across * PARTS + down, values)
    shown = sums[2] >= FEWEST_SIDES
    return float((sums[0, shown] / np.maximum(sums[1, shown], 1e-6)).min())


PARTS, FEWEST_SIDES, ASIDE_MM = 3, 5, 1.0
"""2..4: parts of a board each way; 4..8 sides of cells that a part must have to be asked; 0.5..1.5 mm by which a side may lie
beside where it is looked for: the board may be bent, or the lens bend it."""


def _line_strengths(image: Image, pose: Registration, ends: Array, off_mm: float = 0.0) -> tuple[Array, Array]:
    """How strong edges are on lines with such ends (N×2×2 mm), or ``off_mm`` to either side where that is more, and a quarter
    cell beside them (N each)."""
    edges = _edge_strength(image)
    along = ends[:, 1] - ends[:, 0]
    normals = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
    samples = ends[:, :1] + np.linspace(0.15, 0.85, 7)[None, :, None] * along[:, None]

    def strength(shift: float) -> Array:
        seen = pick(edges, pose.project((samples + shift * normals[:, None]).reshape(-1, 2)))
        return np.asarray(seen.reshape(len(ends), -1).mean(axis=1), np.float64)

    on = [strength(shift) for shift in sorted({-off_mm, 0.0, off_mm})]
    return np.max(on, axis=0), np.mean([strength(shift) for shift in (-9.0, -7.0, 7.0, 9.0)], axis=0)
