"""From measures to probabilities of sides and strips: they add up, and what cannot be together is not claimed together."""

import itertools
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import boards
from companion.boards import Board, PieceSet
from companion.vision.plain.claims import Claims
from companion.vision.plain.evidence import BARE, REJECT, FeatureExtractor
from companion.vision.plain.exemplars import TILE_PATCH_MM
from companion.vision.plain.lone_judge import LoneJudge
from companion.vision.plain.nets import Nets
from companion.vision.plain.settings import PlainSettings, SideSettings
from companion.vision.plain.side_classifier import SideClassifier
from companion.vision.plain.side_measures import BARE as OF_BARE
from companion.vision.plain.side_measures import SIDE, VISIBLE, PlacePatch, Taught, against_others, measures
from companion.vision.plain.side_scores import STRIP, among_others, posteriors, shipped, strip_odds, strips_at
from companion.vision.plain.side_table import SideTable
from companion.vision.plain.sides import SideJudge
from companion.vision.plain.stacks import coded, slot_colour
from companion.vision.plain.strip_judge import StripJudge
from companion.vision.plain.tile_judge import TileJudge
from companion.vision.plain.tiles import flat_shape, set_apart

# One drawing as like the taught one as can be: what lies in sight is not foreign by it.
ALIKE = np.zeros((1, len(SIDE)))
ALIKE[0, SIDE.index("alike")] = 2.0

CELLS = st.sampled_from(["A1", "A2", "A3", "A4", "A5"])
SPOTS = st.tuples(CELLS, CELLS).filter(lambda pair: pair[0] < pair[1])


@given(st.dictionaries(SPOTS, st.floats(-8, 8), max_size=8), st.integers(1, 3))
def test_strips_that_share_a_cell_are_never_both_likely(odds: dict[tuple[str, ...], float], count: int) -> None:
    at = strips_at(odds, count, 0.02)
    assert set(at) == set(odds)
    assert sum(at.values()) <= count + 1e-9
    for cell in {cell for spot in odds for cell in spot}:
        assert sum(value for spot, value in at.items() if cell in spot) <= 1 + 1e-9


def test_strips_are_weighed_as_every_way_to_lay_them() -> None:
    odds = {("A1", "A2"): 1.0, ("A2", "A3"): 0.5, ("A4", "A5"): -1.0}
    ways = [chosen for n in range(3) for chosen in itertools.combinations(odds, n) if len({*sum(chosen, ())}) == 2 * n]
    weights = [np.exp(sum(odds[spot] for spot in chosen)) * 0.1 ** (2 - len(chosen)) for chosen in ways]
    at = strips_at(odds, 2, 0.1)
    for spot, value in at.items():
        share = sum(weight for weight, chosen in zip(weights, ways, strict=True) if spot in chosen) / sum(weights)
        assert value == pytest.approx(share)


@pytest.mark.parametrize("situation", ["open", "wary", "doubtful", "covered", "lone"])
def test_what_was_there_before_counts_as_far_as_nothing_is_seen(situation: str) -> None:
    weights = shipped(situation)
    bare = len(OF_BARE) + (situation == "lone")  # there, the other pieces count as well
    assert (len(weights.bare), len(weights.side), len(weights.other)) == (bare, len(SIDE), 3)
    nothing, sides = np.zeros(bare), np.zeros((2, len(SIDE)))
    fresh = posteriors(weights, nothing, sides, ("lamp", "park"))
    again = posteriors(weights, nothing, sides, ("lamp", "park"), before="park", stay=0.9)
    assert sum(fresh.values()) == pytest.approx(1)
    assert list(fresh) == [BARE, REJECT, "lamp", "park"]
    assert again["park"] / again["lamp"] == pytest.approx(9 * fresh["park"] / fresh["lamp"])


@pytest.mark.parametrize("situation", ["open", "wary", "doubtful", "covered", "lone"])
def test_a_likeness_never_speaks_against_a_side(situation: str) -> None:
    weights = shipped(situation)
    assert all(weights.side[SIDE.index(name)] >= 0 for name in ("alike", "lead", "network"))
    assert all(weights.side[SIDE.index(name)] <= 0 for name in ("raw", "lightness", "colour"))


def test_a_strip_like_the_taught_one_is_likelier() -> None:
    assert len(STRIP) == 6
    assert strip_odds(0.95, 0.9, 0.1, 0.0, 0.3) > 4 > -4 > strip_odds(0.4, 0.5, 2.0, 0.3, 0.5)


def test_what_lies_there_of_the_other_pieces_speaks_against_the_lone_one() -> None:
    weights, sides = shipped("lone"), np.zeros((2, len(SIDE)))
    nothing = np.zeros(len(OF_BARE))
    tile, no_tile = ({BARE: 0.0, REJECT: 1 - value, "park": value} for value in (0.999, 0.001))
    told = [posteriors(weights, among_others(nothing, one), sides, ("up", "down")) for one in (tile, no_tile)]
    assert told[0]["up"] < 0.5 * told[1]["up"]


@pytest.mark.parametrize("situation", ["open", "wary", "doubtful", "covered", "lone"])
def test_a_side_that_was_never_shown_makes_the_shown_ones_less_sure(situation: str) -> None:
    weights = shipped(situation)
    bare, sides = np.zeros(len(weights.bare)), np.zeros((1, len(SIDE)))
    whole, part = (posteriors(weights, bare, sides, ("lamp",), untaught=untaught) for untaught in (False, True))
    assert part["lamp"] < whole["lamp"]


def test_sides_are_set_against_one_another() -> None:
    sides = np.zeros((3, len(SIDE)))
    sides[:, SIDE.index("alike")], sides[:, SIDE.index("raw")] = (0.9, 0.2, 0.4), (0.1, 2.0, 1.0)
    against_others(sides)
    assert sides[:, SIDE.index("lead")] == pytest.approx([0.5, -0.7, -0.5])
    assert sides[:, SIDE.index("ahead")] == pytest.approx([0.9, -1.9, -0.9])


def test_of_a_tile_below_a_disc_the_parts_in_sight_are_compared_with_the_same_parts() -> None:
    """A tile with a red middle and a blue edge, of which a disc leaves the edge: its mean colour is off, its edge is not."""
    tiles, settings = boards.load_pieces("mr-jack-new-york").groups["tiles"], PlainSettings()
    shape, scale, side = flat_shape(tiles), settings.surface.scale, round(TILE_PATCH_MM * settings.surface.scale)
    ys, xs = np.mgrid[0:side, 0:side] - (side - 1) / 2
    far = np.hypot(xs, ys) / scale
    inside, bare = shape.footprint(side, scale, 1.0), np.ones((side, side, 3), np.float32)
    patch = np.where(inside[..., None], np.where((far > 15)[..., None], (0.9, 0.2, 0.1), (0.1, 0.2, 0.9)), bare).astype(
        np.float32
    )
    exemplar = set_apart([("lamp", patch, (0.0, 0.0))], shape, scale)
    colours = {"lamp": slot_colour([(coded(patch), (0.0, 0.0))], scale)}
    taught = Taught(shape, exemplar, ("lamp",), colours, colours, (), (patch,))
    change = np.asarray(np.abs(patch - bare).max(axis=2), np.float32)
    told, sides = measures(PlacePatch(patch, bare, change, far <= 16.0), taught, Nets(scale), settings)
    assert 0.02 < told[VISIBLE] < 0.3
    assert sides[0, SIDE.index("colour")] < 0.3
    assert sides[0, SIDE.index("lightness")] < 0.3
    assert told[OF_BARE.index("change")] > 0.5


def test_bare_print_around_what_may_be_a_disc_leaves_room_for_a_strip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured on a made-up copy: a strip in glare was taken for something strange on both its cells, bare print around it was
    told, and so no strip could lie there."""
    board, pieces = boards.load("mr-jack-new-york"), boards.load_pieces("mr-jack-new-york")
    looks = cast(SideClassifier, SimpleNamespace(taught={"tiles": SimpleNamespace(untaught=())}))
    judge = TileJudge(board, pieces, cast(FeatureExtractor, None), looks, PlainSettings())
    found: dict[str, tuple[str, float] | None] = {"F3": None, "E4": None, "G4": ("park", 0.99), "F5": None}
    monkeypatch.setattr(TileJudge, "_strays", lambda *_: None)
    monkeypatch.setattr(TileJudge, "_tile", lambda self, table, cell, *_: found.get(cell))
    mask = np.ones((2, 2), bool)
    for sure, room in ((set(), True), ({"E4"}, False)):  # on the one stands a disc
        table: Any = SimpleNamespace(
            claims=Claims(), prior=None, unseen=lambda _: False, told=set(), plain=set(), presumed=set(), sure=sure,
            masks=dict.fromkeys(("F3", "E4", "G4"), mask),
        )  # fmt: skip
        judge.claim(table, pieces.groups["tiles"])
        assert StripJudge._may_lie(table, ("E4", "F3"), set()) is room
        assert not StripJudge._may_lie(table, ("F3", "G4"), set())
        assert not StripJudge._may_lie(table, ("F3", "F5"), set())


def _empty_table(**also: Any) -> Any:
    return SimpleNamespace(**({"masks": {}, "beside": {}, "sure": set(), "discs": {}, "plain": set(), "settled": True} | also))


def _tile_judge() -> TileJudge:
    """One that looks at nothing: what it would see is put in its place."""
    nothing = object.__new__(SideClassifier)
    return TileJudge(cast(Board, None), cast(PieceSet, None), cast(FeatureExtractor, None), nothing, PlainSettings())


def test_how_a_street_in_sight_is_weighed_depends_on_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the weights for places without strips 144 of 1,330 streets below one were called tiles."""
    asked: list[tuple[str, bool]] = []
    judge = _tile_judge()
    monkeypatch.setattr(TileJudge, "_quiet", lambda *_: False)
    monkeypatch.setattr(SideClassifier, "before", lambda *_: None)

    def believed(
        self: Any, table: Any, cell: str, taught: Any, situation: str, hidden: Any, disc: bool, *_: Any, **__: Any
    ) -> Any:
        asked.append((situation, disc))
        return {BARE: 0.001, REJECT: 0.001, "park": 0.998}

    monkeypatch.setattr(SideClassifier, "posteriors", believed)
    monkeypatch.setattr(SideClassifier, "measured", lambda *_, **__: (np.zeros(len(OF_BARE)), ALIKE))
    tiles, mask = boards.load_pieces("mr-jack-new-york").groups["tiles"], np.ones((2, 2), bool)
    for also, situation, plain in (
        ({}, "open", True),
        ({"settled": False}, "wary", True),
        ({"masks": {"E4": mask}}, "wary", True),
        ({"masks": {"E4": mask}, "settled": False, "discs": {"E4": None}}, "doubtful", False),
    ):
        asked.clear()
        table = _empty_table(**also)
        assert judge._tile(table, "E4", tiles, cast(Taught, SimpleNamespace(untaught=()))) == ("park", 0.998)
        assert asked == [(situation, not plain)] and table.plain == ({"E4"} if plain else set())


@pytest.mark.parametrize(
    ("network", "drawing", "spare", "washed"),
    [(1.6, 0.0, 0.0, False), (0.1, 0.3, 0.94, False), (0.1, 0.05, 0.94, True), (0.1, 0.3, 0.5, True)],
)
def test_bare_print_shows_by_its_drawing_where_the_network_doubts(
    network: float, drawing: float, spare: float, washed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured on a path-traced table: a street in dim light was unknown (0.13 by the network) in four of nine pictures."""
    judge = _tile_judge()
    measured = np.zeros(len(OF_BARE))
    for name, value in (("network", network), ("drawing", drawing), ("spare", spare)):
        measured[OF_BARE.index(name)] = value
    monkeypatch.setattr(SideClassifier, "measured", lambda *_, **__: (measured, None))
    assert judge._washed_out(_empty_table(), "M14", cast(Taught, None), False) is washed


def test_what_a_disc_beside_a_cell_hides_is_left_out_where_the_whole_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured on a path-traced table: a bare street was unknown (0.88) while the next one's disc leant over its edge."""
    judge = _tile_judge()
    monkeypatch.setattr(TileJudge, "_quiet", lambda *_: False)
    monkeypatch.setattr(SideClassifier, "before", lambda *_: None)
    monkeypatch.setattr(TileJudge, "_washed_out", lambda *_: False)
    asked: list[bool] = []

    def believed(*_: Any, beside: bool = False) -> Any:
        asked.append(beside)
        return {BARE: 0.999 if beside else whole, REJECT: 0.001, "park": 1 - whole}

    monkeypatch.setattr(SideClassifier, "posteriors", believed)
    monkeypatch.setattr(SideClassifier, "measured", lambda *_, **__: (np.zeros(len(OF_BARE)), ALIKE))
    tiles, mask = boards.load_pieces("mr-jack-new-york").groups["tiles"], np.ones((2, 2), bool)
    for whole, parallax_mm, looks in ((0.88, True, [False, True]), (0.999, True, [False]), (0.88, False, [False])):
        asked.clear()
        table = _empty_table(beside={"E4": mask} if parallax_mm else {})
        told = judge._tile(table, "E4", tiles, cast(Taught, SimpleNamespace(untaught=())))
        assert asked == looks and (told is None) == (looks[-1] or whole > 0.99)


@pytest.mark.parametrize(
    ("lean", "over", "clear"),
    [
        ((0.0, -8.0), {"F9"}, {"F13", "G12", "E12"}),
        ((0.0, 8.0), {"F13"}, {"F9", "G10", "E10"}),
        ((0.0, 0.0), set(), {"F9", "F13"}),
    ],
)
def test_a_disc_leans_over_the_cell_behind_it(lean: tuple[float, float], over: set[str], clear: set[str]) -> None:
    board, pieces = boards.load("mr-jack-new-york"), boards.load_pieces("mr-jack-new-york")
    judge = object.__new__(SideJudge)
    judge.board, tiles = board, pieces.groups["tiles"]
    movable = SimpleNamespace(height_mm=8.0)
    judge.extractor = cast(Any, SimpleNamespace(movable=movable, finder=SimpleNamespace(radius_mm=15.0)))
    table: Any = SimpleNamespace(
        prepared=SimpleNamespace(parallax_mm=lambda *_: np.array([lean])),
        ground=SimpleNamespace(cells={c: i for i, c in enumerate(board.cells)}),
    )
    disc: Any = SimpleNamespace(offset_mm=np.zeros(2))
    found = judge._occludes(table, "F11", disc, tiles)
    assert over <= set(found) and not clear.intersection(found) and "F11" not in found and len(found) <= 3


def test_bare_print_is_plainer_without_the_disc_that_leans_over_it() -> None:
    tiles, settings = boards.load_pieces("mr-jack-new-york").groups["tiles"], PlainSettings()
    shape, scale, side = flat_shape(tiles), settings.surface.scale, round(TILE_PATCH_MM * settings.surface.scale)
    rng = np.random.default_rng(2)
    street = np.full((side, side, 3), 0.3, np.float32) + rng.normal(0, 0.01, (side, side, 3)).astype(np.float32)
    patch = np.where(shape.footprint(side, scale, 1.0)[..., None], np.float32([0.7, 0.2, 0.1]), street)
    exemplar = set_apart([("lamp", patch, (0.0, 0.0))], shape, scale)
    colours = {"lamp": slot_colour([(coded(patch), (0.0, 0.0))], scale)}
    taught = Taught(shape, exemplar, ("lamp",), colours, colours, (), (patch,))
    ys, xs = np.mgrid[0:side, 0:side] - (side - 1) / 2
    disc = np.hypot(xs - 4 * scale, ys - 21 * scale) <= 15 * scale
    seen = np.where(disc[..., None], np.float32([0.05, 0.4, 0.3]), street)
    change = disc.astype(np.float32)
    found = [measures(PlacePatch(seen, street, change, None, mask), taught, Nets(scale), settings)[0] for mask in (None, disc)]
    network, visible = OF_BARE.index("network"), OF_BARE.index("visible")
    assert found[1][network] > found[0][network] + 1 and found[0][visible] == 1 > found[1][visible] > 0.6
    own = PlacePatch(seen, street, change, ~disc, disc)
    assert own.unseen is not None and own.unseen.all() and PlacePatch(seen, street, change, disc).unseen is disc


def _told_in_sight(
    monkeypatch: pytest.MonkeyPatch, believed: dict[str, float], **of_bare: float
) -> tuple[str, float] | str | None:
    """What is told of a street in sight where this is believed, and this measured of bare print."""
    judge, measured = _tile_judge(), np.zeros(len(OF_BARE))
    for name, value in of_bare.items():
        measured[OF_BARE.index(name)] = value
    monkeypatch.setattr(TileJudge, "_quiet", lambda *_: False)
    monkeypatch.setattr(SideClassifier, "before", lambda *_: None)
    monkeypatch.setattr(SideClassifier, "posteriors", lambda *_, **__: believed)
    monkeypatch.setattr(SideClassifier, "measured", lambda *_, **__: (measured, np.repeat(ALIKE, len(believed) - 2, axis=0)))
    tiles = boards.load_pieces("mr-jack-new-york").groups["tiles"]
    return judge._tile(_empty_table(), "E4", tiles, cast(Taught, SimpleNamespace(untaught=())))


def test_a_street_in_sight_that_hardly_shows_is_not_called_bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured on a made-up copy: two tiles of which glare left nothing were bare print by their weights (0.998)."""
    believed = {BARE: 0.998, REJECT: 0.001, "park": 0.001}
    for network, bare in ((1.0, False), (2.0, True)):
        assert (_told_in_sight(monkeypatch, believed, network=network) is None) is bare


def test_a_side_of_which_light_leaves_little_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured on a made-up copy: a building in glare, where any tile changes the street twice as much, was a park (0.993)."""
    believed = {BARE: 0.0, REJECT: 0.0, "park": 0.993, "building": 0.007}
    for spare, told in ((0.47, False), (0.2, True)):
        found = _told_in_sight(monkeypatch, believed, spare=spare)
        assert (found == ("park", 0.993)) is told
        assert isinstance(found, str) is not told


def test_a_strip_is_not_sought_beside_a_piece_where_all_else_is_known() -> None:
    def hides(told: set[str], stands: set[str], plain: set[str] | None = None) -> bool:
        table = cast(SideTable, SimpleNamespace(told=told, presumed=set(), plain=plain or set()))
        return StripJudge._may_lie(table, ("A1", "A2"), stands)

    assert not hides({"A1", "A2"}, set())
    assert not hides({"A1"}, {"A2"})
    assert hides({"A1"}, set())
    assert hides(set(), {"A1", "A2"})
    assert hides(set(), {"A1"})
    assert not hides({"A1"}, set(), {"A1"}), "what is seen whole lies below no strip"


@pytest.mark.parametrize(
    ("seems", "other", "untaught", "doubted"),
    [
        (0.1, 1.5, (), False),
        (1.5, 0.1, (), True),
        (1.5, 1.9, (), False),
        (1.5, 1.9, ("lamp",), True),
        (0.1, 0.05, (), False),
        (0.46, 1.9, ("lamp",), True),
    ],
)
def test_a_side_that_is_off_in_colour_is_not_told_where_the_other_fits(
    seems: float, other: float, untaught: tuple[str, ...], doubted: bool
) -> None:
    """Both sides bore one drawing, one had been taught 3 mm beside its place: by its drawing it was the other (0.98)."""
    rows = np.zeros((2, len(SIDE)))
    rows[:, SIDE.index("colour")] = seems, other
    looks = SimpleNamespace(measured=lambda table, cell, taught, hidden: (np.zeros(1), rows))
    judge: Any = SimpleNamespace(_own=SideSettings(), _looks=looks)
    taught: Any = SimpleNamespace(sides=("silent", "talkative"), untaught=untaught)
    assert LoneJudge._other_side(judge, cast(SideTable, None), "E4", taught, "silent") is doubted
