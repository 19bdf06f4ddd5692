"""What a game may choose at the prompt: clocks, cards dealt, house rules, pictures; and the seal that nobody asks for."""

import argparse
import json
import shutil
from pathlib import Path

import pytest

from companion import games
from companion.cli import main
from companion.cli.session.match_options import add_options, choose, clock, house_rules, people
from companion.demo import TABLE
from companion.errors import BadInput
from companion.host.choices import Choices, ClockChoice
from companion.record.log import Record

UNTIL_READ = ("--seconds-each", "4")  # long enough for a busy machine to agree to the table


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the start set-up on one picture, as a camera that ends; keys go to a folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    shutil.copy(TABLE / "001.jpg", pictures)
    return pictures


def run(folder, *more):
    record = folder.parent / "game.sqlite"
    common = ("--profile", TABLE / "table.json", "--record", record, "--port", "0", "--no-browser", "--once", "--box", "none")
    code = main(["run", str(folder), *map(str, common), "--seconds-each", "1", *more])
    return code, record


def events(record):
    with Record.read(record) as kept:
        return kept.events()


def test_clocks_cards_and_house_rules_are_those_asked_for(folder):
    code, record = run(
        folder,
        "--clock",
        "45m+30s,delay=5s",
        "--deal",
        "--house-rule",
        "whistle-points=any",
        "--house-rule",
        "leaving-cost=free",
        *UNTIL_READ,
    )
    assert code == 0
    told = events(record)
    assert told[0].data["house_rules"]["whistle-points"] == "any"
    assert told[0].data["house_rules"]["leaving-cost"] == "free"
    (set_,) = [event.data for event in told if event.kind == "clock" and event.data["action"] == "start"]
    assert set_["budgets"] == {"detective": 2700, "jack": 2700}
    assert (set_["increment"], set_["delay"]) == (30, 5)
    (cards,) = [event.data for event in told if event.kind == "cards"]
    assert cards["dealt"] is True
    assert len(cards["characters"]) == 4
    # Resumed with other clocks the game keeps its own; with other rules it is refused.
    assert run(folder, "--clock", "5m")[0] == 0
    assert len([event for event in events(record) if event.kind == "clock" and event.data["action"] == "start"]) == 1


def test_a_game_that_draws_no_cards_is_not_asked_to_have_them_dealt(folder, capsys):
    assert run(folder, "--game", "get-adler", "--deal")[0] == 2
    assert "--deal: get-adler draws no cards that the companion could deal" in capsys.readouterr().err


def test_a_resumed_game_keeps_its_house_rules(folder, capsys):
    assert run(folder, "--house-rule", "whistle-points=any")[0] == 0
    assert run(folder)[0] == 0
    capsys.readouterr()
    assert run(folder, "--house-rule", "whistle-points=none-needed")[0] == 2
    assert "this game is played with the house rule 'whistle-points' = 'any'" in capsys.readouterr().err


def test_pictures_are_kept_when_wished_and_only_then(folder):
    _, record = run(folder)
    assert not record.with_name("game.sqlite.pictures").exists()
    record.unlink()
    _, record = run(folder, "--pictures", *UNTIL_READ)
    (agreed,) = [event for event in events(record) if event.kind == "table-agreed"]
    kept = list(record.with_name("game.sqlite.pictures").iterdir())
    assert [path.stem for path in kept] == [agreed.data["pictures"]["after"]]


@pytest.mark.parametrize(
    ("text", "seconds", "increment", "delay"),
    [
        ("45m", 2700, 0, 0),
        ("1h30m", 5400, 0, 0),
        ("45m+30s", 2700, 30, 0),
        ("90s,delay=10s", 90, 0, 10),
        (" 45M + 30S, delay = 5s ", 2700, 30, 5),
        ("0.5h+1m30s", 1800, 90, 0),
    ],
)
def test_clocks_are_told_in_words_of_time(text, seconds, increment, delay):
    assert clock(text) == ClockChoice(seconds, increment, delay)


@pytest.mark.parametrize(
    "text", ["", "45", "45m+", "m", "45m,10s", "45m,delay=", "45m,delay=1s,delay=2s", "-5m", "45m+30", "1d"]
)
def test_what_is_no_clock_is_refused(text):
    with pytest.raises(BadInput, match="45m") as refused:
        clock(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--clock", "5s"], "clock: seconds from 10"),
        (["--clock", "30h"], "clock: seconds from 10 to 86400"),
        (["--pictures-mib", "0"], "1 to 4096 MiB"),
        (["--house-rule", "whistle"], "NAME=VALUE with one of these names is allowed: whistle-points"),
        (["--house-rule", "whistle-points=seven"], "whistle-points can be spend-all or any or none-needed"),
    ],
)
def test_what_cannot_be_chosen_is_one_line(folder, arguments, words, capsys):
    assert run(folder, *arguments)[0] == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
    assert not (folder.parent / "game.sqlite").exists()


def test_a_house_rule_is_given_once():
    with pytest.raises(BadInput, match="twice"):
        house_rules(["leaving-cost=free", "leaving-cost=one-step"], games.load())


def test_people_are_told_by_name_and_seats_in_their_order():
    told = people(["Ada Lovelace=jack", "Ben=blue+Red", "yellow+brown+green"])
    assert [(one.name, one.seats) for one in told] == [
        ("Ada Lovelace", ("jack",)), ("Ben", ("blue", "red")), ("", ("yellow", "brown", "green")),
    ]  # fmt: skip
    for word in ("=jack", "Ada=", "Ada=blue++red", ""):
        with pytest.raises(BadInput, match="--player"):
            people([word])


def test_the_house_rules_of_every_game_are_listed(capsys):
    with pytest.raises(SystemExit) as done:
        main(["run", "--house-rules"])
    assert done.value.code == 0
    listed = capsys.readouterr().out
    for name in games.available():
        for rule in games.load(name).house_rules:
            assert f"  {rule.name}=" in listed
            assert f"{rule.default} (usual)" in listed
            assert rule.because in listed


TRAITS = {role: dict.fromkeys(("hat", "hair", "eyes", "coat"), "blue") for role in ("adler", "gold", "sharpe", "townsend")}


def test_what_the_owner_entered_of_his_copy_is_checked_and_kept():
    game = games.load("get-adler")
    entered = Choices.from_json({"copy": {"traits": {**TRAITS, "tarasov": {"hat": " "}}}})
    entered.check(game)
    assert Choices.from_json(entered.to_json()) == entered and dict(entered.copy["traits"]) == TRAITS, "an empty row is none"
    short = {"traits": {"adler": TRAITS["adler"], "gold": {"hat": "grey", "coat": "x" * 41}, "spy": {"hat": "grey"}}}
    with pytest.raises(BadInput) as told:
        Choices.from_json({"copy": short}).check(game)
    assert str(told.value) == (
        "traits: spy is no row; Gold: Hair, Eyes, Coat missing; Sharpe: Hat, Hair, Eyes, Coat missing; "
        "Townsend: Hat, Hair, Eyes, Coat missing"
    )
    six = Choices.from_json({"copy": {"traits": TRAITS}, "rules": {"players": "6"}})
    with pytest.raises(BadInput, match=r"Kate Collins: .* missing; Boris Tarasov: .* missing"):
        six.check(game)
    with pytest.raises(BadInput, match="no table 'traits'; there are: none"):
        Choices.from_json({"copy": {"traits": TRAITS}}).check(games.load())


def test_a_file_of_the_copy_is_read_and_the_tables_are_listed(tmp_path, capsys):
    file = tmp_path / "copy.json"
    file.write_text(json.dumps({"traits": TRAITS}), "utf-8")
    parser = argparse.ArgumentParser()
    add_options(parser)
    assert choose(parser.parse_args(["--copy", str(file)]), games.load("get-adler")).copy == {"traits": TRAITS}
    with pytest.raises(SystemExit) as done:
        main(["run", "--copy-tables"])
    assert done.value.code == 0 and "columns: hat, hair, eyes, coat" in capsys.readouterr().out


def test_the_demo_keeps_pictures_and_clocks_too(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    record = tmp_path / "demo.sqlite"
    arguments = ["--once", "--port", "0", "--no-browser", "--speed", "60", "--pictures", "--clock", "20m"]
    assert main(["demo", *arguments, "--record", str(record)]) == 0
    kinds = [event.kind for event in events(record)]
    assert "clock" in kinds
    assert json.dumps([event.to_json() for event in events(record)]).count('"pictures"') == len(
        [kind for kind in kinds if kind in ("table-agreed", "play", "flag", "call", "correction", "undo", "ruling")]
    )
    assert Path(f"{record}.pictures").is_dir() == ("table-agreed" in kinds)
