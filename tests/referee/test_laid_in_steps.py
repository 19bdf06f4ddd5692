"""Legal plays that hands lay piece by piece, each seen by itself: whatever is thought half way, nobody is blamed."""

import random
from typing import Any

import pytest
from random_game import answer, legal_play
from scripted_table import Hands

from companion.games import load
from companion.games.game import Play
from companion.referee.comparison import surface
from companion.referee.settings import DEFAULTS

GAMES = ("mr-jack-london", "mr-jack-new-york")


def steps(hands: Hands, play: Play) -> list[dict[str, Any]]:
    """What lies on the table after each piece, in the order of the play's moves; tiles and such in one go."""
    data = play.position.to_json()
    state, after, laid = hands.state, {key: data[key] for key in hands.state}, []
    for move in play.moves:
        if move.piece in hands.game.characters:
            moved = {move.piece: after["characters"][move.piece]}
            state = {**state, "characters": {**state["characters"], **moved}}
        else:
            state = {key: state[key] if key in ("characters", "informant") else after[key] for key in after}
        laid.append(state)
    return [*(one for one in laid if one != after), after]


def understood(hands: Hands, play: Play) -> bool:
    """Whether the record has this play, or the page offers it as one of a few."""
    if hands.match.doubt is not None:
        hands.say(
            kind="choose", alternative=next(one["index"] for one in hands.match.doubt["alternatives"] if _is(hands, one, play))
        )
    same = surface(hands.game, hands.match.position) == surface(hands.game, play.position)
    return same and hands.match.played[-1] == play.character


def _is(hands: Hands, told: dict[str, Any], play: Play) -> bool:
    last = told["plays"][-1]
    shown = surface(hands.game, hands.match.position_from(last["position"]))
    return bool(last["character"] == play.character and shown == surface(hands.game, play.position))


def play_in_steps(hands: Hands, chance: random.Random) -> bool:
    play = legal_play(hands.match, chance)
    if play is None:
        return False
    for state in steps(hands, play):
        hands.state = state
        said = hands.see(2.0)
        assert hands.match.flag is None, (play.text, play.params, said, hands.match.flag)
    assert understood(hands, play), (play.text, play.params, said)
    return True


def test_a_play_taken_for_somebody_elses_half_way_is_asked_about_at_once_and_after_the_pick_has_passed() -> None:
    hands = Hands.at_start(game=load("mr-jack-new-york"))
    hands.see()
    hands.move("callahan", "G4").state["barricades"] = [["E4", "F3"], ["L3", "M4"]]
    assert hands.see() == ["play"]
    hands.move("cloud_rider", "G12")
    assert hands.see() == ["play"] and hands.match.played == ("callahan", "eastman"), "Eastman may have sent her"
    hands.shift("tiles", None, "B7", "building")
    assert hands.see() == ["doubt"]
    assert [one["plays"][0]["character"] for one in hands.match.doubt["alternatives"]] == ["cloud_rider"]
    assert hands.say(kind="choose", alternative=0) == ["correction"]
    assert hands.match.played == ("callahan", "cloud_rider") and hands.match.doubt is None


def test_the_next_play_begun_with_its_ability_may_go_on_past_the_question() -> None:
    hands = Hands.at_start(game=load("mr-jack-new-york"))
    hands.see()
    hands.move("callahan", "G4").state["barricades"] = [["E4", "F3"], ["L3", "M4"]]
    hands.see()
    hands.move("cloud_rider", "G12").see()
    hands.shift("tiles", None, "B7", "building")
    assert hands.see() == ["doubt"]
    hands.move("cloud_rider", "G10")
    hands.see()
    assert hands.match.flag is None
    assert hands.match.doubt is not None or hands.match.played == ("callahan", "eastman", "cloud_rider")


def test_somebody_called_out_of_turn_is_told_to_go_on_and_flagged_when_nothing_comes() -> None:
    hands = Hands.at_start()
    hands.see()
    hands.say(kind="cards", characters=["holmes", "bert", "stealthy", "goodley"])
    assert hands.move("gull", "f10").see() == ["unfinished"]
    (begun,) = hands.match.unfinished["faults"]
    assert (begun["code"], begun["character"], begun["pending"]) == ("begun", "goodley", True)
    assert "Gull → e9" in begun["message"]
    assert hands.see(DEFAULTS.begun_s - 1) == []
    assert hands.see(2) == ["flag"]
    assert [fault["code"] for fault in hands.match.flag["faults"]] == ["not-in-cards"]
    assert hands.move("goodley", "l10").see() == ["flag-cleared", "unfinished"], "he is going on"
    assert hands.match.flag is None
    assert hands.move("smith", "g10").see() == ["play"] and hands.match.played == ("goodley",)


def test_a_beginning_that_nothing_follows_is_flagged_for_what_it_is() -> None:
    hands = Hands.at_start()
    hands.see()
    assert hands.move("gull", "a3").see() == ["unfinished"]
    assert hands.wait(DEFAULTS.begun_s + 1) == ["flag"]
    assert [fault["code"] for fault in hands.match.flag["faults"]] == ["occupied"]
    assert hands.move("gull", "a1").see() == ["flag"]
    assert [fault["code"] for fault in hands.match.flag["faults"]] == ["too-far"]


def test_a_flag_that_stands_is_not_lifted_by_what_might_be_called_as_well() -> None:
    hands = Hands.at_start()
    hands.see()
    hands.say(kind="cards", characters=["holmes", "bert", "stealthy", "goodley"])
    hands.move("gull", "f10").see()
    hands.see(DEFAULTS.begun_s + 1)
    assert hands.match.flag is not None
    assert hands.move("smith", "g9").see() == ["flag"]


def test_a_beginning_beside_a_hidden_disc_is_flagged_in_the_end() -> None:
    hands = Hands.at_start()
    hands.see()
    hands.say(kind="cards", characters=["gull", "bert", "smith", "watson"])
    hands.unknown = {"holmes": "a hand"}
    hands.move("gull", "a3").see()
    assert hands.ponder(300) == ["flag"]


def test_one_of_two_that_change_places_is_not_taken_for_an_accusation() -> None:
    hands = Hands.at_start()
    hands.see()
    assert hands.move("gull", "a3").see() == ["unfinished"]
    (begun,) = hands.match.unfinished["faults"]
    assert begun["code"] == "begun" and begun["message"].startswith("This may be a play of Gull: Watson still has to go to e9")
    assert hands.move("watson", "e9").see() == ["play"] and hands.match.played == ("gull",)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", (1, *(pytest.param(other, marks=pytest.mark.slow) for other in (2, 5, 6, 7))))
def test_a_legal_play_laid_piece_by_piece_is_understood_in_the_end(game: str, seed: int) -> None:
    chance = random.Random(seed)
    hands = Hands.at_start(game=load(game))
    hands.see()
    while hands.match.phase != "over" and hands.match.position.turn <= 3:
        if hands.match.phase == "play":
            if not play_in_steps(hands, chance):
                return
        elif hands.match.phase == "call":
            answer(hands, chance)
        else:
            hands.lay(hands.match.expected)
            hands.see()
