"""Scenes at a table whose streets are built while it is played on: tiles, barricades, boats and the informant in hands."""

import random

import pytest
from random_game import legal_play
from scripted_table import Hands, reading_of

from companion.errors import BadInput
from companion.games import load
from companion.referee.view import view
from companion.vision.reading import Reading, Sighting

GAME = load("mr-jack-new-york")


def at_table(**more: object) -> Hands:
    """A table on which the start set-up was agreed and turn 1 is open."""
    hands = Hands.at_start(game=GAME, **more)
    hands.see()
    assert hands.match.phase == "play"
    return hands


def codes(hands: Hands) -> list[str]:
    return [fault["code"] for fault in (hands.match.flag or hands.match.unfinished)["faults"]]


# --- plays in steps -------------------------------------------------------------------------------------------------


def test_building_and_walking_come_in_either_order() -> None:
    first = at_table()
    assert first.shift("tiles", None, "C12", "subway").see() == ["unfinished"]
    assert first.move("beach", "E12").see() == ["play"]
    then = at_table()
    assert then.move("beach", "E12").see() == ["unfinished"]
    assert codes(then) == ["ability-missing"]
    assert then.shift("tiles", None, "C12", "subway").see() == ["play"]
    assert first.match.position == then.match.position
    assert first.last("play").data["ability"] == "build_subway"


def test_a_tile_turned_over_is_a_park() -> None:
    hands = at_table()
    assert hands.move("grant", "I6").see() == ["unfinished"]
    hands.state["tiles"] = {**hands.state["tiles"], "B9": "park"}
    assert hands.see() == ["play"]
    assert hands.last("play").data["ability"] == "make_park"
    assert hands.match.position.to_json()["tiles"]["B9"] == "park"


def test_a_boat_goes_to_another_port() -> None:
    hands = at_table()
    assert hands.shift("steamboats", "E2", "E6").see() == ["flag"], "no port there"
    assert "steamboat-misplaced" in codes(hands)
    assert {chore["subject"] for chore in hands.match.flag["chores"]} >= {"steamboat:E6"}
    port = next(spot for spot in sorted(GAME.board("first-2009").of_kind("port")) if spot not in ("E2", "K16"))
    assert hands.shift("steamboats", "E6", port).see() == ["flag-cleared", "unfinished"]
    assert hands.move("smith", "I10").see() == ["play"]
    assert hands.last("play").data["ability"] == "move_steamboat"


def test_the_informant_who_is_met_turns_silent_and_goes_away() -> None:
    start = {**GAME.start().to_json(), "informant": {"hex": "E12", "side": "talkative"}}
    hands = Hands.at_start(game=GAME)
    hands.lay(GAME.position(start))
    assert hands.see() == ["chores"], "the informant does not stand where the set-up has him"
    assert [chore["subject"] for chore in hands.match.chores] == ["informant"]
    assert hands.say(kind="accept", reason="as it lies") == ["table-agreed", "turn-opened"]
    hands.shift("tiles", None, "C12", "subway").move("beach", "E12")
    assert hands.see() == ["unfinished"]
    assert codes(hands) == ["informant-not-moved"]
    hands.state["informant"] = {"hex": "E14", "side": "talkative"}
    assert hands.see() == ["unfinished"] and codes(hands) == ["informant-not-turned"]
    hands.state["informant"] = {"hex": "E14", "side": "silent"}
    assert hands.see() == ["play"]
    assert "meets the informant" in hands.match.picks[-1].play["text"]


def test_a_silent_informant_is_turned_back_at_the_end_of_the_round() -> None:
    hands = Hands.at_start(game=GAME, jack="smith")
    start = {**GAME.start().to_json(), "informant": {"hex": "E12", "side": "talkative"}}
    hands.lay(GAME.position(start))
    hands.see()
    hands.say(kind="accept", reason="as it lies")
    hands.write_secret()
    hands.shift("tiles", None, "C12", "subway").move("beach", "E12")
    hands.state["informant"] = {"hex": "E14", "side": "silent"}
    assert hands.see() == ["play"]
    hands.move("grant", "I6").state["tiles"] = {**hands.state["tiles"], "B9": "park"}
    assert hands.see() == ["play"]
    hands.move("tumblety", "H13")
    assert hands.see() == ["play"]
    hands.move("eastman", "H3")
    assert "call" in hands.see() and hands.match.phase == "clean-up"
    assert "informant" in hands.match.duties
    words = [chore["text"] for chore in hands.match.chores if chore["subject"] == "informant"]
    assert words == ["Turn the informant to his talkative side."]
    hands.lay(hands.match.expected)
    assert hands.see() == ["clean-up", "turn-opened"]


def test_a_barricade_lifted_at_one_end_only_waits_to_be_laid() -> None:
    hands = at_table()
    hands.move("callahan", "F11")
    hands.state["barricades"] = [["E4"], ["K14", "L15"]]
    assert hands.see() == ["unfinished"] and "barricade-short" in codes(hands)
    hands.state["barricades"] = [["E4", "E6"], ["K14", "L15"]]
    assert hands.see() == ["play"]
    assert hands.last("play").data["ability"] == "move_barricade"


def test_four_plays_seen_at_once_are_told_one_by_one() -> None:
    hands = at_table()
    hands.move("beach", "E12").shift("tiles", None, "C12", "subway").move("tumblety", "H13").move("eastman", "H3")
    hands.move("grant", "I6").shift("tiles", "B9", "B9", None)
    hands.state["tiles"] = {**hands.state["tiles"], "B9": "park"}
    said = hands.see()
    assert said.count("play") == 4 or said == ["doubt"]
    if said == ["doubt"]:
        assert all(len(one["plays"]) == 4 for one in hands.match.doubt["alternatives"])


# --- flags and the way back ------------------------------------------------------------------------------------------


def test_a_build_beside_its_like_is_flagged_with_the_way_back() -> None:
    hands = at_table()
    hands.move("beach", "E12").shift("tiles", None, "G6", "subway")
    assert hands.see() == ["flag"] and codes(hands) == ["build-touching"]
    subjects = {chore["subject"] for chore in hands.match.flag["chores"]}
    assert subjects == {"beach", "tile:G6"}
    assert hands.shift("tiles", "G6", "C12").see() == ["flag-cleared", "play"]


def test_an_arbiter_cannot_accept_what_cannot_be_but_hears_every_fault_of_it() -> None:
    hands = at_table()
    board = GAME.board("first-2009")
    building, pier = sorted(board.of_kind("building"))[0], sorted(board.of_kind("pier"))[0]
    tiles = {**hands.state["tiles"], building: "lamp", "G6": "subway", "C12": "building"}
    hands.state |= {"tiles": tiles, "steamboats": ["E2", pier], "barricades": [["E4"], ["K14", "L15"]]}
    hands.state["informant"] = {"hex": "L15", "side": "talkative"}
    hands.see()
    with pytest.raises(BadInput) as refused:
        hands.say(kind="accept", reason="as it lies")
    message = str(refused.value)
    for words in (
        f"lamp tile lies on {building}, which is a printed building", "touch each other", f"{pier}", "E4", "under a barricade",
    ):  # fmt: skip
        assert words in message


def test_an_arbiter_may_let_a_play_stand() -> None:
    hands = at_table()
    hands.move("eastman", "F11")
    assert hands.see() == ["flag"]
    assert hands.say(kind="rule", action="allow", character="eastman", reason="agreed by both")[0] == "ruling"
    assert hands.match.played == ("eastman",)


# --- what cannot be seen ---------------------------------------------------------------------------------------------


def test_a_tile_under_a_disc_keeps_nobody_from_playing() -> None:
    hands = at_table()
    hands.unknown = {"tile:E10": "a disc hides whether a tile lies on E10", "tile:K4": "glare"}
    assert hands.see() == []
    hands.move("eastman", "H3")
    assert hands.see() == ["play"]
    hands.unknown = {"tile:K4": "glare"}
    hands.move("beach", "E12").shift("tiles", None, "C12", "subway")
    assert hands.see() == ["play"], "one tile more is a tile built, not one that moved away from under the glare"


def test_what_was_built_under_a_disc_is_asked_for_before_anybody_is_blamed() -> None:
    hands = at_table()
    hands.unknown = {"tile:E12": "a disc hides whether a tile lies on E12"}
    hands.move("beach", "E12")
    assert hands.see() == ["unfinished"]
    assert hands.wait(46) == ["flag-cleared", "cannot-see"]
    assert hands.last("cannot-see").data["subjects"] == ["tile:E12"]
    assert hands.see() == [] and hands.match.flag is None
    assert hands.ponder(21) == ["cannot-see"], "somebody has to look"
    assert hands.say(kind="correct", subject="tile:E12", place="E12", label="subway")[-2:] == ["sight-restored", "play"]
    assert hands.match.position.to_json()["tiles"]["E12"] == "subway"


def test_a_tile_in_sight_that_cannot_be_told_is_asked_for_while_the_play_is_open() -> None:
    hands = at_table()
    hands.unknown = {"tile:C12": "a tile may lie at C12, but which side is up cannot be told"}
    hands.move("beach", "E12")
    assert hands.see() == ["cannot-see", "unfinished"], "it may be the subway that is still missing"
    assert hands.last("cannot-see").data["subjects"] == ["tile:C12"]
    assert hands.see() == []
    assert hands.ponder(21) == [], "the play may still go on"
    assert "flag" not in hands.wait(26), "nobody is blamed for what cannot be told"
    assert hands.ponder(0) == ["cannot-see"], "somebody has to look"
    said = hands.say(kind="correct", subject="tile:C12", place="C12", label="subway")
    assert said[-1] == "play" and hands.match.blind == ()
    assert hands.match.position.to_json()["tiles"]["C12"] == "subway"


def test_a_tile_that_cannot_be_told_and_would_mend_nothing_is_not_asked_for() -> None:
    hands = at_table()
    hands.unknown = {"tile:G6": "a tile may lie at G6, but which side is up cannot be told"}
    hands.move("beach", "E12")
    assert hands.see() == ["unfinished"], "a subway there would touch another one"
    assert hands.wait(46)[-1] == "flag", "whatever lies there, it is no legal subway"


def test_a_tile_turned_over_under_a_disc_is_asked_for() -> None:
    hands = at_table()
    hands.move("beach", "C8").shift("tiles", None, "C12", "subway").see()
    hands.move("latimer", "B9").shift("tiles", None, "E10", "lamp")
    assert hands.see()[-1] == "play"
    hands.unknown = {"tile:B9": "a disc lies on it"}
    hands.move("grant", "I6").see()
    assert hands.wait(46) == ["flag-cleared", "cannot-see"]
    assert hands.last("cannot-see").data["subjects"] == ["tile:B9"]
    hands.unknown = {}
    hands.state["tiles"] = {**hands.state["tiles"], "B9": "park"}
    assert "play" in hands.see()


def test_what_no_hidden_tile_could_mend_is_flagged_at_once() -> None:
    hands = at_table()
    hands.unknown = {"tile:E12": "a disc hides whether a tile lies on E12", "tile:K4": "glare"}
    hands.move("eastman", "F11")
    assert hands.see() == ["flag"]
    hands.move("eastman", "H5")
    assert hands.see() == ["flag-cleared"]


def test_a_hidden_informant_and_a_hidden_barricade_are_guessed_at() -> None:
    hands = at_table()
    hands.unknown = {"informant": "glare"}
    hands.move("eastman", "F11")
    assert hands.see() == ["cannot-see"]
    assert hands.ponder(21) == ["flag"], "wherever he is, nobody goes that far"
    other = at_table()
    other.unknown = {"barricade:E4+F3": "a sleeve"}
    other.state["barricades"] = [["K14", "L15"]]
    assert other.see() == []
    other.move("eastman", "H3")
    assert other.see() == ["play"]


def test_a_moved_barricade_and_a_hidden_one_do_not_both_count() -> None:
    hands = at_table()
    hands.move("callahan", "F11")
    hands.unknown = {"barricade:E4+F3": "a sleeve"}
    hands.state["barricades"] = [["E4", "F3"], ["C12", "C14"], ["K14", "L15"]]
    reading = reading_of({**hands.state, "barricades": [["C12", "C14"], ["K14", "L15"]]}, 5.0, hands.unknown, GAME)
    assert hands.see(reading=reading) == ["cannot-see"], "there are two, so the hidden one is gone from there"
    hands.unknown = {}
    hands.state["barricades"] = [["C12", "C14"], ["K14", "L15"]]
    assert hands.see() == ["sight-restored", "play"]


def test_a_hidden_tile_that_would_make_it_somebody_elses_play_is_looked_at_first() -> None:
    hands = at_table()
    hands.move("beach", "G6").shift("tiles", None, "F13", "subway").see()
    hands.move("latimer", "LIBERTY").state["informant"] = {"hex": "D13", "side": "silent"}
    hands.unknown = {"tile:G12": "a sleeve"}
    assert hands.see() == ["cannot-see"], "sent by Eastman, or played and a lamp built under the sleeve"
    assert hands.see() == [] and hands.match.played == ("beach",)
    hands.unknown = {}
    hands.state["tiles"] = {**hands.state["tiles"], "G12": "lamp"}
    assert hands.see() == ["sight-restored", "play"]
    assert hands.match.played[-1] == "latimer"


@pytest.mark.parametrize("seed", [*range(8), 100])
def test_no_legal_play_is_ever_flagged_because_a_piece_is_hidden(seed: int) -> None:
    chance = random.Random(seed)
    hands = at_table()
    for _ in range(2):
        play = legal_play(hands.match, chance)
        assert play is not None
        hands.lay(play.position)
        state = hands.state
        under = [f"tile:{spot}" for spot in {*state["tiles"], *(disc["hex"] for disc in state["characters"].values())}]
        away = [f"barricade:{'+'.join(pair)}" for pair in state["barricades"]]
        boats = [f"steamboat:{spot}" for spot in state["steamboats"]]
        hidden = chance.choice(
            [chance.choice(sorted(under)), chance.choice(sorted(under)), chance.choice(away), *boats, "informant"]
        )
        hands.unknown = {hidden: "a sleeve"}
        hands.see()
        hands.wait(46)
        hands.ponder(21)
        assert hands.match.flag is None, (play.text, hidden)
        hands.unknown = {}
        hands.see()
        if hands.match.doubt is not None:
            return
        assert hands.match.flag is None and play.character in hands.match.played


# --- corrections by hand ---------------------------------------------------------------------------------------------


def corrected(hands: Hands, **answer: object) -> dict[str, object]:
    hands.say(kind="correct", **answer)
    return view(hands.match)["table"]["state"]


@pytest.mark.parametrize(
    ("answer", "key", "state"),
    [
        ({"subject": "tile:B9", "place": "B9", "label": "park"}, "tiles", {"B9": "park"}),
        ({"subject": "tile:B9", "place": None}, "tiles", {"B9": None}),
        ({"subject": "tile:B9", "place": "C8"}, "tiles", {"B9": None, "C8": "subway"}),
        ({"subject": "tile:C8", "place": "C8", "label": "lamp"}, "tiles", {"C8": "lamp"}),
        ({"subject": "building-a", "place": "C8", "side": "park"}, "tiles", {"C8": "park"}),
        ({"subject": "building-a", "place": "C8"}, "tiles", {"C8": "building"}),
        ({"subject": "barricade:E4+F3", "place": "E6+E4"}, "barricades", [["E4", "E6"], ["K14", "L15"]]),
        ({"subject": "barricade:F3+E4", "place": None}, "barricades", [["K14", "L15"]]),
        ({"subject": "steamboat:E2", "place": "C14"}, "steamboats", ["C14", "K16"]),
        ({"subject": "informant", "place": "E12"}, "informant", {"hex": "E12", "side": "talkative"}),
        ({"subject": "informant", "place": "E12", "side": "silent"}, "informant", {"hex": "E12", "side": "silent"}),
        ({"subject": "informant", "place": None}, "informant", None),
        ({"subject": "beach", "place": "E12", "side": "innocent"}, "characters", {"beach": {"hex": "E12", "side": "innocent"}}),
    ],
)
def test_every_kind_of_piece_can_be_put_right_in_one_go(answer: dict[str, object], key: str, state: object) -> None:
    told = corrected(at_table(), **answer)[key]
    if key in ("tiles", "characters"):
        assert isinstance(state, dict)
        assert {spot: told.get(spot) for spot in state} == state
    else:
        assert told == state


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"subject": "tile:C8", "place": "C8"}, "say which one lies there"),
        ({"subject": "tile:C8", "place": "C8", "label": "tower"}, "building, lamp, park, subway"),
        ({"subject": "tile:Z9", "place": None}, "'Z9' is not a place"),
        ({"subject": "barricade:E4+F3", "place": "E4+F3+E6"}, "not a place"),
        ({"subject": "barricade:E4+F3", "place": "E4+E4"}, "not a place"),
        ({"subject": "barricade:E4+F3", "place": 7}, "not a place"),
        ({"subject": "informant", "place": "E12", "side": "asleep"}, "talkative, silent"),
        ({"subject": "informant", "place": "E12", "facing": "N"}, "it has no front"),
        ({"subject": "informer", "place": "E12"}, "names no piece"),
        ({"subject": "building-a", "place": "C8", "side": "subway"}, "building, park"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused_in_one_line(answer: dict[str, object], words: str) -> None:
    with pytest.raises(BadInput, match=r"^[^\n]*$") as refused:
        at_table().say(kind="correct", **answer)
    assert words in str(refused.value)


def test_a_correction_holds_until_the_camera_sees_something_else() -> None:
    hands = at_table()
    hands.say(kind="correct", subject="informant", place="E12")
    assert hands.match.flag is not None
    hands.state["informant"] = {"hex": "E14", "side": "talkative"}
    assert "correction" in hands.see() and not hands.match.overrides
    hands.state["informant"] = {"hex": "LIBERTY", "side": "talkative"}
    assert hands.see() == ["flag-cleared"]


def test_a_reading_of_a_barricade_on_one_hex_is_taken_as_it_is() -> None:
    hands = at_table()
    whole = reading_of(hands.state, 9.0, None, GAME)
    short = tuple(Sighting(one.piece, "E4") if one.place == "E4+F3" else one for one in whole.sightings)
    assert hands.see(reading=Reading(short, captured_at=9.0)) == ["unfinished"]
    assert "barricade-short" in codes(hands)


# --- a start that the sources disagree about --------------------------------------------------------------------------


@pytest.mark.parametrize("cell", ["E8", "F11"])
def test_a_doubtful_start_is_what_lies_on_the_table(cell: str) -> None:
    hands = Hands.at_start(game=GAME)
    hands.move("latimer", cell)
    assert hands.see() == ["table-agreed", "turn-opened"]
    assert hands.match.position.hex("latimer") == cell


def test_doubt_about_one_piece_excuses_no_other_and_no_third_place() -> None:
    hands = Hands.at_start(game=GAME)
    hands.move("latimer", "F11").move("beach", "E12")
    assert hands.see() == ["chores"]
    assert [chore["subject"] for chore in hands.match.chores] == ["beach"]
    hands.move("beach", "E10").move("latimer", "G12")
    assert hands.see() == ["chores"]
    assert [chore["subject"] for chore in hands.match.chores] == ["latimer"]
    hands.move("latimer", "F9")
    hands.see()
    assert hands.match.phase == "set-up", "one source has him where another piece stands: both cannot be"
    hands.move("latimer", "F11").shift("steamboats", "K16", "L1")
    assert hands.see() == ["table-agreed", "turn-opened"]
    assert hands.match.position.to_json()["steamboats"] == ["E2", "L1"]
