"""The second game's bundled table, watched by the whole companion: from the bare board to the end of the round, as played."""

import time

import pytest

from companion import games
from companion.demo import DemoCamera, bundled, load_script, table_of, table_set
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.log import Record
from companion.record.verify import check_chain
from companion.vision.marked.reader import MarkedReader
from companion.vision.table_sets.table_set import load_table_set
from companion.vision.watching.watcher import Watcher

GAME = "mr-jack-new-york"
FRAMES_A_SECOND = 5
LONGEST_S = 300


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    """Every event of one whole demo, run as fast as it can be watched."""
    facts = load_table_set(table_of(GAME))
    camera = DemoCamera(load_script(game=GAME), pace=None, rate=FRAMES_A_SECOND)
    with Record.open(tmp_path_factory.mktemp("demo") / "demo.sqlite") as record:
        watcher = Watcher(MarkedReader(facts.board, facts.pieces, facts.lens), facts.board)
        settings = TableSettings(every_frame=True)
        table = Table(
            games.load(GAME), record, camera, watcher, Secrets.open(None), edition=facts.board.edition, settings=settings
        )
        table.answer(dict(camera.script.told))
        table.start()
        end = time.monotonic() + LONGEST_S
        while not any(event.kind == "notice" and event.data["code"] == "source-ended" for event in record.events()):
            assert time.monotonic() < end, [event.kind for event in record.events()]
            time.sleep(0.05)
        assert table.snapshot()["simulated"] is True
        assert table.snapshot()["trouble"] is None
        table.stop()
        assert not check_chain(list(record.events()))
        return list(record.events())


def of(events, *kinds):
    return [event for event in events if event.kind in kinds]


def test_the_set_up_is_agreed_the_round_played_the_call_made_and_the_next_round_opened(events):
    kinds = [event.kind for event in of(events, "play", "call-asked", "call", "clean-up", "turn-opened", "table-agreed")]
    assert kinds == ["table-agreed", "turn-opened", *["play"] * 4, "call-asked", "call", "clean-up", "turn-opened"]


def test_the_position_after_every_play_is_the_one_on_the_table(events):
    legal = [frame for frame in table_set(GAME)["frames"] if frame["kind"] == "move"]
    for play, frame in zip(of(events, "play"), legal, strict=True):
        for key in ("characters", "tiles", "informant", "turn"):
            assert play.data["position"][key] == frame["state"][key], (frame["file"], key)
        assert play.data["position"]["barricades"] == sorted(map(sorted, frame["state"]["barricades"]))


def test_the_illegal_build_is_flagged_with_the_way_back_and_then_put_right(events):
    (flag,) = of(events, "flag")
    (cleared,) = of(events, "flag-cleared")
    told = " ".join(fault["message"] for fault in flag.data["faults"])
    assert "lamp on C8 beside the lamp on C10" in told
    assert any("C8" in chore["message"] for chore in flag.data["chores"])
    plays = of(events, "play")
    assert plays[0].number < flag.number < cleared.number <= plays[1].number


def test_the_call_clears_who_was_unseen(events):
    (call,) = of(events, "call")
    witness = next(frame["witness"] for frame in table_set(GAME)["frames"] if "witness" in frame)
    assert call.data["seen"] is True
    assert sorted(call.data["cleared"]) == witness["cleared"]


def test_nothing_was_doubtful_for_long(events):
    assert not of(events, "cannot-see", "doubt")


def test_the_sample_is_small_and_found_by_its_game():
    assert GAME in bundled() and set(bundled()) <= set(games.available())
    assert sum(path.stat().st_size for path in table_of(GAME).iterdir()) < 2_500_000
