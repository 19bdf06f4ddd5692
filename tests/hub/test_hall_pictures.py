"""What a table shows the hall of its camera: only where it allows that, small, now and then, and nowhere but in memory."""

import argparse
import base64
import json
import time
from pathlib import Path

import numpy as np
import pytest
from hall_stories import StoryTable, chained
from halls import RunningHall
from servers import until

from companion.cli.session import hub_option
from companion.errors import BadInput
from companion.host.overlay import OverlaySettings, jpeg
from companion.hub import wire
from companion.hub.model import PICTURE_FOR, HallTable
from companion.hub.pictures import KEEP_S, LEAST_S, Pictures
from companion.hub.uplink.pictures import EVERY_S, SentPicture, small

MADE = jpeg(np.random.default_rng(1).integers(0, 256, (720, 1280, 3), dtype=np.uint8), OverlaySettings(quality=95))
"""A picture that compresses badly: half a megabyte."""


def arrived(hall: RunningHall, table: str, *, spectator: bool) -> bool:
    """Whether the hall has heard of the table and has a picture of it."""
    if all(one.table != table for one in hall.hall.tables()):
        return False
    return hall.hall.picture(table, spectator=spectator) is not None


def test_a_table_that_allows_nothing_sends_no_picture_and_one_that_does_chooses_who_sees_it(hall: RunningHall) -> None:
    tables = {name: StoryTable(f"m-{name}", chained(3, match=f"m-{name}")) for name in ("t1", "t2", "t3")}
    for name, table in tables.items():
        hall.enrol(name)
        allowed = {"t2": SentPicture(lambda: MADE, "arbiters"), "t3": SentPicture(lambda: MADE, "spectators")}.get(name)
        hall.join(name, table, picture=allowed)
    until(lambda: arrived(hall, "t2", spectator=False) and arrived(hall, "t3", spectator=True))
    until(lambda: hall.has("t1", tables["t1"]) and all(one.snapshot for one in hall.hall.tables()))
    assert not arrived(hall, "t2", spectator=True)
    assert not arrived(hall, "t1", spectator=False)
    assert PICTURE_FOR not in next(one for one in hall.hall.tables() if one.table == "t1").snapshot
    found = hall.hall.picture("t3", spectator=False)
    assert found is not None
    assert found[0] == small(MADE) and len(found[0]) <= wire.MOST_PICTURE
    assert 0 <= found[1] < 60
    assert base64.b64encode(found[0][:60]).decode() not in json.dumps(hall.store.dump(), default=str), "it is in memory alone"
    if hall.broker is not None:
        assert kept_by(hall.broker.port) == {wire.STATE, wire.ONLINE}, "and no broker keeps it for whoever comes later"


def kept_by(port: int) -> set[str]:
    """The kinds of messages that a broker hands to somebody who comes now."""
    import paho.mqtt.client as paho  # noqa: PLC0415

    kinds: list[str] = []
    client = paho.Client(paho.CallbackAPIVersion.VERSION2)
    client.on_connect = lambda client, *_: client.subscribe("table-witness/+/up/+", qos=1)
    client.on_message = lambda _, __, message: kinds.append(message.topic.rpartition("/")[2]) if message.retain else None
    client.connect("127.0.0.1", port)
    client.loop_start()
    until(lambda: len(kinds) >= 6)
    time.sleep(0.3)  # for one more, which must not come
    client.disconnect()
    client.loop_stop()
    return set(kinds)


def shown(match: str = "m1", allowed: str | None = "arbiters") -> HallTable:
    return HallTable("t1", "Table 1", match, snapshot={} if allowed is None else {PICTURE_FOR: allowed})


def body(picture: bytes = b"", match: str = "m1") -> bytes:
    return wire.Picture(match, picture or (small(MADE) or b"")).encode()


def test_pictures_are_bounded_in_rate_and_age_and_go_with_their_game() -> None:
    now = [100.0]
    pictures = Pictures(lambda: now[0])
    assert pictures.take("t1", body())
    now[0] += LEAST_S / 2
    other = jpeg(np.zeros((40, 60, 3), np.uint8))
    assert pictures.take("t1", body(other)), "too soon: it is passed over"
    first = pictures.of(shown(), spectator=False)
    assert first is not None and (first.jpeg, first.age) == (small(MADE), LEAST_S / 2)
    assert pictures.of(shown("m2"), spectator=False) is None, "of another game"
    assert pictures.of(shown(allowed=None), spectator=False) is None, "what was allowed was taken back"
    now[0] += LEAST_S
    assert pictures.take("t1", body(other))
    assert (second := pictures.of(shown(), spectator=False)) is not None and second.jpeg == other
    now[0] += KEEP_S + 1
    assert pictures.of(shown(), spectator=False) is None, "too old"
    assert pictures.take("t1", body(other))
    pictures.forget("t1")
    assert pictures.of(shown(), spectator=False) is None


@pytest.mark.parametrize(
    "told",
    [
        b"no json",
        b"{}",
        body(b"GIF89a and no JPEG"),
        body(b"\xff\xd8\xff\xe0 cut off"),
        body(jpeg(np.zeros((8, 1400, 3), np.uint8))),
        body(MADE),
        json.dumps({"v": 1, "match": "m1", "jpeg": "%%%"}).encode(),
        json.dumps({"v": 1, "match": "../m", "jpeg": ""}).encode(),
    ],
)
def test_what_is_no_small_picture_is_not_shown(told: bytes) -> None:
    pictures = Pictures()
    assert not pictures.take("t1", told)
    assert pictures.of(shown(), spectator=False) is None


def test_a_picture_is_sent_now_and_then_and_only_if_it_is_another_one() -> None:
    given: list[bytes | None] = [None, MADE, MADE, b"no picture"]
    sent = SentPicture(lambda: given.pop(0), "arbiters")
    assert sent.due("", 0.0) is None, "before a game is on"
    assert sent.due("m1", 0.0) is None, "before the camera gave one"
    assert sent.due("m1", EVERY_S - 0.1) is None
    made = sent.due("m1", EVERY_S)
    assert made is not None and made.match == "m1" and made.jpeg == small(MADE)
    assert sent.due("m1", 2 * EVERY_S) is None, "the same again: its age goes on"
    assert sent.due("m1", 3 * EVERY_S) is None
    assert not given


def test_the_option_is_for_tables_of_a_hall(tmp_path: Path) -> None:
    options = argparse.ArgumentParser()
    hub_option.add_option(options)
    assert hub_option.choose(options.parse_args([]), tmp_path) is None
    with pytest.raises(BadInput, match="name the hall by --hub"):
        hub_option.choose(options.parse_args(["--hub-picture", "arbiters"]), tmp_path)
    link = "http://127.0.0.1:1/hall#t=t1&k=x"
    usual = hub_option.choose(options.parse_args(["--hub", link]), tmp_path)
    assert usual is not None and usual.picture == ""
    chosen = hub_option.choose(options.parse_args(["--hub", link, "--hub-picture", "spectators"]), tmp_path)
    assert chosen is not None and chosen.picture == "spectators"
