"""What happens in a hub while somebody else does something: a credential taken back during a request, two enrolments."""

import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import simplejpeg
from flask import Flask
from halls import SECRET

from companion.cli import main
from companion.host.passes import Passes
from companion.hub import broker_files, credentials, news, pictures, wire
from companion.hub.hall import LiveHall
from companion.hub.link import TableAddress
from companion.hub.news import NewsFeed
from companion.hub.store import open_store
from companion.hub.store.port import Enrolled
from companion.hub.transport import http_hub
from companion.hub.transport.http_hub import Letterboxes
from companion.hub.transport.mqtt import MqttTable
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


class Client:
    """A connection to a broker that is always there, and never says anything."""

    connected = False

    def connect(self, host: str, port: int, **more: Any) -> None:
        self.connected = True

    def loop_start(self) -> None: ...
    def loop_stop(self) -> None: ...
    def disconnect(self) -> None: ...


def test_a_link_that_is_closed_while_it_is_about_to_connect_does_not_connect() -> None:
    link, client = MqttTable(TableAddress("mqtt", "127.0.0.1", 1, "t1", SECRET)), Client()

    def meanwhile() -> Client:
        """The session ends just before the next try."""
        link._client._client = client
        closing.start()
        assert link._client._over.wait(30)
        return client

    link._client._made = meanwhile  # type: ignore[method-assign]
    closing = threading.Thread(target=link.close)
    link.start(lambda kind, body: None, lambda there, why: None)
    link._client._thread.join(30)
    assert not link._client._thread.is_alive() and not client.connected
    closing.join(30)


def test_tables_that_are_enrolled_at_once_are_all_let_in_by_the_broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    words = [
        "--database",
        str(tmp_path / "hall.sqlite"),
        "--broker-files",
        str(tmp_path / "broker"),
        "--at",
        "mqtts://10.0.0.2",
    ]
    usual, others = broker_files.with_password, []

    def meanwhile(lines: str, user: str, secret: str) -> str:
        """Another enrolment begins while this one has read the broker's passwords, and has not written them yet."""
        if user == "t1":
            others.append(threading.Thread(target=main, args=(["hub", "enrol", "t2", *words],)))
            others[0].start()
            others[0].join(1.0)  # it may have to wait until this is done
        return usual(lines, user, secret)

    monkeypatch.setattr(broker_files, "with_password", meanwhile)
    assert main(["hub", "enrol", "t1", *words]) == 0
    others[0].join(60)
    let_in = {line.partition(":")[0] for line in (tmp_path / "broker" / broker_files.PASSWORDS).read_text().splitlines()}
    assert let_in == {"hub", "t1", "t2"}
    assert "user t1\n" in (acl := (tmp_path / "broker" / broker_files.ACL).read_text()) and "user t2\n" in acl
