"""The voice on the page: what is said, how loud and how fast, and what the first press unlocks."""

from typing import Any

import pytest
from fake_table import FLAG, FakeTable, call_data, play_data

pytestmark = pytest.mark.browser

EARS = """
window.heard = [];
window.locks = 0;
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-GB" }], cancel: () => {},
  speak: (said) => {
    if (said.text.trim()) window.heard.push([said.text, said.volume, said.rate]);
    setTimeout(() => said.onend?.(), 5);
  } } });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => { window.locks += kind === "screen"; } } });
"""

EVENTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "calls": ("call", call_data(seen=True), "Jack is seen."),
    "flags": ("flag", FLAG, "Bert went 4 steps"),
    "plays": ("play", play_data("holmes", ["g5", "e6"], "Holmes goes from g5 to e6."), "Holmes goes"),
    "rulings": ("ruling", {"action": "adjourn", "reason": "A break"}, "The game is adjourned."),
    "clocks": ("time-over", {"role": "jack"}, "Jack: the time is up."),
    "trouble": ("notice", {"code": "camera-moved", "text": "The camera was moved.", "params": {}}, "The camera was moved."),
}


@pytest.fixture
def heard(page: Any, server: Any, table: FakeTable) -> Any:
    """Opens the page with sound; tells what was said since the last time, once an event has arrived."""
    page.add_init_script(EARS)
    page.goto(server.address)
    page.click("[data-key=start]")
    page.wait_for_selector("#connection[data-state=good]")

    def listen(name: str) -> list[Any]:
        kind, data, _ = EVENTS[name]
        page.evaluate("window.heard.length = 0")
        number = table.push(kind, data).number
        page.wait_for_selector(f"#log li[data-number='{number}']")
        page.wait_for_timeout(60)
        return list(page.evaluate("window.heard"))

    return listen


def test_the_first_press_unlocks_sound_and_keeps_the_screen_awake(page: Any, heard: Any) -> None:
    assert page.evaluate("window.locks") == 1
    assert heard("calls")[0][0].startswith("Jack is seen.")


def test_each_kind_of_event_is_switched_by_itself(page: Any, heard: Any) -> None:
    for name in EVENTS:
        page.click("#sound-button")
        for other in EVENTS:
            page.set_checked(f"dialog input[name={other}]", other == name)
        page.keyboard.press("Escape")
        for other, (_, _, text) in EVENTS.items():
            said = heard(other)
            assert [one[0][: len(text)] for one in said] == ([text] if other == name else []), (name, other)


def test_loudness_and_speed_are_as_set_and_remembered(page: Any, heard: Any) -> None:
    page.click("#sound-button")
    page.locator("dialog input[name=volume]").fill("0.4")
    page.locator("dialog input[name=rate]").fill("1.25")
    page.keyboard.press("Escape")
    assert heard("calls")[0][1:] == [0.4, 1.25]
    page.reload()
    page.click("[data-key=start]")
    page.wait_for_selector("#connection[data-state=good]")
    assert heard("flags")[0][1:] == [0.4, 1.25]


def test_what_is_said_twice_is_spoken_and_written_twice(page: Any, heard: Any) -> None:
    first, one = heard("calls"), page.inner_text("#assertive")
    second, two = heard("calls"), page.inner_text("#assertive")
    assert [said[0] for said in first] == [said[0] for said in second]
    assert one != two  # an unchanged live region is not read out again
    assert one.strip("\u200b") == two.strip("\u200b")
