"""Why a New York table changed: every legal play is found again, nothing illegal is called legal, faults are named."""

from dataclasses import replace

import pytest
from any_table import check_least_weights, codes
from hypothesis import HealthCheck, Phase, assume, example, given, settings
from hypothesis import strategies as st
from new_york_positions import NAMED
from new_york_strategies import NET, any_position

from companion.games.mr_jack_new_york import GAME, Position
from companion.games.mr_jack_new_york.names import CHARACTERS, INDEX, TILES

# Enumerating every play of every character is what takes time here; the second engine checks more positions.
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
FAST = (Phase.explicit, Phase.reuse, Phase.generate)  # shrinking whole tables takes minutes and tells little
START = GAME.parse(NAMED["start"])
HARBOUR = GAME.parse(NAMED["harbour-open"])
DARK = GAME.parse(NAMED["dark-crowd"])
IN_REACH = GAME.parse(
    "first-2009 3 unseen beach:G2,cloud_rider:E16,latimer:A10,grant:B7,callahan:D5,eastman:D15,tumblety:B9,smith:E14 "
    "C12:lamp,L11:lamp,M16:lamp H11+I10,K2+L3 B13,E2 F15:silent ?/?"
)


def seen_after(position: Position, tiles: dict[str, str | None] | None = None, **changes: object) -> Position:
    """The position with pieces set down elsewhere, as hands may do it; a tile of None is taken away."""
    hexes = list(position.hexes)
    fields: dict[str, object] = {}
    for name, spot in changes.items():
        if name in INDEX:
            hexes[INDEX[name]] = spot
        else:
            fields[name] = spot
    laid = {cell: label for cell, label in {**dict(position.tiles), **(tiles or {})}.items() if label}
    return replace(position, hexes=tuple(hexes), tiles=tuple(sorted(laid.items())), **fields)


@given(any_position(), st.sampled_from(CHARACTERS), st.data())
@settings(max_examples=40, suppress_health_check=QUIET)
def test_every_legal_play_is_explained(position: Position, character: str, data: st.DataObject) -> None:
    assume(character in GAME.candidates(position))
    rules = {"swap-himself": data.draw(st.sampled_from(("no", "yes")))}
    plays = GAME.plays(position, character, rules=rules)
    assume(plays)
    for play in data.draw(st.lists(st.sampled_from(plays), min_size=1, max_size=8)):
        explained = GAME.explain(position, play.position, rules=rules)
        if explained.verdict == "unchanged":
            assert not play.moves
            continue
        assert explained.verdict in ("legal", "ambiguous"), (play.text.format(**play.params), codes(explained))
        match = [p for (p,) in explained.alternatives if p.character == character]
        assert match and match[0].position == play.position and match[0].ends == play.ends
        assert match[0].ability == play.ability
        assert "{" not in match[0].text.format(**match[0].params)


@st.composite
def disturbed(draw: st.DrawFn) -> tuple[Position, Position]:
    """A position and another a hand or two away from it: a legal play with something more, or pieces anywhere."""
    before = draw(any_position())
    candidates = [c for c in GAME.candidates(before) if c != "callahan"]
    assume(candidates)
    after = before
    if draw(st.booleans()):
        plays = GAME.plays(before, draw(st.sampled_from(candidates)))
        assume(plays)
        after = draw(st.sampled_from(plays)).position
    for _ in range(draw(st.integers(0, 2)) if after != before else draw(st.integers(1, 2))):
        what = draw(st.sampled_from(("disc", "disc", "disc", "tile", "tile", "barricade", "boat", "informant", "side")))
        cells = sorted(NET.board.cells) if draw(st.integers(0, 5)) == 0 else sorted(NET.ground)
        cell = draw(st.sampled_from(cells))
        if what == "disc":
            after = seen_after(after, **{draw(st.sampled_from(CHARACTERS)): draw(st.sampled_from([*cells, None]))})
        elif what == "tile":
            spot = draw(st.sampled_from([*sorted(NET.streets), *(c for c, _ in after.tiles)]))
            after = seen_after(after, {spot: draw(st.sampled_from([*TILES, None]))})
        elif what == "barricade":
            pair = draw(st.sampled_from(NET.pairs))
            after = replace(after, barricades=tuple(sorted((after.barricades[0], pair))))
        elif what == "boat":
            boats = tuple(sorted((after.steamboats[0], draw(st.sampled_from(sorted(NET.ports))))))
            after = replace(after, steamboats=boats)
        elif what == "informant":
            after = replace(after, informant=cell, informant_side=draw(st.sampled_from(("talkative", "silent"))))
        else:
            turned = draw(st.integers(0, 7))
            sides = ["innocent" if (i == turned) != (side == "innocent") else "suspect" for i, side in enumerate(after.sides)]
            after = replace(after, sides=tuple(sides))
    return before, replace(after, available=before.available, played=before.played)


def table(position: Position) -> tuple[object, ...]:
    """What a table shows of a position."""
    return (
        *(tuple(None if spot in NET.ports | NET.exits else spot for spot in position.hexes), position.sides, position.tiles),
        *(position.barricades, position.steamboats, position.informant, position.informant_side),
    )


@given(disturbed())
@settings(max_examples=30, suppress_health_check=QUIET, phases=FAST)
def test_no_case_weighs_less_than_counting_says(pair: tuple[Position, Position]) -> None:
    check_least_weights(GAME, *pair)


@example((IN_REACH, seen_after(IN_REACH, callahan="B7")))
@given(disturbed())
@settings(max_examples=15, suppress_health_check=QUIET, phases=FAST)
def test_only_what_some_play_leads_to_is_called_legal(pair: tuple[Position, Position]) -> None:
    before, after = pair
    explained = GAME.explain(before, after)
    if explained.verdict == "unchanged":
        assert table(before) == table(after)
        return
    # Callahan has thousands of plays, and in all but an accusation a barricade is moved: only where he may have made one are
    # they gone through.
    accuses = after.hexes.count(after.hexes[INDEX["callahan"]]) > 1
    fits = [
        character
        for character in GAME.candidates(before)
        if character != "callahan" or before.barricades != after.barricades or accuses
        if any(table(play.position) == table(after) for play in GAME.plays(before, character))
    ]
    if explained.verdict == "illegal":
        assert explained.faults
        assert all(fault.message and "{" not in fault.message for fault in explained.faults)
        in_port = any(spot in NET.ports | NET.exits for spot in after.hexes)
        assert not fits or in_port  # a disc in a port that it cannot leave by is no escape, though one off the board is
    else:
        assert {p.character for (p,) in explained.alternatives} == set(fits)


@given(any_position(), st.data())
@settings(max_examples=25, suppress_health_check=QUIET, phases=FAST)
def test_plays_seen_late_are_told_as_plays(position: Position, data: st.DataObject) -> None:
    """Two plays in a row that nobody looked at in between: never illegal, and what is told leads to what is seen."""
    dealt = data.draw(st.permutations(CHARACTERS))[:4]
    position = replace(position, available=tuple(sorted(dealt, key=CHARACTERS.index)), played=())
    after = position
    for name in dealt[:2]:
        plays = [play for play in GAME.plays(after, name) if play.ends is None]
        assume(plays)
        after = data.draw(st.sampled_from(plays)).position
    seen = replace(after, available=position.available, played=position.played)
    explained = GAME.explain(position, seen, plays=4)
    if explained.verdict == "unchanged":
        return
    assert explained.verdict in ("legal", "ambiguous"), codes(explained)
    for plays in explained.alternatives:
        assert table(plays[-1].position) == table(after)


ILLEGAL = {
    "too far": (START, {"smith": "A10"}, [("too-far", "smith")]),
    "too far, she": (START, {"grant": "C8"}, [("too-far", "grant")]),
    "onto a printed building": (START, {"eastman": "J5"}, [("off-street", "eastman")]),
    "onto a lamp": (START, {"beach": "C10"}, [("off-street", "beach")]),
    "under a barricade": (START, {"eastman": "F3"}, [("off-street", "eastman")]),
    "two moved": (START, {"eastman": "H7", "smith": "K8"}, [("other-moved", "smith")]),
    "vanished in turn one": (START, {"eastman": None}, [("escape-first-turn", "eastman")]),
    "into a port in turn one": (START, {"eastman": "E2"}, [("escape-first-turn", "eastman")]),
    "beach without a subway": (START, {"beach": "E12"}, [("ability-missing", "beach")]),
    "rider without a building": (START, {"cloud_rider": "I6", "informant": "LIBERTY"}, [("ability-missing", "cloud_rider")]),
    "grant without a park": (START, {"grant": "K8"}, [("ability-missing", "grant")]),
    "callahan without a barricade": (START, {"callahan": "F7"}, [("ability-missing", "callahan")]),
    "smith without a boat": (START, {"smith": "K8"}, [("ability-missing", "smith")]),
    "escape to a port without a boat": (HARBOUR, {"smith": "G16"}, [("escape-closed", "smith")]),
    "not among the cards": (HARBOUR, {"eastman": "L5"}, [("not-in-cards", "eastman")]),
    "onto the silent informant": (DARK, {"tumblety": "H3"}, [("occupied", "tumblety")]),
    "accusing the cleared": (DARK, {"tumblety": "F5"}, [("occupied", "tumblety")]),
    "sent though unlike": (START, {"beach": "E12", "tiles": {}}, [("ability-missing", "beach")]),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_named_faults(name: str) -> None:
    before, moves, expected = ILLEGAL[name]
    explained = GAME.explain(before, seen_after(before, **moves))
    assert explained.verdict == "illegal"
    assert codes(explained)[0] == expected[0], [fault.message for fault in explained.faults]
    assert len(explained.faults) <= 2
    assert all(fault.cells for fault in explained.faults)


def faults_of(before: Position, after: Position, **options: object) -> list[tuple[str, str | None]]:
    return codes(GAME.explain(before, after, **options))


def test_a_build_and_a_move_in_either_order() -> None:
    """The subway may be built where Beach stood (after) and where it lets him ride (before)."""
    left = seen_after(START, {"E10": "subway"}, beach="E12")
    (play,) = GAME.explain(START, left).alternatives[0]
    assert [move.piece for move in play.moves] == ["beach", "tile subway"] and play.ability == "build_subway"
    near = seen_after(START, beach="B9")
    ride = seen_after(near, {"M2": "subway"}, beach="M2")
    (play,) = GAME.explain(near, ride).alternatives[0]
    assert [move.piece for move in play.moves] == ["tile subway", "beach"]
    assert play.text.format(**play.params) == "Beach goes from B9 to M2 and builds a subway on M2."


@pytest.mark.parametrize(
    ("tiles", "code"),
    [
        ({"D9": "subway"}, "build-misplaced"), ({"A8": "subway"}, "build-misplaced"), ({"E4": "subway"}, "build-misplaced"),
        ({"F9": "subway"}, "build-occupied"), ({"G6": "subway"}, "build-touching"), ({"B7": "subway"}, "build-touching"),
        ({"D5": "subway", "F5": "subway"}, "builds-several"), ({"D5": "lamp"}, "tile-added"), ({"D5": "park"}, "tile-added"),
        ({"D5": "subway", "C10": "park"}, "tile-turned"), ({"D5": "subway", "C10": None}, "tile-removed"),
        ({"D5": "subway", "C10": "building"}, "tile-changed"),
    ],
)  # fmt: skip
def test_wrong_building(tiles: dict[str, str | None], code: str) -> None:
    explained = GAME.explain(START, seen_after(START, tiles, beach="E12"))
    assert explained.verdict == "illegal" and code in {fault.code for fault in explained.faults}, codes(explained)
    touching = next((fault for fault in explained.faults if fault.code == "build-touching"), None)
    assert touching is None or (touching.allowed and "D5" in touching.allowed)


def test_supply_is_said() -> None:
    late = GAME.parse(NAMED["late-city"])
    assert ("supply", "beach") in faults_of(late, seen_after(late, {"G14": "subway"}, beach="A8"))


def test_parks() -> None:
    """21 to 24: tiles only, never one under a barricade, never back."""
    grant = {"grant": "K8"}
    assert GAME.explain(START, seen_after(START, {"C10": "park"}, **grant)).verdict == "legal"
    assert faults_of(START, seen_after(START, {"C10": "park", "B9": "park"}, **grant)) == [("parks-several", "grant")]
    shut = replace(START, barricades=(("E4", "F3"), ("K4", "L3")))
    explained = GAME.explain(shut, seen_after(shut, {"K4": "park"}, **grant))
    assert codes(explained) == [("park-covered", "grant")] and "B9" in explained.faults[0].allowed
    parked = replace(START, tiles=(("B9", "park"), *START.tiles[1:]))
    assert ("tile-turned", None) in faults_of(parked, seen_after(parked, {"B9": "subway"}, **grant))
    occupied = seen_after(START, beach="B9")
    assert GAME.explain(occupied, seen_after(occupied, {"B9": "park"}, **grant)).verdict == "legal"


@pytest.mark.parametrize(
    ("pair", "code"),
    [
        (("D5",), "barricade-short"), (("D5", "G4"), "barricade-short"), (("A8", "B7"), "barricade-misplaced"),
        (("C10", "C12"), "barricade-misplaced"), (("E8", "F7"), "barricade-occupied"), (("K14", "L13"), "barricade-doubled"),
        (("D11", "E12"), "barricade-misplaced"),
    ],
)  # fmt: skip
def test_wrong_barricades(pair: tuple[str, ...], code: str) -> None:
    after = seen_after(START, callahan="G10", barricades=tuple(sorted((pair, ("K14", "L15")))))
    explained = GAME.explain(START, after)
    assert codes(explained) == [(code, "callahan")], codes(explained)
    assert "{" not in explained.faults[0].message


def test_pieces_in_the_wrong_hands() -> None:
    walked = seen_after(START, eastman="H7")
    moved = tuple(sorted((("D5", "D7"), ("K14", "L15"))))
    assert faults_of(START, replace(walked, barricades=moved)) == [("barricade-moved", None)]
    assert faults_of(START, replace(walked, steamboats=("B13", "E2"))) == [("steamboat-moved", None)]
    assert faults_of(START, replace(walked, steamboats=("E2",))) == [("steamboat-removed", None)]
    assert faults_of(START, replace(START, steamboats=("E2",))) == [("steamboat-removed", None)]
    assert faults_of(START, replace(walked, informant="D5")) == [("informant-moved", None)]
    assert faults_of(START, replace(walked, informant_side="silent")) == [("informant-turned", None)]
    assert faults_of(START, replace(START, informant=None)) == [("informant-gone", None)]
    assert faults_of(START, replace(walked, turn=2)) == [("turn-changed", None)]
    assert faults_of(START, replace(walked, sides=("innocent", *START.sides[1:]))) == [("side-turned", "beach")]
    smith = seen_after(START, smith="K8")
    assert faults_of(START, replace(smith, steamboats=("B13", "G16"))) == [("steamboats-several", "smith")]
    assert faults_of(START, replace(smith, steamboats=("E2", "E2"))) == [("steamboat-doubled", "smith")]
    assert faults_of(START, replace(smith, steamboats=("E2", "M2"))) == [("steamboat-misplaced", "smith")]


def test_the_informant_must_go_on() -> None:
    near = replace(START, informant="H9")
    met = seen_after(near, eastman="H9")
    explained = GAME.explain(near, met)
    assert codes(explained) == [("informant-not-moved", "eastman")] and explained.faults[0].pending
    assert faults_of(near, replace(met, informant="A10")) == [("informant-not-turned", None)]
    assert GAME.explain(near, replace(met, informant="A10", informant_side="silent")).verdict == "legal"
    for wrong in ("C10", "D9", "E4", "K16", "I8"):
        after = replace(met, informant=wrong, informant_side="silent")
        assert faults_of(near, after) == [("informant-misplaced", None)], wrong


def test_an_alibi_card_comes_by_whom_eastman_sent() -> None:
    near = replace(START, informant="I10")
    after = replace(seen_after(near, tumblety="I10"), informant="LIBERTY", informant_side="silent")
    explained = GAME.explain(near, after)
    told = {play.character: play for (play,) in explained.alternatives}
    assert told.keys() == {"tumblety", "eastman"} and explained.verdict == "ambiguous"
    assert told["eastman"].text.format(**told["eastman"].params) == (
        "Eastman has Tumblety go from H11 to I10. Tumblety meets the informant, who goes from I10 to LIBERTY; an alibi card "
        "is drawn."
    )


def test_eastman_sends_nobody_unlike_him_or_by_subway() -> None:
    base = replace(START, available=("eastman",), played=())
    assert codes(GAME.explain(base, seen_after(base, beach="E12")))[0] == ("not-like-state", "beach")
    lone = seen_after(base, cloud_rider="K4", eastman="M2", beach="M16")
    assert codes(GAME.explain(lone, seen_after(lone, cloud_rider="B9"))) == [("too-far", "cloud_rider")]
    assert GAME.explain(lone, seen_after(lone, cloud_rider="K2")).verdict == "legal"


def test_tumblety_swaps_only_beside_him() -> None:
    near = replace(START, available=("tumblety",), played=())
    swapped = seen_after(near, tumblety="H13", beach="F9", callahan="E10")
    assert ("swap-not-beside", "tumblety") in faults_of(near, swapped)
    beside = seen_after(near, tumblety="I10")
    done = seen_after(beside, tumblety="I12", smith="E10", beach="J9")
    explained = GAME.explain(beside, done)
    assert explained.verdict == "legal"
    (play,) = explained.alternatives[0]
    assert play.text.format(**play.params) == "Tumblety goes from I10 to I12 and lets Beach and Smith change places."
    assert faults_of(beside, done, rules={"swap-and-move": "either"})[0] == ("swap-or-move", "tumblety")


def test_of_two_plays_seen_late_only_the_illegal_one_is_blamed() -> None:
    after = seen_after(START, smith="K8", eastman="H7", steamboats=("B13", "K16"))
    assert GAME.explain(START, after, plays=2).verdict == "legal"
    after = seen_after(START, smith="K8", eastman="M16", steamboats=("B13", "K16"))
    explained = GAME.explain(START, after, plays=2)
    assert [code for code, _ in codes(explained)] == ["too-far"]
    assert [play.character for play in explained.alternatives[0]] == ["smith", "eastman"]


def test_escape_by_boat_and_by_land() -> None:
    out = seen_after(HARBOUR, beach=None)
    (play,) = GAME.explain(HARBOUR, out).alternatives[0]
    assert play.ends == "escape" and play.moves[-1].path == ("B11", "B13")
    aboard = GAME.explain(HARBOUR, seen_after(HARBOUR, beach="B13"))
    assert aboard.verdict == "legal" and aboard.alternatives[0][0].ends == "escape"
    outcome = GAME.outcome(play.position, play)
    assert outcome is not None and outcome.winner == "jack"
    assert faults_of(replace(HARBOUR, witness_card="seen"), replace(out, witness_card="seen"))[0] == ("escape-seen", "beach")
    assert faults_of(HARBOUR, out, mover="detective")[0] == ("escape-not-jack", "beach")
    north = seen_after(HARBOUR, tumblety="M10")
    gone = seen_after(north, tumblety="LANDEXIT")
    (play,) = GAME.explain(north, gone).alternatives[0]
    assert play.ends == "escape" and play.moves[-1].path[-1] == "LANDEXIT"


def test_whom_eastman_sends_may_leave_and_the_outcome_names_him() -> None:
    told = replace(HARBOUR, available=("eastman",), played=())
    dark = replace(told, tiles=tuple(tile for tile in told.tiles if tile[1] != "lamp"), hexes=told.hexes)
    dark = seen_after(dark, eastman="G6", tumblety="M16")
    explained = GAME.explain(dark, seen_after(dark, beach=None))
    (play,) = explained.alternatives[0]
    assert (play.character, play.ability, play.ends) == ("eastman", "move_another", "escape")
    outcome = GAME.outcome(play.position, play)
    assert outcome is not None and "Beach" in outcome.message


def test_accusations() -> None:
    onto = seen_after(DARK, tumblety="G6")
    (play,) = GAME.explain(DARK, onto).alternatives[0]
    assert play.ends == "accusation" and play.params["accused"] == "Callahan"
    assert GAME.outcome(play.position, play) is None
    assert GAME.outcome(play.position, play, "callahan").winner == "detective"
    assert GAME.outcome(play.position, play, "beach").winner == "jack"
    assert faults_of(DARK, onto, mover="jack") == [("occupied", "tumblety")]


def test_nobody_changes_places_with_tumblety_who_does_not_stand_where_the_other_stood() -> None:
    rules = {"swap-himself": "yes"}
    before = replace(START, available=("tumblety", "beach", "grant", "smith"), played=())
    assert before.hexes[INDEX["smith"]] == "J9" and before.hexes[INDEX["tumblety"]] == "H11"
    stayed = GAME.explain(before, seen_after(before, smith="I10"), rules=rules)
    assert stayed.verdict == "illegal", "Tumblety lies where he lay"
    changed = GAME.explain(before, seen_after(before, smith="I10", tumblety="J9"), rules=rules)
    assert changed.verdict == "legal", codes(changed)


def test_tumblety_who_walks_back_onto_whom_he_changed_places_with_accuses_him() -> None:
    """Both stand on one cell then, which no other play leads to; it was told as a play like any other, and ended nothing."""
    rules = {"swap-himself": "yes"}
    near = seen_after(replace(START, available=("tumblety",), played=()), tumblety="I10")
    onto = seen_after(near, smith="I10")
    explained = GAME.explain(near, onto, mover="detective", rules=rules)
    assert explained.verdict == "legal", codes(explained)
    (play,) = explained.alternatives[0]
    assert (play.ends, play.ability, play.params["accused"]) == ("accusation", "swap_others", "Smith")
    assert play.position.hexes == onto.hexes
    assert faults_of(near, onto, mover="jack", rules=rules) == [("occupied", "tumblety")]


def test_whom_tumblety_puts_where_another_walked_to_may_walk_on_from_there() -> None:
    before = START
    before = GAME.position(
        {
            **before.to_json(), "turn": 6, "available": ["cloud_rider", "tumblety", "smith", "grant"], "played": [],
            "characters": {
                name: {"hex": cell, "side": "suspect"}
                for name, cell in {
                    "beach": "K14", "cloud_rider": "L9", "latimer": "J9", "grant": "L7", "callahan": "M10", "eastman": "M8",
                    "tumblety": "M14", "smith": "J13",
                }.items()
            },
            "tiles": {"B9": "park", "K4": "park", "L13": "subway", "C10": "lamp", "M12": "lamp", "J3": "lamp"},
            "barricades": [["K2", "K4"], ["I2", "I4"]], "steamboats": ["B13", "G16"],
            "informant": {"hex": "L15", "side": "talkative"}, "witness_card": "unseen",
        }
    )  # fmt: skip
    # Cloud Rider walks to the informant and builds, Tumblety lets Smith change places with him, Smith walks on from there.
    after = replace(
        seen_after(before, tiles={"D7": "building"}, cloud_rider="J13", tumblety="H9", smith="F7"),
        steamboats=("E2", "G16"), informant="K12", informant_side="silent",
        available=("grant",), played=("cloud_rider", "tumblety", "smith"),
    )  # fmt: skip
    explained = GAME.explain(before, after, plays=3)
    assert explained.verdict in ("legal", "ambiguous"), codes(explained)
    assert [play.character for play in explained.alternatives[0]] == ["cloud_rider", "tumblety", "smith"]
