"""What is said of tokens below pawns, by what shows about the pawn's foot."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from companion import boards
from companion.boards import Group
from companion.games.letters_from_whitechapel.names import ID
from companion.vision.camera import Registration
from companion.vision.cards.view import Floats
from companion.vision.frame import Frame
from companion.vision.pawns import tokens
from companion.vision.pawns.below import Shown, lying_below, mixture
from companion.vision.pawns.canvas import Canvas
from companion.vision.pawns.finds import Doubt, Finds
from companion.vision.pawns.looks import PieceLook, looks
from companion.vision.pawns.reader import PawnReader
from companion.vision.pawns.settings import PawnSettings
from companion.vision.pawns.shape import Sightline
from companion.vision.pawns.sites import Lying, Put, Standing
from companion.vision.pawns.taught import RINGS, TURNS, TokenFace
from companion.vision.pawns.tokens import _ABSENT_BELOW, _BARRED, TokenSearch
from companion.vision.reading import Reading, Sighting

PIECES = boards.load_pieces(ID)
SETTINGS, SCENES = PawnSettings(), PIECES.groups["scenes"]
SITE, SCALE = (50.0, 50.0), 2.2
RED, PAPER, PAWN = (45.0, 40.0, 20.0), (70.0, 2.0, 12.0), (80.0, 0.0, 5.0)
"""Colours (Lab) of the printed circle, what lies about it, and the pawn."""


def lying(
    token: tuple[float, float, float], seen_mm: tuple[float, float] | None, shade: float = 1.0, prior: float = 0.0
) -> Lying:
    """A token below a pawn that stands on the middle of a red circle, looked at in full ``shade``; ``seen_mm``: how far beside
    the middle it lies in the picture; None where it lies in the box."""
    group, sight = SCENES, Sightline(np.array([50.0, 150.0]), 1000.0)
    side = np.arange(-10, 10, 1 / SCALE)
    mm = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2) + SITE
    mm = mm[np.hypot(*(mm - SITE).T) > group.size_mm[0] / 2 - 1.0]
    far = np.hypot(*(mm - SITE).T)

    def of(colour: tuple[float, float, float]) -> Floats:
        return np.broadcast_to(np.array(colour, np.float32), (len(mm), 3))

    printed = np.where((far < 6.2)[:, None], of(RED), of(PAPER))
    seen = printed
    if seen_mm is not None:
        top = sight.below(np.add([SITE], seen_mm), group.height_mm)
        seen = np.where((np.hypot(*(mm - top).T) < group.size_mm[0] / 2)[:, None], of(token), printed)
    seen = np.asarray(seen * shade + np.random.default_rng(1).normal(0, 1.0, seen.shape), np.float32)
    noise = of((2.0, 1.7, 1.7))
    mixed = far < group.size_mm[0] / 2
    bare, odd = mixture(seen, of(PAWN), mixed, np.asarray(printed, np.float32), noise, SETTINGS)
    shown = Shown(np.arange(len(mm)), mm, seen, of(PAWN), mixed, bare, odd)
    look = PieceLook("scenes:", "scenes", ("scene-1",))
    cells = np.broadcast_to(np.array(token, np.float32), (RINGS, TURNS, 3))
    face = TokenFace(look, cells, np.broadcast_to(np.array((2.0, 1.7, 1.7), np.float32), cells.shape))
    sites = SimpleNamespace(
        rooms={("scenes", "3"): np.empty(0, np.int32)}, site={"3": SITE}, sight=sight, grid=SimpleNamespace(scale=SCALE),
        per_nat=SETTINGS.alike_mm2 * SCALE**2,
    )  # fmt: skip
    (one,) = lying_below(cast(Canvas, SimpleNamespace(sites=sites, settings=SETTINGS)), group, "3", shown, (face,), prior)
    return one


def absent(one: Lying) -> bool:
    """Whether it is said that nothing lies there."""
    return one.anywhere is not None and one.anywhere <= _ABSENT_BELOW


def test_a_token_that_would_show_as_little_as_none_is_not_absent() -> None:
    """Red on a red circle: where it lies just upon the circle, nothing tells it from the print."""
    for shade in (1.0, 0.75, 0.7, 0.66):
        assert not absent(lying(RED, None, shade))
        for darker in (0.9, 1.0, 1.05):
            assert not absent(lying((RED[0] * darker, RED[1] * darker, RED[2] * darker), (0.0, 0.0), shade))


def test_a_token_that_would_show_is_absent_where_the_print_shows_instead() -> None:
    green, dark = (45.0, -30.0, 20.0), (25.0, 22.0, 11.0)
    for shade in (1.0, 0.7):
        for token in (green, dark):
            assert absent(lying(token, None, shade)), "what is seen is print in whatever light"
            assert not absent(lying(token, (0.3, -0.4), shade))
            assert lying(token, (0.3, -0.4), shade).gain > SETTINGS.margin


def test_a_token_beside_the_middle_of_its_circle_is_found_there() -> None:
    one = lying(RED, (1.2, -0.4))
    assert one.gain > SETTINGS.margin
    assert np.hypot(one.mm[0] - 51.2, one.mm[1] - 49.6) < 0.8


def test_what_the_rules_keep_off_is_absent_where_nothing_speaks_for_it() -> None:
    assert PIECES.groups["scenes"].barred == ("wretched",), "no woman stands on a crime scene"
    green = (45.0, -30.0, 20.0)
    for shade in (1.0, 0.7):
        open_, barred = (lying(RED, None, shade, prior) for prior in (0.0, -_BARRED))
        assert open_.anywhere is not None and barred.anywhere == open_.anywhere - _BARRED
        assert not absent(lying(green, (0.3, -0.4), shade, -_BARRED)), "what is seen overrules it"


@pytest.mark.parametrize("before, prior", [(frozenset(), -_BARRED), (frozenset({("scenes", "3")}), 0.0)])
def test_what_was_seen_before_the_pawn_came_outweighs_the_rule(
    before: frozenset[tuple[str, str]], prior: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A woman laid upon a known crime scene, against the rules: nothing speaks against the scene that lies below her."""
    asked: list[float] = []

    def looked(
        canvas: Canvas, group: Group, spot: str, shown: Shown, faces: tuple[TokenFace, ...], prior: float
    ) -> list[Lying]:
        asked.append(prior)
        return []

    nothing, none = np.zeros((4, 3), np.float32), np.zeros(4, np.bool_)
    shown = Shown(np.arange(4), np.zeros((4, 2)), nothing, nothing, none, nothing, none)
    monkeypatch.setattr(tokens, "shown_about", lambda *_: shown)
    monkeypatch.setattr(tokens, "lying_below", looked)
    woman = PIECES.groups["wretched"]
    sites = SimpleNamespace(
        groups=[SCENES],
        pieces=PIECES,
        rooms={("scenes", "3"): np.zeros(4, np.int32)},
        copy=SimpleNamespace(faces={"scenes": (1,)}),
    )
    canvas = SimpleNamespace(sites=sites, settings=SETTINGS, foreground=np.ones(4, bool))
    search = TokenSearch(cast(Canvas, canvas), before)
    search.look_below({"3": cast(Standing, SimpleNamespace(group=woman))})
    assert asked == [prior]


def told_after(before: Reading, finds: Finds) -> Reading:
    """What is told of a picture in which this was found, after another reading."""
    reader = PawnReader.__new__(PawnReader)
    reader.pieces, reader._looks = PIECES, looks(PIECES)
    frame = Frame(np.zeros((4, 4, 3), np.uint8), 1.0, "made")
    return reader._told(frame, cast(Registration, None), finds, before).reading


def test_what_is_hidden_stays_known_though_another_piece_alike_has_its_name_now() -> None:
    scenes = next(look for look in looks(PIECES) if look.group == "scenes")
    first, second = scenes.pieces[:2]
    before = Reading((Sighting(first, "3"), Sighting(second, "7")))
    finds = Finds((Put(scenes, "7", (0.0, 0.0), 20.0, 1.0, 1.0),), (), (Doubt(SCENES, "3", "3 is hidden", True),))
    seen = told_after(before, finds)
    assert {one.place for one in seen.sightings} == {"3", "7"} and len({one.piece for one in seen.sightings}) == 2
    assert not seen.unknown
    assert not told_after(Reading((Sighting(second, "7"),)), finds).unknown, "nothing was known to lie there"
    every = Finds(
        tuple(Put(scenes, str(n), (0.0, 0.0), 20.0, 1.0, 1.0) for n in range(10, 10 + len(scenes.pieces))), (), finds.doubts
    )
    assert set(told_after(before, every).unknown) == {"scene:3"}, "all lie elsewhere now: is one of them told wrongly?"


def test_a_scene_that_hardly_shows_below_a_woman_is_asked_about() -> None:
    scenes, women = (next(look for look in looks(PIECES) if look.group == key) for key in ("scenes", "wretched"))
    woman = Put(women, "3", (0.0, 0.0), 20.0, 1.0, 1.0)
    finds = Finds((woman,), (), (Doubt(SCENES, "3", "3 is hidden", True),))
    known = Reading((Sighting(scenes.pieces[0], "3"),))
    assert set(told_after(known, finds).unknown) == {"scene:3"}, "by the rules it went before she came"
    assert not told_after(Reading(), finds).unknown
