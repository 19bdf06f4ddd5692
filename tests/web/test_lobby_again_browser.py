"""In a real browser: a kept table of an unmodified copy is opened to be changed, and learns more."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from boxes import boxes
from fake_lobby import FakeLobby, StillSources
from fake_table import FakeTable
from lobby_rooms import PATIENCE, come
from seat_pages import until
from test_lobby_browser import barriers

from companion import boards
from companion.calibration.profile import TableProfile
from companion.calibration.repeated_enrolment import EnrolmentUpdate
from companion.errors import BadInput
from companion.host import setup_vision as eyes_room
from companion.host.choices import Choices
from companion.host.setup import CameraChoice
from companion.vision.camera import Lens
from companion.vision.plain.locating import pose_from_corners
from companion.vision.plain.reader import Exemplar, Teaching
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

sys.path.append(str(Path(__file__).parents[1] / "vision"))
pytestmark = pytest.mark.browser
SIZE = (1280, 720)


def kept(lobby_port: FakeLobby, picture: np.ndarray, game: str) -> None:
    board = boards.load(game)
    pose = pose_from_corners([(200, 40), (1080, 40), (1080, 680), (200, 680)], board, Lens.guess(SIZE))
    first = boards.load_pieces(game).in_group("characters")[0].id
    exemplar = Exemplar(first, "", "suspect", None, np.full((72, 72, 3), 90, np.uint8))
    teaching = Teaching(board.id, board.edition, picture, pose, 30.0, (exemplar,))
    profile = TableProfile(board.id, board.edition, "plain", Lens.guess(SIZE), teaching)
    lobby_port.profiles.keep("Kitchen", profile, CameraChoice("address", "pictures"), Choices())


@pytest.fixture
def lobby_port(tmp_path: Path) -> Iterator[FakeLobby]:
    picture = np.random.default_rng(3).integers(60, 200, (SIZE[1], SIZE[0], 3), np.uint8)
    lobby_port = FakeLobby(tmp_path, StillSources([picture]))
    kept(lobby_port, picture, "mr-jack-new-york")
    yield lobby_port
    lobby_port.close()


@pytest.fixture
def visitor(page: Any, lobby_port: FakeLobby) -> Iterator[Any]:
    settings = PageSettings(streams=4, answers_burst=200)
    with PageServer(create_app(FakeTable(), settings, lobby_port=lobby_port), settings=settings) as server:
        page.set_default_timeout(PATIENCE)
        page.base = server.address
        yield page
        page.goto("about:blank")
        page.complaints[:] = [line for line in page.complaints if "Failed to load resource" not in line]


def in_sight(page: Any, key: str) -> bool:
    """Whether a control lies wholly between the top of the window and the buttons at its foot, with nothing over it."""
    box, onward = boxes(page, f"[data-key={key}]", "#onward")
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    over = page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.closest('[data-key]')?.dataset.key", middle)
    return bool(box["y"] >= 0 and box["y"] + box["height"] <= onward["y"] and over == key)


def above(page: Any, upper: str, lower: str) -> bool:
    """Whether one element ends where another begins, or higher up."""
    box, below = boxes(page, upper, lower)
    return box["y"] + box["height"] <= below["y"]


def test_on_a_phone_the_ring_is_in_sight_with_the_form_and_what_is_answered(
    visitor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visitor

    def refuse(*_: Any) -> EnrolmentUpdate:
        raise BadInput("nothing lies at H9: it looks like the bare board")

    monkeypatch.setattr(eyes_room, "reteach", refuse)
    page.set_viewport_size({"width": 360, "height": 740})
    come(page, "en")
    page.click("[data-key^=change-]")
    page.wait_for_selector("#lobby[data-step=pieces]")
    page.click("[data-key=one-again]")
    page.wait_for_selector("[data-key=learn]")
    until(page, lambda: all(in_sight(page, key) for key in ("ring", "which", "learn")))
    page.click("[data-key=learn]")
    page.wait_for_selector(".verdict[role=alert]")
    until(page, lambda: above(page, ".verdict[role=alert]", "#onward"))
    until(page, lambda: all(in_sight(page, key) for key in ("ring", "which", "learn")))
    assert barriers(page) == []


def test_the_third_picture_and_one_piece_are_added_to_a_kept_table(
    visitor: Any, lobby_port: FakeLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, asked = visitor, []

    def sides(teaching: Teaching, *_: Any) -> EnrolmentUpdate:
        fresh = Exemplar("informant", "LIBERTY", "silent", None, np.full((69, 69, 3), 90, np.uint8))
        return EnrolmentUpdate(replace(teaching, exemplars=(*teaching.exemplars, fresh)), ())

    def piece(
        teaching: Teaching, frame: Any, at: Any, name: str, board: Any, pieces: Any, facing: Any, side: Any
    ) -> EnrolmentUpdate:
        asked.append((at, name, facing, side))
        if len(asked) == 1:
            raise BadInput("nothing lies at H9: it looks like the bare board")
        return EnrolmentUpdate(replace(teaching), (), "D15")

    monkeypatch.setattr(eyes_room, "learn_sides", sides)
    monkeypatch.setattr(eyes_room, "reteach", piece)
    come(page, "es")
    assert "Mr. Jack en Nueva York · " in page.inner_text("[data-key^=again-]"), "of which of four games a kept table is"
    page.click("[data-key^=change-]")
    page.wait_for_selector("#lobby[data-step=pieces]")
    assert "las otras caras" in page.inner_text(".choice-card:has([data-key=mode-plain])")
    assert page.locator(".taken[data-taken=yes]").count() == 2 and page.locator(".taken img").count() == 1
    page.click("[data-key=take-sides]")
    page.wait_for_selector("li:has([data-key=take-sides]) .taken[data-taken=yes] img")
    page.click("[data-key=one-again]")
    page.wait_for_selector("[data-key=which]")
    page.wait_for_selector("[data-key=ring]")
    options = page.locator("[data-key=which] option").all_inner_texts()
    assert len(options) == len(set(options)) == 2 * 8 + 4 + 2 + 2 + 1, options
    assert not any("suspect" in one or "building" in one for one in options)
    page.select_option("[data-key=which]", index=next(i for i, one in enumerate(options) if "edificio" in one.lower()))
    box = page.locator(".live").bounding_box()
    page.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 0.6 * box["height"])
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.key") == "ring"
    page.click("[data-key=learn]")
    page.wait_for_selector(".verdict[role=alert]")
    assert "H9" in page.inner_text(".verdict[role=alert]") and "lies" not in page.inner_text(".verdict[role=alert]")
    page.click("[data-key=learn]")
    page.wait_for_selector(".verdict[data-good=yes]:has-text('D15')")
    (at, name, facing, side) = asked[1]
    assert at == pytest.approx((0.3 * SIZE[0] + 1, 0.6 * SIZE[1]), abs=3)
    assert (name[:8], facing, side) == ("building", None, "building")
    assert barriers(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
