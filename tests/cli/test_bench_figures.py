"""What the bench makes of the events of a played recording, and which games it measures."""

from pathlib import Path

import pytest
from testkit.night_table import GAME, NightTable

from companion import games
from companion.cli import main
from companion.cli.bench import Floor, recorded_costs, rule_costs
from companion.cli.bench_table import TimedEvent, recorded_plays, waits
from companion.demo import bundled, table_of
from companion.demo.script import ArmReach, Script, ScriptScene

HAND = (ArmReach(False, (0.0, 1.0), ((0.0, 0.0), (1.0, 1.0))),)


def script(*scenes: tuple[float, float, bool]) -> Script:
    made: list[ScriptScene] = []
    for action, rest, hand in scenes:
        made.append(ScriptScene("000.jpg", made[-1].end if made else 0.0, action, rest, HAND if hand else ()))
    return Script(20, "nobody", (0.0, 0.0), 60.0, tuple(made))


def test_a_wait_lasts_from_the_end_of_the_hand_to_the_first_ruling() -> None:
    played = script((0.0, 2.0, False), (1.0, 3.0, True), (2.0, 3.0, True))
    heard = [TimedEvent("notice", 3.05), TimedEvent("play", 3.2), TimedEvent("flag", 3.9), TimedEvent("call", 8.5)]
    assert [round(wait, 3) for wait in waits(played, heard, 99.0)] == [0.2, 0.5]


def test_rulings_before_the_hand_has_left_and_scenes_cut_short_are_no_waits() -> None:
    played = script((0.0, 2.0, False), (1.0, 3.0, True), (2.0, 3.0, True))
    assert waits(played, [TimedEvent("play", 2.5), TimedEvent("play", 8.1)], 99.0) == waits(
        played, [TimedEvent("play", 8.1)], 99.0
    )
    assert waits(played, [TimedEvent("play", 8.1)], 10.0) == ()


@pytest.mark.parametrize("game", bundled())
def test_the_rules_of_every_bundled_game_have_their_figures(game: str) -> None:
    figures = {figure.name: figure for figure in rule_costs(games.load(game), Floor(10.0, 50.0))}
    if game == "letters-from-whitechapel":
        assert not figures, "nobody can play at its start: tokens are laid first"
        return
    assert set(figures) == {"explaining a change, p99", "who is seen and why, p99"}
    assert all(0 < figure.value < 1e4 for figure in figures.values())
    assert figures["who is seen and why, p99"].unit == "x floor"


def test_a_game_in_which_nobody_plays_at_the_start_is_measured_by_the_plays_of_its_recording(tmp_path: Path) -> None:
    night = NightTable(tmp_path)
    night.show()
    night.show(women=tuple((spot, "down") for spot in ("3", "21", "27", "65", "84", "147", "149", "158")))
    plays = tuple(recorded_plays(GAME, night.events()))
    assert [play.after.books.phase for play in plays] == ["patrols"] and plays[0].before.books.phase == "women"
    assert plays[0].state.position == plays[0].after
    figures = {figure.name: figure.value for figure in recorded_costs(GAME, Floor(10.0, 50.0), plays)}
    assert set(figures) == {"explaining a change of the recording, p99", "what everybody is told after a play, p99"}
    assert all(0 < value < 1e4 for value in figures.values())
    assert recorded_costs(GAME, Floor(10.0, 50.0), ()) == []
    night.close()


def test_a_game_without_a_table_and_a_table_of_another_game_are_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    one, other = bundled()[:2]
    for options, words in (
        (["--game", "chess"], "there is no bundled table of 'chess'"),
        (["--game", other, "--tables", str(table_of(one))], f"is a table of '{one}', not of '{other}'"),
    ):
        assert main(["bench", *options]) == 2
        said = capsys.readouterr().err
        assert words in said and said.count("\n") == 1
