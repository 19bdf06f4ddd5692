"""What the judge of an unmodified copy claims of tiles, given what every place says by itself."""

from collections.abc import Collection, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.boards import load, load_pieces
from companion.vision.plain.claims import Claims
from companion.vision.plain.discs import Face
from companion.vision.plain.evidence import BARE, REJECT, UNDER, CellFeatures
from companion.vision.plain.judge import Judge
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.texture import TextureComparison, TextureMatch
from companion.vision.plain.upper_side import UpperSide
from companion.vision.reading import Reading, Sighting

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
GROUP = PIECES.groups["gaslights"]
SURE_3 = {"3": 0.996, "1": 0.001, "2": 0.001, "4": 0.001, "blank": 0.001}
SURE_4 = {"4": 0.996, "1": 0.001, "2": 0.001, "3": 0.001, "blank": 0.001}
BLANK = {"blank": 0.996, "1": 0.001, "2": 0.001, "3": 0.001, "4": 0.001}


def judged(
    places: Mapping[str, Mapping[str, float]],
    monkeypatch: pytest.MonkeyPatch,
    prior: Reading | None = None,
    disputed: Collection[str] = (),
) -> Claims:
    extractor: Any = SimpleNamespace(
        teaching=SimpleNamespace(unturned=()),
        label=lambda piece: str(PIECES.pieces[piece].label),
        movable=PIECES.groups["characters"],
        flat_groups=(GROUP,),
    )
    judge = Judge(BOARD, PIECES, extractor, PlainSettings())
    posteriors = {spot: {BARE: 1e-5, REJECT: 1e-5} | dict(found) for spot, found in places.items()}
    monkeypatch.setattr(judge, "posteriors", lambda features: posteriors[features.spot])
    monkeypatch.setattr(judge._estimator, "disputed", lambda features: features.spot in disputed)
    claims = Claims()
    cell_features = [CellFeatures(spot, (BARE, REJECT), quiet=True) for spot in places]
    judge.flats(GROUP, cell_features, frozenset(), prior, claims)
    return claims


def test_a_number_that_only_the_other_tiles_leave_over_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told apart from 2 by forty to one, but the tile itself hardly looks like a 1."""
    diffuse = {"1": 0.42, "2": 0.01, "3": 0.32, "4": 0.15, "blank": 0.10}
    claims = judged({"c7": SURE_3, "k6": SURE_4, "f5": BLANK, "h8": BLANK, "l11": diffuse}, monkeypatch)
    assert {s.place for s in claims.sightings} == {"c7", "k6", "f5", "h8"}
    assert "gaslight:l11" in claims.unknown


def test_a_number_that_shows_itself_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    clear = {"1": 0.96, "2": 0.01, "3": 0.01, "4": 0.01, "blank": 0.01}
    claims = judged({"c7": SURE_3, "k6": SURE_4, "f5": BLANK, "h8": BLANK, "l11": clear}, monkeypatch)
    assert {s.place: PIECES.pieces[s.piece].label for s in claims.sightings}["l11"] == 1
    assert not claims.unknown


def test_a_number_that_reads_otherwise_than_its_tile_looks_is_told_only_where_that_is_plain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks_like_3 = {"3": 0.979, "1": 0.007, "2": 0.013, "4": 0.0005, "blank": 0.0005}
    assert [PIECES.pieces[s.piece].label for s in judged({"h8": looks_like_3}, monkeypatch).sightings] == [3]
    claims = judged({"h8": looks_like_3}, monkeypatch, disputed=("h8",))
    assert "gaslight:h8" in claims.unknown
    claims = judged({"h8": looks_like_3}, monkeypatch, lay(3, "h8"), ("h8",))  # as before
    assert [PIECES.pieces[s.piece].label for s in claims.sightings] == [3]
    assert not judged({"h8": SURE_3}, monkeypatch, disputed=("h8",)).unknown


def test_while_one_number_cannot_be_read_the_others_must_be_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A made-up copy with figures of three pixels: a 3 was called 2 (0.982) beside three numbers that could not be told."""
    rather_2 = {"2": 0.980, "3": 0.013, "1": 0.003, "4": 0.003, "blank": 0.001}
    one_or_4 = {"1": 0.52, "4": 0.44, "2": 0.02, "3": 0.01, "blank": 0.01}

    def told(places: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
        claims = judged(places, monkeypatch)
        assert set(claims.unknown) == {f"gaslight:{spot}" for spot in places} - {
            f"gaslight:{s.place}" for s in claims.sightings
        }
        return {s.place: PIECES.pieces[s.piece].label for s in claims.sightings}

    assert told({"l11": rather_2, "f5": BLANK}) == {"l11": 2, "f5": "blank"}
    assert told({"l11": rather_2, "f5": BLANK, "f9": one_or_4}) == {"f5": "blank"}
    assert told({"l11": rather_2, "k6": SURE_3, "f9": one_or_4}) == {"l11": 2, "k6": 3}, "the other one settles what it is"


def test_a_place_is_not_bare_that_looks_like_a_tile_lying_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card over a 2: what shows looks somewhat like a blank one, of which both lie elsewhere."""
    some_blank = {BARE: 0.86, REJECT: 0.01, "1": 0.02, "2": 0.004, "3": 0.006, "4": 0.005, "blank": 0.098}
    sure_1 = SURE_3 | {"1": 0.996, "3": 0.001}
    tiles = {"b2": sure_1, "c7": SURE_3, "k6": SURE_4, "f5": BLANK, "h8": BLANK}
    claims = judged(tiles | {"h4": some_blank}, monkeypatch)
    assert {s.place for s in claims.sightings} == tiles.keys()
    assert "gaslight:h4" in claims.unknown


def test_pieces_that_look_alike_keep_their_names_between_two_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    fainter = BLANK | {"blank": 0.99, "1": 0.007}
    one = judged({"f5": BLANK, "h8": fainter}, monkeypatch)
    other = judged({"f5": fainter, "h8": BLANK}, monkeypatch)
    assert {(s.piece, s.place) for s in one.sightings} == {(s.piece, s.place) for s in other.sightings}
    assert len(one.sightings) == 2


def lay(label: int, place: str) -> Reading:
    piece = next(p.id for p in PIECES.in_group("gaslights") if p.label == label)
    return Reading((Sighting(piece, place, None, None, 0.99, BOARD.mm(place)),), {}, (), True, 0.0, "before")


def test_a_number_in_doubt_is_what_it_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = {"4": 0.85, "1": 0.14, "2": 0.003, "3": 0.003, "blank": 0.004}
    assert "gaslight:l11" in judged({"l11": doubtful}, monkeypatch).unknown
    claims = judged({"l11": doubtful}, monkeypatch, lay(4, "l11"))
    assert [PIECES.pieces[s.piece].label for s in claims.sightings] == [4]
    assert "gaslight:l11" in judged({"l11": doubtful}, monkeypatch, lay(1, "l11")).unknown


def test_clear_evidence_overrules_what_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = judged({"l11": SURE_4 | {"4": 0.9999, "1": 0.0001}}, monkeypatch, lay(1, "l11"))
    assert [PIECES.pieces[s.piece].label for s in claims.sightings] == [4]


def test_what_was_not_told_before_speaks_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = {"4": 0.955, "1": 0.04, "2": 0.002, "3": 0.002, "blank": 0.001}
    unsaid = Reading((), {"gaslight:l11": "cannot be told"}, (), True, 0.0, "before")
    assert judged({"l11": doubtful}, monkeypatch, unsaid).unknown == judged({"l11": doubtful}, monkeypatch).unknown


def test_a_cover_under_a_disc_is_told_by_what_shows_of_it_unless_it_can_lie_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What shows beside a disc could as well be its shadow. Only where every other place is settled by itself does it help that
    the second cover must lie somewhere."""
    covers = PIECES.groups["covers"]
    extractor: Any = SimpleNamespace(label=lambda piece: "covers", movable=PIECES.groups["characters"], flat_groups=(covers,))
    judge = Judge(BOARD, PIECES, extractor, PlainSettings())
    under = f"covers{UNDER}"

    def told(here: float, scorer: str, there: float, other: str) -> bool:
        posteriors = {
            spot: {BARE: 1 - value, REJECT: 0.0, "covers": value}
            for spot, value in (("c2", 0.999), ("h6", here), ("l12", there))
        }
        monkeypatch.setattr(judge, "posteriors", lambda features: posteriors[features.spot])
        claims = Claims()
        kinds = {"c2": "covers", "h6": scorer, "l12": other}
        judge.flats(
            covers,
            [CellFeatures(spot, (BARE, REJECT), scorer=kind, quiet=True) for spot, kind in kinds.items()],
            (),
            None,
            claims,
        )
        found = {sighting.place for sighting in claims.sightings} == {"c2", "h6"}
        assert found is not ("cover:h6" in claims.unknown)
        return found

    assert told(0.966, "covers", 0.001, under)
    assert not told(0.966, under, 0.001, under)  # below the disc on l12 one may lie as well, for all that can be seen
    assert not told(0.966, under, 0.04, "covers")
    assert told(0.966, under, 0.001, "covers")
    assert not told(0.88, under, 0.001, "covers")


def test_where_all_covers_are_found_a_strange_look_elsewhere_is_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    covers = PIECES.groups["covers"]
    extractor: Any = SimpleNamespace(label=lambda piece: "covers", movable=PIECES.groups["characters"], flat_groups=(covers,))
    judge = Judge(BOARD, PIECES, extractor, PlainSettings())
    sure = {BARE: 0.0005, REJECT: 0.0005, "covers": 0.999}
    odd = {BARE: 0.5, REJECT: 0.4, "covers": 0.1}
    for second, doubted in ((sure, False), ({BARE: 0.6, REJECT: 0.1, "covers": 0.3}, True)):
        posteriors = {"c2": sure, "h6": second, "f7": odd}
        monkeypatch.setattr(judge, "posteriors", lambda features, found=posteriors: found[features.spot])
        claims = Claims()
        cell_features = [CellFeatures(spot, (BARE, REJECT), scorer="covers", quiet=True) for spot in posteriors]
        judge.flats(covers, cell_features, frozenset(), None, claims)
        assert ("cover:f7" in claims.unknown) is doubted


def test_a_cover_that_is_not_surely_found_may_lie_where_the_others_leave_it_a_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    covers = PIECES.groups["covers"]
    extractor: Any = SimpleNamespace(label=lambda piece: "covers", movable=PIECES.groups["characters"], flat_groups=(covers,))
    judge = Judge(BOARD, PIECES, extractor, PlainSettings())

    def doubted(chances: Mapping[str, float]) -> set[str]:
        monkeypatch.setattr(
            judge,
            "posteriors",
            lambda features: {BARE: 1 - chances[features.spot], REJECT: 0.0, "covers": chances[features.spot]},
        )
        monkeypatch.setattr(CellFeatures, "sighted", True)
        claims = Claims()
        judge.flats(
            covers, [CellFeatures(spot, (BARE, REJECT), scorer=f"covers{UNDER}") for spot in chances], frozenset(), None, claims
        )
        assert {s.place for s in claims.sightings} == {spot for spot, chance in chances.items() if chance > 0.99}
        return {name.partition(":")[2] for name in claims.unknown}

    assert doubted({"c2": 0.83, "a5": 0.36, "f7": 0.03, "m9": 0.02, "l12": 0.999}) == {"c2", "a5"}
    assert doubted({"c2": 0.02, "a5": 0.01, "f7": 0.03, "l12": 0.999}) == {"c2", "a5", "f7"}


WALKERS = [piece.id for piece in PIECES.in_group("characters")]
STREETS = sorted(BOARD.of_kind("street"))


def crowd(others: Mapping[str, Mapping[str, float]], missing: str) -> dict[str, dict[str, float]]:
    """What is believed of cells: every piece but ``missing`` surely on some street, and ``others``."""
    sure = {cell: {f"{who}/suspect": 0.999} for who, cell in zip(WALKERS, STREETS, strict=False) if who != missing}
    empty = {BARE: 1e-4, REJECT: 1e-5} | {f"{who}/{face}": 1e-5 for who in WALKERS for face in ("suspect", "innocent")}
    return {cell: empty | dict(found) for cell, found in (sure | dict(others)).items()}


def walked(
    posteriors: Mapping[str, Mapping[str, float]],
    covers: Mapping[str, bool],
    monkeypatch: pytest.MonkeyPatch,
    pale: tuple[str, ...] = (),
) -> Claims:
    """The movable pieces claimed; at ``covers`` a cover seems to lie, with its drawing in sight or not. The first faces of the
    ``pale`` ones are as white as paper."""
    group = PIECES.groups["covers"]
    extractor: Any = SimpleNamespace(
        teaching=SimpleNamespace(unturned=()),
        label=lambda piece: "covers",
        movable=PIECES.groups["characters"],
        flat_groups=(group,),
        spots=lambda group: tuple(covers),
        flats_at=lambda prepared, group, spots: [CellFeatures(spot, (BARE, REJECT), scorer="covers") for spot in spots],
        way_turns=lambda piece, side: None,
        knows_back=lambda piece: False,
        paleness=lambda piece: float(piece in pale),
        faintness={},
    )
    judge = Judge(BOARD, PIECES, extractor, PlainSettings())
    monkeypatch.setattr(judge, "facing", lambda piece, face, features, known: ("NE", 0.999) if known else None)
    open_cover = {BARE: 0.001, REJECT: 0.001, "covers": 0.998}
    monkeypatch.setattr(
        judge, "_looked", lambda features: open_cover if features.scorer == "covers" else posteriors[features.spot]
    )
    monkeypatch.setattr(judge._drawings, "is_piece", lambda features: covers[features.spot])
    closer: Any = SimpleNamespace(
        prepared=None,
        wanted=lambda spot: True,
        spots=None,
    )
    claims = Claims()
    cell_features = [CellFeatures(spot, tuple(found), quiet=True, scorer="walkers") for spot, found in posteriors.items()]
    judge.movable(cell_features, frozenset(), None, claims, closer)
    return claims


def test_nobody_stands_where_a_cover_is_seen_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dark disc and two open covers in dim light: either could be the disc by colour, but the covers show their drawing."""
    dim = {BARE: 0.2, "goodley/suspect": 0.3, "goodley/innocent": 0.3}
    doubtful = {STREETS[20]: {BARE: 0.05, "goodley/suspect": 0.9}, "c2": dim, "h6": dim}
    claims = walked(crowd(doubtful, "goodley"), {"c2": True, "h6": True}, monkeypatch)
    assert {s.piece: s.place for s in claims.sightings}["goodley"] == STREETS[20]
    claims = walked(crowd(doubtful, "goodley"), {"c2": False, "h6": False}, monkeypatch)
    assert "goodley" in claims.unknown


def test_a_side_of_a_piece_as_white_as_paper_needs_to_be_clearer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A white disc of which both sides looked alike was called a suspect (0.99) when it was none."""
    faces = {"smith/suspect": 0.985, "smith/innocent": 0.012, BARE: 0.001}
    posteriors = crowd({STREETS[20]: faces}, "smith")
    assert next(s.face for s in walked(posteriors, {}, monkeypatch).sightings if s.piece == "smith") == "suspect"
    assert walked(posteriors, {}, monkeypatch, pale=("smith",)).unknown["smith"].startswith("its side cannot be told")
    clear = crowd({STREETS[20]: faces | {"smith/innocent": 1e-4}}, "smith")
    assert next(s.face for s in walked(clear, {}, monkeypatch, pale=("smith",)).sightings if s.piece == "smith") == "suspect"


def test_which_way_a_piece_faces_is_told_only_where_it_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found because all others stood elsewhere, a piece was looked for beside its place, and its way was surely false."""
    washed = {"watson/innocent": 0.32, "gull/innocent": 0.34, "lestrade/innocent": 0.19}
    claims = walked(crowd({STREETS[20]: washed}, "watson"), {}, monkeypatch)
    assert "which way it faces" in claims.unknown["watson"]
    claims = walked(crowd({STREETS[20]: {"watson/innocent": 0.98}}, "watson"), {}, monkeypatch)
    assert next(s.facing for s in claims.sightings if s.piece == "watson") == "NE"


def test_a_known_piece_shows_its_side_by_its_portrait(monkeypatch: pytest.MonkeyPatch) -> None:
    extractor: Any = SimpleNamespace(
        teaching=SimpleNamespace(unturned=()),
        movable=PIECES.groups["characters"],
        flat_groups=(),
        movable_ids=tuple(WALKERS),
        knows_back=lambda piece: False,
    )
    judge = Judge(BOARD, PIECES, extractor, PlainSettings())
    features = CellFeatures("c2", (BARE, REJECT), stack=(np.zeros((1, 1, 3), np.uint8), np.zeros((8, 2))))
    for first, second, surely in ((5.0, 1.0, "suspect"), (-4.0, 3.0, "innocent"), (0.0, 1.5, None)):
        monkeypatch.setattr(judge._estimator, "portraits", lambda features, a=first, b=second: np.tile([a, b], (8, 1)))
        tilt = {"suspect": 0.8, "innocent": 0.2} if surely != "innocent" else {"suspect": 0.2, "innocent": 0.8}
        found = judge._upper.by_portrait("gull", tilt, features)
        best = max(found, key=lambda face: found[face])
        assert (found[best] / sum(found.values()) >= PlainSettings().claim) is (surely is not None)
        assert surely in (None, best)


def test_the_side_of_a_piece_found_by_elimination_needs_all_it_looks_like_to_lie_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured on a path-traced table: a first side under a lamp's reflection was called a second one, 0.973."""
    glare = {"gull/innocent": 0.425, "holmes/innocent": 0.152, "bert/innocent": 0.135, "holmes/suspect": 0.13}
    claims = walked(crowd({STREETS[20]: glare}, "gull"), {}, monkeypatch)
    assert claims.unknown["gull"].startswith("its side cannot be told") and claims.lying["gull"] == STREETS[20]
    alike = {"gull/innocent": 0.247, "holmes/innocent": 0.58, "watson/innocent": 0.08, "holmes/suspect": 0.02}
    claims = walked(crowd({STREETS[20]: alike}, "gull"), {}, monkeypatch)
    assert next(s.face for s in claims.sightings if s.piece == "gull") == "innocent"


def test_a_white_disc_whose_second_side_was_taught_is_told_as_surely_as_others() -> None:
    extractor: Any = SimpleNamespace(
        teaching=SimpleNamespace(unturned=()),
        movable=PIECES.groups["characters"],
        flat_groups=(),
        knows_back=lambda piece: piece == "gull",
        paleness=lambda piece: 1.0,
        faintness={},
    )
    judge = Judge(BOARD, PIECES, extractor, PlainSettings())
    faces = {"suspect": 0.985, "innocent": 0.015}
    features = CellFeatures("c2", (BARE, REJECT))
    assert judge._upper.sides("gull", faces, {}, features, doubted=False) == pytest.approx(faces)
    assert judge._upper.sides("bert", faces, {}, features, doubted=False)["suspect"] < PlainSettings().claim


def test_the_prints_drawing_in_sight_ends_the_doubt_and_a_pieces_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coin over a printed lamp, 0.80 like a tile and 0.48 like the print, was called a tile, 0.978 (83022)."""
    drawings = TextureComparison(SimpleNamespace(pieces=PIECES), PlainSettings().judge)  # type: ignore[arg-type]
    features = CellFeatures("f5", (BARE, REJECT), scorer="gaslights", place=SimpleNamespace())  # type: ignore[arg-type]
    doubt = {BARE: 0.3, REJECT: 0.05, "blank": 0.6, "1": 0.05}
    for drawing, bare in (
        (TextureMatch(0.8, 0.48), 0.3),
        (TextureMatch(0.2, 0.8), 0.89),
        (TextureMatch(0.6, 0.55), 0.3),
        (None, 0.3),
    ):
        monkeypatch.setattr(drawings, "of", lambda features, found=drawing: found)
        heard = drawings.heard(features, doubt)
        assert sum(heard.values()) == pytest.approx(1)
        assert heard[BARE] == pytest.approx(bare, abs=0.02)
        assert heard["blank"] / heard["1"] == pytest.approx(12)
    sure = {BARE: 0.995, REJECT: 0.001, "blank": 0.003, "1": 0.001}
    monkeypatch.setattr(drawings, "of", lambda features: TextureMatch(0.9, 0.1))
    assert drawings.heard(features, sure) == sure


@pytest.mark.parametrize(
    ("washed", "portrait", "told"), [(0.0, -1.0, True), (1.0, -1.0, False), (1.0, 8.0, True), (0.2, 1.0, True)]
)
def test_a_disc_white_under_a_reflection_shows_its_second_side_only_by_its_portrait(
    monkeypatch: pytest.MonkeyPatch, washed: float, portrait: float, told: bool
) -> None:
    """Measured on a path-traced table: a red disc under a lamp's reflection was called turned over, 0.993."""
    uncoloured = Face(np.full((15, 96, 3), 50, np.float32), np.zeros((15, 96), np.float32))
    extractor: Any = SimpleNamespace(
        teaching=SimpleNamespace(unturned=()),
        movable=PIECES.groups["characters"], flat_groups=(), movable_ids=tuple(WALKERS), knows_back=lambda piece: False,
        paleness=lambda piece: 0.0, faintness={}, washed_out=lambda face: washed, faces=dict.fromkeys(WALKERS, uncoloured),
    )  # fmt: skip
    monkeypatch.setattr(UpperSide, "second_sides_known", True)
    monkeypatch.setattr(UpperSide, "first_shows", lambda *_: 0.0)
    judge = Judge(BOARD, PIECES, extractor, PlainSettings())
    disc: Any = SimpleNamespace(faces=(uncoloured,))
    features = CellFeatures("c2", (BARE, REJECT), stack=(np.zeros((1, 1, 3), np.uint8), np.zeros((8, 2))), disc=disc)
    monkeypatch.setattr(judge._estimator, "portraits", lambda features: np.tile([portrait - 3, portrait], (8, 1)))
    for second, first in (("innocent", "suspect"), ("suspect", "innocent")):
        believed = {"suspect": 0.0, "innocent": 0.0} | {second: 0.79, first: 0.002}
        sides = judge._upper.sides("holmes", believed, {}, features, doubted=False)
        assert sum(sides.values()) == pytest.approx(0.792)
        assert (sides[second] / sum(sides.values()) >= PlainSettings().claim) is (told or second == "suspect")


def test_the_side_of_who_was_taught_under_a_reflection_is_told_by_all_that_it_looks_like_and_by_paper(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    extractor: Any = SimpleNamespace(
        teaching=SimpleNamespace(unturned=()),
        movable=PIECES.groups["characters"], flat_groups=(), movable_ids=tuple(WALKERS), knows_back=lambda piece: False,
        faintness={"gull": 1.0}, washed_out=lambda face: 0.0, paleness=lambda piece: 1.0,
    )  # fmt: skip
    monkeypatch.setattr(UpperSide, "second_sides_known", True)
    monkeypatch.setattr(UpperSide, "first_shows", lambda *_: 0.0)
    judge = Judge(BOARD, PIECES, extractor, PlainSettings())
    monkeypatch.setattr(judge._estimator, "portraits", lambda features: np.zeros((8, 2)))
    posterior = {
        "gull/suspect": 0.3,
        "gull/innocent": 0.1,
        "bert/innocent": 0.2,
        "holmes/innocent": 0.1,
        "holmes/suspect": 0.02,
    }
    for chroma, light, side in ((3.0, 95.0, "innocent"), (30.0, 50.0, None)):
        disc: Any = SimpleNamespace(faces=(SimpleNamespace(chroma_inside=chroma, bright_inside=light),))
        features = CellFeatures("c2", (BARE, REJECT), stack=(np.zeros((1, 1, 3), np.uint8), np.zeros((8, 2))), disc=disc)
        sides = judge._upper.sides("gull", {"suspect": 0.3, "innocent": 0.1}, posterior, features, doubted=True)
        sure = [name for name, value in sides.items() if value / sum(sides.values()) >= PlainSettings().claim]
        assert sure == ([side] if side else [])  # here one witness speaks against the other


@pytest.mark.parametrize(("said", "told"), [(0.93, True), (0.88, False)])
def test_what_was_fitted_says_less_of_a_disc_than_is_true(said: float, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not so of one whose first side is as white as paper."""
    faces = {"smith/suspect": said, "smith/innocent": 1 - said - 0.001, BARE: 0.001}
    posteriors = crowd({STREETS[20]: faces}, "smith")
    claims = walked(posteriors, {}, monkeypatch)
    assert ("smith" in {sighting.piece for sighting in claims.sightings}) is told
    assert ("smith" in claims.unknown) is not told
    assert "smith" in walked(posteriors, {}, monkeypatch, pale=("smith",)).unknown


def test_a_disc_is_not_told_by_others_that_stand_nowhere_surely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured on a made-up copy whose second sides are much alike: Lestrade was said to stand where Stealthy did (0.996),
    for Stealthy seemed to stand on the third of these cells (0.93)."""
    looks: dict[str, dict[str, float]] = {
        "a1": {"lestrade": 0.7279, "bert": 0.0809, "watson": 0.0755, "holmes": 0.0627, "stealthy": 0.0445},
        "e9": {"holmes": 0.8891, "stealthy": 0.1088, "bert": 0.0016, "lestrade": 0.0004},
        "m9": {"bert": 0.6906, "stealthy": 0.1691, "holmes": 0.0996, "lestrade": 0.0392, "watson": 0.001},
        "i10": {"bert": 0.9308, "holmes": 0.026, "lestrade": 0.0247, "stealthy": 0.0163},
        **{cell: {piece: 0.9998} for cell, piece in (("f3", "gull"), ("h3", "goodley"), ("k10", "watson"), ("k11", "smith"))},
    }
    ids = [piece.id for piece in PIECES.in_group("characters")]
    extractor: Any = SimpleNamespace(movable=PIECES.groups["characters"], faintness={})
    judge = Judge(BOARD, PIECES, extractor, PlainSettings())
    posteriors = {
        cell: {BARE: 1e-4, REJECT: 1e-4} | {f"{piece}/innocent": of.get(piece, 1e-6) for piece in ids}
        for cell, of in looks.items()
    }
    result = judge._assigned(posteriors, ids, [], None)
    loose = judge._loose(result)
    assert "stealthy" in loose
    told = {
        cell: judge._among(loose - {piece}, piece, posteriors[cell]) for cell, piece in (("a1", "lestrade"), ("f3", "gull"))
    }
    assert judge._trusted(result.at["a1"]["lestrade"]) >= judge._settings.claim > told["a1"]
    assert told["f3"] == 1.0
    # Once all others are known to be elsewhere, what is left is told by that.
    assert judge._among(frozenset(), "lestrade", posteriors["a1"]) == 1.0
