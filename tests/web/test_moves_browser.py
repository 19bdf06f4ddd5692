"""The last sentence stays in sight, and the moves can be stepped through on the board, which then says that it is not now."""

from typing import Any

import pytest
from boxes import boxes
from told_game import ToldGame

from companion.host.passes import Passes
from companion.referee.match import fold
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser
SETTINGS = PageSettings(streams=8, watch_seconds=0.1, heartbeat_seconds=0.5)
EARS = """
window.heard = [];
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-GB" }], cancel: () => {}, speak: (said) => window.heard.push(said.text) } });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""
KNOWS = """async (number) => {
  const { store } = await import("/static/script/store.js"), frame = () => new Promise((done) => requestAnimationFrame(done));
  while (!store.events.some((one) => one.number === number)) await frame();
  await frame();  // whoever asked before for one to draw in has had it
}"""
FOLD = """async (events) => (await import("/static/script/steps.js")).stepsOf(events).map((one) => [one.kind, one.number])"""


class Seats:
    """A closed table over a told game, with links."""

    def __init__(self, table: ToldGame) -> None:
        self.table, self.passes = table, Passes.open(None)
        self.server = PageServer(
            create_app(table, SETTINGS, access_control=AccessControl(self.passes, closed=True)), settings=SETTINGS
        )

    def enter(self, page: Any, role: str, *, width: int = 390) -> None:
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"{self.server.address}join#{self.passes.issue(role)[1]}")
        page.click("[data-key=quiet]")
        page.wait_for_selector("#connection[data-state=good]")
        caught_up(page, self.table)


def caught_up(page: Any, table: ToldGame) -> None:
    """Wait until what the page draws is drawn from the newest snapshot and from every event. A page that has just come has the
    snapshot first, and what happened before one by one."""
    page.wait_for_selector(f"#room[data-number='{len(table.log)}']")
    page.evaluate(KNOWS, len(table.log))


def places(page: Any) -> dict[str, str]:
    found = page.eval_on_selector_all(".piece", "all => all.map(one => [one.dataset.piece, one.dataset.place])")
    return {name: place for name, place in found if place}


def where(event: Any) -> dict[str, str]:
    return {name: one["hex"] for name, one in event.data["position"]["characters"].items() if one.get("hex")}


def shown_as(page: Any, event: Any) -> bool:
    wanted = where(event)
    return {name: place for name, place in places(page).items() if name in wanted} == wanted


@pytest.mark.parametrize(
    "role", ["table", "spectator", *(pytest.param(role, marks=pytest.mark.slow) for role in ("jack", "detective"))]
)
def test_the_last_sentence_stays_below_the_headline_and_is_heard_again(page: Any, role: str) -> None:
    table = ToldGame()
    table.show_until(table.number_of("play", 2))
    seats = Seats(table)
    page.add_init_script(EARS)
    with seats.server:
        seats.enter(page, role)
        sentence = page.inner_text(".headline .last-said-text")
        assert sentence and sentence == page.locator("#log li p, #log li").first.evaluate("one => one.lastChild.textContent")
        head, said = boxes(page, ".headline .who", ".last-said")
        assert 0 <= said["y"] - (head["y"] + head["height"]) < 30, "below the headline"
        page.click("[data-key=repeat]")
        assert page.inner_text("#polite, #assertive >> nth=0").strip("\u200b") == sentence
        assert len(page.evaluate("heard")) == 1, "asked for here, so it is heard though the sound is off"
        page.goto("about:blank")


@pytest.mark.parametrize(("role", "sends"), [("table", True), ("arbiter", True), ("jack", False), ("detective", False)])
def test_take_back_is_one_press_deep_for_every_player_and_keeps_to_the_policy(page: Any, role: str, sends: bool) -> None:
    table = ToldGame()
    table.show_until(table.number_of("play", 2))  # Jack's first of two: the pick is still his
    assert table.snapshot()["undo"] is not None
    seats = Seats(table)
    with seats.server:
        seats.enter(page, role)
        page.click("[data-key=take-back]")
        page.wait_for_selector("dialog[open]")
        assert table.taken == [], "asked first"
        if sends:
            page.click("dialog [data-key=sure]")
            page.wait_for_selector("dialog", state="detached")
            assert table.taken == [{"kind": "undo"}]
        else:
            assert "Put its pieces back" in page.inner_text("dialog")
            page.keyboard.press("Escape")
        table.show_until(table.number_of("play", 3))  # and the pick has passed to the detective
        assert table.snapshot()["undo_refused"] == "passed"
        caught_up(page, table)
        page.click("[data-key=take-back]")
        page.wait_for_selector("dialog[open]")
        if role == "arbiter":
            assert page.locator("dialog input[value=take-back]").is_checked()
        else:
            assert "only the arbiter" in page.inner_text("dialog")
        page.goto("about:blank")


def an_arbiter_takes_it_back(table: ToldGame, reason: str) -> None:
    """To the first moment that is left, and every screen hears of it."""
    table.hands.say(kind="rule", action="take-back", to=table.hands.match.returns[0].number, reason=reason)
    table.everything = list(table.hands.events)
    table.show_until(len(table.everything))


@pytest.mark.parametrize("role", ["table", "detective"])
def test_a_dialog_about_the_last_play_closes_once_that_is_another_one_or_taken_back(page: Any, role: str) -> None:
    """It went on saying that only the arbiter may take a play back which he had taken back."""
    table = ToldGame()
    table.show_until(table.number_of("play", 2))
    seats = Seats(table)
    with seats.server:
        seats.enter(page, role)
        page.click("[data-key=take-back]")
        page.wait_for_selector("dialog[open]")
        table.show_until(table.number_of("play", 3))
        page.wait_for_selector("dialog", state="detached")
        caught_up(page, table)
        page.click("[data-key=take-back]")
        page.wait_for_selector("dialog[open]:has-text('only the arbiter')")
        table.hands.events, table.hands.match = list(table.log), fold(table.hands.game, table.log)
        an_arbiter_takes_it_back(table, "misheard")
        page.wait_for_selector("dialog", state="detached")
        page.goto("about:blank")


def test_who_has_the_secret_is_asked_for_it_no_longer_than_somebody_asks(page: Any) -> None:
    """The arbiter took the accusing play back, and the dialog went on asking who Jack is, to be refused."""
    table = ToldGame("right-accusation-wins")
    assert table.snapshot()["question"]["text"] == "Jack: who are you?"
    seats = Seats(table)
    with seats.server:
        seats.enter(page, "jack")
        page.click("#now [data-key=reveal]")
        page.wait_for_selector("dialog[open]")
        table.push("notice", {"code": "n", "text": "still asked", "params": {}})
        page.wait_for_selector(f"#room[data-number='{len(table.log)}']")
        assert page.locator("dialog[open]").count() == 1
        table.log.pop()
        an_arbiter_takes_it_back(table, "touched only")
        page.wait_for_selector("dialog", state="detached")
        page.goto("about:blank")


def test_a_spectator_is_offered_nothing_to_take_back(page: Any) -> None:
    table = ToldGame()
    table.show_until(table.number_of("play", 2))
    seats = Seats(table)
    with seats.server:
        seats.enter(page, "spectator")
        assert page.locator("[data-key=repeat]").count() == 1 and page.locator("[data-key=take-back]").count() == 0
        page.goto("about:blank")


@pytest.mark.parametrize(
    "role", ["table", "spectator", *(pytest.param(role, marks=pytest.mark.slow) for role in ("jack", "detective", "arbiter"))]
)
def test_the_board_shows_every_move_and_says_that_it_is_not_now(page: Any, role: str) -> None:
    table = ToldGame()
    table.show_until(table.number_of("play", 3))
    plays = [event for event in table.log if event.kind == "play"]
    seats = Seats(table)
    with seats.server:
        seats.enter(page, role, width=320)
        page.wait_for_selector("#steps-list button >> nth=3")
        assert page.locator("#steps-list button").count() == 4, "the start and three plays"
        assert page.get_attribute("#board", "data-past") == "no" and shown_as(page, plays[2])
        page.click("[data-key=step-back]")
        assert "Turn 1, pick 2 – not now" in page.inner_text("#steps-line")
        assert page.get_attribute("#board", "data-past") == "yes" and shown_as(page, plays[1])
        assert "Turn 1, pick 2" in page.get_attribute("#board svg.board", "aria-label")
        page.click("[data-key=step-first]")
        assert "The start – not now" in page.inner_text("#steps-line")
        page.click("[data-spot-id=e6]")
        assert page.locator("dialog").count() == 0, "what is over is not corrected"
        page.click("[data-key=step-on]")
        assert shown_as(page, plays[0])
        table.show_until(table.number_of("play", 4))  # the game goes on meanwhile
        caught_up(page, table)
        assert shown_as(page, plays[0]) and page.locator("#steps-list button").count() == 5
        page.click("[data-key=step-back-now]")
        assert page.get_attribute("#board", "data-past") == "no" and page.inner_text("#steps-line") == ""
        assert shown_as(page, table.everything[table.number_of("play", 4) - 1])
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        page.goto("about:blank")


def test_arrow_keys_step_through_the_moves_and_still_walk_the_cells(page: Any) -> None:
    table = ToldGame()
    table.show_until(table.number_of("play", 3))
    seats = Seats(table)
    with seats.server:
        seats.enter(page, "table", width=1366)
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector("#steps-line:has-text('pick 2')")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowRight")
        assert "pick 2" in page.inner_text("#steps-line")
        page.keyboard.press("Escape")
        assert page.get_attribute("#board", "data-past") == "no"
        page.focus("#steps-list [tabindex='0']")
        page.keyboard.press("Home")
        page.wait_for_selector("#steps-line:has-text('The start')")
        assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "step", "the focus goes along"
        assert page.locator("#steps-list [tabindex='0']").count() == 1
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#steps-line:has-text('pick 1')")
        assert "pick 1: " in page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("End")
        page.wait_for_selector("#board[data-past=no]")
        page.focus(".board [tabindex='0']")
        page.keyboard.press("ArrowLeft")
        assert page.get_attribute("#board", "data-past") == "no", "on the board the arrow keys walk its cells"
        page.goto("about:blank")


def test_moves_older_than_what_the_page_keeps_are_fetched_when_they_are_wanted(page: Any) -> None:
    table = ToldGame()
    plays = [event for event in table.everything if event.kind == "play"]
    for _ in range(420):
        table.push("sight-restored", {})
    seats = Seats(table)
    with seats.server:
        seats.enter(page, "spectator")
        assert page.locator("#steps-list button").count() == 0
        page.click("[data-key=step-first]")
        page.wait_for_selector("#steps-line:has-text('The start – not now')")
        page.click("[data-key=step-on]")
        assert shown_as(page, plays[0])
        page.goto("about:blank")


def test_what_was_taken_back_is_not_stepped_through(page: Any) -> None:
    def event(number: int, kind: str, **data: Any) -> dict[str, Any]:
        return {"number": number, "kind": kind, "text": "", "data": data}

    position = {"turn": 1}
    begun = [event(1, "table-agreed", position=position), event(2, "play", position=position, character="bert")]
    more = event(3, "play", position=position, character="gull")
    seats = Seats(ToldGame())
    with seats.server:
        seats.enter(page, "spectator")
        steps = [["start", 1], ["play", 2]]
        assert page.evaluate(FOLD, [*begun, more, event(4, "undo", undone=3, position=position)]) == steps
        assert page.evaluate(FOLD, [*begun, more, event(4, "ruling", action="take-back", to=2)]) == steps
        retold = event(4, "correction", what="play", position=position, character="gull")
        assert page.evaluate(FOLD, [*begun, more, retold]) == [*steps, ["play", 4]]
        assert page.evaluate(FOLD, [*begun, more, retold, event(5, "undo", undone=4, position=position)]) == steps
        sight = event(4, "correction", what="sight", fixes=[])
        assert page.evaluate(FOLD, [*begun, more, sight]) == [*steps, ["play", 3]]
        call = event(4, "call", position=position, seen=True)
        assert page.evaluate(FOLD, [*begun, call, event(5, "correction", what="call")]) == steps
        page.goto("about:blank")
