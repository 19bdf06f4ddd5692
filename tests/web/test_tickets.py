"""What this machine's browser is opened with is good once and soon: in ``ps`` and in the history it is of no use afterwards."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from fake_table import FakeTable

from companion.cli.session import lobby as session
from companion.cli.session.output import OutputOptions
from companion.host.passes import Passes
from companion.host.tickets import LASTS, Tickets
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.guard import HEADER
from companion.web.roles import OWNER, TABLE

POST = {HEADER: "1", "Origin": "http://localhost"}


def come(client: Any, token: str, **more: bool) -> Any:
    return client.post("/api/session", json={"token": token, **more}, headers=POST)


@pytest.fixture
def access_control() -> AccessControl:
    return AccessControl(Passes.open(None), closed=True)


def test_a_ticket_lets_in_once_and_is_worth_nothing_afterwards(access_control: AccessControl) -> None:
    app, token = create_app(FakeTable(), access_control=access_control), access_control.passes.issue(OWNER)[1]
    address = access_control.ticket("http://localhost/", token)
    assert token not in address
    ticket = address.partition("#")[2]
    client = app.test_client()
    assert come(client, ticket).get_json()["role"] == OWNER
    assert client.get("/api/snapshot").status_code == 200
    assert token in client.get_cookie(f"table-witness-{access_control.passes.table}").value
    for again in (app.test_client(), client):
        assert come(again, ticket).status_code == 401
    assert come(app.test_client(), token).status_code == 200, "the printed link stays good"


def test_a_ticket_is_no_pass_by_itself(access_control: AccessControl) -> None:
    app, ticket = (
        create_app(FakeTable(), access_control=access_control),
        access_control.tickets.issue(access_control.passes.issue(OWNER)[1]),
    )
    assert app.test_client().get("/api/snapshot", headers={"Authorization": f"Bearer {ticket}"}).status_code == 401


def test_a_question_does_not_use_the_ticket_up(access_control: AccessControl) -> None:
    client = create_app(FakeTable(), access_control=access_control).test_client()
    come(client, access_control.passes.issue(TABLE)[1])
    ticket = access_control.tickets.issue(access_control.passes.issue(OWNER)[1])
    assert come(client, ticket).get_json()["switch"] == OWNER
    assert come(client, ticket, switch=True).get_json()["role"] == OWNER
    assert come(client, ticket, switch=True).status_code == 401


def test_a_ticket_runs_out() -> None:
    now = [0.0]
    tickets = Tickets(lambda: now[0])
    kept, late = tickets.issue("one"), tickets.issue("two")
    now[0] = LASTS - 1
    assert tickets.use(kept) == "one"
    now[0] = LASTS + 1
    assert (tickets.token(late), tickets.use(late), tickets.use(kept)) == (None, None, None)
    assert "two" not in repr(tickets)


def test_two_who_use_one_ticket_at_once_do_not_both_come_in() -> None:
    tickets = Tickets()
    ticket, got = tickets.issue("one"), []
    threads = [threading.Thread(target=lambda: got.append(tickets.use(ticket))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got.count("one") == 1


def test_the_browser_is_opened_with_no_token_that_stays_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(session, "open_browser", lambda address, _: opened.append(address))
    stopped = threading.Event()
    threading.Timer(1.0, stopped.set).start()
    lobby_session = session.LobbySession(
        tmp_path / "game.sqlite", tmp_path / "tables", showing=OutputOptions("0.0.0.0", 0, browser=True)
    )
    session.host_lobby(lobby_session, stopped)
    printed = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("page:"))
    token = printed.partition("#")[2].strip()
    kept = Passes.open(tmp_path / "game.sqlite.passes")
    assert kept.check(token) is not None, "the printed link is the pass"
    assert kept.check(opened[0].partition("#")[2]) is None
    assert opened[0].partition("#")[2] not in json.dumps((tmp_path / "game.sqlite.passes").read_text())
