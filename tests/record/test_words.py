"""Words and digits stand for the same digest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInput
from companion.record.words import hex_of, words


@given(st.binary(min_size=32, max_size=32), st.integers(1, 16))
def test_words_come_back_as_the_digits_they_were(digest: bytes, count: int) -> None:
    said = words(digest.hex(), count)
    assert hex_of(said) == hex_of(said.upper().replace("-", " ")) == digest.hex()[: 4 * count]
    assert all(len(word) == 5 and word.isalpha() for word in said.split("-"))


def test_one_value_by_hand_and_what_is_no_word() -> None:
    assert words("0000" + "ffff", 2) == "bibib-zyzyz"  # 0000.00.0000.00.0000 and 1111.11.1111.11.1111
    assert hex_of("AB12") == "ab12"
    for wrong in ("bibix", "hello there", "bib", "", " - "):
        with pytest.raises(BadInput):
            hex_of(wrong)
