"""Why a table changed: every legal play is found again, nothing illegal is ever called legal, and faults are named."""

from dataclasses import replace

import pytest
from any_table import check_least_weights, codes
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from named_positions import NAMED
from strategies import close_positions, positions

from companion.errors import BadInput
from companion.games.mr_jack_london import GAME, Position
from companion.games.mr_jack_london.names import CHARACTERS, INDEX, WATSON
from companion.games.mr_jack_london.streets import streets_of

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
START = GAME.start("first-2006")


def seen_after(position: Position, **changes: str | None) -> Position:
    """The position with some characters set down elsewhere, as hands may do it."""
    hexes = list(position.hexes)
    for name, spot in changes.items():
        hexes[INDEX[name]] = spot
    return replace(position, hexes=tuple(hexes))


@given(st.one_of(positions(), close_positions()), st.sampled_from(CHARACTERS), st.data())
@settings(max_examples=80, suppress_health_check=QUIET)
def test_every_legal_play_is_explained(position: Position, character: str, data: st.DataObject) -> None:
    assume(character in GAME.candidates(position))
    plays = GAME.plays(position, character)
    assume(plays)
    for play in data.draw(st.lists(st.sampled_from(plays), min_size=1, max_size=8)):
        explained = GAME.explain(position, play.position)
        assert explained.verdict in ("legal", "ambiguous"), codes(explained)
        match = [p for (p,) in explained.alternatives if p.character == character]
        assert match and match[0].position == play.position and match[0].ends == play.ends
        assert match[0].ability == play.ability


@st.composite
def disturbed(draw: st.DrawFn) -> tuple[Position, Position]:
    """A position and another a hand or two away from it: a legal play with something more, or pieces anywhere."""
    before = draw(st.one_of(close_positions(), positions()))
    net = streets_of(before.edition)
    candidates = [c for c in GAME.candidates(before) if c != "goodley"]
    assume(candidates)
    after = before
    if draw(st.booleans()):
        plays = GAME.plays(before, draw(st.sampled_from(candidates)))
        assume(plays)
        after = draw(st.sampled_from(plays)).position
    for _ in range(draw(st.integers(1, 2))):
        what = draw(st.sampled_from(("disc", "disc", "disc", "lamp", "cover", "cordon", "lantern", "side")))
        if what == "disc":
            cells = sorted(net.board.cells) if draw(st.integers(0, 5)) == 0 else sorted(net.streets)
            after = seen_after(after, **{draw(st.sampled_from(CHARACTERS)): draw(st.sampled_from([*cells, None]))})
        elif what == "lamp":
            lamps = list(after.gaslights)
            _, label = lamps.pop(draw(st.integers(0, len(lamps) - 1)))
            goal = draw(st.sampled_from(sorted(net.lamp_posts)))
            after = replace(after, gaslights=tuple(sorted({**dict(lamps), goal: label}.items())))
        elif what == "cover":
            after = replace(after, covers=tuple(sorted((after.covers[0], draw(st.sampled_from(sorted(net.manholes)))))))
        elif what == "cordon":
            after = replace(after, cordons=tuple(sorted((after.cordons[1], draw(st.sampled_from(sorted(net.exits)))))))
        elif what == "lantern":
            after = replace(after, facing=draw(st.sampled_from(net.board.directions)))
        else:
            turned = draw(st.integers(0, 7))
            sides = ["innocent" if (i == turned) != (side == "innocent") else "suspect" for i, side in enumerate(after.sides)]
            after = replace(after, sides=tuple(sides))
    return before, replace(after, available=before.available, played=before.played)


def table(position: Position, ends: str | None) -> tuple[object, ...]:
    """What a table shows of a position. A disc set down on a suspect lies anyhow, so its lantern does not count."""
    watson = position.hexes[INDEX[WATSON]]
    shown = None if watson is None or (ends == "accusation" and position.hexes.count(watson) > 1) else position.facing
    return (position.hexes, position.sides, shown, position.gaslights, position.covers, position.cordons)


@given(disturbed())
@settings(max_examples=60, suppress_health_check=QUIET)
def test_no_case_weighs_less_than_counting_says(pair: tuple[Position, Position]) -> None:
    check_least_weights(GAME, *pair)


@given(disturbed())
@settings(max_examples=150, suppress_health_check=QUIET)
def test_only_what_some_play_leads_to_is_called_legal(pair: tuple[Position, Position]) -> None:
    before, after = pair
    explained = GAME.explain(before, after)
    if explained.verdict == "unchanged":
        assert table(before, None) == table(after, None) or None in (after.facing, after.hexes[INDEX[WATSON]])
        return
    fits = [
        character
        for character in GAME.candidates(before)
        if character != "goodley" or before.hex("goodley") != after.hex("goodley")
        if any(table(play.position, play.ends) == table(after, play.ends) for play in GAME.plays(before, character))
    ]
    assert (explained.verdict != "illegal") == bool(fits), (fits, codes(explained))
    if explained.verdict == "illegal":
        assert explained.faults
        assert all(fault.message and "{" not in fault.message for fault in explained.faults)
    else:
        assert {p.character for (p,) in explained.alternatives} == set(fits)


@given(st.one_of(positions(), close_positions()), st.integers(2, 4), st.data())
@settings(max_examples=40, suppress_health_check=QUIET)
def test_plays_seen_late_are_explained(position: Position, count: int, data: st.DataObject) -> None:
    cards = data.draw(st.booleans())
    order = data.draw(st.permutations(CHARACTERS))[:4]
    now = replace(
        position, available=tuple(sorted(order, key=CHARACTERS.index)) if cards else None, played=() if cards else None
    )
    start = now
    for character in order[:count]:
        plays = [play for play in GAME.plays(now, character) if play.ends is None]
        assume(plays)
        now = data.draw(st.sampled_from(plays)).position
    after = replace(now, available=start.available, played=start.played)
    explained = GAME.explain(start, after, plays=count)
    assume(explained.verdict != "unchanged")  # one whistle can undo a walk
    assert explained.verdict in ("legal", "ambiguous")
    for alternative in explained.alternatives:
        assert len(alternative) <= count
        here = start
        for play in alternative:
            assert GAME.explain(here, play.position).verdict in ("legal", "ambiguous")
            here = play.position
        assert table(here, None) == table(after, None)
    if len(explained.alternatives[0]) == count and cards and count == 4:
        assert {play.character for play in explained.alternatives[0]} == set(order)
    told = GAME.explain(start, now, plays=count)
    if cards and len(explained.alternatives[0]) == count:
        assert [play.character for play in told.alternatives[0]] == list(order[:count])


# --- one illegal play of each kind, with the words a player reads ---------------------------------------------------------

NIGHT = GAME.parse(NAMED["ready-to-leave"])
CROWD = GAME.parse(NAMED["crowded-centre"])


def test_too_far_and_no_cover_moved() -> None:
    """The one a camera filmed: Bert went four steps and forgot the cover."""
    explained = GAME.explain(START, seen_after(START, bert="g10"))
    assert codes(explained) == [("too-far", "bert"), ("ability-missing", "bert")]
    far = explained.faults[0]
    assert far.message == "Bert went 4 steps, he may go 3: put him back on i8 or within reach."
    assert far.cells == ("g10", "i8")
    assert "k9" in far.allowed and "g10" not in far.allowed and "i8" not in far.allowed


ILLEGAL = {
    "too far": (START, {"holmes": "a1"}, [("too-far", "holmes")]),
    "too far, she": (START, {"stealthy": "a1"}, [("too-far", "stealthy")]),
    "onto a building": (START, {"holmes": "h5"}, [("off-street", "holmes")]),
    "onto a garden": (START, {"holmes": "f6"}, [("off-street", "holmes")]),
    "onto a gaslight": (START, {"stealthy": "k6"}, [("off-street", "stealthy")]),
    "two moved": (START, {"holmes": "g6", "stealthy": "i5"}, [("other-moved", "stealthy")]),
    "vanished in turn one": (START, {"stealthy": None}, [("escape-first-turn", "stealthy")]),
    "whistle missing": (START, {"goodley": "m9"}, [("whistle-missing", "goodley")]),
    "whistle away": (START, {"goodley": "m9", "bert": "i7"}, [("whistle-not-nearer", "bert")]),
    "whistle into a house": (START, {"goodley": "m9", "bert": "j9"}, [("whistle-off-street", "bert")]),
    "whistle points left": (START, {"goodley": "m9", "bert": "j8"}, [("whistle-points-left", "goodley")]),
    "whistle too many": (START, {"goodley": "m9", "bert": "k9", "smith": "g10"}, [("whistle-too-many", "goodley")]),
    "smith without a lamp": (START, {"smith": "g9"}, [("ability-missing", "smith")]),
    "lestrade without a cordon": (START, {"lestrade": "e4"}, [("ability-missing", "lestrade")]),
    "escape, cleared": (NIGHT, {"gull": None}, [("escape-cleared", "gull")]),
    "escape, too far": (NIGHT, {"bert": None}, [("escape-closed", "bert")]),
    "not among the cards": (NIGHT, {"holmes": "b1"}, [("not-in-cards", "holmes")]),
    "accusing the cleared": (CROWD, {"holmes": "e5"}, [("occupied", "holmes")]),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_named_faults(name: str) -> None:
    before, moves, expected = ILLEGAL[name]
    explained = GAME.explain(before, seen_after(before, **moves))
    assert explained.verdict == "illegal"
    assert codes(explained)[0] == expected[0], explained.faults[0].message
    assert len(explained.faults) <= 2


def faults_of(before: Position, after: Position, **options: object) -> list[tuple[str, str | None]]:
    return codes(GAME.explain(before, after, **options))


def test_pieces_of_the_board_in_the_wrong_hands() -> None:
    walked = seen_after(START, holmes="g6")
    lamps = dict(START.gaslights)
    moved_lamp = tuple(sorted({**{s: x for s, x in lamps.items() if s != "f5"}, "h4": "blank"}.items()))
    assert faults_of(START, replace(walked, gaslights=moved_lamp)) == [("lamp-moved", None)]
    gone = tuple((spot, label) for spot, label in START.gaslights if spot != "f5")
    assert faults_of(START, replace(walked, gaslights=gone)) == [("lamp-removed", None)]
    renumbered = tuple(sorted({**lamps, "f5": 1, "b2": "blank"}.items()))
    assert faults_of(START, replace(walked, gaslights=renumbered))[0][0] in ("lamp-moved", "lamp-renumbered")
    assert faults_of(START, replace(walked, covers=("f7", "l12"))) == [("cover-moved", None)]
    assert faults_of(START, replace(walked, cordons=("NW", "SW"))) == [("cordon-moved", None)]
    assert faults_of(START, replace(walked, facing="S")) == [("lantern-turned", "watson")]
    assert faults_of(START, replace(walked, turn=2)) == [("turn-changed", None)]
    assert faults_of(START, replace(walked, sides=("innocent", *START.sides[1:]))) == [("side-turned", "holmes")]
    bert = seen_after(START, bert="k9")
    assert faults_of(START, replace(bert, covers=("f7", "h6"))) == [("covers-several", "bert")]
    assert faults_of(START, replace(bert, covers=("g5", "l12"))) == [("cover-misplaced", "bert")]
    assert faults_of(START, replace(bert, covers=("l12", "l12"))) == [("cover-doubled", "bert")]
    lestrade = seen_after(START, lestrade="e4")
    assert faults_of(START, replace(lestrade, cordons=("SW", "SW"))) == [("cordon-doubled", "lestrade")]


def test_an_ability_without_a_step() -> None:
    assert faults_of(START, replace(START, covers=("f7", "l12"))) == [("not-moved", "bert")]
    assert faults_of(START, replace(START, cordons=("NW", "SW"))) == [("not-moved", "lestrade")]
    assert faults_of(START, replace(START, facing="S")) == [("not-moved", "watson")]


def test_side_turned_alone_blames_nobody_for_not_moving() -> None:
    assert faults_of(START, replace(START, sides=("innocent", *START.sides[1:]))) == [("side-turned", "holmes")]


def test_only_the_detective_accuses() -> None:
    onto = seen_after(START, holmes="i8")
    assert GAME.explain(START, onto, mover="detective").alternatives[0][0].ends == "accusation"
    assert GAME.explain(START, onto).verdict == "legal"
    assert faults_of(START, onto, mover="jack") == [("occupied", "holmes")]


def test_leaving_needs_the_unseen_card_and_jacks_pick() -> None:
    out = seen_after(NIGHT, stealthy=None)
    assert GAME.explain(NIGHT, out).alternatives[0][0].ends == "escape"
    assert faults_of(replace(NIGHT, witness_card="seen"), replace(out, witness_card="seen")) == [("escape-seen", "stealthy")]
    assert faults_of(NIGHT, out, mover="detective") == [("escape-not-jack", "stealthy")]


def test_the_last_pick_was_made() -> None:
    over = replace(NIGHT, available=(), played=("lestrade", "stealthy", "gull", "bert"))
    assert ("no-picks-left", "stealthy") in faults_of(over, seen_after(over, stealthy="i5"))


def test_the_card_laid_decides() -> None:
    after = replace(seen_after(NIGHT, stealthy="i5"), available=("lestrade", "stealthy", "gull"), played=("bert",))
    assert GAME.explain(NIGHT, after).verdict == "illegal"


def test_of_two_plays_seen_late_only_the_illegal_one_is_blamed() -> None:
    """Holmes played rightly, then Bert went too far without touching a cover."""
    after = seen_after(START, holmes="e6", bert="g10")
    explained = GAME.explain(START, after, plays=2)
    assert codes(explained) == [("too-far", "bert"), ("ability-missing", "bert")]
    assert [play.character for play in explained.alternatives[0]] == ["holmes", "bert"]


def test_unchanged_and_other_boards() -> None:
    assert GAME.explain(START, START).verdict == "unchanged"
    with pytest.raises(BadInput, match="boards differ"):
        GAME.explain(START, GAME.start("revised-2016"))


@pytest.mark.parametrize(("name", "spot"), [("holmes", "h5"), ("bert", "j9")])
def test_whoever_is_whistled_onto_a_building_is_told_to_go_back_to_where(name: str, spot: str) -> None:
    explained = GAME.explain(START, seen_after(START, goodley="l10", **{name: spot}))
    (fault,) = explained.faults
    assert (explained.verdict, fault.code, fault.character) == ("illegal", "whistle-off-street", name)
    assert f"back on {START.hexes[INDEX[name]]} or" in fault.message


def test_an_accusation_by_watson_is_over_before_his_lantern_is_due() -> None:
    rules = {"lantern-direction": "must-change"}
    before = replace(seen_after(START, watson="g4"), facing="NE", turn=2)
    accused = seen_after(before, watson="g5")
    (accusing,) = (play for play in GAME.plays(before, WATSON, rules=rules) if play.position == accused)
    explained = GAME.explain(before, accusing.position, rules=rules)
    assert (accusing.ends, explained.verdict) == ("accusation", "legal"), codes(explained)
    walked = GAME.explain(before, seen_after(before, watson="g3"), rules=rules)
    assert [code for code, _ in codes(walked)] == ["lantern-same"]


def test_a_lantern_counts_for_nothing_where_a_disc_lies_on_watson_to_accuse_him() -> None:
    """Found by chance: Holmes was set down on Watson, whose disc turned a little, and the accusation was called illegal."""
    before = seen_after(START, watson="g6")
    onto = next(
        play for play in GAME.plays(before, "holmes") if play.ends == "accusation" and play.position.hex("holmes") == "g6"
    )
    for facing in streets_of(START.edition).board.directions:
        explained = GAME.explain(before, replace(onto.position, facing=facing))
        assert explained.verdict in ("legal", "ambiguous"), (facing, codes(explained))
        assert "accusation" in [play.ends for (play,) in explained.alternatives]
    away = GAME.explain(before, replace(seen_after(before, holmes="g4"), facing="S" if before.facing != "S" else "N"))
    assert ("lantern-turned", WATSON) in codes(away)
