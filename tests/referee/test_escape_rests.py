"""An escape is told once: while Jack is asked who he is, the table that shows it leads to nothing more."""

from test_recorded_at_table import ASKED, RECORDED, replay


def test_a_piece_that_left_the_board_is_not_told_again_and_again() -> None:
    hands = replay(next(path for path in RECORDED if path.stem == "stealthy-escapes-in-turn-two"), ASKED)
    assert [event.kind for event in hands.events][-2:] == ["play", "accusation"]
    assert hands.match.question is not None and hands.match.question["kind"] == "escape"
    for _ in range(3):
        assert hands.wait(10) == hands.see() == []
    assert hands.say(kind="reveal", character="stealthy") == ["opening", "outcome"]
