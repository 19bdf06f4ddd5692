# ruff: noqa: C416 - drawing and fitting scripts: long lists of strokes and numbers
"""A warp-and-shade compositor: pictures of made-up copies on made-up tables, with the truth. About a third of a second each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from companion.boards import Board, PieceSet
from companion.calibration.training.art import SCALE, Copy, bgr, noise
from companion.vision.camera import Lens, Registration
from companion.vision.plain.start import placements
from companion.vision.plain.surface import LINEAR


@dataclass(frozen=True)
class Mood:
    """Light and film: every number drawn once and varied between frames."""

    slope: tuple[float, float]
    lamp: tuple[float, float, float]  # x, y (mm), reach (mm)
    lamp_share: float
    cast: tuple[float, float, float]
    exposure: float
    glare: tuple[tuple[float, float, float, float], ...]  # x, y, size (mm), strength
    gloss: float
    shadow: tuple[float, float, float]  # direction (mm per mm of height), darkness
    noise: float
    blur: float
    quality: int


@dataclass
class Table:
    """One camera over one made-up copy. ``shoot`` gives a picture and its truth."""

    board: Board
    pieces: PieceSet
    seed: int
    size: tuple[int, int] = (1600, 900)
    tilt_most: float = 40.0
    copy: Copy = field(init=False)
    lens: Lens = field(init=False)
    pose: Registration = field(init=False)
    mood: Mood = field(init=False)

    def __post_init__(self) -> None:
        self.copy = self.make_copy()
        self.rng = np.random.default_rng(self.seed + 77_000_001)
        self.grains = np.random.default_rng(self.seed + 77_000_002)
        rng = self.rng
        guess = Lens.guess(self.size, float(rng.uniform(50, 78)))
        k1 = rng.uniform(-0.1, 0.03)
        self.lens = Lens(guess.matrix, np.array([k1, -0.2 * k1, rng.normal(0, 4e-4), rng.normal(0, 4e-4), 0.0]), self.size)
        self.pose = self.place_camera(
            float(rng.uniform(0, self.tilt_most)), float(rng.normal(0, 8)), float(rng.uniform(0, 360))
        )
        self.mood = self.make_mood()
        self.table = self._table_top()
        self._frames = 0
        self.spots: dict[str, tuple[float, float, float]] = {}

    def make_copy(self) -> Copy:
        """The drawings."""
        return Copy(self.board, self.pieces, self.seed)

    # --- camera and light ----------------------------------------------------------------------------------------

    def place_camera(self, tilt: float, roll: float, from_side: float) -> Registration:
        """A camera that sees the whole board, a disc at least 30 px wide."""
        rng = self.rng
        width, height = self.board.size_mm
        rotation, observation = looking(tilt, roll, from_side)
        target = np.array([width / 2, height / 2, 0]) + np.array([*rng.normal(0, 12, 2), 0])
        fill = rng.uniform(0.72, 0.95)
        distance = 300.0
        for distance in np.geomspace(300, 3000, 120):
            pose = Registration(self.lens, rotation, (-rotation @ (target - observation * distance)).reshape(3, 1))
            corners = pose.project(np.array([[0, 0], [width, 0], [width, height], [0, height]]))
            margin = np.array(self.size) * (1 - fill) / 2
            if (corners > margin).all() and (corners < np.array(self.size) - margin).all():
                break
        return pose

    def make_mood(self) -> Mood:
        """Some light: from even daylight to one warm lamp with glare."""
        rng = self.rng
        width, height = self.board.size_mm
        warm = rng.uniform(-0.25, 0.6)
        glare = tuple(
            (rng.uniform(0, width), rng.uniform(0, height), rng.uniform(30, 110), rng.uniform(0.03, 0.4))
            for _ in range(rng.integers(0, 3))
        )
        angle = rng.uniform(0, 2 * np.pi)
        length = rng.uniform(0.2, 1.5)
        return Mood(
            slope=(rng.normal(0, 0.35), rng.normal(0, 0.35)),
            lamp=(rng.uniform(-200, width + 200), rng.uniform(-200, height + 200), rng.uniform(250, 700)),
            lamp_share=float(rng.choice([0.0, rng.uniform(0.2, 0.95)])),
            cast=(float(np.exp(-warm)), float(np.exp(-0.25 * warm)), 1.0),
            exposure=float(rng.uniform(0.3, 1.0)),
            glare=glare,
            gloss=float(rng.uniform(0.3, 1.3)),
            shadow=(float(length * np.cos(angle)), float(length * np.sin(angle)), float(rng.uniform(0.2, 0.75))),
            noise=float(rng.uniform(0.3, 3.0)),
            blur=float(rng.choice([0.0, rng.uniform(0.3, 1.0)])),
            quality=int(rng.integers(78, 95)),
        )

    def _table_top(self) -> np.ndarray:
        rng = self.rng
        w, h = self.size
        base = np.array(bgr(rng.uniform(), rng.uniform(0, 0.6), rng.uniform(0.12, 0.85)))
        grain = noise(rng, (h, w), 40) * 8 + cv2.resize(noise(rng, (h, 64), 3), (w, h)) * rng.uniform(0, 8)
        top = np.clip(base[None, None] + grain[..., None], 0, 255).astype(np.uint8)
        for _ in range(rng.integers(0, 6)):  # cards, phones, books beside the board; the board is drawn over them
            x, y = rng.uniform(0, w), rng.uniform(0, h)
            box = cv2.boxPoints(((x, y), (rng.uniform(60, 160), rng.uniform(100, 240)), rng.uniform(0, 180)))
            cv2.fillPoly(
                top, [box.astype(np.int32)], bgr(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.9)), cv2.LINE_AA
            )
        return top

    # --- positions -------------------------------------------------------------------------------------------------

    def random_state(self) -> dict[str, Any]:
        """A position as the table sets have them: drawn at random, not from a game."""
        rng, board = self.rng, self.board
        streets = sorted(board.of_kind("street", "manhole"))
        if rng.uniform() < 0.3:  # crowd them together
            middle = board.mm(streets[rng.integers(len(streets))])
            streets = sorted(streets, key=lambda c: np.hypot(*(np.array(board.mm(c)) - middle)))[:14]
        cells = rng.permutation(streets)[:8]
        characters: dict[str, Any] = {}
        for piece, cell in zip(self.pieces.in_group("characters"), cells, strict=True):
            characters[piece.id] = {"hex": str(cell), "side": str(rng.choice(["suspect", "innocent"]))}
            if piece.facing:
                characters[piece.id]["facing"] = str(rng.choice(list(board.directions)))
        turn = int(rng.integers(1, 9))
        lamps: list[Any] = [n for n in range(max(turn, 1), 5)] + ["blank", "blank"]
        spots = rng.permutation(sorted(board.of_kind("gaslight")))[: len(lamps)]
        covers = rng.permutation(sorted(board.of_kind("manhole")))[:2]
        if rng.uniform() < 0.5:  # somebody on a cover
            who = rng.choice(list(characters))
            free = [str(c) for c in covers if str(c) not in {e["hex"] for e in characters.values()}]
            if free:
                characters[str(who)]["hex"] = free[0]
        exits = rng.permutation([place.id for place in board.places_of("exit")])[:2]
        return {
            "characters": characters,
            "gaslights": {str(s): label for s, label in zip(spots, lamps, strict=True)},
            "covers": sorted(map(str, covers)), "cordons": sorted(map(str, exits)), "turn": turn,
        }  # fmt: skip

    # --- drawing ---------------------------------------------------------------------------------------------------

    def shoot(
        self,
        state: dict[str, Any],
        mood: Mood | None = None,
        pose: Registration | None = None,
        arm: bool = False,
        junk: int = 0,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """One picture (BGR) of a position, and what is hidden or strewn in it."""
        rng = self.rng
        mood, pose = mood or self.mood, pose or self.pose
        pinhole = Registration(Lens(pose.lens.matrix, np.zeros(5), pose.lens.size), pose.rotation, pose.translation)
        light = self._light(mood)
        picture = LINEAR[self.table] * 0.7
        home = homography(pinhole, 0.0)
        art = LINEAR[self.copy.art] * light
        put = placements(self.board, self.pieces, state) if state else ()
        laid = []
        for place in put:
            key = f"{place.piece}@{place.place}"
            if key not in self.spots or rng.uniform() < 0.03:
                reach = self._reach(place)
                dx, dy = rng.uniform(-reach, reach, 2)
                self.spots[key] = float(dx), float(dy), float(self._turn(place))
            dx, dy, turn = self.spots[key]
            if place.facing:  # a facing can change in place
                turn = self._turn(place)
                self.spots[key] = dx, dy, turn
            top = place.height_mm
            on_cover = place.group == "characters" and place.place in state.get("covers", ())
            laid.append(
                (place, place.mm[0] + dx, place.mm[1] + dy, turn, top + (2.0 if on_cover else 0.0), 2.0 if on_cover else 0.0)
            )
        laid.sort(key=lambda item: (item[4], item[2]))
        shade = np.zeros(art.shape[:2], np.float32)
        for place, x, y, _, top, _ in laid:
            self._shade(shade, x, y, self._radius(place), top, mood)
        soft = cv2.GaussianBlur(shade, (0, 0), 1.5 * SCALE)
        art = art * (1 - mood.shadow[2] * soft[..., None])
        hidden: list[tuple[np.ndarray, float]] = []
        arm_shape = self._arm() if arm else None
        if arm_shape is not None:
            cast = np.zeros(art.shape[:2], np.float32)
            cv2.fillPoly(cast, [np.round((arm_shape + np.array(mood.shadow[:2]) * 30) * SCALE).astype(np.int32)], 1.0)
            art = art * (1 - 0.7 * mood.shadow[2] * cv2.GaussianBlur(cast, (0, 0), 8 * SCALE)[..., None])
        size = self.size
        board = cv2.warpPerspective(art, home @ np.diag([1 / SCALE, 1 / SCALE, 1]), size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.ones(art.shape[:2], np.float32), home @ np.diag([1 / SCALE, 1 / SCALE, 1]), size)
        picture = (
            picture * np.float32(mood.exposure) * np.array(mood.cast, np.float32) * (1 - mask[..., None])
            + board * mask[..., None]
        )
        for place, x, y, turn, top, bottom in laid:
            self._piece(picture, pinhole, place, x, y, turn, top, bottom, light)
        for _ in range(junk):
            self._junk(picture, pinhole, light)
        if arm_shape is not None:
            hidden.append((arm_shape, 30.0))
            self._slab(
                picture,
                pinhole,
                arm_shape,
                30.0,
                np.array(bgr(rng.uniform(0.02, 0.09), rng.uniform(0.3, 0.6), rng.uniform(0.3, 0.85))),
                light,
            )
        picture = self._glare(picture, pinhole, mood)
        picture = self._film(picture, mood)
        truth = {"state": state, "hidden": self._hidden(hidden, pinhole), "pose": pose, "laid": laid}
        self._frames += 1
        return picture, truth

    def _reach(self, place: Any) -> float:
        """How far off its place (mm) a hand lays a piece."""
        return 4.0 if place.group == "characters" else 2.0 if place.height_mm < 4 else 3.0

    def _turn(self, place: Any) -> float:
        """Degrees clockwise on the board (towards y)."""
        rng = self.rng
        if place.facing:
            here = np.array(self.board.mm(place.place))
            step = {"N": (0, -1), "NE": (1, -0.6), "SE": (1, 0.6), "S": (0, 1), "SW": (-1, 0.6), "NW": (-1, -0.6)}[place.facing]
            del here
            return float(np.degrees(np.arctan2(step[1], step[0])) + np.clip(rng.normal(0, 4), -8, 8))
        if place.group in ("gaslights", "covers"):
            return float(rng.integers(6) * 60 + rng.normal(0, 3))
        if place.group == "cordons":
            return float(rng.choice([0, 180, 27, -27, 207]) + rng.normal(0, 4))
        return float(rng.uniform(0, 360))

    def _radius(self, place: Any) -> float:
        return self.copy.radius if place.group == "characters" else min(place.size_mm) / 2

    def _light(self, mood: Mood) -> np.ndarray:
        h, w = self.copy.art.shape[:2]
        ys, xs = np.mgrid[0:h:8, 0:w:8].astype(np.float32) / SCALE
        width, height = self.board.size_mm
        even = np.exp(mood.slope[0] * (xs / width - 0.5) + mood.slope[1] * (ys / height - 0.5))
        lamp = 1 / (1 + ((xs - mood.lamp[0]) ** 2 + (ys - mood.lamp[1]) ** 2) / mood.lamp[2] ** 2) ** 1.5
        field_ = (1 - mood.lamp_share) * even + mood.lamp_share * lamp * 2.0
        field_ = field_ / np.percentile(field_, 90) * mood.exposure
        full = cv2.resize(field_.astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
        return full[..., None] * np.array(mood.cast, np.float32)

    def _shade(self, shade: np.ndarray, x: float, y: float, radius: float, top: float, mood: Mood) -> None:
        a, b = np.array([x, y]), np.array([x + mood.shadow[0] * top, y + mood.shadow[1] * top])
        for t in np.linspace(0, 1, 5):
            c = ((a * (1 - t) + b * t) * SCALE).astype(int)
            cv2.circle(shade, (int(c[0]), int(c[1])), int(radius * SCALE), 1.0, -1)

    def _outline(self, place: Any, x: float, y: float, turn: float) -> np.ndarray:
        if place.round:
            t = np.linspace(0, 2 * np.pi, 48, endpoint=False)
            return np.array([x, y]) + self._radius(place) * np.column_stack([np.cos(t), np.sin(t)])
        w, h = place.size_mm
        if place.group == "cordons":
            corners = np.array([(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)])
        else:
            corners = np.array([(w / 2, 0), (w / 4, h / 2), (-w / 4, h / 2), (-w / 2, 0), (-w / 4, -h / 2), (w / 4, -h / 2)])
        r = np.radians(turn)
        return np.array([x, y]) + corners @ np.array([[np.cos(r), np.sin(r)], [-np.sin(r), np.cos(r)]])

    def _local_light(self, light: np.ndarray, x: float, y: float) -> np.ndarray:
        h, w = light.shape[:2]
        return light[int(np.clip(y * SCALE, 0, h - 1)), int(np.clip(x * SCALE, 0, w - 1))]

    def _piece(
        self,
        picture: np.ndarray,
        pinhole: Registration,
        place: Any,
        x: float,
        y: float,
        turn: float,
        top: float,
        bottom: float,
        light: np.ndarray,
    ) -> None:
        outline = self._outline(place, x, y, turn)
        here = self._local_light(light, x, y)
        wood = LINEAR[np.clip(self.copy.wood[place.piece], 0, 255).astype(np.uint8)] * here
        lower, upper = pinhole.project(outline, bottom), pinhole.project(outline, top)
        blend(picture, cv2.convexHull(np.vstack([lower, upper]).astype(np.float32)).reshape(-1, 2), lambda box: wood * 0.55)
        face = self.copy.faces[(place.piece, place.face)]
        h, w = face.shape[:2]
        r = np.radians(turn)
        to_board = np.array([[np.cos(r), -np.sin(r), x], [np.sin(r), np.cos(r), y], [0, 0, 1]]) @ np.array(
            [[1 / SCALE, 0, -w / 2 / SCALE], [0, 1 / SCALE, -h / 2 / SCALE], [0, 0, 1]]
        )
        matrix = homography(pinhole, top) @ to_board
        shine = self.rng.uniform(0.92, 1.08)
        # Discs are lathed: a slightly brighter edge on the lamp's side.
        blend(
            picture,
            upper,
            lambda box: (
                cv2.warpPerspective(
                    LINEAR[face],
                    np.array([[1, 0, -box[0]], [0, 1, -box[1]], [0, 0, 1.0]]) @ matrix,
                    (box[2], box[3]),
                    flags=cv2.INTER_AREA,
                    borderMode=cv2.BORDER_REPLICATE,
                )
                * here
                * shine
            ),
        )

    def _slab(
        self,
        picture: np.ndarray,
        pinhole: Registration,
        outline: np.ndarray,
        height: float,
        colour: np.ndarray,
        light: np.ndarray,
    ) -> None:
        paint = LINEAR[np.clip(colour, 0, 255).astype(np.uint8)] * np.median(light, axis=(0, 1))
        shading = noise(self.rng, (self.size[1], self.size[0]), 60)
        blend(
            picture,
            pinhole.project(outline, height),
            lambda box: paint * np.exp(0.25 * shading[box[1] : box[1] + box[3], box[0] : box[0] + box[2], None]),
        )

    def _arm(self) -> np.ndarray:
        rng = self.rng
        width, height = self.board.size_mm
        tip = rng.uniform([0.2 * width, 0.2 * height], [0.8 * width, 0.8 * height])
        start = (
            np.array([rng.uniform(0, width), height + 120])
            if rng.uniform() < 0.6
            else np.array([rng.choice([-150, width + 150]), rng.uniform(0, height)])
        )
        d = (tip - start) / np.linalg.norm(tip - start)
        n = np.array([-d[1], d[0]])
        t = np.linspace(-np.pi / 2, np.pi / 2, 9)
        fist = tip + 42 * (np.cos(t)[:, None] * d + np.sin(t)[:, None] * n)
        return np.vstack([start - 35 * n, tip - 60 * d - 30 * n, fist, tip - 60 * d + 30 * n, start + 35 * n])

    def _junk(self, picture: np.ndarray, pinhole: Registration, light: np.ndarray) -> None:
        """A card, die or coin somewhere on the board."""
        rng = self.rng
        width, height = self.board.size_mm
        size = [(16, 16, 16), (60, 88, 0.5), (24, 24, 2)][rng.integers(3)]
        box = cv2.boxPoints(((rng.uniform(0, width), rng.uniform(0, height)), size[:2], rng.uniform(0, 180)))
        self._slab(
            picture, pinhole, box, size[2], np.array(bgr(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.95))), light
        )

    def _hidden(self, shapes: Sequence[tuple[np.ndarray, float]], pinhole: Registration) -> list[str]:
        spots = [*self.board.cells, *self.board.places]
        found = []
        for outline, height in shapes:
            contour = pinhole.project(outline, height).astype(np.float32).reshape(-1, 1, 2)
            for spot in spots:
                mm = np.array(self.board.mm(spot)) + 12 * np.array(
                    [(0, 0), (1, 0), (-1, 0), (0.5, 0.87), (-0.5, 0.87), (0.5, -0.87), (-0.5, -0.87)]
                )
                seen = pinhole.project(mm)
                if sum(cv2.pointPolygonTest(contour, (float(p[0]), float(p[1])), False) >= 0 for p in seen) >= 2:
                    found.append(spot)
        return found

    def _glare(self, picture: np.ndarray, pinhole: Registration, mood: Mood) -> np.ndarray:
        h, w = picture.shape[:2]
        ys, xs = np.mgrid[0:h:8, 0:w:8].astype(np.float32)
        veil = np.zeros(xs.shape, np.float32)
        for x, y, size, strength in mood.glare:
            c = pinhole.project([[x, y], [x + size, y]])
            s = np.linalg.norm(c[1] - c[0])
            veil += strength * np.exp(-((xs - c[0, 0]) ** 2 + (1.5 * (ys - c[0, 1])) ** 2) / (2 * s * s))
        full = cv2.resize(veil, (w, h), interpolation=cv2.INTER_LINEAR)[..., None]
        return picture + full * mood.gloss * np.array(mood.cast, np.float32)

    def _film(self, picture: np.ndarray, mood: Mood) -> np.ndarray:
        picture = cv2.remap(picture, *self._distort, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        if mood.blur > 0:
            picture = cv2.GaussianBlur(picture, (0, 0), mood.blur)
        picture = np.clip(picture, 0, 1)
        coded = 255 * np.where(
            picture <= 0.0031308, 12.92 * picture, 1.055 * np.sqrt(np.sqrt(np.maximum(picture, 1e-9))) ** (4 / 2.4) - 0.055
        )
        grain = np.empty(picture.shape, np.float32)
        # OpenCV's generator is one for the whole process: seeded here, a picture does not depend on those made before.
        cv2.setRNGSeed(int(self.grains.integers(1, 2**31)))
        cv2.randn(grain, 0, mood.noise)  # type: ignore[call-overload]
        image = np.clip(coded + grain, 0, 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, mood.quality])
        decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert decoded is not None
        return decoded

    @property
    def _distort(self) -> tuple[np.ndarray, np.ndarray]:
        if not hasattr(self, "_maps"):
            w, h = self.size
            ys, xs = np.mgrid[0:h:4, 0:w:4].astype(np.float64)
            rays = self.lens.undistort(np.column_stack([xs.ravel(), ys.ravel()]))
            flat = (rays @ self.lens.matrix[:2, :2].T + self.lens.matrix[:2, 2]).reshape((*xs.shape, 2)).astype(np.float32)
            grow = np.array([[4.0, 0, 0], [0, 4.0, 0]], np.float32)  # sample k sits at pixel 4k
            one, other = (
                cv2.warpAffine(
                    np.ascontiguousarray(flat[..., c]), grow, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
                )
                for c in (0, 1)
            )
            self._maps = one, other
        return self._maps

    def nudged(self, most_mm: float = 25.0) -> Registration:
        """The camera after a knock."""
        rng = self.rng
        turn = cv2.Rodrigues(rng.normal(0, 0.025, 3))[0]
        return Registration(
            self.pose.lens, turn @ self.pose.rotation, turn @ self.pose.translation + rng.normal(0, most_mm / 3, (3, 1))
        )

    def other_light(self) -> Mood:
        """The same room with another light."""
        fresh = self.make_mood()
        return replace(fresh, noise=self.mood.noise, blur=self.mood.blur, quality=self.mood.quality, gloss=self.mood.gloss)


def looking(tilt: float, roll: float, from_side: float) -> tuple[np.ndarray, np.ndarray]:
    """The rotation (board to camera) of a camera so tilted and rolled, that looks from some side but never from the far one,
    and which way it looks on the board. Degrees."""
    side, t, r = np.radians([from_side, tilt, roll])
    observation = np.array([np.sin(t) * np.sin(side), -np.sin(t) * abs(np.cos(side)), np.cos(t)])
    right = np.array([1.0, 0, 0]) - observation * observation[0]
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(observation, right), observation])
    return np.array([[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1]]) @ rotation, observation


def flat_truths(state: dict[str, Any]) -> dict[str, dict[str, str]]:
    """What lies flat where in a state of the first game: by group and spot, a tile's label or the group's name."""
    return {
        "gaslights": {spot: str(label) for spot, label in state["gaslights"].items()},
        "covers": dict.fromkeys(state["covers"], "covers"),
        "cordons": dict.fromkeys(state["cordons"], "cordons"),
        "turn": {f"turn-{state['turn']}": "turn"},
    }


def homography(pinhole: Registration, height: float) -> np.ndarray:
    """Board millimetres at a height to pixels."""
    r, t = pinhole.rotation, pinhole.translation.reshape(3)
    return pinhole.lens.matrix @ np.column_stack([r[:, 0], r[:, 1], t - r[:, 2] * height])


def blend(picture: np.ndarray, contour: np.ndarray, paint: Any) -> None:
    x0, y0 = np.maximum(np.floor(contour.min(0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(contour.max(0)).astype(int) + 3, (picture.shape[1], picture.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [np.round((contour - (x0, y0)) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    alpha = mask[..., None].astype(np.float32) / 255
    window = picture[y0:y1, x0:x1]
    window[:] = window * (1 - alpha) + np.asarray(paint((int(x0), int(y0), int(x1 - x0), int(y1 - y0))), np.float32) * alpha
