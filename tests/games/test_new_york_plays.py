"""Every legal play in New York: counted, compared with a second engine that works another way, and held to its laws."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from new_york_brute_force import all_keys, key
from new_york_positions import NAMED
from new_york_strategies import NET, any_position

from companion.errors import BadInput, IllegalPlay
from companion.games.game import Play
from companion.games.mr_jack_new_york import GAME, Position
from companion.games.mr_jack_new_york.names import CHARACTERS, SUPPLY
from companion.games.mr_jack_new_york.plays import like_state

ROLES = (None, "detective", "jack")
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
LONG = {("dark-crowd", "callahan"), ("harbour-open", "callahan"), ("late-city", "callahan"), ("start", "callahan")}
FEW = [c for c in CHARACTERS if c != "callahan"]  # his plays are counted by the thousand


def free(position: Position) -> Position:
    return GAME.position({k: v for k, v in position.to_json().items() if k not in ("available", "played")})


def keys(position: Position, character: str, role: str | None) -> set[str]:
    return {key(play.position.to_json(), play.ends) for play in GAME.plays(free(position), character, mover=role)}


# How the counts were made: the number of distinct (position, end) pairs, by this engine and by new_york_brute_force.py.
COUNTS = {
    "start": (1093, 1979, 3676, 129, 9041, 47, 130, 148),
    "late-city": (38, 53, 44, 713, 3712, 79, 232, 167),
}


@pytest.mark.parametrize(
    ("name", "character"),
    [pytest.param(n, c, marks=[pytest.mark.slow] * ((n, c) in LONG)) for n in NAMED for c in CHARACTERS],
)
def test_named_positions_agree_with_brute_force(name: str, character: str) -> None:
    position = GAME.parse(NAMED[name])
    role = GAME.mover(position)
    mine = keys(position, character, role)
    assert mine == all_keys(position.to_json(), character, role)
    if name in COUNTS:
        assert len(mine) == COUNTS[name][CHARACTERS.index(character)]


@given(any_position(), st.sampled_from(FEW), st.sampled_from(ROLES))
@settings(max_examples=25, suppress_health_check=QUIET)
def test_any_position_agrees_with_brute_force(position: Position, character: str, role: str | None) -> None:
    role = role or GAME.mover(position)
    assert keys(position, character, role) == all_keys(position.to_json(), character, role)


@pytest.mark.slow
@given(any_position(), st.sampled_from(CHARACTERS), st.sampled_from(ROLES))
@settings(max_examples=1000, suppress_health_check=QUIET)
def test_many_positions_agree_with_brute_force(position: Position, character: str, role: str | None) -> None:
    role = role or GAME.mover(position)
    assert keys(position, character, role) == all_keys(position.to_json(), character, role)


def touching(position: Position, label: str) -> bool:
    cells = {cell for cell, shown in position.tiles if shown == label} | (set(NET.subways) if label == "subway" else set())
    return any(other in cells for cell in cells for other in NET.beside[cell])


def check_laws(position: Position, character: str, mover: str | None, play: Play) -> None:
    after = play.position
    standing = [spot for spot in after.hexes if spot is not None]
    assert len(standing) - len(set(standing)) == (play.ends == "accusation")
    assert (None in after.hexes) == (play.ends == "escape")
    assert not (play.ends == "accusation" and mover == "jack")
    assert not (play.ends == "escape" and (mover == "detective" or position.turn == 1 or position.witness_card == "seen"))
    assert after.sides == position.sides and after.turn == position.turn
    assert not touching(after, "subway") and not touching(after, "lamp")
    before, now = dict(position.tiles), dict(after.tiles)
    assert len(now) - len(before) in (0, 1) and before.keys() <= now.keys()
    assert all(Counter(now.values())[label] <= most for label, most in SUPPLY.items())
    turned = [cell for cell in before if before[cell] != now[cell]]
    assert len(turned) <= (character == "grant") and all(now[cell] == "park" != before[cell] for cell in turned)
    assert not set(turned) & position.covered
    assert len(set(position.barricades) - set(after.barricades)) <= (character == "callahan")
    assert len(set(position.steamboats) - set(after.steamboats)) <= (character == "smith")
    if after.informant != position.informant:
        assert position.informant_side == "talkative" and after.informant_side == "silent"
        assert position.informant in after.hexes or character == "tumblety"
    if position.played is not None:
        assert after.played == (*position.played, character) and character not in (after.available or ())
    if play.ends is None:
        assert GAME.position(after.to_json()) == after  # a strict position, so the game can go on from it


@given(any_position(), st.sampled_from(CHARACTERS), st.sampled_from(ROLES))
@settings(max_examples=40, suppress_health_check=QUIET)
def test_laws_of_every_play(position: Position, character: str, role: str | None) -> None:
    """One disc a hex but in an accusation; supply, touching and flip rules; only what the character may touch changed."""
    if character not in GAME.candidates(position):
        with pytest.raises(IllegalPlay):
            GAME.plays(position, character, mover=role)
        return
    mover = role or GAME.mover(position)
    found = GAME.plays(position, character, mover=role)
    assert len({(play.position, play.ends) for play in found}) == len(found)
    for play in found[:: max(1, len(found) // 200)]:
        check_laws(position, character, mover, play)
        assert "{" not in play.text.format(**play.params)


# --- the rule points, by their numbers in the board notes ---------------------------------------------------------------

START = GAME.parse(NAMED["start"])


def ends_at(position: Position, character: str, **options: object) -> set[str | None]:
    return {play.position.hex(character) for play in GAME.plays(position, character, **options) if play.ends is None}


def with_(position: Position, **changes: object) -> Position:
    data = position.to_json()
    for key_, value in changes.items():
        if key_ in CHARACTERS:
            data["characters"][key_] = {**data["characters"][key_], "hex": value}
        else:
            data[key_] = value
    return GAME.position(data)


def test_walking_around_and_through() -> None:
    """9, 11, 12: one to three steps, through people, not through lamps, houses and barricades."""
    west = with_(START, beach="B7")
    stops = ends_at(west, "beach")
    assert "B7" not in stops and "C10" not in stops and "D9" not in stops
    assert "E4" not in stops and "F3" not in stops
    assert "D7" in stops and "A10" in stops


def test_the_net_of_subways() -> None:
    """13, 14: one step between any two open subways, occupied ones too; none under a barricade."""
    rider = with_(START, smith="B9")
    assert {"K4", "L13", "K2", "M14", "G10"} <= ends_at(rider, "smith")
    occupied = with_(rider, beach="K4")
    assert "K4" not in ends_at(occupied, "smith") and "K2" in ends_at(occupied, "smith")
    shut = with_(rider, barricades=[["K4", "L3"], ["K14", "L15"]])
    assert not {"K4", "K2"} & ends_at(shut, "smith") and "L13" in ends_at(shut, "smith")


def test_a_subway_just_built_may_be_taken() -> None:
    """13, 48: before or after the move, so Beach may ride to where he has just built."""
    rider = with_(START, beach="B9", barricades=[["K4", "L3"], ["K14", "L15"]])
    play = next(p for p in GAME.plays(rider, "beach") if p.position.hex("beach") == "M2" and dict(p.position.tiles).get("M2"))
    assert [move.piece for move in play.moves] == ["tile subway", "beach"] and play.moves[1].path == ("B9", "M2")


def test_the_ferry() -> None:
    """15: pier, island, pier, each a step; never against an arrow."""
    out = with_(START, beach="B7", informant={"hex": "M2", "side": "silent"})
    assert {"A8", "LIBERTY"} <= ends_at(out, "beach")
    assert {"E16", "G2"} <= ends_at(with_(out, beach="A8"), "beach")
    back = with_(out, beach="G4", latimer="G2")
    assert "LIBERTY" not in ends_at(back, "beach") and "LIBERTY" not in ends_at(back, "latimer")
    island = ends_at(with_(out, beach="LIBERTY"), "beach")
    assert {"G2", "E16", "F15"} <= island and not {"A8", "C6", "B7"} & island


def test_cloud_rider_crosses_houses() -> None:
    """16: any number of them at no cost, printed or built, but she does not stay on one; lamps stop her."""
    west = with_(START, cloud_rider="C8", tiles={**dict(START.tiles), "E12": "building"})
    stops = ends_at(west, "cloud_rider")
    # Over D9, D11 and E12 at no cost: the third street hex may be far on the other side.
    assert {"F13", "F11", "G12"} <= stops and not {"D9", "D11", "E12"} & stops
    assert "G12" not in ends_at(with_(west, cloud_rider="E6", latimer="C8"), "latimer")


def test_nobody_stays_in_a_port() -> None:
    """17, 30, 44, 45: only Jack's player with a suspect, the card unseen, the way not covered, and a boat there."""
    open_ = GAME.parse(NAMED["harbour-open"])
    assert any(play.ends == "escape" for play in GAME.plays(open_, "beach"))
    assert not any(play.ends == "escape" for play in GAME.plays(open_, "beach", mover="detective"))
    for changes in (
        {"witness_card": "seen"},
        {"steamboats": ["E2", "L1"]},
        {"barricades": [["E12", "E14"], ["I4", "J3"]], "steamboats": ["G16", "K16"]},
    ):
        assert not any(play.ends == "escape" for play in GAME.plays(with_(open_, **changes), "beach"))
    cleared = open_.to_json()
    cleared["characters"]["beach"]["side"] = "innocent"
    assert not any(play.ends == "escape" for play in GAME.plays(GAME.position(cleared), "beach"))
    assert not any("B13" in (play.position.hex("beach") or "") for play in GAME.plays(open_, "beach"))


def test_supply_runs_out() -> None:
    """25: with the last subway built, Beach only moves; Latimer still has none to lay either."""
    late = GAME.parse(NAMED["late-city"])
    assert all(play.ability is None for play in GAME.plays(late, "beach"))
    assert all(play.ability is None for play in GAME.plays(late, "cloud_rider"))
    assert all(play.ability for play in GAME.plays(late, "grant") if play.ends is None)


def test_barricades_overlap_their_own_old_place_only() -> None:
    """26 to 29."""
    gone = {play.position.barricades for play in GAME.plays(START, "callahan") if play.ends is None}
    assert (("E4", "E6"), ("K14", "L15")) in gone
    assert START.barricades not in gone
    assert not any(set(one) & set(two) for one, two in gone)
    over = {play.position.barricades for play in GAME.plays(START, "callahan", rules={"barricades-overlap": "yes"})}
    assert any(set(one) & set(two) for one, two in over)
    assert any("G8" in pair for pairs in gone for pair in pairs)  # the printed subway may be covered


def test_smith_moves_a_boat() -> None:
    """31, 48: either boat, to a port without one, always."""
    boats = {play.position.steamboats for play in GAME.plays(START, "smith") if play.ends is None}
    assert boats == {tuple(sorted((kept, new))) for kept in ("E2", "K16") for new in ("B13", "G16", "L1")}


def test_eastman_moves_himself_or_another_like_him() -> None:
    """32, 33, 34: the state is that of this moment; on foot; he may send somebody to the informant or out."""
    dark = GAME.parse(NAMED["dark-crowd"])
    sent = {play.params.get("other") for play in GAME.plays(dark, "eastman") if play.ability}
    seen = GAME.witness(dark).seen
    state = "eastman" in seen
    assert sent == {GAME.names[n] for n in CHARACTERS if n != "eastman" and (n in seen) == state} - {None}
    assert all(
        (play.position.hex("eastman") != dark.hex("eastman")) == (play.ability is None) for play in GAME.plays(dark, "eastman")
    )
    assert not any(play.ends == "accusation" and play.ability for play in GAME.plays(dark, "eastman"))
    rider = with_(START, eastman="A10", cloud_rider="B9", beach="I8", smith="M2", grant="M16", latimer="E6")
    alike = {play.position.hex("cloud_rider") for play in GAME.plays(rider, "eastman") if play.ability}
    assert not {"K4", "L13"} & alike and "B7" in alike
    open_ = GAME.parse(NAMED["harbour-open"])
    told = free(open_)
    out = [play for play in GAME.plays(told, "eastman", mover="jack") if play.ends == "escape" and play.ability]
    assert out and {GAME.escaped(play) for play in out} <= set(GAME.characters)
    met = [
        play for play in GAME.plays(told, "eastman", mover="jack") if play.ability and play.position.informant_side == "silent"
    ]
    assert met


def test_tumblety_swaps_besides_moving() -> None:
    """35, 36, 37."""
    near = with_(START, tumblety="I10")
    both = [play for play in GAME.plays(near, "tumblety") if play.ability]
    assert both and all(play.position.hex("tumblety") != "I10" for play in both)
    either = [play for play in GAME.plays(near, "tumblety", rules={"swap-and-move": "either"}) if play.ability]
    assert either and all(play.position.hex("tumblety") == "I10" for play in either)
    assert all(play.moves[-1].piece == "tumblety" for play in both if play.ends)
    himself = [play for play in GAME.plays(near, "tumblety", rules={"swap-himself": "yes"}) if play.ability]
    assert len(himself) > len(both)


def test_the_informant_is_met_once_a_turn() -> None:
    """38 to 42: met when talkative, moved to a free hex at once; silent: nobody ends there, everybody passes."""
    near = with_(START, informant={"hex": "F11", "side": "talkative"})
    met = [play for play in GAME.plays(near, "beach", mover="jack") if play.position.informant != "F11"]
    goals = {play.position.informant for play in met}
    assert {"LIBERTY", "G2", "B9", "G8"} <= goals and not {"C10", "D9", "E4", "K16", "LANDEXIT"} & goals
    assert all(play.position.hex("beach") == "F11" and play.position.informant_side == "silent" for play in met)
    silent = with_(near, informant={"hex": "F11", "side": "silent"})
    assert "F11" not in ends_at(silent, "beach") and "F13" in ends_at(silent, "beach")
    assert GAME.close_turn(silent).informant_side == "talkative"
    assert GAME.close_turn(silent).informant == "F11"


def test_whoever_is_shut_in_stays_and_still_uses_the_ability() -> None:
    """10."""
    shut = GAME.parse(NAMED["shut-in"])
    plays = GAME.plays(shut, "callahan")
    staying = [play for play in plays if play.position.hex("callahan") == "M16"]
    assert staying and all(play.ability == "move_barricade" for play in plays)
    all_along = GAME.plays(shut, "callahan", rules={"shut-in": "all-along"})
    assert {p.position for p in all_along} < {p.position for p in plays}


def eastman_shut_in(**changes: object) -> Position:
    """He stands at the north end behind two barricades, in the dark."""
    start = GAME.parse(NAMED["shut-in"])
    tiles = {cell: shown for cell, shown in start.tiles if cell != "M12"}
    walls = [["M12", "M14"], ["K14", "L15"]]
    return with_(start, tiles=tiles, callahan="H9", eastman="M16", barricades=walls, **changes)


def test_eastman_shut_in_may_stay_although_he_could_send_somebody() -> None:
    """10, 32: his ability is optional; a house rule makes it due."""
    shut = eastman_shut_in()
    assert "eastman" in GAME.witness(shut).unseen and like_state(shut)
    due = {"eastman-shut-in": "must-send"}
    assert [play.ability for play in GAME.plays(shut, "eastman") if not play.moves] == [None]
    assert any(play.moves for play in GAME.plays(shut, "eastman"))
    assert all(play.moves for play in GAME.plays(shut, "eastman", rules=due))


def test_explaining_agrees_that_eastman_stays() -> None:
    dealt = ["beach", "eastman"]
    shut = eastman_shut_in(available=dealt, played=[])
    walked = next(play.position for play in GAME.plays(shut, "beach", mover="detective"))
    both = with_(walked, available=[], played=dealt)
    assert GAME.explain(shut, both, plays=2).verdict in ("legal", "ambiguous")


def test_eastman_shut_in_with_nobody_to_send_stays_under_either_rule() -> None:
    """Everybody else stands beside somebody and is seen, so nobody is in his state."""
    alone = eastman_shut_in(beach="I2", cloud_rider="I4", latimer="K2", grant="L3", tumblety="H11", smith="H13")
    assert not like_state(alone)
    for rules in ({}, {"eastman-shut-in": "must-send"}):
        assert [play.moves for play in GAME.plays(alone, "eastman", rules=rules)] == [()]


def test_way_out_opened_in_the_same_play() -> None:
    base = with_(GAME.parse(NAMED["harbour-open"]), steamboats=["E2", "K16"], smith="F15", available=["smith"], played=[])
    # G16 is one step from F15 and has no boat yet.
    assert any(play.ends == "escape" for play in GAME.plays(base, "smith", mover="jack"))
    assert not any(play.ends == "escape" for play in GAME.plays(base, "smith", mover="jack", rules={"open-and-leave": "no"}))


@pytest.mark.parametrize("rule", GAME.house_rules, ids=lambda rule: rule.name)
def test_house_rules_say_why(rule: object) -> None:
    assert rule.default in rule.choices and len(rule.choices) > 1 and rule.because and rule.text


def test_other_house_rules_change_what_is_legal() -> None:
    near = with_(START, informant={"hex": "F13", "side": "talkative"})
    subways = lambda rules: {c for p in GAME.plays(near, "beach", rules=rules) for c, t in p.position.tiles if t == "subway"}  # noqa: E731
    assert "F13" in subways({"build-on-informant": "subway"})
    meeting = {p.position.informant for p in GAME.plays(near, "beach") if "F13" in dict(p.position.tiles)}
    assert "F13" not in meeting  # it may be built where he stood before
    crowd = with_(GAME.parse(NAMED["dark-crowd"]), callahan="F7")
    onto = lambda rules: {p.params.get("accused") for p in GAME.plays(crowd, "callahan", rules=rules) if p.ends}  # noqa: E731
    assert "Grant" not in onto({}) and "Grant" in onto({"accuse-innocent": "yes"})
    open_ = with_(free(GAME.parse(NAMED["harbour-open"])), tumblety="M6", informant={"hex": "C8", "side": "silent"})
    far = lambda rules: any(p.ends == "escape" for p in GAME.plays(open_, "tumblety", mover="jack", rules=rules))  # noqa: E731
    assert not far({}) or far({"leaving-cost": "free"})
    with pytest.raises(BadInput, match="is not known"):
        GAME.plays(open_, "tumblety", rules={"no-such-rule": "yes"})
