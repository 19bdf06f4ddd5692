"""What cameras do to a film by themselves, and whether a watched table is read through it.

    python -m companion.calibration.training.camera_faults marked|plain SEED [FAULT...]

A made-up table of Mr. Jack (London) at its start position; ``MOVES`` pieces are moved by an arm, one after the other, each
lying still for ``REST_S`` afterwards. Printed for each fault: when the first reading settled, how many settled readings were
false, how many moves were not read, how long after the arm had left the others were, and what was said. The reader is taught
without the fault.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import boards
from companion.boards import Board, PieceSet
from companion.calibration.training.composed import Table
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose
from companion.vision.camera import Registration
from companion.vision.frame import Frame, Image
from companion.vision.marked.reader import MarkedReader
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.reader import Reader
from companion.vision.table_sets.scoring import WRONG, compare
from companion.vision.watching.watcher import Watcher

RATE = 15.0
"""Pictures a second."""
MOVES, REST_S = 3, 3.5
SIZE = (1280, 720)
GAME = "mr-jack-london"
Fault = Callable[[Image, int, float], Image]
"""A picture as the camera gives it: of the picture as it should be, its number in the film, and for how many seconds an arm has
been in it (positive) or gone (negative)."""


def plain_picture(image: Image, number: int, arm_s: float) -> Image:
    """A camera without faults."""
    return image


def grained(image: Image, number: int, levels: float) -> Image:
    """Noise of a standard deviation of so many levels, of every pixel and colour by itself."""
    noise = np.empty(image.shape, np.int16)
    cv2.setRNGSeed(number)
    cv2.randn(noise, np.zeros(3), np.full(3, levels))
    return np.asarray(cv2.add(image, noise, dtype=cv2.CV_8U), np.uint8)


def coded(image: Image, quality: int) -> Image:
    """A picture compressed as JPEG."""
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR), np.uint8
    )


def warped(image: Image, turn_deg: float = 0.0, shift: tuple[float, float] = (0, 0), scale: float = 1.0) -> Image:
    """The picture as the camera sees it after it was turned about its axis, pushed (pixels) and zoomed."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), turn_deg, scale)
    matrix[:, 2] += np.array(shift)
    return np.asarray(cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def dim(image: Image, number: int, arm_s: float) -> Image:
    """Noise of a dim room, compressed."""
    return coded(grained(image, number, 9), 50)


def strongly_coded(image: Image, number: int, arm_s: float) -> Image:
    """A film of few bits."""
    return coded(grained(image, number, 2), 30)


def pulsing(image: Image, number: int, arm_s: float) -> Image:
    """A film whose keyframes, every two seconds, are coarse, and grow fine within half a second."""
    return coded(grained(image, number, 2), int(25 + 50 * min(1, number % 30 / 8)))


def banded(image: Image, number: int, arm_s: float) -> Image:
    """Lamps that flicker with the mains, by 8 %, over rows that are exposed one after the other."""
    rows = 1 + 0.08 * np.sin(3 * np.pi * np.arange(image.shape[0]) / image.shape[0] + 2.3 * number)
    return np.clip(image * rows[:, None, None], 0, 255).astype(np.uint8)


def trembling(image: Image, number: int, arm_s: float) -> Image:
    """A camera on an arm that trembles by up to two pixels."""
    at = number / RATE
    return warped(image, 0, (1.2 * np.sin(2 * np.pi * 7 * at + 0.4 * number), 1.5 * np.sin(2 * np.pi * 5.3 * at)))


def wandering(image: Image, number: int, arm_s: float) -> Image:
    """A stabilised film that wanders by up to four pixels."""
    at = number / RATE
    across = 2.2 * np.sin(1.3 * at) + 1.8 * np.sin(3.1 * at)
    return warped(image, 0, (across, 2.0 * np.sin(1.7 * at + 1) + 1.6 * np.sin(2.9 * at)))


def refocusing(image: Image, number: int, arm_s: float) -> Image:
    """A camera that focuses the arm, seeing a little closer then, and the board again 0.4 to 1.6 s after it has gone."""
    if arm_s > 0:
        out = float(np.clip((arm_s - 0.1) / 0.3, 0, 1))
    else:
        out = float(np.clip((0.9 + arm_s) / 0.5, 0, 1)) + 0.6 * float(np.sin(np.pi * np.clip((-arm_s - 1) / 0.6, 0, 1)))
    seen = warped(image, scale=1 + 0.012 * out)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 3.5 * out), np.uint8) if out > 0.05 else seen


def unsharp(image: Image, number: int, arm_s: float) -> Image:
    """A camera that has lost its focus by 1.3 pixels since the copy was taught."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.3), np.uint8)


def sharpened(image: Image, number: int, arm_s: float) -> Image:
    """A camera that sharpens a noisy picture."""
    noisy = grained(image, number, 4)
    return np.asarray(cv2.addWeighted(noisy, 2.2, cv2.GaussianBlur(noisy, (0, 0), 2), -1.2, 0), np.uint8)


def evened(image: Image, number: int, arm_s: float) -> Image:
    """A camera that evens light and dark parts out, the more while an arm is there."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    around = cv2.GaussianBlur(grey, (0, 0), 60)[..., None] + 1
    return np.clip(image * (120 / around) ** (0.25 if arm_s > 0 else 0.15), 0, 255).astype(np.uint8)


def sagging(image: Image, number: int, arm_s: float) -> Image:
    """A camera that sinks by half a pixel a second."""
    return warped(image, 0.002 * number, (0, 0.04 * number))


def shaded(image: Image, number: int, arm_s: float) -> Image:
    """Somebody who rocks to and fro between the lamp and the board, every five seconds."""
    across = np.linspace(0, 1, image.shape[1])
    edge = 0.35 + 0.35 * np.sin(2 * np.pi * number / RATE / 5)
    light = 1 - 0.3 / (1 + np.exp((across - edge) / 0.03))
    return np.clip(image * light[None, :, None], 0, 255).astype(np.uint8)


FAULTS: Mapping[str, Fault] = {
    "none": plain_picture, "dim": dim, "strongly-coded": strongly_coded, "pulsing": pulsing, "banded": banded,
    "trembling": trembling, "wandering": wandering, "refocusing": refocusing, "unsharp": unsharp, "sharpened": sharpened,
    "evened": evened, "sagging": sagging, "shaded": shaded,
}  # fmt: skip


class FilmedTable:
    """A made-up table, the reader of its copy, and pictures of positions on it."""

    def __init__(self, marked: bool, seed: int) -> None:
        self.board, self.pieces = boards.load(GAME), boards.load_pieces(GAME)
        self.start: dict[str, Any] = dict(self.board.start)
        if marked:
            self._shot = Shot(size=SIZE, tilt=12, px_per_mm=1.4, noise=0, blur=0.5, seed=seed)
            self.pose: Registration = pose(self.board, self._shot)
            self._table: Table | None = None
            reader = MarkedReader(self.board, self.pieces, self.pose.lens)
            bare = Frame(self.picture(EMPTY), 0.0, "made")
            reader.learn(bare, reader.read(bare))
            self.reader: Reader = reader
        else:
            self._table = table = Table(self.board, self.pieces, seed, size=SIZE, tilt_most=25.0)
            self.pose = table.pose
            empty, first = (Frame(self.picture(state), 0.0, "made") for state in ({}, self.start))
            self.reader = PlainReader(
                self.board, self.pieces, teach(empty, first, self.board, self.pieces, table.lens, self.start)
            )

    def picture(self, state: Any) -> Image:
        """A picture of a position, without noise where there are stickers."""
        if self._table is not None:
            return self._table.shoot(state)[0]
        return compose(Scene(self.board, self.pieces, state, jitter=1), self._shot)


def positions(board: Board, start: dict[str, Any], seed: int) -> list[tuple[dict[str, Any], str, str, str]]:
    """The start and so many later ones, each with who was moved from where to where."""
    rng, found = np.random.default_rng([seed, 77]), [(start, "", "", "")]
    for _ in range(MOVES):
        people = found[-1][0]["characters"]
        who = str(rng.choice(sorted(people)))
        to = str(rng.choice(sorted(board.of_kind("street") - {entry["hex"] for entry in people.values()})))
        after = found[-1][0] | {"characters": people | {who: people[who] | {"hex": to}}}
        found.append((after, who, str(people[who]["hex"]), to))
    return found


def arm(image: Image, reach: float, at: float = 0.5) -> Image:
    """A sleeve, a hand: from the lower edge of the picture up to ``reach`` (share of the height), at a share of the width."""
    height, width = image.shape[:2]
    made, x, tip = image.copy(), round(at * width), round(height * (1 - reach))
    wrist = (x, round((tip + height) / 2))
    cv2.line(made, (x + round(0.05 * width), height + 40), wrist, (70, 45, 40), round(0.085 * width), cv2.LINE_AA)
    cv2.line(made, wrist, (x - round(0.02 * width), tip), (140, 165, 215), round(0.05 * width), cv2.LINE_AA)
    return made


def reaching(image: Image, at: NDArray[np.float64], share: float) -> Image:
    """The picture with an arm in it that has gone a share of its way to a point (pixels)."""
    height, width = image.shape[:2]
    return arm(image, share * (1 - float(at[1]) / height), float(at[0]) / width)


def film(table: FilmedTable, told: list[tuple[dict[str, Any], str, str, str]]) -> Iterator[tuple[Image, float, int]]:
    """The pictures of a film, each with how long an arm has been there or gone (s) and which position lies there."""
    shown = [table.picture(state) for state, *_ in told]
    gone_s = 100.0
    for number, (_, _, begin, end) in enumerate(told):
        if number:
            ways = ((number - 1, begin, (0.5, 0.75, 1, 1, 1)), (number, end, (1, 1, 1, 0.75, 0.5)))
            arms = [(which, table.board.mm(cell), share) for which, cell, shares in ways for share in shares for _ in range(2)]
            for step, (which, mm, share) in enumerate(arms):
                yield reaching(shown[which], table.pose.project(np.array([mm]))[0], share), (step + 1) / RATE, -1
            gone_s = 0.0
        for _ in range(round(REST_S * RATE)):
            gone_s += 1 / RATE
            yield shown[number], -gone_s, number


def watched(table: FilmedTable, seed: int, fault: Fault) -> dict[str, Any]:
    """How a table is read through a fault."""
    told = positions(table.board, table.start, seed)
    watcher, begun = Watcher(table.reader, table.board), time.process_time()
    first, false, said = None, 0, []
    read: dict[int, float] = {}
    for number, (image, arm_s, lies) in enumerate(film(table, told)):
        analysis = watcher.see(Frame(fault(image, number, arm_s), number / RATE, "film"))
        said += [notice.code for notice in analysis.notices]
        reading = analysis.settled
        if reading is None or lies < 0:
            continue
        state, who, _, to = told[lies]
        first = number / RATE if first is None else first
        false += _is_false(reading, state, table.board, table.pieces)
        seen = reading.of(who) if who else None
        if who and (reading.lying.get(who) == to or (seen is not None and seen.place == to)):
            read.setdefault(lies, round(-arm_s, 2))
    return {
        "first": first, "false": false, "not read": MOVES - len(read), "waits": list(read.values()),
        "said": {code: said.count(code) for code in dict.fromkeys(said)}, "cpu_s": round(time.process_time() - begun, 1),
    }  # fmt: skip


def _is_false(reading: Any, state: dict[str, Any], board: Board, pieces: PieceSet) -> bool:
    return any(v.verdict == WRONG for v in compare(state, reading.state(board, pieces), reading.unknown, pieces))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("mode", choices=("marked", "plain"), help="with stickers, or unmodified")
    parser.add_argument("seed", type=int, help="of the copy and the moves")
    parser.add_argument("faults", nargs="*", metavar="FAULT", help=f"of {', '.join(FAULTS)} (all)")
    options = parser.parse_args()
    for name in options.faults or FAULTS:
        table = FilmedTable(options.mode == "marked", options.seed)
        print(options.mode, options.seed, name, watched(table, options.seed, FAULTS[name]), flush=True)


if __name__ == "__main__":
    main()
