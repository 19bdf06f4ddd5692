"""Sites that the light has burnt out are told where something is unknown, so that people know what to do about it."""

from dataclasses import replace

import numpy as np
import pytest
from world import Film

from companion.boards import load, load_pieces
from companion.calibration.training import card_decks
from companion.calibration.training.card_campaign import surface
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose, random_state
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.reflections import BurntSites

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
SHOT = Shot(size=(1280, 720), tilt=20, px_per_mm=1.4, noise=0, blur=0.5)
STATE = random_state(BOARD, PIECES, np.random.default_rng(2))
DISC = next(iter(STATE["characters"]))
SITE = STATE["characters"][DISC]["hex"]


def mirrored(picture: np.ndarray, site: str, height: float = 0.0) -> np.ndarray:
    """A lamp in the varnish over one site: white in the middle, fading around it."""
    x, y = pose(BOARD, SHOT).project([BOARD.mm(site)], height)[0]
    ys, xs = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]].astype(np.float32)
    spot = 500 * np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * 22.0**2))
    return np.clip(picture + spot[..., None], 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def pictures() -> tuple[np.ndarray, np.ndarray]:
    laid, empty = (compose(Scene(BOARD, PIECES, state, jitter=3), SHOT) for state in (STATE, EMPTY))
    return laid, empty


def test_what_is_burnt_out_is_where_the_light_is_and_nowhere_else(pictures: tuple[np.ndarray, np.ndarray]) -> None:
    laid, _ = pictures
    found = pose(BOARD, SHOT)
    assert BurntSites(BOARD).of(laid, found) == ()
    for site in ("c2", "m8", "turn-1") if "turn-1" in BOARD.places else ("c2", "m8"):
        burnt = BurntSites(BOARD).of(mirrored(laid, site), found)
        near = {one for one in BOARD.cells if np.hypot(*np.subtract(BOARD.mm(one), BOARD.mm(site))) < 1.6 * BOARD.spacing_mm}
        assert site in burnt and set(burnt) <= near | set(BOARD.places), (site, burnt)
    assert BurntSites(BOARD).of(np.full_like(laid, 255), found) == (*BOARD.cells, *BOARD.places)
    dark = np.zeros_like(laid)
    dark[..., 2] = 255  # one channel alone burns out in warm light long before a drawing does
    assert BurntSites(BOARD).of(dark, found) == ()
    beside = replace(found, translation=found.translation + np.array([[9000.0], [0.0], [0.0]]).reshape(found.translation.shape))
    assert BurntSites(BOARD).of(np.full_like(laid, 255), beside) == (), "what lies outside the picture is not white"


def test_a_disc_under_a_reflection_is_unknown_and_the_reflection_is_told(pictures: tuple[np.ndarray, np.ndarray]) -> None:
    laid, empty = pictures
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
    bare = Frame(empty, 0.0, "film")
    reader.learn(bare, reader.read(bare))
    film = Film(reader, BOARD)
    film.show(laid, 0.8)
    assert film.readings[-1][1].of(DISC) and film.readings[-1][1].burnt == ()
    begun = film.now
    film.show(mirrored(laid, SITE, 8.0), 6.0)
    told = film.since(begun)
    assert told and DISC in told[-1].unknown
    assert SITE in told[-1].burnt


def test_on_a_board_of_zones_alone_there_is_no_site_to_be_burnt_out() -> None:
    board, _ = surface(card_decks.deck(3))
    assert not (board.cells or board.places) and board.zones
    assert BurntSites(board).of(np.full((*SHOT.size[::-1], 3), 255, np.uint8), pose(board, SHOT)) == ()
