"""The bundled table, watched by the whole companion, is told exactly as it was played; nothing more, nothing less."""

import time

import pytest

from companion import games
from companion.demo import TABLE, DemoCamera, table_set
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.log import Record
from companion.record.verify import check_chain
from companion.vision.marked.reader import MarkedReader
from companion.vision.table_sets.table_set import load_table_set
from companion.vision.watching.watcher import Watcher

FRAMES_A_SECOND = 6  # of the script's own time; fewer than a real camera gives, so that the test is quick
LONGEST_S = 240


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    """Every event of one whole demo, run as fast as it can be watched."""
    table_facts = load_table_set(TABLE)
    camera = DemoCamera(pace=None, rate=FRAMES_A_SECOND)
    with Record.open(tmp_path_factory.mktemp("demo") / "demo.sqlite") as record:
        table = Table(
            games.load(),
            record,
            camera,
            Watcher(MarkedReader(table_facts.board, table_facts.pieces, table_facts.lens), table_facts.board),
            Secrets.open(None),
            edition=table_facts.board.edition,
            settings=TableSettings(every_frame=True),
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


@pytest.fixture(scope="module")
def recorded():
    """What really happened on the table, from the set's own truth."""
    return table_set()["frames"]


def of(events, *kinds):
    return [event for event in events if event.kind in kinds]


def test_the_plays_are_those_of_the_table(events, recorded):
    really = [
        (frame["state"]["turn"], frame["action"]["by"], frame["action"]["who"], frame["action"]["from"], frame["action"]["to"])
        for frame in recorded
        if frame["kind"] == "move"
    ]
    told = [
        (
            play.data["turn"],
            play.data["mover"],
            play.data["character"],
            play.data["moves"][0]["from"],
            play.data["moves"][0]["to"],
        )
        for play in of(events, "play")
    ]
    assert told == really
    assert len(told) == 8


def test_the_position_after_every_play_is_the_one_on_the_table(events, recorded):
    legal = [frame for frame in recorded if frame["kind"] == "move"]
    for play, frame in zip(of(events, "play"), legal, strict=True):
        for key, value in frame["state"].items():
            assert play.data["position"][key] == value, (frame["file"], key)


def test_the_illegal_play_is_flagged_with_its_reasons_and_then_cleared(events, recorded):
    (frame,) = [frame for frame in recorded if frame["kind"] == "illegal"]
    (flag,) = of(events, "flag")
    (cleared,) = of(events, "flag-cleared")
    assert len(frame["problems"]) == 2  # four steps, and no cover moved
    assert flag.data["verdict"] == "illegal"
    assert {fault["character"] for fault in flag.data["faults"]} == {frame["action"]["who"]}
    told = " ".join(fault["message"] for fault in flag.data["faults"])
    assert "4 steps" in told
    assert "3" in told
    assert "cover" in told
    assert any(frame["action"]["from"] in chore["message"] for chore in flag.data["chores"])
    plays = of(events, "play")
    assert plays[0].number < flag.number < cleared.number <= plays[1].number


def test_the_witness_calls_are_right(events, recorded):
    really = [frame["witness"] for frame in recorded if frame.get("phase") == "witness"]
    calls = of(events, "call")
    assert len(calls) == len(really) == 2
    for call, witness in zip(calls, really, strict=True):
        assert call.data["seen"] == (witness["jack"] == "seen")
        assert sorted(call.data["cleared"]) == sorted(witness["cleared"])
        assert sorted(call.data["witness"]["seen"]) == witness["seen"]
        assert sorted(call.data["witness"]["unseen"]) == witness["unseen"]


def test_each_call_follows_its_fourth_play_and_the_clean_up_is_seen(events):
    kinds = [event.kind for event in of(events, "play", "call-asked", "call", "clean-up", "turn-opened", "table-agreed")]
    turn = ["turn-opened", *["play"] * 4, "call-asked", "call", "clean-up"]
    assert kinds == ["table-agreed", *turn, *turn, "turn-opened"]
    last = of(events, "turn-opened")[-1].data
    assert last["turn"] == 3
    assert 2 not in last["position"]["gaslights"].values()


def test_the_knock_is_noticed_and_changes_nothing(events):
    codes = [event.data["code"] for event in of(events, "notice")]
    assert "registered-again" in codes
    assert codes[-1] == "source-ended"
    assert set(codes) <= {"camera-moved", "registered-again", "board-lost", "board-back", "source-ended"}
    first, last = codes.index("registered-again"), of(events, "notice")
    after = [event for event in events if event.number > last[first].number and event.kind in ("play", "flag")]
    assert after[0].data["character"] == "gull"


def test_hands_make_no_events(events):
    assert of(events, "doubt", "correction", "undo", "ruling", "accusation", "outcome") == []
    assert len(of(events, "flag")) == 1


def test_nothing_in_the_record_says_who_jack_is(events):
    assert of(events, "opening") == []
    (told,) = of(events, "secret")
    assert "stealthy" not in str(told.data)
