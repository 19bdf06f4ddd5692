"""A taught deck in a table profile: JSON, pictures inside as PNG in base64."""

import base64
from typing import Any

import cv2

from companion.boards import load_pieces
from companion.calibration.migrations import picture_from
from companion.errors import quoted
from companion.vision.cards.faces import FINE, CardTeaching, TaughtFace, deck_faces
from companion.vision.cards.view import HEIGHT, WIDTH

Json = dict[str, Any]
_LEAST_MM, _MOST_MM = 20.0, 200.0
"""What a side of a card may measure."""
_MOST_PRINTS = 200
"""Pictures in one lesson: some prints of each of a few dozen faces."""


def cards_json(teaching: CardTeaching) -> Json:
    """What was taught, as a profile keeps it."""
    return {
        "size_mm": list(teaching.size_mm), "ground": list(teaching.ground),
        "faces": [
            {"face": one.key, "png": base64.b64encode(cv2.imencode(".png", one.picture)[1].tobytes()).decode("ascii")}
            for one in teaching.faces
        ],
    }  # fmt: skip


def cards_from(data: Json, board: str, edition: str) -> CardTeaching:
    """A lesson from a profile. Raises ValueError for one that no reading can begin with."""
    width, height = (float(side) for side in data["size_mm"])
    blue, green, red = (float(level) for level in data["ground"])
    if not (_LEAST_MM <= width <= _MOST_MM and _LEAST_MM <= height <= _MOST_MM):
        raise ValueError("its cards are of no size that can be")
    if not all(1 <= level <= 255 for level in (blue, green, red)):
        raise ValueError("its ground has no colour that can be")
    if not 1 <= len(data["faces"]) <= _MOST_PRINTS:
        raise ValueError(f"it has {len(data['faces'])} pictures of cards")
    known = {face.key for face in deck_faces(load_pieces(board))}
    faces = []
    for entry in data["faces"]:
        if entry["face"] not in known:
            raise ValueError(f"it has a picture of {quoted(entry['face'])}, which is no face of this game's cards")
        picture = picture_from(entry["png"])
        if picture.shape != (HEIGHT * FINE, WIDTH * FINE, 3):
            raise ValueError(f"the picture of {entry['face']} is {picture.shape[1]}x{picture.shape[0]} pixels")
        faces.append(TaughtFace(entry["face"], picture))
    return CardTeaching(board, edition, (width, height), (blue, green, red), tuple(faces))
