"""Every legal play: counted, and compared with a second engine that works another way."""

import pytest
from brute_force import all_keys, key
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from named_positions import NAMED
from strategies import close_positions, positions

from companion.errors import BadInput, IllegalPlay
from companion.games.mr_jack_london import GAME, Position
from companion.games.mr_jack_london.names import CHARACTERS

ROLES = (None, "detective", "jack")
LONG = {("late-and-dark", "goodley"), ("ready-to-leave", "goodley"), ("start-2016", "goodley")}
"""Positions whose tens of thousands of plays the second engine counts for seconds; two more like them are always counted."""
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def keys(position: Position, character: str, role: str | None) -> set[str]:
    free = GAME.position({k: v for k, v in position.to_json().items() if k not in ("available", "played")})
    return {key(play.position.to_json(), play.ends) for play in GAME.plays(free, character, mover=role)}


@pytest.mark.parametrize(
    ("name", "character"),
    [pytest.param(n, c, marks=[pytest.mark.slow] * ((n, c) in LONG)) for n in NAMED for c in CHARACTERS],
)
def test_named_positions_agree_with_brute_force(name: str, character: str) -> None:
    position = GAME.parse(NAMED[name])
    role = GAME.mover(position)
    assert keys(position, character, role) == all_keys(position.to_json(), character, role)


# How the counts were made: the number of distinct (position, end) pairs, by this engine and by tests/games/brute_force.py,
# which must agree (test above). The small ones can be counted on the board: from g5, Holmes of "start-2006" reaches 28
# hexes, on one of which Lestrade stands (an accusation when it is not known whose pick it is).
COUNTS: dict[str, dict[str, int]] = {
    "start-2006": {
        "holmes": 28,
        "watson": 102,
        "smith": 341,
        "lestrade": 85,
        "stealthy": 44,
        "goodley": 15519,
        "gull": 38,
        "bert": 263,
    },
    "start-2016": {
        "holmes": 35,
        "watson": 176,
        "smith": 254,
        "lestrade": 89,
        "stealthy": 38,
        "goodley": 8140,
        "gull": 44,
        "bert": 307,
    },
    "ready-to-leave": {
        "holmes": 14,
        "watson": 96,
        "smith": 151,
        "lestrade": 58,
        "stealthy": 40,
        "goodley": 11678,
        "gull": 35,
        "bert": 262,
    },
    "crowded-centre": {
        "holmes": 29,
        "watson": 144,
        "smith": 454,
        "lestrade": 174,
        "stealthy": 47,
        "goodley": 2377,
        "gull": 32,
        "bert": 585,
    },
    "late-and-dark": {
        "holmes": 39,
        "watson": 145,
        "smith": 456,
        "lestrade": 88,
        "stealthy": 34,
        "goodley": 20833,
        "gull": 27,
        "bert": 608,
    },
    "huddle": {
        "holmes": 14,
        "watson": 31,
        "smith": 331,
        "lestrade": 183,
        "stealthy": 34,
        "goodley": 1472,
        "gull": 43,
        "bert": 363,
    },
}


@pytest.mark.parametrize(("name", "character"), [(n, c) for n, counts in COUNTS.items() for c in counts])
def test_counts(name: str, character: str) -> None:
    position = GAME.parse(NAMED[name])
    assert len(keys(position, character, GAME.mover(position))) == COUNTS[name][character]


@given(positions(), st.sampled_from([c for c in CHARACTERS if c != "goodley"]), st.sampled_from(ROLES))
@settings(max_examples=120, suppress_health_check=QUIET)
def test_any_position_agrees_with_brute_force(position: Position, character: str, role: str | None) -> None:
    role = role or GAME.mover(position)
    assert keys(position, character, role) == all_keys(position.to_json(), character, role)


@given(close_positions(), st.sampled_from([c for c in CHARACTERS if c != "goodley"]), st.sampled_from(ROLES))
@settings(max_examples=120, suppress_health_check=QUIET)
def test_crowds_near_an_exit_agree_with_brute_force(position: Position, character: str, role: str | None) -> None:
    role = role or GAME.mover(position)
    assert keys(position, character, role) == all_keys(position.to_json(), character, role)


@given(close_positions(), st.sampled_from(ROLES))
@settings(max_examples=2, suppress_health_check=QUIET)
def test_whistles_agree_with_brute_force(position: Position, role: str | None) -> None:
    role = role or GAME.mover(position)
    assert keys(position, "goodley", role) == all_keys(position.to_json(), "goodley", role)


@pytest.mark.slow
@given(positions(), st.sampled_from(ROLES))
@settings(max_examples=40, suppress_health_check=QUIET)
def test_more_whistles_agree_with_brute_force(position: Position, role: str | None) -> None:
    role = role or GAME.mover(position)
    assert keys(position, "goodley", role) == all_keys(position.to_json(), "goodley", role)


@given(close_positions(), st.sampled_from(CHARACTERS), st.sampled_from(ROLES))
@settings(max_examples=60, suppress_health_check=QUIET)
def test_laws_of_every_play(position: Position, character: str, role: str | None) -> None:
    """One disc a hex except in an accusation; the played one left; only Jack leaves; sides, lamps' numbers and cards hold."""
    if character not in GAME.candidates(position):
        with pytest.raises(IllegalPlay):
            GAME.plays(position, character, mover=role)
        return
    mover = role or GAME.mover(position)
    seen = set()
    for play in GAME.plays(position, character, mover=role):
        after = play.position
        assert (after, play.ends) not in seen
        seen.add((after, play.ends))
        standing = [spot for spot in after.hexes if spot is not None]
        assert len(standing) - len(set(standing)) == (play.ends == "accusation")
        assert (None in after.hexes) == (play.ends == "escape")
        assert not (play.ends == "accusation" and mover == "jack")
        assert not (play.ends == "escape" and (mover == "detective" or position.turn == 1 or position.witness_card == "seen"))
        assert after.hex(character) != position.hex(character)
        assert after.sides == position.sides
        assert sorted(map(str, dict(after.gaslights).values())) == sorted(map(str, dict(position.gaslights).values()))
        assert len(set(after.covers)) == len(set(after.cordons)) == 2
        if position.played is not None:
            assert after.played == (*position.played, character)
            assert character not in after.available
        if play.ends is None:
            assert GAME.position(after.to_json()) == after  # a strict position, so the game can go on from it


def test_a_character_whose_card_is_gone_is_refused_with_those_left() -> None:
    position = GAME.parse(NAMED["late-and-dark"])
    with pytest.raises(IllegalPlay, match="watson cannot be played now; left to play: smith, stealthy, goodley"):
        GAME.plays(position, "watson")


def test_house_rules_change_what_is_legal() -> None:
    leave = GAME.parse(NAMED["ready-to-leave"])

    def ends(character: str, **rules: str) -> int:
        return sum(
            p.ends == "escape" for p in GAME.plays(leave, character, rules={k.replace("_", "-"): v for k, v in rules.items()})
        )

    # Lestrade on c3 walks to b1 in two steps; the exit SW has a cordon that only he can take away.
    assert ends("lestrade") > 0
    assert ends("lestrade", lestrade_opens_and_leaves="no") == 0
    crowd = GAME.parse(NAMED["crowded-centre"])

    def accusations(character: str, rules: dict[str, str]) -> set[str]:
        return {p.params["accused"] for p in GAME.plays(crowd, character, rules=rules) if p.ends == "accusation"}

    assert "Gull" not in accusations("goodley", {})
    assert "Gull" in accusations("goodley", {"accuse-innocent": "yes"})
    pulled = {"whistle-accusation": "onto-suspect"}
    whistled = [p for p in GAME.plays(crowd, "goodley", rules=pulled) if "That accuses" in p.text]
    assert whistled
    for play in whistled[::50]:
        explained = GAME.explain(crowd, play.position, rules=pulled)
        assert explained.alternatives[0][0].ends == "accusation", play
        assert GAME.explain(crowd, play.position).verdict == "illegal"
    few = {
        len(GAME.plays(crowd, "goodley", rules={"whistle-points": choice})) for choice in ("spend-all", "any", "none-needed")
    }
    assert len(few) == 3
    turned = GAME.plays(crowd, "watson", rules={"lantern-direction": "must-change"})
    assert all(p.position.facing != "N" for p in turned if p.ends is None)
    with pytest.raises(BadInput, match="whistle-points"):
        GAME.plays(crowd, "watson", rules={"whistle-points": "two"})
    with pytest.raises(BadInput, match="is not known"):
        GAME.plays(crowd, "watson", rules={"no-such-rule": "yes"})


@pytest.mark.parametrize("rule", GAME.house_rules, ids=lambda rule: rule.name)
def test_house_rules_say_why(rule: object) -> None:
    assert rule.default in rule.choices and len(rule.choices) > 1 and rule.because and rule.text


@pytest.mark.parametrize("said", ["moves gaslight 3 from c7 to", "moves a blank gaslight from h8 to"])
def test_a_gaslight_without_a_number_is_told_as_a_blank_one(said: str) -> None:
    told = [play.text.format(**play.params) for play in GAME.plays(GAME.parse(NAMED["start-2006"]), "smith")]
    assert any(said in one for one in told)
    assert not any("gaslight blank" in one for one in told)
