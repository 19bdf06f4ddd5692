"""Letters from Whitechapel at a refereed table: nights from the first token laid to the verified record."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from testkit.night_players import ROUND, everybody_stays, flee, hunt, nobody_asks, place_of, play_on, to_the_circle
from testkit.night_table import GAME, NightTable, Sealer

from companion.announce.phrases import Phrases
from companion.cli import main
from companion.errors import BadInput
from companion.games.letters_from_whitechapel import jack
from companion.host.report import as_csv, as_html
from companion.record.verify import check_chain
from companion.referee.audit import audit
from companion.referee.match import fold


@pytest.fixture
def table(tmp_path: Path) -> Iterator[NightTable]:
    made = NightTable(tmp_path)
    yield made
    made.close()


def findings(table: NightTable) -> list[str]:
    """What the rules do not bear out in the record."""
    return [one.text for one in audit(GAME, table.events())[1]]


def told(table: NightTable) -> str:
    """What is said of the last event."""
    said = Phrases().announce(table.events()[-1].to_json())
    return "" if said is None else said.text


def test_an_entrusted_night_is_refereed_from_the_first_token_to_an_arrest(table: NightTable) -> None:
    assert table.show() == ["table-agreed"] and table.public["phase"] == "women"
    assert table.show(women=(("3", "down"), ("22", "down"))) == ["flag"] and table.faults == ["not-red"]
    assert table.show(women=(("3", "down"), ("21", "down"))) == ["flag-cleared", "play"], "laid one by one"
    assert table.show(women=(("3", "marked"), ("21", "down"))) == ["flag"] and table.faults == ["face-up"]
    hunt(table)
    assert table.own()["lines"][1]["params"] == {"circle": 84}
    flee(table, "86")
    assert table.public["phase"] == "police-move" and table.public["movers"] == list(ROUND)
    to = next(play.moves[0].to for play in GAME.plays(table.state.position, "police-brown") if play.moves)
    assert table.police(brown=to) == ["play"] and table.last("play").data["mover"] == "brown"
    everybody_stays(table)
    near = [answer["circle"] for answer in table.public["expects"][0]["form"] if answer["kind"] == "search"]
    assert near and table.say("search", seat="brown", circle=near[0])[:2] == ["asked", "answered"]
    assert table.last("answered").data["act"]["clue"] is (near[0] in (84, 86))
    nobody_asks(table)
    assert table.public["phase"] == "escape" and 84 not in table.public["places"], "he has moved"
    assert findings(table) == [] and check_chain(table.events()) == []
    assert fold(GAME, table.events()).state == table.state


def test_a_clue_laid_on_a_wrong_circle_is_flagged_and_moved(table: NightTable) -> None:
    hunt(table)
    flee(table, "86")
    to_the_circle(table)
    assert table.say("search", seat="brown", circle=86) == ["asked", "answered"]
    assert table.public["phase"] == "laying" and table.public["chores"][0]["message"] == "Clue marker: lay it on 86."
    assert table.show(clues=("87",)) == ["chores", "flag"] and table.way_back == ["Clue marker: move it from 87 to 86."]
    assert table.show(clues=("86",)) == ["flag-cleared", "laid"] and table.public["position"]["clues"] == ["86"]
    assert table.show(clues=()) == ["flag"] and table.way_back == ["Clue marker: lay it on 86."], "it stays there tonight"
    assert table.show(clues=("86",)) == ["flag-cleared"]


def test_an_arrest_where_jack_is_ends_the_game_and_opens_everything(table: NightTable) -> None:
    hunt(table)
    flee(table, "86")
    to_the_circle(table)
    kinds = table.say("arrest", seat="brown", circle=86)
    assert kinds[:3] == ["asked", "answered", "outcome"] and table.public["outcome"]["winner"] == "police"
    opened = {(one["seat"], one["purpose"]): one.get("value") for one in table.public["secrets"]}
    assert opened["jack", "move"] == "86" and opened["jack", "hideout"] == "50"
    assert not [text for text in findings(table) if "false" in text or "commitment" in text]
    assert "<svg" in as_html(GAME, table.events()) and as_csv(GAME, table.events()).count("\n") == len(table.events()) + 1


def test_the_report_draws_the_opened_path_with_what_could_be_known(table: NightTable) -> None:
    hunt(table)
    flee(table, "86")
    assert "the path, opened" not in as_html(GAME, table.events())
    to_the_circle(table)
    table.say("arrest", seat="brown", circle=86)
    assert table.public["phase"] == "over"
    report = as_html(GAME, table.events())
    chapter = report[report.index("<section class='chapter'>") : report.index("</section>")]
    assert "Night 1: the path, opened" in chapter and "<polyline" in chapter and 'data-marked="50"' in chapter
    assert re.findall(r'data-step="(\d+)"', chapter) == ["84", "86"]
    assert "Jack flees from 84." in chapter and "1. Walk to 86. By all that was public Jack could be on: 86." in chapter
    assert "Circles left for the hideout at the end of the night: 187." in chapter


@pytest.mark.parametrize(
    ("to", "codes", "back"),
    [
        ({"green": "x200"}, ["out-of-order"], "Green policeman: move it from the crossing 161 & 160 to 118 & 120."),
        ({"brown": "x001"}, ["too-far"], "Brown policeman: move it from the crossing 2 & 3 to 34 & 55."),
        ({"brown": "27"}, ["off-the-crossings"], "Brown policeman: move it from 27 to 34 & 55."),
    ],
)
def test_what_a_policeman_may_not_do_is_flagged_with_the_way_back(
    table: NightTable, to: dict[str, str], codes: list[str], back: str
) -> None:
    hunt(table)
    flee(table, "86")
    assert table.police(**to) == ["flag"] and table.faults == codes and table.way_back == [back]
    assert table.police() == ["flag-cleared"]


def test_a_policeman_in_a_hand_waits_and_several_who_moved_unseen_are_told_in_turn(table: NightTable) -> None:
    hunt(table)
    flee(table, "86")
    assert table.police(brown=None) == ["unfinished"] and table.public["unfinished"]["faults"][0]["code"] == "lifted"
    brown, red = (GAME.plays(table.state.position, f"police-{one}") if one == "brown" else () for one in ("brown", "red"))
    to = next(play.moves[0].to for play in brown if play.moves)
    reds = table.state.books.streets.reach(dict(table.state.books.police)["red"], 2)
    other = next(spot for spot in reds if spot not in {to, *dict(table.state.books.police).values()})
    assert not red and table.police(brown=to, red=other) == ["play", "play"]
    assert [event.data["mover"] for event in table.events() if event.kind == "play"][-2:] == ["brown", "red"]
    assert findings(table) == []


def test_a_move_is_taken_back_by_a_word_and_by_hands(table: NightTable) -> None:
    hunt(table)
    flee(table, "86")
    to = next(play.moves[0].to for play in GAME.plays(table.state.position, "police-brown") if play.moves)
    table.police(brown=to)
    with pytest.raises(BadInput, match="somebody else's turn"):
        table.say("undo")
    assert table.say("stay") == ["play"]
    everybody_stays(table)
    assert table.public["phase"] == "police-act" and table.say("undo")[0] == "undo"
    assert table.public["phase"] == "police-move" and table.say("stay") == ["play"] and findings(table) == []


def test_the_companion_that_was_killed_goes_on(table: NightTable, tmp_path: Path) -> None:
    hunt(table)
    flee(table, "86")
    everybody_stays(table)
    before = {key: table.public[key] for key in ("position", "phase", "expects", "secrets", "places", "hideouts")}
    own = table.own()
    table.close()
    again = NightTable(tmp_path)
    assert {key: again.public[key] for key in before} == before and again.own() == own
    again.show()
    nobody_asks(again)
    assert again.say("moving", how="alley", home=False) == ["moving"]
    assert again.entrust("move", again.own()["tells"][0]["choices"][0]["value"]) == ["secret", "act"]
    assert again.own()["trail"][0] == "86" and findings(again) == []
    again.close()


def test_jacks_own_rules_refuse_jumps_and_a_false_home(table: NightTable) -> None:
    hunt(table)
    table.say("moving", how="walk", home=False)
    walks = [one["value"] for one in table.own()["tells"][0]["choices"]]
    assert walks == [str(to) for to in jack.walks(table.state.books, 84)]
    with pytest.raises(BadInput, match="cannot be it, by the rules"):
        table.entrust("move", "150")
    assert table.say("moving", how="walk", home=True) == ["moving"], "nothing is told yet: he may change his mind"
    assert table.own()["tells"][0]["choices"] == [], "his hideout is not one walk away"
    assert table.say("moving", how="coach", home=False) == ["moving"]
    middle = table.own()["tells"][0]["choices"][0]["value"]
    assert table.entrust("move", middle) == ["secret"] and table.public["phase"] == "telling"
    with pytest.raises(BadInput, match="cannot be said now"):
        table.say("moving", how="walk", home=False)
    end = [one["value"] for one in table.own()["tells"][0]["choices"]]
    assert "84" not in end, "a coach does not come back"
    assert table.entrust("move", end[0]) == ["secret", "act"]
    table.show()
    assert table.public["position"]["specials"] == {"space-1": "coach"} and table.public["position"]["pawn"] == 7
    assert table.public["places"] and int(end[0]) in table.public["places"]


def test_what_jack_is_asked_is_alike_on_every_move(table: NightTable) -> None:
    hunt(table)
    asked = table.public["expects"][0]
    flee(table, "86")
    everybody_stays(table)
    nobody_asks(table)
    assert table.public["expects"][0] == asked


def test_a_sealed_night_is_asked_of_jack_and_verified_once_it_is_opened(table: NightTable) -> None:
    sealer = Sealer(table)
    hunt(table, sealer)
    flee(table, "86", teller=sealer)
    to_the_circle(table)
    assert table.say("arrest", seat="brown", circle=86) == ["asked"], "nobody but Jack knows"
    assert table.say("say", yes=True) == ["answered", "outcome"]
    assert sealer.reveal("jack", "move") == ["opening"] and sealer.reveal("jack", "hideout") == ["opening"]
    assert not [text for text in findings(table) if "false" in text or "leads" in text or "committed" in text]


def test_a_false_answer_and_a_jump_are_found_when_the_row_is_opened(table: NightTable) -> None:
    sealer = Sealer(table)
    hunt(table, sealer)
    flee(table, "150", teller=sealer)
    to_the_circle(table)
    table.say("arrest", seat="brown", circle=86)
    assert table.say("say", yes=True) == ["answered", "outcome"]
    sealer.reveal("jack", "move")
    assert told(table) == (
        "Jack's way, circle by circle: 150. What was opened does not fit what was said before. "
        "No walk leads from 84 to 150. Jack's answer about 86 was not true."
    )
    wrong = findings(table)
    assert any("no walk leads from 84 to 150" in text for text in wrong)
    assert any("the answer about 86 is false" in text for text in wrong)
    sealer.reveal("jack", "hideout")
    assert told(table) == "Jack's hideout was 50.", "each is told once"
    assert len(findings(table)) == len(set(findings(table))) and set(wrong) <= set(findings(table)), "each is told once"


@pytest.mark.parametrize(("fled", "exit_status", "false"), [("86", 0, False), ("85", 1, True)])
def test_the_command_verifies_a_true_night_and_names_a_false_answer(
    table: NightTable, tmp_path: Path, capsys: pytest.CaptureFixture[str], fled: str, exit_status: int, false: bool
) -> None:
    sealer = Sealer(table)
    hunt(table, sealer)
    flee(table, fled, teller=sealer)
    to_the_circle(table)
    table.say("arrest", seat="brown", circle=86)
    table.say("say", yes=True)
    for purpose in ("move", "hideout"):
        sealer.reveal("jack", purpose)
    table.close()
    assert main(["verify", str(tmp_path / "game.record")]) == exit_status
    assert ("the answer about 86 is false" in capsys.readouterr().out) is false


def test_a_changed_row_does_not_open_its_commitments(table: NightTable) -> None:
    sealer = Sealer(table)
    hunt(table, sealer)
    flee(table, "86", teller=sealer)
    to_the_circle(table)
    table.say("arrest", seat="brown", circle=86)
    table.say("say", yes=True)
    with pytest.raises(BadInput, match="does not open commitment 1"):
        sealer.reveal("jack", "move", {1: "87"})
    sealer.reveal("jack", "move")
    opening = table.last("opening")
    events = [
        replace(event, data={**event.data, "opened": [{**event.data["opened"][0], "value": "87"}]})
        if event == opening
        else event
        for event in table.events()
    ]
    assert any("not what was committed" in one.text for one in audit(GAME, events)[1])


HASH = re.compile(r'[0-9a-f]{64}|"words": "[^"]*"|"commitment_qr": \{[^}]*\}')


def public_part(table: NightTable) -> list[str]:
    """All that anybody but Jack can see, without commitments and the hashes that cover them: in those are random bytes."""
    events = [[event.kind, dict(event.data)] for event in table.events()]
    shown = [json.dumps([table.public, table.own("blue"), events], default=str), as_html(GAME, table.events())]
    return [HASH.sub("", text) for text in (*shown, as_csv(GAME, table.events()))]


def test_two_secret_ways_with_the_same_public_events_look_alike(tmp_path: Path) -> None:
    seen = []
    for number, (lair, first, second) in enumerate((("50", "86", "85"), ("120", "85", "86"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        table = NightTable(folder)
        table.lay_out(table.entrusting, hideout=lair)
        table.show()
        table.say("kill", circles=[84])
        table.show()
        table.show()
        flee(table, first)
        everybody_stays(table)
        circle = table.public["expects"][0]["form"][0]["circle"]
        assert circle not in (84, 85, 86) and table.say("search", seat="brown", circle=circle) == ["asked", "answered"]
        nobody_asks(table)
        flee(table, second)
        seen.append(public_part(table))
        assert place_of(table) == int(second)
        table.close()
    assert seen[0] == seen[1] and "50" in seen[0][0]


# --- Jack's slips ------------------------------------------------------------------------------------------------------


def test_jack_takes_his_own_move_back_until_the_police_have_acted(table: NightTable) -> None:
    hunt(table)
    table.say("moving", how="coach", home=False)
    table.entrust("move", "66")
    assert table.own()["deeds"][0]["answer"] == {"kind": "retract"} and not (table.own("blue") or {}).get("deeds")
    assert table.say("retract") == ["retracted"] and table.public["phase"] == "escape"
    assert table.own()["trail"] == [] and table.public["told"] == 0
    flee(table, "86")
    assert table.own()["trail"] == ["86"] and place_of(table) == 86
    assert table.say("retract") == ["retracted"] and table.public["phase"] == "laying", "hands take the pawn back"
    assert table.show() == ["laid"] and table.public["phase"] == "escape" and table.own()["trail"] == []
    flee(table, "85")
    table.say("stay")
    with pytest.raises(BadInput, match="cannot be taken back any more"):
        table.say("retract")
    assert table.own()["deeds"] == []
    while table.public["phase"] == "police-move":
        table.say("stay")
    assert table.say("search", seat="brown", circle=table.public["expects"][0]["form"][0]["circle"])[1] == "answered"
    assert findings(table) == []


def test_a_sealed_move_that_was_taken_back_opens_with_the_others_and_counts_for_nothing(table: NightTable) -> None:
    sealer = Sealer(table)
    hunt(table, sealer)
    table.say("moving", how="walk", home=False)
    sealer("jack", "move", "85")
    table.say("retract")
    table.show()
    flee(table, "86", teller=sealer)
    moves = [one["number"] for one in table.own()["counting"] if one["purpose"] == "move"]
    assert moves == [2], "nobody reminds him of what he took back"
    to_the_circle(table)
    table.say("arrest", seat="brown", circle=86)
    assert table.say("say", yes=True) == ["answered", "outcome"]
    for purpose in ("move", "hideout"):
        sealer.reveal("jack", purpose)
    assert not [text for text in findings(table) if "leads" in text or "false" in text or "committed" in text]
    assert [one["value"] for one in table.public["secrets"] if one["purpose"] == "move"] == ["85", "86"]


def test_four_nights_with_two_murders_in_the_third_are_won_by_jack_and_verified(table: NightTable) -> None:
    play_on(table, random.Random(4), 4)
    public = table.public
    assert public["outcome"]["code"] == "escaped" and public["outcome"]["winner"] == "jack"
    assert len(table.state.heads) == 4 == len(set(table.state.heads)) and len(table.state.books.all_scenes) == 5
    assert findings(table) == [] and check_chain(table.events()) == []
    assert fold(GAME, table.events()).state == table.state
    assert all("value" in one for one in public["secrets"]), "at the end everything is opened"
    assert len(table.state.nights[2][0][1]) == 2


# --- tokens, hours, house rules -----------------------------------------------------------------------------------------


def test_a_wait_moves_the_wretched_and_turns_up_a_token_that_the_head_told(table: NightTable) -> None:
    table.lay_out(table.entrusting)
    table.show()
    assert table.say("wait") == ["act"] and table.public["chores"][0]["message"] == ("Time of the crime: move it from I to II.")
    assert table.show() == ["laid"] and table.public["expects"][0]["seat"] == "brown"
    assert table.show(wretched=("2", "20", "28", "65", "84")) == ["unfinished"], "two have not moved yet"
    assert table.show(wretched=("2", "20", "28", "63", "85")) == ["play"]
    assert table.say("turn-up", crossing="x042") == ["turning", "act"], "what was entrusted answers"
    assert table.last("act").data["act"] == {"act": "turn-up", "crossing": "x042", "token": "blue"}
    assert table.show() == ["laid"] and table.public["position"]["patrols"]["x042"] == "blue"
    assert findings(table) == []


def test_a_sealed_token_that_was_told_wrong_is_found_the_same_night(table: NightTable) -> None:
    sealer = Sealer(table)
    table.lay_out(sealer)
    sealer.reveal("jack", "women-1")
    table.show()
    table.say("wait")
    table.show()
    table.show(wretched=("2", "20", "28", "63", "85"))
    assert table.say("turn-up", crossing="x042") == ["turning"]
    with pytest.raises(BadInput, match="cannot be said"):
        table.say("token", seat="red", token="green")
    assert table.say("token", seat="brown", token="green") == ["act"]
    table.show()
    table.say("kill", circles=[85])
    table.show()
    with pytest.raises(BadInput, match="open commitment"):
        sealer.reveal("brown", "patrols-1", {1: "x156"})
    assert sealer.reveal("brown", "patrols-1")[:2] == ["opening", "act"], "the game goes on with what was committed to"
    assert any("the token on x042 was another one" in text for text in findings(table))


def test_women_that_cannot_have_been_marked_are_refused_when_they_are_opened(table: NightTable) -> None:
    sealer = Sealer(table)
    table.lay_out(sealer, marked="3 21 27 65")
    with pytest.raises(BadInput, match="as many of the circles"):
        sealer.reveal("jack", "women-1")


def test_the_companion_draws_a_head_that_was_not_head_before(table: NightTable) -> None:
    table.show()
    table.show(women=tuple((spot, "down") for spot in ("3", "21", "27", "65", "84", "147", "149", "158")))
    table.entrust("hideout", "50")
    table.entrust("women-1", "3 21 27 65 84")
    assert table.say("deal") == ["act"] and table.public["heads"] == [table.state.books.head]


def test_under_the_house_rule_jack_must_say_that_he_is_home(tmp_path: Path) -> None:
    table = NightTable(tmp_path, rules={"arrival": "must"})
    table.lay_out(table.entrusting, hideout="86")
    table.show()
    table.say("kill", circles=[84])
    table.show()
    table.show()
    table.say("moving", how="walk", home=False)
    assert "86" not in [one["value"] for one in table.own()["tells"][0]["choices"]]
    table.say("moving", how="walk", home=True)
    assert [one["value"] for one in table.own()["tells"][0]["choices"]] == ["86"]
    assert table.entrust("move", "86") == ["secret", "act", "chores"] or table.public["phase"] == "laying"
    table.show()
    assert table.public["night"] == 2 and table.public["phase"] == "women" and table.public["hideouts"] != []
    table.close()


def test_what_a_policeman_may_hide_below_him_keeps_nobody_waiting(table: NightTable) -> None:
    """A camera cannot tell whether a token lies under a pawn; in the hunt none does."""
    hunt(table)
    flee(table, "86")
    stand = {**dict(table.state.books.police), "brown": "x085"}
    hidden = {f"patrol:{spot}": f"a policeman hides whether a patrol lies on {spot}" for spot in stand.values()}
    assert table.show(hidden=hidden, police=tuple(stand.items())) == ["play"]
    stand["red"] = "x001"
    hidden["patrol:x001"] = "a policeman hides whether a patrol lies on x001"
    assert table.show(hidden=hidden, police=tuple(stand.items())) == ["flag"] and table.faults == ["too-far"]
