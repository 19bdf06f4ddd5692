"""Cards in zones as the referee reads them: what covers what, what is doubtful, what was told by hand, the way back."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from companion.boards import board_from_json, pieces_from_json
from companion.errors import BadInput
from companion.games.layouts import completed, zone_chores
from companion.games.values import Chore
from companion.referee.corrected_reading import claim, group_of, is_spot, outdated, perceive, with_entry
from companion.referee.corrections import Corrector
from companion.vision.reading import Reading, Sighting

Cards = Mapping[str, Sequence[str]]
NAMES = ("anna", "bert", "carl", "dora", "emil", "fay")


def mat() -> dict[str, Any]:
    """A board file of a row, a stack, a heap and a hand, with six cards whose backs are all alike."""

    def box(x: float, y: float) -> list[list[float]]:
        return [[x, y], [x + 180, y], [x + 180, y + 130], [x, y + 130]]

    corners = {"TL": (-16, 16), "TR": (416, 16), "BR": (416, 284), "BL": (-16, 284)}
    return {
        "format": "board/1", "id": "made-up-mat", "name": "Mat", "default_edition": "one", "layout": {"kind": "zones"},
        "printed": {"board_mm": [400.0, 300.0], "frame_mm": [0.0, 0.0, 400.0, 300.0]}, "cells": {},
        "zones": {
            "row": {"kind": "open", "outline_mm": box(10, 10), "order": "row"},
            "pile": {"kind": "open", "outline_mm": box(210, 10), "order": "stack", "along": [0, 1]},
            "heap": {"kind": "open", "outline_mm": box(10, 160)},
            "hand": {"kind": "open", "outline_mm": box(210, 160), "masked": True},
        },
        "groups": {
            "cards": {
                "singular": "card", "shape": "card", "layout": "by-zone", "size_mm": [56.0, 80.0], "height_mm": 0.4,
                "on": ["open"], "marker_mm": 12.0, "quiet_mm": 1.5,
            },
        },
        "pieces": {
            name: {"group": "cards", "name": name.title(), "faces": ["up", "back"], "markers": {"up": 50 + n, "back": 70}}
            for n, name in enumerate(NAMES)
        },
        "markers": {
            "dictionary": "DICT_ARUCO_MIP_36h12", "frame_tolerance_mm": 0.4,
            "frame": {
                corner: {"id": 240 + n, "centre_mm": list(mm), "height_mm": 0.0, "side_mm": 20.0, "quiet_mm": 3.0}
                for n, (corner, mm) in enumerate(corners.items())
            },
        },
        "editions": {"one": {}},
    }  # fmt: skip


BOARD, PIECES = board_from_json(mat()), pieces_from_json(mat())
GROUP = PIECES.groups["cards"]


def reading(cards: Cards, unknown: Mapping[str, str] | None = None, lying: Mapping[str, str] | None = None) -> Reading:
    """What a camera reads of these cards; a back stands for whichever card is left."""
    left = [name for name in reversed(NAMES) if not any(name in held for held in cards.values())]
    seen = []
    for zone, held in cards.items():
        for rank, card in enumerate(held):
            among = () if card in NAMES else NAMES
            name = card if card in NAMES else left.pop()
            ordered = rank if BOARD.zones[zone].order else None
            seen.append(Sighting(name, zone, "back" if among else "up", None, 0.99, None, None, among, ordered))
    return Reading(tuple(seen), dict(unknown or {}), lying=dict(lying or {}))


@pytest.mark.parametrize(
    ("was", "claim", "unknown", "now"),
    [
        ({"row": ["anna", "bert"]}, {"row": ["anna", "bert", "carl"]}, (), {"row": ["anna", "bert", "carl"]}),
        ({"row": ["anna", "bert"]}, {"row": ["bert"]}, (), {"row": ["bert"]}),
        ({"row": ["anna", "bert"]}, {"row": ["bert"]}, ("card:row",), {"row": ["anna", "bert"]}),
        ({"row": ["anna", "bert", "carl"]}, {"row": ["anna", "carl"]}, ("bert",), {"row": ["anna", "bert", "carl"]}),
        ({"pile": ["anna", "bert"]}, {"pile": ["bert"]}, (), {"pile": ["anna", "bert"]}),
        ({"pile": ["anna", "bert"]}, {"pile": ["carl"]}, (), {"pile": ["anna", "bert", "carl"]}),
        ({"pile": ["anna", "bert"]}, {"pile": ["anna"]}, (), {"pile": ["anna"]}),
        ({"pile": ["anna", "bert"]}, {"pile": ["bert"], "row": ["anna"]}, (), {"pile": ["bert"], "row": ["anna"]}),
        ({"pile": ["anna", "bert"]}, {}, (), {}),
        ({"pile": ["anna"]}, {"pile": ["bert", "anna"]}, (), {"pile": ["bert", "anna"]}),
        ({"pile": ["anna", "bert"]}, {}, ("card:pile",), {"pile": ["anna", "bert"]}),
        ({"pile": ["back", "back", "back"]}, {"pile": ["back"]}, (), {"pile": ["back", "back", "back"]}),
        ({"pile": ["back", "back"]}, {"pile": ["back", "back", "back"]}, (), {"pile": ["back", "back", "back"]}),
        (
            {"pile": ["back", "anna", "back"]}, {"pile": ["back", "anna", "back", "bert"]}, (),
            {"pile": ["back", "anna", "back", "bert"]},
        ),
        ({"pile": ["back", "anna", "back"]}, {"pile": ["back", "bert"]}, (), {"pile": ["back", "anna", "back", "bert"]}),
        ({"pile": ["anna"], "row": ["back"]}, {"pile": ["back"]}, (), {"pile": ["anna", "back"]}),
        ({"row": ["back", "back"]}, {"row": ["back"]}, (), {"row": ["back"]}),
        ({"row": ["back", "back"]}, {"row": ["back"]}, ("card:row",), {"row": ["back", "back"]}),
        ({"row": ["anna"]}, {"row": ["back"]}, (), {"row": ["back"]}),
        ({"heap": ["anna", "bert"]}, {"heap": ["bert"], "row": ["anna"]}, ("card:heap",), {"heap": ["bert"], "row": ["anna"]}),
    ],
)  # fmt: skip
def test_what_shows_is_completed_by_what_lay_there(was: Cards, claim: Cards, unknown: tuple[str, ...], now: Cards) -> None:
    assert completed({"cards": was}, {"cards": claim}, unknown, PIECES, zones=BOARD.zones) == {"cards": now}


def say(code: str, subject: str, **more: Any) -> Chore:
    return Chore(code, subject, code, {"rank": more.get("rank")}, more.get("place"), more.get("to"))


@pytest.mark.parametrize(
    ("want", "have", "unknown", "todo"),
    [
        ({"row": ["anna", "bert"]}, {"row": ["anna", "bert"]}, (), []),
        ({"row": ["anna", "bert"]}, {"row": ["anna"], "heap": ["bert"]}, (), [("move-card", "bert", "heap", "row")]),
        ({"row": ["anna"]}, {"row": ["anna", "bert"]}, (), [("take-card", "bert", "row", None)]),
        ({"row": ["anna", "bert"]}, {"row": ["bert"]}, (), [("lay-card", "anna", None, "row")]),
        ({"row": ["anna", "bert"]}, {"row": ["bert"]}, ("card:row",), []),
        ({"row": ["anna", "bert", "carl"]}, {"row": ["bert", "carl", "anna"]}, (), [("order-card", "anna", "row", "row")]),
        ({"heap": ["anna", "bert"]}, {"heap": ["bert", "anna"]}, (), []),
        ({"pile": ["anna", "bert"]}, {"pile": ["bert"]}, (), []),
        ({"pile": ["anna", "bert"]}, {"pile": ["anna"]}, (), [("lay-card", "bert", None, "pile")]),
        ({"row": ["back"]}, {"heap": ["back"]}, (), [("move-card", "card:heap", "heap", "row")]),
        ({"row": ["back"]}, {"row": ["back", "back"]}, (), [("take-card", "card:row", "row", None)]),
        ({"row": ["anna"]}, {"row": ["back"]}, (), [("lay-card", "anna", None, "row"), ("take-card", "card:row", "row", None)]),
    ],
)  # fmt: skip
def test_the_way_back_names_the_fewest_cards(want: Cards, have: Cards, unknown: tuple[str, ...], todo: list[Any]) -> None:
    chores = zone_chores(say, GROUP, want, {"cards": have}, unknown, PIECES, BOARD.zones)
    assert [(chore.code, chore.subject, chore.place, chore.to) for chore in chores] == todo


def test_a_card_put_in_order_is_told_its_place() -> None:
    (chore,) = zone_chores(say, GROUP, {"row": ["anna", "bert"]}, {"cards": {"row": ["bert", "anna"]}}, (), PIECES, BOARD.zones)
    assert chore.params["rank"] in (1, 2) and chore.subject == ("anna" if chore.params["rank"] == 1 else "bert")
    assert zone_chores(say, GROUP, {"row": ["anna"]}, {}, (), PIECES, BOARD.zones) == [], "what is not claimed is not asked for"


def corrector(seen: Reading) -> Corrector:
    return Corrector(BOARD, PIECES, seen, perceive(seen, {}, BOARD, PIECES), {"cards": {}})


def told(seen: Reading, *answers: dict[str, Any]) -> dict[str, Any]:
    """The overrides that these corrections make."""
    return {fix["subject"]: fix for answer in answers for fix in corrector(seen).fixes(answer)}


def test_a_misread_card_is_told_by_name_and_stays_told_while_the_camera_says_the_same() -> None:
    seen = reading({"row": ["anna", "carl"]})
    fixes = told(seen, {"subject": "dora", "place": "row", "rank": 1}, {"subject": "carl", "place": None})
    assert perceive(seen, fixes, BOARD, PIECES).state == {"cards": {"row": ["anna", "dora"]}}
    later = reading({"row": ["anna", "carl", "bert"]})
    assert outdated(later, fixes, BOARD, PIECES) == ()
    assert perceive(later, fixes, BOARD, PIECES).state == {"cards": {"row": ["anna", "dora", "bert"]}}
    covered = reading({"row": ["anna"]}, {"card:row": "something hides a part of row"})
    assert outdated(covered, fixes, BOARD, PIECES) == (), "a hand over the row says nothing new"
    assert outdated(reading({"row": ["anna"]}), fixes, BOARD, PIECES) == ("carl",), "it says that Carl does not lie there"
    assert outdated(reading({"row": ["anna"], "heap": ["dora"]}), fixes, BOARD, PIECES) == ("dora", "carl")


def test_all_of_a_zone_is_told_in_order_and_ends_its_doubt() -> None:
    seen = reading({"row": ["anna"], "heap": ["bert"]}, {"card:row": "something may lie in row that cannot be read"})
    fixes = told(seen, {"subject": "card:row", "place": "row", "cards": ["anna", "back", "bert"]})
    sight = perceive(seen, fixes, BOARD, PIECES)
    assert sight.state == {"cards": {"row": ["anna", "back", "bert"]}} and sight.unknown == {}
    empty = told(seen, {"subject": "card:heap", "place": None})
    assert perceive(seen, empty, BOARD, PIECES).state == {"cards": {"row": ["anna"]}}


def test_a_card_keeps_its_rank_or_comes_last() -> None:
    seen = reading({"row": ["anna", "bert", "carl"], "heap": ["dora"]})
    for answer, row in (
        ({"subject": "bert", "place": "row"}, ["anna", "bert", "carl"]),
        ({"subject": "dora", "place": "row"}, ["anna", "bert", "carl", "dora"]),
        ({"subject": "carl", "place": "row", "rank": 0}, ["carl", "anna", "bert"]),
    ):
        assert perceive(seen, told(seen, answer), BOARD, PIECES).state["cards"]["row"] == row


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"subject": "anna", "place": "hand"}, "'hand' is not a place"),
        ({"subject": "anna", "place": "E4"}, "'E4' is not a place"),
        ({"subject": "card:E4", "place": None}, "'E4' is not a place"),
        ({"subject": "anna", "place": "row", "rank": 3}, "rank 3 is not one of 0 to 1"),
        ({"subject": "anna", "place": "row", "rank": True}, "rank true is not one of"),
        ({"subject": "card:row", "place": "heap", "cards": []}, "say which cards lie there"),
        ({"subject": "card:row", "place": "row", "side": "anna"}, "say which cards lie there"),
        ({"subject": "card:row", "place": "row", "cards": "anna"}, "say which cards lie there"),
        ({"subject": "card:row", "place": "row", "cards": ["zoe"]}, "'zoe' is none of the cards"),
        ({"subject": "card:row", "place": "row", "cards": ["anna", "anna"]}, "'anna' is none of the cards"),
        ({"subject": "tile:row", "place": "row"}, "names no piece of this table"),
    ],
)
def test_a_correction_that_names_nothing_is_refused(answer: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        corrector(reading({"row": ["anna", "bert"]})).fixes(answer)


def test_a_card_that_cannot_be_placed_is_claimed_as_far_as_it_is() -> None:
    seen = reading({"row": ["anna"]}, {"bert": "which of Anna and Bert comes first in row cannot be told"}, {"bert": "row"})
    assert claim(seen, "bert", BOARD, PIECES) == {"hex": "row"} and claim(seen, "anna", BOARD, PIECES) == {"hex": "row"}
    assert claim(seen, "card:row", BOARD, PIECES) == ["anna"] and claim(seen, "card:heap", BOARD, PIECES) is None
    assert perceive(seen, {}, BOARD, PIECES).places == {"bert": "row"}


def test_a_zone_is_a_spot_of_cards_unless_it_is_nobodys_business() -> None:
    assert is_spot("row", GROUP, BOARD) and not is_spot("hand", GROUP, BOARD) and not is_spot("row+pile", GROUP, BOARD)
    assert group_of("card:row", PIECES) is GROUP and group_of("anna", PIECES) is GROUP


def test_entries_replace_zones_and_never_change_them() -> None:
    state: dict[str, Any] = {"cards": {"row": ["anna", "bert"]}}
    before = state["cards"]
    with_entry(state, "anna", {"hex": "heap"}, PIECES)
    assert state["cards"] == {"row": ["bert"], "heap": ["anna"]} and before == {"row": ["anna", "bert"]}
