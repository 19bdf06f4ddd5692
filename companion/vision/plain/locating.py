"""Where the board lies in the empty picture: by the start position that was put on it, or by the frame line's corners."""

from collections.abc import Sequence
from contextlib import suppress
from operator import itemgetter
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.boards import PAIR, Board, PieceSet
from companion.errors import BadInput
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Image
from companion.vision.plain.finder import fit_lattice, lattice_contrast, least_contrast, pose_from_start
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.start import LaidPiece
from companion.vision.plain.start_change import StartChange
from companion.vision.plain.start_check import check_start, prepare_start
from companion.vision.plain.surface import LINEAR, View, pick
from companion.vision.plain.tracking import solve_plane

CORNERS_OFF_MM = 30.0
"""25..40 mm (root mean square) by which no pose may fit four points that are said to be the board's corners. A camera of 90
degrees across that is taken for an ordinary one leaves 26 of a board 60 degrees askew; four points on a narrow stripe 85."""
ODD_WEIGHS = 0.4
"""0.2..0.6: how much one place that is not as the start position has it counts, against how well the pieces' colours fit (-1
to 1), when it is told which way round a board lies: other printings change colours, not places. By less than one such place
nothing is told."""
MOST_ODD = 4
"""3..6: more places where something lies that the start position does not have count as this many: another light in one of the
pictures makes any number of them."""
COLOUR_WORDS = {
    "red": (40, 35, 190), "brown": (40, 70, 110), "yellow": (50, 200, 225), "blue": (170, 90, 40), "green": (60, 130, 50),
    "black": (45, 42, 40), "purple": (130, 50, 100), "orange": (40, 130, 230), "white": (235, 235, 235),
    "grey": (130, 130, 130), "pink": (180, 130, 230),
}  # fmt: skip
"""What a colour's name roughly means, BGR. Good for telling red from blue, not for reading pieces."""


def locate_empty(
    empty: Image,
    start: Image,
    change: StartChange,
    board: Board,
    put: Sequence[LaidPiece],
    lens: Lens | None,
    corners: ArrayLike | None,
    settings: PlainSettings,
    pieces: PieceSet,
) -> Registration:
    """Where the board lies in the empty picture: by the ``corners`` of its frame line (4×2 px) if they are given, else by what
    ``start``, a picture of the same size with the pieces ``put`` on it, shows more. ``change`` is that of the two. No ``lens``
    is that of an ordinary webcam, whose pictures may be squeezed. Raises BadInput when it cannot be told."""

    def by(lens: Lens) -> Registration:
        return _located(empty, start, change, board, put, lens, corners, settings, pieces)

    if lens is not None:
        return by(lens)
    size = (empty.shape[1], empty.shape[0])
    square: Registration | BadInput
    try:
        square = by(Lens.guess(size))
        if least_contrast(empty, square, board) >= SHOWN_ALL_OVER:
            return square
    except BadInput as error:
        square = error
    found: list[tuple[float, Registration]] = []
    for squeeze in SQUEEZES:
        with suppress(BadInput):
            pose = by(Lens.guess(size, squeeze=squeeze))
            found.append((least_contrast(empty, pose, board), pose))
            if found[-1][0] >= SHOWN_PLAINLY:
                break
    clear, best = max(found, key=itemgetter(0), default=(0.0, square))
    if clear < SHOWN_ALL_OVER:
        best = square
    if isinstance(best, BadInput):
        raise best
    return best


SQUEEZES = 3 / 4, 4 / 3, 8 / 9, 9 / 8
"""By how much the pictures of some cameras are stretched across: those that fill 4:3 or 16:9 with all of a sensor of the other
shape, and 3:2 (720x480) with one of either."""
SHOWN_ALL_OVER, SHOWN_PLAINLY = 1.25, 1.7
"""1.2..1.3: contrast of the printed lattice in the part of the board that shows it least, from which on the board lies there;
1.6..2: from which on no other shape of pixels is tried. Of 26 copies whose pictures were not squeezed none has less than 1.37,
of 14 that were squeezed to 3/4 or 4/3 and taken for square none more than 1.15; by a ninth or an eighth three of six."""


def _located(
    empty: Image,
    start: Image,
    change: StartChange,
    board: Board,
    put: Sequence[LaidPiece],
    lens: Lens,
    corners: ArrayLike | None,
    settings: PlainSettings,
    pieces: PieceSet,
) -> Registration:
    """The same through a known lens."""
    if corners is not None:
        pose = pose_from_corners(corners, board, lens)
        return fit_lattice(empty, pose, board, settings.finder)
    found = pose_from_start(change, lens.scaled(change.size), board, put, settings.finder)
    if found is None or found[1] < settings.finder.enough:
        raise BadInput(
            "the start position was not found: between the two pictures the pieces of the start position, and nothing else, "
            "must have been put on the board, and the whole board must be in both pictures"
        )
    # A board may look much the same from the other side.
    fits = []
    for guess in (found[0], _half_turn(found[0], board)):
        pose = _drawn(empty, Registration(lens, guess.rotation, guess.translation), board, settings)
        colours = colour_fit(change.empty, change.start, _small(pose, change), put, pieces)
        fits.append((colours - ODD_WEIGHS * _odd_places(empty, start, change, pose, board, pieces, put, settings), pose))
    (likelier, pose), (other, _) = sorted(fits, key=lambda fit: -fit[0])
    if likelier - other < ODD_WEIGHS:
        raise BadInput(
            "which way round the board lies cannot be told: the start position looks much the same from the other side; put "
            "every piece where it belongs, or give the four corners of the frame line"
        )
    return pose


PLAINER = 1.2
"""1.15..1.25: by how many times the edges of the pieces must be plainer in the first picture for them to lie there. On 19
made-up copies, one of the pictures in another light, dim, overexposed, noisy, compressed or out of focus, they were plainer in
the second one by 1.04 to 20 times, by less than 1.2 in six of 247 pairs; on the copies it was chosen by, both pictures out of
focus, once by 0.86."""
EDGE_MM, EDGE_OFF_MM = 0.5, 1.0
"""0.4..0.8 mm on either side of an edge that are compared, and 0.5..1.5 mm by which it may lie elsewhere than it should."""
EDGE_SIGMA_PX = 0.6
"""0.5..0.8: more evens the edges out with the print."""


def exchanged(empty: Image, start: Image, pose: Registration, board: Board, put: Sequence[LaidPiece], group: str) -> bool:
    """Whether the pieces surely lie on the board in the picture that should show it empty, and not in the other: the round ones
    of a ``group`` have an edge all around, which print crosses only here and there. How plain such a circle is about a cell
    where nothing was ``put`` tells how sharp, light and noisy each picture is."""
    discs = [place for place in put if place.group == group]
    taken = {spot for place in put for spot in place.place.split(PAIR)}
    bare = [board.mm(cell) for cell in board.cells if cell not in taken]
    middles = np.array([*(place.mm for place in discs), *bare], np.float64)
    before, now = (_edges(image, pose, middles, min(discs[0].size_mm) / 2, discs[0].height_mm) for image in (empty, start))
    count = len(discs)
    return float(before[:count].mean() * now[count:].mean()) > PLAINER * float(now[:count].mean() * before[count:].mean())


def _edges(
    image: Image, pose: Registration, middles: NDArray[np.float64], radius_mm: float, height_mm: float
) -> NDArray[np.float64]:
    """How plain circles about some points (N×2 mm) are in a picture: for each the difference of colour (CIELAB) across it,
    median all around, where that is most."""
    lab = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2Lab), (0, 0), EDGE_SIGMA_PX)
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    ring, steps = np.column_stack([np.cos(angles), np.sin(angles)]), []
    for radius in radius_mm + np.linspace(-EDGE_OFF_MM, EDGE_OFF_MM, 5):
        within, beyond = (
            pick(lab, pose.project(middles[:, None] + ring * (radius + side), height_mm)).astype(np.float64)
            for side in (-EDGE_MM, EDGE_MM)
        )
        steps.append(np.median(np.linalg.norm(within - beyond, axis=-1).reshape(len(middles), -1), axis=1))
    return np.asarray(np.max(steps, axis=0), np.float64)


def _small(pose: Registration, change: StartChange) -> Registration:
    """A pose in the search's size."""
    return Registration(pose.lens.scaled(change.size), pose.rotation, pose.translation)


CLEAR = 1.5
"""1.3..1.7: of all copies on which the lattice was found, one in twenty shows it with less contrast."""
BESIDE_MM = 10.0
"""6..13 mm, less than half a cell: how far beside a pose the lattice is sought once more. It is drawn to the next line."""


def _drawn(empty: Image, coarse: Registration, board: Board, settings: PlainSettings) -> Registration:
    """A coarse pose drawn to the printed lattice; from about it as well where the print does not show it clearly there."""

    def clearest(poses: Sequence[Registration]) -> tuple[float, Registration]:
        contrast = [lattice_contrast(empty, pose, board) for pose in poses]
        return max(contrast), poses[int(np.argmax(contrast))]

    clear, pose = clearest([fit_lattice(empty, coarse, board, settings.finder), coarse])
    for _ in range(ROUNDS):
        if clear >= CLEAR:
            break
        beside = [_beside(pose, angle) for angle in np.arange(0, 2 * np.pi, np.pi / 4)]
        better, found = clearest([fit_lattice(empty, one, board, settings.finder) for one in beside])
        if better <= clear:
            break
        clear, pose = better, found
    return pose


ROUNDS = 3
"""2..5: how often what was found clearest is left for what is clearer about it."""


def _beside(pose: Registration, angle: float) -> Registration:
    """The pose of a board that lies ``BESIDE_MM`` off in a direction (radians) of its own plane."""
    step = pose.rotation @ np.array([[np.cos(angle)], [np.sin(angle)], [0.0]]) * BESIDE_MM
    return Registration(pose.lens, pose.rotation, pose.translation.reshape(3, 1) + step)


def _odd_places(
    empty: Image,
    start: Image,
    change: StartChange,
    pose: Registration,
    board: Board,
    pieces: PieceSet,
    put: Sequence[LaidPiece],
    settings: PlainSettings,
) -> int:
    """How many places do not show what the start position has there, if the board lies as ``pose`` says; of those where nothing
    should lie at most ``MOST_ODD``."""
    try:
        prepared = prepare_start(View.of(empty, pose, board, settings.surface), start, board, settings)
    except BadInput:
        return len(put)
    found = check_start(prepared, change, board, pieces, put, pieces.movable.height_mm)
    return len(found.missing) + min(len(found.unexpected), MOST_ODD)


def _half_turn(pose: Registration, board: Board) -> Registration:
    """The pose with the board turned by 180° about the middle of its cells."""
    x, y = np.mean([board.mm(cell) for cell in board.cells], axis=0)
    shift = pose.rotation @ np.array([[2 * x], [2 * y], [0.0]])
    return Registration(pose.lens, pose.rotation @ np.diag([-1.0, -1.0, 1.0]), pose.translation.reshape(3, 1) + shift)


def colour_fit(
    empty: NDArray[Any], start: NDArray[Any], pose: Registration, put: Sequence[LaidPiece], pieces: PieceSet
) -> float:
    """How well the pieces' names of colours fit what lies where the start position has them: -1 (not at all) to 1.

    Both pictures (H×W×3) are of the size of the pose's lens.
    """
    named = [place for place in put if pieces.pieces[place.piece].colour in COLOUR_WORDS]
    if not named:
        return 0.0
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    white = np.median(LINEAR[np.asarray(empty, np.uint8)].reshape(-1, 3), axis=0)
    seen, want = [], []
    for place in named:
        spots = np.vstack([np.asarray(place.mm) + ring * min(place.size_mm) / 2 * s for s in (0.5, 0.75)])
        local = LINEAR[pick(np.asarray(start, np.uint8), pose.project(spots, place.height_mm)).astype(np.uint8)]
        seen.append(np.median(local, axis=0) / np.maximum(white, 1e-3))
        want.append(LINEAR[np.array(COLOUR_WORDS[str(pieces.pieces[place.piece].colour)], np.uint8)])
    # Only relations between the pieces count: the light's colour is not known here.
    one, other = (np.log(np.array(values, np.float64) + 0.02) for values in (seen, want))
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    return float((one * other).sum() / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-9))


def pose_from_corners(corners: ArrayLike, board: Board, lens: Lens) -> Registration:
    """Pose from the frame line's four corners (4×2 px: top left, top right, bottom right, bottom left).

    Raises BadInput when they are no corners of a board seen from above.
    """
    pixels = np.asarray(corners, np.float64).reshape(-1, 2)
    corners_mm = np.array(board.frame_corners_mm, np.float64)
    pose = None
    if len(pixels) == 4 and cv2.isContourConvex(pixels.astype(np.float32).reshape(-1, 1, 2)):
        pose = solve_plane(corners_mm, pixels, lens)
    if pose is None or _off_mm(pose, pixels, corners_mm) > CORNERS_OFF_MM:
        raise BadInput(
            "these are not the four corners of the board: give top left, top right, bottom right and bottom left "
            "of the frame line"
        )
    return pose


def _off_mm(pose: Registration, pixels: NDArray[np.float64], mm: NDArray[np.float64]) -> float:
    """How far (root mean square, mm) pixels (N×2) lie from where a pose has their points (N×2 mm) on the board."""
    return float(np.sqrt(np.mean(np.sum((pose.locate(pixels) - mm) ** 2, axis=1))))
