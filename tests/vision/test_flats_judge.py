"""What is said of flat pieces from what each place says by itself: no pictures, only probabilities."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion import boards
from companion.vision.plain.claims import Claims
from companion.vision.plain.evidence import BARE, REJECT, UNDER
from companion.vision.plain.flats_judge import FlatsJudge
from companion.vision.plain.settings import PlainSettings

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
COVERS = PIECES.groups["covers"]
LABEL = "cover"


def judged(below: dict[str, float], in_sight: dict[str, float] | None = None) -> tuple[dict[str, float], set[str]]:
    """The covers that are claimed and the places that are doubted, from how probable a cover is by each place alone, below a
    disc or in sight; elsewhere a place is bare."""
    chances = dict.fromkeys(BOARD.of_kind(COVERS.on[0]), 0.0005) | below | (in_sight or {})
    posteriors = {spot: {BARE: 1 - some - 1e-5, REJECT: 1e-5, LABEL: some} for spot, some in chances.items()}
    features = [SimpleNamespace(spot=spot, scorer="covers" + (UNDER if spot in below else ""), quiet=False) for spot in chances]
    extractor = SimpleNamespace(label=lambda piece: LABEL)
    estimator = SimpleNamespace(disputed=lambda features: False)
    judge = FlatsJudge(BOARD, PIECES, cast(Any, extractor), cast(Any, estimator), PlainSettings())
    claims = Claims()
    judge.claim(COVERS, cast(Any, features), posteriors, None, claims)
    found = {one.place: one.confidence for one in claims.sightings}
    return cast(Any, found), {subject.partition(":")[2] for subject in claims.unknown}


def test_two_covers_that_are_sure_by_themselves_leave_none_for_a_third_place() -> None:
    found, doubted = judged({"c2": 0.1, "m9": 0.999}, {"l12": 0.999})
    assert set(found) == {"l12", "m9"}
    assert not doubted


@pytest.mark.parametrize("likely", [0.9, 0.75, 0.96])
def test_a_cover_that_is_not_sure_enough_to_be_claimed_proves_no_other_place_bare(likely: float) -> None:
    """Seen on a path-traced copy: the cover lay below the disc of the place that was a tenth likely by itself."""
    found, doubted = judged({"c2": 0.0977, "l12": likely, "m9": 0.999})
    assert set(found) == {"m9"}
    assert doubted == {"c2", "l12"}


def test_a_cover_in_plain_sight_is_claimed_whatever_the_shadows_below_discs_look_like() -> None:
    """Seen on a path-traced copy with dark covers: two dark rims below discs left the one in sight untold."""
    found, doubted = judged({"f10": 0.99999, "l12": 0.998}, {"h6": 0.9999})
    assert set(found) == {"h6"}
    assert doubted == {"f10", "l12"}


def test_covers_below_discs_are_claimed_where_nothing_else_may_be_one() -> None:
    found, doubted = judged({"f10": 0.99999, "l12": 0.998})
    assert set(found) == {"f10", "l12"}
    assert not doubted
