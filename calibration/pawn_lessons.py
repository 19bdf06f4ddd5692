"""A taught copy of pawns and tokens in a table profile: its pictures, and what lay on the board in them."""

from typing import Any

from companion.boards import load, load_pieces
from companion.calibration.migrations import picture_from, picture_text, pose_from, pose_json
from companion.errors import BadInput
from companion.vision.pawns.looks import PawnTeaching
from companion.vision.plain.start import placements

Json = dict[str, Any]
_MOST_LESSONS = 8
"""Pictures of laid pieces in one profile."""


def pawns_json(teaching: PawnTeaching) -> Json:
    """What was taught, as a profile keeps it."""
    lessons = [{"state": dict(state), "jpg": picture_text(image, ".jpg")} for image, state in teaching.lessons]
    return {**pose_json(teaching.registration), "empty_jpg": picture_text(teaching.empty, ".jpg"), "lessons": lessons}


def pawns_from(data: Json, board: str, edition: str) -> PawnTeaching:
    """A copy from a profile. Raises ValueError for one that no reading can begin with."""
    registration, empty = pose_from(data), picture_from(data["empty_jpg"])
    if not 1 <= len(data["lessons"]) <= _MOST_LESSONS:
        raise ValueError(f"it has {len(data['lessons'])} pictures of laid pieces")
    lessons = []
    for entry in data["lessons"]:
        image, state = picture_from(entry["jpg"]), dict(entry["state"])
        if image.shape != empty.shape or not registration.lens.fits((image.shape[1], image.shape[0])):
            raise ValueError("its pictures are not all of one shape")
        try:
            placements(load(board, edition), load_pieces(board), state)
        except BadInput as error:
            raise ValueError(str(error)) from error
        lessons.append((image, state))
    return PawnTeaching(board, edition, empty, registration, tuple(lessons))
