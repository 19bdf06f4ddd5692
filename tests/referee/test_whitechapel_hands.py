"""What hands do wrong with the pieces of Letters from Whitechapel: the sentence and the way back, step by step of a night."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from testkit.night_table import GAME

from companion.games.letters_from_whitechapel.names import COLOURS, DOWN, PATROLS, POLICE_ACT, WOMEN, WRETCHED
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.table import Table

POLICE = tuple(zip(COLOURS, ("x042", "x044", "x058", "x137", "x143"), strict=True))
STAND = {
    "women": Position(2, WOMEN, crime_scenes=((84,),), police=POLICE),
    "patrols": Position(2, PATROLS, crime_scenes=((84,),), women=(3, 21, 27, 65, 147, 149, 158), police=POLICE, head="blue"),
    "wretched": Position(
        2, WRETCHED, time=2, crime_scenes=((84,),), wretched=(3, 27, 65, 147), head="blue",
        patrols=tuple((spot, DOWN) for spot in ("x042", "x044", "x058", "x083", "x137", "x143", "x181")),
    ),
    "searching": Position(
        1, POLICE_ACT, crime_scenes=((84,),), police=POLICE, head="blue", clues=(86,), track=("walk",), moved=COLOURS,
    ),
}  # fmt: skip


def ruled(before: Table, changes: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The sentences of the faults and the way back once pieces lie so."""
    after = Table(before.books, replace(before.laid, **changes))
    found = GAME.explain(before, after)
    assert found.verdict == "illegal"
    assert all("{" not in fault.message for fault in found.faults)
    return [fault.message for fault in found.faults], [chore.message for chore in GAME.differences(before, after.to_json())]


def down(*spots: str) -> tuple[tuple[str, str], ...]:
    return tuple((spot, DOWN) for spot in spots)


@pytest.mark.parametrize(
    ("step", "changes", "said", "back"),
    [
        ("women", {"women": down("3", "84")}, "A woman's token lies on 84, where a crime scene marker lies.", "take it off 84"),
        ("women", {"women": down("3", "20")}, "A woman's token lies on 20, which is not red.", "take it off 20"),
        ("women", {"women": down("x001")}, "Woman's token: may not lie on 2 & 3.", "take it off the crossing 2 & 3"),
        ("women", {"women": (("3", "marked"),)}, "Woman's token: lies open on 3, but must lie face down.", "take it off 3"),
        ("patrols", {"patrols": down("x001")}, "lies on 2 & 3, where no policeman ended", "take it off the crossing 2 & 3"),
        ("patrols", {"patrols": down("27")}, "Patrol token: may not lie on 27.", "take it off 27"),
        ("patrols", {"clues": ("5",)}, "Clue marker: lies on 5, where nothing is to be laid now.", "take it off 5"),
        ("wretched", {"wretched": ("2", "28", "51", "134")}, "past a patrol", "from 51 to 65"),
        ("wretched", {"wretched": ("2", "28", "84", "134")}, "where a crime scene marker lies", "from 84 to 65"),
        ("wretched", {"wretched": ("2", "28", "64", "50")}, "moved to 50, beside a patrol", "to 147"),
        ("wretched", {"wretched": ("2", "28", "63", "12")}, "moved to 12, which is more than one circle away", "to 147"),
        ("wretched", {"wretched": ("2", "28", "63", "x090")}, "may not lie on 66 & 84.", "from the crossing 66 & 84 to 147"),
        ("searching", {"clues": ()}, "Clue marker: is gone from 86, but has to stay there.", "lay it on 86"),
        ("searching", {"clues": ("86", "87")}, "Clue marker: lies on 87, where nothing is to be laid now.", "take it off 87"),
        ("searching", {"pawn": 9}, "Jack's pawn on the track: was moved, but has to stay", "move it from 4 to 1"),
        ("searching", {"police": POLICE[1:]}, "Blue policeman: is gone from 29 & 50", "place it on the crossing 29 & 50"),
        ("searching", {"police": (("blue", "x068"), *POLICE[1:])}, "Blue policeman: stands on", "to 29 & 50"),
    ],
)  # fmt: skip
def test_what_hands_do_wrong_is_said_with_the_way_back(step: str, changes: dict[str, Any], said: str, back: str) -> None:
    faults, way_back = ruled(Table.of(STAND[step]), changes)
    assert any(said in fault for fault in faults), faults
    assert any(back in chore for chore in way_back), way_back
    assert not [fault for fault in faults if "moved to 2," in fault or "moved to 28," in fault], "nobody else is blamed"
