"""Path-traced tables of a made-up copy of Letters from Whitechapel: turned pawns, thin tokens, with stickers on top or without.

``WhitechapelSet`` describes one for ``trace_tables.trace``. The drawings are those of ``whitechapel_print`` and
``whitechapel_tokens``; positions come from whoever plays the games (``tests/vision/whitechapel_traced_tables.py``). A sticker
is a square of paper or card on the middle of a token, or on a pawn's head, beyond which it reaches; heights of pawns and
tokens differ by copy, within what the board file allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.calibration.training.composed import Table, looking
from companion.calibration.training.laid_pieces import Put
from companion.calibration.training.stickers_composed import SCALE
from companion.calibration.training.trace_tables import Json, Set, linear
from companion.calibration.training.whitechapel_copy import BOARD, FORMS, PIECES, Copy, Image
from companion.calibration.training.whitechapel_print import printed
from companion.calibration.training.whitechapel_tokens import FINER, token
from companion.vision.camera import Registration
from companion.vision.marked.registration import sticker_corners

_MARGIN_PX = 6.0
"""How far inside the picture the frame stickers lie at least."""
_STICKER_SCALE = 12.0
"""Pixels a mm of a sticker's drawing."""
_PAPER_MM = 0.25
"""How thick a sticker is."""


@dataclass(frozen=True)
class _Art:
    """What a ``Set`` asks of a copy: its board's print."""

    art: Image


class WhitechapelTable(Table):
    """One camera over one made-up copy."""

    def __init__(self, family: str, seed: int, size: tuple[int, int], tilt: float) -> None:
        """``size``: of the pictures, in pixels; ``tilt``: degrees from straight above."""
        self.look, self._tilt = Copy(family, seed), tilt
        super().__init__(BOARD, PIECES, seed, size, tilt)

    def make_copy(self) -> Any:
        """The print alone: pieces are drawn by what they are."""
        return _Art(printed(self.look))

    def place_camera(self, tilt: float, roll: float, from_side: float) -> Registration:
        """A camera from this tilt, as near as all frame stickers show, and up to a twentieth farther."""
        papers = (replace(one, side_mm=one.side_mm + 2 * one.quiet_mm) for one in PIECES.frame_markers.values())
        corners = np.vstack([sticker_corners(paper) for paper in papers])
        middle, size = np.array([*self.board.size_mm, 0.0]) / 2, np.array(self.size)
        farther = float(self.rng.uniform(1.0, 1.05))
        rotation, looks = looking(self._tilt, roll / 3, from_side)

        def at(distance: float) -> Registration:
            return Registration(self.lens, rotation, (-rotation @ (middle - looks * distance)).reshape(3, 1))

        def shows(distance: float) -> bool:
            seen = at(distance).project(corners)
            return bool(((seen > _MARGIN_PX) & (seen < size - _MARGIN_PX)).all())

        return at(farther * next(distance for distance in np.geomspace(400, 4000, 300) if shows(float(distance))))


class WhitechapelSet(Set):
    """One table of such a copy."""

    table: WhitechapelTable

    @property
    def framed(self) -> bool:
        """An unmodified copy is taught beside its frame stickers as well."""
        return True

    def pieces(self, laid: Sequence[Put]) -> list[Json]:
        """The solids of what lies there: tokens, pawns upon them, and the sticker of each."""
        copy, found, tops = self.table.look, list[Json](), dict[Any, float]()
        thick = float(copy.rng("thickness").uniform(1.6, 2.5))
        for one in sorted(laid, key=lambda one: PIECES.group_of(one.piece).layer):
            group = PIECES.group_of(one.piece)
            x, y = np.array(BOARD.mm(one.at) if isinstance(one.at, str) else one.at) + one.off_mm
            foot = tops.get(one.at, 0.0)
            if group.shape == "pawn":
                top = foot + copy.height(group.key)
                found.append(self._pawn(one, float(x), float(y), foot, top))
            else:
                top = tops[one.at] = foot + thick
                found.append(self._token(one, float(x), float(y), foot, top))
            if self.marked:
                found.append(self._marked(one, float(x), float(y), top))
        return found

    def _pawn(self, one: Put, x: float, y: float, foot: float, top: float) -> Json:
        """A pawn's wood, turned after its family's form."""
        copy, wide = self.table.look, PIECES.group_of(one.piece).size_mm[0] / 2
        profile = [[radius * wide, foot + 0.02 + height * (top - foot - 0.02)] for height, radius in FORMS[copy.look.form]]
        rough = 0.55 - 0.6 * copy.look.glossy
        side = {"colour": linear(one.colour or copy.pawn_colour(one.piece)), "rough": rough, "coat": copy.look.glossy}
        return {"x": x, "y": y, "profile": profile, "side": side}

    def _token(self, one: Put, x: float, y: float, foot: float, top: float) -> Json:
        """A token with its printed face."""
        group, copy = PIECES.group_of(one.piece), self.table.look
        kind = one.face or PIECES.pieces[one.piece].label or group.key
        art = token(copy, group.key, str(kind))[..., :3]
        width, height = group.size_mm
        if width == height:
            around = np.linspace(0, 2 * np.pi, 48, endpoint=False)
            outline = np.column_stack([np.cos(around), np.sin(around)]) * (width / 2 - 0.2)
        else:
            outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2 - 0.2, height / 2 - 0.2)
        face = {"texture": self._texture(f"{group.key}-{kind}", art), **self.tile_look}
        wide = art.shape[1] / (SCALE * FINER)
        return self._flat(one, x, y, outline, (foot + 0.02, top), face, wide) | {"bevel": 0.15}

    def _marked(self, one: Put, x: float, y: float, foot: float) -> Json:
        """The sticker of a piece's upper side."""
        group = PIECES.group_of(one.piece)
        number = next(
            sticker.marker for sticker in PIECES.stickers.values() if one.piece in sticker.pieces and one.face == sticker.face
        )
        image = self._sticker(number, group.marker_mm, group.quiet_mm, _STICKER_SCALE)
        side = group.marker_mm + 2 * group.quiet_mm
        outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
        name = f"sticker-{group.key}-{number}"
        face = {"texture": self._texture(name, image), "rough": float(self.table.look.rng("paper").uniform(0.35, 0.9))}
        return self._flat(one, x, y, outline, (foot, foot + _PAPER_MM), face, side) | {"bevel": 0.02}

    def _flat(
        self, one: Put, x: float, y: float, outline: np.ndarray, heights: tuple[float, float], face: Json, wide: float
    ) -> Json:
        """Something flat that lies turned: ``outline`` about its middle before, ``wide`` mm of drawing on its face."""
        turn = np.radians(one.turn)
        turned = outline @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + (x, y)
        return {
            "x": x,
            "y": y,
            "turn": one.turn,
            "bottom": heights[0],
            "top": heights[1],
            "outline": turned.tolist(),
            "face": face,
            "side": {"colour": [0.5, 0.45, 0.38], "rough": 0.6},
            "face_mm": (wide, wide),
        }
