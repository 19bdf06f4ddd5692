"""Writes the bundled table of Get Adler!; run by hand when its story changes.

``python tests/vision/record_adler_table.py``: four hours are played at a refereed table without a camera, so every step is one
that the referee took as the story says; each time hands have been on the mat a picture of it is composed, of a deck that we
drew. Written are the pictures with their truth, the table profile by which the deck is known, and the script by which the
demo plays them: hands, and what the players say.
"""

import json
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

sys.path.append(str(Path(__file__).parents[1]))

import cv2
import numpy as np
from card_art import faces, hour_marker, printed_mat
from demo_files import frame_markers, places, scene, write
from playwright.sync_api import sync_playwright
from testkit.adler_at_table import AdlerAtTable
from testkit.adler_table import GAME
from testkit.browser import CHROMIUM

from companion.calibration.cards import CardTeacher
from companion.calibration.profile import TableProfile
from companion.calibration.training.card_table import CARD_MM, SCALE, TABLE, CardTable, Light
from companion.calibration.training.stickers_composed import Shot, marker_art
from companion.games.get_adler.mat import Laid
from companion.vision.frame import Frame, Image

ID = "get-adler"
FOLDER = Path(__file__).resolve().parents[2] / "companion" / "demo" / ID
BOARD, PIECES = GAME.board(GAME.editions()[0]), GAME.pieces()
SHOT = Shot(
    size=(1440, 1080),
    tilt=9.0,
    roll=0.5,
    px_per_mm=3.0,
    distortion=(0.0,) * 5,
    noise=0.0,
    blur=0.45,
    vignette=0.15,
    quality=100,
)
LIGHT = Light(1.04, (0.1, -0.06), (0.97, 1.0, 1.03), 0.0)
QUALITY = 84
ARM = {"grab": [447, 47], "scale": 1.25, "speed": 3000, "dwell": 0.2, "reach": 190}
CARD_SIZE = PIECES.groups["cards"].size_mm
ROLES = {"seat-1": "gold", "seat-2": "sharpe", "seat-4": "adler as townsend", "seat-5": "townsend"}
TRAITS = {
    "adler": {"hat": "black", "hair": "fair", "eyes": "green", "coat": "brown"},
    "gold": {"hat": "grey", "hair": "red", "eyes": "green", "coat": "blue"},
    "sharpe": {"hat": "black", "hair": "grey", "eyes": "blue", "coat": "grey"},
    "townsend": {"hat": "grey", "hair": "fair", "eyes": "brown", "coat": "brown"},
}
"""Of our own making: the traits of a printed copy are its owner's to enter."""
Json = dict[str, Any]


@dataclass
class Step:
    """One picture: its kind, its words, what lies there, the zones hands visit, seconds of rest after it, and what the players
    say meanwhile. ``bare``: nothing lies on the mat at all."""

    kind: str
    note: str
    laid: Laid
    touch: tuple[str, ...] = ()
    rest: float = 3.0
    says: list[tuple[float, Json]] = field(default_factory=list)
    bare: bool = False


class Story:
    """A game played for the camera."""

    def __init__(self, folder: Path) -> None:
        self.table = AdlerAtTable(folder)
        start = self.table.state.mat.laid
        self.steps = [
            Step("empty", "the bare mat", Laid(), bare=True),
            Step("start", "the deck, and the marker of hour 1; everybody keeps the role in hand", start, ("deck", "hour-1")),
        ]
        assert "table-agreed" in [*self.table.show(), *self.table.show()]

    def show(
        self, kind: str, note: str, came: str, laid: Laid, *touch: str, rest: float = 2.5
    ) -> None:  # fmt: skip
        """Hands bring the mat to this; ``came``: the event that must come of it."""
        events = self.table.show(laid)
        assert came in events or not came, (note, came, events)
        self.steps.append(Step(kind, note, laid, touch, rest))

    def lay(self, zone: str, card: str, came: str = "play", *, kind: str = "move", note: str = "", rest: float = 2.5) -> None:
        """A card lands, drawn before where a turn begins with it, and the marker of an hour that has begun with it."""
        state = self.table.state
        laid = state.mat.laid
        cards = {**dict(laid.cards), zone: (*laid.zone(zone), card)}
        drawn = ("deck",) if state.books.step in ("draw", "play") and came == "play" else ()
        missing = tuple(hour for hour in laid.hours if hour not in self.steps[-1].laid.hours)
        after = Laid(tuple(sorted(cards.items())), laid.roles, laid.hours)
        self.show(kind, note or f"{card} on {zone}", came, after, *missing, *drawn, zone, rest=rest)

    def say(self, wait: float, came: str, **answer: Any) -> None:
        """A player says something, ``wait`` seconds after the answer before or the hands; ``came``: the event."""
        step = self.steps[-1]
        events = list(self.table.table.answer(answer)["events"])
        assert came in events, (answer, came, events)
        step.says.append((wait + (step.says[-1][0] if step.says else 0.0), answer))
        step.rest = max(step.rest, step.says[-1][0] + 2.0)

    def ask(self, seat: str, trait: str, colour: str) -> None:
        """The question that was laid last is put to a seat, whose entrusted role answers it."""
        self.say(1.6, "pointed", kind="on", on=seat)
        self.say(1.3, "pointed", kind="ask", trait=trait)
        self.say(1.3, "answered", kind="ask", trait=trait, colour=colour)


def chase(folder: Path) -> list[Step]:
    """Three hours of questions, an early arrest put right; then a false arrest, the reveal, an escape with a hero after it, and
    a gun fight that the villain loses."""
    story = Story(folder)
    for seat, role in ROLES.items():
        story.say(1.2, "secret", kind="entrust", seat=seat, purpose="role", value=role)
    story.say(1.2, "traits", kind="traits", traits=TRAITS)
    story.say(1.5, "start", kind="start", who="seat-1")
    story.lay("pile", "question")
    story.ask("seat-4", "hair", "fair")
    story.lay("pile", "magnifier")
    story.say(1.8, "act", kind="on", on="seat-5")
    story.lay("pile", "document")
    story.lay("pile", "question")
    story.ask("seat-2", "hat", "grey")
    story.lay("pile", "escape-car")
    legal = story.table.state.mat.laid
    story.lay("place-4", "arrest", "flag", kind="illegal", note="an arrest in hour 2", rest=6.0)
    lifted = story.table.state.mat.laid
    assert lifted == legal
    piled = Laid(
        tuple(sorted({**dict(legal.cards), "pile": (*legal.zone("pile"), "arrest")}.items())), legal.roles, legal.hours
    )
    story.show("move", "the arrest is only discarded", "play", piled, "place-4", "pile", rest=3.5)
    story.lay("pile", "binoculars")
    story.say(1.8, "act", kind="on", on="seat-1")
    story.lay("pile", "document")
    story.lay("pile", "question")
    story.ask("seat-4", "eyes", "green")
    story.lay("pile", "gun")
    story.lay("pile", "document")
    story.lay("pile", "escape-bicycle")
    story.lay("place-5", "arrest", note="a false arrest", rest=4.0)
    story.show("position", "its card goes to the discard pile", "laid", story.table.state.mat.laid, "place-5", "pile", rest=2.5)
    story.lay("place-4", "arrest", note="the villain is arrested", rest=4.5)
    up = story.table.state.mat.laid
    story.show("position", "the roles are laid up", "", up, "role-1", "role-2", "role-4", "role-5", rest=2.5)
    story.lay("place-4", "escape-bus", rest=3.0)
    story.lay("place-4", "escape-bus", note="a hero goes after", rest=3.0)
    story.say(1.8, "act", kind="matched", who="seat-2")
    for shooter in ("the villain", "the hero", "the villain", "the hero"):
        story.lay("place-4", "gun", note=f"{shooter} shoots", rest=2.5)
    story.say(2.0, "act", kind="stop", seat="seat-4")
    story.lay("place-4", "gun", note="the hero shoots once more", rest=2.5)
    story.say(2.5, "outcome", kind="stop", seat="seat-4")
    story.steps[-1].rest = 9.0
    story.table.close()
    return story.steps


# --- pictures ---------------------------------------------------------------------------------------------------------


class Mat(CardTable):
    """The printed mat with a deck of our own drawing on it."""

    def __init__(self, art: np.ndarray) -> None:
        self._art = art
        super().__init__(BOARD, SHOT, pieces=PIECES)
        self.bare = self.film()

    def _ground(self, printed: bool) -> np.ndarray:
        width, height = (round((side + 2 * TABLE) * SCALE) for side in self.board.size_mm)
        rng = np.random.default_rng(5)
        grain = cv2.resize(
            rng.normal(0, 5, (height // 9, 30)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
        canvas = np.clip(np.array((52, 72, 96)) + grain[..., None], 0, 255).astype(np.uint8)
        edge = round(TABLE * SCALE)
        art = np.clip(self._art, 28, 232)  # a printer's black and a paper's white
        canvas[edge : edge + art.shape[0], edge : edge + art.shape[1]] = art
        picture: Image = np.zeros((self.shot.size[1], self.shot.size[0], 3), np.uint8)
        self.warp(picture, canvas, (-TABLE, -TABLE), 0.0)
        return picture

    def picture(self, light: Light = LIGHT, seed: int = 0, film: np.ndarray | None = None) -> np.ndarray:
        """A picture without noise: the demo adds a sensor's grain."""
        height, width = self._film.shape[:2]
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        lit = light.exposure * (1 + light.slope[0] * x + light.slope[1] * y) * (1 - self.shot.vignette * (x * x + y * y) / 2)
        image = cv2.GaussianBlur(
            self._film.astype(np.float32) * lit[..., None] * np.float32(light.tint), (0, 0), self.shot.blur
        )
        return np.asarray(np.clip(image, 0, 255), np.uint8)

    def arrange(self, step: Step, art: Mapping[str, np.ndarray]) -> None:
        """Have everything lie as a step says; what lay there lies as it lay."""
        self.restore(self.bare)
        if step.bare:
            return
        for hour in step.laid.hours:
            side = PIECES.groups["hours"].size_mm
            self.lay(art[hour], BOARD.mm(hour), _chance(hour, 3.0)[2], 2.0 - CARD_MM, size_mm=side)
        for height in range(0, 10, 2):
            self._put(art["cards:back"], "deck", height)
        for zone, role in step.laid.roles:
            self._put(art[f"{role}:up"], zone)
        for zone, cards in step.laid.cards:
            for rank, card in enumerate(cards):
                self._put(art[_KEYS.get(card, f"cards:{card}")], zone, rank, 2.6)

    def _put(self, art: np.ndarray, zone: str, rank: int = 0, off_mm: float = 0.5) -> None:
        x, y = BOARD.zones[zone].middle
        if zone == "pile":
            off_mm, x = 6.0, x - 4.0
        aside, down, turn = _chance(f"{zone} {rank if zone != 'deck' else 0}", off_mm)
        self.lay(art, (x + aside, y + down * 0.6), turn, CARD_MM * rank, size_mm=CARD_SIZE)


_KEYS = {"disguise": "disguise-1:disguise"}


def _chance(name: str, most: float) -> tuple[float, float, float]:
    """How far aside and down of its middle (mm) something lies, and how turned (degrees): the same whenever it lies there."""
    aside, down, turn = np.random.default_rng(crc32(name.encode())).uniform(-most, most, 3)
    return float(aside), float(down), float(turn)


def taught(mat: Mat, art: Mapping[str, np.ndarray]) -> TableProfile:
    """The profile of a table at which each face was shown once."""
    mat.restore(mat.bare)
    teacher = CardTeacher(_frame(mat.picture()), BOARD, PIECES, mat.registration.lens)
    for key in teacher.faces:
        mat.restore(mat.bare)
        mat.lay(art[key], (164.0, 148.0), 0.6, size_mm=CARD_SIZE)
        doubts = teacher.show(key, _frame(mat.picture()))
        assert doubts == (), (key, doubts)
    report = teacher.report()
    assert report.ready, report.sentences
    return TableProfile(BOARD.id, BOARD.edition, "cards", teacher.lens, note="our own drawing", cards=report.teaching)


def _frame(image: np.ndarray) -> Frame:
    return Frame(image, 0.0, "made", 0)


def drawn() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Every face and hour marker, and the mat."""
    drawing = json.loads((FOLDER.parents[1] / "boards" / "data" / f"{ID}.json").read_text("utf-8"))["drawing"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        art = faces(BOARD, PIECES, drawing, browser)
        hours = PIECES.groups["hours"]
        for sticker in PIECES.stickers.values():
            if sticker.piece.startswith("hour-marker"):
                number = int(sticker.piece[-1])
                tag = marker_art(PIECES.dictionary, sticker.marker, hours.marker_mm, hours.quiet_mm)
                art[f"hour-{number}"] = hour_marker(number, hours.size_mm[0], tag, browser)
        mat = printed_mat(BOARD, PIECES, browser)
        browser.close()
    return art, mat


def main() -> None:
    folder = FOLDER / "table"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.jpg"):
        old.unlink()
    with tempfile.TemporaryDirectory() as scratch:
        steps = chase(Path(scratch))
    art, printed = drawn()
    mat = Mat(printed)
    registration = mat.registration
    frames: list[Json] = []
    scenes: list[Json] = []
    for number, step in enumerate(steps):
        file = f"{number:03}.jpg"
        mat.arrange(step, art)
        cv2.imwrite(str(folder / file), mat.picture(), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        frames.append({"file": file, "kind": step.kind, "note": step.note, "state": step.laid.to_json()})
        scenes.append(scene(file, places(registration, BOARD, step.touch, 6.0), step.rest, step.says))
    taught(mat, art).save(folder / "profile.json")
    table = {"mode": "cards", "deck": "profile.json", "markers": frame_markers(PIECES), "frames": frames}
    write(FOLDER, ID, BOARD, registration, table, {"size": SHOT.size, "arm": ARM, "scenes": scenes})


if __name__ == "__main__":
    main()
