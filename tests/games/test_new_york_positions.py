"""New York positions: both texts round-trip, every fault is listed, the witness sees what the rules say."""

import json
from dataclasses import replace

import pytest
from any_table import check_rubbish, faults_at_the_start, rubbish
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from new_york_positions import NAMED
from new_york_strategies import NET, any_position, positions

from companion.errors import InvalidPosition
from companion.games import available, load
from companion.games.mr_jack_new_york import GAME, Position
from companion.games.mr_jack_new_york.names import CHARACTERS, INDEX

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
START = GAME.start()


@given(any_position())
@settings(max_examples=80, suppress_health_check=QUIET)
def test_json_and_notation_round_trip(position: Position) -> None:
    assert GAME.position(json.loads(json.dumps(position.to_json()))) == position
    assert GAME.parse(position.notation()) == position
    assert "\n" not in position.notation()
    assert hash(GAME.parse(position.notation())) == hash(position)


@given(positions(), st.data())
@settings(max_examples=60, suppress_health_check=QUIET)
def test_what_hands_left_behind_round_trips_too(position: Position, data: st.DataObject) -> None:
    hexes = list(position.hexes)
    hexes[data.draw(st.integers(0, 7))] = data.draw(st.sampled_from([None, *position.hexes, "D9", "K16", "LANDEXIT"]))
    after = replace(position, hexes=tuple(hexes), informant=data.draw(st.sampled_from([None, "E2", position.hexes[0]])))
    after = replace(
        after, barricades=tuple(sorted((data.draw(st.sampled_from([("E4",), ("A8", "B7"), ()])), position.barricades[0])))
    )
    after = replace(after, steamboats=data.draw(st.sampled_from([(), ("E2", "E2", "M2")])))
    assert GAME.position(json.loads(json.dumps(after.to_json())), tolerant=True) == after
    if () not in after.barricades:
        assert GAME.parse(after.notation(), tolerant=True) == after


@pytest.mark.parametrize("name", NAMED)
def test_named_positions_are_written_in_the_canonical_way(name: str) -> None:
    assert GAME.parse(NAMED[name]).notation() == NAMED[name]


def test_the_game_is_found_by_name() -> None:
    assert "mr-jack-new-york" in available() and load("mr-jack-new-york") is GAME
    assert GAME.editions() == ("first-2009",) and GAME.start() == GAME.parse(NAMED["start"])


@pytest.mark.parametrize("latimer", GAME.board("first-2009").doubts["latimer"]["places"])
def test_six_are_seen_at_the_start_wherever_the_sources_put_latimer(latimer: str) -> None:
    data = START.to_json()
    data["characters"]["latimer"]["hex"] = latimer
    if latimer == "F9":
        data["characters"]["callahan"]["hex"] = "F7"  # as in the source that has Latimer there
    seen = GAME.witness(GAME.position(data))
    assert seen.seen == ("beach", "cloud_rider", "latimer", "grant", "callahan", "smith")
    assert seen.unseen == ("eastman", "tumblety")


@given(any_position())
@settings(max_examples=80, suppress_health_check=QUIET)
def test_who_is_seen(position: Position) -> None:
    """1 to 8, against the definition written out pair by pair."""
    found = GAME.witness(position)
    tiles = dict(position.tiles)
    assert sorted((*found.seen, *found.unseen)) == sorted(CHARACTERS) and set(found.because) == set(found.seen)
    for one in CHARACTERS:
        spot = position.hex(one)
        dark = tiles.get(spot) == "park" or spot == "LIBERTY"
        lamp = any(tiles.get(cell) == "lamp" for cell in NET.beside[spot])
        near = [
            other
            for other in CHARACTERS
            if position.hex(other) in NET.beside[spot] and tiles.get(position.hex(other)) != "park"
        ]
        assert (one in found.seen) == (not dark and (lamp or bool(near)))
        if not dark:
            assert [f"next to {other}" for other in near] == [x for x in found.because.get(one, ()) if x.startswith("next")]
    assert GAME.witness(replace(position, informant="A10" if position.informant != "A10" else "M2")) == found
    assert GAME.witness(replace(position, barricades=(), steamboats=())) == found


def test_two_neighbours_one_in_a_park_are_both_unseen() -> None:
    data = START.to_json()
    data["characters"] |= {"eastman": {"hex": "H7", "side": "suspect"}, "tumblety": {"hex": "M2", "side": "innocent"}}
    data["characters"]["beach"]["hex"] = "H9"
    data["tiles"]["H7"] = "park"
    for name, spot in (("cloud_rider", "M4"), ("latimer", "B13"), ("callahan", "A10"), ("grant", "D5"), ("smith", "C14")):
        data["characters"][name]["hex"] = spot if spot != "B13" else "D15"
    seen = GAME.witness(GAME.position(data)).seen
    assert "eastman" not in seen and "beach" not in seen
    data["tiles"]["I10"] = "lamp"
    assert GAME.witness(GAME.position(data)).because["beach"] == ("lamp I10",)


def faults(tolerant: bool = False, **changes: object) -> tuple[str, ...]:
    return faults_at_the_start(GAME, changes, tolerant=tolerant)


BEACH = {"hex": "E10", "side": "suspect"}
IMPOSSIBLE = {
    "tile on a printed building": ({"tiles": {"D9": "lamp"}}, "lamp tile lies on D9, which is a printed building"),
    "tile on the printed subway": ({"tiles": {"G8": "subway"}}, "lies on G8, which is the printed subway"),
    "tile on a pier": ({"tiles": {"A8": "park"}}, "lies on A8, which is a pier"),
    "tile on the island": ({"tiles": {"LIBERTY": "building"}}, "the statue's island"),
    "tile in a port": ({"tiles": {"E2": "building"}}, "lies on E2, which is a port"),
    "tile nowhere": ({"tiles": {"Z1": "lamp"}}, "hex 'Z1' is not on the board"),
    "strange tile": ({"tiles": {"D5": "church"}}, "'church' is not one of subway, lamp, building, park"),
    "eighth subway": (
        {"tiles": {"D5": "subway", "D13": "subway", "F13": "subway", "I2": "subway", "I12": "subway"}},
        "subway tiles: 8 of them, but there are 7",
    ),
    "fifth building": ({"tiles": dict.fromkeys(("D5", "D7", "D13", "D15", "E12"), "building")}, "building tiles: 5 of them"),
    "one tile too many": (
        {"tiles": {c: "park" for c in sorted(NET.streets)[-18:] if c not in ("K14", "L15", "M12")}},
        "but there are 17",
    ),
    "subways touching": ({"tiles": {"B7": "subway"}}, "subways on B7 and B9 touch each other"),
    "subway beside the printed one": ({"tiles": {"G6": "subway"}}, "subways on G6 and G8 touch"),
    "lamps touching": ({"tiles": {"C12": "lamp"}}, "lamps on C10 and C12 touch"),
    "barricade on one hex": ({"barricades": [["E4"], ["K14", "L15"]]}, "barricade on E4: covers 1 hexes"),
    "barricade apart": ({"barricades": [["E4", "G4"], ["K14", "L15"]]}, "barricade on E4+G4: these hexes do not touch"),
    "barricade on a pier": ({"barricades": [["A8", "B7"], ["K14", "L15"]]}, "A8 is a pier, where none may lie"),
    "barricade on a house": ({"barricades": [["D11", "D13"], ["K14", "L15"]]}, "D11 is a printed building"),
    "barricade on a lamp": ({"barricades": [["C10", "C12"], ["K14", "L15"]]}, "barricade on C10+C12: a lamp stands on C10"),
    "barricade on somebody": ({"barricades": [["E8", "F7"], ["K14", "L15"]]}, "latimer: stands on E8, which is under"),
    "barricade nowhere": ({"barricades": [["Z4", "F3"], ["K14", "L15"]]}, "hex 'Z4' is not on the board"),
    "barricade no pair": ({"barricades": ["E4+F3", ["K14", "L15"]]}, "is not a list of two hexes"),
    "one barricade": ({"barricades": [["E4", "F3"]]}, "barricades: 1 of them, but there are always 2"),
    "boat on land": ({"steamboats": ["E4", "K16"]}, "steamboat lies on E4, which is a street, not a port"),
    "two boats in a port": ({"steamboats": ["E2", "E2"]}, "steamboats: 2 on E2"),
    "three boats": ({"steamboats": ["E2", "L1", "K16"]}, "steamboats: 3 of them"),
    "boat nowhere": ({"steamboats": ["E3", "K16"]}, "'E3' is not on the board"),
    "informant under a barricade": (
        {"informant": {"hex": "E4", "side": "silent"}}, "informant: stands on E4, which is under"
    ),
    "informant on a lamp": ({"informant": {"hex": "C10", "side": "silent"}}, "informant: stands on C10, where a lamp stands"),
    "informant in a port": ({"informant": {"hex": "E2", "side": "silent"}}, "informant: stands on E2, which is a port"),
    "informant with somebody": ({"informant": {"hex": "E10", "side": "silent"}}, "informant: stands on E10 with beach"),
    "informant missing": ({"informant": None}, "informant: missing"),
    "informant's side": ({"informant": {"hex": "LIBERTY", "side": "asleep"}}, "side 'asleep' is not talkative or silent"),
    "on a lamp": ({"characters": {"beach": {**BEACH, "hex": "C10"}}}, "beach: stands on C10, where a lamp stands"),
    "in a house": ({"characters": {"beach": {**BEACH, "hex": "D9"}}}, "beach: stands on D9, which is a printed building"),
    "in a port": ({"characters": {"beach": {**BEACH, "hex": "K16"}}}, "beach: stands on K16, which is a port"),
    "in the exit": ({"characters": {"beach": {**BEACH, "hex": "LANDEXIT"}}}, "the land exit"),
    "two on one hex": ({"characters": {"beach": {**BEACH, "hex": "F9"}}}, "beach and callahan stand on one hex, F9"),
    "a facing": ({"characters": {"beach": {**BEACH, "facing": "N"}}}, "beach: 'facing' is not known"),
    "ninth character": ({"characters": {"jack": BEACH}}, "'jack' is not a character"),
    "another game's keys": ({"gaslights": {}}, "'gaslights' is not part of a position"),
    "another game": ({"game": "mr-jack-london"}, "game: 'mr-jack-london' is not mr-jack-new-york"),
}  # fmt: skip


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_positions_say_what_and_where(name: str) -> None:
    changes, expected = IMPOSSIBLE[name]
    found = faults(**changes)
    assert any(expected in fault for fault in found), found


def test_all_faults_are_listed_at_once() -> None:
    found = faults(
        tiles={"D9": "lamp", "B7": "subway", "E8": "building"}, barricades=[["E4"], ["C10", "C12"]], steamboats=["E4", "K16"],
        informant={"hex": "C12", "side": "silent"}, turn=9, available=["nobody"],
        characters={"smith": {"hex": "G16", "side": "guilty"}},
    )  # fmt: skip
    assert len(found) >= 10, found


def test_tolerant_positions_take_what_hands_can_do_and_refuse_words() -> None:
    for changes, _ in IMPOSSIBLE.values():
        strange = any(
            word in json.dumps(changes)
            for word in ("Z1", "Z4", "E3", "church", "E4+F3", "asleep", "facing", "jack", "gaslights")
        )
        assert bool(faults(True, **changes)) == strange, changes


LINE = NAMED["start"]
BROKEN = ["", "first-2009 1 seen", "a b c d e f g h i", LINE.replace("LIBERTY:talkative", "LIBERTY")]
BROKEN += [
    LINE.replace("beach:E10", "beach"),
    LINE.replace("B9:subway", "B9:x"),
    LINE.replace("B9:subway,", "B9:subway,B9:lamp,"),
]


@pytest.mark.parametrize("line", BROKEN)
def test_broken_notation_is_refused(line: str) -> None:
    with pytest.raises(InvalidPosition):
        GAME.parse(line)


KEYS = ["characters", "beach", "hex", "tiles", "B9", "barricades", "informant", "steamboats", "turn"]


@given(rubbish(KEYS), st.booleans())
@settings(max_examples=200)
def test_rubbish_is_refused_in_one_line(data: object, tolerant: bool) -> None:
    check_rubbish(GAME, data, tolerant=tolerant)


# --- calls, ends of turns, chores ---------------------------------------------------------------------------------------


def test_the_call_and_the_end_of_the_turn() -> None:
    """5, 8, 42, 44, 47: the call clears, nobody moves; the informant talks again; the other four cards come."""
    met = replace(START, available=(), played=("beach", "grant", "smith", "eastman"), informant="M2", informant_side="silent")
    called = GAME.call(met, seen=False)
    assert GAME.suspects(called) == ("eastman", "tumblety") and called.witness_card == "unseen"
    second = GAME.close_turn(called)
    assert (second.turn, second.informant, second.informant_side) == (2, "M2", "talkative")
    assert second.available == ("cloud_rider", "latimer", "callahan", "tumblety") and GAME.mover(second) == "jack"
    assert second.tiles == met.tiles and second.hexes == met.hexes
    assert GAME.movers(1) == ("detective", "jack", "jack", "detective")
    last = replace(START, turn=8, available=(), played=CHARACTERS[:4])
    assert GAME.outcome(last).code == "dawn"


SURFACE = ("characters", "tiles", "barricades", "steamboats", "informant", "turn")


@given(positions(), positions())
@settings(max_examples=60, suppress_health_check=QUIET)
def test_doing_all_chores_leaves_no_chore(one: Position, other: Position) -> None:
    state = {key: one.to_json()[key] for key in SURFACE}
    chores = GAME.differences(other, state)
    assert all(chore.message and "{" not in chore.message for chore in chores)
    assert GAME.differences(one, state) == ()
    hexes, sides, tiles, moved = list(one.hexes), list(one.sides), dict(one.tiles), []
    barricades, boats, informant, side, turn = (
        ["+".join(p) for p in one.barricades],
        list(one.steamboats),
        one.informant,
        one.informant_side,
        one.turn,
    )
    for chore in chores:
        if chore.code == "put-back":
            hexes[INDEX[chore.subject]] = chore.to
        elif chore.code == "turn-disc":
            sides[INDEX[chore.subject]] = chore.params["side"]
        elif chore.code == "turn-marker":
            turn = chore.params["turn"]
        elif chore.code == "turn-tile":
            tiles[chore.place] = dict(other.tiles)[chore.place]
        elif chore.code.endswith("-tile"):
            label = tiles.pop(chore.place) if chore.place else dict(other.tiles)[chore.to]
            if chore.to:
                moved.append((chore.to, label))
        elif chore.code == "informant-back":
            informant = chore.to
        elif chore.code == "turn-informant":
            side = other.informant_side
        else:
            pile = barricades if chore.code.endswith("barricade") else boats
            pile.remove(chore.place)
            pile.append(chore.to)
    tiles.update(moved)
    done = replace(
        one, hexes=tuple(hexes), sides=tuple(sides), tiles=tuple(sorted(tiles.items())), turn=turn, informant=informant,
        barricades=tuple(sorted(tuple(p.split("+")) for p in barricades)), steamboats=tuple(sorted(boats)), informant_side=side,
    )  # fmt: skip
    assert {key: done.to_json()[key] for key in SURFACE} == {key: other.to_json()[key] for key in SURFACE}


def test_a_reading_is_completed_from_what_was_known() -> None:
    before = replace(START, witness_card="unseen", available=("beach",), played=("grant", "smith", "latimer"))
    state = {key: before.to_json()[key] for key in SURFACE}
    assert GAME.complete(before, state) == before
    del state["characters"]["beach"], state["tiles"]["B9"]
    state |= {"barricades": [["L15", "K14"]], "steamboats": ["E2"], "informant": None, "turn": None}
    hidden = ("beach", "tile:B9", "barricade:E4+F3", "steamboat:K16", "informant")
    assert GAME.complete(before, state, hidden) == before and GAME.differences(before, state, (*hidden, "turn")) == ()
    gone = GAME.complete(before, state)
    assert gone.hex("beach") is None and "B9" not in dict(gone.tiles) and gone.informant is None
    codes = {chore.code for chore in GAME.differences(before, state)}
    assert codes == {"put-on-board", "lay-tile", "lay-barricade", "lay-steamboat", "informant-back", "turn-marker"}
    assert GAME.complete(before, {}) == before and GAME.differences(before, {}) == ()
    with pytest.raises(InvalidPosition, match="Z9"):
        GAME.complete(before, {"steamboats": ["Z9"]})
