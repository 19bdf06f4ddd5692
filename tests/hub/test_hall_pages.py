"""The hall's pages over the hub itself: a table comes in over HTTP, is seen on the wall, ruled on, and takes it over."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from hall_stories import StoryTable
from halls import QUICK, SECRET
from servers import until

from companion.hub import credentials
from companion.hub.app import create_app, hub_settings
from companion.hub.hall import LiveHall
from companion.hub.link import TableAddress
from companion.hub.model import SEAL
from companion.hub.store import open_store
from companion.hub.store.port import Enrolled
from companion.hub.transport.http_table import HttpTable
from companion.hub.uplink.uplink import Uplink
from companion.hub.wall.access import open_access
from companion.hub.wall.app import join
from companion.hub.wall.book import EventBook
from companion.hub.wall.signed import Seals
from companion.record.seal import seal, seal_of
from companion.web.guard import HEADER
from companion.web.server import PageServer


def asked(address: str, path: str, data: Any = None) -> Any:
    body = None if data is None else json.dumps(data).encode()
    headers = {"Content-Type": "application/json", HEADER: "1"}
    request = urllib.request.Request(f"{address}{path}", body, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


class SealedTable(StoryTable):
    """A story whose game can end."""

    over = False

    def snapshot(self) -> dict[str, Any]:
        return {**super().snapshot(), "turn": 3, "phase": "over" if self.over else "play"}


def test_a_table_is_seen_ruled_on_and_its_seal_is_kept(tmp_path: Path) -> None:
    store, book, seals = open_store(str(tmp_path / "hall.sqlite")), EventBook(), Seals(tmp_path / "seals.jsonl")
    store.enrol(Enrolled("t1", "Table 1", credentials.digest(SECRET), 1.0))
    hall = LiveHall(store)
    app = create_app(
        hall, hub_settings(), open_access(),
        pages=lambda app, settings, control, reach: join(app, hall, book, settings, control, reach, seals=seals),
    )  # fmt: skip
    hall.start()
    table, record = SealedTable(), tmp_path / "record.tw"
    table.begin()
    with PageServer(app, settings=hub_settings()) as server:
        port = int(server.address.rstrip("/").rpartition(":")[2])
        uplink = Uplink(table, HttpTable(TableAddress("http", "127.0.0.1", port, "t1", SECRET)), record, settings=QUICK)
        uplink.start()
        try:
            until(lambda: asked(server.address, "api/hall")["tables"][0]["turn"] == 3)
            assert asked(server.address, "api/hall")["tables"][0]["state"] == "play"
            until(lambda: asked(server.address, "tables/t1/api/snapshot")["number"] == 1)
            assert SEAL not in asked(server.address, "tables/t1/api/snapshot")
            ruling = {"kind": "rule", "action": "adjourn", "reason": "lunch"}
            asked(server.address, "tables/t1/api/answers?about=1", ruling)
            until(lambda: asked(server.address, "tables/t1/api/snapshot")["rulings"][0]["state"] == "taken")
            assert table.record[-1].kind == "ruling"
            table.refuse = "nothing is flagged"
            asked(server.address, "tables/t1/api/answers?about=2", {"kind": "rule", "action": "allow", "reason": "x"})
            until(lambda: asked(server.address, "tables/t1/api/snapshot")["rulings"][0]["state"] == "refused")
            assert asked(server.address, "tables/t1/api/snapshot")["rulings"][0]["told"] == "nothing is flagged"
            table.write("outcome", {"winner": "jack", "code": "escaped", "text": "Jack is away.", "params": {}})
            made = seal(table.record, b"7" * 32)
            seal_of(record).write_text(json.dumps(made))
            table.over = True
            until(lambda: seals.of("t1", "m1") == made)
            until(lambda: asked(server.address, "api/hall")["tables"][0]["state"] == "over")
            told = asked(server.address, "api/archive/t1/m1")
            assert (told["events"], told["head"]) == (len(table.record), table.record[-1].digest)
            with pytest.raises(urllib.error.HTTPError):  # a table's own addresses need its credential
                asked(server.address, "api/hall/t1/up/events", {})
        finally:
            uplink.close()
    hall.close()
    store.close()
