"""Get Adler! at the table, on told readings: every fault with its way back, what the mat does not show, secrets, the end."""

import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from testkit.adler_table import AdlerTable, perform, table_of

sys.path.insert(0, str(Path(__file__).parents[1] / "games"))
from get_adler_games import game_of_chance, played

from companion.errors import BadInput
from companion.games.game import lacking
from companion.games.get_adler.faults import CODES
from companion.games.get_adler.names import same_card
from companion.referee.audit import audit
from companion.referee.match import fold
from companion.referee.view import view

ROLES = {"seat-1": "gold", "seat-2": "sharpe", "seat-4": "adler", "seat-5": "townsend"}
TRAITS = {
    "adler": {"hat": "red", "hair": "red", "eyes": "red", "coat": "red"},
    "gold": {"hat": "blue", "hair": "red", "eyes": "blue", "coat": "red"},
    "sharpe": {"hat": "blue", "hair": "blue", "eyes": "red", "coat": "red"},
    "townsend": {"hat": "red", "hair": "blue", "eyes": "blue", "coat": "blue"},
}


def at_hour(hour: int, **more: Any) -> AdlerTable:
    """Four seats; everybody has discarded documents and guns up to this hour."""
    table = AdlerTable(roles=ROLES, **more)
    spare = iter(["document"] * 9 + ["gun"] * 11)
    while table.books.hour < hour:
        if table.state.phase == "drawing":
            table.say("drew")
        assert table.lay("pile", next(spare)) != []
        assert not table.trouble, table.faults
    if table.state.phase == "drawing":
        table.say("drew")
    return table


def revealed(**more: Any) -> AdlerTable:
    """Hour 4: seat 1 has arrested Adler at seat 4, who has to respond."""
    table = at_hour(4, **more)
    table.lay("place-4", "arrest")
    assert table.state.phase == "respond" and table.books.revealed
    return table


def settled(table: AdlerTable) -> AdlerTable:
    """After a confrontation from which the villain is away; seat 2 is on turn."""
    table.lay("place-4", "disguise")
    assert not table.trouble and table.state.seats[table.books.seat] == "seat-2"
    return table


# --- every fault, and its way back --------------------------------------------------------------------------------------


def _early() -> tuple[AdlerTable, str]:
    table = at_hour(2)
    table.lay("place-4", "arrest")
    return table, "place-4"


def _vehicle() -> tuple[AdlerTable, str]:
    table = revealed()
    table.lay("place-4", "escape-bus")
    table.lay("place-4", "escape-car")
    return table, "place-4"


def _second() -> tuple[AdlerTable, str]:
    table = at_hour(2)
    table.lay("pile", "magnifier")
    table.lay("pile", "gun")
    return table, "pile"


def _answer_owed() -> tuple[AdlerTable, str]:
    table = at_hour(2)
    table.lay("pile", "question")
    table.say("on", on="seat-4")
    table.say("ask", trait="hat", colour="red")
    table.lay("pile", "gun")
    return table, "pile"


def _open_fight() -> tuple[AdlerTable, str]:
    table = revealed()
    table.lay("pile", "question")
    return table, "pile"


def _undrawn() -> tuple[AdlerTable, str]:
    table = AdlerTable({"draws": "told"}, ROLES)
    table.lay("pile", "gun")
    return table, "pile"


def _skipping() -> tuple[AdlerTable, str]:
    table = revealed()
    table.lay("place-4", "bomb")  # all heroes lose a turn, and Adler is on turn
    assert table.state.seats[table.books.seat] == "seat-4" and not table.trouble
    table.lay("pile", "gun")
    table.say("mine", who="seat-5")
    table.look()
    return table, "pile"


def _not_on_turn() -> tuple[AdlerTable, str]:
    table = at_hour(2)
    table.lay("pile", "gun")
    table.say("mine", who="seat-4")
    table.look()
    return table, "pile"


def _dead() -> tuple[AdlerTable, str]:
    table = revealed()
    table.lay("place-4", "gun")
    table.say("stop")  # the hero is behind: seat 1 is shot
    assert not table.books.seats[0].alive and not table.trouble, table.faults
    table.lay("place-1", "arrest")
    return table, "place-1"


def _on_hero() -> tuple[AdlerTable, str]:
    table = settled(revealed())
    table.lay("place-5", "arrest")
    return table, "place-5"


def _by_villain() -> tuple[AdlerTable, str]:
    table = settled(revealed())
    table.lay("pile", "gun")
    assert table.state.seats[table.books.seat] == "seat-4"
    table.lay("place-2", "arrest")
    return table, "place-2"


WRONG = {
    "arrest-before-hour-4": _early,
    "wrong-vehicle": _vehicle,
    "two-cards": _second,
    "answer-out-of-order": _answer_owed,
    "confrontation-open": _open_fight,
    "draw-first": _undrawn,
    "skips-this-turn": _skipping,
    "out-of-turn": _not_on_turn,
    "dead-player": _dead,
    "arrest-on-hero": _on_hero,
    "arrest-by-villain": _by_villain,
}


def test_no_fault_of_the_table_is_left_out() -> None:
    assert tuple(WRONG) == CODES


@pytest.mark.parametrize("code", WRONG)
def test_every_fault_is_flagged_and_putting_the_card_back_ends_it(code: str) -> None:
    table, zone = WRONG[code]()
    assert code in table.faults, (table.faults, table.state.phase)
    flag = table.match.flag or {}
    assert flag["verdict"] == "illegal" and any("take it off" in chore["message"] for chore in flag["chores"])
    message = next(fault["message"] for fault in flag["faults"] if fault["code"] == code)
    assert "ake " in message, "the sentence itself says what to do"
    books = table.books
    table.take_off(zone)
    assert not table.trouble and table.books == books
    assert fold(table.match.game, table.events) == table.match and audit(table.match.game, table.events)[1] == []


def test_two_cards_of_one_seat_are_told_by_whose_the_second_was() -> None:
    table = at_hour(2)
    table.lay("pile", "gun")
    table.lay("pile", "document")
    assert not table.trouble, "taken for the next seat's"
    table.say("mine", who="seat-1")
    table.look()
    assert table.faults == ["two-cards"]
    table.take_off("pile")
    assert not table.trouble and table.state.seats[table.books.seat] == "seat-2"


def test_two_cards_in_one_look_are_two_turns_unless_draws_are_told() -> None:
    table = at_hour(2)
    table.put("pile", "gun")
    assert table.lay("pile", "document").count("play") == 2 and not table.trouble
    told = at_hour(2, rules={"draws": "told"})
    told.put("pile", "gun")
    told.lay("pile", "document")
    assert told.faults == ["two-cards"]


def test_cards_of_one_look_in_two_zones_are_taken_in_the_order_that_the_rules_allow() -> None:
    table = at_hour(4)
    table.put("pile", "gun")
    assert table.lay("place-4", "arrest").count("play") == 2 and not table.trouble
    assert table.state.phase == "respond" and table.books.fight.pursuer == 1, "seat 2 has arrested after seat 1 had discarded"
    table.put("pile", "gun")
    table.lay("place-4", "disguise")
    assert table.faults == ["confrontation-open"], "whether it goes on is said first"
    table.take_off("pile")
    assert not table.trouble and table.state.phase != "respond"


@pytest.mark.parametrize(
    ("zone", "cards", "code"),
    [
        ("place-3", ("arrest",), "nobody-sits"),
        ("place-2", ("gun",), "wrong-place"),
        ("role-2", ("gun",), "strayed"),
        ("deck", ("gun",), "strayed"),
        ("pile", ("back",), "face-down"),
    ],
)
def test_cards_where_none_belong_are_flagged(zone: str, cards: tuple[str, ...], code: str) -> None:
    table = at_hour(2)
    table.lay(zone, *cards)
    assert table.faults == [code]
    table.take_off(zone)
    assert not table.trouble


def test_a_card_too_many_a_card_taken_away_and_a_marker_too_early() -> None:
    table = at_hour(2)
    for _ in range(2):
        table.lay("pile", "disguise")
    assert table.faults == ["not-held"]
    table.take_off("pile")
    table.take_off("pile", 2)
    assert (table.faults and "taken" in table.faults) or table.faults == ["put-back-late"]
    table.laid = table.match.position.laid
    table.look()
    assert not table.trouble
    table.laid = replace(table.laid, hours=("hour-1", "hour-2", "hour-5"))
    table.look()
    assert table.faults == ["hour-early"]


# --- what the mat does not show -----------------------------------------------------------------------------------------


def test_a_question_is_open_until_everything_is_said_and_never_wrong() -> None:
    table = at_hour(2)
    table.lay("pile", "question")
    assert table.state.phase == "acting" and not table.trouble
    labels = table.match.asked.labels if table.match.asked else ()
    assert labels == ("Seat 2", "Seat 4", "Seat 5", "Only discarded")
    with pytest.raises(BadInput, match="somebody else"):
        table.say("on", on="seat-4", seat="seat-2")
    table.say("on", on="seat-4", seat="seat-1")
    table.say("ask", trait="hat", colour="red", seat="seat-1")
    assert table.match.asked is not None and table.match.asked.seat == "seat-4" and table.match.asked.purpose is None
    with pytest.raises(BadInput, match="somebody else"):
        table.say("say", answer="no", seat="seat-5")
    table.say("say", answer="no", seat="seat-4")
    said = view(table.match)["answers"]
    assert [(one["of"], one["trait"], one["colour"], one["answer"], one["true"]) for one in said] == [
        ("seat-4", "Hat", "red", "no", None)
    ]
    assert table.state.seats[table.books.seat] == "seat-2"


def test_a_question_may_only_be_discarded() -> None:
    table = at_hour(2)
    table.lay("pile", "question")
    table.say("on", on=None)
    assert table.state.seats[table.books.seat] == "seat-2" and table.books.discard[-1] == "question"


def test_who_went_after_is_asked_and_a_card_that_was_misread_is_put_right() -> None:
    table = revealed()
    table.lay("place-4", "escape-bus")
    table.lay("place-4", "escape-bus")
    assert table.state.phase == "matched"
    table.say("matched", who="seat-5")
    assert table.books.fight.pursuer == 3 and table.state.phase == "respond"
    table.lay("place-4", "escape-car")
    assert table.books.fight.vehicle == "escape-car"
    entry = ["arrest", "escape-bus", "escape-bus", "escape-bicycle"]
    table.say("correct", subject="card:place-4", place="place-4", cards=entry)
    assert table.books.fight.vehicle == "escape-bicycle" and not table.trouble, table.faults


def test_the_next_card_is_offered_only_to_seats_that_may_lay_one() -> None:
    """Asked who goes after him, the heroes had the villain beside them, who could say that the hero's card was his own."""

    def offered(table: AdlerTable) -> list[str]:
        return [seat["seat"] for seat in view(table.match)["ring"] if seat["deeds"]]

    table = revealed()
    assert offered(table) == [], "the villain responds alone while nobody else's role is open as a villain's"
    table.lay("place-4", "escape-bus")
    assert table.state.phase == "match" and offered(table) == ["seat-2", "seat-5"]
    bomb = revealed()
    bomb.lay("place-4", "bomb")
    assert offered(bomb) == []
    both = revealed()
    both.lay("place-4", "gun")
    assert both.state.phase == "shoot" and offered(both) == [], "shots are laid by turns"


def test_a_card_is_taken_back_while_nobody_else_is_on_turn() -> None:
    table = at_hour(2)
    table.lay("pile", "magnifier")
    assert table.take_off("pile") == ["undo"] and table.state.phase == "play"
    table.lay("pile", "magnifier")
    table.say("undo")
    assert table.faults or table.state.phase == "play"
    table.take_off("pile")
    table.lay("pile", "gun")
    table.take_off("pile")
    assert table.faults == ["put-back-late"], "the next seat is on turn: the arbiter rules"
    number = table.match.past[-2].number if len(table.match.past) > 1 else table.match.past[-1].number
    assert "ruling" in table.say("rule", action="take-back", to=number, reason="a slip of the hand")


def _laid_upon_a_gun() -> AdlerTable:
    """Seat 1 has laid a gun; then a hand was over the pile."""
    table = AdlerTable(roles=ROLES)
    table.lay("pile", "gun")
    assert table.reach("pile") == ["doubt"]
    return table


def test_a_hand_over_a_card_asks_whether_the_same_was_laid_again_once_and_nothing_is_wrong() -> None:
    table = _laid_upon_a_gun()
    doubt = table.match.doubt
    assert doubt is not None and [one["text"] for one in doubt["alternatives"]] == ["Seat 2: Gun.", "Nothing was laid."]
    assert not table.match.flag and table.look() == [] and table.match.doubt == doubt
    assert table.say("choose", alternative=1) == ["flag-cleared"] and not table.trouble
    assert table.look() == [] and table.books.discard == ("gun",)
    assert table.reach("pile") == ["doubt"], "a hand that comes again may lay one"


def test_the_same_card_that_somebody_tells_of_is_a_play_and_lies_there_from_then_on() -> None:
    table = _laid_upon_a_gun()
    assert "play" in table.say("choose", alternative=0)
    assert table.books.discard == ("gun", "gun") and table.books.seat == 2 and not table.trouble
    assert table.look() == [] and "play" in table.lay("pile", "document")
    assert table.books.discard == ("gun", "gun", "document")
    table.take_off("pile")
    assert table.trouble
    table.lay("pile", "document")
    assert not table.trouble and table.books.discard == ("gun", "gun", "document")
    assert "play" in table.lay("pile", "gun") and table.books.discard == ("gun", "gun", "document", "gun")
    _, findings = audit(table.match.game, table.events)
    assert findings == [] and fold(table.match.game, table.events).position == table.match.position


def test_a_card_that_may_not_be_laid_again_and_what_is_laid_meanwhile_end_the_question() -> None:
    table = _laid_upon_a_gun()
    assert "play" in table.lay("pile", "document") and not table.trouble
    table.lay("pile", "magnifier")
    assert table.state.phase == "acting" and table.reach("pile") == [], "somebody has to say on whom first"
    assert table.reach("place-2") == [] and not table.trouble


def test_a_deck_that_runs_out_is_made_of_the_pile() -> None:
    state = next(state for number in range(400) if (state := _running_out(number)) is not None)
    table = table_of(state[0], sealed=True)
    for act in state[1]:
        perform(table, act)
        assert not table.trouble
    assert any(event.data.get("text", "").startswith("The deck is used up") for event in table.events)


def _running_out(number: int) -> tuple[Any, list[Any]] | None:
    start = game_of_chance(number, rules={}, plain=True)
    chance, acts = random.Random(number), []
    for step in played(start, chance):
        acts.append(step.act)
        if step.act.act == "draw" and not step.before.table.deck and step.before.table.discard:
            return start, acts
    return None


def test_a_bomb_a_false_arrest_and_the_turns_they_cost() -> None:
    table = revealed()
    table.lay("place-4", "bomb")
    assert [seat.skips for seat in table.books.seats] == [1, 0, 0, 1] and table.books.seat == 2
    ring = view(table.match)["ring"]
    assert [one["notes"][-1]["text"] for one in ring if one["seat"] in ("seat-1", "seat-5")] == ["Loses a turn."] * 2
    false = at_hour(4)
    false.lay("place-2", "arrest")
    assert false.books.seats[1].cleared and false.books.discard[-1] == "arrest" and not false.trouble


# --- whole games --------------------------------------------------------------------------------------------------------


def _whole(number: int, *, sealed: bool, told: bool = False) -> AdlerTable:
    """A game of chance, played at the table as the rules play it: never a word, and the same at every turn."""
    state = game_of_chance(number)
    table, last = table_of(state, sealed=sealed, told=told), state
    for step in played(state, random.Random(number)):
        perform(table, step.act)
        assert not table.trouble, (number, step.act.notation(), table.faults)
        last = step.after
        if step.after.table.step == "draw" == table.books.step:
            _agree(step.after.table.to_json(), table.books.to_json(), step.act.notation())
    assert table.match.over and table.books.over == last.table.over
    return table


def _agree(rules: dict[str, Any], here: dict[str, Any], act: str) -> None:
    for key, value in rules.items():
        if key in ("rules", "wanted", "answers"):
            continue
        if key == "discard":
            assert len(value) == len(here[key]), act
            assert all(same_card(a, b) for a, b in zip(value, here[key], strict=True)), act
        else:
            assert value == here[key], (act, key)


@pytest.mark.parametrize("number", range(12))
def test_games_of_chance_are_refereed_without_a_false_word(number: int) -> None:
    table = _whole(number, sealed=number % 2 == 0, told=number % 3 == 0)
    for seat in table.match.seats:
        if seat not in table.state.opened:
            table.reveal(seat)
    match, findings = audit(table.match.game, table.events)
    lies = [one for one in findings if "answered falsely" not in one.text]
    assert lies == [] and fold(table.match.game, table.events) == table.match == match


def test_the_game_answers_the_whole_port() -> None:
    assert lacking(AdlerTable(roles=ROLES).match.game) == ()


# --- secrets and truth --------------------------------------------------------------------------------------------------


def _asked(table: AdlerTable, of: str, answer: str | None) -> None:
    table.lay("pile", "question")
    table.say("on", on=of)
    table.say("ask", trait="hat", colour="red")
    if answer is not None:
        table.say("say", answer=answer, seat=of)


def test_entrusted_roles_answer_truly_and_a_villain_as_whom_he_chose() -> None:
    table = AdlerTable(roles={**ROLES, "seat-4": "adler as gold"}, traits=TRAITS)
    _asked(table, "seat-4", None)
    _asked(table, "seat-5", None)
    assert [one["answer"] for one in view(table.match)["answers"]] == ["no", "yes"]


def test_a_hero_who_lied_is_named_at_the_end_and_a_villain_may_lie() -> None:
    seats = tuple(ROLES)
    table = AdlerTable(roles=ROLES, traits=TRAITS, sealed=seats)
    _asked(table, "seat-5", "no")  # false: Townsend's hat is red
    _asked(table, "seat-4", "no")  # false as well, but Adler may
    while table.books.hour < 4:
        table.lay("pile", "document" if table.books.discard.count("document") < 10 else "gun")
    table.lay("place-4", "arrest")
    table.say("say", answer="yes", seat="seat-4")
    assert table.match.opening is not None and table.match.opening.seat == "seat-4"
    with pytest.raises(BadInput, match="another value"):
        table.reveal("seat-4", "adler as sharpe")
    table.open_sealed()
    assert table.books.revealed and [seat.role for seat in table.books.seats] == ["gold", "sharpe", "adler", "townsend"]
    findings = audit(table.match.game, table.events)[1]
    assert len(findings) == 1 and "seat-5 is a hero and answered falsely" in findings[0].text
    wrong = [fault for one in table.match.openings for fault in table.match.disproved(one)]
    assert [one.said.format(**one.params) for one in wrong] == [
        "Seat 5 is a hero and did not tell the truth about Hat in hour 1."
    ]
    told = [(one["of"], one["true"], one["may_lie"]) for one in view(table.match)["answers"]]
    assert told == [("seat-5", False, False), ("seat-4", False, True)]


def test_without_traits_answers_are_logged_and_not_judged() -> None:
    table = AdlerTable(roles=ROLES, sealed=tuple(ROLES))
    _asked(table, "seat-5", "no")
    while table.books.hour < 4:
        table.lay("pile", "document" if table.books.discard.count("document") < 10 else "gun")
    table.lay("place-4", "arrest")
    table.say("say", answer="yes")
    table.open_sealed()
    assert audit(table.match.game, table.events)[1] == [] and view(table.match)["answers"][0]["true"] is None


def test_traits_that_are_not_whole_are_refused_with_every_fault() -> None:
    table = AdlerTable(roles=ROLES)
    with pytest.raises(BadInput):
        table.say("traits", traits=TRAITS)  # too late: the game is on
    broken = {**TRAITS, "gold": {"hat": "blue", "eyes": ""}, "moriarty": {}}
    del broken["adler"]
    with pytest.raises(BadInput, match=r"moriarty.*Adler has no traits; Gold, Hair: say its colour; Gold, Eyes.*; Gold, Coat"):
        AdlerTable(roles=ROLES, traits=broken)


def test_who_everybody_may_be_is_shown_to_players_only_where_all_agreed() -> None:
    hidden = AdlerTable(roles=ROLES, traits=TRAITS)
    assert view(hidden.match)["deduced"] is None
    shown = AdlerTable({"memory": "players"}, ROLES, traits=TRAITS)
    _asked(shown, "seat-5", None)
    assert shown.state.phase == "play"
    found = view(shown.match)["deduced"]
    assert found["judged"] and "sharpe" not in found["roles"]["seat-5"] and "gold" not in found["roles"]["seat-5"]


# --- targets ------------------------------------------------------------------------------------------------------------

HIDDEN = ("commitment", "commitment_words", "words", "digest", "previous")


def _without(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: None if key in HIDDEN else _without(value) for key, value in data.items()}
    return [_without(one) for one in data] if isinstance(data, list) else data


def _public_bytes(roles: dict[str, str], seed: int, sealed: bool) -> str:
    """All that anybody may know of a game that goes the same way, whoever has which role."""
    table = AdlerTable(roles=roles, sealed=tuple(roles) if sealed else ())
    chance, shown = random.Random(seed), []
    for _ in range(10):
        card = chance.choice(("gun", "document", "question", "magnifier", "binoculars", "escape-bus"))
        if table.books.discard.count(card) > 1:
            card = "document"
        table.lay("pile", card)
        if table.state.phase == "acting":
            on = chance.choice([seat for seat in table.match.seats if seat != table.state.seats[table.books.seat]])
            table.say("on", on=on)
        if table.state.phase == "asking":
            table.say("ask", trait=chance.choice(("hat", "hair")), colour="red")
            table.say("say", answer=chance.choice(("yes", "no")))
        shown.append(_without(view(table.match)))
    return repr((shown, [_without(dict(event.data)) for event in table.events]))


@pytest.mark.parametrize(("pairs", "first"), [(12, 0), pytest.param(1000, 100, marks=pytest.mark.slow)])
def test_games_that_differ_in_roles_only_are_the_same_for_everybody(pairs: int, first: int) -> None:
    for number in range(first, first + pairs):
        chance = random.Random(number)
        names = list(ROLES.values())
        one, other = (dict(zip(ROLES, chance.sample(names, 4), strict=True)) for _ in range(2))
        sealed = number % 2 == 0
        assert _public_bytes(one, number, sealed) == _public_bytes(other, number, sealed), number
