"""Bringing table profiles of older versions up to date, one version at a time: functions of the whole JSON document."""

import base64
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np

from companion import boards
from companion.errors import BadInput
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Image
from companion.vision.pictures.decoding import decode
from companion.vision.pictures.files import WHOLE
from companion.vision.place_fit import fit_places
from companion.vision.plain.exemplars import WHITE
from companion.vision.plain.prepared_image import ReferenceImage
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.surface import View

Json = dict[str, Any]
BURNT_STREET = 0.7
"""Streets darker than this (share of white) let version 1 cut off the light parts of the pieces."""


def lens_from(data: Json) -> Lens:
    """A lens as a profile keeps it."""
    matrix = np.array(data["matrix"], np.float64).reshape(3, 3)
    return Lens(matrix, np.array(data["distortion"], np.float64).reshape(-1), (int(data["size"][0]), int(data["size"][1])))


def lens_json(lens: Lens) -> Json:
    """The same the other way."""
    distortion = np.asarray(lens.distortion).reshape(-1).tolist()
    return {"matrix": lens.matrix.tolist(), "distortion": distortion, "size": list(lens.size)}


def pose_json(pose: Registration) -> Json:
    """A registration with its lens, as a profile keeps both."""
    turn, shift = pose.rotation.tolist(), pose.translation.reshape(-1).tolist()
    return {"pose": {"rotation": turn, "translation": shift, "error_mm": pose.error_mm}, "lens": lens_json(pose.lens)}


def picture_text(image: Image, kind: str) -> str:
    """A picture as base64, of one kind of file (".jpg", ".png")."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, 96] if kind == ".jpg" else []
    _, data = cv2.imencode(kind, image, quality)
    return base64.b64encode(data.tobytes()).decode("ascii")


def pose_from(data: Json) -> Registration:
    """The registration of a profile's taught picture."""
    pose = data["pose"]
    return Registration(
        lens_from(data["lens"]), np.array(pose["rotation"], np.float64).reshape(3, 3),
        np.array(pose["translation"], np.float64).reshape(3, 1), float(pose["error_mm"]),
    )  # fmt: skip


def picture_from(text: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A picture out of its base64. Raises ValueError when it cannot be decoded."""
    try:
        return decode(base64.b64decode(text, validate=True), "a picture in it", WHOLE).image
    except BadInput as error:
        raise ValueError(str(error)) from error


def _white_is_the_brightest_print(document: Json) -> Json:
    """Version 1 kept pieces as shares of the streets' brightness, version 2 as shares of the brightest print's.

    On light streets that is nearly the same. On dark ones every piece was kept too bright, and its light parts cut off: those
    cannot be brought back, so the table says that it should be taught again.
    """
    teaching = document.get("teaching")
    if teaching is None:
        return {**document, "format": "table-profile/2"}
    board = boards.load(document["board"], document["edition"])
    view = View(picture_from(teaching["empty_jpg"]), pose_from(teaching))
    street = ReferenceImage(view, board, PlainSettings().surface).street.reshape(3)
    exemplars = [{**exemplar, "png": _darker(exemplar["png"], street)} for exemplar in teaching["lessons"]]
    warnings = list(teaching["warnings"])
    if float(street.min()) < BURNT_STREET:
        warnings.append("this dark board was taught by an older companion: teach it again to read its light pieces surely")
    return {**document, "format": "table-profile/2", "teaching": {**teaching, "lessons": exemplars, "warnings": warnings}}


def _darker(png: str, street: np.ndarray[Any, np.dtype[np.float32]]) -> str:
    """A patch (square-root coded, see Exemplar) with every channel's reflectance times that of the streets."""
    reflectance = (picture_from(png).astype(np.float32) / 255) ** 2 * WHITE * street
    coded = np.clip(np.sqrt(np.clip(reflectance / WHITE, 0, 1)) * 255 + 0.5, 0, 255).astype(np.uint8)
    return base64.b64encode(cv2.imencode(".png", coded)[1].tobytes()).decode("ascii")


def _pieces_may_be_the_brightest(document: Json) -> Json:
    """Version 2 took the brightest print for white even where pieces are brighter; its pieces were kept so."""
    teaching = document.get("teaching")
    return {
        **document, "format": "table-profile/3", "teaching": None if teaching is None else {**teaching, "white": 1.0},
    }  # fmt: skip


def _places_are_fitted(document: Json) -> Json:
    """Version 3 had the places beside the cells where the board file has them; the bare board shows where they are."""
    teaching = document.get("teaching")
    if teaching is not None:
        board = boards.load(document["board"], document["edition"])
        shifts = fit_places(picture_from(teaching["empty_jpg"]), pose_from(teaching), board)
        teaching = {**teaching, "shifts": {kind: list(shift) for kind, shift in shifts.items()}}
    return {**document, "format": "table-profile/4", "teaching": teaching}


def _cards_are_taught(document: Json) -> Json:
    """Version 4 knew no decks of cards."""
    return {**document, "format": "table-profile/5", "cards": None}


def _pawns_are_taught(document: Json) -> Json:
    """Version 5 knew no unmodified copies of pawns and tokens."""
    return {**document, "format": "table-profile/6", "pawns": None}


MIGRATIONS: Mapping[int, Callable[[Json], Json]] = MappingProxyType(
    {
        1: _white_is_the_brightest_print,
        2: _pieces_may_be_the_brightest,
        3: _places_are_fitted,
        4: _cards_are_taught,
        5: _pawns_are_taught,
    }
)
"""From version n to n + 1."""
