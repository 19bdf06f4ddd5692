"""What the addresses answer with is what the API's description says, key by key; and every kind of event is in it."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_boxes import FakeBoxes
from fake_lobby import FakeLobby

from companion import games
from companion.demo import TABLE as PICTURES
from companion.demo import DemoCamera, load_script
from companion.host.authority import Authority
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.secrets import Secrets
from companion.host.table import Table
from companion.record.log import Record
from companion.referee.match import EVENT_KINDS
from companion.vision.marked.reader import MarkedReader
from companion.vision.table_sets.table_set import load_table_set
from companion.vision.watching.watcher import Watcher
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.guard import HEADER
from companion.web.reach import Reach
from companion.web.roles import ARBITER, CAMERA, OWNER, TABLE, rights_of
from companion.web.sentences import Sentences, announcer
from companion.web.trust import trust_json

checker = pytest.importorskip("jsonschema_rs", reason="jsonschema_rs is missing: pip install -e '.[test]'")
JACK, DETECTIVE = "jack", "detective"
ROLES = rights_of(games.load()).roles
DOCUMENT = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text(encoding="utf-8"))
PICTURE = (PICTURES / "001.jpg").read_bytes()


def schema(method: str, path: str) -> dict[str, Any]:
    content = DOCUMENT["paths"][path][method]["responses"]["200"]["content"]
    return dict(content["application/json"]["schema"])


def faults(data: Any, described: dict[str, Any]) -> list[str]:
    validator = checker.validator_for({**described, "components": DOCUMENT["components"]})
    return [f"{'/'.join(map(str, error.instance_path))}: {error.message[:200]}" for error in validator.iter_errors(data)]


def component(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


class Played:
    """A real table over the demo's camera, with everything that can be beside it."""

    def __init__(self, folder: Path, pace: float) -> None:
        script, table_set = load_script(), load_table_set(PICTURES)
        self.record = Record.open(folder / "game.sqlite")
        secrets, game = Secrets.open(None), games.load()
        watcher = Watcher(MarkedReader(table_set.board, table_set.pieces, table_set.lens), table_set.board)
        camera = DemoCamera(script, pace=pace, hold=True)
        self.table = Table(game, self.record, camera, watcher, secrets, edition=table_set.board.edition)
        self.table.answer(dict(script.told))
        self.passes, self.lobby = Passes.open(None), FakeLobby(folder)
        notes = Notes(secrets, game, lambda: str(self.table.snapshot()["match"]))
        self.app = create_app(
            self.table, access_control=AccessControl(self.passes, closed=True, notes=notes), button_boxes=FakeBoxes(),
            camera=self,
            authority=Authority.open(None), lobby_port=self.lobby,
        )  # fmt: skip

    def push(self, data: bytes, *, still: bool = False) -> tuple[int, int]:
        return 1920, 1080

    def ask(self, role: str, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.passes.issue(role)[1]}", HEADER: "1"}
        if isinstance(body, bytes):
            headers["Content-Type"] = "image/jpeg"
            return self.app.test_client().open(path, method=method, headers=headers, data=body)
        return self.app.test_client().open(path, method=method, headers=headers, json=body if method == "post" else None)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    played = Played(tmp_path, 2.0)
    yield played
    played.table.stop()
    played.lobby.close()
    played.record.close()


def test_every_json_is_described() -> None:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            content = operation["responses"].get("200", {}).get("content", {})
            assert "schema" in content.get("application/json", {"schema": 1}), (method, path)


def test_every_kind_of_event_and_every_role_is_described() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert schemas["Event"]["properties"]["kind"]["enum"] == sorted({*EVENT_KINDS, *games.load().events})
    assert schemas["Role"]["enum"] == list(ROLES)


BODIES: dict[str, Any] = {
    "/api/session": {"token": None}, "/api/passes": {"role": JACK, "seat": "Anna"}, "/api/boxes/look": {},
    "/api/boxes/assign": {"box": "0000000a", "role": "jack"}, "/api/boxes/shuffle": {"on": True},
    "/api/boxes/press": {"button": "again"}, "/api/notes": {"characters": []}, "/api/lobby": {"do": "go", "step": "game"},
    "/api/camera/picture": PICTURE, "/api/answers": {"kind": "clock", "action": "start", "seconds": 600},
}  # fmt: skip


def test_answers_are_as_described(played: Played) -> None:
    checked = set()
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if "application/json" not in operation["responses"].get("200", {}).get("content", {}):
                continue
            if "application/octet-stream" in operation.get("requestBody", {}).get("content", {}):
                continue  # a recording: what understands it is an extra
            body = BODIES.get(path)
            if path.endswith(("revoke", "renew")):
                body = {"id": played.passes.issue(JACK)[0].id}
            role = next(one for one in (ARBITER, TABLE, OWNER, "notes") if one in operation["x-roles"])
            role = DETECTIVE if role == "notes" else role
            response = played.ask(role, method, path, body)
            assert response.status_code == 200, (method, path, response.text)
            assert faults(response.get_json(), schema(method, path)) == [], (method, path)
            checked.add((method, path))
    assert len(checked) > 18


def test_a_cameras_link_over_https_is_as_described(played: Played) -> None:
    given = played.ask(ARBITER, "post", "/api/passes", {"role": CAMERA}).get_json()
    assert given["trust"] is None
    reach = Reach(plain_port=8000, secure_port=8443)
    with played.app.test_request_context("/", base_url="http://192.168.1.2:8000"):
        given["trust"] = trust_json(Authority.open(None), reach)
    assert given["trust"]["link"] == "http://192.168.1.2:8000/trust"
    assert faults(given, component("GivenPass")) == []


def test_a_refusal_is_as_described(played: Played) -> None:
    for role, path in ((JACK, "/api/passes"), (ARBITER, "/nowhere")):
        assert faults(played.ask(role, "get", path).get_json(), component("Error")) == []


@pytest.mark.slow
def test_a_whole_game_stays_as_described(played: Played) -> None:
    """The demo, played through: every snapshot on the way and every event's line, in two languages."""
    played.table.start()
    strange: list[str] = []
    seen, over = 0, threading.Event()
    until = time.monotonic() + 90
    while not over.is_set() and time.monotonic() < until:
        snapshot = played.ask(ARBITER, "get", "/api/snapshot?lang=it").get_json()
        strange += faults(snapshot, component("Snapshot"))
        if snapshot["turn"] >= 3:
            over.set()
        time.sleep(0.1)
    sentences = Sentences(announcer(played.table))
    for event in played.record.events():
        seen += 1
        for language in ("en", "ja"):
            strange += faults(sentences.event_json(event, language), component("Event"))
    assert strange == []
    assert seen > 20


def test_the_checks_can_fail() -> None:
    assert faults({"id": "x"}, component("Pass"))
    assert faults({"error": {}}, component("Error"))
