"""The commitment hides, binds and opens; its value is fixed by an independent calculation."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInput
from companion.record.commitment import Link, commit, opens, parse_commitment


def test_the_value_is_the_documented_one() -> None:
    nonce = bytes(range(32))
    parts = (b"table-witness/secret/1", b"g1", nonce, b"bert")
    expected = hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).hexdigest()
    assert commit("g1", "bert", nonce) == expected


def test_the_value_of_one_in_a_row_is_the_documented_one() -> None:
    nonce, before = bytes(range(32)), "ab" * 32
    parts = (b"table-witness/secret-row/1", b"g1", b"hider", b"move", b"12", before.encode(), nonce, b"84")
    expected = hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).hexdigest()
    assert commit("g1", "84", nonce, Link("hider", "move", 12, before)) == expected


LINK = Link("hider", "move", 2, "ab" * 32)


@pytest.mark.parametrize(
    "other",
    [
        None,
        Link("seeker", "move", 2, LINK.previous),
        Link("hider", "lair", 2, LINK.previous),
        Link("hider", "move", 3, LINK.previous),
        Link("hider", "move", 2, "cd" * 32),
        Link("hider", "move", 2),
    ],
)
def test_a_commitment_opens_at_its_own_place_only(other: Link | None) -> None:
    nonce = bytes(32)
    made = commit("g", "84", nonce, LINK)
    assert opens(made, "g", "84", nonce.hex(), LINK)
    assert not opens(made, "g", "84", nonce.hex(), other)


@given(st.text(min_size=1), st.text(min_size=1), st.binary(min_size=32, max_size=32), st.text(min_size=1))
def test_only_the_same_tuple_opens(game: str, secret: str, nonce: bytes, other: str) -> None:
    made = commit(game, secret, nonce)
    assert opens(made.upper(), game, secret, nonce.hex())
    assert opens(made, game, other, nonce.hex()) == (other == secret)
    assert opens(made, other, secret, nonce.hex()) == (other == game)
    assert not opens(made, game, secret, bytes(byte ^ 1 for byte in nonce).hex())


def test_bad_words_are_refused() -> None:
    assert not opens("0" * 64, "g", "bert", "not hex")
    assert parse_commitment(f" {'AB' * 32}\n") == "ab" * 32
    with pytest.raises(BadInput, match="64"):
        parse_commitment("abc")
    assert not opens("0" * 64, "g", "\ud800", bytes(32).hex()) and not opens("é" * 64, "g", "bert", bytes(32).hex())
    with pytest.raises(BadInput, match="text"):
        commit("g", "\ud800", bytes(32))
    with pytest.raises(BadInput, match="32 bytes"):
        commit("g", "bert", b"short")
