"""Teaching a plain copy from two pictures: the empty board, and the start position that labels every piece by itself."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import cv2
from numpy.typing import ArrayLike

from companion.boards import Board, PieceSet, Point
from companion.errors import BadInput
from companion.vision.camera import Lens
from companion.vision.faults import FrameSettings, band_shift_px, torn_share
from companion.vision.frame import Frame, Image
from companion.vision.place_fit import bound_mm, fit_places
from companion.vision.plain.discs import DiscFinder
from companion.vision.plain.exemplars import Exemplar, Teaching, covered_discs, cut, labelled, measure_disc, whiteness
from companion.vision.plain.locating import exchanged, locate_empty
from companion.vision.plain.prepared_image import PreparedImage, ReferenceImage
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.start import placements
from companion.vision.plain.start_change import StartChange
from companion.vision.plain.start_check import check_start, prepare_start
from companion.vision.plain.surface import View, pixels_per_mm

Json = Mapping[str, Any]
SMALLEST = (640, 360)
"""Pictures smaller than this cannot show a disc 30 pixels wide together with the whole board."""
MOST_UNEXPECTED = 8
"""5..12: where more places than these seem to have something on them that should be free, the light or something large over the
board is to blame, or the board was not found where it lies."""


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
    left) replaces finding the board. ``lens`` None assumes an ordinary webcam, whose pictures may be squeezed. A side that the
    start position does not show is not claimed until it is learnt from a picture of its own.

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
    lens = None if lens is None else lens.scaled(empty.size)
    movable = pieces.movable  # a game without any is refused before anything else
    put = placements(board, pieces, start_state)
    change = StartChange.between(empty.image, start.image, settings.finder)
    pose = locate_empty(empty.image, start.image, change, board, put, lens, corners, settings, pieces)
    if exchanged(empty.image, start.image, pose, board, put, movable.key):
        raise BadInput(
            "the two pictures are the other way round: the first has to show the empty board, the second the start position"
        )
    density = pixels_per_mm(pose, board)
    smallest = density * movable.size_mm[0]
    if smallest < 20:
        raise BadInput(f"the board is too small in the picture: a disc is {smallest:.0f} pixels wide, at least 30 are needed")
    view = View.of(empty.image, pose, board, settings.surface)
    prepared = prepare_start(view, start.image, board, settings)
    board = board.shifted(fit_places(view.image, pose, board, _laid_beside(prepared, board, pieces, start_state, settings)))
    put = placements(board, pieces, start_state)
    found = check_start(prepared, change, board, pieces, put, movable.height_mm)
    if len(found.unexpected) > MOST_UNEXPECTED:
        some = ", ".join((*found.unexpected[:MOST_UNEXPECTED], "…"))
        raise BadInput(
            f"much of the board looks otherwise in one of the two pictures ({some}): take both in one light, with nothing over "
            "the board"
        )
    discs = [place for place in put if place.group == movable.key and place.piece not in found.missing]
    if not discs:
        raise BadInput("the start picture shows none of the pieces where the start position has them")
    white = whiteness(prepared, discs)
    prepared = PreparedImage(ReferenceImage(view, board, settings.surface, white), prepared.view)
    disc_mm = measure_disc(prepared, discs, movable, settings)
    exemplars: list[Exemplar] = []
    for group in pieces.groups.values():
        mine = [place for place in put if place.group == group.key and place.piece not in found.missing]
        exemplars += cut(prepared, mine, group, settings, disc_mm, labelled(group, pieces))
    covered = tuple(
        f"{place.piece} at {place.place} is covered in the start picture"
        for place in covered_discs(prepared, discs, settings, disc_mm)
    )
    return Teaching(
        board.id, board.edition, view.image, view.registration, disc_mm, tuple(exemplars),
        found.sentences() + covered, white, board.shifts
    )  # fmt: skip


LAID = 0.5
"""0.3..0.7: how much what lies near its place must have changed (0..1) for a round piece to be there."""


def _laid_beside(
    prepared: PreparedImage, board: Board, pieces: PieceSet, start_state: Json, settings: PlainSettings
) -> dict[str, Point]:
    """How far beside its place (mm, as the board file has it) the piece lies that marks a value, by the kind of place."""
    found = {}
    for group in pieces.groups.values():
        if group.layout != "value" or group.shape != "disc":
            continue
        for place in placements(board, replace(pieces, groups={group.key: group}), start_state):
            kind, radius = board.places[place.place].kind, min(group.size_mm) / 2
            reach = bound_mm(board, kind)
            patches = prepared.patches([place.mm], 2 * (reach + radius + 3), group.height_mm)
            finder = DiscFinder(radius, reach, settings.surface.scale, patches.seen.shape[1])
            x, y = finder.locate(patches.seen[0], patches.change[0])
            middle = prepared.patches([(place.mm[0] + x, place.mm[1] + y)], radius, group.height_mm).change
            if patches.inside[0] and float(middle.mean()) >= LAID:
                found[kind] = (float(x), float(y))
    return found


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
    shift = band_shift_px(image)
    if shift:
        raise BadInput(f"the picture of the {name} is torn: a part of it lies {shift} pixels beside its place: take it again")
