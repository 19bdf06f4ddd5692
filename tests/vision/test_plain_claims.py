"""What the judge of an unmodified copy claims of tiles, given what every place says by itself."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from companion.boards import load, load_pieces
from companion.vision.plain.evidence import ALIEN, BARE, UNDER, Clue
from companion.vision.plain.judge import Claims, Judge
from companion.vision.plain.settings import PlainSettings
from companion.vision.reading import Reading, Sighting

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
GROUP = PIECES.groups["gaslights"]
SURE_3 = {"3": 0.996, "1": 0.001, "2": 0.001, "4": 0.001, "blank": 0.001}
SURE_4 = {"4": 0.996, "1": 0.001, "2": 0.001, "3": 0.001, "blank": 0.001}
BLANK = {"blank": 0.996, "1": 0.001, "2": 0.001, "3": 0.001, "4": 0.001}


def judged(places: Mapping[str, Mapping[str, float]], monkeypatch: pytest.MonkeyPatch, prior: Reading | None = None) -> Claims:
    examiner: Any = SimpleNamespace(
        label=lambda piece: str(PIECES.pieces[piece].label), walkers=PIECES.groups["characters"], flat_groups=(GROUP,)
    )
    judge = Judge(BOARD, PIECES, examiner, PlainSettings())
    beliefs = {spot: {BARE: 1e-5, ALIEN: 1e-5} | dict(found) for spot, found in places.items()}
    monkeypatch.setattr(judge, "beliefs", lambda clue: beliefs[clue.spot])
    claims = Claims()
    clues = [Clue(spot, (BARE, ALIEN), quiet=True) for spot in places]
    judge.flats(GROUP, clues, frozenset(), prior, claims)
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


def test_a_cover_under_a_disc_is_told_by_what_shows_of_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only place left for the second cover, but what shows beside the disc could as well be its shadow."""
    covers = PIECES.groups["covers"]
    examiner: Any = SimpleNamespace(label=lambda piece: "covers", walkers=PIECES.groups["characters"], flat_groups=(covers,))
    judge = Judge(BOARD, PIECES, examiner, PlainSettings())
    beliefs = {"c2": {BARE: 0.0005, ALIEN: 0.0005, "covers": 0.999}, "h6": {BARE: 0.034, ALIEN: 0.0, "covers": 0.966}}
    monkeypatch.setattr(judge, "beliefs", lambda clue: beliefs[clue.spot])
    for scorer, told in ((f"covers{UNDER}", False), ("covers", True)):
        claims = Claims()
        clues = [Clue("c2", (BARE, ALIEN), scorer="covers", quiet=True), Clue("h6", (BARE, ALIEN), scorer=scorer, quiet=True)]
        judge.flats(covers, clues, frozenset(), None, claims)
        assert ({s.place for s in claims.sightings} == {"c2", "h6"}) is told
        assert ("cover:h6" in claims.unknown) is not told
