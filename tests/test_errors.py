"""How values from outside are shown, and how what stops their reading is told."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import quoted, stopped_by

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


CUT = f"[{'7, ' * 26}7…"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"), (True, "true"), (3, "3"), (2.5, "2.5"), ([None], '[null]'), ({"hex": False}, '{"hex": false}'),
        ("g5", "'g5'"), ("it's", '"it\'s"'), ("two\nlines", r"'two\nlines'"), ("x" * 81, f"'{'x' * 80}'…"), ([7] * 99, CUT),
    ],
)  # fmt: skip
def test_a_value_is_shown_as_the_file_has_it_and_cut_where_it_is_long(value: Any, shown: str) -> None:
    assert quoted(value) == shown


@given(JSON)
def test_what_is_not_cut_can_be_read_again(value: Any) -> None:
    shown = quoted(value)
    assert len(shown) <= 80 * 10 + 3 and "\n" not in shown
    if not isinstance(value, str) and not shown.endswith("…"):
        assert json.loads(shown) == value


def test_a_value_of_any_depth_and_size_is_shown() -> None:
    deep: list[Any] = []
    for _ in range(900):
        deep = [deep]
    assert quoted(deep) == "[" * 80 + "…"
    assert len(quoted({"row": list(range(1_000_000))})) == 81


def test_what_is_no_json_is_shown_all_the_same() -> None:
    round_about: list[Any] = []
    round_about.append(round_about)
    assert quoted({("a", 1): 2}) == quoted(repr({("a", 1): 2}))
    assert "[" in quoted(round_about)


def _hex(value: Any) -> Any:
    return value["hex"]


@pytest.mark.parametrize(
    ("reading", "value", "told"),
    [
        (_hex, {}, "'hex' is missing"), (_hex, None, "another kind"), (lambda row: row[3], [], "a list is too short"),
        (lambda text: text.get("hex"), "g5", "another kind"), (int, "g5", "invalid literal"), (int, float("inf"), "too large"),
    ],
)  # fmt: skip
def test_what_stops_a_reading_is_told_without_our_types(reading: Callable[[Any], Any], value: Any, told: str) -> None:
    with pytest.raises((LookupError, TypeError, AttributeError, ValueError, OverflowError)) as caught:
        reading(value)
    said = stopped_by(caught.value)
    assert told in said
    assert "NoneType" not in said and "object" not in said
