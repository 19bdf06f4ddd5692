"""Positions of Letters from Whitechapel: they round-trip, and what cannot be on a table is refused with every fault at once."""

from itertools import islice
from random import Random
from typing import Any

import pytest
from whitechapel_games import play
from whitechapel_positions import POLICE, RED, YELLOW, position

from companion.errors import InvalidPosition
from companion.games.letters_from_whitechapel.house_rules import CHOICES, DEFAULTS, HOUSE_RULES
from companion.games.letters_from_whitechapel.validation import parsed, position_of
from companion.games.letters_from_whitechapel.validation_secret import secret_of


def faults(data: Any) -> list[str]:
    with pytest.raises(InvalidPosition) as refused:
        position_of(data)
    return list(refused.value.faults)


def secret_faults(data: dict[str, Any], secret: Any) -> list[str]:
    with pytest.raises(InvalidPosition) as refused:
        secret_of(secret, position_of(data))
    return list(refused.value.faults)


@pytest.mark.parametrize(
    "phase", ["women", "patrols", "kill", "wretched", "reveal", "jack", "police-move", "police-act", "over"]
)
def test_a_plain_position_of_every_phase_is_accepted_and_round_trips(phase: str) -> None:
    read = position_of(position(phase))
    assert position_of(read.to_json()) == read == parsed(read.notation())
    assert "secret" not in read.to_json()


def test_positions_of_whole_games_round_trip_as_json_and_as_a_line() -> None:
    random = Random(11)
    for _ in range(3):
        rules = {name: random.choice(choices[1:]) for name, choices in CHOICES.items() if random.random() < 0.5}
        for step in islice(play(random, rules), 400):
            read = step.after.position
            assert position_of(read.to_json()) == read == parsed(read.notation())


def test_the_line_of_notation() -> None:
    data = position("police-act", time=2, missed=[42], acted=[], clues=[146], house_rules={"arrival": "must"})
    data |= {"police": {**POLICE}, "missed": []}
    assert position_of(data).notation() == (
        "revised-2012 1 police-act 2 147 - - - blue:x042,yellow:x044,brown:x058,red:x137,green:x143 146 walk blue "
        "blue,yellow,brown,red,green - - - arrival=must"
    )


@pytest.mark.parametrize("line", ["", "a b c", "revised-2012 1 jack 1 147 - - - blue=x042 - - - - - - - -"])
def test_a_line_that_is_no_position_is_refused(line: str) -> None:
    with pytest.raises(InvalidPosition, match="notation"):
        parsed(line)


def test_steps_that_are_over_may_list_all_five() -> None:
    everybody = list(POLICE)
    assert position_of(position("police-act", moved=everybody)) == position_of(position("police-act"))
    assert position_of(position("jack", track=["walk"], acted=everybody)) == position_of(position("jack", track=["walk"]))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "must be a JSON object"),
        ({"phase": "lunch"}, "phase: 'lunch' is not known"),
        ({}, "phase: missing"),
        (position("jack", night=5), "night: 5 is not a number from 1 to 4"),
        (position("jack", night=True), "night: true is not"),
        (position("jack", time=6), "time: 6 is not a number from 1 to 5"),
        (position("jack", colour="red"), "'colour' is not part of a position"),
        (position("jack", edition="first"), "edition: 'first' is not revised-2012"),
        (position("jack", police={**POLICE, "pink": "x001"}), "police: 'pink' is not a policeman; there are five"),
        (position("jack", police={**POLICE, "blue": "x235"}), "police: blue: 'x235' is not a crossing"),
        (position("jack", police={**POLICE, "blue": "x044"}), "police: blue and yellow on one crossing, x044"),
        (position("jack", police={"blue": "x042"}), "police: yellow, brown, red, green missing; there are always five"),
        (position("kill", police=POLICE), "police: 5 policemen before the hunt of night 1"),
        (position("jack", crime_scenes=[]), "crime_scenes: of 0 nights"),
        (position("jack", crime_scenes=[[3, 21]]), "crime_scenes: 2 of night 1, which has 1"),
        (position("jack", night=2, crime_scenes=[[3], [3]]), "crime_scenes: 2 on 3"),
        (position("jack", crime_scenes=[[196]]), "crime_scenes: 196 is not a circle"),
        (position("jack", crime_scenes=3), "crime_scenes: must be a list"),
        (position("women", women=[4]), "women: a token on 4, which is not red"),
        (position("women", women=[3, 3]), "women: 2 on 3"),
        (position("women", night=2, crime_scenes=[[3]], police=POLICE, women=[3]), "women: a token on 3, where a crime scene"),
        (position("patrols", women=RED[:7]), "women: 7 tokens, but night 1 has 8"),
        (position("jack", women=[3]), "women: tokens on the board in phase jack"),
        (position("kill", wretched=RED), "wretched: 8 pawns, but there are 5"),
        (position("kill", wretched=[3, 21, 27, 65, 66]), "wretched: a pawn on 66, which is not red"),
        (position("jack", wretched=[3]), "wretched: pawns on the board in phase jack"),
        (position("wretched", time=1), "time: 1, but phase wretched follows a wait"),
        (position("kill", patrols=dict.fromkeys([*YELLOW, "x001"], "down")), "patrols: a token on x001"),
        (
            position("kill", patrols={**dict.fromkeys(YELLOW, "down"), "x042": "red"}),
            "patrols: 1 turned up, but by now it is 0 at most",
        ),
        (position("kill", patrols={**dict.fromkeys(YELLOW[:6], "down"), "x001": "down"}), "patrols: a token on x001"),
        (position("kill", patrols={**dict.fromkeys(YELLOW, "down"), "x042": "pink"}), "patrols: 'pink' on x042"),
        (
            position("kill", time=3, patrols={**dict.fromkeys(YELLOW, "down"), "x042": "red", "x044": "red"}),
            "patrols: two tokens of red",
        ),
        (position("jack", patrols={"x042": "down"}), "patrols: tokens on the board in phase jack"),
        (position("jack", track=["coach"] * 4), "track: 4 times coach, but night 1 has 3"),
        (position("jack", track=["walk"] * 15), "track: all 15 spaces used, so the game is over"),
        (position("over", track=["walk"] * 16), "track: 16 spaces used, but there are 15 behind the crime at 1"),
        (position("jack", track=["fly"]), "track: 'fly' is not walk or coach or alley"),
        (position("police-move", track=[]), "track: empty in phase police-move, but Jack moves before the police"),
        (position("kill", track=["walk"]), "track: 1 moves in phase kill, before the hunt"),
        (position("jack", clues=[5]), "clues: 1 of them, but Jack has written only 0 circles"),
        (position("police-act", clues=[147]), "clues: one on 147, tonight's crime scene"),
        (position("police-act", clues=[5, 5]), "clues: 2 on 5"),
        (position("kill", clues=[5]), "clues: 5 in phase kill, before the hunt"),
        (position("police-move", head=None), "head: missing"),
        (position("police-move", head="pink"), "head: 'pink' is not a policeman"),
        (position("police-move", moved=["yellow"]), "moved: yellow, but clockwise from the head"),
        (position("police-move", moved=["blue", "blue"]), "moved: blue is there 2 times"),
        (position("police-move", moved=list(POLICE)), "moved: all five, so phase police-move is over"),
        (position("police-act", moved=["blue"]), "moved: blue in phase police-act; it belongs to phase police-move"),
        (position("police-act", missed=[195]), "missed: 195 is not near blue"),
        (position("jack", missed=[195]), "missed: 195 in phase jack"),
        (position("police-move", seats=["blue"]), "seats: blue instead of the five colours"),
        (position("jack", house_rules={"arrivals": "may"}), "house rule 'arrivals' is not known"),
        (position("jack", house_rules={"arrival": "can"}), "house rule arrival: 'can' is not may or must"),
        (position("jack", house_rules=[]), "house_rules: must be an object"),
    ],
)
def test_what_cannot_be_is_refused_in_words(data: Any, said: str) -> None:
    told = faults(data)
    assert any(said in fault for fault in told), told


def test_all_faults_are_told_at_once() -> None:
    data = position("police-act", police={"blue": "x001", "red": "x001"}, track=["coach"] * 4, clues=[3, 3], moved=["blue"])
    assert len(faults(data)) == 5


def test_a_secret_must_fit_the_position() -> None:
    data = position("police-act", track=["walk", "coach", "alley"], clues=[146])
    row = [147, 146]
    told = secret_faults(data, {"jack": {"hideout": 21, "row": row}})
    assert any("21 is red" in fault for fault in told) and any(
        "2 circles, but 1 scenes and 4 spaces" in fault for fault in told
    )
    short = position("police-act")
    assert secret_of({"jack": {"hideout": 1, "row": [147, 146]}}, position_of(short)).jack
    for wrong, said in (
        ([147, 1], "no walk leads from 147 to 1"),
        ([146, 147], "begins with 146, but tonight's scenes are 147"),
        ([147, 0], "is not a list of circles"),
        ("x", "is not a list of circles"),
    ):
        assert any(said in fault for fault in secret_faults(short, {"jack": {"hideout": 1, "row": wrong}}))
    coach = position("jack", track=["coach"])
    assert "no coach goes from 147 by 146 to 1" in secret_faults(coach, {"jack": {"row": [147, 146, 1]}})[0]
    assert "may not come back" in secret_faults(coach, {"jack": {"row": [147, 146, 147]}})[0]
    alley = position("jack", track=["alley"])
    assert "they share no block" in secret_faults(alley, {"jack": {"row": [147, 1]}})[0]


def test_answers_on_the_board_must_be_true_by_the_row() -> None:
    found = position("police-act", clues=[111])
    assert secret_faults(found, {"jack": {"row": [147, 146]}}) == ["clues: one on 111, which is not on tonight's row"]


def test_secrets_of_women_and_patrols_must_fit_their_tokens() -> None:
    data = position("patrols", patrols=dict.fromkeys(YELLOW, "down"))
    women = {str(circle): "marked" if number < 5 else "blank" for number, circle in enumerate(RED)}
    tokens = dict(zip(YELLOW, [*POLICE, "fake", "fake"], strict=True))
    assert secret_of({"jack": {"women": women}, "police": {"patrols": tokens}}, position_of(data)).police
    assert "6 marked, but night 1 has 5" in secret_faults(data, {"jack": {"women": {**women, "158": "marked"}}})[0]
    assert "no token lies on 4" in secret_faults(data, {"jack": {"women": {"4": "blank"}}})[0]
    told = secret_faults(data, {"police": {"patrols": {**tokens, "x042": "red"}}})
    assert "0 tokens of blue" in told[0] and "2 tokens of red" in told[1]
    assert "'murderer' is not part of it" in secret_faults(data, {"murderer": {}})[0]


def test_house_rules_are_nine_with_the_usual_choice_first() -> None:
    assert len(HOUSE_RULES) == 9
    assert dict(DEFAULTS) == {
        "arrival": "may", "double-event": "police-first", "edge-44": "open", "hideout": "not-red", "shared-crossing": "no",
        "search-scenes": "earlier", "search-found": "no", "trapped": "any-move", "police-order": "clockwise",
    }  # fmt: skip
