"""The rules of Get Adler!, each by its number: set-up 1-6, turns 7-11, cards 12-26, the end 27-30, five and six
players 31-36, the advanced and the expert game 37-41."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from get_adler_games import SERVICES, cards_of
from get_adler_positions import ROLES, after, codes, confronted, fight, hand, legal, position, state_of

from companion.errors import BadInput
from companion.games.get_adler.acts import parsed
from companion.games.get_adler.dealing import deal
from companion.games.get_adler.expecting import expects
from companion.games.get_adler.judging import judged
from companion.games.get_adler.names import COPIES, DECK, VILLAINS
from companion.games.get_adler.secrets import apply

PROVED: set[int] = set()
RESPONSES = ("escape-bus", "escape-car", "disguise", "bomb", "gun")


def rule(*numbers: int) -> Callable[[Any], Any]:
    """Says which rules a test is about."""
    PROVED.update(numbers)
    return lambda test: test


def test_every_rule_has_a_test() -> None:
    assert set(range(1, 42)) == PROVED


# --- set-up -------------------------------------------------------------------------------------------------------


@rule(1)
@pytest.mark.parametrize(("players", "villains"), [(4, 1), (5, 2), (6, 2)])
def test_every_role_is_dealt_once_and_hidden(players: int, villains: int) -> None:
    game = deal(players, 3)
    assert sorted(game.secret.roles) == sorted(("adler", "gold", "sharpe", "townsend", "collins", "tarasov")[:players])
    assert sum(role in VILLAINS for role in game.secret.roles) == villains
    assert all(seat.role is None for seat in game.table.seats)


@rule(2)
@pytest.mark.parametrize(("players", "deck"), [(4, 36), (5, 42), (6, 48)])
def test_seven_cards_each_and_the_rest_is_the_deck(players: int, deck: int) -> None:
    game = deal(players, 3)
    assert [len(cards) for cards in game.secret.hands] == [7] * players
    assert game.table.deck == len(game.secret.deck) == deck
    assert cards_of(game) == Counter(COPIES[players])


@rule(3, 4, 5)
def test_cards_add_up_as_the_component_list_says() -> None:
    assert DECK == {4: 64, 5: 77, 6: 90}
    escapes = {n: [COPIES[n][f"escape-{kind}"] for kind in ("bus", "bicycle", "car", "underground", "fifth")] for n in COPIES}
    assert escapes == {4: [2, 2, 2, 2, 2], 5: [3, 3, 2, 2, 2], 6: [3, 3, 3, 3, 2]}
    others = ("document", "question", "magnifier", "binoculars", "arrest", "bomb", "disguise", "gun")
    assert [COPIES[4][kind] for kind in others] == [10, 8, 8, 4, 10, 1, 1, 12]
    assert [COPIES[5][kind] - COPIES[4][kind] for kind in others] == [2, 2, 1, 1, 2, 1, 0, 2]
    assert [COPIES[6][kind] - COPIES[5][kind] for kind in others] == [3, 2, 1, 1, 2, 0, 0, 2]


@rule(6)
def test_the_start_player_begins_in_the_first_hour() -> None:
    game = deal(5, 3, start=2)
    assert (game.table.hour, game.table.start, game.table.seat, game.table.step) == (1, 2, 2, "draw")


# --- round and turn -----------------------------------------------------------------------------------------------


@rule(7, 9)
def test_turns_go_clockwise_and_the_hour_goes_on_at_the_start_player() -> None:
    game = state_of(position(start=3, seat=3, hour=2))
    turns = []
    for _ in range(5):
        turns.append((game.table.hour, game.table.seat))
        game = after(game, f"draw {game.table.seat}")
        card = next(card for card in game.secret.hands[game.table.seat] if card != "question")
        game = after(game, f"discard {game.table.seat} card={card}")
    assert turns == [(2, 3), (2, 0), (2, 1), (2, 2), (3, 3)]


@rule(8)
def test_a_turn_is_one_card_drawn_and_one_played_as_action_or_discard() -> None:
    game = state_of(position(hands={0: ("document", "magnifier", "gun", "gun", "gun", "gun", "gun")}, deck=("disguise",)))
    assert legal(game) == {"draw 0"}
    game = after(game, "draw 0")
    assert "disguise" in game.secret.hands[0]
    assert {"discard 0 card=magnifier", "play 0 card=magnifier target=2", "discard 0 card=gun"} <= legal(game)
    game = after(game, "discard 0 card=magnifier")
    assert (game.table.seat, game.table.step, game.table.discard) == (1, "draw", ("magnifier",))


@rule(10)
def test_an_empty_deck_is_made_of_the_pile() -> None:
    whole = position(hands={seat: tuple(["gun"] * 3) for seat in range(4)}, known=False)
    pile = [kind for kind, count in COPIES[4].items() for _ in range(count - (12 if kind == "gun" else 0))]
    game = after({**whole, "deck": 0, "discard": pile}, "draw 0")
    assert (game.table.deck, game.table.discard, game.table.seats[0].hand) == (len(pile) - 1, (), 4)


@rule(11)
def test_there_is_no_act_for_talking() -> None:
    assert not {act.act for act in expects(state_of(position(step="play"))).acts} & {"tell", "say", "sign"}


# --- cards --------------------------------------------------------------------------------------------------------


@rule(12)
def test_a_document_is_only_discarded() -> None:
    assert legal(position(step="play", hands={0: ("document",)})) == {"discard 0 card=document"}


ALIKE = {"hat": "brown", "hair": "red", "eyes": "blue", "coat": "green"}
TRAITS = {role: {**ALIKE, "hat": "black"} if role == "gold" else ALIKE for role in ROLES[:4]}


@rule(13)
def test_heroes_answer_truly_and_villains_as_they_like() -> None:
    table = position(step="play", hands={2: ("question",)}, seat=2, traits=TRAITS)
    asked = after(table, "play 2 card=question target=0 trait=hat colour=black")
    assert legal(asked) == {"answer 0 answer=yes"}
    assert codes(asked, "answer 0 answer=no") == {"untrue-answer"}
    assert legal(after(table, "play 2 card=question target=0 trait=hat colour=brown")) == {"answer 0 answer=no"}
    villain = after(table, "play 2 card=question target=1 trait=hat colour=black")
    assert legal(villain) == {"answer 1 answer=yes", "answer 1 answer=no"}
    told = after(villain, "answer 1 answer=yes").table
    assert [said.to_json() for said in told.answers] == [
        {"hour": 1, "by": 2, "of": 1, "trait": "hat", "colour": "black", "answer": "yes"}
    ]
    assert told.seat == 3


@rule(14)
def test_a_question_after_the_reveal_is_one_more_draw_and_act() -> None:
    game = after(position(revealed=True, step="play", hands={0: ("question", "gun")}), "play 0 card=question")
    assert (game.table.seat, game.table.step, game.table.discard[-1]) == (0, "draw", "question")
    assert after(game, "draw 0").table.step == "play"


@rule(15)
def test_a_magnifier_is_a_look_at_one_hand() -> None:
    game = after(position(step="play", hands={0: ("magnifier",)}), "play 0 card=magnifier target=3")
    assert (game.table.step, game.table.pending.target) == ("look", 3)
    assert after(game, "look 0").table.seat == 1


@rule(16)
def test_binoculars_take_one_blind_and_give_any_card_back() -> None:
    table = position(step="play", hands={0: ("binoculars", "gun"), 2: ("bomb",)})
    game = after(table, "play 0 card=binoculars target=2", "take 0 count=1")
    assert hand(game, 0) == ["bomb", "gun"]
    assert legal(game) == {"give 0 card=bomb", "give 0 card=gun"}
    game = after(game, "give 0 card=gun")
    assert (hand(game, 0), hand(game, 2), game.table.seat) == (["bomb"], ["gun"], 1)


@rule(17)
@pytest.mark.parametrize("hour", [1, 2, 3, 4])
def test_arrests_act_from_hour_four(hour: int) -> None:
    table = position(step="play", hour=hour, hands={0: ("arrest",)})
    assert ("play 0 card=arrest target=1" in legal(table)) is (hour == 4)
    assert codes(table, "play 0 card=arrest target=1") == (set() if hour == 4 else {"arrest-before-hour-4"})


@rule(18)
def test_a_right_arrest_turns_roles_up_and_confronts() -> None:
    game = after(position(step="play", hour=4, hands={0: ("arrest", "gun")}), "play 0 card=arrest target=1")
    assert legal(game) == {"verdict 1 answer=yes"}
    game = after(game, "verdict 1 answer=yes", "reveal -")
    assert [seat.role for seat in game.table.seats] == list(ROLES[:4])
    assert (game.table.step, game.table.fight.stage, game.table.fight.row) == ("confrontation", "respond", ((0, "arrest"),))


@rule(18)
def test_a_wrong_arrest_costs_both_a_turn_and_clears_the_accused() -> None:
    game = after(position(step="play", hour=4, hands={0: ("arrest",)}), "play 0 card=arrest target=2", "verdict 2 answer=no")
    assert [seat.skips for seat in game.table.seats] == [1, 0, 1, 0]
    assert game.table.seats[2].cleared
    assert not game.table.revealed
    assert (game.table.discard, game.table.seat) == (("arrest",), 1)


@rule(19)
def test_an_arrest_after_the_reveal_confronts_and_without_response_he_is_out() -> None:
    game = after(
        position(revealed=True, step="play", hands={0: ("arrest",), 1: ("document", *RESPONSES)}), "play 0 card=arrest target=1"
    )
    assert legal(game) == {f"respond 1 card={card}" for card in RESPONSES}
    empty = confronted(5, hands={1: ("document", "magnifier")})
    assert legal(empty) == {"arrested 1"}
    game = after(empty, "arrested 1")
    assert not game.table.seats[1].alive
    assert game.table.discard == ("document", "magnifier", "arrest")


@rule(19, 25)
def test_cards_of_a_confrontation_go_on_the_arrest_and_then_under_the_pile() -> None:
    table = confronted(hands={1: ("escape-bus", *["gun"] * 6), 2: ("escape-bus",)}, discard=("magnifier", "document"))
    game = after(table, "respond 1 card=escape-bus")
    assert game.table.fight.row == ((0, "arrest"), (1, "escape-bus"))
    game = after(game, "unmatched -", "refill 1")
    assert game.table.discard == ("arrest", "escape-bus", "magnifier", "document")


@rule(20, 21)
def test_an_escape_is_matched_by_any_hero_who_goes_on_or_he_is_away() -> None:
    table = confronted(hands={0: ("gun",), 1: ("escape-bus", "escape-car", "gun"), 2: ("escape-bus",), 3: ("escape-car",)})
    game = after(table, "respond 1 card=escape-bus")
    assert legal(game) == {"match 2 card=escape-bus", "unmatched -"}
    game = after(game, "match 2 card=escape-bus")
    assert (game.table.fight.pursuer, game.table.fight.stage) == (2, "respond")
    game = after(game, "respond 1 card=escape-car", "unmatched -")
    assert (game.table.step, game.table.fight.stage) == ("refill", "away")


@rule(22)
def test_a_disguise_is_away_and_heroes_only_discard_it() -> None:
    assert after(confronted(hands={1: ("disguise",)}), "respond 1 card=disguise").table.fight.stage == "away"
    assert legal(position(step="play", hands={0: ("disguise",)})) == {"discard 0 card=disguise"}


@rule(23)
def test_a_bomb_costs_every_hero_a_turn_and_play_goes_on_left_of_the_arrest() -> None:
    table = confronted(hands={0: ("escape-bus",) * 1 + ("gun",) * 6, 1: ("bomb", *["gun"] * 6)})
    game = after(table, "respond 1 card=bomb")
    assert [seat.skips for seat in game.table.seats] == [1, 0, 1, 1]
    game = after(game, "refill 1")
    assert (game.table.seat, game.table.step) == (1, "draw")
    joined = confronted(hands={1: ("bomb",)}, confrontation=fight(pursuer=2, joined=[0, 2]))
    assert after(joined, "respond 1 card=bomb").table.fight.stage == "bomb"
    assert legal(position(step="play", hands={0: ("bomb",)})) == {"discard 0 card=bomb"}


SHOTS = {
    "away": ("shoot 0", "hold 1", "hold 0"),
    "hero out": ("hold 0",),
    "villain out": ("shoot 0", "hold 1", "shoot 0", "hold 1"),
}


@rule(24)
@pytest.mark.parametrize("how", SHOTS)
def test_a_shoot_out_is_equal_or_somebody_is_out(how: str) -> None:
    table = confronted(5, hands={0: ("gun",) * 7, 1: ("gun",) * 7})
    game = after(table, "respond 1 card=gun", *SHOTS[how])
    out = [number for number, seat in enumerate(game.table.seats) if not seat.alive]
    assert out == {"away": [], "hero out": [0], "villain out": [1]}[how]


@rule(25)
def test_who_took_part_draws_up_to_seven_and_the_order_of_turns_goes_on() -> None:
    row = [[2, "arrest"], [1, "escape-bus"], [3, "escape-bus"]]
    more = fight(by=2, pursuer=3, joined=[2, 3], row=row)
    hands = {0: ("gun",) * 5, 1: ("disguise", "gun"), 2: ("gun",) * 6, 3: ("document",) * 6}
    game = after(confronted(seat=2, hands=hands, confrontation=more), "respond 1 card=disguise")
    assert game.table.step == "refill"
    game = after(game, "refill 2", "refill 3", "refill 1")
    assert [seat.hand for seat in game.table.seats] == [5, 7, 7, 7]
    assert (game.table.seat, game.table.step) == (3, "draw")
    assert game.table.discard == ("arrest", "escape-bus", "escape-bus", "disguise")


@rule(26)
def test_the_opponent_refills_from_the_dead_hand_before_the_deck() -> None:
    hands = {0: ("document", "document"), 1: ("gun", "bomb", "bomb")}
    table = confronted(5, hands=hands, confrontation=fight(), deck=("disguise",) * 1)
    game = after(table, "respond 1 card=gun", "hold 0")
    assert not game.table.seats[0].alive
    game = after(game, "refill 1")
    assert Counter(hand(game, 1))["document"] >= 2
    assert game.table.seats[0].hand == 0


# --- the end ------------------------------------------------------------------------------------------------------


@rule(27)
def test_heroes_win_when_no_villain_is_left() -> None:
    assert after(confronted(hands={1: ("document",)}), "arrested 1").table.over == "heroes"
    seats = {4: {"alive": False}}
    assert after(confronted(5, hands={1: ("document",)}, seats=seats), "arrested 1").table.over == "heroes"
    assert after(confronted(5, hands={1: ("document",)}), "arrested 1").table.over is None


@rule(28, 29)
@pytest.mark.parametrize(("card", "winner"), [("document", "villains"), ("gun", "heroes")])
def test_after_hour_seven_a_living_villain_needs_a_document(card: str, winner: str) -> None:
    table = position(revealed=True, hour=7, seat=3, step="play", hands={1: (card,), 3: ("bomb",)})
    game = after(table, "discard 3 card=bomb")
    assert game.table.step == "show"
    (act,) = expects(game).acts
    assert apply(game, act).table.over == winner


@rule(29)
def test_villains_who_were_never_found_are_turned_up_at_the_end() -> None:
    game = after(position(hour=7, seat=3, step="play", hands={1: ("document",), 3: ("bomb",)}), "discard 3 card=bomb")
    assert legal(game) == {"reveal -"}
    assert after(game, "reveal -", "show 1 answer=yes").table.over == "villains"


@rule(30)
def test_villains_win_when_no_hero_is_left() -> None:
    seats = {2: {"alive": False}, 3: {"alive": False}}
    game = after(confronted(hands={0: (), 1: ("gun",)}, seats=seats), "respond 1 card=gun", "hold 0")
    assert game.table.over == "villains"


# --- five and six players -----------------------------------------------------------------------------------------


@rule(31)
def test_what_holds_for_adler_holds_for_collins() -> None:
    table = position(5, step="play", hour=4, hands={0: ("arrest",), 4: ("escape-bus", "document")})
    game = after(table, "play 0 card=arrest target=4", "verdict 4 answer=yes", "reveal -")
    assert legal(game) == {"respond 4 card=escape-bus"}


@rule(32)
@pytest.mark.parametrize("villain", [1, 4])
def test_the_first_accuser_need_not_say_which_villain(villain: int) -> None:
    game = after(position(5, step="play", hour=4, hands={0: ("arrest",)}), f"play 0 card=arrest target={villain}")
    assert legal(game) == {f"verdict {villain} answer=yes"}


@rule(33)
def test_collins_passes_a_card_and_adler_passes_one_back() -> None:
    table = position(5, revealed=True, seat=4, hands={4: ("document",), 1: ("gun",)}, deck=("bomb",))
    game = after(table, "draw 4")
    assert {"pass 4 card=document", "pass 4 card=bomb", "discard 4 card=bomb"} <= legal(game)
    game = after(game, "pass 4 card=document")
    assert legal(game) == {"return 1 card=document", "return 1 card=gun"}
    game = after(game, "return 1 card=gun")
    assert (hand(game, 4), hand(game, 1), game.table.step) == (["bomb", "gun"], ["document"], "play")
    assert not any(line.startswith("pass") for line in legal(game))
    assert not any(line.startswith("pass") for line in legal(position(5, seat=4, step="play")))


@rule(34)
def test_collins_may_win_alone() -> None:
    table = position(
        5, revealed=True, hour=7, seat=4, step="play", hands={4: ("document", "bomb")}, seats={1: {"alive": False}}
    )
    game = after(table, "discard 4 card=bomb")
    assert legal(game) == {"show 4 answer=yes"}
    assert after(game, "show 4 answer=yes").table.over == "villains"


@rule(35)
def test_of_two_matches_the_first_card_laid_counts() -> None:
    hands = {1: ("escape-bus", "gun"), 2: ("escape-bus",), 3: ("escape-bus",)}
    game = after(confronted(5, hands=hands), "respond 1 card=escape-bus")
    assert {"match 2 card=escape-bus", "match 3 card=escape-bus"} < legal(game)
    game = after(game, "match 3 card=escape-bus")
    assert game.table.fight.pursuer == 3
    assert codes(game, "match 2 card=escape-bus") == {"out-of-turn"}


@rule(36)
def test_what_holds_for_heroes_holds_for_tarasov() -> None:
    table = position(6, step="play", seat=5, hour=4, hands={5: ("arrest",)})
    game = after(table, "play 5 card=arrest target=1", "verdict 1 answer=yes", "reveal -")
    assert game.table.fight.pursuer == 5
    assert 5 in game.table.heroes()


# --- advanced and expert ------------------------------------------------------------------------------------------

ADVANCED = {"advanced": True, "expert": False}


@rule(37)
def test_sharpe_shoots_once_more_than_he_lays_guns() -> None:
    table = confronted(hands={1: ("gun",) * 3, 2: ("gun",) * 2}, confrontation=fight(by=2), seat=2, variant=ADVANCED)
    game = after(table, "respond 1 card=gun", "shoot 2")
    assert after(game, "hold 1").table.over == "heroes"
    assert after(game, "shoot 1", "hold 2", "hold 1").table.fight.stage == "away"


@rule(38)
def test_gold_takes_two_and_gives_two_back() -> None:
    table = position(step="play", variant=ADVANCED, hands={0: ("binoculars", "gun"), 2: ("bomb", "disguise")})
    game = after(table, "play 0 card=binoculars target=2")
    assert legal(game) == {"take 0 count=1", "take 0 count=2"}
    game = after(game, "take 0 count=2")
    assert hand(game, 0) == ["bomb", "disguise", "gun"]
    game = after(game, "give 0 cards=gun,bomb")
    assert hand(game, 2) == ["bomb", "gun"]
    assert game.table.seats[0].shown == "gold"
    sharpe = position(step="play", seat=2, variant=ADVANCED, hands={2: ("binoculars", "gun")})
    assert legal(after(sharpe, "play 2 card=binoculars target=0")) == {"take 2 count=1"}


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("given", ["card=gun", "cards=gun", "cards=gun,gun,arrest"])
def test_gold_who_took_two_gives_neither_one_back_nor_three(known: bool, given: str) -> None:
    pending = {"card": "binoculars", "by": 0, "target": 2, "taken": 2}
    held = ("gun", "gun", "arrest", *("question",) * 6)
    table = position(
        variant={"advanced": True, "expert": False},
        step="give",
        pending=pending,
        hands={0: held, 2: ("magnifier",) * 5},
        known=known,
    )
    assert codes(table, f"give 0 {given}") == {"not-allowed"}
    assert judged(state_of(table), parsed("give 0 cards=gun,gun")).act is not None


def test_who_took_one_gives_one_back_that_he_holds() -> None:
    pending = {"card": "binoculars", "by": 0, "target": 2}
    table = position(step="give", pending=pending, hands={0: ("gun", "gun", *("question",) * 6), 2: ("magnifier",) * 6})
    assert codes(table, "give 0 cards=gun,gun") == {"not-allowed"}
    assert codes(table, "give 0 cards=bomb") == {"not-held"}
    assert judged(state_of(table), parsed("give 0 cards=gun")).act is not None


def test_who_is_to_respond_but_does_something_else_is_told_so() -> None:
    told = judged(state_of(confronted(hands={1: ("escape-bus",)})), parsed("match 1 card=escape-bus")).faults
    assert [(fault.code, fault.message) for fault in told] == [
        ("out-of-turn", "It is up to seat 1, but not to do that. Take it back. Now seat 1 responds.")
    ]


@rule(39)
def test_a_disguise_does_nothing_against_townsend() -> None:
    more = {"confrontation": fight(by=3), "seat": 3}
    table = confronted(hands={1: ("disguise", "escape-bus")}, variant=ADVANCED, **more)
    game = after(table, "respond 1 card=disguise")
    assert legal(game) == {"respond 1 card=escape-bus"}
    assert after(confronted(hands={1: ("disguise",)}, **more), "respond 1 card=disguise").table.fight.stage == "away"


@rule(40)
def test_tarasov_loses_no_turn_by_a_bomb_and_defuses_one_against_himself() -> None:
    game = after(confronted(6, hands={1: ("bomb",)}, variant=ADVANCED), "respond 1 card=bomb")
    assert [seat.skips for seat in game.table.seats] == [1, 0, 1, 1, 0, 0]
    table = confronted(6, hands={1: ("bomb", "gun")}, variant=ADVANCED, confrontation=fight(by=5), seat=5)
    game = after(table, "respond 1 card=bomb")
    assert legal(game) == {"respond 1 card=gun"}
    assert not any(seat.skips for seat in game.table.seats)


@rule(41)
def test_the_expert_mission_wants_a_document_of_one_service() -> None:
    game = deal(5, 8, services=SERVICES[5])
    assert game.table.wanted in SERVICES[5]
    assert sum(card.startswith("document-") for card in cards_of(game).elements()) == 12
    with pytest.raises(BadInput, match="3 documents, but 5 play with 12"):
        deal(5, 8, services={"air": 3})


@rule(41)
@pytest.mark.parametrize(("card", "winner"), [("document-air", "villains"), ("document-sea", "heroes")])
def test_only_the_wanted_service_wins(card: str, winner: str) -> None:
    table = position(
        revealed=True, hour=7, seat=3, step="play", hands={1: (card,), 3: ("bomb",)}, known=False,
        variant={"advanced": False, "expert": True}, wanted="air",
    )  # fmt: skip
    others = ["document-air"] * 4 + ["document-sea"] * 6
    others.remove(card)
    rest = Counter(COPIES[4]) - Counter({"document": 10, "bomb": 1})
    piles = [*others, *rest.elements()]
    hands = [piles[:7], [card], piles[7:14], ["bomb"]]
    table["secret"] = {"roles": list(ROLES[:4]), "hands": hands, "deck": piles[14:]}
    game = after(table, "discard 3 card=bomb")
    (act,) = expects(game).acts
    assert apply(game, act).table.over == winner
