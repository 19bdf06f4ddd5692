"""Path-traced table sets: a made-up copy on a modelled table, with lamps, glare, an arm, a knock and the exact truth.

    python -m companion.calibration.training.trace_tables PYTHON-WITH-BPY FOLDER SEED [GAME]
        [marked] [wild] [sides=FAMILY] [light=KIND] [wide=PIXELS] [samples=N] [threads=N]

writes ``FOLDER/table.json`` with its pictures (``empty``, ``start``, for New York or a FAMILY without stickers ``other-sides``,
four positions, an arm, a knock and another light), which ``companion evaluate`` reads. A picture takes one to two minutes
of two cores. Light is one of LIGHTS, drawn from the seed if not said; FAMILY is one of second sides (``second_sides``), for
London. The tracing itself is ``trace_scene``'s.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion import boards
from companion.calibration.training.art import SCALE, bgr, noise
from companion.calibration.training.composed import Table
from companion.calibration.training.new_york_composed import NewYorkTable
from companion.calibration.training.second_sides import SecondSideTable
from companion.calibration.training.wild import WildTable
from companion.vision.camera import Lens, Registration
from companion.vision.plain.start import LaidPiece, other_sides, placements

Json = dict[str, Any]
LIGHTS = ("window", "lamp", "panels", "sun", "evening", "bulbs")
STICKER_SCALE = 3.0  # times SCALE: a sticker's cells are drawn sharp
MARGIN = 0.04  # rendered beyond every edge, for the lens to bend into the picture
WARM, COOL, WHITE = (1.0, 0.62, 0.32), (0.75, 0.87, 1.0), (1.0, 0.95, 0.88)


def linear(colour: Any) -> list[float]:
    """BGR of a drawing (0 to 255) as linear RGB."""
    return [float(v) for v in (np.clip(np.asarray(colour, float), 0, 255)[::-1] / 255) ** 2.2]


@dataclass
class Film:
    """What camera and JPEG do to the light."""

    exposure: float
    vignette: float
    noise: float
    blur: float
    quality: int
    shoulder: float


@dataclass
class Set:
    """One table: a copy, a camera, a room. Everything is drawn from the seed."""

    table: Table
    kind: str
    marked: bool
    folder: Path
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = rng = np.random.default_rng(self.table.seed + 31_337)
        self.width, self.height = self.table.board.size_mm
        self.film = Film(
            float(rng.uniform(0.45, 0.8)),
            float(rng.uniform(0.1, 0.4)),
            float(rng.uniform(0.8, 3.0)),
            float(rng.choice([0.0, rng.uniform(0.3, 0.8)])),
            int(rng.integers(82, 94)),
            float(rng.uniform(0.0, 0.25)),
        )
        self.textures = self.folder / "textures"
        self.textures.mkdir(parents=True, exist_ok=True)
        self.print_look = {"rough": float(rng.uniform(0.25, 0.55)), "bump": float(rng.uniform(0.05, 0.4)), "bump_scale": 700.0}
        self.disc_look = {"rough": float(rng.uniform(0.3, 0.6)), "coat": float(rng.choice([0.0, rng.uniform(0.1, 0.5)]))}
        self.tile_look = {"rough": float(rng.uniform(0.3, 0.6))}
        self.lights, self.world = self.room(self.kind)
        self.things = self._things()

    @property
    def framed(self) -> bool:
        """Whether the board's own stickers lie beside it."""
        return self.marked

    # --- light -----------------------------------------------------------------------------------------------------

    def room(self, kind: str) -> tuple[list[Json], Json]:
        """Lamps and what comes from all around. Millimetres, watts."""
        rng, middle = self.rng, np.array([self.width / 2, self.height / 2])
        side = rng.uniform(0, 2 * np.pi)
        out = np.array([np.cos(side), np.sin(side)])

        def lamp(
            what: str, far: float, high: float, watts: float, colour: Any, size: Any = (150, 150), angle: float = 1.0
        ) -> Json:
            start, aim = middle + out * far, middle + rng.normal(0, 60, 2)
            return {
                "kind": what,
                "from": [*start.tolist(), high],
                "to": [*aim.tolist(), 0.0],
                "watts": watts,
                "colour": list(colour),
                "size": list(size),
                "angle": angle,
            }

        def around(colour: Any, strength: float) -> Json:
            return {"colour": list(colour), "strength": float(strength)}

        if kind == "window":
            return [lamp("area", rng.uniform(900, 1600), rng.uniform(500, 1100), 60, COOL, (1100, 1400))], around(WHITE, 0.25)
        if kind == "lamp":
            wide = rng.uniform(60, 220)
            one = lamp("disk", rng.uniform(150, 520), rng.uniform(420, 800), 9, WARM, (wide, wide))
            return [one], around(WARM, rng.uniform(0.01, 0.05))
        if kind == "panels":
            lights = []
            for _ in range(2):
                lights.append(lamp("area", rng.uniform(200, 900), rng.uniform(1500, 2200), 45, WHITE, (900, 300)))
                out = -out + rng.normal(0, 0.3, 2)
            return lights, around(WHITE, 0.15)
        if kind == "sun":
            high = rng.uniform(600, 1500)
            return [lamp("sun", 1000, high, 5, (1.0, 0.9, 0.75), angle=rng.uniform(0.5, 4))], around(
                COOL, rng.uniform(0.5, 1.2)
            )
        if kind == "evening":
            wide = rng.uniform(80, 250)
            one = lamp("disk", rng.uniform(250, 600), rng.uniform(450, 900), 8, WARM, (wide, wide))
            out = -out
            return [one, lamp("area", rng.uniform(900, 1500), rng.uniform(500, 1000), 8, COOL, (900, 1200))], around(COOL, 0.03)
        lights = []
        for _ in range(3):
            lights.append(lamp("disk", rng.uniform(150, 700), rng.uniform(700, 1200), 6, (1.0, 0.8, 0.55), (70, 70)))
            turn = rng.uniform(1.5, 2.6)
            out = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ out
        return lights, around(WARM, 0.05)

    # --- things ----------------------------------------------------------------------------------------------------

    def _texture(self, name: str, image: np.ndarray) -> str:
        path = self.textures / f"{name}.png"
        if not path.exists():
            cv2.imwrite(str(path), image)
        return str(path.resolve())

    def _things(self) -> list[Json]:
        """The table top, the board and what lies beside it."""
        rng, (w, h) = self.rng, (self.width, self.height)
        base = np.array(
            bgr(rng.uniform(0.02, 0.12) if rng.uniform() < 0.6 else rng.uniform(), rng.uniform(0, 0.6), rng.uniform(0.1, 0.8))
        )
        streaks = cv2.resize(noise(rng, (1024, 48), 2), (1024, 1024)) * rng.uniform(0, 14) + noise(rng, (1024, 1024), 5) * 5
        top = np.clip(base + streaks[..., None], 0, 255).astype(np.uint8)
        far, thick = 1100.0, -2.2
        ground = [
            (w / 2 - far, h / 2 - far),
            (w / 2 + far, h / 2 - far),
            (w / 2 + far, h / 2 + far),
            (w / 2 - far, h / 2 + far),
        ]
        table_look = {"texture": self._texture("table", top), "rough": float(rng.uniform(0.25, 0.9)), "bump": 0.2}
        things: list[Json] = [
            {
                "outline": ground,
                "bottom": -30.0,
                "top": thick,
                "face": table_look,
                "side": {"colour": linear(base)},
                "width": 2 * far,
                "height": 2 * far,
                "origin": ground[0],
            },
            {
                "outline": [(0, 0), (w, 0), (w, h), (0, h)],
                "bottom": thick,
                "top": 0.0,
                "width": w,
                "height": h,
                "origin": (0, 0),
                "face": {"texture": self._texture("board", self.table.copy.art), **self.print_look},
                "side": {"colour": [0.02, 0.02, 0.02]},
            },
        ]
        for _ in range(int(rng.integers(0, 4))):
            out = rng.uniform(0, 2 * np.pi)
            x, y = w / 2 + (w / 2 + 110) * np.cos(out) * 1.15, h / 2 + (h / 2 + 110) * np.sin(out) * 1.15
            box = cv2.boxPoints(((x, y), (float(rng.uniform(16, 70)), float(rng.uniform(16, 120))), float(rng.uniform(0, 180))))
            colour = linear(bgr(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.9)))
            things.append(
                {
                    "outline": box.tolist(),
                    "bottom": thick,
                    "top": thick + float(rng.choice([0.6, 8, 16])),
                    "face": {"colour": colour, "rough": 0.3},
                    "side": {"colour": colour},
                }
            )
        if self.framed:
            for frame in self.table.pieces.frame_markers.values():
                half = frame.side_mm / 2 + frame.quiet_mm
                x, y = np.array(frame.centre_mm) + rng.uniform(-0.6, 0.6, 2)
                corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
                image = self._sticker(frame.marker, frame.side_mm, frame.quiet_mm, 12)
                face = {"texture": self._texture(f"frame-{frame.marker}", image), "rough": 0.8}
                thing = {
                    "outline": corners,
                    "bottom": thick,
                    "top": frame.height_mm,
                    "face": face,
                    "side": {"colour": [0.8] * 3},
                }
                things.append(thing | {"width": 2 * half, "height": 2 * half, "origin": (x - half, y - half)})
        return things

    def _sticker(self, marker: int, side: float, quiet: float, scale: float) -> np.ndarray:
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, self.table.pieces.dictionary))
        inner, whole = round(side * scale), round((side + 2 * quiet) * scale)
        image = np.full((whole, whole), 235, np.uint8)
        at = (whole - inner) // 2
        image[at : at + inner, at : at + inner] = np.clip(cv2.aruco.generateImageMarker(dictionary, marker, inner), 20, 235)
        return cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)

    def _face(self, place: LaidPiece) -> np.ndarray:
        """The drawing of a piece's upper side, with its sticker where there are stickers."""
        image = self.table.copy.faces[place.piece, place.face]
        if not self.marked:
            return image
        scale = STICKER_SCALE
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        sticker = next(s for s in self.table.pieces.stickers.values() if (s.piece, s.face) == (place.piece, place.face))
        group = self.table.pieces.groups[place.group]
        patch = self._sticker(sticker.marker, group.marker_mm, group.quiet_mm, SCALE * scale)
        y, x = ((np.array(image.shape[:2]) - patch.shape[:2]) // 2).tolist()
        patch = patch[max(0, -y) : patch.shape[0] + min(0, y), max(0, -x) : patch.shape[1] + min(0, x)]
        y, x = max(0, y), max(0, x)
        image = image.copy()
        image[y : y + patch.shape[0], x : x + patch.shape[1]] = patch
        return image

    def pieces(self, laid: Any) -> list[Json]:
        """Every piece of a position (``laid``) where a hand laid it; one that stays keeps its exact place and turn."""
        table, rng, state = self.table, self.rng, laid
        low_tops = set(state.get("covers", ())) | set(state.get("tiles", ())) | set(state.get("gaslights", ()))
        found = []
        for place in placements(table.board, table.pieces, state) if state else ():
            key = f"{place.piece}@{place.place}"
            if key not in table.spots:
                reach = table._reach(place)
                dx, dy = rng.uniform(-reach, reach, 2)
                table.spots[key] = float(dx), float(dy), float(table._turn(place))
            dx, dy, turn = table.spots[key]
            if place.facing:
                turn = float(table._turn(place))
            x, y = place.mm[0] + dx, place.mm[1] + dy
            flat = place.group in ("covers", "tiles", "gaslights")
            below = 2.0 if not flat and low_tops & set(place.place.split(boards.PAIR)) else 0.0
            group = table.pieces.groups[place.group]
            top = below + group.height_mm
            face = self._face(place)
            scale = SCALE * (STICKER_SCALE if self.marked else 1.0)
            wide = face.shape[1] / scale, face.shape[0] / scale  # some drawings reach beyond the piece
            observation = self.disc_look if group.height_mm >= 4 else self.tile_look
            side = {"colour": linear(table.copy.wood[place.piece]), "rough": 0.5}
            name = f"{place.piece}-{place.face or 'only'}"
            found.append(
                {
                    "x": x,
                    "y": y,
                    "turn": turn,
                    "bottom": below + 0.02,
                    "top": top,
                    "outline": table._outline(place, x, y, turn).tolist(),
                    "bevel": 0.7 if group.height_mm >= 4 else 0.15,
                    "face": {"texture": self._texture(name, face), **observation},
                    "side": side,
                    "face_mm": wide,
                }
            )
        return found

    def arm(self) -> Json:
        """A sleeve, a hand and three fingers from the near side to somewhere over the board."""
        rng, (w, h) = self.rng, (self.width, self.height)
        tip = rng.uniform([0.25 * w, 0.25 * h], [0.75 * w, 0.75 * h])
        start = np.array([tip[0] + rng.normal(0, 150), h + 350])
        along = (tip - start) / np.linalg.norm(tip - start)
        across = np.array([-along[1], along[0]])
        skin = linear(bgr(rng.uniform(0.03, 0.08), rng.uniform(0.3, 0.6), rng.uniform(0.35, 0.85)))
        sleeve = linear(bgr(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.8)))
        wrist = tip - 110 * along
        made = {
            "sleeve": {"from": [*start, 60.0], "to": [*(wrist - 40 * along), 55.0], "radius": 45.0, "colour": sleeve},
            "hand": {"from": [*wrist, 50.0], "to": [*(tip - 50 * along), 48.0], "radius": 38.0, "colour": skin},
        }
        for k, name in enumerate(("one", "two", "three")):
            root, end = tip - 50 * along + (k - 1) * 20 * across, tip + (k - 1) * 26 * across
            made[name] = {"from": [*root, 45.0], "to": [*end, 22.0], "radius": 9.0, "colour": skin}
        return {
            name: {key: [float(v) for v in value] if isinstance(value, list) else value for key, value in part.items()}
            for name, part in made.items()
        }

    def picture(self, file: str, laid: Any, pose: Registration, lights: tuple[list[Json], Json], arm: bool) -> Json:
        """What the tracer needs to know of one picture."""
        matrix, (width, height) = pose.lens.matrix, pose.lens.size
        wide, high = (round(size * (1 + 2 * MARGIN)) for size in pose.lens.size)
        return {
            "file": file,
            "seed": int(self.rng.integers(1 << 30)),
            "lights": lights[0],
            "world": lights[1],
            "camera": {
                "size": [wide, high],
                "focal": float(matrix[0, 0]),
                "middle": [float(matrix[0, 2] + (wide - width) / 2), float(matrix[1, 2] + (high - height) / 2)],
                "rotation": pose.rotation.tolist(),
                "translation": pose.translation.reshape(3).tolist(),
            },
            "slabs": self.things,
            "pieces": self.pieces(laid),
            "arm": self.arm() if arm else None,
        }

    # --- film ------------------------------------------------------------------------------------------------------

    def develop(self, light: np.ndarray, gain: float) -> np.ndarray:
        """Linear light of the ideal pinhole to the camera's picture (BGR)."""
        lens, film = self.table.lens, self.film
        (width, height), (high, wide) = lens.size, light.shape[:2]
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float64)
        rays = lens.undistort(np.column_stack([xs.ravel(), ys.ravel()]))
        flat = rays @ lens.matrix[:2, :2].T + lens.matrix[:2, 2] + [(wide - width) / 2, (high - height) / 2]
        maps = flat.reshape(height, width, 2).astype(np.float32)
        image = cv2.remap(np.ascontiguousarray(light[..., ::-1], np.float32), maps[..., 0], maps[..., 1], cv2.INTER_CUBIC)
        reach = np.hypot((xs - width / 2) / width, (ys - height / 2) / width)
        image = np.maximum(image, 0) * gain * (1 - film.vignette * (reach / 0.57) ** 2)[..., None].astype(np.float32)
        knee = 1 - film.shoulder
        image = np.where(image > knee, knee + film.shoulder * np.tanh((image - knee) / max(film.shoulder, 1e-3)), image)
        if film.blur:
            image = cv2.GaussianBlur(image, (0, 0), film.blur)
        coded = 255 * np.clip(image, 0, 1) ** (1 / 2.2)
        coded += self.rng.normal(0, film.noise, coded.shape)
        return np.clip(np.round(coded), 0, 255).astype(np.uint8)


def frames(made: Set) -> list[Json]:
    """What is on the table in each picture, as ``table.json`` has it."""
    table = made.table
    start = dict(table.board.start)
    empty: Json = {"characters": {}, "gaslights": {}, "covers": [], "cordons": [], "turn": None}
    shown: list[tuple[str, str, Json]] = [("empty", "the bare board", empty), ("start", "the start position", start)]
    turned = other_sides(table.board, table.pieces, start)
    if isinstance(table, NewYorkTable):
        shown[0] = ("empty", "the bare board", {key: _nothing(start[key]) for key in start})
        if turned and not made.marked:
            shown.append(("other-sides", "the start with its flat pieces turned over", turned))
        states = [table.states(14)[pick] for pick in (3, 6, 10, 14)]
    else:
        if isinstance(table, SecondSideTable) and not made.marked:
            shown.append(("other-sides", "the start with its discs turned over", turned or {}))
        states = [table.random_state() for _ in range(4)]
    shown += [("position", "a position at random", state) for state in states]
    shown += [("hand", "an arm over the board", states[-1]), ("bumped", "the camera was knocked", states[-1])]
    shown.append(("light", "another light", states[0]))
    return [{"file": f"{n:03d}.jpg", "kind": kind, "note": note, "state": state} for n, (kind, note, state) in enumerate(shown)]


def _nothing(content: Any) -> Any:
    return {} if isinstance(content, dict) else [] if isinstance(content, list) else None


def main() -> None:
    """Describe, trace, develop."""
    python, folder, seed, *more = sys.argv[1:]
    said = dict(word.split("=") for word in more if "=" in word)
    kinds = LIGHTS[int(np.random.default_rng(int(seed)).integers(len(LIGHTS)))]
    wide = int(said.get("wide", 1920))
    size = wide, wide * 9 // 16
    game = next((word for word in more if word.startswith("mr-jack")), "mr-jack-london")
    if game == "mr-jack-new-york":
        table: Table = NewYorkTable(int(seed), size, 40.0)
    elif "sides" in said:
        loaded = boards.load(game), boards.load_pieces(game)
        table = SecondSideTable(*loaded, int(seed), size, 40.0, family=said["sides"])
    else:
        kind = WildTable if "wild" in more else Table
        table = kind(boards.load(game), boards.load_pieces(game), int(seed), size, 40.0)
    # The drawings' heights are the compositor's; real ones come from the game's own data.
    table.pieces = replace(table.pieces, groups=boards.load_pieces(game).groups)
    made = Set(table, said.get("light", kinds), "marked" in more, Path(folder))
    listed = frames(made)
    trace(made, listed, [{} if frame["kind"] == "empty" else frame["state"] for frame in listed], game, python, said)


def trace(made: Set, listed: list[Json], laid: Sequence[Any], game: str, python: str, said: Mapping[str, str]) -> None:
    """Trace and develop the pictures of a set, and write its truth.

    ``listed``: the frames of ``table.json``; from one of kind ``bumped`` on the camera has been knocked, one of kind ``light``
    has other lamps, ``hand`` an arm. ``laid``: what lies there in each, as ``Set.pieces`` takes it. ``said``: ``samples`` a
    pixel and ``threads`` of the tracer.
    """
    table, other = made.table, made.room(LIGHTS[int(made.rng.integers(len(LIGHTS)))])
    pose, pictures = table.pose, []
    for frame, content in zip(listed, laid, strict=True):
        if frame["kind"] == "bumped":
            pose = table.nudged(12.0)
        lights = other if frame["kind"] == "light" else (made.lights, made.world)
        pictures.append(made.picture(frame["file"], content, pose, lights, frame["kind"] == "hand"))
    scene = made.folder / "scene.json"
    scene.write_text(json.dumps({"samples": int(said.get("samples", 40)), "pictures": pictures}))
    tracer = Path(__file__).with_name("trace_scene.py")
    subprocess.run(
        [python, str(tracer), str(scene), str(made.folder), said.get("threads", "2")], check=True, stdout=subprocess.DEVNULL
    )
    gain: dict[bool, float] = {}
    for frame in listed:
        light = np.load(made.folder / f"{frame['file'][:3]}.npy").astype(np.float32)
        board = table.pose.project(np.array([[0, 0], [made.width, made.height], [made.width, 0], [0, made.height]]))
        (x0, y0), (x1, y1) = np.maximum(board.min(0), 0).astype(int), board.max(0).astype(int)
        switched = frame["kind"] == "light"
        gain.setdefault(switched, made.film.exposure / max(1e-9, float(np.percentile(light[y0:y1, x0:x1].max(2), 90))))
        cv2.imwrite(
            str(made.folder / frame["file"]), made.develop(light, gain[switched]), [cv2.IMWRITE_JPEG_QUALITY, made.film.quality]
        )
    _write_table(made, listed, game)


def _write_table(made: Set, listed: list[Json], game: str) -> None:
    table, pieces = made.table, made.table.pieces
    lens: Lens = table.lens
    markers = None
    if made.marked:
        frame = {
            str(f.marker): {
                "corner": f.corner,
                "centre_mm": list(f.centre_mm),
                "height_mm": f.height_mm,
                "side_mm": f.side_mm,
                "quiet_mm": f.quiet_mm,
            }
            for f in pieces.frame_markers.values()
        }
        markers = {"dictionary": pieces.dictionary, "frame": frame, "frame_tolerance_mm": pieces.frame_tolerance_mm}
    data = {
        "game": game,
        "edition": boards.editions(game)[0],
        "mode": "marked" if made.marked else "plain",
        "image_size": list(lens.size),
        "camera": {"K": lens.matrix.tolist(), "D": lens.distortion.tolist()},
        "light": made.kind,
        "board_mm": list(table.board.size_mm),
        "markers": markers,
        "frames": listed,
    }
    (made.folder / "table.json").write_text(json.dumps(data))


if __name__ == "__main__":
    main()
