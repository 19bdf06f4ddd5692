"""A table profile: one readable file with everything needed to start again tomorrow.

JSON, pictures inside as base64: the bare board as JPEG, the taught patches as PNG. ``format`` carries a version; older
versions are brought up to date on reading, newer ones are refused.
"""

import binascii
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion import atomic, bounded
from companion.boards import Board, load, load_pieces
from companion.calibration.card_lessons import cards_from, cards_json
from companion.calibration.migrations import MIGRATIONS, lens_from, lens_json, picture_from, picture_text, pose_from, pose_json
from companion.calibration.pawn_lessons import pawns_from, pawns_json
from companion.errors import BadInput, quoted, stopped_by
from companion.vision.camera import Lens
from companion.vision.cards.faces import CardTeaching
from companion.vision.pawns.looks import PawnTeaching
from companion.vision.place_fit import bound_mm
from companion.vision.plain.exemplars import patch_mm
from companion.vision.plain.reader import Exemplar, Teaching
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.stacks import CLOSE_SCALE

Json = dict[str, Any]
NAME, VERSION = "table-profile", 6
MODES = ("marked", "plain", "cards")
DAMAGE = (
    KeyError, TypeError, ValueError, IndexError, OverflowError, RecursionError, AttributeError, binascii.Error, cv2.error,
)  # fmt: skip
"""What reading a damaged profile may raise."""


@dataclass(frozen=True, eq=False)
class TableProfile:
    """What is known of one table: which board, ``mode`` marked, plain or cards, the lens, and what a plain copy, a deck of
    unmodified cards, or a plain copy of pawns and tokens was taught."""

    board: str
    edition: str
    mode: str
    lens: Lens
    teaching: Teaching | None = None
    note: str = ""
    cards: CardTeaching | None = None
    pawns: PawnTeaching | None = None

    @property
    def taught(self) -> bool:
        """Whether an unmodified copy is known by pictures."""
        return self.teaching is not None or self.pawns is not None

    def check(self, board: Board, size: tuple[int, int] | None = None) -> None:
        """Raises BadInput, one sentence, when the profile is of another board, or of a picture of another shape."""
        if (self.board, self.edition) != (board.id, board.edition):
            raise BadInput(
                f"the profile is of {self.board} ({self.edition}), the game is played on {board.id} "
                f"({board.edition}): teach this table"
            )
        if size is not None and not self.lens.fits(size):
            raise BadInput(
                f"the profile was made with {self.lens.size[0]}x{self.lens.size[1]} pictures, the camera gives "
                f"{size[0]}x{size[1]}: "
                "set the camera to the old shape or calibrate again"
            )

    def save(self, path: Path, beside: Mapping[str, Any] | None = None) -> None:
        """Write the file; a crash half-way leaves the old one. ``beside``: what others keep in the same file."""
        document = {
            **(beside or {}),
            "format": f"{NAME}/{VERSION}", "board": self.board, "edition": self.edition, "mode": self.mode, "note": self.note,
            "lens": lens_json(self.lens), "teaching": None if self.teaching is None else _teaching_json(self.teaching),
            "cards": None if self.cards is None else cards_json(self.cards),
            "pawns": None if self.pawns is None else pawns_json(self.pawns),
        }  # fmt: skip
        try:
            atomic.write(path, json.dumps(document, indent=1) + "\n")
        except OSError as error:
            raise BadInput(f"{path}: cannot be written ({error.strerror})") from error

    @classmethod
    def load(cls, path: Path) -> "TableProfile":
        """Read a file of this or an older version. Raises BadInput naming the file and what is wrong with it."""
        try:
            document = bounded.read_json(path, bounded.BOUNDS.profile)
        except OSError as error:
            raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
        except ValueError as error:
            raise BadInput(f"{path}: is not a table profile (not JSON)") from error
        try:
            document = _up_to_date(document, path)
            _check_numbers({key: document[key] for key in ("lens", "teaching", "cards", "pawns")})
            kept = document["teaching"]
            teaching = None if kept is None else _teaching(kept, document["board"], document["edition"])
            if document["mode"] not in MODES:
                raise ValueError(f"its mode is {quoted(document['mode'])}")
            profile = cls(
                str(document["board"]), str(document["edition"]), str(document["mode"]), lens_from(document["lens"]), teaching,
                str(document.get("note", "")),
                None if document["cards"] is None else cards_from(document["cards"], document["board"], document["edition"]),
                None if document["pawns"] is None else pawns_from(document["pawns"], document["board"], document["edition"]),
            )  # fmt: skip
            _check_lens(profile.lens)
            if teaching is not None:
                _check_teaching(teaching, path)
            if profile.mode == "cards" and profile.cards is None:
                raise ValueError("no card was taught")
            return profile
        except DAMAGE as error:
            raise BadInput(f"{path}: the profile is damaged ({stopped_by(error)})") from error


def _up_to_date(document: Any, path: Path) -> Json:
    name, _, version = str(document.get("format", "") if isinstance(document, dict) else "").partition("/")
    if name != NAME or not version.isdigit():
        raise BadInput(f"{path}: is not a table profile")
    found = int(version)
    if found > VERSION:
        raise BadInput(
            f"{path}: was written by a newer companion (version {found}; this one reads up to {VERSION}): update the companion"
        )
    while found < VERSION:
        if found not in MIGRATIONS:
            raise BadInput(f"{path}: version {found} can no longer be read: teach the table again")
        document = MIGRATIONS[found](document)
        found += 1
    return dict(document)


def _check_numbers(part: Any) -> None:
    """Raises ValueError for a number that is none, or is endless: JSON as Python reads it has them."""
    if isinstance(part, float) and not math.isfinite(part):
        raise ValueError(f"a number in it is {part}")
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _check_numbers(inner)


def _check_lens(lens: Lens) -> None:
    """Raises ValueError for a lens that pictures nothing."""
    if min(lens.size) < 1 or min(lens.matrix[0, 0], lens.matrix[1, 1]) <= 0 or lens.distortion.size not in (4, 5, 8, 12, 14):
        raise ValueError("its lens is none")


def _check_teaching(teaching: Teaching, path: Path) -> None:
    """Raises BadInput, one sentence, for exemplars that no reading can begin with.

    Some pieces may be missing: they can be taught one by one.
    """
    pieces = load_pieces(teaching.board)
    strange = dict.fromkeys(exemplar.piece for exemplar in teaching.exemplars if exemplar.piece not in pieces.pieces)
    if strange:
        raise BadInput(f"{path}: has lessons of {', '.join(strange)}, which this game does not have: teach the table again")
    movable = [piece.id for piece in pieces.in_group(pieces.movable.key)]
    if not any(teaching.of(piece) for piece in movable):
        raise BadInput(f"{path}: lacks the lessons of {', '.join(movable)}: teach the table again")
    settings = PlainSettings()
    _check_lens(teaching.lens)
    turn = teaching.registration.rotation
    if np.abs(turn @ turn.T - np.eye(3)).max() > 0.01 or not 0 < teaching.disc_mm <= settings.surface.patch_mm:
        raise ValueError("its board or its discs are of no size that can be")
    board = load(teaching.board, teaching.edition)
    if any(math.hypot(*shift) > bound_mm(board, kind) for kind, shift in teaching.shifts.items()):
        raise ValueError("its places lie further beside those of the board than any printing has them")
    for exemplar in teaching.exemplars:
        if exemplar.face not in (None, *pieces.pieces[exemplar.piece].faces):
            raise ValueError(f"{exemplar.piece} has no side {quoted(exemplar.face)}")
        side_mm = patch_mm(pieces.group_of(exemplar.piece), settings)
        if max(map(abs, exemplar.offset_mm)) > side_mm / 2:
            raise ValueError(f"the lesson of {exemplar.piece} lies outside its picture")
        for patch, scale in ((exemplar.patch, settings.surface.scale), (exemplar.close, CLOSE_SCALE)):
            side = round(side_mm * scale)
            if patch is not None and patch.shape[:2] != (side, side):
                raise BadInput(
                    f"{path}: the lesson of {exemplar.piece} is a picture of {patch.shape[1]}x{patch.shape[0]} pixels, not of "
                    f"{side}x{side}: teach the table again"
                )


def _teaching_json(teaching: Teaching) -> Json:
    pose = teaching.registration
    return {
        **pose_json(pose), "disc_mm": teaching.disc_mm, "white": teaching.white,
        "shifts": {kind: list(shift) for kind, shift in teaching.shifts.items()},
        "warnings": list(teaching.warnings),
        **({"unturned": list(teaching.unturned)} if teaching.unturned else {}),
        **({"alike": list(teaching.alike)} if teaching.alike else {}),
        "lessons": [
            {
                "piece": exemplar.piece, "place": exemplar.place, "face": exemplar.face, "facing": exemplar.facing,
                "offset_mm": list(exemplar.offset_mm), "png": picture_text(exemplar.patch, ".png"),
                **({} if exemplar.close is None else {"close_png": picture_text(exemplar.close, ".png")}),
                **({"in_play": True} if exemplar.in_play else {}),
            }
            for exemplar in teaching.exemplars
        ],
        "empty_jpg": picture_text(teaching.empty, ".jpg"),
    }  # fmt: skip


def _teaching(data: Json, board: str, edition: str) -> Teaching:
    exemplars = tuple(
        Exemplar(
            entry["piece"], entry["place"], entry["face"], entry["facing"], picture_from(entry["png"]),
            (float(entry["offset_mm"][0]), float(entry["offset_mm"][1])),
            picture_from(entry["close_png"]) if "close_png" in entry else None, bool(entry.get("in_play", False)),
        )
        for entry in data["lessons"]
    )  # fmt: skip
    return Teaching(
        board,
        edition,
        picture_from(data["empty_jpg"]),
        pose_from(data),
        float(data["disc_mm"]),
        exemplars,
        tuple(data["warnings"]),
        float(data["white"]),
        {str(kind): (float(shift[0]), float(shift[1])) for kind, shift in data["shifts"].items()},
        tuple(map(str, data.get("unturned", ()))),
        tuple(map(str, data.get("alike", ()))),
    )
