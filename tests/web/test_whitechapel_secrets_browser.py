"""Letters from Whitechapel on the page of who plays Jack, entrusted or sealed, and on every screen once it is opened."""

from pathlib import Path
from typing import Any

import pytest
from seat_pages import come_in, seats, shared_screen, until
from testkit.night_players import hunt
from testkit.night_record import read, replayed
from testkit.night_table import GAME, NightTable, Sealer
from whitechapel_pages import FRAMED, IN_SIGHT, hunted

from companion.host.passes import Passes
from companion.host.report import as_html
from companion.web.access import AccessControl
from companion.web.app import create_app, views_of
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser
RECORDED = Path(__file__).parents[1] / "games" / "recorded_whitechapel"


def test_the_end_tells_all_that_was_kept_secret(tmp_path: Path, settings: PageSettings, page: Any) -> None:
    night = replayed(read(RECORDED / "arrested-on-the-first-night.json"), tmp_path)
    with shared_screen(night.table, settings, page, "[data-list=opened] li >> nth=1") as shown:
        told = shown.locator("[data-list=opened] li").all_inner_texts()
        assert told == ["Jack's hideout was 50.", "Jack's way, circle by circle: 86, 102."]
        assert not shown.locator(".last-said-text").is_visible(), "not written twice"
        assert shown.locator(".ending .misfit").count() == 0
    night.close()


def test_a_jack_who_seals_has_no_empty_card_and_seals_his_moves(tmp_path: Path, settings: PageSettings, page: Any) -> None:
    """An empty card "For your eyes only" stood there all night, and his first move was to be entrusted by default."""
    night = NightTable(tmp_path)
    hunt(night, Sealer(night))
    with seats(night.table, settings, page, "[data-question=how]") as sit:
        shown = sit("jack")
        assert not shown.locator("#own-card").is_visible()
        night.say("moving", how="walk", home=False)
        shown.wait_for_selector("#own-card [data-purpose=move]")
        assert shown.locator(".telling .button.main").all_inner_texts() == ["Seal it"]
    night.close()


def test_nothing_is_for_one_pair_of_eyes_once_all_is_opened(tmp_path: Path, settings: PageSettings, page: Any) -> None:
    night = replayed(read(RECORDED / "arrested-on-the-first-night.json"), tmp_path)
    with seats(night.table, settings, page, "[data-list=opened] li >> nth=1") as sit:
        shown = sit("jack")
        assert not shown.locator("#own-card").is_visible()
        assert "Tap" not in shown.locator("#board-help").inner_text(), "nothing is corrected after the end"
    night.close()


def test_the_end_says_that_what_was_opened_does_not_fit_the_answers(tmp_path: Path, settings: PageSettings, page: Any) -> None:
    night = replayed(read(RECORDED / "sealed-and-false.json"), tmp_path)
    wrong = "Jack's way, circle by circle: 86, 120. What was opened does not fit what was said before."
    with shared_screen(night.table, settings, page, "[data-list=opened] li >> nth=1") as shown:
        told = shown.locator(".ending .misfit").all_inner_texts()
        assert told == [f"{wrong} Jack's answer about 86 was not true. No walk leads from 86 to 120."]
    report = as_html(GAME, night.events())
    assert "<li class='wrong'>" in report and wrong.replace("'", "&#x27;") in report
    night.close()


@pytest.mark.parametrize("size", [pytest.param((1280, 900), marks=pytest.mark.slow), (390, 844)])
def test_jacks_way_is_drawn_night_by_night_once_it_was_opened(
    tmp_path: Path, settings: PageSettings, page: Any, size: tuple[int, int]
) -> None:
    night = replayed(read(RECORDED / "home-on-the-fourth-night.json"), tmp_path)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    chapters = GAME.chapters(night.state, [night.table._ledger.match.held_open("jack")])
    assert len(chapters) == 4
    with shared_screen(night.table, settings, page, ".own-trail") as shown:
        shown.get_by_role("button", name="Without sound").click()
        for number, chapter in reversed(list(enumerate(chapters, start=1))):
            if number < 4:
                shown.click(f"[data-key='map-way-{number}']")
            until(shown, lambda way=chapter.way: shown.get_attribute(".own-trail-end", "data-spot") == way[-1])
            if number == 4:  # drawn and brought into sight by itself
                until(shown, lambda spots=[*chapter.way, *chapter.marked]: shown.evaluate(FRAMED, spots) == spots)
            corners = shown.get_attribute(".own-trail", "d").count("L")
            assert corners == len(chapter.way) - 1
            assert shown.get_attribute(".chosen", "data-spot") == chapter.marked[0]
            told = shown.locator("[data-key=way-words] li").all_inner_texts()
            assert told[0] == chapter.lines[0].text.format(**chapter.lines[0].params)
            assert len(told) == len(chapter.lines) - 1, "all of the report's but what was left of the hideout"
            assert "was secret" in shown.get_attribute(f"[data-spot-id='{chapter.way[-1]}']", "aria-label")
            assert shown.evaluate(IN_SIGHT, list(chapter.way[-1:])) or size[0] < 500
        assert shown.evaluate("document.documentElement.scrollWidth") <= size[0]
        shown.click("[data-key='map-']")
        until(shown, lambda: shown.locator(".own-trail").count() == 0)
    night.close()


def test_a_way_that_is_not_opened_as_a_whole_is_on_no_screen(night: NightTable) -> None:
    hunted(night)
    assert "ways" not in night.public


def test_jacks_phone_is_dark_and_brings_his_legal_moves_into_sight(seated: Any, night: NightTable) -> None:
    page = seated("jack")
    ground = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
    assert ground == "rgb(0, 0, 0)", "whatever the system likes"
    assert "50" not in page.locator("#own").inner_text().split() and page.locator(".choose").count() == 0
    night.say("moving", how="walk", home=False)
    page.click("[data-key=pick-move]")
    page.wait_for_selector(".choose")
    lit = page.eval_on_selector_all(".choose", "all => all.map((one) => one.dataset.spot)")
    legal = [one["place"] for one in night.own()["tells"][0]["choices"]]
    assert sorted(lit) == sorted(legal) and "86" in lit
    until(page, lambda: sorted(page.evaluate(IN_SIGHT, lit)) == sorted(lit))  # without a hand on the board
    page.locator(".cells [data-spot-id='86']").click()
    page.click("[data-key=bar-entrust-move]")
    until(page, lambda: night.public["phase"] == "laying")
    page.wait_for_selector(".pick-bar", state="detached")


def test_a_place_that_is_not_lit_is_refused_in_words(seated: Any, night: NightTable) -> None:
    """Enter on a crossing, or a tap on a circle out of reach, did nothing and said nothing."""
    page = seated("jack")
    night.say("moving", how="walk", home=False)
    page.focus("[data-key=pick-move]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choose")
    page.locator(".cells [data-spot-id='1']").dispatch_event("click")
    said = "1 cannot be chosen: only the lit places can."
    page.wait_for_selector(f"[data-purpose=move] [role=status]:text-is('{said}')")
    assert said in page.inner_text(".pick-bar")
    page.locator(".cells [data-spot-id='86']").dispatch_event("click")
    page.wait_for_selector("[data-purpose=move] [role=status]:has-text('Chosen')")


def test_jack_who_takes_his_move_back_with_a_keyboard_is_at_what_he_is_asked(
    tmp_path: Path, settings: PageSettings, page: Any
) -> None:
    """His card went, and the focus fell to a button of the moves below the board, out of sight."""
    night = NightTable(tmp_path)
    hunt(night, Sealer(night))
    with seats(night.table, settings, page, "[data-question=how]") as sit:
        shown = sit("jack")
        shown.focus("[data-key=answer-1]")
        shown.keyboard.press("Enter")
        shown.wait_for_selector("[data-key=deed-retract]")
        shown.focus("[data-key=deed-retract]")
        shown.keyboard.press("Enter")
        until(shown, lambda: night.public["phase"] == "escape")
        until(shown, lambda: shown.evaluate("document.activeElement.id") == "now")
    night.close()


def test_jack_chooses_a_circle_on_the_board_with_a_keyboard(seated: Any, night: NightTable) -> None:
    """The board came into sight and the keyboard stayed behind, above the screen; so it did once a circle was chosen."""
    page = seated("jack")
    night.say("moving", how="walk", home=False)
    page.focus("[data-key=pick-move]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choose")
    legal = [one["place"] for one in night.own()["tells"][0]["choices"]]
    until(page, lambda: page.evaluate("document.activeElement.dataset.spotId") in legal)
    assert page.evaluate(IN_SIGHT, [page.evaluate("document.activeElement.dataset.spotId")])
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-purpose=move] [role=status]:has-text('Chosen')")
    assert page.evaluate("document.activeElement.dataset.key") == "tell-move", "and nothing is sent yet"
    assert page.locator("button:visible", has_text="Entrust it").count() == 1, "in the card, too, it stood there twice"
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.key") == "bar-entrust-move":
            break
    page.keyboard.press("Enter")
    until(page, lambda: night.public["phase"] == "laying")


def test_jack_takes_his_entry_back_on_his_own_page(seated: Any, night: NightTable) -> None:
    page = seated("jack")
    assert page.locator("[data-key=deed-retract]").count() == 0
    night.say("moving", how="walk", home=False)
    night.entrust("move", "86")
    page.click("[data-key=deed-retract]")
    until(page, lambda: night.public["phase"] == "escape")
    page.wait_for_selector("[data-question=how] .choice")
    assert page.locator("[data-key=deed-retract]").count() == 0


def test_a_walk_is_told_alike_at_home_and_away(seated: Any, night: NightTable) -> None:
    """The same buttons wherever Jack is, and the same bytes for everybody else."""
    page = seated("jack")
    away = page.locator("[data-question=how] .choice").all_inner_texts()
    night.say("moving", how="walk", home=False)
    night.entrust("move", "66")
    night.show()
    while night.public["phase"] != "escape":
        night.say("stay") if night.public["phase"] == "police-move" else night.say(
            "stop", seat=night.public["expects"][0]["seat"]
        )
    assert "50" in night.own()["lines"][2]["params"]["circles"].split(", "), "now a walk leads home"
    page.wait_for_selector("[data-question=how] .choice")
    assert page.locator("[data-question=how] .choice").all_inner_texts() == away


def reminded(page: Any) -> list[str]:
    """What a seat's own screen shows while the space bar is held."""
    page.focus("#own [data-key=peek]")
    assert page.locator(".own-lines").count() == 0
    page.keyboard.down(" ")
    shown: list[str] = page.locator(".own-lines p").all_inner_texts()
    page.keyboard.up(" ")
    return shown


def test_a_sealed_night_leaves_its_words_on_every_screen_and_opens_what_is_due(
    tmp_path: Path, settings: PageSettings, page: Any
) -> None:
    night = NightTable(tmp_path)
    night.show()
    night.show(women=tuple((spot, "down") for spot in ("3", "21", "27", "65", "84", "147", "149", "158")))
    passes, head = Passes.open(None), Sealer(night)
    app = create_app(night.table, settings, access_control=AccessControl(passes, closed=True))
    with PageServer(app, settings=settings) as running:
        come_in(page, running.address, passes.issue("jack")[1])
        page.wait_for_selector("[data-purpose=hideout]")
        page.get_by_role("button", name="Without sound").click()
        page.click("[data-key=pick-hideout]")
        page.locator(".cells [data-spot-id='50']").click()
        page.click("[data-key=seal-hideout]")
        page.wait_for_selector("[data-purpose=hideout]", state="detached")
        page.select_option("[data-key='list-women-1']", label="3, 21, 27, 65, 84")
        page.click("[data-key='seal-women-1']")
        until(page, lambda: night.public["phase"] == "head")
        words = page.locator("#seal-words")
        until(page, lambda: words.text_content().startswith("Jack, the marked women: "))
        page.click("#seal summary")
        assert page.locator("#seal .seal-list li").all_inner_texts()[0].startswith("Jack, the hideout: ")
        assert page.locator("#seal svg.qr, #seal .qr").count() == 1
        night.say("head", colour="brown")
        yellow = ("x042", "x044", "x058", "x137", "x143", "x156", "x181")
        night.show(patrols=tuple((spot, "down") for spot in yellow))
        for spot in yellow[:5]:
            head("brown", "patrols-1", spot)
        page.click("[data-key='reveal-women-1']")
        until(page, lambda: night.public["phase"] == "laying")
        night.show()
        night.say("kill", circles=[84])
        night.show()
        head.reveal("brown", "patrols-1")
        night.show()
        for circle in ("86", "69"):
            night.say("moving", how="walk", home=False)
            page.click("[data-key=pick-move]")
            page.locator(f".cells [data-spot-id='{circle}']").click()
            page.click("[data-key=seal-move]")
            until(page, lambda: night.public["phase"] == "laying")
            night.show()
            while night.public["phase"] != "escape":
                police = night.public["phase"] == "police-move"
                night.say("stay") if police else night.say("stop", seat=night.public["expects"][0]["seat"])
        newest = night.public["seals"][-1]
        assert (newest["purpose"], newest["number"]) == ("move", 2) and night.own()["trail"] == []
        assert reminded(page) == ["The hideout: 50", "Jack's way: 86, 69"]
        said = f"Jack, entry 2 of the row: {newest['words']}"
        until(page, lambda: words.text_content() == said)
        assert len([one for one in night.public["seals"] if one["purpose"] == "move"]) == 1, "it covers the one before"
        page.goto("about:blank")
    views_of(app).close()
    night.close()
