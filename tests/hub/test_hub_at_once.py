"""What happens in a hub while somebody else does something: credentials taken back in the middle of a request, two enrolments."""

import io
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import simplejpeg
from flask import Flask
from halls import SECRET, running

from companion.hub import credentials, news, pictures, wire
from companion.hub.hall import LiveHall
from companion.hub.news import NewsFeed
from companion.hub.store import open_store
from companion.hub.store.port import Enrolled
from companion.hub.transport import http_hub
from companion.hub.transport.http_hub import Letterboxes
from companion.host.passes import Passes
from companion.web import problems
from companion.web.access import AccessControl


class Door:
    """Lets a table in, and meanwhile its credential is taken back."""

    def __init__(self, boxes: Letterboxes) -> None:
        self._boxes, self.good = boxes, True

    def lets_in(self, table: str, secret: str) -> bool:
        good, self.good = self.good, False
        self._boxes.end(table)
        return good

    def receive(self, table: str, kind: str, body: bytes, reply: Callable[[wire.Down], None] | None = None) -> bool:
        return True


def test_a_credential_taken_back_while_its_stream_is_opened_leaves_no_stream() -> None:
    boxes, app = Letterboxes(), Flask(__name__)
    problems.register(app)
    app.register_blueprint(http_hub.blueprint(Door(boxes), boxes))
    answer = app.test_client().get("/api/hall/t1/down", headers={"Authorization": "Bearer x"}, buffered=False)
    assert answer.status_code == 401
    answer.close()
    assert not boxes.listening("t1")


def test_a_pass_taken_back_hears_no_more_news(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "hall.sqlite"))) as store:
        store.enrol(Enrolled("t1", "Table 1", credentials.digest(SECRET), 1.0))
        hall, passes = LiveHall(store), Passes.open(None)
        feed, app = NewsFeed(hall), Flask(__name__)
        problems.register(app)
        app.register_blueprint(news.blueprint(feed, AccessControl(passes, closed=True)))
        held, token = passes.issue("spectator")
        answer = app.test_client().get("/api/hall/news", headers={"Authorization": f"Bearer {token}"}, buffered=False)
        told = iter(answer.response)
        assert b'"table":"t1"' in b"".join(next(told) for _ in range(1))
        passes.revoke(held.id)
        store.enrol(Enrolled("t2", "Table 2", credentials.digest(SECRET), 1.0))
        hall.read_enrolled()
        assert list(told) == []
        answer.close()
        feed.close()


def test_a_picture_that_comes_while_its_table_is_taken_back_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_store(str(tmp_path / "hall.sqlite"))) as store:
        store.enrol(Enrolled("t1", "Table 1", credentials.digest(SECRET), 1.0))
        hall = LiveHall(store)
        told = {"number": 0, "picture_for": "spectators"}
        hall._tables["t1"] = pictured = hall.tables()[0].__class__("t1", "Table 1", "m1", "g", snapshot=told)
        made = wire.Picture("m1", simplejpeg.encode_jpeg(np.zeros((48, 64, 3), np.uint8))).encode()
        usual = pictures._read

        def meanwhile(body: bytes) -> Any:
            store.enrol(Enrolled("t1", "Table 1", "", 1.0))
            hall.read_enrolled()
            return usual(body)

        monkeypatch.setattr(pictures, "_read", meanwhile)
        hall.receive("t1", wire.PICTURE, made)
        assert hall._pictures.of(pictured, spectator=True) is None
        monkeypatch.setattr(pictures, "_read", usual)
        store.enrol(Enrolled("t1", "Table 1", credentials.digest("another"), 1.0))
        hall.read_enrolled()
        hall.receive("t1", wire.PICTURE, made)
        assert hall._pictures.of(pictured, spectator=True) is not None
