"""The points of the rules that are easily got wrong, each as a position."""

from typing import Any

import pytest
from whitechapel_positions import POLICE, RED, YELLOW, ask, explained, jack, moves, police, position

from companion.errors import BadInput, IllegalPlay, InvalidPosition
from companion.games.letters_from_whitechapel import acts, night, wretched
from companion.games.letters_from_whitechapel.acts import Act, Hidden
from companion.games.letters_from_whitechapel.names import COLOURS
from companion.games.letters_from_whitechapel.night import State
from companion.games.letters_from_whitechapel.secret import JackSecret, PoliceSecret, Secret
from companion.games.letters_from_whitechapel.streets import load
from companion.games.letters_from_whitechapel.validation import position_of

BOARD = load()
FAR = dict(zip(COLOURS, ("x219", "x224", "x225", "x226", "x227"), strict=True))


def test_the_hideout_is_not_red_unless_the_house_says_so() -> None:
    data = position("jack")
    with pytest.raises(InvalidPosition, match="65 is red"):
        jack(data, [147], 65)
    assert jack({**data, "house_rules": {"hideout": "any"}}, [147], 65)
    with pytest.raises(InvalidPosition, match="146 is next to a red circle"):
        jack({**data, "house_rules": {"hideout": "not-next-to-red"}}, [147], 146)


def test_special_moves_are_a_stock_a_night() -> None:
    stocks = [jack(position("jack"), [147])["tokens"]]
    scenes = [[147], [3], [21, 27], [65]]
    for number, rows in ((2, [3]), (3, [27, 21]), (4, [65])):
        data = position("jack", night=number, crime_scenes=scenes[:number])
        stocks.append(jack(data, rows)["tokens"])
    assert stocks == [{"coach": c, "alley": a} for c, a in ((3, 2), (2, 2), (2, 1), (1, 1))]


def test_women_go_on_red_circles_without_a_scene_one_each() -> None:
    data = position("women", night=2, crime_scenes=[[3]], police=POLICE)
    free = [circle for circle in RED if circle != 3]
    laid = {**data, "phase": "patrols", "women": free}
    assert explained(data, laid) == ("legal", ["women"])
    assert explained(data, {**laid, "women": [*free[:6], 3]})[1] == ["on-crime-scene"]
    assert explained(data, {**laid, "women": [*free[:6], 4]})[1] == ["not-red"]


def test_a_victim_on_a_white_circle_leaves_all_red_ones_free() -> None:
    data = position("women", night=2, crime_scenes=[[4]], police=POLICE)
    assert explained(data, {**data, "phase": "patrols", "women": RED[1:]}) == ("legal", ["women"])
    assert explained(data, {**data, "phase": "patrols", "women": RED})[1] == ["number-of-women"]


def test_patrols_of_the_first_night_lie_on_the_seven_yellow_crossings() -> None:
    data = position("patrols")
    assert explained(data, {**data, "patrols": dict.fromkeys(YELLOW, "down")}) == ("legal", ["patrols"])
    wrong = dict.fromkeys([*YELLOW[:6], "x001"], "down")
    assert explained(data, {**data, "patrols": wrong})[1] == ["patrol-place"]


def test_later_patrols_lie_where_policemen_ended_and_on_two_yellow_crossings_besides() -> None:
    ended = {**FAR, "blue": "x042"}
    data = position("patrols", night=2, crime_scenes=[[3]], women=RED[1:], police=ended)
    fits = [*ended.values(), "x044", "x058"]
    assert explained(data, {**data, "patrols": dict.fromkeys(fits, "down")}) == ("legal", ["patrols"])
    assert explained(data, {**data, "patrols": dict.fromkeys([*fits[1:], "x137"], "down")})[1] == ["patrol-missing"]


def test_jack_must_kill_when_the_time_of_the_crime_is_five() -> None:
    shown = {**dict.fromkeys(YELLOW, "down"), **dict(zip(YELLOW, ("blue", "red", "green", "brown"), strict=False))}
    for time in (1, 4):
        tokens = {**dict.fromkeys(YELLOW, "down"), **dict(list(shown.items())[: time - 1])}
        data = position("kill", time=time, patrols=tokens)
        assert explained(data, {**data, "phase": "wretched", "time": time + 1}) == ("legal", ["wait"])
    data = position("kill", time=5, patrols=shown)
    assert night.expects(position_of(data))[0].acts == (acts.MURDER,)
    assert explained(data, {**data, "phase": "wretched"})[1] == ["must-kill"]


def targets(**changes: object) -> dict[str, list[int]]:
    return dict(ask("moves", position("wretched", **changes))["wretched"])


def test_a_wretched_goes_one_circle_not_past_not_beside_a_patrol_not_on_others_or_scenes() -> None:
    data = position_of(position("wretched"))
    for circle in data.wretched:
        for to in wretched.targets(data, circle):
            assert to in BOARD.walks[circle] and to not in data.wretched
            assert not set(BOARD.doors[to]) & set(YELLOW)
    near = BOARD.walks[3][0]
    beside = BOARD.doors[near][0]
    tokens = {beside if spot == "x181" else spot: "down" for spot in YELLOW}
    kept = dict(zip(COLOURS, [beside, *YELLOW[:4]], strict=True))
    women = RED[1:5]
    later = position("wretched", night=2, crime_scenes=[[3]], police=kept, patrols=tokens, wretched=women)
    assert all(near not in to and 3 not in to for to in ask("moves", later)["wretched"].values())


def test_fake_patrols_bar_while_they_lie_and_turned_up_ones_go_on_barring() -> None:
    down, shown = dict.fromkeys(YELLOW, "down"), {**dict.fromkeys(YELLOW, "down"), "x042": "blue"}
    first = targets(time=2, patrols=down)
    assert first == targets(time=3, patrols=shown, wretched=[3, 21, 27, 65, 84])
    gone = {spot: token for spot, token in down.items() if spot != "x042"}
    more = targets(time=3, patrols=gone)
    assert any(set(more[circle]) > set(first[circle]) for circle in more)


def test_every_wretched_that_can_moves_once_each_against_the_others_new_places() -> None:
    data = position("wretched")
    state = position_of(data)
    moved: list[tuple[int, int]] = []
    for circle in state.wretched:
        to = wretched.targets(state, circle)[0]
        moved.append((circle, to))
        state = wretched.moved(state, circle, to)
    after = {**data, "phase": "reveal", "wretched": list(state.wretched)}
    assert explained(data, after) == ("legal", ["wretched"])
    assert explained(data, {**data, "phase": "reveal"})[1] == ["must-move"] * 5
    lazy = sorted([*(to for _, to in moved[1:]), moved[0][0]])
    assert explained(data, {**data, "phase": "reveal", "wretched": lazy})[1] == ["must-move"]


def test_a_wretched_may_follow_onto_a_circle_that_another_has_just_left() -> None:
    """65 goes to 84 once 84 has gone on to 51."""
    data = position("wretched")
    assert 84 in BOARD.walks[65] and 84 not in ask("moves", data)["wretched"]["65"]
    after = {**data, "phase": "reveal", "wretched": [2, 20, 26, 51, 84]}
    assert explained(data, after) == ("legal", ["wretched"])


def test_a_wretched_without_a_target_stays() -> None:
    """Both doors of 147 are watched, so no way leads out."""
    ended = dict(zip(COLOURS, [*BOARD.doors[147], *FAR.values()][:5], strict=True))
    tokens = {**dict.fromkeys([*ended.values(), *YELLOW[:2]], "down")}
    data = position("wretched", night=2, crime_scenes=[[3]], police=ended, wretched=[27, 65, 84, 147], patrols=tokens)
    assert ask("moves", data)["wretched"]["147"] == []
    after = {**data, "phase": "reveal", "wretched": [28, 66, 85, 147]}
    assert explained(data, after) == ("legal", ["wretched"])


def test_after_a_wait_one_hidden_token_is_turned_up_and_a_fake_leaves() -> None:
    data = position("reveal")
    shown = {**data["patrols"], "x058": "green"}
    gone = {spot: token for spot, token in data["patrols"].items() if spot != "x058"}
    assert explained(data, {**data, "phase": "kill", "patrols": shown}) == ("legal", ["turn-up"])
    assert ask("explain", [data, {**data, "phase": "kill", "patrols": gone}])["plays"][0]["token"] == "fake"
    assert explained(data, {**data, "phase": "kill"})[0] == "illegal"
    later = position("reveal", time=3, patrols=shown)
    twice = {**shown, "x044": "green"}
    assert explained(later, {**later, "phase": "kill", "patrols": twice})[1] == ["token-twice"]


def test_the_murder_is_where_she_stands_and_leaves_a_scene_for_the_whole_game() -> None:
    data = position("kill", time=2, wretched=[3, 21, 27, 65, 99], patrols={**dict.fromkeys(YELLOW, "down"), "x042": "blue"})
    after = {**data, "phase": "reveal", "wretched": [3, 21, 27, 65], "crime_scenes": [[99]]}
    assert explained(data, after) == ("legal", ["kill"])
    assert explained(data, {**after, "wretched": [3, 21, 27, 65, 99], "crime_scenes": [[98]]})[1] == ["no-victim-there"]


def test_killing_on_the_hideout_is_no_escape() -> None:
    data = position("jack", crime_scenes=[[99]])
    assert jack(data, [99], 99)["jack"] and not any(move["home"] for move in jack(data, [99], 99)["jack"])


@pytest.mark.parametrize(("time", "left"), [(1, 15), (3, 17), (5, 19)])
def test_waiting_buys_moves(time: int, left: int) -> None:
    assert jack(position("jack", time=time), [147])["left"] == left


def test_the_double_event_lets_the_police_begin_and_takes_a_space() -> None:
    data = position("kill", night=3, crime_scenes=[[3], [21]], wretched=[27, 65, 84], police=POLICE)
    dead = {**data, "phase": "reveal", "wretched": [84], "crime_scenes": [[3], [21], [27, 65]]}
    assert explained(data, dead) == ("legal", ["kill"])
    one = {**data, "phase": "reveal", "wretched": [65, 84], "crime_scenes": [[3], [21], [27]]}
    assert explained(data, one)[1] == ["number-of-victims"]
    hunt = {**dead, "phase": "police-move", "wretched": [], "patrols": {}}
    assert explained(dead, hunt) == ("legal", ["reveal"])
    assert position_of(hunt).left == 14
    first = {**hunt, "house_rules": {"double-event": "jack-first"}, "phase": "jack"}
    dead["house_rules"] = {"double-event": "jack-first"}
    assert explained(dead, first) == ("legal", ["reveal"])
    assert position_of(first).left == 15


def test_the_second_murder_is_where_he_flees_from_and_only_he_knows_which() -> None:
    data = position("jack", night=3, crime_scenes=[[3], [21], [27, 65]])
    assert moves(data, [27, 65], "walk") == {(to,) for to in BOARD.walks[65]} - {(to,) for to in ()}
    assert moves(data, [65, 27], "walk") != moves(data, [27, 65], "walk")


def test_jack_may_not_stay_and_stops_at_the_first_circle() -> None:
    data = position("jack", police=FAR)
    assert moves(data, [147], "walk") == {(111,), (133,), (134,), (146,)}


def test_a_policeman_bars_his_crossing_alone() -> None:
    posts = {**FAR, "blue": BOARD.doors[147][0]}
    barred = moves(position("jack", police=posts), [147], "walk")
    assert barred == {(to,) for to in BOARD.flood(147, posts.values())} < moves(position("jack", police=FAR), [147], "walk")
    assert (28,) in moves(position("jack", crime_scenes=[[26]], police={**FAR, "blue": BOARD.doors[26][0]}), [26], "walk")


def shut_in(**changes: object) -> dict[str, object]:
    doors = BOARD.doors[147]
    posts = dict(zip(COLOURS, [*doors, *FAR.values()][:5], strict=True))
    return position("jack", police=posts, **changes)


def test_trapped_is_who_has_no_move_at_all_or_by_the_house_no_walk() -> None:
    assert not jack(shut_in(), [147])["trapped"]
    house = jack(shut_in(house_rules={"trapped": "walk"}), [147])
    assert house["trapped"] and house["jack"] == []
    row = [147, 111, 93, 75, 94, 111, 147]
    used = shut_in(track=["coach"] * 3)
    assert moves(used, row, "walk") == moves(used, row, "coach") == set() and moves(used, row, "alley")


def test_a_coach_takes_two_circles_past_policemen_and_does_not_come_back() -> None:
    coaches = moves(shut_in(), [147], "coach")
    assert coaches == {(by, to) for by in BOARD.walks[147] for to in BOARD.walks[by] if to != 147}
    long = position("jack", track=["walk"] * 14)
    row = [147, *[146, 147] * 7]
    assert jack(long, row)["left"] == 1 and moves(long, row, "coach") == set() and moves(long, row, "alley")


def test_an_alley_crosses_a_block_whose_rim_has_loops_inside() -> None:
    data = position("jack", crime_scenes=[[61]])
    assert {(45,), (46,), (48,), (62,), (79,), (80,)} <= moves(data, [61], "alley")
    assert moves(position("jack", crime_scenes=[[43]]), [43], "alley") == set()


def test_only_a_walk_comes_home() -> None:
    end = BOARD.walks[146][0]
    told = jack(position("jack", police=FAR), [147], 146)["jack"]
    assert [move for move in told if move["home"]] == [{"kind": "walk", "by": [146], "home": True}]
    assert any(move["kind"] == "alley" and move["by"] == [146] for move in told) or 146 not in BOARD.alleys[147]
    assert any(move["by"] == [146, end] for move in told if move["kind"] == "coach") or end == 147


def test_the_last_space_is_home_or_lost() -> None:
    data = position("jack", track=["walk"] * 14)
    over = {**data, "phase": "over", "track": ["walk"] * 15}
    assert explained(data, over) == ("legal", ["walk"])
    assert explained(data, {**over, "phase": "police-move"})[0] == "illegal"
    home = {**data, "night": 2, "phase": "women", "track": [], "clues": []}
    assert explained(data, home) == ("legal", ["walk"])
    assert ask("explain", [data, home])["plays"][0]["home"] is True


def test_arrival_may_or_must_be_announced() -> None:
    for rule, refused in (("may", False), ("must", True)):
        data = position_of(position("jack", police=FAR, house_rules={"arrival": rule}))
        state = State(data, Secret(JackSecret(146, (147,)), PoliceSecret()))
        if refused:
            with pytest.raises(IllegalPlay, match="must say so"):
                night.apply(state, Act(acts.WALK, yes=False), Hidden((146,)))
        else:
            assert night.apply(state, Act(acts.WALK, yes=False), Hidden((146,))).position.phase == "police-move"
        assert night.apply(state, Act(acts.WALK, yes=True), Hidden((146,))).position.night == 2


def test_jack_may_return_to_scenes_clues_and_his_own_track() -> None:
    data = position("jack", police=FAR, track=["walk"], clues=[146])
    assert {(147,)} <= moves(data, [147, 146], "walk")


def test_all_move_then_all_act_clockwise_from_the_head() -> None:
    seats = ["green", "blue", "red", "yellow", "brown"]
    data = position("police-move", seats=seats, head="red")
    assert ask("moves", data)["turn"] == ["red"]
    assert ask("moves", {**data, "moved": ["red", "yellow", "brown", "green"]})["turn"] == ["blue"]
    assert ask("moves", position("police-act", seats=seats, head="red", acted=["red"]))["turn"] == ["yellow"]
    free = {**data, "house_rules": {"police-order": "any"}, "moved": ["blue"]}
    assert set(ask("moves", free)["turn"]) == set(seats) - {"blue"}


def test_a_policeman_moves_up_to_two_crossings_past_others_but_not_onto_one() -> None:
    once = BOARD.steps["x042"]
    near = {**FAR, "blue": "x042", "yellow": once[0]}
    may = set(police(position("police-move", police=near))["move"])
    assert "x042" in may and once[0] not in may
    assert set(BOARD.steps[once[0]]) <= may | {once[0]}
    shared = position("police-move", police=near, house_rules={"shared-crossing": "yes"})
    assert once[0] in police(shared)["move"]


def test_reach_is_what_the_crossing_touches() -> None:
    may = police(position("police-act", crime_scenes=[[147]]))
    assert may["search"] == may["arrest"] == list(BOARD.looks["x042"])
    assert police(position("police-act", police={**POLICE, "blue": "x160"})) == {"move": [], "search": [], "arrest": []}


def test_after_a_miss_he_goes_on_searching_or_stops_but_does_not_arrest() -> None:
    near = list(BOARD.looks["x042"])
    data = position("police-act", missed=near[:1])
    assert police(data) == {"move": [], "search": near[1:], "arrest": []}
    caught = {**data, "phase": "over", "missed": []}
    assert explained(data, caught)[1] == ["search-and-arrest"]


def test_a_find_ends_the_search_and_a_clue_where_jack_is_is_no_arrest() -> None:
    near = list(BOARD.looks["x042"])
    data = position("police-act")
    found = {**data, "clues": near[:1], "acted": ["blue"]}
    assert explained(data, found) == ("legal", ["search"])
    assert explained(data, {**found, "clues": near[:2]})[0] == "illegal"
    value = {"position": position("police-act", crime_scenes=[[147]], police={**POLICE, "blue": BOARD.doors[146][0]})}
    value["secret"] = {"jack": {"hideout": 1, "row": [147, 146]}}
    value["ask"] = {"by": "blue", "kind": "search", "circle": 146}
    assert ask("answer", value) == {"legal": True, "clue": True}
    value["ask"] = {"by": "blue", "kind": "arrest", "circle": 146}
    assert ask("answer", value) == {"legal": True, "arrested": True}


def test_scenes_of_tonight_and_found_clues_are_not_searched_earlier_scenes_are() -> None:
    beside, *_ = BOARD.doors[147]
    other = next(circle for circle in BOARD.looks[beside] if circle != 147)
    data = position(
        "police-act", night=2, crime_scenes=[[147], [65]], police={**FAR, "blue": beside}, track=["walk"], clues=[other]
    )
    assert 147 in police(data)["search"] and other not in police(data)["search"] and other in police(data)["arrest"]
    assert 147 not in police({**data, "house_rules": {"search-scenes": "none"}})["search"]
    assert other in police({**data, "house_rules": {"search-found": "yes"}})["search"]
    tonight = {**data, "crime_scenes": [[65], [147]]}
    assert 147 not in police(tonight)["search"] and 147 in police(tonight)["arrest"]
    assert 147 in police({**tonight, "house_rules": {"search-scenes": "all"}})["search"]


def test_only_tonights_row_counts() -> None:
    beside = BOARD.doors[146][0]
    value = {"position": position("police-act", night=2, crime_scenes=[[3], [65]], police={**FAR, "blue": beside})}
    value["secret"] = {"jack": {"hideout": 1, "row": [65, BOARD.walks[65][0]]}}
    value["ask"] = {"by": "blue", "kind": "search", "circle": 146}
    assert ask("answer", value) == {"legal": True, "clue": False}


def test_between_nights_clues_and_track_go_and_policemen_and_scenes_stay() -> None:
    data = position("jack", track=["walk", "coach"], clues=[146])
    after = {**data, "night": 2, "phase": "women", "track": [], "clues": []}
    assert explained(data, after) == ("legal", ["walk"])
    assert explained(data, {**after, "crime_scenes": []})[0] == "illegal"
    moved = {**POLICE, "blue": "x001"}
    assert explained(data, {**after, "police": moved})[1] == ["moved-out-of-turn"]


def test_jack_wins_by_coming_home_in_the_fourth_night() -> None:
    data = position("jack", night=4, crime_scenes=[[3], [21], [27, 65], [84]], track=["walk"])
    told = ask("explain", [data, {**data, "phase": "over", "track": ["walk", "walk"]}])
    assert told["verdict"] == "legal" and told["plays"][0]["home"] is True
    last = {**data, "track": ["walk"] * 14}
    both = ask("explain", [last, {**last, "phase": "over", "track": ["walk"] * 15}])
    assert both["verdict"] == "ambiguous" and {play["home"] for play in both["plays"]} == {True, False}


def test_moves_of_jack_need_his_secret_and_nothing_else_does() -> None:
    with pytest.raises(BadInput, match=r"secret\.jack is missing"):
        ask("moves", position("jack"))
    for phase in ("women", "patrols", "kill", "wretched", "reveal", "police-move", "police-act", "over"):
        assert "error" not in ask("moves", position(phase))


@pytest.mark.parametrize("half", [{"hideout": 1}, {"women": {}}, {"hideout": 1, "row": None}, {}])
def test_a_row_that_is_left_out_is_unknown_and_asked_for_only_where_it_is_needed(half: dict[str, Any]) -> None:
    value: dict[str, Any] = {"secret": {"jack": half}}
    for phase in ("women", "patrols", "kill", "wretched", "reveal", "police-move", "police-act", "over"):
        data = position(phase)
        assert ask("moves", {**value, "position": data}) == ask("moves", data)
    question = {**value, "position": position("police-act"), "ask": {"by": "blue", "kind": "search", "circle": 29}}
    with pytest.raises(BadInput, match=r"secret\.jack\.row is missing"):
        ask("answer", question)
    later = {"secret": {"jack": {**half, "hideout": 1}}, "position": position("jack", track=["walk"])}
    with pytest.raises(BadInput, match=r"secret\.jack\.row is missing"):
        ask("moves", later)


def test_before_his_first_move_jack_stands_at_the_only_scene_of_the_night() -> None:
    data = position("jack")
    assert ask("moves", {"position": data, "secret": {"jack": {"hideout": 1}}}) == jack(data, [147])
    double = position("jack", night=3, crime_scenes=[[3], [21], [27, 65]])
    with pytest.raises(BadInput, match=r"secret\.jack\.row is missing"):
        ask("moves", {"position": double, "secret": {"jack": {"hideout": 1}}})
    with pytest.raises(BadInput, match="0 circles, but 1 scenes"):
        ask("moves", {"position": data, "secret": {"jack": {"hideout": 1, "row": []}}})


def test_without_an_order_the_police_need_no_head() -> None:
    for phase in ("police-move", "police-act"):
        free = position(phase, head=None, house_rules={"police-order": "any"})
        assert set(ask("moves", free)["turn"]) == set(POLICE)
        with pytest.raises(BadInput, match="head: missing"):
            ask("moves", {**free, "house_rules": {}})
