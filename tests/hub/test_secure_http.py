"""The built-in transport over TLS: by the house's own authority, which the table's link names, and by nobody else."""

from contextlib import closing
from pathlib import Path

import pytest
from hall_stories import StoryTable, chained
from halls import QUICK, SECRET
from servers import until

from companion.host.authority import Authority
from companion.host.certificates import ServerCertificates
from companion.hub import credentials
from companion.hub.app import create_app, hub_settings
from companion.hub.hall import LiveHall
from companion.hub.link import TableAddress, table_address
from companion.hub.store import open_store
from companion.hub.store.port import Enrolled
from companion.hub.transport.http_table import HttpTable
from companion.hub.uplink.uplink import Uplink
from companion.web.server import PageServer


def test_a_table_trusts_the_houses_authority_and_no_other(tmp_path: Path) -> None:
    house, stranger = (Authority.open(tmp_path / f"{name}.json") for name in ("house", "stranger"))
    with closing(open_store(str(tmp_path / "hall.sqlite"))) as store:
        store.enrol(Enrolled("t1", "Table 1", credentials.digest(SECRET), 1.0))
        hall = LiveHall(store)
        hall.start()
        with PageServer(create_app(hall), settings=hub_settings(), tls=ServerCertificates(house).context) as server:
            port = int(server.address.rstrip("/").rpartition(":")[2])
            way = TableAddress("https", "127.0.0.1", port, "t1", SECRET, house.certificate)
            table = StoryTable("m1", chained(700, {"filler": "x" * 900}))
            uplink = Uplink(table, HttpTable(table_address(way.link())), settings=QUICK)
            uplink.start()
            until(lambda: uplink.done)
            uplink.close()
            assert [event.digest for event in store.events("t1", "m1", 0, 9999)] == [event.digest for event in table.record]
            told: list[tuple[bool, str]] = []
            link = HttpTable(TableAddress("https", "127.0.0.1", port, "t1", SECRET, stranger.certificate))
            link.start(lambda kind, body: None, lambda there, why: told.append((there, why)))
            until(lambda: bool(told))
            assert not told[0][0] and "its certificate is not trusted" in told[0][1]
            link.close()
        hall.close()


@pytest.mark.parametrize(
    "path", ["/api/hall/t1/down", "/api/hall/t1/up/events", "/api/hall/t1/up/dance", "/api/hall/../up/events"]
)
def test_without_a_credential_nothing_is_answered(tmp_path: Path, path: str) -> None:
    with closing(open_store(str(tmp_path / "hall.sqlite"))) as store:
        client = create_app(LiveHall(store)).test_client()
        for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer x"}, {"Authorization": "Basic eDp4"}):
            asked = {**headers, "X-Table-Witness": "1"}
            answer = client.get(path, headers=asked) if path.endswith("down") else client.post(path, headers=asked, data=b"{}")
            assert answer.status_code in (401, 404)
        assert client.post("/api/hall/t1/up/events", data=b"{}").status_code == 403, "no header that a foreign page cannot send"
