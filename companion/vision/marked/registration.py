"""Find the board from the frame markers: stickers on the table beside it, laid by hand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, FrameMarker, PieceSet
from companion.vision.camera import Lens, Registration
from companion.vision.marked.duplicate_markers import (
    Finds,
    fitting_sets,
    frame_finds,
    have_duplicates,
    nearest,
    off_mm,
    only_ones,
    only_pose,
)
from companion.vision.marked.markers import Marker

Array = NDArray[np.float64]


_FULL_HD = 1920
_COARSE_FOCALS = 7
"""So many focal lengths are tried where it must first be told which of several stickers are the board's."""


@dataclass(frozen=True, slots=True)
class RegistrationSettings:
    """Tunables of the registration.

    pixel_noise
        0.1..1 px: how well a sub-pixel corner is known in a noisy picture up to 1920 pixels wide; larger ones are halved
        before markers are sought, and hold no finer detail.
    turn_deg
        0.5..3°: how far off straight a sticker is laid by hand (standard deviation); with two stickers it decides everything.
    outlier_tolerances
        2..6 times the hand's tolerance: a sticker further off than this has been pushed or is not ours, and is left out
        as long as two others agree.
    outlier_floor_mm
        1..4 mm added to that: in a blurred picture a corner itself may be a millimetre off.
    largest_error
        0.05..0.2 of the spacing of sites: a registration with a larger standard error at the far corner is refused. 6 mm where
        cells are 40 mm apart and pieces lie up to 8 mm off.
    largest_misfit
        12..18: chi-square of the corners, a degree of freedom, beyond which the stickers do not lie round one board: a tilted
        pose can put two of different boards at their places, but not their corners. Pairs that belong together had 0.7 to
        1.7, with a guessed lens up to 12; those with a spare one on a sheet beside the board 19 and more.
    hold_px
        0.5..2 px by which a new pose may put the stickers in sight elsewhere than the last one did before it counts as another:
        noise moves a sticker's corners by 0.3 px, a nudge of 1 mm by 1.2 px and more.
    better
        0.3..0.9: where nothing moved, a new pose takes the last one's place when its error is smaller than this share of its.
    focal_range
        Focal lengths tried for a guessed lens, in picture widths; 0.55 is a wide webcam (85°), 2.2 a phone's tele lens (26°).
    """

    pixel_noise: float = 0.35
    turn_deg: float = 1.2
    outlier_tolerances: float = 3.0
    outlier_floor_mm: float = 1.5
    largest_error: float = 0.15
    largest_misfit: float = 15.0
    hold_px: float = 1.0
    better: float = 0.7
    focal_range: tuple[float, float] = (0.55, 2.2)


def sticker_corners(marker: FrameMarker) -> Array:
    """The four corners (4×2 board millimetres) of a frame sticker, top left first, clockwise."""
    half = marker.side_mm / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    return np.asarray(np.asarray(marker.centre_mm) + square, np.float64)


def register(
    markers: Sequence[Marker],
    lens: Lens,
    board: Board,
    pieces: PieceSet,
    settings: RegistrationSettings | None = None,
    last: Registration | None = None,
) -> Registration | None:
    """Board pose from all corners of the visible frame markers, or None with fewer than two or when they contradict.

    Of several markers with one number those count that fit the others, or lie where the ``last`` pose has them.
    ``error_mm`` is the larger of what the corners leave over and what hand-laid stickers can do to the board's far corner.
    """
    settings = settings or RegistrationSettings()
    finds = frame_finds(markers, pieces)
    duplicates = have_duplicates(finds)
    if not duplicates:
        found = _agreeing(only_ones(finds), lens, board, pieces, settings)
        if found is not None:
            return found[0]
    found = None
    if last is not None and last.lens.size == lens.size:
        stayed = nearest(finds, last, pieces, _limit_mm(pieces, settings))
        found = _agreeing(stayed, lens, board, pieces, settings)
        if found is not None and (not duplicates or found[1] == len(finds)):
            return found[0]
    if not duplicates:
        return None
    sets = fitting_sets(finds, pieces, partial(_solve, pieces=pieces, lens=lens), _limit_mm(pieces, settings))
    others = [
        fits
        for fits in (_agreeing(seen, lens, board, pieces, settings, len(seen) < len(pieces.frame_markers)) for seen in sets)
        if fits is not None
    ]
    if found is not None and found[1] >= max((count for _, count in others), default=0):
        return found[0]
    return only_pose(others, _corners_mm(board))


def _agreeing(
    seen: Mapping[int, Marker],
    lens: Lens,
    board: Board,
    pieces: PieceSet,
    settings: RegistrationSettings,
    duplicates: bool = False,
) -> tuple[Registration, int] | None:
    """Board pose from frame markers, one of each number, and how many of them agree with it; outliers are left out.

    Corners are looked at closely where only two agree, or spare ones (``duplicates``) are in sight: a guessed lens alone makes
    those of a whole set fit worse.
    """
    seen = dict(seen)
    while len(seen) >= 2:
        pose = _solve(seen, pieces, lens)
        if pose is None:
            return None
        residuals = _residuals_mm(seen, pieces, pose)
        worst = max(residuals, key=lambda marker: residuals[marker])
        if residuals[worst] <= _limit_mm(pieces, settings):
            try:
                pose, spread = _weighed(seen, pieces, pose, board, settings)
                misfit = _misfit(seen, pieces, pose, settings)
            except np.linalg.LinAlgError:
                return None  # a pose that sees the board from its edge
            residuals = _residuals_mm(seen, pieces, pose)
            error = max(spread, float(np.sqrt(np.mean(np.square([*residuals.values()])))))
            if error > settings.largest_error * board.spacing_mm or (
                misfit > settings.largest_misfit and (duplicates or len(seen) == 2)
            ):
                return None
            return Registration(lens, pose.rotation, pose.translation, error), len(seen)
        # One sticker disagrees; which one shows when each is left out in turn.
        trials = {}
        for marker in seen if len(seen) > 2 else ():
            rest = {key: value for key, value in seen.items() if key != marker}
            trial = _solve(rest, pieces, lens)
            if trial is not None:
                trials[marker] = max(_residuals_mm(rest, pieces, trial).values())
        if not trials:
            return None
        seen.pop(min(trials, key=lambda marker: trials[marker]))
    return None


SQUEEZES = np.geomspace(0.7, 1 / 0.7, 21)
"""By how much pictures may be stretched across: a sensor of 16:9 that fills 5:4 whole, and one of 5:4 that fills 16:9."""
FITS_BETTER = 4.0
"""3..6: by how many times the mean square must be smaller for pixels that are not square. Right ones made it 1/100 or less."""


def fit_focal_length(
    markers: Sequence[Marker], lens: Lens, pieces: PieceSet, settings: RegistrationSettings | None = None
) -> Lens:
    """For a guessed lens: the focal length that fits the frame markers best, and where square pixels do not fit them, their
    shape; the lens unchanged with fewer than three."""
    settings = settings or RegistrationSettings()
    seen = _belonging(frame_finds(markers, pieces), lens, pieces, settings)
    if len(seen) < 3:
        return lens

    def fit(squeezes: Iterable[float]) -> tuple[float, Lens]:
        best = (np.inf, lens)
        for squeeze in squeezes:
            for candidate in _focal_lengths(lens, 29, settings, squeeze):
                pose = _solve(seen, pieces, candidate)
                if pose is not None:
                    left = float(np.mean(np.square([*_residuals_mm(seen, pieces, pose).values()])))
                    best = min(best, (left, candidate), key=lambda entry: entry[0])
        return best

    square = fit((1.0,))
    if square[0] <= _limit_mm(pieces, settings) ** 2:
        return square[1]  # stickers laid by hand explain as much: of 36 sets laid 2 to 4 mm off none left more than 3.3 mm
    roughly = fit(SQUEEZES)
    step = SQUEEZES[1] / SQUEEZES[0]
    squeezed = fit(roughly[1].squeeze * np.geomspace(1 / step, step, 9))
    return squeezed[1] if squeezed[0] * FITS_BETTER < square[0] else square[1]


def _focal_lengths(lens: Lens, count: int, settings: RegistrationSettings, squeeze: float = 1.0) -> list[Lens]:
    """The lens with other focal lengths, spread over all that are thought possible."""
    low, high = settings.focal_range
    lenses = []
    for focal in np.geomspace(low, high, count) * lens.size[0]:
        matrix = lens.matrix.copy()
        matrix[0, 0], matrix[1, 1] = focal, focal / squeeze
        lenses.append(Lens(matrix, lens.distortion, lens.size))
    return lenses


def _belonging(finds: Finds, lens: Lens, pieces: PieceSet, settings: RegistrationSettings) -> Mapping[int, Marker]:
    """The frame markers that fit each other under some focal length: of each number the only one, or of several the one."""
    if not have_duplicates(finds):
        return only_ones(finds)
    best: tuple[int, float, Mapping[int, Marker]] = (0, 0.0, {})
    limit = _limit_mm(pieces, settings)
    for candidate in _focal_lengths(lens, _COARSE_FOCALS, settings):
        for seen in fitting_sets(finds, pieces, partial(_solve, pieces=pieces, lens=candidate), limit):
            pose = _solve(seen, pieces, candidate)
            worst = np.inf if pose is None else max(_residuals_mm(seen, pieces, pose).values())
            if worst <= limit:
                best = max(best, (len(seen), -worst, seen), key=lambda entry: entry[:2])
    return best[2]


def agrees(markers: Sequence[Marker], registration: Registration, pieces: PieceSet, within_mm: float) -> bool | None:
    """Whether the frame markers in sight still lie where a registration says; None when none is in sight. Of several with one
    number the nearest counts."""
    finds = frame_finds(markers, pieces)
    return len(nearest(finds, registration, pieces, within_mm)) == len(finds) if finds else None


def holds(
    last: Registration,
    found: Registration,
    markers: Sequence[Marker],
    pieces: PieceSet,
    settings: RegistrationSettings,
) -> bool:
    """Whether the last pose is to be kept instead of the one found now: both put every sticker in sight at the same pixels, and
    the new one is not much surer.

    Two stickers side by side leave the far corners of the board open by millimetres: estimated anew from every picture's noise,
    the board would seem to move there although nothing does.
    """
    seen = nearest(frame_finds(markers, pieces), found, pieces)
    if not seen or last.lens.size != found.lens.size or found.error_mm < settings.better * last.error_mm:
        return False
    points, heights = _object_points(seen, pieces)
    apart = np.linalg.norm(last.project(points, heights) - found.project(points, heights), axis=1)
    limit = settings.hold_px * max(1.0, max(found.lens.size) / _FULL_HD)
    return float(apart.max()) <= limit


def _limit_mm(pieces: PieceSet, settings: RegistrationSettings) -> float:
    """How far (mm) off a pose a frame marker may lie that agrees with it."""
    return settings.outlier_floor_mm + settings.outlier_tolerances * pieces.frame_tolerance_mm


def _corners_mm(board: Board) -> Array:
    width, height = board.size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def _object_points(seen: Mapping[int, Marker], pieces: PieceSet) -> tuple[Array, Array]:
    """Corners of the seen stickers on the board (4N×2 mm) and their heights (4N)."""
    frames = [pieces.frame_markers[marker] for marker in seen]
    return np.vstack([sticker_corners(frame) for frame in frames]), np.repeat([frame.height_mm for frame in frames], 4)


def _solve(seen: Mapping[int, Marker], pieces: PieceSet, lens: Lens) -> Registration | None:
    flat, heights = _object_points(seen, pieces)
    points = np.column_stack([flat, -heights])
    pixels = np.vstack([marker.corners for marker in seen.values()])
    best: tuple[float, Registration] | None = None
    # Planar poses have two minima; the plane solver returns both, each is refined, the better one in front of the camera wins.
    common = float(heights.mean())
    level = np.column_stack([flat, np.zeros(len(flat))])
    for start_rotation, start_translation in _plane_poses(level, pixels, lens):
        shift = cv2.Rodrigues(start_rotation)[0] @ np.array([[0.0], [0.0], [common]])
        refined = cv2.solvePnPRefineLM(points, pixels, lens.matrix, lens.distortion, start_rotation, start_translation + shift)
        matrix = np.asarray(cv2.Rodrigues(refined[0])[0], np.float64)
        if not np.isfinite(matrix).all() or matrix[2, 2] <= 0:
            continue  # the board would be seen from below
        pose = Registration(lens, matrix, np.asarray(refined[1], np.float64).reshape(3, 1))
        left = float(np.mean(np.sum((pose.project(flat, heights) - pixels) ** 2, axis=1)))
        if best is None or left < best[0]:
            best = (left, pose)
    return best[1] if best else None


def _plane_poses(level: Array, pixels: Array, lens: Lens) -> list[tuple[Array, Array]]:
    """First guesses of a plane's pose: rotation vectors and translations (3×1 each)."""
    guesses = []
    for method in (cv2.SOLVEPNP_IPPE, cv2.SOLVEPNP_ITERATIVE):
        try:
            _, rotations, translations, _ = cv2.solvePnPGeneric(level, pixels, lens.matrix, lens.distortion, flags=method)
        except cv2.error:
            continue
        found = [
            (np.asarray(rotation, np.float64).reshape(3, 1), np.asarray(translation, np.float64).reshape(3, 1))
            for rotation, translation in zip(rotations, translations, strict=True)
        ]
        # The plane solver answers not-a-number for some quite ordinary poses; then the iterative one starts from a homography.
        guesses += [pair for pair in found if np.isfinite(pair[0]).all() and np.isfinite(pair[1]).all()]
        if guesses:
            break
    return guesses


def _residuals_mm(seen: Mapping[int, Marker], pieces: PieceSet, pose: Registration) -> dict[int, float]:
    """How far each sticker's centre lies from where the pose puts it, in millimetres on the board."""
    return {marker: off_mm(sighting, pose, pieces) for marker, sighting in seen.items()}


def _weighed(
    seen: Mapping[int, Marker], pieces: PieceSet, pose: Registration, board: Board, settings: RegistrationSettings
) -> tuple[Registration, float]:
    """The pose refined by generalised least squares, and the standard error (mm) of the board's worst corner.

    The corners of one sticker err together, by how it was laid (shifted, turned), and each for itself by the pixel noise.
    Counting them as independent would let one crooked sticker turn the whole board.
    """
    flat, heights = _object_points(seen, pieces)
    points = np.column_stack([flat, -heights])
    pixels = np.vstack([marker.corners for marker in seen.values()]).reshape(-1)
    lens = pose.lens
    state = np.concatenate([cv2.Rodrigues(pose.rotation)[0].reshape(3), pose.translation.reshape(3)])
    weights = _weights(seen, pieces, pose, settings)
    for _ in range(2):
        at, jacobian = cv2.projectPoints(points, state[:3], state[3:], lens.matrix, lens.distortion)[:2]
        jacobian = jacobian[:, :6]
        covariance = np.linalg.inv(jacobian.T @ weights @ jacobian)
        step = covariance @ jacobian.T @ weights @ (pixels - np.asarray(at, np.float64).reshape(-1))
        if not np.isfinite(step).all():
            break
        state = state + step
    refined = Registration(lens, np.asarray(cv2.Rodrigues(state[:3])[0], np.float64), state[3:].reshape(3, 1))
    corners = _corners_mm(board)
    targets = np.column_stack([corners, np.zeros(4)])
    onto = cv2.projectPoints(targets, state[:3], state[3:], lens.matrix, lens.distortion)[1][:, :6]
    # Pixels to millimetres at each corner, in every direction: tilted, a pixel along the view is more of the board.
    variance = []
    for corner, rows in zip(corners, onto.reshape(4, 2, 6), strict=True):
        sides = refined.project(np.array([[0.5, 0], [-0.5, 0], [0, 0.5], [0, -0.5]]) + corner)
        to_mm = np.linalg.inv(np.column_stack([sides[0] - sides[1], sides[2] - sides[3]]))
        variance.append(float(np.trace(to_mm @ rows @ covariance @ rows.T @ to_mm.T)))
    return refined, float(np.sqrt(max(variance)))


def _misfit(seen: Mapping[int, Marker], pieces: PieceSet, pose: Registration, settings: RegistrationSettings) -> float:
    """How badly the corners of frame markers fit a pose: chi-square a degree of freedom, about 1 where they belong to it."""
    flat, heights = _object_points(seen, pieces)
    left = (pose.project(flat, heights) - np.vstack([marker.corners for marker in seen.values()])).reshape(-1)
    return float(left @ _weights(seen, pieces, pose, settings) @ left) / (len(left) - 6)


def _weights(seen: Mapping[int, Marker], pieces: PieceSet, pose: Registration, settings: RegistrationSettings) -> Array:
    """Inverse covariance (8N×8N) of the corners' pixels: block by block, one a sticker."""
    inverse = np.zeros((8 * len(seen), 8 * len(seen)))
    # A sticker is equally likely anywhere within its tolerance: standard deviation = tolerance / sqrt(3).
    noise = settings.pixel_noise * max(1.0, max(pose.lens.size) / _FULL_HD)
    shift, turn = pieces.frame_tolerance_mm / np.sqrt(3), np.radians(settings.turn_deg)
    for index, marker in enumerate(seen):
        frame = pieces.frame_markers[marker]
        corners = sticker_corners(frame)
        around = corners - frame.centre_mm
        base = pose.project(corners, frame.height_mm)
        ways = (np.array([shift, 0.0]), np.array([0.0, shift]), turn * np.column_stack([-around[:, 1], around[:, 0]]))
        moved = np.column_stack([(pose.project(corners + way, frame.height_mm) - base).reshape(-1) for way in ways])
        block = slice(8 * index, 8 * index + 8)
        inverse[block, block] = np.linalg.inv(moved @ moved.T + noise**2 * np.eye(8))
    return inverse
