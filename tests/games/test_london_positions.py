"""Positions: both texts round-trip, every fault is listed, the witness sees what the rules say."""

import json
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from any_table import check_rubbish, faults_at_the_start, rubbish
from hypothesis import given, settings
from hypothesis import strategies as st
from named_positions import NAMED
from strategies import positions

from companion.errors import InvalidPosition
from companion.games import available, load
from companion.games.mr_jack_london import GAME, Position
from companion.games.mr_jack_london.names import CHARACTERS, INDEX
from companion.games.mr_jack_london.streets import streets_of, ways_out

TABLES = Path(__file__).parents[3] / "shared" / "tables"


@given(positions())
def test_json_and_notation_round_trip(position: Position) -> None:
    assert GAME.position(json.loads(json.dumps(position.to_json()))) == position
    assert GAME.parse(position.notation()) == position
    assert "\n" not in position.notation()
    assert hash(GAME.parse(position.notation())) == hash(position)


@given(positions(), st.data())
def test_what_a_play_left_behind_round_trips_too(position: Position, data: st.DataObject) -> None:
    hexes = list(position.hexes)
    hexes[data.draw(st.integers(0, 7))] = data.draw(st.sampled_from([None, *position.hexes, "h5", "k6"]))
    after = replace(position, hexes=tuple(hexes))
    if after.hex("watson") is None:
        after = replace(after, facing=None)
    assert GAME.position(json.loads(json.dumps(after.to_json())), tolerant=True) == after
    assert GAME.parse(after.notation(), tolerant=True) == after


@pytest.mark.parametrize("name", NAMED)
def test_named_positions_are_written_in_the_canonical_way(name: str) -> None:
    assert GAME.parse(NAMED[name]).notation() == NAMED[name]


def test_a_position_cannot_be_altered() -> None:
    with pytest.raises(FrozenInstanceError):
        GAME.start().turn = 2


def test_the_game_is_found_by_name() -> None:
    assert "mr-jack-london" in available()
    assert load() is GAME
    assert GAME.editions() == ("first-2006", "revised-2016")
    assert GAME.start() == GAME.parse(NAMED["start-2006"])
    assert GAME.start("revised-2016") == GAME.parse(NAMED["start-2016"])


@pytest.mark.parametrize("edition", GAME.editions())
@pytest.mark.parametrize("facing", ["N", "NE", "SE", "S", "SW", "NW"])
def test_four_are_seen_at_the_start_however_the_lantern_points(edition: str, facing: str) -> None:
    seen = GAME.witness(replace(GAME.start(edition), facing=facing))
    assert seen.seen == ("holmes", "smith", "lestrade", "bert")
    assert seen.unseen == ("watson", "stealthy", "goodley", "gull")
    if facing == "NE":
        assert seen.because == {
            "holmes": ("gaslight f5",),
            "smith": ("gaslight h8",),
            "lestrade": ("gaslight f5",),
            "bert": ("gaslight h8",),
        }


def test_streets_lit_at_the_start() -> None:
    """The list was counted on pictures of the printed board."""
    lit = [
        *("a1", "a2", "b1", "b3", "b6", "b7", "c2", "c3", "c6", "d7", "e4", "e5", "g5", "g6", "g7", "g8"),
        *("i8", "i9", "j6", "k7", "k10", "k11", "l6", "l7", "l10", "l12", "m11", "m12"),
    ]
    net = streets_of("first-2006")
    start = GAME.start()
    found = {cell for cell in net.streets if any(spot in net.neighbours[cell] for spot, _ in start.gaslights)}
    assert sorted(found) == sorted(lit)


def test_steps_to_leave_from_the_start() -> None:
    """Steps to get out by each exit with the sewers open as at the start, counted apart from this engine."""
    names = ("holmes", "watson", "smith", "lestrade", "stealthy", "goodley", "gull", "bert")
    counted = {
        "NW": (5, 5, 5, 6, 5, 5, 5, 6),
        "NE": (7, 8, 7, 8, 7, 4, 7, 5),
        "SW": (7, 4, 8, 5, 8, 8, 8, 9),
        "SE": (6, 7, 6, 7, 6, 5, 6, 7),
    }
    start = GAME.start()
    for exit_name, steps in counted.items():
        for name, expected in zip(names, steps, strict=True):
            ways = ways_out("first-2006", str(start.hex(name)), start.covers, (), 20, False, 1)
            assert len(ways[exit_name]) - 1 == expected, (name, exit_name)


def test_the_quick_escape_over_the_roofs_takes_four_steps() -> None:
    ways = ways_out("first-2006", "i4", ("c2", "l12"), ("NE", "SW"), 4, True, 1)
    assert list(ways) == ["SE"] and len(ways["SE"]) - 1 == 4


@given(positions())
def test_neighbours_see_each_other_and_nobody_lights_himself(position: Position) -> None:
    net = streets_of(position.edition)
    found = GAME.witness(position)
    assert sorted((*found.seen, *found.unseen)) == sorted(CHARACTERS)
    assert set(found.because) == set(found.seen)
    for one in CHARACTERS:
        for other in CHARACTERS:
            beside = position.hex(one) in net.neighbours[position.hex(other)]
            assert (f"next to {other}" in found.because.get(one, ())) == beside
            assert (f"next to {one}" in found.because.get(other, ())) == beside
    assert "lantern of watson" not in found.because.get("watson", ())


def test_the_lantern_passes_people_and_manholes_and_stops_at_walls_and_lamps() -> None:
    # From e9 due S: e8 to e3 are streets, so all on them are lit, near or far.
    spread = GAME.parse(
        "first-2006 6 seen holmes:e7,watson:e9>S,smith:e5,lestrade:e3,stealthy:i4,goodley:m10,gull:g3,bert:i6 "
        "f9:*,l11:* c2,l12 NE,SW ?/?"
    )
    found = GAME.witness(spread).because
    assert all("lantern of watson" in found[name] for name in ("holmes", "smith", "lestrade"))
    # From g6 due SE: the manhole h6, the streets i6 and j6, then a gaslight; due NW: the garden f6, behind it e6.
    manhole = replace(spread, hexes=("h6", "g6", "i6", "e6", "a1", "m10", "c4", "g3"), facing="SE")
    because = GAME.witness(manhole).because
    assert "lantern of watson" in because["holmes"] and "lantern of watson" in because["smith"]
    assert GAME.witness(replace(manhole, facing="NW")).because.get("lestrade") is None
    # From g9 due NW: f9 is a gaslight, lit or dark, and ends the ray; e9 behind it stays dark.
    for lamps in ((("f9", "blank"), ("l11", "blank")), (("b2", "blank"), ("l11", "blank"))):
        barred = replace(spread, hexes=("e9", "g9", "a1", "a5", "i4", "m10", "c4", "k7"), facing="NW", gaslights=lamps)
        assert "lantern of watson" not in GAME.witness(barred).because.get("holmes", ())


# --- faults --------------------------------------------------------------------------------------------------------------


def faults(tolerant: bool = False, **changes: object) -> tuple[str, ...]:
    return faults_at_the_start(GAME, changes, tolerant=tolerant)


HOLMES = {"hex": "g5", "side": "suspect"}
IMPOSSIBLE = {
    "unknown hex": ({"characters": {"holmes": {**HOLMES, "hex": "z9"}}}, "holmes: hex 'z9' is not on the board"),
    "two on one hex": ({"characters": {"holmes": {**HOLMES, "hex": "g8"}}}, "holmes and smith stand on one hex, g8"),
    "in a house": ({"characters": {"holmes": {**HOLMES, "hex": "h5"}}}, "h5, which is a building or garden"),
    "on a gaslight": ({"characters": {"holmes": {**HOLMES, "hex": "f5"}}}, "f5, which is a gaslight"),
    "nine characters": ({"characters": {"moriarty": {"hex": "a1", "side": "suspect"}}}, "'moriarty' is not a character"),
    "nine counted": ({"characters": {"moriarty": {"hex": "a1", "side": "suspect"}}}, "9 of them, but there are 8"),
    "seven characters": ({"characters": {"holmes": "REMOVE"}}, "holmes: missing"),
    "bad side": ({"characters": {"holmes": {**HOLMES, "side": "guilty"}}}, "side 'guilty'"),
    "no side": ({"characters": {"holmes": {"hex": "g5"}}}, "holmes: side is missing"),
    "no hex": ({"characters": {"holmes": {"side": "suspect"}}}, "holmes: stands on no hex"),
    "not an object": ({"characters": {"holmes": "g5"}}, "holmes: must be an object"),
    "bad facing": ({"characters": {"watson": {"hex": "a3", "side": "suspect", "facing": "E"}}}, "facing 'E'"),
    "no facing": ({"characters": {"watson": {"hex": "a3", "side": "suspect"}}}, "watson: facing is missing"),
    "facing of another": ({"characters": {"holmes": {**HOLMES, "facing": "N"}}}, "holmes: has a facing"),
    "lamp on a street": ({"gaslights": {"f5": "REMOVE", "g6": "blank"}}, "lies on g6, which is a street"),
    "lamp off the board": ({"gaslights": {"z1": 1}}, "hex 'z1' is not on the board"),
    "lamp five": ({"gaslights": {"b2": 5}}, "gaslight on b2: 5"),
    "lamp true": ({"gaslights": {"b2": True}}, "gaslight on b2: true"),
    "lamp doubled": ({"gaslights": {"f9": 1}}, "gaslight 1 is there 2 times"),
    "seven lamps": ({"gaslights": {"f9": 1}}, "7 tiles, but there are 6"),
    "cover on a street": ({"covers": ["g5", "l12"]}, "cover lies on g5, which is a street"),
    "cover off the board": ({"covers": ["z1", "l12"]}, "'z1' is not on the board"),
    "one cover": ({"covers": ["l12"]}, "covers: 1 of them"),
    "three covers": ({"covers": ["c2", "f7", "l12"]}, "covers: 3 of them"),
    "covers stacked": ({"covers": ["l12", "l12"]}, "covers: 2 on l12"),
    "covers no list": ({"covers": "l12"}, "covers: must be a list"),
    "cordon nowhere": ({"cordons": ["N", "SW"]}, "'N' is not an exit"),
    "one cordon": ({"cordons": ["SW"]}, "cordons: 1 of them"),
    "turn nine": ({"turn": 9}, "turn: 9"),
    "turn true": ({"turn": True}, "turn: true"),
    "card": ({"witness_card": "maybe"}, "witness_card: 'maybe'"),
    "edition": ({"edition": "third-2030"}, "edition: 'third-2030'"),
    "game": ({"game": "chess"}, "game: 'chess'"),
    "bad card": ({"available": ["moriarty"]}, "'moriarty' is not a character"),
    "card twice": ({"available": ["holmes"], "played": ["holmes"]}, "card of holmes is there twice"),
    "five cards": ({"available": list(CHARACTERS[:5])}, "5 cards, but a turn has 4"),
    "cards no list": ({"played": "holmes"}, "played: must be a list"),
    "unknown key": ({"jack": "holmes"}, "'jack' is not part of a position"),
    "missing": ({"gaslights": None}, "gaslights: missing"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_positions_say_what_and_where(name: str) -> None:
    changes, expected = IMPOSSIBLE[name]
    found = faults(**changes)
    assert any(expected in fault for fault in found), found


def test_all_faults_are_listed_at_once() -> None:
    found = faults(
        characters={"holmes": {"hex": "zz", "side": "guilty"}, "smith": {"hex": "h5", "side": "suspect"}},
        gaslights={"g6": 3}, covers=["g5"], cordons=["X", "SW"], turn=12, witness_card="x", available=["nobody"],
    )  # fmt: skip
    assert len(found) >= 11, found


def test_tolerant_positions_take_what_hands_can_do_and_refuse_words() -> None:
    assert not faults(True, characters={"holmes": {**HOLMES, "hex": "g8"}})
    assert not faults(True, characters={"holmes": {**HOLMES, "hex": "h5"}})
    assert not faults(True, characters={"holmes": "REMOVE"})
    assert not faults(True, characters={"holmes": {"hex": None}})
    assert not faults(True, covers=["g5"], cordons=[], gaslights={"g6": 1, "f5": "REMOVE"}, turn=3)
    assert faults(True, characters={"holmes": {**HOLMES, "hex": "z9"}})
    assert faults(True, characters={"moriarty": {"hex": "a1"}})
    assert faults(True, cordons=["N", "SW"])


def test_what_may_be_left_out() -> None:
    data = GAME.start().to_json()
    for key in ("game", "edition", "turn", "witness_card"):
        del data[key]
    assert GAME.position(data) == GAME.start()


@pytest.mark.parametrize("line", ["", "first-2006 1 seen", "a b c d e f g h i", NAMED["huddle"].replace("?/?", "?"),
                                  NAMED["huddle"].replace("holmes:a1", "holmes"), NAMED["huddle"].replace("f5:*", "f5:7"),
                                  NAMED["huddle"].replace("holmes:a1,", "holmes:a1,holmes:a2,")])  # fmt: skip
def test_broken_notation_is_refused(line: str) -> None:
    with pytest.raises(InvalidPosition):
        GAME.parse(line)


KEYS = ["characters", "holmes", "hex", "gaslights", "f5", "covers", "turn", "edition", "available"]


@given(rubbish(KEYS), st.booleans())
@settings(max_examples=200)
def test_rubbish_is_refused_in_one_line(data: object, tolerant: bool) -> None:
    check_rubbish(GAME, data, tolerant=tolerant)


@pytest.mark.skipif(not TABLES.is_dir(), reason="no filmed tables beside the project")
def test_every_filmed_table_is_a_position() -> None:
    for path in TABLES.glob("*/table.json"):
        for frame in json.loads(path.read_text(encoding="utf-8"))["frames"]:
            if frame["kind"] != "empty":
                GAME.position(frame["state"])


# --- calls, ends of turns, chores ---------------------------------------------------------------------------------------


def test_the_call_clears_those_unlike_jack_and_only_suspects_count() -> None:
    start = GAME.start()
    seen = GAME.call(start, seen=True)
    assert GAME.suspects(seen) == ("holmes", "smith", "lestrade", "bert") and seen.witness_card == "seen"
    unseen = GAME.call(start, seen=False)
    assert GAME.suspects(unseen) == ("watson", "stealthy", "goodley", "gull") and unseen.witness_card == "unseen"
    assert seen.hexes == start.hexes and seen.turn == 1
    assert GAME.suspects(GAME.call(seen, seen=False)) == ()  # somebody erred: no suspect is left


def test_the_turn_closes_with_its_lamp_and_the_other_four_cards() -> None:
    four = ("holmes", "smith", "gull", "bert")
    played = replace(GAME.start(), available=(), played=four)
    second = GAME.close_turn(played)
    assert second.turn == 2 and 1 not in dict(second.gaslights).values() and len(second.gaslights) == 5
    assert second.available == ("watson", "lestrade", "stealthy", "goodley") and second.played == ()
    assert GAME.mover(second) == "jack" and GAME.candidates(second) == second.available
    third = GAME.close_turn(replace(second, available=(), played=second.available))
    assert third.turn == 3 and third.available is None and third.played is None
    assert GAME.mover(third) is None and GAME.candidates(third) == CHARACTERS
    fifth = replace(third, turn=5, gaslights=(("f5", "blank"), ("h8", "blank")))
    assert GAME.close_turn(fifth).gaslights == fifth.gaslights


@pytest.mark.parametrize(("turn", "order"), [(1, "djjd"), (2, "jddj"), (7, "djjd"), (8, "jddj")])
def test_who_picks(turn: int, order: str) -> None:
    assert "".join(role[0] for role in GAME.movers(turn)) == order
    position = replace(GAME.start(), turn=turn)
    for made in range(4):
        assert GAME.mover(replace(position, played=CHARACTERS[:made]))[0] == order[made]
        assert GAME.mover(replace(position, available=CHARACTERS[made:4]))[0] == order[made]
    assert GAME.mover(replace(position, played=CHARACTERS[:4])) is None


@given(positions(), positions())
def test_doing_all_chores_leaves_no_chore(one: Position, other: Position) -> None:
    expected = replace(other, edition=one.edition) if other.edition != one.edition else other
    state = {key: one.to_json()[key] for key in ("characters", "gaslights", "covers", "cordons", "turn")}
    chores = GAME.differences(expected, state)
    assert all(chore.message and "{" not in chore.message for chore in chores)
    assert GAME.differences(one, state) == ()
    hexes, sides, facing = list(one.hexes), list(one.sides), one.facing
    lamps, covers, cordons, turn = dict(one.gaslights), list(one.covers), list(one.cordons), one.turn
    moved = []
    for chore in chores:
        what = (
            chore.code.rpartition("-")[2] if chore.code not in ("put-back", "turn-disc", "turn-lantern", "turn-marker") else ""
        )
        if chore.code == "put-back":
            hexes[INDEX[chore.subject]] = chore.to
        elif chore.code == "turn-disc":
            sides[INDEX[chore.subject]] = chore.params["side"]
        elif chore.code == "turn-lantern":
            facing = chore.params["facing"]
        elif chore.code == "turn-marker":
            turn = chore.params["turn"]
        elif what == "lamp":
            if chore.place:
                del lamps[chore.place]
            if chore.to:
                moved.append((chore.to, chore.params["lamp"]))
        else:
            pile = covers if what == "cover" else cordons
            if chore.place:
                pile.remove(chore.place)
            if chore.to:
                pile.append(chore.to)
    lamps.update(moved)
    assert (tuple(hexes), tuple(sides), facing, turn) == (expected.hexes, expected.sides, expected.facing, expected.turn)
    assert (lamps, sorted(covers), sorted(cordons)) == (dict(expected.gaslights), list(expected.covers), list(expected.cordons))


def test_a_reading_is_completed_from_what_was_known() -> None:
    before = replace(GAME.start(), witness_card="unseen", available=("holmes",), played=("bert", "gull", "smith"))
    state = before.to_json()
    for key in ("witness_card", "available", "played", "game", "edition"):
        del state[key]
    assert GAME.complete(before, state) == before
    del state["characters"]["holmes"], state["gaslights"]["f5"]
    state["covers"] = ["l12"]
    assert GAME.complete(before, state, ("holmes", "gaslight:f5", "cover:c2")) == before
    gone = GAME.complete(before, state)
    assert gone.hex("holmes") is None and "f5" not in dict(gone.gaslights) and gone.covers == ("l12",)
    wanted = {chore.code for chore in GAME.differences(before, state)}
    assert wanted == {"put-on-board", "lay-lamp", "lay-cover"}
    assert GAME.differences(before, state, ("holmes", "gaslight:f5", "cover:c2")) == ()
    assert GAME.complete(before, {}) == before and GAME.differences(before, {}) == ()
    assert [c.code for c in GAME.differences(before, {"turn": None})] == ["turn-marker"]
    with pytest.raises(InvalidPosition, match="z9"):
        GAME.complete(before, {"covers": ["z9"]})


def test_dawn() -> None:
    last = replace(GAME.parse(NAMED["late-and-dark"]), turn=8)
    assert GAME.outcome(last) is None
    outcome = GAME.outcome(replace(last, available=(), played=CHARACTERS[:4]))
    assert outcome is not None and outcome.winner == "jack" and outcome.code == "dawn"


def test_a_table_with_its_clean_up_half_done_is_still_a_position() -> None:
    assert faults(gaslights={"b2": "REMOVE"}) == ()  # tile 1 taken, the marker still on 1
    assert faults(turn=2) == ()  # the marker moved first
    assert faults(gaslights={"f5": "REMOVE"}) == ()  # a tile lifted for Smith
