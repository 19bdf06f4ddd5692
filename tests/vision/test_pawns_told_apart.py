"""Which pawn stands where: by all pawns of a picture together, in any light."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from companion import boards
from companion.boards import Group
from companion.games.letters_from_whitechapel.names import ID
from companion.vision.pawns.canvas import Canvas
from companion.vision.pawns.finds import Finds, Refused
from companion.vision.pawns.flat_field import FlatField
from companion.vision.pawns.looks import PieceLook
from companion.vision.pawns.pawns import PawnSearch
from companion.vision.pawns.regions import clustered
from companion.vision.pawns.search import _Search
from companion.vision.pawns.settings import PawnSettings
from companion.vision.pawns.shape import PawnForm, Sightline, pixels
from companion.vision.pawns.sites import Lying, Put, Standing
from companion.vision.pawns.taught import COMPARED, _paint, _painted, _where, in_one_light
from companion.vision.pawns.tokens import TokenSearch
from companion.vision.pawns.view import Box
from companion.vision.reading import about_place

PIECES = boards.load_pieces(ID)
SETTINGS = PawnSettings()
AREA = 16
"""Pixels that a pawn covers here."""


def painted(*bgr: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Colours (Lab) of a pawn, from its lit side to its shaded one."""
    linear = (np.array(bgr, np.float32) / 255) ** np.float32(2.2)
    shades = np.linspace(0.6, 1.0, 40, dtype=np.float32)[:, None] * linear
    return np.asarray(cv2.cvtColor(shades[None] ** np.float32(1 / 2.2), cv2.COLOR_BGR2Lab)[0], np.float32)


def lit(colours: np.ndarray[Any, np.dtype[np.float32]], share: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The same in so much of the light."""
    linear = cv2.cvtColor(colours[None], cv2.COLOR_Lab2BGR) ** np.float32(2.2) * np.float32(share)
    return np.asarray(cv2.cvtColor(linear ** np.float32(1 / 2.2), cv2.COLOR_BGR2Lab)[0], np.float32)


@pytest.mark.parametrize("share", [0.15, 0.25, 0.5, 1.0, 1.6])
def test_a_pawn_with_the_lamp_behind_it_is_not_like_another_one_in_full_light(share: float) -> None:
    colours = {"red": painted(40, 35, 150), "brown": painted(40, 60, 95), "white": painted(190, 200, 205)}
    paints = {name: _paint(own, SETTINGS) for name, own in colours.items()}
    for name, own in colours.items():
        nats = {other: float(paint.density(lit(own, share), SETTINGS).mean()) for other, paint in paints.items()}
        assert max(nats, key=lambda other: nats[other]) == name, (name, share, nats)


def test_colours_as_they_were_taught_are_likelier_than_the_same_in_another_light() -> None:
    own = painted(40, 35, 150)
    paint = _paint(own, SETTINGS)
    nats = [float(paint.density(lit(own, share), SETTINGS).mean()) for share in (1.0, 0.5, 0.25, 0.12)]
    assert nats == sorted(nats, reverse=True) and nats[0] > nats[-1] + 1.0


def test_of_a_colour_that_a_picture_cannot_hold_as_much_is_asked_as_it_holds() -> None:
    own, dark = painted(190, 200, 235), painted(40, 60, 95)
    most = np.array([255, 255, 150], np.float32)  # red is washed out where it is brighter than that
    shown = np.asarray(cv2.cvtColor(np.minimum(cv2.cvtColor(own[None], cv2.COLOR_Lab2BGR), most / 255), cv2.COLOR_BGR2Lab)[0])
    light, other = _paint(own, SETTINGS), _paint(dark, SETTINGS)
    assert light.density(shown, SETTINGS).mean() < light.density(own, SETTINGS).mean() - 5.0
    assert np.allclose(light.clipped(most).density(shown, SETTINGS), light.density(own, SETTINGS), atol=1.0)
    assert other.clipped(most).density(shown, SETTINGS).mean() < light.clipped(most).density(shown, SETTINGS).mean() - 5.0
    assert other.clipped(most).means is other.means, "it is nowhere so bright"


def test_all_of_a_pawn_stands_in_one_light() -> None:
    own = painted(40, 35, 150)
    paint = _paint(own, SETTINGS)

    def nats(*shares: float) -> tuple[float, float]:
        """Of a pawn whose parts are in so much of the light: each in its own, and all in one."""
        by_light = paint.by_light(np.vstack([lit(own, share) for share in shares]), SETTINGS)
        return float(by_light.max(axis=0).mean()), max(float(density.mean()) - cost for density, cost in in_one_light(by_light))

    for share in (0.7, 1.0, 1.4):
        free, one = nats(share)
        assert free - 0.5 < one <= free
    free, one = nats(0.2, 1.8)
    assert one < free - 1.0, "a dark token with a pale mark is no pawn"
    costs = [cost for _, cost in in_one_light(paint.by_light(own, SETTINGS))]
    assert min(costs) == 0.0 and costs[0] > 12.0, "a pawn on a lit board does not stand in an eighth of its light"


def test_the_colours_of_a_pawn_are_not_taken_at_its_edge() -> None:
    """The print that was mixed into a blue pawn's colours made it as likely as a dark token with a pale mark."""
    size, scale, group = (120, 120), 2.2, PIECES.groups["police"]
    sight = Sightline(np.array([27.0, 200.0]), 400.0)
    grid = SimpleNamespace(scale=scale, origin_mm=(0.0, 0.0), size=size)
    there = pixels(sight.pawn((27.0, 27.0), group, PawnForm()), scale, (0.0, 0.0), size)
    shown = np.zeros(size[::-1], np.bool_)
    shown.reshape(-1)[there] = True
    edge = shown & ~cv2.erode(shown.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)
    view = SimpleNamespace(grid=grid, foreground=shown, colours_at=lambda own: own)
    for off in (0.0, 1.2):
        taken = np.asarray(_painted(cast(Any, view), sight, group, (27.0 + off, 27.0), PawnForm()))
        assert len(taken) > 0.15 * len(there) and shown.reshape(-1)[taken].all() and not edge.reshape(-1)[taken].any()


def test_a_token_that_is_no_disc_is_learnt_where_it_lies_however_it_is_turned() -> None:
    size, scale, group = (120, 120), 2.2, PIECES.groups["specials"]
    sight = Sightline(np.array([27.0, 200.0]), 400.0)
    for turn, off in ((35.0, (1.0, -1.2)), (90.0, (-1.2, 0.6)), (150.0, (0.4, 1.3))):
        at = 27.0 + off[0], 27.0 + off[1]
        shown = np.zeros(size[::-1], np.bool_)
        shown.reshape(-1)[pixels(sight.token(at, group, turn), scale, (0.0, 0.0), size)] = True
        view = SimpleNamespace(grid=SimpleNamespace(scale=scale, origin_mm=(0.0, 0.0), size=size), foreground=shown)
        share, found = _where(cast(Any, view), sight, group, (27.0, 27.0), PawnForm())
        assert share > 0.9 and np.hypot(*np.subtract(found, at)) < 0.5, (turn, found, at)


def test_tokens_that_look_alike_tell_how_the_light_falls_off_in_the_taught_picture() -> None:
    """A token that was taught at the dark edge of it was lighter than taught in the middle."""
    size, rng = (840.0, 560.0), np.random.default_rng(1)

    def light(x: float, y: float) -> float:
        return 0.1 * (x - 420) / 420 - 0.15 * ((x - 420) / 420) ** 2 - 0.1 * ((y - 280) / 280) ** 2

    spots = [(float(x), float(y)) for x, y in rng.uniform((40, 40), (800, 520), (36, 2))]
    taught = [(f"look {n % 6}", spot, 3.5 + 0.2 * (n % 6) + light(*spot) + rng.normal(0, 0.02)) for n, spot in enumerate(spots)]
    taught[7] = (taught[7][0], taught[7][1], taught[7][2] + 0.5)  # learnt beside its place
    even = FlatField.of(size, taught)
    left = np.array([light(*spot) for spot in spots]) + np.log(even.factors(np.array(spots)))
    assert np.ptp([light(*spot) for spot in spots]) > 0.2 and left.std() < 0.02
    own = painted(40, 60, 95)
    dark, bright = (even.flattened(own, mm)[:, 0].mean() for mm in ((420.0, 280.0), (20.0, 20.0)))
    assert bright > dark + 3.0
    assert not FlatField.of(size, taught[:9]).terms.any(), "too few to tell"
    assert FlatField.of(size, []).flattened(own, (0.0, 0.0)) is own


def searched(
    gains: Mapping[tuple[str, str], float], at: Mapping[str, int], flat: float = 0.0, rim: float = 0.0
) -> tuple[dict[str, str], set[tuple[str, str]]]:
    """What is told of pawns (look, site) that explain a picture by so many nats, on sites that are so many mm along a line, and
    what is refused: the look by site, and looks with their sites. ``flat``: the nats of a token on every site,
    ``rim``: those that a pawn gains at its edge; a white pawn is one of five."""
    spots = sorted({spot for _, spot in gains})
    size = AREA * len(spots)
    group = cast(Group, SimpleNamespace(key="police", shape="pawn"))
    sites = SimpleNamespace(
        settings=SETTINGS, per_nat=1.0, at_home={"police": frozenset(spots)},
        rooms_near=lambda mm: [
            (("patrols", spot), np.arange(AREA) + AREA * n) for n, spot in enumerate(spots) if at[spot] == mm[0]
        ],
    )  # fmt: skip
    view = SimpleNamespace(
        foreground=np.ones(size, np.bool_), inside=np.ones(size, np.bool_), print_nats=np.zeros(size, np.float32),
        grid=SimpleNamespace(size=(size, 1)),
    )  # fmt: skip
    canvas = Canvas(cast(Any, sites), cast(Any, view))
    token = PieceLook("token", "patrols", ("patrol-1",), "down")
    tokens = SimpleNamespace(
        tokens=[], lying=lambda key, spot: [SimpleNamespace(gain=flat, look=token, spot=spot)] if flat else [],
        rim_nats=lambda pawn, lying: rim if lying else 0.0,
    )  # fmt: skip
    search = PawnSearch(canvas, cast(TokenSearch, tokens))
    every = []
    for (name, spot), gain in gains.items():
        own = np.asarray(np.arange(AREA) + AREA * spots.index(spot), np.int32)
        look = PieceLook(name, "police", tuple(f"{name}-{n}" for n in range(5 if name == "white" else 1)))
        nats = np.full(AREA, gain / AREA, np.float32)
        search.paints[name] = np.zeros(1, np.float32)
        every.append(Standing(look, group, spot, (at[spot], 0.0), 1.0, own, own, nats, np.zeros(AREA, np.float32), 0.0, gain))
    search.floor, search.slot[:] = np.float32(-10.0), 0
    told = search.told(every)
    search.doubt_faint(every, told)
    return {put.spot: put.look.key for put in told}, {(one.look.key, one.spot) for one, _ in canvas.refused}


APART = {"a": 0, "b": 500}


def test_the_likeliest_pawn_of_one_site_is_not_told_where_all_are_likelier_otherwise() -> None:
    gains = {("brown", "a"): 212.0, ("red", "a"): 164.0, ("brown", "b"): 198.0, ("white", "b"): 63.0}
    assert searched(gains, APART) == ({"a": "red", "b": "brown"}, set())


def test_pawns_that_may_as_well_stand_the_other_way_round_are_not_told() -> None:
    gains = {("brown", "a"): 200.0, ("red", "a"): 150.0, ("brown", "b"): 190.0, ("white", "b"): 150.0}
    told, refused = searched(gains, APART)
    assert not told and {"brown", "red", "white"} == {look for look, _ in refused}, "brown and white, or red and brown"
    told, refused = searched(gains | {("red", "b"): 145.0, ("red", "a"): 160.0}, APART)
    assert not told and {"brown", "red"} <= {look for look, _ in refused}


def test_a_pawn_is_named_only_where_another_paint_is_much_less_likely() -> None:
    told, refused = searched({("brown", "a"): 212.0, ("red", "a"): 190.0}, APART)
    assert not told and refused == {("brown", "a"), ("red", "a")}, "neither is said to be absent"
    assert searched({("brown", "a"): 212.0, ("red", "a"): 170.0}, APART) == ({"a": "brown"}, set())


def test_one_of_many_pawns_is_told_only_where_no_other_paint_is_nearly_as_likely() -> None:
    assert searched({("white", "a"): 251.0, ("brown", "a"): 236.0}, APART) == ({}, {("white", "a"), ("brown", "a")})
    assert searched({("white", "a"): 20.0}, APART) == ({"a": "white"}, set())


def test_what_may_lie_where_another_pawn_is_placed_counts_when_that_one_may_stand_here() -> None:
    gains = {("yellow", "a"): 131.0, ("red", "a"): 133.0, ("red", "b"): 126.0}
    told, refused = searched(gains, APART, flat=95.0)
    assert not told and {"yellow", "red"} <= {look for look, _ in refused}, "red there, and a token here"


def test_whoever_may_be_the_one_that_is_not_told_is_not_said_to_be_absent() -> None:
    told, refused = searched({("white", "a"): 204.0, ("brown", "a"): 201.0, ("red", "a"): -50.0}, APART)
    assert not told and refused == {("white", "a"), ("brown", "a")}


def test_what_a_token_explains_as_well_is_no_pawn() -> None:
    assert not searched({("brown", "a"): 100.0}, APART, flat=120.0)[0]
    told, refused = searched({("brown", "a"): 100.0}, APART, flat=80.0)
    assert not told and refused == {("brown", "a"), ("token", "a")}, "neither is said to be absent"
    assert searched({("brown", "a"): 100.0}, APART, flat=60.0) == ({"a": "brown"}, set())


def test_what_a_pawn_explains_of_the_edge_of_a_token_in_its_stead_speaks_for_neither() -> None:
    assert searched({("white", "a"): 141.0}, APART, flat=135.0)[1] == {("white", "a"), ("token", "a")}
    told, refused = searched({("white", "a"): 141.0}, APART, flat=135.0, rim=30.0)
    assert not told and ("token", "a") not in refused, "it is left to the token"
    assert searched({("white", "a"): 200.0}, APART, flat=135.0, rim=30.0)[0] == {"a": "white"}


def test_the_edge_and_the_side_of_a_token_are_what_is_compared_with_no_face() -> None:
    scale, size = 4.0, (160, 160)
    sight = Sightline(np.array([20.0, 200.0]), 300.0)
    group = PIECES.groups["patrols"]
    sites = SimpleNamespace(
        settings=SETTINGS, per_nat=4.0 * scale**2, sight=sight, pixels=lambda parts: pixels(parts, scale, (0.0, 0.0), size)
    )
    tokens = TokenSearch(cast(Canvas, SimpleNamespace(sites=sites, settings=SETTINGS)))
    look = PieceLook("patrols:down", "patrols", ("patrol-1",), "down")
    everywhere = np.arange(size[0] * size[1], dtype=np.int32)
    shown = np.full(len(everywhere), 8.0, np.float32)
    pawn = Standing(
        look, group, "a", (20.0, 20.0), 1.0, everywhere, everywhere, shown, np.zeros_like(shown), 0.0, 0.0
    )  # fmt: skip

    def rim(fit: float) -> float:
        return tokens.rim_nats(pawn, [Lying(look, group, "a", (20.0, 20.0), 0.0, everywhere, 100.0, fit, 1.0)])

    least, most = (np.pi * (radius**2 - (COMPARED * 5.0) ** 2) / 4.0 * 8.0 for radius in (5.4, 6.6))
    assert least < rim(1.0) < most, "a ring, wider where the token's side shows"
    assert rim(0.5) == 0.0, "what does not look like the token is not its edge"


def test_what_shows_as_a_sliver_below_a_pawn_is_doubted_only_as_hidden() -> None:
    scenes, wretched = PIECES.groups["scenes"], PIECES.groups["wretched"]
    scene, pawn = PieceLook("scenes:", "scenes", ("scene-1",)), PieceLook("wretched:", "wretched", ("wretched-1",))
    search = _Search.__new__(_Search)
    search.settings = SETTINGS

    def sliver(visible: float, gain: float, above: Group | None) -> bool:
        none = np.empty(0, np.int32)
        return search._only_hidden(Lying(scene, scenes, "3", (0.0, 0.0), 0.0, none, gain, 1.0, visible), above)

    assert sliver(0.08, 7.6, wretched)
    assert not sliver(0.08, 7.6, None) and not sliver(0.5, 7.6, wretched) and not sliver(0.08, 14.0, wretched)
    told = (Put(pawn, "3", (0.0, 0.0), 90.0, 1.0, 1.0),)
    faint, shown = (
        Refused(scene, scenes, "3", "whether a piece lies there cannot be told", hidden) for hidden in (True, False)
    )
    name = about_place("3", scenes)
    assert Finds(told, (faint,), ()).meaning(PIECES).hidden == {name: frozenset({"3"})}
    for refused in ((shown,), (faint, shown), (shown, faint)):
        found = Finds(told, refused, ()).meaning(PIECES)
        assert name in found.unknown and name not in found.hidden


def test_the_parts_of_a_region_come_in_one_order_however_its_sites_do() -> None:
    """Pieces that look alike are named in that order: a set of sites gave them other names in every process."""
    boxes = {spot: Box(x, 100, x + 20, 120) for spot, x in (("1", 100), ("2", 150), ("3", 500), ("4", 900))}
    sites: Any = SimpleNamespace(
        settings=SETTINGS, grid=SimpleNamespace(scale=1.0, size=(1000, 400)), box=lambda spots: boxes[spots[0]]
    )
    parts = clustered(sites, tuple(boxes))
    assert [sorted(among) for _, among in parts] == [["1", "2"], ["3"], ["4"]]
    assert parts == clustered(sites, tuple(reversed(boxes)))
