"""A position that an arbiter sets in Letters from Whitechapel: what may be set is, and all that may not be is told at once."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from testkit.night_players import everybody_stays, flee, hunt
from testkit.night_table import GAME, NightTable
from testkit.shown import put

from companion.announce.translator import translator
from companion.errors import BadInput
from companion.games.letters_from_whitechapel.names import COLOURS
from companion.games.letters_from_whitechapel.table import called
from companion.referee.audit import audit


@pytest.fixture
def night(tmp_path: Path) -> Iterator[NightTable]:
    made = NightTable(tmp_path)
    yield made
    made.close()


def refused(night: NightTable, change: Callable[[Any], object]) -> str:
    before = night.public["number"]
    with pytest.raises(BadInput) as wrong:
        put(night, change)
    assert night.public["number"] == before
    return str(wrong.value)


def stand(**to: str | None) -> Callable[[Any], object]:
    return lambda position: position["police"].update({f"police-{colour}": {"hex": spot} for colour, spot in to.items()})


def acting(night: NightTable) -> NightTable:
    """Jack has walked to 86, and the policemen have stayed."""
    hunt(night)
    flee(night, "86")
    everybody_stays(night)
    return night


def test_a_position_as_on_record_is_set_before_any_policeman_stands(night: NightTable) -> None:
    night.show()
    assert night.public["phase"] == "women"
    assert put(night, lambda position: None)[0] == "ruling"
    assert night.public["phase"] == "women" and night.state.books.women == ()


def test_a_clue_marker_is_laid_and_taken_away_by_the_arbiter(night: NightTable) -> None:
    acting(night)
    assert put(night, lambda position: position["clues"].append("86"))[0] == "ruling"
    assert night.state.books.clues == (86,) and night.public["phase"] == "police-act"
    assert night.show() == ["flag-cleared"]
    put(night, lambda position: position["clues"].clear())
    assert night.state.books.clues == () and night.show() == ["flag-cleared"]


def test_a_policeman_who_has_searched_is_put_elsewhere(night: NightTable) -> None:
    """What he searched in vain was near him: it kept him from being set anywhere else."""
    acting(night)
    night.say("search", circle=34)
    assert night.state.books.missed == (34,)
    far = next(spot for spot in night.state.books.streets.looks if 34 not in night.state.books.streets.looks[spot])
    assert put(night, stand(brown=far))[0] == "ruling"
    assert dict(night.state.books.police)["brown"] == far and night.state.books.missed == ()


def test_what_hands_still_have_to_lay_stays_said_where_nothing_else_is_set(night: NightTable) -> None:
    """A clue was found and its marker is not laid yet: the position on the arbiter's board does not show it."""
    found_a_clue(night)
    assert night.public["position"]["clues"] == []
    put(night, lambda position: None)
    assert night.state.books.clues == (86,)


def test_every_reason_why_a_position_cannot_be_set_is_told_at_once(night: NightTable) -> None:
    acting(night)
    found = refused(
        night,
        lambda position: (
            stand(blue=None, red="86", green="x044", yellow="x044")(position),
            position["clues"].extend(["84", "x044", "90", "91"]),
        ),
    )
    assert found.removeprefix("position: ").split("; ") == [
        "Blue policeman: has to stand on a crossing",
        "Red policeman: stands on 86, but policemen stand on crossings",
        f"Yellow policeman, Green policeman: stand on one crossing, {called('x044')}",
        "a clue marker lies on 84, a crime scene that is not searched",
        f"a clue marker lies on {called('x044')}, but clues lie on circles",
        "more clue markers lie on the board (3) than Jack has gone to circles tonight (1)",
    ]


def test_what_follows_from_what_was_said_cannot_be_set_and_the_way_to_it_is_told(night: NightTable) -> None:
    acting(night)
    found = refused(
        night, lambda position: position.update(scenes=["85"], pawn=9, specials={"space-1": "coach"}, time=2, wretched=["12"])
    )
    assert found.removeprefix("position: ").split("; ") == [
        "Coach token: nothing of this kind lies on 1 on record",
        "Wretched pawn: nothing of this kind lies on 12 on record",
        "Crime scene marker: lies on 84 on record",
        "Crime scene marker: nothing of this kind lies on 85 on record",
        "Jack's pawn on the track: lies elsewhere on record",
        "Time of the crime: lies elsewhere on record",
        "only policemen and clue markers can be set",
        "take the game back to change anything else",
    ]


@pytest.mark.parametrize("colours", [("blue",), ("blue", "yellow", "brown", "red", "green")])
def test_policemen_are_not_set_before_they_have_come(night: NightTable, colours: tuple[str, ...]) -> None:
    night.show()
    spots = ("x042", "x044", "x058", "x137", "x143")
    found = refused(night, stand(**dict(zip(colours, spots, strict=False))))
    assert found == "position: policemen are set once they stand on the board and hunt Jack"


def test_a_table_with_another_clue_on_it_is_accepted(night: NightTable) -> None:
    acting(night)
    night.show(clues=("86",))
    assert night.say("accept", character=None, reason="found and forgotten") == ["ruling"]
    assert night.state.books.clues == (86,)


@pytest.mark.parametrize("language", ["es", "it", "ja", "zh-Hans", "zh-Hant"])
def test_refusals_are_told_in_every_language(night: NightTable, language: str) -> None:
    acting(night)
    found = refused(night, lambda position: (stand(blue=None)(position), position.update(pawn=9)))
    told = translator(language).text(found)
    for english in ("has to stand", "elsewhere", "can be set", "take the game back", "Blue"):
        assert english not in told, told


def found_a_clue(night: NightTable) -> NightTable:
    """A clue was found at 86, and its marker is still to be laid."""
    hunt(night)
    flee(night, "86")
    assert night.police(brown="x085") == ["play"]
    everybody_stays(night)
    night.say("search", circle=86)
    assert night.public["phase"] == "laying"
    return night


def taken(night: NightTable) -> list[str]:
    return night.say("accept", reason="both agree")


def test_a_table_is_not_accepted_while_something_is_still_to_be_laid(night: NightTable) -> None:
    """It was: the record then had the marker there, and the next look found that it was missing."""
    found_a_clue(night)
    night.show(clues=())
    before = night.public["number"]
    with pytest.raises(BadInput) as wrong:
        taken(night)
    assert str(wrong.value) == "the table cannot be accepted before this is done: Clue marker: lay it on 86"
    assert night.public["number"] == before and night.public["phase"] == "laying"
    night.show(clues=(), police=tuple({**dict(night.goal.laid.police), "blue": "x200"}.items()))
    with pytest.raises(BadInput, match=r"before this is done: Clue marker: lay it on 86$"):
        taken(night)


@pytest.mark.parametrize("language", ["es", "it", "ja", "zh-Hans", "zh-Hant"])
def test_what_is_still_to_be_laid_is_told_in_every_language(night: NightTable, language: str) -> None:
    found_a_clue(night)
    night.show(clues=())
    with pytest.raises(BadInput) as wrong:
        taken(night)
    told = translator(language).text(str(wrong.value))
    assert "86" in told and not any(word in told for word in ("Clue", "lay it", "table", "before")), told


def test_what_lies_there_is_on_record_once_an_arbiter_has_taken_it(night: NightTable) -> None:
    """What was asked for went on record in its place, and the next look flagged the difference."""
    found_a_clue(night)
    stands = {**dict(night.goal.laid.police), "blue": "x200"}
    lies = {"clues": ("85",), "police": tuple((colour, stands[colour]) for colour in COLOURS)}
    assert "flag" in night.show(**lies)
    assert taken(night) == ["laid"]
    assert night.state.books.clues == (85,) and dict(night.state.books.police)["blue"] == "x200"
    assert night.state.target is None and night.public["flag"] is None
    assert night.show() == [], "what was taken is what should lie there"
    assert audit(GAME, list(night.record.events(0)))[1] == []


def test_where_clues_may_not_lie_they_are_not_taken(night: NightTable) -> None:
    found_a_clue(night)
    night.show(clues=("84", "86"))
    with pytest.raises(BadInput, match="a clue marker lies on 84, a crime scene that is not searched"):
        taken(night)
