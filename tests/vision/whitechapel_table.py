"""Pictures of a table of Letters from Whitechapel, composed from positions of legal games, and what a reader makes of them."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from surfaces import Put, shoot

from companion import boards
from companion.boards import Group
from companion.calibration.training.stickers_composed import Shot, pose
from companion.games.letters_from_whitechapel.names import ID
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.table import Laid
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.reading import Reading, named_by_piece, subject

sys.path.append(str(Path(__file__).parents[1] / "games"))
from whitechapel_games import play

BOARD = boards.load(ID)
PIECES = boards.load_pieces(ID)
_ROOM_MM = 16.0
"""Half of a frame sticker's side with its white border, and a little."""
SLOPPY_MM = 1.3
"""How far at most, along each axis, a piece is laid off the middle of its place."""


def shot(size: tuple[int, int], tilt: float) -> Shot:
    """A camera with a picture of this size (pixels) as near as board and frame stickers all show, tilted (degrees)."""
    stickers = [marker.centre_mm for marker in PIECES.frame_markers.values()]
    corners = np.array([(x + dx, y + dy) for x, y in stickers for dx in (-_ROOM_MM, _ROOM_MM) for dy in (-_ROOM_MM, _ROOM_MM)])
    corners = np.vstack([corners, [(0, 0), (BOARD.size_mm[0], 0), BOARD.size_mm, (0, BOARD.size_mm[1])]])

    def taken(scale: float) -> Shot:
        return Shot(size=size, tilt=tilt, px_per_mm=scale, roll=2.0, blur=0.6, noise=2.0)

    def shows(scale: float) -> bool:
        pixels = pose(BOARD, taken(scale)).project(corners)
        return bool(((pixels > 2) & (pixels < np.array(size) - 3)).all())

    return taken(next(scale for scale in np.arange(6.0, 0.5, -0.01) if shows(float(scale))))


def table(seed: int) -> Position:
    """A position of the legal game of chance with this seed, of a step of the night drawn by chance."""
    phases: dict[str, list[Position]] = {}
    for one in play(Random(seed)):
        phases.setdefault(one.after.position.phase, []).append(one.after.position)
    random = Random(seed)
    return random.choice(phases[random.choice(sorted(phases))])


def put(laid: Laid, shot: Shot, rng: np.random.Generator) -> list[Put]:
    """The pieces of a position: tokens first, then pawns from the farthest to the nearest; each a little off and turned."""
    camera = pose(BOARD, shot)
    eye = (-camera.rotation.T @ camera.translation).ravel()[:2]
    found = [(PIECES.group_of(piece), piece, spot, face) for piece, spot, face in _lying(laid)]
    found.sort(key=lambda one: (one[0].shape == "pawn", -float(np.hypot(*(np.array(BOARD.mm(one[2])) - eye)))))
    offs, turns = rng.uniform(-SLOPPY_MM, SLOPPY_MM, (len(found), 2)), rng.uniform(0, 360, len(found))
    return [
        Put(piece, spot, face, (float(x), float(y)), float(turn))
        for (_, piece, spot, face), (x, y), turn in zip(found, offs, turns, strict=True)
    ]


def _lying(laid: Laid) -> Iterator[tuple[str, str, str | None]]:
    """Piece, place and side that is up of everything on the board."""
    for group in PIECES.groups.values():
        value, spare = laid.to_json()[group.key], list(PIECES.in_group(group.key))
        if group.layout == "by-piece":
            yield from ((piece, entry["hex"], None) for piece, entry in value.items() if entry["hex"])
        elif group.layout == "value" and value is not None:
            yield spare[0].id, next(p.id for p in BOARD.places.values() if p.kind in group.on and p.value == value), None
        elif group.layout == "by-place":
            sides = {side: sum(side in (one.faces or (one.label,)) for one in spare) for side in value.values()}
            for spot, side in sorted(value.items(), key=lambda one: sides[one[1]]):  # the side that all share last
                piece = next(one for one in spare if side in (one.faces or (one.label,)))
                spare.remove(piece)
                yield piece.id, spot, side if piece.faces else None
        elif group.layout == "places":
            yield from ((piece.id, spot, None) for piece, spot in zip(spare, value, strict=False))


def taught(shot: Shot) -> MarkedReader:
    """A reader that was shown the empty board by this camera."""
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens)
    empty = Frame(shoot(BOARD, PIECES, (), shot, 3), 0.0, "made", 0)
    reader.learn(empty, reader.read(empty))
    return reader


def verdicts(reading: Reading, laid: Laid) -> tuple[Counter[str], list[str]]:
    """By group of pieces: pieces read exactly, unknown or surely wrong (said to lie elsewhere, or not at all), and bare places
    called unknown or surely wrong; and a line for each that is not exact."""
    truth, state, found, lines = laid.to_json(), reading.state(BOARD, PIECES), Counter[str](), []
    for group in PIECES.groups.values():
        lies, said = _entries(group, truth[group.key]), _entries(group, state.get(group.key))
        doubts = {key for key in _subjects(group) if subject(key, group) in reading.unknown}
        for key in sorted(lies.keys() | said.keys() | doubts):
            bare = " bare" if key not in lies else ""
            if lies.get(key) == said.get(key) and key not in doubts:
                verdict = "exact"
            else:
                verdict = "wrong" if (key in said and lies.get(key) != said[key]) or key not in doubts else "unknown"
                why = reading.unknown.get(subject(key, group))
                lines.append(f"{group.key}{bare} {verdict} {key}: {lies.get(key)} read {said.get(key)}: {why}")
            found[f"{group.key}{bare} {verdict}"] += 1
    return found, lines


def _entries(group: Group, value: Any) -> Mapping[str, Any]:
    """What is said of a group by piece, or by place: where it lies, which side is up."""
    if group.layout == "by-piece":
        return {piece: entry["hex"] for piece, entry in (value or {}).items() if entry["hex"]}
    if group.layout == "value":
        return {} if value is None else {PIECES.in_group(group.key)[0].id: value}
    return dict(value or {}) if group.layout == "by-place" else dict.fromkeys(value or (), True)


def _subjects(group: Group) -> list[str]:
    """What a doubt may be about: pieces by name, or the places of the group."""
    if named_by_piece(group):
        return [piece.id for piece in PIECES.in_group(group.key)]
    kinds = (*group.on, *group.strays)
    return [*BOARD.of_kind(*kinds), *(place.id for place in BOARD.places.values() if place.kind in kinds)]
