"""A session that begins in the lobby, without a browser: the game starts, its camera is exchanged, its record goes on."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.cli.session.board_options import begun
from companion.cli.session.lobby import CameraSources, HostedTable, LobbySession
from companion.demo import TABLE
from companion.devices.cameras.addresses import CameraSettings
from companion.errors import BadInput, DeviceError
from companion.host.lobby import Beginning, Lobby
from companion.host.lobby_view import lobby_json
from companion.host.setup import CameraChoice
from companion.host.table_proxy import NoTableYet
from companion.record.log import Record

SETTINGS = CameraSettings(pace=4.0, seconds_each=3.0)


class House:
    """A lobby with everything behind it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.session = LobbySession(folder / "game.sqlite", folder / "tables", camera=SETTINGS)
        self.hosted_table = HostedTable(self.session, stack)
        self.lobby = Lobby(CameraSources(SETTINGS), self.hosted_table.profiles, self.hosted_table.begin)

    def watch(self, kind: str, address: str = "") -> None:
        self.lobby.do("camera", {"kind": kind, "address": address})
        self.lobby.do("go", {"step": "board"})
        wait(lambda: lobby_json(self.lobby)["missing"] == [])

    def close(self) -> None:
        self.hosted_table.proxy.stop()
        self.lobby.close()


def wait(until: Callable[[], Any], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with ExitStack() as stack:
        house = House(tmp_path, stack)
        yield house
        house.close()


def test_a_game_starts_and_goes_on_before_another_camera(house: House, tmp_path: Path) -> None:
    proxy = house.hosted_table.proxy
    with pytest.raises(NoTableYet):
        proxy.snapshot()
    assert proxy.wait_events(0, 0) == []
    assert not (tmp_path / "game.sqlite").exists(), "nothing is recorded before there is a game"
    house.watch("demo")
    house.lobby.do("choices", {"choices": {"clock": {"seconds": 600}}})
    heard: list[int] = []
    proxy.subscribe(lambda event: heard.append(event.number))
    house.lobby.do("start", {"name": "Home"})
    wait(lambda: any(event.kind == "play" for event in proxy.wait_events(0, 0)))
    before = proxy.snapshot()
    assert (before["secret"], before["simulated"], before["clock"] is not None) == ("entrusted", True, True)
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    shutil.copy(TABLE / "003.jpg", pictures)
    with pytest.raises(DeviceError):
        house.lobby.do("camera", {"kind": "device", "address": "93"})
    house.watch("address", str(pictures))
    assert proxy.snapshot()["source"]["name"] == "bundled table", "the game still looks through its own camera"
    house.lobby.do("start", {})
    wait(lambda: proxy.snapshot()["source"]["name"] == str(pictures))
    after = proxy.snapshot()
    assert (after["match"], after["simulated"]) == (before["match"], False)
    assert after["number"] >= before["number"]
    wait(lambda: proxy.picture(overlay=True) is not None)
    numbers = [event.number for event in proxy.wait_events(0, 0)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert heard == sorted(set(heard)), "who listens hears each event once, across the exchange"


def test_another_game_has_its_own_recording_and_another_board_none(house: House) -> None:
    """The table of the game before was filmed on, and was said to be no board, or the other game."""
    lobby = house.lobby
    lobby.do("camera", {"kind": "demo"})
    lobby.do("game", {"game": "get-adler", "edition": "first-2016"})
    assert lobby.setup.camera == CameraChoice("demo", "get-adler") and lobby.setup.edition == "first-2016"
    lobby.do("game", {"game": "mr-jack-london", "edition": "revised-2016"})
    shown = lobby_json(lobby)
    assert (shown["edition"], shown["camera"]) == ("revised-2016", None), "the board that was chosen stays chosen"
    assert shown["missing"][0]["step"] == "camera"
    lobby.do("camera", {"kind": "demo"})
    assert lobby.setup.camera == CameraChoice("demo", "mr-jack-london")


def test_tomorrow_the_kept_table_and_the_record_go_on(house: House, tmp_path: Path) -> None:
    house.watch("demo")
    house.lobby.do("start", {"name": "Home"})
    match = house.hosted_table.proxy.snapshot()["match"]
    house.close()
    assert begun(tmp_path / "game.sqlite") == (house.lobby.setup.game, house.lobby.setup.edition)
    assert begun(tmp_path / "none.sqlite") is None
    with ExitStack() as stack:
        again = House(tmp_path, stack)
        (table,) = again.lobby.profiles.tables()
        again.lobby.do("again", {"table": table.id})
        assert again.lobby.playing
        assert again.hosted_table.proxy.snapshot()["match"] == match
        again.hosted_table.write("Ada", ["gull"])
        assert again.hosted_table.read("Ada") == ["gull"]
        again.close()
    with Record.read(tmp_path / "game.sqlite") as record:
        assert sum(event.kind == "match-opened" for event in record.events()) == 1


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (CameraChoice("address"), "needs an address"),
        (CameraChoice("device", "/etc/passwd"), "is a camera of this machine"),
        (CameraChoice("address", "missing.mp4"), "no file or folder 'missing.mp4' on this computer"),
        (CameraChoice("address", "gopher://x"), "is not known"),
    ],
)
def test_cameras_that_cannot_be(choice: CameraChoice, words: str) -> None:
    with pytest.raises((BadInput, DeviceError), match=words):
        CameraSources(SETTINGS).open(choice, preview=True)


def test_what_belongs_to_a_source_is_said_to_need_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for more in (["--once"], ["--profile", "x.json"], ["--secret", "sealed"]):
        assert main(["run", *more, "--no-browser", "--record", str(tmp_path / "r.sqlite")]) == 2
        assert "go with a SOURCE" in capsys.readouterr().err
    assert main(["run", "--edition", "third", "--no-browser"]) == 2
    assert "edition 'third' is not known" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_table_forgotten_by_mistake_can_be_put_back_after_the_game_has_learnt_something(house: House) -> None:
    house.watch("demo")
    house.lobby.do("start", {"name": "Home"})
    (table,) = house.lobby.profiles.tables()
    house.lobby.do("forget", {"table": table.id})
    mine = house.lobby._playing
    assert mine is not None and mine.setup.camera is not None
    beginning = Beginning(
        house.lobby.game, mine.vision.board, mine.preview.camera, mine.vision.reader("marked"), mine.setup.choices,
        mine.setup.camera, "marked", "Other", mine.vision.profile("marked"),
    )  # fmt: skip
    house.hosted_table._keep_learnt(beginning)
    house.lobby.do("remember", {"table": table.id})
    assert {one.name for one in house.lobby.profiles.tables()} == {"Home", "Other"}
