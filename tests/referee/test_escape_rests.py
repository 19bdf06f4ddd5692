"""An escape is told once: while Jack is asked who he is, the table that shows it leads to nothing more."""

import pytest
from test_recorded_at_table import ASKED, RECORDED, replay

from companion.errors import BadInput
from companion.referee.answers import entrusted


def test_a_piece_that_left_the_board_is_not_told_again_and_again() -> None:
    hands = replay(next(path for path in RECORDED if path.stem == "stealthy-escapes-in-turn-two"), ASKED)
    assert [event.kind for event in hands.events][-2:] == ["play", "accusation"]
    assert hands.match.question is not None and hands.match.question["kind"] == "escape"
    for _ in range(3):
        assert hands.wait(10) == hands.see() == []
    assert hands.say(kind="reveal", character="stealthy") == ["opening", "outcome"]


@pytest.mark.parametrize("name", ["stealthy-escapes-in-turn-two", "wrong-accusation-loses"])
def test_nothing_is_told_in_secret_while_everybody_asks_who_jack_is(name: str) -> None:
    """What was entrusted then, "nobody is shown it again", was opened in the same moment."""
    hands = replay(next(path for path in RECORDED if path.stem == name), ASKED)
    (identity,) = hands.game.purposes
    for tell in (
        lambda: entrusted(hands.match, "jack", identity, "stealthy", None, "0" * 64),
        lambda: hands.say(kind="seal", commitment="0" * 64),
    ):
        with pytest.raises(BadInput, match="everybody asks who Jack is now"):
            tell()
