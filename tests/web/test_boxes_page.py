"""Button boxes on the page: the addresses, who may what, keys, roles, labels that are shown to Jack alone."""

from collections.abc import Iterator
from typing import Any

import pytest
from fake_boxes import LABELS, FakeBoxes
from fake_table import FakeTable
from seat_pages import until
from slow_network import held

from companion.host.passes import Passes
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.guard import HEADER
from companion.web.roles import ARBITER, SPECTATOR, TABLE
from companion.web.server import PageServer
from companion.web.settings import PageSettings

JACK, DETECTIVE = "jack", "detective"

POST = {HEADER: "1", "Origin": "http://localhost"}


@pytest.fixture
def boxes() -> FakeBoxes:
    return FakeBoxes()


@pytest.fixture
def settings() -> PageSettings:
    return PageSettings(streams=12, watch_seconds=0.1, heartbeat_seconds=1.0, answers_burst=200)


@pytest.fixture
def app(table: FakeTable, settings: PageSettings, boxes: FakeBoxes) -> Any:
    return create_app(table, settings, button_boxes=boxes)


def post(client: Any, address: str, body: Any) -> Any:
    return client.post(address, json=body, headers=POST)


def test_what_is_shown_pressed_and_assigned(client: Any, boxes: FakeBoxes) -> None:
    shown = client.get("/api/boxes").get_json()
    assert shown["boxes"][0]["box"] == "0000000a" and shown["may"] == {"assign": True, "shuffle": True, "labels": True}
    assert post(client, "/api/boxes/assign", {"box": "0000000a", "role": "jack"}).status_code == 200
    assert client.get("/api/boxes").get_json()["boxes"][0]["role"] == "jack"
    assert post(client, "/api/boxes/shuffle", {"on": True}).get_json() == {"shuffled": True}
    assert client.get("/api/boxes/labels").get_json() == {"labels": LABELS}
    assert post(client, "/api/boxes/look", {}).status_code == 200 and boxes.looked == 1
    replies = {post(client, "/api/boxes/press", {"button": button}).data for button in ("answer-a", "answer-b", "again")}
    assert len(replies) == 1
    assert post(client, "/api/boxes/press", {"button": "again", "held": True}).status_code == 200
    assert boxes.pressed == [
        ("answer-a", False, "table", None), ("answer-b", False, "table", None), ("again", False, "table", None),
        ("again", True, "table", None),
    ]  # fmt: skip


def test_labels_are_in_nothing_that_others_get(client: Any, boxes: FakeBoxes, table: FakeTable) -> None:
    boxes.shuffled = True
    table.show("call")
    for address in ("/api/snapshot", "/api/boxes", "/"):
        with client.get(address) as response:
            assert b'"right"' not in response.data
    labels = client.get("/api/boxes/labels")
    assert labels.headers["Cache-Control"] == "no-store" and boxes.asked == 1


@pytest.mark.parametrize(
    ("address", "body", "code"),
    [
        ("assign", {"box": "x"}, "bad-request"), ("assign", {"box": 1, "role": ""}, "bad-request"),
        ("assign", [], "bad-request"),
        ("assign", {"box": "x", "role": "boss"}, "bad-input"), ("shuffle", {"on": 1}, "bad-request"),
        ("press", {"button": "answer-a", "loud": True}, "unknown-field"),
        ("press", {"button": "answer-a", "held": "yes"}, "bad-request"),
        ("press", {"button": None}, "bad-request"),
    ],
)  # fmt: skip
def test_bad_requests_are_refused_in_one_shape(client: Any, address: str, body: Any, code: str) -> None:
    response = post(client, f"/api/boxes/{address}", body)
    assert response.status_code == 400 and response.get_json()["error"]["code"] == code


def test_a_table_without_boxes_shows_none_and_takes_no_press(table: FakeTable) -> None:
    client = create_app(table).test_client()
    assert client.get("/api/boxes").get_json()["boxes"] == []
    refused = post(client, "/api/boxes/press", {"button": "again"})
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (503, "no-boxes")


def test_who_may_what(table: FakeTable, settings: PageSettings, boxes: FakeBoxes) -> None:
    passes = Passes.open(None)
    app = create_app(table, settings, access_control=AccessControl(passes, closed=True), button_boxes=boxes)

    def status(role: str, method: str, address: str, body: Any = None) -> int:
        client = app.test_client()
        assert post(client, "/api/session", {"token": passes.issue(role)[1]}).status_code == 200
        return int((client.get(address) if method == "GET" else post(client, address, body)).status_code)

    expected = {
        ("GET", "/api/boxes", None): {TABLE, JACK, DETECTIVE, ARBITER},
        ("GET", "/api/boxes/labels", None): {TABLE, JACK},
        ("POST", "/api/boxes/shuffle", ("on", True)): {TABLE, JACK, ARBITER},
        ("POST", "/api/boxes/look", None): {TABLE, ARBITER},
        ("POST", "/api/boxes/press", ("button", "answer-a")): {TABLE, JACK, ARBITER},
        ("POST", "/api/boxes/press", ("button", "again")): {TABLE, JACK, DETECTIVE, ARBITER},
        ("POST", "/api/boxes/press", ("button", "arbiter")): {TABLE, JACK, DETECTIVE, ARBITER},
    }
    for (method, address, field), allowed in expected.items():
        for role in (TABLE, JACK, DETECTIVE, ARBITER, SPECTATOR):
            got = status(role, method, address, dict([field]) if field else {})
            assert got == (200 if role in allowed else 403), (address, field, role)
    assert status(DETECTIVE, "POST", "/api/boxes/press", {"button": "again", "held": True}) == 403
    assert status(JACK, "POST", "/api/boxes/press", {"button": "again", "box": "0000000a"}) == 403
    assert {pressed[2] for pressed in boxes.pressed} == {JACK, DETECTIVE, "table"}


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture
def open_page(page: Any, server: PageServer) -> Iterator[Any]:
    page.goto(server.address)
    page.click("[data-key=quiet]")
    page.wait_for_selector("#connection[data-state=good]")
    page.wait_for_selector("#boxes:not([hidden])", state="attached")
    yield page


def until_pressed(page: Any, boxes: FakeBoxes, count: int) -> None:
    until(page, lambda: len(boxes.pressed) >= count)


@pytest.mark.browser
def test_roles_and_troubles_in_a_browser(open_page: Any, boxes: FakeBoxes, table: FakeTable) -> None:
    page = open_page
    assert page.inner_text("#boxes") == "Button boxes: 1"
    page.click("#more-button")
    page.click("[data-key=boxes]")
    page.select_option("[data-key=role-0000000a]", "jack")
    until(page, lambda: boxes.roles == {"0000000a": "jack"})
    text = "/dev/locked: no permission to open it; add yourself to the group dialout"
    boxes.ports = [
        boxes.box("0000000a", state="gone"),
        {"port": "/dev/locked", "state": "forbidden", "text": text, "simulated": False},
    ]
    table.push("notice", {"code": "box-unplugged", "text": "Button box {box} was unplugged.", "params": {"box": "0000000a"}})
    page.wait_for_selector("#boxes[data-state=bad]")
    assert page.inner_text("#boxes") == "Button box: unplugged"
    page.wait_for_selector("[data-state=forbidden]")
    assert "group dialout" in page.inner_text("[data-state=forbidden]")
    assert "Plug it in again" in page.inner_text("[data-box='0000000a']")
    assert "pad 1" in page.inner_text(".key-table") and "Unseen" in page.inner_text(".key-table")
    let_go = held(page, "**/api/boxes/shuffle")
    page.check("[data-key=shuffled]")
    page.uncheck("[data-key=shuffled]")  # before the first change is answered
    with page.expect_response(lambda one: "shuffle" in one.url and not one.json()["shuffled"]):
        let_go()
    assert not boxes.shuffled
    page.wait_for_selector("[data-key=shuffled]:not(:checked)")  # until then the page shows what the first change had led to
    page.check("[data-key=shuffled]")
    page.wait_for_selector(".key-table:has-text('left button')")
    assert boxes.shuffled and "Unseen" not in page.inner_text(".key-table")
    boxes.ports = [boxes.box("0000000b", simulated=True)]
    page.wait_for_selector("[data-box='0000000b'] .sign")
    assert page.inner_text("[data-key=press-arbiter]") == "Call the arbiter", "a button is called by what it does"
    page.click("[data-key=press-arbiter]")
    until_pressed(page, boxes, 1)
    assert boxes.pressed == [("arbiter", False, "table", "0000000b")]


@pytest.mark.browser
def test_a_press_counts_although_the_dialog_is_drawn_anew_under_the_finger(open_page: Any, boxes: FakeBoxes) -> None:
    page = open_page
    boxes.ports = [boxes.box("0000000b", simulated=True)]
    page.click("#more-button")
    page.click("[data-key=boxes]")
    page.hover("[data-key=press-arbiter]")
    page.mouse.down()
    with page.expect_response(lambda one: one.url.endswith("/api/boxes") and len(one.json()["boxes"]) == 2):
        boxes.ports = [boxes.box("0000000b", simulated=True), boxes.box("0000000c", state="gone")]
    page.wait_for_timeout(300)  # the page has it, and draws nothing yet
    assert page.locator("[data-box='0000000c']").count() == 0
    page.mouse.up()
    until_pressed(page, boxes, 1)
    page.wait_for_selector("[data-box='0000000c']")


@pytest.mark.browser
def test_an_answer_that_comes_late_does_not_undo_what_was_asked_after_it(open_page: Any, boxes: FakeBoxes) -> None:
    page = open_page
    late: list[Any] = []

    def hold_one(route: Any) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    page.route("**/api/boxes", hold_one)
    page.click("#more-button")
    page.click("[data-key=boxes]")
    until(page, lambda: bool(late))
    page.check("[data-key=shuffled]")
    page.wait_for_selector(".key-table:has-text('left button')")
    page.route("**/api/boxes", lambda route: None)  # and nothing puts it right
    ((route, reply),) = late
    route.fulfill(response=reply)
    page.wait_for_timeout(500)
    assert "left button" in page.inner_text(".key-table").lower()
    assert page.is_checked("[data-key=shuffled]")


@pytest.mark.browser
def test_keys_press_hold_and_leave_writing_alone(open_page: Any, boxes: FakeBoxes) -> None:
    page = open_page
    page.keyboard.press("Numpad1")
    page.keyboard.press("Digit3")
    until_pressed(page, boxes, 2)
    page.keyboard.down("Numpad5")
    until_pressed(page, boxes, 4)
    page.keyboard.up("Numpad5")
    page.keyboard.press("Control+Digit1")
    page.click("#more-button")
    page.keyboard.press("Digit1")
    page.wait_for_timeout(400)
    assert [(button, held) for button, held, _, _ in boxes.pressed] == [
        ("answer-a", False), ("answer-b", False), ("again", False), ("again", True),
    ]  # fmt: skip


@pytest.mark.browser
def test_a_refused_key_is_said(open_page: Any, boxes: FakeBoxes) -> None:
    page = open_page
    boxes.refuse = "nothing is asked now"
    page.keyboard.press("Digit1")
    page.wait_for_selector(".message:has-text('nothing is asked now')")
    page.complaints.clear()  # the browser itself reports the refused request


@pytest.mark.browser
def test_again_repeats_the_last_sentence(open_page: Any, table: FakeTable) -> None:
    page = open_page
    asked = table.push("call-asked", {"text": "Jack: are you seen or unseen?", "params": {}})
    page.wait_for_selector("#assertive:has-text('are you seen')", state="attached")
    table.push("turn-opened", {"turn": 2, "movers": ["detective"]})
    page.wait_for_selector("#polite:has-text('Turn 2')", state="attached")
    page.evaluate("document.getElementById('assertive').textContent = ''")
    table.push("notice", {"code": "again", "text": "", "params": {"number": asked.number}})
    page.wait_for_selector("#assertive:has-text('are you seen')", state="attached")


@pytest.mark.browser
def test_labels_are_in_the_page_only_while_jack_presses(open_page: Any, boxes: FakeBoxes, table: FakeTable) -> None:
    page = open_page
    boxes.shuffled = True
    table.show("call")
    table.push("notice", {"code": "box-found", "text": "Button box {box} found.", "params": {"box": "0000000a"}})
    page.wait_for_selector("#labels")
    assert boxes.asked == 0
    page.hover("#labels")
    page.mouse.down()
    page.wait_for_selector("#labels[data-open=yes]")
    assert page.inner_text("#labels [data-side=left]") == "left: unseen"
    page.mouse.up()
    page.wait_for_selector("#labels[data-open=no]")
    assert page.locator("#labels [data-side]").count() == 0
    page.focus("#labels")
    page.keyboard.down("Enter")
    page.wait_for_selector("#labels[data-open=yes]")
    page.keyboard.up("Enter")
    page.wait_for_selector("#labels[data-open=no]")
    table.show("playing")
    table.push("sight-restored", {})
    page.wait_for_selector("#labels", state="detached")
