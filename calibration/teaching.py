"""Teaching a plain copy, as a guide would: check both pictures, say in plain words what is wrong, show what was understood."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from companion.boards import PAIR, Board, PieceSet
from companion.calibration.board import draw
from companion.calibration.profile import TableProfile
from companion.calibration.repeated_enrolment import ill_seen, learn_sides
from companion.errors import BadInput
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Frame, Image
from companion.vision.plain.reader import PlainReader, Teaching, teach
from companion.vision.plain.start import LaidPiece, other_sides, placements
from companion.vision.plain.surface import Floats, linear, pick


@dataclass(frozen=True, eq=False)
class TeachReport:
    """A taught table: the profile to keep, every doubt as a sentence, and the start picture with the board drawn on it.

    ``ready`` is False when a doubt is such that the pictures should be taken again.
    """

    profile: TableProfile
    sentences: tuple[str, ...]
    overlay: Image
    error_mm: float

    @property
    def ready(self) -> bool:
        """Whether the table can be played on as it was taught."""
        return not self.sentences


def teach_table(
    empty: Frame, start: Frame, board: Board, pieces: PieceSet, start_state: dict[str, Any],
    lens: Lens | None = None, corners: ArrayLike | None = None, others: Frame | None = None,
) -> TeachReport:  # fmt: skip
    """Teach a table and prove it: the start picture is read back with what was learnt, and every difference is said.

    ``others`` shows the position of ``other_sides``, for games whose start position does not show every side.

    Raises BadInput when nothing could be learnt at all.
    """
    if others is not None and other_sides(board, pieces, start_state) is None:
        raise BadInput("the start position of this game shows every side: no third picture is needed")
    teaching = teach(empty, start, board, pieces, lens, start_state, corners)
    board = teaching.fitted(board)
    if others is not None:
        teaching = learn_sides(teaching, others, board, pieces).teaching
    sentences = list(teaching.warnings)
    reader = PlainReader(board, pieces, teaching)
    observation = reader.read(start)
    if observation.registration is None:
        raise BadInput("the start picture does not show the board of the empty picture")
    sentences += [
        f"{piece} lay there already in the picture of the empty board: take that picture again without any piece"
        for piece in _unchanged(start, observation.registration, teaching, placements(board, pieces, start_state), board)
        if not any(words.startswith(f"{piece} is not at") for words in sentences)
    ]
    state = observation.reading.state(board, pieces)
    for key, group in pieces.groups.items():
        want = start_state.get(key)
        if group.layout == "by-piece":
            for piece, entry in (want or {}).items():
                seen = state[key].get(piece)
                sentences += _differing(piece, entry, seen) if seen is not None else ()
        elif group.layout == "by-place":
            expected, found = want or {}, state[key]
            sentences += [
                f"the {group.singular} at {place} was expected to be {expected[place]} but reads {found[place]}"
                for place in sorted(set(expected) & set(found))
                if found[place] != expected[place]
            ]
    sentences += ill_seen(reader, pieces.pieces)
    profile = TableProfile(board.id, board.edition, "plain", teaching.lens, teaching)
    overlay = draw(start.image, observation.registration, board)
    return TeachReport(profile, tuple(dict.fromkeys(sentences)), overlay, teaching.registration.error_mm)


SAME = 0.22
"""Natural logarithm of colour ratio up to which a place looks the same in both pictures: noise and a lamp's unevenness stay
below 0.15, a piece put on bare print changes it by 0.4 and more."""


def _unchanged(start: Frame, now: Registration, teaching: Teaching, put: Sequence[LaidPiece], board: Board) -> tuple[str, ...]:
    """The pieces of the start position whose places look alike in both pictures, the change of light taken out."""
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    disc = np.vstack([[[0.0, 0.0]], *[ring * share for share in (0.25, 0.5, 0.75, 1.0)]])

    def ratio(mm: ArrayLike, height_mm: float) -> Floats:
        before, after = (
            np.log(pick(linear(image), registration.project(mm, height_mm)) + 0.01)
            for image, registration in ((teaching.empty, teaching.registration), (start.image, now))
        )
        return np.asarray(after - before, np.float32)

    used = {cell for place in put for cell in place.place.split(PAIR)}
    bare = [np.asarray(board.mm(cell)) + 8.0 * disc for cell in board.cells if cell not in used]
    light = np.median(ratio(np.vstack(bare), 0.0), axis=0)
    same = []
    for place in put:
        spots = np.asarray(place.mm) + 0.3 * min(place.size_mm) * disc
        if float(np.median(np.abs(ratio(spots, place.height_mm) - light).max(axis=1))) < SAME:
            same.append(place.piece)
    return tuple(same)


def _differing(piece: str, want: dict[str, Any], seen: dict[str, Any]) -> list[str]:
    """In what a piece is not as expected, a sentence for each."""
    told = []
    if seen["hex"] != want["hex"]:
        told.append(f"{piece} was expected at {want['hex']} but is read at {seen['hex']}")
    if seen.get("side") != want.get("side"):
        told.append(f"{piece} was expected to show the side {want.get('side')} but shows {seen.get('side')}")
    if seen.get("facing") != want.get("facing"):
        told.append(f"{piece} was expected to face {want.get('facing')} but faces {seen.get('facing')}")
    return told
