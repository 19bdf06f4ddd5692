"""Teaching a plain copy from two pictures: the empty board, and the start position that labels every piece by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.boards import PAIR, Board, PieceSet
from companion.errors import BadInput
from companion.vision.camera import Lens, Registration
from companion.vision.faults import FrameSettings, torn_share
from companion.vision.frame import Frame, Image
from companion.vision.plain.finder import change_map, fit_lattice, lattice_contrast, pose_from_start
from companion.vision.plain.lessons import Lesson, Teaching, cut, labelled, measure_disc, whiteness
from companion.vision.plain.scene import Scene, Sheet
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.start import Placement, placements
from companion.vision.plain.surface import LINEAR, View, pick, pixels_per_mm
from companion.vision.plain.tracking import Tracker, solve_plane

Json = Mapping[str, Any]
BARE = 0.3
"""0.2..0.5: share by which a place must differ from the bare board, so that something lies there."""
CORNERS_OFF_MM = 30.0
"""25..40 mm (root mean square) by which no pose may fit four points that are said to be the board's corners. A camera of 90
degrees across that is taken for an ordinary one leaves 26 of a board 60 degrees askew; four points on a narrow stripe 85."""
SMALLEST = (640, 360)
"""Pictures smaller than this cannot show a disc 30 pixels wide together with the whole board."""


def teach(
    empty: Frame,
    start: Frame,
    board: Board,
    pieces: PieceSet,
    lens: Lens | None,
    start_state: Json,
    corners: ArrayLike | None = None,
    settings: PlainSettings | None = None,
) -> Teaching:
    """Learn a copy. ``corners`` (4×2 px in the empty picture: the frame line's top left, top right, bottom right, bottom
    left) replaces finding the board. ``lens`` None assumes an ordinary webcam. A side that the start position does not
    show is not claimed until it is learnt from a picture of its own.

    Raises BadInput, in one sentence, for pictures too small or unlike each other, a board that is not found, a start
    picture without the start position.
    """
    settings = settings or PlainSettings()
    for frame, name in ((empty, "empty board"), (start, "start position")):
        check_picture(frame.image, name)
    if empty.size != start.size:
        raise BadInput(
            f"the picture of the empty board is {empty.size[0]}x{empty.size[1]} pixels, that of the start position "
            f"{start.size[0]}x{start.size[1]}: take both with the same camera settings"
        )
    lens = Lens.guess(empty.size) if lens is None else lens.scaled(empty.size)
    put = placements(board, pieces, start_state)
    pose = locate_empty(empty.image, start.image, board, put, lens, corners, settings, pieces)
    density = pixels_per_mm(pose, board)
    walkers = pieces.walkers
    smallest = density * walkers.size_mm[0]
    if smallest < 20:
        raise BadInput(f"the board is too small in the picture: a disc is {smallest:.0f} pixels wide, at least 30 are needed")
    view = View.of(empty.image, pose, board, settings.surface)
    scene = start_scene(view, start.image, board, settings)
    found = check_start(scene, board, pieces, put, walkers.height_mm)
    discs = [place for place in put if place.group == walkers.key and place.piece not in found.missing]
    if not discs:
        raise BadInput("the start picture shows none of the pieces where the start position has them")
    white = whiteness(scene, discs)
    scene = Scene(Sheet(view, board, settings.surface, white), scene.view)
    disc_mm = measure_disc(scene, discs, walkers, settings)
    lessons: list[Lesson] = []
    for group in pieces.groups.values():
        mine = [place for place in put if place.group == group.key and place.piece not in found.missing]
        lessons += cut(scene, mine, group, settings, disc_mm, labelled(group, pieces))
    return Teaching(board.id, board.edition, view.image, view.registration, disc_mm, tuple(lessons), found.sentences(), white)


def looks_bare(scene: Scene, place: Placement) -> bool:
    """Whether a place looks bare where a piece should lie."""
    return float(scene.patches([place.mm], min(place.size_mm) * 0.7, place.height_mm).change.mean()) < BARE


def check_picture(image: Image, name: str) -> None:
    """Raises BadInput for a picture that cannot show a board: too small, black, white, one flat colour, or torn."""
    height, width = image.shape[:2]
    if width < SMALLEST[0] or height < SMALLEST[1]:
        raise BadInput(
            f"the picture of the {name} is only {width}x{height} pixels; at least {SMALLEST[0]}x{SMALLEST[1]} are needed"
        )
    # Every picture that is read passes here: a sample of it, evened out, shows as much of these faults as all of it.
    sampled = cv2.resize(image, (640, 360), interpolation=cv2.INTER_NEAREST)
    small = cv2.resize(sampled, (64, 36), interpolation=cv2.INTER_AREA)
    if small.max() < 24:
        raise BadInput(f"the picture of the {name} is black: is the lens covered, or the light off?")
    if small.min() > 235:
        raise BadInput(f"the picture of the {name} is white: lower the exposure")
    if float(small.std()) < 3:
        raise BadInput(f"the picture of the {name} shows one flat colour and no board")
    torn = torn_share(image)
    if torn > FrameSettings().torn_share:
        raise BadInput(f"the picture of the {name} is torn: its lower {round(100 * torn)} % did not arrive: take it again")


def locate_empty(
    empty: Image,
    start: Image,
    board: Board,
    put: Sequence[Placement],
    lens: Lens,
    corners: ArrayLike | None,
    settings: PlainSettings,
    pieces: PieceSet,
) -> Registration:
    """Where the board lies in the empty picture. Raises BadInput when it cannot be told."""
    if corners is not None:
        pose = pose_from_corners(corners, board, lens)
        return fit_lattice(empty, pose, board, settings.finder)
    factor = min(1.0, settings.finder.width / empty.shape[1])
    small = [cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) for picture in (empty, start)]
    size = small[0].shape[1], small[0].shape[0]
    small[1] = _aligned(small[0], small[1])
    change = change_map(np.asarray(small[0], np.uint8), np.asarray(small[1], np.uint8), settings.finder)
    found = pose_from_start(change, lens.scaled(size), board, put, settings.finder)
    if found is None or found[1] < settings.finder.enough:
        raise BadInput(
            "the start position was not found: between the two pictures the pieces of the start position, and nothing else, "
            "must have been put on the board, and the whole board must be in both pictures"
        )
    # A board may look much the same from the other side.
    fits = []
    for guess in (found[0], _half_turn(found[0], board)):
        coarse = Registration(lens, guess.rotation, guess.translation)
        pose = fit_lattice(empty, coarse, board, settings.finder)
        if lattice_contrast(empty, pose, board) < lattice_contrast(empty, coarse, board):
            pose = coarse
        small_pose = Registration(guess.lens, pose.rotation, pose.translation)
        colours = colour_fit(small[0], small[1], small_pose, put, pieces)
        fits.append((colours - ODD_WEIGHS * _odd_places(empty, start, pose, board, pieces, put, settings), pose))
    (likelier, pose), (other, _) = sorted(fits, key=lambda fit: -fit[0])
    if likelier - other < ODD_WEIGHS:
        raise BadInput(
            "which way round the board lies cannot be told: the start position looks much the same from the other side; put "
            "every piece where it belongs, or give the four corners of the frame line"
        )
    return pose


def _odd_places(
    empty: Image,
    start: Image,
    pose: Registration,
    board: Board,
    pieces: PieceSet,
    put: Sequence[Placement],
    settings: PlainSettings,
) -> int:
    """How many places do not show what the start position has there, if the board lies as ``pose`` says."""
    try:
        scene = start_scene(View.of(empty, pose, board, settings.surface), start, board, settings)
    except BadInput:
        return len(put)
    found = check_start(scene, board, pieces, put, pieces.walkers.height_mm)
    return len(found.missing) + len(found.unexpected)


def _half_turn(pose: Registration, board: Board) -> Registration:
    """The pose with the board turned by 180° about the middle of its cells."""
    x, y = np.mean([board.mm(cell) for cell in board.cells], axis=0)
    shift = pose.rotation @ np.array([[2 * x], [2 * y], [0.0]])
    return Registration(pose.lens, pose.rotation @ np.diag([-1.0, -1.0, 1.0]), pose.translation.reshape(3, 1) + shift)


ODD_WEIGHS = 0.4
"""0.2..0.6: how much one place that is not as the start position has it counts, against how well the pieces' colours fit (-1
to 1), when it is told which way round a board lies: other printings change colours, not places. By less than one such place
nothing is told. Of 20 made-up copies the right way round had one such place at most, the other way at least four."""
COLOUR_WORDS = {
    "red": (40, 35, 190), "brown": (40, 70, 110), "yellow": (50, 200, 225), "blue": (170, 90, 40), "green": (60, 130, 50),
    "black": (45, 42, 40), "purple": (130, 50, 100), "orange": (40, 130, 230), "white": (235, 235, 235),
    "grey": (130, 130, 130), "pink": (180, 130, 230),
}  # fmt: skip
"""What a colour's name roughly means, BGR. Good for telling red from blue, not for reading pieces."""


def colour_fit(
    empty: NDArray[Any], start: NDArray[Any], pose: Registration, put: Sequence[Placement], pieces: PieceSet
) -> float:
    """How well the pieces' names of colours fit what lies where the start position has them: -1 (not at all) to 1."""
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
    """Pose from the frame line's four corners (px). Raises BadInput when they are no corners of a board seen from above."""
    pixels = np.asarray(corners, np.float64).reshape(-1, 2)
    left, top, right, bottom = board.frame_mm
    corners_mm = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
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


def _aligned(reference: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """The other picture brought over the reference, if the camera was nudged between them."""
    sift = cv2.SIFT_create(nfeatures=800)  # type: ignore[attr-defined]  # missing in the stubs
    points, descriptors = [], []
    for picture in (reference, other):
        grey = cv2.createCLAHE(4.0, (8, 8)).apply(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        found, described = sift.detectAndCompute(grey, None)
        if described is None or len(found) < 30:
            return other
        points.append(np.array([point.pt for point in found], np.float32))
        descriptors.append(described)
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(descriptors[1], descriptors[0], k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.75 * pair[1].distance]
    if len(good) < 20:
        return other
    source, target = points[1][[m.queryIdx for m in good]], points[0][[m.trainIdx for m in good]]
    if float(np.median(np.linalg.norm(source - target, axis=1))) < 0.7:
        return other
    matrix, inliers = cv2.findHomography(source, target, cv2.USAC_MAGSAC, 2.0)
    if matrix is None or inliers is None or int(inliers.sum()) < 20:
        return other
    size = reference.shape[1], reference.shape[0]
    return np.asarray(cv2.warpPerspective(other, matrix, size, borderMode=cv2.BORDER_REPLICATE))


def start_scene(view: View, start: Image, board: Board, settings: PlainSettings, white: float = 1.0) -> Scene:
    """The start picture prepared against the empty one (``white``: see ``Teaching``). Raises BadInput when it does not show
    the board."""
    factor = view.image.shape[1] / start.shape[1]
    image = (
        start
        if factor == 1
        else np.asarray(cv2.resize(start, (view.image.shape[1], view.image.shape[0]), interpolation=cv2.INTER_AREA), np.uint8)
    )
    tracker = Tracker(view, board, settings.track, settings.surface)
    pose = tracker.follow(image, view.registration.lens, view.registration)
    if pose is None:
        raise BadInput("the start picture does not show the board of the empty picture")
    sheet = Sheet(view, board, settings.surface, white)
    return Scene(sheet, View(image, pose))


@dataclass(frozen=True)
class StartCheck:
    """How a start picture differs from the start position: pieces not seen at their place, places where something else lies."""

    missing: tuple[str, ...]
    missing_places: tuple[str, ...]
    unexpected: tuple[str, ...]

    def sentences(self) -> tuple[str, ...]:
        """One plain sentence per difference."""
        gone = tuple(
            f"{piece} is not at {place}: it is missing in the start picture, or was there already in the empty one"
            for piece, place in zip(self.missing, self.missing_places, strict=True)
        )
        return gone + tuple(f"something lies at {place}, where the start position has nothing" for place in self.unexpected)


def check_start(scene: Scene, board: Board, pieces: PieceSet, put: Sequence[Placement], height_mm: float) -> StartCheck:
    """Compare a start picture with the start position, place by place, by what changed against the empty board."""
    missing = [place for place in put if looks_bare(scene, place)]
    used = {cell for place in put for cell in place.place.split(PAIR)}
    free = [cell for group in pieces.groups.values() for cell in sorted(board.of_kind(*group.on)) if cell not in used]
    free += [place.id for place in board.places.values() if place.id not in used]
    free = list(dict.fromkeys(free))
    centres = [board.mm(spot) for spot in free]
    unexpected = []
    if centres:
        # A shadow darkens without changing colours; a piece covers the whole middle.
        middle = scene.patches(centres, 14.0, 2.0).change.mean(axis=(1, 2))
        whole = scene.patches(centres, 26.0, height_mm).change.mean(axis=(1, 2))
        unexpected = [spot for spot, a, b in zip(free, middle, whole, strict=True) if min(a, b) > 0.75]
    return StartCheck(tuple(p.piece for p in missing), tuple(p.place for p in missing), tuple(unexpected))
