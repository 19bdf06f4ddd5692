"""Who is shown what follows from the answers at a table of Get Adler!: spectators, and players only where all agreed."""

import json
from pathlib import Path

import pytest
from testkit.adler_at_table import AdlerAtTable

from companion.host.passes import Passes
from companion.web.access import AccessControl
from companion.web.app import create_app, views_of
from companion.web.delayed_table import DelayedTable
from companion.web.guard import HEADER
from companion.web.settings import PageSettings

ROLES = ("table", "seat-1", "seat-4", "arbiter", "spectator")


@pytest.mark.parametrize(("rules", "knowing"), [({}, {"spectator"}), ({"memory": "players"}, set(ROLES))])
def test_who_everybody_may_be_is_shown_to_spectators_and_to_players_only_where_all_agreed(
    tmp_path: Path, rules: dict[str, str], knowing: set[str]
) -> None:
    table, passes = AdlerAtTable(tmp_path, rules), Passes.open(None)
    table.open_up(sealed=False)
    table.ask("seat-5")
    settings = PageSettings(watch_seconds=0.1, heartbeat_seconds=0.2)
    app = create_app(table.table, settings, access_control=AccessControl(passes, closed=True))
    shown, streamed = set(), set()
    for role in ROLES:
        client = app.test_client()
        token = passes.issue(role)[1]
        assert client.post("/api/session", json={"token": token}, headers={HEADER: "1"}).status_code == 200
        shown |= {role} if client.get("/api/snapshot").get_json()["deduced"] is not None else set()
        stream = client.get("/api/events", buffered=False).iter_encoded()
        told = next(one for one in stream if b"event: snapshot" in one)
        data = next(line for line in told.splitlines() if line.startswith(b"data: ") and b'"deduced"' in line)
        streamed |= {role} if json.loads(data.removeprefix(b"data: "))["deduced"] is not None else set()
    views_of(app).close()
    table.close()
    assert shown == streamed == knowing


def test_only_seats_that_play_are_offered_links(tmp_path: Path) -> None:
    table = AdlerAtTable(tmp_path)
    roles = create_app(table.table).test_client().get("/api/passes").get_json()["roles"]
    table.close()
    assert [role for role in roles if role.startswith("seat-")] == table.table.snapshot()["seats"]


def test_a_spectator_who_is_behind_is_shown_what_followed_then(tmp_path: Path) -> None:
    table = AdlerAtTable(tmp_path)
    table.open_up(sealed=False)
    now = [0.0]
    past = DelayedTable(table.table, 30.0, clock=lambda: now[0])
    past.look()
    table.ask("seat-5")
    now[0] = 31.0
    past.look()
    assert past.snapshot()["deduced"]["deals"] == 24 and table.table.watched()["deduced"]["deals"] < 24
    table.close()
