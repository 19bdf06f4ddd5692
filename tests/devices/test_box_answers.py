"""What a press says to the table, and what the answer buttons mean when their labels are shuffled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.box import Button, Press
from companion.devices.box_answers import KEYS, answer, hear
from companion.devices.box_labels import Labels, labels_for
from companion.errors import BadInput


@pytest.mark.parametrize(("button", "seen"), [(Button.SEEN, True), (Button.UNSEEN, False)])
def test_an_answer_after_the_question_is_the_call(button: Button, seen: bool) -> None:
    assert answer(Press("b", button, 10.0), asked_at=9.0) == {"kind": "call", "seen": seen}


@pytest.mark.parametrize(
    ("press", "asked_at"),
    [
        (Press("b", Button.SEEN, 8.0), 9.0),
        (Press("b", Button.SEEN, 10.0), None),
        (Press("b", Button.SEEN, 10.0, together=True), 9.0),
        (Press("b", Button.UNSEEN, 10.0, role="table"), 9.0),
        (Press("b", Button.ARBITER, 10.0, held=True), 9.0),
        (Press("b", Button.CLOCK_A, 10.0, role="jack"), 9.0),
    ],
    ids=["before the question", "no question", "both at once", "the table's box", "held arbiter", "clock on Jack's box"],
)
def test_what_means_nothing_says_why(press: Press, asked_at: float | None) -> None:
    heard = hear(press, asked_at=asked_at)
    assert heard.answer is None and heard.wish is None and heard.refused


@given(st.sampled_from([Button.SEEN, Button.UNSEEN]), st.booleans(), st.sampled_from(["", "jack", "table"]), st.booleans())
def test_a_refusal_is_the_same_for_both_answers(button: Button, together: bool, role: str, asked: bool) -> None:
    twin = Button.UNSEEN if button is Button.SEEN else Button.SEEN
    asked_at = 50.0 if asked else None
    one = hear(Press("b", button, 10.0, role, together), asked_at=asked_at)
    other = hear(Press("b", twin, 10.0, role, together), asked_at=asked_at)
    assert one.refused == other.refused is not None


def test_the_other_buttons_are_wishes_and_again_held_steps_back() -> None:
    assert hear(Press("b", Button.AGAIN, 1.0)).wish == "again"
    assert hear(Press("b", Button.ARBITER, 1.0)).wish == "arbiter"
    assert hear(Press("b", Button.CLOCK_B, 1.0, role="table")).wish == "clock-b"
    assert answer(Press("b", Button.AGAIN, 1.0, held=True)) == {"kind": "undo"}


def test_every_button_has_a_key_and_a_numeric_pad_has_them_all() -> None:
    assert set(KEYS.values()) == set(Button)
    assert {button for code, button in KEYS.items() if code.startswith("Numpad")} == set(Button)


def test_shuffled_labels_swap_the_meaning_and_tell_it_by_place() -> None:
    swapped = Labels(True)
    assert answer(Press("b", Button.SEEN, 2.0), asked_at=1.0, labels=swapped) == {"kind": "call", "seen": False}
    assert swapped.told() == {"left": "unseen", "right": "seen"} and Labels().told()["left"] == "seen"
    with pytest.raises(BadInput):
        swapped.means_seen(Button.AGAIN)


def test_the_draw_is_fair_fixed_by_the_secret_and_new_for_every_call() -> None:
    secret = bytes(range(16))
    draws = [labels_for(secret, call).swapped for call in range(2000)]
    assert draws == [labels_for(secret, call).swapped for call in range(2000)]
    assert 900 < sum(draws) < 1100
    assert draws != [labels_for(bytes(16), call).swapped for call in range(2000)]
    with pytest.raises(BadInput):
        labels_for(b"short", 1)
