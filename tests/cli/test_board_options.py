"""``--game``, ``--edition``, ``--board``, ``--record`` and ``--also``: one session has one board, or is refused in one line."""

import argparse
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.boards import loading
from companion.cli import main
from companion.cli.session import board_options, hosting
from companion.cli.session.hosting import TableSession
from companion.cli.session.output import OutputOptions
from companion.demo import TABLE, table_of
from companion.errors import BadInput
from companion.host.ledger import Ledger
from companion.record.log import Record

LONDON = Path(loading.__file__).parent / "data" / "mr-jack-london.json"
ONCE = ("--port", "0", "--no-browser", "--once", "--seconds-each", "0.2")


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    loading._ADOPTED.clear()
    loading.load.cache_clear()


@pytest.fixture
def house(tmp_path: Path) -> dict[str, str]:
    """A board of one's own (``fan``), a recording of either printing (``first``, ``revised``), pictures that tell no edition
    (``plain``), and records of games on the usual edition (``usual``), the other one (``other``) and the own one (``own``)."""
    data = json.loads(LONDON.read_text("utf-8"))
    own = {**data, "editions": {"fan": data["editions"]["first-2006"]}, "default_edition": "fan"}
    (tmp_path / "fan.json").write_text(json.dumps(own), "utf-8")
    shutil.copytree(TABLE, tmp_path / "first")
    shutil.copytree(TABLE, tmp_path / "revised")
    told = tmp_path / "revised" / "table.json"
    told.write_text(told.read_text("utf-8").replace("first-2006", "revised-2016"), "utf-8")
    (tmp_path / "plain").mkdir()
    shutil.copy(TABLE / "001.jpg", tmp_path / "plain")
    loading.take_over("mr-jack-london", "fan", own)
    for name, edition in (("usual", "first-2006"), ("other", "revised-2016"), ("own", "fan")):
        with Record.open(tmp_path / f"{name}.sqlite") as record:
            Ledger(games.load(), record, lambda: 0.0).open_match(edition, None)
    loading._ADOPTED.clear()
    loading.load.cache_clear()
    paths = {path.stem: str(path) for path in tmp_path.iterdir()}
    return {**paths, "new_york": str(table_of("mr-jack-new-york"))}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("{first} --board {fan}", "these pictures show the edition first-2006, not fan; leave --board out"),
        ("{first} --edition revised-2016", "these pictures show the edition first-2006, not revised-2016; leave --edition out"),
        ("{plain} --board {fan} --edition first-2006", "has only fan; leave --edition or --board out"),
        ("{plain} --board {fan} --game get-adler", "is a board of mr-jack-london, not of get-adler; leave --game out"),
        (
            "{plain} --record {usual} --edition revised-2016",
            "on the edition first-2006, not on revised-2016; leave --edition out",
        ),
        ("{plain} --record {usual} --board {fan}", "on the edition first-2006, not on fan; leave --board out"),
        ("{plain} --record {usual} --game get-adler", "is a record of 'mr-jack-london', not of 'get-adler'"),
        ("{plain} --record {own}", "on the edition 'fan', a board of its own; name its file with --board"),
        ("{first} --record {other}", "show the edition first-2006, not revised-2016, on which the game of {other} is played"),
        (
            "{first} --also {revised}",
            "{revised}: these pictures show the edition revised-2016, not first-2006, as which {first}",
        ),
        ("{plain} --also {revised}", "as which {plain} is read; name the edition of both with --edition"),
        ("{plain} --board {fan} --also {first}", "{first}: these pictures show the edition first-2006, not fan; leave --board"),
        ("{plain} --also {new_york}", "{new_york}: these pictures show Mr. Jack in New York; play it with --game"),
    ],
)
def test_what_names_two_boards_is_refused_in_one_line(
    arguments: str, why: str, house: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word.format(**house) for word in arguments.split()]
    assert main(["run", *given, *ONCE]) == 2
    told = capsys.readouterr().err
    assert why.format(**house) in told and told.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("--record {usual} --edition revised-2016", "on the edition first-2006, not on revised-2016; leave --edition out"),
        ("--record {usual} --board {fan}", "on the edition first-2006, not on fan; leave --board out"),
        ("--record {usual} --game get-adler", "is a record of 'mr-jack-london', not of 'get-adler'"),
    ],
)
def test_the_lobby_goes_on_with_no_game_of_another_board_than_the_one_that_is_named(
    arguments: str, why: str, house: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was named counted for nothing, and the game of the record was offered."""
    monkeypatch.setattr("companion.cli.session.lobby.host_lobby", lambda session, stopped: pytest.fail("a lobby was opened"))
    assert main(["run", *(word.format(**house) for word in arguments.split()), "--port", "0", "--no-browser"]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "edition"),
    [
        ("{plain} --record {other}", "revised-2016"),
        ("{plain} --record {own} --board {fan}", "fan"),
        ("{plain} --record {usual} --game mr-jack-london --edition first-2006", "first-2006"),
        ("{plain} --record {usual}.new --board {fan}", "fan"),
        ("{revised} --record {other}", "revised-2016"),
        ("{revised} --also {plain} --record {usual}.new", "revised-2016"),
    ],
)
def test_a_game_is_read_on_the_board_it_began_on(
    arguments: str, edition: str, house: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game on the other printing was read as the usual one once it was gone on with before a named camera."""
    seen: list[TableSession] = []

    def keep(session: TableSession, *_: Any, **__: Any) -> OutputOptions:
        seen.append(session)
        return session.showing

    monkeypatch.setattr(hosting, "host", keep)
    assert main(["run", *(word.format(**house) for word in arguments.split()), *ONCE]) == 0
    assert seen[0].board.edition == edition
    assert (seen[0].watcher is not None) == ("--also" in arguments)


@pytest.mark.parametrize(
    "cut_off", [lambda path: path.touch(), lambda path: sqlite3.connect(path).execute("PRAGMA journal_mode=WAL")]
)
def test_a_record_cut_off_before_its_first_event_is_begun(
    cut_off: Callable[[Path], object], house: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was called no game record: a table that is killed while it makes its file leaves one, and starts again on it."""
    record = tmp_path / "cut-off.sqlite"
    cut_off(record)
    assert board_options.begun(record) is None
    assert main(["run", house["first"], "--record", str(record), *ONCE]) == 0, capsys.readouterr().err
    assert board_options.begun(record) == ("mr-jack-london", "first-2006")


def test_a_board_that_was_kept_with_a_game_gives_way_to_what_is_named_now(house: dict[str, str], tmp_path: Path) -> None:
    options = argparse.Namespace(game=None, edition=None, board=Path(house["fan"]), board_named=True, record=None)
    assert board_options.choose(options).edition == "fan"
    kept = {"board": Path(house["fan"]), "board_named": False, "record": tmp_path / "usual.sqlite"}
    options = argparse.Namespace(game=None, edition="revised-2016", **kept)
    with pytest.raises(BadInput, match="on the edition first-2006, not on revised-2016; leave --edition out"):
        board_options.choose(options)


@pytest.mark.parametrize("command", ["replay", "verify", "export"])
def test_a_record_of_a_board_of_its_own_says_how_to_name_it(
    command: str, house: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, house["own"]]) == 2
    told = capsys.readouterr().err
    assert f"{house['own']}: its game is played on the edition 'fan', a board of its own" in told and "--own-board FILE" in told
    assert main(["--own-board", house["fan"], "replay", house["own"]]) == 0


def test_a_record_takes_no_game_of_another_edition(house: dict[str, str]) -> None:
    with Record.open(Path(house["usual"])) as record:
        ledger = Ledger(games.load(), record, lambda: 0.0)
        ledger.open_match(None, None)
        with pytest.raises(BadInput, match="on the edition 'first-2006', not on 'revised-2016'"):
            ledger.open_match("revised-2016", None)
