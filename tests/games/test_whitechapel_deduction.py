"""Where Jack may be: named cases, and every small night compared with a list of all rows."""

from itertools import islice
from random import Random
from typing import Any

import pytest
import whitechapel_simple_deduction as simple
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from whitechapel_games import histories, play

from companion.errors import InvalidPosition
from companion.games.letters_from_whitechapel import deducing
from companion.games.letters_from_whitechapel.deducing import after_night, deduce
from companion.games.letters_from_whitechapel.history import history_of
from companion.games.letters_from_whitechapel.streets import load, walks_among

FAR = ["x219", "x224", "x225", "x226", "x227"]
"""Five policemen in a corner of the board where nobody is."""
BOARD = load()


def found(*nights: list[Any], **rules: str) -> tuple[set[int], set[int]]:
    told = deduce(history_of({"nights": list(nights), **rules}))
    assert list(told.places) == sorted(told.places) and list(told.hideouts) == sorted(told.hideouts)
    return set(told.places), set(told.hideouts)


ANY_HOME = set(BOARD.circles) - BOARD.red


def test_before_anything_jack_is_nowhere_and_his_hideout_on_any_circle_that_is_not_red() -> None:
    assert found() == (set(), ANY_HOME)
    assert found([]) == (set(), ANY_HOME)
    assert found([["crime", [27]]]) == ({27}, ANY_HOME)


def test_a_double_event_leaves_two_places_to_flee_from() -> None:
    assert found([["crime", [27, 65]]])[0] == {27, 65}


def test_a_walk_stops_at_policemen_and_coach_and_alley_do_not() -> None:
    assert found([["crime", [147]], ["walk", FAR]])[0] == {111, 133, 134, 146}
    barred = walks_among(True, frozenset(BOARD.doors[147]))[147]
    posts = [*BOARD.doors[147], *FAR][:5]
    assert found([["crime", [147]], ["walk", posts]])[0] == set(barred)
    assert found([["crime", [147]], ["alley"]])[0] == set(BOARD.alleys[147])
    ends = {end for middle in BOARD.walks[147] for end in BOARD.walks[middle]} - {147}
    assert found([["crime", [147]], ["coach"]])[0] == ends


def test_a_miss_bars_the_whole_row_so_far() -> None:
    walk = ["walk", FAR]
    places, _ = found([["crime", [147]], walk, walk, ["search", 133, False], ["search", 111, False], ["search", 134, False]])
    assert places == set(BOARD.walks[146]) - {133, 111, 134}


def test_a_clue_found_late_binds_where_jack_was_before() -> None:
    walk = ["walk", FAR]
    assert found([["crime", [147]], walk, walk, ["search", 146, True]])[0] == {146} & set(BOARD.walks[133]) | {
        place for first in BOARD.walks[147] for place in BOARD.walks[first] if 146 in (first, place)
    }


def test_a_clue_on_a_scene_or_where_jack_is_is_no_arrest() -> None:
    walk = ["walk", FAR]
    assert 147 in found([["crime", [147]], walk, walk, ["search", 147, True]])[0]
    assert found([["crime", [147]], walk, ["search", 146, True]])[0] == {146}
    assert found([["crime", [147]], walk, ["search", 147, False]]) == (set(), set())


def test_an_arrest_in_vain_speaks_of_the_present_alone() -> None:
    walk = ["walk", FAR]
    places, _ = found([["crime", [147]], walk, ["arrest", 146]])
    assert places == {111, 133, 134}
    assert 146 in found([["crime", [147]], walk, ["arrest", 146], walk])[0]
    assert found([["crime", [147]], walk, ["arrest", 146, True]])[0] == {146}


def test_a_middle_of_a_coach_can_be_a_clue_and_a_coach_does_not_come_back() -> None:
    middle = BOARD.walks[147][0]
    places, _ = found([["crime", [147]], ["coach"], ["search", middle, True]])
    by = set(BOARD.walks[middle]) - {147}
    ending = {middle} if any(middle in BOARD.walks[first] for first in BOARD.walks[147]) else set()
    assert places == by | ending


def test_home_leaves_the_ends_of_the_walk_and_nights_have_the_hideout_in_common() -> None:
    walk = ["walk", FAR]
    first = [["crime", [147]], walk, ["home"]]
    assert found(first) == ({111, 133, 134, 146}, {111, 133, 134, 146})
    second = [["crime", [158]], walk, walk, ["home"]]
    near = {place for one in BOARD.walks[158] for place in BOARD.walks[one]}
    assert found(first, second)[1] == {111, 133, 134, 146} & near
    assert found(first, [["crime", [158]]]) == ({158}, {111, 133, 134, 146})
    assert found(first, []) == (set(), {111, 133, 134, 146})


def test_where_arrivals_must_be_announced_walks_rule_out_hideouts() -> None:
    walk = ["walk", FAR]
    night = [["crime", [147]], walk, ["search", 146, True]]
    assert found(night, arrival="may")[1] == ANY_HOME
    assert found(night, arrival="must")[1] == ANY_HOME - {146}
    assert (
        found([["crime", [147]], walk, walk, ["home"]], arrival="must")[1]
        == found([["crime", [147]], walk, walk, ["home"]], arrival="may")[1]
    )


def test_a_hideout_passed_by_coach_is_not_ruled_out() -> None:
    middle = BOARD.walks[147][0]
    assert middle in found([["crime", [147]], ["coach"], ["search", middle, True]], arrival="must")[1]


@pytest.mark.parametrize(
    ("nights", "said"),
    [
        ("x", "nights: must be a list"),
        ([[["walk", FAR]]], "night 1, event 1: walk: a night begins with its crime"),
        ([[["crime", [27]], ["crime", [3]]]], "a night begins with its crime, and has one"),
        ([[["crime", [27]], ["walk", FAR[:4]]]], "crossings of the 5 policemen"),
        ([[["crime", [27]], ["walk", [*FAR[:4], "x999"]]]], "'x999' is not a crossing"),
        ([[["crime", [27]], ["search", 196, True]]], "196 is not a circle from 1 to 195"),
        ([[["crime", [27]], ["search", True, True]]], "true is not a circle"),
        ([[["crime", [27]], ["search", 5, "yes"]]], "'yes' is not true or false"),
        ([[["crime", [27]], ["search", 5]]], "has 2 parts; search has 3"),
        ([[["crime", [27]], ["coach"], ["home"]]], "home after coach: only a walk ends at home"),
        ([[["crime", [27]], ["walk", FAR], ["home"], ["coach"]]], "coach after home: the night is over"),
        ([[["crime", [27]], ["walk", FAR]], [["crime", [3]]]], "night 1: has no end"),
        ([[["crime", [27, 27]]]], "two crimes at 27"),
        ([[["crime", [1, 2, 3]]]], "one circle or, in a double event, two"),
        ([["crime"]], "'crime' is none of"),
        ([[]] * 5, "nights: 5 of them"),
    ],
)
def test_events_that_cannot_be_are_refused_by_number(nights: Any, said: str) -> None:
    with pytest.raises(InvalidPosition) as refused:
        history_of({"nights": nights})
    assert said in str(refused.value)


def test_more_clues_than_circles_written_fit_nothing_and_cost_nothing() -> None:
    walk = ["walk", FAR]
    assert found([["crime", [147]], walk, *(["search", circle, True] for circle in range(1, 120))]) == (set(), set())
    assert found([["crime", [147]], *[walk] * 19, *(["search", circle, True] for circle in range(1, 20))])[0] == set()
    with pytest.raises(InvalidPosition, match="past the end of the track"):
        found([["crime", [147]], *[walk] * 20])


def test_every_fault_of_the_events_is_told_at_once() -> None:
    with pytest.raises(InvalidPosition) as refused:
        history_of({"nights": [[["crime", [0]], ["fly"]]], "arrival": "perhaps", "extra": 1})
    assert len(refused.value.faults) == 4


# --- against the list of all rows -------------------------------------------------------------------------------------


@st.composite
def small_nights(draw: st.DrawFn) -> list[list[list[Any]]]:
    """One or two nights of up to four layers behind the scene, with true answers, near one red circle."""
    home, nights = None, []
    count = draw(st.integers(1, 2))
    for number in range(count):
        scenes = draw(st.lists(st.sampled_from(sorted(BOARD.red)), min_size=1, max_size=2, unique=True))
        row, events, layers = list(scenes), [["crime", sorted(scenes)]], draw(st.integers(1, 4))
        near = sorted({spot for circle in BOARD.walks[row[-1]] for spot in BOARD.doors[circle]})
        walked = False
        while len(row) < len(scenes) + layers:
            police = draw(st.lists(st.sampled_from(near), min_size=5, max_size=5))
            open_to_him = walks_among(True, frozenset(police))[row[-1]]
            kind = draw(st.sampled_from(["walk", "walk", "walk", "coach", "alley"]))
            walked = False
            if kind == "coach" and len(row) + 2 <= len(scenes) + layers:
                middle = draw(st.sampled_from(BOARD.walks[row[-1]]))
                row += [middle, draw(st.sampled_from([end for end in BOARD.walks[middle] if end != row[-1]] or [middle]))]
                events.append(["coach"])
            elif kind == "alley" and BOARD.alleys[row[-1]]:
                row.append(draw(st.sampled_from(BOARD.alleys[row[-1]])))
                events.append(["alley"])
            elif open_to_him:
                walked = True
                row.append(draw(st.sampled_from(open_to_him)))
                events.append(["walk", police])
            else:
                break
            around = sorted({*row, *BOARD.walks[row[-1]]} - set(scenes))
            asked = draw(st.lists(st.sampled_from(around), max_size=4))
            events += [["search", circle, circle in row] for circle in asked]
            if draw(st.booleans()):
                wrong = draw(st.sampled_from(around))
                events += [] if wrong == row[-1] else [["arrest", wrong]]
        nights.append(events)
        last = number == count - 1
        if (not last or draw(st.booleans())) and walked and events[-1][0] == "walk" and home in (None, row[-1]):
            home = row[-1]
            events.append(["home"])
        elif not last:
            return nights
    return nights


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(small_nights(), st.sampled_from(["may", "must"]))
def test_small_nights_agree_with_the_list_of_all_rows(nights: list[list[list[Any]]], arrival: str) -> None:
    assert found(*nights, arrival=arrival) == simple.deduce(nights, arrival)


@settings(max_examples=30)
@given(small_nights(), st.sets(st.sampled_from(BOARD.circles), min_size=1, max_size=3), st.data())
def test_few_hideouts_left_agree_with_the_list_of_all_rows(
    nights: list[list[list[Any]]], homes: set[int], data: st.DataObject
) -> None:
    """With fewer hideouts left than walks, the places depend on them."""
    night = history_of({"nights": nights[:1]}).nights[0]
    walked = sorted({row[-1] for row, _ in islice(simple.rows(nights[0]), 50)} or homes)
    homes = homes | {data.draw(st.sampled_from(walked))}
    assert night is not None
    places, left = after_night(night, frozenset(homes), "must", True)
    assert (set(places), set(left)) == simple.deduce(nights[:1], "must", set(homes))


@settings(max_examples=25)
@given(small_nights())
def test_going_back_through_the_layers_first_changes_nothing(nights: list[list[list[Any]]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deducing, "_WIDE", 0)
        deducing.after_night.cache_clear()
        narrow = found(*nights, arrival="must")
    deducing.after_night.cache_clear()
    assert narrow == found(*nights, arrival="must")


@pytest.mark.parametrize("arrival", ["may", "must"])
def test_the_truth_is_never_ruled_out_in_whole_games(arrival: str) -> None:
    rules = {} if arrival == "may" else {"arrival": "must"}
    for seed in (1,):
        for nights, step in histories(play(Random(seed), rules, home=1.0)):
            places, homes = found(*nights, arrival=arrival)
            known = step.after.secret.jack
            assert known is not None and known.hideout in homes
            assert (known.place or known.hideout) in places


def whole_nights_agree(seed: int, every: int, arrival: str) -> int:
    """Compare one game's nights, every so many events, with sets of states; the number of events compared."""
    compared, homes, night = 0, ANY_HOME, 0
    rules = {} if arrival == "may" else {"arrival": "must"}
    for number, (nights, _) in enumerate(histories(play(Random(seed), rules, home=1.0))):
        if len(nights) > night:
            night, before = len(nights), homes
        if number % every and nights[-1][-1] != ["home"]:
            continue
        compared += 1
        places, homes = found(*nights, arrival=arrival)
        if arrival == "may":
            ends = simple.ends(nights[-1])
            assert places == (ends & before if nights[-1][-1] == ["home"] else ends)
            assert homes == (places if nights[-1][-1] == ["home"] else before)
            continue
        for home in sorted(before, key=lambda home: (home not in places, home))[:: max(len(before) // 8, 1)]:
            ends = simple.ends(nights[-1], home)
            assert (home in homes) == (home in ends if nights[-1][-1] == ["home"] else bool(ends))
            assert ends <= places or nights[-1][-1] == ["home"]
    return compared


@pytest.mark.parametrize("arrival", ["may", "must"])
def test_whole_nights_agree_with_sets_of_states(arrival: str) -> None:
    assert whole_nights_agree(3, 40, arrival)


@pytest.mark.slow
@pytest.mark.parametrize("arrival", ["may", "must"])
def test_whole_nights_of_many_games_agree_with_sets_of_states(arrival: str) -> None:
    compared = sum(whole_nights_agree(seed, 5 if arrival == "may" else 20, arrival) for seed in range(100, 125))
    print(compared)
    assert compared > 100
