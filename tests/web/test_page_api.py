"""The page's addresses: what they answer, whom they refuse, and that their documentation is true."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fake_table import SECRET, FakeTable, call_data, play_data

from companion import games
from companion.announce.phrases import TEMPLATES
from companion.boards import editions, load, load_pieces
from companion.record.log import RecordTrouble
from companion.web.app import create_app
from companion.web.board_json import board_json
from companion.web.guard import HEADER, host_allowed
from companion.web.rate_limit import RateLimiter
from companion.web.roles import rights_of
from companion.web.sentences import Sentences, announcer
from companion.web.settings import PageSettings

FIELDS = rights_of(games.load()).fields
DOCS = Path(__file__).parents[2] / "docs" / "api.md"
POST = {HEADER: "1", "Origin": "http://localhost"}


def answer(client: Any, message: Any, **headers: str) -> Any:
    return client.post("/api/answers", json=message, headers={**POST, **headers})


def problem(response: Any) -> dict[str, str]:
    body = response.get_json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "advice"}
    assert all(body["error"].values())
    return dict(body["error"])


def test_every_address_is_documented_and_no_other(app: Any) -> None:
    rows = re.findall(r"^\| (GET|POST) \| `([^`]+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    routes = [(method, rule.rule) for rule in app.url_map.iter_rules() for method in rule.methods - {"HEAD", "OPTIONS"}]
    assert sorted(rows) == sorted(routes)


def test_every_answer_is_documented_with_its_fields_and_known_to_the_referee() -> None:
    rows = dict(
        re.findall(
            r"^\| `([a-z-]+)` \|([^|]*)\|[^|]*\|$",
            DOCS.read_text(encoding="utf-8").split("## Answers")[1].split("\n## ")[0],
            re.MULTILINE,
        )
    )
    assert set(rows) == set(FIELDS) == {*games.load().answers, "entrust", "deal"}
    for kind, fields in rows.items():
        assert set(re.findall(r"`([a-z]+)`", fields)) == FIELDS[kind], kind


def test_every_refusal_of_the_code_is_documented() -> None:
    web = Path(__file__).parents[2] / "web"
    source = "".join(path.read_text(encoding="utf-8") for path in web.glob("*.py"))
    codes = set(re.findall(r'Problem\(\s*\d+,\s*"([a-z-]+)"', source)) | set(
        re.findall(r'answer\(\s*\d+,\s*"([a-z-]+)"', source)
    )
    assert codes
    text = DOCS.read_text(encoding="utf-8")
    assert {code for code in codes if f"`{code}`" not in text} == set()


def test_snapshot_is_the_tables(client: Any, table: FakeTable) -> None:
    table.push("match-opened", {})
    given = client.get("/api/snapshot").get_json()
    assert given["witness"].pop("why")["lestrade"] == ["gaslight f5", "next to Holmes"]  # for people; the reasons stay
    assert given == table.snapshot()


@pytest.mark.parametrize("edition", editions("mr-jack-london"))
def test_board_gives_the_printed_geometry(edition: str) -> None:
    board, pieces = load("mr-jack-london", edition), load_pieces("mr-jack-london")
    drawn = board_json(board, pieces)
    assert [cell["id"] for cell in drawn["cells"]] == list(board.cells)
    for cell in drawn["cells"]:
        assert cell["at"] == pytest.approx(board.mm(cell["id"]), abs=0.01)
        assert len(cell["outline"]) == 6
        assert cell["kind"] == board.kind(cell["id"])
    assert {place["id"] for place in drawn["places"]} == set(board.places)
    assert drawn["directions"]["N"] == pytest.approx([0, -1], abs=0.02)
    assert json.loads(json.dumps(drawn)) is not None


def test_marks_are_short_and_tell_the_discs_apart() -> None:
    drawn = board_json(load("mr-jack-london"), load_pieces("mr-jack-london"))
    marks = [piece["mark"] for piece in drawn["pieces"] if piece["group"] == "characters"]
    assert len(set(marks)) == len(marks) == 8
    assert all(len(mark) <= 2 for mark in marks)


def test_picture_comes_once_and_then_not_again(client: Any, table: FakeTable) -> None:
    first = client.get("/api/picture.jpg?overlay=1")
    assert first.mimetype == "image/jpeg"
    assert first.data == table.frame
    assert client.get("/api/picture.jpg?overlay=1", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_no_picture_is_said(client: Any, table: FakeTable) -> None:
    table.frame = None
    response = client.get("/api/picture.jpg")
    assert response.status_code == 503
    assert problem(response)["code"] == "no-picture"


def test_an_answer_reaches_the_table(client: Any, table: FakeTable) -> None:
    assert answer(client, {"kind": "call", "seen": True}).get_json() == {"accepted": "call"}
    assert table.taken == [{"kind": "call", "seen": True}]


def test_what_was_entrusted_never_comes_back(client: Any, table: FakeTable) -> None:
    response = answer(client, {"kind": "entrust", "character": SECRET})
    assert table.secret == SECRET
    assert SECRET.encode() not in response.data
    assert SECRET not in str(response.headers)


def test_a_refused_answer_says_why_and_what_to_do(client: Any, table: FakeTable) -> None:
    table.refuse = "nobody asked for the witness call now"
    response = answer(client, {"kind": "call", "seen": True})
    assert response.status_code == 400
    assert problem(response)["message"] == table.refuse


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ([], "no-kind"),
        ("call", "no-kind"),
        ({}, "no-kind"),
        ({"kind": 7}, "no-kind"),
        ({"kind": "sing"}, "unknown-kind"),
        ({"kind": "undo", "now": True}, "unknown-field"),
        ({"kind": "correct", "subject": "bert", "place": "i8", "also": [{"subject": "gull", "now": 1}]}, "unknown-field"),
        ({"kind": "entrust", "charakter": "bert"}, "unknown-field"),
    ],
)
def test_answers_that_make_no_sense(client: Any, table: FakeTable, message: Any, code: str) -> None:
    response = answer(client, message)
    assert response.status_code == 400
    assert problem(response)["code"] == code
    assert table.taken == []


def test_bodies_that_are_no_json_or_too_large(client: Any, table: FakeTable) -> None:
    broken = client.post("/api/answers", data="{", headers={**POST, "Content-Type": "application/json"})
    assert (broken.status_code, problem(broken)["code"]) == (400, "bad-request")
    plain = client.post("/api/answers", data="kind=undo", headers=POST)
    assert (plain.status_code, problem(plain)["code"]) == (415, "not-json")
    large = client.post(
        "/api/answers", data=b'{"kind":"undo"' + b" " * 20000 + b"}", headers={**POST, "Content-Type": "application/json"}
    )
    assert (large.status_code, problem(large)["code"]) == (413, "too-large")
    assert table.taken == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_answers_from_other_pages_are_refused(client: Any, table: FakeTable, headers: dict[str, str]) -> None:
    response = answer(client, {"kind": "undo"}, **headers)
    assert (response.status_code, problem(response)["code"]) == (403, "foreign-origin")
    assert table.taken == []


def test_an_answer_without_the_header_is_refused(client: Any, table: FakeTable) -> None:
    response = client.post("/api/answers", json={"kind": "undo"})
    assert (response.status_code, problem(response)["code"]) == (403, "no-header")
    assert table.taken == []


def test_a_flood_of_answers_is_held_back_and_then_let_through() -> None:
    pace = RateLimiter(burst=3, per_second=2.0)
    assert [pace.allows("a", 10.0) for _ in range(4)] == [True, True, True, False]
    assert pace.allows("b", 10.0)
    assert [pace.allows("a", 10.6), pace.allows("a", 10.6)] == [True, False]


def test_a_flood_is_answered_with_429(table: FakeTable) -> None:
    client = create_app(table, PageSettings(answers_burst=5, answers_per_second=0.5)).test_client()
    responses = [answer(client, {"kind": "undo"}) for _ in range(8)]
    assert [response.status_code for response in responses] == [200] * 5 + [429] * 3
    assert problem(responses[-1])["code"] == "too-fast"
    assert len(table.taken) == 5


@pytest.mark.parametrize("address", ["/", "/api/snapshot", "/api/events", "/static/script/main.js"])
def test_a_foreign_name_is_refused_everywhere(client: Any, address: str) -> None:
    response = client.get(address, headers={"Host": "evil.example:8000"})
    assert (response.status_code, problem(response)["code"]) == (421, "unknown-host")


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost:8000", True), ("127.0.0.1", True), ("192.168.1.20:80", True), ("[::1]:8000", True), ("table.lan", True),
        ("evil.example", False), ("localhost.evil.example", False), ("", False), ("[bad", False), ("127.0.0.1.nip.io", False),
    ],
)  # fmt: skip
def test_hosts(host: str, allowed: bool) -> None:
    assert host_allowed(host, ("Table.LAN",)) is allowed


@pytest.mark.parametrize("address", ["/", "/api/snapshot", "/nowhere", "/static/style/page.css", "/api/picture.jpg"])
def test_every_answer_protects_the_browser(client: Any, address: str) -> None:
    with client.get(address) as response:
        headers = response.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_the_page_has_nothing_inline(client: Any) -> None:
    html = client.get("/").text
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=", html)


@pytest.mark.parametrize("address", ["/static/../app.py", "/static/..%2fapp.py", "/static/script/../../app.py"])
def test_no_way_out_of_the_static_folder(client: Any, address: str) -> None:
    assert client.get(address).status_code == 404


def test_addresses_and_methods_that_do_not_exist(client: Any) -> None:
    nowhere, wrong = client.get("/nowhere"), client.get("/api/answers")
    assert (nowhere.status_code, problem(nowhere)["code"]) == (404, "not-found")
    assert (wrong.status_code, problem(wrong)["code"]) == (405, "method-not-allowed")


def test_whoever_opens_a_wrong_address_in_a_browser_gets_a_page(client: Any) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    nowhere = client.get("/nowhere?lang=es", headers=browser)
    assert (nowhere.status_code, nowhere.mimetype) == (404, "text/html")
    assert "Vuelve a la página de la mesa." in nowhere.text and 'href="/"' in nowhere.text
    foreign = client.get("/", headers={**browser, "Host": "<b>elsewhere</b>.example"})
    assert foreign.status_code in (400, 421) and "<b>" not in foreign.text
    named = client.get("/", headers={**browser, "Host": "elsewhere.example"})
    assert (named.status_code, named.mimetype) == (421, "text/html") and "elsewhere.example" in named.text
    assert problem(client.get("/api/nowhere", headers=browser))["code"] == "not-found"
    assert problem(client.get("/nowhere", headers={"Accept": "*/*"}))["code"] == "not-found"


def test_a_fault_of_ours_shows_nothing_of_the_inside(client: Any, table: FakeTable, caplog: Any) -> None:
    table.broken = True
    response = client.get("/api/snapshot")
    assert (response.status_code, problem(response)["code"]) == (500, "internal")
    assert b"somebody" not in response.data
    assert "on fire" in caplog.text


def test_no_game_is_named_in_what_draws_it() -> None:
    """A second game must work by its data alone, so nothing of this one may be in the page's code."""
    pieces = load_pieces("mr-jack-london").pieces
    names = {piece.id for piece in pieces.values() if piece.group == "characters"} | {piece.name for piece in pieces.values()}
    script = Path(__file__).parents[2] / "web" / "static"
    for path in script.rglob("*.js"):
        words = set(re.findall(r"[A-Za-z-]+", path.read_text(encoding="utf-8")))
        assert not words & names, path


def test_events_get_their_sentence_and_odd_ones_do_not_stop_the_rest(table: FakeTable, caplog: Any) -> None:
    sentences = Sentences(announcer(table))
    play = sentences.event_json(
        table.push("play", play_data("holmes", ["g5", "g6"], "{who} walks.") | {"params": {"who": "Holmes"}}), "en"
    )
    assert (play["text"], play["urgency"], play["spoken"]) == ("Holmes walks.", "polite", True)
    call = sentences.event_json(table.push("call", call_data(True)), "en")
    assert call["text"].startswith("Jack is seen. Cleared: John H. Watson.")
    assert call["urgency"] == "assertive"
    opened = sentences.event_json(table.push("match-opened", {}), "en")
    assert opened["text"]
    assert not opened["spoken"]
    odd = sentences.event_json(table.push("flag", {"no": "faults"}), "en")
    assert odd["text"] == ""
    assert "has no sentence" in caplog.text
    assert TEMPLATES


def test_a_full_disk_is_not_put_down_to_what_was_entered_and_no_path_is_shown(
    client: Any, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "the disk is full; free some space and the game goes on"

    def refuse(_: Any, **__: Any) -> Any:
        raise RecordTrouble(said, "/media/games/games/tonight.sqlite")

    monkeypatch.setattr(table, "answer", refuse)
    for kind in ({"kind": "seal", "commitment": "0" * 64}, {"kind": "cards", "characters": []}, {"kind": "undo"}):
        response = answer(client, kind)
        error = response.get_json()["error"]
        assert response.status_code == 503 and (error["code"], error["message"]) == ("not-stored", said)
        assert "put right" not in error["advice"] and "anna" not in response.get_data(as_text=True)
