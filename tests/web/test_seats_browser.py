"""Every seat in a real browser: coming in by a link, Jack's card, the detective's notes, the arbiter, the overlay."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_table import FakeTable, call_data
from slow_network import held

from companion import games
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.secrets import Secrets
from companion.record.commitment import commit, opens
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser

VISIBLE = """selector => { const box = document.querySelector(selector)?.getBoundingClientRect();
    return box && box.top >= 0 && box.bottom <= innerHeight; }"""


class Club:
    """A closed table, served, and links to its seats."""

    def __init__(self) -> None:
        self.table = FakeTable()
        self.table.change(match="match-1")
        self.passes = Passes.open(None)
        self.notes = Notes(Secrets.open(None), games.load(), lambda: "match-1")
        settings = PageSettings(streams=12, watch_seconds=0.1, heartbeat_seconds=0.3)
        app = create_app(self.table, settings, access_control=AccessControl(self.passes, closed=True, notes=self.notes))
        self.server = PageServer(app, settings=settings)

    def link(self, role: str, view: str = "", **more: Any) -> str:
        return f"{self.server.address}join{view}#{self.passes.issue(role, **more)[1]}"

    def show(self, page: Any, state: str) -> None:
        self.table.show(state)
        self.table.change(match="match-1")
        self.table.push("sight-restored", {})
        page.wait_for_selector(f"#room[data-number='{len(self.table.log)}']")

    def sit(self, page: Any, role: str, **more: Any) -> None:
        page.goto(self.link(role, **more))
        page.click("[data-key=quiet]")
        page.wait_for_selector("#connection[data-state=good]")


@pytest.fixture
def club() -> Iterator[Club]:
    club = Club()
    with club.server:
        yield club


def hold_and_slide(page: Any, character: str) -> None:
    veil = page.locator("dialog .veil").bounding_box()
    page.mouse.move(veil["x"] + veil["width"] / 2, veil["y"] + 20)
    page.mouse.down()
    row = page.locator(f"dialog .names [data-character={character}]").bounding_box()
    page.mouse.move(row["x"] + row["width"] / 2, row["y"] + row["height"] / 2, steps=4)
    page.mouse.up()


def test_a_link_lets_in_once_and_leaves_no_trace_in_the_address(page: Any, club: Club) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    link = club.link("jack")
    token = link.partition("#")[2]
    page.goto(link)
    page.wait_for_selector("#seat:has-text('Jack')")
    assert page.url == club.server.address
    assert not [address for address in requests if token in address.partition("#")[0]]
    assert page.evaluate("document.cookie") == ""
    page.go_back()
    assert token not in page.url


def test_without_a_link_there_is_only_the_door(page: Any, club: Club) -> None:
    page.goto(club.server.address)
    page.wait_for_selector("#join h1")
    assert page.url.endswith("/join")
    assert "link" in page.inner_text("#join")
    page.goto(club.server.address + "join#forged")
    page.reload()  # only what is behind the # changed
    page.goto(club.server.address + "join?again#forged")
    page.wait_for_selector("#join:has-text('not good')")
    assert "#" not in page.url
    page.complaints.clear()  # the browser itself notes the refusal


def test_a_link_opened_in_a_tab_that_stands_at_the_door_lets_in(page: Any, club: Club) -> None:
    """Only the part behind the "#" changes then, and no page is loaded: the link did nothing."""
    page.goto(club.server.address)
    page.wait_for_selector("#join h1")
    page.evaluate("window.same = true")
    page.evaluate("link => location.assign(link)", club.link("table"))
    page.wait_for_selector("#room")
    assert page.url == club.server.address


def test_a_second_link_asks_before_it_takes_the_browser_over(page: Any, club: Club) -> None:
    club.sit(page, "table")
    other = page.context.new_page()
    other.goto(club.link("jack"))
    other.wait_for_selector("#join:has-text('already, as: Table')")
    assert page.locator("[data-key=left]").count() == 0
    other.click("[data-key=stay]")
    other.wait_for_selector("#room")
    other.goto(club.link("jack"))
    other.click("[data-key=switch]")
    other.wait_for_selector("#seat:has-text('Jack')")
    page.wait_for_selector("dialog[data-key=left]")
    assert page.locator("#seat:has-text('Jack')").count() == 0, "the table's page must not become Jack's before all eyes"
    page.complaints.clear()  # the browser itself notes the refusal


def test_another_link_to_the_same_seat_asks_nothing(page: Any, club: Club) -> None:
    club.sit(page, "table")
    club.sit(page, "table")
    assert page.locator("[data-key=left]").count() == 0


def test_jack_entrusts_and_looks_while_pressing(page: Any, club: Club) -> None:
    club.sit(page, "jack")
    assert page.locator("#picture, [data-key=accept], .seat-list").count() == 0
    page.click("[data-key=entrust-own]")
    hold_and_slide(page, "stealthy")
    page.click("dialog [data-key=send]")
    page.wait_for_selector("[data-key=peek]")
    page.wait_for_selector("#secret:has-text('You have entrusted')")  # the card is drawn anew by that, and closes if it is open
    assert club.table.secret == "stealthy"
    secret = page.locator("#secret")
    assert "Stealthy" not in secret.inner_text()
    assert "Stealthy" not in secret.evaluate("element => element.outerHTML")
    box = page.locator("[data-key=peek]").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.mouse.down()
    assert "Stealthy" in secret.inner_text()
    assert "unseen" in secret.inner_text()
    page.mouse.up()
    assert "Stealthy" not in secret.evaluate("element => element.outerHTML")


def test_an_answer_that_arrives_after_what_it_led_to_does_not_turn_the_card_back(page: Any, club: Club) -> None:
    """Jack's card was drawn as it had been when he opened the dialog, and asked him again."""
    club.sit(page, "jack")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append((route, route.fetch()))

    page.route("**/api/answers?*", hold)
    page.click("[data-key=entrust-own]")
    hold_and_slide(page, "stealthy")
    page.click("dialog [data-key=send]")
    page.wait_for_selector("#secret:has-text('You have entrusted')")
    ((route, reply),) = held
    route.fulfill(response=reply)
    page.wait_for_selector("[data-key=peek]")
    assert "You have entrusted" in page.inner_text("#secret")
    assert page.locator("#secret [data-key=entrust-own]").count() == 0


def seal(page: Any, character: str) -> None:
    page.click("[data-key=seal]")
    hold_and_slide(page, character)
    page.click("dialog [data-key=send]")


def kept(page: Any) -> list[dict[str, str]]:
    return json.loads(page.evaluate("localStorage.getItem('table-witness.jack.match-1')"))


def test_jacks_seal_is_one_the_record_can_open(page: Any, club: Club) -> None:
    club.sit(page, "jack")
    seal(page, "gull")
    page.wait_for_selector("[data-key=peek]")
    (answer,), (opening,) = club.table.taken, kept(page)
    assert set(answer) == {"kind", "commitment"}
    assert opens(answer["commitment"], "match-1", opening["character"], opening["nonce"])
    assert opening["character"] == "gull"
    assert answer["commitment"] == commit("match-1", "gull", bytes.fromhex(opening["nonce"]))


def test_a_seal_that_was_refused_is_not_shown_as_jacks_own(page: Any, club: Club) -> None:
    """Its character stood under "look at it again" as soon as it was sent, and stayed there when it was refused."""
    club.sit(page, "jack")
    club.table.refuse = "Not now."
    seal(page, "gull")
    page.wait_for_selector(":text('Not now.')")
    assert page.locator("[data-key=peek]").count() == 0
    page.complaints.clear()  # the browser itself notes the refusal


def test_a_seal_whose_answer_was_lost_can_still_be_opened_after_another_try(page: Any, club: Club) -> None:
    """The second try's nonce stood in the place of the first one's, which is the one that is on record."""
    club.sit(page, "jack")
    seal(page, "gull")
    page.wait_for_selector("[data-key=peek]")
    (answer,) = club.table.taken
    club.table.change(secret="asked", commitment=None)  # as the page still shows it where the answer was lost
    club.table.push("sight-restored", {})
    page.wait_for_selector("#secret [data-key=seal]")
    club.table.refuse = "Sealed already."
    seal(page, "stealthy")
    page.wait_for_selector(":text('Sealed already.')")
    page.complaints.clear()
    club.table.change(secret="sealed", commitment=answer["commitment"])
    club.table.push("sight-restored", {})
    page.wait_for_selector("[data-key=peek]", state="attached")
    assert [one["character"] for one in kept(page)] == ["gull", "stealthy"]
    page.keyboard.press("Escape")
    page.locator("[data-key=peek]").scroll_into_view_if_needed()
    box = page.locator("[data-key=peek]").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.mouse.down()
    page.wait_for_selector(f"#secret:has-text('{kept(page)[0]['nonce']}')")
    page.mouse.up()


def test_nothing_is_sealed_where_the_browser_keeps_nothing(page: Any, club: Club) -> None:
    club.sit(page, "jack")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); } }")
    seal(page, "gull")
    page.wait_for_selector(":text('keeps nothing')")
    assert club.table.taken == []


def test_what_another_device_sealed_is_not_guessed(page: Any, club: Club) -> None:
    club.sit(page, "jack")
    key, row = "table-witness.jack.match-1", json.dumps({"character": "gull", "nonce": "00" * 32})
    page.evaluate("([key, row]) => localStorage.setItem(key, row)", [key, row])
    for match, mine in (("match-1", 1), ("match-2", 0)):
        club.table.change(secret="sealed", commitment=commit(match, "gull", bytes(32)))
        club.table.push("sight-restored", {})
        page.wait_for_selector(f"#room[data-number='{len(club.table.log)}']")
        assert page.locator("[data-key=peek]").count() == mine


def test_jack_answers_the_call_from_his_seat(page: Any, club: Club) -> None:
    club.sit(page, "jack")
    club.show(page, "call")
    page.click("[data-key=unseen]")
    page.wait_for_selector(".call .word")
    assert club.table.taken == [{"kind": "call", "seen": False}]


def test_the_detectives_notes_stay_with_the_detective(page: Any, club: Club, chromium: Any) -> None:
    club.sit(page, "detective", seat="Ada")
    club.show(page, "playing")
    let_go = held(page, "**/api/notes")
    page.check("[data-key=noted-gull]")
    page.check("[data-key=noted-bert]")
    page.wait_for_selector(".left:has-text('6')")
    with page.expect_request_finished(lambda one: "bert" in (one.post_data or "")):
        let_go()
    page.reload()
    page.click("[data-key=quiet]")
    page.wait_for_selector("[data-key=noted-gull]:checked")
    assert sorted(club.notes.read("Ada")) == ["bert", "gull"]
    assert "notes" not in str(club.table.snapshot())
    club.show(page, "call")
    page.wait_for_selector(".ask")
    assert page.locator("[data-key=seen], [data-key=entrust]").count() == 0


def test_the_arbiter_hands_out_rules_and_takes_back(page: Any, club: Club, chromium: Any) -> None:
    club.sit(page, "arbiter")
    club.show(page, "playing")
    page.click("#more-button")
    page.click("[data-key=rule]")
    page.check("dialog input[value=penalty]")
    page.check("dialog input[name=against][value=jack]")
    page.fill("dialog input[name=reason]", "showed a card")
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog", state="detached")
    assert club.table.taken == [{"kind": "rule", "action": "penalty", "against": "jack", "reason": "showed a card"}]
    page.click("#more-button")
    assert page.locator("dialog [data-key=entrust]").count() == 0
    page.click("dialog [data-key=seats]")
    page.select_option("dialog select[name=role]", "spectator")
    page.click("dialog [data-key=issue]")
    page.wait_for_selector("dialog .qr path", state="attached")
    link = page.locator("dialog input.link").first.input_value()
    other = chromium.new_context().new_page()
    other.goto(link)
    other.wait_for_selector("#seat:has-text('Spectator')")
    other.click("[data-key=quiet]")
    assert other.locator(".picture, [data-key=undo]").count() == 0
    page.locator("dialog [data-role=spectator] button", has_text="Take back").click()
    page.click("dialog [data-key=no]")
    assert page.locator("dialog [data-role=spectator]").count() == 1, "one tap puts nobody out"
    page.locator("dialog [data-role=spectator] button", has_text="Take back").click()
    page.click("dialog [data-key=sure]")
    page.wait_for_selector("dialog [data-role=spectator]", state="detached")
    other.wait_for_url("**/join")
    other.context.close()


def test_the_links_open_at_the_seat_to_choose_and_show_that_more_lies_below(page: Any, club: Club) -> None:
    """The focus was on "Close", below everything; and on a phone nothing said that the dialog goes on below its buttons."""
    page.set_viewport_size({"width": 390, "height": 640})
    club.sit(page, "arbiter")
    page.focus("#more-button")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog [data-key=seats]")
    shadow = "getComputedStyle(document.querySelector('dialog > .actions')).boxShadow"
    assert page.evaluate("(box => box.scrollHeight > box.clientHeight)(document.querySelector('dialog'))")
    assert "rgba" in page.evaluate(shadow)
    page.evaluate("(box => box.scrollTo(0, box.scrollHeight))(document.querySelector('dialog'))")
    page.wait_for_timeout(200)
    assert "rgba(4, 7, 11" not in page.evaluate(shadow)
    page.focus("dialog [data-key=seats]")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog [name=role]")
    assert page.evaluate("document.activeElement.name") == "role"
    page.set_viewport_size({"width": 390, "height": 1200})
    page.wait_for_timeout(200)
    assert page.evaluate(shadow) == "none", "all of it is seen"


def test_a_press_on_a_seat_counts_although_the_list_is_drawn_anew_under_the_finger(page: Any, club: Club) -> None:
    club.sit(page, "table")
    page.click("#more-button")
    page.click("dialog [data-key=seats]")
    page.select_option("dialog select[name=role]", "spectator")
    page.click("dialog [data-key=issue]")
    page.wait_for_selector("dialog .qr path", state="attached")
    let_go = held(page, "**/api/passes/revoke")
    page.locator("dialog [data-role=spectator] button", has_text="Take back").click()
    page.click("dialog [data-key=sure]")
    page.wait_for_selector("dialog [data-key=sure]", state="detached")
    page.locator("dialog [data-role=table] button", has_text="Take back").hover()
    page.mouse.down()
    with page.expect_response(lambda one: one.url.endswith("/api/passes")):
        let_go()
    page.wait_for_timeout(300)  # the page has the new list
    page.mouse.up()
    page.wait_for_selector("dialog [data-key=sure]")
    page.click("dialog [data-key=no]")
    page.wait_for_selector("dialog [data-role=spectator]", state="detached")


def test_a_link_that_is_made_or_taken_back_moves_no_button_away_from_the_finger(page: Any, club: Club) -> None:
    """The code came above the list, and everything below it jumped; any link that was taken back took the shown one away."""
    club.sit(page, "table")
    page.click("#more-button")
    page.click("dialog [data-key=seats]")
    table = "dialog [data-role=table] button >> nth=0"
    page.select_option("dialog select[name=role]", "spectator")
    before = page.locator(table).bounding_box()
    page.fill("dialog input[name=seat]", "first")
    page.click("dialog [data-key=issue]")
    page.wait_for_selector("dialog .qr path", state="attached")
    page.evaluate("document.querySelector('dialog').scrollTo(0, 0)")
    assert page.locator(table).bounding_box() == before
    page.fill("dialog input[name=seat]", "second")
    page.click("dialog [data-key=issue]")
    page.wait_for_selector("dialog .code :text('Spectator')")
    page.wait_for_selector("dialog [data-role=spectator]:has-text('second')")
    page.wait_for_function(VISIBLE, arg="dialog .code input.link")
    link = page.input_value("dialog .code input.link")
    page.locator("dialog li:has-text('first') button", has_text="Take back").click()
    page.click("dialog [data-key=sure]")
    page.wait_for_selector("dialog li:has-text('first')", state="detached")
    assert page.input_value("dialog .code input.link") == link
    page.locator("dialog li:has-text('second') button", has_text="Take back").click()
    page.click("dialog [data-key=sure]")
    page.wait_for_selector("dialog .code input", state="detached")


def test_the_code_is_the_link(chromium: Any, club: Club) -> None:
    """What a phone's camera would read from the screen is the very link."""
    cv2, np = pytest.importorskip("cv2"), pytest.importorskip("numpy")
    page = chromium.new_context(device_scale_factor=3).new_page()
    club.sit(page, "table")
    page.click("#more-button")
    page.click("dialog [data-key=seats]")
    page.click("dialog [data-key=issue]")
    page.wait_for_selector("dialog .qr path", state="attached")
    shot = page.locator("dialog .qr").screenshot()
    picture = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_GRAYSCALE)
    # Every link is another code. OpenCV's first reader misses one in a few hundred at every size, its second none of 600.
    sizes = [
        cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        for zoom in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
    ]
    readers = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
    read = [found for reader in readers for size in sizes if (found := reader.detectAndDecode(size)[0])]
    assert set(read) == {page.locator("dialog input.link").first.input_value()}
    page.context.close()


def test_the_overlay_is_transparent_and_has_no_buttons(page: Any, club: Club, tmp_path: Path) -> None:
    page.goto(club.link("spectator", view="?view=overlay"))
    page.wait_for_selector(".overlay-now .large")
    assert page.url.endswith("/overlay")
    for element in ("html", "body"):
        assert page.evaluate(f"getComputedStyle(document.querySelector('{element}')).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.locator("button").count() == 0
    club.table.push("call", call_data(seen=True))
    club.table.show("clean-up")
    page.wait_for_selector(".large:has-text('seen')")
    assert "Watson" in page.inner_text(".overlay-now")
    page.screenshot(path=str(tmp_path / "overlay.png"), omit_background=True)
