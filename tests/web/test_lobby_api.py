"""The lobby's addresses: what is refused and how, who is led where, and the first guests who wait for the game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_lobby import FINGERPRINT, FakeLobby, PlayingLobby
from fake_table import FakeTable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import games
from companion.host import setup as steps
from companion.host.choices import Choices
from companion.host.passes import Passes
from companion.host.table_proxy import TableProxy
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.guard import HEADER
from companion.web.lobby import COMMANDS
from companion.web.roles import ARBITER, OWNER, TABLE
from companion.web.settings import PageSettings

POST = {HEADER: "1", "Origin": "http://localhost"}


@pytest.fixture
def lobby_port(tmp_path: Path) -> Iterator[FakeLobby]:
    lobby_port = FakeLobby(tmp_path)
    yield lobby_port
    lobby_port.close()


@pytest.fixture
def lobby(lobby_port: FakeLobby) -> Any:
    return create_app(TableProxy(), PageSettings(answers_burst=100_000), lobby_port=lobby_port, camera=lobby_port).test_client()


def wish(client: Any, body: Any, **headers: str) -> Any:
    return client.post("/api/lobby", json=body, headers={**POST, **headers})


def code(response: Any) -> str:
    return str(response.get_json()["error"]["code"])


def test_before_the_first_game_the_owner_is_led_to_the_lobby_and_guests_wait(lobby_port: FakeLobby) -> None:
    passes = Passes.open(None)
    app = create_app(TableProxy(), lobby_port=lobby_port, access_control=AccessControl(passes, closed=True))
    clients = {}
    for role in (OWNER, TABLE):
        clients[role] = app.test_client()
        clients[role].post("/api/session", json={"token": passes.issue(role)[1]}, headers=POST)
    assert clients[OWNER].get("/").location == "/lobby"
    assert clients[OWNER].get("/lobby").status_code == 200
    assert clients[TABLE].get("/").status_code == 200
    for address in ("/api/snapshot", "/api/board", "/api/events?after=0"):
        waiting = clients[TABLE].get(address)
        assert (waiting.status_code, code(waiting)) == (503, "not-yet"), address
    assert code(clients[TABLE].get("/lobby")) == "not-yours"
    assert app.test_client().get("/lobby").location == "/join"


def test_nobody_hands_out_the_owners_link_on_the_page(tmp_path: Path) -> None:
    passes = Passes.open(None)
    app = create_app(FakeTable(), lobby_port=PlayingLobby(tmp_path), access_control=AccessControl(passes, closed=True))
    for role in (OWNER, ARBITER, TABLE):
        client = app.test_client()
        client.post("/api/session", json={"token": passes.issue(role)[1]}, headers=POST)
        assert "owner" not in client.get("/api/passes").get_json()["roles"]
        refused = client.post("/api/passes", json={"role": OWNER}, headers=POST)
        assert (refused.status_code, code(refused)) == (403, "not-yours")


@pytest.mark.parametrize(("rules", "unplayed"), [({}, {"seat-3", "seat-6"}), ({"players": "6"}, set())])
def test_as_many_seats_are_offered_as_there_are_players(lobby: Any, rules: dict[str, str], unplayed: set[str]) -> None:
    game = games.load("get-adler")
    wish(lobby, {"do": "game", "game": game.id, "edition": game.editions()[0]})
    wish(lobby, {"do": "choices", "choices": {"rules": rules}})
    offered = [seat for seat in game.seats if seat not in unplayed]
    assert lobby.get("/api/lobby").get_json()["seats"] == offered
    assert [role for role in lobby.get("/api/passes").get_json()["roles"] if role in game.seats] == offered


def test_during_the_game_the_owner_sees_the_table_with_the_way_back(tmp_path: Path) -> None:
    lobby_port = PlayingLobby(tmp_path)
    lobby_port.setup = steps.with_choices(lobby_port.setup, Choices(secret="sealed"))
    page = create_app(FakeTable(), lobby_port=lobby_port).test_client().get("/")
    assert page.status_code == 200
    assert 'data-lobby="yes"' in page.text and 'data-secret="sealed"' in page.text
    named = create_app(FakeTable()).test_client().get("/").text
    assert 'data-lobby="none"' in named and "data-secret" not in named


def test_without_a_lobby_it_is_said_how_to_get_one() -> None:
    client = create_app(FakeTable()).test_client()
    assert client.get("/lobby").location == "/"
    for response in (client.get("/api/lobby"), wish(client, {"do": "find"}), client.get("/api/lobby/stickers.pdf")):
        assert (response.status_code, code(response)) == (409, "no-lobby")


@pytest.mark.parametrize(
    "body",
    [
        [], {}, {"do": 7}, {"do": "fly"}, {"do": "go"}, {"do": "go", "step": 7}, {"do": "go", "step": "moon"},
        {"do": "go", "step": "game", "more": 1}, {"do": "camera", "kind": "moon"}, {"do": "camera", "kind": "address"},
        {"do": "corners", "corners": [[0, 0]]}, {"do": "corners", "corners": [[0, 0], [1, 0], [1, 1], [0, 9]]},
        {"do": "corners", "corners": [[True, 0], [1, 0], [1, 1], [0, 1]]}, {"do": "choices", "choices": {"secret": "told"}},
        {"do": "piece", "piece": "holmes", "at": [0.5]}, {"do": "piece", "piece": "holmes", "at": [0.5, 1.5]},
        {"do": "piece", "piece": "holmes", "at": [True, 0.5]}, {"do": "piece", "piece": "holmes", "at": [0.5, 0.5]},
        {"do": "again", "table": "../../etc/passwd"}, {"do": "forget", "table": ".."}, {"do": "start", "name": "x"},
        {"do": "game", "game": "go", "edition": "first"}, {"do": "game", "game": "mr-jack-london", "edition": "x"},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_advice_and_changes_nothing(lobby: Any, lobby_port: FakeLobby, body: Any) -> None:
    if body == {"do": "camera", "kind": "address"}:
        lobby_port.sources.pictures = []
        body = {**body, "address": "broken"}
    before = lobby_port.setup
    response = wish(lobby, body)
    assert response.status_code in (400, 503)
    assert all(response.get_json()["error"].values())
    assert lobby_port.setup == before


def test_refusals_are_told_in_the_readers_language(lobby: Any) -> None:
    error = wish(lobby, {"do": "start"}, **{"Accept-Language": "es"}).get_json()["error"]
    assert error["message"] == "No se ha elegido cámara."
    assert error["advice"].startswith("Ve al paso")
    shown = lobby.get("/api/lobby?lang=ja").get_json()
    assert "カメラ" in shown["missing"][0]["message"]
    assert shown["missing"][0]["text"] == "No camera is chosen."


def test_what_to_lay_for_a_third_picture_is_said_in_the_readers_language(lobby: Any, lobby_port: FakeLobby) -> None:
    assert lobby.get("/api/lobby").get_json()["sides"] is None
    edition = games.load("mr-jack-new-york").editions()[0]
    wish(lobby, {"do": "game", "game": "mr-jack-new-york", "edition": edition})
    wish(lobby, {"do": "camera", "kind": "demo"})
    assert lobby_port.preview is not None and lobby_port.preview.newest(5) is not None
    lines = {line["text"]: line["message"] for line in lobby.get("/api/lobby?lang=es").get_json()["sides"]}
    assert lines["the {kind} on {place}, {side} side up"].startswith("informador en ")
    assert "«callado»" in lines["the {kind} on {place}, {side} side up"]
    assert wish(lobby, {"do": "take", "picture": "sides"}).get_json()["error"]["message"] == "Take both pictures first."
    assert code(lobby.get("/api/lobby/picture.jpg?taken=sides")) == "no-picture"


def test_the_start_position_comes_as_a_drawing_for_those_who_ask(lobby: Any, lobby_port: FakeLobby) -> None:
    assert "drawing" not in lobby.get("/api/lobby").get_json()
    wish(lobby, {"do": "game", "game": "mr-jack-new-york", "edition": games.load("mr-jack-new-york").editions()[0]})
    drawing = lobby.get("/api/lobby?drawing=1&lang=ja").get_json()["drawing"]
    assert drawing["board"]["id"] == lobby_port.setup.game == "mr-jack-new-york"
    assert drawing["start"]["characters"].keys() == set(lobby_port.game.characters)
    assert not drawing["board"]["name"].isascii()


def test_pictures_and_the_sheet(lobby: Any, lobby_port: FakeLobby) -> None:
    assert code(lobby.get("/api/lobby/picture.jpg")) == "no-picture"
    assert wish(lobby, {"do": "camera", "kind": "demo"}).status_code == 200
    assert lobby_port.preview is not None and lobby_port.preview.newest(5) is not None
    assert lobby.get("/api/lobby/picture.jpg?lines=1").data[:3] == b"\xff\xd8\xff"
    assert code(lobby.get("/api/lobby/picture.jpg?taken=empty")) == "no-picture"
    assert code(lobby.get("/api/lobby/picture.jpg?taken=../x")) == "no-picture"
    assert lobby.get("/api/lobby/stickers.pdf").data.startswith(b"%PDF-1.")
    assert "cameras" in lobby.get("/api/lobby/cameras").get_json()
    assert wish(lobby, {"do": "find"}, Origin="http://elsewhere").status_code == 403


_FIELDS = sorted({field for fields in COMMANDS.values() for field in fields} | {"do"})
_PLAIN = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.text(max_size=8)
_VALUES = st.recursive(
    _PLAIN | st.sampled_from(sorted(COMMANDS)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_FIELDS), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(name=st.sampled_from(sorted(COMMANDS)), fields=st.dictionaries(st.sampled_from(_FIELDS), _VALUES, max_size=3))
def test_strange_wishes_never_make_it_stumble(lobby: Any, name: str, fields: dict[str, Any]) -> None:
    response = wish(lobby, {**fields, "do": name})
    if response.status_code >= 400:
        error = response.get_json()["error"]
        assert set(error) == {"code", "message", "advice"}
        assert error["code"] != "internal", error


def test_a_cameras_own_certificate_is_asked_about_once(lobby: Any, lobby_port: FakeLobby) -> None:
    choice = {"do": "camera", "kind": "address", "address": "https://cam/pic"}
    refused = wish(lobby, choice)
    error = refused.get_json()["error"]
    assert (refused.status_code, error["code"], error["fingerprint"]) == (409, "untrusted-camera", FINGERPRINT)
    assert FINGERPRINT in error["message"]
    assert lobby_port.setup.camera is None
    assert wish(lobby, {**choice, "trust": FINGERPRINT}).status_code == 200
    assert lobby_port.setup.camera == steps.CameraChoice("address", "https://cam/pic")
