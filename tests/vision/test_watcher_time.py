"""The watcher's settle rule: how soon after a hand has left, and what must never count as a move."""

import cv2
import numpy as np
import pytest
from test_watcher import BOARD, PIECES, RATE, SHOT, Film, arm_over, pictures, settled

from companion.calibration.training.stickers_composed import Scene, compose, pose

__all__ = ["pictures"]
FRAME = 1 / RATE


def slid(start: dict, piece: str, to: str, steps: int) -> list[np.ndarray]:
    """Pictures of a disc that slides from its cell to another in a straight line, without a hand in sight."""
    home = start["characters"][piece]["hex"]
    others = start | {"characters": {name: entry for name, entry in start["characters"].items() if name != piece}}

    def resting(cell: str) -> np.ndarray:
        characters = others["characters"] | {piece: start["characters"][piece] | {"hex": cell}}
        return compose(Scene(BOARD, PIECES, start | {"characters": characters}, jitter=1, sloppy_mm=0), SHOT)

    before, after = resting(home), resting(to)
    bare = compose(Scene(BOARD, PIECES, others, jitter=1, sloppy_mm=0), SHOT)
    (x0, y0), (x1, y1) = (film_pixel(c) for c in (home, to))
    half = 34
    sprite = before[y0 - half : y0 + half, x0 - half : x0 + half].copy()
    ring = np.hypot(*(np.mgrid[-half:half, -half:half] + 0.5)) < 31
    frames = [before]
    for share in np.linspace(0, 1, steps + 2)[1:-1]:
        x, y = round(x0 + (x1 - x0) * share), round(y0 + (y1 - y0) * share)
        picture = bare.copy()
        picture[y - half : y + half, x - half : x + half][ring] = sprite[ring]
        frames.append(picture)
    return [*frames, after]


def film_pixel(cell: str) -> tuple[int, int]:
    x, y = pose(BOARD, SHOT).project([BOARD.mm(cell)], 8.0)[0]
    return round(float(x)), round(float(y))


def test_a_reading_settles_a_fifth_of_a_second_after_the_hand_has_left(pictures: dict) -> None:
    film = Film()
    film.show(pictures["start"][1], 10)
    for x in (300, 450, 600):
        film.show(arm_over(pictures["start"][1], x))
    film.show(arm_over(pictures["moved"][1], 600), 4)
    analyses = film.show(pictures["moved"][1], 10)
    first = next(number for number, analysis in enumerate(analyses) if analysis.settled is not None)
    assert 0.1 <= first * FRAME <= 0.2


def test_two_moves_half_a_second_apart_are_two_settled_readings(pictures: dict) -> None:
    film = Film()
    film.show(pictures["start"][1], 10)
    seen = []
    for name in ("moved", "twice"):
        for x in (300, 600):
            seen += film.show(arm_over(pictures[name][1], x))
        seen += film.show(pictures[name][1], 8)
    assert settled(seen) == [pictures["moved"][0], pictures["twice"][0]]


def test_a_hand_that_rests_for_long_settles_nothing_false(pictures: dict) -> None:
    film = Film()
    film.show(pictures["start"][1], 10)
    film.show(arm_over(pictures["start"][1], 400))
    analyses = film.show(arm_over(pictures["start"][1], 700), 70)
    for state in settled(analyses):
        # Patience ends and what is in sight is said; what the arm hides is left out, never denied and never moved.
        for name, entry in state["characters"].items():
            assert entry == pictures["start"][0]["characters"][name]
    hidden = {name for analysis in analyses if analysis.settled for name in analysis.settled.unknown}
    last = [analysis.settled for analysis in analyses if analysis.settled is not None]
    for reading in last:
        missing = pictures["start"][0]["characters"].keys() - {s.piece for s in reading.sightings}
        assert missing <= hidden
    assert settled(film.show(pictures["start"][1], 12)) in ([], [pictures["start"][0]])


def test_a_card_over_the_board_hides_and_moves_nothing(pictures: dict) -> None:
    start, picture = pictures["start"]
    film = Film()
    film.show(picture, 10)
    carded = picture.copy()
    cv2.rectangle(carded, (520, 250), (680, 400), (235, 240, 245), -1)
    analyses = film.show(carded, 70)
    assert any(analysis.occluded for analysis in analyses)
    for analysis in analyses:
        if analysis.settled is not None:
            seen = analysis.settled.state(BOARD, PIECES)
            assert all(entry == start["characters"][name] for name, entry in seen["characters"].items())
            assert start["characters"].keys() - seen["characters"].keys() <= analysis.settled.unknown.keys()
    assert settled(film.show(picture, 12)) in ([], [start])


def test_the_shadow_of_a_hand_is_nothing(pictures: dict) -> None:
    picture = pictures["start"][1]
    film = Film()
    film.show(picture, 10)
    analyses = []
    for x in (400, 520, 640, 640, 640, 640, 640, 640, 640, 640, 640, 640):
        shade = np.zeros(picture.shape[:2], np.float32)
        cv2.line(shade, (x, 719), (x - 60, 330), 1.0, 110)
        shade = 1 - 0.4 * cv2.GaussianBlur(shade, (0, 0), 12)[..., None]
        analyses += film.show((picture * shade).astype(np.uint8))
    analyses += film.show(picture, 10)
    assert settled(analyses) == []


@pytest.mark.parametrize("every", [2, 3])
def test_a_marker_that_flickers_is_neither_gone_nor_moved(pictures: dict, every: int) -> None:
    start, picture = pictures["start"]
    film = Film()
    film.show(picture, 10)
    x, y = film_pixel(start["characters"]["bert"]["hex"])
    glossed = picture.copy()
    cv2.circle(glossed, (x, y), 9, (250, 250, 250), -1)
    analyses = [analysis for number in range(24) for analysis in film.show(glossed if number % every == 0 else picture)]
    assert settled(analyses) == []
    assert settled(film.show(picture, 10)) == []


@pytest.mark.parametrize("steps", [12, 60])
def test_a_piece_that_slides_settles_where_it_comes_to_rest(pictures: dict, steps: int) -> None:
    start = pictures["start"][0]
    used = {entry["hex"] for entry in start["characters"].values()}
    home, to = start["characters"]["holmes"]["hex"], pictures["moved"][0]["characters"]["holmes"]["hex"]
    assert to not in used
    frames = slid(start, "holmes", to, steps)
    film = Film()
    first = settled(film.show(frames[0], 10))
    assert first[-1]["characters"]["holmes"]["hex"] == home
    during = [analysis for picture in frames[1:-1] for analysis in film.show(picture)]
    assert settled(during) == []
    after = settled(film.show(frames[-1], 12))
    assert [state["characters"]["holmes"]["hex"] for state in after] == [to]
