"""Values of the hall: JSON both ways, and what comes from outside is refused by name."""

from dataclasses import replace

import pytest

from companion.errors import BadInput
from companion.hub.model import HallMatch, HallTable, Ruling, Trouble

TABLE = HallTable(
    "table-7", "Table 7", "m1", "mr-jack-london", 12, True, 1.5, "1.4", {"phase": "play"},
    (Trouble("gap", "events {first} to {last} are missing", {"first": "3", "last": "4"}, 1.0),),
)  # fmt: skip
MATCH = HallMatch("table-7", "m1", "mr-jack-london", "London", 1.0, 2.0, 12, "ab" * 32, {"code": "caught"})
RULING = Ruling("r1", "table-7", "m1", "Ada", {"kind": "rule", "action": "allow"}, 12, "refused", "no flag", 3.0)


@pytest.mark.parametrize("value", [TABLE, MATCH, RULING, TABLE.troubles[0], HallTable("t", "T"), replace(MATCH, outcome=None)])
def test_json_goes_both_ways(value: HallTable | HallMatch | Ruling | Trouble) -> None:
    assert type(value).from_json(value.to_json()) == value


def test_a_trouble_says_its_sentence() -> None:
    assert TABLE.troubles[0].message == "events 3 to 4 are missing"


@pytest.mark.parametrize(
    ("value", "change", "said"),
    [
        (TABLE, {"table": "Table 7"}, "small letters"),
        (TABLE, {"table": "a/b"}, "small letters"),
        (TABLE, {"number": -1}, "number: -1"),
        (TABLE, {"number": True}, "number: true"),
        (TABLE, {"name": "x" * 81}, "name: has 81 characters"),
        (TABLE, {"heard": float("nan")}, "heard: NaN"),
        (TABLE, {"online": 1}, "online: 1"),
        (TABLE, {"snapshot": []}, "snapshot: a JSON object"),
        (TABLE, {"troubles": [{}]}, "code: a text"),
        (TABLE, {"troubles": [{"code": "gap", "text": "{first.__class__}", "params": {}}]}, "does not fit"),
        (MATCH, {"match": ""}, "match ''"),
        (MATCH, {"outcome": 3}, "outcome: a JSON object"),
        (RULING, {"state": "lost"}, "'lost' is not one of"),
        (RULING, {"answer": None}, "answer: a JSON object"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(
    value: HallTable | HallMatch | Ruling, change: dict[str, object], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        type(value).from_json({**value.to_json(), **change})
