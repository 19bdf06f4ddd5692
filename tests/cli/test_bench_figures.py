"""What the bench makes of the events of a played recording."""

from companion.cli.bench_table import Heard, waits
from companion.demo.script import Reach, Scene, Script

HAND = (Reach(False, (0.0, 1.0), ((0.0, 0.0), (1.0, 1.0))),)


def script(*scenes: tuple[float, float, bool]) -> Script:
    made: list[Scene] = []
    for action, rest, hand in scenes:
        made.append(Scene("000.jpg", made[-1].end if made else 0.0, action, rest, HAND if hand else ()))
    return Script(20, "nobody", (0.0, 0.0), 60.0, tuple(made))


def test_a_wait_lasts_from_the_end_of_the_hand_to_the_first_ruling() -> None:
    played = script((0.0, 2.0, False), (1.0, 3.0, True), (2.0, 3.0, True))
    heard = [Heard("notice", 3.05), Heard("play", 3.2), Heard("flag", 3.9), Heard("call", 8.5)]
    assert [round(wait, 3) for wait in waits(played, heard, 99.0)] == [0.2, 0.5]


def test_rulings_before_the_hand_has_left_and_scenes_cut_short_are_no_waits() -> None:
    played = script((0.0, 2.0, False), (1.0, 3.0, True), (2.0, 3.0, True))
    assert waits(played, [Heard("play", 2.5), Heard("play", 8.1)], 99.0) == waits(played, [Heard("play", 8.1)], 99.0)
    assert waits(played, [Heard("play", 8.1)], 10.0) == ()
