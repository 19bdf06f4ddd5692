"""A compositor: pictures of a made-up marked table, with their truth. Own simple art, real marker bitmaps, a lens, a light.

Used by the tests of the marked mode and by whoever wants more of them: ``compose(description)`` gives picture and truth.
"""

from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any
from zlib import crc32

import cv2
import numpy as np

from companion.boards import PAIR, Board, PieceSet
from companion.calibration.training.board_art import draw_cell, face_colour, face_pattern
from companion.vision.camera import Lens, Registration
from companion.vision.marked.placing import direction_angles

SCALE = 4  # canvas pixels a millimetre
MARGIN = 110  # table around the board, mm
State = dict[str, Any]


@dataclass(frozen=True)
class Shot:
    """How one picture is taken. Angles in degrees, light as factors, noise in grey levels, blur in pixels.

    ``slid_mm``: how far (board x, y) the board was pushed over the table after its frame stickers were laid; the camera and the
    stickers stay, and the board lies over what it was pushed onto."""

    size: tuple[int, int] = (1920, 1080)
    tilt: float = 20.0
    azimuth: float = 0.0
    roll: float = 3.0
    px_per_mm: float = 2.0
    shift_px: tuple[float, float] = (0.0, 0.0)
    aside_mm: tuple[float, float] = (0.0, 0.0)
    slid_mm: tuple[float, float] = (0.0, 0.0)
    distortion: tuple[float, ...] = (-0.07, 0.02, 0.0004, -0.0003, 0.0)
    exposure: float = 1.0
    slope: tuple[float, float] = (0.2, 0.1)
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    vignette: float = 0.25
    noise: float = 2.0
    blur: float = 0.6
    quality: int = 88
    seed: int = 0


@dataclass(frozen=True)
class Scene:
    """A table: art seed, state in a position's own keys, where each piece lies exactly (drawn from the seed).

    ``beside``: pieces off the board, each with the face that is up and where it lies (board mm). ``tiles``: which tile lies
    at a place, where that matters. With ``steady`` a piece lies the same way in every scene as long as it stays there.
    ``shadow``: the share of the light that a disc takes from what lies at its foot, as under a wide lamp; it fades over
    ``shadow_mm``.
    """

    board: Board
    pieces: PieceSet
    state: State
    art: int = 0
    jitter: int = 0
    tolerance_mm: float = 0.9
    sloppy_mm: float = 4.5
    tile_colour: tuple[int, int, int] = (90, 190, 235)
    cover_colour: tuple[int, int, int] = (150, 155, 150)
    extras: tuple[tuple[str, tuple[float, float, float, float]], ...] = field(default=())
    beside: tuple[tuple[str, str | None, tuple[float, float]], ...] = ()
    tiles: tuple[tuple[str, str], ...] = ()
    steady: bool = False
    specks: int = 700
    shadow: float = 0.0
    shadow_mm: float = 6.0


def pose(board: Board, shot: Shot) -> Registration:
    """A camera over the board's middle: tilted, turned about the board's normal, at the distance that gives the scale."""
    width, height = shot.size
    focal = 0.85 * width
    matrix = np.array(
        [[focal, 0, (width - 1) / 2 + shot.shift_px[0]], [0, focal, (height - 1) / 2 + shot.shift_px[1]], [0, 0, 1]]
    )
    lens = Lens(matrix, np.array(shot.distortion, np.float64), shot.size)
    turn = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(shot.azimuth)]))[0]
    tip = cv2.Rodrigues(np.array([np.radians(shot.tilt), 0.0, 0.0]))[0]
    roll = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(shot.roll)]))[0]
    rotation = roll @ tip @ turn
    middle = np.array([board.size_mm[0] / 2, board.size_mm[1] / 2, 0.0])
    translation = np.array([*shot.aside_mm, focal / shot.px_per_mm]) - rotation @ (middle - (*shot.slid_mm, 0.0))
    return Registration(lens, rotation, translation.reshape(3, 1))


def random_state(board: Board, pieces: PieceSet, rng: np.random.Generator, gone: int = 0, under: bool = False) -> State:
    """A position at random; ``gone`` labelled tiles are missing; with ``under`` a disc stands on a covered place."""

    def spots(group: str) -> list[str]:
        kinds = pieces.groups[group].on
        return sorted([*board.of_kind(*kinds), *(p.id for p in board.places.values() if p.kind in kinds)])

    lamps = list(pieces.in_group("gaslights"))[gone:]
    covers = [str(s) for s in rng.choice(spots("covers"), 2, replace=False)]
    free = [spot for spot in spots("characters") if spot not in covers]
    cast = pieces.in_group("characters")
    cells = [str(s) for s in rng.choice(free, len(cast), replace=False)]
    if under:
        cells[int(rng.integers(len(cells)))] = covers[0]
    return {
        "characters": {
            piece.id: {"hex": cell, "side": str(rng.choice(piece.faces))}
            | ({"facing": str(rng.choice(board.directions))} if piece.facing else {})
            for piece, cell in zip(cast, cells, strict=True)
        },
        "gaslights": {
            str(spot): lamp.label
            for spot, lamp in zip(rng.choice(spots("gaslights"), len(lamps), replace=False), lamps, strict=True)
        },
        "covers": sorted(covers),
        "cordons": sorted(str(s) for s in rng.choice(spots("cordons"), 2, replace=False)),
        "turn": int(rng.integers(1, 9)),
    }


EMPTY: State = {"characters": {}, "gaslights": {}, "covers": [], "cordons": [], "turn": None}


def compose(scene: Scene, shot: Shot) -> np.ndarray:
    """The picture (H×W×3 BGR) of a scene."""
    registration = pose(scene.board, shot)
    image, rng = _bare(scene, shot, registration)
    for piece, face, mm in scene.beside:
        _lay(image, scene, registration, _hand(scene, piece, mm) or rng, (piece, mm, face, None))
    for piece, spot, face, facing in _laid(scene):
        _lay(image, scene, registration, _hand(scene, piece, spot) or rng, (piece, spot, face, facing))
    for kind, box in scene.extras:
        _extra(image, registration, kind, box)
    return develop(image, shot)


_BARE: list[tuple[Any, np.ndarray, np.random.Generator]] = []


def _bare(scene: Scene, shot: Shot, registration: Registration) -> tuple[np.ndarray, np.random.Generator]:
    """The board with its frame stickers and nothing on it, and the chance by which pieces are laid; the last few are kept."""
    board, pieces = scene.board, scene.pieces
    camera = replace(
        shot, exposure=1.0, slope=(0.0, 0.0), tint=(1.0, 1.0, 1.0), vignette=0.0, noise=0.0, blur=0.0, quality=0, seed=0
    )
    drawn = board.id, board.edition, board.size_mm, scene.art, scene.specks
    made = drawn, pieces.dictionary, dict(pieces.frame_markers), scene.tolerance_mm, scene.jitter, camera
    found = next((kept for kept in _BARE if kept[0] == made), None)
    if found is None:
        rng = np.random.default_rng(scene.jitter)
        canvas = _table(board, scene.art, scene.specks).copy()
        _draw_stickers(canvas, scene, rng, shot.slid_mm)
        found = made, warp(canvas, registration, -MARGIN, -MARGIN, 0.0, None), rng
        _BARE.append(found)
        del _BARE[:-2]
    return found[1].copy(), deepcopy(found[2])


def _hand(scene: Scene, piece: str, spot: object) -> np.random.Generator | None:
    """Where exactly a piece lies on a steady table: drawn for this piece at this place alone."""
    return np.random.default_rng([scene.jitter, crc32(f"{piece} {spot}".encode())]) if scene.steady else None


def _laid(scene: Scene) -> list[tuple[str, str, str | None, str | None]]:
    """Every piece with its place, face and facing: tiles before strips, discs last."""
    state, pieces = scene.state, scene.pieces
    laid: list[tuple[str, str, str | None, str | None]] = []
    used, named = {piece for piece, _, _ in scene.beside}, dict(scene.tiles)
    for group in pieces.groups.values():
        value, mine = state.get(group.key), [piece for piece in pieces.in_group(group.key) if piece.id not in used]
        if not value:
            continue
        if group.layout == "by-piece":
            laid += [(name, entry["hex"], entry.get("side"), entry.get("facing")) for name, entry in value.items()]
        elif group.layout == "lone":
            laid.append((mine[0].id, value["hex"], value.get("side"), None))
        elif group.layout == "value":
            laid.append((mine[0].id, f"{group.on[0]}-{value}", None, None))
        elif group.layout == "by-place":
            for spot, label in sorted(value.items(), key=lambda entry: entry[1] == _COMMON):
                free = [p for p in reversed(mine) if spot in named or p.id not in named.values()]
                piece = next(p for p in free if label in (p.faces or (p.label,)) and named.get(spot, p.id) == p.id)
                mine.remove(piece)
                laid.append((piece.id, spot, str(label) if piece.faces else None, None))
        else:
            spots = [PAIR.join(spot) if isinstance(spot, list) else spot for spot in value]
            laid += [(piece.id, spot, None, None) for piece, spot in zip(mine, spots, strict=False)]
    return sorted(laid, key=lambda entry: _LAYERS[pieces.group_of(entry[0]).shape])


_LAYERS = {"hexagon": 0, "strip": 1, "disc": 2}
_COMMON = "park"
"""The face that every double-sided tile has on its back: laid last, from what is left."""


_TABLES: dict[tuple[str, str, int, int], np.ndarray] = {}


def _table(board: Board, art: int, specks: int) -> np.ndarray:
    """The bare board on its table, made up from a seed; the last few are kept."""
    key = (board.id, board.edition, art, specks)
    if key not in _TABLES:
        if len(_TABLES) > 2:
            _TABLES.pop(next(iter(_TABLES)))
        _TABLES[key] = _draw_table(board, art, specks)
    return _TABLES[key]


def _draw_table(board: Board, art: int, specks: int) -> np.ndarray:
    rng = np.random.default_rng(art + 100)
    size = (int((board.size_mm[1] + 2 * MARGIN) * SCALE), int((board.size_mm[0] + 2 * MARGIN) * SCALE))
    wood = rng.uniform(40, 190, 3)
    grain = cv2.resize(rng.normal(0, 14, (size[0] // 6, 40)).astype(np.float32), size[::-1], interpolation=cv2.INTER_CUBIC)
    canvas = np.clip(wood + grain[..., None], 0, 255).astype(np.uint8)

    def at(mm: Any) -> tuple[int, int]:
        return int((mm[0] + MARGIN) * SCALE), int((mm[1] + MARGIN) * SCALE)

    ground, street = (tuple(int(v) for v in rng.integers(60, 150, 3)), tuple(int(v) for v in rng.integers(150, 215, 3)))
    cv2.rectangle(canvas, at((0, 0)), at(board.size_mm), ground, -1)
    for _ in range(specks):  # scattered art
        x, y = rng.uniform(0, board.size_mm[0]), rng.uniform(0, board.size_mm[1])
        w, h = rng.uniform(3, 9, 2)
        colour = tuple(int(v) for v in rng.integers(30, 230, 3))
        cv2.rectangle(canvas, at((x, y)), at((min(x + w, board.size_mm[0]), min(y + h, board.size_mm[1]))), colour, -1)
    left, top, right, bottom = board.frame_mm
    cv2.rectangle(canvas, at((left, top)), at((right, bottom)), (60, 190, 230), 2 * SCALE)
    for cell in board.cells:
        outline = np.array([at(p) for p in board.outline_mm(cell)], np.int32)
        kind = board.kind(cell)
        if kind != "obstacle":
            cv2.fillPoly(canvas, [outline], street)
            cv2.polylines(canvas, [outline], True, tuple(min(255, v + 30) for v in street), SCALE)
        paved = "cobbles" if kind == "street" and board.of_kind("building") else kind
        draw_cell(canvas, paved, at(board.mm(cell)), outline, SCALE, street)
    for place in board.places_of("exit"):
        cv2.circle(canvas, at(place.mm), 26 * SCALE, street, -1)
    for place in board.places_of("turn"):
        cv2.circle(canvas, at(place.mm), 14 * SCALE, (200, 215, 220), -1)
        cv2.circle(canvas, at(place.mm), 14 * SCALE, (20, 20, 20), SCALE // 2)
        cv2.line(canvas, at(place.mm), at((place.mm[0] + 8, place.mm[1] - 6)), (20, 20, 20), SCALE)
    return cv2.GaussianBlur(canvas, (0, 0), 1.2)


def _draw_stickers(canvas: np.ndarray, scene: Scene, rng: np.random.Generator, slid_mm: tuple[float, float]) -> None:
    low, high = MARGIN * SCALE, (np.array(scene.board.size_mm) + MARGIN) * SCALE
    board = canvas[low : int(high[1]), low : int(high[0])].copy()
    for marker, sticker in scene.pieces.frame_markers.items():
        art = marker_art(scene.pieces.dictionary, marker, sticker.side_mm, sticker.quiet_mm)
        angle = rng.normal(0, 1.0)
        off = rng.uniform(-1, 1, 2) * scene.tolerance_mm
        middle: np.ndarray = (np.array(sticker.centre_mm) + off - slid_mm + MARGIN) * SCALE
        matrix: np.ndarray = cv2.getRotationMatrix2D((art.shape[1] / 2 - 0.5, art.shape[0] / 2 - 0.5), angle, 1.0)
        matrix[:, 2] += middle - 0.5 - (np.array(art.shape[1::-1]) / 2 - 0.5)
        reach = max(art.shape)  # of the canvas only what lies about the sticker is drawn anew
        left, top = (max(0, int(at) - reach) for at in middle)
        part = canvas[top : top + 2 * reach, left : left + 2 * reach]
        matrix[:, 2] -= left, top
        mask = cv2.warpAffine(np.full(art.shape, 255, np.uint8), matrix, part.shape[1::-1])
        drawn = cv2.warpAffine(art, matrix, part.shape[1::-1])
        part[mask > 127] = cv2.cvtColor(drawn, cv2.COLOR_GRAY2BGR)[mask > 127]
    if any(slid_mm):
        canvas[low : int(high[1]), low : int(high[0])] = board


def marker_art(dictionary: str, marker: int, side_mm: float, quiet_mm: float) -> np.ndarray:
    source = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    side, quiet = round(side_mm * SCALE), round(quiet_mm * SCALE)
    art = cv2.aruco.generateImageMarker(source, marker, side)
    art = cv2.copyMakeBorder(art, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=255)
    return np.clip(art, 28, 228).astype(np.uint8)  # a printer's black and a paper's white


def _lay(
    image: np.ndarray,
    scene: Scene,
    registration: Registration,
    rng: np.random.Generator,
    laid: tuple[str, str | tuple[float, float], str | None, str | None],
) -> None:
    """Draw one piece: its side, then its top."""
    piece, spot, face, facing = laid
    board, pieces = scene.board, scene.pieces
    group = pieces.group_of(piece)
    marker = next(s.marker for s in pieces.stickers.values() if s.piece == piece and s.face == face)
    half = max(group.size_mm) / 2
    size = 2 * int(half * SCALE) + 1
    top: np.ndarray = np.zeros((size, size, 4), np.uint8)
    middle = (size // 2, size // 2)
    colour = (
        {
            "gaslights": scene.tile_colour,
            "covers": scene.cover_colour,
            "cordons": (150, 70, 60),
            "turn": (210, 215, 225),
        }.get(group.key)
        or face_colour(face)
        or _own_colour(group.key if group.shape == "strip" else piece)
    )
    if group.shape == "disc":
        cv2.circle(top, middle, size // 2, (*colour, 255), -1)
    elif group.shape == "hexagon":
        points = np.array(
            [[np.cos(a), np.sin(a) * group.size_mm[1] / group.size_mm[0] / 0.866] for a in np.radians(range(0, 360, 60))]
        )
        cv2.fillPoly(top, [(points * (size // 2) + size // 2).astype(np.int32)], (*colour, 255))
        face_pattern(top, face, SCALE)
        if group.key == "covers":
            cv2.circle(top, middle, int(size * 0.38), (*(int(v * 0.6) for v in colour), 255), 3 * SCALE)
    else:
        w, h = (int(v * SCALE / 2) for v in group.size_mm)
        cv2.rectangle(top, (middle[0] - w, middle[1] - h), (middle[0] + w, middle[1] + h), (*colour, 255), -1)
    art = cv2.cvtColor(marker_art(pieces.dictionary, marker, group.marker_mm, group.quiet_mm), cv2.COLOR_GRAY2BGR)
    corner = size // 2 - art.shape[0] // 2
    target = top[corner : corner + art.shape[0], corner : corner + art.shape[1]]
    target[..., :3] = np.where(target[..., 3:] > 0, art[: target.shape[0], : target.shape[1]], target[..., :3])
    angle = float(rng.uniform(0, 360))
    if facing is not None:
        angle = float(np.degrees(direction_angles(board)[facing]) + rng.uniform(-8, 8))
    elif group.shape == "hexagon":
        angle = float(rng.choice(range(0, 360, 60)) + rng.normal(0, 4))
    elif isinstance(spot, str) and PAIR in spot:
        one, other = (np.array(board.mm(cell)) for cell in spot.split(PAIR))
        along = np.degrees(np.arctan2(*(other - one)[::-1]))
        angle = float(along + rng.choice([0, 180]) + rng.normal(0, 3))
    top = cv2.warpAffine(top, cv2.getRotationMatrix2D(middle, -angle, 1.0), (size, size))
    off = rng.normal(0, scene.sloppy_mm / 2.2, 2)
    off *= min(1.0, scene.sloppy_mm / max(1e-6, float(np.hypot(*off))))
    at = np.array(board.mm(spot) if isinstance(spot, str) else spot) + off
    foot = _foot(scene, piece, spot) if isinstance(spot, str) else -2.0
    if group.shape == "disc" and scene.shadow:
        reach = half + 4 * scene.shadow_mm
        steps = (np.arange(2 * round(reach * SCALE)) + 0.5) / SCALE - reach
        away = np.maximum(0.0, np.hypot(steps, steps[:, None]) - half)
        dark = np.zeros((*away.shape, 4), np.uint8)
        dark[..., 3] = 255 * scene.shadow * np.exp(-((away / scene.shadow_mm) ** 2))
        warp(dark, registration, at[0] - reach, at[1] - reach, foot, image)
    shade = top.copy()
    shade[..., :3] = (shade[..., 3:] / 255 * np.array(colour) * 0.45).astype(np.uint8)
    for level in np.linspace(0, 1, 4, endpoint=False):
        warp(shade, registration, at[0] - half, at[1] - half, foot + level * group.height_mm, image)
    warp(top, registration, at[0] - half, at[1] - half, foot + group.height_mm, image)


def _own_colour(name: str) -> tuple[int, ...]:
    return tuple(int(v) for v in np.random.default_rng(sum(map(ord, name))).integers(20, 230, 3))


def _foot(scene: Scene, piece: str, spot: str) -> float:
    """How high (mm) a piece's foot is: on top of the flat pieces of other kinds on its cells."""
    mine = scene.pieces.group_of(piece)
    height = 0.0
    for other, there, _, _ in _laid(scene):
        group = scene.pieces.group_of(other)
        below = _LAYERS[group.shape] < _LAYERS[mine.shape]
        if other != piece and below and set(spot.split(PAIR)) & set(there.split(PAIR)):
            height = max(height, _foot(scene, other, there) + group.height_mm)
    return height


def warp(art: np.ndarray, registration: Registration, x: float, y: float, height: float, onto: np.ndarray | None) -> np.ndarray:
    """Project a flat picture lying at (x, y, height) into the camera's picture."""
    width, tall = registration.lens.size
    if onto is None:
        box = (0, 0, width, tall)
        onto = np.zeros((tall, width, 3), np.uint8)
    else:
        span = np.array([[0, 0], [art.shape[1], 0], [art.shape[1], art.shape[0]], [0, art.shape[0]]]) / SCALE + (x, y)
        seen = registration.project(span, height)
        low, high = np.floor(seen.min(axis=0)).astype(int) - 1, np.ceil(seen.max(axis=0)).astype(int) + 2
        box = (max(0, low[0]), max(0, low[1]), min(width, high[0]), min(tall, high[1]))
        if box[2] <= box[0] or box[3] <= box[1]:
            return onto
    fine = 2  # samples a pixel, each way
    step = 1 if (box[2] - box[0]) < 400 else 8
    u = np.arange(box[0], box[2] + step, step) - 0.5 + 0.5 / fine
    v = np.arange(box[1], box[3] + step, step) - 0.5 + 0.5 / fine
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    mm = ((registration.locate(grid, height) - (x, y)) * SCALE - 0.5).reshape(len(v), len(u), 2).astype(np.float32)
    rows, columns = (box[3] - box[1]) * fine, (box[2] - box[0]) * fine
    down, across = (np.arange(many, dtype=np.float32) / np.float32(fine * step) for many in (rows, columns))
    across, down = (np.ascontiguousarray(one) for one in np.broadcast_arrays(across, down[:, None]))
    maps = [cv2.remap(mm[..., axis], across, down, cv2.INTER_LINEAR) for axis in (0, 1)]
    border = cv2.BORDER_CONSTANT if art.shape[2] == 4 else cv2.BORDER_REPLICATE
    drawn = cv2.remap(art, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=border)
    drawn = cv2.resize(drawn, (box[2] - box[0], box[3] - box[1]), interpolation=cv2.INTER_AREA).astype(np.float32)
    target = onto[box[1] : box[3], box[0] : box[2]]
    if art.shape[2] == 3:
        target[:] = drawn.astype(np.uint8)
    else:
        alpha = drawn[..., 3:] / 255
        target[:] = np.clip(target * (1 - alpha) + drawn[..., :3], 0, 255).astype(np.uint8)
    return onto


def _extra(image: np.ndarray, registration: Registration, kind: str, box: tuple[float, float, float, float]) -> None:
    """Something foreign: an ``arm`` from (x0, y0) to (x1, y1) in board mm, 60 mm above it, or a flat ``card``."""
    x0, y0, x1, y1 = box
    if kind == "arm":
        ends = registration.project([[x0, y0], [x1, y1]], 60.0)
        width = int(np.linalg.norm(registration.project([[x1 - 35, y1]], 60.0) - registration.project([[x1 + 35, y1]], 60.0)))
        drawn = np.zeros(image.shape[:2], np.uint8)
        cv2.line(drawn, tuple(ends[0].astype(int)), tuple(ends[1].astype(int)), 255, width, cv2.LINE_AA)
        skin = np.array([140, 165, 215]) * (0.8 + 0.2 * np.linspace(0, 1, image.shape[1]))[None, :, None]
        image[drawn > 0] = np.broadcast_to(skin, image.shape)[drawn > 0].astype(np.uint8)
    else:
        corners = registration.project([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], 0.5)
        cv2.fillPoly(image, [corners.astype(np.int32)], (180, 60, 50))


@lru_cache(maxsize=1)  # pictures of one story are taken alike
def _light(size: tuple[int, int], exposure: float, slope: tuple[float, float], vignette: float) -> np.ndarray:
    y, x = np.mgrid[-1 : 1 : size[0] * 1j, -1 : 1 : size[1] * 1j].astype(np.float32)
    light = exposure * (1 + slope[0] * x + slope[1] * y) * (1 - vignette * (x * x + y * y) / 2)
    return np.asarray(light[..., None])


@lru_cache(maxsize=1)
def _grain(size: tuple[int, int], noise: float, seed: int) -> np.ndarray:
    return np.random.default_rng(seed + 5).normal(0, noise, (*size, 3)).astype(np.float32)


def develop(image: np.ndarray, shot: Shot) -> np.ndarray:
    """Light, lens fall-off, blur, grain, JPEG."""
    size = image.shape[:2]
    film = image * _light(size, shot.exposure, shot.slope, shot.vignette)
    film *= np.array(shot.tint, np.float32)
    if shot.blur > 0:
        film = cv2.GaussianBlur(film, (0, 0), shot.blur)
    if shot.noise > 0:
        film += _grain(size, shot.noise, shot.seed)
    film = np.clip(film, 0, 255, out=film).astype(np.uint8)
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", film, [cv2.IMWRITE_JPEG_QUALITY, shot.quality])[1], cv2.IMREAD_COLOR))
