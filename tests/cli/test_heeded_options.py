"""An option that is given is heeded or refused, and a refusal says what was seen, where, and what is allowed."""

import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.session import prompt
from companion.demo import TABLE, table_of
from companion.record.events import Event

RECORD = Path(__file__).parents[1] / "fixtures/kept/sealed-and-opened.record"
CORNERS = "210,150 1650,120 1780,980 120,1010"
WHITECHAPEL = {
    "game": "letters-from-whitechapel", "edition": "revised-2012", "night": 1, "phase": "police-move", "time": 1,
    "head": "blue",
    "crime_scenes": [[147]], "track": ["walk"],
    "police": {"blue": "x042", "yellow": "x044", "brown": "x058", "red": "x137", "green": "x143"},
}  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    shutil.copy(RECORD, "game.sqlite")
    Path("folder").mkdir()
    Path("empty.sqlite").touch()
    Path("text").write_text("no record at all, nor anything else that a database could begin with")
    Path("a.json").write_text('{"a": 1}')
    Path("police.json").write_text(json.dumps(WHITECHAPEL))
    Path("lens.json").write_text(
        json.dumps(json.loads((TABLE / "table.json").read_text())["camera"] | {"image_size": [1920, 1080]})
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("export game.sqlite --pictures", "--pictures goes with --format html; jsonl holds none"),
        ("verify game.sqlite --head ''", "a head is some hexadecimal digits or words; nothing was given"),
        ("verify game.sqlite --signer ''", "--signer: the words by which a signer is known are missing"),
        ("verify game.sqlite --seal nowhere", "nowhere: cannot be read (No such file or directory)"),
        ("verify game.sqlite --seal a.json", "a.json: this is no seal of the format"),
        ("sign empty.sqlite", "empty.sqlite: there is no game in this record to be signed"),
        ("replay folder", "folder: is a folder, not a record"),
        ("salvage folder new.sqlite", "folder: is a folder, not a record"),
        ("salvage text new.sqlite", "text: is no game record, or nothing is left of one's beginning"),
        ("run 0 --record folder", "folder: is a folder, not a record"),
        ("moves police.json --character blue --rule a=b", "does not take --character, --rule; leave it out"),
        ("explain police.json police.json --plays 2", "does not take --plays; leave it out"),
        ("answer a.json", "name one that does as its 'game': letters-from-whitechapel"),
        ("deduce a.json", "name one that does as its 'game': get-adler, letters-from-whitechapel"),
        ("calibrate cards new.json", "has no cards that lie in zones; name a game of cards with --board, of: get-adler"),
        ("calibrate mat mat.pdf", "has no mat to print; name a game of cards with --board, of: get-adler"),
        (f"calibrate board {TABLE}/002.jpg --corners '{CORNERS}' --profile a.json", "leave one of them out"),
        (f"calibrate new-board {TABLE}/002.jpg a.json --edition mine", "--edition and --label go with --corners"),
        (
            f"calibrate new-board {TABLE}/002.jpg p.json --like letters-from-whitechapel --corners '{CORNERS}'",
            "are no hexagons",
        ),
        (f"calibrate new-board {TABLE}/002.jpg p.json --like get-adler --corners '{CORNERS}'", "are no hexagons"),
        (f"read {TABLE} --lens lens.json", "a table set has its own lens; leave --lens out"),
        (f"read {TABLE} --board get-adler", "is a table set of mr-jack-london, not of get-adler; leave --board out"),
        (
            f"read {TABLE}/002.jpg --edition revised-2016",
            "is a table set of first-2006, not of revised-2016; leave --edition out",
        ),
        (f"evaluate {table_of('get-adler')}", "is a table of unmodified cards, which are followed from picture to picture"),
        (f"calibrate piece {table_of('get-adler')}/profile.json 0.jpg anna --at 1,1", "is of a deck of cards"),
        ("demo --no-https --https-port 0", "--no-https and --https-port 0 contradict each other"),
        ("demo --language it", "goes with --speak"),
        ("demo --hub a.json", "--hub a.json: holds no link; 'companion hub enrol' gives one"),
        ("run 0 --copy a.json", "--copy a.json: is no table of words by row and column; --copy-tables lists them"),
        ("hub --home-assistant", "--home-assistant goes with a broker: name it with --broker, or in TABLE_WITNESS_BROKER"),
        ("hub enrol t --at http://x:99999", "--at http://x:99999: http, https, mqtt or mqtts with a host, and a port up to"),
        ("hub enrol t --at 'http://[::1'", "--at http://[::1: http, https, mqtt or mqtts with a host"),
        ("hub enrol t --take-back --write t.hall", "--take-back gives no link that --write could keep"),
        ("hub enrol t --name ''", "--name: 1 to 80 letters are allowed"),
        ("hub --broker mqtt://x:99999", "--broker: mqtt://HOST or mqtts://HOST is allowed"),
        ("hub --broker 'mqtt://[::1'", "--broker: mqtt://HOST or mqtts://HOST is allowed"),
        ("hub rehearse --broker 'mqtt://[::1'", "--broker: mqtt://HOST or mqtts://HOST is allowed"),
        ("hub tables --database 'postgresql://[::1'", "--database"),
        ("hub tables --database 'http://[::1'", "a file, or postgresql://… is allowed"),
        ("box test --seconds nan", "--seconds nan: above 0 and up to 86400 are allowed"),
        ("box test --seconds -5", "--seconds -5: above 0 and up to 86400 are allowed"),
        ("hub --broker-files folder", "--broker-files goes with a broker"),
        (f"read {TABLE}/002.jpg --lens {TABLE}/002.jpg", "is not a lens (not text in UTF-8, at byte 1)"),
    ],
)
def test_what_cannot_be_heeded_is_said(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(words)) == 2
    told = capsys.readouterr()
    assert said in told.err and told.err.count("\n") == 1 and told.out == ""
    assert not Path("p.json").exists() and not Path("new.sqlite").exists()


def test_a_taught_profile_is_not_of_another_board_than_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    deck = str(table_of("get-adler") / "profile.json")
    assert main(["calibrate", "teach", deck, "--sides", "0.jpg", "--board", "mr-jack-new-york"]) == 2
    assert "--board mr-jack-new-york: " in capsys.readouterr().err


def test_a_language_that_was_kept_without_a_voice_keeps_no_game_from_going_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.cli import parser  # noqa: PLC0415
    from companion.cli.session import output, resume_options  # noqa: PLC0415
    from companion.host.choices import Choices  # noqa: PLC0415
    from companion.host.resuming import KeptSetup  # noqa: PLC0415
    from companion.host.setup import CameraChoice  # noqa: PLC0415

    kept = KeptSetup(CameraChoice("device", "0"), "marked", Choices(), options={"language": "it"})
    monkeypatch.setattr(resume_options, "kept_setup", lambda record: kept)
    words = ["run", "0", "--record", "game.sqlite"]
    options = parser(words).parse_args(words)
    resume_options.take_over(options)
    assert output.choose(options, Path("data")).language == "en"


def test_a_port_for_https_asks_for_it_in_a_hall_as_at_a_table() -> None:
    from companion.cli import parser  # noqa: PLC0415
    from companion.cli.session import https  # noqa: PLC0415

    for words in (["hub", "--https-port", "0"], ["run", "0", "--https-port", "0"]):
        assert https.wanted(parser(words).parse_args(words), usual=False)


def test_one_bad_picture_does_not_hide_the_markers_of_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["markers", "text", f"{TABLE}/001.jpg"]) == 2
    told = capsys.readouterr()
    assert told.out.count("\n") == 1 and "001.jpg: 0, 1, 2, 3" in told.out and told.err.startswith("companion: text: ")


def test_the_faces_of_a_deck_are_listed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "cards", "new.json", "--board", "get-adler", "--json"]) == 0
    faces = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"face": "cards:document", "name": "Document", "count": 15} in faces


def test_a_byte_order_mark_is_no_part_of_a_plan(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "new-board", f"{TABLE}/002.jpg", "plan.json", "--corners", CORNERS]) == 0
    Path("plan.json").write_text("\ufeff" + Path("plan.json").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["calibrate", "new-board", f"{TABLE}/002.jpg", "plan.json"]) == 0
    assert capsys.readouterr().err == ""


def test_events_that_nobody_reads_any_more_are_said_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each was a traceback: ``companion demo --json | head -1``."""

    class Gone:
        def write(self, text: str) -> int:
            raise BrokenPipeError(32, "Broken pipe")

        def flush(self) -> None:
            raise BrokenPipeError(32, "Broken pipe")

    heard = prompt.EventPrinter()
    monkeypatch.setattr(sys, "stdout", Gone())
    for _ in range(3):
        heard(Event.following(None, "match-opened", {}, 1.0))
    assert capsys.readouterr().err == "companion: events cannot be printed any more (Broken pipe); the page stays\n"
