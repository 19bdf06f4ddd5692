"""Pictures before and after every play and ruling: kept by choice, bounded, bound to the record by their digests."""

from pathlib import Path

import numpy as np
import pytest
from scripted_camera import ScriptedCamera, ScriptedGlance, ScriptedWatcher
from scripted_table import GAME, Hands, reading_of

from companion.cli import main
from companion.host.picture_store import PictureStore, PictureStoreSettings
from companion.host.table import Table
from companion.record.log import Record
from companion.record.pictures import folder_of, referred
from companion.vision.frame import Frame


def play(path: Path, settings: PictureStoreSettings | None = None) -> tuple[list, dict]:
    """Two plays and an allowed slip, each with another picture."""
    hands = Hands.at_start()
    with Record.open(path) as record:
        watcher = ScriptedWatcher()
        table = Table(
            GAME,
            record,
            ScriptedCamera(),
            watcher,
            clock=lambda: 1000.0,
            picture_store=PictureStore(folder_of(path), settings),
            match_id="g1",
        )

        def show(step: int) -> None:
            watcher.analyses.append(ScriptedGlance(settled=reading_of(hands.state, float(step))))
            image = np.full((540, 960, 3), step * 20, np.uint8)
            table.look_at(Frame(image, float(step), "scripted", step))

        show(1)
        hands.move("holmes", "e6")
        show(2)
        hands.move("bert", "g10")
        show(3)
        table.answer({"kind": "rule", "action": "allow", "reason": "agreed"})
        table.look_at(None)
        return record.events(), table.snapshot()


def test_every_play_and_ruling_has_its_pictures_and_verify_holds_them_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.record"
    events, shown = play(path)
    kept = {event.kind: referred(event) for event in events if referred(event)}
    assert set(kept) == {"table-agreed", "play", "flag", "ruling"}
    assert kept["play"]["before"] == kept["table-agreed"]["after"] and kept["ruling"]["before"] == kept["play"]["after"]
    assert kept["flag"]["before"] == kept["play"]["after"], "the table before a flag is the one that was legal"
    assert len(list(folder_of(path).iterdir())) == 3
    assert main(["verify", str(path), "--head", shown["turn_head"]["words"]]) == 0
    assert "3 as they were taken, 0 not here" in capsys.readouterr().out
    assert main(["export", str(path), "--format", "html", "--pictures"]) == 0
    assert capsys.readouterr().out.count("data:image/jpeg;base64,") == 3
    picture = folder_of(path) / f"{kept['play']['after']}.jpg"
    picture.write_bytes(picture.read_bytes()[:-1] + b"x")
    assert main(["verify", str(path)]) == 1
    assert "picture" in capsys.readouterr().out
    assert main(["export", str(path), "--format", "html", "--pictures"]) == 0
    assert "was changed" in capsys.readouterr().out
    picture.unlink()
    assert main(["verify", str(path)]) == 0
    assert "2 as they were taken, 1 not here" in capsys.readouterr().out


def test_pictures_are_bounded_and_the_end_of_them_is_told_once(tmp_path: Path) -> None:
    events, _ = play(tmp_path / "game.record", PictureStoreSettings(most_bytes=1))
    assert not any(referred(event) for event in events)
    assert [event.data["code"] for event in events if event.kind == "notice"] == ["pictures-full"]


def test_a_folder_that_cannot_be_made_stops_no_game(tmp_path: Path) -> None:
    folder_of(tmp_path / "game.record").write_text("in the way")
    events, shown = play(tmp_path / "game.record")
    assert [event.data["code"] for event in events if event.kind == "notice"] == ["pictures-lost"]
    assert shown["played"] == ["holmes", "bert"]


def test_a_resumed_game_goes_on_from_its_last_picture(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    events, _ = play(path)
    last = referred(next(event for event in reversed(events) if referred(event)))["after"]
    picture_store = PictureStore(folder_of(path))
    picture_store.resume(events)
    picture_store.look(np.zeros((90, 160, 3), np.uint8))
    draft = picture_store.illustrate(type("D", (), {"kind": "play", "data": {}})(), lambda notice: None)  # type: ignore[arg-type]
    assert draft.data["pictures"]["before"] == last
