"""Writes the bundled table of Letters from Whitechapel; run by hand when its story changes.

``python tests/vision/record_whitechapel_table.py``: a first night is played at a refereed table without a camera, so every
step of it is one that the referee took as the story says; each time hands have been on the board a picture of it is composed.
Written are the pictures with their truth, and the script by which the demo plays them: hands, and what the players say.
"""

import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zlib import crc32

sys.path.append(str(Path(__file__).parents[1]))

import cv2
import numpy as np
from demo_files import frame_markers, places, scene, write
from playwright.sync_api import sync_playwright
from surfaces import Put, shoot
from testkit.browser import CHROMIUM
from testkit.night_table import NightTable, sightings
from whitechapel_table import BOARD, PIECES, SLOPPY_MM, shot

from companion.calibration.training.stickers_composed import SCALE, pose
from companion.games.letters_from_whitechapel.drawing import board_svg
from companion.games.letters_from_whitechapel.names import ID
from companion.games.letters_from_whitechapel.table import Laid
from companion.vision.reading import Sighting

FOLDER = Path(__file__).resolve().parents[2] / "companion" / "demo" / ID
SIZE = (2560, 1440)
"""Pixels: the smallest stickers, of 7.2 mm, are 17 pixels wide."""
SHOT = replace(shot(SIZE, 10.0), roll=0.6, noise=0.0, blur=0.5, vignette=0.15, slope=(0.1, -0.06), quality=100)
QUALITY = 80
ARM = {"grab": [447, 47], "scale": 1.34, "speed": 3600, "dwell": 0.2, "reach": 70}
COLOURS: dict[str, tuple[int, int, int]] = {
    "police-blue": (150, 85, 40), "police-yellow": (40, 180, 225), "police-brown": (35, 65, 110),
    "police-red": (45, 45, 180), "police-green": (70, 125, 45),
    "patrols": (62, 66, 74), "women": (120, 120, 165), "wretched": (205, 210, 215), "scenes": (40, 40, 165),
    "clues": (110, 205, 235), "specials": (150, 185, 195), "pawn": (45, 40, 40), "time": (190, 215, 225), "night": (45, 40, 40),
}  # fmt: skip
"""Blue, green and red, by piece or group."""
Json = dict[str, Any]


@dataclass
class Step:
    """One picture: its kind, its words, what lies there, seconds of rest after it, and what the players say meanwhile."""

    kind: str
    note: str
    laid: Laid
    rest: float
    says: list[tuple[float, Json]] = field(default_factory=list)


class Story:
    """A night played for the camera."""

    def __init__(self, folder: Path) -> None:
        self.table, self.steps = NightTable(folder), [Step("empty", "the bare board with its frame markers", Laid(), 3.0)]

    def lay(self, kind: str, note: str, came: str, rest: float = 4.0, **changes: Any) -> None:
        """Hands bring the table to what is asked for, with these ``changes``; ``came``: the event that must come of it."""
        laid = replace(self.table.goal.laid, **changes)
        events = self.table.show(laid)
        assert came in events, (note, came, events, self.table.faults)
        self.steps.append(Step(kind, note, laid, rest))

    def walk(self, kind: str, note: str, came: str, rest: float = 4.0, **to: str) -> None:
        """Policemen walk."""
        stand = tuple((colour, to.get(colour, spot)) for colour, spot in self.table.goal.laid.police)
        self.lay(kind, note, came, rest, police=stand)

    def say(self, wait: float, came: str, **answer: Any) -> None:
        """A player says something, ``wait`` seconds after the answer before or the hands; ``came``: the event."""
        step = self.steps[-1]
        events = list(self.table.table.answer(answer)["events"])
        assert came in events, (answer, came, events)
        step.says.append((wait + (step.says[-1][0] if step.says else 0.0), answer))
        step.rest = max(step.rest, step.says[-1][0] + 1.5)

    def tell(self, wait: float, seat: str, purpose: str, value: str) -> None:
        """A seat entrusts a secret."""
        self.say(wait, "secret", kind="entrust", seat=seat, purpose=purpose, value=value)


def night(folder: Path) -> list[Step]:
    """A murder at 84, a clue at 86, an alley; two arrests, the second at the right circle."""
    story = Story(folder)
    story.lay("start", "the pawn of the night on the first", "table-agreed")
    women = tuple((spot, "down") for spot in ("3", "21", "27", "65", "84", "147", "149", "158"))
    story.lay("move", "Jack lays eight women's tokens", "play", women=women)
    story.tell(1.5, "jack", "hideout", "139")
    story.tell(1.0, "jack", "women-1", "3 21 27 65 84")
    story.say(2.0, "act", kind="head", colour="brown")
    yellow = ("x042", "x044", "x058", "x137", "x143", "x156", "x181")
    story.lay(
        "move", "the head of the investigation lays seven patrol tokens", "play", patrols=tuple((x, "down") for x in yellow)
    )
    for wait, spot in zip((1.5, 0.6, 0.6, 0.6, 0.6), yellow, strict=False):
        story.tell(wait, "brown", "patrols-1", spot)
    story.lay("position", "the women are turned up: the Wretched stand there, the hour is I", "laid", 3.0)
    story.say(2.5, "act", kind="kill", circles=[84])
    story.lay("position", "a crime scene at 84, Jack's pawn on the track", "laid")
    story.lay("position", "the patrol tokens are turned up: the policemen come", "laid", 3.0)
    story.say(2.0, "moving", kind="moving", how="walk", home=False)
    story.tell(1.0, "jack", "move", "86")
    story.lay("position", "Jack's pawn goes on by one space", "laid")
    story.walk("move", "brown: x058 to x085", "play", brown="x085")
    story.walk("illegal", "red, wrong: x137 to x091, three crossings away", "flag", 7.0, red="x091")
    story.walk("move", "the same move put right: red to x119", "flag-cleared", red="x119")
    story.walk(
        "move", "green x143 to x128, blue x042 to x068, yellow x044 to x062", "play", green="x128", blue="x068", yellow="x062"
    )
    story.say(2.0, "answered", kind="search", circle=68, seat="brown")
    story.say(2.5, "answered", kind="search", circle=86, seat="brown")
    story.lay("position", "the clue marker on 86", "laid", 3.0)
    story.say(1.5, "answered", kind="search", circle=85, seat="red")
    story.say(2.0, "act", kind="stop", seat="red")
    story.say(1.5, "answered", kind="search", circle=100, seat="green")
    story.say(2.0, "act", kind="stop", seat="green")
    for colour in ("blue", "yellow"):
        story.say(1.2, "act", kind="stop", seat=colour)
    story.say(2.5, "moving", kind="moving", how="alley", home=False)
    story.tell(1.0, "jack", "move", "102")
    story.lay("position", "an alley token beside the space, Jack's pawn on it", "laid", 3.0)
    story.say(1.5, "play", kind="stay", seat="brown")
    story.walk("move", "red x119 to x138", "play", 3.0, red="x138")
    for colour in ("green", "blue", "yellow"):
        story.say(1.0, "play", kind="stay", seat=colour)
    story.say(2.5, "answered", kind="arrest", circle=68, seat="brown")
    story.say(3.0, "outcome", kind="arrest", circle=102, seat="red")
    story.table.close()
    return story.steps


# --- pictures ---------------------------------------------------------------------------------------------------------


def printed() -> np.ndarray:
    """Our own drawing of the board, ``SCALE`` pixels a millimetre."""
    width, height = (round(side) for side in BOARD.size_mm)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=SCALE)
        page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:{width}px}}</style>{board_svg()}")
        encoded = page.screenshot()
        browser.close()
    drawn = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    return np.asarray(drawn, np.uint8)


def put(laid: Laid) -> list[Put]:
    """The pieces, each lying as it lay before as long as it stays where it is: tokens first, then pawns, the nearest last."""
    found: list[tuple[bool, float, Put]] = []
    for one in sightings(laid):
        group = PIECES.group_of(one.piece)
        rng = np.random.default_rng(crc32(f"{group.key} {one.place}".encode()))
        off, turn = rng.uniform(-SLOPPY_MM, SLOPPY_MM, 2), float(rng.uniform(0, 360))
        colour = COLOURS.get(one.piece) or COLOURS[group.key]
        found.append(
            (group.shape == "pawn", BOARD.mm(one.place)[1], Put(one.piece, one.place, one.face, (off[0], off[1]), turn, colour))
        )
    return [one for _, _, one in sorted(found, key=lambda entry: entry[:2])]


def touched(before: Laid, after: Laid) -> list[str]:
    """The places on which hands took or laid something: what goes away first, from left to right."""
    was, now = ({(one.piece, one.place, one.face) for one in alike(laid)} for laid in (before, after))
    return [*_in_order(spot for _, spot, _ in was - now), *_in_order(spot for _, spot, _ in now - was)]


def alike(laid: Laid) -> Iterable[Sighting]:
    """Sightings without the names of pieces that look alike."""
    for one in sightings(laid):
        group = PIECES.group_of(one.piece)
        yield one if group.layout == "by-piece" else replace(one, piece=group.key)


def _in_order(spots: Iterable[str]) -> list[str]:
    return sorted(set(spots), key=BOARD.mm)


def main() -> None:
    folder = FOLDER / "table"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        steps = night(Path(scratch))
    registration, art = pose(BOARD, SHOT), printed()
    frames: list[Json] = []
    scenes: list[Json] = []
    before = steps[0].laid
    for number, step in enumerate(steps):
        file = f"{number:03}.jpg"
        cv2.imwrite(str(folder / file), shoot(BOARD, PIECES, put(step.laid), SHOT, 3, art), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        frames.append({"file": file, "kind": step.kind, "note": step.note, "state": step.laid.to_json()})
        touch = places(registration, BOARD, touched(before, step.laid), 6.0)
        scenes.append(scene(file, touch, step.rest, step.says))
        before = step.laid
    table = {"mode": "marked", "markers": frame_markers(PIECES), "frames": frames}
    write(FOLDER, ID, BOARD, registration, table, {"size": SIZE, "arm": ARM, "scenes": scenes})


if __name__ == "__main__":
    main()
