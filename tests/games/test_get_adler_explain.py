"""``explain`` for Get Adler!: every fault by its code with the way back, what the table cannot show, and several acts
in a row."""

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from get_adler_games import game_of_chance, played
from get_adler_positions import ROLES, confronted, fight, position

from companion.games.get_adler.faults import CODES
from companion.games.get_adler.queries import QUERIES
from companion.games.get_adler.state import State

Json = dict[str, Any]


def explain(before: Any, second: Any) -> Json:
    return dict(QUERIES.commands["explain"]([before, second]).data)


def after_of(before: Json, *, hands: dict[int, int] | None = None, **changes: Any) -> Json:
    """The same table with hands of other sizes and other keys; no secret."""
    after = deepcopy({key: value for key, value in before.items() if key != "secret"})
    for seat, more in (hands or {}).items():
        after["seats"][seat]["hand"] += more
    after.update(changes)
    return after


def plain(**more: Any) -> Json:
    return position(known=False, **more)


CAR = "escape-car"
BUS = {"row": [[0, "arrest"], [1, "escape-bus"]], "stage": "match", "vehicle": "escape-bus"}
ASKED = {"card": "question", "by": 0, "target": 2, "trait": "hat", "colour": "black"}
ADVANCED = {"advanced": True, "expert": False}
ACCUSED = {"card": "arrest", "by": 0, "target": 2}
DEAD = {2: {"alive": False}}

ACTS: list[tuple[str, int, Json, Json]] = [
    ("arrest-before-hour-4", 0, plain(step="play", hour=3), {"act": "play", "seat": 0, "card": "arrest", "target": 2}),
    ("wrong-vehicle", 2, confronted(known=False, confrontation=fight(**BUS)), {"act": "match", "seat": 2, "card": CAR}),
    ("two-cards", 0, plain(step="look", pending={"by": 0, "target": 2}), {"act": "discard", "seat": 0, "card": "gun"}),
    ("two-cards", 0, plain(step="play"), {"act": "draw", "seat": 0}),
    ("answer-out-of-order", 2, plain(step="play"), {"act": "answer", "seat": 2, "answer": "yes"}),
    ("answer-out-of-order", 3, plain(step="answer", pending=ASKED), {"act": "answer", "seat": 3, "answer": "yes"}),
    ("answer-out-of-order", 1, plain(step="answer", pending=ASKED), {"act": "draw", "seat": 1}),
    ("answer-out-of-order", 3, plain(step="verdict", hour=4, pending=ACCUSED), {"act": "verdict", "seat": 3}),
    ("confrontation-open", 1, confronted(known=False), {"act": "draw", "seat": 1}),
    ("confrontation-open", 0, confronted(known=False), {"act": "discard", "seat": 0, "card": "document"}),
    ("draw-first", 0, plain(), {"act": "discard", "seat": 0, "card": "gun"}),
    ("skips-this-turn", 1, plain(hour=4, seats={1: {"skips": 1}}), {"act": "draw", "seat": 1}),
    ("skips-this-turn", 0, plain(hour=4, seats={0: {"skips": 1}}), {"act": "draw", "seat": 0}),
    ("out-of-turn", 2, plain(), {"act": "draw", "seat": 2}),
    ("out-of-turn", 3, plain(step="play"), {"act": "play", "seat": 3, "card": "magnifier", "target": 1}),
    ("out-of-turn", 3, confronted(known=False), {"act": "respond", "seat": 1 + 2, "card": "gun"}),
    ("dead-player", 2, plain(revealed=True, seats=DEAD), {"act": "draw", "seat": 2}),
    ("dead-player", 2, plain(revealed=True, step="play", seats=DEAD), {"act": "play", "card": "magnifier", "target": 2}),
    ("dead-player", 2, confronted(known=False, seats=DEAD, confrontation=fight(**BUS)), {"act": "match", "seat": 2}),
    ("arrest-on-hero", 0, plain(revealed=True, step="play"), {"act": "play", "seat": 0, "card": "arrest", "target": 2}),
    ("arrest-by-villain", 1, plain(revealed=True, seat=1, step="play"), {"act": "play", "card": "arrest", "target": 2}),
]  # fmt: skip


def fifteen_words(message: str) -> bool:
    return len(message.split()) > 8 and message.endswith(".")


@pytest.mark.parametrize(("code", "seat", "before", "act"), ACTS)
def test_an_act_against_the_rules_is_named_with_the_way_back(code: str, seat: int, before: Json, act: Json) -> None:
    told = explain(before, act)
    assert told["verdict"] == "illegal"
    assert code in {fault["code"] for fault in told["faults"]}, told
    fault = next(fault for fault in told["faults"] if fault["code"] == code)
    assert fault["seat"] == seat
    assert fifteen_words(fault["message"])
    back = ("Take", "take", "Strike", "Put", "Leave", "leave", "end it first")
    assert any(word in fault["message"] for word in back), fault["message"]


def test_every_code_of_a_table_is_proved() -> None:
    assert {code for code, *_ in ACTS} == set(CODES)
    assert {code for code, *_ in LOOKS} == set(CODES)


def on(before: Json, *cards: str) -> list[str]:
    return [*before["discard"], *cards]


LOOKS: list[tuple[str, Callable[[], tuple[Json, Json]]]] = [
    ("arrest-before-hour-4", lambda: (
        before := plain(step="play", hour=2), after_of(before, hands={0: -1}, step="verdict", pending=ACCUSED))),
    ("wrong-vehicle", lambda: (
        before := confronted(known=False, confrontation=fight(**BUS)),
        after_of(before, hands={2: -1}, confrontation=fight(**{**BUS, "row": [*BUS["row"], [2, "escape-car"]]})))),
    ("two-cards", lambda: (
        before := plain(step="play"), after_of(before, hands={0: -2}, discard=on(before, "gun", "document")))),
    ("answer-out-of-order", lambda: (
        before := plain(step="play"),
        after_of(before, answers=[{"hour": 1, "by": 0, "of": 2, "trait": "hat", "colour": "red", "answer": "no"}]))),
    ("confrontation-open", lambda: (
        before := confronted(known=False), after_of(before, hands={2: 1}, deck=before["deck"] - 1))),
    ("draw-first", lambda: (before := plain(), after_of(before, hands={0: -1}, discard=on(before, "gun")))),
    ("skips-this-turn", lambda: (
        before := plain(hour=4, seats={1: {"skips": 1}}), after_of(before, hands={1: 1}, deck=before["deck"] - 1))),
    ("out-of-turn", lambda: (
        before := plain(step="play"), after_of(before, hands={3: -1}, discard=on(before, "gun")))),
    ("dead-player", lambda: (
        before := confronted(known=False, seats=DEAD, hands={2: ("gun",)}, confrontation=fight(**BUS)),
        after_of(before, hands={2: -1}, confrontation=fight(**{**BUS, "row": [*BUS["row"], [2, "escape-bus"]]})))),
    ("arrest-on-hero", lambda: (
        before := plain(revealed=True, step="play"),
        after_of(before, hands={0: -1}, step="confrontation", confrontation=fight(villain=2)))),
    ("arrest-by-villain", lambda: (
        before := position(5, known=False, revealed=True, seat=1, step="play"),
        after_of(before, hands={1: -1}, step="confrontation", confrontation=fight(by=1, villain=4)))),
]  # fmt: skip


@pytest.mark.parametrize(("code", "make"), LOOKS, ids=[code for code, _ in LOOKS])
def test_a_table_against_the_rules_is_told_from_its_cards(code: str, make: Callable[[], tuple[Json, Json]]) -> None:
    told = explain(*make())
    assert told["verdict"] == "illegal"
    assert code in {fault["code"] for fault in told["faults"]}, told


def test_cards_that_nobody_can_have_moved_are_said_to_be_unexplained() -> None:
    before = plain(step="play")
    told = explain(before, after_of(before, discard=["gun"]))
    assert told["verdict"] == "illegal"
    assert explain(before, after_of(before, deck=before["deck"] - 5))["faults"][0]["code"] == "unexplained"


def test_nothing_moved_is_unchanged() -> None:
    before = plain(step="play")
    assert explain(before, after_of(before)) == {"verdict": "unchanged", "acts": [], "faults": [], "ask": []}
    assert explain(before, {})["verdict"] == "unchanged"


def test_a_card_on_the_pile_leaves_open_to_whom_it_was_played() -> None:
    before = plain(step="play")
    told = explain(before, after_of(before, hands={0: -1}, discard=on(before, "magnifier")))
    assert told == {
        "verdict": "legal",
        "acts": [{"act": "play", "seat": 0, "card": "magnifier"}],
        "faults": [],
        "ask": ["target"],
    }
    told = explain(before, after_of(before, hands={0: -1}, discard=on(before, "question")))
    assert (told["verdict"], told["ask"]) == ("legal", ["target", "trait", "colour"])
    told = explain(before, after_of(before, hands={0: -1}, discard=on(before, "document")))
    assert told["acts"] == [{"act": "discard", "seat": 0, "card": "document"}]
    assert told["ask"] == []


def test_an_act_that_leaves_something_open_is_legal_and_asked_about() -> None:
    told = explain(plain(step="play"), {"act": "play", "seat": 0, "card": "question"})
    assert (told["verdict"], told["ask"]) == ("legal", ["target", "trait", "colour"])
    told = explain(plain(step="answer", pending=ASKED), {"act": "answer", "seat": 2})
    assert (told["verdict"], told["ask"]) == ("legal", ["answer"])
    told = explain(plain(step="answer", pending={"by": 0, "target": 2}), {"act": "answer", "answer": "yes"})
    assert (told["acts"], told["ask"]) == ([{"act": "answer", "seat": 2, "answer": "yes"}], ["trait", "colour"])


def test_a_card_that_cannot_be_read_is_asked_for() -> None:
    before = plain(step="play")
    told = explain(before, after_of(before, hands={0: -1}, discard=on(before, "unknown")))
    assert told["verdict"] in ("legal", "ambiguous")
    assert told["ask"]


def test_a_whole_turn_between_two_looks_is_told_act_by_act() -> None:
    before = plain()
    told = explain(before, after_of(before, deck=before["deck"] - 1, discard=on(before, "gun"), seat=1))
    assert [(act["act"], act.get("card")) for act in told["acts"]] == [("draw", None), ("discard", "gun")]
    assert told["verdict"] == "legal"


def test_a_refill_of_everybody_at_once_is_told() -> None:
    more = fight(
        by=0, pursuer=2, joined=[0, 2], row=[[0, "arrest"], [1, "escape-bus"], [2, "escape-bus"], [1, "disguise"]], stage="away"
    )
    hands = {1: ("gun",) * 4, 2: ("document",) * 6}
    before = position(known=False, revealed=True, step="refill", hands=hands, confrontation=more)
    pile = ["arrest", "escape-bus", "escape-bus", "disguise"]
    after = after_of(before, hands={1: 3, 2: 1}, deck=before["deck"] - 4, discard=pile, confrontation=None, step="draw", seat=1)
    told = explain(before, after)
    assert (told["verdict"], [act["act"] for act in told["acts"]]) == ("legal", ["refill"])


def looks_like(before: State, state: State) -> Json:
    """What a camera sees of a table: no step, no turn, nothing that is only said."""
    data = state.table.to_json()
    if before.table.confrontation is not None and state.table.confrontation is not None:
        data["confrontation"] = {"row": data["confrontation"]["row"]}
    seen = {key: data[key] for key in ("deck", "discard", "confrontation", "revealed")}
    seats = [{key: seat[key] for key in ("hand", "alive", "role")} for seat in data["seats"]]
    return {**seen, "seats": seats}


def test_every_legal_act_of_games_of_chance_is_explained() -> None:
    tried = 0
    for number in range(0, 60, 6):
        chance = random.Random(number)
        for step in played(game_of_chance(number), chance):
            if chance.random() < 0.3:
                public = step.before.table.to_json()
                told = explain(public, step.after.table.to_json())
                assert told["verdict"] == "legal", (step.act, told)
                assert step.act.act in {act["act"] for act in told["acts"]}
                assert explain(public, step.act.to_json())["verdict"] == "legal"
                tried += 1
    assert tried > 150


def test_a_row_of_legal_acts_between_two_looks_is_never_called_illegal() -> None:
    for number in (*range(2, 40, 6), 5033, 5255, 5386):
        chance = random.Random(number)
        steps = list(played(game_of_chance(number), chance))
        for first in range(chance.randrange(3), len(steps) - 3, 3):
            last = first + chance.randrange(1, 4)
            told = explain(steps[first].before.table.to_json(), steps[last].after.table.to_json())
            assert told["verdict"] != "illegal", (number, [step.act for step in steps[first : last + 1]], told)


def test_a_look_that_says_nothing_but_cards_is_never_called_illegal() -> None:
    for number in range(1, 40, 4):
        chance = random.Random(number)
        for step in played(game_of_chance(number), chance):
            if chance.random() < 0.2:
                told = explain(step.before.table.to_json(), looks_like(step.before, step.after))
                assert told["verdict"] != "illegal", (step.act, told)


def test_collins_keeps_her_cards_by_playing_on() -> None:
    before = position(5, known=False, revealed=True, seat=4, step="pass")
    told = explain(before, {"act": "discard", "seat": 4, "card": "gun"})
    assert told["verdict"] == "legal"
    told = explain(before, after_of(before, step="play", passed=True))
    assert told["acts"] == [{"act": "keep", "seat": 4}]
    told = explain(before, after_of(before, hands={4: -1, 1: 1}, step="return", passed=True))
    assert told["acts"] == [{"act": "pass", "seat": 4}]


def test_a_seat_that_has_lost_its_turn_is_passed_over() -> None:
    before = plain(hour=4, seats={0: {"skips": 2}})
    told = explain(before, {"act": "skip", "seat": 0})
    assert told["verdict"] == "legal"
    seats = [{"skips": 1}, {}, {}, {}]
    assert explain(before, {"seat": 1, "seats": seats})["acts"] == [{"act": "skip", "seat": 0}]


def test_an_arrest_taken_from_its_suspect_to_the_pile_was_a_wrong_one() -> None:
    before = plain(hour=5, step="verdict", pending={**ACCUSED, "apart": True})
    told = explain(before, {"discard": ["arrest"]})
    assert told["acts"] == [{"act": "verdict", "seat": 2, "answer": "no"}]


@pytest.mark.parametrize(("card", "verdict"), [("document", "legal"), ("gun", "illegal")])
def test_an_open_hand_shows_whether_an_arrested_villain_could_have_responded(card: str, verdict: str) -> None:
    before = confronted(5, known=False, hands={1: (card, "magnifier")})
    seats = [{}, {"alive": False, "hand": 0}, {}, {}, {}]
    after = after_of(before, discard=["magnifier", card, "arrest"], confrontation=None, step="draw", seat=2)
    after["seats"] = seats
    told = explain(before, after)
    assert told["verdict"] == verdict
    assert [fault["code"] for fault in told["faults"]] == (["must-respond"] if verdict == "illegal" else [])
    before["rules"] = {"must-respond": "may"}
    assert explain(before, {**after, "rules": before["rules"]})["verdict"] == "legal"


def test_a_turn_that_ends_before_a_seat_that_skips_is_legal_before_and_after_the_skip() -> None:
    before = plain(hour=5, step="play", seats={1: {"skips": 1}})
    seats = [{"hand": before["seats"][0]["hand"] - 1}, {"skips": 1}, {}, {}]
    told = explain(before, {"seats": seats, "discard": ["gun"], "step": "draw", "seat": 1})
    assert told["acts"] == [{"act": "discard", "seat": 0, "card": "gun"}]
    seats[1]["skips"] = 0
    told = explain(before, {"seats": seats, "discard": ["gun"], "step": "draw", "seat": 2})
    assert told["acts"] == [{"act": "discard", "seat": 0, "card": "gun"}]


def test_a_response_that_cannot_be_read_does_not_stop_the_telling_of_what_else_was_laid() -> None:
    before = confronted(5, known=False, hands={0: ("gun",) * 7, 1: ("disguise", "gun", "document"), 2: ("gun",) * 2})
    row = [[0, "arrest"], [1, "unknown"], [2, "gun"]]  # seat 2 is not in the confrontation
    after = after_of(before, hands={1: -1, 2: -1}, confrontation={**before["confrontation"], "row": row})
    told = explain(before, after)
    assert told["acts"] == [{"act": "respond", "seat": 1, "card": "unknown"}, {"act": "shoot", "seat": 2, "card": "gun"}]
    assert [(fault["code"], fault["seat"]) for fault in told["faults"]] == [("out-of-turn", 2)]


@pytest.mark.parametrize(
    ("rule", "up", "roles", "ask"),
    [
        ("all", {}, None, ["roles"]),
        ("all", {1: "adler", 4: "collins"}, None, ["roles"]),
        ("all", dict(enumerate(ROLES[:5])), list(ROLES[:5]), []),
        ("villains-only", {1: "adler", 4: "collins"}, None, []),
        ("villains-only", {1: "adler"}, None, ["roles"]),
    ],
)
def test_a_reveal_says_no_role_that_does_not_lie_open(rule: str, up: dict[int, str], roles: Any, ask: list[str]) -> None:
    before = position(5, known=False, hour=5, step="reveal", pending=ACCUSED, rules={"reveal-all": rule})
    before["pending"] = {**ACCUSED, "target": 1}
    after = after_of(before, revealed=True, step="confrontation", pending=None, confrontation=fight())
    for seat, role in up.items():
        after["seats"][seat]["role"] = role
    told = explain(before, after)
    assert (told["verdict"], told["ask"]) == ("legal", ask)
    assert told["acts"] == [{"act": "reveal", **({"roles": roles} if roles else {})}]


def shot_or_arrested(*cards: str) -> tuple[Json, Json]:
    """Looks before and after, with these cards under the pile beside the arrest: those of his hand, or some of a shoot-out
    with Sharpe, who refills from that hand."""
    held = ("gun",) * len(cards)
    before = confronted(5, known=False, seat=2, hands={1: held}, confrontation=fight(by=2), variant=ADVANCED)
    after = after_of(before, discard=[*cards, "arrest"], confrontation=None, step="draw", seat=3)
    after["seats"][1] |= {"alive": False, "hand": 0}
    return before, after


def test_a_villain_who_may_have_been_shot_is_not_said_to_have_kept_his_cards() -> None:
    told = explain(*shot_or_arrested("gun", "gun", "escape-bus", "document"))
    assert told["verdict"] == "legal"
    assert [act["act"] for act in told["acts"]] == ["respond", "shoot", "hold", "refill"]
    told = explain(*shot_or_arrested("gun", "escape-bus", "document"))  # nobody has shot back with that
    assert [fault["code"] for fault in told["faults"]] == ["must-respond"]


def test_a_shoot_out_too_long_to_be_told_blames_nobody() -> None:
    before, after = shot_or_arrested("gun", "gun", "gun", "gun", "escape-bus", "document")
    before["variant"] = after["variant"] = {"advanced": False, "expert": False}
    told = explain(before, after)
    assert (told["verdict"], told["faults"], told["ask"]) == ("ambiguous", [], ["act"])


def test_a_second_false_arrest_of_the_same_seat_is_told_from_the_turns_that_are_lost() -> None:
    before = plain(hour=5, step="play", seats={2: {"cleared": True}})
    after = after_of(before, hands={0: -1}, discard=["arrest"], step="draw", seat=1)
    assert [act["act"] for act in explain(before, after)["acts"]] == ["discard"]
    for seat in (0, 2):
        after["seats"][seat]["skips"] = 1
    told = explain(before, after)
    assert told["acts"] == [
        {"act": "play", "seat": 0, "card": "arrest", "target": 2},
        {"act": "verdict", "seat": 2, "answer": "no"},
    ]
    assert told["verdict"] == "legal"


def test_two_questions_in_a_row_have_each_their_own_words() -> None:
    before = plain(step="play")
    answered = {"hour": 1, "by": 0, "of": 1, "trait": "hat", "colour": "black", "answer": "yes"}
    asked = {"card": "question", "by": 1, "target": 0, "trait": "coat", "colour": "brown"}
    more = {"discard": ["question", "question"], "deck": before["deck"] - 1, "answers": [answered], "pending": asked}
    told = explain(before, after_of(before, hands={0: -1}, seat=1, step="answer", **more))
    assert told["verdict"] == "legal"
    assert [(act["act"], act.get("trait"), act.get("colour")) for act in told["acts"]] == [
        ("play", "hat", "black"), ("answer", None, None), ("draw", None, None), ("play", "coat", "brown"),
    ]  # fmt: skip


def test_a_confrontation_is_over_before_the_next_arrest_lies_there() -> None:
    hands = {1: ("bomb",) + ("gun",) * 6, 2: ("document",) * 7}
    rules = {"lost-turn": "next-round"}
    before = confronted(5, known=False, seat=2, hands=hands, confrontation=fight(by=2), rules=rules)
    after = after_of(before, deck=before["deck"] - 2, discard=["arrest", "bomb"], seat=3, confrontation=fight(by=3))
    for seat in (0, 2, 3):
        after["seats"][seat] |= {"skips": 1, "since": 4}
    told = explain(before, after)
    assert told["verdict"] == "legal"
    assert [act["act"] for act in told["acts"]] == ["respond", "refill", "draw", "play"]


def test_documents_played_in_a_row_keep_their_services() -> None:
    expert = {"variant": {"advanced": False, "expert": True}, "wanted": "land"}
    before = plain(step="play", **expert)
    after = after_of(
        before, hands={0: -1}, discard=["document-air", "document-sea"], deck=before["deck"] - 1, seat=2, step="draw"
    )
    assert [act.get("card") for act in explain(before, after)["acts"]] == ["document-air", None, "document-sea"]
