"""Panels of a game that the page has no words for: questions of any number of answers, a seat's own view, sealing and opening.

The table stands in for such a game: its snapshots say what is expected, and its board comes without words and looks.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from fake_table import FakeTable
from seat_pages import until

from companion.host.passes import Passes
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser

SEAT, OTHER, MATCH, PATH = "jack", "detective", "match-1", "path"
CHOICES = ("e4", "f4", "d4")
CHANGE = {"kind": "change", "seat": None, "left": 0}


def question(*words: str, seat: str = SEAT, **more: Any) -> dict[str, Any]:
    """A question with an answer for each word."""
    form = [{"kind": "choose", "alternative": number} for number in range(len(words))]
    return {
        "kind": "question", "id": "which", "seat": seat, "text": "Which of them, {name}?", "params": {"name": "Anna"},
        "form": form, "labels": list(words), "public": True, "purpose": None, **more,
    }  # fmt: skip


def own(*, lines: Sequence[str] = (), trail: Sequence[str] = (), tells: Sequence[str] = ()) -> dict[str, Any]:
    """What a seat alone is shown; each of ``tells`` is a purpose whose values are places of the board."""
    choices = [{"value": f"at-{place}", "text": "", "params": {}, "place": place} for place in CHOICES]
    return {
        "lines": [{"text": line, "params": {}} for line in lines],
        "trail": list(trail),
        "tells": [{"purpose": name, "text": "Where do you go?", "params": {}, "choices": choices} for name in tells],
    }


def row_commitment(seat: str, purpose: str, number: int, before: str, nonce: str, value: str) -> str:
    """SHA-256 over the parts of a chained commitment, each preceded by its length as four bytes, big end first."""
    texts = ["table-witness/secret-row/1", MATCH, seat, purpose, str(number), before]
    parts = [*(text.encode() for text in texts), bytes.fromhex(nonce), value.encode()]
    return hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).hexdigest()


class Room:
    """A closed table, and a page at it whose board has no words; answers are taken note of."""

    def __init__(self) -> None:
        self.table, self.passes = FakeTable(), Passes.open(None)
        settings = PageSettings(streams=12, watch_seconds=0.1, heartbeat_seconds=0.3)
        self.server = PageServer(
            create_app(self.table, settings, access_control=AccessControl(self.passes, closed=True)), settings=settings
        )
        self.sent: list[dict[str, Any]] = []
        self.table.change(match=MATCH, expects=[CHANGE], secrets=[])

    def sit(self, page: Any, role: str) -> None:
        def plain(route: Any) -> None:
            told = route.fetch().json()
            route.fulfill(json={**told, "labels": {}, "page": {}})

        def answered(route: Any) -> None:
            self.sent.append(route.request.post_data_json)
            route.fulfill(json={"accepted": self.sent[-1]["kind"]})

        page.route("**/api/board", plain)
        page.route("**/api/answers?*", answered)
        page.goto(f"{self.server.address}join#{self.passes.issue(role)[1]}")
        page.click("[data-key=quiet]")
        page.wait_for_selector("#connection[data-state=good]")

    def change(self, page: Any, *, own: dict[str, Any] | None = None, **changes: Any) -> None:
        """``own`` is what the page's seat alone is shown from now on."""
        self.table.own = {} if own is None else {SEAT: own}
        self.table.change(**changes)
        self.table.push("sight-restored", {})
        page.wait_for_selector(f"#room[data-number='{len(self.table.log)}']")

    def waits_for_answer(self, page: Any, count: int) -> dict[str, Any]:
        until(page, lambda: len(self.sent) >= count)
        return self.sent[count - 1]


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room()
    with room.server:
        yield room


def test_a_question_of_three_answers_is_numbered_and_answered_by_digits(page: Any, room: Room) -> None:
    room.sit(page, "table")
    room.change(page, expects=[question("The first", "The second", "The third"), CHANGE])
    assert page.inner_text("[data-question=which] h2") == "Which of them, Anna?"
    assert page.locator(".choice").all_inner_texts() == ["1\nThe first", "2\nThe second", "3\nThe third"]
    assert page.get_by_role("button", name="The second").count() == 1
    page.keyboard.press("Digit2")
    assert room.waits_for_answer(page, 1) == {"kind": "choose", "alternative": 1}
    page.keyboard.press("Digit9")
    page.click("[data-key=answer-3]")
    assert room.waits_for_answer(page, 2) == {"kind": "choose", "alternative": 2}, "there is no ninth answer"


def test_two_answers_are_the_buttons_a_and_b(page: Any, room: Room) -> None:
    room.sit(page, SEAT)
    room.change(page, expects=[question("Yes", "No")])
    assert page.locator(".pair .big").all_inner_texts() == ["A\nYes", "B\nNo"]
    page.click("[data-key=answer-2]")
    assert room.waits_for_answer(page, 1) == {"kind": "choose", "alternative": 1}


def test_a_question_to_another_seat_has_no_buttons_here_and_a_private_one_says_so(page: Any, room: Room) -> None:
    room.sit(page, SEAT)
    room.change(page, expects=[question("Yes", "No", seat=OTHER)])
    assert "Which of them" in page.inner_text("#now") and page.locator("#now .big").count() == 0
    room.change(page, expects=[question("Yes", "No", public=False)])
    assert "Only the companion hears the answer." in page.inner_text("#now") and page.locator("#now .big").count() == 2


def test_what_only_a_seat_knows_is_in_the_page_only_while_pressed(page: Any, room: Room) -> None:
    room.sit(page, SEAT)
    assert page.locator("#own-card").is_hidden()
    room.change(page, own=own(lines=["You stand on e4."], trail=["e3", "e4"]))
    veil = page.locator("#own .veil")
    assert "e4" not in page.inner_text("#own-card") and page.locator(".own-trail-end").count() == 0
    veil.hover()
    page.mouse.down()
    page.wait_for_selector("#own .veil[data-open=yes]:has-text('You stand on e4.')")
    assert page.locator(".own-trail-end[data-spot=e4]").count() == 1
    assert "on your way" in (page.get_attribute("[data-spot-id=e3]", "aria-label") or "")
    room.change(page, own=own(lines=["You stand on f4."], trail=["e4", "f4"]))
    page.wait_for_selector("#own .veil[data-open=no]")
    assert page.locator(".own-trail-end").count() == 0, "what is drawn anew meanwhile is hidden again"
    page.mouse.up()
    page.wait_for_selector("#own .veil[data-open=no]")
    assert "e4" not in page.inner_text("#own-card") and page.locator(".own-trail, .own-trail-end").count() == 0
    veil.focus()
    page.keyboard.down("Space")
    page.wait_for_selector("#own .veil[data-open=yes]")
    page.keyboard.up("Space")
    page.wait_for_selector("#own .veil[data-open=no]")


def test_a_place_is_chosen_on_the_board_by_a_tap_and_entrusted(page: Any, room: Room) -> None:
    room.sit(page, SEAT)
    room.change(page, own=own(tells=[PATH]))
    assert page.locator(".choose").count() == 0, "the places tell where somebody is: they are lit only while he chooses"
    assert page.is_disabled(f"[data-key=entrust-{PATH}]")
    page.click(f"[data-key=pick-{PATH}]")
    assert {one.get_attribute("data-spot") for one in page.locator(".choose").all()} == set(CHOICES)
    page.locator("[data-spot-id=g10]").click()
    assert page.is_disabled(f"[data-key=entrust-{PATH}]"), "what is not lit cannot be chosen"
    page.locator("[data-spot-id=f4]").click()
    page.wait_for_selector(".chosen[data-spot=f4]")
    page.click(f"[data-key=entrust-{PATH}]")
    assert room.waits_for_answer(page, 1) == {"kind": "entrust", "seat": SEAT, "purpose": PATH, "value": "at-f4"}
    page.wait_for_selector(".choose, .chosen", state="detached")
    assert page.locator("dialog").count() == 0, "a tap that chooses corrects nothing"


def test_a_place_is_chosen_by_keys_with_words_for_a_screen_reader_or_from_a_list(page: Any, room: Room) -> None:
    room.sit(page, SEAT)
    room.change(page, own=own(tells=[PATH]))
    page.click(f"[data-key=pick-{PATH}]")
    labels = {place: page.get_attribute(f"[data-spot-id={place}]", "aria-label") or "" for place in (*CHOICES, "g10")}
    assert all(("can be chosen" in label) is (place in CHOICES) for place, label in labels.items())
    page.locator("[data-spot-id=e4]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".chosen[data-spot=e4]")
    assert ", chosen" in (page.get_attribute("[data-spot-id=e4]", "aria-label") or "")
    page.click(f"[data-key=pick-{PATH}]")
    page.click("#own details summary")
    page.select_option(f"[data-key=list-{PATH}]", label="d4")
    assert page.input_value(f"[data-key=list-{PATH}]") == "", "what was chosen does not stay in sight"
    page.click(f"[data-key=entrust-{PATH}]")
    assert room.waits_for_answer(page, 1)["value"] == "at-d4"


def test_sealed_values_are_chained_kept_here_and_opened_when_asked(page: Any, room: Room) -> None:
    room.sit(page, SEAT)
    room.change(page, own=own(tells=[PATH]))
    secrets: list[dict[str, Any]] = []
    for count, place in enumerate(("e4", "f4"), start=1):
        page.click(f"[data-key=pick-{PATH}]")
        page.locator(f"[data-spot-id={place}]").click()
        page.click(f"[data-key=seal-{PATH}]")
        sent = room.waits_for_answer(page, count)
        kept = json.loads(page.evaluate(f"localStorage.getItem('table-witness.own.{MATCH}.{SEAT}')"))[-1]
        before = secrets[-1]["commitment"] if secrets else ""
        expected = row_commitment(SEAT, PATH, count, before, kept["nonce"], f"at-{place}")
        assert sent == {"kind": "seal", "seat": SEAT, "purpose": PATH, "commitment": expected}
        assert (kept["value"], kept["number"], len(kept["nonce"])) == (f"at-{place}", count, 64)
        secrets.append({"seat": SEAT, "purpose": PATH, "number": count, "mode": "sealed", "commitment": expected})
        room.change(page, secrets=secrets, own=own(tells=[PATH]))
        assert page.locator(f"[data-key=entrust-{PATH}]").count() == 0, "who began to seal goes on sealing"
    room.change(page, expects=[{"kind": "opening", "seat": SEAT, "purpose": PATH}])
    page.click(f"[data-key=reveal-{PATH}]")
    opened = room.waits_for_answer(page, 3)
    assert (opened["kind"], opened["seat"], opened["purpose"]) == ("reveal", SEAT, PATH)
    assert [(one["number"], one["value"]) for one in opened["opened"]] == [(1, "at-e4"), (2, "at-f4")]
    before = ""
    for one, told in zip(opened["opened"], secrets, strict=True):
        assert row_commitment(SEAT, PATH, one["number"], before, one["nonce"], one["value"]) == told["commitment"]
        before = told["commitment"]


def test_at_the_end_a_seat_opens_what_it_sealed_and_another_device_says_that_it_cannot(page: Any, room: Room) -> None:
    room.sit(page, SEAT)
    sealed = {"seat": SEAT, "purpose": PATH, "number": 1, "mode": "sealed", "commitment": "ab" * 32}
    over = {"kind": "over", "winner": OTHER, "code": "caught", "text": "Caught.", "params": {}}
    outcome = {"winner": OTHER, "code": "caught", "text": "Caught.", "params": {}}
    room.change(page, secrets=[sealed], expects=[over], outcome=outcome, phase="over")
    assert "kept on another device" in page.inner_text("#own-card")
    assert "Caught." in page.inner_text("#now")
    kept = {"purpose": PATH, "number": 1, "value": "at-e4", "nonce": "00" * 32, "commitment": "ab" * 32}
    page.evaluate(
        "([key, kept]) => localStorage.setItem(key, JSON.stringify([kept]))", [f"table-witness.own.{MATCH}.{SEAT}", kept]
    )
    room.change(page, secrets=[{**sealed}, {**sealed, "seat": OTHER}])
    page.click(f"[data-key=reveal-{PATH}]")
    assert room.waits_for_answer(page, 1)["opened"] == [{"number": 1, "value": "at-e4", "nonce": "00" * 32}]


def test_what_is_drawn_alone_has_a_panel_and_beside_a_play_none(page: Any, room: Room) -> None:
    room.sit(page, "table")
    drawing = {"kind": "draw", "pool": ["holmes", "watson", "blank"], "count": 2}
    room.change(page, expects=[drawing])
    assert "To be drawn: 2" in page.inner_text("#now")
    page.click("[data-key=deal]")
    assert room.waits_for_answer(page, 1) == {"kind": "deal"}
    page.click("[data-key=drawn]")
    assert page.locator("dialog input[name=card]").count() == 3
    page.keyboard.press("Escape")
    room.change(page, expects=[CHANGE, drawing])
    assert "To be drawn" not in page.inner_text("#now")


def test_a_game_without_people_or_words_shows_no_empty_cards(page: Any, room: Room) -> None:
    room.sit(page, OTHER)
    assert page.locator("#people-card").is_hidden() and page.locator("#own-card:visible").count() == 0
    assert page.inner_text("#seat") == "Detective"
