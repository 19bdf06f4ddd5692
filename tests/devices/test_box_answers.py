"""What a press says to the table, and what the answer buttons mean when their labels are shuffled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.boxes.answers import KEYS, Asking, answer, interpret
from companion.devices.boxes.box import Button, Press
from companion.devices.boxes.labels import Labels, labels_for
from companion.errors import BadInput

YES, NO, PERHAPS = {"kind": "say", "word": "yes"}, {"kind": "say", "word": "no"}, {"kind": "say", "word": "perhaps"}


def asking(at: float | None, *more: dict[str, str]) -> Asking | None:
    """A question of two answers (or more) to the seat "north"."""
    return None if at is None else Asking("north", (YES, NO, *more), at)


@pytest.mark.parametrize(("button", "said"), [(Button.ANSWER_A, YES), (Button.ANSWER_B, NO)])
def test_an_answer_after_the_question_is_the_one_of_its_button(button: Button, said: dict[str, str]) -> None:
    assert answer(Press("b", button, 10.0), asking=asking(9.0)) == said
    assert answer(Press("b", button, 10.0, role="north"), asking=asking(9.0)) == said


def test_a_question_of_three_answers_is_not_answered_by_two_buttons() -> None:
    refused = interpret(Press("b", Button.ANSWER_A, 10.0), asking=asking(9.0, PERHAPS)).refused
    assert refused == "this question has more answers than the box; answer it on the page"


@pytest.mark.parametrize(
    ("press", "asked_at"),
    [
        (Press("b", Button.ANSWER_A, 8.0), 9.0),
        (Press("b", Button.ANSWER_A, 10.0), None),
        (Press("b", Button.ANSWER_A, 10.0, together=True), 9.0),
        (Press("b", Button.ANSWER_B, 10.0, role="table"), 9.0),
        (Press("b", Button.ARBITER, 10.0, held=True), 9.0),
        (Press("b", Button.CLOCK_A, 10.0, role="north"), 9.0),
        (Press("b", Button.ANSWER_A, 10.0, role="south"), 9.0),
    ],
    ids=[
        "before the question",
        "no question",
        "both at once",
        "the table's box",
        "held arbiter",
        "clock on a player's box",
        "another player's box",
    ],
)
def test_what_means_nothing_says_why(press: Press, asked_at: float | None) -> None:
    heard = interpret(press, asking=asking(asked_at))
    assert heard.answer is None and heard.command is None and heard.refused


LOOK_7, LOOK_9, SEIZE_9, PASS = ({"kind": kind, "at": at} for kind, at in (("look", 7), ("look", 9), ("seize", 9), ("pass", 0)))


def placed(step: str = "") -> Asking:
    """A question to the seat "north" about the spots 7 and 9."""
    return Asking("north", (LOOK_7, LOOK_9, SEIZE_9, PASS), 9.0, ("7", "9", "9", ""), step)


@pytest.mark.parametrize(
    ("step", "button", "answered", "next_step"),
    [
        ("", Button.ANSWER_A, None, "look"),
        ("", Button.ANSWER_B, SEIZE_9, None),
        ("", Button.CLOCK_A, PASS, None),
        ("look", Button.ANSWER_A, LOOK_7, None),
        ("look", Button.ANSWER_B, LOOK_9, None),
        ("look", Button.CLOCK_A, None, ""),
        ("seize", Button.ANSWER_B, SEIZE_9, None),
    ],
)
def test_buttons_are_numbers_of_what_and_where(
    step: str, button: Button, answered: dict[str, object] | None, next_step: str | None
) -> None:
    heard = interpret(Press("b", button, 10.0, role="north"), asking=placed(step))
    assert (heard.answer, heard.step, heard.refused, heard.command) == (answered, next_step, None, None)


@pytest.mark.parametrize(
    ("step", "press"),
    [
        ("", Press("b", Button.CLOCK_B, 10.0)),
        ("seize", Press("b", Button.ANSWER_A, 10.0)),
        ("", Press("b", Button.ANSWER_A, 8.0)),
        ("", Press("b", Button.ANSWER_A, 10.0, role="south")),
        ("", Press("b", Button.ANSWER_A, 10.0, role="table")),
    ],
    ids=["no such number", "nothing of that kind there", "before the question", "another player's box", "the table's box"],
)
def test_a_number_that_means_nothing_says_why(step: str, press: Press) -> None:
    heard = interpret(press, asking=placed(step))
    assert heard.refused and heard.answer is None and heard.step is None


def test_the_tables_box_keeps_its_clock_buttons_while_spots_are_asked_for() -> None:
    assert interpret(Press("b", Button.CLOCK_A, 10.0, role="table"), asking=placed()).command == "clock-a"


@given(
    st.sampled_from([Button.ANSWER_A, Button.ANSWER_B]), st.booleans(),
    st.sampled_from(["", "north", "south", "table"]), st.booleans(),
)  # fmt: skip
def test_a_refusal_is_the_same_for_both_answers(button: Button, together: bool, role: str, asked: bool) -> None:
    twin = Button.ANSWER_B if button is Button.ANSWER_A else Button.ANSWER_A
    question = asking(50.0 if asked else None)
    one = interpret(Press("b", button, 10.0, role, together), asking=question)
    other = interpret(Press("b", twin, 10.0, role, together), asking=question)
    assert one.refused == other.refused is not None


def test_the_other_buttons_are_wishes_and_again_held_steps_back() -> None:
    assert interpret(Press("b", Button.AGAIN, 1.0)).command == "again"
    assert interpret(Press("b", Button.ARBITER, 1.0)).command == "arbiter"
    assert interpret(Press("b", Button.CLOCK_B, 1.0, role="table")).command == "clock-b"
    assert answer(Press("b", Button.AGAIN, 1.0, held=True)) == {"kind": "undo"}


def test_every_button_has_a_key_and_a_numeric_pad_has_them_all() -> None:
    assert set(KEYS.values()) == set(Button)
    assert {button for code, button in KEYS.items() if code.startswith("Numpad")} == set(Button)


def test_shuffled_labels_swap_the_meaning_and_tell_it_by_place() -> None:
    swapped = Labels(True)
    assert answer(Press("b", Button.ANSWER_A, 2.0), asking=asking(1.0), labels=swapped) == NO
    assert swapped.told() == {"left": 1, "right": 0} and Labels().told() == {"left": 0, "right": 1}
    with pytest.raises(BadInput):
        swapped.index(Button.AGAIN)


def test_the_draw_is_fair_fixed_by_the_secret_and_new_for_every_question() -> None:
    secret = bytes(range(16))
    draws = [labels_for(secret, number).swapped for number in range(2000)]
    assert draws == [labels_for(secret, number).swapped for number in range(2000)]
    assert 900 < sum(draws) < 1100
    assert draws != [labels_for(bytes(16), number).swapped for number in range(2000)]
    with pytest.raises(BadInput):
        labels_for(b"short", 1)
