"""Secrets of a game in which every seat has one, in a browser: on a seat's own page, and handed over on the shared screen."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_cards_browser import reading
from testkit.sitting import Sitting, ToldWatcher, brought

from companion.host.passes import Passes
from companion.referee.audit import audit
from companion.web.access import AccessControl
from companion.web.app import create_app, views_of
from companion.web.guard import HEADER
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser
BLANK = np.zeros((9, 16, 3), np.uint8)


@dataclass
class Mat:
    """A mat of three seats whose roles are to be told, and its page, open to whoever has a link."""

    sitting: Sitting
    watcher: ToldWatcher
    passes: Passes
    app: Any
    address: str = ""

    def lay(self, cards: dict[str, list[str]]) -> list[str]:
        self.watcher.told.append(reading(self.sitting.game, cards))
        return self.sitting.look(BLANK)

    def shown(self) -> Any:
        return self.sitting.table.snapshot()

    def sit(self, page: Any, role: str) -> None:
        """Open the page of a role by its link."""
        page.goto(self.address)
        enter = """([token, header]) => fetch("/api/session", {
          method: "POST", headers: { "Content-Type": "application/json", [header]: "1" }, body: JSON.stringify({ token }),
        }).then((answer) => answer.status)"""
        page.complaints.clear()  # before the link there is no table to see
        assert page.evaluate(enter, [self.passes.issue(role)[1], HEADER]) == 200
        page.goto(self.address)
        page.wait_for_selector(".pieces .shape-card")
        page.get_by_role("button", name="Without sound").click()

    def until(self, page: Any, what: Any) -> None:
        for _ in range(600):
            if what(self.shown()):
                return
            page.wait_for_timeout(50)
        raise AssertionError(self.shown())


@pytest.fixture
def mat(tmp_path: Path, settings: PageSettings) -> Iterator[Mat]:
    with brought("hat-parade", "testkit.cards") as game:
        watcher, passes = ToldWatcher(), Passes.open(None)
        sitting = Sitting(game, tmp_path, lambda: watcher, {"players": "3"})
        app = create_app(sitting.table, settings, access_control=AccessControl(passes, closed=True))
        one = Mat(sitting, watcher, passes, app)
        assert one.lay({"pile": ["host-white"]}) == ["table-agreed"]
        with PageServer(app, settings=settings) as server:
            one.address = server.address
            yield one
        views_of(app).close()


def test_a_seats_role_is_told_and_seen_on_its_own_page_alone(mat: Mat, page: Any) -> None:
    mat.sit(page, "north")
    page.select_option("[data-key=list-role]", label="hero-black")
    assert page.input_value("[data-key=list-role]") == "", "what was chosen does not stand in the list"
    page.click("[data-key=entrust-role]")
    mat.until(page, lambda shown: [one["mode"] for one in shown["secrets"]] == ["entrusted"])
    veil = page.locator("#own .veil")
    veil.wait_for()
    page.wait_for_selector("[data-key=list-role]", state="detached")  # it offers every role by name
    assert "hero-black" not in page.content(), "nobody who glances at the screen reads it, nor in its source"
    box = veil.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    assert "You are hero-black." in veil.inner_text()
    page.mouse.up()
    assert "hero-black" not in page.content()
    assert "hero" not in repr({key: value for key, value in mat.shown().items() if key != "tells"})
    other = mat.app.test_client()
    for role in ("east", "table", "arbiter", "spectator"):
        other.post("/api/session", json={"token": mat.passes.issue(role)[1], "switch": True}, headers={HEADER: "1"})
        seen = other.get("/api/snapshot").get_json()
        assert "You are" not in repr(seen) and (role == "east") == ("own" in seen), role


def test_a_seat_seals_its_role_on_its_own_page_and_opens_it_when_accused(mat: Mat, page: Any) -> None:
    mat.sitting.say(kind="entrust", seat="east", purpose="role", value="villain-red")
    mat.sitting.say(kind="entrust", seat="south", purpose="role", value="hero-red")
    mat.sit(page, "north")
    page.select_option("[data-key=list-role]", label="hero-black")
    page.click("[data-key=seal-role]")
    mat.until(page, lambda shown: shown["phase"] == "playing")
    own = mat.sitting.table.private("north")
    assert own is not None and own["lines"] == [], "the companion does not know it"
    mat.lay({"row": ["north-red"], "pile": ["host-white"]})
    assert mat.sitting.say(kind="accuse", of="north", role="hero-black", seat="east") == ["accused"]
    page.wait_for_selector("[data-key=reveal-role]")
    page.click("[data-key=reveal-role]")
    mat.until(page, lambda shown: bool(shown["outcome"]))
    assert mat.shown()["outcome"]["winner"] == "east"
    assert audit(mat.sitting.game, mat.sitting.table.wait_events(0, 0.0))[1] == []


def handed(page: Any, seat: str, role: str, way: str) -> None:
    """On the shared screen: hand it over to a seat, which chooses and sends."""
    page.click(f"[data-key=tell-{seat}-role]")
    assert page.locator("dialog select").count() == 0, "there is nothing to choose before the screen changed hands"
    page.click("[data-key=handed-over]")
    page.select_option("[data-key=handed-list]", label=role)
    assert page.input_value("[data-key=handed-list]") == ""
    page.click(f"[data-key=handed-{way}]")
    page.wait_for_selector("dialog", state="detached")


def test_seats_without_a_screen_tell_their_roles_on_the_shared_one(mat: Mat, page: Any) -> None:
    mat.sit(page, "table")
    handed(page, "north", "hero-black", "entrust")
    mat.until(page, lambda shown: [one["seat"] for one in shown["secrets"]] == ["north"])
    page.wait_for_selector("[data-key=tell-north-role]", state="detached")
    assert "hero-black" not in page.content(), "nothing of it stays on the screen"
    handed(page, "east", "villain-red", "seal")
    handed(page, "south", "hero-red", "entrust")
    mat.until(page, lambda shown: shown["phase"] == "playing")
    assert [one["mode"] for one in mat.shown()["secrets"]] == ["entrusted", "sealed", "entrusted"]
    page.locator("#own-card").wait_for(state="hidden")  # the page hears of it a moment after the table does
    assert mat.shown()["tells"] == []
    mat.lay({"row": ["north-red"], "pile": ["host-white"]})
    mat.lay({"row": ["north-red", "east-white"], "pile": ["host-white"]})
    assert mat.sitting.say(kind="accuse", of="north", role="hero-black", seat="south")[:3] == ["accused", "opening", "outcome"]
    page.click("[data-key=reveal-role]")  # what was sealed on this screen is opened on it after the end
    mat.until(page, lambda shown: all("value" in one for one in shown["secrets"]))
    assert audit(mat.sitting.game, mat.sitting.table.wait_events(0, 0.0))[1] == []


def test_a_dialog_that_is_closed_forgets_what_was_chosen(mat: Mat, page: Any) -> None:
    mat.sit(page, "table")
    mat.passes.issue("north")
    page.click("[data-key=tell-north-role]")
    assert "has a screen of its own" in page.inner_text("dialog")
    page.click("[data-key=handed-over]")
    page.select_option("[data-key=handed-list]", label="hero-black")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert mat.shown()["secrets"] == [] and "hero-black" not in page.content()


def test_what_was_entrusted_never_comes_back_to_the_shared_screen(mat: Mat) -> None:
    """Whatever north is: snapshot, refusals and replies of the shared screen are the same, byte for byte but for the seal."""
    table = mat.app.test_client()
    headers = {HEADER: "1"}
    table.post("/api/session", json={"token": mat.passes.issue("table")[1]}, headers=headers)

    def say(**answer: Any) -> Any:
        told = table.post(
            "/api/answers", json={"kind": "entrust", "seat": "north", "purpose": "role", **answer}, headers=headers
        )
        return told.status_code, told.get_json()

    assert say(value="king") == say(value="") and say(value="king")[0] == 400
    assert say(value="hero-red") == (200, {"accepted": "entrust"})
    assert say(value="hero-red") == say(value="king") == say(value="villain-black"), "told already: the same words"
    shown = table.get("/api/snapshot").get_json()
    assert "own" not in shown and [one["seat"] for one in shown["tells"]] == ["east", "south"]
    assert shown["secrets"][0].keys() == {"seat", "purpose", "number", "mode", "commitment"}
