"""Every point that the rule book of Get Adler! leaves open: its default, and what its other choices change."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from get_adler_positions import ROLES, after, codes, confronted, fight, hand, legal, position, state_of

from companion.errors import InvalidPosition
from companion.games.get_adler.dealing import deal
from companion.games.get_adler.expecting import expects
from companion.games.get_adler.house_rules import BY_NAME, HOUSE_RULES
from companion.games.get_adler.names import FULL_HAND, VEHICLES

PROVED: set[str] = set()
ADVANCED = {"advanced": True, "expert": False}
GUNS = ("gun",) * 6


def point(name: str) -> Callable[[Any], Any]:
    """Says which open point a test is about."""
    PROVED.add(name)
    return lambda test: test


def test_every_open_point_has_a_test_a_default_and_a_reason() -> None:
    assert len(HOUSE_RULES) == len(BY_NAME) == 45
    assert set(BY_NAME) == PROVED
    for rule in HOUSE_RULES:
        assert rule.default == rule.choices[0]
        assert rule.text.endswith(".")
        assert rule.because.endswith(".")


def test_a_choice_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidPosition, match="lost-turns 'never' is not one of add, merge"):
        state_of(position(rules={"lost-turns": "never"}))
    with pytest.raises(InvalidPosition, match="'lost-turn-s' is not a house rule"):
        state_of(position(rules={"lost-turn-s": "add"}))


# --- asked in the comments ----------------------------------------------------------------------------------------


@point("gunfight")
def test_shots_alternate_and_two_stops_at_a_tie_end_it() -> None:
    table = confronted(5, hands={0: GUNS, 1: GUNS})
    assert legal(after(table, "respond 1 card=gun")) == {"shoot 0 card=gun", "hold 0"}
    tie = after(table, "respond 1 card=gun", "shoot 0")
    assert legal(tie) == {"shoot 1 card=gun", "hold 1"}
    assert legal(after(tie, "hold 1")) == {"shoot 0 card=gun", "hold 0"}
    last = after(confronted(5, hands={0: GUNS, 1: GUNS}, rules={"gunfight": "villain-last"}), "respond 1 card=gun", "shoot 0")
    assert after(last, "hold 1").table.fight.stage == "away"
    sealed = after(confronted(5, hands={0: GUNS, 1: GUNS}, rules={"gunfight": "sealed"}), "respond 1 card=gun")
    assert len(legal(sealed)) == 6 * 7
    assert not after(sealed, "shoot - shots=2,3").table.seats[1].alive
    assert after(sealed, "shoot - shots=3,3").table.fight.stage == "away"


@point("same-vehicle")
def test_the_same_vehicle_may_be_taken_again() -> None:
    row = [[0, "arrest"], [1, "escape-bus"], [0, "escape-bus"]]
    hands = {1: ("escape-bus", "escape-car")}
    assert "respond 1 card=escape-bus" in legal(confronted(5, hands=hands, confrontation=fight(row=row)))
    once = confronted(5, hands=hands, confrontation=fight(row=row), rules={"same-vehicle": "once"})
    assert legal(once) == {"respond 1 card=escape-car"}
    assert codes(once, "respond 1 card=escape-bus") == {"vehicle-used"}


@point("who-shoots")
def test_only_the_hero_in_the_confrontation_shoots_back() -> None:
    table = confronted(hands={1: GUNS, 2: ("gun",), 3: ("gun",)}, confrontation=fight(pursuer=2, joined=[0, 2]))
    game = after(table, "respond 1 card=gun")
    assert legal(game) == {"shoot 2 card=gun", "hold 2"}
    assert codes(game, "shoot 3") == {"out-of-turn"}


@point("who-matches")
def test_any_hero_matches_or_only_the_pursuer() -> None:
    hands = {0: ("document",), 1: ("escape-bus",), 2: ("escape-bus",)}
    game = after(confronted(hands=hands), "respond 1 card=escape-bus")
    assert "match 2 card=escape-bus" in legal(game)
    game = after(confronted(hands=hands, rules={"who-matches": "pursuer-only"}), "respond 1 card=escape-bus")
    assert legal(game) == {"unmatched -"}
    assert codes(game, "match 2 card=escape-bus") == {"out-of-turn"}


@point("reveal-all")
def test_all_roles_are_turned_up_or_only_those_of_villains() -> None:
    table = position(
        5, hour=4, step="play", hands={0: ("arrest",), 1: ("disguise", "gun")}, rules={"reveal-all": "villains-only"}
    )
    game = after(table, "play 0 card=arrest target=1", "verdict 1 answer=yes", "reveal -")
    assert [seat.role for seat in game.table.seats] == [None, "adler", None, None, "collins"]
    assert game.table.heroes() == [0, 2, 3]


@point("reveal-all")
def test_a_hidden_hero_turns_his_role_up_when_its_ability_counts() -> None:
    more = {"rules": {"reveal-all": "villains-only"}, "variant": ADVANCED}
    hidden = {seat: {"role": None} for seat in (0, 2, 3, 5)}
    table = confronted(6, hands={1: ("disguise", "gun")}, confrontation=fight(by=3), seat=3, seats=hidden, **more)
    game = after(table, "respond 1 card=disguise")
    assert legal(game) == {"claim 3 answer=yes", "claim - answer=no"}
    assert after(game, "claim - answer=no").table.fight.stage == "away"
    game = after(game, "claim 3 answer=yes")
    assert (game.table.seats[3].shown, legal(game)) == ("townsend", {"respond 1 card=gun"})
    table = confronted(6, hands={1: ("bomb", "gun")}, confrontation=fight(by=2), seat=2, seats=hidden, **more)
    game = after(table, "respond 1 card=bomb")
    assert legal(game) == {"claim 5 answer=yes", "claim - answer=no"}
    assert [seat.skips for seat in after(game, "claim 5 answer=yes").table.seats] == [1, 0, 1, 1, 0, 0]
    table = confronted(6, hands={1: GUNS, 2: GUNS}, confrontation=fight(by=2), seat=2, seats=hidden, **more)
    game = after(table, "respond 1 card=gun", "shoot 2", "hold 1", "claim 2 answer=yes", "hold 2", "hold 1")
    assert not game.table.seats[1].alive


@point("refill-swap")
@point("refill-redraw")
def test_a_refill_is_only_drawing() -> None:
    table = confronted(hands={1: ("disguise",)})
    assert legal(after(table, "respond 1 card=disguise")) == {"refill 1"}
    assert codes(after(table, "respond 1 card=disguise"), "discard 1") == {"confrontation-open"}


# --- turns and hours ----------------------------------------------------------------------------------------------


@point("early-arrest")
def test_an_early_arrest_is_discarded_or_kept() -> None:
    table = position(step="play", hands={0: ("arrest", "gun")})
    assert "discard 0 card=arrest" in legal(table)
    banned = position(step="play", hands={0: ("arrest", "gun")}, rules={"early-arrest": "forbidden"})
    assert legal(banned) == {"discard 0 card=gun"}
    assert codes(banned, "discard 0 card=arrest") == {"arrest-before-hour-4"}
    kept = {"hour": 3, "hands": {0: ("arrest",) * 10}, "rules": {"early-arrest": "forbidden"}}  # nothing laid down since hour 1
    assert legal(position(6, step="play", **kept)) == {"keep 0"}
    stuck = position(step="play", hands={0: ("arrest",) * 8}, rules={"early-arrest": "forbidden"})
    assert legal(stuck) == {"keep 0"}
    assert after(stuck, "keep 0").table.seat == 1


@point("lost-turn")
def test_a_lost_turn_is_the_next_own_one_or_the_one_of_the_next_hour() -> None:
    def lost(choice: str) -> tuple[int, int, list[int]]:
        table = position(step="play", hour=4, hands={0: ("arrest",), 1: ("bomb",)}, rules={"lost-turn": choice})
        game = after(table, "play 0 card=arrest target=2", "verdict 2 answer=no", "draw 1", "discard 1 card=bomb")
        return game.table.hour, game.table.seat, [seat.skips for seat in game.table.seats]

    assert lost("own-next") == (4, 3, [1, 0, 0, 0])
    assert lost("next-round") == (4, 2, [1, 0, 1, 0])


def test_a_turn_of_this_hour_that_is_lost_stays_lost_when_another_is_lost_as_well() -> None:
    seats = {2: {"skips": 1, "since": 4}}  # lost in hour 4: it is the turn of hour 5
    table = position(step="play", hour=5, seat=1, hands={1: ("arrest",)}, seats=seats, rules={"lost-turn": "next-round"})
    game = after(table, "play 1 card=arrest target=2", "verdict 2 answer=no")
    assert (game.table.seat, game.table.seats[2].skips) == (3, 1)
    assert not game.table.skipping(2) and game.table.seats[2].since == 5


@point("lost-turns")
@pytest.mark.parametrize(("choice", "skips"), [("add", 2), ("merge", 1)])
def test_two_losses_cost_two_turns_or_one(choice: str, skips: int) -> None:
    seats = {2: {"skips": 1}}
    game = after(confronted(5, hands={1: ("bomb",)}, seats=seats, rules={"lost-turns": choice}), "respond 1 card=bomb")
    assert game.table.seats[2].skips == skips


@point("start-player-out")
def test_the_round_is_counted_from_the_seat_of_a_start_player_who_is_out() -> None:
    table = position(revealed=True, hour=5, start=2, seat=1, step="play", hands={1: ("bomb",)}, seats={2: {"alive": False}})
    game = after(table, "discard 1 card=bomb")
    assert (game.table.hour, game.table.seat) == (6, 3)


@point("last-hour")
def test_hour_seven_ends_with_its_confrontation_and_refill() -> None:
    more = {"hour": 7, "seat": 3, "confrontation": fight(by=3)}
    game = after(confronted(hands={1: ("disguise",)}, deck=("document",) * 7, **more), "respond 1 card=disguise")
    assert game.table.step == "refill"
    assert legal(after(game, "refill 1")) == {"show 1 answer=yes"}


@point("action-optional")
def test_every_action_card_may_be_discarded() -> None:
    table = position(step="play", hour=4, hands={0: ("question", "magnifier", "binoculars", "arrest")})
    assert {f"discard 0 card={card}" for card in ("question", "magnifier", "binoculars", "arrest")} < legal(table)


@point("again")
def test_a_question_after_the_reveal_is_never_a_plain_discard() -> None:
    table = position(revealed=True, step="play", hands={0: ("question",)})
    assert legal(table) == {"play 0 card=question"}
    game = after(table, "discard 0 card=question")
    assert (game.table.seat, game.table.step) == (0, "draw")


@point("reshuffle")
def test_the_pile_is_shuffled_only_when_a_draw_finds_no_deck() -> None:
    whole = position(known=False)
    pile = ["document"] * 10 + ["question"] * 8 + ["magnifier"] * 8 + ["binoculars"] * 4 + ["arrest"] * 6
    game = after({**whole, "deck": 1, "discard": pile[1:]}, "draw 0")
    assert (game.table.deck, len(game.table.discard)) == (0, 35)


# --- accusing -----------------------------------------------------------------------------------------------------


@point("villain-arrest")
def test_a_hidden_villain_may_bluff_with_an_arrest() -> None:
    table = position(seat=1, step="play", hour=4, hands={1: ("arrest",)})
    assert "play 1 card=arrest target=0" in legal(table)
    strict = position(seat=1, step="play", hour=4, hands={1: ("arrest",)}, rules={"villain-arrest": "discard-only"})
    assert legal(strict) == {"discard 1 card=arrest"}
    assert codes(strict, "play 1 card=arrest target=0") == {"arrest-by-villain"}


@pytest.mark.parametrize(("choice", "answers"), [("bluff", {"yes", "no"}), ("discard-only", {"yes"})])
def test_where_only_heroes_accuse_the_accuser_is_one_for_all_to_see(choice: str, answers: set[str]) -> None:
    cleared = {2: {"cleared": True}, 3: {"cleared": True}}
    pending = {"card": "arrest", "by": 0, "target": 1}
    table = position(hour=5, step="verdict", pending=pending, seats=cleared, known=False, rules={"villain-arrest": choice})
    assert legal(table) == {f"verdict 1 answer={answer}" for answer in answers}


@point("villain-accuses-villain")
def test_a_villain_who_accuses_the_other_only_turns_roles_up() -> None:
    lines = ("play 1 card=arrest target=4", "verdict 4 answer=yes", "reveal -")
    game = after(position(5, seat=1, step="play", hour=4, hands={1: ("arrest",)}), *lines)
    assert (game.table.revealed, game.table.confrontation, game.table.discard, game.table.seat) == (True, None, ("arrest",), 2)
    rules = {"villain-accuses-villain": "confront"}
    game = after(position(5, seat=1, step="play", hour=4, hands={1: ("arrest",)}, rules=rules), *lines)
    assert (game.table.fight.by, game.table.fight.villain) == (1, 4)


@point("accuse-either")
def test_the_confrontation_is_with_the_accused_or_then_with_the_other_too() -> None:
    lines = ("play 0 card=arrest target=4", "verdict 4 answer=yes", "reveal -", "respond 4 card=disguise")
    hands = {0: ("arrest", *GUNS), 4: ("disguise", *GUNS)}
    assert after(position(5, step="play", hour=4, hands=hands), *lines).table.step == "refill"
    game = after(position(5, step="play", hour=4, hands=hands, rules={"accuse-either": "both"}), *lines)
    assert (game.table.step, game.table.fight.villain, game.table.fight.stage) == ("confrontation", 1, "respond")
    assert game.table.fight.row == ((0, "arrest"), (4, "disguise"))


def test_a_shoot_out_with_the_second_villain_counts_its_own_guns() -> None:
    lines = ("play 0 card=arrest target=4", "verdict 4 answer=yes", "reveal -")
    hands = {0: ("arrest", *GUNS), 4: ("gun", "document"), 1: ("gun",) * 3}
    game = after(position(5, step="play", hour=4, hands=hands, rules={"accuse-either": "both"}), *lines)
    game = after(game, "respond 4 card=gun", "shoot 0", "hold 4", "hold 0", "respond 1 card=gun")
    assert (game.table.fight.villain, game.table.fight.shots) == (1, (1, 0))
    again = state_of({**game.table.to_json(), "secret": game.secret.to_json()})
    assert again == game
    assert legal(again) == {"shoot 0 card=gun", "hold 0"}
    assert not after(again, "hold 0").table.seats[0].alive


@point("arrest-on-hero-late")
def test_nobody_arrests_a_hero_after_the_reveal() -> None:
    table = position(revealed=True, step="play", hands={0: ("arrest",)})
    assert legal(table) == {"play 0 card=arrest target=1", "discard 0 card=arrest"}
    assert codes(table, "play 0 card=arrest target=2") == {"arrest-on-hero"}


@point("villains-know")
@pytest.mark.parametrize("choice", ["no", "wink"])
def test_a_wink_before_the_game_changes_nothing_on_the_table(choice: str) -> None:
    assert legal(position(5, step="play", rules={"villains-know": choice})) == legal(position(5, step="play"))


@point("question-form")
def test_a_question_has_one_trait_and_one_colour() -> None:
    traits = {role: {"hat": "black", "hair": "red", "eyes": "blue", "coat": role} for role in ROLES[:4]}
    questions = [
        act for act in expects(state_of(position(step="play", hands={0: ("question",)}, traits=traits))).acts if act.target
    ]
    assert len(questions) == 3 * (1 + 1 + 1 + 4)
    assert all(act.trait and act.colour for act in questions)


# --- confrontation ------------------------------------------------------------------------------------------------


@point("must-respond")
def test_a_villain_who_can_respond_must_or_may() -> None:
    table = confronted(5, hands={1: ("gun", "document")})
    assert legal(table) == {"respond 1 card=gun"}
    assert codes(table, "arrested 1") == {"must-respond"}
    assert "arrested 1" in legal(confronted(5, hands={1: ("gun",)}, rules={"must-respond": "may"}))
    assert "arrested 1" in legal(confronted(5, known=False))


@point("match-free")
@point("match-priority")
def test_heroes_may_decline_and_the_first_match_counts() -> None:
    hands = {1: ("escape-bus",), 2: ("escape-bus",), 3: ("escape-bus",)}
    game = after(confronted(5, hands=hands), "respond 1 card=escape-bus")
    assert legal(game) == {"match 2 card=escape-bus", "match 3 card=escape-bus", "unmatched -"}
    assert after(game, "match 2 card=escape-bus").table.fight.joined == (0, 2)


@point("fellow-helps")
def test_the_other_villain_helps_only_under_a_house_rule() -> None:
    hands = {1: ("document",), 4: ("escape-bus", "gun")}
    assert legal(confronted(5, hands=hands)) == {"arrested 1"}
    table = confronted(5, hands=hands, rules={"fellow-helps": "yes"})
    assert legal(table) == {"arrested 1", "respond 4 card=escape-bus"}
    game = after(table, "respond 4 card=escape-bus", "unmatched -", "refill 1")
    assert legal(game) == {"refill 4"}


@point("guns-only")
def test_once_there_is_shooting_nothing_else_is_a_response() -> None:
    game = after(confronted(hands={0: ("gun", "document"), 1: ("gun", "disguise")}), "respond 1 card=gun", "shoot 0")
    assert legal(game) == {"hold 1"}
    assert codes(game, "respond 1 card=disguise") == {"out-of-turn"}


@point("who-refills")
@point("refill-order")
def test_arrester_matchers_and_villain_refill_clockwise_from_the_arrest() -> None:
    row = [[3, "arrest"], [1, "escape-bus"], [0, "escape-bus"]]
    hands = {0: ("gun",) * 6, 1: ("disguise",), 2: ("document",) * 5, 3: ("gun",) * 6}
    more = {"seat": 3, "confrontation": fight(by=3, pursuer=0, joined=[3, 0], row=row)}
    game = after(confronted(hands=hands, **more), "respond 1 card=disguise")
    assert codes(game, "refill 0") == {"out-of-turn"}
    assert after(game, "refill 3", "refill 0", "refill 1").table.step == "draw"
    assert game.table.seats[2].hand == 5


@point("refill")
@pytest.mark.parametrize(("choice", "pile"), [("before-discard", 0), ("after-discard", 2)])
def test_used_cards_go_under_the_pile_after_or_before_the_refill(choice: str, pile: int) -> None:
    game = after(confronted(hands={1: ("disguise",)}, rules={"refill": choice}), "respond 1 card=disguise")
    assert len(game.table.discard) == pile
    assert after(game, "refill 1").table.discard == ("arrest", "disguise")


@point("loot")
def test_a_dead_hand_is_drawn_from_blind_or_by_choice() -> None:
    hands = {0: ("document", "disguise"), 1: ("gun", *GUNS)}
    game = after(confronted(5, hands=hands), "respond 1 card=gun", "hold 0")
    assert legal(game) == {"refill 1"}
    assert len(set(hand(after(game, "refill 1"), 1)) & {"document", "disguise"}) == 1
    game = after(confronted(5, hands=hands, rules={"loot": "choose"}), "respond 1 card=gun", "hold 0")
    assert legal(game) == {"refill 1 cards=document", "refill 1 cards=disguise"}
    assert "disguise" in hand(after(game, "refill 1 cards=disguise"), 1)


@point("dead-hand")
def test_the_rest_of_a_dead_hand_goes_under_the_pile_or_out_of_the_game() -> None:
    hands = {1: ("document", "magnifier"), 0: ("gun",) * FULL_HAND}
    game = after(confronted(5, hands=hands, discard=("question",)), "arrested 1")
    assert game.table.discard == ("document", "magnifier", "arrest", "question")
    game = after(confronted(5, hands=hands, discard=("question",), rules={"dead-hand": "removed"}), "arrested 1")
    assert (game.table.discard, game.secret.removed) == (("arrest", "question"), ("document", "magnifier"))
    assert state_of({**game.table.to_json(), "secret": game.secret.to_json()}) == game


@point("bomb-resume")
def test_after_a_bomb_play_goes_on_left_of_the_arrest() -> None:
    more = {"seat": 2, "confrontation": fight(by=2)}
    hands = {1: ("bomb", *GUNS), 2: ("document",) * 7}
    game = after(confronted(5, hands=hands, **more), "respond 1 card=bomb", "refill 1")
    assert (game.table.seat, game.table.hour) == (4, 4)  # seat 3 is a hero and loses this turn
    assert [seat.skips for seat in game.table.seats] == [1, 0, 1, 0, 0]


# --- five, six, advanced, expert ----------------------------------------------------------------------------------


@point("collins-pass")
@pytest.mark.parametrize(("choice", "again"), [("once", False), ("every-draw", True)])
def test_collins_passes_once_a_turn_or_after_every_draw(choice: str, again: bool) -> None:
    hands = {4: ("question", "gun"), 1: ("gun",)}
    table = position(5, revealed=True, seat=4, step="play", hands=hands, rules={"collins-pass": choice})
    game = after(table, "pass 4 card=gun", "return 1 card=gun", "play 4 card=question", "draw 4")
    assert ("pass 4 card=gun" in legal(game)) is again


@point("pass-back")
def test_adler_may_pass_the_same_card_back() -> None:
    hands = {4: ("document", "gun"), 1: ("gun",)}
    game = after(position(5, revealed=True, seat=4, step="play", hands=hands), "pass 4 card=document")
    assert "document" in hand(after(game, "return 1 card=document"), 4)


@point("two-villains-end")
def test_one_living_villain_with_a_document_is_enough() -> None:
    hands = {4: ("bomb",), 1: ("gun",)}
    table = position(5, revealed=True, hour=7, seat=4, step="play", hands={**hands, 4: ("bomb", "document")})
    game = after(table, "discard 4 card=bomb", "show 1 answer=no")
    assert (game.table.over, legal(game)) == (None, {"show 4 answer=yes"})
    assert after(game, "show 4 answer=yes").table.over == "villains"
    game = after(position(5, revealed=True, hour=7, seat=4, step="play", hands=hands), "discard 4 card=bomb")
    assert after(game, "show 1 answer=no", "show 4 answer=no").table.over == "heroes"


@point("sharpe-zero")
def test_sharpe_needs_a_gun_for_his_additional_shot() -> None:
    more = {"hands": {1: GUNS, 2: ("document",)}, "confrontation": fight(by=2), "seat": 2, "variant": ADVANCED}
    assert not after(confronted(**more), "respond 1 card=gun", "hold 2").table.seats[2].alive
    game = after(confronted(**more, rules={"sharpe-zero": "always"}), "respond 1 card=gun", "hold 2", "hold 1")
    assert game.table.fight.stage == "away"


@point("townsend-spent")
@point("tarasov-spent")
@pytest.mark.parametrize(("card", "hero"), [("disguise", 3), ("bomb", 5)])
def test_a_card_without_effect_stays_on_the_pile(card: str, hero: int) -> None:
    table = confronted(6, hands={1: (card, "document")}, variant=ADVANCED, confrontation=fight(by=hero), seat=hero)
    game = after(table, f"respond 1 card={card}")
    assert game.table.fight.row == ((hero, "arrest"), (1, card))
    assert legal(game) == {"arrested 1"}


@point("gold-takes")
@pytest.mark.parametrize(("count", "shown"), [(1, None), (2, "gold")])
def test_gold_shows_himself_by_taking_two(count: int, shown: str | None) -> None:
    table = position(step="play", variant=ADVANCED, hands={0: ("binoculars",)})
    game = after(table, "play 0 card=binoculars target=2", f"take 0 count={count}")
    assert game.table.seats[0].shown == shown


@point("abilities-hidden")
@pytest.mark.parametrize(("choice", "two"), [("any-time", True), ("only-after", False)])
def test_an_ability_may_be_used_before_the_reveal(choice: str, two: bool) -> None:
    table = position(step="play", variant=ADVANCED, hands={0: ("binoculars",)}, rules={"abilities-hidden": choice})
    assert ("take 0 count=2" in legal(after(table, "play 0 card=binoculars target=2"))) is two


@point("five-advanced")
def test_tarasov_stays_out_with_five() -> None:
    assert "tarasov" not in deal(5, 1, advanced=True).secret.roles
    assert "tarasov" in deal(6, 1, advanced=True).secret.roles


@point("expert-secret")
@point("expert-deal")
def test_the_expert_document_is_drawn_before_the_deal_and_shown_or_not() -> None:
    services = {"air": 4, "sea": 6}
    shown = deal(4, 5, services=services)
    hidden = deal(4, 5, services=services, rules={"expert-secret": "drawer-only"})
    assert shown.table.wanted in services
    assert hidden.table.wanted is None
    assert hidden.secret.wanted == shown.table.wanted
    assert hidden.secret.hands == shown.secret.hands
    count = Counter(card for pile in (*shown.secret.hands, shown.secret.deck) for card in pile if card.startswith("document"))
    assert count == {"document-air": 4, "document-sea": 6}


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("held", "wanted", "answers"),
    [
        (("gun", "bomb"), None, {"no"}),
        (("document-air", "bomb"), None, {"yes", "no"}),
        (("document-air", "bomb"), "air", {"yes"}),
        (("document-sea", "bomb"), "air", {"no"}),
        (("document", "bomb"), "air", {"yes", "no"}),  # of which service is not said
    ],
)
def test_a_villain_shows_a_document_that_he_may_hold(
    held: tuple[str, ...], wanted: Any, answers: set[str], known: bool
) -> None:
    rules = {} if wanted else {"expert-secret": "drawer-only"}
    expert = {"advanced": False, "expert": True}
    more = {"variant": expert, "wanted": wanted, "rules": rules, "known": known}
    table = position(revealed=True, hour=7, seat=3, step="show", hands={1: held}, **more)
    assert legal(table) == {f"show 1 answer={answer}" for answer in (answers if known else ("yes", "no"))}


def test_who_holds_no_card_that_can_be_a_document_shows_none() -> None:
    expert = {"advanced": False, "expert": True}
    table = position(revealed=True, hour=7, step="show", hands={1: ()}, variant=expert, wanted="air", known=False)
    assert legal(table) == {"show 1 answer=no"}


@point("pile-look")
@point("memory")
def test_what_is_shown_to_players_is_named_and_changes_no_act() -> None:
    assert BY_NAME["pile-look"].default == "nobody"
    assert BY_NAME["memory"].default == "agreed"
    table = position(step="play", rules={"pile-look": "nobody", "memory": "agreed"})
    assert legal(table) == legal(position(step="play"))


def test_there_are_five_vehicles() -> None:
    assert len(VEHICLES) == 5
