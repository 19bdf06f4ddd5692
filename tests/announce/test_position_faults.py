"""What is wrong with a position set by hand is told in the reader's language, each fault by itself."""

import re
from typing import Any

import extraction
import pytest

from companion import games
from companion.announce.languages import LANGUAGES, SOURCE
from companion.announce.translator import LONGEST, translator
from companion.errors import InvalidPosition

OTHERS = [language for language in LANGUAGES if language != SOURCE]
ENGLISH = re.compile(
    r"\b(stands?|lies|which|where|there|they|missing|touch|tiles?|hex(es)?|but|not|of them|always|street|gaslights?|lamps?|"
    r"covers?|cordons?|subways?|barricades?|steamboats?|informant|building|port|pier|blank|number|side|facing)\b"
)
BROKEN: dict[str, list[tuple[dict[str, Any], int]]] = {
    "mr-jack-new-york": [
        ({"tiles": {"D9": "lamp", "G8": "subway", "A8": "park", "B7": "subway", "B9": "subway", "C10": "lamp"}}, 5),
        ({"tiles": {f"{column}{row}": "subway" for column in "EG" for row in (6, 8, 10, 12)}}, 8),
        ({"barricades": [["E4"], ["E4", "G4"], ["A8", "B7"], ["B9", "C10"]]}, 5),
        ({"steamboats": ["E4", "K16"], "informant": {"hex": "E4"}}, 2),
        ({"steamboats": ["K16", "K16"], "informant": {"hex": "E2", "side": "silent"}}, 2),
    ],
    "mr-jack-london": [
        ({"gaslights": {"g6": "blank", "g5": 1, "f5": "blank", "b2": "blank", "l11": 1, "e9": 2, "c3": 3}}, 3),
        ({"covers": ["g5", "l12"], "cordons": ["NW"]}, 2),
        ({"gaslights": {"z9": 1}, "characters": {"gull": {"hex": "z8", "side": "suspect"}}}, 2),
        ({"characters": {"watson": {"hex": "a3", "side": "suspect"}, "holmes": {"hex": "b2"}}}, 6),
    ],
}


def faults(game: str, changes: dict[str, Any]) -> InvalidPosition:
    rules = games.load(game)
    with pytest.raises(InvalidPosition) as refused:
        rules.position({**rules.start().to_json(), **changes})
    return refused.value


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", BROKEN)
def test_every_fault_of_a_broken_position_is_told(game: str, language: str) -> None:
    for changes, least in BROKEN[game]:
        error = faults(game, changes)
        assert len(error.faults) >= least, error.faults
        for line in (str(error), f"the table cannot be accepted as it is: {error}"):
            told = translator(language).text(line)
            assert not ENGLISH.search(told), told
            assert all(translator(language).text(fault) in told for fault in error.faults), told


def test_a_position_with_many_faults_is_told_to_its_end() -> None:
    error = faults("mr-jack-new-york", {"tiles": {f"{column}{row}": "lamp" for column in "EG" for row in (6, 8, 10, 12)}})
    assert len(str(error)) > LONGEST
    assert translator("ja").text(str(error)).count("；") == len(error.faults) - 1


def test_english_names_the_people_and_keeps_the_rest() -> None:
    line = "position: gull: stands on b2, which is a gaslight, not a street; cordons: 1 of them, but there are always 2"
    assert translator(SOURCE).text(line) == line.replace("gull", "Gull")


def test_the_extraction_sees_what_a_reader_of_positions_refuses() -> None:
    seen = {item.text for item in extraction.finished("companion/games")}
    assert {"{} tile lies on {}, which is {}, not a street", "gaslight {} is there {} times, but there are {}"} <= seen
    assert {"a place to stand", "a printed building", "barricades"} <= extraction.names().keys()


def test_what_only_a_program_gets_wrong_stays_english_beside_what_is_told() -> None:
    """As docs/api.md says: words and types that name nothing cannot come from a page, hands or eyes."""
    error = faults("mr-jack-london", {"turn": "x", "lanterns": [], "covers": ["g5", "l12"]})
    wrong = [fault for fault in error.faults if "lanterns" in fault or fault.startswith("turn")]
    assert len(wrong) == 2 and len(error.faults) > 2
    told = translator("es").text(str(error))
    assert all(fault in told for fault in wrong)
    assert not any(fault in told for fault in error.faults if fault not in wrong)
