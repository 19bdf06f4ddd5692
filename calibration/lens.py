"""The lens: a sheet to print, and intrinsics from a few pictures of it; or a sensible guess from the field of view."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.calibration.pdf import pdf
from companion.calibration.svg import Sheet
from companion.errors import BadInput
from companion.vision.camera import Lens
from companion.vision.frame import Frame

DICTIONARY = "DICT_APRILTAG_36h11"
"""Not the pieces' dictionary: a sheet left on the table must never be read as a piece."""


@dataclass(frozen=True, slots=True)
class SheetSettings:
    """The printed sheet: ``squares`` across and down, their side and their markers' side in mm (A4 landscape)."""

    squares: tuple[int, int] = (8, 5)
    square_mm: float = 32.0
    marker_mm: float = 24.0
    fewest_corners: int = 10
    fewest_pictures: int = 3
    worst_px: float = 3.0


@dataclass(frozen=True, eq=False)
class LensReport:
    """A calibrated lens. ``error_px`` is the root mean square reprojection error, ``per_picture`` that of each used
    picture (by source), ``left_out`` says in a sentence why others were not used."""

    lens: Lens
    error_px: float
    per_picture: tuple[tuple[str, float], ...]
    left_out: tuple[str, ...]


def charuco(settings: SheetSettings | None = None) -> cv2.aruco.CharucoBoard:
    """The sheet as OpenCV knows it; lengths in mm."""
    settings = settings or SheetSettings()
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    return cv2.aruco.CharucoBoard(settings.squares, settings.square_mm, settings.marker_mm, dictionary)


def sheet_svg(settings: SheetSettings | None = None) -> str:
    """The sheet to print at 100 % on A4, with a ruler to check the printer by."""
    return lens_sheet(settings).svg()


def sheet_pdf(settings: SheetSettings | None = None) -> bytes:
    """The same sheet as PDF."""
    return pdf([lens_sheet(settings)])


def lens_sheet(settings: SheetSettings | None = None) -> Sheet:
    """The sheet, ready to be written as SVG or PDF."""
    settings = settings or SheetSettings()
    board = charuco(settings)
    across, down = settings.squares
    sheet = Sheet(297.0, 210.0, "Lens sheet")
    left, top = (297 - across * settings.square_mm) / 2, (190 - down * settings.square_mm) / 2
    for row in range(down):
        for column in range(across):
            if (row + column) % 2 == 0:
                sheet.rectangle(
                    left + column * settings.square_mm, top + row * settings.square_mm, settings.square_mm, settings.square_mm
                )
    ids = np.asarray(board.getIds()).reshape(-1)
    for marker, corners in zip(ids, board.getObjPoints(), strict=True):
        x, y = np.asarray(corners).reshape(-1, 3)[0, :2]
        sheet.marker(DICTIONARY, int(marker), left + float(x), top + float(y), settings.marker_mm)
    sheet.ruler(left, 200.0)
    sheet.text(
        left + 120, 200.0, "Print at 100 %. Glue to something flat. Show it to the camera tilted, near, far and in the corners."
    )
    return sheet


def calibrate_lens(frames: Sequence[Frame], settings: SheetSettings | None = None) -> LensReport:
    """Intrinsics from pictures of the sheet (three to ten, tilted differently, all of one size).

    Raises BadInput when too few pictures show enough of it, sizes differ, or the pictures contradict each other.
    """
    settings = settings or SheetSettings()
    if not frames:
        raise BadInput("no pictures of the lens sheet were given")
    size = frames[0].size
    board = charuco(settings)
    detector = cv2.aruco.CharucoDetector(board)
    objects: list[NDArray[np.float32]] = []
    images: list[NDArray[np.float32]] = []
    names, left_out = [], []
    for frame in frames:
        if frame.size != size:
            raise BadInput(
                f"{frame.source} is {frame.size[0]}x{frame.size[1]}, the first picture {size[0]}x{size[1]}: take all alike"
            )
        corners, ids = detector.detectBoard(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY))[:2]
        count = 0 if ids is None else len(np.asarray(ids).reshape(-1))
        if count < settings.fewest_corners:
            left_out.append(
                f"{frame.source}: only {count} corners of the sheet are in sight, {settings.fewest_corners} are needed"
            )
            continue
        solid, flat = board.matchImagePoints(corners, ids)  # type: ignore[call-overload]  # stubs want lists, it takes arrays
        objects.append(np.asarray(solid, np.float32).reshape(-1, 1, 3))
        images.append(np.asarray(flat, np.float32).reshape(-1, 1, 2))
        names.append(frame.source)
    if len(objects) < settings.fewest_pictures:
        raise BadInput(
            f"{len(objects)} pictures show enough of the lens sheet, {settings.fewest_pictures} are needed"
            + "".join(f"; {why}" for why in left_out)
        )
    guess = Lens.guess(size).matrix
    error, matrix, distortion, rotations, translations = cv2.calibrateCamera(
        objects, images, size, guess.copy(), np.zeros(5), flags=cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_K3
    )
    if not np.isfinite(error) or error > settings.worst_px:
        raise BadInput(f"the pictures of the sheet contradict each other ({error:.1f} px left over): is the sheet flat?")
    lens = Lens(np.asarray(matrix, np.float64), np.asarray(distortion, np.float64).reshape(-1)[:5], size)
    single = []
    for name, solid, flat, rotation, translation in zip(names, objects, images, rotations, translations, strict=True):
        again, _ = cv2.projectPoints(solid, rotation, translation, lens.matrix, lens.distortion)
        gap = np.asarray(again).reshape(-1, 2) - flat.reshape(-1, 2)
        single.append((name, float(np.sqrt((gap**2).sum(axis=1).mean()))))
    return LensReport(lens, float(error), tuple(single), tuple(left_out))
